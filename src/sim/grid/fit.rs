//! How the cells of a layer lie on those of the level: its offset, and its own tile size.
//!
//! Invariant: visiting a chunk of the level visits every tile that reaches into it, once for each cell that it reaches into; the
//! chunks so reached are those of [`Fit::targets`].

use std::collections::BTreeSet;

use crate::model::{CHUNK, Cell, Chunk, Tile, Tiles};

/// Tiles of a layer that are larger than the level's cells are solid in no more chunks of these than this, which are 8 million cells.
/// A tile of a million pixels on cells of one would fill any memory.
pub(super) const MAX_TARGETS: usize = 1 << 13;

/// Where a tile is in a cell of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TileAt {
    /// From the cell's top left corner to the tile's, in whole pixels.
    pub(super) shift_px: Cell,
    /// The tile's width and height.
    pub(super) side_px: Cell,
}

/// A layer's cells on the level's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    offset: [i64; 2],
    /// Of the layer's cells, in pixels.
    side: [i64; 2],
    /// Of the level's.
    cell: [i64; 2],
}

impl Fit {
    /// Of a layer with cells of `px` on a level with cells of `cell`; its offset is rounded to whole pixels.
    pub(super) fn new(offset: [f64; 2], px: [u32; 2], cell: [u32; 2]) -> Self {
        #[allow(clippy::cast_possible_truncation)] // saturates, and is clamped
        let offset = offset.map(|px| (px.round() as i64).clamp(-100_000_000, 100_000_000));
        Self { offset, side: px.map(i64::from), cell: cell.map(i64::from) }
    }

    /// Add the chunks of the level that the tiles of a layer's chunk reach into; of large tiles, until there are [`MAX_TARGETS`].
    pub(super) fn targets(&self, at: Cell, chunk: &Chunk, out: &mut BTreeSet<Cell>) {
        if self.side.iter().zip(self.cell).all(|(side, cell)| *side <= cell) {
            // As near as its tiles are, the chunk as a whole reaches into few.
            let first = [0, 1].map(|i: usize| i64::from(at[i]) * i64::from(CHUNK));
            self.add(first, i64::from(CHUNK), out);
            return;
        }
        for (cell, _) in tiles_of(at, chunk) {
            self.add(cell, 1, out);
        }
    }

    /// Add the chunks of the level that a square of the layer's cells reaches into.
    fn add(&self, first: [i64; 2], n: i64, out: &mut BTreeSet<Cell>) {
        let range = |i: usize| {
            let (lo, chunk) = (first[i] * self.side[i] + self.offset[i], self.cell[i] * i64::from(CHUNK));
            let last = (lo + n * self.side[i] - 1).div_euclid(chunk);
            lo.div_euclid(chunk)..=last
        };
        let place = |at: i64| i32::try_from(at).ok().filter(|at| at.unsigned_abs() < 1 << 24);
        for y in range(1).filter_map(place) {
            for x in range(0).filter_map(place) {
                if n == 1 && out.len() >= MAX_TARGETS {
                    return;
                }
                out.insert([x, y]);
            }
        }
    }

    /// Visit the tiles that reach into a chunk of the level: number of the cell in the chunk, tile, and where that is in the cell.
    pub(super) fn visit(&self, at: Cell, tiles: &Tiles, mut visit: impl FnMut(usize, Tile, TileAt)) {
        // In pixels, and in the layer's cells.
        let start = [0, 1].map(|i: usize| i64::from(at[i]) * i64::from(CHUNK) * self.cell[i]);
        let end = [0, 1].map(|i: usize| start[i] + i64::from(CHUNK) * self.cell[i]);
        let (first, last) = (
            [0, 1].map(|i: usize| (start[i] - self.offset[i]).div_euclid(self.side[i])),
            [0, 1].map(|i: usize| (end[i] - 1 - self.offset[i]).div_euclid(self.side[i])),
        );
        #[allow(clippy::cast_possible_truncation)] // sides of tiles are below 2^21
        let side_px = self.side.map(|side| side as i32);
        let mut chunk = |chunk_at: Cell, chunk: &Chunk| {
            for (cell, tile) in tiles_of(chunk_at, chunk) {
                if (0..2).any(|i| cell[i] < first[i] || cell[i] > last[i]) {
                    continue;
                }
                let lo = [0, 1].map(|i: usize| cell[i] * self.side[i] + self.offset[i] - start[i]);
                let range = |i: usize| {
                    let end = (lo[i] + self.side[i] - 1).div_euclid(self.cell[i]);
                    lo[i].div_euclid(self.cell[i]).max(0)..=end.min(i64::from(CHUNK) - 1)
                };
                for y in range(1) {
                    for x in range(0) {
                        #[allow(clippy::cast_possible_truncation)] // less than a tile and a cell
                        let shift_px = [(lo[0] - x * self.cell[0]) as i32, (lo[1] - y * self.cell[1]) as i32];
                        let i = usize::try_from(y * i64::from(CHUNK) + x).unwrap_or(0);
                        visit(i, tile, TileAt { shift_px, side_px });
                    }
                }
            }
        };
        let range = |i: usize| first[i].div_euclid(i64::from(CHUNK))..=last[i].div_euclid(i64::from(CHUNK));
        let n_near = range(0).count().saturating_mul(range(1).count());
        if n_near <= tiles.n_chunks() {
            for (y, x) in range(1).flat_map(|y| range(0).map(move |x| (y, x))) {
                let Some(at) = i32::try_from(x).ok().zip(i32::try_from(y).ok()).map(|(x, y)| [x, y]) else { continue };
                if let Some(found) = tiles.chunk(at) {
                    chunk(at, found);
                }
            }
        } else {
            tiles.chunks().for_each(|(at, found)| chunk(at, found));
        }
    }
}

/// The tiles of a chunk, with the cells that they are on.
fn tiles_of(at: Cell, chunk: &Chunk) -> impl Iterator<Item = ([i64; 2], Tile)> {
    let first = at.map(|c| i64::from(c) * i64::from(CHUNK));
    let cells = (0..i64::from(CHUNK)).flat_map(|y| (0..i64::from(CHUNK)).map(move |x| [x, y]));
    let tiles = cells.zip(chunk.tiles()).filter(|(_, tile)| !tile.is_empty());
    tiles.map(move |([x, y], tile)| ([first[0] + x, first[1] + y], tile))
}
