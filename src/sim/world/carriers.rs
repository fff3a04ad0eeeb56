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
    },
};

use super::{
    World,
    order::{Ride, Route},
};

impl World {
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
