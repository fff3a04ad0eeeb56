//! What game builds read: the shape of `game.json` and `game.ron`. It depends on nothing of the editor's own model, so
//! the model may change while this stays; a change of meaning here raises [`FORMAT`]. `schemas/export.schema.json` is
//! made from these types.
//!
//! `V` is a value as the target writes it: [`serde_json::Value`] for JSON, raw RON for RON.

use std::{borrow::Cow, collections::BTreeMap, marker::PhantomData};

use indexmap::IndexMap;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};

/// The version of the export's format. Games should refuse another.
pub const FORMAT: u32 = 1;

/// A whole game: everything a build needs, inheritance applied, nothing left to look up elsewhere.
///
/// Positions and sizes are in pixels with y down, angles in degrees clockwise, times in seconds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Game<V> {
    /// The version of this format: 1.
    pub format: u32,
    /// The game's name.
    pub name: String,
    /// The level opened first, a key of `levels`.
    pub start_level: String,
    /// How levels are seen unless they declare it themselves.
    pub view: LevelView,
    /// Constants: by page, then by name.
    pub tuning: BTreeMap<String, IndexMap<String, Constant<V>>>,
    /// Enum and flag types: their values in order.
    pub enums: BTreeMap<String, Vec<String>>,
    /// What entities are made of.
    pub components: BTreeMap<String, Component<V>>,
    /// What every level has in `fields`.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub level_fields: IndexMap<String, Field<V>>,
    /// What every layer has in `fields`.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub layer_fields: IndexMap<String, Field<V>>,
    /// What every tile has in `fields`.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub tile_fields: IndexMap<String, Field<V>>,
    /// Messages that machines can receive: payload fields by message.
    pub messages: BTreeMap<String, Message<V>>,
    /// Kinds of entity, by name, with inheritance applied.
    pub definitions: BTreeMap<String, Definition<V>>,
    /// State machines by name.
    pub machines: BTreeMap<String, Machine<V>>,
    /// Tilesets by name.
    pub tilesets: BTreeMap<String, Tileset<V>>,
    /// Levels by name.
    pub levels: BTreeMap<String, Level<V>>,
}

/// How a level is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "View")]
pub enum LevelView {
    /// From the side, with gravity.
    Platformer,
    /// From above.
    TopDown,
}

/// A constant of a tuning page.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Constant<V> {
    /// Its value.
    pub value: V,
    /// Smallest sensible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Largest sensible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Of the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What it means.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
}

/// A component's declaration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Component<V> {
    /// What it is for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// Its fields in order. An entity that has the component has every one of them.
    pub fields: IndexMap<String, Field<V>>,
}

/// A message's declaration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Message<V> {
    /// When it is sent, or what it asks for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// What travels with it.
    pub payload: IndexMap<String, Field<V>>,
}

/// A field's declaration.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Field<V> {
    /// As schema files write it: `Float`, `Enum(Team)`, `List(Machine)`, `Map(Struct)`.
    ///
    /// In JSON a `Vec2` is `[x, y]`, a `Color` is `"#rrggbb"` or `"#rrggbbaa"`, an enum's word and every name is a
    /// string, `Flags` is a list of words, an `Option` is the value or null, a `Struct` and a `Map` are objects, an
    /// `Image` and a `Sound` are paths beside this file, and a `Shape` is `{"kind": "box", "size": [w, h]}`,
    /// `{"kind": "circle", "radius": r}`, `{"kind": "capsule", "radius": r, "height": h}` or
    /// `{"kind": "polygon", "points": [[x, y], …]}` around the entity's origin.
    #[serde(rename = "type")]
    pub ty: String,
    /// Its value where none is declared.
    pub default: V,
    /// Smallest allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// Largest allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Of the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// What it means.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// The fields of the struct in `type`, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fields: Option<IndexMap<String, Field<V>>>,
}

/// Components by name, each with all its fields by name.
pub type Components<V> = IndexMap<String, IndexMap<String, V>>;

/// A kind of entity.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Definition<V> {
    /// Exists to be inherited; never placed or spawned.
    #[serde(rename = "abstract")]
    pub is_abstract: bool,
    /// Every ancestor and itself, bases first. An entity *is a* `monster` when this list has it.
    pub lineage: Vec<String>,
    /// What it is made of.
    pub components: Components<V>,
}

/// A level.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Level<V> {
    /// Width and height in tiles; null for an unbounded level.
    pub size: Option<[u32; 2]>,
    /// Width and height of a cell.
    pub tile_size: [u32; 2],
    /// How it is seen.
    pub view: LevelView,
    /// Whether paths may cut the corner of a blocked cell.
    pub corner_cutting: bool,
    /// Left, top, right, bottom.
    pub bounds: [f64; 4],
    /// Behind all layers, as `"#rrggbb"` or `"#rrggbbaa"`; none shows what is behind the game.
    pub background: Option<String>,
    /// The game's own fields, as `level_fields` declares them.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub fields: IndexMap<String, V>,
    /// The groups that layers are in, each after those around it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Group<V>>,
    /// Back to front, also those in groups.
    pub layers: Vec<Layer<V>>,
}

