//! A world with a clock and a log, which a viewer plays, pauses, steps and slows down.
//!
//! Ticks are computed elsewhere: a session returns a [`Batch`], which any thread may run, and takes its result, a
//! [`Ran`]. Until then it shows the world of the last result and queues changes and keys.
//!
//! It records what it plays (`recording`), so that any tick can be gone back to. Played from there without a change,
//! everything is repeated; a change, or another key, begins another future, and the previous one continues as a ghost.
//!
//! Invariant: the world advances by whole ticks only; the frame rate and the speed of batches affect when ticks are
//! computed, never their result. The world shown is the one that `simulate` computes with the same keys at the same
//! ticks. The caller reads the clock and starts threads.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use super::{
    Batch, Input, Ran, TraceEvent, TraceKind, World,
    batch::Run,
    insight::{
        Observed, Watch,
        profile::{Clock, Profiler},
    },
    recording::{Change, CuesAt, Frame, MAX_BYTES, Recording},
};
use crate::model::CueKind;

/// The most events kept for viewing.
const LOG_LEN: usize = 5_000;
/// The most sounds kept until they are taken: more at once are noise.
const MAX_SOUNDS: usize = 64;
/// The most changes of the keys kept until a tick uses them. Further changes are merged into one.
const MAX_INPUTS: usize = 8;

/// A running world with its recording.
pub struct Session {
    world: Arc<World>,
    recording: Recording,
    /// The future that was replaced by a change in the past.
    ghost: Option<Ghost>,
    /// Whether a replaced future continues as a ghost.
    pub makes_ghosts: bool,
    /// Playing speed: seconds of the world per real second.
    pub speed: f64,
    /// Whether searches record the cells they examine.
    pub keep_searches: bool,
    /// The quantities to sample in each tick.
    pub watch: Watch,
    /// The clock to measure ticks with, if any: their duration and, if watched, the time of their parts.
    pub clock: Option<Clock>,
    observed: Observed,
    /// The end of a loop: ticks from this one on are not begun by passing time.
    pub end: Option<u64>,
    /// Time that has not filled a tick yet, in seconds of the world.
    overstep_secs: f64,
    /// Time dropped because frames were too slow, in seconds of the world.
    lost_secs: f64,
    /// The first tick that no batch contains yet.
    n_begun: u64,
    /// The time that had passed one frame ago, in ticks since the start of the world.
    passed_before: f64,
    /// The earliest tick that is drawn: the one shown when time continued.
    drawn_from: u64,
    /// Keys held, in the order they were seen. The first are those of the last tick begun.
    inputs: VecDeque<Input>,
    /// The keys held in the single steps that are requested and not begun.
    steps: VecDeque<Input>,
    /// The tick to go to.
    target: Option<u64>,
    running: Option<Running>,
    /// Changes to make, in order.
    queued: Vec<Change>,
    /// Worlds that the next batch drops.
    unneeded: Vec<Arc<World>>,
    log: VecDeque<TraceEvent>,
    /// Sounds of ticks that were computed for the first time, not taken yet.
    sounds: Vec<TraceEvent>,
    n_logged: u64,
    /// The last tick at which other keys than the recorded ones were held, until it is taken.
    taken_over: Option<u64>,
    /// The first tick whose events are not in the log: repeated ticks are not logged again.
    logged_end: u64,
}

/// A replaced future, at the same moment as the world shown.
struct Ghost {
    world: Arc<World>,
    recording: Recording,
    /// The tick at which it was left: before it both are the same.
    left_at: u64,
}

/// The batch that is running.
struct Running {
    canceled: Arc<AtomicBool>,
    /// Whether the ghost is still the one that the batch began with.
    has_same_ghost: bool,
    /// The new changes, made before its first tick.
    changes: Vec<Change>,
    /// The input of its ticks.
    inputs: Vec<Input>,
    /// The recorded tick that it runs to, if any.
    sought: Option<u64>,
    /// The end of the ghost's recorded input, if the ghost is computed as well.
    ghost_keys_end: Option<u64>,
}

