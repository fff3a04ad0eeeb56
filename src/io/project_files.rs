//! THE FILES OF A PROJECT, by its documents. Files are followed one by one ([`Follow`]); here a level that is kept in several files
//! is one document: it is modified when one of them is, its files are saved together, and what was read from them comes back as
//! the whole level.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    ops::{Bound, Deref, DerefMut},
    sync::Arc,
};

use super::{
    Choices, Follow, Followed, Loaded, MergedFile, SaveError, Scanned, Writing, Wrote,
    journal::{Recovered, Unsaved},
    parts::{join, large_levels, parts_of},
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
}

/// The project by its files.
#[derive(Clone, Debug)]
struct Split {
    files: Project,
    /// The levels of several files that it was made from.
    levels: Vec<(DocPath, Arc<Document>)>,
}

impl Deref for ProjectFiles {
    type Target = Follow;

    fn deref(&self) -> &Follow {
        &self.follow
    }
}

impl DerefMut for ProjectFiles {
    fn deref_mut(&mut self) -> &mut Follow {
        &mut self.follow
    }
}

impl ProjectFiles {
    /// A project as just read.
    #[must_use]
    pub fn new(loaded: &Loaded) -> Self {
        let mut it = Self { follow: Follow::new(loaded), ..Self::default() };
        it.project_changed(&loaded.project);
        it.note_saved(&loaded.project);
        it
    }

    /// Follow a changed project.
    pub fn project_changed(&mut self, project: &Project) {
        self.split = self.split_of(project);
        let files = self.split.as_ref().map_or(project, |split| &split.files);
        self.follow.project_changed(files);
    }

    fn split_of(&self, project: &Project) -> Option<Split> {
        let levels: Vec<(DocPath, Arc<Document>)> = large_levels(project)
            .filter_map(|(path, _)| Some((path.clone(), Arc::clone(project.doc(path)?))))
            .collect();
        if levels.is_empty() {
            return None;
        }
        let old = self.split.as_ref();
        let is_known = |path: &DocPath, level: &Arc<Document>| {
            old.is_some_and(|old| old.levels.iter().any(|(at, it)| at == path && Arc::ptr_eq(it, level)))
        };
        let known =
            |path: &DocPath| [self.follow.saved().doc(path).cloned(), old.and_then(|old| old.files.doc(path)).cloned()];
        let mut files = project.clone();
        for (path, level) in large_levels(project) {
            if let (Some(old), true) = (old, project.doc(path).is_some_and(|level| is_known(path, level))) {
                let parts = parts_in(&old.files.documents, path).chain([path]);
                let parts = parts.filter_map(|part| Some((part.clone(), old.files.doc(part)?)));
                files.documents.extend(parts.map(|(part, document)| (part, Arc::clone(document))));
            } else {
                files.documents.extend(parts_of(path, level, &known));
            }
        }
        Some(Split { files, levels })
    }

