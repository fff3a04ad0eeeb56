//! A file taken apart for formatting: values with the comments that belong to each.
//!
//! A CR by itself ends a line here, as editors show it. It does not end a `//` comment: what follows it stays a
//! comment.

use std::borrow::Cow;

use super::{Kind, Node, Tree, pieces::comment_len};

/// A comment.
#[derive(Clone, Debug)]
pub(super) struct Comment<'t> {
    pub(super) text: Cow<'t, str>,
    /// Whether a blank line stands before it.
    pub(super) after_blank: bool,
    /// Spaces before it, on the line of what it follows.
    pub(super) spaces: usize,
}

/// A part of a group.
#[derive(Debug)]
pub(super) struct Item<'t> {
    /// Comments before it.
    pub(super) lead: Vec<Comment<'t>>,
    /// Whether a blank line stands directly before it.
    pub(super) after_blank: bool,
    pub(super) key: Option<&'t str>,
    /// The key's name, if it is that of a field.
    pub(super) field: Option<&'t str>,
    pub(super) value: Shape<'t>,
    /// Comments behind it on its line.
    pub(super) trail: Vec<Comment<'t>>,
}

/// A value.
#[derive(Debug)]
pub(super) enum Shape<'t> {
    /// A scalar, as it will be written.
    Atom(String),
    /// Something with comments in unusual places; left as it is but for its indentation.
    Verbatim {
        text: &'t str,
        /// The indentation of the line it begins on.
        indent: &'t str,
    },
    /// A list, tuple, struct or map, with a tag if it has one.
    Group(Group<'t>),
}

/// A value with parts.
#[derive(Debug)]
pub(super) struct Group<'t> {
    pub(super) tag: &'t str,
    pub(super) open: char,
    pub(super) close: char,
    /// Comments on the line of the opening bracket.
    pub(super) open_trail: Vec<Comment<'t>>,
    pub(super) items: Vec<Item<'t>>,
    /// Comments after the last part.
    pub(super) tail: Vec<Comment<'t>>,
    /// Whether the author gave it several lines.
    pub(super) is_broken: bool,
}

/// What stands between two values: comments, line breaks, a comma.
struct Gap<'t> {
    comments: Vec<GapComment<'t>>,
    has_break: bool,
    /// Line breaks directly before what follows.
    n_last_breaks: usize,
}

struct GapComment<'t> {
    comment: Comment<'t>,
    /// On the line of what comes before.
    is_same_line: bool,
    is_before_comma: bool,
}

fn gap(text: &str, from: usize, to: usize) -> Gap<'_> {
    let mut out = Gap { comments: Vec::new(), has_break: false, n_last_breaks: 0 };
    let (mut at, mut spaces, mut seen_comma) = (from, 0, false);
    while at < to {
        let rest = text.get(at..to).unwrap_or_default();
        let Some(c) = rest.chars().next() else { break };
        if let Some(length) = comment_len(rest) {
            let text = rest.get(..length).unwrap_or_default().trim_end();
            for line in comments_in(text) {
                let comment = Comment { text: line, after_blank: out.n_last_breaks > 1, spaces };
                out.comments.push(GapComment { comment, is_same_line: !out.has_break, is_before_comma: !seen_comma });
                (out.has_break, out.n_last_breaks) = (out.has_break || text.contains('\r'), 0);
            }
            out.has_break |= text.contains('\n');
            (at, spaces, out.n_last_breaks) = (at + length, 0, 0);
            continue;
        }
        match c {
            '\r' if rest.starts_with("\r\n") => {}
            '\n' | '\r' => {
                out.has_break = true;
                out.n_last_breaks += 1;
                spaces = 0;
            }
            ',' => (seen_comma, spaces) = (true, 0),
            c if c.is_whitespace() => spaces += 1,
            _ => {}
        }
        at += c.len_utf8();
    }
    out
}

/// The comments that one becomes: a `//` comment with a CR in it is several, one on each line.
fn comments_in(text: &str) -> Vec<Cow<'_, str>> {
    if !(text.starts_with("//") && text.contains('\r')) {
        return vec![Cow::Borrowed(text)];
    }
    let mut lines = text.split('\r').map(str::trim_end).filter(|line| !line.is_empty());
    let first = lines.next().map(Cow::Borrowed);
    first.into_iter().chain(lines.map(|line| Cow::Owned(format!("// {}", line.trim_start())))).collect()
}

/// The indentation of the line that holds `at`.
fn indent_at(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let line = before.get(before.rfind('\n').map_or(0, |end| end + 1)..).unwrap_or_default();
    line.get(..line.len() - line.trim_start_matches([' ', '\t']).len()).unwrap_or_default()
}

impl<'t> Gap<'t> {
    /// The comments that belong to what comes before, and those of what comes after.
    fn split(self, is_opener: bool) -> (Vec<Comment<'t>>, Vec<Comment<'t>>) {
        let has_break = self.has_break;
        let (before, after): (Vec<_>, Vec<_>) = self
            .comments
            .into_iter()
            .partition(|comment| comment.is_same_line && (has_break || comment.is_before_comma && !is_opener));
        let plain = |list: Vec<GapComment<'t>>| list.into_iter().map(|comment| comment.comment).collect();
        (plain(before), plain(after))
    }
}

/// A whole file: comments before the value, the value, comments after it.
pub(super) struct File<'t> {
    /// `#![enable(…)]` lines.
    pub(super) attributes: &'t str,
    pub(super) root: Item<'t>,
    pub(super) tail: Vec<Comment<'t>>,
}

