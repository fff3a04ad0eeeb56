//! From documents to a [`Resolution`], redoing only what changed: which definitions are touched, which inherit them, in
//! which order they can be resolved, and errors of the graph. Applying operations is in `apply`.
//!
//! Invariant: resolving with a previous resolution gives what resolving without one gives, and definitions that nothing
//! touched keep their pointers. Nothing recurses over data, so no depth of it overflows the stack.

use std::sync::Arc;

use foldhash::HashSet;

use crate::model::{Builtin, DocPath, Document, EntitiesFile, Name, Project};

use super::{
    NameMap, Resolution, SharedMap,
    catalog::ChangedDocument,
    entry::{ChangedEntry, Effort, Entry, Site},
    full::{FullResolve, Task},
    incremental::IncrementalResolve,
};

/// Resolve everything in `project` that has a name. With the resolution of an earlier state as `previous`, only what
/// changed since is done again; the result is the same.
#[must_use]
pub fn resolve(project: &Project, builtin: &Builtin, previous: Option<&Resolution>) -> Resolution {
    let nothing = Resolution::default();
    let old = previous.unwrap_or(&nothing);
    let changes = changed_documents(&old.memo.docs, project);
    let anew = previous.is_none() || *old.memo.builtin != *builtin;
    if changes.is_empty() && !anew {
        return Resolution { effort: Effort::default(), ..old.clone() };
    }

    let mut next = old.clone();
    let catalog = old.memo.catalog.update(project, builtin, &changes, anew);
    let same_vocabulary = Arc::ptr_eq(&catalog.vocabulary, &old.memo.catalog.vocabulary);
    next.schema = catalog.vocabulary.schema.clone();
    next.machines = catalog.machines.docs.clone();
    next.tilesets = catalog.tilesets.docs.clone();
    next.levels = catalog.levels.docs.clone();
    next.scenarios = catalog.scenarios.docs.clone();
    next.stamps = catalog.stamps.docs.clone();
    next.pages.clone_from(&catalog.pages);

    let entries = &old.memo.entries;
    let touched = touched_sites(project, entries, &changes);
    let doc_of = |(name, site): &(Name, Option<Site>)| {
        let doc = site.as_ref().map(Site::doc);
        (doc != old.def_docs.get(name)).then(|| (name.clone(), doc.cloned()))
    };
    next.def_docs.change(touched.iter().filter_map(doc_of).collect());
    move_children(&mut next.children, moved_edges(entries, &touched));

    let resolver = if same_vocabulary && !anew {
        IncrementalResolve::new(&catalog.vocabulary, &next.children, entries, &touched)
    } else {
        None
    };
    let (changed, effort): (Vec<ChangedEntry>, Effort) = match resolver {
        Some(resolver) => resolver.run(),
        None => {
            let tasks = tasks(&next, entries, &touched, !same_vocabulary);
            FullResolve::new(&catalog.vocabulary, &next.def_docs, entries, tasks).resolve()
        }
    };
    next.effort = effort;
    let gone = touched.iter().filter(|(name, site)| site.is_none() && entries.contains_key(name));
    let gone = gone.map(|(name, _)| ChangedEntry { name: name.clone(), entry: None, is_other: true });
    let mut changed: Vec<ChangedEntry> = changed.into_iter().chain(gone).collect();
    changed.sort_by(|a, b| a.name.cmp(&b.name));
    let resolved = |ChangedEntry { name, entry, .. }: &ChangedEntry| {
        (name.clone(), entry.as_ref().and_then(|entry| entry.node.resolved.clone()))
    };
    next.defs.change(changed.iter().filter(|it| it.is_other).map(resolved).collect());
    next.memo.entries.change(changed.into_iter().map(|it| (it.name, it.entry)).collect());

    next.memo.docs.change(changes.iter().map(|change| (change.path.clone(), change.new.cloned())).collect());
    next.memo.catalog = catalog;
    if anew {
        next.memo.builtin = Arc::new(builtin.clone());
    }
    next
}

/// What is to be resolved, by rising name: what is touched and what inherits it, or everything.
fn tasks(
    next: &Resolution,
    entries: &NameMap<Entry>,
    touched: &[(Name, Option<Site>)],
    is_everything: bool,
) -> Vec<Task> {
    let task =
        |(name, site): &(Name, Option<Site>)| Some(Task { name: name.clone(), site: site.clone()?, is_touched: true });
    let mut tasks: Vec<Task> = touched.iter().filter_map(task).collect();
    if tasks.len() == next.def_docs.len() {
        return tasks;
    }
    let mut met: HashSet<Name> = touched.iter().map(|(name, _)| name.clone()).collect();
    let mut add = |name: &Name, is_touched| {
        let entry = entries.get(name).filter(|_| met.insert(name.clone()));
        tasks.extend(entry.map(|entry| Task { name: name.clone(), site: entry.site.clone(), is_touched }));
        entry.is_some()
    };
    let mut open: Vec<Name> = touched.iter().map(|(name, _)| name.clone()).collect();
    if is_everything {
        for name in entries.keys() {
            add(name, true);
        }
    } else if touched.iter().any(|(name, site)| site.is_some() != entries.contains_key(name)) {
        // The advice for a missing parent comes from the names there are.
        let waiting = next.children.iter().filter(|(parent, _)| !next.def_docs.contains_key(*parent));
        for child in waiting.flat_map(|(_, children)| children.iter()) {
            add(child, true);
            open.push(child.clone());
        }
    }
    while let Some(name) = open.pop() {
        open.extend(next.children_of(&name).iter().filter(|child| add(child, false)).cloned());
    }
    tasks.sort_by(|a, b| a.name.cmp(&b.name));
    tasks
}

