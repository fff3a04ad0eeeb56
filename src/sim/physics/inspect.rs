//! What a body touches and why, what pulls at it, how much it moves, and what the broad phase knows: for the collision
//! inspector and the overlays.
//!
//! Invariant: queries change nothing. Each other body and each tile is listed once, in an order that does not change
//! from tick to tick: bodies by key, then tiles by cell.

use std::collections::BTreeMap;

use glam::Vec2;

use crate::{model::Cell, sim::EntityKey};

use super::{ContactView, Physics, index, sat::Explanation, solver::entity_of};

/// How far into a tile to look for the cell that a contact on its surface belongs to, in pixels.
const INTO: f32 = 0.5;

/// What a body is in contact with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Touched {
    /// Another body.
    Body(EntityKey),
    /// A tile.
    Tile(Cell),
}

/// What pulls at a body from afar, in kg·px/s².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pulls {
    /// The world's gravity, as far as zones leave it.
    pub gravity: Vec2,
    /// Of the zones that it is in: wind, currents, lift, attraction.
    pub zones: Vec2,
}

/// How much bodies move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of their motion and spin, in kg·px²/s².
    pub kinetic: f32,
    /// Of their height over a level line, by gravity alone, in kg·px²/s².
    pub potential: f32,
    /// In kg·px/s.
    pub momentum: Vec2,
}

impl std::ops::AddAssign for Energy {
    fn add_assign(&mut self, other: Self) {
        self.kinetic += other.kinetic;
        self.potential += other.potential;
        self.momentum += other.momentum;
    }
}

/// What the broad phase knows: which bodies may touch at all.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BroadPhase {
    /// Side of a square of the grid that walkers, flyers and queries look bodies up in, in pixels.
    pub cell_px: f32,
    /// The squares that boxes reach into, with how many do; row by row.
    pub cells: Vec<(Cell, usize)>,
    /// The upright box around each collider: its left top and right bottom, in pixels. By key.
    pub boxes: Vec<(EntityKey, [Vec2; 2])>,
    /// Pairs of bodies that are near enough for the narrow phase to look at, whether they touch or not. By key.
    pub pairs: Vec<[EntityKey; 2]>,
}

impl Physics {
    /// The bodies that the solver moves, which are those that forces move and that are awake, with how much work each
    /// is: one, and one
    /// more for each contact.
    pub(in crate::sim) fn solver_loads(&self) -> impl Iterator<Item = (EntityKey, u64)> + Clone {
        let moved = self.bodies.iter().filter(|(_, body)| body.spec.is_dynamic() && !body.is_faulty);
        let awake = moved.filter(|(_, body)| self.solver.bodies.get(body.handle).is_some_and(|it| !it.is_sleeping()));
        awake.map(|(key, body)| (key, 1 + u64::from(body.n_contacts)))
    }

    /// What pulls at a body from afar. Nothing at what no force moves, and no gravity at flyers.
    #[must_use]
    pub fn pulls(&self, key: EntityKey) -> Option<Pulls> {
        let body = self.bodies.get(key)?;
        let is_moved = body.spec.is_dynamic() || body.spec.is_mover();
        let mass = if is_moved && !body.is_faulty { body.spec.mass } else { return None };
        let falls = if body.spec.flyer.is_some() { 0.0 } else { body.spec.gravity_scale * body.felt.gravity };
        Some(Pulls { gravity: self.config.gravity() * falls * mass, zones: body.felt.acceleration * mass })
    }

    /// How much a body moves, with the potential energy counted from a height, in pixels. Nothing for what no force
    /// moves.
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

    /// Whether a body lies within the ground and is held there.
    #[must_use]
    pub fn is_buried(&self, key: EntityKey) -> bool {
        self.free.contains(&key) && self.bodies.get(key).is_some_and(|body| self.tiles.is_buried(body))
    }

    /// Whether a body was taken out of the simulation because its pose was no longer finite.
    #[must_use]
    pub fn is_faulty(&self, key: EntityKey) -> bool {
        self.bodies.get(key).is_some_and(|body| body.is_faulty)
    }

    /// What the broad phase knows.
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

    /// What the engine has of the contact of a body with something else, point by point, its normals toward the body.
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

    /// What a body is in contact with, and the normal of the deepest contact with it: unit length, toward the body.
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

    /// Why a body and something else touch or do not: every separating axis, for each pair of their parts.
    #[must_use]
    pub fn explain_touched(&self, key: EntityKey, with: Touched) -> Vec<Explanation> {
        match with {
            Touched::Body(other) => self.explain(key, other),
            Touched::Tile(cell) => self.explain_tile(key, cell),
        }
    }
}
