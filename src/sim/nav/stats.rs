//! The effort of a search.

/// The effort of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Nodes taken from the open list and expanded.
    pub expanded: u32,
    /// The most nodes open at one time.
    pub max_open: u32,
}
