//! What changed on disk, read anew. A file whose content is what it was is no news, whoever wrote it: so our own saves
//! are recognized, and a touched file costs nothing.

use std::{collections::BTreeSet, sync::Arc};

use crate::model::{DocPath, Document};

use super::{Change, Source, Sources, content_hash, files, load};

/// A file that is not what it was.
#[derive(Clone, Debug)]
pub struct Reloaded {
    /// Its path.
    pub path: DocPath,
    /// What it is now.
    pub now: Now,
}

/// What became of a file.
#[derive(Clone, Debug)]
pub enum Now {
    /// It says something else. [`Source::document`] is `None` when it is broken: then the last good document stays in
    /// use, and [`Source::findings`] say why.
    Read(Source),
    /// It is gone.
    Gone,
    /// An image has other pixels, or is gone.
    Image,
}

impl Reloaded {
    /// The document it says now, if it says one.
    #[must_use]
    pub fn document(&self) -> Option<&Arc<Document>> {
        if let Now::Read(source) = &self.now { source.document.as_ref() } else { None }
    }
}

/// Read what changed. Files whose content is what `sources` knows are left out, as is what is no document or image.
#[must_use]
pub fn changed(sources: &Sources, change: &Change) -> Vec<Reloaded> {
    let root = &sources.root;
    let mut paths: BTreeSet<DocPath> = BTreeSet::new();
    let mut images: BTreeSet<DocPath> = BTreeSet::new();
    if change.rescan {
        paths.extend(files::list(root).0);
        paths.extend(sources.files.keys().cloned());
        images.extend(files::list_images(root));
    }
    for path in &change.paths {
        if path.kind().is_some() {
            paths.insert(path.clone());
        } else if files::is_image(path) {
            images.insert(path.clone());
        } else {
            // A folder that went away took its documents along.
            let inside = format!("{path}/");
            paths.extend(sources.files.keys().filter(|known| known.as_str().starts_with(&inside)).cloned());
        }
    }
    let mut out: Vec<Reloaded> = paths.into_iter().filter_map(|path| reread(sources, path)).collect();
    out.extend(images.into_iter().map(|path| Reloaded { path, now: Now::Image }));
    out
}

fn reread(sources: &Sources, path: DocPath) -> Option<Reloaded> {
    let known = sources.get(&path);
    // Hidden files are nobody's documents.
    if known.is_none() && path.as_str().split('/').any(|part| part.starts_with('.')) {
        return None;
    }
    let now = match files::read_bytes(&sources.root, &path) {
        Ok(bytes) if known.is_some_and(|known| known.hash == content_hash(&bytes)) => return None,
        Ok(bytes) => Now::Read(load::source_of(&path, bytes)),
        Err(_) if !sources.root.join(path.as_str()).exists() => {
            known?;
            Now::Gone
        }
        Err(finding) => {
            if known.is_some_and(|known| known.findings.first() == Some(&*finding)) {
                return None;
            }
            Now::Read(load::unreadable(*finding))
        }
    };
    Some(Reloaded { path, now })
}

impl Sources {
    /// Remember what was read anew.
    pub fn reloaded(&mut self, reloaded: &Reloaded) {
        match &reloaded.now {
            Now::Read(source) => {
                self.files.insert(reloaded.path.clone(), source.clone());
            }
            Now::Gone => {
                self.files.remove(&reloaded.path);
            }
            Now::Image => {}
        }
    }
}
