//! Filling: the area of equal tiles around a cell, and every tile like one.
//!
//! Invariant: work and result are bounded by the level's size; on an unbounded level by its tiles and a margin around
//! them.

use std::collections::{BTreeSet, HashMap};

use super::options::Alike;
use crate::model::{CHUNK, Cell, CellSet, Chunk, Tile, Tiles, chunk_of};

/// More cells than this are not worked on one by one: 4096 × 4096, which takes well below a second.
pub(super) const MAX_CELLS: usize = 1 << 24;

/// More cells than this are not selected at once: 65 536 × 65 536.
pub(super) const MAX_SELECTED: usize = 1 << 32;

/// Rows of a block of cells, as a [`CellSet`] has them.
type Rows = [u32; 32];

/// The sentence that refuses more cells than `most`; `None` stands for a number that is not known.
pub(super) fn too_many(most: usize, n: Option<u64>) -> String {
    let this = n.map_or_else(|| "this would be more".to_owned(), |n| format!("this would be {n}"));
    format!("At most {most} cells at once; {this}")
}

/// What an area is looked for in: the tiles of layers as they cover each other.
pub(super) struct Seen<'a> {
    /// From the front; with the tiles that are looked for, where some may be on it.
    layers: Vec<(&'a Tiles, Option<&'a Alike>)>,
    /// Whether cells are looked for that have a tile on none of them.
    is_empty: bool,
}

impl<'a> Seen<'a> {
    /// The tiles of one layer.
    pub(super) fn one(tiles: &'a Tiles, alike: &'a Alike) -> Self {
        Self { layers: vec![(tiles, Some(alike))], is_empty: alike.is_empty() }
    }

    /// Those of several, from the front: `None` for those that show none that is looked for.
    pub(super) fn all(layers: Vec<(&'a Tiles, Option<&'a Alike>)>, is_empty: bool) -> Self {
        Self { layers, is_empty }
    }

    /// The cells of a block that show what is looked for.
    fn rows(&self, block: Cell) -> Rows {
        let (mut out, mut covered) = (Rows::default(), Rows::default());
        for (tiles, alike) in &self.layers {
            let Some(chunk) = tiles.chunk(block) else { continue };
            for (i, (used, found)) in rows_of(chunk, *alike).into_iter().enumerate() {
                out[i] |= found & !covered[i];
                covered[i] |= used;
            }
        }
        if self.is_empty { std::array::from_fn(|i| out[i] | !covered[i]) } else { out }
    }

    fn has(&self, cell: Cell) -> bool {
        let shown =
            self.layers.iter().map(|(tiles, alike)| (tiles.get(cell), alike)).find(|(tile, _)| !tile.is_empty());
        shown.map_or(self.is_empty, |(tile, alike)| alike.is_some_and(|alike| alike.has(tile)))
    }

    /// The smallest and largest cell that hold the chunks.
    fn bounds(&self) -> Option<(Cell, Cell)> {
        let all = self.layers.iter().filter_map(|(tiles, _)| tiles.bounds());
        all.reduce(|(a, b), (c, d)| ([0, 1].map(|i| a[i].min(c[i])), [0, 1].map(|i| b[i].max(d[i]))))
    }

    /// The blocks that may show what is looked for, where that is not the empty cell. Only the kinds of tiles in a
    /// chunk are looked at: reading every cell of a large level would take far longer.
    fn blocks(&self) -> BTreeSet<Cell> {
        let some = self.layers.iter().filter_map(|(tiles, alike)| Some((tiles, (*alike)?)));
        let with_some = some.flat_map(|(tiles, alike)| {
            tiles.chunks().filter(|(_, chunk)| chunk.kinds().any(|tile| alike.has(tile))).map(|(at, _)| at)
        });
        with_some.collect()
    }

