//! A component without effect, because the definition lacks another component that its declaration needs; and a machine
//! that sends a definition to places to which nothing moves it.

use crate::{
    check::{Fix, Problem, Rule, input::Input},
    defs::Resolved,
    edit::Edit,
    explain::destinations_of,
    model::{Finding, Location, Name},
};

/// The component with the machines that give orders, and those of which one carries them out.
const BRAIN: &str = "Brain";
const MOVERS: [&str; 2] = ["Walker", "Flyer"];

pub(super) const RULE: Rule = Rule {
    name: "missing-component",
    doc: "A definition has a component that needs another one, and does not have that. Or its machine sends it to places, and it has neither `Walker` nor `Flyer`, nor a component of the game's own that may move it.",
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
        if is_sent_without_mover(input, resolved) {
            let at = Location::key(declarer.owner.doc().clone(), declarer.set_at(&[BRAIN]));
            let message = "its machine sends it to places, and it has neither `Walker` nor `Flyer` to go there";
            let add = |component: &str| {
                let edit = Edit::AddComponent { owner: declarer.owner.clone(), component: component.into() };
                Fix::new(format!("Add {component}"), edit)
            };
            out.push(Problem::new(Finding::warning(RULE.name, at, message.to_owned())).with(MOVERS.map(add)));
        }
    }
}

/// Whether the machines of a definition order it to go somewhere, and nothing can move it there.
fn is_sent_without_mover(input: &Input<'_>, resolved: &Resolved) -> bool {
    let built_in = &input.resolution.builtin().schema.components;
    let may_move = |component: &Name| MOVERS.contains(&&**component) || !built_in.contains_key(component);
    if !resolved.has(BRAIN) || resolved.components.keys().any(may_move) {
        return false;
    }
    let to = destinations_of(input.project, input.resolution, resolved);
    !to.goals.is_empty() || to.routes.iter().any(|route| !route.is_own)
}