impl Session {
    /// A session with a world at its start.
    #[must_use]
    pub fn new(mut world: World) -> Self {
        let events = world.drain_events();
        let world = Arc::new(world);
        let mut session = Self {
            recording: Recording::new(&world),
            world,
            ghost: None,
            makes_ghosts: true,
            speed: 1.0,
            keep_searches: false,
            watch: Watch::default(),
            clock: None,
            observed: Observed::default(),
            end: None,
            overstep_secs: 0.0,
            lost_secs: 0.0,
            n_begun: 0,
            passed_before: 0.0,
            drawn_from: 0,
            inputs: VecDeque::from([Input::NONE]),
            steps: VecDeque::new(),
            target: None,
            running: None,
            queued: Vec::new(),
            unneeded: Vec::new(),
            log: VecDeque::new(),
            sounds: Vec::new(),
            n_logged: 0,
            taken_over: None,
            logged_end: 0,
        };
        session.collect(events);
        (session.n_begun, session.drawn_from) = (session.world.tick(), session.world.tick());
        session
    }

    /// The world after the last tick whose result was taken.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world at the same moment if nothing had been changed after going back; `None` without such a change.
    #[must_use]
    pub fn ghost(&self) -> Option<&World> {
        self.ghost.as_ref().map(|ghost| &*ghost.world).filter(|ghost| ghost.tick() == self.world.tick())
    }

    /// The tick at which the ghost's future was left.
    #[must_use]
    pub fn ghost_left_at(&self) -> Option<u64> {
        self.ghost.as_ref().map(|ghost| ghost.left_at)
    }

    /// The moment at which entities are drawn while time passes, for
    /// [`EntityView::drawn_at`](super::EntityView::drawn_at): a tick behind the time of one frame ago, because the
    /// ticks due by then are computed by now. So motion looks smooth at any frame rate. No moment before a tick that
    /// was shown at rest is drawn.
    #[must_use]
    pub fn drawn_moment(&self) -> f32 {
        let shown = self.world.tick() as f64;
        #[expect(clippy::cast_possible_truncation, reason = "a share of a tick")]
        let moment = (self.passed_before - shown).max(self.drawn_from as f64 - shown + 1.0) as f32;
        moment.clamp(0.0, 1.0)
    }

