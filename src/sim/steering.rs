//! Where an agent wants to go from what it sees: velocities it would like to have, in pixels a second.
//!
//! Invariant: no wish is faster than `max_speed`, and none is NaN: where there is no direction the wish is to stand still.
//! How fast the wish comes true is [`toward`] or `physics`; where the way leads is `nav`; flocks are in `flock`.
//!
//! Source: Reynolds, "Steering behaviors for autonomous characters"; GPG 3.7 and 3.8.

use glam::Vec2;

use super::{grid::SolidGrid, random::Stream};

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
    let way = target - pos;
    let speed = if slow_radius > 0.0 { max_speed * (way.length() / slow_radius).min(1.0) } else { max_speed };
    way.normalize_or_zero() * speed
}

/// What share of its speed a follower of a way keeps, this far in pixels from the way's end: it slows down within
/// `slow_radius`, but never to less than a fifth, or it would take for ever.
#[must_use]
pub fn pace(distance: f32, slow_radius: f32) -> f32 {
    if slow_radius > 0.0 { (distance / slow_radius).clamp(0.2, 1.0) } else { 1.0 }
}

/// Where something that moves will be when it could be reached, looking at most `look_ahead_secs` ahead.
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

/// The wish, turned to the side where a wall or another body is ahead.
///
/// `obstacles` are discs (middle and radius) to keep `radius` away from; walls are looked for on the grid. Only what is
/// within `look_ahead` pixels along the wish counts, and the nearest of it most.
#[must_use]
pub fn avoid(
    pos: Vec2,
    wish: Vec2,
    radius: f32,
    look_ahead: f32,
    obstacles: &[(Vec2, f32)],
    grid: Option<&SolidGrid>,
) -> Vec2 {
    let speed = wish.length();
    let Some(ahead) = wish.try_normalize() else { return wish };
    let side = ahead.perp();
    let near = obstacles.iter().filter_map(|(middle, size)| {
        let to = *middle - pos;
        let (along, across) = (to.dot(ahead), to.dot(side));
        let room = radius + size;
        (along > 0.0 && along - room < look_ahead && across.abs() < room).then_some((along, across, room))
    });
    let mut push = Vec2::ZERO;
    // The least by distance, and by side where two are equally near.
    if let Some((along, across, room)) = near.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))) {
        let away = if across > 0.0 { -side } else { side };
        let urgency = 1.0 - ((along - room).max(0.0) / look_ahead.max(1.0)).min(1.0);
        push += away * (1.0 - across.abs() / room) * (0.5 + urgency);
    }
    if let Some(grid) = grid {
        // Feelers to both sides; the one that reaches further shows the way round.
        let reach = |angle: f32| {
            let tip = pos + Vec2::from_angle(angle).rotate(ahead) * look_ahead;
            grid.ray(pos, tip).map_or(1.0, |hit| hit.fraction)
        };
        let (front, left, right) = (reach(0.0), reach(-0.6), reach(0.6));
        if front.min(left).min(right) < 1.0 {
            let turn = if left > right { -side } else { side };
            push += turn * (1.0 - front.min(left).min(right));
        }
    }
    (ahead + push).normalize_or_zero() * speed
}

/// A velocity changed toward the wish, as far as `max_accel` allows in a tick.
#[must_use]
pub fn toward(vel: Vec2, wish: Vec2, max_accel: f32, dt_secs: f32) -> Vec2 {
    vel + (wish - vel).clamp_length_max((max_accel * dt_secs).max(0.0))
}

/// A way being followed, point by point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathFollower {
    points: Vec<Vec2>,
    next: usize,
}

impl PathFollower {
    /// Follow these points, in pixels, from a place: a new way begins at the leg nearest to it, so that an agent that went
    /// on meanwhile does not turn back.
    #[must_use]
    pub fn new(points: Vec<Vec2>, pos: Vec2) -> Self {
        let legs = points.windows(2).enumerate().map(|(i, leg)| (distance_to_leg(pos, leg[0], leg[1]), i + 1));
        let next = legs.min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).map_or(0, |(_, i)| i);
        Self { points, next }
    }

    /// The points of the way.
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// The points still ahead.
    #[must_use]
    pub fn ahead(&self) -> &[Vec2] {
        self.points.get(self.next..).unwrap_or_default()
    }

    /// The point to go to now, those within `near` pixels or already passed left behind; `None` at the end of the way.
    pub fn target(&mut self, pos: Vec2, near: f32) -> Option<Vec2> {
        while let Some(target) = self.points.get(self.next) {
            let is_last = self.next + 1 == self.points.len();
            let is_passed = !is_last && self.next > 0 && {
                let leg = *target - self.points[self.next - 1];
                // Beyond the point along the leg, and not pushed far off it.
                (pos - *target).dot(leg) >= 0.0 && pos.distance(*target) < near * 2.0
            };
            if pos.distance(*target) > near && !is_passed {
                return Some(*target);
            }
            self.next += 1;
        }
        None
    }

    /// Whether the way is at its end.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.next >= self.points.len()
    }

    /// Whether the next point is the last.
    #[must_use]
    pub fn is_on_last_leg(&self) -> bool {
        self.next + 1 >= self.points.len()
    }
}

fn distance_to_leg(p: Vec2, a: Vec2, b: Vec2) -> f32 {
    let d = b - a;
    let length = d.length_squared();
    let t = if length > 0.0 { ((p - a).dot(d) / length).clamp(0.0, 1.0) } else { 0.0 };
    p.distance(a + d * t)
}
