//! What each action does. One function for each kind; none of them decides anything a test of the core would miss.

use glam::DVec2;

use super::{editor::Editor, notice::Applies, open::Closing};
use crate::{
    edit::{Edit, Fragment, Phase, state_at},
    editor::{Action, Camera, Command, Dialog, DialogAnswer, Pane, ProblemAction, Selection, TuneAction, ViewChange},
    io,
    model::{DocKind, DocPath, Document, FieldPath, LayerContent, Location, Name, Seg, sentence},
    refactor::Request,
};

impl Editor {
    /// Carry out an action.
    pub fn act(&mut self, action: Action) {
        match action {
            Action::Command(command) => self.command(command),
            Action::Edit(edit) => {
                let edits = [edit];
                self.step(None, &edits);
                self.tune_running(&edits);
            }
            Action::Edits { label, edits } => {
                self.step(Some(&label), &edits);
            }
            Action::Gesture { label, edits, phase } => self.drag(&label, &edits, phase),
            Action::Select(selection) => self.select(selection),
            Action::Tool(tool) => self.take_tool(tool),
            Action::Pointer { doc, event, px_per_point } => self.pointer(&doc, &event, px_per_point),
            Action::View(change) => self.view_change(change),
            Action::Preview(action) => self.preview_action(action),
            Action::Tune(action) => self.tune(action),
            Action::Connect(action) => self.connect(action),
            Action::Problem(action) => self.about_problems(action),
            Action::GoTo(location) => self.go_to(&location),
            Action::OpenLevel(doc) => self.open_level(doc),
            Action::CloseLevel(doc) => self.close_level(&doc),
            Action::OpenMachine { doc, name } => self.open_machine(doc, name),
            Action::HistoryGoTo(n) => self.go_to_step(n),
            Action::OpenProject(root) => self.open_project(root),
            Action::NewProject { root, template } => self.new_project(&root, &template),
            Action::Export { out, target } => self.export(&out, &target),
            Action::Browse(what) => self.browse(what),
            Action::Notice(text) => self.notify(text),
            Action::AskAgain(doc) => {
                self.follow.resume(&doc);
                self.ask_next();
            }
            Action::Refactor(request) if self.draft.is_some() => self.ask_otherwise(request),
            Action::Refactor(request) => self.ask_for(request),
            Action::Dialog(answer) => self.answer(answer),
            // The window's own.
            Action::ShowPane(pane) => self.wanted_pane.push(pane),
            Action::CopyText(text) => self.copied = Some(text),
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Tool(tool) => self.take_tool(tool),
            Command::NewProject => self.dialog = Some(Dialog::NewProject),
            Command::OpenProject => self.dialog = Some(Dialog::OpenProject),
            Command::Export => self.dialog = Some(Dialog::Export),
            Command::CommandPalette => self.dialog = Some(Dialog::Commands),
            Command::QuickOpen => self.dialog = Some(Dialog::QuickOpen),
            Command::Shortcuts => self.dialog = Some(Dialog::Shortcuts),
            Command::About => self.dialog = Some(Dialog::About),
            Command::Save => self.save_focused(),
            Command::SaveAll => self.save_all(),
            Command::Revert => self.revert(),
            Command::Quit => {
                if self.may_close() {
                    self.closing = Closing::Now;
                }
            }
            Command::Undo => self.undo(false),
            Command::Redo => self.undo(true),
            Command::Cut => {
                let is_copied = self.copy();
                if is_copied {
                    self.delete();
                }
            }
            Command::Copy => {
                self.copy();
            }
            Command::Duplicate => self.duplicate(),
            Command::Delete => self.delete(),
            Command::SelectAll => self.select_all(),
            Command::Deselect => self.select(Selection::None),
            Command::Rename => self.ask_rename(),
            Command::RenameAny => self.ask_rename_any(),
            Command::ExtractParent => self.ask_extract(),
            Command::InlineParent => self.ask_inline(),
            Command::LayOutMachine => self.lay_out_machine(),
            Command::SuggestWaypoints => self.suggest_waypoints(),
            Command::ZoomIn => self.zoom(1.25),
            Command::ZoomOut => self.zoom(0.8),
            Command::ZoomFit => {
                if let Some(level) = &self.view.level {
                    self.view.cameras.remove(level);
                }
            }
            Command::ZoomReset => {
                if let Some(camera) = self.view.level.as_ref().and_then(|level| self.view.cameras.get_mut(level)) {
                    *camera = camera.scaled(1.0);
                }
            }
            Command::ToggleGrid => self.view.overlays.grid ^= true,
            Command::ToggleSnap => self.view.snap ^= true,
            Command::ToggleColliders => self.view.overlays.colliders ^= true,
            Command::TogglePaths => self.view.overlays.paths ^= true,
            Command::ToggleLinks => self.view.overlays.links ^= true,
            Command::ToggleStateLabels => self.view.overlays.states ^= true,
            Command::NextDocument => self.next_level(),
            Command::PlayPause => self.play_pause(),
            Command::Stop => self.stop(),
            Command::StepTick => self.step_tick(),
            Command::Slower => self.change_speed(0.5),
            Command::Faster => self.change_speed(2.0),
            Command::SwitchValues => {
                let other = self.active_side().other();
                self.tune(TuneAction::Activate(other));
                let title = self.project.tuning_overlay.title(other);
                let title = if title.is_empty() { String::new() } else { format!(": {title}") };
                self.notify(format!("Playing with {}{title}", other.letter()));
            }
            Command::KeepValues => {
                self.tune(TuneAction::Keep { side: self.active_side(), name: None });
            }
            Command::DropValues => {
                self.tune(TuneAction::Drop { side: self.active_side(), name: None });
            }
            Command::FlipStampH => self.view.stamp = self.view.stamp.flipped_x(),
            Command::FlipStampV => self.view.stamp = self.view.stamp.flipped_y(),
            Command::ToggleRandomBrush => self.view.random_brush ^= true,
            Command::RotateStamp => self.view.stamp = self.view.stamp.turned(),
            Command::FixSafe => self.fix("Apply safe fixes", None),
            Command::NextProblem => self.next_problem(),
            // The window's own.
            Command::Paste | Command::ResetLayout | Command::ToggleTheme | Command::Show(_) => {}
        }
    }

