//! The program's state in four parts (the project and what changes it, the data derived from it, the running preview,
//! the state of the window), and the actions on it.
//!
//! Invariant: nothing here knows a window or does I/O. The preview runs in a thread of its own; every other job is its
//! caller's.

mod action;
mod agent_map;
mod art;
mod camera;
mod command;
mod controls;
mod derivation;
mod deriving;
mod dialog;
mod draft;
mod files_seen;
mod geometry;
mod hand;
mod images;
mod insight;
mod layer_selection;
mod live;
mod memos;
mod new_tileset;
mod overlay;
mod pane;
mod play_camera;
mod preview;
mod preview_host;
mod probe;
mod problems;
mod routes;
mod runner;
mod selection;
mod sheet;
mod sounds;
mod stamps;
mod tabs;
mod tune;
mod view;
mod view_undo;
mod workbench;
mod workspace;

pub use action::{
    Action, BrowseFor, ConnectAction, DialogAnswer, LevelPointer, PreviewAction, ProblemAction, ViewChange,
};
pub use agent_map::{AgentMap, AgentMapDone, AgentMapJob, AgentMaps};
pub use art::{Art, ArtJob, ArtOf, MadeArt};
pub use camera::Camera;
pub use command::Command;
pub use controls::{Bound, Controls, PadEvent, PadPart, Pads, stick_events};
pub use derivation::Derivation;
pub use deriving::{Derived, Deriving};
pub use dialog::{Dialog, Lost, Versions};
pub use draft::{Draft, DraftResult, DraftRow, PlannedChanges};
pub use files_seen::{FilesSeen, ReadImages, ReadSounds, Sounds};
pub use geometry::Geometry;
pub use images::Images;
pub use insight::InsightView;
pub use layer_selection::LayerPick;
pub use live::{LiveChange, LiveKind, live_changes};
pub use memos::Memos;
pub use new_tileset::{
    NewTileset, SheetPicture, TilesetField, TilesetForm, TilesetPlan, dropped_picture, usual_tile_size,
};
pub use overlay::{Overlay, OverlaySet};
pub use pane::Pane;
pub use play_camera::{CameraMode, PlayCamera};
pub use preview::Preview;
pub use preview_host::{Cameras, Played, PreviewHost, PreviewReport};
pub use probe::{ProbeAnswer, ProbeAsked, ProbeDone, ProbeJob, ProbeOn, ProbeView, Probes};
pub use problems::{LocatedProblem, ProblemIndex, number_now};
pub use routes::{RouteShown, linking_walker, routes_shown};
pub use selection::Selection;
pub use sheet::{TilesByCell, about_tile};
pub use sounds::Heard;
pub use stamps::{held_stamps, layer_lacking, layer_to_paste_on, new_stamp_of};
pub use tabs::OpenTabs;
pub use tune::{TuneAction, Tuning};
pub use view::{LayerSeen, LevelMenu, Overlays, PointerAt, RefSpot, TextSpot, Unfinished, ViewState};
pub use view_undo::CellsAt;
pub use workbench::Workbench;
pub use workspace::{Changed, ReadProject, Workspace};
