//! Fixes of problems: one is applied at once; all of a kind are computed in a job and applied as one step.
//!
//! Invariant: a comment that a fix will drop from a file is listed at once, while undo still keeps it.

use super::{editor::Editor, events::Event, job::Job};
use crate::{
    check::{Fix, Which},
    edit::{Edit, StepId},
    model::{Difference, Name, counted},
};

/// So many lost comments are named in the notice.
const NAMED: usize = 2;

impl Editor {
    /// Apply one fix.
    pub(super) fn fix_one(&mut self, fix: &Fix) {
        self.fix_step(&fix.label, &fix.edits);
    }

    /// Compute in a job the fixes that are safe, or all of a rule.
    pub(super) fn fix(&mut self, label: &str, all_of: Option<Name>) {
        self.end_gesture();
        if self.fixing.is_some() {
            return;
        }
        let unread = self.workspace.files().sources().files().iter().find(|(_, source)| source.document.is_none());
        if let Some((path, _)) = unread {
            let why =
                format!("{path} cannot be read and may declare what seems to be wrong or missing; fix that first");
            self.notify(why);
            return;
        }
        self.fixing = Some(self.workspace.project().clone());
        let label = label.to_owned();
        let (mut project, builtin) = (self.workspace.project().clone(), self.derived.builtin().clone());
        let (mut files, sources) = (self.derived.files().clone(), self.workspace.files().sources().clone());
        self.jobs.spawn(Job::Fix, move || {
            let resolution = crate::defs::resolve(&project, &builtin, None);
            let facts = files.facts((&project, &resolution), &sources);
            let which = all_of.as_ref().map_or(Which::Safe, |rule| Which::All(rule));
            let fixed = crate::check::fix(&mut project, &builtin, Some(&facts), which);
            Event::Fixed { label, edits: fixed.edits }
        });
    }

    /// A job computed what fixing changes.
    pub(super) fn fixed(&mut self, label: &str, edits: &[Edit]) {
        if !self.fixing.take().is_some_and(|project| project.has_same_documents(self.workspace.project())) {
            self.notify("The project changed meanwhile, and nothing was fixed: try again");
        } else if edits.is_empty() {
            self.notify("No problem is left to fix that way");
        } else {
            self.fix_step(label, edits);
        }
    }

    /// Make a step of a fix, and look in a job for comments that its lines take with them.
    fn fix_step(&mut self, label: &str, edits: &[Edit]) {
        let before = self.workspace.project().clone();
        let Some(step) = self.step(Some(label), edits) else { return };
        let after = self.workspace.project().clone();
        let sources = self.workspace.files().sources().clone();
        if self.comments.n_pending == 0 {
            self.comments.lost.clear();
        }
        self.comments.n_pending += 1;
        self.jobs.spawn(Job::Comments, move || Event::CommentsLost { step, lost: sources.texts(&before, &after).lost });
    }

    /// A job found the comments that a fix takes out of the files. They are listed with those of the fixes made
    /// meanwhile, as far as these are not undone.
    pub(super) fn comments_lost(&mut self, step: StepId, lost: Vec<Difference>) {
        self.comments.n_pending = self.comments.n_pending.saturating_sub(1);
        let is_lost = !lost.is_empty();
        self.comments.lost.push((step, lost));
        let done = self.workspace.history().done();
        if !is_lost || !done.contains(&step) {
            return;
        }
        let all = self.comments.lost.iter().filter(|(step, _)| done.contains(step));
        // A fix of a file that is not saved yet drops what earlier ones do, too.
        let mut lost: Vec<&Difference> = Vec::new();
        for it in all.flat_map(|(_, lost)| lost) {
            if !lost.contains(&it) {
                lost.push(it);
            }
        }
        let named = lost.iter().take(NAMED).map(|it| {
            let line = it.location.span.map(|span| format!(":{}", span.line)).unwrap_or_default();
            format!("{}{line} {}", it.location.doc, it.before.as_deref().unwrap_or_default())
        });
        let named = named.collect::<Vec<_>>().join("; ");
        let more = if lost.len() > NAMED { "; …" } else { "" };
        self.notify(format!(
            "{} will go with the fixed lines, undo keeps it: {named}{more}",
            counted(lost.len(), "comment")
        ));
    }
}
