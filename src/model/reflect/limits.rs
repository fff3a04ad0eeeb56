//! Numbers outside the limits that their fields declare, and text that is no color where one is declared.

use super::{Field, MapView, RecordView, Reflect, View, fields_of};
use crate::model::{FieldPath, Seg, parse_color};

/// A value outside of its field's limits.
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfRange {
    /// Where it stands.
    pub path: FieldPath,
    /// What is wrong, with what was expected.
    pub message: String,
}

/// Every number or color in a value that is outside of the limits of its field.
#[must_use]
pub fn out_of_range(value: &dyn Reflect) -> Vec<OutOfRange> {
    let mut walk = Walk { path: FieldPath::root(), out: Vec::new() };
    if value.ty().has_limits() {
        walk.inside(value);
    }
    walk.out
}

/// Why a value is outside the limits of its field, if it is.
#[must_use]
pub fn refused_by(field: &Field, value: &dyn Reflect) -> Option<String> {
    let mut walk = Walk { path: FieldPath::root(), out: Vec::new() };
    if field.has_limits() {
        walk.numbers(field, value);
    }
    walk.out.into_iter().next().map(|found| found.message)
}

struct Walk {
    path: FieldPath,
    out: Vec<OutOfRange>,
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
            View::List(list) if list.item_type().has_limits() => {
                for (at, item) in (0..list.len()).filter_map(|at| Some((at, list.get(at)?))) {
                    self.at(Seg::Index(at), |walk| walk.inside(item));
                }
            }
            View::Map(map) if map.item_type().has_limits() => self.entries(map, Self::inside),
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

    /// The values of a field with limits: one, two, or one by each name.
    fn numbers(&mut self, field: &Field, value: &dyn Reflect) {
        let refused = |value: &dyn Reflect| number(value).filter(|x| !field.allows(*x));
        let message = match value.view() {
            View::Option(Some(inner)) => return self.numbers(field, inner),
            View::Map(map) => return self.entries(map, |walk, value| walk.numbers(field, value)),
            View::Text(text) if field.is_color() => {
                let is_refused = parse_color(text).is_none();
                is_refused.then(|| format!("`{}` is a color as `\"#63bde2\"`, not `\"{text}\"`", field.key))
            }
            View::Pair(both) => {
                let is_refused = both.into_iter().any(|value| refused(value).is_some());
                is_refused.then(|| format!("each of `{}` is {}", field.key, field.limits()))
            }
            _ => refused(value).map(|x| format!("`{}` is {}, not {x}", field.key, field.limits())),
        };
        self.out.extend(message.map(|message| OutOfRange { path: self.path.clone(), message }));
    }
}

fn number(value: &dyn Reflect) -> Option<f64> {
    match value.view() {
        View::Float(x) => Some(x),
        #[allow(clippy::cast_precision_loss)] // limits are small
        View::Int(x) => Some(x as f64),
        _ => None,
    }
}
