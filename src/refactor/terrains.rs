//! Tiles of a tileset given to its terrains: many at once by their arrangement in the picture, or side by side.
//!
//! Invariant: what other terrains of the set have on other sides stays, and a tile that is so already is not edited.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;

use super::Plan;
use crate::{
    edit::{Edit, Refusal},
    model::{DocPath, FieldPath, NO_TERRAIN, TerrainMode, TerrainSet, Tileset, counted, reflect::Data},
};

/// What the eight sides of a tile are called, clockwise from the top.
pub const SIDE_TITLES: [&str; 8] = [
    "top",
    "top right corner",
    "right",
    "bottom right corner",
    "bottom",
    "bottom left corner",
    "left",
    "top left corner",
];

/// How a set shows a terrain on some tiles.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TerrainSummary {
    /// How many of the tiles are in the set.
    pub n: usize,
    /// For each side, clockwise from the top, whether the terrain is there; `None` where tiles differ.
    pub sides: [Option<bool>; 8],
}

impl TerrainSummary {
    /// Of some tiles in a set.
    #[must_use]
    pub fn of(set: &TerrainSet, label: &str, ids: &[u32]) -> Self {
        let all: Vec<Option<[&str; 8]>> = ids.iter().map(|id| set.sides_of(*id)).collect();
        let has = |sides: &Option<[&str; 8]>, i: usize| sides.is_some_and(|sides| sides[i] == label);
        let common = |i: usize| {
            let first = has(all.first()?, i);
            all.iter().all(|sides| has(sides, i) == first).then_some(first)
        };
        Self { n: all.iter().flatten().count(), sides: std::array::from_fn(common) }
    }
}

/// A change of a terrain set by tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerrainChange {
    /// The tiles are a block in the picture: the terrain is on the sides where the block goes on. Of four columns (or
    /// rows) the last is for strips that are one tile wide (or high).
    Block,
    /// The terrain is on every side.
    AllSides,
    /// Whether the terrain is on a side, counted clockwise from the top.
    Side(usize, bool),
    /// The tiles are not in the set.
    Remove,
    /// What has to match. Sides that did not have to match before follow from those beside them.
    Mode(TerrainMode),
}

fn written(mode: TerrainMode, sides: &[String; 8]) -> String {
    mode.sides().iter().map(|side| sides[*side].as_str()).collect::<Vec<_>>().join(",")
}

fn owned(sides: [&str; 8]) -> [String; 8] {
    sides.map(str::to_owned)
}

/// Where along a block that has `n` tiles the terrain goes on from the `i`th: before it, and after it.
fn goes_on(i: usize, n: usize) -> [bool; 2] {
    match (i, n) {
        (3, 4) => [false, false],
        (2, 4) => [true, false],
        _ => [i > 0, i + 1 < n],
    }
}

/// The sides that have a terrain, for each tile of a block in the picture.
fn block(tileset: &Tileset, ids: &[u32]) -> BTreeMap<u32, [bool; 8]> {
    let tiles: Vec<(u32, [u32; 2])> = ids.iter().filter_map(|id| Some((*id, tileset.tiles.get(id)?.at))).collect();
    let lines: [Vec<u32>; 2] = [0, 1].map(|axis| {
        let all: BTreeSet<u32> = tiles.iter().map(|(_, at)| at[axis]).collect();
        all.into_iter().collect()
    });
    let sides = |at: [u32; 2]| {
        let [[left, right], [top, bottom]] = [0, 1].map(|axis| {
            let i = lines[axis].iter().position(|line| *line == at[axis]).unwrap_or(0);
            goes_on(i, lines[axis].len())
        });
        [top, top && right, right, bottom && right, bottom, bottom && left, left, top && left]
    };
    tiles.into_iter().map(|(id, at)| (id, sides(at))).collect()
}

/// The sides of a tile in another mode: an edge has what both its corners have, and a corner what both its edges have.
fn in_mode(from: TerrainMode, mut sides: [String; 8]) -> [String; 8] {
    if from != TerrainMode::Mixed {
        let known = sides.clone();
        for i in (0..8).filter(|i| !from.sides().contains(i)) {
            let [before, after] = [&known[(i + 7) % 8], &known[(i + 1) % 8]];
            sides[i] = if before == after { before.clone() } else { NO_TERRAIN.to_owned() };
        }
    }
    sides
}

