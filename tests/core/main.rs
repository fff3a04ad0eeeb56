//! Everything that needs no window, in one binary. A file answers for one area.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::wildcard_imports,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::type_complexity,
    clippy::field_reassign_with_default,
    reason = "tests and benches make up small numbers and short texts"
)]
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on should say where")]

mod architecture;
#[cfg(feature = "cli")]
mod asked;
mod avoid;
mod behavior;
mod build;
mod camera;
mod cases;
mod cell_set;
mod cells;
mod check;
mod check_again;
mod clearance;
#[cfg(feature = "cli")]
mod cli;
mod comments;
mod components;
mod constants;
#[path = "../corpora/mod.rs"]
mod corpora;
mod custom_fields;
mod damaged;
mod defs;
mod defs_overrides;
mod defs_random;
mod differences;
mod edit;
mod edit_paths;
mod editor;
mod entity_refs;
mod explain;
mod find;
mod follow;
#[cfg(feature = "cli")]
mod game_build;
mod grid;
mod groups;
mod hierarchies;
mod journal;
mod layers;
mod layout;
mod level_files;
mod levels;
mod limits;
mod line_ends;
mod load;
mod merge;
mod migrate;
mod mirror;
mod motion;
mod moved_layers;
mod nav;
mod nav_regions;
mod nav_requests;
mod nearby;
mod new_project;
#[cfg(feature = "cli")]
mod outputs;
mod overlay;
mod overrides;
mod own_cells;
mod physics;
mod picture;
#[cfg(feature = "watch")]
mod pipeline;
mod places;
mod preview;
mod probe;
mod problems;
mod recording;
mod regions;
mod removal;
mod rename;
mod renamed;
mod replace;
mod report;
mod reshape;
mod resize;
mod response;
mod ron_text;
mod rules;
mod save;
mod several_layers;
mod sheet;
mod stamps;
mod table;
#[cfg(feature = "cli")]
mod terminal;
mod text;
mod text_places;
mod tile_layer;
mod tiles;
mod tools;
mod tracks;
#[cfg(feature = "cli")]
mod unreadable;
mod values;
#[path = "../corpora/walker.rs"]
mod walker;
#[cfg(feature = "watch")]
mod watch;
mod world;
