//! Compiles a machine from its file to a flat program: states in one list, names resolved, and for each pair of
//! innermost state and message the steps to try in order, so that routing is one look-up.
//!
//! Invariant: parents come before their children, state 0 is the root, and every index in a program is valid. Calls and
//! names that cannot be resolved are left out with a finding; the rest of the machine works.

use std::ops::Range;

use crate::model::{
    Call, Condition, DocPath, FieldPath, Finding, Location, Machine, Name, Schema, State, Trigger, did_you_mean, mean,
};

use super::{BuiltinAction, MsgId, Question, Symbols, vocabulary};

/// A compiled machine. Shared by all entities that run it; the state of a run is a [`Cursor`](super::Cursor).
#[derive(Clone, Debug)]
pub struct Program {
    /// The machine's name.
    pub name: Name,
    /// The document that contains it.
    pub doc: DocPath,
    pub(super) states: Vec<StateCode>,
    pub(super) transitions: Vec<TransitionCode>,
    pub(super) actions: Vec<BuiltinAction>,
    /// Steps of all routes.
    pub(super) steps: Vec<DispatchStep>,
    /// For each state and each message that the machine knows, the range of its steps.
    routes: Vec<(u32, u32)>,
    /// Column in `routes` by message.
    columns: Vec<u16>,
    n_columns: usize,
    /// Number of results that conditions remember.
    pub(super) n_memory: u16,
}

/// A state of a program.
#[derive(Clone, Debug)]
pub(super) struct StateCode {
    pub(super) path: Name,
    pub(super) parent: Option<u16>,
    pub(super) depth: u16,
    pub(super) initial: Option<u16>,
    pub(super) enter: Range<u32>,
    pub(super) exit: Range<u32>,
    /// Transitions that fire after a time.
    pub(super) timers: Vec<u16>,
}

/// A transition.
#[derive(Clone, Debug)]
pub(super) struct TransitionCode {
    pub(super) owner: u16,
    pub(super) guard: Option<Guard>,
    pub(super) actions: Range<u32>,
    pub(super) to: u16,
    /// Seconds after entry, for a timer.
    pub(super) after_secs: f64,
}

/// A step of handling a message: steps are tried in order until one applies.
#[derive(Clone, Debug)]
pub(super) enum DispatchStep {
    /// A transition: fires if its guard holds.
    Try(u16),
    /// Actions of a state's handler.
    Do(u16, Range<u32>),
}

/// A condition with its calls resolved.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::sim) enum Guard {
    Ask(Question),
    All(Vec<Guard>),
    Any(Vec<Guard>),
    Not(Box<Guard>),
    /// A condition that could not be read.
    Never,
}

impl Guard {
    /// Call `each` for every condition that it consists of.
    fn each<'g>(&'g self, each: &mut impl FnMut(&'g Question)) {
        match self {
            Self::Ask(question) => each(question),
            Self::All(all) | Self::Any(all) => {
                for one in all {
                    one.each(each);
                }
            }
            Self::Not(not) => not.each(each),
            Self::Never => {}
        }
    }
}

const NO_COLUMN: u16 = u16::MAX;

impl Program {
    /// The steps for a message when `state` is the innermost active one.
    #[inline]
    pub(super) fn route(&self, state: u16, message: MsgId) -> &[DispatchStep] {
        let Some(column) = self.columns.get(message.0 as usize).copied().filter(|column| *column != NO_COLUMN) else {
            return &[];
        };
        let (from, to) = self.routes[usize::from(state) * self.n_columns + usize::from(column)];
        &self.steps[from as usize..to as usize]
    }

    /// Whether any of its states responds to a message.
    pub(in crate::sim) fn knows(&self, message: MsgId) -> bool {
        self.columns.get(message.0 as usize).is_some_and(|column| *column != NO_COLUMN)
    }

    /// Call `each` for every condition of the machine's transitions, with whether it counts in a state: whether its
    /// transition leaves that state or an ancestor.
    pub fn each_question<'p>(&'p self, state: Option<u16>, each: &mut impl FnMut(&'p Question, bool)) {
        for transition in &self.transitions {
            let is_active = state.is_some_and(|state| self.is_inside(state, transition.owner));
            if let Some(guard) = &transition.guard {
                guard.each(&mut |question| each(question, is_active));
            }
        }
    }

