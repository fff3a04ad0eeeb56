//! Why there is no path, and where.
//!
//! Invariant: the same floor and request give the same reason. `Crowded` is never a search's: `sim::world` reports it of an agent
//! that stands still on its path.

use glam::Vec2;

use super::{Agent, GridMap, Navigator, PathRequest, Waypoints, requests::grid_query};

/// The effort of looking at the ends of a path, counted in expansions.
const LOOK_EFFORT: u32 = 16;

/// What stands between an agent and its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPathReason {
    /// It or its goal is within something solid, or a link is closed by a body.
    Wall,
    /// It or its goal is outside the level.
    Outside,
    /// Nothing leads from where it is to its goal.
    Unconnected,
    /// A narrower agent could get there.
    TooNarrow,
    /// There is a path, but another body blocks it.
    Crowded,
}

impl NoPathReason {
    /// As data and traces have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "Wall",
            Self::Outside => "Outside",
            Self::Unconnected => "Unconnected",
            Self::TooNarrow => "TooNarrow",
            Self::Crowded => "Crowded",
        }
    }

    /// A sentence for people.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Wall => "something solid is in the way",
            Self::Outside => "it or its goal is outside the level",
            Self::Unconnected => "nothing leads to its goal",
            Self::TooNarrow => "there is a passage too narrow for it",
            Self::Crowded => "another agent stands in its path",
        }
    }
}

/// Why there is no path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoPath {
    /// What is wrong.
    pub reason: NoPathReason,
    /// Where, in pixels.
    pub at: Vec2,
}

impl Navigator {
    /// Why a search over the grid failed, and the effort of finding out.
    pub(super) fn why_no_path(&mut self, map: &GridMap, request: &PathRequest) -> (NoPath, u32) {
        let no = |reason, at| (NoPath { reason, at }, LOOK_EFFORT);
        let goal = request.to.first().copied().unwrap_or(request.from);
        if let Some(at) = self.outside(request) {
            return no(NoPathReason::Outside, at);
        }
        let point = Agent { radius: 0.0, ..request.agent.clone() };
        let Some(thin) = self.map(&point) else { return no(NoPathReason::Unconnected, goal) };
        let (query, thin_query) = (grid_query(self.floor(), map, request), grid_query(self.floor(), &thin, request));
        let start_closed = [map.is_open(query.from), thin.is_open(thin_query.from)];
        let goals_closed =
            [query.to.iter().any(|to| map.is_open(*to)), thin_query.to.iter().any(|to| thin.is_open(*to))];
        for (opens, at) in [(start_closed, request.from), (goals_closed, goal)] {
            match opens {
                [_, false] => return no(NoPathReason::Wall, at),
                [false, true] => return no(NoPathReason::TooNarrow, at),
                [true, true] => {}
            }
        }
        if request.agent.radius <= 0.0 {
            return no(NoPathReason::Unconnected, goal);
        }
        let mut searcher = self.searcher();
        let path = searcher.find(&thin, &thin_query);
        let effort = LOOK_EFFORT.saturating_add(searcher.stats().expanded);
        self.rest(searcher);
        let Some(path) = path else {
            return (NoPath { reason: NoPathReason::Unconnected, at: goal }, effort);
        };
        // The first place where the agent itself cannot have come; where shapes stop it, the first step that these do.
        let mut places = path.cells.iter().map(|cell| thin.center(*cell));
        let at = places.clone().find(|at| !map.is_reached(query.from, *at));
        let at = at.or_else(|| {
            let mut last = places.next()?;
            let radius = request.agent.radius;
            places.find(|at| !self.floor().is_clear(std::mem::replace(&mut last, *at), *at, radius))
        });
        (NoPath { reason: NoPathReason::TooNarrow, at: at.unwrap_or(goal) }, effort)
    }

    /// Why a search along waypoints failed.
    pub(super) fn why_no_link(&self, graph: &Waypoints, request: &PathRequest) -> NoPath {
        let floor = self.floor();
        let goal = request.to.first().copied().unwrap_or(request.from);
        if let Some(at) = self.outside(request) {
            return NoPath { reason: NoPathReason::Outside, at };
        }
        let mut ends = Vec::new();
        for at in [request.from, goal] {
            match graph.nearest_visible(floor, at, request.agent.radius) {
                Some(node) => ends.push(node),
                None if graph.nearest_visible(floor, at, 0.0).is_some() => {
                    return NoPath { reason: NoPathReason::TooNarrow, at };
                }
                None => return NoPath { reason: NoPathReason::Wall, at },
            }
        }
        let unconnected = NoPath { reason: NoPathReason::Unconnected, at: goal };
        let &[first, last] = ends.as_slice() else { return unconnected };
        // By any link, to find the one that lets it through no longer.
        let (Some((nodes, _)), _) = graph.search(first, &[last], 1.0, &mut |_| true) else { return unconnected };
        let closed = nodes.windows(2).find_map(|pair| {
            let link = graph.link_between(pair[0], pair[1])?;
            let is_closed = !graph.is_passable(floor, link, request.agent.radius);
            is_closed.then(|| {
                let reason =
                    if graph.is_passable(floor, link, 0.0) { NoPathReason::TooNarrow } else { NoPathReason::Wall };
                NoPath { reason, at: graph.points()[pair[0]].midpoint(graph.points()[pair[1]]) }
            })
        });
        closed.unwrap_or(unconnected)
    }

    /// The end of a request that lies outside the level, if the start or all goals do.
    fn outside(&self, request: &PathRequest) -> Option<Vec2> {
        let grid = self.floor().grid();
        let is_outside = |at: &Vec2| !grid.contains(grid.cell_at(*at));
        if is_outside(&request.from) {
            return Some(request.from);
        }
        request.to.iter().all(is_outside).then(|| request.to.first().copied()).flatten()
    }
}
