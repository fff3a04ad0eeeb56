//! What a body touches, as the last step found it: normals and depths. Contacts as messages are in `touch`.
//!
//! Invariant: the order goes by keys and places, so nothing depends on the order in which the solver has its pairs.

use glam::Vec2;
use rapier2d::geometry::ContactManifold;

use crate::sim::EntityKey;

use super::{
    Contact, Other, Physics,
    body::Body,
    solver::{IS_LEDGE, IS_ONE_WAY, entity_of},
};

/// The deepest contact point of a pair of faces: of a body, and of another one or of tiles. Two bodies may have several.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbor {
    /// The other body; `None` for tiles.
    pub(super) key: Option<EntityKey>,
    /// Unit normal from the body toward the other.
    pub(super) way: Vec2,
    /// Position, in pixels.
    pub(super) point: Vec2,
    /// Overlap in pixels as the step began; below zero while the two are only near each other. Zero for movers that a
    /// mover or kinematic body touches.
    pub(super) depth: f32,
    /// Overlap of the same two points after the step, in pixels.
    pub(super) depth_now: f32,
}

impl Neighbor {
    /// The free distance between the two after the step, in pixels; zero where they overlap.
    pub(super) fn gap_now(&self) -> f32 {
        (-self.depth_now).max(0.0)
    }
}

impl Physics {
    /// What a body touches: first the movers that it touches as a mover or kinematic body, then what it has contacts
    /// with in the solver, in key order.
    pub(super) fn neighbors(&self, key: EntityKey) -> Vec<Neighbor> {
        let Some(body) = self.bodies.get(key) else { return Vec::new() };
        let mut found = self.in_solver(body);
        let order = |a: &Neighbor, b: &Neighbor| {
            let numbers = |it: &Neighbor| [it.depth, it.way.x, it.way.y, it.point.x, it.point.y];
            let by_number = numbers(a).into_iter().zip(numbers(b)).map(|(a, b)| a.total_cmp(&b));
            by_number.fold(a.key.cmp(&b.key), std::cmp::Ordering::then)
        };
        found.sort_by(order);
        if !body.is_loose() {
            found.retain(|it| !it.key.is_some_and(|other| self.is_mover(other)));
            found.splice(0..0, self.movers_at(key));
        }
        found.retain(|it| !it.key.is_some_and(|other| self.is_faulty(other)));
        found
    }

    /// The movers that a mover or kinematic body touched in the last step.
    pub(super) fn movers_at(&self, key: EntityKey) -> impl Iterator<Item = Neighbor> {
        self.touches.of(key).filter_map(|Contact { b, normal, point, sensor, .. }| {
            let Other::Entity(other) = b else { return None };
            let touched = Neighbor { key: Some(other), way: -normal, point, depth: 0.0, depth_now: 0.0 };
            (!sensor && self.is_mover(other)).then_some(touched)
        })
    }

    fn in_solver(&self, body: &Body) -> Vec<Neighbor> {
        let mut found = Vec::new();
        for own in self.solver.colliders_of(body) {
            for pair in self.solver.narrow_phase.contact_pairs_with(*own) {
                let is_first = pair.collider1 == *own;
                let pair_of = [pair.collider1, pair.collider2].map(|it| self.solver.colliders.get(it));
                let [Some(first), Some(second)] = pair_of else { continue };
                let is_one_way = (first.user_data | second.user_data) & (IS_LEDGE | IS_ONE_WAY) != 0;
                let key = entity_of(if is_first { second } else { first }.user_data);
                // The solver gets no contacts with movers, nor with what does not stop the body: one-way ground that it
                // goes through, edges that it is behind.
                let has_mover = !is_one_way && (body.spec.is_mover() || key.is_some_and(|key| self.is_mover(key)));
                let counts = |manifold: &&ContactManifold| has_mover || !manifold.data.solver_contacts.is_empty();
                // In a corner of the ground a pair has several.
                found.extend(pair.manifolds().iter().filter(counts).filter_map(|manifold| {
                    let contact = manifold.find_deepest_contact()?;
                    let to_second = manifold.data.normal;
                    let places = [first.position() * contact.local_p1, second.position() * contact.local_p2];
                    let way = if is_first { to_second } else { -to_second };
                    let depth_now = (places[0] - places[1]).dot(to_second);
                    Some(Neighbor { key, way, point: places[0], depth: -contact.dist, depth_now })
                }));
            }
        }
        found
    }
}
