//! Regions of cells, the gates between them, and the costs from gate to gate: computed when first needed.
//!
//! Invariant: the data is a function of the floor and the agent; a change in a rectangle of cells discards all data
//! that depends on it.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BinaryHeap, HashMap, VecDeque},
    sync::Arc,
};

use crate::model::Cell;

use super::super::{
    Agent, Floor, GridMap,
    field::each_step,
    floor::CellBox,
    map::{STEP, blocks_of},
};

/// Columns and rows of a region.
const SIDE: i32 = 64;
/// Spacing of the gates along an open border, in cells.
const GATE_SPACING: i32 = 8;
/// An open border of at most this many cells has a single gate, in its middle.
const SINGLE_GATE_WIDTH: i32 = 6;
/// The most maps of regions that are kept.
const MAX_MAPS: usize = 256;
/// The most places whose ways to the next gates are kept.
const MAX_WAYS: usize = 1 << 15;
/// Number of cells passed while searching for gates that counts as one expansion.
const CELLS_PER_EXPANSION: u32 = 8;
/// The effort of making the map of a region, in expansions.
const MAP_EFFORT: u32 = 256;

/// Offsets to the regions east, south, south-east and south-west.
const ONWARD: [Cell; 4] = [[1, 0], [0, 1], [1, 1], [-1, 1]];

/// A gate: a step from one region into another.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub(super) from: Cell,
    pub(super) to: Cell,
}

/// A way through a region and out by a gate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) gate: Gate,
    /// Cost up to the cell beyond the gate, in [`STEP`]ths of a plain step.
    pub(super) cost: u64,
}

/// The known regions of a floor for one agent.
#[derive(Clone, Debug)]
pub(in crate::sim::nav) struct Regions {
    agent: Agent,
    /// First block of the level, and the one past the last.
    bounds: [Cell; 2],
    maps: BTreeMap<Cell, Arc<GridMap>>,
    /// The regions that have a map, the latest at the end.
    made: VecDeque<Cell>,
    /// Gates by region and index in [`ONWARD`].
    gates: BTreeMap<(Cell, usize), Arc<[Gate]>>,
    ways: HashMap<Cell, Arc<[Way]>>,
}

impl Regions {
    /// `None` if there are more cells than can be counted.
    pub(in crate::sim::nav) fn new(floor: &Floor, agent: &Agent) -> Option<Self> {
        let (lo, size) = blocks_of(floor.grid(), agent.span(floor.grid().tile_size()))?;
        Some(Self {
            agent: agent.clone(),
            bounds: [lo, [lo[0] + size[0], lo[1] + size[1]]],
            maps: BTreeMap::new(),
            made: VecDeque::new(),
            gates: BTreeMap::new(),
            ways: HashMap::new(),
        })
    }

    /// Memory, in bytes.
    pub(in crate::sim::nav) fn bytes(&self) -> usize {
        let ways = |ways: &Arc<[Way]>| size_of::<(Cell, Arc<[Way]>)>() + size_of_val(&**ways);
        let maps: usize = self.maps.values().map(|map| map.bytes()).sum();
        maps + self.ways.values().map(ways).sum::<usize>()
    }

    /// The number of known maps, gates and ways.
    pub(in crate::sim::nav) fn n_known(&self) -> usize {
        self.maps.len() + self.gates.len() + self.ways.len()
    }

    pub(super) fn region_of(cell: Cell) -> Cell {
        cell.map(|c| c.div_euclid(SIDE))
    }

    pub(super) fn agent(&self) -> &Agent {
        &self.agent
    }

    /// Whether these are regions of a floor of this size.
    pub(in crate::sim::nav) fn fits(&self, floor: &Floor) -> bool {
        Self::new(floor, &self.agent).is_some_and(|other| other.bounds == self.bounds)
    }

