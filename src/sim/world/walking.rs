//! Walkers seen from the side that follow an order: over ledges by the path that was found, by drops and jumps.
//!
//! Invariant: a jump of a path begins where and as fast as the search has tried it, and is steered as there. A walker
//! on something that is not part of the floor, such as a platform or a crate, and one that flees, goes straight and
//! jumps where a wall or a gap is ahead.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    defs::{Resolution, Resolved},
    model::{Level, LevelView, Project},
    sim::{
        EntityKey,
        components::Components,
        nav::{Ground, How, Leg, NoPath, NoPathReason, Walker},
        physics::{BodySpec, Contact, Other, WalkerSpec},
    },
};

use super::{
    World,
    constants::{SAME_FLOOR_PX, constant, hz_of},
    legs::{Limits, MAX_BACKED, ends_of, foot_end, is_hop},
    movement::{Steer, stop_of},
    order::Order,
    progress::{Reached, Toward},
};

/// How deep a walker that goes straight looks for ground beyond an edge, in pixels.
const GAP_PX: f32 = 48.0;
/// This near to a place is there, in pixels.
const THERE_PX: f32 = 1.5;
/// How far past the place of a jump it may still begin, in pixels.
const LATE_PX: f32 = 2.5;
/// The share of the planned speed that is enough for a jump.
const ENOUGH_SPEED: f32 = 0.93;
/// A contact whose normal is as upright as this holds a walker up, and is not in its way.
const STANDING_NORMAL: f32 = 0.7;

impl World {
    /// What a walker seen from the side does about its order.
    pub(super) fn walk_by_order(&mut self, key: EntityKey) -> Steer {
        let Some(entity) = self.entities.get(key) else { return Steer::default() };
        let components = entity.components.clone();
        let Some(spec) = &components.walker else { return Steer::default() };
        let pos = entity.pose.pos;
        if let Order::Flee(target) = &entity.movement.order {
            let Some(from) = self.find(key, target) else { return Steer::default() };
            // As far away as can be.
            let goal = Vec2::new(if pos.x < from.x { pos.x - 1e3 } else { pos.x + 1e3 }, pos.y);
            return self.walk_straight(key, spec, goal);
        }
        let chases = matches!(entity.movement.order, Order::Chase(_));
        let Some(goal) = self.goal(key) else { return Steer::default() };
        let near = self.constants.arrive_distance;
        let to = goal - pos;
        if self.constants.is_there(to) && !self.passes_by(key, to) {
            self.arrive(key);
            let slow = Vec2::new(to.x / near * 0.3, 0.0);
            return if chases { Steer::default() } else { Steer { dir: slow, ..Steer::default() } };
        }
        self.lose_reach(key, to.length() > near * 2.0);
        if self.is_below_level(pos) {
            self.report_no_path(key, NoPath { reason: NoPathReason::Outside, at: pos });
            return Steer::default();
        }
        let Some(goal) = self.next_waypoint(key, pos, goal) else { return Steer::default() };
        match self.ledge_walker(key) {
            Some(walker) => self.walk_over_ledges(key, &walker, goal),
            None => self.walk_and_note(key, spec, goal),
        }
    }

    /// Whether something is so far below the level that it falls for ever.
    fn is_below_level(&self, pos: Vec2) -> bool {
        let grid = &self.rules.grid;
        let (lo, hi) = grid.bounds();
        lo[1] < hi[1] && grid.cell_at(pos)[1] > hi[1]
    }

    /// Whether a walker this near to its goal does not stay there: it jumps or falls, or is too fast to stop where its
    /// order ends. One that chases has caught its target as soon as it is near, for that runs on as a rule; and so it
    /// is with the places of a route but the last.
    fn passes_by(&self, key: EntityKey, to: Vec2) -> bool {
        let Some(entity) = self.entities.get(key) else { return false };
        let weight = self.physics.spec(key).map_or(0.0, |spec| spec.gravity_scale * self.constants.gravity);
        if weight > 0.0 && self.physics.is_in_air(key) {
            return true;
        }
        let across = Vec2::new(entity.pose.vel.x, 0.0);
        let braking = self.braking_at_end(key);
        braking.is_some_and(|braking| !self.constants.is_there(to - stop_of(across, braking)))
    }

