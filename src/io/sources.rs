//! The text behind each document: what was last read from or written to its file. It gives the place of a value, the
//! text that a save has to patch, and whether a file changed on disk.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use crate::model::{DocKind, DocPath, Document, Finding, Project, mix};

use super::{
    codec,
    parts::is_region,
    related::is_related,
    ron_text::{self, Index},
};

/// A file as it was last read or written.
#[derive(Clone, Debug)]
pub struct Source {
    /// Its text; empty when it could not be read as text.
    pub text: Arc<str>,
    /// Of its bytes; see [`content_hash`].
    pub hash: u64,
    /// What is wrong with it by itself.
    pub findings: Vec<Finding>,
    /// The document in this text; `None` when it is broken.
    pub document: Option<Arc<Document>>,
    /// What the file was before it was saved as this, oldest first: undone steps give a saved text back with its
    /// comments.
    earlier: Vec<(Arc<Document>, Arc<str>)>,
    /// Where its parts stand, shared by all copies; made when first asked for. `None` inside for what is not RON.
    index: Arc<OnceLock<Option<Index>>>,
}

impl Source {
    /// A file with this text and the document in it.
    #[must_use]
    pub fn new(text: Arc<str>, hash: u64, findings: Vec<Finding>, document: Option<Arc<Document>>) -> Self {
        Self { text, hash, findings, document, earlier: Vec::new(), index: Arc::default() }
    }

    /// The same, where it is known already where the parts of the text stand.
    pub(super) fn with_index(self, index: Option<Index>) -> Self {
        Self { index: Arc::new(index.map(|index| OnceLock::from(Some(index))).unwrap_or_default()), ..self }
    }

    /// The same without the text, which can be written anew from the document: for files that only the program writes.
    pub(super) fn without_text(self) -> Self {
        if self.document.is_none() {
            return self;
        }
        Self { text: Arc::from(""), earlier: Vec::new(), index: Arc::default(), ..self }
    }

    /// The text, written anew where it is not kept.
    #[must_use]
    pub fn whole_text(&self) -> Arc<str> {
        match &self.document {
            Some(document) if self.text.is_empty() => codec::encode(document).into(),
            _ => Arc::clone(&self.text),
        }
    }

    /// The same, known to be written over `before`.
    pub(super) fn over(self, before: Option<&Self>) -> Self {
        let Some(before) = before else { return self };
        let mut earlier = before.earlier.clone();
        if let (Some(document), false) = (&before.document, before.hash == self.hash || before.text.is_empty()) {
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
        if self.document.as_ref().is_some_and(|own| std::ptr::eq(&raw const **own, document)) {
            return Some(&*self.text).filter(|text| !text.is_empty());
        }
        let once = self.earlier.iter().rev().find(|(known, _)| std::ptr::eq(&raw const **known, document));
        once.map(|(_, text)| &**text)
    }

    /// Where the parts of the text stand; `None` when it is not RON. The text is searched at most once.
    #[must_use]
    pub fn index(&self) -> Option<&Index> {
        let read = || ron_text::parse(&self.text).ok().map(|tree| Index::of(&tree));
        self.index.get_or_init(read).as_ref()
    }
}

/// How much of what a file was is kept.
const MAX_EARLIER_BYTES: usize = 8 << 20;

/// How much of the texts of files that are gone or broken is kept, but for those that documents continue.
const MAX_LAST_BYTES: usize = 64 << 20;

/// The last text of a file that is gone or broken.
#[derive(Clone, Debug)]
struct Last {
    source: Source,
    /// The document is in the project, so the text is its own however much of it changes.
    is_in_use: bool,
    /// Rises with each text that is kept.
    number: u64,
}

impl Last {
    fn is_continued(&self, document: Option<&Arc<Document>>) -> bool {
        let is_one = |document| self.source.document.as_ref().is_some_and(|own| Arc::ptr_eq(own, document));
        document.is_some_and(|document| self.is_in_use || is_one(document))
    }
}

/// The files of a project, by path.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    /// The project's folder.
    pub root: PathBuf,
    pub(super) files: BTreeMap<DocPath, Source>,
    /// The last readable content of files that are gone or broken: written again, they keep their comments, order and
    /// spelling. The texts are moved here, not copied.
    last: BTreeMap<DocPath, Last>,
    /// How many texts were kept so far.
    n_kept: u64,
}

