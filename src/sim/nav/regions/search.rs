//! The search from gate to gate, and the cells between gates.
//!
//! Invariant: every step of a path is allowed by the maps of its regions. How much of a path is computed in one call
//! depends on the budget.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashMap},
};

use glam::Vec2;

use crate::{model::Cell, sim::limits};

use super::{
    super::{Floor, GridMap, GridQuery, GridSearcher, Stats, cost_of, smooth},
    graph::{Gate, Regions, estimate},
};

/// The most places that a search expands, which bounds its memory; a search that needs more ends with `TooFar`.
const MAX_EXPANDED: u32 = 1 << 17;
/// Lines longer than this many cells are not tested when leaving out a corner.
const MAX_LINE: i32 = 128;

/// The result of a search from region to region, or of a part of one.
#[derive(Clone, Debug)]
pub(in crate::sim::nav) enum RegionPath {
    Running,
    NoPath,
    /// The search was given up.
    TooFar,
    /// Points in pixels; the goal by its index in the request.
    Found {
        points: Vec<Vec2>,
        cost: f64,
        goal: usize,
    },
}

#[derive(Clone, Debug)]
struct Node {
    g: u64,
    /// The previous node, and the gate by which it was left.
    from: Option<(Cell, Gate)>,
    /// Order in which it was closed, from 1; 0 while it is open.
    closed: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Node(Cell),
    /// A goal by its number, and the node from which it is reached.
    Goal(usize, Cell),
}

/// The stretch between two gates, or between a gate and an end.
type Stretch = [Cell; 2];

/// A search from region to region.
#[derive(Clone, Debug, Default)]
pub(in crate::sim::nav) struct RegionSearch {
    nodes: HashMap<Cell, Node>,
    open: BinaryHeap<Reverse<(u64, u32, Place)>>,
    n_pushed: u32,
    /// Cells of the goals, each with its index in the request.
    goals: Vec<(usize, Cell)>,
    weight: f64,
    /// Lower bound on the cost of a step, in plain steps.
    least: f64,
    is_smooth: bool,
    /// The path found: stretches whose cells are still to be computed, the next one last; and the goal.
    left: Vec<Stretch>,
    found: Option<usize>,
    points: Vec<Vec2>,
    cost: f64,
    pub(in crate::sim::nav) stats: Stats,
}

impl RegionSearch {
    /// Begin a search from a cell to any of several, all open.
    pub(in crate::sim::nav) fn start(
        &mut self,
        floor: &Floor,
        regions: &Regions,
        (from, to): (Cell, Vec<(usize, Cell)>),
        (weight, is_smooth): (f64, bool),
    ) {
        let grid = floor.grid();
        let least = f64::from(grid.least_cost(grid.agent(&regions.agent().kind)));
        *self = Self { goals: to, weight: limits::path_weight(weight), least, is_smooth, ..Self::default() };
        self.nodes.insert(from, Node { g: 0, from: None, closed: 0 });
        self.push(0, from, Place::Node(from));
    }

