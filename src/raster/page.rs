//! Squares of a tile layer as a graphics card reads them: a texel a cell, or, for a layer seen from afar, a texel for
//! two by two cells, four by four and so on. What is drawn costs as much as it is large on the screen, not as the level
//! is large.
//!
//! Invariant: a page knows the chunks it shows by identity, and updating it reads no others.

use std::collections::BTreeSet;

use super::{TileAtlas, sums::ChunkSums};
use crate::model::{CHUNK, Cell, REGION, Tile, Tiles, region_of};

/// Texels along one side of a page.
pub const PAGE: u32 = 256;

/// What the texels of a page are, and how many cells each shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PageKind {
    /// [`TileAtlas::texel`] of one cell.
    Tiles,
    /// The mean color of `2^n` by `2^n` cells, with alpha multiplied in.
    Colors(u32),
}

impl PageKind {
    /// The coarsest kind.
    const MAX: u32 = 20;

    /// The kind for cells of so many pixels of the screen: with a texel for each pixel at least, and not for many more.
    #[must_use]
    pub fn for_cell_px(px: f64) -> Self {
        match px {
            px if px >= 1.0 => Self::Tiles,
            px => (0..Self::MAX)
                .rev()
                .map(Self::Colors)
                .find(|kind| f64::from(kind.cells()) * px <= 1.0)
                .unwrap_or(Self::Colors(0)),
        }
    }

    /// Cells along one side of a texel.
    #[must_use]
    pub fn cells(self) -> u32 {
        match self {
            Self::Tiles => 1,
            Self::Colors(n) => 1 << n,
        }
    }

    /// The chunks of a page by its column and row, first and last; `None` where no cell can be.
    #[must_use]
    pub fn chunks(self, at: Cell) -> Option<[Cell; 2]> {
        let n = self.page_cells() / i64::from(CHUNK);
        let chunk = |at: i32, by: i64| i32::try_from(i64::from(at) * n + by).ok();
        Some([[chunk(at[0], 0)?, chunk(at[1], 0)?], [chunk(at[0], n - 1)?, chunk(at[1], n - 1)?]])
    }

    /// Cells along one side of a page.
    #[must_use]
    pub fn page_cells(self) -> i64 {
        i64::from(PAGE) * i64::from(self.cells())
    }
}

/// A square of a tile layer.
#[derive(Clone, Debug)]
pub struct TilePage {
    kind: PageKind,
    /// The first and the last of the chunks in its square.
    chunks: [Cell; 2],
    /// Row by row.
    texels: Vec<u32>,
    shown: Tiles,
}

/// Rows of a page that changed: the first, and the one behind the last.
pub type Rows = [u32; 2];

impl TilePage {
    /// An empty page by its column and row among the pages of its kind; `None` where no cell can be.
    #[must_use]
    pub fn new(kind: PageKind, at: Cell) -> Option<Self> {
        let chunks = kind.chunks(at)?;
        Some(Self { kind, chunks, texels: vec![0; (PAGE * PAGE) as usize], shown: Tiles::default() })
    }

    /// The texels, row by row.
    #[must_use]
    pub fn texels(&self) -> &[u32] {
        &self.texels
    }

    /// Show the chunks of a layer, of those that are looked into at most so many as `budget` has left. `sums` are of
    /// the same layer and atlas, whatever the kind of page. Returns the rows that changed, if any, and whether nothing
    /// is left to do.
    pub fn update(
        &mut self,
        tiles: &Tiles,
        atlas: &TileAtlas,
        sums: &mut ChunkSums,
        budget: &mut usize,
    ) -> (Option<Rows>, bool) {
        let is_far = self.kind.cells() >= CHUNK.unsigned_abs();
        let mut changed: BTreeSet<Cell> = BTreeSet::new();
        let mut is_done = true;
        for region in tiles.unshared_regions(&self.shown, region_of(self.chunks[0]), region_of(self.chunks[1])) {
            is_done = if is_far {
                sums.update(tiles, atlas, region, budget)
            } else {
                self.share_chunks(tiles, region, budget, &mut changed)
            };
            if !is_done {
                break;
            }
            if is_far {
                changed.extend(self.texels_of(region));
            }
            self.shown.share_region(region, tiles);
        }
        let mut rows: Option<Rows> = None;
        for at in changed {
            rows = merged(rows, if is_far { self.put_mean(at, sums) } else { self.put(at, tiles, atlas) });
        }
        (rows, is_done)
    }

