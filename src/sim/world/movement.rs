//! Orders of movement (routes, goals, pursuit, flight) and their execution by walkers and flyers, tick by tick.
//!
//! Invariant: an order lasts until another replaces it. Seen from above, and for flyers, paths lead over the tile grid;
//! requests for them are in `paths`. Walkers seen from the side are in `walking`. The motion of walkers and flyers is
//! `sim::physics`.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::{Fields, LevelView},
    sim::{
        EntityKey, Input,
        behavior::{Target, vocabulary::RouteMode},
        components::Components,
        insight::profile::{Meter, System},
        nav::{self, Ground, NEAR_ENOUGH, NoPath, NoPathReason},
        physics::{WalkInput, WalkerSpec},
        steering::pace,
    },
};

use super::{
    World,
    actions::Driver,
    crowd::Crowd,
    entity::Entity,
    legs::Legs,
    order::{Goal, Order, OrderTarget, Route},
    progress::Reached,
    targets::Targets,
};

/// An agent without progress for this long moves onto the line of its path, where there may be just enough room, in
/// seconds.
const SLOW_SECS: f32 = 0.15;
/// How fast it approaches that line, per second, as a share of its distance: no faster than it can stop there.
const LINE_CONVERGENCE_PER_SEC: f32 = 12.0;

/// Distance from side to side at which an agent touches its target, in pixels.
const TOUCHING_PX: f32 = 1.0;

/// Distance to the end of a path that does not lead to the goal at which it stops, in pixels.
const AT_END_PX: f32 = 1.0;

/// The input of a walker or flyer in this tick.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steer {
    /// Direction; a length of 1 is full speed.
    pub(super) dir: Vec2,
    pub(super) jump: Option<f32>,
    /// Whether the jump key is not held.
    pub(super) released: bool,
    /// Vertical direction on ladders and in water: below zero is up.
    pub(super) climb: f32,
    pub(super) dash: Option<Vec2>,
    pub(super) drop: bool,
}

/// From the origin of an entity to the middle of its body, as it is turned, in pixels.
pub(super) fn body_offset(entity: &Entity) -> Vec2 {
    let offset = entity.components.body_offset();
    let is_turned = entity.pose.angle != 0.0 && offset != Vec2::ZERO;
    if is_turned { Vec2::from_angle(entity.pose.angle).rotate(offset) } else { offset }
}

impl World {
    /// The route of a waypoint layer from its node nearest to `from`: the nodes connected with that one, in written
    /// order; all nodes if there are no links.
    pub(super) fn route(&self, layer: &str, tag: &str, from: Vec2) -> Result<Route, String> {
        let (Some(graph), Some(built)) = (self.rules.waypoints(layer), self.navigator.waypoints(layer)) else {
            return Err(format!("there is no waypoint layer `{layer}`"));
        };
        let Some((nodes, at)) = nav::route_nodes(graph, tag, from, |start| built.together(start)) else {
            return Err(if tag.is_empty() {
                format!("waypoint layer `{layer}` has no nodes")
            } else {
                format!("waypoint layer `{layer}` has no nodes with the tag `{tag}`")
            });
        };
        let names = nodes.iter().map(|i| built.names()[*i].clone()).collect();
        let points = nodes.iter().map(|i| built.points()[*i]).collect();
        Ok(Route { layer: layer.into(), tag: tag.into(), nodes: names, points, at })
    }

    /// The work charged for finding a route along a layer.
    pub(super) fn route_work(&self, layer: &str) -> u64 {
        self.navigator.waypoints(layer).map_or(1, |built| built.points().len() as u64)
    }

