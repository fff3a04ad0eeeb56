//! Values of documents as plain data: what an edit carries, and what editors show by their declared types.
//!
//! Invariant: a value put in place from its own data is the same value.

use serde::{Deserialize, Serialize};

use super::{Field, Fill, Key, Names, Reflect, Type, View, ViewMut, each_field, tag_of};
use crate::model::{Call, Condition, FieldSpec, FieldType, Name, TileShape, Tiles, Value};

/// A value of a document, whatever its type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Data {
    /// True or false, a number, a text, a word, two of these, or a value whose type the game's schema declares.
    Plain(Value),
    /// No value.
    None,
    /// Values one after another.
    List(Vec<Data>),
    /// Values by key; numbers are written out.
    Map(Vec<(Name, Data)>),
    /// Fields by name, of which those that have their defaults may be left out; with the tag before them, if there is
    /// one.
    Record(Option<Name>, Vec<(Name, Data)>),
    /// A named call.
    Call(Call),
    /// A question.
    Condition(Condition),
    /// The type of a field of the game's schema.
    Type(FieldType),
    /// What of a tile is solid.
    Shape(TileShape),
    /// The cells of a tile layer.
    Tiles(Tiles),
}

impl From<Value> for Data {
    fn from(value: Value) -> Self {
        Self::Plain(value)
    }
}

impl Data {
    /// The data of a value.
    #[must_use]
    pub fn of(value: &dyn Reflect) -> Self {
        match value.view() {
            View::Option(None) => Self::None,
            View::Option(Some(inner)) | View::Shared(inner, _) => Self::of(inner),
            View::List(list) => Self::List((0..list.len()).filter_map(|at| Some(Self::of(list.get(at)?))).collect()),
            View::Map(map) => {
                let entry = |at| map.at(at).map(|(key, value)| (key.name(), Self::of(value)));
                Self::Map((0..map.len()).filter_map(entry).collect())
            }
            View::Record(record) => {
                let mut fields = Vec::new();
                each_field(record, &mut |it| {
                    if !it.is_default {
                        fields.push((it.field.key.into(), Self::of(it.value)));
                    }
                });
                Self::Record(tag_of(record).map(Name::from), fields)
            }
            View::Choice(choice) => Self::of(choice.content()),
            View::Call(call) => Self::Call(call.clone()),
            View::Condition(condition) => Self::Condition(condition.clone()),
            View::FieldType(ty) => Self::Type(ty.clone()),
            View::TileShape(shape) => Self::Shape(shape.clone()),
            View::Tiles(tiles) => Self::Tiles(tiles.clone()),
            _ => Self::Plain(plain(value)),
        }
    }

