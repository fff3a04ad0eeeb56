//! From a document to its file. A save changes what changed and nothing else, happens wholly or not at all, and never
//! overwrites what another program wrote meanwhile.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::model::{DocPath, Document, Finding};

use super::{
    Source, Sources,
    codec::Order,
    content_hash,
    draft::{Job, drafted, order_of, text_by},
    files,
    parts::is_region,
    ron_text::{self, Index, SyntaxError},
    staged::in_words,
};

/// Why a document was not saved. Nothing on disk has changed.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file is not what it was when it was last read.
    #[error("{path} {what} since it was read; it has not been overwritten")]
    Conflict {
        /// The document.
        path: DocPath,
        /// What happened to the file.
        what: Meanwhile,
    },
    /// The file has errors, which its author may be about to correct.
    #[error("{path} has errors; it has not been overwritten")]
    Broken {
        /// The document.
        path: DocPath,
    },
    /// The document has a value that text cannot express.
    #[error("{path} could not be written: {why}")]
    Unwritable {
        /// The document.
        path: DocPath,
        /// What cannot be read back.
        why: String,
    },
    /// The place is not inside the project.
    #[error("{path} leads outside the project")]
    Outside {
        /// The document.
        path: DocPath,
    },
    /// Another file that belongs to the same step could not be saved.
    #[error("{path} was not saved, because {because} could not be")]
    HeldBack {
        /// The document.
        path: DocPath,
        /// The other.
        because: DocPath,
    },
    /// The system refused.
    #[error("{path} could not be {action}: {}", in_words(error))]
    Io {
        /// The document.
        path: DocPath,
        /// What was tried: `written`, `removed`.
        action: &'static str,
        /// Why not.
        error: io::Error,
    },
}

/// What happened to a file since it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meanwhile {
    /// Its content is another.
    Changed,
    /// It is gone.
    Removed,
    /// It was not there and now is.
    Appeared,
}

impl std::fmt::Display for Meanwhile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Changed => "was changed by another program",
            Self::Removed => "was removed by another program",
            Self::Appeared => "was made by another program",
        })
    }
}

/// Where the parts of a document's new text stand, which has to be one that can be read.
fn checked(text: &str, source: Option<&Source>) -> Result<Index, Vec<SyntaxError>> {
    match source.and_then(|source| Some((source, source.index()?))) {
        Some((source, index)) => index.updated(&source.text, text),
        None => ron_text::parse(text).map(|tree| Index::of(&tree)),
    }
}

/// A save that can be run on another thread: it holds all it needs.
#[derive(Clone, Debug)]
pub struct Saving {
    root: PathBuf,
    path: DocPath,
    document: Arc<Document>,
    /// Where the file is to be moved from, text and comments with it; then the source is that.
    from: Option<DocPath>,
    source: Option<Source>,
    /// What to change the text of where the source has none that could be read.
    last: Option<Source>,
    /// Those of the project's files.
    schemas: Vec<Arc<Document>>,
    /// The new text of the file, where it is computed already.
    text: Option<String>,
    /// Overwrite the file whatever happened to it.
    overwrite: bool,
}

/// A save or a removal that can be run on another thread.
#[derive(Clone, Debug)]
pub enum Writing {
    /// Write the file.
    Save(Saving),
    /// Remove it.
    Remove {
        /// The project's folder.
        root: PathBuf,
        /// The document.
        path: DocPath,
        /// What the file was last known to be.
        source: Option<Source>,
        /// Remove it whatever it is.
        overwrite: bool,
    },
}

/// The result of writing.
#[derive(Debug)]
pub struct Wrote {
    /// The document.
    pub path: DocPath,
    /// What was to be written; `None` when the file was to be removed.
    pub document: Option<Arc<Document>>,
    /// The file was moved here from where it was, even if nothing could be written to it then.
    pub is_moved: bool,
    /// The file as it is now, or why it is as it was.
    pub result: Result<Option<Source>, SaveError>,
}

impl Sources {
    fn saving(&self, path: &DocPath, document: &Arc<Document>) -> Saving {
        Saving {
            root: self.root.clone(),
            path: path.clone(),
            document: Arc::clone(document),
            from: None,
            source: self.get(path).cloned(),
            last: self.last_text(path, document).cloned(),
            schemas: self.schemas(),
            text: None,
            overwrite: false,
        }
    }

    /// Prepare to write a document, or to remove its file where there is none.
    #[must_use]
    pub fn writing(&self, path: &DocPath, document: Option<&Arc<Document>>, overwrite: bool) -> Writing {
        match document {
            Some(document) => Writing::Save(Saving { overwrite, ..self.saving(path, document) }),
            None => Writing::Remove {
                root: self.root.clone(),
                path: path.clone(),
                source: self.get(path).cloned(),
                overwrite,
            },
        }
    }

    /// Prepare to move a file to where nothing is, with its document, which may have changed. Where that cannot be done
    /// it is written anew, and the old one stays.
    #[must_use]
    pub fn moving(&self, from: &DocPath, to: &DocPath, document: &Arc<Document>) -> Writing {
        let source = self.get(from).cloned();
        Writing::Save(Saving { from: Some(from.clone()), source, ..self.saving(to, document) })
    }
}

