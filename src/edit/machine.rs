//! Edits of machines as wholes, and of what a state does: its transitions, actions and answers.
//!
//! Invariant: numbers in a machine are finite. The tree of states and the addresses that lead through it are in
//! `states`.

use std::sync::Arc;

use super::{
    Refusal, TypedRefs,
    reach::{check_name, content, content_mut, taken},
    references,
    value::{check_fields, check_number, check_word},
};
use crate::model::{
    Call, Condition, DocPath, Document, Machine, MachinesFile, Name, Project, State, Transition, Trigger,
};

/// A state: file, machine, path from the root.
pub(super) type At<'a> = (&'a DocPath, &'a Name, &'a Name);

fn file<'a>(project: &'a Project, path: &DocPath) -> Result<&'a MachinesFile, Refusal> {
    content(project, path)
}

fn file_mut<'a>(project: &'a mut Project, path: &DocPath) -> Result<&'a mut MachinesFile, Refusal> {
    content_mut(project, path)
}

pub(super) fn machine_at<'a>(project: &'a Project, path: &DocPath, name: &str) -> Result<&'a Arc<Machine>, Refusal> {
    let found = file(project, path)?.machines.get(name);
    found.ok_or_else(|| Refusal::new(format!("there is no machine `{name}` in `{path}`")))
}

pub(super) fn check_free(project: &Project, name: &Name) -> Result<(), Refusal> {
    check_name("a machine", name)?;
    let holder = project.documents.iter().find(|(_, doc)| match &***doc {
        Document::Machines(file) => file.machines.contains_key(name),
        _ => false,
    });
    holder.map_or(Ok(()), |(path, _)| Err(taken("a machine", name, Some(path))))
}

/// Change a machine through a copy.
pub(super) fn edit_machine(
    project: &mut Project,
    (path, name): (&DocPath, &Name),
    change: impl FnOnce(&mut Machine) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let old = machine_at(project, path, name)?;
    let mut new = (**old).clone();
    change(&mut new)?;
    if new != **old {
        file_mut(project, path)?.machines.insert(name.clone(), Arc::new(new));
    }
    Ok(())
}

/// A state of a machine, to change.
pub(super) fn state_in<'a>(machine: &'a mut Machine, state: &str) -> Result<&'a mut State, Refusal> {
    machine.state_mut(state).ok_or_else(|| Refusal::new(format!("there is no state `{state}` in this machine")))
}

pub(super) fn check_layout(machine: &Machine) -> Result<(), Refusal> {
    for (path, at) in &machine.layout {
        super::value::check_place(*at)?;
        if path.is_empty() || machine.state(path).is_none() {
            return Err(Refusal::new(format!("the layout places `{path}`, which is no state")));
        }
    }
    Ok(())
}

pub(super) fn rename(
    project: &mut Project,
    path: &DocPath,
    (from, to): (&Name, &Name),
    typed: &TypedRefs,
) -> Result<(), Refusal> {
    machine_at(project, path, from)?;
    if from == to {
        return Ok(());
    }
    check_free(project, to)?;
    let machines = &mut file_mut(project, path)?.machines;
    if let Some((at, _, machine)) = machines.shift_remove_full(from) {
        machines.shift_insert(at, to.clone(), machine);
    }
    references::rename(project, from, to, typed);
    Ok(())
}

pub(super) fn check_calls(calls: &[Call]) -> Result<(), Refusal> {
    for call in calls {
        check_word("an action", &call.name)?;
        check_fields(&call.args)?;
    }
    Ok(())
}

pub(super) fn check_condition(condition: &Condition) -> Result<(), Refusal> {
    match condition {
        Condition::Call(call) => {
            check_word("a condition", &call.name)?;
            check_fields(&call.args)
        }
        Condition::All(all) | Condition::Any(all) => all.iter().try_for_each(check_condition),
        Condition::Not(inner) => check_condition(inner),
    }
}

pub(super) fn check_transition(transition: &Transition) -> Result<(), Refusal> {
    match &transition.trigger {
        Trigger::When(condition) => check_condition(condition)?,
        Trigger::On(message) => check_name("a message", message)?,
        Trigger::After(secs) => {
            check_number("a time", *secs)?;
            if *secs < 0.0 {
                return Err(Refusal::new("a time is zero seconds or more"));
            }
        }
    }
    transition.guard.iter().try_for_each(check_condition)?;
    check_name("the target of a transition", &transition.to)?;
    check_calls(&transition.actions)
}

/// Refuse numbers that files cannot hold, and names that cannot be, in a state and those inside it.
pub(super) fn check_state(state: &State) -> Result<(), Refusal> {
    [&state.enter, &state.exit, &state.update].into_iter().try_for_each(|calls| check_calls(calls))?;
    state.on.values().try_for_each(|calls| check_calls(calls))?;
    state.transitions.iter().try_for_each(check_transition)?;
    state.states.iter().try_for_each(|(name, state)| {
        check_state_name(name)?;
        check_state(state)
    })
}

/// Refuse a transition that leads nowhere.
pub(super) fn check_target(machine: &Machine, transition: &Transition) -> Result<(), Refusal> {
    machine.find(&transition.to).map(|_| ()).map_err(Refusal::new)
}

fn no_transition(at: usize) -> Refusal {
    Refusal::new(format!("this state has no transition {}", at + 1))
}

pub(super) fn move_transition(
    project: &mut Project,
    (path, machine, state): At<'_>,
    at: usize,
    (to_state, to): (&Name, usize),
) -> Result<(), Refusal> {
    edit_machine(project, (path, machine), |it| {
        let from = state_in(it, state)?;
        if at >= from.transitions.len() {
            return Err(no_transition(at));
        }
        let transition = from.transitions.remove(at);
        let target = &mut state_in(it, to_state)?.transitions;
        target.insert(to.min(target.len()), transition);
        Ok(())
    })
}

/// Refuse a handler for a message that is answered elsewhere.
pub(super) fn check_message(message: &Name) -> Result<(), Refusal> {
    check_name("a message", message)?;
    match &**message {
        "Enter" | "Exit" | "Update" => {
            Err(Refusal::new(format!("`{message}` has a list of its own; write `{}`", message.to_lowercase())))
        }
        _ => Ok(()),
    }
}

/// Refuse what cannot be a state's name.
pub(super) fn check_state_name(name: &str) -> Result<(), Refusal> {
    check_name("a state", name)?;
    if name.contains('/') {
        return Err(Refusal::new("a state's name has no `/`, which separates states in a path"));
    }
    Ok(())
}
