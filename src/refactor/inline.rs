//! Inlines a parent into its children: each of them declares its operations, and inherits what it inherits.
//!
//! Invariant: the children, and all that inherit them, keep their resolved values. Operations are merged where that
//! gives the same value; where it does not (a definition in between declares one, or numbers round differently) the
//! value itself is set.

use std::collections::BTreeSet;

use super::{Plan, extract::list, overrides::operand_of_two, proof::prove};
use crate::{
    defs::{RemovePath, Resolution, Resolved, Source, resolve},
    edit::{Edit, Refusal, TypedRefs, is_used},
    model::{DocPath, EntityDef, FieldPath, Name, OpKind, Ops, Project, Value},
};

/// What to inline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inline {
    /// The parent that is dissolved.
    pub parent: Name,
    /// The children it is dissolved into; all of its children when empty.
    pub children: Vec<Name>,
    /// Delete the parent if nothing uses it afterwards.
    pub delete: bool,
}

/// The plan that merges a parent's operations into its children.
///
/// # Errors
/// Says why there is none: it has no children, or one of them would not keep its values.
pub fn inline(project: &Project, resolution: &Resolution, what: &Inline) -> Result<Plan, Refusal> {
    let parent = &what.parent;
    let missing = |name: &Name| Refusal::new(format!("there is no definition `{name}`"));
    let at = |name: &Name| -> Result<(DocPath, &EntityDef), Refusal> {
        let doc = resolution.def_docs.get(name).ok_or_else(|| missing(name))?;
        project.def(doc, name).map(|def| (doc.clone(), &**def)).ok_or_else(|| missing(name))
    };
    let (parent_doc, parent_def) = at(parent)?;
    let all = resolution.children_of(parent);
    let children: Vec<Name> = if what.children.is_empty() { all.to_vec() } else { what.children.clone() };
    if children.is_empty() {
        return Err(Refusal::new(format!("nothing inherits `{parent}`, so there is nowhere to inline it")));
    }
    let before = resolve(project, resolution.builtin(), Some(resolution));
    let mut edits = Vec::new();
    let mut now = project.clone();
    for child in &children {
        let (doc, def) = at(child)?;
        if !def.inherits.contains(parent) {
            return Err(Refusal::new(format!("`{child}` does not inherit `{parent}` itself")));
        }
        let target = before.defs.get(child).ok_or_else(|| Refusal::new(format!("`{child}` cannot be resolved")))?;
        let inherits = heirs(resolution, def, parent, parent_def);
        let put = |def: EntityDef| Edit::PutDef { doc: doc.clone(), name: child.clone(), def, before: None };
        // The values it would inherit without operations of its own.
        let bare = EntityDef { is_abstract: def.is_abstract, inherits: inherits.clone(), ops: Ops::default() };
        let base = outcome(&now, &before, child, &put(bare))?;
        let mut new = EntityDef { is_abstract: def.is_abstract, inherits, ops: merged(&parent_def.ops, &def.ops) };
        fit(&mut new.ops, &base, target);
        let found = outcome(&now, &before, child, &put(new.clone()))?;
        mend(&mut new.ops, &found, target);
        let edit = put(new);
        crate::edit::apply(&mut now, &edit)?;
        edits.push(edit);
    }
    let typed = TypedRefs::of(&resolution.schema, crate::edit::RefKind::Def);
    let mut free = BTreeSet::new();
    if what.delete && !is_used(&now, parent, &typed) {
        edits.push(Edit::Remove { doc: parent_doc, at: FieldPath::keys([parent]) });
        free.insert(parent.clone());
    }
    let plan = Plan { label: format!("Inline {parent} into {}", list(&children)), edits };
    prove(project, &before, &plan, &free)?;
    Ok(plan)
}

