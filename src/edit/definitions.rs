//! Edits of definitions, and of what placed entities override: both are a set of operations with an owner.
//!
//! Whether a component is inherited is decided here only by which definitions name it, which is enough to know what to
//! leave in the file; resolving inheritance is `defs`.

use std::sync::Arc;

use super::{
    Owner, Refusal, TypedRefs,
    reach::{check_name, content, content_mut, layer_mut, level_at, open_layer, taken},
    references,
    value::{check_fields, check_value, check_word, drop_in, put_in},
};
use crate::model::{
    DocPath, Document, EntitiesFile, EntityDef, FieldPath, Fields, Instance, LayerContent, Name, OpKind, Ops, Project,
    RemovePath, RemoveStep, Seg, Value,
};

/// Component, field, and the part of the field.
type Place<'a> = (&'a Name, &'a Name, &'a FieldPath);

/// A file of definitions.
fn file<'a>(project: &'a Project, path: &DocPath) -> Result<&'a EntitiesFile, Refusal> {
    content(project, path)
}

fn file_mut<'a>(project: &'a mut Project, path: &DocPath) -> Result<&'a mut EntitiesFile, Refusal> {
    content_mut(project, path)
}

fn def_at<'a>(project: &'a Project, path: &DocPath, name: &str) -> Result<&'a Arc<EntityDef>, Refusal> {
    let found = file(project, path)?.defs.get(name);
    found.ok_or_else(|| Refusal::new(format!("there is no definition `{name}` in `{path}`")))
}

/// Where a definition is written.
pub(super) fn find_def<'a>(project: &'a Project, name: &str) -> Option<(&'a DocPath, &'a Arc<EntityDef>)> {
    project.documents.iter().find_map(|(path, doc)| match &**doc {
        Document::Entities(file) => Some((path, file.defs.get(name)?)),
        _ => None,
    })
}

/// Change a definition through a copy.
fn edit_def(
    project: &mut Project,
    path: &DocPath,
    name: &Name,
    change: impl FnOnce(&mut EntityDef) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let old = def_at(project, path, name)?;
    let mut new = (**old).clone();
    change(&mut new)?;
    if new != **old {
        file_mut(project, path)?.defs.insert(name.clone(), Arc::new(new));
    }
    Ok(())
}

/// Change the operations of an owner, through a copy.
pub(super) fn edit_ops(
    project: &mut Project,
    owner: &Owner,
    change: impl FnOnce(&mut Ops) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    match owner {
        Owner::Def { doc, name } => edit_def(project, doc, name, |def| change(&mut def.ops)),
        Owner::Instance { doc, layer, id } => {
            let (at, old) = instance_at(project, doc, layer, id)?;
            let mut new = (**old).clone();
            change(&mut new.ops)?;
            if new != **old {
                put_instance(project, doc, at, id, new)?;
            }
            Ok(())
        }
    }
}

/// A placed entity of a layer that may be edited, with the layer's index.
pub(super) fn instance_at<'a>(
    project: &'a Project,
    path: &DocPath,
    layer: &str,
    id: &str,
) -> Result<(usize, &'a Arc<Instance>), Refusal> {
    let (at, layer) = open_layer(level_at(project, path)?, layer)?;
    let found = layer.entities().and_then(|entities| entities.get(id));
    found
        .map(|instance| (at, instance))
        .ok_or_else(|| Refusal::new(format!("there is no entity `{id}` on layer `{}`", layer.name)))
}

/// Replace a placed entity.
pub(super) fn put_instance(
    project: &mut Project,
    path: &DocPath,
    layer: usize,
    id: &Name,
    instance: Instance,
) -> Result<(), Refusal> {
    if let LayerContent::Entities(entities) = &mut layer_mut(project, path, layer)?.content {
        entities.insert(id.clone(), Arc::new(instance));
    }
    Ok(())
}

pub(super) fn ops<'a>(project: &'a Project, owner: &Owner) -> Result<(&'a Ops, Vec<Name>), Refusal> {
    match owner {
        Owner::Def { doc, name } => def_at(project, doc, name).map(|def| (&def.ops, def.inherits.clone())),
        Owner::Instance { doc, layer, id } => {
            instance_at(project, doc, layer, id).map(|(_, it)| (&it.ops, vec![it.def.clone()]))
        }
    }
}

