//! FOLLOWING THE DISK: each document has three versions, the last known content of its file (base), the document here
//! (mine) and the content of the file now (theirs). What to do with them is only decided here; the owner of the project
//! carries it out. So every order in which edits, saves and other programs' writes can come is tested without a window,
//! a disk or a clock.
//!
//! Invariants: nothing that is not on disk is given up unless the user was asked or an undo step holds it; nothing on
//! disk is overwritten that has not been read and either taken in or asked about; once every reported change has been
//! scanned and no question is open, a document without changes of its own equals its file. A broken or missing file
//! leaves its last good document in use.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

mod notice;
mod restore;

use super::{
    Choices, DiskChange, Loaded, Merged, Now, Reloaded, SaveError, Scan, Scanned, Sources, Writing, Wrote,
    codec::{merge, same},
    parts::is_region,
    related::is_related,
};
use crate::model::{Contest, DocKind, DocPath, Document, Project, Saved, Side};

/// What is known of a project's files while it is open.
#[derive(Clone, Debug, Default)]
pub struct Follow {
    sources: Arc<Sources>,
    saved: Saved,
    in_flight: BTreeMap<DocPath, InFlight>,
    questions: BTreeMap<DocPath, Question>,
    /// To be saved once their files have been scanned.
    wanted: BTreeSet<DocPath>,
    /// Documents of which other files have changes.
    modified_elsewhere: BTreeSet<DocPath>,
    /// Every known image, so that the removal of one is noticed without an event.
    images: BTreeSet<DocPath>,
    /// The dirty set: what has to be scanned.
    dirty: Option<DiskChange>,
    /// What is being scanned.
    scanning: DiskChange,
    /// What a scan failed on.
    failed: DiskChange,
    is_scanning: bool,
}

/// What happened to a document while it was being written.
#[derive(Clone, Debug, Default)]
struct InFlight {
    /// The file it is moved from, which is being written, too.
    from: Option<DocPath>,
    /// To be saved once it is written.
    then: BTreeSet<DocPath>,
    /// Its file changed; perhaps by this write itself.
    changed: bool,
}

/// Something only the user can decide.
#[derive(Clone, Debug)]
pub struct Question {
    /// The conflict.
    pub conflict: Conflict,
    /// What is on disk; `None` when it is not known to be other than it was.
    theirs: Option<Reloaded>,
    /// The user postponed it.
    is_postponed: bool,
}

/// What the user has to decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// Both sides changed these places.
    Places(Vec<Contest>),
    /// The file is gone, and the document has changes of its own.
    GoneThere,
    /// The file changed, and the document was deleted here.
    GoneHere,
    /// The file is broken, and the document is to be saved.
    Broken,
}

/// Changes of both sides that were made one.
#[derive(Clone, Debug)]
pub struct MergedFile {
    /// The file.
    pub doc: DocPath,
    /// The merged document.
    pub document: Arc<Document>,
    /// What came from the disk.
    pub merged: Merged,
}

/// What has to be done now.
#[derive(Clone, Debug, Default)]
pub struct Followed {
    /// Documents to put in place (`None`: to take away), all as one step.
    pub reloads: Vec<(DocPath, Option<Arc<Document>>)>,
    /// Documents that changed here and on disk, each a step.
    pub merges: Vec<MergedFile>,
    /// Images to read again.
    pub images: Vec<DocPath>,
    /// Files that cannot be read any more; their last good documents stay.
    pub broken: Vec<DocPath>,
    /// Files that had errors and have none any more.
    pub healed: Vec<DocPath>,
    /// Files whose question is obsolete, because they are again what they were.
    pub back: Vec<DocPath>,
    /// Files that moved, as far as their content shows.
    pub moved: Vec<(DocPath, DocPath)>,
    /// Documents whose files are gone, and that stay as unsaved ones.
    pub orphaned: Vec<DocPath>,
    /// Documents to save now.
    pub save: Vec<DocPath>,
    /// Documents to write whatever is there.
    pub overwrite: Vec<DocPath>,
    /// The document that was written, or whose file was removed.
    pub saved: Option<DocPath>,
    /// Documents that were to be saved and are not, because the project's folder is gone.
    pub not_saved: Vec<DocPath>,
    /// Something about the files is another, even if no document is.
    pub is_changed: bool,
    /// The project's folder is not there.
    pub is_folder_gone: bool,
}

