//! Straight lines through the grid: sight, shots, and whether a disc can move straight from here to there.
//!
//! Invariant: [`SolidGrid::is_clear`] is symmetric. One-way tiles stop no line: sight, shots and jumps pass them. A
//! line that only touches a wall is not stopped.

use std::ops::{ControlFlow, Range};

use glam::{DVec2, Vec2};

use super::{CellKind, SolidGrid};
use crate::model::{CHUNK, Cell};

/// Distances below this are touching, in pixels.
const TOUCH: f64 = 1e-4;
/// Lines to places farther from the origin than this are not traced, in pixels: their cells cannot be counted.
const FAR: f64 = 1e9;

/// The point where a ray hits something solid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GridHit {
    /// The cell that is hit.
    pub cell: Cell,
    /// Share of the ray before the hit, 0 to 1.
    pub fraction: f32,
    /// Position of the hit, in pixels.
    pub pos: Vec2,
}

impl SolidGrid {
    /// The first solid tile on the line from one point to another, both in pixels.
    #[must_use]
    pub fn ray(&self, from: Vec2, to: Vec2) -> Option<GridHit> {
        let (a, b) = (from.as_dvec2(), to.as_dvec2());
        let (cell, t) = self.first_solid(a, b)?;
        #[allow(clippy::cast_possible_truncation)] // a share of 1
        Some(GridHit { cell, fraction: t as f32, pos: a.lerp(b, t).as_vec2() })
    }

    /// Whether nothing solid is between two points, in pixels.
    #[must_use]
    pub fn sight_clear(&self, from: Vec2, to: Vec2) -> bool {
        self.is_clear(from, to, 0.0)
    }

    /// Approximate number of cells that a line between two points crosses where anything may be solid.
    #[must_use]
    pub fn n_cells_between(&self, from: Vec2, to: Vec2) -> u64 {
        let (a, b) = (from.as_dvec2(), to.as_dvec2());
        let Some((t0, t1)) = self.near_chunks(a, b, 0.0) else { return 1 };
        let cells = ((b - a) * (t1 - t0) / self.tile_size().as_dvec2()).abs();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // saturates
        let n = (cells.x + cells.y) as u64;
        n.saturating_add(1)
    }

    /// Whether a disc of this radius, in pixels, can slide straight from one point to the other. Points and radii that
    /// are not finite, or too far away to be traced, are never clear.
    #[must_use]
    pub fn is_clear(&self, from: Vec2, to: Vec2, radius: f32) -> bool {
        let (mut a, mut b) = (from.as_dvec2(), to.as_dvec2());
        if !is_near(a) || !is_near(b) || !radius.is_finite() {
            return false;
        }
        if (b.x, b.y) < (a.x, a.y) {
            std::mem::swap(&mut a, &mut b);
        }
        if radius > 0.0 { self.is_swept_clear(a, b, f64::from(radius)) } else { self.first_solid(a, b).is_none() }
    }

    /// Whether any cell in these columns and rows is partly solid.
    #[must_use]
    pub fn has_parts(&self, [xs, ys]: &[Range<i32>; 2]) -> bool {
        let Some((lo, hi)) = self.solid_box.filter(|_| self.palette.has_parts()) else { return false };
        let (first, last) = (xs.start.max(lo[0]), xs.end.min(hi[0]) - 1);
        if first > last {
            return false;
        }
        (ys.start.max(lo[1])..ys.end.min(hi[1])).any(|row| {
            let (chunk_row, within) = (row.div_euclid(CHUNK), usize::try_from(row.rem_euclid(CHUNK)).unwrap_or(0));
            (first.div_euclid(CHUNK)..=last.div_euclid(CHUNK)).any(|chunk_x| {
                let mask = row_mask(chunk_x, first, last);
                self.chunk([chunk_x, chunk_row]).is_some_and(|chunk| chunk.part[within] & mask != 0)
            })
        })
    }

    fn corner(&self, cell: Cell) -> DVec2 {
        let size = self.tile_size().as_dvec2();
        DVec2::new(f64::from(cell[0]) * size.x, f64::from(cell[1]) * size.y)
    }

