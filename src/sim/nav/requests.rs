//! Path requests that have not been answered: a queue with a fixed effort per tick, shared fairly.
//!
//! Invariant: the order of answers depends on the requests and budgets alone. Walking a path, and keeping the old one
//! until the answer is there, is up to the caller. How a request is answered is in `answers`.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex},
};

use glam::Vec2;

use crate::{
    model::{Cell, Layer, Level, Name},
    sim::{
        EntityKey,
        grid::{GridChange, SolidGrid},
        insight::profile::{Meter, System},
        physics::convex::Convex,
    },
};

use super::{
    Agent, Floor, GridMap, GridQuery, GridSearcher, Leg, Neighbors, NoPath, NoPathReason, SAME_FLOOR_PX, Stats, Walker,
    Waypoints,
    answers::Search,
    floor::{BodyPart, CellBox},
    gaps::ClosedOff,
    ledges::Ledges,
    over_links::OverLedges,
    queue::Queue,
    regions::Regions,
};

/// The most searches at one time; each has memory for the whole map while it runs. Other requests wait.
const MAX_ACTIVE: usize = 4;
/// How far a closed start or goal cell may be moved to an open one, in cells.
pub(super) const MAX_SNAP: i32 = 16;
/// The least effort of a search in its turn, in expansions.
const MIN_SLICE: u32 = 64;
/// Levels with more cells have no map of all cells: their paths lead from region to region.
const MOST_MAPPED_CELLS: i64 = 1 << 24;

/// The graph in which a path is searched.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Ground {
    /// The tile grid.
    #[default]
    Grid,
    /// A waypoint layer, by name.
    Waypoints(Name),
    /// Ledges, with drops and jumps between them: for a walker seen from the side.
    Ledges(Arc<Walker>),
}

/// A request for a path.
#[derive(Clone, Debug, PartialEq)]
pub struct PathRequest {
    /// Where the agent is, in pixels.
    pub from: Vec2,
    /// The goals, any of which may be reached, in pixels.
    pub to: Vec<Vec2>,
    /// The agent.
    pub agent: Agent,
    /// The graph to search.
    pub on: Ground,
    /// Weight of the estimate, 1 to [`MAX_PATH_WEIGHT`](crate::sim::limits::MAX_PATH_WEIGHT). Above 1 the search is
    /// faster and the path costs at most this many times the optimum.
    pub weight: f64,
    /// Extra cost of a change of direction on the grid, in plain steps.
    pub turn_penalty: f64,
    /// The allowed steps on the grid.
    pub neighbors: Neighbors,
    /// Whether to straighten and smooth the path.
    pub is_smooth: bool,
    /// How far a closed start or goal cell may be moved to an open one, in cells, 16 at most.
    pub snap_cells: i32,
    /// If the agent has no room at a goal, or a body is there: distance in pixels from which the goal counts as reached.
    /// With `snap_cells: 0`, there is no path to a goal that has no room for the agent within this distance, and over
    /// ledges none that ends farther than half of it from a goal that has room; otherwise the
    /// path leads as near as possible. 0 leaves all goals to their cells.
    pub near_px: f32,
    /// Drops and jumps over ledges, and links along waypoints, that are left out, by their start and end, in pixels.
    pub avoid: Vec<[Vec2; 2]>,
    /// Over ledges: the goals move, so the ground below a goal counts even while the goal is out of reach of a jump.
    pub goals_move: bool,
    /// The goals are bodies that the agent is to touch: over ledges, one that is an obstacle is reached on either side,
    /// however large it is.
    pub touches: bool,
    /// Further bodies that the path is to lead around, or over ledges also onto or over, if there is such a path: their
    /// parts by key, in pixels.
    pub around: Arc<BTreeMap<(EntityKey, usize), Convex>>,
    /// Along waypoints: the walker that goes over ledges from each to the next. A body on the straight line of a link does
    /// not close it if ledges lead on. Of an answer at once, there is no path if one of these parts has none.
    pub walker: Option<Arc<Walker>>,
}

