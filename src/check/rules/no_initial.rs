//! A state with child states, none of which is its initial state.

use crate::{
    check::{Fix, Problem, Rule, input::Input, machines},
    edit::Edit,
    model::{Finding, Location, Value},
};

pub(super) const RULE: Rule =
    Rule { name: "no-initial", doc: "A state has states inside it, and none of them is entered with it.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for machine in &input.machines {
        for state in machines::states(*machine) {
            let says_where =
                state.state.enter.iter().any(|call| call.args.get("state").and_then(Value::as_str).is_some());
            let Some(first) = state.state.states.keys().next() else { continue };
            if state.state.initial.is_some() || says_where {
                continue;
            }
            let whose = if state.path.is_empty() { "the machine".to_owned() } else { format!("`{}`", state.path) };
            let message = format!("{whose} has states inside and no `initial`, so none of them is entered with it");
            let at = Location::key(machine.doc.clone(), state.at.clone());
            let edit = Edit::set_at(machine.doc, state.at.key("initial"), &Some(first.clone()));
            let fix = Fix::new(format!("Enter {first}"), edit);
            out.push(Problem::new(Finding::warning(RULE.name, at, message)).with([fix]));
        }
    }
}
