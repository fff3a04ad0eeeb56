//! A whole number that was scaled or added to, with a result that is not whole.

use crate::check::{Problem, Rule, input::Input};

pub(super) const RULE: Rule =
    Rule { name: "rounded", doc: "A whole number was scaled or added to, and the result had to be rounded.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        let reset = input.declared_at(&finding.location).and_then(|declared| declared.reset());
        out.push(Problem::new(finding.clone()).with(reset));
    }
}
