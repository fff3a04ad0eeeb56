//! The values of a file, with their places. The tree borrows the text: strings without escapes and names are slices.

use std::borrow::Cow;

use crate::model::{FieldPath, Name, Seg, Value};

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'t> {
    /// First byte; of the tag, for a tagged value.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
    /// What it is.
    pub kind: Kind<'t>,
}

/// What a value is; the same kinds as [`Value`].
#[derive(Clone, Debug, PartialEq)]
pub enum Kind<'t> {
    /// `true`, `false`
    Bool(bool),
    /// `12`, `-3`, `0x10`, `1_000`
    Int(i64),
    /// `1.5`, `1e3`; finite
    Float(f64),
    /// `"text"`, `r#"text"#`
    Str(Cow<'t, str>),
    /// A bare word.
    Symbol(&'t str),
    /// `[…]`
    List(Vec<Node<'t>>),
    /// `(…)` without names; also `()`
    Tuple(Vec<Node<'t>>),
    /// `(name: …)`
    Struct(Vec<Field<'t>>),
    /// `{key: …}`
    Map(Vec<Entry<'t>>),
    /// `Word(…)`; the content is a tuple or a struct.
    Tagged(&'t str, Box<Node<'t>>),
}

/// A named field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<'t> {
    /// First byte of the name.
    pub start: u32,
    /// The name.
    pub name: &'t str,
    /// The value.
    pub value: Node<'t>,
}

/// An entry of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry<'t> {
    /// The key.
    pub key: Node<'t>,
    /// The value.
    pub value: Node<'t>,
}

/// A file's text and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree<'t> {
    /// The whole text.
    pub text: &'t str,
    /// The one value in it.
    pub root: Node<'t>,
}

impl Field<'_> {
    /// First byte of the name, and one past its last.
    #[must_use]
    pub fn name_range(&self) -> (usize, usize) {
        (self.start as usize, self.start as usize + self.name.len())
    }
}

impl<'t> Node<'t> {
    /// First byte, and one past the last.
    #[must_use]
    pub fn range(&self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }

    /// The text of a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        if let Kind::Str(text) = &self.kind { Some(text) } else { None }
    }

    /// A number of either spelling.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self.kind {
            #[expect(clippy::cast_precision_loss, reason = "data is written as numbers people read")]
            Kind::Int(i) => Some(i as f64),
            Kind::Float(f) => Some(f),
            _ => None,
        }
    }

    /// What sort of thing this is, for messages.
    #[must_use]
    pub fn describe(&self) -> &'static str {
        match &self.kind {
            Kind::Bool(_) => "true or false",
            Kind::Int(_) => "a whole number",
            Kind::Float(_) => "a number",
            Kind::Str(_) => "a string",
            Kind::Symbol(_) => "a bare word",
            Kind::List(_) => "a list `[…]`",
            Kind::Tuple(items) if items.is_empty() => "an empty `()`",
            Kind::Tuple(_) => "a tuple `(…)`",
            Kind::Struct(_) => "a struct `(name: …)`",
            Kind::Map(_) => "a map `{…}`",
            Kind::Tagged(..) => "a tagged value `Word(…)`",
        }
    }

    /// The value, with names made by `name`, which may share them.
    pub fn to_value(&self, name: &mut impl FnMut(&'t str) -> Name) -> Value {
        match &self.kind {
            Kind::Bool(b) => Value::Bool(*b),
            Kind::Int(i) => Value::Int(*i),
            Kind::Float(f) => Value::Float(*f),
            Kind::Str(s) => Value::Str(s.clone().into_owned()),
            Kind::Symbol(s) => Value::Symbol(name(s)),
            Kind::List(items) => Value::List(items.iter().map(|item| item.to_value(name)).collect()),
            Kind::Tuple(items) => Value::Tuple(items.iter().map(|item| item.to_value(name)).collect()),
            Kind::Struct(fields) => {
                Value::Struct(fields.iter().map(|field| (name(field.name), field.value.to_value(name))).collect())
            }
            Kind::Map(entries) => {
                Value::Map(entries.iter().map(|entry| (entry.key.to_value(name), entry.value.to_value(name))).collect())
            }
            Kind::Tagged(tag, content) => Value::Tagged(name(tag), Box::new(content.to_value(name))),
        }
    }

    /// The part a path's step leads to: range of its key, if it has one, and its value. A tagged value's parts are
    /// those of its content; an index counts the entries of a map too.
    fn step(&self, seg: &Seg) -> Option<(Option<(usize, usize)>, &Node<'t>)> {
        match (&self.kind, seg) {
            (Kind::Tagged(_, content), _) => content.step(seg),
            (Kind::Struct(fields), Seg::Key(name)) => {
                let field = fields.iter().find(|field| field.name == &**name)?;
                Some((Some(field.name_range()), &field.value))
            }
            (Kind::Map(entries), Seg::Key(name)) => {
                let entry = entries.iter().find(|entry| entry.key.is_key(name))?;
                Some((Some(entry.key.range()), &entry.value))
            }
            (Kind::List(items) | Kind::Tuple(items), Seg::Index(at)) => Some((None, items.get(*at)?)),
            (Kind::Map(entries), Seg::Index(at)) => {
                let entry = entries.get(*at)?;
                Some((Some(entry.key.range()), &entry.value))
            }
            _ => None,
        }
    }

    /// Where the part of this at `segs` stands, or its key; `key` is where this one's own does. Else the nearest
    /// enclosing value that is there. And whether it is the value itself.
    pub(super) fn range_of(
        &self,
        segs: &[Seg],
        mut key: Option<(usize, usize)>,
        at_key: bool,
    ) -> ((usize, usize), bool) {
        let mut node = self;
        for seg in segs {
            let Some((next_key, next)) = node.step(seg) else { return (key.unwrap_or(node.range()), false) };
            (key, node) = (next_key, next);
        }
        (key.filter(|_| at_key).unwrap_or(node.range()), true)
    }

    /// Whether this, as a map's key, is what a path calls `name`: the text of a string or word, else as it is written
    /// on one line, `(0, 0)` or `7`.
    fn is_key(&self, name: &str) -> bool {
        match &self.kind {
            Kind::Str(text) => text == name,
            Kind::Symbol(word) => *word == name,
            _ => *self.key_name() == *name,
        }
    }

    /// What a path calls this when it is a map's key.
    pub(super) fn key_name(&self) -> Name {
        match &self.kind {
            Kind::Str(text) => text.as_ref().into(),
            Kind::Symbol(word) => (*word).into(),
            _ => self.to_value(&mut |word| word.into()).to_string().into(),
        }
    }
}

