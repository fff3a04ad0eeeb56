//! What a spreadsheet holds, put into the definitions table.
//!
//! A first row that names columns says which column is which, and a first column of definitions' names says which row
//! is which, so rows and columns may come back in another order, or fewer of them. Without these, cells go where the
//! selection begins.
//!
//! Invariant: all of it is put in, or nothing, with every cell named that does not fit. An empty cell leaves what is
//! there.

use std::{collections::BTreeMap, ops::Range};

use super::{
    cell_text::{TypedCell, read_tsv, typed_cell},
    cells::{BadCell, CellAt, CellPlan, State, absent, count, planned},
    typed::HowToSet,
};
use crate::{
    explain::Column,
    model::{DocPath, FieldType, Name, Value, after, did_you_mean, mean},
};

/// The table as it is shown, and what is selected in it.
pub struct Sheet<'a> {
    /// How many rows there are.
    pub n_rows: usize,
    /// The definition of a row.
    pub row: &'a dyn Fn(usize) -> Option<(DocPath, Name)>,
    /// The columns, left to right.
    pub columns: &'a [Column],
    /// The rows selected.
    pub rows: Range<usize>,
    /// The columns selected, by index.
    pub cols: Range<usize>,
}

/// A place in what is pasted, with the text there and the cell it is for.
struct Piece {
    at: (usize, usize),
    text: String,
    cell: CellAt,
}

/// Put text from the clipboard into the table.
///
/// # Errors
/// Everything that does not fit, each with its place; nothing is put in then.
pub fn paste_cells(state: State<'_>, sheet: &Sheet<'_>, text: &str) -> Result<CellPlan, Vec<BadCell>> {
    let pieces = laid_out(state, sheet, read_tsv(text))?;
    let schema = &state.resolution.schema;
    let mut bad = Vec::new();
    let mut targets: Vec<(CellAt, Value, HowToSet)> = Vec::new();
    let mut n_rounded = 0;
    let mut seen: BTreeMap<CellAt, (usize, usize)> = BTreeMap::new();
    for Piece { at, text, cell } in pieces {
        if let Some(before) = seen.insert(cell.clone(), at) {
            let message = format!("is there twice; the first is in row {}, column {}", before.0, before.1);
            bad.push(BadCell { at: Some(at), place: cell.to_string(), message });
            continue;
        }
        if text.trim().is_empty() {
            continue;
        }
        match state.value(&cell) {
            None => bad.push(BadCell { at: Some(at), ..absent(&cell) }),
            Some(current) => match typed_cell(schema, &cell.column.spec(schema), &text, current) {
                Ok(TypedCell { value, is_exact, how }) => {
                    n_rounded += usize::from(!is_exact);
                    targets.push((cell, value, how));
                }
                Err(message) => bad.push(BadCell { at: Some(at), place: cell.to_string(), message }),
            },
        }
    }
    if !bad.is_empty() {
        return Err(bad);
    }
    Ok(planned(state, targets, |n| format!("Paste {}", count(n)), (n_rounded, 0)))
}

fn wrong(at: Option<(usize, usize)>, message: String) -> BadCell {
    BadCell { at, place: String::new(), message }
}

