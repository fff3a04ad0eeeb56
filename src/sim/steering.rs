//! Steering behaviors: the wanted velocity of an agent in px/s, from the positions it knows.
//!
//! Invariant: no wanted velocity is faster than `max_speed`, and none is NaN: without a direction it is zero. Reaching
//! it is [`toward`] or `physics`; paths are `nav`; flocks are in `flock`.
//!
//! Source: Reynolds, "Steering behaviors for autonomous characters"; GPG 3.7 and 3.8.

use glam::Vec2;

use super::random::Stream;

/// Seek: full speed toward a target.
#[must_use]
pub fn seek(pos: Vec2, target: Vec2, max_speed: f32) -> Vec2 {
    (target - pos).normalize_or_zero() * max_speed
}

/// Flee: full speed away from a threat; to the right if it is at the same place.
#[must_use]
pub fn flee(pos: Vec2, threat: Vec2, max_speed: f32) -> Vec2 {
    (pos - threat).normalize_or(Vec2::X) * max_speed
}

/// Arrive: toward a target, slowing down within `slow_radius` px so as to stop there.
#[must_use]
pub fn arrive(pos: Vec2, target: Vec2, max_speed: f32, slow_radius: f32) -> Vec2 {
    let delta = target - pos;
    let speed = if slow_radius > 0.0 { max_speed * (delta.length() / slow_radius).min(1.0) } else { max_speed };
    delta.normalize_or_zero() * speed
}

/// The share of its speed, 0 to 1, of an agent at this distance, in pixels, from the end of its path: it slows down
/// within `slow_radius`, but never to less than a fifth, or it would never arrive.
#[must_use]
pub fn pace(distance: f32, slow_radius: f32) -> f32 {
    if slow_radius > 0.0 { (distance / slow_radius).clamp(0.2, 1.0) } else { 1.0 }
}

/// Predicted position of a moving target when it can be reached, at most `look_ahead_secs` ahead.
#[must_use]
pub fn predicted(pos: Vec2, target: Vec2, target_vel: Vec2, max_speed: f32, look_ahead_secs: f32) -> Vec2 {
    let secs = if max_speed > 0.0 { (pos.distance(target) / max_speed).min(look_ahead_secs) } else { 0.0 };
    target + target_vel * secs.max(0.0)
}

/// Pursue: seek the predicted position of a moving target.
#[must_use]
pub fn pursue(pos: Vec2, target: Vec2, target_vel: Vec2, max_speed: f32, look_ahead_secs: f32) -> Vec2 {
    seek(pos, predicted(pos, target, target_vel, max_speed, look_ahead_secs), max_speed)
}

/// Evade: flee from the predicted position of a moving threat.
#[must_use]
pub fn evade(pos: Vec2, threat: Vec2, threat_vel: Vec2, max_speed: f32, look_ahead_secs: f32) -> Vec2 {
    flee(pos, predicted(pos, threat, threat_vel, max_speed, look_ahead_secs), max_speed)
}

/// Wander: a heading that drifts at random: `heading_rad` turns by at most `rate` rad/s.
pub fn wander(heading_rad: &mut f32, rate: f32, max_speed: f32, dt_secs: f32, chance: &mut Stream) -> Vec2 {
    #[allow(clippy::cast_possible_truncation)] // -1 to 1
    let turn = chance.range(-1.0, 1.0) as f32;
    *heading_rad = (*heading_rad + turn * rate * dt_secs).rem_euclid(std::f32::consts::TAU);
    Vec2::from_angle(*heading_rad) * max_speed
}

/// A velocity changed toward the wanted one by at most `max_accel` px/s² in a tick.
#[must_use]
pub fn toward(vel: Vec2, desired: Vec2, max_accel: f32, dt_secs: f32) -> Vec2 {
    vel + (desired - vel).clamp_length_max((max_accel * dt_secs).max(0.0))
}
