//! The open project with its history, the drag that is under way and what is known of its files.
//!
//! Invariant: nothing else changes the project. Each change is a step of the history, a drag that becomes one or is
//! canceled, or undo and redo of a step, and leaves the marks of what is saved right.
//!
//! While changes are live there is a second project beside it, the one that is kept: files, saving, the journal and
//! other programs' changes are about that one only.

use std::{path::Path, path::PathBuf, sync::Arc};

use super::live::{self, LiveChange};

use crate::{
    edit::{Edit, Gesture, History, Phase, Refusal, StepId, UndoError, apply_all, label_of, replace},
    io,
    model::{DocPath, Document, Location, Project, TuningOverlay, counted, sentence},
};

/// The open project, and all that can change it.
#[derive(Debug, Default)]
pub struct Workspace {
    root: Option<PathBuf>,
    project: Project,
    history: History,
    gesture: Option<Gesture>,
    live: Option<Live>,
    files: io::ProjectFiles,
    revision: u64,
}

/// A project that was read, and its files: what takes long of opening it.
#[derive(Debug)]
pub struct ReadProject {
    project: Project,
    files: io::ProjectFiles,
}

impl ReadProject {
    /// Make it ready to be opened.
    #[must_use]
    pub fn new(loaded: io::Loaded) -> Self {
        let mut files = io::ProjectFiles::new(&loaded);
        files.knows_images(loaded.images);
        Self { project: loaded.project, files }
    }
}

/// What there is beside the project while changes are live.
#[derive(Debug)]
struct Live {
    /// The project without live changes.
    kept: Project,
    /// The history when changes began to be live.
    begun: History,
}

/// What a change did.
#[derive(Debug)]
#[must_use = "selection, view and preview have to follow"]
pub struct Changed {
    /// The project before it.
    pub before: Project,
    /// The step that it made, if it is one and changed anything.
    pub step: Option<StepId>,
    /// Whether a document is another.
    pub has_documents: bool,
    /// Whether the values that are tried out are others.
    pub has_overlay: bool,
    /// Whether it is the middle of a drag, which may still be canceled.
    pub is_passing: bool,
}

impl Changed {
    /// This and the drag that ended before it, if any, as one.
    fn after(self, ended: Option<Self>) -> Self {
        let Some(ended) = ended else { return self };
        Self {
            before: ended.before,
            has_documents: self.has_documents || ended.has_documents,
            has_overlay: self.has_overlay || ended.has_overlay,
            ..self
        }
    }
}

impl Workspace {
    /// Open a project that was read from a folder, with the values that were tried out over it before.
    pub fn open(&mut self, root: PathBuf, loaded: io::Loaded, overlay: TuningOverlay) {
        self.open_read(root, ReadProject::new(loaded), overlay);
    }

    /// The same, of what was made ready in a job.
    pub fn open_read(&mut self, root: PathBuf, read: ReadProject, overlay: TuningOverlay) {
        let project = Project { tuning_overlay: Arc::new(overlay), ..read.project };
        let revision = self.revision + 1;
        *self = Self { root: Some(root), project, files: read.files, revision, ..Self::default() };
    }

    /// The folder; none before a project is open.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// The project as it stands, with what a drag did so far.
    #[must_use]
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The project before the drag that is under way, for which that drag's edits are made; the same when none is.
    #[must_use]
    pub fn before_drag(&self) -> &Project {
        self.gesture.as_ref().map_or(&self.project, Gesture::before)
    }

    /// Whether a drag is under way.
    #[must_use]
    pub fn is_dragging(&self) -> bool {
        self.gesture.is_some()
    }

    /// Steps done and undone.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The state of the project's files.
    #[must_use]
    pub fn files(&self) -> &io::ProjectFiles {
        &self.files
    }

    /// A document as its files have it.
    #[must_use]
    pub fn saved_doc(&self, doc: &DocPath) -> Option<&Arc<Document>> {
        self.files.saved_doc(doc)
    }

