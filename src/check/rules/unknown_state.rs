//! A transition, an `initial` or a call that names a state missing in its machine.

use crate::{
    check::{
        Fix, Problem, Rule,
        input::Input,
        machines::{self, MachineAt},
        references,
    },
    edit::Edit,
    model::{Expected, ExpectedState, FieldPath, FieldType, Finding, Location, Machine, Name, did_you_mean, mean},
};

pub(super) const RULE: Rule =
    Rule { name: "unknown-state", doc: "A state is named that its machine does not have, or has several of.", check };

fn check(input: &Input<'_>, out: &mut Vec<Problem>) {
    for machine in &input.machines {
        of_machine(*machine, out);
    }
    references::argument_names(input, &mut |argument| {
        if *argument.ty != FieldType::State {
            return;
        }
        // In the machine that another argument names, else in the one that contains the call.
        let machine = match references::named(input, argument.site, &FieldType::Machine) {
            Some(name) => input.machine(name),
            None => Some(argument.site.machine.machine),
        };
        let Some(machine) = machine else { return };
        out.extend(look(machine, argument.name, argument.location(), |near| Some(argument.replaced_by(near))));
    });
    scenarios(input, out);
}

fn of_machine(at: MachineAt<'_>, out: &mut Vec<Problem>) {
    let place = |path: FieldPath| Location::new(at.doc.clone(), path);
    for state in machines::states(at) {
        let path = state.path.clone();
        if let Some(initial) = &state.state.initial {
            let inside = if path.is_empty() { initial.to_string() } else { format!("{path}/{initial}") };
            let found = at.machine.find(initial).ok().filter(|found| {
                path.is_empty() || found.strip_prefix(&*path).is_some_and(|rest| rest.starts_with('/'))
            });
            if at.machine.state(&inside).is_none() && found.is_none_or(|found| *found == *path) {
                let children: Vec<&str> = state.state.states.keys().map(|name| &**name).collect();
                let near = did_you_mean(initial, children.iter().copied());
                let whose = if path.is_empty() { "the machine".to_owned() } else { format!("`{path}`") };
                let message = format!("`{initial}` is not a state inside {whose}, so it cannot be entered with it");
                let found = Finding::error(RULE.name, place(state.at.key("initial")), message).with_help(mean(near));
                let fix = near.or(children.first().copied()).map(|name| {
                    let edit = Edit::set_at(at.doc, state.at.key("initial"), &Some(Name::from(name)));
                    Fix::new(format!("Enter {name}"), edit)
                });
                out.push(Problem::new(found).with(fix));
            }
        }
        for (i, transition) in state.state.transitions.iter().enumerate() {
            let here = state.at.key("transitions").index(i);
            let found = look(at.machine, &transition.to, place(here.key("to")), |near| {
                Some(Edit::set_at(at.doc, here.key("to"), &Name::from(near)))
            });
            out.extend(found.map(|problem| {
                let edit = Edit::Remove { doc: at.doc.clone(), at: here.clone() };
                problem.with([Fix::new("Delete the transition", edit)])
            }));
        }
    }
}

fn look(machine: &Machine, state: &str, at: Location, change: impl Fn(&str) -> Option<Edit>) -> Option<Problem> {
    let why = machine.find(state).err()?;
    let paths = machine.paths();
    let last = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_owned();
    // Of several states with the name, the first by path; else the nearest by path or bare name.
    let near = paths.iter().find(|path| last(path) == state).map(std::string::ToString::to_string).or_else(|| {
        let bare: Vec<String> = paths.iter().map(|path| last(path)).collect();
        did_you_mean(state, paths.iter().map(|path| &**path).chain(bare.iter().map(String::as_str))).map(str::to_owned)
    });
    let near = near.filter(|near| machine.find(near).is_ok());
    let fix = near.as_ref().and_then(|near| Some(Fix::new(format!("Use {near}"), change(near)?)));
    Some(Problem::new(Finding::error(RULE.name, at, why).with_help(mean(near.as_deref()))).with(fix))
}

/// States in expectations of scenarios: of the machine they name, else of any.
fn scenarios(input: &Input<'_>, out: &mut Vec<Problem>) {
    for (doc, scenario) in input.scenarios() {
        for (i, expectation) in scenario.expect.iter().enumerate() {
            let Expected::State(ExpectedState { state, machine }) = &expectation.what else { continue };
            let fits = |machine: &Machine| machine.find(state).is_ok();
            let known = match machine {
                Some(name) => input.machine(name).is_none_or(fits),
                None => state.is_empty() || input.machines.iter().any(|at| fits(at.machine)),
            };
            if known {
                continue;
            }
            let whose = machine.as_ref().map_or_else(|| "any machine".to_owned(), |name| format!("machine `{name}`"));
            let at = Location::new(doc.clone(), FieldPath::keys(["expect"]).index(i).key("state"));
            let among = input.machines.iter().filter(|at| machine.as_ref().is_none_or(|name| name == at.name));
            let paths: Vec<Name> = among.flat_map(|at| at.machine.paths()).collect();
            let near = did_you_mean(state, paths.iter().map(|path| &**path));
            let set = |near: &str| Edit::set_at(doc, at.path.clone(), &near.to_owned());
            let fix = near.map(|near| Fix::new(format!("Use {near}"), set(near)));
            let finding = Finding::error(RULE.name, at, format!("there is no state `{state}` in {whose}"));
            out.push(Problem::new(finding.with_help(mean(near))).with(fix));
        }
    }
}
