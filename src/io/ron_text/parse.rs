//! The reader: text to [`Tree`], strictly.
//!
//! Recursive, to [`MAX_DEPTH`] and no further. It stops at the first thing that is not RON, because what follows is
//! guesswork; what is RON but not allowed here (a key said twice, a number too large) is noted and reading goes on.

use std::{borrow::Cow, collections::HashSet};

use super::{Entry, Field, Kind, Node, Tree};

/// How deep values may nest.
pub const MAX_DEPTH: usize = 64;
/// How large a file may be, in bytes.
pub const MAX_BYTES: usize = 64 << 20;
/// Problems noted before reading stops: a file with more has one cause.
const MAX_ERRORS: usize = 64;

/// Something a file may not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The rule's name: `syntax`, `duplicate-key`, `not-finite`, `too-deep`, `too-large`, `encoding`.
    pub rule: &'static str,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// What is wrong and what was expected.
    pub message: String,
    /// What would help.
    pub help: Option<String>,
}

/// Read a file's text.
///
/// # Errors
/// Says everything that is wrong up to the first place where the text stops being RON.
pub fn parse(text: &str) -> Result<Tree<'_>, Vec<SyntaxError>> {
    let mut parser = Parser { text, bytes: text.as_bytes(), at: 0, errors: Vec::new() };
    let root = if text.len() > MAX_BYTES {
        parser.fail("too-large", 0, 0, format!("the file has {} bytes; the most is {MAX_BYTES}", text.len()))
    } else {
        parser.file()
    };
    match root {
        Ok(root) if parser.errors.is_empty() => Ok(Tree { text, root }),
        _ => Err(parser.errors),
    }
}

/// Reading cannot go on; the reason is among the errors.
struct Stop;
type Read<T> = Result<T, Stop>;

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    errors: Vec<SyntaxError>,
}

#[expect(clippy::cast_possible_truncation, reason = "a text of at most MAX_BYTES has offsets below 2^32")]
fn offset(at: usize) -> u32 {
    at as u32
}