/// A group of layers. How it looks is part of how its layers look.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Group<V> {
    /// Unique among the level's layers and groups.
    pub name: String,
    /// The groups around it, from the outside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// The game's own fields, as `layer_fields` declares them.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub fields: IndexMap<String, V>,
}

/// A layer. Of `tiles`, `entities`, `waypoints`, `image` and `values`, the one that `kind` names is there.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Layer<V> {
    /// Unique in its level.
    pub name: String,
    /// What it holds.
    pub kind: LayerKind,
    /// The groups around it, from the outside. How they look is in what follows: opacity, tint and parallax are
    /// multiplied with theirs, their offsets added, and it is drawn where all of them are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// Drawn.
    pub visible: bool,
    /// 0 to 1.
    pub opacity: f64,
    /// Multiplied with its colors: `"#rrggbb"` or `"#rrggbbaa"`.
    pub tint: String,
    /// How much it moves with the camera; 1 moves with the world, 0 stays on the screen.
    pub parallax: [f64; 2],
    /// Shift of everything in it.
    pub offset: [f64; 2],
    /// Width and height of its own cells, where they are not the level's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tile_size: Option<[u32; 2]>,
    /// The game's own fields, as `layer_fields` declares them.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub fields: IndexMap<String, V>,
    /// The tiles of a tile layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tiles: Option<Tiles>,
    /// The entities of an entity layer, in the order they were placed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entities: Option<Streamed<Entity<V>>>,
    /// The graph of a waypoint layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waypoints: Option<Waypoints>,
    /// The picture of an image layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<LayerImage>,
    /// The values of a value layer, which is not meant to be drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Values>,
}

/// What a layer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// Tiles of one tileset.
    Tiles,
    /// Placed entities.
    Entities,
    /// A waypoint graph.
    Waypoints,
    /// A picture.
    Image,
    /// A number a cell.
    Values,
}

/// The values of a layer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Values {
    /// The values that have names, by their number.
    pub names: Vec<ValueName>,
    /// Squares of 32 × 32 cells that have values; everywhere else is none.
    pub chunks: Streamed<ValueChunk>,
}

/// A named value.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ValueName {
    /// The number that cells have.
    pub value: u32,
    /// What it is called.
    pub name: String,
    /// `"#rrggbb"` or `"#rrggbbaa"`.
    pub color: String,
}

/// 32 × 32 values.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ValueChunk {
    /// Column and row of its first cell, in cells of the layer.
    pub at: [i32; 2],
    /// 32 rows of 32 numbers from the top, from 1 to 65535; 0 is none.
    pub rows: Vec<Vec<u32>>,
}

/// The picture of an image layer, its left top at the layer's offset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct LayerImage {
    /// PNG beside this file.
    pub image: String,
    /// Whether it is repeated without end in x, and in y.
    pub repeat: [bool; 2],
    /// How its colors are put over those behind it.
    pub blend: Blend,
}

/// The tiles of a layer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tiles {
    /// A key of `tilesets`.
    pub tileset: String,
    /// Whether its solid tiles stop bodies and paths.
    pub collide: bool,
    /// How its colors are put over those behind it.
    pub blend: Blend,
    /// Squares of 32 × 32 cells that have tiles; everywhere else is empty.
    pub chunks: Streamed<Chunk>,
}

/// How colors `s`, with opacity, tint and alpha multiplied in, are put over colors `d` that are there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Blend {
    /// `s + d * (1 - alpha of s)`
    Normal,
    /// `s + d`
    Add,
    /// `s * d + d * (1 - alpha of s)`
    Multiply,
    /// `s + d - s * d`
    Screen,
}

/// 32 × 32 cells.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Chunk {
    /// Column and row of its first cell, in cells of the layer.
    pub at: [i32; 2],
    /// 32 rows of 32 numbers from the top. -1 is empty. Else the lower 29 bits (`n % 536870912`) are the tile's id, and
    /// the upper bits its flips: 536870912 about the diagonal (x and y exchanged, done first), 1073741824 top to
    /// bottom, 2147483648 left to right.
    pub rows: Vec<Vec<i64>>,
}

/// A placed entity.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Entity<V> {
    /// Unique in its level.
    pub id: String,
    /// A key of `definitions`.
    pub def: String,
    /// Its origin.
    pub at: [f64; 2],
    /// Clockwise, in degrees.
    pub rotation: f64,
    /// What it is made of: its definition's components with its own changes applied.
    pub components: Components<V>,
}

/// A waypoint graph.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Waypoints {
    /// In the order routes visit them.
    pub nodes: Vec<Node>,
    /// Every link there is, the automatic ones too; broken ones are left out.
    pub links: Streamed<Link>,
}

/// The place of a list that may be too large for memory: a text that is nowhere else in the export, where
/// `super::stream` writes the list's items one by one.
#[derive(Clone, Debug)]
pub struct Streamed<T> {
    mark: String,
    items: PhantomData<T>,
}

