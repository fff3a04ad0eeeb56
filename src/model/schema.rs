//! The vocabulary: which components, enums, messages, conditions and actions exist, and what type each field has.
//! Built-in schemas and a game's own are the same data; nothing in the program enumerates them.

use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    Call, FieldsOf, Name, Value, advice,
    reflect::{Names, describe},
    shortened,
};

describe! {
    /// Declarations of one schema file, or of several merged.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct Schema: "a schema" {
        /// Enum and flag types: their values in order.
        pub enums: IndexMap<Name, Vec<Name>> = IndexMap::new(),
        /// What entities are made of.
        pub components: IndexMap<Name, ComponentSpec> = IndexMap::new() => declares_keys(&FieldType::Component),
        /// Messages that machines can receive.
        pub messages: IndexMap<Name, MessageSpec> = IndexMap::new(),
        /// What machines can ask.
        pub conditions: IndexMap<Name, CallSpec> = IndexMap::new(),
        /// What machines can do.
        pub actions: IndexMap<Name, CallSpec> = IndexMap::new(),
        /// Custom fields of every level.
        #[serde(default)]
        pub level_fields: IndexMap<Name, FieldSpec> = IndexMap::new(),
        /// Custom fields of every layer.
        #[serde(default)]
        pub layer_fields: IndexMap<Name, FieldSpec> = IndexMap::new(),
        /// Custom fields of every tile.
        #[serde(default)]
        pub tile_fields: IndexMap<Name, FieldSpec> = IndexMap::new(),
    }
}

describe! {
    /// A component's declaration.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct ComponentSpec: "a component's declaration" => own_line() {
        /// What it is for.
        pub doc: String = String::new(),
        /// Its fields in the order people want to see them.
        pub fields: IndexMap<Name, FieldSpec> = IndexMap::new(),
        /// What it smooths, to be plotted beside its fields: a call such as `Damping(rate: "damping")`.
        #[serde(default)]
        pub response: Option<Call> = None => holds(Names::Response),
        /// The components without which it does nothing.
        #[serde(default)]
        pub needs: Vec<Name> = Vec::new() => names(&FieldType::Component),
        /// Why it should no longer be used.
        pub deprecated: Option<String> = None,
    }
}

describe! {
    /// A message's declaration.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct MessageSpec: "a message's declaration" => own_line() {
        /// When it is sent, or what it asks for.
        pub doc: String = String::new(),
        /// What travels with it.
        pub payload: IndexMap<Name, FieldSpec> = IndexMap::new(),
        /// Why it should no longer be used.
        pub deprecated: Option<String> = None,
    }
}

describe! {
    /// The declaration of a condition or an action.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct CallSpec: "a declaration" => own_line() {
        /// What it asks or does.
        pub doc: String = String::new(),
        /// Its arguments by name.
        pub args: IndexMap<Name, FieldSpec> = IndexMap::new(),
        /// Why it should no longer be used.
        pub deprecated: Option<String> = None,
    }
}

describe! {
    /// A field's declaration.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct FieldSpec: "a field's declaration" {
        /// What values it takes. Written `type` in files.
        pub ty: FieldType => key("type"),
        /// Its value where no definition declares one. If left out, the default of the type.
        pub default: Option<Value> = None => absent() holds(Names::ValueOf("type")),
        /// Smallest number allowed.
        pub min: Option<f64> = None,
        /// Largest number allowed.
        pub max: Option<f64> = None,
        /// What one notch of a drag or spin changes.
        pub step: Option<f64> = None,
        /// Shown after the number.
        pub unit: Option<String> = None,
        /// What it means.
        pub doc: String = String::new(),
        /// Listed on the tuning page.
        pub tunable: bool = false,
        /// Text of several lines.
        #[serde(default)]
        pub lines: bool = false,
        /// How levels show it at placed entities.
        #[serde(default)]
        pub canvas: Option<OnCanvas> = None,
        /// The pair beside it by which its origin is moved from that of the entity.
        #[serde(default)]
        pub at: Option<Name> = None => holds(Names::FieldBeside),
        /// Why it should no longer be used.
        pub deprecated: Option<String> = None,
    }
}

