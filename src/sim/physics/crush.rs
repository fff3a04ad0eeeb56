//! Bodies caught between a moving and a fixed surface: they are pushed aside, or crushed where there is no room.
//!
//! Invariant: no body is pushed through tiles or static bodies. A body that has no room stays where it is and does not
//! collide with the body that pushes it until the two no longer overlap. A platform with `stops` is held back before
//! anything moves, so bodies on it do not jitter. What a crushed body does is up to the game.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;

use crate::sim::EntityKey;

use super::{
    ColliderSpec, Physics, Pose,
    body::{Body, Motion},
    convex::{difference, distance},
    index::Index,
    mover::{Near, SKIN},
    pushed_along::Purpose,
    squeeze::{OPPOSITE, Squeeze},
};

/// The greatest speed of a body that is pressed out of a gap, besides twice the speed of what presses it, as a factor on
/// `Solver.push_out_speed`.
const SLIP_FACTOR: f32 = 4.0;

/// A platform rams a body without room if it moves faster than this against it, in px/s.
const RAM_SPEED: f32 = 54.0;

/// Walkers and flyers slide along a surface unless the cosine of the angle between their motion and the reverse of its
/// normal is greater than this.
const HEAD_ON: f32 = 0.9;

/// A body that has no room between a moving and a fixed surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crushed {
    /// The crushed body.
    pub key: EntityKey,
    /// The body that crushes it.
    pub by: EntityKey,
}

/// Walkers and flyers without room in a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Pushed {
    /// Crushed movers, each with the body that crushes it.
    pub(super) crushed: BTreeMap<EntityKey, EntityKey>,
    /// Movers that could not be pushed out of a solid.
    pub(super) cornered: BTreeSet<EntityKey>,
    /// Walkers that could not be pushed up by a loose body below them.
    pub(super) pinned: BTreeSet<EntityKey>,
}

/// The bodies that are being crushed.
#[derive(Clone, Debug, Default)]
pub(super) struct Crushes {
    /// Bodies crushed in the last step, each with the body that crushes it.
    now: BTreeMap<EntityKey, EntityKey>,
    events: Vec<Crushed>,
    /// Loose bodies without room, as of the last step, in key order.
    squeezes: Vec<Squeeze>,
    /// Pairs of a crushed body and the one that pressed it, which do not collide until they no longer overlap, with the
    /// body that crushed it.
    not_colliding: BTreeMap<[EntityKey; 2], EntityKey>,
    /// Whether the next step begins without the impulses of the last one, those of all contacts of the level: they would
    /// shoot bodies away. Pairs stopped colliding after it, or a platform drove fast against a body without room, which no
    /// impulse can satisfy.
    pub(super) drops_impulses: bool,
    /// Kinematic bodies with `stops` that were held in the last step.
    waiting: BTreeSet<EntityKey>,
    /// Walkers that loose bodies below press against something in this step: they hold these up.
    pub(super) pinned: BTreeSet<EntityKey>,
}

impl Crushes {
    /// Whether a loose body pushes a mover away, because it is pressed. Without room it pushes every mover; else, if it is
    /// pressed against a mover, only those ahead of its presser. `toward`: from its origin to the mover's.
    pub(super) fn pushes(&self, key: EntityKey, mover: EntityKey, toward: Vec2) -> bool {
        // They are sorted by key.
        let from = self.squeezes.partition_point(|squeeze| squeeze.key < key);
        let mut own = self.squeezes[from..].iter().take_while(|squeeze| squeeze.key == key);
        let is_ahead = |it: &Squeeze| it.presser != mover && it.way.dot(toward) > 0.0;
        own.any(|it| it.is_pressed && (!it.has_room || it.is_against_mover && is_ahead(it)))
    }

    /// Whether a loose body had no room ahead of the body `by`, moving this way, in the last step.
    pub(super) fn presses(&self, by: EntityKey, way: Vec2) -> bool {
        self.squeezes.iter().any(|it| it.by == by && !it.has_room && it.way.dot(way) > 0.0)
    }

    /// Whether a loose body was under pressure by a kinematic body that waits.
    pub(super) fn stays_pressed(&self, key: EntityKey, by: EntityKey) -> bool {
        self.waiting.contains(&by) && self.squeezes.iter().any(|it| it.is_pressed && it.key == key && it.by == by)
    }

    /// Whether collisions between two bodies are switched off.
    pub(super) fn ignore_each_other(&self, a: EntityKey, b: EntityKey) -> bool {
        self.not_colliding.contains_key(&[a, b]) || self.not_colliding.contains_key(&[b, a])
    }

    /// Record that a kinematic body was held.
    pub(super) fn note_waiting(&mut self, key: EntityKey) {
        self.waiting.insert(key);
    }

    pub(super) fn forget(&mut self, key: EntityKey) {
        self.now.remove(&key);
        self.waiting.remove(&key);
        self.squeezes.retain(|it| ![it.key, it.presser, it.by].contains(&key) && it.against != Some(key));
        self.not_colliding.retain(|pair, by| !pair.contains(&key) && *by != key);
    }

