//! The places in a machine: its states with their paths, its calls, and the edit that puts another call in place of one.

use crate::{
    edit::{Edit, Slot},
    model::{Call, Condition, FieldPath, Location, Name, State, Transition, Trigger},
};

use super::input::MachineAt;

/// A state where it is written.
pub(super) struct StateAt<'a> {
    /// From the root, as in `Attack/Aim`; empty for the root.
    pub path: Name,
    pub state: &'a State,
    /// The way to it in the file.
    pub at: FieldPath,
}

/// A call where it is written.
pub(super) struct CallSite<'a> {
    pub machine: MachineAt<'a>,
    pub state: Name,
    pub call: &'a Call,
    /// The way to it in the file.
    pub at: FieldPath,
    place: Place,
}

/// Which call of a state.
#[derive(Clone)]
enum Place {
    /// Of a list of actions.
    Action(Slot, usize),
    /// Of a transition's actions.
    Do(usize, usize),
    /// In a transition's condition, its guard if so said, by the way through `All`, `Any` and `Not`.
    Test(usize, bool, Vec<usize>),
}

/// Every state of a machine, the root first, parents before children.
pub(super) fn states(machine: MachineAt<'_>) -> Vec<StateAt<'_>> {
    let root = StateAt { path: "".into(), state: &machine.machine.root, at: FieldPath::keys([machine.name]) };
    let mut open = vec![root];
    let mut out = Vec::new();
    while let Some(next) = open.pop() {
        let inside = next.at.key("states");
        for (name, state) in next.state.states.iter().rev() {
            let path =
                if next.path.is_empty() { name.clone() } else { format!("{}/{name}", next.path).as_str().into() };
            open.push(StateAt { path, state, at: inside.key(name) });
        }
        out.push(next);
    }
    out
}

/// Every call of a machine.
pub(super) fn calls<'a>(machine: MachineAt<'a>) -> Vec<CallSite<'a>> {
    let mut out = Vec::new();
    for StateAt { path, state, at } in states(machine) {
        let mut meet = |call: &'a Call, at: FieldPath, place: Place| {
            out.push(CallSite { machine, state: path.clone(), call, at, place });
        };
        let slots = [(Slot::Enter, "enter", &state.enter), (Slot::Exit, "exit", &state.exit)];
        for (slot, key, list) in slots.into_iter().chain([(Slot::Update, "update", &state.update)]) {
            for (i, call) in list.iter().enumerate() {
                meet(call, at.key(key).index(i), Place::Action(slot.clone(), i));
            }
        }
        for (message, list) in &state.on {
            for (i, call) in list.iter().enumerate() {
                meet(call, at.key("on").key(message).index(i), Place::Action(Slot::On(message.clone()), i));
            }
        }
        for (n, transition) in state.transitions.iter().enumerate() {
            let at = at.key("transitions").index(n);
            if let Trigger::When(condition) = &transition.trigger {
                tests(condition, &at.key("when"), &mut Vec::new(), &mut |call, at, way| {
                    meet(call, at, Place::Test(n, false, way));
                });
            }
            if let Some(condition) = &transition.guard {
                tests(condition, &at.key("if"), &mut Vec::new(), &mut |call, at, way| {
                    meet(call, at, Place::Test(n, true, way));
                });
            }
            for (i, call) in transition.actions.iter().enumerate() {
                meet(call, at.key("do").index(i), Place::Do(n, i));
            }
        }
    }
    out
}

fn tests<'a>(
    condition: &'a Condition,
    at: &FieldPath,
    way: &mut Vec<usize>,
    out: &mut dyn FnMut(&'a Call, FieldPath, Vec<usize>),
) {
    match condition {
        Condition::Call(call) => out(call, at.clone(), way.clone()),
        Condition::All(parts) | Condition::Any(parts) => {
            for (i, part) in parts.iter().enumerate() {
                way.push(i);
                // `All([…])` is a word around one list.
                tests(part, &at.index(0).index(i), way, out);
                way.pop();
            }
        }
        Condition::Not(part) => {
            way.push(0);
            tests(part, &at.index(0), way, out);
            way.pop();
        }
    }
}

fn test_mut<'a>(condition: &'a mut Condition, way: &[usize]) -> Option<&'a mut Call> {
    match condition {
        Condition::Call(call) => Some(call),
        Condition::All(parts) | Condition::Any(parts) => {
            let (i, rest) = way.split_first()?;
            test_mut(parts.get_mut(*i)?, rest)
        }
        Condition::Not(part) => test_mut(part, way.get(1..)?),
    }
}

impl CallSite<'_> {
    /// Whether this is asked rather than done.
    pub(super) fn is_condition(&self) -> bool {
        matches!(self.place, Place::Test(..))
    }

    pub(super) fn location(&self) -> Location {
        Location::new(self.machine.doc.clone(), self.at.clone())
    }

    /// The place of an argument.
    pub(super) fn arg(&self, name: &str) -> Location {
        Location::new(self.machine.doc.clone(), self.at.key(name))
    }

    /// The edit that changes the call.
    pub(super) fn changed(&self, change: impl FnOnce(&mut Call)) -> Option<Edit> {
        let state = self.machine.machine.state(&self.state)?;
        let (doc, machine) = (self.machine.doc.clone(), self.machine.name.clone());
        let transition = |n: usize| state.transitions.get(n).cloned();
        let put = |at: usize, transition: Transition| Edit::SetTransition {
            doc: doc.clone(),
            machine: machine.clone(),
            state: self.state.clone(),
            at,
            transition,
        };
        match &self.place {
            Place::Action(slot, i) => {
                let mut calls = match slot {
                    Slot::Enter => &state.enter,
                    Slot::Exit => &state.exit,
                    Slot::Update => &state.update,
                    Slot::On(message) => state.on.get(message)?,
                }
                .clone();
                change(calls.get_mut(*i)?);
                Some(Edit::SetCalls { doc, machine, state: self.state.clone(), slot: slot.clone(), calls })
            }
            Place::Do(n, i) => {
                let mut transition = transition(*n)?;
                change(transition.actions.get_mut(*i)?);
                Some(put(*n, transition))
            }
            Place::Test(n, is_guard, way) => {
                let mut transition = transition(*n)?;
                let condition = match (&mut transition.trigger, &mut transition.guard) {
                    (_, Some(guard)) if *is_guard => guard,
                    (Trigger::When(condition), _) => condition,
                    _ => return None,
                };
                change(test_mut(condition, way)?);
                Some(put(*n, transition))
            }
        }
    }
}
