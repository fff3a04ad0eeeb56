//! Verifies that a plan keeps the resolved values of definitions: tried on a copy, resolved, compared.
//!
//! Invariant: a plan that passes changes no resolved value of anything but what it is allowed to, and makes no error
//! that was not there.

use std::collections::{BTreeSet, HashSet};

use super::Plan;
use crate::{
    defs::{Resolution, Resolved, resolve},
    edit::Refusal,
    model::{Finding, Location, Name, Project, Severity, Value},
};

/// The project after a plan, and what it resolves to, if every definition but those in `free` keeps its resolved
/// values.
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
    if let Some(error) = new_error(before, &now) {
        return Err(Refusal::new(format!("the result would have a problem: {}", error.message)));
    }
    for (name, was) in &before.defs {
        if free.contains(name) {
            continue;
        }
        let Some(is) = now.defs.get(name) else {
            return Err(Refusal::new(format!("`{name}` could not be resolved any more")));
        };
        if !std::sync::Arc::ptr_eq(was, is)
            && let Some(what) = first_change(was, is, |a, b| a == b)
        {
            return Err(Refusal::new(format!("`{name}` would change: {what}")));
        }
    }
    Ok((after, now))
}

/// An error that was not there before: at a place where there was none of its rule, and no old one that only stands
/// elsewhere now. An undeclared name is one error, however often it is used.
pub(super) fn new_error<'r>(before: &Resolution, now: &'r Resolution) -> Option<&'r Finding> {
    let is_error = |it: &&Finding| it.severity == Severity::Error;
    let mut errors = now.findings().filter(is_error).peekable();
    errors.peek()?;
    let old: Vec<&Finding> = before.findings().filter(is_error).collect();
    let places: HashSet<(&Name, &Location)> = old.iter().map(|it| (&it.rule, &it.location)).collect();
    let known: HashSet<(&Name, &str)> = old.iter().map(|it| (&it.rule, &*it.message)).collect();
    errors.find(|it| !places.contains(&(&it.rule, &it.location)) && !known.contains(&(&it.rule, &it.message)))
}

/// What differs between two resolved definitions or entities, in words, where values that `is_same` says are the same
/// are; the order of components is no difference.
pub(super) fn first_change(was: &Resolved, is: &Resolved, is_same: fn(&Value, &Value) -> bool) -> Option<String> {
    for (component, old) in &was.components {
        let Some(new) = is.components.get(component) else { return Some(format!("it would lose `{component}`")) };
        if std::sync::Arc::ptr_eq(old, new) {
            continue;
        }
        for (field, value) in &old.fields {
            match new.fields.get(field) {
                None => return Some(format!("it would lose `{component}.{field}`")),
                Some(now) if !is_same(&now.value, &value.value) => {
                    return Some(format!("`{component}.{field}` would be {} and not {}", now.value, value.value));
                }
                Some(_) => {}
            }
        }
        if let Some(field) = new.fields.keys().find(|field| !old.fields.contains_key(field)) {
            return Some(format!("it would get `{component}.{field}`"));
        }
    }
    let got = is.components.keys().find(|component| !was.components.contains_key(component));
    got.map(|component| format!("it would get `{component}`"))
}
