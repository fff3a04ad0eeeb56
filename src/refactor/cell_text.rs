//! Cells as text, for spreadsheets and for typing: a value as its cell shows it, a value read from what was typed there
//! by the field's type, and tables as tab-separated text.
//!
//! Invariant: what a cell shows reads back as the very value it shows, and what [`write_tsv`] writes [`read_tsv`]
//! reads.

use super::typed::{HowToSet, fitted, outcome_of};
use crate::model::{FieldSpec, FieldType, Schema, Typed, Value, advice, after, read_typed, read_typed_pair};

/// A value as its cell shows it.
#[must_use]
pub fn cell_text(value: &Value) -> String {
    match value {
        Value::Float(x) => x.to_string(),
        Value::Str(text) => text.clone(),
        _ => match value {
            Value::Tuple(items) if items.len() == 2 && value.as_vec2().is_some() => {
                format!("({}, {})", cell_text(&items[0]), cell_text(&items[1]))
            }
            _ => value.to_string(),
        },
    }
}

/// What was typed into a cell, or pasted there.
#[derive(Debug)]
pub(super) struct TypedCell {
    pub value: Value,
    /// Not rounded to a whole number.
    pub is_exact: bool,
    pub how: HowToSet,
}

/// What was typed into a cell that holds `current`, and how the value is declared: an operation that was typed stays
/// one. A number stays as it is written where it is still the same number.
///
/// # Errors
/// What is wrong with the text, in a sentence without a full stop.
pub(super) fn typed_cell(schema: &Schema, spec: &FieldSpec, text: &str, current: &Value) -> Result<TypedCell, String> {
    let typed = if text == cell_text(current) { None } else { typed_for(spec, text, current) };
    if let Some(Ok(typed @ Typed::Operation(..))) = &typed {
        let (after, how) = outcome_of(&spec.ty, current, None, typed);
        let (value, is_exact) = after?;
        return Ok(TypedCell { value: fit(schema, spec, value)?, is_exact, how });
    }
    let value = value_of(schema, spec, text, current)?;
    Ok(TypedCell { value, is_exact: true, how: HowToSet::Declare })
}

/// Whether a text is an operation on what a cell has, rather than a value.
pub(super) fn is_operation(spec: &FieldSpec, text: &str, current: &Value) -> bool {
    matches!(typed_for(spec, text, current), Some(Ok(Typed::Operation(..))))
}

/// What was typed, where a number or a pair of numbers is meant; `None` elsewhere.
fn typed_for(spec: &FieldSpec, text: &str, current: &Value) -> Option<Result<Typed, String>> {
    let content = current.as_option().unwrap_or(current);
    let ty = if let FieldType::Option(inner) = &spec.ty { inner } else { &spec.ty };
    let unit = spec.unit.as_deref();
    match ty {
        ty if ty.is_number() => Some(read_typed(text, unit)),
        FieldType::Vec2 => Some(read_typed_pair(text, unit)),
        FieldType::Any if content.as_f64().is_some() => Some(read_typed(text, unit)),
        _ => None,
    }
}

fn value_of(schema: &Schema, spec: &FieldSpec, text: &str, current: &Value) -> Result<Value, String> {
    if text == cell_text(current) {
        return Ok(current.clone());
    }
    let value = read(schema, &spec.ty, text, current, spec.unit.as_deref())?;
    if let (Some(a), Some(b)) = (value.as_f64(), current.as_f64())
        && a == b
    {
        return Ok(current.clone());
    }
    fit(schema, spec, value)
}

fn fit(schema: &Schema, spec: &FieldSpec, value: Value) -> Result<Value, String> {
    match schema.type_errors(spec, &value).into_iter().find(|type_error| !type_error.usable) {
        Some(type_error) => Err(match type_error.help {
            Some(help) => format!("{}; {help}", type_error.message),
            None => type_error.message,
        }),
        None => Ok(value),
    }
}