    /// The part of the line within the bounds of the chunks, as shares 0 to 1; outside nothing is solid.
    fn near_chunks(&self, a: DVec2, b: DVec2, margin: f64) -> Option<(f64, f64)> {
        let (lo, hi) = self.solid_box?;
        let size = self.tile_size().as_dvec2();
        let (lo, hi) = (DVec2::new(lo[0].into(), lo[1].into()), DVec2::new(hi[0].into(), hi[1].into()));
        let (lo, hi) = (lo * size - margin, hi * size + margin);
        let (mut t0, mut t1) = (0.0_f64, 1.0_f64);
        for (p, d, lo, hi) in [(a.x, b.x - a.x, lo.x, hi.x), (a.y, b.y - a.y, lo.y, hi.y)] {
            if d == 0.0 {
                if p < lo || p > hi {
                    return None;
                }
                continue;
            }
            let (near, far) = ((lo - p) / d, (hi - p) / d);
            t0 = t0.max(near.min(far));
            t1 = t1.min(near.max(far));
        }
        (t0 <= t1).then_some((t0, t1))
    }

    /// The first solid cell on a line, and the share of the line, 0 to 1, at which it is entered.
    ///
    /// A line exactly along a seam, or through a corner where four cells meet, is stopped if both cells beside it are
    /// wholly solid: there is no gap between two walls that touch.
    ///
    /// Source: Amanatides, Woo, "A fast voxel traversal algorithm for ray tracing".
    fn first_solid(&self, a: DVec2, b: DVec2) -> Option<(Cell, f64)> {
        if !is_near(a) || !is_near(b) {
            return None;
        }
        let (start, end) = self.near_chunks(a, b, 0.0)?;
        let mut found = None;
        walk(a, b, start, end, self.tile_size().as_dvec2(), |cell, beside, t0, t1| {
            let kind = self.cell(cell);
            let blocked = match beside {
                Some(other) => (kind.full && self.cell(other).full).then_some(t0),
                None if kind.full => Some(t0),
                None => self.enter_pieces(kind, cell, a, b, t0, t1),
            };
            match blocked {
                Some(t) => {
                    found = Some((cell, t));
                    ControlFlow::Break(())
                }
                None => ControlFlow::Continue(()),
            }
        });
        found
    }

    fn enter_pieces(&self, kind: &CellKind, cell: Cell, a: DVec2, b: DVec2, t0: f64, t1: f64) -> Option<f64> {
        if kind.pieces.is_empty() {
            return None;
        }
        let corner = self.corner(cell);
        let hits = solid_pieces(kind).filter_map(|points| {
            let (near, far) = clip_to_convex(a, b, corner, points)?;
            let (near, far) = (near.max(t0), far.min(t1));
            ((far - near) * a.distance(b) > TOUCH || a == b).then_some(near)
        });
        hits.min_by(f64::total_cmp)
    }

    fn is_swept_clear(&self, a: DVec2, b: DVec2, radius: f64) -> bool {
        let Some((t0, t1)) = self.near_chunks(a, b, radius) else { return true };
        let size = self.tile_size().as_dvec2();
        let (from, to) = (a.lerp(b, t0), a.lerp(b, t1));
        let row_of = |y: f64| cell_index(y / size.y);
        let (top, bottom) = (from.y.min(to.y) - radius, from.y.max(to.y) + radius);
        let Some((lo, hi)) = self.solid_box else { return true };
        for row in row_of(top).max(lo[1])..=row_of(bottom).min(hi[1]) {
            // The part of the line within reach of this row, extended by the radius of the disc.
            let (y0, y1) = (f64::from(row) * size.y - radius, f64::from(row + 1) * size.y + radius);
            let (x0, x1) = if from.y == to.y {
                (from.x.min(to.x), from.x.max(to.x))
            } else {
                let at = |y: f64| ((y - from.y) / (to.y - from.y)).clamp(0.0, 1.0);
                let (p, q) = (from.lerp(to, at(y0)).x, from.lerp(to, at(y1)).x);
                (p.min(q), p.max(q))
            };
            let (first, last) = (cell_index((x0 - radius) / size.x), cell_index((x1 + radius) / size.x));
            let (first, last) = (first.max(lo[0]), last.min(hi[0]));
            if first > last {
                continue;
            }
            if !self.is_row_clear(row, first, last, a, b, radius) {
                return false;
            }
        }
        true
    }

