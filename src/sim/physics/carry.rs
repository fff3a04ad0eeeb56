//! Walkers carried by platforms, conveyor belts and other moving ground.
//!
//! Invariant: a carried walker keeps its place on the carrier, unless a loose one slips away, and pushes loose bodies in
//! its way along, as long as its braking can resist them. A body that is too heavy for that stops it.

use std::collections::BTreeSet;

use glam::Vec2;
use rapier2d::math::Rotation;

use crate::sim::EntityKey;

use super::{
    Other, Physics,
    body::{Body, Ground, Motion},
    mover::{Impulse, SKIN, Stop},
    walk::Stride,
};

/// How far a carried walker may overlap a body that it pushes, in pixels: the solver moves that body only later in the
/// tick.
const AHEAD_PX: f32 = 1.0;
/// A pushed body that the walker overlaps by more has not moved: something else blocks it. In pixels.
const HELD_DEPTH: f32 = 2.0 * SKIN;
/// The greatest acceleration of a loose body that takes a walker along, in px/s²: more than that of falling and pushed
/// bodies, far less than that of one which the solver throws. Beyond it, the walker slips, or is struck.
const GRIP_PX_S2: f32 = 3000.0;
/// Where the body below starts away from the walker by this many times the grip, the walker does not follow: no fall is
/// so sudden.
const DROP: f32 = 4.0;
/// A loose body below a walker moves steadily while its velocity changes in a tick by at most so many times what a fall
/// adds: it falls, sinks, or a motor moves it. What is struck or held ends the tick elsewhere.
const STEADY: f32 = 1.25;
/// So much the speed of a motor wavers from tick to tick, in px/s, where nothing falls.
const WAVER_PX_S: f32 = 1.0;
/// A body that goes up by more than this share of its height in a tick counts as thrown: a walker that was late at its
/// start would be pushed out below it.
const RISE: f32 = 0.25;
/// Contacts with a smaller horizontal share of their unit normal are above or below the walker, and are not pushed.
const MIN_SIDE_NORMAL: f32 = 0.7;

impl Physics {
    /// How far the ground that a walker stands on moves it in this tick, in pixels.
    pub(super) fn carry(&self, ground: &Ground) -> Vec2 {
        let key = match &ground.other {
            Other::Entity(key) => key,
            Other::Tile { cell, .. } => return self.tiles.conveyed(*cell, ground.normal) * self.config.dt_secs,
        };
        let Some(body) = self.bodies.get(*key) else { return Vec2::ZERO };
        if let Motion::Carried { next: Some((pos, angle)), .. } = &body.motion
            && body.moves_in_step()
        {
            let turn = Rotation::new(*angle - body.pose.angle);
            return *pos + turn * (ground.point - body.pose.pos) - ground.point;
        }
        self.carries_at(*key, body, ground.point) * self.config.dt_secs
    }

    /// The part of a change of its velocity (px/s, in one tick) with which a loose body slips away under a walker: more
    /// than feet hold on to.
    pub(super) fn slip(&self, ground: &Ground, change: Vec2) -> Vec2 {
        let Other::Entity(key) = ground.other else { return Vec2::ZERO };
        if !self.is_loose(key) {
            return Vec2::ZERO;
        }
        let tangent = ground.normal.perp();
        let (along, most) = (change.dot(tangent), GRIP_PX_S2 * self.config.dt_secs);
        tangent * (along - along.clamp(-most, most))
    }

    /// The effect of a sudden start of the loose body that a walker of this mass (kg) stands on, by a `change` of its
    /// velocity (px/s, in one tick) beyond the grip: away from the walker the body does not take it along, toward it the
    /// two share the rest by their masses. Returns the change of the velocity that carries the walker, px/s, and the
    /// impulse on the body.
    pub(super) fn start(&self, ground: &Ground, change: Vec2, mass: f32) -> Option<(Vec2, Option<Impulse>)> {
        let Other::Entity(key) = ground.other else { return None };
        // A platform that lifts the body is not slowed.
        let its = self.bodies.get(key).filter(|body| body.is_loose() && !self.lifted.contains_key(&key))?.spec.mass;
        let (toward, grip) = (change.dot(ground.normal), GRIP_PX_S2 * self.config.dt_secs);
        if toward < -DROP * grip {
            return Some((-ground.normal * (toward + grip), None));
        }
        let slowed = -ground.normal * ((toward - grip) * mass / (mass + its));
        let push = Impulse { to: key, amount: slowed * its, at: Some(ground.point), lasts: false };
        (toward > grip).then_some((slowed, Some(push)))
    }

    /// Velocity at which a body carries a walker that stands on it at a point, in px/s. What is round carries like a body
    /// that does not roll: its surface moves twice as fast above, which would throw the walker off, and be driven on by
    /// it. Up and down, what a platform lifts carries as fast as that moves it in this tick.
    pub(super) fn carries_at(&self, key: EntityKey, body: &Body, point: Vec2) -> Vec2 {
        let vel = if body.rolls() { body.pose.vel } else { self.velocity_at(body, point) };
        let more = self.lifted.get(&key).map_or(0.0, |down| down / self.config.dt_secs - body.pose.vel.y);
        vel + Vec2::new(0.0, more)
    }

