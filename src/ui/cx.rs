//! What UI functions get: what there is to read, and one way to ask for change.
//!
//! Widgets and most panes read a [`Cx`]. A pane that reads more gets a context of its own, which derefs to it.
//!
//! Invariant: nothing reachable from here can be mutated; [`Cx::send`] only queues.

use std::{borrow::Cow, cell::RefCell, ops::Deref, path::Path, rc::Rc, sync::Arc};

use eframe::wgpu::TextureFormat;

use super::{Looks, Textures, Theme, canvas::graph::Graph};
use crate::{
    defs::Resolution,
    edit::Step,
    editor::{
        Action, Command, Derivation, Dialog, Draft, LiveChange, NewTileset, Preview, Selection, Tuning, ViewState,
        Workspace,
    },
    model::{DocPath, Layer, Level, Name, Project, TuningSetId, TuningSide, ValueSet},
    refactor::Resize,
    tools::{Modifiers, ToolOut},
};

/// What any part of the window reads.
pub struct Cx<'a> {
    /// The open project with its history and its files.
    pub workspace: &'a Workspace,
    /// What is edited.
    pub project: &'a Project,
    /// What it was before the drag that is open, for which that drag's edits are made; the same when none is.
    pub before: &'a Project,
    /// What is computed from the project: problems, images, what is solid; may be a few milliseconds behind.
    pub derived: &'a Derivation,
    /// Inheritance applied; as far behind.
    pub resolution: &'a Arc<Resolution>,
    /// What is selected.
    pub selection: &'a Selection,
    /// How things are shown.
    pub view: &'a ViewState,
    /// The running preview, if any; commands depend on it.
    pub preview: Option<&'a Preview>,
    /// Whether a preview runs or is about to.
    pub is_preview_on: bool,
    /// The set of tried-out values that the running world uses and changes go to.
    pub active_set: TuningSetId,
    /// Decoded images on the graphics card.
    pub textures: &'a Textures,
    /// How entities look.
    pub looks: &'a Looks,
    /// The look of the window.
    pub theme: &'a Theme,
    /// The step that is being made in a job, by its label.
    pub making: Option<&'a str>,
    /// What the frame asks for.
    pub actions: &'a RefCell<Vec<Action>>,
}

/// What the level's canvas reads.
pub struct CanvasCx<'a> {
    /// What all panes read.
    pub cx: &'a Cx<'a>,
    /// What the tool in hand is about to do.
    pub tool: &'a ToolOut,
    /// Whether the tool in hand is in the middle of something.
    pub is_tool_busy: bool,
    /// The keys that were held when the tool in hand last heard of the pointer.
    pub tool_modifiers: Modifiers,
    /// The format of what the window is drawn on; `None` where it is not drawn.
    pub target: Option<TextureFormat>,
}

/// What the Machine pane reads.
pub struct MachineCx<'a> {
    /// What all panes read.
    pub cx: &'a Cx<'a>,
    /// The machine shown, laid out; may be a few milliseconds behind. None until it was laid out once.
    pub graph: Option<&'a Arc<Graph>>,
}

/// What the Tuning pane reads.
pub struct TuningCx<'a> {
    /// What all panes read.
    pub cx: &'a Cx<'a>,
    /// What is marked and put aside on the tuning pages.
    pub tuning: &'a Tuning,
}

/// What the window's frame reads: menu, status line and dialogs.
pub struct ShellCx<'a> {
    /// What all panes read.
    pub cx: &'a Cx<'a>,
    /// Projects opened before, newest first.
    pub recent: &'a [String],
    /// The last thing worth saying.
    pub notice: Option<&'a str>,
    /// Whether that is about what could not be done.
    pub is_failure: bool,
    /// Whether large levels are still being read.
    pub is_reading: bool,
    /// What the tool in hand does, in words.
    pub tool_hint: &'a str,
    /// The open dialog, if any.
    pub dialog: Option<&'a Dialog>,
    /// The refactoring that the dialog asks for.
    pub draft: Option<&'a Draft>,
    /// The tileset that the dialog asks for.
    pub new_tileset: Option<&'a NewTileset>,
    /// The new size of a level that the dialog asks for.
    pub resize: Option<&'a Resize>,
    /// What the system's dialog just found.
    pub browsed: Option<&'a str>,
    /// How many gamepads were used.
    pub n_pads: usize,
}

