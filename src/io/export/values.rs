//! Values of exports: completed by their type, images with their exported path, then written as JSON or RON.

use std::collections::BTreeSet;

use indexmap::IndexMap;
use ron::value::RawValue;

use crate::model::{DocPath, FieldSpec, FieldType, Fields, Shape, Value};

/// The folders beside the exported file that hold the images and the sounds.
const IMAGES: &str = "images";
const SOUNDS: &str = "sounds";

/// The folder beside the exported file that a file of the project is copied to.
pub(super) fn folder_of(asset: &DocPath) -> &'static str {
    if asset.is_sound() { SOUNDS } else { IMAGES }
}

/// How RON exports are laid out.
pub(super) fn ron_config() -> ron::ser::PrettyConfig {
    ron::ser::PrettyConfig::new().new_line("\n").struct_names(false).compact_arrays(true)
}

/// A format of values.
pub(super) trait Target {
    /// A value as this target holds it.
    type Value: Clone + std::fmt::Debug + serde::Serialize;
    /// Write a value of a type.
    fn write(ty: &FieldType, value: &Value) -> Self::Value;
}

/// JSON: everything in its plainest form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Json;

/// RON: as the project's files write it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ron;

impl Target for Json {
    type Value = serde_json::Value;

    fn write(ty: &FieldType, value: &Value) -> Self::Value {
        use serde_json::{Value as J, json};
        match (ty, value) {
            (FieldType::Option(inner), _) => value.as_option().map_or(J::Null, |value| Self::write(inner, value)),
            (FieldType::List(item), Value::List(items)) => items.iter().map(|value| Self::write(item, value)).collect(),
            (FieldType::Map(item), Value::Map(entries)) => {
                entries.iter().map(|(key, value)| (key_text(key), Self::write(item, value))).collect()
            }
            (FieldType::Struct(specs), Value::Struct(fields)) => fields
                .iter()
                .map(|(name, value)| {
                    let ty = specs.get(name).map_or(&FieldType::Any, |spec| &spec.ty);
                    (name.to_string(), Self::write(ty, value))
                })
                .collect(),
            (FieldType::Shape, _) => match Shape::from_value(value) {
                Ok(Shape::Box(size)) => json!({ "kind": "box", "size": size }),
                Ok(Shape::Circle(radius)) => json!({ "kind": "circle", "radius": radius }),
                Ok(Shape::Capsule { radius, height }) => {
                    json!({ "kind": "capsule", "radius": radius, "height": height })
                }
                Ok(Shape::Polygon(points)) => json!({ "kind": "polygon", "points": points }),
                Err(_) => J::Null,
            },
            _ => plain(value),
        }
    }
}

impl Target for Ron {
    type Value = RonText;

    fn write(_: &FieldType, value: &Value) -> Self::Value {
        RonText(value.to_string())
    }
}

/// A value as RON text, written as it is.
#[derive(Clone, Debug)]
pub(super) struct RonText(String);

impl serde::Serialize for RonText {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_ron(&self.0).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

/// A value of which no type is known.
fn plain(value: &Value) -> serde_json::Value {
    use serde_json::Value as J;
    match value {
        Value::Bool(b) => J::Bool(*b),
        Value::Int(i) => J::from(*i),
        Value::Float(x) => J::from(*x),
        Value::Str(s) => J::from(s.as_str()),
        Value::Symbol(_) if value.is_none() => J::Null,
        Value::Symbol(s) => J::from(&**s),
        Value::Tuple(items) if items.is_empty() => J::Object(serde_json::Map::new()),
        Value::List(items) | Value::Tuple(items) => items.iter().map(plain).collect(),
        Value::Struct(fields) => fields.iter().map(|(name, value)| (name.to_string(), plain(value))).collect(),
        Value::Map(entries) => entries.iter().map(|(key, value)| (key_text(key), plain(value))).collect(),
        Value::Tagged(tag, _) if &**tag == "Some" => value.as_option().map_or(J::Null, plain),
        Value::Tagged(tag, content) => J::Object([(tag.to_string(), plain(content))].into_iter().collect()),
    }
}

fn key_text(key: &Value) -> String {
    key.as_str().map_or_else(|| key.to_string(), str::to_owned)
}

/// The images and sounds that something exported names.
#[derive(Debug)]
pub(super) struct Images {
    /// As paths in the project.
    pub(super) named: BTreeSet<DocPath>,
    are_moved: bool,
}

impl Images {
    /// Images are copied beside the export and named by their place there.
    pub(super) fn moved() -> Self {
        Self { named: BTreeSet::new(), are_moved: true }
    }