    /// Take over the chunks of a region that changed, at most so many as `budget` has left. Returns whether nothing is
    /// left to do.
    fn share_chunks(&mut self, tiles: &Tiles, region: Cell, budget: &mut usize, changed: &mut BTreeSet<Cell>) -> bool {
        let [first, last] = self.chunks;
        let is_in = |at: &Cell| (0..2).all(|axis| (first[axis]..=last[axis]).contains(&at[axis]));
        let (now, before) = (tiles.region(region), self.shown.region(region));
        for (at, chunk, _) in now.unshared(&before).filter(|(at, ..)| is_in(at)) {
            if *budget == 0 {
                return false;
            }
            *budget -= 1;
            self.shown.share_chunk(at, chunk.cloned().unwrap_or_default());
            changed.insert(at);
        }
        true
    }

    /// The left top chunk of each texel of a region, where a texel is one chunk or several.
    fn texels_of(&self, region: Cell) -> Vec<Cell> {
        let ([first, last], side) = (self.chunks, self.chunks_per_texel());
        let texels = |axis: usize| {
            let from = (region[axis] * REGION).max(first[axis]) - first[axis];
            let to = (region[axis] * REGION + REGION - 1).min(last[axis]) - first[axis];
            from / side..=to / side
        };
        texels(1).flat_map(|y| texels(0).map(move |x| [first[0] + x * side, first[1] + y * side])).collect()
    }

    /// Compute the texel that begins with a chunk, where a texel is one chunk or several.
    fn put_mean(&mut self, at: Cell, sums: &ChunkSums) -> Rows {
        let (cells, side) = (u64::from(self.kind.cells()), self.chunks_per_texel());
        let texel = Sum(sums.of_square(at, side)).mean(cells * cells);
        let [x, y] = [0, 1].map(|axis| ((at[axis] - self.chunks[0][axis]) / side).unsigned_abs());
        self.row_mut(x, y, 1).fill(texel);
        [y, y + 1]
    }

    /// Chunks along one side of a texel; 1 where a chunk has a texel or more.
    fn chunks_per_texel(&self) -> i32 {
        i32::try_from(self.kind.cells() / CHUNK.unsigned_abs()).unwrap_or(1).max(1)
    }

    /// Compute the texels of a chunk, which has one or more.
    fn put(&mut self, at: Cell, tiles: &Tiles, atlas: &TileAtlas) -> Rows {
        let place = |axis: usize| u32::try_from(at[axis] - self.chunks[0][axis]).unwrap_or(0);
        let chunk = tiles.chunk(at);
        let cells = self.kind.cells();
        let per_chunk = 32 / cells;
        let (x, y) = (place(0) * per_chunk, place(1) * per_chunk);
        let kind = self.kind;
        let tiles = chunk.map(|chunk| chunk.to_tiles());
        for v in 0..per_chunk {
            let row = self.row_mut(x, y + v, per_chunk);
            let Some(tiles) = &tiles else {
                row.fill(0);
                continue;
            };
            match kind {
                PageKind::Tiles => {
                    let tiles = tiles.iter().skip((v * 32) as usize);
                    row.iter_mut().zip(tiles).for_each(|(texel, tile)| *texel = atlas.texel(*tile));
                }
                PageKind::Colors(_) => {
                    for (texel, u) in row.iter_mut().zip(0..) {
                        let line = |dy: u32| {
                            let from = ((v * cells + dy) * 32 + u * cells) as usize;
                            tiles.get(from..from + cells as usize).unwrap_or_default().iter().copied()
                        };
                        let sum = Sum::default().plus((0..cells).flat_map(line), atlas);
                        *texel = sum.mean(u64::from(cells) * u64::from(cells));
                    }
                }
            }
        }
        [y, y + per_chunk]
    }