/// The plan that changes what a set, by its index, says about tiles; `label` is the terrain on their sides.
///
/// # Errors
/// The tileset has no such set.
pub fn change_terrain(
    (doc, tileset): (&DocPath, &Tileset),
    (set_idx, label): (usize, &str),
    ids: &[u32],
    change: TerrainChange,
) -> Result<Plan, Refusal> {
    let set = tileset.terrains.get(set_idx).ok_or_else(|| Refusal::new("the tileset has no such terrain: add one"))?;
    let at = FieldPath::keys(["terrains"]).index(set_idx);
    let mut tiles = set.tiles.clone();
    let sides_of = |id: u32| owned(set.sides_of(id).unwrap_or([NO_TERRAIN; 8]));
    let put = |tiles: &mut IndexMap<u32, String>, id: u32, has: [bool; 8]| {
        let mut sides = sides_of(id);
        for (side, has) in sides.iter_mut().zip(has) {
            if has {
                label.clone_into(side);
            } else if side == label {
                NO_TERRAIN.clone_into(side);
            }
        }
        tiles.insert(id, written(set.mode, &sides));
    };
    let known = || ids.iter().copied().filter(|id| tileset.tiles.contains_key(id));
    let which = match ids {
        [id] => format!("tile {id}"),
        _ => counted(ids.len(), "tile"),
    };
    let (label, mode) = match change {
        TerrainChange::Block => {
            for (id, has) in block(tileset, ids) {
                put(&mut tiles, id, has);
            }
            (format!("Make {which} a block of {label}"), set.mode)
        }
        TerrainChange::AllSides => {
            known().for_each(|id| put(&mut tiles, id, [true; 8]));
            (format!("Put {label} on all sides of {which}"), set.mode)
        }
        TerrainChange::Side(side, is_on) => {
            for id in known() {
                let mut has = sides_of(id).map(|it| it == label);
                has[side % 8] = is_on;
                put(&mut tiles, id, has);
            }
            (format!("Set {label} at the {} of {which}", SIDE_TITLES[side % 8]), set.mode)
        }
        TerrainChange::Remove => {
            tiles.retain(|id, _| !ids.contains(id));
            (format!("Take {which} out of {}", set.name), set.mode)
        }
        TerrainChange::Mode(mode) => {
            for (id, text) in &mut tiles {
                *text = written(mode, &in_mode(set.mode, sides_of(*id)));
            }
            (format!("Match {} by {}", set.name, mode_title(mode)), mode)
        }
    };
    let mut edits = Vec::new();
    let mut put_field = |key: &str, data: Data| edits.push(Edit::Set { doc: doc.clone(), at: at.key(key), data });
    if mode != set.mode {
        // Sides are checked by the mode: none are there while it changes.
        put_field("tiles", Data::of(&IndexMap::<u32, String>::new()));
        put_field("mode", Data::of(&mode));
    }
    if tiles != set.tiles || mode != set.mode {
        put_field("tiles", Data::of(&tiles));
    }
    Ok(Plan { label, edits })
}

/// What a mode matches, in words.
#[must_use]
pub fn mode_title(mode: TerrainMode) -> &'static str {
    match mode {
        TerrainMode::Corners => "corners",
        TerrainMode::Edges => "edges",
        TerrainMode::Mixed => "edges and corners",
    }
}

/// The plan that adds a terrain with tiles that have it on all their sides, to go on from.
///
/// # Errors
/// A name that is empty, is no name of a side, or that another terrain of the tileset has.
pub fn new_terrain((doc, tileset): (&DocPath, &Tileset), name: &str, ids: &[u32]) -> Result<Plan, Refusal> {
    let name = name.trim();
    if name.is_empty() || name == NO_TERRAIN || name.contains(',') {
        return Err(Refusal::new("a terrain needs a name without commas, such as grass"));
    }
    let is_taken = |set: &TerrainSet| {
        set.name == name || set.tiles.values().any(|text| text.split(',').any(|label| label.trim() == name))
    };
    if tileset.terrains.iter().any(is_taken) {
        return Err(Refusal::new(format!("the tileset has a terrain `{name}` already: choose another name")));
    }
    let mut set = TerrainSet { name: name.to_owned(), ..TerrainSet::default() };
    let all = owned([name; 8]);
    let tiles = ids.iter().filter(|id| tileset.tiles.contains_key(*id));
    set.tiles = tiles.map(|id| (*id, written(set.mode, &all))).collect();
    let at = FieldPath::keys(["terrains"]).index(tileset.terrains.len());
    Ok(Plan { label: format!("Add terrain {name}"), edits: vec![Edit::insert_at(doc, at, &set)] })
}
