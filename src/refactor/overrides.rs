//! Which operations an owner has to declare so that a field resolves to a wanted value: as few as possible, so that the
//! rest is still inherited. A list keeps following the inherited one through `append` and `remove`; a number can be
//! declared by each of three operations.
//!
//! Invariant: after the edits the field has the wanted value; property-tested. Edits are made for a project and the
//! resolution of that project.

use std::borrow::Cow;

use crate::{
    defs::{AppliedOp, Badge, RemovePath, RemoveStep, ResolvedField, Source, operated},
    edit::{Edit, Owner, apply_all, declare_in_field, has_by_itself, set_to, without_part},
    model::{FieldPath, FieldType, Name, OpKind, Ops, Project, Seg, Value},
};

/// A field of an owner.
#[derive(Clone, Copy, Debug)]
pub struct FieldOf<'a> {
    /// The owner.
    pub owner: &'a Owner,
    /// The component.
    pub component: &'a Name,
    /// The field.
    pub field: &'a Name,
    /// Its declared type; `Any` when no schema declares it.
    pub ty: &'a FieldType,
}

impl FieldOf<'_> {
    pub(super) fn set(&self, value: Value) -> Edit {
        self.edit_of(OpKind::Set, FieldPath::root(), value)
    }

    /// The edit that declares an operation on a part of it.
    #[must_use]
    pub fn edit_of(&self, op: OpKind, inner: FieldPath, value: Value) -> Edit {
        let (component, field) = (self.component.clone(), self.field.clone());
        Edit::SetValue { owner: self.owner.clone(), op, component, field, inner, value }
    }

    pub(super) fn clear(&self) -> Edit {
        Edit::clear(self.owner.clone(), self.component, self.field)
    }

    fn whole(&self, project: &Project) -> Part<'_> {
        let is_new = has_by_itself(project, self.owner, self.component);
        Part {
            of: *self,
            path: FieldPath::root(),
            steps: vec![RemoveStep::Field(self.field.clone())],
            ty: self.ty,
            is_new,
        }
    }
}

/// A part of a field: the path to it in values, and as `remove` writes it.
struct Part<'a> {
    of: FieldOf<'a>,
    path: FieldPath,
    steps: Vec<RemoveStep>,
    ty: &'a FieldType,
    /// The component is the owner's own: `remove` finds nothing in it yet.
    is_new: bool,
}

impl<'a> Part<'a> {
    /// The part of this one under a key of `value`.
    fn key(&self, value: &Value, key: &str) -> Self {
        let (step, ty) = match (value, self.ty) {
            (Value::Map(_), FieldType::Map(item)) => (RemoveStep::Item(Value::str(key)), &**item),
            (Value::Map(_), _) => (RemoveStep::Item(Value::str(key)), &FieldType::Any),
            (_, FieldType::Struct(specs)) => {
                (RemoveStep::Field(key.into()), specs.get(key).map_or(&FieldType::Any, |spec| &spec.ty))
            }
            _ => (RemoveStep::Field(key.into()), &FieldType::Any),
        };
        let steps = self.steps.iter().cloned().chain([step]).collect();
        Self { of: self.of, path: self.path.key(key), steps, ty, is_new: self.is_new }
    }

