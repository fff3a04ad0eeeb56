//! Text written anew, in the canonical form: four spaces, trailing commas, floats with a dot, and one line for what
//! fits on one.

use super::{
    carried::{Carry, bare},
    form::{Form, Slot},
    inline,
};

/// Columns a line should not pass.
pub(super) const WIDTH: usize = 100;

/// How new text is laid out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style<'t> {
    /// One step of indentation.
    pub(super) unit: &'t str,
    /// The line break.
    pub(super) eol: &'t str,
}

/// Four spaces and line feeds.
pub(super) const CANONICAL: Style<'static> = Style { unit: "    ", eol: "\n" };

/// A whole file with the content `form`, in canonical form.
#[must_use]
pub fn write(form: &Form<'_>) -> String {
    write_with(form, &[]).0
}

/// As [`write()`], with the comments of entries that were removed elsewhere; and which of those were placed.
#[must_use]
pub fn write_with(form: &Form<'_>, carried: &[super::Carryable]) -> (String, Vec<super::Placed>) {
    let carry = Carry::new(carried);
    let mut writer = Writer::new(CANONICAL, Some(&carry));
    writer.broken(form, "");
    writer.out.push('\n');
    let text = writer.out;
    (text, carry.placed())
}

/// A part of a file by itself, on one line where it fits.
#[must_use]
pub fn write_part(form: &Form<'_>) -> String {
    let mut writer = Writer::new(CANONICAL, None);
    writer.value(form, "", 0, 0);
    writer.out
}

pub(super) struct Writer<'t> {
    pub(super) out: String,
    pub(super) style: Style<'t>,
    /// Something had to be written of which only the file has the value.
    pub(super) is_lost: bool,
    /// Comments that move along to what is written.
    carry: Option<&'t Carry<'t>>,
    /// The nearest key above what is written.
    pub(super) parent: String,
}

impl<'t> Writer<'t> {
    pub(super) fn new(style: Style<'t>, carry: Option<&'t Carry<'t>>) -> Self {
        let carry = carry.filter(|carry| !carry.is_empty());
        Self { out: String::new(), style, is_lost: false, carry, parent: String::new() }
    }

    /// Write `form` from `column` of a line indented by `indent`, with room for `after` more characters behind it.
    pub(super) fn value(&mut self, form: &Form<'_>, indent: &str, column: usize, after: usize) {
        if let Form::Custom(custom) = form {
            return self.value(&custom.form(None), indent, column, after);
        }
        if !wants_lines(form) && !self.carry.is_some_and(|carry| carry.has_for(&self.parent, form)) {
            let start = self.out.len();
            self.inline(form);
            let written = self.out.get(start..).unwrap_or_default().chars().count();
            if column + written + after <= WIDTH || !is_group(form) {
                return;
            }
            self.out.truncate(start);
        }
        self.broken(form, indent);
    }

    /// Write on one line.
    fn inline(&mut self, form: &Form<'_>) {
        self.is_lost |= !inline::put(&mut self.out, form);
    }

    /// Write with one line for each part, if there are parts.
    pub(super) fn broken(&mut self, form: &Form<'_>, indent: &str) {
        match form {
            Form::Value(value) => self.broken(&Form::open(value), indent),
            Form::Optional(Some(form)) => self.broken(form, indent),
            Form::Custom(custom) => self.broken(&custom.form(None), indent),
            Form::Tuple(items) if !items.is_empty() => {
                self.lines("(", ")", indent, items.iter().map(|item| (None, item)));
            }
            Form::List(list) if !list.items.is_empty() => {
                self.lines("[", "]", indent, list.items.iter().map(|item| (None, item)));
            }
            Form::Record(slots) if slots.iter().any(|slot| !slot.is_default) => self.field_lines(slots, indent),
            Form::Tagged(tag, content) => {
                self.out.push_str(tag);
                self.broken_content(content, indent);
            }
            Form::Call(word, slots) => {
                self.out.push_str(word);
                if slots.iter().any(|slot| !slot.is_default) {
                    self.field_lines(slots, indent);
                }
            }
            Form::Map(map) if !map.entries.is_empty() => {
                let keys: Vec<String> = map.entries.iter().map(|(key, _)| self.key(key)).collect();
                let parts = keys.into_iter().zip(&map.entries).map(|(key, (_, value))| (Some(key), value));
                self.lines("{", "}", indent, parts);
            }
            _ => self.inline(form),
        }
    }

