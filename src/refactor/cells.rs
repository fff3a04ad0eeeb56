//! Many cells of the definitions table changed at once: set, filled down, scaled, added to, reset.
//!
//! A cell is set to what it shall *amount to*. Definitions in a selection often inherit from each other, so the cells of
//! ancestors are set first and what follows from them is worked out before their heirs are looked at: an heir that comes to
//! its new value by inheritance says nothing of its own.
//!
//! Invariant: the edits of a plan, made to the project it was planned for, bring every cell to the value wanted, and a cell
//! that has it already is not edited.

use std::{borrow::Cow, collections::BTreeMap, fmt};

use super::{
    Plan,
    cell_text::{cell_text, read_cell, write_tsv},
};
use crate::{
    defs::{Resolution, ResolvedField, Source, resolve},
    edit::{Edit, Owner, apply, set_to, with_part},
    explain::{Cell, Column, Standing},
    model::{Builtin, DocPath, FieldPath, FieldType, Name, OpKind, Project, Value, counted},
};

/// Where a cell is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellAt {
    /// The file.
    pub doc: DocPath,
    /// The definition.
    pub name: Name,
    /// The column.
    pub column: Column,
}

impl fmt::Display for CellAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.column)
    }
}

impl CellAt {
    fn owner(&self) -> Owner {
        Owner::Def { doc: self.doc.clone(), name: self.name.clone() }
    }
}

/// The project that cells are changed in.
#[derive(Clone, Copy)]
pub struct State<'a> {
    /// What is edited.
    pub project: &'a Project,
    /// What every project has before it says anything.
    pub builtin: &'a Builtin,
    /// What the project, or an earlier state of it, amounts to.
    pub resolution: &'a Resolution,
}

/// A change of cells, thought through.
#[derive(Clone, Debug, PartialEq)]
pub struct CellPlan {
    /// The edits; none when every cell has its value already.
    pub plan: Plan,
    /// Cells that get another value.
    pub n_changed: usize,
    /// Of these, whole numbers that had to be rounded.
    pub n_rounded: usize,
    /// Cells that have no such field, or no number where one is needed.
    pub n_skipped: usize,
}

/// As in "12 cells; 2 rounded to whole numbers".
impl fmt::Display for CellPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", count(self.n_changed))?;
        if self.n_rounded > 0 {
            write!(f, "; {} rounded to whole numbers", self.n_rounded)?;
        }
        if self.n_skipped > 0 {
            write!(f, "; {} left out", self.n_skipped)?;
        }
        Ok(())
    }
}

/// What is wrong with a cell that was pasted or typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadCell {
    /// Where it stands in what was pasted, from 1: row and column; `None` when it is not about one place.
    pub at: Option<(usize, usize)>,
    /// The cell it was meant for: `goblin Health.max`. May be empty.
    pub place: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for BadCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((row, column)) = self.at {
            write!(f, "row {row}, column {column}: ")?;
        }
        if !self.place.is_empty() {
            write!(f, "{}: ", self.place)?;
        }
        f.write_str(&self.message)
    }
}

pub(super) fn count(n: usize) -> String {
    counted(n, "cell")
}

/// What the step is called: the cell when it is one, else how many.
fn label(verb: &str, cells: &[CellAt], n: usize) -> String {
    match cells {
        [one] => format!("{verb} {}'s {}", one.name, one.column),
        _ => format!("{verb} {}", count(n)),
    }
}

impl<'a> State<'a> {
    /// The value of a cell.
    #[must_use]
    pub fn value(&self, at: &CellAt) -> Option<&'a Value> {
        cell(self.resolution, at).value
    }
}

fn cell<'r>(resolution: &'r Resolution, at: &CellAt) -> Cell<'r> {
    let resolved = resolution.defs.get(&at.name).filter(|resolved| resolved.doc == at.doc);
    Cell::of(resolved.map(|resolved| &**resolved), &at.column)
}

/// Give cells what was typed into one of them, each read by its own type.
///
/// # Errors
/// The cells that it does not fit. Cells without the field are left out, unless all are.
pub fn type_into(state: State<'_>, cells: &[CellAt], text: &str) -> Result<CellPlan, Vec<BadCell>> {
    let schema = &state.resolution.schema;
    let mut targets = Vec::new();
    let mut bad = Vec::new();
    let mut n_skipped = 0;
    for at in cells {
        let Some(current) = state.value(at) else {
            n_skipped += 1;
            continue;
        };
        match read_cell(schema, &at.column.spec(schema), text, current) {
            Ok(value) => targets.push((at.clone(), value)),
            Err(message) => bad.push(BadCell { at: None, place: at.to_string(), message }),
        }
    }
    if targets.is_empty() && bad.is_empty() {
        bad.extend(cells.first().map(absent));
    }
    if !bad.is_empty() {
        return Err(bad);
    }
    Ok(planned(state, targets, Ways::Say, |n| label("Set", cells, n), (0, n_skipped)))
}

/// What there is to say about a cell that is not there.
pub(super) fn absent(at: &CellAt) -> BadCell {
    let message = format!("{} has no {}; add the component in the inspector first", at.name, at.column.component);
    BadCell { at: None, place: at.to_string(), message }
}

