//! Queries about an upright body: the tops on which it can stand, and whether it fits.
//!
//! Invariant: touching is not overlapping. One-way tiles and bodies have a top and stop no body from
//! the side.

use glam::Vec2;

use crate::{
    model::Cell,
    sim::{grid::CellKind, nav::Floor, physics::convex},
};

/// Overlaps below this are touching, in pixels.
pub(super) const TOUCH_PX: f32 = 0.01;

/// A surface to stand on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Top {
    /// Height in pixels.
    pub(super) y: f32,
    /// Whether it is solid only from above.
    pub(super) one_way: bool,
}

impl Floor {
    /// The highest surface below a place in pixels, down to the level's bottom.
    pub(super) fn top_below(&self, at: Vec2) -> Option<Top> {
        let grid = self.grid();
        let bottom = corner(grid.tile_size(), grid.bounds().1).y;
        self.top([at.x, at.x], [at.y, bottom])
    }

    /// The highest surface between two heights that is under some part of a horizontal range, all in pixels.
    pub(super) fn top(&self, [x0, x1]: [f32; 2], [y0, y1]: [f32; 2]) -> Option<Top> {
        let grid = self.grid();
        let middle = f32::midpoint(x0, x1);
        let (x0, x1) = ((x0 + TOUCH_PX).min(middle), (x1 - TOUCH_PX).max(middle));
        let (lo, hi) = (grid.cell_at(Vec2::new(x0, y0 - TOUCH_PX)), grid.cell_at(Vec2::new(x1, y1 + TOUCH_PX)));
        let (size, has_bodies) = (grid.tile_size(), self.has_ground_bodies());
        for row in lo[1]..=hi[1] {
            let mut best: Option<Top> = None;
            let mut take = |y: f32, one_way: bool| {
                if (y0 - TOUCH_PX..=y1 + TOUCH_PX).contains(&y) && best.is_none_or(|best| y < best.y) {
                    best = Some(Top { y, one_way });
                }
            };
            for column in lo[0]..=hi[0] {
                let kind = grid.cell([column, row]);
                let corner = corner(size, [column, row]);
                if kind.full {
                    if !grid.cell([column, row - 1]).full {
                        take(corner.y, false);
                    }
                    continue;
                }
                for piece in &kind.pieces {
                    if let Some(y) = top_of(&piece.points, [x0 - corner.x, x1 - corner.x]) {
                        take(corner.y + y, piece.one_way);
                    }
                }
            }
            let cells = [lo[0]..hi[0].saturating_add(1), row..row.saturating_add(1)];
            for (body, one_way) in has_bodies.then(|| self.ground_bodies_in(&cells)).into_iter().flatten() {
                if let Some(y) = top_of(&body.points, [x0, x1]) {
                    take(y - body.radius, one_way);
                }
            }
            // Rows further down are lower.
            if best.is_some() {
                return best;
            }
        }
        None
    }

    /// Whether a box contains a partly solid tile or a body: only there is ground uneven within a tile.
    pub(super) fn is_uneven(&self, lo: Vec2, hi: Vec2) -> bool {
        let grid = self.grid();
        let (first, last) = (grid.cell_at(lo), grid.cell_at(hi));
        let mut cells = (first[1]..=last[1]).flat_map(|row| (first[0]..=last[0]).map(move |column| [column, row]));
        let is_part = |kind: &CellKind| kind.is_solid() && !kind.full;
        cells.any(|cell| is_part(grid.cell(cell)))
            || self.ground_bodies_in(&[0, 1].map(|i| first[i]..last[i].saturating_add(1))).next().is_some()
    }

    /// Whether nothing that is solid from every side overlaps an upright box, in pixels.
    pub(in crate::sim) fn is_box_clear(&self, lo: Vec2, hi: Vec2) -> bool {
        let (lo, hi) = (lo + TOUCH_PX, hi - TOUCH_PX);
        let grid = self.grid();
        let size = grid.tile_size();
        let (first, last) = (grid.cell_at(lo), grid.cell_at(hi));
        let meets = |kind: &CellKind, cell: Cell| {
            let corner = corner(size, cell);
            let mut solid = kind.pieces.iter().filter(|piece| !piece.one_way);
            kind.full || solid.any(|piece| meets_box(&piece.points, lo - corner, hi - corner))
        };
        let tiles = (first[1]..=last[1]).flat_map(|row| (first[0]..=last[0]).map(move |column| [column, row]));
        if tiles.into_iter().any(|cell| meets(grid.cell(cell), cell)) {
            return false;
        }
        let cells = [0, 1].map(|i| first[i]..last[i].saturating_add(1));
        !self.bodies_in(&cells).any(|body| meets_box(&body.points, lo - body.radius, hi + body.radius))
    }
}

/// The left top corner of a cell, in pixels.
pub(super) fn corner(size: Vec2, cell: Cell) -> Vec2 {
    #[expect(clippy::cast_precision_loss, reason = "levels are far smaller than 2^24 cells")]
    let cell = Vec2::new(cell[0] as f32, cell[1] as f32);
    cell * size
}

/// The highest point of a convex outline within a horizontal range, in pixels.
fn top_of(points: &[Vec2], [x0, x1]: [f32; 2]) -> Option<f32> {
    let mut top: Option<f32> = None;
    let mut take = |y: f32| top = Some(top.map_or(y, |top| top.min(y)));
    for (a, b) in convex::edges(points) {
        if (x0..=x1).contains(&a.x) {
            take(a.y);
        }
        for x in [x0, x1] {
            if (a.x < x) != (b.x < x) {
                take(a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x));
            }
        }
    }
    top
}

/// Whether an upright box overlaps a convex outline.
///
/// Source: separating axis test, as in `sim::physics::sat`.
fn meets_box(points: &[Vec2], lo: Vec2, hi: Vec2) -> bool {
    let around = |(a, b): (Vec2, Vec2), p: &Vec2| (a.min(*p), b.max(*p));
    let (a, b) = points.iter().fold((Vec2::INFINITY, Vec2::NEG_INFINITY), around);
    if a.x >= hi.x || a.y >= hi.y || b.x <= lo.x || b.y <= lo.y {
        return false;
    }
    let (middle, half) = ((lo + hi) / 2.0, (hi - lo) / 2.0);
    convex::edges(points).all(|(a, b)| {
        let out = convex::outward(a, b);
        out.dot(middle - a) < half.dot(out.abs()) || out == Vec2::ZERO
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_meet_slopes_where_they_overlap() {
        // A slope that rises to the right.
        let slope = [Vec2::new(0.0, 16.0), Vec2::new(16.0, 0.0), Vec2::new(16.0, 16.0)];
        for (lo, hi, meets) in [
            ([0.0, 0.0], [8.0, 7.9], false),
            ([0.0, 0.0], [8.0, 8.1], true),
            ([0.0, 0.0], [16.0, 1.0], true),
            ([-8.0, 0.0], [0.0, 16.0], false),
            ([15.0, 15.0], [20.0, 20.0], true),
        ] {
            assert_eq!(meets_box(&slope, Vec2::from(lo), Vec2::from(hi)), meets, "{lo:?} {hi:?}");
        }
        assert_eq!(top_of(&slope, [4.0, 4.0]), Some(12.0));
        assert_eq!(top_of(&slope, [4.0, 6.0]), Some(10.0));
        assert_eq!(top_of(&slope, [-4.0, -1.0]), None);
    }
}
