//! Contacts as the solver had them in its last step, of one body with each of its neighbors.
//!
//! Invariant: ordered by the other's key, so nothing depends on the solver's own order.

use glam::Vec2;
use rapier2d::geometry::ContactManifold;

use crate::sim::EntityKey;

use super::{
    Physics,
    body::Body,
    solver::{IS_LEDGE, IS_ONE_WAY, entity_of},
};

/// The deepest contact of a body with another one, or with tiles.
#[derive(Clone, Copy, Debug)]
pub(super) struct SolverContact {
    /// The other entity; `None` for tiles.
    pub(super) other: Option<EntityKey>,
    /// Unit normal toward the body.
    pub(super) normal: Vec2,
    /// Depth in pixels as the step began; below zero while they are only near each other.
    pub(super) depth: f32,
    /// The depth now, in pixels.
    pub(super) depth_now: f32,
    /// Where they touch, in world pixels.
    pub(super) point: Vec2,
}

impl SolverContact {
    /// The free distance between the two now, in pixels; zero where they overlap.
    pub(super) fn gap_now(&self) -> f32 {
        (-self.depth_now).max(0.0)
    }
}

impl Physics {
    /// The contacts of a body in the last step of the solver, one for each pair of faces, in key order.
    pub(super) fn contacts_with(&self, body: &Body) -> Vec<SolverContact> {
        let rigid = self.solver.bodies.get(body.handle);
        let colliders = rigid.map_or(&[][..], rapier2d::dynamics::RigidBody::colliders);
        let mut found = Vec::new();
        for own in colliders {
            for pair in self.solver.narrow_phase.contact_pairs_with(*own) {
                let is_first = pair.collider1 == *own;
                let pair_of = [pair.collider1, pair.collider2].map(|it| self.solver.colliders.get(it));
                let [Some(first), Some(second)] = pair_of else { continue };
                let is_one_way = (first.user_data | second.user_data) & (IS_LEDGE | IS_ONE_WAY) != 0;
                let other = entity_of(if is_first { second } else { first }.user_data);
                // What goes through one-way ground has contacts that the solver does not get.
                let counts = |manifold: &&ContactManifold| !is_one_way || !manifold.data.solver_contacts.is_empty();
                // In a corner of the ground a pair has several.
                found.extend(pair.manifolds().iter().filter(counts).filter_map(|manifold| {
                    let contact = manifold.find_deepest_contact()?;
                    let to_second = manifold.data.normal;
                    let places = [first.position() * contact.local_p1, second.position() * contact.local_p2];
                    let normal = if is_first { -to_second } else { to_second };
                    let depth_now = (places[0] - places[1]).dot(to_second);
                    Some(SolverContact { other, normal, depth: -contact.dist, depth_now, point: places[0] })
                }));
            }
        }
        found.sort_by(|a, b| a.other.cmp(&b.other).then(a.depth.total_cmp(&b.depth)));
        found
    }
}
