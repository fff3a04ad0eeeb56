//! WHAT IS OPEN, AND WHAT IS KNOWN OF IT: what the window keeps beside the project, and what it can be asked for.
//!
//! Invariant: plain data without a window: nothing here draws, starts a thread or does I/O.

mod action;
mod camera;
mod command;
mod dialog;
mod draft;
mod geometry;
mod images;
mod pane;
mod places;
mod preview;
mod problems;
mod selection;
mod tune;
mod view;

pub use action::{Action, BrowseFor, ConnectAction, DialogAnswer, PreviewAction, ProblemAction, ViewChange};
pub use camera::Camera;
pub use command::Command;
pub use dialog::{Dialog, Lost, Versions};
pub use draft::{Draft, DraftRow, Outcome, Worked};
pub use geometry::Geometry;
pub use images::Images;
pub use pane::Pane;
pub use places::Places;
pub use preview::Preview;
pub use problems::{LocatedProblem, ProblemIndex};
pub use selection::Selection;
pub use tune::{TuneAction, Tuning};
pub use view::{Overlays, PointerAt, Unfinished, View};
