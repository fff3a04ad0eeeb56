//! Further conditions for edits by place, in documents of each kind: relations between fields, between things of one
//! document and between documents, which a description cannot express.
//!
//! Invariant: an error that existed before an edit is no reason to refuse it.

use super::{
    Edit, Refusal,
    definitions::{check_inherits, check_new as check_new_def},
    machine::{check_free, check_layout, check_message, check_state, check_target, check_transition},
    reach::{check_name, check_open},
    schema::check_schema,
    states::check_initial,
    tileset::check_tile,
    tuning::{check_tunable, fits},
};
use crate::model::{
    DocPath, Document, FieldPath, Layer, Level, Machine, MachinesFile, Name, Project, Seg, Tileset, Transition,
};

/// Make the changes that go with an edit: a tile that is taken out is in no terrain any more.
pub(super) fn follow(document: &mut Document, edit: &Edit) {
    if let (Document::Tileset(set), Edit::Remove { at, .. }) = (document, edit)
        && let [Seg::Key(tiles), Seg::Key(id)] = at.0.as_slice()
        && **tiles == *"tiles"
        && let Ok(id) = id.parse()
    {
        for terrain in &mut set.terrains {
            terrain.tiles.shift_remove::<u32>(&id);
        }
    }
}

/// Refuse what a declaration of fields cannot express, in the document at `path` that `edit` made `new` at a place.
pub(super) fn check(
    project: &Project,
    (path, edit): (&DocPath, &Edit),
    (old, new): (&Document, &Document),
    at: &FieldPath,
) -> Result<(), Refusal> {
    let key = |i: usize| at.0.get(i).and_then(Seg::key);
    match (old, new) {
        (Document::Project(_), Document::Project(file)) => check_name("a project", &file.name),
        // What layers are called and what is on them is looked at when they are put in, one by one: neither a layer nor
        // a list of them is set as a whole.
        (Document::Level(before), Document::Level(level)) => match (edit, at.within_layer()) {
            (Edit::Set { .. }, []) => Err(own_edit(at)),
            (Edit::Set { .. }, [Seg::Key(list)]) if **list == *"layers" => Err(own_edit(at)),
            _ => check_level(project, (before, level), at),
        },
        (Document::Tileset(before), Document::Tileset(tileset)) => {
            let id = key(1).filter(|_| key(0).is_some_and(|key| **key == *"tiles"));
            if let Some(id) = id.and_then(|id| id.parse().ok())
                && let Some(tile) = tileset.tiles.get(&id)
            {
                check_tile(tileset, id, tile)?;
            }
            check_sheet(before, tileset)
        }
        (Document::Tuning(before), Document::Tuning(page)) => {
            let Some((name, constant)) = key(1).and_then(|name| page.values.get_key_value(name)) else { return Ok(()) };
            check_name("a constant", name)?;
            match before.values.get(name) {
                Some(old) if at.0.len() > 2 && old.value != constant.value => fits(name, old, &constant.value),
                _ => check_tunable(name, constant),
            }
        }
        (Document::Machines(before), Document::Machines(file)) => check_machine(project, (before, file), at),
        (Document::Entities(before), Document::Entities(file)) => {
            let Some((name, def)) = key(0).and_then(|name| file.defs.get_key_value(name)) else { return Ok(()) };
            let Some(old) = before.defs.get(name) else { return check_new_def(project, name, def) };
            // What definitions override is changed by edits of its own, which know how operations depend on each other.
            if old.ops != def.ops {
                return Err(own_edit(at));
            }
            if old.inherits == def.inherits { Ok(()) } else { check_inherits(project, path, name, &def.inherits) }
        }
        (Document::Schema(before), Document::Schema(schema)) => check_schema(before, schema, at),
        _ => Ok(()),
    }
}

/// The refusal of a change that an edit of another kind makes.
pub(super) fn own_edit(at: &FieldPath) -> Refusal {
    Refusal::new(format!("`{at}` is changed by an edit of its own"))
}

fn check_level(project: &Project, (before, level): (&Level, &Level), at: &FieldPath) -> Result<(), Refusal> {
    if before.size != level.size {
        return Err(Refusal::new("a level is resized as a whole"));
    }
    let (was, now) = (before.all_layers(), level.all_layers());
    let gone = was.iter().enumerate().filter(|(_, layer)| level.layer(&layer.name).is_none());
    gone.map(|(number, _)| number).try_for_each(|number| check_open(before, number))?;
    if now.len() > was.len() {
        return check_put_in(before, level, at);
    }
    let Some((_, layer, rest)) = level.layer_on(at) else { return Ok(()) };
    if let ([], Some(group)) = (rest, at.0.get(..at.0.len().saturating_sub(2))) {
        // It is put elsewhere in its group.
        return check_group(before, group);
    }
    if let [_, Seg::Key(id)] = rest
        && layer.has_id(id)
        && before.has_id(id)
        && !layer_of(before, at).is_some_and(|layer| layer.has_id(id))
    {
        return Err(Refusal::new(format!("there is already something with the id `{id}` in this level")));
    }
    let old = layer_of(before, at);
    match rest {
        // Waypoints and links go and come with those they belong to.
        [Seg::Key(of), Seg::Key(id)] if **of == *"nodes" && !layer.has_id(id) => return Err(own_edit(at)),
        [Seg::Key(of), ..] if **of == *"links" => return Err(own_edit(at)),
        [Seg::Key(of), Seg::Key(id), ..] if **of == *"entities" => {
            let instance = |layer: &Layer| layer.entities()?.get(id).cloned();
            if let Some(now) = instance(layer) {
                let known = old.and_then(instance);
                if known.as_ref().is_some_and(|known| known.ops != now.ops) {
                    return Err(own_edit(at));
                }
                super::definitions::check_ops(&now.ops)?;
                if known.is_none_or(|known| known.def != now.def) {
                    super::level::check_def(project, &now.def)?;
                }
            }
        }
        _ => {}
    }
    let length = |layer: &Layer| layer.waypoints().and_then(|graph| graph.max_length);
    match length(layer) {
        Some(now) if now <= 0.0 && old.and_then(length) != Some(now) => {
            Err(Refusal::new("the longest link is above zero"))
        }
        _ => Ok(()),
    }
}

