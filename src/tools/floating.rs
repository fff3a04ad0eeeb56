//! Selected tiles that were moved or turned and float: as long as nothing else is edited, they can be moved on, and
//! what they lay on comes back.
//!
//! Invariant: it is of use only while the level is the very document that the move made and the same cells are
//! selected.

use std::sync::Arc;

use super::ToolCx;
use crate::model::{CellSet, CellTransform, DocPath, Document, Name, Project};

/// Where floating tiles come from, and where they are.
#[derive(Clone, Debug)]
pub struct Floating {
    /// The level.
    doc: DocPath,
    /// The level before they were first moved.
    pub(super) base: Arc<Document>,
    /// The cells they were on there.
    pub(super) cells: Arc<CellSet>,
    /// How they were moved and turned since.
    pub(super) to: CellTransform,
    /// Whether they are copies, so that those they are copied from stay.
    pub(super) is_copy: bool,
    /// The layers they are on.
    pub(super) layers: Vec<Name>,
    /// The level that the last move made, and the cells selected then.
    landed: Option<(Arc<Document>, Arc<CellSet>)>,
}

impl PartialEq for Floating {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.base, &other.base) && self.to == other.to && self.cells == other.cells
    }
}

impl Floating {
    /// Tiles that are about to be moved for the first time.
    pub(super) fn new(cx: &ToolCx<'_>, is_copy: bool, layers: Vec<Name>) -> Option<Self> {
        let base = cx.project.doc(cx.doc)?.clone();
        let cells = Arc::new(cx.cells.clone());
        Some(Self { doc: cx.doc.clone(), base, cells, to: CellTransform::default(), is_copy, layers, landed: None })
    }

    /// The same elsewhere, as from where they come from.
    pub(super) fn moved_to(self, to: CellTransform) -> Self {
        Self { to, ..self }
    }

    /// The move is made: `project` has it, and these cells are selected.
    #[must_use]
    pub fn landed(self, project: &Project, cells: &Arc<CellSet>) -> Self {
        let landed = project.doc(&self.doc).map(|doc| (doc.clone(), cells.clone()));
        Self { landed, ..self }
    }

    /// Whether they still float: nothing of the level was edited since, the same cells are selected, on the same
    /// layers.
    pub(super) fn is_here(&self, cx: &ToolCx<'_>, layers: &[Name]) -> bool {
        let Some((level, cells)) = &self.landed else { return false };
        let is_it = cx.project.doc(cx.doc).is_some_and(|now| Arc::ptr_eq(now, level));
        is_it && self.doc == *cx.doc && **cells == *cx.cells && self.layers == layers
    }
}
