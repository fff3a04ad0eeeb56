//! A definition inherits itself, directly or through others.

use super::missing_parent::drop_parent;
use crate::check::{Problem, Rule, input::Input};

pub(super) const RULE: Rule =
    Rule { name: "inheritance-cycle", doc: "A definition inherits itself, directly or through others.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let found = input.found(RULE.name).iter();
    out.extend(found.map(|finding| Problem::new(finding.clone()).with(drop_parent(input, finding))));
}
