//! Areas of cells about to change, shown before a click: what the bucket or *Replace tile* would fill, where a brush goes.
//!
//! Invariant: finding what would be filled looks at a bounded number of cells, whatever the level's size. Of an area that is
//! larger, the part around the pointer is shown.

use std::{collections::HashMap, sync::Arc};

use super::{
    ToolKind,
    fill::{Fill, NO_END, flood_in, frame, same_tiles_in},
    options::Alike,
};
use crate::model::{Cell, Layer, Tiles};

/// An area of more cells is not shown whole. Finding this many costs a millisecond or two.
const MAX_SHOWN: usize = 12_000;

/// Of a larger area so many columns and rows to each side of the pointer are shown: with a cell of 16 pixels at its own size
/// they cover a large screen.
const AROUND: [i32; 2] = [64, 44];

/// Cells side by side: their row, the first and the last column.
pub type Row = (i32, i32, i32);

/// An area of cells, by rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// By row, then column; no two touch in a row.
    pub rows: Vec<Row>,
    /// The border lines, each by two corners: `[x, y]` is the left top of that cell.
    pub border: Vec<[Cell; 2]>,
    /// How many cells there are.
    pub n_cells: usize,
    /// Whether these are all of them.
    pub is_whole: bool,
}

impl Area {
    /// The whole area of some rows, which may lie over each other.
    #[must_use]
    pub fn new(rows: Vec<Row>) -> Self {
        let rows = joined(rows);
        let border = border(&rows);
        let n_cells = rows.iter().map(|(_, first, last)| last.abs_diff(*first) as usize + 1).sum();
        Self { rows, border, n_cells, is_whole: true }
    }

    /// The whole area of some cells.
    fn of_cells(cells: Vec<Cell>) -> Self {
        Self::new(cells.into_iter().map(|[x, y]| (y, x, x)).collect())
    }

    /// Whether a cell is in it.
    #[must_use]
    pub fn has(&self, [x, y]: Cell) -> bool {
        let after = self.rows.partition_point(|(row, first, _)| (*row, *first) <= (y, x));
        after.checked_sub(1).is_some_and(|at| {
            let (row, first, last) = self.rows[at];
            row == y && (first..=last).contains(&x)
        })
    }
}

/// The cells of rows, in their order.
pub(super) fn cells_of(rows: &[Row]) -> impl Iterator<Item = Cell> {
    rows.iter().flat_map(|(y, first, last)| (*first..=*last).map(|x| [x, *y]))
}

/// The same cells, each once: by row, then column, and no two rows touch side by side.
pub(super) fn joined(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_unstable();
    let mut out: Vec<Row> = Vec::new();
    for (y, first, last) in rows {
        match out.last_mut() {
            Some((row, _, end)) if *row == y && first <= end.saturating_add(1) => *end = last.max(*end),
            _ => out.push((y, first, last)),
        }
    }
    out
}

/// The border of an area given by rows.
fn border(rows: &[Row]) -> Vec<[Cell; 2]> {
    let mut by_row: HashMap<i32, &[Row]> = HashMap::new();
    for of_row in rows.chunk_by(|a, b| a.0 == b.0) {
        by_row.insert(of_row[0].0, of_row);
    }
    let mut out = Vec::new();
    for (y, first, last) in rows.iter().copied() {
        let (left, right) = (first, last.saturating_add(1));
        out.push([[left, y], [left, y.saturating_add(1)]]);
        out.push([[right, y], [right, y.saturating_add(1)]]);
        for (beside, edge) in [(y.saturating_sub(1), y), (y.saturating_add(1), y.saturating_add(1))] {
            // What the neighboring row leaves of this one.
            let mut from = left;
            let others = by_row.get(&beside).copied().unwrap_or_default();
            let start = others.partition_point(|(_, _, their_last)| *their_last < left);
            for (_, theirs, their_last) in others[start..].iter().take_while(|(_, theirs, _)| *theirs <= last) {
                if *theirs > from {
                    out.push([[from, edge], [*theirs, edge]]);
                }
                from = their_last.saturating_add(1).max(from);
            }
            if from < right {
                out.push([[from, edge], [right, edge]]);
            }
        }
    }
    out
}

/// The area shown last. It is found again only for another layer, tool or size, or a cell that it does not settle.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Option<Found>);

#[derive(Clone, Debug)]
struct Found {
    kind: ToolKind,
    layer: Arc<Layer>,
    size: Option<[u32; 2]>,
    alike: Alike,
    cell: Cell,
    area: Result<Arc<Area>, &'static str>,
}

impl Kept {
    /// The area of such tiles that a click with the tool `kind` on a cell would change, or why it cannot.
    pub(super) fn at(
        &mut self,
        (kind, alike): (ToolKind, Alike),
        layer: &Arc<Layer>,
        size: Option<[u32; 2]>,
        cell: Cell,
    ) -> Result<Arc<Area>, &'static str> {
        let is_same = |found: &&Found| {
            found.kind == kind && Arc::ptr_eq(&found.layer, layer) && found.size == size && found.alike == alike
        };
        let known = self.0.as_ref().filter(is_same).map(|found| (found.cell, &found.area));
        let shown = known.and_then(|(at, area)| Some((at, area.as_ref().ok()?)));
        // Beside a cell of a large area is the same large area.
        let is_large = shown.is_some_and(|(_, area)| !area.is_whole && area.has(cell));
        match known {
            Some((at, area)) if at == cell => return area.clone(),
            _ => {}
        }
        if let Some((_, area)) = shown.filter(|(_, area)| area.is_whole && area.has(cell)) {
            return Ok(area.clone());
        }
        let area = match layer.tiles() {
            Some(tiles) => find((kind, &alike), size, &tiles.tiles, cell, is_large).map(Arc::new),
            None => Err("Choose a tile layer to paint on"),
        };
        self.0 = Some(Found { kind, layer: layer.clone(), size, alike, cell, area: area.clone() });
        area
    }
}

/// The area that a click would change, or the part of it around the cell; that at once where the area is known to be large.
fn find(
    (kind, alike): (ToolKind, &Alike),
    size: Option<[u32; 2]>,
    tiles: &Tiles,
    cell: Cell,
    is_large: bool,
) -> Result<Area, &'static str> {
    let look = |lo: Cell, hi: Cell, has_end: bool| {
        let within = Fill { lo, hi, has_end, most: MAX_SHOWN };
        match kind {
            ToolKind::Bucket => flood_in(&within, tiles, cell, &|tile| alike.has(tile)),
            _ => same_tiles_in(&within, tiles, alike),
        }
    };
    let (first, last) = frame(size, tiles).ok_or(NO_END)?;
    let whole = if is_large { None } else { look(first, last, size.is_some())? };
    if let Some(cells) = whole {
        return Ok(Area::of_cells(cells));
    }
    let lo = [0, 1].map(|i| first[i].max(cell[i].saturating_sub(AROUND[i])));
    let hi = [0, 1].map(|i| last[i].min(cell[i].saturating_add(AROUND[i])));
    Ok(Area { is_whole: false, ..Area::of_cells(look(lo, hi, true)?.unwrap_or_default()) })
}
