//! The solid cells of a level: shape, friction, the cost of walking there. Physics, paths and sight all read this one
//! representation of the tiles.
//!
//! Invariant: the grid is a function of the level's colliding tile layers and their tilesets; [`SolidGrid::update`]
//! leaves it as [`SolidGrid::new`] would build it, up to the numbering of cell kinds. Everything solid in a cell lies
//! within the cell. Cells are the level's, even if a layer has its own (`fit`): the part of its tiles in a cell of the
//! level belongs to that cell. Making bodies of it is `sim::physics`, searching it `sim::nav`.

mod fit;
mod kind;
mod ray;

pub use kind::{CellKind, Piece};
pub use ray::{GridHit, meets_convex};

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    hash::{Hash, Hasher},
    ops::Range,
    sync::Arc,
};

use glam::Vec2;

use crate::{
    model::{CHUNK, Cell, Chunk, Layer, Level, Name, TileLayer, Tiles, Tileset, chunk_of},
    sim::by_chunk::ByChunk,
};

use fit::{Fit, Targets, TileAt};
use kind::Palette;

/// Number of cells in a chunk.
const CELLS: usize = 1024;
/// An odd number with bits of every weight, as multiplicative hashes need it.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// The chunks of a grid that is being built, to share equal ones.
type Pool = HashSet<Arc<GridChunk>>;

/// A chunk of 32×32 cells, with bits to skip empty ones row by row.
#[derive(Clone, Debug, PartialEq, Eq)]
struct GridChunk {
    kinds: [u32; CELLS],
    /// Per row, bit x: the cell is wholly solid.
    full: [u32; 32],
    /// Per row, bit x: the cell is partly solid.
    part: [u32; 32],
}

impl Hash for GridChunk {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Mixed first: a hasher for arbitrary input is slow on this much data.
        let mixed =
            self.kinds.iter().fold(0_u64, |sum, kind| (sum.rotate_left(5) ^ u64::from(*kind)).wrapping_mul(MIX));
        state.write_u64(mixed);
    }
}

/// The cells of a level.
#[derive(Clone, Debug)]
pub struct SolidGrid {
    tile_size: [u32; 2],
    size: Option<[u32; 2]>,
    corner_cutting: bool,
    lo: Cell,
    hi: Cell,
    /// Bounds of the chunks: the first cell, and one past the last.
    solid_box: Option<(Cell, Cell)>,
    palette: Palette,
    chunks: ByChunk<GridChunk>,
    layers: Vec<Solid>,
    /// Layers that are not wholly kept: their tiles are so large that they cover too many cells.
    cut: Vec<Name>,
    tilesets: Arc<BTreeMap<Name, Tileset>>,
}

/// A layer that stops bodies and paths: its offset, including the groups around it, and the size of its cells, both in
/// pixels.
#[derive(Clone, Debug)]
struct Solid {
    layer: Arc<Layer>,
    offset: [f64; 2],
    px: [u32; 2],
}

/// The result of [`SolidGrid::update`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GridChange {
    /// Nothing changed.
    Nothing,
    /// These chunks, by chunk coordinates, were rebuilt; some may be gone.
    Chunks(Vec<Cell>),
    /// The level's frame, its layers' settings or a tileset changed: everything was rebuilt.
    All,
}