    /// The work charged for choosing a direction: targets of the order, the flock and its enemies.
    fn order_work(&self, key: EntityKey) -> u64 {
        let Some(entity) = self.entities.get(key) else { return 0 };
        let n_meant = |target: &Target| match self.resolve(target, Some(key), None) {
            Targets::One(_) => 1,
            Targets::Kind(kind) => kind.len() as u64,
        };
        let order = match &entity.movement.order {
            Order::Chase(OrderTarget::Nearest(target)) | Order::Flee(OrderTarget::Nearest(target)) => n_meant(target),
            _ => 0,
        };
        let flock = entity.components.flock.as_ref();
        let flock = flock.map_or(0, |flock| 2 * n_meant(&Target::Def(entity.def.clone())) + n_meant(&flock.enemy));
        1 + order + flock
    }

    /// Before the physics: apply the answers to path requests, then set the input of all walkers and flyers.
    pub(super) fn move_all(&mut self, meter: &mut Meter<'_>) {
        self.follow_bodies();
        let budget = self.constants.expansions_per_tick.clamp(10.0, 1e9);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        let answers = self.navigator.tick_measured(budget as u32, meter);
        for (key, answer) in answers {
            self.take_answer(key, answer);
        }
        let passing = self.passing();
        self.physics.set_passing(passing);
        let crowd = meter.sample(System::Crowd, |_| self.crowd());
        let keys: Vec<EntityKey> = self.entities.keys().collect();
        for key in keys {
            self.move_one(key, &crowd, meter);
        }
    }

    /// Give the navigator the bodies that stand still.
    pub(super) fn follow_bodies(&mut self) {
        let revision = self.physics.still_revision();
        if self.still_revision != revision {
            self.still_revision = revision;
            self.navigator.set_bodies(self.physics.still());
            self.navigator.set_one_way_bodies(self.physics.still_one_way());
        }
    }

    fn move_one(&mut self, key: EntityKey, crowd: &Crowd, meter: &mut Meter<'_>) {
        let Some(entity) = self.entities.get(key) else { return };
        let is_driven = entity.movement.driven.is_some_and(|driven| driven.place.is_some());
        let components = entity.components.clone();
        let goes = components.walker.is_some() || components.flyer.is_some();
        let has_body = entity.has_body;
        if !has_body || is_driven || !goes {
            self.note_immobile(key);
        }
        if !has_body || is_driven {
            return;
        }
        if goes || components.platform.is_some() {
            meter.sample_of(System::Steering, key, |meter| {
                if let Some(platform) = &components.platform {
                    self.move_platform(key, platform);
                }
                if goes {
                    self.steer(key, &components, crowd, meter);
                }
            });
        }
    }

    /// Set the input of a walker or flyer by its keys or its order.
    fn steer(&mut self, key: EntityKey, components: &Components, crowd: &Crowd, meter: &mut Meter<'_>) {
        let walks = components.walker.is_some();
        if !self.charge(self.order_work(key), "look for where to go") {
            return;
        }
        let from_side = self.rules.view == LevelView::Platformer;
        let driven = self.driven(key, from_side && walks);
        if driven.is_none() {
            self.note_target(key);
            self.note_zones(key);
        }
        let steer = match driven {
            Some(steer) => steer,
            None if from_side && walks => self.walk_by_order(key),
            None => {
                let steer = self.glide_by_order(key);
                let dir = meter.sample(System::Avoidance, |_| self.around_others(crowd, key, steer.dir));
                Steer { dir, ..steer }
            }
        };
        let Some(entity) = self.entities.get_mut(key) else { return };
        if steer.dir.length_squared() > 1e-4 {
            let facing = if from_side && walks { Vec2::new(steer.dir.x.signum(), 0.0) } else { steer.dir.normalize() };
            entity.movement.facing = facing;
        }
        if walks {
            let requested = entity.movement.jump_now.take();
            entity.movement.jumps_by_order |= requested.is_some();
            let input = WalkInput {
                dir: steer.dir,
                jump: requested.or(steer.jump),
                // A jump requested by a machine is a full one, whatever keys are held.
                released: steer.released && !entity.movement.jumps_by_order,
                climb: steer.climb,
                dash: steer.dash,
                drop: steer.drop,
            };
            self.physics.walk(key, input);
        } else if let Some(flyer) = &components.flyer {
            self.physics.fly(key, steer.dir * flyer.speed);
        }
    }