describe! {
    /// How the canvas of a level shows a field of a placed entity.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum OnCanvas: words "way to show a field on the canvas" {
        /// Points, as lines from each to the next.
        #[default]
        Path,
        /// Points, as the outline of an area; a shape, also where its entity is not selected.
        Outline,
        /// Text, written below the entity.
        Text,
        /// A pair, as width and height of a rectangle around the entity.
        Size,
    }
}

impl OnCanvas {
    /// Whether values of a type can be shown so.
    #[must_use]
    pub fn fits(self, ty: &FieldType) -> bool {
        match (self, ty) {
            (_, FieldType::Option(inner)) => self.fits(inner),
            (Self::Path | Self::Outline, FieldType::List(item)) => **item == FieldType::Vec2,
            (Self::Outline, FieldType::Shape) | (Self::Text, FieldType::Str) | (Self::Size, FieldType::Vec2) => true,
            _ => false,
        }
    }
}

impl FieldSpec {
    /// A field of a type, with everything else left out.
    #[must_use]
    pub fn of(ty: FieldType) -> Self {
        Self {
            ty,
            default: None,
            min: None,
            max: None,
            step: None,
            unit: None,
            doc: String::new(),
            tunable: false,
            lines: false,
            canvas: None,
            at: None,
            deprecated: None,
        }
    }

    /// Whether a pair beside it can move it: it is a shape or a list of points.
    #[must_use]
    pub fn can_be_moved(&self) -> bool {
        let content = self.ty.content();
        *content == FieldType::Shape || OnCanvas::Path.fits(content)
    }

    /// The declared default, or the type's own.
    #[must_use]
    pub fn default_value(&self) -> Value {
        self.default.clone().unwrap_or_else(|| self.ty.default_value())
    }
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum FieldType {
    /// `true` or `false`
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// Text.
    Str,
    /// `(x, y)`
    Vec2,
    /// Degrees in files.
    Angle,
    /// `"#rrggbb"` or `"#rrggbbaa"`
    Color,
    /// One word of an enum.
    Enum(Name),
    /// A list of words of an enum, each at most once.
    Flags(Name),
    /// Any number of values of one type.
    List(Box<FieldType>),
    /// Values of one type by string key.
    Map(Box<FieldType>),
    /// Named fields.
    Struct(IndexMap<Name, FieldSpec>),
    /// A value or `None`.
    Option(Box<FieldType>),
    /// `Box((w, h))`, `Circle(r)`, `Capsule(radius, height)`, `Polygon([(x, y), …])`
    Shape,
    /// The name of an entity definition.
    Def,
    /// The id of a placed entity in the level.
    Entity,
    /// The name of a machine.
    Machine,
    /// The name of a tileset.
    Tileset,
    /// A tile, as `"tileset/name"`.
    Tile,
    /// The name of a level.
    Level,
    /// A PNG inside the project.
    Image,
    /// A WAV or OGG Vorbis file inside the project.
    Sound,
    /// A constant of a tuning page, as `"Page.name"`.
    Tunable,
    /// A tag of entities, tiles and waypoints.
    Tag,
    /// A target: an id, a definition, `def:…`, `tag:…`, or a tag.
    Target,
    /// A layer of waypoints, or `layer/tag` for those of its nodes that carry a tag.
    Layer,
    /// A message.
    Message,
    /// A component.
    Component,
    /// A field, as `Component.field`, or a constant, as `Page.name`.
    Field,
    /// A state of the machine that another argument names, else of the machine it stands in.
    State,
    /// Whatever the place where it is used asks for: the payload of the message, or a value of the field, that another
    /// argument names.
    Any,
}

impl FieldType {
    /// Of an option the type of what it holds, else itself.
    #[must_use]
    pub fn content(&self) -> &Self {
        if let Self::Option(inner) = self { inner } else { self }
    }
}

/// As files write it: `Float`, `List(Enum("Team"))`; the fields of a struct are left out.
impl fmt::Display for FieldType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Enum(name) => write!(f, "Enum({:?})", &**name),
            Self::Flags(name) => write!(f, "Flags({:?})", &**name),
            Self::List(ty) => write!(f, "List({ty})"),
            Self::Map(ty) => write!(f, "Map({ty})"),
            Self::Option(ty) => write!(f, "Option({ty})"),
            Self::Struct(_) => f.write_str("Struct({…})"),
            plain => f.write_str(plain.plain_word().unwrap_or_default()),
        }
    }
}

