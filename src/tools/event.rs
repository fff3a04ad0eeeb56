//! Pointer events, in pixels and cells of the level.

use serde::{Deserialize, Serialize};

use crate::model::Cell;

/// Where in a press the pointer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PointerPhase {
    /// Over the level, no button down.
    Hover,
    /// A button went down.
    Press,
    /// A button is down; also without having moved.
    Drag,
    /// The button went up.
    Release,
    /// Never mind: Esc, or the window lost the pointer.
    Cancel,
}

/// Which button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Button {
    /// Usually the left one.
    #[default]
    Primary,
    /// Usually the right one.
    Secondary,
}

/// Keys held with the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modifiers {
    /// Shift.
    pub shift: bool,
    /// Ctrl, or Cmd on a Mac.
    pub ctrl: bool,
    /// Alt.
    pub alt: bool,
}

/// One thing the pointer did.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointerEvent {
    /// What it did.
    pub phase: PointerPhase,
    /// Where, in pixels of the level.
    pub pos_px: [f64; 2],
    /// The cell there.
    pub cell: Cell,
    /// Keys held.
    pub modifiers: Modifiers,
    /// The button, for presses, drags and releases.
    pub button: Button,
}
