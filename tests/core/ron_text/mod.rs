//! The reader and the patcher of text: worked examples, and properties over made-up values in made-up layouts.

mod formatting;
mod patching;
mod random;
mod reading;

use levelwright::{
    io::ron_text::{Form, Index, Lines, format, parse, patch, write},
    model::{FieldPath, Fields, Seg, Value},
};

use proptest::prelude::*;

use crate::cases::cases;

fn value(text: &str) -> Value {
    parse(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}")).to_value()
}

fn patched(text: &str, new: &str) -> String {
    patch(&parse(text).unwrap(), &Form::Value(&value(new))).unwrap()
}

// ---- properties

fn word() -> impl Strategy<Value = String> {
    "[a-eA-E][a-e_0-9]{0,3}".prop_filter("a keyword", |word| !matches!(word.as_str(), "true" | "false"))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[ -~]{0,6}", "\\PC{0,3}", Just("a\n\"\\\t\u{1}".to_owned())]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::Bool),
        (-20_i64..20).prop_map(Value::Int),
        any::<i64>().prop_map(Value::Int),
        (-8..8_i32).prop_map(|x| Value::Float(f64::from(x) / 4.0)),
        any::<f64>().prop_filter("finite", |x| x.is_finite()).prop_map(Value::Float),
        text().prop_map(Value::Str),
        word().prop_map(|word| Value::Symbol(word.as_str().into())),
    ]
}

