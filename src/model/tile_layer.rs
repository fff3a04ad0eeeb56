//! Tiles of a layer, in chunks of 32×32 cells and regions of 16×16 chunks that levels share by `Arc`: a stroke copies
//! the chunks it touches and the lists of their regions, however large the level is. What a tile looks like or costs is
//! its tileset's business.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{
    CHUNK, Cell, CellSet, CellTransform, Chunk, REGION, Tile,
    cell_set::{ALL, Part, Rows},
    chunk_of, region_of,
    tile::EVERYWHERE,
};

/// Cells of a chunk.
const CELLS: usize = (CHUNK * CHUNK) as usize;

/// The chunks of a region: column by column, as chunks are ordered everywhere. A stroke copies the columns it touches,
/// for copying one visits the memory of every chunk in it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Region([Arc<Column>; REGION as usize]);

type Column = [Option<Arc<Chunk>>; REGION as usize];

impl Default for Region {
    fn default() -> Self {
        let empty = Arc::new(Column::default());
        Self(std::array::from_fn(|_| Arc::clone(&empty)))
    }
}

impl Region {
    /// The same chunk everywhere.
    fn of(chunk: Arc<Chunk>) -> Self {
        let column = Arc::new(std::array::from_fn(|_| Some(Arc::clone(&chunk))));
        Self(std::array::from_fn(|_| Arc::clone(&column)))
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|column| column.iter().all(Option::is_none))
    }

    /// The chunks of a column, in a range of rows, by their rows in the region.
    fn column(&self, x: i32, rows: RangeInclusive<i32>) -> impl DoubleEndedIterator<Item = (i32, &Arc<Chunk>)> {
        rows.filter_map(move |y| Some((y, self.get([x, y])?)))
    }

    fn get(&self, chunk: Cell) -> Option<&Arc<Chunk>> {
        let [x, y] = indices_of(chunk);
        self.0.get(x)?.get(y)?.as_ref()
    }

    fn get_mut(&mut self, chunk: Cell) -> Option<&mut Option<Arc<Chunk>>> {
        let [x, y] = indices_of(chunk);
        Arc::make_mut(self.0.get_mut(x)?).get_mut(y)
    }

    fn shares_column(&self, other: &Self, x: i32) -> bool {
        let [x, _] = indices_of([x, 0]);
        self.0.get(x).zip(other.0.get(x)).is_some_and(|(a, b)| Arc::ptr_eq(a, b))
    }

    fn len(&self) -> usize {
        self.0.iter().map(|column| column.iter().flatten().count()).sum()
    }
}

/// A chunk, by its coordinates, that is not one and the same in two layers: what it is in the one and in the other.
pub type ChunkPair<'a> = (Cell, Option<&'a Arc<Chunk>>, Option<&'a Arc<Chunk>>);

/// The chunks of a layer by chunk coordinates.
///
/// Invariant: no chunk and no region is empty, so two layers with the same tiles are equal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tiles {
    regions: BTreeMap<Cell, Arc<Region>>,
}

/// The column and row of a chunk in its region.
fn indices_of(chunk: Cell) -> [usize; 2] {
    chunk.map(|c| usize::try_from(c.rem_euclid(REGION)).unwrap_or(0))
}

impl Tiles {
    /// The tile at a cell; empty where no chunk is.
    #[must_use]
    pub fn get(&self, cell: Cell) -> Tile {
        let (chunk, at) = chunk_of(cell);
        self.chunk(chunk).map_or(Tile::EMPTY, |chunk| chunk.get(at))
    }

    /// Put a tile at a cell. Returns whether that changed anything; nothing is copied when it does not.
    pub fn set(&mut self, cell: Cell, tile: Tile) -> bool {
        let is_other = self.get(cell) != tile;
        if is_other {
            self.paint([(cell, tile)]);
        }
        is_other
    }

