//! Many tiles of a tileset changed at once: what is solid of them, what a step costs, their tags; and tiles for
//! pictures that have none yet.
//!
//! Invariant: a tile that is so already is not edited, and whatever else it declares stays.

use std::collections::{BTreeMap, BTreeSet};

use super::Plan;
use crate::{
    edit::{Edit, Refusal},
    model::{
        DocPath, FieldPath, Name, Project, Tile, TileDef, TileShape, Tileset, counted,
        reflect::{Data, Reflect as _},
    },
};

/// A shape that tiles often have, in whole and half cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "each is described in `title`")]
pub enum ShapeTemplate {
    Nothing,
    Solid,
    HalfBottom,
    HalfTop,
    HalfLeft,
    HalfRight,
    SlopeRight,
    SlopeLeft,
    CeilingRight,
    CeilingLeft,
    GentleRightLow,
    GentleRightHigh,
    GentleLeftHigh,
    GentleLeftLow,
}

impl ShapeTemplate {
    /// Every one, in the order they are offered.
    pub const ALL: [Self; 14] = [
        Self::Nothing,
        Self::Solid,
        Self::HalfBottom,
        Self::HalfTop,
        Self::HalfLeft,
        Self::HalfRight,
        Self::SlopeRight,
        Self::SlopeLeft,
        Self::CeilingRight,
        Self::CeilingLeft,
        Self::GentleRightLow,
        Self::GentleRightHigh,
        Self::GentleLeftHigh,
        Self::GentleLeftLow,
    ];

