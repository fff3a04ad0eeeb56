//! The joints of entities: which bodies the physics holds together, and which messages are sent when a joint breaks.
//!
//! Invariant: the anchors of a joint between placed entities follow from their places in the level, not from where they
//! are now; those of a spawned entity from where it was spawned. A broken joint stays broken until its component
//! changes.

use std::{collections::BTreeSet, sync::Arc};

use crate::{
    model::Value,
    sim::{
        EntityKey,
        physics::{Broken, Link},
    },
};

use super::{
    World,
    build::place,
    entity::{Cause, Entity},
};

impl World {
    /// Update the joints of the physics, after something changed.
    pub(super) fn link_joints(&mut self) {
        if !std::mem::take(&mut self.joints_changed) {
            return;
        }
        // The entities that have a joint, and those that had one.
        let keys: BTreeSet<EntityKey> = self.groups.with_joint().chain(self.physics.with_joint()).collect();
        for key in keys {
            let link = self.link(key);
            let is_joint = link.is_some();
            self.physics.set_joint(key, link);
            if self.tick == 0 && is_joint && self.physics.joint_line(key).is_none() {
                let cause = Cause::Field("Joint.to".into());
                let text = "its joint holds nothing: neither of the two is moved by forces".to_owned();
                self.report_once(key, cause, "preview-problem", text, None);
            }
        }
    }

    /// The joint that an entity should have now.
    fn link(&mut self, key: EntityKey) -> Option<Link> {
        let entity = self.entities.get_mut(key)?;
        if entity.broken_joint.is_some() && entity.broken_joint == entity.components.joint {
            return None;
        }
        entity.broken_joint = None;
        let joint = entity.components.joint.clone()?;
        let entity = self.entities.get(key).map(Box::as_ref)?;
        let to = match &*joint.to {
            "" => None,
            id => Some(self.by_id(id)?),
        };
        let target = to.and_then(|to| self.entities.get(to)).map(Box::as_ref);
        // An entity without a body does not move: its joint holds to a point of the world.
        let other = to.filter(|to| self.physics.contains(*to));
        #[expect(clippy::cast_possible_truncation, reason = "an angle")]
        let placed = |entity: &Entity| entity.placed_at.map(|(at, turn)| (place(at), turn.to_radians() as f32));
        let is_same = |link: &&Link| link.other == other && link.spec.anchors == joint.spec.anchors;
        let before = self.physics.joint(key).filter(is_same).map(|link| (link.own_at, link.other_at));
        let (own_at, other_at) = match (placed(entity), target.map(placed)) {
            (Some(own), None) => (own, Default::default()),
            (Some(own), Some(Some(other))) => (own, other),
            _ => before.unwrap_or_else(|| {
                let now = |entity: &Entity| (entity.pose.pos, entity.pose.angle);
                (now(entity), target.map(now).unwrap_or_default())
            }),
        };
        let other_at = if other.is_some() { other_at } else { Default::default() };
        Some(Link { spec: joint.spec, other, own_at, other_at })
    }

    /// Send a message to both entities of each joint that broke.
    pub(super) fn report_broken_joints(&mut self) {
        for Broken { key, other } in self.physics.take_broken() {
            if let Some(entity) = self.entities.get_mut(key) {
                entity.broken_joint.clone_from(&entity.components.joint);
            }
            for (to, from) in [(Some(key), other), (other, Some(key))] {
                let Some(to) = to else { continue };
                let id = from.and_then(|from| self.entities.get(from)).map_or("", |entity| &*entity.id);
                let payload = [("other".into(), Value::str(id))].into();
                self.send_from_world(to, self.rules.joint_broken, from, Arc::new(payload));
            }
        }
    }
}
