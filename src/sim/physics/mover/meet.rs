//! Which movers the solver has to know: those with a loose body near.
//!
//! A mover finds what stops it by itself; the solver only pushes loose bodies out of its way. Invariant: the colliders
//! of a mover are in the solver before a loose body can touch it, so results are those of a solver that always has
//! them.

use crate::sim::EntityKey;

use super::super::{Physics, body::Motion, index::Index};

/// Distance within which a mover and a loose body, besides their motions in a tick, may meet, in pixels.
const MEET_PX: f32 = 16.0;

impl Physics {
    /// Enable the colliders of movers with loose bodies near, and disable the others; `index` has all bodies.
    pub(super) fn let_movers_meet(&mut self, index: &Index) {
        let mut near = Vec::new();
        for key in &self.movers {
            let is_met = self.n_loose > 0 && self.has_loose_near(*key, index, &mut near);
            let Some(body) = self.bodies.get_mut(*key) else { continue };
            if std::mem::replace(&mut body.is_met, is_met) != is_met {
                self.solver.set_met(body);
            }
        }
    }

    fn has_loose_near(&self, key: EntityKey, index: &Index, near: &mut Vec<EntityKey>) -> bool {
        let Some(body) = self.bodies.get(key) else { return false };
        let Some(collider) = &body.spec.collider else { return false };
        let bounds = |pos| collider.bounds(pos, body.pose.angle);
        let start = self.solver.bodies.get(body.handle).map_or(body.pose.pos, |rigid| rigid.translation());
        let around = bounds(start).union(bounds(body.pose.pos)).grown(MEET_PX);
        index.near_touching(around, collider.groups(), near);
        near.iter().any(|other| self.bodies.get(*other).is_some_and(|body| matches!(body.motion, Motion::Loose)))
    }
}
