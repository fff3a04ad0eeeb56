//! From byte offsets to lines and columns. Built when something has to be shown, never while reading what is fine.

use crate::model::Span;

/// Where each line of a text begins.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    /// The lines of `text`.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        let starts =
            std::iter::once(0).chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1));
        Self { text, starts: starts.collect() }
    }

    /// The span of `start..end`, with line and column of its first byte, both from 1, columns in characters. Offsets past
    /// the end count as the end.
    #[must_use]
    pub fn span(&self, start: usize, end: usize) -> Span {
        let start = self.floor(start);
        let end = self.floor(end).max(start);
        let line = self.starts.partition_point(|begin| *begin <= start).saturating_sub(1);
        let begin = self.starts.get(line).copied().unwrap_or(0);
        let column = self.text.get(begin..start).map_or(0, |before| before.chars().count());
        let count = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        // A byte-order mark is not a character anyone sees.
        let hidden = usize::from(begin == 0 && start > 0 && self.text.starts_with('\u{feff}'));
        Span { start, end, line: count(line), column: count(column - hidden) }
    }

    /// The text of a line counted from 1, without its line break; empty past the end.
    #[must_use]
    pub fn line(&self, line: u32) -> &'t str {
        let at = usize::try_from(line).unwrap_or(usize::MAX).wrapping_sub(1);
        let Some(start) = self.starts.get(at) else { return "" };
        let end = self.starts.get(at + 1).copied().unwrap_or(self.text.len());
        self.text.get(*start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    fn floor(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}
