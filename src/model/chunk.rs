//! A chunk of tiles, kept small: cells hold indices into the few tiles a chunk shows. Levels of many millions of cells
//! are held in memory as chunks.

use serde::{Deserialize, Serialize};

use super::{CHUNK, Tile};

const SIDE: usize = CHUNK as usize;
const CELLS: usize = SIDE * SIDE;

/// 32×32 tiles, row by row.
#[derive(Clone)]
pub struct Chunk {
    /// The tiles that cells may show, none twice; the first is [`Tile::EMPTY`]. Empty where cells are [`Cells::Plain`].
    palette: Vec<Tile>,
    cells: Cells,
}

/// The cells of a chunk.
#[derive(Clone)]
enum Cells {
    /// Indices into at most 16 tiles; of two neighbors the left one is in the lower half of the byte.
    Halves(Box<[u8; CELLS / 2]>),
    /// Indices into at most 256 tiles.
    Bytes(Box<[u8; CELLS]>),
    /// The tiles themselves.
    Plain(Box<[Tile; CELLS]>),
}

impl Default for Chunk {
    fn default() -> Self {
        Self { palette: vec![Tile::EMPTY], cells: Cells::Halves(Box::new([0; CELLS / 2])) }
    }
}

impl std::fmt::Debug for Chunk {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Chunk({} tiles)", self.n_tiles())
    }
}

impl PartialEq for Chunk {
    fn eq(&self, other: &Self) -> bool {
        match (&self.cells, &other.cells) {
            (Cells::Halves(a), Cells::Halves(b)) if self.palette == other.palette => a == b,
            (Cells::Bytes(a), Cells::Bytes(b)) if self.palette == other.palette => a == b,
            _ => self.tiles().eq(other.tiles()),
        }
    }
}

impl Eq for Chunk {}

impl From<&[Tile; CELLS]> for Chunk {
    fn from(tiles: &[Tile; CELLS]) -> Self {
        let Some((palette, indices)) = indexed(tiles) else {
            return Self { palette: Vec::new(), cells: Cells::Plain(Box::new(*tiles)) };
        };
        if palette.len() > 16 {
            return Self { palette, cells: Cells::Bytes(Box::new(indices)) };
        }
        let mut halves = Box::new([0; CELLS / 2]);
        for (out, pair) in halves.iter_mut().zip(indices.chunks_exact(2)) {
            *out = pair[0] | pair[1] << 4;
        }
        Self { palette, cells: Cells::Halves(halves) }
    }
}

/// The tiles there are, and for each cell the index of its own; `None` where there are more than 256.
fn indexed(tiles: &[Tile; CELLS]) -> Option<(Vec<Tile>, [u8; CELLS])> {
    const SLOTS: usize = 1024;
    let mut palette = vec![Tile::EMPTY];
    let mut indices = [0; CELLS];
    // For the hash of a tile one more than its index, in the first slot that is free.
    let mut slots = [0_u16; SLOTS];
    let (mut last, mut index) = (Tile::EMPTY, 0);
    for (tile, out) in tiles.iter().zip(&mut indices) {
        if *tile != last {
            let mut slot = tile.bits().wrapping_mul(0x9E37_79B1) as usize >> 22;
            index = loop {
                match slots.get(slot).copied().unwrap_or(0) {
                    0 => {
                        let new = if tile.is_empty() { 0 } else { u8::try_from(palette.len()).ok()? };
                        if !tile.is_empty() {
                            palette.push(*tile);
                        }
                        slots[slot] = u16::from(new) + 1;
                        break new;
                    }
                    known if palette.get(usize::from(known - 1)) == Some(tile) => {
                        break u8::try_from(known - 1).unwrap_or(0);
                    }
                    _ => slot = (slot + 1) % SLOTS,
                }
            };
            last = *tile;
        }
        *out = index;
    }
    Some((palette, indices))
}

impl Chunk {
    /// The tile at an index, row by row; empty beyond the last.
    #[must_use]
    pub fn get(&self, at: usize) -> Tile {
        let index = match &self.cells {
            Cells::Plain(tiles) => return tiles.get(at).copied().unwrap_or_default(),
            Cells::Bytes(bytes) => bytes.get(at).copied().unwrap_or(0),
            Cells::Halves(halves) => halves.get(at / 2).map_or(0, |pair| pair >> (at % 2 * 4) & 15),
        };
        self.palette.get(usize::from(index)).copied().unwrap_or_default()
    }

    /// Put a tile at an index, row by row; nothing beyond the last.
    pub fn set(&mut self, at: usize, tile: Tile) {
        if let Cells::Plain(tiles) = &mut self.cells {
            if let Some(out) = tiles.get_mut(at) {
                *out = tile;
            }
            return;
        }
        let index = self.palette.iter().position(|it| *it == tile).unwrap_or(self.palette.len());
        match &mut self.cells {
            Cells::Halves(halves) if index < 16 => {
                if let (Some(pair), Ok(index)) = (halves.get_mut(at / 2), u8::try_from(index)) {
                    let shift = at % 2 * 4;
                    *pair = *pair & !(15 << shift) | index << shift;
                }
            }
            Cells::Bytes(bytes) if index < 256 => {
                if let (Some(out), Ok(index)) = (bytes.get_mut(at), u8::try_from(index)) {
                    *out = index;
                }
            }
            // Tiles that are shown no more give their places to others.
            _ => {
                let mut tiles = self.to_tiles();
                if let Some(out) = tiles.get_mut(at) {
                    *out = tile;
                }
                *self = Self::from(&tiles);
                return;
            }
        }
        if index == self.palette.len() {
            self.palette.push(tile);
        }
    }

