//! Manual intervention in a running world: the user moves, holds, pulls, turns and removes entities.
//!
//! Invariant: all of it is state of the world, so it is in snapshots and the hash, and the same calls before the same
//! ticks give the same world. Nothing here reads a pointer: the caller gives the positions.

use std::{
    f32::consts::{FRAC_PI_2, PI},
    sync::Arc,
};

use glam::Vec2;
use slotmap::Key as _;

use crate::{
    model::{Name, mix},
    sim::{
        EntityKey, limits,
        physics::{BodySpec, Pose},
    },
};

use super::World;

/// An entity that is moved farther at once takes along what joints hold to it; over shorter ways they pull it. Several
/// times what a hand moves in a frame, in pixels.
const LEAP_PX: f32 = 32.0;

/// What the hand is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Hand {
    /// Nothing.
    #[default]
    Empty,
    /// It holds an entity in place, with no velocity, in each tick.
    Holds {
        /// The entity.
        key: EntityKey,
        /// Its origin, in pixels.
        pos: Vec2,
        /// Clockwise angle, in radians.
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
    /// The point that is pulled, in pixels from the body's origin, unturned.
    pub grip: Vec2,
    /// The position of the hand, in pixels.
    pub to: Vec2,
}

impl Hand {
    /// The entity that is held or pulled.
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
    /// What the hand is doing.
    #[must_use]
    pub fn hand(&self) -> Hand {
        self.hand
    }

    /// Move an entity at once, to a position in pixels and an angle in radians, with no velocity. Its tracks continue
    /// from there; a long way takes along what joints hold to it. Returns whether the entity exists.
    pub fn move_to(&mut self, key: EntityKey, pos: Vec2, angle: f32) -> bool {
        let is_moved = self.place_at(key, pos, angle);
        self.leave(key);
        is_moved
    }

    /// After the hand has put an entity somewhere: within reach of what joints tie it to, out of the ground.
    fn leave(&mut self, key: EntityKey) {
        for (tied, pos) in self.physics.within_reach(key) {
            let Some(entity) = self.entities.get_mut(tied) else { continue };
            entity.pose = Pose { pos: limits::place(pos), angle: entity.pose.angle, ..Pose::default() };
            entity.jumped();
            self.physics.set_still(tied, entity.pose.pos, entity.pose.angle);
            self.physics.leave_ground_next(tied);
        }
        self.physics.leave_ground_next(key);
    }

    fn place_at(&mut self, key: EntityKey, pos: Vec2, angle: f32) -> bool {
        let Some(entity) = self.entities.get_mut(key).filter(|_| pos.is_finite() && angle.is_finite()) else {
            return false;
        };
        let pos = limits::place(pos);
        let (from, before) = (entity.pose.pos, entity.pose.angle);
        entity.pose.pos = pos;
        entity.pose.angle = angle;
        (entity.pose.vel, entity.pose.spin) = (Vec2::ZERO, 0.0);
        entity.jumped();
        self.shift_tracks(key, pos - from, angle - before);
        self.take_along(key, (from, before), (pos, angle));
        self.physics.set_still(key, pos, angle);
        true
    }

    /// Move what joints hold to an entity that is moved at once from a position (px) and angle (radians) to another: as
    /// it was about the entity. Where something solid would be between the two, what hangs on a length is turned about
    /// the entity; it stays where there is no room either way.
    pub(super) fn take_along(&mut self, key: EntityKey, (from, before): (Vec2, f32), (to, after): (Vec2, f32)) {
        if from.distance(to) <= LEAP_PX {
            return;
        }
        let joined = self.physics.joined_to(key);
        let all: Vec<EntityKey> = joined.iter().copied().chain([key]).collect();
        let turns = all.iter().filter_map(|one| self.physics.joint(*one)).all(|link| link.spec.kind.has_length());
        let offsets: Vec<(EntityKey, Vec2)> =
            joined.iter().filter_map(|other| Some((*other, self.pos(*other)? - from))).collect();
        let place =
            |offset: Vec2, turn: f32| to + if turn == 0.0 { offset } else { Vec2::from_angle(turn).rotate(offset) };
        let is_free =
            |turn: &f32| offsets.iter().all(|(_, offset)| self.physics.ray(to, place(*offset, *turn), &all).is_none());
        let own = after - before;
        let mut tried = [0.0, PI, FRAC_PI_2, -FRAC_PI_2].map(|turn| own + turn).into_iter();
        let found = if turns { tried.find(is_free) } else { Some(own) };
        let Some(turn) = found else { return };
        for (other, offset) in offsets {
            let Some(entity) = self.entities.get_mut(other) else { continue };
            (entity.pose.pos, entity.pose.angle) = (limits::place(place(offset, turn)), entity.pose.angle + turn);
            self.physics.set_pose(other, entity.pose.pos, entity.pose.angle);
            self.physics.leave_ground_next(other);
            entity.jumped();
        }
    }

    /// Hold an entity at a position in pixels and an angle in radians until it is released: each tick leaves it there,
    /// with no velocity. Returns whether the entity exists.
    pub fn hold(&mut self, key: EntityKey, pos: Vec2, angle: f32) -> bool {
        let is_held = self.place_at(key, pos, angle);
        if is_held {
            self.hand = Hand::Holds { key, pos: limits::place(pos), angle };
        }
        is_held
    }

    /// Pull an entity by a spring until it is released: a point, given in pixels from its origin and unturned, to a
    /// point of the world. An entity that is no dynamic body is held there instead. Returns whether the entity exists.
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

    /// Release the entity that is held or pulled.
    pub fn let_go(&mut self) {
        if let Some(key) = std::mem::take(&mut self.hand).key() {
            self.leave(key);
        }
    }

    /// The place of a placed entity in the level, in pixels and degrees, before the game moved it. `None` for a spawned
    /// one.
    #[must_use]
    pub fn placed_at(&self, key: EntityKey) -> Option<([f64; 2], f64)> {
        self.entities.get(key)?.placed_at
    }

    /// Record that the level now places an entity, under this id, at its present place (px and degrees), so that
    /// following the edit does not move it. A spawned entity becomes one of the level's. Does nothing if another entity
    /// has the id.
    pub fn take_into_level(&mut self, key: EntityKey, id: &Name, at: [f64; 2], rotation: f64) {
        let is_free = self.ids.get(id).is_none_or(|other| *other == key);
        let Some(entity) = self.entities.get_mut(key).filter(|_| is_free) else { return };
        let ids = Arc::make_mut(&mut self.ids);
        ids.remove(&std::mem::replace(&mut entity.id, id.clone()));
        ids.insert(id.clone(), key);
        entity.placed_at = Some((at, rotation));
    }

    /// Before the physics: apply the spring to the body that is pulled.
    pub(super) fn pull_by_hand(&mut self) {
        let Some(key) = self.hand.key() else { return };
        if self.entities.get(key).is_none_or(|entity| entity.is_deleted) {
            self.hand = Hand::Empty;
        } else if let Hand::Pulls(Pull { key, grip, to }) = self.hand {
            self.physics.pull(key, grip, to);
        }
    }

    /// After the physics: put the entity that is held back in its place.
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
