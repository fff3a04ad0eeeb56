//! Smooth changes of values: springs, decay, curves over time, angles. All independent of the frame rate.
//!
//! Invariant: no value passes the end it moves to, and a curve without duration cannot be made. Forces and bodies are
//! `physics`; the goals of agents are in `steering`.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, Vec2};

/// The least smoothing time, in seconds.
const MIN_SMOOTH_SECS: f64 = 1e-4;

/// One tick of a critically damped spring toward a target that may move: returns the new value, and updates `velocity`
/// in units per second. `smooth_secs` is about the time it takes, `max_speed` is in units per second.
///
/// Source: GPG 4.10 (Lowe), with the difference as *current − target*; with the opposite sign, as in Polly's text, it
/// runs away from the target.
pub fn smooth_damp(
    current: f64,
    target: f64,
    velocity: &mut f64,
    smooth_secs: f64,
    max_speed: f64,
    dt_secs: f64,
) -> f64 {
    let at = DVec2::new(current, 0.0);
    let mut v = DVec2::new(*velocity, 0.0);
    let out = smooth_damp_point(at, DVec2::new(target, 0.0), &mut v, smooth_secs, max_speed, dt_secs);
    *velocity = v.x;
    out.x
}

/// The same for a point, in pixels and px/s. The limit applies to the length of the velocity, not per axis.
///
/// Source: as [`smooth_damp`]. It stops at the target if it would pass it along its direction of motion, and no
/// velocity is left; Polly's test by distance stops too early or too late and keeps the velocity.
pub fn smooth_damp_vec(
    current: Vec2,
    target: Vec2,
    velocity: &mut Vec2,
    smooth_secs: f64,
    max_speed: f64,
    dt_secs: f64,
) -> Vec2 {
    let mut v = velocity.as_dvec2();
    let out = smooth_damp_point(current.as_dvec2(), target.as_dvec2(), &mut v, smooth_secs, max_speed, dt_secs);
    *velocity = v.as_vec2();
    out.as_vec2()
}

/// The same in double precision.
pub(in crate::sim) fn smooth_damp_point(
    current: DVec2,
    target: DVec2,
    v: &mut DVec2,
    smooth_secs: f64,
    max_speed: f64,
    dt_secs: f64,
) -> DVec2 {
    if dt_secs <= 0.0 {
        return current;
    }
    let smooth_secs = smooth_secs.max(MIN_SMOOTH_SECS);
    let w = 2.0 / smooth_secs;
    let x = w * dt_secs;
    let e = 1.0 / (1.0 + x + 0.48 * x * x + 0.235 * x * x * x);
    let d = (current - target).clamp_length_max((max_speed * smooth_secs).max(0.0));
    let goal = current - d;
    let tmp = (*v + d * w) * dt_secs;
    *v = (*v - tmp * w) * e;
    let out = goal + (d + tmp) * e;
    if (target - current).dot(out - target) > 0.0 {
        *v = DVec2::ZERO;
        return target;
    }
    out
}

/// A value moved toward a target by the share that decays in a tick, `1 − exp(−rate·dt)`, with the rate in 1/s.
#[must_use]
pub fn decay(current: f64, target: f64, rate: f64, dt_secs: f64) -> f64 {
    current + (target - current) * (1.0 - (-rate.max(0.0) * dt_secs.max(0.0)).exp())
}

/// A value moved toward a target by at most `max_step`, never past it.
#[must_use]
pub fn move_toward(current: f64, target: f64, max_step: f64) -> f64 {
    let delta = target - current;
    if delta.abs() <= max_step { target } else { current + max_step.max(0.0) * delta.signum() }
}

/// The same for a point.
#[must_use]
pub fn move_toward_vec(current: Vec2, target: Vec2, max_step: f32) -> Vec2 {
    let delta = target - current;
    let length = delta.length();
    if length <= max_step { target } else { current + delta * (max_step.max(0.0) / length) }
}

/// The signed difference from one angle to another, in radians, above −π and at most π.
#[must_use]
pub fn angle_between(from_rad: f64, to_rad: f64) -> f64 {
    let delta = (to_rad - from_rad).rem_euclid(TAU);
    if delta > PI { delta - TAU } else { delta }
}

/// Interpolates between two angles in radians along the shorter arc, `t` from 0 to 1.
#[must_use]
pub fn lerp_angle(from_rad: f64, to_rad: f64, t: f64) -> f64 {
    from_rad + angle_between(from_rad, to_rad) * t.clamp(0.0, 1.0)
}

/// A curve from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Curve {
    /// Linear: at constant speed.
    #[default]
    Linear,
    /// Slow at the start: `t³`.
    EaseIn,
    /// Slow at the end: `1 − (1 − t)³`.
    EaseOut,
    /// Slow at both ends: half as `EaseIn`, half as `EaseOut`.
    EaseInOut,
    /// Slow at both ends, with velocity and acceleration zero there: `6t⁵ − 15t⁴ + 10t³`.
    SCurve,
}

impl Curve {
    /// The value at `t`; 0 before 0, 1 after 1.
    ///
    /// Source: the cubic easing functions of Penner, *Programming Macromedia Flash MX*, 2002, chapter 7.
    #[must_use]
    pub fn at(self, t: f64) -> f64 {
        let t = t.clamp(0.0, 1.0);
        let left = 1.0 - t;
        match self {
            Self::Linear => t,
            Self::EaseIn => t * t * t,
            Self::EaseOut => 1.0 - left * left * left,
            Self::EaseInOut if t < 0.5 => 4.0 * t * t * t,
            Self::EaseInOut => 1.0 - 4.0 * left * left * left,
            Self::SCurve => t * t * t * (t * (t * 6.0 - 15.0) + 10.0),
        }
    }
}
