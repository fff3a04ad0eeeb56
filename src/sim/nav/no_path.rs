//! Why there is no path, and where.
//!
//! Invariant: the same floor and request give the same reason. `Crowded` is never a search's: `sim::world` reports it
//! of an agent that stands still on its path, and `Missed` is a search's only where that asks to leave out drops and
//! jumps.

use glam::Vec2;

use super::{Agent, GridMap, Navigator, PathRequest, requests::grid_query};

/// The effort of looking at the ends of a path, counted in expansions.
const LOOK_EFFORT: u32 = 16;
/// Places that differ less in width are equally narrow, in pixels.
const LEAST_DIFFERENCE: f32 = 0.1;
/// Between places that are looked at for what closes a step, in pixels, and the most of them.
const BETWEEN_PX: f32 = 1.0;
const MOST_PLACES: f32 = 4096.0;

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
    /// The level is large and the goal so far away that the search was given up.
    TooFar,
    /// There is a path, but another body blocks it.
    Crowded,
    /// There is nothing that it could go to. Never a search's.
    NoTarget,
    /// There is a path, but by a drop or jump of it the walker does not get where that leads, however often it tries.
    Missed,
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
            Self::TooFar => "TooFar",
            Self::Crowded => "Crowded",
            Self::Missed => "Missed",
            Self::NoTarget => "NoTarget",
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
            Self::TooFar => "its goal is too far away to be found in a level this large",
            Self::Crowded => "another body blocks its path",
            Self::NoTarget => "there is nothing that it could go to",
            Self::Missed => "it fails on a jump or drop of its path each time",
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
    /// Why a search over the grid failed that did not fail for want of a way between its ends, and the effort of
    /// finding out.
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

    /// The narrowest place about where a path of one without width first leads to what the agent itself does not reach;
    /// where shapes stop it, the first step that these do.
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

    /// The first place of a path that a body of the floor closes.
    pub(super) fn closed_place(&self, path: &[Vec2]) -> Option<Vec2> {
        let floor = self.floor();
        let closed = path.windows(2).find(|pair| !floor.is_clear(pair[0], pair[1], 0.0))?;
        let n_places = (closed[0].distance(closed[1]) / BETWEEN_PX).ceil().clamp(1.0, MOST_PLACES);
        let next = |i: &f32| (*i < n_places).then_some(i + 1.0);
        let mut places = std::iter::successors(Some(0.0), next).map(|i| closed[0].lerp(closed[1], i / n_places));
        places.find(|at| !floor.is_clear(*at, *at, BETWEEN_PX / 2.0)).or(Some(closed[1]))
    }

    /// The end of a request that lies outside the level, if the start or all goals do.
    pub(super) fn outside(&self, request: &PathRequest) -> Option<NoPath> {
        let grid = self.floor().grid();
        let is_outside = |at: &&Vec2| !grid.contains(grid.cell_at(**at));
        let goal = request.to.first().filter(|_| request.to.iter().all(|at| is_outside(&at)));
        let at = Some(&request.from).filter(is_outside).or(goal)?;
        Some(NoPath { reason: NoPathReason::Outside, at: *at })
    }
}
