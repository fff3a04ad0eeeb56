//! Which words an owner has to say so that a field amounts to something: the fewest that leave to its ancestors what is
//! theirs. A list keeps following the inherited one through `append` and `remove`; a number can be said by each of three
//! operations.
//!
//! Invariant: after the edits the field amounts to what was wanted; property-tested. Edits are made for a project and the
//! resolution of that project.

use crate::{
    defs::{Badge, RemovePath, ResolvedField, Said, Source, Step},
    edit::{Edit, Owner, set_in_field, set_to},
    model::{FieldPath, FieldType, Name, OpKind, Ops, Project, Seg, Value},
};

/// A field of an owner.
#[derive(Clone, Copy, Debug)]
pub struct FieldOf<'a> {
    /// Who speaks.
    pub owner: &'a Owner,
    /// The component.
    pub component: &'a Name,
    /// The field.
    pub field: &'a Name,
    /// Its declared type; `Any` when nobody declares it.
    pub ty: &'a FieldType,
}

impl FieldOf<'_> {
    pub(super) fn set(&self, value: Value) -> Edit {
        self.say(OpKind::Set, FieldPath::root(), value)
    }

    /// The edit that says a part of it by an operation.
    #[must_use]
    pub fn say(&self, op: OpKind, inner: FieldPath, value: Value) -> Edit {
        let (component, field) = (self.component.clone(), self.field.clone());
        Edit::SetValue { owner: self.owner.clone(), op, component, field, inner, value }
    }

    pub(super) fn clear(&self) -> Edit {
        Edit::clear(self.owner.clone(), self.component, self.field)
    }

    /// The entry of `remove` that takes an element away; `None` for one that cannot be named there.
    fn removal(&self, element: &Value) -> Option<String> {
        let is_plain =
            matches!(element, Value::Str(_) | Value::Symbol(_) | Value::Int(_) | Value::Float(_) | Value::Bool(_));
        let steps = vec![Step::Field(self.field.clone()), Step::Item(element.clone())];
        let path = RemovePath { component: self.component.clone(), steps };
        let entry = path.to_string();
        (is_plain && RemovePath::parse(&entry).as_ref() == Ok(&path)).then_some(entry)
    }
}

/// What an owner says; `None` when it is not there.
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

/// Whether an owner is who says something.
#[must_use]
pub fn is_by(owner: &Owner, by: &Source) -> bool {
    match (owner, by) {
        (Owner::Def { name, .. }, Source::Def(by)) => name == by,
        (Owner::Instance { id, .. }, Source::Instance(by)) => id == by,
        _ => false,
    }
}

/// What a field amounts to before the owner has its say; `None` when nobody else gives it a value.
#[must_use]
pub fn inherited<'a>(field: &'a ResolvedField, owner: &Owner) -> Option<&'a Value> {
    let before = field.provenance.iter().rev().find(|said| !is_by(owner, &said.by));
    before.map(|said| &said.after)
}

/// Who had the last word on a part of a field, at `path` inside its value: who named the part or all it is in. `None` when
/// nobody did but the schema.
#[must_use]
pub fn part_said<'a>(field: &'a ResolvedField, path: &FieldPath) -> Option<&'a Said> {
    let names_it = |said: &Said| match said.op {
        OpKind::Remove => match (&said.operand, path.0.first()) {
            (Value::List(named), Some(Seg::Key(key))) => named.iter().any(|it| it.as_str() == Some(key)),
            _ => false,
        },
        _ => said_at(&said.operand, &path.0),
    };
    let last = field.provenance.iter().rev().find(|said| names_it(said));
    last.map(|said| &**said).filter(|said| said.by != Source::Default)
}

/// Whether an operand says anything at or inside `path`, or all that `path` leads into.
fn said_at(operand: &Value, path: &[Seg]) -> bool {
    let Some((seg, rest)) = path.split_first() else { return true };
    match operand {
        Value::Struct(_) | Value::Map(_) => {
            operand.at(&FieldPath(vec![seg.clone()])).is_some_and(|part| said_at(part, rest))
        }
        Value::Tuple(items) => !items.is_empty(),
        _ => true,
    }
}

