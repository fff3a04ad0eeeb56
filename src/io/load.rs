//! From a folder to a project. Start-up is the first reload: the same pure function reads a file whenever it is read.

use std::{
    collections::BTreeSet,
    num::NonZero,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
};

use crate::model::{Cell, DocPath, Document, FieldPath, Finding, Level, Location, Project, did_you_mean, mean};

use super::{
    Source, Sources, codec, content_hash, files,
    journal::{self, Interrupted},
    parts::{is_region, join, large, strays_in},
    ron_text::Lines,
    staged,
};

/// The content of a project's folder.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The documents that could be read.
    pub project: Project,
    /// The text of every file.
    pub sources: Sources,
    /// The images and sounds below the folder, by path.
    pub images: Vec<DocPath>,
    /// What is wrong with single files and with the folder.
    pub findings: Vec<Finding>,
    /// Regions of large levels that are still to be read, row by row.
    pub unread: Vec<DocPath>,
}

impl Loaded {
    /// The regions to read next, no more than so many: first those of a level that are nearest to one of it.
    #[must_use]
    pub fn next_regions(&self, near: Option<(&DocPath, Cell)>, most: usize) -> Vec<DocPath> {
        let distance = |path: &DocPath| {
            let (level, at) = path.region_of()?;
            let (_, from) = near.filter(|(shown, _)| **shown == level)?;
            let by = [0, 1].map(|i: usize| i64::from(at[i]).abs_diff(from[i].into()));
            Some(by[0].saturating_mul(by[0]).saturating_add(by[1].saturating_mul(by[1])))
        };
        let mut next = self.unread.clone();
        next.sort_by_cached_key(|path| distance(path).unwrap_or(u64::MAX));
        next.truncate(most);
        next
    }

    /// Add regions that were read ([`read_regions`]).
    pub fn add(&mut self, read: Vec<(DocPath, Source)>) {
        let paths: BTreeSet<DocPath> = read.iter().map(|(path, _)| path.clone()).collect();
        self.unread.retain(|path| !paths.contains(path));
        for (path, mut source) in read {
            let Some((level, _)) = path.region_of() else { continue };
            let level = self.sources.get(&level).and_then(|source| source.document.as_ref());
            if level.is_none_or(|level| large(level).is_none()) {
                let message = "this region belongs to no level with `regions: true`; it is not read";
                self.findings.push(Finding::warning("region-without-level", Location::doc(path), message));
                continue;
            }
            source.findings.extend(level.and_then(|level| without_layer(&path, &source, large(level)?)));
            self.findings.extend(source.findings.iter().cloned());
            self.sources.put(path, source);
        }
        self.project = join(&self.sources.documents());
    }

    fn add_all(mut self) -> Self {
        let read = read_regions(&self.sources.root, &self.unread);
        self.add(read);
        self
    }
}

/// The finding for a region with tiles of layers that its level does not have.
fn without_layer(path: &DocPath, source: &Source, level: &Level) -> Option<Finding> {
    let Document::Region(region) = &**source.document.as_ref()? else { return None };
    let (name, _) = strays_in(region, level).next()?;
    let at = Location::key(path.clone(), FieldPath::keys(["layers"]).key(name));
    let message =
        format!("this has tiles of a layer `{name}`, which the level does not have; they are kept, but not shown");
    let known = level.all_layers().into_iter().map(|layer| &*layer.name);
    Some(Finding::error("unknown-layer", at, message).with_help(mean(did_you_mean(name, known)).unwrap_or_default()))
}

/// Read a project. A file that is broken is left out, with findings that say why; nothing else is lost by it.
#[must_use]
pub fn load(root: &Path) -> Loaded {
    of_listed(root, files::list(root)).0.add_all()
}

/// As [`open_to_show`], with all regions of large levels.
#[must_use]
pub fn open(journals: Option<&Path>, root: &Path) -> (Loaded, Vec<Interrupted>) {
    let (loaded, interrupted) = open_to_show(journals, root);
    (loaded.add_all(), interrupted)
}

/// Read a project once what an earlier process left in it is cleared away: changes of several files that were
/// interrupted are finished or taken back, and temporary files removed. `journals` is the folder for the journals of
/// all projects. Regions of large levels are left to be read ([`Loaded::unread`]), so that there is something to see at
/// once.
#[must_use]
pub fn open_to_show(journals: Option<&Path>, root: &Path) -> (Loaded, Vec<Interrupted>) {
    let real = root.canonicalize();
    let settled = journals.zip(real.ok()).map(|(journals, root)| journal::settle(journals, &root)).unwrap_or_default();
    let (loaded, temporary) = of_listed(root, files::list(root));
    // What is not settled may need them.
    if settled.iter().all(Interrupted::is_settled) {
        staged::remove_leftovers(&temporary);
    }
    (loaded, settled)
}

