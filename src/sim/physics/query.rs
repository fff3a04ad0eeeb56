//! Queries of the physical world: rays, bodies in an area, and the data of the overlays.
//!
//! Invariant: queries change nothing. Bodies are returned in key order; a ray returns the nearest hit.

use std::collections::BTreeMap;

use std::collections::BTreeSet;

use glam::Vec2;
use rapier2d::geometry::ContactPair;

use crate::{model::Cell, sim::EntityKey};

use super::{
    Contact, Other, Physics,
    body::Body,
    convex::{Aabb, Convex, difference, distance},
    index::{Entry, Index},
    sat::{Explanation, explain},
    solver::entity_of,
    spec::{ColliderSpec, PartSpec},
};

/// What a ray hit.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The body or tile that was hit.
    pub other: Other,
    /// The point that was hit, in pixels.
    pub point: Vec2,
    /// Unit normal out of the surface that was hit.
    pub normal: Vec2,
    /// Distance from the start of the ray, in pixels.
    pub distance: f32,
}

/// A piece of the ground's outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TileOutline {
    /// The start, in pixels.
    pub from: Vec2,
    /// The end, in pixels; the outside is on the left.
    pub to: Vec2,
    /// Whether it is solid only from above.
    pub one_way: bool,
}

/// A contact point, for display.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactView {
    /// The first body.
    pub a: EntityKey,
    /// The second; `None` for tiles.
    pub b: Option<EntityKey>,
    /// Position, in pixels.
    pub point: Vec2,
    /// Unit normal toward `a`.
    pub normal: Vec2,
    /// Depth of the overlap in pixels; below zero while the two are only near each other. `None` for contacts of
    /// walkers and flyers, which are moved only until they touch.
    pub depth: Option<f32>,
    /// Impulse of the solver in the last step, in kg·px/s; `None` for contacts of walkers and flyers.
    pub impulse: Option<f32>,
}

impl Physics {
    /// The first solid on the line between two points in pixels: tiles and colliders that are no sensors, except the
    /// bodies that `ignore` names. A ray that begins inside a collider does not hit it.
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
            // A collider of a single convex part is not hit from inside anyway.
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

    /// The bodies whose collider shares a point with a circle, sensors included, in key order.
    #[must_use]
    pub fn overlapping_circle(&self, center: Vec2, radius: f32) -> Vec<EntityKey> {
        let radius = radius.max(0.0);
        let mut keys = Vec::new();
        self.index().near(Aabb { lo: center, hi: center }.grown(radius), &mut keys);
        let meets = |shape: &Convex| distance(&shape.points, center).0 <= shape.radius + radius;
        keys.retain(|key| self.shapes(*key).iter().any(meets));
        keys
    }

    /// The bodies whose collider's bounding box shares a point with an upright rectangle, in key order.
    #[must_use]
    pub fn overlapping_rect(&self, lo: Vec2, hi: Vec2) -> Vec<EntityKey> {
        let mut keys = Vec::new();
        self.index().near(Aabb { lo: lo.min(hi), hi: lo.max(hi) }, &mut keys);
        keys
    }

    /// The parts of a body's collider in world pixels.
    #[must_use]
    pub fn shapes(&self, key: EntityKey) -> Vec<Convex> {
        self.placed(key, |_| true)
    }

    /// The solid parts of a body's collider in world pixels; none if the body was taken out of the simulation.
    pub(in crate::sim) fn solids(&self, key: EntityKey) -> Vec<Convex> {
        if self.is_faulty(key) { Vec::new() } else { self.placed(key, |part| !part.sensor) }
    }

    /// Whether two bodies that stop each other are no more than `within_px` pixels apart, from side to side.
    #[must_use]
    pub fn are_within(&self, a: EntityKey, b: EntityKey, within_px: f32) -> bool {
        let around = |shapes: &[Convex]| shapes.iter().map(Convex::aabb).reduce(Aabb::union);
        let (own, others) = (self.solids(a), self.solids(b));
        let meet = around(&own).zip(around(&others)).is_some_and(|(own, other)| own.grown(within_px).meets(other));
        let mut core = Vec::new();
        let mut are_near = |p: &Convex, q: &Convex| {
            difference(&q.points, &p.points, &mut core);
            distance(&core, Vec2::ZERO).0 <= p.radius + q.radius + within_px
        };
        meet && self.stop_each_other(a, b) && own.iter().any(|p| others.iter().any(|q| are_near(p, q)))
    }

