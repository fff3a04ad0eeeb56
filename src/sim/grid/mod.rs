//! What of a level is solid, cell by cell: shape, friction, the cost of walking there. Physics, paths and sight all read
//! this one representation of the tiles.
//!
//! Invariant: the grid is a function of the level's colliding tile layers and their tilesets; [`SolidGrid::update`]
//! leaves it as [`SolidGrid::new`] would build it, up to the numbering of cell kinds. Everything solid in a cell lies
//! within the cell. Making bodies of it is `sim::physics`, searching it `sim::nav`.

mod kind;
mod ray;

pub use kind::{CellKind, Piece};
pub use ray::GridHit;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use glam::Vec2;

use crate::model::{CHUNK, Cell, Chunk, Layer, Level, Name, Tile, TileLayer, Tileset, chunk_of};

use kind::Palette;

/// Cells of one chunk.
const CELLS: usize = 1024;
/// The most chunks a lookup table is made for; levels spread wider are looked up in a tree.
const MAX_TABLE: i64 = 1 << 20;

/// 32×32 cells, with bits to pass over empty ones by the row.
#[derive(Clone, Debug)]
struct GridChunk {
    kinds: Box<[u32; CELLS]>,
    /// Per row, bit x: the whole cell is solid.
    full: [u32; 32],
    /// Per row, bit x: a part of the cell is solid from every side.
    part: [u32; 32],
}

/// The cells of a level.
#[derive(Clone, Debug)]
pub struct SolidGrid {
    tile_size: [u32; 2],
    size: Option<[u32; 2]>,
    corner_cutting: bool,
    lo: Cell,
    hi: Cell,
    /// Around the chunks: the first cell and one past the last.
    solid_box: Option<(Cell, Cell)>,
    palette: Palette,
    chunks: BTreeMap<Cell, Arc<GridChunk>>,
    table: Table,
    /// Those that collide, each with where it is in the level, in pixels.
    layers: Vec<(Arc<Layer>, [f64; 2])>,
    tilesets: BTreeMap<Name, Tileset>,
}

/// What [`SolidGrid::update`] did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GridChange {
    /// Everything is as it was.
    Nothing,
    /// These chunks, by chunk coordinates, were redone (some may be gone).
    Chunks(Vec<Cell>),
    /// The level's frame, its layers' settings or a tileset changed: everything was redone.
    All,
}

