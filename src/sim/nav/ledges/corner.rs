//! Walkers with a round foot that leave a ledge: they roll over its corner, simulated tick by tick.
//!
//! Invariant: as in `sim::physics`, a foot follows the corner while the corner is no steeper than its walker can walk,
//! leaves it along the last tangent, and then slides down the part of the corner that is still under it.

use std::f32::consts::FRAC_PI_2;

use glam::Vec2;

use super::walker::Walker;
use crate::sim::physics::SKIN;

/// A walker that moves less in a tick stays on the corner, in pixels.
const LEAST_STEP_PX: f32 = 1.0 / 1024.0;
/// A walker that is not past the corner this long after leaving it hangs there, in seconds.
const MOST_SECS_IN_AIR: f32 = 4.0;

/// Position and velocity of a foot that has left a corner on its right side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rolled {
    /// Middle of the foot relative to the corner, in pixels.
    pub(super) middle: Vec2,
    pub(super) vel: Vec2,
}

/// Roll over a corner to the right at a speed of `run` px/s, from `before_px` before the corner, steering in the air to
/// a column `target_px` beyond it. `None` if the foot stays on the corner.
pub(super) fn roll(walker: &Walker, run: f32, before_px: f32, target_px: f32) -> Option<Rolled> {
    let (dt, reach) = (walker.dt_secs, walker.foot_radius + SKIN);
    let steepest = reach * walker.spec.steepest().y;
    let step = run * dt;
    if step < LEAST_STEP_PX {
        return None;
    }
    let snap = walker.spec.rise_within(step) + 2.0 * SKIN;
    let (mut middle, mut along) = (Vec2::new(-before_px, -reach), Vec2::X);
    // Up to where the corner is vertical, which also bounds the number of ticks of slow walkers.
    let mut left_px = before_px.max(0.0) + reach * FRAC_PI_2;
    while left_px > 0.0 {
        left_px -= step;
        middle += along * step;
        let beyond = middle.x.max(0.0);
        let on_corner = -(reach * reach - beyond * beyond).max(0.0).sqrt();
        if beyond > steepest || on_corner - middle.y > snap {
            break;
        }
        middle.y = on_corner;
        along = Vec2::new(-on_corner, beyond) / reach;
    }
    let mut vel = along * run;
    let mut secs = 0.0;
    while secs < MOST_SECS_IN_AIR {
        secs += dt;
        if middle.x >= walker.foot_radius {
            return Some(Rolled { middle, vel });
        }
        let (after, way) = walker.fly(vel, walker.steer_in_air(middle.x, vel.x, target_px));
        (vel, middle) = (after, middle + way);
        if middle.y >= 0.0 {
            // Beside the wall below the corner.
            middle.x = middle.x.max(reach);
            vel.x = vel.x.max(0.0);
        } else if middle.length_squared() < reach * reach {
            let out = middle.normalize_or(Vec2::NEG_Y);
            middle = out * reach;
            vel -= out * vel.dot(out).min(0.0);
            if middle.x <= steepest {
                return None;
            }
        }
    }
    None
}
