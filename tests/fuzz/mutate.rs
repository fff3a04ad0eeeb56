//! Damage: to the bytes of a file, to the values a file is made of, and to the set of files.

use levelwright::io::ron_text::{Kind, Node, parse};

use super::corpus::{Dice, Files, documents};

/// Numbers at the edges of something.
const NUMBERS: [&str; 28] = [
    "0",
    "-0.0",
    "-1",
    "1",
    "2",
    "63",
    "64",
    "65",
    "255",
    "1024",
    "16384",
    "65536",
    "1000000",
    "2147483647",
    "-2147483648",
    "4294967295",
    "9223372036854775807",
    "-9223372036854775808",
    "99999999999999999999",
    "0.5",
    "1e-320",
    "1e15",
    "-1e15",
    "1e32",
    "1e308",
    "-1e308",
    "1e999",
    "NaN",
];

/// Values of every type.
const VALUES: [&str; 22] = [
    "()",
    "[]",
    "{}",
    "true",
    "None",
    "Some(1)",
    "Some(None)",
    "\"\"",
    "\"\\u{0}\"",
    "\"\u{202e}x\"",
    "'c'",
    "Word",
    "Word()",
    "Word(1, 2)",
    "Word(a: 1)",
    "(1.0, 2.0)",
    "(x: 1, x: 2)",
    "{1: 2, \"a\": 3}",
    "[[], [[]]]",
    "\"#ff000\"",
    "\"../../x\"",
    "r#\"raw\"#",
];

/// What no text has.
const NOT_UTF8: [&[u8]; 6] =
    [b"\xff", b"\xed\xa0\x80", b"\xc0\xaf", b"\xe2\x82", b"\xf4\x90\x80\x80", b"\xed\xa0\x80\xed\xb0\x80"];

const SIGNS: [&str; 22] = [
    "\0",
    "\x01",
    "\x07",
    "\x1b[31m",
    "\x7f",
    "\r",
    "\x0b",
    "\x0c",
    "\u{85}",
    "\u{2028}",
    "\u{feff}",
    "\u{202e}",
    "\u{301}",
    "\u{1f980}",
    "\"",
    "/*",
    "*/",
    "//",
    "(",
    ")",
    ",",
    ":",
];

/// One file after some damage to its bytes.
pub(crate) fn bytes(text: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut out = text.to_vec();
    for _ in 0..=dice.below(3) {
        one_of_bytes(&mut out, dice);
    }
    out
}

