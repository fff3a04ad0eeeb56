//! Why there is no path, and where.
//!
//! Invariant: the same floor and request give the same reason. `Crowded` is never the result of a search: `sim::world`
//! reports it for an agent that stands still on its path. `Missed` is the result of a search only if the request leaves
//! out drops and jumps.

use glam::Vec2;

use super::{Agent, GridMap, Navigator, PathRequest, requests::grid_query};

/// The effort of testing the ends of a path, in expansions.
const LOOK_EFFORT: u32 = 16;
/// Passages whose widths differ by less are equally narrow, in pixels.
const LEAST_DIFFERENCE: f32 = 0.1;
/// Distance between the places that are tested for what blocks a step, in pixels, and the most places.
const BETWEEN_PX: f32 = 1.0;
const MOST_PLACES: f32 = 4096.0;

/// Reason why an agent cannot reach its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPathReason {
    /// The agent or its goal is inside something solid, or a body closes a link.
    Wall,
    /// The agent or its goal is outside the level.
    Outside,
    /// No path leads from the agent to its goal.
    Unconnected,
    /// A narrower agent could reach the goal.
    TooNarrow,
    /// The search was given up: the level is large, and the goal too far away.
    TooFar,
    /// There is a path, but another body blocks it.
    Crowded,
    /// There is no target that it could go to. Never the result of a search.
    NoTarget,
    /// There is a path, but the walker repeatedly misses the landing of a jump or drop on it.
    Missed,
}

impl NoPathReason {
    /// Name in data and traces.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "Wall",
            Self::Outside => "Outside",
            Self::Unconnected => "Unconnected",
            Self::TooNarrow => "TooNarrow",
            Self::TooFar => "TooFar",
            Self::Crowded => "Crowded",
            Self::Missed => "Missed",
            Self::NoTarget => "NoTarget",
        }
    }

    /// Text for people.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Wall => "something solid is in the way",
            Self::Outside => "the agent or its goal is outside the level",
            Self::Unconnected => "its goal cannot be reached from where it is",
            Self::TooNarrow => "a passage on the way is too narrow for it",
            Self::TooFar => "the search was given up: the goal is too far away in this large level",
            Self::Crowded => "another body blocks its path",
            Self::NoTarget => "there is no target that it could go to",
            Self::Missed => "it repeatedly misses a jump or drop of its path",
        }
    }
}

/// The reason why there is no path, and the place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoPath {
    /// The reason.
    pub reason: NoPathReason,
    /// The place, in pixels.
    pub at: Vec2,
}

impl Navigator {
    /// Why a search over the grid failed at one of its ends (closed, or outside the level), and the effort of finding
    /// out. `None` if both ends are open.
    pub(super) fn why_closed(&mut self, map: &GridMap, request: &PathRequest) -> (Option<NoPath>, u32) {
        let no = |reason, at| (Some(NoPath { reason, at }), LOOK_EFFORT);
        let goal = request.to.first().copied().unwrap_or(request.from);
        if let Some(why) = self.outside(request) {
            return (Some(why), LOOK_EFFORT);
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
        (None, LOOK_EFFORT)
    }

    /// The narrowest place near the first point of a point agent's path that the agent itself cannot reach; if shapes
    /// block the agent, the end of the first step that they block.
    pub(super) fn narrow_place(&mut self, request: &PathRequest, thin: &[Vec2]) -> Option<Vec2> {
        let radius = request.agent.radius;
        let missed = self.map(&request.agent).and_then(|map| {
            let from = grid_query(self.floor(), &map, request).from;
            thin.iter().position(|at| !map.is_reached(from, *at))
        });
        let is_stopped = |pair: &[Vec2]| !self.floor().is_clear(pair[0], pair[1], radius);
        let Some(missed) = missed else {
            return thin.windows(2).find(|pair| is_stopped(pair)).map(|pair| pair[1]);
        };
        let near = thin.get(missed.saturating_sub(1)..(missed + 3).min(thin.len())).unwrap_or_default();
        let between = near.windows(2).map(|pair| (pair[0] + pair[1]) / 2.0);
        let narrow = near.iter().copied().chain(between).filter(|at| !self.floor().is_clear(*at, *at, radius));
        let widths = narrow.map(|at| (self.floor().room_at(at, radius), at));
        let narrowest = widths.reduce(|best, next| if next.0 < best.0 - LEAST_DIFFERENCE { next } else { best });
        narrowest.map(|(_, at)| at).or_else(|| thin.get(missed).copied())
    }

    /// The first place of a path that a body closes.
    pub(super) fn closed_place(&self, path: &[Vec2]) -> Option<Vec2> {
        let floor = self.floor();
        let closed = path.windows(2).find(|pair| !floor.is_clear(pair[0], pair[1], 0.0))?;
        let n_places = (closed[0].distance(closed[1]) / BETWEEN_PX).ceil().clamp(1.0, MOST_PLACES);
        let next = |i: &f32| (*i < n_places).then_some(i + 1.0);
        let mut places = std::iter::successors(Some(0.0), next).map(|i| closed[0].lerp(closed[1], i / n_places));
        places.find(|at| !floor.is_clear(*at, *at, BETWEEN_PX / 2.0)).or(Some(closed[1]))
    }

    /// The reason `Outside` at the start or the first goal, if the start or all goals are outside the level.
    pub(super) fn outside(&self, request: &PathRequest) -> Option<NoPath> {
        let grid = self.floor().grid();
        let is_outside = |at: &&Vec2| !grid.contains(grid.cell_at(**at));
        let goal = request.to.first().filter(|_| request.to.iter().all(|at| is_outside(&at)));
        let at = Some(&request.from).filter(is_outside).or(goal)?;
        Some(NoPath { reason: NoPathReason::Outside, at: *at })
    }
}
