//! The comments that fixes take out of the files, found by jobs.

use crate::{edit::StepId, model::Difference};

/// Comments that fixes take out of the files.
#[derive(Default)]
pub(super) struct LostComments {
    /// Fixes that a job looks through.
    pub n_pending: usize,
    /// By step, those of the fixes that were looked through while others were pending.
    pub lost: Vec<(StepId, Vec<Difference>)>,
}
