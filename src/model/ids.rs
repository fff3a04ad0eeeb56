//! Names and ids. A document is identified by its path in the project; everything inside it by name or by a short
//! random id. Nothing here is an index into something else, so an id never changes meaning when its neighbors move.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

use super::Cell;

/// The name of a definition, machine, component, field, state, message, layer or placed thing. Cheap to clone.
pub type Name = Arc<str>;

/// Where a document is, relative to the project's root, with `/`; it is also the document's identity.
///
/// Invariant: never absolute and never climbs out of the project; [`DocPath::new`] is the only way in.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct DocPath(Arc<str>);

impl DocPath {
    /// A path inside the project, or `None` when it is empty, absolute, or has a `.`, `..` or empty part.
    #[must_use]
    pub fn new(path: &str) -> Option<Self> {
        let fine = !path.is_empty()
            && !path.contains(['\\', '\0', ':'])
            && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
        fine.then(|| Self(path.into()))
    }

    /// The file for a thing called `name` in the folder of a kind: `tuning/camera.ron`. Letters that make trouble in
    /// file names become `_`; for [`DocKind::Project`] it is `project.ron`, whatever the name.
    #[must_use]
    pub fn in_folder(kind: DocKind, name: &str) -> Self {
        if kind == DocKind::Project {
            return Self("project.ron".into());
        }
        let plain = |c: char| if c.is_alphanumeric() || c == '-' { c } else { '_' };
        let stem: String = name.to_lowercase().chars().map(plain).collect();
        let stem = if stem.is_empty() { "unnamed" } else { &stem };
        Self(format!("{}/{stem}.ron", kind.folder()).into())
    }

    /// The whole path, as in `levels/courtyard.ron`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The file name without its extension: the name of a level, tileset or scenario.
    #[must_use]
    pub fn stem(&self) -> &str {
        let file = self.0.rsplit('/').next().unwrap_or_default();
        file.rsplit_once('.').map_or(file, |(stem, _)| stem)
    }

    /// The folder, without a trailing `/`; empty for a file at the root.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The file that `relative` means when written in this document: `keep.png` or `../art/keep.png`. `None` when it is
    /// absolute, empty or leaves the project.
    #[must_use]
    pub fn beside(&self, relative: &str) -> Option<Self> {
        let mut parts: Vec<&str> = self.folder().split('/').filter(|part| !part.is_empty()).collect();
        if relative.starts_with('/') {
            return None;
        }
        for part in relative.split('/') {
            match part {
                ".." => _ = parts.pop()?,
                "." => {}
                part => parts.push(part),
            }
        }
        Self::new(&parts.join("/"))
    }

    /// Whether it is that of a sound: WAV or OGG.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let ending = self.0.rsplit_once('.').map_or("", |(_, ending)| ending);
        ["wav", "ogg"].iter().any(|sound| ending.eq_ignore_ascii_case(sound))
    }

    /// What kind of document belongs at this place, if any.
    #[must_use]
    pub fn kind(&self) -> Option<DocKind> {
        let inside = self.0.strip_suffix(".ron")?;
        if inside == "project" {
            return Some(DocKind::Project);
        }
        let (top, below) = inside.split_once('/')?;
        if top == DocKind::Region.folder()
            && below
                .rsplit_once('/')
                .is_some_and(|(folder, name)| folder.ends_with(REGIONS) && folder != REGIONS && cell_in(name).is_some())
        {
            return Some(DocKind::Region);
        }
        DocKind::ALL.into_iter().find(|kind| kind.folder() == top)
    }
}

/// How the name of the folder ends that holds the regions of a level.
const REGIONS: &str = ".regions";

/// The numbers in the name of a region's file: `3_-1`.
fn cell_in(name: &str) -> Option<Cell> {
    let (x, y) = name.split_once('_')?;
    let number = |text: &str| text.parse::<i32>().ok().filter(|it| it.to_string() == text);
    Some([number(x)?, number(y)?])
}

