//! State of bodies for the collision inspector and the overlays: contacts and their reasons, external forces, energy,
//! and the broad phase.
//!
//! Invariant: queries change nothing. Each other body and each tile is listed once, in an order that does not change
//! from tick to tick: bodies by key, then tiles by cell.

use std::collections::BTreeMap;

use glam::Vec2;

use crate::{model::Cell, sim::EntityKey};

use super::{ContactView, Physics, body::Body, index, sat::Explanation, solver::entity_of};

/// How far inside a tile to look for the cell that a contact on its surface belongs to, in pixels.
const INTO: f32 = 0.5;

/// The other side of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    /// Another body.
    Body(EntityKey),
    /// A tile.
    Tile(Cell),
}

/// External forces on a body, in kg·px/s².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pulls {
    /// Gravity of the level, less the share that zones remove.
    pub gravity: Vec2,
    /// Force of the zones that it is in: wind, currents, lift, attraction.
    pub zones: Vec2,
}

/// Energy and momentum of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Energy of motion and spin, kg·px²/s².
    pub kinetic: f32,
    /// Energy of height above a reference line, by gravity alone, kg·px²/s².
    pub potential: f32,
    /// Momentum, kg·px/s.
    pub momentum: Vec2,
}

impl std::ops::AddAssign for Energy {
    fn add_assign(&mut self, other: Self) {
        self.kinetic += other.kinetic;
        self.potential += other.potential;
        self.momentum += other.momentum;
    }
}

/// State of the broad phase: which bodies may touch at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BroadPhase {
    /// Side of a square of the hash grid that walkers, flyers and queries use, in pixels.
    pub cell_px: f32,
    /// The squares that boxes overlap, each with the number of boxes, row by row.
    pub cells: Vec<(Cell, usize)>,
    /// The bounding box of each collider: left top and right bottom in pixels. By key.
    pub boxes: Vec<(EntityKey, [Vec2; 2])>,
    /// Pairs of bodies that the solver's narrow phase tests, whether they touch or not; movers only while a loose body
    /// is near or a joint holds them. By key.
    pub pairs: Vec<[EntityKey; 2]>,
}

impl Physics {
    /// The bodies that the solver moves (dynamic and awake), each with a work estimate: 1 plus its number of contacts.
    pub(in crate::sim) fn solver_loads(&self) -> impl Iterator<Item = (EntityKey, u64)> + Clone {
        let moved = self.bodies.iter().filter(|(_, body)| body.spec.is_dynamic() && !body.is_faulty);
        moved
            .filter(|(_, body)| !self.solver.is_sleeping(body))
            .map(|(key, body)| (key, 1 + u64::from(body.n_contacts)))
    }

    /// External forces on a body; `None` if no force moves it. Flyers have no gravity.
    #[must_use]
    pub fn pulls(&self, key: EntityKey) -> Option<Pulls> {
        let body = self.bodies.get(key)?;
        let is_moved = body.spec.is_dynamic() || body.spec.is_mover();
        let mass = if is_moved && !body.is_faulty { body.spec.mass } else { return None };
        let falls = if body.spec.flyer.is_some() { 0.0 } else { body.spec.gravity_scale * body.felt.gravity };
        Some(Pulls { gravity: self.config.gravity() * falls * mass, zones: body.felt.acceleration * mass })
    }

    /// Energy of a body, with the potential energy counted from `level_y`, in pixels; `None` if no force moves it.
    #[must_use]
    pub fn energy(&self, key: EntityKey, level_y: f32) -> Option<Energy> {
        let body = self.bodies.get(key)?;
        let pull = self.pulls(key)?.gravity;
        let rigid = self.solver.bodies.get(body.handle).filter(|_| body.spec.is_dynamic());
        let inertia = rigid.map_or(0.0, |rigid| rigid.mass_properties().local_mprops.principal_inertia());
        let (mass, pose) = (body.spec.mass, body.pose);
        let kinetic = 0.5 * (mass * pose.vel.length_squared() + inertia * pose.spin * pose.spin);
        Some(Energy { kinetic, potential: pull.y * (level_y - pose.pos.y), momentum: pose.vel * mass })
    }

