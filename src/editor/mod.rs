//! WHAT IS OPEN, AND WHAT IS KNOWN OF IT: what the window keeps beside the project, and what it can be asked for.
//!
//! Invariant: plain data without a window: nothing here draws, starts a thread or does I/O.

mod command;
mod dialog;
mod draft;
mod images;
mod pane;
mod selection;
mod tune;

pub use command::Command;
pub use dialog::{Dialog, Lost, Versions};
pub use draft::{Draft, DraftRow, Outcome, Worked};
pub use images::Images;
pub use pane::Pane;
pub use selection::Selection;
pub use tune::{TuneAction, Tuning};
