//! Filling: the area of equal tiles around a cell, and every tile like one.
//!
//! Invariant: work and result are bounded by the level's size; on an unbounded level by its tiles and a margin around them.

use super::options::Alike;
use crate::model::{CHUNK, Cell, CellSet, Tile, Tiles};

/// An area larger than this is not filled, in cells.
pub(super) const MAX_CELLS: usize = 4 << 20;

/// The rectangle that filling stays in: left top and right bottom, both included. `None` when there is nothing.
#[must_use]
pub(super) fn frame(size: Option<[u32; 2]>, tiles: &Tiles) -> Option<(Cell, Cell)> {
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

/// Where to fill, and how much at most.
pub(super) struct Fill {
    /// Left top, included.
    pub lo: Cell,
    /// Right bottom, included.
    pub hi: Cell,
    /// Whether an area may reach the edge of this rectangle.
    pub has_end: bool,
    /// More cells than this are too many.
    pub most: usize,
}

pub(super) const NO_END: &str = "This area has no end: draw a border around it first";
const OUTSIDE: &str = "This is outside the level";

/// The cells around `start`, itself included, that have such tiles and are connected by their sides.
///
/// # Errors
/// Says so when the area has no end (it reaches the margin of an unbounded level) or is too large.
pub fn flood(
    size: Option<[u32; 2]>,
    tiles: &Tiles,
    start: Cell,
    is_alike: &dyn Fn(Tile) -> bool,
) -> Result<Vec<Cell>, &'static str> {
    let Some((lo, hi)) = frame(size, tiles) else { return Err(NO_END) };
    let within = Fill { lo, hi, has_end: size.is_some(), most: MAX_CELLS };
    flood_in(&within, tiles, start, is_alike)?.ok_or("This area is too large to fill at once")
}

/// The same in a rectangle; none when these are too many, which is found out after looking at about as many as are allowed.
///
/// Source: Smith, "Tint fill" (1979): spans of a row are filled whole, and looked at from above and below.
pub(super) fn flood_in(
    within: &Fill,
    tiles: &Tiles,
    start: Cell,
    is_alike: &dyn Fn(Tile) -> bool,
) -> Result<Option<Vec<Cell>>, &'static str> {
    let Fill { lo, hi, has_end, most } = *within;
    let is_inside = |[x, y]: Cell| x >= lo[0] && x <= hi[0] && y >= lo[1] && y <= hi[1];
    if !is_inside(start) {
        return Err(if has_end { OUTSIDE } else { NO_END });
    }
    let mut seen = CellSet::default();
    let mut out = Vec::new();
    let mut todo = vec![start];
    while let Some([x, y]) = todo.pop() {
        if seen.contains([x, y]) {
            continue;
        }
        let is_open = |x: i32, y: i32| is_inside([x, y]) && is_alike(tiles.get([x, y]));
        let (mut left, mut right) = (x, x);
        let room = i32::try_from(most - out.len()).unwrap_or(i32::MAX);
        while right - left < room && is_open(left - 1, y) {
            left -= 1;
        }
        while right - left < room && is_open(right + 1, y) {
            right += 1;
        }
        let at_margin = left == lo[0] || right == hi[0] || y == lo[1] || y == hi[1];
        if !has_end && at_margin {
            return Err(NO_END);
        }
        if right - left >= room {
            return Ok(None);
        }
        seen.insert_row(y, left, right);
        out.extend((left..=right).map(|x| [x, y]));
        for next in [y - 1, y + 1] {
            let mut was_open = false;
            for x in left..=right {
                let open = is_open(x, next) && !seen.contains([x, next]);
                if open && !was_open {
                    todo.push([x, next]);
                }
                was_open = open;
            }
        }
    }
    Ok(Some(out))
}

/// Every cell with such a tile; for the empty tile, of the level's size only.
///
/// # Errors
/// Says so when there are too many, or no end to them.
pub(super) fn same_tiles(size: Option<[u32; 2]>, tiles: &Tiles, alike: &Alike) -> Result<Vec<Cell>, &'static str> {
    const TOO_MANY: &str = "These are too many to replace at once";
    if !alike.is_empty() {
        let found: Vec<Cell> =
            tiles.iter().filter(|(_, it)| alike.has(*it)).map(|(cell, _)| cell).take(MAX_CELLS + 1).collect();
        return if found.len() > MAX_CELLS { Err(TOO_MANY) } else { Ok(found) };
    }
    let Some((size, (lo, hi))) = size.zip(frame(size, tiles)) else {
        return Err(NO_END_OF_EMPTY);
    };
    if u64::from(size[0]) * u64::from(size[1]) > MAX_CELLS as u64 {
        return Err(TOO_MANY);
    }
    Ok(super::rectangle(lo, hi, false).filter(|cell| tiles.get(*cell).is_empty()).collect())
}

const NO_END_OF_EMPTY: &str = "There is no end of empty cells on an unbounded level";

/// How many cells are looked through for one tile, for each that may be found.
const LOOKED_AT: u64 = 16;

/// The same in a rectangle; none when these are too many, or too many would have to be looked at to know.
pub(super) fn same_tiles_in(within: &Fill, tiles: &Tiles, alike: &Alike) -> Result<Option<Vec<Cell>>, &'static str> {
    let Fill { lo, hi, has_end, most } = *within;
    if alike.is_empty() && !has_end {
        return Err(NO_END_OF_EMPTY);
    }
    let side = |i: usize| u64::try_from(i64::from(hi[i]) - i64::from(lo[i]) + 1).unwrap_or(0);
    let budget = most as u64 * LOOKED_AT;
    let mut found = if side(0).saturating_mul(side(1)) <= budget {
        let cells = super::rectangle(lo, hi, false).filter(|cell| alike.has(tiles.get(*cell)));
        cells.take(most + 1).collect::<Vec<Cell>>()
    } else if alike.is_empty() || tiles.n_chunks() as u64 * (CHUNK * CHUNK) as u64 > budget {
        return Ok(None);
    } else {
        tiles.iter().filter(|(_, it)| alike.has(*it)).map(|(cell, _)| cell).take(most + 1).collect()
    };
    found.retain(|cell| (0..2).all(|i| (lo[i]..=hi[i]).contains(&cell[i])));
    Ok((found.len() <= most).then_some(found))
}
