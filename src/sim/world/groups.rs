//! The entities of each definition and tag.
//!
//! Invariant: a group lists its members in the order in which they were added, so "the first of equals" is well
//! defined. The groups themselves have no order: machines look them up by name in each tick.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{model::Name, sim::EntityKey};

use super::entity::Entity;

/// Members of each definition and tag.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    by_def: HashMap<Name, Vec<EntityKey>>,
    by_tag: HashMap<Name, Vec<EntityKey>>,
    /// The entities that have a joint.
    with_joint: BTreeSet<EntityKey>,
    /// The groups that each entity is listed in, which are searched when it is removed.
    of: BTreeMap<EntityKey, Membership>,
}

/// The groups that an entity is listed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Membership {
    defs: Vec<Name>,
    tags: Vec<Name>,
    has_joint: bool,
}

/// The definition of an entity and its ancestors.
fn defs_of(entity: &Entity) -> impl Iterator<Item = &Name> {
    // A placed entity's definition is the last of its order, unless that could not be resolved.
    let own = Some(&entity.def).filter(|own| entity.live.order.last() != Some(own) && !entity.live.order.contains(own));
    entity.live.order.iter().chain(own)
}

impl Groups {
    /// Whether an entity is listed in the right groups.
    pub(super) fn is_listed(&self, key: EntityKey, entity: &Entity) -> bool {
        let Some(its) = self.of.get(&key) else { return false };
        its.tags == entity.components.tags
            && its.has_joint == entity.components.joint.is_some()
            && its.defs.iter().eq(defs_of(entity))
    }

    /// The groups that an entity has to be listed in.
    fn of(entity: &Entity) -> Membership {
        let defs = defs_of(entity).cloned().collect();
        Membership { defs, tags: entity.components.tags.clone(), has_joint: entity.components.joint.is_some() }
    }

    /// List an entity at the end of each of its groups, unless it is listed so already.
    pub(super) fn put(&mut self, key: EntityKey, entity: &Entity) {
        let its = Self::of(entity);
        if self.of.get(&key) == Some(&its) {
            return;
        }
        self.remove(key);
        for def in &its.defs {
            self.by_def.entry(def.clone()).or_default().push(key);
        }
        for tag in &its.tags {
            let members = self.by_tag.entry(tag.clone()).or_default();
            if members.last() != Some(&key) {
                members.push(key);
            }
        }
        if its.has_joint {
            self.with_joint.insert(key);
        }
        self.of.insert(key, its);
    }

    pub(super) fn remove(&mut self, key: EntityKey) {
        let Some(its) = self.of.remove(&key) else { return };
        self.with_joint.remove(&key);
        for (groups, names) in [(&mut self.by_def, its.defs), (&mut self.by_tag, its.tags)] {
            for name in names {
                let Some(members) = groups.get_mut(&name) else { continue };
                // Short-lived entities were added late.
                if let Some(at) = members.iter().rposition(|member| *member == key) {
                    members.remove(at);
                }
                if members.is_empty() {
                    groups.remove(&name);
                }
            }
        }
    }

    /// The entities that have a joint, in key order.
    pub(super) fn with_joint(&self) -> impl Iterator<Item = EntityKey> {
        self.with_joint.iter().copied()
    }

    /// The entities of a definition; `None` for one without living entities.
    pub(super) fn def(&self, def: &str) -> Option<&[EntityKey]> {
        self.by_def.get(def).map(Vec::as_slice)
    }

    pub(super) fn tag(&self, tag: &str) -> &[EntityKey] {
        self.by_tag.get(tag).map_or(&[], Vec::as_slice)
    }
}