    /// Put many tiles. As [`Tiles::set`] one by one, but a run of cells in one chunk finds the chunk once.
    pub fn paint(&mut self, cells: impl IntoIterator<Item = (Cell, Tile)>) {
        let mut cells = cells.into_iter().peekable();
        while let Some(&(cell, tile)) = cells.peek() {
            let (key, at) = chunk_of(cell);
            let was = self.chunk(key).map_or(Tile::EMPTY, |chunk| chunk.get(at));
            if was == tile {
                cells.next();
                continue;
            }
            let region = Arc::make_mut(self.regions.entry(region_of(key)).or_default());
            let Some(slot) = region.get_mut(key) else { return };
            let chunk = Arc::make_mut(slot.get_or_insert_default());
            let mut may_be_empty = false;
            while let Some((cell, tile)) = cells.next_if(|(cell, _)| chunk_of(*cell).0 == key) {
                chunk.set(chunk_of(cell).1, tile);
                may_be_empty |= tile.is_empty();
            }
            if may_be_empty && chunk.is_empty() {
                self.put(key, None);
            }
        }
    }

    /// Put one tile on each cell of a set. Chunks that are of it as a whole are one chunk, which they share.
    pub fn fill(&mut self, cells: &CellSet, tile: Tile) {
        let whole = (!tile.is_empty()).then(|| Arc::new(Chunk::from(&[tile; CELLS])));
        let region = whole.clone().map(|chunk| Arc::new(Region::of(chunk)));
        for part in cells.parts() {
            let (at, rows) = match part {
                Part::Region(at) => {
                    self.put_region(at, region.clone());
                    continue;
                }
                Part::Block(at, &ALL) => {
                    self.put(at, whole.clone());
                    continue;
                }
                Part::Block(at, rows) => (at, rows),
            };
            let [left, top] = at.map(|at| at * CHUNK);
            let row = |(y, row): (i32, &u32)| {
                let row = *row;
                (0..CHUNK).filter(move |x| row & (1 << x) != 0).map(move |x| ([left + x, top + y], tile))
            };
            self.paint((0..CHUNK).zip(rows).flat_map(row));
        }
    }

    /// The tiles on cells of a set. Chunks that are of it as a whole are shared.
    #[must_use]
    pub fn within(&self, cells: &CellSet) -> Self {
        let mut out = Self::default();
        for part in cells.parts() {
            match part {
                Part::Region(at) => out.share_region(at, self),
                Part::Block(at, &ALL) => out.put(at, self.chunk(at).cloned()),
                Part::Block(at, rows) => {
                    if let Some(chunk) = self.chunk(at) {
                        out.set_chunk(at, masked(chunk, rows));
                    }
                }
            }
        }
        out
    }

    /// The tiles elsewhere: turned, mirrored and moved, and each turned and mirrored itself where `has_flips`. Chunks
    /// that are only moved by whole chunks are shared.
    #[must_use]
    pub fn transformed(&self, to: &CellTransform, has_flips: bool) -> Self {
        let turn = CellTransform { by: [0, 0], ..*to };
        if turn == CellTransform::default() {
            return self.moved(to.by, EVERYWHERE);
        }
        let mut turned = Self::default();
        for (at, chunk) in self.chunks() {
            let mut tiles = [Tile::EMPTY; CELLS];
            for ([x, y], tile) in (0..CHUNK).flat_map(|y| (0..CHUNK).map(move |x| [x, y])).zip(chunk.to_tiles()) {
                tiles[chunk_of(turn.cell([x, y])).1] = if has_flips { turn.tile(tile) } else { tile };
            }
            turned.set_chunk(turn.cell(at), Chunk::from(&tiles));
        }
        turned.moved(to.by, EVERYWHERE)
    }

    /// A whole chunk, if it has tiles.
    #[must_use]
    pub fn chunk(&self, at: Cell) -> Option<&Arc<Chunk>> {
        self.regions.get(&region_of(at))?.get(at)
    }

    /// Replace a whole chunk; an empty one is taken away.
    pub fn set_chunk(&mut self, at: Cell, chunk: Chunk) {
        self.share_chunk(at, Arc::new(chunk));
    }

    /// Replace a whole chunk by one that is held elsewhere too; an empty one is taken away.
    pub fn share_chunk(&mut self, at: Cell, chunk: Arc<Chunk>) {
        self.put(at, (!chunk.is_empty()).then_some(chunk));
    }

    fn put(&mut self, at: Cell, chunk: Option<Arc<Chunk>>) {
        let key = region_of(at);
        if chunk.is_none() && self.chunk(at).is_none() {
            return;
        }
        let region = Arc::make_mut(self.regions.entry(key).or_default());
        if let Some(slot) = region.get_mut(at) {
            *slot = chunk;
        }
        if region.is_empty() {
            self.regions.remove(&key);
        }
    }

