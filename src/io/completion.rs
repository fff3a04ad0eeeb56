//! The words of a project for the completion of text editors that know no RON: snippets for VS Code, a list for all
//! others.
//!
//! Invariant: both are made from the same declarations that files are checked by, and contain nothing else.

use serde_json::{Map, Value as Json, json};

use super::{
    export,
    mirror::{NameOf, Vocabulary},
};
use crate::model::{FieldSpec, FieldType, FieldsOf};

/// Snippets as `.vscode/*.code-snippets` holds them: components, fields with their defaults, calls with their
/// arguments, each with what it means; names of definitions, machines and so on.
#[must_use]
pub fn snippets(vocabulary: &Vocabulary) -> String {
    let mut out = Map::new();
    let mut add = |title: String, prefix: &str, body: String, about: String| {
        let snippet = json!({ "scope": "ron,plaintext", "prefix": prefix, "body": [body], "description": about });
        out.insert(title, snippet);
    };
    let schema = &vocabulary.schema;
    for (name, spec) in &schema.components {
        add(format!("component {name}"), name, format!("{name}: ($0)"), spec.doc.clone());
        for (field, spec) in &spec.fields {
            let body = format!("{field}: {}", blank(vocabulary, spec, 1));
            add(format!("{name}.{field}"), field, body, about(&format!("{name}.{field}"), spec));
        }
    }
    for of in FieldsOf::ALL {
        for (field, spec) in of.specs(schema) {
            let whole = format!("{}.{field}", of.noun());
            let body = format!("{field}: {}", blank(vocabulary, spec, 1));
            add(format!("{whole} field"), field, body, about(&whole, spec));
        }
    }
    for (calls, what) in [(&schema.actions, "action"), (&schema.conditions, "condition")] {
        for (name, spec) in calls {
            let args = spec.args.iter().zip(1..);
            let args: Vec<String> =
                args.map(|((arg, spec), i)| format!("{arg}: {}", blank(vocabulary, spec, i))).collect();
            let body = if args.is_empty() { name.to_string() } else { format!("{name}({})", args.join(", ")) };
            add(format!("{what} {name}"), name, body, spec.doc.clone());
        }
    }
    for (name, spec) in &schema.messages {
        add(format!("message {name}"), name, format!("\"{name}\""), spec.doc.clone());
    }
    for (of, names) in &vocabulary.names {
        for name in names {
            add(
                format!("{} {name}", noun(*of)),
                name,
                format!("\"{}\"", escaped(name)),
                format!("{} of the project", noun(*of)),
            );
        }
    }
    export::pretty(&Json::Object(out))
}

/// Every word and name, sorted, one a line: a dictionary for editors that complete from one.
#[must_use]
pub fn words(vocabulary: &Vocabulary) -> String {
    let schema = &vocabulary.schema;
    let mut all: Vec<&str> = Vec::new();
    let components = schema.components.iter();
    all.extend(components.flat_map(|(name, spec)| std::iter::once(name).chain(spec.fields.keys())).map(|name| &**name));
    let calls = schema.actions.iter().chain(&schema.conditions);
    all.extend(calls.flat_map(|(name, spec)| std::iter::once(name).chain(spec.args.keys())).map(|name| &**name));
    let messages = schema.messages.iter();
    all.extend(messages.flat_map(|(name, spec)| std::iter::once(name).chain(spec.payload.keys())).map(|name| &**name));
    all.extend(FieldsOf::ALL.into_iter().flat_map(|of| of.specs(schema).keys()).map(|name| &**name));
    all.extend(schema.enums.values().flatten().map(|word| &**word));
    all.extend(vocabulary.names.values().flatten().map(String::as_str));
    all.sort_unstable();
    all.dedup();
    all.into_iter().flat_map(|word| [word, "\n"]).collect()
}

fn noun(of: NameOf) -> &'static str {
    match of {
        NameOf::Def => "definition",
        NameOf::Machine => "machine",
        NameOf::Tileset => "tileset",
        NameOf::Tile => "tile",
        NameOf::Level => "level",
        NameOf::Tunable => "constant",
        NameOf::Image => "image",
        NameOf::Sound => "sound",
    }
}

/// A place to type a value in, filled with its default; a choice where there are words.
fn blank(vocabulary: &Vocabulary, spec: &FieldSpec, number: usize) -> String {
    let of_enum = |name: &str| vocabulary.schema.enums.get(name).filter(|words| !words.is_empty());
    match &spec.ty {
        FieldType::Bool => format!("${{{number}|true,false|}}"),
        FieldType::Enum(name) if of_enum(name).is_some() => {
            let words: Vec<&str> = of_enum(name).into_iter().flatten().map(|word| &**word).collect();
            format!("${{{number}|{}|}}", words.join(","))
        }
        _ => format!("${{{number}:{}}}", escaped(&spec.default_value().to_string())),
    }
}

/// Text inside a snippet: what would end a place is escaped.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('$', "\\$").replace('}', "\\}")
}

fn about(whole: &str, spec: &FieldSpec) -> String {
    let unit = spec.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let range = match (spec.min, spec.max) {
        (Some(min), Some(max)) => format!(", {min} to {max}{unit}"),
        (Some(min), None) => format!(", from {min}{unit}"),
        (None, Some(max)) => format!(", up to {max}{unit}"),
        (None, None) => unit,
    };
    let doc = if spec.doc.is_empty() { String::new() } else { format!(": {}", spec.doc) };
    let why = spec.deprecated.as_ref().map(|why| format!(" Deprecated: {why}")).unwrap_or_default();
    format!("{whole}, {}{range}{doc}{why}", spec.ty.describe())
}
