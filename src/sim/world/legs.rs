//! The parts of a path over ledges, and how far a walker got with them.
//!
//! Invariant: a walker in the air is on its way along one leg, and goes on with the next only from the ledge that it leads to. Where
//! the path leads is `sim::nav`.

use std::sync::Arc;

use glam::Vec2;

use crate::sim::nav::{How, Leg};

/// Landing this much higher or lower is on another ledge, in pixels.
const SAME_LEDGE_PX: f32 = 10.0;

/// A path over ledges.
#[derive(Clone, Debug, Default)]
pub(super) struct Legs {
    path: Arc<[Leg]>,
    at: usize,
    /// It has left the ground on the way of this leg.
    pub(super) is_flying: bool,
    /// It goes back for a run-up.
    pub(super) is_backing: bool,
    /// How often it went back on this leg.
    pub(super) n_backed: u32,
    /// How often it came down elsewhere, one time after another.
    pub(super) n_missed: u32,
}

impl Legs {
    /// Begin another path. How often it missed is remembered until it gets on.
    pub(super) fn begin(&mut self, legs: &[Leg]) {
        *self = Self { path: legs.into(), n_missed: self.n_missed, ..Self::default() };
    }

    /// The part it is on.
    pub(super) fn now(&self) -> Option<&Leg> {
        self.path.get(self.at)
    }

    /// Whether it is on the last part.
    pub(super) fn is_last(&self) -> bool {
        self.at + 1 >= self.path.len()
    }

    /// It is on the ground again. Returns whether that is where the leg leads; the next leg is begun then, and otherwise the
    /// path is of no more use.
    pub(super) fn land(&mut self, pos: Vec2, width_px: f32) -> bool {
        let is_on_foot = self.now().is_some_and(|leg| leg.how == How::Walk);
        let is_near = |leg: &Leg| {
            (leg.to.y - pos.y).abs() <= SAME_LEDGE_PX && (is_on_foot || (leg.to.x - pos.x).abs() <= 2.0 * width_px)
        };
        let is_there = self.now().is_some_and(is_near);
        if is_there {
            let at = if is_on_foot { self.at } else { self.at + 1 };
            *self = Self { path: Arc::clone(&self.path), at, ..Self::default() };
        } else {
            *self = Self { n_missed: self.n_missed.saturating_add(1), ..Self::default() };
        }
        is_there
    }

    /// The places that are still ahead.
    pub(super) fn rest(&self) -> Vec<Vec2> {
        let mut rest: Vec<Vec2> =
            self.path.get(self.at..).unwrap_or_default().iter().flat_map(|leg| leg.arc.iter().copied()).collect();
        rest.dedup();
        rest
    }

    /// Bits for the world's hash.
    pub(super) fn digest(&self) -> u64 {
        (self.at as u64) << 2 | u64::from(self.is_flying) << 1 | u64::from(self.is_backing)
    }
}