impl FieldType {
    /// The types that hold no other.
    pub const PLAIN: [Self; 25] = [
        Self::Bool,
        Self::Int,
        Self::Float,
        Self::Str,
        Self::Vec2,
        Self::Angle,
        Self::Color,
        Self::Shape,
        Self::Def,
        Self::Entity,
        Self::Machine,
        Self::Tileset,
        Self::Tile,
        Self::Level,
        Self::Image,
        Self::Sound,
        Self::Tunable,
        Self::Tag,
        Self::Target,
        Self::Layer,
        Self::Message,
        Self::Component,
        Self::Field,
        Self::State,
        Self::Any,
    ];

    /// Whether any text is a valid value of this type. Rules of their own check what the text names or targets.
    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(
            self,
            Self::Str
                | Self::Tag
                | Self::Target
                | Self::Layer
                | Self::Message
                | Self::Component
                | Self::Field
                | Self::State
        )
    }

    /// Whether values of this type are names of things: definitions, placed entities, files, constants.
    #[must_use]
    pub fn is_reference(&self) -> bool {
        matches!(
            self,
            Self::Def
                | Self::Entity
                | Self::Machine
                | Self::Tileset
                | Self::Tile
                | Self::Level
                | Self::Image
                | Self::Sound
                | Self::Tunable
        )
    }

    /// The word for a type that holds no other.
    #[must_use]
    pub fn plain_word(&self) -> Option<&'static str> {
        Some(match self {
            Self::Bool => "Bool",
            Self::Int => "Int",
            Self::Float => "Float",
            Self::Str => "Str",
            Self::Vec2 => "Vec2",
            Self::Angle => "Angle",
            Self::Color => "Color",
            Self::Shape => "Shape",
            Self::Def => "Def",
            Self::Entity => "Entity",
            Self::Machine => "Machine",
            Self::Tileset => "Tileset",
            Self::Tile => "Tile",
            Self::Level => "Level",
            Self::Image => "Image",
            Self::Sound => "Sound",
            Self::Tunable => "Tunable",
            Self::Tag => "Tag",
            Self::Target => "Target",
            Self::Layer => "Layer",
            Self::Message => "Message",
            Self::Component => "Component",
            Self::Field => "Field",
            Self::State => "State",
            Self::Any => "Any",
            Self::Enum(_) | Self::Flags(_) | Self::List(_) | Self::Map(_) | Self::Option(_) | Self::Struct(_) => {
                return None;
            }
        })
    }

    /// The value of this type that means least.
    #[must_use]
    pub fn default_value(&self) -> Value {
        match self {
            Self::Bool => Value::Bool(false),
            Self::Int => Value::Int(0),
            Self::Float | Self::Angle => Value::Float(0.0),
            Self::Vec2 => Value::vec2(0.0, 0.0),
            Self::Color => Value::str("#ffffff"),
            Self::Enum(_) | Self::Option(_) => Value::Symbol("None".into()),
            Self::Flags(_) | Self::List(_) => Value::List(Vec::new()),
            Self::Map(_) => Value::Map(Vec::new()),
            Self::Struct(fields) => {
                Value::Struct(fields.iter().map(|(name, spec)| (name.clone(), spec.default_value())).collect())
            }
            Self::Shape => Value::Tagged("Box".into(), Box::new(Value::Tuple(vec![Value::vec2(16.0, 16.0)]))),
            Self::Any => Value::Tuple(Vec::new()),
            Self::Str
            | Self::Def
            | Self::Entity
            | Self::Machine
            | Self::Tileset
            | Self::Tile
            | Self::Level
            | Self::Image
            | Self::Sound
            | Self::Tunable
            | Self::Tag
            | Self::Target
            | Self::Layer
            | Self::Message
            | Self::Component
            | Self::Field
            | Self::State => Value::str(""),
        }
    }

    /// Whether `scale` and `add` make sense.
    #[must_use]
    pub fn is_number(&self) -> bool {
        matches!(self, Self::Int | Self::Float | Self::Angle)
    }

    /// The type in plain words: `a number`, `one of Team`.
    #[must_use]
    pub fn describe(&self) -> String {
        match self {
            Self::Bool => "true or false".into(),
            Self::Int => "a whole number".into(),
            Self::Float => "a number".into(),
            Self::Str => "a string".into(),
            Self::Vec2 => "a pair of numbers `(x, y)`".into(),
            Self::Angle => "an angle in degrees".into(),
            Self::Color => "a color `\"#rrggbb\"`".into(),
            Self::Enum(name) => format!("a value of {name}"),
            Self::Flags(name) => format!("a list of values of {name}"),
            Self::List(ty) => format!("a list of {}", ty.describe()),
            Self::Map(ty) => format!("a map of {}", ty.describe()),
            Self::Struct(_) => "a struct".into(),
            Self::Option(ty) => format!("{} or None", ty.describe()),
            Self::Shape => "a shape: Box, Circle, Capsule or Polygon".into(),
            Self::Def => "the name of a definition".into(),
            Self::Entity => "the id of a placed entity".into(),
            Self::Machine => "the name of a machine".into(),
            Self::Tileset => "the name of a tileset".into(),
            Self::Tile => "a tile `\"tileset/name\"`".into(),
            Self::Level => "the name of a level".into(),
            Self::Image => "an image file of the project".into(),
            Self::Sound => "a sound file of the project".into(),
            Self::Tunable => "a constant `\"Page.name\"`".into(),
            Self::Tag => "a tag".into(),
            Self::Target => "who is meant: an id, a definition or a tag".into(),
            Self::Layer => "the name of a layer of waypoints".into(),
            Self::Message => "the name of a message".into(),
            Self::Component => "the name of a component".into(),
            Self::Field => "a field `\"Component.field\"`".into(),
            Self::State => "the name of a state".into(),
            Self::Any => "any value".into(),
        }
    }
}

