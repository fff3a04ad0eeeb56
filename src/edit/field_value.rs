//! The edits that give an owner's field a value, or a part of it: only what differs is declared, and the least value
//! that can be.
//!
//! Invariant: structs and maps merge, so a part is declared alone; a list has to be declared whole.

use super::{
    Edit, Owner,
    definitions::ops,
    value::{drop_in, put_in, with_part},
};
use crate::model::{FieldPath, FieldType, Fields, Name, OpKind, Project, Seg, Value};

/// The edit by which the owner of a field declares `value` for the part at `inner`, by operation `op`.
///
/// `own` is what the operation has for the field already, `resolved` the field's resolved value. Structs and maps
/// merge, so as little as possible is declared; a list has to be set whole, so the resolved one is copied with the part
/// changed.
#[must_use]
pub fn declare_in_field(
    (owner, op): (Owner, OpKind),
    (component, field): (Name, Name),
    ty: &FieldType,
    (own, resolved): (Option<&Value>, &Value),
    inner: &FieldPath,
    value: Value,
) -> Edit {
    let (depth, value) = least(ty, own, Some(resolved), &inner.0, value);
    let inner = FieldPath(inner.0[..depth].to_vec());
    Edit::SetValue { owner, op, component, field, inner, value }
}

/// The edits that change an owner's field from the value `resolved` to `new`: only the parts that differ are declared.
/// None when nothing differs.
///
/// A factor, summand or appended element that the owner has for such a part would be applied on top of what is set, so
/// it is removed first; its operations on other parts stay.
#[must_use]
pub fn set_to(
    project: &Project,
    (owner, component, field): (Owner, Name, Name),
    ty: &FieldType,
    resolved: &Value,
    new: &Value,
) -> Vec<Edit> {
    let declared = ops(project, &owner).ok().map(|(ops, _)| ops);
    let own = |op| declared.and_then(|ops| ops.declared(op, &component, &field));
    let mut set = own(OpKind::Set).cloned();
    let mut edits = Vec::new();
    for (inner, value) in differences(resolved, new) {
        let is_at = |op: &OpKind| own(*op).is_some_and(|operand| operand.at(&inner).is_some());
        if [OpKind::Scale, OpKind::Add, OpKind::Append].iter().any(is_at) {
            set = set.and_then(|mut set| (!drop_in(&mut set, &inner.0)).then_some(set));
            let (owner, component, field) = (owner.clone(), component.clone(), field.clone());
            edits.push(Edit::ClearValue { owner, op: None, component, field, inner: inner.clone() });
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

/// How many steps of `path` exist in `own`, and the value to put there.
fn least(ty: &FieldType, own: Option<&Value>, resolved: Option<&Value>, path: &[Seg], value: Value) -> (usize, Value) {
    let Some((seg, rest)) = path.split_first() else { return (0, value) };
    let part = |of: Option<&Value>| of.and_then(|of| of.at(&FieldPath(vec![seg.clone()]))).cloned();
    let part_ty = match (ty, seg) {
        (FieldType::Struct(fields), Seg::Key(key)) => fields.get(key).map(|spec| spec.ty.clone()),
        (FieldType::List(item) | FieldType::Map(item), _) => Some((**item).clone()),
        (FieldType::Option(item), _) => return least(item, own, resolved, path, value),
        _ => None,
    }
    .unwrap_or(FieldType::Any);
    let is_merging = match (ty, seg) {
        (FieldType::Struct(_) | FieldType::Map(_), Seg::Key(_)) => true,
        (FieldType::Any, Seg::Key(_)) => matches!(resolved, Some(Value::Struct(_) | Value::Map(_)) | None),
        _ => false,
    };
    let declared_part = part(own);
    if own.is_some() && (declared_part.is_some() || rest.is_empty()) {
        let (depth, value) = least(&part_ty, declared_part.as_ref(), part(resolved).as_ref(), rest, value);
        return (depth + 1, value);
    }
    let mut whole = match (own, is_merging, ty, resolved) {
        (Some(own), ..) => own.clone(),
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
