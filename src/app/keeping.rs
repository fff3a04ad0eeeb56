//! The journals of projects: the open one's, those found, and those that come to their end.

use crate::{
    edit::StepId,
    io::journal::{Found, Keeper},
};

/// The journal of the open project.
#[derive(Default)]
pub(super) struct Keeping {
    pub keeper: Option<Keeper>,
    /// Journals left by other processes, newest first; the dialog is about the first.
    pub found: Vec<Found>,
    /// Restored journals, to be deleted once ours has their content.
    pub taken_over: Vec<Found>,
    /// The last changes handed to the journal.
    pub handed_over: Option<HandedOver>,
    /// Of projects that were open before: they end by themselves, and only closing the window waits for them.
    pub ending: Vec<Keeper>,
}

/// As which the project was handed over: while something is dragged only a new step is news.
#[derive(PartialEq, Eq)]
pub(super) struct HandedOver {
    pub revision: Option<u64>,
    pub step: Option<StepId>,
}
