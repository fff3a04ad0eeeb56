//! The parents of a definition cannot be put in one order.

use std::collections::HashMap;

use super::missing_parent::{MOST_PARENTS, drop_parent, with_parents};
use crate::{
    check::{Fix, Problem, Rule, input::Input},
    defs::linearize,
    model::{Finding, Name, Seg},
};

pub(super) const RULE: Rule = Rule {
    name: "inconsistent-order",
    doc: "The parents of a definition disagree about the order of their ancestors, or one is listed twice.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        out.push(Problem::new(finding.clone()).with(reorder(input, finding)).with(drop_parent(input, finding)));
    }
}

/// The fix that sorts the parents, if moving one of them is enough.
fn reorder(input: &Input<'_>, finding: &Finding) -> Option<Fix> {
    let Some(Seg::Key(name)) = finding.location.path.0.first() else { return None };
    let parents = &input.project.def(&finding.location.doc, name)?.inherits;
    // A parent that is listed twice has no valid position.
    let has_twice = |parents: &[Name]| parents.iter().enumerate().any(|(i, parent)| parents[..i].contains(parent));
    if parents.len() > MOST_PARENTS || has_twice(parents) {
        return None;
    }
    for from in 0..parents.len() {
        for to in (0..parents.len()).filter(|to| *to != from) {
            let mut moved = parents.clone();
            let parent = moved.remove(from);
            moved.insert(to, parent.clone());
            if order_of(input, &moved).is_some() {
                let label = format!("List the parents as {}", moved.join(", "));
                return with_parents(input, finding, label, |_, parents| *parents = moved);
            }
        }
    }
    None
}

/// The ancestors of these parents, nearest first, if there is a consistent order.
pub(super) fn order_of<'a>(input: &Input<'a>, parents: &[Name]) -> Option<Vec<&'a Name>> {
    let mut names: Vec<&Name> = Vec::new();
    let mut numbers: HashMap<&Name, u32> = HashMap::new();
    let mut orders = Vec::new();
    for parent in parents {
        let mut order: Vec<u32> = Vec::new();
        for name in input.resolution.defs.get(parent)?.order.iter().rev() {
            order.push(*numbers.entry(name).or_insert_with(|| {
                names.push(name);
                u32::try_from(names.len() - 1).unwrap_or(u32::MAX)
            }));
        }
        orders.push(order);
    }
    let orders: Vec<&[u32]> = orders.iter().map(Vec::as_slice).collect();
    let order = linearize(&orders, &mut vec![0; names.len()]).ok()?;
    order.into_iter().map(|at| names.get(usize::try_from(at).ok()?).copied()).collect()
}
