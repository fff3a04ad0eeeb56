//! Tracks: values over time, by keys. Computes the value of a track at a time; the time is computed in `time`.
//!
//! Invariant: pure functions of a track and a time, exact at the keys. Keys are sorted by time, with at most one at any
//! time. Reading a track from data is `components`; its effect on a running entity is `world::tracks`.

mod ease;
mod time;

pub use ease::{Ease, eased, hermite};
pub use time::{Clock, place, times_passed};

use crate::{
    model::{FieldType, Name, Schema, Value, color_text, parse_color},
    sim::behavior::vocabulary::RouteMode,
};

/// A value over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Its name in the component.
    pub name: Name,
    /// The driven property.
    pub drives: Driven,
    /// Kind of its values.
    pub kind: Kind,
    /// The keys, sorted by time.
    pub keys: Vec<Key>,
    /// Duration in seconds; at least a millisecond.
    pub secs: f64,
    /// What follows its end.
    pub mode: RouteMode,
    /// Whether its values are added to the entity's initial place, or to the field as defined.
    pub added: bool,
    /// Whether it plays as soon as the entity is added.
    pub autostart: bool,
    /// The message that plays it forward; empty for none, as for those below.
    pub start_on: Name,
    /// The message that plays it backward.
    pub reverse_on: Name,
    /// The message that holds it.
    pub stop_on: Name,
    /// Sent at its end.
    pub send_at_end: Name,
    /// Times in seconds, each with the message that is sent then.
    pub marks: Vec<(f64, Name)>,
}

/// A property driven by a track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Driven {
    /// A field, as `Component.field`.
    Field(Name),
    /// The position of the entity, in pixels.
    Position,
    /// The angle of the entity, in degrees, clockwise.
    Rotation,
}

/// Kind of the values of a track, which decides their interpolation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A whole number, rounded to the nearest.
    Whole,
    /// A pair of numbers.
    Pair,
    /// Red, green, blue and alpha.
    Color,
    /// Any other value: it changes at its keys.
    Other,
}

/// A value at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    /// Time from the start of the track, in seconds.
    pub at: f64,
    /// The value there.
    pub value: Value,
    /// Interpolation to the next key.
    pub ease: Ease,
    /// For [`Ease::Hermite`]: the slope (change per second) at this key; `None`: that of its neighbors.
    pub slope: Option<Lanes>,
}

/// The numbers of a value: one, the two of a pair, or the four of a color.
pub type Lanes = [f64; 4];

impl Kind {
    /// The kind of values of a type.
    #[must_use]
    pub fn of(ty: &FieldType) -> Self {
        match ty {
            FieldType::Float | FieldType::Angle => Self::Number,
            FieldType::Int => Self::Whole,
            FieldType::Vec2 => Self::Pair,
            FieldType::Color => Self::Color,
            _ => Self::Other,
        }
    }

    /// Number of numbers in a value; `None` if values are not interpolated.
    #[must_use]
    pub fn n_lanes(self) -> usize {
        match self {
            Self::Number | Self::Whole => 1,
            Self::Pair => 2,
            Self::Color => 4,
            Self::Other => 0,
        }
    }

    /// The numbers of a value; `None` for a value of another kind.
    #[must_use]
    pub fn lanes(self, value: &Value) -> Option<Lanes> {
        match self {
            Self::Number | Self::Whole => Some([value.as_f64()?, 0.0, 0.0, 0.0]),
            Self::Pair => value.as_vec2().map(|[x, y]| [x, y, 0.0, 0.0]),
            Self::Color => parse_color(value.as_str()?).map(|color| color.map(f64::from)),
            Self::Other => None,
        }
    }

    /// The numbers of a slope: as for values; for colors one number per channel.
    #[must_use]
    pub fn slope(self, value: &Value) -> Option<Lanes> {
        if self != Self::Color {
            return self.lanes(value);
        }
        let parts: Vec<f64> = value.as_list()?.iter().map(Value::as_f64).collect::<Option<_>>()?;
        parts.try_into().ok()
    }

    /// The value with these numbers.
    #[must_use]
    pub fn value(self, lanes: Lanes) -> Option<Value> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "rounded, and clamped to what it holds"
        )]
        Some(match self {
            Self::Number => Value::Float(lanes[0]),
            Self::Whole => Value::Int(lanes[0].round().clamp(-9e15, 9e15) as i64),
            Self::Pair => Value::vec2(lanes[0], lanes[1]),
            Self::Color => Value::Str(color_text(lanes.map(|x| x.round().clamp(0.0, 255.0) as u8))),
            Self::Other => return None,
        })
    }
}

