//! WHAT IS WRONG: problems of a project, each with the quick fixes there are for it.
//!
//! Invariant: nothing here changes the project, and the same project always has the same problems in the same order. One
//! file of `rules` per rule. What is wrong with the text of a file is `io`'s; what is wrong with inheritance is found
//! by `defs` and becomes problems here.

mod declare;
mod fix;
mod input;
mod machines;
mod problem;
mod references;
mod rules;
mod scope;
mod view;

pub use fix::{Fixed, Which, fix};
pub use input::Images;
pub use problem::{Fix, Problem, Rule, offer};
pub use view::{Ask, Group, GroupBy, Ignored, Line, List, list};

use std::{fmt, sync::Arc};

use input::Input;
use scope::{Scope, Seen};

use crate::{defs::Resolution, model::Project};

/// Every rule, in the order of their names.
#[must_use]
pub fn rules() -> Vec<Rule> {
    let mut rules = rules::ALL.to_vec();
    rules.sort_by_key(|rule| rule.name);
    rules
}

/// What is wrong with a project, and what it takes to tell quickly what is wrong after a change.
#[derive(Clone, Default)]
pub struct Checked {
    /// Every problem, by document and place.
    pub problems: Vec<Arc<Problem>>,
    seen: Option<Seen>,
}

impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.problems).finish()
    }
}

/// Everything wrong with a project, by document and place. `resolution` is of this project. Without `images`, what depends on
/// image files is not looked at.
#[must_use]
pub fn check(project: &Project, resolution: &Resolution, images: Option<&Images>) -> Vec<Problem> {
    check_again(project, resolution, images, None).problems.into_iter().map(Arc::unwrap_or_clone).collect()
}

/// The same as [`check`]. With what was found in an earlier state as `previous`, only what may have changed since is looked at;
/// problems that stay keep their pointers.
#[must_use]
pub fn check_again(
    project: &Project,
    resolution: &Resolution,
    images: Option<&Images>,
    previous: Option<&Checked>,
) -> Checked {
    let before = previous.and_then(|previous| previous.seen.as_ref());
    let seen = Seen::of(project, resolution, images, before);
    let scope = before.map_or(Scope::Everything, |before| seen.since(before));
    let input = Input::new(project, resolution, images, &scope);
    let mut found = Vec::new();
    for rule in rules::ALL {
        rule.check(&input, &mut found);
    }
    let mut problems: Vec<Arc<Problem>> = match (&scope, previous) {
        (Scope::Some { .. }, Some(previous)) => {
            let stays = |problem: &&Arc<Problem>| !scope.has(project, &problem.finding.location);
            previous.problems.iter().filter(stays).cloned().collect()
        }
        _ => Vec::new(),
    };
    problems.extend(found.into_iter().map(Arc::new));
    declare::offer(&mut problems, &input);
    problems.sort_by(|a, b| {
        let (a, b) = (&a.finding, &b.finding);
        let place = a.location.cmp(&b.location);
        place.then_with(|| b.severity.cmp(&a.severity)).then_with(|| a.rule.cmp(&b.rule)).then_with(|| a.cmp(b))
    });
    problems.dedup_by(|a, b| a.finding == b.finding);
    Checked { problems, seen: Some(seen) }
}
