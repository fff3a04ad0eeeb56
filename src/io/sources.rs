//! The text behind each document: what was last read from or written to its file. It answers where a value stands, what
//! a save has to patch, and whether a change on disk is news.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hasher},
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::model::{DocPath, Document, Finding};

/// A file as it was last read or written.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its text; empty when it could not be read as text.
    pub text: Arc<str>,
    /// Of its bytes; see [`content_hash`].
    pub hash: u64,
    /// What is wrong with it by itself.
    pub findings: Vec<Finding>,
    /// The document that this text says; `None` when it is broken.
    pub document: Option<Arc<Document>>,
}

/// The files of a project, by path.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The project's folder.
    pub root: PathBuf,
    /// Every file that was read, the broken ones too.
    pub files: BTreeMap<DocPath, Source>,
}

impl Sources {
    /// No files yet.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), files: BTreeMap::new() }
    }

    /// The file behind a document.
    #[must_use]
    pub fn get(&self, path: &DocPath) -> Option<&Source> {
        self.files.get(path)
    }

    /// The text behind a document.
    #[must_use]
    pub fn text(&self, path: &DocPath) -> Option<&Arc<str>> {
        self.files.get(path).map(|source| &source.text)
    }

    /// Everything that is wrong with single files.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.files.values().flat_map(|source| &source.findings)
    }
}

/// A hash of a file's bytes: equal contents have equal hashes, in one run and in the next.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}
