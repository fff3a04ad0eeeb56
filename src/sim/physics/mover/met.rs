//! What a body comes upon on its way in a tick, farther away than the solver knows.
//!
//! Invariant: only what stops the motion is in it.

use glam::Vec2;

use super::{Near, Push, Solid};
use crate::sim::{EntityKey, physics::squeeze::OPPOSITE};

/// A loose body or mover that a motion leads against.
#[derive(Clone, Copy, Debug)]
pub(in crate::sim::physics) struct Met {
    pub(in crate::sim::physics) key: EntityKey,
    /// Unit normal toward it.
    pub(in crate::sim::physics) way: Vec2,
    /// How far it goes in this tick, along the normal, if it is pushed as far as the motion leads, in pixels.
    pub(in crate::sim::physics) px: f32,
    /// How far the place of what moves is shifted for the other, along the normal, in pixels.
    pub(in crate::sim::physics) ahead: f32,
    /// Their overlap before the motion, in pixels.
    pub(in crate::sim::physics) depth: f32,
}

impl Near {
    /// The loose bodies and movers that a motion, in pixels, of the body leads against, whose surroundings are gathered.
    /// Loose bodies fly on for `secs` or, if that leads them out of the way ahead, are taken as stopped; movers are taken
    /// to stand still.
    pub(in crate::sim::physics) fn met_by(&self, motion: Vec2, secs: f32) -> Vec<Met> {
        let can_be_pushed = |solid: &&Solid| !solid.sensor && !solid.one_way;
        let met = self.solids.iter().filter(can_be_pushed).filter_map(|solid| {
            let is_mover = solid.push == Push::Mover;
            let key = solid.entity.filter(|_| is_mover || solid.mass.is_some())?;
            let flight = if is_mover { Vec2::ZERO } else { solid.vel * secs };
            let cast = |own| {
                let (share, normal) = self.core(solid).cast(solid.reach, self.at, motion - own)?;
                Some((own, share, normal))
            };
            // What flies ahead, faster than the motion, may be stopped by what is farther ahead.
            let is_ahead = flight.dot(motion) > OPPOSITE * flight.length() * motion.length();
            let (own, share, normal) = cast(flight).or_else(|| cast(Vec2::ZERO).filter(|_| is_ahead))?;
            let px = -(own + (motion - own) * (1.0 - share)).dot(normal);
            let depth = (solid.reach - self.core(solid).distance(self.at).0).max(0.0);
            Some(Met { key, way: -normal, px, ahead: -motion.dot(normal), depth })
        });
        met.collect()
    }
}
