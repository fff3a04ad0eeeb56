//! Making a change: the one function through which a project changes, and how the areas reach the part they change.
//!
//! Invariant: a refused edit, and one that changes nothing, leave every `Arc` as it was. Where a part is small the area
//! changes a copy and the copy is put in place only if it differs; where it is large it looks first.
//! Callers that compare by `Arc` keep the project they had: a part nobody else holds is changed in place.

use std::sync::Arc;

use super::{
    Declared, Edit, RefKind, TypedRefs, definitions, document, layers, level, machine, place, references, states,
    tileset, tuning, vocabulary, waypoints,
};
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

/// Make one change.
///
/// # Errors
/// Says why not; nothing has changed then.
pub fn apply(project: &mut Project, edit: &Edit) -> Result<(), Refusal> {
    use Edit as E;
    let p = project;
    match edit {
        E::SetValue { owner, op, component, field, inner, value } => {
            definitions::set_value(p, owner, *op, (component, field, inner), value)
        }
        E::ClearValue { owner, component, field, inner } => {
            definitions::clear_value(p, owner, None, (component, field, inner))
        }
        E::DropValue { owner, op, component, field, inner } => {
            definitions::clear_value(p, owner, Some(*op), (component, field, inner))
        }
        E::AddComponent { owner, component } => definitions::add_component(p, owner, component),
        E::RemoveComponent { owner, component } => definitions::remove_component(p, owner, component),
        E::AddRemove { owner, entry } => definitions::add_remove(p, owner, entry),
        E::DropRemove { owner, entry } => definitions::drop_remove(p, owner, entry),
        E::Set { doc, at, data } => place::set(p, doc, at, data),
        E::Insert { doc, at, data } => place::insert(p, doc, at, data),
        E::Remove { doc, at } => place::remove(p, doc, at),
        E::Move { doc, at, to } => place::reorder(p, doc, at, *to),
        E::Copy { doc, at, to } => place::copy(p, doc, at, to),
        E::Rename { doc, of, from, to, typed } => rename(p, doc, (of, from), to, typed),
        E::PutDef { doc, name, def, before } => definitions::put_def(p, doc, (name, def), before.as_ref()),

        E::PaintTiles { doc, layer, cells } => level::paint_tiles(p, doc, layer, cells),
        E::MoveThings { doc, ids, by } => level::move_things(p, doc, ids, *by),
        E::DeleteThings { doc, ids } => level::delete_things(p, doc, ids),
        E::PasteThings { doc, layer, entities, nodes, links } => {
            level::paste_things(p, doc, layer, (entities, nodes, links))
        }
        E::MoveToLayer { doc, ids, layer } => level::move_to_layer(p, doc, ids, layer),
        E::ResizeLevel { doc, size, shift } => layers::resize_level(p, doc, *size, *shift),
        E::SetLink { doc, layer, from, to, link } => waypoints::set_link(p, doc, layer, (from, to), link.as_ref()),

        E::PasteState { doc, machine, parent, name, state, layout } => {
            states::paste(p, (doc, machine), (parent, name), state, layout)
        }
        E::RemoveState { doc, machine, state } => states::remove(p, (doc, machine), state),
        E::RenameState { doc, machine, state, to } => states::rename(p, (doc, machine), state, to),
        E::MoveStates { doc, machine, places } => states::move_states(p, (doc, machine), places),
        E::ReparentState { doc, machine, state, parent, at } => {
            states::reparent(p, (doc, machine), (state, parent), *at)
        }
        E::MoveTransition { doc, machine, state, at, to_state, to } => {
            machine::move_transition(p, (doc, machine, state), *at, (to_state, *to))
        }

        E::RewriteUses { doc: _, word, to, typed } => {
            references::rewrite(p, &word.to_string(), to.as_deref(), typed);
            Ok(())
        }
        E::PutDocument { doc, document } => document::put(p, doc, document),
        E::RemoveDocument { doc } => document::remove(p, doc),
        E::MoveDocument { doc, to, typed } => document::move_to(p, doc, to, typed),
    }
}