    /// Whether a document differs from its files; a deleted and a new one do. What a drag did so far does not count.
    #[must_use]
    pub fn is_modified(&self, doc: &DocPath) -> bool {
        self.files.is_modified(doc, self.kept_before_drag())
    }

    /// Whether the file of a document cannot be read; its last good version may be in use.
    #[must_use]
    pub fn is_broken(&self, doc: &DocPath) -> bool {
        self.files.is_broken(doc)
    }

    /// Whether the question about two versions of a document is postponed.
    #[must_use]
    pub fn is_postponed(&self, doc: &DocPath) -> bool {
        self.files.is_postponed(doc)
    }

    /// Documents with a postponed question about two versions.
    pub fn postponed(&self) -> impl Iterator<Item = &DocPath> {
        self.files.postponed()
    }

    /// Line and column of a place in its file, both from 1; `None` for a document that has no file.
    #[must_use]
    pub fn line_column(&self, location: &Location) -> Option<(u32, u32)> {
        let span = self.files.sources().span(location)?;
        Some((span.line.max(1), span.column.max(1)))
    }

    /// Documents that differ from their files. What a drag did so far does not count.
    #[must_use]
    pub fn unsaved(&self) -> Vec<DocPath> {
        self.files.modified(self.kept_before_drag())
    }

    /// Documents that differ from their files, in groups that are written wholly or not at all. What is a step of its
    /// own is a group of its own, and does not wait for what cannot be written.
    #[must_use]
    pub fn unsaved_together(&self) -> Vec<Vec<DocPath>> {
        let together = |history: &History| history.saved_together(self.unsaved(), |doc| self.saved_doc(doc));
        match &self.live {
            Some(live) => together(&self.history.of_kept(&live.begun)),
            None => together(&self.history),
        }
    }

    /// The project without live changes: what files are to have.
    #[must_use]
    pub fn kept(&self) -> &Project {
        self.live.as_ref().map_or(&self.project, |live| &live.kept)
    }

    /// The same before the drag that is under way.
    #[must_use]
    pub fn kept_before_drag(&self) -> &Project {
        self.live.as_ref().map_or_else(|| self.before_drag(), |live| &live.kept)
    }

    /// Whether changes are live: made in the project and not in the one that is kept.
    #[must_use]
    pub fn is_live(&self) -> bool {
        self.live.is_some()
    }

    /// What is live, by document and place.
    #[must_use]
    pub fn live_changes(&self) -> Vec<LiveChange> {
        self.live.as_ref().map(|live| live::live_changes(&live.kept, &self.project)).unwrap_or_default()
    }

    /// Have changes be live from now on.
    pub fn begin_live(&mut self) -> Option<Changed> {
        let ended = self.end_drag();
        if self.live.is_none() {
            self.live = Some(Live { kept: self.project.clone(), begun: self.history.clone() });
        }
        ended
    }

    /// Have changes no longer be live. Those that were not kept are dropped by a step of its own, which undo takes
    /// back. Returns how many those are; nothing if none was live.
    pub fn end_live(&mut self) -> Option<(usize, Changed)> {
        let ended = self.end_drag();
        let n = self.live_changes().len();
        let Live { kept, begun } = self.live.take()?;
        self.history = self.history.of_kept(&begun);
        let before = self.project.clone();
        self.project.documents = kept.documents;
        if n == 0 {
            // Documents may be equal without being the very same, as after something was moved there and back.
            let changed = self.changed(before, None, false);
            self.revision += 1;
            return Some((0, changed.after(ended)));
        }
        let what = counted(n, "live change");
        self.history.record(sentence(&what), &self.project, &before);
        let step = self.history.record(format!("Drop {what}"), &before, &self.project);
        Some((n, self.changed(before, step, false).after(ended)))
    }

