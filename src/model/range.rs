//! Ranges of values: which numbers of a value a range is about, whether they are in it, and the nearest value that is.
//!
//! Invariant: a range is about a number itself, both numbers of a pair or of each pair of a list, the measures of a
//! shape, and what of these an option holds. Other values have no range. The nearest value of one in range is that
//! value.

use super::{Shape, Value};

/// On which side of a range something lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outside {
    /// A number is below the smallest allowed.
    Below,
    /// A number is above the largest allowed.
    Above,
}

/// Whether a value has a number outside a range, and on which side; above where there is one on either.
#[must_use]
pub fn outside(value: &Value, min: Option<f64>, max: Option<f64>) -> Option<Outside> {
    let (least, most) = extent(value)?;
    if max.is_some_and(|max| most > max) {
        Some(Outside::Above)
    } else {
        min.filter(|min| least < *min).map(|_| Outside::Below)
    }
}

/// The nearest value within a range; nothing when `value` is within it.
#[must_use]
pub fn nearest_within(value: &Value, min: Option<f64>, max: Option<f64>) -> Option<Value> {
    outside(value, min, max)?;
    let near = |x: f64| x.max(min.unwrap_or(f64::NEG_INFINITY)).min(max.unwrap_or(f64::INFINITY));
    if let Some(x) = value.as_f64() {
        let near = Value::Float(near(x));
        return Some(match value {
            Value::Int(_) => near.as_i64().map_or(near, Value::Int),
            _ => near,
        });
    }
    if let Some([x, y]) = value.as_vec2() {
        return Some(Value::vec2(near(x), near(y)));
    }
    if let Some(points) = value.as_points() {
        return Some(Value::points(points.into_iter().map(|at| at.map(near))));
    }
    if let Ok(shape) = Shape::from_value(value) {
        return Some(shape.within(min.unwrap_or(0.0), max.unwrap_or(f64::INFINITY)).to_value());
    }
    let inner = nearest_within(value.as_option()?, min, max)?;
    Some(Value::Tagged("Some".into(), Box::new(Value::Tuple(vec![inner]))))
}

/// The smallest and the largest number of a value that a range is about.
fn extent(value: &Value) -> Option<(f64, f64)> {
    if let Some(x) = value.as_f64() {
        return Some((x, x));
    }
    if let Some([x, y]) = value.as_vec2() {
        return Some((x.min(y), x.max(y)));
    }
    if let Value::List(items) = value {
        let numbers = items.iter().filter_map(Value::as_vec2).flatten().map(|x| (x, x));
        return numbers.reduce(|(lo, hi), (x, _)| (lo.min(x), hi.max(x)));
    }
    if let Ok(shape) = Shape::from_value(value) {
        return Some(shape.extent());
    }
    value.as_option().filter(|inner| *inner != value).and_then(extent)
}
