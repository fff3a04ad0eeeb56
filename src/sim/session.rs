//! A world with a clock and a log: what a viewer plays, pauses, steps and slows down.
//!
//! Ticks are computed elsewhere: a session hands out a [`Batch`], which any thread may run, and takes its result, a [`Ran`].
//! Until then it shows the world of the last result and queues changes and keys.
//!
//! Invariant: the world advances by whole ticks only; how real time is cut into frames, and how long a batch runs, changes when
//! ticks are computed, never their result. The world shown is the one `simulate` computes with the same keys at the same ticks.
//! The caller reads real time and starts threads.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    Input, TraceEvent, World,
    insight::{Observed, Sample, Watch},
};

/// Events kept for viewing.
const LOG_LEN: usize = 5_000;
/// Changes of the keys kept until a tick sees them. What is more than this is pressed together.
const MAX_INPUTS: usize = 8;

/// A change of the running world from outside. It returns a message for the user, if any. It may be made again, on a world as
/// it was before, when the batch it was made in is canceled.
type WorldChange = Arc<dyn Fn(&mut World) -> Option<String> + Send + Sync>;

/// A change that is not made yet.
#[derive(Clone)]
struct Queued {
    change: WorldChange,
    /// It takes long, so only a batch makes it.
    is_migration: bool,
}

/// A running world.
pub struct Session {
    world: Arc<World>,
    /// The world shown before, which the next batch drops: that takes as long as copying it.
    before: Option<Arc<World>>,
    /// How many seconds of the world pass in one real second.
    pub speed: f64,
    /// Whether searches are to remember the cells they looked at.
    pub keep_searches: bool,
    /// What is to be noted of each tick.
    pub watch: Watch,
    observed: Observed,
    /// What has not filled a tick yet, in seconds of the world.
    overstep_secs: f64,
    /// Time dropped because frames were too slow, in seconds of the world.
    lost_secs: f64,
    /// Keys held, in the order they were seen. The first are those of the last tick handed out.
    inputs: VecDeque<Input>,
    /// The keys held in the single steps that are requested and not begun.
    steps: VecDeque<Input>,
    running: Option<Running>,
    /// Changes to be made, in order.
    queued: Vec<Queued>,
    log: VecDeque<TraceEvent>,
    n_logged: u64,
}

/// The batch that runs.
struct Running {
    canceled: Arc<AtomicBool>,
    /// What it changes before its ticks.
    changes: Vec<Queued>,
}

/// Changes to be made and ticks to be run.
pub struct Batch {
    world: Arc<World>,
    before: Option<Arc<World>>,
    changes: Vec<Queued>,
    /// The keys of each tick.
    inputs: Vec<Input>,
    keep_searches: bool,
    watch: Watch,
    canceled: Arc<AtomicBool>,
}

/// The result of a [`Batch`].
pub struct Ran {
    world: Arc<World>,
    messages: Vec<String>,
    /// Why its last tick was cut short, or why to pause after it.
    overload: Option<String>,
    events: Vec<TraceEvent>,
    /// What was noted of each tick.
    samples: Vec<Sample>,
    canceled: Arc<AtomicBool>,
}

impl Batch {
    /// Make the changes and run the ticks. Nothing when the batch is canceled, which is checked before each of them; how long a
    /// tick can take is bounded by `sim::limits`.
    #[must_use]
    pub fn run(self) -> Option<Ran> {
        let Self { world, before, changes, inputs, keep_searches, watch, canceled } = self;
        drop(before);
        let is_wanted = || !canceled.load(Ordering::Relaxed);
        if !is_wanted() {
            return None;
        }
        let mut world = Arc::unwrap_or_clone(world);
        world.keep_searches(keep_searches);
        let mut messages = Vec::new();
        for queued in changes {
            if !is_wanted() {
                return None;
            }
            messages.extend((queued.change)(&mut world));
        }
        let (mut overload, mut samples) = (None, Vec::new());
        let mut touched = watch.freeze.as_ref().map(|freeze| freeze.touched(&world)).unwrap_or_default();
        for input in inputs {
            if !is_wanted() {
                return None;
            }
            world.step(&input);
            samples.extend(watch.sample(&world));
            overload = world.overload().map(str::to_owned);
            if let Some(freeze) = &watch.freeze {
                let now = freeze.touched(&world);
                overload = overload.or_else(|| freeze.caught(&touched, &now, &world));
                touched = now;
            }
            if overload.is_some() {
                break;
            }
        }
        let events = world.drain_events();
        Some(Ran { world: Arc::new(world), messages, overload, events, samples, canceled })
    }
}

impl Session {
    /// A world at its beginning.
    #[must_use]
    pub fn new(mut world: World) -> Self {
        let events = world.drain_events();
        let mut session = Self {
            world: Arc::new(world),
            before: None,
            speed: 1.0,
            keep_searches: false,
            watch: Watch::default(),
            observed: Observed::default(),
            overstep_secs: 0.0,
            lost_secs: 0.0,
            inputs: VecDeque::from([Input::NONE]),
            steps: VecDeque::new(),
            running: None,
            queued: Vec::new(),
            log: VecDeque::new(),
            n_logged: 0,
        };
        session.collect(events);
        session
    }

    /// The world after the last tick whose result was taken.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
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

