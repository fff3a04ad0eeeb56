//! Find and replace over levels: a tile of a tileset, a value of value layers, a stamp, placed entities of a
//! definition, or a field's value of placed entities.
//!
//! Invariant: what is counted is what the plan changes. Locked layers are counted apart and left alone.

mod cells;
mod misfits;
mod stamps;
mod tiles;
mod values;

use super::Plan;
use crate::{
    defs::Resolution,
    edit::{Edit, Refusal},
    model::{DocPath, EntitiesFile, FieldPath, Level, Location, Name, Project, counted},
};

pub use cells::ReplaceCells;
pub use misfits::Misfit;
pub use stamps::NewContent;
pub use tiles::NewTile;
pub use values::{NewValue, ReplaceValues};

/// What is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReplaceKind {
    /// Tiles of a tileset.
    #[default]
    Tiles,
    /// Cells of value layers.
    Cells,
    /// The tiles of a stamp, all of them as they are painted together.
    Stamps,
    /// Placed entities.
    Entities,
    /// A field's value of placed entities.
    Values,
}

impl ReplaceKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Tiles, Self::Cells, Self::Stamps, Self::Entities, Self::Values];

    /// What they are called.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Tiles => "Tiles",
            Self::Cells => "Cell values",
            Self::Stamps => "Stamps",
            Self::Entities => "Entities",
            Self::Values => "Values",
        }
    }

    /// So many of them: `12 tiles`.
    #[must_use]
    pub fn counted(self, n: usize) -> String {
        counted(
            n,
            match self {
                Self::Tiles => "tile",
                Self::Cells => "cell",
                Self::Stamps => "stamp",
                Self::Entities => "entity",
                Self::Values => "value",
            },
        )
    }
}

/// What is to be replaced, and with what. What is not chosen yet is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replace {
    /// What is looked for.
    pub kind: ReplaceKind,
    /// The tileset, on every layer that uses it.
    pub tileset: Option<Name>,
    /// The id of the tile that is looked for. It keeps its flips when it becomes another.
    pub tile: Option<u32>,
    /// What replaces it.
    pub with_tile: Option<NewTile>,
    /// The cells of value layers that are looked for.
    pub cells: ReplaceCells,
    /// The file of the stamp that is looked for.
    pub stamp: Option<DocPath>,
    /// What is painted where it is.
    pub with_stamp: Option<NewContent>,
    /// The definition of the entities that are looked for.
    pub def: Option<Name>,
    /// Their new definition. What they declare themselves stays.
    pub with_def: Option<Name>,
    /// The values that are looked for.
    pub values: ReplaceValues,
    /// The only level to look in; every level when there is none.
    pub within: Option<DocPath>,
}

/// How often a layer has what is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerCount {
    /// The level.
    pub doc: DocPath,
    /// The layer's name.
    pub layer: Name,
    /// How often; at least once.
    pub n: usize,
    /// Whether it is left alone.
    pub is_locked: bool,
    /// The first that was found, if it is an entity, else the layer.
    pub location: Location,
}

/// How often something was found, by level and layer, in the order of the levels' files and of their layers from the
/// back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// What was looked for.
    pub kind: ReplaceKind,
    /// The layers that have it.
    pub layers: Vec<LayerCount>,
}

impl Tally {
    /// The layers of each level.
    pub fn by_level(&self) -> impl Iterator<Item = &[LayerCount]> {
        self.layers.chunk_by(|a, b| a.doc == b.doc)
    }

    /// How many are replaced, and how many are not since their layer is locked.
    fn n_replaced_and_left(&self) -> (usize, usize) {
        self.layers.iter().fold(
            (0, 0),
            |(open, locked), it| {
                if it.is_locked { (open, locked + it.n) } else { (open + it.n, locked) }
            },
        )
    }

