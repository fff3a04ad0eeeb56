//! The history of the project that is kept while changes are live: what it would be if nothing had been live.
//!
//! Invariant: undoing its steps one after another takes the kept project back through every state that it had. Live
//! changes are in none of them; values of constants that are tried out are the same in both projects, so their steps
//! stay.

use std::collections::BTreeSet;

use super::{History, Step, StepId};

impl History {
    /// The history of the kept project, given the one there was when changes began to be live: that one's steps, and
    /// what the steps since did to the kept project and to the values that are tried out.
    #[must_use]
    pub fn of_kept(&self, begun: &Self) -> Self {
        let done_now: BTreeSet<StepId> = self.done.iter().map(Step::id).collect();
        let done_then: BTreeSet<StepId> = begun.done.iter().map(Step::id).collect();
        // A step taken back since was taken back in the live project and in what is tried out.
        let of_then = begun.done.iter().filter_map(|step| match &step.overlay {
            Some(_) if !done_now.contains(&step.id()) => {
                (!step.changes.is_empty()).then(|| step.with(step.changes.clone(), None))
            }
            _ => Some(step.clone()),
        });
        let since = self.done.iter().filter(|step| !done_then.contains(&step.id()));
        let since = since.map(|step| step.with(step.kept.clone(), step.overlay.clone()));
        let since = since.filter(|step| step.docs().next().is_some() || step.overlay.is_some());
        // What is tried out may be elsewhere by now.
        let undone = begun.undone.iter().filter(|step| step.overlay.is_none());
        self.with_steps(of_then.collect(), since.collect(), undone.cloned().collect())
    }
}
