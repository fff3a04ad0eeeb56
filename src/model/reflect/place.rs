//! The value at a place of a document, to change: the same places that files, problems and edits name by a path.
//!
//! Invariant: only what lies on the path is copied; what is shared beside it keeps its `Arc`.

use std::ops::Range;

use super::{Field, Key, ListView, MapViewMut, RecordView, RecordViewMut, Reflect, View, ViewMut, id_of};
use crate::model::{Condition, FieldPath, FieldType, Fields, Seg, Value};

/// What is at a place, and the field whose value it is or is part of. Options, what is shared and the tags of records
/// are no steps of a path; elements of a list that have names of their own are found by these, too.
#[must_use]
pub fn place<'a>(root: &'a dyn Reflect, path: &[Seg]) -> Option<(&'a dyn Reflect, Option<&'static Field>)> {
    let (mut now, mut of, mut rest) = (root, None, path);
    loop {
        let Some((seg, after)) = rest.split_first() else { return Some((now, of)) };
        now = match (now.view(), seg) {
            (View::Shared(inner, _) | View::Option(Some(inner)), _) => {
                now = inner;
                continue;
            }
            (View::Record(record), Seg::Key(key)) => {
                let (field, value) = field_in(record, key)?;
                of = Some(field);
                value
            }
            (View::List(list), Seg::Index(at)) => list.get(*at)?,
            (View::List(list), Seg::Key(key)) => list.get(index_of(list, key)?)?,
            (View::Pair(both), Seg::Index(at)) => *both.get(*at)?,
            (View::Map(map), Seg::Key(key)) => map.value_at(map.index_of(&Key::of(key, map.has_ids())?)?)?,
            (View::Value(value), _) => return value.at(&FieldPath(rest.to_vec())).map(|value| (value as _, of)),
            (View::Call(call) | View::Condition(Condition::Call(call)), Seg::Key(key)) => call.args.get(key)?,
            (View::Condition(condition), Seg::Index(0)) => match (condition, after) {
                // `All([…])` holds one list, `Not(…)` one condition.
                (Condition::All(all) | Condition::Any(all), [Seg::Index(at), ..]) => {
                    rest = after;
                    all.get(*at)?
                }
                (Condition::Not(inner), _) => &**inner,
                _ => return None,
            },
            (View::FieldType(ty), Seg::Index(0)) => match ty {
                FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => &**inner,
                FieldType::Struct(specs) => specs,
                _ => return None,
            },
            _ => return None,
        };
        rest = &rest[1..];
    }
}

/// The same path with elements of lists by their numbers, as problems have it.
#[must_use]
pub fn by_index(root: &dyn Reflect, path: &FieldPath) -> FieldPath {
    let mut out = FieldPath::root();
    for (i, seg) in path.0.iter().enumerate() {
        let index = match (place(root, &out.0).map(|(value, _)| value.view()), seg) {
            (Some(View::List(list)), Seg::Key(_)) => index_in(list, seg),
            (None, _) => return FieldPath(out.0.into_iter().chain(path.0[i..].iter().cloned()).collect()),
            _ => None,
        };
        out.0.push(index.map_or_else(|| seg.clone(), Seg::Index));
    }
    out
}

/// The element of a list that a step of a path leads to.
#[must_use]
pub fn index_in(list: &dyn ListView, seg: &Seg) -> Option<usize> {
    match seg {
        Seg::Index(at) => Some(*at).filter(|at| *at < list.len()),
        Seg::Key(name) => index_of(list, name),
    }
}

/// The element of a list that has a name of its own.
fn index_of(list: &dyn ListView, name: &str) -> Option<usize> {
    (0..list.len()).find(|at| list.get(*at).and_then(id_of) == Some(name))
}

