//! Slow drift far from the origin, where rounding counts.
//!
//! Invariant: a body drifts by its velocity wherever it is: what rounding leaves out of a position adds up beside it. Where
//! rounding makes no difference, the solver's results stay as they are.

use glam::{BVec2, Vec2};
use rapier2d::math::Rotation;

use super::{
    body::{Body, Pose},
    solver::Solver,
};

/// Where a body is after a step of `dt` seconds that left it in `pose`, along each axis on which its velocity is as
/// before the step, and what rounding leaves out of that; `None` if the solver's rounding makes no difference. The solver
/// adds up the parts of a step: slow drift far from the origin is rounded in each.
#[inline]
pub(super) fn drift_exactly(
    solver: &Solver,
    (body, rounded_off): (&Body, Vec2),
    pose: Pose,
    dt: f32,
) -> Option<(Vec2, Vec2)> {
    let steady = pose.vel.cmpeq(body.pose.vel) & pose.vel.cmpne(Vec2::ZERO);
    // Called for each body in motion in each tick.
    if steady.any() { drift_along(solver, (body, rounded_off), (pose, steady), dt) } else { None }
}

/// The same along axes on which the velocity is steady.
fn drift_along(
    solver: &Solver,
    (body, rounded_off): (&Body, Vec2),
    (pose, steady): (Pose, BVec2),
    dt: f32,
) -> Option<(Vec2, Vec2)> {
    /// The share of its way by which a body may be off.
    const EXACT: f32 = 1e-3;
    let drift = pose.vel * dt + rounded_off;
    let way = drift + turned_aside(solver, body, pose.angle);
    let off = (pose.pos - body.pose.pos - way).abs();
    // Contacts and sweeps put it farther off than rounding, half a bit in each part.
    let rounded = solver.n_parts() * f32::EPSILON / 2.0 * pose.pos.abs();
    let drifts = steady & off.cmpgt(EXACT * drift.abs()) & off.cmple(rounded);
    if !drifts.any() || solver.may_sleep(body, pose.vel) {
        return None;
    }
    let (to, rounded_off) = advance(body.pose.pos, way);
    Some((Vec2::select(drifts, to, pose.pos), Vec2::select(drifts, rounded_off, Vec2::ZERO)))
}

/// The sum of a position and a way, and what rounding leaves out of it.
///
/// Source: Kahan, "Further remarks on reducing truncation errors", 1965.
pub(super) fn advance(from: Vec2, way: Vec2) -> (Vec2, Vec2) {
    let to = from + way;
    (to, way - (to - from))
}

/// How far the origin of a body moves by its turn to an angle (radians) about its center of mass, in pixels: its velocity
/// is that of the center.
fn turned_aside(solver: &Solver, body: &Body, angle: f32) -> Vec2 {
    let center = solver.center_of_mass(body);
    if angle == body.pose.angle || center == Vec2::ZERO {
        return Vec2::ZERO;
    }
    Rotation::new(body.pose.angle) * center - Rotation::new(angle) * center
}
