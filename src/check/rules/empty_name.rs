//! A layer or a group of layers has an empty name: edits and references find layers by their names.

use crate::{
    check::{Problem, Rule, input::Input},
    model::{Finding, Location},
};

pub(super) const RULE: Rule =
    Rule { name: "empty-name", doc: "A layer or a group of layers has an empty name.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, level) in input.levels() {
        let all = level.all_layers().into_iter().zip(level.layer_paths());
        for (layer, at) in all.filter(|(layer, _)| layer.name.trim().is_empty()) {
            let what = if layer.is_group() { "a group of layers" } else { "a layer" };
            let finding =
                Finding::error(RULE.name, Location::new(doc.clone(), at.key("name")), format!("{what} needs a name"));
            out.push(Problem::new(finding));
        }
    }
}
