//! Edits of tuning pages.
//!
//! Invariant: a constant keeps its sort of value; a number stays within its range.

use std::sync::Arc;

use super::{
    Edit, RefKind, Refusal, TypedRefs,
    reach::{check_name, content, content_mut, taken},
    references,
    value::{check_number, check_value},
};
use crate::model::{DocPath, Name, Project, Tunable, TuningPage, Value};

fn page<'a>(project: &'a Project, path: &DocPath) -> Result<&'a TuningPage, Refusal> {
    content(project, path)
}

fn page_mut<'a>(project: &'a mut Project, path: &DocPath) -> Result<&'a mut TuningPage, Refusal> {
    content_mut(project, path)
}

fn missing(page: &TuningPage, name: &Name) -> Refusal {
    Refusal::new(format!("there is no constant `{name}` on page `{}`", page.page))
}

/// Refuse a constant that contradicts itself.
pub(super) fn check_tunable(name: &Name, it: &Tunable) -> Result<(), Refusal> {
    check_value(&it.value)?;
    for limit in [it.min, it.max, it.step].into_iter().flatten() {
        check_number("a limit", limit)?;
    }
    if let (Some(min), Some(max)) = (it.min, it.max)
        && min > max
    {
        return Err(Refusal::new(format!("the smallest {name} is above the largest")));
    }
    Ok(())
}

/// Refuse a value that a constant cannot have.
pub(super) fn fits(name: &str, old: &Tunable, value: &Value) -> Result<(), Refusal> {
    check_value(value)?;
    let is_number = |value: &Value| value.as_f64().is_some();
    if is_number(&old.value) != is_number(value) {
        return Err(Refusal::new(format!("`{name}` is {}, not {}", old.value.kind(), value.kind())));
    }
    let unit = old.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
    if let (Some(x), Some(min)) = (value.as_f64(), old.min)
        && x < min
    {
        return Err(Refusal::new(format!("the smallest `{name}` is {min}{unit}")));
    }
    if let (Some(x), Some(max)) = (value.as_f64(), old.max)
        && x > max
    {
        return Err(Refusal::new(format!("the largest `{name}` is {max}{unit}")));
    }
    Ok(())
}

pub(super) fn rename(
    project: &mut Project,
    path: &DocPath,
    (from, to): (&Name, &Name),
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    let page = page(project, path)?;
    if !page.values.contains_key(from) {
        return Err(missing(page, from));
    }
    if from == to {
        return Ok(());
    }
    check_name("a constant", to)?;
    if page.values.contains_key(to) {
        return Err(taken("a constant", to, Some(path)));
    }
    let title = page.page.clone();
    let values = &mut page_mut(project, path)?.values;
    if let Some((at, _, it)) = values.shift_remove_full(from) {
        values.shift_insert(at, to.clone(), it);
    }
    rename_tried(project, |name| renamed_constant(&title, (from, to), name));
    references::rename(project, &format!("{title}.{from}"), &format!("{title}.{to}"), typed);
    Ok(())
}

pub(super) fn rename_page(
    project: &mut Project,
    path: &DocPath,
    (from, to): (&Name, &Name),
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    let title = &page(project, path)?.page;
    if title != from {
        return Err(Refusal::new(format!("`{path}` is of page `{title}`, not of `{from}`")));
    }
    if from == to {
        return Ok(());
    }
    check_name("a page", to)?;
    if let Some((path, _)) = project.all::<TuningPage>().find(|(_, other)| other.page == *to) {
        return Err(taken("a page", to, Some(path)));
    }
    let files = project.all::<TuningPage>().filter(|(_, it)| it.page == *from);
    let files: Vec<DocPath> = files.map(|(path, _)| path.clone()).collect();
    for file in &files {
        page_mut(project, file)?.page = to.clone();
    }
    rename_tried(project, |name| renamed_page(from, to, name));
    references::rename(project, from, to, typed);
    Ok(())
}

/// The new name of a constant, `Page.name`, by the rename of one of a page; `None` for every other.
fn renamed_constant(page: &str, (from, to): (&str, &str), name: &str) -> Option<Name> {
    let own = name.strip_prefix(page)?.strip_prefix('.')?;
    (own == from).then(|| format!("{page}.{to}").into())
}

/// The new name of a constant, `Page.name`, by the rename of a page; `None` for those of other pages.
fn renamed_page(from: &str, to: &str, name: &str) -> Option<Name> {
    let own = name.strip_prefix(from)?.strip_prefix('.')?;
    Some(format!("{to}.{own}").into())
}

/// The new name of a constant, `Page.name`, by an edit that was made on a project; `None` for one that it does not
/// rename.
#[must_use]
pub fn new_constant_name(project: &Project, edit: &Edit, name: &str) -> Option<Name> {
    let Edit::Rename { doc, from, to, typed, .. } = edit else { return None };
    match typed.kind {
        RefKind::Tunable => renamed_constant(&project.tuning(doc)?.page, (from, to), name),
        RefKind::Page => renamed_page(from, to, name),
        _ => None,
    }
}

/// Let the values that are tried out follow renamed constants; `new_name` gets a `Page.name` and returns its new name,
/// if it has one.
fn rename_tried(project: &mut Project, new_name: impl Fn(&str) -> Option<Name>) {
    if project.tuning_overlay.names().any(|name| new_name(name).is_some()) {
        Arc::make_mut(&mut project.tuning_overlay).rename(new_name);
    }
}
