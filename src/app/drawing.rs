//! The drawing of the shown machine, and the progress of its layout.

use std::sync::Arc;

use crate::{
    editor::Unfinished,
    model::{DocPath, Machine, Name},
    ui::canvas::graph::Graph,
};

/// The drawing of the machine shown.
#[derive(Default)]
pub(super) struct Drawing {
    /// The last one that is done.
    pub done: Option<Drawn>,
    /// The inputs of the next one, while a job makes it.
    pub next: Option<((DocPath, Name), Arc<Machine>)>,
    /// The transition that was drawn last, and how many steps were done then.
    pub last_drawn: Option<(usize, Unfinished)>,
    /// Whether a job looks for places of states, to be edited.
    pub is_placing: bool,
}

/// A machine as it is drawn.
pub(super) struct Drawn {
    /// File and name.
    pub of: (DocPath, Name),
    /// The machine that is drawn.
    pub machine: Arc<Machine>,
    /// The drawing.
    pub graph: Arc<Graph>,
}
