//! What a definition or placed entity amounts to, and who said so.
//!
//! Invariant: a field's provenance is never empty, its first entry gives the value its start, and the last entry's
//! `after` is the field's value. What a definition leaves as its parent has it is the parent's, shared by `Arc`. What was
//! there until somebody took it away is not here, but in `history`.

use std::sync::Arc;

use crate::model::{DocPath, FieldPath, Location, Name, OpKind, Seg, Value};

use super::{Named, Step};

/// A definition or placed entity with inheritance applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// The definition's name, or the placed entity's id.
    pub name: Name,
    /// The document that says it.
    pub doc: DocPath,
    /// Cannot be placed or spawned.
    pub is_abstract: bool,
    /// Every ancestor and itself in the order they are applied, bases first; for a placed entity, those of its definition.
    pub order: Arc<[Name]>,
    /// Components by name: first said, first listed.
    pub components: Named<Arc<ResolvedComponent>>,
}

/// A component with every field its schema declares; fields nobody declared follow as they were said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResolvedComponent {
    /// The fields.
    pub fields: Named<Arc<ResolvedField>>,
    /// Who first named the component.
    pub declared_by: Option<Source>,
}

/// A field's value and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedField {
    /// What it is.
    pub value: Value,
    /// Who made it so, oldest first.
    pub provenance: Vec<Arc<AppliedOp>>,
}

/// One contribution to a field.
#[derive(Clone, Debug, PartialEq)]
pub struct AppliedOp {
    /// Who.
    pub by: Source,
    /// By which operation; the schema's default counts as `Set`.
    pub op: OpKind,
    /// The operand: the value set, the factor, the summand, the elements appended or removed; for a field or a struct's member
    /// that is removed, its value.
    pub operand: Value,
    /// The value afterwards.
    pub after: Value,
    pub(super) place: Place,
}

/// Where something is said, in as few words as possible: there are as many of these as there are words in a project, and few are
/// ever asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Place {
    /// Where the schema declares a default; `None` when it is built in.
    Declared(Option<Location>),
    /// The word about a field of a component.
    Field { spot: Arc<Spot>, component: Name, field: Name },
    /// An entry of `remove`, and the way from the field to what it takes away.
    Entry { spot: Arc<Spot>, index: usize, inside: Arc<[Step]> },
}

/// Where a definition or placed entity is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    pub doc: DocPath,
    /// The way to its operations.
    pub base: FieldPath,
}

impl Spot {
    /// The way to an operation, and on from there.
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

    /// The way from the field to what is taken away inside it: to a struct's member, a map's entry or a list's element. Empty
    /// for what is about the field itself.
    #[must_use]
    pub fn taken(&self) -> &[Step] {
        if let Place::Entry { inside, .. } = &self.place { inside } else { &[] }
    }

    /// Whether it takes away the part of the field at `path`, something it is in, or something in it.
    #[must_use]
    pub fn takes_of(&self, path: &FieldPath) -> bool {
        let leads = |(step, seg): (&Step, &Seg)| match (step, seg) {
            (Step::Field(name), Seg::Key(key)) => name == key,
            (Step::Item(item), Seg::Key(key)) => item.as_str() == Some(key),
            _ => false,
        };
        self.op == OpKind::Remove && self.taken().iter().zip(&path.0).all(leads)
    }
}

/// Who says something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// The schema's default.
    Default,
    /// A definition.
    Def(Name),
    /// A placed entity.
    Instance(Name),
}

/// How a field came to its value, as the inspector's badge tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Badge {
    /// Nobody said anything; the schema's default.
    Default,
    /// An ancestor said it.
    Inherited,
    /// This definition says it.
    Own,
    /// This placed entity says it.
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

    /// This, sharing with what it was `before` every component and field that came out the same; `before` itself if all is
    /// the same.
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
    /// Who had the last word, seen from `owner`: the definition or placed entity shown.
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

/// How a component is other than it was.
pub(super) enum Difference {
    /// In nothing but the values, or the history, of the fields at these places.
    Fields(Vec<usize>),
    /// In who named it first, or in which fields it has.
    Shape,
}

/// Share with what a component was `before` every field that came out the same; all of it if all is the same. Tells what is
/// not the same.
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
