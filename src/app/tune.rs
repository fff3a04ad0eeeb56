//! Constants: what is asked about them, and the one rule for where a value goes. While a preview runs a value is tried: the
//! running world has it and the project does not. Keeping it makes it an edit.
//!
//! Invariant: what is tried reaches the project by [`Editor::keep_tried`] alone, as one step of history.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::editor::Editor;
use crate::{
    defs::Resolution,
    edit::{
        Edit, Phase, RefKind, Side, StepId, TuningOverlay, TuningOverlays, ValueSet, declared_constant, keep, may_be,
        next_moment,
    },
    editor::{TuneAction, Tuning},
    io,
    model::{Name, Value, sentence},
};

/// What is remembered of a project's tuning between sessions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct KeptTuning {
    #[serde(rename = "trial")]
    overlay: TuningOverlay,
    bookmarks: Vec<Name>,
    sets: BTreeMap<String, ValueSet>,
}

impl KeptTuning {
    fn is_empty(&self) -> bool {
        self.overlay.is_empty() && self.bookmarks.is_empty() && self.sets.is_empty()
    }
}

impl Editor {
    /// Do what is asked about constants.
    pub(super) fn tune(&mut self, action: TuneAction) {
        match action {
            TuneAction::Set { name, value, phase } => return self.set_constant(&name, value, phase),
            TuneAction::SetText { name, text } => {
                match io::ron_text::parse(&text) {
                    Ok(tree) => self.set_constant(&name, tree.to_value(), Phase::Commit),
                    Err(errors) => {
                        let why = errors.first().map_or("it cannot be read", |error| &*error.message);
                        self.notify(format!("{name} stays as it is: {why}"));
                    }
                }
                return;
            }
            TuneAction::Keep { side, name } => {
                self.keep_tried(side, name.as_ref());
                // The running world has the kept values already; the derivation follows.
                return;
            }
            TuneAction::Drop { side, name } => {
                let label =
                    name.as_ref().map_or_else(|| "Drop changed values".to_owned(), |name| format!("Drop {name}"));
                self.tuning.overlays.change(&label, |overlay| match &name {
                    Some(name) => {
                        overlay.drop_value(side, name);
                    }
                    None => overlay.clear(side),
                });
            }
            TuneAction::Activate(side) => self.tuning.overlays.adjust(|overlay| overlay.activate(side)),
            TuneAction::Copy(from) => {
                let label = format!("Copy {} to {}", from.letter(), from.other().letter());
                self.tuning.overlays.change(&label, |overlay| overlay.copy(from));
            }
            TuneAction::Swap => self.tuning.overlays.change("Swap A and B", TuningOverlay::swap),
            TuneAction::Call(side, title) => self.tuning.overlays.adjust(|overlay| overlay.call(side, &title)),
            TuneAction::PutAside(side, title) => {
                let title = title.trim();
                if !title.is_empty() {
                    let values = self.tuning.overlays.now().set_of(side).clone();
                    self.tuning.sets.insert(title.to_owned(), values);
                    self.tuning.overlays.adjust(|overlay| overlay.call(side, title));
                    self.notify(format!("{} is stored as {title}", side.letter()));
                }
            }
            TuneAction::TakeUp(side, title) => {
                if let Some(values) = self.tuning.sets.get(&title).cloned() {
                    self.tuning.overlays.change(&format!("Load {title}"), |it| it.load(side, &title, values));
                }
            }
            TuneAction::Forget(title) => drop(self.tuning.sets.remove(&title)),
            TuneAction::Bookmark(name, is_on) => {
                self.tuning.bookmarks.retain(|known| *known != name);
                if is_on {
                    self.tuning.bookmarks.push(name);
                }
            }
        }
        self.apply_overlay();
    }

