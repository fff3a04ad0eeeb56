//! Entities that move without orders: platforms on their routes, birds in their flock.
//!
//! Invariant: birds decide by the positions at the end of the last tick, so their order does not matter.

use glam::Vec2;

use crate::{
    model::Level,
    sim::{
        EntityKey,
        behavior::{Target, vocabulary::RouteMode},
        components::Platform,
        flock::{self, Bird, FlockRules},
        nav::Carrier,
        physics::{
            BodySpec,
            convex::{Aabb, area},
        },
        tracks::{Driven, Ease, Track},
    },
};

use super::{
    World,
    entity::Entity,
    order::{Ride, Route},
};

impl World {
    /// The entities that may carry walkers: solid bodies that tracks, routes and joints move, and zones that lift walkers.
    pub(crate) fn carriers(&self) -> Vec<Carrier> {
        let bodies = self.physics.carried().filter_map(|key| self.moved_body(key));
        let others = self
            .entities
            .iter()
            .filter_map(|(key, entity)| self.moved_by_joint(key, entity).or_else(|| self.lifting_zone(key, entity)));
        bodies.chain(others).collect()
    }

    /// Whether the level has lifts: solid bodies that tracks or routes move.
    pub(in crate::sim) fn has_lifts(&self) -> bool {
        self.physics.carried().any(|key| self.moved_body(key).is_some())
    }

    /// A solid kinematic body that a track or a route moves.
    fn moved_body(&self, key: EntityKey) -> Option<Carrier> {
        let (entity, around) = (self.entities.get(key)?, self.physics.solid_bounds(key)?);
        let spec = self.physics.spec(key)?;
        if spec.collider.as_ref()?.is_sensor() {
            return None;
        }
        let pos = entity.pose.pos;
        let (mut places, mut speed, mut turns): (Vec<Vec2>, _, _) = (Vec::new(), Vec2::ZERO, false);
        if let Some(platform) = &entity.components.platform {
            let (layer, tag) = route_of(platform, &self.rules.level);
            let route = self.route(layer, tag, pos).ok();
            let points: Vec<Vec2> = route.iter().flat_map(|route| route.points.to_vec()).chain([pos]).collect();
            let extent = points.iter().fold(Vec2::ZERO, |most, at| most.max((*at - pos).abs()));
            speed = extent.signum().max(Vec2::ZERO) * platform.speed.abs();
            places.extend(points);
        }
        for track in entity.components.tracks.iter() {
            match track.drives {
                Driven::Position => {
                    let (way, fastest) = course(track);
                    places.extend(way.into_iter().map(|at| if track.added { pos + at } else { at }));
                    speed = speed.max(fastest);
                }
                Driven::Rotation => turns = true,
                Driven::Field(_) => {}
            }
        }
        if places.is_empty() && !turns {
            return None;
        }
        let (mut lo, mut hi) = (around.lo - pos, around.hi - pos);
        if turns {
            let far = Vec2::splat(lo.abs().max(hi.abs()).length());
            (lo, hi) = (-far, far);
        }
        let ends = places.iter().fold([pos; 2], |[lo, hi], at| [lo.min(*at), hi.max(*at)]);
        let lowest_top = ends[1].y + if is_box(spec, entity.pose.angle) && !turns { lo.y } else { hi.y };
        Some(Carrier { id: entity.id.clone(), area: Aabb { lo: ends[0] + lo, hi: ends[1] + hi }, lowest_top, speed })
    }

    /// A solid loose body with a joint, which a motor, a spring or others may move anywhere in the level.
    fn moved_by_joint(&self, key: EntityKey, entity: &Entity) -> Option<Carrier> {
        entity.components.joint.as_ref()?;
        let around = self.physics.solid_bounds(key)?;
        let spec = self.physics.spec(key)?;
        if !spec.is_dynamic() || spec.collider.as_ref()?.is_sensor() {
            return None;
        }
        let (lo, hi) = self.rules.grid.bounds();
        let [lo, hi] = [lo, hi].map(|cell| self.rules.grid.center(cell));
        let area = Aabb { lo, hi }.union(around);
        Some(Carrier { id: entity.id.clone(), area, lowest_top: area.hi.y, speed: Vec2::ZERO })
    }

