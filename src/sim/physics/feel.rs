//! The arithmetic of a walker's tick: how fast it falls or rises and how far it gets, and how its speed along the
//! ground changes.
//!
//! Pure functions of numbers. The mover does what they give, so a planner that calls them knows beforehand what the
//! mover will do.
//! Invariant: up and down, speeds change evenly within the parts of a tick between two rules (rising, near the top,
//! falling, at the greatest speed), and the way is the sum of these parts. So a jump is equally high and long at any
//! length of a tick.

use glam::Vec2;

use super::WalkerSpec;

/// What pulls a walker down while it is in the air. Speeds are downward, in px/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fall {
    /// In px/s², downward; below zero it pulls up, and all rules count the other way round.
    gravity: f32,
    /// Factor on it while falling.
    falling: f32,
    /// Slower than this is near the top of a jump.
    apex_speed: f32,
    /// Factor on it near the top, in place of the one for falling.
    apex_factor: f32,
    /// The fastest fall.
    max_speed: f32,
}

impl Fall {
    /// One tick: the speed at its end, and the way covered, both downward.
    #[must_use]
    pub fn tick(&self, speed: f32, dt_secs: f32) -> (f32, f32) {
        // An even change, within at most as many parts as there are rules.
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

    /// The same, not faster than this.
    #[must_use]
    pub(super) fn at_most(self, speed: f32) -> Self {
        Self { max_speed: self.max_speed.min(speed), ..self }
    }

    /// The factor on gravity at a speed, and up to which speed it holds.
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

    /// How high a jump of a speed goes, in pixels; infinite where nothing pulls down.
    #[must_use]
    pub fn height(&self, jump_speed: f32) -> f32 {
        let apex = if self.apex_factor == 1.0 { 0.0 } else { self.apex_speed.min(jump_speed) };
        let rise = (jump_speed * jump_speed - apex * apex) / (2.0 * self.gravity);
        let top = if apex > 0.0 { apex * apex / (2.0 * self.gravity * self.apex_factor) } else { 0.0 };
        if self.gravity > 0.0 { rise + top } else { f32::INFINITY }
    }

    /// How long a jump of a speed goes up, in seconds; infinite where nothing pulls down.
    #[must_use]
    pub fn rise_secs(&self, jump_speed: f32) -> f32 {
        let apex = if self.apex_factor == 1.0 { 0.0 } else { self.apex_speed.min(jump_speed) };
        let top = if apex > 0.0 { apex / (self.gravity * self.apex_factor) } else { 0.0 };
        if self.gravity > 0.0 { (jump_speed - apex) / self.gravity + top } else { f32::INFINITY }
    }
}

/// How far something gets that slows down by so many px/s², in pixels; signed as its speed. One that does not slow down
/// counts as if it stood.
#[must_use]
pub fn stop_px(speed: f32, deceleration: f32) -> f32 {
    if deceleration > 0.0 { speed * speed.abs() / (2.0 * deceleration) } else { 0.0 }
}

impl WalkerSpec {
    /// How quickly it slows down on the ground, in px/s².
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

    /// How far the steepest ground that it walks on rises along each pixel; 8 at most, as the tangent of a wall is
    /// infinite.
    #[must_use]
    pub fn steepest_rise(&self) -> f32 {
        let Vec2 { x: cos, y: sin } = self.steepest();
        if sin >= cos * 8.0 { 8.0 } else { sin / cos }
    }

    /// How much higher or lower ground may be so many pixels along that it still walks on, in pixels: by a step, or up
    /// and down a slope.
    #[must_use]
    pub fn rise_within(&self, along_px: f32) -> f32 {
        self.step_height.max(along_px * self.steepest_rise())
    }

    /// What pulls it down under a gravity in px/s². One that does not hold the key of its jump has no time near the
    /// top; those that no player drives hold it.
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

    /// How fast its velocity may change toward a wanted one, seen from above, in px/s².
    #[must_use]
    pub(super) fn change_from_above(&self, vel: Vec2, wanted: Vec2) -> f32 {
        let factor = match () {
            () if vel.dot(wanted) < 0.0 => self.turning,
            () if wanted.length_squared() < vel.length_squared() => self.braking,
            () => 1.0,
        };
        self.acceleration * factor
    }

    /// By how much its speed along the ground, or across in the air, changes in a tick, when it has one speed and wants
    /// another. The way it covers is by their mean.
    #[must_use]
    pub fn speed_up(&self, speed: f32, wanted: f32, on_ground: bool, dt_secs: f32) -> f32 {
        let share = if on_ground { 1.0 } else { self.air_control };
        let most = (self.acceleration * share * dt_secs).max(0.0);
        let delta = wanted - speed;
        if wanted * speed < 0.0 {
            // The other way: to rest by turning, and on by accelerating in what is left of the tick.
            let turn = most * self.turning;
            let on = if turn > speed.abs() { most * (1.0 - speed.abs() / turn) } else { 0.0 };
            let most = if self.turning == 1.0 { most } else { turn.min(speed.abs()) + on };
            return delta.clamp(-most, most);
        }
        let factor = if wanted.abs() < speed.abs() { self.braking } else { 1.0 };
        delta.clamp(-most * factor, most * factor)
    }
}
