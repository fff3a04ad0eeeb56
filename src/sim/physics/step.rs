//! One tick: kinematic bodies, zones, movers, forces, the solver in one or more substeps, contacts, crushing, joints.
//!
//! Invariant: the order is fixed and goes by key, so equal states have equal successors. The motion of a walker is in
//! `walk`, its stops at walls in `mover`.

use glam::Vec2;
use rapier2d::math::Rotation;
use slotmap::SecondaryMap;

use crate::sim::{
    EntityKey,
    insight::profile::{Meter, System},
    limits,
};

use super::{
    Contact, Fault, Other, Physics, PhysicsConfig, Pose,
    body::{Body, Motion},
    convex::Aabb,
    crush::Pushed,
    drift::{advance, drift_exactly},
    index::{self, Index},
    loose_ground::LooseGround,
    solver::{LEAST_ITERATIONS, PairEvent, PairFilter, Solver, StepContacts, TileTouch, entity_of},
    touch::{Found, SENSED},
};

/// Distance that a body may move, in pixels, before pairs of near bodies are counted again.
const NEAR_PX: f32 = 16.0;

/// Number of ticks before grown boxes are counted again, after they had too many pairs.
const DENSE_TICKS: u8 = 30;

impl Physics {
    /// Advance by one tick. Returns the contacts that began and ended: each pair once, ends first, then in key order.
    pub fn step(&mut self) -> Vec<Contact> {
        self.step_measured(&mut Meter::off())
    }

    /// The same, measured.
    pub(in crate::sim) fn step_measured(&mut self, meter: &mut Meter<'_>) -> Vec<Contact> {
        self.tick += 1;
        self.index.take();
        if meter.sample(System::Pairs, |_| self.is_too_crowded()) {
            return Vec::new();
        }
        let (index, is_fast) = meter.sample(System::Index, |_| {
            self.leave_changed_ground();
            self.aim_kinematic();
            let is_fast = self.has_fast_kinematic();
            let stops = |key: &EntityKey| self.bodies.get(*key).is_some_and(|body| body.spec.stops);
            let is_needed = is_fast
                || self.n_loose > 0 && self.carried.iter().any(stops)
                || !self.movers.is_empty()
                || !self.zones.is_empty()
                || !self.in_zones.is_empty();
            (if is_needed { self.index_of(true) } else { Index::default() }, is_fast)
        });
        meter.sample(System::Zones, |_| self.feel_zones(&index));
        let (found, mut pushed) = self.move_movers(&index, meter);
        self.crushes.pinned = std::mem::take(&mut pushed.pinned);
        meter.sample(System::Forces, |_| {
            self.push_dynamic();
            self.watch_sliding();
            self.wake_landed_on();
        });
        let loose = LooseGround::default();
        let mut config = self.config.clone();
        config.solver.iterations = config.iterations_per_tick();
        match (if is_fast { self.n_substeps(&index) } else { 1 }).max(self.n_for_loose()) {
            1 => self.solve(&config, found, &pushed, &loose, meter),
            n => {
                config.dt_secs /= f32::from(n);
                // The tick has as many iterations as otherwise, if each substep has the fewest that it needs.
                config.solver.iterations = (config.solver.iterations / f32::from(n)).max(LEAST_ITERATIONS);
                let (mut aims, mut found) = (self.aims(), found);
                for i in 1..=n {
                    self.aim_substep(&mut aims, f32::from(i) / f32::from(n));
                    self.solve(&config, std::mem::take(&mut found), &pushed, &loose, meter);
                }
            }
        }
        meter.sample(System::Joints, |_| self.break_joints());
        self.touches.take_events()
    }

    /// Run the solver for a tick or a substep, and take over its results.
    fn solve(
        &mut self,
        config: &PhysicsConfig,
        found: Vec<Found>,
        pushed: &Pushed,
        loose: &LooseGround,
        meter: &mut Meter<'_>,
    ) {
        let n_added = std::mem::take(&mut self.n_added);
        if self.solver.set_iterations(config, n_added) {
            self.bodies.values().filter(|body| body.is_stacked).for_each(|body| self.solver.set_stacked(body));
        }
        let contacts = meter.sample(System::Solver, |meter| {
            self.sweep_fast_bodies(config.dt_secs);
            let contacts = self.solver.step(&self.tiles, &self.crushes, loose, config, meter.is_on());
            meter.divide(self.solver.stages());
            contacts
        });
        if self.solver.n_pairs() > limits::MAX_PAIRS {
            self.crowded();
        }
        meter.sample(System::Touches, |_| {
            self.keep_touches(found, contacts);
            self.read_back(config.dt_secs);
        });
        self.index.take();
        meter.sample(System::Crush, |_| self.keep_crushes(pushed));
    }

