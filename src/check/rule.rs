//! A rule: a name, what it finds, and the function that looks for it.

use std::fmt;

use super::{Problem, input::Input};

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

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.name).finish()
    }
}
