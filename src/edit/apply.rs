//! Making a change: the one function through which a project changes.
//!
//! Invariant: a refused edit, and one that changes nothing, leave every `Arc` as it was. Where a part is small the area
//! changes a copy and the copy is put in place only if it differs; where it is large it looks first.
//! Callers that compare by `Arc` keep the project they had: a part without other owners is changed in place.

use super::{
    Declared, Edit, Owner, RefKind, Refusal, TypedRefs, definitions, document, layer_groups, layers, level, machine,
    place, reach, references, states, tileset, tuning, vocabulary, waypoints,
};
use crate::model::{DocPath, Level, Name, Project, Seg};

/// Make one change. A level that gets more cells than one file is good for keeps them in regions from then on.
///
/// # Errors
/// Says why not; nothing has changed then.
pub fn apply(project: &mut Project, edit: &Edit) -> Result<(), Refusal> {
    let may_grow = |doc: &&DocPath| project.level(doc).is_some_and(|level| !level.regions && !level.has_many_cells());
    let grows = adds_cells(edit).then(|| edit.doc()).flatten().filter(may_grow);
    apply_one(project, edit)?;
    // In the same step, so that no save writes a large level into one file.
    if let Some(doc) = grows.filter(|doc| project.level(doc).is_some_and(Level::has_many_cells)) {
        reach::level_mut(project, doc)?.regions = true;
    }
    Ok(())
}

/// Whether a change may give a level more cells.
fn adds_cells(edit: &Edit) -> bool {
    use Edit as E;
    match edit {
        E::PaintTiles { .. }
        | E::FillTiles { .. }
        | E::MergeTiles { .. }
        | E::ResizeLevel { .. }
        | E::Insert { .. } => true,
        // All tiles of a layer, as a moved selection gives them.
        E::Set { at, .. } => at.0.last() == Some(&Seg::Key("chunks".into())),
        _ => false,
    }
}

fn apply_one(project: &mut Project, edit: &Edit) -> Result<(), Refusal> {
    use Edit as E;
    let p = project;
    match edit {
        E::SetValue { owner, op, component, field, inner, value } => {
            definitions::set_value(p, owner, *op, (component, field, inner), value)
        }
        E::ClearValue { owner, op, component, field, inner } => {
            definitions::clear_value(p, owner, *op, (component, field, inner))
        }
        E::AddComponent { owner, component } => definitions::add_component(p, owner, component),
        E::RemoveComponent { owner, component } => definitions::remove_component(p, owner, component),
        E::AddRemove { owner, entry } => definitions::add_remove(p, owner, entry),
        E::DropRemove { owner, entry } => definitions::drop_remove(p, owner, entry),
        E::Set { doc, .. }
        | E::Insert { doc, .. }
        | E::Remove { doc, .. }
        | E::Move { doc, .. }
        | E::Copy { doc, .. } => place::apply(p, doc, edit),
        E::Rename { doc, of, from, to, typed } => rename(p, doc, (of, from), to, typed),
        E::PutDef { doc, name, def, before } => definitions::put_def(p, doc, (name, def), before.as_ref()),

        E::PaintTiles { doc, layer, cells } => level::paint_tiles(p, doc, layer, cells),
        E::FillTiles { doc, layer, cells, stamp, anchor } => level::fill_tiles(p, doc, layer, cells, (stamp, *anchor)),
        E::MergeTiles { doc, layer, from } => level::merge_tiles(p, doc, layer, from),
        E::SetDef { doc, layer, ids, def } => level::set_def(p, doc, layer, ids, def),
        E::MoveThings { doc, ids, by } => level::move_things(p, doc, ids, *by),
        E::DeleteThings { doc, ids } => level::delete_things(p, doc, ids),
        E::PasteThings { doc, layer, entities, nodes, links } => {
            level::paste_things(p, doc, layer, (entities, nodes, links))
        }
        E::MoveToLayer { doc, ids, layer } => level::move_to_layer(p, doc, ids, layer),
        E::MoveLayer { doc, layer, group, to } => layer_groups::move_layer(p, doc, (layer, group.as_ref()), *to),
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
        E::PutDocument { doc, document: Some(document) } => document::put(p, doc, document),
        E::PutDocument { doc, document: None } => document::remove(p, doc),
        E::PutTuningOverlay { overlay } => {
            if p.tuning_overlay != *overlay {
                p.tuning_overlay = overlay.clone();
            }
            Ok(())
        }
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

/// Make changes to what one owner declares, and to nothing else, or none of them. Returns whether it declares something
/// else then. A document without other owners is not copied, so that there may be very many of them.
///
/// # Errors
/// The first refusal; nothing has changed then.
pub fn apply_to(project: &mut Project, owner: &Owner, edits: &[Edit]) -> Result<bool, Refusal> {
    let before = definitions::ops(project, owner)?.0.clone();
    if let Some(refusal) = edits.iter().find_map(|edit| apply(project, edit).err()) {
        definitions::edit_ops(project, owner, |now| {
            *now = before;
            Ok(())
        })?;
        return Err(refusal);
    }
    Ok(*definitions::ops(project, owner)?.0 != before)
}
