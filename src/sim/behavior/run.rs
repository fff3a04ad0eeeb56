//! The routing of messages through one running machine, its transitions, and its start.
//!
//! Invariant: the active states are one path from the root, given by its innermost state; each has the number of its
//! entry, so that a scope is one entry and not a state. The meaning of conditions and actions is not known here.

use std::ops::Range;

use crate::model::Name;

use super::{
    BuiltinAction, MsgId, Program, Question,
    compile::{DispatchStep, Guard},
};

/// A machine is stopped after more state changes than this for one message.
pub const MAX_CHANGES: usize = 64;

/// The state of one run of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cursor {
    /// The innermost active state.
    current: u16,
    /// Number of the entry of each active state, by depth; empty before the start.
    entries: Vec<u32>,
    next_entry: u32,
    request: Option<u16>,
    /// The last results of conditions that remember them.
    pub memory: Vec<bool>,
    stopped: bool,
}

/// The interface between a running machine and the world.
pub trait Host {
    /// Evaluate a condition. `cursor.memory` may be changed.
    fn ask(&mut self, program: &Program, cursor: &mut Cursor, question: &Question) -> bool;
    /// Perform an action. `state` is the state whose response contains it. `SetState` is never passed.
    fn act(&mut self, program: &Program, cursor: &Cursor, state: u16, action: &BuiltinAction);
    /// Deliver an `after` message for `transition` to this machine in `secs`, scoped to this entry of `state`.
    fn start_timer(&mut self, state: u16, entry: u32, transition: u16, secs: f64);
    /// Note that this state handled the message, or none. Called before the response, and not for `Update`.
    fn handled(&mut self, by: Option<&Name>);
    /// Note the begin of a transition. `cause` is `None` if the root's `enter` requested it.
    fn transition(&mut self, from: &Name, to: &Name, cause: Option<MsgId>);
    /// Note the entry of a state; its `enter` follows.
    fn entered(&mut self, state: &Name);
    /// Note the exit of a state; its `exit` follows.
    fn exited(&mut self, state: &Name);
    /// Note that the machine was stopped, with the reason.
    fn problem(&mut self, text: String);
}

impl Cursor {
    /// A machine that is not started yet.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        Self { memory: vec![false; usize::from(program.n_memory)], ..Self::default() }
    }

    /// The innermost active state.
    #[must_use]
    pub fn current(&self) -> u16 {
        self.current
    }

    /// Whether the root was entered, and not left again.
    #[must_use]
    pub fn is_started(&self) -> bool {
        !self.entries.is_empty()
    }

    /// Whether it was stopped because of a problem.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// The number of the current entry of an active state.
    #[must_use]
    pub fn entry(&self, program: &Program, state: u16) -> Option<u32> {
        let active = self.is_started() && program.is_inside(self.current, state);
        let depth = usize::from(program.states.get(usize::from(state))?.depth);
        self.entries.get(depth).copied().filter(|_| active)
    }

    /// Whether an entry of a state still lasts.
    #[must_use]
    pub fn is_current(&self, program: &Program, state: u16, entry: u32) -> bool {
        self.entry(program, state) == Some(entry)
    }

    /// The cursor of an edited machine at the same path, or in the nearest surviving ancestor. Entries of states that
    /// stay active keep their numbers. Returns whether the innermost state is gone; then [`resume`] has to enter the
    /// ancestor's initial states.
    #[must_use]
    pub fn moved(&self, old: &Program, new: &Program) -> (Self, bool) {
        let mut path: &str = old.path(self.current);
        let mut lost = false;
        let current = loop {
            if let Some(state) = new.by_path(path) {
                break state;
            }
            lost = true;
            path = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        };
        let depth = usize::from(new.states[usize::from(current)].depth);
        let mut entries = self.entries.clone();
        entries.truncate(depth + 1);
        let memory = old.moved_memory(new, &self.memory);
        let moved =
            Self { current, entries, next_entry: self.next_entry, request: None, memory, stopped: self.stopped };
        (moved, lost && self.is_started())
    }

    /// Whether the innermost active state now has an initial state, which [`resume`] enters.
    #[must_use]
    pub fn is_above_initial(&self, program: &Program) -> bool {
        self.is_started() && program.states[usize::from(self.current)].initial.is_some()
    }

    /// Numbers that differ for different cursors, for a hash.
    pub fn digest(&self) -> impl Iterator<Item = u64> + '_ {
        let memory = self.memory.iter().map(|on| u64::from(*on));
        let flags = u64::from(self.stopped) << 32 | u64::from(self.current);
        [flags, u64::from(self.next_entry)].into_iter().chain(self.entries.iter().map(|e| u64::from(*e))).chain(memory)
    }
}