    /// What is replaced and what is left alone: `12 tiles in 2 levels; 3 tiles on locked layers are left alone`.
    #[must_use]
    pub fn summary(&self) -> String {
        let (n, n_left) = self.n_replaced_and_left();
        let n_levels = self.by_level().filter(|level| level.iter().any(|it| !it.is_locked)).count();
        let replaced = format!("{} in {}", self.kind.counted(n), counted(n_levels, "level"));
        match n_left {
            0 => replaced,
            1 => format!("{replaced}; {} on a locked layer is left alone", self.kind.counted(1)),
            n => format!("{replaced}; {} on locked layers are left alone", self.kind.counted(n)),
        }
    }
}

/// What a layer has of what is looked for, and the edits that replace it.
struct Hits {
    count: LayerCount,
    edits: Vec<Edit>,
}

impl Hits {
    /// So many on a layer, by its number, of which the first is at `first`.
    fn new(
        (doc, level): (&DocPath, &Level),
        at: usize,
        layer: &Name,
        first: FieldPath,
        n: usize,
        edits: Vec<Edit>,
    ) -> Self {
        let count = LayerCount {
            doc: doc.clone(),
            layer: layer.clone(),
            n,
            is_locked: level.lock_on(at).is_some(),
            location: Location::new(doc.clone(), first),
        };
        Self { count, edits }
    }
}

impl Replace {
    /// Look in another tileset. The tiles chosen before are none of it.
    pub fn choose_tileset(&mut self, tileset: Name) {
        if self.tileset.as_ref() != Some(&tileset) {
            (self.tile, self.with_tile) = (None, None);
            self.tileset = Some(tileset);
        }
    }

    /// How often the levels have what is looked for.
    ///
    /// # Errors
    /// Something is not chosen yet or cannot be put in.
    pub fn tally(&self, project: &Project, resolution: &Resolution) -> Result<Tally, Refusal> {
        let layers = self.hits(project, resolution)?.into_iter().map(|hits| hits.count).collect();
        Ok(Tally { kind: self.kind, layers })
    }

