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

use super::{
    Physics,
    index::Index,
    mover::{BEARS, Met, Near},
    squeeze::OPPOSITE,
};

/// By the pair of a loose body and the one that it pushes: how far it pushes that in this tick, and by how much its
/// present place is shifted for the other, in pixels. The shift is less by most of their overlap, and may be backward.
pub(super) type PushedAlong = BTreeMap<[EntityKey; 2], (f32, Vec2)>;

/// The share of the overlap of a loose body and the mover ahead of it that is undone in a tick. If all of it were, the
/// impulses that the solver keeps from the step before would shoot the loose body away.
const EASED: f32 = 0.1;

/// The least distance by which a body is pushed along, in pixels.
const LEAST_PX: f32 = 1e-3;

/// The solver knows what is nearer than this, in pixels: farther motions are swept, to find what they lead against.
const SWEPT_PX: f32 = 1.0;

/// The most bodies that one platform pushes along; those that it pushes farthest come first.
const MAX_PUSHED: usize = 1024;

/// What one kinematic body pushes along in a tick.
#[derive(Debug, Default)]
pub(super) struct Pushing {
    /// The bodies, each with its motion in pixels.
    pub(super) bodies: Vec<(EntityKey, Vec2)>,
    pairs: PushedAlong,
}

/// The bodies that are still to be followed, by how far they go.
#[derive(Default)]
struct Front(BTreeMap<(u32, Reverse<EntityKey>), Vec2>);

impl Front {
    /// Add a body that goes `px` pixels in a direction. Returns whether it goes at all.
    fn add(&mut self, key: EntityKey, way: Vec2, px: f32) -> bool {
        // Distances above zero are in the order of their bits.
        let goes = px > LEAST_PX;
        if goes {
            self.0.entry((px.to_bits(), Reverse(key))).or_insert(way);
        }
        goes
    }

    /// The one that goes farthest, its direction, and its distance in pixels.
    fn pop(&mut self) -> Option<(EntityKey, Vec2, f32)> {
        let ((bits, Reverse(key)), way) = self.0.pop_last()?;
        Some((key, way, f32::from_bits(bits)))
    }
}

fn keep_farthest(pairs: &mut PushedAlong, pair: [EntityKey; 2], new: (f32, Vec2)) {
    let known = pairs.entry(pair).or_insert(new);
    if known.0 < new.0 {
        *known = new;
    }
}

/// What it is asked for what a platform pushes along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// To push it. Loose bodies fly on meanwhile, and walkers are carried by those that they stand on.
    Push,
    /// To know whether it has room, and to stop it with the platform; also the walkers that loose bodies carry upward, as
    /// one on a crate on a lift.
    Stop,
}

impl Physics {
    /// What all kinematic bodies push along in this tick; where they are at its end is already set.
    pub(super) fn all_pushed_along(&self, index: &Index, near: &mut Near) -> PushedAlong {
        let mut pairs = PushedAlong::new();
        if self.n_loose == 0 {
            return pairs;
        }
        for key in &self.carried {
            for (pair, new) in self.pushed_along_by(*key, Purpose::Push, Some((index, near))).pairs {
                keep_farthest(&mut pairs, pair, new);
            }
        }
        pairs
    }

