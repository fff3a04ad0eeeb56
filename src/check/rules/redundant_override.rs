//! A declared value that equals the inherited one.

use crate::check::{Fix, Problem, Rule, input::Input};

pub(super) const RULE: Rule =
    Rule { name: "redundant-override", doc: "A declared value equals the inherited one.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        // Resetting drops every operation on the field; that is the same only if there is no other.
        let declared = input.declared_at(&finding.location).filter(super::super::input::DeclaredAt::is_all);
        out.push(Problem::new(finding.clone()).with(declared.and_then(|declared| declared.reset()).map(Fix::safe)));
    }
}