    /// Let real time pass, in seconds, with these keys held.
    pub fn pass(&mut self, real_secs: f64, input: &Input) {
        self.passed_before = self.n_begun as f64 + self.overstep_secs / self.world.timestep_secs();
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

    /// The next batch: a recorded tick to go to, a requested step, or else the changes that only a batch makes and the
    /// ticks that are due. Due are as many as fit into the time that passed, at most the world's
    /// `Simulation.max_ticks_per_frame` (times the speed, if above 1); the rest of the time is lost. `None` while a
    /// batch runs, or if there is nothing to compute.
    pub fn begin(&mut self) -> Option<Batch> {
        if self.running.is_some() {
            return None;
        }
        if let Some(tick) = self.target.take()
            && let Some(batch) = self.seek_batch(tick)
        {
            return Some(batch);
        }
        if let Some(held) = self.steps.pop_front() {
            self.inputs = VecDeque::from([held]);
            return Some(self.batch(1));
        }
        let n_ticks = self.due_ticks();
        (n_ticks > 0 || !self.queued.is_empty()).then(|| self.batch(n_ticks))
    }

    /// Request one tick with these keys held, regardless of time. Steps requested while a batch runs follow it, one
    /// after another.
    pub fn request_step(&mut self, held: &Input) {
        self.steps.push_back(*held);
    }

    /// Go to a recorded tick: to the world before it. A tick outside the recording stands for the nearest inside.
    pub fn seek(&mut self, tick: u64) {
        let [first, end] = self.range();
        self.drop_passed_time();
        self.target = Some(tick.clamp(first, end));
    }

    /// The first and the last tick that can be gone to: the ends of the recording.
    #[must_use]
    pub fn range(&self) -> [u64; 2] {
        [self.recording.first(), self.recording.end()]
    }

    /// The tick shown, or the one to go to.
    #[must_use]
    pub fn tick(&self) -> u64 {
        let sought = self.running.as_ref().and_then(|running| running.sought);
        self.target.or(sought).unwrap_or_else(|| self.world.tick())
    }

    /// Whether another tick is about to be shown.
    #[must_use]
    pub fn is_seeking(&self) -> bool {
        self.tick() != self.world.tick()
    }

    /// Drop the input recorded from the tick shown on, so that it is not repeated.
    pub fn forget_keys(&mut self) {
        self.branch();
        self.recording.truncate_keys(self.world.tick());
    }

    /// The tick until which recorded input is repeated, as long as no other keys are pressed; `None` if there is none.
    #[must_use]
    pub fn repeats_until(&self) -> Option<u64> {
        let end = self.recording.keys_end();
        (end > self.world.tick()).then_some(end)
    }

    /// The tick since the last call at which other keys than the recorded ones were held, which began another future.
    pub fn take_taken_over(&mut self) -> Option<u64> {
        self.taken_over.take()
    }

    /// The ticks before which there were changes from outside.
    pub fn changed_ticks(&self) -> impl Iterator<Item = u64> {
        self.recording.changed_ticks()
    }

    /// Whether an edited project was applied, or a constant set, at a later tick than the one shown.
    #[must_use]
    pub fn has_later_edits(&self) -> bool {
        self.recording.has_edits_after(self.tick())
    }

    /// Approximate memory of the recording and the ghost's, in bytes.
    #[must_use]
    pub fn recording_bytes(&self) -> usize {
        let ghost = self.ghost.as_ref().map_or(0, |ghost| ghost.recording.bytes_beside(&self.recording));
        self.recording.bytes() + ghost
    }

    /// The input of each recorded tick, and the cues of changes with their ticks: `None` for one that no scenario can
    /// contain.
    #[must_use]
    pub fn script(&self) -> (&[Input], &[CuesAt]) {
        self.recording.script()
    }

    /// Remove the replaced future.
    pub fn drop_ghost(&mut self) {
        if let Some(running) = &mut self.running {
            running.has_same_ghost = false;
        }
        if let Some(Ghost { world, recording, .. }) = self.ghost.take() {
            self.unneeded.extend(recording.into_worlds().chain([world]));
        }
    }

    /// Begin another future at the tick shown; the previous one continues as the ghost. Its input is repeated until
    /// other keys are pressed.
    pub fn branch(&mut self) {
        self.branch_at(self.world.tick());
    }

    /// Drop the recording from a tick on, which will be computed again.
    fn branch_at(&mut self, tick: u64) {
        if tick >= self.recording.end() {
            return;
        }
        if self.makes_ghosts {
            // The future just left replaces an earlier one.
            self.drop_ghost();
            self.ghost = Some(Ghost { world: self.world.clone(), recording: self.recording.clone(), left_at: tick });
        }
        self.unneeded.extend(self.recording.truncate(tick));
        let n_kept = self.log.partition_point(|event| event.tick < tick);
        self.n_logged -= (self.log.len() - n_kept) as u64;
        self.log.truncate(n_kept);
        self.logged_end = self.logged_end.min(tick);
        if self.world.hand().key().is_some() {
            // The hand of the future that was left would never let go.
            let make = |world: &mut World| {
                world.let_go();
                None
            };
            let cues = Some(vec![CueKind::LetGo(true)]);
            self.queued.insert(0, Change { make: Arc::new(make), is_migration: false, cues });
        }
    }

    fn due_ticks(&mut self) -> u32 {
        let step = self.world.timestep_secs();
        let max = self.world.constants().max_ticks_per_frame * self.speed.max(1.0);
        let left = self.end.map(|end| end.saturating_sub(self.world.tick()));
        let max = left.map_or(max, |left| max.min(left as f64));
        let mut n_ticks = 0;
        // With a small tolerance, so that frames of exactly one timestep run exactly one tick.
        while self.overstep_secs >= step * (1.0 - 1e-9) && f64::from(n_ticks) < max {
            self.overstep_secs -= step;
            n_ticks += 1;
        }
        self.overstep_secs = self.overstep_secs.max(0.0);
        if left.is_some_and(|left| left <= u64::from(n_ticks)) {
            self.overstep_secs = self.overstep_secs.min(step);
        } else if self.overstep_secs >= step {
            let keep = self.overstep_secs % step;
            self.lost_secs += self.overstep_secs - keep;
            self.overstep_secs = keep;
        }
        n_ticks
    }

    /// The keys of a tick that begins. Each tick uses one change, so that no key pressed and released during a slow
    /// tick is lost. Recorded keys are repeated until others are pressed.
    fn take_input(&mut self, tick: u64) -> Input {
        if self.inputs.len() > 1 {
            self.inputs.pop_front();
        }
        let held = self.inputs.front().copied().unwrap_or_default();
        match self.recording.input(tick) {
            Some(recorded) if held == Input::NONE || held == recorded => recorded,
            Some(_) => {
                self.branch_at(tick);
                self.recording.truncate_keys(tick);
                self.taken_over = Some(tick);
                held
            }
            None => held,
        }
    }

    fn batch(&mut self, n_ticks: u32) -> Batch {
        let from = self.world.tick();
        if !self.queued.is_empty() {
            self.branch_at(from);
        }
        let changes = std::mem::take(&mut self.queued);
        let to = from + u64::from(n_ticks);
        let inputs: Vec<Input> = (from..to).map(|tick| self.take_input(tick)).collect();
        // The recorded changes at `from` are already made.
        let mut frames = self.recording.frames(from, to, usize::MAX);
        frames.iter_mut().zip(&inputs).for_each(|(frame, input)| frame.input = *input);
        let mut then = if n_ticks == 0 { Vec::new() } else { self.recording.changes_at(to).to_vec() };
        frames.first_mut().map_or(&mut then, |first| &mut first.changes).extend(changes.iter().cloned());
        let ghost_keys_end = self.ghost.as_ref().map(|ghost| ghost.recording.end());
        let ghost = self.ghost.as_mut().map(|ghost| ghost.run(from, &inputs));
        let run = Run { world: self.world.clone(), frames, then };
        let canceled = Arc::default();
        self.hand_out(
            run,
            ghost,
            Running { canceled, has_same_ghost: true, changes, inputs, sought: None, ghost_keys_end },
        )
    }

    fn seek_batch(&mut self, tick: u64) -> Option<Batch> {
        if tick == self.world.tick() {
            return None;
        }
        let run = run_to(&self.recording, &self.world, tick)?;
        let ghost = self.ghost.as_ref().and_then(|ghost| run_to(&ghost.recording, &ghost.world, tick));
        let (canceled, sought) = (Arc::default(), Some(tick));
        let running = Running {
            canceled,
            has_same_ghost: true,
            changes: Vec::new(),
            inputs: Vec::new(),
            sought,
            ghost_keys_end: None,
        };
        Some(self.hand_out(run, ghost, running))
    }

    fn hand_out(&mut self, run: Run, ghost: Option<Run>, running: Running) -> Batch {
        self.n_begun = run.world.tick() + run.frames.len() as u64;
        let unneeded = std::mem::take(&mut self.unneeded);
        let is_seek = running.sought.is_some();
        let watch = if is_seek { Watch::default() } else { self.watch.clone() };
        // Ticks that are computed to go back are not part of the cost of playing.
        let clock = self.clock.clone().filter(|_| !is_seek);
        let profiler = clock.map(|clock| Profiler::new(clock, watch.profile));
        let canceled = running.canceled.clone();
        self.running = Some(running);
        Batch { run, ghost, is_seek, unneeded, keep_searches: self.keep_searches, watch, profiler, canceled }
    }

    /// Whether a batch runs, or one is due regardless of time.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.running.is_some() || self.target.is_some() || !self.steps.is_empty() || !self.queued.is_empty()
    }

