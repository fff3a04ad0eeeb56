//! What a search took.

/// How much work a search was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Nodes taken from the open list and looked around from.
    pub expanded: u32,
    /// The most nodes open at one time.
    pub max_open: u32,
}
