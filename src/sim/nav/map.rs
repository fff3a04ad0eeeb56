//! The floor for one agent: an array of terrains with a closed border, the steps that shapes block, and connected
//! components.
//!
//! Invariant: a map is a function of its floor and agent; [`GridMap::update`] leaves it as [`GridMap::new`] would build
//! it, up to the numbering of terrains. Between the centers of two open places a body of the agent's radius can slide,
//! unless the step is blocked. Costs are whole numbers, so sums do not depend on their order. A *place* is an index
//! into the array, which includes the border. Data per cell is stored in pages that copies share, so copying a map and
//! changing a cell is cheap. The search is `grid_path`.
//!
//! Source: Harabor, Botea, "Hierarchical path planning for multi-size agents in heterogeneous environments" (blocks of
//! cells).

use std::{collections::BTreeMap, ops::Range, sync::OnceLock};

use glam::{DVec2, Vec2};

use crate::{
    model::{CHUNK, Cell, MAX_COST, Name},
    sim::{grid::SolidGrid, paged::Paged},
};

use super::{
    Floor,
    bits::Bits,
    components::Components,
    floor::{CellBox, LEAST_RADIUS},
};

/// Cost of a plain orthogonal step. With [`DIAGONAL`], a convergent of √2: the error of a diagonal is below 10⁻⁶ of a
/// step, so the cheapest path in whole numbers is the cheapest path.
pub(super) const STEP: u64 = 470_832;
/// Cost of a plain diagonal step.
pub(super) const DIAGONAL: u64 = 665_857;
/// East, south, west, north, then the diagonals.
pub(super) const DIRECTIONS: [[i32; 2]; 8] = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]];
/// Indices of the places in these directions in a 3×3 block of places.
const AROUND: [[usize; 2]; 8] = [[1, 2], [2, 1], [1, 0], [0, 1], [2, 2], [2, 0], [0, 0], [0, 2]];
/// For each diagonal, the two directions beside it.
const SIDES: [[usize; 2]; 4] = [[0, 1], [2, 1], [2, 3], [0, 3]];
/// The most cells a map is made for.
const MAX_CELLS: u64 = 1 << 26;
/// Range of the cost of a step, in plain steps.
const COST_RANGE: (f64, f64) = (1e-4, MAX_COST);
/// A body that is wider than a number of tiles by no more than this share of a tile still fits between walls that far
/// apart.
const TOUCH: f32 = 1e-3;
/// The most cells that an agent covers in one direction.
const MAX_SPAN: f32 = 1024.0;
/// The most detours of a diagonal step around a corner that are tried.
const BENDS: u8 = 4;
/// Cost of a step into a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terrain {
    /// Cost of the step, in plain steps.
    pub(super) cost: f64,
    pub(super) step: u64,
    pub(super) diagonal: u64,
    n_cells: usize,
}

impl Terrain {
    fn new(cost: f32) -> Self {
        let cost = f64::from(cost).clamp(COST_RANGE.0, COST_RANGE.1);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        // within range by the clamp
        let times = |n: u64| (n as f64 * cost).round() as u64;
        Self { cost, step: times(STEP), diagonal: times(DIAGONAL), n_cells: 0 }
    }
}

/// The agent that searches for paths: its terrain costs, its width, and the place of its body.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// Agent kind, which selects one of a tile's costs.
    pub kind: Name,
    /// Radius of its body, in pixels.
    pub radius: f32,
    /// From its origin to the middle of its body, in pixels: its origin is moved along paths, its body needs the room.
    pub offset: Vec2,
    /// Whether it goes over ledges from waypoint to waypoint: along links near the floor it has the room above them.
    pub over_ledges: bool,
}

impl Agent {
    /// A point agent: radius 0.
    #[must_use]
    pub fn point(kind: &str) -> Self {
        Self { kind: kind.into(), radius: 0.0, offset: Vec2::ZERO, over_ledges: false }
    }

    /// Width for paths over cells, in pixels: whole cells, of the longer side.
    pub(crate) fn width_in_cells(&self, tile_size: Vec2) -> f32 {
        let [across, down] = self.span(tile_size);
        #[allow(clippy::cast_precision_loss)] // bounded
        let [across, down] = [across as f32 * tile_size.x, down as f32 * tile_size.y];
        across.max(down)
    }

