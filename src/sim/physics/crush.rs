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
    solver_contact::SolverContact,
};

/// A loose body has no room where an opposite surface is nearer than this, in pixels.
const NO_ROOM: f32 = 0.3;

/// A loose body that overlaps its neighbors by more than this is under pressure, and pushes walkers away, in pixels. It
/// remains so while a platform waits: else a walker ahead of it would go to and fro.
const PRESSED: f32 = 1.0;

/// The greatest speed of a body that is pressed out of a gap, besides twice the speed of what presses it, as a factor on
/// `Solver.push_out_speed`.
const SLIP_FACTOR: f32 = 4.0;

/// Two surfaces are opposite where the cosine of the angle between one's normal and the reverse of the other's is
/// greater than this.
pub(super) const OPPOSITE: f32 = 0.5;

/// The same for a surface that stops walkers and flyers, which slide along others.
const HEAD_ON: f32 = 0.9;

/// The most bodies in a row of which each presses the next; a longer row counts as one without room.
const LONGEST_ROW: usize = 64;

/// A body that has no room between a moving and a fixed surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crushed {
    /// The crushed body.
    pub key: EntityKey,
    /// The body that crushes it.
    pub by: EntityKey,
}

/// A loose body between a kinematic body, or a mover that this one pushes, and something opposite to it.
#[derive(Clone, Copy, Debug)]
struct Squeeze {
    key: EntityKey,
    /// The body that presses it: `by`, or the last of the movers and loose bodies between the two.
    presser: EntityKey,
    /// The kinematic body.
    by: EntityKey,
    /// Unit normal from the presser toward the loose body.
    normal: Vec2,
    /// How far the three overlap along the normal, in pixels; below zero while there is room.
    depth: f32,
    /// The opposite body; `None` for tiles.
    against: Option<EntityKey>,
    /// Whether the opposite body can be pushed away: a mover that is not cornered, or a loose body that has room itself.
    has_room: bool,
    /// Whether the opposite body is a mover.
    is_against_mover: bool,
    /// Whether the loose body is under pressure.
    is_pressed: bool,
}

/// The search for what a kinematic body presses.
struct Row<'a> {
    by: EntityKey,
    /// Movers that could not be pushed away.
    without_room: &'a BTreeSet<EntityKey>,
    /// The bodies met, by direction, each with whether it has no room: false while that is being found out.
    is_held: BTreeMap<(EntityKey, [bool; 4]), bool>,
    found: &'a mut Vec<Squeeze>,
    /// Length of the row.
    depth: usize,
}

impl Row<'_> {
    /// Find out once whether a body has no room that is pressed in a direction. None has at the end of a very long row.
    fn visit(&mut self, key: EntityKey, way: Vec2, find_out: impl FnOnce(&mut Self) -> bool) -> bool {
        let key = (key, [way.x > OPPOSITE, way.x < -OPPOSITE, way.y > OPPOSITE, way.y < -OPPOSITE]);
        if let Some(known) = self.is_held.get(&key) {
            return *known;
        }
        if self.depth >= LONGEST_ROW {
            return true;
        }
        self.is_held.insert(key, false);
        self.depth += 1;
        let is_held = find_out(self);
        self.depth -= 1;
        self.is_held.insert(key, is_held);
        is_held
    }
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
    /// Whether pairs stopped colliding after the last step: what was pressed between them still has the impulses of
    /// that, which would shoot it away.
    pub(super) has_released: bool,
    /// Kinematic bodies with `stops` that were held in the last step.
    waiting: BTreeSet<EntityKey>,
    /// Walkers that loose bodies below press against something in this step: they hold these up.
    pub(super) pinned: BTreeSet<EntityKey>,
}

impl Crushes {
    /// Whether a loose body pushes a mover away, because it is pressed: the mover that presses it only if it has no
    /// room.
    pub(super) fn pushes(&self, key: EntityKey, mover: EntityKey) -> bool {
        // They are sorted by key.
        let from = self.squeezes.partition_point(|squeeze| squeeze.key < key);
        let mut own = self.squeezes[from..].iter().take_while(|squeeze| squeeze.key == key);
        own.any(|it| it.is_pressed && (!it.has_room || it.is_against_mover && it.presser != mover))
    }

