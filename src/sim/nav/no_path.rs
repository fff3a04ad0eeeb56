//! Why there is no path, and where.
//!
//! Invariant: the same floor and request give the same reason. `Crowded` and `CannotMove` are never the result of a search,
//! and `HeldBack` only for belts: `sim::world` reports them for an agent that stands still on its path. `Missed` is the
//! result of a search only if the request leaves out drops and jumps.

use glam::Vec2;

use super::{
    Agent, Floor, GridMap, Navigator, PathRequest, Walker, ledges::LedgeSearch, requests::grid_query, waypoints::Room,
};

/// The effort of testing the ends of a path, in expansions.
const LOOK_EFFORT: u32 = 16;
/// Places whose room differs by less are equally narrow, in pixels.
const LEAST_DIFFERENCE: f32 = 0.1;
/// Length of the part of a passage in which the narrowest place is looked for, in tiles, to either side.
const NEAR_TILES: f32 = 2.0;
/// Distance between the places that are tested for what blocks a step, in pixels, and the most places.
const BETWEEN_PX: f32 = 1.0;
const MOST_PLACES: u16 = 4096;

/// The text about paths over ledges that lead nowhere.
pub(crate) const NO_WALK: &str = "no walk, drop or jump that it can do leads there";
/// The limit of paths over ledges in levels with what may carry walkers, as a sentence.
pub(crate) const NO_RIDES: &str = "paths do not foresee lifts, platforms, wind or water that may carry it";

