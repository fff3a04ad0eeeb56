//! A dynamic value, as in a data file. It keeps what text can express and no more; what a value *means* is
//! decided by the schema's [`FieldType`](super::FieldType), elsewhere.

use std::fmt;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{FieldPath, Name, Seg};

/// Fields by name, in the order they were written.
pub type Fields = IndexMap<Name, Value>;

/// One value of a data file.
///
/// Invariant: every float is finite; the reader refuses NaN and infinity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// `true`, `false`
    Bool(bool),
    /// `12`, `-3`, `0x10`
    Int(i64),
    /// `1.5`
    Float(f64),
    /// `"text"`
    Str(String),
    /// A bare word: `Dynamic`, `None`.
    Symbol(Name),
    /// `[1, 2]`
    List(Vec<Value>),
    /// `(1.0, 2.0)`; also `()`, when empty.
    Tuple(Vec<Value>),
    /// `(a: 1, b: 2)`
    Struct(Fields),
    /// `{"a": 1}`, keys of any kind, in written order and without duplicates.
    Map(Vec<(Value, Value)>),
    /// A word with content: `Some(1)`, `Circle(radius: 4.0)`. The content is a [`Value::Tuple`] or a [`Value::Struct`].
    Tagged(Name, Box<Value>),
}

impl Value {
    /// A number of either spelling.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            #[expect(clippy::cast_precision_loss, reason = "data is written as numbers people read")]
            Self::Int(i) => Some(*i as f64),
            Self::Float(f) => Some(*f),
            _ => None,
        }
    }

    /// A whole number; a float counts when it is whole.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int(i) => Some(*i),
            #[expect(clippy::cast_possible_truncation, reason = "checked to be whole and within 2^53")]
            Self::Float(f) if f.fract() == 0.0 && f.abs() < 9.0e15 => Some(*f as i64),
            _ => None,
        }
    }

    /// `true` or `false`.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(b) = self { Some(*b) } else { None }
    }

    /// The text of a string or of a bare word.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Str(s) => Some(s),
            Self::Symbol(s) => Some(s),
            _ => None,
        }
    }

    /// The elements of a list or tuple.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Self::List(items) | Self::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// Two numbers: `(1.0, 2.0)`.
    #[must_use]
    pub fn as_vec2(&self) -> Option<[f64; 2]> {
        match self.as_list()? {
            [x, y] => Some([x.as_f64()?, y.as_f64()?]),
            _ => None,
        }
    }

    /// The points of a list of pairs: `[(1.0, 2.0), (3.0, 4.0)]`.
    #[must_use]
    pub fn as_points(&self) -> Option<Vec<[f64; 2]>> {
        if let Self::List(items) = self { items.iter().map(Self::as_vec2).collect() } else { None }
    }

    /// The named fields of a struct; `()` is a struct without fields.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&Value> {
        match self {
            Self::Struct(fields) => fields.get(name),
            Self::Map(entries) => entries.iter().find(|(key, _)| key.as_str() == Some(name)).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The part at the end of a path; a path leads through what is inside a tag.
    #[must_use]
    pub fn at(&self, path: &FieldPath) -> Option<&Value> {
        path.0.iter().try_fold(self, |value, seg| match (seg, value) {
            (Seg::Key(key), _) => value.field(key),
            (Seg::Index(index), Value::Tagged(_, content)) => content.as_list()?.get(*index),
            (Seg::Index(index), _) => value.as_list()?.get(*index),
        })
    }

    /// `None` as a bare word.
    #[must_use]
    pub fn is_none(&self) -> bool {
        matches!(self, Self::Symbol(s) if &**s == "None")
    }

    /// What is inside `Some(…)`, the value itself when it is neither `Some` nor `None`, nothing for `None`.
    #[must_use]
    pub fn as_option(&self) -> Option<&Value> {
        match self {
            Self::Tagged(tag, content) if &**tag == "Some" => match &**content {
                Self::Tuple(items) => items.first(),
                other => Some(other),
            },
            _ if self.is_none() => None,
            _ => Some(self),
        }
    }

    /// Of the content of a word, as of `Some((a: 1))`, what a step leads into: the one value there is, unless the step
    /// says itself which.
    pub fn inside(&mut self, seg: &Seg) -> &mut Self {
        if matches!((&*self, seg), (Self::Tuple(items), Seg::Key(_)) if items.len() == 1)
            && let Self::Tuple(items) = self
        {
            return &mut items[0];
        }
        self
    }

    /// The same, as `remove` names it: words match with or without quotes and numbers in either spelling, inside too.
    #[must_use]
    pub fn is_like(&self, other: &Self) -> bool {
        let all = |a: &[Self], b: &[Self]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_like(b));
        match (self, other) {
            (Self::List(a), Self::List(b)) | (Self::Tuple(a), Self::Tuple(b)) => all(a, b),
            (Self::Struct(a), Self::Struct(b)) => {
                a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| a.is_like(b)))
            }
            (Self::Map(a), Self::Map(b)) => {
                let is_in = |(key, a): &(Self, Self)| b.iter().any(|(k, b)| key.is_like(k) && a.is_like(b));
                a.len() == b.len() && a.iter().all(is_in)
            }
            (Self::Tagged(a, inside), Self::Tagged(b, other)) => a == b && inside.is_like(other),
            _ => {
                self == other
                    || matches!((self.as_str(), other.as_str()), (Some(a), Some(b)) if a == b)
                    || matches!((self.as_f64(), other.as_f64()), (Some(a), Some(b)) if a == b)
            }
        }
    }

    /// `(x, y)`.
    #[must_use]
    pub fn vec2(x: f64, y: f64) -> Self {
        Self::Tuple(vec![Self::Float(x), Self::Float(y)])
    }

    /// `[(x, y), …]`.
    #[must_use]
    pub fn points(points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Self::List(points.into_iter().map(|[x, y]| Self::vec2(x, y)).collect())
    }

    /// A string.
    #[must_use]
    pub fn str(text: impl Into<String>) -> Self {
        Self::Str(text.into())
    }

    /// What sort of thing this is, for messages: `a number`, `a list`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Bool(_) => "true or false",
            Self::Int(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Str(_) => "a string",
            Self::Symbol(_) => "a bare word",
            Self::List(_) => "a list",
            Self::Tuple(_) => "a tuple",
            Self::Struct(_) => "a struct",
            Self::Map(_) => "a map",
            Self::Tagged(..) => "a tagged value",
        }
    }
}

