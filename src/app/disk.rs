//! The project's files while it is open: saving, and following what other programs write.
//!
//! Invariant: nobody's edit is lost silently. A file that changed on disk replaces its document as a step that can be undone,
//! unless the document has changes of its own: then the user is asked. A broken file leaves its last good document.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use super::{
    editor::{Editor, InFlight},
    events::Event,
    open::image,
};
use crate::{
    edit::Edit,
    io::{self, SaveError},
    model::{DocPath, Document},
    ui::panels::dialogs::Dialog,
};

impl Editor {
    /// Follow the project's folder.
    pub(super) fn watch(&mut self, root: &Path) {
        let wake = self.jobs.wake();
        match io::Watcher::new(root, move || wake()) {
            Ok(watcher) => self.watcher = Some(watcher),
            Err(why) => {
                self.watcher = None;
                self.notice = Some(format!("Changes by other programs will not be seen: {why}"));
            }
        }
    }

    /// Write the document that Save means.
    pub(super) fn save_focused(&mut self) {
        self.end_gesture();
        match self.view.focus.clone().filter(|doc| self.saved.is_modified(&self.project, doc)) {
            Some(doc) => self.save(&doc, false),
            None => self.save_all(),
        }
    }

    /// Write every document that differs from its file.
    pub(super) fn save_all(&mut self) {
        self.end_gesture();
        // What is gone comes last: a renamed document takes its old file along before that would be removed.
        let (there, gone): (Vec<DocPath>, Vec<DocPath>) =
            self.unsaved().into_iter().partition(|doc| self.document(doc).is_some());
        for doc in there.into_iter().chain(gone) {
            if self.saved.is_modified(&self.project, &doc) {
                self.save(&doc, false);
            }
        }
    }

    /// Write one document in a job; with `overwrite`, whatever became of its file.
    pub(super) fn save(&mut self, doc: &DocPath, overwrite: bool) {
        if self.moved_file(doc) && !self.saved.is_modified(&self.project, doc) {
            self.notice = Some(format!("Saved {doc}"));
            return;
        }
        if self.in_flight.is_empty() {
            self.n_saved = 0;
        }
        if let Some(under_way) = self.in_flight.get_mut(doc) {
            under_way.again = true;
            return;
        }
        self.in_flight.insert(doc.clone(), InFlight::default());
        let (path, document) = (doc.clone(), self.document(doc).cloned());
        match document {
            Some(document) => {
                let mut saving = self.sources.saving(doc, &document);
                saving.overwrite = overwrite;
                self.jobs.spawn("save", move || Event::Saved {
                    doc: path,
                    document: Some(document),
                    result: saving.run().map(Some),
                });
            }
            None => {
                let result = self.sources.remove(doc).map(|()| None);
                self.was_saved(doc, None, result);
            }
        }
    }

    /// A document that has no file yet may be one that was renamed: then its old file moves, comments and all. Returns
    /// whether it did.
    fn moved_file(&mut self, doc: &DocPath) -> bool {
        if self.sources.get(doc).is_some() {
            return false;
        }
        let Some(document) = self.document(doc).cloned() else { return false };
        let gone: Vec<DocPath> = self.unsaved().into_iter().filter(|old| self.document(old).is_none()).collect();
        let alike: Vec<&DocPath> = gone.iter().filter(|old| old.kind() == doc.kind()).collect();
        let was = |old: &DocPath| self.saved.doc(old).is_some_and(|saved| Arc::ptr_eq(saved, &document));
        let old = match (alike.iter().find(|old| was(old)), alike.as_slice()) {
            (Some(old), _) => (**old).clone(),
            (None, [only]) => (*only).clone(),
            _ => return false,
        };
        if self.sources.rename(&old, doc).is_err() {
            return false;
        }
        let was = self.saved.doc(&old).cloned();
        self.saved.put(old, None);
        self.saved.put(doc.clone(), was);
        self.changed();
        true
    }