    /// The loose body that a walker stands on, and how far it goes up or down in this tick, in pixels, if that is known: it
    /// moves steadily. The walker was `carried` so fast, in px/s, and will be carried by `carry`, in pixels.
    pub(super) fn steady_carrier(&self, ground: &Ground, carried: Vec2, carry: Vec2) -> Option<(EntityKey, Vec2)> {
        let (key, dt) = (ground.other.entity().filter(|key| self.is_loose(*key))?, self.config.dt_secs);
        let body = self.bodies.get(key)?;
        let pull = body.spec.gravity_scale * body.felt.gravity;
        let most = (STEADY * self.config.gravity_px_s2.abs() * pull.abs().max(1.0) * dt).max(WAVER_PX_S);
        let is_steady = carry.y.abs() > SKIN && (carry / dt - carried).length() <= most;
        let bounds = self.solid_bounds(key).filter(|_| is_steady)?;
        (-carry.y < RISE * (bounds.hi.y - bounds.lo.y)).then_some((key, Vec2::new(0.0, carry.y)))
    }

    /// Apply the impulse of a mover to a loose body. What is round takes it at its middle, since its surface gives way
    /// under feet; other bodies tilt and turn.
    pub(super) fn push(&mut self, Impulse { to, amount, at, lasts }: Impulse) {
        let bounds = self.solid_bounds(to);
        let Some(body) = self.bodies.get_mut(to).filter(|body| body.is_loose() && amount.is_finite()) else { return };
        // The middle of wide feet may be beyond the edge that bears them.
        let point = at.zip(bounds).filter(|_| !body.rolls()).map(|(at, bounds)| at.clamp(bounds.lo, bounds.hi));
        let middle = body.pose.pos + Rotation::new(body.pose.angle) * self.solver.center_of_mass(body);
        let point = point.unwrap_or(middle);
        if lasts {
            let force = amount / self.config.dt_secs;
            body.load = (body.load.0 + force, body.load.1 + (point - middle).perp_dot(force));
            self.loaded.insert(to);
            return;
        }
        self.solver.strike(body, amount, point);
        let (pose, exceeded) = body.pose.within_limits();
        body.pose = pose;
        if exceeded.is_some() {
            self.solver.place(body);
        }
        self.faults.extend(body.limited(to, exceeded));
    }

    /// Before the movers move: nothing bears any of them. Returns the bodies that did.
    pub(super) fn unload(&mut self) -> BTreeSet<EntityKey> {
        let loaded = std::mem::take(&mut self.loaded);
        loaded.iter().for_each(|key| {
            self.bodies.get_mut(*key).into_iter().for_each(|body| body.load = (Vec2::ZERO, 0.0));
        });
        loaded
    }

    /// Give the solver the weight of movers on loose bodies; `before` are those that had some in the last step.
    pub(super) fn load(&mut self, before: BTreeSet<EntityKey>) {
        for key in before.into_iter().chain(self.loaded.iter().copied()) {
            let is_free = self.free.contains(&key);
            self.bodies.get(key).into_iter().for_each(|body| self.solver.set_forces(body, is_free, true));
        }
    }

    /// Velocity (px/s) of the point of a body that is at `point`, in world pixels.
    pub(super) fn velocity_at(&self, body: &Body, point: Vec2) -> Vec2 {
        // The solver's velocity of a loose body is that of its center of mass, which may be beside its origin.
        let center = if body.pose.spin == 0.0 { Vec2::ZERO } else { self.solver.center_of_mass(body) };
        let pivot = body.pose.pos + Rotation::new(body.pose.angle) * center;
        body.pose.vel + (point - pivot).perp() * body.pose.spin
    }
}

impl Stride<'_> {
    /// Move with the carrier, then out of what overlaps the walker. Returns whether the walker is free to move.
    pub(super) fn be_carried(&mut self, carry: Vec2, dt: f32) -> bool {
        if carry != Vec2::ZERO {
            // The carrier, and the bodies that are pushed along.
            let mut but: Vec<EntityKey> = self.carrier.into_iter().collect();
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
        self.physics.push_out(self.key, vel, self.index, self.near)
    }

    /// Push a loose body that blocks the carried walker. Returns whether the body moves along with it.
    fn takes_along(&mut self, stop: &Stop, dt: f32) -> bool {
        let Some((other, its)) = stop.entity.zip(stop.mass) else { return false };
        let closing = (stop.vel - self.carried).dot(stop.normal);
        if closing <= 0.0 || stop.normal.x.abs() < MIN_SIDE_NORMAL {
            return false;
        }
        let loss = closing * its / self.mass;
        let holds = self.spec.speed_up(loss, 0.0, true, dt).abs() >= loss;
        let impulse = if holds { closing * its } else { closing * its * self.mass / (self.mass + its) };
        let is_held = self.near.depth_in(other) > HELD_DEPTH;
        let push = self.near.push(stop, other, impulse);
        self.push_off(self.carrier, push);
        holds && !is_held
    }
}