    /// Write live changes into the project that is kept, as one step. They are no longer live then.
    ///
    /// # Errors
    /// They cannot be without others that are live too.
    pub fn keep_live(&mut self, changes: &[LiveChange]) -> Result<Changed, Refusal> {
        let ended = self.end_drag();
        let before = self.project.clone();
        let Some(live) = &mut self.live else { return Ok(self.changed(before, None, false)) };
        let after = live::with_changes(&live.kept, &self.project, changes)?;
        let was = std::mem::replace(&mut live.kept, after);
        let label = format!("Keep {}", counted(changes.len(), "live change"));
        let kept = Some((&was, &live.kept));
        let step = self.history.record_both(label, (&self.project, &self.project), kept);
        self.kept_changed();
        Ok(self.changed(before, step, false).after(ended))
    }

    /// Take live changes back, as one step.
    ///
    /// # Errors
    /// Others that are live too cannot be without them.
    pub fn drop_live(&mut self, changes: &[LiveChange]) -> Result<Changed, Refusal> {
        let ended = self.end_drag();
        let before = self.project.clone();
        let Some(live) = &self.live else { return Ok(self.changed(before, None, false)) };
        let overlay = self.project.tuning_overlay.clone();
        let after = live::with_changes(&self.project, &live.kept, changes)?;
        self.project = Project { tuning_overlay: overlay, ..after };
        let label = format!("Drop {}", counted(changes.len(), "live change"));
        Ok(self.record(&label, before).after(ended))
    }

    /// Make edits as one step that is kept: while changes are live, in both projects.
    ///
    /// # Errors
    /// The first refusal; nothing has changed then but that an open drag has become a step.
    pub fn kept_step(&mut self, label: Option<&str>, edits: &[Edit]) -> Result<Changed, Refusal> {
        let Some(live) = &self.live else { return self.step(label, edits) };
        let mut kept = Project { tuning_overlay: self.project.tuning_overlay.clone(), ..live.kept.clone() };
        let ended = self.end_drag();
        let before = self.project.clone();
        let mut after = before.clone();
        apply_all(&mut kept, edits)?;
        apply_all(&mut after, edits)?;
        live::share(&mut kept, &after);
        self.project = after;
        let label = label.map_or_else(|| label_of(edits), str::to_owned);
        Ok(self.record_kept(&label, before, kept).after(ended))
    }

    /// Counts changes of documents and of what is known of their files; what was made from an older one may be
    /// outdated.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Make edits as one step, called `label` or after the edits.
    ///
    /// # Errors
    /// The first refusal; nothing has changed then but that an open drag has become a step.
    pub fn step(&mut self, label: Option<&str>, edits: &[Edit]) -> Result<Changed, Refusal> {
        let ended = self.end_drag();
        let before = self.project.clone();
        apply_all(&mut self.project, edits)?;
        let label = label.map_or_else(|| label_of(edits), str::to_owned);
        Ok(self.record(&label, before).after(ended))
    }

    /// Put documents in place of what is there (`None`: take them away) as one step, as files have them. Live changes
    /// are merged with them, and win where both changed the same.
    pub fn replace(&mut self, label: &str, documents: Vec<(DocPath, Option<Arc<Document>>)>) -> Changed {
        let ended = self.end_drag();
        let before = self.project.clone();
        let Some(live) = &self.live else {
            replace(&mut self.project, documents);
            return self.record(label, before).after(ended);
        };
        let merged = live::merged(&live.kept, &self.project, &documents);
        let mut kept = live.kept.clone();
        replace(&mut self.project, merged);
        replace(&mut kept, documents);
        self.record_kept(label, before, kept).after(ended)
    }

    /// Put a document as its file has it in place of what is there, as one step. Its live changes are dropped.
    pub fn revert(&mut self, doc: &DocPath) -> Option<Changed> {
        let document = self.saved_doc(doc)?.clone();
        let (ended, before) = (self.end_drag(), self.project.clone());
        let put = vec![(doc.clone(), Some(document))];
        let mut kept = self.kept().clone();
        replace(&mut self.project, put.clone());
        replace(&mut kept, put);
        let label = format!("Revert {doc}");
        let changed = if self.is_live() { self.record_kept(&label, before, kept) } else { self.record(&label, before) };
        Some(changed.after(ended))
    }

