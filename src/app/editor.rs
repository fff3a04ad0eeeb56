//! The parts of the program wired together. The other files of this folder carry out the actions; the rules are in the
//! parts.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::Instant,
};

use super::{
    cells::Nudges,
    closing::Closing,
    comments::LostComments,
    drawing::Drawing,
    events::Event,
    job::Job,
    jobs::Jobs,
    keeping::Keeping,
    kept_tuning::KeptTuning,
    looking::Looking,
    making::Making,
    notice::{Applies, Notices},
    open::Unread,
    point::MovedByKeys,
    seeds::Seeds,
    sounds::Sounds,
};
use crate::{
    defs::Resolution,
    edit::{Edit, History, Phase, Refusal, StepId},
    editor::{
        Changed, Derivation, Dialog, LocatedProblem, OpenTabs, Pads, Preview, PreviewHost, Selection, Tuning,
        ViewState, Workbench, Workspace,
    },
    io,
    model::{Builtin, DocPath, Document, Project, sentence},
    sim::insight::profile::Clock,
    tools::ToolKind,
};

/// The state of the program.
pub struct Editor {
    /// The project; changes it.
    pub(super) workspace: Workspace,
    /// The data derived from it.
    pub(super) derived: Derivation,
    pub(super) host: PreviewHost,
    /// The selection, the view and open dialogs.
    pub(super) bench: Workbench,
    pub(super) jobs: Jobs,
    pub(super) watcher: Option<io::Watcher>,
    /// The folder for journals; without one there are none.
    pub(super) journals: Option<PathBuf>,
    pub(super) keeping: Keeping,
    /// The machine shown, laid out.
    pub(super) drawing: Drawing,
    /// While images are read: those to read again after that.
    pub(super) reading_images: Option<BTreeSet<DocPath>>,
    /// The project that fixes are computed for.
    pub(super) fixing: Option<Project>,
    /// Edits of whole layers that a job makes.
    pub(super) making: Option<Making>,
    pub(super) comments: LostComments,
    pub(super) looking: Looking,
    /// Whether the picture of a new tileset is being read.
    pub(super) is_reading_picture: bool,
    pub(super) closing: Closing,
    pub(super) notices: Notices,
    pub(super) recent: Vec<String>,
    /// Documents written since nothing was being written.
    pub(super) saved: BTreeSet<DocPath>,
    /// New documents that are saved since what was saved refers to them.
    pub(super) saved_along: Vec<DocPath>,
    pub(super) is_opening: bool,
    /// What is still to be read of it.
    pub(super) unread: Option<Unread>,
    /// What the system's dialog found.
    pub(super) browsed: Option<String>,
    /// What of gamepads is held.
    pub(super) pads: Pads,
    pub(super) sounds: Sounds,
    /// The arrow keys that moved selected cells last.
    pub(super) nudges: Option<Nudges>,
    /// The run of arrow keys that moved entities or waypoints last.
    pub(super) moved_by_keys: Option<MovedByKeys>,
    /// Text for the clipboard.
    pub(super) copied: Option<String>,
    pub(super) seeds: Seeds,
    /// What is remembered of the tuning of projects that were open before, by folder.
    pub(super) remembered: BTreeMap<String, KeptTuning>,
    /// What was open of projects, by folder.
    pub(super) remembered_tabs: BTreeMap<String, OpenTabs>,
}

/// What ticks of the preview are measured by: the time since now.
fn clock() -> Clock {
    let start = Instant::now();
    Arc::new(move || start.elapsed())
}

