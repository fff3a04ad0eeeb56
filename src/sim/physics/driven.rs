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

/// What a kinematic body drives in a tick.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// The bodies, each with its motion in pixels.
    pub(super) bodies: Vec<(EntityKey, Vec2)>,
    between: Driven,
}

impl Physics {
    /// Find what the kinematic bodies drive in this tick, in which their poses are set.
    pub(super) fn find_driven(&self) -> Driven {
        let rows = self.carried.iter().filter(|_| self.n_loose > 0).map(|key| self.row_of(*key).between);
        let mut driven = Driven::new();
        for (bodies, motion) in rows.flatten() {
            let known = driven.entry(bodies).or_insert(motion);
            if known.length_squared() < motion.length_squared() {
                *known = motion;
            }
        }
        driven
    }

    /// What a kinematic body drives in this tick.
    pub(super) fn row_of(&self, by: EntityKey) -> Row {
        let mut row = Row::default();
        let Some(body) = self.bodies.get(by) else { return row };
        if body.end_pose() == (body.pose.pos, body.pose.angle) {
            return row;
        }
        let far = |point, way| self.velocity_at(body, point).dot(way) * self.config.dt_secs;
        let movers = self.movers_at(by).map(|(other, way, point)| (other, way, far(point, way)));
        let mut open: Vec<_> = movers.collect();
        open.extend(self.contacts_with(body).into_iter().filter_map(|contact| {
            let other = contact.other.filter(|other| self.is_loose(*other))?;
            Some((other, -contact.normal, far(contact.point, -contact.normal) - contact.gap_now()))
        }));
        let is_from_side = self.config.view == LevelView::Platformer;
        let mut met = BTreeSet::from([by]);
        while let Some((key, way, far)) = open.pop() {
            let Some(body) = self.bodies.get(key).filter(|_| far > 0.0 && met.insert(key)) else { continue };
            row.bodies.push((key, way * far));
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
                if is_driven && !is_carried && far > 0.0 {
                    let motion = its_way * (far - contact.depth_now.max(0.0) * (1.0 - EASED));
                    row.between.insert((key, other), motion);
                    open.push((other, its_way, far));
                }
            }
        }
        row
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
