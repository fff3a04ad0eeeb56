//! Everything the window knows, and the few ways it changes. The window itself is elsewhere, so this runs in tests.
//!
//! Invariant: the project changes only through [`Editor::step`], an open gesture, undo and redo; each leaves history, the
//! saved marks and the revision right.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
};

use super::{jobs::Jobs, notice::Notice, open::Closing, recover::Keeping};
use crate::{
    check::Checked,
    defs::Resolution,
    edit::{Edit, Gesture, History, Phase, Renamed, StepId, apply_all},
    editor::{
        Camera, Dialog, Draft, Geometry, Images, LocatedProblem, Places, Preview, ProblemIndex, Selection, Tuning, View,
    },
    explain::Census,
    io,
    model::{Builtin, DocPath, Document, Location, Project, sentence},
    tools::Toolbox,
};

/// The state of the program.
pub struct Editor {
    pub(super) root: Option<PathBuf>,
    pub(super) project: Project,
    pub(super) builtin: Arc<Builtin>,
    /// What is known of the project's files, and what is saved.
    pub(super) follow: io::Follow,
    pub(super) watcher: Option<io::Watcher>,
    /// The folder for journals; without one there are none.
    pub(super) journals: Option<PathBuf>,
    pub(super) keeping: Keeping,
    pub(super) history: History,
    pub(super) gesture: Option<Gesture>,
    pub(super) revision: u64,
    pub(super) is_deriving: bool,
    pub(super) derived_revision: u64,
    /// The project that `resolution` is of; the world is made of these two, or it would be made of parts that do not fit.
    pub(super) derived_project: Project,
    pub(super) resolution: Arc<Resolution>,
    /// What is told of what is wrong.
    pub(super) problems: Arc<Vec<LocatedProblem>>,
    pub(super) checked: Arc<Checked>,
    pub(super) problem_index: ProblemIndex,
    /// All of it, those that are ignored too.
    pub(super) all_problems: Arc<Vec<LocatedProblem>>,
    pub(super) ignored: crate::check::Ignored,
    /// Words that a schema declared earlier in the session and declares no more.
    pub(super) vanished: Vec<crate::refactor::Vanished>,
    pub(super) census: Arc<Census>,
    pub(super) geometry: Option<Geometry>,
    /// The machine shown, laid out.
    pub(super) drawing: super::machines::Drawing,
    pub(super) images: Arc<Images>,
    /// Image files that are there and show nothing, with the reason.
    pub(super) unreadable_images: Arc<BTreeMap<String, Arc<str>>>,
    /// While images are read: those to read again after that.
    pub(super) reading_images: Option<BTreeSet<DocPath>>,
    /// The project that fixing is worked out for.
    pub(super) fixing: Option<Project>,
    pub(super) comments: super::fixes::LostComments,
    pub(super) selection: Selection,
    pub(super) view: View,
    pub(super) preview: Option<Preview>,
    /// Runs its ticks.
    pub(super) ticking: Option<super::ticking::Ticking>,
    /// The project the running preview was last brought up to.
    pub(super) previewed: Project,
    pub(super) toolbox: Toolbox,
    pub(super) dialog: Option<Dialog>,
    /// The refactoring that the dialog asks for.
    pub(super) draft: Option<Draft>,
    pub(super) is_looking: bool,
    /// The revision that the draft's outcome is of.
    pub(super) looked_revision: u64,
    pub(super) browsed: Option<String>,
    pub(super) closing: Closing,
    pub(super) notice: Option<Notice>,
    /// Notices told so far.
    pub(super) n_notices: u64,
    pub(super) recent: Vec<String>,
    pub(super) jobs: Jobs,
    /// Documents written since nothing was being written.
    pub(super) n_saved: usize,
    pub(super) is_opening: bool,
    /// What is wrong with the folder rather than with a file that was read.
    pub(super) folder_findings: Vec<crate::model::Finding>,
    /// Panes to bring to the front.
    pub(super) wanted_pane: Vec<crate::editor::Pane>,
    /// Text for the clipboard.
    pub(super) copied: Option<String>,
    pub(super) problem_at: Option<usize>,
    pub(super) n_seeds: u64,
    pub(super) tool_seed: u64,
    /// Of the camera that follows the player, in pixels a second.
    pub(super) camera_speed: glam::Vec2,
    /// Where the level was looked at from before it played.
    pub(super) camera_before: Option<(DocPath, Option<Camera>)>,
    pub(super) seed_base: u64,
    /// What is tried, marked and put aside on the tuning pages.
    pub(super) tuning: Tuning,
    /// The same of projects that were open before, by folder.
    pub(super) remembered: BTreeMap<String, super::tune::KeptTuning>,
}

