//! THE JOURNAL of what is not saved: when the program is killed, what it held is offered at the next start.
//!
//! A journal is a file of lines, each with the hash of its content in front. A line is one commit: every document that
//! changed since the line before, as the difference to its last content in the journal. So a half-written line does not
//! count, and the content of the journal is that after its last whole line; nothing after a damaged line is read.
//!
//! It is in the user's own folder for program state and not in the project: a project has only the files that README
//! lists, no journal is committed by mistake, and a project that cannot be written to has one too. Each running program
//! has a file of its own, locked while it runs: a locked file belongs to a running program, any other is offered.
//!
//! Here is what is written and how it is read; the file is `store`, when it is written is `keep`, and restoring its
//! content is [`super::Follow::restore`].

mod intent;
mod keep;
mod lock;
mod store;

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{Source, codec, content_hash, text_of};
use crate::model::{DocPath, Document};

#[cfg(test)]
pub(super) use intent::settle_by;
pub(super) use intent::{Intent, Planned};
pub use intent::{Interrupted, Outcome, settle};
pub use keep::Keeper;
pub use store::{Found, Store, find, folder_of, home};

/// A document that differs from its file.
#[derive(Clone, Debug)]
pub struct Unsaved {
    /// Its path.
    pub path: DocPath,
    /// The document; `None` when it was deleted here.
    pub document: Option<Arc<Document>>,
    /// Its file as it is known; `None` when there is none.
    pub source: Option<Source>,
    /// The text it will be written into where the file has none that could be read.
    pub last: Option<Source>,
    /// The content of the file when it was last readable.
    pub saved: Option<Arc<Document>>,
}

/// The file that a document had changed from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Base {
    /// Of the file's bytes.
    pub hash: u64,
    /// Its content; of a broken file, its content when it was last readable.
    pub text: Arc<str>,
    /// The file was broken.
    pub is_broken: bool,
}

/// The entry of one document in a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The file it had changed from; `None` when there was none.
    pub base: Option<Base>,
    /// What it would have been saved as; `None` when it was deleted.
    pub text: Option<Arc<str>>,
}

/// The content of a journal at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// The project's folder.
    pub root: String,
    /// When it was last written to, in seconds since 1970.
    pub secs: u64,
    /// What was not saved.
    pub entries: BTreeMap<DocPath, Entry>,
    /// How many bytes were understood.
    pub n_bytes: usize,
}

/// The first line.
#[derive(Serialize, Deserialize)]
struct Header {
    levelwright_journal: u32,
    root: String,
}

/// Of the format; another is left alone.
const VERSION: u32 = 1;

/// A line.
#[derive(Serialize, Deserialize)]
struct Commit {
    secs: u64,
    said: Vec<Said>,
}

/// The entry of one document in a line.
#[derive(Serialize, Deserialize)]
enum Said {
    /// The file it changed from. Its content comes next.
    Based(DocPath, Option<Base>),
    /// Its content, as a difference to its content before, or else to the file.
    Says(DocPath, Patch),
    /// It was deleted.
    Gone(DocPath),
    /// It equals its file.
    Done(DocPath),
}

/// A text by another one: that many bytes of its start, this, that many bytes of its end.
#[derive(Serialize, Deserialize)]
struct Patch {
    start: usize,
    text: String,
    end: usize,
}

impl Patch {
    fn between(old: &str, new: &str) -> Self {
        let alike = |(a, b): &(u8, u8)| a == b;
        let mut start = old.bytes().zip(new.bytes()).take_while(alike).count();
        while !old.is_char_boundary(start) {
            start -= 1;
        }
        let (old, new) = (old.get(start..).unwrap_or_default(), new.get(start..).unwrap_or_default());
        let mut end = old.bytes().rev().zip(new.bytes().rev()).take_while(alike).count();
        while !old.is_char_boundary(old.len() - end) {
            end -= 1;
        }
        Self { start, text: new.get(..new.len() - end).unwrap_or_default().to_owned(), end }
    }

    fn on(&self, old: &str) -> Option<String> {
        let from = old.len().checked_sub(self.end).filter(|from| self.start <= *from)?;
        Some([old.get(..self.start)?, &self.text, old.get(from..)?].concat())
    }
}

