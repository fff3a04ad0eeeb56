//! A resolved definition or placed entity, with the provenance of each field.
//!
//! Invariant: a field's provenance is never empty, its first entry gives the value its start, and the last entry's
//! `after` is the field's value. What a definition inherits unchanged is shared with its
//! parent by `Arc`. What was removed is not here, but in `history`.

use std::sync::Arc;

use crate::model::{DocPath, FieldPath, Location, Name, OpKind, Seg, Value};

use super::{Named, RemoveStep};

/// A definition or placed entity with inheritance applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The definition's name, or the placed entity's id.
    pub name: Name,
    /// The document that declares it.
    pub doc: DocPath,
    /// Cannot be placed or spawned.
    pub is_abstract: bool,
    /// Every ancestor and itself in the order they are applied, bases first; for a placed entity, those of its
    /// definition.
    pub order: Arc<[Name]>,
    /// Components by name, in the order they are first declared.
    pub components: Named<Arc<ResolvedComponent>>,
}

/// A component with every field its schema declares, then undeclared fields in the order they are first used.
#[derive(Clone, Debug, Default)]
pub struct ResolvedComponent {
    /// The fields.
    pub fields: Named<Arc<ResolvedField>>,
    /// Where the component was first declared.
    pub declared_by: Option<Source>,
}

/// A field's value and its provenance.
#[derive(Clone, Debug)]
pub struct ResolvedField {
    /// The value.
    pub value: Value,
    /// The operations that led to it, oldest first.
    pub provenance: Vec<Arc<AppliedOp>>,
}

// Most are shared with what they are compared with.
impl PartialEq for ResolvedComponent {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.fields == other.fields && self.declared_by == other.declared_by
    }
}

impl PartialEq for ResolvedField {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.value == other.value && self.provenance == other.provenance
    }
}

/// One operation applied to a field.
#[derive(Clone, Debug, PartialEq)]
pub struct AppliedOp {
    /// Where it is declared.
    pub by: Source,
    /// Which operation; the schema's default counts as `Set`.
    pub op: OpKind,
    /// The operand: the value set, the factor, the summand, the elements appended or removed; for a field or a struct's
    /// member that is removed, its value.
    pub operand: Value,
    /// The value afterwards.
    pub after: Value,
    pub(super) place: Place,
}

/// Where an operation is written, in a compact form: there is one for each operation of a project, and few are ever
/// looked up.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// Where the schema declares a default; `None` when it is built in.
    Declared(Option<Location>),
    /// The operation on a field of a component.
    Field { spot: Arc<Spot>, component: Name, field: Name },
    /// An entry of `remove`, and the path from the field to what it removes.
    Entry { spot: Arc<Spot>, index: usize, inside: Arc<[RemoveStep]> },
}

/// Where a definition or placed entity is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub doc: DocPath,
    /// The path to its operations.
    pub base: FieldPath,
}

impl Spot {
    /// The path to an operation, and on from there.
    pub(super) fn path(&self, op: OpKind, more: impl IntoIterator<Item = Seg>) -> FieldPath {
        let mut segs = Vec::with_capacity(self.base.0.len() + 4);
        segs.extend_from_slice(&self.base.0);
        segs.push(Seg::Key(op.name().clone()));
        segs.extend(more);
        FieldPath(segs)
    }
}

impl AppliedOp {
    /// Where it is written; `None` for a default of the built-in schema.
    #[must_use]
    pub fn location(&self) -> Option<Location> {
        let (spot, path) = match &self.place {
            Place::Declared(at) => return at.clone(),
            Place::Field { spot, component, field } => {
                (spot, spot.path(self.op, [Seg::Key(component.clone()), Seg::Key(field.clone())]))
            }
            Place::Entry { spot, index, .. } => (spot, spot.path(OpKind::Remove, [Seg::Index(*index)])),
        };
        Some(Location::new(spot.doc.clone(), path))
    }

    /// The path from the field to what is removed inside it: a struct's member, a map's entry or a list's element.
    /// Empty when the field itself is meant.
    #[must_use]
    pub fn taken(&self) -> &[RemoveStep] {
        if let Place::Entry { inside, .. } = &self.place { inside } else { &[] }
    }

