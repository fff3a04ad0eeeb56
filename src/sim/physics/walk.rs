//! Walkers: running, jumping, falling, slopes, steps and one-way ground.
//!
//! Velocities change linearly over a tick and displacements follow from their mean, so a jump has the same height,
//! v²/2g, at any tick length. On the ground a walker's velocity is along the ground and relative to its carrier.
//! Invariant: a standing walker stands on ground no steeper than it can walk, or between two steeper sides. Stops at
//! walls are in `mover`, carrying in `carry`.

use glam::Vec2;

use crate::{
    model::LevelView,
    sim::{EntityKey, limits},
};

use super::{
    Contact, Other, Physics, Pose, WalkInput,
    body::{Ground, Walk},
    dash::Dashed,
    index::Index,
    mover::{Impulse, Near, SKIN, Stop},
    spec::WalkerSpec,
};

/// How far feet are moved over the edge of a step, in pixels, tried in turn.
const STEP_REACHES: [f32; 4] = [4.0 * SKIN, 0.75, 1.5, 3.0];

/// How far one of the loose bodies of a row may stand out for a walker to step onto it, in pixels.
pub(super) const SEAM_PX: f32 = 1.0;

/// The most deflections of one move; it ends where it is then.
const MAX_SLIDES: usize = 6;

/// The least vertical share of the normals of two sides between which it rests.
const LEAST_SUPPORT: f32 = 0.1;
/// How far along one of two such sides the other is looked for, in pixels.
const SETTLE_PX: f32 = 0.25;

/// The state of one walker's tick while it is computed.
#[expect(clippy::struct_excessive_bools, reason = "each is independent of the others")]
pub(super) struct Stride<'a> {
    pub(super) physics: &'a Physics,
    /// The index of all bodies.
    pub(super) index: &'a Index,
    pub(super) key: EntityKey,
    pub(super) spec: &'a WalkerSpec,
    pub(super) mass: f32,
    pub(super) near: &'a mut Near,
    /// Velocity, px/s. In the air: absolute. On the ground: along it, and relative to the carrier.
    pub(super) vel: Vec2,
    /// The same as the tick begins.
    pub(super) began: Vec2,
    pub(super) holds_jump: bool,
    pub(super) ground: Option<Ground>,
    /// Velocity of the walker's carrier, px/s.
    pub(super) carried: Vec2,
    /// The body that it stands on as the tick begins.
    pub(super) carrier: Option<EntityKey>,
    /// By how much less than the loose body below moves it is carried in this tick, px/s; see `Physics::start`.
    slowed: Vec2,
    /// In the air: the horizontal speed, px/s, that it does not brake away.
    pub(super) boost: f32,
    /// Whether it slides down a wall.
    pub(super) slides: bool,
    /// Whether it still moves away from the wall that it jumped off, and does not brake.
    is_locked: bool,
    /// Whether zones lift it by more than its weight.
    is_lifted: bool,
    dashes: bool,
}

