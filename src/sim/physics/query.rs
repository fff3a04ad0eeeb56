//! Queries of the physical world: rays, bodies in an area, and everything the overlays draw.
//!
//! Invariant: queries change nothing. Bodies come in key order; a ray gives the nearest hit.

use std::collections::BTreeMap;

use glam::Vec2;
use rapier2d::geometry::ContactPair;

use crate::{model::Cell, sim::EntityKey};

use super::{
    Contact, Other, Physics,
    body::{Body, Motion},
    convex::{Aabb, Convex, distance},
    index::Index,
    sat::{Explanation, explain},
    solver::entity_of,
    spec::{PartSpec, TILE_LAYER},
};

/// What a ray hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// What.
    pub other: Other,
    /// Where, in pixels.
    pub point: Vec2,
    /// Unit length, out of what was hit.
    pub normal: Vec2,
    /// From where the ray began, in pixels.
    pub distance: f32,
}

/// A piece of the ground's outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileOutline {
    /// From here, in pixels.
    pub from: Vec2,
    /// To here; the outside is on the left.
    pub to: Vec2,
    /// Solid only from above.
    pub one_way: bool,
}

/// One point of a contact, to show.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactView {
    /// The first body.
    pub a: EntityKey,
    /// The second; `None` for tiles.
    pub b: Option<EntityKey>,
    /// Where, in pixels.
    pub point: Vec2,
    /// Unit length, toward `a`.
    pub normal: Vec2,
    /// How deep they are in each other, in pixels; below zero while they only come near. None for what walkers and
    /// flyers touch: they are moved so far only that they touch it.
    pub depth: Option<f32>,
    /// What the solver pushed them apart with in the last tick, in kg·px/s; none for what walkers and flyers touch.
    pub impulse: Option<f32>,
}

impl Physics {
    /// The first solid thing on the line from one point to another, in pixels: tiles and colliders that are no sensors,
    /// but for those `ignore` names. A ray that begins in a collider does not hit that one.
    #[must_use]
    pub fn ray(&self, from: Vec2, to: Vec2, ignore: &[EntityKey]) -> Option<Hit> {
        let motion = to - from;
        if !from.is_finite() || !to.is_finite() {
            return None;
        }
        let length = motion.length();
        let tile = self.tiles.ray(from, motion);
        let mut best = tile.map(|hit| {
            let name = self.tiles.kind(hit.cell).map_or_else(|| "".into(), |kind| kind.name.clone());
            (hit.share, hit.normal, Other::Tile { cell: hit.cell, name })
        });
        let mut keys = Vec::new();
        self.index().near(Aabb { lo: from.min(to), hi: from.max(to) }, &mut keys);
        for key in keys.into_iter().filter(|key| !ignore.contains(key)) {
            let solids = self.solids(key);
            // One of a single part is not hit from within anyway.
            if solids.len() > 1 && solids.iter().any(|shape| shape.holds(from)) {
                continue;
            }
            for (share, normal) in solids.iter().filter_map(|shape| shape.ray(from, motion)) {
                if best.as_ref().is_none_or(|(first, ..)| share < *first) {
                    best = Some((share, normal, Other::Entity(key)));
                }
            }
        }
        best.map(|(share, normal, other)| Hit { other, point: from + motion * share, normal, distance: length * share })
    }

    /// Everything whose collider shares a point with a circle, sensors too, in key order.
    #[must_use]
    pub fn overlapping_circle(&self, center: Vec2, radius: f32) -> Vec<EntityKey> {
        let radius = radius.max(0.0);
        let mut keys = Vec::new();
        self.index().near(Aabb { lo: center, hi: center }.grown(radius), &mut keys);
        let meets = |shape: &Convex| distance(&shape.points, center).0 <= shape.radius + radius;
        keys.retain(|key| self.shapes(*key).iter().any(meets));
        keys
    }