fn read(schema: &Schema, ty: &FieldType, text: &str, current: &Value, unit: Option<&str>) -> Result<Value, String> {
    let plain = text.trim();
    match ty {
        ty if ty.is_text() || ty.is_reference() => Ok(Value::str(text)),
        FieldType::Int | FieldType::Float | FieldType::Angle => fitted(ty, number(plain, unit)?, current),
        FieldType::Bool => match plain.to_lowercase().as_str() {
            "true" | "yes" | "on" | "1" => Ok(Value::Bool(true)),
            "false" | "no" | "off" | "0" => Ok(Value::Bool(false)),
            _ => Err(format!("`{plain}` is neither true nor false")),
        },
        FieldType::Color => {
            let hex = plain.trim_start_matches('#');
            Ok(Value::Str(format!("#{hex}")))
        }
        FieldType::Enum(name) => {
            let words = schema.enums.get(name).map_or(&[][..], Vec::as_slice);
            let exact = words.iter().find(|word| ***word == *plain);
            let found = exact.or_else(|| words.iter().find(|word| word.eq_ignore_ascii_case(plain)));
            found.map(|word| Value::Symbol(word.clone())).ok_or_else(|| {
                let help = after(advice(plain, "it has", words.iter().map(|word| &**word)));
                format!("`{plain}` is not a value of {name}{help}")
            })
        }
        FieldType::Flags(_) | FieldType::List(_) if !plain.starts_with('[') => format!("[{plain}]").parse(),
        FieldType::Vec2 => {
            let Typed::Value(value) = read_typed_pair(plain, unit)? else {
                return Err(format!("`{plain}` has no pair of numbers to start from"));
            };
            fitted(ty, value, current)
        }
        FieldType::Option(inner) => match current.as_option() {
            _ if plain == "None" => Ok(Value::Symbol("None".into())),
            Some(content) if content == current => read(schema, inner, text, content, unit),
            _ if plain.starts_with("Some") => plain.parse(),
            _ => read(schema, inner, text, &inner.default_value(), unit),
        },
        FieldType::Any if matches!(current, Value::Str(_)) => Ok(Value::str(text)),
        _ => plain.parse(),
    }
}

/// A number with its unit behind it, or without.
fn number(text: &str, unit: Option<&str>) -> Result<Value, String> {
    match read_typed(text, unit)? {
        Typed::Value(value) => Ok(value),
        Typed::Operation(..) => Err(format!("`{text}` has no number to start from")),
    }
}

/// The rows and cells of tab-separated text as spreadsheets put it on the clipboard: any line ends, cells in quotes
/// where they hold tabs, line ends or quotes.
#[must_use]
pub fn read_tsv(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut row = Vec::new();
    let mut rest = text;
    loop {
        let (cell, after) = quoted(rest).unwrap_or_else(|| {
            let end = rest.find(['\t', '\n', '\r']).unwrap_or(rest.len());
            (rest[..end].to_owned(), &rest[end..])
        });
        let is_last_line = after.is_empty();
        row.push(cell);
        if let Some(next) = after.strip_prefix('\t') {
            rest = next;
            continue;
        }
        // The end of a line, or of the text: a line end at the very end begins no further row.
        let is_nothing = row.len() == 1 && row[0].is_empty() && is_last_line && !rest.starts_with('"');
        let done = std::mem::take(&mut row);
        if !is_nothing {
            rows.push(done);
        }
        if is_last_line {
            return rows;
        }
        rest = after.strip_prefix("\r\n").unwrap_or_else(|| &after[1..]);
    }
}

/// A cell in quotes at the start of `text`, and what follows it. Not one when the text goes on right behind the quote.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('"')?;
    let mut out = String::new();
    let mut chars = inside.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c != '"' {
            out.push(c);
        } else if chars.next_if(|(_, next)| *next == '"').is_some() {
            out.push('"');
        } else {
            let after = &inside[at + 1..];
            return (after.is_empty() || after.starts_with(['\t', '\n', '\r'])).then_some((out, after));
        }
    }
    None
}

/// Rows as tab-separated text.
#[must_use]
pub fn write_tsv<'a>(rows: impl IntoIterator<Item = &'a Vec<String>>) -> String {
    let mut out = String::new();
    for row in rows {
        for (i, cell) in row.iter().enumerate() {
            if i > 0 {
                out.push('\t');
            }
            // A lone empty cell is quoted too, or its row would be none.
            if cell.contains(['\t', '\n', '\r']) || cell.starts_with('"') || (row.len() == 1 && cell.is_empty()) {
                out.push('"');
                out.push_str(&cell.replace('"', "\"\""));
                out.push('"');
            } else {
                out.push_str(cell);
            }
        }
        out.push('\n');
    }
    out
}