    /// The input by a player's keys; `None` if no player drives it, or if none of the keys is held while it has an
    /// order.
    fn driven(&mut self, key: EntityKey, from_side: bool) -> Option<Steer> {
        let input = self.input;
        let entity = self.entities.get(key)?;
        // Entities without life do not walk.
        if entity.life.is_some_and(|life| life.is_dead) && self.player_of(key).is_some() {
            return Some(Steer::default());
        }
        let player = match self.driver(key, entity) {
            Driver::Order => return None,
            Driver::Nobody => return Some(Steer::default()),
            Driver::Keys(player) => player,
        };
        let Vec2 { x, y } = self.direction_of(player);
        let entity = self.entities.get_mut(key)?;
        let presses = |keys: u32| input.holds(player, keys) && !self.before.holds(player, keys);
        // Where the keys point, else where it faces.
        let facing = entity.movement.facing;
        let dash = presses(Input::DASH).then(|| Vec2::new(x, y).try_normalize().unwrap_or(facing));
        if !from_side {
            return Some(Steer { dir: Vec2::new(x, y).normalize_or_zero(), dash, ..Steer::default() });
        }
        // Up is a jump where there is nothing to climb or swim in.
        let up_jumps = self.constants.up_jumps && !self.physics.can_go_up(key);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few ticks")]
        if presses(Input::JUMP) || presses(Input::UP) && up_jumps {
            // At least in the tick of the press.
            let buffer = entity.components.walker.as_ref().map_or(0.0, |walker| f64::from(walker.jump_buffer_secs));
            entity.movement.jump_until = self.tick + (buffer * self.rules.hz - 1e-3).ceil().max(1.0) as u64;
        }
        let wants_jump = self.tick < entity.movement.jump_until;
        let jump = entity.components.walker.as_ref().filter(|_| wants_jump).map(|walker| walker.jump_speed);
        let holds_up = self.constants.up_jumps && input.holds(player, Input::UP);
        let released = !input.holds(player, Input::JUMP) && !holds_up;
        let drop = input.holds(player, Input::DOWN);
        Some(Steer { dir: Vec2::new(x, 0.0), jump, released, climb: y, dash, drop })
    }

    /// After the physics: clear the request of a jump that was made.
    pub(super) fn note_jump(&mut self, key: EntityKey) {
        let (has_jumped, on_ground) = (self.physics.has_jumped(key), self.physics.on_ground(key));
        let Some(entity) = self.entities.get_mut(key) else { return };
        if has_jumped {
            entity.movement.jump_until = 0;
        }
        entity.movement.jumps_by_order &= !on_ground;
    }

    pub(super) fn find(&self, key: EntityKey, target: &OrderTarget) -> Option<Vec2> {
        self.find_key(key, target).and_then(|other| self.pos(other))
    }

    /// The entity that the target of an order matches now.
    pub(super) fn find_key(&self, key: EntityKey, target: &OrderTarget) -> Option<EntityKey> {
        match target {
            OrderTarget::None => None,
            OrderTarget::Entity(other) => Some(*other),
            OrderTarget::Nearest(target) => self.nearest(target, key, None, |_, _| true),
        }
    }

    /// The present goal of an order, in pixels.
    pub(super) fn goal(&self, key: EntityKey) -> Option<Vec2> {
        match &self.entities.get(key)?.movement.order {
            Order::None | Order::Stop | Order::Nowhere(_) | Order::Flee(_) => None,
            Order::Route { route, .. } => route.point(),
            Order::GoTo { goals, at } => goals.get(*at).map(|goal| goal.at),
            Order::Chase(target) => self.find(key, target),
        }
    }

