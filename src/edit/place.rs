//! Edits by place: a value is set, an entry put in, taken out, moved or copied, in any value that is described. What is
//! allowed follows from the description; further conditions of each kind of document are in `relations`.
//!
//! Invariant: what the reader of files would refuse is refused here. Names that others use are changed by renaming
//! only.

use std::sync::Arc;

use super::{
    Edit, Refusal,
    machine::check_condition,
    reach::{check_name, doc},
    relations::{self, own_edit},
    value::{check_fields, check_value, check_word},
};
use crate::model::{
    DocPath, FieldPath, FieldType, Name, Project, Seg,
    reflect::{
        self, Data, Field, Key, ListView, Names, RecordView, Reflect, View, ViewMut, each_field, id_of, out_of_range,
        place, place_mut, record_in, unshared, unshared_mut,
    },
    unsound,
};

/// Make an edit by place in a document of a project.
pub(super) fn apply(project: &mut Project, path: &DocPath, edit: &Edit) -> Result<(), Refusal> {
    let old = doc(project, path)?;
    let mut new = old.clone();
    let Some(at) = edit_value(new.root_mut(), edit)? else { return Ok(()) };
    relations::follow(&mut new, edit);
    relations::check(project, (path, edit), (old, &new), &at)?;
    // What is wrong elsewhere in the document is no reason to refuse.
    let known = unsound(path, old);
    if let Some((.., message)) = unsound(path, &new).into_iter().find(|found| !known.contains(found)) {
        return Err(Refusal::new(message));
    }
    project.documents.insert(path.clone(), Arc::new(new));
    Ok(())
}

/// Make an edit by place in a value of any type. Returns the place that has changed; `None` if the edit changes
/// nothing.
///
/// # Errors
/// The edit is not by place, or the description does not allow it. Nothing has changed then.
pub fn edit_value(root: &mut dyn Reflect, edit: &Edit) -> Result<Option<FieldPath>, Refusal> {
    match edit {
        Edit::Set { at, data, .. } => set(root, at, data),
        Edit::Insert { at, data, .. } => insert(root, at, data),
        Edit::Remove { at, .. } => remove(root, at),
        Edit::Move { at, to, .. } => reorder(root, at, *to),
        Edit::Copy { at, to, .. } => copy(root, at, to),
        _ => Err(Refusal::new("this edit is not of one place")),
    }
}

/// Give what is at a place another value.
fn set(root: &mut dyn Reflect, at: &FieldPath, data: &Data) -> Result<Option<FieldPath>, Refusal> {
    if found(root, at).is_err()
        && let Ok((Seg::Key(_), parent)) = split(at)
        && let Ok((around, _)) = found(root, &parent)
        && matches!(unshared(around).view(), View::Map(_))
    {
        return insert(root, at, data);
    }
    let (old, field) = found(root, at)?;
    let mut new = old.boxed();
    new.clear();
    data.put(&mut *new).map_err(|why| Refusal::new(format!("`{at}`: {why}")))?;
    if new.equals(old) {
        return Ok(None);
    }
    check_name_of_others(at, field)?;
    // What things are called is looked at when they are put in.
    let has_names = match unshared(old).view() {
        View::Map(map) => map.item_type().record().is_some(),
        View::List(list) => has_names(list),
        _ => false,
    };
    if has_names || at.0.is_empty() {
        return Err(own_edit(at));
    }
    check(&*new, field, at)?;
    change(root, at, |root| place_mut(root, &at.0)?.assign(&*new).then_some(()))
}

/// Whether the elements of a list have names of their own.
fn has_names(list: &dyn ListView) -> bool {
    let is_name = |field: &Field| field.is_id || matches!(field.names, Names::Declares(_));
    list.item_type().record().is_some_and(|record| record.fields.iter().any(is_name))
}

/// Refuse to change a name that others use in another way than by renaming.
fn check_name_of_others(at: &FieldPath, field: Option<&'static Field>) -> Result<(), Refusal> {
    match field.filter(|it| is_last(at, it)).map(|field| field.names) {
        Some(Names::Declares(_)) => Err(Refusal::new(format!("`{at}` is a name that others use; rename it instead"))),
        _ => Ok(()),
    }
}

/// Put an entry into a map, or an element into a list before the one that is there; at the end where none is.
fn insert(root: &mut dyn Reflect, at: &FieldPath, data: &Data) -> Result<Option<FieldPath>, Refusal> {
    let (last, parent) = split(at)?;
    let (around, field) = found(root, &parent)?;
    if let Seg::Key(key) = last {
        check_name("an entry", key)?;
        if around.ty().is_in_record() {
            check_word("a field", key)?;
        }
    }
    if matches!(last, Seg::Key(_)) && matches!(unshared(around).view(), View::Map(_)) && found(root, at).is_ok() {
        return Err(Refusal::new(format!("there is already `{at}`")));
    }
    let mut result = Ok(());
    let mut fill = |value: &mut dyn Reflect| {
        result = data.put(value).map_err(Refusal::new).and_then(|()| check(value, field, at));
        result.is_ok()
    };
    let changed = change(root, at, |root| match (unshared_mut(place_mut(root, &parent.0)?), last) {
        (ViewMut::List(list), Seg::Index(to)) => {
            if list.push(&mut fill) {
                list.reorder(list.len() - 1, *to);
            }
            Some(())
        }
        (ViewMut::Map(map), Seg::Key(key)) => {
            map.insert(Key::of(key, map.has_ids())?, &mut fill);
            Some(())
        }
        _ => None,
    })?;
    result.map(|()| changed)
}

