//! RON as text: a tree of the values of a file with their spans, and edits of the text that touch nothing else.
//!
//! Invariant: every function here is total. No bytes make it panic, hang, or recurse deeper than [`MAX_DEPTH`]; what it
//! cannot read it refuses with a place. What the values mean is `codec`; nothing here knows a document.
//!
//! The reader is our own. `ronin-core`'s lossless tree was tried first: its parser lets a missing colon or value pass,
//! and the tree costs several times the text; a tree that borrows the text needs neither, and is strict where it
//! counts.

mod assembly;
mod carried;
mod edit;
mod form;
mod format;
mod index;
mod inline;
mod layout;
mod lines;
mod moved;
mod parse;
mod part;
mod patch;
mod pieces;
mod plan;
mod renamed;
mod respell;
mod scan;
mod tree;
mod write;

pub use carried::{Dropped, Entry as Carryable, Placed, Remark};
pub use form::{Custom, Form, List, ListBy, Map, Slot};
pub use format::format;
pub use index::Index;
pub use inline::inline;
pub use lines::Lines;
pub use parse::{MAX_BYTES, MAX_DEPTH, parse};
pub use part::part;
pub use patch::{Patched, patch, patch_with};
pub use scan::SyntaxError;
pub use tree::{Entry, Field, Kind, Node, Tree};
pub use write::{write, write_part, write_with};
