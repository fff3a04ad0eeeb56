//! Walkers seen from the side that follow an order: over ledges along the path found, by drops and jumps.
//!
//! Invariant: a jump of a path begins at the place and speed that the search has simulated, and is steered in the same
//! way. Walkers that go straight, without a path, are in `straight`.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    defs::{Resolution, Resolved},
    model::{Level, LevelView, Project},
    sim::{
        EntityKey,
        components::Components,
        nav::{
            Ground, How, Leg, NEAR_ENOUGH, NoPath, NoPathReason, ON_TARGET_PX, SAME_FLOOR_PX, STANDING_SPEED, Walker,
        },
        physics::{BodySpec, Fall, Other, WalkerSpec},
    },
};

use super::{
    World,
    constants::{constant, hz_of},
    legs::{Limits, MAX_BACKED, ends_of, foot_end, is_hop},
    movement::{Steer, stop_of},
    order::Order,
    progress::{Reached, Toward},
};

/// Distance at which a place is reached, in pixels.
pub(super) const THERE_PX: f32 = 1.5;
/// How far past its take-off a jump may still begin, in pixels.
const LATE_PX: f32 = 2.5;
/// The share of the planned speed that is enough for a jump.
const ENOUGH_SPEED: f32 = 0.93;

impl World {
    /// The input of a walker seen from the side by its order.
    pub(super) fn walk_by_order(&mut self, key: EntityKey) -> Steer {
        let Some(entity) = self.entities.get(key) else { return Steer::default() };
        let components = entity.components.clone();
        let Some(spec) = &components.walker else { return Steer::default() };
        let pos = entity.pose.pos;
        if let Order::Flee(target) = &entity.movement.order {
            let Some(from) = self.find(key, target) else { return Steer::default() };
            // As far away as possible.
            let goal = Vec2::new(if pos.x < from.x { pos.x - 1e3 } else { pos.x + 1e3 }, pos.y);
            return self.walk_straight(key, spec, goal);
        }
        let chases = matches!(entity.movement.order, Order::Chase(_));
        let Some(goal) = self.goal(key) else { return Steer::default() };
        let near = self.constants.arrive_distance;
        let to = goal - pos;
        if self.constants.is_there(to, self.feet_px(key)) && !self.passes_by(key, to) {
            self.arrive(key);
            let slow = Vec2::new(to.x / near * 0.3, 0.0);
            return if chases { Steer::default() } else { Steer { dir: slow, ..Steer::default() } };
        }
        if self.touches_target(key) {
            self.arrive(key);
            let in_air = self.physics.is_in_air(key);
            if let Some(entity) = self.entities.get_mut(key) {
                entity.movement.touched_at = in_air.then_some(goal);
            }
            return Steer::default();
        }
        // It has fallen off a target that leaves no room beside it: it waits until the target moves.
        if let Some(entity) = self.entities.get_mut(key) {
            entity.movement.touched_at = entity.movement.touched_at.filter(|at| at.distance(goal) <= near);
            if entity.movement.touched_at.is_some() {
                return Steer::default();
            }
        }
        if self.has_caught_above(key, to) {
            return Steer::default();
        }
        self.lose_reach(key, to.length());
        if self.is_below_level(pos) {
            self.report_no_path(key, NoPath { reason: NoPathReason::Outside, at: pos });
            return Steer::default();
        }
        self.note_aloft(key);
        let Some(goal) = self.next_waypoint(key, pos, goal) else { return Steer::default() };
        match self.ledge_walker(key) {
            Some(walker) => self.walk_over_ledges(key, &walker, goal),
            None => self.walk_and_note(key, spec, goal),
        }
    }

    /// Whether a chasing walker stands below a target that it could catch by a jump.
    fn has_caught_above(&self, key: EntityKey, to: Vec2) -> bool {
        let Some(entity) = self.entities.get(key) else { return false };
        let height = self.jump_px(key);
        entity.movement.has_reached
            && matches!(entity.movement.order, Order::Chase(_))
            && to.x.abs() <= self.constants.arrive_distance
            && to.y >= -height - SAME_FLOOR_PX
            && (to.y < 0.0 || self.physics.is_in_air(key))
    }

    /// How a walker rises and falls in a jump, as its paths have it.
    pub(super) fn fall_of(&self, key: EntityKey, spec: &WalkerSpec) -> Fall {
        let scale = self.physics.spec(key).map_or(1.0, |body| body.gravity_scale);
        spec.fall((self.constants.gravity * scale).max(1.0), true)
    }

