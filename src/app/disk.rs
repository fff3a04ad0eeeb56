//! The project's files while it is open: saving, and following what other programs write. What becomes of a document
//! whose file is another is decided by [`io::Follow`]; here it is only carried out, as steps that can be undone.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use super::{closing::Closing, editor::Editor, events::Event, job::Job, notice::Applies, open::read_assets};
use crate::{
    editor::{Dialog, Versions},
    io::{self, Conflict},
    model::{DocKind, DocPath, Document, sentence},
    refactor::new_documents_needed,
};

impl Editor {
    /// Follow the project's folder.
    pub(super) fn watch(&mut self, root: &Path) {
        let wake = self.jobs.wake();
        match io::Watcher::new(root, move || wake()) {
            Ok(watcher) => self.watcher = Some(watcher),
            Err(why) => {
                self.watcher = None;
                self.notify_while(Applies::ForAWhile, format!("Changes by other programs will not be seen: {why}"));
            }
        }
    }

    /// Write the document that Save means, with those that the same unsaved steps changed, and new ones that these
    /// refer to.
    pub(super) fn save_focused(&mut self) {
        self.end_gesture();
        self.saved_along.clear();
        // The definitions are worked on together, whichever files they are in.
        let focus = self.bench.view.focus.clone();
        let is_meant = |doc: &DocPath| match &focus {
            Some(focus) if focus.kind() == Some(DocKind::Entities) => doc.kind() == Some(DocKind::Entities),
            Some(focus) => doc == focus,
            None => false,
        };
        let mut groups = self.workspace.unsaved_together();
        if groups.iter().flatten().any(is_meant) {
            let (meant, others): (_, Vec<Vec<DocPath>>) =
                groups.into_iter().partition(|group| group.iter().any(is_meant));
            groups = meant;
            // A file that refers to one that is not there would be wrong on its own.
            let docs: Vec<DocPath> = groups.iter().flatten().cloned().collect();
            let is_new = |doc: &&DocPath| self.workspace.saved_doc(doc).is_none();
            let new: Vec<DocPath> = others.iter().flatten().filter(is_new).cloned().collect();
            let resolution = self.derived.resolution();
            let needed = new_documents_needed(self.workspace.kept(), resolution, &docs, &new);
            let is_needed = |group: &Vec<DocPath>| group.iter().any(|doc| needed.contains(doc));
            groups.extend(others.into_iter().filter(is_needed));
            self.saved_along = needed;
        }
        self.save_these(groups);
    }

    /// Write every document that differs from its file.
    pub(super) fn save_all(&mut self) {
        self.end_gesture();
        self.saved_along.clear();
        let groups = self.workspace.unsaved_together();
        self.save_these(groups);
    }

    fn save_these(&mut self, groups: impl IntoIterator<Item = Vec<DocPath>>) {
        let mut writings = Vec::new();
        for group in groups {
            // Comments may go from one file of a group to another, so none is written before the others.
            if let Some(file) = group.iter().find_map(|doc| self.workspace.files().questioned(doc)) {
                self.closing = Closing::No;
                self.ask(&file);
                continue;
            }
            if self.workspace.has_to_wait(&group) {
                continue;
            }
            // What is gone comes last: a renamed document takes its old file along before that would be removed.
            let (there, gone): (Vec<DocPath>, Vec<DocPath>) =
                group.into_iter().partition(|doc| self.workspace.kept().doc(doc).is_some());
            writings.push(there.iter().chain(&gone).flat_map(|doc| self.writing(doc, false)).collect());
        }
        self.write(writings);
    }

    /// Write one document in a job, or remove its file; with `overwrite`, whatever became of the file.
    pub(super) fn save(&mut self, doc: &DocPath, overwrite: bool) {
        let writing = self.writing(doc, overwrite);
        self.write(vec![writing]);
    }

    /// Write files in a job, all or none of each group.
    fn write(&mut self, mut groups: Vec<Vec<io::Writing>>) {
        groups.retain(|group| !group.is_empty());
        if !groups.is_empty() {
            let log = io::IntentLog { journals: self.journals.clone(), command: "save".into(), is_left: false };
            self.jobs.spawn(Job::Save, move || {
                let (mut all, mut unrecorded) = (Vec::new(), None);
                for group in groups {
                    let together = io::run_together(group, &log);
                    all.extend(together.wrote);
                    unrecorded = unrecorded.or(together.unrecorded);
                }
                Event::Wrote { wrote: all, unrecorded }
            });
        }
    }

    /// Begin to write a document; asks where something is to be decided first.
    fn writing(&mut self, doc: &DocPath, overwrite: bool) -> Vec<io::Writing> {
        if let Some(file) = self.workspace.files().questioned(doc).filter(|_| !overwrite) {
            self.closing = Closing::No;
            self.ask(&file);
            return Vec::new();
        }
        if !self.workspace.files().is_saving() {
            self.saved.clear();
        }
        self.workspace.save(doc, overwrite)
    }

