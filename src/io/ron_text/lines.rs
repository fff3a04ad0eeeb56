//! From byte offsets to lines and columns. Built when something has to be shown, never while reading text without
//! errors.

use std::borrow::Cow;

use crate::model::Span;

/// Where each line of a text begins, and how many characters come before a byte.
#[derive(Clone, Debug)]
pub struct Lines<'t> {
    text: &'t str,
    marks: Cow<'t, Marks>,
}

/// An index of a text for finding lines and columns: a long line is not counted through for each of many places.
#[derive(Clone, Debug)]
pub(super) struct Marks {
    /// The first byte of each line.
    starts: Box<[u32]>,
    /// How many characters begin before each block of bytes.
    chars: Box<[u32]>,
}

/// Bytes whose characters are counted for one column at most.
const BLOCK: usize = 1024;

fn n_chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| (**byte & 0xC0) != 0x80).count()
}

impl<'t> Lines<'t> {
    /// The lines of `text`.
    #[must_use]
    pub fn new(text: &'t str) -> Self {
        Self { text, marks: Cow::Owned(Self::marks(text)) }
    }

    /// The lines of `text`, of which this is known.
    pub(super) fn with(text: &'t str, marks: &'t Marks) -> Self {
        Self { text, marks: Cow::Borrowed(marks) }
    }

    /// The index for finding lines and columns of `text`.
    pub(super) fn marks(text: &str) -> Marks {
        let bytes = text.as_bytes();
        // Past four gigabytes nothing is shown anyway.
        let after = |(at, _): (usize, &str)| u32::try_from(at + 1).unwrap_or(u32::MAX);
        // A line ends with LF, with CR LF, or, as editors have it, with a lone CR.
        let is_lone = |(at, _): &(usize, &str)| bytes.get(at + 1) != Some(&b'\n');
        let mut starts: Vec<u32> = std::iter::once(0).chain(text.match_indices('\n').map(after)).collect();
        let n_lines = starts.len();
        starts.extend(text.match_indices('\r').filter(is_lone).map(after));
        if starts.len() > n_lines {
            starts.sort_unstable();
        }
        let mut n = 0_u32;
        let chars = bytes.chunks(BLOCK).map(|block| {
            let before = n;
            n = n.saturating_add(u32::try_from(n_chars(block)).unwrap_or(u32::MAX));
            before
        });
        Marks { starts: starts.into(), chars: chars.collect() }
    }

    /// How many characters are between two bytes.
    fn n_chars(&self, from: usize, to: usize) -> usize {
        let bytes = |from, to| self.text.as_bytes().get(from..to).map_or(0, n_chars);
        let block = |at: usize| Some((*self.marks.chars.get(at / BLOCK)? as usize, at / BLOCK * BLOCK));
        match (block(from), block(to)) {
            (Some((before_from, from_block)), Some((before_to, to_block))) if from_block < to_block => {
                before_to + bytes(to_block, to) - before_from - bytes(from_block, from)
            }
            _ => bytes(from, to),
        }
    }

    fn start(&self, line: usize) -> Option<usize> {
        self.marks.starts.get(line).map(|start| *start as usize)
    }

    /// The span of `start..end`, with line and column of its first byte, both from 1, columns in characters. Offsets
    /// past the end count as the end.
    #[must_use]
    pub fn span(&self, start: usize, end: usize) -> Span {
        let start = self.floor(start);
        let end = self.floor(end).max(start);
        let line = self.marks.starts.partition_point(|begin| *begin as usize <= start).saturating_sub(1);
        let begin = self.start(line).unwrap_or(0);
        let column = self.n_chars(begin, start);
        let count = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        // A byte-order mark is not a visible character.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_a_long_line_are_those_counted_from_its_start() {
        let part = "(\u{e4}, \u{4e00}, x) ";
        let text = ["short\n", &part.repeat(1000), "\n", part].concat();
        let lines = Lines::new(&text);
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let begin = text[..at].rfind('\n').map_or(0, |at| at + 1);
            let span = lines.span(at, at);
            assert_eq!(span.column as usize, text[begin..at].chars().count() + 1, "byte {at}");
        }
    }
}
