//! The progress of closing the window, or the project for another one.

use std::path::PathBuf;

/// How far closing is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Closing {
    /// It is not asked for.
    #[default]
    No,
    /// Asked; waits for an answer about unsaved work. With a folder: to open that instead.
    Asked(Option<PathBuf>),
    /// Answered: as soon as everything is written.
    AfterSaving(Option<PathBuf>),
    /// Answered: unsaved changes are discarded.
    Discarding(Option<PathBuf>),
    /// The window closes.
    Now,
}

impl Closing {
    pub(super) fn after_saving(&mut self) {
        if let Self::Asked(next) = self {
            *self = Self::AfterSaving(next.take());
        }
    }

    pub(super) fn discard(&mut self) {
        if let Self::Asked(next) = self {
            *self = Self::Discarding(next.take());
        }
    }
}
