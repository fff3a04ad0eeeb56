//! What a placed entity amounts to: its definition with its own five operations over it.

use indexmap::IndexMap;

use crate::model::{DocPath, FieldPath, Finding, Instance, Location, Name, Seg, did_you_mean};

use super::{
    Resolution, Resolved, Source,
    apply::{self, Speaker},
};

impl Resolution {
    /// A placed entity resolved: `id` on layer `layer_idx` of level `doc`. Of a definition that is missing or broken, only
    /// what the entity itself says is known. The findings are those of the entity, not those of its definition.
    #[must_use]
    pub fn instance(
        &self,
        doc: &DocPath,
        layer_idx: usize,
        id: &Name,
        instance: &Instance,
    ) -> (Resolved, Vec<Finding>) {
        let mut findings = Vec::new();
        let base = FieldPath(vec![
            Seg::Key("layers".into()),
            Seg::Index(layer_idx),
            Seg::Key("entities".into()),
            Seg::Key(id.clone()),
        ]);
        let def = self.defs.get(&instance.def);
        let at_def = || Location::new(doc.clone(), base.key("def"));
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
                let near = did_you_mean(&instance.def, self.def_docs.keys().map(|name| &**name));
                let message = format!("there is no definition `{}`", instance.def);
                let help = near.map(|near| format!("did you mean `{near}`?"));
                findings.push(Finding::error("missing-reference", at_def(), message).with_help(help));
            }
            _ => {}
        }
        let speaker = Speaker {
            by: Source::Instance(id.clone()),
            doc,
            base,
            incomplete: def.is_none() || self.is_incomplete(&instance.def),
        };
        let mut components = def.map_or_else(IndexMap::new, |def| def.components.clone());
        if !instance.ops.is_empty() {
            apply::unreadable(&speaker, &instance.ops, &mut findings);
            for name in apply::touched(&instance.ops) {
                let before = components.get(&name);
                let after =
                    apply::component(self.vocabulary(), &speaker, &instance.ops, &name, before, Some(&mut findings));
                match after {
                    Some(after) => drop(components.insert(name, after)),
                    None => drop(components.shift_remove(&name)),
                }
            }
        }
        let order = def.map_or_else(Vec::new, |def| def.order.clone());
        (Resolved { name: id.clone(), doc: doc.clone(), is_abstract: false, order, components }, findings)
    }
}
