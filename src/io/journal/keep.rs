//! When the journal is written: soon after each change, not too often, and on a thread of its own. The caller hands
//! over what is not saved and goes on.
//!
//! Invariants: what was handed over is written at most [`PERIOD`] later, and the time that writing takes; what comes
//! meanwhile replaces what waits; a journal that could not be written is tried again with the next change and reported
//! once.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use super::{Found, Store, Unsaved};

/// The shortest time between two lines. Changes of this time may be lost, and of the time that encoding and the disk
/// take.
const PERIOD: Duration = Duration::from_millis(200);

/// How long the end of the program waits for a slow disk.
const PATIENCE: Duration = Duration::from_secs(2);

/// Writes the journal.
pub struct Keeper {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<KeeperState>,
    has_news: Condvar,
    is_ended: Condvar,
}

#[derive(Default)]
struct KeeperState {
    now: Option<Vec<Unsaved>>,
    /// Journals whose content is in ours once that is written.
    taken_over: Vec<Found>,
    trouble: Option<String>,
    is_to_forget: bool,
    is_over: bool,
    is_ended: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, KeeperState> {
        // Nothing done while it is locked can leave it inconsistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keeper {
    /// Begin to keep a project's journal. `wake` is called when there is trouble to report.
    #[must_use]
    pub fn new(journals: &Path, root: &Path, wake: impl Fn() + Send + 'static) -> Self {
        let store = Store::new(journals, root);
        let shared = Shared { state: Mutex::default(), has_news: Condvar::new(), is_ended: Condvar::new() };
        let shared = Arc::new(shared);
        let its = Arc::clone(&shared);
        let spawned = thread::Builder::new().name("journal".into()).spawn(move || {
            run(&its, store, &wake);
            its.state().is_ended = true;
            its.is_ended.notify_all();
        });
        if let Err(why) = spawned {
            let mut state = shared.state();
            state.trouble = Some(why.to_string());
            state.is_ended = true;
        }
        Self { shared }
    }

    /// These are all that is not saved. Journals in `taken_over` are removed as soon as that is written.
    pub fn keep(&self, unsaved: Vec<Unsaved>, taken_over: Vec<Found>) {
        let mut state = self.shared.state();
        state.now = Some(unsaved);
        state.taken_over.extend(taken_over);
        drop(state);
        self.shared.has_news.notify_all();
    }

    /// Nothing is to be offered at the next start: all is saved, or discarded. This begins it; dropping the keeper
    /// waits for it.
    pub fn forget(&self) {
        let mut state = self.shared.state();
        state.is_to_forget = true;
        state.is_over = true;
        drop(state);
        self.shared.has_news.notify_all();
    }

    /// Whether nothing is written any more.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.shared.state().is_ended
    }

    /// Why the journal cannot be written, once for each time that it could before.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.shared.state().trouble.take()
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let mut state = self.shared.state();
        state.is_over = true;
        self.shared.has_news.notify_all();
        let until = Instant::now() + PATIENCE;
        while !state.is_ended {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.shared.is_ended.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn run(shared: &Shared, mut store: Store, wake: &dyn Fn()) {
    let mut written: Option<Instant> = None;
    let mut is_well = true;
    loop {
        let mut state = shared.state();
        loop {
            let rest = written.map_or(Duration::ZERO, |at| PERIOD.saturating_sub(at.elapsed()));
            state = match (state.is_over, state.now.is_some()) {
                (true, _) => break,
                (false, true) if rest.is_zero() => break,
                (false, true) => shared.has_news.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner).0,
                (false, false) => shared.has_news.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
        let (now, is_over, is_to_forget) = (state.now.take(), state.is_over, state.is_to_forget);
        let taken_over = if now.is_some() || is_to_forget { std::mem::take(&mut state.taken_over) } else { Vec::new() };
        drop(state);
        written = Some(Instant::now());
        let keep = || match now {
            _ if is_to_forget => store.forget(),
            Some(now) => store.keep(now),
            None => Ok(()),
        };
        let result = catch_unwind(AssertUnwindSafe(keep));
        let result = result.unwrap_or_else(|_| Err(io::Error::other("this is a mistake in Levelwright")));
        let result = result.and_then(|()| taken_over.iter().try_for_each(Found::retire));
        match result {
            Ok(()) => is_well = true,
            Err(why) => {
                let mut state = shared.state();
                state.taken_over.extend(taken_over);
                if std::mem::take(&mut is_well) {
                    state.trouble = Some(crate::io::staged::in_words(&why));
                    drop(state);
                    wake();
                }
            }
        }
        if is_over {
            return;
        }
    }
}