    pub(super) fn hash(&self, add: &mut impl FnMut(u64)) {
        let bits = |key: EntityKey| slotmap::Key::data(&key).as_ffi();
        self.now.iter().for_each(|(key, by)| add(bits(*key) ^ bits(*by).rotate_left(32)));
        self.not_colliding.keys().for_each(|[key, by]| add(bits(*key) ^ bits(*by).rotate_left(16)));
        if self.drops_impulses {
            add(1);
        }
        self.waiting.iter().for_each(|key| add(bits(*key)));
        self.squeezes.iter().filter(|it| it.stays_pressed()).for_each(|it| add(bits(it.key)));
    }

    /// Whether nothing was pressed or crushed in the last step, nor is let through.
    pub(super) fn is_calm(&self) -> bool {
        self.squeezes.is_empty() && self.now.is_empty() && self.not_colliding.is_empty() && !self.drops_impulses
    }

    /// Record the bodies crushed in this step; newly crushed ones become events.
    fn note(&mut self, now: BTreeMap<EntityKey, EntityKey>) {
        let fresh = now.iter().filter(|(key, _)| !self.now.contains_key(key));
        self.events.extend(fresh.map(|(key, by)| Crushed { key: *key, by: *by }));
        self.now = now;
    }
}

impl Physics {
    /// The bodies that began to be crushed since the last call, in key order within each step.
    pub fn take_crushed(&mut self) -> Vec<Crushed> {
        std::mem::take(&mut self.crushes.events)
    }

    /// Whether a kinematic body with `stops` was held in the last step, because its motion would have crushed a body.
    #[must_use]
    pub fn waits(&self, key: EntityKey) -> bool {
        self.crushes.waiting.contains(&key)
    }

    /// Hold those kinematic bodies with `stops` whose motion in this tick would crush a body.
    pub(super) fn hold_those_that_stop(&mut self, index: &Index, near: &mut Near) {
        let goes = |body: &Body| body.spec.stops && body.moves_in_step();
        let moving: Vec<EntityKey> =
            self.carried.iter().copied().filter(|key| self.bodies.get(*key).is_some_and(goes)).collect();
        self.crushes.waiting.clear();
        for key in moving {
            if !self.would_crush(key, index, near) && !self.would_press(key, index, near) {
                continue;
            }
            self.stop_pushed_along(key);
            let Some(body) = self.bodies.get_mut(key) else { continue };
            if let Motion::Carried { next, .. } = &mut body.motion {
                *next = Some((body.pose.pos, body.pose.angle));
            }
            (body.pose.vel, body.pose.spin) = (Vec2::ZERO, 0.0);
            self.crushes.note_waiting(key);
            if let Some(rigid) = self.solver.bodies.get_mut(body.handle) {
                rigid.set_next_kinematic_position(rapier2d::math::Pose::new(body.pose.pos, body.pose.angle));
            }
        }
    }

    /// Stop the loose bodies that a kinematic body pushes along, before it stops: else they would fly on, into what the
    /// body spares.
    pub(super) fn stop_pushed_along(&mut self, by: EntityKey) {
        for (key, motion) in self.pushed_along_by(by, Purpose::Stop, None).bodies {
            let Some(body) = self.bodies.get_mut(key).filter(|body| body.is_loose()) else { continue };
            let way = motion.normalize_or_zero();
            let speed = body.pose.vel.dot(way);
            if speed > 0.0 {
                body.pose.vel -= way * speed;
                self.solver.set_velocity(body);
            }
        }
    }

    /// Whether the motion of a kinematic body in this tick leaves no room for a mover or loose body.
    fn would_crush(&self, key: EntityKey, index: &Index, near: &mut Near) -> bool {
        let Some(body) = self.bodies.get(key) else { return false };
        let Some(collider) = &body.spec.collider else { return false };
        let (to, angle) = body.end_pose();
        let way = to - body.pose.pos;
        if self.crushes.presses(key, way) {
            return true;
        }
        let around = collider.bounds(to, angle).grown(2.0 * SKIN);
        let mut others = Vec::new();
        index.near(around.swept(-way), &mut others);
        others.into_iter().any(|other| {
            let Some(Motion::Walk(_) | Motion::Fly(_)) = self.bodies.get(other).map(|body| &body.motion) else {
                return false;
            };
            self.gather(other, way.length() + 16.0, index, near);
            near.crush_depth = 2.0 * SKIN;
            if self.carrier(other) == Some(key) {
                near.at += way * near.cast_but(way, &[key]).map_or(1.0, |stop| stop.share);
            }
            near.push_out(self.bodies.get(other).map_or(Vec2::ZERO, |body| body.pose.vel));
            near.crushed_by == Some(key)
        })
    }

