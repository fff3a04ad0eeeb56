//! A piece of work for the preview's thread: changes and ticks that a session wants done, and the world they give.
//!
//! Invariant: a batch works on a copy, so the world shown stays as it is until its result is taken. Which ticks are computed is
//! `session`'s to decide.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::{
    TraceEvent, World,
    recording::{Change, Frame},
};

/// A world, the ticks it is to go through, and the changes to be made after them.
pub(super) struct Run {
    pub(super) world: Arc<World>,
    pub(super) frames: Vec<Frame>,
    pub(super) then: Vec<Change>,
}

/// Changes to be made and ticks to be run.
pub struct Batch {
    pub(super) run: Run,
    /// The future that was replaced, which runs beside it.
    pub(super) ghost: Option<Run>,
    /// Worlds that nobody needs: dropping one takes as long as copying it.
    pub(super) unneeded: Vec<Arc<World>>,
    pub(super) keep_searches: bool,
    pub(super) canceled: Arc<AtomicBool>,
}

/// The result of a [`Batch`].
pub struct Ran {
    pub(super) world: Arc<World>,
    /// None when there is none, or it can go no further.
    pub(super) ghost: Option<Arc<World>>,
    pub(super) messages: Vec<String>,
    /// Why its last tick was cut short.
    pub(super) overload: Option<String>,
    pub(super) events: Vec<TraceEvent>,
    pub(super) canceled: Arc<AtomicBool>,
}

impl Batch {
    /// Make the changes and run the ticks. Nothing when the batch is canceled, which is checked before each of them; how long a
    /// tick can take is bounded by `sim::limits`.
    #[must_use]
    pub fn run(self) -> Option<Ran> {
        let Self { run, ghost, unneeded, keep_searches, canceled } = self;
        drop(unneeded);
        let is_wanted = || !canceled.load(Ordering::Relaxed);
        if !is_wanted() {
            return None;
        }
        let mut messages = Vec::new();
        let (world, overload, events) = run.run(keep_searches, u64::MAX, &mut messages, is_wanted)?;
        let ghost = match ghost {
            // No farther than the world it is compared with.
            Some(ghost) => {
                let (ghost, overload, _) = ghost.run(false, world.tick(), &mut Vec::new(), is_wanted)?;
                overload.is_none().then(|| Arc::new(ghost))
            }
            None => None,
        };
        Some(Ran { world: Arc::new(world), ghost, messages, overload, events, canceled })
    }
}

impl Run {
    /// The world after all ticks before `end`, why its last tick was cut short, and what happened. Nothing when it is no longer wanted.
    fn run(
        self,
        keep_searches: bool,
        end: u64,
        messages: &mut Vec<String>,
        is_wanted: impl Fn() -> bool,
    ) -> Option<(World, Option<String>, Vec<TraceEvent>)> {
        let Self { world, frames, then } = self;
        let mut world = Arc::unwrap_or_clone(world);
        world.keep_searches(keep_searches);
        let mut make = |world: &mut World, changes: Vec<Change>| {
            for change in changes {
                if !is_wanted() {
                    return None;
                }
                messages.extend((change.make)(world));
            }
            Some(())
        };
        for Frame { changes, input } in frames {
            if world.tick() >= end {
                break;
            }
            make(&mut world, changes)?;
            if !is_wanted() {
                return None;
            }
            world.step(&input);
            if let Some(why) = world.overload().map(str::to_owned) {
                let events = world.drain_events();
                return Some((world, Some(why), events));
            }
        }
        make(&mut world, then)?;
        let events = world.drain_events();
        Some((world, None, events))
    }
}
