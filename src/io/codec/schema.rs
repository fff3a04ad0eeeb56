//! Types of fields, as `Float` or `List(Enum("Team"))`.

use indexmap::IndexMap;

use super::{Cx, Decode, Encode, read, write};
use crate::{
    io::ron_text::{Form, Kind, Node},
    model::{FieldSpec, FieldType, Name},
};

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
            _ => {
                let mut specs = IndexMap::<Name, FieldSpec>::new();
                if !read::read(content, &mut specs, cx) {
                    return None;
                }
                Self::Struct(specs)
            }
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
            Self::Struct(fields) => ("Struct", write::form(fields, None)),
            plain => return Form::Word(plain.plain_word().unwrap_or("Any")),
        };
        Form::Tagged(word, Box::new(Form::Tuple(vec![content])))
    }
}