impl Driven {
    /// The kind of its values; `None` for a field that no schema declares.
    #[must_use]
    pub fn kind(&self, schema: &Schema) -> Option<Kind> {
        match self {
            Self::Position => Some(Kind::Pair),
            Self::Rotation => Some(Kind::Number),
            Self::Field(path) if &**path == crate::model::LIFE => Some(Kind::Number),
            Self::Field(path) => {
                // A track that drove its own tracks would replace itself without end.
                let (component, field) = path.split_once('.').filter(|(component, _)| *component != "Tracks")?;
                Some(Kind::of(&schema.field(component, field)?.ty))
            }
        }
    }
}

impl Track {
    /// Whether a message starts, reverses or stops it.
    #[must_use]
    pub fn is_steered_by(&self, message: &Name) -> bool {
        [&self.start_on, &self.reverse_on, &self.stop_on].contains(&message)
    }

    /// The last key at or before a time, and the next; before all keys the first.
    fn around(&self, secs: f64) -> Option<(usize, Option<usize>)> {
        let after = self.keys.partition_point(|key| key.at <= secs);
        if self.keys.is_empty() {
            return None;
        }
        let Some(from) = after.checked_sub(1) else { return Some((0, None)) };
        Some((from, (after < self.keys.len()).then_some(after)))
    }

    /// The numbers of its value at a time in seconds; constant before its first key and after its last.
    #[must_use]
    pub fn lanes_at(&self, secs: f64) -> Option<Lanes> {
        let (from, to) = self.around(secs)?;
        let (a, Some(b)) = (&self.keys[from], to.map(|to| &self.keys[to])) else {
            return self.kind.lanes(&self.keys[from].value);
        };
        let (p, q) = (self.kind.lanes(&a.value)?, self.kind.lanes(&b.value)?);
        let span = b.at - a.at;
        let t = (secs - a.at) / span;
        Some(if a.ease == Ease::Hermite {
            let (m, n) = (self.slope_at(from), self.slope_at(from + 1));
            std::array::from_fn(|i| hermite((p[i], m[i] * span), (q[i], n[i] * span), t))
        } else {
            let t = eased(a.ease, t);
            std::array::from_fn(|i| p[i] + (q[i] - p[i]) * t)
        })
    }

    /// Its own value at a time in seconds, without the value that it is added to.
    #[must_use]
    pub fn value_at(&self, secs: f64) -> Option<Value> {
        match self.kind {
            Kind::Other => Some(self.keys[self.around(secs)?.0].value.clone()),
            kind => kind.value(self.lanes_at(secs)?),
        }
    }

    /// The value of a driven field at a time in seconds: its own, or its own added to the defined value. Only numbers
    /// and pairs are added.
    #[must_use]
    pub fn value_on(&self, defined: Option<&Value>, secs: f64) -> Option<Value> {
        if !self.added || matches!(self.kind, Kind::Color | Kind::Other) {
            return self.value_at(secs);
        }
        let (defined, own) = (self.kind.lanes(defined?)?, self.lanes_at(secs)?);
        self.kind.value(std::array::from_fn(|i| defined[i] + own[i]))
    }

    /// The slope (change per second) at a key: its own, else the one between its neighbors, and zero at the first and
    /// the last key.
    ///
    /// Source: Catmull and Rom, *A class of local interpolating splines*, 1974, for keys at uneven times.
    #[must_use]
    pub fn slope_at(&self, key: usize) -> Lanes {
        let lanes = |key: usize| self.keys.get(key).and_then(|it| Some((it.at, self.kind.lanes(&it.value)?)));
        let given = self.keys.get(key).and_then(|key| key.slope);
        let between = || {
            let ((a, p), (b, q)) = (lanes(key.checked_sub(1)?)?, lanes(key + 1)?);
            Some(std::array::from_fn(|i| (q[i] - p[i]) / (b - a)))
        };
        given.or_else(between).unwrap_or_default()
    }

    /// Whether its value jumps between two times of its unrolled line (see [`place`]): past the end of a loop, or to
    /// the key after a step.
    #[must_use]
    pub fn jumps(&self, from: f64, to: f64) -> bool {
        let around = |secs: f64| (secs / self.secs).floor();
        if self.mode == RouteMode::Loop && around(from) != around(to) {
            return self.lanes_at(0.0) != self.lanes_at(self.secs);
        }
        let (a, b) = (place(self.mode, self.secs, from), place(self.mode, self.secs, to));
        let (a, b) = (a.min(b), a.max(b));
        self.keys.windows(2).any(|pair| pair[0].ease == Ease::Step && a < pair[1].at && pair[1].at <= b)
    }
}