    /// Give a constant a value, where it belongs now.
    fn set_constant(&mut self, name: &Name, value: Value, phase: Phase) {
        let Some(spec) = self.resolution.tunable(name).cloned() else {
            self.notify(format!("There is no constant {name}"));
            return;
        };
        if let Err(refusal) = may_be(name, &spec, &value) {
            self.notify(sentence(&refusal.to_string()));
            return;
        }
        let is_tried = self.preview.is_some() || self.tuning.overlays.now().value(name).is_some();
        if !is_tried {
            // A drag goes on from where it began, not from what it did so far.
            let project = self.gesture.as_ref().map_or(&self.project, |gesture| gesture.before());
            let edits = keep(project, &self.builtin, [(name, &value)]);
            let label = format!("Tune {name}");
            if edits.is_empty() && self.gesture.is_some() {
                // It came back to where it began.
                self.drag(&label, &[], Phase::Preview);
            }
            if !edits.is_empty() || self.gesture.is_some() {
                self.drag(&label, &edits, phase);
            }
            return;
        }
        self.end_drag();
        self.view.focus = declared_constant(&self.project, name).map(|(doc, _)| doc.clone());
        if phase == Phase::Cancel {
            self.tuning.overlays.cancel();
        } else {
            let is_as_declared = spec.value == value;
            let from = self.tuning.overlays.before(name).unwrap_or(&spec.value);
            let unit = spec.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
            let label = format!("Try {name} {from} → {value}{unit}");
            self.tuning.overlays.drag(&label, |overlay| {
                if is_as_declared {
                    overlay.drop_value(overlay.active(), name);
                } else {
                    overlay.set(name.clone(), value);
                }
            });
            if phase == Phase::Commit {
                self.tuning.overlays.end();
            }
        }
        self.apply_overlay();
    }

    /// Let the project say what is tried in a set, one constant or all of them, as one step.
    fn keep_tried(&mut self, side: Side, name: Option<&Name>) {
        self.end_gesture();
        let set = self.tuning.overlays.now().set_of(side);
        let wanted = |known: &Name| name.is_none_or(|name| name == known);
        let values: ValueSet = set.iter().filter(|(it, _)| wanted(it)).map(|(n, v)| (n.clone(), v.clone())).collect();
        let edits = keep(&self.project, &self.builtin, &values);
        let label = match (values.keys().next(), values.len()) {
            (None, _) => return,
            (Some(name), 1) => format!("Keep {name}"),
            (_, n) => format!("Keep {n} values"),
        };
        let step = if edits.is_empty() { None } else { self.step(Some(&label), &edits) };
        if step.is_none() && !edits.is_empty() {
            // Refused; the notice says why, and what is tried stays.
            return;
        }
        // A constant that is gone cannot be kept, and is held on to.
        let kept =
            |name: &Name| declared_constant(&self.project, name).is_some() || self.resolution.tunable(name).is_some();
        let kept: Vec<Name> = values.into_keys().filter(kept).collect();
        let drop_kept = |overlay: &mut TuningOverlay| {
            for name in &kept {
                overlay.drop_value(side, name);
            }
        };
        match step {
            Some(step) => self.tuning.overlays.change_with_step(step, &label, drop_kept),
            None => self.tuning.overlays.change(&label, drop_kept),
        }
    }

    /// Undo or redo what was tried, if that is what came last. Returns whether it was.
    pub(super) fn undo_tried(&mut self, is_redo: bool) -> bool {
        let next = next_moment(&self.history, &self.tuning.overlays, self.view.focus.as_ref(), is_redo);
        if next.is_none_or(|next| next.step.is_some()) {
            return false;
        }
        let overlays = &mut self.tuning.overlays;
        let Some(label) = (if is_redo { overlays.redo() } else { overlays.undo() }) else { return false };
        self.notify(format!("{}: {label}", if is_redo { "Done again" } else { "Undone" }));
        self.apply_overlay();
        true
    }

    /// Follow renamed constants: what is tried, marked and put aside.
    pub(super) fn constants_renamed(&mut self, edits: &[Edit], label: &str, step: StepId) {
        for edit in edits {
            let Edit::Rename { doc, from, to, typed, .. } = edit else { continue };
            if !matches!(typed.kind, RefKind::Tunable | RefKind::Page) {
                continue;
            }
            let renamed = |name: &str| -> Option<Name> {
                match typed.kind {
                    RefKind::Tunable => {
                        let page = &self.project.tuning(doc)?.page;
                        (name == format!("{page}.{from}")).then(|| format!("{page}.{to}").into())
                    }
                    RefKind::Page => {
                        let name = name.strip_prefix(&**from)?.strip_prefix('.')?;
                        Some(format!("{to}.{name}").into())
                    }
                    _ => None,
                }
            };
            self.tuning.overlays.change_with_step(step, label, |overlay| overlay.renamed(renamed));
            for known in &mut self.tuning.bookmarks {
                *known = renamed(known).unwrap_or_else(|| known.clone());
            }
            for set in self.tuning.sets.values_mut() {
                *set = std::mem::take(set).into_iter().map(|(it, value)| (renamed(&it).unwrap_or(it), value)).collect();
            }
        }
    }