/// Enter the root, then its initial states unless the root's `enter` requested another.
pub fn start<H: Host>(program: &Program, cursor: &mut Cursor, host: &mut H) {
    if cursor.is_started() || cursor.stopped {
        return;
    }
    cursor.current = 0;
    enter(program, cursor, 0, host);
    if cursor.request.is_none() {
        enter_initial(program, cursor, host);
    }
    settle(program, cursor, None, None, host);
}

/// Leave every state, the root last. The machine can be started again.
pub fn finish<H: Host>(program: &Program, cursor: &mut Cursor, host: &mut H) {
    if cursor.is_started() && !cursor.stopped {
        leave(program, cursor, None, host);
    }
    cursor.entries.clear();
    cursor.request = None;
}

/// Enter the initial states of the innermost active one, as after a transition to it.
pub fn resume<H: Host>(program: &Program, cursor: &mut Cursor, host: &mut H) {
    if cursor.is_started() && !cursor.stopped {
        enter_initial(program, cursor, host);
        settle(program, cursor, None, None, host);
    }
}

/// Timers of active states that do not replace one of the program before an edit, each with its state.
pub fn new_timers(old: &Program, new: &Program, cursor: &Cursor) -> Vec<(u16, u16)> {
    let mut found = Vec::new();
    for (state, number) in new.states.iter().zip(0_u16..).filter(|_| !cursor.stopped) {
        // A new state has its timers started when it is entered.
        let Some(was) = old.by_path(&state.path).filter(|_| cursor.entry(new, number).is_some()) else { continue };
        let before = old.states[usize::from(was)].timers.iter();
        let kept: Vec<u16> = before.filter_map(|timer| old.moved_timer(*timer, new, number)).collect();
        found.extend(state.timers.iter().filter(|timer| !kept.contains(timer)).map(|timer| (number, *timer)));
    }
    found
}

/// Start a timer of a state that is active already.
pub fn start_timer<H: Host>(program: &Program, cursor: &Cursor, (state, timer): (u16, u16), host: &mut H) {
    if let Some(entry) = cursor.entry(program, state) {
        host.start_timer(state, entry, timer, program.transitions[usize::from(timer)].after_secs);
    }
}

/// Route a message. Returns whether a state handled it.
pub fn dispatch<H: Host>(program: &Program, cursor: &mut Cursor, message: MsgId, host: &mut H) -> bool {
    if cursor.stopped || !cursor.is_started() {
        return false;
    }
    for step in program.route(cursor.current, message) {
        match step {
            DispatchStep::Try(number) => {
                let transition = &program.transitions[usize::from(*number)];
                if transition.guard.as_ref().is_none_or(|guard| holds(program, cursor, guard, host)) {
                    if message != MsgId::UPDATE {
                        host.handled(Some(program.path(transition.owner)));
                    }
                    cursor.request = Some(transition.to);
                    settle(program, cursor, Some(message), Some(transition.actions.clone()), host);
                    return true;
                }
            }
            DispatchStep::Do(owner, actions) => {
                if message != MsgId::UPDATE {
                    host.handled(Some(program.path(*owner)));
                }
                act(program, cursor, *owner, actions.clone(), host);
                settle(program, cursor, Some(message), None, host);
                return true;
            }
        }
    }
    if message != MsgId::UPDATE {
        host.handled(None);
    }
    false
}

/// Deliver an `after` message to its transition. The caller has checked that the entry is not over.
pub fn time_out<H: Host>(program: &Program, cursor: &mut Cursor, transition: u16, host: &mut H) -> bool {
    if cursor.stopped || !cursor.is_started() {
        return false;
    }
    let Some(transition) = program.transitions.get(usize::from(transition)) else { return false };
    let fires = transition.guard.as_ref().is_none_or(|guard| holds(program, cursor, guard, host));
    host.handled(Some(program.path(transition.owner)).filter(|_| fires));
    if fires {
        cursor.request = Some(transition.to);
        settle(program, cursor, Some(MsgId::AFTER), Some(transition.actions.clone()), host);
    }
    fires
}

