//! Which movers the solver has to know: those with a loose body near, or a joint.
//!
//! A mover finds what stops it by itself; the solver only pushes loose bodies out of its way. Invariant: a mover is in
//! the solver in every tick in which a loose body may touch it. Outside, its colliders are disabled and the solver's
//! copy of its pose is stale.

use glam::Vec2;

use super::super::{Physics, index::Index};
use crate::sim::EntityKey;

/// A loose body is near a mover if the boxes around their motions in this tick are no farther apart than the greater of
/// these two, in pixels and in meters, plus the longest way of a kinematic body, which may push it as far. The second
/// is twice the distance at which the solver makes pairs of colliders.
const MEET_PX: f32 = 16.0;
const MEET_METERS: f32 = 0.2;

impl Physics {
    /// Give the solver the motions of the movers that it has to know, each from the position at which it started, and
    /// take the others out; `index` has all bodies.
    pub(super) fn give_movers_to_solver(&mut self, starts: &[(EntityKey, Vec2)], index: &Index) {
        if starts.is_empty() {
            return;
        }
        let way = |key: &EntityKey| self.bodies.get(*key).map(|body| body.end_pose().0.distance(body.pose.pos));
        let pushed = self.carried.iter().filter_map(way).fold(0.0, f32::max);
        let reach = MEET_PX.max(MEET_METERS * self.config.pixels_per_meter) + pushed;
        let (jointed, mut near) = (self.jointed(), Vec::new());
        for (key, start) in starts {
            let is_in_solver =
                jointed.contains(key) || self.n_loose > 0 && self.has_loose_near(*key, *start, reach, index, &mut near);
            let Some(body) = self.bodies.get_mut(*key) else { continue };
            match (std::mem::replace(&mut body.is_in_solver, is_in_solver), is_in_solver) {
                (false, true) => self.solver.enter(body, *start),
                (true, false) => self.solver.leave(body),
                _ => {}
            }
            if is_in_solver
                && *start != body.pose.pos
                && let Some(rigid) = self.solver.bodies.get_mut(body.handle)
            {
                rigid.set_next_kinematic_position(rapier2d::math::Pose::new(body.pose.pos, body.pose.angle));
            }
        }
    }

    /// Whether a loose body is within `reach` pixels of a mover, or of where it started.
    fn has_loose_near(
        &self,
        key: EntityKey,
        start: Vec2,
        reach: f32,
        index: &Index,
        near: &mut Vec<EntityKey>,
    ) -> bool {
        let Some(body) = self.bodies.get(key) else { return false };
        let Some(collider) = &body.spec.collider else { return false };
        let from = collider.bounds(start, body.pose.angle);
        let around = from.swept(body.pose.pos - start).grown(reach);
        index.loose_near_touching(around, collider.groups(), near);
        !near.is_empty()
    }
}
