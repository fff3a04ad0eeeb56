//! Canvases: one camera, cached pictures of tile chunks, what is painted over them.
//!
//! Invariant: what a frame costs depends on what is visible, not on how large the level is.

mod arrange;
pub mod camera;
pub mod chunks;
pub mod ghost;
pub mod graph;
mod lines;
pub mod looks;
pub mod navigate;
pub mod overlay;
pub mod paint;
mod reach;
