//! A project: its documents by path. Cloning one copies pointers; two projects share every document they agree on, and
//! a document's identity is its `Arc`.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{
    DocKind, DocPath, EntitiesFile, EntityDef, FieldType, Level, Machine, MachinesFile, Name, Region, Scenario, Schema,
    StampFile, Tileset, TuningOverlay, TuningPage,
    reflect::{Reflect, describe},
};

describe! {
    /// Seen from the side, with gravity, or from above.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum LevelView: words "view" {
        /// From the side: gravity, walking and jumping.
        #[default]
        Platformer,
        /// From above: no gravity, eight-way walking.
        TopDown,
    }
}

describe! {
    /// `project.ron`
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct ProjectFile: "a project" {
        /// Version of the file format; 1.
        pub format: u32,
        /// Shown in the title.
        pub name: String,
        /// The level opened first.
        pub start_level: Name = "".into() => names(&FieldType::Level),
        /// The view of levels that declare none.
        pub view: LevelView = LevelView::Platformer,
    }
}

/// One file of a project.
#[expect(clippy::large_enum_variant, reason = "a document is always behind an Arc")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Document {
    /// `project.ron`
    Project(ProjectFile),
    /// `levels/*.ron`
    Level(Level),
    /// `levels/*.regions/*.ron`. Files have it; a project has the whole level.
    Region(Region),
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
    /// `stamps/*.ron`
    Stamp(StampFile),
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
            Self::Region(_) => DocKind::Region,
            Self::Entities(_) => DocKind::Entities,
            Self::Machines(_) => DocKind::Machines,
            Self::Tileset(_) => DocKind::Tileset,
            Self::Tuning(_) => DocKind::Tuning,
            Self::Scenario(_) => DocKind::Scenario,
            Self::Stamp(_) => DocKind::Stamp,
            Self::Schema(_) => DocKind::Schema,
        }
    }

    /// A document of a kind to read into.
    #[must_use]
    pub fn blank(kind: DocKind) -> Self {
        match kind {
            DocKind::Project => Self::Project(Reflect::blank()),
            DocKind::Level => Self::Level(Reflect::blank()),
            DocKind::Region => Self::Region(Reflect::blank()),
            DocKind::Entities => Self::Entities(EntitiesFile::default()),
            DocKind::Machines => Self::Machines(MachinesFile::default()),
            DocKind::Tileset => Self::Tileset(Reflect::blank()),
            DocKind::Tuning => Self::Tuning(Reflect::blank()),
            DocKind::Scenario => Self::Scenario(Reflect::blank()),
            DocKind::Stamp => Self::Stamp(Reflect::blank()),
            DocKind::Schema => Self::Schema(Reflect::blank()),
        }
    }

    /// The value at the root of its file.
    #[must_use]
    pub fn root(&self) -> &dyn Reflect {
        match self {
            Self::Project(file) => file,
            Self::Level(level) => level,
            Self::Region(region) => region,
            Self::Entities(file) => &file.defs,
            Self::Machines(file) => &file.machines,
            Self::Tileset(tileset) => tileset,
            Self::Tuning(page) => page,
            Self::Scenario(scenario) => scenario,
            Self::Stamp(stamp) => stamp,
            Self::Schema(schema) => schema,
        }
    }

    /// The same, to change.
    pub fn root_mut(&mut self) -> &mut dyn Reflect {
        match self {
            Self::Project(file) => file,
            Self::Level(level) => level,
            Self::Region(region) => region,
            Self::Entities(file) => &mut file.defs,
            Self::Machines(file) => &mut file.machines,
            Self::Tileset(tileset) => tileset,
            Self::Tuning(page) => page,
            Self::Scenario(scenario) => scenario,
            Self::Stamp(stamp) => stamp,
            Self::Schema(schema) => schema,
        }
    }
}

/// What a document of one kind holds, for code that is the same for every kind.
pub trait Content: Sized + 'static {
    /// The kind.
    const KIND: DocKind;
    /// What `document` holds, if it is of this kind.
    fn of(document: &Document) -> Option<&Self>;
    /// The same, to change.
    fn of_mut(document: &mut Document) -> Option<&mut Self>;
}