impl PathRequest {
    /// A request for a smoothed path over the grid, for an agent whose center may be in a wall.
    #[must_use]
    pub fn new(from: Vec2, to: Vec2, agent: Agent) -> Self {
        Self {
            from,
            to: vec![to],
            agent,
            on: Ground::Grid,
            weight: 1.0,
            turn_penalty: 0.0,
            neighbors: Neighbors::Eight,
            is_smooth: true,
            snap_cells: 1,
            near_px: 0.0,
            avoid: Vec::new(),
            goals_move: false,
            touches: false,
            around: Arc::default(),
            walker: None,
        }
    }

    /// From the points of the path to the middle of the agent's body, in pixels: over cells the path is searched for the
    /// body. Walkers over ledges have a body of their own, and waypoints are places of the origin.
    pub(super) fn offset(&self) -> Vec2 {
        if self.on == Ground::Grid { self.agent.offset } else { Vec2::ZERO }
    }

    /// The request for the middle of the agent's body.
    pub(super) fn for_body(mut self) -> Self {
        let offset = self.offset();
        self.to.iter_mut().chain([&mut self.from]).for_each(|at| *at += offset);
        self
    }
}

/// The answer to a request.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// Whether there is a path.
    pub found: bool,
    /// The reason why there is none.
    pub no_path: Option<NoPath>,
    /// The goal that the path leads to, by its index in the request.
    pub goal: usize,
    /// Cost of the path before smoothing: in plain steps on the grid, in pixels on waypoints, in pixels of walking over
    /// ledges.
    pub cost: f64,
    /// Points of the path in pixels, both ends included.
    pub points: Vec<Vec2>,
    /// Over ledges: the legs of the path.
    pub legs: Vec<Leg>,
    /// Over ledges without a path: the y of the highest place that the walker gets to, in pixels.
    pub highest: Option<f32>,
    /// The effort of the search.
    pub stats: Stats,
    /// The open places of the search, in pixels; only if shapes are kept.
    pub open: Vec<Vec2>,
    /// The closed places of the search in order of closing, in pixels; only if shapes are kept.
    pub closed: Vec<Vec2>,
}

impl Answer {
    /// Whether something solid is in the way.
    pub(in crate::sim) fn is_walled(&self) -> bool {
        !self.found && self.no_path.is_some_and(|why| why.reason == NoPathReason::Wall)
    }

    /// Without a path over ledges from one place to another, how far that is above the highest place that the walker gets
    /// to, if its jump is not as high. In pixels.
    pub(in crate::sim) fn too_high(&self, [from, to]: [Vec2; 2], jump_px: f32) -> Option<f32> {
        let is_unconnected = !self.found && self.no_path.is_some_and(|why| why.reason == NoPathReason::Unconnected);
        let up = self.highest.unwrap_or(from.y) - to.y;
        (is_unconnected && up.round() > jump_px.round()).then_some(up)
    }

    /// The same as a part of a sentence about the goal, or about the waypoint at `at` if the path is along waypoints and
    /// that one is on the way.
    pub(in crate::sim) fn too_high_text(
        &self,
        from: Vec2,
        at: Vec2,
        (goal, is_along): (Vec2, bool),
        jump_px: f32,
    ) -> Option<String> {
        let is_on_way = is_along && at.distance(goal) > SAME_FLOOR_PX;
        let what = if is_on_way { "the next waypoint" } else { "its goal" };
        let [up, jump] = [self.too_high([from, at], jump_px)?, jump_px].map(f32::round);
        Some(format!("; {what} is {up} px above the highest place that it gets to, and its jump height is {jump} px"))
    }

    /// The answer for the agent's origin, from that for the middle of its body. The place that is too narrow stays where it
    /// is, but an end of the path is that of the request.
    fn for_origin(mut self, request: &PathRequest) -> Self {
        let offset = request.offset();
        if offset != Vec2::ZERO {
            self.points.iter_mut().for_each(|at| *at -= offset);
            self.highest = self.highest.map(|y| y - offset.y);
            let is_end = |at: Vec2| at == request.from || request.to.contains(&at);
            self.no_path.iter_mut().filter(|why| is_end(why.at)).for_each(|why| why.at -= offset);
        }
        self
    }
}

#[derive(Clone, Debug)]
struct Active {
    key: EntityKey,
    request: PathRequest,
    search: Search,
}

