//! The tokens of RON: bytes to words, numbers, strings and comments, with what is wrong noted by place.
//!
//! It stops at the first thing that is not RON, because what follows is guesswork; what is RON but not allowed here (a
//! number too large) is noted and reading goes on. How tokens make values is in `parse`.

use std::{borrow::Cow, cell::OnceCell};

use super::{Kind, Lines};
use crate::model::{BadNumber, Value, read_number};

/// Problems noted before reading stops: more most likely have one cause.
const MAX_ERRORS: usize = 64;

/// An error in the text of a file.
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

/// Reading cannot go on; the reason is among the errors.
pub(super) struct Stop;
pub(super) type Read<T> = Result<T, Stop>;

/// A place in a text, and what was wrong up to it.
pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    /// The next byte.
    pub(super) at: usize,
    pub(super) errors: Vec<SyntaxError>,
    /// The name of the field whose value is read.
    pub(super) field: Option<&'t str>,
    /// The last string that goes over several lines: first byte, and one past the last.
    long_string: Option<(usize, usize)>,
    /// Where lines begin, once a message has named one.
    lines: OnceCell<Lines<'t>>,
}

impl<'t> Scanner<'t> {
    /// At byte `at` of `text`, which a character begins with.
    pub(super) fn new(text: &'t str, at: usize) -> Self {
        Self {
            text,
            bytes: text.as_bytes(),
            at,
            errors: Vec::new(),
            field: None,
            long_string: None,
            lines: OnceCell::new(),
        }
    }

    pub(super) fn lines(&self) -> &Lines<'t> {
        self.lines.get_or_init(|| Lines::new(self.text))
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn note(
        &mut self,
        rule: &'static str,
        start: usize,
        end: usize,
        message: impl Into<String>,
    ) -> Read<()> {
        self.errors.push(SyntaxError { rule, start, end, message: message.into(), help: None });
        if self.errors.len() < MAX_ERRORS { Ok(()) } else { Err(Stop) }
    }

    pub(super) fn help(&mut self, help: impl Into<String>) {
        if let Some(last) = self.errors.last_mut() {
            last.help = Some(help.into());
        }
    }

    /// Note what is no number that data can hold, as the value of a field where it is one.
    pub(super) fn not_finite(&mut self, start: usize) -> Read<()> {
        let of = self.field.map(|field| format!("`{field}`: ")).unwrap_or_default();
        let word = self.text.get(start..self.at).unwrap_or_default();
        self.note("not-finite", start, self.at, format!("{of}`{word}` is not a number data can hold"))
    }

    /// Where reading stopped right after a string over several lines, that most likely lacks its end.
    pub(super) fn blame_string(&mut self) {
        let Some((start, end)) = self.long_string else { return };
        let line = self.lines().span(end, end).line;
        let text = self.text;
        let Some(last) = self.errors.last_mut().filter(|last| last.rule == "syntax") else { return };
        let is_between = |c: char| c.is_whitespace() || c == ',';
        if text.get(end..last.start).is_some_and(|between| between.trim_matches(is_between).is_empty()) {
            last.help = Some(format!("its end is in line {line}, where reading stopped: {}", last.message));
            "this string goes over several lines; is a `\"` missing?".clone_into(&mut last.message);
            (last.start, last.end) = (start, start + 1);
        }
    }

    pub(super) fn fail<T>(
        &mut self,
        rule: &'static str,
        start: usize,
        end: usize,
        message: impl Into<String>,
    ) -> Read<T> {
        self.note(rule, start, end, message)?;
        Err(Stop)
    }

    /// `#![enable(…)]` has no effect here: what it enables is always on.
    pub(super) fn attributes(&mut self) -> Read<()> {
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
    pub(super) fn trivia(&mut self) -> Read<()> {
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

    pub(super) fn block_comment(&mut self) -> Read<()> {
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

    pub(super) fn char_here(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    /// The token at hand, for messages: range and description.
    pub(super) fn here(&self) -> (usize, usize, String) {
        let Some(c) = self.char_here() else { return (self.at, self.at, "the end of the file".into()) };
        let end = if is_word_start(c) { self.word_end() } else { self.at + c.len_utf8() };
        let token = self.text.get(self.at..end).unwrap_or_default();
        let short: String = token.chars().take(30).collect();
        (self.at, end, if c.is_control() { "a control character".into() } else { format!("`{short}`") })
    }

    pub(super) fn word_end(&self) -> usize {
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

    pub(super) fn word(&mut self) -> Option<&'t str> {
        if !is_word_start(self.char_here()?) {
            return None;
        }
        let word = self.text.get(self.at..self.word_end())?;
        self.at += word.len();
        Some(word)
    }

    pub(super) fn string(&mut self) -> Read<Kind<'t>> {
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
                if text.contains('\n') {
                    self.long_string = Some((start, self.at));
                }
                return Ok(Kind::Str(text));
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
    pub(super) fn escape(&mut self, start: usize) -> Read<Option<char>> {
        let Some(c) = self.char_here() else {
            return self.fail("syntax", start, start + 1, "this string is never closed with `\"`");
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

    pub(super) fn trivia_in_string(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    pub(super) fn raw_string(&mut self) -> Read<Kind<'t>> {
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
                Ok(Kind::Str(Cow::Borrowed(rest.get(..length).unwrap_or_default())))
            }
            None => self.fail("syntax", start, start + 1, format!("this raw string is never closed with `{end_mark}`")),
        }
    }

    pub(super) fn number(&mut self) -> Read<Kind<'t>> {
        let start = self.at;
        if matches!(self.peek(), Some(b'+' | b'-')) {
            self.at += 1;
            if let Some("inf" | "NaN" | "nan") = self.text.get(self.at..self.word_end()) {
                self.at = self.word_end();
                self.not_finite(start)?;
                return Ok(Kind::Float(0.0));
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
            Ok(Value::Float(x)) => Ok(Kind::Float(x)),
            Ok(number) => Ok(Kind::Int(number.as_i64().unwrap_or_default())),
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
                Ok(Kind::Int(0))
            }
        }
    }
}

fn is_word_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}