impl<T> Streamed<T> {
    pub(super) fn at(mark: String) -> Self {
        Self { mark, items: PhantomData }
    }
}

impl<T> Serialize for Streamed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.mark)
    }
}

/// The schema is that of the list.
impl<T: JsonSchema> JsonSchema for Streamed<T> {
    fn inline_schema() -> bool {
        <Vec<T>>::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        <Vec<T>>::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        <Vec<T>>::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        <Vec<T>>::json_schema(generator)
    }
}

/// A waypoint.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Node {
    /// Unique in its level.
    pub id: String,
    /// Its place.
    pub at: [f64; 2],
    /// Tags to choose it by.
    pub tags: Vec<String>,
}

/// A link between two nodes.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Link {
    /// A node's id.
    pub from: String,
    /// A node's id.
    pub to: String,
    /// The length in pixels, unless it is set by hand.
    pub cost: f64,
    /// Only from `from` to `to`; else in both directions.
    pub one_way: bool,
    /// Who made it.
    pub by: LinkBy,
}

/// Who made a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkBy {
    /// A person.
    Hand,
    /// The editor, because the straight line is clear.
    Auto,
}

/// A tileset.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tileset<V> {
    /// Path of its PNG, beside this file.
    pub image: String,
    /// Width and height of a tile.
    pub tile_size: [u32; 2],
    /// Its tiles.
    pub tiles: Vec<Tile<V>>,
}

/// A tile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Tile<V> {
    /// As in the rows of a chunk.
    pub id: u32,
    /// May be empty.
    pub name: String,
    /// Left and top of its picture in the image.
    pub source: [u32; 2],
    /// Corners of its solid part from the cell's top left, before flips; empty when nothing is solid.
    pub solid: Vec<[f64; 2]>,
    /// Solid only from above.
    pub one_way: bool,
    /// Of its surface; null for the usual.
    pub friction: Option<f64>,
    /// Walkers with `Climb` climb it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ladder: bool,
    /// Walkers with `Swim` swim in it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub water: bool,
    /// What stands on it is carried to the right so fast, in px/s; to the left below zero.
    #[serde(skip_serializing_if = "is_still")]
    pub conveyor: f64,
    /// Cost of a step by agent kind; 1 where none is given.
    pub cost: IndexMap<String, f64>,
    /// Tags to find it by.
    pub tags: Vec<String>,
    /// Its animation, if it has one: tiles of this set, shown in turn.
    pub frames: Vec<Frame>,
    /// The game's own fields, as `tile_fields` declares them.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub fields: IndexMap<String, V>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde calls it")]
fn is_still(speed: &f64) -> bool {
    *speed == 0.0
}

/// One picture of an animated tile.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Frame {
    /// The tile whose picture is shown.
    pub tile: u32,
    /// How long.
    pub secs: f64,
}

/// A state machine: a tree of states, listed parents first.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Machine<V> {
    /// Every state; the first is the root, whose path is empty: the global section.
    pub states: Vec<State<V>>,
}

/// A state.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct State<V> {
    /// The path from the root, as in `Attack/Aim`; empty for the root.
    pub path: String,
    /// The state it is in; null for the root.
    pub parent: Option<String>,
    /// Paths of the states directly in it, in order.
    pub children: Vec<String>,
    /// The path of the child entered with it; null when it is entered alone.
    pub initial: Option<String>,
    /// Done on entering.
    pub enter: Vec<Call<V>>,
    /// Done on leaving.
    pub exit: Vec<Call<V>>,
    /// Done each tick, unless a transition fires.
    pub update: Vec<Call<V>>,
    /// Answers to messages.
    pub on: IndexMap<String, Vec<Call<V>>>,
    /// Transitions; the first that matches is taken.
    pub transitions: Vec<Transition<V>>,
}

/// A transition from one state to another. It has one of `when`, `on` and `after`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Transition<V> {
    /// Fires when this holds, checked every tick.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<Condition<V>>,
    /// Fires on this message.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on: Option<String>,
    /// Fires this long after the state was entered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<f64>,
    /// Fires only if this holds as well.
    #[serde(rename = "if", skip_serializing_if = "Option::is_none")]
    pub guard: Option<Condition<V>>,
    /// Done between leaving and entering.
    #[serde(rename = "do")]
    pub actions: Vec<Call<V>>,
    /// Path of the state entered.
    pub to: String,
}

/// A named action with all its arguments.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Call<V> {
    /// The action or condition.
    pub name: String,
    /// Every argument, those left out with their default.
    pub args: IndexMap<String, V>,
}

/// A question: a call, or other questions joined.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Condition<V> {
    /// A named condition.
    Call(Call<V>),
    /// Every one holds.
    All(Vec<Condition<V>>),
    /// At least one holds.
    Any(Vec<Condition<V>>),
    /// It does not hold.
    Not(Box<Condition<V>>),
}