/// Give every row of each column the value that its first row has.
#[must_use]
pub fn fill_down(state: State<'_>, rows: &[Vec<CellAt>]) -> CellPlan {
    let mut targets = Vec::new();
    let mut n_skipped = 0;
    let Some((first, others)) = rows.split_first() else { return nothing() };
    for (i, from) in first.iter().enumerate() {
        let value = state.value(from);
        for at in others.iter().filter_map(|row| row.get(i)) {
            match (value, state.value(at)) {
                (Some(value), Some(_)) => targets.push((at.clone(), value.clone())),
                _ => n_skipped += 1,
            }
        }
    }
    let cells: Vec<_> = targets.iter().map(|(at, _)| at.clone()).collect();
    planned(state, targets, Ways::Say, |n| label("Fill down", &cells, n), (0, n_skipped))
}

/// What is done to numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Arithmetic {
    /// Times a factor.
    Scale(f64),
    /// Plus an amount.
    Add(f64),
}

/// Multiply or add to the numbers of cells. A definition that says a factor or summand rather than a number goes on doing so.
#[must_use]
pub fn calculate(state: State<'_>, cells: &[CellAt], how: Arithmetic) -> CellPlan {
    let schema = &state.resolution.schema;
    let (mut n_rounded, mut n_skipped) = (0, 0);
    let mut targets = Vec::new();
    for at in cells {
        let Some(number) = state.value(at).filter(|value| value.as_f64().is_some()) else {
            n_skipped += 1;
            continue;
        };
        match computed(number, how, at.column.spec(schema).ty == FieldType::Int) {
            Some((value, is_exact)) => {
                n_rounded += usize::from(!is_exact);
                targets.push((at.clone(), value));
            }
            None => n_skipped += 1,
        }
    }
    let name = |n: usize| match how {
        Arithmetic::Scale(factor) => format!("{} by {factor}", label("Scale", cells, n)),
        Arithmetic::Add(amount) => format!("Add {amount} to {}", label("", cells, n).trim_start()),
    };
    planned(state, targets, Ways::Keep(how), name, (n_rounded, n_skipped))
}

/// The number wanted, and whether it is exact: whole numbers stay whole where the result is, or nothing else fits.
fn computed(number: &Value, how: Arithmetic, is_int: bool) -> Option<(Value, bool)> {
    let old = number.as_f64()?;
    let new = match how {
        Arithmetic::Scale(factor) => old * factor,
        Arithmetic::Add(amount) => old + amount,
    };
    let new = tidy(new);
    if !new.is_finite() {
        return None;
    }
    if let Value::Int(_) = number {
        if let Some(whole) = Value::Float(new).as_i64() {
            return Some((Value::Int(whole), true));
        }
        if is_int {
            return Some((Value::Int(Value::Float(new.round()).as_i64()?), false));
        }
    }
    Some((Value::Float(new), true))
}

/// The number without the dust of arithmetic: twelve significant digits, so that files stay readable.
fn tidy(x: f64) -> f64 {
    format!("{x:.11e}").parse().unwrap_or(x)
}

/// Drop what definitions say about cells themselves.
#[must_use]
pub fn reset_cells(state: State<'_>, cells: &[CellAt]) -> CellPlan {
    let own: Vec<&CellAt> = cells.iter().filter(|at| cell(state.resolution, at).standing == Standing::Own).collect();
    let edits = own.iter().map(|at| {
        let (component, field) = (at.column.component.clone(), at.column.field.clone());
        Edit::ClearValue { owner: at.owner(), component, field, inner: at.column.inner.clone() }
    });
    let plan = Plan { label: label("Reset", cells, own.len()), edits: edits.collect() };
    CellPlan { plan, n_changed: own.len(), n_rounded: 0, n_skipped: cells.len() - own.len() }
}

/// Cells as a spreadsheet takes them; with headers, names of columns above and of definitions before them.
#[must_use]
pub fn copy_cells(state: State<'_>, rows: &[Vec<CellAt>], with_headers: bool) -> String {
    let mut out: Vec<Vec<String>> = Vec::new();
    if let (true, Some(first)) = (with_headers, rows.first()) {
        let columns = first.iter().map(|at| at.column.to_string());
        out.push(std::iter::once("definition".to_owned()).chain(columns).collect());
    }
    for row in rows {
        let name = with_headers.then(|| row.first().map(|at| at.name.to_string()).unwrap_or_default());
        let cells = row.iter().map(|at| state.value(at).map(cell_text).unwrap_or_default());
        out.push(name.into_iter().chain(cells).collect());
    }
    write_tsv(&out)
}

fn nothing() -> CellPlan {
    CellPlan { plan: Plan { label: String::new(), edits: Vec::new() }, n_changed: 0, n_rounded: 0, n_skipped: 0 }
}

/// How a definition is made to have a value.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Ways {
    /// It says the value.
    Say,
    /// Where it says a factor or a summand only, that is changed.
    Keep(Arithmetic),
}