    /// Take the result of a batch, and make the changes queued meanwhile. The result of a canceled batch is dropped.
    /// Returns messages for the user, and whether the last tick was cut short.
    pub fn take(&mut self, ran: Ran) -> (Vec<String>, bool) {
        let Some(running) = self.running.take_if(|running| Arc::ptr_eq(&running.canceled, &ran.canceled)) else {
            return (Vec::new(), false);
        };
        let from = self.world.tick();
        let ghost = ran.ghost.filter(|_| running.has_same_ghost);
        self.unneeded.push(std::mem::replace(&mut self.world, ran.world));
        if running.sought.is_none() {
            for change in running.changes {
                self.unneeded.extend(self.recording.changed(from, change));
            }
            // A tick that was cut short is the last.
            for (tick, input) in (from..self.world.tick()).zip(running.inputs) {
                self.recording.computed(tick, input);
            }
        }
        if running.sought.is_some() {
            self.drawn_from = self.world.tick();
        }
        let max_bytes = if self.ghost.is_some() { MAX_BYTES / 2 } else { MAX_BYTES };
        self.unneeded.extend(self.recording.keep(&self.world, max_bytes));
        let mut messages = ran.messages;
        match (ghost, &mut self.ghost) {
            (Some(Ok(world)), Some(ghost)) => {
                self.unneeded.push(std::mem::replace(&mut ghost.world, world));
                self.unneeded.extend(ghost.recording.keep(&ghost.world, max_bytes));
            }
            (Some(Err(why)), Some(_)) => {
                self.drop_ghost();
                messages.push(format!("The ghost ends: {why}"));
            }
            _ => {}
        }
        // Events at the tick shown are of recorded changes made before it: they were logged when the changes were first
        // made.
        let (shown, is_new) = (self.world.tick(), running.sought.is_none() && self.world.tick() == from);
        self.collect(ran.events.into_iter().filter(|event| is_new || event.tick < shown).collect());
        self.observed.keep(&self.watch, ran.samples, ran.profiles);
        messages.extend(self.do_changes());
        if let Some(why) = &ran.overload {
            self.drop_passed_time();
            messages.push(format!("Paused: {why}"));
        }
        (messages, ran.overload.is_some())
    }

