//! Many cells of the definitions table changed at once: set, filled down, scaled, added to, reset.
//!
//! A cell is set to the value it shall have; which edits that takes where definitions inherit from each other is
//! `parts`.
//!
//! Invariant: the edits of a plan, made to the project it was planned for, bring every cell to the value wanted, and a
//! cell that has it already is not edited.

use std::fmt;

use super::{
    Plan,
    cell_text::{TypedCell, cell_text, is_operation, typed_cell, write_tsv},
    parts::{PartAt, PartChange, Target, edits_for},
    typed::{HowToSet, outcome_of},
};
use crate::{
    defs::Resolution,
    edit::{Edit, Owner},
    explain::{Cell, Column, Standing},
    model::{Builtin, DocPath, Name, OpKind, Project, Typed, Value, counted},
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
    /// The built-in content of every project.
    pub builtin: &'a Builtin,
    /// The resolution of the project, or of an earlier state of it.
    pub resolution: &'a Resolution,
}

/// A change of cells, thought through.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CellPlan {
    /// The edits; none when every cell has its value already.
    pub plan: Plan,
    /// Cells that get another value.
    pub n_changed: usize,
    /// Of these, whole numbers that had to be rounded.
    pub n_rounded: usize,
    /// Cells that have no such field, or nothing that the operation fits: a text, or a pair to which a number is added.
    pub n_skipped: usize,
    /// Why the first of these is left out, where there is more to it than a missing field.
    pub why_skipped: Option<String>,
    /// Cells for which an operation was entered and that declare its result, since the operation would give another
    /// one: a parent of theirs changes, too.
    pub n_as_values: usize,
}