impl Entry {
    /// What the next patch is made against.
    fn latest(&self) -> &str {
        let base = || self.base.as_ref().map(|base| &*base.text);
        self.text.as_deref().or_else(base).unwrap_or_default()
    }

    fn n_bytes(&self) -> usize {
        let n = |text: Option<&Arc<str>>| text.map_or(0, |text| text.len());
        n(self.base.as_ref().map(|base| &base.text)) + n(self.text.as_ref())
    }
}

/// What is written of one document.
#[derive(Clone, Debug)]
struct Kept {
    document: Option<Arc<Document>>,
    /// The hash of the text that the document is written into, which can change while the document stays.
    written_into: Option<u64>,
    entry: Entry,
}

/// The content of a journal so far, to find what the next line has to contain.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    kept: BTreeMap<DocPath, Kept>,
}

impl Journal {
    /// The line after which the journal holds exactly these unsaved documents; `None` when it does already. Documents
    /// that are identical with the ones written last are not compared.
    #[must_use]
    pub fn line(&mut self, unsaved: Vec<Unsaved>, secs: u64) -> Option<String> {
        let mut said = Vec::new();
        let mut before = std::mem::take(&mut self.kept);
        for it in unsaved {
            let hash = it.source.as_ref().map(|source| source.hash);
            let written_into = it.base_text().map(|source| source.hash);
            let was = before.remove(&it.path);
            let has_base = |was: &Kept| was.entry.base.as_ref().map(|base| base.hash) == hash;
            let is_same =
                |was: &Kept| was.written_into == written_into && is_one(was.document.as_ref(), it.document.as_ref());
            let mut entry = match was {
                Some(was) if has_base(&was) && is_same(&was) => {
                    self.kept.insert(it.path, was);
                    continue;
                }
                Some(was) if has_base(&was) => was.entry,
                _ => {
                    let base = it.base();
                    said.push(Said::Based(it.path.clone(), base.clone()));
                    Entry { base, text: None }
                }
            };
            entry.text = if let Some(document) = &it.document {
                let text = text_of(document, it.base_text());
                said.push(Said::Says(it.path.clone(), Patch::between(entry.latest(), &text)));
                Some(text.into())
            } else {
                said.push(Said::Gone(it.path.clone()));
                None
            };
            self.kept.insert(it.path, Kept { document: it.document, written_into, entry });
        }
        said.extend(before.into_keys().map(Said::Done));
        (!said.is_empty()).then(|| sealed(&Commit { secs, said }))
    }

    /// A journal of two lines with all of the content.
    #[must_use]
    pub fn whole(&self, root: &str, secs: u64) -> String {
        let said = self.kept.iter().flat_map(|(path, kept)| {
            let Entry { base, text } = &kept.entry;
            let from = base.as_ref().map(|base| &*base.text).unwrap_or_default();
            let says = match text {
                Some(text) => Said::Says(path.clone(), Patch::between(from, text)),
                None => Said::Gone(path.clone()),
            };
            [Said::Based(path.clone(), base.clone()), says]
        });
        let commit = Commit { secs, said: said.collect() };
        sealed(&Header { levelwright_journal: VERSION, root: root.to_owned() }) + &sealed(&commit)
    }

    /// Whether it has no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// About how long a journal without outdated entries is.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        self.kept.values().map(|kept| kept.entry.n_bytes()).sum()
    }
}

impl Unsaved {
    /// The file whose text the document's is a change of.
    fn base_text(&self) -> Option<&Source> {
        self.source.as_ref().filter(|source| source.document.is_some()).or(self.last.as_ref())
    }

    fn base(&self) -> Option<Base> {
        let source = self.source.as_ref()?;
        let is_broken = source.document.is_none();
        let text = match &self.saved {
            Some(saved) if is_broken => text_of(saved, self.last.as_ref()).into(),
            _ => source.whole_text(),
        };
        Some(Base { hash: source.hash, text, is_broken })
    }
}

