//! The mapping of a layer's cells to those of the level: the layer's offset, and its own tile size.
//!
//! Invariant: visiting a chunk of the level visits every tile that overlaps it, once for each cell that it overlaps;
//! the chunks so reached are those of [`Fit::targets`], unless these are cut.

use std::collections::BTreeSet;

use crate::model::{CHUNK, Cell, Chunk, Tile, Tiles};

/// Number of chunks that a layer with larger cells than the level's may always overlap: 8 million cells of the level.
const FEW_TARGETS: usize = 1 << 13;
/// Number of further chunks for each chunk that the layer has, so that the memory grows with the content of a file. A
/// full chunk of tiles ten times as wide and high as the level's cells overlaps fewer.
const TARGETS_EACH: usize = 128;
/// Levels of at most this many chunks, 16 384² cells, are solid in each of them.
const MAX_LEVEL: usize = 1 << 18;

/// The chunks of the level that a layer overlaps, up to a limit: one tile of a million pixels on cells of one pixel
/// would fill any memory.
#[derive(Debug)]
pub(super) struct Targets {
    pub(super) chunks: BTreeSet<Cell>,
    /// Whether chunks were left out because of the limit.
    pub(super) is_cut: bool,
    most: usize,
    /// One past the last chunk of the level, all of which count; `None` if the level has no size or is too large for
    /// that.
    level: [i64; 2],
}

impl Targets {
    /// For a layer with `n_chunks` chunks on a level of this size.
    pub(super) fn new(n_chunks: usize, size: Option<[u32; 2]>) -> Self {
        let level = size.unwrap_or_default().map(|side| u64::from(side).div_ceil(u64::from(CHUNK.unsigned_abs())));
        let n_level = usize::try_from(level[0] * level[1]).unwrap_or(usize::MAX);
        let (n_level, level) = if n_level <= MAX_LEVEL { (n_level, level) } else { (0, [0, 0]) };
        // The area around the level counts as well: layers with an offset extend beyond it.
        let most = n_chunks.saturating_mul(TARGETS_EACH).saturating_add(FEW_TARGETS + 2 * n_level);
        Self { chunks: BTreeSet::new(), is_cut: false, most, level: level.map(u64::cast_signed) }
    }

    /// Add the chunks of a rectangle, first to last: those of the level, then others up to the limit.
    fn add(&mut self, first: [i64; 2], last: [i64; 2]) {
        let within = [0, 1].map(|i: usize| last[i].min(self.level[i] - 1));
        self.chunks.extend(places(first.map(|at| at.max(0)), within));
        for at in places(first, last) {
            if self.chunks.len() >= self.most && !self.chunks.contains(&at) {
                self.is_cut = true;
                return;
            }
            self.chunks.insert(at);
        }
    }
}

/// The chunks of a rectangle, first to last, whose coordinates are usable.
fn places(first: [i64; 2], last: [i64; 2]) -> impl Iterator<Item = Cell> {
    const FAR: i64 = 1 << 24;
    let (lo, hi) = (first.map(|at| at.max(1 - FAR)), last.map(|at| at.min(FAR - 1)));
    let place = |x: i64, y: i64| Some([i32::try_from(x).ok()?, i32::try_from(y).ok()?]);
    (lo[1]..=hi[1]).flat_map(move |y| (lo[0]..=hi[0]).filter_map(move |x| place(x, y)))
}

/// The place of a tile in a cell of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TileAt {
    /// Offset from the cell's top left corner to the tile's, in whole pixels.
    pub(super) shift_px: Cell,
    /// Width and height of the tile, in pixels.
    pub(super) side_px: Cell,
}

/// The mapping of a layer's cells to the level's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    offset: [i64; 2],
    /// Width and height of the layer's cells, in pixels.
    side: [i64; 2],
    /// Width and height of the level's cells, in pixels.
    cell: [i64; 2],
}

impl Fit {
    /// For a layer with cells of `px` on a level with cells of `cell` pixels; the offset is rounded to whole pixels.
    pub(super) fn new(offset: [f64; 2], px: [u32; 2], cell: [u32; 2]) -> Self {
        #[allow(clippy::cast_possible_truncation)] // saturates, and is clamped
        let offset = offset.map(|px| (px.round() as i64).clamp(-100_000_000, 100_000_000));
        Self { offset, side: px.map(i64::from), cell: cell.map(i64::from) }
    }

    /// Whether its cells are wider or higher than the level's.
    fn is_larger(&self) -> bool {
        self.side.iter().zip(self.cell).any(|(side, cell)| *side > cell)
    }

    /// Whether [`Self::targets`] of all chunks of a layer may exceed the limit; false if they surely do not.
    pub(super) fn may_be_cut(&self, n_chunks: usize, size: Option<[u32; 2]>) -> bool {
        let reach =
            [0, 1].map(|i: usize| usize::try_from(self.side[i].div_euclid(self.cell[i]) + 2).unwrap_or(usize::MAX));
        let n = n_chunks.saturating_mul(reach[0]).saturating_mul(reach[1]);
        self.is_larger() && n > Targets::new(n_chunks, size).most
    }

