//! Movers at rest: one whose last two steps left it as it was does the same in the next, unless something around it
//! changes, so that step need not be computed.
//!
//! Invariant: a step that is skipped would have had the same results. It depends on the mover's state, its input, the
//! settings, the ground and the bodies in the box in which the mover looks for obstacles; only static bodies may be there.

use std::sync::Arc;

use super::{Near, WalkInput};
use crate::sim::{
    EntityKey,
    physics::{
        Physics, Pose,
        body::{Body, Motion},
        convex::Aabb,
        index::Index,
        spec::BodySpec,
        touch::Found,
        zone::Felt,
    },
};

/// A step that left a mover as it was.
#[derive(Clone, Debug)]
pub(in crate::sim::physics) struct Rest {
    pose: Pose,
    motion: Motion,
    input: WalkInput,
    felt: Felt,
    /// Compared by identity.
    spec: Arc<BodySpec>,
    /// The box in which obstacles were looked for, in world pixels.
    region: Aabb,
    surroundings: Surroundings,
    /// The contacts of the step.
    found: Vec<Found>,
    /// Number of solids that were near.
    n_near: usize,
    /// Whether the step before left it as it was, too: then so will the next one.
    is_proven: bool,
}

/// What the steps of movers depend on besides their state: changes of the settings and the tiles, and of bodies that stand
/// still, are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Surroundings {
    revision: u64,
    still_revision: u64,
}

impl Rest {
    pub(super) fn n_near(&self) -> usize {
        self.n_near
    }

    pub(super) fn found(&self) -> &[Found] {
        &self.found
    }

    fn is_of(&self, body: &Body, input: WalkInput) -> bool {
        self.input == input
            && self.pose == body.pose
            && self.motion == body.motion
            && self.felt == body.felt
            && Arc::ptr_eq(&self.spec, &body.spec)
    }
}

impl Physics {
    pub(super) fn surroundings(&self) -> Surroundings {
        Surroundings { revision: self.revision, still_revision: self.still_revision }
    }

    /// The step that a mover would repeat, given its input, which was taken out of its state; `None` if it has to be
    /// computed.
    pub(super) fn repeated(
        &self,
        key: EntityKey,
        input: WalkInput,
        index: &Index,
        near: &mut Near,
    ) -> Option<Arc<Rest>> {
        let body = self.bodies.get(key)?;
        let rest = body.rest.as_ref().filter(|rest| rest.is_proven && rest.surroundings == self.surroundings())?;
        let groups = body.spec.collider.as_ref()?.groups();
        if !rest.is_of(body, input) {
            return None;
        }
        index.near_touching(rest.region, groups, &mut near.others);
        self.are_static(&near.others, key).then(|| Arc::clone(rest))
    }

    /// Note what the step of a mover did, if it left it as it was; `before` is its pose, and `input` its input, as the step
    /// began.
    pub(super) fn note_rest(&mut self, key: EntityKey, (before, input): (Pose, WalkInput), near: &Near) {
        let surroundings = self.surroundings();
        let are_static = self.are_static(&near.others, key);
        let Some(body) = self.bodies.get_mut(key) else { return };
        let was = body.rest.take();
        let is_pushed = near.is_cornered || near.is_pinned || near.is_in_ground || body.pushed != glam::Vec2::ZERO;
        if before != body.pose || is_pushed || near.crushed_by.is_some() || !are_static {
            return;
        }
        let is_same =
            |was: &Rest| was.is_of(body, input) && was.region == near.region && was.surroundings == surroundings;
        let is_proven = was.is_some_and(|was| is_same(&was));
        body.rest = Some(Arc::new(Rest {
            pose: body.pose,
            motion: body.motion.clone(),
            input,
            felt: body.felt,
            spec: Arc::clone(&body.spec),
            region: near.region,
            surroundings,
            found: if is_proven { near.found.clone() } else { Vec::new() },
            n_near: near.solids.len(),
            is_proven,
        }));
    }

    fn are_static(&self, others: &[EntityKey], but: EntityKey) -> bool {
        let is_static = |key: &EntityKey| self.bodies.get(*key).is_some_and(|body| body.spec.is_static());
        others.iter().all(|key| *key == but || is_static(key))
    }
}