    /// What it is called.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Nothing => "nothing solid",
            Self::Solid => "solid",
            Self::HalfBottom => "lower half",
            Self::HalfTop => "upper half",
            Self::HalfLeft => "left half",
            Self::HalfRight => "right half",
            Self::SlopeRight => "slope up to the right",
            Self::SlopeLeft => "slope up to the left",
            Self::CeilingRight => "ceiling slope at the right",
            Self::CeilingLeft => "ceiling slope at the left",
            Self::GentleRightLow => "gentle slope up to the right, lower part",
            Self::GentleRightHigh => "gentle slope up to the right, upper part",
            Self::GentleLeftHigh => "gentle slope up to the left, upper part",
            Self::GentleLeftLow => "gentle slope up to the left, lower part",
        }
    }

    /// Its corners as parts of a cell, from its left top; none for what is no polygon.
    fn corners(self) -> &'static [[f64; 2]] {
        match self {
            Self::Nothing | Self::Solid => &[],
            Self::HalfBottom => &[[0.0, 0.5], [1.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
            Self::HalfTop => &[[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [0.0, 0.5]],
            Self::HalfLeft => &[[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 1.0]],
            Self::HalfRight => &[[0.5, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 1.0]],
            Self::SlopeRight => &[[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]],
            Self::SlopeLeft => &[[0.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            Self::CeilingRight => &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]],
            Self::CeilingLeft => &[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]],
            Self::GentleRightLow => &[[0.0, 1.0], [1.0, 0.5], [1.0, 1.0]],
            Self::GentleRightHigh => &[[0.0, 0.5], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            Self::GentleLeftHigh => &[[0.0, 0.0], [1.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
            Self::GentleLeftLow => &[[0.0, 0.5], [1.0, 1.0], [0.0, 1.0]],
        }
    }

    /// The shape of a tile of a size in pixels.
    #[must_use]
    pub fn shape(self, tile_size: [u32; 2]) -> TileShape {
        let size = tile_size.map(f64::from);
        match self {
            Self::Nothing => TileShape::None,
            Self::Solid => TileShape::Full,
            _ => TileShape::Polygon(self.corners().iter().map(|[x, y]| [x * size[0], y * size[1]]).collect()),
        }
    }

    /// The template that a shape is, whichever corner its polygon begins at; `None` for one of its own.
    #[must_use]
    pub fn of(shape: &TileShape, tile_size: [u32; 2]) -> Option<Self> {
        let is_it = |template: &Self| match (template.shape(tile_size), shape) {
            (TileShape::Polygon(a), TileShape::Polygon(b)) => {
                let n = a.len();
                n == b.len() && (0..n).any(|from| (0..n).all(|i| a[(from + i) % n] == b[i]))
            }
            (a, b) => a == *b,
        };
        Self::ALL.into_iter().find(is_it)
    }
}

/// What tiles have in common; `None` is for what differs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TilesSummary {
    /// How many there are.
    pub n: usize,
    /// The template of their shape; `Some(None)` where each has one of its own.
    pub shape: Option<Option<ShapeTemplate>>,
    /// Whether they are solid only from above.
    pub one_way: Option<bool>,
    /// Whether they are climbed.
    pub ladder: Option<bool>,
    /// Whether they are swum in.
    pub water: Option<bool>,
    /// How fast they carry to the right, in px/s.
    pub conveyor: Option<f64>,
    /// What a step costs, by each kind of agent for which any declares it.
    pub cost: BTreeMap<Name, Option<f64>>,
    /// Their tags, and how many of them have each.
    pub tags: BTreeMap<String, usize>,
}

/// What a step costs where a tile declares nothing.
const PLAIN_COST: f64 = 1.0;

impl TilesSummary {
    /// Of some tiles of a tileset.
    #[must_use]
    pub fn of(tileset: &Tileset, ids: &[u32]) -> Self {
        let tiles: Vec<&TileDef> = ids.iter().filter_map(|id| tileset.tiles.get(id)).collect();
        let Some((first, others)) = tiles.split_first() else { return Self::default() };
        let template = |tile: &TileDef| ShapeTemplate::of(&tile.shape, tileset.tile_size);
        let shape = template(first);
        let has_shape = |tile: &&TileDef| tile.shape == first.shape || template(tile) == shape;
        let agents: BTreeSet<&Name> = tiles.iter().flat_map(|tile| tile.cost.keys()).collect();
        let cost = agents.into_iter().map(|agent| {
            let of = |tile: &TileDef| tile.cost.get(agent).copied().unwrap_or(PLAIN_COST);
            let one = of(first);
            (agent.clone(), others.iter().all(|tile| of(tile).to_bits() == one.to_bits()).then_some(one))
        });
        let mut tags: BTreeMap<String, usize> = BTreeMap::new();
        for tile in &tiles {
            for tag in tile.tags.iter().collect::<BTreeSet<_>>() {
                *tags.entry(tag.clone()).or_default() += 1;
            }
        }
        let all =
            |is_it: fn(&TileDef) -> bool| others.iter().all(|tile| is_it(tile) == is_it(first)).then(|| is_it(first));
        let is_as_fast = |tile: &&TileDef| tile.conveyor.to_bits() == first.conveyor.to_bits();
        Self {
            n: tiles.len(),
            shape: others.iter().all(has_shape).then_some(shape),
            one_way: all(|tile| tile.one_way),
            ladder: all(|tile| tile.ladder),
            water: all(|tile| tile.water),
            conveyor: others.iter().all(is_as_fast).then_some(first.conveyor),
            cost: cost.collect(),
            tags,
        }
    }
}

/// A change of tiles.
#[derive(Clone, Debug, PartialEq)]
pub enum TileChange {
    /// What is solid. Where nothing is, nothing is solid from above either.
    Shape(ShapeTemplate),
    /// Whether they are solid only from above. Of those of which nothing was solid, the whole cell is then.
    OneWay(bool),
    /// Whether they are climbed.
    Ladder(bool),
    /// Whether they are swum in.
    Water(bool),
    /// How fast they carry to the right, in px/s; to the left below zero.
    Conveyor(f64),
    /// What a step costs for a kind of agent; `None` for no more than on plain ground.
    Cost(Name, Option<f64>),
    /// Give a tag to those that lack it.
    AddTag(String),
    /// Take a tag from those that have it.
    RemoveTag(String),
}

impl TileChange {
    /// The tile after it.
    fn made(&self, tile: &TileDef, tile_size: [u32; 2]) -> TileDef {
        let mut new = tile.clone();
        match self {
            Self::Shape(template) => {
                if ShapeTemplate::of(&tile.shape, tile_size) != Some(*template) {
                    new.shape = template.shape(tile_size);
                }
                new.one_way &= *template != ShapeTemplate::Nothing;
            }
            Self::OneWay(is_one_way) => {
                new.one_way = *is_one_way;
                if *is_one_way && tile.shape == TileShape::None {
                    new.shape = TileShape::Full;
                }
            }
            Self::Ladder(is_ladder) => new.ladder = *is_ladder,
            Self::Water(is_water) => new.water = *is_water,
            Self::Conveyor(speed) => new.conveyor = *speed,
            Self::Cost(agent, Some(cost)) => _ = new.cost.insert(agent.clone(), *cost),
            Self::Cost(agent, None) => _ = new.cost.shift_remove(agent),
            Self::AddTag(tag) if tile.tags.contains(tag) => {}
            Self::AddTag(tag) => new.tags.push(tag.clone()),
            Self::RemoveTag(tag) => new.tags.retain(|it| it != tag),
        }
        new
    }

    fn label(&self, tiles: &str) -> String {
        match self {
            Self::Shape(template) => format!("Make {tiles} {}", template.title()),
            Self::OneWay(true) => format!("Make {tiles} one-way"),
            Self::OneWay(false) => format!("Make {tiles} solid from all sides"),
            Self::Ladder(true) => format!("Make {tiles} a ladder"),
            Self::Ladder(false) => format!("Make {tiles} no ladder"),
            Self::Water(true) => format!("Make {tiles} water"),
            Self::Water(false) => format!("Make {tiles} no water"),
            Self::Conveyor(_) => format!("Set conveyor of {tiles}"),
            Self::Cost(agent, _) => format!("Set cost.{agent} of {tiles}"),
            Self::AddTag(tag) => format!("Tag {tiles} {tag}"),
            Self::RemoveTag(tag) => format!("Remove tag {tag} from {tiles}"),
        }
    }
}

/// Where a tile is in its document.
fn tile_at(id: u32) -> FieldPath {
    FieldPath::keys(["tiles"]).key(&id.to_string())
}

/// The plan that changes tiles; it has no edits where all are so already.
///
/// # Errors
/// A tag or kind of agent without a name.
pub fn change_tiles((doc, tileset): (&DocPath, &Tileset), ids: &[u32], change: &TileChange) -> Result<Plan, Refusal> {
    match change {
        TileChange::AddTag(tag) if tag.trim().is_empty() => return Err(Refusal::new("write a tag")),
        TileChange::Cost(agent, _) if agent.trim().is_empty() => {
            return Err(Refusal::new("write the kind of agent that the cost is for, such as walk"));
        }
        _ => {}
    }
    let mut edits = Vec::new();
    for id in ids {
        let Some(tile) = tileset.tiles.get(id) else { continue };
        let new = change.made(tile, tileset.tile_size);
        let mut set = |key: &str, data: Data| {
            edits.push(Edit::Set { doc: doc.clone(), at: tile_at(*id).key(key), data });
        };
        if new.shape != tile.shape {
            set("shape", Data::of(&new.shape));
        }
        if new.one_way != tile.one_way {
            set("one_way", Data::of(&new.one_way));
        }
        if new.ladder != tile.ladder {
            set("ladder", Data::of(&new.ladder));
        }
        if new.water != tile.water {
            set("water", Data::of(&new.water));
        }
        if new.conveyor.to_bits() != tile.conveyor.to_bits() {
            set("conveyor", Data::of(&new.conveyor));
        }
        if new.cost != tile.cost {
            set("cost", Data::of(&new.cost));
        }
        if new.tags != tile.tags {
            set("tags", Data::of(&new.tags));
        }
    }
    let tiles = match ids {
        [id] => format!("tile {id}"),
        _ => counted(ids.len(), "tile"),
    };
    Ok(Plan { label: change.label(&tiles), edits })
}

/// The plan that makes a tile of each cell of the picture that shows something and has none; `shown` are those that
/// show something.
#[must_use]
pub fn new_tiles((doc, tileset): (&DocPath, &Tileset), shown: &[[u32; 2]]) -> Plan {
    let known: BTreeSet<[u32; 2]> = tileset.tiles.values().map(|tile| tile.at).collect();
    let next = tileset.tiles.keys().max().map_or(1, |id| id.saturating_add(1));
    let missing = shown.iter().filter(|cell| !known.contains(*cell));
    let edits: Vec<Edit> = (next..=Tile::MAX_ID)
        .zip(missing)
        .map(|(id, cell)| Edit::insert_at(doc, tile_at(id), &TileDef { at: *cell, ..TileDef::blank() }))
        .collect();
    Plan { label: format!("Add {} to {}", counted(edits.len(), "tile"), doc.stem()), edits }
}

/// How many cells of levels show some of a tileset's tiles.
#[must_use]
pub fn cells_with(project: &Project, doc: &DocPath, ids: &[u32]) -> usize {
    let is_it = |tile: Tile| tile.id().is_some_and(|id| ids.contains(&id));
    let layers = project.levels().flat_map(|(_, level)| level.all_layers()).filter_map(|layer| layer.tiles());
    let chunks = layers.filter(|layer| &*layer.tileset == doc.stem()).flat_map(|layer| layer.tiles.chunks());
    let counts = chunks.filter(|(_, chunk)| chunk.kinds().any(is_it)).flat_map(|(_, chunk)| chunk.counts());
    let n: u64 = counts.filter(|(tile, _)| is_it(*tile)).map(|(_, n)| n).sum();
    usize::try_from(n).unwrap_or(usize::MAX)
}

/// The plan that takes tiles out of a tileset. Cells of levels that have them are empty to the eye then, and a problem.
#[must_use]
pub fn remove_tiles(doc: &DocPath, ids: &[u32]) -> Plan {
    let edits = ids.iter().map(|id| Edit::Remove { doc: doc.clone(), at: tile_at(*id) }).collect();
    Plan { label: format!("Delete {} of {}", counted(ids.len(), "tile"), doc.stem()), edits }
}
