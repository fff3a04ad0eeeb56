//! A value declared on another level of the inheritance graph: moved up to an ancestor, or copied down to those that
//! inherit it.
//!
//! Invariant: the owner that gives a value away keeps it. A plan is tried on a copy of the project and its result
//! is compared; there is no plan that would change its owner, and none that makes an error where there was none.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    FieldOf, Plan, edits_for_value,
    overrides::{is_of_field, operand_of_two, ops_of},
    proof::{first_change, new_error},
};
use crate::{
    defs::{RemovePath, Resolution, Resolved, resolve},
    edit::{Edit, Owner, apply_all},
    explain::impact_of_field,
    model::{FieldPath, FieldType, Name, OpKind, Ops, Project, Value},
};

/// A plan to move a value to an ancestor, and the definitions it affects.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// What to do.
    pub plan: Plan,
    /// The definitions whose value of the field changes by it; never the one it is moved from.
    pub changed: BTreeSet<Name>,
}

/// Move the operations of `owner` on a field to `to`, one of its ancestors.
///
/// # Errors
/// Why it is not possible: the owner declares nothing, a definition between the two does, or the value would change.
pub fn move_up(
    project: &Project,
    resolution: &Resolution,
    owner: &Owner,
    (component, field): (&Name, &Name),
    to: &Name,
) -> Result<Move, String> {
    let full = format!("{component}.{field}");
    let who = owner.name();
    let before = resolve(project, resolution.builtin(), Some(resolution));
    let own = ops_of(project, owner).ok_or_else(|| format!("there is no {who}"))?;
    if !declares(own, component, field) {
        return Err(format!("{who} does not declare {full} itself"));
    }
    let was = resolved(project, &before, owner).ok_or_else(|| format!("{who} cannot be resolved"))?;
    let is_self = matches!(owner, Owner::Def { name, .. } if name == to);
    let Some(at) = was.order.iter().position(|name| name == to && !is_self) else {
        return Err(format!("{to} is no ancestor of {who}"));
    };
    let target = before.def_docs.get(to).map(|doc| Owner::Def { doc: doc.clone(), name: to.clone() });
    let target = target.ok_or_else(|| format!("there is no {to}"))?;
    let there = ops_of(project, &target).ok_or_else(|| format!("there is no {to}"))?;
    let any = FieldType::Any;
    let ty = before.schema.field(component, field).map_or(&any, |spec| &spec.ty);
    let from = FieldOf { owner, component, field, ty };
    let into = FieldOf { owner: &target, component, field, ty };
    let mut variants = vec![moved_operations(&before, (from, own), (into, there))];
    if let (Some(wanted), Some(found)) = (was.get(component, field), field_of(&before, to, component, field)) {
        let edits = edits_for_value(project, into, found, wanted);
        variants.push(std::iter::once(from.clear()).chain(edits).collect());
    }
    let mut why = None;
    for edits in variants {
        let mut after = project.clone();
        if let Err(refusal) = apply_all(&mut after, &edits) {
            why.get_or_insert(refusal.to_string());
            continue;
        }
        let now = resolve(&after, resolution.builtin(), Some(&before));
        // But for the dust of arithmetic.
        let change = resolved(&after, &now, owner).map(|now| first_change(&was, &now, is_near));
        let reason = match change {
            None => Some(format!("{who} could not be resolved any more")),
            Some(Some(what)) => Some(format!("{who} would change: {what}")),
            Some(None) => new_error(&before, &now).map(|it| format!("the result would have a problem: {}", it.message)),
        };
        why = why.or(reason.clone());
        if reason.is_none() {
            let mut changed: BTreeSet<Name> = before.descendants(to).into_iter().chain([to.clone()]).collect();
            changed.retain(|name| {
                field_value(&before, name, component, field) != field_value(&now, name, component, field)
            });
            if let Owner::Def { name, .. } = owner {
                changed.remove(name);
            }
            return Ok(Move { plan: Plan { label: format!("Move {full} of {who} up to {to}"), edits }, changed });
        }
    }
    let nearer =
        was.order.iter().skip(at + 1).rev().filter(|name| !(matches!(owner, Owner::Def { .. }) && *name == who));
    let declares_too = |name: &&Name| {
        let doc = before.def_docs.get(*name)?;
        let def = project.def(doc, name)?;
        declares(&def.ops, component, field).then_some(())
    };
    let between = nearer.clone().find(|name| declares_too(name).is_some());
    Err(match between {
        Some(name) => format!("{name} is nearer than {to} and declares {full} too"),
        None => why.unwrap_or_else(|| format!("{full} of {who} would change")),
    })
}