    /// Radius of the widest agent that covers a column or a row of cells less, in pixels; 0 if it covers only one cell
    /// itself.
    pub(super) fn narrower_radius(&self, tile_size: Vec2) -> f32 {
        let [across, down] = self.span(tile_size);
        let less = |n: i32, side: f32| (n - 1) as f32 * side / 2.0;
        less(across, tile_size.x).max(less(down, tile_size.y))
    }

    /// Columns and rows of the block of cells that it covers, at least one of each.
    pub(super) fn span(&self, tile_size: Vec2) -> [i32; 2] {
        let radius = if self.radius.is_finite() { self.radius } else { 0.0 };
        #[allow(clippy::cast_possible_truncation)] // bounded
        <[f32; 2]>::from(tile_size).map(|side| (2.0 * radius / side - TOUCH).ceil().clamp(1.0, MAX_SPAN) as i32)
    }
}

/// The grid for one agent. An agent wider than a tile stands on a block of cells, which is named by its left top cell.
#[derive(Clone, Debug)]
pub struct GridMap {
    lo: Cell,
    /// Columns and rows of blocks.
    size: Cell,
    /// Columns and rows of cells of a block.
    span: [i32; 2],
    pub(super) stride: usize,
    tile_size: Vec2,
    pub(super) corner_cutting: bool,
    /// Index of the agent kind's costs.
    agent: Option<usize>,
    radius: f32,
    /// Terrain of each place, 0 closed, with a closed border one cell wide.
    pub(super) cells: Paged<u16>,
    pub(super) terrains: Vec<Terrain>,
    pub(super) bits: Bits,
    /// Per place, the directions in which a partly solid tile or a body blocks the step to an open place, one bit for
    /// each of [`DIRECTIONS`]. Empty while no step is blocked.
    blocked: Paged<u8>,
    n_blocked: usize,
    /// Computed when first needed.
    components: OnceLock<Components>,
}

impl GridMap {
    /// The map of a floor for one agent, with its terrain costs and its width. `None` if the level's bounds hold more
    /// than 67 million cells.
    #[must_use]
    pub fn new(floor: &Floor, agent: &Agent) -> Option<Self> {
        let grid = floor.grid();
        let span = agent.span(grid.tile_size());
        let mut areas: Vec<CellBox> = if span == [1, 1] {
            grid.chunks().map(chunk_cells).collect()
        } else {
            // Blocks overlap chunks: these are read a row at a time, or most cells would be read again and again.
            let mut rows: BTreeMap<i32, Range<i32>> = BTreeMap::new();
            for at in grid.chunks() {
                let [xs, ys] = chunk_cells(at);
                let row = rows.entry(ys.start).or_insert(xs.clone());
                *row = row.start.min(xs.start)..row.end.max(xs.end);
            }
            rows.into_iter().map(|(y, xs)| [xs, y..y + CHUNK]).collect()
        };
        areas.extend(floor.body_cells());
        Self::built(floor, agent, blocks_of(grid, span)?, &areas)
    }

    /// The map of the part of a floor within a rectangle of cells; cells outside count as closed. `None` as for
    /// [`Self::new`], and if no part of the level is inside.
    pub(super) fn window(floor: &Floor, agent: &Agent, cells: &CellBox) -> Option<Self> {
        let span = agent.span(floor.grid().tile_size());
        let (lo, size) = blocks_of(floor.grid(), span)?;
        let first = [0, 1].map(|i| cells[i].start.max(lo[i]));
        let end = [0, 1].map(|i| cells[i].end.min(lo[i].saturating_add(size[i])));
        let size = [0, 1].map(|i| end[i].saturating_sub(first[i]));
        if size.contains(&0) {
            return None;
        }
        Self::built(floor, agent, (first, size), &[[0, 1].map(|i| first[i]..end[i] + span[i] - 1)])
    }

