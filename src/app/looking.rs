//! The progress of the job that plans the refactoring in the dialog.

use crate::refactor::Request;

/// How far looking through the request in the dialog is.
#[derive(Default)]
pub(super) struct Looking {
    pub is_running: bool,
    /// Whether what the dialog asks for is to be done when it ends.
    pub is_awaited: bool,
    /// The revision that the draft's outcome is of.
    pub revision: u64,
    /// The request and revision that no outcome came of.
    pub failed: Option<(Request, u64)>,
}
