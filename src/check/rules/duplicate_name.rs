//! Two things of a kind have one name.

use crate::check::{Problem, Rule, input::Input};

pub(super) const RULE: Rule = Rule { name: "duplicate-name", doc: "Two things of a kind have the same name.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    out.extend(input.found(RULE.name).iter().cloned().map(Problem::new));
}
