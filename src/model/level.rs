//! A level: layers of tiles, entities and waypoints over one grid. Each layer is an `Arc`, so an edit copies one.

use std::sync::Arc;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use super::{
    CHUNK, Cell, CellSet, FieldType, Fields, FieldsOf, Instance, LevelView, Name, Tile, Tiles, WaypointGraph,
    parse_color,
    reflect::{Names, Reflect as _, describe, tag_of},
};

/// A color that changes nothing where it is multiplied.
const WHITE: &str = "#ffffff";

/// How many cells one file of a level should have at most.
const MANY_CELLS: u64 = 1 << 20;

/// The longest side of a level, in tiles, and of a tile, in pixels.
pub(super) const MAX_SIDE: f64 = 1_048_576.0;

describe! {
    /// A level as in its file.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Level: "a level" {
        /// Width and height in tiles; `None` for an unbounded level.
        pub size: Option<[u32; 2]> = None => range(1.0, MAX_SIDE) unit("tiles"),
        /// Width and height of a cell, in pixels.
        pub tile_size: [u32; 2] => range(1.0, MAX_SIDE) unit("px"),
        /// Seen from the side or from above; the project's when left out.
        pub view: Option<LevelView> = None,
        /// Whether paths may cut the corner of a blocked cell.
        pub corner_cutting: bool = false,
        /// Tiles are in files of their own, of 512×512 cells each, in a folder beside the level's file: for large
        /// levels.
        pub regions: bool = false,
        /// Color behind all layers; none shows what is behind the game.
        pub background: Option<Name> = None => color(),
        /// Values of the fields that the game's schema declares for levels.
        #[serde(default)]
        pub fields: Fields = Fields::new() => holds(Names::Fields(FieldsOf::Level)),
        /// Back to front. Those in groups are in [`Level::all_layers`].
        pub layers: Vec<Arc<Layer>> = Vec::new(),
    }
}

impl Default for Level {
    fn default() -> Self {
        Self {
            size: Some([40, 24]),
            tile_size: [16, 16],
            view: None,
            corner_cutting: false,
            regions: false,
            background: None,
            fields: Fields::new(),
            layers: Vec::new(),
        }
    }
}

impl Level {
    /// Whether a level of this size is better kept in several files ([`Level::regions`]).
    #[must_use]
    pub fn is_large(size: Option<[u32; 2]>) -> bool {
        size.is_some_and(|[w, h]| u64::from(w) * u64::from(h) > MANY_CELLS)
    }

    /// Whether it has so many cells that it is better kept in several files.
    #[must_use]
    pub fn has_many_cells(&self) -> bool {
        let chunks = |layer: &Arc<Layer>| layer.cells().map_or(0, |cells| cells.tiles.n_chunks() as u64);
        let cells = || self.all_layers().into_iter().map(chunks).sum::<u64>() * (CHUNK * CHUNK) as u64;
        Self::is_large(self.size) || cells() > MANY_CELLS
    }

    /// The layer of a name, at any depth, with its number in [`Level::all_layers`].
    #[must_use]
    pub fn layer(&self, name: &str) -> Option<(usize, &Arc<Layer>)> {
        self.all_layers().into_iter().enumerate().find(|(_, layer)| *layer.name == *name)
    }

    /// The color behind all layers: red, green, blue, alpha.
    #[must_use]
    pub fn background_rgba(&self) -> Option<[u8; 4]> {
        parse_color(self.background.as_ref()?)
    }

    /// A placed entity by id: number of its layer, and itself.
    #[must_use]
    pub fn entity(&self, id: &str) -> Option<(usize, &Arc<Instance>)> {
        self.all_layers().into_iter().enumerate().find_map(|(i, layer)| Some((i, layer.entities()?.get(id)?)))
    }

    /// Every placed entity, by layer and in written order: number of its layer, id, itself.
    pub fn entities(&self) -> impl Iterator<Item = (usize, &Name, &Arc<Instance>)> {
        self.all_layers()
            .into_iter()
            .enumerate()
            .flat_map(|(i, layer)| layer.entities().into_iter().flatten().map(move |(id, instance)| (i, id, instance)))
    }