    /// What the new values, tiles or entities are like.
    #[must_use]
    pub fn reach(&self) -> &'static str {
        match self.kind {
            ReplaceKind::Tiles if self.with_tile == Some(NewTile::Nothing) => "The cells are empty then.",
            ReplaceKind::Tiles => "Flips stay.",
            ReplaceKind::Cells => "Names and colors of values stay.",
            ReplaceKind::Stamps if self.with_stamp == Some(NewContent::Nothing) => "Their cells are empty then.",
            ReplaceKind::Stamps => "A stamp of another size stands on the same ground, in the middle.",
            ReplaceKind::Entities => "What each declares itself stays.",
            ReplaceKind::Values if self.values.with == Some(NewValue::Inherited) => {
                "They follow their definitions again."
            }
            ReplaceKind::Values if self.values.is.trim().is_empty() => {
                "Any value is replaced. Placed entities will declare it themselves; definitions stay as they are."
            }
            ReplaceKind::Values => "Placed entities will declare it themselves; definitions stay as they are.",
        }
    }

    /// The levels that are looked in.
    fn levels<'p>(&self, project: &'p Project) -> impl Iterator<Item = (&'p DocPath, &'p Level)> {
        project.levels().filter(|(doc, _)| self.within.as_ref().is_none_or(|only| only == *doc))
    }

    /// What is found on each layer that has any of it.
    fn hits(&self, project: &Project, resolution: &Resolution) -> Result<Vec<Hits>, Refusal> {
        let levels: Vec<(&DocPath, &Level)> = self.levels(project).collect();
        match self.kind {
            ReplaceKind::Tiles => self.tile_hits(project, &levels),
            ReplaceKind::Cells => self.cells.hits(&levels),
            ReplaceKind::Stamps => self.stamp_hits(project, &levels),
            ReplaceKind::Entities => self.entity_hits(project, &levels),
            ReplaceKind::Values => self.values.hits(resolution, &levels),
        }
    }

    /// The definitions chosen: what is found and what it becomes.
    fn defs(&self, project: &Project) -> Result<(&Name, &Name), Refusal> {
        let Some(from) = &self.def else {
            return Err(Refusal::new("choose the definition of the entities to find"));
        };
        let Some(to) = &self.with_def else {
            return Err(Refusal::new("choose the definition to replace it with"));
        };
        let found = project.all::<EntitiesFile>().find_map(|(_, file)| file.defs.get(to));
        match found {
            _ if from == to => Err(Refusal::new("both are the same definition")),
            None => Err(Refusal::new(format!("there is no definition `{to}`"))),
            Some(found) if found.is_abstract => {
                Err(Refusal::new(format!("`{to}` is abstract: it is there to be inherited, not to be placed")))
            }
            Some(_) => Ok((from, to)),
        }
    }

    fn entity_hits(&self, project: &Project, levels: &[(&DocPath, &Level)]) -> Result<Vec<Hits>, Refusal> {
        let (from, to) = self.defs(project)?;
        let mut hits = Vec::new();
        for (doc, level) in levels {
            for (at, layer) in level.all_layers().into_iter().enumerate() {
                let placed = layer.entities().into_iter().flatten().filter(|(_, it)| it.def == *from);
                let ids: Vec<Name> = placed.map(|(id, _)| id.clone()).collect();
                let Some(first) = ids.first() else { continue };
                let (path, n) = (level.entity_at(at, first), ids.len());
                let edit = Edit::SetDef { doc: (*doc).clone(), layer: layer.name.clone(), ids, def: to.clone() };
                hits.push(Hits::new((doc, level), at, &layer.name, path, n, vec![edit]));
            }
        }
        Ok(hits)
    }

    /// What was looked for, in words: `tile stone of keep`.
    fn describe(&self, project: &Project) -> String {
        match self.kind {
            ReplaceKind::Tiles => self.describe_tile(project),
            ReplaceKind::Cells => self.cells.describe(),
            ReplaceKind::Stamps => format!("stamp {}", self.stamp.as_ref().map_or("", DocPath::stem)),
            ReplaceKind::Entities => format!("entity of {}", self.def.as_deref().unwrap_or_default()),
            ReplaceKind::Values => self.values.describe(),
        }
    }

    /// What the step is called.
    fn label(&self, project: &Project, n: usize) -> String {
        let n = self.kind.counted(n);
        let change = match self.kind {
            ReplaceKind::Tiles => self.label_of_tiles(project),
            ReplaceKind::Cells => self.cells.label(),
            ReplaceKind::Stamps => self.label_of_stamps(),
            ReplaceKind::Entities => {
                let [from, to] = [&self.def, &self.with_def].map(|name| name.as_deref().unwrap_or_default());
                format!("Replace {from} with {to}")
            }
            ReplaceKind::Values => self.values.label(),
        };
        format!("{change} ({n})")
    }
}

/// The plan that replaces.
pub(super) fn replace(project: &Project, resolution: &Resolution, it: &Replace) -> Result<Plan, Refusal> {
    let (locked, open): (Vec<Hits>, Vec<Hits>) =
        it.hits(project, resolution)?.into_iter().partition(|hits| hits.count.is_locked);
    let n = open.iter().map(|hits| hits.count.n).sum();
    let edits: Vec<Edit> = open.into_iter().flat_map(|hits| hits.edits).collect();
    if edits.is_empty() {
        let what = it.describe(project);
        return Err(Refusal::new(match (locked.first(), &it.within) {
            (Some(Hits { count, .. }), _) => {
                format!(
                    "every {what} is on a locked layer; unlock “{}” of {} to replace it",
                    count.layer,
                    count.doc.stem()
                )
            }
            (None, Some(doc)) => format!("there is no {what} in {}", doc.stem()),
            (None, None) => format!("there is no {what} in any level"),
        }));
    }
    Ok(Plan { label: it.label(project, n), edits })
}
