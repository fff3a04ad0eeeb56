//! A number per cell of a map, to be shown as colors: cost to get there, connected area, clearance.
//!
//! Invariant: a cell has a number exactly where the map is open and, for costs, the cell is reached. A step is possible
//! here where it is for the search ([`GridMap::can_step`]).

use std::{cmp::Reverse, collections::BinaryHeap, ops::Range};

use glam::Vec2;

use crate::model::Cell;

use super::{
    Floor, GridMap,
    map::{DIRECTIONS, STEP, Terrain, position},
};

/// The most cells of a map for which a field is made.
const MOST_CELLS: usize = 1 << 24;
/// Clearance is capped at this many cells, to each side.
const MOST_CLEAR: i32 = 16;
/// Steps of the binary search for the clearance near partly solid cells: to a thousandth of the cap.
const N_HALVINGS: u32 = 10;

/// The quantity by which the cells of a level are colored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colored {
    /// Cost to get there from the start, in plain steps.
    Cost,
    /// Connected areas by size: the largest is 1, the next 2.
    Areas,
    /// Clearance: width of the widest agent that fits there, in pixels.
    Clearance,
}

/// A number for each cell of a map.
#[derive(Clone, Debug)]
pub struct CellField {
    lo: Cell,
    /// Columns and rows of blocks.
    size: [usize; 2],
    /// Offset from a cell to the block of the map that stands for it.
    shift: Cell,
    /// One value per block, row by row; NaN where there is none.
    values: Vec<f32>,
    /// The greatest value.
    pub most: f32,
    /// The number of cells with a value.
    pub n_cells: usize,
    /// For areas: the number of cells of each, largest area first.
    pub areas: Vec<usize>,
}

impl CellField {
    /// The cost from a place to each cell, in plain steps. `None` for a map that is too large; without values if the
    /// place is closed.
    #[must_use]
    pub fn costs(map: &GridMap, from: Vec2) -> Option<Self> {
        check(map)?;
        let mut best = vec![u64::MAX; map.cells.len()];
        let mut open = BinaryHeap::new();
        if let Some(start) = map.index(map.cell_at(from)).filter(|start| map.cells[*start] != 0) {
            best[start] = 0;
            open.push(Reverse((0, start)));
        }
        while let Some(Reverse((cost, place))) = open.pop() {
            if cost > best[place] {
                continue;
            }
            each_step(map, place, |next, is_diagonal, terrain| {
                let cost = cost + if is_diagonal { terrain.diagonal } else { terrain.step };
                if cost < best[next] {
                    best[next] = cost;
                    open.push(Reverse((cost, next)));
                }
            });
        }
        #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a color")]
        let steps = |cost: u64| if cost == u64::MAX { f32::NAN } else { (cost as f64 / STEP as f64) as f32 };
        Some(Self::of(map, |place| steps(best[place])))
    }

