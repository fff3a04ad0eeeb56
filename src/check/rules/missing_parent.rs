//! A definition inherits one that does not exist.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{DocKind, EntityDef, FieldPath, Finding, Name, Seg},
};

pub(super) const RULE: Rule =
    Rule { name: "missing-parent", doc: "A definition inherits one that does not exist.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        let rename = finding.suggestion().and_then(|near| {
            with_parents(input, finding, format!("Inherit {near}"), |at, parents| {
                if parents.iter().any(|parent| **parent == *near) {
                    parents.remove(at);
                } else if let Some(parent) = parents.get_mut(at) {
                    *parent = near.into();
                }
            })
        });
        out.push(
            Problem::new(super::missing_reference::with_place(input, finding, DocKind::Entities))
                .with(rename)
                .with(drop_parent(input, finding)),
        );
    }
}

/// The fix that removes the parent that a finding is about.
pub(super) fn drop_parent(input: &Input<'_>, finding: &Finding) -> Option<Fix> {
    let (_, _, at, def) = parent_at(input, finding)?;
    let label = format!("Do not inherit {}", def.inherits.get(at)?);
    with_parents(input, finding, label, |at, parents| drop(parents.remove(at))).map(Fix::dropping)
}

/// Longer lists of parents are neither searched for a better order nor kept in fixes.
pub(super) const MOST_PARENTS: usize = 64;

/// A fix that changes the parents of the definition that a finding is about.
pub(super) fn with_parents(
    input: &Input<'_>,
    finding: &Finding,
    label: String,
    change: impl FnOnce(usize, &mut Vec<Name>),
) -> Option<Fix> {
    let (doc, name, at, def) = parent_at(input, finding)?;
    if def.inherits.len() > MOST_PARENTS {
        return None;
    }
    let mut inherits = def.inherits.clone();
    if at >= inherits.len() {
        return None;
    }
    change(at, &mut inherits);
    Some(Fix::new(label, Edit::set_at(&doc, FieldPath::keys([&*name, "inherits"]), &inherits)))
}

fn parent_at<'a>(input: &Input<'a>, finding: &Finding) -> Option<(crate::model::DocPath, Name, usize, &'a EntityDef)> {
    let location = &finding.location;
    let [Seg::Key(name), Seg::Key(_), Seg::Index(at)] = location.path.0.as_slice() else { return None };
    let def = input.project.def(&location.doc, name)?;
    Some((location.doc.clone(), name.clone(), *at, def))
}
