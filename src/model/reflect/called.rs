//! What places of documents are called, in users' words.

use super::{Field, Record, Type};
use crate::model::{FieldPath, Seg};

/// What a place is called, with what it is in: `opacity of layer ground`, `transition 2 of state Aim`. Empty for the document.
#[must_use]
pub fn called(root: Type, at: &FieldPath) -> String {
    let mut ty = root;
    // The thing, what that is in, and the names of fields inside the thing.
    let (mut thing, mut outer, mut inside): (Option<String>, Option<String>, Vec<String>) = (None, None, Vec::new());
    for seg in &at.0 {
        while let Type::Shared(of) | Type::Option(of) = ty {
            ty = of();
        }
        let text = match seg {
            Seg::Key(key) => key.to_string(),
            Seg::Index(at) => (at + 1).to_string(),
        };
        ty = match ty {
            Type::Record(record) => {
                inside.push(text.replace('_', " "));
                field_of(record, &text).map_or(Type::Value, |field| (field.ty)())
            }
            Type::List(of) | Type::Map(of) | Type::MapById(of) => {
                let item = of();
                if let Some(record) = item.record() {
                    let noun = record.what.split_once(' ').map_or(record.what, |(_, noun)| noun);
                    outer = thing.filter(|_| matches!(seg, Seg::Index(_)));
                    thing = Some(format!("{noun} {text}"));
                    inside.clear();
                } else {
                    inside.push(text);
                }
                item
            }
            other => {
                inside.push(text);
                other
            }
        };
    }
    let parts = [Some(inside.join(" ")).filter(|text| !text.is_empty()), thing, outer];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" of ")
}

/// Whether a path ends at a field of a record, and not at an entry of a map or an element of a list.
#[must_use]
pub fn is_field(root: Type, at: &FieldPath) -> bool {
    let mut ty = root;
    let mut is_field = false;
    for seg in &at.0 {
        while let Type::Shared(of) | Type::Option(of) = ty {
            ty = of();
        }
        is_field = matches!(ty, Type::Record(_));
        ty = match (ty, seg) {
            (Type::Record(record), Seg::Key(key)) => field_of(record, key).map_or(Type::Value, |field| (field.ty)()),
            (Type::List(of) | Type::Map(of) | Type::MapById(of), _) => of(),
            (other, _) => other,
        };
    }
    is_field
}

/// A field of a record, or of what may stand beside its fields.
fn field_of(record: &'static Record, key: &str) -> Option<&'static Field> {
    record.fields.iter().find_map(|field| {
        if !field.is_flat {
            return Some(field).filter(|field| field.key == key);
        }
        match (field.ty)() {
            Type::Record(inner) => field_of(inner, key),
            Type::Choice(choice) => choice.variants.iter().find_map(|variant| match variant.field {
                Some(field) => Some(field).filter(|field| field.key == key),
                None => field_of((variant.content)().record()?, key),
            }),
            _ => None,
        }
    })
}
