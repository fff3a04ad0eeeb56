//! A value that is not of its field's type, or an operation that does not work on it.

use crate::{
    check::{Fix, Problem, Rule, custom_fields, input::Input},
    model::{FieldPath, FieldType, Finding, Seg, TypeErrorKind, Value, read_number},
};

pub(super) const RULE: Rule =
    Rule { name: "wrong-type", doc: "A value is not of its field's type, or an operation does not work on it.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        let declared = input.declared_at(&finding.location);
        let meant = declared.as_ref().and_then(|declared| {
            let meant = meant(declared.value()?.at(&declared.inner)?, finding)?;
            declared.put(format!("Write {meant}"), meant)
        });
        let word = declared.as_ref().and_then(|declared| {
            let spec = input.schema().field(&declared.component, declared.field.as_ref()?)?;
            new_word(input, &spec.ty, declared.value()?, &declared.inner)
        });
        out.push(
            Problem::new(finding.clone()).with(meant).with(word).with(declared.and_then(|declared| declared.reset())),
        );
    }
    custom_fields::look(input, TypeErrorKind::WrongType, out);
}

/// The fix that adds the word at the end of a path in a value to an enum.
pub(in crate::check) fn new_word(input: &Input<'_>, ty: &FieldType, value: &Value, path: &FieldPath) -> Option<Fix> {
    let (FieldType::Enum(name) | FieldType::Flags(name)) = type_at(ty, &path.0)? else { return None };
    let Value::Symbol(word) = value.at(path)? else { return None };
    let is_known = input.schema().enums.get(name)?.contains(word);
    if is_known { None } else { input.declare(|declaring| declaring.word(name, word)) }
}

/// The type at the end of a path in a value; for a list of flags the type of one flag.
fn type_at<'a>(ty: &'a FieldType, path: &[Seg]) -> Option<&'a FieldType> {
    match (ty, path) {
        (FieldType::Option(inner), _) => type_at(inner, path),
        (_, []) | (FieldType::Flags(_), [Seg::Index(_)]) => Some(ty),
        (FieldType::List(item) | FieldType::Map(item), [_, rest @ ..]) => type_at(item, rest),
        (FieldType::Struct(specs), [Seg::Key(field), rest @ ..]) => type_at(&specs.get(field)?.ty, rest),
        _ => None,
    }
}

/// The value that was probably meant: a similar word, a word without its quotes, a number without its quotes.
pub(in crate::check) fn meant(value: &Value, finding: &Finding) -> Option<Value> {
    if let (Value::Symbol(_), Some(near)) = (value, finding.suggestion()) {
        return Some(Value::Symbol(near.into()));
    }
    let Value::Str(text) = value else { return None };
    if finding.help.as_deref().is_some_and(|help| help.contains("without quotes")) {
        return Some(Value::Symbol(text.as_str().into()));
    }
    let number = finding.message.contains("expected a number") || finding.message.contains("expected a whole number");
    read_number(text.trim()).ok().filter(|_| number)
}