impl SolidGrid {
    /// The grid of a level, from its tile layers that collide. A layer whose tileset `tilesets` does not know is left
    /// out, as is a tile its tileset does not know.
    #[must_use]
    pub fn new<'a>(level: &Level, tilesets: impl Fn(&str) -> Option<&'a Tileset>) -> Self {
        let layers = colliding_in(level);
        let names: BTreeSet<&Name> = layers.iter().filter_map(|(layer, _)| Some(&colliding(layer)?.tileset)).collect();
        let tilesets: BTreeMap<Name, Tileset> =
            names.into_iter().filter_map(|name| Some((name.clone(), tilesets(name)?.clone()))).collect();
        let mut grid = Self {
            tile_size: level.tile_size.map(|side| side.max(1)),
            size: level.size,
            corner_cutting: level.corner_cutting,
            lo: [0, 0],
            hi: [0, 0],
            solid_box: None,
            palette: Palette::new(&tilesets, level.tile_size.map(|side| side.max(1))),
            chunks: BTreeMap::new(),
            table: Table::default(),
            layers,
            tilesets,
        };
        let mut targets = BTreeSet::new();
        for (layer, offset) in &grid.layers {
            let Some(tiles) = colliding(layer) else { continue };
            for part in parts(*offset, grid.tile_size) {
                tiles.tiles.chunks().filter(|(at, _)| usable(*at)).for_each(|(at, _)| targets.extend(part.targets(at)));
            }
        }
        for at in targets {
            grid.build_chunk(at);
        }
        grid.frame();
        grid
    }

    /// Follow a changed level, redoing only the chunks whose tiles changed.
    ///
    /// Costs a pointer comparison for each chunk of a changed layer, and the rebuilding of what changed.
    pub fn update<'a>(&mut self, level: &Level, tilesets: impl Fn(&str) -> Option<&'a Tileset>) -> GridChange {
        let layers = colliding_in(level);
        let same_set = |layer: &Arc<Layer>| {
            colliding(layer).is_none_or(|tiles| tilesets(&tiles.tileset) == self.tilesets.get(&tiles.tileset))
        };
        let same_frame = level.tile_size.map(|side| side.max(1)) == self.tile_size
            && level.size == self.size
            && level.corner_cutting == self.corner_cutting
            && layers.len() == self.layers.len()
            && layers.iter().zip(&self.layers).all(|((new, at), (old, was_at))| {
                at == was_at && colliding(new).map(|tiles| &tiles.tileset) == colliding(old).map(|tiles| &tiles.tileset)
            })
            && layers.iter().all(|(layer, _)| same_set(layer));
        if !same_frame {
            *self = Self::new(level, tilesets);
            return GridChange::All;
        }
        let old = std::mem::replace(&mut self.layers, layers);
        let mut targets = BTreeSet::new();
        for ((old, _), (new, offset)) in old.iter().zip(&self.layers) {
            if Arc::ptr_eq(old, new) {
                continue;
            }
            let (Some(before), Some(after)) = (colliding(old), colliding(new)) else { continue };
            let parts = parts(*offset, self.tile_size);
            for at in changed_chunks(before, after).into_iter().filter(|at| usable(*at)) {
                parts.iter().for_each(|part| targets.extend(part.targets(at)));
            }
        }
        if targets.is_empty() {
            return GridChange::Nothing;
        }
        let mut is_same_frame = true;
        for &at in &targets {
            let had = self.chunks.contains_key(&at);
            self.build_chunk(at);
            let chunk = self.chunks.get(&at);
            is_same_frame &= had == chunk.is_some();
            if let Some(slot) = self.table.slot(at).and_then(|i| self.table.slots.get_mut(i)) {
                *slot = chunk.cloned();
            }
        }
        if !is_same_frame {
            self.frame();
        }
        GridChange::Chunks(targets.into_iter().collect())
    }

    /// Compute one chunk from the layers, back to front.
    fn build_chunk(&mut self, at: Cell) {
        let mut kinds = Box::new([0_u32; CELLS]);
        let first = at.map(|c| c * CHUNK);
        for (layer, offset) in &self.layers {
            let Some(tiles) = colliding(layer) else { continue };
            let Some(set) = self.tilesets.get_key_value(&tiles.tileset) else { continue };
            for part in parts(*offset, self.tile_size) {
                let mut put = |i: usize, tile: Tile| {
                    if !tile.is_empty() {
                        let kind = self.palette.tile(set, tile, part.shift_px);
                        kinds[i] = self.palette.over(kinds[i], kind);
                    }
                };
                if part.cells.iter().all(|c| c % CHUNK == 0) {
                    let from = [at[0] - part.cells[0] / CHUNK, at[1] - part.cells[1] / CHUNK];
                    if let Some(chunk) = tiles.tiles.chunk(from) {
                        chunk.tiles().enumerate().for_each(|(i, tile)| put(i, tile));
                    }
                } else {
                    for (i, [x, y]) in (0..CHUNK).flat_map(|y| (0..CHUNK).map(move |x| [x, y])).enumerate() {
                        put(i, tiles.tiles.get([first[0] + x - part.cells[0], first[1] + y - part.cells[1]]));
                    }
                }
            }
        }
        if kinds.iter().all(|kind| *kind == 0) {
            self.chunks.remove(&at);
            return;
        }
        let (mut full, mut part) = ([0; 32], [0; 32]);
        for (i, kind) in kinds.iter().enumerate() {
            let kind = self.palette.get(*kind);
            full[i / 32] |= u32::from(kind.full) << (i % 32);
            part[i / 32] |= u32::from(kind.is_partly_solid()) << (i % 32);
        }
        self.chunks.insert(at, Arc::new(GridChunk { kinds, full, part }));
    }

    /// Work out the bounds and the lookup table from the chunks there are.
    fn frame(&mut self) {
        let around = self.chunks.keys().fold(None, |around: Option<(Cell, Cell)>, &[x, y]| {
            let (lo, hi) = around.unwrap_or(([x, y], [x, y]));
            Some(([lo[0].min(x), lo[1].min(y)], [hi[0].max(x), hi[1].max(y)]))
        });
        self.table = around.map_or_else(Table::default, |(lo, hi)| Table::new(lo, hi, &self.chunks));
        self.solid_box = around.map(|(lo, hi)| (lo.map(|c| c * CHUNK), hi.map(|c| (c + 1) * CHUNK)));
        (self.lo, self.hi) = match self.size {
            Some(size) => ([0, 0], size.map(|side| i32::try_from(side).unwrap_or(i32::MAX))),
            None => self.solid_box.unwrap_or(([0, 0], [CHUNK, CHUNK])),
        };
    }

    fn chunk(&self, at: Cell) -> Option<&GridChunk> {
        if self.table.slots.is_empty() {
            return self.chunks.get(&at).map(|chunk| &**chunk);
        }
        self.table.slots.get(self.table.slot(at)?)?.as_deref()
    }

    /// Width and height of a cell, in pixels.
    #[must_use]
    pub fn tile_size(&self) -> Vec2 {
        #[allow(clippy::cast_precision_loss)] // sides of tiles are small
        Vec2::new(self.tile_size[0] as f32, self.tile_size[1] as f32)
    }

    /// Whether paths may pass the corner of a closed cell.
    #[must_use]
    pub fn corner_cutting(&self) -> bool {
        self.corner_cutting
    }

    /// The first cell, and one past the last in both directions. An unbounded level spans its chunks.
    #[must_use]
    pub fn bounds(&self) -> (Cell, Cell) {
        (self.lo, self.hi)
    }

    /// Whether a cell lies within [`Self::bounds`].
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        (0..2).all(|i| (self.lo[i]..self.hi[i]).contains(&cell[i]))
    }

    /// The cell a point lies in.
    #[must_use]
    pub fn cell_at(&self, pos_px: Vec2) -> Cell {
        let cell = (pos_px / self.tile_size()).floor();
        #[allow(clippy::cast_possible_truncation)] // saturates
        [cell.x as i32, cell.y as i32]
    }

    /// The middle of a cell, in pixels.
    #[must_use]
    pub fn center(&self, cell: Cell) -> Vec2 {
        #[allow(clippy::cast_precision_loss)] // levels are far smaller than 2^24 cells
        let cell = Vec2::new(cell[0] as f32, cell[1] as f32);
        (cell + 0.5) * self.tile_size()
    }

    /// What a cell is; plain emptiness where there is no tile and outside the level.
    #[must_use]
    pub fn cell(&self, cell: Cell) -> &CellKind {
        self.palette.get(self.kind_id(cell))
    }

    /// A number that cells share only when they are alike. Stable until everything is redone.
    #[must_use]
    pub fn kind_id(&self, cell: Cell) -> u32 {
        let (chunk, i) = chunk_of(cell);
        self.chunk(chunk).map_or(0, |chunk| chunk.kinds[i])
    }

    /// The cell kind of a number [`Self::kind_id`] gave.
    #[must_use]
    pub fn kind(&self, id: u32) -> &CellKind {
        self.palette.get(id)
    }

    /// Every chunk that has tiles, by chunk coordinates, ascending.
    pub fn chunks(&self) -> impl Iterator<Item = Cell> {
        self.chunks.keys().copied()
    }

    /// The cells of a chunk that have a tile, row by row.
    pub fn chunk_cells(&self, at: Cell) -> impl Iterator<Item = (Cell, &CellKind)> {
        let kinds = self.chunks.get(&at).map(|chunk| chunk.kinds.iter().enumerate());
        kinds.into_iter().flatten().filter(|(_, kind)| **kind != 0).map(move |(i, kind)| {
            let i = i32::try_from(i).unwrap_or(0);
            ([at[0] * CHUNK + i % CHUNK, at[1] * CHUNK + i / CHUNK], self.palette.get(*kind))
        })
    }

    /// The index of an agent kind; `None` when every cell costs it 1.
    #[must_use]
    pub fn agent(&self, kind: &str) -> Option<usize> {
        self.palette.agents.binary_search_by(|name| (**name).cmp(kind)).ok()
    }
}