    /// A zone that may lift walkers: by an upward acceleration, by a pull or as water.
    fn lifting_zone(&self, key: EntityKey, entity: &Entity) -> Option<Carrier> {
        let spec = self.physics.spec(key)?;
        let (zone, collider) = (spec.zone.as_ref()?, spec.collider.as_ref()?);
        let lifts = zone.acceleration.y < 0.0 || zone.pull != 0.0 || zone.density > 0.0;
        let area = collider.bounds(entity.pose.pos, entity.pose.angle);
        // As fast as it makes what it accelerates all through it.
        let most = (zone.acceleration.length() + zone.pull.abs()).max(self.constants.gravity);
        let speed = Vec2::splat((2.0 * most * (area.hi - area.lo).max_element()).sqrt());
        lifts.then(|| Carrier { id: entity.id.clone(), area, lowest_top: area.hi.y, speed })
    }

    /// Move a kinematic platform along its route.
    pub(super) fn move_platform(&mut self, key: EntityKey, platform: &Platform) {
        let dt = self.dt();
        let Some(entity) = self.entities.get(key) else { return };
        let pos = entity.pose.pos;
        let mut state = entity.movement.platform.clone();
        if state.is_none() {
            let (layer, tag) = route_of(platform, &self.rules.level);
            let none = Route { layer: layer.into(), tag: tag.into(), ..Route::default() };
            let found = if layer.is_empty() { Ok(none.clone()) } else { self.route(layer, tag, pos) };
            let route = found.unwrap_or_else(|why| {
                self.report_problem(key, why);
                none
            });
            state = Some(Ride { route, forward: true, ..Ride::default() });
        }
        let Some(mut ride) = state else { return };
        let Some(entity) = self.entities.get_mut(key) else { return };
        let mut to = pos;
        if self.tick >= ride.until {
            ride.speed = speed_of(platform, &ride, pos, dt);
            let mut left = ride.speed * dt;
            let Ride { route, forward, until, speed } = &mut ride;
            // A tick may pass several places; each at most once.
            for _ in 0..=route.points.len() {
                let Some(next) = route.point() else { break };
                let delta = next - to;
                if delta.length() > left {
                    to += delta.normalize_or_zero() * left;
                    break;
                }
                left -= delta.length();
                to = next;
                let last = route.points.len() - 1;
                let is_end = platform.mode != RouteMode::Loop && (route.at == 0 || route.at == last);
                let goes_on = route.advance(platform.mode, forward);
                if !goes_on {
                    *until = u64::MAX;
                    break;
                }
                if is_end {
                    // From rest, in the other direction.
                    *speed = 0.0;
                    let wait = f64::from(platform.wait_secs) * self.rules.hz;
                    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a minute")]
                    let wait = wait.clamp(0.0, 1e6).ceil() as u64;
                    *until = self.tick + wait;
                    if wait > 0 || platform.ease_secs > 0.0 {
                        break;
                    }
                }
            }
        }
        let turned = entity.movement.driven.and_then(|driven| driven.angle);
        let angle = turned.unwrap_or(entity.pose.angle);
        entity.movement.platform = Some(ride);
        self.physics.set_next_pose(key, to, angle);
    }

    /// The route of a platform begins anew, from its node nearest to the platform.
    pub(super) fn forget_platform(&mut self, key: EntityKey) {
        if let Some(entity) = self.entities.get_mut(key) {
            entity.movement.platform = None;
        }
    }