    /// The operand that the owner declares for it.
    fn declared(&self, ops: &'a Ops, op: OpKind) -> Option<&'a Value> {
        ops.declared(op, self.of.component, self.of.field)?.at(&self.path)
    }

    /// Its value before the owner's operations.
    fn inherited(&self, field: &'a ResolvedField) -> Option<&'a Value> {
        inherited(field, self.of.owner)?.at(&self.path)
    }

    /// Whether the owner removes it, or something that contains it.
    fn is_removed(&self, ops: &Ops) -> bool {
        ops.remove.iter().filter_map(|entry| RemovePath::parse(entry).ok()).any(|path| {
            path.component == *self.of.component && !path.steps.is_empty() && self.steps.starts_with(&path.steps)
        })
    }

    /// Whether an entry of `remove` removes an element of it.
    fn is_in(&self, entry: &str) -> bool {
        RemovePath::parse(entry).is_ok_and(|path| {
            let is_below = path.steps.len() == self.steps.len() + 1 && path.steps.starts_with(&self.steps);
            path.component == *self.of.component && is_below
        })
    }

    /// The entry of `remove` that removes an element; `None` for one that cannot be named there.
    fn removal(&self, element: &Value) -> Option<String> {
        let steps = self.steps.iter().cloned().chain([RemoveStep::Item(element.clone())]).collect();
        let path = RemovePath { component: self.of.component.clone(), steps };
        let entry = path.to_string();
        (RemovePath::parse(&entry).as_ref() == Ok(&path)).then_some(entry)
    }

    /// Drop one operation on it.
    fn undeclare(&self, op: OpKind) -> Edit {
        let (component, field) = (self.of.component.clone(), self.of.field.clone());
        Edit::ClearValue { owner: self.of.owner.clone(), op: Some(op), component, field, inner: self.path.clone() }
    }

    /// Drop it from every operation that has a value for it; entries of `remove` stay.
    fn undeclare_all(&self, ops: &'a Ops) -> impl Iterator<Item = Edit> {
        OpKind::VALUED.into_iter().filter(|op| self.declared(ops, *op).is_some()).map(|op| self.undeclare(op))
    }

    /// Whether it is an entry of a map that only the owner's own `append` makes: `scale` and `add`, which are applied
    /// before, do not find it.
    fn is_appended(&self, ops: &Ops, field: &ResolvedField) -> bool {
        let is_there_before = self.inherited(field).is_some() && !self.is_removed(ops);
        self.declared(ops, OpKind::Append).is_some() && self.declared(ops, OpKind::Set).is_none() && !is_there_before
    }

    fn add_remove(&self, entry: String) -> Edit {
        Edit::AddRemove { owner: self.of.owner.clone(), entry }
    }

    fn drop_remove(&self, entry: String) -> Edit {
        Edit::DropRemove { owner: self.of.owner.clone(), entry }
    }
}

/// An owner's operations; `None` when it is not there.
#[must_use]
pub fn ops_of<'a>(project: &'a Project, owner: &Owner) -> Option<&'a Ops> {
    match owner {
        Owner::Def { doc, name } => project.def(doc, name).map(|def| &def.ops),
        Owner::Instance { doc, layer, id } => {
            let (_, layer) = project.level(doc)?.layer(layer)?;
            layer.entities()?.get(id).map(|instance| &instance.ops)
        }
    }
}

/// Whether an owner is a source.
#[must_use]
pub fn is_by(owner: &Owner, by: &Source) -> bool {
    match (owner, by) {
        (Owner::Def { name, .. }, Source::Def(by)) => name == by,
        (Owner::Instance { id, .. }, Source::Instance(by)) => id == by,
        _ => false,
    }
}

/// The value of a field before the owner's operations; `None` when it has none.
#[must_use]
pub fn inherited<'a>(field: &'a ResolvedField, owner: &Owner) -> Option<&'a Value> {
    let before = field.provenance.iter().rev().find(|declared| !is_by(owner, &declared.by));
    before.map(|declared| &declared.after)
}

/// Whether the owner removes an inherited field, so that it is back at the schema's default.
#[must_use]
pub fn is_taken_away(project: &Project, of: FieldOf<'_>, field: &ResolvedField) -> bool {
    let is_last =
        field.provenance.last().is_some_and(|declared| declared.op == OpKind::Remove && is_by(of.owner, &declared.by));
    let is_whole = |entry: &String| {
        let path = RemovePath::parse(entry);
        path.is_ok_and(|path| path.steps.len() == 1 && is_of_field(entry, of.component, of.field))
    };
    is_last && ops_of(project, of.owner).is_some_and(|ops| ops.remove.iter().any(is_whole))
}

