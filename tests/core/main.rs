//! Everything that needs no window, in one binary. A file answers for one area.
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on should say where")]

mod architecture;
mod behavior;
mod build;
mod check;
mod cli;
mod defs;
mod defs_random;
mod edit;
mod game_build;
mod grid;
mod load;
mod motion;
mod nav;
mod new_project;
mod physics;
mod preview;
mod report;
mod ron_text;
mod save;
mod tools;
mod watch;
mod world;
