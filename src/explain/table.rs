//! The rows of the definitions table: which definitions are shown, in which order, and which columns there are to
//! choose.
//!
//! Invariant: a table is made anew only when the tree, the arrangement, or (where it looks at values) what is resolved
//! changed; else it is the same list by `Arc`. What stands in a row's cells is looked up when it is shown, by [`Cell`].

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use super::{Cell, Column, Entry, Outline, Standing, cell::compare};
use crate::{
    defs::{Resolution, Resolved},
    model::{Document, FieldPath, FieldSpec, FieldType, Name, OpKind, Project},
};

/// Which definitions to list; all conditions have to hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// Words that are all in the name, case aside.
    pub text: String,
    /// Has this component.
    pub component: Option<Name>,
    /// Is this definition or inherits it.
    pub ancestor: Option<Name>,
    /// Says one of the shown columns itself.
    pub own_only: bool,
    /// Something is wrong with it.
    pub problems_only: bool,
    /// Abstract, or not.
    pub is_abstract: Option<bool>,
}

impl Filter {
    /// Whether everything is wanted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self { text: self.text.clone(), ..Self::default() } && self.text.trim().is_empty()
    }
}

/// What rows are sorted by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SortBy {
    /// The name.
    Name,
    /// The values of a column; definitions without one come last, whichever way.
    Column(Column),
}

/// How the table is arranged; kept between sessions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Arrangement {
    /// One list rather than a tree.
    pub is_flat: bool,
    /// Sorted, and whether downward; a sorted table is flat.
    pub sort: Option<(SortBy, bool)>,
    /// Which rows.
    pub filter: Filter,
    /// Definitions whose children are folded away; a filter shows them all the same.
    pub folded: BTreeSet<Name>,
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Which entry of the outline.
    pub entry: usize,
    /// How far it is moved in.
    pub depth: usize,
    /// Whether its children are shown; `None` when it has none to show.
    pub is_open: Option<bool>,
    /// Shown only because of what hangs under it; the filter does not want it.
    pub is_context: bool,
}

/// The inputs of a table.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// The tree.
    pub outline: &'a Arc<Outline>,
    /// The values.
    pub resolution: &'a Arc<Resolution>,
    /// The columns shown.
    pub columns: &'a [Column],
    /// Definitions with something wrong.
    pub marked: &'a Arc<BTreeSet<Name>>,
}

/// The rows, and what they were made from.
#[derive(Clone, Debug)]
pub struct Table {
    /// The rows in order.
    pub rows: Arc<Vec<Row>>,
    /// How many definitions the filter wants.
    pub n_wanted: usize,
    outline: Arc<Outline>,
    resolution: Arc<Resolution>,
    marked: Arc<BTreeSet<Name>>,
    columns: Vec<Column>,
    arrangement: Arrangement,
}

impl Table {
    /// The table; `before` itself as far as nothing it depends on changed. With `hold`, changed values leave rows where
    /// they are, so that none runs away from under a hand that is working on it.
    #[must_use]
    pub fn of(sources: Sources<'_>, arrangement: &Arrangement, before: Option<Self>, hold: bool) -> Self {
        if let Some(before) = before
            && before.holds(sources, arrangement, hold)
        {
            return before;
        }
        let (rows, n_wanted) = rows(sources, arrangement);
        Self {
            rows: Arc::new(rows),
            n_wanted,
            outline: sources.outline.clone(),
            resolution: sources.resolution.clone(),
            marked: sources.marked.clone(),
            columns: sources.columns.to_vec(),
            arrangement: arrangement.clone(),
        }
    }

    fn holds(&self, sources: Sources<'_>, arrangement: &Arrangement, hold: bool) -> bool {
        let filter = &arrangement.filter;
        let by_column = matches!(arrangement.sort, Some((SortBy::Column(_), _)));
        let by_value = by_column || filter.own_only || filter.component.is_some() || filter.ancestor.is_some();
        Arc::ptr_eq(&self.outline, sources.outline)
            && self.arrangement == *arrangement
            && (!filter.own_only || self.columns == sources.columns)
            && (hold || !by_value || Arc::ptr_eq(&self.resolution, sources.resolution))
            && (hold || !filter.problems_only || Arc::ptr_eq(&self.marked, sources.marked))
    }

