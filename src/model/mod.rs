//! The data model: plain data, as in the project's files.
//!
//! Invariant: nothing derived is stored here, nothing here touches files, time or the window, and every reference
//! between documents is a name. Reading and writing text is `io`; resolving names is `defs`.

mod builtin;
mod cell_set;
mod cell_transform;
mod chunk;
mod custom_fields;
mod difference;
mod entity;
mod finding;
mod ids;
mod layer_tree;
mod level;
mod machine;
mod merge;
mod near;
mod nearby;
mod number;
mod project;
mod range;
pub mod reflect;
mod removal;
mod response;
mod saved;
mod scenario;
mod schema;
mod shape;
mod sound;
mod stamp;
mod tile;
mod tile_layer;
mod tiles_by_chunk;
mod tileset;
mod tuning;
mod tuning_overlay;
mod typed;
mod value;
mod value_text;
mod waypoint;
mod words;

pub use builtin::{Builtin, LIFE};
pub use cell_set::CellSet;
pub use cell_transform::CellTransform;
pub use chunk::Chunk;
pub use custom_fields::FieldsOf;
pub use difference::Difference;
pub use entity::{Components, EntitiesFile, EntityDef, Instance, OpKind, Ops};
pub use finding::{FieldPath, Finding, Location, Seg, Severity, Span};
pub use ids::{DocKind, DocPath, Name, fresh_id, mix};
pub use layer_tree::LayerLook;
pub use level::{
    Blend, CellGrid, Cells, GroupLayer, ImageLayer, Layer, LayerContent, Level, Region, Repeat, TileLayer, ValueLayer,
    ValueName,
};
pub use machine::{Call, Condition, Machine, MachinesFile, RESERVED_MESSAGES, State, Transition, Trigger};
pub use merge::{Contest, Side};
pub use near::{Suggestions, advice, after, did_you_mean, mean, meant};
pub use nearby::{Nearby, PxBox};
pub use number::{BadNumber, read_number, short_number};
pub use project::{Content, Document, LevelView, Project, ProjectFile};
pub use range::{Outside, nearest_within, outside};
pub use removal::{RemovePath, RemoveStep};
pub use response::{SMOOTHERS, SmootherSpec, read_by, reads};
pub use saved::Saved;
pub use scenario::{
    Cue, CueKind, Expectation, Expected, ExpectedPlace, ExpectedState, MoveCue, PressCue, PullCue, ReleaseCue,
    Scenario, SendCue, TuneCue, When,
};
pub use schema::{
    CallSpec, ComponentSpec, FieldSpec, FieldType, MessageSpec, OnCanvas, Schema, TypeError, TypeErrorKind, color_text,
    parse_color,
};
pub use shape::{Shape, check_convex};
pub use sound::{Unsound, too_deep, unsound};
pub use stamp::{StampFile, StampLayer};
pub use tile::{CHUNK, Cell, REGION, Tile, chunk_of, region_of};
pub use tile_layer::{ChunkPair, Tiles};
pub use tileset::{
    MAX_CONVEYOR, MAX_COST, NO_TERRAIN, TerrainMode, TerrainSet, TileDef, TileFrame, TileShape, Tileset,
};
pub use tuning::{Tunable, TuningPage};
pub use tuning_overlay::{TuningOverlay, TuningSetId, TuningSide, ValueSet, rename_values};
pub use typed::{Typed, read_typed, read_typed_pair, typed_number};
pub use value::{Fields, Value, float_text};
pub use waypoint::{Link, LinkBy, Node, WaypointGraph};
pub use words::{capitalized, counted, counted_doing, sentence, shortened};
