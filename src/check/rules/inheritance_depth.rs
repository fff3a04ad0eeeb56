//! A definition has too many ancestors above it in one line.

use crate::check::{Problem, Rule, input::Input};

pub(super) const RULE: Rule =
    Rule { name: "inheritance-depth", doc: "A definition has more than 64 ancestors above it in one line.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    out.extend(input.found(RULE.name).iter().cloned().map(Problem::new));
}
