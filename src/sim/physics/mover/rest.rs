//! Movers at rest: one whose last two steps left it as it was does the same in the next, unless something around it
//! changes, so that step need not be computed.
//!
//! Invariant: a step that is skipped would have had the same results. It depends on the mover's state, its input, the
//! settings, the ground and the bodies in the box in which the mover looks for obstacles. Only bodies that do not move may
//! be there, and none that the mover pushes or that is pushed.

use std::sync::Arc;

use glam::Vec2;

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
    /// `Physics::revision`.
    revision: u64,
    /// The other bodies there.
    others: Vec<Other>,
    /// The contacts of the step.
    found: Vec<Found>,
    /// Number of solids that were near.
    n_near: usize,
    /// Whether the step before left it as it was, too: then so will the next one.
    is_proven: bool,
}

/// A body that does not move.
#[derive(Clone, Debug)]
struct Other {
    key: EntityKey,
    pos: Vec2,
    angle: f32,
    spec: Arc<BodySpec>,
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
        let rest = body.rest.as_ref().filter(|rest| rest.is_proven && rest.revision == self.revision)?;
        let groups = body.spec.collider.as_ref()?.groups();
        if !rest.is_of(body, input) {
            return None;
        }
        index.near_touching(rest.region, groups, &mut near.others);
        self.are_there(&rest.others, &near.others, key).then(|| Arc::clone(rest))
    }

    /// Note what the step of a mover did, if that left everything as it was; `before` is its pose, and `input` its input, as
    /// the step began.
    pub(super) fn note_rest(&mut self, key: EntityKey, (before, input): (Pose, WalkInput), near: &Near) {
        let Some(body) = self.bodies.get_mut(key) else { return };
        let was = body.rest.take();
        let is_pushed = near.is_cornered || near.is_pinned || near.is_in_ground || body.pushed != Vec2::ZERO;
        let is_as_before = before == body.pose && !is_pushed && near.crushed_by.is_none() && !near.has_pushed;
        let Some(body) = self.bodies.get(key).filter(|_| is_as_before) else { return };
        // The weight on a loose body depends on what that rests on.
        let ground = body.motion.ground().and_then(|ground| ground.other.entity());
        if ground.is_some_and(|ground| self.is_loose(ground)) {
            return;
        }
        let is_proven = was.is_some_and(|was| {
            was.is_of(body, input)
                && was.region == near.region
                && was.revision == self.revision
                && self.are_there(&was.others, &near.others, key)
        });
        let others = near.others.iter().filter(|other| **other != key).map(|other| {
            let body = self.bodies.get(*other).filter(|body| self.stays(body))?;
            let Pose { pos, angle, .. } = body.pose;
            Some(Other { key: *other, pos, angle, spec: Arc::clone(&body.spec) })
        });
        let Some(others) = others.collect::<Option<Vec<_>>>() else { return };
        let rest = Rest {
            pose: body.pose,
            motion: body.motion.clone(),
            input,
            felt: body.felt,
            spec: Arc::clone(&body.spec),
            region: near.region,
            revision: self.revision,
            others,
            found: if is_proven { near.found.clone() } else { Vec::new() },
            n_near: near.solids.len(),
            is_proven,
        };
        if let Some(body) = self.bodies.get_mut(key) {
            body.rest = Some(Arc::new(rest));
        }
    }

    /// Whether exactly these bodies are still there, and do not move; `but` counts as absent.
    fn are_there(&self, others: &[Other], keys: &[EntityKey], but: EntityKey) -> bool {
        let is_there = |other: &Other, key: EntityKey| {
            let is_same = |body: &&Body| {
                other.pos == body.pose.pos && other.angle == body.pose.angle && Arc::ptr_eq(&other.spec, &body.spec)
            };
            other.key == key && self.bodies.get(key).filter(is_same).is_some_and(|body| self.stays(body))
        };
        let mut keys = keys.iter().filter(|key| **key != but);
        others.iter().all(|other| keys.next().is_some_and(|key| is_there(other, *key))) && keys.next().is_none()
    }

    /// Whether a body does not move, and nothing about it but its place matters to a mover.
    fn stays(&self, body: &Body) -> bool {
        let is_calm = || self.crushes.is_calm() && self.pushed_along.is_empty() && self.lifted.is_empty();
        let is_still = || body.pose.vel == Vec2::ZERO && body.pose.spin == 0.0 && !body.moves_in_step();
        body.spec.is_static() || !body.spec.is_mover() && is_still() && is_calm()
    }
}