/// In what way a value does not fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum TypeErrorKind {
    /// Not of the type.
    WrongType,
    /// A struct's field that is not declared.
    UnknownField,
    /// A number below the smallest or above the largest allowed.
    OutOfRange,
}

impl TypeErrorKind {
    /// The rule a finding about it carries.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::WrongType => "wrong-type",
            Self::UnknownField => "unknown-field",
            Self::OutOfRange => "out-of-range",
        }
    }
}

/// Why a value does not fit a type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypeError {
    /// In what way.
    pub kind: TypeErrorKind,
    /// Where inside the value.
    pub path: super::FieldPath,
    /// What is wrong and what was expected.
    pub message: String,
    /// What would help.
    pub help: Option<String>,
    /// Whether the value can still be used: a number out of range can, a string for a number cannot.
    pub usable: bool,
}

impl Schema {
    /// Add the declarations of `other`; where both declare a thing, fields are merged and `other` wins.
    pub fn merge(&mut self, other: &Self) {
        for (name, words) in &other.enums {
            self.enums.insert(name.clone(), words.clone());
        }
        for (name, spec) in &other.components {
            let mine = self.components.entry(name.clone()).or_default();
            if !spec.doc.is_empty() {
                mine.doc.clone_from(&spec.doc);
            }
            mine.deprecated.clone_from(&spec.deprecated);
            if !spec.needs.is_empty() {
                mine.needs.clone_from(&spec.needs);
            }
            if spec.response.is_some() {
                mine.response.clone_from(&spec.response);
            }
            mine.fields.extend(spec.fields.iter().map(|(name, spec)| (name.clone(), spec.clone())));
        }
        self.messages.extend(other.messages.iter().map(|(name, spec)| (name.clone(), spec.clone())));
        self.conditions.extend(other.conditions.iter().map(|(name, spec)| (name.clone(), spec.clone())));
        self.actions.extend(other.actions.iter().map(|(name, spec)| (name.clone(), spec.clone())));
        for of in FieldsOf::ALL {
            of.specs_mut(self).extend(of.specs(other).iter().map(|(name, spec)| (name.clone(), spec.clone())));
        }
    }