    /// Images stay where they are.
    pub(super) fn unmoved() -> Self {
        Self { named: BTreeSet::new(), are_moved: false }
    }

    /// The path of an image of the project in the export; noted, so that it is copied.
    pub(super) fn exported(&mut self, image: &DocPath) -> String {
        self.named.insert(image.clone());
        if self.are_moved { format!("{}/{image}", folder_of(image)) } else { image.to_string() }
    }
}

/// A value completed by its type: whole numbers where floats are meant become floats, structs get the
/// fields left out, images and sounds their exported path.
pub(super) fn complete(ty: &FieldType, value: &Value, images: &mut Images) -> Value {
    match (ty, value) {
        #[expect(clippy::cast_precision_loss, reason = "data is written as numbers people read")]
        (FieldType::Float | FieldType::Angle, Value::Int(i)) => Value::Float(*i as f64),
        (FieldType::Vec2, _) => value.as_vec2().map_or_else(|| value.clone(), |[x, y]| Value::vec2(x, y)),
        (FieldType::Image | FieldType::Sound, Value::Str(path)) => match DocPath::new(path) {
            Some(path) => Value::Str(images.exported(&path)),
            None => value.clone(),
        },
        (FieldType::Option(inner), _) => match (value, value.as_option()) {
            (_, None) => value.clone(),
            (Value::Tagged(tag, _), Some(content)) => {
                Value::Tagged(tag.clone(), Box::new(Value::Tuple(vec![complete(inner, content, images)])))
            }
            (_, Some(content)) => complete(inner, content, images),
        },
        (FieldType::List(item), Value::List(items)) => {
            Value::List(items.iter().map(|value| complete(item, value, images)).collect())
        }
        (FieldType::Map(item), Value::Map(entries)) => {
            Value::Map(entries.iter().map(|(key, value)| (key.clone(), complete(item, value, images))).collect())
        }
        (FieldType::Struct(specs), Value::Struct(fields)) => Value::Struct(complete_fields(specs, fields, images)),
        (FieldType::Struct(specs), Value::Tuple(items)) if items.is_empty() => {
            Value::Struct(complete_fields(specs, &Fields::new(), images))
        }
        _ => value.clone(),
    }
}

/// Every declared field in order, given or by default, then those without a declaration.
pub(super) fn complete_fields(
    specs: &IndexMap<crate::model::Name, FieldSpec>,
    given: &Fields,
    images: &mut Images,
) -> Fields {
    let declared = specs.iter().map(|(name, spec)| {
        let value = given.get(name).cloned().unwrap_or_else(|| spec.default_value());
        (name.clone(), spec.ty.clone(), value)
    });
    let others = given.iter().filter(|(name, _)| !specs.contains_key(*name));
    let others = others.map(|(name, value)| (name.clone(), FieldType::Any, value.clone()));
    declared.chain(others).map(|(name, ty, value)| (name, complete(&ty, &value, images))).collect()
}

/// A type as schema files write it, structs without their fields, and those fields.
pub(super) fn describe(ty: &FieldType) -> (String, Option<&IndexMap<crate::model::Name, FieldSpec>>) {
    let of = |word: &str, inner| {
        let (text, fields) = describe(inner);
        (format!("{word}({text})"), fields)
    };
    match ty {
        FieldType::Enum(name) => (format!("Enum({name})"), None),
        FieldType::Flags(name) => (format!("Flags({name})"), None),
        FieldType::List(item) => of("List", item),
        FieldType::Map(item) => of("Map", item),
        FieldType::Option(inner) => of("Option", inner),
        FieldType::Struct(fields) => ("Struct".into(), Some(fields)),
        // What a text names is for the editor; a game reads text.
        text if text.is_text() => (format!("{:?}", FieldType::Str), None),
        plain => (format!("{plain:?}"), None),
    }
}
