//! Documents as wholes, where a file is one thing that goes by its name: copying and deleting it.

use super::{NameKind, Plan};
use crate::{
    edit::{Edit, RefKind, Refusal, new_place},
    model::{DocKind, DocPath, Document, Name, Project},
};

/// Whether a copy of such a file is a thing of its own. Pages of constants and definitions would be there twice.
#[must_use]
pub fn can_duplicate_file(kind: DocKind) -> bool {
    named_by_file(kind).is_some()
}

/// Whether such a file is deleted as a whole.
#[must_use]
pub fn can_delete_file(kind: DocKind) -> bool {
    can_duplicate_file(kind) || kind == DocKind::Tuning
}

/// What goes by the name of its file.
#[must_use]
pub fn named_by_file(kind: DocKind) -> Option<NameKind> {
    Some(match kind {
        DocKind::Level => NameKind::Level,
        DocKind::Tileset => NameKind::Tileset,
        DocKind::Scenario => NameKind::Scenario,
        DocKind::Stamp => NameKind::Stamp,
        _ => return None,
    })
}

/// What such a file is called, with its name.
pub(super) fn called(doc: &DocPath) -> String {
    let noun = match doc.kind() {
        Some(DocKind::Tuning) => "tuning page",
        Some(kind) => named_by_file(kind).map_or("file", NameKind::noun),
        None => "file",
    };
    format!("{noun} {}", doc.stem())
}

/// The name by which others use what is in a file, and how they do; `None` where nothing does.
pub(super) fn used_as(project: &Project, doc: &DocPath) -> Option<(Name, RefKind)> {
    match &**project.doc(doc)? {
        Document::Level(_) => Some((doc.stem().into(), RefKind::Level)),
        Document::Tileset(_) => Some((doc.stem().into(), RefKind::Tileset)),
        Document::Tuning(page) => Some((page.page.clone(), RefKind::Page)),
        _ => None,
    }
}

fn no_file(doc: &DocPath) -> Refusal {
    Refusal::new(format!("there is no {}", called(doc)))
}

/// The plan that copies a file beside its own.
pub(super) fn duplicate(project: &Project, doc: &DocPath, to: &str) -> Result<Plan, Refusal> {
    if to.trim().is_empty() {
        return Err(Refusal::new("write the copy's name"));
    }
    let document = project.doc(doc).filter(|it| can_duplicate_file(it.kind())).ok_or_else(|| no_file(doc))?;
    let place = new_place(project, document.kind(), Some(doc), to)?;
    let edits = vec![Edit::put_document(place, document.clone())];
    Ok(Plan { label: format!("Duplicate {} as {to}", called(doc)), edits })
}

/// The plan that deletes a file.
pub(super) fn delete(project: &Project, doc: &DocPath) -> Result<Plan, Refusal> {
    if !project.doc(doc).is_some_and(|it| can_delete_file(it.kind())) {
        return Err(no_file(doc));
    }
    let edits = vec![Edit::PutDocument { doc: doc.clone(), document: None }];
    Ok(Plan { label: format!("Delete {}", called(doc)), edits })
}
