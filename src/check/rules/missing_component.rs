//! A component without effect, because the definition lacks another component that its declaration needs.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    edit::Edit,
    model::{Finding, Location},
};

pub(super) const RULE: Rule = Rule {
    name: "missing-component",
    doc: "A definition has a component that needs another one, and does not have that.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    let needy: Vec<_> = input.schema().components.iter().filter(|(_, spec)| !spec.needs.is_empty()).collect();
    for declarer in &input.declarers {
        // An abstract definition leaves the component to its descendants.
        let Some(resolved) = declarer.resolved.filter(|resolved| !resolved.is_abstract) else { continue };
        for (component, spec) in needy.iter().filter(|(component, _)| resolved.has(component)) {
            for needed in spec.needs.iter().filter(|needed| !resolved.has(needed)) {
                let at = declarer.set_at(&[component]);
                let message = format!("`{component}` does nothing without `{needed}`");
                let finding = Finding::warning(RULE.name, Location::key(declarer.owner.doc().clone(), at), message);
                let edit = Edit::AddComponent { owner: declarer.owner.clone(), component: needed.clone() };
                out.push(Problem::new(finding).with([Fix::new(format!("Add {needed}"), edit)]));
            }
        }
    }
}
