//! Parts of many fields changed at once, in definitions and placed entities: each is given a value, or gets its own
//! result of an operation.
//!
//! Owners in a selection often inherit from each other, so ancestors are changed first and what follows from them is
//! resolved before their heirs are looked at: an heir that gets its new value by inheritance declares nothing of its
//! own.
//!
//! Invariant: the edits for targets, made to the project they were planned for, bring every part to the value wanted.

use std::{borrow::Cow, collections::BTreeMap};

use super::{
    overrides::{FieldOf, edits_for_operand, is_by, ops_of},
    typed::{HowToSet, outcome_of, tidied, tidy},
};
use crate::{
    defs::{Resolution, Resolved, ResolvedField, operated, resolve},
    edit::{Edit, Owner, apply, declare_in_field, set_to, with_part},
    explain::Column,
    model::{Builtin, FieldPath, FieldType, OpKind, Ops, Project, Schema, Typed, Value},
};

/// A part of a field, or all of it, in an owner.
#[derive(Clone, Debug, PartialEq)]
pub struct PartAt {
    /// Whose field.
    pub owner: Owner,
    /// Which field, and which part of it.
    pub column: Column,
}

/// A part and the value it shall have.
pub(super) struct Target {
    pub at: PartAt,
    pub wanted: Value,
    pub how: HowToSet,
}

/// An owner as it is resolved.
pub(super) fn resolved_of<'r>(
    project: &Project,
    resolution: &'r Resolution,
    owner: &Owner,
) -> Option<Cow<'r, Resolved>> {
    match owner {
        Owner::Def { doc, name } => {
            resolution.defs.get(name).filter(|resolved| resolved.doc == *doc).map(|resolved| Cow::Borrowed(&**resolved))
        }
        Owner::Instance { doc, layer, id } => {
            let level = project.level(doc)?;
            let (at, layer) = level.layer(layer)?;
            let instance = layer.entities()?.get(id)?;
            Some(Cow::Owned(resolution.instance(doc, &level.layer_at(at), id, instance).0))
        }
    }
}

fn field_in<'a>(resolved: &'a Resolved, column: &Column) -> Option<&'a ResolvedField> {
    resolved.components.get(&column.component)?.fields.get(&column.field).map(|field| &**field)
}

/// What was typed, for one of those that are selected.
#[derive(Clone, Debug, PartialEq)]
pub struct PartChange {
    /// Whose part.
    pub at: PartAt,
    /// Its value.
    pub before: Value,
    /// The value it gets, and whether that is exact rather than rounded to a whole number; or why it gets none.
    pub after: Result<(Value, bool), String>,
    pub(super) how: HowToSet,
}

/// What a typed text makes of a part of each of several owners, in their order; with `component`, of that component of
/// a pair. Owners without the part are left out.
#[must_use]
pub fn part_changes<'a>(
    schema: &Schema,
    subjects: impl IntoIterator<Item = (&'a Owner, &'a Resolved)>,
    column: &Column,
    component: Option<usize>,
    typed: &Typed,
) -> Vec<PartChange> {
    let ty = column.spec(schema).ty.clone();
    let change = |(owner, resolved): (&'a Owner, &'a Resolved)| {
        let before = field_in(resolved, column)?.value.at(&column.inner)?.clone();
        let (after, how) = outcome_of(&ty, &before, component, typed);
        let at = PartAt { owner: owner.clone(), column: column.clone() };
        Some(PartChange { at, before, after, how })
    };
    subjects.into_iter().filter_map(change).collect()
}

/// The edits that give each part its new value; those that get none are left out.
#[must_use]
pub fn part_change_edits(
    project: &Project,
    builtin: &Builtin,
    resolution: &Resolution,
    part_changes: Vec<PartChange>,
) -> Vec<Edit> {
    let target = |it: PartChange| Some(Target { at: it.at, wanted: it.after.ok()?.0, how: it.how });
    edits_for(project, builtin, resolution, part_changes.into_iter().filter_map(target).collect()).0
}