    /// Everything whose collider's bounding box shares a point with an upright rectangle, in key order.
    #[must_use]
    pub fn overlapping_rect(&self, lo: Vec2, hi: Vec2) -> Vec<EntityKey> {
        let mut keys = Vec::new();
        self.index().near(Aabb { lo: lo.min(hi), hi: lo.max(hi) }, &mut keys);
        keys
    }

    /// The parts of a body's collider where they are, in world pixels.
    #[must_use]
    pub fn shapes(&self, key: EntityKey) -> Vec<Convex> {
        self.placed(key, |_| true)
    }

    /// Those of them that push; none of what was taken out of the simulation.
    pub(super) fn solids(&self, key: EntityKey) -> Vec<Convex> {
        if self.is_faulty(key) { Vec::new() } else { self.placed(key, |part| !part.sensor) }
    }

    fn placed(&self, key: EntityKey, counts: impl Fn(&PartSpec) -> bool) -> Vec<Convex> {
        let Some(body) = self.bodies.get(key) else { return Vec::new() };
        let parts = body.spec.collider.iter().flat_map(|collider| &collider.parts).filter(|part| counts(part));
        parts.map(|part| part.convex.placed(body.pose.pos, body.pose.angle)).collect()
    }

    /// The upright box around a body's collider, in world pixels.
    #[must_use]
    pub fn bounds(&self, key: EntityKey) -> Option<Aabb> {
        let body = self.bodies.get(key)?;
        Some(body.spec.collider.as_ref()?.bounds(body.pose.pos, body.pose.angle))
    }

    /// A number that grows whenever one of [`Self::still`] may have come, gone or changed.
    #[must_use]
    pub fn still_revision(&self) -> u64 {
        self.still_revision
    }

    /// Whether a body carries and pushes what is in its way, where [`set_next_pose`](Physics::set_next_pose) puts it.
    #[must_use]
    pub fn is_carried(&self, key: EntityKey) -> bool {
        self.bodies.get(key).is_some_and(|body| matches!(body.motion, Motion::Carried { .. }))
    }

    /// The kinematic bodies.
    pub(in crate::sim) fn carried(&self) -> impl Iterator<Item = EntityKey> {
        self.bodies.iter().filter(|(_, body)| matches!(body.motion, Motion::Carried { .. })).map(|(key, _)| key)
    }

    /// What does not move and stops whatever tiles stop, as closed doors do: the parts of their colliders where they
    /// are, in world pixels, by body and number. Kinematic bodies are among them while they [rest](Self::set_resting).
    #[must_use]
    pub fn still(&self) -> BTreeMap<(EntityKey, usize), Convex> {
        let stops = |key: EntityKey, body: &Body| {
            let is_still = body.spec.is_static() || self.resting.contains(&key);
            let collider = body.spec.collider.as_ref().filter(|_| is_still);
            collider.is_some_and(|collider| !collider.one_way && collider.layer & TILE_LAYER != 0)
        };
        let keys = self.bodies.iter().filter(|(key, body)| stops(*key, body)).map(|(key, _)| key);
        keys.flat_map(|key| self.solids(key).into_iter().enumerate().map(move |(i, part)| ((key, i), part))).collect()
    }

    /// The parts of a body's collider as closed outlines, in world pixels.
    #[must_use]
    pub fn outlines(&self, key: EntityKey) -> Vec<Vec<Vec2>> {
        self.shapes(key).iter().map(Convex::outline).collect()
    }

    /// The outline of the ground in an upright rectangle, in world pixels.
    #[must_use]
    pub fn tile_outlines(&self, lo: Vec2, hi: Vec2) -> Vec<TileOutline> {
        let found = self.tiles.outline(Aabb { lo, hi }).into_iter();
        found.map(|([from, to], one_way)| TileOutline { from, to, one_way }).collect()
    }

    /// Every contact point there is: those of the solver, and what walkers and flyers touch.
    #[must_use]
    pub fn contact_views(&self) -> Vec<ContactView> {
        let mut views = Vec::new();
        self.solver.narrow_phase.contact_pairs().for_each(|pair| self.view_pair(pair, &mut views));
        for (key, _) in self.bodies.iter().filter(|(_, body)| body.spec.is_mover()) {
            views.extend(self.touches.of(key).filter(|contact| !contact.sensor).map(found_by_mover));
        }
        views
    }