    /// The connected area of each cell, by number: 1 for the largest. `None` for a map that is too large.
    #[must_use]
    pub fn areas(map: &GridMap) -> Option<Self> {
        check(map)?;
        let mut labels = vec![0_usize; map.cells.len()];
        // By label, from 1: number of cells, and the first cell.
        let mut found: Vec<(usize, usize)> = Vec::new();
        let mut open = Vec::new();
        for first in (0..labels.len()).filter(|place| map.cells[*place] != 0) {
            if labels[first] != 0 {
                continue;
            }
            let label = found.len() + 1;
            labels[first] = label;
            open.push(first);
            let mut n = 0;
            while let Some(place) = open.pop() {
                n += 1;
                each_step(map, place, |next, _, _| {
                    if labels[next] == 0 {
                        labels[next] = label;
                        open.push(next);
                    }
                });
            }
            found.push((n, first));
        }
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|i| (Reverse(found[*i].0), found[*i].1));
        let mut rank = vec![0_usize; found.len() + 1];
        for (i, label) in order.iter().enumerate() {
            rank[label + 1] = i + 1;
        }
        #[expect(clippy::cast_precision_loss, reason = "there are at most 2^23 cells")]
        let number = |place: usize| if labels[place] == 0 { f32::NAN } else { rank[labels[place]] as f32 };
        let areas = order.iter().map(|i| found[*i].0).collect();
        Some(Self { areas, ..Self::of(map, number) })
    }

    /// Clearance: the width of the widest agent whose middle can be in the middle of each cell, or at one of its
    /// corners, as that of an agent two cells wide is, in pixels; capped at 32 cells. The map has to be that of a point
    /// agent. `None` for a map that is too large.
    #[must_use]
    pub fn clearance(floor: &Floor, map: &GridMap) -> Option<Self> {
        check(map)?;
        let (stride, side) = (map.stride, floor.grid().tile_size());
        // Partly solid cells are measured by their shapes. Around the level is a border.
        let is_wall = |place: usize| {
            let [x, y] = map.cell(place);
            let is_shaped = || floor.has_shapes(&[x..x.saturating_add(1), y..y.saturating_add(1)]);
            map.cells[place] == 0 && (!floor.grid().contains([x, y]) || !is_shaped())
        };
        // Distance in rows to the nearest wall in the same column.
        let mut rows = vec![MOST_CLEAR; map.cells.len()];
        for place in 0..rows.len() {
            let above = place.checked_sub(stride).map_or(0, |above| rows[above]);
            rows[place] = if is_wall(place) { 0 } else { (above + 1).min(MOST_CLEAR) };
        }
        for place in (0..rows.len().saturating_sub(stride)).rev() {
            rows[place] = rows[place].min(rows[place + stride] + 1);
        }
        // The same from the line above each cell.
        let above = |place: usize| place.checked_sub(stride).map_or(0, |above| rows[above]);
        let from_line: Vec<i32> = (0..rows.len()).map(|place| rows[place].min(above(place))).collect();
        let last = i32::try_from(stride).unwrap_or(i32::MAX) - 1;
        // Distance in pixels to the nearest wall from the middle of a cell (`half` is 0.5) or its left top corner (0.0).
        #[expect(clippy::cast_precision_loss, reason = "at most 16")]
        let radius = |rows: &[i32], place: usize, columns: Range<i32>, half: f32| {
            let [column, _] = position(place, stride);
            let across = columns.map(|dx| {
                let is_inside = (0..=last).contains(&(column + dx));
                let near = isize::try_from(dx).ok().filter(|_| is_inside);
                let n = near.and_then(|dx| rows.get(place.checked_add_signed(dx)?)).map_or(0, |n| *n);
                let [x, y] = [(dx as f32 + 0.5 - half).abs() - 0.5, n as f32 - half].map(|cells| cells.max(0.0));
                (x * side.x).hypot(y * side.y)
            });
            across.fold(f32::INFINITY, f32::min)
        };
        let in_middle = |place: usize| radius(&rows, place, -MOST_CLEAR..MOST_CLEAR + 1, 0.5);
        let at_corner = |place: usize| radius(&from_line, place, -MOST_CLEAR..MOST_CLEAR, 0.0);
        let measured = |at: Vec2, most: f32| {
            let (lo, hi) = (floor.grid().cell_at(at - most), floor.grid().cell_at(at + most));
            let around = [0, 1].map(|i| lo[i]..hi[i].saturating_add(1));
            if !floor.has_shapes(&around) || floor.is_clear(at, at, most) {
                return 2.0 * most;
            }
            let (mut fits, mut meets) = (0.0, most);
            for _ in 0..N_HALVINGS {
                let middle = f32::midpoint(fits, meets);
                if floor.is_clear(at, at, middle) { fits = middle } else { meets = middle }
            }
            2.0 * fits
        };
        let corners: Vec<f32> = (0..map.cells.len())
            .map(|place| measured(map.center(map.cell(place)) - side / 2.0, at_corner(place)))
            .collect();
        let clear = |place: usize| {
            if map.cells[place] == 0 {
                return f32::NAN;
            }
            let around = [place, place + 1, place + stride, place + stride + 1];
            let corners = around.into_iter().filter_map(|place| corners.get(place));
            corners.copied().fold(measured(map.center(map.cell(place)), in_middle(place)), f32::max)
        };
        Some(Self::of(map, clear))
    }

    fn of(map: &GridMap, value: impl Fn(usize) -> f32) -> Self {
        let stride = map.stride;
        let (width, height) = (stride - 2, map.cells.len() / stride - 2);
        let places = (1..=height).flat_map(|y| (1..=width).map(move |x| y * stride + x));
        let values: Vec<f32> = places.map(value).collect();
        let known = values.iter().filter(|value| !value.is_nan());
        let (most, n_cells) = known.fold((0.0_f32, 0), |(most, n), value| (most.max(*value), n + 1));
        let lo = map.cell(stride + 1);
        // The block whose middle is nearest to the middle of a cell begins at another cell.
        let shift = map.cell_at(Vec2::splat(0.5) * (map.center([1, 1]) - map.center([0, 0])));
        Self { lo, size: [width, height], shift, values, most, n_cells, areas: Vec::new() }
    }

    /// The value of a cell of the level.
    #[must_use]
    pub fn at(&self, cell: Cell) -> Option<f32> {
        let [x, y] = [0, 1].map(|i| cell[i].saturating_add(self.shift[i]).checked_sub(self.lo[i]));
        let (x, y) = (usize::try_from(x?).ok()?, usize::try_from(y?).ok()?);
        let is_inside = x < self.size[0] && y < self.size[1];
        self.values.get(y * self.size[0] + x).copied().filter(|value| is_inside && !value.is_nan())
    }
}

/// Check that a map is small enough, and has any cells.
fn check(map: &GridMap) -> Option<()> {
    (map.cells.len() <= MOST_CELLS && map.stride > 2 && map.cells.len() / map.stride > 2).then_some(())
}

/// The places one step away from an open place, with whether the step is diagonal, and their terrain.
pub(super) fn each_step(map: &GridMap, place: usize, mut each: impl FnMut(usize, bool, &Terrain)) {
    let stride = map.stride.cast_signed();
    let around = map.around(place);
    for (direction, [dx, dy]) in DIRECTIONS.into_iter().enumerate() {
        let Some(terrain) = around.step(direction) else { continue };
        let by = isize::try_from(dy).unwrap_or(0) * stride + isize::try_from(dx).unwrap_or(0);
        if let Some(next) = place.checked_add_signed(by) {
            each(next, direction >= 4, &map.terrains[usize::from(terrain)]);
        }
    }
}