    fn row_mut(&mut self, x: u32, y: u32, n: u32) -> &mut [u32] {
        let from = (y * PAGE + x) as usize;
        self.texels.get_mut(from..from + n as usize).unwrap_or_default()
    }
}

fn merged(a: Option<Rows>, b: Rows) -> Option<Rows> {
    Some(a.map_or(b, |a| [a[0].min(b[0]), a[1].max(b[1])]))
}

/// Colors added up.
#[derive(Clone, Copy, Default)]
struct Sum([u64; 4]);

impl Sum {
    fn plus(self, tiles: impl Iterator<Item = Tile>, atlas: &TileAtlas) -> Self {
        // Neighbors are mostly equal.
        let (mut last, mut color) = (Tile::EMPTY, [0; 4]);
        tiles.fold(self, |Self(sum), tile| {
            if tile != last {
                (last, color) = (tile, atlas.mean(tile));
            }
            Self(std::array::from_fn(|i| sum[i] + u64::from(color[i])))
        })
    }

    fn mean(self, n: u64) -> u32 {
        u32::from_le_bytes(self.0.map(|sum| u8::try_from((sum + n / 2) / n).unwrap_or(u8::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        model::{TileDef, Tileset},
        raster::Image,
    };

    /// Tile 1 is black, tile 2 is white.
    fn atlas() -> TileAtlas {
        let mut sheet = Image::solid(2, 1, [0, 0, 0, 255]);
        sheet.run_mut(1, 0, 1).unwrap().fill(255);
        let mut tileset = Tileset { tile_size: [1, 1], ..Tileset::default() };
        tileset.tiles.insert(1, TileDef { at: [0, 0], ..TileDef::default() });
        tileset.tiles.insert(2, TileDef { at: [1, 0], ..TileDef::default() });
        TileAtlas::new(&tileset, &sheet)
    }

    fn tiles(cells: &[(Cell, u32)]) -> Tiles {
        let mut tiles = Tiles::default();
        tiles.paint(cells.iter().map(|(cell, id)| (*cell, Tile::id_only(*id))));
        tiles
    }

    fn texel(page: &TilePage, x: u32, y: u32) -> u32 {
        page.texels()[(y * PAGE + x) as usize]
    }

    #[test]
    fn the_kind_has_a_texel_a_pixel_and_not_many_more() {
        let kinds = [16.0, 1.0, 0.99, 0.5, 0.3, 0.25, 1e-9].map(PageKind::for_cell_px);
        let colors = PageKind::Colors;
        let expected = [PageKind::Tiles, PageKind::Tiles, colors(0), colors(1), colors(1), colors(2), colors(19)];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn a_page_holds_its_cells_and_follows_them() {
        let (atlas, mut sums) = (atlas(), ChunkSums::default());
        let mut tiles = tiles(&[([-1, 3], 1), ([-256, -1], 2), ([0, 0], 1), ([-40, 200], 2)]);
        let mut page = TilePage::new(PageKind::Tiles, [-1, 0]).unwrap();
        let mut budget = 100;
        assert_eq!(page.update(&tiles, &atlas, &mut sums, &mut budget), (Some([0, 224]), true));
        assert_eq!((texel(&page, 255, 3), texel(&page, 216, 200)), (Tile::id_only(1).bits(), Tile::id_only(2).bits()));
        assert_eq!(page.texels().iter().filter(|texel| **texel != 0).count(), 2);
        assert_eq!(page.update(&tiles, &atlas, &mut sums, &mut budget), (None, true), "nothing changed");
        assert_eq!(budget, 98);
        tiles.set([-40, 200], Tile::EMPTY);
        assert_eq!(page.update(&tiles, &atlas, &mut sums, &mut budget), (Some([192, 224]), true));
        assert_eq!(texel(&page, 216, 200), 0);
    }

    #[test]
    fn what_the_budget_does_not_pay_for_comes_later() {
        let (atlas, mut sums) = (atlas(), ChunkSums::default());
        let cells: Vec<(Cell, u32)> = (0..8).map(|i| ([i * 32, 0], 1)).collect();
        let tiles = tiles(&cells);
        let mut page = TilePage::new(PageKind::Tiles, [0, 0]).unwrap();
        let updates: Vec<bool> = (0..3).map(|_| page.update(&tiles, &atlas, &mut sums, &mut 3).1).collect();
        assert_eq!(updates, [false, false, true]);
        assert_eq!(page.texels().iter().filter(|texel| **texel != 0).count(), 8);
    }

    #[test]
    fn colors_are_the_means_of_their_cells_at_every_distance() {
        let (atlas, mut sums) = (atlas(), ChunkSums::default());
        let mut cells: Vec<(Cell, u32)> =
            (0..128).flat_map(|y| (0..128).map(move |x| ([x, y], 1 + u32::from(x % 2 == 1)))).collect();
        cells.retain(|(cell, _)| cell[1] >= 64);
        let tiles = tiles(&cells);
        let gray = |alpha: u8, level: u8| u32::from_le_bytes([level, level, level, alpha]);
        for n in 1..=5 {
            let mut page = TilePage::new(PageKind::Colors(n), [0, 0]).unwrap();
            page.update(&tiles, &atlas, &mut sums, &mut 1000);
            let y = 64 / PageKind::Colors(n).cells();
            assert_eq!((texel(&page, 0, y), texel(&page, 0, y - 1)), (gray(255, 128), 0), "2^{n}");
        }
        let mut page = TilePage::new(PageKind::Colors(7), [0, 0]).unwrap();
        page.update(&tiles, &atlas, &mut sums, &mut 1000);
        assert_eq!(texel(&page, 0, 0), gray(128, 64), "half of it is empty");
    }

    #[test]
    fn farther_pages_are_made_of_what_is_known_of_each_chunk() {
        let (atlas, mut sums) = (atlas(), ChunkSums::default());
        let cells: Vec<(Cell, u32)> = (0..40_i32).map(|i| ([i * 40, i * 33], 1 + i.unsigned_abs() % 2)).collect();
        let mut tiles = tiles(&cells);
        let n_chunks = tiles.n_chunks();
        let page = |n: u32| TilePage::new(PageKind::Colors(n), [0, 0]).unwrap();
        let mut near = page(5);
        let mut budget = n_chunks + 1;
        assert!(near.update(&tiles, &atlas, &mut sums, &mut budget).1);
        assert_eq!(budget, 1, "each is looked into once");
        let mut far: Vec<TilePage> = (6..12).map(page).collect();
        for far in &mut far {
            assert!(far.update(&tiles, &atlas, &mut sums, &mut 0).1, "nothing is left to look into");
        }
        // What is far is the mean of what is near.
        let alpha = |page: &TilePage, x: u32, y: u32| u64::from(texel(page, x, y).to_le_bytes()[3]);
        let mut dense = Tiles::default();
        dense.fill(&crate::model::CellSet::rectangle([0, 0], [511, 511]), Tile::id_only(1));
        let (mut sums, mut page) = (ChunkSums::default(), page(10));
        assert!(page.update(&dense, &atlas, &mut sums, &mut 1000).1);
        assert_eq!(alpha(&page, 0, 0), 64, "a quarter of its cells");
        // One that changes is looked into again, and no other.
        tiles.set([0, 0], Tile::EMPTY);
        let mut sums = ChunkSums::default();
        let mut before = TilePage::new(PageKind::Colors(5), [0, 0]).unwrap();
        before.update(&tiles, &atlas, &mut sums, &mut 1000);
        tiles.set([3, 3], Tile::id_only(2));
        let mut budget = 5;
        assert_eq!(before.update(&tiles, &atlas, &mut sums, &mut budget), (Some([0, 16]), true));
        assert_eq!(budget, 4);
        let mut anew = TilePage::new(PageKind::Colors(5), [0, 0]).unwrap();
        anew.update(&tiles, &atlas, &mut ChunkSums::default(), &mut 1000);
        assert_eq!(before.texels(), anew.texels());
    }
}
