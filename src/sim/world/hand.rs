//! What a user does by hand to entities of a running world: put them somewhere, hold them, pull at them, turn them,
//! take them out.
//!
//! Invariant: all of it is state of the world, so it is in snapshots and the hash, and the same calls before the same
//! ticks give the same world. Nothing here reads a pointer: who calls says where to.

use std::sync::Arc;

use glam::Vec2;
use slotmap::Key as _;

use crate::{
    model::{Name, mix},
    sim::{EntityKey, limits, physics::BodySpec},
};

use super::World;

/// What the hand does.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Hand {
    /// Nothing.
    #[default]
    Empty,
    /// It holds an entity where it is, with no velocity, tick by tick.
    Holds {
        /// The entity.
        key: EntityKey,
        /// Its origin, in pixels.
        pos: Vec2,
        /// Clockwise, in radians.
        angle: f32,
    },
    /// It pulls a point of a dynamic body by a spring.
    Pulls(Pull),
}

/// A spring between a body and the hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// The body.
    pub key: EntityKey,
    /// Where it is pulled at, from its origin, unturned, in pixels.
    pub grip: Vec2,
    /// Where to, in pixels.
    pub to: Vec2,
}

impl Hand {
    /// The entity in it.
    #[must_use]
    pub fn key(self) -> Option<EntityKey> {
        match self {
            Self::Empty => None,
            Self::Holds { key, .. } | Self::Pulls(Pull { key, .. }) => Some(key),
        }
    }

    /// A number for the world's hash.
    pub(super) fn digest(self) -> u64 {
        let of = |key: EntityKey, numbers: &[f32]| {
            numbers.iter().fold(mix(key.data().as_ffi()), |hash, x| mix(hash ^ u64::from(x.to_bits())))
        };
        match self {
            Self::Empty => 0,
            Self::Holds { key, pos, angle } => of(key, &[pos.x, pos.y, angle]),
            Self::Pulls(Pull { key, grip, to }) => of(key, &[grip.x, grip.y, to.x, to.y]),
        }
    }
}

impl World {
    /// What the hand does.
    #[must_use]
    pub fn hand(&self) -> Hand {
        self.hand
    }

    /// Put an entity somewhere at once, in pixels and radians, with no velocity. Its tracks go on from there. Returns
    /// whether there is such an entity.
    pub fn move_to(&mut self, key: EntityKey, pos: Vec2, angle: f32) -> bool {
        let Some(entity) = self.entities.get_mut(key).filter(|_| pos.is_finite() && angle.is_finite()) else {
            return false;
        };
        let pos = limits::place(pos);
        let (by, turn) = (pos - entity.pose.pos, angle - entity.pose.angle);
        entity.pose.pos = pos;
        entity.pose.angle = angle;
        (entity.pose.vel, entity.pose.spin) = (Vec2::ZERO, 0.0);
        entity.jumped();
        self.shift_tracks(key, by, turn);
        self.physics.set_still(key, pos, angle);
        true
    }

    /// Hold an entity somewhere, in pixels and radians, until it is let go of: each tick leaves it there, with no
    /// velocity.
    pub fn hold(&mut self, key: EntityKey, pos: Vec2, angle: f32) -> bool {
        let is_held = self.move_to(key, pos, angle);
        if is_held {
            self.hand = Hand::Holds { key, pos: limits::place(pos), angle };
        }
        is_held
    }

    /// Pull an entity by a spring, until it is let go of: a point of it, given from its origin and unturned, to a point
    /// of the world. What is no dynamic body is held there instead.
    pub fn pull(&mut self, key: EntityKey, grip: Vec2, to: Vec2) -> bool {
        let is_dynamic = self.physics.spec(key).is_some_and(BodySpec::is_dynamic);
        if !is_dynamic {
            let angle = self.entities.get(key).map_or(0.0, |entity| entity.pose.angle);
            return self.hold(key, to - Vec2::from_angle(angle).rotate(grip), angle);
        }
        if !(grip.is_finite() && to.is_finite()) {
            return false;
        }
        self.hand = Hand::Pulls(Pull { key, grip, to: limits::place(to) });
        true
    }

    /// Let go of what is held or pulled.
    pub fn let_go(&mut self) {
        self.hand = Hand::Empty;
    }

    /// The place in the level of a placed entity, in pixels and degrees: where it would be without the game. `None` for
    /// a spawned one.
    #[must_use]
    pub fn placed_at(&self, key: EntityKey) -> Option<([f64; 2], f64)> {
        self.entities.get(key)?.placed_at
    }

    /// The level has an entity under an id now, in pixels and degrees, where it is already: following that edit does
    /// not move it. A spawned one is one of the level's from then on. Nothing happens where another entity has the id.
    pub fn take_into_level(&mut self, key: EntityKey, id: &Name, at: [f64; 2], rotation: f64) {
        let is_free = self.ids.get(id).is_none_or(|other| *other == key);
        let Some(entity) = self.entities.get_mut(key).filter(|_| is_free) else { return };
        let ids = Arc::make_mut(&mut self.ids);
        ids.remove(&std::mem::replace(&mut entity.id, id.clone()));
        ids.insert(id.clone(), key);
        entity.placed_at = Some((at, rotation));
    }

    /// Before the physics: what is pulled feels the spring.
    pub(super) fn pull_by_hand(&mut self) {
        let Some(key) = self.hand.key() else { return };
        if self.entities.get(key).is_none_or(|entity| entity.is_deleted) {
            self.hand = Hand::Empty;
        } else if let Hand::Pulls(Pull { key, grip, to }) = self.hand {
            self.physics.pull(key, grip, to);
        }
    }

    /// After the physics: what is held is where it was, whatever pushed it.
    pub(super) fn hold_by_hand(&mut self) {
        if let Hand::Holds { key, pos, angle } = self.hand {
            self.physics.set_still(key, pos, angle);
            if let Some(entity) = self.entities.get_mut(key) {
                (entity.pose.pos, entity.pose.angle) = (pos, angle);
                (entity.pose.vel, entity.pose.spin) = (Vec2::ZERO, 0.0);
            }
        }
    }
}
