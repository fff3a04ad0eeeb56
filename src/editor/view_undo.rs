//! What undo and redo bring back of the window together with a step: which cells were selected where tiles were moved
//! with them, and what is on the screen of a level whose content was moved as a whole.
//!
//! Invariant: undo gives the very same document back, so a step is known by the documents before and after it. It keeps
//! none of them alive.

use std::sync::{Arc, Weak};

use super::ViewState;
use crate::model::{CellSet, DocPath, Document, Project};

/// So many of the last such steps are known.
const MOST: usize = 256;

/// A level and its selected cells at one time.
#[derive(Clone, Debug)]
pub struct CellsAt {
    /// The level's document.
    pub level: Option<Arc<Document>>,
    /// The cells; none where none are selected.
    pub cells: Option<Arc<CellSet>>,
    /// Width and height of a cell of the layer worked on.
    pub px: Option<[u32; 2]>,
}

/// The steps that have changed more than documents.
#[derive(Default)]
pub(super) struct ViewUndo {
    steps: Vec<Step>,
}

struct Step {
    doc: DocPath,
    /// The level before and after it.
    levels: [Weak<Document>; 2],
    what: What,
}

enum What {
    /// The selected cells have moved with what is on them: those before and after, and the size of a cell.
    Cells([Selected; 2]),
    /// The content has moved by so many pixels.
    Content([f64; 2]),
}

type Selected = (Option<Arc<CellSet>>, Option<[u32; 2]>);

impl Step {
    /// Which level of the two a project has now that did not have it before, if any; and whether it had the other then.
    fn turn(&self, before: &Project, now: &Project) -> Option<(usize, bool)> {
        let has = |project: &Project, which: usize| {
            project.doc(&self.doc).is_some_and(|doc| Arc::as_ptr(doc) == self.levels[which].as_ptr())
        };
        let to = (0..2).find(|to| has(now, *to) && !has(before, *to))?;
        Some((to, has(before, 1 - to)))
    }

    /// Whether a selection is one of those that it left or found.
    fn has_selected(&self, cells: &Arc<CellSet>) -> bool {
        let What::Cells(both) = &self.what else { return false };
        both.iter().any(|(known, _)| known.as_ref().is_some_and(|known| Arc::ptr_eq(known, cells)))
    }
}

impl ViewUndo {
    /// Selected cells have moved with what is on them: undo of that step selects the ones before, and redo those after.
    pub(super) fn cells_moved(&mut self, doc: &DocPath, both: [CellsAt; 2]) {
        let [Some(old), Some(new)] = both.each_ref().map(|at| at.level.as_ref().map(Arc::downgrade)) else { return };
        let what = What::Cells(both.map(|at| (at.cells, at.px)));
        self.push(Step { doc: doc.clone(), levels: [old, new], what });
    }

    /// The content of a level was moved as a whole, by pixels: what is on the screen stays there after undo and redo.
    pub(super) fn level_shifted(&mut self, doc: &DocPath, both: [&Arc<Document>; 2], by: [f64; 2]) {
        self.push(Step { doc: doc.clone(), levels: both.map(Arc::downgrade), what: What::Content(by) });
    }

    fn push(&mut self, step: Step) {
        self.steps.push(step);
        let too_many = self.steps.len().saturating_sub(MOST);
        self.steps.drain(..too_many);
    }

    /// Follow a change of the project. Where a step is only passed, or other cells were selected since it, the
    /// selection stays.
    pub(super) fn follow(&self, view: &mut ViewState, before: &Project, now: &Project) {
        for step in &self.steps {
            let Some((to, is_from_other)) = step.turn(before, now) else { continue };
            match &step.what {
                What::Cells(both) => {
                    let selected = view.cells.get(&step.doc);
                    let was_moved = || selected.is_some_and(|cells| self.steps.iter().any(|it| it.has_selected(cells)));
                    let (cells, px) = &both[to];
                    if !(is_from_other || was_moved()) || view.cell_px(now, &step.doc) != *px {
                        continue;
                    }
                    match cells {
                        Some(cells) => _ = view.cells.insert(step.doc.clone(), cells.clone()),
                        None => _ = view.cells.remove(&step.doc),
                    }
                }
                What::Content(by) if is_from_other => {
                    let sign = if to == 0 { -1.0 } else { 1.0 };
                    view.shift(&step.doc, by.map(|by| sign * by));
                }
                What::Content(_) => {}
            }
        }
    }
}
