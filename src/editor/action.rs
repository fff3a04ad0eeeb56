//! What UI code can send in a frame. Nothing else changes anything; `app::logic` carries it out before the next frame.

use std::path::PathBuf;

use super::{
    ArtOf, Camera, Command, LayerPick, LiveChange, Pane, PointerAt, ProbeAsked, RefSpot, Selection, TextSpot,
    TilesetForm, TuneAction, Unfinished,
};
use crate::{
    check::Fix,
    edit::{Edit, Phase, Stamp},
    model::{Contest, DocPath, Finding, Location, Name, Side, Trigger},
    refactor::{Request, Resize},
    sim::EntityKey,
    tools::{PointerEvent, Repeat, ToolKind},
};

/// What UI code sends.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a frame sends a handful of them, and each is moved once")]
pub enum Action {
    /// Run a command, as from a menu.
    Command(Command),
    /// Make the pictures of a tileset or picture that is drawn and was not made yet, or changed since.
    PrepareArt(ArtOf),
    /// Ask a question about a document again that was postponed.
    AskAgain(DocPath),
    /// One step of history.
    Edit(Edit),
    /// Several edits as one step.
    Edits {
        /// The step's name.
        label: String,
        /// In order.
        edits: Vec<Edit>,
    },
    /// A drag: the edits so far, from where it began. Sending [`Phase::Preview`] again replaces them.
    Gesture {
        /// The step's name.
        label: String,
        /// All edits of the drag.
        edits: Vec<Edit>,
        /// Going on, done, or taken back.
        phase: Phase,
    },
    /// Select something else.
    Select(Selection),
    /// Choose a tool.
    Tool(ToolKind),
    /// A pointer event in a level, for the selected tool.
    Pointer(LevelPointer),
    /// A definition that is dragged over a level, or let go of there to be placed.
    Carry(Name, LevelPointer),
    /// Change how things are shown.
    View(ViewChange),
    /// Draw, finish or discard a transition that has no trigger yet.
    Connect(ConnectAction),
    /// Do something about problems.
    Problem(ProblemAction),
    /// Control the preview.
    Preview(PreviewAction),
    /// Try, keep and compare constants.
    Tune(TuneAction),
    /// Show what is at a place: open the document and select the thing.
    GoTo(Location),
    /// Show a level in the Level pane.
    OpenLevel(DocPath),
    /// Take a level off the strip of open ones.
    CloseLevel(DocPath),
    /// Show a machine in the Machine pane.
    OpenMachine {
        /// Its file.
        doc: DocPath,
        /// Its name.
        name: Name,
    },
    /// Bring a pane to the front.
    ShowPane(Pane),
    /// Undo or redo until this many steps of the history are done.
    HistoryGoTo(usize),
    /// Open the project in a folder.
    OpenProject(PathBuf),
    /// Make a project from a template in a folder and open it.
    NewProject {
        /// A new or empty folder.
        root: PathBuf,
        /// `platformer`, `topdown` or `empty`.
        template: String,
    },
    /// Write the export.
    Export {
        /// The folder.
        out: PathBuf,
        /// `ron`, `json`, or both with a comma.
        target: String,
    },
    /// Ask for a folder or a picture by the system's dialog.
    Browse(BrowseFor),
    /// Say something in the status line.
    Notice(String),
    /// Put text on the clipboard.
    CopyText(String),
    /// Ask for another refactoring, in the dialog that is open or a new one.
    Refactor(Request),
    /// Open the form of a new tileset on the picture at a path.
    NewTileset(PathBuf),
    /// Have the layer that is asked for show the picture at a path.
    LayerImage(PathBuf),
    /// What the form of the new tileset says now.
    TilesetForm(TilesetForm),
    /// The new size of the level that is being resized.
    Resize(Resize),
    /// Bind the next key or button of a gamepad to an action of players; `None` to bind none.
    Listen(Option<Name>),
    /// Play a sound of the project.
    Hear(Name),
    /// Answer the open dialog.
    Dialog(DialogAnswer),
}

/// A pointer event in a level, and how the level is looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelPointer {
    /// The level.
    pub doc: DocPath,
    /// The event.
    pub event: PointerEvent,
    /// How many pixels of the level a point of the screen is.
    pub px_per_point: f64,
    /// The part of the level that is seen: left top and right bottom, in pixels.
    pub visible_px: [[f64; 2]; 2],
}

/// What a folder or file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrowseFor {
    /// A project to open.
    Open,
    /// Where a new project goes.
    New,
    /// Where the export goes.
    Export,
    /// The picture of a new tileset.
    Picture,
    /// The picture of a new image layer.
    LayerImage,
}

