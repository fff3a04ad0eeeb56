//! What is declared about records, enums and their fields: plain constants.

use std::fmt;

use crate::model::{FieldType, FieldsOf};

/// The type of a value.
#[derive(Clone, Copy)]
pub enum Type {
    /// `true` or `false`
    Bool,
    /// A whole number from the first to the second.
    Int([i64; 2]),
    /// A number.
    Float,
    /// A string or a name.
    Text,
    /// A word.
    Word(&'static Word),
    /// Two values of one type.
    Pair(fn() -> Type),
    /// A value or none.
    Option(fn() -> Type),
    /// A value that may have several owners.
    Shared(fn() -> Type),
    /// Any number of values.
    List(fn() -> Type),
    /// Values by name.
    Map(fn() -> Type),
    /// Values by number.
    MapById(fn() -> Type),
    /// Named fields.
    Record(&'static Record),
    /// One of several contents.
    Choice(&'static Choice),
    /// A value whose type the game's schema declares.
    Value,
    /// The cells of a tile layer.
    Tiles,
    /// What of a tile is solid.
    TileShape,
    /// A named call with arguments.
    Call,
    /// A question.
    Condition,
    /// The type of a field of the game's schema.
    FieldType,
}

impl Type {
    /// The record that it is, shared or not.
    #[must_use]
    pub fn record(self) -> Option<&'static Record> {
        match self {
            Self::Record(record) => Some(record),
            Self::Shared(inner) => inner().record(),
            _ => None,
        }
    }

    /// Whether its values are written as fields of a record although they are maps: values by field, and those by
    /// component.
    #[must_use]
    pub fn is_in_record(self) -> bool {
        match self {
            Self::Value => true,
            Self::Map(inner) => inner().is_in_record(),
            _ => false,
        }
    }

    /// Whether a value of it has parts that are shared, or chunks of tiles.
    #[must_use]
    pub fn has_shared(self) -> bool {
        self.any(&mut |ty| matches!(ty, Self::Shared(_) | Self::Tiles))
    }

    /// Whether fields of it, or of its parts, have limits.
    #[must_use]
    pub fn has_limits(self) -> bool {
        self.any(&mut |ty| match ty {
            Self::Record(record) => record.fields.iter().any(Field::has_limits),
            Self::Choice(choice) => choice.variants.iter().filter_map(|variant| variant.field).any(Field::has_limits),
            _ => false,
        })
    }

    /// Whether values of it, or parts of them, hold names.
    #[must_use]
    pub fn has_names(self) -> bool {
        self.any(&mut |ty| match ty {
            Self::Record(record) => record.fields.iter().any(|field| !matches!(field.names, Names::None)),
            Self::Choice(choice) => {
                let mut fields = choice.variants.iter().filter_map(|variant| variant.field);
                fields.any(|field| !matches!(field.names, Names::None))
            }
            Self::Call | Self::Condition | Self::FieldType => true,
            _ => false,
        })
    }

    /// Whether something holds for it or for the type of a part.
    fn any(self, holds: &mut dyn FnMut(Self) -> bool) -> bool {
        fn within(ty: Type, depth: usize, holds: &mut dyn FnMut(Type) -> bool) -> bool {
            /// The depth limit for recursive records: below it are only types that were seen above.
            const DEEPEST: usize = 8;
            if holds(ty) {
                return true;
            }
            let mut inside = |of: fn() -> Type| depth < DEEPEST && within(of(), depth + 1, holds);
            match ty {
                Type::Pair(of)
                | Type::Option(of)
                | Type::Shared(of)
                | Type::List(of)
                | Type::Map(of)
                | Type::MapById(of) => inside(of),
                Type::Record(record) => record.fields.iter().any(|field| inside(field.ty)),
                Type::Choice(choice) => choice.variants.iter().any(|variant| inside(variant.content)),
                _ => false,
            }
        }
        within(self, 0, holds)
    }
}

impl fmt::Debug for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool => f.write_str("Bool"),
            Self::Int(_) => f.write_str("Int"),
            Self::Float => f.write_str("Float"),
            Self::Text => f.write_str("Text"),
            Self::Word(word) => write!(f, "Word({})", word.what),
            Self::Pair(of) => write!(f, "Pair({:?})", of()),
            Self::Option(of) => write!(f, "Option({:?})", of()),
            Self::Shared(of) => of().fmt(f),
            Self::List(of) => write!(f, "List({:?})", of()),
            Self::Map(of) | Self::MapById(of) => write!(f, "Map({:?})", of()),
            Self::Record(record) => f.write_str(record.what),
            Self::Choice(choice) => f.write_str(choice.what),
            Self::Value => f.write_str("Value"),
            Self::Tiles => f.write_str("Tiles"),
            Self::TileShape => f.write_str("TileShape"),
            Self::Call => f.write_str("Call"),
            Self::Condition => f.write_str("Condition"),
            Self::FieldType => f.write_str("FieldType"),
        }
    }
}

