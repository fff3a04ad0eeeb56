//! Loose bodies at rest are ground for those that slide or roll over them: a row of crates is passed as one surface,
//! and as one with the floor that it is flush with.
//!
//! Invariant: contacts change only between a loose body slower than `AT_REST` and one faster aside than `SLIDING`, and
//! between such a one and firm ground that such a body continues. So stacks and heaps that settle, and who stands on
//! them, meet as ever, and of a pair at most one is ground. What the solver does at the seams of ground is in `seam`.
//! Those asleep are woken before one lands on them.

use std::{collections::BTreeSet, sync::OnceLock};

use glam::Vec2;
use rapier2d::prelude::*;

use crate::{model::LevelView, sim::EntityKey};

use super::{
    Physics,
    body::Body,
    index::{Entry, Index},
    pieces::{Piece, Pieces},
};

/// A loose body is at rest up to this speed in px/s, and this spin in rad/s: a row gives way a little to what slides on
/// it.
const AT_REST: f32 = 16.0;
const AT_REST_SPIN: f32 = 0.5;

/// A body slides or rolls from this speed aside on, in px/s.
const SLIDING: f32 = 24.0;

/// In ticks in which more bodies slide than this, as in an avalanche, seams of loose bodies are smoothed only for those
/// that touch few others: one in a heap does not slide over a surface. Smoothing them for all would take a tenth of the
/// time in a pyramid of 5 050 boxes that gives way; of the 200 to 2 000 that slide there, 10 to 60 touch so few.
const MANY_SLIDING: usize = 256;

/// The most colliders that such a body touches, the ground included. Boxes wider than two of those in a row touch more.
const FEW_TOUCHED: u32 = 3;

/// How far ahead a body in flight wakes what it may land on: so many ticks at its velocity, and so many pixels.
const AHEAD_TICKS: f32 = 2.0;
const AHEAD_PX: f32 = 2.0;

const _: () = assert!(SLIDING > AT_REST, "no body is ground and slides at once");

fn is_slow(vel: Vec2, spin: f32) -> bool {
    vel.length_squared() < AT_REST * AT_REST && spin.abs() < AT_REST_SPIN
}

/// Whether a body is a loose one that is slow enough to be ground.
pub(super) fn is_slow_loose(body: &RigidBody) -> bool {
    body.is_dynamic() && is_slow(body.linvel(), body.angvel())
}

/// Whether a body at this velocity (px/s) is fast enough aside to slide over others, in a level seen from the side.
pub(super) fn is_fast_aside(vel: Vec2) -> bool {
    vel.x.abs() > SLIDING
}

/// The solid colliders of loose bodies that are slow in a tick; found when they are first needed in it.
#[derive(Debug, Default)]
pub(super) struct LooseGround {
    pieces: OnceLock<Pieces>,
}

impl LooseGround {
    /// Those near a box in the level that are still slow. Within the tick they move by less than the reach of those who
    /// ask.
    pub(super) fn near<'a>(
        &'a self,
        [lo, hi]: [Vec2; 2],
        colliders: &'a ColliderSet,
        bodies: &'a RigidBodySet,
    ) -> impl Iterator<Item = &'a Piece> {
        let body = |collider: &Collider| bodies.get(collider.parent()?);
        let counts = move |it: &Collider| !it.is_sensor() && body(it).is_some_and(is_slow_loose);
        let pieces = self.pieces.get_or_init(|| Pieces::new(colliders.iter().filter(|(_, it)| counts(it))));
        pieces.near(lo, hi).filter(move |piece| colliders.get(piece.handle).is_some_and(counts))
    }
}

impl Body {
    /// Whether it is loose, and slides or rolls.
    fn slides(&self) -> bool {
        self.is_loose() && is_fast_aside(self.pose.vel)
    }

    /// Whether it is loose, slides or rolls, and touches few others.
    pub(super) fn slides_freely(&self) -> bool {
        self.slides() && self.n_contacts <= FEW_TOUCHED
    }
}

impl Physics {
    /// Let the hooks of the solver see the contacts of bodies that slide or roll with other loose bodies in this tick.
    pub(super) fn watch_sliding(&mut self) {
        if self.n_loose < 2 || self.config.view != LevelView::Platformer {
            return;
        }
        let sliding = self.bodies.iter().filter(|(_, body)| body.slides()).map(|(key, _)| key);
        let mut sliding: BTreeSet<EntityKey> = sliding.take(MANY_SLIDING + 1).collect();
        if sliding.len() > MANY_SLIDING {
            let still = |key: &EntityKey| self.bodies.get(*key).is_some_and(Body::slides);
            sliding = self.freely_sliding.iter().copied().filter(still).collect();
        }
        for key in sliding.union(&self.watched) {
            if let Some(body) = self.bodies.get(*key) {
                self.solver.set_watched(body, sliding.contains(key));
            }
        }
        self.watched = sliding;
    }

    /// Wake the bodies on which some in flight may land in the next tick. Woken by the landing itself, they would meet it
    /// before what they rest on holds them, sink into that, and rock.
    pub(super) fn wake_landed_on(&mut self) {
        let n_moved = self.n_loose + self.carried.len() + self.movers.len();
        if self.n_loose < 2 || self.config.view != LevelView::Platformer || self.solver.has_all_awake(n_moved) {
            return;
        }
        let flies = |body: &Body| body.is_loose() && body.n_contacts == 0 && !is_slow(body.pose.vel, 0.0);
        let mut flying = self.bodies.iter().filter(|(_, body)| flies(body)).peekable();
        // Most ticks have none, and to ask all bodies whether they sleep takes longer.
        if flying.peek().is_none() {
            return;
        }
        let swept = |(key, body): (EntityKey, &Body)| {
            let way = body.pose.vel * AHEAD_TICKS * self.config.dt_secs;
            Entry::new(key, body, body.solid_around()?.1.swept(way).grown(AHEAD_PX))
        };
        let flying = Index::new(flying.filter_map(swept));
        let (mut near, mut met) = (Vec::new(), Vec::new());
        for (key, body) in self.bodies.iter().filter(|(_, body)| body.is_loose() && self.solver.is_sleeping(body)) {
            let Some((groups, around)) = body.solid_around() else { continue };
            flying.near_touching(around, groups, &mut near);
            if !near.is_empty() {
                met.push(key);
            }
        }
        for body in met.into_iter().filter_map(|key| self.bodies.get(key)) {
            self.solver.wake(body);
        }
    }

    /// Whether a body is a loose one over which others slide or roll.
    pub(super) fn is_loose_ground(&self, key: EntityKey) -> bool {
        let is_slow = |body: &Body| body.is_loose() && is_slow(body.pose.vel, body.pose.spin);
        self.config.view == LevelView::Platformer && self.bodies.get(key).is_some_and(is_slow)
    }
}