/// The ancestors of an owner, nearest first: where its values can be moved up to.
#[must_use]
pub fn ancestors(resolution: &Resolution, owner: &Owner, def: Option<&Name>) -> Vec<Name> {
    let name = match owner {
        Owner::Def { name, .. } => Some(name),
        Owner::Instance { .. } => def,
    };
    let Some(found) = name.and_then(|name| resolution.defs.get(name)) else { return Vec::new() };
    let skip = usize::from(matches!(owner, Owner::Def { .. }));
    found.order.iter().rev().skip(skip).cloned().collect()
}

/// A plan to declare a field's value in definitions that inherit it.
#[derive(Clone, Debug, PartialEq)]
pub struct CopyDown {
    /// What to do.
    pub plan: Plan,
    /// The definitions that declare values by it.
    pub declared: Vec<Name>,
    /// The definitions that only remove what a copy would give them.
    pub removed: Vec<Name>,
}

/// Let definitions declare a field's value themselves, as they have it now, so that a change further up no longer
/// reaches them. Those that declare it already are left alone; `None` when all do.
///
/// A copy applies after other parents of a descendant and could override their values there. Descendants whose
/// component would change declare its values too, or remove what a copy gives them.
///
/// # Errors
/// Says which value of which definition would change nevertheless.
pub fn copy_down(
    project: &Project,
    resolution: &Resolution,
    name: &Name,
    (component, field): (&Name, &Name),
    to: &[Name],
) -> Result<Option<CopyDown>, String> {
    let mut after = project.clone();
    let (mut edits, mut declared, mut removed) = (Vec::new(), Vec::<Name>::new(), Vec::<Name>::new());
    let mut carry_out = |after: &mut Project, child: &Name, made: Vec<Edit>| {
        let is_removal = made.iter().all(|edit| matches!(edit, Edit::AddRemove { .. }));
        let list = if is_removal { &mut removed } else { &mut declared };
        if !made.is_empty() && !list.contains(child) {
            list.push(child.clone());
        }
        apply_all(after, &made).map_err(|refusal| refusal.to_string())?;
        edits.extend(made);
        Ok::<(), String>(())
    };
    for child in to.iter().filter(|child| *child != name) {
        let value = field_value(resolution, child, component, field);
        let made = value.and_then(|value| declaring(&after, resolution, child, (component, field), value));
        carry_out(&mut after, child, made.unwrap_or_default())?;
    }
    let mut now = resolve(&after, resolution.builtin(), Some(resolution));
    let reached: BTreeSet<Name> =
        to.iter().flat_map(|child| resolution.descendants(child).into_iter().chain([child.clone()])).collect();
    for round in (0..=2 * reached.len()).rev() {
        let changes = reached.iter().filter_map(|it| Some((it, change_of(resolution, &now, it)?)));
        let changed: BTreeMap<&Name, String> = changes.collect();
        let Some((first, what)) = changed.first_key_value() else { break };
        // What follows from an ancestor that changes is right again once the ancestor is.
        let follows = |it: &Name| changed.keys().any(|other| *other != it && resolution.is_a(it, other));
        let mut is_done = true;
        for child in changed.keys().filter(|it| !follows(it)) {
            let made = restoring(&after, (resolution, &now), child, component);
            is_done &= made.is_empty();
            carry_out(&mut after, child, made)?;
        }
        if is_done || round == 0 {
            return Err(format!("{first} would change: {what}"));
        }
        now = resolve(&after, resolution.builtin(), Some(&now));
    }
    removed.retain(|it| !declared.contains(it));
    let receivers = match declared.as_slice() {
        [] => return Ok(None),
        [one] => one.to_string(),
        several => format!("{} definitions", several.len()),
    };
    let plan = Plan { label: format!("Copy {component}.{field} of {name} down to {receivers}"), edits };
    Ok(Some(CopyDown { plan, declared, removed }))
}

/// What differs in a definition from what it was.
fn change_of(before: &Resolution, now: &Resolution, name: &Name) -> Option<String> {
    let (was, is) = (before.defs.get(name)?, now.defs.get(name));
    let Some(is) = is else { return Some("it could not be resolved any more".to_owned()) };
    if Arc::ptr_eq(was, is) { None } else { first_change(was, is, is_near) }
}

/// The edits that declare a value of a definition's field; `None` when it declares that already.
fn declaring(
    project: &Project,
    resolution: &Resolution,
    name: &Name,
    (component, field): (&Name, &Name),
    value: &Value,
) -> Option<Vec<Edit>> {
    let any = FieldType::Any;
    let ty = resolution.schema.field(component, field).map_or(&any, |spec| &spec.ty);
    let owner = Owner::Def { doc: resolution.def_docs.get(name)?.clone(), name: name.clone() };
    let of = FieldOf { owner: &owner, component, field, ty };
    let ops = ops_of(project, &owner)?;
    let is_operated = declares_operation(ops, component, field);
    if !is_operated && ops.declared(OpKind::Set, component, field) == Some(value) {
        return None;
    }
    Some(is_operated.then(|| of.clear()).into_iter().chain([of.set(value.clone())]).collect())
}

