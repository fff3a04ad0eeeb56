//! Tiles of a layer, in chunks of 32×32 that levels share by `Arc`: a stroke copies the chunks it touches and no more.
//! What a tile looks like or costs is its tileset's business.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

/// Cells along one side of a chunk.
pub const CHUNK: i32 = 32;

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

    /// As one number: 0 for no tile, else its id plus one in the lower 29 bits and above them the diagonal, vertical and horizontal
    /// flip.
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

/// 32×32 tiles, row by row.
#[derive(Clone, PartialEq, Eq)]
pub struct Chunk(pub Box<[Tile; 1024]>);

impl Default for Chunk {
    fn default() -> Self {
        Self(Box::new([Tile::EMPTY; 1024]))
    }
}

impl std::fmt::Debug for Chunk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Chunk({} tiles)", self.0.iter().filter(|tile| !tile.is_empty()).count())
    }
}

impl Chunk {
    /// Whether every cell is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|tile| tile.is_empty())
    }

    /// The rows from the top, 32 tiles each.
    pub fn rows(&self) -> impl Iterator<Item = &[Tile]> {
        self.0.chunks_exact(32)
    }
}

impl Serialize for Chunk {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Chunk {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tiles = Vec::<Tile>::deserialize(deserializer)?;
        let tiles: Box<[Tile; 1024]> =
            tiles.try_into().map_err(|_| serde::de::Error::custom("a chunk has 1024 tiles"))?;
        Ok(Self(tiles))
    }
}

/// The chunks of a layer by chunk coordinates.
///
/// Invariant: no chunk is empty, so two layers with the same tiles are equal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tiles {
    chunks: BTreeMap<Cell, Arc<Chunk>>,
}

/// The chunk that holds a cell, and the index within it.
#[must_use]
pub fn chunk_of(cell: Cell) -> (Cell, usize) {
    let [x, y] = cell;
    let inside = y.rem_euclid(CHUNK) * CHUNK + x.rem_euclid(CHUNK);
    ([x.div_euclid(CHUNK), y.div_euclid(CHUNK)], usize::try_from(inside).unwrap_or(0))
}

impl Tiles {
    /// The tile at a cell; empty where no chunk is.
    #[must_use]
    pub fn get(&self, cell: Cell) -> Tile {
        let (chunk, at) = chunk_of(cell);
        self.chunks.get(&chunk).map_or(Tile::EMPTY, |chunk| chunk.0[at])
    }

    /// Put a tile at a cell. Returns whether that changed anything; nothing is copied when it does not.
    pub fn set(&mut self, cell: Cell, tile: Tile) -> bool {
        let (key, at) = chunk_of(cell);
        if self.get(cell) == tile {
            return false;
        }
        let chunk = Arc::make_mut(self.chunks.entry(key).or_default());
        chunk.0[at] = tile;
        if tile.is_empty() && chunk.is_empty() {
            self.chunks.remove(&key);
        }
        true
    }

    /// Put many tiles. As [`Tiles::set`] one by one, but a run of cells in one chunk finds the chunk once.
    pub fn paint(&mut self, cells: impl IntoIterator<Item = (Cell, Tile)>) {
        let mut cells = cells.into_iter().peekable();
        while let Some(&(cell, _)) = cells.peek() {
            let (key, _) = chunk_of(cell);
            // Taken out of the map while it is painted on, so that a chunk with no other reference is not copied.
            let mut chunk = self.chunks.remove(&key);
            while let Some((cell, tile)) = cells.next_if(|(cell, _)| chunk_of(*cell).0 == key) {
                let (_, at) = chunk_of(cell);
                if chunk.as_ref().map_or(Tile::EMPTY, |chunk| chunk.0[at]) != tile {
                    Arc::make_mut(chunk.get_or_insert_default()).0[at] = tile;
                }
            }
            if let Some(chunk) = chunk.filter(|chunk| !chunk.is_empty()) {
                self.chunks.insert(key, chunk);
            }
        }
    }

