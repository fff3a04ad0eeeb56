//! Bodies between what moves and what stands still: they are pushed aside, and where there is no room they are crushed.
//!
//! Invariant: nothing is pushed through tiles or through what stands still. A body that has no room stays where it is,
//! in what pushes it, until it comes free: in the meantime the two do not collide. A platform that is to stop is held
//! before anything moves, so nothing on it trembles. What a crushed body does is up to the game.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;

use crate::sim::EntityKey;

use super::{
    Physics,
    body::{Body, Motion},
    convex::{difference, distance},
    index::Index,
    mover::{Near, SKIN},
    solver::entity_of,
};

/// Surfaces this near to a loose body leave it no room, in pixels.
const NO_ROOM: f32 = 0.3;

/// A loose body that overlaps its neighbors by more than this is pressed, and pushes walkers away, in pixels.
const PRESSED: f32 = 1.0;

/// A body that what moves and what stands still leave no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crushed {
    /// Which.
    pub key: EntityKey,
    /// What moves into it.
    pub by: EntityKey,
}

/// A loose body between a kinematic one and something opposite to it.
#[derive(Clone, Copy, Debug)]
struct Squeeze {
    key: EntityKey,
    by: EntityKey,
    /// From the kinematic body toward the loose one.
    normal: Vec2,
    /// How far the three overlap, in pixels; below zero while there is room.
    depth: f32,
    /// What is opposite, if it is a body.
    against: Option<EntityKey>,
    /// What is opposite is a walker or flyer that can be pushed away.
    has_room: bool,
}

/// The walkers and flyers that something pushed in a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Pushed {
    /// By what each that is crushed.
    pub(super) crushed: BTreeMap<EntityKey, EntityKey>,
    /// Those that could not be pushed out of something.
    pub(super) cornered: BTreeSet<EntityKey>,
}

/// What is being crushed.
#[derive(Clone, Debug, Default)]
pub(super) struct Crushes {
    /// By what, of each body that was in the last step.
    now: BTreeMap<EntityKey, EntityKey>,
    news: Vec<Crushed>,
    /// Loose bodies without room, as of the last step, in key order.
    squeezes: Vec<Squeeze>,
    /// Loose bodies in what crushed them, which do not collide until they are apart.
    apart: BTreeSet<[EntityKey; 2]>,
}

impl Crushes {
    pub(super) fn is_pressed(&self, key: EntityKey) -> bool {
        // In key order.
        let from = self.squeezes.partition_point(|squeeze| squeeze.key < key);
        let mut own = self.squeezes[from..].iter().take_while(|squeeze| squeeze.key == key);
        own.any(|squeeze| squeeze.depth > PRESSED)
    }

    /// Whether something that moves this way had no room before it, as of the last step.
    pub(super) fn presses(&self, by: EntityKey, way: Vec2) -> bool {
        self.squeezes.iter().any(|squeeze| squeeze.by == by && squeeze.normal.dot(way) > 0.0)
    }

    /// Whether two bodies pass through each other.
    pub(super) fn are_apart(&self, a: EntityKey, b: EntityKey) -> bool {
        self.apart.contains(&[a, b]) || self.apart.contains(&[b, a])
    }

    pub(super) fn forget(&mut self, key: EntityKey) {
        self.now.remove(&key);
        self.squeezes.retain(|squeeze| squeeze.key != key && squeeze.by != key);
        self.apart.retain(|pair| !pair.contains(&key));
    }

    pub(super) fn hash(&self, add: &mut impl FnMut(u64)) {
        let bits = |key: EntityKey| slotmap::Key::data(&key).as_ffi();
        self.now.iter().for_each(|(key, by)| add(bits(*key) ^ bits(*by).rotate_left(32)));
        self.apart.iter().for_each(|[key, by]| add(bits(*key) ^ bits(*by).rotate_left(16)));
    }

    /// Note what is crushed in this step; what was not in the last is news.
    fn note(&mut self, now: BTreeMap<EntityKey, EntityKey>) {
        let fresh = now.iter().filter(|(key, _)| !self.now.contains_key(key));
        self.news.extend(fresh.map(|(key, by)| Crushed { key: *key, by: *by }));
        self.now = now;
    }
}

impl Physics {
    /// What began to be crushed since the last call, in key order of each step.
    pub fn take_crushed(&mut self) -> Vec<Crushed> {
        std::mem::take(&mut self.crushes.news)
    }

