//! From byte offsets to lines and columns. Built when something has to be shown, never while reading what is fine.

use std::borrow::Cow;

use crate::model::Span;

/// Where each line of a text begins.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    starts: Cow<'t, [u32]>,
}

impl<'t> Lines<'t> {
    /// The lines of `text`.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self::with(text, Cow::Owned(Self::starts(text).into_vec()))
    }

    /// The lines of `text`, which begin at these bytes.
    pub(super) fn with(text: &'t str, starts: Cow<'t, [u32]>) -> Self {
        Self { text, starts }
    }

    /// The first byte of each line of `text`.
    pub(super) fn starts(text: &str) -> Box<[u32]> {
        // Past four gigabytes nothing is shown anyway.
        let bytes = text.as_bytes();
        // A line ends with LF, with CR LF, or, as editors have it, with a lone CR.
        let ends = |at: usize| bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
        let breaks = (1_u32..).zip(0..bytes.len()).filter(|(_, at)| ends(*at)).map(|(after, _)| after);
        std::iter::once(0).chain(breaks).collect()
    }

    fn start(&self, line: usize) -> Option<usize> {
        self.starts.get(line).map(|start| *start as usize)
    }

    /// The span of `start..end`, with line and column of its first byte, both from 1, columns in characters. Offsets past
    /// the end count as the end.
    #[must_use]
    pub fn span(&self, start: usize, end: usize) -> Span {
        let start = self.floor(start);
        let end = self.floor(end).max(start);
        let line = self.starts.partition_point(|begin| *begin as usize <= start).saturating_sub(1);
        let begin = self.start(line).unwrap_or(0);
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
        let Some(start) = self.start(at) else { return "" };
        let end = self.start(at + 1).unwrap_or(self.text.len());
        self.text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    fn floor(&self, offset: usize) -> usize {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }
}
