//! From a place in a document to a line and column of its file. Places are paths, so that they stay right while text
//! moves; only here do they become numbers.

use std::{cell::RefCell, collections::BTreeMap};

use crate::model::{DocPath, Location, Span};

use super::{
    Sources,
    ron_text::{self, Lines, Tree},
};

/// Finds places in the files of a project; each file is looked into at most once, when it is first asked about.
pub struct Places<'s> {
    sources: &'s Sources,
    files: RefCell<BTreeMap<DocPath, Option<File<'s>>>>,
}

struct File<'s> {
    lines: Lines<'s>,
    /// `None` for a file that is not RON.
    tree: Option<Tree<'s>>,
}

impl<'s> Places<'s> {
    /// Places in these files.
    #[must_use]
    pub fn new(sources: &'s Sources) -> Self {
        Self { sources, files: RefCell::default() }
    }

    fn file<'f>(&self, files: &'f mut BTreeMap<DocPath, Option<File<'s>>>, at: &Location) -> Option<&'f File<'s>> {
        let file = files.entry(at.doc.clone()).or_insert_with(|| {
            let text: &'s str = self.sources.text(&at.doc)?;
            Some(File { lines: Lines::new(text), tree: ron_text::parse(text).ok() })
        });
        file.as_ref()
    }

    /// Where a location stands: exactly where it is known from the text, else where its value or key is, else the
    /// nearest thing around it that the file says. `None` for a document that has no file.
    #[must_use]
    pub fn span(&self, location: &Location) -> Option<Span> {
        if location.span.is_some() {
            return location.span;
        }
        let mut files = self.files.borrow_mut();
        let File { lines, tree } = self.file(&mut files, location)?;
        Some(match tree {
            Some(tree) => tree.locate(&location.path, location.at_key, lines).0,
            None => lines.span(0, 0),
        })
    }

    /// Line and column of the character after a location's last, both from 1. `None` where there is no text.
    #[must_use]
    pub fn end(&self, location: &Location) -> Option<(u32, u32)> {
        let span = self.span(location)?;
        let mut files = self.files.borrow_mut();
        let file = self.file(&mut files, location)?;
        let end = file.lines.span(span.end, span.end);
        Some((end.line, end.column))
    }

    /// Line and column of a location, both from 1; the file's beginning when it is not in the text.
    #[must_use]
    pub fn line_column(&self, location: &Location) -> (u32, u32) {
        self.span(location).map_or((1, 1), |span| (span.line.max(1), span.column.max(1)))
    }
}

impl Sources {
    /// Where one location stands. For several, [`Places`] is quicker.
    #[must_use]
    pub fn locate(&self, location: &Location) -> Option<Span> {
        Places::new(self).span(location)
    }
}
