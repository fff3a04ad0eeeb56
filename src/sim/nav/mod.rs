//! Finding paths: over the tile grid and along waypoints, for agents of the preview, the editor and the command line.
//!
//! Invariant: the same grid and question give the same answer with the same effort. The preview uses a [`Navigator`],
//! which spreads the work over ticks; [`query`] finds one path of a level at once.

mod bits;
mod components;
mod grid_path;
mod jump;
mod map;
mod requests;
mod smooth;
mod stats;
mod waypoints;

pub use grid_path::{GridPath, GridQuery, GridSearcher, Neighbors, Progress, cost_of};
pub use map::GridMap;
pub use requests::{Answer, Ground, Navigator, PathRequest};
pub use smooth::{catmull_rom, centers, is_walkable, shortcut, smooth};
pub use stats::Stats;
pub use waypoints::{
    BuiltLink, WaypointPath, Waypoints, drawn_links, each_link_by_name, links, shortened_reach, suggest_nodes,
};

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::{Level, Tileset},
    sim::grid::SolidGrid,
};

/// A path query for a level, as the command line and the path tool make it.
#[derive(Clone, Debug, PartialEq)]
pub struct Query<'a> {
    /// In pixels.
    pub from: Vec2,
    /// In pixels.
    pub to: Vec2,
    /// A waypoint layer; the tile grid when left out.
    pub on: Option<&'a str>,
    /// Agent kind, which chooses costs.
    pub agent: &'a str,
    /// At least 1; above it the search is quicker and the path may cost more.
    pub weight: f64,
    /// Preference for straight paths, in plain steps.
    pub turn_penalty: f64,
    /// Steps of the grid.
    pub neighbors: Neighbors,
    /// Report the cells that the search had open and closed.
    pub with_shape: bool,
}

impl Default for Query<'_> {
    fn default() -> Self {
        Self {
            from: Vec2::ZERO,
            to: Vec2::ZERO,
            on: None,
            agent: "walk",
            weight: 1.0,
            turn_penalty: 0.0,
            neighbors: Neighbors::Eight,
            with_shape: false,
        }
    }
}

/// Why a path query has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The layer does not exist or is of another kind.
    #[error("there is no waypoint layer `{0}` in this level")]
    NoWaypoints(String),
    /// The level's bounds hold more cells than a map can.
    #[error("the level is too large to search")]
    TooLarge,
}

/// The cheapest path between two points of a level, exactly as searched: the points are the ends and nodes of the
/// waypoint graph, or the centers of cells, in pixels. The cost is in steps times terrain on the grid, in pixels along
/// waypoints.
///
/// # Errors
/// The layer is missing, or the level is too large.
pub fn query<'a>(
    level: &Level,
    tilesets: impl Fn(&str) -> Option<&'a Tileset>,
    query: &Query<'_>,
) -> Result<Answer, QueryError> {
    let mut navigator = Navigator::new(level, Arc::new(SolidGrid::new(level, tilesets)));
    navigator.keeps_shapes = query.with_shape;
    let on = match query.on {
        Some(layer) if navigator.waypoints(layer).is_none() => return Err(QueryError::NoWaypoints(layer.into())),
        Some(layer) => Ground::Waypoints(layer.into()),
        None if navigator.map(&query.agent.into()).is_none() => return Err(QueryError::TooLarge),
        None => Ground::Grid,
    };
    Ok(navigator.find_now(&PathRequest {
        from: query.from,
        to: vec![query.to],
        agent: query.agent.into(),
        radius: 0.0,
        on,
        weight: query.weight,
        turn_penalty: query.turn_penalty,
        neighbors: query.neighbors,
        is_smooth: false,
        snap_cells: 0,
    }))
}