/// How the ancestors of an owner declare a component: whether one names it, and whether one removes it.
fn ancestors_name(project: &Project, parents: Vec<Name>, component: &str) -> (bool, bool) {
    ancestors_declare(project, parents, |ops| ops.names(component), |ops| ops.removes(component))
}

/// Whether an owner has a component by its own operations alone, or may have: then its entries of `remove`, which come
/// first, find nothing in it.
#[must_use]
pub fn has_by_itself(project: &Project, owner: &Owner, component: &str) -> bool {
    ops(project, owner).is_ok_and(|(declared, parents)| {
        let (is_named, is_removed) = ancestors_name(project, parents, component);
        !is_named || is_removed || declared.removes(component)
    })
}

/// Whether one of the ancestors of an owner gives something, and whether one takes it away.
fn ancestors_declare(
    project: &Project,
    parents: Vec<Name>,
    gives: impl Fn(&Ops) -> bool,
    removes: impl Fn(&Ops) -> bool,
) -> (bool, bool) {
    let (mut is_given, mut is_removed) = (false, false);
    let mut todo = parents;
    let mut seen = std::collections::BTreeSet::new();
    while let Some(name) = todo.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        if let Some((_, def)) = find_def(project, &name) {
            is_given |= gives(&def.ops);
            is_removed |= removes(&def.ops);
            todo.extend(def.inherits.iter().cloned());
        }
    }
    (is_given, is_removed)
}

pub(super) fn set_value(
    project: &mut Project,
    owner: &Owner,
    op: OpKind,
    (component, field, inner): Place<'_>,
    value: &Value,
) -> Result<(), Refusal> {
    check_value(value)?;
    check_name("a component", component)?;
    check_name("a field", field)?;
    edit_ops(project, owner, |ops| {
        let Some(declared) = ops.values_mut(op) else {
            return Err(Refusal::new("`remove` holds no values; it lists what is taken away"));
        };
        let fields = declared.entry(component.clone()).or_default();
        if inner.0.is_empty() {
            fields.insert(field.clone(), value.clone());
            return Ok(());
        }
        let slot = fields.entry(field.clone()).or_insert_with(|| Value::Tuple(Vec::new()));
        put_in(slot, inner, value.clone())
    })
}

/// Clear a field or a part of it: the values of one operation, or of all operations and `remove`. The owner keeps the
/// component: if no ancestor declares it, its name stays.
pub(super) fn clear_value(
    project: &mut Project,
    owner: &Owner,
    only: Option<OpKind>,
    (component, field, inner): Place<'_>,
) -> Result<(), Refusal> {
    let (declared, parents) = ops(project, owner)?;
    let entry = own_entry(project, (declared, &parents), (component, field, inner));
    let (is_named, is_removed) = ancestors_name(project, parents, component);
    edit_ops(project, owner, |ops| {
        let keeps_name = !is_named || is_removed || ops.removes(component);
        let named_it = ops.names(component);
        for op in OpKind::VALUED.into_iter().filter(|op| only.is_none_or(|only| only == *op)) {
            let Some(declared) = ops.values_mut(op) else { continue };
            let Some(fields) = declared.get_mut(component) else { continue };
            let Some(value) = fields.get_mut(field) else { continue };
            if drop_in(value, &inner.0) {
                fields.shift_remove(field);
                // The name alone gives the owner the component, unless an ancestor does.
                if fields.is_empty() && (op != OpKind::Set || !keeps_name) {
                    declared.shift_remove(component);
                }
            }
        }
        // Operations in between act on an entry that is there before them, so it is given by the same one.
        if let Some((path, by)) = entry
            && giver(ops, (component, field, &path)) != Some(by)
            && let Some(declared) = ops.values_mut(by)
        {
            let value = declared.entry(component.clone()).or_default().entry(field.clone());
            put_in(value.or_insert_with(|| Value::Map(Vec::new())), &path, Value::Tuple(Vec::new()))?;
        }
        if keeps_name && named_it && !ops.names(component) {
            ops.set.insert(component.clone(), Fields::new());
        }
        if only.is_none() {
            ops.remove.retain(|entry| {
                !RemovePath::parse(entry).is_ok_and(|path| is_inside(&path, (component, field, inner)))
            });
        }
        Ok(())
    })
}

