//! The grid as one kind of agent walks it: an array of terrains with a closed border, and its connected components.
//!
//! Invariant: a map is a function of its grid and agent kind; [`GridMap::update`] leaves it as [`GridMap::new`] would
//! build it, up to the numbering of terrains. Costs are whole numbers, so sums do not depend on their order. The search is
//! `grid_path`.

use std::{ops::Range, sync::OnceLock};

use glam::Vec2;

use crate::{
    model::{CHUNK, Cell},
    sim::grid::SolidGrid,
};

use super::{bits::Bits, components::Components};

/// A plain orthogonal step. With [`DIAGONAL`], a convergent of √2: the error of a diagonal is below 10⁻⁶ of a step, so the
/// cheapest path in whole numbers is the cheapest path.
pub(super) const STEP: u64 = 470_832;
/// A plain diagonal step.
pub(super) const DIAGONAL: u64 = 665_857;
/// The most cells a map is made for.
const MAX_CELLS: u64 = 1 << 26;
/// Costs of a step are kept within these, in plain steps.
const COST_RANGE: (f64, f64) = (1e-4, 1e6);

/// What a step into a cell costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terrain {
    /// In plain steps.
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

/// A grid for one agent kind.
#[derive(Clone, Debug)]
pub struct GridMap {
    lo: Cell,
    size: Cell,
    pub(super) stride: usize,
    tile_size: Vec2,
    pub(super) corner_cutting: bool,
    agent: Option<usize>,
    /// Terrain of each cell, 0 closed, with a closed border one cell wide.
    pub(super) cells: Vec<u16>,
    pub(super) terrains: Vec<Terrain>,
    pub(super) bits: Bits,
    components: OnceLock<Components>,
}

impl GridMap {
    /// The map of a grid for an agent kind; one that no tile names pays 1 everywhere. `None` for a level whose bounds hold
    /// more than 67 million cells.
    #[must_use]
    pub fn new(grid: &SolidGrid, agent: &str) -> Option<Self> {
        let (lo, hi) = grid.bounds();
        let size = [hi[0].checked_sub(lo[0])?, hi[1].checked_sub(lo[1])?];
        let [w, h] = [u64::try_from(size[0]).ok()?, u64::try_from(size[1]).ok()?];
        let n = (w + 2).checked_mul(h + 2).filter(|n| *n <= MAX_CELLS)?;
        let stride = usize::try_from(w + 2).ok()?;
        let mut map = Self {
            lo,
            size,
            stride,
            tile_size: grid.tile_size(),
            corner_cutting: grid.corner_cutting(),
            agent: grid.agent(agent),
            cells: vec![0; usize::try_from(n).ok()?],
            // The first stands for closed cells, the second for cells without tiles.
            terrains: vec![Terrain { cost: 0.0, step: 0, diagonal: 0, n_cells: 0 }, Terrain::new(1.0)],
            bits: Bits::new(stride, usize::try_from(h + 2).ok()?),
            components: OnceLock::new(),
        };
        for row in map.cells.chunks_exact_mut(stride).skip(1).take(usize::try_from(h).ok()?) {
            row[1..stride - 1].fill(1);
        }
        map.terrains[1].n_cells = usize::try_from(w * h).ok()?;
        for at in grid.chunks() {
            map.read_chunk(grid, at);
        }
        map.bits.refresh(&(0..stride), &(0..usize::try_from(h + 2).ok()?));
        Some(map)
    }

    /// Follow a grid of the same bounds whose chunks changed.
    pub fn update(&mut self, grid: &SolidGrid, changed: &[Cell]) {
        for at in changed {
            let (xs, ys) = self.read_chunk(grid, *at);
            self.bits.refresh(&xs, &ys);
        }
    }

    /// Whether the map can follow the grid by [`Self::update`]: it has the same frame.
    #[must_use]
    pub fn fits(&self, grid: &SolidGrid, agent: &str) -> bool {
        let (lo, hi) = grid.bounds();
        self.lo == lo
            && [lo[0] + self.size[0], lo[1] + self.size[1]] == hi
            && self.tile_size == grid.tile_size()
            && self.corner_cutting == grid.corner_cutting()
            && self.agent == grid.agent(agent)
    }