/// The badge of a part of a field, seen from its owner.
#[must_use]
pub fn part_badge(field: &ResolvedField, path: &FieldPath, owner: &Owner) -> Badge {
    match part_said(field, path).map(|said| &said.by) {
        None | Some(Source::Default) => Badge::Default,
        Some(by @ Source::Def(_)) if is_by(owner, by) => Badge::Own,
        Some(Source::Def(_)) => Badge::Inherited,
        Some(Source::Instance(_)) => Badge::Instance,
    }
}

/// The edits that make a field amount to `wanted`. None when it does already.
#[must_use]
pub fn amount_to(project: &Project, of: FieldOf<'_>, field: &ResolvedField, wanted: &Value) -> Vec<Edit> {
    if field.value == *wanted {
        return Vec::new();
    }
    let by_diff = || list_words(project, of, field, wanted).or_else(|| map_words(project, of, field, wanted));
    by_diff().unwrap_or_else(|| {
        let at = (of.owner.clone(), of.component.clone(), of.field.clone());
        set_to(project, at, of.ty, &field.value, wanted)
    })
}

/// The edits that say a whole value, whatever it amounts to now: for a drag, which is made anew in each frame from where it
/// began while what is known of the value is of some frame between.
#[must_use]
pub fn say_anyway(project: &Project, of: FieldOf<'_>, value: &Value) -> Vec<Edit> {
    let later = [OpKind::Scale, OpKind::Add, OpKind::Append];
    let is_changed_later = ops_of(project, of.owner)
        .is_some_and(|ops| later.iter().any(|op| ops.said(*op, of.component, of.field).is_some()));
    if is_changed_later { say_whole(of, value) } else { vec![of.set(value.clone())] }
}

