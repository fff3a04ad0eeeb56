//! What names are: their kinds, a use of one, and where a value of a type holds any.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::model::{FieldPath, FieldType, Seg, Value};

/// A kind of name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RefKind {
    /// An entity definition.
    Def,
    /// A machine.
    Machine,
    /// A tileset; tiles are written with its name.
    Tileset,
    /// A tile, as `tileset/name`.
    Tile,
    /// A level.
    Level,
    /// A constant, as `Page.name`.
    Tunable,
    /// A page of constants.
    Page,
    /// A word of an enum, as `Enum.Word`.
    Word,
    /// A tag of entities, tiles and waypoints.
    Tag,
    /// A layer of waypoints.
    Layer,
    /// A component.
    Component,
    /// A field of a component, as `Component.field`.
    Field,
    /// A message.
    Message,
    /// What travels with a message, as `Message.field`.
    Payload,
    /// An action.
    Action,
    /// An argument of an action, as `Action.argument`.
    ActionArg,
    /// A condition.
    Condition,
    /// An argument of a condition, as `Condition.argument`.
    ConditionArg,
    /// A custom field of levels, layers or tiles, as `level.field`.
    CustomField,
}

impl RefKind {
    /// What such a thing is called.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Def => "definition",
            Self::Machine => "machine",
            Self::Tileset => "tileset",
            Self::Tile => "tile",
            Self::Level => "level",
            Self::Tunable => "constant",
            Self::Page => "page",
            Self::Word => "word",
            Self::Tag => "tag",
            Self::Layer => "layer",
            Self::Component => "component",
            Self::Field | Self::CustomField => "field",
            Self::Message => "message",
            Self::Payload => "payload field",
            Self::Action => "action",
            Self::Condition => "condition",
            Self::ActionArg | Self::ConditionArg => "argument",
        }
    }

    /// What a name of the kind is of, and its own part: `Team` and `Wild` of `Team.Wild`.
    #[must_use]
    pub fn parts(self, name: &str) -> (&str, &str) {
        let by = match self {
            Self::Tile => '/',
            Self::Tunable
            | Self::Word
            | Self::Field
            | Self::Payload
            | Self::ActionArg
            | Self::ConditionArg
            | Self::CustomField => '.',
            _ => return ("", name),
        };
        name.split_once(by).unwrap_or(("", name))
    }
}

/// How a name is written where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// As it is.
    Plain,
    /// A bare word in the brackets of an entry of `remove`.
    Bare,
    /// Between quotation marks in an entry of `remove`.
    Quoted,
}

/// A name where it is used.
#[derive(Debug)]
pub struct Use<'u> {
    /// The kind of thing it names.
    pub kind: RefKind,
    /// What the thing is of, as [`RefKind::parts`] has it.
    pub of: &'u str,
    /// Its own name.
    pub name: &'u str,
    /// Which bytes of the text there are the name.
    pub part: Range<usize>,
    /// How it is written there.
    pub spelling: Spelling,
    /// Whether it certainly is this name; `false` if the text may name something else that takes precedence.
    pub is_sure: bool,
    /// The way into the document.
    pub path: &'u FieldPath,
    /// Whether it is the key at the end of the way, and not the value.
    pub at_key: bool,
}

/// Call `meet` for every leaf of a value: its type, the part, its path.
pub fn leaves<'v>(
    ty: &'v FieldType,
    value: &'v Value,
    path: &mut FieldPath,
    meet: &mut dyn FnMut(&'v FieldType, &'v Value, &FieldPath),
) {
    let mut inside = |ty: &'v FieldType, value: &'v Value, seg: Seg| {
        path.0.push(seg);
        leaves(ty, value, path, meet);
        path.0.pop();
    };
    match (ty, value) {
        (FieldType::List(item), Value::List(items) | Value::Tuple(items)) => {
            items.iter().enumerate().for_each(|(i, value)| inside(item, value, Seg::Index(i)));
        }
        (FieldType::Map(item), Value::Map(entries)) => {
            for (key, value) in entries {
                inside(item, value, Seg::Key(key.as_str().unwrap_or_default().into()));
            }
        }
        (FieldType::Map(item), Value::Struct(fields)) => {
            fields.iter().for_each(|(name, value)| inside(item, value, Seg::Key(name.clone())));
        }
        (FieldType::Struct(specs), Value::Struct(fields)) => {
            for (name, value) in fields {
                if let Some(spec) = specs.get(name) {
                    inside(&spec.ty, value, Seg::Key(name.clone()));
                }
            }
        }
        (FieldType::Option(_), none) if none.is_none() => {}
        // `Some` is no step of the way.
        (FieldType::Option(inner), _) => leaves(inner, value.as_option().unwrap_or(value), path, meet),
        _ => meet(ty, value, path),
    }
}