impl Editor {
    /// An editor with no project. `wake` asks the window for a frame, from any thread.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            root: None,
            project: Project::default(),
            builtin: Arc::new(Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }),
            follow: io::Follow::default(),
            watcher: None,
            journals: None,
            keeping: Keeping::default(),
            history: History::default(),
            gesture: None,
            revision: 0,
            is_deriving: false,
            derived_revision: 0,
            derived_project: Project::default(),
            resolution: Arc::default(),
            problems: Arc::default(),
            checked: Arc::default(),
            problem_index: ProblemIndex::default(),
            all_problems: Arc::default(),
            ignored: crate::check::Ignored::default(),
            vanished: Vec::new(),
            census: Arc::default(),
            geometry: None,
            drawing: super::machines::Drawing::default(),
            images: Arc::default(),
            unreadable_images: Arc::default(),
            reading_images: None,
            fixing: None,
            comments: super::fixes::LostComments::default(),
            selection: Selection::None,
            view: View::default(),
            preview: None,
            ticking: None,
            previewed: Project::default(),
            toolbox: Toolbox::default(),
            dialog: None,
            draft: None,
            is_looking: false,
            looked_revision: 0,
            browsed: None,
            closing: Closing::No,
            notice: None,
            n_notices: 0,
            recent: Vec::new(),
            jobs: Jobs::new(wake),
            n_saved: 0,
            is_opening: false,
            folder_findings: Vec::new(),
            wanted_pane: Vec::new(),
            copied: None,
            problem_at: None,
            n_seeds: 0,
            tool_seed: 0,
            camera_speed: glam::Vec2::ZERO,
            camera_before: None,
            tuning: Tuning::default(),
            remembered: BTreeMap::new(),
            seed_base: std::hash::BuildHasher::hash_one(&std::hash::RandomState::new(), 0),
        }
    }

    /// The project as it stands.
    #[must_use]
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Its resolution.
    #[must_use]
    pub fn resolution(&self) -> &Resolution {
        &self.resolution
    }

    /// What is wrong with it.
    #[must_use]
    pub fn problems(&self) -> &[LocatedProblem] {
        &self.problems
    }

    /// The running preview.
    #[must_use]
    pub fn preview(&self) -> Option<&Preview> {
        self.preview.as_ref()
    }

    /// What is tried, marked and put aside on the tuning pages.
    #[must_use]
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// How things are shown.
    #[must_use]
    pub fn view(&self) -> &View {
        &self.view
    }

    /// What is selected.
    #[must_use]
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Steps done and undone.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The last thing worth saying, in the status line.
    #[must_use]
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_ref().map(|notice| notice.text.as_str())
    }

    /// The open dialog, if any.
    #[must_use]
    pub fn dialog(&self) -> Option<&Dialog> {
        self.dialog.as_ref()
    }

    /// Whether the question about unsaved work is answered and the window is to close.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.closing == Closing::Now
    }

    /// Whether changes are refused, with a notice, because another project is being opened and would take their place unasked.
    pub(super) fn is_refused_while_opening(&mut self) -> bool {
        if self.is_opening {
            self.notify("Another project is being opened; edits have to wait until then");
        }
        self.is_opening
    }

    /// Make edits as one step of history. Returns which, if anything changed.
    pub(super) fn step(&mut self, label: Option<&str>, edits: &[Edit]) -> Option<StepId> {
        if self.is_refused_while_opening() {
            return None;
        }
        self.end_gesture();
        let before = self.project.clone();
        match apply_all(&mut self.project, edits) {
            Ok(()) => {
                let label = label.map_or_else(|| crate::edit::label_of(edits), str::to_owned);
                let step = self.record(&label, &before)?;
                self.constants_renamed(edits);
                self.focus_edited(edits);
                self.changed_from(&before);
                Some(step)
            }
            Err(refusal) => {
                self.project = before;
                self.notify(sentence(&refusal.to_string()));
                None
            }
        }
    }

    /// Note what became of the project as a step of history, if anything did. No step is recorded elsewhere.
    pub(super) fn record(&mut self, label: &str, before: &Project) -> Option<StepId> {
        let step = self.history.record(label, before, &self.project)?;
        self.follow_names(before);
        Some(step)
    }

    /// What is selected and shown may have other names than in the project as it was.
    fn follow_names(&mut self, before: &Project) {
        let moved = Renamed::new(before, &self.project);
        let view = &mut self.view;
        self.selection = std::mem::take(&mut self.selection).followed(&moved);
        for doc in view.open_levels.iter_mut().chain(&mut view.level).chain(&mut view.focus) {
            *doc = moved.doc(doc).unwrap_or_else(|| doc.clone());
        }
        if let Some((doc, name)) = &view.machine {
            view.machine = moved.machine(doc, name).or(view.machine.take());
        }
        for it in &mut view.unfinished {
            let Some((doc, name)) = moved.machine(&it.doc, &it.machine) else { continue };
            for state in [&mut it.from, &mut it.to] {
                if let Some(now) = moved.state((&it.doc, &it.machine), (&doc, &name), state) {
                    *state = now;
                }
            }
            (it.doc, it.machine) = (doc, name);
        }
        let renamed = |doc: &DocPath| moved.doc(doc).filter(|to| to != doc);
        let gone: Vec<_> = view.cameras.keys().filter_map(|doc| Some((doc.clone(), renamed(doc)?))).collect();
        for (doc, to) in gone {
            let camera = view.cameras.remove(&doc);
            view.cameras.extend(camera.map(|camera| (to, camera)));
        }
        let active = std::mem::take(&mut view.active_layer).into_iter().map(|(doc, layer)| {
            let to = moved.doc(&doc).unwrap_or_else(|| doc.clone());
            let layer = moved.layer(&doc, &to, &layer).unwrap_or(layer);
            (to, layer)
        });
        view.active_layer = active.collect();
        let home = view.place_def.as_ref().and_then(|name| self.resolution.def_docs.get(name));
        if let Some((doc, name)) = home.zip(view.place_def.as_ref()) {
            view.place_def = moved.def(doc, name).map(|(_, name)| name).or(view.place_def.take());
        }
    }

    /// Go on with a drag, end it, or take it back.
    pub(super) fn drag(&mut self, label: &str, edits: &[Edit], phase: Phase) {
        let was = self.project.clone();
        if phase == Phase::Cancel {
            if let Some(gesture) = self.gesture.take() {
                gesture.cancel(&mut self.project);
                self.changed_from(&was);
            }
            return;
        }
        if edits.is_empty() && phase == Phase::Commit {
            self.end_gesture();
            return;
        }
        if self.is_refused_while_opening() {
            return;
        }
        let mut gesture = self.gesture.take().unwrap_or_else(|| Gesture::begin(&self.project));
        gesture.set_label(label);
        if let Err(refusal) = gesture.preview(&mut self.project, edits) {
            self.notify(sentence(&refusal.to_string()));
        }
        if phase == Phase::Commit {
            if self.record(label, gesture.before()).is_some() {
                self.focus_edited(edits);
            }
        } else {
            self.gesture = Some(gesture);
        }
        self.tune_running(edits);
        self.changed_from(&was);
    }

    /// Make a drag that nobody ended a step, before anything else happens.
    pub(super) fn end_gesture(&mut self) {
        if let Some(gesture) = self.gesture.take() {
            self.record(gesture.label(), gesture.before());
            // The tool measures from where its drag began, and that is history now.
            self.toolbox.cancel();
            self.changed();
        }
    }

    fn focus_edited(&mut self, edits: &[Edit]) {
        if let Some(doc) = edits.first().and_then(Edit::doc) {
            self.view.focus = Some(doc.clone());
        }
    }

    /// Take back or do again a step of the focused document, or the newest of all when that has none.
    pub(super) fn undo(&mut self, is_redo: bool) {
        if self.is_refused_while_opening() {
            return;
        }
        self.end_gesture();
        if !is_redo && self.undo_drawn() {
            return;
        }
        let before = self.project.clone();
        let focus = self.view.focus.as_ref();
        let text = match self.history.take_next(&mut self.project, focus, is_redo) {
            Ok(step) => format!("{}: {}", if is_redo { "Done again" } else { "Undone" }, step.label()),
            Err(error) => sentence(&error.to_string()),
        };
        self.notify(text);
        self.follow_names(&before);
        self.changed_from(&before);
    }

    /// Take back or do again until the first `n` steps of the history are done.
    pub(super) fn go_to_step(&mut self, n: usize) {
        if self.is_refused_while_opening() {
            return;
        }
        self.end_gesture();
        let before = self.project.clone();
        if let Err(error) = self.history.jump(&mut self.project, n) {
            self.notify(sentence(&error.to_string()));
        }
        self.follow_names(&before);
        self.changed_from(&before);
    }

    /// The project was `before` and may be another now: make again what is made from what changed.
    fn changed_from(&mut self, before: &Project) {
        if !self.project.has_same_documents(before) {
            self.changed();
        }
        if !Arc::ptr_eq(&self.project.tuning_overlay, &before.tuning_overlay) {
            self.apply_overlay();
        }
    }

    /// Something of the project is another: everything made from it is to be made again.
    pub(super) fn changed(&mut self) {
        self.revision += 1;
        self.follow.project_changed(&self.project);
        self.reconcile();
    }

    /// Let go of what is no longer there: after undo, a reload or a rename, what was selected or shown may be gone.
    fn reconcile(&mut self) {
        let project = &self.project;
        self.view.open_levels.retain(|doc| project.level(doc).is_some());
        if self.view.level.as_ref().is_some_and(|doc| project.level(doc).is_none()) {
            self.view.level = self.view.open_levels.first().cloned();
        }
        if self.view.machine.as_ref().is_some_and(|(doc, name)| project.machine(doc, name).is_none()) {
            self.view.machine = None;
        }
        let gone = match &mut self.selection {
            Selection::None => false,
            Selection::Document(doc) => project.doc(doc).is_none() && !self.view.broken.contains(doc),
            Selection::Definitions { all } => {
                all.retain(|(doc, name)| project.def(doc, name).is_some());
                all.is_empty()
            }
            Selection::Things { doc, ids } => {
                let level = project.level(doc);
                ids.retain(|id| level.is_some_and(|level| level.has_id(id)));
                ids.is_empty()
            }
            Selection::Layer { doc, layer } => project.level(doc).is_none_or(|level| level.layer(layer).is_none()),
            Selection::Machine { doc, name, state, transition } => match project.machine(doc, name) {
                None => true,
                Some(machine) => {
                    if machine.state(state).is_none() {
                        *state = "".into();
                        *transition = None;
                    }
                    let n = machine.state(state).map_or(0, |state| state.transitions.len());
                    *transition = transition.filter(|index| *index < n);
                    false
                }
            },
        };
        if gone {
            self.selection = Selection::None;
        }
    }

    /// Documents that differ from their files.
    #[must_use]
    pub fn unsaved(&self) -> Vec<DocPath> {
        self.follow.saved().modified(&self.project)
    }

    /// Whether nothing is under way: no job runs and what is derived is of the project as it stands.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        let steps = |preview: &Preview| !preview.is_playing && preview.session.is_busy();
        !self.jobs.is_busy()
            && !self.preview.as_ref().is_some_and(steps)
            && self.drawing.next.is_none()
            && !self.drawing.is_placing
            && self.derived_revision == self.revision
            && !self.is_opening
            && self.follow.is_settled()
    }

    /// Tell every problem but those that are ignored. `index` is that of all of them, where it is at hand.
    pub(super) fn leave_out_ignored(&mut self, index: Option<ProblemIndex>) {
        let all = &self.all_problems;
        let is_listed = |located: &&LocatedProblem| !self.ignored.has(&located.problem.finding);
        let n_listed = all.iter().filter(is_listed).count();
        self.view.n_ignored_problems = all.len() - n_listed;
        self.problems = if n_listed == all.len() {
            Arc::clone(all)
        } else {
            Arc::new(all.iter().filter(is_listed).cloned().collect())
        };
        let whole = index.filter(|_| self.view.n_ignored_problems == 0);
        self.problem_index = whole.unwrap_or_else(|| ProblemIndex::of(&self.problems));
    }

    /// The document at a path, as shared.
    pub(super) fn document(&self, doc: &DocPath) -> Option<&Arc<Document>> {
        self.project.doc(doc)
    }
}

impl Places for Editor {
    fn line_column(&self, location: &Location) -> Option<(u32, u32)> {
        let span = self.follow.sources().span(location)?;
        Some((span.line.max(1), span.column.max(1)))
    }
}
