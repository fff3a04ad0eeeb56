//! The cheapest path over a grid: A* that can pause at a budget and continue later.
//!
//! Invariant: with weight 1 and no turn penalty the path is one of the cheapest, and of equal ones always the same. A
//! searcher keeps its memory between searches, but no state of a finished one that affects the next. Smoothing of paths
//! is `smooth`; the queue of requests is `requests`.
//!
//! Source: Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost paths" (1968); Pohl,
//! "Heuristic search viewed as path finding in a graph" (1970), for the weight.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap},
};

use crate::{model::Cell, sim::limits};

use super::{
    jump::{JumpSearch, Jumped},
    map::{DIRECTIONS, GridMap, STEP, Terrain, position},
    nodes::Nodes,
    stats::Stats,
};

/// Which cells are neighbors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Neighbors {
    /// Cells that share a side.
    Four,
    /// Cells that share a side or, where the corner is open, a corner.
    #[default]
    Eight,
}

/// A search for the cheapest path from a cell to any of several.
#[derive(Clone, Debug, PartialEq)]
pub struct GridQuery {
    /// Cell of the agent. From a closed cell there is no path; see [`GridMap::nearest_open`].
    pub from: Cell,
    /// The goals, any of which may be reached.
    pub to: Vec<Cell>,
    /// Weight of the estimate (weighted A*), at least 1. Above 1 the search is faster, and the path costs at most this
    /// many times the optimum.
    pub weight: f64,
    /// Extra cost of a change of direction, in plain steps. A preference: it chooses between paths, so the path need
    /// not be the cheapest. Not included in the reported cost.
    pub turn_penalty: f64,
    /// The allowed steps.
    pub neighbors: Neighbors,
}

impl GridQuery {
    /// A query for the cheapest path between two cells in eight directions.
    #[must_use]
    pub fn new(from: Cell, to: Cell) -> Self {
        Self { from, to: vec![to], weight: 1.0, turn_penalty: 0.0, neighbors: Neighbors::Eight }
    }
}

/// A path over the grid, both ends included; one cell if the agent is already at a goal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GridPath {
    /// The cells in order, each a neighbor of the next.
    pub cells: Vec<Cell>,
    /// Sum over the steps, in plain steps: each times the cost of the cell it enters; a diagonal is √2 steps.
    pub cost: f64,
}

/// The state of a search.
#[derive(Clone, Debug, PartialEq)]
pub enum Progress {
    /// The budget is used up; the search can continue.
    Running,
    /// A path was found.
    Found(GridPath),
    /// There is no path.
    NoPath,
}

/// Direction of the start node, which was reached from no other.
const NOWHERE: u32 = 8;

