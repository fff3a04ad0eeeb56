//! Documents that go by the name of their file (levels, tilesets, scenarios, stamps) as wholes: copying and deleting one.

use super::{NameKind, Named, Plan};
use crate::{
    edit::{Edit, RefKind, Refusal, new_place},
    model::{DocKind, DocPath, Project},
};

impl Named {
    /// The thing that is a document; `None` for a file that holds several.
    #[must_use]
    pub fn of_document(doc: &DocPath) -> Option<Self> {
        let kind = match doc.kind()? {
            DocKind::Level => NameKind::Level,
            DocKind::Tileset => NameKind::Tileset,
            DocKind::Scenario => NameKind::Scenario,
            DocKind::Stamp => NameKind::Stamp,
            _ => return None,
        };
        Some(Self::new(kind, doc.stem()))
    }
}

/// How other documents name one of this kind, if they do.
pub(super) fn uses_of(doc: &DocPath) -> Option<RefKind> {
    match doc.kind()? {
        DocKind::Level => Some(RefKind::Level),
        DocKind::Tileset => Some(RefKind::Tileset),
        _ => None,
    }
}

/// As in `level courtyard`.
pub(super) fn described(doc: &DocPath) -> String {
    Named::of_document(doc).map_or_else(|| doc.to_string(), |what| what.describe())
}

fn there(project: &Project, doc: &DocPath) -> Result<(), Refusal> {
    let is_there = Named::of_document(doc).is_some() && project.documents.contains_key(doc);
    if is_there { Ok(()) } else { Err(Refusal::new(format!("there is no {}", described(doc)))) }
}

/// The plan that copies a document into a file beside its own.
pub(super) fn duplicate(project: &Project, doc: &DocPath, to: &str) -> Result<Plan, Refusal> {
    there(project, doc)?;
    if to.trim().is_empty() {
        return Err(Refusal::new("write the copy's name"));
    }
    let kind = doc.kind().unwrap_or(DocKind::Level);
    let place = new_place(project, kind, Some(doc), to)?;
    let edits = project.doc(doc).map(|document| Edit::put_document(place, document.clone())).into_iter().collect();
    Ok(Plan { label: format!("Duplicate {} as {to}", described(doc)), edits })
}

/// The plan that deletes a document with its file.
pub(super) fn delete(project: &Project, doc: &DocPath) -> Result<Plan, Refusal> {
    there(project, doc)?;
    let edits = vec![Edit::PutDocument { doc: doc.clone(), document: None }];
    Ok(Plan { label: format!("Delete {}", described(doc)), edits })
}