    pub(super) fn was_saved(
        &mut self,
        doc: &DocPath,
        document: Option<Arc<Document>>,
        result: Result<Option<io::Saved>, SaveError>,
    ) {
        let under_way = self.in_flight.remove(doc).unwrap_or_default();
        match result {
            Ok(saved) => {
                if let Some(saved) = saved {
                    self.sources.saved(saved);
                }
                self.view.broken.remove(doc);
                self.saved.put(doc.clone(), document);
                self.n_saved += 1;
                self.notice = Some(match self.n_saved {
                    1 => format!("Saved {doc}"),
                    n => format!("Saved {n} documents"),
                });
                self.changed();
                if under_way.changed
                    && let Some(reloaded) = self.reread(doc)
                {
                    self.reloaded(reloaded);
                }
                if under_way.again && self.saved.is_modified(&self.project, doc) {
                    self.save(doc, false);
                }
            }
            Err(why) => {
                self.closing = super::open::Closing::No;
                if matches!(why, SaveError::Conflict { .. } | SaveError::Broken { .. }) {
                    self.ask_about_conflict(doc);
                }
                self.notice = Some(super::editor::sentence(&why.to_string()));
            }
        }
    }

    /// Take back every change to the focused document, as a step.
    pub(super) fn revert(&mut self) {
        let Some(doc) = self.view.focus.clone() else { return };
        let Some(document) = self.saved.doc(&doc).cloned() else { return };
        self.put(&format!("Revert {doc}"), &doc, Some(document));
    }

    /// Take over what other programs wrote.
    pub(super) fn receive_changes(&mut self) {
        let Some(watcher) = &self.watcher else { return };
        for change in watcher.changes().try_iter() {
            let waiting = self.changes.get_or_insert_default();
            waiting.paths.extend(change.paths);
            waiting.rescan |= change.rescan;
        }
        if self.is_reloading {
            return;
        }
        let Some(change) = self.changes.take() else { return };
        self.is_reloading = true;
        let sources = self.sources.clone();
        self.jobs.spawn("reload", move || Event::Reloaded(io::changed(&sources, &change)));
    }

