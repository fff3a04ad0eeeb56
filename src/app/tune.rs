//! Constants: the actions on them, and the one rule for where a value goes. While a preview runs a value is tried out:
//! the running world has it and the files do not. Keeping it writes it into a file.

use std::collections::BTreeMap;

use super::{editor::Editor, kept_tuning::KeptTuning};
use crate::{
    edit::{Edit, Phase, change_overlay, declared_constant, keep, may_be, new_constant_name, try_value, write_values},
    editor::{Pane, TuneAction, Tuning},
    io,
    model::{Name, TuningOverlay, TuningSide, Value, ValueSet, rename_values, sentence},
};

impl Editor {
    /// The letter of the set of the tuning overlay that the running world uses and changes go to.
    pub(super) fn active_side(&self) -> TuningSide {
        self.workspace.project().tuning_overlay.side(self.bench.tuning.active)
    }

    /// The values that are tried out in it.
    pub(super) fn tried_values(&self) -> &ValueSet {
        self.workspace.project().tuning_overlay.values_of(self.bench.tuning.active)
    }

    /// Carry out an action on constants.
    pub(super) fn tune(&mut self, action: TuneAction) {
        match action {
            TuneAction::Set { name, value, phase } => self.set_constant(&name, value, phase),
            TuneAction::SetText { name, text } => match io::ron_text::parse(&text) {
                Ok(tree) => self.set_constant(&name, tree.to_value(), Phase::Commit),
                Err(errors) => {
                    let why = errors.first().map_or("it cannot be read", |error| &*error.message);
                    self.notify(format!("{name} stays as it is: {why}"));
                }
            },
            TuneAction::Keep { side, name } => {
                self.end_gesture();
                if let Some((label, edits)) =
                    keep(self.workspace.project(), self.derived.builtin(), side, name.as_ref())
                {
                    // What is kept stays when the preview ends.
                    self.kept_step(Some(&label), &edits);
                }
            }
            TuneAction::Drop { side, name: Some(name) } => {
                self.change_overlay(&format!("Drop {name}"), |overlay| drop(overlay.values_mut(side).remove(&name)));
            }
            TuneAction::Drop { side, name: None } => {
                self.change_overlay("Drop changed values", |overlay| overlay.values_mut(side).clear());
            }
            TuneAction::Activate(side) => {
                self.end_gesture();
                self.bench.tuning.active = self.workspace.project().tuning_overlay.id(side);
                self.apply_overlay();
            }
            TuneAction::Copy(from) => {
                let label = format!("Copy {} to {}", from.letter(), from.other().letter());
                self.change_overlay(&label, |overlay| overlay.copy(from));
            }
            TuneAction::Swap => self.change_overlay("Swap A and B", TuningOverlay::swap),
            TuneAction::SetTitle(side, title) => self.set_title(side, &title),
            TuneAction::Store(side, title) => {
                let title = title.trim();
                if !title.is_empty() {
                    let values = self.workspace.project().tuning_overlay.values(side).clone();
                    self.bench.tuning.sets.insert(title.to_owned(), values);
                    self.set_title(side, title);
                    self.notify(format!("{} is stored as {title}", side.letter()));
                }
            }
            TuneAction::Load(side, title) => {
                if let Some(values) = self.bench.tuning.sets.get(&title).cloned() {
                    self.change_overlay(&format!("Load {title}"), |overlay| {
                        *overlay.values_mut(side) = values;
                        overlay.set_title(side, &title);
                    });
                }
            }
            TuneAction::DeleteStored(title) => drop(self.bench.tuning.sets.remove(&title)),
            TuneAction::Bookmark(name, is_on) => {
                self.bench.tuning.bookmarks.retain(|known| *known != name);
                if is_on {
                    self.bench.tuning.bookmarks.push(name);
                }
            }
        }
    }

    fn set_title(&mut self, side: TuningSide, title: &str) {
        self.change_overlay(&format!("Call {} {title}", side.letter()), |overlay| overlay.set_title(side, title));
    }

    /// Change the tuning overlay as one step.
    fn change_overlay(&mut self, label: &str, change: impl FnOnce(&mut TuningOverlay)) {
        self.end_gesture();
        let edit = change_overlay(self.workspace.project(), change);
        if self.step(Some(label), &[edit]).is_some() {
            // Undo takes it back while a tuning page is worked on.
            self.bench.work_in(Pane::Tuning, self.workspace.project());
        }
    }

    /// Give a constant a value, where it belongs now.
    fn set_constant(&mut self, name: &Name, value: Value, phase: Phase) {
        let Some(spec) = self.derived.resolution().tunable(name).cloned() else {
            self.notify(format!("There is no constant {name}"));
            return;
        };
        if let Err(refusal) = may_be(name, &spec, &value) {
            self.notify(sentence(&refusal.to_string()));
            return;
        }
        // A drag goes on from where it began, not from what it did so far.
        let project = self.workspace.before_drag();
        let is_tried =
            self.host.is_on() || project.tuning_overlay.values_of(self.bench.tuning.active).contains_key(name);
        if is_tried {
            let side = self.active_side();
            let from = project.tuning_overlay.values(side).get(name).unwrap_or(&spec.value);
            let unit = spec.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
            let label = format!("Try {name} {from} → {value}{unit}");
            let edit = try_value(project, side, name, &spec, value);
            self.drag(&label, &[edit], phase);
            self.bench.view.focus = declared_constant(self.workspace.project(), name).map(|(doc, _)| doc.clone());
            return;
        }
        let edits = write_values(project, self.derived.builtin(), [(name, &value)]);
        let label = format!("Tune {name}");
        if edits.is_empty() && self.workspace.is_dragging() {
            // It came back to where it began.
            self.drag(&label, &[], Phase::Preview);
        }
        if !edits.is_empty() || self.workspace.is_dragging() {
            self.drag(&label, &edits, phase);
        }
    }

    /// Follow renamed constants: what is marked and stored. What is tried out follows with the edit.
    pub(super) fn constants_renamed(&mut self, edits: &[Edit]) {
        let project = self.workspace.project();
        for edit in edits {
            let renamed = |name: &str| new_constant_name(project, edit, name);
            for known in &mut self.bench.tuning.bookmarks {
                *known = renamed(known).unwrap_or_else(|| known.clone());
            }
            self.bench.tuning.sets.values_mut().for_each(|set| rename_values(set, renamed));
        }
    }

    /// Have the running world use what is tried out now.
    pub(super) fn apply_overlay(&mut self) {
        let project = self.workspace.project();
        let builtin = self.derived.builtin();
        let declared =
            |name: &str| declared_constant(project, name).map(|(_, it)| it).or_else(|| builtin.tunable(name));
        let tried = project.tuning_overlay.values_of(self.bench.tuning.active);
        self.host.set_tried(tried, |name| declared(name).map(|it| it.value.clone()));
    }

    /// What was tried and marked when a project was open before.
    pub(super) fn remembered_tuning(&self, root: &str) -> (TuningOverlay, Tuning) {
        self.remembered.get(root).cloned().unwrap_or_default().into_parts()
    }

    /// Note what is to be remembered of the open project.
    pub(super) fn remember_tuning(&mut self) {
        let Some(root) = self.workspace.root().as_ref().map(|root| root.display().to_string()) else { return };
        let kept = KeptTuning::of(&self.workspace.project().tuning_overlay, &self.bench.tuning);
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
