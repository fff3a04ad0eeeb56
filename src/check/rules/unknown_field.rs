//! A definition or placed entity says a field that its component does not declare.

use crate::{
    check::{
        Fix, Problem, Rule,
        input::{Input, SaidAt},
    },
    edit::{Edit, RefKind, TypedRefs, Word},
    model::{FieldPath, Seg},
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-field", doc: "A field is used that its component does not declare.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for finding in input.found(RULE.name) {
        let said = input.said_at(&finding.location);
        // The right field's own value is not written over, and this one not dropped for it.
        if said.as_ref().zip(finding.suggestion()).is_some_and(|(said, near)| is_said(said, near)) {
            out.push(Problem::new(finding.clone()));
            continue;
        }
        let rename = said.as_ref().zip(finding.suggestion()).and_then(|(said, near)| rename(said, near));
        let drop = said.as_ref().and_then(|said| Some(Fix::new(format!("Remove {}", last(said)?), clear(said)?)));
        // The same slip is often in many places; what it means there is the same.
        let whole = said.as_ref().filter(|said| said.inner.0.is_empty()).zip(finding.suggestion());
        let all = whole.and_then(|(said, near)| {
            let word = Word::Field { component: said.component.clone(), field: said.field.clone()? };
            let label = format!("Rename {word} to {near} everywhere");
            let doc = finding.location.doc.clone();
            let typed = TypedRefs::of(input.schema(), RefKind::Field);
            Some(Fix::new(label, Edit::RewriteUses { doc, word, to: Some(near.into()), typed }))
        });
        out.push(Problem::new(finding.clone()).with(rename).with(all).with(drop));
    }
}

fn last(said: &SaidAt<'_>) -> Option<String> {
    match said.inner.0.last() {
        Some(Seg::Key(key)) => Some(key.to_string()),
        Some(Seg::Index(_)) => None,
        None => said.field.as_ref().map(ToString::to_string),
    }
}

fn clear(said: &SaidAt<'_>) -> Option<Edit> {
    let (component, field) = (said.component.clone(), said.field.clone()?);
    // By this operation alone: another misspells it for itself, and an entry of `remove` is another problem.
    Some(Edit::DropValue { owner: said.owner.clone(), op: said.op, component, field, inner: said.inner.clone() })
}

/// Whether the same operation says the right field as well.
fn is_said(said: &SaidAt<'_>, near: &str) -> bool {
    match said.inner.parent() {
        Some(parent) => said.value().and_then(|value| value.at(&parent.key(near))).is_some(),
        None => said.ops.said(said.op, &said.component, near).is_some(),
    }
}

fn rename(said: &SaidAt<'_>, near: &str) -> Option<Fix> {
    let value = said.value()?.at(&said.inner)?.clone();
    let (field, inner) = match said.inner.parent() {
        Some(parent) => (said.field.clone()?, parent.key(near)),
        None => (near.into(), FieldPath::root()),
    };
    let (owner, op, component) = (said.owner.clone(), said.op, said.component.clone());
    let edits = vec![Edit::SetValue { owner, op, component, field, inner, value }, clear(said)?];
    Some(Fix::of(format!("Rename to {near}"), edits))
}
