//! That a plan leaves what definitions amount to as it is: tried on a copy, resolved, compared.
//!
//! Invariant: a plan that passes changes no resolved value of anything but what it is allowed to, and makes no error that was
//! not there.

use std::collections::{BTreeMap, BTreeSet};

use super::Plan;
use crate::{
    defs::{Resolution, Resolved, resolve},
    edit::Refusal,
    model::{Name, Project, Severity},
};

/// The project after a plan, and what it resolves to, if every definition but those in `free` amounts to what it did.
///
/// # Errors
/// Says which value of which definition would change, or what would be wrong.
pub(super) fn prove(
    project: &Project,
    before: &Resolution,
    plan: &Plan,
    free: &BTreeSet<Name>,
) -> Result<(Project, Resolution), Refusal> {
    let after = plan.tried_on(project)?;
    let now = resolve(&after, before.builtin(), Some(before));
    let errors = |resolution: &Resolution| {
        let mut count: BTreeMap<Name, usize> = BTreeMap::new();
        for finding in resolution.findings().filter(|it| it.severity == Severity::Error) {
            *count.entry(finding.rule.clone()).or_default() += 1;
        }
        count
    };
    let old_errors = errors(before);
    if let Some((rule, _)) = errors(&now).iter().find(|(rule, n)| **n > old_errors.get(*rule).copied().unwrap_or(0)) {
        let known: BTreeSet<&str> = before.findings().map(|it| &*it.message).collect();
        let of_rule = || now.findings().filter(|it| it.rule == *rule && it.severity == Severity::Error);
        let new = of_rule().find(|it| !known.contains(&*it.message)).or_else(|| of_rule().last());
        let why = new.map_or_else(String::new, |it| it.message.clone());
        return Err(Refusal::new(format!("it would not be sound: {why}")));
    }
    for (name, was) in &before.defs {
        if free.contains(name) {
            continue;
        }
        let Some(is) = now.defs.get(name) else {
            return Err(Refusal::new(format!("`{name}` could not be resolved any more")));
        };
        if !std::sync::Arc::ptr_eq(was, is)
            && let Some(what) = first_change(was, is)
        {
            return Err(Refusal::new(format!("`{name}` would not be what it is: {what}")));
        }
    }
    Ok((after, now))
}

/// What differs between two resolved definitions, in words; the order of components is no difference.
pub(super) fn first_change(was: &Resolved, is: &Resolved) -> Option<String> {
    for (component, old) in &was.components {
        let Some(new) = is.components.get(component) else { return Some(format!("it would lose `{component}`")) };
        if std::sync::Arc::ptr_eq(old, new) {
            continue;
        }
        for (field, value) in &old.fields {
            match new.fields.get(field) {
                None => return Some(format!("it would lose `{component}.{field}`")),
                Some(now) if now.value != value.value => {
                    return Some(format!("`{component}.{field}` would be {} and not {}", now.value, value.value));
                }
                Some(_) => {}
            }
        }
        if let Some(field) = new.fields.keys().find(|field| !old.fields.contains_key(*field)) {
            return Some(format!("it would get `{component}.{field}`"));
        }
    }
    let got = is.components.keys().find(|component| !was.components.contains_key(*component));
    got.map(|component| format!("it would get `{component}`"))
}
