//! Giving a level another size. What is on the screen stays there.

use std::sync::Arc;

use super::editor::Editor;
use crate::{
    edit::Edit,
    editor::Dialog,
    model::{DocPath, Project, sentence},
    refactor::Resize,
};

impl Editor {
    /// The level that is meant.
    fn level_to_resize(&self) -> Option<DocPath> {
        self.bench.selection().level_or(self.bench.view.level.as_ref()).cloned()
    }

    /// Ask for the new size.
    pub(super) fn ask_resize(&mut self) {
        self.end_gesture();
        let Some(doc) = self.level_to_resize() else { return };
        let Some(level) = self.workspace.project().level(&doc) else { return };
        self.bench.resize = Some(Resize::new(doc, level));
        self.bench.dialog = Some(Dialog::ResizeLevel);
    }

    /// Resize as the dialog says; it stays open where that cannot be.
    pub(super) fn resize_level(&mut self) {
        let Some(resize) = self.bench.resize.take() else { return };
        if !self.resize_to(&resize, |_| {}) {
            self.bench.resize = Some(resize);
            self.bench.dialog = Some(Dialog::ResizeLevel);
        }
    }

    /// Make a level as large as its content.
    pub(super) fn crop_level(&mut self) {
        let Some(doc) = self.level_to_resize() else { return };
        let Some(level) = self.workspace.project().level(&doc) else { return };
        match Resize::to_content(doc, level) {
            Ok(resize) => self.crop_to(&resize),
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    /// Crop without having asked, and tell what is outside then. The cells that were selected are the whole level or
    /// beside it, and a key pressed next would erase them.
    fn crop_to(&mut self, resize: &Resize) {
        let left = self.workspace.project().level(&resize.doc).and_then(|level| resize.things_outside(level).left());
        let doc = resize.doc.clone();
        self.resize_to(resize, move |editor| {
            editor.bench.select_cells(&doc, Arc::default());
            if let Some(left) = left {
                editor.notify(left);
            }
        });
    }

    /// Make the level shown as large as the rectangle around its selected cells.
    pub(super) fn crop_to_cells(&mut self) {
        let Some(doc) = self.bench.view.level.clone() else { return };
        let Some(bounds) = self.bench.view.cells.get(&doc).and_then(|cells| cells.bounds()) else { return };
        let Some(level) = self.workspace.project().level(&doc) else { return };
        let grid = level.grid_at(self.bench.view.active_layer_of(&doc, level));
        match Resize::to_cells(doc, level, grid, bounds) {
            Ok(resize) => self.crop_to(&resize),
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    /// Resize as one step, and go on when that is done. Returns whether it was begun; a notice says why not.
    fn resize_to(&mut self, resize: &Resize, then: impl FnOnce(&mut Self) + 'static) -> bool {
        self.end_gesture();
        let plan = match resize.plan(self.workspace.project()) {
            Ok(plan) => plan,
            Err(refusal) => {
                self.notify(sentence(&refusal.to_string()));
                return false;
            }
        };
        let (resize, label, planned) = (resize.clone(), plan.label.clone(), resize.clone());
        let plan_edits = Arc::new(move |project: &Project| planned.plan(project).map(|plan| plan.edits));
        self.make(&plan.label, plan_edits, move |editor, edits| {
            if editor.resize_by(&resize, &label, edits) {
                then(editor);
            }
        })
    }

    /// Resize by edits, as one step. Returns whether that was done.
    fn resize_by(&mut self, resize: &Resize, label: &str, edits: &[Edit]) -> bool {
        let before = self.cells_now(&resize.doc);
        let unshifted = self.workspace.project().doc(&resize.doc).cloned();
        let level = self.workspace.project().level(&resize.doc);
        let moved = level.map(|level| level.grid().corner_px(resize.shift(level)));
        if self.step(Some(label), edits).is_none() {
            return false;
        }
        let Some(by) = moved else { return true };
        if let Some((unshifted, shifted)) = unshifted.zip(self.workspace.project().doc(&resize.doc).cloned()) {
            self.bench.level_shifted(&resize.doc, [&unshifted, &shifted], by);
        }
        let level = self.workspace.project().level(&resize.doc);
        let grid = level.map(|level| level.grid_at(self.bench.view.active_layer_of(&resize.doc, level)));
        if let Some((cells, grid)) = self.bench.view.cells.get(&resize.doc).zip(grid) {
            let left = grid.clip(&cells.moved(grid.cell_at(by)));
            self.bench.select_cells(&resize.doc, Arc::new(left));
            self.cells_moved(&resize.doc, before);
        }
        true
    }
}
