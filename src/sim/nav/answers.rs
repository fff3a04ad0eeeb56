//! The searches that answer requests: begun, and continued within a budget. Why there is no path is found in `diagnosis`.
//!
//! Invariant: a search that continues in several parts has the same answer as one in a single part; its effort depends on
//! what is known by then. The order of requests is decided in `requests`.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::{Cell, Name},
    sim::grid,
};

use super::{
    Agent, Answer, GridSearcher, Ground, LedgeMap, Navigator, NoPath, NoPathReason, PathRequest, Progress, Walker,
    diagnosis::{Failed, of_radius},
    floor::TOUCH_PX,
    gaps::GapSearch,
    ledges::{self, Carrier, LedgePath, LedgeSearch, Ledges, Riding},
    regions::{self, RegionPath, RegionSearch, Regions},
    requests::{AgentKey, grid_query, unshared_bytes},
    smooth::{self, Shortcut},
    waypoint_search::{Part, WaypointPath, WaypointSearch},
    waypoints::Room,
};

/// The most lists of links that agents of one width and offset can pass. Beyond it all are made anew.
const MOST_LINK_LISTS: usize = 64;
/// The most stored places of ledges, all walkers together. Beyond it the walkers that were used least recently are
/// dropped (LRU).
const MOST_PLACES: usize = 1 << 19;
/// The effort of starting a search, in expansions.
pub(super) const START_EFFORT: u32 = 16;

/// A search that may continue in the next tick. Clones of a world share the searches that wait.
#[derive(Clone, Debug)]
pub(super) enum Search {
    Grid(Arc<GridSearcher>),
    /// A path over cells that is straightened, and the answer with it but without its points.
    Straighten(Arc<(Answer, Shortcut)>),
    Regions(Arc<RegionSearch>),
    Ledges(Arc<LedgeSearch>),
    Waypoints(Arc<WaypointSearch>),
    /// A failed search, and the same search for a narrower agent or a smaller walker that no belt moves, which finds the
    /// passage that is too narrow, or the belt.
    Narrower(Box<(PathRequest, Self)>, Box<Failed>),
    /// A failed search over cells, and a search for gaps beside partly solid tiles.
    Gaps(Arc<GapSearch>, Box<Failed>),
    /// A search around further bodies, with the floor that includes them.
    Around(Box<(Navigator, Self)>),
    /// A failed search, and the same search on [`Navigator::open`], which finds the body that blocks it.
    WithoutBodies(Box<Self>, Box<Failed>),
}

impl Search {
    /// Keep the results so far without working memory; returns the search whose memory is free then.
    pub(super) fn rest(&mut self) -> Option<Self> {
        match self {
            Self::Grid(search) if !search.is_copy() => {
                let copy = Arc::new(GridSearcher::clone(search));
                Some(Self::Grid(std::mem::replace(search, copy)))
            }
            Self::Narrower(on, _) => on.1.rest(),
            Self::Around(on) => on.1.rest(),
            Self::WithoutBodies(search, _) => search.rest(),
            _ => None,
        }
    }

    /// Memory that no other world shares, in bytes.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Grid(search) => unshared_bytes(search, GridSearcher::bytes),
            Self::Straighten(found) => unshared_bytes(found, |(_, shortcut)| shortcut.bytes()),
            Self::Regions(search) => unshared_bytes(search, RegionSearch::bytes),
            Self::Ledges(search) => unshared_bytes(search, LedgeSearch::bytes),
            Self::Waypoints(search) => unshared_bytes(search, WaypointSearch::bytes),
            Self::Narrower(on, failed) => on.1.bytes() + failed.bytes(),
            Self::Gaps(search, failed) => unshared_bytes(search, GapSearch::bytes) + failed.bytes(),
            Self::Around(on) => on.0.bytes() + on.1.bytes(),
            Self::WithoutBodies(search, failed) => search.bytes() + failed.bytes(),
        }
    }
}

/// Result and effort of a part of a search: its answer, or the search if it needs more than the budget.
pub(super) type Outcome = (Result<Answer, Search>, u32);

