//! A piece of text put somewhere else: at another indentation, in a file with other line ends.
//!
//! Invariant: it reads as what it was. Strings keep every byte, whatever lines they go over.

use super::{pieces::comment_len, scan::Scanner};

/// `text`, which began on a line indented by `was`, for a line indented by `indent` in a file whose lines end in `eol`.
/// A CR by itself counts as the end of a line; in a `//` comment what follows it stays a comment.
pub(super) fn moved(text: &str, was: &str, indent: &str, eol: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut is_after_word = false;
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = text.get(at..).unwrap_or_default();
        let is_raw = c == 'r' && !is_after_word && rest.trim_start_matches(['r', '#']).starts_with('"');
        is_after_word = c.is_alphanumeric() || c == '_';
        let length = match c {
            '/' => comment_len(rest).unwrap_or(1),
            '"' => end_of(text, at, false) - at,
            'r' if is_raw => end_of(text, at, true) - at,
            '\n' | '\r' => {
                let end = if rest.starts_with("\r\n") { 2 } else { 1 };
                at += end + new_line(rest.get(end..).unwrap_or_default(), (was, indent, eol), &mut out);
                continue;
            }
            _ => c.len_utf8(),
        };
        let piece = rest.get(..length).unwrap_or_default();
        if c == '/' && piece.contains(['\n', '\r']) {
            comment(piece, (was, indent, eol), &mut out);
        } else {
            out.push_str(piece);
        }
        at += length;
    }
    out
}

/// One past the string that begins at `at`; past one byte where it is none.
fn end_of(text: &str, at: usize, is_raw: bool) -> usize {
    let mut scan = Scanner::new(text, at);
    let read = if is_raw { scan.raw_string() } else { scan.string() };
    if read.is_ok() { scan.at } else { at + 1 }
}

/// End a line and indent the next, of which `rest` is the text. How much of `rest` that was.
fn new_line(rest: &str, (was, indent, eol): (&str, &str, &str), out: &mut String) -> usize {
    out.push_str(eol);
    let text = rest.trim_start_matches([' ', '\t']);
    let n_space = rest.len() - text.len();
    if text.is_empty() && !rest.is_empty() || text.starts_with(['\n', '\r']) {
        return n_space;
    }
    let space = rest.get(..n_space).unwrap_or_default();
    out.push_str(indent);
    out.push_str(space.strip_prefix(was).unwrap_or_default());
    n_space
}

fn comment(text: &str, to: (&str, &str, &str), out: &mut String) {
    let is_line = text.starts_with("//");
    let mut rest = text;
    while let Some(end) = rest.find(['\n', '\r']) {
        let (line, next) = rest.split_at(end);
        out.push_str(line);
        let next = next.strip_prefix("\r\n").unwrap_or_else(|| next.get(1..).unwrap_or_default());
        let n = new_line(next, to, out);
        rest = next.get(n..).unwrap_or_default();
        if is_line && !rest.is_empty() {
            out.push_str("// ");
        }
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::moved;

    #[test]
    fn text_is_put_at_another_indentation() {
        let cases = [
            ("a: (\n    b: 1,\n)", "", "  ", "\n", "a: (\n      b: 1,\n  )"),
            ("a: (\r\n    b: 1,\r\n  )", "  ", "", "\n", "a: (\n  b: 1,\n)"),
            ("(\n\n    a: 1)", "    ", "  ", "\r\n", "(\r\n\r\n  a: 1)"),
            ("(\n  a: \"x\r\n  y\", // z\n)", "", " ", "\n", "(\n   a: \"x\r\n  y\", // z\n )"),
            ("(\n  a: r#\"\"\n\"#,\n)", "", " ", "\n", "(\n   a: r#\"\"\n\"#,\n )"),
            ("(/* a\n  b */ \"/*\"\n)", "", " ", "\n", "(/* a\n   b */ \"/*\"\n )"),
            ("// a\rb\n1", "", "", "\n", "// a\n// b\n1"),
            ("(\r a: 1\r)", "", "", "\n", "(\n a: 1\n)"),
            ("or \"\n\"", "", " ", "\n", "or \"\n\""),
        ];
        for (text, was, indent, eol, wanted) in cases {
            assert_eq!(moved(text, was, indent, eol), wanted, "{text:?}");
        }
    }
}