    /// Whether an id is taken by an entity or a waypoint of this level.
    #[must_use]
    pub fn has_id(&self, id: &str) -> bool {
        self.all_layers().into_iter().any(|layer| layer.has_id(id))
    }

    /// The cells of the level itself, which its size counts.
    #[must_use]
    pub fn grid(&self) -> CellGrid {
        CellGrid { px: self.tile_size.map(|side| side.max(1)), size: self.size }
    }

    /// The cells of a layer: its own where it has a tile size, else the level's. A layer whose cells do not divide the
    /// level has as many as it takes to cover it.
    #[must_use]
    pub fn grid_of(&self, layer: &Layer) -> CellGrid {
        let own = self.grid();
        let Some(px) = layer.tile_size().map(|px| px.map(|side| side.max(1))).filter(|px| *px != own.px) else {
            return own;
        };
        let side = |i: usize, n: u32| {
            let cells = (u64::from(n) * u64::from(own.px[i])).div_ceil(u64::from(px[i]));
            u32::try_from(cells).unwrap_or(u32::MAX)
        };
        CellGrid { px, size: self.size.map(|[w, h]| [side(0, w), side(1, h)]) }
    }

    /// The cells of the layer of a number, as those that the window works in; the level's where there is none.
    #[must_use]
    pub fn grid_at(&self, layer: Option<usize>) -> CellGrid {
        layer.and_then(|at| self.nth_layer(at)).map_or_else(|| self.grid(), |layer| self.grid_of(layer))
    }

    /// The level's rectangle in pixels: left, top, right, bottom. An unbounded level spans its tiles.
    #[must_use]
    pub fn bounds_px(&self) -> [f64; 4] {
        if let Some(size) = self.size {
            let [right, bottom] = self.grid().corner_px(size.map(|side| i32::try_from(side).unwrap_or(i32::MAX)));
            return [0.0, 0.0, right, bottom];
        }
        let tiles = self.all_layers().into_iter().filter_map(|layer| {
            let (lo, hi) = layer.cells()?.tiles.bounds()?;
            Some(self.grid_of(layer).rect_px(lo, hi))
        });
        let around = tiles.reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]);
        around.unwrap_or_else(|| self.grid().rect_px([0, 0], [31, 31]))
    }
}

/// Where cells are: the one conversion between cells and pixels of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellGrid {
    /// Width and height of a cell, in pixels.
    pub px: [u32; 2],
    /// How many columns and rows there are; `None` where the level is unbounded.
    pub size: Option<[u32; 2]>,
}

impl CellGrid {
    /// The cell that a point in pixels is in, also outside the level.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates; no level reaches that far")]
    pub fn cell_at(self, px: [f64; 2]) -> Cell {
        [0, 1].map(|i| (px[i] / f64::from(self.px[i])).floor() as i32)
    }

    /// The left top corner of a cell, in pixels.
    #[must_use]
    pub fn corner_px(self, cell: Cell) -> [f64; 2] {
        [0, 1].map(|i| f64::from(cell[i]) * f64::from(self.px[i]))
    }

    /// Left, top, right and bottom of a rectangle of cells, both corners included.
    #[must_use]
    pub fn rect_px(self, lo: Cell, hi: Cell) -> [f64; 4] {
        let ([x0, y0], [x1, y1]) = (self.corner_px(lo), self.corner_px(hi.map(|last| last.saturating_add(1))));
        [x0, y0, x1, y1]
    }

    /// Whether there is such a cell; without bounds there is every one.
    #[must_use]
    pub fn has_cell(self, [x, y]: Cell) -> bool {
        self.size.is_none_or(|[w, h]| u32::try_from(x).is_ok_and(|x| x < w) && u32::try_from(y).is_ok_and(|y| y < h))
    }

    /// The first and the last cell, left top and right bottom; without bounds those that no cell is beyond.
    #[must_use]
    pub fn corners(self) -> (Cell, Cell) {
        let last = |side: u32| i32::try_from(side).unwrap_or(i32::MAX) - 1;
        self.size.map_or(([i32::MIN; 2], [i32::MAX; 2]), |size| ([0, 0], size.map(last)))
    }