    /// Whether a body is solid for another one, perhaps only from above.
    #[must_use]
    pub fn can_stop(&self, body: EntityKey, other: EntityKey) -> bool {
        self.solid(body).zip(self.solid(other)).is_some_and(|(body, other)| body.can_touch(other))
    }

    /// Whether two bodies stop each other from all sides: their layers and masks let them touch, both are solid, and
    /// neither only from above.
    #[must_use]
    pub fn stop_each_other(&self, a: EntityKey, b: EntityKey) -> bool {
        let stops = |key| self.solid(key).is_some_and(|it| !it.one_way) && !self.is_faulty(key);
        a != b && stops(a) && stops(b) && self.can_stop(a, b)
    }

    /// Set the walkers and flyers that go through each other.
    pub(in crate::sim) fn set_passing(&mut self, movers: BTreeSet<EntityKey>) {
        self.passing = movers;
    }

    /// Whether two walkers or flyers go through each other for now.
    #[must_use]
    pub fn pass_each_other(&self, a: EntityKey, b: EntityKey) -> bool {
        !self.passing.is_empty() && self.passing.contains(&a) && self.passing.contains(&b)
    }

    /// The collider of a body, unless it is a sensor.
    fn solid(&self, key: EntityKey) -> Option<&ColliderSpec> {
        self.spec(key)?.collider.as_ref().filter(|it| !it.is_sensor())
    }

    fn placed(&self, key: EntityKey, counts: impl Fn(&PartSpec) -> bool) -> Vec<Convex> {
        let Some(body) = self.bodies.get(key) else { return Vec::new() };
        let parts = body.spec.collider.iter().flat_map(|collider| &collider.parts).filter(|part| counts(part));
        parts.map(|part| part.convex.placed(body.pose.pos, body.pose.angle)).collect()
    }

    /// The bounding box of a body's collider in world pixels.
    #[must_use]
    pub fn bounds(&self, key: EntityKey) -> Option<Aabb> {
        let body = self.bodies.get(key)?;
        Some(body.spec.collider.as_ref()?.bounds(body.pose.pos, body.pose.angle))
    }

    /// The bounding box of the solid parts of a body's collider in world pixels, or of all parts of a sensor.
    #[must_use]
    pub fn solid_bounds(&self, key: EntityKey) -> Option<Aabb> {
        let body = self.bodies.get(key)?;
        Some(body.spec.collider.as_ref()?.solid_bounds(body.pose.pos, body.pose.angle))
    }

    /// A number that grows whenever one of [`Self::still`] may have been added, removed or changed.
    #[must_use]
    pub fn still_revision(&self) -> u64 {
        self.still_revision
    }

    /// Whether a body is moved by [`set_next_pose`](Physics::set_next_pose), and carries and pushes others.
    #[must_use]
    pub fn is_carried(&self, key: EntityKey) -> bool {
        self.carried.contains(&key)
    }

    /// Whether a zone acts on a body.
    #[must_use]
    pub fn is_in_zone(&self, key: EntityKey) -> bool {
        self.in_zones.contains(&key)
    }

    /// All kinematic bodies.
    pub(in crate::sim) fn carried(&self) -> impl Iterator<Item = EntityKey> {
        self.carried.iter().copied()
    }

    /// The obstacles that do not move, such as closed doors: the parts of the colliders that stop whatever tiles stop,
    /// in world pixels, by body and number. Kinematic bodies are included while they [rest](Self::set_resting).
    #[must_use]
    pub fn still(&self) -> BTreeMap<(EntityKey, usize), Convex> {
        self.still_parts(false)
    }

    /// The same of bodies that are solid only from above.
    #[must_use]
    pub fn still_one_way(&self) -> BTreeMap<(EntityKey, usize), Convex> {
        self.still_parts(true)
    }

    /// Whether a body is one of the obstacles that do not move, solid from all sides or only from above.
    #[must_use]
    pub fn is_obstacle(&self, key: EntityKey) -> bool {
        let stops = |body: &Body| body.spec.collider.as_ref().is_some_and(ColliderSpec::stops_as_tiles_do);
        let is_still = |body: &Body| body.spec.is_static() || self.resting.contains(&key);
        self.bodies.get(key).is_some_and(|body| is_still(body) && stops(body))
    }

