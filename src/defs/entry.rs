//! A definition with all that is known about it: where it is written, its content, and how it resolved.

use std::sync::Arc;

use crate::model::{DocPath, EntityDef, Finding, Name};

use super::Resolved;

/// The most ancestors a definition may have above it in one line.
pub const MAX_DEPTH: u32 = 64;

/// All that is known about a definition.
#[derive(Clone)]
pub(super) struct Entry {
    pub site: Site,
    pub node: Node,
    /// What is wrong with it; `None` when nothing is.
    pub findings: Option<Arc<[Finding]>>,
}

/// Where a definition is written, and its content.
#[derive(Clone)]
pub(super) struct Site {
    pub def: Arc<EntityDef>,
    /// Every document that has one of the name; the first counts.
    pub docs: Arc<[DocPath]>,
}

/// The result of resolving a definition.
#[derive(Clone)]
pub(super) struct Node {
    /// Definitions above it in the longest line; above [`MAX_DEPTH`] it is not resolved.
    pub depth: u32,
    /// An ancestor is missing or could not be resolved.
    pub incomplete: bool,
    /// The resolved definition, unless it could not be resolved.
    pub resolved: Option<Arc<Resolved>>,
}

/// A definition that changed.
pub(super) struct ChangedEntry {
    pub name: Name,
    /// `None` when it is gone.
    pub entry: Option<Entry>,
    /// Whether its resolution changed.
    pub is_other: bool,
}

impl Entry {
    /// Whether nothing changed, compared by pointers.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.site.def, &other.site.def)
            && self.site.docs == other.site.docs
            && self.node.is_same(&other.node)
            && self.findings == other.findings
    }

    pub(super) fn findings(&self) -> &[Finding] {
        self.findings.as_deref().unwrap_or_default()
    }
}

impl Site {
    /// The document that counts.
    pub(super) fn doc(&self) -> &DocPath {
        &self.docs[0]
    }
}

impl Node {
    /// Whether it is the same, the resolved definition compared by pointer.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let same_resolved = match (&self.resolved, &other.resolved) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (a, b) => a.is_none() && b.is_none(),
        };
        (self.depth, self.incomplete) == (other.depth, other.incomplete) && same_resolved
    }
}

/// The effort of a resolve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Definitions whose inputs changed, resolved as far as those go.
    pub definitions: usize,
    /// Fields that operations were applied to, once for each declarer and value before.
    pub fields: usize,
}
