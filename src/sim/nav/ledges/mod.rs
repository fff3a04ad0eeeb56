//! Paths of walkers when a level is seen from the side: ledges they walk along, joined by jumps and drops.
//!
//! A jump is a link when its flight, from the walker's own speed, gravity, jump and width, comes down on another ledge
//! without touching what it must not. Invariant: a path's legs begin and end on ledges. How a walker follows them is
//! `sim::world`.

mod corner;
mod flight;
mod graph;
mod ground;
mod known;
mod links;
mod reach;
mod search;
mod stand;
mod walker;

use glam::Vec2;

use super::Floor;

pub(super) use graph::Ledges;
pub use reach::LedgeMap;
pub(super) use reach::{leads_on, nearest, reaches};
pub(super) use search::{LedgePath, LedgeSearch};
pub use walker::Walker;

/// A place this far above or below a walker is on the same floor, in pixels.
pub(in crate::sim) const SAME_FLOOR_PX: f32 = 20.0;

/// How a walker gets from one ledge to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How {
    /// On foot.
    Walk,
    /// Off an edge, at a speed in px/s, negative to the left.
    Drop {
        /// The speed at the edge.
        run: f32,
    },
    /// A jump, with a run-up to a speed in px/s, negative to the left.
    Jump {
        /// The speed at the start.
        run: f32,
    },
    /// Straight down through what is solid only from above.
    Through,
}

impl How {
    /// In one word, as the command line prints it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Drop { .. } => "drop",
            Self::Jump { .. } => "jump",
            Self::Through => "drop_through",
        }
    }
}

/// A part of a path: on foot to where it begins, then as it says.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// How.
    pub how: How,
    /// The corners of the ground that it walks over before, from where the last part ended to `from`, without these
    /// two.
    pub way: Vec<Vec2>,
    /// Where it begins: the place of the walker's origin, in pixels.
    pub from: Vec2,
    /// Where it ends.
    pub to: Vec2,
    /// The column it steers to in the air, in pixels.
    pub aim_x: f32,
    /// The places it passes, both ends included.
    pub arc: Vec<Vec2>,
}
