//! Compares the operations of a definition with those it had before: which parts of which components may resolve
//! differently.
//!
//! Invariant: parts that [`changes`] does not name resolve as before, in the definition and in its descendants. A part
//! is a single field where the operations change neither the presence of its component nor its list of fields; else it
//! is the component.

use std::sync::Arc;

use crate::model::{Components, Fields, Finding, Name, OpKind, Ops, RemovePath, Seg};

use super::vocabulary::Vocabulary;

/// A part of a definition.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Part {
    pub component: Name,
    /// The field, which a schema declares; `None` for the whole component.
    pub field: Option<Name>,
}

/// The effect of operations on the presence of a component.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Gives,
    Takes,
    Leaves,
}

/// The parts whose operations differ.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Each once. Where a whole component is named, its fields are not.
    pub parts: Vec<Part>,
    /// Whether the set of components, or their order, may differ.
    pub list: bool,
}

impl Changes {
    pub(super) fn is_empty(&self) -> bool {
        self.parts.is_empty() && !self.list
    }

    /// Add a part.
    pub(super) fn meet(&mut self, part: Part) {
        let covers = |it: &Part| it.component == part.component && (it.field.is_none() || it.field == part.field);
        if self.parts.iter().any(covers) {
            return;
        }
        if part.field.is_none() {
            self.parts.retain(|it| it.component != part.component);
        }
        self.parts.push(part);
    }

    pub(super) fn extend(&mut self, others: &Self) {
        others.parts.iter().for_each(|part| self.meet(part.clone()));
        self.list |= others.list;
    }
}

/// The fields that an operation has for a component.
pub(super) fn declared_in<'o>(values: &'o Components, component: &str) -> Option<&'o Fields> {
    // Mostly there are one or two, and looking at those is quicker than hashing.
    const FEW: usize = 8;
    if values.len() > FEW {
        return values.get(component);
    }
    values.iter().find(|(name, _)| ***name == *component).map(|(_, fields)| fields)
}

/// The components that operations name, in the order they are first named. Entries of `remove` that cannot be read name
/// none.
pub(super) fn touched(ops: &Ops) -> Vec<Name> {
    let mut out: Vec<Name> = Vec::with_capacity(4);
    let removed = ops.remove.iter().filter_map(|entry| Some(RemovePath::parse(entry).ok()?.component));
    removed.for_each(|name| {
        if !out.contains(&name) {
            out.push(name);
        }
    });
    for name in OpKind::VALUED.iter().filter_map(|op| ops.values(*op)).flat_map(|values| values.keys()) {
        if !out.iter().any(|known| Arc::ptr_eq(known, name) || known == name) {
            out.push(name.clone());
        }
    }
    out
}

/// Every component that operations name, in the order they are first named, with the effect on its presence.
pub(super) fn effects(ops: &Ops) -> Vec<(Name, Effect)> {
    let gives =
        |name: &Name| OpKind::VALUED.iter().filter_map(|op| ops.values(*op)).any(|it| declared_in(it, name).is_some());
    let takes = |name: &Name| {
        let paths = ops.remove.iter().filter_map(|entry| RemovePath::parse(entry).ok());
        paths.into_iter().any(|path| path.component == *name && path.steps.is_empty())
    };
    let effect = |name: &Name| match name {
        name if gives(name) => Effect::Gives,
        name if takes(name) => Effect::Takes,
        _ => Effect::Leaves,
    };
    touched(ops).into_iter().map(|name| (name.clone(), effect(&name))).collect()
}

/// The parts whose operations differ between `before` and `now`.
pub(super) fn changes(vocabulary: &Vocabulary, before: &Ops, now: &Ops) -> Changes {
    let (old, new) = (effects(before), effects(now));
    let mut out = Changes { parts: Vec::new(), list: old != new };
    let effect_of =
        |of: &[(Name, Effect)], name: &Name| of.iter().find(|(it, _)| it == name).map(|(_, effect)| *effect);
    for (name, effect) in &old {
        if effect_of(&new, name) != Some(*effect) {
            out.meet(Part { component: name.clone(), field: None });
        }
    }
    for (name, _) in &new {
        match effect_of(&old, name) {
            None => out.meet(Part { component: name.clone(), field: None }),
            Some(_) => in_component(vocabulary, before, now, name, &mut out),
        }
    }
    // An entry of `remove` is identified by its index, which a new entry shifts for all that follow.
    let same = before.remove.iter().zip(&now.remove).take_while(|(a, b)| a == b).count();
    for entry in before.remove.iter().skip(same).chain(now.remove.iter().skip(same)) {
        if let Ok(path) = RemovePath::parse(entry) {
            let field = path.field().filter(|field| vocabulary.declares(&path.component, field)).cloned();
            out.meet(Part { component: path.component, field });
        }
    }
    out
}