    /// The project by its files.
    fn files<'p>(&self, project: &'p Project) -> Cow<'p, Project> {
        self.split.as_ref().map_or(Cow::Borrowed(project), |split| Cow::Owned(split.files.clone()))
    }

    /// What a file holds here: a document, or a part of one.
    #[must_use]
    pub fn part<'p>(&'p self, path: &DocPath, project: &'p Project) -> Option<&'p Arc<Document>> {
        self.split.as_ref().map_or(project, |split| &split.files).doc(path)
    }

    /// A document as its files have it.
    #[must_use]
    pub fn saved_doc(&self, path: &DocPath) -> Option<&Arc<Document>> {
        self.saved_levels.doc(path).or_else(|| self.follow.saved().doc(path))
    }

    /// Whether a document differs from its files; a deleted and a new one do.
    #[must_use]
    pub fn is_modified(&self, path: &DocPath, project: &Project) -> bool {
        let Some(split) = &self.split else { return self.follow.saved().is_modified(project, path) };
        let saved = self.follow.saved();
        let is_other = |part: &DocPath| saved.is_modified(&split.files, part);
        is_other(path) || self.regions_of(path).iter().any(is_other)
    }

    /// Every document that differs from its files, by path.
    #[must_use]
    pub fn modified(&self, project: &Project) -> Vec<DocPath> {
        let documents: BTreeSet<DocPath> = self.modified_files(project).iter().map(DocPath::owner).collect();
        documents.into_iter().collect()
    }

    /// Every file that what is here differs from.
    fn modified_files(&self, project: &Project) -> Vec<DocPath> {
        let files = self.split.as_ref().map_or(project, |split| &split.files);
        let mut modified = self.follow.saved().modified(files);
        modified.retain(|path| self.is_of_project(path, files));
        modified
    }

    /// Whether a file is no region without a level.
    fn is_of_project(&self, path: &DocPath, files: &Project) -> bool {
        let Some((level, _)) = path.region_of() else { return true };
        [files.doc(&level), self.follow.saved().doc(&level)].into_iter().flatten().any(is_large)
    }

    /// The regions of a level, here and on disk.
    fn regions_of(&self, level: &DocPath) -> BTreeSet<DocPath> {
        let here = self.split.iter().flat_map(|split| parts_in(&split.files.documents, level));
        let there =
            parts_in(self.follow.sources().files(), level).chain(parts_in(self.follow.saved().documents(), level));
        here.chain(there).cloned().collect()
    }

    /// Note which levels are as their files are.
    fn note_saved(&mut self, project: &Project) {
        let saved = self.follow.saved();
        let levels = saved.documents().iter().filter(|(_, document)| is_large(document)).map(|(path, _)| path);
        let whole = |path: &DocPath| {
            if let Some(whole) = project.doc(path).filter(|_| !self.is_modified(path, project)) {
                return Some(Arc::clone(whole));
            }
            let parts = parts_in(saved.documents(), path).chain([path]);
            let files: Project = parts.filter_map(|part| Some((part.clone(), Arc::clone(saved.doc(part)?)))).collect();
            join(&files).documents.remove(path)
        };
        self.saved_levels = levels.filter_map(|path| Some((path.clone(), whole(path)?))).collect();
    }

    /// The file of a document about which there is a question, if there is one.
    #[must_use]
    pub fn questioned(&self, doc: &DocPath) -> Option<DocPath> {
        let parts = [doc.clone()].into_iter().chain(self.regions_of(doc));
        parts.into_iter().find(|part| self.follow.question_about(part).is_some())
    }

    /// Whether a file of a document cannot be read; its last good version may be in use.
    #[must_use]
    pub fn is_broken(&self, doc: &DocPath) -> bool {
        self.follow.is_broken(doc) || self.regions_of(doc).iter().any(|part| self.follow.is_broken(part))
    }

    /// Whether the question about a document is postponed.
    #[must_use]
    pub fn is_postponed(&self, doc: &DocPath) -> bool {
        self.follow.is_postponed(doc) || self.regions_of(doc).iter().any(|part| self.follow.is_postponed(part))
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

    /// Begin to write the files of a document that are not what it is, or to remove them; with `overwrite` one file, whatever
    /// became of it. Those that have to wait are left out.
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
        let files = self.split.as_ref().map_or(project, |split| &split.files);
        let mut unsaved = self.follow.unsaved(files);
        unsaved.retain(|it| self.is_of_project(&it.path, files));
        unsaved
    }

    /// Whether a file is in the project as the journal has it.
    #[must_use]
    pub fn has(&self, recovered: &Recovered, project: &Project) -> bool {
        self.follow.has(recovered, self.split.as_ref().map_or(project, |split| &split.files))
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
        let mut files = self.files(project).into_owned();
        let is_part = |files: &Project, path: &DocPath, new: Option<&Arc<Document>>| {
            path.region_of().is_some() || files.doc(path).into_iter().chain(new).any(is_large)
        };
        let (parts, mut whole): (Vec<_>, Vec<_>) =
            followed.reloads.into_iter().partition(|(path, new)| is_part(&files, path, new.as_ref()));
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
        for mut it in followed.merges {
            if is_part(&files, &it.doc, Some(&it.document)) {
                files.documents.insert(it.doc.clone(), Arc::clone(&it.document));
                it.doc = it.doc.owner();
                let Some(level) = join(&files).documents.remove(&it.doc) else { continue };
                it.document = level;
                if let Some(before) = merges.iter_mut().find(|before| before.doc == it.doc) {
                    before.document = it.document;
                    before.merged.n_theirs += it.merged.n_theirs;
                    before.merged.theirs.extend(it.merged.theirs);
                    continue;
                }
            }
            merges.push(it);
        }
        followed.merges = merges;
        let save: BTreeSet<DocPath> = followed.save.iter().map(DocPath::owner).collect();
        followed.save = save.into_iter().collect();
        followed.saved = followed.saved.map(|path| path.owner());
        if followed.is_changed {
            self.note_saved(project);
        }
        followed
    }
}

fn is_large(document: &Arc<Document>) -> bool {
    matches!(&**document, Document::Level(level) if level.regions)
}

/// The regions of a level among files.
fn parts_in<'f, T>(files: &'f BTreeMap<DocPath, T>, level: &DocPath) -> impl Iterator<Item = &'f DocPath> {
    let folder = level.regions();
    let from = folder.as_ref().map_or(Bound::Unbounded, Bound::Excluded);
    let after = files.range::<DocPath, _>((from, Bound::Unbounded));
    let inside = folder.as_ref().map(|folder| format!("{folder}/")).unwrap_or_default();
    after
        .map(|(path, _)| path)
        .skip_while({
            // `a.regions-old/…` stands before `a.regions/…`.
            let inside = inside.clone();
            move |path| path.as_str() < inside.as_str()
        })
        .take_while(move |path| !inside.is_empty() && path.as_str().starts_with(&inside))
}
