//! How far a moving platform takes a loose body up or down in a tick, where a walker stands on that.
//!
//! Movers are moved before the solver runs. A walker on a loose body that a platform lifts moves as far as the solver will
//! move that body, and finds it where it will be. Invariant: what no moving platform bears is not in it.

use std::collections::BTreeMap;

use glam::Vec2;

use crate::{model::LevelView, sim::EntityKey};

use super::{Physics, body::Body, mover::BEARS};

/// The loose bodies in stacks below walkers, on moving platforms: how far each goes down in this tick, in pixels; below
/// zero: up.
pub(super) type Lifted = BTreeMap<EntityKey, f32>;

/// The most loose bodies in a stack between a platform and a walker; higher stacks are not followed.
const MAX_STACKED: usize = 64;

impl Physics {
    /// The loose bodies below walkers that moving kinematic bodies bear; where these are at the end of this tick is
    /// already set.
    pub(super) fn all_lifted(&self) -> Lifted {
        let moves = |key: &EntityKey| self.is_moved(*key);
        if self.n_loose == 0 || self.config.view != LevelView::Platformer || !self.carried.iter().any(moves) {
            return Lifted::new();
        }
        let mut known = BTreeMap::new();
        for key in self.movers.iter().filter_map(|key| self.carrier(*key)).filter(|key| self.is_loose(*key)) {
            self.lift(key, 0, &mut known);
        }
        known.into_iter().filter_map(|(key, down)| Some((key, down?))).collect()
    }

    /// How far a loose body goes down in this tick with what bears it: as far as the highest of these, and no faster than
    /// it falls. `None` if no moving kinematic body bears it.
    fn lift(&self, key: EntityKey, n_above: usize, known: &mut BTreeMap<EntityKey, Option<f32>>) -> Option<f32> {
        if let Some(down) = known.get(&key) {
            return *down;
        }
        known.insert(key, None);
        let body = self.bodies.get(key).filter(|body| !body.is_faulty && n_above < MAX_STACKED)?;
        let dt = self.config.dt_secs;
        let pull = self.config.gravity_px_s2 * body.spec.gravity_scale * body.felt.gravity + body.felt.acceleration.y;
        let (mut down, mut is_lifted) = ((body.pose.vel.y + pull * dt) * dt, false);
        for it in self.neighbors(key).into_iter().filter(|it| it.way.y > BEARS) {
            let of_below = match it.key {
                Some(below) if self.is_mover(below) => match self.carrier(below).filter(|it| !self.is_mover(*it)) {
                    Some(carrier) => self.taken_down(carrier, it.point, n_above, known),
                    None => continue,
                },
                Some(below) => self.taken_down(below, it.point, n_above, known),
                None => None,
            };
            is_lifted |= of_below.is_some();
            down = down.min(of_below.unwrap_or(0.0) + it.gap_now());
        }
        let down = is_lifted.then_some(down);
        known.insert(key, down);
        down
    }

    /// How far down in this tick a loose or kinematic body takes what it bears at a point, see `lift`.
    fn taken_down(
        &self,
        key: EntityKey,
        point: Vec2,
        n_above: usize,
        known: &mut BTreeMap<EntityKey, Option<f32>>,
    ) -> Option<f32> {
        if self.is_loose(key) {
            return self.lift(key, n_above + 1, known);
        }
        let body = self.bodies.get(key).filter(|_| self.is_moved(key))?;
        Some(self.velocity_at(body, point).y * self.config.dt_secs)
    }

    /// Whether a kinematic body moves in this tick.
    fn is_moved(&self, key: EntityKey) -> bool {
        self.bodies.get(key).is_some_and(Body::moves_in_step)
    }
}