    /// The declaration of `component.field`.
    #[must_use]
    pub fn field(&self, component: &str, field: &str) -> Option<&FieldSpec> {
        self.components.get(component)?.fields.get(field)
    }

    /// Everything about `value` that does not fit `spec`; empty when it fits. References to definitions, machines and
    /// files are checked for their type only: whether they exist is not known here.
    #[must_use]
    pub fn type_errors(&self, spec: &FieldSpec, value: &Value) -> Vec<TypeError> {
        let mut out = Vec::new();
        self.fit(&spec.ty, value, &super::FieldPath::root(), &mut out);
        let outside = if out.is_empty() { super::outside(value, spec.min, spec.max) } else { None };
        out.extend(outside.map(|outside| TypeError::range(out_of_range(spec, value, outside))));
        out
    }

    fn fit(&self, ty: &FieldType, value: &Value, path: &super::FieldPath, out: &mut Vec<TypeError>) {
        let mut wrong = |help: Option<String>| {
            out.push(TypeError {
                kind: TypeErrorKind::WrongType,
                path: path.clone(),
                message: format!("expected {}, found {} `{}`", ty.describe(), value.kind(), shorten(value)),
                help,
                usable: false,
            });
        };
        match (ty, value) {
            (FieldType::Any, _)
            | (FieldType::Bool, Value::Bool(_))
            | (FieldType::Int, Value::Int(_))
            | (FieldType::Float | FieldType::Angle, Value::Int(_) | Value::Float(_))
            | (FieldType::Str, Value::Str(_)) => {}
            (ty, Value::Str(_)) if ty.is_reference() || ty.is_text() => {}
            (FieldType::Vec2, _) if value.as_vec2().is_some() => {}
            (FieldType::Color, Value::Str(text)) if parse_color(text).is_some() => {}
            (FieldType::Enum(name), Value::Symbol(word)) => {
                let words = self.enums.get(name).map_or(&[][..], Vec::as_slice);
                if !words.contains(word) {
                    wrong(advice(word, "one of", words.iter().map(|w| &**w)));
                }
            }
            (FieldType::Enum(name), Value::Str(word)) => {
                let known = self.enums.get(name).is_some_and(|words| words.iter().any(|w| **w == **word));
                wrong(known.then(|| format!("enum values are bare: write `{word}` without quotes")));
            }
            (FieldType::Flags(name), Value::List(items)) => {
                let item_ty = FieldType::Enum(name.clone());
                for (i, item) in items.iter().enumerate() {
                    self.fit(&item_ty, item, &path.index(i), out);
                }
            }
            (FieldType::List(item_ty), Value::List(items)) => {
                for (i, item) in items.iter().enumerate() {
                    self.fit(item_ty, item, &path.index(i), out);
                }
            }
            (FieldType::Map(item_ty), Value::Map(entries)) => {
                if entries.iter().any(|(key, _)| !matches!(key, Value::Str(_))) {
                    wrong(Some("keys are strings".into()));
                }
                for (key, item) in entries {
                    if let Value::Str(key) = key {
                        self.fit(item_ty, item, &path.key(key), out);
                    }
                }
            }
            (FieldType::Struct(_), Value::Tuple(items)) if items.is_empty() => {}
            (FieldType::Struct(specs), Value::Struct(fields)) => {
                for (name, item) in fields {
                    match specs.get(name) {
                        Some(spec) => {
                            let inner = self.type_errors(spec, item);
                            out.extend(inner.into_iter().map(|type_error| TypeError {
                                path: path.key(name).join(&type_error.path),
                                ..type_error
                            }));
                        }
                        None => out.push(TypeError {
                            kind: TypeErrorKind::UnknownField,
                            path: path.key(name),
                            message: format!("there is no field `{name}` here"),
                            help: advice(name, "there are", specs.keys().map(|k| &**k)),
                            usable: false,
                        }),
                    }
                }
            }
            (FieldType::Option(_), Value::Symbol(word)) if &**word == "None" => {}
            (FieldType::Option(inner), _) => {
                if let Some(content) = value.as_option() {
                    self.fit(inner, content, path, out);
                }
            }
            (FieldType::Shape, Value::Tagged(..)) => {
                if let Err(why) = super::Shape::from_value(value) {
                    wrong(Some(why));
                }
            }
            _ => wrong(None),
        }
    }
}

