//! Two objects of a level with the same id, or two layers with the same name.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::{Edit, free_name},
    model::{Finding, LayerContent, Location, Name},
};

pub(super) const RULE: Rule =
    Rule { name: "duplicate-id", doc: "Two things of a level have the same id, or two layers the same name.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, level) in input.levels() {
        let mut layers: BTreeMap<&Name, usize> = BTreeMap::new();
        let mut ids: BTreeMap<&Name, &Name> = BTreeMap::new();
        let all = level.all_layers();
        let names: BTreeSet<&str> = all.iter().map(|layer| &*layer.name).collect();
        for (i, (layer, at)) in all.into_iter().zip(level.layer_paths()).enumerate() {
            if layers.insert(&layer.name, i).is_some() {
                let message = format!("another layer of this level is called `{}` too", layer.name);
                let name = free_name(&layer.name, |name| names.contains(name));
                // Edits find a layer by its name, so the second is replaced by one with another name.
                let mut fixed = level.clone();
                if let Some(layer) = fixed.nth_layer_mut(i) {
                    layer.name = name.clone();
                }
                let document = crate::model::Document::Level(fixed);
                let fix = Fix::new(format!("Rename to {name}"), Edit::put_document(doc.clone(), document));
                let place = Location::new(doc.clone(), at.key("name"));
                out.push(Problem::new(Finding::error(RULE.name, place, message)).with([fix]));
            }
            let (key, here): (_, Vec<&Name>) = match &layer.content {
                LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {
                    continue;
                }
                LayerContent::Entities(entities) => ("entities", entities.keys().collect()),
                LayerContent::Waypoints(graph) => ("nodes", graph.nodes.keys().collect()),
            };
            for id in here {
                if let Some(other) = ids.insert(id, &layer.name) {
                    let message = format!("`{id}` is on layer `{other}` too; an id is unique in its level");
                    let place = Location::key(doc.clone(), at.key(key).key(id));
                    out.push(Problem::new(Finding::error(RULE.name, place, message)));
                }
            }
        }
    }
}
