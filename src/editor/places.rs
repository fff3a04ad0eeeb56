//! Where things stand in files.

use crate::model::Location;

/// Turns a place in a document into line and column of its file.
pub trait Places {
    /// Both from 1; `None` for a document that has no file.
    fn line_column(&self, location: &Location) -> Option<(u32, u32)>;
}
