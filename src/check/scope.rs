//! What has to be looked at: everything, or only what may have other problems than when it was last looked at.
//!
//! Definitions and what stands in levels are many, and an edit changes a few of them. So they are looked at again only
//! when they changed, by themselves or by what they inherit. What there is little of (machines, scenarios, tilesets, …)
//! is looked at every time.
//!
//! Invariant: what a rule finds in a definition or a level follows from it, from its resolution, and from its
//! [surroundings](Seen::same_surroundings); when these are others, everything is looked at again.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    sync::Arc,
};

use super::walks::routes;
use crate::{
    defs::Resolution,
    explain::RouteUse,
    model::{DocPath, Document, Location, Name, Project, Seg},
};

/// The files of a project that rules look at beside its documents: images with width and height in pixels, sounds with
/// none of either; for those that cannot be read, why, or an empty text where the file itself is already reported.
/// Those that the project names are decoded to know that. A document that cannot be read is among them: what is in it
/// may be missed elsewhere, and its own problems give the reason.
pub type Images = BTreeMap<DocPath, Result<[u32; 2], Arc<str>>>;

/// The definitions and levels that are looked at.
pub(super) enum Scope {
    Everything,
    /// These, and all that is neither a definition nor a level.
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

    /// Whether what is at a place is looked at.
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

/// All that was there when a project was looked at.
#[derive(Clone)]
pub(super) struct Seen {
    documents: BTreeMap<DocPath, Arc<Document>>,
    resolution: Resolution,
    images: Option<Arc<Images>>,
    /// Names of layers with waypoints, in any level.
    waypoint_layers: BTreeSet<Name>,
    /// The waypoints that each machine follows.
    routes: BTreeMap<Name, Vec<RouteUse>>,
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
            routes: routes(project, resolution),
            waypoint_layers: layers.filter(|it| it.waypoints().is_some()).map(|it| it.name.clone()).collect(),
        }
    }

    /// What has to be looked at now, when everything was looked at `before`.
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
        // Of those that cannot be resolved, the fixes depend on what their ancestors are.
        let all = || now.def_docs.keys();
        let unresolved = all().filter(|name| now.def_docs.len() > now.defs.len() && !now.defs.contains_key(*name));
        let changed = now.changed_since(old);
        for name in changed.iter().copied().chain(unresolved) {
            let abstractness = |of: &Resolution| of.defs.get(name).map(|def| def.is_abstract);
            // Into what it breaks may close a circle that is a problem of others.
            let pieces = |of: &Resolution| of.defs.get(name).and_then(|def| def.get("Breakable", "pieces").cloned());
            if abstractness(now) != abstractness(old) || pieces(now) != pieces(old) {
                return Scope::Everything;
            }
            let docs = now.docs_of(name).iter().chain(old.docs_of(name));
            defs.extend(docs.map(|doc| (doc.clone(), name.clone())));
        }
        // Placed entities are what their definitions make of them.
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

    /// Whether everything else that rules read is the same: which documents there are, all names, the inheritance
    /// graph, the vocabulary, the constants, the tiles, the waypoint layers and who follows them, the images.
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
            && self.routes == before.routes
            && match (&self.images, &before.images) {
                (Some(a), Some(b)) => Arc::ptr_eq(a, b),
                (a, b) => a.is_none() && b.is_none(),
            }
    }
}
