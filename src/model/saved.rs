//! Which documents differ from the version that is kept elsewhere: those whose pointer is not the one that was read or saved.
//!
//! Undoing back to the saved version gives that pointer back, so the mark goes out. Reading and writing is `io`.

use std::{collections::BTreeMap, sync::Arc};

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
        let deleted = self.docs.keys().filter(|path| project.doc(path).is_none());
        let paths = project.documents.keys().chain(deleted);
        paths.filter(|path| self.is_modified(project, path)).cloned().collect()
    }
}
