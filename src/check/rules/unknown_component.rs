//! A definition or placed entity names a component that no schema declares.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{DocKind, FieldPath, OpKind},
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-component", doc: "A component is named that no schema declares.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        let mut finding = finding.clone();
        if finding.suggestion().is_none() {
            finding.help = input.may_be_in(DocKind::Schema).or(finding.help);
        }
        let Some(declared) = input.declared_at(&finding.location) else {
            out.push(Problem::new(finding));
            continue;
        };
        let drop = Edit::RemoveComponent { owner: declared.owner.clone(), component: declared.component.clone() };
        // If the right component is declared already, the user has to merge the two, with their comments.
        let is_repeated = finding.suggestion().is_some_and(|near| {
            OpKind::VALUED.into_iter().any(|op| declared.ops.values(op).is_some_and(|values| values.contains_key(near)))
        });
        if is_repeated {
            out.push(Problem::new(finding));
            continue;
        }
        let rename = finding.suggestion().map(|near| {
            let mut edits = vec![drop.clone()];
            edits.push(Edit::AddComponent { owner: declared.owner.clone(), component: near.into() });
            for op in OpKind::VALUED {
                let fields = declared.ops.values(op).and_then(|values| values.get(&declared.component));
                for (field, value) in fields.into_iter().flatten() {
                    edits.push(Edit::SetValue {
                        owner: declared.owner.clone(),
                        op,
                        component: near.into(),
                        field: field.clone(),
                        inner: FieldPath::root(),
                        value: value.clone(),
                    });
                }
            }
            Fix::of(format!("Rename to {near}"), edits)
        });
        let drop = Fix::new(format!("Remove {}", declared.component), drop);
        out.push(Problem::new(finding).with(rename).with([drop]));
    }
}