/// The edits that give a definition's component the values it had `before`; none when it declares them already.
fn restoring(project: &Project, (before, now): (&Resolution, &Resolution), name: &Name, component: &Name) -> Vec<Edit> {
    let Some(doc) = before.def_docs.get(name).cloned() else { return Vec::new() };
    let owner = Owner::Def { doc, name: name.clone() };
    let Some(ops) = ops_of(project, &owner) else { return Vec::new() };
    let component_in = |resolution: &Resolution| resolution.defs.get(name)?.components.get(component).cloned();
    let remove = |entry: String| {
        (!ops.remove.contains(&entry)).then(|| Edit::AddRemove { owner: owner.clone(), entry }).into_iter()
    };
    let (was, is) = match (component_in(before), component_in(now)) {
        (Some(was), Some(is)) => (was, is),
        (None, Some(_)) => return remove(component.to_string()).collect(),
        // Its fields are compared once it is there again.
        (Some(_), None) if !ops.names(component) => {
            return vec![Edit::AddComponent { owner, component: component.clone() }];
        }
        _ => return Vec::new(),
    };
    let mut edits = Vec::new();
    for (field, it) in &was.fields {
        let found = is.fields.get(field);
        if found.is_some_and(|found| is_near(&found.value, &it.value)) {
            continue;
        }
        match found {
            // What is set of a map or struct is merged into the inherited one.
            Some(found) if matches!(it.value, Value::Map(_) | Value::Struct(_)) => {
                let ty = before.schema.field(component, field).map_or(&FieldType::Any, |spec| &spec.ty);
                let of = FieldOf { owner: &owner, component, field, ty };
                edits.extend(edits_for_value(project, of, found, &it.value));
            }
            _ => edits.extend(declaring(project, before, name, (component, field), &it.value).into_iter().flatten()),
        }
    }
    let added = is.fields.keys().filter(|field| !was.fields.contains_key(field));
    edits.extend(added.flat_map(|field| remove(format!("{component}.{field}"))));
    edits
}

/// The children (or all descendants) of a definition that a change of its field would reach.
#[must_use]
pub fn followers(
    project: &Project,
    resolution: &Resolution,
    name: &Name,
    (component, field): (&Name, &Name),
    only_children: bool,
) -> Vec<Name> {
    let reached = impact_of_field(project, resolution, name, component, field).defs;
    let all = if only_children { resolution.children_of(name).to_vec() } else { resolution.descendants(name) };
    all.into_iter().filter(|child| child != name && reached.contains(child)).collect()
}

