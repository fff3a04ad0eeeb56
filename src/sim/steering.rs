//! Steering: the velocities that an agent wants, from what it sees, in pixels a second.
//!
//! Invariant: no wanted velocity is faster than `max_speed`, and none is NaN: where there is no direction it is zero.
//! How fast it is reached is [`toward`] or `physics`; paths are `nav`; flocks are in `flock`.
//!
//! Source: Reynolds, "Steering behaviors for autonomous characters"; GPG 3.7 and 3.8.

use glam::Vec2;

use super::random::Stream;

/// Full speed toward a target.
#[must_use]
pub fn seek(pos: Vec2, target: Vec2, max_speed: f32) -> Vec2 {
    (target - pos).normalize_or_zero() * max_speed
}

/// Full speed away from a threat; to the right when it is exactly here.
#[must_use]
pub fn flee(pos: Vec2, threat: Vec2, max_speed: f32) -> Vec2 {
    (pos - threat).normalize_or(Vec2::X) * max_speed
}

/// Toward a target, slowing down within `slow_radius` so as to stop there.
#[must_use]
pub fn arrive(pos: Vec2, target: Vec2, max_speed: f32, slow_radius: f32) -> Vec2 {
    let delta = target - pos;
    let speed = if slow_radius > 0.0 { max_speed * (delta.length() / slow_radius).min(1.0) } else { max_speed };
    delta.normalize_or_zero() * speed
}

/// The share of its speed that an agent keeps at this distance, in pixels, from the end of its path: it slows down
/// within `slow_radius`, but never to less than a fifth, or it would never arrive.
#[must_use]
pub fn pace(distance: f32, slow_radius: f32) -> f32 {
    if slow_radius > 0.0 { (distance / slow_radius).clamp(0.2, 1.0) } else { 1.0 }
}

/// Where a moving target will be when it could be reached, looking at most `look_ahead_secs` ahead.
#[must_use]
pub fn predicted(pos: Vec2, target: Vec2, target_vel: Vec2, max_speed: f32, look_ahead_secs: f32) -> Vec2 {
    let secs = if max_speed > 0.0 { (pos.distance(target) / max_speed).min(look_ahead_secs) } else { 0.0 };
    target + target_vel * secs.max(0.0)
}

/// Seek where a moving target will be.
#[must_use]
pub fn pursue(pos: Vec2, target: Vec2, target_vel: Vec2, max_speed: f32, look_ahead_secs: f32) -> Vec2 {
    seek(pos, predicted(pos, target, target_vel, max_speed, look_ahead_secs), max_speed)
}

/// Flee from where a moving threat will be.
#[must_use]
pub fn evade(pos: Vec2, threat: Vec2, threat_vel: Vec2, max_speed: f32, look_ahead_secs: f32) -> Vec2 {
    flee(pos, predicted(pos, threat, threat_vel, max_speed, look_ahead_secs), max_speed)
}

/// A heading that drifts by chance: `heading_rad` turns by at most `rate` radians a second.
pub fn wander(heading_rad: &mut f32, rate: f32, max_speed: f32, dt_secs: f32, chance: &mut Stream) -> Vec2 {
    #[allow(clippy::cast_possible_truncation)] // -1 to 1
    let turn = chance.range(-1.0, 1.0) as f32;
    *heading_rad = (*heading_rad + turn * rate * dt_secs).rem_euclid(std::f32::consts::TAU);
    Vec2::from_angle(*heading_rad) * max_speed
}

/// A velocity changed toward the wanted one, as far as `max_accel` allows in a tick.
#[must_use]
pub fn toward(vel: Vec2, desired: Vec2, max_accel: f32, dt_secs: f32) -> Vec2 {
    vel + (desired - vel).clamp_length_max((max_accel * dt_secs).max(0.0))
}
