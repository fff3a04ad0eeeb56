//! Every definition of a project with its place in the tree of first parents.
//!
//! Invariant: entries stand in the order a tree is read, so what inherits an entry by first parents stands right after
//! it: the next `n_below`. An outline is made anew only when a name, a parent or what is abstract changed; what a
//! definition *says* is not in it.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use crate::model::{DocPath, Document, EntityDef, Name, Project};

/// A definition in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: Name,
    /// The file it is in.
    pub doc: DocPath,
    /// The entry of its first parent.
    pub parent: Option<usize>,
    /// Its further parents: it hangs under the first.
    pub more_parents: Vec<Name>,
    /// Cannot be placed.
    pub is_abstract: bool,
    /// How many ancestors it hangs under.
    pub depth: usize,
    /// How many entries hang under it, near or far.
    pub n_below: usize,
    /// Another file defined this name first; that one counts.
    pub is_repeated: bool,
}

/// The tree of definitions.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    entries: Vec<Entry>,
    by_name: HashMap<Name, usize>,
    made_from: Vec<(DocPath, Arc<Document>)>,
}

impl Outline {
    /// The outline of a project; `before` itself when the tree is still the same.
    #[must_use]
    pub fn of(project: &Project, before: Option<&Arc<Self>>) -> Arc<Self> {
        if let Some(before) = before.filter(|before| before.is_of(project)) {
            return before.clone();
        }
        let files = project.documents.iter().filter(|(_, doc)| matches!(***doc, Document::Entities(_)));
        let made_from: Vec<_> = files.map(|(path, doc)| (path.clone(), doc.clone())).collect();
        let (entries, by_name) = arrange(&made_from);
        Arc::new(Self { entries, by_name, made_from })
    }

    /// The definitions in tree order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The index of a definition by name; of several, the one that counts.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Whether the project has the same definitions with the same parents.
    fn is_of(&self, project: &Project) -> bool {
        let mut known = self.made_from.iter();
        for (path, doc) in &project.documents {
            let Document::Entities(file) = &**doc else { continue };
            let Some((known_path, known_doc)) = known.next() else { return false };
            if known_path != path {
                return false;
            }
            if Arc::ptr_eq(doc, known_doc) {
                continue;
            }
            let Document::Entities(known_file) = &**known_doc else { return false };
            let same = |(a, x): (&Name, &Arc<EntityDef>), (b, y): (&Name, &Arc<EntityDef>)| {
                a == b && (Arc::ptr_eq(x, y) || (&x.inherits, x.is_abstract) == (&y.inherits, y.is_abstract))
            };
            if file.defs.len() != known_file.defs.len()
                || !file.defs.iter().zip(&known_file.defs).all(|(a, b)| same(a, b))
            {
                return false;
            }
        }
        known.next().is_none()
    }
}

fn arrange(files: &[(DocPath, Arc<Document>)]) -> (Vec<Entry>, HashMap<Name, usize>) {
    let mut defs: Vec<(&DocPath, &Name, &EntityDef)> = Vec::new();
    for (path, doc) in files {
        if let Document::Entities(file) = &**doc {
            defs.extend(file.defs.iter().map(|(name, def)| (path, name, &**def)));
        }
    }
    // The first place that declares a name is the one that counts: documents come by rising path.
    let mut first: HashMap<&Name, usize> = HashMap::with_capacity(defs.len());
    for (i, (_, name, _)) in defs.iter().enumerate() {
        first.entry(name).or_insert(i);
    }
    let mut children: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut roots = Vec::new();
    for (i, (_, name, def)) in defs.iter().enumerate() {
        match def.inherits.first().and_then(|parent| first.get(parent)).filter(|parent| **parent != i) {
            Some(parent) if first.get(name) == Some(&i) => children.entry(*parent).or_default().push(i),
            _ => roots.push(i),
        }
    }
    let by_name = |a: &usize, b: &usize| (defs[*a].1, defs[*a].0).cmp(&(defs[*b].1, defs[*b].0));
    roots.sort_by(by_name);
    children.values_mut().for_each(|all| all.sort_by(by_name));

    let mut entries: Vec<Entry> = Vec::with_capacity(defs.len());
    let mut is_placed = vec![false; defs.len()];
    let mut place = |root: usize, entries: &mut Vec<Entry>| {
        let mut open = vec![(root, None, 0)];
        while let Some((i, parent, depth)) = open.pop() {
            if std::mem::replace(&mut is_placed[i], true) {
                continue;
            }
            let (doc, name, def) = defs[i];
            let at = entries.len();
            entries.push(Entry {
                name: name.clone(),
                doc: doc.clone(),
                parent,
                more_parents: def.inherits.iter().skip(1).cloned().collect(),
                is_abstract: def.is_abstract,
                depth,
                n_below: 0,
                is_repeated: first.get(name) != Some(&i),
            });
            let below = children.get(&i).into_iter().flatten().rev();
            open.extend(below.map(|child| (*child, Some(at), depth + 1)));
        }
    };
    for root in roots {
        place(root, &mut entries);
    }
    // Definitions of an inheritance cycle hang under no root: each cycle is cut at one of its members.
    let mut rest: Vec<usize> = (0..defs.len()).collect();
    rest.sort_by(by_name);
    for i in rest {
        place(i, &mut entries);
    }
    for i in (0..entries.len()).rev() {
        if let Some(parent) = entries[i].parent {
            entries[parent].n_below += entries[i].n_below + 1;
        }
    }
    let counting = entries.iter().enumerate().filter(|(_, entry)| !entry.is_repeated);
    let index = counting.map(|(i, entry)| (entry.name.clone(), i)).collect();
    (entries, index)
}
