//! Whether an agent gets on with its order, and what is done where it does not: another path, and then a report.
//!
//! Invariant: a walker that goes over ledges makes progress only by getting nearer to the end of the leg that it is on,
//! or by finishing it; being in motion is none, or one that falls off and climbs up again would do so for ever. Tries
//! that fail are counted in `legs`.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec2;

use crate::{
    model::{Fields, Value},
    sim::{
        EntityKey,
        nav::{NoPath, NoPathReason},
        physics::{Other, convex::Convex},
    },
};

use super::{World, entity::Entity, order::Order, tick::tidy};

/// The least share of its speed that an agent makes progress with.
const LEAST_PACE: f32 = 0.25;
/// An agent that covers these distances makes progress, however slow it is and however fast it could be.
const PROGRESS_PX: (f32, f32) = (0.5, 8.0);
/// An agent without an order that is no faster than this rests, in px/s.
const RESTING_PX_S: f32 = 1.0;

/// How far an agent got.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Reached {
    /// Where it is: elsewhere is farther on.
    Place(Vec2),
    /// In the air, where only hanging there is no progress.
    InAir(Vec2),
    /// On the ground at a place, and on the way to an end.
    Toward(Vec2, Toward),
}

/// A part of a way to a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Toward {
    /// Which part it is: where that begins and ends; of one on foot the end alone.
    pub(super) ends: [Vec2; 2],
    /// Counts its turns for a run-up.
    pub(super) phase: u32,
    /// How far it still has to go, in pixels to the side.
    pub(super) left_px: f32,
}

impl Toward {
    fn is_on_foot(&self) -> bool {
        self.ends[0] == self.ends[1]
    }

    fn is_same(&self, other: &Self) -> bool {
        self.ends == other.ends && self.phase == other.phase
    }
}

/// What a step in time means for an agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// It is farther on than before.
    GetsOn,
    /// It moves, which is not to say that it gets anywhere.
    Moves,
    /// Neither.
    Rests,
}

impl Reached {
    fn place(&self) -> Vec2 {
        let (Self::Place(place) | Self::InAir(place) | Self::Toward(place, _)) = *self;
        place
    }

    /// What it means to be here after having been there last, where so many pixels are enough; and what to remember.
    fn after(self, last: Self, enough_px: f32) -> (Pace, Self) {
        let is_moved = last.place().distance(self.place()) >= enough_px;
        let (pace, is_nearer) = match (last, self) {
            (Self::Toward(_, last), Self::Toward(_, now)) if last.is_same(&now) => {
                let is_nearer = now.left_px <= last.left_px - enough_px;
                (if is_nearer { Pace::GetsOn } else { Pace::Rests }, is_nearer)
            }
            // The goal moves: getting to where it was is not what counts.
            (Self::Toward(_, last), Self::Toward(_, now)) if last.is_on_foot() && now.is_on_foot() => {
                (if is_moved { Pace::GetsOn } else { Pace::Rests }, is_moved)
            }
            (Self::Place(_), Self::Place(_)) => (if is_moved { Pace::GetsOn } else { Pace::Rests }, is_moved),
            _ => (if is_moved { Pace::Moves } else { Pace::Rests }, is_moved),
        };
        let kept = match (last, self) {
            _ if is_nearer => self,
            (Self::Toward(_, was), Self::Toward(_, now)) if was.is_same(&now) => last,
            // It is about something else now, at the same place.
            (_, Self::Toward(_, now)) => Self::Toward(last.place(), now),
            (_, Self::InAir(_)) => Self::InAir(last.place()),
            (_, Self::Place(_)) => Self::Place(last.place()),
        };
        (pace, kept)
    }
}

impl World {
    /// Keep why an entity does not get to its goal, and send it a message when that is news.
    pub(super) fn report_no_path(&mut self, key: EntityKey, no_path: NoPath) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        let old = entity.movement.no_path.replace(no_path);
        if old.is_none_or(|old| old.reason != no_path.reason) {
            let blocked = self.rules.blocked;
            let payload: Fields = [
                ("reason".into(), Value::Symbol(no_path.reason.name().into())),
                ("at".into(), Value::vec2(tidy(no_path.at.x), tidy(no_path.at.y))),
            ]
            .into();
            self.send_from_world(key, blocked, None, Arc::new(payload));
        }
    }

    /// Report an order that has nothing to go to; one that waits for its target goes on when there is one.
    pub(super) fn note_target(&mut self, key: EntityKey) {
        let has_goal = self.goal(key).is_some();
        let Some(entity) = self.entities.get_mut(key) else { return };
        let movement = &mut entity.movement;
        if !matches!(movement.order, Order::Chase(_) | Order::Nowhere(_)) {
            return;
        }
        let lacks = NoPath { reason: NoPathReason::NoTarget, at: entity.pose.pos };
        if !has_goal {
            self.report_no_path(key, lacks);
        } else if movement.no_path.is_some_and(|it| it.reason == lacks.reason) {
            movement.no_path = None;
        }
    }

    /// Note how far an agent got that wants to go on, and react when it gets nowhere for too long: it looks for another
    /// path once, then reports why it is stuck.
    pub(super) fn note_progress(&mut self, key: EntityKey, now: Reached, stuck: impl FnOnce(&Self) -> NoPath) {
        let (dt, limit_secs) = (self.dt(), self.constants.stuck_secs.max(0.1));
        let Some(entity) = self.entities.get_mut(key) else { return };
        let speed = entity.components.speed();
        if speed <= 0.0 {
            return;
        }
        let enough = (LEAST_PACE * speed * limit_secs).clamp(PROGRESS_PX.0, PROGRESS_PX.1);
        let movement = &mut entity.movement;
        let (pace, reached) = movement.reached.map_or((Pace::GetsOn, now), |last| now.after(last, enough));
        if pace == Pace::GetsOn {
            movement.gets_on();
        }
        movement.reached = Some(reached);
        if pace != Pace::Rests {
            movement.stuck_secs = 0.0;
            return;
        }
        movement.stuck_secs += dt;
        if movement.stuck_secs < limit_secs {
            return;
        }
        movement.stuck_secs = 0.0;
        if !std::mem::replace(&mut movement.has_replanned, true) && movement.searched_path.take().is_some() {
            let around = self.in_its_way(key);
            if let Some(entity) = self.entities.get_mut(key) {
                entity.movement.around = around;
            }
            return;
        }
        let stuck = stuck(self);
        self.report_no_path(key, stuck);
    }

    /// What an agent touches that does not go away by itself: loose bodies, and agents that rest. Other agents have
    /// their own ways.
    fn in_its_way(&self, key: EntityKey) -> BTreeMap<(EntityKey, usize), Convex> {
        let stays = |other: EntityKey| {
            let rests = |entity: &Entity| entity.movement.rests() && entity.pose.vel.length() < RESTING_PX_S;
            let Some((spec, entity)) = self.physics.spec(other).zip(self.entities.get(other)) else { return false };
            if spec.is_mover() { rests(entity) } else { spec.is_dynamic() }
        };
        let touched = self.physics.touching(key).into_iter().filter(|contact| !contact.sensor);
        let touched =
            touched.filter_map(|contact| if let Other::Entity(other) = contact.b { Some(other) } else { None });
        let shapes =
            |other| self.physics.shapes(other).into_iter().enumerate().map(move |(i, part)| ((other, i), part));
        touched.filter(|other| *other != key && stays(*other)).flat_map(shapes).collect()
    }
}