    /// The height of a walker's jump in pixels; 0 if it is none.
    pub(super) fn jump_px(&self, key: EntityKey) -> f32 {
        let walker = self.entities.get(key).and_then(|entity| entity.components.walker.as_ref());
        walker.map_or(0.0, |spec| self.fall_of(key, spec).height(spec.jump_speed))
    }

    /// How far the feet of a body are below its origin, in pixels.
    pub(super) fn feet_px(&self, key: EntityKey) -> f32 {
        let collider = self.physics.spec(key).and_then(|spec| spec.collider.as_ref());
        collider.map_or(0.0, |collider| collider.solid_bounds(Vec2::ZERO, 0.0).hi.y)
    }

    /// Whether a place is so far below the level that nothing there ever lands.
    fn is_below_level(&self, pos: Vec2) -> bool {
        let grid = &self.rules.grid;
        let (lo, hi) = grid.bounds();
        lo[1] < hi[1] && grid.cell_at(pos)[1] > hi[1]
    }

    /// Whether a walker this near to its goal will not stay there: it jumps or falls (unless it jumps at the goal), or
    /// is too fast to stop at the end of its order. A target that is chased counts as caught as soon as it is near,
    /// because it usually runs on; the same holds for the places of a route except the last.
    fn passes_by(&self, key: EntityKey, to: Vec2) -> bool {
        let Some(entity) = self.entities.get(key) else { return false };
        let weight = self.physics.spec(key).map_or(0.0, |spec| spec.gravity_scale * self.constants.gravity);
        if weight > 0.0 && self.physics.is_in_air(key) {
            return !entity.movement.legs.is_reaching;
        }
        let across = Vec2::new(entity.pose.vel.x, 0.0);
        let braking = self.braking_at_end(key);
        let feet_px = self.feet_px(key);
        braking.is_some_and(|braking| !self.constants.is_there(to - stop_of(across, braking), feet_px))
    }

    /// Its motion for paths over ledges, if it follows one or stands on a ledge.
    fn ledge_walker(&mut self, key: EntityKey) -> Option<Arc<Walker>> {
        let entity = self.entities.get(key)?;
        let walker = self.walker(self.physics.spec(key)?, &entity.components)?;
        let (is_under_way, pos) = (entity.movement.legs.now().is_some(), entity.pose.pos);
        let is_waiting = self.navigator.is_waiting(key);
        let goes =
            is_under_way || is_waiting || self.physics.on_ground(key) && self.navigator.is_on_ledge(&walker, pos);
        goes.then(|| Arc::new(walker))
    }

    /// The motion of walkers of a definition in this level. `None` if they do not walk, or the level is not seen from
    /// the side.
    #[must_use]
    pub fn walker_of(&self, resolved: &Resolved) -> Option<Arc<Walker>> {
        let components = Components::of(&self.rules.resolution, resolved, &self.rules.bare);
        let spec = components.body_spec().ok()??;
        let walker = self.walker(&spec, &components).map(Arc::new);
        walker.filter(|_| self.rules.view == LevelView::Platformer)
    }

    pub(super) fn walker(&self, spec: &BodySpec, components: &Components) -> Option<Walker> {
        walker(spec, components, self.constants.gravity, self.timestep_secs())
    }

