//! A world with a clock and a log: what a viewer plays, pauses, steps and slows down.
//!
//! Invariant: the world sees whole ticks only; how real time is cut into frames changes when ticks run, never what they
//! do. Reading real time is the caller's.

use std::collections::VecDeque;

use super::{Input, TraceEvent, World};
use crate::model::Value;

/// Events kept for viewing.
const LOG_LEN: usize = 5_000;

/// A running world.
#[derive(Debug)]
pub struct Session {
    /// The world.
    pub world: World,
    /// How many seconds of the world pass in one real second.
    pub speed: f64,
    /// What has not filled a tick yet, in seconds of the world.
    overstep_secs: f64,
    /// Time dropped because frames were too slow, in seconds of the world.
    lost_secs: f64,
    log: VecDeque<TraceEvent>,
    n_logged: u64,
}

impl Session {
    /// A world at its beginning.
    #[must_use]
    pub fn new(world: World) -> Self {
        let mut session =
            Self { world, speed: 1.0, overstep_secs: 0.0, lost_secs: 0.0, log: VecDeque::new(), n_logged: 0 };
        session.collect();
        session
    }

    /// Let real time pass: run as many whole ticks as fit, no more than the world's `Simulation.max_ticks_per_frame`
    /// (times the speed, when above 1). Returns how many ran.
    pub fn advance(&mut self, real_secs: f64, input: &Input) -> u32 {
        if !(real_secs.is_finite() && real_secs > 0.0) {
            return 0;
        }
        let step = self.world.timestep_secs();
        self.overstep_secs += real_secs * self.speed;
        let max = self.world.tunable("Simulation.max_ticks_per_frame").and_then(Value::as_f64);
        let max = max.unwrap_or(8.0).max(1.0) * self.speed.max(1.0);
        let mut n_ticks = 0;
        // A hair of tolerance, so that frames of exactly one timestep run exactly one tick.
        while self.overstep_secs >= step * (1.0 - 1e-9) && f64::from(n_ticks) < max {
            self.overstep_secs -= step;
            self.world.step(input);
            n_ticks += 1;
        }
        self.overstep_secs = self.overstep_secs.max(0.0);
        if self.overstep_secs >= step {
            let keep = self.overstep_secs % step;
            self.lost_secs += self.overstep_secs - keep;
            self.overstep_secs = keep;
        }
        self.collect();
        n_ticks
    }

    /// Run one tick.
    pub fn step_once(&mut self, input: &Input) {
        self.world.step(input);
        self.collect();
    }

    /// Put another world in this one's place, with its events to come in the same log.
    pub fn replace_world(&mut self, world: World) {
        self.world = world;
        self.collect();
    }

    /// Where the one is whom the camera follows, in pixels of the level: none when `Camera.follow` is off, or nobody alive has
    /// a `CameraTarget`.
    #[must_use]
    pub fn followed(&self) -> Option<glam::Vec2> {
        if !self.world.tunable("Camera.follow").and_then(Value::as_bool).unwrap_or(false) {
            return None;
        }
        self.world.entities().find(|entity| entity.alive && entity.resolved.has("CameraTarget")).map(|it| it.pos)
    }

    /// Time dropped because frames were too slow, in seconds of the world.
    #[must_use]
    pub fn lost_secs(&self) -> f64 {
        self.lost_secs
    }

    /// The latest events, oldest first, with the number of each.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = (u64, &TraceEvent)> + ExactSizeIterator {
        let first = self.n_logged - self.log.len() as u64;
        self.log.iter().enumerate().map(move |(i, event)| (first + i as u64, event))
    }

    /// Fetch what the world has to tell into the log.
    pub fn collect(&mut self) {
        for event in self.world.drain_events() {
            if self.log.len() == LOG_LEN {
                self.log.pop_front();
            }
            self.log.push_back(event);
            self.n_logged += 1;
        }
    }
}