fn of_listed(root: &Path, listed: files::Listed) -> (Loaded, Vec<PathBuf>) {
    let files::Listed { documents: paths, mut findings, temporary } = listed;
    let mut sources = Sources::new(root);
    let (mut unread, paths): (Vec<_>, Vec<_>) = paths.into_iter().partition(is_region);
    unread.sort_by_cached_key(|path| path.region_of().map(|(level, [x, y])| (level, y, x)));
    for path in paths {
        let source = read_source(root, &path);
        findings.extend(source.findings.iter().cloned());
        sources.put(path, source);
    }
    let (images, unfollowed) = files::find_images(root);
    let more: Vec<Finding> = unfollowed.into_iter().filter(|finding| !findings.contains(finding)).collect();
    findings.extend(more);
    let mut loaded = Loaded { project: Project::default(), sources, images, findings, unread };
    loaded.project = join(&loaded.sources.documents());
    (loaded, temporary)
}

/// Read regions of large levels, several at a time.
#[must_use]
pub fn read_regions(root: &Path, paths: &[DocPath]) -> Vec<(DocPath, Source)> {
    let read = |paths: &[DocPath]| -> Vec<(DocPath, Source)> {
        paths.iter().map(|path| (path.clone(), read_source(root, path).without_text())).collect()
    };
    let n_threads = thread::available_parallelism().map_or(1, NonZero::get);
    let mut shares = paths.chunks(paths.len().div_ceil(n_threads).max(1));
    let own = shares.next().unwrap_or_default();
    thread::scope(|scope| {
        let running: Vec<_> = shares.map(|paths| (paths, scope.spawn(move || read(paths)))).collect();
        let mut all = read(own);
        all.extend(running.into_iter().flat_map(|(paths, it)| {
            let lost = |path: &DocPath| (path.clone(), unreadable(mistake(path)));
            it.join().unwrap_or_else(|_| paths.iter().map(lost).collect())
        }));
        all
    })
}

/// Read a document from its file's text: pure, whenever it is called. Findings give the reason when there is no
/// document.
#[must_use]
pub fn load_one(path: &DocPath, text: &str) -> (Option<Document>, Vec<Finding>) {
    codec::decode(path, text)
}

/// Read one file of a project as it is on disk now.
fn read_source(root: &Path, path: &DocPath) -> Source {
    files::read_bytes(root, path).map_or_else(|finding| unreadable(*finding), |bytes| source_of(path, bytes))
}

/// A file that cannot be read.
pub(super) fn unreadable(finding: Finding) -> Source {
    Source::new(Arc::from(""), 0, vec![finding], None)
}

/// The content of a file with these bytes.
#[must_use]
pub fn source_of(path: &DocPath, bytes: Vec<u8>) -> Source {
    let hash = content_hash(&bytes);
    match files::to_text(path, bytes) {
        Ok(text) => {
            let (document, mut findings, index) = unbroken(path, || codec::read(path, &text));
            findings.extend(notes(path, &text));
            Source::new(text.into(), hash, findings, document.map(Arc::new)).with_index(index)
        }
        Err(finding) => {
            let mut source = unreadable(*finding);
            source.hash = hash;
            source
        }
    }
}

/// The result of reading a file. A panic of the reader, which would be a bug, costs this file alone.
fn unbroken<I>(
    path: &DocPath,
    read: impl FnOnce() -> (Option<Document>, Vec<Finding>, Option<I>),
) -> (Option<Document>, Vec<Finding>, Option<I>) {
    catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|_| (None, vec![mistake(path)], None))
}

/// The finding for a file whose reader panicked.
pub(super) fn mistake(path: &DocPath) -> Finding {
    let message = "this file cannot be read, and it is Levelwright's fault; please report it";
    Finding::error("unreadable", Location::doc(path.clone()), message)
}

/// Hints about a text that can be read all the same. A save leaves such parts as they are.
fn notes(path: &DocPath, text: &str) -> Vec<Finding> {
    let at = |start: usize, end: usize| {
        let span = Some(Lines::new(text).span(start, end));
        Location { span, ..Location::doc(path.clone()) }
    };
    let mut found = Vec::new();
    if text.starts_with('\u{feff}') {
        let message = "the file begins with a byte-order mark, which other programs may stumble over";
        let help = "save it as UTF-8 without one".to_owned();
        found.push(Finding::hint("encoding", at(0, 0), message).with_help(help));
    }
    let is_lone = |at: &usize| text.as_bytes().get(at + 1) != Some(&b'\n');
    if let Some(lone) = text.match_indices('\r').map(|(at, _)| at).find(is_lone) {
        let message = "this line ends with a lone CR, where a `//` comment does not end";
        let help = "save the file with LF at the ends of lines".to_owned();
        found.push(Finding::warning("encoding", at(lone, lone), message).with_help(help));
    }
    found
}
