//! INHERITANCE: resolving definitions and placed entities.
//!
//! Invariant: nothing here mutates the project and nothing fails; what cannot be resolved is left out with a finding and
//! everything else keeps working. Which findings are shown, and how they are fixed, is `check`.

mod apply;
mod catalog;
mod declarer;
mod deed;
mod entry;
mod full;
mod history;
mod incremental;
mod instance;
mod linearize;
mod named;
mod overrides;
mod resolve;
mod resolved;
mod shared_map;
mod values;
mod vocabulary;

pub use crate::model::{RemovePath, RemoveStep as Step};
pub use deed::{ComponentHistory, Deed, History, Presence};
pub use entry::MAX_DEPTH;
pub use linearize::{Disorder, linearize};
pub use named::{Named, NamedIter};
pub use resolve::{Written, resolve};
pub use resolved::{AppliedOp, Badge, Resolved, ResolvedComponent, ResolvedField, Source};
pub use shared_map::{NameMap, SharedMap};
pub use values::operated;

use std::{collections::BTreeSet, sync::Arc};

use crate::model::{DocPath, Name, Schema, Tunable};

/// Everything derived from a project's names: the merged vocabulary, where each name lives, definitions resolved.
///
/// Made by [`resolve`]; a later call with this one as `previous` redoes only what changed, compared by `Arc` identity. What
/// did not change keeps its pointers, so whoever derives more from it can do the same.
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
    /// Tuning pages in the order they are shown, built-in ones with the project's values in place.
    pub pages: Vec<Arc<ResolvedPage>>,
    effort: Effort,
    memo: resolve::Memo,
}

/// The effort of a resolve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Definitions whose inputs changed, resolved as far as those go.
    pub definitions: usize,
    /// Fields that operations were applied to, once for each declarer and value before.
    pub fields: usize,
}

/// A tuning page with built-in values and the project's merged.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedPage {
    /// Its name.
    pub name: Name,
    /// Its place among the pages.
    pub order: i64,
    /// Constants in order, with the document that declares the value; `None` when it is the built-in default.
    pub values: Vec<(Name, Tunable, Option<DocPath>)>,
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