/// A waypoint layer, the rounded width of an agent and offset of its body, in quarter pixels, and whether it goes over
/// ledges.
type LinksKey = (Name, u32, [i32; 2], bool);

/// Answers path requests on one level.
#[derive(Clone, Debug)]
pub struct Navigator {
    pub(super) floor: Floor,
    /// Counts the changes of the floor.
    revision: u64,
    /// Waypoint graphs, each with the layer that it was read from, which is compared by identity.
    graphs: BTreeMap<Name, (Arc<Layer>, Arc<Waypoints>)>,
    /// Maps by agent, made when first needed. `None` if the level is too large for a map.
    pub(super) maps: BTreeMap<AgentKey, Option<Arc<GridMap>>>,
    /// Regions by agent, if the level is too large for maps.
    pub(super) regions: BTreeMap<AgentKey, Arc<Regions>>,
    /// Whether each link of a waypoint layer is wide enough for an agent, as far as known.
    pub(super) links: BTreeMap<LinksKey, Arc<Vec<Option<bool>>>>,
    /// Links without room for a walker on their straight line, and whether ledges lead along them, as far as known.
    pub(super) links_over_ledges: Vec<OverLedges>,
    /// Ledges by walker, the one used last at the end.
    pub(super) ledges: Vec<Arc<Ledges>>,
    /// The level without bodies, filled in by the searches that find what blocks a path. Those that wait for their next turn
    /// go on here, so it is dropped only where searches begin anew.
    pub(super) open: Option<Arc<Navigator>>,
    /// Places that no gap leads out of, of the latest searches for gaps.
    pub(super) closed_off: Vec<Arc<ClosedOff>>,
    /// Whether a search for gaps was given up on this floor, as others would be.
    pub(super) has_too_many_gaps: bool,
    waiting: Queue,
    active: VecDeque<Active>,
    /// By how much the last tick exceeded its budget, at most one budget; it is subtracted from the next tick's.
    overdraft: u32,
    /// The budget of the last tick, and the effort since then of questions that are answered at once; it is subtracted
    /// from the next tick's budget, too.
    budget: u32,
    pub(super) question_effort: u32,
    /// Whether a search that finds no path looks for the reason.
    pub(super) explains: bool,
    /// Memory for searches, shared with clones: its contents change no answer.
    idle: Arc<Mutex<Vec<GridSearcher>>>,
    /// Whether answers contain the open and closed places, for the overlay.
    pub keeps_shapes: bool,
}

impl Navigator {
    /// A navigator for a level and its grid.
    #[must_use]
    pub fn new(level: &Level, grid: Arc<SolidGrid>) -> Self {
        let mut navigator = Self::on(Floor::from(grid));
        navigator.read_graphs(level, None);
        navigator
    }

    /// A navigator for a floor without waypoints.
    fn on(floor: Floor) -> Self {
        Self {
            floor,
            revision: 0,
            graphs: BTreeMap::new(),
            maps: BTreeMap::new(),
            regions: BTreeMap::new(),
            links: BTreeMap::new(),
            links_over_ledges: Vec::new(),
            ledges: Vec::new(),
            open: None,
            closed_off: Vec::new(),
            has_too_many_gaps: false,
            waiting: Queue::default(),
            active: VecDeque::new(),
            overdraft: 0,
            budget: 0,
            question_effort: 0,
            explains: true,
            idle: Arc::default(),
            keeps_shapes: false,
        }
    }

    /// A navigator for the same level on another floor, without any data of it, to answer one request without
    /// diagnosis.
    pub(super) fn on_floor(&self, floor: Floor) -> Self {
        let (graphs, idle) = (self.graphs.clone(), Arc::clone(&self.idle));
        Self { graphs, idle, explains: false, keeps_shapes: self.keeps_shapes, ..Self::on(floor) }
    }

