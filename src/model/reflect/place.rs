//! The value at a place of a document, to change: the same places that files, problems and edits name by a path.
//!
//! Invariant: only what lies on the path is copied; what is shared beside it keeps its `Arc`.

use std::ops::Range;

use super::{Key, MapView, MapViewMut, RecordView, RecordViewMut, Reflect, View, ViewMut, each_field};
use crate::model::{Condition, FieldType, Fields, Seg, Value};

/// What is at a place. Options, what is shared and the tags of records are no steps of a path.
pub fn place_mut<'a>(root: &'a mut dyn Reflect, path: &[Seg]) -> Option<&'a mut dyn Reflect> {
    let Some((seg, rest)) = path.split_first() else { return Some(root) };
    let inside: &mut dyn Reflect = match (root.view_mut(), seg) {
        (ViewMut::Shared(inner), _) => return place_mut(inner, path),
        (ViewMut::Option(option), _) => return place_mut(option.value_mut()?, path),
        (ViewMut::Record(record), Seg::Key(key)) => field_mut(record, key)?,
        (ViewMut::List(list), Seg::Index(at)) => list.get_mut(*at)?,
        (ViewMut::Pair(both), Seg::Index(at)) => both.into_iter().nth(*at)?,
        (ViewMut::Map(map), Seg::Key(key)) => {
            let key = key_of(map, key)?;
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

/// A field of a record, or of what stands beside its fields.
fn field_mut<'a>(record: &'a mut dyn RecordViewMut, key: &str) -> Option<&'a mut dyn Reflect> {
    let fields = record.record().fields;
    let at = (0..fields.len()).find(|at| {
        let inside = |value: &dyn Reflect| match value.view() {
            View::Choice(choice) => match choice.variant().map(|variant| variant.field) {
                Some(Some(field)) => field.key == key,
                _ => matches!(choice.content().view(), View::Record(inner) if has_field(inner, key)),
            },
            View::Record(inner) => has_field(inner, key),
            _ => false,
        };
        if fields[*at].is_flat { record.get(*at).is_some_and(inside) } else { fields[*at].key == key }
    })?;
    let value = record.get_mut(at)?;
    if !fields[at].is_flat {
        return Some(value);
    }
    match value.view_mut() {
        ViewMut::Record(inner) => field_mut(inner, key),
        ViewMut::Choice(choice) => {
            let is_field = choice.choice().variants.get(choice.which()).is_some_and(|it| it.field.is_some());
            let content = choice.content_mut();
            if is_field {
                return Some(content);
            }
            if let ViewMut::Record(inner) = content.view_mut() { field_mut(inner, key) } else { None }
        }
        _ => None,
    }
}

fn has_field(record: &dyn RecordView, key: &str) -> bool {
    let mut has = false;
    each_field(record, &mut |it| has |= it.field.key == key);
    has
}

fn key_of(map: &dyn MapView, key: &str) -> Option<Key> {
    if map.has_ids() { key.parse().ok().map(Key::Id) } else { Some(Key::Name(key.into())) }
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

/// Give a key another name where it stands. One whose new name is there already goes; what it lists goes to that of the other.
pub fn rekey_at(value: &mut dyn Reflect, from: &str, to: &str) {
    match value.view_mut() {
        ViewMut::Map(map) => rekey(map, from, to),
        ViewMut::Value(Value::Struct(fields)) => rekey(fields, from, to),
        ViewMut::Call(call) | ViewMut::Condition(Condition::Call(call)) => rekey(&mut call.args, from, to),
        ViewMut::Shared(inner) => rekey_at(inner, from, to),
        _ => {}
    }
}

fn rekey(map: &mut dyn MapViewMut, from: &str, to: &str) {
    let (Some(from), Some(to)) = (key_of(map, from), key_of(map, to)) else { return };
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

/// Take out what is at the end of a step.
pub fn drop_at(value: &mut dyn Reflect, seg: &Seg) {
    let drop_of = |fields: &mut Fields| match seg {
        Seg::Key(key) => drop(fields.shift_remove(key)),
        Seg::Index(_) => {}
    };
    match (value.view_mut(), seg) {
        (ViewMut::Shared(inner), _) => drop_at(inner, seg),
        (ViewMut::Value(Value::Tagged(_, content)), _) => drop_at(content.inside(seg), seg),
        (ViewMut::Value(Value::Struct(fields)), _) => drop_of(fields),
        (ViewMut::Value(Value::Map(entries)), Seg::Key(key)) => entries.retain(|(k, _)| k.as_str() != Some(key)),
        (ViewMut::Value(Value::List(items)), Seg::Index(at)) if *at < items.len() => drop(items.remove(*at)),
        (ViewMut::Call(call) | ViewMut::Condition(Condition::Call(call)), _) => drop_of(&mut call.args),
        (ViewMut::List(list), Seg::Index(at)) if *at < list.len() => drop(list.remove(*at)),
        (ViewMut::Map(map), Seg::Key(key)) => {
            key_of(map, key).into_iter().for_each(|key| drop(map.remove(&key)));
        }
        (ViewMut::Record(record), Seg::Key(key)) => {
            if let Some(ViewMut::Option(option)) = field_mut(record, key).map(|field| field.view_mut()) {
                option.clear();
            }
        }
        _ => {}
    }
}
