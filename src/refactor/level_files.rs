//! Levels as wholes: copying and deleting one, with its file.

use super::Plan;
use crate::{
    edit::{Edit, Refusal, new_place},
    model::{DocKind, DocPath, Project},
};

/// The plan that copies a level into a file beside its own.
pub(super) fn duplicate(project: &Project, doc: &DocPath, to: &str) -> Result<Plan, Refusal> {
    if to.trim().is_empty() {
        return Err(Refusal::new("write the copy's name"));
    }
    let level = project.doc(doc).filter(|_| project.level(doc).is_some());
    let level = level.ok_or_else(|| Refusal::new(format!("there is no level `{}`", doc.stem())))?;
    let place = new_place(project, DocKind::Level, Some(doc), to)?;
    let edits = vec![Edit::put_document(place, level.clone())];
    Ok(Plan { label: format!("Duplicate level {} as {to}", doc.stem()), edits })
}

/// The plan that deletes a level with its file.
pub(super) fn delete(project: &Project, doc: &DocPath) -> Result<Plan, Refusal> {
    if project.level(doc).is_none() {
        return Err(Refusal::new(format!("there is no level `{}`", doc.stem())));
    }
    let edits = vec![Edit::PutDocument { doc: doc.clone(), document: None }];
    Ok(Plan { label: format!("Delete level {}", doc.stem()), edits })
}
