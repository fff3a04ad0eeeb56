//! From a place in a document to a line and column of its file. Places are paths, so that they stay right while text
//! moves; only here do they become numbers.
//!
//! What it takes to find a place is kept with the text ([`Source`](super::Source)), so that a file is searched once
//! for as long as it is not changed.

use crate::model::{Location, Span};

use super::{Sources, ron_text::Lines};

/// Finds places in the files of a project.
#[derive(Clone, Copy, Debug)]
pub struct Places<'s> {
    sources: &'s Sources,
}

impl<'s> Places<'s> {
    /// Places in these files.
    #[must_use]
    pub fn new(sources: &'s Sources) -> Self {
        Self { sources }
    }

    /// As [`Sources::span`].
    #[must_use]
    pub fn span(&self, location: &Location) -> Option<Span> {
        self.sources.span(location)
    }

    /// Line and column of the character after a location's last, both from 1. `None` where there is no text, as of a
    /// file that is not UTF-8.
    #[must_use]
    pub fn end(&self, location: &Location) -> Option<(u32, u32)> {
        let span = self.span(location)?;
        let source = self.sources.get(&location.doc).filter(|source| span.end <= source.text.len())?;
        let end = match source.index() {
            Some(index) => index.lines(&source.text).span(span.end, span.end),
            None => Lines::new(&source.text).span(span.end, span.end),
        };
        Some((end.line, end.column))
    }

    /// As [`Sources::line_column`].
    #[must_use]
    pub fn line_column(&self, location: &Location) -> (u32, u32) {
        self.sources.line_column(location)
    }
}

impl Sources {
    /// Where a location stands: exactly where it is known from the text, else where its value or key is, else the
    /// nearest enclosing value in the file; the beginning of a file that is not RON. `None` for a document that has no
    /// file.
    #[must_use]
    pub fn span(&self, location: &Location) -> Option<Span> {
        if location.span.is_some() {
            return location.span;
        }
        let source = self.get(&location.doc)?;
        Some(match source.index() {
            Some(index) => index.locate(&source.text, &location.path, location.at_key).0,
            None => Span { line: 1, column: 1, ..Span::default() },
        })
    }

    /// Line and column of a location, both from 1; the file's beginning when it is not in the text. Quick: some
    /// microseconds after the first query for a file.
    #[must_use]
    pub fn line_column(&self, location: &Location) -> (u32, u32) {
        self.span(location).map_or((1, 1), |span| (span.line.max(1), span.column.max(1)))
    }
}
