//! One tick: kinematic bodies, movers, forces, the solver, contacts.
//!
//! Invariant: the order is fixed and goes by key, so equal states have equal successors. How a walker moves
//! is `walk`, how it is stopped by walls `mover`.

use glam::Vec2;
use slotmap::SecondaryMap;

use crate::sim::{
    EntityKey,
    insight::profile::{Meter, System},
    limits,
};

use super::{
    BodyKind, Contact, Fault, Other, Physics, PhysicsConfig, Pose,
    body::{Body, Motion},
    convex::Aabb,
    crush::Pushed,
    index::{self, Index},
    solver::{LEAST_ITERATIONS, PairEvent, PairFilter, StepContacts, TileTouch, entity_of},
    touch::{Found, SENSED},
};

/// How far a body may move, in pixels, before pairs of near bodies are counted again.
const NEAR_PX: f32 = 16.0;

/// Ticks before wide boxes are counted again where they were too many.
const DENSE_TICKS: u8 = 30;

impl Physics {
    /// Advance by one tick. Returns the contacts that began and ended: each pair once, ends first, then in key order.
    pub fn step(&mut self) -> Vec<Contact> {
        self.step_measured(&mut Meter::off())
    }

    /// The same, marking what it does.
    pub(in crate::sim) fn step_measured(&mut self, meter: &mut Meter<'_>) -> Vec<Contact> {
        self.tick += 1;
        self.index.take();
        if meter.sample(System::Pairs, |_| self.is_too_crowded()) {
            return Vec::new();
        }
        let index = meter.sample(System::Index, |_| {
            self.aim_kinematic();
            let has_movers = self.bodies.values().any(|body| body.spec.is_mover());
            let is_needed =
                has_movers || !self.zones.is_empty() || !self.in_zones.is_empty() || self.has_fast_kinematic();
            if is_needed { self.index_of(true) } else { Index::default() }
        });
        meter.sample(System::Zones, |_| self.feel_zones(&index));
        let (found, pushed) = self.move_movers(&index, meter);
        meter.sample(System::Forces, |_| self.push_dynamic());
        match self.n_parts(&index) {
            1 => self.solve(&self.config.clone(), found, pushed, meter),
            n => {
                let mut config = self.config.clone();
                config.dt_secs /= f32::from(n);
                // As many in the whole tick as otherwise, as far as each part has the fewest that it needs.
                config.solver.iterations = (config.solver.iterations / f32::from(n)).max(LEAST_ITERATIONS);
                let (mut aims, mut found) = (self.aims(), found);
                for part in 1..=n {
                    self.aim_part(&mut aims, f32::from(part) / f32::from(n));
                    self.solve(&config, std::mem::take(&mut found), pushed.clone(), meter);
                }
            }
        }
        meter.sample(System::Joints, |_| self.break_joints());
        self.touches.take_news()
    }

    /// Have the solver pass a tick or a part of one, and take over what became of it.
    fn solve(&mut self, config: &PhysicsConfig, found: Vec<Found>, pushed: Pushed, meter: &mut Meter<'_>) {
        let contacts = meter.sample(System::Solver, |meter| {
            let contacts = self.solver.step(&self.tiles, &self.crushes, config, meter.is_on());
            meter.divide(self.solver.stages());
            contacts
        });
        if self.solver.n_pairs() > limits::MAX_PAIRS {
            self.crowded();
        }
        meter.sample(System::Touches, |_| {
            self.keep_touches(found, contacts);
            self.read_back();
        });
        self.index.take();
        meter.sample(System::Crush, |_| self.keep_crushes(pushed));
    }