    /// Whether there are more pairs of near bodies than the solver may get: then nothing moves in this tick. Counted
    /// before the solver runs, which would need the memory and time for all of them.
    fn is_too_crowded(&mut self) -> bool {
        let n = self.bodies.len();
        if n * n.saturating_sub(1) / 2 <= limits::MAX_PAIRS {
            return false;
        }
        if self.drift_px > NEAR_PX
            && let Some(places) = &self.pairs_checked_at
        {
            self.drift_px = self.farthest_from(places);
        }
        if self.pairs_checked_at.is_some() && self.drift_px <= NEAR_PX {
            return false;
        }
        let filters = self.bodies.values().filter_map(|body| self.solver.filter(body));
        if index::has_few_pairs(filters, limits::MAX_PAIRS, PairFilter::can_pair) {
            return false;
        }
        let has_more = |boxes: &mut dyn Iterator<Item = (&Body, Aabb)>| {
            let boxes = boxes.filter_map(|(body, aabb)| Some((self.solver.filter(body)?, aabb))).collect();
            index::has_more_pairs(boxes, limits::MAX_PAIRS, PairFilter::can_pair)
        };
        // Boxes grown by the room to move and turn give an answer that holds for many ticks. Where they have too many
        // pairs, they are not counted again for some ticks, or each of these would count twice.
        self.pairs_checked_at = None;
        let mut is_too_crowded = true;
        if self.recheck_in == 0 {
            is_too_crowded = has_more(&mut self.wide_boxes());
            if is_too_crowded {
                self.recheck_in = DENSE_TICKS;
            } else {
                self.pairs_checked_at = Some(self.bodies.iter().map(|(key, body)| (key, body.pose.pos)).collect());
                self.drift_px = 0.0;
            }
        } else {
            self.recheck_in -= 1;
        }
        is_too_crowded = is_too_crowded && has_more(&mut self.boxes(false).map(|(_, body, aabb)| (body, aabb)));
        if is_too_crowded {
            self.crowded();
        }
        is_too_crowded
    }

    /// The greatest distance of a body from its place along an axis, in pixels.
    fn farthest_from(&self, places: &SecondaryMap<EntityKey, Vec2>) -> f32 {
        let distance = |(key, body): (EntityKey, &Body)| {
            places.get(key).map_or(f32::INFINITY, |at| (body.pose.pos - *at).abs().max_element())
        };
        self.bodies.iter().map(distance).fold(0.0, f32::max)
    }

    /// Boxes grown so that they hold every body within `NEAR_PX` of its place, at any angle.
    fn wide_boxes(&self) -> impl Iterator<Item = (&Body, Aabb)> {
        self.bodies.values().filter(|body| !body.is_faulty).filter_map(|body| {
            let (at, radius) = (body.pose.pos, body.spec.collider.as_ref()?.radius());
            Some((body, Aabb { lo: at, hi: at }.grown(radius + NEAR_PX)))
        })
    }

    fn crowded(&mut self) {
        self.overload = Some(format!("more than {} pairs of bodies are near each other", limits::MAX_PAIRS));
    }

    /// The contacts of a body, with normals toward it.
    #[must_use]
    pub fn touching(&self, key: EntityKey) -> Vec<Contact> {
        self.touches.of(key).collect()
    }