    /// Whether a body is inside the ground, and is held there.
    #[must_use]
    pub fn is_buried(&self, key: EntityKey) -> bool {
        let is_held = |body: &Body| body.spec.is_mover() || self.free.contains(&key);
        self.bodies.get(key).is_some_and(|body| is_held(body) && self.tiles.is_buried(body))
    }

    /// Whether a body was taken out of the simulation because its pose was no longer finite.
    #[must_use]
    pub fn is_faulty(&self, key: EntityKey) -> bool {
        self.bodies.get(key).is_some_and(|body| body.is_faulty)
    }

    /// State of the broad phase.
    #[must_use]
    pub fn broad_phase(&self) -> BroadPhase {
        let boxes: Vec<_> = self.boxes(false).map(|(key, _, aabb)| (key, aabb)).collect();
        let cells = index::occupied(&boxes);
        let boxes = boxes.into_iter().map(|(key, aabb)| (key, [aabb.lo, aabb.hi])).collect();
        let narrow = &self.solver.narrow_phase;
        let solid = narrow.contact_pairs().map(|pair| [pair.collider1, pair.collider2]);
        let sensed = narrow.intersection_pairs().map(|(a, b, _)| [a, b]);
        let key = |handle| entity_of(self.solver.colliders.get(handle)?.user_data);
        let mut pairs: Vec<[EntityKey; 2]> = solid
            .chain(sensed)
            .filter_map(|[a, b]| {
                let (a, b) = (key(a)?, key(b)?);
                Some([a.min(b), a.max(b)])
            })
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        BroadPhase { cell_px: index::SIDE, cells, boxes, pairs }
    }

    /// The solver's contact points of a body with something else, normals toward the body.
    #[must_use]
    pub fn engine_contacts(&self, key: EntityKey, with: Touched) -> Vec<ContactView> {
        let turned = |view: ContactView| match view.b {
            Some(b) if b == key => ContactView { a: key, b: Some(view.a), normal: -view.normal, ..view },
            _ => view,
        };
        let is_it = |view: &ContactView| match (view.b, with) {
            (Some(b), Touched::Body(other)) => b == other,
            (None, Touched::Tile(cell)) => self.tiles.cell_at(view.point - view.normal * INTO) == cell,
            _ => false,
        };
        self.contact_views_of(key).into_iter().map(turned).filter(|view| view.a == key && is_it(view)).collect()
    }

    /// The contacts of a body, each with the unit normal of the deepest point, toward the body.
    #[must_use]
    pub fn contacts_of(&self, key: EntityKey) -> Vec<(Touched, Vec2)> {
        let mut found: BTreeMap<Touched, (f32, Vec2)> = BTreeMap::new();
        for view in self.contact_views_of(key) {
            let (with, normal) = match view.b {
                Some(b) if b == key => (Touched::Body(view.a), -view.normal),
                _ if view.a != key => continue,
                Some(b) => (Touched::Body(b), view.normal),
                None => (Touched::Tile(self.tiles.cell_at(view.point - view.normal * INTO)), view.normal),
            };
            let depth = view.depth.unwrap_or_default();
            if found.get(&with).is_none_or(|(deepest, _)| *deepest < depth) {
                found.insert(with, (depth, normal));
            }
        }
        found.into_iter().map(|(with, (_, normal))| (with, normal)).collect()
    }

    /// The separating axis test of a body and something else, for each pair of their parts.
    #[must_use]
    pub fn explain_touched(&self, key: EntityKey, with: Touched) -> Vec<Explanation> {
        match with {
            Touched::Body(other) => self.explain(key, other),
            Touched::Tile(cell) => self.explain_tile(key, cell),
        }
    }
}
