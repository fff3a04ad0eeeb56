//! A short list of things by name, in the order they were first declared: the components of a definition, the fields of
//! a component. Reads like an `IndexMap`.
//!
//! Invariants: names are unique, and stand beside their values at the same place. The names are shared by all lists
//! that have the same ones in the same order, so that a copy with another value costs one allocation and reference
//! counts. Names are searched one after the other: that is quicker than hashing as long as there are few, and people
//! write few.

use std::{fmt, ops::Index, sync::Arc};

use crate::model::Name;

/// A short list of things by name: see the module.
#[derive(Clone)]
pub struct Named<V> {
    names: Arc<Vec<Name>>,
    values: Vec<V>,
}

/// The entries of a [`Named`] in order.
pub type NamedIter<'a, V> = std::iter::Zip<std::slice::Iter<'a, Name>, std::slice::Iter<'a, V>>;

impl<V> Named<V> {
    /// Values by names that others may share.
    pub(super) fn of(names: Arc<Vec<Name>>, values: Vec<V>) -> Self {
        debug_assert_eq!(names.len(), values.len());
        Self { names, values }
    }

    /// The names, to be shared.
    pub(super) fn names(&self) -> &Arc<Vec<Name>> {
        &self.names
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// At which place a name stands.
    #[must_use]
    pub fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|it| **it == *name)
    }

    /// The value of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&V> {
        self.values.get(self.position(name)?)
    }

    /// The value at a place.
    pub(super) fn at(&self, at: usize) -> Option<&V> {
        self.values.get(at)
    }

    /// The value at a place, to change.
    pub(super) fn at_mut(&mut self, at: usize) -> Option<&mut V> {
        self.values.get_mut(at)
    }

    /// The value of a name, to change.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut V> {
        let at = self.position(name)?;
        self.values.get_mut(at)
    }

    /// Whether a name is there.
    #[must_use]
    pub fn contains_key(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// The names in order.
    pub fn keys(&self) -> std::slice::Iter<'_, Name> {
        self.names.iter()
    }

    /// The values in order.
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.values.iter()
    }

    /// The entries in order.
    pub fn iter(&self) -> NamedIter<'_, V> {
        self.names.iter().zip(&self.values)
    }

    /// The entries in order, values to change.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = (&Name, &mut V)> {
        self.names.iter().zip(&mut self.values)
    }

    /// Give a name a value, at the end unless it has one; returns the one it had.
    pub fn insert(&mut self, name: Name, value: V) -> Option<V> {
        match self.position(&name) {
            Some(at) => self.values.get_mut(at).map(|old| std::mem::replace(old, value)),
            None => {
                Arc::make_mut(&mut self.names).push(name);
                self.values.push(value);
                None
            }
        }
    }

    /// Take a name away, keeping the order of the others; returns the value it had.
    pub fn shift_remove(&mut self, name: &str) -> Option<V> {
        let at = self.position(name)?;
        Arc::make_mut(&mut self.names).remove(at);
        Some(self.values.remove(at))
    }
}

impl<V> Default for Named<V> {
    fn default() -> Self {
        Self { names: Arc::default(), values: Vec::new() }
    }
}

impl<'a, V> IntoIterator for &'a Named<V> {
    type Item = (&'a Name, &'a V);
    type IntoIter = NamedIter<'a, V>;
    fn into_iter(self) -> NamedIter<'a, V> {
        self.iter()
    }
}

impl<V> FromIterator<(Name, V)> for Named<V> {
    fn from_iter<I: IntoIterator<Item = (Name, V)>>(entries: I) -> Self {
        let mut list = Self::default();
        entries.into_iter().for_each(|(name, value)| drop(list.insert(name, value)));
        list
    }
}

impl<V> Index<&str> for Named<V> {
    type Output = V;

    /// # Panics
    /// When the name is not there; for tests. Use [`Named::get`].
    #[expect(clippy::expect_used, reason = "indexing panics on a missing key, as every map's does")]
    fn index(&self, name: &str) -> &V {
        self.get(name).expect("no such name")
    }
}

/// Equal when the same names have equal values, in whatever order.
impl<T> Named<Arc<T>> {
    /// Whether another list has the same things under the same names, in the same order.
    #[must_use]
    pub fn is_shared_with(&self, other: &Self) -> bool {
        let is_same = |(a, b): (&Arc<T>, &Arc<T>)| Arc::ptr_eq(a, b);
        self.len() == other.len()
            && (Arc::ptr_eq(&self.names, &other.names) || self.names == other.names)
            && self.values.iter().zip(&other.values).all(is_same)
    }
}

impl<V: PartialEq> PartialEq for Named<V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && (Arc::ptr_eq(&self.names, &other.names) && self.values == other.values
                || self.iter().all(|(name, value)| other.get(name) == Some(value)))
    }
}

impl<V: fmt::Debug> fmt::Debug for Named<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
