//! A number below the least or above the greatest value that its field allows.

use crate::{
    check::{
        Problem, Rule, custom_fields,
        input::{DeclaredAt, Input},
    },
    model::{FieldPath, FieldSpec, FieldType, OpKind, Schema, Seg, TypeErrorKind, Value, nearest_within},
};

pub(super) const RULE: Rule =
    Rule { name: "out-of-range", doc: "A number is below the smallest or above the largest its field allows.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        let declared = input.declared_at(&finding.location);
        let clamp = declared.as_ref().and_then(|declared| {
            let value = clamped(input.schema(), declared)?;
            declared.put(format!("Use {value}, the nearest allowed"), value)
        });
        let is_reached = |declared: &&DeclaredAt<'_>| declared.inner.0.iter().all(|seg| matches!(seg, Seg::Key(_)));
        let reset = declared.as_ref().filter(is_reached).and_then(DeclaredAt::reset);
        out.push(Problem::new(finding.clone()).with(clamp).with(reset));
    }
    custom_fields::look(input, TypeErrorKind::OutOfRange, out);
}

/// The nearest number allowed, if the value is set directly.
fn clamped(schema: &Schema, declared: &DeclaredAt<'_>) -> Option<Value> {
    if declared.op != OpKind::Set {
        return None;
    }
    let spec = schema.field(&declared.component, declared.field.as_ref()?)?;
    nearest_at(spec, &declared.inner, declared.value()?.at(&declared.inner)?)
}

/// The nearest number allowed for one inside a field's value.
pub(in crate::check) fn nearest_at(spec: &FieldSpec, inner: &FieldPath, value: &Value) -> Option<Value> {
    let spec = spec_at(spec, &inner.0)?;
    Some(nearest(value, spec.min, spec.max))
}

/// The value nearest to `value` within a range, written as `value` is; a value in range is unchanged.
pub(super) fn nearest(value: &Value, min: Option<f64>, max: Option<f64>) -> Value {
    nearest_within(value, min, max).unwrap_or_else(|| value.clone())
}

fn spec_at<'a>(spec: &'a FieldSpec, path: &[Seg]) -> Option<&'a FieldSpec> {
    fn in_type<'a>(ty: &'a FieldType, path: &[Seg]) -> Option<&'a FieldSpec> {
        let (seg, rest) = path.split_first()?;
        match (ty, seg) {
            (FieldType::Struct(specs), Seg::Key(key)) => spec_at(specs.get(key)?, rest),
            (FieldType::List(item) | FieldType::Map(item), _) => in_type(item, rest),
            (FieldType::Option(inner), _) => in_type(inner, path),
            _ => None,
        }
    }
    if path.is_empty() { Some(spec) } else { in_type(&spec.ty, path) }
}