pub(super) fn file<'t>(tree: &Tree<'t>) -> File<'t> {
    let text = tree.text;
    let start = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let (root_start, root_end) = tree.root.range();
    // Attributes come first, if there are any; what stands between them and the value is a gap like any other.
    let head = text.get(start..root_start).unwrap_or_default();
    let n_attributes = if head.trim_start().starts_with("#!") { head.rfind(']').map_or(0, |at| at + 1) } else { 0 };
    let before = gap(text, start + n_attributes, root_start);
    let after_blank = before.n_last_breaks > 1;
    let lead = before.comments.into_iter().map(|comment| comment.comment).collect();
    let mut after = gap(text, root_end, text.len());
    after.has_break = true;
    let (trail, tail) = after.split(false);
    let value = shape(text, &tree.root);
    File {
        attributes: head.get(..n_attributes).unwrap_or_default().trim(),
        root: Item { lead, after_blank, key: None, field: None, value, trail },
        tail,
    }
}

struct Place<'n, 't> {
    start: usize,
    key_end: Option<usize>,
    field: Option<&'t str>,
    value: &'n Node<'t>,
}

fn shape<'t>(text: &'t str, node: &Node<'t>) -> Shape<'t> {
    let slice = |start: usize, end: usize| text.get(start..end).unwrap_or_default();
    let (start, end) = node.range();
    let item = |value| Place { start: Node::range(value).0, key_end: None, field: None, value };
    let (open, close, places): (char, char, Vec<Place<'_, 't>>) = match &node.kind {
        Kind::List(items) => ('[', ']', items.iter().map(item).collect()),
        Kind::Tuple(items) => ('(', ')', items.iter().map(item).collect()),
        Kind::Struct(fields) => {
            let place = |field: &'_ super::Field<'t>| {
                let (start, end) = field.name_range();
                (start, end, field.name)
            };
            let places = fields.iter().map(|field| {
                let (start, end, name) = place(field);
                Place { start, key_end: Some(end), field: Some(name), value: &field.value }
            });
            ('(', ')', places.collect())
        }
        Kind::Map(entries) => {
            let places = entries.iter().map(|entry| {
                let (start, end) = entry.key.range();
                Place { start, key_end: Some(end), field: None, value: &entry.value }
            });
            ('{', '}', places.collect())
        }
        Kind::Tagged(tag, content) => {
            let content_start = content.range().0;
            let verbatim = || Shape::Verbatim { text: slice(start, end), indent: indent_at(text, start) };
            return match shape(text, content) {
                _ if has_comment(slice(start + tag.len(), content_start)) => verbatim(),
                Shape::Group(group) => Shape::Group(Group { tag, ..group }),
                _ => verbatim(),
            };
        }
        Kind::Float(_) => return Shape::Atom(dotted(slice(start, end))),
        _ => return Shape::Atom(slice(start, end).to_owned()),
    };
    group(text, node, open, close, &places)
}

fn has_comment(text: &str) -> bool {
    text.contains("//") || text.contains("/*")
}

fn group<'t>(text: &'t str, node: &Node<'t>, open: char, close: char, places: &[Place<'_, 't>]) -> Shape<'t> {
    let (start, end) = node.range();
    let mut out = Group {
        tag: "",
        open,
        close,
        open_trail: Vec::new(),
        items: Vec::with_capacity(places.len()),
        tail: Vec::new(),
        is_broken: false,
    };
    let mut from = start + 1;
    for place in places {
        let key = match place.key_end {
            Some(key_end) => {
                let key = text.get(place.start..key_end).unwrap_or_default();
                let between = text.get(key_end..place.value.range().0).unwrap_or_default();
                if has_comment(between) || has_comment_outside_strings(key) {
                    let indent = indent_at(text, start);
                    return Shape::Verbatim { text: text.get(start..end).unwrap_or_default(), indent };
                }
                Some(key)
            }
            None => None,
        };
        let before = gap(text, from, place.start);
        out.is_broken |= before.has_break;
        let after_blank = before.n_last_breaks > 1;
        let lead = out.attach(before);
        let value = shape(text, place.value);
        out.items.push(Item { lead, after_blank, key, field: place.field, value, trail: Vec::new() });
        from = place.value.range().1;
    }
    let last = gap(text, from, end.saturating_sub(1));
    out.is_broken |= last.has_break;
    out.tail = out.attach(last);
    // A comment that nothing follows can as well stand behind the last part, as long as there is one line.
    if !out.is_broken
        && let Some(item) = out.items.last_mut()
    {
        item.trail.append(&mut out.tail);
    }
    Shape::Group(out)
}

/// Keys are written on one line: one that is a tuple over several lines, or has comments, is left alone.
fn has_comment_outside_strings(key: &str) -> bool {
    !key.starts_with(['"', 'r']) && (has_comment(key) || key.contains('\n'))
}

impl<'t> Group<'t> {
    /// Give the comments of a gap to what stands before it; what is left belongs to what follows.
    fn attach(&mut self, gap: Gap<'t>) -> Vec<Comment<'t>> {
        let (before, after) = gap.split(self.items.is_empty());
        match self.items.last_mut() {
            Some(item) => item.trail = before,
            None => self.open_trail = before,
        }
        after
    }
}

/// A number with a digit on both sides of its dot.
pub(super) fn dotted(text: &str) -> String {
    let text = text.strip_prefix('+').unwrap_or(text);
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    if digits.starts_with('0') && digits.contains(['x', 'X', 'b', 'B', 'o', 'O']) {
        return text.to_owned();
    }
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => digits.split_at(at),
        None => (digits, ""),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let or_zero = |text: &str| if text.is_empty() { "0".to_owned() } else { text.to_owned() };
    format!("{sign}{}.{}{exponent}", or_zero(whole), or_zero(fraction))
}