/// The description of a record.
#[derive(Debug)]
pub struct Record {
    /// What it is, with an article: `a layer`.
    pub what: &'static str,
    /// Its fields, in the order in which new ones are written.
    pub fields: &'static [Field],
    /// Each of several has a line of its own when written anew.
    pub is_own_line: bool,
    /// The elements of a file's list are matched with those it is to have by the field that is their id.
    pub is_by_id: bool,
    /// Changed by two sides, it is contested as a whole.
    pub is_whole: bool,
    /// Fields that are written before all others, those of flat fields included.
    pub first: &'static [&'static str],
    /// The switch that protects what is in it from changes.
    pub lock: Option<&'static str>,
}

impl Record {
    /// A record of these fields.
    #[must_use]
    pub const fn new(what: &'static str, fields: &'static [Field]) -> Self {
        Self { what, fields, is_own_line: false, is_by_id: false, is_whole: false, first: &[], lock: None }
    }

    /// What it is, without an article: `layer`.
    #[must_use]
    pub fn noun(&self) -> &'static str {
        self.what.split_once(' ').map_or(self.what, |(_, noun)| noun)
    }

    /// Put things that belong to its fields, given in the order of their declaration, in the order in which files have
    /// them.
    pub fn sort<T>(&self, things: &mut [T], key: impl Fn(&T) -> &str) {
        if !self.first.is_empty() {
            things.sort_by_key(|it| self.first.iter().position(|first| *first == key(it)).unwrap_or(self.first.len()));
        }
    }

    /// Each of several has a line of its own when written anew.
    #[must_use]
    pub const fn own_line(self) -> Self {
        Self { is_own_line: true, ..self }
    }

    /// The elements of a file's list are matched with those it is to have by the field that is their id.
    #[must_use]
    pub const fn by_id(self) -> Self {
        Self { is_by_id: true, ..self }
    }

    /// Changed by two sides, it is contested as a whole.
    #[must_use]
    pub const fn whole(self) -> Self {
        Self { is_whole: true, ..self }
    }

    /// Fields that are written before all others.
    #[must_use]
    pub const fn first(self, first: &'static [&'static str]) -> Self {
        Self { first, ..self }
    }

    /// While the field of this key is true, only fields that are open can be changed.
    #[must_use]
    pub const fn locked_by(self, key: &'static str) -> Self {
        Self { lock: Some(key), ..self }
    }

    /// The field that is a choice of contents with a tag, if there is one.
    #[must_use]
    pub fn choice(&self) -> Option<(usize, &'static Choice)> {
        self.fields.iter().enumerate().find_map(|(at, field)| match (field.ty)() {
            Type::Choice(choice) if field.is_flat && !choice.is_by_key => Some((at, choice)),
            _ => None,
        })
    }
}

/// The description of a field.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is declared by itself")]
pub struct Field {
    /// Its name in files.
    pub key: &'static str,
    /// What it means, a line each.
    pub doc: &'static [&'static str],
    /// Its type.
    pub ty: fn() -> Type,
    /// It has no default.
    pub is_required: bool,
    /// Smallest number allowed.
    pub min: f64,
    /// Largest number allowed.
    pub max: f64,
    /// The smallest number is not allowed itself.
    pub is_above: bool,
    /// What one notch of a drag changes; 0 where the editor chooses.
    pub step: f64,
    /// Shown after the number.
    pub unit: &'static str,
    /// It tells elements of a list apart, alone or with others.
    pub is_id: bool,
    /// Its own fields stand beside those of the record.
    pub is_flat: bool,
    /// `None` is a value of it like others; where there is no value, it is left out.
    pub is_absent: bool,
    /// It can be changed while its record is locked.
    pub is_open: bool,
    /// Which names it holds.
    pub names: Names,
}

