//! WHERE FROM AND WHERE TO: files to documents and back, with every byte that nobody changed left alone.
//!
//! Invariants: nothing outside the project's folder is read or written; no content of a file makes anything here panic,
//! hang or run away with memory; a file that cannot be read costs a finding, never the project. What data means is not
//! decided here.

pub mod codec;
pub mod export;
pub mod files;
mod load;
pub mod ron_text;
mod save;
mod sources;

pub use load::{Loaded, builtin_schema, builtin_tuning, load, load_one};
pub use save::{Meanwhile, SaveError, Saved, Saving, text_of, write};
pub use sources::{Source, Sources, content_hash};