    /// Pause at the world shown: a running batch is canceled and its changes are queued again. A batch to a recorded
    /// tick continues.
    pub fn cancel_batch(&mut self) -> Vec<String> {
        if let Some(running) = self.running.take_if(|running| running.sought.is_none()) {
            running.canceled.store(true, Ordering::Relaxed);
            self.queued.splice(0..0, running.changes);
            if let (Some(end), Some(ghost)) = (running.ghost_keys_end, &mut self.ghost) {
                ghost.recording.truncate_keys(end);
                self.unneeded.extend(ghost.recording.truncate(end));
            }
        }
        self.drop_passed_time();
        if self.running.is_some() { Vec::new() } else { self.do_changes() }
    }

    /// Drop the time that passed without ticks, and the keys held in it.
    fn drop_passed_time(&mut self) {
        self.drawn_from = self.world.tick();
        if self.running.is_none() {
            self.n_begun = self.world.tick();
        }
        self.overstep_secs = 0.0;
        self.steps.clear();
        self.inputs.drain(..self.inputs.len().saturating_sub(1));
    }

    /// Change the world: at once, or in order after the running batch and a queued migration. Returns messages for the
    /// user. The change may be made again on a world as it was, so it must depend on nothing else.
    pub fn change(&mut self, change: impl Fn(&mut World) -> Option<String> + Send + Sync + 'static) -> Vec<String> {
        self.change_by(None, change)
    }

    /// Change the world as [`Session::change`] does, with the equivalent cues of a scenario; `None` if no scenario can
    /// contain the change.
    pub fn change_by(
        &mut self,
        cues: Option<Vec<CueKind>>,
        change: impl Fn(&mut World) -> Option<String> + Send + Sync + 'static,
    ) -> Vec<String> {
        self.queued.push(Change { make: Arc::new(change), is_migration: false, cues });
        if self.running.is_some() || self.target.is_some() { Vec::new() } else { self.do_changes() }
    }

    /// Change the world by a migration: the next batch makes it, replacing one that is still queued.
    pub fn migrate(&mut self, migration: impl Fn(&mut World) -> Option<String> + Send + Sync + 'static) {
        self.queued.retain(|queued| !queued.is_migration);
        self.queued.push(Change { make: Arc::new(migration), is_migration: true, cues: None });
    }

