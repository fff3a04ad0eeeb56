//! How values combine: completing a value of a file by its type, merging a declared value into an inherited one,
//! numbers multiplied and added, lists appended to, parts taken away.
//!
//! Invariant: these never refuse to return; what does not fit stays as declared, and is returned to the caller.

use crate::model::{FieldPath, FieldSpec, FieldType, Fields, OpKind, Schema, Value};

use super::RemoveStep;

/// The value of a field that no definition declares: the default of its declaration, completed by its type. The default
/// of an enum without a declared one is its first word.
pub(super) fn default_of(schema: &Schema, spec: &FieldSpec) -> Value {
    match (&spec.default, &spec.ty) {
        (Some(value), ty) => complete(schema, ty, value),
        (None, FieldType::Enum(name)) => match schema.enums.get(name).and_then(|words| words.first()) {
            Some(word) => Value::Symbol(word.clone()),
            None => spec.default_value(),
        },
        (None, FieldType::Struct(_)) => complete(schema, &spec.ty, &Value::Tuple(Vec::new())),
        (None, _) => spec.default_value(),
    }
}

/// A value as its type would have it: whole numbers where numbers are meant become floats, structs have all their
/// fields in the order declared. What does not fit stays as it is.
pub(super) fn complete(schema: &Schema, ty: &FieldType, value: &Value) -> Value {
    match (ty, value) {
        (FieldType::Float | FieldType::Angle, Value::Int(_)) => value.as_f64().map_or(value.clone(), Value::Float),
        (FieldType::Vec2, _) => value.as_vec2().map_or_else(|| value.clone(), |[x, y]| Value::vec2(x, y)),
        (FieldType::List(item), Value::List(items)) => {
            Value::List(items.iter().map(|v| complete(schema, item, v)).collect())
        }
        (FieldType::Map(item), Value::Map(entries)) => {
            Value::Map(entries.iter().map(|(k, v)| (k.clone(), complete(schema, item, v))).collect())
        }
        (FieldType::Struct(specs), _) => match fields_of(value) {
            Some(overrides) => {
                let mut fields = Fields::with_capacity(specs.len());
                for (name, spec) in specs {
                    let value = overrides.get(name).map(|value| complete(schema, &spec.ty, value));
                    fields.insert(name.clone(), value.unwrap_or_else(|| default_of(schema, spec)));
                }
                for (name, value) in overrides.iter() {
                    if !specs.contains_key(name) {
                        fields.insert(name.clone(), value.clone());
                    }
                }
                Value::Struct(fields)
            }
            None => value.clone(),
        },
        (FieldType::Option(inner), _) => match value {
            Value::Tagged(tag, content) if &**tag == "Some" => match &**content {
                Value::Tuple(items) if items.len() == 1 => {
                    let items = items.iter().map(|item| complete(schema, inner, item)).collect();
                    Value::Tagged(tag.clone(), Box::new(Value::Tuple(items)))
                }
                other => Value::Tagged(tag.clone(), Box::new(complete(schema, inner, other))),
            },
            _ if value.is_none() => value.clone(),
            _ => complete(schema, inner, value),
        },
        _ => value.clone(),
    }
}

/// The fields of a struct; `()` has none.
fn fields_of(value: &Value) -> Option<std::borrow::Cow<'_, Fields>> {
    match value {
        Value::Struct(fields) => Some(std::borrow::Cow::Borrowed(fields)),
        Value::Tuple(items) if items.is_empty() => Some(std::borrow::Cow::Owned(Fields::new())),
        _ => None,
    }
}

/// The type of a part of a value.
fn part_type<'a>(ty: &'a FieldType, name: &str) -> &'a FieldType {
    match ty {
        FieldType::Struct(specs) => specs.get(name).map_or(&FieldType::Any, |spec| &spec.ty),
        FieldType::Map(item) | FieldType::List(item) => item,
        FieldType::Option(inner) => part_type(inner, name),
        _ => &FieldType::Any,
    }
}

/// `overrides` over `base`: structs and maps field by field to any depth, everything else replaced.
pub(super) fn merge(schema: &Schema, ty: &FieldType, base: &Value, overrides: &Value) -> Value {
    match (base, overrides) {
        (Value::Struct(base), Value::Struct(overrides)) => {
            let mut out = base.clone();
            for (name, value) in overrides {
                let part = part_type(ty, name);
                let value = match base.get(name) {
                    Some(old) => merge(schema, part, old, value),
                    None => complete(schema, part, value),
                };
                out.insert(name.clone(), value);
            }
            Value::Struct(out)
        }
        (Value::Struct(_), Value::Tuple(items)) if items.is_empty() => base.clone(),
        (Value::Map(base), Value::Map(overrides)) => {
            let mut out = base.clone();
            for (key, value) in overrides {
                let part = part_type(ty, key.as_str().unwrap_or_default());
                match out.iter_mut().find(|(k, _)| k == key) {
                    Some((_, old)) => *old = merge(schema, part, old, value),
                    None => out.push((key.clone(), complete(schema, part, value))),
                }
            }
            Value::Map(out)
        }
        _ => complete(schema, ty, overrides),
    }
}

