//! Movers at rest: one whose last step left it as it was does the same in the next, unless something around it changes,
//! so that step need not be computed.
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
    /// `Physics::ground_revision`.
    ground_revision: u64,
    /// The other bodies there.
    others: Vec<StillBody>,
    /// The contacts of the step.
    found: Vec<Found>,
    /// Number of solids that were near.
    n_near: usize,
    /// Whether the mover began the step in the state in which it ended: then so will the next one.
    is_proven: bool,
}

/// A body that does not move.
#[derive(Clone, Debug)]
struct StillBody {
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

    /// Whether it ended in the present state of a mover, and was made with the same input and settings.
    fn ended_in(&self, body: &Body, input: WalkInput, ground_revision: u64) -> bool {
        self.input == input
            && self.pose.bits() == body.pose.bits()
            && self.motion == body.motion
            && self.felt == body.felt
            && self.ground_revision == ground_revision
            && Arc::ptr_eq(&self.spec, &body.spec)
    }
}

impl Physics {
    /// The last step of a mover, if that left its pose as it was and ended in its present state; `input` was taken out of
    /// that.
    pub(super) fn last_step(&self, key: EntityKey, input: WalkInput) -> Option<Arc<Rest>> {
        let body = self.bodies.get(key)?;
        body.rest.clone().filter(|rest| rest.ended_in(body, input, self.ground_revision))
    }

    /// Whether the step that a mover makes now is its last one again.
    pub(super) fn repeats(&self, key: EntityKey, last: &Rest, index: &Index, near: &mut Near) -> bool {
        let collider = self.bodies.get(key).and_then(|body| body.spec.collider.as_ref());
        let Some(collider) = collider.filter(|_| last.is_proven) else { return false };
        index.near_touching(last.region, collider.groups(), &mut near.others);
        self.are_there(&last.others, &near.others, key)
    }

    /// Note the step of a mover that left its pose as it was, and pushed nothing; `last` is the step before, if it ended in
    /// the state in which this one began.
    pub(super) fn note_rest(&mut self, key: EntityKey, input: WalkInput, last: Option<&Rest>, near: &Near) {
        let Some(body) = self.bodies.get_mut(key) else { return };
        body.rest = None;
        let is_hindered = near.is_cornered || near.is_pinned || near.crushed_by.is_some() || body.pushed != Vec2::ZERO;
        // The weight on a loose body depends on what that rests on.
        if is_hindered || body.spec.collider.is_none() || self.carrier(key).is_some_and(|ground| self.is_loose(ground))
        {
            return;
        }
        let others = near.others.iter().filter(|other| **other != key).map(|other| {
            let body = self.bodies.get(*other).filter(|body| self.stays(body))?;
            let Pose { pos, angle, .. } = body.pose;
            let is_solid_to_it = !self.crushes.ignore_each_other(key, *other);
            is_solid_to_it.then(|| StillBody { key: *other, pos, angle, spec: Arc::clone(&body.spec) })
        });
        let Some(others) = others.collect::<Option<Vec<_>>>() else { return };
        let Some(body) = self.bodies.get_mut(key) else { return };
        let is_proven = last.is_some_and(|last| last.ended_in(body, input, self.ground_revision));
        body.rest = Some(Arc::new(Rest {
            pose: body.pose,
            motion: body.motion.clone(),
            input,
            felt: body.felt,
            spec: Arc::clone(&body.spec),
            region: near.region,
            ground_revision: self.ground_revision,
            others,
            found: if is_proven { near.found.clone() } else { Vec::new() },
            n_near: near.solids.len(),
            is_proven,
        }));
    }

    /// Whether exactly these bodies are still there, and do not move; `but` counts as absent.
    fn are_there(&self, others: &[StillBody], keys: &[EntityKey], but: EntityKey) -> bool {
        let is_there = |other: &StillBody, key: EntityKey| {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{LevelView, Shape},
        sim::physics::{BodyKind, FlyerSpec, PhysicsConfig, SolverConfig},
    };

    #[test]
    fn a_mover_rests_while_nothing_around_it_moves() {
        let config = PhysicsConfig {
            view: LevelView::TopDown,
            gravity_px_s2: 0.0,
            pixels_per_meter: 16.0,
            dt_secs: 1.0 / 64.0,
            top_down_damping: 6.0,
            contact_speed: 1.0,
            crush_depth: 3.0,
            solver: SolverConfig::default(),
        };
        let block = BodySpec::fixed(Shape::Box([8.0, 8.0]));
        let flyer = FlyerSpec { speed: 90.0, acceleration: 240.0, arrive_radius: 24.0 };
        let bat = BodySpec { flyer: Some(flyer), ..BodySpec::dynamic(Shape::Circle(4.0)) };
        let door = BodySpec { kind: BodyKind::Kinematic, ..block.clone() };
        let moving = BodySpec { velocity: Vec2::new(0.0, 1.0), ..door.clone() };
        let resting = BodySpec::dynamic(Shape::Box([8.0, 8.0]));
        for (beside, rests) in
            [(None, true), (Some(block), true), (Some(resting), true), (Some(door), true), (Some(moving), false)]
        {
            let mut keys = slotmap::SlotMap::with_key();
            let (own, other) = (keys.insert(()), keys.insert(()));
            let mut physics = Physics::new(config.clone());
            physics.spawn(own, &bat, Vec2::ZERO, 0.0).unwrap();
            if let Some(beside) = &beside {
                physics.spawn(other, beside, Vec2::new(9.0, 0.0), 0.0).unwrap();
            }
            for _ in 0..4 {
                physics.step();
            }
            let is_proven = physics.bodies[own].rest.as_ref().is_some_and(|rest| rest.is_proven);
            assert_eq!(is_proven, rests, "{beside:?}");
        }
    }
}