/// Which text is for which cell.
fn laid_out(state: State<'_>, sheet: &Sheet<'_>, mut table: Vec<Vec<String>>) -> Result<Vec<Piece>, Vec<BadCell>> {
    let one = |message: String| vec![wrong(None, message)];
    if table.iter().flatten().all(|cell| cell.trim().is_empty()) {
        return Err(one("there are no cells on the clipboard".to_owned()));
    }
    let header = header(state, sheet, &table[0]);
    let first_row = usize::from(header.is_some());
    if header.is_some() {
        table.remove(0);
        if table.is_empty() {
            return Err(one("there is only a header on the clipboard".to_owned()));
        }
    }
    let mut bad = Vec::new();
    let named = is_named(state, sheet, header.as_deref(), &table);
    let skip = usize::from(named);

    // Columns: by name, or from where the selection begins.
    let width = table.iter().map(|row| row.len().saturating_sub(skip)).max().unwrap_or_default();
    let mut columns: Vec<Option<Column>> = Vec::new();
    match &header {
        Some(header) => {
            for (i, name) in header.iter().enumerate().skip(skip) {
                let found = column_named(state, sheet, name);
                if found.is_none() && !name.trim().is_empty() {
                    let known: Vec<String> = sheet.columns.iter().map(ToString::to_string).collect();
                    let near = did_you_mean(name, known.iter().map(String::as_str));
                    let help = after(mean(near));
                    bad.push(wrong(Some((1, i + 1)), format!("there is no column `{}`{help}", name.trim())));
                }
                columns.push(found);
            }
        }
        None => {
            columns = sheet.columns[sheet.cols.start.min(sheet.columns.len())..].iter().cloned().map(Some).collect();
        }
    }
    // Rows: by name, or from where the selection begins.
    let mut rows: Vec<Option<(DocPath, Name)>> = Vec::new();
    if named {
        for (i, row) in table.iter().enumerate() {
            let name = row.first().map(|name| name.trim()).unwrap_or_default();
            let found = state.resolution.def_docs.get_key_value(name);
            if found.is_none() && row.iter().any(|cell| !cell.trim().is_empty()) {
                let near = did_you_mean(name, state.resolution.def_docs.keys().map(|name| &**name));
                let help = after(mean(near));
                bad.push(wrong(Some((i + 1 + first_row, 1)), format!("there is no definition `{name}`{help}")));
            }
            rows.push(found.map(|(name, doc)| (doc.clone(), name.clone())));
        }
    } else {
        rows.extend((sheet.rows.start..sheet.n_rows).map(|row| (sheet.row)(row)));
    }
    let (n_rows, n_cols) = (sheet.rows.len(), sheet.cols.len());
    let is_block = n_rows * n_cols > 1;
    // One value, or a block that divides the selection, is repeated over it.
    let down = if named || !is_block || n_rows % table.len() != 0 { table.len() } else { n_rows };
    let across = if header.is_some() || !is_block || width == 0 || n_cols % width != 0 { width } else { n_cols };
    if !named && is_block && down != n_rows || header.is_none() && !named && is_block && across != n_cols {
        bad.push(wrong(
            None,
            format!(
                "{} × {width} cells were copied and {n_rows} × {n_cols} are selected; select one cell to paste from there",
                table.len()
            ),
        ));
    } else if !named && down > rows.len() {
        bad.push(wrong(None, format!("{down} rows were copied, and only {} are there from here down", rows.len())));
    }
    if across > columns.len() {
        let from = if header.is_some() { "named above" } else { "there from here on" };
        bad.push(wrong(None, format!("{across} columns were copied, and only {} are {from}", columns.len())));
    }
    if !bad.is_empty() {
        return Err(bad);
    }
    let mut pieces = Vec::new();
    for i in 0..down {
        let from = i % table.len();
        let Some(Some((doc, name))) = rows.get(i) else { continue };
        for j in 0..across {
            let (Some(Some(column)), Some(text)) = (columns.get(j), table[from].get(skip + j % width.max(1))) else {
                continue;
            };
            let cell = CellAt { doc: doc.clone(), name: name.clone(), column: column.clone() };
            pieces.push(Piece { at: (from + 1 + first_row, skip + j % width.max(1) + 1), text: text.clone(), cell });
        }
    }
    Ok(pieces)
}

/// The first row, if it names columns: most of what it says, and nothing that could be a value.
fn header(state: State<'_>, sheet: &Sheet<'_>, row: &[String]) -> Option<Vec<String>> {
    let cells_named: Vec<&String> =
        row.iter().skip(usize::from(is_corner(row))).filter(|cell| !cell.trim().is_empty()).collect();
    let n_known = cells_named.iter().filter(|cell| column_named(state, sheet, cell).is_some()).count();
    (n_known > 0 && n_known * 2 >= cells_named.len()).then(|| row.to_vec())
}

/// Whether a header begins with what stands over names.
fn is_corner(row: &[String]) -> bool {
    let first = row.first().map(|cell| cell.trim().to_lowercase());
    first.is_some_and(|first| matches!(first.as_str(), "" | "name" | "definition" | "definitions"))
}

/// The column a header names: one that is shown, or any of the vocabulary.
fn column_named(state: State<'_>, sheet: &Sheet<'_>, name: &str) -> Option<Column> {
    let name = name.trim();
    let shown = sheet.columns.iter().find(|column| column.to_string() == name);
    shown.cloned().or_else(|| {
        let column = Column::parse(name)?;
        state.resolution.schema.field(&column.component, &column.field)?;
        Some(column)
    })
}

/// Whether the first column names definitions.
fn is_named(state: State<'_>, sheet: &Sheet<'_>, header: Option<&[String]>, table: &[Vec<String>]) -> bool {
    if let Some(header) = header {
        return is_corner(header);
    }
    // Without a header, a column of names is recognized by its text, unless the target column takes such text itself.
    let schema = &state.resolution.schema;
    let takes_words = sheet.columns.get(sheet.cols.start).is_some_and(|column| {
        let ty = &column.spec(schema).ty;
        ty.is_text() || matches!(ty, FieldType::Def | FieldType::Any | FieldType::Entity)
    });
    let firsts = || table.iter().filter_map(|row| row.first()).filter(|cell| !cell.trim().is_empty());
    let n_known = firsts().filter(|name| state.resolution.def_docs.contains_key(name.trim())).count();
    !takes_words && table.iter().any(|row| row.len() > 1) && n_known > 0 && n_known * 2 >= firsts().count()
}
