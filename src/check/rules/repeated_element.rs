//! `append` repeats an element of the list: a machine that would run twice, a repeated tag.

use std::borrow::Cow;

use crate::{
    check::{
        Fix, Problem, Rule,
        input::{Declarer, Input},
    },
    edit::{Edit, Owner},
    model::{FieldPath, FieldType, Finding, Location, Name, OpKind, Severity, Value},
};

pub(super) const RULE: Rule =
    Rule { name: "repeated-element", doc: "An element is appended to a list that already has it.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (component, spec) in &input.schema().components {
        let lists = spec.fields.iter().filter_map(|(field, spec)| Some((field, severity(&spec.ty)?)));
        let lists: Vec<(&Name, Severity)> = lists.collect();
        if lists.is_empty() {
            continue;
        }
        for (declarer, declared) in input.declared(component).filter(|(_, declared)| declared.op == OpKind::Append) {
            for (field, value) in declared.fields {
                let severity = lists.iter().find(|(list, _)| *list == field).map(|(_, severity)| *severity);
                let (Some(severity), Value::List(declared)) = (severity, value) else { continue };
                let Some(whole) = amounts_to(input, declarer, component, field) else { continue };
                // Appended elements are last; the others are inherited or appended earlier.
                let Some(first) = whole.len().checked_sub(declared.len()) else { continue };
                for (i, element) in declared.iter().enumerate() {
                    let before = whole.get(..first + i).unwrap_or_default();
                    if whole.get(first + i) == Some(element) && before.contains(element) {
                        let path = declarer.at(OpKind::Append, component).key(field).index(i);
                        let at = Location::new(declarer.owner.doc().clone(), path);
                        let message = format!("`{component}.{field}` has {element} already");
                        let fix = without(declarer, (component, field), declared, i, element);
                        out.push(
                            Problem::new(Finding { severity, ..Finding::warning(RULE.name, at, message) }).with([fix]),
                        );
                    }
                }
            }
        }
    }
}

/// Severity of a duplicate element: a duplicate name is a mistake, a duplicate text may be intended (two ropes),
/// duplicate numbers are no problem.
fn severity(ty: &FieldType) -> Option<Severity> {
    match ty {
        FieldType::Flags(_) => Some(Severity::Warning),
        FieldType::List(item) if item.is_reference() || matches!(**item, FieldType::Enum(_)) => Some(Severity::Warning),
        FieldType::List(item) if item.is_text() => Some(Severity::Hint),
        _ => None,
    }
}

fn amounts_to<'i>(
    input: &Input<'i>,
    declarer: &Declarer<'i>,
    component: &Name,
    field: &Name,
) -> Option<Cow<'i, [Value]>> {
    match &declarer.owner {
        Owner::Def { .. } => declarer.resolved?.get(component, field)?.as_list().map(Cow::Borrowed),
        Owner::Instance { doc, layer, id } => {
            let level = input.project.level(doc)?;
            let (at, layer) = level.layer(layer)?;
            let (resolved, _) = input.resolution.instance(doc, &level.layer_at(at), id, layer.entities()?.get(id)?);
            resolved.get(component, field)?.as_list().map(|list| Cow::Owned(list.to_vec()))
        }
    }
}

fn without(
    declarer: &Declarer<'_>,
    (component, field): (&Name, &Name),
    declared: &[Value],
    at: usize,
    element: &Value,
) -> Fix {
    let mut rest = declared.to_vec();
    rest.remove(at);
    let others = [OpKind::Set, OpKind::Scale, OpKind::Add];
    let is_all = rest.is_empty() && others.iter().all(|op| declarer.ops.declared(*op, component, field).is_none());
    let (owner, component, field) = (declarer.owner.clone(), component.clone(), field.clone());
    let inner = FieldPath::root();
    let edit = if is_all {
        Edit::ClearValue { owner, op: None, component, field, inner }
    } else {
        Edit::SetValue { owner, op: OpKind::Append, component, field, inner, value: Value::List(rest) }
    };
    Fix::new(format!("Do not append {element} again"), edit)
}
