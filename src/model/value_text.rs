//! A value read from one line of text, as it is typed or pasted: what [`Value`]'s `Display` writes, in any spacing.
//!
//! Invariant: no text makes this panic or recurse deeper than [`MAX_DEPTH`], and what `Display` writes reads back as
//! the same value. Whole files, with comments and places for what is wrong, are read by `io::ron_text`.

use std::{ops::Range, str::FromStr};

use super::{Fields, Name, Value, read_number, shortened};

/// Brackets within brackets.
const MAX_DEPTH: usize = 64;

impl FromStr for Value {
    type Err = String;

    /// Fails with what is wrong, in a few words.
    fn from_str(text: &str) -> Result<Self, String> {
        match Value::leading(text)? {
            (value, "") => Ok(value),
            (_, rest) => Err(format!("nothing was expected after the value, found `{}`", short(rest))),
        }
    }
}

impl Value {
    /// The value that a text begins with, and what follows it, without the space between.
    ///
    /// # Errors
    /// What is wrong, in a few words.
    pub(super) fn leading(text: &str) -> Result<(Self, &str), String> {
        let mut reader = Reader { rest: text.trim_start(), whole: text, texts: Vec::new() };
        let value = reader.value(0)?;
        Ok((value, reader.rest))
    }

    /// Where the strings, without their quotation marks, and the bare words of the value that a text begins with stand
    /// in it, in the order of [`Self::texts`].
    #[must_use]
    pub fn texts_in(text: &str) -> Vec<Range<usize>> {
        let mut reader = Reader { rest: text.trim_start(), whole: text, texts: Vec::new() };
        if reader.value(0).is_ok() { reader.texts } else { Vec::new() }
    }

