//! Edits while a level plays: when they are live, what is kept of them, and what is done by hand to running entities.

use std::sync::Arc;

use super::{editor::Editor, notice::Applies};
use crate::{
    edit::{Edit, Refusal},
    editor::{Changed, LevelPointer, LiveChange, Selection, ViewChange, Workspace},
    model::{DocPath, Name, Project, counted, counted_doing, sentence},
    sim::{EntityKey, physics::BodySpec},
    tools::{HandOut, PointerPhase, Running, kept_place},
    ui::canvas::looks::of_running,
};

impl Editor {
    /// Have changes be live while a preview runs, if they are to be. Those that are live stay so until they are kept or
    /// dropped, or the preview ends.
    pub(super) fn follow_live(&mut self) {
        let is_wanted = self.host.is_on() && self.bench.view.live_edits;
        if !self.host.is_on() {
            self.bench.hand.forget();
        }
        match (self.workspace.is_live(), is_wanted) {
            (false, true) => {
                if let Some(changed) = self.workspace.begin_live() {
                    self.follow(&changed);
                }
            }
            (true, false) if !self.host.is_on() || self.workspace.live_changes().is_empty() => self.end_live(),
            _ => {}
        }
    }

    /// The preview ends: the documents are what they were, but for what was kept.
    pub(super) fn end_live(&mut self) {
        if !self.workspace.is_live() {
            return;
        }
        self.end_gesture();
        let Some((n, changed)) = self.workspace.end_live() else { return };
        self.follow(&changed);
        if n > 0 {
            self.focus_where_undo_is(&changed.before);
            let dropped = counted(n, "live change");
            let them = if n == 1 { "it" } else { "them" };
            self.notify_while(Applies::ForAWhile, format!("{dropped} dropped. Undo brings {them} back"));
        }
    }

    /// Undo takes the newest step of the focused document: have that be one of those that were changed.
    fn focus_where_undo_is(&mut self, before: &crate::model::Project) {
        let now = self.workspace.project();
        let is_other = |doc: &DocPath| match (before.doc(doc), now.doc(doc)) {
            (Some(a), Some(b)) => !Arc::ptr_eq(a, b),
            (a, b) => a.is_some() || b.is_some(),
        };
        if !self.bench.view.focus.as_ref().is_some_and(is_other) {
            let other = before.documents.keys().chain(now.documents.keys()).find(|doc| is_other(doc));
            self.bench.view.focus = other.cloned().or(self.bench.view.focus.take());
        }
    }

    /// Whether edits while a level plays are to be live.
    pub(super) fn toggle_live(&mut self) {
        self.bench.view.live_edits ^= true;
        self.follow_live();
        let n = self.workspace.live_changes().len();
        if !self.bench.view.live_edits && n > 0 {
            let stays = counted_doing(n, "live change", ["stays", "stay"]);
            self.notify(format!("{stays} so until kept or dropped"));
        }
    }

    /// Write live changes into the project that is kept; all of them for `None`.
    pub(super) fn keep_live(&mut self, changes: Option<Vec<LiveChange>>) {
        self.change_live(changes, "kept", Workspace::keep_live);
    }

    /// Take live changes back; all of them for `None`.
    pub(super) fn drop_live(&mut self, changes: Option<Vec<LiveChange>>) {
        self.change_live(changes, "dropped", Workspace::drop_live);
    }

    fn change_live(
        &mut self,
        changes: Option<Vec<LiveChange>>,
        done: &str,
        change: impl FnOnce(&mut Workspace, &[LiveChange]) -> Result<Changed, Refusal>,
    ) {
        self.end_gesture();
        let changes = changes.unwrap_or_else(|| self.workspace.live_changes());
        if changes.is_empty() {
            return;
        }
        match change(&mut self.workspace, &changes) {
            Ok(changed) => {
                self.follow(&changed);
                self.bench.view.focus = changes.first().map(|change| change.doc.clone());
                self.notify(format!("{} {done}", sentence(&counted(changes.len(), "live change"))));
            }
            Err(refusal) => self.notify(format!("Nothing was {done}: {refusal}")),
        }
    }

    /// Documents with changes that would be lost with the project: those that differ from their files, and those with
    /// live changes.
    pub(super) fn unsaved_or_live(&self) -> Vec<DocPath> {
        let mut docs = self.workspace.unsaved();
        docs.extend(self.workspace.live_changes().into_iter().map(|change| change.doc));
        docs.sort();
        docs.dedup();
        docs
    }

    /// Pass a pointer event over the level that plays to the select tool.
    pub(super) fn by_hand(&mut self, at: &LevelPointer) {
        let Some(running) = self.running(at) else { return };
        let selected = self.bench.selection().ids_in(&at.doc).to_vec();
        let HandOut { acts, selection, .. } = self.bench.hand.pointer(&at.event, &running, &selected, at.px_per_point);
        for act in acts {
            let reports = self.host.hand(act);
            self.show_reports(reports);
        }
        if at.event.phase == PointerPhase::Press
            && let Some(ids) = selection
        {
            self.act(crate::editor::Action::View(ViewChange::WatchEntity(ids.first().cloned())));
            self.bench.select(Selection::Things { doc: at.doc.clone(), ids });
        }
    }

