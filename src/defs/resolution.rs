//! The result of resolving: everything derived from a project's names, and what a later resolve needs to find what
//! changed.

use std::{collections::BTreeSet, fmt, sync::Arc};

use crate::model::{Builtin, DocPath, Document, EntityDef, Finding, Name, Schema, Tunable};

use super::{
    NameMap, Resolved, ResolvedPage, SharedMap,
    catalog::Catalog,
    entry::{Effort, Entry, Site},
    vocabulary::Vocabulary,
};

/// Everything derived from a project's names: the merged vocabulary, where each name lives, definitions resolved.
///
/// Made by [`resolve`](super::resolve()); a later call with this one as `previous` redoes only what changed, compared
/// by `Arc` identity. What did not change keeps its pointers, so code that derives more from it can do the same.
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    /// The built-in vocabulary with the project's own merged in.
    pub schema: Arc<Schema>,
    /// Definitions by name; those that cannot be resolved are missing.
    pub defs: NameMap<Arc<Resolved>>,
    /// Where each definition is written, resolvable or not; the first place when there are several.
    pub def_docs: NameMap<DocPath>,
    /// Direct children of each definition, by name. A parent that is missing has its children here too.
    pub children: NameMap<Arc<[Name]>>,
    /// Where each machine is written.
    pub machines: NameMap<DocPath>,
    /// Where each tileset is.
    pub tilesets: NameMap<DocPath>,
    /// Where each level is.
    pub levels: NameMap<DocPath>,
    /// Where each scenario is.
    pub scenarios: NameMap<DocPath>,
    /// Where each stamp is.
    pub stamps: NameMap<DocPath>,
    /// Tuning pages in the order they are shown, built-in ones with the project's values in place.
    pub pages: Vec<Arc<ResolvedPage>>,
    pub(super) effort: Effort,
    pub(super) memo: Memo,
}

/// What a later [`resolve`](super::resolve()) needs to find what changed.
#[derive(Clone, Default)]
pub(super) struct Memo {
    pub(super) builtin: Arc<Builtin>,
    pub(super) docs: SharedMap<DocPath, Arc<Document>>,
    pub(super) catalog: Catalog,
    pub(super) entries: NameMap<Entry>,
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Memo({} documents, {} definitions)", self.docs.len(), self.entries.len())
    }
}

impl Resolution {
    /// The effort of the last resolve.
    #[must_use]
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// A constant by `Page.name`.
    #[must_use]
    pub fn tunable(&self, path: &str) -> Option<&Tunable> {
        let (page, name) = path.split_once('.')?;
        let page = self.pages.iter().find(|p| &*p.name == page)?;
        page.values.iter().find(|(n, ..)| &**n == name).map(|(_, tunable, _)| tunable)
    }

    /// A constant that is a number.
    #[must_use]
    pub fn tuning_f64(&self, path: &str) -> Option<f64> {
        self.tunable(path)?.value.as_f64()
    }

    /// The definitions that name `name` as a parent, by name.
    #[must_use]
    pub fn children_of(&self, name: &str) -> &[Name] {
        self.children.get(name).map_or(&[], |children| children)
    }

    /// Every definition that inherits `name`, near or far, by name; without itself. Safe on cycles.
    #[must_use]
    pub fn descendants(&self, name: &str) -> Vec<Name> {
        let mut found = BTreeSet::new();
        let mut open: Vec<&Name> = self.children_of(name).iter().collect();
        while let Some(next) = open.pop() {
            if &**next != name && found.insert(next.clone()) {
                open.extend(self.children_of(next));
            }
        }
        found.into_iter().collect()
    }

    /// Whether definition `name` is `ancestor` or inherits it. False when it cannot be resolved.
    #[must_use]
    pub fn is_a(&self, name: &str, ancestor: &str) -> bool {
        self.defs.get(name).is_some_and(|resolved| resolved.is_a(ancestor))
    }
}

/// A definition as written and as resolved.
#[derive(Clone, Copy, Debug)]
pub struct Written<'a> {
    /// Its name.
    pub name: &'a Name,
    /// Every document that has one of the name; the first counts.
    pub docs: &'a [DocPath],
    /// The content of the one that counts.
    pub def: &'a Arc<EntityDef>,
    /// The resolved definition, unless it cannot be resolved.
    pub resolved: Option<&'a Arc<Resolved>>,
    /// What is wrong with it, wherever it is written.
    pub findings: &'a [Finding],
}

impl Resolution {
    /// Every definition by name, resolvable or not.
    pub fn written(&self) -> impl Iterator<Item = Written<'_>> {
        self.memo.entries.iter().map(|(name, entry)| {
            let (Site { def, docs }, resolved) = (&entry.site, entry.node.resolved.as_ref());
            Written { name, docs, def, resolved, findings: entry.findings() }
        })
    }

    pub(super) fn vocabulary(&self) -> &Vocabulary {
        &self.memo.catalog.vocabulary
    }

    /// Where a definition is written.
    pub(super) fn site(&self, name: &str) -> Option<&Site> {
        self.memo.entries.get(name).map(|entry| &entry.site)
    }

    /// What is wrong with names and inheritance.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.name_findings().chain(self.memo.entries.values().flat_map(Entry::findings))
    }

    /// What is wrong with the names of everything but definitions.
    pub fn name_findings(&self) -> impl Iterator<Item = &Finding> {
        self.memo.catalog.findings()
    }

    /// What is wrong with a definition, wherever it is written.
    #[must_use]
    pub fn findings_of(&self, name: &str) -> &[Finding] {
        self.memo.entries.get(name).map_or(&[], Entry::findings)
    }

    /// Every document that has a definition of the name; the first counts.
    #[must_use]
    pub fn docs_of(&self, name: &str) -> &[DocPath] {
        self.site(name).map_or(&[], |site| &site.docs)
    }

    /// The definitions that are written or resolved differently than `before`, or whose findings changed.
    #[must_use]
    pub fn changed_since<'a>(&'a self, before: &'a Self) -> Vec<&'a Name> {
        let entries = self.memo.entries.unshared_with(&before.memo.entries);
        let changed = entries.into_iter().filter(|(_, now, before)| match (now, before) {
            (Some(now), Some(before)) => !now.is_same(before),
            _ => true,
        });
        changed.map(|(name, ..)| name).collect()
    }

    /// The built-in vocabulary and constants it was made with.
    #[must_use]
    pub fn builtin(&self) -> &Arc<Builtin> {
        &self.memo.builtin
    }

    /// Whether an ancestor of a definition is missing or broken, so that it may lack what it should have.
    #[must_use]
    pub fn is_incomplete(&self, name: &str) -> bool {
        self.memo.entries.get(name).is_some_and(|entry| entry.node.incomplete)
    }
}
