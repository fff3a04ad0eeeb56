//! Which new documents others need: what is saved with a document, so that its file is right on its own.
//!
//! Invariant: only documents are found that are given as new; what they need of each other counts too.

use crate::{
    defs::Resolution,
    edit::{RefKind, TypedRefs, is_used},
    model::{DocPath, Document, Project},
};

/// Of new documents those that others refer to by a name that is defined there, directly or through one of them.
#[must_use]
pub fn new_documents_needed(
    project: &Project,
    resolution: &Resolution,
    docs: &[DocPath],
    new: &[DocPath],
) -> Vec<DocPath> {
    let only = |docs: &[DocPath]| {
        let documents = docs.iter().filter_map(|doc| Some((doc.clone(), project.doc(doc)?.clone())));
        Project { documents: documents.collect(), ..Project::default() }
    };
    let (mut found, mut asked): (Vec<DocPath>, Vec<DocPath>) = (Vec::new(), docs.to_vec());
    while !asked.is_empty() {
        let part = only(&asked);
        let is_needed = |doc: &&DocPath| {
            let (kind, names) = project.doc(doc).map_or((RefKind::Def, Vec::new()), |document| names_in(doc, document));
            let typed = TypedRefs::of(&resolution.schema, kind);
            names.iter().any(|name| is_used(&part, name, &typed))
        };
        let is_open = |doc: &&DocPath| !docs.contains(doc) && !found.contains(doc);
        asked = new.iter().filter(is_open).filter(is_needed).cloned().collect();
        found.extend(asked.iter().cloned());
    }
    found
}

/// The names that a document defines, as others refer to them.
fn names_in<'a>(doc: &'a DocPath, document: &'a Document) -> (RefKind, Vec<&'a str>) {
    match document {
        Document::Tileset(_) => (RefKind::Tileset, vec![doc.stem()]),
        Document::Level(_) => (RefKind::Level, vec![doc.stem()]),
        Document::Tuning(_) => (RefKind::Page, vec![doc.stem()]),
        Document::Entities(file) => (RefKind::Def, file.defs.keys().map(|name| &**name).collect()),
        Document::Machines(file) => (RefKind::Machine, file.machines.keys().map(|name| &**name).collect()),
        Document::Schema(file) => (RefKind::Component, file.components.keys().map(|name| &**name).collect()),
        Document::Project(_) | Document::Scenario(_) | Document::Stamp(_) | Document::Region(_) => {
            (RefKind::Def, Vec::new())
        }
    }
}