impl SolidGrid {
    /// The grid of a level, from its tile layers that collide. A layer whose tileset is not in `tilesets` is left out,
    /// as is a tile that is not in its tileset.
    #[must_use]
    pub fn new<'a>(level: &Level, tilesets: impl Fn(&str) -> Option<&'a Tileset>) -> Self {
        let layers = solids(level);
        let names: BTreeSet<&Name> = layers.iter().filter_map(|it| Some(&colliding(&it.layer)?.tileset)).collect();
        let tilesets: BTreeMap<Name, Tileset> =
            names.into_iter().filter_map(|name| Some((name.clone(), tilesets(name)?.clone()))).collect();
        let mut grid = Self {
            tile_size: level.grid().px,
            size: level.size,
            corner_cutting: level.corner_cutting,
            lo: [0, 0],
            hi: [0, 0],
            solid_box: None,
            palette: Palette::new(&tilesets, level.grid().px),
            chunks: ByChunk::default(),
            layers,
            cut: Vec::new(),
            tilesets: Arc::new(tilesets),
        };
        let mut targets = BTreeSet::new();
        for it in &grid.layers {
            let Some(tiles) = colliding(&it.layer) else { continue };
            let fit = Fit::new(it.offset, it.px, grid.tile_size);
            let mut of_layer = Targets::new(tiles.tiles.n_chunks(), grid.size);
            for (at, chunk) in tiles.tiles.chunks().filter(|(at, _)| usable(*at)) {
                fit.targets(at, chunk, &mut of_layer);
            }
            if of_layer.is_cut {
                grid.cut.push(it.layer.name.clone());
            }
            targets.append(&mut of_layer.chunks);
        }
        let mut pool = Pool::default();
        for at in targets {
            _ = grid.build_chunk(at, &mut pool);
        }
        grid.frame();
        grid
    }

    /// Update after a change of the level, rebuilding only the chunks whose tiles changed.
    ///
    /// Costs a pointer comparison for each chunk of a changed layer, and the rebuilding of changed chunks.
    pub fn update<'a>(&mut self, level: &Level, tilesets: impl Fn(&str) -> Option<&'a Tileset>) -> GridChange {
        let layers = solids(level);
        let same_set = |it: &Solid| {
            colliding(&it.layer).is_none_or(|tiles| tilesets(&tiles.tileset) == self.tilesets.get(&tiles.tileset))
        };
        let same_frame = level.grid().px == self.tile_size
            && self.cut.is_empty()
            && !layers.iter().any(|it| self.may_be_cut(it))
            && level.size == self.size
            && level.corner_cutting == self.corner_cutting
            && layers.len() == self.layers.len()
            && layers.iter().zip(&self.layers).all(|(new, old)| {
                let tileset = |it: &Solid| colliding(&it.layer).map(|tiles| tiles.tileset.clone());
                new.offset == old.offset && new.px == old.px && tileset(new) == tileset(old)
            })
            && layers.iter().all(same_set);
        if !same_frame {
            *self = Self::new(level, tilesets);
            return GridChange::All;
        }
        let old = std::mem::replace(&mut self.layers, layers);
        let mut targets = Targets::new(usize::MAX, None);
        for (old, new) in old.iter().zip(&self.layers) {
            if Arc::ptr_eq(&old.layer, &new.layer) {
                continue;
            }
            let (Some(before), Some(after)) = (colliding(&old.layer), colliding(&new.layer)) else { continue };
            let fit = Fit::new(new.offset, new.px, self.tile_size);
            for at in changed_chunks(before, after).into_iter().filter(|at| usable(*at)) {
                let chunks = [before, after].map(|tiles| tiles.tiles.chunk(at));
                chunks.into_iter().flatten().for_each(|chunk| fit.targets(at, chunk, &mut targets));
            }
        }
        let targets = targets.chunks;
        if targets.is_empty() {
            return GridChange::Nothing;
        }
        let (mut is_other_frame, mut pool) = (false, Pool::default());
        for &at in &targets {
            is_other_frame |= self.build_chunk(at, &mut pool);
        }
        if is_other_frame {
            self.frame();
        }
        GridChange::Chunks(targets.into_iter().collect())
    }

    /// Whether a layer may be among those that are cut. The kept part of these depends on all of their tiles.
    fn may_be_cut(&self, it: &Solid) -> bool {
        let n_chunks = colliding(&it.layer).map_or(0, |tiles| tiles.tiles.n_chunks());
        Fit::new(it.offset, it.px, self.tile_size).may_be_cut(n_chunks, self.size)
    }

    /// Compute one chunk from the layers, back to front. Returns whether the bounds of the grid may have changed.
    fn build_chunk(&mut self, at: Cell, pool: &mut Pool) -> bool {
        let mut kinds = [0_u32; CELLS];
        for it in &self.layers {
            let Some(tiles) = colliding(&it.layer) else { continue };
            let Some(set) = self.tilesets.get_key_value(&tiles.tileset) else { continue };
            let fit = Fit::new(it.offset, it.px, self.tile_size);
            let palette = &mut self.palette;
            if let Some(offset) = fit.aligned() {
                let place = TileAt { shift_px: [0, 0], side_px: self.tile_size.map(u32::cast_signed) };
                for part in aligned_parts(at, offset, &tiles.tiles) {
                    let of_chunk = part.chunk.map(|tile| palette.tile(set, tile, place));
                    part.each(|from, to| kinds[to] = palette.over(kinds[to], of_chunk[from]));
                }
                continue;
            }
            // Large tiles fill chunks with cells of one kind.
            let whole = fit.whole(at, &tiles.tiles).and_then(|tile| palette.under(set, tile));
            if let Some(kind) = whole {
                kinds.iter_mut().for_each(|below| *below = palette.over(*below, kind));
                continue;
            }
            // The tiles of one layer in a cell are joined first: within a layer, tiles are beside each other and not
            // over each other.
            let mut found: Vec<(usize, u32)> = Vec::new();
            fit.visit(at, &tiles.tiles, |i, tile, place| {
                let kind = palette.tile(set, tile, place);
                if kind != 0 {
                    found.push((i, kind));
                }
            });
            found.sort_by_key(|(i, _)| *i);
            for of_cell in found.chunk_by(|a, b| a.0 == b.0) {
                let i = of_cell[0].0;
                kinds[i] = palette.over_all(kinds[i], of_cell.iter().map(|(_, kind)| *kind));
            }
        }
        if kinds.iter().all(|kind| *kind == 0) {
            return self.chunks.set(at, None);
        }
        let (mut full, mut part) = ([0; 32], [0; 32]);
        // Neighboring cells are mostly equal.
        let (mut latest, mut is_full, mut is_part) = (0, false, false);
        for (i, kind) in kinds.iter().enumerate() {
            if *kind != latest {
                let of = self.palette.get(*kind);
                (latest, is_full, is_part) = (*kind, of.full, of.is_partly_solid());
            }
            full[i / 32] |= u32::from(is_full) << (i % 32);
            part[i / 32] |= u32::from(is_part) << (i % 32);
        }
        // Large tiles, and uniform ground, make many chunks equal.
        let above = self.chunks.get([at[0], at[1] - 1]).filter(|above| above.kinds == kinds).cloned();
        let shared = above.unwrap_or_else(|| {
            let new = Arc::new(GridChunk { kinds, full, part });
            pool.get(&new).cloned().unwrap_or_else(|| {
                pool.insert(Arc::clone(&new));
                new
            })
        });
        self.chunks.set(at, Some(shared))
    }

    /// Compute the bounds and the lookup table from the present chunks.
    fn frame(&mut self) {
        let around = self.chunks.frame();
        self.solid_box = around.map(|(lo, hi)| (lo.map(|c| c * CHUNK), hi.map(|c| (c + 1) * CHUNK)));
        (self.lo, self.hi) = match self.size {
            Some(size) => ([0, 0], size.map(|side| i32::try_from(side).unwrap_or(i32::MAX))),
            None => self.solid_box.unwrap_or(([0, 0], [CHUNK, CHUNK])),
        };
    }

    /// The layers that are not wholly solid: their tiles are so large that they cover too many cells.
    pub fn cut_layers(&self) -> impl Iterator<Item = &Name> {
        self.cut.iter()
    }

    fn chunk(&self, at: Cell) -> Option<&GridChunk> {
        self.chunks.get(at).map(|chunk| &**chunk)
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

    /// The first cell, and one past the last in both directions. For an unbounded level the bounds of its chunks.
    #[must_use]
    pub fn bounds(&self) -> (Cell, Cell) {
        (self.lo, self.hi)
    }

    /// Whether a cell is within [`Self::bounds`].
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        (0..2).all(|i| (self.lo[i]..self.hi[i]).contains(&cell[i]))
    }

    /// The cell that contains a point.
    #[must_use]
    pub fn cell_at(&self, pos_px: Vec2) -> Cell {
        (pos_px / self.tile_size()).to_array().map(floor)
    }

    /// The middle of a cell, in pixels.
    #[must_use]
    pub fn center(&self, cell: Cell) -> Vec2 {
        #[allow(clippy::cast_precision_loss)] // levels are far smaller than 2^24 cells
        let cell = Vec2::new(cell[0] as f32, cell[1] as f32);
        (cell + 0.5) * self.tile_size()
    }

    /// The kind of a cell; the empty kind if there is no tile, and outside the level.
    #[must_use]
    pub fn cell(&self, cell: Cell) -> &CellKind {
        self.palette.get(self.kind_id(cell))
    }

    /// A number that cells share only if they are equal. Stable until everything is rebuilt.
    #[must_use]
    pub fn kind_id(&self, cell: Cell) -> u32 {
        let (chunk, i) = chunk_of(cell);
        self.chunk(chunk).map_or(0, |chunk| chunk.kinds[i])
    }

    /// Bounds of the cells of a chunk that differ from before one or more calls of [`Self::update`]: columns and rows.
    /// `None` if none differs.
    pub(in crate::sim) fn changed_cells(&self, before: &Self, at: Cell) -> Option<[Range<i32>; 2]> {
        const NONE: &[u32] = &[0; CELLS];
        let rows = [self, before].map(|grid| grid.chunk(at).map_or(NONE, |chunk| &chunk.kinds[..]).chunks_exact(32));
        let [now, before] = rows;
        let mut around: Option<[Range<i32>; 2]> = None;
        for (y, (now, before)) in (at[1] * CHUNK..).zip(now.zip(before)).filter(|(_, (now, before))| now != before) {
            for (x, _) in (at[0] * CHUNK..).zip(now.iter().zip(before)).filter(|(_, (now, before))| now != before) {
                let [xs, ys] = around.get_or_insert_with(|| [x..x + 1, y..y + 1]);
                *xs = xs.start.min(x)..xs.end.max(x + 1);
                *ys = ys.start..y + 1;
            }
        }
        around
    }

    /// The kind of a number returned by [`Self::kind_id`].
    #[must_use]
    pub fn kind(&self, id: u32) -> &CellKind {
        self.palette.get(id)
    }

    /// Every chunk that has tiles, by chunk coordinates, ascending.
    pub fn chunks(&self) -> impl Iterator<Item = Cell> {
        self.chunks.iter().map(|(at, _)| at)
    }

    /// The cells of a chunk that have a tile, row by row.
    pub fn chunk_cells(&self, at: Cell) -> impl Iterator<Item = (Cell, &CellKind)> {
        let kinds = self.chunk(at).map(|chunk| chunk.kinds.iter().enumerate());
        kinds.into_iter().flatten().filter(|(_, kind)| **kind != 0).map(move |(i, kind)| {
            let i = i32::try_from(i).unwrap_or(0);
            ([at[0] * CHUNK + i % CHUNK, at[1] * CHUNK + i / CHUNK], self.palette.get(*kind))
        })
    }

    /// Whether any tile may be partly solid.
    #[must_use]
    pub fn may_have_parts(&self) -> bool {
        self.palette.has_parts()
    }

    /// Whether any tile may be a conveyor belt.
    #[must_use]
    pub fn has_belts(&self) -> bool {
        self.palette.has_belts()
    }

    /// Lower bound on the cost of a step for an agent kind, at most 1, in plain steps.
    #[must_use]
    pub fn least_cost(&self, agent: Option<usize>) -> f32 {
        self.palette.costs(agent).fold(1.0, f32::min)
    }

    /// The index of an agent kind; `None` if every cell costs it 1.
    #[must_use]
    pub fn agent(&self, kind: &str) -> Option<usize> {
        self.palette.agents.binary_search_by(|name| (**name).cmp(kind)).ok()
    }
}

