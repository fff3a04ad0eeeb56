//! A rectangle of tiles to paint with: picked from a level or a palette, turned and mirrored as one.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{CHUNK, Cell, Tile, Tiles, chunk_of};

/// Tiles in rows. An empty tile leaves what is under it.
///
/// Invariant: both sides are at least 1, and there are width × height tiles.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Raw", into = "Raw")]
pub struct Stamp {
    size: [u32; 2],
    /// Shared: it goes with every edit of a stroke.
    tiles: Arc<[Tile]>,
}

#[derive(Serialize, Deserialize)]
struct Raw {
    size: [u32; 2],
    tiles: Vec<Tile>,
}

/// A single empty tile, which paints nothing.
impl Default for Stamp {
    fn default() -> Self {
        Self::one(Tile::EMPTY)
    }
}

impl TryFrom<Raw> for Stamp {
    type Error = String;
    fn try_from(raw: Raw) -> Result<Self, String> {
        Self::new(raw.size, raw.tiles).ok_or_else(|| "a stamp has width × height tiles".to_owned())
    }
}

impl From<Stamp> for Raw {
    fn from(stamp: Stamp) -> Self {
        Self { size: stamp.size, tiles: stamp.tiles.to_vec() }
    }
}

impl Stamp {
    /// It has at most this many tiles, as 2048 × 2048 are.
    pub const MAX_TILES: u32 = 1 << 22;

    /// Rows of tiles, from the top; `None` when the number does not fit the size.
    #[must_use]
    pub fn new(size: [u32; 2], tiles: Vec<Tile>) -> Option<Self> {
        let n = u64::from(size[0]) * u64::from(size[1]);
        let fits = (1..=u64::from(Self::MAX_TILES)).contains(&n) && tiles.len() as u64 == n;
        fits.then(|| Self { size, tiles: tiles.into() })
    }

    /// A single tile.
    #[must_use]
    pub fn one(tile: Tile) -> Self {
        Self { size: [1, 1], tiles: [tile].into() }
    }

    /// The tiles of a layer between two corners, both included, cut to [`Stamp::MAX_TILES`].
    #[must_use]
    pub fn from_tiles(tiles: &Tiles, a: Cell, b: Cell) -> Self {
        let lo = [a[0].min(b[0]), a[1].min(b[1])];
        let side = |i: usize, most: u32| a[i].abs_diff(b[i]).saturating_add(1).min(most);
        let w = side(0, Self::MAX_TILES);
        let h = side(1, Self::MAX_TILES / w);
        let mut out = vec![Tile::EMPTY; w as usize * h as usize];
        let hi = [lo[0].saturating_add_unsigned(w - 1), lo[1].saturating_add_unsigned(h - 1)];
        let (first, last) = (chunk_of(lo).0, chunk_of(hi).0);
        for (at, chunk) in tiles.chunks_between(first, last) {
            for (row, y) in chunk.rows().zip(at[1].saturating_mul(CHUNK)..) {
                for (tile, x) in row.into_iter().zip(at[0].saturating_mul(CHUNK)..) {
                    if (lo[0]..=hi[0]).contains(&x) && (lo[1]..=hi[1]).contains(&y) {
                        out[y.abs_diff(lo[1]) as usize * w as usize + x.abs_diff(lo[0]) as usize] = tile;
                    }
                }
            }
        }
        Self { size: [w, h], tiles: out.into() }
    }

    /// Width and height in tiles.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The tile at a column and row, repeating beyond the sides.
    #[must_use]
    pub fn get(&self, [x, y]: Cell) -> Tile {
        let [w, h] = self.size.map(u32::cast_signed);
        let at = y.rem_euclid(h) * w + x.rem_euclid(w);
        usize::try_from(at).ok().and_then(|at| self.tiles.get(at)).copied().unwrap_or_default()
    }

    /// Every tile with its column and row.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Tile)> {
        let w = self.size[0].cast_signed();
        (0_i32..).zip(&*self.tiles).map(move |(i, tile)| ([i % w, i / w], *tile))
    }

    /// Whether all tiles are empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tiles.iter().all(|tile| tile.is_empty())
    }

    /// Mirrored left to right.
    #[must_use]
    pub fn flipped_x(&self) -> Self {
        let [w, _] = self.size.map(u32::cast_signed);
        self.remade(self.size, |[x, y]| self.get([w - 1 - x, y]).toggled('h'))
    }

    /// Mirrored top to bottom.
    #[must_use]
    pub fn flipped_y(&self) -> Self {
        let [_, h] = self.size.map(u32::cast_signed);
        self.remade(self.size, |[x, y]| self.get([x, h - 1 - y]).toggled('v'))
    }

    /// Turned a quarter clockwise.
    #[must_use]
    pub fn turned(&self) -> Self {
        let [w, h] = self.size;
        let rows = h.cast_signed();
        self.remade([h, w], |[x, y]| turned_tile(self.get([y, rows - 1 - x])))
    }

    fn remade(&self, size: [u32; 2], tile: impl Fn(Cell) -> Tile) -> Self {
        let [w, h] = size.map(u32::cast_signed);
        let cells = (0..h).flat_map(|y| (0..w).map(move |x| [x, y]));
        Self { size, tiles: cells.map(tile).collect() }
    }
}

/// A tile turned a quarter clockwise. A turn is the diagonal flip followed by the horizontal one, and the diagonal
/// flip exchanges the other two.
fn turned_tile(tile: Tile) -> Tile {
    match tile.id() {
        None => tile,
        Some(id) => Tile::new(id, !tile.flip_v(), tile.flip_h(), !tile.flip_d()),
    }
}