/// The owner's words put over the target's, operation by operation.
fn moved_operations(
    resolution: &Resolution,
    (from, own): (FieldOf<'_>, &Ops),
    (into, there): (FieldOf<'_>, &Ops),
) -> Vec<Edit> {
    let (component, field) = (into.component, into.field);
    let operand_of = |ops: &'_ Ops, op| ops.declared(op, component, field).cloned();
    let mut edits = vec![from.clear()];
    let own_set = operand_of(own, OpKind::Set);
    let merges = own_set.as_ref().is_some_and(|set| matches!(set, Value::Struct(_) | Value::Map(_)));
    let is_reset = own.remove.iter().any(|entry| *entry == format!("{component}.{field}"));
    let starts_anew = is_reset || own_set.is_some() && !merges;
    if starts_anew && (declares_operation(there, component, field) || own_set.is_none()) {
        edits.push(into.clear());
    }
    for entry in own.remove.iter().filter(|entry| is_of_field(entry, component, field)) {
        let is_whole = RemovePath::parse(entry).is_ok_and(|path| path.steps.len() == 1);
        if is_whole && !is_declared_above(resolution, into) {
            continue;
        }
        edits.push(Edit::AddRemove { owner: into.owner.clone(), entry: entry.clone() });
    }
    if let Some(set) = own_set {
        if merges && there.declared(OpKind::Set, component, field).is_some() {
            let mut leaves = Vec::new();
            leaves_of(&set, &FieldPath::root(), &mut leaves);
            edits.extend(leaves.into_iter().map(|(inner, value)| into.edit_of(OpKind::Set, inner, value)));
        } else {
            edits.push(into.set(set));
        }
    }
    // A factor of the owner's applies to what the target adds, too.
    let base = |op| if starts_anew { None } else { operand_of(there, op) };
    let (factor, summand) = (operand_of(own, OpKind::Scale), operand_of(own, OpKind::Add));
    if let Some(factor) = &factor {
        edits.push(into.edit_of(
            OpKind::Scale,
            FieldPath::root(),
            combined(OpKind::Scale, base(OpKind::Scale), factor),
        ));
    }
    let scaled =
        base(OpKind::Add).map(|old| factor.as_ref().map_or(old.clone(), |k| combined(OpKind::Scale, Some(old), k)));
    match (scaled, &summand) {
        (old, Some(summand)) => {
            edits.push(into.edit_of(OpKind::Add, FieldPath::root(), combined(OpKind::Add, old, summand)));
        }
        (Some(old), None) if factor.is_some() => edits.push(into.edit_of(OpKind::Add, FieldPath::root(), old)),
        _ => {}
    }
    if let Some(Value::List(more)) = operand_of(own, OpKind::Append) {
        let old = base(OpKind::Append).and_then(|old| old.as_list().map(<[Value]>::to_vec)).unwrap_or_default();
        edits.push(into.edit_of(OpKind::Append, FieldPath::root(), Value::List(old.into_iter().chain(more).collect())));
    } else if let Some(more) = operand_of(own, OpKind::Append) {
        edits.push(into.edit_of(OpKind::Append, FieldPath::root(), more));
    }
    edits
}

/// Two operands as one: numbers and pairs of numbers by the operation, parts of structs each by itself; what only one
/// names stays.
fn combined(op: OpKind, old: Option<Value>, new: &Value) -> Value {
    let Some(old) = old else { return new.clone() };
    match (&old, new) {
        (Value::Struct(a), Value::Struct(b)) => {
            let mut out = a.clone();
            for (name, value) in b {
                out.insert(name.clone(), combined(op, a.get(name).cloned(), value));
            }
            Value::Struct(out)
        }
        _ => operand_of_two(op, &old, new).unwrap_or_else(|| new.clone()),
    }
}

/// The leaves of a declared value (parts without named parts), each with its path.
fn leaves_of(value: &Value, path: &FieldPath, out: &mut Vec<(FieldPath, Value)>) {
    match value {
        Value::Struct(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(name, part)| leaves_of(part, &path.key(name), out));
        }
        Value::Map(entries) if !entries.is_empty() && entries.iter().all(|(key, _)| key.as_str().is_some()) => {
            entries.iter().for_each(|(key, part)| leaves_of(part, &path.key(key.as_str().unwrap_or_default()), out));
        }
        _ => out.push((path.clone(), value.clone())),
    }
}

fn is_declared_above(resolution: &Resolution, of: FieldOf<'_>) -> bool {
    let found = field_of(resolution, of.owner.name(), of.component, of.field);
    found.is_some_and(|field| {
        let others = field.provenance.iter().filter(|it| !super::is_by(of.owner, &it.by));
        others.into_iter().any(|it| it.by != crate::defs::Source::Default)
    })
}

/// Whether there are operations on a field.
fn declares(ops: &Ops, component: &str, field: &str) -> bool {
    ops.declared(OpKind::Set, component, field).is_some() || declares_operation(ops, component, field)
}

/// Whether there are operations on a field other than `set`.
fn declares_operation(ops: &Ops, component: &str, field: &str) -> bool {
    [OpKind::Scale, OpKind::Add, OpKind::Append].iter().any(|op| ops.declared(*op, component, field).is_some())
        || ops.remove.iter().any(|entry| is_of_field(entry, component, field))
}

fn resolved(project: &Project, resolution: &Resolution, owner: &Owner) -> Option<Resolved> {
    match owner {
        Owner::Def { name, .. } => resolution.defs.get(name).map(|def| (**def).clone()),
        Owner::Instance { doc, layer, id } => {
            let level = project.level(doc)?;
            let (at, layer) = level.layer(layer)?;
            let instance = layer.entities()?.get(id)?;
            Some(resolution.instance(doc, &level.layer_at(at), id, instance).0)
        }
    }
}

fn field_of<'a>(
    resolution: &'a Resolution,
    name: &Name,
    component: &str,
    field: &str,
) -> Option<&'a crate::defs::ResolvedField> {
    resolution.defs.get(name)?.components.get(component)?.fields.get(field).map(|field| &**field)
}

fn field_value<'a>(resolution: &'a Resolution, name: &Name, component: &str, field: &str) -> Option<&'a Value> {
    field_of(resolution, name, component, field).map(|field| &field.value)
}

fn is_near(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Float(x), Value::Float(y)) => (x - y).abs() <= x.abs().max(y.abs()) * 1e-9,
        (Value::Struct(x), Value::Struct(y)) => {
            x.len() == y.len() && x.iter().all(|(name, value)| y.get(name).is_some_and(|other| is_near(value, other)))
        }
        (Value::Map(x), Value::Map(y)) => {
            let all = |(key, value): &(Value, Value)| {
                let other = y.iter().find(|(k, _)| k == key);
                other.is_some_and(|(_, other)| is_near(value, other))
            };
            x.len() == y.len() && x.iter().all(all)
        }
        _ => a == b,
    }
}
