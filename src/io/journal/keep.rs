//! When the journal is written: soon after each change, not too often, and on a thread of its own. The caller hands over what
//! is not saved and goes on.
//!
//! Invariants: what was handed over is written at most [`PERIOD`] later, and the time that writing takes; what comes meanwhile
//! replaces what waits; a journal that could not be written is tried again with the next change and reported once.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::Path,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use super::{Found, Store, Unsaved};

/// The shortest time between two lines. Changes of this time may be lost, and of the time that encoding and the disk take.
const PERIOD: Duration = Duration::from_millis(200);

/// How long the end of the program waits for a slow disk.
const PATIENCE: Duration = Duration::from_secs(2);

/// Writes the journal.
pub struct Keeper {
    shared: Arc<Shared>,
}

struct Shared {
    slot: Mutex<Slot>,
    is_told: Condvar,
    is_ended: Condvar,
}

#[derive(Default)]
struct Slot {
    now: Option<Vec<Unsaved>>,
    /// Journals whose content is in ours once that is written.
    taken_over: Vec<Found>,
    trouble: Option<String>,
    is_to_forget: bool,
    is_over: bool,
    is_ended: bool,
}

impl Shared {
    fn slot(&self) -> MutexGuard<'_, Slot> {
        // Nothing done while it is locked can leave it inconsistent.
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keeper {
    /// Begin to keep a project's journal. `wake` is called when there is trouble to report.
    #[must_use]
    pub fn new(journals: &Path, root: &Path, wake: impl Fn() + Send + 'static) -> Self {
        let store = Store::new(journals, root);
        let shared = Shared { slot: Mutex::default(), is_told: Condvar::new(), is_ended: Condvar::new() };
        let shared = Arc::new(shared);
        let its = Arc::clone(&shared);
        let spawned = thread::Builder::new().name("journal".into()).spawn(move || {
            run(&its, store, &wake);
            its.slot().is_ended = true;
            its.is_ended.notify_all();
        });
        if let Err(why) = spawned {
            let mut slot = shared.slot();
            slot.trouble = Some(why.to_string());
            slot.is_ended = true;
        }
        Self { shared }
    }

    /// These are all that is not saved. Journals in `taken_over` are removed as soon as that is written.
    pub fn keep(&self, unsaved: Vec<Unsaved>, taken_over: Vec<Found>) {
        let mut slot = self.shared.slot();
        slot.now = Some(unsaved);
        slot.taken_over.extend(taken_over);
        drop(slot);
        self.shared.is_told.notify_all();
    }

    /// Nothing is to be offered at the next start: all is saved, or discarded. This begins it; dropping the keeper waits for it.
    pub fn forget(&self) {
        let mut slot = self.shared.slot();
        slot.is_to_forget = true;
        slot.is_over = true;
        drop(slot);
        self.shared.is_told.notify_all();
    }

    /// Whether nothing is written any more.
    #[must_use]
    pub fn is_ended(&self) -> bool {
        self.shared.slot().is_ended
    }

    /// Why the journal cannot be written, once for each time that it could before.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        self.shared.slot().trouble.take()
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        let mut slot = self.shared.slot();
        slot.is_over = true;
        self.shared.is_told.notify_all();
        let until = Instant::now() + PATIENCE;
        while !slot.is_ended {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            slot = self.shared.is_ended.wait_timeout(slot, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn run(shared: &Shared, mut store: Store, wake: &dyn Fn()) {
    let mut written: Option<Instant> = None;
    let mut is_well = true;
    loop {
        let mut slot = shared.slot();
        loop {
            let rest = written.map_or(Duration::ZERO, |at| PERIOD.saturating_sub(at.elapsed()));
            slot = match (slot.is_over, slot.now.is_some()) {
                (true, _) => break,
                (false, true) if rest.is_zero() => break,
                (false, true) => shared.is_told.wait_timeout(slot, rest).unwrap_or_else(PoisonError::into_inner).0,
                (false, false) => shared.is_told.wait(slot).unwrap_or_else(PoisonError::into_inner),
            };
        }
        let (now, is_over, is_to_forget) = (slot.now.take(), slot.is_over, slot.is_to_forget);
        let taken_over = if now.is_some() || is_to_forget { std::mem::take(&mut slot.taken_over) } else { Vec::new() };
        drop(slot);
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
                let mut slot = shared.slot();
                slot.taken_over.extend(taken_over);
                if std::mem::take(&mut is_well) {
                    slot.trouble = Some(crate::io::staged::in_words(&why));
                    drop(slot);
                    wake();
                }
            }
        }
        if is_over {
            return;
        }
    }
}