    /// Set the poses of kinematic bodies after this tick, and their velocities.
    fn aim_kinematic(&mut self) {
        let dt = self.config.dt_secs;
        for key in &self.carried {
            let Some(body) = self.bodies.get_mut(*key) else { continue };
            let Motion::Carried { next, was_set } = &mut body.motion else { continue };
            let Pose { pos, angle, vel, spin } = body.pose;
            match next {
                Some((to, turned)) => {
                    *was_set = true;
                    self.rounded_off.remove(key);
                    body.pose.vel = (*to - pos) / dt;
                    body.pose.spin = (*turned - angle) / dt;
                }
                None if std::mem::take(was_set) => (body.pose.vel, body.pose.spin) = (Vec2::ZERO, 0.0),
                None => {
                    let before = self.rounded_off.remove(key).unwrap_or_default();
                    let (to, rounded_off) = advance(pos, vel * dt + before);
                    if rounded_off != Vec2::ZERO {
                        self.rounded_off.insert(*key, rounded_off);
                    }
                    *next = Some((limits::place(to), angle + spin * dt));
                }
            }
            if let (Some((to, turned)), Some(rigid)) = (*next, self.solver.bodies.get_mut(body.handle))
                && (to, turned) != (pos, angle)
            {
                rigid.set_next_kinematic_position(rapier2d::math::Pose::new(to, turned));
            }
        }
    }

    /// Apply gravity and zones to the velocities of dynamic bodies without contact; the solver applies the gravity of
    /// the others.
    fn push_dynamic(&mut self) {
        let (dt, gravity) = (self.config.dt_secs, self.config.gravity());
        for key in &self.free {
            let Some(body) = self.bodies.get_mut(*key).filter(|body| body.spec.is_dynamic()) else { continue };
            if self.tiles.is_buried(body) {
                // The outline is hollow: what was put into the ground, or had ground put around it, would fall inside
                // it.
                if body.pose.vel != Vec2::ZERO {
                    body.pose.vel = Vec2::ZERO;
                    self.solver.set_velocity(body);
                }
                continue;
            }
            let felt = body.felt;
            if self.solver.is_sleeping(body) {
                continue;
            }
            let change = (gravity * body.spec.gravity_scale * felt.gravity + felt.acceleration) * dt;
            if change != Vec2::ZERO {
                body.pose.vel = limits::velocity(body.pose.vel + change);
                self.solver.set_velocity(body);
            }
        }
    }

    fn keep_touches(&mut self, found: Vec<Found>, contacts: StepContacts) {
        let (tick, least) = (self.tick, self.config.contact_speed);
        for event in contacts.pairs {
            self.keep_pair(event);
        }
        for found in found {
            self.touches.find(found, tick, false, least);
        }
        for TileTouch { key, normal, point } in contacts.tiles {
            let Some(body) = self.bodies.get(key) else { continue };
            let speed = -self.velocity_at(body, point).dot(normal);
            let (cell, name) = self.tiles.surface(point, normal);
            let found = Found { a: key, b: Other::Tile { cell, name }, normal, point, speed, sensor: false };
            self.touches.find(found, tick, false, least);
        }
        let (bodies, solver) = (&self.bodies, &self.solver);
        self.touches.sweep(tick, |key| bodies.get(key).is_some_and(|body| solver.is_sleeping(body)));
    }

    fn keep_pair(&mut self, event: PairEvent) {
        let keys = event.of.map(entity_of);
        if !event.sensor {
            for (key, other) in [(keys[0], keys[1]), (keys[1], keys[0])] {
                let Some(key) = key else { continue };
                self.count_contact(key, event.started);
                self.keep_stacked(key, other, event.started);
            }
        }
        match keys {
            [Some(a), Some(b)] => {
                if self.is_movers_own(a, b) {
                    return;
                }
                if !event.started {
                    self.touches.release(a, Some(b), event.sensor);
                    return;
                }
                let normal = -event.normal;
                let vel = |key| self.bodies.get(key).map_or(Vec2::ZERO, |body| self.velocity_at(body, event.point));
                let speed = -(vel(a) - vel(b)).dot(normal);
                let (point, sensor) = (event.point, event.sensor);
                let found = Found { a, b: Other::Entity(b), normal, point, speed, sensor };
                self.touches.find(found, self.tick, true, self.config.contact_speed);
            }
            // A sensor and the ground; solid bodies have contacts that show it.
            [Some(a), None] | [None, Some(a)] if event.sensor => self.keep_sensed_ground(a, event),
            _ => {}
        }
    }

    fn keep_sensed_ground(&mut self, a: EntityKey, event: PairEvent) {
        let Some(body) = self.bodies.get(a).filter(|body| !body.spec.is_mover()) else { return };
        if !event.started {
            self.touches.release(a, None, true);
            return;
        }
        let ahead = body.pose.vel.try_normalize().unwrap_or(Vec2::Y);
        let (cell, name) = self.tiles.surface(body.pose.pos, -ahead);
        let b = Other::Tile { cell, name };
        let found = Found { a, b, normal: SENSED, point: body.pose.pos, speed: 0.0, sensor: true };
        self.touches.find(found, self.tick, true, 0.0);
    }