impl<'t> Tree<'t> {
    /// The value at `path`, if the file has it.
    #[must_use]
    pub fn get(&self, path: &FieldPath) -> Option<&Node<'t>> {
        path.0.iter().try_fold(&self.root, |node, seg| Some(node.step(seg)?.1))
    }

    /// Where the value at `path` stands (or the key that names it), else the nearest enclosing value that is there; and
    /// whether it is the value itself.
    #[must_use]
    pub fn range_of(&self, path: &FieldPath, at_key: bool) -> ((usize, usize), bool) {
        self.root.range_of(&path.0, None, at_key)
    }

    /// The path of the innermost value that holds `start..end`, and whether the range is the key naming it.
    #[must_use]
    pub fn path_at(&self, start: usize, end: usize) -> (FieldPath, bool) {
        let holds = |(from, to): (usize, usize)| from <= start && end <= to;
        let mut path = Vec::new();
        let mut node = &self.root;
        loop {
            let next = match &node.kind {
                Kind::Tagged(_, content) if holds(content.range()) => {
                    node = content;
                    continue;
                }
                Kind::List(items) | Kind::Tuple(items) => {
                    let at = items.partition_point(|item| (item.end as usize) < end);
                    items.get(at).filter(|item| holds(item.range())).map(|item| (Seg::Index(at), None, item))
                }
                Kind::Struct(fields) => {
                    let at = fields.partition_point(|field| (field.value.end as usize) < end);
                    fields
                        .get(at)
                        .filter(|field| holds((field.start as usize, field.value.end as usize)))
                        .map(|field| (Seg::Key(field.name.into()), Some(field.name_range()), &field.value))
                }
                Kind::Map(entries) => {
                    let at = entries.partition_point(|entry| (entry.value.end as usize) < end);
                    entries
                        .get(at)
                        .filter(|entry| holds((entry.key.start as usize, entry.value.end as usize)))
                        .map(|entry| (Seg::Key(entry.key.key_name()), Some(entry.key.range()), &entry.value))
                }
                _ => None,
            };
            let Some((seg, key, value)) = next else { return (FieldPath(path), false) };
            path.push(seg);
            if key.is_some_and(holds) {
                return (FieldPath(path), true);
            }
            node = value;
        }
    }

    /// The value of the file.
    #[must_use]
    pub fn to_value(&self) -> Value {
        self.root.to_value(&mut |word| word.into())
    }
}
