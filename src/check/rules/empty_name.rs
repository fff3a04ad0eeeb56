//! A layer, a group of layers or a terrain with an empty name: edits and references find layers by their names, and the
//! palette shows the names of terrains.

use crate::{
    check::{Problem, Rule, input::Input},
    model::{DocPath, FieldPath, Finding, Location},
};

pub(super) const RULE: Rule =
    Rule { name: "empty-name", doc: "A layer, a group of layers or a terrain has an empty name.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let mut report = |doc: &DocPath, at: FieldPath, what: &str| {
        let finding = Finding::error(RULE.name, Location::new(doc.clone(), at), format!("{what} needs a name"));
        out.push(Problem::new(finding));
    };
    for (doc, level) in input.levels() {
        let all = level.all_layers().into_iter().zip(level.layer_paths());
        for (layer, at) in all.filter(|(layer, _)| layer.name.trim().is_empty()) {
            let what = if layer.is_group() { "a group of layers" } else { "a layer" };
            report(doc, at.key("name"), what);
        }
    }
    for (doc, tileset) in input.tilesets() {
        for (i, _) in tileset.terrains.iter().enumerate().filter(|(_, set)| set.name.trim().is_empty()) {
            report(doc, FieldPath::keys(["terrains"]).index(i).key("name"), "a terrain");
        }
    }
}