    /// The entity at the goal of an order, if its body and the agent's stop each other: the agent has arrived when it
    /// touches it. One that has left the place of a `GoTo` is no goal.
    pub(super) fn solid_target(&self, key: EntityKey) -> Option<EntityKey> {
        let target = match &self.entities.get(key)?.movement.order {
            Order::GoTo { goals, at } => return self.solid_at(key, goals.get(*at)?),
            Order::Chase(target) => self.find_key(key, target),
            _ => None,
        };
        target.filter(|target| self.physics.stop_each_other(key, *target))
    }

    /// The entity at a goal, if it has not left that, and its body and the agent's stop each other.
    pub(super) fn solid_at(&self, key: EntityKey, goal: &Goal) -> Option<EntityKey> {
        goal.target.filter(|target| self.is_at(*target, goal.at) && self.physics.stop_each_other(key, *target))
    }

    /// Whether an entity is at a place, or its body covers it.
    fn is_at(&self, key: EntityKey, place: Vec2) -> bool {
        let near = self.constants.arrive_distance;
        self.pos(key).is_some_and(|pos| pos.distance(place) <= near)
            || self.physics.shapes(key).iter().any(|shape| shape.holds(place))
    }

    /// Whether an agent touches the target of its order.
    pub(super) fn touches_target(&self, key: EntityKey) -> bool {
        self.solid_target(key).is_some_and(|target| self.physics.are_within(key, target, TOUCHING_PX))
    }

    /// Handle arrival at the goal: continue with the next place of a route, or end the order.
    pub(super) fn arrive(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        let movement = &mut entity.movement;
        movement.path.clear();
        movement.legs = Legs::default();
        movement.searched_path = None;
        movement.tries.forget_misses();
        movement.mark_progress();
        let ended = match &mut movement.order {
            Order::Route { route, mode, forward } => {
                let node = route.point();
                if let Some(along) = &mut movement.along {
                    along.leave(node);
                }
                !route.advance(*mode, forward)
            }
            _ => true,
        };
        // A route of one place ends there at once, and is kept: it leads back there.
        let is_only = matches!(&movement.order, Order::Route { route, .. } if route.points.len() == 1);
        let news = (ended || is_only) && !movement.has_reached;
        movement.has_reached |= ended || is_only;
        if ended && !matches!(movement.order, Order::Chase(_)) {
            movement.order = Order::Stop;
        }
        if news {
            let arrived = self.rules.arrived;
            self.send_from_world(key, arrived, None, Arc::<Fields>::default());
        }
    }

    /// Allow the target of a chase to get away again, by its distance from place to place and from side to side.
    pub(super) fn lose_reach(&mut self, key: EntityKey, distance: f32) {
        let near = self.constants.arrive_distance;
        let has_caught = |entity: &Entity| {
            entity.movement.has_reached && matches!(entity.movement.order, Order::Chase(_)) && distance > 2.0 * near
        };
        if !self.entities.get(key).is_some_and(|entity| has_caught(entity)) {
            return;
        }
        let is_beside = self.solid_target(key).is_some_and(|target| self.physics.are_within(key, target, near));
        if let Some(entity) = self.entities.get_mut(key).filter(|_| !is_beside) {
            entity.movement.has_reached = false;
        }
    }

