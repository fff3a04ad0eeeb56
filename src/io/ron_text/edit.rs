//! Replacements in a text.

use std::borrow::Cow;

/// A replacement of `start..end`.
pub(super) struct TextEdit {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) text: String,
}

/// `text[start..end]` with edits inside it made, which are in order and apart.
pub(super) fn apply<'t>(text: &'t str, start: usize, end: usize, edits: &[TextEdit]) -> Cow<'t, str> {
    let get = |from: usize, to: usize| text.get(from..to).unwrap_or_default();
    if edits.is_empty() {
        return Cow::Borrowed(get(start, end));
    }
    let mut out = String::with_capacity(end - start + edits.iter().map(|edit| edit.text.len()).sum::<usize>());
    let mut at = start;
    for edit in edits {
        out.push_str(get(at, edit.start));
        out.push_str(&edit.text);
        at = edit.end;
    }
    out.push_str(get(at, end));
    Cow::Owned(out)
}