    /// Read the cells of a chunk; returns the columns and rows it has in the arrays.
    fn read_chunk(&mut self, grid: &SolidGrid, at: Cell) -> (Range<usize>, Range<usize>) {
        // Neighboring cells are mostly alike: the last kind's terrain is remembered.
        let mut latest = (u32::MAX, 0);
        let range = |i: usize| (at[i] * CHUNK).max(self.lo[i])..(at[i] * CHUNK + CHUNK).min(self.lo[i] + self.size[i]);
        let (xs, ys) = (range(0), range(1));
        for y in ys.clone() {
            for x in xs.clone() {
                let id = grid.kind_id([x, y]);
                if id != latest.0 {
                    latest = (id, grid.kind(id).cost(self.agent).map_or(0, |cost| self.terrain(cost)));
                }
                let Some(i) = self.index([x, y]) else { continue };
                let old = std::mem::replace(&mut self.cells[i], latest.1);
                if (old == 0) != (latest.1 == 0) {
                    self.bits.set(i % self.stride, i / self.stride, latest.1 == 0);
                    self.follow(i, latest.1 == 0);
                }
                self.terrains[usize::from(old)].n_cells -= usize::from(old != 0);
                self.terrains[usize::from(latest.1)].n_cells += usize::from(latest.1 != 0);
            }
        }
        let place = |c: i32, i: usize| usize::try_from(c - self.lo[i] + 1).unwrap_or(0);
        (place(xs.start, 0)..place(xs.end, 0), place(ys.start, 1)..place(ys.end, 1))
    }

    /// Keep the groups of cells up to date, if they are known and it is little work.
    fn follow(&mut self, place: usize, is_closed: bool) {
        let Some(mut components) = self.components.take() else { return };
        let is_exact = if is_closed {
            components.close(place, self.stride)
        } else {
            components.open(place, self.stride);
            true
        };
        if is_exact {
            self.components = OnceLock::from(components);
        }
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
            // More than 65 000 different costs: the rest cost what the last did.
            Err(_) => u16::MAX,
        }
    }

    /// The place of a cell in the arrays; `None` outside the level.
    #[must_use]
    pub(super) fn index(&self, cell: Cell) -> Option<usize> {
        let [x, y] = [cell[0].wrapping_sub(self.lo[0]), cell[1].wrapping_sub(self.lo[1])];
        let inside = (0..self.size[0]).contains(&x) && (0..self.size[1]).contains(&y);
        let [x, y] = [usize::try_from(x).ok()?, usize::try_from(y).ok()?];
        inside.then_some((y + 1) * self.stride + x + 1)
    }

    /// The cell of a place in the arrays.
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

    /// What a step into a cell costs, in plain steps; `None` when it is closed.
    #[must_use]
    pub fn cost(&self, cell: Cell) -> Option<f64> {
        let terrain = self.cells[self.index(cell)?];
        (terrain != 0).then(|| self.terrains[usize::from(terrain)].cost)
    }

    /// The smallest cost of the map, which keeps estimates admissible.
    pub(super) fn cheapest(&self) -> Terrain {
        let used = self.terrains.iter().skip(1).filter(|terrain| terrain.n_cells > 0);
        used.min_by_key(|terrain| terrain.step).copied().unwrap_or(self.terrains[1])
    }

    /// Whether every open cell costs the same.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.terrains.iter().skip(1).filter(|terrain| terrain.n_cells > 0).count() <= 1
    }

    /// Width and height of a cell, in pixels.
    #[must_use]
    pub fn tile_size(&self) -> Vec2 {
        self.tile_size
    }

    /// The cell a point lies in.
    #[must_use]
    pub fn cell_at(&self, pos_px: Vec2) -> Cell {
        let cell = (pos_px / self.tile_size).floor();
        #[allow(clippy::cast_possible_truncation)] // saturates
        [cell.x as i32, cell.y as i32]
    }

    /// The middle of a cell, in pixels.
    #[must_use]
    pub fn center(&self, cell: Cell) -> Vec2 {
        #[allow(clippy::cast_precision_loss)] // levels are far smaller than 2^24 cells
        let cell = Vec2::new(cell[0] as f32, cell[1] as f32);
        (cell + 0.5) * self.tile_size
    }

    /// The open cell nearest to `cell`, at most `reach` cells away in either direction; the upper left one of equals.
    #[must_use]
    pub fn nearest_open(&self, cell: Cell, reach: i32) -> Option<Cell> {
        if self.is_open(cell) {
            return Some(cell);
        }
        let around = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| [dx, dy]));
        let open = around.filter_map(|[dx, dy]| {
            let near = [cell[0].checked_add(dx)?, cell[1].checked_add(dy)?];
            self.is_open(near).then_some((dx * dx + dy * dy, near))
        });
        open.min_by_key(|(distance, [x, y])| (*distance, *y, *x)).map(|(_, cell)| cell)
    }

    /// Whether the second cell can be reached from the first, without searching. Both are open.
    pub(super) fn is_connected(&self, a: usize, b: usize) -> bool {
        self.components.get_or_init(|| Components::new(&self.cells, self.stride)).is_connected(a, b)
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
