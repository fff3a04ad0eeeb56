//! THE FILES OF A PROJECT, by its documents. Files are followed one by one ([`Follow`]); here a level that is kept in
//! several files is one document: it is modified when one of them is, its files are saved together, and what was read
//! from them comes back as the whole level.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Deref,
    sync::Arc,
};

use super::{
    Choices, DiskChange, Follow, Followed, Loaded, MergedFile, SaveError, Scan, Scanned, Writing, Wrote,
    journal::{Recovered, Unsaved},
    parts::{Known, Split, Strays, join, large, large_levels, regions_in, split, strays},
};
use crate::model::{DocPath, Document, Project};

/// What is known of the files of an open project. Functions of [`Follow`] that are not here are about single files.
#[derive(Clone, Debug, Default)]
pub struct ProjectFiles {
    follow: Follow,
    /// None while every document is one file.
    split: Option<Split>,
    /// Levels of several files as these have them.
    saved_levels: Project,
    /// Those of which a file is not what is here.
    modified_levels: BTreeSet<DocPath>,
    strays: BTreeMap<DocPath, Strays>,
}

impl Deref for ProjectFiles {
    type Target = Follow;

    fn deref(&self) -> &Follow {
        &self.follow
    }
}

impl Known for ProjectFiles {
    fn documents(&self, file: &DocPath) -> [Option<Arc<Document>>; 2] {
        [self.follow.saved().doc(file).cloned(), self.split.as_ref().and_then(|split| split.files.doc(file)).cloned()]
    }

    fn strays(&self, level: &DocPath) -> Option<&Strays> {
        self.strays.get(level)
    }
}

/// A project by its files: itself, or split.
enum Files<'p> {
    Whole(&'p Project),
    Split(Arc<Project>),
}

impl Deref for Files<'_> {
    type Target = Project;

    fn deref(&self) -> &Project {
        match self {
            Self::Whole(project) => project,
            Self::Split(files) => files,
        }
    }
}

impl ProjectFiles {
    /// A project as just read.
    #[must_use]
    pub fn new(loaded: &Loaded) -> Self {
        let mut it = Self { follow: Follow::new(loaded), ..Self::default() };
        let _ = it.note_strays();
        it.project_changed(&loaded.project);
        it.note_saved(&loaded.project);
        it
    }

    /// Follow a changed project.
    pub fn project_changed(&mut self, project: &Project) {
        let is_split = large_levels(project).next().is_some();
        self.split = is_split.then(|| split(project, self.split.as_ref(), self));
        let files = self.files(project);
        self.follow.project_changed(&files);
        self.note_modified(project);
    }

    fn note_modified(&mut self, project: &Project) {
        self.modified_levels.clear();
        if self.split.is_some() || !self.saved_levels.documents.is_empty() {
            let is_large = |path: &DocPath| {
                let mut documents = project.doc(path).into_iter().chain(self.follow.saved().doc(path));
                documents.any(|document| large(document).is_some())
            };
            self.modified_levels = self.modified(project).into_iter().filter(is_large).collect();
        }
        self.follow.parts_are_modified(self.modified_levels.clone());
    }

    /// Note the tiles in files that no layer has. Returns whether they are others than before; then regions are others,
    /// too.
    fn note_strays(&mut self) -> bool {
        let saved = self.follow.saved().documents();
        let levels = saved.iter().filter(|(_, document)| large(document).is_some()).map(|(path, _)| path);
        let found = levels.map(|path| (path.clone(), strays(path, saved))).filter(|(_, found)| !found.is_empty());
        let found = found.collect();
        let is_other = self.strays != found;
        if is_other {
            (self.strays, self.split) = (found, None);
        }
        is_other
    }