impl Navigator {
    /// Start a search.
    pub(super) fn begin(&mut self, request: &PathRequest) -> Outcome {
        if !request.around.is_empty() {
            let mut bodies = self.floor.bodies().clone();
            bodies.extend(request.around.iter().map(|(part, body)| (*part, body.clone())));
            let (mut other, effort) = self.with_bodies(bodies, request);
            let (begun, more) = other.begin(&without_bodies(request));
            return self.or_ignoring_bodies(request, other, (begun, effort.saturating_add(more)));
        }
        let begun = match &request.on {
            Ground::Waypoints(_) => Err(Search::Waypoints(Arc::default())),
            Ground::Grid => self.begin_over_cells(request),
            Ground::Ledges(walker) => {
                let mut search = LedgeSearch::default();
                let mut ledges = self.take_ledges(walker);
                search.start(&mut ledges, &self.floor, request);
                self.ledges.push(ledges);
                Err(Search::Ledges(Arc::new(search)))
            }
        };
        (begun, START_EFFORT)
    }

    /// Continue a search within a budget.
    pub(super) fn go_on(&mut self, request: &PathRequest, search: Search, budget: u32) -> Outcome {
        match (search, &request.on) {
            (Search::Grid(search), _) => self.go_on_over_grid(request, search, budget),
            (Search::Straighten(found), _) => self.go_on_straightening(request, Arc::unwrap_or_clone(found), budget),
            (Search::Regions(search), _) => self.go_on_over_regions(request, search, budget),
            (Search::Narrower(on, failed), _) => {
                let (narrower, search) = *on;
                // That there is no path for the narrower agent either needs no reason of its own.
                let explains = std::mem::replace(&mut self.explains, false);
                let outcome = self.go_on(&narrower, search, budget);
                self.explains = explains;
                self.or_narrow_place(request, narrower, outcome, *failed)
            }
            (Search::Gaps(search, failed), _) => self.go_on_through_gaps(request, search, *failed, budget),
            (Search::WithoutBodies(search, failed), _) => {
                let mut other = self.take_open();
                let outcome = other.go_on(&of_radius(request, 0.0), *search, budget);
                self.or_blocking_body(request, other, outcome, *failed)
            }
            (Search::Around(around), _) => {
                let (mut other, search) = *around;
                let outcome = other.go_on(&without_bodies(request), search, budget);
                self.or_ignoring_bodies(request, other, outcome)
            }
            (Search::Ledges(search), Ground::Ledges(walker)) => self.go_on_over_ledges(request, search, walker, budget),
            (Search::Waypoints(search), Ground::Waypoints(layer)) => {
                self.go_on_along_waypoints(request, search, layer, budget)
            }
            // The kind of a search always fits the requested ground.
            (Search::Ledges(_) | Search::Waypoints(_), _) => (Ok(Answer::default()), 1),
        }
    }

    /// The outcome of a search around bodies; if the bodies block every path, a search that ignores them is started.
    fn or_ignoring_bodies(&mut self, request: &PathRequest, other: Self, (outcome, effort): Outcome) -> Outcome {
        match outcome {
            Ok(answer) if answer.found => (Ok(answer), effort),
            Ok(_) => {
                let (begun, more) = self.begin(&without_bodies(request));
                (begun, effort.saturating_add(more))
            }
            Err(search) => (Err(Search::Around(Box::new((other, search)))), effort),
        }
    }

    /// Start a search over cells. Returns the answer if no search is needed.
    fn begin_over_cells(&mut self, request: &PathRequest) -> Result<Answer, Search> {
        if let Some(map) = self.map(&request.agent) {
            let mut searcher = self.searcher();
            searcher.keeps_order = self.keeps_shapes;
            searcher.start(&map, &grid_query(&self.floor, &map, request));
            return Err(Search::Grid(Arc::new(searcher)));
        }
        // The level is too large for a map.
        let agent = AgentKey::of(&request.agent).agent();
        let ends = match regions::ends_of(&self.floor, &agent, request) {
            Ok(ends) => ends,
            Err(why) => return Ok(Answer { no_path: Some(why), ..Answer::default() }),
        };
        let Some(regions) = self.take_regions(&agent) else { return Ok(Answer::default()) };
        let mut search = RegionSearch::default();
        search.start(&self.floor, &regions, ends, (request.weight, request.is_smooth));
        self.regions.insert(AgentKey::of(&agent), regions);
        Err(Search::Regions(Arc::new(search)))
    }

