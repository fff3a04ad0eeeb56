//! The one description of documents: which fields their records have, of which types, with which defaults and limits,
//! and access to the value of each. Reading, writing, merging and the JSON Schema are written once, over these views,
//! for all records.
//!
//! Invariant: the shapes are a closed set, so every walk handles all of them. Nothing here knows of text or of the
//! window.

mod called;
mod containers;
mod data;
mod declare;
mod field;
mod limits;
mod place;

use std::{any::Any, fmt::Debug};

pub use called::{called, is_field};
pub use data::Data;
pub use declare::describe;
pub use field::{Choice, Field, Names, Record, Type, Variant, Word};
pub use limits::{OutOfRange, out_of_range, refused_by};
pub use place::{by_index, drop_at, index_in, place, place_mut, rekey_at, write_at};

use super::{Call, Condition, FieldType, Name, TileShape, Tiles, Value};

/// A value that can stand in a document. The macro `describe!` implements it for records and enums.
pub trait Reflect: Any + Debug + Send + Sync {
    /// The type, where there is no value.
    fn type_of() -> Type
    where
        Self: Sized;
    /// Its type.
    fn ty(&self) -> Type;
    /// A value to read data into: every field has its default, or the smallest value of its type if it has none.
    fn blank() -> Self
    where
        Self: Sized;
    /// A read-only view of its content.
    fn view(&self) -> View<'_>;
    /// A mutable view of its content. What is shared by `Arc` is copied first.
    fn view_mut(&mut self) -> ViewMut<'_>;
    /// A copy; of an `Arc`, another pointer to the same.
    fn boxed(&self) -> Box<dyn Reflect>;
    /// Replace it by a copy of a value of the same type; `false` without effect if the other is of another type.
    fn assign(&mut self, from: &dyn Reflect) -> bool;
    /// Reset every field to its default, to read data into it.
    fn clear(&mut self);
    /// Whether another value is of the same type and equal.
    fn equals(&self, other: &dyn Reflect) -> bool;
}

