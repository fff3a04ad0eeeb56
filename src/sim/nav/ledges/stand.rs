//! Places where a walker can stand, at most one per cell, and whether it can walk from one to the next.

use glam::Vec2;

use super::{
    Floor,
    ground::{TOUCH_PX, corner},
    walker::Walker,
};
use crate::model::Cell;

/// Number of tests between two columns.
const SAMPLES: u8 = 4;
/// Distance in pixels of the tests between two columns on uneven ground, and the most tests.
const FINE_PX: f32 = 0.5;
const MOST_FINE: f32 = 512.0;
/// Tolerance of heights in these tests, in pixels.
const FINE_NOISE_PX: f32 = 0.05;
/// How far below its feet ground still holds a walker up, in pixels.
const BELOW_PX: f32 = 1.0;
/// The least ground under one side of a flat body that passes a gap, in pixels.
const SUPPORT_PX: f32 = 1.0;
/// How far a round foot may dip into a gap, as a share of what it can roll out of.
const ROLLED: f32 = 0.9;
/// Offsets from the middle of a column, as shares of its width, tried in turn: near a wall there is no room in the
/// middle.
const BESIDE: [f32; 5] = [0.0, -0.25, 0.25, -0.48, 0.48];

/// Least share of the body's width over ground for a landing to succeed.
pub(super) const MIN_FOOTING: f32 = 0.3;

/// A place where a walker can stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stand {
    /// The cell of its feet: the surface under its middle is in the cell, or is the cell's lower side.
    pub(super) cell: Cell,
    /// Horizontal position of its middle, in pixels.
    pub(super) x: f32,
    /// Height of its feet, in pixels.
    pub(super) feet: f32,
    /// Whether the ground is solid only from above.
    pub(super) one_way: bool,
    /// Cost of a step into the cell, in plain steps.
    pub(super) cost: f32,
    /// Speed of the belt under it, to the right, px/s.
    pub(super) belt: f32,
}

impl Walker {
    /// The position of the walker's origin when its feet are there, in pixels.
    pub(super) fn origin(&self, x: f32, feet: f32) -> Vec2 {
        Vec2::new(x, feet - self.hi.y)
    }

    pub(super) fn has_room(&self, floor: &Floor, x: f32, feet: f32) -> bool {
        let origin = self.origin(x, feet);
        floor.is_box_clear(origin + self.lo, origin + self.hi)
    }

    /// Whether it has room with its origin at a place, in pixels, or raised by as much as the ground under its sides is
    /// higher there.
    pub(in crate::sim::nav) fn has_room_at(&self, floor: &Floor, at: Vec2) -> bool {
        let feet = at.y + self.hi.y;
        let raised = floor.top(self.span(at.x), [feet - self.rise(), feet]).map_or(feet, |top| top.y);
        self.has_room(floor, at.x, raised)
    }

    /// Whether it has room on the ground right below a place, if there is ground.
    pub(in crate::sim) fn has_room_below(&self, floor: &Floor, at: Vec2) -> bool {
        let feet = floor
            .top_below(at)
            .map(|top| floor.top(self.span(at.x), [top.y - self.rise(), top.y]).map_or(top.y, |highest| highest.y));
        feet.is_none_or(|feet| self.has_room(floor, at.x, feet))
    }

    /// Whether nothing that is solid from every side holds it up, so that it can drop through the ground.
    #[must_use]
    pub fn has_opening(&self, floor: &Floor, origin: Vec2) -> bool {
        floor.is_box_clear(origin + self.lo, origin + self.hi + Vec2::new(0.0, BELOW_PX))
    }

    /// Whether there is ground near the middle of its feet: it does not slide off an end of the ground there.
    pub(super) fn has_footing(&self, floor: &Floor, x: f32, feet: f32) -> bool {
        let ([left, right], beside) = (self.span(x), (self.hi.x - self.lo.x) * MIN_FOOTING);
        floor.top([left + beside, right - beside], [feet - self.rise() - 1.0, feet + self.rise() + 1.0]).is_some()
    }

    fn span(&self, x: f32) -> [f32; 2] {
        [x + self.lo.x, x + self.hi.x]
    }