    fn still_parts(&self, one_way: bool) -> BTreeMap<(EntityKey, usize), Convex> {
        let is_one_way = |body: &Body| body.spec.collider.as_ref().is_some_and(|collider| collider.one_way);
        let is_meant = |key: EntityKey, body: &Body| is_one_way(body) == one_way && self.is_obstacle(key);
        let keys = self.bodies.iter().filter(|(key, body)| is_meant(*key, body)).map(|(key, _)| key);
        keys.flat_map(|key| self.solids(key).into_iter().enumerate().map(move |(i, part)| ((key, i), part))).collect()
    }

    /// The parts of a body's collider as closed outlines, in world pixels.
    #[must_use]
    pub fn outlines(&self, key: EntityKey) -> Vec<Vec<Vec2>> {
        self.shapes(key).iter().map(Convex::outline).collect()
    }

    /// The outline of the ground within an upright rectangle, in world pixels.
    #[must_use]
    pub fn tile_outlines(&self, lo: Vec2, hi: Vec2) -> Vec<TileOutline> {
        let found = self.tiles.outline(Aabb { lo, hi }).into_iter();
        found.map(|([from, to], one_way)| TileOutline { from, to, one_way }).collect()
    }

    /// All contact points: those of the solver, and those of walkers and flyers.
    #[must_use]
    pub fn contact_views(&self) -> Vec<ContactView> {
        let mut views = Vec::new();
        self.solver.narrow_phase.contact_pairs().for_each(|pair| self.view_pair(pair, &mut views));
        for key in &self.movers {
            views.extend(self.touches.of(*key).filter(|contact| !contact.sensor).map(found_by_mover));
        }
        views
    }

    /// The contact points of one body. The cost does not depend on the number of others.
    pub(super) fn contact_views_of(&self, key: EntityKey) -> Vec<ContactView> {
        let Some(body) = self.bodies.get(key) else { return Vec::new() };
        let mut views = Vec::new();
        for own in self.solver.colliders_of(body) {
            self.solver.narrow_phase.contact_pairs_with(*own).for_each(|pair| self.view_pair(pair, &mut views));
        }
        let by_mover = |contact: &Contact| match contact.b {
            Other::Entity(other) => self.is_mover(key) || self.is_mover(other),
            Other::Tile { .. } => self.is_mover(key),
        };
        let touching = self.touches.of(key).filter(|contact| !contact.sensor);
        views.extend(touching.filter(by_mover).map(found_by_mover));
        views
    }

    /// The solver's contact points of two colliders.
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

    /// The separating axis test of two bodies, for each pair of their parts. Empty if one has no collider.
    #[must_use]
    pub fn explain(&self, a: EntityKey, b: EntityKey) -> Vec<Explanation> {
        pairwise(&self.shapes(a), &self.shapes(b))
    }

    /// The separating axis test of a body and a tile, for each part of the body and each convex piece of the tile.
    #[must_use]
    pub fn explain_tile(&self, a: EntityKey, cell: Cell) -> Vec<Explanation> {
        pairwise(&self.shapes(a), &self.tiles.pieces(cell))
    }

    /// Whether a body is asleep: it has rested so long that the solver no longer moves it.
    #[must_use]
    pub fn is_sleeping(&self, key: EntityKey) -> bool {
        self.bodies.get(key).is_some_and(|body| self.solver.is_sleeping(body))
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| self.index_of(false))
    }

    /// An index of the bodies that have a shape; `roomy` boxes include the motion of a step.
    pub(super) fn index_of(&self, roomy: bool) -> Index {
        Index::new(self.boxes(roomy).filter_map(|(key, body, aabb)| Entry::new(key, body, aabb)))
    }
}

fn found_by_mover(contact: Contact) -> ContactView {
    let b = contact.b.entity();
    ContactView { a: contact.a, b, point: contact.point, normal: contact.normal, depth: None, impulse: None }
}

fn pairwise(a: &[Convex], b: &[Convex]) -> Vec<Explanation> {
    a.iter().flat_map(|a| b.iter().map(move |b| explain(a, b))).collect()
}
