//! The reader: text to [`Tree`], strictly.
//!
//! Recursive, to [`MAX_DEPTH`] and no further. What is RON but not allowed here (a duplicate key) is noted and reading
//! goes on. Words, numbers and strings are read by `scan`.

use std::collections::HashSet;

use crate::model::shortened;

use super::{
    Entry, Field, Kind, Node, Tree,
    scan::{Read, Scanner, SyntaxError},
};

/// How deep values may nest.
pub const MAX_DEPTH: usize = 64;
/// How large a file may be, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// Read a file's text.
///
/// # Errors
/// All errors up to the first place where the text stops being RON.
pub fn parse(text: &str) -> Result<Tree<'_>, Vec<SyntaxError>> {
    let mut parser = Scanner::new(text, 0);
    let root = if text.len() > MAX_BYTES {
        parser.fail("too-large", 0, 0, format!("the file has {} bytes; the most is {MAX_BYTES}", text.len()))
    } else {
        parser.file()
    };
    match root {
        Ok(root) if parser.errors.is_empty() => Ok(Tree { text, root }),
        Ok(_) => Err(parser.errors),
        Err(_) => {
            parser.blame_string();
            Err(parser.errors)
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a text of at most MAX_BYTES has offsets below 2^32")]
fn offset(at: usize) -> u32 {
    at as u32
}

/// Number of keys up to which comparing along the list is as quick as a set.
const FEW: usize = 16;

/// Give back what a long list had grown for: all of the tree is in memory while a document is made of it.
fn shrink<T>(items: &mut Vec<T>) {
    const LONG: usize = 64;
    if items.len() >= LONG {
        items.shrink_to_fit();
    }
}

impl<'t> Scanner<'t> {
    fn file(&mut self) -> Read<Node<'t>> {
        if self.text.starts_with('\u{feff}') {
            self.at = 3;
        }
        self.trivia()?;
        self.attributes()?;
        if self.peek().is_none() {
            return self.fail("syntax", self.at, self.at, "the file is empty; it should hold one value");
        }
        let root = self.value(0)?;
        self.trivia()?;
        if self.peek().is_some() {
            let (start, end, what) = self.here();
            return self.fail("syntax", start, end, format!("expected the end of the file, found {what}"));
        }
        Ok(root)
    }

    fn node(&self, start: usize, kind: Kind<'t>) -> Node<'t> {
        Node { start: offset(start), end: offset(self.at), kind }
    }

    /// One value; the reader stands on its first byte.
    pub(super) fn value(&mut self, depth: usize) -> Read<Node<'t>> {
        let start = self.at;
        match self.peek() {
            Some(b'(') => self.parens(depth),
            Some(b'[') => self.list(depth),
            Some(b'{') => self.map(depth),
            Some(b'"') => self.string().map(|kind| self.node(start, kind)),
            Some(b'r') if matches!(self.bytes.get(start + 1), Some(b'"' | b'#')) => {
                self.raw_string().map(|kind| self.node(start, kind))
            }
            Some(b'0'..=b'9' | b'+' | b'-' | b'.') => self.number().map(|kind| self.node(start, kind)),
            Some(b'\'') => {
                self.fail("syntax", start, start + 1, "there are no single-quoted characters here; write a \"string\"")
            }
            _ => self.word_value(depth),
        }
    }

    fn word_value(&mut self, depth: usize) -> Read<Node<'t>> {
        let start = self.at;
        let Some(word) = self.word() else {
            let (start, end, what) = self.here();
            return self.fail("syntax", start, end, format!("expected a value, found {what}"));
        };
        match word {
            "true" => return Ok(self.node(start, Kind::Bool(true))),
            "false" => return Ok(self.node(start, Kind::Bool(false))),
            "inf" | "NaN" | "nan" => {
                self.not_finite(start)?;
                return Ok(self.node(start, Kind::Float(0.0)));
            }
            _ => {}
        }
        let end = self.at;
        self.trivia()?;
        match self.peek() {
            Some(b'(') => {
                let content = self.parens(depth)?;
                Ok(self.node(start, Kind::Tagged(word, Box::new(content))))
            }
            Some(b'"') if end == self.at && word == "b" => {
                self.fail("syntax", start, end + 1, "there are no byte strings here; write a \"string\"")
            }
            _ => {
                self.at = end;
                Ok(self.node(start, Kind::Symbol(word)))
            }
        }
    }

    fn enter(&mut self, depth: usize) -> Read<usize> {
        let start = self.at;
        if depth >= MAX_DEPTH {
            return self.fail("too-deep", start, start + 1, format!("values nest deeper than {MAX_DEPTH} here"));
        }
        self.at += 1;
        self.trivia()?;
        Ok(start)
    }

    /// After an element: true when another may follow, false when the group is closed.
    pub(super) fn next(&mut self, open: usize, close: u8) -> Read<bool> {
        self.trivia()?;
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.trivia()?;
                Ok(!self.closes(close))
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(false)
            }
            None => self.unclosed(open),
            _ => {
                let (start, end, what) = self.here();
                let close = char::from(close);
                let result = self.fail("syntax", start, end, format!("expected `,` or `{close}`, found {what}"));
                let line = self.lines().span(open, open).line;
                let opener = self.bytes.get(open).copied().map_or('(', char::from);
                self.help(format!("the `{opener}` to be closed is in line {line}"));
                result
            }
        }
    }

    pub(super) fn closes(&mut self, close: u8) -> bool {
        let closes = self.peek() == Some(close);
        self.at += usize::from(closes);
        closes
    }

    fn unclosed<T>(&mut self, open: usize) -> Read<T> {
        let opener = self.bytes.get(open).copied().map_or('(', char::from);
        self.fail("syntax", open, open + 1, format!("this `{opener}` is never closed"))
    }

    fn list(&mut self, depth: usize) -> Read<Node<'t>> {
        let open = self.enter(depth)?;
        let mut items = Vec::new();
        let mut more = !self.closes(b']');
        while more {
            if self.peek().is_none() {
                return self.unclosed(open);
            }
            items.push(self.value(depth + 1)?);
            more = self.next(open, b']')?;
        }
        shrink(&mut items);
        Ok(self.node(open, Kind::List(items)))
    }

    fn parens(&mut self, depth: usize) -> Read<Node<'t>> {
        let open = self.enter(depth)?;
        if self.closes(b')') {
            return Ok(self.node(open, Kind::Tuple(Vec::new())));
        }
        if self.at_field_name()? { self.fields(open, depth) } else { self.tuple(open, depth) }
    }

    /// Whether a name and a colon stand here.
    pub(super) fn at_field_name(&mut self) -> Read<bool> {
        let start = self.at;
        let found = if self.word().is_some() {
            self.trivia()?;
            self.peek() == Some(b':')
        } else {
            false
        };
        self.at = start;
        Ok(found)
    }

    fn tuple(&mut self, open: usize, depth: usize) -> Read<Node<'t>> {
        let mut items = Vec::new();
        let mut more = true;
        while more {
            if self.peek().is_none() {
                return self.unclosed(open);
            }
            items.push(self.value(depth + 1)?);
            more = self.next(open, b')')?;
        }
        Ok(self.node(open, Kind::Tuple(items)))
    }

    fn fields(&mut self, open: usize, depth: usize) -> Read<Node<'t>> {
        let mut fields: Vec<Field<'t>> = Vec::new();
        let mut seen = HashSet::new();
        let mut more = true;
        while more {
            let field = self.field(open, depth)?;
            let twice = if fields.len() < FEW {
                fields.iter().any(|other| other.name == field.name)
            } else {
                if seen.is_empty() {
                    seen.extend(fields.iter().map(|field| field.name));
                }
                !seen.insert(field.name)
            };
            if twice && let Some(first) = fields.iter().find(|other| other.name == field.name) {
                self.field_twice(first, &field)?;
            }
            fields.push(field);
            more = self.next(open, b')')?;
        }
        Ok(self.node(open, Kind::Struct(fields)))
    }

    /// `name: value` in the parentheses opened at `open`; the reader stands on its first byte.
    pub(super) fn field(&mut self, open: usize, depth: usize) -> Read<Field<'t>> {
        let start = self.at;
        let Some(name) = self.word() else {
            if self.peek().is_none() {
                return self.unclosed(open);
            }
            let (start, end, what) = self.here();
            let result = self.fail("syntax", start, end, format!("expected a field's name, found {what}"));
            if self.peek() == Some(b'"') {
                self.help("fields of a `(…)` have bare names; quoted keys belong in a map `{…}`");
            }
            return result;
        };
        self.colon(open, name)?;
        let outer = self.field.replace(name);
        let value = self.value(depth + 1)?;
        self.field = outer;
        Ok(Field { start: offset(start), name, value })
    }

    fn field_twice(&mut self, first: &Field<'t>, field: &Field<'t>) -> Read<()> {
        let (start, end) = field.name_range();
        let first = self.place(first.name_range().0);
        self.note("duplicate-key", start, end, format!("the field `{}` is given twice, first at {first}", field.name))
    }

    /// A place as messages name it: line and column.
    fn place(&self, at: usize) -> String {
        let span = self.lines().span(at, at);
        format!("{}:{}", span.line, span.column)
    }

    fn colon(&mut self, open: usize, key: &str) -> Read<()> {
        self.trivia()?;
        match self.peek() {
            Some(b':') => {
                self.at += 1;
                self.trivia()?;
                if self.peek().is_none() { self.unclosed(open) } else { Ok(()) }
            }
            None => self.unclosed(open),
            Some(_) => {
                let (start, end, what) = self.here();
                let shown = shortened(key.lines().next().unwrap_or_default(), 40);
                let result = self.fail("syntax", start, end, format!("expected `:` after `{shown}`, found {what}"));
                if key.contains('\n') {
                    self.help("it goes over several lines; is a `\"` missing?");
                }
                result
            }
        }
    }

    fn map(&mut self, depth: usize) -> Read<Node<'t>> {
        let open = self.enter(depth)?;
        let mut entries: Vec<Entry<'t>> = Vec::new();
        let mut seen = HashSet::new();
        let mut more = !self.closes(b'}');
        while more {
            let entry = self.map_entry(open, depth)?;
            let may_be_twice = if entries.len() < FEW {
                true
            } else {
                if seen.is_empty() {
                    seen.extend(entries.iter().map(|entry| key_hash(&entry.key)));
                }
                !seen.insert(key_hash(&entry.key))
            };
            if may_be_twice && let Some(first) = entries.iter().find(|other| same_key(&other.key, &entry.key)) {
                let (start, end) = entry.key.range();
                let text = self.text.get(start..end).unwrap_or_default();
                let message = format!("the key {text} is there twice, first at {}", self.place(first.key.range().0));
                self.note("duplicate-key", start, end, message)?;
            }
            entries.push(entry);
            more = self.next(open, b'}')?;
        }
        shrink(&mut entries);
        Ok(self.node(open, Kind::Map(entries)))
    }

    /// `key: value` in the braces opened at `open`; the reader stands on its first byte.
    pub(super) fn map_entry(&mut self, open: usize, depth: usize) -> Read<Entry<'t>> {
        if self.peek().is_none() {
            return self.unclosed(open);
        }
        let key = self.value(depth + 1)?;
        let (start, end) = key.range();
        self.colon(open, self.text.get(start..end).unwrap_or_default())?;
        let value = self.value(depth + 1)?;
        Ok(Entry { key, value })
    }
}

