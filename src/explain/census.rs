//! How many entities of each definition are placed in each level.
//!
//! Invariant: a level that is the same document is not counted again.

use std::{collections::BTreeMap, sync::Arc};

use crate::model::{DocPath, Document, Level, Name, Project};

/// Placed entities counted, by level and definition.
#[derive(Clone, Debug, Default)]
pub struct Census {
    levels: BTreeMap<DocPath, Arc<Count>>,
}

#[derive(Debug)]
struct Count {
    made_from: Arc<Document>,
    placed: BTreeMap<Name, usize>,
}

impl Census {
    /// Count what is placed in `project`; what `before` counted of the same levels is kept.
    #[must_use]
    pub fn of(project: &Project, before: &Self) -> Self {
        let count = |(path, doc): (&DocPath, &Arc<Document>)| {
            let Document::Level(level) = &**doc else { return None };
            let known = before.levels.get(path).filter(|count| Arc::ptr_eq(&count.made_from, doc));
            let fresh = || Arc::new(Count { made_from: doc.clone(), placed: placed_in(level) });
            Some((path.clone(), known.cloned().unwrap_or_else(fresh)))
        };
        Self { levels: project.documents.iter().filter_map(count).collect() }
    }

    /// The levels that hold entities of a definition itself, not of those that inherit it, with how many.
    pub fn placed<'c>(&'c self, def: &'c str) -> impl Iterator<Item = (&'c DocPath, usize)> {
        self.levels.iter().filter_map(move |(path, count)| Some((path, *count.placed.get(def)?)))
    }

    /// Every definition that entities are placed of, also one that there is not, with how many in all levels.
    #[must_use]
    pub fn of_all_levels(&self) -> BTreeMap<&Name, usize> {
        let mut all = BTreeMap::new();
        for (name, n) in self.levels.values().flat_map(|count| &count.placed) {
            *all.entry(name).or_default() += n;
        }
        all
    }
}

fn placed_in(level: &Level) -> BTreeMap<Name, usize> {
    let mut placed = BTreeMap::new();
    for (_, _, instance) in level.entities() {
        *placed.entry(instance.def.clone()).or_default() += 1;
    }
    placed
}