    /// Make the queued changes up to a migration.
    fn do_changes(&mut self) -> Vec<String> {
        if self.queued.first().is_none_or(|queued| queued.is_migration) {
            return Vec::new();
        }
        let tick = self.world.tick();
        self.branch_at(tick);
        let n = self.queued.iter().position(|queued| queued.is_migration).unwrap_or(self.queued.len());
        let world = Arc::make_mut(&mut self.world);
        let mut messages = Vec::new();
        for change in self.queued.drain(..n) {
            messages.extend((change.make)(world));
            self.unneeded.extend(self.recording.changed(tick, change));
        }
        let events = world.drain_events();
        self.collect(events);
        messages
    }

    /// The moment of the world that is drawn, in seconds, for a moment of the last tick as in
    /// [`EntityView::drawn_at`](super::EntityView::drawn_at).
    #[must_use]
    pub fn shown_secs(&self, moment: f32) -> f64 {
        self.world.time_secs() - f64::from(1.0 - moment) * self.world.timestep_secs()
    }

    /// The data sampled from watched ticks.
    #[must_use]
    pub fn observed(&self) -> &Observed {
        &self.observed
    }

    /// Remove all profiles.
    pub fn clear_profile(&mut self) {
        self.observed.profile.clear();
    }

    /// Time dropped because frames were too slow, in seconds of the world.
    #[must_use]
    pub fn lost_secs(&self) -> f64 {
        self.lost_secs
    }

    /// The latest events up to the tick shown, oldest first, with the number of each.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = (u64, &TraceEvent)> + ExactSizeIterator {
        let first = self.n_logged - self.log.len() as u64;
        // Later events are still to come if the world was gone back in.
        let n_shown = self.log.partition_point(|event| event.tick <= self.world.tick());
        self.log.range(..n_shown).enumerate().map(move |(i, event)| (first + i as u64, event))
    }

    /// The sounds since the last call, oldest first: of ticks played for the first time, not of a ghost nor of ticks on
    /// the way to another.
    pub fn take_sounds(&mut self) -> Vec<TraceEvent> {
        std::mem::take(&mut self.sounds)
    }

    fn collect(&mut self, events: Vec<TraceEvent>) {
        let logged_end = self.logged_end;
        for event in events.into_iter().filter(|event| event.tick >= logged_end) {
            if matches!(event.kind, TraceKind::Sound { .. }) && self.sounds.len() < MAX_SOUNDS {
                self.sounds.push(event.clone());
            }
            if self.log.len() == LOG_LEN {
                self.log.pop_front();
            }
            self.log.push_back(event);
            self.n_logged += 1;
        }
        self.logged_end = logged_end.max(self.world.tick());
    }
}

impl Ghost {
    /// The work that brings it to the tick of the world it is compared with, from a tick on, with these keys where it
    /// has none of its own.
    fn run(&mut self, from: u64, inputs: &[Input]) -> Run {
        let to = from + inputs.len() as u64;
        for (tick, input) in (from..to).zip(inputs) {
            if tick == self.recording.end() {
                self.recording.truncate_keys(tick);
                self.recording.computed(tick, *input);
            }
        }
        let stays = || Run { world: self.world.clone(), frames: Vec::new(), then: Vec::new() };
        if self.world.tick() > to {
            return run_to(&self.recording, &self.world, to).unwrap_or_else(stays);
        }
        let then = if self.world.tick() == to { Vec::new() } else { self.recording.changes_at(to).to_vec() };
        Run { world: self.world.clone(), frames: self.recording.frames(self.world.tick(), to, usize::MAX), then }
    }
}

/// The work that leads to a tick of a recording: from the world shown, if that is nearer than a kept snapshot, or else
/// from the snapshot.
fn run_to(recording: &Recording, shown: &Arc<World>, tick: u64) -> Option<Run> {
    let kept = recording.nearest(tick)?;
    let is_from_shown = shown.tick() <= tick && shown.tick() >= kept.world.tick();
    // In the world shown all changes are made.
    let (world, n_made) = if is_from_shown { (shown, usize::MAX) } else { (&kept.world, kept.n_made) };
    let frames: Vec<Frame> = recording.frames(world.tick(), tick, n_made);
    let n_made = if world.tick() == tick { n_made } else { 0 };
    let then = recording.changes_at(tick).iter().skip(n_made).cloned().collect();
    Some(Run { world: world.clone(), frames, then })
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
