//! Resolves a placed entity: its definition with its own five operations applied.

use crate::model::{DocPath, FieldPath, Finding, Instance, Location, Name};

use super::{Named, Resolution, Resolved, apply, declarer::Declarer};

impl Resolution {
    /// A placed entity resolved: `id` on the layer at a path of level `doc`. Of a definition that is missing or broken,
    /// only the entity's own operations are known. The findings are those of the entity, not those of its definition.
    #[must_use]
    pub fn instance(
        &self,
        doc: &DocPath,
        layer: &FieldPath,
        id: &Name,
        instance: &Instance,
    ) -> (Resolved, Vec<Finding>) {
        let mut findings = Vec::new();
        let def = self.defs.get(&instance.def);
        let incomplete = def.is_none() || self.is_incomplete(&instance.def);
        let declarer = || Declarer::of_instance(doc, layer, id, incomplete);
        let at_def = || Location::new(doc.clone(), declarer().spot.base.key("def"));
        match def {
            Some(def) if def.is_abstract => {
                let message = format!("`{}` is abstract: it exists to be inherited and cannot be placed", instance.def);
                let concrete = self.descendants(&instance.def).into_iter();
                let concrete = concrete.filter(|name| self.defs.get(name).is_some_and(|def| !def.is_abstract));
                let concrete: Vec<_> = concrete.take(4).map(|name| format!("`{name}`")).collect();
                let help = (!concrete.is_empty()).then(|| format!("place one of its kind: {}", concrete.join(", ")));
                findings.push(Finding::error("abstract-instance", at_def(), message).with_help(help));
            }
            None if !self.def_docs.contains_key(&instance.def) => {
                let message = format!("there is no definition `{}`", instance.def);
                findings.push(Finding::error("missing-reference", at_def(), message));
            }
            _ => {}
        }
        let mut components = def.map_or_else(Named::default, |def| def.components.clone());
        // Most have none.
        if !instance.ops.is_empty() {
            apply::all(self.vocabulary(), &declarer(), &instance.ops, &mut components, Some(&mut findings), None);
        }
        let order = def.map_or_else(|| [].into(), |def| def.order.clone());
        (Resolved { name: id.clone(), doc: doc.clone(), is_abstract: false, order, components }, findings)
    }
}