    fn zoom(&mut self, factor: f32) {
        if let Some(camera) = self.view.level.as_ref().and_then(|level| self.view.cameras.get_mut(level)) {
            *camera = camera.scaled(camera.scale * factor);
        }
    }

    fn view_change(&mut self, change: ViewChange) {
        match change {
            ViewChange::Camera(doc, camera) => {
                self.view.cameras.insert(doc, camera);
            }
            ViewChange::ActiveLayer(doc, layer) => {
                self.view.active_layer.insert(doc, layer);
            }
            ViewChange::Stamp(stamp) => self.view.stamp = stamp,
            ViewChange::Terrain(terrain) => self.view.terrain = terrain,
            ViewChange::PlaceDef(def) => self.view.place_def = Some(def),
            ViewChange::MachineCamera(camera) => self.view.machine_camera = camera,
            ViewChange::Work(pane) => self.work_in(pane),
            ViewChange::Pointer(pointer) => {
                if pointer.is_none() {
                    self.toolbox.leave();
                }
                self.view.pointer = pointer;
            }
            ViewChange::WatchEntity(id) => self.view.watch = id,
        }
    }

    /// Save and Undo mean what this pane shows from now on.
    fn work_in(&mut self, pane: Pane) {
        self.view.working = pane;
        let is_of_definitions = |doc: &DocPath| doc.kind() == Some(DocKind::Entities);
        let doc = match pane {
            Pane::Level => self.view.level.clone(),
            Pane::Machine => self.view.machine.as_ref().map(|(doc, _)| doc.clone()),
            // Any file of definitions stands for all.
            _ if self.view.focus.as_ref().is_some_and(is_of_definitions) => None,
            _ => self.project.documents.keys().find(|doc| is_of_definitions(doc)).cloned(),
        };
        if doc.is_some() {
            self.view.focus = doc;
        }
    }

    /// Select, and mean the document it is in from now on.
    pub(super) fn select(&mut self, selection: Selection) {
        if let Some(doc) = selection.doc() {
            self.view.focus = Some(doc.clone());
        }
        if matches!(selection, Selection::Definitions { .. } | Selection::Document(_) | Selection::Layer { .. }) {
            self.wanted_pane.push(Pane::Inspector);
        }
        if let Some((_, name)) = selection.one_definition() {
            self.view.place_def = Some(name.clone());
        }
        self.selection = selection;
    }

