//! INHERITANCE: what definitions and placed entities amount to.
//!
//! Invariant: nothing here mutates the project and nothing fails; what cannot be resolved is left out with a finding and
//! everything else keeps working. Which findings are shown, and how they are mended, is `check`.

mod resolved;

pub use resolved::{Badge, Resolved, ResolvedComponent, ResolvedField, Said, Source};

use std::{collections::BTreeMap, sync::Arc};

use crate::model::{DocPath, Finding, Name, Schema, Tunable};

/// Everything derived from a project's names: the merged vocabulary, where each name lives, definitions resolved.
///
/// Made by [`resolve`]; a later call with this one as `previous` redoes only what changed, told by `Arc` identity.
#[derive(Clone, Debug, Default)]
pub struct Resolution {
    /// The built-in vocabulary with the project's own merged in.
    pub schema: Arc<Schema>,
    /// Definitions by name; those that cannot be resolved are missing.
    pub defs: BTreeMap<Name, Arc<Resolved>>,
    /// Where each definition is written, resolvable or not.
    pub def_docs: BTreeMap<Name, DocPath>,
    /// Direct children of each definition, by name.
    pub children: BTreeMap<Name, Vec<Name>>,
    /// Where each machine is written.
    pub machines: BTreeMap<Name, DocPath>,
    /// Where each tileset is.
    pub tilesets: BTreeMap<Name, DocPath>,
    /// Where each level is.
    pub levels: BTreeMap<Name, DocPath>,
    /// Where each scenario is.
    pub scenarios: BTreeMap<Name, DocPath>,
    /// Tuning pages in the order they are shown, built-in ones with the project's values in place.
    pub pages: Vec<ResolvedPage>,
    /// What is wrong with names and inheritance.
    pub findings: Vec<Finding>,
}

/// A tuning page with everyone's say in it.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedPage {
    /// Its name.
    pub name: Name,
    /// Its place among the pages.
    pub order: i64,
    /// Constants in order, with the document that says the value; `None` when it is the built-in default.
    pub values: Vec<(Name, Tunable, Option<DocPath>)>,
}

impl Resolution {
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
}
