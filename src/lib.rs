//! Levelwright: a desktop editor in which the levels, entities, behaviour and constants of a 2D game are data.
//!
//! The modules in reading order: [`model`], [`defs`], [`edit`], [`explain`], [`refactor`], [`check`], [`sim`],
//! [`raster`], [`io`], [`layout`], [`tools`], [`editor`]; then `ui` and `app` (feature `gui`) and `cli` (feature
//! `cli`). Each answers one question and looks only at those before it; which ones, says the code map in
//! ARCHITECTURE.md.
//!
//! A game's build, or a tool, can use what the window uses:
//!
//! ```
//! use levelwright::{defs, io, model::Builtin};
//!
//! let loaded = io::load("sample_data".as_ref());
//! let builtin = Builtin { schema: io::builtin_schema(), tuning: io::builtin_tuning() };
//! let resolution = defs::resolve(&loaded.project, &builtin, None);
//! let goblin = &resolution.defs["goblin"];
//! assert!(goblin.is_a("monster"));
//! assert!(goblin.f64("Walker", "speed").is_some_and(|speed| speed > 0.0));
//! ```

#[cfg(feature = "gui")]
pub mod app;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod defs;
pub mod edit;
pub mod editor;
pub mod explain;
pub mod io;
pub mod layout;
pub mod model;
pub mod raster;
pub mod refactor;
pub mod sim;
pub mod tools;
#[cfg(feature = "gui")]
pub mod ui;