    fn walk_over_ledges(&mut self, key: EntityKey, walker: &Arc<Walker>, goal: Vec2) -> Steer {
        let in_air = self.physics.is_in_air(key);
        let Some(pos) = self.entities.get(key).map(|entity| entity.pose.pos) else { return Steer::default() };
        // A wading walker moves on the ground that it is on.
        let on_ground = self.physics.on_ground(key) || !in_air && self.navigator.is_on_ledge(walker, pos);
        let Some(entity) = self.entities.get_mut(key) else { return Steer::default() };
        let vel = entity.pose.vel;
        let legs = &mut entity.movement.legs;
        if legs.is_flying && on_ground {
            self.fail_to_reach(key, goal);
            self.land(key, walker, pos);
        } else if let Some(leg) = legs.now().filter(|_| legs.is_flying || !on_ground).cloned() {
            if !legs.is_flying {
                legs.leave(pos);
            }
            let missed = NoPath { reason: NoPathReason::Missed, at: leg.from };
            let stuck = legs.fell_from().map_or(missed, |_| NoPath { reason: NoPathReason::Wall, at: pos });
            let dir = walker.steer_in_air(pos.x, vel.x, leg.air_target.column(pos.y));
            let swims = Toward { ends: ends_of(&leg), n_run_ups: 0, left_px: pos.distance(leg.to) };
            // A swimmer may swim for ever.
            let reached = if in_air { Reached::InAir(pos) } else { Reached::Toward(pos, swims) };
            self.note_progress(key, reached, |world| world.held_back(key, leg.to - pos).unwrap_or(stuck));
            return Steer { dir: Vec2::new(dir, 0.0), ..Steer::default() };
        }
        if on_ground {
            self.find_path(key, pos, goal, Ground::Ledges(Arc::clone(walker)), false);
        }
        let Some(entity) = self.entities.get_mut(key) else { return Steer::default() };
        let legs = &entity.movement.legs;
        let Some(leg) = legs.now().cloned() else { return Steer::default() };
        let is_last = legs.is_last();
        let is_at_end = is_last && (leg.to.x - pos.x).abs() <= THERE_PX;
        let ahead = if legs.is_backing { pos - foot_end(&leg) } else { foot_end(&leg) - pos };
        let toward = Toward { ends: ends_of(&leg), n_run_ups: legs.n_run_ups(), left_px: legs.left_px(&leg, pos) };
        let left_px = legs.left_of_path_px(pos);
        let is_in_body = is_at_end && self.navigator.floor().is_in_body(goal);
        let near = self.constants.arrive_distance * NEAR_ENOUGH + THERE_PX;
        let has_room = |world: &Self| walker.has_room_below(world.navigator.floor(), goal);
        let is_near = is_at_end && (goal.x - pos.x).abs() <= near && (goal.y - pos.y).abs() <= SAME_FLOOR_PX;
        if is_near && (is_in_body || !has_room(self)) {
            self.arrive(key);
            return Steer::default();
        }
        let why = |world: &Self| {
            let reason = if !is_at_end {
                return world.stopped_by(key, walker, pos, ahead.x);
            } else if is_in_body {
                NoPathReason::Wall
            } else if world.is_taken(key, goal) {
                NoPathReason::Crowded
            } else if !has_room(world) {
                NoPathReason::TooNarrow
            } else {
                NoPathReason::Unconnected
            };
            NoPath { reason, at: goal }
        };
        self.note_progress(key, Reached::Toward(pos, toward), why);
        self.note_approach(key, (goal, left_px), why);
        let floor = self.navigator.floor();
        let belt = walker.belt(floor, pos);
        let to = |x: f32| Vec2::new(on_belt(walker, walker.steer_on_ground(pos.x, vel.x, x), belt), 0.0);
        match leg.how {
            How::Walk if is_last && self.closes_in(key, pos, leg.to, goal) => {
                Steer { dir: to(goal.x), ..Steer::default() }
            }
            How::Walk if is_at_end => {
                let steer = Steer { dir: to(pos.x), ..Steer::default() };
                if self.reaches_up(key, walker, goal - pos) {
                    Steer { jump: Some(walker.spec.jump_speed), ..steer }
                } else {
                    steer
                }
            }
            How::Walk => Steer { dir: to(leg.to.x), ..Steer::default() },
            How::Through => {
                let is_there = (leg.from.x - pos.x).abs() <= THERE_PX && vel.x.abs() < 20.0;
                let drop = is_there && walker.has_opening(floor, pos);
                Steer { dir: to(leg.from.x), drop, ..Steer::default() }
            }
            How::Drop { run } => {
                let before = (leg.from.x - pos.x) * run.signum();
                let pace = if before > walker.run_up(walker.spec.speed) { 1.0 } else { run.abs() / walker.spec.speed };
                Steer { dir: Vec2::new(run.signum() * pace, 0.0), ..Steer::default() }
            }
            How::Jump { run, up } => self.run_and_jump(key, walker, &leg, (run, up)),
        }
    }

    /// Whether another body that stops a walker is at a place.
    fn is_taken(&self, key: EntityKey, place: Vec2) -> bool {
        let there = self.physics.overlapping_circle(place, 0.5);
        there.into_iter().any(|other| other != key && self.physics.stop_each_other(key, other))
    }

    /// Whether a walker at or beyond the end of its path goes on to the solid target beside it.
    fn closes_in(&self, key: EntityKey, pos: Vec2, end: Vec2, goal: Vec2) -> bool {
        let is_beyond = (goal.x - pos.x).abs() <= (goal.x - end.x).abs() + THERE_PX;
        let bounds = |key| self.physics.solid_bounds(key);
        let both = self.solid_target(key).filter(|_| is_beyond).and_then(|target| bounds(key).zip(bounds(target)));
        both.is_some_and(|(own, target)| own.lo.y < target.hi.y && target.lo.y < own.hi.y)
    }