/// The parents of a child without `parent`: what that inherits stands in its stead, unless another parent brings it.
fn heirs(resolution: &Resolution, child: &EntityDef, parent: &Name, parent_def: &EntityDef) -> Vec<Name> {
    let mut out: Vec<Name> = Vec::new();
    let others = || child.inherits.iter().filter(|it| *it != parent);
    for name in &child.inherits {
        if name != parent {
            if !out.contains(name) {
                out.push(name.clone());
            }
            continue;
        }
        for heir in &parent_def.inherits {
            let brought = others().any(|other| other == heir || resolution.is_a(other, heir))
                || parent_def.inherits.iter().any(|it| it != heir && resolution.is_a(it, heir));
            if !brought && !out.contains(heir) {
                out.push(heir.clone());
            }
        }
    }
    out
}

/// The resolved definition after an edit.
fn outcome(project: &Project, before: &Resolution, name: &Name, edit: &Edit) -> Result<Resolved, Refusal> {
    let mut after = project.clone();
    crate::edit::apply(&mut after, edit)?;
    let now = resolve(&after, before.builtin(), Some(before));
    let found = now.defs.get(name).map(|def| (**def).clone());
    found.ok_or_else(|| {
        let why = now.findings().find(|it| {
            it.location.path.0.first() == Some(&crate::model::Seg::Key(name.clone()))
                && &*it.rule == "inconsistent-order"
        });
        Refusal::new(why.map_or_else(|| format!("`{name}` could not be resolved"), |it| it.message.clone()))
    })
}

/// The operations of two definitions as those of one; `first` applies before `second`.
fn merged(first: &Ops, second: &Ops) -> Ops {
    let mut out = first.clone();
    // The first need not declare what the second removes.
    for entry in &second.remove {
        if let Ok(path) = RemovePath::parse(entry) {
            match (path.steps.len(), path.field()) {
                (0, _) => {
                    for op in OpKind::VALUED {
                        _ = out.values_mut(op).and_then(|all| all.shift_remove(&path.component));
                    }
                    out.remove.retain(|it| RemovePath::parse(it).map_or(true, |it| it.component != path.component));
                }
                (1, Some(field)) => forget(&mut out, &path.component, field),
                _ => {}
            }
        }
        if !out.remove.contains(entry) {
            out.remove.push(entry.clone());
        }
    }
    for (component, fields) in &second.set {
        out.set.entry(component.clone()).or_default();
        for (field, value) in fields {
            let old = out.declared(OpKind::Set, component, field).cloned();
            let parts = matches!(value, Value::Struct(_) | Value::Map(_));
            if !parts {
                forget_values(&mut out, component, field);
            }
            let value = old.filter(|_| parts).map_or_else(|| value.clone(), |old| over(&old, value));
            out.set.entry(component.clone()).or_default().insert(field.clone(), value);
        }
    }
    for op in [OpKind::Scale, OpKind::Add, OpKind::Append] {
        for (component, fields) in second.values(op).into_iter().flatten() {
            for (field, value) in fields {
                // A sum is scaled with what it was added to.
                if op == OpKind::Scale
                    && let Some(sum) = out.add.get_mut(component).and_then(|fields| fields.get_mut(field))
                    && let Some(scaled) = combined(OpKind::Scale, sum, value)
                {
                    *sum = scaled;
                }
                let Some(all) = out.values_mut(op) else { continue };
                let fields = all.entry(component.clone()).or_default();
                let new = match fields.get(field) {
                    Some(old) => combined(op, old, value).unwrap_or_else(|| value.clone()),
                    None => value.clone(),
                };
                fields.insert(field.clone(), new);
            }
        }
    }
    out
}

/// One operand that does what two do one after the other.
fn combined(op: OpKind, first: &Value, second: &Value) -> Option<Value> {
    match (op, first, second) {
        (OpKind::Append, Value::List(a), Value::List(b)) => Some(Value::List(a.iter().chain(b).cloned().collect())),
        (OpKind::Scale | OpKind::Add, ..) => operand_of_two(op, first, second),
        _ => None,
    }
}

