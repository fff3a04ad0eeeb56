//! A state that no transition, `initial` or call leads to.

use std::collections::BTreeSet;

use crate::{
    check::{
        Fix, Problem, Rule,
        input::Input,
        machines::{self, MachineAt},
    },
    edit::Edit,
    model::{Finding, Location, Name, Value},
};

pub(super) const RULE: Rule =
    Rule { name: "unreachable-state", doc: "A state that no transition, `initial` or call leads to.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for machine in &input.machines {
        let reached = reached(input, *machine);
        for state in machines::states(*machine) {
            let parent = state.path.rsplit_once('/').map_or("", |(parent, _)| parent);
            // Of an unreachable branch, only the top is reported.
            if state.path.is_empty()
                || reached.contains(&state.path)
                || !(parent.is_empty() || reached.contains(parent))
            {
                continue;
            }
            let message = format!("nothing leads to `{}`: no transition, no `initial`, no call", state.path);
            let at = Location::key(machine.doc.clone(), state.at.clone());
            let edit = Edit::RemoveState {
                doc: machine.doc.clone(),
                machine: machine.name.clone(),
                state: state.path.clone(),
            };
            let fix = Fix::new(format!("Delete {}", state.path), edit);
            out.push(Problem::new(Finding::warning(RULE.name, at, message)).with([fix]));
        }
    }
}

/// Every state that can be active, by following the transitions of those that can.
fn reached(input: &Input<'_>, at: MachineAt<'_>) -> BTreeSet<Name> {
    let machine = at.machine;
    let mut reached: BTreeSet<Name> = BTreeSet::new();
    let mut open: Vec<Name> = vec!["".into()];
    while let Some(path) = open.pop() {
        if !reached.insert(path.clone()) {
            continue;
        }
        let Some(state) = machine.state(&path) else { continue };
        // A state is active only inside all its ancestors.
        open.extend(path.rsplit_once('/').map(|(parent, _)| Name::from(parent)));
        if let Some(initial) = &state.initial {
            let inside: Name =
                if path.is_empty() { initial.clone() } else { format!("{path}/{initial}").as_str().into() };
            open.extend(if machine.state(&inside).is_some() { Some(inside) } else { machine.find(initial).ok() });
        }
        open.extend(state.transitions.iter().filter_map(|transition| machine.find(&transition.to).ok()));
        let calls = input
            .built_in_calls()
            .filter(|site| std::ptr::eq(site.machine.machine, machine) && site.state == path && !site.is_condition);
        let argument = calls.filter_map(|site| site.call.args.get("state").and_then(Value::as_str));
        open.extend(argument.filter_map(|state| machine.find(state).ok()));
    }
    reached
}
