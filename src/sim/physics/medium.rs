//! Media that walkers move in: ladders to climb, water to swim in.
//!
//! Both are tiles, water also zones. Water is looked up at the middle; ladders at the middle and below the feet, over the
//! walker's width less [`GRIP_PX`] on each side. A climber stands on a ladder's top.

use glam::Vec2;

use super::{
    Physics,
    body::{Walk, WalkInput},
    mover::SKIN,
    spec::SwimSpec,
    walk::Stride,
    zone::Felt,
};
use crate::sim::{limits, steering::toward};

/// How far below the feet the ground or the top of a ladder is looked for, in pixels.
const UNDER_PX: f32 = 1.0;
/// How much of a walker's width has to be in front of a ladder, for it to hold on, in pixels.
const GRIP_PX: f32 = 2.0;

impl Physics {
    /// The x in pixels of the middle of the nearest ladder that is behind a place, or at most half a width less
    /// [`GRIP_PX`] aside.
    pub(super) fn ladder_at(&self, at: Vec2, half_width: f32) -> Option<f32> {
        let aside = Vec2::new((half_width - GRIP_PX).max(0.0), 0.0);
        let ([from, y], [to, _]) = (self.tiles.cell_at(at - aside), self.tiles.cell_at(at + aside));
        let is_ladder = |x: &i32| self.tiles.kind([*x, y]).is_some_and(|kind| kind.ladder);
        let middle = |x: i32| self.tiles.cell_px([x, y]).x + self.tiles.tile_size().x / 2.0;
        let ladders = (from..=to).filter(is_ladder).map(middle);
        ladders.min_by(|a, b| (a - at.x).abs().total_cmp(&(b - at.x).abs()))
    }
}

impl Stride<'_> {
    fn is_ladder(&self, at: Vec2) -> bool {
        self.physics.ladder_at(at, self.near.half.x).is_some()
    }

    /// Where the ground or the top of a ladder below it is looked for, in world pixels.
    fn under(&self) -> Vec2 {
        self.near.feet_now() + Vec2::new(0.0, UNDER_PX)
    }

    fn is_water(&self, at: Vec2) -> bool {
        self.physics.tiles.entered(at).is_some_and(|kind| kind.water)
    }

    /// How it swims, if it can swim and is in water of a zone or of tiles.
    pub(super) fn swims(&self, in_zone: bool) -> Option<SwimSpec> {
        let swim = self.spec.swim.as_ref()?;
        (in_zone || self.is_water(self.near.middle_now())).then(|| swim.clone())
    }

    /// The y in pixels at which the water of zones above a place ends.
    fn zone_top(&self, at: Vec2) -> Option<f32> {
        let own = self.physics.bodies.get(self.key)?.spec.collider.as_ref()?;
        self.physics.water_top(own, at, self.index)
    }

    /// The y in pixels of the surface between a place in water and one above it outside.
    fn surface(&self, from: Vec2, to: Vec2) -> Option<f32> {
        if self.is_water(to) {
            return None;
        }
        let tops = [self.is_water(from).then(|| self.cell_top(from)), self.zone_top(from)];
        tops.into_iter().flatten().reduce(f32::min).filter(|_| self.zone_top(to).is_none())
    }

    /// One tick in water. Returns the displacement, px.
    pub(super) fn swim(&mut self, swim: &SwimSpec, felt: &Felt, input: &WalkInput, gravity: f32, dt: f32) -> Vec2 {
        self.take_off();
        let before = self.vel;
        let down = if input.climb == 0.0 { swim.sink_speed } else { input.climb * swim.speed };
        if input.jump.is_some() {
            self.vel = Vec2::new(before.x, -swim.jump_speed);
            let mut way = self.vel * dt;
            let to = self.near.middle_now() + way;
            if !self.is_water(to) && self.zone_top(to).is_none() {
                (self.vel.y, way.y) = self.spec.fall(gravity, self.holds_jump).tick(self.vel.y, dt);
            }
            return way;
        }
        let want = Vec2::new(input.dir.x * swim.speed, down) + drift(swim, felt);
        self.vel = toward(before, want, swim.acceleration, dt);
        let mut way = (before + self.vel) / 2.0 * dt;
        let (middle, under) = (self.near.middle_now(), Vec2::new(0.0, 2.0 * SKIN));
        if way.y < 0.0
            && -before.y <= swim.speed
            && let Some(top) = self.surface(middle, middle + Vec2::new(0.0, way.y) - under)
        {
            // Swimming ends at the surface; only a jump leaves the water.
            (way.y, self.vel.y) = (top + under.y - middle.y, 0.0);
        }
        way
    }

    /// Grab a ladder, or let go of it. Returns the climbing speed in px/s while it holds it.
    pub(super) fn holds_ladder(&self, walk: &mut Walk, input: &WalkInput) -> Option<f32> {
        let speed = self.spec.climb_speed?;
        let (at_middle, under) = (self.is_ladder(self.near.middle_now()), self.is_ladder(self.under()));
        let rises = walk.is_jumping && self.vel.y < 0.0;
        walk.climbs = if walk.climbs {
            (at_middle || under) && !(self.ground.is_some() && input.climb >= 0.0 && !under)
        } else {
            let up = input.climb < 0.0 && at_middle && !rises;
            let down = input.climb > 0.0 && under && (self.ground.is_none() || self.near.drops || !at_middle);
            up || down
        };
        walk.climbs.then_some(speed)
    }

    /// One tick on a ladder. Returns the displacement, px.
    pub(super) fn climb(&mut self, speed: f32, input: &WalkInput, dt: f32) -> Vec2 {
        self.take_off();
        self.near.drops |= input.climb > 0.0;
        self.vel = Vec2::new(input.dir.x, input.climb) * speed;
        let mut way = self.vel * dt;
        let (middle, feet) = (self.near.middle_now(), self.near.feet_now());
        if input.dir.x == 0.0 && input.climb != 0.0 {
            // Toward the ladder's middle, so that it does not stay at an edge beside it.
            let center = [middle, self.under()].into_iter().find_map(|at| self.physics.ladder_at(at, self.near.half.x));
            way.x = (center.unwrap_or(middle.x) - middle.x).clamp(-speed * dt, speed * dt);
        }
        if way.y < 0.0 && !self.is_ladder(middle + way) {
            // Its feet reach the top of the ladder, and go no higher.
            let top =
                if self.is_ladder(feet + way) { f32::NEG_INFINITY } else { self.cell_top(self.under()) - 2.0 * SKIN };
            let up = (top - feet.y).min(0.0);
            if up > way.y {
                (way.y, self.vel.y) = (up, 0.0);
            }
        }
        way
    }

    fn cell_top(&self, at: Vec2) -> f32 {
        self.physics.tiles.cell_px(self.physics.tiles.cell_at(at)).y
    }
}

/// Velocity at which a current carries a swimmer along, px/s: the one at which the swimmer's braking and the drag of
/// the water balance the current.
fn drift(swim: &SwimSpec, felt: &Felt) -> Vec2 {
    let current = felt.current();
    if current == Vec2::ZERO {
        return Vec2::ZERO;
    }
    let braking = swim.acceleration / swim.speed.max(1.0) + felt.drag;
    limits::velocity(current / braking.max(f32::MIN_POSITIVE))
}
