//! Dashes of walkers: short runs at constant velocity, without gravity.
//!
//! Invariant: an unhindered dash is exactly speed × time long, at any length of a tick.

use glam::Vec2;

use super::{
    body::{Dash, Walk},
    spec::WalkerSpec,
};

/// The motion of a dash in one tick.
pub(super) struct Dashed {
    /// Velocity at the end of the tick, px/s.
    pub(super) vel: Vec2,
    /// Displacement in the tick, px.
    pub(super) way: Vec2,
}

impl Walk {
    /// Begin a dash if one is requested and possible, or continue the one under way. The flags are whether the walker
    /// is on the ground (always, seen from above), and whether it walks there.
    pub(super) fn dashed(
        &mut self,
        spec: &WalkerSpec,
        requested: Option<Vec2>,
        (on_ground, is_walking): (bool, bool),
        dt: f32,
    ) -> Option<Dashed> {
        let dash = spec.dash.as_ref()?;
        if on_ground {
            self.dash.n_in_air = 0;
        }
        // Not into the ground that it stands on.
        let flat = |dir: &Vec2| !dash.eight_ways || is_walking && dir.y > 0.0;
        let requested = requested.map(|dir| if flat(&dir) { Vec2::new(dir.x, 0.0) } else { dir });
        if let Some(dir) = requested.and_then(Vec2::try_normalize)
            && self.dash.left_secs <= 0.0
            && self.dash.wait_secs <= 0.0
            && (on_ground || self.dash.n_in_air < dash.in_air)
        {
            self.dash = Dash {
                vel: dir * dash.speed,
                left_secs: dash.secs,
                wait_secs: dash.secs + dash.cooldown_secs,
                n_in_air: self.dash.n_in_air + u32::from(!on_ground),
                has_set_vel: self.dash.has_set_vel,
            };
            (self.climbs, self.is_jumping, self.boost) = (false, false, 0.0);
        }
        // Ticks do not add up exactly to the times.
        let rest = |secs: f32| if secs - dt < dt * 1e-3 { 0.0 } else { secs - dt };
        self.dash.wait_secs = rest(self.dash.wait_secs);
        if self.dash.left_secs <= 0.0 {
            return None;
        }
        let within = self.dash.left_secs.min(dt);
        self.dash.left_secs = rest(self.dash.left_secs);
        let after = self.dash.vel * dash.keep;
        let vel = if self.dash.left_secs > 0.0 { self.dash.vel } else { after };
        Some(Dashed { vel, way: self.dash.vel * within + after * (dt - within) })
    }
}
