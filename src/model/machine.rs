//! State machines as people write them: a tree of states with named actions and conditions. What the names do is not
//! known here; the schema declares them and `sim::behavior` performs them.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{FieldType, Fields, Name, reflect::describe};

/// The messages that machines receive from the engine rather than from a sender.
pub const RESERVED_MESSAGES: [&str; 3] = ["Enter", "Exit", "Update"];

/// Machines of one file, by name in written order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachinesFile {
    /// The machines.
    pub machines: IndexMap<Name, Arc<Machine>>,
}

describe! {
    /// A machine: its root state, the global section, and where the editor draws the others.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct Machine: "a machine" => own_line() {
        /// The global section, with all states inside it.
        pub root: State => flat(),
        /// Left and top of each state's box in its parent's frame, in pixels, by path from the root.
        pub layout: IndexMap<Name, [f64; 2]> = IndexMap::new(),
    }
}

describe! {
    /// A state, the root too.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct State: "a state" => own_line() {
        /// The child entered with this one; a name or a path.
        pub initial: Option<Name> = None,
        /// Done on entering.
        pub enter: Vec<Call> = Vec::new(),
        /// Done on leaving.
        pub exit: Vec<Call> = Vec::new(),
        /// Done each tick, unless a transition fires.
        pub update: Vec<Call> = Vec::new(),
        /// Answers to messages.
        pub on: IndexMap<Name, Vec<Call>> = IndexMap::new() => keys(&FieldType::Message),
        /// Transitions, tried in order.
        pub transitions: Vec<Transition> = Vec::new(),
        /// States inside this one.
        pub states: IndexMap<Name, State> = IndexMap::new(),
    }
}

/// A named action with constant arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Call {
    /// As the schema declares it.
    pub name: Name,
    /// Arguments by name; those left out have the schema's default.
    pub args: Fields,
}

impl Call {
    /// A call without arguments.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), args: Fields::new() }
    }
}

/// A question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Condition {
    /// A named condition with constant arguments.
    Call(Call),
    /// Every one.
    All(Vec<Condition>),
    /// At least one.
    Any(Vec<Condition>),
    /// Not that.
    Not(Box<Condition>),
}

describe! {
    /// What makes a transition fire.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub enum Trigger: choice "trigger" => by_key() {
        /// A condition, asked every tick.
        When(Condition): "a transition" in "when",
        /// A message.
        On(Name): "a transition" in "on" => names(&FieldType::Message),
        /// So many seconds after the state was entered.
        After(f64): "a transition" in "after",
    }
}

describe! {
    /// A transition from a state to another.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Transition: "a transition" => own_line() {
        /// What makes it fire.
        pub trigger: Trigger => flat(),
        /// Fires only if this holds as well. Written `if`.
        pub guard: Option<Condition> = None => key("if"),
        /// Done between leaving and entering. Written `do`.
        pub actions: Vec<Call> = Vec::new() => key("do"),
        /// The state entered: a path from the root, or a bare name where it is unique.
        pub to: Name,
    }
}

impl Machine {
    /// The state at a path from the root, as in `Attack/Aim`; the root for an empty path. A path is written in one way
    /// only: `/Attack` and `Attack/` are none.
    #[must_use]
    pub fn state(&self, path: &str) -> Option<&State> {
        let mut state = &self.root;
        for part in parts(path) {
            state = state.states.get(part)?;
        }
        Some(state)
    }

    /// The state at a path from the root, to change.
    pub fn state_mut(&mut self, path: &str) -> Option<&mut State> {
        let mut state = &mut self.root;
        for part in parts(path) {
            state = state.states.get_mut(part)?;
        }
        Some(state)
    }

    /// Every state's path, parents before children, in written order; without the root.
    #[must_use]
    pub fn paths(&self) -> Vec<Name> {
        fn walk(state: &State, prefix: &str, out: &mut Vec<Name>) {
            for (name, child) in &state.states {
                let path = if prefix.is_empty() { name.to_string() } else { format!("{prefix}/{name}") };
                out.push(path.as_str().into());
                walk(child, &path, out);
            }
        }
        let mut out = Vec::new();
        walk(&self.root, "", &mut out);
        out
    }

    /// The path of the state that `address` means: a path from the root, else a bare name that is unique in the
    /// machine.
    ///
    /// # Errors
    /// Says that there is no such state, or which several there are.
    pub fn find(&self, address: &str) -> Result<Name, String> {
        if address.is_empty() || self.state(address).is_some() {
            return Ok(address.into());
        }
        let paths = self.paths();
        let found: Vec<&Name> = paths.iter().filter(|path| path.rsplit('/').next() == Some(address)).collect();
        match found.as_slice() {
            [one] => Ok((*one).clone()),
            [] => Err(format!("there is no state `{address}`")),
            several => {
                let list = several.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ");
                Err(format!("`{address}` could be {list}; write the whole path"))
            }
        }
    }
}

/// The names on a path; none on that of the root.
fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(move |_| !path.is_empty())
}