    /// Take in how writing together went. Reports why a file could not be written, that others were held back with it,
    /// and why no record was kept.
    pub(super) fn were_written(&mut self, mut wrote: Vec<io::Wrote>, unrecorded: Option<&io::Unrecorded>) {
        // Those that wait for a file that changed are saved with it once that is merged.
        let is_changed =
            |it: &io::Wrote| matches!(it.result, Err(io::SaveError::Conflict { .. } | io::SaveError::Broken { .. }));
        let changed: BTreeSet<DocPath> = wrote.iter().filter(|it| is_changed(it)).map(|it| it.path.clone()).collect();
        let is_waiting = |it: &io::Wrote| matches!(&it.result, Err(io::SaveError::HeldBack { because, .. }) if changed.contains(because));
        let (waiting, others): (Vec<_>, Vec<_>) = wrote.into_iter().partition(is_waiting);
        for it in waiting {
            // The error is that of the file it waits for.
            let _ = self.workspace.wrote(it);
        }
        wrote = others;
        let is_held = |wrote: &io::Wrote| matches!(wrote.result, Err(io::SaveError::HeldBack { .. }));
        let n_held = wrote.iter().filter(|wrote| is_held(wrote)).count();
        // The last message is the one that is shown.
        wrote.sort_by_key(|wrote| (wrote.result.is_err(), !is_held(wrote)));
        self.take_in(wrote);
        if n_held > 0
            && let Some(notice) = self.notices.take()
        {
            let notice = notice.text;
            let others =
                if n_held == 1 { "one more file waits".to_owned() } else { format!("{n_held} more files wait") };
            self.notify_while(Applies::Failed, format!("{notice}; {others} with it"));
        }
        if let Some(why) = unrecorded {
            let notice = self.notices.take().map(|notice| format!("{}; ", notice.text)).unwrap_or_default();
            self.notify_while(Applies::Failed, sentence(&format!("{notice}{why}")));
        }
    }

    /// There may be thousands: what follows from them is done once, after all were taken in.
    fn take_in(&mut self, wrote: Vec<io::Wrote>) {
        let (mut all, mut refused) = (None, None);
        for wrote in wrote {
            match self.workspace.wrote(wrote) {
                Ok(followed) => {
                    let all = all.get_or_insert_with(io::Followed::default);
                    self.saved.extend(followed.saved.clone());
                    all.saved = followed.saved.or(all.saved.take());
                    all.save.extend(followed.save);
                    all.is_changed |= followed.is_changed;
                }
                Err(why) => refused = Some(why),
            }
        }
        let is_any_written = all.is_some();
        if let Some(followed) = all {
            if let Some(doc) = &followed.saved {
                self.notify(self.saving_notice(doc));
            }
            self.carry_out(followed, None);
        }
        if let Some(why) = refused {
            self.closing = Closing::No;
            let is_none_changed = matches!(why, io::SaveError::Io { .. }) && !is_any_written;
            let rest = if is_none_changed { "; no file was changed" } else { "" };
            self.notify_while(Applies::Failed, sentence(&format!("{why}{rest}")));
        }
    }

    /// The notice when documents were written, `doc` the last of them.
    fn saving_notice(&self, doc: &DocPath) -> String {
        let saved = match self.saved.len() {
            1 => format!("Saved {doc}"),
            n => format!("Saved {n} documents"),
        };
        let along = match self.saved_along.as_slice() {
            [] => String::new(),
            [one] => format!(", {one} with them since it is new and used there"),
            many => format!(", {} new ones with them that are used there", many.len()),
        };
        let live = if self.workspace.live_changes().is_empty() {
            ""
        } else {
            "; live changes are not saved until they are kept"
        };
        let saved = saved + &along + live;
        let left = match self.unsaved().len() {
            0 => String::new(),
            _ if self.workspace.files().is_saving() => String::new(),
            1 => "; one more has changes: Save all takes it too".to_owned(),
            n => format!("; {n} more have changes: Save all takes them too"),
        };
        saved + &left
    }

    /// Take back every change to the focused document, as a step.
    pub(super) fn revert(&mut self) {
        if self.is_refused_while_opening() {
            return;
        }
        let Some(doc) = self.bench.view.focus.clone() else { return };
        self.end_gesture();
        if let Some(changed) = self.workspace.revert(&doc) {
            self.follow(&changed);
        }
    }

    /// Have what other programs wrote looked at.
    pub(super) fn receive_changes(&mut self) {
        if let Some(watcher) = &self.watcher {
            for change in watcher.changes().try_iter() {
                self.workspace.mark_dirty(change);
            }
        }
        // What is read at first is not compared with what is there already.
        if self.is_opening {
            return;
        }
        if let Some(scan) = self.workspace.scan() {
            let folder = io::Folder::new(&self.workspace.files().sources().root);
            self.jobs.spawn(Job::Reload, move || Event::Scanned(scan.run(&folder)));
        }
    }

