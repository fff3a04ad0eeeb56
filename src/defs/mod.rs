//! Inheritance: resolving definitions and placed entities.
//!
//! Invariant: nothing here mutates the project and nothing fails; what cannot be resolved is left out with a finding
//! and everything else keeps working. Which findings are shown, and how they are fixed, is `check`.

mod apply;
mod catalog;
mod declarer;
mod entry;
mod full;
mod history;
mod incremental;
mod instance;
mod linearize;
mod named;
mod op_record;
mod overrides;
mod resolution;
mod resolve;
mod resolved;
mod shared_map;
mod values;
mod vocabulary;

pub use crate::model::{RemovePath, RemoveStep};
pub use catalog::ResolvedPage;
pub use entry::{Effort, MAX_DEPTH};
pub use linearize::{Disorder, linearize};
pub use named::{Named, NamedIter};
pub use op_record::{ComponentHistory, OpRecord, Presence, ValueHistory};
pub use resolution::{Resolution, Written};
pub use resolve::resolve;
pub use resolved::{AppliedOp, Badge, Resolved, ResolvedComponent, ResolvedField, Source};
pub use shared_map::{NameMap, SharedMap};
pub use values::operated;