/// The layers of a level that stop bodies and paths.
fn solids(level: &Level) -> Vec<Solid> {
    let layers = level.looks().into_iter().filter(|(layer, _)| colliding(layer).is_some());
    layers
        .map(|(layer, look)| Solid { layer: layer.clone(), offset: look.offset, px: level.grid_of(layer).px })
        .collect()
}

/// The common part of a layer's chunk and a chunk of the level, if both have cells of the same size.
struct AlignedPart<'a> {
    chunk: &'a Chunk,
    /// Columns and rows in the layer's chunk.
    within: [Range<i32>; 2],
    /// Offset from these to the columns and rows of the level's chunk.
    shift: Cell,
}

impl AlignedPart<'_> {
    /// Visit its cells: index in the layer's chunk, index in the level's.
    fn each(&self, mut visit: impl FnMut(usize, usize)) {
        let [xs, ys] = &self.within;
        let index = |x: i32, y: i32| usize::try_from(y * CHUNK + x).unwrap_or(0);
        for y in ys.clone() {
            let (from, to) = (index(xs.start, y), index(xs.start + self.shift[0], y + self.shift[1]));
            (0..xs.len()).for_each(|i| visit(from + i, to + i));
        }
    }
}

/// The parts of a layer in a chunk of the level, if the layer's cells are `offset` cells of the level away.
fn aligned_parts(at: Cell, offset: Cell, tiles: &Tiles) -> impl Iterator<Item = AlignedPart<'_>> {
    // For the first cell: its chunk in the layer, and the column and row there.
    let first = [0, 1].map(|i: usize| at[i] * CHUNK - offset[i]);
    let (chunk, within) = (first.map(|c| c.div_euclid(CHUNK)), first.map(|c| c.rem_euclid(CHUNK)));
    [[0, 0], [1, 0], [0, 1], [1, 1]].into_iter().filter_map(move |[dx, dy]| {
        let range = |is_next: i32, within: i32| if is_next == 1 { 0..within } else { within..CHUNK };
        let ranges = [range(dx, within[0]), range(dy, within[1])];
        let found = tiles.chunk([chunk[0] + dx, chunk[1] + dy]).filter(|_| ranges.iter().all(|it| !it.is_empty()))?;
        Some(AlignedPart { chunk: found, within: ranges, shift: [dx * CHUNK - within[0], dy * CHUNK - within[1]] })
    })
}

