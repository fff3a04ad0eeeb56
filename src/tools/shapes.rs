//! Cells of lines, rectangles and ellipses.
//!
//! Invariant: each cell comes once; shapes are cut to a rectangle before they are walked, so a wild drag costs no more
//! than the level.

use crate::model::Cell;

/// A rectangle of cells by two opposite corners, both included, as left top and right bottom.
#[must_use]
pub(super) fn sorted(a: Cell, b: Cell) -> (Cell, Cell) {
    ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])])
}

/// How many columns and rows there are from a cell to another, both included: `12 × 4`.
#[must_use]
pub(super) fn size_note(a: Cell, b: Cell) -> String {
    format!("{} × {}", b[0].abs_diff(a[0]).saturating_add(1), b[1].abs_diff(a[1]).saturating_add(1))
}

/// The cells of a straight line, both ends included, without gaps: neighbors touch by a side or a corner. Of a line
/// that is cut to a rectangle (left top and right bottom, included) the others are not walked.
///
/// Source: the cells are those of Bresenham, "Algorithm for computer control of a digital plotter" (1965); each is
/// computed by its number instead of from the one before.
pub fn line(from: Cell, to: Cell, within: Option<(Cell, Cell)>) -> impl Iterator<Item = Cell> {
    let delta = [0, 1].map(|i| i64::from(to[i]) - i64::from(from[i]));
    let n = delta[0].abs().max(delta[1].abs());
    let major = usize::from(delta[1].abs() > delta[0].abs());
    // Along its longer side the line goes one cell a step, so the steps inside are a range.
    let (first, last) = within.map_or((0, n), |(lo, hi)| {
        let (lo, hi) = (i64::from(lo[major]) - i64::from(from[major]), i64::from(hi[major]) - i64::from(from[major]));
        let (lo, hi) = if delta[major] < 0 { (-hi, -lo) } else { (lo, hi) };
        (lo.max(0), hi.min(n))
    });
    let at = move |step: i64, i: usize| {
        let by = if n == 0 { 0 } else { (2 * step * delta[i].abs() + n) / (2 * n) };
        i32::try_from(i64::from(from[i]) + delta[i].signum() * by).unwrap_or(to[i])
    };
    let cells = (first..=last).map(move |step| [at(step, 0), at(step, 1)]);
    cells.filter(move |cell| within.is_none_or(|(lo, hi)| (0..2).all(|i| (lo[i]..=hi[i]).contains(&cell[i]))))
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

/// The cells of the ellipse that fills a rectangle of cells, or of its outline, in a row: the first and last column of
/// each run.
pub(super) fn ellipse_row(a: Cell, b: Cell, is_outline: bool) -> impl Fn(i32) -> Vec<(i32, i32)> {
    let (lo, hi) = sorted(a, b);
    let [w, h] = [0, 1].map(|i| i128::from(hi[i]) - i128::from(lo[i]) + 1);
    // In half cells from the center all is whole: the cell (x, y) is at (2x − w + 1, 2y − h + 1), and in when
    // dx² h² + dy² w² ≤ w² h²; or a little more, so that the ellipse touches all four sides.
    let weigh = move |dx: i128, dy: i128| dx * dx * h * h + dy * dy * w * w;
    let middle = |side: i128| 1 - side % 2;
    let most = (w * w * h * h).max(weigh(w - 1, middle(h))).max(weigh(middle(w), h - 1));
    // The first column of a row, counted from the left; its last is as far from the right.
    let first = move |row: i128| {
        let is_in = |x: i128| weigh(2 * x - w + 1, 2 * row - h + 1) <= most;
        let (mut out, mut inside) = (-1, (w - 1) / 2);
        if !(0..h).contains(&row) || !is_in(inside) {
            return None;
        }
        while inside - out > 1 {
            let between = i128::midpoint(out, inside);
            *(if is_in(between) { &mut inside } else { &mut out }) = between;
        }
        Some(inside)
    };
    move |y| {
        let row = i128::from(y) - i128::from(lo[1]);
        let Some(start) = first(row) else { return Vec::new() };
        let column = |x: i128| i32::try_from(x + i128::from(lo[0])).unwrap_or(lo[0]);
        // Inside are cells with others of it on all sides.
        let beside = first(row - 1).zip(first(row + 1)).map(|(above, below)| above.max(below).max(start + 1));
        match beside.filter(|inner| is_outline && 2 * inner < w) {
            Some(inner) => vec![(column(start), column(inner - 1)), (column(w - inner), column(w - 1 - start))],
            None => vec![(column(start), column(w - 1 - start))],
        }
    }
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