/// The plan that brings cells to their values.
pub(super) fn planned(
    state: State<'_>,
    targets: Vec<(CellAt, Value)>,
    ways: Ways,
    label: impl FnOnce(usize) -> String,
    (n_rounded, n_skipped): (usize, usize),
) -> CellPlan {
    let n_changed = targets.iter().filter(|(at, wanted)| state.value(at) != Some(wanted)).count();
    // An ancestor's order is part of its heir's, so it is shorter: by rising length, ancestors come first.
    let mut ranks: BTreeMap<usize, Vec<(CellAt, Value)>> = BTreeMap::new();
    for (at, wanted) in targets {
        let rank = state.resolution.defs.get(&at.name).map_or(0, |resolved| resolved.order.len());
        ranks.entry(rank).or_default().push((at, wanted));
    }
    let mut trial = state.project.clone();
    let mut edits = Vec::new();
    let mut resolution = Cow::Borrowed(state.resolution);
    let mut is_behind = true;
    for mut cells in ranks.into_values() {
        if std::mem::take(&mut is_behind) {
            resolution = Cow::Owned(resolve(&trial, state.builtin, Some(&resolution)));
        }
        // Members of one field come one after another, each set in what those before it left.
        cells.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut last: Option<(CellAt, Value)> = None;
        for (at, wanted) in cells {
            let Some(field) = cell(&resolution, &at).field() else { continue };
            let whole_at = CellAt { column: Column { inner: FieldPath::root(), ..at.column.clone() }, ..at.clone() };
            let whole = match &last {
                Some((of, value)) if *of == whole_at => value.clone(),
                _ => field.value.clone(),
            };
            if whole.at(&at.column.inner) == Some(&wanted) {
                continue;
            }
            if whole.at(&at.column.inner).is_none() {
                continue;
            }
            let new = with_part(&whole, &at.column.inner, wanted.clone());
            let kept = match ways {
                Ways::Keep(how) if at == whole_at => keep(&at, field, how, &wanted),
                _ => None,
            };
            let made = kept.unwrap_or_else(|| {
                let place = (at.owner(), at.column.component.clone(), at.column.field.clone());
                let spec = whole_at.column.spec(&resolution.schema);
                set_to(&trial, place, &spec.ty, &whole, &new)
            });
            for edit in made {
                if apply(&mut trial, &edit).is_ok() {
                    edits.push(edit);
                    is_behind = true;
                }
            }
            last = Some((whole_at, new));
        }
    }
    CellPlan { plan: Plan { label: label(n_changed), edits }, n_changed, n_rounded, n_skipped }
}

/// The edit of a definition's own factor or summand that brings its field to `wanted`; `None` when it says the number whole,
/// or when no factor with few digits does.
fn keep(at: &CellAt, field: &ResolvedField, how: Arithmetic, wanted: &Value) -> Option<Vec<Edit>> {
    let is_own = |by: &Source| matches!(by, Source::Def(name) if *name == at.name);
    let start = field.provenance.iter().position(|said| is_own(&said.by))?;
    let base = field.provenance.get(start.checked_sub(1)?)?.after.as_f64()?;
    let (mut scale, mut add) = (None, None);
    for said in &field.provenance[start..] {
        match said.op {
            OpKind::Scale if is_own(&said.by) => scale = Some(&said.operand),
            OpKind::Add if is_own(&said.by) => add = Some(&said.operand),
            _ => return None,
        }
    }
    let factor = scale.map_or(Some(1.0), Value::as_f64)?;
    let goal = wanted.as_f64()?;
    let fits = |result: f64| {
        let is_whole = !matches!(wanted, Value::Int(_)) || result.fract() == 0.0;
        is_whole && tidy(result) == tidy(goal)
    };
    let edit = |op: OpKind, was: Option<&Value>, x: f64| {
        let keeps_int = was.is_none_or(|was| matches!(was, Value::Int(_))) && matches!(wanted, Value::Int(_));
        let value = Value::Float(x).as_i64().filter(|_| keeps_int).map_or(Value::Float(x), Value::Int);
        let (component, field) = (at.column.component.clone(), at.column.field.clone());
        Edit::SetValue { owner: at.owner(), op, component, field, inner: FieldPath::root(), value }
    };
    match (scale, add, how) {
        (Some(_), None, Arithmetic::Scale(by)) => {
            let candidates = [factor * by, goal / base].map(tidy);
            let found = candidates.into_iter().find(|x| x.is_finite() && fits(base * x))?;
            Some(vec![edit(OpKind::Scale, scale, found)])
        }
        // Both would have to change together; a plain number is clearer than either alone.
        (Some(_), Some(_), Arithmetic::Scale(_)) | (None, None, _) => None,
        _ => {
            let summand = tidy(goal - base * factor);
            let said = edit(OpKind::Add, add, summand);
            // Nothing added is nothing said: the factor alone is left, if there is one.
            let left = scale.map(|scale| edit(OpKind::Scale, Some(scale), factor));
            let clear = Edit::clear(at.owner(), &at.column.component, &at.column.field);
            let unsaid = || std::iter::once(clear).chain(left).collect();
            fits(base * factor + summand).then(|| if summand == 0.0 { unsaid() } else { vec![said] })
        }
    }
}
