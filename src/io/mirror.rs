//! The JSON mirror of a project's file: the same data as JSON, for programs that do not read RON.
//!
//! A mirror is made from the text alone, without knowing what it means: structs and maps are objects, lists and tuples
//! arrays, bare words strings and `None` null; `Some(x)` is `x`, `Word(x)` is `{"Word": x}`, `Word(a: 1)` is
//! `{"Word": {"a": 1}}`, `Word(x, y)` is `{"Word": [x, y]}` and `Word()` the bare word; `()` is an object without
//! fields; a key that is no string is written as one, a pair of numbers as `"0,-1"`. `codec::describe` makes the schema
//! of the mirrors of each kind of file.

use serde_json::{Map, Value as Json, json};

use super::ron_text::{self, Kind, Node};
use crate::model::{DocKind, DocPath, Finding, Location};

pub use super::codec::{NameOf, Vocabulary};

/// The mirror of a file's text.
///
/// # Errors
/// Why the text is not RON.
pub fn mirror(path: &DocPath, text: &str) -> Result<Json, Vec<Finding>> {
    match ron_text::parse(text) {
        Ok(tree) => Ok(json_of(&tree.root)),
        Err(errors) => {
            let lines = ron_text::Lines::new(text);
            let finding = |error: ron_text::SyntaxError| {
                let span = Some(lines.span(error.start, error.end));
                let at = Location { span, ..Location::doc(path.clone()) };
                Finding::error(error.rule, at, error.message).with_help(error.help)
            };
            Err(errors.into_iter().map(finding).collect())
        }
    }
}

fn json_of(node: &Node<'_>) -> Json {
    match &node.kind {
        Kind::Bool(b) => json!(b),
        Kind::Int(i) => json!(i),
        Kind::Float(f) => json!(f),
        Kind::Str(text) => json!(text),
        Kind::Symbol("None") => Json::Null,
        Kind::Symbol(word) => json!(word),
        Kind::Tuple(items) if items.is_empty() => json!({}),
        Kind::List(items) | Kind::Tuple(items) => items.iter().map(json_of).collect(),
        Kind::Struct(fields) => {
            Json::Object(fields.iter().map(|field| (field.name.to_owned(), json_of(&field.value))).collect())
        }
        Kind::Map(entries) => {
            Json::Object(entries.iter().map(|entry| (key_of(&entry.key), json_of(&entry.value))).collect())
        }
        Kind::Tagged(tag, content) => {
            let inside = match &content.kind {
                Kind::Tuple(items) => match items.as_slice() {
                    [] => return json!(tag),
                    [one] if *tag == "Some" => return json_of(one),
                    [one] => json_of(one),
                    several => several.iter().map(json_of).collect(),
                },
                _ => json_of(content),
            };
            Json::Object(Map::from_iter([((*tag).to_owned(), inside)]))
        }
    }
}

fn key_of(key: &Node<'_>) -> String {
    match &key.kind {
        Kind::Str(text) => text.clone().into_owned(),
        Kind::Symbol(word) => (*word).to_owned(),
        Kind::Tuple(items) | Kind::List(items) => items.iter().map(key_of).collect::<Vec<_>>().join(","),
        _ => json_of(key).to_string(),
    }
}

/// The schemas of the mirrors of every kind of file, by file name.
#[must_use]
pub fn schemas(vocabulary: &Vocabulary) -> Vec<(String, String)> {
    let kinds = [
        ("project", DocKind::Project),
        ("entities", DocKind::Entities),
        ("levels", DocKind::Level),
        ("regions", DocKind::Region),
        ("machines", DocKind::Machines),
        ("tilesets", DocKind::Tileset),
        ("tuning", DocKind::Tuning),
        ("scenarios", DocKind::Scenario),
        ("stamps", DocKind::Stamp),
        ("schemas", DocKind::Schema),
    ];
    let named = |(name, kind)| {
        let text = super::export::pretty(&super::codec::describe(kind, vocabulary));
        (format!("{name}.schema.json"), text)
    };
    kinds.into_iter().map(named).collect()
}