    fn is_row_clear(&self, row: i32, first: i32, last: i32, a: DVec2, b: DVec2, radius: f64) -> bool {
        let (chunk_row, within) = (row.div_euclid(CHUNK), usize::try_from(row.rem_euclid(CHUNK)).unwrap_or(0));
        for chunk_x in first.div_euclid(CHUNK)..=last.div_euclid(CHUNK) {
            let Some(chunk) = self.chunk([chunk_x, chunk_row]) else { continue };
            let mut bits = (chunk.full[within] | chunk.part[within]) & row_mask(chunk_x, first, last);
            while bits != 0 {
                let x = i32::try_from(bits.trailing_zeros()).unwrap_or(0);
                bits &= bits - 1;
                let cell = [chunk_x * CHUNK + x, row];
                if self.disc_meets(cell, a, b, radius) {
                    return false;
                }
            }
        }
        true
    }

    fn disc_meets(&self, cell: Cell, a: DVec2, b: DVec2, radius: f64) -> bool {
        let (kind, corner) = (self.cell(cell), self.corner(cell));
        let (w, h) = self.tile_size().into();
        let meets = |points: &[Vec2]| swept_meets(a, b, radius, corner, points);
        if kind.full {
            return meets(&[Vec2::ZERO, Vec2::new(w, 0.0), Vec2::new(w, h), Vec2::new(0.0, h)]);
        }
        solid_pieces(kind).any(meets)
    }
}

/// Whether a disc of this radius overlaps a convex polygon, with corners clockwise on the screen, while it slides
/// straight from one point to another, all in pixels. Touching is not overlapping.
#[must_use]
pub fn meets_convex(from: Vec2, to: Vec2, radius: f32, points: &[Vec2]) -> bool {
    let (mut a, mut b) = (from.as_dvec2(), to.as_dvec2());
    if (b.x, b.y) < (a.x, a.y) {
        std::mem::swap(&mut a, &mut b);
    }
    swept_meets(a, b, radius.into(), DVec2::ZERO, points)
}

fn swept_meets(a: DVec2, b: DVec2, radius: f64, corner: DVec2, points: &[Vec2]) -> bool {
    let is_crossed = points.len() > 2 && clip_to_convex(a, b, corner, points).is_some_and(|(near, far)| far > near);
    is_crossed || outline_distance(a, b, corner, points) < radius - TOUCH
}

fn is_near(p: DVec2) -> bool {
    // Also false for NaN.
    p.abs().max_element() <= FAR && p.is_finite()
}

fn solid_pieces(kind: &CellKind) -> impl Iterator<Item = &[Vec2]> {
    kind.pieces.iter().filter(|piece| !piece.one_way).map(|piece| piece.points.as_slice())
}

/// The bits of a chunk's row within these columns, the last included.
fn row_mask(chunk_x: i32, first: i32, last: i32) -> u32 {
    let (lo, hi) = (first.max(chunk_x * CHUNK) - chunk_x * CHUNK, last.min(chunk_x * CHUNK + 31) - chunk_x * CHUNK);
    (u32::MAX << lo) & (u32::MAX >> (31 - hi))
}

#[allow(clippy::cast_possible_truncation)] // saturates
fn cell_index(at: f64) -> i32 {
    at.floor() as i32
}

