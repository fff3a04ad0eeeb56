//! Tiles and cells: what a cell shows, its place, and the chunk and region that it lies in.

use serde::{Deserialize, Serialize};

/// Cells along one side of a chunk.
pub const CHUNK: i32 = 32;

/// Chunks along one side of a region.
pub const REGION: i32 = 16;

/// A place on the tile grid: column and row, row 0 at the top.
pub type Cell = [i32; 2];

/// A tile id with flips, or nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Tile(u32);

impl Tile {
    /// No tile.
    pub const EMPTY: Self = Self(0);
    const H: u32 = 1 << 31;
    const V: u32 = 1 << 30;
    const D: u32 = 1 << 29;
    /// The largest tile id.
    pub const MAX_ID: u32 = Self::D - 2;

    /// Tile `id` with flips: horizontal, vertical, and about the main (anti-) diagonal, which is applied first.
    #[must_use]
    pub fn new(id: u32, h: bool, v: bool, d: bool) -> Self {
        let flag = |on: bool, bit: u32| if on { bit } else { 0 };
        Self((id.min(Self::MAX_ID) + 1) | flag(h, Self::H) | flag(v, Self::V) | flag(d, Self::D))
    }

    /// Tile `id` as drawn.
    #[must_use]
    pub fn id_only(id: u32) -> Self {
        Self::new(id, false, false, false)
    }

    /// The tile's id in its tileset, or `None` when empty.
    #[must_use]
    pub fn id(self) -> Option<u32> {
        (self.0 & (Self::D - 1)).checked_sub(1)
    }

    /// Whether nothing is here.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Mirrored left to right.
    #[must_use]
    pub fn flip_h(self) -> bool {
        self.0 & Self::H != 0
    }

    /// Mirrored top to bottom.
    #[must_use]
    pub fn flip_v(self) -> bool {
        self.0 & Self::V != 0
    }

    /// Mirrored about the diagonal (x and y exchanged), before the other flips.
    #[must_use]
    pub fn flip_d(self) -> bool {
        self.0 & Self::D != 0
    }

    /// Another tile with the same flips.
    #[must_use]
    pub fn with_id(self, id: u32) -> Self {
        Self(self.0 & (Self::H | Self::V | Self::D) | (id.min(Self::MAX_ID) + 1))
    }

    /// As one number: 0 for no tile, else its id plus one in the lower 29 bits and above them the diagonal, vertical
    /// and horizontal flip.
    #[must_use]
    pub fn bits(self) -> u32 {
        self.0
    }

    /// The same with one flip toggled: `'h'`, `'v'` or `'d'`.
    #[must_use]
    pub fn toggled(self, flip: char) -> Self {
        match (self.is_empty(), flip) {
            (false, 'h') => Self(self.0 ^ Self::H),
            (false, 'v') => Self(self.0 ^ Self::V),
            (false, 'd') => Self(self.0 ^ Self::D),
            _ => self,
        }
    }
}

/// The rectangle that every cell is in.
pub(super) const EVERYWHERE: (Cell, Cell) = ([i32::MIN; 2], [i32::MAX; 2]);

/// The chunk that holds a cell, and the index within it.
#[must_use]
pub fn chunk_of(cell: Cell) -> (Cell, usize) {
    let [x, y] = cell;
    let inside = y.rem_euclid(CHUNK) * CHUNK + x.rem_euclid(CHUNK);
    ([x.div_euclid(CHUNK), y.div_euclid(CHUNK)], usize::try_from(inside).unwrap_or(0))
}

/// The region that holds a chunk.
#[must_use]
pub fn region_of(chunk: Cell) -> Cell {
    chunk.map(|c| c.div_euclid(REGION))
}
