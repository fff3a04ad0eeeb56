//! Reading what `model::reflect` describes.

use std::any::Any;

use super::{
    Cx, Decode,
    cx::Record,
    values::{self, Key as _},
};
use crate::{
    io::ron_text::{Kind, Node},
    model::{
        Components, Fields, Name,
        reflect::{ChoiceViewMut, Field, Key, MapViewMut, RecordViewMut, Reflect, Variant, ViewMut},
    },
};

/// Read a node into a blank value. `false` means that the reasons have been noted and the value is not to be used.
pub(super) fn read<'t>(node: &Node<'t>, out: &mut dyn Reflect, cx: &mut Cx<'t>) -> bool {
    if let Some(components) = (out as &mut dyn Any).downcast_mut::<Components>() {
        return put(components, values::components(node, cx));
    }
    if let Some(fields) = (out as &mut dyn Any).downcast_mut::<Fields>() {
        return put(fields, values::fields(node, "a payload, as `(name: …)`", cx));
    }
    match out.view_mut() {
        ViewMut::Bool(out) => decode(node, out, cx),
        ViewMut::Float(out) => decode(node, out, cx),
        ViewMut::Text(out) => decode(node, out, cx),
        ViewMut::Name(out) => decode(node, out, cx),
        ViewMut::Value(out) => decode(node, out, cx),
        ViewMut::Tiles(out) => decode(node, out, cx),
        ViewMut::TileShape(out) => decode(node, out, cx),
        ViewMut::Call(out) => decode(node, out, cx),
        ViewMut::Condition(out) => decode(node, out, cx),
        ViewMut::FieldType(out) => decode(node, out, cx),
        ViewMut::Int(out) => {
            let Kind::Int(x) = node.kind else { return cx.expected::<()>("a whole number", node).is_some() };
            let [min, max] = out.limits();
            out.set(x) || cx.expected::<()>(&format!("a whole number from {min} to {max}"), node).is_some()
        }
        ViewMut::Word(out) => {
            let ty = out.word_type();
            match &node.kind {
                Kind::Symbol(word) => {
                    out.set(word) || cx.unknown_word::<()>(ty.what, word, node.range(), ty.words).is_some()
                }
                _ => cx.expected::<()>(&format!("a bare word: {}", ty.words.join(" ")), node).is_some(),
            }
        }
        ViewMut::Pair([x, y]) => match &node.kind {
            Kind::Tuple(items) => match items.as_slice() {
                [a, b] => {
                    let (a, b) = (read(a, x, cx), read(b, y, cx));
                    a && b
                }
                _ => cx.expected::<()>("two numbers `(x, y)`", node).is_some(),
            },
            _ => cx.expected::<()>("two numbers `(x, y)`", node).is_some(),
        },
        // `None`, `Some(x)`, or just `x`.
        ViewMut::Option(out) => {
            let inner = match &node.kind {
                Kind::Symbol("None") => {
                    out.clear();
                    return true;
                }
                Kind::Tagged("Some", content) => match &content.kind {
                    Kind::Tuple(items) if items.len() == 1 => items.first(),
                    _ => None,
                },
                _ => Some(node),
            };
            match inner {
                Some(inner) => out.fill(&mut |value| read(inner, value, cx)),
                None => cx.expected::<()>("`Some(…)` with one value", node).is_some(),
            }
        }
        ViewMut::Shared(out) => read(node, out, cx),
        // An element that cannot be read is left out: the document is refused anyway, and the others are worth reading
        // for what is wrong with them.
        ViewMut::List(out) => {
            let Kind::List(items) = &node.kind else { return cx.expected::<()>("a list `[…]`", node).is_some() };
            out.reserve(items.len());
            for item in items {
                out.push(&mut |value| read(item, value, cx));
            }
            true
        }
        ViewMut::Map(out) => read_map(node, out, cx),
        ViewMut::Record(out) => read_record(node, out, cx),
        // Choices are flat: their record reads them.
        ViewMut::Choice(_) => false,
    }
}

fn put<T>(out: &mut T, read: Option<T>) -> bool {
    read.map(|value| *out = value).is_some()
}

fn decode<'t, T: Decode<'t>>(node: &Node<'t>, out: &mut T, cx: &mut Cx<'t>) -> bool {
    put(out, T::decode(node, cx))
}

fn read_map<'t>(node: &Node<'t>, out: &mut dyn MapViewMut, cx: &mut Cx<'t>) -> bool {
    let Some(entries) = values::entries(node, cx) else { return false };
    out.reserve(entries.len());
    for entry in entries {
        let key = if out.has_ids() {
            u32::key(&entry.key, cx).map(Key::Id)
        } else {
            Name::key(&entry.key, cx).map(Key::Name)
        };
        match key {
            Some(key) => _ = out.insert(key, &mut |value| read(&entry.value, value, cx)),
            None => {
                // Read for what is wrong with it.
                let mut blank = out.blank_value();
                read(&entry.value, &mut *blank, cx);
            }
        }
    }
    true
}