/// Rename what has a name of the kind that `typed` is about, and every use of it.
fn rename(
    project: &mut Project,
    doc: &DocPath,
    (of, from): (&Name, &Name),
    to: &Name,
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    let names = (from, to);
    match typed.kind {
        RefKind::Def => definitions::rename_def(project, doc, names, typed),
        RefKind::Machine => machine::rename(project, doc, names, typed),
        RefKind::Tunable => tuning::rename(project, doc, names, typed),
        RefKind::Page => tuning::rename_page(project, doc, names, typed),
        RefKind::Tile => tileset::rename_tile(project, doc, (from, to), typed),
        RefKind::Layer => layers::rename(project, doc, names, typed),
        RefKind::Tag => vocabulary::rename_tag(project, names, typed),
        RefKind::Word => vocabulary::rename_word(project, (doc, of), names, typed),
        RefKind::Level | RefKind::Tileset => Err(Refusal::new("levels and tilesets are renamed with their files")),
        kind => match (Declared::of_kind(kind, from), Declared::with(kind, of)) {
            (Some(what), _) => vocabulary::rename_declared(project, doc, (&what, to), typed),
            (_, Some(of)) => vocabulary::rename_field(project, (doc, &of), names, typed),
            _ => Err(Refusal::new(format!("`{from}` cannot be renamed"))),
        },
    }
}

/// Make several changes, or none.
///
/// # Errors
/// The first refusal; nothing has changed then.
pub fn apply_all<'a>(project: &mut Project, edits: impl IntoIterator<Item = &'a Edit>) -> Result<(), Refusal> {
    let mut edited = project.clone();
    for edit in edits {
        apply(&mut edited, edit)?;
    }
    *project = edited;
    Ok(())
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
        DocKind::Entities => "a file of definitions",
        DocKind::Machines => "a file of machines",
        DocKind::Tileset => "a tileset",
        DocKind::Tuning => "a tuning page",
        DocKind::Scenario => "a scenario",
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

/// Index of a level's layer, and itself.
pub(super) fn layer_at<'a>(level: &'a Level, name: &str) -> Result<(usize, &'a Layer), Refusal> {
    let found = level.layer(name).map(|(i, layer)| (i, &**layer));
    found.ok_or_else(|| Refusal::new(format!("there is no layer `{name}` in this level")))
}

/// Index of a layer that may be edited, and itself.
pub(super) fn open_layer<'a>(level: &'a Level, name: &str) -> Result<(usize, &'a Layer), Refusal> {
    let (i, layer) = layer_at(level, name)?;
    check_open(layer)?;
    Ok((i, layer))
}

/// Refuse a locked layer.
pub(super) fn check_open(layer: &Layer) -> Result<(), Refusal> {
    if layer.locked {
        return Err(Refusal::new(format!("layer `{}` is locked; unlock it to change what is in it", layer.name)));
    }
    Ok(())
}

/// A layer by index, to change.
pub(super) fn layer_mut<'a>(project: &'a mut Project, path: &DocPath, index: usize) -> Result<&'a mut Layer, Refusal> {
    let level = level_mut(project, path)?;
    level.layers.get_mut(index).map(Arc::make_mut).ok_or_else(|| Refusal::new("there is no such layer"))
}

/// Refuse what cannot be a name.
pub(super) fn check_name(what: &str, name: &str) -> Result<(), Refusal> {
    if name.trim().is_empty() {
        return Err(Refusal::new(format!("{what} needs a name")));
    }
    if name.trim() != name || name.chars().any(char::is_control) {
        return Err(Refusal::new(format!("the name of {what} has no spaces at its ends and stays on one line")));
    }
    Ok(())
}

/// The refusal for a name that something else has.
pub(super) fn taken(what: &str, name: &Name, by: Option<&DocPath>) -> Refusal {
    let place = by.map(|path| format!(" in `{path}`")).unwrap_or_default();
    Refusal::new(format!("there is already {what} `{name}`{place}"))
}
