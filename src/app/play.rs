//! The preview's commands, the keys that drive it, and what it reports.

use std::sync::Arc;

use egui::Key;

use super::{editor::Editor, notice::Applies};
use crate::{
    edit::Edit,
    editor::{CameraMode, Overlay, Played, PreviewAction, PreviewReport, Selection, Workbench},
    model::{DocKind, DocPath, Name, Seg, counted},
    sim::{Input, insight::Freeze},
};

impl Editor {
    /// Start, pause or go on.
    pub(super) fn play_pause(&mut self) {
        let (is_this, reports) = self.host.pause_or_go_on(self.bench.view.level.as_ref());
        self.show_reports(reports);
        if !is_this {
            self.start(true, None);
        }
    }

    /// Show the last of what the running world reports.
    pub(super) fn show_reports(&mut self, reports: Vec<PreviewReport>) {
        if reports.contains(&PreviewReport::Started) {
            // The project and what is tried may be others since its world was begun.
            self.bring_preview_up();
        }
        match reports.into_iter().next_back() {
            None | Some(PreviewReport::Started) => {}
            Some(PreviewReport::Message(text)) => self.notify_while(Applies::WhilePlaying, text),
            Some(PreviewReport::Paused(text)) => self.notify_while(Applies::WhilePaused, text),
            Some(PreviewReport::Refused(why)) => self.notify(why),
            Some(PreviewReport::Ended) => {
                self.notify_while(Applies::ForAWhile, "The preview ended because of a defect in the program");
            }
        }
    }

    /// Compile the level shown and begin, with the player at a point of it if that is given.
    pub(super) fn start(&mut self, is_playing: bool, from: Option<[f64; 2]>) {
        self.end_gesture();
        let Some(level) = self.bench.view.level.clone() else { return };
        // Another level may be playing; what is selected in it is not in this one.
        self.end_live();
        self.bench.view.watch = None;
        // The keys that drive the player would move what is on selected cells, were they pressed once more after Stop.
        self.bench.select_cells(&level, Arc::default());
        let is_elsewhere = |doc: &DocPath| doc.kind() == Some(DocKind::Level) && *doc != level;
        if self.bench.selection().doc().is_some_and(is_elsewhere) {
            self.bench.select(Selection::Document(level.clone()));
        }
        let played = Played::of(&self.workspace, &self.derived, self.bench.tuning.active);
        let cameras = &mut self.bench.view.cameras;
        if let Err(why) = self.host.start(level, played, (is_playing, from), (cameras, self.jobs.wake())) {
            self.notify(why);
        }
        self.follow_live();
    }

    /// Show the level larger or smaller.
    pub(super) fn zoom(&mut self, zoom: impl FnOnce(&mut Workbench)) {
        self.host.look_by_scale(self.bench.view.level.as_ref());
        zoom(&mut self.bench);
    }

    /// Show the whole level.
    pub(super) fn show_whole_level(&mut self) {
        if let Some(level) = &self.bench.view.level {
            self.host.look_freely(level);
        }
        self.bench.zoom_fit();
    }

    /// Have the view follow the selected entity of the running level, else the one that is driven.
    pub(super) fn follow_selected(&mut self) {
        let Some(preview) = self.host.preview() else { return };
        let world = preview.session.world();
        let driven = || world.possessed().and_then(|key| world.entity(key)).map(|entity| entity.id.clone());
        if let Some(id) = self.selected_running().or_else(driven) {
            self.host.look(CameraMode::Follow, Some(id));
        }
    }

    /// The first selected entity of the running level.
    pub(super) fn selected_running(&self) -> Option<Name> {
        let preview = self.host.preview()?;
        let mut selected = self.bench.selection().ids_in(&preview.level).iter();
        selected.find(|id| preview.session.world().by_id(id).is_some()).cloned()
    }

    /// Explain why the selected entity of the running level stands still, or no more.
    pub(super) fn explain_still(&mut self) {
        let selected = self.selected_running();
        let view = &mut self.bench.view.insight;
        match selected.or_else(|| view.why.clone()) {
            Some(id) => view.explain(&id),
            None => view.why = None,
        }
    }

    /// Have the keys drive the selected entity of the running level.
    pub(super) fn drive_selected(&mut self) {
        let selected = self.selected_running();
        let key = self.host.preview().zip(selected).and_then(|(it, id)| it.session.world().by_id(&id));
        if key.is_some() {
            self.preview_action(PreviewAction::Possess(key));
        }
    }

    /// Pause when the selected entities of the running level begin to touch, or no more.
    pub(super) fn freeze_on_contact(&mut self) {
        let Some(preview) = self.host.preview() else { return };
        let world = preview.session.world();
        let selected = self.bench.selection().ids_in(&preview.level).iter();
        let ids: Vec<Name> = selected.filter(|id| world.by_id(id).is_some()).take(2).cloned().collect();
        let view = &mut self.bench.view.insight;
        // What is waited for ends by the same command, whatever is selected.
        if view.freeze.take().is_none() {
            view.freeze_on(&ids);
        }
        let text = match &view.freeze {
            Some(Freeze { a, b: Some(b) }) => format!("The preview pauses when {a} and {b} begin to touch"),
            Some(Freeze { a, b: None }) => format!("The preview pauses when {a} begins to touch anything"),
            None => "The preview no longer pauses on contact".to_owned(),
        };
        self.notify(text);
    }