/// The innermost entry of a map that a part of a field lies in, with the operation that gives it, if the owner alone
/// does.
fn own_entry(
    project: &Project,
    (declared, parents): (&Ops, &[Name]),
    (component, field, inner): Place<'_>,
) -> Option<(FieldPath, OpKind)> {
    let mut around = (1..inner.0.len()).rev().map(|n| FieldPath(inner.0[..n].to_vec()));
    let is_map = |map: &FieldPath| {
        let values = [OpKind::Set, OpKind::Append].into_iter().filter_map(|op| declared.declared(op, component, field));
        values.into_iter().any(|value| matches!(value.at(map), Some(Value::Map(_))))
    };
    let entry = around.find(|path| path.parent().is_some_and(|map| is_map(&map)))?;
    let at = (component, field, &entry);
    let removes = |ops: &Ops| ops.removed().any(|path| is_around(&path, at));
    let (is_given, is_removed) = ancestors_declare(project, parents.to_vec(), |ops| giver(ops, at).is_some(), removes);
    let by = giver(declared, at).filter(|_| !is_given || is_removed || removes(declared))?;
    Some((entry, by))
}

/// The first operation that gives a part of a field, even where nothing is there before.
fn giver(ops: &Ops, (component, field, inner): Place<'_>) -> Option<OpKind> {
    [OpKind::Set, OpKind::Append]
        .into_iter()
        .find(|op| ops.declared(*op, component, field).is_some_and(|it| it.at(inner).is_some()))
}

/// Whether an entry of `remove` takes away a part of a field, or something in that part.
fn is_inside(path: &RemovePath, (component, field, inner): Place<'_>) -> bool {
    path.component == *component
        && path.field() == Some(field)
        && path.steps.len() > inner.0.len()
        && path.steps[1..].iter().zip(&inner.0).all(is_same_step)
}

/// Whether an entry of `remove` takes away a part of a field, or all it is in.
fn is_around(path: &RemovePath, (component, field, inner): Place<'_>) -> bool {
    path.component == *component
        && path.field().is_none_or(|name| name == field)
        && path.steps.len() <= inner.0.len() + 1
        && path.steps.iter().skip(1).zip(&inner.0).all(is_same_step)
}

fn is_same_step((step, seg): (&RemoveStep, &Seg)) -> bool {
    match (step, seg) {
        (RemoveStep::Field(name), Seg::Key(key)) => name == key,
        (RemoveStep::Item(item), Seg::Key(key)) => item.as_str() == Some(key),
        (_, Seg::Index(_)) => false,
    }
}

pub(super) fn add_component(project: &mut Project, owner: &Owner, component: &Name) -> Result<(), Refusal> {
    check_name("a component", component)?;
    let (_, parents) = ops(project, owner)?;
    let (is_named, is_removed) = ancestors_name(project, parents, component);
    edit_ops(project, owner, |ops| {
        if ops.names(component) {
            return Ok(());
        }
        let is_back = ops.removes(component) && is_named && !is_removed;
        ops.remove.retain(|entry| !is_whole(entry, component));
        if !is_back {
            ops.set.insert(component.clone(), Fields::new());
        }
        Ok(())
    })
}

/// Whether an entry of `remove` takes a component away as a whole.
fn is_whole(entry: &str, component: &str) -> bool {
    RemovePath::parse(entry).is_ok_and(|path| path.steps.is_empty() && *path.component == *component)
}

pub(super) fn remove_component(project: &mut Project, owner: &Owner, component: &Name) -> Result<(), Refusal> {
    let (declared, parents) = ops(project, owner)?;
    let is_inherited = ancestors_name(project, parents, component).0;
    if !declared.names(component) && !is_inherited {
        return Err(Refusal::new(format!("{} has no component `{component}`", owner.name())));
    }
    edit_ops(project, owner, |ops| {
        for op in OpKind::VALUED {
            if let Some(declared) = ops.values_mut(op) {
                declared.shift_remove(component);
            }
        }
        ops.remove.retain(|entry| {
            !RemovePath::parse(entry).is_ok_and(|path| path.component == *component && !path.steps.is_empty())
        });
        if is_inherited && !ops.removes(component) {
            ops.remove.push(component.to_string());
        }
        Ok(())
    })
}