    /// Update after a change of the level; `grid` has to be another state of the previous grid. Searches under way
    /// begin again; waiting requests keep their turn.
    pub fn update(&mut self, level: &Level, grid: Arc<SolidGrid>, change: &GridChange) {
        let before = self.floor.set_grid(grid);
        let changed: Option<Vec<CellBox>> = match change {
            GridChange::Nothing => Some(Vec::new()),
            GridChange::Chunks(chunks) => {
                Some(chunks.iter().filter_map(|at| self.floor.grid().changed_cells(&before, *at)).collect())
            }
            GridChange::All => None,
        };
        match &changed {
            Some(changed) => self.forget(changed),
            None => {
                self.ledges.clear();
                self.regions.clear();
            }
        }
        let floor = &self.floor;
        self.regions.retain(|_, regions| regions.fits(floor));
        for (key, map) in &mut self.maps {
            let agent = key.agent();
            let fitting = map.as_mut().filter(|map| map.fits(&self.floor, &agent));
            match (&changed, fitting) {
                (Some(changed), Some(_)) if changed.is_empty() => {}
                (Some(changed), Some(map)) => Arc::make_mut(map).update(&self.floor, changed),
                _ => *map = map_of(&self.floor, &agent),
            }
        }
        let has_other_graphs = self.read_graphs(level, changed.as_deref());
        if *change != GridChange::Nothing || has_other_graphs {
            self.open = None;
            // Whether a link lets an agent through depends on the floor and on where its nodes are.
            self.forget_links();
            self.begin_anew();
        }
    }

    /// Replace the static bodies that block paths, by the keys of their entities and placed in the level, in pixels. If
    /// one was added, removed or changed, searches under way begin again.
    pub fn set_bodies(&mut self, bodies: BTreeMap<BodyPart, Convex>) {
        let changed = self.floor.set_bodies(bodies);
        self.bodies_changed(&changed);
    }

    /// The same for static bodies that are solid only from above, which are ground for walkers.
    pub fn set_one_way_bodies(&mut self, bodies: BTreeMap<BodyPart, Convex>) {
        let changed = self.floor.set_one_way_bodies(bodies);
        if !changed.is_empty() {
            self.open = None;
        }
        self.bodies_changed(&changed);
    }

    fn bodies_changed(&mut self, changed: &[CellBox]) {
        if changed.is_empty() {
            return;
        }
        self.forget(changed);
        for map in self.maps.values_mut().flatten() {
            Arc::make_mut(map).update(&self.floor, changed);
        }
        self.forget_links();
        self.begin_anew();
    }

    fn forget_links(&mut self) {
        self.links.clear();
        self.links_over_ledges.clear();
    }

    fn forget(&mut self, changed: &[CellBox]) {
        self.ledges.iter_mut().for_each(|ledges| ledges.forget(&self.floor, changed));
        self.regions.values_mut().for_each(|regions| Arc::make_mut(regions).forget(&self.floor, changed));
    }

    fn begin_anew(&mut self) {
        self.revision += 1;
        self.closed_off.clear();
        self.has_too_many_gaps = false;
        for Active { key, request, search } in std::mem::take(&mut self.active).into_iter().rev() {
            self.waiting.push_first(key, request);
            self.end(search);
        }
    }

    fn end(&self, search: Search) {
        if let Search::Grid(searcher) = search
            && let Some(searcher) = Arc::into_inner(searcher)
        {
            self.rest(searcher);
        }
    }

    /// A number that grows whenever paths may have opened or closed.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Memory for a search.
    pub(super) fn searcher(&self) -> GridSearcher {
        self.idle.lock().ok().and_then(|mut idle| idle.pop()).unwrap_or_default()
    }

    /// Keep the memory of a search for the next.
    pub(super) fn rest(&self, searcher: GridSearcher) {
        if let Ok(mut idle) = self.idle.lock()
            && idle.len() <= MAX_ACTIVE
        {
            idle.push(searcher);
        }
    }

    /// Release the memory of searches until they continue; they keep their results so far.
    pub(in crate::sim) fn rest_searches(&mut self) {
        for i in 0..self.active.len() {
            if let Some(awake) = self.active[i].search.rest() {
                self.end(awake);
            }
        }
    }

