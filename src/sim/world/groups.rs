//! The entities of each definition and tag.
//!
//! Invariant: a group lists its members in the order in which they were added, so "the first of equals" is always the same one.

use std::collections::BTreeMap;

use crate::{model::Name, sim::EntityKey};

use super::entity::Entity;

/// Members of each definition and tag.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    by_def: BTreeMap<Name, Vec<EntityKey>>,
    by_tag: BTreeMap<Name, Vec<EntityKey>>,
}

impl Groups {
    /// The definitions and tags that an entity is listed under.
    pub(super) fn of(entity: &Entity) -> (Vec<Name>, Vec<Name>) {
        let mut defs = entity.live.order.to_vec();
        // A placed entity's definition is the last of its order, unless that could not be resolved.
        if !defs.contains(&entity.def) {
            defs.push(entity.def.clone());
        }
        (defs, entity.components.tags.clone())
    }

    pub(super) fn add(&mut self, key: EntityKey, entity: &Entity) {
        let (defs, tags) = Self::of(entity);
        for def in defs {
            self.by_def.entry(def).or_default().push(key);
        }
        for tag in tags {
            let members = self.by_tag.entry(tag).or_default();
            if members.last() != Some(&key) {
                members.push(key);
            }
        }
    }

    pub(super) fn remove(&mut self, key: EntityKey) {
        for groups in [&mut self.by_def, &mut self.by_tag] {
            groups.values_mut().for_each(|members| members.retain(|member| *member != key));
            groups.retain(|_, members| !members.is_empty());
        }
    }

    pub(super) fn def(&self, def: &str) -> &[EntityKey] {
        self.by_def.get(def).map_or(&[], Vec::as_slice)
    }

    pub(super) fn tag(&self, tag: &str) -> &[EntityKey] {
        self.by_tag.get(tag).map_or(&[], Vec::as_slice)
    }
}
