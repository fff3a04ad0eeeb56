//! Where something is after a project became another: under its own name, or under the one it was given. What was
//! selected and shown is found again by this after a rename, after undo and redo of one, and when another program
//! renamed it.
//!
//! Invariant: a name that still exists is kept. Otherwise the identical thing (by pointer) under a new name is taken,
//! else the new name at the same place; nothing is guessed from the spelling of names.

use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    sync::Arc,
};

use indexmap::IndexMap;

use crate::model::{DocPath, Document, Machine, Name, Project, State};

/// Two states of a project. Thousands of names may be looked up after one step: the comparison made for the first is
/// kept for the others, and is skipped while every name still exists.
#[derive(Debug)]
pub struct Renamed<'p> {
    before: &'p Project,
    after: &'p Project,
    /// The documents that are gone and have another name.
    docs: OnceCell<HashMap<&'p DocPath, &'p DocPath>>,
    /// The new names in a document by the address of the thing they name; documents are keyed by their address, too.
    names: RefCell<HashMap<*const Document, NewNames<'p>>>,
}

type NewNames<'p> = HashMap<*const (), &'p Name>;

impl<'p> Renamed<'p> {
    /// The earlier state and the later one.
    #[must_use]
    pub fn new(before: &'p Project, after: &'p Project) -> Self {
        Self { before, after, docs: OnceCell::new(), names: RefCell::default() }
    }

    /// Where a document is now.
    #[must_use]
    pub fn doc(&self, doc: &DocPath) -> Option<DocPath> {
        if self.after.doc(doc).is_some() {
            return Some(doc.clone());
        }
        self.docs.get_or_init(|| self.moved_docs()).get(doc).map(|to| (*to).clone())
    }

    fn moved_docs(&self) -> HashMap<&'p DocPath, &'p DocPath> {
        let only_in = |here: &'p Project, there: &'p Project| -> Vec<(&'p DocPath, &'p Arc<Document>)> {
            here.documents.iter().filter(|(path, _)| there.doc(path).is_none()).collect()
        };
        let (gone, new) = (only_in(self.before, self.after), only_in(self.after, self.before));
        // Of several that are the very same, the first.
        let same: HashMap<_, _> = new.iter().rev().map(|(path, it)| (Arc::as_ptr(it), *path)).collect();
        // A file that names itself is another document under another name.
        let only = match (gone.as_slice(), new.as_slice()) {
            ([(was, _)], [(is, _)]) if was.folder() == is.folder() => Some(*is),
            _ => None,
        };
        let to = |it: &Arc<Document>| same.get(&Arc::as_ptr(it)).copied().or(only);
        gone.iter().filter_map(|(path, it)| Some((*path, to(it)?))).collect()
    }

    /// Where a definition is now.
    #[must_use]
    pub fn def(&self, doc: &DocPath, name: &Name) -> Option<(DocPath, Name)> {
        self.named(doc, name, |document| match document {
            Document::Entities(file) => Some(&file.defs),
            _ => None,
        })
    }

    /// Where a machine is now.
    #[must_use]
    pub fn machine(&self, doc: &DocPath, name: &Name) -> Option<(DocPath, Name)> {
        self.named(doc, name, |document| match document {
            Document::Machines(file) => Some(&file.machines),
            _ => None,
        })
    }

    fn named<T: 'p>(
        &self,
        doc: &DocPath,
        name: &Name,
        all: impl Fn(&'p Document) -> Option<&'p IndexMap<Name, Arc<T>>>,
    ) -> Option<(DocPath, Name)> {
        let to = self.doc(doc)?;
        let now = self.after.doc(&to)?;
        let after = all(now)?;
        if after.contains_key(name) {
            return Some((to, name.clone()));
        }
        let before = all(self.before.doc(doc)?)?;
        let (at, _, was) = before.get_full(name)?;
        let is_new = |name: &Name| !before.contains_key(name);
        let key = |it: &Arc<T>| Arc::as_ptr(it).cast::<()>();
        let mut names = self.names.borrow_mut();
        let new = names.entry(Arc::as_ptr(now)).or_insert_with(|| {
            // Of several that are the very same, the first.
            after.iter().rev().filter(|(name, _)| is_new(name)).map(|(name, it)| (key(it), name)).collect()
        });
        let there =
            || after.get_index(at).map(|(name, _)| name).filter(|name| is_new(name) && after.len() == before.len());
        Some((to, new.get(&key(was)).copied().or_else(there)?.clone()))
    }

    /// The path of a state of a machine now, given where the machine was and is.
    #[must_use]
    pub fn state(&self, was: (&DocPath, &Name), is: (&DocPath, &Name), state: &str) -> Option<Name> {
        let (old, new) = (self.before.machine(was.0, was.1)?, self.after.machine(is.0, is.1)?);
        if let Some(moved) = reparented(old, new, state) {
            return Some(moved);
        }
        let (mut before, mut after) = (&old.root, &new.root);
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
    pub fn layer(&self, was: &DocPath, is: &DocPath, layer: &Name) -> Option<Name> {
        let (before, after) = (self.before.level(was)?, self.after.level(is)?);
        if after.layer(layer).is_some() {
            return Some(layer.clone());
        }
        let (at, _) = before.layer(layer)?;
        let there = after.nth_layer(at).filter(|_| before.all_layers().len() == after.all_layers().len())?;
        before.layer(&there.name).is_none().then(|| there.name.clone())
    }
}

/// The new path of a state that was moved into or out of a compound: one state is gone, and one new state has the same
/// name.
fn reparented(before: &Machine, after: &Machine, state: &str) -> Option<Name> {
    if state.is_empty() || after.state(state).is_some() {
        return None;
    }
    // The outermost ones: what is inside goes along.
    let only = |of: &Machine, other: &Machine| -> Option<Name> {
        let all = of.paths().into_iter().filter(|path| other.state(path).is_none());
        let mut top: Option<Name> = None;
        for path in all {
            match &top {
                Some(top) if path.strip_prefix(&**top).is_some_and(|rest| rest.starts_with('/')) => {}
                Some(_) => return None,
                None => top = Some(path),
            }
        }
        top
    };
    let (from, to) = (only(before, after)?, only(after, before)?);
    let own = |path: &str| path.rsplit('/').next().map(str::to_owned);
    let rest = state.strip_prefix(&*from).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
    (own(&from) == own(&to)).then(|| format!("{to}{rest}").into())
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
