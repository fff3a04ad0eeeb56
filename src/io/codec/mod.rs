//! Between text and model: what each kind of document looks like in a file, declared once per field and used to read
//! and to write.
//!
//! Invariant: reading is total and reports everything that is wrong, each with its place; a document with an error is
//! not returned. What one file can know is checked here (types, words, shapes that cannot be used); what needs other
//! files (does that name exist?) is `check`.

mod cx;
mod describe;
mod machines;
mod merge;
mod merge_kinds;
mod merge_lists;
mod merge_moved;
mod merge_parts;
mod order;
mod read;
mod schema;
#[cfg(test)]
mod tests;
mod tiles;
mod tileset;
mod traits;
mod values;
mod write;

use crate::model::{DocPath, Document, Finding, Location, Span, reflect, unsound};

use super::ron_text::{self, Form, Index, Lines, SyntaxError};

pub use describe::{NameOf, Vocabulary, describe};

pub(crate) use cx::Cx;
pub use merge::Choices;
pub(crate) use merge_kinds::shared;
pub use merge_kinds::{Merged, merge, same};
pub use order::Order;
pub(crate) use traits::{Decode, Encode};

/// The form of a document in a file. `base` is the document in the file now, where that is known.
#[must_use]
pub fn form<'m>(document: &'m Document, base: Option<&Document>) -> Form<'m> {
    write::form(document.root(), base.filter(|base| base.kind() == document.kind()).map(Document::root))
}

/// A new file of a document, in canonical form.
#[must_use]
pub fn encode(document: &Document) -> String {
    ron_text::write(&form(document, None))
}

/// The canonical form of a file's text, comments kept. What is wrong with its fields does not matter, as long as it is
/// RON.
///
/// # Errors
/// The findings with the reasons that the text is not RON.
pub fn format(path: &DocPath, text: &str) -> Result<String, Vec<Finding>> {
    let tree = ron_text::parse(text).map_err(|errors| syntax_findings(path, text, errors))?;
    let document = decode(path, text).0;
    Ok(ron_text::format(&tree, document.as_ref().map(|document| form(document, None)).as_ref()))
}

/// Read a document of the kind that belongs at `path` from its file's text. Without a document, findings are the
/// reasons; a document may come with hints.
#[must_use]
pub fn decode(path: &DocPath, text: &str) -> (Option<Document>, Vec<Finding>) {
    let (document, findings, _) = read(path, text);
    (document, findings)
}

/// As [`decode`], and where the parts of the text stand, if it is RON.
pub(crate) fn read(path: &DocPath, text: &str) -> (Option<Document>, Vec<Finding>, Option<Index>) {
    let Some(kind) = path.kind() else {
        let finding = Finding::error("unknown-place", Location::doc(path.clone()), "no kind of document belongs here");
        return (None, vec![finding], None);
    };
    let tree = match ron_text::parse(text) {
        Ok(tree) => tree,
        Err(errors) => return (None, syntax_findings(path, text, errors), None),
    };
    let mut cx = Cx::new(text);
    let mut document = Document::blank(kind);
    let is_read = read::read(&tree.root, document.root_mut(), &mut cx);
    let document = Some(document).filter(|_| is_read);
    if let Some(document) = &document {
        for found in reflect::out_of_range(document.root()) {
            cx.error("wrong-value", tree.range_of(&found.path, false).0, found.message);
        }
        for (rule, at, at_key, message) in unsound(path, document) {
            cx.error(rule, tree.range_of(&at, at_key).0, message);
        }
    }
    let findings = cx.findings(path, &tree);
    let broken = findings.iter().any(|finding| finding.severity == crate::model::Severity::Error);
    (document.filter(|_| !broken), findings, Some(Index::of(&tree)))
}

fn syntax_findings(path: &DocPath, text: &str, errors: Vec<SyntaxError>) -> Vec<Finding> {
    let lines = Lines::new(text);
    let finding = |error: SyntaxError| {
        let location = at(path, lines.span(error.start, error.end));
        Finding::error(error.rule, location, error.message).with_help(error.help)
    };
    errors.into_iter().map(finding).collect()
}

fn at(path: &DocPath, span: Span) -> Location {
    Location { span: Some(span), ..Location::doc(path.clone()) }
}