impl TypeError {
    fn range(message: String) -> Self {
        Self { kind: TypeErrorKind::OutOfRange, path: super::FieldPath::root(), message, help: None, usable: true }
    }
}

/// What is wrong with a value that has a number outside the range of its field.
fn out_of_range(spec: &FieldSpec, value: &Value, outside: super::Outside) -> String {
    let unit = spec.unit.as_deref().map(|unit| format!(" {unit}")).unwrap_or_default();
    let is_number = value.as_option().unwrap_or(value).as_f64().is_some();
    match (outside, spec.min, spec.max) {
        (super::Outside::Below, Some(min), _) if is_number => {
            format!("{value}{unit} is below the smallest allowed, {min}{unit}")
        }
        (super::Outside::Above, _, Some(max)) if is_number => {
            format!("{value}{unit} is above the largest allowed, {max}{unit}")
        }
        (_, min, max) => {
            let each = if super::Shape::from_value(value).is_ok() { "measure" } else { "number" };
            let limits = match (min, max) {
                (Some(min), Some(max)) => format!("from {min} to {max}"),
                (Some(min), None) => format!("at least {min}"),
                (None, Some(max)) => format!("at most {max}"),
                (None, None) => "within its range".to_owned(),
            };
            format!("each {each} of {} is {limits}{unit}", shorten(value))
        }
    }
}

fn shorten(value: &Value) -> String {
    shortened(&value.to_string(), 40)
}

/// `"#rrggbb"` or `"#rrggbbaa"` as red, green, blue, alpha.
#[must_use]
pub fn parse_color(text: &str) -> Option<[u8; 4]> {
    let hex = text.strip_prefix('#')?;
    if !hex.is_ascii() || !matches!(hex.len(), 6 | 8) {
        return None;
    }
    let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    Some([byte(0)?, byte(2)?, byte(4)?, if hex.len() == 8 { byte(6)? } else { 255 }])
}

/// A color as files have it: `#rrggbb`, or `#rrggbbaa` where something shows through.
#[must_use]
pub fn color_text([r, g, b, a]: [u8; 4]) -> String {
    let alpha = if a == u8::MAX { String::new() } else { format!("{a:02x}") };
    format!("#{r:02x}{g:02x}{b:02x}{alpha}")
}