    /// The definition of a row.
    #[must_use]
    pub fn entry(&self, row: usize) -> Option<&Entry> {
        self.outline.entries().get(self.rows.get(row)?.entry)
    }

    /// The tree the rows are of.
    #[must_use]
    pub fn outline(&self) -> &Arc<Outline> {
        &self.outline
    }

    /// The row that shows a definition.
    #[must_use]
    pub fn row_of(&self, entry: &Entry) -> Option<usize> {
        self.rows.iter().position(|row| {
            let shown = self.outline.entries().get(row.entry);
            shown.is_some_and(|shown| shown.name == entry.name && shown.doc == entry.doc)
        })
    }
}

/// The resolved definition; nothing for one that cannot be resolved, or that another file defined first.
#[must_use]
pub fn resolved_of<'r>(resolution: &'r Resolution, entry: &Entry) -> Option<&'r Resolved> {
    if entry.is_repeated {
        return None;
    }
    resolution.defs.get(&entry.name).map(|resolved| &**resolved)
}

fn rows(sources: Sources<'_>, arrangement: &Arrangement) -> (Vec<Row>, usize) {
    let entries = sources.outline.entries();
    let words: Vec<String> = arrangement.filter.text.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let is_plain = arrangement.filter.is_empty();
    let wanted: Vec<bool> =
        entries.iter().map(|entry| is_plain || is_wanted(sources, &arrangement.filter, &words, entry)).collect();
    let n_wanted = wanted.iter().filter(|is| **is).count();
    if arrangement.is_flat || arrangement.sort.is_some() {
        let all = (0..entries.len()).filter(|i| wanted[*i]);
        let flat = |entry: usize| Row { entry, depth: 0, is_open: None, is_context: false };
        let mut order: Vec<usize> = all.collect();
        match &arrangement.sort {
            Some((SortBy::Column(column), is_down)) => order = sorted(sources, order, column, *is_down),
            Some((SortBy::Name, true)) => order.sort_by(|a, b| entries[*b].name.cmp(&entries[*a].name)),
            _ => order.sort_by(|a, b| entries[*a].name.cmp(&entries[*b].name)),
        }
        return (order.into_iter().map(flat).collect(), n_wanted);
    }
    // An ancestor of what is wanted is shown too, or the tree would not be one.
    let mut is_shown = wanted.clone();
    for i in (0..entries.len()).rev() {
        if let (true, Some(parent)) = (is_shown[i], entries[i].parent) {
            is_shown[parent] = true;
        }
    }
    let mut rows = Vec::new();
    let mut at = 0;
    while let Some(entry) = entries.get(at) {
        if !is_shown[at] {
            at += 1 + entry.n_below;
            continue;
        }
        let has_below = is_shown[at + 1..=at + entry.n_below].iter().any(|is| *is);
        let is_open = !is_plain || !arrangement.folded.contains(&entry.name);
        rows.push(Row {
            entry: at,
            depth: entry.depth,
            is_open: has_below.then_some(is_open),
            is_context: !wanted[at],
        });
        at += if is_open { 1 } else { 1 + entry.n_below };
    }
    (rows, n_wanted)
}

fn is_wanted(sources: Sources<'_>, filter: &Filter, words: &[String], entry: &Entry) -> bool {
    let Filter { text: _, component, ancestor, own_only, problems_only, is_abstract } = filter;
    if is_abstract.is_some_and(|wanted| wanted != entry.is_abstract)
        || *problems_only && !sources.marked.contains(&entry.name)
    {
        return false;
    }
    if !words.is_empty() {
        let name = entry.name.to_lowercase();
        if !words.iter().all(|word| name.contains(word.as_str())) {
            return false;
        }
    }
    if component.is_none() && ancestor.is_none() && !own_only {
        return true;
    }
    let Some(resolved) = resolved_of(sources.resolution, entry) else { return false };
    component.as_ref().is_none_or(|component| resolved.has(component))
        && ancestor.as_ref().is_none_or(|ancestor| resolved.is_a(ancestor))
        && (!own_only
            || sources.columns.iter().any(|column| Cell::of(Some(resolved), column).standing == Standing::Own))
}