/// Documents that came, went, or are no longer the same, by path.
fn changed_documents<'a>(old: &'a SharedMap<DocPath, Arc<Document>>, project: &'a Project) -> Vec<ChangedDocument<'a>> {
    let mut changes = Vec::new();
    let mut old = old.iter().peekable();
    for (path, new) in &project.documents {
        while let Some((gone, doc)) = old.next_if(|(before, _)| *before < path) {
            changes.push(ChangedDocument { path: gone, old: Some(doc), new: None });
        }
        let before = old.next_if(|(before, _)| *before == path).map(|(_, doc)| doc);
        if !before.is_some_and(|before| Arc::ptr_eq(before, new)) {
            changes.push(ChangedDocument { path, old: before, new: Some(new) });
        }
    }
    changes.extend(old.map(|(path, doc)| ChangedDocument { path, old: Some(doc), new: None }));
    changes
}

fn definitions(doc: Option<&Arc<Document>>) -> Option<&EntitiesFile> {
    match doc.map(|doc| &**doc) {
        Some(Document::Entities(file)) => Some(file),
        _ => None,
    }
}

/// Definitions that moved or changed, by name, with their new site.
fn touched_sites(
    project: &Project,
    old: &NameMap<Entry>,
    changes: &[ChangedDocument<'_>],
) -> Vec<(Name, Option<Site>)> {
    let mut differing: Vec<(Name, usize)> = Vec::new();
    let none = EntitiesFile::default();
    for (i, change) in changes.iter().enumerate() {
        let [old, new] = [change.old, change.new].map(|doc| definitions(doc).unwrap_or(&none));
        new.differing(old, |name| differing.push((name.clone(), i)));
    }
    differing.sort_unstable();
    differing.dedup();
    let alone: Vec<Arc<[DocPath]>> = changes.iter().map(|change| [change.path.clone()].into()).collect();
    let mut out = Vec::with_capacity(differing.len());
    for group in differing.chunk_by(|(a, _), (b, _)| a == b) {
        let Some((name, first)) = group.first() else { continue };
        let before = old.get(name);
        let known_docs = before.map_or(&[][..], |entry| &entry.site.docs);
        let single = group.len() == 1 && known_docs.iter().all(|doc| doc == changes[*first].path);
        let mut docs: Vec<&DocPath> = Vec::new();
        if !single {
            docs.extend(known_docs.iter().chain(group.iter().map(|(_, i)| changes[*i].path)));
            docs.sort_unstable();
            docs.dedup();
            docs.retain(|doc| project.def(doc, name).is_some());
        }
        let site = match docs.as_slice() {
            _ if single => definitions(changes[*first].new)
                .and_then(|file| file.defs.get(name))
                .map(|def| Site { def: def.clone(), docs: alone[*first].clone() }),
            [] => None,
            [doc, ..] => project
                .def(doc, name)
                .map(|def| Site { def: def.clone(), docs: docs.iter().map(|doc| (*doc).clone()).collect() }),
        };
        out.push((name.clone(), site));
    }
    out
}

/// A parent that gained or lost a child.
struct Edge {
    parent: Name,
    child: Name,
    gained: bool,
}

fn moved_edges(old: &NameMap<Entry>, touched: &[(Name, Option<Site>)]) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (child, site) in touched {
        let before = old.get(child).map_or(&[][..], |entry| &entry.site.def.inherits);
        let after = site.as_ref().map_or(&[][..], |site| &site.def.inherits);
        if before == after {
            continue;
        }
        let mut moved = |from: &[Name], to: &[Name], gained| {
            for parent in from.iter().filter(|parent| !to.contains(parent)) {
                edges.push(Edge { parent: parent.clone(), child: child.clone(), gained });
            }
        };
        moved(before, after, false);
        moved(after, before, true);
    }
    edges.sort_unstable_by(|a, b| (&a.parent, &a.child, a.gained).cmp(&(&b.parent, &b.child, b.gained)));
    edges.dedup_by(|a, b| (&a.parent, &a.child, a.gained) == (&b.parent, &b.child, b.gained));
    edges
}

fn move_children(children: &mut NameMap<Arc<[Name]>>, edges: Vec<Edge>) {
    let mut changes = Vec::new();
    for group in edges.chunk_by(|a, b| a.parent == b.parent) {
        let Some(Edge { parent, .. }) = group.first() else { continue };
        let lost: HashSet<&Name> = group.iter().filter(|edge| !edge.gained).map(|edge| &edge.child).collect();
        let kept = children.get(parent).map_or(&[][..], |children| children);
        let gained = group.iter().filter(|edge| edge.gained).map(|edge| &edge.child);
        let mut now: Vec<Name> = kept.iter().filter(|child| !lost.contains(child)).chain(gained).cloned().collect();
        now.sort_unstable();
        now.dedup();
        changes.push((parent.clone(), (!now.is_empty()).then(|| Arc::from(now))));
    }
    children.change(changes);
}
