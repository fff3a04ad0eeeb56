//! A project: its documents by path. Cloning one copies pointers; two projects share every document they agree on, and
//! a document's identity is its `Arc`.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    DocKind, DocPath, EntitiesFile, EntityDef, Level, Machine, MachinesFile, Name, Scenario, Schema, Tileset,
    TuningPage,
};

/// Seen from the side, with gravity, or from above.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum View {
    /// From the side: gravity, walking and jumping.
    #[default]
    Platformer,
    /// From above: no gravity, eight-way walking.
    TopDown,
}

/// `project.ron`
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProjectFile {
    /// Version of the file format; 1.
    pub format: u32,
    /// Shown in the title.
    pub name: String,
    /// The level opened first.
    pub start_level: Name,
    /// How levels that say nothing are seen.
    pub view: View,
}

/// One file of a project.
#[expect(clippy::large_enum_variant, reason = "a document is always behind an Arc")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Document {
    /// `project.ron`
    Project(ProjectFile),
    /// `levels/*.ron`
    Level(Level),
    /// `entities/*.ron`
    Entities(EntitiesFile),
    /// `machines/*.ron`
    Machines(MachinesFile),
    /// `tilesets/*.ron`
    Tileset(Tileset),
    /// `tuning/*.ron`
    Tuning(TuningPage),
    /// `scenarios/*.ron`
    Scenario(Scenario),
    /// `schemas/*.ron`
    Schema(Schema),
}

impl Document {
    /// Which kind this is.
    #[must_use]
    pub fn kind(&self) -> DocKind {
        match self {
            Self::Project(_) => DocKind::Project,
            Self::Level(_) => DocKind::Level,
            Self::Entities(_) => DocKind::Entities,
            Self::Machines(_) => DocKind::Machines,
            Self::Tileset(_) => DocKind::Tileset,
            Self::Tuning(_) => DocKind::Tuning,
            Self::Scenario(_) => DocKind::Scenario,
            Self::Schema(_) => DocKind::Schema,
        }
    }
}

/// Everything that is edited.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Project {
    /// The documents by path.
    pub documents: BTreeMap<DocPath, Arc<Document>>,
}

impl Project {
    /// A document by path.
    #[must_use]
    pub fn doc(&self, path: &DocPath) -> Option<&Arc<Document>> {
        self.documents.get(path)
    }

    /// `project.ron`, if it was readable.
    #[must_use]
    pub fn file(&self) -> Option<&ProjectFile> {
        self.documents.values().find_map(|doc| if let Document::Project(file) = &**doc { Some(file) } else { None })
    }

    /// The level at a path.
    #[must_use]
    pub fn level(&self, path: &DocPath) -> Option<&Level> {
        if let Document::Level(level) = &**self.doc(path)? { Some(level) } else { None }
    }

    /// The definitions at a path.
    #[must_use]
    pub fn entities(&self, path: &DocPath) -> Option<&EntitiesFile> {
        if let Document::Entities(file) = &**self.doc(path)? { Some(file) } else { None }
    }

    /// A definition of a file.
    #[must_use]
    pub fn def(&self, path: &DocPath, name: &str) -> Option<&Arc<EntityDef>> {
        self.entities(path)?.defs.get(name)
    }

    /// A machine of a file.
    #[must_use]
    pub fn machine(&self, path: &DocPath, name: &str) -> Option<&Arc<Machine>> {
        if let Document::Machines(file) = &**self.doc(path)? { file.machines.get(name) } else { None }
    }

    /// The tileset at a path.
    #[must_use]
    pub fn tileset(&self, path: &DocPath) -> Option<&Tileset> {
        if let Document::Tileset(tileset) = &**self.doc(path)? { Some(tileset) } else { None }
    }

    /// The tuning page at a path.
    #[must_use]
    pub fn tuning(&self, path: &DocPath) -> Option<&TuningPage> {
        if let Document::Tuning(page) = &**self.doc(path)? { Some(page) } else { None }
    }

    /// Every level with its path; a level's name is its path's stem.
    pub fn levels(&self) -> impl Iterator<Item = (&DocPath, &Level)> {
        self.documents.iter().filter_map(|(path, doc)| match &**doc {
            Document::Level(level) => Some((path, level)),
            _ => None,
        })
    }

    /// How a level is seen: as it says, else as the project says.
    #[must_use]
    pub fn view_of(&self, level: &Level) -> View {
        level.view.or_else(|| self.file().map(|file| file.view)).unwrap_or_default()
    }
}
