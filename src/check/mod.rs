//! WHAT IS WRONG: problems of a project, each with the quick fixes there are for it.
//!
//! Invariant: nothing here changes the project, and the same project always has the same problems in the same order. One
//! file of `rules` per rule. What is wrong with the text of a file is `io`'s; what is wrong with inheritance is found
//! by `defs` and becomes problems here.

mod fix;
mod input;
mod machines;
mod problem;
mod references;
mod rules;

pub use fix::{Fixed, Which, fix};
pub use input::Images;
pub use problem::{Fix, Problem, Rule};

use crate::{defs::Resolution, model::Project};

/// Every rule, in the order of their names.
#[must_use]
pub fn rules() -> Vec<Rule> {
    let mut rules = rules::ALL.to_vec();
    rules.sort_by_key(|rule| rule.name);
    rules
}

/// Everything wrong with a project, by document and place. `resolution` is of this project. Without `images`, what depends on
/// image files is not looked at.
#[must_use]
pub fn check(project: &Project, resolution: &Resolution, images: Option<&Images>) -> Vec<Problem> {
    let input = input::Input::new(project, resolution, images);
    let mut problems = Vec::new();
    for rule in rules::ALL {
        rule.check(&input, &mut problems);
    }
    problems.sort_by(|a, b| {
        let key = |problem: &Problem| {
            let finding = &problem.finding;
            (finding.location.clone(), std::cmp::Reverse(finding.severity), finding.rule.clone())
        };
        key(a).cmp(&key(b)).then_with(|| a.finding.cmp(&b.finding))
    });
    problems.dedup_by(|a, b| a.finding == b.finding);
    problems
}
