//! Live changes: what differs between the project as it is while a level plays and the one that is kept, as a list of
//! changes by place, each of which can be kept or dropped by itself.
//!
//! Invariant: with all changes of the list, one project becomes the other; a change that was kept or dropped is in the
//! list no more.

mod difference;
mod text;
mod transfer;

use std::sync::Arc;

use crate::{
    edit::Refusal,
    io,
    model::{DocPath, Document, FieldPath, Location, Name, Project, Seg, Side, reflect, unsound},
};

/// One live change: a place that is another in the live project than in the kept one.
#[derive(Clone, Debug, PartialEq)]
pub struct LiveChange {
    /// The document.
    pub doc: DocPath,
    /// The place in it, layers by their names; the document itself at the root.
    pub at: FieldPath,
    /// What tells the element of the list at the place apart, where it is about one without a name, as a link of
    /// waypoints.
    pub element: Option<Name>,
    /// What happened to it.
    pub kind: LiveKind,
    /// In words: `goblin g1 moved 60, 100 → 80, 100`.
    pub text: String,
}

/// What happened to a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LiveKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another value.
    Changed,
    /// Its entries are in another order.
    Order,
}

impl LiveChange {
    /// The placed entity or waypoint that it is about, by its id.
    #[must_use]
    pub fn thing(&self) -> Option<&Name> {
        let mut path = self.at.0.as_slice();
        while let [Seg::Key(layers), Seg::Key(_), rest @ ..] = path
            && **layers == *"layers"
        {
            path = rest;
        }
        match path {
            [Seg::Key(things), Seg::Key(id), ..] if matches!(&**things, "entities" | "nodes") => Some(id),
            _ => None,
        }
    }

    /// Where to go to see it: the place itself, or what held it where it is gone.
    #[must_use]
    pub fn location(&self, project: &Project) -> Option<Location> {
        let root = project.doc(&self.doc)?.root();
        let mut at = self.at.clone();
        while reflect::place(root, &at.0).is_none() {
            at.0.pop()?;
        }
        Some(Location::new(self.doc.clone(), reflect::by_index(root, &at)))
    }
}

/// What of `live` is not in `kept`, by document and place.
#[must_use]
pub fn live_changes(kept: &Project, live: &Project) -> Vec<LiveChange> {
    difference::changes(kept, live)
}

/// A project with some of the changes that lead to another one, or back from it.
///
/// # Errors
/// A document would be unusable with these alone.
pub(super) fn with_changes(project: &Project, other: &Project, changes: &[LiveChange]) -> Result<Project, Refusal> {
    let mut out = project.clone();
    for of_doc in changes.chunk_by(|a, b| a.doc == b.doc) {
        let Some(path) = of_doc.first().map(|change| &change.doc) else { continue };
        let (Some(old), Some(source)) = (out.doc(path).cloned(), other.doc(path)) else {
            match other.doc(path) {
                Some(document) => _ = out.documents.insert(path.clone(), document.clone()),
                None => _ = out.documents.remove(path),
            }
            continue;
        };
        let mut new = Document::clone(&old);
        // Orders come last: they are those of all that is there then.
        let (orders, others): (Vec<_>, Vec<_>) = of_doc.iter().partition(|change| change.kind == LiveKind::Order);
        for change in others.into_iter().chain(orders) {
            transfer::take_over(new.root_mut(), source.root(), change);
        }
        let known = unsound(path, &old);
        if let Some((.., message)) = unsound(path, &new).into_iter().find(|found| !known.contains(found)) {
            return Err(Refusal::new(format!("it needs other live changes too: {message}")));
        }
        // The very same document where nothing else differs.
        let new = if io::same(&new, source) { source.clone() } else { Arc::new(new) };
        out.documents.insert(path.clone(), new);
    }
    Ok(out)
}

/// Have documents of one project that are equal to those of another be the very same.
pub(super) fn share(project: &mut Project, other: &Project) {
    for (path, document) in &mut project.documents {
        if let Some(same) = other.doc(path).filter(|it| !Arc::ptr_eq(it, document) && io::same(it, document)) {
            *document = same.clone();
        }
    }
}

/// What becomes of live documents when the kept ones are replaced: changes of both are merged, and where both changed
/// the same the live one stays.
pub(super) fn merged(
    kept: &Project,
    live: &Project,
    documents: &[(DocPath, Option<Arc<Document>>)],
) -> Vec<(DocPath, Option<Arc<Document>>)> {
    // Where a document went whose file another program moved.
    let came_from = |new: &Arc<Document>| {
        let gone = documents.iter().filter(|(_, put)| put.is_none()).map(|(from, _)| from);
        gone.into_iter().find(|from| kept.doc(from).is_some_and(|old| Arc::ptr_eq(old, new)))
    };
    let is_live = |path: &DocPath| !kept.has_same_document(live, path);
    let moved: Vec<&DocPath> = documents.iter().filter_map(|(_, put)| came_from(put.as_ref()?)).collect();
    let mut out = Vec::new();
    for (path, put) in documents {
        let base = kept.doc(path);
        let mine = live.doc(path);
        let document = match put {
            // It goes on at the other place.
            None if moved.contains(&path) => None,
            Some(new) if base.is_none() && mine.is_none() => {
                let from = came_from(new).and_then(|from| live.doc(from));
                Some(from.unwrap_or(new).clone())
            }
            put if !is_live(path) => put.clone(),
            Some(theirs) => mine.map(|mine| {
                let choices = io::Choices::all(Side::Mine);
                io::merge(base.map(|base| &**base), mine, theirs, &choices).document
            }),
            None => mine.cloned(),
        };
        out.push((path.clone(), document));
    }
    out
}
