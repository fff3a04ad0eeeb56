//! The thread that compiles the preview's world and runs its ticks, so that neither holds up anything else.
//!
//! Invariant: it works on what it was given, one piece after another, and touches nothing else. A defect that makes it
//! panic ends this thread and no other; the preview is then ended too.

use std::sync::{
    Arc, Mutex, PoisonError,
    mpsc::{Receiver, SyncSender, TryRecvError, sync_channel},
};

use crate::{
    model::Finding,
    sim::{Batch, Ran, World},
};

/// What came back.
pub(super) enum Returned {
    /// Nothing yet.
    Nothing,
    /// The world is compiled, or cannot be.
    Compiled(Result<Box<World>, Vec<Finding>>),
    /// Ticks that were run.
    Ran(Ran),
    /// The thread is gone.
    Lost,
}

/// A thread for one preview. It ends when this is dropped and the present piece of work is done.
pub(super) struct Runner {
    /// The batch that is not taken up yet.
    next: Arc<Mutex<Option<Batch>>>,
    /// Reports that there is one.
    ready: SyncSender<()>,
    results: Receiver<Returned>,
}

impl Runner {
    /// Compile a world, then run batches of its ticks. `wake` is called from the thread when there is something to
    /// take.
    pub(super) fn new(
        compile: impl FnOnce() -> Result<World, Vec<Finding>> + Send + 'static,
        wake: Arc<dyn Fn() + Send + Sync>,
    ) -> std::io::Result<Self> {
        let next: Arc<Mutex<Option<Batch>>> = Arc::default();
        let (ready, is_ready) = sync_channel(1);
        let (done, results) = sync_channel(1);
        let taken = next.clone();
        std::thread::Builder::new().name("preview".to_owned()).spawn(move || {
            // Also when the work panics: then the window learns that nothing comes back. For that the channel has to be
            // closed before: what is declared later is dropped earlier, and what the closure holds only after that.
            let _woken = Wakes(wake.clone());
            let done = done;
            if done.send(Returned::Compiled(compile().map(Box::new))).is_err() {
                return;
            }
            wake();
            for () in is_ready {
                let batch = taken.lock().unwrap_or_else(PoisonError::into_inner).take();
                let Some(ran) = batch.and_then(Batch::run) else { continue };
                if done.send(Returned::Ran(ran)).is_err() {
                    return;
                }
                wake();
            }
        })?;
        Ok(Self { next, ready, results })
    }

    /// Have a batch run, instead of one that is not taken up yet: a session hands out the next only when that is
    /// canceled.
    pub(super) fn run(&self, batch: Batch) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) = Some(batch);
        // Where it is full, the thread is about to look for a batch; where it is closed, `take` reports that.
        let _ = self.ready.try_send(());
    }

    /// What came back since the last call.
    pub(super) fn take(&self) -> Returned {
        match self.results.try_recv() {
            Ok(returned) => returned,
            Err(TryRecvError::Empty) => Returned::Nothing,
            Err(TryRecvError::Disconnected) => Returned::Lost,
        }
    }
}

/// Drop something in a thread of its own; here, where there is none.
pub(super) fn drop_elsewhere(it: impl Send + 'static) {
    drop(std::thread::Builder::new().name("preview ends".to_owned()).spawn(move || drop(it)));
}

/// Wakes the window when it is dropped.
struct Wakes(Arc<dyn Fn() + Send + Sync>);

impl Drop for Wakes {
    fn drop(&mut self) {
        (self.0)();
    }
}
