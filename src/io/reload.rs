//! Reads again what changed on disk. A file with unchanged content is not reported, whichever program wrote it: so the
//! program's own saves are recognized, and a touched file costs nothing.
//!
//! Reading is a job of its own ([`Scan`]) that holds all it needs; [`super::Follow`] decides what to do with its
//! result.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Bound,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use crate::model::{DocPath, Document, Finding};

use super::{
    Source, Sources, codec, content_hash,
    disk::{Disk, Folder, Found},
    files, load,
};

/// What may have changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DiskChange {
    /// Files that changed, came or went, and folders that came or went.
    pub paths: BTreeSet<DocPath>,
    /// Something may have been missed: everything has to be compared.
    pub rescan: bool,
}

/// A file whose content changed.
#[derive(Clone, Debug)]
pub struct Reloaded {
    /// Its path.
    pub path: DocPath,
    /// What it is now.
    pub now: Now,
    /// Hash of the content that was known when it was scanned: if another is known by now, it has to be scanned again.
    pub against: Option<u64>,
}

/// The present state of a file.
#[derive(Clone, Debug)]
pub enum Now {
    /// It has other content. [`Source::document`] is `None` when it is broken: then the last good document stays in
    /// use, and [`Source::findings`] give the reasons.
    Read(Source),
    /// It is gone.
    Gone,
    /// An image or a sound has another content, or is gone.
    Image,
}

impl Reloaded {
    /// The document it holds now, if it holds one.
    #[must_use]
    pub fn document(&self) -> Option<&Arc<Document>> {
        if let Now::Read(source) = &self.now { source.document.as_ref() } else { None }
    }
}

/// What is known of a file to scan.
#[derive(Clone, Debug)]
struct Known {
    hash: u64,
    finding: Option<Finding>,
    document: Option<Arc<Document>>,
}

/// A scan of files, run on another thread.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// Files to scan, with what is known of them.
    files: BTreeMap<DocPath, Option<Known>>,
    images: BTreeSet<DocPath>,
    /// Find files that were not reported, too.
    is_rescan: bool,
}

/// The result of a scan.
#[derive(Clone, Debug, Default)]
pub struct Scanned {
    /// What is not as it was.
    pub news: Vec<Reloaded>,
    /// Every document that was scanned, changed or not, by path.
    pub paths: Vec<DocPath>,
    /// Files that were not reported were searched for.
    pub is_rescan: bool,
    /// The project's folder is not there: nothing is known of its files.
    pub is_folder_gone: bool,
}

impl Scan {
    /// A scan of what changed. `images` are the images and sounds there were; `last_good` has the document to share
    /// parts with where a file is broken.
    #[must_use]
    pub fn new(
        sources: &Sources,
        images: &BTreeSet<DocPath>,
        change: &DiskChange,
        last_good: impl Fn(&DocPath) -> Option<Arc<Document>>,
    ) -> Self {
        let mut scan = Self { is_rescan: change.rescan, ..Self::default() };
        let known = |path: &DocPath, source: &Source| Known {
            hash: source.hash,
            finding: source.findings.first().cloned(),
            document: source.document.clone().or_else(|| last_good(path)),
        };
        if change.rescan {
            scan.files = sources.files.iter().map(|(path, it)| (path.clone(), Some(known(path, it)))).collect();
            scan.images.clone_from(images);
        }
        for path in &change.paths {
            if path.kind().is_some() {
                let it = sources.get(path).map(|source| known(path, source));
                scan.files.insert(path.clone(), it);
            } else if files::is_image(path) || path.is_sound() {
                scan.images.insert(path.clone());
            } else {
                // A folder that went away took its documents and images along.
                let inside = format!("{path}/");
                let after = sources.files.range::<DocPath, _>((Bound::Excluded(path), Bound::Unbounded));
                // `a-b/…` stands between `a` and `a/…`.
                let below = after.skip_while(|(it, _)| it.as_str() < inside.as_str());
                let below = below.take_while(|(it, _)| it.as_str().starts_with(&inside));
                scan.files.extend(below.map(|(path, it)| (path.clone(), Some(known(path, it)))));
                let after = images.range::<DocPath, _>((Bound::Excluded(path), Bound::Unbounded));
                let below = after.skip_while(|it| it.as_str() < inside.as_str());
                scan.images.extend(below.take_while(|it| it.as_str().starts_with(&inside)).cloned());
            }
        }
        scan
    }