/// Which names a field holds. Calls, conditions and field types have rules of their own.
#[derive(Clone, Copy, Debug)]
pub enum Names {
    /// None.
    None,
    /// Its text, or each text in its list, names something as values of this type do.
    Text(&'static FieldType),
    /// Its text is the name of the record itself.
    Declares(&'static FieldType),
    /// Its keys name something as values of this type do.
    Keys(&'static FieldType),
    /// Its keys are the names of what the entries declare.
    DeclaresKeys(&'static FieldType),
    /// Values by component and field.
    Components,
    /// What `remove` lists.
    Removed,
    /// The payload of the message that the field of this key names.
    PayloadOf(&'static str),
    /// Values of custom fields.
    Fields(FieldsOf),
    /// A value of the type that the field of this key declares.
    ValueOf(&'static str),
    /// A call that reads constants and fields by name; those without a dot stand beside it.
    Response,
    /// Another field of the same component.
    FieldBeside,
}

impl Field {
    /// A field without limits.
    #[must_use]
    pub const fn new(key: &'static str, doc: &'static [&'static str], ty: fn() -> Type, is_required: bool) -> Self {
        let (min, max) = (f64::NEG_INFINITY, f64::INFINITY);
        Self {
            key,
            doc,
            ty,
            is_required,
            min,
            max,
            is_above: false,
            step: 0.0,
            unit: "",
            is_id: false,
            is_flat: false,
            is_absent: false,
            is_open: false,
            names: Names::None,
        }
    }

    /// Its text, or each text in its list, names something as values of this type do.
    #[must_use]
    pub const fn names(self, ty: &'static FieldType) -> Self {
        Self { names: Names::Text(ty), ..self }
    }

    /// Its text is a color, as `#63bde2`.
    #[must_use]
    pub const fn color(self) -> Self {
        self.names(&FieldType::Color)
    }

    /// Whether its text is a color.
    #[must_use]
    pub fn is_color(&self) -> bool {
        matches!(self.names, Names::Text(FieldType::Color))
    }

    /// Its text is the name of the record itself.
    #[must_use]
    pub const fn declares(self, ty: &'static FieldType) -> Self {
        Self { names: Names::Declares(ty), ..self }
    }

    /// Its keys name something as values of this type do.
    #[must_use]
    pub const fn keys(self, ty: &'static FieldType) -> Self {
        Self { names: Names::Keys(ty), ..self }
    }

    /// Its keys are the names of what the entries declare.
    #[must_use]
    pub const fn declares_keys(self, ty: &'static FieldType) -> Self {
        Self { names: Names::DeclaresKeys(ty), ..self }
    }

    /// It holds names in a way of its own.
    #[must_use]
    pub const fn holds(self, names: Names) -> Self {
        Self { names, ..self }
    }

    /// Its name in files, where that differs.
    #[must_use]
    pub const fn key(self, key: &'static str) -> Self {
        Self { key, ..self }
    }

    /// Numbers from `min` to `max` only.
    #[must_use]
    pub const fn range(self, min: f64, max: f64) -> Self {
        Self { min, max, ..self }
    }

    /// Numbers from `min` on only.
    #[must_use]
    pub const fn at_least(self, min: f64) -> Self {
        Self { min, ..self }
    }

    /// Numbers above `min` only.
    #[must_use]
    pub const fn above(self, min: f64) -> Self {
        Self { min, is_above: true, ..self }
    }

    /// Whether only some numbers or texts are allowed.
    #[must_use]
    pub fn has_limits(&self) -> bool {
        self.is_color() || self.min > f64::NEG_INFINITY || self.max < f64::INFINITY
    }

    /// Whether a number is within the limits.
    #[must_use]
    pub fn allows(&self, x: f64) -> bool {
        (self.min..=self.max).contains(&x) && !(self.is_above && x == self.min)
    }

    /// The limits, as in `from 0 to 1`, `above 0`.
    #[must_use]
    pub fn limits(&self) -> String {
        let Self { min, max, .. } = self;
        match (self.is_above, *max < f64::INFINITY) {
            (true, true) => format!("above {min} and at most {max}"),
            (true, false) => format!("above {min}"),
            (false, true) => format!("from {min} to {max}"),
            (false, false) => format!("at least {min}"),
        }
    }

    /// What one notch of a drag changes.
    #[must_use]
    pub const fn step(self, step: f64) -> Self {
        Self { step, ..self }
    }

    /// Shown after the number.
    #[must_use]
    pub const fn unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// It tells elements of a list apart.
    #[must_use]
    pub const fn id(self) -> Self {
        Self { is_id: true, ..self }
    }

    /// Its own fields stand beside those of the record; of a choice, the tag stands before the record.
    #[must_use]
    pub const fn flat(self) -> Self {
        Self { is_flat: true, ..self }
    }

    /// Of an option: `None` is a value like others; where there is no value, it is left out.
    #[must_use]
    pub const fn absent(self) -> Self {
        Self { is_absent: true, ..self }
    }

    /// It can be changed while its record is locked.
    #[must_use]
    pub const fn open(self) -> Self {
        Self { is_open: true, ..self }
    }
}

/// The description of an enum without content.
#[derive(Debug)]
pub struct Word {
    /// What its words are, for messages: `view`.
    pub what: &'static str,
    /// The words.
    pub words: &'static [&'static str],
}

/// The description of an enum with content.
#[derive(Debug)]
pub struct Choice {
    /// What is chosen, for messages: `kind of layer`.
    pub what: &'static str,
    /// What there is to choose from.
    pub variants: &'static [Variant],
    /// There is no tag: which it is shows in the field that is there.
    pub is_by_key: bool,
}

impl Choice {
    /// A choice of these.
    #[must_use]
    pub const fn new(what: &'static str, variants: &'static [Variant]) -> Self {
        Self { what, variants, is_by_key: false }
    }

    /// There is no tag: which it is shows in the field that is there.
    #[must_use]
    pub const fn by_key(self) -> Self {
        Self { is_by_key: true, ..self }
    }
}

/// One of several contents.
#[derive(Debug)]
pub struct Variant {
    /// The word before it in files.
    pub tag: &'static str,
    /// What a record with this content is, with an article: `a tile layer`.
    pub what: &'static str,
    /// Its type.
    pub content: fn() -> Type,
    /// The field that the content is, where it is no record.
    pub field: Option<&'static Field>,
    /// Of a choice by key, the field that is there only in this one.
    pub key: &'static str,
}