    /// The map of `size` blocks from `lo` on. Only blocks that overlap `areas` are read; the others are open and cost
    /// as much as cells without tiles.
    fn built(floor: &Floor, agent: &Agent, (lo, size): (Cell, Cell), areas: &[CellBox]) -> Option<Self> {
        let grid = floor.grid();
        let [w, h] = [u64::try_from(size[0]).ok()?, u64::try_from(size[1]).ok()?];
        let n = (w + 2).checked_mul(h + 2).filter(|n| *n <= MAX_CELLS)?;
        let stride = usize::try_from(w + 2).ok()?;
        let mut map = Self {
            lo,
            size,
            span: agent.span(grid.tile_size()),
            stride,
            tile_size: grid.tile_size(),
            corner_cutting: grid.corner_cutting(),
            agent: grid.agent(&agent.kind),
            radius: agent.radius,
            cells: Paged::default(),
            // The first stands for closed cells, the second for cells without tiles.
            terrains: vec![Terrain { cost: 0.0, step: 0, diagonal: 0, n_cells: 0 }, Terrain::new(1.0)],
            bits: Bits::default(),
            blocked: Paged::default(),
            n_blocked: 0,
            components: OnceLock::new(),
        };
        let mut cells = vec![0; usize::try_from(n).ok()?];
        for row in cells.chunks_exact_mut(stride).skip(1).take(usize::try_from(h).ok()?) {
            row[1..stride - 1].fill(1);
        }
        let mut shaped = Vec::new();
        for area in areas {
            let blocks = map.blocks_with(area);
            let [xs, ys] = &blocks;
            if xs.is_empty() || ys.is_empty() {
                continue;
            }
            let (terrains, is_shaped) = map.terrains_of(floor, &blocks);
            for (y, row) in ys.clone().zip(terrains.chunks_exact(xs.len())) {
                let first = map.index([xs.start, y])?;
                cells[first..][..row.len()].copy_from_slice(row);
            }
            if is_shaped {
                shaped.push(blocks);
            }
        }
        for run in cells.chunk_by(|a, b| a == b) {
            map.terrains[usize::from(run[0])].n_cells += run.len();
        }
        map.terrains[0].n_cells = 0;
        map.bits = Bits::new(&cells, stride);
        map.cells = Paged::from(cells);
        shaped.iter().for_each(|blocks| map.find_all_blocked(floor, blocks));
        Some(map)
    }