    /// Whether there is nothing to scan.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.images.is_empty() && !self.is_rescan
    }

    /// Run it.
    #[must_use]
    pub fn run(mut self, disk: &impl Disk) -> Scanned {
        if self.is_rescan && disk.is_there() {
            for path in disk.documents() {
                self.files.entry(path).or_insert(None);
            }
            self.images.extend(disk.images());
        }
        let mut news: Vec<Reloaded> = Vec::new();
        let mut paths = Vec::with_capacity(self.files.len());
        for (path, known) in self.files {
            paths.push(path.clone());
            news.extend(reread(path, known, disk));
        }
        news.extend(self.images.into_iter().map(|path| Reloaded { path, now: Now::Image, against: None }));
        // Checked last: if the folder is there before and after the files were searched, the missing files are gone.
        if news.iter().any(|it| matches!(it.now, Now::Gone | Now::Image)) && !disk.is_there() {
            return Scanned { is_folder_gone: true, is_rescan: self.is_rescan, ..Scanned::default() };
        }
        Scanned { news, paths, is_rescan: self.is_rescan, is_folder_gone: false }
    }
}

fn reread(path: DocPath, known: Option<Known>, disk: &impl Disk) -> Option<Reloaded> {
    // Hidden files are no documents.
    if known.is_none() && path.as_str().split('/').any(|part| part.starts_with('.')) {
        return None;
    }
    let against = known.as_ref().map(|known| known.hash);
    let broken = known.as_ref().and_then(|known| known.finding.clone());
    let now = catch_unwind(AssertUnwindSafe(|| now(&path, known.as_ref(), disk)));
    let now = now.unwrap_or_else(|_| {
        // Reported once; the others are read all the same, and this one again when it changes.
        let mistake = load::mistake(&path);
        (broken.as_ref() != Some(&mistake)).then(|| Now::Read(load::unreadable(mistake)))
    })?;
    Some(Reloaded { path, now, against })
}

/// What a file is now; `None` when that is what it is known to be.
fn now(path: &DocPath, known: Option<&Known>, disk: &impl Disk) -> Option<Now> {
    match disk.read(path) {
        Found::Bytes(bytes) if known.is_some_and(|known| known.hash == content_hash(&bytes)) => None,
        Found::Bytes(bytes) => {
            let mut source = load::source_of(path, bytes);
            let old = known.and_then(|known| known.document.as_ref());
            if let Some(old) = old {
                let share = |new| codec::shared(old, Arc::unwrap_or_clone(new));
                source.document = source.document.take().map(share);
            }
            Some(Now::Read(source))
        }
        Found::Gone => known.map(|_| Now::Gone),
        Found::Refused(finding) => {
            let is_known = known.is_some_and(|known| known.finding.as_ref() == Some(&finding));
            (!is_known).then(|| Now::Read(load::unreadable(finding)))
        }
    }
}

/// Read what changed. Files whose content is what `sources` knows are left out, as is what is no document or image.
#[must_use]
pub fn changed(sources: &Sources, change: &DiskChange) -> Vec<Reloaded> {
    Scan::new(sources, &BTreeSet::new(), change, |_| None).run(&Folder::new(&sources.root)).news
}

impl Sources {
    /// Remember what was read anew.
    pub fn reloaded(&mut self, reloaded: &Reloaded) {
        match &reloaded.now {
            Now::Read(source) => {
                self.put(reloaded.path.clone(), source.clone());
            }
            Now::Gone => self.take_away(&reloaded.path),
            Now::Image => {}
        }
    }
}
