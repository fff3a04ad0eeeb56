//! Corner correction: a walker whose head, or whose dash, just meets a corner is moved aside by a few pixels and goes
//! on; a round head beside a corner is moved back from it. Paths over ledges follow the same rules.
//!
//! Invariant: it is moved only to a free place from which its motion is free as well.

use glam::Vec2;

use super::{
    convex::ROUNDING,
    mover::{SKIN, Stop},
    walk::Stride,
};

/// Distance between the places that are tried, in pixels.
const TRY_PX: f32 = 0.5;

/// How far the motion has to be free beyond a corner, in pixels.
const FREE_PX: f32 = 1.0;

/// Whether a motion that is stopped with this normal leads up against a ceiling.
pub(in crate::sim) fn meets_ceiling(motion: Vec2, normal: Vec2) -> bool {
    motion.y < 0.0 && normal.y > 0.1 && motion.y.abs() >= motion.x.abs() * 0.1
}

/// The nearest place beside `from` from which the way `ahead` is free, at most `most` pixels off, to a side that is not
/// against the present velocity; with that side. `is_free` tells whether a motion from a place is free.
pub(in crate::sim) fn around_corner(
    (from, vel, most): (Vec2, Vec2, f32),
    (ahead, sides): (Vec2, [Vec2; 2]),
    mut is_free: impl FnMut(Vec2, Vec2) -> bool,
) -> Option<(Vec2, Vec2)> {
    let mut off = 0.0;
    while off < most {
        off = (off + TRY_PX).min(most);
        for side in sides.into_iter().filter(|side| side.dot(vel) >= -1.0) {
            let place = from + side * off;
            if is_free(from, side * off) && is_free(place, ahead * FREE_PX) {
                return Some((place, side));
            }
        }
    }
    None
}

/// Where a head that is rounded by `reach` pixels and rises from `from` goes on, right beside a corner that it met more
/// from beside than from below; and the unit vector away from the corner. `None` where it met a sloping ceiling, on which
/// it cannot rise there, or has no room to move back.
pub(in crate::sim) fn beside_corner(
    (from, normal, reach): (Vec2, Vec2, f32),
    mut is_free: impl FnMut(Vec2, Vec2) -> bool,
) -> Option<(Vec2, Vec2)> {
    let Vec2 { x: away, y: down } = normal;
    if reach <= 0.0 || down <= 0.0 || away.abs() <= down {
        return None;
    }
    let radius = reach + SKIN;
    let back = Vec2::new((radius * (1.0 - away.abs()) + ROUNDING) * away.signum(), 0.0);
    let is_beside = is_free(from, back) && is_free(from + back, Vec2::new(0.0, -radius * down));
    is_beside.then_some((from + back, Vec2::new(away.signum(), 0.0)))
}

impl Stride<'_> {
    /// Move around the corner that stopped a motion, if possible. Returns whether it was.
    pub(super) fn round_corner(&mut self, stop: &Stop, motion: &mut Vec2, dashes: bool) -> bool {
        if stop.mass.is_some() {
            return false;
        }
        let (ahead, sides, vel) = if meets_ceiling(*motion, stop.normal) {
            // What it gained in this tick is pressed against a wall, or will be.
            (Vec2::NEG_Y, [Vec2::X, Vec2::NEG_X], self.began)
        } else if dashes && motion.x * stop.normal.x < 0.0 && stop.normal.x.abs() > 0.1 {
            (Vec2::new(motion.x.signum(), 0.0), [Vec2::NEG_Y, Vec2::Y], self.vel)
        } else {
            return false;
        };
        let start = (self.near.at, vel, self.spec.corner_correction);
        let is_free = |from, motion| self.near.is_free(from, motion);
        let Some((place, side)) = around_corner(start, (ahead, sides), is_free) else { return false };
        self.near.at = place;
        // The corner is a wall to it: it does not move back under it.
        self.vel -= side * self.vel.dot(side).min(0.0);
        *motion -= side * motion.dot(side).min(0.0);
        true
    }

    /// Move a round head back from a corner that it meets more from beside than from below: the corner is a wall, which
    /// takes nothing of the upward speed. Returns whether it was one, with room to move back.
    pub(super) fn pass_beside(&mut self, stop: &Stop, motion: &mut Vec2) -> bool {
        if motion.y >= 0.0 || stop.mass.is_some() {
            return false;
        }
        let met = (self.near.at, stop.normal, stop.reach);
        let is_free = |from, motion| self.near.is_free(from, motion);
        let Some((place, away)) = beside_corner(met, is_free) else { return false };
        self.near.at = place;
        let wall = Stop { normal: away, ..stop.clone() };
        self.near.hit(&wall, &mut self.vel, self.mass, &self.physics.tiles);
        motion.x = if motion.x * away.x < 0.0 { 0.0 } else { motion.x };
        true
    }
}
