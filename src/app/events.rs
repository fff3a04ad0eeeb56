//! Events from outside the frame: finished jobs.

use std::{path::PathBuf, sync::Arc};

use super::{drawing::Drawn, job::Job, making::Planning, suggesting::LinksFound};
use crate::{
    edit::{Edit, Refusal, StepId},
    editor::{
        AgentMapDone, BrowseFor, Derived, DraftResult, MadeArt, ProbeDone, ReadImages, ReadProject, ReadSounds,
        SheetPicture, TilesetPlan,
    },
    io,
    model::{Difference, DocPath, Machine, Name},
    raster::Image,
};

/// Something finished.
#[allow(clippy::large_enum_variant, reason = "a project is opened now and then")]
pub(super) enum Event {
    /// A project was read.
    Opened {
        /// Its folder.
        root: PathBuf,
        /// Its documents.
        loaded: io::Loaded,
        /// Its images.
        images: ReadImages,
        /// Its sounds.
        sounds: ReadSounds,
        /// Unsaved changes of programs that ended.
        found: Vec<io::journal::Found>,
        /// Changes of several files that a process left half done.
        interrupted: Vec<io::journal::Interrupted>,
    },
    /// Regions of large levels of a project that is being opened were read.
    RegionsRead(Box<(io::Loaded, ReadProject)>),
    /// A derivation ended.
    Derived(Box<Derived>),
    /// A sound was decoded, or the device opened that plays it.
    #[cfg(feature = "sound")]
    Sound(super::sounds::Made),
    /// Images and sounds were read again.
    Images(ReadImages, ReadSounds),
    /// Pictures were made as the graphics card takes them.
    ArtPrepared(MadeArt),
    /// Documents were written, or their files removed, or not.
    Wrote {
        /// Each of them.
        wrote: Vec<io::Wrote>,
        /// Why no record was kept of a change of several of them.
        unrecorded: Option<io::Unrecorded>,
    },
    /// The system's dialog was answered.
    Browsed {
        /// What for.
        what: BrowseFor,
        /// The folder or file; `None` when there is no dialog service or nothing was chosen.
        folder: Option<String>,
    },
    /// The links of suggested waypoints were found.
    LinksFound(LinksFound),
    /// What a step has taken along was counted: a notice about it, if it is worth one.
    Counted(Option<String>),
    /// Files that other programs changed were read.
    Scanned(io::Scanned),
    /// A job came to no end.
    Crashed {
        /// Which.
        job: Job,
    },
    /// A refactoring was looked through.
    RefactoringPlanned {
        /// Of the project it was looked through with.
        revision: u64,
        /// What came of it.
        outcome: Box<DraftResult>,
    },
    /// The effect of fixing problems was computed.
    Fixed {
        /// What the step is called.
        label: String,
        /// What it does, in order.
        edits: Vec<Edit>,
    },
    /// A fix was looked through for comments that its lines take with them.
    CommentsLost {
        /// The step that the fix is.
        step: StepId,
        /// The comments and where they are.
        lost: Vec<Difference>,
    },
    /// Edits of whole layers were made, or refused.
    Made {
        /// How they were planned.
        plan: Planning,
        /// Edits that put what they change in place.
        result: Result<Vec<Edit>, Refusal>,
    },
    /// A path was looked for.
    Probed(Box<ProbeDone>),
    /// A map of the running level was made.
    Mapped(Box<AgentMapDone>),
    /// A machine was laid out to be shown.
    Drawn(Drawn),
    /// New places for a machine's states were found.
    LaidOut {
        /// The file and name.
        of: (DocPath, Name),
        /// The machine they are for.
        machine: Arc<Machine>,
        /// What the step is called.
        label: String,
        /// Where states stand.
        places: Vec<(Name, [f64; 2])>,
    },
    /// A picture that a tileset is to be made of was read, or why not.
    PictureRead {
        /// As its path was typed.
        of: String,
        /// What was found.
        result: Result<SheetPicture, String>,
    },
    /// The picture of a new tileset was copied into the project, or why not.
    PictureAdded {
        /// What is made with it.
        plan: Box<TilesetPlan>,
        /// Why it was not copied.
        result: Result<(), String>,
    },
    /// A picture for an image layer is in the project: its place, itself, and whether it was copied there; or why not.
    LayerImage(Result<(DocPath, Arc<Image>, bool), String>),
    /// An export was written, or not.
    Exported(Result<String, String>),
}