    /// The number of places, including the border.
    pub(super) fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// Memory that no copy shares, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let components = self.components.get().map_or(0, Components::bytes);
        self.cells.bytes() + self.blocked.bytes() + self.bits.bytes() + components
    }

    /// Update after a floor of the same bounds changed in these rectangles of cells: columns, rows.
    pub fn update(&mut self, floor: &Floor, changed: &[[Range<i32>; 2]]) {
        for cells in changed {
            let blocks = self.blocks_with(cells);
            let [xs, ys] = blocks.clone();
            if xs.is_empty() || ys.is_empty() {
                continue;
            }
            let (terrains, is_shaped) = self.terrains_of(floor, &blocks);
            let places = ys.flat_map(|y| xs.clone().map(move |x| [x, y]));
            let mut is_other = false;
            places.zip(terrains).for_each(|(cell, terrain)| is_other |= self.set(cell, terrain));
            if is_other {
                let place = |c: i32, i: usize| usize::try_from(c - self.lo[i] + 1).unwrap_or(0);
                let [xs, ys] = [0, 1].map(|i| place(blocks[i].start, i)..place(blocks[i].end, i));
                self.bits.refresh(&xs, &ys);
                if let Some(components) = self.components.get_mut() {
                    components.update(&self.bits, &xs, &ys);
                }
            }
            if is_shaped || self.n_blocked > 0 {
                self.find_all_blocked(floor, &blocks);
            }
        }
    }

    /// Whether [`Self::update`] is possible: the floor has the same bounds.
    #[must_use]
    pub fn fits(&self, floor: &Floor, agent: &Agent) -> bool {
        let grid = floor.grid();
        let span = agent.span(grid.tile_size());
        Some((self.lo, self.size)) == blocks_of(grid, span)
            && self.span == span
            && self.radius.to_bits() == agent.radius.to_bits()
            && self.tile_size == grid.tile_size()
            && self.corner_cutting == grid.corner_cutting()
            && self.agent == grid.agent(&agent.kind)
    }

    /// The blocks that overlap a rectangle of cells.
    fn blocks_with(&self, cells: &CellBox) -> CellBox {
        [0, 1].map(|i| {
            let most = self.lo[i] + self.size[i];
            let first = cells[i].start.saturating_sub(self.span[i] - 1).clamp(self.lo[i], most);
            first..cells[i].end.clamp(first, most)
        })
    }

    /// The terrain of each of these blocks, row by row; and whether any of their cells is partly solid.
    fn terrains_of(&mut self, floor: &Floor, blocks: &CellBox) -> (Vec<u16>, bool) {
        let [xs, ys] = blocks;
        let costs = self.costs(floor.grid(), blocks);
        let is_shaped = floor.has_shapes(&[0, 1].map(|i| blocks[i].start - 1..blocks[i].end + self.span[i]));
        // Neighboring cells mostly have equal costs: the last cost's terrain is remembered.
        let mut latest = (1.0, 1);
        let cells = ys.clone().flat_map(|y| xs.clone().map(move |x| [x, y]));
        let terrain = |(cell, cost): (Cell, Option<f32>)| {
            let cost = cost.filter(|_| !is_shaped || self.has_room(floor, cell));
            cost.map_or(0, |cost| {
                if cost != latest.0 {
                    latest = (cost, self.terrain(cost));
                }
                latest.1
            })
        };
        (cells.zip(costs).map(terrain).collect(), is_shaped)
    }

    /// The cost of each of these blocks, row by row: the greatest of its cells; `None` if one of them is closed.
    fn costs(&self, grid: &SolidGrid, [xs, ys]: &CellBox) -> Vec<Option<f32>> {
        const CLOSED: f32 = f32::INFINITY;
        let [span_x, span_y] = self.span.map(|n| usize::try_from(n).unwrap_or(1));
        let row_cells = xs.len() + span_x - 1;
        let mut latest = (u32::MAX, CLOSED);
        let cells = (ys.start..ys.end + self.span[1] - 1)
            .flat_map(|y| (xs.start..xs.end + self.span[0] - 1).map(move |x| [x, y]));
        let mut costs: Vec<f32> = cells
            .map(|cell| {
                let id = grid.kind_id(cell);
                if id != latest.0 {
                    latest = (id, grid.kind(id).cost(self.agent).unwrap_or(CLOSED));
                }
                latest.1
            })
            .collect();
        // Along the rows first; columns beyond the end of a row are not used below.
        greatest_of(&mut costs, 1, span_x);
        greatest_of(&mut costs, row_cells, span_y);
        let rows = costs.chunks_exact(row_cells).take(ys.len());
        rows.flat_map(|row| row[..xs.len()].iter().map(|cost| Some(*cost).filter(|cost| *cost < CLOSED))).collect()
    }

    /// Whether the agent has room on a block, given the partly solid cells and bodies.
    fn has_room(&self, floor: &Floor, [x, y]: Cell) -> bool {
        let center = self.center([x, y]);
        !floor.has_shapes(&[x..x + self.span[0], y..y + self.span[1]])
            || floor.is_clear(center, center, self.radius_px())
    }

    /// Radius of the agent in pixels, at least [`LEAST_RADIUS`]: a disc of radius 0 passes between two tiles that
    /// touch.
    pub(super) fn radius_px(&self) -> f32 {
        self.radius.max(LEAST_RADIUS)
    }

    /// Set the terrain of a cell. Returns whether that opened or closed it; then its stops and components have to be
    /// refreshed.
    fn set(&mut self, cell: Cell, terrain: u16) -> bool {
        let Some(i) = self.index(cell) else { return false };
        let old = self.cells[i];
        if old == terrain {
            return false;
        }
        self.cells.set(i, terrain);
        self.terrains[usize::from(old)].n_cells -= usize::from(old != 0);
        self.terrains[usize::from(terrain)].n_cells += usize::from(terrain != 0);
        let is_other = (old == 0) != (terrain == 0);
        if is_other {
            self.bits.set(i % self.stride, i / self.stride, terrain == 0);
        }
        is_other
    }

    /// Recompute the blocked steps from these blocks and those around them.
    fn find_all_blocked(&mut self, floor: &Floor, [xs, ys]: &CellBox) {
        for y in (ys.start - 1)..=ys.end {
            ((xs.start - 1)..=xs.end).for_each(|x| self.find_blocked(floor, [x, y]));
        }
    }

    /// Find the steps from a block eastward and downward that a partly solid tile or a body blocks, and record them at
    /// both ends.
    fn find_blocked(&mut self, floor: &Floor, [x, y]: Cell) {
        let Some(from) = self.index([x, y]) else { return };
        // Most blocks are near no shape: that is found out once for all steps from here.
        let reach = [x - 1..x + 1 + self.span[0], y..y + 1 + self.span[1]];
        let may_block = self.cells[from] != 0 && floor.has_shapes(&reach);
        if !may_block && self.n_blocked == 0 {
            return;
        }
        for (direction, [dx, dy]) in
            DIRECTIONS.into_iter().enumerate().filter(|(_, [dx, dy])| *dy > 0 || (*dy == 0 && *dx > 0))
        {
            let next = [x + dx, y + dy];
            let Some(to) = self.index(next) else { continue };
            let cells = [x.min(next[0])..x.max(next[0]) + self.span[0], y..next[1] + self.span[1]];
            let ends = [self.center([x, y]), self.center(next)];
            // Where corners may be cut, one of the blocks beside a diagonal step may be closed: the body goes around
            // that corner.
            let is_cut = dx != 0 && dy != 0 && !(self.is_open([next[0], y]) && self.is_open([x, next[1]]));
            let is_clear = || {
                let [a, b] = ends;
                if is_cut {
                    bend(floor, ends, self.radius_px()).is_some()
                } else {
                    floor.is_clear(a, b, self.radius_px())
                }
            };
            let is_blocked = may_block && self.cells[to] != 0 && floor.has_shapes(&cells) && !is_clear();
            let back = opposite(direction);
            for (place, direction) in [(from, direction), (to, back)] {
                self.block(place, direction, is_blocked);
            }
        }
    }

    fn block(&mut self, place: usize, direction: usize, is_blocked: bool) {
        if self.blocked.is_empty() {
            if !is_blocked {
                return;
            }
            self.blocked = Paged::filled(0, self.cells.len());
        }
        let bit = 1 << direction;
        let steps = self.blocked[place];
        match (steps & bit != 0, is_blocked) {
            (false, true) => self.n_blocked += 1,
            (true, false) => self.n_blocked -= 1,
            _ => return,
        }
        self.blocked.set(place, steps ^ bit);
    }

    /// Whether a partly solid tile or a body blocks a step from an open place in one of [`DIRECTIONS`].
    #[inline]
    pub(super) fn is_blocked(&self, place: usize, direction: usize) -> bool {
        self.n_blocked > 0 && self.blocked[place] >> direction & 1 != 0
    }

    /// The neighborhood of an inner place.
    #[inline]
    pub(super) fn around(&self, place: usize) -> Around<'_> {
        let row = |middle: usize| self.cells.three(middle);
        let terrains = [row(place - self.stride), row(place), row(place + self.stride)];
        Around { map: self, place, terrains }
    }

    /// Whether any step between open places is blocked.
    pub(super) fn has_blocked(&self) -> bool {
        self.n_blocked > 0
    }

    fn terrain(&mut self, cost: f32) -> u16 {
        let terrain = Terrain::new(cost);
        let known = self.terrains.iter().skip(1).position(|t| t.step == terrain.step && t.diagonal == terrain.diagonal);
        let i = known.map_or(self.terrains.len(), |i| i + 1);
        match u16::try_from(i) {
            Ok(i) => {
                if known.is_none() {
                    self.terrains.push(terrain);
                }
                i
            }
            // Beyond 65 000 different costs, the rest cost what the last did.
            Err(_) => u16::MAX,
        }
    }

    /// The place of a cell; `None` outside the level.
    #[must_use]
    pub(super) fn index(&self, cell: Cell) -> Option<usize> {
        let [x, y] = [cell[0].wrapping_sub(self.lo[0]), cell[1].wrapping_sub(self.lo[1])];
        let inside = (0..self.size[0]).contains(&x) && (0..self.size[1]).contains(&y);
        let [x, y] = [usize::try_from(x).ok()?, usize::try_from(y).ok()?];
        inside.then_some((y + 1) * self.stride + x + 1)
    }

    /// The cell of a place.
    #[must_use]
    pub(super) fn cell(&self, index: usize) -> Cell {
        let at = |i: usize| i32::try_from(i).unwrap_or(i32::MAX) - 1;
        [self.lo[0] + at(index % self.stride), self.lo[1] + at(index / self.stride)]
    }

    /// Whether a cell can be entered.
    #[must_use]
    pub fn is_open(&self, cell: Cell) -> bool {
        self.index(cell).is_some_and(|i| self.cells[i] != 0)
    }

    /// Cost of a step into a cell, in plain steps; `None` if it is closed.
    #[must_use]
    pub fn cost(&self, cell: Cell) -> Option<f64> {
        let terrain = self.cells[self.index(cell)?];
        (terrain != 0).then(|| self.terrains[usize::from(terrain)].cost)
    }

    /// The smallest cost on the map, which keeps estimates admissible.
    pub(super) fn cheapest(&self) -> Terrain {
        let used = self.terrains.iter().skip(1).filter(|terrain| terrain.n_cells > 0);
        used.min_by_key(|terrain| terrain.step).copied().unwrap_or(self.terrains[1])
    }

    /// Whether every open cell costs the same.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.terrains.iter().skip(1).filter(|terrain| terrain.n_cells > 0).count() <= 1
    }

    /// A position in pixels in units of blocks as large as cells: whole numbers are the left top corners of blocks.
    pub(super) fn in_blocks(&self, pos_px: Vec2) -> DVec2 {
        let [x, y] = self.span.map(|n| f64::from(n - 1) / 2.0);
        pos_px.as_dvec2() / self.tile_size.as_dvec2() - DVec2::new(x, y)
    }

    /// The block whose middle is nearest to a point in pixels; for a narrow agent the cell that contains the point.
    #[must_use]
    pub fn cell_at(&self, pos_px: Vec2) -> Cell {
        let block = self.in_blocks(pos_px).floor();
        #[allow(clippy::cast_possible_truncation)] // saturates
        [block.x as i32, block.y as i32]
    }

    /// The middle of a block, in pixels; for a narrow agent that of the cell.
    #[must_use]
    pub fn center(&self, cell: Cell) -> Vec2 {
        #[allow(clippy::cast_precision_loss)] // levels are far smaller than 2^24 cells
        let [cell, span] = [cell, self.span].map(|[x, y]| Vec2::new(x as f32, y as f32));
        (cell + span / 2.0) * self.tile_size
    }

    /// The open block nearest to `cell`, at most `reach` cells away in either direction. Blocks of the least `rank` are
    /// preferred; of equal ones the upper left.
    #[must_use]
    pub fn nearest_open<R: Ord>(&self, cell: Cell, reach: i32, rank: impl Fn(Cell) -> R) -> Option<Cell> {
        if self.is_open(cell) {
            return Some(cell);
        }
        let around = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| [dx, dy]));
        let open = around.filter_map(|[dx, dy]| {
            let near = [cell[0].checked_add(dx)?, cell[1].checked_add(dy)?];
            self.is_open(near).then_some((dx * dx + dy * dy, near))
        });
        open.min_by_key(|(distance, near)| (rank(*near), *distance, near[1], near[0])).map(|(_, cell)| cell)
    }

    /// The number of cells that the agent covers in the longer direction.
    pub(super) fn width_cells(&self) -> i32 {
        self.span[0].max(self.span[1])
    }

    /// Whether a position in pixels is at a block that is connected with an open one, or beside such a block.
    pub(super) fn is_reached(&self, from: Cell, pos_px: Vec2) -> bool {
        let near = self.nearest_open(self.cell_at(pos_px), self.width_cells() / 2, |_| ());
        let ends = self.index(from).zip(near.and_then(|cell| self.index(cell)));
        ends.is_some_and(|(from, near)| self.is_connected(from, near))
    }

    /// Whether the second of two open places can be reached from the first, without a search; with blocked steps,
    /// whether it may be.
    pub(super) fn is_connected(&self, a: usize, b: usize) -> bool {
        let n_rows = self.cells.len() / self.stride;
        let components = self.components.get_or_init(|| Components::new(&self.bits, self.stride, n_rows));
        components.is_connected(a, b)
    }
}