/// How things are shown.
#[derive(Clone, Debug)]
pub enum ViewChange {
    /// Look at a level from elsewhere: the view is the hand's, if the level plays.
    Camera(DocPath, Camera),
    /// Where a level is looked at from, as its canvas came to show it by itself.
    Seen {
        /// The level.
        doc: DocPath,
        /// The view now.
        camera: Camera,
        /// The view that it was moved from. Where another action of this frame has set another, that stays.
        before: Option<Camera>,
    },
    /// The layer that tools work on, by name.
    ActiveLayer(DocPath, Name),
    /// Select a layer and have tools work on it: alone, besides others, or with all between.
    PickLayer(DocPath, Name, LayerPick),
    /// Show or hide layers in the window alone.
    ShowLayers(DocPath, Vec<Name>, bool),
    /// Show one layer of a level alone in the window, or again what was shown before.
    ShowLayerAlone(DocPath, Name),
    /// Whether the Layers pane hides what is in a group.
    Fold(DocPath, Name, bool),
    /// What brushes paint.
    Stamp(Stamp),
    /// Which stamps of the project the stamp tool paints; of several, one at random for each place.
    Stamps(Vec<DocPath>),
    /// Which terrain of the layer's tileset the terrain tool paints.
    Terrain(usize),
    /// How what is repeated is spread along a line.
    Repeat(Repeat),
    /// Who the path probe looks for a path for, and how.
    Probe(ProbeAsked),
    /// Take the path probe and look for paths from a place of a level, in pixels; for another definition or kind where
    /// one is given.
    ProbeFrom(DocPath, [f64; 2], Option<Name>),
    /// The definition that the entity tool places.
    PlaceDef(Name),
    /// Where the machine graph is looked at from; `None` shows the whole.
    MachineCamera(Option<Camera>),
    /// The pane that is worked in, which commands without a selection go by.
    Work(Pane),
    /// The pointer's cell in the level, for the status line.
    Pointer(Option<PointerAt>),
    /// Where the next paste goes, in pixels of the level.
    PasteAt([f64; 2]),
    /// The menu of an entity's arrow.
    ReferenceMenu {
        /// The level.
        doc: DocPath,
        /// The entity.
        from: Name,
        /// The arrow.
        spot: RefSpot,
        /// Where, in pixels of the level.
        at: [f64; 2],
    },
    /// The moment at which the level shows what is selected as its tracks have it, in seconds.
    Scrub(Option<f64>),
    /// Edit a text on the canvas, or no more.
    EditText(Option<TextSpot>),
    /// Show only entities whose message log is wanted.
    WatchEntity(Option<Name>),
}

/// Actions on a transition that has no trigger yet. It is no part of the project until it has one.
#[derive(Clone, Debug)]
pub enum ConnectAction {
    /// Draw one.
    Begin(Unfinished),
    /// Give it its trigger: it becomes a transition of the project.
    Finish(Unfinished, Trigger),
    /// Put it away.
    Discard(Unfinished),
}

/// Actions of the preview.
#[derive(Clone, Debug)]
pub enum PreviewAction {
    /// Drive this entity with the keyboard; `None` gives the keys back to the player.
    Possess(Option<EntityKey>),
    /// Go to a recorded tick, and pause there.
    Seek(u64),
    /// Play between two ticks again and again, or no more.
    Repeat(Option<[u64; 2]>),
    /// A pointer event over the level that plays, for the select tool.
    Hand(LevelPointer),
    /// Give a placed entity the place and rotation that it has in the running world, or place one that the game
    /// spawned.
    KeepPlace(EntityKey),
    /// Play the level shown from its first tick on, with the player at a point of it, in pixels.
    PlayFrom([f64; 2]),
    /// Put a placed entity back where the level places it.
    MoveBack(EntityKey),
    /// Take an entity out: of the level where that has it, else of the running world.
    TakeOut(EntityKey),
    /// Forget what was measured of ticks.
    ClearProfile,
    /// Write live changes into the project that is kept.
    KeepLive(Vec<LiveChange>),
    /// Take live changes back.
    DropLive(Vec<LiveChange>),
    /// Send a message to an entity.
    Send {
        /// Id or selector.
        to: String,
        /// The message.
        message: Name,
    },
}

/// What can be done about problems.
#[derive(Clone, Debug)]
pub enum ProblemAction {
    /// Go to where it is.
    GoTo(Box<Finding>),
    /// Do not list this one for the rest of the session.
    Ignore(Box<Finding>),
    /// Tell everything that was ignored again.
    ShowIgnored,
    /// Apply one of its fixes.
    Fix(Box<Fix>),
    /// Apply the likeliest fix of every problem of a rule, as one step.
    FixAll(Name),
}

/// How a dialog was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DialogAnswer {
    /// Leave everything as it was.
    Cancel,
    /// Closing: write everything, then close.
    SaveAndClose,
    /// Closing: lose the changes.
    DiscardAndClose,
    /// A file changed on disk and here, or one of both is gone: one side wins wherever it was asked.
    TakeSide(DocPath, Side),
    /// A file changed on disk and here: which side wins in each place.
    TakeSides(DocPath, Vec<(Contest, Side)>),
    /// Decide about a file later.
    AskLater(DocPath),
    /// Carry out the refactoring that is asked for.
    Refactor,
    /// Make the tileset that the form describes.
    MakeTileset,
    /// Give the level its new size.
    Resize,
    /// Take up what was not saved when the program ended.
    Restore,
    /// Let go of it.
    DiscardRecovered,
}