impl Physics {
    pub(super) fn walk_one(
        &self,
        key: EntityKey,
        (walk, input): (&mut Walk, WalkInput),
        pose: &mut Pose,
        index: &Index,
        near: &mut Near,
    ) {
        let Some(body) = self.bodies.get(key) else { return };
        let Some(spec) = &body.spec.walker else { return };
        let dt = self.config.dt_secs;
        if self.config.view == LevelView::TopDown {
            let dash = walk.dashed(spec, input.dash, (true, false), dt);
            let (want, most) = match dash {
                Some(dash) => {
                    pose.vel = dash.vel;
                    (dash.vel, 0.0)
                }
                None => {
                    let want = input.dir * spec.speed;
                    (want, spec.change_from_above(pose.vel, want))
                }
            };
            return self.glide(key, (want, most), pose, index, near);
        }
        let gravity = self.config.gravity_px_s2 * body.spec.gravity_scale * body.felt.gravity;
        let force = body.felt.acceleration + body.felt.braking(pose.vel, dt);
        let carry = walk.ground.as_ref().map_or(Vec2::ZERO, |ground| self.carry(ground));
        let start = walk.ground.as_ref().and_then(|on| self.start(on, carry / dt - walk.carried, body.spec.mass));
        let (slowed, push) = start.unwrap_or_default();
        let carry = carry + slowed * dt;
        let carry = carry.clamp(Vec2::splat(-limits::MAX_SPEED_PX_S * dt), Vec2::splat(limits::MAX_SPEED_PX_S * dt));
        let fastest_moves = [
            input.jump.unwrap_or(0.0),
            spec.wall.as_ref().map_or(0.0, |wall| wall.jump.length()),
            spec.dash.as_ref().map_or(0.0, |dash| dash.speed),
            spec.climb_speed.unwrap_or(0.0),
            spec.swim.as_ref().map_or(0.0, |swim| swim.speed.max(swim.jump_speed)),
        ];
        let carried = carry.length() / dt + walk.lift.length() * spec.momentum;
        let fastest = pose.vel.length() + carried + spec.speed.abs() + fastest_moves.into_iter().fold(0.0, f32::max);
        let reach = (fastest + (gravity.abs() + force.length()) * dt) * dt + spec.step_height * 2.0 + 4.0;
        let carrier = walk.ground.as_ref().and_then(|on| self.steady_carrier(on, walk.carried, carry));
        self.gather_on(carrier, key, reach + spec.corner_correction, index, near);

        near.pushes.extend(push);
        let (ground, carried_before) = (walk.ground.take(), walk.carried);
        let was_on_ground = ground.is_some();
        let slip = ground.as_ref().map_or(Vec2::ZERO, |ground| self.slip(ground, carry / dt - carried_before));
        let began = if was_on_ground { pose.vel - walk.carried - slip } else { pose.vel };
        let mut stride = Stride {
            physics: self,
            index,
            key,
            mass: body.spec.mass,
            vel: began,
            began,
            holds_jump: !input.released,
            carried: carry / dt,
            carrier: ground.as_ref().and_then(|ground| ground.other.entity()),
            slowed,
            boost: walk.boost,
            slides: false,
            is_locked: false,
            is_lifted: gravity > 0.0 && body.felt.acceleration.y + gravity < 0.0,
            dashes: false,
            spec,
            near,
            ground,
        };
        if walk.drop_from.is_some_and(|from| pose.pos.y > from + 2.0) || !input.drop && was_on_ground {
            walk.drop_from = None;
        }
        if input.drop && stride.ground.as_ref().is_some_and(|ground| ground.one_way) {
            walk.drop_from = Some(pose.pos.y);
        }
        stride.near.drops = walk.drop_from.is_some();
        if !stride.be_carried(carry, dt) {
            near.feel();
            *walk = Walk::default();
            pose.vel = Vec2::ZERO;
            return;
        }
        if stride.near.drops {
            stride.take_off();
        }
        if was_on_ground {
            stride.remember_carrier_velocity(walk, dt);
        }
        walk.wall.lock_secs = (walk.wall.lock_secs - dt).max(0.0);
        let mut dir = input.dir.x;
        if walk.wall.lock_secs > 0.0 {
            dir = if walk.wall.right { -1.0 } else { 1.0 };
        }
        stride.probe_wall(walk, dir, dt);
        let water = stride.swims(body.felt.is_in_water);
        if force.y + gravity < 0.0 {
            // A force greater than its weight lifts it off.
            stride.take_off();
        }
        let jumps = water.is_none() && stride.jump(walk, &input, was_on_ground);
        stride.is_locked = walk.wall.lock_secs > 0.0;
        if jumps && stride.is_locked {
            dir = if walk.wall.right { -1.0 } else { 1.0 };
        }
        let dash = walk.dashed(stride.spec, input.dash.filter(|_| !jumps), (was_on_ground, was_on_ground), dt);
        let motion = if let Some(dash) = dash.filter(|_| !jumps) {
            stride.dash(&dash)
        } else if let Some(speed) = stride.holds_ladder(walk, &input).filter(|_| !jumps) {
            stride.climb(speed, &input, dt)
        } else if let Some(swim) = &water {
            stride.swim(swim, &body.felt, &input, gravity, dt)
        } else {
            stride.accelerate(dir, gravity, force, dt)
        };
        stride.advance(motion);
        if stride.dashes {
            // An obstacle has reduced the velocity of the dash.
            walk.dash.vel = if walk.dash.left_secs > 0.0 { stride.vel } else { walk.dash.vel };
        }
        if !jumps {
            let snap = was_on_ground && !stride.near.drops && !walk.climbs && water.is_none();
            stride.probe_ground(snap, dt);
        }
        walk.unborne = stride.press_down(walk.unborne, carried_before, gravity * dt);
        stride.near.feel();

        let is_in_air = stride.ground.is_none() && !walk.climbs && water.is_none();
        walk.coyote_secs = match (&stride.ground, jumps) {
            (Some(_), _) => stride.spec.coyote_secs,
            (None, true) => 0.0,
            // It has left the ground at the end of this tick, and falls from the next one on.
            (None, false) if was_on_ground => stride.spec.coyote_secs,
            (None, false) => (walk.coyote_secs - dt).max(0.0),
        };
        if !is_in_air {
            (walk.n_air_jumps, walk.dash.n_in_air, walk.wall.lock_secs) = (0, 0, 0.0);
            stride.boost = 0.0;
        }
        walk.dash.has_set_vel = is_in_air && (walk.dash.has_set_vel || stride.dashes);
        walk.climbs &= stride.ground.is_none() && !jumps;
        walk.boost = stride.boost;
        walk.has_jumped = jumps || water.is_some() && input.jump.is_some();
        walk.carried = if stride.ground.is_some() { stride.carried } else { Vec2::ZERO };
        pose.vel = stride.vel + walk.carried;
        walk.ground = stride.ground.take();
        pose.pos = near.start + near.at;
    }
}

