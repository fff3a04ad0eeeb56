//! Everything a user can ask for by menu, toolbar, palette or key.
//!
//! Invariant: a command carries nothing but which tool, pane or alignment it chooses, so each of these has one, and
//! [`Command::all`] holds each once, so one loop can test them all. Its words, keys and picture are in `ui::command`.

use super::Pane;
use crate::tools::{Alignment, ToolKind};

/// What a user can ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is described in `ui::command`")]
pub enum Command {
    NewProject,
    OpenProject,
    Save,
    SaveAll,
    Revert,
    Export,
    Quit,
    Undo,
    Redo,
    Cut,
    Copy,
    Paste,
    Duplicate,
    Delete,
    SelectAll,
    Deselect,
    Rename,
    RenameAny,
    ExtractParent,
    InlineParent,
    LayOutMachine,
    SuggestWaypoints,
    Align(Alignment),
    NewLevel,
    AddLayer,
    DuplicateLayer,
    RaiseLayer,
    LowerLayer,
    LockLayer,
    LockOtherLayers,
    ShowLayerAlone,
    LayerInGame,
    DeleteLayer,
    CommandPalette,
    QuickOpen,
    ZoomIn,
    ZoomOut,
    ZoomFit,
    ZoomReset,
    ToggleGrid,
    ToggleSnap,
    ToggleHighlight,
    ToggleColliders,
    TogglePaths,
    ToggleLinks,
    ToggleStateLabels,
    ToggleTheme,
    ResetLayout,
    NextDocument,
    PlayPause,
    Stop,
    StepTick,
    Slower,
    Faster,
    SwitchValues,
    KeepValues,
    DropValues,
    Tool(ToolKind),
    SmallerBrush,
    LargerBrush,
    ToggleRoundBrush,
    ToggleOutlines,
    ToggleByTerrain,
    FlipStampH,
    FlipStampV,
    RotateStamp,
    ToggleRandomBrush,
    InvertCells,
    ToggleAllLayers,
    FillCells,
    FlipCellsH,
    FlipCellsV,
    RotateCells,
    Show(Pane),
    FixSafe,
    NextProblem,
    Shortcuts,
    About,
}

impl Command {
    /// Every command, in menu order.
    pub fn all() -> impl Iterator<Item = Self> {
        let before_aligning = [
            Self::NewProject,
            Self::OpenProject,
            Self::QuickOpen,
            Self::Save,
            Self::SaveAll,
            Self::Revert,
            Self::Export,
            Self::Quit,
            Self::Undo,
            Self::Redo,
            Self::Cut,
            Self::Copy,
            Self::Paste,
            Self::Duplicate,
            Self::Delete,
            Self::SelectAll,
            Self::Deselect,
            Self::InvertCells,
            Self::ToggleAllLayers,
            Self::FillCells,
            Self::FlipCellsH,
            Self::FlipCellsV,
            Self::RotateCells,
            Self::Rename,
            Self::RenameAny,
            Self::ExtractParent,
            Self::InlineParent,
            Self::LayOutMachine,
            Self::NextProblem,
            Self::FixSafe,
            Self::NewLevel,
            Self::AddLayer,
            Self::DuplicateLayer,
            Self::RaiseLayer,
            Self::LowerLayer,
            Self::LockLayer,
            Self::LockOtherLayers,
            Self::ShowLayerAlone,
            Self::LayerInGame,
            Self::DeleteLayer,
            Self::SuggestWaypoints,
        ];
        let before_panes = [
            Self::CommandPalette,
            Self::ZoomIn,
            Self::ZoomOut,
            Self::ZoomFit,
            Self::ZoomReset,
            Self::ToggleGrid,
            Self::ToggleSnap,
            Self::ToggleHighlight,
            Self::ToggleLinks,
            Self::ToggleColliders,
            Self::TogglePaths,
            Self::ToggleStateLabels,
            Self::NextDocument,
        ];
        let before_tools = [Self::ResetLayout, Self::ToggleTheme];
        let after_tools = [
            Self::SmallerBrush,
            Self::LargerBrush,
            Self::ToggleRoundBrush,
            Self::ToggleOutlines,
            Self::ToggleByTerrain,
            Self::FlipStampH,
            Self::FlipStampV,
            Self::RotateStamp,
            Self::ToggleRandomBrush,
            Self::PlayPause,
            Self::Stop,
            Self::StepTick,
            Self::Slower,
            Self::Faster,
            Self::SwitchValues,
            Self::KeepValues,
            Self::DropValues,
            Self::Shortcuts,
            Self::About,
        ];
        let panes = Pane::ALL.map(Self::Show);
        let tools = ToolKind::ALL.map(Self::Tool);
        let aligning = Alignment::ALL.map(Self::Align);
        let before_panes = before_aligning.into_iter().chain(aligning).chain(before_panes);
        before_panes.chain(panes).chain(before_tools).chain(tools).chain(after_tools)
    }

    /// Whether its plain key counts while the game plays, when keys drive the player.
    #[must_use]
    pub fn works_while_playing(self) -> bool {
        self == Self::SwitchValues
    }
}