    /// Keep those kinematic bodies where they are that stop rather than crush something.
    pub(super) fn hold_those_that_stop(&mut self, index: &Index, near: &mut Near) {
        let goes = |body: &Body| body.spec.stops && body.end_pose() != (body.pose.pos, body.pose.angle);
        let moving: Vec<EntityKey> = self.bodies.iter().filter(|(_, body)| goes(body)).map(|(key, _)| key).collect();
        for key in moving {
            if !self.would_crush(key, index, near) {
                continue;
            }
            let Some(body) = self.bodies.get_mut(key) else { continue };
            if let Motion::Carried { next, .. } = &mut body.motion {
                *next = Some((body.pose.pos, body.pose.angle));
            }
            (body.pose.vel, body.pose.spin) = (Vec2::ZERO, 0.0);
            if let Some(rigid) = self.solver.bodies.get_mut(body.handle) {
                rigid.set_next_kinematic_position(rapier2d::math::Pose::new(body.pose.pos, body.pose.angle));
            }
        }
    }

    /// Whether there is no room for something where a kinematic body goes in this tick.
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

    /// Find out, after the solver, which loose bodies have no room; of walkers and flyers it is known.
    pub(super) fn keep_crushes(&mut self, pushed: Pushed) {
        let squeezes = self.squeezes(&pushed.cornered);
        let mut now = pushed.crushed;
        let mut crushes = std::mem::take(&mut self.crushes);
        crushes.apart.retain(|[key, by]| self.overlap(*key, *by));
        // What stops is held by now, if a little late for what is loose: the solver pushes that out again.
        let most = |by: EntityKey| {
            let stops = self.bodies.get(by).is_some_and(|body| body.spec.stops);
            self.config.crush_depth * if stops { 2.0 } else { 1.0 }
        };
        let deep = |squeeze: &&Squeeze| squeeze.depth > most(squeeze.by) && !squeeze.has_room;
        for squeeze in squeezes.iter().filter(deep) {
            crushes.apart.insert([squeeze.key, squeeze.by]);
            let against = squeeze.against.filter(|against| pushed.cornered.contains(against));
            now.extend(against.map(|against| (against, squeeze.key)));
        }
        now.extend(crushes.apart.iter().map(|[key, by]| (*key, *by)));
        crushes.squeezes = squeezes;
        crushes.note(now);
        self.crushes = crushes;
    }

    /// Loose bodies between a kinematic one and something opposite.
    fn squeezes(&self, cornered: &BTreeSet<EntityKey>) -> Vec<Squeeze> {
        let mut found = Vec::new();
        for (by, body) in self.bodies.iter().filter(|(_, body)| matches!(body.motion, Motion::Carried { .. })) {
            for (other, mine) in self.contacts_with(body) {
                let Some((key, loose)) = other.and_then(|key| Some((key, self.bodies.get(key)?))) else { continue };
                if !loose.spec.is_dynamic() {
                    continue;
                }
                let normal = -mine.normal;
                let opposite = self.contacts_with(loose).into_iter().filter_map(|(against, its)| {
                    if against == Some(by) || its.normal.dot(normal) > -0.5 {
                        return None;
                    }
                    let body = against.and_then(|key| self.bodies.get(key));
                    let is_mover = body.is_some_and(|body| body.spec.is_mover());
                    let stays = !is_mover && body.is_none_or(|body| !body.spec.is_dynamic());
                    let has_room = is_mover && against.is_some_and(|key| !cornered.contains(&key));
                    let depth = mine.depth + its.depth;
                    let counts = depth > PRESSED || stays && mine.depth.min(its.depth) > -NO_ROOM;
                    counts.then_some(Squeeze { key, by, normal, depth, against, has_room })
                });
                let order = |a: &Squeeze, b: &Squeeze| b.has_room.cmp(&a.has_room).then(a.depth.total_cmp(&b.depth));
                found.extend(opposite.max_by(|a, b| order(a, b).then(a.against.cmp(&b.against))));
            }
        }
        found.sort_by_key(|squeeze| (squeeze.key, squeeze.by));
        found
    }

    /// The contacts of a body in the solver, one for each pair of faces: the other entity (`None` for tiles), how deep
    /// they overlap, and the normal, which points toward the body. In no order.
    fn contacts_with(&self, body: &Body) -> Vec<(Option<EntityKey>, Deepest)> {
        let rigid = self.solver.bodies.get(body.handle);
        let colliders = rigid.map_or(&[][..], rapier2d::dynamics::RigidBody::colliders);
        let mut found = Vec::new();
        for own in colliders {
            for pair in self.solver.narrow_phase.contact_pairs_with(*own) {
                let is_first = pair.collider1 == *own;
                let other = if is_first { pair.collider2 } else { pair.collider1 };
                let Some(other) = self.solver.colliders.get(other) else { continue };
                let other = entity_of(other.user_data);
                // In a corner of the ground there are several.
                found.extend(pair.manifolds().iter().filter_map(|manifold| {
                    let contact = manifold.find_deepest_contact()?;
                    let normal = if is_first { -manifold.data.normal } else { manifold.data.normal };
                    Some((other, Deepest { normal, depth: -contact.dist }))
                }));
            }
        }
        found
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

/// The deepest contact of two bodies.
#[derive(Clone, Copy, Debug)]
struct Deepest {
    normal: Vec2,
    /// In pixels; below zero while they only come near.
    depth: f32,
}