    /// Put what is dragged in the running world back and let go of it. Returns whether there was something.
    pub(super) fn let_go_by_hand(&mut self) -> bool {
        let is_busy = self.bench.hand.is_busy();
        for act in self.bench.hand.cancel().acts {
            let reports = self.host.hand(act);
            self.show_reports(reports);
        }
        is_busy
    }

    /// What can be grabbed of the running world, frontmost last.
    fn running(&self, at: &LevelPointer) -> Option<Vec<Running>> {
        let preview = self.host.preview().filter(|preview| preview.level == at.doc)?;
        let level = self.workspace.project().level(&at.doc)?;
        let [lo, hi] = at.visible_px;
        let center = [0, 1].map(|i| f64::midpoint(lo[i], hi[i]));
        let seen = self.bench.view.layers_seen(&at.doc, level);
        let world = preview.session.world();
        let mut all: Vec<(i64, usize, Running)> = Vec::new();
        for entity in preview.drawn().filter(|entity| entity.alive) {
            let Some(on) = seen.get(entity.layer).filter(|it| it.is_shown) else { continue };
            let look = of_running(&entity);
            let spec = world.physics().spec(entity.key);
            let running = Running {
                key: entity.key,
                id: entity.id.clone(),
                def: entity.def.clone(),
                pos: entity.pos,
                angle: entity.angle,
                extent: crate::tools::Extent { half: look.half, center: look.center },
                offset: on.look.seen_from(center).offset,
                is_dynamic: spec.is_some_and(BodySpec::is_dynamic),
                is_placed: world.placed_at(entity.key).is_some(),
            };
            all.push((look.z, entity.layer, running));
        }
        all.sort_by_key(|(z, layer, _)| (*layer, *z));
        Some(all.into_iter().map(|(_, _, running)| running).collect())
    }

    /// Give a placed entity the place that it has in the running world, or place one that the game spawned.
    pub(super) fn keep_place(&mut self, key: EntityKey) {
        let Some(preview) = self.host.preview() else { return };
        let doc = preview.level.clone();
        let world = preview.session.world();
        let Some(entity) = world.entity(key) else { return };
        // One that was placed while the level plays is kept with its new place.
        let has_it = |project: &Project| project.level(&doc).is_some_and(|level| level.entity(entity.id).is_some());
        let is_live = has_it(self.workspace.project()) && !has_it(self.workspace.kept());
        let project = if is_live { self.workspace.project() } else { self.workspace.kept() };
        let Some(level) = project.level(&doc) else { return };
        let kept = kept_place((&doc, level), &entity, self.seeds.fresh());
        let Some(kept) = kept else {
            self.notify(format!("{} has no layer in the level", entity.id));
            return;
        };
        // First, or the edit would move it back to where it is now.
        let reports = self.host.take_into_level(key, kept.id.clone(), kept.at, kept.rotation);
        self.show_reports(reports);
        let is_kept = if is_live {
            self.step(Some(&kept.label), &kept.edits);
            let mut changes = self.workspace.live_changes();
            changes.retain(|change| change.doc == doc && change.thing() == Some(&kept.id));
            self.keep_live(Some(changes));
            self.workspace.kept().level(&doc).is_some_and(|level| level.entity(&kept.id).is_some())
        } else {
            self.kept_step(Some(&kept.label), &kept.edits).is_some()
        };
        if is_kept {
            self.bench.select(Selection::Things { doc, ids: vec![kept.id] });
            self.notify(format!("{}: it stays when the preview ends", kept.label));
        }
    }

    /// Take an entity out: of the level, if that has it, else of the running world.
    pub(super) fn take_out(&mut self, key: EntityKey) {
        let Some(preview) = self.host.preview() else { return };
        let doc = preview.level.clone();
        let Some(id) = preview.session.world().entity(key).map(|entity| entity.id.clone()) else { return };
        if self.workspace.project().level(&doc).is_some_and(|level| level.entity(&id).is_some()) {
            self.step(None, &[Edit::DeleteThings { doc, ids: vec![id] }]);
        } else {
            let reports = self.host.despawn(key);
            self.show_reports(reports);
        }
        self.bench.deselect();
    }

    /// Of the selected entities, take those out of the running world that the game spawned. Returns whether it was all.
    pub(super) fn despawn_selected(&mut self, doc: &DocPath) -> bool {
        let Some(preview) = self.host.preview().filter(|preview| preview.level == *doc) else { return false };
        let Some(level) = self.workspace.project().level(doc) else { return false };
        let ids: Vec<Name> = self.bench.selection().ids_in(doc).to_vec();
        let spawned: Vec<&Name> = ids.iter().filter(|id| !level.has_id(id)).collect();
        let keys: Vec<EntityKey> = spawned.iter().filter_map(|id| preview.session.world().by_id(id)).collect();
        let is_all = !ids.is_empty() && keys.len() == ids.len();
        for key in keys {
            let reports = self.host.despawn(key);
            self.show_reports(reports);
        }
        is_all
    }
}
