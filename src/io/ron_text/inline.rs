//! A form on one line.

use super::form::{Form, Slot};
use crate::model::{Value, float_text};

/// A form on one line, however long that is.
#[must_use]
pub fn inline(form: &Form<'_>) -> String {
    let mut out = String::new();
    put(&mut out, form);
    out
}

/// A string in quotes.
pub(super) fn quoted(text: &str) -> String {
    Value::Str(text.to_owned()).to_string()
}

/// Write a form. False when something in it is known only to be what the file says ([`Form::Keep`]), which is left out.
pub(super) fn put(out: &mut String, form: &Form<'_>) -> bool {
    match form {
        Form::Keep => return false,
        Form::Value(value) => return put(out, &Form::open(value)),
        Form::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Form::Int(i) => out.push_str(&i.to_string()),
        Form::Float(x) | Form::Dotted(x) => out.push_str(&float_text(*x)),
        Form::Str(text) => out.push_str(&quoted(text)),
        Form::Word(word) => out.push_str(word),
        Form::Optional(None) => out.push_str("None"),
        Form::Optional(Some(form)) => return put(out, form),
        Form::Tuple(items) => return joined(out, "(", items, ")"),
        Form::Record(slots) => return fields(out, slots),
        Form::Tagged(tag, inside) => {
            out.push_str(tag);
            return content(out, inside);
        }
        Form::Call(word, slots) => {
            out.push_str(word);
            if slots.iter().any(|slot| !slot.is_default) {
                return fields(out, slots);
            }
        }
        Form::List(list) => return joined(out, "[", &list.items, "]"),
        Form::Map(map) if map.entries.is_empty() => out.push_str("{}"),
        Form::Map(map) => {
            let mut is_whole = true;
            for (i, (key, value)) in map.entries.iter().enumerate() {
                out.push_str(if i > 0 { ", " } else { "{ " });
                is_whole &= put(out, key);
                out.push_str(": ");
                is_whole &= put(out, value);
            }
            out.push_str(" }");
            return is_whole;
        }
        Form::Custom(custom) => return put(out, &custom.form(None)),
    }
    true
}

/// Write the content of a tagged value; what is neither tuple nor record gets the parentheses it needs.
pub(super) fn content(out: &mut String, inside: &Form<'_>) -> bool {
    match inside {
        Form::Value(value) => content(out, &Form::open(value)),
        Form::Tuple(_) | Form::Record(_) => put(out, inside),
        other => {
            out.push('(');
            let is_whole = put(out, other);
            out.push(')');
            is_whole
        }
    }
}

fn joined(out: &mut String, open: &str, items: &[Form<'_>], close: &str) -> bool {
    let mut is_whole = true;
    out.push_str(open);
    for (i, item) in items.iter().enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        is_whole &= put(out, item);
    }
    out.push_str(close);
    is_whole
}

fn fields(out: &mut String, slots: &[Slot<'_>]) -> bool {
    let mut is_whole = true;
    out.push('(');
    for (i, slot) in slots.iter().filter(|slot| !slot.is_default).enumerate() {
        out.push_str(if i > 0 { ", " } else { "" });
        out.push_str(slot.name);
        out.push_str(": ");
        is_whole &= put(out, &slot.form);
    }
    out.push(')');
    is_whole
}