/// The tiles of a layer that stops bodies and paths.
fn colliding(layer: &Layer) -> Option<&TileLayer> {
    layer.tiles().filter(|tiles| tiles.collide)
}

/// Whether a chunk is near enough for computing its cells' coordinates. No real level is 500 million cells away, but a
/// file may name such a place.
fn usable(chunk: Cell) -> bool {
    chunk.iter().all(|c| c.unsigned_abs() < 1 << 24)
}

/// Chunks that differ, by coordinates of the layer.
fn changed_chunks(before: &TileLayer, after: &TileLayer) -> Vec<Cell> {
    let is_other = |a: Option<&Arc<Chunk>>, b: Option<&Arc<Chunk>>| !a.zip(b).is_some_and(|(a, b)| a == b);
    before.tiles.unshared(&after.tiles).filter(|(_, a, b)| is_other(*a, *b)).map(|(at, ..)| at).collect()
}

/// The greatest whole number not above `x`, within the range of `i32`; 0 for NaN. Faster than `f32::floor`, which is a
/// library call on x86-64 without SSE4.1.
#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // saturates; large numbers are whole
pub(in crate::sim) fn floor(x: f32) -> i32 {
    let cut = x as i32;
    cut.saturating_sub(i32::from(cut as f32 > x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Tile, mix};

    #[test]
    fn cells_of_the_level_are_visited_as_others_are() {
        let mut seed = 11_u64;
        let mut random = |n: u64| {
            seed = mix(seed);
            i32::try_from(seed % n).unwrap_or(0)
        };
        for round in 0..40 {
            let mut tiles = Tiles::default();
            for _ in 0..400 {
                tiles.set([random(120) - 60, random(120) - 60], Tile::id_only(random(5).unsigned_abs()));
            }
            let px = [16, 24];
            // A few whole chunks, and any other whole cells.
            let cells = if round % 4 == 0 { [random(3) * 32 - 32, 0] } else { [random(90) - 45, random(90) - 45] };
            let fit = Fit::new([0, 1].map(|i: usize| f64::from(cells[i]) * f64::from(px[i])), px, px);
            assert_eq!(fit.aligned(), Some(cells));
            let mut n = 0;
            for at in (-4..5).flat_map(|y| (-4..5).map(move |x| [x, y])) {
                let (mut direct, mut others) = (Vec::new(), Vec::new());
                for part in aligned_parts(at, cells, &tiles) {
                    part.each(|from, to| direct.push((to, part.chunk.get(from))));
                }
                direct.retain(|(_, tile)| !tile.is_empty());
                fit.visit(at, &tiles, |i, tile, place| {
                    assert_eq!(place, TileAt { shift_px: [0, 0], side_px: [16, 24] });
                    others.push((i, tile));
                });
                direct.sort_unstable_by_key(|(i, _)| *i);
                others.sort_unstable_by_key(|(i, _)| *i);
                assert_eq!(direct, others, "{cells:?} {at:?}");
                n += direct.len();
            }
            assert_eq!(n, tiles.iter().count(), "{cells:?}");
        }
        assert_eq!(Fit::new([8.0, 0.0], [16, 24], [16, 24]).aligned(), None);
        assert_eq!(Fit::new([0.0, 0.0], [32, 24], [16, 24]).aligned(), None);
    }
}
