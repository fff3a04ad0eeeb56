//! The history of a definition or placed entity: every operation of every ancestor.
//!
//! Invariant: nothing of this is stored. On request it is made anew by applying everything once more, so resolving pays
//! nothing for it, and it cannot differ from what resolving does.

use crate::model::{DocPath, FieldPath, Instance, Name};

use super::{Named, Resolution, apply, declarer::Declarer, op_record::ValueHistory};

impl Resolution {
    /// The history of a definition; `None` when it is not resolved.
    #[must_use]
    pub fn history(&self, name: &str) -> Option<ValueHistory> {
        let resolved = self.defs.get(name)?;
        let mut history = ValueHistory::default();
        let mut now = Named::default();
        for ancestor in resolved.order.iter() {
            let Some(site) = self.site(ancestor) else { continue };
            let declarer = Declarer::of_def(ancestor, site, false);
            apply::all(self.vocabulary(), &declarer, &site.def.ops, &mut now, None, Some(&mut history));
        }
        history.components.retain(|_, component| !component.presence.is_empty());
        Some(history)
    }

    /// The history of a placed entity: entity `id` on the layer at a path of level `doc`.
    #[must_use]
    pub fn instance_history(&self, doc: &DocPath, layer: &FieldPath, id: &Name, instance: &Instance) -> ValueHistory {
        let mut history = self.history(&instance.def).unwrap_or_default();
        let mut now = self.defs.get(&instance.def).map(|def| def.components.clone()).unwrap_or_default();
        let declarer = Declarer::of_instance(doc, layer, id, false);
        apply::all(self.vocabulary(), &declarer, &instance.ops, &mut now, None, Some(&mut history));
        history.components.retain(|_, component| !component.presence.is_empty());
        history
    }
}