/// A search and its memory, which the next search of the same or another agent uses again.
#[derive(Debug, Default)]
pub struct GridSearcher {
    /// Nodes of the latest search, unless it is over jump points.
    nodes: Nodes,
    /// Open list: estimate of the whole path, then of the remaining path, then the place. The smallest first, and of
    /// equal estimates the one nearer to its end.
    open: BinaryHeap<Reverse<u128>>,
    n_open: u32,
    goals: Vec<(usize, [i32; 2])>,
    start: usize,
    cheapest: Option<Terrain>,
    /// Weight of the estimate, in 1024ths.
    weight: u64,
    turn_penalty: u64,
    neighbors: Neighbors,
    stats: Stats,
    state: State,
    jumps: JumpSearch,
    /// Whether the latest search is over jump points.
    is_jumping: bool,
    /// Whether the order of closing cells is recorded, for [`GridSearcher::shape`].
    pub keeps_order: bool,
    /// The closed places in order; one that was closed again has the position of its last closing.
    order: Vec<u32>,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum State {
    #[default]
    Idle,
    Running,
    Done(Option<GridPath>),
}

impl Clone for GridSearcher {
    /// An idle searcher is cloned without its memory, which is only there to be used again; a running one with the
    /// nodes it has reached.
    fn clone(&self) -> Self {
        if self.state != State::Running {
            return Self { state: self.state.clone(), stats: self.stats, ..Self::default() };
        }
        Self {
            nodes: self.nodes.clone(),
            open: self.open.clone(),
            goals: self.goals.clone(),
            order: self.order.clone(),
            jumps: self.jumps.clone(),
            state: self.state.clone(),
            ..*self
        }
    }
}

impl GridSearcher {
    /// Begin a search, dropping one under way. Unreachable goals are refused here, without a search.
    pub fn start(&mut self, map: &GridMap, query: &GridQuery) {
        self.stats = Stats::default();
        self.open.clear();
        self.n_open = 0;
        self.goals.clear();
        self.order.clear();
        self.state = State::Done(None);
        let Some(start) = map.index(query.from).filter(|i| map.cells[*i] != 0) else { return };
        for goal in &query.to {
            let Some(i) = map.index(*goal) else { continue };
            if i == start {
                self.state = State::Done(Some(GridPath { cells: vec![query.from], cost: 0.0 }));
                return;
            }
            if map.cells[i] != 0 && map.is_connected(start, i) {
                self.goals.push((i, position(i, map.stride)));
            }
        }
        if self.goals.is_empty() {
            return;
        }
        let cheapest = map.cheapest();
        self.cheapest = Some(cheapest);
        self.neighbors = query.neighbors;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)] // clamped
        {
            self.weight = (limits::path_weight(query.weight) * 1024.0) as u64;
            self.turn_penalty = (query.turn_penalty.clamp(0.0, 1e4) * STEP as f64) as u64;
        }
        if let Some(path) = self.direct(map, start, cheapest) {
            self.state = State::Done(Some(path));
            return;
        }
        self.state = State::Running;
        let is_jumping = map.is_uniform()
            && !map.has_blocked()
            && query.neighbors == Neighbors::Eight
            && !map.corner_cutting
            && self.turn_penalty == 0;
        if std::mem::replace(&mut self.is_jumping, is_jumping) != is_jumping {
            std::mem::swap(&mut self.nodes, &mut self.jumps.nodes);
        }
        if self.is_jumping {
            self.jumps.start(map, start, &self.goals, self.weight);
            return;
        }
        self.start = start;
        self.nodes.begin(map.n_cells());
        _ = self.nodes.reach(start, 0, NOWHERE);
        self.push(start, 0, self.estimate(position(start, map.stride), cheapest));
    }

    /// Continue until the search ends or `budget` more nodes are expanded.
    pub fn run(&mut self, map: &GridMap, budget: u32) -> Progress {
        if self.state == State::Running {
            self.wake(map, Self::default);
            if self.is_jumping {
                let order = self.keeps_order.then_some(&mut self.order);
                match self.jumps.run(map, budget, &mut self.stats, order) {
                    Jumped::Running => {}
                    Jumped::NoPath => self.state = State::Done(None),
                    Jumped::Found(turns) => self.state = State::Done(Some(along_turns(map, &turns))),
                }
            } else if let Some(cheapest) = self.cheapest {
                self.search(map, cheapest, budget);
            } else {
                self.state = State::Done(None);
            }
        }
        match &mut self.state {
            State::Running => Progress::Running,
            State::Done(path) => path.take().map_or(Progress::NoPath, Progress::Found),
            State::Idle => Progress::NoPath,
        }
    }

    /// Search to the end.
    pub fn find(&mut self, map: &GridMap, query: &GridQuery) -> Option<GridPath> {
        self.start(map, query);
        loop {
            match self.run(map, u32::MAX) {
                Progress::Found(path) => return Some(path),
                Progress::NoPath => return None,
                Progress::Running => {}
            }
        }
    }

    /// The effort of the latest search so far.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// The open and the closed cells of the latest search; the closed ones in order of closing, if that was recorded.
    #[must_use]
    pub fn shape(&self, map: &GridMap) -> (Vec<Cell>, Vec<Cell>) {
        let (open, closed) = self.shape_by_place(map);
        if !self.keeps_order {
            return (open, closed);
        }
        let is_closed: BTreeSet<Cell> = closed.into_iter().collect();
        let mut seen = BTreeSet::new();
        let cells = self.order.iter().rev().map(|place| map.cell(*place as usize));
        let mut last: Vec<Cell> = cells.filter(|cell| is_closed.contains(cell) && seen.insert(*cell)).collect();
        last.reverse();
        (open, last)
    }

    fn shape_by_place(&self, map: &GridMap) -> (Vec<Cell>, Vec<Cell>) {
        if self.stats.expanded == 0 {
            return Default::default();
        }
        let nodes = if self.is_jumping { &self.jumps.nodes } else { &self.nodes };
        let mut reached: Vec<_> = nodes.reached().map(|(place, node)| (place, node.is_closed())).collect();
        reached.sort_unstable();
        let cells = |is_closed: bool| {
            reached.iter().filter(|node| node.1 == is_closed).map(|(place, _)| map.cell(*place)).collect()
        };
        (cells(false), cells(true))
    }

    /// Whether it is a copy of a running search, which has no memory to continue in.
    pub(super) fn is_copy(&self) -> bool {
        self.nodes.is_copy() || self.jumps.nodes.is_copy()
    }

    /// Give a copy of a running search the memory of a finished one.
    pub(super) fn wake(&mut self, map: &GridMap, memory: impl FnOnce() -> Self) {
        if !self.is_copy() {
            return;
        }
        let mut memory = memory();
        let from = if memory.is_jumping { &mut memory.jumps.nodes } else { &mut memory.nodes };
        let nodes = if self.is_jumping { &mut self.jumps.nodes } else { &mut self.nodes };
        nodes.resume(from, map.n_cells());
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.jumps.bytes() + self.open.len() * size_of::<u128>() + size_of_val(&*self.order)
    }

    fn push(&mut self, place: usize, g: u64, h: u64) {
        let f = u128::from(g.saturating_add(h.saturating_mul(self.weight) >> 10));
        // The remaining estimate, in 1024ths of a step or so, breaks ties; it fits for paths of four million steps.
        let rest = u128::from(u32::try_from(h >> 9).unwrap_or(u32::MAX));
        self.open.push(Reverse(f << 64 | rest << 32 | (place as u128 & 0xFFFF_FFFF)));
        self.n_open += 1;
        self.stats.max_open = self.stats.max_open.max(self.n_open);
    }

    /// Lower bound on the cost of a path to the nearest goal.
    fn estimate(&self, at: [i32; 2], cheapest: Terrain) -> u64 {
        let h = |(_, goal): &(usize, [i32; 2])| estimate([goal[0] - at[0], goal[1] - at[1]], self.neighbors, cheapest);
        if let [goal] = self.goals.as_slice() { h(goal) } else { self.goals.iter().map(h).min().unwrap_or(0) }
    }

    fn search(&mut self, map: &GridMap, cheapest: Terrain, budget: u32) {
        let stride = map.stride;
        let n_directions = if self.neighbors == Neighbors::Four { 4 } else { 8 };
        let mut spent = 0;
        while spent < budget {
            let Some(Reverse(key)) = self.open.pop() else {
                self.state = State::Done(None);
                return;
            };
            let place = usize::try_from(key & 0xFFFF_FFFF).unwrap_or(0);
            let node = self.nodes.at(place);
            // A node improved while open has an older, worse entry, which comes later.
            if node.is_closed() {
                continue;
            }
            self.n_open -= 1;
            if self.goals.iter().any(|(goal, _)| *goal == place) {
                self.state = State::Done(Some(self.path_to(map, place)));
                return;
            }
            self.nodes.close(place);
            if self.keeps_order {
                self.order.push(u32::try_from(place).unwrap_or(u32::MAX));
            }
            spent += 1;
            self.stats.expanded += 1;
            let at = position(place, stride);
            // An open place is never in the border.
            let around = map.around(place);
            for (direction, [dx, dy]) in DIRECTIONS.into_iter().enumerate().take(n_directions) {
                let Some(terrain) = around.step(direction) else { continue };
                let next = step(place, [dx, dy], stride);
                let terrain = &map.terrains[usize::from(terrain)];
                let cost = if direction < 4 { terrain.step } else { terrain.diagonal };
                let came = u32::try_from(direction).unwrap_or(NOWHERE);
                let turn = if node.link() == came || node.link() == NOWHERE { 0 } else { self.turn_penalty };
                let g = node.g + cost + turn;
                let Some(was_open) = self.nodes.reach(next, g, came) else { continue };
                let h = self.estimate([at[0] + dx, at[1] + dy], cheapest);
                self.n_open -= u32::from(was_open);
                self.push(next, g, h);
            }
        }
    }

    fn path_to(&self, map: &GridMap, goal: usize) -> GridPath {
        let mut cells = vec![map.cell(goal)];
        let mut place = goal;
        while place != self.start {
            let Some([dx, dy]) = DIRECTIONS.get(self.nodes.at(place).link() as usize) else { break };
            place = step(place, [-dx, -dy], map.stride);
            cells.push(map.cell(place));
        }
        cells.reverse();
        GridPath { cost: cost_of(map, &cells), cells }
    }

    /// Fast path without a search: a direct path to the nearest goal whose cost equals the estimate, hence optimal.
    /// Diagonal steps, then straight ones, or the reverse, over the cheapest terrain.
    fn direct(&self, map: &GridMap, start: usize, cheapest: Terrain) -> Option<GridPath> {
        let at = position(start, map.stride);
        let to = |goal: &[i32; 2]| [goal[0] - at[0], goal[1] - at[1]];
        let (_, goal) = self.goals.iter().min_by_key(|(_, goal)| estimate(to(goal), self.neighbors, cheapest))?;
        let [dx, dy] = to(goal);
        let (first, second) = match self.neighbors {
            Neighbors::Four => ((dx.abs(), [dx.signum(), 0]), (dy.abs(), [0, dy.signum()])),
            Neighbors::Eight => {
                let n = dx.abs().min(dy.abs());
                let rest = if dx.abs() > dy.abs() { [dx.signum(), 0] } else { [0, dy.signum()] };
                ((n, [dx.signum(), dy.signum()]), (dx.abs().max(dy.abs()) - n, rest))
            }
        };
        [[first, second], [second, first]].into_iter().find_map(|legs| {
            let mut place = start;
            let mut cells = vec![map.cell(start)];
            for (n, direction) in legs {
                for _ in 0..n {
                    if !map.can_step(place, direction) {
                        return None;
                    }
                    place = step(place, direction, map.stride);
                    if map.terrains[usize::from(map.cells[place])].step != cheapest.step {
                        return None;
                    }
                    cells.push(map.cell(place));
                }
            }
            Some(GridPath { cost: cost_of(map, &cells), cells })
        })
    }
}

