//! A world with a clock and a log: what a viewer plays, pauses, steps and slows down.
//!
//! Ticks are run elsewhere: a session hands out a [`Batch`], which any thread may run, and takes the [`Ran`] back. Meanwhile
//! it shows the world as it was, and keeps changes and keys for later.
//!
//! Invariant: the world sees whole ticks only; how real time is cut into frames, and how long a batch is away, changes when
//! ticks run, never what they do. What is shown is a world that `simulate` comes to with the same keys at the same ticks.
//! Reading real time, and starting threads, is the caller's.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{Input, TraceEvent, World};
use crate::model::Value;

/// Events kept for viewing.
const LOG_LEN: usize = 5_000;
/// Changes of the keys kept until a tick sees them. What is more than this is pressed together.
const MAX_INPUTS: usize = 8;

/// A change of the running world from outside. It returns what there is to say about it.
pub type Change = Box<dyn FnOnce(&mut World) -> Option<String> + Send>;

/// A running world.
pub struct Session {
    /// The world after the last tick that is done.
    pub world: Arc<World>,
    /// How many seconds of the world pass in one real second.
    pub speed: f64,
    /// Whether searches are to remember the cells they looked at.
    pub keep_searches: bool,
    /// What has not filled a tick yet, in seconds of the world.
    overstep_secs: f64,
    /// Time dropped because frames were too slow, in seconds of the world.
    lost_secs: f64,
    /// Keys held, in the order they were seen. The first are those of the last tick handed out.
    inputs: VecDeque<Input>,
    /// Of the batch that is away: set to give it up.
    away: Option<Arc<AtomicBool>>,
    /// To be done to the world when the batch is back.
    changes: Vec<Change>,
    log: VecDeque<TraceEvent>,
    n_logged: u64,
}

/// Ticks to be run.
pub struct Batch {
    world: Arc<World>,
    /// The keys of each tick.
    inputs: Vec<Input>,
    keep_searches: bool,
    canceled: Arc<AtomicBool>,
}

/// What became of a [`Batch`].
pub struct Ran {
    world: Arc<World>,
    events: Vec<TraceEvent>,
    canceled: Arc<AtomicBool>,
}

impl Batch {
    /// Run the ticks. Nothing when nobody waits for them any more, which is asked before each tick; how long a tick can take
    /// is bounded by `sim::limits`.
    #[must_use]
    pub fn run(self) -> Option<Ran> {
        let Self { world, inputs, keep_searches, canceled } = self;
        let is_wanted = || !canceled.load(Ordering::Relaxed);
        if !is_wanted() {
            return None;
        }
        let mut world = Arc::unwrap_or_clone(world);
        world.keep_searches(keep_searches);
        for input in inputs {
            if !is_wanted() {
                return None;
            }
            world.step(&input);
            if world.overload().is_some() {
                break;
            }
        }
        let events = world.drain_events();
        Some(Ran { world: Arc::new(world), events, canceled })
    }
}

impl Session {
    /// A world at its beginning.
    #[must_use]
    pub fn new(mut world: World) -> Self {
        let events = world.drain_events();
        let mut session = Self {
            world: Arc::new(world),
            speed: 1.0,
            keep_searches: false,
            overstep_secs: 0.0,
            lost_secs: 0.0,
            inputs: VecDeque::from([Input::NONE]),
            away: None,
            changes: Vec::new(),
            log: VecDeque::new(),
            n_logged: 0,
        };
        session.collect(events);
        session
    }

    /// Let real time pass, with these keys held.
    pub fn pass(&mut self, real_secs: f64, input: &Input) {
        if real_secs.is_finite() && real_secs > 0.0 {
            self.overstep_secs += real_secs * self.speed;
        }
        let is_full = self.inputs.len() > MAX_INPUTS;
        match self.inputs.back_mut() {
            Some(last) if *last == *input => {}
            Some(last) if is_full => *last = last.or(input),
            _ => self.inputs.push_back(*input),
        }
    }

