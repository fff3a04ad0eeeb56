//! The kinematics of a walker's tick: vertical speed and displacement, and change of speed along the ground.
//!
//! Pure functions of numbers, which the mover applies; a planner that calls them predicts the mover exactly.
//! Invariant: within a tick, speed changes linearly in each phase (rising, apex, falling, greatest speed), and the
//! displacement is the sum over the phases. So the height and length of a jump do not depend on the length of a tick.

use glam::Vec2;

use super::WalkerSpec;

/// Vertical motion of a walker in the air. Speeds are downward, in px/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fall {
    /// Gravity, downward, px/s²; below zero it pulls up, and all rules are mirrored.
    gravity: f32,
    /// Factor on gravity while falling.
    falling: f32,
    /// Speed below which a jump is near its top, px/s.
    apex_speed: f32,
    /// Factor on gravity near the top, instead of the one for falling.
    apex_factor: f32,
    /// The greatest falling speed, px/s.
    max_speed: f32,
}

impl Fall {
    /// One tick: the speed at its end (px/s) and the displacement (px), both downward.
    #[must_use]
    pub fn tick(&self, speed: f32, dt_secs: f32) -> (f32, f32) {
        // The acceleration is constant within at most as many phases as there are rules.
        let (pull, sign) = (self.gravity.abs(), self.gravity.signum());
        let mut speed = (speed * sign).min(self.max_speed);
        let (mut way, mut left) = (0.0, dt_secs);
        for _ in 0..4 {
            let (factor, until) = self.rule(speed);
            let gain = pull * factor;
            let secs = if gain > 0.0 { (until - speed) / gain } else { left };
            let (secs, next) = if secs < left { (secs, until) } else { (left, speed + gain * left) };
            way += f32::midpoint(speed, next) * secs;
            (speed, left) = (next, left - secs);
            if left <= 0.0 {
                break;
            }
        }
        (speed * sign, way * sign)
    }

    /// The same with a greatest falling speed of at most `speed`, px/s.
    #[must_use]
    pub(super) fn at_most(self, speed: f32) -> Self {
        Self { max_speed: self.max_speed.min(speed), ..self }
    }

    /// The same with plain gravity at any speed.
    #[must_use]
    pub(super) fn plain(self) -> Self {
        Self { falling: 1.0, apex_factor: 1.0, ..self }
    }

    /// The factor on gravity at a speed, and the speed up to which it applies.
    fn rule(&self, speed: f32) -> (f32, f32) {
        let apex = if self.apex_factor == 1.0 { 0.0 } else { self.apex_speed.min(self.max_speed) };
        if speed >= self.max_speed {
            (0.0, self.max_speed)
        } else if apex == 0.0 && self.falling == 1.0 {
            (1.0, self.max_speed)
        } else if speed < -apex {
            (1.0, -apex)
        } else if speed < apex {
            (self.apex_factor, apex)
        } else {
            (self.falling, self.max_speed)
        }
    }

    /// Height of a jump with an initial speed in px/s, in pixels; infinite without gravity.
    #[must_use]
    pub fn height(&self, jump_speed: f32) -> f32 {
        let apex = if self.apex_factor == 1.0 { 0.0 } else { self.apex_speed.min(jump_speed) };
        let rise = (jump_speed * jump_speed - apex * apex) / (2.0 * self.gravity);
        let top = if apex > 0.0 { apex * apex / (2.0 * self.gravity * self.apex_factor) } else { 0.0 };
        if self.gravity > 0.0 { rise + top } else { f32::INFINITY }
    }

    /// Time from the start of a jump to its top, in seconds; infinite without gravity.
    #[must_use]
    pub fn rise_secs(&self, jump_speed: f32) -> f32 {
        let apex = if self.apex_factor == 1.0 { 0.0 } else { self.apex_speed.min(jump_speed) };
        let top = if apex > 0.0 { apex / (self.gravity * self.apex_factor) } else { 0.0 };
        if self.gravity > 0.0 { (jump_speed - apex) / self.gravity + top } else { f32::INFINITY }
    }
}

/// Braking distance in pixels, signed as the speed (px/s), with a deceleration in px/s²; 0 without deceleration.
#[must_use]
pub fn stop_px(speed: f32, deceleration: f32) -> f32 {
    if deceleration > 0.0 { speed * speed.abs() / (2.0 * deceleration) } else { 0.0 }
}

impl WalkerSpec {
    /// Deceleration on the ground, px/s².
    #[must_use]
    pub fn deceleration(&self) -> f32 {
        self.acceleration * self.braking
    }

    /// Cosine and sine of `max_slope_rad`, by functions that are the same on every machine, as the standard library's are
    /// not.
    #[must_use]
    pub fn steepest(&self) -> Vec2 {
        Vec2::from_angle(self.max_slope_rad)
    }

    /// Rise per pixel on the steepest ground that it walks on; capped at 8, because the tangent of a vertical wall is
    /// infinite.
    #[must_use]
    pub fn steepest_rise(&self) -> f32 {
        let Vec2 { x: cos, y: sin } = self.steepest();
        if sin >= cos * 8.0 { 8.0 } else { sin / cos }
    }

    /// The greatest difference in height, in pixels, of ground that it can still walk on within a horizontal distance
    /// in pixels: by a step, or by a slope.
    #[must_use]
    pub fn rise_within(&self, along_px: f32) -> f32 {
        self.step_height.max(along_px * self.steepest_rise())
    }

    /// The rules of falling under a gravity in px/s². Without the jump key held there is no apex phase; walkers without
    /// a player hold it.
    #[must_use]
    pub fn fall(&self, gravity_px_s2: f32, holds_jump: bool) -> Fall {
        Fall {
            gravity: gravity_px_s2,
            falling: self.fall_gravity,
            apex_speed: self.apex_speed,
            apex_factor: if holds_jump { self.apex_gravity } else { 1.0 },
            max_speed: self.max_fall_speed,
        }
    }

    /// The greatest acceleration toward a wanted velocity in px/s², seen from above.
    #[must_use]
    pub(super) fn change_from_above(&self, vel: Vec2, wanted: Vec2) -> f32 {
        let factor = match () {
            () if vel.dot(wanted) < 0.0 => self.turning,
            () if wanted.length_squared() < vel.length_squared() => self.braking,
            () => 1.0,
        };
        self.acceleration * factor
    }

    /// Change of speed in one tick, px/s, along the ground or horizontally in the air, from one speed toward a wanted
    /// one. The displacement follows from the mean of both speeds.
    #[must_use]
    pub fn speed_up(&self, speed: f32, wanted: f32, on_ground: bool, dt_secs: f32) -> f32 {
        let share = if on_ground { 1.0 } else { self.air_control };
        let most = (self.acceleration * share * dt_secs).max(0.0);
        let delta = wanted - speed;
        if wanted * speed < 0.0 {
            // Reversal: turning deceleration down to rest, then normal acceleration in what is left of the tick.
            let turn = most * self.turning;
            let on = if turn > speed.abs() { most * (1.0 - speed.abs() / turn) } else { 0.0 };
            let most = if self.turning == 1.0 { most } else { turn.min(speed.abs()) + on };
            return delta.clamp(-most, most);
        }
        let factor = if wanted.abs() < speed.abs() { self.braking } else { 1.0 };
        delta.clamp(-most * factor, most * factor)
    }
}