    /// Whether it removes the part of the field at `path`, something that contains it, or something in it.
    #[must_use]
    pub fn takes_of(&self, path: &FieldPath) -> bool {
        let leads = |(step, seg): (&RemoveStep, &Seg)| match (step, seg) {
            (RemoveStep::Field(name), Seg::Key(key)) => name == key,
            (RemoveStep::Item(item), Seg::Key(key)) => item.as_str() == Some(key),
            _ => false,
        };
        self.op == OpKind::Remove && self.taken().iter().zip(&path.0).all(leads)
    }
}

/// Where an operation is declared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The schema's default.
    Default,
    /// A definition.
    Def(Name),
    /// A placed entity.
    Instance(Name),
}

/// Where a field's value comes from, as the inspector's badge shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Badge {
    /// The schema's default.
    Default,
    /// An ancestor declares it.
    Inherited,
    /// This definition declares it.
    Own,
    /// This placed entity declares it.
    Instance,
}

impl Resolved {
    /// A field's value.
    #[must_use]
    pub fn get(&self, component: &str, field: &str) -> Option<&Value> {
        Some(&self.components.get(component)?.fields.get(field)?.value)
    }

    /// A number.
    #[must_use]
    pub fn f64(&self, component: &str, field: &str) -> Option<f64> {
        self.get(component, field)?.as_f64()
    }

    /// Whether the entity has a component.
    #[must_use]
    pub fn has(&self, component: &str) -> bool {
        self.components.contains_key(component)
    }

    /// This, sharing every equal component and field with `before`; `before` itself if all is equal.
    pub(super) fn settled(mut self, before: Option<&Arc<Self>>) -> Arc<Self> {
        let Some(before) = before else { return Arc::new(self) };
        let mut same = (&self.doc, self.is_abstract, &self.order) == (&before.doc, before.is_abstract, &before.order)
            && self.components.names() == before.components.names();
        for (name, component) in self.components.iter_mut() {
            let old = before.components.get(name);
            same &= old.is_some_and(|old| settle(component, old).is_none());
        }
        if same { before.clone() } else { Arc::new(self) }
    }

    /// Whether this is `ancestor` or inherits it.
    #[must_use]
    pub fn is_a(&self, ancestor: &str) -> bool {
        self.order.iter().any(|name| **name == *ancestor)
    }
}

impl ResolvedField {
    /// Where the last operation is declared, seen from `owner`: the definition or placed entity shown.
    #[must_use]
    pub fn badge(&self, owner: &str) -> Badge {
        match self.provenance.last().map(|applied| &applied.by) {
            None | Some(Source::Default) => Badge::Default,
            Some(Source::Def(name)) if **name == *owner => Badge::Own,
            Some(Source::Def(_)) => Badge::Inherited,
            Some(Source::Instance(_)) => Badge::Instance,
        }
    }
}

/// How a component differs from before.
pub(super) enum Difference {
    /// Only in the values or provenance of the fields at these indices.
    Fields(Vec<usize>),
    /// In where it is first declared, or in which fields it has.
    Shape,
}

/// Share every equal field with the component `before`; all of it if all is equal. Returns the difference.
pub(super) fn settle(now: &mut Arc<ResolvedComponent>, before: &Arc<ResolvedComponent>) -> Option<Difference> {
    if Arc::ptr_eq(now, before) {
        return None;
    }
    let has_shape = now.declared_by == before.declared_by && now.fields.names() == before.fields.names();
    let is_same = |(a, b): (&Arc<ResolvedField>, &Arc<ResolvedField>)| Arc::ptr_eq(a, b) || a == b;
    let differing: Vec<usize> = if has_shape {
        let pairs = now.fields.values().zip(before.fields.values());
        pairs.enumerate().filter(|(_, pair)| !is_same(*pair)).map(|(i, _)| i).collect()
    } else {
        Vec::new()
    };
    if has_shape && differing.is_empty() {
        *now = before.clone();
        return None;
    }
    let kept = |(at, (name, field)): (usize, (&Name, &Arc<ResolvedField>))| {
        let old = before.fields.get(name).filter(|old| !Arc::ptr_eq(old, field) && *old == field)?;
        Some((at, old.clone()))
    };
    let kept: Vec<(usize, Arc<ResolvedField>)> = now.fields.iter().enumerate().filter_map(kept).collect();
    if !kept.is_empty() {
        let now = Arc::make_mut(now);
        for (at, old) in kept {
            now.fields.at_mut(at).into_iter().for_each(|field| *field = old.clone());
        }
    }
    Some(if has_shape { Difference::Fields(differing) } else { Difference::Shape })
}
