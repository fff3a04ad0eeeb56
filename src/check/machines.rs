//! The parts of a machine: its states with their paths, its calls, and the edit that changes a call.

use crate::{
    edit::Edit,
    model::{Call, Condition, DocPath, FieldPath, Location, Machine, Name, State, Trigger},
};

/// A machine with its place in the project.
#[derive(Clone, Copy)]
pub(super) struct MachineAt<'a> {
    pub doc: &'a DocPath,
    pub name: &'a Name,
    pub machine: &'a Machine,
}

/// A state with its place in the machine.
pub(super) struct StateAt<'a> {
    /// Path from the root, as in `Attack/Aim`; empty for the root.
    pub path: Name,
    pub state: &'a State,
    /// Its path in the file.
    pub at: FieldPath,
}

/// A call with its place in the machine.
pub(super) struct CallSite<'a> {
    pub machine: MachineAt<'a>,
    pub state: Name,
    pub call: &'a Call,
    /// Its path in the file.
    pub at: FieldPath,
    /// Whether it is a condition rather than an action.
    pub is_condition: bool,
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
        let mut meet = |call: &'a Call, at: FieldPath, is_condition: bool| {
            out.push(CallSite { machine, state: path.clone(), call, at, is_condition });
        };
        for (key, list) in [("enter", &state.enter), ("exit", &state.exit), ("update", &state.update)] {
            list.iter().enumerate().for_each(|(i, call)| meet(call, at.key(key).index(i), false));
        }
        for (message, list) in &state.on {
            let at = at.key("on").key(message);
            list.iter().enumerate().for_each(|(i, call)| meet(call, at.index(i), false));
        }
        for (n, transition) in state.transitions.iter().enumerate() {
            let at = at.key("transitions").index(n);
            if let Trigger::When(condition) = &transition.trigger {
                tests(condition, at.key("when"), &mut |call, at| meet(call, at, true));
            }
            if let Some(condition) = &transition.guard {
                tests(condition, at.key("if"), &mut |call, at| meet(call, at, true));
            }
            let at = at.key("do");
            transition.actions.iter().enumerate().for_each(|(i, call)| meet(call, at.index(i), false));
        }
    }
    out
}

fn tests<'a>(condition: &'a Condition, at: FieldPath, out: &mut dyn FnMut(&'a Call, FieldPath)) {
    match condition {
        Condition::Call(call) => out(call, at),
        // `All([…])` is a word around one list.
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter().enumerate().for_each(|(i, part)| tests(part, at.index(0).index(i), out));
        }
        Condition::Not(part) => tests(part, at.index(0), out),
    }
}

impl CallSite<'_> {
    pub(super) fn location(&self) -> Location {
        Location::new(self.machine.doc.clone(), self.at.clone())
    }

    /// The place of an argument.
    pub(super) fn arg(&self, name: &str) -> Location {
        Location::new(self.machine.doc.clone(), self.at.key(name))
    }

    /// The edit that changes the call.
    pub(super) fn changed(&self, change: impl FnOnce(&mut Call)) -> Edit {
        let mut call = self.call.clone();
        change(&mut call);
        Edit::set_at(self.machine.doc, self.at.clone(), &call)
    }
}