    fn push(&mut self, g: u64, at: Cell, place: Place) {
        let h = match place {
            Place::Goal(..) => 0,
            Place::Node(_) => self.goals.iter().map(|(_, goal)| estimate(at, *goal, self.least)).min().unwrap_or(0),
        };
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an estimate"
        )]
        let h = (h as f64 * self.weight) as u64;
        self.n_pushed = self.n_pushed.saturating_add(1);
        self.open.push(Reverse((g.saturating_add(h), self.n_pushed, place)));
        self.stats.max_open = self.stats.max_open.max(u32::try_from(self.open.len()).unwrap_or(u32::MAX));
    }

    /// Continue until the search ends or has spent its budget. Returns the effort as well.
    pub(in crate::sim::nav) fn run(
        &mut self,
        regions: &mut Regions,
        floor: &Floor,
        searcher: &mut GridSearcher,
        budget: u32,
    ) -> (RegionPath, u32) {
        let mut spent = 1_u32;
        while self.found.is_none() && spent < budget {
            let Some(Reverse((_, _, place))) = self.open.pop() else { return (RegionPath::NoPath, spent) };
            match place {
                Place::Goal(goal, last) => self.end(goal, last),
                Place::Node(cell) => spent = spent.saturating_add(self.expand(regions, floor, cell)),
            }
            if self.stats.expanded >= MAX_EXPANDED {
                return (RegionPath::TooFar, spent);
            }
        }
        let Some(goal) = self.found else { return (RegionPath::Running, spent) };
        while spent < budget
            && let Some(stretch) = self.left.pop()
        {
            let Some(effort) = self.fill_in(regions, floor, searcher, stretch) else {
                return (RegionPath::NoPath, spent);
            };
            spent = spent.saturating_add(effort);
        }
        if !self.left.is_empty() {
            return (RegionPath::Running, spent);
        }
        (RegionPath::Found { points: std::mem::take(&mut self.points), cost: self.cost, goal }, spent)
    }

    fn expand(&mut self, regions: &mut Regions, floor: &Floor, cell: Cell) -> u32 {
        let Some(node) = self.nodes.get_mut(&cell).filter(|node| node.closed == 0) else { return 0 };
        self.stats.expanded += 1;
        node.closed = self.stats.expanded;
        let g = node.g;
        let region = Regions::region_of(cell);
        let near: Vec<usize> =
            (0..self.goals.len()).filter(|i| Regions::region_of(self.goals[*i].1) == region).collect();
        let mut spent = 0;
        if !near.is_empty() {
            let cells: Vec<Cell> = near.iter().map(|i| self.goals[*i].1).collect();
            let (costs, effort) = regions.costs_to(floor, cell, &cells);
            spent = effort;
            for (goal, cost) in near.into_iter().zip(costs).filter(|(_, cost)| *cost < u64::MAX) {
                self.push(g + cost, cell, Place::Goal(goal, cell));
            }
        }
        let (ways, effort) = regions.ways(floor, cell);
        for way in ways.iter() {
            let (g, to) = (g + way.cost, way.gate.to);
            // A closed node that is improved is opened again: with a weight above 1 the first way to it need not be the
            // cheapest.
            if self.nodes.get(&to).is_some_and(|known| known.g <= g) {
                continue;
            }
            self.nodes.insert(to, Node { g, from: Some((cell, way.gate)), closed: 0 });
            self.push(g, to, Place::Node(to));
        }
        spent.saturating_add(effort)
    }

    /// Take over the gates of the path found.
    fn end(&mut self, goal: usize, last: Cell) {
        let (index, mut to) = self.goals[goal];
        let mut at = last;
        loop {
            self.left.push([at, to]);
            let Some((before, gate)) = self.nodes.get(&at).and_then(|node| node.from) else { break };
            (at, to) = (before, gate.from);
        }
        self.found = Some(index);
    }

    /// Compute the cells of a stretch and add them to the path. `None` after the last one.
    fn fill_in(
        &mut self,
        regions: &mut Regions,
        floor: &Floor,
        searcher: &mut GridSearcher,
        [from, to]: Stretch,
    ) -> Option<u32> {
        let (map, effort) = regions.map(floor, Regions::region_of(from))?;
        let path = searcher.find(&map, &GridQuery::new(from, to))?;
        let spent = effort.saturating_add(searcher.stats().expanded);
        if let Some(last) = self.points.last() {
            self.cost += cost_of(&map, &[map.cell_at(*last), from]);
        }
        self.cost += path.cost;
        let radius = regions.agent().radius;
        if !self.is_smooth {
            self.points.extend(smooth::centers(&map, &path));
            return Some(spent);
        }
        let mut points = smooth::shortcut(floor, &map, &path, radius).into_iter();
        // A corner at a gate is left out if a straight line passes it.
        let first = points.next()?;
        let rest: Vec<Vec2> = points.collect();
        self.join(floor, regions, first);
        for point in rest {
            self.join(floor, regions, point);
        }
        Some(spent)
    }

    /// Add a point, and remove the previous one if a straight line past it is as cheap.
    fn join(&mut self, floor: &Floor, regions: &Regions, next: Vec2) {
        if let [.., before, corner] = self.points.as_slice() {
            let ends = [*before, next];
            let size = floor.grid().tile_size();
            let cells = [0, 1].map(|i| {
                let (a, b) = (ends[0][i].min(ends[1][i]).min(corner[i]), ends[0][i].max(ends[1][i]).max(corner[i]));
                #[expect(clippy::cast_possible_truncation, reason = "cells of a level")]
                let range = (a / size[i]).floor() as i32 - 2..(b / size[i]).ceil() as i32 + 2;
                range
            });
            if cells.iter().all(|range| range.len() <= usize::try_from(MAX_LINE).unwrap_or_default())
                && let Some(map) = GridMap::window(floor, regions.agent(), &cells)
                && smooth::is_shorter(floor, &map, [*before, *corner, next], regions.agent().radius)
            {
                self.points.pop();
            }
        }
        self.points.push(next);
    }

    /// Memory, in bytes.
    pub(in crate::sim::nav) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<(Cell, Node)>() + self.open.len() * size_of::<Reverse<(u64, u32, Place)>>()
    }

    /// The open and the closed places; the closed ones in order of closing.
    pub(in crate::sim::nav) fn shape(&self, floor: &Floor) -> (Vec<Vec2>, Vec<Vec2>) {
        let mut nodes: Vec<(&Cell, &Node)> = self.nodes.iter().collect();
        nodes.sort_by_key(|(cell, _)| **cell);
        let (mut closed, open): (Vec<_>, Vec<_>) = nodes.into_iter().partition(|(_, node)| node.closed > 0);
        closed.sort_by_key(|(_, node)| node.closed);
        #[expect(clippy::cast_precision_loss, reason = "cells of a level")]
        let middle = |[x, y]: Cell| (Vec2::new(x as f32, y as f32) + 0.5) * floor.grid().tile_size();
        let places = |nodes: Vec<(&Cell, &Node)>| nodes.into_iter().map(|(cell, _)| middle(*cell)).collect();
        (places(open), places(closed))
    }
}
