//! Places where a walker stands, one in each cell at most, and whether it walks from one to the next.

use glam::Vec2;

use super::{
    Floor,
    ground::{TOUCH_PX, corner},
    walker::Walker,
};
use crate::model::Cell;

/// Steps between two columns that are looked at.
const SAMPLES: u8 = 4;
/// Beside the middle of a column, as shares of its width, tried in turn: where a wall is near, the middle has no room.
const BESIDE: [f32; 5] = [0.0, -0.25, 0.25, -0.48, 0.48];

/// The share of its width that has to be on something for a landing to count.
pub(super) const HOLD: f32 = 0.3;

/// A place where a walker stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stand {
    /// The cell its feet are in: the surface under its middle is in it, or is its lower side.
    pub(super) cell: Cell,
    /// Of its middle, in pixels.
    pub(super) x: f32,
    /// Of its feet, in pixels.
    pub(super) feet: f32,
    /// What it stands on is solid only from above.
    pub(super) one_way: bool,
    /// Of a step there.
    pub(super) cost: f32,
}

impl Walker {
    /// Where a walker's origin is that stands with its feet there.
    pub(super) fn origin(&self, x: f32, feet: f32) -> Vec2 {
        Vec2::new(x, feet - self.hi.y)
    }

    pub(super) fn has_room(&self, floor: &Floor, x: f32, feet: f32) -> bool {
        let origin = self.origin(x, feet);
        floor.is_box_clear(origin + self.lo, origin + self.hi)
    }

    fn span(&self, x: f32) -> [f32; 2] {
        [x + self.lo.x, x + self.hi.x]
    }

    /// The place to stand in a cell.
    pub(super) fn stand(&self, floor: &Floor, cell: Cell, agent: Option<usize>) -> Option<Stand> {
        let grid = floor.grid();
        if !grid.contains(cell) {
            return None;
        }
        let (here, below) = (grid.cell(cell), grid.cell([cell[0], cell[1] + 1]));
        let has_tiles = here.is_solid() || below.is_solid();
        if here.full || !(has_tiles || floor.has_bodies()) {
            return None;
        }
        let cost = here.cost(agent)?;
        let (size, corner) = (grid.tile_size(), corner(grid.tile_size(), cell));
        let steepest = self.spec.max_slope_rad.tan().min(8.0) + 0.05;
        BESIDE.iter().find_map(|share| {
            let x = corner.x + size.x * (0.5 + share);
            let top = floor.top([x, x], [corner.y + 2.0 * TOUCH_PX, corner.y + size.y])?;
            let beside = |x: f32| floor.top([x, x], [top.y - 8.0, top.y + 8.0]);
            let is_steep = match (beside(x - 1.0), beside(x + 1.0)) {
                (Some(a), Some(b)) => (a.y - b.y).abs() / 2.0 > steepest.max(self.spec.step_height / 2.0),
                _ => false,
            };
            let feet = floor.top(self.span(x), [top.y - self.rise(), top.y])?.y;
            let fits = !is_steep && self.has_room(floor, x, feet);
            fits.then_some(Stand { cell, x, feet, one_way: top.one_way, cost })
        })
    }

    /// The unit vector to the right along what it stands on.
    pub(super) fn tangent(&self, floor: &Floor, at: &Stand) -> Vec2 {
        let feet = |x: f32| floor.top(self.span(x), [at.feet - 4.0, at.feet + 4.0]).map_or(at.feet, |top| top.y);
        let rise = feet(at.x + 2.0) - feet(at.x - 2.0);
        // A step is no slope.
        if rise.abs() > 4.0 * self.spec.max_slope_rad.tan().min(8.0) + 0.1 {
            return Vec2::X;
        }
        Vec2::new(4.0, rise).normalize()
    }

    /// Whether it walks from one place to another, and back, without a jump.
    pub(super) fn walks(&self, floor: &Floor, from: &Stand, to: &Stand) -> bool {
        let step = (to.x - from.x) / f32::from(SAMPLES);
        let rise = self.spec.step_height.max(step.abs() * self.spec.max_slope_rad.tan().min(8.0)) + 0.5;
        let mut feet = from.feet;
        let is_clear = (1..=SAMPLES).all(|i| {
            let x = from.x + step * f32::from(i);
            let Some(top) = floor.top(self.span(x), [feet - rise, feet + rise]) else { return false };
            feet = top.y;
            self.has_room(floor, x, feet)
        });
        is_clear && (feet - to.feet).abs() <= 1.0
    }

    /// The cell of the place where a walker stands with its feet here: where something is under its middle, or under
    /// this share of its width at a side.
    pub(super) fn cell_of(&self, floor: &Floor, x: f32, feet: f32, hold: f32) -> Option<Cell> {
        let height = floor.grid().tile_size().y;
        let hold = (self.hi.x - self.lo.x) * hold;
        let columns = [x, x + self.lo.x + hold, x + self.hi.x - hold];
        columns.into_iter().find_map(|x| {
            let top = floor.top([x, x], [feet - 1.0, feet + self.rise() + 1.0])?;
            Some(floor.grid().cell_at(Vec2::new(x, top.y - 2.0 * TOUCH_PX.min(height))))
        })
    }
}
