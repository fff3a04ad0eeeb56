//! Cells of lines, rectangles and ellipses.
//!
//! Invariant: each cell comes once; shapes are cut to a rectangle before they are walked, so a wild drag costs no more than
//! the level.

use crate::model::Cell;

/// A rectangle of cells by two opposite corners, both included, as left top and right bottom.
#[must_use]
pub(super) fn sorted(a: Cell, b: Cell) -> (Cell, Cell) {
    ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])])
}

/// The cells of a straight line, both ends included, without gaps: neighbors touch by a side or a corner.
///
/// Source: Bresenham, "Algorithm for computer control of a digital plotter" (1965), in its all-octant form.
pub fn line(from: Cell, to: Cell) -> impl Iterator<Item = Cell> {
    let delta = [i64::from(to[0]) - i64::from(from[0]), i64::from(to[1]) - i64::from(from[1])];
    let (dx, dy) = (delta[0].abs(), -delta[1].abs());
    let step = [delta[0].signum(), delta[1].signum()];
    let mut at = from.map(i64::from);
    let mut error = dx + dy;
    let mut left = dx.max(-dy) + 1;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        left -= 1;
        // Both ends are `i32` and so is all between them.
        let cell = [i32::try_from(at[0]).ok()?, i32::try_from(at[1]).ok()?];
        let twice = 2 * error;
        if twice >= dy {
            error += dy;
            at[0] += step[0];
        }
        if twice <= dx {
            error += dx;
            at[1] += step[1];
        }
        Some(cell)
    })
}

/// The cells of a rectangle, or of its outline.
pub fn rectangle(a: Cell, b: Cell, is_outline: bool) -> impl Iterator<Item = Cell> {
    let (lo, hi) = sorted(a, b);
    (lo[1]..=hi[1]).flat_map(move |y| {
        let is_edge = !is_outline || y == lo[1] || y == hi[1];
        let width = usize::try_from(i64::from(hi[0]) - i64::from(lo[0])).unwrap_or(1).max(1);
        (lo[0]..=hi[0]).step_by(if is_edge { 1 } else { width }).map(move |x| [x, y])
    })
}

/// The cells whose centers lie in the ellipse that fills a rectangle of cells, or those of them that have a side
/// neighbor outside.
pub fn ellipse(a: Cell, b: Cell, is_outline: bool) -> impl Iterator<Item = Cell> {
    let (lo, hi) = sorted(a, b);
    let size = [0, 1].map(|i| i64::from(hi[i]) - i64::from(lo[i]) + 1);
    // In half cells from the center, all is whole: (2x − w + 1)² h² + (2y − h + 1)² w² ≤ w² h².
    let is_in = move |x: i64, y: i64| {
        let [w, h] = size.map(i128::from);
        let (dx, dy) = (2 * i128::from(x) - w + 1, 2 * i128::from(y) - h + 1);
        dx * dx * h * h + dy * dy * w * w <= w * w * h * h
    };
    rectangle(lo, hi, false).filter(move |cell| {
        let [x, y] = [0, 1].map(|i| i64::from(cell[i]) - i64::from(lo[i]));
        let is_inner = || is_in(x - 1, y) && is_in(x + 1, y) && is_in(x, y - 1) && is_in(x, y + 1);
        is_in(x, y) && !(is_outline && is_inner())
    })
}

/// `to` moved so that the rectangle from `from` to it is a square.
#[must_use]
pub(super) fn squared(from: Cell, to: Cell) -> Cell {
    let side = [0, 1].map(|i| from[i].abs_diff(to[i])).into_iter().max().unwrap_or(0);
    [0, 1].map(|i| {
        if to[i] < from[i] { from[i].saturating_sub_unsigned(side) } else { from[i].saturating_add_unsigned(side) }
    })
}

/// `to` moved so that the line from `from` to it goes in one of eight directions.
#[must_use]
pub(super) fn straightened(from: Cell, to: Cell) -> Cell {
    let [dx, dy] = [0, 1].map(|i| from[i].abs_diff(to[i]));
    if dx >= dy.saturating_mul(2) {
        [to[0], from[1]]
    } else if dy >= dx.saturating_mul(2) {
        [from[0], to[1]]
    } else {
        squared(from, to)
    }
}
