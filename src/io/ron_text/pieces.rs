//! The text that belongs to each part of a container: itself, its comma, and the comments beside it.

use super::{Entry, Field, Node};

/// A part of a container: where it begins (its key, if it has one), and its value.
pub(super) struct Part<'n, 't> {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) key: Option<(usize, usize)>,
    pub(super) value: &'n Node<'t>,
}

impl<'n, 't> Part<'n, 't> {
    pub(super) fn item(node: &'n Node<'t>) -> Self {
        Self { start: node.start as usize, end: node.end as usize, key: None, value: node }
    }

    pub(super) fn entry(entry: &'n Entry<'t>) -> Self {
        Self { start: entry.key.start as usize, key: Some(entry.key.range()), ..Self::item(&entry.value) }
    }

    pub(super) fn field(field: &'n Field<'t>) -> Self {
        Self { start: field.start as usize, key: Some(field.name_range()), ..Self::item(&field.value) }
    }
}

/// The text that belongs to a part: `lead` before it (line break, comments, indentation), itself, its comma, and what
/// follows on its line when that is only a comment.
pub(super) struct Piece {
    pub(super) lead: usize,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) comma: Option<usize>,
    /// One past the last byte.
    pub(super) stop: usize,
}

/// One past what belongs to the container itself: a comment on the line of its opening bracket.
pub(super) fn head_end(text: &str, node: &Node<'_>) -> usize {
    end_of_comment(text, node.start as usize + 1)
}

/// The pieces of some parts, the first of which leads from `lead`.
pub(super) fn pieces(text: &str, mut lead: usize, parts: &[Part<'_, '_>]) -> Vec<Piece> {
    let mut out = Vec::with_capacity(parts.len());
    for part in parts {
        let (comma, stop) = stop_of(text, part.end);
        out.push(Piece { lead, start: part.start, end: part.end, comma, stop });
        lead = stop;
    }
    out
}

/// Of each part, from its own comments on to past those on its line. The first leads from `lead`.
pub(super) fn own_pieces(text: &str, lead: usize, parts: &[Part<'_, '_>]) -> Vec<(usize, usize)> {
    pieces(text, lead, parts).iter().map(|piece| (piece.own(text), piece.stop)).collect()
}

impl Piece {
    /// Where the comments begin that are its own.
    pub(super) fn own(&self, text: &str) -> usize {
        self.lead + free_comments(text.get(self.lead..self.start).unwrap_or_default()).len()
    }
}

/// The comma behind a part that ends at `end`, and one past the last byte that belongs to the part.
pub(super) fn stop_of(text: &str, end: usize) -> (Option<usize>, usize) {
    let comma = find_comma(text, end);
    (comma, end_of_comment(text, comma.map_or(end, |comma| comma + 1)))
}

/// The comma behind a part, past comments.
fn find_comma(text: &str, mut at: usize) -> Option<usize> {
    loop {
        let rest = text.get(at..)?;
        let skipped = rest.len() - rest.trim_start().len();
        at += skipped;
        let rest = rest.trim_start();
        if rest.starts_with(',') {
            return Some(at);
        }
        at += comment_len(rest)?;
    }
}

/// Length of the comment that `text` begins with.
pub(super) fn comment_len(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        // The CR of a line's end belongs to the end; one by itself ends no comment.
        return Some(
            text.find('\n').map_or(text.len(), |end| end - usize::from(text.get(..end).is_some_and(ends_in_cr))),
        );
    }
    if !text.starts_with("/*") {
        return None;
    }
    let (mut at, mut depth) = (0, 0_usize);
    loop {
        let rest = text.get(at..)?;
        let next = rest.find(['/', '*'])?;
        at += next;
        let rest = text.get(at..)?;
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return Some(at);
            }
        } else {
            at += 1;
        }
    }
}

pub(super) fn ends_in_cr(text: &str) -> bool {
    text.ends_with('\r')
}

/// Past the comments that end the line of `at`; `at` itself when something else follows.
fn end_of_comment(text: &str, at: usize) -> usize {
    let mut end = at;
    loop {
        let rest = text.get(end..).unwrap_or_default();
        let blank = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let rest = rest.trim_start_matches([' ', '\t']);
        if rest.is_empty() || rest.starts_with('\n') || rest.starts_with("\r\n") {
            return end;
        }
        match comment_len(rest) {
            // A comment of several lines belongs to what follows it.
            Some(length) if !rest.get(..length).unwrap_or_default().contains('\n') => end += blank + length,
            _ => return at,
        }
    }
}

/// The comments before a part that are not its own: those that a blank line parts from it, and headings.
pub(super) fn free_comments(lead: &str) -> &str {
    let Some(last_break) = lead.rfind('\n') else { return "" };
    let mut own_from = last_break;
    // Walk up over the lines of comment directly above.
    while let Some(above) = lead.get(..own_from).and_then(|before| before.rfind('\n')) {
        let line = lead.get(above + 1..own_from).unwrap_or_default();
        if line.trim().is_empty() || is_heading(line) {
            let free = lead.get(..if is_heading(line) { own_from } else { above }).unwrap_or_default();
            let free = free.strip_suffix('\r').unwrap_or(free);
            return if free.trim().is_empty() { "" } else { free };
        }
        own_from = above;
    }
    ""
}

/// Whether a line is a comment with a rule in it: `// ---- bosses ----`.
fn is_heading(line: &str) -> bool {
    const RULES: [&str; 6] = ["---", "===", "***", "###", "~~~", "───"];
    line.trim().strip_prefix("//").is_some_and(|text| {
        let text = text.trim_matches([' ', '\t', '\r', '/']);
        RULES.iter().any(|rule| text.starts_with(rule) || text.ends_with(rule))
    })
}

/// The indentation of what follows on a line of its own.
pub(super) fn own_line(lead: &str) -> Option<&str> {
    lead.rsplit_once('\n').map(|(_, indent)| indent).filter(|indent| indent.trim().is_empty())
}