/// The edits that say the whole of a list, so that it follows its ancestors no longer.
#[must_use]
pub fn say_whole(of: FieldOf<'_>, value: &Value) -> Vec<Edit> {
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

/// A list told apart by who says its elements; `None` when the owner says the whole of it, or it is no list.
#[must_use]
pub fn list_rows<'a>(project: &Project, of: FieldOf<'_>, field: &'a ResolvedField) -> Option<Vec<ListRow<'a>>> {
    let effective = field.value.as_list()?;
    if ops_of(project, of.owner).is_some_and(|ops| ops.said(OpKind::Set, of.component, of.field).is_some()) {
        return None;
    }
    let before = inherited(field, of.owner).and_then(Value::as_list).unwrap_or_default();
    let kept = kept(before, effective);
    let mut rows = Vec::with_capacity(before.len() + effective.len());
    let mut at = 0;
    for element in before {
        if at < kept && same(element, &effective[at]) {
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
        if list.get(n).is_some_and(|it| same(it, element)) {
            n += 1;
        }
    }
    n
}

/// The same element, as `remove` finds it: words with or without quotes, numbers in either spelling.
fn same(a: &Value, b: &Value) -> bool {
    a == b
        || matches!((a.as_str(), b.as_str()), (Some(a), Some(b)) if a == b)
        || matches!((a.as_f64(), b.as_f64()), (Some(a), Some(b)) if a == b)
}

/// A list by what is appended to the inherited one and removed from it; `None` where it has to be said whole.
fn list_words(project: &Project, of: FieldOf<'_>, field: &ResolvedField, wanted: &Value) -> Option<Vec<Edit>> {
    let (Value::List(now), Value::List(wanted)) = (&field.value, wanted) else { return None };
    let ops = ops_of(project, of.owner)?;
    let whole = format!("{}.{}", of.component, of.field);
    let is_whole = ops.said(OpKind::Set, of.component, of.field).is_some() || ops.remove.contains(&whole);
    if is_whole || !ops.remove.iter().all(|entry| RemovePath::parse(entry).is_ok()) {
        return None;
    }
    let Some(Value::List(before)) = inherited(field, of.owner) else { return None };
    let is_in = |list: &[Value], element: &Value| list.iter().any(|it| same(it, element));
    let is_set_of_words = matches!(of.ty, FieldType::Flags(_));
    let (removed, appended): (Vec<&Value>, Vec<&Value>) = if is_set_of_words {
        let removed = before.iter().filter(|it| !is_in(wanted, it)).collect();
        (removed, wanted.iter().filter(|it| !is_in(before, it)).collect())
    } else {
        let kept = kept(before, wanted);
        let (stays, appended) = wanted.split_at(kept);
        let removed: Vec<&Value> = before.iter().filter(|it| !is_in(stays, it)).collect();
        // An element goes with all its equals, and an inherited one that goes to the end is a move, which only the whole list
        // says. One that was taken away before is appended like any other.
        let stays_now = now.get(..self::kept(before, now)).unwrap_or_default();
        let is_moved = |it: &Value| is_in(stays_now, it) && !is_in(stays, it);
        let is_clean = before.len() == kept + removed.len() && !appended.iter().any(is_moved);
        let is_another = kept == 0 && removed.len() > 1 && !wanted.is_empty();
        if !is_clean || is_another {
            return None;
        }
        (removed, appended.iter().collect())
    };
    let mut entries = Vec::new();
    for element in removed {
        let entry = of.removal(element)?;
        if !entries.contains(&entry) {
            entries.push(entry);
        }
    }
    let said = ops.said(OpKind::Append, of.component, of.field);
    let mut old_entries: Vec<&String> = Vec::new();
    for entry in ops.remove.iter().filter(|entry| is_of_field(entry, of.component, of.field)) {
        if !old_entries.contains(&entry) {
            old_entries.push(entry);
        }
    }
    let mut edits = Vec::new();
    if appended.is_empty() && (said.is_some() || entries.is_empty()) {
        // This takes back the removals too; what is still removed is said again.
        edits.push(of.clear());
        edits.extend(entries.into_iter().map(|entry| Edit::AddRemove { owner: of.owner.clone(), entry }));
    } else {
        let keeps = |old: &str| {
            let old = RemovePath::parse(old).ok();
            entries.iter().any(|new| same_entry(RemovePath::parse(new).ok().as_ref(), old.as_ref()))
        };
        for old in old_entries.iter().filter(|old| !keeps(old)) {
            edits.push(Edit::DropRemove { owner: of.owner.clone(), entry: (*old).clone() });
        }
        for entry in &entries {
            let new = RemovePath::parse(entry).ok();
            if !old_entries.iter().any(|old| same_entry(RemovePath::parse(old).ok().as_ref(), new.as_ref())) {
                edits.push(Edit::AddRemove { owner: of.owner.clone(), entry: entry.clone() });
            }
        }
        if !appended.is_empty() {
            let appended = Value::List(appended.into_iter().cloned().collect());
            if said != Some(&appended) {
                edits.push(of.say(OpKind::Append, FieldPath::root(), appended));
            }
        }
    }
    // A set of words in another order is the same set.
    (!edits.is_empty() || is_set_of_words || now == wanted).then_some(edits)
}

/// A map that lost entries: the owner's own are no longer said, inherited ones removed. `None` when it lost none, or the owner
/// says something of it by other words.
fn map_words(project: &Project, of: FieldOf<'_>, field: &ResolvedField, wanted: &Value) -> Option<Vec<Edit>> {
    let (Value::Map(now), Value::Map(entries)) = (&field.value, wanted) else { return None };
    let find = |map: &[(Value, Value)], key: &Value| map.iter().find(|(k, _)| k == key).map(|(_, value)| value.clone());
    let gone: Vec<&Value> = now.iter().map(|(key, _)| key).filter(|key| find(entries, key).is_none()).collect();
    let ops = ops_of(project, of.owner)?;
    let later = [OpKind::Scale, OpKind::Add, OpKind::Append];
    let is_plain = later.iter().all(|op| ops.said(*op, of.component, of.field).is_none());
    if gone.is_empty() || !is_plain || ops.remove.contains(&format!("{}.{}", of.component, of.field)) {
        return None;
    }
    let before = match inherited(field, of.owner) {
        Some(Value::Map(before)) => before.as_slice(),
        _ => &[],
    };
    let mut own = match ops.said(OpKind::Set, of.component, of.field) {
        Some(Value::Map(own)) => own.clone(),
        _ => Vec::new(),
    };
    let mut edits = Vec::new();
    for key in gone {
        if find(&own, key).is_some() {
            let inner = FieldPath::keys([key.as_str()?]);
            let (component, field) = (of.component.clone(), of.field.clone());
            edits.push(Edit::ClearValue { owner: of.owner.clone(), component, field, inner });
            own.retain(|(k, _)| k != key);
        }
        if find(before, key).is_some() {
            edits.push(Edit::AddRemove { owner: of.owner.clone(), entry: of.removal(key)? });
        }
    }
    let mut said = (!own.is_empty()).then_some(Value::Map(own));
    for (key, value) in entries.iter().filter(|(key, value)| find(now, key).as_ref() != Some(value)) {
        let inner = FieldPath::keys([key.as_str()?]);
        let at = (of.owner.clone(), of.component.clone(), of.field.clone());
        edits.push(set_in_field(at, of.ty, (said.as_ref(), &field.value), &inner, value.clone()));
        let mut own = match said {
            Some(Value::Map(own)) => own,
            _ => Vec::new(),
        };
        own.retain(|(k, _)| k != key);
        own.push((key.clone(), value.clone()));
        said = Some(Value::Map(own));
    }
    Some(edits)
}

fn same_entry(a: Option<&RemovePath>, b: Option<&RemovePath>) -> bool {
    let (Some(a), Some(b)) = (a, b) else { return false };
    a.component == b.component
        && a.steps.len() == b.steps.len()
        && a.steps.iter().zip(&b.steps).all(|(a, b)| match (a, b) {
            (Step::Item(a), Step::Item(b)) => same(a, b),
            _ => a == b,
        })
}

/// Whether an entry of `remove` takes away a field or something in it.
pub(super) fn is_of_field(entry: &str, component: &str, field: &str) -> bool {
    RemovePath::parse(entry)
        .is_ok_and(|path| *path.component == *component && path.field().is_some_and(|name| **name == *field))
}

/// The operand that makes `before` amount to `wanted`: a factor or a summand, in as few digits as take there exactly, or the
/// nearest there is.
#[must_use]
pub fn operand_for(op: OpKind, before: &Value, wanted: &Value) -> Option<Value> {
    if op == OpKind::Set {
        return Some(wanted.clone());
    }
    if let (OpKind::Add, Value::Int(before), Value::Int(wanted)) = (op, before, wanted) {
        return wanted.checked_sub(*before).map(Value::Int);
    }
    let (from, to) = (before.as_f64()?, wanted.as_f64()?);
    let exact = match op {
        OpKind::Add => to - from,
        OpKind::Scale if from != 0.0 => to / from,
        _ => return None,
    };
    let amounts_to = |x: f64| if op == OpKind::Add { from + x } else { from * x };
    let is_it = |x: &f64| amounts_to(*x).to_bits() == to.to_bits();
    let shortest = (0..17_usize).filter_map(|digits| format!("{exact:.digits$e}").parse::<f64>().ok()).find(is_it);
    let operand = shortest.unwrap_or(exact);
    let whole = Value::Float(operand).as_i64().filter(|_| matches!((before, wanted), (Value::Int(_), Value::Int(_))));
    operand.is_finite().then(|| whole.map_or(Value::Float(operand), Value::Int))
}

/// What a number amounts to by an operation.
fn amount(op: OpKind, before: &Value, operand: &Value) -> Option<f64> {
    let (before, operand) = (before.as_f64()?, operand.as_f64()?);
    Some(if op == OpKind::Add { before + operand } else { before * operand })
}

/// The edits that say a number by another operation, so that it amounts to the same.
///
/// # Errors
/// Says why there is no such word: the value is no number, or nothing times it comes to this.
pub fn say_by(of: FieldOf<'_>, field: &ResolvedField, op: OpKind) -> Result<Vec<Edit>, String> {
    let full = format!("{}.{}", of.component, of.field);
    if op == OpKind::Set {
        return Ok(say_whole(of, &field.value));
    }
    let Some(before) = inherited(field, of.owner) else {
        return Err(format!("nobody else gives {full} a value to start from"));
    };
    let operand = operand_for(op, before, &field.value)
        .ok_or_else(|| format!("there is nothing that makes {before} amount to {} this way", field.value))?;
    if amount(op, before, &operand) != field.value.as_f64() {
        return Err(format!("nothing makes {before} amount to {} exactly this way", field.value));
    }
    Ok(vec![of.clear(), of.say(op, FieldPath::root(), operand)])
}