    /// A whole chunk, if it has tiles.
    #[must_use]
    pub fn chunk(&self, at: Cell) -> Option<&Arc<Chunk>> {
        self.chunks.get(&at)
    }

    /// Replace a whole chunk; an empty one is taken away.
    pub fn set_chunk(&mut self, at: Cell, chunk: Chunk) {
        if chunk.is_empty() {
            self.chunks.remove(&at);
        } else {
            self.chunks.insert(at, Arc::new(chunk));
        }
    }

    /// Replace a whole chunk by one that is held elsewhere too; an empty one is taken away.
    pub fn share_chunk(&mut self, at: Cell, chunk: Arc<Chunk>) {
        if chunk.is_empty() {
            self.chunks.remove(&at);
        } else {
            self.chunks.insert(at, chunk);
        }
    }

    /// Every chunk with its coordinates, by column then row.
    pub fn chunks(&self) -> impl Iterator<Item = (Cell, &Arc<Chunk>)> {
        self.chunks.iter().map(|(at, chunk)| (*at, chunk))
    }

    /// The chunks in a rectangle of chunk coordinates, both corners included, by column then row.
    pub fn chunks_between(&self, [x0, y0]: Cell, [x1, y1]: Cell) -> impl Iterator<Item = (Cell, &Arc<Chunk>)> {
        let first = self.chunks.keys().next().map_or(x1, |at| at[0]);
        let last = self.chunks.keys().next_back().map_or(x0, |at| at[0]);
        let rows = y0..=y1.max(y0);
        (x0.max(first)..=x1.min(last))
            .flat_map(move |x| self.chunks.range([x, *rows.start()]..=[x, *rows.end()]))
            .map(|(at, chunk)| (*at, chunk))
    }

    /// Every tile that is not empty, with its cell.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Tile)> {
        self.chunks.iter().flat_map(|([cx, cy], chunk)| {
            (0..)
                .zip(chunk.0.iter())
                .filter(|(_, tile)| !tile.is_empty())
                .map(move |(i, tile)| ([cx * CHUNK + i % CHUNK, cy * CHUNK + i / CHUNK], *tile))
        })
    }

    /// The smallest and largest column and row that have tiles, inclusive; `None` when there are none. Only chunks at the border of
    /// the others are looked into.
    #[must_use]
    pub fn used_bounds(&self) -> Option<(Cell, Cell)> {
        let (lo, hi) = self.bounds()?;
        let (first, last) = (chunk_of(lo).0, chunk_of(hi).0);
        let at_border = self.chunks.iter().filter(|(at, _)| (0..2).any(|i| at[i] == first[i] || at[i] == last[i]));
        let cells = at_border.flat_map(|([cx, cy], chunk)| {
            let used = (0..).zip(chunk.0.iter()).filter(|(_, tile)| !tile.is_empty());
            used.map(move |(i, _)| [cx * CHUNK + i % CHUNK, cy * CHUNK + i / CHUNK])
        });
        cells
            .map(|cell| (cell, cell))
            .reduce(|(a, b), (c, d)| ([a[0].min(c[0]), a[1].min(c[1])], [b[0].max(d[0]), b[1].max(d[1])]))
    }

    /// The smallest and largest cell that hold the chunks, inclusive; `None` when there are no tiles.
    #[must_use]
    pub fn bounds(&self) -> Option<(Cell, Cell)> {
        self.chunks.keys().fold(None, |bounds: Option<(Cell, Cell)>, &[cx, cy]| {
            let (lo, hi) = ([cx * CHUNK, cy * CHUNK], [cx * CHUNK + CHUNK - 1, cy * CHUNK + CHUNK - 1]);
            Some(
                bounds.map_or((lo, hi), |(a, b)| {
                    ([a[0].min(lo[0]), a[1].min(lo[1])], [b[0].max(hi[0]), b[1].max(hi[1])])
                }),
            )
        })
    }
}
