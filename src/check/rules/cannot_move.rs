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

/// What keeps an entity from going where its machine sends it.
#[derive(Clone, Copy, PartialEq)]
enum Lack {
    Mover,
    /// The component and the field that is 0.
    Motion(&'static str, &'static str),
}

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for declarer in &input.declarers {
        match lack_of(input, declarer) {
            Some(Lack::Mover) => out.push(without_mover(declarer)),
            Some(Lack::Motion(component, field)) => out.push(without_motion(input, declarer, component, field)),
            None => {}
        }
    }
}

/// What a definition lacks, or a placed entity by its own values.
fn lack_of(input: &Input<'_>, declarer: &Declarer<'_>) -> Option<Lack> {
    let Owner::Instance { doc, id, .. } = &declarer.owner else { return lack(input, declarer.resolved?) };
    if ![BRAIN].iter().chain(&MOVERS).any(|component| declarer.ops.names(component)) {
        return None;
    }
    let (_, instance) = input.project.level(doc)?.entity(id)?;
    let (resolved, _) = input.resolution.instance(doc, &declarer.base(), id, instance);
    let of_def = input.resolution.defs.get(&instance.def).and_then(|def| lack(input, def));
    lack(input, &resolved).filter(|lack| Some(*lack) != of_def)
}

fn lack(input: &Input<'_>, resolved: &Resolved) -> Option<Lack> {
    // An abstract definition leaves it to its descendants.
    let lack = if may_move(input, resolved) { zero_motion(resolved)? } else { Lack::Mover };
    (!resolved.is_abstract && is_sent(input, resolved)).then_some(lack)
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

/// Whether a definition has a component that moves it, or one of the game's own that may.
fn may_move(input: &Input<'_>, resolved: &Resolved) -> bool {
    let built_in = &input.resolution.builtin().schema.components;
    resolved.components.keys().any(|it: &Name| MOVERS.contains(&&**it) || !built_in.contains_key(it))
}

/// The mover and its first field that is 0.
fn zero_motion(resolved: &Resolved) -> Option<Lack> {
    // An entity with both walks.
    let component = MOVERS.into_iter().find(|component| resolved.has(component))?;
    let is_zero = |field: &&str| resolved.get(component, field).and_then(Value::as_f64) == Some(0.0);
    Some(Lack::Motion(component, MOTION.into_iter().find(is_zero)?))
}

/// Whether the machines of a definition order it to go somewhere. Not if they change values of how it moves.
fn is_sent(input: &Input<'_>, resolved: &Resolved) -> bool {
    if !resolved.has(BRAIN) {
        return false;
    }
    let to = destinations_of(input.project, input.resolution, resolved);
    !to.changes_motion && (!to.goals.is_empty() || to.routes.iter().any(|route| !route.is_own))
}