    /// Every tile it shows, mostly once; perhaps some that it showed before.
    pub fn kinds(&self) -> impl Iterator<Item = Tile> {
        let plain = if let Cells::Plain(tiles) = &self.cells { &tiles[..] } else { &[] };
        self.palette.iter().chain(plain).copied()
    }

    /// How many cells show each tile. A tile comes once, or once for each of its cells.
    #[must_use]
    pub fn counts(&self) -> Vec<(Tile, u64)> {
        let mut counts = [0_u64; 256];
        match &self.cells {
            Cells::Plain(tiles) => return tiles.iter().map(|tile| (*tile, 1)).collect(),
            Cells::Bytes(bytes) => bytes.iter().for_each(|index| counts[usize::from(*index)] += 1),
            Cells::Halves(halves) => {
                let mut pairs = [0_u64; 256];
                halves.iter().for_each(|pair| pairs[usize::from(*pair)] += 1);
                for (pair, n) in pairs.into_iter().enumerate() {
                    counts[pair & 15] += n;
                    counts[pair >> 4] += n;
                }
            }
        }
        self.palette.iter().copied().zip(counts).filter(|(_, n)| *n > 0).collect()
    }

    /// How many cells are not empty.
    #[must_use]
    pub fn n_tiles(&self) -> usize {
        match &self.cells {
            Cells::Halves(halves) => {
                const ONES: u64 = 0x1111_1111_1111_1111;
                // A bit of each index that is not 0, 16 of them at once.
                let used = |of: u64| ((of | of >> 1 | of >> 2 | of >> 3) & ONES).count_ones() as usize;
                halves.as_chunks::<8>().0.iter().map(|bytes| used(u64::from_le_bytes(*bytes))).sum()
            }
            Cells::Bytes(bytes) => bytes.iter().filter(|index| **index != 0).count(),
            Cells::Plain(tiles) => tiles.iter().filter(|tile| !tile.is_empty()).count(),
        }
    }

    /// The tiles, row by row.
    pub fn tiles(&self) -> impl Iterator<Item = Tile> {
        (0..CELLS).map(|at| self.get(at))
    }

    /// The tiles, row by row.
    #[must_use]
    pub fn to_tiles(&self) -> [Tile; CELLS] {
        let mut out = [Tile::EMPTY; CELLS];
        let tile = |index: u8| self.palette.get(usize::from(index)).copied().unwrap_or_default();
        match &self.cells {
            Cells::Plain(tiles) => out = **tiles,
            Cells::Bytes(bytes) => out.iter_mut().zip(bytes.iter()).for_each(|(out, index)| *out = tile(*index)),
            Cells::Halves(halves) => {
                for (out, pair) in out.chunks_exact_mut(2).zip(halves.iter()) {
                    (out[0], out[1]) = (tile(pair & 15), tile(pair >> 4));
                }
            }
        }
        out
    }

    /// What something is for each cell that depends on its tile alone, row by row: it is worked out once for many cells
    /// that show the same tile.
    pub fn map<T: Copy + Default>(&self, mut of: impl FnMut(Tile) -> T) -> [T; CELLS] {
        let mut out = [T::default(); CELLS];
        // Only what is shown is asked for: the palette may have tiles that were shown before.
        let mut known = [None; 256];
        let mut of_index = |index: u8| {
            let tile = || self.palette.get(usize::from(index)).copied().unwrap_or_default();
            *known[usize::from(index)].get_or_insert_with(|| of(tile()))
        };
        match &self.cells {
            Cells::Bytes(bytes) => out.iter_mut().zip(bytes.iter()).for_each(|(out, index)| *out = of_index(*index)),
            Cells::Halves(halves) => {
                for (out, pair) in out.chunks_exact_mut(2).zip(halves.iter()) {
                    (out[0], out[1]) = (of_index(pair & 15), of_index(pair >> 4));
                }
            }
            Cells::Plain(tiles) => {
                let mut latest = None;
                for (out, tile) in out.iter_mut().zip(tiles.iter()) {
                    let (_, value) = latest.filter(|(of, _)| of == tile).unwrap_or_else(|| (*tile, of(*tile)));
                    (*out, latest) = (value, Some((*tile, value)));
                }
            }
        }
        out
    }

    /// Whether every cell is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match &self.cells {
            // No other tile than the first is empty.
            Cells::Halves(halves) => **halves == [0; CELLS / 2],
            Cells::Bytes(bytes) => **bytes == [0; CELLS],
            Cells::Plain(tiles) => tiles.iter().all(|tile| tile.is_empty()),
        }
    }

    /// The rows from the top, 32 tiles each.
    pub fn rows(&self) -> impl DoubleEndedIterator<Item = [Tile; SIDE]> + ExactSizeIterator {
        (0..SIDE).map(|y| std::array::from_fn(|x| self.get(y * SIDE + x)))
    }

    /// About how much memory it takes, in bytes.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        let cells = match &self.cells {
            Cells::Halves(_) => CELLS / 2,
            Cells::Bytes(_) => CELLS,
            Cells::Plain(_) => CELLS * size_of::<Tile>(),
        };
        size_of::<Self>() + cells + self.palette.capacity() * size_of::<Tile>()
    }
}

impl Serialize for Chunk {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_tiles().as_slice().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Chunk {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tiles = Vec::<Tile>::deserialize(deserializer)?;
        let tiles: &[Tile; CELLS] =
            tiles.as_slice().try_into().map_err(|_| serde::de::Error::custom("a chunk has 1024 tiles"))?;
        Ok(Self::from(tiles))
    }
}