/// Visit the cells of a line between two of its points, in order, with the range of the line in each. A second cell is
/// given if the line runs along the seam of two or, with an empty range, passes exactly between two at a corner.
fn walk(
    a: DVec2,
    b: DVec2,
    start: f64,
    end: f64,
    size: DVec2,
    mut visit: impl FnMut(Cell, Option<Cell>, f64, f64) -> ControlFlow<()>,
) {
    let d = b - a;
    let p = a.lerp(b, start);
    let mut cell = [cell_index(p.x / size.x), cell_index(p.y / size.y)];
    // A vertical or horizontal line on a seam keeps the cells on both sides in view.
    let seam = [d.x == 0.0 && d.y != 0.0 && a.x % size.x == 0.0, d.y == 0.0 && d.x != 0.0 && a.y % size.y == 0.0];
    let beside = |cell: Cell| match seam {
        [true, _] => Some([cell[0] - 1, cell[1]]),
        [_, true] => Some([cell[0], cell[1] - 1]),
        _ => None,
    };
    let step = [d.x, d.y].map(|d| if d > 0.0 { 1 } else { -1 });
    let next_border = |cell: Cell, i: usize| {
        let (from, along, side) = if i == 0 { (a.x, d.x, size.x) } else { (a.y, d.y, size.y) };
        if along == 0.0 {
            return f64::INFINITY;
        }
        (f64::from(cell[i] + i32::from(along > 0.0)) * side - from) / along
    };
    let mut t = start;
    let mut next = [next_border(cell, 0), next_border(cell, 1)];
    loop {
        let leave = next[0].min(next[1]).min(end);
        // A cell touched at one point only is not entered, except by a line that is one point.
        if (leave > t || (a == b)) && visit(cell, beside(cell), t, leave).is_break() {
            return;
        }
        if next[0].min(next[1]) >= end {
            return;
        }
        t = leave.max(t);
        if next[0] == next[1] {
            let (across, along) = ([cell[0] + step[0], cell[1]], [cell[0], cell[1] + step[1]]);
            if visit(across, Some(along), t, t).is_break() {
                return;
            }
            cell = [across[0], along[1]];
            next = [next_border(cell, 0), next_border(cell, 1)];
        } else {
            let i = usize::from(next[1] < next[0]);
            cell[i] += step[i];
            next[i] = next_border(cell, i);
        }
    }
}

/// The range of a line, as shares 0 to 1, within a convex polygon with corners clockwise on the screen.
///
/// Source: Cyrus, Beck, "Generalized two- and three-dimensional clipping".
fn clip_to_convex(a: DVec2, b: DVec2, corner: DVec2, points: &[Vec2]) -> Option<(f64, f64)> {
    let (mut near, mut far) = (0.0_f64, 1.0_f64);
    let d = b - a;
    for (i, p) in points.iter().enumerate() {
        let p = p.as_dvec2() + corner;
        let q = points[(i + 1) % points.len()].as_dvec2() + corner;
        let edge = q - p;
        // Above zero inside.
        let (at, along) = (edge.perp_dot(a - p), edge.perp_dot(d));
        if along == 0.0 {
            // On the edge is touching.
            if at <= TOUCH * edge.length() {
                return None;
            }
        } else if along > 0.0 {
            near = near.max(-at / along);
        } else {
            far = far.min(-at / along);
        }
    }
    (near <= far).then_some((near, far))
}

/// The distance of a line from a polygon's outline that it does not cross, in pixels.
fn outline_distance(a: DVec2, b: DVec2, corner: DVec2, points: &[Vec2]) -> f64 {
    let mut least = f64::INFINITY;
    for (i, p) in points.iter().enumerate() {
        let p = p.as_dvec2() + corner;
        let q = points[(i + 1) % points.len()].as_dvec2() + corner;
        let to_edge = point_segment(a, p, q).min(point_segment(b, p, q));
        least = least.min(to_edge).min(point_segment(p, a, b));
    }
    least.sqrt()
}

/// Squared distance of a point from a segment, in px².
fn point_segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let d = b - a;
    let len = d.length_squared();
    let t = if len > 0.0 { ((p - a).dot(d) / len).clamp(0.0, 1.0) } else { 0.0 };
    p.distance_squared(a + d * t)
}
