//! Where something is after a project became another: under its own name, or under the one it was given. What was selected
//! and shown is found again by this after a rename, after undo and redo of one, and when another program renamed it.
//!
//! Invariant: what is still there under its name is that. What is not is the very same thing under a new name, or else the
//! new name that stands in its place; nothing is guessed from what names look like.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::model::{DocPath, Document, Name, Project, State};

/// Two states of a project.
#[derive(Clone, Copy, Debug)]
pub struct Renamed<'p> {
    /// Earlier.
    pub before: &'p Project,
    /// Later.
    pub after: &'p Project,
}

impl Renamed<'_> {
    /// Where a document is now.
    #[must_use]
    pub fn doc(self, doc: &DocPath) -> Option<DocPath> {
        if self.after.doc(doc).is_some() {
            return Some(doc.clone());
        }
        let was = self.before.doc(doc)?;
        let not_in = |there: &Project, (path, _): &(&DocPath, &Arc<Document>)| there.doc(path).is_none();
        let new: Vec<_> = self.after.documents.iter().filter(|it| not_in(self.before, it)).collect();
        let same = new.iter().find(|(_, it)| Arc::ptr_eq(it, was));
        // A file that names itself is another document under another name.
        let gone = self.before.documents.iter().filter(|it| not_in(self.after, it)).count();
        let only = new.first().filter(|(path, _)| new.len() == 1 && gone == 1 && path.folder() == doc.folder());
        same.or(only).map(|(path, _)| (*path).clone())
    }

    /// Where a definition is now.
    #[must_use]
    pub fn def(self, doc: &DocPath, name: &Name) -> Option<(DocPath, Name)> {
        self.named(doc, name, |document| match document {
            Document::Entities(file) => Some(&file.defs),
            _ => None,
        })
    }

    /// Where a machine is now.
    #[must_use]
    pub fn machine(self, doc: &DocPath, name: &Name) -> Option<(DocPath, Name)> {
        self.named(doc, name, |document| match document {
            Document::Machines(file) => Some(&file.machines),
            _ => None,
        })
    }

    fn named<T>(
        self,
        doc: &DocPath,
        name: &Name,
        all: impl Fn(&Document) -> Option<&IndexMap<Name, Arc<T>>>,
    ) -> Option<(DocPath, Name)> {
        let to = self.doc(doc)?;
        let after = all(self.after.doc(&to)?)?;
        if after.contains_key(name) {
            return Some((to, name.clone()));
        }
        let before = all(self.before.doc(doc)?)?;
        let (at, _, was) = before.get_full(name)?;
        let is_new = |name: &Name| !before.contains_key(name);
        let same = after.iter().find(|(name, it)| is_new(name) && Arc::ptr_eq(it, was)).map(|(name, _)| name);
        let there =
            || after.get_index(at).map(|(name, _)| name).filter(|name| is_new(name) && after.len() == before.len());
        Some((to, same.or_else(there)?.clone()))
    }

    /// The path of a state of a machine now, given where the machine was and is.
    #[must_use]
    pub fn state(self, was: (&DocPath, &Name), is: (&DocPath, &Name), state: &str) -> Option<Name> {
        let mut before = &self.before.machine(was.0, was.1)?.root;
        let mut after = &self.after.machine(is.0, is.1)?.root;
        let mut path = String::new();
        for name in state.split('/').filter(|name| !name.is_empty()) {
            let name = child(before, after, name)?;
            before = before.states.get(&name.0)?;
            after = after.states.get(&name.1)?;
            path = if path.is_empty() { name.1.to_string() } else { format!("{path}/{}", name.1) };
        }
        Some(path.into())
    }

    /// The name of a level's layer now, given where the level was and is.
    #[must_use]
    pub fn layer(self, was: &DocPath, is: &DocPath, layer: &Name) -> Option<Name> {
        let (before, after) = (self.before.level(was)?, self.after.level(is)?);
        if after.layer(layer).is_some() {
            return Some(layer.clone());
        }
        let (at, _) = before.layer(layer)?;
        let there = after.layers.get(at).filter(|_| before.layers.len() == after.layers.len())?;
        before.layer(&there.name).is_none().then(|| there.name.clone())
    }
}

/// A child state's name before and after.
fn child(before: &State, after: &State, name: &str) -> Option<(Name, Name)> {
    let (at, old, _) = before.states.get_full(name)?;
    if after.states.contains_key(name) {
        return Some((old.clone(), old.clone()));
    }
    let (new, _) = after.states.get_index(at).filter(|_| before.states.len() == after.states.len())?;
    (!before.states.contains_key(new)).then(|| (old.clone(), new.clone()))
}
