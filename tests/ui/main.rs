//! The window as people use it, in one binary: found by accessible name, driven by pointer and keys, on a copy of the
//! sample game, without a graphics card but for `images`. A file answers for one part of the work.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on should say where")]

mod by_keys;
mod cameras;
mod commands;
mod controls;
mod definitions;
mod entities;
mod entity_fields;
mod family;
mod files;
mod focus;
mod images;
mod inspector;
#[path = "../corpora/large.rs"]
mod large;
mod layers;
mod level_menu;
mod levels;
mod live;
mod machines;
mod offsets;
mod own_cells;
mod play;
mod playback;
mod probe;
mod problems;
mod profiler;
mod records;
mod recover;
mod replace;
mod resize;
mod sheet;
mod sounds;
mod stamps;
mod states;
mod tiles;
mod tilesets;
mod timeline;
mod tuning;
mod waypoints;
mod window;