/// Reason why an agent cannot reach its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPathReason {
    /// The agent or its goal is inside something solid, a body closes a link, or one that is not part of the floor, such as a
    /// door that its track holds shut, stands in the way.
    Wall,
    /// The agent or its goal is outside the level.
    Outside,
    /// No path leads from the agent to its goal.
    Unconnected,
    /// A narrower agent could reach the goal, or one whose path need not lead through the middle of cells.
    TooNarrow,
    /// The search was given up: the level is large, and the goal too far away.
    TooFar,
    /// There is a path, but another body blocks it.
    Crowded,
    /// There is a path, but a zone, such as one of wind, or a conveyor belt holds the agent back.
    HeldBack,
    /// It cannot move by itself: its speed or acceleration is 0, it has neither `Walker` nor `Flyer`, or a track holds it.
    CannotMove,
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
            Self::HeldBack => "HeldBack",
            Self::CannotMove => "CannotMove",
            Self::Missed => "Missed",
            Self::NoTarget => "NoTarget",
        }
    }

    /// The text where it is the result of a search: paths foresee belts, but no zones.
    #[must_use]
    pub fn search_text(self) -> &'static str {
        if self == Self::HeldBack { "a conveyor belt carries it back" } else { self.text() }
    }

    /// The text about an agent of which it is known whether it is outside the level itself.
    #[must_use]
    pub fn text_of(self, is_outside: bool) -> &'static str {
        match self {
            Self::Outside if is_outside => "it is outside the level",
            Self::Outside => "its goal is outside the level",
            reason => reason.text(),
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
            Self::HeldBack => "a zone, such as one of wind, or a conveyor belt holds it back",
            Self::CannotMove => "it cannot move by itself",
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

    /// The middle of the narrowest place of the passage on a narrower agent's path that keeps the agent itself from its goal:
    /// the first beyond all places that it reaches, in pixels.
    pub(super) fn narrow_place(&mut self, request: &PathRequest, way: &[Vec2]) -> Option<Vec2> {
        let radius = request.agent.radius;
        let missed = self.map(&request.agent).and_then(|map| {
            let from = grid_query(self.floor(), &map, request).from;
            // A narrow passage may lead back to where it gets by another way.
            let last = way.iter().rposition(|at| map.is_reached(from, *at));
            Some(last.map_or(0, |last| last + 1)).filter(|missed| *missed < way.len())
        });
        let floor = self.floor();
        let is_clear = |from: Vec2, to: Vec2| floor.is_clear(from, to, radius);
        // If each place is reached by itself, shapes block a step.
        let missed = missed.or_else(|| Some(way.windows(2).position(|pair| !is_clear(pair[0], pair[1]))? + 1))?;
        // Only near where it is missed: along a wall the agent has no room on the path either, though it has beside it.
        let border = missed.checked_sub(1).map_or(way[missed], |before| way[before].midpoint(way[missed]));
        let tile = floor.grid().tile_size().max_element();
        let is_near = |at: &&Vec2| at.distance(border) <= NEAR_TILES * tile;
        let first = missed - way[..missed].iter().rev().take_while(is_near).count();
        let end = missed + way[missed..].iter().take_while(is_near).count().max(1);
        let between = way[first..end].windows(2).flat_map(|pair| [pair[0], pair[0].midpoint(pair[1])]);
        let places: Vec<Vec2> = between.chain(way[first..end].last().copied()).collect();
        // The passage ends where the agent fits in again: it may fit in before the next one.
        let fits: Vec<bool> = places.iter().map(|at| is_clear(*at, *at)).collect();
        let (before, after) = fits.split_at(2 * (missed - first) + 1);
        let narrow = before.iter().rposition(|fits| !fits);
        let narrow = narrow.or_else(|| Some(before.len() + after.iter().position(|fits| !fits)?));
        // Where it fits everywhere, only the grid of cells keeps it out.
        let passage = narrow.map_or(&places[..], |narrow| {
            let begin = fits[..narrow].iter().rposition(|fits| *fits).map_or(0, |i| i + 1);
            let n = fits[begin..].iter().take_while(|fits| !**fits).count();
            &places[begin..begin + n]
        });
        // By the distance from side to side, as the path may lead along one side.
        let reach = (2.0 * radius).max(tile);
        let passage: Vec<(f32, Vec2)> = passage.iter().filter_map(|at| floor.across(*at, reach)).collect();
        narrowest(&passage).or(Some(way[missed]))
    }

    /// The middle of the narrowest place of the first passage on a smaller walker's path that the walker itself does
    /// not fit into, beyond the ledges that its own search has reached; in pixels. `None` if there is room enough
    /// everywhere: then it does not get there by its jumps. Returns the effort as well.
    pub(super) fn narrow_place_over_ledges(
        &mut self,
        walker: &Walker,
        smaller: &Walker,
        search: &LedgeSearch,
        way: &[Vec2],
    ) -> (Option<Vec2>, u32) {
        let mut ledges = self.take_ledges(walker);
        let floor = &self.floor;
        let reached = search.reached(&mut ledges, floor);
        let last = way.iter().rposition(|at| {
            let cell = ledges.stand_at(floor, *at);
            let ledge = cell.and_then(|cell| ledges.ledge_of(floor, cell));
            ledge.is_some_and(|(id, _)| reached.contains(&id))
        });
        let size = walker.hi - walker.lo;
        // How far it is from a place to what is solid at each side, at most as far as the walker is large.
        let sides = |at: Vec2| {
            let free = |by: Vec2| by * floor.grid().ray(at, at + by).map_or(1.0, |hit| hit.fraction);
            [Vec2::NEG_X, Vec2::X, Vec2::NEG_Y, Vec2::Y].map(|side| free(side * size))
        };
        // Below zero by as much as the passage is too narrow or too low.
        let room = |at: Vec2| {
            let [left, right, up, down] = sides(at);
            (right.x - left.x - size.x).min(down.y - up.y - size.y)
        };
        let beyond = way[last.unwrap_or(0)..].windows(2).flat_map(|pair| places_along(pair[0], pair[1]));
        let mut n_tested = 0;
        let beyond = beyond.take(usize::from(MOST_PLACES)).inspect(|_| n_tested += 1);
        // Between its places the smaller one may go around a corner that the line cuts.
        let beyond = beyond.filter(|at| smaller.has_room_at(floor, *at));
        let fits = |at: &Vec2| walker.has_room_at(floor, *at);
        let middle = (smaller.lo + smaller.hi) / 2.0;
        let mut narrow = beyond.skip_while(fits).take_while(|at| !fits(at)).map(|at| at + middle).peekable();
        let near_px = NEAR_TILES * floor.grid().tile_size().max_element() + size.max_element();
        let place = narrow.peek().copied().and_then(|first| {
            let near = narrow.take_while(|at| at.distance(first) <= near_px).map(|at| (room(at), at));
            // Beside a wall it may have no room where the smaller one jumps, though there is enough.
            let at = narrowest(&near.filter(|(room, _)| *room < -LEAST_DIFFERENCE).collect::<Vec<_>>())?;
            Some(at + sides(at).into_iter().sum::<Vec2>() / 2.0)
        });
        self.ledges.push(ledges);
        (place, n_tested)
    }

    /// The conveyor belt that carries a walker off against the direction of a path that ignores belts: the place on the
    /// belt, in pixels.
    pub(super) fn belt_against(&self, walker: &Walker, way: &[Vec2]) -> Option<Vec2> {
        let floor = self.floor();
        way.windows(2).find_map(|pair| {
            let dir = pair[1].x - pair[0].x;
            places_along(pair[0], pair[1]).find_map(|at| {
                let belt = walker.belt(floor, at);
                let below = at + Vec2::new(0.0, walker.hi.y + 1.0);
                (walker.is_carried_off(belt) && belt * dir < 0.0).then_some(below)
            })
        })
    }

    /// The first place of a path that a body closes.
    pub(super) fn closed_place(&self, path: &[Vec2]) -> Option<Vec2> {
        let floor = self.floor();
        let closed = path.windows(2).find(|pair| !floor.is_clear(pair[0], pair[1], 0.0))?;
        let mut places = places_along(closed[0], closed[1]);
        places.find(|at| !floor.is_clear(*at, *at, BETWEEN_PX / 2.0)).or(Some(closed[1]))
    }

    /// The first place at which a body is where a walker would be on a path over ledges: within the body, in pixels.
    /// The path may be clear for its origin where it is not for all of it, as under a door that hangs.
    pub(super) fn closed_place_over_ledges(&self, walker: &Walker, path: &[Vec2]) -> Option<Vec2> {
        let floor = self.floor();
        let places = path.windows(2).flat_map(|pair| places_along(pair[0], pair[1]));
        let mut narrow = places.filter(|at| !walker.has_room_at(floor, *at));
        narrow.find_map(|at| floor.body_in(at + walker.lo, at + walker.hi))
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

/// The narrowest place of the first passage on a straight line that does not have this room: the middle of the body there,
/// in pixels. `None` if it has.
pub(super) fn narrow_place_on_line(floor: &Floor, room: Room, [from, to]: [Vec2; 2]) -> Option<Vec2> {
    let is_clear = |from: Vec2, to: Vec2| room.is_clear(floor, from, to, &mut 0);
    if is_clear(from, to) {
        return None;
    }
    let n_places = (from.distance(to) / BETWEEN_PX).ceil().clamp(1.0, f32::from(MOST_PLACES));
    let place = |i: f32| from.lerp(to, i / n_places);
    // The first piece that is closed.
    let (mut begin, mut end) = (0.0, n_places);
    while end - begin > 1.0 {
        let middle = f32::midpoint(begin, end).floor();
        if is_clear(place(begin), place(middle)) { begin = middle } else { end = middle }
    }
    // Over ledges the room at a place is searched upward, which is slow: one place is enough.
    let near_px = NEAR_TILES * floor.grid().tile_size().max_element() + 2.0 * room.radius;
    let most = if room.over_ledges { 1 } else { usize::from(MOST_PLACES) };
    let places = std::iter::successors(Some(end), |i| (*i < n_places).then_some(i + 1.0)).map(place).take(most);
    let places = places.take_while(|at| at.distance(place(begin)) <= near_px && !is_clear(*at, *at));
    let room_at = |at: Vec2| {
        let rooms = room.places_above(at).map(|place| (floor.room_at(place, room.radius), place));
        rooms.reduce(|best, next| if next.0 > best.0 { next } else { best })
    };
    let passage: Vec<(f32, Vec2)> = places.filter_map(room_at).collect();
    narrowest(&passage).or_else(|| Some(place(end) + room.offset))
}

/// Places along a line, about a pixel apart, both ends included.
fn places_along(from: Vec2, to: Vec2) -> impl Iterator<Item = Vec2> {
    let n_places = (from.distance(to) / BETWEEN_PX).ceil().clamp(1.0, f32::from(MOST_PLACES));
    let next = move |i: &f32| (*i < n_places).then_some(i + 1.0);
    std::iter::successors(Some(0.0), next).map(move |i| from.lerp(to, i / n_places))
}

/// The middle of the first stretch of a passage that is as narrow as any, given its places with their room, in pixels.
fn narrowest(passage: &[(f32, Vec2)]) -> Option<Vec2> {
    let least = passage.iter().fold(f32::INFINITY, |least, (room, _)| least.min(*room));
    let is_narrowest = |(room, _): &&(f32, Vec2)| *room < least + LEAST_DIFFERENCE;
    let from = passage.iter().position(|place| is_narrowest(&place))?;
    let n = passage[from..].iter().take_while(is_narrowest).count();
    Some(passage[from + n / 2].1)
}
