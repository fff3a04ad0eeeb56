//! The grid of tiles in a picture: where each tile is, which cells show something, and a guess of the grid from the
//! picture alone.
//!
//! Invariant: every cell of a grid lies inside the picture. What the tiles are called is the tileset's.

use super::Image;
use crate::model::Tileset;

/// How tiles stand in a picture. All measures are in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetGrid {
    /// Width and height of a tile.
    pub tile_size: [u32; 2],
    /// Around the whole sheet.
    pub margin: u32,
    /// Between tiles.
    pub spacing: u32,
}

/// Sides that tiles often have, the most usual first.
const SIDES: [u32; 6] = [16, 32, 24, 48, 64, 8];

/// The widest margin and spacing that are looked for.
const MAX_GAP: u32 = 4;

impl SheetGrid {
    /// A grid without margin and spacing.
    #[must_use]
    pub fn plain(tile_size: [u32; 2]) -> Self {
        Self { tile_size, margin: 0, spacing: 0 }
    }

    /// The grid of a tileset.
    #[must_use]
    pub fn of(tileset: &Tileset) -> Self {
        let Tileset { tile_size, margin, spacing, .. } = *tileset;
        Self { tile_size, margin, spacing }
    }

    /// How many columns and rows of whole tiles a picture of a size has; none for tiles without a size.
    #[must_use]
    pub fn cells(&self, size: [u32; 2]) -> [u32; 2] {
        let n = |i: usize| {
            let (tile, spacing) = (u64::from(self.tile_size[i]), u64::from(self.spacing));
            if tile == 0 {
                return 0;
            }
            let n = (u64::from(size[i].saturating_sub(self.margin)) + spacing) / (tile + spacing);
            u32::try_from(n).unwrap_or(u32::MAX)
        };
        [n(0), n(1)]
    }

    /// Left and top of a cell.
    #[must_use]
    pub fn corner(&self, cell: [u32; 2]) -> [u32; 2] {
        let at = |i: usize| {
            self.margin.saturating_add(cell[i].saturating_mul(self.tile_size[i].saturating_add(self.spacing)))
        };
        [at(0), at(1)]
    }

    /// Pixels at the right and at the bottom that belong to no tile, without the margin.
    #[must_use]
    pub fn rest(&self, size: [u32; 2]) -> [u32; 2] {
        let cells = self.cells(size);
        let rest = |i: usize| {
            let last = cells[i].checked_sub(1).map(|last| self.corner([last; 2])[i].saturating_add(self.tile_size[i]));
            size[i].saturating_sub(last.unwrap_or(0)).saturating_sub(self.margin)
        };
        [rest(0), rest(1)]
    }

    /// The cells that show something, row by row: those that are not wholly transparent.
    #[must_use]
    pub fn shown(&self, image: &Image) -> Vec<[u32; 2]> {
        let [columns, rows] = self.cells(image.size());
        let all = (0..rows).flat_map(|y| (0..columns).map(move |x| [x, y]));
        all.filter(|cell| self.shows_something(image, *cell)).collect()
    }

    fn shows_something(&self, image: &Image, cell: [u32; 2]) -> bool {
        let [x, y] = self.corner(cell);
        let [w, h] = self.tile_size;
        let has_alpha = |row: u32| image.run(x, row, w).is_some_and(|run| run.chunks_exact(4).any(|px| px[3] != 0));
        (y..y.saturating_add(h)).any(has_alpha)
    }