    /// The input by an order seen from above, or in the air.
    fn glide_by_order(&mut self, key: EntityKey) -> Steer {
        let Some(entity) = self.entities.get(key) else { return Steer::default() };
        let pos = entity.pose.pos;
        if let Order::Flee(target) = &entity.movement.order {
            let from = self.find(key, target);
            return from.map_or_else(Steer::default, |from| Steer {
                dir: self.escape_direction(pos, from),
                ..Steer::default()
            });
        }
        let (components, offset) = (entity.components.clone(), body_offset(entity));
        let Some(goal) = self.goal(key) else {
            return if components.flock.is_some() {
                Steer { dir: self.flock(key), ..Steer::default() }
            } else {
                Steer::default()
            };
        };
        let near = self.constants.arrive_distance;
        let braking = self.braking_at_end(key);
        // Where it would stop, if it has to stop there.
        let rest = pos + braking.map_or(Vec2::ZERO, |braking| stop_of(entity.pose.vel, braking));
        let target = self.solid_target(key);
        let touches = |target| self.physics.are_within(key, target, TOUCHING_PX);
        if pos.distance(goal) <= near && rest.distance(goal) <= near || target.is_some_and(touches) {
            self.arrive(key);
            return Steer::default();
        }
        self.lose_reach(key, pos.distance(goal));
        if self.update_wait(key, goal) {
            return Steer::default();
        }
        let (from, on) = self.links_from(key, pos).unwrap_or((pos, Ground::Grid));
        self.find_path(key, from, goal, on, false);
        let floor = self.navigator.floor();
        let Some(entity) = self.entities.get_mut(key) else { return Steer::default() };
        let movement = &mut entity.movement;
        // A path to a body ends beside it; from there it is straight ahead.
        if target.is_some() && movement.path_at + 1 == movement.path.len() && movement.path.last() != Some(&goal) {
            movement.path.extend(movement.path.last().is_some_and(|end| pos.distance(*end) <= near).then_some(goal));
        }
        // The end of the path follows a moving goal while that is visible from the point before it.
        let before = movement.path.len().checked_sub(2).filter(|before| *before >= movement.path_at);
        let before = before.and_then(|before| movement.path.get(before)).copied().unwrap_or(pos);
        if let Some(end) = movement.path.last_mut()
            && *end != goal
            && floor.is_clear(before + offset, goal + offset, components.agent_radius())
        {
            *end = goal;
        }
        let slow = components.flyer.as_ref().map_or(near * 2.0, |flyer| flyer.arrive_radius).max(near);
        let movement = &mut entity.movement;
        while let Some(next) = movement.path.get(movement.path_at)
            && pos.distance(*next) <= near
            && movement.path_at + 1 < movement.path.len()
        {
            movement.path_at += 1;
        }
        let Some(next) = movement.path.get(movement.path_at).copied() else { return Steer::default() };
        let is_last = movement.path_at + 1 == movement.path.len();
        let to = next - pos;
        let is_slow = movement.stuck_secs > SLOW_SECS;
        let before = movement.path_at.checked_sub(1).and_then(|at| movement.path.get(at)).copied();
        let (vel, left_px) = (entity.pose.vel, movement.left_px(pos));
        // At the end of the path, as near to the goal as possible.
        let is_at_end = is_last && to.length() <= near && next != goal;
        let reach = near * NEAR_ENOUGH + AT_END_PX;
        // A goal inside a body is reached beside it; one inside a tile is never reached.
        let is_walled = || self.rules.grid.cell(self.rules.grid.cell_at(goal)).full;
        if is_at_end && pos.distance(goal) <= reach && rest.distance(goal) <= reach && !is_walled() {
            self.arrive(key);
            return Steer::default();
        }
        let stuck = |world: &Self| {
            if is_at_end {
                let floor = world.navigator.floor();
                let has_room = floor.is_clear(goal + offset, goal + offset, components.agent_radius());
                let reason = if has_room && world.has_agents_ahead(key, goal) {
                    NoPathReason::Crowded
                } else if floor.is_open(goal) {
                    // Where it fits and no agent stands, paths over whole cells do not get there.
                    NoPathReason::TooNarrow
                } else {
                    NoPathReason::Wall
                };
                return NoPath { reason, at: goal };
            }
            let reason = match world.is_stopped_by_floor(key, next) {
                true if !world.navigator.floor().is_clear(pos, next, 0.0) => NoPathReason::Wall,
                true if !world.has_agents_ahead(key, next) => NoPathReason::TooNarrow,
                false if !world.has_agents_ahead(key, next) && !world.touches_body(key) => {
                    return world.held_back(key, to).unwrap_or(NoPath { reason: NoPathReason::Crowded, at: pos });
                }
                _ => NoPathReason::Crowded,
            };
            NoPath { reason, at: pos }
        };
        self.note_progress(key, Reached::Place(pos), stuck);
        self.note_approach(key, (goal, left_px), stuck);
        if is_at_end && to.length() <= AT_END_PX {
            return Steer::default();
        }
        let speed = components.speed();
        let pace = if is_last { pace(to.length(), slow) } else { 1.0 };
        let pace = braking.map_or(pace, |braking| {
            let left = (left_px - vel.length() * self.dt()).max(0.0);
            pace.min((2.0 * braking * left).sqrt() / speed.max(1.0))
        });
        let along = before.filter(|_| is_slow).map(|before| onto_line(pos, before, next, speed));
        let dir = along.unwrap_or_else(|| to.normalize_or_zero());
        Steer { dir: dir * pace, ..Steer::default() }
    }