/// A read-only view of a value's content, by the shape of its type.
#[derive(Clone, Copy)]
pub enum View<'a> {
    /// `true` or `false`
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A string or a name.
    Text(&'a str),
    /// A word of an enum without content.
    Word(&'static str),
    /// Two values of one type.
    Pair([&'a dyn Reflect; 2]),
    /// A value or none.
    Option(Option<&'a dyn Reflect>),
    /// Something shared: its value, and an address that is the same for two owners of the same value.
    Shared(&'a dyn Reflect, *const ()),
    /// Any number of values of one type.
    List(&'a dyn ListView),
    /// Values of one type by key.
    Map(&'a dyn MapView),
    /// Named fields.
    Record(&'a dyn RecordView),
    /// One of several contents, each with a tag.
    Choice(&'a dyn ChoiceView),
    /// A value whose type the game's schema declares.
    Value(&'a Value),
    /// The cells of a tile layer.
    Tiles(&'a Tiles),
    /// What of a tile is solid.
    TileShape(&'a TileShape),
    /// A named call with arguments.
    Call(&'a Call),
    /// A question.
    Condition(&'a Condition),
    /// The type of a field of the game's schema.
    FieldType(&'a FieldType),
}

/// A mutable view of a value's content, by the shape of its type.
pub enum ViewMut<'a> {
    /// `true` or `false`
    Bool(&'a mut bool),
    /// A whole number.
    Int(&'a mut dyn IntViewMut),
    /// A number.
    Float(&'a mut f64),
    /// A string.
    Text(&'a mut String),
    /// A name.
    Name(&'a mut Name),
    /// A word of an enum without content.
    Word(&'a mut dyn WordViewMut),
    /// Two values of one type.
    Pair([&'a mut dyn Reflect; 2]),
    /// A value or none.
    Option(&'a mut dyn OptionViewMut),
    /// The value that is shared, copied if it has other owners.
    Shared(&'a mut dyn Reflect),
    /// Any number of values of one type.
    List(&'a mut dyn ListViewMut),
    /// Values of one type by key.
    Map(&'a mut dyn MapViewMut),
    /// Named fields.
    Record(&'a mut dyn RecordViewMut),
    /// One of several contents, each with a tag.
    Choice(&'a mut dyn ChoiceViewMut),
    /// A value whose type the game's schema declares.
    Value(&'a mut Value),
    /// The cells of a tile layer.
    Tiles(&'a mut Tiles),
    /// What of a tile is solid.
    TileShape(&'a mut TileShape),
    /// A named call with arguments.
    Call(&'a mut Call),
    /// A question.
    Condition(&'a mut Condition),
    /// The type of a field of the game's schema.
    FieldType(&'a mut FieldType),
}

/// Reads into a blank value; `false` when it could not be read.
pub type Fill<'f> = &'f mut dyn FnMut(&mut dyn Reflect) -> bool;

/// A whole number of any width, to change.
pub trait IntViewMut {
    /// Become this number; `false`, and nothing happens, if it does not fit.
    fn set(&mut self, x: i64) -> bool;
    /// The smallest and largest number that fit.
    fn limits(&self) -> [i64; 2];
}

/// A word of an enum, to change.
pub trait WordViewMut {
    /// The enum.
    fn word_type(&self) -> &'static Word;
    /// Become this word; `false`, and nothing happens, if there is no such word.
    fn set(&mut self, word: &str) -> bool;
}

/// A value or none, to change.
pub trait OptionViewMut {
    /// Become none.
    fn clear(&mut self);
    /// Become what `fill` makes of a blank value, if it can be made.
    fn fill(&mut self, fill: Fill<'_>) -> bool;
    /// The value that is there.
    fn value_mut(&mut self) -> Option<&mut dyn Reflect>;
}

/// A list.
pub trait ListView {
    /// How many values it has.
    fn len(&self) -> usize;
    /// Whether it has none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// One of them.
    fn get(&self, at: usize) -> Option<&dyn Reflect>;
    /// The type of each.
    fn item_type(&self) -> Type;
}

/// A list, to change.
pub trait ListViewMut: ListView {
    /// Make room for so many more.
    fn reserve(&mut self, n: usize);
    /// Add what `fill` makes of a blank value at the end, if it can be made.
    fn push(&mut self, fill: Fill<'_>) -> bool;
    /// Have copies of these values instead; those of another type are left out.
    fn replace(&mut self, items: &mut dyn Iterator<Item = Box<dyn Reflect>>);
    /// One of the values.
    fn get_mut(&mut self, at: usize) -> Option<&mut dyn Reflect>;
    /// Take out one of the values, which exists.
    fn remove(&mut self, at: usize) -> Box<dyn Reflect>;
    /// Move one of the values, which exists, so that it is number `to`, at most the last.
    fn reorder(&mut self, from: usize, to: usize);
    /// Take over the values of another list of the same type.
    fn append(&mut self, others: &mut dyn ListViewMut);
}

/// A key of a map.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// A name.
    Name(Name),
    /// A number.
    Id(u32),
}

impl Key {
    /// The key that a path calls so; `None` where keys are numbers and this is none.
    #[must_use]
    pub fn of(name: &str, is_id: bool) -> Option<Self> {
        if is_id { name.parse().ok().map(Self::Id) } else { Some(Self::Name(name.into())) }
    }

    /// What a path calls it.
    #[must_use]
    pub fn name(&self) -> Name {
        match self {
            Self::Name(name) => name.clone(),
            Self::Id(id) => id.to_string().into(),
        }
    }
}

/// A map.
pub trait MapView {
    /// How many entries it has.
    fn len(&self) -> usize;
    /// Whether it has none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// An entry by its place in the written order.
    fn at(&self, at: usize) -> Option<(Key, &dyn Reflect)>;
    /// The value of an entry by its place in the written order.
    fn value_at(&self, at: usize) -> Option<&dyn Reflect>;
    /// The name of an entry; `None` where keys are numbers.
    fn name_at(&self, at: usize) -> Option<&str>;
    /// The place of an entry.
    fn index_of(&self, key: &Key) -> Option<usize>;
    /// Whether keys are numbers.
    fn has_ids(&self) -> bool;
    /// The type of each value.
    fn item_type(&self) -> Type;
}

/// A map, to change.
pub trait MapViewMut: MapView {
    /// Make room for so many more.
    fn reserve(&mut self, n: usize);
    /// Give a key what `fill` makes of a blank value, if it can be made.
    fn insert(&mut self, key: Key, fill: Fill<'_>) -> bool;
    /// Have copies of these entries instead; those of another type are left out.
    fn replace(&mut self, entries: &mut dyn Iterator<Item = (Key, Box<dyn Reflect>)>);
    /// The value of a key.
    fn get_mut(&mut self, key: &Key) -> Option<&mut dyn Reflect>;
    /// Take out an entry: its place and its value.
    fn remove(&mut self, key: &Key) -> Option<(usize, Box<dyn Reflect>)>;
    /// Move an entry, which exists, so that it is number `to`, at most the last.
    fn reorder(&mut self, from: usize, to: usize);
    /// Put an entry at a place, where none has its key; `false` if the key or the value is of another type.
    fn put(&mut self, at: usize, key: &Key, value: Box<dyn Reflect>) -> bool;
    /// A blank value.
    fn blank_value(&self) -> Box<dyn Reflect>;
}

/// A record's fields, by their index in its description.
pub trait RecordView {
    /// Its description.
    fn record(&self) -> &'static Record;
    /// The value of a field.
    fn get(&self, at: usize) -> Option<&dyn Reflect>;
    /// Whether a field has its declared default.
    fn is_default(&self, at: usize) -> bool;
}

/// A record's fields, to change.
pub trait RecordViewMut: RecordView {
    /// Give a field its default; one without gets the least value of its type.
    fn reset(&mut self, at: usize);
    /// The value of a field.
    fn get_mut(&mut self, at: usize) -> Option<&mut dyn Reflect>;
}

/// One of several contents.
pub trait ChoiceView {
    /// Its description.
    fn choice(&self) -> &'static Choice;
    /// Which it is, as an index into [`Choice::variants`].
    fn which(&self) -> usize;
    /// The content.
    fn content(&self) -> &dyn Reflect;
}

/// One of several contents, to change.
pub trait ChoiceViewMut: ChoiceView {
    /// Become a blank one of these; nothing happens if it is one already.
    fn become_variant(&mut self, which: usize);
    /// The content.
    fn content_mut(&mut self) -> &mut dyn Reflect;
}

impl dyn ChoiceView + '_ {
    /// The description of the content that is there.
    #[must_use]
    pub fn variant(&self) -> Option<&'static Variant> {
        self.choice().variants.get(self.which())
    }
}

/// A value without the pointer by which it may be shared.
#[must_use]
pub fn unshared(value: &dyn Reflect) -> &dyn Reflect {
    if let View::Shared(inner, _) = value.view() { unshared(inner) } else { value }
}

/// A mutable view of a value, without the pointer by which it may be shared.
pub fn unshared_mut(value: &mut dyn Reflect) -> ViewMut<'_> {
    match value.view_mut() {
        ViewMut::Shared(inner) => unshared_mut(inner),
        view => view,
    }
}

/// The record of a value that may be shared.
#[must_use]
pub fn record_in(value: &dyn Reflect) -> Option<&dyn RecordView> {
    if let View::Record(record) = unshared(value).view() { Some(record) } else { None }
}

/// The name that a record, shared or not, has by a field of its own, as a layer has.
#[must_use]
pub fn id_of(value: &dyn Reflect) -> Option<&str> {
    let record = record_in(value)?;
    let at = record.record().fields.iter().position(|field| field.is_id)?;
    if let View::Text(id) = record.get(at)?.view() { Some(id) } else { None }
}

/// A field of a record as files have it: those of flat fields stand beside the record's own.
pub struct FieldValue<'a> {
    /// Its description.
    pub field: &'static Field,
    /// Its value.
    pub value: &'a dyn Reflect,
    /// Whether it may be left out.
    pub is_default: bool,
}

/// The fields of a record as files have them, in the order in which new ones are written.
#[must_use]
pub fn fields_of(record: &dyn RecordView) -> Vec<FieldValue<'_>> {
    let mut out = Vec::with_capacity(record.record().fields.len());
    each_field(record, &mut |it| out.push(it));
    record.record().sort(&mut out, |it| it.field.key);
    out
}

/// Call `meet` for the fields of a record as files have them, in the order in which they are declared.
pub fn each_field<'a>(record: &'a dyn RecordView, meet: &mut dyn FnMut(FieldValue<'a>)) {
    for (at, field) in record.record().fields.iter().enumerate() {
        let Some(value) = record.get(at) else { continue };
        if !field.is_flat {
            let value = match value.view() {
                View::Option(value) if field.is_absent => value,
                _ => Some(value),
            };
            value.into_iter().for_each(|value| meet(FieldValue { field, value, is_default: record.is_default(at) }));
            continue;
        }
        let content = match value.view() {
            View::Choice(choice) => {
                let content = choice.content();
                if let Some(field) = choice.variant().and_then(|variant| variant.field) {
                    // Content of one field is left out when it is empty.
                    let is_default = !choice.choice().is_by_key && is_empty(content);
                    meet(FieldValue { field, value: content, is_default });
                    continue;
                }
                content
            }
            _ => value,
        };
        if let View::Record(inner) = content.view() {
            each_field(inner, meet);
        }
    }
}

fn is_empty(value: &dyn Reflect) -> bool {
    match value.view() {
        View::List(list) => list.is_empty(),
        View::Map(map) => map.is_empty(),
        View::Option(value) => value.is_none(),
        _ => false,
    }
}

/// The tag of a record with a choice of contents that has one.
#[must_use]
pub fn tag_of(record: &dyn RecordView) -> Option<&'static str> {
    let (at, _) = record.record().choice()?;
    match record.get(at)?.view() {
        View::Choice(choice) => Some(choice.variant()?.tag),
        _ => None,
    }
}