    /// Whether a loose body had no room ahead of the body `by`, moving this way, in the last step.
    pub(super) fn presses(&self, by: EntityKey, way: Vec2) -> bool {
        self.squeezes.iter().any(|it| it.by == by && !it.has_room && it.normal.dot(way) > 0.0)
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
        self.squeezes.retain(|squeeze| ![squeeze.key, squeeze.presser, squeeze.by].contains(&key));
        self.not_colliding.retain(|pair, by| !pair.contains(&key) && *by != key);
    }

    pub(super) fn hash(&self, add: &mut impl FnMut(u64)) {
        let bits = |key: EntityKey| slotmap::Key::data(&key).as_ffi();
        self.now.iter().for_each(|(key, by)| add(bits(*key) ^ bits(*by).rotate_left(32)));
        self.not_colliding.keys().for_each(|[key, by]| add(bits(*key) ^ bits(*by).rotate_left(16)));
        if self.has_released {
            add(1);
        }
        self.waiting.iter().for_each(|key| add(bits(*key)));
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
        let goes = |body: &Body| body.spec.stops && body.end_pose() != (body.pose.pos, body.pose.angle);
        let moving: Vec<EntityKey> =
            self.carried.iter().copied().filter(|key| self.bodies.get(*key).is_some_and(goes)).collect();
        self.crushes.waiting.clear();
        for key in moving {
            if !self.would_crush(key, index, near) && !self.would_press(key, index, near) {
                continue;
            }
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
        let touched: BTreeSet<EntityKey> = self.movers_at(by).map(|(key, ..)| key).collect();
        let bodies = self.pushed_along_by(by).bodies.into_iter();
        bodies.filter(|(key, _)| !touched.contains(key)).any(|(key, motion)| {
            self.gather(key, motion.length() + 2.0, index, near);
            // Walkers and flyers slide along oblique surfaces.
            near.is_blocked(motion, if self.is_mover(key) { HEAD_ON } else { OPPOSITE }, by)
        })
    }

    /// Find out, after the solver, which loose bodies have no room; of walkers and flyers it is known.
    pub(super) fn keep_crushes(&mut self, pushed: Pushed) {
        let mut squeezes = self.squeezes(&(&pushed.cornered | &self.crushes.pinned));
        let mut crushes = std::mem::take(&mut self.crushes);
        let was_pressed = crushes.squeezes.iter().filter(|it| it.is_pressed).map(|it| it.key).collect::<BTreeSet<_>>();
        for it in &mut squeezes {
            it.is_pressed |= was_pressed.contains(&it.key) && crushes.waiting.contains(&it.by);
        }
        let before = crushes.not_colliding.clone();
        crushes.not_colliding.retain(|[key, presser], _| self.overlap(*key, *presser));
        crushes.not_colliding.extend(pushed.crushed.iter().map(|(key, by)| ([*key, *by], *by)));
        let mut now = pushed.crushed;
        // Bodies with `stops` are held by now, perhaps a little late for loose bodies: the solver pushes those out
        // again.
        let most = |by: EntityKey| {
            let stops = self.bodies.get(by).is_some_and(|body| body.spec.stops);
            self.config.crush_depth * if stops { 2.0 } else { 1.0 }
        };
        // Loose bodies are let through by what presses them, not by each other.
        let deep = |it: &&Squeeze| it.depth > most(it.by) && !it.has_room && !self.is_loose(it.presser);
        for squeeze in squeezes.iter().filter(deep) {
            crushes.not_colliding.insert([squeeze.key, squeeze.presser], squeeze.by);
            let against = squeeze.against.filter(|against| pushed.cornered.contains(against));
            now.extend(against.map(|against| (against, squeeze.key)));
        }
        crushes.has_released = crushes.not_colliding.keys().any(|pair| !before.contains_key(pair));
        let released: Vec<_> = crushes.not_colliding.iter().map(|([key, _], by)| (*key, *by)).collect();
        now.extend(released.iter().copied());
        let pressed = squeezes.iter().filter(|squeeze| squeeze.depth > PRESSED).map(|it| (it.key, it.by));
        pressed.chain(released).for_each(|(key, by)| self.limit_speed(key, by));
        crushes.squeezes = squeezes;
        crushes.note(now);
        self.crushes = crushes;
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

    /// The loose bodies that are pressed between others by a kinematic body, directly or through movers and loose
    /// bodies.
    fn squeezes(&self, without_room: &BTreeSet<EntityKey>) -> Vec<Squeeze> {
        let mut found = Vec::new();
        for by in self.carried.iter().copied() {
            let mut row = Row { by, without_room, is_held: BTreeMap::new(), found: &mut found, depth: 0 };
            self.press(by, None, &mut row);
        }
        found.sort_by_key(|squeeze| (squeeze.key, squeeze.presser, squeeze.by));
        found
    }

    /// Follow what a kinematic body or a mover presses in a direction (`None`: in all). Returns whether something there
    /// has no room, so that it cannot go on.
    fn press(&self, presser: EntityKey, way: Option<Vec2>, row: &mut Row<'_>) -> bool {
        let Some(body) = self.bodies.get(presser) else { return false };
        let is_ahead = |normal: Vec2| way.is_none_or(|way| normal.dot(way) > OPPOSITE);
        let mut is_held = false;
        for (other, way, _) in self.movers_at(presser).filter(|(_, way, _)| is_ahead(*way)) {
            is_held |= self.press_mover(other, way, row);
        }
        for SolverContact { other, normal, depth, .. } in self.contacts_with(body) {
            let Some(key) = other.filter(|key| self.is_loose(*key) && is_ahead(-normal)) else { continue };
            is_held |= self.press_loose(key, (presser, -normal, depth), row);
        }
        is_held
    }

    /// Whether a mover that is pressed in a direction has no room.
    fn press_mover(&self, key: EntityKey, way: Vec2, row: &mut Row<'_>) -> bool {
        row.visit(key, way, |row| self.press(key, Some(way), row) || row.without_room.contains(&key))
    }

    /// Whether a loose body has no room that is pressed in a direction by a presser, which it overlaps by a depth in
    /// pixels.
    fn press_loose(&self, key: EntityKey, by: (EntityKey, Vec2, f32), row: &mut Row<'_>) -> bool {
        row.visit(key, by.1, |row| {
            let worst = self.bodies.get(key).and_then(|body| self.squeeze((key, body), by, row));
            row.found.extend(worst);
            worst.is_some_and(|squeeze| !squeeze.has_room)
        })
    }

    /// What presses a loose body most, of what is opposite to its presser.
    fn squeeze(
        &self,
        (key, body): (EntityKey, &Body),
        (presser, normal, depth): (EntityKey, Vec2, f32),
        row: &mut Row<'_>,
    ) -> Option<Squeeze> {
        let mut worst: Option<Squeeze> = None;
        for its in self.contacts_with(body) {
            let against = its.other;
            if [Some(presser), Some(row.by)].contains(&against) || its.normal.dot(normal) > -OPPOSITE {
                continue;
            }
            let mover = against.filter(|key| self.is_mover(*key));
            let loose = against.filter(|key| self.is_loose(*key));
            let sum = depth + its.depth;
            let stays = mover.or(loose).is_none();
            // Of what is only pushed along, the row is not followed so far that its length alone would mean no room.
            let is_pushed_along = || {
                let is_short = row.depth < LONGEST_ROW / 2;
                is_short && against.is_some_and(|against| self.pushed_along.contains_key(&[key, against]))
            };
            if sum <= PRESSED && !(stays && depth.min(its.depth) > -NO_ROOM) && !is_pushed_along() {
                continue;
            }
            let has_room = match (mover, loose) {
                (Some(mover), _) => !self.press_mover(mover, normal, row),
                (None, Some(loose)) => !self.press_loose(loose, (key, normal, its.depth), row),
                (None, None) => false,
            };
            let is_against_mover = mover.is_some();
            let is_pressed = sum > PRESSED;
            let by = row.by;
            let squeeze =
                Squeeze { key, presser, by, normal, depth: sum, has_room, is_against_mover, is_pressed, against };
            let order = |it: &Squeeze| (!it.has_room, it.depth);
            if worst.is_none_or(|worst| order(&worst) < order(&squeeze)) {
                worst = Some(squeeze);
            }
        }
        worst
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