fn fields(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Fields> {
    prop::collection::vec((word(), inner), 1..5)
        .prop_map(|fields| fields.into_iter().map(|(name, value)| (name.as_str().into(), value)).collect())
}

pub(crate) fn any_value() -> impl Strategy<Value = Value> {
    scalar().prop_recursive(4, 40, 5, |inner| {
        let list = prop::collection::vec(inner.clone(), 0..6);
        prop_oneof![
            list.clone().prop_map(Value::List),
            list.clone().prop_map(Value::Tuple),
            fields(inner.clone()).prop_map(Value::Struct),
            prop::collection::vec(
                (prop_oneof![text().prop_map(Value::Str), (0..9_i64).prop_map(Value::Int)], inner.clone()),
                0..5
            )
            .prop_map(|entries| {
                let mut map: Vec<(Value, Value)> = Vec::new();
                for (key, value) in entries {
                    if map.iter().all(|(other, _)| *other != key) {
                        map.push((key, value));
                    }
                }
                Value::Map(map)
            }),
            (word(), list).prop_map(|(tag, items)| Value::Tagged(tag.as_str().into(), Box::new(Value::Tuple(items)))),
            (word(), fields(inner))
                .prop_map(|(tag, fields)| Value::Tagged(tag.as_str().into(), Box::new(Value::Struct(fields)))),
        ]
    })
}

/// A value somewhat like another: a few of its parts changed, dropped, added, moved.
pub(crate) fn altered(value: &Value, rng: &TestRng) -> Value {
    fn list(items: &[Value], rng: &TestRng) -> Vec<Value> {
        let mut out: Vec<Value> =
            items.iter().filter(|_| rng.below(6) > 0).map(|item| altered_sometimes(item, rng)).collect();
        if rng.below(4) == 0 {
            let at = rng.below(out.len() + 1);
            out.insert(at, Value::Int(i64::try_from(rng.below(100)).unwrap()));
        }
        if rng.below(6) == 0 && out.len() > 1 {
            let at = rng.below(out.len() - 1);
            out.swap(at, at + 1);
        }
        out
    }
    fn altered_sometimes(value: &Value, rng: &TestRng) -> Value {
        if rng.below(2) == 0 { value.clone() } else { altered(value, rng) }
    }
    match value {
        Value::List(items) => Value::List(list(items, rng)),
        Value::Tuple(items) => Value::Tuple(list(items, rng)),
        Value::Struct(fields) => {
            let mut out: Fields = fields
                .iter()
                .filter(|_| rng.below(6) > 0)
                .map(|(name, value)| (name.clone(), altered_sometimes(value, rng)))
                .collect();
            if rng.below(4) == 0 {
                out.shift_insert(rng.below(out.len() + 1), "brand_new".into(), Value::List(vec![Value::str("new")]));
            }
            if out.is_empty() { Value::Tuple(vec![]) } else { Value::Struct(out) }
        }
        Value::Map(entries) => {
            let mut out: Vec<(Value, Value)> = entries
                .iter()
                .filter(|_| rng.below(6) > 0)
                .map(|(key, value)| (key.clone(), altered_sometimes(value, rng)))
                .collect();
            if rng.below(3) == 0 {
                out.insert(rng.below(out.len() + 1), (Value::str("brand new"), Value::Float(0.25)));
            }
            if rng.below(4) == 0 && out.len() > 1 {
                out.swap(0, 1);
            }
            if rng.below(4) == 0 && !out.is_empty() {
                out[0].0 = Value::str("renamed");
            }
            Value::Map(out)
        }
        Value::Tagged(tag, content) => Value::Tagged(tag.clone(), Box::new(altered(content, rng))),
        Value::Int(i) => Value::Int(i.wrapping_add(1)),
        _ => Value::str("altered"),
    }
}

/// A small random source, so that layouts shrink by their seed.
pub(crate) struct TestRng(std::cell::Cell<u64>);

impl TestRng {
    pub(crate) fn new(seed: u64) -> Self {
        Self(std::cell::Cell::new(seed))
    }

    pub(crate) fn below(&self, n: usize) -> usize {
        self.0.set(levelwright::model::mix(self.0.get().wrapping_add(1)));
        usize::try_from(self.0.get() % n as u64).unwrap()
    }
}

/// The value in a random layout: any spaces, line breaks, comments, commas and spellings.
fn messy(value: &Value, rng: &TestRng, out: &mut String) {
    fn gap(rng: &TestRng, out: &mut String) {
        for _ in 0..rng.below(3) {
            out.push_str(
                ["", " ", " ", "\n", "\n    ", "\n\n", "// note\n", "/* c, } ) */", "\t", "\r\n"][rng.below(10)],
            );
        }
    }
    fn items<'v, T>(
        open: &str,
        close: &str,
        list: impl ExactSizeIterator<Item = &'v T>,
        rng: &TestRng,
        out: &mut String,
        mut one: impl FnMut(&T, &TestRng, &mut String),
    ) where
        T: 'v,
    {
        out.push_str(open);
        gap(rng, out);
        let n = list.len();
        for (i, item) in list.enumerate() {
            one(item, rng, out);
            gap(rng, out);
            if i + 1 < n || rng.below(2) == 0 {
                out.push(',');
                gap(rng, out);
            }
        }
        out.push_str(close);
    }
    match value {
        Value::List(list) => items("[", "]", list.iter(), rng, out, messy),
        Value::Tuple(list) => items("(", ")", list.iter(), rng, out, messy),
        Value::Struct(fields) => {
            let fields: Vec<_> = fields.iter().collect();
            items("(", ")", fields.iter(), rng, out, |(name, value), rng, out| {
                out.push_str(name);
                gap(rng, out);
                out.push(':');
                gap(rng, out);
                messy(value, rng, out);
            });
        }
        Value::Map(entries) => items("{", "}", entries.iter(), rng, out, |(key, value), rng, out| {
            messy(key, rng, out);
            gap(rng, out);
            out.push(':');
            gap(rng, out);
            messy(value, rng, out);
        }),
        Value::Tagged(tag, content) => {
            out.push_str(tag);
            gap(rng, out);
            messy(content, rng, out);
        }
        Value::Int(i) if *i >= 0 && rng.below(3) == 0 => out.push_str(&format!("{i:#x}")),
        Value::Float(x) if x.fract() == 0.0 && x.abs() < 1e6 && rng.below(3) == 0 => out.push_str(&format!("{x:.3}")),
        scalar => out.push_str(&scalar.to_string()),
    }
}

pub(crate) fn laid_out(value: &Value, seed: u64) -> String {
    let mut out = String::from("// head\n");
    messy(value, &TestRng::new(seed), &mut out);
    out.push_str(" // tail\n");
    out
}

fn value_of(text: &str) -> Result<Value, String> {
    parse(text).map(|tree| tree.to_value()).map_err(|errors| format!("{errors:?}"))
}