    /// The ticks that are due: as many as fit into the time that passed, no more than the world's
    /// `Simulation.max_ticks_per_frame` (times the speed, when above 1); the rest of the time is lost. Nothing while a batch is
    /// away.
    pub fn begin(&mut self) -> Option<Batch> {
        if self.away.is_some() {
            return None;
        }
        let step = self.world.timestep_secs();
        let max = self.world.tunable("Simulation.max_ticks_per_frame").and_then(Value::as_f64);
        let max = max.unwrap_or(8.0) * self.speed.max(1.0);
        let mut n_ticks = 0;
        // A hair of tolerance, so that frames of exactly one timestep run exactly one tick.
        while self.overstep_secs >= step * (1.0 - 1e-9) && f64::from(n_ticks) < max {
            self.overstep_secs -= step;
            n_ticks += 1;
        }
        self.overstep_secs = self.overstep_secs.max(0.0);
        if self.overstep_secs >= step {
            let keep = self.overstep_secs % step;
            self.lost_secs += self.overstep_secs - keep;
            self.overstep_secs = keep;
        }
        (n_ticks > 0).then(|| self.batch(n_ticks))
    }

    /// One tick without keys, whatever time it is; nothing while a batch is away.
    pub fn begin_step(&mut self) -> Option<Batch> {
        if self.away.is_some() {
            return None;
        }
        self.inputs = VecDeque::from([Input::NONE]);
        Some(self.batch(1))
    }

    fn batch(&mut self, n_ticks: u32) -> Batch {
        let canceled = Arc::new(AtomicBool::new(false));
        self.away = Some(canceled.clone());
        let inputs = (0..n_ticks).map(|_| {
            // Each tick sees one change, so that no key pressed and let go during a slow tick is lost.
            if self.inputs.len() > 1 {
                self.inputs.pop_front();
            }
            self.inputs.front().copied().unwrap_or_default()
        });
        let inputs = inputs.collect();
        Batch { world: self.world.clone(), inputs, keep_searches: self.keep_searches, canceled }
    }

    /// Whether a batch is away.
    #[must_use]
    pub fn is_away(&self) -> bool {
        self.away.is_some()
    }

    /// Take back what a batch came to, and do the changes that waited for it. What belongs to a batch that was given up is
    /// dropped. Returns what there is to say, and whether the last tick was cut short.
    pub fn take(&mut self, ran: Ran) -> (Vec<String>, bool) {
        if !self.away.as_ref().is_some_and(|away| Arc::ptr_eq(away, &ran.canceled)) {
            return (Vec::new(), false);
        }
        self.away = None;
        self.world = ran.world;
        self.collect(ran.events);
        let overload = self.world.overload().map(str::to_owned);
        let mut said = self.do_changes();
        said.extend(overload.iter().map(|why| format!("Paused: {why}")));
        (said, overload.is_some())
    }

    /// Go on from the world as it is shown; ticks that are away are forgotten.
    pub fn give_up(&mut self) -> Vec<String> {
        if let Some(away) = self.away.take() {
            away.store(true, Ordering::Relaxed);
        }
        self.do_changes()
    }

    /// Change the world: at once, or when the batch that is away is back, in order. Returns what there is to say already.
    pub fn change(&mut self, change: impl FnOnce(&mut World) -> Option<String> + Send + 'static) -> Vec<String> {
        self.changes.push(Box::new(change));
        if self.is_away() { Vec::new() } else { self.do_changes() }
    }

    fn do_changes(&mut self) -> Vec<String> {
        let changes = std::mem::take(&mut self.changes);
        if changes.is_empty() {
            return Vec::new();
        }
        let world = Arc::make_mut(&mut self.world);
        let said = changes.into_iter().filter_map(|change| change(world)).collect();
        let events = world.drain_events();
        self.collect(events);
        said
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

    fn collect(&mut self, events: Vec<TraceEvent>) {
        for event in events {
            if self.log.len() == LOG_LEN {
                self.log.pop_front();
            }
            self.log.push_back(event);
            self.n_logged += 1;
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Nobody waits for the ticks that are away.
        self.changes.clear();
        self.give_up();
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session(tick {}, away: {})", self.world.tick(), self.is_away())
    }
}