/// The fields of a component whose operations differ.
fn in_component(vocabulary: &Vocabulary, before: &Ops, now: &Ops, component: &Name, out: &mut Changes) {
    // An empty entry gets a hint that depends on whether the component is inherited.
    let names_it_only =
        |ops: &Ops| OpKind::VALUED.iter().any(|op| ops_of(ops, *op, component).is_some_and(Fields::is_empty));
    let is_whole = names_it_only(before) || names_it_only(now);
    for op in OpKind::VALUED {
        let of = |ops: &'_ Ops| ops.values(op).and_then(|values: &Components| declared_in(values, component)).cloned();
        let (old, new) = match (ops_of(before, op, component), ops_of(now, op, component)) {
            (None, None) => continue,
            (Some(old), Some(new)) if old.iter().eq(new) => continue,
            _ => (of(before), of(now)),
        };
        let is_field = |name: &Name| vocabulary.declares(component, name);
        // Fields without a declaration are ordered by first use.
        let is_plain = |declared: &Option<Fields>| declared.as_ref().is_none_or(|it| it.keys().all(is_field));
        if is_whole || !is_plain(&old) || !is_plain(&new) {
            out.meet(Part { component: component.clone(), field: None });
            return;
        }
        let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
        let names = old.keys().chain(new.keys().filter(|name| !old.contains_key(*name)));
        for name in names.filter(|name| old.get(*name) != new.get(*name)) {
            out.meet(Part { component: component.clone(), field: Some(name.clone()) });
        }
    }
}

fn ops_of<'o>(ops: &'o Ops, op: OpKind, component: &str) -> Option<&'o Fields> {
    declared_in(ops.values(op)?, component)
}

/// Whether operations may affect a component.
pub(super) fn names_component(ops: &Ops, component: &Name) -> bool {
    OpKind::VALUED.iter().any(|op| ops_of(ops, *op, component).is_some())
        || ops.remove.iter().any(|entry| entry.trim_start().starts_with(&**component))
}

/// How many fields of a component operations name.
pub(super) fn count(ops: &Ops, component: &Name) -> usize {
    OpKind::VALUED.iter().filter_map(|op| ops_of(ops, *op, component)).map(Fields::len).sum()
}

/// Whether a finding about a definition's operations is about a part.
pub(super) fn is_about(finding: &Finding, ops: &Ops, part: &Part) -> bool {
    match finding.location.path.0.as_slice() {
        [_, Seg::Key(op), Seg::Index(i)] if op == OpKind::Remove.name() => {
            let path = ops.remove.get(*i).and_then(|entry| RemovePath::parse(entry).ok());
            path.is_some_and(|path| {
                path.component == part.component && (part.field.is_none() || path.field() == part.field.as_ref())
            })
        }
        [_, Seg::Key(op), Seg::Key(component), rest @ ..] if **op != *"inherits" => {
            let field = if let Some(Seg::Key(field)) = rest.first() { Some(field) } else { None };
            *component == part.component && (part.field.is_none() || field == part.field.as_ref())
        }
        _ => false,
    }
}

/// Put findings about a definition in the order in which applying everything finds them: those about its place in the
/// hierarchy, entries of `remove` that cannot be read, then by component as first named, by operation and by field.
pub(super) fn sort_findings(findings: &mut [Finding], ops: &Ops) {
    if findings.len() < 2 {
        return;
    }
    let order = touched(ops);
    let of = |component: &Name| order.iter().position(|it| it == component).unwrap_or(order.len());
    findings.sort_by_cached_key(|finding| match finding.location.path.0.as_slice() {
        [_, Seg::Key(op), Seg::Index(i)] if op == OpKind::Remove.name() => {
            match ops.remove.get(*i).map(|entry| RemovePath::parse(entry)) {
                Some(Ok(path)) => (2, of(&path.component), 0, *i),
                _ => (1, 0, 0, *i),
            }
        }
        [_, Seg::Key(op), Seg::Key(component), rest @ ..] => {
            let at = OpKind::VALUED.iter().position(|it| it.name() == op);
            let declared = at.and_then(|at| ops_of(ops, OpKind::VALUED[at], component));
            let field = match (declared, rest.first()) {
                (Some(declared), Some(Seg::Key(field))) => declared.get_index_of(field).map_or(0, |at| at + 1),
                _ => 0,
            };
            (2, of(component), at.map_or(0, |at| at + 1), field)
        }
        _ => (0, 0, 0, 0),
    });
}
