//! The cells that a click of the bucket or of *Replace tile* would change, shown before it.
//!
//! Invariant: making one looks at a bounded number of cells, whatever the level's size. Of an area that is larger, the part
//! around the pointer is shown.

use std::{collections::HashMap, sync::Arc};

use super::{
    ToolKind,
    fill::{Fill, NO_END, flood_in, frame, same_tiles_in},
};
use crate::model::{Cell, Layer, Tiles};

/// An area of more cells is not shown whole. Finding this many costs a millisecond or two.
const MAX_SHOWN: usize = 12_000;

/// Of a larger area so many columns and rows to each side of the pointer are shown: with a cell of 16 pixels at its own size
/// they cover a large screen.
const AROUND: [i32; 2] = [64, 44];

/// An area of cells, by rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Cells side by side: the row, the first and the last column. By row, then column; no two touch in a row.
    pub rows: Vec<(i32, i32, i32)>,
    /// The border lines, each by two corners: `[x, y]` is the left top of that cell.
    pub border: Vec<[Cell; 2]>,
    /// How many cells there are.
    pub n_cells: usize,
    /// Whether these are all of them.
    pub is_whole: bool,
}

impl Area {
    /// The area of some cells.
    #[must_use]
    pub fn new(mut cells: Vec<Cell>, is_whole: bool) -> Self {
        cells.sort_unstable_by_key(|[x, y]| (*y, *x));
        cells.dedup();
        let mut rows: Vec<(i32, i32, i32)> = Vec::new();
        for [x, y] in &cells {
            match rows.last_mut() {
                Some((row, _, last)) if row == y && last.checked_add(1) == Some(*x) => *last = *x,
                _ => rows.push((*y, *x, *x)),
            }
        }
        let border = border(&rows);
        Self { rows, border, n_cells: cells.len(), is_whole }
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

/// The border of an area given by rows.
fn border(rows: &[(i32, i32, i32)]) -> Vec<[Cell; 2]> {
    let mut by_row: HashMap<i32, &[(i32, i32, i32)]> = HashMap::new();
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
    cell: Cell,
    area: Result<Arc<Area>, &'static str>,
}

impl Kept {
    /// The area that a click with the tool `kind` on a cell would change, or why it cannot.
    pub(super) fn at(
        &mut self,
        kind: ToolKind,
        layer: &Arc<Layer>,
        size: Option<[u32; 2]>,
        cell: Cell,
    ) -> Result<Arc<Area>, &'static str> {
        let is_same = |found: &&Found| found.kind == kind && Arc::ptr_eq(&found.layer, layer) && found.size == size;
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
            Some(tiles) => find(kind, size, &tiles.tiles, cell, is_large).map(Arc::new),
            None => Err("Choose a tile layer to paint on"),
        };
        self.0 = Some(Found { kind, layer: layer.clone(), size, cell, area: area.clone() });
        area
    }
}

/// The area that a click would change, or the part of it around the cell; that at once where the area is known to be large.
fn find(
    kind: ToolKind,
    size: Option<[u32; 2]>,
    tiles: &Tiles,
    cell: Cell,
    is_large: bool,
) -> Result<Area, &'static str> {
    let look = |lo: Cell, hi: Cell, has_end: bool| {
        let within = Fill { lo, hi, has_end, most: MAX_SHOWN };
        match kind {
            ToolKind::Bucket => flood_in(&within, tiles, cell),
            _ => same_tiles_in(&within, tiles, tiles.get(cell)),
        }
    };
    let (first, last) = frame(size, tiles).ok_or(NO_END)?;
    let whole = if is_large { None } else { look(first, last, size.is_some())? };
    if let Some(cells) = whole {
        return Ok(Area::new(cells, true));
    }
    let lo = [0, 1].map(|i| first[i].max(cell[i].saturating_sub(AROUND[i])));
    let hi = [0, 1].map(|i| last[i].min(cell[i].saturating_add(AROUND[i])));
    Ok(Area::new(look(lo, hi, true)?.unwrap_or_default(), false))
}