    /// Deceleration with which it stops at the end of its order, px/s²; `None` if the order does not end there, or it
    /// cannot slow down.
    pub(super) fn braking_at_end(&self, key: EntityKey) -> Option<f32> {
        let entity = self.entities.get(key)?;
        let ends = match &entity.movement.order {
            Order::GoTo { .. } => true,
            Order::Route { route, mode: RouteMode::Once, .. } => route.at + 1 >= route.points.len(),
            _ => false,
        };
        let components = &entity.components;
        let walks = components.walker.as_ref().map(WalkerSpec::deceleration);
        let braking = walks.or(components.flyer.as_ref().map(|flyer| flyer.acceleration))?;
        (ends && braking > 0.0).then_some(braking)
    }

    /// Whether a tile or a body that stands still is right ahead of its body.
    fn is_stopped_by_floor(&self, key: EntityKey, next: Vec2) -> bool {
        const AHEAD_PX: f32 = 2.0;
        let Some(collider) = self.physics.spec(key).and_then(|spec| spec.collider.as_ref()) else { return false };
        let Some(pose) = self.physics.pose(key).filter(|_| collider.is_stopped_by_tiles()) else { return false };
        let ahead = (next - pose.pos).clamp_length_max(AHEAD_PX);
        let around = collider.solid_bounds(pose.pos, pose.angle);
        !self.navigator.floor().is_box_clear(around.lo + ahead, around.hi + ahead)
    }

    /// The best of sixteen directions away from `from`, avoiding walls.
    pub(super) fn escape_direction(&self, pos: Vec2, from: Vec2) -> Vec2 {
        const LOOK_PX: f32 = 40.0;
        let away = (pos - from).try_normalize().unwrap_or(Vec2::X);
        let mut best = (f32::MIN, Vec2::ZERO);
        for i in 0_u8..16 {
            let dir = Vec2::from_angle(f32::from(i) * std::f32::consts::TAU / 16.0).rotate(away);
            let free = self.rules.grid.ray(pos, pos + dir * LOOK_PX).map_or(1.0, |hit| hit.fraction);
            let score = dir.dot(away) + 1.5 * free;
            if score > best.0 + 1e-6 {
                best = (score, dir);
            }
        }
        best.1
    }
}

/// Braking distance, as a vector in pixels.
pub(super) fn stop_of(vel: Vec2, braking_px_s2: f32) -> Vec2 {
    vel * vel.length() / (2.0 * braking_px_s2)
}

/// Direction that leads onto the line between two points of a path, and along it, as a share of full speed.
fn onto_line(pos: Vec2, before: Vec2, next: Vec2, speed: f32) -> Vec2 {
    let Some(along) = (next - before).try_normalize() else { return (next - pos).normalize_or_zero() };
    let nearest = before + along * (pos - before).dot(along).clamp(0.0, before.distance(next));
    let aside = (nearest - pos) * LINE_CONVERGENCE_PER_SEC / speed.max(1.0);
    let ahead = if nearest.distance_squared(next) > 1e-4 { along } else { Vec2::ZERO };
    (aside.clamp_length_max(1.0) + ahead).clamp_length_max(1.0)
}