impl Editor {
    /// An editor with no project. `wake` asks the window for a frame, from any thread.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            workspace: Workspace::default(),
            derived: Derivation::new(Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() }),
            host: PreviewHost::measured_by(clock()),
            bench: Workbench::default(),
            jobs: Jobs::new(wake),
            watcher: None,
            journals: None,
            keeping: Keeping::default(),
            drawing: Drawing::default(),
            reading_images: None,
            fixing: None,
            making: None,
            comments: LostComments::default(),
            looking: Looking::default(),
            is_reading_picture: false,
            closing: Closing::No,
            notices: Notices::default(),
            recent: Vec::new(),
            saved: BTreeSet::new(),
            saved_along: Vec::new(),
            is_opening: false,
            unread: None,
            browsed: None,
            pads: Pads::default(),
            sounds: Sounds::default(),
            nudges: None,
            moved_by_keys: None,
            copied: None,
            seeds: Seeds::default(),
            remembered: BTreeMap::new(),
            remembered_tabs: BTreeMap::new(),
        }
    }

    /// The project as it stands.
    #[must_use]
    pub fn project(&self) -> &Project {
        self.workspace.project()
    }

    /// Its resolution.
    #[must_use]
    pub fn resolution(&self) -> &Resolution {
        self.derived.resolution()
    }

    /// Its problems.
    #[must_use]
    pub fn problems(&self) -> &[LocatedProblem] {
        self.derived.problems()
    }

    /// The running preview.
    #[must_use]
    pub fn preview(&self) -> Option<&Preview> {
        self.host.preview()
    }

    /// What the window keeps of constants beside the project.
    #[must_use]
    pub fn tuning(&self) -> &Tuning {
        &self.bench.tuning
    }

    /// How things are shown.
    #[must_use]
    pub fn view(&self) -> &ViewState {
        &self.bench.view
    }

    /// The selection.
    #[must_use]
    pub fn selection(&self) -> &Selection {
        self.bench.selection()
    }

    /// Steps done and undone.
    #[must_use]
    pub fn history(&self) -> &History {
        self.workspace.history()
    }

    /// The last thing worth saying, in the status line.
    #[must_use]
    pub fn notice(&self) -> Option<&str> {
        self.notices.text()
    }

    /// Whether large levels are still being read.
    pub(super) fn is_reading(&self) -> bool {
        self.unread.is_some()
    }

    /// The open dialog, if any.
    #[must_use]
    pub fn dialog(&self) -> Option<&Dialog> {
        self.bench.dialog.as_ref()
    }

    /// Whether the question about unsaved work is answered and the window is to close.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.closing == Closing::Now
    }

    /// Documents that differ from their files.
    #[must_use]
    pub fn unsaved(&self) -> Vec<DocPath> {
        self.workspace.unsaved()
    }

    /// Whether nothing is under way: no job runs and what is derived is of the project as it stands.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        !self.jobs.is_busy()
            && !self.host.is_busy()
            && self.drawing.next.is_none()
            && !self.drawing.is_placing
            && self.derived.is_current(&self.workspace, self.bench.view.level.as_ref())
            && !self.is_opening
            && self.workspace.files().is_settled()
    }

    /// Show the outcome of what was just done.
    pub(super) fn notify(&mut self, text: impl Into<String>) {
        self.notify_while(Applies::Now, text);
    }

    /// Count what a step has taken along in a job, and tell of it unless it is nothing.
    pub(super) fn notify_counted(
        &self,
        count: impl FnOnce() -> usize + Send + 'static,
        text: impl FnOnce(usize) -> String + Send + 'static,
    ) {
        self.jobs.spawn(Job::Count, move || {
            let n = count();
            Event::Counted((n > 0).then(|| text(n)))
        });
    }

    /// Show a notice for as long as `applies` holds.
    pub(super) fn notify_while(&mut self, applies: Applies, text: impl Into<String>) {
        self.notices.show(applies, text);
    }

    /// Drop a notice that no longer applies.
    pub(super) fn drop_stale_notice(&mut self) {
        self.notices.drop_stale(&self.workspace, &self.host, &self.bench);
    }

    /// Whether changes are refused, with a notice, because another project is being opened and would take their place
    /// unasked.
    pub(super) fn is_refused_while_opening(&mut self) -> bool {
        if self.unread.is_some() {
            self.notify("Large levels are still being read; edits have to wait until then");
        } else if self.is_opening {
            self.notify("Another project is being opened; edits have to wait until then");
        }
        self.is_opening
    }

    /// Make edits as one step of history. Returns which, if anything changed.
    pub(super) fn step(&mut self, label: Option<&str>, edits: &[Edit]) -> Option<StepId> {
        self.step_by(edits, |workspace| workspace.step(label, edits))
    }

    /// The same as a step that stays when the preview ends.
    pub(super) fn kept_step(&mut self, label: Option<&str>, edits: &[Edit]) -> Option<StepId> {
        self.step_by(edits, |workspace| workspace.kept_step(label, edits))
    }

    fn step_by(
        &mut self,
        edits: &[Edit],
        step: impl FnOnce(&mut Workspace) -> Result<Changed, Refusal>,
    ) -> Option<StepId> {
        if self.is_refused_while_opening() {
            return None;
        }
        self.end_gesture();
        match step(&mut self.workspace) {
            Ok(changed) => {
                self.follow(&changed);
                if changed.step.is_some() {
                    self.constants_renamed(edits);
                    self.focus_edited(edits);
                }
                changed.step
            }
            Err(refusal) => {
                self.notify(sentence(&refusal.to_string()));
                None
            }
        }
    }

    /// Go on with a drag, end it, or take it back. Returns whether the edits were made; a notice says why not.
    pub(super) fn drag(&mut self, label: &str, edits: &[Edit], phase: Phase) -> bool {
        if phase != Phase::Cancel && self.is_refused_while_opening() {
            return false;
        }
        let (changed, refusal) = self.workspace.drag(label, edits, phase);
        let is_made = refusal.is_none();
        if let Some(refusal) = refusal {
            self.notify(sentence(&refusal.to_string()));
        }
        self.tune_running(edits);
        self.follow(&changed);
        if changed.step.is_some() {
            self.focus_edited(edits);
        }
        is_made
    }

    /// What the tool in hand does, in words; over a level that plays, what the select tool does there.
    pub(super) fn tool_hint(&self) -> &str {
        let plays = self.host.preview().is_some_and(|preview| self.bench.view.level.as_ref() == Some(&preview.level));
        if plays && self.bench.view.tool == ToolKind::Select {
            return self.bench.hand.hint();
        }
        &self.bench.toolbox.shown().hint
    }

    /// Make a drag that is still open a step, before anything else happens.
    pub(super) fn end_gesture(&mut self) {
        if let Some(changed) = self.workspace.end_drag() {
            // The tool measures from where its drag began, and that is history now.
            self.bench.toolbox.cancel();
            self.follow(&changed);
        }
    }

    /// Where undo or redo changed another document than the focused one, that is focused and shown: what would happen
    /// out of sight is seen, and the opposite command takes it back.
    fn focus_changed(&mut self, before: &Project) {
        let now = self.workspace.project();
        let is_same = |doc: &DocPath| before.has_same_document(now, doc);
        if self.bench.view.focus.as_ref().is_some_and(|focus| !is_same(focus)) {
            return;
        }
        let Some(other) = now.documents.keys().find(|doc| !is_same(doc)).cloned() else { return };
        if now.level(&other).is_some() {
            self.open_level(other);
        } else {
            self.bench.view.focus = Some(other);
        }
    }

    pub(super) fn focus_edited(&mut self, edits: &[Edit]) {
        if let Some(doc) = edits.first().and_then(Edit::doc) {
            self.bench.view.focus = Some(doc.clone());
        }
    }

    /// Undo or redo a step of the focused document, or the newest of all when that has none.
    pub(super) fn undo(&mut self, is_redo: bool) {
        if self.is_refused_while_opening() {
            return;
        }
        self.end_gesture();
        if !is_redo && (self.drop_making() || self.undo_drawn()) {
            return;
        }
        match self.workspace.undo(is_redo, self.bench.view.focus.as_ref()) {
            Ok((label, changed)) => {
                self.notify(format!("{}: {label}", if is_redo { "Done again" } else { "Undone" }));
                self.follow(&changed);
                self.focus_changed(&changed.before);
            }
            Err(error) => self.notify(sentence(&error.to_string())),
        }
    }

    /// Undo or redo until the first `n` steps of the history are done.
    pub(super) fn go_to_step(&mut self, n: usize) {
        if self.is_refused_while_opening() {
            return;
        }
        self.end_gesture();
        let (changed, stopped) = self.workspace.go_to_step(n);
        if let Some(error) = stopped {
            self.notify(sentence(&error.to_string()));
        }
        self.follow(&changed);
    }

    /// Put documents in place of what is there, as one step.
    pub(super) fn replace(&mut self, label: &str, documents: Vec<(DocPath, Option<Arc<Document>>)>) {
        if documents.is_empty() {
            return;
        }
        self.end_gesture();
        // Many files at once leave the focus where it is.
        let focus = if let [(doc, _)] = documents.as_slice() { Some(doc.clone()) } else { None };
        let changed = self.workspace.replace(label, documents);
        self.follow(&changed);
        if changed.step.is_some() {
            self.bench.view.focus = focus.or(self.bench.view.focus.take());
        }
    }

    /// Have selection, view and preview follow a change.
    pub(super) fn follow(&mut self, changed: &Changed) {
        if !changed.is_passing {
            self.bench.follow(&changed.before, self.workspace.project(), self.derived.resolution());
        }
        if changed.has_documents {
            self.bench.reconcile(&self.workspace);
        }
        if changed.has_overlay {
            self.apply_overlay();
        }
    }

    /// Start deriving what changed since the last time, if no derivation is running.
    pub(super) fn start_deriving(&mut self) {
        if let Some(deriving) = self.derived.start(&self.workspace, self.bench.view.level.as_ref()) {
            self.jobs.spawn(Job::Derive, move || Event::Derived(Box::new(deriving.run())));
        }
    }

    /// Start to look for the path that is asked for in the level shown, if it was not looked for yet.
    pub(super) fn start_probing(&mut self) {
        let view = &self.bench.view;
        let kept = view.level.as_ref().and_then(|doc| view.probe.ends.get(doc)).copied();
        let ends = self.bench.toolbox.shown().ghost.probe.or(kept);
        if let Some(job) = self.derived.start_probe(view.level.as_ref(), ends, &view.probe.asked) {
            self.jobs.spawn(Job::Probe, move || Event::Probed(Box::new(job.run())));
        }
    }

    /// Start to make the map that the overlays of the running level ask for, if it was not made yet.
    pub(super) fn start_mapping(&mut self) {
        let preview = self.host.preview();
        let selected = preview.map_or(&[][..], |preview| self.bench.selection().ids_in(&preview.level));
        if let Some(job) = self.derived.start_agent_map(preview, &self.bench.view, selected) {
            self.jobs.spawn(Job::AgentMap, move || Event::Mapped(Box::new(job.run())));
        }
    }
}