/// The part of a field that the editor called `name` edits, and which component of a pair; `full` is what the field is
/// called and `value` what it is. As in `Kit.packs.bag.sizes[2]`, `Body.velocity x`.
#[must_use]
pub fn part_named(full: &str, value: &Value, name: &str) -> Option<(FieldPath, Option<usize>)> {
    let mut rest = name.strip_prefix(full)?;
    let mut path = FieldPath::root();
    let mut now = value;
    loop {
        let component = match rest {
            "" => return Some((path, None)),
            " x" => Some(0),
            " y" => Some(1),
            _ => None,
        };
        if component.is_some() {
            return Some((path, component));
        }
        if let Some((index, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            let index = index.parse().ok()?;
            now = now.as_list()?.get(index)?;
            (path, rest) = (path.index(index), after);
            continue;
        }
        let inside = rest.strip_prefix('.')?;
        // Keys of maps may hold anything; the longest that fits is meant.
        let keys: Vec<&str> = match now {
            Value::Struct(fields) => fields.keys().map(|key| &**key).collect(),
            Value::Map(entries) => entries.iter().filter_map(|(key, _)| key.as_str()).collect(),
            _ => return None,
        };
        let fits = |key: &&&str| {
            let after = inside.strip_prefix(**key);
            after.is_some_and(|after| after.is_empty() || after.starts_with(['.', '[', ' ']))
        };
        let key = *keys.iter().filter(fits).max_by_key(|key| key.len())?;
        now = now.field(key)?;
        (path, rest) = (path.key(key), &inside[key.len()..]);
    }
}

/// The edits that bring parts to their values, and how many that declared no value and were to declare an
/// operation declare its result instead.
pub(super) fn edits_for(
    project: &Project,
    builtin: &Builtin,
    resolution: &Resolution,
    targets: Vec<Target>,
) -> (Vec<Edit>, usize) {
    // An ancestor's order is part of its heir's, so it is shorter: by rising length, ancestors come first.
    let rank = |owner: &Owner| match owner {
        Owner::Def { name, .. } => resolution.defs.get(name).map_or(0, |resolved| resolved.order.len()),
        Owner::Instance { .. } => usize::MAX,
    };
    let mut ranks: BTreeMap<usize, Vec<Target>> = BTreeMap::new();
    for target in targets {
        ranks.entry(rank(&target.at.owner)).or_default().push(target);
    }
    let mut tried = project.clone();
    let (mut edits, mut n_as_values) = (Vec::new(), 0);
    let mut now = Cow::Borrowed(resolution);
    let mut is_behind = true;
    for mut targets in ranks.into_values() {
        if std::mem::take(&mut is_behind) {
            now = Cow::Owned(resolve(&tried, builtin, Some(&now)));
        }
        // Members of one field come one after another, each set in what those before it left.
        let key = |it: &Target| (it.at.owner.doc().clone(), it.at.owner.name().clone(), it.at.column.clone());
        targets.sort_by_cached_key(key);
        let mut last: Option<(PartAt, Value)> = None;
        for Target { at, wanted, how } in targets {
            let Some(resolved) = resolved_of(&tried, &now, &at.owner) else { continue };
            let Some(field) = field_in(&resolved, &at.column) else { continue };
            let inner = &at.column.inner;
            let whole_at =
                PartAt { column: Column { inner: FieldPath::root(), ..at.column.clone() }, owner: at.owner.clone() };
            let whole = match &last {
                Some((of, value)) if *of == whole_at => value.clone(),
                _ => field.value.clone(),
            };
            let Some(current) = whole.at(inner) else { continue };
            let is_there = match how {
                HowToSet::Operate(..) | HowToSet::Keep(..) => tidied(current.clone()) == wanted,
                HowToSet::Declare => *current == wanted,
            };
            if is_there {
                continue;
            }
            let new = with_part(&whole, inner, wanted.clone());
            let ty = whole_at.column.spec(&now.schema).ty.clone();
            let of = FieldOf { owner: &at.owner, component: &at.column.component, field: &at.column.field, ty: &ty };
            let part_spec = at.column.spec(&now.schema);
            let part = (field, &part_spec.ty);
            let made = match &how {
                HowToSet::Declare => None,
                HowToSet::Keep(op, operand) => operate(&tried, of, part, inner, (*op, operand), (&wanted, false)),
                HowToSet::Operate(op, operand) => operate(&tried, of, part, inner, (*op, operand), (&wanted, true)),
            };
            let made = made.unwrap_or_else(|| {
                let set = ops_of(&tried, &at.owner).and_then(|ops| ops.declared(OpKind::Set, of.component, of.field));
                let has_value = set.is_some_and(|value| value.at(inner).is_some());
                n_as_values += usize::from(matches!(how, HowToSet::Operate(..)) && !has_value);
                let place = (at.owner.clone(), at.column.component.clone(), at.column.field.clone());
                set_to(&tried, place, &ty, &whole, &new)
            });
            for edit in made {
                if apply(&mut tried, &edit).is_ok() {
                    edits.push(edit);
                    is_behind = true;
                }
            }
            last = Some((whole_at, new));
        }
    }
    (edits, n_as_values)
}

/// The edits that change the operation an owner declares of the part, or, where it declares nothing and `may_declare`,
/// declare this one; `None` when that does not make it what is wanted. `ty` is the type of the part.
fn operate(
    project: &Project,
    of: FieldOf<'_>,
    (field, ty): (&ResolvedField, &FieldType),
    inner: &FieldPath,
    (op, operand): (OpKind, &Value),
    (wanted, may_declare): (&Value, bool),
) -> Option<Vec<Edit>> {
    let start = field.provenance.iter().position(|declared| is_by(of.owner, &declared.by));
    let base = match start {
        Some(start) => field.provenance.get(start.checked_sub(1)?)?.after.at(inner)?,
        None => field.value.at(inner)?,
    };
    let makes_it = |operand: &Value| operated(op, ty, base, operand).is_ok_and(|(after, _)| tidied(after) == *wanted);
    let ops = ops_of(project, of.owner)?;
    let declared = |op: OpKind| ops.declared(op, of.component, of.field)?.at(inner);
    let is_declared = |op: &OpKind| declared(*op).is_some();
    match (OpKind::VALUED.iter().filter(|op| is_declared(op)).count(), declared(op)) {
        (0, _) if !may_declare => None,
        (0, _) => {
            let edits = edits_for_operand(project, of, field, inner, (op, operand))?;
            makes_it(operand).then_some(edits)
        }
        (1, Some(old)) => {
            let new = tidied(operated(op, &FieldType::Any, old, operand).ok()?.0);
            makes_it(&new).then(|| vec![of.edit_of(op, inner.clone(), new)])
        }
        // Both would have to change together; a plain value is clearer than either alone.
        (2.., Some(_)) if op == OpKind::Scale => None,
        _ => change_summand(ops, of, (field, ty), inner, base, wanted).map(|edit| vec![edit]),
    }
}

/// The edit of an owner's own summand, which applies after its factor, that brings a part of its field to `wanted`;
/// `None` when the owner declares the part whole. `base` is the part before the owner's operations.
fn change_summand(
    ops: &Ops,
    of: FieldOf<'_>,
    (field, ty): (&ResolvedField, &FieldType),
    inner: &FieldPath,
    base: &Value,
    wanted: &Value,
) -> Option<Edit> {
    let declared = |op: OpKind| ops.declared(op, of.component, of.field).and_then(|operand| operand.at(inner));
    let own = || field.provenance.iter().filter(|declared| is_by(of.owner, &declared.by));
    if declared(OpKind::Set).or(declared(OpKind::Append)).is_some() || own().any(|declared| declared.takes_of(inner)) {
        return None;
    }
    let scaled =
        declared(OpKind::Scale).map_or(Some(base.clone()), |by| Some(operated(OpKind::Scale, ty, base, by).ok()?.0))?;
    let place = (of.component.clone(), of.field.clone());
    if tidied(scaled.clone()) == *wanted {
        let (owner, (component, field)) = (of.owner.clone(), place);
        return Some(Edit::ClearValue { owner, op: Some(OpKind::Add), component, field, inner: inner.clone() });
    }
    let old = declared(OpKind::Add);
    let summand = match (scaled.as_vec2(), wanted.as_vec2()) {
        (Some(from), Some(to)) => Value::vec2(to[0] - from[0], to[1] - from[1]),
        _ => {
            let summand = Value::Float(tidy(wanted.as_f64()? - scaled.as_f64()?));
            let is_whole = old.is_none_or(|old| matches!(old, Value::Int(_))) && matches!(wanted, Value::Int(_));
            summand.as_i64().filter(|_| is_whole).map_or(summand, Value::Int)
        }
    };
    let summand = tidied(summand);
    let (after, _) = operated(OpKind::Add, ty, &scaled, &summand).ok()?;
    let all = (ops.declared(OpKind::Add, of.component, of.field), &field.value);
    let edit = || declare_in_field((of.owner.clone(), OpKind::Add), place, of.ty, all, inner, summand);
    (tidied(after) == *wanted).then(edit)
}
