//! Paths of walkers when a level is seen from the side: along ledges, joined by jumps and drops.
//!
//! A jump is a link if its flight, simulated with the walker's own speed, gravity, jump and size, lands on another
//! ledge without touching an obstacle. Invariant: a path's legs begin and end on ledges. How a walker follows them is
//! in `sim::world`.

mod corner;
mod exact;
mod flight;
mod graph;
mod ground;
mod known;
mod links;
mod network;
mod reach;
mod search;
mod stand;
mod walker;

use glam::Vec2;

use super::Floor;

pub(super) use graph::Ledges;
pub use network::{LedgeNetwork, ledge_network};
pub use reach::LedgeMap;
pub(crate) use reach::{Carrier, Riding};
pub(super) use reach::{leads_on, nearest, reaches, reaches_riding};
pub(super) use search::{LedgePath, LedgeSearch};
pub(in crate::sim) use walker::ON_TARGET_PX;
pub use walker::Walker;

/// Height difference below which a place is on the same floor as a walker, in pixels.
pub(in crate::sim) const SAME_FLOOR_PX: f32 = 20.0;

/// A walker that is no faster than this stands, in px/s.
pub(in crate::sim) const STANDING_SPEED: f32 = 10.0;

/// How a walker moves from one ledge to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum How {
    /// It walks.
    Walk,
    /// It drops off an edge.
    Drop {
        /// Speed at the edge, px/s, negative to the left.
        run: f32,
    },
    /// It jumps after a run-up.
    Jump {
        /// Speed at the start of the jump, px/s, negative to the left.
        run: f32,
        /// Upward speed at the start of the jump, px/s: less than the greatest where it must not rise past an opening.
        up: f32,
    },
    /// It drops straight down through one-way ground.
    Through,
}

impl How {
    /// Name on the command line.
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

/// Where a walker steers to in the air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::sim) struct AirTarget {
    /// The column, in pixels.
    x: f32,
    /// What it does first, if that is not to steer there.
    first: Option<Upright>,
}

/// The first part of a jump that goes straight up, as out of a narrow pit.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Upright {
    /// The column in which it stays, in pixels.
    x: f32,
    /// It stays there while its origin is below this, in pixels.
    until_y: f32,
}

impl AirTarget {
    fn at(x: f32) -> Self {
        Self { x, first: None }
    }

    /// The column to steer to from a height, both in pixels.
    pub(in crate::sim) fn column(self, y: f32) -> f32 {
        self.first.filter(|first| y > first.until_y).map_or(self.x, |first| first.x)
    }

    pub(in crate::sim) fn is_upright(self) -> bool {
        self.first.is_some()
    }
}

/// A leg of a path: walk to its start, then drop or jump.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// How it moves along the leg.
    pub how: How,
    /// Corners of the ground that it walks over from the end of the last leg to `from`, without these two, in pixels.
    pub way: Vec<Vec2>,
    /// Start: position of the walker's origin, in pixels.
    pub from: Vec2,
    /// End: position of the walker's origin, in pixels.
    pub to: Vec2,
    /// Where it steers to in the air.
    pub(in crate::sim) air_target: AirTarget,
    /// Positions of the origin along the leg, both ends included, in pixels.
    pub arc: Vec<Vec2>,
}
