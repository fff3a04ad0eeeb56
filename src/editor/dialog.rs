//! The questions the window asks. At most one is open; its answer is an action.

use crate::model::{Contest, DocPath, Name};

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// Which project to open.
    OpenProject,
    /// Where and what to make.
    NewProject,
    /// Where and what to write.
    Export,
    /// There are unsaved changes; the window is asked to close, or another project to open.
    Unsaved(Vec<DocPath>),
    /// A file changed on disk and here, in the same places.
    Conflict {
        /// The file.
        doc: DocPath,
        /// Where.
        places: Vec<Contest>,
    },
    /// One of the two versions of a file can only win whole.
    Versions {
        /// The file.
        doc: DocPath,
        /// Why.
        what: Versions,
        /// The document here, as it would be saved.
        mine: String,
        /// The file on disk.
        theirs: String,
    },
    /// The program ended before everything was saved; this could be read of it.
    Recovered {
        /// What was not saved.
        docs: Vec<(DocPath, Lost)>,
        /// How long ago that was.
        secs_ago: u64,
    },
    /// A refactoring; what it is stands in the draft.
    Refactor,
    /// A tileset of a picture; what its form says stands in the workbench.
    NewTileset,
    /// Another size of a level; which one stands in the workbench.
    ResizeLevel,
    /// Find a command.
    Commands,
    /// Find a document or definition.
    QuickOpen,
    /// Every key.
    Shortcuts,
    /// What drives players.
    Controls {
        /// The action that the next key or button is bound to.
        listening: Option<Name>,
    },
    /// Version and license.
    About,
}

/// Why one of two versions has to win whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Versions {
    /// The file is gone, the document has changes.
    GoneThere,
    /// The file changed, the document was deleted.
    GoneHere,
    /// The file has errors, the document is to be saved.
    Broken,
}

/// What became of a document that was not saved when the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// It was changed.
    Changed,
    /// It was changed, and its file by now, too.
    ChangedThere,
    /// It was new.
    New,
    /// It was deleted.
    Deleted,
    /// What it was cannot be read.
    Unreadable,
}

impl Dialog {
    /// The file that is another on disk, if it asks about one.
    #[must_use]
    pub fn about(&self) -> Option<&DocPath> {
        if let Self::Conflict { doc, .. } | Self::Versions { doc, .. } = self { Some(doc) } else { None }
    }

    /// Whether something is written into it, which a click beside it is not to throw away.
    #[must_use]
    pub fn is_form(&self) -> bool {
        matches!(self, Self::NewProject | Self::Export | Self::Refactor | Self::NewTileset | Self::ResizeLevel)
    }

    /// Whether it only finds things and may be replaced by a question.
    #[must_use]
    pub fn is_finder(&self) -> bool {
        matches!(self, Self::Commands | Self::QuickOpen)
    }
}
