//! Selected cells: what commands do with the tiles on them.

use std::sync::Arc;

use super::editor::Editor;
use crate::{
    edit::{Fragment, Stamp, StepId, paste_layers},
    editor::CellsAt,
    model::{Cell, CellSet, DocPath, Name, counted, sentence},
    tools::{self, ToolCx, ToolKind, ToolOut},
};

/// A run of arrow keys that moved selected cells, which are one step.
pub(super) struct Nudges {
    step: StepId,
    doc: DocPath,
    /// Columns and rows in all.
    by: Cell,
    /// The selected cells after it.
    cells: Arc<CellSet>,
}

impl Editor {
    /// The level whose selected cells Copy, Delete and the arrow keys mean.
    pub(super) fn cells_meant(&self) -> Option<DocPath> {
        self.bench.view.cells_meant(self.bench.selection()).map(|(doc, _)| doc.clone())
    }

    /// A level and its selected cells as they are, for [`Editor::cells_moved`].
    pub(super) fn cells_now(&self, doc: &DocPath) -> CellsAt {
        let level = self.workspace.before_drag().doc(doc).cloned();
        CellsAt { level, cells: self.bench.view.cells.get(doc).cloned() }
    }

    /// A step has moved the selected cells together with what is on them: undo moves them back, and redo again.
    pub(super) fn cells_moved(&mut self, doc: &DocPath, before: CellsAt) {
        let after = self.cells_now(doc);
        self.bench.cells_moved(doc, before, after);
    }

    /// Do something with the tiles on selected cells, as one step.
    pub(super) fn work_on_cells(&mut self, doc: &DocPath, ask: impl FnOnce(&ToolCx<'_>) -> Result<ToolOut, String>) {
        let Some(out) = self.ask_tools(doc, ask) else { return };
        let before = self.cells_now(doc);
        if self.step(out.label.as_deref(), &out.edits).is_none() && !out.edits.is_empty() {
            return;
        }
        if let Some(cells) = out.cells {
            self.bench.select_cells(doc, cells);
            self.cells_moved(doc, before);
        }
    }

    /// Move the tiles on selected cells by an arrow key. A run of them is one step, and what they only passed over stays.
    pub(super) fn nudge_cells(&mut self, doc: &DocPath, by: Cell) {
        self.end_gesture();
        let last = self.workspace.history().done().last().copied();
        let run = self.nudges.take().filter(|run| Some(run.step) == last && run.doc == *doc);
        let is_same = |cells: &Arc<CellSet>| self.bench.view.cells.get(doc).is_some_and(|it| Arc::ptr_eq(it, cells));
        let run = run.filter(|run| is_same(&run.cells));
        let by = run.as_ref().map_or(by, |run| [0, 1].map(|i| run.by[i].saturating_add(by[i])));
        if run.is_some()
            && let Ok((_, changed)) = self.workspace.undo(false, Some(doc))
        {
            self.follow(&changed);
        }
        self.work_on_cells(doc, |cx| tools::move_cells(cx, by));
        let now = self.workspace.history().done().last().copied().filter(|now| Some(*now) != last);
        let cells = self.bench.view.cells.get(doc).cloned();
        self.nudges = now.zip(cells).map(|(step, cells)| Nudges { step, doc: doc.clone(), by, cells });
    }

    /// The same with the cells that are selected in the level shown.
    pub(super) fn work_on_shown_cells(&mut self, ask: impl FnOnce(&ToolCx<'_>) -> Result<ToolOut, String>) {
        if let Some(doc) = self.bench.view.level.clone() {
            self.work_on_cells(&doc, ask);
        }
    }

    /// Select other cells of the level shown, and say how many.
    pub(super) fn select_cells(&mut self, ask: impl FnOnce(&ToolCx<'_>) -> Result<CellSet, String>) {
        let Some(doc) = self.bench.view.level.clone() else { return };
        let Some(cells) = self.ask_tools(&doc, ask) else { return };
        self.notify(format!("{} selected", counted(cells.len(), "cell")));
        self.bench.select_cells(&doc, Arc::new(cells));
    }

    /// What is copied of the selected cells of a level.
    pub(super) fn copied_cells(&mut self, doc: &DocPath) -> Option<Fragment> {
        let mut layers = self.ask_tools(doc, tools::copied_cells)?;
        Some(if self.bench.view.is_over_all_layers {
            Fragment::Layers(layers)
        } else {
            Fragment::Tiles(layers.pop()?.1)
        })
    }

    /// Paint with pasted tiles from now on: they are placed where a click says.
    pub(super) fn paste_tiles(&mut self, stamp: Stamp) {
        self.bench.view.stamp = stamp;
        self.bench.view.random_brush = false;
        self.take_tool(ToolKind::Stamp);
        self.notify("Click where to place the tiles");
    }

    /// Put pasted tiles on their layers, about the pointer or the middle of the view, and select them.
    pub(super) fn paste_layers(&mut self, doc: &DocPath, middle_px: Option<[f64; 2]>, layers: &[(Name, Stamp)]) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let size = layers.first().map_or([1, 1], |(_, stamp)| stamp.size());
        let at: Cell = [0, 1].map(|i| {
            let middle = middle_px.map_or(0.0, |at| at[i] / f64::from(level.tile_size[i]));
            #[expect(clippy::cast_possible_truncation, reason = "`as` saturates; no level reaches that far")]
            let left_top = (middle - f64::from(size[i]) / 2.0).round() as i32;
            left_top
        });
        match paste_layers((doc, level), layers, at) {
            Ok((edits, cells)) => {
                let label = format!("Paste {}", Fragment::Layers(layers.to_vec()).describe());
                let before = self.cells_now(doc);
                if self.step(Some(&label), &edits).is_some() {
                    self.bench.select_cells(doc, Arc::new(cells));
                    self.cells_moved(doc, before);
                    self.take_tool(ToolKind::SelectCells);
                }
            }
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }
}
