//! An open run of edits that can still be taken back: a drag, a slider being pulled, a name being typed.
//!
//! Invariant: every preview restarts from the project as it was when the gesture began, so a gesture is one step of history
//! however many frames it took, and canceling it returns the very same pointers.
//! A change from outside (a file reloaded) ends a gesture first; that is its owner's business.

use super::{Edit, History, Refusal, StepId, apply};
use crate::model::Project;

/// How far a gesture is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Going on.
    #[default]
    Preview,
    /// Done: becomes a step.
    Commit,
    /// Taken back.
    Cancel,
}

/// An open gesture.
#[derive(Clone, Debug)]
pub struct Gesture {
    before: Project,
    label: String,
    is_named: bool,
}

/// What several edits made together are called: the first one's label, and how many more there are.
#[must_use]
pub fn label_of(edits: &[Edit]) -> String {
    match edits {
        [] => "Nothing".to_owned(),
        [one] => one.label(),
        [first, rest @ ..] => format!("{} and {} more", first.label(), rest.len()),
    }
}

impl Gesture {
    /// Begin; the step is called after the edits it ends with.
    #[must_use]
    pub fn begin(project: &Project) -> Self {
        Self { before: project.clone(), label: String::new(), is_named: false }
    }

    /// Have the step be called otherwise: a drag may change what it does as it goes on.
    pub fn set_label(&mut self, label: impl Into<String>) {
        self.label = label.into();
        self.is_named = true;
    }

    /// The project as it was at the beginning.
    #[must_use]
    pub fn before(&self) -> &Project {
        &self.before
    }

    /// What the step would be called now.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Make `edits` on the project as it was at the beginning, in place of what was previewed before.
    ///
    /// # Errors
    /// The first refusal; the project is then as it was at the beginning.
    pub fn preview(&mut self, project: &mut Project, edits: &[Edit]) -> Result<(), Refusal> {
        *project = self.before.clone();
        if !self.is_named {
            self.label = label_of(edits);
        }
        for edit in edits {
            if let Err(refusal) = apply(project, edit) {
                *project = self.before.clone();
                return Err(refusal);
            }
        }
        Ok(())
    }

    /// End the gesture with what was last previewed, as one step. Returns which, if anything changed.
    pub fn commit(self, project: &Project, history: &mut History) -> Option<StepId> {
        history.record(self.label, &self.before, project)
    }

    /// End the gesture as if it had not been.
    pub fn cancel(self, project: &mut Project) {
        *project = self.before;
    }
}
