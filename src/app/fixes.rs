//! Fixes of problems: one is applied at once; all of a kind are computed in a job and applied as one step.
//!
//! Invariant: a comment that a fix will drop from a file is listed at once, while undo still keeps it.

use super::{derive::file_facts, editor::Editor, events::Event};
use crate::{
    check::{Fix, Which},
    edit::Edit,
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
        let unread = self.follow.sources().files().iter().find(|(_, source)| source.document.is_none());
        if let Some((path, _)) = unread {
            let why = format!("{path} cannot be read and may say what seems to be wrong or missing; mend that first");
            self.notify(why);
            return;
        }
        self.fixing = Some(self.revision);
        let label = label.to_owned();
        let (mut project, builtin) = (self.project.clone(), self.builtin.clone());
        let (images, sources) = (self.images.clone(), self.follow.sources().clone());
        let unreadable = self.unreadable_images.clone();
        self.jobs.spawn("fix", move || {
            let files = file_facts(&images, &unreadable, &sources, &project);
            let which = all_of.as_ref().map_or(Which::Safe, |rule| Which::All(rule));
            let fixed = crate::check::fix(&mut project, &builtin, Some(&files), which);
            Event::Fixed { label, edits: fixed.edits }
        });
    }

    /// A job computed what fixing changes.
    pub(super) fn fixed(&mut self, label: &str, edits: &[Edit]) {
        if self.fixing.take() != Some(self.revision) {
            self.notify("Something changed meanwhile, and nothing was fixed: try it again");
        } else if edits.is_empty() {
            self.notify("There is nothing left that is fixed like that");
        } else {
            self.fix_step(label, edits);
        }
    }

    /// Make a step of a fix, and look in a job for comments that its lines take with them.
    fn fix_step(&mut self, label: &str, edits: &[Edit]) {
        let before = self.project.clone();
        if self.step(Some(label), edits).is_none() {
            return;
        }
        let (revision, after) = (self.revision, self.project.clone());
        let sources = self.follow.sources().clone();
        self.jobs
            .spawn("comments", move || Event::CommentsLost { revision, lost: sources.texts(&before, &after).lost });
    }

    /// A job found the comments that the last fix takes out of the files.
    pub(super) fn comments_lost(&mut self, revision: u64, lost: &[Difference]) {
        if lost.is_empty() || revision != self.revision {
            return;
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