/// Equal keys have equal hashes; a number's spelling does not count, nor do spaces in a tuple.
pub(super) fn key_hash(key: &Node<'_>) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    fn feed(node: &Node<'_>, hasher: &mut DefaultHasher) {
        match &node.kind {
            Kind::Bool(b) => b.hash(hasher),
            Kind::Int(_) | Kind::Float(_) => exact(node).hash(hasher),
            Kind::Str(s) => s.hash(hasher),
            Kind::Symbol(s) => (b's', s).hash(hasher),
            Kind::List(items) | Kind::Tuple(items) => {
                items.len().hash(hasher);
                items.iter().for_each(|item| feed(item, hasher));
            }
            Kind::Struct(fields) => fields.iter().for_each(|field| {
                field.name.hash(hasher);
                feed(&field.value, hasher);
            }),
            Kind::Map(entries) => entries.iter().for_each(|entry| {
                feed(&entry.key, hasher);
                feed(&entry.value, hasher);
            }),
            Kind::Tagged(tag, content) => {
                tag.hash(hasher);
                feed(content, hasher);
            }
        }
    }
    let mut hasher = DefaultHasher::new();
    feed(key, &mut hasher);
    hasher.finish()
}

/// A number such that `1` and `1.0` are one and no two whole numbers are: whole part, and the bits of what is not
/// whole.
fn exact(node: &Node<'_>) -> (i64, u64) {
    match node.kind {
        Kind::Int(i) => (i, 0),
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and within 2^63")]
        Kind::Float(f) if f.fract() == 0.0 && f.abs() < 9.2e18 => (f as i64, 0),
        Kind::Float(f) => (0, f.to_bits()),
        _ => (0, 0),
    }
}

/// Whether two nodes have the same value, wherever they are and however numbers are spelled.
fn same_key(a: &Node<'_>, b: &Node<'_>) -> bool {
    let all = |a: &[Node<'_>], b: &[Node<'_>]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_key(a, b));
    match (&a.kind, &b.kind) {
        (Kind::Int(_) | Kind::Float(_), Kind::Int(_) | Kind::Float(_)) => exact(a) == exact(b),
        (Kind::List(a), Kind::List(b)) | (Kind::Tuple(a), Kind::Tuple(b)) => all(a, b),
        (Kind::Tagged(a, x), Kind::Tagged(b, y)) => a == b && same_key(x, y),
        (Kind::Struct(a), Kind::Struct(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.name == b.name && same_key(&a.value, &b.value))
        }
        (Kind::Map(a), Kind::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_key(&a.key, &b.key) && same_key(&a.value, &b.value))
        }
        (a, b) => a == b,
    }
}
