//! Trying out values of constants: the edits that change the tuning overlay, and those that write what it holds into
//! files.
//!
//! A value that is tried out changes no file. Keeping it does, and takes it out of the overlay in the same step.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Edit, Refusal,
    constants::{Labeled, constant_at, declared_constant, put_page},
    page_doc,
    tuning::fits,
};
use crate::model::{Builtin, Name, Project, Tunable, TuningOverlay, TuningPage, TuningSide, Value};

/// Change the tuning overlay of a project.
#[must_use]
pub fn change_overlay(project: &Project, change: impl FnOnce(&mut TuningOverlay)) -> Edit {
    let mut overlay = (*project.tuning_overlay).clone();
    change(&mut overlay);
    Edit::PutTuningOverlay { overlay: Arc::new(overlay) }
}

/// Try out a value of a constant, `Page.name`, in a set. The declared value is not tried out, but dropped from the set.
#[must_use]
pub fn try_value(project: &Project, side: TuningSide, name: &Name, declared: &Tunable, value: Value) -> Edit {
    change_overlay(project, |overlay| {
        let values = overlay.values_mut(side);
        if declared.value == value {
            values.remove(name);
        } else {
            values.insert(name.clone(), value);
        }
    })
}

/// Write what a set holds into the files and take it out of the set, for one constant or all of them. Constants that
/// are neither in the project nor built-in cannot be kept, and stay tried out. `None` when nothing can be.
#[must_use]
pub fn keep(project: &Project, builtin: &Builtin, side: TuningSide, only: Option<&Name>) -> Option<Labeled> {
    let values = project.tuning_overlay.values(side);
    let has_declaration = |name: &Name| declared_constant(project, name).is_some() || builtin.tunable(name).is_some();
    let kept = values.iter().filter(|(name, _)| only.is_none_or(|only| only == *name) && has_declaration(name));
    let kept: Vec<(&Name, &Value)> = kept.collect();
    let label = match kept.as_slice() {
        [] => return None,
        [(name, _)] => format!("Keep {name}"),
        many => format!("Keep {} values", many.len()),
    };
    let mut edits = write_values(project, builtin, kept.iter().copied());
    edits.push(change_overlay(project, |overlay| {
        for (name, _) in kept {
            overlay.values_mut(side).remove(name);
        }
    }));
    Some((label, edits))
}

/// Refuse a value that a constant cannot have: of another sort, or out of its range.
///
/// # Errors
/// Why it cannot.
pub fn may_be(name: &str, tunable: &Tunable, value: &Value) -> Result<(), Refusal> {
    fits(name, tunable, value)
}

/// The edits that write these values, `Page.name`, into a project, each in the file that declares it now, else in its
/// page's file, else in a new file; a value that is there already needs none. A constant that is nowhere, neither in
/// the project nor among the built-in ones, cannot be kept and gets no edit. A built-in constant is given its value and
/// no more: its range and meaning stay the built-in ones.
#[must_use]
pub fn write_values<'v>(
    project: &Project,
    builtin: &Builtin,
    values: impl IntoIterator<Item = (&'v Name, &'v Value)>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut pages: BTreeMap<Name, TuningPage> = BTreeMap::new();
    for (full, value) in values {
        if let Some((doc, old)) = declared_constant(project, full) {
            if old.value != *value {
                let name = full.split_once('.').map_or(&**full, |(_, name)| name);
                edits.push(Edit::set_at(doc, constant_at(name).key("value"), value));
            }
            continue;
        }
        let Some((page, name)) = full.split_once('.') else { continue };
        if builtin.tunable(full).is_none_or(|it| it.value == *value) {
            continue;
        }
        let (name, tunable) = (Name::from(name), Tunable::of(value.clone()));
        match page_doc(project, page) {
            Some(doc) => edits.push(Edit::set_at(doc, constant_at(&name), &tunable)),
            None => {
                let fresh = || TuningPage { page: page.into(), order: 0, values: indexmap::IndexMap::new() };
                pages.entry(page.into()).or_insert_with(fresh).values.insert(name, tunable);
            }
        }
    }
    edits.extend(pages.into_values().map(|page| put_page(project, page)));
    edits
}
