//! A zone whose collider is solid, so that nothing gets into it.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{FieldPath, Finding, Location, OpKind, Value},
};

pub(super) const RULE: Rule =
    Rule { name: "solid-zone", doc: "A zone has a solid collider, so nothing gets into it.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let is_true = |value: Option<&Value>| value.and_then(Value::as_bool).unwrap_or_default();
    for declarer in &input.declarers {
        let Some(resolved) = declarer.resolved.filter(|resolved| !resolved.is_abstract) else { continue };
        let has = |field: &str| is_true(resolved.get("Collider", field));
        // Bodies get into what is solid only from above.
        if !resolved.has("Zone") || !resolved.has("Collider") || has("sensor") || has("one_way") {
            continue;
        }
        let parts = resolved.get("Collider", "parts").and_then(Value::as_list).unwrap_or_default();
        let is_sensor = |part: &Value| is_true(part.field("sensor"));
        if parts.iter().any(is_sensor) {
            continue;
        }
        let at = declarer.set_at(&["Zone", "Collider"]);
        let message = "nothing gets into this zone: its collider is solid";
        let finding = Finding::warning(RULE.name, Location::key(declarer.owner.doc().clone(), at), message);
        let edit = Edit::SetValue {
            owner: declarer.owner.clone(),
            op: OpKind::Set,
            component: "Collider".into(),
            field: "sensor".into(),
            inner: FieldPath::default(),
            value: Value::Bool(true),
        };
        out.push(Problem::new(finding).with([Fix::new("Make the collider a sensor", edit)]));
    }
}
