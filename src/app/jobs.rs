//! Work that may take longer than a frame, each piece in a thread of its own with a name, its result an [`Event`].
//!
//! Invariant: a job works on what it was given (documents are shared by `Arc`) and touches nothing else; what it found out
//! is used only if it is still wanted when it arrives.

use std::sync::{Arc, atomic::AtomicUsize, atomic::Ordering};

use crossbeam_channel::{Receiver, Sender, bounded};

use super::events::Event;

/// Events that may wait for the window at once; jobs wait beyond that.
const MAX_WAITING: usize = 1024;

/// Starts jobs and collects their results.
#[derive(Clone)]
pub(super) struct Jobs {
    sender: Sender<Event>,
    receiver: Receiver<Event>,
    wake: Arc<dyn Fn() + Send + Sync>,
    n_running: Arc<AtomicUsize>,
}

impl Jobs {
    /// `wake` is called from any thread when there is something to receive.
    pub(super) fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let (sender, receiver) = bounded(MAX_WAITING);
        Self { sender, receiver, wake, n_running: Arc::default() }
    }

    /// Run something; its events arrive in [`Jobs::next`].
    pub(super) fn spawn(&self, name: &str, work: impl FnOnce() -> Event + Send + 'static) {
        let (sender, wake, n_running) = (self.sender.clone(), self.wake.clone(), self.n_running.clone());
        n_running.fetch_add(1, Ordering::SeqCst);
        let spawned = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
            let event = work();
            // Fails only when the window is gone, and with it all interest in the result.
            let _ = sender.send(event);
            n_running.fetch_sub(1, Ordering::SeqCst);
            wake();
        });
        if let Err(why) = spawned {
            self.n_running.fetch_sub(1, Ordering::SeqCst);
            tracing::error!("cannot start `{name}`: {why}");
        }
    }

    /// The next event, if one is there.
    pub(super) fn next(&self) -> Option<Event> {
        self.receiver.try_recv().ok()
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
