//! Parts of values: replacing and dropping what is at the end of a path inside one, and refusing what files cannot
//! hold.

use super::Refusal;
use crate::model::{FieldPath, Fields, Seg, Value, counted};

/// A value with the part at `path` replaced. Where a key leads into what has no parts, that gives way to a struct; an
/// element that is not there stays away.
#[must_use]
pub fn with_part(value: &Value, path: &FieldPath, new: Value) -> Value {
    let mut whole = value.clone();
    if put_in(&mut whole, path, new.clone()).is_err() && matches!(path.0.first(), Some(Seg::Key(_))) {
        whole = Value::Struct(Fields::new());
        let _fits = put_in(&mut whole, path, new);
    }
    whole
}

/// A value without the part at `path`, if it has one.
#[must_use]
pub fn without_part(value: &Value, path: &FieldPath) -> Value {
    let mut whole = value.clone();
    drop_in(&mut whole, &path.0);
    whole
}

/// Put `new` at `path` inside `value`. A key that is not there yet is added; the structs it leads through are made.
///
/// # Errors
/// The path leads through a number, past the end of a list, or otherwise nowhere.
pub(super) fn put_in(value: &mut Value, path: &FieldPath, new: Value) -> Result<(), Refusal> {
    put(value, &path.0, new)
}

fn put(value: &mut Value, path: &[Seg], new: Value) -> Result<(), Refusal> {
    let Some((seg, rest)) = path.split_first() else {
        *value = new;
        return Ok(());
    };
    if matches!(value, Value::Tuple(items) if items.is_empty()) && matches!(seg, Seg::Key(_)) {
        *value = Value::Struct(Fields::new());
    }
    let kind = value.kind();
    match (value, seg) {
        (Value::Struct(fields), Seg::Key(key)) => {
            put(fields.entry(key.clone()).or_insert_with(|| Value::Struct(Fields::new())), rest, new)
        }
        (Value::Map(entries), Seg::Key(key)) => {
            let at = entries.iter().position(|(k, _)| k.as_str() == Some(key)).unwrap_or_else(|| {
                entries.push((Value::str(&**key), Value::Struct(Fields::new())));
                entries.len() - 1
            });
            put(&mut entries[at].1, rest, new)
        }
        (Value::List(items) | Value::Tuple(items), Seg::Index(index)) => {
            let n = items.len();
            match items.get_mut(*index) {
                Some(item) => put(item, rest, new),
                None => {
                    Err(Refusal::new(format!("the list has {}, there is no number {index}", counted(n, "element"))))
                }
            }
        }
        (Value::Tagged(_, content), _) => put(content.inside(seg), path, new),
        (_, Seg::Key(key)) => Err(Refusal::new(format!("there is no `{key}` in {kind}"))),
        (_, Seg::Index(index)) => Err(Refusal::new(format!("there is no element {index} in {kind}"))),
    }
}

/// Drop what is at `path` inside `value`, and structs and maps that become empty by it. Returns whether `value` itself
/// is empty now; `false` also when nothing was there.
pub(super) fn drop_in(value: &mut Value, path: &[Seg]) -> bool {
    let Some((seg, rest)) = path.split_first() else { return true };
    match (value, seg) {
        (Value::Struct(fields), Seg::Key(key)) => {
            let is_gone = fields.get_mut(key).is_some_and(|part| drop_in(part, rest));
            if is_gone {
                fields.shift_remove(key);
            }
            is_gone && fields.is_empty()
        }
        (Value::Map(entries), Seg::Key(key)) => {
            let at = entries.iter().position(|(k, _)| k.as_str() == Some(key));
            let gone = at.filter(|at| drop_in(&mut entries[*at].1, rest));
            if let Some(at) = gone {
                entries.remove(at);
            }
            gone.is_some() && entries.is_empty()
        }
        // A list declares all its elements: without one of them it is another list, not none.
        (Value::List(items), Seg::Index(index)) => {
            let is_gone = items.get_mut(*index).is_some_and(|part| drop_in(part, rest));
            if is_gone {
                items.remove(*index);
            }
            false
        }
        (Value::Tagged(_, content), _) => {
            drop_in(content, path);
            false
        }
        _ => false,
    }
}

/// Refuse values that files cannot hold: numbers that are not finite, and names that are no words.
///
/// # Errors
/// Says what of the value, or of one inside it, cannot be written.
pub(super) fn check_value(value: &Value) -> Result<(), Refusal> {
    match value {
        Value::Float(x) => check_number("a value", *x),
        Value::List(items) | Value::Tuple(items) => items.iter().try_for_each(check_value),
        Value::Struct(fields) => check_fields(fields),
        Value::Map(entries) => {
            entries.iter().try_for_each(|(key, value)| check_value(key).and_then(|()| check_value(value)))
        }
        Value::Tagged(tag, content) => check_word("a value", tag).and_then(|()| check_value(content)),
        Value::Symbol(word) => check_word("a value", word),
        Value::Bool(_) | Value::Int(_) | Value::Str(_) => Ok(()),
    }
}

/// Refuse named values that files cannot hold.
///
/// # Errors
/// As [`check_value`], for the names as well.
pub(super) fn check_fields(fields: &Fields) -> Result<(), Refusal> {
    fields.iter().try_for_each(|(name, value)| check_word("a field", name).and_then(|()| check_value(value)))
}

/// Refuse a name that stands in files without quotation marks and is no word.
///
/// # Errors
/// Names `what` the name is of.
pub(super) fn check_word(what: &str, name: &str) -> Result<(), Refusal> {
    let is_start = |c: char| c == '_' || c.is_alphabetic();
    let is_word = name.starts_with(is_start) && name.chars().all(|c| c == '_' || c.is_alphanumeric());
    if is_word { Ok(()) } else { Err(Refusal::new(format!("{what} is one word of letters and digits, not {name:?}"))) }
}

/// Refuse a number that is not finite.
///
/// # Errors
/// Names `what` the number is.
pub(super) fn check_number(what: &str, x: f64) -> Result<(), Refusal> {
    if x.is_finite() { Ok(()) } else { Err(Refusal::new(format!("{what} has to be a finite number, not {x}"))) }
}

/// Refuse a place that is not finite.
///
/// # Errors
/// Says so.
pub(super) fn check_place(at: [f64; 2]) -> Result<(), Refusal> {
    at.into_iter().try_for_each(|x| check_number("a place", x))
}
