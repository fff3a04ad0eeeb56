//! Places where a walker stands, one in each cell at most, and whether it walks from one to the next.

use glam::Vec2;

use super::{
    Floor,
    ground::{TOUCH_PX, corner},
    walker::{Walker, belt_at},
};
use crate::model::Cell;

/// Steps between two columns that are looked at.
const SAMPLES: u8 = 4;
/// Pixels between two columns that are looked at where the ground is uneven, and the most of them.
const FINE_PX: f32 = 0.5;
const MOST_FINE: f32 = 512.0;
/// How inexact heights are for that, in pixels.
const FINE_NOISE_PX: f32 = 0.05;
/// How far below its feet something holds a walker up, in pixels.
const BELOW_PX: f32 = 1.0;
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
    /// How fast it is carried to the right there, in px/s.
    pub(super) belt: f32,
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

    /// Whether nothing that is solid from every side holds it up: it can drop through what it stands on.
    #[must_use]
    pub fn has_opening(&self, floor: &Floor, origin: Vec2) -> bool {
        floor.is_box_clear(origin + self.lo, origin + self.hi + Vec2::new(0.0, BELOW_PX))
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
        let steepest = self.spec.steepest_rise() + 0.05;
        let mut beside_step = None;
        let at_a_place = BESIDE.iter().find_map(|share| {
            let x = corner.x + size.x * (0.5 + share);
            let top = floor.top([x, x], [corner.y + 2.0 * TOUCH_PX, corner.y + size.y])?;
            let beside = |x: f32| floor.top([x, x], [top.y - 8.0, top.y + 8.0]);
            let is_steep = match (beside(x - 1.0), beside(x + 1.0)) {
                (Some(a), Some(b)) => (a.y - b.y).abs() / 2.0 > steepest.max(self.spec.step_height / 2.0),
                _ => false,
            };
            let feet = floor.top(self.span(x), [top.y - self.rise(), top.y])?.y;
            let fits = !is_steep && self.has_room(floor, x, feet);
            let belt = belt_at(floor, x, top.y);
            let stand = fits.then_some(Stand { cell, x, feet, one_way: top.one_way, cost, belt })?;
            // Beside a step it stands on the ground that is under its middle, if it has room for that.
            if self.overhangs(floor, x, top.y, feet) {
                beside_step = beside_step.or(Some(stand));
                return None;
            }
            Some(stand)
        });
        at_a_place.or(beside_step)
    }

    /// Whether what it stands on lies under its side alone, and is higher than what is under its middle by a step that
    /// it does not walk up.
    fn overhangs(&self, floor: &Floor, x: f32, under: f32, feet: f32) -> bool {
        let noise = 2.0 * FINE_NOISE_PX;
        if under - feet <= self.spec.step_height + noise {
            return false;
        }
        [self.lo.x, self.hi.x].into_iter().any(|side| {
            let side = side - side.signum() * 2.0 * TOUCH_PX;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred at most")]
            let n = side.abs().clamp(1.0, MOST_FINE).ceil() as u16;
            let step = side / f32::from(n);
            let most = self.spec.step_height + step.abs() * self.spec.steepest_rise() + noise;
            let mut before = under;
            (1..=n).map(|i| x + step * f32::from(i)).any(|x| {
                let Some(top) = floor.top([x, x], [feet - noise, under + self.rise()]) else { return false };
                let rise = before - top.y;
                before = top.y;
                rise > most
            })
        })
    }

    /// The unit vector to the right along what it stands on.
    pub(super) fn tangent(&self, floor: &Floor, at: &Stand) -> Vec2 {
        let feet = |x: f32| floor.top(self.span(x), [at.feet - 4.0, at.feet + 4.0]).map_or(at.feet, |top| top.y);
        let rise = feet(at.x + 2.0) - feet(at.x - 2.0);
        // A step is no slope.
        if rise.abs() > 4.0 * self.spec.steepest_rise() + 0.1 {
            return Vec2::X;
        }
        Vec2::new(4.0, rise).normalize()
    }

    /// Whether it walks from one place to another, and back, without a jump.
    pub(super) fn walks(&self, floor: &Floor, from: &Stand, to: &Stand) -> bool {
        let step = (to.x - from.x) / f32::from(SAMPLES);
        let rise = self.spec.rise_within(step.abs()) + 0.5;
        let mut feet = from.feet;
        let is_clear = (1..=SAMPLES).all(|i| {
            let x = from.x + step * f32::from(i);
            let Some(top) = floor.top(self.span(x), [feet - rise, feet + rise]) else { return false };
            feet = top.y;
            self.has_room(floor, x, feet)
        });
        is_clear && (feet - to.feet).abs() <= 1.0 && !self.meets_face(floor, from, to)
    }

    /// Whether something between two places is too steep and too high to walk up, from one side or the other: the face
    /// of a tooth, which a few samples of a wide body can miss.
    fn meets_face(&self, floor: &Floor, from: &Stand, to: &Stand) -> bool {
        let (a, b) = if from.x < to.x { (from, to) } else { (to, from) };
        let half = f32::midpoint(-self.lo.x, self.hi.x);
        let middle = f32::midpoint(self.lo.x, self.hi.x);
        let (left, right) = (a.x + self.lo.x, b.x + self.hi.x);
        let highest = a.feet.min(b.feet);
        let lowest = a.feet.max(b.feet) + 2.0 * half;
        if !floor.is_uneven(Vec2::new(left, highest - self.rise()), Vec2::new(right, lowest)) {
            return false;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred at most")]
        let n = ((right - left) / FINE_PX).clamp(1.0, MOST_FINE).ceil() as u16;
        let fine = (right - left) / f32::from(n);
        let column = |i: u16| left + fine * f32::from(i);
        let tops: Vec<f32> = (0..=n)
            .map(|i| {
                let x = column(i);
                // Higher ones are above its head, or the places' own tests have met them.
                let share = ((x - a.x) / (b.x - a.x)).clamp(0.0, 1.0);
                let feet = a.feet + (b.feet - a.feet) * share;
                floor.top([x, x], [feet - self.rise(), lowest]).map_or(lowest, |top| top.y)
            })
            .collect();
        // Where its feet are, with its middle at each column.
        let lift = |aside: f32| {
            let r = self.foot_radius;
            if r > 0.0 { r - (r * r - aside * aside).max(0.0).sqrt() } else { 0.0 }
        };
        let feet_at = |x: f32| {
            let under = (0..=n).map(|i| (column(i) - x - middle, tops[usize::from(i)]));
            let under = under.filter(|(aside, _)| aside.abs() <= half - TOUCH_PX);
            under.fold(lowest, |feet, (aside, top)| feet.min(top + lift(aside)))
        };
        let feet: Vec<f32> =
            (0..=n).map(column).filter(|x| (a.x..=b.x).contains(&(x - middle))).map(|x| feet_at(x - middle)).collect();
        let steepest = fine * self.spec.steepest_rise() + FINE_NOISE_PX;
        let is_face = |climbs: &[f32]| {
            let mut face = 0.0;
            climbs.iter().any(|climb| {
                face = if *climb > steepest { face + climb } else { 0.0 };
                face > self.spec.step_height + FINE_NOISE_PX
            })
        };
        let to_right: Vec<f32> = feet.array_windows().map(|[a, b]| a - b).collect();
        let to_left: Vec<f32> = to_right.iter().rev().map(|climb| -climb).collect();
        is_face(&to_right) || is_face(&to_left)
    }

    /// The cell of the place where a walker stands with its feet here: where something is under its middle, or under
    /// this share of its width at a side.
    pub(super) fn cell_of(&self, floor: &Floor, x: f32, feet: f32, hold: f32) -> Option<Cell> {
        let height = floor.grid().tile_size().y;
        let hold = (self.hi.x - self.lo.x) * hold;
        let columns = [x, x + self.lo.x + hold, x + self.hi.x - hold];
        columns.into_iter().enumerate().find_map(|(i, x)| {
            let top = floor.top([x, x], [feet - 1.0, feet + self.rise() + 1.0])?;
            if i == 0 && self.overhangs(floor, x, top.y, feet) {
                return None;
            }
            Some(floor.grid().cell_at(Vec2::new(x, top.y - 2.0 * TOUCH_PX.min(height))))
        })
    }
}