    /// How it moves, when it is to go over ledges: it is on its way over them, or stands on one.
    fn ledge_walker(&mut self, key: EntityKey) -> Option<Arc<Walker>> {
        let entity = self.entities.get(key)?;
        let walker = self.walker(self.physics.spec(key)?, &entity.components)?;
        let (is_under_way, pos) = (entity.movement.legs.now().is_some(), entity.pose.pos);
        let is_waiting = self.navigator.is_waiting(key);
        let goes =
            is_under_way || is_waiting || self.physics.on_ground(key) && self.navigator.is_on_ledge(&walker, pos);
        goes.then(|| Arc::new(walker))
    }

    /// How entities of a definition walk and jump in this level. `None` where they do not, or it is not seen from the
    /// side.
    #[must_use]
    pub fn walker_of(&self, resolved: &Resolved) -> Option<Arc<Walker>> {
        let components = Components::of(&self.rules.resolution, resolved, &self.rules.bare);
        let spec = components.body_spec().ok()??;
        let walker = self.walker(&spec, &components).map(Arc::new);
        walker.filter(|_| self.rules.view == LevelView::Platformer)
    }

    fn walker(&self, spec: &BodySpec, components: &Components) -> Option<Walker> {
        walker(spec, components, self.constants.gravity, self.timestep_secs())
    }

