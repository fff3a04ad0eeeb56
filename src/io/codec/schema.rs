//! `schemas/*.ron`, a game's and the built-in ones.

use indexmap::IndexMap;

use super::{
    Cx, Decode,
    cx::Record,
    record::{self, record},
};
use crate::{
    io::ron_text::{Kind, Node},
    model::{CallSpec, ComponentSpec, FieldSpec, FieldType, MessageSpec, Name, Schema},
};

record! {
    "a schema" Schema {
        "enums" enums = IndexMap::new(),
        "components" components = IndexMap::new(),
        "messages" messages = IndexMap::new(),
        "conditions" conditions = IndexMap::new(),
        "actions" actions = IndexMap::new(),
    }
}

record! {
    "a component's declaration" ComponentSpec {
        "doc" doc = String::new(),
        "fields" fields = IndexMap::new(),
        "deprecated" deprecated = None,
    }
}

record! {
    "a message's declaration" MessageSpec {
        "doc" doc = String::new(),
        "payload" payload = IndexMap::new(),
    }
}

record! {
    "a declaration" CallSpec {
        "doc" doc = String::new(),
        "args" args = IndexMap::new(),
        "deprecated" deprecated = None,
    }
}

impl record::Fields for FieldSpec {
    const WHAT: &'static str = "a field's declaration";

    fn keys(out: &mut Vec<&'static str>) {
        out.extend(["type", "default", "min", "max", "step", "unit", "doc", "tunable", "deprecated"]);
    }

    fn take<'t>(record: &mut Record<'_, 't>, cx: &mut Cx<'t>) -> Option<Self> {
        let ty = record.required("type", cx);
        // `default: None` is a value, that of an optional field; it does not mean that nothing is said.
        let default = record.get("default").map(|node| cx.value(node));
        let spec = Self {
            ty: FieldType::Any,
            default,
            min: record.or("min", cx, || None),
            max: record.or("max", cx, || None),
            step: record.or("step", cx, || None),
            unit: record.or("unit", cx, || None),
            doc: record.or("doc", cx, String::new),
            tunable: record.or("tunable", cx, || false),
            deprecated: record.or("deprecated", cx, || None),
        };
        Some(Self { ty: ty?, ..spec })
    }
}

impl<'t> Decode<'t> for FieldSpec {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        record::decode(node, cx)
    }
}

/// The types without content, with the words files use.
const PLAIN: [(&str, FieldType); 17] = [
    ("Bool", FieldType::Bool),
    ("Int", FieldType::Int),
    ("Float", FieldType::Float),
    ("Str", FieldType::Str),
    ("Vec2", FieldType::Vec2),
    ("Angle", FieldType::Angle),
    ("Color", FieldType::Color),
    ("Shape", FieldType::Shape),
    ("Def", FieldType::Def),
    ("Entity", FieldType::Entity),
    ("Machine", FieldType::Machine),
    ("Tileset", FieldType::Tileset),
    ("Tile", FieldType::Tile),
    ("Level", FieldType::Level),
    ("Image", FieldType::Image),
    ("Tunable", FieldType::Tunable),
    ("Any", FieldType::Any),
];

/// The types with content, with an example of each.
const NESTED: [(&str, &str); 6] = [
    ("Enum", "`Enum(\"Name\")`"),
    ("Flags", "`Flags(\"Name\")`"),
    ("List", "`List(Float)`"),
    ("Map", "`Map(Float)`"),
    ("Option", "`Option(Float)`"),
    ("Struct", "`Struct({\"name\": (type: Float)})`"),
];

impl<'t> Decode<'t> for FieldType {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        let (word, content) = match &node.kind {
            Kind::Symbol(word) => (*word, None),
            Kind::Tagged(word, content) => match &content.kind {
                Kind::Tuple(items) if items.len() == 1 => (*word, items.first()),
                _ => (*word, None),
            },
            _ => return cx.expected("a type, as `Float` or `List(Str)`", node),
        };
        if let Some((_, ty)) = PLAIN.iter().find(|(name, _)| *name == word) {
            return match node.kind {
                Kind::Symbol(_) => Some(ty.clone()),
                _ => cx.expected(&format!("the bare word `{word}`"), node),
            };
        }
        let range = (node.start as usize, node.start as usize + word.len());
        let Some((_, example)) = NESTED.iter().find(|(name, _)| *name == word) else {
            let words: Vec<&str> = PLAIN.iter().map(|(name, _)| *name).chain(NESTED.map(|(name, _)| name)).collect();
            return cx.unknown_word("type", word, range, &words);
        };
        let Some(content) = content else { return cx.expected(example, node) };
        Some(match word {
            "Enum" => Self::Enum(Name::decode(content, cx)?),
            "Flags" => Self::Flags(Name::decode(content, cx)?),
            "List" => Self::List(Box::new(Self::decode(content, cx)?)),
            "Map" => Self::Map(Box::new(Self::decode(content, cx)?)),
            "Option" => Self::Option(Box::new(Self::decode(content, cx)?)),
            _ => Self::Struct(Decode::decode(content, cx)?),
        })
    }
}
