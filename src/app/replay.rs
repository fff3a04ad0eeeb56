//! The commands that go back in what was played: step back, loop, branch, and keep it as a scenario.

use std::sync::Arc;

use super::editor::Editor;
use crate::{
    edit::Edit,
    editor::{Played, Selection},
    model::{DocKind, DocPath, Document, Name, counted},
    sim::recorded_scenario::{RecordedScenario, recorded_scenario},
};

impl Editor {
    /// Go back by a tick.
    pub(super) fn step_back(&mut self) {
        let reports = self.host.step_back();
        self.show_reports(reports);
    }

    /// Play the level shown from its first tick on.
    pub(super) fn play_from_start(&mut self) {
        let reports = self.host.seek(0);
        self.show_reports(reports);
        self.play_pause();
    }

    /// Play the level shown from its first tick on, with the player at a point of it: where the pointer is, if none is
    /// given, else in the middle of what is seen.
    pub(super) fn play_from_here(&mut self, at: Option<[f64; 2]>) {
        let view = &self.bench.view;
        let Some(level) = &view.level else { return };
        let pointer = || view.pointer.as_ref().map(|pointer| pointer.pos);
        let middle = || view.cameras.get(level).map(|camera| camera.center.as_dvec2().to_array());
        let Some(at) = at.or_else(pointer).or_else(middle) else { return };
        if self.host.preview().is_some_and(|preview| preview.level == *level) {
            let reports = self.host.play_from(at, &self.bench.view.cameras);
            self.show_reports(reports);
        } else {
            self.start(true, Some(at));
        }
    }

    /// Begin another future at the moment shown, with the level as it is edited now.
    pub(super) fn branch(&mut self) {
        self.host.branch(Played::of(&self.workspace, &self.derived, self.bench.tuning.active));
    }

    /// Loop from the moment shown on, or up to it.
    pub(super) fn repeat_at(&mut self, is_start: bool) {
        let Some(preview) = self.host.preview() else { return };
        let (tick, [first, end]) = (preview.session.tick(), preview.session.range());
        let [from, to] = preview.repeated.unwrap_or([first, end]);
        let range = if is_start {
            [tick, if to > tick { to } else { end }]
        } else {
            [if from < tick { from } else { first }, tick]
        };
        self.host.repeat(Some(range));
        if range[0] >= range[1] {
            self.notify("Play on, then choose where the loop ends".to_owned());
        }
    }

    /// Loop over the whole recording, or no more.
    pub(super) fn repeat_all(&mut self) {
        let Some(preview) = self.host.preview() else { return };
        let range = preview.repeated.is_none().then(|| preview.session.range());
        self.host.repeat(range);
    }

    /// Keep what was played up to the moment shown as a scenario of the project, as one step.
    pub(super) fn save_scenario(&mut self) {
        let Some(preview) = self.host.preview() else { return };
        let world = preview.session.world();
        let level = self.workspace.project().level(&preview.level);
        let is_entity = |id: &&Name| world.by_id(id).is_some() || level.is_some_and(|level| level.entity(id).is_some());
        let mut ids: Vec<Name> =
            self.bench.selection().ids_in(&preview.level).iter().filter(is_entity).cloned().collect();
        let driven = world.possessed().and_then(|key| world.entity(key)).map(|view| view.id.clone());
        let players =
            world.entities().filter(|view| view.alive && view.resolved.has("Player")).map(|view| view.id.clone());
        ids.extend(driven.into_iter().chain(players));
        ids.sort();
        ids.dedup();
        let RecordedScenario { scenario, n_left_out } = recorded_scenario(&preview.session, &ids);
        let stem = preview.level.stem().to_owned();
        let project = self.workspace.project();
        let path = |n: u32| DocPath::new(&format!("{}/{stem}_played_{n}.ron", DocKind::Scenario.folder()));
        let Some(doc) = (1..10_000).filter_map(path).find(|path| project.doc(path).is_none()) else { return };
        let edit = Edit::put_document(doc.clone(), Arc::new(Document::Scenario(scenario)));
        if self.kept_step(Some("Save as scenario"), &[edit]).is_none() {
            return;
        }
        self.bench.select(Selection::Document(doc.clone()));
        let left_out = if n_left_out == 0 {
            String::new()
        } else {
            format!("; {} made while it played cannot be in a scenario", counted(n_left_out, "change"))
        };
        self.notify(format!("Kept as {doc}{left_out}. Saved, it is run by levelwright test"));
    }
}