    /// Memory that no other navigator shares, in bytes.
    #[must_use]
    pub(in crate::sim) fn bytes(&self) -> usize {
        let searches = self.active.iter().map(|active| active.search.bytes());
        let maps = self.maps.values().flatten().map(|map| unshared_bytes(map, GridMap::bytes));
        let ledges = self.ledges.iter().map(|ledges| unshared_bytes(ledges, Ledges::bytes));
        let regions = self.regions.values().map(|regions| unshared_bytes(regions, Regions::bytes));
        let links = self.links.values().map(|links| unshared_bytes(links, Vec::len));
        let open = self.open.iter().map(|open| unshared_bytes(open, Navigator::bytes));
        let closed_off = self.closed_off.iter().map(|off| unshared_bytes(off, ClosedOff::bytes));
        let waiting = self.waiting.iter().map(|request| size_of_val(request) + size_of_val(&*request.to));
        searches
            .chain(maps)
            .chain(ledges)
            .chain(regions)
            .chain(links)
            .chain(open)
            .chain(closed_off)
            .chain(waiting)
            .sum()
    }

    /// Make the graphs of a level whose walls changed in these cells; anywhere, where that is not known. Returns
    /// whether any graph differs from before: searches number the nodes of the graph that they began with.
    fn read_graphs(&mut self, level: &Level, changed: Option<&[CellBox]>) -> bool {
        let old = std::mem::take(&mut self.graphs);
        let grid = self.floor.grid();
        for layer in level.all_layers() {
            let Some(graph) = layer.waypoints() else { continue };
            let before = old.get(&layer.name);
            let known = before.filter(|(read, _)| Arc::ptr_eq(read, layer)).map(|(_, built)| built);
            let waypoints = match (known, changed) {
                // Links depend on the walls only if they are made automatically.
                (Some(known), _) if !graph.auto_link => Arc::clone(known),
                (Some(known), Some([])) => Arc::clone(known),
                (Some(known), Some(changed)) => {
                    known.relinked(graph, grid, changed).map_or_else(|| Arc::clone(known), Arc::new)
                }
                _ => {
                    let made = Waypoints::new(graph, grid);
                    // An edit of tags or of how the layer looks changes no path.
                    let same = before.map(|(_, built)| built).filter(|built| ***built == made);
                    same.map_or_else(|| Arc::new(made), Arc::clone)
                }
            };
            self.graphs.insert(layer.name.clone(), (layer.clone(), waypoints));
        }
        let is_as_before = |(name, (_, built)): (&Name, &(Arc<Layer>, Arc<Waypoints>))| {
            old.get(name).is_some_and(|(_, before)| Arc::ptr_eq(before, built))
        };
        old.len() != self.graphs.len() || !self.graphs.iter().all(is_as_before)
    }

    /// The floor that is searched.
    #[must_use]
    pub fn floor(&self) -> &Floor {
        &self.floor
    }

    /// The graph of a waypoint layer.
    #[must_use]
    pub fn waypoints(&self, layer: &str) -> Option<&Arc<Waypoints>> {
        self.graphs.get(layer).map(|(_, graph)| graph)
    }

    /// The map for an agent; `None` if the level is too large for one.
    pub fn map(&mut self, agent: &Agent) -> Option<Arc<GridMap>> {
        let key = AgentKey::of(agent);
        self.maps.entry(key.clone()).or_insert_with(|| map_of(&self.floor, &key.agent())).clone()
    }

    /// Request a path. An unanswered request of the same entity is replaced and keeps its turn; where its search is
    /// under way, that ends and the new one is next.
    pub fn request(&mut self, key: EntityKey, request: PathRequest) {
        let request = request.for_body();
        if self.end_active(key) {
            self.waiting.push_first(key, request);
        } else {
            self.waiting.push(key, request);
        }
    }

    /// Cancel the request of an entity.
    pub fn cancel(&mut self, key: EntityKey) {
        self.waiting.remove(key);
        self.end_active(key);
    }

    /// End the search of an entity, if there is one.
    fn end_active(&mut self, key: EntityKey) -> bool {
        let ended = self.active.iter().position(|active| active.key == key).and_then(|i| self.active.remove(i));
        ended.map(|active| self.end(active.search)).is_some()
    }

    /// Whether an entity has an unanswered request.
    #[must_use]
    pub fn is_waiting(&self, key: EntityKey) -> bool {
        self.waiting.contains(key) || self.active.iter().any(|active| active.key == key)
    }

