//! Selected cells: what commands do with the tiles on them.

use std::sync::Arc;

use super::editor::Editor;
use crate::{
    edit::{Fragment, LayeredStamp, Stamp, StampPart, StepId, TilesOf},
    editor::{CellsAt, held_stamps, layer_lacking, layer_to_paste_on, new_stamp_of},
    model::{Cell, CellSet, DocPath, StampFile, counted},
    refactor::{NewStamp, Request},
    tools::{self, Floating, HeldStamp, ToolCx, ToolKind, ToolOut},
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
        let (project, view) = (self.workspace.before_drag(), &self.bench.view);
        let (level, cells) = (project.doc(doc).cloned(), view.cells.get(doc).cloned());
        CellsAt { level, cells, px: view.cell_px(project, doc) }
    }

    /// A step has moved the selected cells together with what is on them: undo moves them back, and redo again.
    pub(super) fn cells_moved(&mut self, doc: &DocPath, before: CellsAt) {
        let after = self.cells_now(doc);
        self.bench.cells_moved(doc, before, after);
    }

    /// Do something with the tiles on selected cells, as one step.
    pub(super) fn work_on_cells(&mut self, doc: &DocPath, ask: impl FnOnce(&ToolCx<'_>) -> Result<ToolOut, String>) {
        if let Some(out) = self.ask_tools(doc, ask) {
            self.do_to_cells(doc, out);
        }
    }

    /// The same as tools have it. Returns the step, where there is one.
    fn do_to_cells(&mut self, doc: &DocPath, out: ToolOut) -> Option<StepId> {
        let before = self.cells_now(doc);
        let step = self.step(out.label.as_deref(), &out.edits);
        if step.is_none() && !out.edits.is_empty() {
            return None;
        }
        if let Some(cells) = out.cells {
            self.bench.select_cells(doc, cells);
            self.cells_moved(doc, before);
        }
        self.keep_floating(doc, out.floating);
        if !out.hint.is_empty() {
            self.notify(out.hint);
        }
        step
    }

    /// Selected tiles were moved, and can be moved on from there.
    pub(super) fn keep_floating(&mut self, doc: &DocPath, floating: Option<Floating>) {
        let Some((floating, cells)) = floating.zip(self.bench.view.cells.get(doc)) else { return };
        let floating = floating.landed(self.workspace.project(), cells);
        self.bench.keep_floating(floating);
    }

    /// Move the tiles on selected cells by an arrow key. A run of them is one step, and what they only passed over
    /// stays.
    pub(super) fn nudge_cells(&mut self, doc: &DocPath, by: Cell) {
        self.end_gesture();
        let last = self.workspace.history().done().last().copied();
        let run = self.nudges.take().filter(|run| Some(run.step) == last && run.doc == *doc);
        let is_same = |cells: &Arc<CellSet>| self.bench.view.cells.get(doc).is_some_and(|it| Arc::ptr_eq(it, cells));
        let run = run.filter(|run| is_same(&run.cells));
        let by = run.as_ref().map_or(by, |run| [0, 1].map(|i| run.by[i].saturating_add(by[i])));
        let take_back = |it: &mut Self, is_redo: bool| {
            if run.is_some()
                && let Ok((_, changed)) = it.workspace.undo(is_redo, Some(doc))
            {
                it.follow(&changed);
            }
        };
        take_back(self, false);
        let Some(out) = self.ask_tools(doc, |cx| tools::move_cells(cx, by)) else {
            // It goes no farther, and stays where it is.
            take_back(self, true);
            self.nudges = run;
            return;
        };
        let step = self.do_to_cells(doc, out);
        let cells = self.bench.view.cells.get(doc).cloned();
        self.nudges = step.zip(cells).map(|(step, cells)| Nudges { step, doc: doc.clone(), by, cells });
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
            Fragment::OneLayer(layers.pop()?)
        })
    }

    /// Paint with tiles that were copied of one layer from now on, on a layer that holds such tiles; where there is
    /// none, offer to add one.
    pub(super) fn paste_part(&mut self, part: &StampPart) {
        let project = self.workspace.project();
        let Some(doc) = self.bench.view.level.clone() else { return };
        let Some(level) = project.level(&doc) else { return };
        let Some(layer) = layer_to_paste_on(&self.bench.view, (&doc, level), part) else {
            let (new, why) = layer_lacking((project, &self.bench.view), (&doc, level), part);
            if let Some(new) = new {
                self.ask_for(Request::NewLayer(new));
            }
            self.notify(why);
            return;
        };
        let cells = level.layer(&layer).and_then(|(_, layer)| layer.cells());
        let of = cells.map(TilesOf::cells);
        let active = self.bench.active_layer(project).map(|(_, layer)| layer.name.clone());
        let other = active.filter(|active| *active != layer);
        // The layer is chosen here, and not by what the tool could work on.
        self.let_go();
        self.bench.borrow_tool(ToolKind::Stamp);
        if let Some(active) = &other {
            self.bench.keep_layer(&doc, active, &layer);
            self.work_on(&doc, layer.clone());
        }
        self.paste_tiles(part.tiles.clone());
        self.bench.view.stamp_of = of;
        if other.is_some() {
            self.notify(format!(
                "Click where to place the tiles; they go to the layer “{layer}”, which has such tiles"
            ));
        }
    }

    /// Paint with pasted tiles from now on: they are placed where a click says.
    pub(super) fn paste_tiles(&mut self, stamp: Stamp) {
        self.drop_cells();
        self.borrow_tool(ToolKind::Stamp);
        self.bench.view.stamp = stamp;
        self.bench.view.stamp_of = None;
        self.bench.view.stamps.clear();
        self.bench.view.random_brush = false;
        self.notify("Click where to place the tiles; Esc goes back to the tool before");
    }

    /// The same with tiles of several layers.
    pub(super) fn paste_layers(&mut self, layers: &[StampPart]) {
        let Some(stamp) = LayeredStamp::new(layers.to_vec()) else {
            self.notify("What was copied has no tiles: copy selected cells first");
            return;
        };
        self.drop_cells();
        self.hold(vec![HeldStamp { doc: None, weight: 1.0, stamp: Arc::new(stamp) }]);
        self.notify("Click where to place the tiles; each goes to the layer of its name");
    }

    /// Let go of selected cells: what is pasted is for other cells than those it was copied from, and only selected
    /// ones are painted.
    fn drop_cells(&mut self) {
        if let Some(doc) = self.bench.view.level.clone() {
            self.bench.select_cells(&doc, Arc::default());
        }
    }

    fn hold(&mut self, stamps: Vec<HeldStamp>) {
        self.borrow_tool(ToolKind::Stamp);
        self.bench.view.stamps = stamps;
    }

    /// Take stamps of the project in hand.
    pub(super) fn take_stamps(&mut self, docs: &[DocPath]) {
        let held = held_stamps(self.workspace.project(), docs);
        match docs {
            [doc] if held.is_empty() => self.notify(format!("The stamp {} paints nothing", doc.stem())),
            [] => self.bench.view.stamps.clear(),
            _ => self.hold(held),
        }
    }

    /// Ask for the name of a stamp of the selected cells.
    pub(super) fn ask_stamp_of_cells(&mut self) {
        let Some(doc) = self.bench.view.level.clone() else { return };
        if let Some(stamp) = self.ask_tools(&doc, tools::copied_cells).and_then(LayeredStamp::new) {
            // Values that were selected with tiles are not of the stamp.
            let stamp = stamp.of_tiles();
            if stamp.parts().iter().any(|part| part.tileset.is_none()) {
                self.notify("Stamps hold tiles; this layer holds values");
                return;
            }
            self.ask_stamp(stamp);
        }
    }

    /// Ask for the name of a stamp of what brushes paint.
    pub(super) fn ask_stamp_of_brush(&mut self) {
        let layer = self.bench.active_layer(self.workspace.project()).map(|(_, layer)| layer);
        match new_stamp_of(&self.bench.view, layer) {
            Ok(stamp) => self.ask_stamp(stamp),
            Err(why) => self.notify(why),
        }
    }

    fn ask_stamp(&mut self, stamp: LayeredStamp) {
        if let Err(why) = StampFile::check_size(stamp.size()) {
            self.notify(why);
            return;
        }
        let new = NewStamp::new(self.workspace.project(), stamp);
        self.ask_for(Request::NewStamp(new));
    }
}
