//! Jumps of walkers: from the ground, off walls, in the air; cut short when the key is released; with the velocity of
//! the carrier.
//!
//! Invariant: a request is met by at most one jump, which begins with its speed and that of the carrier, whatever the
//! walker's own motion. The motion of a jump is in `feel`; when a request expires is
//! decided by `sim::world`.

use glam::Vec2;

use super::{
    body::{Walk, WalkInput, Wall},
    mover::SKIN,
    walk::Stride,
};

/// How near a wall must be to jump off it, in pixels.
const WALL_REACH: f32 = 2.0;

impl Stride<'_> {
    /// Jump if requested and possible. Returns whether the walker jumped.
    pub(super) fn jump(&mut self, walk: &mut Walk, input: &WalkInput, was_on_ground: bool) -> bool {
        let can_jump_from_ground = was_on_ground || walk.coyote_secs > 0.0 || walk.climbs;
        let done = match input.jump {
            Some(speed) if can_jump_from_ground => {
                let lift = if was_on_ground && walk.lift_secs > 0.0 { walk.lift - self.carried } else { Vec2::ZERO };
                // The speed that it was given is kept; its own, of running uphill or of a dash, makes no jump higher.
                let given = match (was_on_ground, walk.climbs || walk.dash.has_set_vel) {
                    (true, _) => self.carried.y,
                    (false, false) => self.vel.y,
                    (false, true) => 0.0,
                };
                self.take_off();
                self.vel.y = given.min(0.0) - speed;
                if lift != Vec2::ZERO {
                    let more = lift * self.spec.momentum;
                    self.vel += Vec2::new(more.x, more.y.min(0.0));
                    self.boost += more.x * self.spec.momentum;
                }
                true
            }
            Some(_) if walk.wall.secs > 0.0 && self.spec.wall.is_some() => {
                let (away, wall) = (if walk.wall.right { -1.0 } else { 1.0 }, self.spec.wall.clone());
                let (jump, lock_secs) = wall.map_or((Vec2::ZERO, 0.0), |wall| (wall.jump, wall.lock_secs));
                self.vel = Vec2::new(away * jump.x, -jump.y);
                self.boost = 0.0;
                walk.wall = Wall { lock_secs, secs: 0.0, ..walk.wall };
                true
            }
            Some(speed) if walk.n_air_jumps < self.spec.air_jumps => {
                walk.n_air_jumps += 1;
                self.vel.y = self.vel.y.min(-speed);
                true
            }
            _ => false,
        };
        if done {
            (walk.is_jumping, walk.climbs, walk.dash.left_secs) = (true, false, 0.0);
        } else if walk.is_jumping && (input.released || was_on_ground || self.vel.y >= 0.0) {
            // A jump is cut once, so releasing the key does not slow a later launch (by a zone or a body).
            walk.is_jumping = false;
            if input.released && !was_on_ground && self.vel.y < 0.0 {
                self.vel.y *= self.spec.jump_cut;
            }
        }
        done
    }

    /// Note a wall within reach, first on the side that the walker moves to, and whether the walker slides down it.
    pub(super) fn probe_wall(&mut self, walk: &mut Walk, dir: f32, dt: f32) {
        walk.wall.secs = (walk.wall.secs - dt).max(0.0);
        let Some(wall) = self.spec.wall.clone() else { return };
        if self.ground.is_some() {
            walk.wall = Wall::default();
            return;
        }
        let first = if dir == 0.0 { self.vel.x } else { dir } >= 0.0;
        for right in [first, !first] {
            let side = if right { 1.0 } else { -1.0 };
            let stop = self.near.cast(Vec2::new(side * (WALL_REACH + SKIN), 0.0));
            if stop.is_some_and(|stop| stop.mass.is_none() && stop.normal.x * side < -0.9) {
                (walk.wall.right, walk.wall.secs) = (right, wall.grace_secs.max(dt / 2.0));
                self.slides = dir * side > 0.0 && self.vel.y > 0.0;
                return;
            }
        }
    }

    /// Remember the greatest velocity of the carrier, for `momentum_secs`.
    pub(super) fn remember_carrier_velocity(&self, walk: &mut Walk, dt: f32) {
        walk.lift_secs = (walk.lift_secs - dt).max(0.0);
        let is_greater = self.carried.length_squared() >= walk.lift.length_squared();
        if self.spec.momentum_secs > 0.0 && (walk.lift_secs == 0.0 || is_greater) {
            // From the end of this tick on.
            (walk.lift, walk.lift_secs) = (self.carried, self.spec.momentum_secs + dt);
        }
    }
}