impl GridMap {
    /// Whether a step from an inner place in one of [`DIRECTIONS`] is possible: see [`Around::step`].
    pub(super) fn can_step(&self, place: usize, step: [i32; 2]) -> bool {
        let direction = DIRECTIONS.iter().position(|it| *it == step);
        direction.is_some_and(|direction| self.around(place).step(direction).is_some())
    }
}

/// The cells of a path given by its turns: between two of them, diagonal steps first, then straight ones.
fn along_turns(map: &GridMap, turns: &[usize]) -> GridPath {
    let mut cells: Vec<Cell> = turns.first().map(|place| map.cell(*place)).into_iter().collect();
    for turn in turns {
        let to = map.cell(*turn);
        while let Some(&at) = cells.last().filter(|at| **at != to) {
            cells.push([at[0] + (to[0] - at[0]).signum(), at[1] + (to[1] - at[1]).signum()]);
        }
    }
    GridPath { cost: cost_of(map, &cells), cells }
}

/// The cost of a path: each step times the cost of the cell it enters.
#[must_use]
pub fn cost_of(map: &GridMap, cells: &[Cell]) -> f64 {
    let mut straight = 0.0;
    let mut diagonal = 0.0;
    for pair in cells.windows(2) {
        let cost = map.cost(pair[1]).unwrap_or(f64::INFINITY);
        if pair[0][0] == pair[1][0] || pair[0][1] == pair[1][1] { straight += cost } else { diagonal += cost }
    }
    straight + diagonal * std::f64::consts::SQRT_2
}

fn estimate([dx, dy]: [i32; 2], neighbors: Neighbors, cheapest: Terrain) -> u64 {
    let (dx, dy) = (u64::from(dx.unsigned_abs()), u64::from(dy.unsigned_abs()));
    match neighbors {
        Neighbors::Four => (dx + dy) * cheapest.step,
        Neighbors::Eight => {
            let less = dx.min(dy);
            less * cheapest.diagonal + (dx.max(dy) - less) * cheapest.step
        }
    }
}

/// The index of the place one step on. Outside the arrays it wraps, and `get` finds nothing; the closed border keeps
/// searches inside.
fn step(place: usize, [dx, dy]: [i32; 2], stride: usize) -> usize {
    let by = |d: i32, n: usize| match d {
        1 => n,
        -1 => n.wrapping_neg(),
        _ => 0,
    };
    place.wrapping_add(by(dx, 1)).wrapping_add(by(dy, stride))
}