impl Stride<'_> {
    /// The direction to the right: along the ground, or horizontal in the air.
    fn tangent(&self) -> Vec2 {
        self.ground.as_ref().map_or(Vec2::X, |ground| Vec2::new(-ground.normal.y, ground.normal.x))
    }

    fn is_walkable(&self, normal: Vec2) -> bool {
        -normal.y >= self.spec.steepest().x - 1e-4
    }

    /// Whether it stands on what it meets. In the air not on a corner within a plank that it falls through.
    fn holds(&self, stop: &Stop) -> bool {
        self.is_walkable(stop.normal) && (self.ground.is_some() || !stop.is_covered)
    }

    /// Whether what stops it from below is only the edge of ground that its skin is over, beside the mouth of a hole or
    /// the end of a ledge, and nothing else is so far below, in pixels.
    fn is_beside_edge(&self, stop: &Stop, down: f32) -> bool {
        let is_ground = stop.mass.is_none() && !stop.one_way && self.is_walkable(stop.normal);
        is_ground && self.near.falls_through(Vec2::new(0.0, down.max(1.0)))
    }

    /// Leave the ground with the velocity of the carrier.
    pub(super) fn take_off(&mut self) {
        if self.ground.take().is_some() {
            self.vel += self.carried;
            self.boost = self.carried.x * self.spec.momentum;
        }
    }

    /// Change the velocity for one tick. Returns the displacement, px.
    fn accelerate(&mut self, dir: f32, gravity: f32, force: Vec2, dt: f32) -> Vec2 {
        let on_ground = self.ground.is_some();
        let tangent = self.tangent();
        let before = limits::velocity(if on_ground { tangent * self.vel.dot(tangent) } else { self.vel });
        if dir * self.boost < 0.0 {
            self.boost = 0.0;
        }
        let mut wanted = dir * self.spec.speed + if on_ground { 0.0 } else { self.boost };
        if self.is_locked && dir * before.x > dir * wanted {
            wanted = before.x;
        }
        let change = self.spec.speed_up(before.dot(tangent), wanted, on_ground, dt);
        self.vel = before + tangent * change + force * dt;
        let mut way = (before + self.vel) / 2.0 * dt;
        if !on_ground {
            let mut fall = self.spec.fall(gravity, self.holds_jump);
            if self.is_lifted {
                // With the greater gravity of falling, an updraft that exceeds the weight would not lift who stands.
                fall = fall.plain();
            }
            if let Some(wall) = self.spec.wall.as_ref().filter(|_| self.slides) {
                fall = fall.at_most(wall.slide_speed);
            }
            let (fall, down) = fall.tick(before.y, dt);
            self.vel.y = fall + force.y * dt;
            way.y = down + force.y * dt / 2.0 * dt;
        } else if force != Vec2::ZERO {
            self.vel = tangent * self.vel.dot(tangent);
            way = (before + self.vel) / 2.0 * dt;
        }
        self.vel = limits::velocity(self.vel);
        way
    }

    /// One tick of a dash. Returns the displacement, px.
    fn dash(&mut self, dash: &Dashed) -> Vec2 {
        self.dashes = true;
        if self.ground.is_some() && dash.vel.y.abs() <= dash.vel.x.abs() * 0.01 {
            let tangent = self.tangent();
            self.vel = tangent * dash.vel.x;
            return tangent * dash.way.x;
        }
        self.take_off();
        self.vel = dash.vel;
        dash.way
    }

    fn advance(&mut self, mut motion: Vec2) {
        let (from, whole, vel) = (self.near.at, motion, self.vel);
        let mut walls: Vec<Vec2> = Vec::new();
        for _ in 0..MAX_SLIDES {
            if self.step_onto_one_way(&mut motion) {
                continue;
            }
            let Some(stop) = self.near.cast(motion) else {
                self.near.at += motion;
                return;
            };
            self.near.at += motion * stop.share;
            motion *= 1.0 - stop.share;
            let dashes = self.dashes && !self.is_walkable(stop.normal);
            if self.ground.is_none() && self.round_corner(&stop, &mut motion, dashes) {
                continue;
            }
            if self.ground.is_none() && self.pass_beside(&stop, &mut motion) {
                continue;
            }
            if motion.y > 0.0 && self.is_beside_edge(&stop, motion.y) {
                self.near.at.y += motion.y;
                return;
            }
            let meets_loose = || stop.mass.is_some() && stop.normal.x * motion.x < 0.0;
            if self.dashes && meets_loose() && self.step_up(&mut motion, SEAM_PX, |_| true) {
                // The corner of one of a row, which would turn it upward.
                continue;
            }
            if self.holds(&stop) {
                motion = self.land(&stop, motion);
            } else if self.ground.is_some() {
                let height = self.step_over(&stop);
                if self.step_up(&mut motion, height, |_| true) {
                    continue;
                }
                if self.near.fits_through(self.near.at, motion) {
                    self.near.at += motion;
                    return;
                }
                motion = self.hit_wall(&stop, motion);
            } else if stop.normal.y > 0.0 && self.near.fits_through(self.near.at, motion) {
                // A corner above that only the skin meets, as beside a wall that goes straight up to it.
                self.near.at += motion;
                return;
            } else {
                self.near.hit(&stop, &mut self.vel, self.mass, &self.physics.tiles);
                motion -= stop.normal * motion.dot(stop.normal).min(0.0);
            }
            if motion == Vec2::ZERO {
                return;
            }
            if walls.iter().any(|wall| motion.dot(*wall) < -1e-4 * motion.length()) {
                if self.ground.is_none() {
                    let rest = Vec2::new(0.0, from.y + whole.y - self.near.at.y);
                    if rest.y > 0.0 && self.near.falls_through(rest) {
                        // The mouth of a hole that is exactly as wide: only the skin of a round foot meets its sides.
                        self.near.at += rest;
                        self.vel = Vec2::new(0.0, vel.y.max(0.0));
                        return;
                    }
                    // Wedged between two sides, each of which removed only a part of it.
                    let dir = motion.normalize_or_zero();
                    self.vel -= dir * self.vel.dot(dir).max(0.0);
                    if self.vel.y >= -1e-3 && self.rests_between(&stop) {
                        self.stand_between(&stop);
                        self.carried = Vec2::ZERO;
                    }
                }
                return;
            }
            walls.push(stop.normal);
        }
    }

    /// Land on what stopped the walker. Returns the rest of the motion, along the ground.
    fn land(&mut self, stop: &Stop, motion: Vec2) -> Vec2 {
        let was = self.tangent();
        let on_ground = self.ground.is_some();
        let support = self.velocity_of(stop);
        let (run, rest) = if on_ground {
            self.near.touch(stop, 0.0, &self.physics.tiles);
            (self.vel.dot(was), motion.length() * motion.dot(was).signum())
        } else {
            let mut vel = self.vel;
            self.near.hit(stop, &mut vel, self.mass, &self.physics.tiles);
            self.carried = support;
            (self.vel.x - support.x, motion.x)
        };
        self.stand(stop);
        self.vel = self.tangent() * run;
        self.tangent() * rest
    }

    fn stand(&mut self, stop: &Stop) {
        let point = self.near.point(stop.normal);
        let other = match stop.entity {
            Some(key) => Other::Entity(key),
            None => {
                let (cell, name) = self.physics.tiles.surface(point, stop.normal);
                Other::Tile { cell, name }
            }
        };
        self.ground = Some(Ground { other, normal: stop.normal, point, one_way: stop.one_way });
    }

    /// Whether what stops it from below is too steep to stand on, and another such side stops it from sliding down: it
    /// rests between the two.
    fn rests_between(&self, stop: &Stop) -> bool {
        let below = |normal: Vec2| normal.y < -LEAST_SUPPORT;
        if !below(stop.normal) || stop.mass.is_some() || stop.is_covered {
            return false;
        }
        let slide = (Vec2::Y - stop.normal * stop.normal.y).normalize_or_zero() * SETTLE_PX;
        let other = self.near.cast(slide).filter(|other| other.mass.is_none() && other.share * SETTLE_PX <= 2.0 * SKIN);
        other.is_some_and(|other| below(other.normal) && other.normal.x * stop.normal.x < 0.0)
    }

    /// Stand between two sides that are each too steep to stand on: level, so that it can walk and jump out.
    fn stand_between(&mut self, stop: &Stop) {
        self.stand(stop);
        if let Some(ground) = &mut self.ground {
            ground.normal = Vec2::NEG_Y;
        }
    }

    fn velocity_of(&self, stop: &Stop) -> Vec2 {
        let point = self.near.point(stop.normal);
        let Some(key) = stop.entity else {
            let tiles = &self.physics.tiles;
            return tiles.conveyed(tiles.surface(point, stop.normal).0, stop.normal);
        };
        let is_below = self.carrier == Some(key);
        let slowed = if is_below { self.slowed } else { Vec2::ZERO };
        self.physics.bodies.get(key).map_or(Vec2::ZERO, |body| self.physics.carries_at(key, body, point) + slowed)
    }

    /// A wall, on foot: it removes the speed toward it, and none of it turns into climbing. A loose body is pushed, and what
    /// it stands on is pushed back as much by its feet: it cannot move what holds itself, as a cart by the cart's wall.
    fn hit_wall(&mut self, stop: &Stop, motion: Vec2) -> Vec2 {
        let tangent = self.tangent();
        let below = self.ground.as_ref().and_then(|ground| ground.other.entity());
        let mass = stop.mass.filter(|_| stop.entity != below);
        let vel = stop.vel - self.carried;
        let wall = Stop { normal: Vec2::new(stop.normal.x.signum(), 0.0), vel, mass, ..stop.clone() };
        // A ceiling that slopes down to the floor is a wall as well.
        if let Some(push) = self.near.hit(&wall, &mut self.vel, self.mass, &self.physics.tiles) {
            self.push_off(below, push);
        }
        self.vel = tangent * self.vel.dot(tangent);
        if stop.normal.x * motion.x < 0.0 {
            Vec2::ZERO
        } else {
            motion - stop.normal * motion.dot(stop.normal).min(0.0)
        }
    }

    /// Push what it stands on back as much as it pushes another body.
    pub(super) fn push_off(&mut self, below: Option<EntityKey>, push: Impulse) {
        let below = below.filter(|it| self.physics.is_loose(*it));
        self.near.pushes.extend(below.map(|to| Impulse { to, amount: -push.amount, ..push }));
    }

    /// How high what stops the walker may be for a step, in pixels: loose bodies are pushed aside unless a joint holds
    /// them, they are as heavy as the walker, or they only stand out a little from others beside them.
    fn step_over(&self, stop: &Stop) -> f32 {
        let body = stop.entity.and_then(|key| self.physics.bodies.get(key));
        let is_held =
            stop.mass.is_none_or(|its| its >= self.mass) || body.is_some_and(|it| self.physics.solver.is_jointed(it));
        if is_held { self.spec.step_height } else { SEAM_PX }
    }

    /// Step up over something no higher than `height`, in pixels: up, forward, down onto walkable ground that is `wanted`.
    /// Returns whether it did.
    fn step_up(&mut self, motion: &mut Vec2, height: f32, wanted: impl Fn(&Stop) -> bool) -> bool {
        if height <= 0.0 || motion.x == 0.0 {
            return false;
        }
        let from = self.near.at;
        let rise = Vec2::new(0.0, -(height + SKIN));
        let lifted = self.near.cast(rise).map_or(1.0, |stop| stop.share);
        let fall = -rise * lifted + Vec2::new(0.0, SKIN);
        // Far enough for the feet to be over the edge, and not only the skin around them. Round feet go a little
        // farther, or they would land on the edge's corner and slide off it.
        let mut landing = None;
        for reach in STEP_REACHES {
            self.near.at = from + rise * lifted;
            let ahead = Vec2::new(motion.x.signum() * motion.x.abs().max(reach), 0.0);
            let share = self.near.cast(ahead).map_or(1.0, |stop| stop.share);
            if share * ahead.x.abs() <= 2.0 * SKIN {
                break;
            }
            self.near.at += ahead * share;
            if let Some(stop) = self.near.cast(fall).filter(|stop| self.is_walkable(stop.normal) && wanted(stop)) {
                landing = Some((stop, share * ahead.x.abs()));
                break;
            }
        }
        let Some((stop, gone)) = landing else {
            self.near.at = from;
            return false;
        };
        self.near.at += fall * stop.share;
        let run = self.vel.dot(self.tangent());
        self.stand(&stop);
        self.vel = self.tangent() * run;
        *motion = self.tangent() * (motion.length() - gone).max(0.0) * motion.x.signum();
        true
    }

    /// Step up onto low one-way ground, as over any other step. Higher one-way ground does not block a walker from the
    /// side.
    fn step_onto_one_way(&mut self, motion: &mut Vec2) -> bool {
        if self.ground.is_none() || self.near.drops || self.spec.step_height <= 0.0 {
            return false;
        }
        let Some(share) = self.near.share_to_one_way(*motion) else { return false };
        if self.near.cast(*motion).is_some_and(|stop| stop.share < share) {
            return false;
        }
        let (from, whole, ground, vel) = (self.near.at, *motion, self.ground.clone(), self.vel);
        self.near.at += whole * share;
        *motion *= 1.0 - share;
        // A round foot that is not far enough over the edge comes down past it, on the ground that it came from.
        let is_up = self.step_up(motion, self.spec.step_height, |stop| stop.one_way) && self.near.at.y < from.y - SKIN;
        if !is_up {
            (self.near.at, *motion, self.ground, self.vel) = (from, whole, ground, vel);
        }
        is_up
    }

    /// Probe for ground below; a walker on the ground follows it down.
    fn probe_ground(&mut self, snap: bool, dt: f32) {
        if self.ground.is_none() && self.vel.y < -1e-3 {
            return;
        }
        let run = self.vel.dot(self.tangent());
        let deep = if snap { self.spec.rise_within(run.abs() * dt) + 2.0 * SKIN } else { 2.0 * SKIN };
        let below = Vec2::new(0.0, deep);
        let was_on_ground = self.ground.is_some();
        let stop = self.near.cast(below);
        if let Some(stop) = stop.as_ref().filter(|stop| was_on_ground && !self.holds(stop) && self.rests_between(stop))
        {
            self.near.touch(stop, 0.0, &self.physics.tiles);
            self.stand_between(stop);
            self.vel = Vec2::new(run, 0.0);
            return;
        }
        match stop.filter(|stop| self.holds(stop) && !self.is_beside_edge(stop, deep)) {
            Some(stop) => {
                self.near.at += below * stop.share;
                let support = self.velocity_of(&stop);
                let speed = if was_on_ground { 0.0 } else { -(self.vel - support).dot(stop.normal) };
                self.near.touch(&stop, speed, &self.physics.tiles);
                let run = if was_on_ground { run } else { self.vel.x - support.x };
                let before = self.carried;
                if !was_on_ground || stop.entity.is_some() {
                    self.carried = support;
                }
                self.stand(&stop);
                self.vel = self.tangent() * run;
                if let Some(ground) = self.ground.as_ref().filter(|_| was_on_ground) {
                    self.vel -= self.physics.slip(ground, self.carried - before);
                }
            }
            None => {
                let tangent = self.tangent();
                if was_on_ground {
                    self.take_off();
                    // Walking off the top of a slope is no jump: it gives no upward speed.
                    self.vel = tangent * run + self.carried;
                    self.vel.y = self.vel.y.max(self.carried.y.min(0.0));
                }
            }
        }
    }

    /// Whether a loose body rests on, hangs from or floats in something other than this walker. A body in free fall does
    /// not: weight would only make it fall faster.
    fn is_supported(&self, key: EntityKey) -> bool {
        let holds = |contact: Contact| !contact.sensor && contact.b != Other::Entity(self.key);
        self.physics.touches.of(key).any(holds)
            || self.physics.in_zones.contains(&key)
            || !self.physics.joints_of(key).is_empty()
    }

    /// Apply its weight to the loose body that it stands on: all of it (`pull`, as a change of velocity in this tick), but
    /// for the part that accelerates it down with the body. Returns that part, px/s, given that of the last tick.
    fn press_down(&mut self, before: f32, carried_before: Vec2, pull: f32) -> f32 {
        let Some(Ground { other: Other::Entity(key), point, .. }) = &self.ground else { return 0.0 };
        let below = self.physics.bodies.get(*key).filter(|body| body.spec.is_dynamic());
        let Some(below) = below.filter(|_| self.is_supported(*key)) else { return 0.0 };
        // The acceleration of the body follows from the weight on it: it approaches what both agree on without
        // alternating.
        let falls = (self.carried.y - carried_before.y).clamp(0.0, pull.max(0.0));
        let its = below.spec.mass;
        let unborne = before + (falls - before) * its / (its + self.mass);
        let amount = Vec2::new(0.0, self.mass * (pull - unborne).max(0.0));
        self.near.pushes.push(Impulse { to: *key, amount, at: Some(*point), lasts: true });
        unborne
    }
}
