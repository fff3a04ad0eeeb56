//! The thread that runs the preview's ticks, so that a slow one holds up nothing else.
//!
//! Invariant: it works on batches a session handed out, one after another, and touches nothing else. A defect that makes a
//! tick panic ends this thread and no other; the preview is then ended too.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, TryRecvError, TrySendError, bounded};

use crate::sim::{Batch, Ran};

/// What came back.
pub(super) enum Returned {
    /// Nothing yet.
    Nothing,
    /// Ticks that were run.
    Ran(Ran),
    /// The thread is gone.
    Lost,
}

/// A thread for one preview. It ends when this is dropped and the tick at hand is done.
pub(super) struct Ticking {
    batches: Sender<Batch>,
    /// The batch that is not taken up yet; there is room for one.
    waiting: Receiver<Batch>,
    results: Receiver<Ran>,
}

impl Ticking {
    /// `wake` is called from the thread when there is something to take.
    pub(super) fn new(wake: Arc<dyn Fn() + Send + Sync>) -> std::io::Result<Self> {
        let (batches, to_run) = bounded::<Batch>(1);
        let waiting = to_run.clone();
        let (done, results) = bounded(1);
        std::thread::Builder::new().name("preview".to_owned()).spawn(move || {
            // Also when a tick panics: then the window learns that nothing comes back.
            let _woken = Wakes(wake.clone());
            for batch in to_run {
                let Some(ran) = batch.run() else { continue };
                if done.send(ran).is_err() {
                    return;
                }
                wake();
            }
        })?;
        Ok(Self { batches, waiting, results })
    }

    /// Have a batch run, instead of one that is not taken up yet: a session hands out the next only when that is canceled.
    pub(super) fn run(&self, batch: Batch) {
        if let Err(TrySendError::Full(batch)) = self.batches.try_send(batch) {
            drop(self.waiting.try_recv());
            // Nothing else sends, so there is room.
            let _ = self.batches.try_send(batch);
        }
    }

    /// What came back since the last call.
    pub(super) fn take(&self) -> Returned {
        match self.results.try_recv() {
            Ok(ran) => Returned::Ran(ran),
            Err(TryRecvError::Empty) => Returned::Nothing,
            Err(TryRecvError::Disconnected) => Returned::Lost,
        }
    }
}

/// Wakes the window when it is dropped.
struct Wakes(Arc<dyn Fn() + Send + Sync>);

impl Drop for Wakes {
    fn drop(&mut self) {
        (self.0)();
    }
}