impl Question {
    fn new(conflict: Conflict, theirs: Option<Reloaded>) -> Self {
        Self { conflict, theirs, is_postponed: false }
    }

    /// The text on disk, if it is known to be another.
    #[must_use]
    pub fn theirs(&self) -> Option<&str> {
        match &self.theirs.as_ref()?.now {
            Now::Read(source) => Some(&source.text),
            _ => None,
        }
    }
}

impl Follow {
    /// A project as just read.
    #[must_use]
    pub fn new(loaded: &Loaded) -> Self {
        Self {
            sources: Arc::new(loaded.sources.clone()),
            saved: Saved::all(&loaded.sources.documents()),
            ..Self::default()
        }
    }

    /// The images and sounds, to notice when they are removed.
    pub fn knows_images(&mut self, images: impl IntoIterator<Item = DocPath>) {
        self.images.extend(images);
    }

    /// The texts behind the documents.
    #[must_use]
    pub fn sources(&self) -> &Arc<Sources> {
        &self.sources
    }

    fn sources_mut(&mut self) -> &mut Sources {
        Arc::make_mut(&mut self.sources)
    }

    /// The documents as they are on disk, the last good ones where files are broken.
    #[must_use]
    pub fn saved(&self) -> &Saved {
        &self.saved
    }

    /// The documents whose files cannot be read.
    pub fn broken(&self) -> impl Iterator<Item = &DocPath> {
        self.sources.files.iter().filter(|(_, source)| source.document.is_none()).map(|(path, _)| path)
    }

    /// Whether the file of a document cannot be read; its last good version may be in use.
    #[must_use]
    pub fn is_broken(&self, doc: &DocPath) -> bool {
        self.sources.get(doc).is_some_and(|source| source.document.is_none())
    }

    /// Whether the question about a document is postponed.
    #[must_use]
    pub fn is_postponed(&self, doc: &DocPath) -> bool {
        self.questions.get(doc).is_some_and(|question| question.is_postponed)
    }

    /// Whether something is being written, or will be once its file has been scanned.
    #[must_use]
    pub fn is_saving(&self) -> bool {
        !self.in_flight.is_empty() || !self.wanted.is_empty()
    }

    /// Whether a file is being written or removed just now: that comes to an end by itself.
    #[must_use]
    pub fn is_writing(&self) -> bool {
        !self.in_flight.is_empty()
    }

