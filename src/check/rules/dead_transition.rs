//! A transition that an earlier one of the same state always beats.

use crate::{
    check::{Fix, Problem, Rule, input::Input, machines},
    edit::Edit,
    model::{Finding, Location, Transition, Trigger},
};

pub(super) const RULE: Rule =
    Rule { name: "dead-transition", doc: "A transition that an earlier one of the same state always beats.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for machine in &input.machines {
        for state in machines::states(*machine) {
            let transitions = &state.state.transitions;
            for (i, transition) in transitions.iter().enumerate() {
                let Some(first) = transitions.iter().take(i).position(|earlier| beats(earlier, transition)) else {
                    continue;
                };
                let message = format!("this never fires: transition {} of the state always fires first", first + 1);
                let at = Location::new(machine.doc.clone(), state.at.key("transitions").index(i));
                let edit = Edit::Remove { doc: at.doc.clone(), at: at.path.clone() };
                let fix = Fix::new("Delete the transition", edit).safe();
                out.push(Problem::new(Finding::warning(RULE.name, at, message)).with([fix]));
            }
        }
    }
}

/// Whether `earlier` fires whenever `later` could. Equal conditions are no proof: one may be random.
fn beats(earlier: &Transition, later: &Transition) -> bool {
    let same = match (&earlier.trigger, &later.trigger) {
        (Trigger::On(a), Trigger::On(b)) => a == b,
        (Trigger::After(a), Trigger::After(b)) => a <= b,
        _ => false,
    };
    same && earlier.guard.is_none()
}