    /// The transitions out of a state or its ancestors, in the order in which they are tried: the message (`UPDATE` for
    /// conditions that are evaluated each tick, `AFTER` for a time), the seconds of a time, the condition, and the
    /// target state.
    pub(in crate::sim) fn exits(&self, state: u16) -> Vec<(MsgId, f64, Option<&Guard>, &Name)> {
        let mut exits = Vec::new();
        let mut around = Some(state);
        while let Some(code) = around.and_then(|at| self.states.get(usize::from(at))) {
            let timed = code.timers.iter().filter_map(|timer| self.transitions.get(usize::from(*timer)));
            exits.extend(timed.map(|it| (MsgId::AFTER, it.after_secs, it.guard.as_ref(), self.path(it.to))));
            around = code.parent;
        }
        for id in (0_u32..).map(MsgId).take(self.columns.len()) {
            for step in self.route(state, id) {
                if let DispatchStep::Try(at) = step
                    && let Some(it) = self.transitions.get(usize::from(*at))
                {
                    exits.push((id, 0.0, it.guard.as_ref(), self.path(it.to)));
                }
            }
        }
        exits
    }

    /// The path of a state; empty for the root.
    #[must_use]
    pub fn path(&self, state: u16) -> &Name {
        let state = self.states.get(usize::from(state)).unwrap_or(&self.states[0]);
        &state.path
    }

    /// The state at a path.
    #[must_use]
    pub fn by_path(&self, path: &str) -> Option<u16> {
        self.states.iter().position(|state| *state.path == *path).and_then(|i| u16::try_from(i).ok())
    }

    /// The state that an address refers to: a path, else a name that is unique in the machine.
    #[must_use]
    pub fn find(&self, address: &str) -> Option<u16> {
        self.by_path(address).or_else(|| {
            let named = |state: &&StateCode| state.path.rsplit('/').next() == Some(address);
            let mut found = self.states.iter().skip(1).filter(named);
            let one = found.next()?;
            if found.next().is_some() { None } else { self.by_path(&one.path) }
        })
    }

    /// Whether `state` is `ancestor` or inside it.
    #[must_use]
    pub fn is_inside(&self, state: u16, ancestor: u16) -> bool {
        let depth = self.states[usize::from(ancestor)].depth;
        let mut at = state;
        while self.states[usize::from(at)].depth > depth {
            match self.states[usize::from(at)].parent {
                Some(parent) => at = parent,
                None => break,
            }
        }
        at == ancestor
    }

    /// The lowest common ancestor of two states, which may be one of them.
    pub(super) fn common(&self, mut a: u16, mut b: u16) -> u16 {
        while a != b {
            let (da, db) = (self.states[usize::from(a)].depth, self.states[usize::from(b)].depth);
            let up = |state: u16| self.states[usize::from(state)].parent.unwrap_or(0);
            if da >= db {
                a = up(a);
            }
            if db >= da {
                b = up(b);
            }
        }
        a
    }

    /// Every action of the machine.
    #[must_use]
    pub fn actions(&self) -> &[BuiltinAction] {
        &self.actions
    }
}

/// Compile a machine. States and calls that the preview cannot resolve are reported in `findings`.
pub fn compile(
    name: &Name,
    machine: &Machine,
    doc: &DocPath,
    schema: &Schema,
    symbols: &mut Symbols,
    findings: &mut Vec<Finding>,
) -> Program {
    let mut tree = Vec::new();
    list(&machine.root, "", None, &mut tree);
    let mut paths: Vec<Name> = tree.iter().map(|(_, path, _)| path.clone()).collect();
    if paths.len() > usize::from(u16::MAX) {
        findings.push(Finding::error(
            "machine-size",
            Location::key(doc.clone(), FieldPath::keys([&**name])),
            format!("machine `{name}` has {} states; {} are allowed", paths.len(), u16::MAX),
        ));
        paths.truncate(1);
    }
    let program = Program {
        name: name.clone(),
        doc: doc.clone(),
        states: Vec::new(),
        transitions: Vec::new(),
        actions: Vec::new(),
        steps: Vec::new(),
        routes: Vec::new(),
        columns: Vec::new(),
        n_columns: 0,
        n_memory: 0,
    };
    let mut compiler = Compiler { machine, schema, symbols, findings, paths, program, own_steps: Vec::new() };
    for (index, (state, path, parent)) in (0..).zip(&tree).take(compiler.paths.len()) {
        compiler.state(index, path, *parent, state);
    }
    compiler.route_all();
    compiler.program
}