/// Why an operation could not be carried out on a part of a value.
pub(super) struct Refusal {
    /// Where inside the operand.
    pub path: FieldPath,
    /// Which rule it breaks.
    pub rule: &'static str,
    /// Whether the result was used all the same.
    pub mild: bool,
    /// What is wrong and what was expected.
    pub message: String,
}

/// What [`numbers`] does with two numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Arithmetic {
    Scale,
    Add,
}

impl Arithmetic {
    fn verb(self) -> &'static str {
        match self {
            Self::Scale => "scale",
            Self::Add => "add",
        }
    }
}

/// Multiply or add to the numbers of `base` that `operand` names, in place; parts that refuse stay as they were.
pub(super) fn numbers(
    how: Arithmetic,
    ty: &FieldType,
    base: &mut Value,
    operand: &Value,
    path: &FieldPath,
    out: &mut Vec<Refusal>,
) {
    if matches!(base, Value::Tuple(_)) && base.as_vec2().is_some() {
        return pair(how, base, operand, path, out);
    }
    let mut refuse = |rule, mild, message| out.push(Refusal { path: path.clone(), rule, mild, message });
    let verb = how.verb();
    match (&mut *base, operand) {
        (Value::Int(_) | Value::Float(_), Value::Int(_) | Value::Float(_)) => match number(how, ty, base, operand) {
            Ok((value, exact)) => {
                if !exact {
                    let sign = if how == Arithmetic::Scale { '×' } else { '+' };
                    refuse(
                        "rounded",
                        true,
                        format!(
                            "{base} {sign} {operand} is not whole, and this field takes whole numbers; it is {value}"
                        ),
                    );
                }
                *base = value;
            }
            Err(()) => {
                refuse(
                    "out-of-range",
                    false,
                    format!("`{verb}` by {operand} makes {base} larger than a number can be"),
                );
            }
        },
        (Value::Int(_) | Value::Float(_), other) => {
            refuse("wrong-type", false, format!("`{verb}` expects a number, found {} `{other}`", other.kind()));
        }
        (Value::Struct(fields), Value::Struct(parts)) => {
            for (name, operand) in parts {
                match fields.get_mut(name) {
                    Some(value) => numbers(how, part_type(ty, name), value, operand, &path.key(name), out),
                    None => out.push(Refusal {
                        path: path.key(name),
                        rule: "unknown-field",
                        mild: false,
                        message: format!("there is no `{name}` here to {verb}"),
                    }),
                }
            }
        }
        (Value::Map(entries), Value::Map(parts)) => {
            for (key, operand) in parts {
                let name = key.as_str().unwrap_or_default();
                match entries.iter_mut().find(|(k, _)| k == key) {
                    Some((_, value)) => numbers(how, part_type(ty, name), value, operand, &path.key(name), out),
                    None => out.push(Refusal {
                        path: path.key(name),
                        rule: "wrong-type",
                        mild: false,
                        message: format!("there is no {key} here to {verb}"),
                    }),
                }
            }
        }
        (base, _) => {
            refuse(
                "wrong-type",
                false,
                format!("`{verb}` works on numbers only, alone or in pairs, and this is {} `{base}`", base.kind()),
            );
        }
    }
}

/// A pair of numbers scaled by one number or by a pair, or a pair added to it: each component by itself.
fn pair(how: Arithmetic, base: &mut Value, operand: &Value, path: &FieldPath, out: &mut Vec<Refusal>) {
    let is_number = operand.as_f64().is_some();
    let parts = match operand {
        _ if is_number && how == Arithmetic::Scale => [operand, operand],
        Value::Tuple(parts) if operand.as_vec2().is_some() => [&parts[0], &parts[1]],
        other => {
            let expected = if how == Arithmetic::Scale { "a number or a pair" } else { "a pair" };
            let message =
                format!("`{}` expects {expected} `(x, y)` here, found {} `{other}`", how.verb(), other.kind());
            out.push(Refusal { path: path.clone(), rule: "wrong-type", mild: false, message });
            return;
        }
    };
    let Value::Tuple(components) = base else { return };
    for (i, (component, part)) in components.iter_mut().zip(parts).enumerate() {
        let path = if is_number { path.clone() } else { path.index(i) };
        numbers(how, &FieldType::Any, component, part, &path, out);
    }
}

/// What an operation that scales or adds makes of a value, and whether exactly: a whole number that has to stay whole
/// is rounded.
///
/// # Errors
/// Why the operand does not fit the value.
pub fn operated(op: OpKind, ty: &FieldType, base: &Value, operand: &Value) -> Result<(Value, bool), String> {
    let how = match op {
        OpKind::Scale => Arithmetic::Scale,
        OpKind::Add => Arithmetic::Add,
        _ => return Err(format!("the result of `{}` is not a number", op.key())),
    };
    let (mut after, mut refusals) = (base.clone(), Vec::new());
    numbers(how, ty, &mut after, operand, &FieldPath::root(), &mut refusals);
    match refusals.iter().find(|refusal| !refusal.mild) {
        Some(refusal) => Err(refusal.message.clone()),
        None => Ok((after, refusals.is_empty())),
    }
}