    fn go_on_over_grid(&mut self, request: &PathRequest, search: Arc<GridSearcher>, budget: u32) -> Outcome {
        let Some(map) = self.map(&request.agent) else { return (Ok(Answer::default()), 1) };
        let mut searcher = Arc::unwrap_or_clone(search);
        searcher.wake(&map, || self.searcher());
        let before = searcher.stats().expanded;
        let progress = searcher.run(&map, budget);
        let effort = (searcher.stats().expanded - before).max(1);
        if progress == Progress::Running {
            return (Err(Search::Grid(Arc::new(searcher))), effort);
        }
        let px = |cells: Vec<Cell>| cells.into_iter().map(|cell| map.center(cell)).collect();
        let (open, closed) = if self.keeps_shapes { searcher.shape(&map) } else { Default::default() };
        let answer = Answer { stats: searcher.stats(), open: px(open), closed: px(closed), ..Answer::default() };
        self.rest(searcher);
        let Progress::Found(path) = progress else {
            if !self.explains {
                return (Ok(answer), effort);
            }
            let (why, more) = self.why_closed(&map, request);
            let (explained, most) = match why {
                Some(why) => (Ok(Answer { no_path: Some(why), ..answer }), 0),
                None => self.begin_diagnosis(request, answer),
            };
            return (explained, effort.saturating_add(more).saturating_add(most));
        };
        let ends = if request.to.len() > 1 { grid_query(&self.floor, &map, request).to } else { Vec::new() };
        let goal = ends.iter().position(|end| path.cells.last() == Some(end)).unwrap_or_default();
        let answer = Answer { found: true, goal, cost: path.cost, ..answer };
        if !request.is_smooth {
            let points = smooth::centers(&map, &path);
            return (Ok(self.ended(request, Answer { points, ..answer })), effort);
        }
        let found = (answer, Shortcut::new(&map, &path));
        let (outcome, more) = self.go_on_straightening(request, found, budget.saturating_sub(effort));
        (outcome, effort.saturating_add(more))
    }

    /// Straighten and smooth a path that was found.
    fn go_on_straightening(
        &mut self,
        request: &PathRequest,
        (answer, mut shortcut): (Answer, Shortcut),
        budget: u32,
    ) -> Outcome {
        let Some(map) = self.map(&request.agent) else { return (Ok(Answer::default()), 1) };
        let radius = request.agent.radius;
        let effort = shortcut.run(&self.floor, &map, radius, budget);
        if !shortcut.is_done() {
            return (Err(Search::Straighten(Arc::new((answer, shortcut)))), effort);
        }
        let effort = effort.saturating_add(shortcut.effort_beyond());
        let mut points = shortcut.into_points();
        if map.corner_cutting {
            points = smooth::around_corners(&self.floor, &points, radius);
        }
        let points = smooth::smooth(&points, |a, b| smooth::is_walkable(&self.floor, &map, a, b, radius));
        (Ok(self.ended(request, Answer { points, ..answer })), effort)
    }

    /// Whether an agent can stand at a goal, or so near that it counts as reached: a path without `snap_cells` may end
    /// there. Whether one leads there is another question. `request` needs no goals.
    pub(in crate::sim) fn has_room_at(&mut self, request: &PathRequest, goal: Vec2) -> bool {
        let request = PathRequest { to: vec![goal], snap_cells: 0, ..request.clone() }.for_body();
        let Some(map) = self.map(&request.agent) else { return self.floor.is_open(request.to[0]) };
        let query = grid_query(&self.floor, &map, &request);
        let Some(end) = query.to.first().copied().filter(|cell| map.is_open(*cell)) else { return false };
        self.ended(&request, Answer { found: true, points: vec![map.center(end)], ..Answer::default() }).found
    }