    /// Whether a walker at the end of its path jumps for a goal above. Not if that has failed.
    fn reaches_up(&mut self, key: EntityKey, walker: &Walker, to: Vec2) -> bool {
        let Some(entity) = self.entities.get_mut(key) else { return false };
        let movement = &mut entity.movement;
        let up = -to.y - SAME_FLOOR_PX;
        movement.legs.is_reaching = up > 0.0 && walker.jumps_as_high(up) && movement.no_path.is_none();
        movement.legs.is_reaching
    }

    /// Handle a landing after a jump for its goal that did not reach it.
    fn fail_to_reach(&mut self, key: EntityKey, goal: Vec2) {
        let (tick, limits) = (self.tick, self.tries());
        let Some(entity) = self.entities.get_mut(key) else { return };
        let movement = &mut entity.movement;
        let Some(leg) = movement.legs.now().filter(|_| movement.legs.is_reaching).cloned() else { return };
        if movement.tries.fall(&leg, tick, limits) >= limits.most {
            self.report_no_path(key, NoPath { reason: NoPathReason::Unconnected, at: goal });
        }
    }

    /// Handle a landing after a jump or fall of a path.
    fn land(&mut self, key: EntityKey, walker: &Walker, pos: Vec2) {
        let (size, tick, limits) = (self.rules.grid.tile_size(), self.tick, self.tries());
        let Some(entity) = self.entities.get_mut(key) else { return };
        let movement = &mut entity.movement;
        let Some(leg) = movement.legs.now().cloned() else { return };
        let fell_from = movement.legs.fell_from();
        if fell_from.is_some() && self.navigator.are_on_one_ledge(walker, pos, foot_end(&leg)) {
            return movement.legs.walk_on();
        }
        if movement.legs.land(pos, size.x) {
            if leg.how != How::Walk {
                movement.tries.succeed(&leg);
                movement.mark_progress();
            }
            (movement.path, movement.path_at) = (movement.legs.rest(), 0);
            return;
        }
        movement.path.clear();
        movement.searched_path = None;
        let from = fell_from.or(matches!(leg.how, How::Drop { .. }).then_some(leg.from));
        // Ground that drops a little is walked on. That is no failure, unless it happens again and again at the same
        // place.
        let hopped_from = from.filter(|from| is_hop(&leg, *from, pos, size.y));
        let n = match hopped_from.map(|from| movement.tries.hop(from, tick, limits)) {
            Some(n) if n < limits.most => return,
            Some(n) if fell_from.is_some() => n,
            _ if fell_from.is_some() => movement.tries.fall(&leg, tick, limits),
            _ => {
                // The walker may still try other legs, but its machine can act on the message now.
                if movement.tries.fail(&leg, tick, limits) {
                    self.report_no_path(key, NoPath { reason: NoPathReason::Missed, at: leg.from });
                }
                return;
            }
        };
        if n >= limits.most {
            let at = fell_from.unwrap_or(pos);
            let reason = if self.touches_body(key) { NoPathReason::Crowded } else { NoPathReason::Wall };
            let held = self.held_back(key, foot_end(&leg) - pos).filter(|_| reason == NoPathReason::Wall);
            self.report_no_path(key, held.unwrap_or(NoPath { reason, at }));
        }
    }

    /// Whether a body touches it from a side.
    pub(super) fn touches_body(&self, key: EntityKey) -> bool {
        let is_body = |other: &Other| matches!(other, Other::Entity(other) if *other != key);
        self.physics.touching(key).iter().any(|contact| self.is_beside(contact) && is_body(&contact.b))
    }

    /// The reason why a walker that should move sideways stands still: a body or something solid is in its way, or it is
    /// held back; and the place.
    fn stopped_by(&self, key: EntityKey, walker: &Walker, pos: Vec2, ahead: f32) -> NoPath {
        if self.touches_body(key) {
            return NoPath { reason: NoPathReason::Crowded, at: pos };
        }
        let side = if ahead < 0.0 { walker.lo.x - 1.0 } else { walker.hi.x + 1.0 };
        let feet = pos.y + walker.hi.y;
        let heights = [1.0, walker.spec.step_height + 1.0, (walker.hi.y - walker.lo.y) / 2.0];
        let places = heights.map(|up| Vec2::new(pos.x + side, feet - up));
        let at = places.into_iter().find(|at| self.rules.grid.cell(self.rules.grid.cell_at(*at)).is_solid());
        let wall = at.map(|at| NoPath { reason: NoPathReason::Wall, at });
        wall.or_else(|| self.held_back(key, Vec2::new(ahead, 0.0)))
            .unwrap_or(NoPath { reason: NoPathReason::Wall, at: pos })
    }

    /// The limits of tries on a leg of a path.
    pub(super) fn tries(&self) -> Limits {
        Limits { most: self.constants.jump_tries, hz: self.rules.hz }
    }