    /// Those of some cells that there are.
    #[must_use]
    pub fn clip(self, cells: &CellSet) -> CellSet {
        match (self.size, self.corners()) {
            (None, _) => cells.clone(),
            (Some(_), (lo, hi)) if hi.iter().all(|last| *last >= 0) => cells.intersection(&CellSet::rectangle(lo, hi)),
            (Some(_), _) => CellSet::default(),
        }
    }

    /// Width and height of a cell in words: `16 × 16 px`.
    #[must_use]
    pub fn px_text(self) -> String {
        format!("{} × {} px", self.px[0], self.px[1])
    }
}

describe! {
    /// One layer.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct Layer: "a layer" => own_line() by_id() first(&["name", "tileset", "image"]) locked_by("locked") {
        /// Unique in its level.
        pub name: Name => id() declares(&FieldType::Layer),
        /// Drawn.
        pub visible: bool = true => open(),
        /// Protected from editing.
        pub locked: bool = false => open(),
        /// 0 to 1.
        pub opacity: f64 = 1.0 => range(0.0, 1.0) step(0.01) open(),
        /// Multiplied with the colors of its tiles, sprites or image.
        pub tint: Name = WHITE.into() => color() open(),
        /// How much it moves with the camera; 1 moves with the world, 0 stays on the screen.
        pub parallax: [f64; 2] = [1.0, 1.0] => step(0.05) open(),
        /// Shift in pixels.
        pub offset: [f64; 2] = [0.0, 0.0] => unit("px") step(1.0) open(),
        /// Values of the fields that the game's schema declares for layers.
        #[serde(default)]
        pub fields: Fields = Fields::new() => holds(Names::Fields(FieldsOf::Layer)) open(),
        /// What it holds.
        pub content: LayerContent => flat(),
    }
}

impl Layer {
    /// A visible, unlocked layer.
    #[must_use]
    pub fn new(name: Name, content: LayerContent) -> Self {
        Self { name, content, ..Self::blank() }
    }

