//! What a body touches and why, for the collision inspector.
//!
//! Invariant: queries change nothing. Each other body and each tile is listed once, in an order that does not change from tick to
//! tick: bodies by key, then tiles by cell.

use std::collections::BTreeMap;

use glam::Vec2;

use crate::{model::Cell, sim::EntityKey};

use super::{Physics, sat::Explanation};

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

impl Physics {
    /// What a body is in contact with, and the normal of the deepest contact with it: unit length, toward the body.
    #[must_use]
    pub fn contacts_of(&self, key: EntityKey) -> Vec<(Touched, Vec2)> {
        let mut found: BTreeMap<Touched, (f32, Vec2)> = BTreeMap::new();
        for view in self.contact_views() {
            let (with, normal) = match view.b {
                Some(b) if b == key => (Touched::Body(view.a), -view.normal),
                _ if view.a != key => continue,
                Some(b) => (Touched::Body(b), view.normal),
                None => (Touched::Tile(self.tiles.cell_at(view.point - view.normal * INTO)), view.normal),
            };
            if found.get(&with).is_none_or(|(depth, _)| *depth < view.depth) {
                found.insert(with, (view.depth, normal));
            }
        }
        found.into_iter().map(|(with, (_, normal))| (with, normal)).collect()
    }

    /// Why a body and something else touch or do not: every separating axis, for each convex piece of a tile.
    #[must_use]
    pub fn explain_touched(&self, key: EntityKey, with: Touched) -> Vec<Explanation> {
        match with {
            Touched::Body(other) => self.explain(key, other).into_iter().collect(),
            Touched::Tile(cell) => self.explain_tile(key, cell),
        }
    }
}