    /// Whether a pair is a mover and a body that no force moves: the mover finds those itself, in the tick they happen.
    fn is_movers_own(&self, a: EntityKey, b: EntityKey) -> bool {
        let (Some(a), Some(b)) = (self.bodies.get(a), self.bodies.get(b)) else { return true };
        (a.spec.is_mover() || b.spec.is_mover()) && !a.spec.is_dynamic() && !b.spec.is_dynamic()
    }

    /// Count a contact of a body: the solver applies the gravity of a body in contact, `step` that of a free one.
    pub(super) fn count_contact(&mut self, key: EntityKey, started: bool) {
        let Some(body) = self.bodies.get_mut(key) else { return };
        body.n_contacts = if started { body.n_contacts + 1 } else { body.n_contacts.saturating_sub(1) };
        if !body.spec.is_dynamic() {
            return;
        }
        let is_free = body.n_contacts == 0;
        let changed = if is_free { self.free.insert(key) } else { self.free.remove(&key) };
        if changed {
            self.solver.set_free(body, is_free, &self.config);
        }
    }

    /// Notice whether a loose body touches another one, when a contact of it with `other` began or ended.
    fn keep_stacked(&mut self, key: EntityKey, other: Option<EntityKey>, began: bool) {
        let is_other_loose = || other.is_some_and(|other| self.is_loose(other));
        if !began || is_other_loose() {
            self.settle_stacked(key, began);
        }
    }

    /// Record whether a loose body touches another one, or a joint holds it; one of these `began` or ended.
    pub(super) fn settle_stacked(&mut self, key: EntityKey, began: bool) {
        let Some(body) = self.bodies.get(key).filter(|body| body.is_loose() && !(body.is_stacked && began)) else {
            return;
        };
        let is_stacked = began || self.solver.touches_loose(body) || self.solver.is_jointed(body);
        let Some(body) = self.bodies.get_mut(key) else { return };
        if std::mem::replace(&mut body.is_stacked, is_stacked) != is_stacked {
            self.solver.set_stacked(body);
        }
    }

    /// Take over the solver's results for a step of `dt` seconds; take a body that is no longer finite out of the
    /// simulation.
    fn read_back(&mut self, dt: f32) {
        let mut farthest = 0.0_f32;
        for key in &self.carried {
            let Some(body) = self.bodies.get_mut(*key) else { continue };
            if let Motion::Carried { next, .. } = &mut body.motion
                && let Some((pos, angle)) = next.take()
            {
                farthest = farthest.max((pos - body.pose.pos).abs().max_element());
                (body.pose.pos, body.pose.angle) = (pos, angle);
            }
        }
        self.freely_sliding.clear();
        let any_drifts = !self.rounded_off.is_empty();
        for (key, body) in &mut self.bodies {
            if !body.is_loose() || body.is_faulty {
                continue;
            }
            let Some(rigid) = self.solver.bodies.get(body.handle) else { continue };
            if body.pose.vel == Vec2::ZERO && body.pose.spin == 0.0 && rigid.is_sleeping() {
                continue;
            }
            let mut pose = Pose {
                pos: rigid.translation(),
                angle: near_angle(angle_of(*rigid.rotation()), body.pose.angle),
                vel: rigid.linvel(),
                spin: rigid.angvel(),
            };
            let is_enabled = rigid.is_enabled();
            let (mut exceeded, mut differs) = (None, false);
            let before = if any_drifts { self.rounded_off.remove(&key) } else { None }.unwrap_or_default();
            if let Some((to, rounded_off)) = drift_exactly(&self.solver, (body, before), pose, dt) {
                self.rounded_off.insert(key, rounded_off);
                differs = to != pose.pos;
                pose.pos = to;
            }
            if !is_enabled || !pose.is_within_limits() {
                if !is_enabled || !pose.is_finite() {
                    self.faults.push(take_out(key, body, &mut self.solver));
                    self.free.remove(&key);
                    self.rounded_off.remove(&key);
                    continue;
                }
                (pose, exceeded) = pose.within_limits();
                differs = true;
            }
            if let Some((by, normal)) = self.tiles.stop(body, (pose.pos, pose.angle)) {
                pose.pos += by;
                pose.vel -= normal * pose.vel.dot(normal).min(0.0);
                differs = true;
            }
            farthest = farthest.max((pose.pos - body.pose.pos).abs().max_element());
            body.pose = pose;
            if body.slides_freely() {
                self.freely_sliding.push(key);
            }
            if differs {
                self.solver.place(body);
                self.faults.extend(body.limited(key, exceeded));
            }
        }
        self.drift_px += farthest;
    }
}

