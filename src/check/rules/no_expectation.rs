//! A scenario without expectations: it passes whatever happens.

use crate::{
    check::{Problem, Rule, input::Input},
    model::{FieldPath, Finding, Location},
};

pub(super) const RULE: Rule =
    Rule { name: "no-expectation", doc: "A scenario expects nothing, so it passes whatever happens.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, _) in input.scenarios().filter(|(_, scenario)| scenario.expect.is_empty()) {
        let at = Location::key(doc.clone(), FieldPath::keys(["level"]));
        let finding = Finding::hint(RULE.name, at, "the scenario expects nothing, so it passes whatever happens");
        out.push(Problem::new(finding.with_help("list what should come true under `expect`".to_owned())));
    }
}
