//! The preview: what the transport asks of it, the keys that drive it, and how it follows edits while it runs.

use std::sync::Arc;

use egui::Key;

use super::{
    editor::Editor,
    notice::Applies,
    ticking::{Returned, Ticking},
};
use crate::{
    edit::Edit,
    editor::{Camera, Preview, PreviewAction},
    model::{DocPath, Document, Seg, sentence},
    sim::{Input, Options, Session, World, motion::smooth_damp_vec},
};

/// Slowest and fastest.
const SPEEDS: [f64; 2] = [0.125, 8.0];

/// Points a pixel of the game when the camera comes closer to play.
const PLAY_SCALE: f32 = 2.5;

/// Keys that drive the player.
const KEYS: [(Key, u8); 10] = [
    (Key::ArrowLeft, Input::LEFT),
    (Key::ArrowRight, Input::RIGHT),
    (Key::ArrowUp, Input::UP),
    (Key::ArrowDown, Input::DOWN),
    (Key::A, Input::LEFT),
    (Key::D, Input::RIGHT),
    (Key::W, Input::UP),
    (Key::S, Input::DOWN),
    (Key::Space, Input::JUMP),
    (Key::Enter, Input::JUMP),
];

impl Editor {
    /// Start, pause or go on.
    pub(super) fn play_pause(&mut self) {
        match &mut self.preview {
            Some(preview) if self.view.level.as_ref() == Some(&preview.level) => {
                preview.is_playing = !preview.is_playing;
                if !preview.is_playing {
                    // It stops at what is seen.
                    let messages = preview.session.give_up();
                    self.notify_last(Applies::WhilePlaying, messages);
                }
            }
            _ => self.start(true),
        }
    }

    /// Show the last message of the running world.
    fn notify_last(&mut self, applies: Applies, messages: Vec<String>) {
        if let Some(text) = messages.into_iter().next_back() {
            self.notify_while(applies, text);
        }
    }

    /// Have the preview's thread compute what is next.
    fn run_next(&mut self) {
        if let (Some(preview), Some(ticking)) = (&mut self.preview, &self.ticking)
            && let Some(batch) = preview.session.begin()
        {
            ticking.run(batch);
        }
    }

    /// Compile the level shown and begin.
    pub(super) fn start(&mut self, is_playing: bool) {
        self.end_gesture();
        self.stop();
        let Some(level) = self.view.level.clone() else { return };
        match World::compile(&self.derived_project, &self.active_resolution(), level.stem(), Options::default()) {
            Ok(world) => {
                match Ticking::new(self.jobs.wake()) {
                    Ok(ticking) => self.ticking = Some(ticking),
                    Err(why) => {
                        self.notify(format!("The preview cannot start: {why}"));
                        return;
                    }
                }
                let session = Session::new(world);
                self.come_closer(&level, &session);
                self.previewed = self.derived_project.clone();
                self.preview = Some(Preview { level, session, is_playing });
            }
            Err(findings) => {
                let why = findings.first().map_or("the level cannot be played", |finding| finding.message.as_str());
                self.notify(sentence(why));
            }
        }
    }

    /// Where the camera follows someone, be near enough to see them; [`Editor::stop`] goes back.
    fn come_closer(&mut self, level: &DocPath, session: &Session) {
        let Some(target) = session.followed() else { return };
        let camera = self.view.cameras.get(level).copied();
        self.camera_before.get_or_insert((level.clone(), camera));
        if let Some(camera) = camera.filter(|camera| camera.scale < PLAY_SCALE) {
            let near = Camera { center: target, ..camera.scaled(PLAY_SCALE) };
            self.view.cameras.insert(level.clone(), near);
        }
        self.camera_speed = glam::Vec2::ZERO;
    }

    /// End the preview and look at the level as before.
    pub(super) fn stop(&mut self) {
        self.preview = None;
        self.ticking = None;
        match self.camera_before.take() {
            Some((level, Some(camera))) => drop(self.view.cameras.insert(level, camera)),
            Some((level, None)) => drop(self.view.cameras.remove(&level)),
            None => {}
        }
    }

    /// Run one tick, from the beginning if nothing runs.
    pub(super) fn step_tick(&mut self) {
        if self.preview.is_none() {
            self.start(false);
        }
        let Some(preview) = &mut self.preview else { return };
        let messages = if std::mem::take(&mut preview.is_playing) { preview.session.give_up() } else { Vec::new() };
        preview.session.request_step();
        self.run_next();
        self.notify_last(Applies::WhilePlaying, messages);
    }

    /// Half or twice the speed.
    pub(super) fn change_speed(&mut self, factor: f64) {
        if let Some(preview) = &mut self.preview {
            preview.session.speed = (preview.session.speed * factor).clamp(SPEEDS[0], SPEEDS[1]);
        }
    }

    /// Take over the ticks that were run.
    fn take_ticks(&mut self) {
        let (Some(preview), Some(ticking)) = (&mut self.preview, &self.ticking) else { return };
        let (mut all_messages, mut applies) = (Vec::new(), Applies::WhilePlaying);
        loop {
            match ticking.take() {
                Returned::Nothing => break,
                Returned::Ran(ran) => {
                    let (messages, is_cut_short) = preview.session.take(ran);
                    if is_cut_short {
                        preview.is_playing = false;
                        applies = Applies::WhilePaused;
                    }
                    all_messages.extend(messages);
                }
                Returned::Lost => {
                    self.stop();
                    self.notify_while(Applies::ForAWhile, "The preview ended because of a defect in the program");
                    return;
                }
            }
        }
        self.notify_last(applies, all_messages);
    }