impl Sources {
    /// No files yet.
    #[must_use]
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), ..Self::default() }
    }

    /// Every file that was read, the broken ones too.
    #[must_use]
    pub fn files(&self) -> &BTreeMap<DocPath, Source> {
        &self.files
    }

    /// The documents by their files, where a large level is several.
    #[must_use]
    pub(super) fn documents(&self) -> Project {
        let read = |(path, source): (&DocPath, &Source)| Some((path.clone(), Arc::clone(source.document.as_ref()?)));
        self.files.iter().filter_map(read).collect()
    }

    /// The documents of the project's own schemas.
    pub(super) fn schemas(&self) -> Vec<Arc<Document>> {
        let schemas = self.files.iter().filter(|(path, _)| path.kind() == Some(DocKind::Schema));
        schemas.filter_map(|(_, source)| source.document.clone()).collect()
    }

    /// The files in which there is no document.
    pub fn unread(&self) -> impl Iterator<Item = &DocPath> {
        self.files.iter().filter(|(_, source)| source.document.is_none()).map(|(path, _)| path)
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

    /// Set the known content of a file.
    pub fn put(&mut self, path: DocPath, source: Source) {
        let is_readable = source.document.is_some();
        let source = if is_region(&path) { source.without_text() } else { source };
        let before = self.files.insert(path.clone(), source);
        if is_readable {
            self.last.remove(&path);
        } else if let Some(before) = before {
            // The document stays in use while its file is broken.
            self.keep_text(path, before, true);
        }
    }

    /// Record that a file is gone.
    pub fn take_away(&mut self, path: &DocPath) {
        if let Some(before) = self.files.remove(path) {
            self.keep_text(path.clone(), before, false);
        }
    }

    /// Keep the content of a file, unless it is not readable. The oldest that no document continues go when there is
    /// too much.
    pub(super) fn keep_text(&mut self, path: DocPath, source: Source, is_in_use: bool) {
        if source.document.is_none() {
            return;
        }
        self.n_kept += 1;
        self.last.insert(path, Last { source, is_in_use, number: self.n_kept });
        let mut n_bytes: usize = self.last.values().map(|last| last.source.text.len()).sum();
        while n_bytes > MAX_LAST_BYTES {
            let unused = self.last.iter().filter(|(_, last)| !last.is_in_use && last.number != self.n_kept);
            let Some(oldest) = unused.min_by_key(|(_, last)| last.number).map(|(path, _)| path.clone()) else { break };
            n_bytes -= self.last.remove(&oldest).map_or(0, |last| last.source.text.len());
        }
    }

    /// The document of a file that is gone stays in use.
    pub(super) fn continue_text(&mut self, path: &DocPath) {
        if let Some(last) = self.last.get_mut(path) {
            last.is_in_use = true;
        }
    }

    /// Whether [`Sources::continue_texts`] would change something.
    pub(super) fn has_texts_to_continue(&self, project: &Project) -> bool {
        self.last.iter().any(|(path, last)| last.is_in_use != last.is_continued(project.doc(path)))
    }

    /// Follow a changed project. A document that is identical with that of a kept text, or was changed from it since,
    /// continues the text; a document that is gone no longer does.
    pub(super) fn continue_texts(&mut self, project: &Project) {
        for (path, last) in &mut self.last {
            last.is_in_use = last.is_continued(project.doc(path));
        }
    }

    /// The text to write a document into whose file has none that could be read: the last one of the file, or one of
    /// another file whose document this continues.
    pub(super) fn last_text(&self, path: &DocPath, document: &Document) -> Option<&Source> {
        if self.get(path).is_some_and(|source| source.document.is_some()) {
            return None;
        }
        let is_match =
            |last: &&Last| last.source.document.as_deref().is_some_and(|is_match| is_related(is_match, document));
        let others = || self.last.iter().filter(|(other, _)| other.kind() == path.kind()).map(|(_, last)| last);
        let own = self.last.get(path).filter(|last| last.is_in_use || is_match(last));
        own.or_else(|| others().find(is_match)).map(|last| &last.source)
    }

    /// Everything that is wrong with single files.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.files.values().flat_map(|source| &source.findings)
    }
}

