//! An open run of edits that can still be taken back: a drag, a slider being pulled, a name being typed.
//!
//! Invariant: every preview restarts from the project as it was when the gesture began, so a gesture is one step of
//! history however many frames it took, and canceling it returns the very same pointers.
//! A change from outside (a file reloaded) ends a gesture first; its owner does that.

use super::{Edit, History, Refusal, StepId, apply, label_of};
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

impl Gesture {
    /// Begin a gesture; its step takes the label of its last edits.
    #[must_use]
    pub fn begin(project: &Project) -> Self {
        Self { before: project.clone(), label: String::new(), is_named: false }
    }

    /// Change the step's label: a drag may change its meaning as it goes on.
    pub fn set_label(&mut self, label: impl Into<String>) {
        self.label = label.into();
        self.is_named = true;
    }

    /// The project as it was at the beginning.
    #[must_use]
    pub fn before(&self) -> &Project {
        &self.before
    }

    /// The label that the step would have now.
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

    /// Cancel the gesture and restore the project.
    pub fn cancel(self, project: &mut Project) {
        *project = self.before;
    }
}
