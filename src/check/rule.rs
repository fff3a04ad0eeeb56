//! A rule: its name, its description, and the function that checks it.

use std::fmt;

use super::{Problem, input::Input};

/// A rule that is checked.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Lowercase with dashes, as in findings.
    pub name: &'static str,
    /// Its description, as a sentence.
    pub doc: &'static str,
    pub(super) check: fn(&Input<'_>, &mut Vec<Problem>),
}

impl Rule {
    pub(super) fn check(&self, input: &Input<'_>, out: &mut Vec<Problem>) {
        (self.check)(input, out);
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.name).finish()
    }
}
