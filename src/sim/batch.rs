//! A batch of work for the preview's thread: changes and ticks that a session requests, and the resulting world.
//!
//! Invariant: a batch works on a copy, so the world shown is unchanged until its result is taken. Which ticks are
//! computed is decided by `session`.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::{
    TraceEvent, World,
    insight::{
        Sample, Watch,
        profile::{Profiler, TickProfile},
    },
    recording::{Change, Frame},
};

/// A world with the ticks to run from it, and the changes to make after them.
pub(super) struct Run {
    pub(super) world: Arc<World>,
    pub(super) frames: Vec<Frame>,
    pub(super) then: Vec<Change>,
}

/// Changes to make and ticks to run.
pub struct Batch {
    pub(super) run: Run,
    /// The replaced future, which runs alongside.
    pub(super) ghost: Option<Run>,
    /// Whether it runs to a recorded tick.
    pub(super) is_seek: bool,
    /// Worlds that are no longer needed: dropping one takes as long as copying it.
    pub(super) unneeded: Vec<Arc<World>>,
    pub(super) keep_searches: bool,
    /// The quantities to sample in each tick.
    pub(super) watch: Watch,
    /// The profiler for its ticks, except those of the ghost.
    pub(super) profiler: Option<Profiler>,
    pub(super) canceled: Arc<AtomicBool>,
}

/// The result of a [`Batch`].
pub struct Ran {
    pub(super) world: Arc<World>,
    /// The ghost, or the reason why it cannot continue.
    pub(super) ghost: Option<Result<Arc<World>, String>>,
    pub(super) messages: Vec<String>,
    /// The reason why its last tick was cut short, or why to pause after it.
    pub(super) overload: Option<String>,
    pub(super) events: Vec<TraceEvent>,
    /// The samples of each tick.
    pub(super) samples: Vec<Sample>,
    /// The profile of each tick.
    pub(super) profiles: Vec<TickProfile>,
    pub(super) canceled: Arc<AtomicBool>,
}

/// The quantities to sample while ticks run, and the samples to return.
#[derive(Default)]
struct Notes {
    messages: Vec<String>,
    samples: Vec<Sample>,
    profiles: Vec<TickProfile>,
}

impl Batch {
    /// Make the changes and run the ticks. `None` if the batch is canceled, which is checked before each of them; the
    /// duration of a tick is bounded by `sim::limits`.
    #[must_use]
    pub fn run(self) -> Option<Ran> {
        let Self { run, ghost, is_seek, unneeded, keep_searches, watch, mut profiler, canceled } = self;
        drop(unneeded);
        let is_wanted = || !canceled.load(Ordering::Relaxed);
        if !is_wanted() {
            return None;
        }
        let mut notes = Notes::default();
        let (world, overload, events) =
            run.run((keep_searches, &watch, is_seek), u64::MAX, profiler.as_mut(), &mut notes, is_wanted)?;
        let ghost = match ghost {
            // No farther than the world that it is compared with.
            Some(ghost) => {
                let (idle, end) = (Watch::default(), world.tick());
                let (ghost, overload, _) =
                    ghost.run((false, &idle, is_seek), end, None, &mut Notes::default(), is_wanted)?;
                Some(overload.map_or_else(|| Ok(Arc::new(ghost)), Err))
            }
            None => None,
        };
        let Notes { messages, samples, profiles } = notes;
        Some(Ran { world: Arc::new(world), ghost, messages, overload, events, samples, profiles, canceled })
    }
}

impl Run {
    /// The world after all ticks before `end`, the reason to pause after the last one, and the events. A tick that is
    /// cut short ends the run, except on the way to a recorded tick. `None` if the batch is canceled.
    fn run(
        self,
        (keep_searches, watch, is_seek): (bool, &Watch, bool),
        end: u64,
        mut profiler: Option<&mut Profiler>,
        notes: &mut Notes,
        is_wanted: impl Fn() -> bool,
    ) -> Option<(World, Option<String>, Vec<TraceEvent>)> {
        let Self { world, frames, then } = self;
        let mut world = Arc::unwrap_or_clone(world);
        world.keep_searches(keep_searches);
        let mut touched = watch.freeze.as_ref().map(|freeze| freeze.touched(&world)).unwrap_or_default();
        let make = |world: &mut World, changes: Vec<Change>, messages: &mut Vec<String>| {
            for change in changes {
                if !is_wanted() {
                    return None;
                }
                messages.extend((change.make)(world));
            }
            Some(())
        };
        // A kept world holds no memory that only a running search needs.
        let ended = |mut world: World, why: Option<String>| {
            world.rest_searches();
            let events = world.drain_events();
            Some((world, why, events))
        };
        for Frame { changes, input } in frames {
            if world.tick() >= end {
                break;
            }
            make(&mut world, changes, &mut notes.messages)?;
            if !is_wanted() {
                return None;
            }
            match &mut profiler {
                Some(profiler) => notes.profiles.push(world.step_measured(&input, profiler)),
                None => world.step(&input),
            }
            notes.samples.extend(watch.sample(&world));
            let mut why = world.overload().map(str::to_owned);
            if let Some(freeze) = &watch.freeze {
                let now = freeze.touched(&world);
                why = why.or_else(|| freeze.new_contact_text(&touched, &now, &world));
                touched = now;
            }
            if let Some(why) = why.filter(|_| !is_seek) {
                return ended(world, Some(why));
            }
        }
        make(&mut world, then, &mut notes.messages)?;
        ended(world, None)
    }
}
