//! The content that a file should have: the model as text would express it, to be compared with a file, or written
//! anew.
//!
//! A form borrows the model and knows what equality of values cannot: which fields may be left out, which spellings
//! mean the same, which order counts.

use std::borrow::Cow;

use crate::model::Value;

use super::{Kind, Node, plan::match_keys};

/// The content that a file should have at one place.
pub enum Form<'m> {
    /// Its present content: the model has not changed here since the file was read.
    Keep,
    /// Exactly this value, in any spelling.
    Value(&'m Value),
    /// `true`, `false`
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number; a whole one may be written without a dot.
    Float(f64),
    /// A number that is read back as one with a fraction: without a schema, `1` is another value.
    Dotted(f64),
    /// A string.
    Str(Cow<'m, str>),
    /// A bare word.
    Word(&'m str),
    /// `None`, `Some(x)` or `x`.
    Optional(Option<Box<Form<'m>>>),
    /// `(a, b)`
    Tuple(Vec<Form<'m>>),
    /// `(a: 1, b: 2)`, in canonical order; a file may have another.
    Record(Vec<Slot<'m>>),
    /// `Word(…)`; the content is a tuple or a record.
    Tagged(&'m str, Box<Form<'m>>),
    /// `Word(a: 1)`; `Word` or `Word()` when there are no arguments.
    Call(&'m str, Vec<Slot<'m>>),
    /// `[…]`
    List(List<'m>),
    /// `{…}`
    Map(Map<'m>),
    /// Something with a form of its own.
    Custom(Box<dyn Custom<'m> + 'm>),
}

/// A field of a record.
pub struct Slot<'m> {
    /// Its name.
    pub name: &'m str,
    /// Its value.
    pub form: Form<'m>,
    /// Whether the file may leave it out, because this is what it has then.
    pub is_default: bool,
}

/// A list, and how its elements are identified.
pub struct List<'m> {
    /// The elements.
    pub items: Vec<Form<'m>>,
    /// Which elements of the file are which of these.
    pub by: ListBy,
    /// For each element, its index in the file, where that is known.
    pub known: Option<Vec<Option<usize>>>,
    /// Whether each element has a line of its own when written anew.
    pub own_lines: bool,
}

/// How the elements of a file's list are matched with those it should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListBy {
    /// By content: an element inserted in front moves none of the others.
    Content,
    /// By position.
    Position,
    /// By tag and by this field, which is unique in both lists.
    Field(&'static str),
}

/// A map.
pub struct Map<'m> {
    /// Keys and values.
    pub entries: Vec<(Form<'m>, Form<'m>)>,
    /// Whether the file has to have them in this order.
    pub is_ordered: bool,
    /// Whether an entry of the file that is not here has no content and may stay.
    pub is_blank: fn(&Node<'_>) -> bool,
    /// Whether each entry has a line of its own when written anew.
    pub own_lines: bool,
}

/// Something with a form of its own.
pub trait Custom<'m> {
    /// Whether `node` expresses it.
    fn is_written_by(&self, node: &Node<'_>) -> bool;
    /// Its form, in place of `node` if there is one.
    fn form(&self, node: Option<&Node<'_>>) -> Form<'m>;
}

impl<'m> Slot<'m> {
    /// A field that is always written.
    #[must_use]
    pub fn new(name: &'m str, form: Form<'m>) -> Self {
        Self { name, form, is_default: false }
    }
}

impl<'m> List<'m> {
    /// Elements identified by content.
    #[must_use]
    pub fn new(items: Vec<Form<'m>>) -> Self {
        Self { items, by: ListBy::Content, known: None, own_lines: false }
    }
}

impl<'m> Map<'m> {
    /// Entries whose order counts.
    #[must_use]
    pub fn new(entries: Vec<(Form<'m>, Form<'m>)>) -> Self {
        Self { entries, is_ordered: true, is_blank: |_| false, own_lines: false }
    }
}

impl<'m> Form<'m> {
    /// A string.
    #[must_use]
    pub fn str(text: &'m str) -> Self {
        Self::Str(Cow::Borrowed(text))
    }

    /// A value one level apart: its parts are values again.
    #[must_use]
    pub fn open(value: &'m Value) -> Self {
        match value {
            Value::Bool(b) => Self::Bool(*b),
            Value::Int(i) => Self::Int(*i),
            Value::Float(x) => Self::Dotted(*x),
            Value::Str(s) => Self::str(s),
            Value::Symbol(word) => Self::Word(word),
            Value::List(items) => Self::List(List::new(items.iter().map(Form::Value).collect())),
            Value::Tuple(items) => Self::Tuple(items.iter().map(Form::Value).collect()),
            Value::Struct(fields) => {
                Self::Record(fields.iter().map(|(name, value)| Slot::new(name, Form::Value(value))).collect())
            }
            Value::Map(entries) => {
                Self::Map(Map::new(entries.iter().map(|(key, value)| (Form::Value(key), Form::Value(value))).collect()))
            }
            Value::Tagged(tag, content) => Self::Tagged(tag, Box::new(Form::Value(content))),
        }
    }

    /// Whether it is empty: a field with this default is left out rather than written.
    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Optional(None) => true,
            Self::List(list) => list.items.is_empty(),
            Self::Map(map) => map.entries.is_empty(),
            Self::Record(slots) => slots.iter().all(|slot| slot.is_default),
            _ => false,
        }
    }

    /// Whether `node` expresses this form.
    #[must_use]
    pub fn is_written_by(&self, node: &Node<'_>) -> bool {
        match (self, &node.kind) {
            (Self::Keep, _) => true,
            (Self::Value(value), _) => Self::open(value).is_written_by(node),
            (Self::Bool(a), Kind::Bool(b)) => a == b,
            (Self::Int(a), Kind::Int(b)) => a == b,
            (Self::Float(a), Kind::Int(_) | Kind::Float(_)) => node.as_f64() == Some(*a),
            (Self::Dotted(a), Kind::Float(b)) => a == b,
            (Self::Str(a), Kind::Str(b)) => a == b,
            (Self::Word(a), Kind::Symbol(b)) => a == b,
            (Self::Optional(None), Kind::Symbol(word)) => *word == "None",
            (Self::Optional(Some(form)), _) => {
                inside_some(node).map_or_else(|| form.is_written_by(node), |node| form.is_written_by(node))
            }
            (Self::Tuple(forms), Kind::Tuple(nodes)) => {
                forms.len() == nodes.len() && forms.iter().zip(nodes).all(|(form, node)| form.is_written_by(node))
            }
            (Self::Record(slots), Kind::Struct(fields)) => {
                fields.iter().all(|field| slots.iter().any(|slot| slot.name == field.name))
                    && slots.iter().all(|slot| match fields.iter().find(|field| field.name == slot.name) {
                        Some(field) => slot.form.is_written_by(&field.value),
                        None => slot.is_default,
                    })
            }
            (Self::Record(slots), Kind::Tuple(items)) => items.is_empty() && slots.iter().all(|slot| slot.is_default),
            (Self::Tagged(tag, content), Kind::Tagged(word, inside)) => tag == word && content.is_written_by(inside),
            (Self::Call(tag, slots), Kind::Symbol(word)) => tag == word && slots.iter().all(|slot| slot.is_default),
            (Self::Call(tag, slots), Kind::Tagged(word, inside)) => {
                tag == word
                    && match &inside.kind {
                        Kind::Tuple(items) => items.is_empty() && slots.iter().all(|slot| slot.is_default),
                        Kind::Struct(fields) => {
                            fields.len() == slots.len()
                                && slots.iter().all(|slot| {
                                    fields.iter().any(|f| f.name == slot.name && slot.form.is_written_by(&f.value))
                                })
                        }
                        _ => false,
                    }
            }
            (Self::List(list), Kind::List(nodes)) => {
                // What is kept is expressed only by its present place.
                let is_in_order = |known: &Vec<Option<usize>>| known.iter().enumerate().all(|(i, at)| *at == Some(i));
                list.items.len() == nodes.len()
                    && list.known.as_ref().is_none_or(is_in_order)
                    && list.items.iter().zip(nodes).all(|(form, node)| form.is_written_by(node))
            }
            (Self::Map(map), Kind::Map(nodes)) if map.is_ordered => {
                map.entries.len() == nodes.len()
                    && map
                        .entries
                        .iter()
                        .zip(nodes)
                        .all(|((key, value), entry)| key.is_written_by(&entry.key) && value.is_written_by(&entry.value))
            }
            (Self::Map(map), Kind::Map(nodes)) => {
                let found = match_keys(nodes.iter().map(|entry| &entry.key), &map.entries);
                let mut is_blank: Vec<bool> = nodes.iter().map(|entry| (map.is_blank)(&entry.value)).collect();
                let all = found.into_iter().zip(&map.entries).all(|(at, (_, value))| {
                    let Some((entry, slot)) = at.and_then(|at| Some((nodes.get(at)?, is_blank.get_mut(at)?))) else {
                        return false;
                    };
                    *slot = true;
                    value.is_written_by(&entry.value)
                });
                all && is_blank.into_iter().all(|it| it)
            }
            (Self::Custom(custom), _) => custom.is_written_by(node),
            _ => false,
        }
    }
}

/// The `x` of `Some(x)`.
pub(super) fn inside_some<'n, 't>(node: &'n Node<'t>) -> Option<&'n Node<'t>> {
    match &node.kind {
        Kind::Tagged("Some", content) => match &content.kind {
            Kind::Tuple(items) if items.len() == 1 => items.first(),
            _ => None,
        },
        _ => None,
    }
}
