//! What a definition or placed entity amounts to, and who said so.
//!
//! Invariant: a field's provenance is never empty, its first entry gives the value its start, and the last entry's
//! `after` is the field's value. What a definition leaves as its parent has it is the parent's, shared by `Arc`. What was
//! there until somebody took it away is not here, but in `history`.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::model::{DocPath, Location, Name, OpKind, Value};

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
    pub order: Vec<Name>,
    /// Components by name: first said, first listed.
    pub components: IndexMap<Name, Arc<ResolvedComponent>>,
}

/// A component with every field its schema declares; fields nobody declared follow as they were said.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResolvedComponent {
    /// The fields.
    pub fields: IndexMap<Name, Arc<ResolvedField>>,
    /// Who first named the component.
    pub said_by: Option<Source>,
}

/// A field's value and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedField {
    /// What it is.
    pub value: Value,
    /// Who made it so, oldest first.
    pub provenance: Vec<Arc<Said>>,
}

/// One contribution to a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Said {
    /// Who.
    pub by: Source,
    /// By which operation; the schema's default counts as `Set`.
    pub op: OpKind,
    /// The operand: the value set, the factor, the summand, the elements appended or removed; for a field that is removed,
    /// its value.
    pub operand: Value,
    /// The value afterwards.
    pub after: Value,
    /// Where it is written; `None` for a default of the built-in schema.
    pub location: Option<Location>,
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

    /// This, sharing with what it was `before` every component that came out the same; `before` itself if all is the same.
    pub(super) fn settled(mut self, before: Option<&Arc<Self>>) -> Arc<Self> {
        let Some(before) = before else { return Arc::new(self) };
        let mut same = (&self.doc, self.is_abstract, &self.order) == (&before.doc, before.is_abstract, &before.order)
            && self.components.keys().eq(before.components.keys());
        for (name, component) in &mut self.components {
            match before.components.get(name) {
                Some(old) if Arc::ptr_eq(old, component) || is_same(old, component) => *component = old.clone(),
                _ => same = false,
            }
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
        match self.provenance.last().map(|said| &said.by) {
            None | Some(Source::Default) => Badge::Default,
            Some(Source::Def(name)) if **name == *owner => Badge::Own,
            Some(Source::Def(_)) => Badge::Inherited,
            Some(Source::Instance(_)) => Badge::Instance,
        }
    }
}

/// Whether two components are equal, in the order of their fields too; fields that are one are not looked into.
fn is_same(a: &ResolvedComponent, b: &ResolvedComponent) -> bool {
    a.said_by == b.said_by
        && a.fields.len() == b.fields.len()
        && a.fields.iter().zip(&b.fields).all(|((a, x), (b, y))| a == b && (Arc::ptr_eq(x, y) || x == y))
}
