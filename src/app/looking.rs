//! Looking through the refactoring in the dialog, in a job: how far it is.

/// How far looking through the request in the dialog is.
#[derive(Default)]
pub(super) struct Looking {
    pub is_running: bool,
    /// The revision that the draft's outcome is of.
    pub revision: u64,
}

impl Looking {
    /// A job came to no end. It is not tried again before the project changes.
    pub(super) fn failed(&mut self, revision: u64) {
        *self = Self { is_running: false, revision };
    }
}
