//! How cells and what is on them are moved, turned and mirrored together.

use super::{Cell, Tile};

/// A turn of the grid: columns and rows exchanged, then mirrored, then moved.
///
/// Cells are mirrored about the corner that the first cell of the grid has at its left top, so that blocks of 32×32
/// cells, which begin there, become blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellTransform {
    /// Whether columns become rows.
    pub is_transposed: bool,
    /// Whether left and right, and top and bottom, are exchanged after that.
    pub is_mirrored: [bool; 2],
    /// Columns and rows moved after that.
    pub by: Cell,
}

impl CellTransform {
    /// Moved by columns and rows.
    #[must_use]
    pub fn moved(by: Cell) -> Self {
        Self { by, ..Self::default() }
    }

    /// Where a cell goes.
    #[must_use]
    pub fn cell(&self, [x, y]: Cell) -> Cell {
        let at = if self.is_transposed { [y, x] } else { [x, y] };
        [0, 1].map(|i: usize| (if self.is_mirrored[i] { -1 - at[i] } else { at[i] }).saturating_add(self.by[i]))
    }

    /// What a tile looks like there.
    #[must_use]
    pub fn tile(&self, tile: Tile) -> Tile {
        // The diagonal flip exchanges the other two.
        let turned = match tile.id().filter(|_| self.is_transposed) {
            Some(id) => Tile::new(id, tile.flip_v(), tile.flip_h(), !tile.flip_d()),
            None => tile,
        };
        let flip = |tile: Tile, i: usize, flip| if self.is_mirrored[i] { tile.toggled(flip) } else { tile };
        flip(flip(turned, 0, 'h'), 1, 'v')
    }

    /// This one, and then another.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let own = if next.is_transposed { [self.is_mirrored[1], self.is_mirrored[0]] } else { self.is_mirrored };
        let is_mirrored = [0, 1].map(|i: usize| own[i] != next.is_mirrored[i]);
        let is_transposed = self.is_transposed != next.is_transposed;
        let turn = Self { is_transposed, is_mirrored, by: [0, 0] };
        let (to, from) = (next.cell(self.cell([0, 0])), turn.cell([0, 0]));
        Self { by: [0, 1].map(|i: usize| to[i].saturating_sub(from[i])), ..turn }
    }
}
