//! What someone noticed about the project: a rule, a severity, a message, and a place that stays right while the
//! text around it moves. Lines and columns are computed from the place when shown, by `io`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{DocPath, Name, meant};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Hint,
    /// Probably not what was meant.
    Warning,
    /// Wrong; part of the project cannot be used until it is mended.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hint => "hint",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// One step from a value to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Seg {
    /// A struct's field or a map's string key, depending on the value at this place.
    Key(Name),
    /// An element of a list or tuple, from 0.
    Index(usize),
}

impl Seg {
    /// The name of a field or key; `None` for an element.
    #[must_use]
    pub fn key(&self) -> Option<&Name> {
        match self {
            Self::Key(key) => Some(key),
            Self::Index(_) => None,
        }
    }
}

impl From<usize> for Seg {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl From<&str> for Seg {
    fn from(key: &str) -> Self {
        Self::Key(key.into())
    }
}

impl From<&Name> for Seg {
    fn from(key: &Name) -> Self {
        Self::Key(key.clone())
    }
}

/// The way from a document's root to a value inside it. Empty: the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FieldPath(pub Vec<Seg>);

impl FieldPath {
    /// The way to what stands at `inner` of what is here.
    #[must_use]
    pub fn join(&self, inner: &Self) -> Self {
        Self(self.0.iter().chain(&inner.0).cloned().collect())
    }

    /// The document itself.
    #[must_use]
    pub fn root() -> Self {
        Self::default()
    }

    /// A path of keys only.
    #[must_use]
    pub fn keys<I: IntoIterator<Item = S>, S: AsRef<str>>(keys: I) -> Self {
        Self(keys.into_iter().map(|key| Seg::Key(key.as_ref().into())).collect())
    }

    /// This path and one key more.
    #[must_use]
    pub fn key(&self, key: &str) -> Self {
        self.with(Seg::Key(key.into()))
    }

    /// This path and one index more.
    #[must_use]
    pub fn index(&self, index: usize) -> Self {
        self.with(Seg::Index(index))
    }

    /// This path and one step more.
    #[must_use]
    pub fn with(&self, seg: Seg) -> Self {
        let mut segs = Vec::with_capacity(self.0.len() + 1);
        segs.extend_from_slice(&self.0);
        segs.push(seg);
        Self(segs)
    }

    /// The path without its last step; `None` at the root.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        self.0.split_last().map(|(_, rest)| Self(rest.to_vec()))
    }
}

impl FieldPath {
    /// The way on from something: `Kit.main.tint`, `Brain.machines[2]`.
    #[must_use]
    pub fn on_from(&self, start: &str) -> String {
        let dot = if matches!(self.0.first(), Some(Seg::Key(_))) { "." } else { "" };
        format!("{start}{dot}{self}")
    }
}

/// Keys joined by dots, indices in brackets: `goblin.set.Health.max`, `layers[2]`.
impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, seg) in self.0.iter().enumerate() {
            match seg {
                Seg::Key(key) => write!(f, "{}{key}", if i > 0 { "." } else { "" })?,
                Seg::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// A place in a file's text: byte offsets, and line and column counted from 1 (columns in characters).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line of `start`, from 1.
    pub line: u32,
    /// Column of `start`, from 1, in characters.
    pub column: u32,
}

/// Where a finding is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Location {
    /// The document.
    pub doc: DocPath,
    /// The value in it.
    pub path: FieldPath,
    /// Whether the key rather than its value is meant.
    pub at_key: bool,
    /// The exact place, when it is known only from the text: a file that does not parse has no fields.
    pub span: Option<Span>,
    /// The place in the level that the problem is about, in pixels, if it is not where the entity is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place_px: Option<[i32; 2]>,
}

impl Location {
    /// The value at `path` of `doc`.
    #[must_use]
    pub fn new(doc: DocPath, path: FieldPath) -> Self {
        Self { doc, path, at_key: false, span: None, place_px: None }
    }

    /// The key that names the value at `path` of `doc`.
    #[must_use]
    pub fn key(doc: DocPath, path: FieldPath) -> Self {
        Self { at_key: true, ..Self::new(doc, path) }
    }

    /// The whole document.
    #[must_use]
    pub fn doc(doc: DocPath) -> Self {
        Self::new(doc, FieldPath::root())
    }
}

/// One thing noticed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Finding {
    /// The rule's name, lowercase with dashes: `missing-parent`.
    pub rule: Name,
    /// How much it matters.
    pub severity: Severity,
    /// What is wrong and what was expected, in one sentence.
    pub message: String,
    /// Where.
    pub location: Location,
    /// What would help: `did you mean "goblin"?`
    pub help: Option<String>,
}

impl Finding {
    /// An error of `rule` at `location`.
    #[must_use]
    pub fn error(rule: &str, location: Location, message: impl Into<String>) -> Self {
        Self { rule: rule.into(), severity: Severity::Error, message: message.into(), location, help: None }
    }

    /// A warning of `rule` at `location`.
    #[must_use]
    pub fn warning(rule: &str, location: Location, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(rule, location, message) }
    }

    /// A hint of `rule` at `location`.
    #[must_use]
    pub fn hint(rule: &str, location: Location, message: impl Into<String>) -> Self {
        Self { severity: Severity::Hint, ..Self::error(rule, location, message) }
    }

    /// What its advice suggests to write instead.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        meant(self.help.as_deref()?)
    }

    /// The same with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<Option<String>>) -> Self {
        self.help = help.into();
        self
    }
}