    /// The answer with a path that ends beside the goal if the agent has no room at the goal: see
    /// [`PathRequest::near_px`].
    fn ended(&self, request: &PathRequest, mut answer: Answer) -> Answer {
        let ends = request.to.get(answer.goal).copied().zip(answer.points.last().copied());
        let Some((goal, end)) = ends.filter(|_| request.near_px > 0.0) else { return answer };
        let (floor, radius) = (&self.floor, (request.agent.radius - TOUCH_PX).max(0.0));
        let is_touched = request.touches || goal.distance(end) <= request.near_px;
        if request.snap_cells == 0 && !is_touched && floor.is_in_body(goal) {
            let no_path = Some(NoPath { reason: NoPathReason::Wall, at: goal });
            return Answer { found: false, goal: 0, cost: 0.0, points: Vec::new(), no_path, ..answer };
        }
        // A goal inside something solid is reached by its cell.
        if floor.is_clear(end, goal, radius) || !floor.is_open(goal) {
            return answer;
        }
        let place = floor.room_near(goal, (end, radius), request.near_px);
        if place.is_none() && request.snap_cells == 0 {
            let no_path = Some(NoPath { reason: NoPathReason::TooNarrow, at: goal });
            return Answer { found: false, goal: 0, cost: 0.0, points: Vec::new(), no_path, ..answer };
        }
        if let Some(place) = place.filter(|place| request.is_smooth && *place != end) {
            let before = answer.points.len().checked_sub(2).map(|i| answer.points[i]);
            if before.is_some_and(|before| floor.is_clear(before, place, radius)) {
                answer.points.pop();
            }
            answer.points.push(place);
        }
        answer
    }

    fn go_on_over_regions(&mut self, request: &PathRequest, search: Arc<RegionSearch>, budget: u32) -> Outcome {
        let Some(mut regions) = self.take_regions(&request.agent) else { return (Ok(Answer::default()), 1) };
        let mut search = Arc::unwrap_or_clone(search);
        let mut searcher = self.searcher();
        let (path, effort) = search.run(Arc::make_mut(&mut regions), &self.floor, &mut searcher, budget);
        self.rest(searcher);
        self.regions.insert(AgentKey::of(&request.agent), regions);
        if matches!(path, RegionPath::Running) {
            return (Err(Search::Regions(Arc::new(search))), effort);
        }
        let (open, closed) = if self.keeps_shapes { search.shape(&self.floor) } else { Default::default() };
        let answer = Answer { stats: search.stats, open, closed, ..Answer::default() };
        let at = request.to.first().copied().unwrap_or(request.from);
        let no = |reason| Some(NoPath { reason, at });
        let outcome = match path {
            RegionPath::Found { points, cost, goal } => {
                Ok(self.ended(request, Answer { found: true, goal, cost, points, ..answer }))
            }
            RegionPath::TooFar => Ok(Answer { no_path: no(NoPathReason::TooFar), ..answer }),
            _ if request.agent.radius <= 0.0 || !self.explains => {
                Ok(Answer { no_path: no(NoPathReason::Unconnected), ..answer })
            }
            _ => {
                let (explained, more) = self.begin_diagnosis(request, answer);
                return (explained, effort.saturating_add(more));
            }
        };
        (outcome, effort)
    }

    /// The regions for an agent, removed so that a search can add to them.
    fn take_regions(&mut self, agent: &Agent) -> Option<Arc<Regions>> {
        let key = AgentKey::of(agent);
        let make = || Regions::new(&self.floor, &key.agent()).map(Arc::new);
        self.regions.remove(&key).or_else(make)
    }