pub(super) fn add_remove(project: &mut Project, owner: &Owner, entry: &str) -> Result<(), Refusal> {
    check_name("what is removed", entry)?;
    edit_ops(project, owner, |ops| {
        if !ops.remove.iter().any(|it| it == entry) {
            ops.remove.push(entry.to_owned());
        }
        Ok(())
    })
}

pub(super) fn drop_remove(project: &mut Project, owner: &Owner, entry: &str) -> Result<(), Refusal> {
    edit_ops(project, owner, |ops| {
        let before = ops.remove.len();
        ops.remove.retain(|it| it != entry);
        if ops.remove.len() == before {
            return Err(Refusal::new(format!("{} does not remove `{entry}`", owner.name())));
        }
        Ok(())
    })
}

/// Refuse parents that are not there, are listed twice, or inherit the definition themselves.
pub(super) fn check_inherits(project: &Project, path: &DocPath, name: &Name, inherits: &[Name]) -> Result<(), Refusal> {
    for (i, parent) in inherits.iter().enumerate() {
        if inherits[..i].contains(parent) {
            return Err(Refusal::new(format!("`{parent}` is listed twice")));
        }
        let mut todo = vec![parent.clone()];
        let mut seen = std::collections::BTreeSet::new();
        while let Some(next) = todo.pop() {
            if next == *name {
                return Err(Refusal::new(format!("`{name}` cannot inherit `{parent}`, which inherits `{name}`")));
            }
            if seen.insert(next.clone()) {
                todo.extend(find_def(project, &next).into_iter().flat_map(|(_, def)| def.inherits.iter().cloned()));
            }
        }
        if find_def(project, parent).is_none() && !def_at(project, path, name)?.inherits.contains(parent) {
            return Err(Refusal::new(format!("there is no definition `{parent}`")));
        }
    }
    Ok(())
}

fn check_free(project: &Project, name: &Name) -> Result<(), Refusal> {
    check_name("a definition", name)?;
    find_def(project, name).map_or(Ok(()), |(path, _)| Err(taken("a definition", name, Some(path))))
}

/// Refuse a definition that a project cannot take in.
pub(super) fn check_new(project: &Project, name: &Name, def: &EntityDef) -> Result<(), Refusal> {
    check_free(project, name)?;
    if def.inherits.contains(name) {
        return Err(Refusal::new(format!("`{name}` cannot inherit itself")));
    }
    check_ops(&def.ops)
}

fn add_def(project: &mut Project, path: &DocPath, name: &Name, def: &EntityDef) -> Result<(), Refusal> {
    file(project, path)?;
    check_new(project, name, def)?;
    file_mut(project, path)?.defs.insert(name.clone(), Arc::new(def.clone()));
    Ok(())
}

pub(super) fn put_def(
    project: &mut Project,
    path: &DocPath,
    (name, def): (&Name, &EntityDef),
    before: Option<&Name>,
) -> Result<(), Refusal> {
    if file(project, path)?.defs.contains_key(name) {
        check_ops(&def.ops)?;
        return edit_def(project, path, name, |old| {
            old.clone_from(def);
            Ok(())
        });
    }
    add_def(project, path, name, def)?;
    let defs = &mut file_mut(project, path)?.defs;
    if let (Some(to), Some(from)) = (before.and_then(|it| defs.get_index_of(it)), defs.get_index_of(name)) {
        defs.move_index(from, to);
    }
    Ok(())
}

/// Refuse operations that files cannot hold.
pub(super) fn check_ops(ops: &Ops) -> Result<(), Refusal> {
    let all = OpKind::VALUED.iter().filter_map(|op| ops.values(*op));
    let mut components = all.flat_map(|of_op| of_op.iter());
    components.try_for_each(|(name, fields)| check_word("a component", name).and_then(|()| check_fields(fields)))
}

pub(super) fn rename_def(
    project: &mut Project,
    path: &DocPath,
    (from, to): (&Name, &Name),
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    def_at(project, path, from)?;
    if from == to {
        return Ok(());
    }
    check_free(project, to)?;
    let defs = &mut file_mut(project, path)?.defs;
    if let Some((at, _, def)) = defs.shift_remove_full(from) {
        defs.shift_insert(at, to.clone(), def);
    }
    references::rename(project, from, to, typed);
    Ok(())
}
