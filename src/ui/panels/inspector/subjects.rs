//! The things that are shown and edited together, and what they have in common.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::{
    defs::{Badge, Resolved, ResolvedField},
    edit::Owner,
    model::{FieldPath, Name},
};

/// One of the things that are shown, and edited together.
pub(super) struct Subject {
    /// The definition or placed entity that declares the values.
    pub owner: Owner,
    /// The resolved values.
    pub resolved: Arc<Resolved>,
    /// The way to its operations in its document.
    pub base: FieldPath,
}

/// How a field of the first of several things is in the others.
#[derive(Clone, Copy)]
pub(super) struct Alike {
    /// The badge of one that declares it itself; without one, that of the first.
    pub badge: Badge,
    /// Whether another one has another value, or none.
    pub is_mixed: bool,
}

/// Things that are shown together.
pub(super) struct Subjects {
    pub all: Vec<Subject>,
    /// The fields of the first, of the components that all have.
    common: HashMap<Name, HashMap<Name, Alike>>,
}

impl Subjects {
    pub(super) fn new(all: Vec<Subject>) -> Self {
        let Some((first, others)) = all.split_first() else { return Self { all, common: HashMap::new() } };
        // Most of many entities are as one of a few definitions has it.
        let mut seen = HashSet::from([Arc::as_ptr(&first.resolved)]);
        let others: Vec<&Subject> = others.iter().filter(|it| seen.insert(Arc::as_ptr(&it.resolved))).collect();
        let components = first.resolved.components.iter();
        let shared = components.filter(|(name, _)| others.iter().all(|other| other.resolved.has(name)));
        let common = shared.map(|(component, of_first)| {
            let alike = |(field, value): (&Name, &Arc<ResolvedField>)| {
                let badge_of = |it: &&Subject| {
                    let field = it.resolved.components.get(component)?.fields.get(field)?;
                    Some(field.badge(it.owner.name()))
                };
                let badge = value.badge(first.owner.name());
                let is_own = |badge: &Badge| matches!(badge, Badge::Own | Badge::Instance);
                // Of several, one that declares it itself is enough to reset.
                let own = [badge].into_iter().chain(others.iter().filter_map(badge_of)).find(is_own);
                let is_mixed = others.iter().any(|it| it.resolved.get(component, field) != Some(&value.value));
                (field.clone(), Alike { badge: own.unwrap_or(badge), is_mixed })
            };
            (component.clone(), of_first.fields.iter().map(alike).collect())
        });
        let common = common.collect();
        Self { all, common }
    }

    /// Whether all have a component.
    pub(super) fn have(&self, component: &Name) -> bool {
        self.common.contains_key(component)
    }

    /// How a field of the first is in the others.
    pub(super) fn alike(&self, component: &Name, field: &Name) -> Option<Alike> {
        self.common.get(component)?.get(field).copied()
    }
}
