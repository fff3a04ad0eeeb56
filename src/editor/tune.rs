//! The tuning state of a window beside the project, and the actions on it.
//!
//! Invariant: nothing of this is in a project's files. Values that are tried out are the project's tuning overlay.

use std::collections::BTreeMap;

use crate::{
    edit::Phase,
    model::{Name, TuningSetId, TuningSide, Value, ValueSet},
};

/// What the window keeps of a project's constants beside its files.
#[derive(Clone, Debug, Default)]
pub struct Tuning {
    /// The set of the tuning overlay that the running world uses and changes go to.
    pub active: TuningSetId,
    /// Bookmarked constants, as `Page.name`, in the order they were marked.
    pub bookmarks: Vec<Name>,
    /// Stored sets of values, by what the user called them.
    pub sets: BTreeMap<String, ValueSet>,
}

/// Actions on constants; each is named as `Page.name`.
#[derive(Clone, Debug, PartialEq)]
pub enum TuneAction {
    /// Give it a value: tried while a preview runs or a value is being tried already, else written into the project.
    Set {
        /// Which.
        name: Name,
        /// Its value.
        value: Value,
        /// Still being dragged, or done.
        phase: Phase,
    },
    /// The same with a value as text.
    SetText {
        /// Which.
        name: Name,
        /// RON.
        text: String,
    },
    /// Write what is tried into the project's files, as one step. `None` for all of the set.
    Keep {
        /// Of which set.
        side: TuningSide,
        /// Which.
        name: Option<Name>,
    },
    /// Try it no longer. `None` for all of the set.
    Drop {
        /// Of which set.
        side: TuningSide,
        /// Which.
        name: Option<Name>,
    },
    /// Have the running world use a set.
    Activate(TuningSide),
    /// Make the other set the same as this.
    Copy(TuningSide),
    /// Exchange the sets.
    Swap,
    /// Give a set a title.
    SetTitle(TuningSide, String),
    /// Store a set under a name.
    Store(TuningSide, String),
    /// Load a stored set.
    Load(TuningSide, String),
    /// Delete a stored set.
    DeleteStored(String),
    /// Bookmark a constant, or remove its bookmark.
    Bookmark(Name, bool),
}
