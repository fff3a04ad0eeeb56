//! Continuous collision detection: which loose bodies the solver sweeps against bodies that move by themselves.
//!
//! The solver sweeps every fast loose body against tiles and static bodies, but only bullets against others. Invariant:
//! a loose body that moves fast near a kinematic body, or near a mover that the solver has, is swept against it in that
//! tick. Against other loose bodies only bullets are swept. The solver sweeps no bullet against another, and a body that
//! is swept here counts as one.

use std::collections::BTreeSet;

use crate::sim::EntityKey;

use super::{
    Physics,
    body::Body,
    convex::Aabb,
    index::Index,
    spec::{ColliderSpec, CollisionGroups},
};

/// Bodies of which no point moves by more than this in a tick, in pixels, pass through nothing.
const LEAST_WAY_PX: f32 = 0.5;

/// How far beyond its motion a body is looked for, in pixels: in a tick, contacts may push it aside.
const REACH_PX: f32 = 4.0;

impl Physics {
    /// Let the solver sweep the loose bodies that are fast near kinematic bodies in this tick.
    pub(super) fn sweep_fast_bodies(&mut self) {
        let fast = self.fast_near_kinematic();
        for key in self.swept.union(&fast) {
            if let Some(body) = self.bodies.get(*key) {
                self.solver.set_swept(body, body.spec.bullet || fast.contains(key));
            }
        }
        self.swept = fast;
    }

    fn fast_near_kinematic(&self) -> BTreeSet<EntityKey> {
        let mut fast = BTreeSet::new();
        if self.n_loose == 0 {
            return fast;
        }
        let moved = self.carried.iter().chain(&self.movers).filter_map(|key| {
            let body = self.bodies.get(*key).filter(|body| body.is_in_solver)?;
            let collider = body.spec.collider.as_ref().filter(|collider| !collider.is_sensor())?;
            let (end, angle) = body.end_pose();
            let way = collider.bounds(body.pose.pos, body.pose.angle).union(collider.bounds(end, angle));
            Some((*key, collider.groups(), way))
        });
        let moved: Vec<(EntityKey, CollisionGroups, Aabb)> = moved.collect();
        if moved.is_empty() {
            return fast;
        }
        let (index, mut near) = (Index::new(moved), Vec::new());
        for (key, body) in &self.bodies {
            if let Some((collider, way)) = self.fast_way(body) {
                index.near_touching(way, collider.groups(), &mut near);
                if !near.is_empty() {
                    fast.insert(key);
                }
            }
        }
        fast
    }

    /// The collider of a loose body other than a bullet, and the box around its motion in this tick, if it is fast.
    fn fast_way<'a>(&self, body: &'a Body) -> Option<(&'a ColliderSpec, Aabb)> {
        let pose = body.pose;
        if !body.is_loose() || (pose.vel == glam::Vec2::ZERO && pose.spin == 0.0) || body.spec.bullet {
            return None;
        }
        let collider = body.spec.collider.as_ref()?;
        let here = collider.bounds(pose.pos, pose.angle);
        let dt = self.config.dt_secs;
        let turned = pose.spin.abs() * dt * (here.hi - here.lo).length();
        let way = pose.vel * dt;
        (way.length() + turned > LEAST_WAY_PX).then(|| (collider, here.swept(way).grown(REACH_PX + turned)))
    }
}
