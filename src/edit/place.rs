//! Edits by place: a value is set, an entry put in, taken out or moved, in any document. What is allowed follows from what the
//! description declares, and from the few relations that a declaration cannot express.
//!
//! Invariant: what the reader of files would refuse is refused here. Names that others use are changed by renaming only.

use std::sync::Arc;

use super::{
    Refusal,
    definitions::{check_inherits, check_new as check_new_def},
    machine::{check_condition, check_free, check_layout, check_message, check_state, check_target, check_transition},
    reach::{check_name, check_open, doc},
    schema::check_schema,
    states::check_initial,
    tileset::check_tile,
    tuning::{check_tunable, fits},
    value::{check_fields, check_value, check_word},
};
use crate::model::{
    DocPath, Document, FieldPath, FieldType, Layer, LayerContent, Level, Machine, MachinesFile, Name, Project, Seg,
    Tileset, Transition,
    reflect::{
        self, Data, Field, Key, Names, Reflect, View, ViewMut, each_field, out_of_range, place, place_mut, unshared,
        unshared_mut,
    },
    unsound,
};

/// Give what is at a place another value.
pub(super) fn set(project: &mut Project, path: &DocPath, at: &FieldPath, data: &Data) -> Result<(), Refusal> {
    if found(doc(project, path)?, at).is_err()
        && let Ok((Seg::Key(_), parent)) = split(at)
        && let Ok((around, _)) = found(doc(project, path)?, &parent)
        && matches!(unshared(around).view(), View::Map(_))
    {
        return insert(project, path, at, data);
    }
    let (old, field) = found(doc(project, path)?, at)?;
    let mut new = old.boxed();
    new.clear();
    data.put(&mut *new).map_err(|why| Refusal::new(format!("`{at}`: {why}")))?;
    if new.equals(old) {
        return Ok(());
    }
    check_name_of_others(at, field)?;
    let is_of_records = match unshared(old).view() {
        View::Map(map) => map.item_type().record().is_some(),
        View::List(list) => list.item_type().record().is_some(),
        _ => false,
    };
    // What things are called and what is on them is looked at when they are put in.
    let is_layer = matches!((doc(project, path)?, at.0.as_slice()), (Document::Level(_), [_, _]));
    if is_of_records || is_layer || at.0.is_empty() {
        return Err(own_edit(at));
    }
    check(&*new, field, at)?;
    change(project, path, at, |root| {
        let is_set = place_mut(root, &at.0).is_some_and(|place| place.assign(&*new));
        if is_set { Ok(()) } else { Err(missing(at)) }
    })
}

/// Refuse to change a name that others use in another way than by renaming.
fn check_name_of_others(at: &FieldPath, field: Option<&'static Field>) -> Result<(), Refusal> {
    match field.filter(|it| is_last(at, it)).map(|field| field.names) {
        Some(Names::Declares(_)) => Err(Refusal::new(format!("`{at}` is a name that others use; rename it instead"))),
        _ => Ok(()),
    }
}

/// Put an entry into a map, or an element into a list before the one that is there; at the end where none is.
pub(super) fn insert(project: &mut Project, path: &DocPath, at: &FieldPath, data: &Data) -> Result<(), Refusal> {
    let (last, parent) = split(at)?;
    let (around, field) = found(doc(project, path)?, &parent)?;
    if let Seg::Key(key) = last {
        check_name("an entry", key)?;
        if around.ty().is_in_record() {
            check_word("a field", key)?;
        }
    }
    change(project, path, at, |root| {
        let mut result = Ok(());
        let mut fill = |value: &mut dyn Reflect| {
            result = data.put(value).map_err(Refusal::new).and_then(|()| check(value, field, at));
            result.is_ok()
        };
        match (place_mut(root, &parent.0).map(unshared_mut), last) {
            (Some(ViewMut::List(list)), Seg::Index(to)) => {
                if list.push(&mut fill) {
                    list.reorder(list.len() - 1, *to);
                }
            }
            (Some(ViewMut::Map(map)), Seg::Key(key)) => {
                let key = Key::of(key, map.has_ids()).ok_or_else(|| missing(at))?;
                if map.index_of(&key).is_some() {
                    return Err(Refusal::new(format!("there is already `{at}`")));
                }
                map.insert(key, &mut fill);
            }
            _ => return Err(missing(at)),
        }
        result
    })
}

/// Take out an entry of a map or an element of a list, or give a field its default.
pub(super) fn remove(project: &mut Project, path: &DocPath, at: &FieldPath) -> Result<(), Refusal> {
    let (last, parent) = split(at)?;
    let (_, field) = found(doc(project, path)?, at)?;
    check_name_of_others(at, field)?;
    if let (Document::Tileset(_), [Seg::Key(of), Seg::Key(id)]) = (doc(project, path)?, at.0.as_slice())
        && **of == *"tiles"
    {
        return super::tileset::remove_tile(project, path, id);
    }
    if let Some(field) = field.filter(|it| it.is_required && is_last(at, it)) {
        return Err(Refusal::new(format!("`{}` has no default", field.key)));
    }
    let (old, _) = found(doc(project, path)?, &parent)?;
    let mut new = old.boxed();
    reflect::drop_at(&mut *new, last);
    if new.equals(old) {
        return Ok(());
    }
    change(project, path, at, |root| {
        place_mut(root, &parent.0).into_iter().for_each(|place| reflect::drop_at(place, last));
        Ok(())
    })
}