    fn walk_over_ledges(&mut self, key: EntityKey, walker: &Arc<Walker>, goal: Vec2) -> Steer {
        let on_ground = self.physics.on_ground(key);
        let Some(entity) = self.entities.get_mut(key) else { return Steer::default() };
        let (pos, vel) = (entity.pose.pos, entity.pose.vel);
        let legs = &mut entity.movement.legs;
        if legs.is_flying && on_ground {
            self.land(key, walker, pos);
        } else if let Some(leg) = legs.now().filter(|_| legs.is_flying || !on_ground).cloned() {
            if !legs.is_flying {
                legs.leave(pos);
            }
            let missed = NoPath { reason: NoPathReason::Missed, at: leg.from };
            let stuck = legs.fell_from().map_or(missed, |_| NoPath { reason: NoPathReason::Wall, at: pos });
            let dir = walker.steer_in_air(pos.x, vel.x, leg.aim_x);
            self.note_progress(key, Reached::InAir(pos), |_| stuck);
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
        let toward = Toward { ends: ends_of(&leg), phase: legs.phase(), left_px: legs.left_px(&leg, pos) };
        let at_end = NoPath { reason: NoPathReason::Unconnected, at: goal };
        let why = |world: &Self| if is_at_end { at_end } else { world.stopped_by(key, walker, pos, ahead.x) };
        self.note_progress(key, Reached::Toward(pos, toward), why);
        let to = |x: f32| Vec2::new(walker.steer_on_ground(pos.x, vel.x, x), 0.0);
        match leg.how {
            How::Walk if is_at_end => end_of_path(walker, goal - pos),
            How::Walk => Steer { dir: to(leg.to.x), ..Steer::default() },
            How::Through => {
                let is_there = (leg.from.x - pos.x).abs() <= THERE_PX && vel.x.abs() < 20.0;
                Steer { dir: to(leg.from.x), drop: is_there, ..Steer::default() }
            }
            How::Drop { run } => {
                let before = (leg.from.x - pos.x) * run.signum();
                let pace = if before > walker.run_up(walker.spec.speed) { 1.0 } else { run.abs() / walker.spec.speed };
                Steer { dir: Vec2::new(run.signum() * pace, 0.0), ..Steer::default() }
            }
            How::Jump { run } => self.run_and_jump(key, walker, &leg, run),
        }
    }

    /// On the ground after a jump or fall of a path.
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
                movement.gets_on();
            }
            (movement.path, movement.path_at) = (movement.legs.rest(), 0);
            return;
        }
        movement.path.clear();
        movement.searched_path = None;
        let from = fell_from.or(matches!(leg.how, How::Drop { .. }).then_some(leg.from));
        // Ground that falls away a little is walked on. That is nothing that failed, unless it leads nowhere: again and
        // again at the same place.
        let hopped_from = from.filter(|from| is_hop(&leg, *from, pos, size.y));
        let n = match hopped_from.map(|from| movement.tries.hop(from, tick, limits)) {
            Some(n) if n < limits.most => return,
            Some(n) if fell_from.is_some() => n,
            _ if fell_from.is_some() => movement.tries.fall(&leg, tick, limits),
            _ => return movement.tries.fail(&leg, tick),
        };
        if n >= limits.most {
            let at = fell_from.unwrap_or(pos);
            let reason = if self.touches_body(key) { NoPathReason::Crowded } else { NoPathReason::Wall };
            self.report_no_path(key, NoPath { reason, at });
        }
    }

    /// Whether a body touches it from a side.
    fn touches_body(&self, key: EntityKey) -> bool {
        let is_body = |other: &Other| matches!(other, Other::Entity(other) if *other != key);
        let is_beside = |contact: &Contact| !contact.sensor && contact.normal.y.abs() < STANDING_NORMAL;
        self.physics.touching(key).iter().any(|contact| is_beside(contact) && is_body(&contact.b))
    }

    /// Why a walker stands still that is to go to a side: a body is in its way, or something solid, and where.
    fn stopped_by(&self, key: EntityKey, walker: &Walker, pos: Vec2, ahead: f32) -> NoPath {
        if self.touches_body(key) {
            return NoPath { reason: NoPathReason::Crowded, at: pos };
        }
        let side = if ahead < 0.0 { walker.lo.x - 1.0 } else { walker.hi.x + 1.0 };
        let feet = pos.y + walker.hi.y;
        let heights = [1.0, walker.spec.step_height + 1.0, (walker.hi.y - walker.lo.y) / 2.0];
        let places = heights.map(|up| Vec2::new(pos.x + side, feet - up));
        let at = places.into_iter().find(|at| self.rules.grid.cell(self.rules.grid.cell_at(*at)).is_solid());
        NoPath { reason: NoPathReason::Wall, at: at.unwrap_or(pos) }
    }

    /// When a walker has failed too often on a leg of its path.
    pub(super) fn tries(&self) -> Limits {
        Limits { most: self.constants.jump_tries, hz: self.rules.hz }
    }

    /// Slower where it is nearly there.
    fn toward(&self, to_x: f32) -> Vec2 {
        Vec2::new(to_x.signum() * (to_x.abs() / self.constants.arrive_distance.max(1.0)).min(1.0), 0.0)
    }

    /// To the place of a jump at its speed; from farther back where there is not enough run-up.
    fn run_and_jump(&mut self, key: EntityKey, walker: &Walker, leg: &Leg, run: f32) -> Steer {
        let Some(entity) = self.entities.get_mut(key) else { return Steer::default() };
        let (pos, vel) = (entity.pose.pos, entity.pose.vel);
        let legs = &mut entity.movement.legs;
        let jump = Some(walker.spec.jump_speed);
        if run == 0.0 {
            let to = leg.from.x - pos.x;
            if to.abs() <= THERE_PX && vel.x.abs() <= 10.0 {
                legs.is_flying = true;
                let dir = walker.steer_in_air(pos.x, vel.x, leg.aim_x);
                return Steer { dir: Vec2::new(dir, 0.0), jump, ..Steer::default() };
            }
            return Steer { dir: Vec2::new(walker.steer_on_ground(pos.x, vel.x, leg.from.x), 0.0), ..Steer::default() };
        }
        let side = run.signum();
        let (before, speed) = ((leg.from.x - pos.x) * side, vel.x * side);
        // One that never gets as fast, for whatever reason, jumps as it is.
        let enough = if legs.n_backed > MAX_BACKED { 0.0 } else { ENOUGH_SPEED * run.abs() };
        let in_a_tick = speed.max(0.0) * walker.dt_secs;
        if speed >= enough && before <= in_a_tick / 2.0 && before >= -LATE_PX - in_a_tick {
            (legs.is_flying, legs.is_backing) = (true, false);
            return Steer { dir: Vec2::new(side, 0.0), jump, ..Steer::default() };
        }
        // Going back, it comes to a stop only later.
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

    /// Straight for a goal, on what is no part of the floor.
    fn walk_and_note(&mut self, key: EntityKey, spec: &WalkerSpec, goal: Vec2) -> Steer {
        let Some(entity) = self.entities.get(key) else { return Steer::default() };
        let pos = entity.pose.pos;
        let to = goal - pos;
        let on_ground = self.physics.on_ground(key);
        // Hopping on the spot leads nowhere. Not by velocity: a walker pressed against a wall keeps the one it tries.
        let reason = if to.x.abs() <= THERE_PX { NoPathReason::Unconnected } else { NoPathReason::Wall };
        let falls = to.y > 0.0 && !on_ground;
        let place = Vec2::new(pos.x, if falls { pos.y } else { 0.0 });
        self.note_progress(key, Reached::Place(place), |_| NoPath { reason, at: pos });
        self.walk_straight(key, spec, goal)
    }

    fn walk_straight(&self, key: EntityKey, spec: &WalkerSpec, goal: Vec2) -> Steer {
        let Some(entity) = self.entities.get(key) else { return Steer::default() };
        let to = goal - entity.pose.pos;
        let on_ground = self.physics.on_ground(key);
        // Right above or below: there is nothing to walk.
        if to.x.abs() <= THERE_PX {
            let jump = (to.y < -SAME_FLOOR_PX && on_ground).then_some(spec.jump_speed);
            return Steer { jump, drop: to.y > SAME_FLOOR_PX, ..Steer::default() };
        }
        let jump = (on_ground && self.should_jump(key, spec, to.x.signum(), to)).then_some(spec.jump_speed);
        Steer { dir: self.toward(to.x), jump, drop: to.y > SAME_FLOOR_PX && to.x.abs() < 32.0, ..Steer::default() }
    }

    /// Whether there is a wall or a gap just ahead that a jump may take it over, or a ledge above that leads on.
    fn should_jump(&self, key: EntityKey, walker: &WalkerSpec, side: f32, to: Vec2) -> bool {
        let Some(entity) = self.entities.get(key) else { return false };
        let outlines = self.physics.outlines(key);
        if outlines.is_empty() {
            return false;
        }
        let fall = walker.fall(self.constants.gravity.max(1.0), true);
        let height = fall.height(walker.jump_speed);
        let step = walker.step_height;
        if height <= step {
            return false;
        }
        let ahead = self.constants.jump_ahead;
        let (x, feet) = outlines.iter().flatten().fold((entity.pose.pos.x, f32::MIN), |(x, y), p| {
            (if side > 0.0 { x.max(p.x) } else { x.min(p.x) }, y.max(p.y))
        });
        let grid = &self.rules.grid;
        let clear = |a: Vec2, b: Vec2| grid.sight_clear(a, b);
        // Higher than a slope rises within this distance, lower than it jumps.
        let rise = walker.max_slope_rad.tan() * ahead;
        let knee = Vec2::new(x, feet - step.max(rise.min(height * 0.5)) - 1.0);
        let wall = !clear(knee, knee + Vec2::new(side * ahead, 0.0));
        if wall {
            return true;
        }
        // A gap right ahead, unless the goal is down there.
        let edge = Vec2::new(x + side * 2.0, feet - 1.0);
        let no_ground = clear(edge, edge + Vec2::new(0.0, GAP_PX));
        if no_ground && to.y < GAP_PX {
            return true;
        }
        // A goal above, near enough to be reached by this jump.
        let reach = walker.speed * fall.rise_secs(walker.jump_speed);
        to.y < -SAME_FLOOR_PX && to.y > -(height + SAME_FLOOR_PX) && to.x.abs() < reach.max(24.0)
    }
}

/// How an entity walks and jumps in a level that does not play. `None` where it does not, or the level is not seen from
/// the side.
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

/// `None` for what does not walk, or does not fall.
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
        gravity_px_s2,
        dt_secs: timestep_secs as f32,
        kind: components.agent.kind.clone(),
    };
    (gravity_px_s2 > 0.0).then_some(walker)
}

/// Under a goal that is higher: a jump may reach it.
fn end_of_path(walker: &Walker, to: Vec2) -> Steer {
    let is_in_reach = to.y < -SAME_FLOOR_PX && -to.y <= walker.jump_height() + SAME_FLOOR_PX;
    Steer { jump: is_in_reach.then_some(walker.spec.jump_speed), ..Steer::default() }
}