/// What there is for panes of every kind.
pub struct PaneCx<'a> {
    /// What all panes read.
    pub cx: &'a Cx<'a>,
    /// For the level.
    pub canvas: CanvasCx<'a>,
    /// For the machine.
    pub machine: MachineCx<'a>,
    /// For the constants.
    pub tuning: TuningCx<'a>,
}

impl<'a> Deref for CanvasCx<'a> {
    type Target = Cx<'a>;

    fn deref(&self) -> &Cx<'a> {
        self.cx
    }
}

impl<'a> Deref for MachineCx<'a> {
    type Target = Cx<'a>;

    fn deref(&self) -> &Cx<'a> {
        self.cx
    }
}

impl<'a> Deref for TuningCx<'a> {
    type Target = Cx<'a>;

    fn deref(&self) -> &Cx<'a> {
        self.cx
    }
}

impl<'a> Deref for ShellCx<'a> {
    type Target = Cx<'a>;

    fn deref(&self) -> &Cx<'a> {
        self.cx
    }
}

/// What is live at a revision of the project.
pub struct LiveNow {
    revision: u64,
    changes: Vec<LiveChange>,
}

impl Deref for LiveNow {
    type Target = [LiveChange];

    fn deref(&self) -> &[LiveChange] {
        &self.changes
    }
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

    /// The project's folder as text; empty before one is open.
    #[must_use]
    pub fn root(&self) -> Cow<'_, str> {
        self.workspace.root().map(Path::to_string_lossy).unwrap_or_default()
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

    /// The layer that tools work on.
    #[must_use]
    pub fn layer(&self) -> Option<&Layer> {
        let (_, level) = self.level()?;
        level.nth_layer(self.active_layer()?).map(|layer| &**layer)
    }

    /// The layers that commands on layers mean: those that are selected with the one that tools work on, back to front.
    #[must_use]
    pub fn layers_meant(&self) -> Vec<Name> {
        self.level().map(|(doc, level)| self.view.layers_meant(doc, level)).unwrap_or_default()
    }

    /// Whether a document differs from its file.
    #[must_use]
    pub fn is_modified(&self, doc: &DocPath) -> bool {
        self.workspace.is_modified(doc)
    }

    /// Whether the document that Save means differs from its file.
    #[must_use]
    pub fn focused_is_modified(&self) -> bool {
        self.view.focus.as_ref().is_some_and(|doc| self.is_modified(doc))
    }

    /// Whether any document differs from its file.
    #[must_use]
    pub fn has_unsaved(&self) -> bool {
        let revision = self.workspace.revision();
        let answer = || (revision, !self.workspace.unsaved().is_empty());
        self.derived.memos().get_current("unsaved", |(of, _)| *of == revision, |_| answer()).1
    }

    /// What is live: changed while a level plays, and not kept.
    #[must_use]
    pub fn live_changes(&self) -> Rc<LiveNow> {
        let revision = self.workspace.revision();
        let made = || LiveNow { revision, changes: self.workspace.live_changes() };
        self.derived.memos().get_current("live", |now: &LiveNow| now.revision == revision, |_| made())
    }

    /// What undo would take back, or redo do again.
    #[must_use]
    pub fn next_step(&self, is_redo: bool) -> Option<&Step> {
        self.workspace.history().next(self.view.focus.as_ref(), is_redo)
    }

    /// The letter of the set of tried-out values that the running world uses and changes go to.
    #[must_use]
    pub fn active_side(&self) -> TuningSide {
        self.project.tuning_overlay.side(self.active_set)
    }

    /// The values of constants that are tried out in the active set.
    #[must_use]
    pub fn tried_values(&self) -> &ValueSet {
        self.project.tuning_overlay.values_of(self.active_set)
    }
}
