//! How far moving platforms drive loose bodies in a tick, which push the walkers and flyers ahead of them.
//!
//! Movers move before the solver runs, and in it nothing moves them. A loose body between a platform and a mover would
//! be held by the mover, and the platform would go into it. So the mover gives way to where the body will be.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec2;

use crate::{model::LevelView, sim::EntityKey};

use super::{Contact, Other, Physics, crush::OPPOSITE, mover::BEARS};

/// The motions, in pixels, by which bodies drive others in this tick: by the two bodies. One at least is loose; a mover
/// ahead of the other gives way by as much.
pub(super) type Driven = BTreeMap<(EntityKey, EntityKey), Vec2>;

/// The share of the overlap of a driven body and a mover that is undone in a tick. Undone at once, the solver's impulses
/// that held the body between the platform and the mover would shoot it away.
const EASED: f32 = 0.1;

impl Physics {
    /// Find what the kinematic bodies drive in this tick, in which their poses are set.
    pub(super) fn find_driven(&self) -> Driven {
        let mut driven = Driven::new();
        if self.n_loose == 0 {
            return driven;
        }
        let dt = self.config.dt_secs;
        for key in self.carried.iter().copied() {
            let Some(body) = self.bodies.get(key) else { continue };
            if body.end_pose() == (body.pose.pos, body.pose.angle) {
                continue;
            }
            let mut follow = |other, point, way: Vec2, gap| {
                let far = self.velocity_at(body, point).dot(way) * dt - gap;
                self.drive((other, way, far), key, &mut driven);
            };
            for (other, way, point) in self.movers_at(key) {
                follow(other, point, way, 0.0);
            }
            for contact in self.contacts_with(body) {
                if let Some(other) = contact.other.filter(|other| self.is_loose(*other)) {
                    follow(other, contact.point, -contact.normal, contact.gap_now());
                }
            }
        }
        driven
    }

    /// Follow what a body drives that is itself driven by a kinematic one, in a direction by a distance in pixels.
    fn drive(&self, first: (EntityKey, Vec2, f32), by: EntityKey, driven: &mut Driven) {
        let is_from_side = self.config.view == LevelView::Platformer;
        let (mut open, mut met) = (vec![first], BTreeSet::from([by]));
        while let Some((key, way, far)) = open.pop() {
            let Some(body) = self.bodies.get(key).filter(|_| far > 0.0 && met.insert(key)) else { continue };
            let is_mover = body.spec.is_mover();
            if is_mover {
                let movers = self.movers_at(key).map(|(other, its_way, _)| (other, its_way, far * its_way.dot(way)));
                open.extend(movers.filter(|it| it.1.dot(way) > OPPOSITE));
            }
            for contact in self.contacts_with(body) {
                let its_way = -contact.normal;
                let Some(other) = contact.other.filter(|_| its_way.dot(way) > OPPOSITE) else { continue };
                let far = far * its_way.dot(way) - contact.gap_now();
                let is_driven = self.is_loose(other) || !is_mover && self.is_mover(other);
                // What stands on it is carried.
                let is_carried = self.is_mover(other) && is_from_side && its_way.y < -BEARS;
                if !is_driven || is_carried || far <= 0.0 {
                    continue;
                }
                let motion = its_way * (far - contact.depth_now.max(0.0) * (1.0 - EASED));
                let known = driven.entry((key, other)).or_insert(motion);
                if known.dot(its_way) < motion.dot(its_way) {
                    *known = motion;
                }
                open.push((other, its_way, far));
            }
        }
    }

    /// The movers that a mover or kinematic body touched in the last step, each with the unit normal toward it and the
    /// point.
    fn movers_at(&self, key: EntityKey) -> impl Iterator<Item = (EntityKey, Vec2, Vec2)> {
        self.touches.of(key).filter_map(|Contact { b, normal, point, sensor, .. }| {
            let Other::Entity(other) = b else { return None };
            (!sensor && self.is_mover(other)).then_some((other, -normal, point))
        })
    }
}
