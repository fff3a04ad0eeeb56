//! Tiles of one image: where each is, what is solid about it, what walking it costs, how it moves; and terrains, sets
//! of tiles that fit each other by their edges or corners.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    FieldType, Fields, FieldsOf, Name,
    level::MAX_SIDE,
    reflect::{Names, describe},
};

/// The fastest conveyor, in pixels a second.
pub const MAX_CONVEYOR: f64 = 2000.0;
/// The most that a step costs, in plain steps.
pub const MAX_COST: f64 = 1e6;

describe! {
    /// A tileset as in its file.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct Tileset: "a tileset" {
        /// PNG, relative to the tileset's file.
        pub image: String,
        /// Size of a tile in the image, in pixels.
        pub tile_size: [u32; 2] => range(1.0, MAX_SIDE) unit("px"),
        /// Pixels around the whole sheet.
        pub margin: u32 = 0 => unit("px"),
        /// Pixels between tiles.
        pub spacing: u32 = 0 => unit("px"),
        /// Tiles by id, in written order; an id never changes meaning.
        pub tiles: IndexMap<u32, TileDef> = IndexMap::new(),
        /// Sets of tiles that fit each other.
        pub terrains: Vec<TerrainSet> = Vec::new(),
    }
}

impl Tileset {
    /// Left and top of a tile's picture in the image, in pixels.
    #[must_use]
    pub fn source_px(&self, tile: &TileDef) -> [u32; 2] {
        let at = |i: usize| {
            self.margin.saturating_add(tile.at[i].saturating_mul(self.tile_size[i].saturating_add(self.spacing)))
        };
        [at(0), at(1)]
    }

    /// A tile by its name.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<(u32, &TileDef)> {
        self.tiles.iter().find(|(_, tile)| tile.name == name).map(|(id, tile)| (*id, tile))
    }
}

describe! {
    /// One tile.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct TileDef: "a tile" => own_line() {
        /// Column and row in the image.
        pub at: [u32; 2],
        /// May be empty.
        pub name: String = String::new() => declares(&FieldType::Tile),
        /// What is solid.
        pub shape: TileShape = TileShape::None,
        /// Cost of a step by agent kind, in plain steps; 1 where none is declared. With 0 no path enters it, as if it
        /// were solid; above 0 it counts as 0.0001 at least.
        pub cost: IndexMap<Name, f64> = IndexMap::new() => range(0.0, MAX_COST),
        /// Tags to find it by.
        pub tags: Vec<String> = Vec::new() => names(&FieldType::Tag),
        /// Solid only from above, for loose bodies and for walkers seen from the side: flyers go through it.
        pub one_way: bool = false,
        /// Of its surface; the default when left out.
        pub friction: Option<f64> = None => at_least(0.0),
        /// Can be climbed by walkers with `Climb`.
        pub ladder: bool = false,
        /// Walkers with `Swim` swim in it.
        pub water: bool = false,
        /// What stands on it is carried to the right at this speed; to the left below zero.
        pub conveyor: f64 = 0.0 => range(-MAX_CONVEYOR, MAX_CONVEYOR) unit("px/s"),
        /// Animation: other tiles of this set and how long each shows.
        pub frames: Vec<TileFrame> = Vec::new(),
        /// How often the random brush takes it, against others of its kind.
        pub weight: f64 = 1.0 => at_least(0.0),
        /// Values of the fields that the game's schema declares for tiles.
        #[serde(default)]
        pub fields: Fields = Fields::new() => holds(Names::Fields(FieldsOf::Tile)),
    }
}

impl TileDef {
    /// What the tile of an id is called, if only by that.
    #[must_use]
    pub fn called(&self, id: u32) -> String {
        if self.name.is_empty() { format!("tile {id}") } else { self.name.clone() }
    }
}

/// What of a tile is solid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum TileShape {
    /// Nothing.
    #[default]
    None,
    /// The whole cell.
    Full,
    /// A convex polygon in pixels from the cell's top left corner.
    Polygon(Vec<[f64; 2]>),
}

describe! {
    /// One picture of an animated tile.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    pub struct TileFrame: "a frame" {
        /// The tile whose picture is shown.
        pub tile: u32,
        /// How long, in seconds.
        pub secs: f64 => above(0.0) unit("s"),
    }
}

describe! {
    /// What of a tile has to match its neighbors.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum TerrainMode: words "terrain mode" {
        /// Four corners.
        Corners,
        /// Four edges.
        #[default]
        Edges,
        /// Both.
        Mixed,
    }
}

describe! {
    /// Tiles that fit each other.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct TerrainSet: "a terrain" => own_line() {
        /// Shown in the palette.
        pub name: String => id(),
        /// What has to match.
        pub mode: TerrainMode = TerrainMode::Edges,
        /// For each tile, the terrain at its sides, separated by commas: top, right, bottom, left for edges; top left,
        /// top right, bottom right, bottom left for corners; clockwise from the top for mixed. `_` is nothing.
        pub tiles: IndexMap<u32, String> = IndexMap::new(),
    }
}

/// No terrain, as a side is written.
pub const NO_TERRAIN: &str = "_";

impl TerrainMode {
    /// The sides that have to match, in the order they are written. Sides are numbered clockwise from the top, corners
    /// among them.
    #[must_use]
    pub fn sides(self) -> &'static [usize] {
        match self {
            Self::Edges => &[0, 2, 4, 6],
            Self::Corners => &[7, 1, 3, 5],
            Self::Mixed => &[0, 1, 2, 3, 4, 5, 6, 7],
        }
    }
}

impl TerrainSet {
    /// The terrains on a tile's sides, clockwise from the top; [`NO_TERRAIN`] on those that need not match. `None`
    /// where the tile is not of this set.
    #[must_use]
    pub fn sides_of(&self, id: u32) -> Option<[&str; 8]> {
        let mut sides = [NO_TERRAIN; 8];
        for (side, label) in self.mode.sides().iter().zip(self.tiles.get(&id)?.split(',')) {
            sides[*side] = label.trim();
        }
        Some(sides)
    }
}