/// Move an entry or element so that it is number `to`.
pub(super) fn reorder(project: &mut Project, path: &DocPath, at: &FieldPath, to: usize) -> Result<(), Refusal> {
    found(doc(project, path)?, at)?;
    let (last, parent) = split(at)?;
    let (around, _) = found(doc(project, path)?, &parent)?;
    let (from, n) = match (unshared(around).view(), last) {
        (View::List(list), _) => (reflect::index_in(list, last), list.len()),
        (View::Map(map), Seg::Key(key)) => (Key::of(key, map.has_ids()).and_then(|key| map.index_of(&key)), map.len()),
        _ => (None, 0),
    };
    let from = from.ok_or_else(|| missing(at))?;
    let to = to.min(n - 1);
    if from == to {
        return Ok(());
    }
    change(project, path, at, |root| {
        match place_mut(root, &parent.0).map(unshared_mut) {
            Some(ViewMut::List(list)) => list.reorder(from, to),
            Some(ViewMut::Map(map)) => map.reorder(from, to),
            _ => return Err(missing(at)),
        }
        Ok(())
    })
}

/// Copy an entry of a map under another key, right after it.
pub(super) fn copy(project: &mut Project, path: &DocPath, at: &FieldPath, to: &Name) -> Result<(), Refusal> {
    let (value, _) = found(doc(project, path)?, at)?;
    let data = Data::of(value);
    let (last, parent) = split(at)?;
    let (around, _) = found(doc(project, path)?, &parent)?;
    let (View::Map(map), Seg::Key(key)) = (unshared(around).view(), last) else { return Err(missing(at)) };
    let from = Key::of(key, map.has_ids()).and_then(|key| map.index_of(&key)).ok_or_else(|| missing(at))?;
    let new = parent.key(to);
    insert(project, path, &new, &data)?;
    reorder(project, path, &new, from + 1)
}

fn missing(at: &FieldPath) -> Refusal {
    Refusal::new(format!("there is no `{at}`"))
}

fn split(at: &FieldPath) -> Result<(&Seg, FieldPath), Refusal> {
    let (last, rest) = at.0.split_last().ok_or_else(|| Refusal::new("a document is not an entry of anything"))?;
    Ok((last, FieldPath(rest.to_vec())))
}

fn found<'a>(document: &'a Document, at: &FieldPath) -> Result<(&'a dyn Reflect, Option<&'static Field>), Refusal> {
    place(document.root(), &at.0).ok_or_else(|| missing(at))
}

/// Whether a path ends at a field, and not inside its value.
fn is_last(at: &FieldPath, field: &Field) -> bool {
    matches!(at.0.last(), Some(Seg::Key(key)) if **key == *field.key)
}

/// Change a copy of a document, and put it in place if the change is allowed.
fn change(
    project: &mut Project,
    path: &DocPath,
    at: &FieldPath,
    make: impl FnOnce(&mut dyn Reflect) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let old = doc(project, path)?;
    check_unlocked(old, at)?;
    let mut new = old.clone();
    make(new.root_mut())?;
    check_relations(project, path, (old, &new), at)?;
    // What is wrong elsewhere in the document is no reason to refuse.
    let known = unsound(path, old);
    if let Some((.., message)) = unsound(path, &new).into_iter().find(|found| !known.contains(found)) {
        return Err(Refusal::new(message));
    }
    project.documents.insert(path.clone(), Arc::new(new));
    Ok(())
}

/// Refuse to change what is on a locked layer. How a layer is shown may be changed all the same.
fn check_unlocked(document: &Document, at: &FieldPath) -> Result<(), Refusal> {
    let (Document::Level(level), [Seg::Key(layers), _, inside, ..]) = (document, at.0.as_slice()) else {
        return Ok(());
    };
    let is_shown = matches!(inside, Seg::Key(key)
        if ["visible", "locked", "opacity", "parallax", "offset"].contains(&&**key));
    match layer_of(level, at) {
        Some(layer) if **layers == *"layers" && !is_shown => check_open(layer),
        _ => Ok(()),
    }
}

/// The layer that a path leads through.
fn layer_of<'a>(level: &'a Level, at: &FieldPath) -> Option<&'a Layer> {
    match at.0.get(1)? {
        Seg::Index(at) => level.layers.get(*at).map(|layer| &**layer),
        Seg::Key(name) => level.layer(name).map(|(_, layer)| &**layer),
    }
}

