//! Motion of a walker when a level is seen from the side, as far as its paths depend on it.
//!
//! Invariant: the prediction for a tick equals what `sim::physics` does, as long as nothing is touched.

use glam::Vec2;

use crate::{
    model::Name,
    sim::{
        nav::Floor,
        physics::{Fall, WalkerSpec, convex::Convex, stop_px},
    },
};

use super::ground::TOUCH_PX;

/// Horizontal distance below which a walker does not steer, in pixels.
pub(in crate::sim) const ON_TARGET_PX: f32 = 0.5;
/// Distance below which a walker on the ground slows down, in pixels.
const SLOW_PX: f32 = 4.0;
/// How much lower the ticks around the top of a jump may be than the top itself, in pixels.
const APEX_PX: f32 = 0.25;
/// Share of a walker's speed above which a belt is too fast to walk against: it would make no progress.
const MOST_BELT: f32 = 0.8;
/// Width and height of the smallest passage that counts as one, as shares of a tile's.
const LEAST_PASSAGE: f32 = 0.25;
/// Steps of the binary search for the speed of a jump.
const N_HALVINGS: u32 = 12;

/// A walker seen from the side. Units: pixels and seconds.
#[derive(Clone, Debug, PartialEq)]
pub struct Walker {
    /// Settings of its motion.
    pub spec: WalkerSpec,
    /// Left top corner of its body relative to its origin, px.
    pub lo: Vec2,
    /// Right bottom corner of its body relative to its origin, px.
    pub hi: Vec2,
    /// Radius of its foot in pixels, if that is round and as wide as its body; else 0.
    pub foot_radius: f32,
    /// Outline of its body relative to its origin, in pixels; `None` if its body has several parts.
    pub outline: Option<Convex>,
    /// Gravity, downward, px/s², including its own factor.
    pub gravity_px_s2: f32,
    /// Length of a tick, in seconds.
    pub dt_secs: f32,
    /// Agent kind, which selects one of a tile's costs.
    pub kind: Name,
    /// Whether conveyor belts do not move it: to find out whether one keeps it from its goal.
    pub ignores_belts: bool,
}

impl Walker {
    /// A walker that moves alike with its feet as high, fits through every passage and is not moved by belts; `None` if
    /// this one does, on a floor without belts.
    pub(in crate::sim::nav) fn unhindered(&self, floor: &Floor) -> Option<Self> {
        let tile_size = floor.grid().tile_size();
        let whole = self.hi - self.lo;
        let size = whole.min(tile_size * LEAST_PASSAGE);
        // Within the body, under its origin if it can be: there it stands on a ledge.
        let left = (-size.x / 2.0).max(self.lo.x).min(self.hi.x - size.x);
        let lo = Vec2::new(left, self.hi.y - size.y);
        let foot_radius = self.foot_radius.min(size.x / 2.0);
        let hi = Vec2::new(left + size.x, self.hi.y);
        let is_smaller = size != whole;
        let outline = self.outline.clone().filter(|_| !is_smaller);
        let unhindered = Self { lo, hi, foot_radius, outline, ignores_belts: true, ..self.clone() };
        (is_smaller || floor.grid().has_belts()).then_some(unhindered)
    }

    fn fall(&self) -> Fall {
        self.spec.fall(self.gravity_px_s2.max(1.0), true)
    }

    /// The height of its jump, in pixels.
    #[must_use]
    pub fn jump_height(&self) -> f32 {
        self.jump_height_from(Vec2::ZERO)
    }

    /// The height of its jump from a body that moves at most at these speeds to either side and up (px/s), in pixels.
    pub(super) fn jump_height_from(&self, carried: Vec2) -> f32 {
        self.fall().height(self.spec.jump_speed.max(0.0) + carried.y)
    }

    /// The upward speed, at most its greatest, of a jump of this height in pixels; px/s.
    pub(super) fn speed_to(&self, height: f32) -> f32 {
        let (mut low, mut high) = (0.0, self.spec.jump_speed.max(0.0));
        for _ in 0..N_HALVINGS {
            let middle = f32::midpoint(low, high);
            if self.fall().height(middle) < height { low = middle } else { high = middle }
        }
        high
    }

    /// Whether a jump takes it `up_px` pixels up.
    #[must_use]
    pub fn jumps_as_high(&self, up_px: f32) -> bool {
        up_px <= 0.0 || up_px + APEX_PX <= self.jump_height()
    }

    /// Speed at which the ground carries it to the right, px/s.
    #[must_use]
    pub fn belt(&self, floor: &Floor, pos: Vec2) -> f32 {
        if !floor.grid().has_belts() {
            return 0.0;
        }
        let feet = pos.y + self.hi.y;
        let top = floor.top([pos.x, pos.x], [feet - 1.0, feet + self.rise() + 1.0]);
        top.map_or(0.0, |top| self.belt_at(floor, pos.x, top.y))
    }

