//! Path requests that wait for their turn.
//!
//! Invariant: an entity has one at most. Finding, adding and removing one takes logarithmic time, because each entity
//! that waits asks about its own in each tick.

use std::collections::{BTreeMap, BTreeSet};

use crate::sim::EntityKey;

use super::PathRequest;

/// Requests by turn.
#[derive(Clone, Debug, Default)]
pub(super) struct Queue {
    requests: BTreeMap<i64, (EntityKey, PathRequest)>,
    turns: BTreeMap<EntityKey, i64>,
    /// The turns of those that have not been tried.
    untried: BTreeSet<i64>,
}

impl Queue {
    pub(super) fn contains(&self, key: EntityKey) -> bool {
        self.turns.contains_key(&key)
    }

    /// The requests in turn.
    pub(super) fn iter(&self) -> impl Iterator<Item = &PathRequest> {
        self.requests.values().map(|(_, request)| request)
    }

    /// Add a request behind the others, or in the place of one of the same entity.
    pub(super) fn push(&mut self, key: EntityKey, request: PathRequest) {
        let last = self.requests.last_key_value().map_or(0, |(turn, _)| turn + 1);
        self.insert(key, request, last);
    }

    /// Add a request before all others, or in the place of one of the same entity.
    pub(super) fn push_first(&mut self, key: EntityKey, request: PathRequest) {
        let first = self.requests.first_key_value().map_or(0, |(turn, _)| turn - 1);
        self.insert(key, request, first);
    }

    fn insert(&mut self, key: EntityKey, request: PathRequest, turn: i64) {
        let turn = *self.turns.entry(key).or_insert(turn);
        self.requests.insert(turn, (key, request));
        self.untried.insert(turn);
    }

    /// The first that has not been tried; it keeps its turn, and counts as tried.
    pub(super) fn next_untried(&mut self) -> Option<(EntityKey, PathRequest)> {
        let turn = self.untried.pop_first()?;
        self.requests.get(&turn).cloned()
    }

    /// Take out the first.
    pub(super) fn pop(&mut self) -> Option<(EntityKey, PathRequest)> {
        let (turn, (key, request)) = self.requests.pop_first()?;
        self.untried.remove(&turn);
        self.turns.remove(&key);
        Some((key, request))
    }

    pub(super) fn remove(&mut self, key: EntityKey) {
        if let Some(turn) = self.turns.remove(&key) {
            self.requests.remove(&turn);
            self.untried.remove(&turn);
        }
    }
}