/// The last operation on a part of a field, at `path` inside its value, or on something that contains it. `None` when
/// there is none but the schema's default.
fn applied_to_part<'a>(field: &'a ResolvedField, path: &FieldPath) -> Option<&'a AppliedOp> {
    let names_it = |declared: &AppliedOp| match declared.op {
        OpKind::Remove => !path.0.is_empty() && declared.takes_of(path),
        _ => has_part(&declared.operand, &path.0),
    };
    let last = field.provenance.iter().rev().find(|declared| names_it(declared));
    last.map(|declared| &**declared).filter(|declared| declared.by != Source::Default)
}

/// Whether an operand has a value at, inside or around `path`.
fn has_part(operand: &Value, path: &[Seg]) -> bool {
    let Some((seg, rest)) = path.split_first() else { return true };
    match operand {
        Value::Struct(_) | Value::Map(_) => {
            operand.at(&FieldPath(vec![seg.clone()])).is_some_and(|part| has_part(part, rest))
        }
        Value::Tuple(items) => !items.is_empty(),
        _ => true,
    }
}

/// The badge of a part of a field, seen from its owner.
#[must_use]
pub fn part_badge(field: &ResolvedField, path: &FieldPath, owner: &Owner) -> Badge {
    match applied_to_part(field, path).map(|declared| &declared.by) {
        None | Some(Source::Default) => Badge::Default,
        Some(by @ Source::Def(_)) if is_by(owner, by) => Badge::Own,
        Some(Source::Def(_)) => Badge::Inherited,
        Some(Source::Instance(_)) => Badge::Instance,
    }
}

/// The edits that give a field the value `wanted`: lists and maps by what differs from the inherited ones, of
/// everything else the parts that differ. None when it does already.
#[must_use]
pub fn edits_for_value(project: &Project, of: FieldOf<'_>, field: &ResolvedField, wanted: &Value) -> Vec<Edit> {
    let Some(ops) = ops_of(project, of.owner) else { return Vec::new() };
    let (mut edits, mut base) = (Vec::new(), field.value.clone());
    let left = by_difference(ops, &of.whole(project), field, (&field.value, wanted), (&mut edits, &mut base));
    let mut declared = Cow::Borrowed(project);
    if !edits.is_empty() {
        // A refusal here is repeated, with its message, when the edits are made.
        let _refused = apply_all(declared.to_mut(), &edits);
    }
    let at = (of.owner.clone(), of.component.clone(), of.field.clone());
    edits.extend(set_to(&declared, at, of.ty, &base, &left));
    edits
}

/// The edits so far, and the value that the field has after them.
type Changes<'a> = (&'a mut Vec<Edit>, &'a mut Value);

/// Add an edit of a field to those so far. Lists inside one field are each appended to as if nothing were appended yet,
/// so that what they append is put together.
fn push(edits: &mut Vec<Edit>, edit: Edit) {
    let appended = |edit: &Edit| match edit {
        Edit::SetValue { op: OpKind::Append, inner, value, .. } if inner.0.is_empty() => Some(value.clone()),
        _ => None,
    };
    let earlier = edits.iter_mut().find(|earlier| appended(earlier).is_some());
    match (earlier, appended(&edit)) {
        (Some(Edit::SetValue { value: earlier, .. }), Some(value)) => merge(earlier, value),
        _ => edits.push(edit),
    }
}

/// Put the parts of a value into another.
fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Map(into), Value::Map(from)) => {
            for (key, value) in from {
                match into.iter_mut().find(|(known, _)| *known == key) {
                    Some((_, known)) => merge(known, value),
                    None => into.push((key, value)),
                }
            }
        }
        (Value::Struct(into), Value::Struct(from)) => {
            for (name, value) in from {
                match into.get_mut(&name) {
                    Some(known) => merge(known, value),
                    None => drop(into.insert(name, value)),
                }
            }
        }
        (into, from) => *into = from,
    }
}

