//! The scope of a check: the whole project, or the documents whose problems may differ from the last check.
//!
//! There are many definitions and placed entities, and an edit changes few of them. So they are checked again only if
//! they changed, by themselves or through their ancestors. Other documents are few (machines, scenarios, tilesets, …)
//! and are checked every time.
//!
//! Invariant: what a rule finds in a definition or a level follows from it, from its resolution, and from its
//! [surroundings](Seen::same_surroundings); if these differ, everything is checked again.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};

use super::walks::destinations;
use crate::{
    defs::Resolution,
    explain::{Destinations, acted_on},
    model::{DocPath, Document, Location, Name, Project, Seg},
};

/// The files of a project that rules need besides its documents: images with width and height in pixels, sounds with
/// zeros; for files that cannot be read the reason, or an empty text if the file itself is already reported. Files that
/// the project names are decoded for this. Documents that cannot be read are included: names declared in them may be
/// missing elsewhere, and their own problems give the reason.
pub type Images = BTreeMap<DocPath, Result<[u32; 2], Arc<str>>>;

/// The definitions and levels to check.
pub(super) enum Scope {
    Everything,
    /// These, and everything that is neither a definition nor a level.
    Some {
        defs: HashSet<(DocPath, Name)>,
        levels: BTreeSet<DocPath>,
    },
}

impl Scope {
    pub(super) fn has_def(&self, doc: &DocPath, name: &Name) -> bool {
        match self {
            Self::Everything => true,
            Self::Some { defs, .. } => defs.contains(&(doc.clone(), name.clone())),
        }
    }

    pub(super) fn has_level(&self, doc: &DocPath) -> bool {
        match self {
            Self::Everything => true,
            Self::Some { levels, .. } => levels.contains(doc),
        }
    }

    /// Whether the thing at a place is in scope.
    pub(super) fn has(&self, project: &Project, at: &Location) -> bool {
        match project.doc(&at.doc).map(|doc| &**doc) {
            Some(Document::Entities(_)) => match at.path.0.first() {
                Some(Seg::Key(name)) => self.has_def(&at.doc, name),
                _ => true,
            },
            Some(Document::Level(_)) => self.has_level(&at.doc),
            _ => true,
        }
    }
}

/// The state of a project when it was checked.
#[derive(Clone)]
pub(super) struct Seen {
    documents: BTreeMap<DocPath, Arc<Document>>,
    resolution: Resolution,
    images: Option<Arc<Images>>,
    /// Names of waypoint layers, in any level.
    waypoint_layers: BTreeSet<Name>,
    /// Where each machine lets entities go.
    destinations: BTreeMap<Name, Destinations>,
    /// The targets that machines remove or change.
    acted_on: BTreeSet<Name>,
}

impl Seen {
    pub(super) fn of(
        project: &Project,
        resolution: &Resolution,
        images: Option<&Images>,
        before: Option<&Self>,
    ) -> Self {
        let known = before.and_then(|before| before.images.clone());
        let same = known.as_deref() == images;
        let layers = project.levels().flat_map(|(_, level)| level.all_layers());
        Self {
            documents: project.documents.clone(),
            resolution: resolution.clone(),
            images: if same { known } else { images.cloned().map(Arc::new) },
            destinations: destinations(project, resolution),
            acted_on: acted_on(project, resolution),
            waypoint_layers: layers.filter(|it| it.waypoints().is_some()).map(|it| it.name.clone()).collect(),
        }
    }

    /// The scope of a check now, if everything was checked `before`.
    pub(super) fn since(&self, before: &Self) -> Scope {
        if !self.same_surroundings(before) {
            return Scope::Everything;
        }
        let (now, old) = (&self.resolution, &before.resolution);
        let mut defs: HashSet<(DocPath, Name)> = HashSet::new();
        let mut levels = BTreeSet::new();
        for ((doc, document), was) in self.documents.iter().zip(before.documents.values()) {
            match (&**document, &**was) {
                _ if Arc::ptr_eq(document, was) => {}
                (Document::Entities(file), Document::Entities(was)) => {
                    file.differing(was, |name| defs.extend([(doc.clone(), name.clone())]));
                }
                (Document::Level(_), Document::Level(_)) => levels.extend([doc.clone()]),
                (document, was) if document.kind() != was.kind() => return Scope::Everything,
                _ => {}
            }
        }
        // For definitions that cannot be resolved, the fixes depend on their ancestors.
        let all = || now.def_docs.keys();
        let unresolved = all().filter(|name| now.def_docs.len() > now.defs.len() && !now.defs.contains_key(*name));
        let changed = now.changed_since(old);
        for name in changed.iter().copied().chain(unresolved) {
            let abstractness = |of: &Resolution| of.defs.get(name).map(|def| def.is_abstract);
            // Its pieces may close a cycle that is a problem of other definitions.
            let pieces = |of: &Resolution| of.defs.get(name).and_then(|def| def.get("Breakable", "pieces").cloned());
            if abstractness(now) != abstractness(old) || pieces(now) != pieces(old) {
                return Scope::Everything;
            }
            let docs = now.docs_of(name).iter().chain(old.docs_of(name));
            defs.extend(docs.map(|doc| (doc.clone(), name.clone())));
        }
        // Placed entities depend on their definitions.
        let changed: HashSet<&Name> = changed.into_iter().collect();
        for (doc, document) in self.documents.iter().filter(|_| !changed.is_empty()) {
            if let Document::Level(level) = &**document
                && level.entities().any(|(_, _, instance)| changed.contains(&instance.def))
            {
                levels.insert(doc.clone());
            }
        }
        Scope::Some { defs, levels }
    }

    /// Whether everything else that rules read is unchanged: the list of documents, all names, the inheritance graph,
    /// the vocabulary, the constants, the tiles, the waypoint layers and the agents on them, the images.
    fn same_surroundings(&self, before: &Self) -> bool {
        let (now, old) = (&self.resolution, &before.resolution);
        let same_pages = now.pages.len() == old.pages.len()
            && now.pages.iter().zip(&old.pages).all(|(a, b)| Arc::ptr_eq(a, b) || a == b);
        let tilesets = |seen: &Self| -> Vec<*const Document> {
            let tilesets = seen.documents.values().filter(|doc| matches!(***doc, Document::Tileset(_)));
            tilesets.map(Arc::as_ptr).collect()
        };
        Arc::ptr_eq(&now.schema, &old.schema)
            && Arc::ptr_eq(now.builtin(), old.builtin())
            && same_pages
            && self.documents.keys().eq(before.documents.keys())
            && (&now.def_docs, &now.children) == (&old.def_docs, &old.children)
            && [&now.machines, &now.tilesets, &now.levels, &now.scenarios]
                == [&old.machines, &old.tilesets, &old.levels, &old.scenarios]
            && tilesets(self) == tilesets(before)
            && self.waypoint_layers == before.waypoint_layers
            && (&self.destinations, &self.acted_on) == (&before.destinations, &before.acted_on)
            && match (&self.images, &before.images) {
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                (a, b) => a.is_none() && b.is_none(),
            }
    }
}