/// The tiles of a layer that stops bodies and paths.
fn colliding(layer: &Layer) -> Option<&TileLayer> {
    layer.tiles().filter(|tiles| tiles.collide)
}

/// The layers of a level that collide, back to front, each with where it is with the groups around it.
fn colliding_in(level: &Level) -> Vec<(Arc<Layer>, [f64; 2])> {
    let all = level.looks().into_iter().filter(|(layer, _)| colliding(layer).is_some());
    all.map(|(layer, look)| (layer.clone(), look.offset)).collect()
}

/// Whether a chunk is near enough for its cells' coordinates to be added up. No real level is 500 million cells
/// away, but a file may name such a place.
fn usable(chunk: Cell) -> bool {
    chunk.iter().all(|c| c.unsigned_abs() < 1 << 24)
}

/// Chunks that are not the same in both, by coordinates of the layer.
fn changed_chunks(before: &TileLayer, after: &TileLayer) -> Vec<Cell> {
    let is_other = |a: Option<&Arc<Chunk>>, b: Option<&Arc<Chunk>>| !a.zip(b).is_some_and(|(a, b)| a == b);
    before.tiles.unshared(&after.tiles).filter(|(_, a, b)| is_other(*a, *b)).map(|(at, ..)| at).collect()
}

/// One of the up to four cells that a tile of a shifted layer reaches into.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// From the tile's cell to this one.
    cells: Cell,
    /// Where the tile's top left corner is, from this cell's, in whole pixels.
    shift_px: Cell,
}