/// Take out an entry of a map or an element of a list, or give a field its default.
fn remove(root: &mut dyn Reflect, at: &FieldPath) -> Result<Option<FieldPath>, Refusal> {
    let (last, parent) = split(at)?;
    let (_, field) = found(root, at)?;
    check_name_of_others(at, field)?;
    if let Some(field) = field.filter(|it| it.is_required && is_last(at, it)) {
        return Err(Refusal::new(format!("`{}` has no default", field.key)));
    }
    let (old, _) = found(root, &parent)?;
    let mut new = old.boxed();
    reflect::drop_at(&mut *new, last);
    if new.equals(old) {
        return Ok(None);
    }
    change(root, at, |root| {
        reflect::drop_at(place_mut(root, &parent.0)?, last);
        Some(())
    })
}

/// Move an entry or element so that it is number `to`.
fn reorder(root: &mut dyn Reflect, at: &FieldPath, to: usize) -> Result<Option<FieldPath>, Refusal> {
    found(root, at)?;
    let (last, parent) = split(at)?;
    let (around, _) = found(root, &parent)?;
    let (from, n) = match (unshared(around).view(), last) {
        (View::List(list), _) => (reflect::index_in(list, last), list.len()),
        (View::Map(map), Seg::Key(key)) => (Key::of(key, map.has_ids()).and_then(|key| map.index_of(&key)), map.len()),
        _ => (None, 0),
    };
    let from = from.ok_or_else(|| missing(at))?;
    let to = to.min(n - 1);
    if from == to {
        return Ok(None);
    }
    change(root, at, |root| {
        match unshared_mut(place_mut(root, &parent.0)?) {
            ViewMut::List(list) => list.reorder(from, to),
            ViewMut::Map(map) => map.reorder(from, to),
            _ => return None,
        }
        Some(())
    })
}

/// Copy an entry of a map under another key, right after it.
fn copy(root: &mut dyn Reflect, at: &FieldPath, to: &Name) -> Result<Option<FieldPath>, Refusal> {
    let (value, _) = found(root, at)?;
    let data = Data::of(value);
    let (last, parent) = split(at)?;
    let (around, _) = found(root, &parent)?;
    let (View::Map(map), Seg::Key(key)) = (unshared(around).view(), last) else { return Err(missing(at)) };
    let from = Key::of(key, map.has_ids()).and_then(|key| map.index_of(&key)).ok_or_else(|| missing(at))?;
    let new = parent.key(to);
    insert(root, &new, &data)?;
    reorder(root, &new, from + 1)?;
    Ok(Some(new))
}

fn missing(at: &FieldPath) -> Refusal {
    Refusal::new(format!("there is no `{at}`"))
}

fn split(at: &FieldPath) -> Result<(&Seg, FieldPath), Refusal> {
    let (last, rest) = at.0.split_last().ok_or_else(|| Refusal::new("a document is not an entry of anything"))?;
    Ok((last, FieldPath(rest.to_vec())))
}

fn found<'a>(root: &'a dyn Reflect, at: &FieldPath) -> Result<(&'a dyn Reflect, Option<&'static Field>), Refusal> {
    place(root, &at.0).ok_or_else(|| missing(at))
}

/// Whether a path ends at a field, and not inside its value.
fn is_last(at: &FieldPath, field: &Field) -> bool {
    matches!(at.0.last(), Some(Seg::Key(key)) if **key == *field.key)
}

/// Change a place if it is not locked. `make` returns `None`, and changes nothing, where the place does not exist.
fn change(
    root: &mut dyn Reflect,
    at: &FieldPath,
    make: impl FnOnce(&mut dyn Reflect) -> Option<()>,
) -> Result<Option<FieldPath>, Refusal> {
    check_unlocked(root, at)?;
    make(root).ok_or_else(|| missing(at))?;
    Ok(Some(at.clone()))
}

/// Refuse to change what is in a locked record, but for its open fields.
fn check_unlocked(root: &dyn Reflect, at: &FieldPath) -> Result<(), Refusal> {
    let mut locked = None;
    for n in 0..at.0.len() {
        let Some((around, _)) = place(root, &at.0[..n]) else { return Ok(()) };
        let Some(record) = record_in(around).map(RecordView::record) else { continue };
        let Some(lock) = record.lock else { continue };
        let value = |key: &Seg| place(around, std::slice::from_ref(key));
        let is_locked = matches!(value(&Seg::Key(lock.into())).map(|(value, _)| value.view()), Some(View::Bool(true)));
        let is_open = value(&at.0[n]).and_then(|(_, field)| field).is_some_and(|field| field.is_open);
        if is_locked && locked.is_none() {
            let noun = record.noun();
            locked = Some(id_of(around).map_or_else(|| format!("this {noun}"), |name| format!("{noun} `{name}`")));
        }
        // What is in a locked group is locked, too.
        if let Some(which) = locked.as_ref().filter(|_| !is_open) {
            return Err(Refusal::new(format!("{which} is locked; unlock it to change what is in it")));
        }
    }
    Ok(())
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