    /// Let real time pass: take over the ticks that were run and have others run, and a paused preview's steps and changes.
    /// Returns whether the preview wants another frame.
    pub(super) fn advance(&mut self, real_secs: f64, input: &Input) -> bool {
        self.take_ticks();
        if let Some(preview) = self.preview.as_mut().filter(|preview| preview.is_playing) {
            preview.session.keep_searches = self.view.overlays.paths;
            preview.session.pass(real_secs, input);
        }
        self.run_next();
        let Some(preview) = self.preview.as_ref().filter(|preview| preview.is_playing) else { return false };
        let world = preview.session.world();
        let target = preview.session.followed();
        if let (Some(target), Some(camera)) = (target, self.view.cameras.get_mut(&preview.level)) {
            let at = camera.center;
            let constants = world.constants();
            let (smooth_time, max_speed) = (constants.camera_smooth_secs, constants.camera_max_speed);
            let followed = smooth_damp_vec(at, target, &mut self.camera_speed, smooth_time, max_speed, real_secs);
            camera.center = followed;
        }
        true
    }

    /// What is asked of the preview.
    pub(super) fn preview_action(&mut self, action: PreviewAction) {
        let Some(preview) = &mut self.preview else { return };
        let messages = match action {
            PreviewAction::Possess(key) => preview.session.change(move |world| {
                world.possess(key);
                None
            }),
            PreviewAction::Send { to, message } => preview.session.change(move |world| {
                let n = world.send(&to, &message, &crate::model::Fields::new(), 0.0);
                (n == 0).then(|| format!("No entity is named {to}"))
            }),
        };
        self.notify_last(Applies::WhilePlaying, messages);
    }

    /// Turn constants of the running world at once, before anything else is worked out.
    pub(super) fn tune_running(&mut self, edits: &[Edit]) {
        if self.preview.is_none() {
            return;
        }
        for edit in edits {
            let Edit::Set { doc, at, .. } = edit else { continue };
            let [Seg::Key(values), Seg::Key(name), ..] = at.0.as_slice() else { continue };
            if let Some(page) = self.project.tuning(doc).filter(|_| **values == *"values")
                && let Some(value) = page.values.get(name).map(|constant| constant.value.clone())
            {
                let full = format!("{}.{name}", page.page);
                // Values that are tried out apply, whatever the file has meanwhile.
                if !self.tried_values().contains_key(&*full)
                    && let Some(preview) = &mut self.preview
                {
                    preview.session.change(move |world| {
                        world.set_tunable(&full, value.clone());
                        None
                    });
                }
            }
        }
    }

    /// Bring the running world up to the project as it is now: constants are set, anything else is migrated.
    pub(super) fn bring_preview_up(&mut self) {
        if self.preview.is_none() {
            return;
        }
        let changed: Vec<(&DocPath, Option<&Arc<Document>>)> = self
            .derived_project
            .documents
            .iter()
            .filter(|(path, doc)| self.previewed.doc(path).is_none_or(|old| !Arc::ptr_eq(old, doc)))
            .map(|(path, doc)| (path, Some(doc)))
            .chain(
                self.previewed
                    .documents
                    .keys()
                    .filter(|path| self.derived_project.doc(path).is_none())
                    .map(|path| (path, None)),
            )
            .collect();
        if changed.is_empty() {
            return;
        }
        let only_tuning = changed.iter().all(|(_, doc)| matches!(doc.map(|doc| &**doc), Some(Document::Tuning(_))));
        // A constant that is new, or has another name, is one that the running world does not have.
        let has_all = self.preview.as_ref().is_some_and(|preview| {
            let world = preview.session.world();
            let has = |page: &str, name: &str| world.tunable(&format!("{page}.{name}")).is_some();
            self.resolution.pages.iter().all(|page| page.values.iter().all(|(name, ..)| has(&page.name, name)))
        });
        if only_tuning && has_all {
            self.apply_overlay();
        } else {
            let (project, resolution) = (self.derived_project.clone(), self.active_resolution());
            let constants = self.active_constants();
            let Some(preview) = &mut self.preview else { return };
            preview.session.migrate(move |world| {
                let failed = match world.migrate(&project, &resolution) {
                    Ok(migrated) => {
                        *world = migrated;
                        None
                    }
                    Err(findings) => {
                        let why = findings.first().map_or_else(String::new, |finding| format!(": {}", finding.message));
                        Some(format!("The preview keeps running the level as it was{why}"))
                    }
                };
                for (full, value) in &constants {
                    world.set_tunable(full, value.clone());
                }
                failed
            });
        }
        self.previewed = self.derived_project.clone();
    }
}

/// The keys held, while nothing is being typed.
pub(super) fn input_of(ctx: &egui::Context) -> Input {
    let mut held = Input::NONE;
    if ctx.text_edit_focused() || crate::ui::keys_are_taken(ctx) {
        return held;
    }
    ctx.input(|input| {
        if input.modifiers.command || input.modifiers.alt {
            return;
        }
        for (key, bit) in KEYS {
            // A key that went down and up again within one frame counts too.
            if input.key_down(key) || input.key_pressed(key) {
                held.set(0, bit, true);
            }
        }
    });
    held
}
