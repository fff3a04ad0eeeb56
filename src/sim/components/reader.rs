//! Reads values of data as the types the preview computes with.
//!
//! Invariant: a field that an entity does not have, or that holds a value of another type, reads as the built-in
//! schema's default; there are no other defaults. Numbers are finite.

use glam::Vec2;
use indexmap::IndexMap;

use crate::{
    defs::{Resolution, Resolved, ResolvedComponent},
    model::{FieldSpec, FieldType, Name, Schema, Value, parse_color},
    sim::{
        behavior::vocabulary::{RouteMode, vec2},
        physics::{BodyKind, Falloff, JointKind, Motor},
    },
};

/// A type that values of data can be read as.
pub(in crate::sim) trait FromValue: Default {
    /// `None` for a value of another type.
    fn from_value(value: &Value) -> Option<Self>;
}

/// Reads the fields of one component, or of a struct within one.
pub(super) struct Reader<'a> {
    own: Own<'a>,
    builtin: Option<&'a IndexMap<Name, FieldSpec>>,
    pub(super) schema: &'a Schema,
}

/// The source of the fields.
enum Own<'a> {
    Nothing,
    Component(&'a ResolvedComponent),
    Struct(&'a Value),
}

impl<'a> Reader<'a> {
    /// A reader of a component of an entity, whether the entity has it or not.
    pub(super) fn new(resolution: &'a Resolution, resolved: Option<&'a Resolved>, component: &str) -> Self {
        let own = resolved.and_then(|resolved| resolved.components.get(component));
        Self {
            own: own.map_or(Own::Nothing, |own| Own::Component(own)),
            builtin: resolution.builtin().schema.components.get(component).map(|spec| &spec.fields),
            schema: &resolution.schema,
        }
    }

    /// The value of a field.
    pub(super) fn get<T: FromValue>(&self, field: &str) -> T {
        self.value(field).and_then(T::from_value).unwrap_or_else(|| self.default(field))
    }

    /// The default of a field.
    pub(super) fn default<T: FromValue>(&self, field: &str) -> T {
        let spec = self.builtin.and_then(|fields| fields.get(field));
        spec.and_then(|spec| T::from_value(&spec.default_value())).unwrap_or_default()
    }

    /// The raw value of a field.
    pub(super) fn value(&self, field: &str) -> Option<&'a Value> {
        match self.own {
            Own::Nothing => None,
            Own::Component(component) => Some(&component.fields.get(field)?.value),
            Own::Struct(value) => value.field(field),
        }
    }

    /// The raw value of a field, or its default.
    pub(super) fn stated(&self, field: &str) -> Option<Value> {
        let default = || self.builtin?.get(field).map(FieldSpec::default_value);
        self.value(field).cloned().or_else(default)
    }

    /// The entries of a field that is a map of structs.
    pub(super) fn entries(&self, field: &str) -> impl Iterator<Item = (&'a str, Reader<'a>)> {
        let (builtin, schema) = (self.builtin_within(field), self.schema);
        let entries = if let Some(Value::Map(entries)) = self.value(field) { &entries[..] } else { &[] };
        entries
            .iter()
            .filter_map(move |(key, value)| Some((key.as_str()?, Self { own: Own::Struct(value), builtin, schema })))
    }

    /// The elements of a field that is a list of structs.
    pub(super) fn items(&self, field: &str) -> impl Iterator<Item = Reader<'a>> {
        let (builtin, schema) = (self.builtin_within(field), self.schema);
        let items = self.value(field).and_then(Value::as_list).unwrap_or_default();
        items.iter().map(move |value| Self { own: Own::Struct(value), builtin, schema })
    }

    /// The fields of the structs in a field that is a map or a list of structs.
    fn builtin_within(&self, field: &str) -> Option<&'a IndexMap<Name, FieldSpec>> {
        match &self.builtin?.get(field)?.ty {
            FieldType::Map(of) | FieldType::List(of) => match &**of {
                FieldType::Struct(fields) => Some(fields),
                _ => None,
            },
            _ => None,
        }
    }
}

macro_rules! from_value {
    ($($ty:ty: $read:expr,)*) => {
        $(impl FromValue for $ty {
            fn from_value(value: &Value) -> Option<Self> {
                let read: fn(&Value) -> Option<Self> = $read;
                read(value)
            }
        })*
    };
}

from_value! {
    bool: Value::as_bool,
    i64: Value::as_i64,
    f64: |value| value.as_f64().filter(|x| x.is_finite()),
    f32: |value| value.as_f64().map(single).filter(|x| x.is_finite()),
    [f64; 2]: Value::as_vec2,
    Option<[f64; 2]>: |value| Some(value.as_option().and_then(Value::as_vec2)),
    Option<f64>: |value| Some(value.as_option().and_then(f64::from_value)),
    Vec2: |value| vec2(value).filter(|v| v.is_finite()),
    [u8; 4]: |value| parse_color(value.as_str()?),
    Name: |value| value.as_str().map(Into::into),
    Vec<Name>: |value| Some(value.as_list()?.iter().filter_map(Name::from_value).collect()),
    Vec<u32>: |value| Some(value.as_list()?.iter().filter_map(|item| item.as_i64()?.try_into().ok()).collect()),
    RouteMode: |value| value.as_str().map(RouteMode::parse),
    Vec<Vec2>: |value| Some(value.as_list()?.iter().filter_map(Vec2::from_value).collect()),
    JointKind: |value| match value.as_str()? {
        "Revolute" => Some(JointKind::Revolute),
        "Prismatic" => Some(JointKind::Prismatic),
        "Distance" => Some(JointKind::Distance),
        "Rope" => Some(JointKind::Rope),
        "Weld" => Some(JointKind::Weld),
        "Spring" => Some(JointKind::Spring),
        _ => None,
    },
    Motor: |value| match value.as_str()? {
        "Off" => Some(Motor::Off),
        "Speed" => Some(Motor::Speed),
        "Position" => Some(Motor::Position),
        _ => None,
    },
    Falloff: |value| match value.as_str()? {
        "None" => Some(Falloff::None),
        "Linear" => Some(Falloff::Linear),
        "Square" => Some(Falloff::Square),
        _ => None,
    },
    BodyKind: |value| match value.as_str()? {
        "Static" => Some(BodyKind::Static),
        "Kinematic" => Some(BodyKind::Kinematic),
        "Dynamic" => Some(BodyKind::Dynamic),
        _ => None,
    },
}

#[expect(clippy::cast_possible_truncation, reason = "lengths, speeds and times of a game")]
fn single(x: f64) -> f32 {
    x as f32
}
