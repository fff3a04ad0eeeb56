//! What is selected, by name and id, so that it survives undo, reload and renumbering.

use crate::model::{Cell, DocPath, Name};

/// What the inspector shows and what Delete deletes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Nothing.
    #[default]
    None,
    /// A document as a whole: a level's or tileset's properties.
    Document(DocPath),
    /// Entity definitions of a file.
    Definition {
        /// The file.
        doc: DocPath,
        /// The definition.
        name: Name,
    },
    /// Placed entities and waypoints of a level, any number, on any of its layers.
    Things {
        /// The level.
        doc: DocPath,
        /// Their ids, in the order they were chosen.
        ids: Vec<Name>,
    },
    /// A layer of a level.
    Layer {
        /// The level.
        doc: DocPath,
        /// Its name.
        layer: Name,
    },
    /// Part of a state machine.
    Machine {
        /// The file.
        doc: DocPath,
        /// The machine.
        name: Name,
        /// A state's path; empty for the root.
        state: Name,
        /// One of that state's transitions.
        transition: Option<usize>,
    },
    /// A rectangle of cells, inclusive.
    Cells {
        /// The level.
        doc: DocPath,
        /// Left top.
        from: Cell,
        /// Right bottom.
        to: Cell,
    },
}

impl Selection {
    /// Whether nothing is selected.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::None => true,
            Self::Things { ids, .. } => ids.is_empty(),
            _ => false,
        }
    }

    /// Whether F2 makes sense.
    #[must_use]
    pub fn is_renamable(&self) -> bool {
        match self {
            Self::Definition { .. } | Self::Layer { .. } => true,
            Self::Document(doc) => doc.kind() != Some(crate::model::DocKind::Project),
            Self::Machine { transition, .. } => transition.is_none(),
            _ => false,
        }
    }

    /// The document that holds what is selected.
    #[must_use]
    pub fn doc(&self) -> Option<&DocPath> {
        match self {
            Self::None => None,
            Self::Document(doc)
            | Self::Definition { doc, .. }
            | Self::Things { doc, .. }
            | Self::Layer { doc, .. }
            | Self::Machine { doc, .. }
            | Self::Cells { doc, .. } => Some(doc),
        }
    }

    /// The selected ids in a level; empty for any other selection.
    #[must_use]
    pub fn ids_in(&self, level: &DocPath) -> &[Name] {
        match self {
            Self::Things { doc, ids } if doc == level => ids,
            _ => &[],
        }
    }
}