    /// The wanted velocity of a bird in a flock, as a share of its speed.
    pub(super) fn flock(&self, key: EntityKey) -> Vec2 {
        let Some(me) = self.entities.get(key) else { return Vec2::ZERO };
        let Some(flock) = &me.components.flock else { return Vec2::ZERO };
        let speed = me.components.speed().max(1.0);
        let max_change = me.components.flyer.as_ref().map_or(flock.rules.max_change, |flyer| flyer.acceleration);
        let rules = FlockRules { max_speed: speed, max_change, ..flock.rules };
        // Its flock: the entities with `Flock` of the same definition.
        let kind = self.resolve_all(&Target::Def(me.def.clone()), None, None);
        let others = kind.iter().filter(|other| **other != key).filter_map(|other| self.entities.get(*other));
        let birds: Vec<Bird> = others
            .filter(|other| other.pose.pos.distance_squared(me.pose.pos) <= rules.perception * rules.perception)
            .map(|other| Bird { pos: other.pose.pos, vel: other.pose.vel })
            .collect();
        let enemies: Vec<Vec2> =
            self.resolve_all(&flock.enemy, Some(key), None).into_iter().filter_map(|enemy| self.pos(enemy)).collect();
        let bird = Bird { pos: me.pose.pos, vel: me.pose.vel };
        let desired = flock::fly(bird, &birds, &enemies, &rules, self.dt());
        // Turn aside from an obstacle ahead.
        let ahead = self.rules.grid.ray(me.pose.pos, me.pose.pos + desired.normalize_or_zero() * 24.0);
        let desired =
            if ahead.is_some() { self.escape_direction(me.pose.pos, me.pose.pos + desired) * speed } else { desired };
        desired / speed
    }
}

/// The waypoint layer of a platform's route and the tag of its nodes, either of which may be empty.
pub(super) fn route_of<'p>(platform: &'p Platform, level: &Level) -> (&'p str, &'p str) {
    match level.layer(&platform.route) {
        Some(_) => (&platform.route, ""),
        None => platform.route.split_once('/').unwrap_or((&platform.route, "")),
    }
}

/// Speed of a platform in this tick, px/s: it accelerates evenly from rest, and brakes evenly to stop at an end.
fn speed_of(platform: &Platform, ride: &Ride, pos: Vec2, dt: f32) -> f32 {
    if platform.ease_secs <= 0.0 {
        return platform.speed;
    }
    let gain = platform.speed.abs() / platform.ease_secs;
    let to_rest = ride.to_end(platform.mode, pos, platform.speed.abs() * platform.ease_secs);
    // Not so slow that it never arrives.
    let braking = (2.0 * gain * to_rest).sqrt().max(gain * dt);
    (ride.speed + gain * dt).min(platform.speed).min(braking)
}

/// Whether a body's only solid part is an upright rectangle at an angle in radians.
fn is_box(spec: &BodySpec, angle: f32) -> bool {
    let part = spec.collider.as_ref().and_then(|collider| collider.only_outline());
    part.is_some_and(|part| {
        let part = part.placed(Vec2::ZERO, angle);
        let Aabb { lo, hi } = part.aabb();
        let whole = (hi - lo).element_product();
        (area(&part.outline()) - whole).abs() < 1e-3 * whole
    })
}

/// Places (px) along a track of positions, and about its greatest speed along each axis (px/s); steps have none.
fn course(track: &Track) -> (Vec<Vec2>, Vec2) {
    const N_PARTS: u32 = 16;
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
    let at = |secs: f64| track.lanes_at(secs).map_or(Vec2::ZERO, |[x, y, ..]| Vec2::new(x as f32, y as f32));
    let mut places: Vec<Vec2> = track.keys.iter().map(|key| at(key.at)).collect();
    let mut fastest = Vec2::ZERO;
    for pair in track.keys.windows(2).filter(|pair| pair[0].ease != Ease::Step && pair[0].at < pair[1].at) {
        let part = (pair[1].at - pair[0].at) / f64::from(N_PARTS);
        let way: Vec<Vec2> = (0..=N_PARTS).map(|i| at(pair[0].at + part * f64::from(i))).collect();
        #[expect(clippy::cast_possible_truncation, reason = "seconds")]
        let speeds = way.windows(2).map(|ends| (ends[1] - ends[0]).abs() / part as f32);
        fastest = speeds.fold(fastest, Vec2::max);
        places.extend(way);
    }
    (places, fastest)
}