fn one_of_bytes(out: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(out.len() + 1);
    let n = dice.below(64).min(out.len() - at);
    let insert = |out: &mut Vec<u8>, bytes: &[u8]| drop(out.splice(at..at, bytes.iter().copied()));
    match dice.below(17) {
        0 => out.truncate(at),
        1 => {
            if let Some(byte) = out.get_mut(at) {
                *byte ^= 1 << dice.below(8);
            }
        }
        2 => drop(out.drain(at..at + n)),
        3 => {
            let copy = out[at..at + n].repeat(1 + dice.below(4));
            insert(out, &copy);
        }
        4 => {
            let other = dice.pick(documents()).1.as_bytes();
            let from = dice.below(other.len());
            let to = (from + dice.below(400)).min(other.len());
            out.splice(at..at + n, other[from..to].iter().copied());
        }
        5 => insert(out, dice.pick(&SIGNS).as_bytes()),
        6 => {
            let sometimes = 1 + dice.below(3);
            let mut lines = 0;
            *out = out.iter().fold(Vec::new(), |mut text, byte| {
                if *byte == b'\n' {
                    lines += 1;
                    if lines % sometimes == 0 {
                        text.push(b'\r');
                    }
                }
                text.push(*byte);
                text
            });
        }
        7 => drop(out.splice(0..0, *b"\xef\xbb\xbf")),
        8 => insert(out, dice.pick::<&[u8]>(&NOT_UTF8)),
        9 => {
            let n = 1 << dice.below(15);
            let long = match dice.below(6) {
                0 => format!("\"{}\"", "x".repeat(n)),
                1 => "9".repeat(n),
                2 => "a_".repeat(n),
                3 => format!("/*{}*/", "*".repeat(n)),
                4 => format!("//{}\n", "/".repeat(n)),
                _ => format!("r{}\"\"{}", "#".repeat(n), "#".repeat(n)),
            };
            insert(out, long.as_bytes());
        }
        10 => {
            let open = *dice.pick(&["(", "[", "{", "Some(", "{\"a\":", "(a:", "/*", "[["]);
            let n = *dice.pick(&[60, 64, 65, 128, 3000]);
            insert(out, open.repeat(n).as_bytes());
        }
        11 => {
            let digit = out[at..].iter().position(u8::is_ascii_digit).map(|i| at + i);
            if let Some(from) = digit {
                let n = out[from..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
                out.splice(from..from + n, dice.pick::<&str>(&NUMBERS).bytes());
            }
        }
        12 => {
            let mut lines: Vec<Vec<u8>> = out.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            if !lines.is_empty() {
                let (a, b) = (dice.below(lines.len()), dice.below(lines.len()));
                lines.swap(a, b);
                *out = lines.concat();
            }
        }
        13 => {
            let sign = |byte: &u8| b"(){}[],:\"".contains(byte);
            if let Some(at) = out[at..].iter().position(sign).map(|i| at + i) {
                out[at] = *dice.pick(b"(){}[],:\"/\\' ");
            }
        }
        14 => {
            if dice.one_in(8) {
                *out = dice
                    .pick(&["", " ", "\n", "()", "{}", "null", "\u{feff}", "// only this", "/*"])
                    .as_bytes()
                    .to_vec();
            }
        }
        15 => {
            let lone = out.iter().map(|byte| if *byte == b'\n' { b'\r' } else { *byte });
            if dice.one_in(4) {
                *out = lone.collect();
            }
        }
        _ => insert(out, dice.pick(&VALUES).as_bytes()),
    }
}

/// A part of a file: what may be done with it depends on what it is.
struct Part {
    range: (usize, usize),
    what: What,
}

#[derive(Clone, Copy, PartialEq)]
enum What {
    /// A value.
    Value,
    /// A string, as a value or a key.
    Str,
    /// A number.
    Number,
    /// The name of a field or the key of a map.
    Key,
    /// A whole entry, from its name to the end of its value.
    Entry,
}

fn parts(node: &Node<'_>, out: &mut Vec<Part>) {
    out.push(Part { range: node.range(), what: What::Value });
    match &node.kind {
        Kind::Str(_) => out.push(Part { range: node.range(), what: What::Str }),
        Kind::Int(_) | Kind::Float(_) => out.push(Part { range: node.range(), what: What::Number }),
        Kind::List(items) | Kind::Tuple(items) => {
            for item in items {
                out.push(Part { range: item.range(), what: What::Entry });
                parts(item, out);
            }
        }
        Kind::Struct(fields) => {
            for field in fields {
                out.push(Part { range: field.name_range(), what: What::Key });
                out.push(Part { range: (field.start as usize, field.value.end as usize), what: What::Entry });
                parts(&field.value, out);
            }
        }
        Kind::Map(entries) => {
            for entry in entries {
                out.push(Part { range: entry.key.range(), what: What::Key });
                out.push(Part { range: (entry.key.start as usize, entry.value.end as usize), what: What::Entry });
                parts(&entry.key, out);
                parts(&entry.value, out);
            }
        }
        Kind::Tagged(_, content) => parts(content, out),
        Kind::Bool(_) | Kind::Symbol(_) => {}
    }
}

/// A file after some damage to its values: swapped, dropped, doubled, of another type, under another name. What is no
/// RON is returned as it is. `names` are what strings and keys may become: cycles and references to itself come of
/// them.
pub(crate) fn values(text: &str, names: &[String], dice: &mut Dice) -> String {
    let mut out = text.to_owned();
    for _ in 0..=dice.below(4) {
        let Some(next) = one_of_values(&out, names, dice) else { break };
        out = next;
    }
    out
}

fn one_of_values(text: &str, names: &[String], dice: &mut Dice) -> Option<String> {
    let tree = parse(text).ok()?;
    let mut all = Vec::new();
    parts(&tree.root, &mut all);
    let some = |wanted: &[What], dice: &mut Dice| {
        let fit: Vec<&Part> = all.iter().filter(|part| wanted.contains(&part.what)).collect();
        (!fit.is_empty()).then(|| dice.pick(&fit).range)
    };
    let replaced = |(from, to): (usize, usize), by: &str| [&text[..from], by, &text[to..]].concat();
    let of = |(from, to): (usize, usize)| &text[from..to];
    Some(match dice.below(12) {
        0 => {
            let (a, b) = (some(&[What::Value, What::Key], dice)?, some(&[What::Value, What::Key], dice)?);
            let (first, second) = if a.0 <= b.0 { (a, b) } else { (b, a) };
            if first.1 > second.0 {
                return Some(replaced(first, of(second)));
            }
            [&text[..first.0], of(second), &text[first.1..second.0], of(first), &text[second.1..]].concat()
        }
        1 => {
            let (to, from) = (some(&[What::Value], dice)?, some(&[What::Value], dice)?);
            replaced(to, of(from))
        }
        2 | 3 => {
            let (from, to) = some(&[What::Entry], dice)?;
            let rest = text[to..].trim_start();
            let end = if rest.starts_with(',') { text.len() - rest.len() + 1 } else { to };
            replaced((from, end), "")
        }
        4 => {
            let (from, to) = some(&[What::Entry], dice)?;
            replaced((from, from), &format!("{}, ", &text[from..to]))
        }
        5 => {
            // An entry of one place in another.
            let (at, other) = (some(&[What::Entry], dice)?, some(&[What::Entry], dice)?);
            replaced((at.0, at.0), &format!("{}, ", of(other)))
        }
        6 => replaced(some(&[What::Value], dice)?, dice.pick::<&str>(&VALUES)),
        7 => {
            let at = some(&[What::Key], dice)?;
            let key = of(at);
            let other = match dice.below(4) {
                0 => some(&[What::Key], dice).map(|other| of(other).to_owned())?,
                1 => key.chars().skip(1).collect(),
                2 => dice.pick(names).clone(),
                _ => format!("{:?}", dice.pick(names)),
            };
            replaced(at, &other)
        }
        8 | 9 => replaced(some(&[What::Str], dice)?, &format!("{:?}", dice.pick(names))),
        10 => replaced(some(&[What::Number], dice)?, dice.pick::<&str>(&NUMBERS)),
        _ => {
            let at = some(&[What::Value], dice)?;
            let wrap = dice.pick(&[("Some(", ")"), ("[", "]"), ("(", ",)"), ("Not(", ")"), ("{\"k\": ", "}")]);
            replaced(at, &format!("{}{}{}", wrap.0, of(at), wrap.1))
        }
    })
}

/// Every string, key and word in the files of a project.
pub(crate) fn names(files: &Files) -> Vec<String> {
    fn gather(node: &Node<'_>, out: &mut Vec<String>) {
        match &node.kind {
            Kind::Str(text) => out.push(text.to_string()),
            Kind::Symbol(word) => out.push((*word).to_owned()),
            Kind::List(items) | Kind::Tuple(items) => items.iter().for_each(|item| gather(item, out)),
            Kind::Struct(fields) => fields.iter().for_each(|field| {
                out.push(field.name.to_owned());
                gather(&field.value, out);
            }),
            Kind::Map(entries) => entries.iter().for_each(|entry| {
                gather(&entry.key, out);
                gather(&entry.value, out);
            }),
            Kind::Tagged(tag, content) => {
                out.push((*tag).to_owned());
                gather(content, out);
            }
            Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => {}
        }
    }
    let mut out: Vec<String> = ["", ".", "..", "*", "a/b", "tag:", "def:x", "self"].map(str::to_owned).into();
    for bytes in files.values() {
        if let Some(tree) = std::str::from_utf8(bytes).ok().and_then(|text| parse(text).ok()) {
            gather(&tree.root, &mut out);
        }
    }
    out.sort();
    out.dedup();
    out
}

/// A project with one to three of its documents damaged; `of_values` in that many of eight cases by values alone.
pub(crate) fn project(files: &Files, of_values: usize, dice: &mut Dice) -> Files {
    let names = names(files);
    let texts: Vec<&String> = files.keys().filter(|path| path.strip_suffix(".ron").is_some()).collect();
    let mut out = files.clone();
    for _ in 0..=dice.below(3) {
        let path = *dice.pick(&texts);
        let old = &out[path];
        let new = match std::str::from_utf8(old) {
            Ok(text) if dice.below(8) < of_values => values(text, &names, dice).into_bytes(),
            _ => bytes(old, dice),
        };
        out.insert(path.clone(), new);
    }
    out
}