/// Two numbers combined, and whether exactly: whole numbers stay whole when the result is, or when the type takes
/// nothing else. Fails when the result is not a number of this size.
fn number(how: Arithmetic, ty: &FieldType, base: &Value, operand: &Value) -> Result<(Value, bool), ()> {
    if let (Value::Int(a), Value::Int(b)) = (base, operand) {
        let result = match how {
            Arithmetic::Scale => a.checked_mul(*b),
            Arithmetic::Add => a.checked_add(*b),
        };
        return result.map(|i| (Value::Int(i), true)).ok_or(());
    }
    let (Some(a), Some(b)) = (base.as_f64(), operand.as_f64()) else { return Err(()) };
    let result = match how {
        Arithmetic::Scale => a * b,
        Arithmetic::Add => a + b,
    };
    if !result.is_finite() {
        return Err(());
    }
    if matches!(base, Value::Int(_)) {
        if let Some(whole) = Value::Float(result).as_i64() {
            return Ok((Value::Int(whole), true));
        }
        if matches!(ty, FieldType::Int) {
            let rounded = Value::Float(result.round()).as_i64().ok_or(())?;
            return Ok((Value::Int(rounded), false));
        }
    }
    Ok((Value::Float(result), true))
}

/// Append to the lists of `base` that `operand` names, in place. A word that a list of flags already has is left out.
pub(super) fn append(
    schema: &Schema,
    ty: &FieldType,
    base: &mut Value,
    operand: &Value,
    path: &FieldPath,
    out: &mut Vec<Refusal>,
) {
    match (&mut *base, operand) {
        (Value::List(items), Value::List(more)) => {
            for item in more {
                let item = complete(schema, part_type(ty, ""), item);
                if !(matches!(ty, FieldType::Flags(_)) && items.contains(&item)) {
                    items.push(item);
                }
            }
        }
        (Value::Struct(fields), Value::Struct(parts)) => {
            for (name, operand) in parts {
                match fields.get_mut(name) {
                    Some(value) => append(schema, part_type(ty, name), value, operand, &path.key(name), out),
                    None => out.push(Refusal {
                        path: path.key(name),
                        rule: "unknown-field",
                        mild: false,
                        message: format!("there is no `{name}` here to append to"),
                    }),
                }
            }
        }
        (Value::Map(entries), Value::Map(parts)) => {
            for (key, operand) in parts {
                let name = key.as_str().unwrap_or_default();
                let part = part_type(ty, name);
                match entries.iter_mut().find(|(k, _)| k == key) {
                    Some((_, value)) => append(schema, part, value, operand, &path.key(name), out),
                    None => entries.push((key.clone(), complete(schema, part, operand))),
                }
            }
        }
        (base, operand) => {
            let message = if matches!(base, Value::List(_)) {
                format!("`append` expects a list of what to append, found {} `{operand}`", operand.kind())
            } else {
                format!("`append` works on lists only, and this is {} `{base}`", base.kind())
            };
            out.push(Refusal { path: path.clone(), rule: "wrong-type", mild: false, message });
        }
    }
}

/// Take away what `steps` lead to, in place, and return it. A struct's declared field goes back to its default; of a
/// list, every equal element goes. `None`, and nothing changes, when nothing of the kind is there.
pub(super) fn take_away(schema: &Schema, ty: &FieldType, base: &mut Value, steps: &[RemoveStep]) -> Option<Value> {
    let (step, rest) = steps.split_first()?;
    match (base, step) {
        (Value::Struct(fields), RemoveStep::Field(name)) => {
            let part = part_type(ty, name);
            if !rest.is_empty() {
                return take_away(schema, part, fields.get_mut(name)?, rest);
            }
            let declared = if let FieldType::Struct(specs) = ty { specs.get(name) } else { None };
            match declared.map(|spec| default_of(schema, spec)) {
                Some(default) => {
                    let value = fields.get_mut(name).filter(|value| **value != default)?;
                    Some(std::mem::replace(value, default))
                }
                None => fields.shift_remove(name),
            }
        }
        (Value::Map(entries), RemoveStep::Item(key)) => {
            let at = entries.iter().position(|(k, _)| k.is_like(key))?;
            if rest.is_empty() {
                return Some(entries.remove(at).1);
            }
            let part = part_type(ty, key.as_str().unwrap_or_default());
            take_away(schema, part, &mut entries.get_mut(at)?.1, rest)
        }
        (Value::List(items), RemoveStep::Item(item)) if rest.is_empty() => {
            let named = complete(schema, part_type(ty, ""), item);
            let at = items.iter().position(|it| it.is_like(&named))?;
            let taken = items.remove(at);
            items.retain(|it| !it.is_like(&named));
            Some(taken)
        }
        _ => None,
    }
}