    /// The offset of the layer's cells, in cells, if each of them coincides with one of the level's.
    pub(super) fn aligned(&self) -> Option<Cell> {
        let is_aligned = self.side == self.cell && (0..2).all(|i| self.offset[i] % self.side[i] == 0);
        let cells = [0, 1].map(|i: usize| i32::try_from(self.offset[i] / self.side[i]).ok());
        Some([cells[0]?, cells[1]?]).filter(|_| is_aligned)
    }

    /// Add the chunks of the level that the tiles of a layer's chunk overlap.
    pub(super) fn targets(&self, at: Cell, chunk: &Chunk, out: &mut Targets) {
        if self.is_larger() {
            for (cell, _) in tiles_of(at, chunk) {
                let (first, last) = self.reached(cell, 1);
                out.add(first, last);
            }
            return;
        }
        // If its tiles are near each other, the chunk as a whole overlaps few chunks.
        let first = [0, 1].map(|i: usize| i64::from(at[i]) * i64::from(CHUNK));
        let (first, last) = self.reached(first, i64::from(CHUNK));
        out.chunks.extend(places(first, last));
    }

    /// The first and the last chunk of the level that a square of the layer's cells overlaps.
    fn reached(&self, first: [i64; 2], n: i64) -> ([i64; 2], [i64; 2]) {
        let lo = [0, 1].map(|i: usize| first[i] * self.side[i] + self.offset[i]);
        let chunk = self.cell.map(|side| side * i64::from(CHUNK));
        let last = [0, 1].map(|i: usize| (lo[i] + n * self.side[i] - 1).div_euclid(chunk[i]));
        ([0, 1].map(|i: usize| lo[i].div_euclid(chunk[i])), last)
    }

    /// The left top corner of a chunk of the level, in pixels, and the first and the last of the layer's cells that
    /// overlap it.
    fn cells_over(&self, at: Cell) -> ([i64; 2], [i64; 2], [i64; 2]) {
        let start = [0, 1].map(|i: usize| i64::from(at[i]) * i64::from(CHUNK) * self.cell[i]);
        let end = [0, 1].map(|i: usize| start[i] + i64::from(CHUNK) * self.cell[i]);
        let first = [0, 1].map(|i: usize| (start[i] - self.offset[i]).div_euclid(self.side[i]));
        let last = [0, 1].map(|i: usize| (end[i] - 1 - self.offset[i]).div_euclid(self.side[i]));
        (start, first, last)
    }

    /// The tile under which a whole chunk of the level lies, if there is one; perhaps the empty one.
    pub(super) fn whole(&self, at: Cell, tiles: &Tiles) -> Option<Tile> {
        let (_, first, last) = self.cells_over(at);
        if first != last {
            return None;
        }
        let [x, y] = first.map(|c| i32::try_from(c).ok());
        Some(tiles.get([x?, y?]))
    }

    /// Visit the tiles that overlap a chunk of the level: index of the cell in the chunk, tile, and the tile's place in
    /// the cell. By column then row of the layer's chunks, whatever else the layer holds.
    pub(super) fn visit(&self, at: Cell, tiles: &Tiles, mut visit: impl FnMut(usize, Tile, TileAt)) {
        let (start, first, last) = self.cells_over(at);
        #[allow(clippy::cast_possible_truncation)] // sides of tiles are below 2^21
        let side_px = self.side.map(|side| side as i32);
        let mut chunk = |chunk_at: Cell, chunk: &Chunk| {
            for (cell, tile) in tiles_within(chunk_at, chunk, first, last) {
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
        // Always in one order, as the last tile in a cell decides its friction and name.
        let corner = |cell: [i64; 2]| {
            let [x, y] = cell.map(|c| c.div_euclid(i64::from(CHUNK)).clamp(i32::MIN.into(), i32::MAX.into()));
            [i32::try_from(x).unwrap_or_default(), i32::try_from(y).unwrap_or_default()]
        };
        tiles.chunks_between(corner(first), corner(last)).for_each(|(at, found)| chunk(at, found));
    }
}

/// The tiles of a chunk, with the cells that they are on.
fn tiles_of(at: Cell, chunk: &Chunk) -> impl Iterator<Item = ([i64; 2], Tile)> {
    tiles_within(at, chunk, [i64::MIN; 2], [i64::MAX; 2])
}

/// The tiles of a chunk on the cells of a rectangle, first to last.
fn tiles_within(at: Cell, chunk: &Chunk, first: [i64; 2], last: [i64; 2]) -> impl Iterator<Item = ([i64; 2], Tile)> {
    let start = at.map(|c| i64::from(c) * i64::from(CHUNK));
    let range = |i: usize| first[i].max(start[i])..=last[i].min(start[i] + i64::from(CHUNK) - 1);
    let (xs, ys) = (range(0), range(1));
    let cells = ys.flat_map(move |y| xs.clone().map(move |x| [x, y]));
    let tile = move |cell: [i64; 2]| {
        let i = (cell[1] - start[1]) * i64::from(CHUNK) + cell[0] - start[0];
        usize::try_from(i).map_or(Tile::EMPTY, |i| chunk.get(i))
    };
    cells.map(move |cell| (cell, tile(cell))).filter(|(_, tile)| !tile.is_empty())
}
