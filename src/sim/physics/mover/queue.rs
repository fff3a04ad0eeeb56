//! The order in which movers move in a step: by key, but for rows that a platform pushes, which move from the platform on.
//!
//! So a push reaches the end of a row within the step, whatever the keys are. Invariant: each mover is given once.

use std::{cmp::Ordering, collections::BTreeSet};

use glam::Vec2;
use slotmap::SecondaryMap;

use super::{Near, Push, SKIN};
use crate::sim::{
    EntityKey,
    physics::{Physics, convex::Aabb, index::Index},
};

/// The movers that still have to move.
pub(super) struct MoveQueue {
    /// The last one is next; some are in it more than once.
    next: Vec<EntityKey>,
    waiting: SecondaryMap<EntityKey, ()>,
}

impl MoveQueue {
    pub(super) fn pop(&mut self) -> Option<EntityKey> {
        while let Some(key) = self.next.pop() {
            if self.waiting.remove(key).is_some() {
                return Some(key);
            }
        }
        None
    }

    /// After a mover was pushed: those that it is in now move next.
    pub(super) fn put_next(&mut self, moved: &Near) {
        if moved.pushed != Vec2::ZERO {
            let here = Aabb { lo: moved.at, hi: moved.at }.grown(SKIN);
            let is_in = |it: &Aabb| it.meets(here);
            let others = moved.solids.iter().filter(|it| it.push == Push::Mover && !it.sensor && is_in(&it.around));
            // Those that it is in least are farthest ahead, and last.
            let mut others: Vec<_> = others.filter_map(|it| Some((moved.separation(it).0, it.entity?))).collect();
            others.sort_by(farthest_first);
            self.next.extend(others.into_iter().map(|(_, key)| key));
        }
    }

    /// The movers that did not move, by key.
    pub(super) fn rest(self) -> BTreeSet<EntityKey> {
        self.waiting.keys().collect()
    }
}

fn farthest_first(a: &(f32, EntityKey), b: &(f32, EntityKey)) -> Ordering {
    b.0.total_cmp(&a.0).then(b.1.cmp(&a.1))
}

impl Physics {
    /// All movers; first those on the way of a platform, the nearest one first, then those ahead of what it pushes along.
    pub(super) fn queue_of_movers(&self, index: &Index) -> MoveQueue {
        let mut next: Vec<EntityKey> = self.movers.iter().rev().copied().collect();
        next.extend(self.pushed_along.keys().rev().map(|[_, ahead]| *ahead));
        let (mut near, mut ahead) = (Vec::new(), Vec::new());
        for key in self.carried.iter().rev() {
            let Some(body) = self.bodies.get(*key).filter(|body| body.moves_in_step()) else { continue };
            let Some(own) = body.spec.collider.as_ref().filter(|own| !own.is_sensor()) else { continue };
            let way = body.end_pose().0 - body.pose.pos;
            let region = own.bounds(body.pose.pos, body.pose.angle).swept(way).grown(SKIN);
            index.near_touching(region, own.groups(), &mut near);
            let movers = near.iter().filter(|key| self.movers.contains(key));
            ahead.extend(movers.filter_map(|key| Some((self.bodies.get(*key)?.pose.pos.dot(way), *key))));
            ahead.sort_by(farthest_first);
            next.extend(ahead.drain(..).map(|(_, key)| key));
        }
        MoveQueue { next, waiting: self.movers.iter().map(|key| (*key, ())).collect() }
    }
}
