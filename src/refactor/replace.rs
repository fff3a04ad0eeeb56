//! Find and replace over levels: a tile of a tileset by another or by nothing, or placed entities of a definition by those of
//! another.
//!
//! Invariant: what is counted is what the plan changes. Locked layers are counted apart and left alone.

use super::Plan;
use crate::{
    edit::{Edit, Refusal, has_cell},
    model::{
        Cell, DocPath, EntitiesFile, FieldPath, Layer, LayerContent, Level, Location, Name, Project, Tile, TileLayer,
        counted,
    },
};

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplaceKind {
    /// Tiles of a tileset.
    Tiles,
    /// Placed entities.
    Entities,
}

impl ReplaceKind {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Tiles, Self::Entities];

    /// What they are called.
    #[must_use]
    pub fn noun(self) -> &'static str {
        match self {
            Self::Tiles => "Tiles",
            Self::Entities => "Entities",
        }
    }

    /// So many of them: `12 tiles`.
    #[must_use]
    pub fn counted(self, n: usize) -> String {
        counted(n, if self == Self::Tiles { "tile" } else { "entity" })
    }
}

/// What stands in the place of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewTile {
    /// Another tile of the tileset, by its id.
    Tile(u32),
    /// No tile.
    Nothing,
}

/// What is to be replaced, and with what. What is not chosen yet is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replace {
    /// Whether tiles or entities are.
    pub kind: ReplaceKind,
    /// The tileset, on every layer that uses it.
    pub tileset: Option<Name>,
    /// The id of the tile that is looked for. It keeps its flips when it becomes another.
    pub tile: Option<u32>,
    /// What stands in its place.
    pub with_tile: Option<NewTile>,
    /// The definition of the entities that are looked for.
    pub def: Option<Name>,
    /// Their new definition. What they declare themselves stays.
    pub with_def: Option<Name>,
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

/// How often something was found, by level and layer, in the order of the levels' files and of their layers from the back.
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

/// What is chosen, with nothing left open.
#[derive(Clone, Copy)]
enum Chosen<'a> {
    Tile { tileset: &'a Name, from: u32, to: NewTile },
    Def { from: &'a Name, to: &'a Name },
}

/// What a layer has of what is looked for.
enum Hits {
    Cells(Vec<(Cell, Tile)>),
    Ids(Vec<Name>),
}

impl Hits {
    fn len(&self) -> usize {
        match self {
            Self::Cells(cells) => cells.len(),
            Self::Ids(ids) => ids.len(),
        }
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
    pub fn tally(&self, project: &Project) -> Result<Tally, Refusal> {
        let chosen = self.chosen(project)?;
        let layers = self.hits(project, chosen).map(|(doc, level, at, hits)| count((doc, level, at), &hits)).collect();
        Ok(Tally { kind: self.kind, layers })
    }

    /// What is chosen.
    fn chosen(&self, project: &Project) -> Result<Chosen<'_>, Refusal> {
        match self.kind {
            ReplaceKind::Tiles => {
                let found = self.tileset.as_ref().and_then(|name| Some((name, project.tileset_named(name)?)));
                let Some((tileset, set)) = found else {
                    return Err(Refusal::new("choose the tileset whose tiles are replaced"));
                };
                let from = self.tile.ok_or_else(|| Refusal::new("choose the tile to find"))?;
                let Some(to) = self.with_tile else {
                    return Err(Refusal::new("choose the tile to replace it with, or nothing"));
                };
                match to {
                    NewTile::Tile(to) if to == from => Err(Refusal::new("both are the same tile")),
                    NewTile::Tile(to) if !set.tiles.contains_key(&to) => {
                        Err(Refusal::new(format!("tileset `{tileset}` has no tile {to}")))
                    }
                    _ => Ok(Chosen::Tile { tileset, from, to }),
                }
            }
            ReplaceKind::Entities => {
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
                    Some(_) => Ok(Chosen::Def { from, to }),
                }
            }
        }
    }

    /// What is found on each layer that has any of it: the level, the layer's number and what is there.
    fn hits<'a>(
        &'a self,
        project: &'a Project,
        chosen: Chosen<'a>,
    ) -> impl Iterator<Item = (&'a DocPath, &'a Level, usize, Hits)> {
        let levels = project.levels().filter(|(doc, _)| self.within.as_ref().is_none_or(|only| only == *doc));
        levels.flat_map(move |(doc, level)| {
            let on = move |(at, layer): (usize, &std::sync::Arc<Layer>)| {
                let hits = hits_on(level, layer, chosen).filter(|hits| hits.len() > 0)?;
                Some((doc, level, at, hits))
            };
            level.all_layers().into_iter().enumerate().filter_map(on)
        })
    }

    /// What was looked for, in words: `tile stone`.
    fn describe(&self, project: &Project, chosen: Chosen<'_>) -> String {
        match chosen {
            Chosen::Tile { tileset, from, .. } => {
                let name = tile_called(project, tileset, from);
                format!("tile {} of {tileset}", name.trim_start_matches("tile "))
            }
            Chosen::Def { from, .. } => format!("entity of {from}"),
        }
    }

    /// What the step is called.
    fn label(&self, project: &Project, chosen: Chosen<'_>, n: usize) -> String {
        let n = self.kind.counted(n);
        let tile = |tileset, id| tile_called(project, tileset, id);
        match chosen {
            Chosen::Tile { tileset, from, to: NewTile::Nothing } => format!("Erase {} ({n})", tile(tileset, from)),
            Chosen::Tile { tileset, from, to: NewTile::Tile(to) } => {
                format!("Replace {} with {} ({n})", tile(tileset, from), tile(tileset, to))
            }
            Chosen::Def { from, to } => format!("Replace {from} with {to} ({n})"),
        }
    }
}

