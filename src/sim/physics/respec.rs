//! Replacing a body's spec while the world runs: by a live change, a track, or an edited project.
//!
//! Invariant: its contacts continue, and sleeping neighbors stay asleep, unless the kind of the body changes: only then
//! is it removed and added again.

use std::sync::Arc;

use crate::sim::EntityKey;

use super::{BodySpec, Physics};

impl Physics {
    /// Give a body another spec; it keeps its pose, and its velocity and spin as far as the new spec allows.
    ///
    /// # Errors
    /// If the spec is invalid (see [`BodySpec::check`]) or there is no such body; then nothing changes.
    pub fn respec(&mut self, key: EntityKey, spec: &BodySpec) -> Result<(), String> {
        spec.check()?;
        let Some(old) = self.bodies.get(key) else { return Err("there is no such body".into()) };
        if *old.spec == *spec {
            return Ok(());
        }
        if !old.is_faulty && old.spec.is_of_kind(spec) {
            self.change(key, spec);
            return Ok(());
        }
        let (pose, motion) = (old.pose, old.motion.clone());
        self.spawn(key, spec, pose.pos, pose.angle)?;
        if let Some(body) = self.bodies.get_mut(key) {
            body.pose = pose.of(spec);
            if std::mem::discriminant(&body.motion) == std::mem::discriminant(&motion) {
                body.motion = motion;
            }
            self.solver.place(body);
        }
        Ok(())
    }

    /// Change a body without a change of its kind.
    fn change(&mut self, key: EntityKey, spec: &BodySpec) {
        let Some(body) = self.bodies.get_mut(key) else { return };
        let old = Arc::clone(&body.spec);
        let pose = body.pose.of(spec);
        let is_slowed = std::mem::replace(&mut body.pose, pose) != pose;
        body.is_limited = false;
        self.solver.change(key, body, spec, &self.config);
        if is_slowed {
            self.solver.place(body);
        }
        if spec.is_dynamic() {
            self.solver.set_free(body, self.free.contains(&key), &self.config);
            self.solver.wake(body);
        }
        if old.collider != spec.collider {
            self.still_revision += u64::from(spec.is_static() || self.resting.contains(&key));
            self.pairs_checked_at = None;
            self.index.take();
        }
        if spec.zone.is_some() {
            self.zones.insert(key);
        } else {
            self.zones.remove(&key);
        }
    }
}

impl BodySpec {
    /// Whether a body of this spec can become one of another without being added again.
    fn is_of_kind(&self, other: &Self) -> bool {
        let moves = |spec: &Self| (spec.kind, spec.walker.is_some(), spec.flyer.is_some());
        let touches = |spec: &Self| {
            let collider = spec.collider.as_ref()?;
            let kinds: Vec<bool> = collider.parts.iter().map(|part| part.sensor).collect();
            Some((collider.one_way, kinds))
        };
        moves(self) == moves(other) && touches(self) == touches(other)
    }
}
