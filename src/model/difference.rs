//! What a change does to a project's text, place by place: what refactorings show before they are made. How the places
//! are found is `io`'s business.

use super::{Location, counted};

/// One place where two states of a project differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Where it stands in the state before, or, for what is new, where it will belong. At a key when it is the name of
    /// something that changes.
    pub location: Location,
    /// The text before, on one line; `None` for what is new.
    pub before: Option<String>,
    /// The text afterwards, on one line; `None` for what is gone.
    pub after: Option<String>,
}

impl Difference {
    /// How many places in how many files: `14 places in 6 files`.
    #[must_use]
    pub fn count(all: &[Self]) -> String {
        // They come by file.
        let n_files = all.chunk_by(|a, b| a.location.doc == b.location.doc).count();
        format!("{} in {}", counted(all.len(), "place"), counted(n_files, "file"))
    }
}
