//! Where the rows and columns of the table are in the window.

use egui::{Pos2, Rect, pos2, vec2};

use super::picked::Place;
use crate::ui::theme::ROW;

/// Height of the header: a component's name over its fields'.
pub(super) const HEADER: f32 = 34.0;
/// Around the text of a cell.
pub(super) const PAD: f32 = 6.0;

/// Where everything is, in points of the window.
pub(super) struct Place2D {
    /// Left top of the table's content, scrolled.
    pub(super) origin: Pos2,
    /// What is seen.
    pub(super) view: Rect,
    pub(super) name_width: f32,
    /// Left edges of the columns from the first one's, and the right edge of the last.
    pub(super) edges: Vec<f32>,
    pub(super) n_rows: usize,
}

impl Place2D {
    pub(super) fn cells(&self) -> Rect {
        Rect::from_min_max(self.view.min + vec2(self.name_width, HEADER), self.view.max)
    }

    pub(super) fn col_x(&self, col: usize) -> f32 {
        self.origin.x + self.name_width + self.edges.get(col).copied().unwrap_or_default()
    }

    pub(super) fn row_y(&self, row: usize) -> f32 {
        self.origin.y + HEADER + row as f32 * ROW
    }

    pub(super) fn cell(&self, place: Place) -> Rect {
        let (left, right) = (self.col_x(place.col), self.col_x(place.col + 1));
        Rect::from_min_size(pos2(left, self.row_y(place.row)), vec2(right - left, ROW))
    }

    pub(super) fn n_cols(&self) -> usize {
        self.edges.len() - 1
    }

    pub(super) fn rows_seen(&self) -> std::ops::Range<usize> {
        let top = self.view.top() - self.origin.y;
        let first = (top / ROW).floor().max(0.0) as usize;
        let last = ((top + self.view.height() - HEADER) / ROW).ceil().max(0.0) as usize;
        first.min(self.n_rows)..last.min(self.n_rows)
    }

    pub(super) fn cols_seen(&self) -> std::ops::Range<usize> {
        let seen = self.cells();
        let is_seen = |col: &usize| self.col_x(*col + 1) > seen.left() && self.col_x(*col) < seen.right();
        let first = (0..self.n_cols()).find(is_seen).unwrap_or(0);
        first..(first..self.n_cols()).take_while(is_seen).last().map_or(first, |last| last + 1)
    }

    /// The cell nearest to a point.
    pub(super) fn at(&self, pos: Pos2) -> Option<Place> {
        let row = ((pos.y - self.origin.y - HEADER) / ROW).floor().max(0.0) as usize;
        let x = pos.x - self.origin.x - self.name_width;
        let col = self.edges.partition_point(|edge| *edge <= x).saturating_sub(1);
        let last = self.n_rows.checked_sub(1)?;
        Some(Place { row: row.min(last), col: col.min(self.n_cols().checked_sub(1)?) })
    }
}