    /// A project by its files. It is split anew unless it is the one that was followed last.
    fn files<'p>(&self, project: &'p Project) -> Files<'p> {
        match &self.split {
            Some(split) if split.whole.has_same_documents(project) => Files::Split(Arc::clone(&split.files)),
            _ if large_levels(project).next().is_none() => Files::Whole(project),
            old => Files::Split(split(project, old.as_ref(), self).files),
        }
    }

    /// What a file holds here: a document, or a part of one.
    #[must_use]
    pub fn part(&self, path: &DocPath, project: &Project) -> Option<Arc<Document>> {
        self.files(project).doc(path).cloned()
    }

    /// The images and sounds, to notice when they are removed.
    pub fn knows_images(&mut self, images: impl IntoIterator<Item = DocPath>) {
        self.follow.knows_images(images);
    }

    /// As [`Follow::mark_dirty`].
    pub fn mark_dirty(&mut self, change: DiskChange) {
        self.follow.mark_dirty(change);
    }

    /// As [`Follow::scan`].
    #[must_use]
    pub fn scan(&mut self) -> Option<Scan> {
        self.follow.scan()
    }

    /// As [`Follow::scan_failed`].
    pub fn scan_failed(&mut self) {
        self.follow.scan_failed();
    }

    /// As [`Follow::writing_failed`].
    pub fn writing_failed(&mut self) {
        self.follow.writing_failed();
    }

    /// Ask again what was put off about the files of a document.
    pub fn resume(&mut self, doc: &DocPath) {
        let files: Vec<DocPath> = self.follow.postponed().filter(|file| file.owner() == *doc).cloned().collect();
        files.iter().for_each(|file| self.follow.resume(file));
    }

    /// As [`Follow::postpone`].
    pub fn postpone(&mut self, file: &DocPath) {
        self.follow.postpone(file);
    }

    /// A document as its files have it.
    #[must_use]
    pub fn saved_doc(&self, path: &DocPath) -> Option<&Arc<Document>> {
        self.saved_levels.doc(path).or_else(|| self.follow.saved().doc(path))
    }

    /// Whether a document differs from its files; a deleted and a new one do.
    #[must_use]
    pub fn is_modified(&self, path: &DocPath, project: &Project) -> bool {
        let is_large = |project: &Project| project.doc(path).is_some_and(|document| large(document).is_some());
        if is_large(project) || is_large(&self.saved_levels) {
            return self.modified_levels.contains(path);
        }
        self.follow.saved().is_modified(project, path)
    }

    /// Every document that differs from its files, by path.
    #[must_use]
    pub fn modified(&self, project: &Project) -> Vec<DocPath> {
        let documents: BTreeSet<DocPath> = self.modified_files(project).iter().map(DocPath::owner).collect();
        documents.into_iter().collect()
    }

    /// Every file that what is here differs from.
    fn modified_files(&self, project: &Project) -> Vec<DocPath> {
        let files = self.files(project);
        let mut modified = self.follow.saved().modified(&files);
        modified.retain(|path| self.is_of_project(path, &files));
        modified
    }

    /// Whether a file is no region without a level.
    fn is_of_project(&self, path: &DocPath, files: &Project) -> bool {
        let Some((level, _)) = path.region_of() else { return true };
        let levels = [files.doc(&level), self.follow.saved().doc(&level)];
        levels.into_iter().flatten().any(|level| large(level).is_some())
    }

    /// Note what files have, after that is another.
    fn note_saved(&mut self, project: &Project) {
        self.note_modified(project);
        let saved = self.follow.saved().documents();
        let levels = saved.iter().filter(|(_, document)| large(document).is_some());
        let whole = |path: &DocPath, own: &Arc<Document>| {
            if let Some(whole) = project.doc(path).filter(|_| !self.modified_levels.contains(path)) {
                return Some(Arc::clone(whole));
            }
            let parts = regions_in(saved, path).chain([(path, own)]);
            let files: Project = parts.map(|(part, document)| (part.clone(), Arc::clone(document))).collect();
            join(&files).documents.remove(path)
        };
        self.saved_levels = levels.filter_map(|(path, own)| Some((path.clone(), whole(path, own)?))).collect();
    }

    /// The file of a document about which there is a question, if there is one.
    #[must_use]
    pub fn questioned(&self, doc: &DocPath) -> Option<DocPath> {
        self.follow.questioned().find(|file| file.owner() == *doc).cloned()
    }

    /// Whether a file of a document cannot be read; its last good version may be in use.
    #[must_use]
    pub fn is_broken(&self, doc: &DocPath) -> bool {
        let regions = || regions_in(self.follow.sources().files(), doc);
        self.follow.is_broken(doc) || regions().any(|(_, source)| source.document.is_none())
    }

    /// Whether the question about a document is postponed.
    #[must_use]
    pub fn is_postponed(&self, doc: &DocPath) -> bool {
        self.follow.postponed().any(|file| file.owner() == *doc)
    }

    /// As [`Follow::scanned`].
    #[must_use]
    pub fn scanned(&mut self, scanned: Scanned, project: &Project) -> Followed {
        let files = self.files(project);
        let followed = self.follow.scanned(scanned, &files);
        self.of_documents(followed, project)
    }

    /// As [`Follow::answer`].
    #[must_use]
    pub fn answer(&mut self, file: &DocPath, project: &Project, choices: &Choices) -> Followed {
        let files = self.files(project);
        let followed = self.follow.answer(file, &files, choices);
        self.of_documents(followed, project)
    }

    /// Begin to write the files of a document that are not what it is, or to remove them; with `overwrite` one file,
    /// whatever became of it. Those that have to wait are left out.
    #[must_use]
    pub fn save(&mut self, doc: &DocPath, project: &Project, overwrite: bool) -> Vec<Writing> {
        let files = self.files(project);
        let parts: Vec<DocPath> = if self.split.is_none() && self.saved_levels.documents.is_empty() || overwrite {
            vec![doc.clone()]
        } else {
            self.modified_files(project).into_iter().filter(|part| part.owner() == *doc).collect()
        };
        parts.iter().filter_map(|part| self.follow.save(part, &files, overwrite)).collect()
    }

    /// Whether documents that are to be saved together have to wait because a file of one is being written. They are
    /// [to be saved](Followed::save) after that.
    pub fn has_to_wait(&mut self, together: &[DocPath], project: &Project) -> bool {
        let parts: Vec<DocPath> =
            self.modified_files(project).into_iter().filter(|part| together.contains(&part.owner())).collect();
        self.follow.has_to_wait(&parts)
    }

    /// Take in the result of writing a file.
    ///
    /// # Errors
    /// As [`Follow::wrote`].
    pub fn wrote(&mut self, wrote: Wrote, project: &Project) -> Result<Followed, SaveError> {
        let files = self.files(project);
        let followed = self.follow.wrote(wrote, &files)?;
        Ok(self.of_documents(followed, project))
    }

    /// Every file that the project differs from, with all that is needed to find out later how it was changed.
    #[must_use]
    pub fn unsaved(&self, project: &Project) -> Vec<Unsaved> {
        let files = self.files(project);
        let mut unsaved = self.follow.unsaved(&files);
        unsaved.retain(|it| self.is_of_project(&it.path, &files));
        unsaved
    }

    /// Whether a file is in the project as the journal has it.
    #[must_use]
    pub fn has(&self, recovered: &Recovered, project: &Project) -> bool {
        self.follow.has(recovered, &self.files(project))
    }

    /// As [`Follow::restore`].
    #[must_use]
    pub fn restore(&mut self, recovered: &[Recovered], project: &Project) -> Followed {
        let files = self.files(project);
        let followed = self.follow.restore(recovered, &files);
        self.of_documents(followed, project)
    }

    /// What has to be done with documents, by what has to be done with files.
    fn of_documents(&mut self, mut followed: Followed, project: &Project) -> Followed {
        let save: BTreeSet<DocPath> = followed.save.iter().map(DocPath::owner).collect();
        followed.save = save.into_iter().collect();
        followed.saved = followed.saved.map(|path| path.owner());
        if !(followed.reloads.is_empty() && followed.merges.is_empty()) {
            self.whole_levels(&mut followed, project);
        }
        // While files of a level are still being written there is nothing to note of it as a whole.
        if followed.is_changed && !self.follow.is_writing() {
            // By now the tiles that no layer had are in the levels that got a layer for them.
            if self.note_strays() {
                self.project_changed(project);
            }
            self.note_saved(project);
        }
        followed
    }

    /// Put whole levels in place of the parts that were read or merged.
    fn whole_levels(&self, followed: &mut Followed, project: &Project) {
        let mut files = Project::clone(&self.files(project));
        let is_part = |files: &Project, path: &DocPath, new: Option<&Arc<Document>>| {
            path.region_of().is_some() || files.doc(path).into_iter().chain(new).any(|it| large(it).is_some())
        };
        let (parts, mut whole): (Vec<_>, Vec<_>) = std::mem::take(&mut followed.reloads)
            .into_iter()
            .partition(|(path, new)| is_part(&files, path, new.as_ref()));
        let levels: BTreeSet<DocPath> = parts.iter().map(|(path, _)| path.owner()).collect();
        for (path, new) in parts {
            match new {
                Some(new) => _ = files.documents.insert(path, new),
                None => _ = files.documents.remove(&path),
            }
        }
        let joined = if levels.is_empty() { Project::default() } else { join(&files) };
        let is_there = |level: &DocPath| project.doc(level).is_some() || joined.doc(level).is_some();
        whole.extend(levels.into_iter().filter(is_there).map(|level| (level.clone(), joined.doc(&level).cloned())));
        followed.reloads = whole;
        let mut merges: Vec<MergedFile> = Vec::new();
        let mut merged: BTreeSet<DocPath> = BTreeSet::new();
        for mut it in std::mem::take(&mut followed.merges) {
            if is_part(&files, &it.doc, Some(&it.document)) {
                files.documents.insert(it.doc.clone(), Arc::clone(&it.document));
                it.doc = it.doc.owner();
                merged.insert(it.doc.clone());
                if let Some(before) = merges.iter_mut().find(|before| before.doc == it.doc) {
                    before.merged.n_theirs += it.merged.n_theirs;
                    before.merged.theirs.extend(it.merged.theirs);
                    continue;
                }
            }
            merges.push(it);
        }
        // Levels are joined once, however many of their files were merged.
        let joined = if merged.is_empty() { Project::default() } else { join(&files) };
        merges.retain_mut(|it| {
            if !merged.contains(&it.doc) {
                return true;
            }
            let level = joined.doc(&it.doc);
            level.inspect(|level| it.document = Arc::clone(level)).is_some()
        });
        followed.merges = merges;
    }
}
