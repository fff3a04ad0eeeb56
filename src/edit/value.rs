//! Parts of values: reading, replacing and dropping what is at the end of a path inside one, and making the value that has to
//! be said so that one part of an inherited value changes.
//!
//! What a path means is told by the value it leads through; only [`set_in_field`] asks the schema's type, where nothing
//! is said yet.

use super::{Edit, Owner, Refusal};
use crate::model::{FieldPath, FieldType, Fields, Name, OpKind, Project, Seg, Value, counted};

/// The edit by which the owner of a field says `value` of the part at `inner`, by operation `op`.
///
/// `declared` is what the operation has for the field already, `resolved` the field's resolved value. Structs and maps merge, so
/// as little as possible is said; a list has to be said whole, so the resolved one is copied with the part changed.
#[must_use]
pub fn declare_in_field(
    (owner, op): (Owner, OpKind),
    (component, field): (Name, Name),
    ty: &FieldType,
    (declared, resolved): (Option<&Value>, &Value),
    inner: &FieldPath,
    value: Value,
) -> Edit {
    let (depth, value) = least(ty, declared, Some(resolved), &inner.0, value);
    let inner = FieldPath(inner.0[..depth].to_vec());
    Edit::SetValue { owner, op, component, field, inner, value }
}

/// The edits that change an owner's field from the value `resolved` to `new`: only the parts that differ are declared.
/// None when nothing differs.
///
/// A factor, summand or appended element that the owner has for such a part would be applied on top of what is set, so it is
/// taken back first; what it says of other parts stays.
#[must_use]
pub fn set_to(
    project: &Project,
    (owner, component, field): (Owner, Name, Name),
    ty: &FieldType,
    resolved: &Value,
    new: &Value,
) -> Vec<Edit> {
    let ops = super::definitions::ops(project, &owner).ok().map(|(ops, _)| ops);
    let declared = |op| ops.and_then(|ops| ops.declared(op, &component, &field));
    let mut set = declared(OpKind::Set).cloned();
    let mut edits = Vec::new();
    for (inner, value) in differences(resolved, new) {
        let is_at = |op: &OpKind| declared(*op).is_some_and(|operand| operand.at(&inner).is_some());
        if [OpKind::Scale, OpKind::Add, OpKind::Append].iter().any(is_at) {
            set = set.and_then(|mut set| (!drop_in(&mut set, &inner.0)).then_some(set));
            let (owner, component, field) = (owner.clone(), component.clone(), field.clone());
            edits.push(Edit::ClearValue { owner, component, field, inner: inner.clone() });
        }
        let (depth, value) = least(ty, set.as_ref(), Some(resolved), &inner.0, value);
        let at = FieldPath(inner.0[..depth].to_vec());
        set = Some(set.map_or_else(|| value.clone(), |set| with_part(&set, &at, value.clone())));
        let (owner, component, field) = (owner.clone(), component.clone(), field.clone());
        edits.push(Edit::SetValue { owner, op: OpKind::Set, component, field, inner: at, value });
    }
    edits
}

/// The least parts in which two values differ, each with what `new` has there.
fn differences(old: &Value, new: &Value) -> Vec<(FieldPath, Value)> {
    if old == new {
        return Vec::new();
    }
    let parts = |value: &Value| -> Option<Vec<(Name, Value)>> {
        match value {
            Value::Struct(fields) => Some(fields.iter().map(|(k, v)| (k.clone(), v.clone())).collect()),
            Value::Map(entries) => entries.iter().map(|(k, v)| Some((k.as_str()?.into(), v.clone()))).collect(),
            _ => None,
        }
    };
    let whole = || vec![(FieldPath::root(), new.clone())];
    let (Some(was), Some(is)) = (parts(old), parts(new)) else { return whole() };
    let find = |of: &[(Name, Value)], key: &Name| of.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone());
    if was.iter().any(|(key, _)| find(&is, key).is_none()) {
        return whole();
    }
    let mut out = Vec::new();
    for (key, value) in &is {
        let inside = match find(&was, key) {
            Some(before) => differences(&before, value),
            None => vec![(FieldPath::root(), value.clone())],
        };
        let below = |rest: FieldPath| FieldPath(std::iter::once(Seg::Key(key.clone())).chain(rest.0).collect());
        out.extend(inside.into_iter().map(|(rest, value)| (below(rest), value)));
    }
    out
}

/// How many steps of `path` exist in `declared`, and the value to put there.
fn least(
    ty: &FieldType,
    declared: Option<&Value>,
    resolved: Option<&Value>,
    path: &[Seg],
    value: Value,
) -> (usize, Value) {
    let Some((seg, rest)) = path.split_first() else { return (0, value) };
    let part = |of: Option<&Value>| of.and_then(|of| of.at(&FieldPath(vec![seg.clone()]))).cloned();
    let part_ty = match (ty, seg) {
        (FieldType::Struct(fields), Seg::Key(key)) => fields.get(key).map(|spec| spec.ty.clone()),
        (FieldType::List(item) | FieldType::Map(item), _) => Some((**item).clone()),
        (FieldType::Option(item), _) => return least(item, declared, resolved, path, value),
        _ => None,
    }
    .unwrap_or(FieldType::Any);
    let is_merging = match (ty, seg) {
        (FieldType::Struct(_) | FieldType::Map(_), Seg::Key(_)) => true,
        (FieldType::Any, Seg::Key(_)) => matches!(resolved, Some(Value::Struct(_) | Value::Map(_)) | None),
        _ => false,
    };
    let declared_part = part(declared);
    if declared.is_some() && (declared_part.is_some() || rest.is_empty()) {
        let (depth, value) = least(&part_ty, declared_part.as_ref(), part(resolved).as_ref(), rest, value);
        return (depth + 1, value);
    }
    let mut whole = match (declared, is_merging, ty, resolved) {
        (Some(declared), ..) => declared.clone(),
        (None, true, FieldType::Map(_), _) | (None, true, _, Some(Value::Map(_))) => Value::Map(Vec::new()),
        (None, true, ..) => Value::Struct(Fields::new()),
        (None, false, ..) => resolved.cloned().unwrap_or_else(|| ty.default_value()),
    };
    let base = if is_merging { None } else { part(Some(&whole)) };
    let (depth, inner) = least(&part_ty, base.as_ref(), part(resolved).as_ref(), rest, value);
    let tail = FieldPath(rest[..depth].to_vec());
    let mut content = base.unwrap_or_else(|| part_ty.default_value());
    let placed = if depth == 0 { Ok(inner) } else { put_in(&mut content, &tail, inner).map(|()| content) };
    if let Ok(content) = placed {
        // A path that does not fit leaves the value as it is: `apply` has nothing to change then.
        let _fits = put_in(&mut whole, &FieldPath(vec![seg.clone()]), content);
    }
    (0, whole)
}

/// A value with the part at `path` replaced. Where a key leads into what has no parts, that gives way to a struct; an element
/// that is not there stays away.
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
        // A list says all its elements: without one of them it says another list, not nothing.
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