/// The neighborhood of an inner place of a map.
pub(super) struct Around<'a> {
    map: &'a GridMap,
    place: usize,
    /// Three rows of three terrains; the place is in the middle.
    terrains: [[u16; 3]; 3],
}

impl Around<'_> {
    #[inline]
    fn is_open(&self, direction: usize) -> bool {
        let [row, column] = AROUND[direction];
        self.terrains[row][column] != 0
    }

    /// The terrain that a step in one of [`DIRECTIONS`] leads to, if possible: the cell and, for a diagonal step, the
    /// corner beside it are open, and no shape blocks the step.
    #[inline]
    pub(super) fn step(&self, direction: usize) -> Option<u16> {
        let [row, column] = AROUND[direction];
        let terrain = self.terrains[row][column];
        let is_free = direction.checked_sub(4).is_none_or(|diagonal| {
            let [a, b] = SIDES[diagonal];
            if self.map.corner_cutting {
                self.is_open(a) || self.is_open(b)
            } else {
                self.is_open(a) && self.is_open(b)
            }
        });
        (terrain != 0 && is_free && !self.map.is_blocked(self.place, direction)).then_some(terrain)
    }
}

/// The place by which a body of this radius (px) passes a corner on a diagonal step: the middle of the step, or beside
/// it. `None` if it cannot pass.
pub(super) fn bend(floor: &Floor, [from, to]: [Vec2; 2], radius: f32) -> Option<Vec2> {
    let middle = (from + to) / 2.0;
    let corners = [Vec2::new(to.x, from.y), Vec2::new(from.x, to.y)];
    let bends = (0..=BENDS).map(|i| f32::from(i) / f32::from(BENDS));
    let mut places = bends.flat_map(|share| corners.map(|corner| middle.lerp(corner, share)));
    places.find(|by| floor.is_clear(from, *by, radius) && floor.is_clear(*by, to, radius))
}

