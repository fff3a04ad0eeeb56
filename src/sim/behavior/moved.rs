//! Matches the timers and remembered results of an edited machine with those of the machine before, so that a running
//! one can continue.
//!
//! Invariant: equal entries are matched first, so a list that only lost, gained or reordered entries keeps the others.

use super::{
    Question,
    compile::{Guard, Program, TransitionCode},
};

/// For each old entry the matching new one: first those for which `is_same` holds at the first level, the strictest,
/// then at the next. Among equal ones their order decides.
fn paired<T>(old: &[T], new: &[T], n_levels: usize, is_same: impl Fn(usize, &T, &T) -> bool) -> Vec<Option<usize>> {
    let (mut became, mut is_taken) = (vec![None; old.len()], vec![false; new.len()]);
    for level in 0..n_levels {
        for (from, became) in old.iter().zip(&mut became).filter(|(_, became)| became.is_none()) {
            let found = new.iter().zip(&is_taken).position(|(to, is_taken)| !is_taken && is_same(level, from, to));
            if let Some(at) = found {
                (*became, is_taken[at]) = (Some(at), true);
            }
        }
    }
    became
}

impl Program {
    /// The timer of a state of the edited program that replaces a timer of this program.
    #[must_use]
    pub fn moved_timer(&self, timer: u16, new: &Self, state: u16) -> Option<u16> {
        let owner = self.transitions.get(usize::from(timer))?.owner;
        let (old_timers, new_timers) =
            (&self.states[usize::from(owner)].timers, &new.states[usize::from(state)].timers);
        let nth = old_timers.iter().position(|it| *it == timer)?;
        let old: Vec<&TransitionCode> = old_timers.iter().map(|it| &self.transitions[usize::from(*it)]).collect();
        let edited: Vec<&TransitionCode> = new_timers.iter().map(|it| &new.transitions[usize::from(*it)]).collect();
        let is_same = |level: usize, a: &&TransitionCode, b: &&TransitionCode| {
            let same_time = a.after_secs.total_cmp(&b.after_secs).is_eq();
            let same_rest =
                || self.path(a.to) == new.path(b.to) && a.guard.as_ref().map(plain) == b.guard.as_ref().map(plain);
            match level {
                0 => same_time && same_rest(),
                1 => same_rest(),
                2 => same_time,
                _ => true,
            }
        };
        let at = paired(&old, &edited, 4, is_same)[nth]?;
        new_timers.get(at).copied()
    }

    /// The remembered results of the edited program, taken from those of this one. A new condition has none yet.
    pub(super) fn moved_memory(&self, new: &Self, memory: &[bool]) -> Vec<bool> {
        let (old, edited) = (self.remembering(), new.remembering());
        let is_same = |level: usize, a: &Remembering<'_>, b: &Remembering<'_>| {
            a.state == b.state && a.field == b.field && (level > 0 || a.bounds == b.bounds)
        };
        let mut moved = vec![false; usize::from(new.n_memory)];
        for (from, to) in old.iter().zip(paired(&old, &edited, 2, is_same)) {
            let to = to.and_then(|to| moved.get_mut(edited[to].memory));
            if let (Some(to), Some(answer)) = (to, memory.get(from.memory)) {
                *to = *answer;
            }
        }
        moved
    }

    /// The conditions that remember a result.
    fn remembering(&self) -> Vec<Remembering<'_>> {
        fn collect<'p>(guard: &'p Guard, state: &'p str, out: &mut Vec<Remembering<'p>>) {
            match guard {
                Guard::Ask(Question::Hysteresis { field, low, high, memory }) => {
                    out.push(Remembering { state, field, bounds: [*low, *high], memory: usize::from(*memory) });
                }
                Guard::All(all) | Guard::Any(all) => all.iter().for_each(|one| collect(one, state, out)),
                Guard::Not(not) => collect(not, state, out),
                Guard::Ask(_) | Guard::Never => {}
            }
        }
        let mut out = Vec::new();
        for transition in &self.transitions {
            if let Some(guard) = &transition.guard {
                collect(guard, self.path(transition.owner), &mut out);
            }
        }
        out
    }
}

/// A condition that remembers its result, and where the result is stored.
struct Remembering<'p> {
    /// Path of the state whose transition has the condition.
    state: &'p str,
    field: &'p str,
    bounds: [f64; 2],
    memory: usize,
}

/// A guard without the numbers that depend on other parts of the machine.
fn plain(guard: &Guard) -> Guard {
    match guard {
        Guard::Ask(Question::Hysteresis { field, low, high, .. }) => {
            Guard::Ask(Question::Hysteresis { field: field.clone(), low: *low, high: *high, memory: 0 })
        }
        Guard::Ask(Question::InState { state, machine, .. }) => {
            Guard::Ask(Question::InState { state: state.clone(), machine: machine.clone(), own: None })
        }
        Guard::Ask(_) | Guard::Never => guard.clone(),
        Guard::All(all) => Guard::All(all.iter().map(plain).collect()),
        Guard::Any(any) => Guard::Any(any.iter().map(plain).collect()),
        Guard::Not(not) => Guard::Not(Box::new(plain(not))),
    }
}