/// What a tile is called, which the tileset may not have.
fn tile_called(project: &Project, tileset: &str, id: u32) -> String {
    let tile = project.tileset_named(tileset).and_then(|set| set.tiles.get(&id));
    tile.map_or_else(|| format!("tile {id}"), |tile| tile.called(id))
}

fn hits_on(level: &Level, layer: &Layer, chosen: Chosen<'_>) -> Option<Hits> {
    match (&layer.content, chosen) {
        (LayerContent::Tiles(tiles), Chosen::Tile { tileset, from, to }) if tiles.tileset == *tileset => {
            Some(Hits::Cells(cells(level, tiles, from, to)))
        }
        (LayerContent::Entities(entities), Chosen::Def { from, .. }) => {
            let found = entities.iter().filter(|(_, it)| it.def == *from);
            Some(Hits::Ids(found.map(|(id, _)| id.clone()).collect()))
        }
        _ => None,
    }
}

/// The cells with a tile, and what is there afterwards.
fn cells(level: &Level, layer: &TileLayer, from: u32, to: NewTile) -> Vec<(Cell, Tile)> {
    let is_it = |tile: Tile| tile.id() == Some(from);
    let found = layer.tiles.iter().filter(|(_, tile)| is_it(*tile));
    match to {
        NewTile::Nothing => found.map(|(cell, _)| (cell, Tile::EMPTY)).collect(),
        // Beyond the level's sides, where only a file written by hand has any, tiles can be erased and no others put.
        NewTile::Tile(to) => {
            found.filter(|(cell, _)| has_cell(level.size, *cell)).map(|(cell, tile)| (cell, tile.with_id(to))).collect()
        }
    }
}

fn count((doc, level, at): (&DocPath, &Level, usize), hits: &Hits) -> LayerCount {
    let path: FieldPath = match hits {
        Hits::Ids(ids) if let Some(id) = ids.first() => level.entity_at(at, id),
        _ => level.layer_at(at),
    };
    let layer = level.nth_layer(at);
    LayerCount {
        doc: doc.clone(),
        layer: layer.map_or_else(|| "".into(), |layer| layer.name.clone()),
        n: hits.len(),
        is_locked: level.lock_on(at).is_some(),
        location: Location::new(doc.clone(), path),
    }
}

/// The plan that replaces.
pub(super) fn replace(project: &Project, it: &Replace) -> Result<Plan, Refusal> {
    let chosen = it.chosen(project)?;
    let mut edits = Vec::new();
    let mut n = 0;
    let mut locked = None;
    for (doc, level, at, hits) in it.hits(project, chosen) {
        let Some(layer) = level.nth_layer(at) else { continue };
        if level.lock_on(at).is_some() {
            locked.get_or_insert((doc, &layer.name));
            continue;
        }
        n += hits.len();
        let (doc, layer) = (doc.clone(), layer.name.clone());
        edits.push(match (hits, chosen) {
            (Hits::Cells(cells), _) => Edit::PaintTiles { doc, layer, cells },
            (Hits::Ids(ids), Chosen::Def { to, .. }) => Edit::SetDef { doc, layer, ids, def: to.clone() },
            (Hits::Ids(_), Chosen::Tile { .. }) => continue,
        });
    }
    if edits.is_empty() {
        let what = it.describe(project, chosen);
        return Err(Refusal::new(match (locked, &it.within) {
            (Some((doc, layer)), _) => {
                format!("every {what} is on a locked layer; unlock “{layer}” of {} to replace it", doc.stem())
            }
            (None, Some(doc)) => format!("there is no {what} in {}", doc.stem()),
            (None, None) => format!("there is no {what} in any level"),
        }));
    }
    Ok(Plan { label: it.label(project, chosen, n), edits })
}