    fn go_on_over_ledges(
        &mut self,
        request: &PathRequest,
        search: Arc<LedgeSearch>,
        walker: &Arc<Walker>,
        budget: u32,
    ) -> Outcome {
        let mut search = Arc::unwrap_or_clone(search);
        let mut ledges = self.take_ledges(walker);
        let (path, effort) = search.run(&mut ledges, &self.floor, budget);
        self.ledges.push(ledges);
        if matches!(path, LedgePath::Running) {
            return (Err(Search::Ledges(Arc::new(search))), effort);
        }
        let (open, closed) = if self.keeps_shapes { search.shape() } else { Default::default() };
        let answer = Answer { stats: search.stats, open, closed, ..Answer::default() };
        let answer = match path {
            LedgePath::Found { legs, cost, goal } => {
                let mut points = vec![request.from];
                points.extend(legs.iter().flat_map(|leg| leg.way.iter().chain(&leg.arc)));
                points.dedup();
                Answer { found: true, goal, cost, points, legs, ..answer }
            }
            LedgePath::NoPath(why) => {
                let answer = Answer { no_path: Some(why), highest: search.highest, ..answer };
                if why.reason == NoPathReason::Unconnected {
                    let over_ledges = search.has_ends().then(|| Arc::new(search));
                    let (begun, more) = self.begin_without_bodies(request, Failed { answer, over_ledges });
                    return (begun, effort.saturating_add(more));
                }
                answer
            }
            LedgePath::Running => answer,
        };
        (Ok(answer), effort)
    }

    /// Whether a walker with its origin at `pos` stands on a ledge.
    #[must_use]
    pub fn is_on_ledge(&mut self, walker: &Walker, pos: Vec2) -> bool {
        let mut ledges = self.take_ledges(walker);
        let stands = ledges.stand_at(&self.floor, pos).is_some();
        self.ledges.push(ledges);
        stands
    }

    /// Whether walkers with their origins at `a` and `b` stand on the same ledge.
    #[must_use]
    pub fn are_on_one_ledge(&mut self, walker: &Walker, a: Vec2, b: Vec2) -> bool {
        let mut ledges = self.take_ledges(walker);
        let [a, b] = [a, b].map(|pos| {
            let cell = ledges.stand_at(&self.floor, pos)?;
            ledges.ledge_of(&self.floor, cell).map(|(id, _)| id)
        });
        self.ledges.push(ledges);
        a.is_some() && a == b
    }

    /// The ledges of the level for a walker, and which of them it can reach from a place in pixels.
    pub fn ledge_map(&mut self, walker: &Walker, from: Vec2) -> LedgeMap {
        let mut ledges = self.take_ledges(walker);
        let map = LedgeMap::new(&mut ledges, &self.floor, from);
        self.ledges.push(ledges);
        map
    }

    /// The reachable place over ledges that is nearest to any of some goals: position of the walker's feet, in pixels.
    pub fn nearest_on_ledges(&mut self, walker: &Walker, from: Vec2, to: &[Vec2]) -> Option<Vec2> {
        let mut known = self.take_ledges(walker);
        let nearest = ledges::nearest(&mut known, &self.floor, from, to);
        self.ledges.push(known);
        nearest
    }

    /// The ledge on which a walker at a place in pixels stands, by a number that stays while the level does; `None` in the
    /// air.
    pub fn ledge_below(&mut self, walker: &Walker, at: Vec2) -> Option<u32> {
        let mut known = self.take_ledges(walker);
        let cell = known.stand_at(&self.floor, at);
        let ledge = cell.and_then(|cell| known.ledge_of(&self.floor, cell));
        self.ledges.push(known);
        ledge.map(|(id, _)| id)
    }

    /// Whether a walker can reach each of some places over ledges, all in pixels.
    pub fn reaches_over_ledges(&mut self, walker: &Walker, from: Vec2, to: &[Vec2]) -> Vec<bool> {
        let mut known = self.take_ledges(walker);
        let reached = ledges::reaches(&mut known, &self.floor, from, to);
        self.ledges.push(known);
        reached
    }

    /// Which places (px) a walker may reach that also rides bodies which move; may be true too often.
    pub(crate) fn reaches_riding(&mut self, walker: &Walker, from: Vec2, carriers: &[Carrier], to: &[Vec2]) -> Riding {
        let mut known = self.take_ledges(walker);
        let riding = ledges::reaches_riding(&mut known, &self.floor, from, carriers, to);
        self.ledges.push(known);
        riding
    }