    /// A lone group inside hugs the parentheses: `Polygon([` … `])`.
    fn broken_content(&mut self, content: &Form<'_>, indent: &str) {
        match content {
            Form::Value(value) => self.broken_content(&Form::open(value), indent),
            Form::Tuple(items) => match items.as_slice() {
                [only] if is_group(only) => {
                    self.out.push('(');
                    self.broken(only, indent);
                    self.out.push(')');
                }
                _ => self.broken(content, indent),
            },
            Form::Record(_) => self.broken(content, indent),
            other => self.is_lost |= !inline::content(&mut self.out, other),
        }
    }

    fn field_lines(&mut self, slots: &[Slot<'_>], indent: &str) {
        let present = slots.iter().filter(|slot| !slot.is_default);
        self.lines("(", ")", indent, present.map(|slot| (Some(slot.name.to_owned()), &slot.form)));
    }

    /// A key on one line.
    pub(super) fn key(&mut self, key: &Form<'_>) -> String {
        let mut text = String::new();
        self.is_lost |= !inline::put(&mut text, key);
        text
    }

    fn lines<'f, 'm: 'f>(
        &mut self,
        open: &str,
        close: &str,
        indent: &str,
        parts: impl Iterator<Item = (Option<String>, &'f Form<'m>)>,
    ) {
        let inner = format!("{indent}{}", self.style.unit);
        self.out.push_str(open);
        for (key, value) in parts {
            self.out.push_str(self.style.eol);
            self.out.push_str(&inner);
            let trail = self.carried_entry(key.as_deref(), value, &inner);
            self.out.push(',');
            self.out.push_str(&trail);
        }
        self.out.push_str(self.style.eol);
        self.out.push_str(indent);
        self.out.push_str(close);
    }

    /// As [`Writer::entry`], with the comments that move along. Those behind the comma are returned.
    pub(super) fn carried_entry(&mut self, key: Option<&str>, value: &Form<'_>, indent: &str) -> String {
        let Some(carry) = self.carry else {
            self.entry(key, value, indent);
            return String::new();
        };
        let name = key.map(bare);
        if let Some(carried) = carry.find(&self.parent, name.as_deref(), value, (indent, self.style.eol)) {
            carry.place(&carried, true);
            for comment in &carried.lead {
                self.out.push_str(comment);
                self.out.push_str(self.style.eol);
                self.out.push_str(indent);
            }
            match &carried.body {
                Some(body) => self.out.push_str(body),
                None => self.entry_below(name, key, value, indent),
            }
            return if carried.trail.is_empty() { String::new() } else { format!(" {}", carried.trail) };
        }
        self.entry_below(name, key, value, indent);
        String::new()
    }

    fn entry_below(&mut self, name: Option<String>, key: Option<&str>, value: &Form<'_>, indent: &str) {
        let parent = name.map(|name| std::mem::replace(&mut self.parent, name));
        self.entry(key, value, indent);
        if let Some(parent) = parent {
            self.parent = parent;
        }
    }

    /// `key: value`, or only the value, at the start of a line indented by `indent`.
    pub(super) fn entry(&mut self, key: Option<&str>, value: &Form<'_>, indent: &str) {
        let mut column = indent.chars().count();
        if let Some(key) = key {
            self.out.push_str(key);
            self.out.push_str(": ");
            column += key.chars().count() + 2;
        }
        self.value(value, indent, column, 1);
    }
}

/// Whether something in it has lines of its own, however short it is.
fn wants_lines(form: &Form<'_>) -> bool {
    match form {
        Form::Optional(Some(form)) => wants_lines(form),
        Form::Tagged(_, content) => wants_lines(content),
        Form::Record(slots) | Form::Call(_, slots) => {
            slots.iter().any(|slot| !slot.is_default && wants_lines(&slot.form))
        }
        Form::List(list) => list.own_lines && !list.items.is_empty() || list.items.iter().any(wants_lines),
        Form::Map(map) => {
            map.own_lines && !map.entries.is_empty() || map.entries.iter().any(|(_, value)| wants_lines(value))
        }
        Form::Custom(custom) => wants_lines(&custom.form(None)),
        _ => false,
    }
}

fn is_group(form: &Form<'_>) -> bool {
    match form {
        Form::Value(value) => {
            !matches!(Form::open(value), Form::Word(_) | Form::Str(_)) && is_group(&Form::open(value))
        }
        Form::Optional(Some(form)) => is_group(form),
        Form::Tuple(_) | Form::Record(_) | Form::Tagged(..) | Form::Call(..) | Form::List(_) | Form::Map(_) => true,
        Form::Custom(_) => true,
        _ => false,
    }
}
