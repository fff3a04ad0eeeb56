//! A field, in a definition or placed entity, that its component does not declare.

use crate::{
    check::{
        Fix, Problem, Rule, custom_fields,
        input::{DeclaredAt, Input},
    },
    edit::{Edit, RefKind, TypedRefs, Word},
    model::{FieldPath, Seg, TypeErrorKind},
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-field", doc: "A field is used that its component does not declare.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        let declared = input.declared_at(&finding.location);
        // The right field's own value is not overwritten, and this one not dropped because of it.
        if declared.as_ref().zip(finding.suggestion()).is_some_and(|(declared, near)| is_used(declared, near)) {
            out.push(Problem::new(finding.clone()));
            continue;
        }
        let rename = declared.as_ref().zip(finding.suggestion()).and_then(|(declared, near)| rename(declared, near));
        let drop = declared
            .as_ref()
            .and_then(|declared| Some(Fix::new(format!("Remove {}", last(declared)?), clear(declared)?)));
        // The same misspelling is often in many places, with the same meaning.
        let whole = declared.as_ref().filter(|declared| declared.inner.0.is_empty()).zip(finding.suggestion());
        let all = whole.and_then(|(declared, near)| {
            let word = Word::Field { component: declared.component.clone(), field: declared.field.clone()? };
            let label = format!("Rename {word} to {near} everywhere");
            let doc = finding.location.doc.clone();
            let typed = TypedRefs::of(input.schema(), RefKind::Field);
            Some(Fix::new(label, Edit::RewriteUses { doc, word, to: Some(near.into()), typed }))
        });
        out.push(Problem::new(finding.clone()).with(rename).with(all).with(drop));
    }
    custom_fields::look(input, TypeErrorKind::UnknownField, out);
}

fn last(declared: &DeclaredAt<'_>) -> Option<String> {
    match declared.inner.0.last() {
        Some(Seg::Key(key)) => Some(key.to_string()),
        Some(Seg::Index(_)) => None,
        None => declared.field.as_ref().map(ToString::to_string),
    }
}

fn clear(declared: &DeclaredAt<'_>) -> Option<Edit> {
    let (component, field) = (declared.component.clone(), declared.field.clone()?);
    // Only for this operation: another operation has its own misspelling, and an entry of `remove` is another problem.
    Some(Edit::ClearValue {
        owner: declared.owner.clone(),
        op: Some(declared.op),
        component,
        field,
        inner: declared.inner.clone(),
    })
}

/// Whether the same operation sets the right field as well.
fn is_used(declared: &DeclaredAt<'_>, near: &str) -> bool {
    match declared.inner.parent() {
        Some(parent) => declared.value().and_then(|value| value.at(&parent.key(near))).is_some(),
        None => declared.ops.declared(declared.op, &declared.component, near).is_some(),
    }
}

fn rename(declared: &DeclaredAt<'_>, near: &str) -> Option<Fix> {
    let value = declared.value()?.at(&declared.inner)?.clone();
    let (field, inner) = match declared.inner.parent() {
        Some(parent) => (declared.field.clone()?, parent.key(near)),
        None => (near.into(), FieldPath::root()),
    };
    let (owner, op, component) = (declared.owner.clone(), declared.op, declared.component.clone());
    let edits = vec![Edit::SetValue { owner, op, component, field, inner, value }, clear(declared)?];
    Some(Fix::of(format!("Rename to {near}"), edits))
}