    /// The place in a cell, if the walker can stand there.
    pub(super) fn stand(&self, floor: &Floor, cell: Cell, agent: Option<usize>) -> Option<Stand> {
        let grid = floor.grid();
        if !grid.contains(cell) {
            return None;
        }
        let (here, below) = (grid.cell(cell), grid.cell([cell[0], cell[1] + 1]));
        let has_tiles = here.is_solid() || below.is_solid();
        if here.full || !(has_tiles || floor.has_ground_bodies()) {
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
            let belt = self.belt_at(floor, x, top.y);
            let stand = fits.then_some(Stand { cell, x, feet, one_way: top.one_way, cost, belt })?;
            // Beside a step it stands on the ground under its middle, if it has room there.
            if self.overhangs(floor, x, top.y, feet) {
                beside_step = beside_step.or(Some(stand));
                return None;
            }
            Some(stand)
        });
        at_a_place.or(beside_step)
    }

    /// Whether the ground is under the walker's side alone, and is higher than the ground under its middle by a step
    /// that it cannot walk up.
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

    /// The unit vector to the right along the ground.
    pub(super) fn tangent(&self, floor: &Floor, at: &Stand) -> Vec2 {
        let feet = |x: f32| floor.top(self.span(x), [at.feet - 4.0, at.feet + 4.0]).map_or(at.feet, |top| top.y);
        let rise = feet(at.x + 2.0) - feet(at.x - 2.0);
        // A step is no slope.
        if rise.abs() > 4.0 * self.spec.steepest_rise() + 0.1 {
            return Vec2::X;
        }
        Vec2::new(4.0, rise).normalize()
    }

    /// Whether it can walk from one place to another, and back, without a jump.
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

    /// Whether it gets on foot over the gap in level ground between two places, and back: there is always ground under a
    /// flat body, and a round foot dips into the gap by no more than it can roll out of.
    pub(super) fn spans(&self, floor: &Floor, from: &Stand, to: &Stand) -> bool {
        let way = to.x - from.x;
        let n = way.abs().ceil();
        let columns =
            || std::iter::successors(Some(1.0), |i| (i + 1.0 < n).then_some(i + 1.0)).map(|i| from.x + way * i / n);
        let near = [from.feet - BELOW_PX, from.feet + BELOW_PX];
        let is_over = |x: f32| {
            let [left, right] = self.span(x);
            floor.top([left + SUPPORT_PX, right - SUPPORT_PX], near).is_some() && self.has_room(floor, x, from.feet)
        };
        if way == 0.0 || (to.feet - from.feet).abs() > TOUCH_PX || !columns().all(is_over) {
            return false;
        }
        let gap = columns().filter(|x| floor.top([*x, *x], near).is_none()).fold(0.0, |px, _| px + way.abs() / n);
        self.foot_radius <= 0.0 || gap / 2.0 <= ROLLED * self.foot_radius * self.spec.steepest().y
    }

    /// Whether there is a face between two places that is too steep and too high to walk up from one side or the other:
    /// a spike that lies between two samples of a wide body.
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
                // Higher surfaces are above its head, or the tests of the places have found them.
                let share = ((x - a.x) / (b.x - a.x)).clamp(0.0, 1.0);
                let feet = a.feet + (b.feet - a.feet) * share;
                floor.top([x, x], [feet - self.rise(), lowest]).map_or(lowest, |top| top.y)
            })
            .collect();
        // Height of its feet with its middle at each column.
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

    /// The cell of the place where a walker stands with these feet: with ground under its middle, or under this share
    /// of its width at a side. Where something thin stands between it and that place, the one beside it.
    pub(super) fn cell_of(&self, floor: &Floor, x: f32, feet: f32, hold: f32) -> Option<Cell> {
        let height = floor.grid().tile_size().y;
        let hold = (self.hi.x - self.lo.x) * hold;
        let columns = [x, x + self.lo.x + hold, x + self.hi.x - hold];
        let [column, row] = columns.into_iter().enumerate().find_map(|(i, x)| {
            let top = floor.top([x, x], [feet - 1.0, feet + self.rise() + 1.0])?;
            if i == 0 && self.overhangs(floor, x, top.y, feet) {
                return None;
            }
            Some(floor.grid().cell_at(Vec2::new(x, top.y - 2.0 * TOUCH_PX.min(height))))
        })?;
        if self.slides_to(floor, (x, feet), [column, row]).unwrap_or(true) {
            return Some([column, row]);
        }
        let beside = [0, -1, 1].into_iter().flat_map(|up| [-1, 1].map(|side| [column + side, row + up]));
        beside.into_iter().find(|cell| self.slides_to(floor, (x, feet), *cell) == Some(true))
    }

    /// Whether a walker with its middle and feet there (px) gets to the place in a cell: it walks there, or nothing
    /// higher than a step is between. `None` if there is no such place.
    pub(super) fn slides_to(&self, floor: &Floor, (x, feet): (f32, f32), cell: Cell) -> Option<bool> {
        let stand = self.stand(floor, cell, floor.grid().agent(&self.kind))?;
        let (from, to) = (self.origin(x, feet), self.origin(stand.x, stand.feet));
        let off = (from.y - to.y).abs();
        let lo = from.min(to) + self.lo + Vec2::new(0.0, off);
        let hi = from.max(to) + self.hi - Vec2::new(0.0, off + self.spec.step_height + 1.0);
        // Of a low body at least the top.
        let is_clear = || floor.is_box_clear(lo, Vec2::new(hi.x, hi.y.max(lo.y + 1.0)));
        Some(off <= self.spec.step_height + 1.0 && is_clear() || self.walks(floor, &Stand { x, feet, ..stand }, &stand))
    }
}