    pub(super) fn open_level(&mut self, doc: DocPath) {
        if !self.view.open_levels.contains(&doc) {
            self.view.open_levels.push(doc.clone());
        }
        if self.view.level.as_ref() != Some(&doc) {
            self.let_go();
            self.geometry = None;
            self.revision += 1;
        }
        self.view.focus = Some(doc.clone());
        self.view.level = Some(doc);
        self.wanted_pane.push(Pane::Level);
    }

    fn close_level(&mut self, doc: &DocPath) {
        let at = self.view.open_levels.iter().position(|open| open == doc);
        self.view.open_levels.retain(|open| open != doc);
        if self.view.level.as_ref() == Some(doc) {
            self.let_go();
            let next = at.unwrap_or(0).min(self.view.open_levels.len().saturating_sub(1));
            self.view.level = self.view.open_levels.get(next).cloned();
            self.geometry = None;
            self.revision += 1;
        }
    }

    fn next_level(&mut self) {
        let open = &self.view.open_levels;
        let at = open.iter().position(|doc| Some(doc) == self.view.level.as_ref()).unwrap_or(0);
        if let Some(next) = open.get((at + 1) % open.len().max(1)).cloned() {
            self.open_level(next);
        }
    }

    pub(super) fn open_machine(&mut self, doc: DocPath, name: Name) {
        if self.view.machine.as_ref() != Some(&(doc.clone(), name.clone())) {
            self.view.machine_camera = None;
        }
        self.view.focus = Some(doc.clone());
        self.view.machine = Some((doc.clone(), name.clone()));
        self.selection = Selection::Machine { doc, name, state: "".into(), transition: None };
        self.wanted_pane.push(Pane::Machine);
    }

    /// Show what a place in a document is about.
    fn go_to(&mut self, location: &Location) {
        let doc = location.doc.clone();
        let key = |i: usize| match location.path.0.get(i) {
            Some(Seg::Key(key)) => Some(key.clone()),
            _ => None,
        };
        let index = |i: usize| match location.path.0.get(i) {
            Some(Seg::Index(index)) => Some(*index),
            _ => None,
        };
        self.view.focus = Some(doc.clone());
        let Some(document) = self.document(&doc).cloned() else {
            self.select(Selection::Document(doc));
            return;
        };
        match &*document {
            Document::Level(level) => {
                self.open_level(doc.clone());
                let layer = index(1).and_then(|i| level.layers.get(i).map(|layer| (i, layer)));
                let thing = layer.and_then(|(_, layer)| {
                    let id = key(3)?;
                    let at = match &layer.content {
                        LayerContent::Entities(entities) => entities.get(&id)?.at,
                        LayerContent::Waypoints(graph) => graph.nodes.get(&id)?.at,
                        LayerContent::Tiles(_) => return None,
                    };
                    Some((id, at))
                });
                match (thing, layer) {
                    (Some((id, at)), _) => {
                        let center = DVec2::from(at).as_vec2();
                        let scale = self.view.cameras.get(&doc).map_or(2.0, |camera| camera.scale.max(1.0));
                        self.view.cameras.insert(doc.clone(), Camera { center, scale });
                        self.select(Selection::Things { doc, ids: vec![id] });
                    }
                    (None, Some((_, layer))) => self.select(Selection::Layer { doc, layer: layer.name.clone() }),
                    (None, None) => self.select(Selection::Document(doc)),
                }
            }
            Document::Entities(file) => match key(0).filter(|name| file.defs.contains_key(name)) {
                Some(name) => self.select(Selection::definition(doc, name)),
                None => self.select(Selection::Document(doc)),
            },
            Document::Machines(file) => {
                let Some(name) = key(0).filter(|name| file.machines.contains_key(name)) else {
                    self.select(Selection::Document(doc));
                    return;
                };
                self.open_machine(doc.clone(), name.clone());
                let (state, transition) = state_of(&location.path);
                self.select(Selection::Machine { doc, name, state, transition });
            }
            Document::Tuning(_) => self.wanted_pane.push(Pane::Tuning),
            _ => self.select(Selection::Document(doc)),
        }
    }

