//! A problem: a finding, and what would mend it.

use crate::{edit::Edit, model::Finding};

use super::input::Input;

/// Something wrong, with the quick fixes there are; the first is the likeliest.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What and where.
    pub finding: Finding,
    /// Ways to mend it, each complete by itself.
    pub fixes: Vec<Fix>,
}

/// A way to mend a problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Fix {
    /// What it does, as a button says it: `Rename to goblin`.
    pub label: String,
    /// The changes, made in order as one step.
    pub edits: Vec<Edit>,
    /// Whether it changes nothing that the game can tell, so that it may be applied without asking.
    pub safe: bool,
}

impl Fix {
    /// A fix by one edit that somebody has to choose.
    #[must_use]
    pub fn new(label: impl Into<String>, edit: Edit) -> Self {
        Self { label: label.into(), edits: vec![edit], safe: false }
    }

    /// The same, safe to apply without asking.
    #[must_use]
    pub fn safe(self) -> Self {
        Self { safe: true, ..self }
    }
}

impl Problem {
    /// A problem without a quick fix.
    #[must_use]
    pub fn new(finding: Finding) -> Self {
        Self { finding, fixes: Vec::new() }
    }

    /// The same with fixes.
    #[must_use]
    pub fn with(mut self, fixes: impl IntoIterator<Item = Fix>) -> Self {
        self.fixes.extend(fixes);
        self
    }
}

/// Something that is looked for.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Lowercase with dashes, as findings carry it.
    pub name: &'static str,
    /// What it finds, in a sentence.
    pub doc: &'static str,
    pub(super) check: fn(&Input<'_>, &mut Vec<Problem>),
}

impl Rule {
    pub(super) fn check(&self, input: &Input<'_>, out: &mut Vec<Problem>) {
        (self.check)(input, out);
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Rule").field(&self.name).finish()
    }
}
