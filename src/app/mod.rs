//! The application: the window's program. Events from outside come in, actions from the UI are carried out, the preview
//! advances; then the UI is drawn from what there is.
//!
//! Invariant: everything that changes, changes in `logic`, once a frame, in one order. There are no widgets and no
//! rules of the domain here.

mod act;
mod cells;
mod closing;
mod comments;
mod disk;
mod drawing;
mod editor;
mod events;
mod fixes;
mod job;
mod jobs;
mod keeping;
mod kept_tuning;
mod layers;
mod layout;
mod live;
mod looking;
mod machines;
mod making;
mod notice;
mod open;
mod pads;
mod play;
mod point;
mod recover;
mod replay;
mod reshape;
mod resize;
mod seeds;
mod settings;
mod sounds;
mod suggesting;
mod tilesets;
mod tune;
mod window;

pub use editor::Editor;
pub use window::{App, run};
