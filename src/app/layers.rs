//! The layers of the level shown: commands about the one that tools work on.

use std::sync::Arc;

use super::editor::Editor;
use crate::{
    edit::{Edit, copy_layer},
    editor::Selection,
    model::{DocPath, Layer, Level, Name, sentence},
    refactor::{NewLayer, Request},
};

impl Editor {
    /// Do something with the active layer.
    pub(super) fn with_layer(&mut self, act: impl FnOnce(&mut Self, &DocPath, &Name)) {
        let active = self.bench.active_layer(self.workspace.project());
        if let Some((doc, layer)) = active.map(|(doc, layer)| (doc.clone(), layer.name.clone())) {
            act(self, &doc, &layer);
        }
    }

    /// Select a layer and have tools work on it.
    pub(super) fn take_layer(&mut self, doc: &DocPath, layer: Name) {
        self.bench.work_on(doc, layer.clone(), self.workspace.project());
        self.bench.select(Selection::Layer { doc: doc.clone(), layer });
    }

    /// Ask for the kind and name of a new layer, to stand in front of the active one.
    pub(super) fn ask_new_layer(&mut self) {
        let project = self.workspace.project();
        let Some(doc) = self.bench.view.level.clone() else { return };
        let Some(level) = project.level(&doc) else { return };
        let at = self.bench.view.active_layer_of(&doc, level).map_or(level.layers.len(), |at| at + 1);
        let tileset = self.bench.view.tilesets(project).into_iter().next();
        let new = NewLayer::new((&doc, level), tileset, at);
        self.ask_for(Request::NewLayer(new));
    }

    /// Copy a layer with all that is on it, in front of it.
    pub(super) fn duplicate_layer(&mut self, doc: &DocPath, layer: &Name) {
        let seed = self.seeds.fresh();
        let Some(level) = self.workspace.project().level(doc) else { return };
        match copy_layer((doc, level), layer, seed) {
            Ok((edits, copy)) => {
                if self.step(Some(&format!("Duplicate layer {layer} as {copy}")), &edits).is_some() {
                    self.take_layer(doc, copy);
                }
            }
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    /// Delete a layer. It is a step like any other; since it can hold much, the way back is named.
    pub(super) fn delete_layer(&mut self, doc: &DocPath, layer: &Name) {
        let edit = Edit::Remove { doc: doc.clone(), at: Level::layer_at(&**layer) };
        if self.step(None, &[edit]).is_some() {
            self.bench.deselect();
            self.notify(format!("Deleted layer {layer} and what was on it; undo brings it back"));
        }
    }

    /// Bring the active layer forward, or send it back.
    pub(super) fn move_layer(&mut self, by: isize) {
        self.with_layer(|editor, doc, layer| {
            let at = editor.workspace.project().level(doc).and_then(|level| level.layer(layer)).map(|(at, _)| at);
            if let Some(to) = at.and_then(|at| at.checked_add_signed(by)) {
                editor.step(None, &[Edit::Move { doc: doc.clone(), at: Level::layer_at(&**layer), to }]);
            }
        });
    }

    /// Lock the active layer, or unlock it.
    pub(super) fn lock_layer(&mut self) {
        self.switch_layer("locked", |layer| {
            let verb = if layer.locked { "Unlock" } else { "Lock" };
            (!layer.locked, format!("{verb} layer {}", layer.name))
        });
    }

    /// Lock every layer but one; where they all are, unlock them.
    pub(super) fn lock_other_layers(&mut self, doc: &DocPath, layer: &Name) {
        let Some(level) = self.workspace.project().level(doc) else { return };
        let locked = !level.are_others_locked(layer);
        let others = level.layers.iter().filter(|other| other.name != *layer && other.locked != locked);
        let set = |other: &Arc<Layer>| Edit::set_at(doc, Level::layer_at(&*other.name).key("locked"), &locked);
        let edits: Vec<Edit> = others.map(set).collect();
        let label = format!("{} all layers but {layer}", if locked { "Lock" } else { "Unlock" });
        self.step(Some(&label), &edits);
    }

    /// Show a layer alone in the window, or again what was shown before.
    pub(super) fn show_alone(&mut self, doc: &DocPath, layer: &Name) {
        if let Some(level) = self.workspace.project().level(doc) {
            self.bench.view.show_alone(doc, level, layer);
        }
    }

    /// Have the game draw the active layer, or no longer. The window goes on showing what its eye says.
    pub(super) fn layer_in_game(&mut self) {
        self.switch_layer("visible", |layer| {
            let verb = if layer.visible { "Hide" } else { "Show" };
            (!layer.visible, format!("{verb} layer {} in the game", layer.name))
        });
    }

    fn switch_layer(&mut self, field: &str, change: impl FnOnce(&Layer) -> (bool, String)) {
        let Some((doc, layer)) = self.bench.active_layer(self.workspace.project()) else { return };
        let (is_on, label) = change(layer);
        let edit = Edit::set_at(doc, Level::layer_at(&*layer.name).key(field), &is_on);
        self.step(Some(&label), &[edit]);
    }
}
