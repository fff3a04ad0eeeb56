//! Merging what `model::reflect` describes: records field by field, lists and maps by what names their parts.

use std::any::Any;

use indexmap::IndexMap;

use super::{
    Encode,
    merge::{Merge, Merging, whole},
    merge_lists::MergeKey,
    write,
};
use crate::{
    io::ron_text::Form,
    model::{
        Call, Components, Fields, Name, Tiles, Value,
        reflect::{Key, ListView, MapView, RecordView, RecordViewMut, Reflect, View, ViewMut, record_in, tag_of},
    },
};

/// One version of three. `base` is `None` where the part was not there before.
pub(super) fn merged(
    base: Option<&dyn Reflect>,
    mine: &dyn Reflect,
    theirs: &dyn Reflect,
    cx: &mut Merging<'_>,
) -> Box<dyn Reflect> {
    if same(mine, theirs) {
        return mine.boxed();
    }
    let own = |cx: &mut Merging<'_>| {
        as_type::<Components>(base, mine, theirs, cx)
            .or_else(|| as_type::<Fields>(base, mine, theirs, cx))
            .or_else(|| as_type::<Vec<String>>(base, mine, theirs, cx))
            .or_else(|| as_type::<Value>(base, mine, theirs, cx))
            .or_else(|| as_type::<Tiles>(base, mine, theirs, cx))
            .or_else(|| as_type::<Call>(base, mine, theirs, cx))
    };
    if let Some(merged) = own(cx) {
        return merged;
    }
    let base_value = base;
    let mut out = mine.boxed();
    match (base.map(Reflect::view), mine.view(), theirs.view()) {
        (base, View::Option(Some(a)), View::Option(Some(b))) => {
            let base = if let Some(View::Option(base)) = base { base } else { None };
            let inner = merged(base, a, b, cx);
            if let ViewMut::Option(out) = out.view_mut() {
                out.value_mut().map(|out| out.assign(&*inner));
            }
        }
        (base, View::Shared(a, _), View::Shared(b, _)) => {
            let base = if let Some(View::Shared(base, _)) = base { Some(base) } else { None };
            let inner = merged(base, a, b, cx);
            // Parts that are shared themselves are worth keeping one by one.
            let is_whole = !a.ty().has_shared();
            if is_whole && same(&*inner, a) {
                return out;
            }
            if is_whole && same(&*inner, b) {
                return theirs.boxed();
            }
            if let ViewMut::Shared(out) = out.view_mut() {
                out.assign(&*inner);
            }
        }
        (base, View::List(a), View::List(b)) => {
            let base = if let Some(View::List(base)) = base { Some(items(base)) } else { None };
            let merged: Vec<Item> = Merge::merge(base.as_ref(), &items(a), &items(b), cx);
            if let ViewMut::List(out) = out.view_mut() {
                out.replace(&mut merged.into_iter().map(|item| item.0));
            }
        }
        (base, View::Map(a), View::Map(b)) => {
            let base = if let Some(View::Map(base)) = base { Some(entries(base)) } else { None };
            let merged: IndexMap<Key, Item> = Merge::merge(base.as_ref(), &entries(a), &entries(b), cx);
            if let ViewMut::Map(out) = out.view_mut() {
                out.replace(&mut merged.into_iter().map(|(key, item)| (key, item.0)));
            }
        }
        // Another kind of content under the same name is another thing.
        (base, View::Record(a), View::Record(b)) if tag_of(a) == tag_of(b) && !a.record().is_whole => {
            let base = if let Some(View::Record(base)) = base { Some(base) } else { None };
            if let ViewMut::Record(out) = out.view_mut() {
                merge_fields(base, [a, b], out, cx);
            }
        }
        _ => {
            let base = base_value.map(Item::of);
            return whole(base.as_ref(), &Item::of(mine), &Item::of(theirs), cx).0;
        }
    }
    out
}

/// The merge of values of a type that has rules of its own.
fn as_type<T: Merge + Reflect>(
    base: Option<&dyn Reflect>,
    mine: &dyn Reflect,
    theirs: &dyn Reflect,
    cx: &mut Merging<'_>,
) -> Option<Box<dyn Reflect>> {
    let (mine, theirs) = (of_type::<T>(mine)?, of_type::<T>(theirs)?);
    Some(Box::new(T::merge(base.and_then(of_type::<T>), mine, theirs, cx)))
}

fn of_type<T: Reflect>(value: &dyn Reflect) -> Option<&T> {
    (value as &dyn Any).downcast_ref::<T>()
}

fn merge_fields(
    base: Option<&dyn RecordView>,
    [mine, theirs]: [&dyn RecordView; 2],
    out: &mut dyn RecordViewMut,
    cx: &mut Merging<'_>,
) {
    for (at, field) in mine.record().fields.iter().enumerate() {
        let (Some(a), Some(b), Some(out)) = (mine.get(at), theirs.get(at), out.get_mut(at)) else { continue };
        let base = base.and_then(|base| base.get(at));
        if field.is_flat {
            merge_flat(base, [a, b], out, cx);
        } else if !same(a, b) {
            out.assign(&*cx.in_field(field.key, |cx| merged(base, a, b, cx)));
        }
    }
}

