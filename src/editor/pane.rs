//! The panes of the window, a closed set: one loop lays them out, names them and tests them all.

use serde::{Deserialize, Serialize};

/// A docked part of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs, reason = "each says itself in `tip`")]
pub enum Pane {
    Project,
    Level,
    Game,
    Palette,
    Stamps,
    Layers,
    Inspector,
    Inheritance,
    Machine,
    Tileset,
    Tuning,
    Preview,
    Messages,
    Problems,
    Definitions,
    History,
    Tracks,
    Profiler,
}

impl Pane {
    /// Whether documents are worked on in it, which commands without a selection go by.
    #[must_use]
    pub fn is_of_documents(self) -> bool {
        matches!(
            self,
            Self::Level | Self::Machine | Self::Definitions | Self::Inheritance | Self::Tileset | Self::Tuning
        )
    }

    /// Every pane.
    pub const ALL: [Self; 18] = [
        Self::Project,
        Self::Level,
        Self::Game,
        Self::Palette,
        Self::Stamps,
        Self::Layers,
        Self::Inspector,
        Self::Inheritance,
        Self::Machine,
        Self::Tileset,
        Self::Tuning,
        Self::Preview,
        Self::Messages,
        Self::Problems,
        Self::Definitions,
        Self::History,
        Self::Tracks,
        Self::Profiler,
    ];

    /// On its tab.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Project => "Project",
            Self::Level => "Level",
            Self::Game => "Game",
            Self::Palette => "Palette",
            Self::Stamps => "Stamps",
            Self::Layers => "Layers",
            Self::Inspector => "Inspector",
            Self::Inheritance => "Inheritance",
            Self::Machine => "Machine",
            Self::Tileset => "Tileset",
            Self::Tuning => "Tuning",
            Self::Preview => "Preview",
            Self::Messages => "Messages",
            Self::Problems => "Problems",
            Self::Definitions => "Definitions",
            Self::History => "History",
            Self::Tracks => "Tracks",
            Self::Profiler => "Profiler",
        }
    }

    /// Its purpose, in one sentence.
    #[must_use]
    pub fn tip(self) -> &'static str {
        match self {
            Self::Project => "Everything in the project, by kind",
            Self::Level => "The level, as it is edited or as it plays",
            Self::Game => "The game's picture, as its cameras show it",
            Self::Stamps => "Tiles of one or several layers, kept in the project to be painted together",
            Self::Palette => "Tiles to paint with and definitions to place",
            Self::Layers => "The level's layers, front to back",
            Self::Inheritance => "The inheritance graph, and what a change would affect",
            Self::Inspector => "The fields of the selection, and where each value comes from",
            Self::Machine => "A state machine as a graph",
            Self::Tileset => "The picture of a tileset, what is solid of each tile, costs and tags",
            Self::Tuning => "Constants to adjust while the game plays",
            Self::Preview => "Play, what is driven, what is drawn over the level",
            Self::Messages => "Messages and state changes of running entities",
            Self::Problems => "What is wrong, and how to fix it",
            Self::Definitions => "All definitions as a table, to compare and tune many at once",
            Self::Tracks => "How fields of what is selected change over time, by keys on a time line",
            Self::Profiler => "What each tick of the preview spends its time on, by system and by definition",
            Self::History => "Every step, to go back and forth",
        }
    }
}