    /// Begin a drag or go on with it, end it, or cancel it. `edits` are all of the drag, made on the project before it.
    /// A refusal is returned beside what changed.
    pub fn drag(&mut self, label: &str, edits: &[Edit], phase: Phase) -> (Changed, Option<Refusal>) {
        if edits.is_empty() && phase == Phase::Commit {
            let was = self.project.clone();
            return (self.end_drag().unwrap_or_else(|| self.changed(was, None, false)), None);
        }
        let mut gesture = self.gesture.take().unwrap_or_else(|| Gesture::begin(&self.project));
        // Taken, not cloned, since this is every frame of a drag: cancel and preview start from the project before it.
        let was = std::mem::take(&mut self.project);
        if phase == Phase::Cancel {
            gesture.cancel(&mut self.project);
            return (self.changed(was, None, true), None);
        }
        gesture.set_label(label);
        let refusal = gesture.preview(&mut self.project, edits).err();
        if phase == Phase::Commit {
            let before = gesture.before().clone();
            let step = gesture.commit(&self.project, &mut self.history);
            let changed = self.changed(was, step, false);
            // What is selected by name follows from before the whole drag.
            return (Changed { before, ..changed }, refusal);
        }
        self.gesture = Some(gesture);
        (self.changed(was, None, true), refusal)
    }

    /// Make a drag that is still open a step.
    pub fn end_drag(&mut self) -> Option<Changed> {
        let gesture = self.gesture.take()?;
        let (before, was) = (gesture.before().clone(), self.project.clone());
        let step = gesture.commit(&self.project, &mut self.history);
        // The project is as the drag left it, so nothing that is made from it is outdated.
        let changed = self.changed(was, step, false);
        let (has_documents, has_overlay) = self.differs_from(&before);
        if has_documents && self.live.is_none() {
            self.files.project_changed(&self.project);
        }
        Some(Changed { before, has_documents, has_overlay, ..changed })
    }

    /// Undo or redo the next step of the focused document, or the next of all where that has none. Returns its label.
    ///
    /// # Errors
    /// There is no such step, or its documents were changed past the history.
    pub fn undo(&mut self, is_redo: bool, focus: Option<&DocPath>) -> Result<(String, Changed), UndoError> {
        let ended = self.end_drag();
        let before = self.project.clone();
        let was_kept = self.kept().clone();
        let kept = self.live.as_mut().map(|live| &mut live.kept);
        let label = self.history.take_next((&mut self.project, kept), focus, is_redo)?.label().to_owned();
        self.note_kept(&was_kept);
        Ok((label, self.changed(before, None, false).after(ended)))
    }

    /// Undo or redo until the first `n` steps of the history are done. What stopped it on the way is returned beside
    /// what changed.
    pub fn go_to_step(&mut self, n: usize) -> (Changed, Option<UndoError>) {
        let ended = self.end_drag();
        let before = self.project.clone();
        let was_kept = self.kept().clone();
        let kept = self.live.as_mut().map(|live| &mut live.kept);
        let stopped = self.history.jump((&mut self.project, kept), n).err();
        self.note_kept(&was_kept);
        (self.changed(before, None, false).after(ended), stopped)
    }

    /// Begin to write the files of a document or to remove them; with `overwrite` one file, whatever became of it. None
    /// while the file has to be looked at first, or a question about it is open.
    pub fn save(&mut self, doc: &DocPath, overwrite: bool) -> Vec<io::Writing> {
        self.files.save(doc, kept_of(self.live.as_ref(), &self.project), overwrite)
    }

    /// A document was written, or not. Returns what has to be done now.
    ///
    /// # Errors
    /// Why it could not be written.
    pub fn wrote(&mut self, wrote: io::Wrote) -> Result<io::Followed, io::SaveError> {
        let followed = self.files.wrote(wrote, kept_of(self.live.as_ref(), &self.project))?;
        Ok(self.followed(followed))
    }

    /// Files that other programs changed were read. Returns what has to be done now.
    pub fn scanned(&mut self, scanned: io::Scanned) -> io::Followed {
        let followed = self.files.scanned(scanned, kept_of(self.live.as_ref(), &self.project));
        self.followed(followed)
    }