/// `declared` over `base`, structs and maps part by part.
fn over(base: &Value, declared: &Value) -> Value {
    match (base, declared) {
        (Value::Struct(base), Value::Struct(declared)) => {
            let mut out = base.clone();
            for (name, value) in declared {
                let new = out.get(name).map_or_else(|| value.clone(), |old| over(old, value));
                out.insert(name.clone(), new);
            }
            Value::Struct(out)
        }
        (Value::Map(base), Value::Map(declared)) => {
            let mut out = base.clone();
            for (key, value) in declared {
                match out.iter_mut().find(|(known, _)| known == key) {
                    Some((_, old)) => *old = over(old, value),
                    None => out.push((key.clone(), value.clone())),
                }
            }
            Value::Map(out)
        }
        _ => declared.clone(),
    }
}

/// Drop every declared value of a field.
fn forget_values(ops: &mut Ops, component: &Name, field: &Name) {
    for op in OpKind::VALUED {
        if let Some(fields) = ops.values_mut(op).and_then(|all| all.get_mut(component)) {
            fields.shift_remove(field);
        }
    }
}

/// Drop every operation on a field.
fn forget(ops: &mut Ops, component: &Name, field: &Name) {
    forget_values(ops, component, field);
    ops.remove
        .retain(|it| RemovePath::parse(it).map_or(true, |it| it.component != *component || it.field() != Some(field)));
}

/// Leave out what cannot be done to what is inherited: taking away what is not there.
fn fit(ops: &mut Ops, base: &Resolved, target: &Resolved) {
    let is_declared = |component: &str, field: &str| {
        let found = base.components.get(component).and_then(|it| it.fields.get(field));
        found.is_some_and(|it| it.provenance.last().is_some_and(|declared| declared.by != Source::Default))
    };
    ops.remove.retain(|entry| match RemovePath::parse(entry) {
        Err(_) => true,
        Ok(path) => base.has(&path.component) && path.field().is_none_or(|field| is_declared(&path.component, field)),
    });
    // A component's name alone adds it; only then is an empty entry worth keeping.
    for op in OpKind::VALUED {
        if let Some(all) = ops.values_mut(op) {
            all.retain(|component, fields| {
                !fields.is_empty() || (op == OpKind::Set && target.has(component) && !base.has(component))
            });
        }
    }
}

/// Say as values what did not come out as it shall.
fn mend(ops: &mut Ops, found: &Resolved, target: &Resolved) {
    for component in found.components.keys().filter(|it| !target.has(it)) {
        for op in OpKind::VALUED {
            _ = ops.values_mut(op).and_then(|all| all.shift_remove(component));
        }
        if !ops.remove.iter().any(|it| **it == **component) {
            ops.remove.push(component.to_string());
        }
    }
    for (component, wanted) in &target.components {
        let got = found.components.get(component);
        if got.is_none() {
            ops.set.entry(component.clone()).or_default();
        }
        for (field, value) in &wanted.fields {
            let now = got.and_then(|it| it.fields.get(field)).map(|it| &it.value);
            let is_default =
                got.is_none() && value.provenance.last().is_none_or(|declared| declared.by == Source::Default);
            if now == Some(&value.value) || is_default {
                continue;
            }
            forget(ops, component, field);
            ops.set.entry(component.clone()).or_default().insert(field.clone(), value.value.clone());
        }
        // An undeclared field that is not there any more.
        for field in got.into_iter().flat_map(|it| it.fields.keys()).filter(|it| !wanted.fields.contains_key(it)) {
            forget(ops, component, field);
            ops.remove.push(format!("{component}.{field}"));
        }
    }
    for op in [OpKind::Scale, OpKind::Add, OpKind::Append] {
        if let Some(all) = ops.values_mut(op) {
            all.retain(|_, fields| !fields.is_empty());
        }
    }
}