    /// Whether a walker that leaves the ground with a position (px) and velocity (px/s) lands where it can continue to
    /// a goal. `None` if finding out exceeds this tick's budget for questions: the next call continues.
    pub(in crate::sim) fn leads_on(&mut self, walker: &Walker, leaves: (Vec2, Vec2), goal: Vec2) -> Option<bool> {
        let mut known = self.take_ledges(walker);
        let left = self.left_for_questions();
        let (leads_on, effort) = ledges::leads_on(&mut known, &self.floor, leaves, goal, left);
        self.ledges.push(known);
        self.question_effort = self.question_effort.saturating_add(effort);
        leads_on
    }

    /// The ledges of a walker, removed so that a search can add to them.
    pub(super) fn take_ledges(&mut self, walker: &Walker) -> Arc<Ledges> {
        if let Some(i) = self.ledges.iter().position(|known| known.walker() == walker) {
            return self.ledges.remove(i);
        }
        while self.ledges.iter().map(|ledges| ledges.n_places()).sum::<usize>() > MOST_PLACES {
            self.ledges.remove(0);
        }
        Arc::new(Ledges::new(walker.clone()))
    }

    fn go_on_along_waypoints(
        &mut self,
        request: &PathRequest,
        search: Arc<WaypointSearch>,
        layer: &Name,
        budget: u32,
    ) -> Outcome {
        let Some(graph) = self.waypoints(layer).cloned() else { return (Ok(Answer::default()), 1) };
        if let Some(why) = self.outside(request) {
            return (Ok(Answer { no_path: Some(why), ..Answer::default() }), 1);
        }
        let mut search = Arc::unwrap_or_clone(search);
        // Agents whose rounded widths are equal have equal answers.
        let key = AgentKey::of(&request.agent);
        let floor = self.floor.clone();
        // The offset of a body turns with its agent.
        let quarters = (request.agent.offset * 4.0).to_array().map(|x| grid::floor(x + 0.5));
        #[allow(clippy::cast_precision_loss)] // within a level
        let offset = Vec2::from(quarters.map(|x| x as f32)) / 4.0;
        let over_ledges = request.agent.over_ledges;
        let room = Room { radius: key.agent().radius, offset, over_ledges };
        if self.links.len() > MOST_LINK_LISTS {
            self.links.clear();
        }
        let of_width = (layer.clone(), key.quarter_px, quarters, over_ledges);
        // Removed while the search asks for ledges as well.
        let known = self.links.remove(&of_width);
        let mut known = known.unwrap_or_else(|| Arc::new(vec![None; graph.links().len()]));
        let mut is_passable = |part: Part| {
            let mut effort = 0;
            let (link, from) = match part {
                Part::Link { link, from } => (link, from),
                Part::End { ends, is_goal } => {
                    return self.leads_past_bodies(request, room, (ends, is_goal && request.touches));
                }
            };
            let is_passable = known.get(link).copied().flatten().unwrap_or_else(|| {
                let is_passable = graph.is_passable(&floor, link, room, &mut effort);
                if let Some(known) = Arc::make_mut(&mut known).get_mut(link) {
                    *known = Some(is_passable);
                }
                is_passable
            });
            if is_passable {
                return (true, effort);
            }
            let (leads, more) = self.leads_over_ledges(request, room, graph.ends_from(link, from));
            (leads, effort.saturating_add(more))
        };
        let (path, effort) = search.run((&graph, &floor, room), request, &mut is_passable, budget);
        self.links.insert(of_width, known);
        let is_over = !matches!(path, WaypointPath::Running | WaypointPath::Failed);
        let (open, closed) = if self.keeps_shapes && is_over { search.shape(&graph) } else { Default::default() };
        let answer = Answer { stats: search.stats, open, closed, ..Answer::default() };
        let outcome = match path {
            WaypointPath::Running => Err(Search::Waypoints(Arc::new(search))),
            WaypointPath::Failed => Err(Search::Waypoints(Arc::new(WaypointSearch::for_reason(search)))),
            WaypointPath::NoPath(why) => Ok(Answer { no_path: Some(why), ..answer }),
            WaypointPath::Found { goal, points, cost } => Ok(Answer { found: true, goal, cost, points, ..answer }),
        };
        (outcome, effort)
    }
}

/// The same request without the bodies that it is to lead around.
fn without_bodies(request: &PathRequest) -> PathRequest {
    PathRequest { around: Arc::default(), ..request.clone() }
}
