//! Continuous collision detection: which loose bodies the solver sweeps against bodies that move by themselves.
//!
//! rapier sweeps fast dynamic bodies against fixed colliders, and only bullets against others, each of these where it
//! ends the step. Invariant: a loose body that, as the step begins, is fast enough to pass through a kinematic body, or
//! through a mover in the solver, is a bullet to rapier in that step. It is then swept against loose bodies as well, and
//! no bullet of the game is swept against it.
//!
//! Source: rapier 0.36, `dynamics/ccd`.

use std::collections::BTreeSet;

use glam::Vec2;

use crate::sim::EntityKey;

use super::{
    Physics,
    body::Body,
    convex::Aabb,
    index::{Entry, Index},
    spec::ColliderSpec,
};

/// A body is fast if it moves farther in a step than this share of half its least extent. rapier sweeps it from half
/// on; contacts of the step may add to its speed.
const FAST: f32 = 0.4;

/// Bodies whose boxes overlap by no more than this along an axis glide past each other, in pixels: a sweep would stop
/// one that slides over the seam of two floors.
const GLIDE_PX: f32 = 0.25;

/// A kinematic body, or a mover in the solver, in one step.
struct Obstacle<'a> {
    key: EntityKey,
    collider: &'a ColliderSpec,
    /// Bounding box as the step begins.
    around: Aabb,
    /// Motion in the step, in pixels, and how far at most a point of it turns.
    motion: Vec2,
    turned: f32,
}

impl Physics {
    /// Let rapier sweep the loose bodies that are fast near kinematic bodies or movers, in a step of `dt` seconds.
    pub(super) fn sweep_fast_bodies(&mut self, dt: f32) {
        let fast = if self.n_loose > 0 { self.fast_near_obstacles(dt) } else { BTreeSet::new() };
        for key in self.swept.union(&fast) {
            if let Some(body) = self.bodies.get(*key) {
                self.solver.set_bullet(body, body.spec.bullet || fast.contains(key));
            }
        }
        self.swept = fast;
    }

    fn fast_near_obstacles(&self, dt: f32) -> BTreeSet<EntityKey> {
        let mut obstacles: Vec<Obstacle<'_>> = self.carried.iter().filter_map(|key| self.obstacle(*key)).collect();
        obstacles.extend(self.movers.iter().filter_map(|key| self.obstacle(*key)));
        if obstacles.is_empty() {
            return BTreeSet::new();
        }
        obstacles.sort_unstable_by_key(|it| it.key);
        let farthest = obstacles.iter().map(|it| it.motion.length() + it.turned).fold(0.0, f32::max);
        let swept = |it: &Obstacle<'_>| {
            Entry::new(it.key, self.bodies.get(it.key)?, it.around.swept(it.motion).grown(it.turned))
        };
        let index = Index::new(obstacles.iter().filter_map(swept));
        let mut near = Vec::new();
        let mut is_fast = |body: &Body| {
            let Some(collider) = body.spec.collider.as_ref().filter(|it| body.is_loose() && !it.is_sensor()) else {
                return false;
            };
            let (motion, turned) = (body.pose.vel * dt, body.pose.spin.abs() * dt * collider.radius());
            let least = FAST * collider.least_extent() / 2.0;
            if body.spec.bullet || motion.length() + turned + farthest <= least {
                return false;
            }
            let around = collider.bounds(body.pose.pos, body.pose.angle);
            index.near_touching(around.swept(motion).grown(turned), collider.groups(), &mut near);
            near.iter().filter_map(|key| obstacles.binary_search_by_key(key, |it| it.key).ok()).any(|i| {
                let it = &obstacles[i];
                let (toward, turned) = (motion - it.motion, turned + it.turned);
                collider.can_touch(it.collider)
                    && toward.length() + turned > least
                    && around.swept(toward).grown(turned - GLIDE_PX).meets(it.around)
            })
        };
        self.bodies.iter().filter(|(_, body)| is_fast(body)).map(|(key, _)| key).collect()
    }

    fn obstacle(&self, key: EntityKey) -> Option<Obstacle<'_>> {
        let body = self.bodies.get(key).filter(|body| body.is_in_solver)?;
        let collider = body.spec.collider.as_ref().filter(|collider| !collider.is_sensor())?;
        // Of movers, only the solver has the pose as the step begins.
        let [from, to] = self.solver.ends_of_step(body)?;
        let around = collider.bounds(from, body.pose.angle);
        Some(Obstacle { key, collider, around, motion: to - from, turned: body.turned_px() })
    }
}