    /// Discard the data that depends on these cells.
    pub(in crate::sim::nav) fn forget(&mut self, floor: &Floor, changed: &[CellBox]) {
        let span = self.agent.span(floor.grid().tile_size());
        // A block changes with any of its cells, and is also on the map of the next region.
        let near = |region: Cell| {
            changed.iter().any(|cells| {
                (0..2).all(|i| {
                    let (first, end) = (cells[i].start - span[i], cells[i].end + 1);
                    first < (region[i] + 1) * SIDE + 1 && region[i] * SIDE - 1 < end
                })
            })
        };
        self.maps.retain(|region, _| !near(*region));
        self.made.retain(|region| !near(*region));
        // Gates lie between regions whose maps include each other's border.
        self.gates.retain(|(region, to), _| {
            let other = [region[0] + ONWARD[*to][0], region[1] + ONWARD[*to][1]];
            !near(*region) && !near(other)
        });
        self.ways.retain(|cell, _| !near(Self::region_of(*cell)));
    }

    /// The map of a region and of the cells around it, and the effort of making it.
    pub(super) fn map(&mut self, floor: &Floor, region: Cell) -> Option<(Arc<GridMap>, u32)> {
        if let Some(known) = self.maps.get(&region) {
            return Some((Arc::clone(known), 1));
        }
        let cells = region.map(|r| r * SIDE - 1..(r + 1) * SIDE + 1);
        let map = Arc::new(GridMap::window(floor, &self.agent, &cells)?);
        if self.made.len() >= MAX_MAPS
            && let Some(oldest) = self.made.pop_front()
        {
            self.maps.remove(&oldest);
        }
        self.made.push_back(region);
        self.maps.insert(region, Arc::clone(&map));
        Some((map, MAP_EFFORT))
    }

    fn is_inside(&self, region: Cell) -> bool {
        (0..2).all(|i| (region[i] + 1) * SIDE > self.bounds[0][i] && region[i] * SIDE < self.bounds[1][i])
    }

    /// The gates from a region to the one at this index in [`ONWARD`].
    fn gates(&mut self, floor: &Floor, region: Cell, onward: usize) -> Arc<[Gate]> {
        let other = [region[0] + ONWARD[onward][0], region[1] + ONWARD[onward][1]];
        if !self.is_inside(region) || !self.is_inside(other) {
            return Arc::default();
        }
        if let Some(known) = self.gates.get(&(region, onward)) {
            return Arc::clone(known);
        }
        let Some((map, _)) = self.map(floor, region) else { return Arc::default() };
        let gates: Arc<[Gate]> = find_gates(&map, region, onward).into();
        self.gates.insert((region, onward), Arc::clone(&gates));
        gates
    }

    /// The ways from a cell out of its region, and the effort of finding them.
    pub(super) fn ways(&mut self, floor: &Floor, from: Cell) -> (Arc<[Way]>, u32) {
        if let Some(known) = self.ways.get(&from) {
            return (Arc::clone(known), 1);
        }
        let region = Self::region_of(from);
        let Some((map, effort)) = self.map(floor, region) else { return (Arc::default(), 1) };
        let mut gates = Vec::new();
        for (onward, [dx, dy]) in ONWARD.into_iter().enumerate() {
            gates.extend_from_slice(&self.gates(floor, region, onward));
            let back = self.gates(floor, [region[0] - dx, region[1] - dy], onward);
            gates.extend(back.iter().map(|gate| Gate { from: gate.to, to: gate.from }));
        }
        let (costs, n_cells) = costs(&map, from);
        let ways = gates.into_iter().filter_map(|gate| {
            let cost = costs[map.index(gate.from)?];
            let terrain = map.terrains[usize::from(map.cells[map.index(gate.to)?])];
            let is_diagonal = (0..2).all(|i| gate.from[i] != gate.to[i]);
            let step = if is_diagonal { terrain.diagonal } else { terrain.step };
            (cost < u64::MAX).then(|| Way { gate, cost: cost + step })
        });
        let ways: Arc<[Way]> = ways.collect();
        if self.ways.len() >= MAX_WAYS {
            self.ways.clear();
        }
        self.ways.insert(from, Arc::clone(&ways));
        (ways, effort.saturating_add(n_cells / CELLS_PER_EXPANSION))
    }

