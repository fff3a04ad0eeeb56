//! Levelwright: a desktop editor in which the levels, entities, behaviour and constants of a 2D game are data.
//!
//! The modules in reading order. Each answers one question and looks only down the list; `tests/core/architecture.rs`
//! proves it.
//!
//! | module | question | may use |
//! |---|---|---|
//! | [`model`] | what is edited? | – |
//! | [`defs`] | what does it amount to? | model |
//! | [`edit`] | how does it change? | model |
//! | [`explain`] | why is it so, and what would a change reach? | model, defs |
//! | [`refactor`] | how does meaning move? | model, defs, edit, explain |
//! | [`check`] | what is wrong? | model, defs, edit, explain, refactor |
//! | [`sim`] | what does it do? | model, defs |
//! | [`raster`] | what does it look like, in pixels? | model, defs, sim |
//! | [`io`] | where from, where to? | model, defs |
//! | [`layout`] | where do the boxes of a graph stand? | – |
//! | [`tools`] | what does the pointer do? | model, defs, edit |
//! | `ui` (feature `gui`) | how does the window look? | all but io |
//! | `app` (feature `gui`) | who wires it? | all of these |
//! | `cli` (feature `cli`) | what can be asked without a window? | all of these |
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
