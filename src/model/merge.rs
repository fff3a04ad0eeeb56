//! Where two people's changes to one document meet: the places that both changed, and which side stays there. How they
//! are found is `io`'s business.

use super::FieldPath;

/// One of two versions of a document that both changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// What is here and not saved.
    Mine,
    /// What is on disk.
    Theirs,
}

impl Side {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Mine => Self::Theirs,
            Self::Theirs => Self::Mine,
        }
    }
}

/// A place that both sides changed, each in its own way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Contest {
    /// Where. What has a name or id is found by that, also in lists. Empty: the whole document.
    pub path: FieldPath,
    /// Both moved things about: it is the order at this place that is contested.
    pub is_order: bool,
    /// The value before, as text of a file; `None` if it was missing.
    pub base: Option<String>,
    /// The value here; `None` if it was removed.
    pub mine: Option<String>,
    /// The value on disk; `None` if it was removed.
    pub theirs: Option<String>,
}

impl Contest {
    /// The value of a side.
    #[must_use]
    pub fn text_of(&self, side: Side) -> Option<&str> {
        match side {
            Side::Mine => self.mine.as_deref(),
            Side::Theirs => self.theirs.as_deref(),
        }
    }
}
