//! Two placed entities that are equal in every way and at the same place: pasted or clicked twice.

use std::collections::HashMap;

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{Finding, Instance, Location, Name},
};

pub(super) const RULE: Rule =
    Rule { name: "stacked-entities", doc: "Two placed entities are identical and at the same place.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, level) in input.levels() {
        for (i, layer) in level.all_layers().into_iter().enumerate() {
            let Some(entities) = layer.entities() else { continue };
            let mut seen: HashMap<_, Vec<(&Name, &Instance)>> = HashMap::new();
            for (id, instance) in entities {
                let bits = [instance.at[0], instance.at[1], instance.rotation].map(f64::to_bits);
                let here = seen.entry((&instance.def, bits)).or_default();
                if let Some((other, _)) = here.iter().find(|(_, other)| **other == **instance) {
                    let at = level.entity_at(i, id);
                    let message = format!("`{id}` is identical to `{other}` and at the same place");
                    let finding = Finding::warning(RULE.name, Location::key(doc.clone(), at), message);
                    let edit = Edit::DeleteThings { doc: doc.clone(), ids: vec![id.clone()] };
                    out.push(Problem::new(finding).with([Fix::new(format!("Delete {id}"), edit)]));
                }
                here.push((id, instance));
            }
        }
    }
}
