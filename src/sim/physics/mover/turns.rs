//! The turns of walkers and flyers in a step: they move one after another, and what one does to others counts before the
//! next one moves.
//!
//! Invariant: each moves once, in the order of `queue`. Who need not be computed is decided in `rest`.

use glam::Vec2;

use super::{Near, Pose, WalkInput};
use crate::sim::{
    EntityKey,
    insight::profile::{Meter, System},
    limits,
    physics::{Physics, body::Motion, crush::Pushed, index::Index, touch::Found},
};

impl Physics {
    /// Move every walker and flyer, and give the solver those near loose bodies; `index` has all bodies.
    /// Returns their contacts, and the movers without room.
    pub(in crate::sim::physics) fn move_movers(
        &mut self,
        index: &Index,
        meter: &mut Meter<'_>,
    ) -> (Vec<Found>, Pushed) {
        let mut near = Near::default();
        for key in &self.movers {
            let Some(body) = self.bodies.get_mut(*key).filter(|body| body.pushed != Vec2::ZERO) else { continue };
            self.pushed_before.insert(*key, std::mem::take(&mut body.pushed));
        }
        // What stops is held before it is known what is pushed along: in `gather`, all bodies are where they are.
        self.pushed_along.clear();
        let mut queue = meter.sample(System::Controllers, |_| {
            self.hold_those_that_stop(index, &mut near);
            self.pushed_along = self.all_pushed_along(index, &mut near);
            self.lifted = self.all_lifted();
            self.queue_of_movers(index)
        });
        let loaded = self.unload();
        let (mut found, mut pushed, mut n_near, mut farthest) = (Vec::new(), Pushed::default(), 0, 0.0_f32);
        let mut starts = Vec::with_capacity(self.movers.len());
        while n_near <= limits::MAX_NEAR
            && let Some(key) = queue.pop()
        {
            self.pushed_before.remove(&key);
            let Some(body) = self.bodies.get_mut(key) else { continue };
            let (before, input) = (body.pose, body.motion.take_input());
            let (mut pose, mut motion) = (before, Motion::Still);
            let last = self.last_step(key, input);
            let repeated = meter.sample_of(System::Controllers, key, |_| {
                let repeated = last.as_ref().filter(|last| self.repeats(key, last, index, &mut near));
                if repeated.is_none() {
                    motion = self.move_one(key, input, &mut pose, index, &mut near);
                }
                repeated
            });
            if let Some(step) = repeated {
                found.extend_from_slice(step.found());
                n_near += step.n_near();
                starts.push((key, before.pos));
                continue;
            }
            let has_pushed = !near.pushes.is_empty();
            near.pushes.drain(..).for_each(|push| self.push(push));
            pushed.crushed.extend(near.crushed_by.map(|by| (key, by)));
            pushed.cornered.extend(near.is_cornered.then_some(key));
            pushed.pinned.extend((near.is_pinned || near.will_be_pinned(self.config.dt_secs)).then_some(key));
            queue.put_next(&near);
            n_near += near.solids.len();
            let Some(body) = self.bodies.get_mut(key) else { continue };
            body.motion = motion;
            if !(pose.pos.is_finite() && pose.vel.is_finite()) {
                body.motion.reset();
                near.pushed = Vec2::ZERO;
                pose = Pose { vel: Vec2::ZERO, ..body.pose };
            }
            let (pose, exceeded) = pose.within_limits();
            self.faults.extend(body.limited(key, exceeded));
            let start = std::mem::replace(&mut body.pose, pose).pos;
            farthest = farthest.max((pose.pos - start).abs().max_element());
            body.pushed = near.pushed;
            starts.push((key, start));
            if has_pushed || pose != before {
                body.rest = None;
            } else {
                self.note_rest(key, input, last.as_deref(), &near);
            }
            found.append(&mut near.found);
        }
        let rest = queue.rest();
        if !rest.is_empty() {
            self.overload = Some(format!("walkers and flyers are near more than {} solids", limits::MAX_NEAR));
        }
        starts.extend(rest.into_iter().filter_map(|key| Some((key, self.bodies.get(key)?.pose.pos))));
        starts.sort_unstable_by_key(|(key, _)| *key);
        self.lifted.clear();
        self.pushed_before.clear();
        self.drift_px += farthest;
        self.load(loaded);
        self.give_movers_to_solver(&starts, index);
        (found, pushed)
    }

    /// Move a walker or flyer. Returns its state, which is taken out of its body.
    fn move_one(
        &mut self,
        key: EntityKey,
        input: WalkInput,
        pose: &mut Pose,
        index: &Index,
        near: &mut Near,
    ) -> Motion {
        let Some(body) = self.bodies.get_mut(key) else { return Motion::Still };
        let mut motion = std::mem::replace(&mut body.motion, Motion::Still);
        match &mut motion {
            Motion::Walk(walk) => self.walk_one(key, (walk, input), pose, index, near),
            Motion::Fly(fly) => self.fly_one(key, fly.desired, pose, index, near),
            _ => {}
        }
        motion
    }
}