impl Saving {
    /// What is to be written.
    #[must_use]
    pub fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// What the file will be, if it may be written over what is there `now`.
    ///
    /// # Errors
    /// Why it may not.
    pub fn against(self, now: Option<&[u8]>) -> Result<Source, SaveError> {
        let path = &self.path;
        if !self.overwrite {
            let what = match (&self.source, now) {
                (None, Some(_)) => Some(Meanwhile::Appeared),
                (Some(_), None) => Some(Meanwhile::Removed),
                (Some(source), Some(bytes)) if source.hash != content_hash(bytes) => Some(Meanwhile::Changed),
                _ => None,
            };
            if let Some(what) = what {
                return Err(SaveError::Conflict { path: path.clone(), what });
            }
            if self.source.as_ref().is_some_and(|source| source.document.is_none()) {
                return Err(SaveError::Broken { path: path.clone() });
            }
        }
        let base = self.source.as_ref().filter(|source| source.document.is_some()).or(self.last.as_ref());
        let text = self.text.unwrap_or_else(|| text_by(&self.document, base, &order_of(&self.schemas)));
        // A file that could not be read again would lose everything in it.
        // Of a region there is only what the program writes itself, and much of it.
        let index = (!is_region(path)).then(|| checked(&text, base)).transpose().map_err(|errors| {
            let why = errors.into_iter().next().map_or_else(String::new, |error| error.message);
            SaveError::Unwritable { path: path.clone(), why }
        })?;
        let hash = content_hash(text.as_bytes());
        let now = Source::new(text.into(), hash, Vec::new(), Some(Arc::clone(&self.document))).with_index(index);
        Ok(now.over(base))
    }
}

impl Writing {
    /// The document.
    #[must_use]
    pub fn path(&self) -> &DocPath {
        match self {
            Self::Save(saving) => &saving.path,
            Self::Remove { path, .. } => path,
        }
    }

    /// What the file will be (`None`: gone), if it may be written over what is there `now`.
    ///
    /// # Errors
    /// Why it may not.
    pub fn against(self, now: Option<&[u8]>) -> Result<Option<Source>, SaveError> {
        match self {
            Self::Save(saving) => saving.against(now).map(Some),
            Self::Remove { path, source, overwrite, .. } => match now {
                Some(bytes) if !overwrite && source.map(|source| source.hash) != Some(content_hash(bytes)) => {
                    Err(SaveError::Conflict { path, what: Meanwhile::Changed })
                }
                _ => Ok(None),
            },
        }
    }

    /// What is to be written; `None` when the file is to be removed.
    #[must_use]
    pub fn document(&self) -> Option<&Arc<Document>> {
        if let Self::Save(saving) = self { Some(&saving.document) } else { None }
    }

    /// Where the file is to be moved from first.
    #[must_use]
    pub fn from(&self) -> Option<&DocPath> {
        if let Self::Save(saving) = self { saving.from.as_ref() } else { None }
    }

    /// Decide whether the file is moved, by the content at its old and its new place. Where it is not, it is written
    /// anew.
    #[must_use]
    pub fn moving(self, from: Option<&[u8]>, to: Option<&[u8]>) -> (Self, bool) {
        match self {
            Self::Save(saving) if saving.from.is_some() => {
                let known = saving.source.as_ref().map(|source| source.hash);
                let is_moved = known.is_some() && from.map(content_hash) == known && to.is_none() && !saving.overwrite;
                // Written anew where it goes, it is still a change of the old file's text.
                let (source, last) = if is_moved { (saving.source, None) } else { (None, saving.source) };
                (Self::Save(Saving { from: None, source, last, ..saving }), is_moved)
            }
            other => (other, false),
        }
    }

    /// The document and the file whose text it changes.
    fn job<'j>(&'j self, order: &'j Order<'j>) -> Job<'j> {
        match self {
            Self::Save(saving) => {
                let source = saving.source.as_ref().filter(|source| source.document.is_some());
                Job { document: Some(&saving.document), source: source.or(saving.last.as_ref()), order }
            }
            Self::Remove { source, .. } => Job { document: None, source: source.as_ref(), order },
        }
    }

    /// Compute the texts of files that are written together: comments move with the entries that move from one to
    /// another.
    #[must_use]
    pub(super) fn drafted(mut together: Vec<Self>) -> Vec<Self> {
        let schemas =
            together.iter().find_map(|it| if let Self::Save(saving) = it { Some(&saving.schemas) } else { None });
        let Some(schemas) = schemas.filter(|_| together.len() > 1).cloned() else { return together };
        let order = order_of(&schemas);
        let jobs: Vec<Job<'_>> = together.iter().map(|it| it.job(&order)).collect();
        let drafts = drafted(&jobs);
        for (it, draft) in together.iter_mut().zip(drafts) {
            if let Self::Save(saving) = it {
                saving.text = draft.text;
            }
        }
        together
    }

    pub(super) fn root(&self) -> &Path {
        match self {
            Self::Save(saving) => &saving.root,
            Self::Remove { root, .. } => root,
        }
    }

    /// What is done to the file, for the message of a failure.
    pub(super) fn action(&self) -> &'static str {
        if self.document().is_some() { "written" } else { "removed" }
    }
}

pub(super) fn inside(root: &Path, path: &DocPath) -> Result<PathBuf, SaveError> {
    files::place(root, path).map_err(|_: Box<Finding>| SaveError::Outside { path: path.clone() })
}

/// Refuse to write where the project's folder is gone: the written files would be all that is left of the project
/// there.
pub(super) fn is_there(root: &Path, path: &DocPath, action: &'static str) -> Result<(), SaveError> {
    if root.is_dir() {
        return Ok(());
    }
    let error = io::Error::other("the project's folder is gone");
    Err(SaveError::Io { path: path.clone(), action, error })
}

pub(super) fn bytes_of(place: &Path, path: &DocPath) -> Result<Option<Vec<u8>>, SaveError> {
    match fs::read(place) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(SaveError::Io { path: path.clone(), action: "read", error }),
    }
}
