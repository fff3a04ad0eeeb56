//! Checking: the problems of a project, each with its quick fixes.
//!
//! Invariant: nothing here changes the project, and the same project always has the same problems in the same order.
//! One file of `rules` per rule. Problems in the text of a file are found by `io`; problems of inheritance are found by
//! `defs` and become problems here.

mod custom_fields;
mod declare;
mod fix;
mod images;
mod input;
mod machines;
mod problem;
mod references;
mod rule;
mod rules;
mod scope;
mod targets;
mod trips;
mod view;
mod walks;

pub use fix::{Fixed, Which, fix};
pub use images::image_facts;
pub use problem::{Fix, LeftOut, Problem, offer};
pub use rule::Rule;
pub use scope::Images;
pub use view::{Ask, Group, GroupBy, Ignored, Line, List, list};

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

use input::Input;
use scope::{Scope, Seen};

use crate::{
    defs::Resolution,
    model::{DocPath, Name, Project},
};

/// The number of problems listed per rule. No user reads more, and each costs memory and time.
const MOST_OF_A_RULE: usize = 1_000;

/// Every rule, sorted by name.
#[must_use]
pub fn rules() -> Vec<Rule> {
    let mut rules = rules::ALL.to_vec();
    rules.sort_by_key(|rule| rule.name);
    rules
}

/// The problems of a project, with the data for checking it quickly after a change.
#[derive(Clone, Default)]
pub struct Checked {
    /// Every problem, by document and place; at most `MOST_OF_A_RULE` of a rule.
    pub problems: Vec<Arc<Problem>>,
    /// The number of problems that are not listed.
    pub left_out: LeftOut,
    seen: Option<Seen>,
}

impl fmt::Debug for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.problems).finish()
    }
}

/// All problems of a project, by document and place, without a limit. `resolution` is of this project. Without
/// `images`, anything that depends on image files is not checked.
#[must_use]
pub fn check(project: &Project, resolution: &Resolution, images: Option<&Images>) -> Vec<Problem> {
    check_up_to(usize::MAX, project, resolution, images, None).problems.into_iter().map(Arc::unwrap_or_clone).collect()
}

/// The images and sounds that a project names, whether they exist or not.
#[must_use]
pub fn named_images(project: &Project, resolution: &Resolution) -> BTreeSet<DocPath> {
    rules::named_images(&Input::new(MOST_OF_A_RULE, project, resolution, None, &Scope::Everything))
}

/// The same as [`check`], with at most `MOST_OF_A_RULE` problems of a rule. If `previous` has the result for an earlier
/// state of the project, only documents with possibly different problems are checked; unchanged problems stay shared.
#[must_use]
pub fn check_again(
    project: &Project,
    resolution: &Resolution,
    images: Option<&Images>,
    previous: Option<&Checked>,
) -> Checked {
    check_up_to(MOST_OF_A_RULE, project, resolution, images, previous)
}

/// The same with at most `most` problems of a rule.
fn check_up_to(
    most: usize,
    project: &Project,
    resolution: &Resolution,
    images: Option<&Images>,
    previous: Option<&Checked>,
) -> Checked {
    let before = previous.and_then(|previous| previous.seen.as_ref());
    // Problems that were left out may be listed now.
    let is_whole = previous.is_some_and(|previous| previous.left_out.is_empty());
    let seen = Seen::of(project, resolution, images, before);
    let scope = before.filter(|_| is_whole).map_or(Scope::Everything, |before| seen.since(before));
    let input = Input::new(most, project, resolution, images, &scope);
    let mut left_out = input.left_out.clone();
    let mut found = Vec::new();
    for rule in rules::ALL {
        let mut of_rule = Vec::new();
        rule.check(&input, &mut of_rule);
        let mut of_rule: Vec<_> = of_rule.into_iter().map(Arc::new).collect();
        if of_rule.len() > most {
            list_in_order(most, &mut of_rule, &mut left_out);
        }
        found.append(&mut of_rule);
    }
    let mut problems: Vec<Arc<Problem>> = match (&scope, previous) {
        (Scope::Some { .. }, Some(previous)) => {
            let stays = |problem: &&Arc<Problem>| !scope.has(project, &problem.finding.location);
            previous.problems.iter().filter(stays).cloned().collect()
        }
        _ => Vec::new(),
    };
    problems.append(&mut found);
    declare::offer(&mut problems, &input);
    list_in_order(most, &mut problems, &mut left_out);
    Checked { problems, left_out, seen: Some(seen) }
}

/// Sort problems, without duplicates and with at most `most` of each rule.
fn list_in_order(most: usize, problems: &mut Vec<Arc<Problem>>, left_out: &mut LeftOut) {
    problems.sort_by(|a, b| {
        let (a, b) = (&a.finding, &b.finding);
        let place = a.location.cmp(&b.location);
        place.then_with(|| b.severity.cmp(&a.severity)).then_with(|| a.rule.cmp(&b.rule)).then_with(|| a.cmp(b))
    });
    problems.dedup_by(|a, b| a.finding == b.finding);
    let mut listed: BTreeMap<Name, usize> = BTreeMap::new();
    problems.retain(|problem| {
        let finding = &problem.finding;
        let n = listed.entry(finding.rule.clone()).or_default();
        *n += 1;
        let is_listed = *n <= most;
        if !is_listed {
            *left_out.entry((finding.rule.clone(), finding.severity)).or_default() += 1;
        }
        is_listed
    });
}