impl<'t> Parser<'t> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn note(&mut self, rule: &'static str, start: usize, end: usize, message: impl Into<String>) -> Read<()> {
        self.errors.push(SyntaxError { rule, start, end, message: message.into(), help: None });
        if self.errors.len() < MAX_ERRORS { Ok(()) } else { Err(Stop) }
    }

    fn help(&mut self, help: impl Into<String>) {
        if let Some(last) = self.errors.last_mut() {
            last.help = Some(help.into());
        }
    }

    fn fail<T>(&mut self, rule: &'static str, start: usize, end: usize, message: impl Into<String>) -> Read<T> {
        self.note(rule, start, end, message)?;
        Err(Stop)
    }

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

    /// `#![enable(…)]` says nothing here: what it enables is always on.
    fn attributes(&mut self) -> Read<()> {
        while self.text.get(self.at..).is_some_and(|rest| rest.starts_with("#!")) {
            let start = self.at;
            match self.bytes.get(start..).and_then(|rest| rest.iter().position(|b| *b == b']')) {
                Some(length) => self.at = start + length + 1,
                None => return self.fail("syntax", start, start + 2, "this attribute is never closed with `]`"),
            }
            self.trivia()?;
        }
        Ok(())
    }

    /// Skip whitespace and comments.
    fn trivia(&mut self) -> Read<()> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\t' | b'\r' | 0x0b | 0x0c) => self.at += 1,
                Some(b'/') => match self.bytes.get(self.at + 1) {
                    Some(b'/') => {
                        let rest = self.bytes.get(self.at..).unwrap_or_default();
                        self.at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                    }
                    Some(b'*') => self.block_comment()?,
                    _ => return Ok(()),
                },
                Some(byte) if byte >= 0x80 => match self.char_here() {
                    Some(c) if c.is_whitespace() => self.at += c.len_utf8(),
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            }
        }
    }

    fn block_comment(&mut self) -> Read<()> {
        let start = self.at;
        let mut depth = 0_usize;
        loop {
            match (self.peek(), self.bytes.get(self.at + 1)) {
                (Some(b'/'), Some(b'*')) => {
                    depth += 1;
                    self.at += 2;
                }
                (Some(b'*'), Some(b'/')) => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return Ok(());
                    }
                }
                (Some(_), _) => self.at += 1,
                (None, _) => return self.fail("syntax", start, start + 2, "this comment is never closed with `*/`"),
            }
        }
    }

    fn char_here(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    /// The token at hand, for messages: range and description.
    fn here(&self) -> (usize, usize, String) {
        let Some(c) = self.char_here() else { return (self.at, self.at, "the end of the file".into()) };
        let end = if is_word_start(c) { self.word_end() } else { self.at + c.len_utf8() };
        let token = self.text.get(self.at..end).unwrap_or_default();
        let short: String = token.chars().take(30).collect();
        (self.at, end, if c.is_control() { "a control character".into() } else { format!("`{short}`") })
    }

    fn word_end(&self) -> usize {
        let mut end = self.at;
        while let Some(byte) = self.bytes.get(end) {
            if byte.is_ascii_alphanumeric() || *byte == b'_' {
                end += 1;
            } else if *byte >= 0x80 {
                match self.text.get(end..).and_then(|rest| rest.chars().next()) {
                    Some(c) if c.is_alphanumeric() => end += c.len_utf8(),
                    _ => break,
                }
            } else {
                break;
            }
        }
        end
    }

    fn word(&mut self) -> Option<&'t str> {
        if !is_word_start(self.char_here()?) {
            return None;
        }
        let word = self.text.get(self.at..self.word_end())?;
        self.at += word.len();
        Some(word)
    }

    fn node(&self, start: usize, kind: Kind<'t>) -> Node<'t> {
        Node { start: offset(start), end: offset(self.at), kind }
    }

    /// One value; the reader stands on its first byte.
    fn value(&mut self, depth: usize) -> Read<Node<'t>> {
        let start = self.at;
        match self.peek() {
            Some(b'(') => self.parens(depth),
            Some(b'[') => self.list(depth),
            Some(b'{') => self.map(depth),
            Some(b'"') => self.string(),
            Some(b'r') if matches!(self.bytes.get(start + 1), Some(b'"' | b'#')) => self.raw_string(),
            Some(b'0'..=b'9' | b'+' | b'-' | b'.') => self.number(),
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
                self.note("not-finite", start, self.at, format!("`{word}` is not a number data can hold"))?;
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
    fn next(&mut self, open: usize, close: u8) -> Read<bool> {
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
                let line = self.text.get(..open).map_or(1, |before| before.matches('\n').count() + 1);
                let opener = self.bytes.get(open).copied().map_or('(', char::from);
                self.help(format!("the `{opener}` to be closed is in line {line}"));
                result
            }
        }
    }

    fn closes(&mut self, close: u8) -> bool {
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
    fn at_field_name(&mut self) -> Read<bool> {
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
            let end = self.at;
            self.colon(open, name)?;
            let value = self.value(depth + 1)?;
            // A set pays only where a glance along the list would not do.
            let twice = if fields.len() < 16 {
                fields.iter().any(|field| field.name == name)
            } else {
                if seen.is_empty() {
                    seen.extend(fields.iter().map(|field| field.name));
                }
                !seen.insert(name)
            };
            if twice {
                self.note("duplicate-key", start, end, format!("the field `{name}` is said twice"))?;
            }
            fields.push(Field { start: offset(start), name, value });
            more = self.next(open, b')')?;
        }
        Ok(self.node(open, Kind::Struct(fields)))
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
                let key: String = key.chars().take(40).collect();
                self.fail("syntax", start, end, format!("expected `:` after `{key}`, found {what}"))
            }
        }
    }

    fn map(&mut self, depth: usize) -> Read<Node<'t>> {
        let open = self.enter(depth)?;
        let mut entries: Vec<Entry<'t>> = Vec::new();
        let mut seen = HashSet::new();
        let mut more = !self.closes(b'}');
        while more {
            if self.peek().is_none() {
                return self.unclosed(open);
            }
            let key = self.value(depth + 1)?;
            let (start, end) = key.range();
            self.colon(open, self.text.get(start..end).unwrap_or_default())?;
            let value = self.value(depth + 1)?;
            if !seen.insert(key_hash(&key)) && entries.iter().any(|entry| same_key(&entry.key, &key)) {
                let text = self.text.get(start..end).unwrap_or_default();
                self.note("duplicate-key", start, end, format!("the key {text} is there twice"))?;
            }
            entries.push(Entry { key, value });
            more = self.next(open, b'}')?;
        }
        Ok(self.node(open, Kind::Map(entries)))
    }

    fn string(&mut self) -> Read<Node<'t>> {
        let start = self.at;
        self.at += 1;
        let mut owned: Option<String> = None;
        let mut from = self.at;
        loop {
            let rest = self.bytes.get(self.at..).unwrap_or_default();
            let Some(length) = rest.iter().position(|b| matches!(b, b'"' | b'\\')) else {
                return self.fail("syntax", start, start + 1, "this string is never closed with `\"`");
            };
            self.at += length;
            let piece = self.text.get(from..self.at).unwrap_or_default();
            if self.peek() == Some(b'"') {
                self.at += 1;
                let text = match owned {
                    Some(text) => Cow::Owned(text + piece),
                    None => Cow::Borrowed(piece),
                };
                return Ok(self.node(start, Kind::Str(text)));
            }
            let text = owned.get_or_insert_default();
            text.push_str(piece);
            let escape = self.at;
            self.at += 1;
            let c = self.escape(escape)?;
            if let Some(c) = c {
                owned.get_or_insert_default().push(c);
            }
            from = self.at;
        }
    }

    /// The character an escape stands for; the reader is past the backslash. `None` for an escaped line break.
    fn escape(&mut self, start: usize) -> Read<Option<char>> {
        let Some(c) = self.char_here() else {
            return self.fail("syntax", start, start + 1, "the file ends inside a string");
        };
        self.at += c.len_utf8();
        Ok(Some(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            '0' => '\0',
            '\\' => '\\',
            '"' => '"',
            '\'' => '\'',
            'x' => {
                let code = self.text.get(self.at..self.at + 2).and_then(|hex| u32::from_str_radix(hex, 16).ok());
                match code.and_then(char::from_u32) {
                    Some(c) => {
                        self.at += 2;
                        c
                    }
                    None => return self.fail("syntax", start, self.at, "`\\x` needs two hexadecimal digits"),
                }
            }
            'u' => {
                let rest = self.text.get(self.at..).unwrap_or_default();
                let hex = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(hex, _)| hex);
                let hex = hex.filter(|hex| hex.len() <= 6);
                match hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32) {
                    Some(c) => {
                        self.at += hex.map_or(0, str::len) + 2;
                        c
                    }
                    None => return self.fail("syntax", start, self.at, "`\\u` needs a character's code: `\\u{e9}`"),
                }
            }
            '\n' | '\r' => {
                self.trivia_in_string();
                return Ok(None);
            }
            _ => {
                let result = self.fail("syntax", start, self.at, format!("there is no escape `\\{c}`"));
                self.help("write `\\\\` for a backslash");
                return result;
            }
        }))
    }

    fn trivia_in_string(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    fn raw_string(&mut self) -> Read<Node<'t>> {
        let start = self.at;
        self.at += 1;
        let hashes = self.bytes.get(self.at..).unwrap_or_default().iter().take_while(|b| **b == b'#').count();
        self.at += hashes;
        if self.peek() != Some(b'"') {
            return self.fail("syntax", start, self.at, "a raw string looks like r\"…\" or r#\"…\"#");
        }
        self.at += 1;
        let end_mark = format!("\"{}", "#".repeat(hashes));
        let rest = self.text.get(self.at..).unwrap_or_default();
        match rest.find(&end_mark) {
            Some(length) => {
                self.at += length + end_mark.len();
                Ok(self.node(start, Kind::Str(Cow::Borrowed(rest.get(..length).unwrap_or_default()))))
            }
            None => self.fail("syntax", start, start + 1, format!("this raw string is never closed with `{end_mark}`")),
        }
    }

    fn number(&mut self) -> Read<Node<'t>> {
        let start = self.at;
        if matches!(self.peek(), Some(b'+' | b'-')) {
            self.at += 1;
            if let Some("inf" | "NaN" | "nan") = self.text.get(self.at..self.word_end()) {
                self.at = self.word_end();
                self.note("not-finite", start, self.at, "infinity and NaN are not numbers data can hold")?;
                return Ok(self.node(start, Kind::Float(0.0)));
            }
        }
        // Everything that could belong to a number, a wrong suffix too, so that the message shows all of it.
        let mut last = 0;
        let hex = matches!(self.bytes.get(self.at..self.at + 2), Some(b"0x" | b"0X"));
        while let Some(byte) = self.peek() {
            let sign = matches!(byte, b'+' | b'-') && matches!(last, b'e' | b'E') && !hex;
            if !(byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_') || sign) {
                break;
            }
            last = byte;
            self.at += 1;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        match read_number(text) {
            Ok(kind) => Ok(self.node(start, kind)),
            Err(problem) => {
                let shown: String = text.chars().take(40).collect();
                match problem {
                    BadNumber::Form => {
                        self.note("syntax", start, self.at, format!("`{shown}` is not a number"))?;
                        if text.contains(['u', 'i', 'f']) && !hex {
                            self.help("numbers have no type suffix here");
                        }
                    }
                    BadNumber::Range => {
                        self.note("not-finite", start, self.at, format!("`{shown}` is larger than numbers go"))?;
                    }
                    BadNumber::Int => {
                        self.note("syntax", start, self.at, format!("`{shown}` is too large for a whole number"))?;
                        self.help("whole numbers go from -9223372036854775808 to 9223372036854775807");
                    }
                }
                Ok(self.node(start, Kind::Int(0)))
            }
        }
    }
}