    /// Speed at which a surface conveys it to the right, px/s.
    pub(super) fn belt_at(&self, floor: &Floor, x: f32, top: f32) -> f32 {
        let kind = floor.grid().cell(floor.grid().cell_at(Vec2::new(x, top + 2.0 * TOUCH_PX)));
        if kind.is_solid() && !self.ignores_belts { kind.conveyor } else { 0.0 }
    }

    /// Whether a belt of this speed (px/s) carries it along wherever it wants to go.
    pub(in crate::sim::nav) fn is_carried_off(&self, belt: f32) -> bool {
        belt.abs() > MOST_BELT * self.spec.speed
    }

    /// Upper bound on the horizontal distance (px) of a jump at full speed until it is `lower_px` lower than the start;
    /// `None` if it does not get as high.
    pub(super) fn jump_length(&self, lower_px: f32) -> Option<f32> {
        self.jump_length_from(Vec2::ZERO, lower_px)
    }

    /// The same of a jump from a body that moves at most at these speeds to either side and up, px/s: a jump keeps them.
    pub(super) fn jump_length_from(&self, carried: Vec2, lower_px: f32) -> Option<f32> {
        let to_fall = self.jump_height_from(carried) + lower_px;
        // Stronger gravity while falling makes falls shorter; weaker gravity and a limited speed make them longer.
        let pull = self.gravity_px_s2.max(1.0) * self.spec.fall_gravity.clamp(0.05, 1.0);
        let (height, fastest) = (to_fall.max(0.0), self.spec.max_fall_speed.max(1.0));
        let fall_secs = if 2.0 * pull * height > fastest * fastest {
            height / fastest + fastest / (2.0 * pull)
        } else {
            (2.0 * height / pull).sqrt()
        };
        let rise_secs = self.fall().rise_secs(self.spec.jump_speed.max(0.0) + carried.y);
        // Near the top it falls as slowly as it rises there.
        let apex_secs = if self.spec.apex_gravity < 1.0 { rise_secs } else { 0.0 };
        let secs = rise_secs + apex_secs + fall_secs;
        (to_fall >= 0.0).then_some(secs * (self.spec.speed + carried.x))
    }

    /// The height that it can climb without a jump over its own width, in pixels.
    pub(super) fn rise(&self) -> f32 {
        let half = (self.hi.x - self.lo.x) / 2.0;
        self.spec.rise_within(half)
    }

    /// The speed after a run-up of this length, px/s.
    pub(super) fn speed_after(&self, run_px: f32) -> f32 {
        (2.0 * self.spec.acceleration.max(0.0) * run_px.max(0.0)).sqrt().min(self.spec.speed)
    }

    /// The length of a run-up to a speed, in pixels.
    #[must_use]
    pub fn run_up(&self, speed: f32) -> f32 {
        if self.spec.acceleration > 0.0 { speed * speed / (2.0 * self.spec.acceleration) } else { 0.0 }
    }

    /// Input in the air to land on a column: full to one side, or braking.
    #[must_use]
    pub fn steer_in_air(&self, x: f32, vel_x: f32, target_x: f32) -> f32 {
        steer(target_x - x, vel_x, self.spec.acceleration * self.spec.air_control * self.spec.braking)
    }

    /// Input on the ground to stop at a column.
    #[must_use]
    pub fn steer_on_ground(&self, x: f32, vel_x: f32, target_x: f32) -> f32 {
        let to = target_x - x;
        // At few ticks a second it does not go beyond it in one.
        let slow_px = SLOW_PX.max(self.spec.speed * self.dt_secs);
        steer(to, vel_x, self.spec.deceleration()) * (to.abs() / slow_px).min(1.0)
    }

    /// Distance fallen from rest (px) and falling speed (px/s) after a horizontal distance at a speed.
    pub(super) fn fallen(&self, way_px: f32, speed: f32) -> (f32, f32) {
        let (mut vel, mut fallen) = (0.0, 0.0);
        let n_ticks = if speed > 0.0 { (way_px / (speed * self.dt_secs)).min(64.0) } else { 0.0 };
        let mut tick = 0.0;
        while tick < n_ticks {
            let (after, way) = self.fall().tick(vel, self.dt_secs);
            (vel, fallen, tick) = (after, fallen + way, tick + 1.0);
        }
        (fallen, vel)
    }

    /// One tick in the air: velocity at its end (px/s), and displacement (px).
    pub(super) fn fly(&self, vel: Vec2, dir: f32) -> (Vec2, Vec2) {
        let dt = self.dt_secs;
        let across = vel.x + self.spec.speed_up(vel.x, dir * self.spec.speed, false, dt);
        let (down, way) = self.fall().tick(vel.y, dt);
        (Vec2::new(across, down), Vec2::new(f32::midpoint(vel.x, across) * dt, way))
    }
}

/// Input -1 or 1 to one side, or braking, to stop after a distance with this deceleration.
fn steer(to: f32, vel: f32, deceleration: f32) -> f32 {
    let stop = stop_px(vel.abs(), deceleration);
    if to.abs() <= ON_TARGET_PX || (vel * to > 0.0 && stop >= to.abs()) { 0.0 } else { to.signum() }
}