    /// Take over what other programs wrote.
    pub(super) fn scanned(&mut self, scanned: io::Scanned) {
        if !scanned.news.is_empty() {
            // What is being dragged is a change of its own from here on.
            self.end_gesture();
        }
        let followed = self.workspace.scanned(scanned);
        self.carry_out(followed, None);
    }

    /// Do what following the disk asks for; without `label`, the step's label names the changed files.
    pub(super) fn carry_out(&mut self, mut followed: io::Followed, label: Option<&str>) {
        if let Some(notice) = followed.notice() {
            self.notify_while(Applies::ForAWhile, notice);
        }
        followed.images.iter().for_each(|path| self.sounds.forget(path.as_str()));
        self.read_images(followed.images.drain(..).collect());
        let label = label.map_or_else(|| followed.label(), str::to_owned);
        self.replace(&label, followed.reloads);
        for merged in followed.merges {
            self.replace(&format!("Merge {}", merged.doc), vec![(merged.doc, Some(merged.document))]);
        }
        for doc in followed.overwrite {
            self.save(&doc, true);
        }
        if !followed.save.is_empty() {
            let groups = self.workspace.unsaved_together();
            self.save_these(groups.into_iter().filter(|group| group.iter().any(|doc| followed.save.contains(doc))));
        }
        self.ask_anew();
        self.ask_next();
    }

    /// Read images and sounds again in a job; one at a time, or an older state could come last.
    fn read_images(&mut self, images: BTreeSet<DocPath>) {
        if let Some(later) = &mut self.reading_images {
            later.extend(images);
            return;
        }
        if images.is_empty() {
            return;
        }
        self.reading_images = Some(BTreeSet::new());
        let root = self.workspace.files().sources().root.clone();
        self.jobs.spawn(Job::ReadImages, move || {
            let (images, sounds) = read_assets(&root, &images);
            Event::Images(images, sounds)
        });
    }

    /// Images were read, or could not be: those that changed meanwhile come next.
    pub(super) fn images_were_read(&mut self) {
        let next = self.reading_images.take().unwrap_or_default();
        self.read_images(next);
    }

    /// A question that is open may have come to be about other places, or about nothing.
    fn ask_anew(&mut self) {
        let Some(doc) = self.bench.dialog.as_ref().and_then(Dialog::about).cloned() else { return };
        if self.workspace.files().question_about(&doc).is_none() {
            self.bench.dialog = None;
        }
        self.ask(&doc);
    }

    /// Answer a question about a document.
    pub(super) fn settle(&mut self, doc: &DocPath, choices: &io::Choices) {
        self.end_gesture();
        let followed = self.workspace.answer(doc, choices);
        if followed.is_changed && followed.merges.is_empty() && followed.reloads.is_empty() {
            self.notify(format!("Kept what is here of {doc}; save to write it"));
        }
        self.carry_out(followed, None);
    }

    /// Ask about the next document, once no other question is open.
    pub(super) fn ask_next(&mut self) {
        if let Some(doc) = self.workspace.files().question().map(|(doc, _)| doc.clone()) {
            self.closing = Closing::No;
            self.ask(&doc);
        }
    }

    /// Ask about a document; not over another question, but over an older one about the same.
    fn ask(&mut self, doc: &DocPath) {
        let is_free = self.bench.dialog.as_ref().is_none_or(|open| open.is_finder() || open.about() == Some(doc));
        let Some(question) = self.workspace.files().question_about(doc).filter(|_| is_free) else { return };
        let source = self.workspace.files().sources().get(doc);
        let mine = || {
            let here = self.workspace.files().part(doc, self.workspace.kept());
            let text = |document: Arc<Document>| self.workspace.files().sources().text_of(doc, &document);
            here.map(text).unwrap_or_default()
        };
        let theirs = || question.theirs().map(str::to_owned);
        let doc = doc.clone();
        self.bench.dialog = Some(match &question.conflict {
            Conflict::Places(places) => Dialog::Conflict { doc, places: places.clone() },
            Conflict::GoneThere => {
                let mine = mine();
                Dialog::Versions { doc, what: Versions::GoneThere, mine, theirs: String::new() }
            }
            Conflict::GoneHere => {
                let theirs = theirs().unwrap_or_default();
                Dialog::Versions { doc, what: Versions::GoneHere, mine: String::new(), theirs }
            }
            Conflict::Broken => {
                let theirs = theirs().or_else(|| source.map(|source| source.text.to_string())).unwrap_or_default();
                Dialog::Versions { mine: mine(), doc, what: Versions::Broken, theirs }
            }
        });
    }
}
