//! Filling: the area of equal tiles around a cell, and every tile like one.
//!
//! Invariant: work and result are bounded by the level's size; on an unbounded level by its tiles and a margin around them.

use std::collections::HashMap;

use crate::model::{CHUNK, Cell, Tile, Tiles, chunk_of};

/// An area larger than this is not filled, in cells.
pub(super) const MAX_CELLS: usize = 4 << 20;

/// The rectangle that filling stays in: left top and right bottom, both included. `None` when there is nothing.
#[must_use]
fn frame(size: Option<[u32; 2]>, tiles: &Tiles) -> Option<(Cell, Cell)> {
    match size {
        Some([w, h]) => {
            let last = |side: u32| i32::try_from(side).ok()?.checked_sub(1).filter(|last| *last >= 0);
            Some(([0, 0], [last(w)?, last(h)?]))
        }
        None => {
            let (lo, hi) = tiles.bounds()?;
            Some((lo.map(|x| x.saturating_sub(CHUNK)), hi.map(|x| x.saturating_add(CHUNK))))
        }
    }
}

/// Cells marked, a bit each.
#[derive(Default)]
struct Marks(HashMap<Cell, [u64; 16]>);

impl Marks {
    fn has(&self, cell: Cell) -> bool {
        let (chunk, at) = chunk_of(cell);
        self.0.get(&chunk).is_some_and(|bits| bits[at / 64] & (1 << (at % 64)) != 0)
    }

    fn add(&mut self, cell: Cell) {
        let (chunk, at) = chunk_of(cell);
        self.0.entry(chunk).or_default()[at / 64] |= 1 << (at % 64);
    }
}

/// The cells with the same tile as `start` (flips too) that hang together with it by their sides.
///
/// # Errors
/// Says so when the area has no end (it reaches the margin of an unbounded level) or is too large.
///
/// Source: Smith, "Tint fill" (1979): spans of a row are filled whole, and looked at from above and below.
pub fn flood(size: Option<[u32; 2]>, tiles: &Tiles, start: Cell) -> Result<Vec<Cell>, &'static str> {
    const NO_END: &str = "This area has no end: draw a border around it first";
    let Some((lo, hi)) = frame(size, tiles) else { return Err(NO_END) };
    let is_inside = |[x, y]: Cell| x >= lo[0] && x <= hi[0] && y >= lo[1] && y <= hi[1];
    if !is_inside(start) {
        return if size.is_none() { Err(NO_END) } else { Err("This is outside the level") };
    }
    let tile = tiles.get(start);
    let mut seen = Marks::default();
    let mut out = Vec::new();
    let mut todo = vec![start];
    while let Some([x, y]) = todo.pop() {
        if seen.has([x, y]) {
            continue;
        }
        let is_open = |x: i32, y: i32| is_inside([x, y]) && tiles.get([x, y]) == tile;
        let (mut left, mut right) = (x, x);
        while is_open(left - 1, y) {
            left -= 1;
        }
        while is_open(right + 1, y) {
            right += 1;
        }
        let at_margin = left == lo[0] || right == hi[0] || y == lo[1] || y == hi[1];
        if size.is_none() && at_margin {
            return Err(NO_END);
        }
        for x in left..=right {
            seen.add([x, y]);
            out.push([x, y]);
        }
        if out.len() > MAX_CELLS {
            return Err("This area is too large to fill at once");
        }
        for next in [y - 1, y + 1] {
            let mut was_open = false;
            for x in left..=right {
                let open = is_open(x, next) && !seen.has([x, next]);
                if open && !was_open {
                    todo.push([x, next]);
                }
                was_open = open;
            }
        }
    }
    Ok(out)
}

/// Every cell with the same tile (flips too) as one; for the empty tile, of the level's size only.
///
/// # Errors
/// Says so when there are too many, or no end to them.
pub fn same_tiles(size: Option<[u32; 2]>, tiles: &Tiles, tile: Tile) -> Result<Vec<Cell>, &'static str> {
    const TOO_MANY: &str = "These are too many to replace at once";
    if !tile.is_empty() {
        let found: Vec<Cell> =
            tiles.iter().filter(|(_, it)| *it == tile).map(|(cell, _)| cell).take(MAX_CELLS + 1).collect();
        return if found.len() > MAX_CELLS { Err(TOO_MANY) } else { Ok(found) };
    }
    let Some((size, (lo, hi))) = size.zip(frame(size, tiles)) else {
        return Err("There is no end of empty cells on an unbounded level");
    };
    if u64::from(size[0]) * u64::from(size[1]) > MAX_CELLS as u64 {
        return Err(TOO_MANY);
    }
    Ok(super::rectangle(lo, hi, false).filter(|cell| tiles.get(*cell).is_empty()).collect())
}
