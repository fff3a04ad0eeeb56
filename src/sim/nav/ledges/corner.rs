//! Walkers with a round foot that leave a ledge: they roll over its corner, tick by tick.
//!
//! Invariant: as in `sim::physics`, a foot follows the corner while that is no steeper than its walker can walk, leaves
//! it along its last tangent, and slides down what of the corner is still under it then.

use std::f32::consts::FRAC_PI_2;

use glam::Vec2;

use super::walker::Walker;
use crate::sim::physics::SKIN;

/// One that moves less in a tick stays on the corner, in pixels.
const LEAST_STEP_PX: f32 = 1.0 / 1024.0;
/// One that is not past the corner so long after it has left it hangs there.
const MOST_SECS_IN_AIR: f32 = 4.0;

/// Where a foot is that has left a corner on its right side, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rolled {
    /// The middle of the foot from the corner, in pixels.
    pub(super) middle: Vec2,
    pub(super) vel: Vec2,
}

/// Roll over a corner to the right at a speed, from so far before it, steering to a column that lies `target_px` beyond
/// it once there is no ground. Nothing where it stays on the corner.
pub(super) fn roll(walker: &Walker, run: f32, before_px: f32, target_px: f32) -> Option<Rolled> {
    let (dt, reach) = (walker.dt_secs, walker.foot_radius + SKIN);
    let steepest = reach * walker.spec.steepest().y;
    let step = run * dt;
    if step < LEAST_STEP_PX {
        return None;
    }
    let snap = walker.spec.rise_within(step) + 2.0 * SKIN;
    let (mut middle, mut along) = (Vec2::new(-before_px, -reach), Vec2::X);
    // To where the corner is upright, which bounds the ticks of slow walkers, too.
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
