//! Finding paths: over the tile grid and along waypoints, for agents of the preview, the editor and the command line.
//!
//! Invariant: the same floor and request give the same answer with the same effort. A [`Navigator`] spreads the work
//! over ticks for the preview, and answers at once for the command line.

mod answers;
mod bits;
mod components;
mod diagnosis;
mod field;
mod floor;
mod gaps;
mod grid_path;
mod jump;
mod ledges;
mod map;
mod no_path;
mod nodes;
mod other_bodies;
mod over_links;
mod queue;
mod reach;
mod regions;
mod requests;
mod route;
mod smooth;
mod stats;
mod suggest;
mod waypoint_search;
mod waypoints;

pub use field::{CellField, Colored};
pub use floor::Floor;
pub use grid_path::{GridPath, GridQuery, GridSearcher, Neighbors, Progress, cost_of};
pub(crate) use ledges::Carrier;
pub use ledges::{How, LedgeMap, LedgeNetwork, Leg, Walker, ledge_network};
pub(super) use ledges::{ON_TARGET_PX, SAME_FLOOR_PX, STANDING_SPEED};
pub use map::{Agent, GridMap};
pub(crate) use no_path::{NO_RIDES, NO_WALK};
pub use no_path::{NoPath, NoPathReason};
pub(super) use requests::NEAR_ENOUGH;
pub use requests::{Answer, Ground, Navigator, PathRequest};
pub use route::{linked_with, route_nodes};
pub use smooth::{catmull_rom, centers, is_walkable, shortcut, smooth};
pub use stats::Stats;
pub use suggest::{SuggestedLink, joining_links, suggest_lattice, suggest_nodes, suggest_on_platforms};
pub use waypoints::{BuiltLink, Waypoints, drawn_links, each_link_by_name, links, shortened_reach};
