//! A collider with more shapes than the preview allows, so that its body is left out.

use crate::{
    check::{Problem, Rule, input::Input},
    model::{FieldPath, Finding, Location, OpKind, Value},
    sim::limits::MAX_PARTS,
};

pub(super) const RULE: Rule =
    Rule { name: "too-many-parts", doc: "A collider has more shapes than the preview computes with.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (declarer, declared) in input.declared("Collider") {
        let Some(parts) = declared.fields.get("parts").and_then(Value::as_list) else { continue };
        // Appended parts come after inherited ones.
        let resolved = declarer.resolved.filter(|_| declared.op == OpKind::Append);
        let all = resolved.and_then(|resolved| resolved.get("Collider", "parts")?.as_list()).unwrap_or(parts);
        // Its own shape counts as well.
        let n_shapes = all.len() + 1;
        let Some(over) = n_shapes.checked_sub(MAX_PARTS).filter(|over| *over > 0) else { continue };
        let first = parts.len().saturating_sub(over);
        let at = declarer.at(declared.op, declared.component);
        let at = at.join(&FieldPath::keys(["parts"]).index(first));
        let text = format!("its collider has {n_shapes} shapes, more than {MAX_PARTS}: the entity has no body");
        let finding = Finding::error(RULE.name, Location::new(declarer.owner.doc().clone(), at), text);
        out.push(Problem::new(finding.with_help(Some("join shapes, or use several entities".to_owned()))));
    }
}