    /// The same as a value of the schema's types; `None` for what these do not have.
    #[must_use]
    pub fn to_value(&self) -> Option<Value> {
        Some(match self {
            Self::Plain(value) => value.clone(),
            Self::None => Value::Symbol("None".into()),
            Self::List(items) => Value::List(items.iter().map(Self::to_value).collect::<Option<_>>()?),
            Self::Map(entries) => {
                let entry = |(key, item): &(Name, Self)| Some((Value::str(&**key), item.to_value()?));
                Value::Map(entries.iter().map(entry).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    fn is_none(&self) -> bool {
        matches!(self, Self::None) || matches!(self, Self::Plain(value) if value.is_none())
    }

    /// Put it in place of a blank value.
    ///
    /// # Errors
    /// What was expected there.
    pub fn put(&self, out: &mut dyn Reflect) -> Result<(), String> {
        match (out.view_mut(), self) {
            (ViewMut::Shared(inner), _) => self.put(inner),
            (ViewMut::Option(option), data) if data.is_none() => {
                option.clear();
                Ok(())
            }
            (ViewMut::Option(option), _) => {
                // Editors of values write `Some(x)`.
                let inside = match self {
                    Self::Plain(value @ Value::Tagged(..)) => value.as_option().map(|inner| Self::Plain(inner.clone())),
                    _ => None,
                };
                inside.as_ref().unwrap_or(self).put_new(|fill| option.fill(fill))
            }
            (ViewMut::List(list), Self::List(items)) => {
                list.replace(&mut std::iter::empty());
                items.iter().try_for_each(|item| item.put_new(|fill| list.push(fill)))
            }
            (ViewMut::List(_), Self::Plain(Value::List(items))) => {
                Self::List(items.iter().cloned().map(Self::Plain).collect()).put(out)
            }
            (ViewMut::Map(map), Self::Map(entries)) => {
                map.replace(&mut std::iter::empty());
                entries.iter().try_for_each(|(key, item)| {
                    let key = Key::of(key, map.has_ids()).ok_or_else(|| format!("`{key}` is no number"))?;
                    item.put_new(|fill| map.insert(key, fill))
                })
            }
            (ViewMut::Map(_), Self::Plain(Value::Map(entries))) => {
                let entry = |(key, value): &(Value, Value)| match key {
                    Value::Str(name) => (name.as_str().into(), Self::Plain(value.clone())),
                    other => (other.to_string().into(), Self::Plain(value.clone())),
                };
                Self::Map(entries.iter().map(entry).collect()).put(out)
            }
            (ViewMut::Map(_), Self::Plain(Value::Struct(fields))) => {
                let entries = fields.iter().map(|(name, value)| (name.clone(), Self::Plain(value.clone())));
                Self::Map(entries.collect()).put(out)
            }
            (ViewMut::Record(record), Self::Record(tag, fields)) => put_record(record, tag.as_ref(), fields),
            (ViewMut::Call(call), Self::Call(new)) => assign(call, new),
            (ViewMut::Condition(condition), Self::Condition(new)) => assign(condition, new),
            (ViewMut::Condition(condition), Self::Call(call)) => assign(condition, &Condition::Call(call.clone())),
            (ViewMut::FieldType(ty), Self::Type(new)) => assign(ty, new),
            (ViewMut::TileShape(shape), Self::Shape(new)) => assign(shape, new),
            (ViewMut::Tiles(tiles), Self::Tiles(new)) => assign(tiles, new),
            (_, Self::Plain(value)) => put_plain(out, value),
            _ => Err(format!("expected {:?}", out.ty())),
        }
    }

    /// Put it in place of the blank value that `add` makes.
    fn put_new(&self, add: impl FnOnce(Fill<'_>) -> bool) -> Result<(), String> {
        let mut result = Ok(());
        add(&mut |value| {
            result = self.put(value);
            result.is_ok()
        });
        result
    }
}

fn assign<T: Clone>(out: &mut T, new: &T) -> Result<(), String> {
    out.clone_from(new);
    Ok(())
}

fn plain(value: &dyn Reflect) -> Value {
    match value.view() {
        View::Bool(b) => Value::Bool(b),
        View::Int(x) => Value::Int(x),
        View::Float(x) => Value::Float(x),
        View::Text(text) => Value::str(text),
        View::Word(word) => Value::Symbol(word.into()),
        View::Pair(both) => Value::Tuple(both.into_iter().map(plain).collect()),
        View::Value(value) => value.clone(),
        _ => Value::Tuple(Vec::new()),
    }
}

fn put_plain(out: &mut dyn Reflect, value: &Value) -> Result<(), String> {
    let ty = out.ty();
    let is_put = match (out.view_mut(), value) {
        (ViewMut::Value(out), _) => return assign(out, value),
        (ViewMut::Bool(out), Value::Bool(b)) => return assign(out, b),
        (ViewMut::Int(out), _) => match value.as_i64() {
            Some(x) if !out.set(x) => {
                let [min, max] = out.limits();
                return Err(format!("a whole number from {min} to {max} fits, not {x}"));
            }
            found => found.is_some(),
        },
        (ViewMut::Float(out), _) => match value.as_f64() {
            Some(x) if !x.is_finite() => return Err(format!("{x} is no number that files can hold")),
            Some(x) => return assign(out, &x),
            None => false,
        },
        (ViewMut::Text(out), Value::Str(text)) => return assign(out, text),
        (ViewMut::Name(out), Value::Str(text)) => {
            *out = text.as_str().into();
            true
        }
        (ViewMut::Word(out), Value::Symbol(word)) => {
            if !out.set(word) {
                let ty = out.word_type();
                return Err(format!("`{word}` is no {}: {}", ty.what, ty.words.join(" ")));
            }
            true
        }
        (ViewMut::Pair([x, y]), Value::Tuple(items)) => match items.as_slice() {
            [a, b] => {
                put_plain(x, a)?;
                return put_plain(y, b);
            }
            _ => false,
        },
        _ => false,
    };
    if is_put { Ok(()) } else { Err(format!("expected {ty:?}, found {} `{value}`", value.kind())) }
}

fn put_record(out: &mut dyn super::RecordViewMut, tag: Option<&Name>, fields: &[(Name, Data)]) -> Result<(), String> {
    let ty = out.record();
    if let Some((at, choice)) = ty.choice() {
        let which = tag.and_then(|tag| choice.variants.iter().position(|variant| *variant.tag == **tag));
        let which = which.ok_or_else(|| format!("a {} is missing", choice.what))?;
        if let Some(ViewMut::Choice(choice)) = out.get_mut(at).map(|value| value.view_mut()) {
            choice.become_variant(which);
        }
    }
    choose_by_key(out, fields);
    for (name, data) in fields {
        let is_absent = ty.fields.iter().any(|field| field.is_absent && *field.key == **name);
        let field = super::place::field_mut(out, name).ok_or_else(|| format!("{} has no `{name}`", ty.what))?;
        match field.view_mut() {
            // `None` and `Some(x)` are values like others there.
            ViewMut::Option(option) if is_absent && *data != Data::None => {
                data.put_new(|fill| option.fill(fill))?;
            }
            _ => data.put(field)?,
        }
    }
    Ok(())
}

/// Select the variant of each choice without a tag by the fields that are present.
fn choose_by_key(out: &mut dyn super::RecordViewMut, fields: &[(Name, Data)]) {
    for at in 0..out.record().fields.len() {
        match out.get_mut(at).map(|value| value.view_mut()) {
            Some(ViewMut::Choice(choice)) if choice.choice().is_by_key => {
                let is_there = |key: &str| fields.iter().any(|(name, _)| &**name == key);
                if let Some(which) = choice.choice().variants.iter().position(|variant| is_there(variant.key)) {
                    choice.become_variant(which);
                }
            }
            Some(ViewMut::Record(inner)) if inner.record().fields.iter().any(|field| field.is_flat) => {
                choose_by_key(inner, fields);
            }
            _ => {}
        }
    }
}

impl Field {
    /// The declaration of the field as the game's schema has those of components: by it, editors show both alike. A
    /// type that no schema can declare is `Any`.
    #[must_use]
    pub fn spec(&self) -> FieldSpec {
        let text = match self.names {
            Names::Text(ty) => ty.clone(),
            _ => FieldType::Str,
        };
        let limit = |x: f64| Some(x).filter(|x| x.is_finite());
        FieldSpec {
            min: limit(self.min),
            max: limit(self.max),
            step: Some(self.step).filter(|step| *step > 0.0),
            unit: Some(self.unit.to_owned()).filter(|unit| !unit.is_empty()),
            doc: self.doc.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" "),
            ..FieldSpec::of(field_type((self.ty)(), &text))
        }
    }
}

fn field_type(ty: Type, text: &FieldType) -> FieldType {
    let inner = |of: fn() -> Type| Box::new(field_type(of(), text));
    match ty {
        Type::Bool => FieldType::Bool,
        Type::Int(_) => FieldType::Int,
        Type::Float => FieldType::Float,
        Type::Text => text.clone(),
        Type::Pair(_) => FieldType::Vec2,
        Type::Option(of) => FieldType::Option(inner(of)),
        Type::List(of) => FieldType::List(inner(of)),
        Type::Map(of) => FieldType::Map(inner(of)),
        _ => FieldType::Any,
    }
}
