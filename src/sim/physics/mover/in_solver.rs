//! Which movers the solver has to know: those with a loose body near, or a joint.
//!
//! A mover finds what stops it by itself; the solver only pushes loose bodies out of its way. Invariant: a mover is in
//! the solver before a loose body can touch it, so results are those of a solver that always has all movers.

use glam::Vec2;

use super::super::{Physics, body::Motion, index::Index};
use crate::sim::EntityKey;

/// Distance within which a mover and a loose body, besides their motions in a tick, may meet, in pixels.
const MEET_PX: f32 = 16.0;

impl Physics {
    /// Give the solver the motions of the movers that it has to know, each from the position at which it started, and
    /// take the others out; `index` has all bodies.
    pub(super) fn give_movers_to_solver(&mut self, starts: &[(EntityKey, Vec2)], index: &Index) {
        let (jointed, mut near) = (self.jointed(), Vec::new());
        for (key, start) in starts {
            let is_in_solver =
                jointed.contains(key) || self.n_loose > 0 && self.has_loose_near(*key, *start, index, &mut near);
            let Some(body) = self.bodies.get_mut(*key) else { continue };
            if std::mem::replace(&mut body.is_in_solver, is_in_solver) != is_in_solver {
                self.solver.set_in_solver(body, *start);
            }
            if is_in_solver
                && *start != body.pose.pos
                && let Some(rigid) = self.solver.bodies.get_mut(body.handle)
            {
                rigid.set_next_kinematic_position(rapier2d::math::Pose::new(body.pose.pos, body.pose.angle));
            }
        }
    }

    fn has_loose_near(&self, key: EntityKey, start: Vec2, index: &Index, near: &mut Vec<EntityKey>) -> bool {
        let Some(body) = self.bodies.get(key) else { return false };
        let Some(collider) = &body.spec.collider else { return false };
        let [from, to] = [start, body.pose.pos].map(|pos| collider.bounds(pos, body.pose.angle));
        index.near_touching(from.union(to).grown(MEET_PX), collider.groups(), near);
        near.iter().any(|other| self.bodies.get(*other).is_some_and(|body| matches!(body.motion, Motion::Loose)))
    }
}