/// Every state with its path and its parent's index, parents first. The tree decides, not the names: a name that
/// contains a `/` is odd but harmless.
fn list<'m>(state: &'m State, path: &str, parent: Option<u16>, out: &mut Vec<(&'m State, Name, Option<u16>)>) {
    let index = u16::try_from(out.len()).ok();
    out.push((state, path.into(), parent));
    for (name, child) in &state.states {
        let path = if path.is_empty() { name.to_string() } else { format!("{path}/{name}") };
        list(child, &path, index, out);
    }
}

struct Compiler<'a> {
    machine: &'a Machine,
    schema: &'a Schema,
    symbols: &'a mut Symbols,
    findings: &'a mut Vec<Finding>,
    /// Paths of the states, by state index.
    paths: Vec<Name>,
    program: Program,
    /// By state: its own steps by message, in the order in which they are tried.
    own_steps: Vec<Vec<(MsgId, DispatchStep)>>,
}

impl Compiler<'_> {
    fn state(&mut self, index: u16, path: &Name, parent: Option<u16>, state: &State) {
        let at = self.place(path);
        let depth = parent.map_or(0, |parent| self.program.states[usize::from(parent)].depth + 1);
        let initial = self.initial(path, state, &at);
        let enter = self.actions(&state.enter, &at.key("enter"));
        let exit = self.actions(&state.exit, &at.key("exit"));

        let mut own = Vec::new();
        let mut timers = Vec::new();
        for (i, transition) in state.transitions.iter().enumerate() {
            let at = at.key("transitions").index(i);
            let guard = transition.guard.as_ref().map(|guard| self.guard(guard, &at.key("if")));
            let (message, guard, after_secs) = match &transition.trigger {
                Trigger::On(message) => (self.symbols.intern(message), guard, 0.0),
                Trigger::After(secs) => (MsgId::AFTER, guard, if secs.is_finite() { secs.max(0.0) } else { 0.0 }),
                Trigger::When(when) => {
                    let when = self.guard(when, &at.key("when"));
                    let both = match guard {
                        Some(guard) => Guard::All(vec![when, guard]),
                        None => when,
                    };
                    (MsgId::UPDATE, Some(both), 0.0)
                }
            };
            let to = match self.machine.find(&transition.to) {
                Ok(path) => self.index_of(&path),
                Err(why) => {
                    self.no_state(&transition.to, &at.key("to"), &why);
                    None
                }
            };
            let actions = self.actions(&transition.actions, &at.key("do"));
            let (Some(to), Ok(number)) = (to, u16::try_from(self.program.transitions.len())) else { continue };
            self.program.transitions.push(TransitionCode { owner: index, guard, actions, to, after_secs });
            if message == MsgId::AFTER {
                timers.push(number);
            } else {
                own.push((message, DispatchStep::Try(number)));
            }
        }
        // A state's transitions come before its handler, whatever the message.
        for (message, calls) in &state.on {
            if &**message == "Update" {
                continue;
            }
            let actions = self.actions(calls, &at.key("on").key(message));
            let message = self.symbols.intern(message);
            own.push((message, DispatchStep::Do(index, actions)));
        }
        let also: Vec<Call> = state.on.get("Update").cloned().unwrap_or_default();
        if !state.update.is_empty() || !also.is_empty() {
            let start = self.actions(&state.update, &at.key("update")).start;
            let end = self.actions(&also, &at.key("on").key("Update")).end;
            own.push((MsgId::UPDATE, DispatchStep::Do(index, start..end)));
        }
        self.own_steps.push(own);
        self.program.states.push(StateCode { path: path.clone(), parent, depth, initial, enter, exit, timers });
    }

    /// `initial` is a child's name, else a path from this state, else an address in the machine; always inside this
    /// state.
    fn initial(&mut self, path: &Name, state: &State, at: &FieldPath) -> Option<u16> {
        let address = state.initial.as_ref()?;
        let join = |address: &str| if path.is_empty() { address.to_owned() } else { format!("{path}/{address}") };
        let below = join(address);
        let found = self.machine.state(&below).map(|_| below).or_else(|| {
            let found = self.machine.find(address).ok()?;
            found.starts_with(join("").as_str()).then(|| found.to_string())
        });
        let index = found.filter(|found| found.len() > path.len()).and_then(|found| self.index_of(&found));
        if index.is_none() {
            let within = if path.is_empty() { "this machine".to_owned() } else { format!("`{path}`") };
            self.no_state(address, &at.key("initial"), &format!("there is no state `{address}` inside {within}"));
        }
        index
    }

    fn guard(&mut self, condition: &Condition, at: &FieldPath) -> Guard {
        match condition {
            Condition::All(all) => Guard::All(all.iter().map(|one| self.guard(one, at)).collect()),
            Condition::Any(any) => Guard::Any(any.iter().map(|one| self.guard(one, at)).collect()),
            Condition::Not(not) => Guard::Not(Box::new(self.guard(not, at))),
            Condition::Call(call) => {
                let n_memory = &mut self.program.n_memory;
                let memory = || {
                    *n_memory = n_memory.saturating_add(1);
                    n_memory.saturating_sub(1)
                };
                let (machine, paths) = (self.machine, &self.paths);
                let found = vocabulary::question(call, self.schema, memory, |state| find(machine, paths, state));
                match found {
                    Ok(question) => {
                        if let Question::Other(_) = &question {
                            self.unknown("condition", "is false", &call.name, at);
                        }
                        Guard::Ask(question)
                    }
                    Err(why) => {
                        let state = call.args.get("state").and_then(|v| v.as_str()).unwrap_or_default();
                        self.no_state(state, at, &why);
                        Guard::Never
                    }
                }
            }
        }
    }

    fn actions(&mut self, calls: &[Call], at: &FieldPath) -> Range<u32> {
        let start = self.program.actions.len();
        for (i, call) in calls.iter().enumerate() {
            let (machine, paths) = (self.machine, &self.paths);
            match vocabulary::action(call, self.schema, self.symbols, |state| find(machine, paths, state)) {
                Ok(action) => {
                    if let BuiltinAction::Other(_) = &action {
                        self.unknown("action", "does nothing", &call.name, &at.index(i));
                    }
                    self.program.actions.push(action);
                }
                Err(why) => {
                    let state = call.args.get("state").and_then(|v| v.as_str()).unwrap_or_default();
                    self.no_state(state, &at.index(i), &why);
                }
            }
        }
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        number(start)..number(self.program.actions.len())
    }

    fn index_of(&self, path: &str) -> Option<u16> {
        self.paths.iter().position(|p| **p == *path).and_then(|i| u16::try_from(i).ok())
    }

    /// The field path of a state in the document.
    fn place(&self, path: &str) -> FieldPath {
        let root = FieldPath::keys([&*self.program.name]);
        path.split('/').filter(|part| !part.is_empty()).fold(root, |at, part| at.key("states").key(part))
    }

    fn unknown(&mut self, kind: &str, effect: &str, name: &str, at: &FieldPath) {
        let location = Location::new(self.program.doc.clone(), at.clone());
        let message = format!("the preview does not know the {kind} `{name}`; there it {effect}");
        self.findings.push(Finding::hint("preview-unknown-call", location, message));
    }

    fn no_state(&mut self, address: &str, at: &FieldPath, why: &str) {
        let location = Location::new(self.program.doc.clone(), at.clone());
        let near = did_you_mean(address, self.paths.iter().skip(1).map(|path| &**path));
        let help = mean(near);
        self.findings.push(Finding::error("unknown-state", location, why).with_help(help));
    }

    /// Build the routes: for every state and message, its own steps, then its parent's, up to the root.
    fn route_all(&mut self) {
        let program = &mut self.program;
        let mut messages: Vec<MsgId> = self.own_steps.iter().flatten().map(|(message, _)| *message).collect();
        messages.sort_unstable();
        messages.dedup();
        messages.truncate(usize::from(NO_COLUMN));
        program.n_columns = messages.len();
        program.columns = vec![NO_COLUMN; messages.last().map_or(0, |last| last.0 as usize + 1)];
        for (column, message) in (0..).zip(&messages) {
            program.columns[message.0 as usize] = column;
        }
        for state in 0..program.states.len() {
            for message in &messages {
                let start = program.steps.len();
                let mut at = Some(state);
                while let Some(here) = at {
                    let own = self.own_steps[here].iter().filter(|(m, _)| m == message);
                    program.steps.extend(own.map(|(_, step)| step.clone()));
                    at = program.states[here].parent.map(usize::from);
                }
                let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
                program.routes.push((number(start), number(program.steps.len())));
            }
        }
    }
}

fn find(machine: &Machine, paths: &[Name], address: &str) -> Result<u16, String> {
    let path = machine.find(address)?;
    let index = paths.iter().position(|p| *p == path).and_then(|i| u16::try_from(i).ok());
    index.ok_or_else(|| format!("there is no state `{address}`"))
}