    /// Whether something that a kinematic body pushes along in this tick would be pushed into tiles, or into a fixed or
    /// kinematic body.
    fn would_press(&self, by: EntityKey, index: &Index, near: &mut Near) -> bool {
        // Those that it touches can also step aside; see `would_crush`.
        let touched: BTreeSet<EntityKey> = self.movers_at(by).filter_map(|it| it.key).collect();
        let bodies = self.pushed_along_by(by, Purpose::Stop, Some((index, near))).bodies.into_iter();
        bodies.filter(|(key, _)| !touched.contains(key)).any(|(key, motion)| {
            self.gather(key, motion.length() + 2.0, index, near);
            // Walkers and flyers slide along oblique surfaces.
            near.is_blocked(motion, if self.is_mover(key) { HEAD_ON } else { OPPOSITE }, by)
        })
    }

    /// Find out, after the solver, which loose bodies have no room; of walkers and flyers it is known.
    pub(super) fn keep_crushes(&mut self, pushed: &Pushed) {
        let squeezes = self.squeezes(&(&pushed.cornered | &self.crushes.pinned));
        // Mostly nothing is pressed or crushed, nor was: all stays as it is.
        if squeezes.is_empty() && pushed.crushed.is_empty() && self.crushes.is_calm() {
            return;
        }
        let deep: Vec<&Squeeze> = squeezes.iter().filter(|it| self.is_let_through(it)).collect();
        let movers = pushed.crushed.iter().map(|(key, by)| ([*key, *by], *by));
        let fresh: Vec<_> = movers.chain(deep.iter().map(|it| ([it.key, it.presser], it.by))).collect();
        let cornered = deep.iter().filter_map(|it| Some((it.against?, it.key)));
        let mut now = pushed.crushed.clone();
        now.extend(cornered.filter(|(against, _)| pushed.cornered.contains(against)));

        let mut crushes = std::mem::take(&mut self.crushes);
        let has_released = fresh.iter().any(|(pair, _)| !crushes.not_colliding.contains_key(pair));
        crushes.drops_impulses = has_released || squeezes.iter().any(|it| self.ram_speed(it).is_some());
        crushes.not_colliding.retain(|[key, presser], _| self.overlap(*key, *presser));
        crushes.not_colliding.extend(fresh);
        let released: Vec<_> = crushes.not_colliding.iter().map(|([key, _], by)| (*key, *by)).collect();
        now.extend(released.iter().copied());
        let pressed = squeezes.iter().filter(|it| it.is_pressed).map(|it| (it.key, it.by));
        pressed.chain(released).for_each(|(key, by)| self.limit_speed(key, by));
        crushes.squeezes = squeezes;
        crushes.note(now);
        self.crushes = crushes;
    }

    /// Whether what presses a loose body goes through it from now on. Loose bodies do not go through each other.
    fn is_let_through(&self, it: &Squeeze) -> bool {
        // Bodies with `stops` are held by now, perhaps a little late for loose bodies: the solver pushes those out
        // again.
        let stops = self.bodies.get(it.by).is_some_and(|body| body.spec.stops);
        let most = self.config.crush_depth * if stops { 2.0 } else { 1.0 };
        // Before a fast one reaches that depth, in the next step, no impulse would be enough to keep it out.
        let ahead = self.ram_speed(it).filter(|_| !stops).map_or(0.0, |speed| speed * self.config.dt_secs);
        it.depth + ahead > most && !it.has_room && !self.is_loose(it.presser)
    }

    /// How fast a platform moves against a loose body without room, in px/s, if it rams it. Below that speed the impulses
    /// are small, and rows of bodies keep together better with them.
    fn ram_speed(&self, it: &Squeeze) -> Option<f32> {
        let (by, pressed) = self.bodies.get(it.by).zip(self.bodies.get(it.key))?;
        let speed = self.velocity_at(by, pressed.pose.pos).dot(it.way);
        (!it.has_room && it.depth > 0.0 && speed > RAM_SPEED).then_some(speed)
    }

    /// Limit the speed and spin of a loose body that a kinematic one presses out of a gap, where the solver may shoot it
    /// away.
    fn limit_speed(&mut self, key: EntityKey, by: EntityKey) {
        let Some((pressed, pressing)) = self.bodies.get(key).zip(self.bodies.get(by)) else { return };
        if !pressed.is_loose() {
            return;
        }
        let speed = self.velocity_at(pressing, pressed.pose.pos).length();
        let most = self.config.solver.push_out_speed * SLIP_FACTOR + 2.0 * speed;
        let Some(body) = self.bodies.get_mut(key) else { return };
        let radius = body.spec.collider.as_ref().map_or(0.0, ColliderSpec::radius).max(1.0);
        let slowed = Pose {
            vel: body.pose.vel.clamp_length_max(most),
            spin: body.pose.spin.clamp(-most / radius, most / radius),
            ..body.pose
        };
        if std::mem::replace(&mut body.pose, slowed) != slowed {
            self.solver.set_velocity(body);
        }
    }

    fn overlap(&self, a: EntityKey, b: EntityKey) -> bool {
        let (a, b) = (self.solids(a), self.solids(b));
        let mut core = Vec::new();
        a.iter().any(|a| {
            b.iter().any(|b| {
                difference(&b.points, &a.points, &mut core);
                distance(&core, Vec2::ZERO).0 < a.radius + b.radius
            })
        })
    }
}