    /// The kind of this layer, as written in files.
    #[must_use]
    pub fn tag(&self) -> &'static str {
        tag_of(self).unwrap_or_default()
    }

    /// What its colors are multiplied with: red, green, blue, alpha.
    #[must_use]
    pub fn tint_rgba(&self) -> [u8; 4] {
        parse_color(&self.tint).unwrap_or([255; 4])
    }

    /// How its colors are put over those of the layers behind it.
    #[must_use]
    pub fn blend(&self) -> Blend {
        match &self.content {
            LayerContent::Tiles(tiles) => tiles.blend,
            LayerContent::Image(image) => image.blend,
            _ => Blend::Normal,
        }
    }

    /// The tiles of a tile layer.
    #[must_use]
    pub fn tiles(&self) -> Option<&TileLayer> {
        if let LayerContent::Tiles(tiles) = &self.content { Some(tiles) } else { None }
    }

    /// The values of a value layer.
    #[must_use]
    pub fn values(&self) -> Option<&ValueLayer> {
        if let LayerContent::Values(values) = &self.content { Some(values) } else { None }
    }

    /// The size of its own cells, where they are not the level's; [`Level::grid_of`] tells where they are.
    #[must_use]
    pub fn tile_size(&self) -> Option<[u32; 2]> {
        match &self.content {
            LayerContent::Tiles(it) => it.tile_size,
            LayerContent::Values(it) => it.tile_size,
            _ => None,
        }
    }

    /// The cells of a layer that has some: of tiles or of values.
    #[must_use]
    pub fn cells(&self) -> Option<Cells<'_>> {
        match &self.content {
            LayerContent::Tiles(it) => Some(Cells { tiles: &it.tiles, tileset: Some(&it.tileset) }),
            LayerContent::Values(it) => Some(Cells { tiles: &it.values, tileset: None }),
            _ => None,
        }
    }

    /// The same, to change.
    pub fn cells_mut(&mut self) -> Option<&mut Tiles> {
        match &mut self.content {
            LayerContent::Tiles(it) => Some(&mut it.tiles),
            LayerContent::Values(it) => Some(&mut it.values),
            _ => None,
        }
    }

    /// What an image layer shows.
    #[must_use]
    pub fn image(&self) -> Option<&ImageLayer> {
        if let LayerContent::Image(image) = &self.content { Some(image) } else { None }
    }

    /// The layers in a group, back to front; none of a layer of another kind.
    #[must_use]
    pub fn children(&self) -> &[Arc<Self>] {
        if let LayerContent::Group(group) = &self.content { &group.layers } else { &[] }
    }

    /// Whether it is a group.
    #[must_use]
    pub fn is_group(&self) -> bool {
        matches!(self.content, LayerContent::Group(_))
    }

    /// The entities of an entity layer.
    #[must_use]
    pub fn entities(&self) -> Option<&IndexMap<Name, Arc<Instance>>> {
        if let LayerContent::Entities(entities) = &self.content { Some(entities) } else { None }
    }

    /// Whether an entity or a waypoint of the layer has an id.
    #[must_use]
    pub fn has_id(&self, id: &str) -> bool {
        self.place_of(id).is_some()
    }

    /// Where an entity or a waypoint of the layer is, in the layer's pixels.
    #[must_use]
    pub fn place_of(&self, id: &str) -> Option<[f64; 2]> {
        match &self.content {
            LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => None,
            LayerContent::Entities(all) => all.get(id).map(|it| it.at),
            LayerContent::Waypoints(graph) => graph.nodes.get(id).map(|node| node.at),
        }
    }

    /// The graph of a waypoint layer.
    #[must_use]
    pub fn waypoints(&self) -> Option<&WaypointGraph> {
        if let LayerContent::Waypoints(graph) = &self.content { Some(graph) } else { None }
    }
}

describe! {
    /// A square of 512×512 cells of a large level: a file in the folder `NAME.regions` beside the level's.
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    pub struct Region: "a region" {
        /// The tiles of each tile layer that has some here, by the layer's name.
        pub layers: IndexMap<Name, Tiles> = IndexMap::new(),
    }
}

describe! {
    /// What a layer holds.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub enum LayerContent: choice "kind of layer" {
        /// Tiles of one tileset.
        Tiles(TileLayer): "a tile layer",
        /// Placed entities by id.
        Entities(IndexMap<Name, Arc<Instance>>): "an entity layer" in "entities",
        /// A waypoint graph.
        Waypoints(WaypointGraph): "a waypoint layer",
        /// A picture, at the layer's offset.
        Image(ImageLayer): "an image layer",
        /// A number a cell, for the game to read.
        Values(ValueLayer): "a value layer",
        /// Other layers, which are shown, hidden, locked and moved together.
        Group(GroupLayer): "a group of layers",
    }
}

describe! {
    /// A group's content. How it looks is that of all it holds: opacity and tint are multiplied, offsets added.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct GroupLayer: "a group of layers" {
        /// Back to front.
        pub layers: Vec<Arc<Layer>> = Vec::new() => open(),
    }
}

describe! {
    /// A tile layer's content.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct TileLayer: "a tile layer" {
        /// Name of the tileset.
        pub tileset: Name => names(&FieldType::Tileset),
        /// Width and height of its own cells, in pixels; left out, they are the level's. Tiles stay in their columns
        /// and rows when it changes.
        pub tile_size: Option<[u32; 2]> = None => range(1.0, MAX_SIDE) unit("px"),
        /// Whether its solid tiles stop bodies and paths.
        pub collide: bool = true,
        /// How its colors are put over those behind it.
        pub blend: Blend = Blend::Normal => open(),
        /// The tiles.
        pub tiles: Tiles = Tiles::default() => key("chunks"),
    }
}

impl TileLayer {
    /// Solid tiles of a tileset.
    #[must_use]
    pub fn new(tileset: Name, tiles: Tiles) -> Self {
        Self { tileset, tile_size: None, collide: true, blend: Blend::Normal, tiles }
    }
}

