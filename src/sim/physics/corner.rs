//! Corner correction: a walker whose head, or whose dash, just meets a corner is moved aside by a few pixels and goes
//! on; a round head beside a corner is moved back from it.
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

impl Stride<'_> {
    /// Move around the corner that stopped a motion, if possible. Returns whether it was.
    pub(super) fn round_corner(&mut self, stop: &Stop, motion: &mut Vec2, dashes: bool) -> bool {
        let most = self.spec.corner_correction;
        if most <= 0.0 || stop.mass.is_some() {
            return false;
        }
        let (ahead, sides, vel) = if motion.y < 0.0 && stop.normal.y > 0.1 && motion.y.abs() >= motion.x.abs() * 0.1 {
            // What it gained in this tick is pressed against a wall, or will be.
            (Vec2::NEG_Y, [Vec2::X, Vec2::NEG_X], self.began)
        } else if dashes && motion.x * stop.normal.x < 0.0 && stop.normal.x.abs() > 0.1 {
            (Vec2::new(motion.x.signum(), 0.0), [Vec2::NEG_Y, Vec2::Y], self.vel)
        } else {
            return false;
        };
        // Not against its present sideways motion.
        let sides: Vec<Vec2> = sides.into_iter().filter(|side| side.dot(vel) >= -1.0).collect();
        let from = self.near.at;
        let mut off = 0.0;
        while off < most {
            off = (off + TRY_PX).min(most);
            for side in &sides {
                if self.near.cast(*side * off).is_some() {
                    continue;
                }
                self.near.at = from + *side * off;
                if self.near.cast(ahead * FREE_PX).is_none() {
                    // The corner is a wall to it: it does not move back under it.
                    self.vel -= *side * self.vel.dot(*side).min(0.0);
                    *motion -= *side * motion.dot(*side).min(0.0);
                    return true;
                }
                self.near.at = from;
            }
        }
        false
    }

    /// Move a round head back from a corner that it meets more from beside than from below: the corner is a wall, which
    /// takes nothing of the upward speed. Returns whether it was one, with room to move back.
    pub(super) fn pass_beside(&mut self, stop: &Stop, motion: &mut Vec2) -> bool {
        let Vec2 { x: away, y: down } = stop.normal;
        if motion.y >= 0.0 || stop.reach <= 0.0 || stop.mass.is_some() || down <= 0.0 || away.abs() <= down {
            return false;
        }
        let radius = stop.reach + SKIN;
        // To where the corner is right beside the round part. Where it cannot rise there, it met a sloping ceiling.
        let back = Vec2::new((radius * (1.0 - away.abs()) + ROUNDING) * away.signum(), 0.0);
        let from = self.near.at;
        if self.near.cast(back).is_some() {
            return false;
        }
        self.near.at += back;
        if self.near.cast(Vec2::new(0.0, -radius * down)).is_some() {
            self.near.at = from;
            return false;
        }
        let wall = Stop { normal: Vec2::new(away.signum(), 0.0), ..stop.clone() };
        self.near.hit(&wall, &mut self.vel, self.mass, &self.physics.tiles);
        if motion.x * away < 0.0 {
            motion.x = 0.0;
        }
        true
    }
}
