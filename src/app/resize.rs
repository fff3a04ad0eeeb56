//! Giving a level another size. What is on the screen stays there.

use super::editor::Editor;
use crate::{
    editor::Dialog,
    model::{DocPath, sentence},
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
        if !self.resize_to(&resize) {
            self.bench.resize = Some(resize);
            self.bench.dialog = Some(Dialog::ResizeLevel);
        }
    }

    /// Make a level as large as its content.
    pub(super) fn crop_level(&mut self) {
        let Some(doc) = self.level_to_resize() else { return };
        let Some(level) = self.workspace.project().level(&doc) else { return };
        match Resize::to_content(doc, level) {
            Ok(resize) => drop(self.resize_to(&resize)),
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    /// Resize as one step. Returns whether that was done; a notice says why not.
    fn resize_to(&mut self, resize: &Resize) -> bool {
        self.end_gesture();
        let plan = match resize.plan(self.workspace.project()) {
            Ok(plan) => plan,
            Err(refusal) => {
                self.notify(sentence(&refusal.to_string()));
                return false;
            }
        };
        let level = self.workspace.project().level(&resize.doc);
        let moved = level.map(|level| {
            let ([x, y], [w, h]) = (resize.shift(level), level.tile_size);
            glam::DVec2::new(f64::from(x) * f64::from(w), f64::from(y) * f64::from(h))
        });
        if self.step(Some(&plan.label), &plan.edits).is_none() {
            return false;
        }
        if let Some((camera, by)) = self.bench.view.cameras.get_mut(&resize.doc).zip(moved) {
            camera.center += by.as_vec2();
        }
        true
    }
}