/// What is at a place, to change. As [`place`] finds it, parts of values included.
pub fn place_mut<'a>(root: &'a mut dyn Reflect, path: &[Seg]) -> Option<&'a mut dyn Reflect> {
    let Some((seg, rest)) = path.split_first() else { return Some(root) };
    let inside: &mut dyn Reflect = match (root.view_mut(), seg) {
        (ViewMut::Shared(inner), _) => return place_mut(inner, path),
        (ViewMut::Option(option), _) => return place_mut(option.value_mut()?, path),
        (ViewMut::Record(record), Seg::Key(key)) => field_mut(record, key)?,
        (ViewMut::List(list), Seg::Index(at)) => list.get_mut(*at)?,
        (ViewMut::List(list), Seg::Key(key)) => {
            let at = index_of(list, key)?;
            list.get_mut(at)?
        }
        (ViewMut::Pair(both), Seg::Index(at)) => both.into_iter().nth(*at)?,
        (ViewMut::Map(map), Seg::Key(key)) => {
            let key = Key::of(key, map.has_ids())?;
            map.get_mut(&key)?
        }
        (ViewMut::Value(value), _) => {
            let (inner, is_step) = inside_value(value, seg)?;
            return place_mut(inner, if is_step { rest } else { path });
        }
        (ViewMut::Call(call), Seg::Key(key)) => call.args.get_mut(key)?,
        (ViewMut::Condition(condition), _) => match (condition, seg) {
            (Condition::Call(call), _) => return place_mut(call, path),
            // `All([…])` holds one list, `Not(…)` one condition.
            (Condition::All(all) | Condition::Any(all), Seg::Index(0)) => {
                let (Seg::Index(at), rest) = rest.split_first()? else { return None };
                return place_mut(all.get_mut(*at)?, rest);
            }
            (Condition::Not(inner), Seg::Index(0)) => &mut **inner,
            _ => return None,
        },
        (ViewMut::FieldType(ty), Seg::Index(0)) => match ty {
            FieldType::List(inner) | FieldType::Map(inner) | FieldType::Option(inner) => &mut **inner,
            FieldType::Struct(specs) => specs,
            _ => return None,
        },
        _ => return None,
    };
    place_mut(inside, rest)
}

/// The field of a name: one of the record's own, or one that a flat field holds.
fn field_in<'a>(record: &'a dyn RecordView, key: &str) -> Option<(&'static Field, &'a dyn Reflect)> {
    (0..record.record().fields.len()).find_map(|at| field_at(record, at, key))
}

/// The same, looked for in one of the record's own fields only.
fn field_at<'a>(record: &'a dyn RecordView, at: usize, key: &str) -> Option<(&'static Field, &'a dyn Reflect)> {
    let (field, value) = (&record.record().fields[at], record.get(at)?);
    if !field.is_flat {
        return (field.key == key).then_some((field, value));
    }
    let content = match value.view() {
        View::Choice(choice) => {
            if let Some(field) = choice.variant().and_then(|variant| variant.field) {
                return (field.key == key).then_some((field, choice.content()));
            }
            choice.content()
        }
        _ => value,
    };
    if let View::Record(inner) = content.view() { field_in(inner, key) } else { None }
}

/// Where the value of a field is kept.
enum Kept<'a> {
    /// In a record, as the field of this number.
    Field(&'a mut dyn RecordViewMut, usize),
    /// It is all that a choice holds.
    Content(&'a mut dyn Reflect),
}

/// Where the field of a name is kept, as [`field_in`] finds it.
fn kept<'a>(record: &'a mut dyn RecordViewMut, key: &str) -> Option<Kept<'a>> {
    let fields = record.record().fields;
    let at = (0..fields.len()).find(|at| field_at(record, *at, key).is_some())?;
    if !fields[at].is_flat {
        return Some(Kept::Field(record, at));
    }
    match record.get_mut(at)?.view_mut() {
        ViewMut::Record(inner) => kept(inner, key),
        ViewMut::Choice(choice) => {
            let is_all = choice.choice().variants.get(choice.which()).is_some_and(|it| it.field.is_some());
            let content = choice.content_mut();
            if is_all {
                return Some(Kept::Content(content));
            }
            if let ViewMut::Record(inner) = content.view_mut() { kept(inner, key) } else { None }
        }
        _ => None,
    }
}

/// The value of a field, to change.
pub(super) fn field_mut<'a>(record: &'a mut dyn RecordViewMut, key: &str) -> Option<&'a mut dyn Reflect> {
    match kept(record, key)? {
        Kept::Field(record, at) => record.get_mut(at),
        Kept::Content(content) => Some(content),
    }
}

/// Give a field its default.
fn reset(record: &mut dyn RecordViewMut, key: &str) {
    match kept(record, key) {
        Some(Kept::Field(record, at)) => record.reset(at),
        Some(Kept::Content(content)) => content.clear(),
        None => {}
    }
}

/// What a step leads to in a value, and whether that takes the step: tags take none.
fn inside_value<'a>(value: &'a mut Value, seg: &Seg) -> Option<(&'a mut Value, bool)> {
    let inner = match (value, seg) {
        (Value::Struct(fields), Seg::Key(key)) => fields.get_mut(key)?,
        (Value::Map(entries), Seg::Key(key)) => {
            &mut entries.iter_mut().find(|(k, _)| k.as_str().unwrap_or_default() == &**key)?.1
        }
        (Value::List(items) | Value::Tuple(items), Seg::Index(at)) => items.get_mut(*at)?,
        (Value::Tagged(_, content), _) => return Some((content.inside(seg), false)),
        _ => return None,
    };
    Some((inner, true))
}