/// A hash of a file's bytes: equal contents have equal hashes, in one run and in the next. It tells versions of a file
/// apart; it does not withstand collisions made on purpose.
#[must_use]
pub fn content_hash(bytes: &[u8]) -> u64 {
    let mut hasher = Hasher::default();
    hasher.add(bytes);
    hasher.finish()
}

/// The hash of a file's content, which need not fit into memory.
pub(super) fn hash_of_file(place: &Path) -> io::Result<u64> {
    // A multiple of what the hash takes at a time.
    const PIECE: u64 = 1 << 16;
    let mut file = fs::File::open(place)?;
    let (mut hasher, mut piece) = (Hasher::default(), Vec::new());
    loop {
        piece.clear();
        (&mut file).take(PIECE).read_to_end(&mut piece)?;
        hasher.add(&piece);
        if (piece.len() as u64) < PIECE {
            return Ok(hasher.finish());
        }
    }
}

/// Eight bytes at a time, in four independent lanes: some gigabytes in a second.
struct Hasher {
    lanes: [u64; Hasher::LANES],
    /// Of the bytes behind the last whole block.
    rest: Vec<u64>,
    len: u64,
}

impl Default for Hasher {
    fn default() -> Self {
        Self { lanes: [1, 2, 3, 4], rest: Vec::new(), len: 0 }
    }
}

impl Hasher {
    const LANES: usize = 4;

    /// Go on with these bytes. Only the last may be other than whole blocks.
    fn add(&mut self, bytes: &[u8]) {
        let word = |bytes: &[u8]| {
            let mut word = [0; 8];
            for (to, from) in word.iter_mut().zip(bytes) {
                *to = *from;
            }
            u64::from_le_bytes(word)
        };
        let blocks = bytes.chunks_exact(8 * Self::LANES);
        self.rest.extend(blocks.remainder().chunks(8).map(word));
        let mut lanes = self.lanes;
        for block in blocks {
            for (lane, bytes) in lanes.iter_mut().zip(block.chunks_exact(8)) {
                *lane = stirred(*lane ^ word(bytes));
            }
        }
        self.lanes = lanes;
        self.len += bytes.len() as u64;
    }

    fn finish(self) -> u64 {
        let hash = self.lanes.into_iter().chain(self.rest).fold(0, |hash, part| mix(hash ^ mix(part)));
        mix(hash ^ self.len)
    }
}

/// A step that is one-to-one: different numbers give different results.
fn stirred(x: u64) -> u64 {
    let x = x.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^ (x >> 29)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

    use super::*;
    use crate::model::EntitiesFile;

    #[test]
    fn the_oldest_text_goes_first_and_none_that_a_document_continues() {
        let text: Arc<str> = " ".repeat(MAX_LAST_BYTES / 3).into();
        let document = Arc::new(Document::Entities(EntitiesFile::default()));
        let mut sources = Sources::new(Path::new(""));
        let path = |name: &str| DocPath::new(&format!("entities/{name}.ron")).unwrap();
        for (name, is_in_use) in [("in_use", true), ("z", false), ("b", false), ("a", false)] {
            let source = Source::new(Arc::clone(&text), 0, Vec::new(), Some(Arc::clone(&document)));
            sources.keep_text(path(name), source, is_in_use);
        }
        let kept: Vec<&DocPath> = sources.last.keys().collect();
        assert_eq!(kept, [&path("a"), &path("b"), &path("in_use")]);
    }
}
