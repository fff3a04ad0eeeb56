//! Plain values: numbers, text, pairs, options, lists and maps.

use std::hash::Hash;

use indexmap::IndexMap;

use super::{Cx, Decode, Encode};
use crate::{
    io::ron_text::{Entry, Form, Kind, List, Map, Node, Slot},
    model::{Components, Fields, Name, Value},
};

impl<'t> Decode<'t> for bool {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        if let Kind::Bool(b) = node.kind { Some(b) } else { cx.expected("true or false", node) }
    }
}

impl<'t> Decode<'t> for f64 {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        node.as_f64().or_else(|| cx.expected("a number", node))
    }
}

impl<'t> Decode<'t> for u32 {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        let Kind::Int(i) = node.kind else { return cx.expected("a whole number", node) };
        Self::try_from(i).ok().or_else(|| cx.expected("a whole number from 0 to 4294967295", node))
    }
}

impl<'t> Decode<'t> for i32 {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        let Kind::Int(i) = node.kind else { return cx.expected("a whole number", node) };
        Self::try_from(i).ok().or_else(|| cx.expected("a whole number from -2147483648 to 2147483647", node))
    }
}

impl<'t> Decode<'t> for String {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        if let Kind::Str(text) = &node.kind { Some(text.clone().into_owned()) } else { cx.expected("a string", node) }
    }
}

impl<'t> Decode<'t> for Name {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        cx.str_name(node)
    }
}

impl<'t> Decode<'t> for Value {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        Some(cx.value(node))
    }
}

impl<'t, T: Decode<'t>> Decode<'t> for [T; 2] {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        match &node.kind {
            Kind::Tuple(items) => match items.as_slice() {
                [x, y] => {
                    let (x, y) = (T::decode(x, cx), T::decode(y, cx));
                    Some([x?, y?])
                }
                _ => cx.expected("two numbers `(x, y)`", node),
            },
            _ => cx.expected("two numbers `(x, y)`", node),
        }
    }
}

/// An element that cannot be read is left out: the document is refused anyway, and the others are worth reading for
/// what is wrong with them.
impl<'t, T: Decode<'t>> Decode<'t> for Vec<T> {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        let Kind::List(items) = &node.kind else { return cx.expected("a list `[…]`", node) };
        Some(items.iter().filter_map(|item| T::decode(item, cx)).collect())
    }
}

/// A key of a typed map.
pub(crate) trait Key<'t>: Sized + Eq + Hash {
    /// Read it.
    fn key(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self>;
}

impl<'t> Key<'t> for Name {
    fn key(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        let name = cx.str_name(node)?;
        if name.is_empty() {
            cx.error("empty-name", node.range(), "a name has at least one character");
            return None;
        }
        Some(name)
    }
}

impl<'t> Key<'t> for u32 {
    fn key(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        Self::decode(node, cx)
    }
}

/// The entries of a map.
pub(crate) fn entries<'n, 't>(node: &'n Node<'t>, cx: &mut Cx<'t>) -> Option<&'n [Entry<'t>]> {
    if let Kind::Map(entries) = &node.kind { Some(entries) } else { cx.expected("a map `{key: …}`", node) }
}

/// Named values, whatever they are.
pub(crate) fn fields<'t>(node: &Node<'t>, what: &str, cx: &mut Cx<'t>) -> Option<Fields> {
    match &node.kind {
        Kind::Struct(fields) => {
            Some(fields.iter().map(|field| (cx.name(field.name), cx.value(&field.value))).collect())
        }
        Kind::Tuple(items) if items.is_empty() => Some(Fields::new()),
        _ => cx.expected(what, node),
    }
}

/// `(Health: (max: 20.0), Shield: ())`
pub(crate) fn components<'t>(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Components> {
    match &node.kind {
        Kind::Struct(list) => {
            let mut out = Components::with_capacity(list.len());
            for component in list {
                if let Some(fields) = fields(&component.value, "the component's fields, as `(name: …)`", cx) {
                    out.insert(cx.name(component.name), fields);
                }
            }
            Some(out)
        }
        Kind::Tuple(items) if items.is_empty() => Some(Components::new()),
        _ => cx.expected("components, as `(Health: (max: 20.0))`", node),
    }
}

impl Encode for f64 {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Float(*self)
    }
}

impl Encode for String {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::str(self)
    }
}

impl Encode for Name {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::str(self)
    }
}

impl Encode for Value {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Value(self)
    }
}

impl<T: Encode> Encode for [T; 2] {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Tuple(self.iter().map(|item| item.form(None)).collect())
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::List(List::new(self.iter().map(|item| item.form(None)).collect()))
    }
}

impl<K: Encode + Eq + Hash, T: Encode> Encode for IndexMap<K, T> {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Map(Map::new(self.iter().map(|(key, value)| (key.form(None), value.form(None))).collect()))
    }
}

/// Named values.
pub(crate) fn fields_slots(fields: &Fields) -> Vec<Slot<'_>> {
    fields.iter().map(|(name, value)| Slot::new(name, Form::Value(value))).collect()
}

/// The components of an operation, by name.
pub(crate) fn components_form(components: &Components) -> Form<'_> {
    let slot = |(name, fields)| Slot::new(name, Form::Record(fields_slots(fields)));
    Form::Record(components.iter().map(|(name, fields)| slot((&**name, fields))).collect())
}