fn is_one(a: Option<&Arc<Document>>, b: Option<&Arc<Document>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

/// A line, with its hash.
fn sealed(what: &impl Serialize) -> String {
    // Text, numbers and paths: there is nothing in it that JSON could not say.
    let json = serde_json::to_string(what).unwrap_or_default();
    format!("{:016x} {json}\n", content_hash(json.as_bytes()))
}

/// The content of a line, if it is whole.
fn opened<'l, T: Deserialize<'l>>(line: &'l [u8]) -> Option<T> {
    let (hash, rest) = line.split_at_checked(17)?;
    let json = rest.strip_suffix(b"\n")?;
    let hash = std::str::from_utf8(hash).ok()?.strip_suffix(' ')?;
    let is_whole = hash == format!("{:016x}", content_hash(json));
    if is_whole { serde_json::from_slice(json).ok() } else { None }
}

/// The content of a journal up to the first line that is not whole. `None` for what is no journal.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Replayed> {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n');
    let first = lines.next()?;
    let header: Header = opened(first).filter(|header: &Header| header.levelwright_journal == VERSION)?;
    let mut replayed = Replayed { root: header.root, n_bytes: first.len(), ..Replayed::default() };
    for line in lines {
        // All of a line or nothing of it.
        let Some((secs, changed)) = opened(line).and_then(|commit| replay(&replayed.entries, commit)) else { break };
        for (path, entry) in changed {
            match entry {
                Some(entry) => _ = replayed.entries.insert(path, entry),
                None => _ = replayed.entries.remove(&path),
            }
        }
        replayed.secs = secs;
        replayed.n_bytes += line.len();
    }
    Some(replayed)
}

type Changes = BTreeMap<DocPath, Option<Entry>>;

fn replay(entries: &BTreeMap<DocPath, Entry>, commit: Commit) -> Option<(u64, Changes)> {
    let mut changed = Changes::new();
    for said in commit.said {
        match said {
            Said::Based(path, base) => _ = changed.insert(path, Some(Entry { base, text: None })),
            Said::Says(path, patch) => {
                let mut entry = changed.remove(&path).unwrap_or_else(|| entries.get(&path).cloned())?;
                entry.text = Some(patch.on(entry.latest())?.into());
                changed.insert(path, Some(entry));
            }
            Said::Gone(path) => {
                let mut entry = changed.remove(&path).unwrap_or_else(|| entries.get(&path).cloned())?;
                entry.text = None;
                changed.insert(path, Some(entry));
            }
            Said::Done(path) => _ = changed.insert(path, None),
        }
    }
    Some((commit.secs, changed))
}

/// A document that was not saved when the program ended.
#[derive(Clone, Debug)]
pub struct Recovered {
    /// Its path.
    pub path: DocPath,
    /// The file it had changed from, as it was.
    pub base: Option<Source>,
    /// The text to write it into where that file has none that could be read.
    pub last: Option<Source>,
    /// The content of the file when it was last readable.
    pub saved: Option<Arc<Document>>,
    /// What happened to it.
    pub mine: Mine,
}

/// What happened to a document before it could be saved.
#[derive(Clone, Debug)]
pub enum Mine {
    /// Its new content.
    Says(Arc<Document>),
    /// It was deleted.
    Gone,
    /// Its content cannot be read.
    Unreadable,
}

impl Recovered {
    /// The document of an entry; `None` for an entry that cannot be a document.
    #[must_use]
    pub fn of(path: &DocPath, entry: &Entry) -> Option<Self> {
        path.kind()?;
        let read = |text: &str| codec::decode(path, text).0.map(Arc::new);
        let saved = entry.base.as_ref().and_then(|base| read(&base.text));
        let base = entry.base.as_ref().map(|base| {
            if base.is_broken {
                return Source::new("".into(), base.hash, Vec::new(), None);
            }
            Source::new(Arc::clone(&base.text), base.hash, Vec::new(), saved.clone())
        });
        let mine = match &entry.text {
            None => Mine::Gone,
            Some(text) => read(text).map_or(Mine::Unreadable, Mine::Says),
        };
        let last = match (&entry.base, &entry.text, &mine) {
            (Some(base), ..) if base.is_broken => {
                Some(Source::new(Arc::clone(&base.text), 0, Vec::new(), saved.clone()))
            }
            (None, Some(text), Mine::Says(mine)) => {
                Some(Source::new(Arc::clone(text), 0, Vec::new(), Some(Arc::clone(mine))))
            }
            _ => None,
        };
        Some(Self { path: path.clone(), base, last, saved, mine })
    }
}