    /// The same of one body. What it costs does not depend on how many others there are.
    pub(super) fn contact_views_of(&self, key: EntityKey) -> Vec<ContactView> {
        let Some(body) = self.bodies.get(key) else { return Vec::new() };
        let rigid = self.solver.bodies.get(body.handle);
        let colliders = rigid.map_or(&[][..], rapier2d::dynamics::RigidBody::colliders);
        let mut views = Vec::new();
        for own in colliders {
            self.solver.narrow_phase.contact_pairs_with(*own).for_each(|pair| self.view_pair(pair, &mut views));
        }
        let is_mover = |key: EntityKey| self.bodies.get(key).is_some_and(|body| body.spec.is_mover());
        let by_mover = |contact: &Contact| match contact.b {
            Other::Entity(other) => is_mover(key) || is_mover(other),
            Other::Tile { .. } => is_mover(key),
        };
        let touching = self.touches.of(key).filter(|contact| !contact.sensor);
        views.extend(touching.filter(by_mover).map(found_by_mover));
        views
    }

    /// What the solver has of the contact of two colliders.
    fn view_pair(&self, pair: &ContactPair, views: &mut Vec<ContactView>) {
        let colliders = [pair.collider1, pair.collider2].map(|handle| self.solver.colliders.get(handle));
        let [Some(first), Some(second)] = colliders else { return };
        let (a, b, sign) = match (entity_of(first.user_data), entity_of(second.user_data)) {
            (Some(a), b) => (a, b, -1.0),
            (None, Some(b)) => (b, None, 1.0),
            (None, None) => return,
        };
        for manifold in pair.manifolds().iter().filter(|manifold| !manifold.data.solver_contacts.is_empty()) {
            for contact in &manifold.points {
                let local = manifold.subshape_pos1().map_or(contact.local_p1, |pos| *pos * contact.local_p1);
                let (point, normal) = (*first.position() * local, manifold.data.normal * sign);
                let (depth, impulse) = (Some(-contact.dist), Some(contact.data.impulse));
                views.push(ContactView { a, b, point, normal, depth, impulse });
            }
        }
    }

    /// Why two bodies touch or do not: every separating axis, for each pair of their parts. Nothing when one has no
    /// collider.
    #[must_use]
    pub fn explain(&self, a: EntityKey, b: EntityKey) -> Vec<Explanation> {
        pairwise(&self.shapes(a), &self.shapes(b))
    }

    /// Why a body and a tile touch or do not, for each part of the body and each convex piece of the tile.
    #[must_use]
    pub fn explain_tile(&self, a: EntityKey, cell: Cell) -> Vec<Explanation> {
        pairwise(&self.shapes(a), &self.tiles.pieces(cell))
    }

    /// Whether a body rests so long already that the solver no longer moves it.
    #[must_use]
    pub fn is_sleeping(&self, key: EntityKey) -> bool {
        let body = self.bodies.get(key).and_then(|body| self.solver.bodies.get(body.handle));
        body.is_some_and(rapier2d::dynamics::RigidBody::is_sleeping)
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| self.index_of(false))
    }

    /// An index of everything that has a shape; a `roomy` one holds what moves during a step.
    pub(super) fn index_of(&self, roomy: bool) -> Index {
        let boxes = self.boxes(roomy);
        Index::new(boxes.filter_map(|(key, body, aabb)| Some((key, body.spec.collider.as_ref()?.groups(), aabb))))
    }
}

fn found_by_mover(contact: Contact) -> ContactView {
    let b = if let Other::Entity(b) = contact.b { Some(b) } else { None };
    ContactView { a: contact.a, b, point: contact.point, normal: contact.normal, depth: None, impulse: None }
}

fn pairwise(a: &[Convex], b: &[Convex]) -> Vec<Explanation> {
    a.iter().flat_map(|a| b.iter().map(move |b| explain(a, b))).collect()
}
