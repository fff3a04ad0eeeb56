//! What a moving platform pushes along in a tick: loose bodies, and the walkers and flyers ahead of these.
//!
//! Movers are moved before the solver runs, and in it nothing moves them. A loose body between a platform and a mover
//! would be held by the mover, and the platform would go into it: so the mover is pushed as far as the loose body will
//! be. Invariant: nothing here depends on the order of bodies, and what no platform touches is not in it.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use glam::Vec2;

use crate::{model::LevelView, sim::EntityKey};

use super::{Contact, Other, Physics, crush::OPPOSITE, mover::BEARS};

/// By the pair of a loose body and the one that it pushes: how far it pushes that in this tick, and by how much its
/// present place is shifted for the other, in pixels. The shift is less by most of their overlap, and may be backward.
pub(super) type PushedAlong = BTreeMap<[EntityKey; 2], (f32, Vec2)>;

/// The share of the overlap of a loose body and the mover ahead of it that is undone in a tick. If all of it were, the
/// impulses that the solver keeps from the step before would shoot the loose body away.
const EASED: f32 = 0.1;

/// The least distance by which a body is pushed along, in pixels.
const LEAST_PX: f32 = 1e-3;

/// The most bodies that one platform pushes along; those that it pushes farthest come first.
const MAX_PUSHED: usize = 1024;

/// What one kinematic body pushes along in a tick.
#[derive(Debug, Default)]
pub(super) struct Pushing {
    /// The bodies, each with its motion in pixels.
    pub(super) bodies: Vec<(EntityKey, Vec2)>,
    pairs: PushedAlong,
}

fn keep_farthest(pairs: &mut PushedAlong, pair: [EntityKey; 2], new: (f32, Vec2)) {
    let known = pairs.entry(pair).or_insert(new);
    if known.0 < new.0 {
        *known = new;
    }
}

impl Physics {
    /// What all kinematic bodies push along in this tick; where they are at its end is already set.
    pub(super) fn all_pushed_along(&self) -> PushedAlong {
        let mut pairs = PushedAlong::new();
        if self.n_loose == 0 {
            return pairs;
        }
        for (pair, new) in self.carried.iter().flat_map(|key| self.pushed_along_by(*key).pairs) {
            keep_farthest(&mut pairs, pair, new);
        }
        pairs
    }

    /// What a kinematic body pushes along in this tick. Contacts of the last step are followed from body to body, each
    /// body once and those that go farthest first; gaps between them are subtracted from the motion.
    pub(super) fn pushed_along_by(&self, by: EntityKey) -> Pushing {
        let mut pushing = Pushing::default();
        let Some(body) = self.bodies.get(by) else { return pushing };
        if body.end_pose() == (body.pose.pos, body.pose.angle) {
            return pushing;
        }
        // Distances above zero are in the order of their bits.
        let mut open: BTreeMap<(u32, Reverse<EntityKey>), Vec2> = BTreeMap::new();
        let mut add = |key, way, px: f32| {
            if px > LEAST_PX {
                open.insert((px.to_bits(), Reverse(key)), way);
            }
        };
        let px_at = |point, way| self.velocity_at(body, point).dot(way) * self.config.dt_secs;
        self.movers_at(by).for_each(|(other, way, point)| add(other, way, px_at(point, way)));
        for contact in self.contacts_with(body) {
            if let Some(other) = contact.other.filter(|other| self.is_loose(*other)) {
                add(other, -contact.normal, px_at(contact.point, -contact.normal) - contact.gap_now());
            }
        }
        let is_from_side = self.config.view == LevelView::Platformer;
        let mut met = BTreeSet::from([by]);
        while let Some(((bits, Reverse(key)), way)) = open.pop_last().filter(|_| pushing.bodies.len() < MAX_PUSHED) {
            let px = f32::from_bits(bits);
            let Some(body) = self.bodies.get(key).filter(|body| !body.is_faulty && met.insert(key)) else { continue };
            pushing.bodies.push((key, way * px));
            let mut add = |other, its_way: Vec2, gap: f32| {
                let its_px = px * its_way.dot(way) - gap;
                let is_ahead = its_way.dot(way) > OPPOSITE && its_px > LEAST_PX;
                if is_ahead && !self.crushes.ignore_each_other(key, other) {
                    open.insert((its_px.to_bits(), Reverse(other)), its_way);
                    return Some(its_px);
                }
                None
            };
            if body.spec.is_mover() {
                self.movers_at(key).for_each(|(other, its_way, _)| _ = add(other, its_way, 0.0));
            }
            for contact in self.contacts_with(body) {
                let (Some(other), its_way) = (contact.other, -contact.normal) else { continue };
                // Movers find each other by themselves, and walkers are carried by what they stand on.
                let is_carried = || {
                    let is_walker = self.bodies.get(other).is_some_and(|body| body.spec.walker.is_some());
                    is_walker && is_from_side && its_way.y < -BEARS
                };
                if !(self.is_loose(other) || body.is_loose() && self.is_mover(other) && !is_carried()) {
                    continue;
                }
                if let Some(px) = add(other, its_way, contact.gap_now()).filter(|_| body.is_loose()) {
                    let shift = its_way * (px - contact.depth_now.max(0.0) * (1.0 - EASED));
                    keep_farthest(&mut pushing.pairs, [key, other], (px, shift));
                }
            }
        }
        pushing
    }

    /// The movers that a mover or kinematic body touched in the last step, each with the unit normal toward it and the
    /// point.
    pub(super) fn movers_at(&self, key: EntityKey) -> impl Iterator<Item = (EntityKey, Vec2, Vec2)> {
        self.touches.of(key).filter_map(|Contact { b, normal, point, sensor, .. }| {
            let Other::Entity(other) = b else { return None };
            (!sensor && self.is_mover(other)).then_some((other, -normal, point))
        })
    }
}