    /// What is to be computed next: a requested step, or else the changes that only a batch makes and the ticks that are due.
    /// These are as many as fit into the time that passed, no more than the world's `Simulation.max_ticks_per_frame` (times the
    /// speed, when above 1); the rest of the time is lost. Nothing while a batch runs, or when there is nothing to compute.
    pub fn begin(&mut self) -> Option<Batch> {
        if self.running.is_some() {
            return None;
        }
        if let Some(held) = self.steps.pop_front() {
            self.inputs = VecDeque::from([held]);
            return Some(self.batch(1));
        }
        let n_ticks = self.due_ticks();
        (n_ticks > 0 || !self.queued.is_empty()).then(|| self.batch(n_ticks))
    }

    /// Request one tick with these keys held, whatever time it is. Steps requested while a batch runs follow it, one after
    /// another.
    pub fn request_step(&mut self, held: &Input) {
        self.steps.push_back(*held);
    }

    fn due_ticks(&mut self) -> u32 {
        let step = self.world.timestep_secs();
        let max = self.world.constants().max_ticks_per_frame * self.speed.max(1.0);
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
        n_ticks
    }

    fn batch(&mut self, n_ticks: u32) -> Batch {
        let canceled = Arc::new(AtomicBool::new(false));
        let changes = std::mem::take(&mut self.queued);
        self.running = Some(Running { canceled: canceled.clone(), changes: changes.clone() });
        let inputs = (0..n_ticks).map(|_| {
            // Each tick sees one change, so that no key pressed and let go during a slow tick is lost.
            if self.inputs.len() > 1 {
                self.inputs.pop_front();
            }
            self.inputs.front().copied().unwrap_or_default()
        });
        let inputs = inputs.collect();
        let (world, before) = (self.world.clone(), self.before.take());
        let (keep_searches, watch) = (self.keep_searches, self.watch.clone());
        Batch { world, before, changes, inputs, keep_searches, watch, canceled }
    }

    /// Whether a batch runs, or one is due whatever time it is.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.running.is_some() || !self.steps.is_empty() || !self.queued.is_empty()
    }

    /// Take the result of a batch, and make the changes queued meanwhile. The result of a canceled batch is dropped. Returns
    /// messages for the user, and whether the last tick was cut short.
    pub fn take(&mut self, ran: Ran) -> (Vec<String>, bool) {
        if !self.running.as_ref().is_some_and(|running| Arc::ptr_eq(&running.canceled, &ran.canceled)) {
            return (Vec::new(), false);
        }
        self.running = None;
        self.before = Some(std::mem::replace(&mut self.world, ran.world));
        self.collect(ran.events);
        self.observed.keep(&self.watch, ran.samples);
        let mut messages = ran.messages;
        messages.extend(self.do_changes());
        if let Some(why) = &ran.overload {
            self.halt();
            messages.push(format!("Paused: {why}"));
        }
        (messages, ran.overload.is_some())
    }

    /// Pause at the world as it is shown: a batch that runs is canceled, its changes are queued again.
    pub fn give_up(&mut self) -> Vec<String> {
        if let Some(running) = self.running.take() {
            running.canceled.store(true, Ordering::Relaxed);
            self.queued.splice(0..0, running.changes);
        }
        self.halt();
        self.do_changes()
    }

    /// Drop the time that passed and was not computed, and the keys held in it.
    fn halt(&mut self) {
        self.overstep_secs = 0.0;
        self.steps.clear();
        self.inputs.drain(..self.inputs.len().saturating_sub(1));
    }

    /// Change the world: at once, or in order after the batch that runs and a queued migration. Returns messages for the user.
    pub fn change(&mut self, change: impl Fn(&mut World) -> Option<String> + Send + Sync + 'static) -> Vec<String> {
        self.queued.push(Queued { change: Arc::new(change), is_migration: false });
        if self.running.is_some() { Vec::new() } else { self.do_changes() }
    }

    /// Change the world by a migration: the next batch makes it, instead of one that is still queued.
    pub fn migrate(&mut self, migration: impl Fn(&mut World) -> Option<String> + Send + Sync + 'static) {
        self.queued.retain(|queued| !queued.is_migration);
        self.queued.push(Queued { change: Arc::new(migration), is_migration: true });
    }

    /// Make the queued changes up to a migration.
    fn do_changes(&mut self) -> Vec<String> {
        let n = self.queued.iter().position(|queued| queued.is_migration).unwrap_or(self.queued.len());
        if n == 0 {
            return Vec::new();
        }
        let world = Arc::make_mut(&mut self.world);
        let messages = self.queued.drain(..n).filter_map(|queued| (queued.change)(world)).collect();
        let events = world.drain_events();
        self.collect(events);
        messages
    }

    /// Where the entity that the camera follows is, in pixels of its layer, and the number of that: none when `Camera.follow` is off, or no entity that
    /// is alive has a `CameraTarget`.
    #[must_use]
    pub fn followed(&self) -> Option<(glam::Vec2, usize)> {
        self.world.constants().camera_follows.then(|| self.world.camera_target())?
    }

    /// What was noted of the ticks that were watched.
    #[must_use]
    pub fn observed(&self) -> &Observed {
        &self.observed
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
        if let Some(running) = &self.running {
            running.canceled.store(true, Ordering::Relaxed);
        }
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Session(tick {}, is busy: {})", self.world.tick(), self.is_busy())
    }
}
