//! Machines as wholes: making, copying and deleting one. What a name is used by is found by comparing projects, as for
//! any plan.

use std::sync::Arc;

use super::Plan;
use crate::{
    defs::Resolution,
    edit::{Edit, Refusal},
    model::{DocKind, DocPath, Document, FieldPath, Machine, MachinesFile, Name, Project},
};

/// The plan that makes an empty machine in a file, or in a new one of its name.
pub(super) fn create(name: &Name, file: Option<&DocPath>, project: &Project) -> Result<Plan, Refusal> {
    if name.trim().is_empty() {
        return Err(Refusal::new("write the new machine's name"));
    }
    let add = |doc: &DocPath| Edit::insert_at(doc, FieldPath::keys([name]), &Machine::default());
    let label = format!("Add machine {name}");
    if let Some(doc) = file {
        return Ok(Plan { label, edits: vec![add(doc)] });
    }
    let doc = DocPath::new(&format!("{}/{name}.ron", DocKind::Machines.folder()));
    let doc = doc.filter(|doc| doc.kind() == Some(DocKind::Machines));
    let doc = doc.ok_or_else(|| Refusal::new(format!("`{name}` cannot be a file's name; choose a file for it")))?;
    if project.doc(&doc).is_some() {
        return Err(Refusal::new(format!("there is already a file `{doc}`; choose it, or another name")));
    }
    // An empty file first, so that the name is judged as in any other.
    let document = Arc::new(Document::Machines(MachinesFile::default()));
    let edits = vec![Edit::put_document(doc.clone(), document), add(&doc)];
    Ok(Plan { label, edits })
}

/// The plan that copies a machine, to stand after it in its file.
pub(super) fn duplicate(resolution: &Resolution, name: &Name, to: &str) -> Result<Plan, Refusal> {
    if to.trim().is_empty() {
        return Err(Refusal::new("write the copy's name"));
    }
    let edit = Edit::Copy { doc: home(resolution, name)?, at: FieldPath::keys([name]), to: to.into() };
    Ok(Plan { label: format!("Duplicate machine {name} as {to}"), edits: vec![edit] })
}

/// The plan that deletes a machine.
pub(super) fn delete(resolution: &Resolution, name: &Name) -> Result<Plan, Refusal> {
    let edit = Edit::Remove { doc: home(resolution, name)?, at: FieldPath::keys([name]) };
    Ok(Plan { label: format!("Delete machine {name}"), edits: vec![edit] })
}

fn home(resolution: &Resolution, name: &Name) -> Result<DocPath, Refusal> {
    let doc = resolution.machines.get(name);
    doc.cloned().ok_or_else(|| Refusal::new(format!("there is no machine `{name}`")))
}