    /// What a kinematic body pushes along in a tick. Contacts of the last step are followed from body to body, each
    /// body once and those that go farthest first; gaps between them are subtracted from the motion. With the index and
    /// room to work in, also what the bodies meet only on their way.
    pub(super) fn pushed_along_by(
        &self,
        by: EntityKey,
        purpose: Purpose,
        mut sweep: Option<(&Index, &mut Near)>,
    ) -> Pushing {
        let mut pushing = Pushing::default();
        let Some(body) = self.bodies.get(by) else { return pushing };
        if !body.moves_in_step() {
            return pushing;
        }
        let is_from_side = self.config.view == LevelView::Platformer;
        let mut front = Front::default();
        for it in self.neighbors(by) {
            let px = self.velocity_at(body, it.point).dot(it.way) * self.config.dt_secs - it.gap_now();
            if let Some(key) = it.key.filter(|key| self.is_loose(*key) || self.is_mover(*key)) {
                front.add(key, it.way, px);
            }
        }
        let mut swept = Vec::new();
        let is_to_stop = purpose == Purpose::Stop;
        // One that stops has to leave room also for those that something stops in flight.
        let secs = if is_to_stop { 0.0 } else { self.config.dt_secs };
        self.sweep(by, body.end_pose().0 - body.pose.pos, secs, &mut sweep, &mut swept);
        // One-way platforms go through what they do not bear.
        let is_one_way = body.spec.collider.as_ref().is_some_and(|collider| collider.one_way);
        swept.retain(|it| !is_one_way && self.is_loose(it.key));
        for it in swept {
            front.add(it.key, it.way, it.px);
        }
        let mut known = BTreeSet::from([by]);
        while let Some((key, way, px)) = front.pop().filter(|_| pushing.bodies.len() < MAX_PUSHED) {
            let Some(body) = self.bodies.get(key).filter(|body| !body.is_faulty && known.insert(key)) else { continue };
            pushing.bodies.push((key, way * px));
            let mut ahead = self.touched(key, way * px);
            self.sweep(key, way * px, secs, &mut sweep, &mut ahead);
            for it in ahead.into_iter().filter(|it| it.way.dot(way) > OPPOSITE) {
                // Walkers are carried by the loose bodies that they stand on.
                let is_below = is_from_side && body.is_loose() && it.way.y < -BEARS;
                let can_go = is_to_stop || !(is_below && self.is_walker(it.key));
                // The solver does not collide loose bodies with feet: one that flew into them moves out by the depth.
                let more = if is_to_stop && is_below { it.depth } else { 0.0 };
                if can_go && front.add(it.key, it.way, it.px + more) && body.is_loose() {
                    let shift = it.way * (it.ahead - it.depth * (1.0 - EASED));
                    keep_farthest(&mut pushing.pairs, [key, it.key], (it.px, shift));
                }
            }
        }
        pushing
    }

    /// The loose bodies and movers that a body touches, and how far a motion of it, in pixels, pushes them.
    fn touched(&self, key: EntityKey, motion: Vec2) -> Vec<Met> {
        let contacts = self.neighbors(key).into_iter();
        let met = contacts.filter(|it| it.way.dot(motion) > OPPOSITE * motion.length()).filter_map(|it| {
            let other = it.key.filter(|other| self.is_loose(*other) || self.is_mover(*other))?;
            let (px, depth) = (motion.dot(it.way) - it.gap_now(), it.depth_now.max(0.0));
            (!self.crushes.ignore_each_other(key, other)).then_some(Met {
                key: other,
                way: it.way,
                px,
                ahead: px,
                depth,
            })
        });
        met.collect()
    }

    /// Add what else a body comes upon that moves by a motion, in pixels, while loose bodies fly on for `secs`.
    fn sweep(
        &self,
        key: EntityKey,
        motion: Vec2,
        secs: f32,
        sweep: &mut Option<(&Index, &mut Near)>,
        ahead: &mut Vec<Met>,
    ) {
        let Some((index, near)) = sweep.as_mut().filter(|_| motion.length() > SWEPT_PX) else { return };
        if self.may_meet(key, motion, index, ahead) {
            self.gather(key, motion.length() + 2.0, index, near);
            let is_new = |it: &Met| ahead.iter().all(|known| known.key != it.key);
            let met: Vec<Met> = near.met_by(motion, secs).into_iter().filter(is_new).collect();
            ahead.extend(met);
        }
    }

    /// Whether a loose body or mover is on the way of a body, besides those already known.
    fn may_meet(&self, key: EntityKey, motion: Vec2, index: &Index, known: &[Met]) -> bool {
        let Some(body) = self.bodies.get(key) else { return false };
        let Some(own) = &body.spec.collider else { return false };
        // Their boxes in the index include what they move in a tick.
        let region = own.bounds(body.pose.pos, body.pose.angle).swept(motion).grown(SWEPT_PX);
        let mut near = Vec::new();
        index.near_touching(region, own.groups(), &mut near);
        let is_new = |other: &EntityKey| *other != key && known.iter().all(|it| it.key != *other);
        near.iter().any(|other| is_new(other) && (self.is_loose(*other) || self.is_mover(*other)))
    }

    fn is_walker(&self, key: EntityKey) -> bool {
        self.bodies.get(key).is_some_and(|body| body.spec.walker.is_some())
    }
}