    /// Its strings and bare words, keys of maps too, in written order.
    #[must_use]
    pub fn texts(&self) -> Vec<&Self> {
        match self {
            Self::Str(_) | Self::Symbol(_) => vec![self],
            Self::List(items) | Self::Tuple(items) => items.iter().flat_map(Self::texts).collect(),
            Self::Struct(fields) => fields.values().flat_map(Self::texts).collect(),
            Self::Map(entries) => entries.iter().flat_map(|(key, value)| [key, value]).flat_map(Self::texts).collect(),
            Self::Tagged(_, content) => content.texts(),
            Self::Bool(_) | Self::Int(_) | Self::Float(_) => Vec::new(),
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    whole: &'a str,
    /// Where strings and words stand in the whole.
    texts: Vec<Range<usize>>,
}

impl<'a> Reader<'a> {
    /// How far it has read.
    fn at(&self) -> usize {
        self.whole.len() - self.rest.len()
    }

    /// Step over a sign and the space behind it, if it comes next.
    fn take(&mut self, sign: char) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, sign: char) -> Result<(), String> {
        if self.take(sign) {
            return Ok(());
        }
        let found = if self.rest.is_empty() { "the end".to_owned() } else { format!("`{}`", short(self.rest)) };
        Err(format!("`{sign}` was expected, found {found}"))
    }

    /// As many of these characters as come next.
    fn run(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        let (run, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        run
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        if depth > MAX_DEPTH {
            return Err(format!("there are more than {MAX_DEPTH} brackets within each other"));
        }
        match self.rest.chars().next() {
            None => Err("a value is missing".to_owned()),
            Some('"') => Ok(Value::Str(self.string()?)),
            Some('[') => {
                self.take('[');
                Ok(Value::List(self.items(']', depth)?))
            }
            Some('(') => {
                self.take('(');
                self.content(depth)
            }
            Some('{') => {
                self.take('{');
                self.map(depth)
            }
            Some(c) if c.is_ascii_digit() || matches!(c, '-' | '+' | '.') => self.number(),
            Some(c) if is_word(c) => {
                let start = self.at();
                let word = self.run(is_word);
                Ok(match word {
                    "true" => Value::Bool(true),
                    "false" => Value::Bool(false),
                    word if self.take('(') => Value::Tagged(word.into(), Box::new(self.content(depth)?)),
                    word => {
                        self.texts.push(start..start + word.len());
                        Value::Symbol(word.into())
                    }
                })
            }
            Some(_) => Err(format!("a value was expected, found `{}`", short(self.rest))),
        }
    }

    fn number(&mut self) -> Result<Value, String> {
        let word = self.run(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '+' | '_'));
        read_number(word).map_err(|_| format!("`{}` is not a number", short(word)))
    }

    fn string(&mut self) -> Result<String, String> {
        let mut out = String::new();
        let start = self.at();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.texts.push(start + 1..start + at);
                    self.rest = self.rest[at + 1..].trim_start();
                    return Ok(out);
                }
                '\\' => match chars.next().map(|(_, c)| c) {
                    Some('n') => out.push('\n'),
                    Some('t') => out.push('\t'),
                    Some('r') => out.push('\r'),
                    Some('u') => {
                        let hex: String = chars
                            .by_ref()
                            .map(|(_, c)| c)
                            .skip_while(|c| *c == '{')
                            .take_while(|c| *c != '}')
                            .take(8)
                            .collect();
                        let c = u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32);
                        out.push(c.ok_or_else(|| format!("`\\u{{{hex}}}` is no character"))?);
                    }
                    Some(c @ ('"' | '\\' | '\'')) => out.push(c),
                    _ => return Err("`\\` is followed by something that has no meaning there".to_owned()),
                },
                c => out.push(c),
            }
        }
        Err("the closing `\"` is missing".to_owned())
    }

    /// Values up to a closing bracket, which is taken too; a comma may stand after the last.
    fn items(&mut self, close: char, depth: usize) -> Result<Vec<Value>, String> {
        let mut items = Vec::new();
        while !self.take(close) {
            items.push(self.value(depth + 1)?);
            if !self.take(',') {
                self.expect(close)?;
                break;
            }
        }
        Ok(items)
    }

    /// What stands in round brackets: named fields, or values.
    fn content(&mut self, depth: usize) -> Result<Value, String> {
        let word = self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len());
        if word == 0 || !self.rest[word..].trim_start().starts_with(':') {
            return self.items(')', depth).map(Value::Tuple);
        }
        let mut fields = Fields::new();
        while !self.take(')') {
            let name = self.run(is_word);
            self.expect(':')?;
            let value = self.value(depth + 1)?;
            if fields.insert(Name::from(name), value).is_some() {
                return Err(format!("`{name}` is given twice"));
            }
            if !self.take(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(Value::Struct(fields))
    }

    fn map(&mut self, depth: usize) -> Result<Value, String> {
        let mut entries: Vec<(Value, Value)> = Vec::new();
        while !self.take('}') {
            let key = self.value(depth + 1)?;
            self.expect(':')?;
            let value = self.value(depth + 1)?;
            if entries.iter().any(|(other, _)| *other == key) {
                return Err(format!("{key} is given twice"));
            }
            entries.push((key, value));
            if !self.take(',') {
                self.expect('}')?;
                break;
            }
        }
        Ok(Value::Map(entries))
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn short(text: &str) -> String {
    shortened(text, 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_reads_back() {
        for text in [
            "true",
            "-12",
            "1.5",
            "1e300",
            "\"a \\\"b\\\" \\\\ \\n\\t\\u{7}\"",
            "Dynamic",
            "[1, [], \"x\"]",
            "(1.0, -2.5)",
            "()",
            "(a: 1, b: (c: None))",
            "{\"walk\": (frames: [0, 1], secs: 0.1), 3: 4}",
            "Some(1)",
            "Capsule(radius: 5.0, height: 18.0)",
        ] {
            let value: Value = text.parse().unwrap_or_else(|why| panic!("{text}: {why}"));
            assert_eq!(value.to_string().parse(), Ok(value), "{text}");
        }
        assert_eq!(" ( 1 ,2, ) ".parse(), Ok(Value::Tuple(vec![Value::Int(1), Value::Int(2)])));
        assert_eq!("0x10".parse(), Ok(Value::Int(16)));
        assert_eq!("1_000".parse(), Ok(Value::Int(1000)));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, why) in [
            ("", "a value is missing"),
            ("[1, 2", "`]` was expected, found the end"),
            ("1 2", "nothing was expected after the value, found `2`"),
            ("\"abc", "the closing `\"` is missing"),
            ("1e999", "`1e999` is not a number"),
            ("NaN(", "`)` was expected, found the end"),
            ("(a: 1, a: 2)", "`a` is given twice"),
            ("§", "a value was expected, found `§`"),
        ] {
            let got = text.parse::<Value>().unwrap_err();
            assert!(got == why || text == "NaN(", "{text}: {got}");
        }
        assert!("[".repeat(10_000).parse::<Value>().is_err());
    }
}