    /// Spend one tick's effort, in expansions, and return the answers that are ready, in order of completion.
    pub fn tick(&mut self, budget: u32) -> Vec<(EntityKey, Answer)> {
        self.tick_measured(budget, &mut Meter::off())
    }

    /// The same, with each search measured.
    pub(in crate::sim) fn tick_measured(&mut self, budget: u32, meter: &mut Meter<'_>) -> Vec<(EntityKey, Answer)> {
        let mut answers = Vec::new();
        let most = budget.saturating_sub(1);
        let mut spent = self.overdraft.saturating_add(std::mem::take(&mut self.question_effort)).min(most);
        self.budget = budget;
        // Half of what is left: a tick that was overdrawn goes on with the searches under way.
        let mut for_tries = budget.saturating_sub(spent) / 2;
        while spent < budget {
            while self.active.len() < MAX_ACTIVE
                && spent < budget
                && let Some((key, request)) = self.waiting.pop()
            {
                let (begun, effort) = meter.sample_of(System::Paths, key, |_| self.begin(&request));
                spent = spent.saturating_add(effort);
                match begun {
                    Ok(answer) => answers.push((key, answer.for_origin(&request))),
                    Err(search) => self.active.push_back(Active { key, request, search }),
                }
            }
            let effort = self.try_waiting(for_tries.min(budget.saturating_sub(spent)), meter, &mut answers);
            (for_tries, spent) = (for_tries.saturating_sub(effort), spent.saturating_add(effort));
            let left = budget.saturating_sub(spent);
            let share = left / u32::try_from(self.active.len().max(1)).unwrap_or(1);
            let Some(Active { key, request, search }) = self.active.pop_front() else { break };
            let slice = share.max(MIN_SLICE).min(left.max(1));
            let (outcome, effort) = meter.sample_of(System::Paths, key, |_| self.go_on(&request, search, slice));
            spent = spent.saturating_add(effort);
            match outcome {
                Ok(answer) => answers.push((key, answer.for_origin(&request))),
                Err(search) => self.active.push_back(Active { key, request, search }),
            }
        }
        // A part of a search may take more than is left, as where links of a ledge are found; but no tick does nothing.
        self.overdraft = spent.saturating_sub(budget).min(most);
        answers
    }

    /// Try the waiting requests once each, in turn, and answer those whose searches are short, so that they do not wait
    /// for long ones; the others begin anew when it is their turn. Returns the effort, which may exceed `most` by that of
    /// one try.
    fn try_waiting(&mut self, most: u32, meter: &mut Meter<'_>, answers: &mut Vec<(EntityKey, Answer)>) -> u32 {
        let mut spent = 0_u32;
        while spent < most
            && let Some((key, request)) = self.waiting.next_untried()
        {
            let (outcome, effort) = meter.sample_of(System::Paths, key, |_| match self.begin(&request) {
                (Err(search), effort) => {
                    let (outcome, more) = self.go_on(&request, search, MIN_SLICE);
                    (outcome, effort.saturating_add(more))
                }
                answered => answered,
            });
            spent = spent.saturating_add(effort);
            match outcome {
                Ok(answer) => {
                    self.waiting.remove(key);
                    answers.push((key, answer.for_origin(&request)));
                }
                // It has a path and needs no memory for the whole map: it goes on beside the searches under way.
                Err(search @ Search::Straighten(_)) => {
                    self.waiting.remove(key);
                    self.active.push_back(Active { key, request, search });
                }
                Err(search) => self.end(search),
            }
        }
        spent
    }

    /// The effort that is left until the next tick for questions that are answered at once: all of them have half of
    /// what searches have.
    pub(super) fn left_for_questions(&self) -> u32 {
        (self.budget / 2).saturating_sub(self.question_effort)
    }

    /// Answer at once, without a budget.
    pub fn find_now(&mut self, request: &PathRequest) -> Answer {
        if let (Some(walker), Ground::Waypoints(_)) = (&request.walker, &request.on) {
            return self.find_over_links(request, walker);
        }
        self.find_whole(request)
    }

