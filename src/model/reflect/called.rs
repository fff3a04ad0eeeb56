//! Display names of places in documents.

use super::{Field, Record, Type};
use crate::model::{FieldPath, Seg};

/// The display name of a place, with that of its container: `opacity of layer ground`, `transition 2 of state Aim`.
/// Empty for the document.
#[must_use]
pub fn called(root: Type, at: &FieldPath) -> String {
    let mut ty = root;
    // The thing, what that is in, and the names of fields inside the thing.
    let (mut thing, mut outer, mut inside): (Option<String>, Option<String>, Vec<String>) = (None, None, Vec::new());
    for seg in &at.0 {
        let text = match seg {
            Seg::Key(key) => key.to_string(),
            Seg::Index(at) => (at + 1).to_string(),
        };
        let (to, step) = step(ty, seg);
        match (step, to.record()) {
            (Reached::Entry, Some(record)) => {
                outer = thing.filter(|_| matches!(seg, Seg::Index(_)));
                thing = Some(format!("{} {text}", record.noun()));
                inside.clear();
            }
            (Reached::Field, _) => inside.push(text.replace('_', " ")),
            _ => inside.push(text),
        }
        ty = to;
    }
    let parts = [Some(inside.join(" ")).filter(|text| !text.is_empty()), thing, outer];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" of ")
}

/// Whether a path ends at a field of a record, and not at an entry of a map or an element of a list.
#[must_use]
pub fn is_field(root: Type, at: &FieldPath) -> bool {
    at.0.iter().fold((root, Reached::Part), |(ty, _), seg| step(ty, seg)).1 == Reached::Field
}

/// The target of one segment of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reached {
    /// A field of a record.
    Field,
    /// An entry of a map or an element of a list.
    Entry,
    /// A part of a value that has no description of its own.
    Part,
}

/// The type of a segment's target.
fn step(ty: Type, seg: &Seg) -> (Type, Reached) {
    match (ty, seg) {
        (Type::Shared(of) | Type::Option(of), _) => step(of(), seg),
        (Type::Record(record), Seg::Key(key)) => {
            (field_of(record, key).map_or(Type::Value, |field| (field.ty)()), Reached::Field)
        }
        (Type::List(of) | Type::Map(of) | Type::MapById(of), _) => (of(), Reached::Entry),
        (other, _) => (other, Reached::Part),
    }
}

/// The field of a name: one of the record's own, or one of those that its flat fields may hold.
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