fn sorted(sources: Sources<'_>, order: Vec<usize>, column: &Column, is_down: bool) -> Vec<usize> {
    let entries = sources.outline.entries();
    let value = |i: usize| Cell::of(resolved_of(sources.resolution, &entries[i]), column).value;
    let (mut with, without): (Vec<_>, Vec<_>) =
        order.into_iter().map(|i| (i, value(i))).partition(|(_, value)| value.is_some());
    with.sort_by(|(_, a), (_, b)| match (a, b) {
        (Some(a), Some(b)) if is_down => compare(b, a),
        (Some(a), Some(b)) => compare(a, b),
        _ => std::cmp::Ordering::Equal,
    });
    with.into_iter().chain(without).map(|(i, _)| i).collect()
}

/// How many definitions declare each field themselves.
fn usage(project: &Project) -> HashMap<(&Name, &Name), usize> {
    let mut usage = HashMap::new();
    for doc in project.documents.values() {
        let Document::Entities(file) = &**doc else { continue };
        for def in file.defs.values() {
            for (i, op) in OpKind::VALUED.into_iter().enumerate() {
                for (component, fields) in def.ops.values(op).into_iter().flatten() {
                    let is_new = |field: &&Name| {
                        OpKind::VALUED[..i].iter().all(|op| def.ops.declared(*op, component, field).is_none())
                    };
                    for field in fields.keys().filter(is_new) {
                        *usage.entry((component, field)).or_default() += 1;
                    }
                }
            }
        }
    }
    usage
}

/// A column that could be shown.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The column.
    pub column: Column,
    /// How many definitions declare the field themselves.
    pub n_declared: usize,
    /// What it means.
    pub doc: String,
}

/// Every possible column in the order of the schema, with members of structs; then undeclared fields.
#[must_use]
pub fn choices(project: &Project, resolution: &Resolution) -> Vec<Choice> {
    let usage = usage(project);
    let mut out = Vec::new();
    let mut undeclared: BTreeMap<(&Name, &Name), usize> = BTreeMap::new();
    for ((component, field), n) in &usage {
        if resolution.schema.field(component, field).is_none() {
            undeclared.insert((component, field), *n);
        }
    }
    for (component, spec) in &resolution.schema.components {
        for (field, spec) in &spec.fields {
            let n_declared = usage.get(&(component, field)).copied().unwrap_or_default();
            members(&Column::new(component, field), spec, n_declared, &mut out);
        }
    }
    out.extend(undeclared.into_iter().map(|((component, field), n_declared)| Choice {
        column: Column::new(component, field),
        n_declared,
        doc: String::new(),
    }));
    out
}

fn members(column: &Column, spec: &FieldSpec, n_declared: usize, out: &mut Vec<Choice>) {
    out.push(Choice { column: column.clone(), n_declared, doc: spec.doc.clone() });
    if let FieldType::Struct(fields) = &spec.ty {
        for (name, spec) in fields {
            let inner: FieldPath = column.inner.key(name);
            members(&Column { inner, ..column.clone() }, spec, n_declared, out);
        }
    }
}

/// The columns of a table before the user arranges it: the numbers most often declared, in the order of the schema.
#[must_use]
pub fn first_columns(project: &Project, resolution: &Resolution) -> Vec<Column> {
    const N_COLUMNS: usize = 8;
    let usage = usage(project);
    let mut numbers: Vec<(usize, usize, Column)> = Vec::new();
    let fields = resolution
        .schema
        .components
        .iter()
        .flat_map(|(component, spec)| spec.fields.iter().map(move |(field, spec)| (component, field, spec)));
    for (at, (component, field, spec)) in fields.enumerate() {
        if spec.ty.is_number() && spec.deprecated.is_none() {
            let n = usage.get(&(component, field)).copied().unwrap_or_default();
            if n > 0 {
                numbers.push((n, at, Column::new(component, field)));
            }
        }
    }
    numbers.sort_by_key(|(n, at, _)| (std::cmp::Reverse(*n), *at));
    numbers.truncate(N_COLUMNS);
    numbers.sort_by_key(|(_, at, _)| *at);
    numbers.into_iter().map(|(.., column)| column).collect()
}