    /// Set the constants of the running world.
    pub(super) fn apply_overlay(&mut self) {
        let constants = self.active_constants();
        let Some(preview) = &mut self.preview else { return };
        preview.session.change(move |world| {
            for (full, value) in &constants {
                world.set_tunable(full, value.clone());
            }
            None
        });
    }

    /// The constants the preview runs with: those of the files, and over them the values of the active set.
    pub(super) fn active_constants(&self) -> Vec<(String, Value)> {
        let overlay = self.tuning.overlays.now();
        let pages = self.resolution.pages.iter();
        let constants = pages.flat_map(|page| page.values.iter().map(move |(name, tunable, _)| (page, name, tunable)));
        let constants = constants.map(|(page, name, tunable)| {
            let full = format!("{}.{name}", page.name);
            let value = overlay.value(&full).unwrap_or(&tunable.value).clone();
            (full, value)
        });
        constants.collect()
    }

    /// The resolution with the values of the active set: what a world is made from.
    pub(super) fn active_resolution(&self) -> Arc<Resolution> {
        let overlay = self.tuning.overlays.now();
        if overlay.set_of(overlay.active()).is_empty() {
            return self.resolution.clone();
        }
        let mut resolution = (*self.resolution).clone();
        for page in &mut resolution.pages {
            for (name, value) in overlay.set_of(overlay.active()) {
                let Some(name) = name.strip_prefix(&*page.name).and_then(|rest| rest.strip_prefix('.')) else {
                    continue;
                };
                let Some(at) = page.values.iter().position(|(known, ..)| &**known == name) else { continue };
                if let Some((_, tunable, _)) = Arc::make_mut(page).values.get_mut(at) {
                    tunable.value = value.clone();
                }
            }
        }
        Arc::new(resolution)
    }

    /// Another project is open: remember what was tried in the one before, and take up what was tried in this.
    pub(super) fn change_tuning(&mut self, root: &str) {
        self.remember_tuning();
        let kept = self.remembered.get(root).cloned().unwrap_or_default();
        self.tuning =
            Tuning { overlays: TuningOverlays::resumed(kept.overlay), bookmarks: kept.bookmarks, sets: kept.sets };
    }

    /// Note what is to be remembered of the open project.
    fn remember_tuning(&mut self) {
        let Some(root) = self.root.as_ref().map(|root| root.display().to_string()) else { return };
        let Tuning { overlays, bookmarks, sets } = &self.tuning;
        let kept = KeptTuning { overlay: overlays.now().clone(), bookmarks: bookmarks.clone(), sets: sets.clone() };
        if kept.is_empty() {
            self.remembered.remove(&root);
        } else {
            self.remembered.insert(root, kept);
        }
    }

    /// What is to be remembered of every project.
    pub(super) fn kept_tunings(&mut self) -> BTreeMap<String, KeptTuning> {
        self.remember_tuning();
        self.remembered.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_reads_back_and_what_is_not_known_costs_nothing() {
        let mut overlay = TuningOverlay::default();
        overlay.set("Camera.smooth_time".into(), Value::Float(0.45));
        overlay.set("Game.tint".into(), Value::str("#ff0000"));
        overlay.activate(Side::A);
        let sets = [("soft".to_owned(), overlay.set_of(Side::B).clone())].into();
        let kept = KeptTuning { overlay, bookmarks: vec!["Camera.smooth_time".into()], sets };
        let text = ron::to_string(&kept).unwrap();
        assert_eq!(ron::from_str::<KeptTuning>(&text).unwrap(), kept);
        assert_eq!(ron::from_str::<KeptTuning>("()").unwrap(), KeptTuning::default());
    }
}