    /// Whether nothing is under way.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.in_flight.is_empty() && !self.is_scanning && self.dirty.is_none()
    }

    /// The next question that was not postponed.
    #[must_use]
    pub fn question(&self) -> Option<(&DocPath, &Question)> {
        self.questions.iter().find(|(_, question)| !question.is_postponed)
    }

    /// These documents have changes in other files that belong to them: they are not given up because their own has
    /// none.
    pub(super) fn parts_are_modified(&mut self, documents: BTreeSet<DocPath>) {
        self.modified_elsewhere = documents;
    }

    /// Documents that something is to be decided about.
    pub fn questioned(&self) -> impl Iterator<Item = &DocPath> {
        self.questions.keys()
    }

    /// Documents that something is to be decided about, for which the question was put off.
    pub fn postponed(&self) -> impl Iterator<Item = &DocPath> {
        self.questions.iter().filter(|(_, question)| question.is_postponed).map(|(doc, _)| doc)
    }

    /// Ask about a document again that was put off.
    pub fn resume(&mut self, doc: &DocPath) {
        if let Some(question) = self.questions.get_mut(doc) {
            question.is_postponed = false;
        }
    }

    /// Leave a question open, not to be asked again before the document is saved or its file changes once more.
    pub fn postpone(&mut self, doc: &DocPath) {
        if let Some(question) = self.questions.get_mut(doc) {
            question.is_postponed = true;
        }
    }

    /// Follow a changed project: a document that came back by undo continues the last text of its file.
    pub fn project_changed(&mut self, project: &Project) {
        if self.sources.has_texts_to_continue(project) {
            self.sources_mut().continue_texts(project);
        }
    }

    /// The question about a document.
    #[must_use]
    pub fn question_about(&self, doc: &DocPath) -> Option<&Question> {
        self.questions.get(doc)
    }

    /// Files changed, or may have.
    pub fn mark_dirty(&mut self, change: DiskChange) {
        let dirty = self.dirty.get_or_insert_default();
        let failed = std::mem::take(&mut self.failed);
        dirty.paths.extend(change.paths.into_iter().chain(failed.paths));
        dirty.rescan |= change.rescan | failed.rescan;
    }

    /// The scan that is due, if any, unless one is running.
    #[must_use]
    pub fn scan(&mut self) -> Option<Scan> {
        if self.is_scanning {
            return None;
        }
        let change = self.dirty.take()?;
        let scan = Scan::new(&self.sources, &self.images, &change, |path| self.saved.doc(path).cloned());
        self.is_scanning = !scan.is_empty();
        self.scanning = change;
        self.is_scanning.then_some(scan)
    }

    /// A scan failed. Its files are scanned again with the next change and not before: one of them may have caused the
    /// failure.
    pub fn scan_failed(&mut self) {
        self.is_scanning = false;
        let failed = std::mem::take(&mut self.scanning);
        self.failed.paths.extend(failed.paths);
        self.failed.rescan |= failed.rescan;
    }

    /// Take in the result of a scan. `project` is as it is now.
    #[must_use]
    pub fn scanned(&mut self, scanned: Scanned, project: &Project) -> Followed {
        self.is_scanning = false;
        let mut out = Followed { is_folder_gone: scanned.is_folder_gone, ..Followed::default() };
        // A scan of a file that was being written is not reliable: the file is scanned again after the write.
        for (path, under_way) in &mut self.in_flight {
            under_way.changed |= scanned.is_rescan || scanned.paths.binary_search(path).is_ok();
        }
        let mut news = scanned.news;
        if !scanned.is_folder_gone {
            self.find_back(&news, |path| scanned.is_rescan || scanned.paths.binary_search(path).is_ok(), &mut out);
        }
        self.find_moved(&mut news, project, &mut out);
        for reloaded in news {
            if matches!(reloaded.now, Now::Image) {
                self.images.insert(reloaded.path.clone());
                out.images.push(reloaded.path);
            } else if self.in_flight.contains_key(&reloaded.path) {
            } else if matches!(reloaded.now, Now::Gone)
                && !scanned.is_rescan
                && self.has_changes(&reloaded.path, project)
            {
                // It may have been moved to a place that was not scanned: before the question is asked, everything is
                // scanned.
                self.mark_dirty(DiskChange { rescan: true, ..DiskChange::default() });
            } else if reloaded.against != self.known(&reloaded.path) {
                self.scan_again(&reloaded.path);
            } else {
                self.decide(reloaded, project, &Choices::default(), &mut out);
            }
        }
        if scanned.is_folder_gone {
            // It is unknown when the folder is back; then the user has to save again.
            out.not_saved.extend(std::mem::take(&mut self.wanted));
        }
        // After a rescan everything has been scanned, also files that are neither known nor there. What became dirty
        // meanwhile waits for the next scan.
        let is_seen = |path: &&DocPath| scanned.is_rescan || scanned.paths.binary_search(path).is_ok();
        let seen: Vec<DocPath> = self.wanted.iter().filter(is_seen).filter(|it| !self.is_dirty(it)).cloned().collect();
        for path in seen {
            self.wanted.remove(&path);
            if !self.questions.contains_key(&path) {
                self.save_when_safe(&path, &mut out);
            }
        }
        out
    }

    /// Save a document that could not be saved before its file was scanned.
    fn save_when_safe(&mut self, path: &DocPath, out: &mut Followed) {
        if self.sources.get(path).is_some_and(|source| source.document.is_none()) {
            self.questions.insert(path.clone(), Question::new(Conflict::Broken, None));
        } else {
            out.save.push(path.clone());
        }
    }

    fn is_dirty(&self, path: &DocPath) -> bool {
        self.dirty.as_ref().is_some_and(|dirty| dirty.rescan || dirty.paths.contains(path))
    }

    fn has_changes(&self, path: &DocPath, project: &Project) -> bool {
        let is_modified = || self.saved.is_modified(project, path) || self.modified_elsewhere.contains(path);
        project.doc(path).is_some() && is_modified()
    }

    fn known(&self, path: &DocPath) -> Option<u64> {
        self.sources.get(path).map(|source| source.hash)
    }

    fn scan_again(&mut self, path: &DocPath) {
        self.mark_dirty(DiskChange { paths: [path.clone()].into(), rescan: false });
    }

    /// A file that is gone while one with its very text has come was moved: the document moves along, with the changes
    /// it has here.
    fn find_moved(&mut self, news: &mut Vec<Reloaded>, project: &Project, out: &mut Followed) {
        let mut come: BTreeMap<u64, usize> = BTreeMap::new();
        for (i, it) in news.iter().enumerate() {
            let is_new = self.sources.get(&it.path).is_none() && project.doc(&it.path).is_none();
            if let (Now::Read(source), true) = (&it.now, is_new && !self.in_flight.contains_key(&it.path)) {
                come.insert(source.hash, i);
            }
        }
        if come.is_empty() {
            return;
        }
        let mut done = BTreeSet::new();
        for (i, gone) in news.iter().enumerate() {
            let Some(source) = self.sources.get(&gone.path).filter(|_| matches!(gone.now, Now::Gone)) else { continue };
            let (Some(base), Some(mine)) = (source.document.clone(), project.doc(&gone.path)) else { continue };
            let Some(at) = come.get(&source.hash).copied() else { continue };
            let to = &news[at].path;
            let is_alike = to.kind() == gone.path.kind() && gone.against == Some(source.hash);
            if !is_alike || self.in_flight.contains_key(&gone.path) || self.questions.contains_key(&gone.path) {
                continue;
            }
            come.remove(&source.hash);
            let mut source = source.clone();
            source.document = Some(base);
            out.reloads.extend([(gone.path.clone(), None), (to.clone(), Some(Arc::clone(mine)))]);
            out.moved.push((gone.path.clone(), to.clone()));
            out.is_changed = true;
            let saved = self.saved.doc(&gone.path).cloned();
            self.saved.put(to.clone(), saved);
            self.saved.put(gone.path.clone(), None);
            if self.wanted.remove(&gone.path) {
                self.wanted.insert(to.clone());
            }
            self.sources_mut().files.remove(&gone.path);
            self.sources_mut().put(to.clone(), source);
            done.extend([i, at]);
        }
        let mut i = 0;
        news.retain(|_| {
            i += 1;
            !done.contains(&(i - 1))
        });
    }

    /// A question about a changed file is dropped when the file is again what it was.
    fn find_back(&mut self, news: &[Reloaded], is_seen: impl Fn(&DocPath) -> bool, out: &mut Followed) {
        let is_back = |path: &DocPath, question: &Question| {
            question.theirs.is_some() && is_seen(path) && !news.iter().any(|it| it.path == *path)
        };
        let back = self.questions.iter().filter(|(path, question)| is_back(path, question));
        out.back = back.map(|(path, _)| path.clone()).collect();
        for path in &out.back {
            self.questions.remove(path);
            out.is_changed = true;
        }
    }

    /// Decide about a document whose file changed, with the user's answer where it is needed.
    fn decide(&mut self, reloaded: Reloaded, project: &Project, choices: &Choices, out: &mut Followed) {
        let path = reloaded.path.clone();
        self.questions.remove(&path);
        let (mine, base) = (project.doc(&path), self.saved.doc(&path).cloned());
        let is_modified = self.saved.is_modified(project, &path);
        out.is_changed = true;
        let was_broken = self.sources.get(&path).is_some_and(|source| source.document.is_none());
        if was_broken && reloaded.document().is_some() {
            out.healed.push(path.clone());
        }
        match &reloaded.now {
            Now::Image => {}
            Now::Gone if path.kind() == Some(DocKind::Project) => {
                // A project cannot do without it: it stays, and the next save writes it again.
                self.sources_mut().reloaded(&reloaded);
                self.sources_mut().continue_text(&path);
                self.saved.put(path.clone(), None);
                out.orphaned.push(path);
            }
            Now::Gone => match (mine, choices.all) {
                (Some(_), None) if self.has_changes(&path, project) => {
                    self.questions.insert(path, Question::new(Conflict::GoneThere, Some(reloaded)));
                }
                (Some(_), Some(Side::Mine)) if self.has_changes(&path, project) => {
                    self.take_note(&reloaded, None);
                    self.sources_mut().continue_text(&path);
                }
                (mine, _) => {
                    out.reloads.extend(mine.map(|_| (path, None)));
                    self.take_note(&reloaded, None);
                }
            },
            Now::Read(source) => match (&source.document, mine, base) {
                (None, ..) => {
                    self.sources_mut().reloaded(&reloaded);
                    out.broken.push(path);
                }
                (Some(theirs), None, None) => {
                    out.reloads.push((path, Some(Arc::clone(theirs))));
                    self.take_note(&reloaded, None);
                }
                (Some(theirs), None, Some(base)) => match choices.all {
                    _ if same(&base, theirs) => self.take_note(&reloaded, Some(base)),
                    Some(Side::Mine) => self.take_note(&reloaded, None),
                    Some(Side::Theirs) => {
                        out.reloads.push((path, Some(Arc::clone(theirs))));
                        self.take_note(&reloaded, None);
                    }
                    None => {
                        self.questions.insert(path, Question::new(Conflict::GoneHere, Some(reloaded)));
                    }
                },
                // The same document in another text, as with a new comment; or the program's own write, reported by the
                // disk.
                (Some(theirs), Some(mine), _) if same(mine, theirs) => {
                    self.take_note(&reloaded, Some(Arc::clone(mine)));
                }
                (Some(theirs), Some(_), _) if !is_modified => {
                    out.reloads.push((path, Some(Arc::clone(theirs))));
                    self.take_note(&reloaded, None);
                }
                (Some(theirs), Some(mine), base) => {
                    let merged = merge(base.as_deref(), mine, theirs, choices);
                    if !merged.contests.is_empty() {
                        let conflict = Conflict::Places(merged.contests);
                        self.questions.insert(path, Question::new(conflict, Some(reloaded)));
                        return;
                    }
                    if !Arc::ptr_eq(&merged.document, mine) {
                        let document = Arc::clone(&merged.document);
                        out.merges.push(MergedFile { doc: path, document, merged });
                    }
                    self.take_note(&reloaded, None);
                }
            },
        }
    }

    /// Set the known content of a file; `written` is its document, where one is in use already.
    fn take_note(&mut self, reloaded: &Reloaded, written: Option<Arc<Document>>) {
        self.sources_mut().reloaded(reloaded);
        let written = written.or_else(|| reloaded.document().cloned());
        if let (Some(source), Some(written)) = (self.sources_mut().files.get_mut(&reloaded.path), &written) {
            source.document = Some(Arc::clone(written));
        }
        self.saved.put(reloaded.path.clone(), written);
    }

    /// Take the user's answer to a question: which side wins where. Everything else is merged as usual; where a side
    /// has changed since, the question is asked again.
    #[must_use]
    pub fn answer(&mut self, doc: &DocPath, project: &Project, choices: &Choices) -> Followed {
        let mut out = Followed::default();
        let Some(question) = self.questions.remove(doc) else { return out };
        match question.theirs {
            None if choices.all == Some(Side::Mine) => out.overwrite.push(doc.clone()),
            None => {}
            Some(theirs) if theirs.against == self.known(doc) => self.decide(theirs, project, choices, &mut out),
            Some(_) => self.scan_again(doc),
        }
        out
    }

    /// Begin to write a document, or to remove the file of one that is gone here. `None` when it has to wait: for the
    /// same file being written, or for an answer ([`Follow::question_about`]).
    #[must_use]
    pub fn save(&mut self, doc: &DocPath, project: &Project, overwrite: bool) -> Option<Writing> {
        if let Some(under_way) = self.in_flight.get_mut(doc) {
            under_way.then.insert(doc.clone());
            return None;
        }
        if !overwrite && self.questions.contains_key(doc) {
            return None;
        }
        let from = if overwrite { None } else { self.moved_from(doc, project) };
        let writing = match (&from, project.doc(doc)) {
            (Some(from), Some(document)) => {
                self.in_flight.insert(from.clone(), InFlight::default());
                self.sources.moving(from, doc, document)
            }
            (_, document) => self.sources.writing(doc, document, overwrite),
        };
        self.in_flight.insert(doc.clone(), InFlight { from, ..InFlight::default() });
        Some(writing)
    }

    /// Whether documents that are to be saved together have to wait because one of them is being written. They are
    /// [to be saved](Followed::save) after that.
    pub fn has_to_wait(&mut self, together: &[DocPath]) -> bool {
        let Some(under_way) = together.iter().find(|doc| self.in_flight.contains_key(doc)) else { return false };
        if let Some(under_way) = self.in_flight.get_mut(under_way) {
            under_way.then.extend(together.iter().cloned());
        }
        true
    }

    /// Take in the result of writing.
    ///
    /// # Errors
    /// Why it was not written, unless that is dealt with here: a file that changed meanwhile is looked at, and saved
    /// once that is merged.
    pub fn wrote(&mut self, wrote: Wrote, project: &Project) -> Result<Followed, SaveError> {
        let Wrote { path, document, is_moved, result } = wrote;
        let mut out = Followed { is_changed: true, ..Followed::default() };
        let under_way = self.in_flight.remove(&path).unwrap_or_default();
        // A scan that is running may have read the file before or after this.
        if under_way.changed || self.is_scanning {
            self.scan_again(&path);
        }
        if let Some(from) = &under_way.from {
            let old = self.in_flight.remove(from).unwrap_or_default();
            if old.changed || self.is_scanning {
                self.scan_again(from);
            }
            if is_moved {
                self.file_moved(from, &path);
            }
            if result.is_ok() {
                out.save.extend(old.then);
            }
        }
        match result {
            Ok(source) => {
                match source {
                    Some(source) => self.sources_mut().put(path.clone(), source),
                    None => self.sources_mut().take_away(&path),
                }
                self.questions.remove(&path);
                self.saved.put(path.clone(), document);
                out.save.extend(under_way.then);
                out.save.retain(|path| self.saved.is_modified(project, path));
                out.saved = Some(path);
                Ok(out)
            }
            Err(SaveError::Conflict { .. }) => {
                self.scan_again(&path);
                self.wanted.insert(path);
                Ok(out)
            }
            Err(SaveError::Broken { .. }) => {
                self.questions.insert(path, Question::new(Conflict::Broken, None));
                Ok(out)
            }
            Err(why) => Err(why),
        }
    }

    /// Writing was not completed: the content on disk is unknown.
    pub fn writing_failed(&mut self) {
        for path in std::mem::take(&mut self.in_flight).into_keys() {
            self.scan_again(&path);
        }
    }

    /// The file that a document without one was moved from, when it is one of those that are gone here: the very
    /// document, or one that has enough in common with it to be the same.
    #[must_use]
    pub fn moved_from(&self, doc: &DocPath, project: &Project) -> Option<DocPath> {
        // A region that moved is written anew: looking for the one it was among thousands takes longer.
        let document = project.doc(doc).filter(|_| self.sources.get(doc).is_none() && !is_region(doc))?;
        let gone = self.saved.modified(project).into_iter().filter(|old| {
            let is_free = !self.in_flight.contains_key(old) && !self.questions.contains_key(old);
            let is_read = self.sources.get(old).is_some_and(|source| source.document.is_some());
            is_free && is_read && project.doc(old).is_none() && old.kind() == doc.kind()
        });
        let gone: Vec<DocPath> = gone.collect();
        let is_one = |old: &&DocPath| self.saved.doc(old).is_some_and(|saved| Arc::ptr_eq(saved, document));
        let continues = |old: &&DocPath| self.saved.doc(old).is_some_and(|saved| is_related(saved, document));
        gone.iter().find(is_one).or_else(|| gone.iter().find(continues)).cloned()
    }

    /// A file was moved along with its document.
    fn file_moved(&mut self, from: &DocPath, to: &DocPath) {
        let sources = self.sources_mut();
        if let Some(source) = sources.files.remove(from) {
            sources.put(to.clone(), source);
        }
        let was = self.saved.doc(from).cloned();
        self.saved.put(from.clone(), None);
        self.saved.put(to.clone(), was);
    }
}
