//! Loose bodies at rest are ground for boxes that slide over them: a row of crates is passed as one surface.
//!
//! Invariant: nothing changes for bodies that do not slide. Stacks and heaps that settle, and who stands on them, meet
//! as ever; of a pair at most one is ground. What the solver does at the seams of ground is in `seam`.

use glam::Vec2;
use rapier2d::prelude::*;

use crate::{model::LevelView, sim::EntityKey};

use super::{Physics, body::Body};

/// A loose body is at rest up to this speed in px/s, and this spin in rad/s: a row gives way a little to what slides on
/// it.
const AT_REST: f32 = 16.0;
const AT_REST_SPIN: f32 = 0.5;

/// A box slides from this speed aside on, in px/s. It is greater than `AT_REST`.
const SLIDING: f32 = 24.0;

fn is_slow(vel: Vec2, spin: f32) -> bool {
    vel.length_squared() < AT_REST * AT_REST && spin.abs() < AT_REST_SPIN
}

/// Whether a body is a loose one at rest.
pub(super) fn rests(body: &RigidBody) -> bool {
    body.is_dynamic() && is_slow(body.linvel(), body.angvel())
}

/// Whether a body at this velocity (px/s) slides, in a level seen from the side.
pub(super) fn slides(vel: Vec2) -> bool {
    vel.x.abs() > SLIDING
}

impl Physics {
    /// Let the hooks of the solver see the contacts of boxes that slide with other loose bodies in the next step.
    pub(super) fn watch_sliding(&mut self) {
        if self.n_loose < 2 || self.config.view != LevelView::Platformer {
            return;
        }
        for body in self.bodies.values_mut().filter(|body| slides(body.pose.vel) != body.is_watched) {
            if body.is_loose() && !body.rolls() {
                body.is_watched = !body.is_watched;
                self.solver.set_watched(body);
            }
        }
    }

    /// Whether a body is a loose one at rest over which boxes slide.
    pub(super) fn is_resting_ground(&self, key: EntityKey) -> bool {
        let rests = |body: &Body| body.is_loose() && is_slow(body.pose.vel, body.pose.spin);
        self.config.view == LevelView::Platformer && self.bodies.get(key).is_some_and(rests)
    }
}