/// Change what can be changed of a part by what is added to it and taken from it; returns the value that is left to be
/// set.
fn by_difference(
    ops: &Ops,
    part: &Part<'_>,
    field: &ResolvedField,
    (now, wanted): (&Value, &Value),
    (edits, base): Changes<'_>,
) -> Value {
    match (now, wanted) {
        _ if now == wanted => {}
        (Value::List(now_items), Value::List(items)) => {
            if let Some(words) = list_edits(ops, part, field, (now_items, items)) {
                words.into_iter().for_each(|edit| push(edits, edit));
                return now.clone();
            }
        }
        (Value::Struct(was), Value::Struct(is)) => {
            let fields = is.iter().map(|(name, new)| {
                let old = was.get(name);
                let left = old.map(|old| by_difference(ops, &part.key(now, name), field, (old, new), (edits, base)));
                (name.clone(), left.unwrap_or_else(|| new.clone()))
            });
            return Value::Struct(fields.collect());
        }
        (Value::Map(was), Value::Map(is)) => {
            if let Some(left) = map_edits(ops, part, field, now, (was, is), (edits, base)) {
                return Value::Map(left);
            }
        }
        _ => {}
    }
    wanted.clone()
}

/// The edits that declare a whole value without comparing it with the value now. For drags: in each frame their edits
/// are made to the project before the drag, while the resolved value may be that of an earlier frame.
#[must_use]
pub fn edits_for_drag(project: &Project, of: FieldOf<'_>, value: &Value) -> Vec<Edit> {
    if is_changed_later(project, of) { edits_to_set(of, value) } else { vec![of.set(value.clone())] }
}

/// Whether the owner changes what it sets by other operations.
pub(super) fn is_changed_later(project: &Project, of: FieldOf<'_>) -> bool {
    let later = [OpKind::Scale, OpKind::Add, OpKind::Append];
    ops_of(project, of.owner)
        .is_some_and(|ops| later.iter().any(|op| ops.declared(*op, of.component, of.field).is_some()))
}

/// The edits that set a whole list, so that it no longer follows its ancestors.
#[must_use]
pub fn edits_to_set(of: FieldOf<'_>, value: &Value) -> Vec<Edit> {
    vec![of.clear(), of.set(value.clone())]
}

/// An element of a list beside the list it inherits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ListRow<'a> {
    /// An ancestor's, at this place of the effective list.
    Inherited(usize, &'a Value),
    /// An ancestor's, taken away here.
    Removed(&'a Value),
    /// The owner's, at this place of the effective list.
    Added(usize, &'a Value),
}

/// The elements of the list at `path` in a field, with where each comes from; `None` when the owner sets the whole
/// list, or it is no list.
#[must_use]
pub fn list_rows<'a>(
    project: &Project,
    of: FieldOf<'_>,
    field: &'a ResolvedField,
    path: &FieldPath,
) -> Option<Vec<ListRow<'a>>> {
    let effective = field.value.at(path)?.as_list()?;
    let declared = ops_of(project, of.owner).and_then(|ops| ops.declared(OpKind::Set, of.component, of.field));
    if declared.is_some_and(|declared| declared.at(path).is_some()) {
        return None;
    }
    let before = inherited(field, of.owner).and_then(|value| value.at(path)?.as_list()).unwrap_or_default();
    let kept = kept(before, effective);
    let mut rows = Vec::with_capacity(before.len() + effective.len());
    let mut at = 0;
    for element in before {
        if at < kept && element.is_like(&effective[at]) {
            rows.push(ListRow::Inherited(at, &effective[at]));
            at += 1;
        } else {
            rows.push(ListRow::Removed(element));
        }
    }
    rows.extend(effective.iter().enumerate().skip(kept).map(|(at, element)| ListRow::Added(at, element)));
    Some(rows)
}