/// The cells of a layer. A value is kept as the tile of its number, without flips, so that the same tools paint both.
#[derive(Clone, Copy, Debug)]
pub struct Cells<'a> {
    /// The tiles, or values.
    pub tiles: &'a Tiles,
    /// The tileset; values have none.
    pub tileset: Option<&'a Name>,
}

describe! {
    /// A value layer's content.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ValueLayer: "a value layer" {
        /// Width and height of its own cells, in pixels; left out, they are the level's. Values stay in their columns
        /// and rows when it changes.
        pub tile_size: Option<[u32; 2]> = None => range(1.0, MAX_SIDE) unit("px"),
        /// What values are called and which color they are shown in, by number from 1; 0 is no value.
        pub names: IndexMap<u32, ValueName> = IndexMap::new(),
        /// The values.
        pub values: Tiles = Tiles::default() => key("chunks"),
    }
}

describe! {
    /// What a value is called, and its color.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ValueName: "a value" => own_line() {
        /// Shown where it is chosen.
        pub name: String = String::new(),
        /// Its cells are shown in it.
        pub color: Name = WHITE.into() => color(),
    }
}

impl ValueLayer {
    /// The largest value.
    pub const MAX: u32 = 65_535;

    /// Colors of new values, to be told apart on any ground.
    const COLORS: [&str; 8] = ["#4da6ff", "#ff8c42", "#5ad469", "#e05bd0", "#ffd23f", "#3fd6c6", "#ff5d5d", "#a07bff"];

    /// A layer with one named value, to begin with.
    #[must_use]
    pub fn with_one() -> Self {
        let mut it = Self { tile_size: None, names: IndexMap::new(), values: Tiles::default() };
        it.names.extend(it.next_name());
        it
    }

    /// The first number that has no name yet, with a name and a color for it; `None` when all have one.
    #[must_use]
    pub fn next_name(&self) -> Option<(u32, ValueName)> {
        let id = (1..=Self::MAX).find(|id| !self.names.contains_key(id))?;
        let color = Self::COLORS[(id as usize - 1) % Self::COLORS.len()];
        Some((id, ValueName { name: format!("value {id}"), color: color.into() }))
    }

    /// What a value is called.
    #[must_use]
    pub fn called(&self, id: u32) -> String {
        let name = self.names.get(&id).map(|it| it.name.as_str()).filter(|name| !name.is_empty());
        name.map_or_else(|| format!("value {id}"), str::to_owned)
    }

    /// Whether a cell can have this: nothing, or a number in range without flips.
    #[must_use]
    pub fn allows(tile: Tile) -> bool {
        tile.id().is_none_or(|id| (1..=Self::MAX).contains(&id) && tile == Tile::id_only(id))
    }
}

describe! {
    /// An image layer's content.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    pub struct ImageLayer: "an image layer" {
        /// PNG inside the project.
        pub image: Name => names(&FieldType::Image),
        /// In which directions it is repeated without end.
        pub repeat: Repeat = Repeat::Once => open(),
        /// How its colors are put over those behind it.
        pub blend: Blend = Blend::Normal => open(),
    }
}

describe! {
    /// In which directions a picture is repeated.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Repeat: words "repeat" {
        /// In none.
        #[default]
        Once,
        /// To the left and right.
        X,
        /// Up and down.
        Y,
        /// In all.
        Both,
    }
}

impl Repeat {
    /// Whether it is repeated in x, and in y.
    #[must_use]
    pub fn axes(self) -> [bool; 2] {
        [matches!(self, Self::X | Self::Both), matches!(self, Self::Y | Self::Both)]
    }
}

describe! {
    /// How colors are put over those that are there already.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    pub enum Blend: words "blend mode" {
        /// In front of them.
        #[default]
        Normal,
        /// Added: light.
        Add,
        /// Multiplied: shadow, stained glass.
        Multiply,
        /// Both inverted, multiplied and inverted again: light that never grows brighter than white.
        Screen,
    }
}
