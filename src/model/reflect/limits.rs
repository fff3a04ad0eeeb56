//! Numbers outside the limits that their fields declare.

use super::{MapView, RecordView, Reflect, Type, View, fields_of};
use crate::model::{FieldPath, Seg};

/// A number outside of its field's limits.
#[derive(Clone, Debug, PartialEq)]
pub struct Outside {
    /// Where it stands.
    pub path: FieldPath,
    /// What is wrong, with what was expected.
    pub message: String,
}

/// Every number in a value that is outside of the limits of its field.
#[must_use]
pub fn outside(value: &dyn Reflect) -> Vec<Outside> {
    let mut walk = Walk { path: FieldPath::root(), out: Vec::new() };
    if has_limits(value.ty()) {
        walk.inside(value);
    }
    walk.out
}

/// Whether a type has fields with limits: most lists need not be gone through.
fn has_limits(ty: Type) -> bool {
    fn within(ty: Type, depth: usize) -> bool {
        match ty {
            // A record inside itself has nothing that it does not have above.
            _ if depth > 8 => false,
            Type::Pair(of)
            | Type::Option(of)
            | Type::Shared(of)
            | Type::List(of)
            | Type::Map(of)
            | Type::MapById(of) => within(of(), depth + 1),
            Type::Record(record) => {
                record.fields.iter().any(|field| field.has_limits() || within((field.ty)(), depth + 1))
            }
            Type::Choice(choice) => choice.variants.iter().any(|variant| {
                variant.field.is_some_and(super::Field::has_limits) || within((variant.content)(), depth + 1)
            }),
            _ => false,
        }
    }
    within(ty, 0)
}

struct Walk {
    path: FieldPath,
    out: Vec<Outside>,
}

impl Walk {
    fn at(&mut self, seg: Seg, then: impl FnOnce(&mut Self)) {
        self.path.0.push(seg);
        then(self);
        self.path.0.pop();
    }

    fn inside(&mut self, value: &dyn Reflect) {
        match value.view() {
            View::Option(Some(inner)) | View::Shared(inner, _) => self.inside(inner),
            View::List(list) if has_limits(list.item_type()) => {
                for (at, item) in (0..list.len()).filter_map(|at| Some((at, list.get(at)?))) {
                    self.at(Seg::Index(at), |walk| walk.inside(item));
                }
            }
            View::Map(map) if has_limits(map.item_type()) => self.entries(map, Self::inside),
            View::Record(record) => self.record(record),
            _ => {}
        }
    }

    fn entries(&mut self, map: &dyn MapView, mut each: impl FnMut(&mut Self, &dyn Reflect)) {
        for (key, value) in (0..map.len()).filter_map(|at| map.at(at)) {
            self.at(Seg::Key(key.name()), |walk| each(walk, value));
        }
    }

    fn record(&mut self, record: &dyn RecordView) {
        for it in fields_of(record) {
            self.at(Seg::Key(it.field.key.into()), |walk| {
                if it.field.has_limits() {
                    walk.numbers(it.field, it.value);
                } else {
                    walk.inside(it.value);
                }
            });
        }
    }

    /// The numbers of a field with limits: one, two, or one by each name.
    fn numbers(&mut self, field: &super::Field, value: &dyn Reflect) {
        let number = match value.view() {
            View::Float(x) => x,
            #[allow(clippy::cast_precision_loss)] // limits are small
            View::Int(x) => x as f64,
            View::Option(Some(inner)) => return self.numbers(field, inner),
            View::Pair(both) => {
                let outside = |it: &&dyn Reflect| match it.view() {
                    View::Float(x) => !field.allows(x),
                    #[allow(clippy::cast_precision_loss)] // limits are small
                    View::Int(x) => !field.allows(x as f64),
                    _ => false,
                };
                if both.iter().any(outside) {
                    let message = format!("each of `{}` is {}", field.key, field.limits());
                    self.out.push(Outside { path: self.path.clone(), message });
                }
                return;
            }
            View::Map(map) => return self.entries(map, |walk, value| walk.numbers(field, value)),
            _ => return,
        };
        if !field.allows(number) {
            let message = format!("`{}` is {}, not {number}", field.key, field.limits());
            self.out.push(Outside { path: self.path.clone(), message });
        }
    }
}