/// Take a body out of the simulation whose pose or velocity is no longer finite. Returns the fault to report.
#[cold]
fn take_out(key: EntityKey, body: &mut Body, solver: &mut Solver) -> Fault {
    body.is_faulty = true;
    (body.pose.vel, body.pose.spin) = (Vec2::ZERO, 0.0);
    if let Some(rigid) = solver.bodies.get_mut(body.handle) {
        rigid.set_enabled(false);
    }
    solver.place(body);
    let message = "its pose or velocity is no longer finite, so it was taken out of the simulation".into();
    Fault { key, rule: "preview-pose", message }
}

/// The angle of a rotation of unit length in radians, to 4e-7; several times as fast as the arc tangent of libm.
///
/// Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", 4.4.40 and 4.4.49.
fn angle_of(rotation: Rotation) -> f32 {
    /// The greatest sine for which five terms of the series of the arc sine are exact to 4e-9.
    const LEVEL: f32 = 0.2;
    // Most bodies in stacks are nearly level.
    if rotation.re > 0.0 && rotation.im.abs() < LEVEL {
        let square = rotation.im * rotation.im;
        let series = 1.0 / 6.0 + square * (3.0 / 40.0 + square * (15.0 / 336.0 + square * (105.0 / 3456.0)));
        return rotation.im + rotation.im * square * series;
    }
    angle_by_ratio(rotation)
}

/// The same for any angle.
fn angle_by_ratio(rotation: Rotation) -> f32 {
    use std::f32::consts::{FRAC_PI_2, PI};
    #[expect(clippy::excessive_precision, reason = "as the source gives them")]
    const SERIES: [f32; 8] = [
        -0.333_331_452_8,
        0.199_935_508_5,
        -0.142_088_994_4,
        0.106_562_639_3,
        -0.075_289_640_0,
        0.042_909_613_8,
        -0.016_165_736_7,
        0.002_866_225_7,
    ];
    let (x, y) = (rotation.re, rotation.im);
    let is_steep = y.abs() > x.abs();
    let ratio = if is_steep { x / y } else { y / x };
    // Estrin's scheme: no pair depends on another one, so the processor computes them at once.
    let square = ratio * ratio;
    let pair = |i: usize| SERIES[i] + SERIES[i + 1] * square;
    let fourth = square * square;
    let sum = pair(0) + pair(2) * fourth + (pair(4) + pair(6) * fourth) * (fourth * fourth);
    let angle = ratio * (1.0 + square * sum);
    match (is_steep, x < 0.0) {
        (true, _) => FRAC_PI_2.copysign(y) - angle,
        (false, true) => angle + PI.copysign(y),
        (false, false) => angle,
    }
}

/// The angle nearest to `was` that differs from `angle` by whole turns (radians), so that turns are counted.
fn near_angle(angle: f32, was: f32) -> f32 {
    const TURN: f32 = std::f32::consts::TAU;
    let off = was - angle;
    // Usually no turn was completed, and `round` is a slow call.
    if off.abs() < TURN / 2.0 { angle } else { angle + (off / TURN).round() * TURN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_arc_tangent() {
        for i in -10_000_i16..=10_000 {
            let angle = f32::from(i) * std::f32::consts::PI / 10_000.0;
            let rotation = Rotation::new(angle);
            let exact = f64::from(rotation.im).atan2(f64::from(rotation.re));
            assert!((f64::from(angle_of(rotation)) - exact).abs() < 4e-7, "{angle}: {} {exact}", angle_of(rotation));
        }
        for (re, im) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (-1.0, -0.0)] {
            assert_eq!(angle_of(Rotation { re, im }), im.atan2(re));
        }
    }
}