    /// The same without a look at the parts of a path along waypoints.
    pub(super) fn find_whole(&mut self, request: &PathRequest) -> Answer {
        let request = request.clone().for_body();
        let (mut outcome, _) = self.begin(&request);
        loop {
            match outcome {
                Ok(answer) => return answer.for_origin(&request),
                Err(search) => (outcome, _) = self.go_on(&request, search, u32::MAX),
            }
        }
    }
}

/// Bytes of an `Arc`'s value, or 0 if it is shared.
pub(super) fn unshared_bytes<T>(of: &Arc<T>, bytes: impl Fn(&T) -> usize) -> usize {
    if Arc::strong_count(of) > 1 { 0 } else { bytes(of) }
}

/// The map of all cells; `None` if the level is too large for one.
fn map_of(floor: &Floor, agent: &Agent) -> Option<Arc<GridMap>> {
    let (lo, hi) = floor.grid().bounds();
    let [w, h] = [0, 1].map(|i| i64::from(hi[i]) - i64::from(lo[i]));
    (w.saturating_mul(h) <= MOST_MAPPED_CELLS).then(|| GridMap::new(floor, agent).map(Arc::new))?
}

/// Key of the map that an agent uses. Widths are rounded to quarter pixels, so that similar agents share a map.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct AgentKey {
    kind: Name,
    pub(super) quarter_px: u32,
}

impl AgentKey {
    pub(super) fn of(agent: &Agent) -> Self {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let quarter_px = (agent.radius.clamp(0.0, 1e4) * 4.0 - 1e-3).ceil() as u32;
        Self { kind: agent.kind.clone(), quarter_px }
    }

    pub(super) fn agent(&self) -> Agent {
        #[expect(clippy::cast_precision_loss, reason = "at most 40 000")]
        let radius = self.quarter_px as f32 / 4.0;
        Agent { kind: self.kind.clone(), radius, offset: Vec2::ZERO, over_ledges: false }
    }
}

/// An agent that can get no nearer to its goal has arrived within this many times the distance within which it arrives
/// elsewhere.
pub(in crate::sim) const NEAR_ENOUGH: f32 = 2.0;

pub(super) fn grid_query(floor: &Floor, map: &GridMap, request: &PathRequest) -> GridQuery {
    let snap = request.snap_cells.clamp(0, MAX_SNAP);
    // A goal inside a body is reached beside it.
    let around = |pos: Vec2| match snap {
        // A start or goal that is too near to a wall is moved to the next block.
        0 if request.near_px > 0.0 && floor.is_open(pos) => 1,
        0 if request.near_px > 0.0 && floor.is_in_body(pos) => map.width_cells() + floor.cells_around(pos),
        0 => 0,
        _ => snap + map.width_cells() - 1 + floor.cells_around(pos),
    };
    let begins_beside =
        snap == 0 && request.near_px > 0.0 && floor.is_clear(request.from, request.from, map.radius_px());
    let reach = if begins_beside { 1 } else { snap };
    // Not through a door that is thinner than a cell; out of a body, though.
    let nearest = |pos: Vec2, reach: i32, is_apart: &dyn Fn(Cell) -> bool| {
        let cell = map.cell_at(pos);
        if map.is_open(cell) {
            return (cell, false);
        }
        let own = floor.bodies_at(pos);
        let is_beyond = |near: Cell| !floor.is_clear_but(&own, pos, map.center(near));
        let near = map.nearest_open(cell, reach.min(MAX_SNAP), |near| (is_beyond(near), is_apart(near)));
        near.map_or((cell, false), |near| (near, is_beyond(near)))
    };
    let (from, _) = nearest(request.from, reach, &|_| false);
    // On the side from which it comes, where what is there closes the way to the other.
    let is_apart =
        |near: Cell| map.index(from).zip(map.index(near)).is_some_and(|(from, near)| !map.is_connected(from, near));
    let end = |to: Vec2| match nearest(to, around(to), &is_apart) {
        // A body that walls enclose is touched from nowhere.
        (_, true) if floor.is_in_body(to) => map.cell_at(to),
        (near, _) => near,
    };
    GridQuery {
        from,
        to: request.to.iter().map(|to| end(*to)).collect(),
        weight: request.weight,
        turn_penalty: request.turn_penalty,
        neighbors: request.neighbors,
    }
}
