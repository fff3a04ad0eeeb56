//! What every UI function gets: everything to read, and one way to ask for change.
//!
//! Invariant: nothing reachable from here can be mutated; [`Cx::send`] only queues.

use std::{cell::RefCell, sync::Arc};

use super::{Chunks, Looks, Textures, Theme, canvas::graph::Graph};
use crate::{
    defs::Resolution,
    edit::{History, Step},
    editor::{
        Action, Command, Derivation, Dialog, Draft, Geometry, Images, LocatedProblem, Preview, ProblemIndex, Selection,
        Tuning, View, Workspace,
    },
    explain::Census,
    model::{DocPath, FieldPath, Level, Project, Saved, TuningSide, ValueSet},
    tools::ToolOut,
};

/// Everything a frame shows.
pub struct Cx<'a> {
    /// The folder's path, for titles.
    pub root: &'a str,
    /// What is edited.
    pub project: &'a Project,
    /// What it was before the drag that is open, for which that drag's edits are made; the same when none is.
    pub before: &'a Project,
    /// What every project has before it says anything.
    pub builtin: &'a crate::model::Builtin,
    /// Its resolution; may be a few milliseconds behind the project.
    pub resolution: &'a Arc<Resolution>,
    /// What is placed where; as far behind as `resolution`.
    pub census: &'a Census,
    /// The open project with its history and its files.
    pub workspace: &'a Workspace,
    /// What is computed from it; may be a few milliseconds behind.
    pub derived: &'a Derivation,
    /// What is wrong, worst first.
    pub problems: &'a Arc<Vec<LocatedProblem>>,
    /// The same by where they are.
    pub problem_index: &'a ProblemIndex,
    /// What is solid in the level shown, and its links; may be a few milliseconds behind.
    pub geometry: Option<&'a Geometry>,
    /// What is selected.
    pub selection: &'a Selection,
    /// How things are shown.
    pub view: &'a View,
    /// The machine shown, laid out; may be a few milliseconds behind. None until it was laid out once.
    pub graph: Option<&'a Arc<Graph>>,
    /// The running preview, if any.
    pub preview: Option<&'a Preview>,
    /// What is tried, marked and put aside on the tuning pages.
    pub tuning: &'a Tuning,
    /// What the tool in hand is about to do.
    pub tool: &'a ToolOut,
    /// Whether the tool in hand is in the middle of something.
    pub is_tool_busy: bool,
    /// Steps.
    pub history: &'a History,
    /// What is on disk.
    pub saved: &'a Saved,
    /// Decoded images of the project.
    pub images: &'a Images,
    /// The same on the graphics card.
    pub textures: &'a Textures,
    /// Pictures of tile chunks.
    pub chunks: &'a Chunks,
    /// How placed entities look.
    pub looks: &'a Looks,
    /// The look.
    pub theme: &'a Theme,
    /// Projects opened before, newest first.
    pub recent: &'a [String],
    /// The last thing worth saying.
    pub notice: Option<&'a str>,
    /// The open dialog, if any.
    pub dialog: Option<&'a Dialog>,
    /// The refactoring that the dialog asks for.
    pub draft: Option<&'a Draft>,
    /// What the system's dialog just found.
    pub browsed: Option<&'a str>,
    /// What the frame asks for.
    pub actions: &'a RefCell<Vec<Action>>,
}

impl Cx<'_> {
    /// Ask for something; it happens before the next frame.
    pub fn send(&self, action: Action) {
        self.actions.borrow_mut().push(action);
    }

    /// Ask for a command.
    pub fn command(&self, command: Command) {
        self.send(Action::Command(command));
    }

    /// The level shown, with its path.
    #[must_use]
    pub fn level(&self) -> Option<(&DocPath, &Level)> {
        let doc = self.view.level.as_ref()?;
        Some((doc, self.project.level(doc)?))
    }

    /// The index of the layer that tools work on.
    #[must_use]
    pub fn active_layer(&self) -> Option<usize> {
        let (doc, level) = self.level()?;
        self.view.active_layer_of(doc, level)
    }

    /// Whether a document differs from its file.
    #[must_use]
    pub fn is_modified(&self, doc: &DocPath) -> bool {
        self.saved.is_modified(self.project, doc)
    }

    /// Whether the document that Save means differs from its file.
    #[must_use]
    pub fn focused_is_modified(&self) -> bool {
        self.view.focus.as_ref().is_some_and(|doc| self.is_modified(doc))
    }

    /// Whether any document differs from its file.
    #[must_use]
    pub fn has_unsaved(&self) -> bool {
        !self.saved.modified(self.project).is_empty()
    }

    /// What undo would take back, or redo do again.
    #[must_use]
    pub fn next_step(&self, is_redo: bool) -> Option<&Step> {
        self.history.next(self.view.focus.as_ref(), is_redo)
    }

    /// The letter of the set of tried-out values that the running world uses and changes go to.
    #[must_use]
    pub fn active_side(&self) -> TuningSide {
        self.project.tuning_overlay.side(self.tuning.active)
    }

    /// The values of constants that are tried out in the active set.
    #[must_use]
    pub fn tried_values(&self) -> &ValueSet {
        self.project.tuning_overlay.values(self.active_side())
    }

    /// The problems at or inside a field of a document, for marks on fields.
    pub fn problems_at<'s>(
        &'s self,
        doc: &'s DocPath,
        path: &'s FieldPath,
    ) -> impl Iterator<Item = &'s LocatedProblem> {
        self.problem_index.at(self.problems, doc, path)
    }
}