    /// Copy what is selected. Returns whether it could be.
    fn copy(&mut self) -> bool {
        let fragment = match &self.selection {
            Selection::Things { doc, ids } => {
                self.project.level(doc).and_then(|level| crate::edit::copy_things(level, ids))
            }
            Selection::Machine { doc, name, state, transition: None } => self
                .project
                .machine(doc, name)
                .and_then(|machine| crate::edit::copy_states(machine, name, std::slice::from_ref(state))),
            _ => None,
        };
        let Some(fragment) = fragment else {
            self.notify("There is nothing here that can be copied");
            return false;
        };
        match fragment.to_text() {
            Ok(text) => {
                self.notify(format!("Copied {}", fragment.describe()));
                self.copied = Some(text);
                true
            }
            Err(refusal) => {
                self.notify(sentence(&refusal.to_string()));
                false
            }
        }
    }

    /// Put in what text from the clipboard holds.
    pub fn paste(&mut self, text: &str) {
        match Fragment::from_text(text) {
            Ok(fragment) => self.paste_fragment(&fragment),
            Err(refusal) => self.notify(sentence(&refusal.to_string())),
        }
    }

    fn duplicate(&mut self) {
        match self.selection.clone() {
            Selection::Things { doc, .. } => self.duplicate_things(doc),
            Selection::Definitions { all } => self.duplicate_definitions(&all),
            Selection::Machine { name, state, .. } if state.is_empty() => {
                let to = crate::edit::free_name(&name, |name| self.resolution.machines.contains_key(name));
                self.ask_for(Request::DuplicateMachine { name, to: to.to_string() });
            }
            _ => self.notify("This cannot be duplicated"),
        }
    }

    fn duplicate_definitions(&mut self, all: &[(DocPath, Name)]) {
        let mut copies: Vec<(DocPath, Name)> = Vec::new();
        let mut edits = Vec::new();
        for (doc, name) in all {
            let taken = |name: &str| {
                self.resolution.def_docs.contains_key(name) || copies.iter().any(|(_, copy)| **copy == *name)
            };
            let to = crate::edit::free_name(name, taken);
            edits.push(Edit::Copy { doc: doc.clone(), at: FieldPath::keys([name]), to: to.clone() });
            copies.push((doc.clone(), to));
        }
        self.step(None, &edits);
        if copies.iter().all(|(doc, name)| self.project.def(doc, name).is_some()) {
            self.select(Selection::Definitions { all: copies });
        }
    }

    fn delete(&mut self) {
        let edit = match self.selection.clone() {
            Selection::Things { doc, .. } => {
                self.delete_things(&doc);
                return;
            }
            Selection::Definitions { .. } if self.delete_definitions() => return,
            Selection::Definitions { all } => {
                let remove = |(doc, name)| Edit::Remove { doc, at: FieldPath::keys([name]) };
                let edits: Vec<Edit> = all.into_iter().map(remove).collect();
                self.step(None, &edits);
                self.selection = Selection::None;
                return;
            }
            Selection::Machine { doc, name, state, transition: Some(at) } => {
                Edit::Remove { doc, at: state_at(&name, &state).key("transitions").index(at) }
            }
            Selection::Machine { doc, name, state, transition: None } if !state.is_empty() => {
                Edit::RemoveState { doc, machine: name, state }
            }
            Selection::Machine { name, .. } => {
                self.ask_for(Request::DeleteMachine { name });
                return;
            }
            Selection::Layer { doc, layer } => Edit::Remove { doc, at: FieldPath::keys(["layers", &*layer]) },
            _ => {
                self.notify("Select what to delete first");
                return;
            }
        };
        self.step(None, &[edit]);
        self.selection = match &self.selection {
            Selection::Machine { doc, name, .. } => {
                Selection::Machine { doc: doc.clone(), name: name.clone(), state: "".into(), transition: None }
            }
            _ => Selection::None,
        };
    }