/// How many of the first of `list` are what is left of `before`, in its order.
fn kept(before: &[Value], list: &[Value]) -> usize {
    let mut n = 0;
    for element in before {
        if list.get(n).is_some_and(|it| it.is_like(element)) {
            n += 1;
        }
    }
    n
}

/// A list by what is appended to the inherited one and removed from it; `None` where it has to be set whole.
fn list_edits(
    ops: &Ops,
    part: &Part<'_>,
    field: &ResolvedField,
    (now, wanted): (&[Value], &[Value]),
) -> Option<Vec<Edit>> {
    let is_whole = part.declared(ops, OpKind::Set).is_some() || part.is_removed(ops);
    if is_whole || !ops.remove.iter().all(|entry| RemovePath::parse(entry).is_ok()) {
        return None;
    }
    let before = part.inherited(field)?.as_list()?;
    let is_in = |list: &[Value], element: &Value| list.iter().any(|it| it.is_like(element));
    let is_set_of_names = matches!(part.ty, FieldType::Flags(_));
    let (removed, appended): (Vec<&Value>, Vec<&Value>) = if is_set_of_names {
        let removed = before.iter().filter(|it| !is_in(wanted, it)).collect();
        (removed, wanted.iter().filter(|it| !is_in(before, it)).collect())
    } else {
        let kept = kept(before, wanted);
        let (stays, appended) = wanted.split_at(kept);
        let removed: Vec<&Value> = before.iter().filter(|it| !is_in(stays, it)).collect();
        // An element goes with all its equals, and an inherited one that goes to the end is a move, which only setting
        // the whole list can express. One that was taken away before is appended like any other.
        let stays_now = now.get(..self::kept(before, now)).unwrap_or_default();
        let is_moved = |it: &Value| is_in(stays_now, it) && !is_in(stays, it);
        let is_clean = before.len() == kept + removed.len() && !appended.iter().any(is_moved);
        let is_another = kept == 0 && removed.len() > 1 && !wanted.is_empty();
        if !is_clean || is_another {
            return None;
        }
        (removed, appended.iter().collect())
    };
    if part.is_new && !removed.is_empty() {
        return None;
    }
    let mut entries = Vec::new();
    for element in removed {
        let entry = part.removal(element)?;
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    let mut old: Vec<&String> = ops.remove.iter().filter(|entry| part.is_in(entry)).collect();
    old.dedup();
    let is_same = |a: &str, b: &str| {
        let [a, b] = [a, b].map(|entry| RemovePath::parse(entry).ok());
        same_entry(a.as_ref(), b.as_ref())
    };
    let dropped = old.iter().filter(|old| !entries.iter().any(|new| is_same(new, old)));
    let mut edits: Vec<Edit> = dropped.map(|entry| part.drop_remove((*entry).clone())).collect();
    let added = entries.iter().filter(|new| !old.iter().any(|old| is_same(new, old)));
    edits.extend(added.map(|entry| part.add_remove(entry.clone())));
    let appended = Value::List(appended.into_iter().cloned().collect());
    match part.declared(ops, OpKind::Append) {
        Some(_) if appended.as_list().is_some_and(<[Value]>::is_empty) => edits.push(part.undeclare(OpKind::Append)),
        None if appended.as_list().is_some_and(<[Value]>::is_empty) => {}
        declared if declared == Some(&appended) => {}
        _ => {
            let declared = ops.declared(OpKind::Append, part.of.component, part.of.field);
            let at = (part.of.component.clone(), part.of.field.clone());
            let who = (part.of.owner.clone(), OpKind::Append);
            edits.push(declare_in_field(who, at, part.of.ty, (declared, &field.value), &part.path, appended));
        }
    }
    // A set of words in another order is the same set.
    (!edits.is_empty() || is_set_of_names).then_some(edits)
}

type Entries<'a> = &'a [(Value, Value)];

/// The edits for a map's entries that are gone and those that are back; returns the entries that are left to be
/// set. `None` for a key that cannot be named.
fn map_edits(
    ops: &Ops,
    part: &Part<'_>,
    field: &ResolvedField,
    now: &Value,
    (was, is): (Entries<'_>, Entries<'_>),
    (edits, base): Changes<'_>,
) -> Option<Vec<(Value, Value)>> {
    let find = |map: &[(Value, Value)], key: &Value| map.iter().find(|(k, _)| k == key).map(|(_, value)| value.clone());
    let mut words = Vec::new();
    let mut left = was.to_vec();
    for (key, _) in was.iter().filter(|(key, _)| find(is, key).is_none()) {
        let entry = part.key(now, key.as_str()?);
        words.extend(entry.undeclare_all(ops));
        if entry.inherited(field).is_some() && !entry.is_removed(ops) {
            words.push(part.add_remove(part.removal(key)?));
        }
    }
    for (key, new) in is {
        let entry = part.key(now, key.as_str()?);
        if let Some(slot) = left.iter_mut().find(|(k, _)| k == key) {
            if slot.1 != *new && entry.is_appended(ops, field) {
                // Once it is set, operations that did not find it would be applied to it.
                words.extend(entry.undeclare_all(ops));
                *base = without_part(base, &entry.path);
                slot.1 = new.clone();
            } else {
                slot.1 = by_difference(ops, &entry, field, (&slot.1, new), (&mut words, &mut *base));
            }
            continue;
        }
        let taken = ops.remove.iter().find(|taken| {
            RemovePath::parse(taken).is_ok_and(|it| it.component == *part.of.component && it.steps == entry.steps)
        });
        match taken {
            Some(taken) if entry.inherited(field) == Some(new) => words.push(part.drop_remove(taken.clone())),
            _ => left.push((key.clone(), new.clone())),
        }
    }
    edits.extend(words);
    Some(left)
}

fn same_entry(a: Option<&RemovePath>, b: Option<&RemovePath>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    a.component == b.component
        && a.steps.len() == b.steps.len()
        && a.steps.iter().zip(&b.steps).all(|(a, b)| match (a, b) {
            (RemoveStep::Item(a), RemoveStep::Item(b)) => a.is_like(b),
            _ => a == b,
        })
}

/// Whether an entry of `remove` takes away a field or something in it.
pub(super) fn is_of_field(entry: &str, component: &str, field: &str) -> bool {
    RemovePath::parse(entry)
        .is_ok_and(|path| *path.component == *component && path.field().is_some_and(|name| **name == *field))
}

/// One operand that does what two do one after the other; factors may be a number and a pair.
pub(super) fn operand_of_two(op: OpKind, first: &Value, second: &Value) -> Option<Value> {
    let made = |first, second| operated(op, &FieldType::Any, first, second).ok();
    made(first, second).or_else(|| made(second, first)).map(|(value, _)| value)
}

/// The operand that turns `before` into `wanted`: a factor or a summand, in as few digits as take there exactly, or the
/// nearest there is. Of a pair each component has its own, unless one factor does for both.
#[must_use]
pub fn operand_for(op: OpKind, before: &Value, wanted: &Value) -> Option<Value> {
    if op == OpKind::Set {
        return Some(wanted.clone());
    }
    if let (OpKind::Add, Value::Int(before), Value::Int(wanted)) = (op, before, wanted) {
        return wanted.checked_sub(*before).map(Value::Int);
    }
    if let (Some(from), Some(to)) = (before.as_vec2(), wanted.as_vec2()) {
        let [x, y] = [number_for(op, from[0], to[0])?, number_for(op, from[1], to[1])?];
        let is_one = op == OpKind::Scale && x.to_bits() == y.to_bits();
        return Some(if is_one { Value::Float(x) } else { Value::vec2(x, y) });
    }
    let operand = number_for(op, before.as_f64()?, wanted.as_f64()?)?;
    let whole = Value::Float(operand).as_i64().filter(|_| matches!((before, wanted), (Value::Int(_), Value::Int(_))));
    Some(whole.map_or(Value::Float(operand), Value::Int))
}

/// The same for one number.
fn number_for(op: OpKind, from: f64, to: f64) -> Option<f64> {
    let exact = match op {
        OpKind::Add => to - from,
        OpKind::Scale if from != 0.0 => to / from,
        OpKind::Scale if to == 0.0 => 1.0,
        _ => return None,
    };
    let amounts_to = |x: f64| if op == OpKind::Add { from + x } else { from * x };
    let is_it = |x: &f64| amounts_to(*x).to_bits() == to.to_bits();
    let shortest = (0..17_usize).filter_map(|digits| format!("{exact:.digits$e}").parse::<f64>().ok()).find(is_it);
    Some(shortest.unwrap_or(exact)).filter(|operand| operand.is_finite())
}

/// The edits that declare an operation on a number, or a pair of numbers, that the owner declares nothing of; `None`
/// where it declares one already, or there
/// is nothing to start from.
#[must_use]
pub fn edits_for_operand(
    project: &Project,
    of: FieldOf<'_>,
    field: &ResolvedField,
    path: &FieldPath,
    (op, operand): (OpKind, &Value),
) -> Option<Vec<Edit>> {
    let before = inherited(field, of.owner)?.at(path)?;
    let ops = ops_of(project, of.owner)?;
    let is_declared = |op: &OpKind| {
        ops.declared(*op, of.component, of.field).is_some_and(|operand| path.0.is_empty() || operand.at(path).is_some())
    };
    if OpKind::VALUED.iter().any(is_declared) || operated(op, of.ty, before, operand).is_err() {
        return None;
    }
    let declared = ops.declared(op, of.component, of.field);
    let at = (of.component.clone(), of.field.clone());
    Some(vec![declare_in_field((of.owner.clone(), op), at, of.ty, (declared, &field.value), path, operand.clone())])
}

/// The entries of the inherited map at `path` that the owner takes away.
#[must_use]
pub fn removed_entries<'a>(field: &'a ResolvedField, owner: &Owner, path: &FieldPath) -> Vec<&'a (Value, Value)> {
    let before = inherited(field, owner).and_then(|value| value.at(path));
    match (before, field.value.at(path)) {
        (Some(Value::Map(before)), Some(Value::Map(now))) => {
            before.iter().filter(|(key, _)| now.iter().all(|(other, _)| other != key)).collect()
        }
        _ => Vec::new(),
    }
}

/// The edits that declare a number by another operation with the same result.
///
/// # Errors
/// Says why there is none: the value is no number, or no operand gives exactly this result.
pub fn edits_for_operation(of: FieldOf<'_>, field: &ResolvedField, op: OpKind) -> Result<Vec<Edit>, String> {
    let full = format!("{}.{}", of.component, of.field);
    if op == OpKind::Set {
        return Ok(edits_to_set(of, &field.value));
    }
    let Some(before) = inherited(field, of.owner) else {
        return Err(format!("{full} has no inherited value to start from"));
    };
    let operand = operand_for(op, before, &field.value)
        .ok_or_else(|| format!("no operand of this operation turns {before} into {}", field.value))?;
    let is_wanted = |value: &Value| value.as_f64() == field.value.as_f64() && value.as_vec2() == field.value.as_vec2();
    if !operated(op, of.ty, before, &operand).is_ok_and(|(value, _)| is_wanted(&value)) {
        return Err(format!("no operand of this operation turns {before} into exactly {}", field.value));
    }
    Ok(vec![of.clear(), of.edit_of(op, FieldPath::root(), operand)])
}
