//! The form of what `model::reflect` describes.

use std::{
    any::Any,
    collections::{HashMap, HashSet},
};

use super::{Encode, values};
use crate::{
    io::ron_text::{Form, List, ListBy, Map, Slot},
    model::{
        Components, Fields,
        reflect::{
            self, Key, ListView, MapView, RecordView, Reflect, Type, View, each_field, fields_of, record_in, tag_of,
        },
    },
};

/// The form of a value in a file. `base` is the present content of the file, where that is known.
pub(super) fn form<'m>(value: &'m dyn Reflect, base: Option<&dyn Reflect>) -> Form<'m> {
    if let Some(components) = (value as &dyn Any).downcast_ref::<Components>() {
        return values::components_form(components);
    }
    if let Some(fields) = (value as &dyn Any).downcast_ref::<Fields>() {
        return Form::Record(values::fields_slots(fields));
    }
    match value.view() {
        View::Bool(b) => Form::Bool(b),
        View::Int(x) => Form::Int(x),
        View::Float(x) => Form::Float(x),
        View::Text(text) => Form::str(text),
        View::Word(word) => Form::Word(word),
        View::Value(value) => Form::Value(value),
        View::Pair(items) => Form::Tuple(items.into_iter().map(|item| form(item, None)).collect()),
        View::Option(value) => Form::Optional(value.map(|value| Box::new(form(value, None)))),
        View::Shared(inner, address) => match base.map(Reflect::view) {
            Some(View::Shared(_, same)) if same == address => Form::Keep,
            Some(View::Shared(base, _)) => form(inner, Some(base)),
            _ => form(inner, None),
        },
        View::Tiles(tiles) => match base.map(Reflect::view) {
            Some(View::Tiles(base)) => tiles.form(Some(base)),
            _ => tiles.form(None),
        },
        View::TileShape(shape) => shape.form(None),
        View::Call(call) => call.form(None),
        View::Condition(condition) => condition.form(None),
        View::FieldType(ty) => ty.form(None),
        View::List(list) => match base.map(Reflect::view) {
            Some(View::List(base)) => list_form(list, Some(base)),
            _ => list_form(list, None),
        },
        View::Map(map) => match base.map(Reflect::view) {
            Some(View::Map(base)) => map_form(map, Some(base)),
            _ => map_form(map, None),
        },
        View::Record(record) => match base.map(Reflect::view) {
            Some(View::Record(base)) => record_form(record, Some(base)),
            _ => record_form(record, None),
        },
        // Choices are flat, and their record writes them; one alone is needed where it is contested.
        View::Choice(choice) => {
            let content = form(choice.content(), None);
            match choice.variant().and_then(|variant| variant.field) {
                Some(field) => Form::Record(vec![Slot::new(field.key, content)]),
                None => content,
            }
        }
    }
}

fn record_form<'m>(record: &'m dyn RecordView, base: Option<&dyn RecordView>) -> Form<'m> {
    let base = base.filter(|base| tag_of(*base) == tag_of(record)).map(fields_of).unwrap_or_default();
    let mut slots = Vec::with_capacity(record.record().fields.len());
    each_field(record, &mut |it| {
        let old = base.iter().find(|old| old.field.key == it.field.key);
        let form = form(it.value, old.map(|old| old.value));
        slots.push(Slot { name: it.field.key, form, is_default: it.is_default });
    });
    record.record().sort(&mut slots, |slot| slot.name);
    match tag_of(record) {
        Some(tag) => Form::Tagged(tag, Box::new(Form::Record(slots))),
        None => Form::Record(slots),
    }
}

/// What identifies an element of a list in a text: its tag and its id.
fn id_of(value: &dyn Reflect) -> Option<(&'static str, &str)> {
    let id = reflect::id_of(value)?;
    Some((record_in(value).and_then(tag_of).unwrap_or_default(), id))
}

fn is_own_line(ty: Type) -> bool {
    ty.record().is_some_and(|record| record.is_own_line)
}

fn list_form<'m>(list: &'m dyn ListView, base: Option<&dyn ListView>) -> Form<'m> {
    let ty = list.item_type();
    let id = ty.record().filter(|record| record.is_by_id);
    let id = id.and_then(|record| record.fields.iter().find(|field| field.is_id)).map(|field| field.key);
    // Only elements with names of their own can be matched with those of the file, changed or not.
    let mine = id.and_then(|_| ids_of(list));
    let by = id.filter(|_| mine.is_some()).map_or(ListBy::Content, ListBy::Field);
    let base = mine.as_ref().and(base).and_then(|base| Some((base, ids_of(base)?)));
    let known = mine.zip(base.as_ref()).map(|(mine, (_, old))| same_elements(&mine, old));
    let old = |at: usize| base.as_ref()?.0.get(known.as_ref()?.get(at).copied()??);
    let items = (0..list.len()).filter_map(|at| Some(form(list.get(at)?, old(at)))).collect();
    Form::List(List { by, known, own_lines: is_own_line(ty), ..List::new(items) })
}

/// What identifies the elements of a list, if all have an id and no two the same.
fn ids_of(list: &dyn ListView) -> Option<Vec<(&'static str, &str)>> {
    let mut seen = HashSet::new();
    let id = |at| list.get(at).and_then(id_of).filter(|id| seen.insert(*id));
    (0..list.len()).map(id).collect()
}

/// For each element with a name, which element of the file it is: the one of its name, else one of the same kind whose
/// name is gone, because it was renamed.
fn same_elements(items: &[(&str, &str)], base: &[(&str, &str)]) -> Vec<Option<usize>> {
    let by_name: HashMap<_, usize> = base.iter().enumerate().map(|(at, old)| (old, at)).collect();
    let mut out: Vec<Option<usize>> = items.iter().map(|item| by_name.get(item).copied()).collect();
    let mut is_free = vec![true; base.len()];
    out.iter().flatten().for_each(|at| is_free[*at] = false);
    for ((tag, _), slot) in items.iter().zip(&mut out).filter(|(_, slot)| slot.is_none()) {
        *slot = base.iter().zip(&is_free).position(|((old, _), free)| *free && old == tag);
        slot.iter().for_each(|at| is_free[*at] = false);
    }
    out
}

/// Names are mostly shared with the file's document: then their text need not be read.
fn is_same(a: &str, b: &str) -> bool {
    std::ptr::eq(a, b) || a == b
}

fn map_form<'m>(map: &'m dyn MapView, base: Option<&dyn MapView>) -> Form<'m> {
    // Mostly nothing comes or goes, and a key is where it was.
    let entry = |at: usize| {
        if let (Some(name), Some(value)) = (map.name_at(at), map.value_at(at))
            && let Some(base) = base.filter(|base| base.name_at(at).is_some_and(|old| is_same(old, name)))
        {
            return Some((Form::str(name), form(value, base.value_at(at))));
        }
        let (key, value) = map.at(at)?;
        let old = base.and_then(|base| base.value_at(base.index_of(&key)?));
        let key = match key {
            Key::Id(id) => Form::Int(i64::from(id)),
            Key::Name(_) => Form::str(map.name_at(at)?),
        };
        Some((key, form(value, old)))
    };
    Form::Map(Map { own_lines: is_own_line(map.item_type()), ..Map::new((0..map.len()).filter_map(entry).collect()) })
}