    /// The cost from a cell to others of its region within the region, `u64::MAX` if not connected; and the effort.
    pub(super) fn costs_to(&mut self, floor: &Floor, from: Cell, to: &[Cell]) -> (Vec<u64>, u32) {
        let Some((map, effort)) = self.map(floor, Self::region_of(from)) else { return (vec![u64::MAX; to.len()], 1) };
        let (costs, n_cells) = costs(&map, from);
        let cost = |cell: &Cell| map.index(*cell).map_or(u64::MAX, |place| costs[place]);
        (to.iter().map(cost).collect(), effort.saturating_add(n_cells / CELLS_PER_EXPANSION))
    }
}

/// The cost from a cell to each place of a map, and the number of places reached.
///
/// Source: Dijkstra, "A note on two problems in connexion with graphs" (1959).
fn costs(map: &GridMap, from: Cell) -> (Vec<u64>, u32) {
    let mut best = vec![u64::MAX; map.cells.len()];
    let mut open = BinaryHeap::new();
    let mut n_reached = 0;
    if let Some(start) = map.index(from).filter(|start| map.cells[*start] != 0) {
        best[start] = 0;
        open.push(Reverse((0, start)));
    }
    while let Some(Reverse((cost, place))) = open.pop() {
        if cost > best[place] {
            continue;
        }
        n_reached += 1;
        each_step(map, place, |next, is_diagonal, terrain| {
            let cost = cost + if is_diagonal { terrain.diagonal } else { terrain.step };
            if cost < best[next] {
                best[next] = cost;
                open.push(Reverse((cost, next)));
            }
        });
    }
    (best, n_reached)
}

/// The gates in one border of a region: along each unbroken stretch that can be crossed, spaced by a few cells.
fn find_gates(map: &GridMap, region: Cell, onward: usize) -> Vec<Gate> {
    let [dx, dy] = ONWARD[onward];
    let (first, last) = (region.map(|r| r * SIDE), region.map(|r| (r + 1) * SIDE - 1));
    let crossing = |from: Cell| {
        let place = map.index(from).filter(|place| map.cells[*place] != 0)?;
        map.can_step(place, [dx, dy]).then_some(Gate { from, to: [from[0] + dx, from[1] + dy] })
    };
    if dx != 0 && dy != 0 {
        return crossing([if dx > 0 { last[0] } else { first[0] }, last[1]]).into_iter().collect();
    }
    let along = [dy, dx];
    let is_beside = |cell: Cell| map.index(cell).is_some_and(|place| map.can_step(place, along));
    let begin = if dx > 0 { [last[0], first[1]] } else { [first[0], last[1]] };
    let (mut gates, mut run) = (Vec::new(), Vec::new());
    for i in 0..SIDE {
        let gate = crossing([begin[0] + along[0] * i, begin[1] + along[1] * i]);
        let goes_on = run.last().is_some_and(|before: &Gate| is_beside(before.from) && is_beside(before.to));
        if gate.is_none() || !goes_on {
            add_gates(&mut gates, &mut run);
        }
        run.extend(gate);
    }
    add_gates(&mut gates, &mut run);
    gates
}

/// The gates of an open stretch of a border.
fn add_gates(gates: &mut Vec<Gate>, run: &mut Vec<Gate>) {
    let n = i32::try_from(run.len()).unwrap_or(i32::MAX);
    let mut add = |i: i32| gates.extend(usize::try_from(i).ok().and_then(|i| run.get(i)));
    if n <= SINGLE_GATE_WIDTH {
        add(n / 2);
    } else {
        // At both ends, and between them as many as the spacing needs.
        let parts = (n - 2) / GATE_SPACING + 1;
        (0..=parts).for_each(|part| add((n - 1) * part / parts));
    }
    run.clear();
}

/// Lower bound on the cost of a path to a cell, in [`STEP`]ths, if a step costs at least `least` plain ones.
pub(super) fn estimate(from: Cell, to: Cell, least: f64) -> u64 {
    let [dx, dy] = [0, 1].map(|i| f64::from(from[i]) - f64::from(to[i])).map(f64::abs);
    let steps = dx.max(dy) + (std::f64::consts::SQRT_2 - 1.0) * dx.min(dy);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded down; sums of steps are far below 2^52"
    )]
    let cost = (steps * least * STEP as f64 * (1.0 - 1e-6)) as u64;
    cost
}
