//! `schemas/*.ron`, a game's and the built-in ones.

use indexmap::IndexMap;

use super::{
    Cx, Decode, Encode,
    cx::Record,
    describe::{self, Describe, Describer, Property},
    record::{self, record},
};
use crate::{
    io::ron_text::{Form, Kind, Node, Slot},
    model::{CallSpec, ComponentSpec, FieldSpec, FieldType, MessageSpec, Name, Schema, Value},
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
    "a component's declaration" ComponentSpec per line {
        "doc" doc = String::new(),
        "fields" fields = IndexMap::new(),
        "response" response = None,
        "deprecated" deprecated = None,
    }
}

record! {
    "a message's declaration" MessageSpec per line {
        "doc" doc = String::new(),
        "payload" payload = IndexMap::new(),
        "deprecated" deprecated = None,
    }
}

record! {
    "a declaration" CallSpec per line {
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

    fn describe_fields(out: &mut Describer<'_>, all: &mut Vec<Property>) {
        all.push(("type", <FieldType as Describe>::describe(out), true));
        all.push(("default", describe::of(|it: &Self| it.default.as_ref().unwrap_or(&Value::Bool(false)), out), false));
        for (name, schema) in [
            ("min", describe::of(|it: &Self| &it.min, out)),
            ("max", describe::of(|it: &Self| &it.max, out)),
            ("step", describe::of(|it: &Self| &it.step, out)),
            ("unit", describe::of(|it: &Self| &it.unit, out)),
            ("doc", describe::of(|it: &Self| &it.doc, out)),
            ("tunable", describe::of(|it: &Self| &it.tunable, out)),
            ("deprecated", describe::of(|it: &Self| &it.deprecated, out)),
        ] {
            all.push((name, schema, false));
        }
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

    fn put<'m>(&'m self, _: Option<&Self>, out: &mut Vec<Slot<'m>>) {
        fn optional<'m, T: Encode>(name: &'m str, value: &'m Option<T>) -> Slot<'m> {
            Slot { name, form: value.form(None), is_default: value.is_none() }
        }
        out.push(Slot::new("type", self.ty.form(None)));
        out.extend(self.default.as_ref().map(|value| Slot::new("default", Form::Value(value))));
        out.extend([optional("min", &self.min), optional("max", &self.max), optional("step", &self.step)]);
        out.push(optional("unit", &self.unit));
        out.push(Slot { name: "doc", form: self.doc.form(None), is_default: self.doc.is_empty() });
        out.push(Slot { name: "tunable", form: Form::Bool(self.tunable), is_default: !self.tunable });
        out.push(optional("deprecated", &self.deprecated));
    }
}

impl Describe for FieldSpec {
    fn describe(out: &mut Describer<'_>) -> serde_json::Value {
        describe::record::<Self>(out)
    }
}

impl Encode for FieldSpec {
    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        record::form(self, base)
    }
}

impl<'t> Decode<'t> for FieldSpec {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        record::decode(node, cx)
    }
}

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
        if let Some(ty) = Self::PLAIN.into_iter().find(|ty| ty.plain_word() == Some(word)) {
            return match node.kind {
                Kind::Symbol(_) => Some(ty),
                _ => cx.expected(&format!("the bare word `{word}`"), node),
            };
        }
        let range = (node.start as usize, node.start as usize + word.len());
        let Some((_, example)) = NESTED.iter().find(|(name, _)| *name == word) else {
            let plain = Self::PLAIN.iter().filter_map(Self::plain_word);
            let words: Vec<&str> = plain.chain(NESTED.map(|(name, _)| name)).collect();
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

impl Encode for FieldType {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        let (word, content) = match self {
            Self::Enum(name) => ("Enum", name.form(None)),
            Self::Flags(name) => ("Flags", name.form(None)),
            Self::List(ty) => ("List", ty.form(None)),
            Self::Map(ty) => ("Map", ty.form(None)),
            Self::Option(ty) => ("Option", ty.form(None)),
            Self::Struct(fields) => ("Struct", fields.form(None)),
            plain => return Form::Word(plain.plain_word().unwrap_or("Any")),
        };
        Form::Tagged(word, Box::new(Form::Tuple(vec![content])))
    }
}
