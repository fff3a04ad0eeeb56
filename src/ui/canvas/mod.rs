//! Canvases: one camera, tile layers on the graphics card, what is painted over them.
//!
//! Invariant: what a frame costs depends on what is visible, not on how large the level is.

mod arrange;
pub mod camera;
pub mod cameras;
pub mod fields;
pub mod game;
pub mod ghost;
pub mod ghosts;
pub mod graph;
pub mod insight;
pub mod labels;
mod lines;
pub mod looks;
pub mod navigate;
pub mod nearby;
pub mod overlay;
pub mod paint;
pub mod probe;
mod reach;
pub mod references;
pub mod routes;
pub mod selection;
pub mod text;
pub mod tiles;
mod tiles_gpu;