    /// End the preview and look at the level as before.
    pub(super) fn stop(&mut self) {
        self.bench.view.insight.preview_ended();
        self.host.stop(&mut self.bench.view.cameras);
        self.follow_live();
        let n = self.tried_values().len();
        if n > 0 {
            self.notify(format!("{} still tried out: keep or drop in Tuning", counted(n, "value")));
        }
    }

    /// Run one tick, from the beginning if nothing runs.
    pub(super) fn step_tick(&mut self) {
        if !self.host.is_on() {
            self.start(false, None);
        }
        let reports = self.host.step();
        self.show_reports(reports);
    }

    /// Let real time pass for the preview. Returns whether it wants another frame.
    pub(super) fn advance(&mut self, real_secs: f64, input: &Input) -> bool {
        self.host.make_ghosts(self.bench.view.overlays.ghosts);
        self.host.restart(Played::of(&self.workspace, &self.derived, self.bench.tuning.active));
        let running = self.selected_running();
        self.bench.view.insight.follow(running);
        let shown = self.bench.view.level.clone();
        let selected = shown.as_ref().map_or(&[][..], |doc| self.bench.selection().ids_in(doc)).to_vec();
        let view = &mut self.bench.view;
        let watch = view.insight.watch(&selected);
        let keep_searches = view.overlays.paths || view.insight.on.has(Overlay::Searches);
        self.host.watch(watch);
        self.host.draw_smoothly(!view.overlays.colliders && !view.insight.covers_entities(selected.len()));
        let reports = self.host.advance(real_secs, input, &mut view.cameras, keep_searches);
        self.show_reports(reports);
        self.play_sounds();
        // It may have ended by itself.
        self.follow_live();
        self.preview().is_some_and(|preview| preview.is_playing)
    }

    /// Carry out an action of the preview.
    pub(super) fn preview_action(&mut self, action: PreviewAction) {
        let reports = match action {
            PreviewAction::Possess(key) => self.host.possess(key),
            PreviewAction::Seek(tick) => self.host.seek(tick),
            PreviewAction::Repeat(between) => {
                self.host.repeat(between);
                Vec::new()
            }
            PreviewAction::Send { to, message } => self.host.send(to, message),
            PreviewAction::ClearProfile => {
                self.host.clear_profile();
                Vec::new()
            }
            PreviewAction::Hand(at) => return self.by_hand(&at),
            PreviewAction::KeepPlace(key) => return self.keep_place(key),
            PreviewAction::PlayFrom(at) => return self.play_from_here(Some(at)),
            PreviewAction::MoveBack(key) => self.host.move_back(key),
            PreviewAction::TakeOut(key) => return self.take_out(key),
            PreviewAction::KeepLive(changes) => return self.keep_live(Some(changes)),
            PreviewAction::DropLive(changes) => return self.drop_live(Some(changes)),
        };
        self.show_reports(reports);
    }

    /// Bring the running world up to what was derived last.
    pub(super) fn bring_preview_up(&mut self) {
        self.host.bring_up(Played::of(&self.workspace, &self.derived, self.bench.tuning.active));
    }

    /// Set edited constants of the running world at once, before anything else is derived.
    pub(super) fn tune_running(&mut self, edits: &[Edit]) {
        if !self.host.is_on() {
            return;
        }
        for edit in edits {
            let Edit::Set { doc, at, .. } = edit else { continue };
            let [Seg::Key(values), Seg::Key(name), ..] = at.0.as_slice() else { continue };
            if let Some(page) = self.workspace.project().tuning(doc).filter(|_| **values == *"values")
                && let Some(value) = page.values.get(name).map(|constant| constant.value.clone())
            {
                let full = format!("{}.{name}", page.page);
                // Values that are tried out apply, whatever the file has meanwhile.
                if !self.tried_values().contains_key(&*full) {
                    self.host.set_constant(full, value);
                }
            }
        }
    }

    /// What players hold: pads, and keys while nothing is being typed. Nothing while a dialog is open.
    pub(super) fn input(&self, ctx: &egui::Context) -> Input {
        if !self.host.is_on() || self.dialog().is_some() {
            return Input::NONE;
        }
        let is_typing = ctx.text_edit_focused() || crate::ui::keys_are_taken(ctx);
        ctx.input(|input| {
            let takes_keys = !is_typing && !input.modifiers.command && !input.modifiers.alt;
            // A key that went down and up again within one frame counts too.
            let is_down = |key: Key| input.key_down(key) || input.key_pressed(key);
            let is_held = |name: &str| takes_keys && Key::from_name(name).is_some_and(is_down);
            self.controls().input(is_held, &self.pads)
        })
    }
}
