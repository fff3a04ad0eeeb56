//! Between text and model: what each kind of document looks like in a file, declared once per field and used to read and
//! to write.
//!
//! Invariant: reading is total and says everything that is wrong, each with its place; a document with an error is not
//! returned. What one file can know is checked here (types, words, shapes that cannot be used); what takes other files
//! (does that name exist?) is `check`'s business.

mod cx;
mod describe;
mod machines;
mod merge;
mod merge_kinds;
mod merge_lists;
mod merge_parts;
mod order;
mod read;
mod schema;
mod sound;
mod tiles;
mod tileset;
mod values;
mod write;

use std::sync::Arc;

use indexmap::IndexMap;

use crate::model::{
    DocKind, DocPath, Document, EntitiesFile, EntityDef, Finding, Level, Location, Machine, MachinesFile, Name,
    ProjectFile, Scenario, Schema, Span, Tileset, TuningPage, reflect::Reflect,
};

use super::ron_text::{self, Form, Index, Lines, Node, SyntaxError};

pub use describe::{NameOf, Vocabulary, describe};

pub(crate) use cx::Cx;
pub use merge::Choices;
pub(crate) use merge::Merge;
pub(crate) use merge_kinds::shared;
pub use merge_kinds::{Merged, merge, same};
pub use order::Order;

/// What can be read from a node. `None` means that the reasons have been noted.
pub(crate) trait Decode<'t>: Sized {
    /// Read it.
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self>;
}

/// What can be written.
pub(crate) trait Encode {
    /// How a file says it. `base` is what the file says now, where that is known: what is shared with it by `Arc` need
    /// not be looked at again.
    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m>;
}

/// What all of these traits do for a document that `model::reflect` describes; `.field` for one that is all in one field.
macro_rules! by_description {
    ($($type:ident $(.$root:ident)?: $of:ty),* $(,)?) => {
        $(impl<'t> Decode<'t> for $type {
            fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
                let mut out = <$of as Reflect>::blank();
                read::read(node, &mut out, cx).then_some(by_description!(@new out $($root)?))
            }
        }

        impl Encode for $type {
            fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
                write::form(by_description!(@root self $($root)?), base.map(|base| by_description!(@root base $($root)?)))
            }
        }

        impl Merge for $type {
            fn same(&self, other: &Self) -> bool {
                merge_parts::same(by_description!(@root self $($root)?), by_description!(@root other $($root)?))
            }

            fn merge(base: Option<&Self>, mine: &Self, theirs: &Self, cx: &mut merge::Merging<'_>) -> Self {
                let base = base.map(|base| by_description!(@root base $($root)?));
                let (a, b) = (by_description!(@root mine $($root)?), by_description!(@root theirs $($root)?));
                let merged = merge_parts::merged(base, a, b, cx);
                let mut out = mine.clone();
                by_description!(@root_mut out $($root)?).assign(&*merged);
                out
            }
        }

        impl describe::Describe for $type {
            fn describe(out: &mut describe::Describer<'_>) -> serde_json::Value {
                describe::of_type(<$of as Reflect>::type_of(), out)
            }
        })*
    };
    (@new $out:ident) => { $out };
    (@new $out:ident $root:ident) => { Self { $root: $out } };
    (@root $it:ident) => { $it as &dyn Reflect };
    (@root $it:ident $root:ident) => { &$it.$root as &dyn Reflect };
    (@root_mut $it:ident) => { $it };
    (@root_mut $it:ident $root:ident) => { $it.$root };
}

by_description! {
    ProjectFile: ProjectFile,
    Level: Level,
    EntitiesFile.defs: IndexMap<Name, Arc<EntityDef>>,
    MachinesFile.machines: IndexMap<Name, Arc<Machine>>,
    Tileset: Tileset,
    TuningPage: TuningPage,
    Schema: Schema,
    Scenario: Scenario,
}

/// How a file says a document. `base` is the document the file says now, where that is known.
#[must_use]
pub fn form<'m>(document: &'m Document, base: Option<&Document>) -> Form<'m> {
    match (document, base) {
        (Document::Project(new), Some(Document::Project(old))) => new.form(Some(old)),
        (Document::Project(new), _) => new.form(None),
        (Document::Level(new), Some(Document::Level(old))) => new.form(Some(old)),
        (Document::Level(new), _) => new.form(None),
        (Document::Entities(new), Some(Document::Entities(old))) => new.form(Some(old)),
        (Document::Entities(new), _) => new.form(None),
        (Document::Machines(new), Some(Document::Machines(old))) => new.form(Some(old)),
        (Document::Machines(new), _) => new.form(None),
        (Document::Tileset(new), Some(Document::Tileset(old))) => new.form(Some(old)),
        (Document::Tileset(new), _) => new.form(None),
        (Document::Tuning(new), Some(Document::Tuning(old))) => new.form(Some(old)),
        (Document::Tuning(new), _) => new.form(None),
        (Document::Scenario(new), Some(Document::Scenario(old))) => new.form(Some(old)),
        (Document::Scenario(new), _) => new.form(None),
        (Document::Schema(new), Some(Document::Schema(old))) => new.form(Some(old)),
        (Document::Schema(new), _) => new.form(None),
    }
}

/// A new file that says a document, in the canonical form.
#[must_use]
pub fn encode(document: &Document) -> String {
    ron_text::write(&form(document, None))
}

/// The canonical form of a file's text, comments kept. What is wrong with its fields does not matter, as long as it is RON.
///
/// # Errors
/// The findings that say why the text is not RON.
pub fn format(path: &DocPath, text: &str) -> Result<String, Vec<Finding>> {
    let tree = ron_text::parse(text).map_err(|errors| syntax_findings(path, text, errors))?;
    let document = decode(path, text).0;
    Ok(ron_text::format(&tree, document.as_ref().map(|document| form(document, None)).as_ref()))
}

/// Read a document of the kind that belongs at `path` from its file's text. Findings without a document are why there is
/// none; a document may come with hints.
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
    let document = match kind {
        DocKind::Project => Decode::decode(&tree.root, &mut cx).map(Document::Project),
        DocKind::Level => Decode::decode(&tree.root, &mut cx).map(Document::Level),
        DocKind::Entities => Decode::decode(&tree.root, &mut cx).map(Document::Entities),
        DocKind::Machines => Decode::decode(&tree.root, &mut cx).map(Document::Machines),
        DocKind::Tileset => Decode::decode(&tree.root, &mut cx).map(Document::Tileset),
        DocKind::Tuning => Decode::decode(&tree.root, &mut cx).map(Document::Tuning),
        DocKind::Scenario => Decode::decode(&tree.root, &mut cx).map(Document::Scenario),
        DocKind::Schema => Decode::decode(&tree.root, &mut cx).map(Document::Schema),
    };
    if let Some(document) = &document {
        for (rule, at, at_key, message) in sound::unsound(path, document) {
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
