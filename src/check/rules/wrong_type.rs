//! A value is not of its field's type, or an operation does not work on it.

use crate::{
    check::{
        Problem, Rule,
        input::{Input, SaidAt, suggestion},
    },
    model::{Finding, Value},
};

pub(super) const RULE: Rule =
    Rule { name: "wrong-type", doc: "A value is not of its field's type, or an operation does not work on it.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        let said = input.said_at(&finding.location);
        let meant =
            said.as_ref().and_then(|said| said.put(format!("Write {}", meant(said, finding)?), meant(said, finding)?));
        out.push(Problem::new(finding.clone()).with(meant).with(said.and_then(|said| said.reset())));
    }
}

/// What was probably meant: a near word, a word without its quotes, a number without its quotes.
fn meant(said: &SaidAt<'_>, finding: &Finding) -> Option<Value> {
    let value = said.value()?.at(&said.inner)?;
    if let (Value::Symbol(_), Some(near)) = (value, suggestion(finding)) {
        return Some(Value::Symbol(near.into()));
    }
    let Value::Str(text) = value else { return None };
    if finding.help.as_deref().is_some_and(|help| help.contains("without quotes")) {
        return Some(Value::Symbol(text.as_str().into()));
    }
    let number = finding.message.contains("expected a number") || finding.message.contains("expected a whole number");
    match (number, text.parse::<i64>(), text.parse::<f64>()) {
        (true, Ok(i), _) => Some(Value::Int(i)),
        (true, _, Ok(x)) if x.is_finite() => Some(Value::Float(x)),
        _ => None,
    }
}