/// Change to the requested state, as long as one is requested.
fn settle<H: Host>(
    program: &Program,
    cursor: &mut Cursor,
    cause: Option<MsgId>,
    mut between: Option<Range<u32>>,
    host: &mut H,
) {
    let mut visited: Vec<u16> = Vec::new();
    while let Some(target) = cursor.request.take() {
        if visited.len() == MAX_CHANGES {
            cursor.stopped = true;
            host.problem(loop_text(program, &visited, target));
            return;
        }
        visited.push(target);
        host.transition(program.path(cursor.current), program.path(target), cause);
        // The requested state is left as well when it is the innermost one: it is entered again.
        let keep = if target == cursor.current {
            program.states[usize::from(target)].parent
        } else {
            Some(program.common(cursor.current, target))
        };
        leave(program, cursor, keep, host);
        if let Some(actions) = between.take() {
            act(program, cursor, keep.unwrap_or(0), actions, host);
        }
        enter_down(program, cursor, keep, target, host);
        enter_initial(program, cursor, host);
    }
}

/// Run `exit` from the innermost state up to, but without, `keep`; of all states if there is none.
fn leave<H: Host>(program: &Program, cursor: &mut Cursor, keep: Option<u16>, host: &mut H) {
    while Some(cursor.current) != keep && cursor.is_started() {
        let here = cursor.current;
        let state = &program.states[usize::from(here)];
        host.exited(&state.path);
        act(program, cursor, here, state.exit.clone(), host);
        cursor.entries.truncate(usize::from(state.depth));
        match state.parent {
            Some(parent) => cursor.current = parent,
            None => break,
        }
    }
}

/// Enter the states from below `top` (from the root if there is none) down to `target`.
fn enter_down<H: Host>(program: &Program, cursor: &mut Cursor, top: Option<u16>, target: u16, host: &mut H) {
    let above = |state: u16| if Some(state) == top { None } else { Some(state) };
    // There are few levels: finding the next one from the bottom each time is cheaper than a list.
    loop {
        let mut next = None;
        let mut at = above(target);
        while let Some(state) = at {
            if usize::from(program.states[usize::from(state)].depth) < cursor.entries.len() {
                break;
            }
            next = Some(state);
            at = program.states[usize::from(state)].parent.and_then(above);
        }
        match next {
            Some(state) => enter(program, cursor, state, host),
            None => return,
        }
    }
}

fn enter_initial<H: Host>(program: &Program, cursor: &mut Cursor, host: &mut H) {
    while let Some(initial) = program.states[usize::from(cursor.current)].initial {
        enter_down(program, cursor, Some(cursor.current), initial, host);
    }
}

fn enter<H: Host>(program: &Program, cursor: &mut Cursor, state: u16, host: &mut H) {
    let code = &program.states[usize::from(state)];
    let entry = cursor.next_entry;
    cursor.next_entry = cursor.next_entry.wrapping_add(1);
    cursor.current = state;
    cursor.entries.truncate(usize::from(code.depth));
    cursor.entries.push(entry);
    host.entered(&code.path);
    for timer in &code.timers {
        host.start_timer(state, entry, *timer, program.transitions[usize::from(*timer)].after_secs);
    }
    act(program, cursor, state, code.enter.clone(), host);
}

fn act<H: Host>(program: &Program, cursor: &mut Cursor, state: u16, actions: Range<u32>, host: &mut H) {
    for action in &program.actions[actions.start as usize..actions.end as usize] {
        match action {
            BuiltinAction::SetState(target) => cursor.request = Some(*target),
            other => host.act(program, cursor, state, other),
        }
    }
}

fn holds<H: Host>(program: &Program, cursor: &mut Cursor, guard: &Guard, host: &mut H) -> bool {
    match guard {
        Guard::Ask(question) => host.ask(program, cursor, question),
        Guard::All(all) => all.iter().all(|one| holds(program, cursor, one, host)),
        Guard::Any(any) => any.iter().any(|one| holds(program, cursor, one, host)),
        Guard::Not(not) => !holds(program, cursor, not, host),
        Guard::Never => false,
    }
}

/// Text of the loop: the states between the last two visits of one.
fn loop_text(program: &Program, visited: &[u16], target: u16) -> String {
    let from = visited.iter().rposition(|state| *state == target).unwrap_or(0);
    let mut names: Vec<String> = visited[from..].iter().map(|state| format!("`{}`", program.path(*state))).collect();
    names.push(format!("`{}`", program.path(target)));
    format!(
        "machine `{}` was stopped: more than {MAX_CHANGES} state changes for one message: {}",
        program.name,
        names.join(" → ")
    )
}
