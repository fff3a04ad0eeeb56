//! The kinds of work that are done in threads of their own.

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    OpenProject,
    /// Reads more of a project that is shown already.
    ReadRegions,
    Derive,
    ReadImages,
    /// Opens the device that plays sounds, or decodes a sound.
    #[cfg(feature = "sound")]
    Sound,
    /// Makes pictures as the graphics card takes them.
    PrepareArt,
    Save,
    Reload,
    Export,
    /// The system's dialog for a folder or file.
    Dialog,
    Refactoring,
    Fix,
    /// Looks for comments that a fix takes along.
    Comments,
    DrawMachine,
    LayOutMachine,
    /// Looks for a path between two places of the level shown.
    Probe,
    /// Finds the ways of a walker between suggested waypoints.
    LinkWaypoints,
    /// Counts what a step has taken along.
    Count,
    /// Makes a map of the running level for an agent.
    AgentMap,
    /// Reads a picture that a tileset is to be made of.
    ReadPicture,
    /// Copies it into the project.
    AddPicture,
    /// Makes edits of whole layers.
    Make,
    /// Reads a picture for an image layer, and copies one from elsewhere.
    LayerImage,
}

impl Job {
    /// The name shown to the user and given to its thread.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::OpenProject => "open project",
            Self::ReadRegions => "regions",
            Self::Derive => "derive",
            Self::ReadImages => "images",
            #[cfg(feature = "sound")]
            Self::Sound => "sound",
            Self::PrepareArt => "prepare art",
            Self::Save => "save",
            Self::Reload => "reload",
            Self::Export => "export",
            Self::Dialog => "dialog",
            Self::Refactoring => "refactoring",
            Self::Fix => "fix",
            Self::Comments => "comments",
            Self::DrawMachine => "draw machine",
            Self::LayOutMachine => "lay out machine",
            Self::Probe => "path probe",
            Self::LinkWaypoints => "link waypoints",
            Self::Count => "count",
            Self::AgentMap => "agent map",
            Self::ReadPicture => "read picture",
            Self::AddPicture => "add picture",
            Self::Make => "edit layers",
            Self::LayerImage => "layer image",
        }
    }
}