    fn select_all(&mut self) {
        let Some(doc) = self.view.level.clone() else { return };
        let Some(level) = self.project.level(&doc) else { return };
        if self.view.working != Pane::Level {
            self.notify("Click into the level or the table first: everything there is selected");
            return;
        }
        let active = self.view.active_layer_of(&doc, level).and_then(|at| level.layers.get(at));
        let ids = match active.map(|layer| &layer.content) {
            Some(LayerContent::Entities(entities)) => entities.keys().cloned().collect(),
            Some(LayerContent::Waypoints(graph)) => graph.nodes.keys().cloned().collect(),
            _ => {
                self.notify("Choose a layer of entities or waypoints first: everything on it is selected");
                return;
            }
        };
        self.select(Selection::Things { doc, ids });
    }

    fn answer(&mut self, answer: DialogAnswer) {
        let was = self.dialog.take();
        match answer {
            DialogAnswer::Cancel => {
                if matches!(was, Some(Dialog::Unsaved(_))) {
                    self.closing = Closing::No;
                }
                if matches!(was, Some(Dialog::Recovered { .. })) {
                    self.recover_later();
                }
            }
            DialogAnswer::SaveAndClose => {
                self.save_all();
                self.closing.after_saving();
            }
            DialogAnswer::DiscardAndClose => self.closing.discard(),
            DialogAnswer::TakeSide(doc, side) => self.settle(&doc, &io::Choices::all(side)),
            DialogAnswer::TakeSides(doc, sides) => {
                let mut choices = io::Choices::default();
                sides.into_iter().for_each(|(contest, side)| choices.choose(contest, side));
                self.settle(&doc, &choices);
            }
            DialogAnswer::AskLater(doc) => {
                self.follow.postpone(&doc);
                let text = format!("The conflict in {doc} is postponed until it is saved or changes again");
                self.notify_while(Applies::WhileAsked(doc), text);
            }
            DialogAnswer::Refactor => self.reshape(),
            DialogAnswer::Restore => self.restore(),
            DialogAnswer::DiscardRecovered => self.discard_recovered(),
        }
        self.browsed = None;
        self.go_on_closing();
        if self.dialog.is_none() {
            self.ask_next();
        }
    }

    fn about_problems(&mut self, action: ProblemAction) {
        match action {
            ProblemAction::Ignore(finding) => {
                self.ignored.add(&finding);
                self.leave_out_ignored(None);
            }
            ProblemAction::ListenAgain => {
                self.ignored.clear();
                self.leave_out_ignored(None);
            }
            ProblemAction::Fix(fix) => self.fix_one(&fix),
            ProblemAction::FixAll(rule) => self.fix(&format!("Fix all of {rule}"), Some(rule)),
        }
    }

    fn next_problem(&mut self) {
        let n = self.problems.len();
        if n == 0 {
            return;
        }
        self.problem_at = Some(self.problem_at.map_or(0, |at| (at + 1) % n));
        let location = self.problem_at.and_then(|at| self.problems.get(at)).map(|p| p.problem.finding.location.clone());
        if let Some(location) = location {
            self.wanted_pane.push(Pane::Problems);
            self.go_to(&location);
        }
    }

    /// Let go of what a tool is doing, else of the selection.
    pub fn escape(&mut self) {
        if !self.let_go() {
            self.selection = Selection::None;
        }
    }

    /// Let go of what a tool is doing. Returns whether it did something.
    pub(super) fn let_go(&mut self) -> bool {
        let is_busy = self.gesture.is_some() || self.toolbox.is_busy();
        if is_busy {
            self.cancel_tool();
            self.drag("", &[], Phase::Cancel);
        }
        is_busy
    }

    /// A number for fresh ids: different each time, and from run to run.
    pub(super) fn seed(&mut self) -> u64 {
        self.n_seeds += 1;
        self.seed_base ^ crate::model::mix(self.n_seeds)
    }
}

/// The state that a place in a machine's text is in, and which of its transitions.
fn state_of(path: &FieldPath) -> (Name, Option<usize>) {
    let mut state = String::new();
    let mut transition = None;
    let mut segs = path.0.iter().skip(1);
    while let Some(seg) = segs.next() {
        match seg {
            Seg::Key(key) if &**key == "states" => {
                if let Some(Seg::Key(name)) = segs.next() {
                    if !state.is_empty() {
                        state.push('/');
                    }
                    state.push_str(name);
                }
            }
            Seg::Key(key) if &**key == "transitions" => {
                if let Some(Seg::Index(index)) = segs.next() {
                    transition = Some(*index);
                }
                break;
            }
            _ => break,
        }
    }
    (state.into(), transition)
}
