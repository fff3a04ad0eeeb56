//! What is typed for a part of a field: a value or an operation, and what it makes of the part.

use crate::{
    defs::operated,
    edit::with_part,
    model::{FieldPath, FieldType, OpKind, Typed, Value},
};

/// How an owner is made to have a value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum HowToSet {
    /// It declares the value.
    Declare,
    /// Where it has a factor or a summand only, that is changed by this operation; elsewhere it declares the value.
    Keep(OpKind, Value),
    /// The same, and where it declares nothing it declares the operation.
    Operate(OpKind, Value),
}

/// The value that is typed for a part, or what an operation makes of it, and how that is declared.
pub(super) fn outcome_of(
    ty: &FieldType,
    before: &Value,
    component: Option<usize>,
    typed: &Typed,
) -> (Result<(Value, bool), String>, HowToSet) {
    match typed {
        Typed::Operation(op, operand) => {
            let component = component.filter(|_| !typed.is_pair());
            let operand = component.map_or_else(|| operand.clone(), |i| along(*op, operand, i));
            let operand = spelled(before, *op, operand);
            let inner = inside(ty, before);
            let after = match (before, before.as_option()) {
                (Value::Tagged(..), Some(content)) => {
                    let some =
                        |(value, exact)| (Value::Tagged("Some".into(), Box::new(Value::Tuple(vec![value]))), exact);
                    operated(*op, inner, content, &operand).map(some)
                }
                _ => operated(*op, inner, before, &operand),
            };
            (after.map(|(value, is_exact)| (tidied(value), is_exact)), HowToSet::Operate(*op, operand))
        }
        Typed::Value(value) => {
            let after = match component.filter(|_| !typed.is_pair()) {
                Some(i) => fitted(&FieldType::Float, value.clone(), &Value::Float(0.0))
                    .map(|x| with_part(before, &FieldPath::root().index(i), x)),
                None => fitted(ty, value.clone(), before),
            };
            (after.map(|value| (value, true)), HowToSet::Declare)
        }
    }
}

/// The type inside an option that has a value.
fn inside<'t>(ty: &'t FieldType, value: &Value) -> &'t FieldType {
    match ty {
        FieldType::Option(inner) if value.as_option().is_some() => inner,
        _ => ty,
    }
}

/// The operand on a pair that does to one component what `operand` does to a number.
fn along(op: OpKind, operand: &Value, component: usize) -> Value {
    let neutral = if op == OpKind::Scale { 1.0 } else { 0.0 };
    let at = |i: usize| if i == component { operand.clone() } else { Value::Float(neutral) };
    Value::Tuple(vec![at(0), at(1)])
}

/// An operand as files spell it: with a dot, but for what is added to a whole number.
fn spelled(before: &Value, op: OpKind, operand: Value) -> Value {
    match operand {
        Value::Int(_) if matches!(before, Value::Int(_)) && op == OpKind::Add => operand,
        Value::Tuple(items) => {
            Value::Tuple(items.into_iter().map(|item| spelled(&Value::Float(0.0), op, item)).collect())
        }
        other => other.as_f64().map_or(other, Value::Float),
    }
}

/// A value as a number, or pair of numbers, of a type takes it and as files spell it: a whole number stays one where
/// one stood.
pub(super) fn fitted(ty: &FieldType, value: Value, current: &Value) -> Result<Value, String> {
    match ty {
        FieldType::Int => {
            value.as_i64().map(Value::Int).ok_or_else(|| format!("`{value}` is not whole, and only whole numbers fit"))
        }
        FieldType::Option(inner) => match current.as_option() {
            Some(content) => fitted(inner, value, content),
            None => fitted(inner, value, &inner.default_value()),
        },
        _ => Ok(match (value.as_f64(), value.as_vec2(), current) {
            (Some(_), _, Value::Int(_)) => value,
            (Some(x), ..) => Value::Float(x),
            (_, Some(is), _) if current.as_vec2() == Some(is) => current.clone(),
            (_, Some([x, y]), _) => Value::vec2(x, y),
            _ => value,
        }),
    }
}

/// The number without the dust of arithmetic: twelve significant digits, so that files stay readable.
pub(super) fn tidy(x: f64) -> f64 {
    format!("{x:.11e}").parse().unwrap_or(x)
}

/// The same for a value, or for those of a pair.
pub(super) fn tidied(value: Value) -> Value {
    match value {
        Value::Float(x) => Value::Float(tidy(x)),
        Value::Tuple(items) => Value::Tuple(items.into_iter().map(tidied).collect()),
        Value::Tagged(tag, content) => Value::Tagged(tag, Box::new(tidied(*content))),
        other => other,
    }
}