/// Refuse numbers outside of their limits, and text that files cannot hold.
fn check(value: &dyn Reflect, field: Option<&'static Field>, at: &FieldPath) -> Result<(), Refusal> {
    if let Some(message) = field.and_then(|field| reflect::refused_by(field, value)) {
        return Err(Refusal::new(message));
    }
    if let Some(found) = out_of_range(value).into_iter().next() {
        return Err(Refusal::new(found.message));
    }
    check_keys(value)?;
    let data = Data::of(value);
    if let (Some(Field { names: Names::Text(ty), key, .. }), Data::Plain(text)) = (field, &data)
        && text.as_str().is_some_and(str::is_empty)
        && **ty != FieldType::Target
        && !at.0.iter().any(|seg| matches!(seg, Seg::Index(_)))
    {
        return Err(Refusal::new(format!("`{key}` needs a name")));
    }
    check_data(&data)
}

/// Refuse keys that files cannot hold: those that stand there without quotation marks are words, others are not empty.
fn check_keys(value: &dyn Reflect) -> Result<(), Refusal> {
    match value.view() {
        View::Shared(inner, _) | View::Option(Some(inner)) => check_keys(inner),
        View::List(list) => (0..list.len()).filter_map(|at| list.get(at)).try_for_each(check_keys),
        View::Map(map) => (0..map.len()).filter_map(|at| map.at(at)).try_for_each(|(key, inside)| {
            let key = key.name();
            if value.ty().is_in_record() {
                check_word("a field", &key)?;
            } else {
                check_name("an entry", &key)?;
            }
            check_keys(inside)
        }),
        View::Record(record) => {
            let mut result = Ok(());
            each_field(record, &mut |it| {
                if result.is_ok() {
                    result = check_keys(it.value);
                }
            });
            result
        }
        _ => Ok(()),
    }
}

fn check_data(data: &Data) -> Result<(), Refusal> {
    match data {
        Data::Plain(value) => check_value(value),
        Data::List(items) => items.iter().try_for_each(check_data),
        Data::Map(entries) | Data::Record(_, entries) => entries.iter().try_for_each(|(_, data)| check_data(data)),
        Data::Call(call) => check_word("an action", &call.name).and_then(|()| check_fields(&call.args)),
        Data::Condition(condition) => check_condition(condition),
        Data::None | Data::Type(_) | Data::Shape(_) | Data::Tiles(_) => Ok(()),
    }
}

/// Refuse what a declaration of fields cannot express.
fn check_relations(
    project: &Project,
    path: &DocPath,
    (old, new): (&Document, &Document),
    at: &FieldPath,
) -> Result<(), Refusal> {
    let key = |i: usize| at.0.get(i).and_then(Seg::key);
    match (old, new) {
        (Document::Project(_), Document::Project(file)) => check_name("a project", &file.name),
        (Document::Level(before), Document::Level(level)) => check_level(project, (before, level), at),
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

fn own_edit(at: &FieldPath) -> Refusal {
    Refusal::new(format!("`{at}` is changed by an edit of its own"))
}

fn check_level(project: &Project, (before, level): (&Level, &Level), at: &FieldPath) -> Result<(), Refusal> {
    if before.size != level.size {
        return Err(Refusal::new("a level is resized as a whole"));
    }
    if let Some(gone) = before.layers.iter().find(|layer| level.layer(&layer.name).is_none()) {
        check_open(gone)?;
    }
    if level.layers.len() > before.layers.len() {
        // One that was put in after the last is last.
        let new = match at.0.get(1) {
            Some(Seg::Index(at)) => level.layers.get(*at).or(level.layers.last()),
            _ => level.layers.last(),
        };
        return new.map_or(Ok(()), |layer| super::layers::check_new(before, layer));
    }
    let Some(layer) = layer_of(level, at) else { return Ok(()) };
    let has = |layer: &Layer, id: &str| match &layer.content {
        LayerContent::Entities(all) => all.contains_key(id),
        LayerContent::Waypoints(graph) => graph.nodes.contains_key(id),
        LayerContent::Tiles(_) => false,
    };
    if let [_, _, _, Seg::Key(id)] = at.0.as_slice()
        && has(layer, id)
        && before.has_id(id)
        && !layer_of(before, at).is_some_and(|layer| has(layer, id))
    {
        return Err(Refusal::new(format!("there is already something with the id `{id}` in this level")));
    }
    let old = layer_of(before, at);
    match at.0.get(2..).unwrap_or_default() {
        // Waypoints and links go and come with those they belong to.
        [Seg::Key(of), Seg::Key(id)] if **of == *"nodes" && !has(layer, id) => return Err(own_edit(at)),
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

/// The transition that a path leads to or into.
fn transition_at<'a>(machine: &'a Machine, at: &FieldPath) -> Option<&'a Transition> {
    let mut state = &machine.root;
    let mut rest = at.0.get(1..)?;
    while let [Seg::Key(states), Seg::Key(name), inside @ ..] = rest
        && **states == *"states"
    {
        (state, rest) = (state.states.get(name)?, inside);
    }
    match rest {
        [Seg::Key(key), Seg::Index(at), ..] if **key == *"transitions" => state.transitions.get(*at),
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
    } else if let Some(transition) = transition_at(machine, at) {
        check_transition(transition)?;
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
