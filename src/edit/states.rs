//! Edits of a machine's tree of states, and the addresses that follow when a state is renamed or moved.
//!
//! Invariant: after an edit every address that meant a surviving state means that state still, written as briefly as it
//! was where that is unambiguous; `layout` places states of the machine only.

use std::sync::Arc;

use super::{
    Refusal,
    machine::{check_state, check_state_name, edit_machine, machine_at, state_in},
    value::check_place,
};
use crate::model::{
    Call, Condition, DocPath, Document, Expected, ExpectedState, FieldPath, Machine, Name, Project, State, Trigger,
    Value,
};

/// A machine: file and name.
type In<'a> = (&'a DocPath, &'a Name);

/// `parent/name`, or `name` in the root.
pub(super) fn join(parent: &str, name: &str) -> Name {
    if parent.is_empty() { name.into() } else { format!("{parent}/{name}").into() }
}

/// The place of a state in the document of its machine.
#[must_use]
pub fn state_at(machine: &str, state: &str) -> FieldPath {
    let parts = state.split('/').filter(|part| !part.is_empty());
    parts.fold(FieldPath::keys([machine]), |at, part| at.key("states").key(part))
}

/// Parent's path and own name.
pub(super) fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Whether `path` is `state` or lies in it.
pub(super) fn is_in(path: &str, state: &str) -> bool {
    path.strip_prefix(state).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn check_sibling(parent: &State, name: &Name) -> Result<(), Refusal> {
    check_state_name(name)?;
    if parent.states.contains_key(name) {
        return Err(Refusal::new(format!("there is already a state `{name}` here")));
    }
    Ok(())
}

pub(super) fn paste(
    project: &mut Project,
    machine: In<'_>,
    (parent, name): (&Name, &Name),
    state: &State,
    layout: &[(Name, [f64; 2])],
) -> Result<(), Refusal> {
    layout.iter().try_for_each(|(_, at)| check_place(*at))?;
    check_state(state)?;
    let old = (**machine_at(project, machine.0, machine.1)?).clone();
    edit_machine(project, machine, |it| {
        let inside = state_in(it, parent)?;
        check_sibling(inside, name)?;
        if inside.states.is_empty() && inside.initial.is_none() {
            inside.initial = Some(name.clone());
        }
        inside.states.insert(name.clone(), state.clone());
        let path = join(parent, name);
        for (inner, at) in layout {
            let place = if inner.is_empty() { path.clone() } else { join(&path, inner) };
            if it.state(&place).is_none() {
                return Err(Refusal::new(format!("the layout places `{inner}`, which is no state")));
            }
            it.layout.insert(place, *at);
        }
        // A bare name that was unique may not be any more.
        remap(&old, it, machine.1, |path| Some(path.into()));
        Ok(())
    })
}

pub(super) fn remove(project: &mut Project, machine: In<'_>, state: &Name) -> Result<(), Refusal> {
    check_not_root(state, "deleted")?;
    let old = (**machine_at(project, machine.0, machine.1)?).clone();
    edit_machine(project, machine, |it| {
        let (parent, name) = split(state);
        let inside = state_in(it, parent)?;
        if inside.states.shift_remove(name).is_none() {
            return Err(Refusal::new(format!("there is no state `{state}` in this machine")));
        }
        it.layout.retain(|path, _| !is_in(path, state));
        let is_gone = |address: &str| old.find(address).is_ok_and(|path| is_in(&path, state));
        drop_transitions_to(&mut it.root, &is_gone);
        drop_initial(&old, (&mut it.root, ""), &|path| is_in(path, state));
        Ok(())
    })
}

fn drop_transitions_to(state: &mut State, is_gone: &impl Fn(&str) -> bool) {
    state.transitions.retain(|transition| !is_gone(&transition.to));
    state.states.values_mut().for_each(|child| drop_transitions_to(child, is_gone));
}

fn drop_initial(old: &Machine, (state, path): (&mut State, &str), is_gone: &impl Fn(&str) -> bool) {
    if state.initial.as_ref().and_then(|initial| initial_path(old, path, initial)).is_some_and(|to| is_gone(&to)) {
        state.initial = None;
    }
    for (name, child) in &mut state.states {
        drop_initial(old, (child, &join(path, name)), is_gone);
    }
}

/// The path of the state that `initial` refers to: a child by name first, else as any address.
fn initial_path(machine: &Machine, parent: &str, initial: &str) -> Option<Name> {
    let child = join(parent, initial);
    if machine.state(&child).is_some() { Some(child) } else { machine.find(initial).ok() }
}

/// Refuse an initial state that is not inside its state.
pub(super) fn check_initial(machine: &Machine, state: &str) -> Result<(), Refusal> {
    let Some(initial) = machine.state(state).and_then(|state| state.initial.as_ref()) else { return Ok(()) };
    let to = initial_path(machine, state, initial)
        .ok_or_else(|| Refusal::new(format!("there is no state `{initial}` in this machine")))?;
    if *to == *state || !(state.is_empty() || is_in(&to, state)) {
        return Err(Refusal::new(format!("`{to}` is not inside `{state}`")));
    }
    Ok(())
}

fn check_not_root(state: &str, what: &str) -> Result<(), Refusal> {
    if state.is_empty() {
        return Err(Refusal::new(format!("the global section cannot be {what}")));
    }
    Ok(())
}

pub(super) fn rename(project: &mut Project, machine: In<'_>, state: &Name, to: &Name) -> Result<(), Refusal> {
    check_not_root(state, "renamed")?;
    let old = (**machine_at(project, machine.0, machine.1)?).clone();
    if old.state(state).is_none() {
        return Err(Refusal::new(format!("there is no state `{state}` in this machine")));
    }
    let (parent, name) = split(state);
    if name == &**to {
        return Ok(());
    }
    let target = join(parent, to);
    edit_machine(project, machine, |it| {
        let inside = state_in(it, parent)?;
        check_sibling(inside, to)?;
        if let Some((at, _, content)) = inside.states.shift_remove_full(name) {
            inside.states.shift_insert(at, to.clone(), content);
        }
        Ok(())
    })?;
    moved(project, machine, &old, (state, &target))
}

pub(super) fn reparent(
    project: &mut Project,
    machine: In<'_>,
    (state, parent): (&Name, &Name),
    at: Option<[f64; 2]>,
) -> Result<(), Refusal> {
    check_not_root(state, "moved")?;
    at.map_or(Ok(()), check_place)?;
    let old = (**machine_at(project, machine.0, machine.1)?).clone();
    if is_in(parent, state) {
        return Err(Refusal::new("a state cannot be moved into itself"));
    }
    let (old_parent, name) = split(state);
    if old_parent == &**parent {
        return at.map_or(Ok(()), |at| move_states(project, machine, &[(state.clone(), at)]));
    }
    let target = join(parent, name);
    edit_machine(project, machine, |it| {
        let gone = state_in(it, old_parent)?.states.shift_remove(name);
        let content = gone.ok_or_else(|| Refusal::new(format!("there is no state `{state}` in this machine")))?;
        let left = state_in(it, old_parent)?;
        if left.initial.as_deref().is_some_and(|initial| initial == name || initial == &**state) {
            left.initial = None;
        }
        let inside = state_in(it, parent)?;
        check_sibling(inside, &name.into())?;
        inside.states.insert(name.into(), content);
        // Its place was one among its former siblings.
        it.layout.shift_remove(&**state);
        Ok(())
    })?;
    moved(project, machine, &old, (state, &target))?;
    at.map_or(Ok(()), |at| move_states(project, machine, &[(target, at)]))
}

/// Change every address of a state from its old path to its new one.
fn moved(project: &mut Project, machine: In<'_>, old: &Machine, (from, to): (&Name, &Name)) -> Result<(), Refusal> {
    let new_path = |path: &str| -> Option<Name> {
        Some(if is_in(path, from) { format!("{to}{}", &path[from.len()..]).into() } else { path.into() })
    };
    edit_machine(project, machine, |it| {
        remap(old, it, machine.1, new_path);
        it.layout = it.layout.drain(..).map(|(path, at)| (new_path(&path).unwrap_or(path), at)).collect();
        Ok(())
    })?;
    let new = machine_at(project, machine.0, machine.1)?.clone();
    states_moved(project, machine.1, |address| address_after(old, &new, address, &new_path));
    Ok(())
}

/// The address in `new` of the state that `address` refers to in `old`; `None` if it stays as it is.
fn address_after(
    old: &Machine,
    new: &Machine,
    address: &str,
    new_path: &impl Fn(&str) -> Option<Name>,
) -> Option<Name> {
    if address.is_empty() {
        return None;
    }
    let to = new_path(&old.find(address).ok()?)?;
    let means = |address: &str| new.find(address).is_ok_and(|path| path == to);
    if means(address) {
        return None;
    }
    let bare = split(&to).1;
    let was_bare = !address.contains('/');
    Some(if was_bare && means(bare) { bare.into() } else { to })
}

/// Rewrite the addresses inside `new` so that they refer to the same states as in `old`.
fn remap(old: &Machine, new: &mut Machine, own_name: &str, new_path: impl Fn(&str) -> Option<Name>) {
    let tree = new.clone();
    let after = |address: &str| address_after(old, &tree, address, &new_path);
    fn walk(
        old: &Machine,
        tree: &Machine,
        (state, path): (&mut State, &str),
        new_path: &impl Fn(&str) -> Option<Name>,
        after: &impl Fn(&str) -> Option<Name>,
        old_of: &std::collections::BTreeMap<Name, Name>,
    ) {
        for transition in &mut state.transitions {
            if let Some(to) = after(&transition.to) {
                transition.to = to;
            }
        }
        let old_here = old_of.get(path).map_or("", |path| path);
        if let Some(initial) = &state.initial
            && let Some(to) = initial_path(old, old_here, initial).and_then(|to| new_path(&to))
            && initial_path(tree, path, initial).as_ref() != Some(&to)
        {
            let (parent, name) = split(&to);
            state.initial = Some(if parent == path { name.into() } else { to });
        }
        for (name, child) in &mut state.states {
            walk(old, tree, (child, &join(path, name)), new_path, after, old_of);
        }
    }
    let old_of = old.paths().into_iter().filter_map(|path| Some((new_path(&path)?, path))).collect();
    walk(old, &tree, (&mut new.root, ""), &new_path, &after, &old_of);
    visit_state_args(&mut new.root, &mut |machine, address| {
        if machine.is_empty() || machine == own_name { after(address) } else { None }
    });
}

pub(super) fn move_states(project: &mut Project, machine: In<'_>, places: &[(Name, [f64; 2])]) -> Result<(), Refusal> {
    edit_machine(project, machine, |it| {
        for (path, at) in places {
            check_place(*at)?;
            check_not_root(path, "drawn")?;
            state_in(it, path)?;
            it.layout.insert(path.clone(), *at);
        }
        Ok(())
    })
}

/// Visit every action and condition of a state and of those inside it.
pub(super) fn visit_calls(state: &mut State, visit: &mut dyn FnMut(&mut Call)) {
    fn condition(it: &mut Condition, visit: &mut dyn FnMut(&mut Call)) {
        match it {
            Condition::Call(call) => visit(call),
            Condition::All(all) | Condition::Any(all) => all.iter_mut().for_each(|it| condition(it, visit)),
            Condition::Not(inner) => condition(inner, visit),
        }
    }
    for calls in [&mut state.enter, &mut state.exit, &mut state.update] {
        calls.iter_mut().for_each(&mut *visit);
    }
    state.on.values_mut().flatten().for_each(&mut *visit);
    for transition in &mut state.transitions {
        if let Trigger::When(it) = &mut transition.trigger {
            condition(it, visit);
        }
        if let Some(guard) = &mut transition.guard {
            condition(guard, visit);
        }
        transition.actions.iter_mut().for_each(&mut *visit);
    }
    state.states.values_mut().for_each(|child| visit_calls(child, visit));
}

/// Visit every `state` argument in a state and those inside it, with the `machine` argument beside it (empty where
/// there is none); what `visit` returns is written instead. Returns whether anything was.
pub(super) fn visit_state_args(state: &mut State, visit: &mut dyn FnMut(&str, &str) -> Option<Name>) -> bool {
    let mut changed = false;
    visit_calls(state, &mut |call| {
        let machine = call.args.get("machine").and_then(Value::as_str).unwrap_or_default().to_owned();
        if let Some(Value::Str(address)) = call.args.get_mut("state")
            && let Some(new) = visit(&machine, address)
        {
            new.as_ref().clone_into(address);
            changed = true;
        }
    });
    changed
}

/// Visit the target of every transition of a state and of those inside it, and every `initial` that is not a child's
/// name; what `visit` returns is written instead.
pub(super) fn visit_targets(state: &mut State, visit: &mut dyn FnMut(&str) -> Option<Name>) {
    for transition in &mut state.transitions {
        if let Some(to) = visit(&transition.to) {
            transition.to = to;
        }
    }
    if let Some(initial) = state.initial.clone()
        && !state.states.contains_key(&initial)
        && let Some(to) = visit(&initial)
    {
        state.initial = Some(to);
    }
    state.states.values_mut().for_each(|child| visit_targets(child, visit));
}

/// Let other machines and scenarios follow when states of `machine` are addressed otherwise: `after` gives an address
/// anew, or nothing where it stays.
fn states_moved(project: &mut Project, machine: &Name, after: impl Fn(&str) -> Option<Name>) {
    let is_elsewhere = |address: &str| {
        project.documents.values().any(|doc| match &**doc {
            Document::Machines(file) => {
                file.machines.iter().any(|(name, it)| name != machine && it.find(address).is_ok())
            }
            _ => false,
        })
    };
    let mut new_docs = Vec::new();
    for (path, doc) in &project.documents {
        let mut changed = false;
        let new = match &**doc {
            Document::Machines(file) => {
                let mut file = file.clone();
                for (_, it) in file.machines.iter_mut().filter(|(name, _)| *name != machine) {
                    let mut copy = (**it).clone();
                    if visit_state_args(&mut copy.root, &mut |of, at| if *of == **machine { after(at) } else { None }) {
                        *it = Arc::new(copy);
                        changed = true;
                    }
                }
                Document::Machines(file)
            }
            Document::Scenario(scenario) => {
                let mut scenario = scenario.clone();
                for expectation in &mut scenario.expect {
                    if let Expected::State(ExpectedState { state, machine: of }) = &mut expectation.what
                        && of.as_ref().map_or_else(|| !is_elsewhere(state), |of| of == machine)
                        && let Some(new) = after(state)
                    {
                        new.as_ref().clone_into(state);
                        changed = true;
                    }
                }
                Document::Scenario(scenario)
            }
            _ => continue,
        };
        if changed {
            new_docs.push((path.clone(), Arc::new(new)));
        }
    }
    project.documents.extend(new_docs);
}