/// Levels whose tiles are in files of their own.
impl DocPath {
    /// The folder for the regions of the level at this path.
    #[must_use]
    pub fn regions(&self) -> Option<Self> {
        Self::new(&format!("{}{REGIONS}", self.0.strip_suffix(".ron")?))
    }

    /// The file of a region of the level at this path.
    #[must_use]
    pub fn region(&self, [x, y]: Cell) -> Option<Self> {
        Self::new(&format!("{}/{x}_{y}.ron", self.regions()?))
    }

    /// The level that the file at this path is a region of, and which one.
    #[must_use]
    pub fn region_of(&self) -> Option<(Self, Cell)> {
        let (folder, name) = self.0.strip_suffix(".ron")?.rsplit_once('/')?;
        let level = folder.strip_suffix(REGIONS)?;
        Some((Self::new(&format!("{level}.ron"))?, cell_in(name)?))
    }

    /// The document that this file is a part of: of a region its level, else itself.
    #[must_use]
    pub fn owner(&self) -> Self {
        self.region_of().map_or_else(|| self.clone(), |(level, _)| level)
    }
}

impl fmt::Display for DocPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for DocPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl TryFrom<String> for DocPath {
    type Error = String;
    fn try_from(path: String) -> Result<Self, String> {
        Self::new(&path).ok_or_else(|| format!("`{path}` is not a path inside the project"))
    }
}

impl From<DocPath> for String {
    fn from(path: DocPath) -> Self {
        path.0.to_string()
    }
}

/// The kinds of document a project is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DocKind {
    /// `project.ron`, exactly one.
    Project,
    /// A level of layers.
    Level,
    /// A square of a large level's tiles, in a file of its own.
    Region,
    /// Entity definitions.
    Entities,
    /// State machines.
    Machines,
    /// Tiles of one image.
    Tileset,
    /// One page of constants.
    Tuning,
    /// A scripted run with expectations.
    Scenario,
    /// Tiles to paint together.
    Stamp,
    /// The game's own components, enums, messages, conditions and actions.
    Schema,
}

impl DocKind {
    /// Every kind, in the order the Project pane shows them.
    pub const ALL: [Self; 10] = [
        Self::Project,
        Self::Level,
        Self::Region,
        Self::Entities,
        Self::Machines,
        Self::Tileset,
        Self::Tuning,
        Self::Scenario,
        Self::Stamp,
        Self::Schema,
    ];

    /// The folder at the project's root that holds documents of this kind; empty for `project.ron`.
    #[must_use]
    pub fn folder(self) -> &'static str {
        match self {
            Self::Project => "",
            Self::Level | Self::Region => "levels",
            Self::Entities => "entities",
            Self::Machines => "machines",
            Self::Tileset => "tilesets",
            Self::Tuning => "tuning",
            Self::Scenario => "scenarios",
            Self::Stamp => "stamps",
            Self::Schema => "schemas",
        }
    }
}

/// A new id for a placed thing: six lowercase letters and digits made from `seed`, unlike any in `taken`.
///
/// Short and random rather than counted, so that two branches that both add things merge.
#[must_use]
pub fn fresh_id(mut seed: u64, taken: impl Fn(&str) -> bool) -> Name {
    const LETTERS: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";
    loop {
        let mut bits = mix(seed);
        let mut id = String::with_capacity(6);
        // The first is a letter, so that an id never reads as a number.
        id.push(char::from(LETTERS[usize::try_from(bits % 26).unwrap_or(0)]));
        for _ in 0..5 {
            bits = mix(bits);
            id.push(char::from(LETTERS[usize::try_from(bits % 36).unwrap_or(0)]));
        }
        if !taken(&id) {
            return id.into();
        }
        seed = seed.wrapping_add(1);
    }
}

/// A well-mixed hash of `x`; equal inputs give equal outputs on every machine.
///
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (`SplitMix64`).
#[must_use]
pub fn mix(x: u64) -> u64 {
    let mut z = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