    /// Whether there are more pairs of bodies near each other than the solver is given: then nothing moves in this tick.
    /// Counted before the solver sees them, as it would first take the memory and the time for all of them.
    fn is_too_crowded(&mut self) -> bool {
        let n = self.bodies.len();
        if n * n.saturating_sub(1) / 2 <= limits::MAX_PAIRS {
            return false;
        }
        if self.uncrowded.as_ref().is_some_and(|places| self.are_near(places)) {
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
        // With room to move and turn in, the answer holds for many ticks. Where bodies are so dense that it cannot be
        // had, it is not sought again at once, or each tick would count twice.
        self.uncrowded = None;
        let mut is_too_crowded = true;
        if self.n_dense == 0 {
            is_too_crowded = has_more(&mut self.wide_boxes());
            if is_too_crowded {
                self.n_dense = DENSE_TICKS;
            } else {
                self.uncrowded = Some(self.bodies.iter().map(|(key, body)| (key, body.pose.pos)).collect());
            }
        } else {
            self.n_dense -= 1;
        }
        is_too_crowded = is_too_crowded && has_more(&mut self.boxes(false).map(|(_, body, aabb)| (body, aabb)));
        if is_too_crowded {
            self.crowded();
        }
        is_too_crowded
    }

    /// Whether every body is near where it was.
    fn are_near(&self, places: &SecondaryMap<EntityKey, Vec2>) -> bool {
        let mut bodies = self.bodies.iter();
        bodies.all(|(key, body)| places.get(key).is_some_and(|at| (body.pose.pos - *at).abs().max_element() <= NEAR_PX))
    }

    /// Boxes that hold every body wherever near its place it goes, however it turns.
    fn wide_boxes(&self) -> impl Iterator<Item = (&Body, Aabb)> {
        self.bodies.values().filter(|body| !body.is_faulty).filter_map(|body| {
            let Aabb { lo, hi } = body.spec.collider.as_ref()?.bounds(Vec2::ZERO, 0.0);
            let radius = lo.abs().max(hi.abs()).length();
            let at = body.pose.pos;
            Some((body, Aabb { lo: at, hi: at }.grown(radius + NEAR_PX)))
        })
    }

    fn crowded(&mut self) {
        self.overload = Some(format!("more than {} pairs of bodies are near each other", limits::MAX_PAIRS));
    }

    /// Everything a body touches, with normals toward it.
    #[must_use]
    pub fn touching(&self, key: EntityKey) -> Vec<Contact> {
        self.touches.of(key).collect()
    }

    /// Decide where kinematic bodies will be, and how fast they get there.
    fn aim_kinematic(&mut self) {
        let dt = self.config.dt_secs;
        for body in self.bodies.values_mut() {
            let Motion::Carried { next, was_set } = &mut body.motion else { continue };
            let Pose { pos, angle, vel, spin } = body.pose;
            match next {
                Some((to, turned)) => {
                    *was_set = true;
                    body.pose.vel = (*to - pos) / dt;
                    body.pose.spin = (*turned - angle) / dt;
                }
                None if std::mem::take(was_set) => (body.pose.vel, body.pose.spin) = (Vec2::ZERO, 0.0),
                None => *next = Some((limits::place(pos + vel * dt), angle + spin * dt)),
            }
            if let (Some((to, turned)), Some(rigid)) = (*next, self.solver.bodies.get_mut(body.handle))
                && (to, turned) != (pos, angle)
            {
                rigid.set_next_kinematic_position(rapier2d::math::Pose::new(to, turned));
            }
        }
    }

    /// Let gravity and zones change the velocities of dynamic bodies that touch nothing; the others' gravity is the
    /// solver's.
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
            let is_asleep = self.solver.bodies.get(body.handle).is_none_or(rapier2d::dynamics::RigidBody::is_sleeping);
            if is_asleep {
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
            let speed = -body.velocity_at(point).dot(normal);
            let (cell, name) = self.tiles.surface(point, normal);
            let found = Found { a: key, b: Other::Tile { cell, name }, normal, point, speed, sensor: false };
            self.touches.find(found, tick, false, least);
        }
        let (bodies, rigid) = (&self.bodies, &self.solver.bodies);
        self.touches.sweep(tick, |key| {
            bodies
                .get(key)
                .and_then(|body| rigid.get(body.handle))
                .is_some_and(rapier2d::dynamics::RigidBody::is_sleeping)
        });
    }

    fn keep_pair(&mut self, event: PairEvent) {
        let keys = event.of.map(entity_of);
        if !event.sensor {
            keys.into_iter().flatten().for_each(|key| self.count_contact(key, event.started));
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
                let vel = |key| self.bodies.get(key).map_or(Vec2::ZERO, |body| body.velocity_at(event.point));
                let speed = -(vel(a) - vel(b)).dot(normal);
                let (point, sensor) = (event.point, event.sensor);
                let found = Found { a, b: Other::Entity(b), normal, point, speed, sensor };
                self.touches.find(found, self.tick, true, self.config.contact_speed);
            }
            // A sensor and the ground; for solid bodies their contacts show it.
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

    /// Pairs of a mover with what no force moves are found by the mover itself, in the tick they happen.
    fn is_movers_own(&self, a: EntityKey, b: EntityKey) -> bool {
        let (Some(a), Some(b)) = (self.bodies.get(a), self.bodies.get(b)) else { return true };
        (a.spec.is_mover() || b.spec.is_mover()) && !a.spec.is_dynamic() && !b.spec.is_dynamic()
    }

    /// The solver applies gravity to a body in contact, `step` to a free one.
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

    /// Take over what the solver did; put a body that is no longer finite out of the simulation.
    fn read_back(&mut self) {
        for (key, body) in &mut self.bodies {
            match &mut body.motion {
                Motion::Carried { next, .. } => {
                    if let Some((pos, angle)) = next.take() {
                        (body.pose.pos, body.pose.angle) = (pos, angle);
                    }
                    continue;
                }
                Motion::Solver if body.spec.kind == BodyKind::Dynamic && !body.is_faulty => {}
                _ => continue,
            }
            let Some(rigid) = self.solver.bodies.get(body.handle) else { continue };
            if rigid.is_sleeping() && body.pose.vel == Vec2::ZERO && body.pose.spin == 0.0 {
                continue;
            }
            let pose = Pose {
                pos: rigid.translation(),
                angle: near_angle(rigid.rotation().angle(), body.pose.angle),
                vel: rigid.linvel(),
                spin: rigid.angvel(),
            };
            let is_finite =
                pose.pos.is_finite() && pose.angle.is_finite() && pose.vel.is_finite() && pose.spin.is_finite();
            if is_finite && rigid.is_enabled() {
                let (mut within, exceeded) = pose.within_limits();
                let stop = self.tiles.stop(body, within);
                if let Some((by, normal)) = stop {
                    within.pos += by;
                    within.vel -= normal * within.vel.dot(normal).min(0.0);
                }
                body.pose = within;
                if exceeded.is_some() || stop.is_some() {
                    self.solver.place(body);
                }
                self.faults.extend(body.limited(key, exceeded));
                continue;
            }
            body.is_faulty = true;
            (body.pose.vel, body.pose.spin) = (Vec2::ZERO, 0.0);
            self.free.remove(&key);
            let message = "its pose or velocity is no longer finite, so it was taken out of the simulation".into();
            self.faults.push(Fault { key, rule: "preview-pose", message });
            if let Some(rigid) = self.solver.bodies.get_mut(body.handle) {
                rigid.set_enabled(false);
            }
            self.solver.place(body);
        }
    }
}

/// The angle that differs from this one by whole turns and is nearest to what it was, so that turning is counted.
fn near_angle(angle: f32, was: f32) -> f32 {
    const TURN: f32 = std::f32::consts::TAU;
    angle + ((was - angle) / TURN).round() * TURN
}