    /// The tiles of one region, which are shared with these.
    #[must_use]
    pub fn region(&self, at: Cell) -> Self {
        Self { regions: self.regions.get(&at).map(|region| (at, Arc::clone(region))).into_iter().collect() }
    }

    /// The regions that have tiles.
    pub fn regions(&self) -> impl Iterator<Item = Cell> {
        self.regions.keys().copied()
    }

    /// Whether there are tiles in a region.
    pub(super) fn has_region(&self, at: Cell) -> bool {
        self.regions.contains_key(&at)
    }

    /// Whether a region is one and the same in both, or has tiles in neither. Nothing is compared.
    #[must_use]
    pub fn shares_region(&self, other: &Self, at: Cell) -> bool {
        match (self.regions.get(&at), other.regions.get(&at)) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        }
    }

    /// The regions in a rectangle of region coordinates, both corners included, that are not one and the same in both.
    #[must_use]
    pub fn unshared_regions(&self, other: &Self, [x0, y0]: Cell, [x1, y1]: Cell) -> Vec<Cell> {
        let between = |tiles: &Self| -> BTreeSet<Cell> {
            let columns = tiles.regions.range([x0, i32::MIN]..=[x1, i32::MAX]);
            columns.map(|(at, _)| *at).filter(|at| (y0..=y1).contains(&at[1])).collect()
        };
        between(self).union(&between(other)).filter(|at| !self.shares_region(other, **at)).copied().collect()
    }

    /// Put a region of other tiles, shared with them, in place of what is there.
    pub fn share_region(&mut self, at: Cell, other: &Self) {
        self.put_region(at, other.regions.get(&at).cloned());
    }

    fn put_region(&mut self, at: Cell, region: Option<Arc<Region>>) {
        match region {
            Some(region) => _ = self.regions.insert(at, region),
            None => _ = self.regions.remove(&at),
        }
    }

    /// Every chunk with its coordinates, by column then row.
    pub fn chunks(&self) -> impl Iterator<Item = (Cell, &Arc<Chunk>)> {
        self.chunks_between([i32::MIN; 2], [i32::MAX; 2])
    }

    /// The chunks in a rectangle of chunk coordinates, both corners included, by column then row.
    pub fn chunks_between(&self, [x0, y0]: Cell, [x1, y1]: Cell) -> impl Iterator<Item = (Cell, &Arc<Chunk>)> {
        let (first, last) = (region_of([x0, y0]), region_of([x1, y1]));
        let mut columns: Vec<i32> = Vec::new();
        let mut at = first[0];
        // A column of regions after the other, as there may be few and far between.
        while let Some(&[x, _]) =
            self.regions.range([at, i32::MIN]..).next().map(|(at, _)| at).filter(|at| at[0] <= last[0])
        {
            columns.push(x);
            let Some(next) = x.checked_add(1) else { break };
            at = next;
        }
        let rows = first[1]..=last[1].max(first[1]);
        columns.into_iter().flat_map(move |region_x| {
            let rows = rows.clone();
            let left = region_x * REGION;
            (x0.max(left)..=x1.min(left + REGION - 1)).flat_map(move |x| {
                self.regions.range([region_x, *rows.start()]..=[region_x, *rows.end()]).flat_map(
                    move |([_, y], region)| {
                        let top = y * REGION;
                        let shown = y0.max(top) - top..=y1.min(top + REGION - 1) - top;
                        region.column(x - left, shown).map(move |(y, chunk)| ([x, top + y], chunk))
                    },
                )
            })
        })
    }

    /// The chunks that are not shared with other tiles, by coordinates: what each is here and there. What two layers
    /// share is not looked at. Chunks of a region are together.
    pub fn unshared<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = ChunkPair<'a>> {
        let only_there = other.regions.iter().filter(|(at, _)| !self.regions.contains_key(*at));
        let here = self.regions.iter().map(|(at, region)| (*at, Some(region), other.regions.get(at)));
        let pairs = here.chain(only_there.map(|(at, region)| (*at, None, Some(region))));
        let others = pairs.filter(|(_, a, b)| !a.zip(*b).is_some_and(|(a, b)| Arc::ptr_eq(a, b)));
        others.flat_map(|([x, y], a, b)| {
            let is_other = move |x: &i32| !a.zip(b).is_some_and(|(a, b)| a.shares_column(b, *x));
            let cells = (0..REGION).filter(is_other).flat_map(|x| (0..REGION).map(move |y| [x, y]));
            cells.filter_map(move |[in_x, in_y]| {
                let chunk = |region: Option<&'a Arc<Region>>| region?.get([in_x, in_y]);
                let is_one = match (chunk(a), chunk(b)) {
                    (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                    (a, b) => a.is_none() && b.is_none(),
                };
                (!is_one).then(|| ([x * REGION + in_x, y * REGION + in_y], chunk(a), chunk(b)))
            })
        })
    }

    /// The number of chunks.
    #[must_use]
    pub fn n_chunks(&self) -> usize {
        self.regions.values().map(|region| region.len()).sum()
    }

    /// Every tile that is not empty, with its cell.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, Tile)> {
        self.chunks().flat_map(|(at, chunk)| used(at, chunk))
    }

    /// The smallest and largest column and row that have tiles, inclusive; `None` when there are none. Only chunks at
    /// the border of the others are looked into.
    #[must_use]
    pub fn used_bounds(&self) -> Option<(Cell, Cell)> {
        let (lo, hi) = self.bounds()?;
        let (lo, hi) = (chunk_of(lo).0, chunk_of(hi).0);
        let sides = [(lo, [lo[0], hi[1]]), ([hi[0], lo[1]], hi), (lo, [hi[0], lo[1]]), ([lo[0], hi[1]], hi)];
        let at_border = sides.into_iter().flat_map(|(lo, hi)| self.chunks_between(lo, hi));
        around(at_border.flat_map(|(at, chunk)| used(at, chunk)).map(|(cell, _)| (cell, cell)))
    }

    /// The smallest and largest cell that hold the chunks, inclusive; `None` when there are no tiles.
    #[must_use]
    pub fn bounds(&self) -> Option<(Cell, Cell)> {
        // Only regions at the border of the others are looked into.
        let (lo, hi) = around(self.regions().map(|at| (at, at)))?;
        let at_border = self.regions().filter(|at| (0..2).any(|i| at[i] == lo[i] || at[i] == hi[i]));
        let chunks = at_border.flat_map(|at| {
            let first = at.map(|c| c * REGION);
            self.chunks_between(first, first.map(|c| c + REGION - 1)).map(|(at, _)| at)
        });
        around(chunks.map(|at| (at.map(|c| c * CHUNK), at.map(|c| c * CHUNK + CHUNK - 1))))
    }
}