impl CellPlan {
    /// Whether every cell was changed just as entered.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.n_skipped == 0 && self.n_rounded == 0 && self.n_as_values == 0
    }
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
        if let Some(why) = &self.why_skipped {
            write!(f, " ({why})")?;
        }
        if self.n_as_values > 0 {
            write!(f, "; {} set to the result, since a parent changes, too", self.n_as_values)?;
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

    /// Whether [`calculate`] can multiply what a cell has.
    #[must_use]
    pub fn is_calculable(&self, at: &CellAt) -> bool {
        let by_one = Typed::Operation(OpKind::Scale, Value::Float(1.0));
        let ty = &at.column.spec(&self.resolution.schema).ty;
        self.value(at).is_some_and(|value| outcome_of(ty, value, None, &by_one).0.is_ok())
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
    let (mut n_rounded, mut n_skipped) = (0, 0);
    for at in cells {
        let Some(current) = state.value(at) else {
            n_skipped += 1;
            continue;
        };
        match typed_cell(schema, &at.column.spec(schema), text, current) {
            Ok(TypedCell { value, is_exact, how }) => {
                n_rounded += usize::from(!is_exact);
                targets.push((at.clone(), value, how));
            }
            Err(message) => bad.push(BadCell { at: None, place: at.to_string(), message }),
        }
    }
    if targets.is_empty() && bad.is_empty() {
        bad.extend(cells.first().map(absent));
    }
    if !bad.is_empty() {
        return Err(bad);
    }
    Ok(planned(state, targets, |n| label("Set", cells, n), (n_rounded, n_skipped)))
}

/// What each of some cells would get, were this operation typed into them. Cells without the field, and those for which
/// the text is a value and no operation, are left out.
#[must_use]
pub fn operated_cells(state: State<'_>, cells: &[CellAt], text: &str) -> Vec<PartChange> {
    let schema = &state.resolution.schema;
    let change = |cell: &CellAt| {
        let (before, spec) = (state.value(cell)?, cell.column.spec(schema));
        if !is_operation(&spec, text, before) {
            return None;
        }
        let (after, how) = match typed_cell(schema, &spec, text, before) {
            Ok(TypedCell { value, is_exact, how }) => (Ok((value, is_exact)), how),
            Err(why) => (Err(why), HowToSet::Declare),
        };
        let at = PartAt { owner: cell.owner(), column: cell.column.clone() };
        Some(PartChange { at, before: before.clone(), after, how })
    };
    cells.iter().filter_map(change).collect()
}

/// The message for a missing cell.
pub(super) fn absent(at: &CellAt) -> BadCell {
    let message = format!("{} has no {}; add the component in the inspector first", at.name, at.column.component);
    BadCell { at: None, place: at.to_string(), message }
}

/// Give every row of each column the value that its first row has.
#[must_use]
pub fn fill_down(state: State<'_>, rows: &[Vec<CellAt>]) -> CellPlan {
    let mut targets = Vec::new();
    let mut n_skipped = 0;
    let Some((first, others)) = rows.split_first() else { return CellPlan::default() };
    for (i, from) in first.iter().enumerate() {
        let value = state.value(from);
        for at in others.iter().filter_map(|row| row.get(i)) {
            match (value, state.value(at)) {
                (Some(value), Some(_)) => targets.push((at.clone(), value.clone(), HowToSet::Declare)),
                _ => n_skipped += 1,
            }
        }
    }
    let cells: Vec<_> = targets.iter().map(|(at, ..)| at.clone()).collect();
    planned(state, targets, |n| label("Fill down", &cells, n), (0, n_skipped))
}

/// Multiply ([`OpKind::Scale`]) or add to ([`OpKind::Add`]) the numbers and pairs of numbers of cells. A definition
/// that declares a factor or summand rather than a value goes on doing so. Cells that the operand does not fit are left
/// out.
#[must_use]
pub fn calculate(state: State<'_>, cells: &[CellAt], op: OpKind, operand: &Value) -> CellPlan {
    let schema = &state.resolution.schema;
    let typed = Typed::Operation(op, operand.clone());
    let (mut n_rounded, mut n_skipped, mut why_skipped) = (0, 0, None);
    let mut targets = Vec::new();
    for at in cells {
        let result = state.value(at).map(|value| outcome_of(&at.column.spec(schema).ty, value, None, &typed));
        match result {
            Some((Ok((value, is_exact)), HowToSet::Operate(op, operand))) => {
                n_rounded += usize::from(!is_exact);
                targets.push((at.clone(), value, HowToSet::Keep(op, operand)));
            }
            refused => {
                n_skipped += 1;
                why_skipped = why_skipped.or_else(|| refused?.0.err());
            }
        }
    }
    let name = |n: usize| match op {
        OpKind::Add => format!("Add {} to {}", cell_text(operand), label("", cells, n).trim_start()),
        _ => format!("{} by {}", label("Scale", cells, n), cell_text(operand)),
    };
    CellPlan { why_skipped, ..planned(state, targets, name, (n_rounded, n_skipped)) }
}

/// Drop the definitions' own operations on cells.
#[must_use]
pub fn reset_cells(state: State<'_>, cells: &[CellAt]) -> CellPlan {
    let own: Vec<&CellAt> = cells.iter().filter(|at| cell(state.resolution, at).standing == Standing::Own).collect();
    let edits = own.iter().map(|at| {
        let (component, field) = (at.column.component.clone(), at.column.field.clone());
        Edit::ClearValue { op: None, owner: at.owner(), component, field, inner: at.column.inner.clone() }
    });
    let plan = Plan { label: label("Reset", cells, own.len()), edits: edits.collect() };
    CellPlan { plan, n_changed: own.len(), n_skipped: cells.len() - own.len(), ..CellPlan::default() }
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

/// The plan that brings cells to their values.
pub(super) fn planned(
    state: State<'_>,
    targets: Vec<(CellAt, Value, HowToSet)>,
    label: impl FnOnce(usize) -> String,
    (n_rounded, n_skipped): (usize, usize),
) -> CellPlan {
    let n_changed = targets.iter().filter(|(at, wanted, _)| state.value(at) != Some(wanted)).count();
    let target = |(at, wanted, how): (CellAt, Value, HowToSet)| Target {
        at: PartAt { owner: at.owner(), column: at.column },
        wanted,
        how,
    };
    let targets = targets.into_iter().map(target).collect();
    let (edits, n_as_values) = edits_for(state.project, state.builtin, state.resolution, targets);
    let plan = Plan { label: label(n_changed), edits };
    CellPlan { plan, n_changed, n_rounded, n_skipped, why_skipped: None, n_as_values }
}
