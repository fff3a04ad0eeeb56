//! Walkers that are carried: by platforms, belts and whatever else they stand on that moves.
//!
//! Invariant: a loose body in the way is pushed along, and the walker keeps its place as far as its feet hold, which is
//! as well as they brake. What is too heavy for that stops it.

use glam::Vec2;

use crate::sim::EntityKey;

use super::{
    Other, Physics,
    body::{Ground, Motion},
    mover::{SKIN, Stop},
    walk::Stride,
};

/// Who is carried goes at most so far into where a body is that it pushes: the body is not gone from there before the
/// solver moves it. In pixels.
const AHEAD_PX: f32 = 1.0;
/// One that is already so deep in it has not moved it: it is held by something else.
const HELD_DEPTH: f32 = 2.0 * SKIN;
/// What it meets with less of its side than this is above or below it.
const LEAST_SIDE: f32 = 0.7;

impl Physics {
    /// How far what a walker stands on moves it in this tick.
    pub(super) fn carry(&self, ground: &Ground) -> Vec2 {
        let key = match &ground.other {
            Other::Entity(key) => key,
            Other::Tile { cell, .. } => return self.tiles.conveyed(*cell, ground.normal) * self.config.dt_secs,
        };
        let Some(body) = self.bodies.get(*key) else { return Vec2::ZERO };
        if let Motion::Carried { next: Some((pos, angle)), .. } = &body.motion {
            let turn = rapier2d::math::Rotation::new(*angle - body.pose.angle);
            return *pos + turn * (ground.point - body.pose.pos) - ground.point;
        }
        body.velocity_at(ground.point) * self.config.dt_secs
    }
}

impl Stride<'_> {
    /// Move along with the carrier, and away from bodies that push.
    pub(super) fn be_carried(&mut self, carry: Vec2, dt: f32) {
        if carry != Vec2::ZERO {
            let support = self.ground.as_ref().and_then(|ground| match ground.other {
                Other::Entity(key) => Some(key),
                Other::Tile { .. } => None,
            });
            // What it stands on, and what goes along.
            let mut but: Vec<EntityKey> = support.into_iter().collect();
            let (mut rest, mut most) = (carry, f32::INFINITY);
            while let Some(stop) = self.near.cast_but(rest, &but) {
                let way = (rest * stop.share).clamp_length_max(most.max(0.0));
                self.near.at += way;
                rest -= way;
                most -= way.length();
                let Some(other) = stop.entity.filter(|_| self.takes_along(&stop, dt)) else {
                    rest = Vec2::ZERO;
                    break;
                };
                but.push(other);
                most = most.min(AHEAD_PX);
            }
            self.near.at += rest.clamp_length_max(most.max(0.0));
        }
        let vel = if self.ground.is_some() { self.vel + self.carried } else { self.vel };
        self.near.push_out(vel);
    }

    /// Push a loose body that is in the way of being carried. Whether it goes along.
    fn takes_along(&mut self, stop: &Stop, dt: f32) -> bool {
        let Some((other, its)) = stop.entity.zip(stop.mass) else { return false };
        let closing = (stop.vel - self.carried).dot(stop.normal);
        if closing <= 0.0 || stop.normal.x.abs() < LEAST_SIDE {
            return false;
        }
        let loss = closing * its / self.mass;
        let holds = self.spec.speed_up(loss, 0.0, true, dt).abs() >= loss;
        let impulse = if holds { closing * its } else { closing * its * self.mass / (self.mass + its) };
        let is_held = self.near.depth_in(other) > HELD_DEPTH;
        self.near.push(stop, other, impulse);
        holds && !is_held
    }
}
