//! Overrides of placed entities that do not fit the definition they are to get: what a check would report of them then,
//! and components that the definition does not have, which they would have by themselves.

use super::{Replace, ReplaceKind};
use crate::{
    defs::Resolution,
    model::{Finding, Instance, Location, OpKind, Project},
};

/// An override that would not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// The override, where it is written.
    pub location: Location,
    /// Why, in a sentence.
    pub message: String,
}

impl Replace {
    /// The overrides that would not fit the new definition of their entities, by level, in written order. What is on
    /// locked layers is left alone. Empty where no entities are replaced, or it is not known yet by what.
    #[must_use]
    pub fn misfits(&self, project: &Project, resolution: &Resolution) -> Vec<Misfit> {
        let mut out = Vec::new();
        let Some((from, to)) = self.defs(project).ok().filter(|_| self.kind == ReplaceKind::Entities) else {
            return out;
        };
        let Some(def) = resolution.defs.get(to) else { return out };
        for (doc, level) in self.levels(project) {
            for (number, (layer, at)) in level.all_layers().into_iter().zip(level.layer_paths()).enumerate() {
                if level.lock_on(number).is_some() {
                    continue;
                }
                for (id, it) in layer.entities().into_iter().flatten().filter(|(_, it)| it.def == *from) {
                    // What the other operations need and do not find is reported.
                    for component in it.ops.set.keys() {
                        let had = resolution.defs.get(from).is_some_and(|def| def.has(component));
                        if had && !def.has(component) {
                            let place = level.entity_at(number, id).key(OpKind::Set.key()).key(component);
                            let message = format!("`{to}` has no {component}: this entity would have it by itself");
                            out.push(Misfit { location: Location::new(doc.clone(), place), message });
                        }
                    }
                    let findings = |it: &Instance| resolution.instance(doc, &at, id, it).1;
                    let before = findings(it);
                    let is_new = |finding: &Finding| {
                        !before.iter().any(|old| old.rule == finding.rule && old.location == finding.location)
                    };
                    let after = findings(&Instance { def: to.clone(), ..(**it).clone() });
                    let new = after.into_iter().filter(is_new);
                    out.extend(new.map(|it| Misfit { location: it.location, message: it.message.clone() }));
                }
            }
        }
        out
    }
}
