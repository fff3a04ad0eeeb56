//! Having a placed entity refer to another one by one of its fields, and no longer.

use crate::{
    edit::{Edit, Owner, Refusal},
    explain::EntityRefField,
    model::{FieldPath, Name, OpKind, Project, Value},
};

/// The edit by which the placed entity `owner` refers to the entity `to`: in place of what its field refers to, or
/// besides it where the field is a list.
///
/// # Errors
/// It would refer to itself, or does refer to it already.
pub fn refer_to(project: &Project, owner: &Owner, field: &EntityRefField, to: &Name) -> Result<Edit, Refusal> {
    if owner.name() == to {
        return Err(Refusal::new(format!("`{to}` cannot refer to itself")));
    }
    if field.targets.iter().any(|target| **target == **to) {
        return Err(Refusal::new(format!("{} refers to `{to}` already", field.full())));
    }
    let id = Value::str(&**to);
    let (op, value) = if field.is_list {
        let declared = declared(project, owner, field, OpKind::Append).and_then(Value::as_list).unwrap_or_default();
        (OpKind::Append, Value::List(declared.iter().cloned().chain([id]).collect()))
    } else if field.is_option {
        (OpKind::Set, Value::Tagged("Some".into(), Box::new(Value::Tuple(vec![id]))))
    } else {
        (OpKind::Set, id)
    };
    let (owner, component, name) = (owner.clone(), field.component.clone(), field.field.clone());
    Ok(Edit::SetValue { owner, op, component, field: name, inner: FieldPath::root(), value })
}

/// Whether a placed entity declares itself what a field refers to, and does not inherit it.
#[must_use]
pub fn is_own_ref(project: &Project, owner: &Owner, field: &EntityRefField) -> bool {
    OpKind::VALUED.iter().any(|op| declared(project, owner, field, *op).is_some())
}

fn declared<'a>(project: &'a Project, owner: &Owner, field: &EntityRefField, op: OpKind) -> Option<&'a Value> {
    let Owner::Instance { doc, id, .. } = owner else { return None };
    let (_, instance) = project.level(doc)?.entity(id)?;
    instance.ops.declared(op, &field.component, &field.field)
}