    /// Take over files that were read anew.
    pub(super) fn reloaded_files(&mut self, files: Vec<io::Reloaded>) {
        self.is_reloading = false;
        let (images, documents): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|reloaded| matches!(reloaded.now, io::Now::Image));
        if !images.is_empty() {
            let root = self.sources.root.clone();
            self.jobs.spawn("images", move || {
                let read = images.iter().map(|it| (it.path.to_string(), image(&root, &it.path)));
                Event::Images(read.collect::<BTreeMap<_, _>>())
            });
        }
        for reloaded in documents {
            match self.in_flight.get_mut(&reloaded.path) {
                // Looked at again when our own save is through.
                Some(under_way) => under_way.changed = true,
                None => self.reloaded(reloaded),
            }
        }
    }

    fn reloaded(&mut self, reloaded: io::Reloaded) {
        let doc = reloaded.path.clone();
        let is_modified = self.saved.is_modified(&self.project, &doc);
        let document = reloaded.document().cloned();
        let is_gone = matches!(reloaded.now, io::Now::Gone);
        if document.is_none() && !is_gone {
            // Broken: the last good document stays; its text and findings are known from now on.
            self.sources.reloaded(&reloaded);
            self.view.broken.insert(doc.clone());
            self.notice = Some(format!("{doc} has errors; the last good version stays in use"));
            self.changed();
            return;
        }
        self.view.broken.remove(&doc);
        // The same said in other words, a comment say; or our own save, seen before its job was heard.
        if let (Some(here), Some(there)) = (self.document(&doc).cloned(), &document)
            && here == *there
        {
            self.sources.reloaded(&reloaded);
            self.saved.put(doc, Some(here));
            self.changed();
            return;
        }
        if is_modified && self.document(&doc) != document.as_ref() {
            let theirs = text_of(&reloaded);
            self.pending.insert(doc.clone(), reloaded);
            self.ask(&doc, theirs);
            return;
        }
        self.sources.reloaded(&reloaded);
        self.put(&format!("Reload {doc}"), &doc, document.clone());
        self.saved.put(doc.clone(), document);
        self.notice = Some(format!("{doc} was {} by another program", if is_gone { "removed" } else { "changed" }));
    }

    /// Put a document in place of what is there, as a step; from then on that is what the file says.
    fn put(&mut self, label: &str, doc: &DocPath, document: Option<Arc<Document>>) {
        let doc = doc.clone();
        let edit = match document {
            Some(document) => Edit::PutDocument { doc, document },
            None => Edit::RemoveDocument { doc },
        };
        self.step(Some(label), &[edit]);
    }

    fn ask_about_conflict(&mut self, doc: &DocPath) {
        let theirs = self.reread(doc);
        let text = theirs.as_ref().map(text_of).unwrap_or_default();
        self.pending.extend(theirs.map(|theirs| (doc.clone(), theirs)));
        self.ask(doc, text);
    }

    fn reread(&self, doc: &DocPath) -> Option<io::Reloaded> {
        let change = io::Change { paths: [doc.clone()].into(), rescan: false };
        io::changed(&self.sources, &change).into_iter().next()
    }

    /// Ask which side stays; not over another question, see [`Editor::ask_next`].
    fn ask(&mut self, doc: &DocPath, theirs: String) {
        if self.dialog.as_ref().is_some_and(|open| !open.is_finder()) {
            return;
        }
        let source = self.sources.get(doc);
        let mine = self.document(doc).map(|document| io::text_of(document, source)).unwrap_or_default();
        self.dialog = Some(Dialog::Conflict { doc: doc.clone(), mine, theirs });
    }

    /// Keep what is here: the file on disk will be overwritten by the next save.
    pub(super) fn keep_mine(&mut self, doc: &DocPath) {
        if let Some(reloaded) = self.pending.remove(doc) {
            let theirs = reloaded.document().cloned();
            self.sources.reloaded(&reloaded);
            self.saved.put(doc.clone(), theirs);
        } else {
            self.save(doc, true);
        }
        self.notice = Some(format!("Kept what is here of {doc}; save to write it"));
        self.ask_next();
        self.changed();
    }

    /// Take what is on disk, as a step.
    pub(super) fn take_theirs(&mut self, doc: &DocPath) {
        let reloaded = self.pending.remove(doc).or_else(|| self.reread(doc));
        let Some(reloaded) = reloaded else { return };
        let document = reloaded.document().cloned();
        if document.is_none() && !matches!(reloaded.now, io::Now::Gone) {
            self.notice = Some(format!("{doc} has errors on disk; what is here stays"));
            self.sources.reloaded(&reloaded);
        } else {
            self.sources.reloaded(&reloaded);
            self.put(&format!("Take {doc} from disk"), doc, document.clone());
            self.saved.put(doc.clone(), document);
        }
        self.ask_next();
    }

    /// Ask about the next file that changed on disk as well, once no other question is open.
    pub(super) fn ask_next(&mut self) {
        if let Some((doc, reloaded)) = self.pending.iter().next() {
            let (doc, theirs) = (doc.clone(), text_of(reloaded));
            self.ask(&doc, theirs);
        }
    }

    /// Note which files could not be read.
    pub(super) fn mark_broken(&mut self) {
        let broken = self.sources.files.iter().filter(|(_, source)| source.document.is_none());
        self.view.broken = broken.map(|(path, _)| path.clone()).collect();
    }
}

/// What a file says now.
fn text_of(reloaded: &io::Reloaded) -> String {
    if let io::Now::Read(source) = &reloaded.now { source.text.to_string() } else { String::new() }
}