enum BadNumber {
    Form,
    Range,
    Int,
}

fn read_number(text: &str) -> Result<Kind<'static>, BadNumber> {
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let radix = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => Some(16),
        [b'0', b'b' | b'B', ..] => Some(2),
        [b'0', b'o' | b'O', ..] => Some(8),
        _ => None,
    };
    let body = if radix.is_some() { &digits[2..] } else { digits };
    let clean: Cow<'_, str> = if body.contains('_') { body.replace('_', "").into() } else { body.into() };
    if !body.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '.') || clean.is_empty() {
        return Err(BadNumber::Form);
    }
    if radix.is_some() || clean.bytes().all(|b| b.is_ascii_digit()) {
        let radix = radix.unwrap_or(10);
        if !clean.chars().all(|c| c.is_digit(radix)) {
            return Err(BadNumber::Form);
        }
        let size = i128::from_str_radix(&clean, radix).map_err(|_| BadNumber::Int)?;
        return i64::try_from(if negative { -size } else { size }).map(Kind::Int).map_err(|_| BadNumber::Int);
    }
    // Rust reads `1.`, `.5` and `1e3`, and also words, which have been refused by now unless digits come first.
    if !clean.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'e' | b'E' | b'+' | b'-')) {
        return Err(BadNumber::Form);
    }
    let size: f64 = clean.parse().map_err(|_| BadNumber::Form)?;
    if !size.is_finite() {
        return Err(BadNumber::Range);
    }
    Ok(Kind::Float(if negative { -size } else { size }))
}

fn is_word_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Equal keys have equal hashes; a number's spelling does not count, nor do spaces in a tuple.
fn key_hash(key: &Node<'_>) -> u64 {
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

/// A number such that `1` and `1.0` are one and no two whole numbers are: whole part, and the bits of what is not whole.
fn exact(node: &Node<'_>) -> (i64, u64) {
    match node.kind {
        Kind::Int(i) => (i, 0),
        #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and within 2^63")]
        Kind::Float(f) if f.fract() == 0.0 && f.abs() < 9.2e18 => (f as i64, 0),
        Kind::Float(f) => (0, f.to_bits()),
        _ => (0, 0),
    }
}

/// Whether two nodes say the same, wherever they stand and however numbers are spelled.
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