fn merge_flat(
    base: Option<&dyn Reflect>,
    [mine, theirs]: [&dyn Reflect; 2],
    out: &mut dyn Reflect,
    cx: &mut Merging<'_>,
) {
    match (base.map(Reflect::view), mine.view(), theirs.view(), out.view_mut()) {
        (base, View::Record(a), View::Record(b), ViewMut::Record(out)) => {
            let base = if let Some(View::Record(base)) = base { Some(base) } else { None };
            merge_fields(base, [a, b], out, cx);
        }
        (_, View::Choice(a), View::Choice(_), ViewMut::Choice(_)) if a.choice().is_by_key => {
            let key = a.variant().map_or("", |variant| variant.key);
            if !same(mine, theirs) {
                let base = base.map(Item::of);
                let whole = cx.in_field(key, |cx| whole(base.as_ref(), &Item::of(mine), &Item::of(theirs), cx));
                out.assign(&*whole.0);
            }
        }
        (base, View::Choice(a), View::Choice(b), ViewMut::Choice(out)) => {
            let base = match base {
                Some(View::Choice(base)) if base.which() == a.which() => Some(base.content()),
                _ => None,
            };
            let (mine, theirs, out) = (a.content(), b.content(), out.content_mut());
            match a.variant().and_then(|variant| variant.field) {
                None => merge_flat(base, [mine, theirs], out, cx),
                Some(field) if !same(mine, theirs) => {
                    out.assign(&*cx.in_field(field.key, |cx| merged(base, mine, theirs, cx)));
                }
                Some(_) => {}
            }
        }
        _ => {}
    }
}

/// Whether two values are equal, in the same order.
pub(super) fn same(a: &dyn Reflect, b: &dyn Reflect) -> bool {
    match (a.view(), b.view()) {
        (View::Bool(a), View::Bool(b)) => a == b,
        (View::Int(a), View::Int(b)) => a == b,
        (View::Float(a), View::Float(b)) => a == b,
        (View::Text(a), View::Text(b)) => a == b,
        (View::Word(a), View::Word(b)) => a == b,
        (View::Value(a), View::Value(b)) => Merge::same(a, b),
        (View::Tiles(a), View::Tiles(b)) => Merge::same(a, b),
        (View::TileShape(a), View::TileShape(b)) => a == b,
        (View::Call(a), View::Call(b)) => Merge::same(a, b),
        (View::Condition(a), View::Condition(b)) => a == b,
        (View::FieldType(a), View::FieldType(b)) => a == b,
        (View::Pair([a, b]), View::Pair([x, y])) => same(a, x) && same(b, y),
        (View::Option(Some(a)), View::Option(Some(b))) => same(a, b),
        (View::Option(a), View::Option(b)) => a.is_none() && b.is_none(),
        (View::Shared(a, at), View::Shared(b, other)) => at == other || same(a, b),
        (View::List(a), View::List(b)) => {
            a.len() == b.len() && (0..a.len()).all(|at| a.get(at).zip(b.get(at)).is_some_and(|(a, b)| same(a, b)))
        }
        (View::Map(x), View::Map(y)) => {
            let in_record = || {
                let components = of_type::<Components>(a).zip(of_type::<Components>(b)).map(|(a, b)| Merge::same(a, b));
                components.or_else(|| of_type::<Fields>(a).zip(of_type::<Fields>(b)).map(|(a, b)| Merge::same(a, b)))
            };
            in_record().unwrap_or_else(|| {
                let is_same = |at| x.at(at).zip(y.at(at)).is_some_and(|((j, a), (k, b))| j == k && same(a, b));
                x.len() == y.len() && (0..x.len()).all(is_same)
            })
        }
        (View::Record(a), View::Record(b)) => {
            let mut all = 0..a.record().fields.len();
            all.all(|at| a.get(at).zip(b.get(at)).is_some_and(|(a, b)| same(a, b)))
        }
        (View::Choice(a), View::Choice(b)) => a.which() == b.which() && same(a.content(), b.content()),
        _ => false,
    }
}

fn items(list: &dyn ListView) -> Vec<Item> {
    (0..list.len()).filter_map(|at| list.get(at).map(Item::of)).collect()
}

fn entries(map: &dyn MapView) -> IndexMap<Key, Item> {
    (0..map.len()).filter_map(|at| map.at(at).map(|(key, value)| (key, Item::of(value)))).collect()
}

/// A part of a list or map.
struct Item(Box<dyn Reflect>);

impl Item {
    fn of(value: &dyn Reflect) -> Self {
        Self(value.boxed())
    }
}

impl Clone for Item {
    fn clone(&self) -> Self {
        Self::of(&*self.0)
    }
}

impl Encode for Item {
    fn form<'m>(&'m self, base: Option<&Self>) -> Form<'m> {
        write::form(&*self.0, base.map(|base| &*base.0))
    }
}

impl Merge for Item {
    fn same(&self, other: &Self) -> bool {
        same(&*self.0, &*other.0)
    }

    fn merge(base: Option<&Self>, mine: &Self, theirs: &Self, cx: &mut Merging<'_>) -> Self {
        Self(merged(base.map(|base| &*base.0), &*mine.0, &*theirs.0, cx))
    }

    fn key(&self) -> Option<Name> {
        if let View::Text(text) = self.0.view() {
            return Some(text.into());
        }
        let record = record_in(&*self.0)?;
        let id = |(at, field): (usize, &crate::model::reflect::Field)| match record.get(at)?.view() {
            View::Text(id) if field.is_id => Some(id),
            _ => None,
        };
        let ids: Vec<&str> = record.record().fields.iter().enumerate().filter_map(id).collect();
        (!ids.is_empty()).then(|| ids.join(" → ").into())
    }
}

impl Encode for Key {
    fn form<'m>(&'m self, _: Option<&Self>) -> Form<'m> {
        match self {
            Self::Name(name) => Form::str(name),
            Self::Id(id) => Form::Int(i64::from(*id)),
        }
    }
}

impl MergeKey for Key {
    fn name(&self) -> Name {
        self.name()
    }
}