impl Part {
    /// The grid chunks that the tiles of a layer's chunk reach into.
    fn targets(self, chunk: Cell) -> impl Iterator<Item = Cell> {
        let range = |i: usize| {
            let first = chunk[i] * CHUNK + self.cells[i];
            first.div_euclid(CHUNK)..=(first + CHUNK - 1).div_euclid(CHUNK)
        };
        let (xs, ys) = (range(0), range(1));
        xs.flat_map(move |x| ys.clone().map(move |y| [x, y]))
    }
}

/// The cells a tile reaches into when its layer is shifted; the shift is rounded to whole pixels.
fn parts(offset: [f64; 2], tile_size: [u32; 2]) -> Vec<Part> {
    let side = tile_size.map(|side| i32::try_from(side).unwrap_or(i32::MAX));
    #[allow(clippy::cast_possible_truncation)] // saturates, and is clamped
    let offset = offset.map(|px| (px.round() as i32).clamp(-100_000_000, 100_000_000));
    let whole = [offset[0].div_euclid(side[0]), offset[1].div_euclid(side[1])];
    let rest = [offset[0].rem_euclid(side[0]), offset[1].rem_euclid(side[1])];
    let mut parts = Vec::with_capacity(4);
    for [dx, dy] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
        if (dx == 0 || rest[0] > 0) && (dy == 0 || rest[1] > 0) {
            parts.push(Part {
                cells: [whole[0] + dx, whole[1] + dy],
                shift_px: [rest[0] - dx * side[0], rest[1] - dy * side[1]],
            });
        }
    }
    parts
}

/// The chunks by place, for levels of ordinary extent; empty for those spread wider, which are looked up in the tree.
#[derive(Clone, Debug, Default)]
struct Table {
    lo: Cell,
    size: Cell,
    slots: Vec<Option<Arc<GridChunk>>>,
}

impl Table {
    fn new(lo: Cell, hi: Cell, chunks: &BTreeMap<Cell, Arc<GridChunk>>) -> Self {
        let size = [hi[0] - lo[0] + 1, hi[1] - lo[1] + 1];
        let n = i64::from(size[0]) * i64::from(size[1]);
        let mut table = Self { lo, size, slots: Vec::new() };
        if n <= MAX_TABLE {
            table.slots = vec![None; usize::try_from(n).unwrap_or(0)];
            for (at, chunk) in chunks {
                if let Some(slot) = table.slot(*at).and_then(|i| table.slots.get_mut(i)) {
                    *slot = Some(chunk.clone());
                }
            }
        }
        table
    }

    fn slot(&self, at: Cell) -> Option<usize> {
        let [x, y] = [at[0].wrapping_sub(self.lo[0]), at[1].wrapping_sub(self.lo[1])];
        let inside = (0..self.size[0]).contains(&x) && (0..self.size[1]).contains(&y);
        usize::try_from(i64::from(y) * i64::from(self.size[0]) + i64::from(x)).ok().filter(|_| inside)
    }
}