/// The value as one line of RON, floats with a dot.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(b) => write!(f, "{b}"),
            Self::Int(i) => write!(f, "{i}"),
            Self::Float(x) => f.write_str(&float_text(*x)),
            Self::Str(s) => write_str(f, s),
            Self::Symbol(s) => f.write_str(s),
            Self::List(items) => {
                f.write_str("[")?;
                write_items(f, items)?;
                f.write_str("]")
            }
            Self::Tuple(_) | Self::Struct(_) => {
                f.write_str("(")?;
                write_content(f, self)?;
                f.write_str(")")
            }
            Self::Map(entries) => {
                f.write_str("{")?;
                for (i, (key, value)) in entries.iter().enumerate() {
                    write!(f, "{}{key}: {value}", if i > 0 { ", " } else { "" })?;
                }
                f.write_str("}")
            }
            Self::Tagged(tag, content) => {
                write!(f, "{tag}(")?;
                write_content(f, content)?;
                f.write_str(")")
            }
        }
    }
}

fn write_content(f: &mut fmt::Formatter<'_>, value: &Value) -> fmt::Result {
    match value {
        Value::Tuple(items) => write_items(f, items),
        Value::Struct(fields) => {
            for (i, (name, value)) in fields.iter().enumerate() {
                write!(f, "{}{name}: {value}", if i > 0 { ", " } else { "" })?;
            }
            Ok(())
        }
        other => write!(f, "{other}"),
    }
}

fn write_items(f: &mut fmt::Formatter<'_>, items: &[Value]) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        write!(f, "{}{item}", if i > 0 { ", " } else { "" })?;
    }
    Ok(())
}

fn write_str(f: &mut fmt::Formatter<'_>, s: &str) -> fmt::Result {
    f.write_str("\"")?;
    for c in s.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            c if c.is_control() => write!(f, "\\u{{{:x}}}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

impl From<f64> for Value {
    fn from(x: f64) -> Self {
        Self::Float(x)
    }
}
impl From<i64> for Value {
    fn from(i: i64) -> Self {
        Self::Int(i)
    }
}
impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Self::Bool(b)
    }
}
impl From<&str> for Value {
    fn from(s: &str) -> Self {
        Self::Str(s.to_owned())
    }
}

/// A number with a dot, in the fewest digits that mean it.
#[must_use]
pub fn float_text(x: f64) -> String {
    let text = format!("{x:?}");
    match text.split_once('e') {
        Some((digits, exponent)) if !digits.contains('.') => format!("{digits}.0e{exponent}"),
        _ => text,
    }
}