    /// The rectangle that filling stays in: left top and right bottom, both included. `None` when there is nothing.
    pub(super) fn frame(&self, size: Option<[u32; 2]>) -> Option<(Cell, Cell)> {
        match size {
            Some([w, h]) => {
                let last = |side: u32| i32::try_from(side).ok()?.checked_sub(1).filter(|last| *last >= 0);
                Some(([0, 0], [last(w)?, last(h)?]))
            }
            None => {
                let (lo, hi) = self.bounds()?;
                Some((lo.map(|x| x.saturating_sub(CHUNK)), hi.map(|x| x.saturating_add(CHUNK))))
            }
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

/// The cells around `start`, itself included, that show what is looked for and are connected by their sides.
///
/// # Errors
/// Says so when the area has no end (it reaches the margin of an unbounded level) or is too large.
pub(super) fn flood(size: Option<[u32; 2]>, seen: &Seen<'_>, start: Cell) -> Result<CellSet, String> {
    let Some((lo, hi)) = seen.frame(size) else { return Err(NO_END.to_owned()) };
    let within = Fill { lo, hi, has_end: size.is_some(), most: MAX_CELLS };
    flood_in(&within, seen, start)?.ok_or_else(|| too_many(MAX_CELLS, None))
}

/// The same in a rectangle; none when these are too many, which is found out after looking at about as many as are
/// allowed.
///
/// It goes from block to block of 32×32 cells, in a block over all cells of a row at once, each a bit.
pub(super) fn flood_in(within: &Fill, seen: &Seen<'_>, start: Cell) -> Result<Option<CellSet>, &'static str> {
    let Fill { lo, hi, has_end, most } = *within;
    if (0..2).any(|i| !(lo[i]..=hi[i]).contains(&start[i])) {
        return Err(if has_end { OUTSIDE } else { NO_END });
    }
    let (first, last) = (chunk_of(lo).0, chunk_of(hi).0);
    let mut open: HashMap<Cell, Rows> = HashMap::new();
    let mut out = CellSet::default();
    let mut n = 0;
    let mut todo: Vec<(Cell, Rows)> = CellSet::rectangle(start, start).blocks().map(|(at, rows)| (at, *rows)).collect();
    while let Some((block, seeds)) = todo.pop() {
        let open = open.entry(block).or_insert_with(|| seen_in(within, block, seen));
        let known = out.block(block);
        let seeds: Rows = std::array::from_fn(|i| seeds[i] & open[i] & !known[i]);
        if seeds == Rows::default() {
            continue;
        }
        let new = spread(seeds, open);
        if !has_end && touches_edge(within, block, &new) {
            return Err(NO_END);
        }
        n += count(&new);
        if n > most {
            return Ok(None);
        }
        out.insert_block(block, &new);
        let [x, y] = block;
        let mut rows = [Rows::default(); 2];
        (rows[0][31], rows[1][0]) = (new[0], new[31]);
        let [above, below] = rows;
        let beside = [
            ([x - 1, y], new.map(|row| row << 31)),
            ([x + 1, y], new.map(|row| row >> 31)),
            ([x, y - 1], above),
            ([x, y + 1], below),
        ];
        let is_within = |at: Cell| (0..2).all(|i| (first[i]..=last[i]).contains(&at[i]));
        todo.extend(beside.into_iter().filter(|(at, rows)| *rows != Rows::default() && is_within(*at)));
    }
    Ok(Some(out))
}

/// The cells of a block that show what is looked for and are in a rectangle.
fn seen_in(within: &Fill, block: Cell, seen: &Seen<'_>) -> Rows {
    let Fill { lo, hi, .. } = *within;
    let [columns, lines] = [0, 1].map(|i| bits_from(block[i], lo[i], hi[i]));
    let found = seen.rows(block);
    std::array::from_fn(|i| if lines & (1 << i) == 0 { 0 } else { found[i] & columns })
}

/// The cells of a chunk that have tiles, and those of them with such tiles, row by row.
fn rows_of(chunk: &Chunk, alike: Option<&Alike>) -> [(u32, u32); 32] {
    let look = |tile: Tile| (!tile.is_empty(), !tile.is_empty() && alike.is_some_and(|alike| alike.has(tile)));
    let mut out = [(0, 0); 32];
    // Tiles beside each other are mostly the same.
    let mut last = (Tile::EMPTY, look(Tile::EMPTY));
    for ((used, found), row) in out.iter_mut().zip(chunk.rows()) {
        for (x, tile) in row.into_iter().enumerate() {
            if tile != last.0 {
                last = (tile, look(tile));
            }
            *used |= u32::from(last.1.0) << x;
            *found |= u32::from(last.1.1) << x;
        }
    }
    out
}

/// The columns or rows of a block from `first` to `last`, as bits.
fn bits_from(block: i32, first: i32, last: i32) -> u32 {
    let start = block.saturating_mul(CHUNK);
    let inside = (0..CHUNK).filter(|i| (first..=last).contains(&start.saturating_add(*i)));
    inside.fold(0, |bits, i| bits | 1 << i)
}

/// Whether cells of a block are at the edge of a rectangle.
fn touches_edge(within: &Fill, block: Cell, rows: &Rows) -> bool {
    let Fill { lo, hi, .. } = *within;
    let edge = |i: usize| bits_from(block[i], lo[i], lo[i]) | bits_from(block[i], hi[i], hi[i]);
    let (columns, lines) = (edge(0), edge(1));
    rows.iter().enumerate().any(|(i, row)| if lines & (1 << i) == 0 { row & columns } else { *row } != 0)
}

fn count(rows: &Rows) -> usize {
    rows.iter().map(|row| row.count_ones() as usize).sum()
}

/// The open cells of a block that some are connected with by their sides.
fn spread(mut rows: Rows, open: &Rows) -> Rows {
    loop {
        let before = rows;
        for i in (0..32).chain((0..32).rev()) {
            let above = if i == 0 { 0 } else { rows[i - 1] };
            let below = rows.get(i + 1).copied().unwrap_or(0);
            rows[i] = along((rows[i] | above | below) & open[i], open[i]);
        }
        if rows == before {
            return rows;
        }
    }
}

/// The open cells of a row that some are connected with. In five steps, since each step is twice as far as the one
/// before.
fn along(row: u32, open: u32) -> u32 {
    let (mut right, mut left) = (row, row);
    let (mut to_right, mut to_left) = (open, open);
    for by in [1, 2, 4, 8, 16] {
        right |= to_right & (right << by);
        to_right &= to_right << by;
        left |= to_left & (left >> by);
        to_left &= to_left >> by;
    }
    right | left
}

/// Every cell that shows what is looked for; for the empty tile, of the level's size only.
///
/// # Errors
/// Says so when there are too many, or no end to them.
pub(super) fn same_tiles(size: Option<[u32; 2]>, seen: &Seen<'_>) -> Result<CellSet, String> {
    let (mut out, mut n) = (CellSet::default(), 0);
    let mut put = |at: Cell, rows: &Rows| {
        n += count(rows);
        out.insert_block(at, rows);
        if n > MAX_CELLS { Err(too_many(MAX_CELLS, None)) } else { Ok(()) }
    };
    if seen.is_empty {
        let (size, (lo, hi)) = size.zip(seen.frame(size)).ok_or(NO_END_OF_EMPTY)?;
        let n_cells = u64::from(size[0]) * u64::from(size[1]);
        // Where tiles leave few empty ones is not looked for in a level of any size.
        if n_cells > 4 * MAX_CELLS as u64 {
            return Err(too_many(MAX_CELLS, None));
        }
        let within = Fill { lo, hi, has_end: true, most: MAX_CELLS };
        let (first, last) = (chunk_of(lo).0, chunk_of(hi).0);
        for at in (first[0]..=last[0]).flat_map(|x| (first[1]..=last[1]).map(move |y| [x, y])) {
            put(at, &seen_in(&within, at, seen))?;
        }
    } else {
        for at in seen.blocks() {
            put(at, &seen.rows(at))?;
        }
    }
    Ok(out)
}

const NO_END_OF_EMPTY: &str = "There is no end of empty cells on an unbounded level";

/// How many cells are looked through for one tile, for each that may be found.
const LOOKED_AT: u64 = 16;

/// The same in a rectangle; none when these are too many, or too many would have to be looked at to know.
pub(super) fn same_tiles_in(within: &Fill, seen: &Seen<'_>) -> Result<Option<CellSet>, &'static str> {
    let Fill { lo, hi, has_end, most } = *within;
    if seen.is_empty && !has_end {
        return Err(NO_END_OF_EMPTY);
    }
    let side = |i: usize| u64::try_from(i64::from(hi[i]) - i64::from(lo[i]) + 1).unwrap_or(0);
    let budget = most as u64 * LOOKED_AT;
    let is_small = side(0).saturating_mul(side(1)) <= budget;
    let n_chunks: usize = seen.layers.iter().map(|(tiles, _)| tiles.n_chunks()).sum();
    if !is_small && (seen.is_empty || n_chunks as u64 * (CHUNK * CHUNK) as u64 > budget) {
        return Ok(None);
    }
    let mut out = CellSet::default();
    if is_small {
        out.extend(super::rectangle(lo, hi, false).filter(|cell| seen.has(*cell)).take(most + 1));
    } else {
        seen.blocks().into_iter().for_each(|at| out.insert_block(at, &seen_in(within, at, seen)));
    }
    Ok((out.len() <= most).then_some(out))
}
