//! How edits reach the part they change, and how they are refused: the document, the content, the layer, a name.
//!
//! Invariant: what only looks copies nothing; what changes is asked for once the change is certain.

use std::sync::Arc;

use crate::model::{Content, DocKind, DocPath, Document, Layer, Level, Name, Project};

/// Why an edit was not made, as a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(String);

impl Refusal {
    /// A refusal in one sentence, without a full stop.
    #[must_use]
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

/// The document at a path.
pub(super) fn doc<'a>(project: &'a Project, path: &DocPath) -> Result<&'a Document, Refusal> {
    project.doc(path).map(|doc| &**doc).ok_or_else(|| Refusal::new(format!("there is no file `{path}`")))
}

/// The document at a path, to change: only call this once the change is certain.
fn doc_mut<'a>(project: &'a mut Project, path: &DocPath) -> Result<&'a mut Document, Refusal> {
    let found = project.documents.get_mut(path);
    found.map(Arc::make_mut).ok_or_else(|| Refusal::new(format!("there is no file `{path}`")))
}

/// The refusal for a document of another kind than an edit is about.
fn wrong_kind(path: &DocPath, wanted: DocKind) -> Refusal {
    let what = match wanted {
        DocKind::Project => "the project's own file",
        DocKind::Level => "a level",
        DocKind::Region => "a region of a level",
        DocKind::Entities => "a file of definitions",
        DocKind::Machines => "a file of machines",
        DocKind::Tileset => "a tileset",
        DocKind::Tuning => "a tuning page",
        DocKind::Scenario => "a scenario",
        DocKind::Stamp => "a stamp",
        DocKind::Schema => "a schema",
    };
    Refusal::new(format!("`{path}` is not {what}"))
}

/// What the document at a path holds; a refusal if there is none or it is of another kind.
pub(super) fn content<'a, C: Content>(project: &'a Project, path: &DocPath) -> Result<&'a C, Refusal> {
    C::of(doc(project, path)?).ok_or_else(|| wrong_kind(path, C::KIND))
}

/// The same, to change.
pub(super) fn content_mut<'a, C: Content>(project: &'a mut Project, path: &DocPath) -> Result<&'a mut C, Refusal> {
    content::<C>(project, path)?;
    C::of_mut(doc_mut(project, path)?).ok_or_else(|| wrong_kind(path, C::KIND))
}

/// The level at a path.
pub(super) fn level_at<'a>(project: &'a Project, path: &DocPath) -> Result<&'a Level, Refusal> {
    content(project, path)
}

/// The level at a path, to change.
pub(super) fn level_mut<'a>(project: &'a mut Project, path: &DocPath) -> Result<&'a mut Level, Refusal> {
    content_mut(project, path)
}

/// Number of a level's layer, and itself.
pub(super) fn layer_at<'a>(level: &'a Level, name: &str) -> Result<(usize, &'a Layer), Refusal> {
    let found = level.layer(name).map(|(i, layer)| (i, &**layer));
    found.ok_or_else(|| Refusal::new(format!("there is no layer `{name}` in this level")))
}

/// Number of a layer that may be edited, and itself.
pub(super) fn open_layer<'a>(level: &'a Level, name: &str) -> Result<(usize, &'a Layer), Refusal> {
    let (i, layer) = layer_at(level, name)?;
    check_open(level, i)?;
    Ok((i, layer))
}

/// Refuse a layer that is locked, or in a group that is.
pub(super) fn check_open(level: &Level, number: usize) -> Result<(), Refusal> {
    if let Some(layer) = level.lock_on(number) {
        return Err(Refusal::new(format!("layer `{}` is locked; unlock it to change what is in it", layer.name)));
    }
    Ok(())
}

/// A layer by number, to change.
pub(super) fn layer_mut<'a>(project: &'a mut Project, path: &DocPath, index: usize) -> Result<&'a mut Layer, Refusal> {
    let level = level_mut(project, path)?;
    level.nth_layer_mut(index).ok_or_else(|| Refusal::new("there is no such layer"))
}

/// Refuse what cannot be a name.
pub(super) fn check_name(what: &str, name: &str) -> Result<(), Refusal> {
    if name.trim().is_empty() {
        return Err(Refusal::new(format!("{what} needs a name")));
    }
    if name.trim() != name || name.chars().any(char::is_control) {
        return Err(Refusal::new(format!("the name of {what} has no spaces at its ends and stays on one line")));
    }
    if name.split('/').any(|part| matches!(part, "." | "..")) {
        return Err(Refusal::new(format!("the name of {what} has no part `.` or `..`, which stand for folders")));
    }
    if let Some(unseen) = name.chars().find(|c| is_unseen(*c)) {
        let code = u32::from(unseen);
        return Err(Refusal::new(format!("the name of {what} has a character that cannot be seen (U+{code:04X})")));
    }
    Ok(())
}

/// Spaces without a width, marks of direction and the like; joiners are not among them, which some scripts are written
/// with.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// The refusal for a name that something else has.
pub(super) fn taken(what: &str, name: &Name, by: Option<&DocPath>) -> Refusal {
    let place = by.map(|path| format!(" in `{path}`")).unwrap_or_default();
    Refusal::new(format!("there is already {what} `{name}`{place}"))
}
