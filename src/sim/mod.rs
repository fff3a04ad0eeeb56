//! The preview. A level is compiled into a [`World`], which runs by itself, tick by tick.
//!
//! Invariant: the same project, seed and inputs give the same world, bit for bit; no clock, no threads, no iteration
//! over a hash map, and nothing flows back into the project. Lengths are pixels with y down, angles radians, times
//! seconds or ticks. Drawing the world is `raster` and `ui`; its data comes from `model` and `defs`.

pub mod avoid;
mod batch;
pub mod behavior;
mod by_chunk;
pub mod camera;
pub mod clip;
pub mod components;
pub mod flock;
pub mod fuzzy;
pub mod grid;
pub mod insight;
pub mod limits;
pub mod motion;
pub mod nav;
mod paged;
pub mod physics;
pub mod probe;
pub mod random;
pub mod recorded_scenario;
mod recording;
pub mod response;
pub mod scenario;
pub mod session;
pub mod steering;
pub mod tracks;
pub mod world;

pub use batch::{Batch, Ran};
pub use components::Appearance;
pub use session::Session;
pub use world::{
    Actions, CONTROLS_PAGE, DifferenceKind, EntityDifference, EntityView, Hand, Input, Options, PathTuning, Snapshot,
    TraceEvent, TraceKind, World, arrive_px, control_constant, reach_px, walker_in,
};

slotmap::new_key_type! {
    /// An entity of the world: index and version, so a key kept after its entity is removed never refers to another.
    pub struct EntityKey;
}
