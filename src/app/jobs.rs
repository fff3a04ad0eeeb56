//! Work that may take longer than a frame, each piece in a thread of its own with a name, its result an [`Event`].
//!
//! Invariant: a job works on what it was given (documents are shared by `Arc`) and touches nothing else; what it found
//! out is used only if it is still wanted when it arrives.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::{events::Event, job::Job};

/// Events that may wait for the window at once; jobs wait beyond that.
const MAX_WAITING: usize = 1024;

/// Starts jobs and collects their results.
#[derive(Clone)]
pub(super) struct Jobs {
    sender: Sender<(u64, Event)>,
    receiver: Receiver<(u64, Event)>,
    /// Which project jobs are for; counts those opened.
    generation: u64,
    wake: Arc<dyn Fn() + Send + Sync>,
    n_running: Arc<AtomicUsize>,
}

impl Jobs {
    /// `wake` is called from any thread when there is something to receive.
    pub(super) fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let (sender, receiver) = bounded(MAX_WAITING);
        Self { sender, receiver, generation: 0, wake, n_running: Arc::default() }
    }

    /// Run something; its events arrive in [`Jobs::next`].
    pub(super) fn spawn(&self, job: Job, work: impl FnOnce() -> Event + Send + 'static) {
        let (sender, wake, n_running) = (self.sender.clone(), self.wake.clone(), self.n_running.clone());
        let generation = self.generation;
        n_running.fetch_add(1, Ordering::SeqCst);
        let spawned = std::thread::Builder::new().name(job.name().to_owned()).spawn(move || {
            let event = catch_unwind(AssertUnwindSafe(work)).unwrap_or(Event::Crashed { job });
            // Fails only when the window is gone, and with it all interest in the result.
            let _ = sender.send((generation, event));
            n_running.fetch_sub(1, Ordering::SeqCst);
            wake();
        });
        if let Err(why) = spawned {
            self.n_running.fetch_sub(1, Ordering::SeqCst);
            tracing::error!("cannot start `{}`: {why}", job.name());
            let _ = self.sender.try_send((self.generation, Event::Crashed { job }));
        }
    }

    /// The next event, if one is there; those of a project that is no longer open are dropped.
    pub(super) fn next(&self) -> Option<Event> {
        self.receiver.try_iter().find(|(generation, _)| *generation == self.generation).map(|(_, event)| event)
    }

    /// Another project is open from now on.
    pub(super) fn next_generation(&mut self) {
        self.generation += 1;
    }

    /// Whether a job runs or an event waits.
    pub(super) fn is_busy(&self) -> bool {
        self.n_running.load(Ordering::SeqCst) > 0 || !self.receiver.is_empty()
    }

    /// What wakes the window.
    pub(super) fn wake(&self) -> Arc<dyn Fn() + Send + Sync> {
        self.wake.clone()
    }
}