/// Refuse a terrain with a tile that is not there, but for those that were there before.
fn check_sheet(before: &Tileset, tileset: &Tileset) -> Result<(), Refusal> {
    let known: Vec<&u32> = before.terrains.iter().flat_map(|terrain| terrain.tiles.keys()).collect();
    let mut ids = tileset.terrains.iter().flat_map(|terrain| terrain.tiles.keys());
    match ids.find(|id| !tileset.tiles.contains_key(*id) && !known.contains(id)) {
        Some(id) => Err(super::tileset::no_tile(*id)),
        None => Ok(()),
    }
}

/// Refuse a layer that was put in where it cannot be.
fn check_put_in(before: &Level, level: &Level, at: &FieldPath) -> Result<(), Refusal> {
    let [group @ .., _, last] = at.0.as_slice() else { return Ok(()) };
    check_group(before, group)?;
    let list = match level.layer_on(&FieldPath(group.to_vec())) {
        Some((_, group, _)) => group.children(),
        None => &level.layers,
    };
    // One that was put in after the last is last.
    let new = match last {
        Seg::Index(at) => list.get(*at).or(list.last()),
        Seg::Key(_) => list.last(),
    };
    new.map_or(Ok(()), |layer| super::layers::check_new(before, layer))
}

/// Refuse to change which layers are in a group that is locked.
fn check_group(level: &Level, group: &[Seg]) -> Result<(), Refusal> {
    match level.layer_on(&FieldPath(group.to_vec())) {
        Some((number, ..)) => check_open(level, number),
        None => Ok(()),
    }
}

/// The layer that a path leads through.
fn layer_of<'a>(level: &'a Level, at: &FieldPath) -> Option<&'a Layer> {
    level.layer_on(at).map(|(_, layer, _)| &**layer)
}

/// The transitions that a path leads to: one, or all of a state.
fn transitions_at<'a>(machine: &'a Machine, at: &FieldPath) -> Option<&'a [Transition]> {
    let mut state = &machine.root;
    let mut rest = at.0.get(1..)?;
    while let [Seg::Key(states), Seg::Key(name), inside @ ..] = rest
        && **states == *"states"
    {
        (state, rest) = (state.states.get(name)?, inside);
    }
    match rest {
        [Seg::Key(key), Seg::Index(at), ..] if **key == *"transitions" => state.transitions.get(*at..=*at),
        [Seg::Key(key)] if **key == *"transitions" => Some(&state.transitions),
        _ => None,
    }
}

fn check_machine(
    project: &Project,
    (before, file): (&MachinesFile, &MachinesFile),
    at: &FieldPath,
) -> Result<(), Refusal> {
    let Some(Seg::Key(name)) = at.0.first() else { return Ok(()) };
    let Some(machine) = file.machines.get(name) else { return Ok(()) };
    let Some(old) = before.machines.get(name) else {
        check_free(project, name)?;
        check_state(&machine.root)?;
        return check_layout(machine);
    };
    // What is wrong elsewhere in the machine is no reason to refuse.
    if check_state(&old.root).is_ok() {
        check_state(&machine.root)?;
    } else {
        transitions_at(machine, at).unwrap_or_default().iter().try_for_each(check_transition)?;
    }
    if check_layout(old).is_ok() {
        check_layout(machine)?;
    }
    if let Some((Seg::Key(last), [_, state @ ..])) = at.0.split_last()
        && **last == *"initial"
    {
        let names = state.iter().filter_map(Seg::key).map(|name| &**name);
        let path: Vec<&str> = names.skip(1).step_by(2).collect();
        check_initial(machine, &path.join("/"))?;
    }
    let keys = at.0.iter().filter_map(Seg::key);
    if let [.., on, message] = keys.collect::<Vec<_>>().as_slice()
        && ***on == *"on"
    {
        check_message(message)?;
    }
    // A dangling target may stay while the rest of its transition is mended.
    let dangling = |machine: &Machine| -> Vec<(Name, Refusal)> {
        let mut states = vec![&machine.root];
        states.extend(machine.paths().iter().filter_map(|path| machine.state(path)));
        let transitions = states.into_iter().flat_map(|state| &state.transitions);
        transitions.filter_map(|it| Some((it.to.clone(), check_target(machine, it).err()?))).collect()
    };
    let known = dangling(old);
    match dangling(machine).into_iter().find(|(to, _)| !known.iter().any(|(old, _)| old == to)) {
        Some((_, refusal)) => Err(refusal),
        None => Ok(()),
    }
}
