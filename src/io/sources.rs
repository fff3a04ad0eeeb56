//! The text behind each document: what was last read from or written to its file. It answers where a value stands, what
//! a save has to patch, and whether a change on disk is news.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use crate::model::{DocPath, Document, Finding, mix};

use super::ron_text::{self, Index};

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
    /// What the file was before it was saved as this, oldest first: undone steps give a saved text back with its comments.
    earlier: Vec<(Arc<Document>, Arc<str>)>,
    /// Where its parts stand, shared by all copies; made when first asked for. `None` inside for what is not RON.
    index: Arc<OnceLock<Option<Index>>>,
}

impl Source {
    /// A file with this text and what it says.
    #[must_use]
    pub fn new(text: Arc<str>, hash: u64, findings: Vec<Finding>, document: Option<Arc<Document>>) -> Self {
        Self { text, hash, findings, document, earlier: Vec::new(), index: Arc::default() }
    }

    /// The same, where it is known already where the parts of the text stand.
    pub(super) fn with_index(self, index: Option<Index>) -> Self {
        Self { index: Arc::new(index.map(|index| OnceLock::from(Some(index))).unwrap_or_default()), ..self }
    }

    /// The same, known to be written over `before`.
    pub(super) fn over(self, before: Option<&Self>) -> Self {
        let Some(before) = before else { return self };
        let mut earlier = before.earlier.clone();
        if let (Some(document), false) = (&before.document, before.hash == self.hash) {
            earlier.retain(|(known, _)| !Arc::ptr_eq(known, document));
            earlier.push((Arc::clone(document), Arc::clone(&before.text)));
        }
        let mut n_bytes: usize = earlier.iter().map(|(_, text)| text.len()).sum();
        while n_bytes > MAX_EARLIER_BYTES && earlier.len() > 1 {
            n_bytes -= earlier.remove(0).1.len();
        }
        Self { earlier, ..self }
    }

    /// The text of a document that the file once was, this very one.
    pub(super) fn text_once(&self, document: &Document) -> Option<&str> {
        let once = self.earlier.iter().rev().find(|(known, _)| std::ptr::eq(&raw const **known, document));
        once.map(|(_, text)| &**text)
    }

    /// Where the parts of the text stand; `None` when it is not RON. The text is looked through at most once.
    #[must_use]
    pub fn index(&self) -> Option<&Index> {
        let read = || ron_text::parse(&self.text).ok().map(|tree| Index::of(&tree));
        self.index.get_or_init(read).as_ref()
    }
}

/// How much of what a file was is kept.
const MAX_EARLIER_BYTES: usize = 8 << 20;

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

/// A hash of a file's bytes: equal contents have equal hashes, in one run and in the next. It tells versions of a file
/// apart that nobody made to be mistaken for each other.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> u64 {
    // Eight bytes at a time, in four lanes that do not wait for each other: some gigabytes in a second.
    const LANES: usize = 4;
    let word = |bytes: &[u8]| {
        let mut word = [0; 8];
        for (to, from) in word.iter_mut().zip(bytes) {
            *to = *from;
        }
        u64::from_le_bytes(word)
    };
    let blocks = bytes.chunks_exact(8 * LANES);
    let rest = blocks.remainder();
    let mut lanes = [1, 2, 3, 4];
    for block in blocks {
        for (lane, bytes) in lanes.iter_mut().zip(block.chunks_exact(8)) {
            *lane = stirred(*lane ^ word(bytes));
        }
    }
    let hash = lanes.into_iter().chain(rest.chunks(8).map(word)).fold(0, |hash, part| mix(hash ^ mix(part)));
    mix(hash ^ bytes.len() as u64)
}

/// A step that loses nothing: different numbers give different ones.
fn stirred(x: u64) -> u64 {
    let x = x.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^ (x >> 29)
}