/// Write `new` over some bytes of a text. A bare word and the name of a call are text, too.
pub fn write_at(value: &mut dyn Reflect, part: Range<usize>, new: &str) {
    let written = |text: &str| {
        let mut text = text.to_owned();
        if text.get(part.clone()).is_some() {
            text.replace_range(part.clone(), new);
        }
        text
    };
    match value.view_mut() {
        ViewMut::Name(name) | ViewMut::Value(Value::Symbol(name)) => *name = written(name).into(),
        ViewMut::Call(call) | ViewMut::Condition(Condition::Call(call)) => call.name = written(&call.name).into(),
        ViewMut::Text(text) | ViewMut::Value(Value::Str(text)) => *text = written(text),
        ViewMut::Value(Value::Tagged(_, content)) => write_at(content.inside(&Seg::Key("".into())), part, new),
        ViewMut::Shared(inner) => write_at(inner, part, new),
        ViewMut::Option(option) => option.value_mut().into_iter().for_each(|inner| write_at(inner, part.clone(), new)),
        _ => {}
    }
}

/// Give a key another name where it stands. One whose new name is there already goes; what it lists goes to that of the
/// other.
pub fn rekey_at(value: &mut dyn Reflect, from: &str, to: &str) {
    match value.view_mut() {
        ViewMut::Map(map) => rekey(map, from, to),
        ViewMut::Value(Value::Struct(fields)) => rekey(fields, from, to),
        ViewMut::Call(call) | ViewMut::Condition(Condition::Call(call)) => rekey(&mut call.args, from, to),
        ViewMut::Shared(inner) => rekey_at(inner, from, to),
        ViewMut::Option(option) => option.value_mut().into_iter().for_each(|inner| rekey_at(inner, from, to)),
        _ => {}
    }
}

fn rekey(map: &mut dyn MapViewMut, from: &str, to: &str) {
    let (Some(from), Some(to)) = (Key::of(from, map.has_ids()), Key::of(to, map.has_ids())) else { return };
    let is_list = |value: &mut dyn Reflect| matches!(value.view_mut(), ViewMut::List(_));
    let there = map.get_mut(&to).map(is_list);
    let Some((at, mut value)) = map.remove(&from) else { return };
    match there {
        None => drop(map.put(at, &to, value)),
        Some(true) => {
            let Some((other_at, mut other)) = map.remove(&to) else { return };
            if let (ViewMut::List(list), ViewMut::List(others)) = (value.view_mut(), other.view_mut()) {
                list.append(others);
            }
            map.put(at - usize::from(other_at < at), &to, value);
        }
        Some(false) => {}
    }
}

/// Take out what is at the end of a step; a field of a record gets its default.
pub fn drop_at(value: &mut dyn Reflect, seg: &Seg) {
    let drop_of = |fields: &mut Fields| match seg {
        Seg::Key(key) => drop(fields.shift_remove(key)),
        Seg::Index(_) => {}
    };
    match (value.view_mut(), seg) {
        (ViewMut::Shared(inner), _) => drop_at(inner, seg),
        (ViewMut::Option(option), _) => option.value_mut().into_iter().for_each(|inner| drop_at(inner, seg)),
        (ViewMut::Value(Value::Tagged(_, content)), _) => drop_at(content.inside(seg), seg),
        (ViewMut::Value(Value::Struct(fields)), _) => drop_of(fields),
        (ViewMut::Value(Value::Map(entries)), Seg::Key(key)) => entries.retain(|(k, _)| k.as_str() != Some(key)),
        (ViewMut::Value(Value::List(items)), Seg::Index(at)) if *at < items.len() => drop(items.remove(*at)),
        (ViewMut::Call(call) | ViewMut::Condition(Condition::Call(call)), _) => drop_of(&mut call.args),
        (ViewMut::List(list), _) => {
            index_in(list, seg).into_iter().for_each(|at| drop(list.remove(at)));
        }
        (ViewMut::Map(map), Seg::Key(key)) => {
            Key::of(key, map.has_ids()).into_iter().for_each(|key| drop(map.remove(&key)));
        }
        (ViewMut::Record(record), Seg::Key(key)) => reset(record, key),
        _ => {}
    }
}