fn read_record<'t>(node: &Node<'t>, out: &mut dyn RecordViewMut, cx: &mut Cx<'t>) -> bool {
    let ty = out.record();
    let (mut node, mut what) = (node, ty.what);
    if let Some((at, choice)) = ty.choice() {
        let tags: Vec<&str> = choice.variants.iter().map(|variant| variant.tag).collect();
        let Kind::Tagged(tag, inside) = &node.kind else {
            let all: Vec<String> = tags.iter().map(|tag| format!("`{tag}(…)`")).collect();
            let (last, others) =
                all.split_last().map_or((String::new(), &[][..]), |(last, others)| (last.clone(), others));
            let expected = format!("{what}: {} or {last}", others.join(", "));
            return cx.expected::<()>(&expected, node).is_some();
        };
        let Some(which) = tags.iter().position(|it| it == tag) else {
            let range = (node.start as usize, node.start as usize + tag.len());
            return cx.unknown_word::<()>(choice.what, tag, range, &tags).is_some();
        };
        if let Some(ViewMut::Choice(content)) = out.get_mut(at).map(Reflect::view_mut) {
            content.become_variant(which);
        }
        node = inside;
        what = choice.variants.get(which).map_or(what, |variant| variant.what);
    }
    let Some(mut record) = Record::new(node, what, cx) else { return false };
    let mut keys = Vec::new();
    let is_read = read_fields(out, &mut record, &mut keys, cx);
    record.finish(|all| all.extend(&keys), cx);
    is_read
}

/// All fields are read before the first missing one ends it, so that every problem is noted.
fn read_fields<'t>(
    out: &mut dyn RecordViewMut,
    record: &mut Record<'_, 't>,
    keys: &mut Vec<&'static str>,
    cx: &mut Cx<'t>,
) -> bool {
    let mut is_read = true;
    for (at, field) in out.record().fields.iter().enumerate() {
        let Some(value) = out.get_mut(at) else { continue };
        if !field.is_flat {
            keys.push(field.key);
            // What is wrong in a field that may be left out is noted; the record is worth reading all the same.
            let is_there = match value.view_mut() {
                ViewMut::Option(value) if field.is_absent => {
                    record.get(field.key).is_none_or(|node| value.fill(&mut |value| read(node, value, cx)))
                }
                _ => read_field(value, field, record, cx),
            };
            is_read &= is_there || !field.is_required;
            continue;
        }
        is_read &= match value.view_mut() {
            ViewMut::Choice(choice) if choice.choice().is_by_key => read_by_key(choice, record, keys, cx),
            ViewMut::Choice(choice) => {
                let field = choice.choice().variants.get(choice.which()).and_then(|variant| variant.field);
                keys.extend(field.map(|field| field.key));
                // What is wrong in a content that may be left out is noted.
                read_content(choice.content_mut(), field, record, keys, cx) || field.is_some()
            }
            _ => read_content(value, None, record, keys, cx),
        };
    }
    is_read
}

/// Read the content whose identifying field is there. Notes an error where there is none, or several are, and where
/// fields of another content are.
fn read_by_key<'t>(
    out: &mut dyn ChoiceViewMut,
    record: &mut Record<'_, 't>,
    keys: &mut Vec<&'static str>,
    cx: &mut Cx<'t>,
) -> bool {
    let variants = out.choice().variants;
    let telling: Vec<&'static str> = variants.iter().map(|variant| variant.key).collect();
    for variant in variants {
        keys.extend(fields_in(variant));
    }
    let found: Vec<usize> = (0..telling.len()).filter(|at| record.get(telling[*at]).is_some()).collect();
    let which = match found.as_slice() {
        [which] => *which,
        [] => {
            record.lacks(&telling, cx);
            return false;
        }
        [_, .., last] => {
            record.has_several(&telling, telling[*last], cx);
            return false;
        }
    };
    for (at, variant) in variants.iter().enumerate().filter(|(at, _)| *at != which) {
        // Contents may have fields of one name.
        let is_own = |key: &str| fields_in(&variants[which]).any(|own| own == key);
        let others: Vec<&str> = fields_in(variant).filter(|key| *key != telling[at] && !is_own(key)).collect();
        record.belongs(&others, false, variant.key, cx);
    }
    out.become_variant(which);
    read_content(out.content_mut(), variants[which].field, record, keys, cx)
}

/// Read what is flat: a field, or the fields of a record.
fn read_content<'t>(
    out: &mut dyn Reflect,
    field: Option<&Field>,
    record: &mut Record<'_, 't>,
    keys: &mut Vec<&'static str>,
    cx: &mut Cx<'t>,
) -> bool {
    match (field, out.view_mut()) {
        (None, ViewMut::Record(inner)) => read_fields(inner, record, keys, cx),
        (None, _) => false,
        (Some(field), _) => read_field(out, field, record, cx),
    }
}

/// The names of the fields of a content.
fn fields_in(variant: &'static Variant) -> impl Iterator<Item = &'static str> {
    let record = (variant.content)().record().filter(|_| variant.field.is_none());
    let fields = record.map_or(&[][..], |record| record.fields);
    variant.field.into_iter().chain(fields).map(|field| field.key)
}

fn read_field<'t>(out: &mut dyn Reflect, field: &Field, record: &mut Record<'_, 't>, cx: &mut Cx<'t>) -> bool {
    match record.get(field.key) {
        Some(node) => read(node, out, cx),
        None if field.is_required => {
            record.lacks_field(field.key, cx);
            false
        }
        None => true,
    }
}