    /// The user decided about a document that changed here and on disk. Returns what has to be done now.
    pub fn answer(&mut self, doc: &DocPath, choices: &io::Choices) -> io::Followed {
        let followed = self.files.answer(doc, kept_of(self.live.as_ref(), &self.project), choices);
        self.followed(followed)
    }

    /// Take up what was not saved when an earlier session ended. Returns what has to be done now.
    pub fn restore(&mut self, recovered: &[io::journal::Recovered]) -> io::Followed {
        let followed = self.files.restore(recovered, kept_of(self.live.as_ref(), &self.project));
        self.followed(followed)
    }

    /// Other things may be known of the files: what is saved, places in their text, errors of the reader.
    fn followed(&mut self, followed: io::Followed) -> io::Followed {
        self.revision += u64::from(followed.is_changed);
        followed
    }

    /// Another program changed files, or may have: they are to be scanned.
    pub fn mark_dirty(&mut self, change: io::DiskChange) {
        self.files.mark_dirty(change);
    }

    /// The next scan of files, if one is needed and none is running.
    pub fn scan(&mut self) -> Option<io::Scan> {
        self.files.scan()
    }

    /// A scan came to no end.
    pub fn scan_failed(&mut self) {
        self.files.scan_failed();
    }

    /// Writing files came to no end.
    pub fn writing_failed(&mut self) {
        self.files.writing_failed();
    }

    /// Whether documents that are to be saved together have to wait until their files were scanned.
    pub fn has_to_wait(&mut self, together: &[DocPath]) -> bool {
        self.files.has_to_wait(together, kept_of(self.live.as_ref(), &self.project))
    }

    /// Ask the question about a document again that was postponed.
    pub fn resume(&mut self, doc: &DocPath) {
        self.files.resume(doc);
    }

    /// Ask the question about a document later.
    pub fn postpone(&mut self, doc: &DocPath) {
        self.files.postpone(doc);
    }

    fn record(&mut self, label: &str, before: Project) -> Changed {
        let step = self.history.record(label, &before, &self.project);
        self.changed(before, step, false)
    }

    /// Record what was done to the project, and that the project that is kept is another.
    fn record_kept(&mut self, label: &str, before: Project, kept: Project) -> Changed {
        let Some(live) = &mut self.live else { return self.record(label, before) };
        let was = std::mem::replace(&mut live.kept, kept);
        let kept = Some((&was, &live.kept));
        let step = self.history.record_both(label, (&before, &self.project), kept);
        self.note_kept(&was);
        self.changed(before, step, false)
    }

    /// Note if the project that is kept is another than it was.
    fn note_kept(&mut self, was: &Project) {
        if self.live.as_ref().is_some_and(|live| !live.kept.has_same_documents(was)) {
            self.kept_changed();
        }
    }

    /// The project that is kept is another, which files are compared with.
    fn kept_changed(&mut self) {
        self.revision += 1;
        self.files.project_changed(kept_of(self.live.as_ref(), &self.project));
    }

    /// Whether documents are others than in `before`, and whether the values that are tried out are.
    fn differs_from(&self, before: &Project) -> (bool, bool) {
        let has_same_overlay = Arc::ptr_eq(&self.project.tuning_overlay, &before.tuning_overlay);
        (!self.project.has_same_documents(before), !has_same_overlay)
    }

    fn changed(&mut self, before: Project, step: Option<StepId>, is_passing: bool) -> Changed {
        let (has_documents, has_overlay) = self.differs_from(&before);
        if has_documents {
            self.revision += 1;
            // Not in each frame of a drag: a large level has a thousand files.
            if self.live.is_none() && self.gesture.is_none() {
                self.files.project_changed(&self.project);
            }
        }
        Changed { before, step, has_documents, has_overlay, is_passing }
    }
}

/// The project that files are to have, where the rest of the workspace is borrowed.
fn kept_of<'a>(live: Option<&'a Live>, project: &'a Project) -> &'a Project {
    live.map_or(project, |live| &live.kept)
}