/// A chunk without the tiles that are on other cells than those of a block.
fn masked(chunk: &Chunk, rows: &Rows) -> Chunk {
    let mut tiles = chunk.to_tiles();
    for (row, bits) in tiles.chunks_exact_mut(rows.len()).zip(rows) {
        (0..).zip(row).filter(|(x, _)| bits & 1_u32 << x == 0).for_each(|(_, tile)| *tile = Tile::EMPTY);
    }
    Chunk::from(&tiles)
}

/// The tiles of a chunk that are not empty, with their cells.
fn used([cx, cy]: Cell, chunk: &Chunk) -> impl Iterator<Item = (Cell, Tile)> {
    let cells = (0..).zip(chunk.tiles()).filter(|(_, tile)| !tile.is_empty());
    cells.map(move |(i, tile)| ([cx * CHUNK + i % CHUNK, cy * CHUNK + i / CHUNK], tile))
}

/// The rectangle around others.
fn around(rects: impl Iterator<Item = (Cell, Cell)>) -> Option<(Cell, Cell)> {
    rects.reduce(|(a, b), (c, d)| ([a[0].min(c[0]), a[1].min(c[1])], [b[0].max(d[0]), b[1].max(d[1])]))
}

/// How tiles are written by serde: the chunks by their coordinates.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Tiles")]
struct Listed {
    chunks: BTreeMap<Cell, Arc<Chunk>>,
}

impl Serialize for Tiles {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Listed { chunks: self.chunks().map(|(at, chunk)| (at, Arc::clone(chunk))).collect() }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Tiles {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut tiles = Self::default();
        for (at, chunk) in Listed::deserialize(deserializer)?.chunks {
            tiles.share_chunk(at, chunk);
        }
        Ok(tiles)
    }
}
