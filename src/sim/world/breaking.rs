//! Breaking: a hard hit removes an entity with the component `Breakable` and puts its pieces in its place.
//!
//! Invariant: a breaking entity receives `Broken` first, and its machines respond while it is still there; only then is
//! it replaced.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::Value,
    sim::{
        EntityKey,
        physics::{BodySpec, Contact},
    },
};

use super::{World, tick::rounded};

impl World {
    /// Break the bodies of a new contact if it was hard enough.
    pub(super) fn break_by(&mut self, contact: &Contact) {
        if !contact.began || contact.sensor {
            return;
        }
        let b = contact.b.entity();
        let breaks =
            |key: EntityKey| self.entities.get(key).is_some_and(|entity| entity.components.breakable.is_some());
        if !breaks(contact.a) && !b.is_some_and(breaks) {
            return;
        }
        let share = |spec: &BodySpec| if spec.is_dynamic() || spec.is_mover() { 1.0 / spec.mass } else { 0.0 };
        let share = |key: EntityKey| self.physics.spec(key).map_or(0.0, share);
        let both = share(contact.a) + b.map_or(0.0, share);
        if both <= 0.0 {
            return;
        }
        let impulse = contact.speed / both;
        for (key, by) in [(Some(contact.a), b), (b, Some(contact.a))] {
            let Some(key) = key else { continue };
            let Some(entity) = self.entities.get(key) else { continue };
            let is_hard = entity.components.breakable.as_ref().is_some_and(|it| impulse >= it.impulse);
            if !is_hard || self.breaking.contains(&key) {
                continue;
            }
            self.breaking.push(key);
            let id = by.and_then(|by| self.entities.get(by)).map_or("", |entity| &*entity.id);
            let payload = [("by".into(), Value::str(id)), ("impulse".into(), Value::Float(rounded(impulse)))].into();
            self.send_from_world(key, self.rules.broken, by, Arc::new(payload));
        }
    }

    /// Replace the entities that broke by their pieces. If the tick has no work left to deliver their messages, both
    /// wait for the next tick.
    pub(super) fn replace_broken(&mut self) {
        if !self.has_work_left() {
            return;
        }
        for key in std::mem::take(&mut self.breaking) {
            // Its machines may have removed it, and then handle the rest.
            let Some(entity) = self.entities.get(key).filter(|entity| !entity.is_deleted) else { continue };
            let Some(breakable) = entity.components.breakable.clone() else { continue };
            let (pose, layer) = (entity.pose, entity.layer);
            let half = self.physics.bounds(key).map_or(Vec2::ZERO, |around| (around.hi - around.lo) / 2.0);
            let n = breakable.pieces.len();
            for (i, def) in breakable.pieces.iter().enumerate() {
                // Evenly around its middle, a single piece in the middle.
                #[expect(clippy::cast_precision_loss, reason = "a few pieces")]
                let turn = pose.angle + std::f32::consts::TAU * (i as f32 + 0.5) / n as f32;
                let way = Vec2::from_angle(turn).rotate(Vec2::NEG_Y);
                let from = if n > 1 { way * half / 2.0 } else { Vec2::ZERO };
                let apart = if n > 1 { way * breakable.scatter } else { Vec2::ZERO };
                let velocity = pose.vel + from.perp() * pose.spin + apart;
                match self.spawn(def, pose.pos + from, velocity, layer) {
                    Ok(piece) => {
                        self.physics.set_pose(piece, pose.pos + from, pose.angle);
                        if let Some(entity) = self.entities.get_mut(piece) {
                            entity.pose.angle = pose.angle;
                            entity.jumped();
                        }
                        self.flush(piece);
                    }
                    Err(why) => self.report_problem(key, format!("a piece is missing: {why}")),
                }
            }
            self.despawn(key);
        }
    }
}
