//! A string's text changed in the string's own spelling: raw stays raw, escapes stay beside what changed.
//!
//! Invariant: the result reads as the new text; where that is impossible, there is no result.

use super::{Kind, index::fragment, inline::quoted};

/// The literal of `new`, made from the literal of `old`: only characters between what the two texts begin and end with
/// in common are written anew.
pub(super) fn respelled(literal: &str, old: &str, new: &str) -> Option<String> {
    let is_raw = literal.starts_with('r');
    let open = literal.find('"')? + 1;
    let close = literal.rfind('"').filter(|close| *close >= open)?;
    let body = literal.get(open..close)?;
    let at = starts(body, is_raw);
    let n_old = old.chars().count();
    if at.len() != n_old + 1 {
        return None;
    }
    let n_head = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
    let n_most = n_old.min(new.chars().count()) - n_head;
    let n_tail = old.chars().rev().zip(new.chars().rev()).take(n_most).take_while(|(a, b)| a == b).count();
    let middle: String = new.chars().skip(n_head).take(new.chars().count() - n_head - n_tail).collect();
    let middle = if is_raw { middle } else { quoted(&middle).strip_prefix('"')?.strip_suffix('"')?.to_owned() };
    let (from, to) = (*at.get(n_head)?, *at.get(n_old - n_tail)?);
    let (head, tail) = (literal.get(..open + from)?, literal.get(open + to..)?);
    let out = format!("{head}{middle}{tail}");
    let is_it = matches!(fragment(&out, 0), Some(node) if node.end as usize == out.len() && matches!(&node.kind, Kind::Str(text) if *text == new));
    is_it.then_some(out)
}

/// Where each character of a string's body begins, and where the body ends. Where it has an unknown escape, the
/// result may be wrong; the caller checks it by reading.
fn starts(body: &str, is_raw: bool) -> Vec<usize> {
    let mut out = Vec::with_capacity(body.len() + 1);
    let mut at = 0;
    while let Some(c) = body.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = body.get(at + 1..).unwrap_or_default();
        let len = match (c, rest.chars().next()) {
            ('\\', Some('x')) if !is_raw => 4,
            ('\\', Some('u')) if !is_raw => rest.find('}').map_or(2, |end| end + 2),
            // A line break that is escaped is nothing, with the space behind it.
            ('\\', Some('\n' | '\r')) if !is_raw => {
                at += 1 + rest.len() - rest.trim_start_matches([' ', '\n', '\t', '\r']).len();
                continue;
            }
            ('\\', Some(escaped)) if !is_raw => 1 + escaped.len_utf8(),
            _ => c.len_utf8(),
        };
        out.push(at);
        at += len;
    }
    out.push(body.len());
    out
}

#[cfg(test)]
mod tests {
    use super::respelled;

    #[test]
    fn a_string_keeps_its_spelling() {
        let cases = [
            (r##"r#"kid"#"##, "kid", "child", r##"r#"child"#"##),
            (r##"r#"C.ld["base"]"#"##, "C.ld[\"base\"]", "C.ld[\"top\"]", r##"r#"C.ld["top"]"#"##),
            (r#"r"kid""#, "kid", "a\"b", ""),
            (r#""\u{62}ase/x""#, "base/x", "base/y", r#""\u{62}ase/y""#),
            (r#""a\x41\tb""#, "aA\tb", "aA\tc\"", r#""a\x41\tc\"""#),
            ("\"a\\\n   b\"", "ab", "ac", "\"a\\\n   c\""),
            (r#""""#, "", "x", r#""x""#),
            (r#""aa""#, "aa", "aaa", r#""aaa""#),
        ];
        for (literal, old, new, wanted) in cases {
            assert_eq!(respelled(literal, old, new).unwrap_or_default(), wanted, "{literal}");
        }
    }
}
