//! Which documents differ from the version that is kept elsewhere: those whose pointer is not the one that was read or
//! saved.
//!
//! Undoing back to the saved version gives that pointer back, so the mark goes out. Reading and writing is `io`.

use std::{cmp::Ordering, collections::BTreeMap, sync::Arc};

use super::{DocPath, Document, Project};

/// The documents as they are on disk.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    docs: BTreeMap<DocPath, Arc<Document>>,
}

impl Saved {
    /// Everything as just loaded.
    #[must_use]
    pub fn all(project: &Project) -> Self {
        Self { docs: project.documents.clone() }
    }

    /// A document is on disk as it is in `project`; also when that means it is gone.
    pub fn mark(&mut self, project: &Project, path: &DocPath) {
        match project.doc(path) {
            Some(doc) => self.docs.insert(path.clone(), Arc::clone(doc)),
            None => self.docs.remove(path),
        };
    }

    /// The disk has this version of a document, whatever the project holds.
    pub fn put(&mut self, path: DocPath, document: Option<Arc<Document>>) {
        match document {
            Some(document) => self.docs.insert(path, document),
            None => self.docs.remove(&path),
        };
    }

    /// All versions on disk.
    #[must_use]
    pub fn documents(&self) -> &BTreeMap<DocPath, Arc<Document>> {
        &self.docs
    }

    /// The version on disk.
    #[must_use]
    pub fn doc(&self, path: &DocPath) -> Option<&Arc<Document>> {
        self.docs.get(path)
    }

    /// Whether a document differs from the disk; a deleted and a new one do.
    #[must_use]
    pub fn is_modified(&self, project: &Project, path: &DocPath) -> bool {
        match (self.docs.get(path), project.doc(path)) {
            (Some(saved), Some(current)) => !Arc::ptr_eq(saved, current),
            (None, None) => false,
            _ => true,
        }
    }

    /// Every document that differs from the disk, by path.
    #[must_use]
    pub fn modified(&self, project: &Project) -> Vec<DocPath> {
        let mut out = Vec::new();
        // Side by side: looking each up in the other takes several times as long where there are thousands.
        let (mut saved, mut here) = (self.docs.iter().peekable(), project.documents.iter().peekable());
        loop {
            let order = match (saved.peek(), here.peek()) {
                (None, None) => return out,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((a, _)), Some((b, _))) => a.cmp(b),
            };
            let was = if order.is_le() { saved.next() } else { None };
            let is = if order.is_ge() { here.next() } else { None };
            let is_same = was.zip(is).is_some_and(|((_, was), (_, is))| Arc::ptr_eq(was, is));
            out.extend(was.or(is).filter(|_| !is_same).map(|(path, _)| path.clone()));
        }
    }
}
