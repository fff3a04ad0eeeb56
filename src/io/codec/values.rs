//! Plain values: numbers, text, pairs, options, lists and maps.

use std::{collections::HashSet, hash::Hash, sync::Arc};

use indexmap::IndexMap;

use super::{Cx, Decode, Encode};
use crate::{
    io::ron_text::{Entry, Form, Kind, List, ListBy, Map, Node, Slot},
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

impl<'t> Decode<'t> for i64 {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        if let Kind::Int(i) = node.kind { Some(i) } else { cx.expected("a whole number", node) }
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

/// `None`, `Some(x)`, or just `x`.
impl<'t, T: Decode<'t>> Decode<'t> for Option<T> {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        match &node.kind {
            Kind::Symbol("None") => Some(None),
            Kind::Tagged("Some", content) => match &content.kind {
                Kind::Tuple(items) if items.len() == 1 => items.first().map(|item| T::decode(item, cx)),
                _ => cx.expected("`Some(…)` with one value", node),
            },
            _ => T::decode(node, cx).map(Some),
        }
    }
}

impl<'t, T: Decode<'t>> Decode<'t> for Arc<T> {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        T::decode(node, cx).map(Arc::new)
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

impl<'t, K: Key<'t>, T: Decode<'t>> Decode<'t> for IndexMap<K, T> {
    fn decode(node: &Node<'t>, cx: &mut Cx<'t>) -> Option<Self> {
        let entries = entries(node, cx)?;
        let mut map = Self::with_capacity(entries.len());
        for entry in entries {
            let (key, value) = (K::key(&entry.key, cx), T::decode(&entry.value, cx));
            if let (Some(key), Some(value)) = (key, value) {
                map.insert(key, value);
            }
        }
        Some(map)
    }
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

impl Encode for bool {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Bool(*self)
    }
}

impl Encode for f64 {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Float(*self)
    }
}

impl Encode for i64 {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Int(*self)
    }
}

impl Encode for u32 {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Int(i64::from(*self))
    }
}

impl Encode for i32 {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Int(i64::from(*self))
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

impl<T: Encode> Encode for Option<T> {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        Form::Optional(self.as_ref().map(|value| Box::new(value.form(None))))
    }
}

impl<T: Encode> Encode for Arc<T> {
    const OWN_LINE: bool = T::OWN_LINE;
    const ID: Option<&'static str> = T::ID;

    fn id(&self) -> Option<(&str, &str)> {
        (**self).id()
    }

    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        match base {
            Some(base) if Self::ptr_eq(self, base) => Form::Keep,
            _ => (**self).form(base.map(|base| &**base)),
        }
    }
}

impl<T: Encode> Encode for Vec<T> {
    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        // Only elements with names of their own can be told to be those of the file, changed or not.
        let is_named = |list: &Self| {
            let mut seen = HashSet::new();
            list.iter().all(|item| item.id().is_some_and(|id| seen.insert(id)))
        };
        let name = T::ID.filter(|_| is_named(self));
        let by = name.map_or(ListBy::Content, ListBy::Field);
        let base = base.filter(|base| name.is_some() && is_named(base));
        let known = base.map(|base| same_elements(self, base));
        let old = |at: usize| base?.get(known.as_ref()?.get(at).copied()??);
        let items = self.iter().enumerate().map(|(at, item)| item.form(old(at))).collect();
        Form::List(List { by, known, own_lines: T::OWN_LINE, ..List::new(items) })
    }
}

/// For each element with a name, which element of `base` it is: the one of its name, else one of the same kind whose name
/// is gone, because it was renamed.
fn same_elements<T: Encode>(items: &[T], base: &[T]) -> Vec<Option<usize>> {
    let mut is_free = vec![true; base.len()];
    let take = |found: Option<usize>, is_free: &mut Vec<bool>| {
        if let Some(free) = found.and_then(|at| is_free.get_mut(at)) {
            *free = false;
        }
        found
    };
    let by_name = items.iter().map(|item| base.iter().position(|old| old.id() == item.id()));
    let mut out: Vec<Option<usize>> = by_name.map(|found| take(found, &mut is_free)).collect();
    let tag = |item: &T| item.id().map(|(tag, _)| tag.to_owned());
    for (item, slot) in items.iter().zip(&mut out).filter(|(_, slot)| slot.is_none()) {
        let found = base.iter().zip(&is_free).position(|(old, free)| *free && tag(old) == tag(item));
        *slot = take(found, &mut is_free);
    }
    out
}

impl<K: Encode + Eq + Hash, T: Encode> Encode for IndexMap<K, T> {
    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        // Mostly nothing comes or goes, and a key is where it was.
        let old = |base: &'_ Self, at: usize, key: &K| match base.get_index(at) {
            Some((same, _)) if same == key => Some(at),
            _ => base.get_index_of(key),
        };
        let entry = |(at, (key, value)): (usize, (&'m K, &'m T))| {
            let was = base.and_then(|base| base.get_index(old(base, at, key)?));
            (key.form(None), value.form(was.map(|(_, value)| value)))
        };
        Form::Map(Map { own_lines: T::OWN_LINE, ..Map::new(self.iter().enumerate().map(entry).collect()) })
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
