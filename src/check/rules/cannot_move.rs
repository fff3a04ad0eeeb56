//! A machine that sends its entity to places, where nothing moves the entity, or its speed or acceleration is 0.

use crate::{
    check::{
        Fix, Problem, Rule,
        input::{DeclaredAt, Declarer, Input},
    },
    defs::Resolved,
    edit::{Edit, Owner},
    explain::destinations_of,
    model::{Finding, Location, Name, OpKind, Value},
};

/// The component with the machines that give orders, and those of which one carries them out.
const BRAIN: &str = "Brain";
const MOVERS: [&str; 2] = ["Walker", "Flyer"];
/// The fields of a mover that must not be 0.
const MOTION: [&str; 2] = ["speed", "acceleration"];

pub(super) const RULE: Rule = Rule {
    name: "cannot-move",
    doc: "A machine sends its entity to places, and the entity has neither `Walker` nor `Flyer`, nor a component of the game's own that may move it. Or its speed or acceleration is 0.",
    check,
};

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for declarer in &input.declarers {
        // An abstract definition leaves it to its descendants.
        let Some(resolved) = resolved_of(input, declarer).filter(|resolved| !resolved.is_abstract) else { continue };
        if declarer.def.is_some() && !may_move(input, resolved) {
            if is_sent(input, resolved) {
                out.push(without_mover(declarer));
            }
        } else if let Some((component, field)) = zero_motion(declarer, resolved)
            && is_sent(input, resolved)
        {
            out.push(without_motion(input, declarer, component, field));
        }
    }
}

fn without_mover(declarer: &Declarer<'_>) -> Problem {
    let at = Location::key(declarer.owner.doc().clone(), declarer.set_at(&[BRAIN]));
    let message = "its machine sends it to places, and it has neither `Walker` nor `Flyer` to go there";
    let add = |component: &str| {
        let edit = Edit::AddComponent { owner: declarer.owner.clone(), component: component.into() };
        Fix::new(format!("Add {component}"), edit)
    };
    Problem::new(Finding::warning(RULE.name, at, message.to_owned())).with(MOVERS.map(add))
}

fn without_motion(input: &Input<'_>, declarer: &Declarer<'_>, component: &str, field: &str) -> Problem {
    let doc = declarer.owner.doc().clone();
    let is_own = declarer.ops.declared(OpKind::Set, component, field).is_some();
    let at = if is_own {
        Location::new(doc, declarer.at(OpKind::Set, &component.into()).key(field))
    } else {
        Location::key(doc, declarer.set_at(&[component]))
    };
    let reset = input.declared_at(&at).as_ref().filter(|_| is_own).and_then(DeclaredAt::reset);
    let message = format!("its machine sends it to places, and its {field} is 0");
    Problem::new(Finding::warning(RULE.name, at, message)).with(reset)
}

/// The definition of a declarer as resolved; for a placed entity, that of its definition.
fn resolved_of<'a>(input: &Input<'a>, declarer: &Declarer<'a>) -> Option<&'a Resolved> {
    let Owner::Instance { doc, id, .. } = &declarer.owner else { return declarer.resolved };
    let (_, instance) = input.project.level(doc)?.entity(id)?;
    input.resolution.defs.get(&instance.def).map(|resolved| &**resolved)
}

/// Whether a definition has a component that moves it, or one of the game's own that may.
fn may_move(input: &Input<'_>, resolved: &Resolved) -> bool {
    let built_in = &input.resolution.builtin().schema.components;
    resolved.components.keys().any(|it: &Name| MOVERS.contains(&&**it) || !built_in.contains_key(it))
}

/// The mover and its first field that is 0: as resolved, or for a placed entity as it sets that itself.
fn zero_motion(declarer: &Declarer<'_>, resolved: &Resolved) -> Option<(&'static str, &'static str)> {
    // An entity with both walks.
    let component = MOVERS.into_iter().find(|component| resolved.has(component))?;
    let value = |field: &str| match declarer.def {
        Some(_) => resolved.get(component, field),
        None => declarer.ops.declared(OpKind::Set, component, field),
    };
    let field = MOTION.into_iter().find(|field| value(field).and_then(Value::as_f64) == Some(0.0))?;
    Some((component, field))
}

/// Whether the machines of a definition order it to go somewhere. Not if they change values of how it moves.
fn is_sent(input: &Input<'_>, resolved: &Resolved) -> bool {
    if !resolved.has(BRAIN) {
        return false;
    }
    let to = destinations_of(input.project, input.resolution, resolved);
    !to.changes_motion && (!to.goals.is_empty() || to.routes.iter().any(|route| !route.is_own))
}