    /// The grid that a picture seems to have. Where its tiles are separated by lines of one color, margin and spacing
    /// follow from these; else the tile is of a common size that divides the picture, first of all `usual`.
    #[must_use]
    pub fn guess(image: &Image, usual: [u32; 2]) -> Self {
        let size = image.size();
        let tile_sizes: Vec<[u32; 2]> = std::iter::once(usual)
            .chain(SIDES.map(|side| [side, side]))
            .filter(|tile| (0..2).all(|i| (1..=size[i]).contains(&tile[i])))
            .collect();
        let lines = Lines::of(image);
        let separated = |spacings: std::ops::RangeInclusive<u32>| {
            let grids = tile_sizes.iter().flat_map(move |tile_size| {
                let gaps = spacings.clone().flat_map(|spacing| (0..=MAX_GAP).map(move |margin| (margin, spacing)));
                gaps.map(|(margin, spacing)| Self { tile_size: *tile_size, margin, spacing })
            });
            grids.filter(|grid| grid.margin + grid.spacing > 0).find(|grid| lines.separate(grid))
        };
        let plain = || {
            let divides = |tile: &&[u32; 2]| (0..2).all(|i| size[i].is_multiple_of(tile[i]));
            tile_sizes.iter().find(divides).map(|tile| Self::plain(*tile))
        };
        let whole = || Self::plain([0, 1].map(|i: usize| usual[i].clamp(1, size[i])));
        // A margin alone is no more than a hint: many tiles have transparent pixels at their edges.
        separated(1..=MAX_GAP).or_else(plain).or_else(|| separated(0..=0)).unwrap_or_else(whole)
    }
}

/// The columns and rows of a picture: the color of each that has one all along.
struct Lines {
    columns: Vec<Option<[u8; 4]>>,
    rows: Vec<Option<[u8; 4]>>,
}

impl Lines {
    fn of(image: &Image) -> Self {
        let [w, h] = image.size();
        let row = |y: u32| image.run(0, y, w).unwrap_or_default().chunks_exact(4).map(color_of);
        let mut columns: Vec<Option<[u8; 4]>> = row(0).map(Some).collect();
        let mut rows = Vec::with_capacity(h as usize);
        for y in 0..h {
            let first = row(y).next();
            let mut is_one_color = true;
            for (column, color) in columns.iter_mut().zip(row(y)) {
                is_one_color &= first == Some(color);
                if *column != Some(color) {
                    *column = None;
                }
            }
            rows.push(first.filter(|_| is_one_color));
        }
        Self { columns, rows }
    }

    /// Whether all that lies between and around the tiles of a grid is of one color, and what the tiles show is not.
    fn separate(&self, grid: &SheetGrid) -> bool {
        let of_axis = [&self.columns, &self.rows];
        let size = of_axis.map(|lines| u32::try_from(lines.len()).unwrap_or(u32::MAX));
        let cells = grid.cells(size);
        let is_large_enough = cells.iter().all(|n| *n > 0) && (grid.spacing == 0 || cells.iter().any(|n| *n > 1));
        // What is left over is a margin or a last gap.
        let has_rest = (0..2).any(|i| {
            let end = grid.corner(cells)[i].saturating_sub(grid.spacing);
            let left = size[i].saturating_sub(end);
            left != grid.margin && left != grid.spacing && left != 0
        });
        if !is_large_enough || has_rest {
            return false;
        }
        let is_of_tile = |i: usize, at: usize| {
            let (tile, step) = (u64::from(grid.tile_size[i]), u64::from(grid.tile_size[i] + grid.spacing));
            let inside = (at as u64).checked_sub(u64::from(grid.margin));
            inside.is_some_and(|inside| inside % step < tile && inside / step < u64::from(cells[i]))
        };
        let all = || (0..2).flat_map(|i| of_axis[i].iter().enumerate().map(move |(at, color)| (i, at, color)));
        let mut gaps = all().filter(|(i, at, _)| !is_of_tile(*i, *at)).map(|(.., color)| *color);
        let Some(Some(color)) = gaps.next() else { return false };
        gaps.all(|gap| gap == Some(color)) && all().any(|(i, at, line)| is_of_tile(i, at) && *line != Some(color))
    }
}

/// A pixel's color; one that is wholly transparent has none.
fn color_of(px: &[u8]) -> [u8; 4] {
    match px {
        [r, g, b, a] if *a > 0 => [*r, *g, *b, *a],
        _ => [0; 4],
    }
}
