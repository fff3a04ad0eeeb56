//! A component does nothing in a definition or placed entity that lacks another one, which its declaration needs.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{Finding, Location, OpKind},
};

pub(super) const RULE: Rule = Rule {
    name: "missing-component",
    doc: "A component needs another one that its definition or entity does not have.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let needy = input.schema().components.iter().filter(|(_, spec)| !spec.needs.is_empty());
    for (component, spec) in needy {
        for (declarer, declared) in input.declared(component).filter(|(_, declared)| declared.op == OpKind::Set) {
            // An abstract definition leaves it to those that inherit it.
            let Some(resolved) = declarer.resolved.filter(|resolved| !resolved.is_abstract) else { continue };
            for needed in spec.needs.iter().filter(|needed| !resolved.has(needed)) {
                let at = declarer.base().key(declared.op.key()).key(component);
                let message = format!("`{component}` does nothing without `{needed}`");
                let finding = Finding::warning(RULE.name, Location::key(declarer.owner.doc().clone(), at), message);
                let edit = Edit::AddComponent { owner: declarer.owner.clone(), component: needed.clone() };
                out.push(Problem::new(finding).with([Fix::new(format!("Add {needed}"), edit)]));
            }
        }
    }
}