macro_rules! contents {
    ($($kind:ident: $content:ty),+ $(,)?) => {$(
        impl Content for $content {
            const KIND: DocKind = DocKind::$kind;

            fn of(document: &Document) -> Option<&Self> {
                if let Document::$kind(content) = document { Some(content) } else { None }
            }

            fn of_mut(document: &mut Document) -> Option<&mut Self> {
                if let Document::$kind(content) = document { Some(content) } else { None }
            }
        }
    )+};
}

contents! {
    Project: ProjectFile,
    Level: Level,
    Region: Region,
    Entities: EntitiesFile,
    Machines: MachinesFile,
    Tileset: Tileset,
    Tuning: TuningPage,
    Scenario: Scenario,
    Stamp: StampFile,
    Schema: Schema,
}

/// Everything that is edited.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Project {
    /// The documents by path.
    pub documents: BTreeMap<DocPath, Arc<Document>>,
    /// Values of constants that are tried out over those of the tuning pages. No file holds them.
    #[serde(default)]
    pub tuning_overlay: Arc<TuningOverlay>,
}

impl FromIterator<(DocPath, Arc<Document>)> for Project {
    /// A project of these documents, with nothing tried out.
    fn from_iter<I: IntoIterator<Item = (DocPath, Arc<Document>)>>(documents: I) -> Self {
        Self { documents: documents.into_iter().collect(), tuning_overlay: Arc::default() }
    }
}

impl Project {
    /// A document by path.
    #[must_use]
    pub fn doc(&self, path: &DocPath) -> Option<&Arc<Document>> {
        self.documents.get(path)
    }

    /// Whether both have the same documents, by identity.
    #[must_use]
    pub fn has_same_documents(&self, other: &Self) -> bool {
        let mut pairs = self.documents.iter().zip(&other.documents);
        self.documents.len() == other.documents.len() && pairs.all(|((a, x), (b, y))| a == b && Arc::ptr_eq(x, y))
    }

    /// Whether both have the very same document at a path, or both none.
    #[must_use]
    pub fn has_same_document(&self, other: &Self, path: &DocPath) -> bool {
        self.doc(path).map(Arc::as_ptr) == other.doc(path).map(Arc::as_ptr)
    }

    /// `project.ron`, if it was readable.
    #[must_use]
    pub fn file(&self) -> Option<&ProjectFile> {
        self.documents.values().find_map(|doc| ProjectFile::of(doc))
    }

    /// The tileset of a name.
    #[must_use]
    pub fn tileset_named(&self, name: &str) -> Option<&Tileset> {
        self.all::<Tileset>().find(|(doc, _)| doc.stem() == name).map(|(_, tileset)| tileset)
    }

    /// What the document at a path holds, if it is of that kind.
    #[must_use]
    pub fn get<C: Content>(&self, path: &DocPath) -> Option<&C> {
        C::of(self.doc(path)?)
    }

    /// Every document of a kind, by path.
    pub fn all<C: Content>(&self) -> impl Iterator<Item = (&DocPath, &C)> {
        self.documents.iter().filter_map(|(path, doc)| Some((path, C::of(doc)?)))
    }

    /// The level at a path.
    #[must_use]
    pub fn level(&self, path: &DocPath) -> Option<&Level> {
        self.get(path)
    }

    /// The definitions at a path.
    #[must_use]
    pub fn entities(&self, path: &DocPath) -> Option<&EntitiesFile> {
        self.get(path)
    }

    /// A definition of a file.
    #[must_use]
    pub fn def(&self, path: &DocPath, name: &str) -> Option<&Arc<EntityDef>> {
        self.entities(path)?.defs.get(name)
    }

    /// A machine of a file.
    #[must_use]
    pub fn machine(&self, path: &DocPath, name: &str) -> Option<&Arc<Machine>> {
        self.get::<MachinesFile>(path)?.machines.get(name)
    }

    /// The tileset at a path.
    #[must_use]
    pub fn tileset(&self, path: &DocPath) -> Option<&Tileset> {
        self.get(path)
    }

    /// The tuning page at a path.
    #[must_use]
    pub fn tuning(&self, path: &DocPath) -> Option<&TuningPage> {
        self.get(path)
    }

    /// Every level with its path; a level's name is its path's stem.
    pub fn levels(&self) -> impl Iterator<Item = (&DocPath, &Level)> {
        self.all()
    }

    /// The view of a level: its own, else the project's.
    #[must_use]
    pub fn view_of(&self, level: &Level) -> LevelView {
        level.view.or_else(|| self.file().map(|file| file.view)).unwrap_or_default()
    }
}