/// The first block, and the numbers of columns and rows of blocks; `None` if they cannot be counted in `i32`.
pub(super) fn blocks_of(grid: &SolidGrid, span: [i32; 2]) -> Option<(Cell, Cell)> {
    let (lo, hi) = grid.bounds();
    let side = |i: usize| Some((hi[i].checked_sub(lo[i])? - (span[i] - 1)).max(0));
    Some((lo, [side(0)?, side(1)?]))
}

fn chunk_cells(at: Cell) -> CellBox {
    at.map(|c| c * CHUNK..(c + 1) * CHUNK)
}

/// Replace each value by the greatest of the `n` values from it on that are `step` apart, as far as there are any.
/// Takes log n passes: each doubles the reach.
fn greatest_of(values: &mut [f32], step: usize, n: usize) {
    let mut reach = 1;
    while reach < n {
        let by = reach.min(n - reach);
        for i in by * step..values.len() {
            let before = i - by * step;
            values[before] = values[before].max(values[i]);
        }
        reach += by;
    }
}

/// Column and row of a place, counting the border.
pub(super) fn position(place: usize, stride: usize) -> [i32; 2] {
    // Both are below 2^26.
    #[allow(clippy::cast_possible_truncation)]
    let (place, stride) = (place as u32, stride as u32);
    #[allow(clippy::cast_possible_wrap)]
    [(place % stride) as i32, (place / stride) as i32]
}

/// The number of the opposite direction.
pub(super) fn opposite(direction: usize) -> usize {
    direction & 4 | (direction + 2) & 3
}