    /// Run to the take-off of a jump and jump at these speeds, in px/s; first back, if there is not enough run-up.
    fn run_and_jump(&mut self, key: EntityKey, walker: &Walker, leg: &Leg, (run, up): (f32, f32)) -> Steer {
        let Some(entity) = self.entities.get_mut(key) else { return Steer::default() };
        let (pos, vel) = (entity.pose.pos, entity.pose.vel);
        let belts = [pos, leg.from].map(|pos| walker.belt(self.navigator.floor(), pos));
        let legs = &mut entity.movement.legs;
        let jump = Some(up);
        if run == 0.0 {
            let to = leg.from.x - pos.x;
            let near = if leg.air_target.is_upright() { ON_TARGET_PX } else { THERE_PX };
            if to.abs() <= near && vel.x.abs() <= STANDING_SPEED {
                legs.is_flying = true;
                let dir = walker.steer_in_air(pos.x, vel.x, leg.air_target.column(pos.y));
                return Steer { dir: Vec2::new(dir, 0.0), jump, ..Steer::default() };
            }
            let dir = on_belt(walker, walker.steer_on_ground(pos.x, vel.x, leg.from.x), belts[0]);
            return Steer { dir: Vec2::new(dir, 0.0), ..Steer::default() };
        }
        let side = run.signum();
        // Speeds are relative to the belts: a walker keeps its relative speed on the next belt.
        let (before, speed) = ((leg.from.x - pos.x) * side, (vel.x - belts[0]) * side);
        let run = (run - belts[1]) * side;
        // A walker that never gets as fast, for whatever reason, jumps at the speed it has.
        let enough = if legs.n_backed > MAX_BACKED { 0.0 } else { ENOUGH_SPEED * run };
        let in_a_tick = (vel.x * side).max(0.0) * walker.dt_secs;
        if speed >= enough && before <= in_a_tick / 2.0 && before >= -LATE_PX - in_a_tick {
            (legs.is_flying, legs.is_backing) = (true, false);
            return Steer { dir: Vec2::new(side, 0.0), jump, ..Steer::default() };
        }
        // While it moves back, it needs time to stop.
        let room = before + if speed < 0.0 { walker.run_up(speed) } else { 0.0 };
        let gained = speed.max(0.0) * speed.max(0.0) + 2.0 * walker.spec.acceleration * room;
        if legs.is_backing {
            legs.is_backing = room < walker.run_up(run);
        } else {
            legs.is_backing = room <= 0.0 || gained < enough * enough;
            legs.n_backed += u32::from(legs.is_backing);
        }
        let dir = if legs.is_backing { -side } else { side };
        Steer { dir: Vec2::new(dir, 0.0), ..Steer::default() }
    }
}

/// The motion of a walker in a level that does not run. `None` if the entity does not walk, or the level is not seen
/// from the side.
#[must_use]
pub fn walker_in(
    project: &Project,
    resolution: &Resolution,
    level: &Level,
    resolved: &Resolved,
) -> Option<Arc<Walker>> {
    if project.view_of(level) != LevelView::Platformer || !resolved.has("Walker") {
        return None;
    }
    let components = Components::of(resolution, resolved, &Components::none(resolution));
    let spec = components.body_spec().ok()??;
    walker(&spec, &components, constant(resolution, "Physics.gravity"), 1.0 / hz_of(resolution)).map(Arc::new)
}

/// `None` if it does not walk, or has no gravity.
fn walker(spec: &BodySpec, components: &Components, gravity: f32, timestep_secs: f64) -> Option<Walker> {
    let collider = spec.collider.as_ref()?;
    let size = collider.solid_bounds(Vec2::ZERO, 0.0);
    let gravity_px_s2 = gravity * spec.gravity_scale;
    #[expect(clippy::cast_possible_truncation, reason = "a fraction of a second")]
    let walker = Walker {
        spec: spec.walker.clone()?,
        lo: size.lo,
        hi: size.hi,
        foot_radius: collider.foot_radius(),
        outline: collider.only_outline().cloned(),
        gravity_px_s2,
        dt_secs: timestep_secs as f32,
        kind: components.agent.kind.clone(),
        ignores_belts: false,
    };
    (gravity_px_s2 > 0.0).then_some(walker)
}

/// Input on a belt that gives the motion over the ground that `dir` gives without a belt; at full input it is carried
/// along, or held back.
fn on_belt(walker: &Walker, dir: f32, belt: f32) -> f32 {
    if dir.abs() < 1.0 && belt != 0.0 { (dir - belt / walker.spec.speed.max(1.0)).clamp(-1.0, 1.0) } else { dir }
}
