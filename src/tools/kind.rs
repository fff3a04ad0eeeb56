//! Which tools there are, what they are called and how they are reached.

use serde::{Deserialize, Serialize};

/// A tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ToolKind {
    /// Select, move.
    #[default]
    Select,
    /// Paint with the brush.
    Pencil,
    /// Paint a straight line.
    Line,
    /// Paint a rectangle.
    Rectangle,
    /// Paint an ellipse.
    Ellipse,
    /// Fill an area of equal tiles.
    Bucket,
    /// Replace a tile everywhere.
    SameTile,
    /// Paint tiles that choose their own edges.
    Terrain,
    /// Place copies of the whole brush.
    Stamp,
    /// Take tiles away.
    Eraser,
    /// Take tiles of the level as brush.
    Eyedropper,
    /// Place entities.
    Entity,
    /// Add, move and chain waypoints.
    Waypoint,
    /// Link waypoints, and break links.
    Link,
}

impl ToolKind {
    /// Every tool, in the order of the toolbar.
    pub const ALL: [Self; 14] = [
        Self::Select,
        Self::Pencil,
        Self::Line,
        Self::Rectangle,
        Self::Ellipse,
        Self::Bucket,
        Self::SameTile,
        Self::Terrain,
        Self::Stamp,
        Self::Eraser,
        Self::Eyedropper,
        Self::Entity,
        Self::Waypoint,
        Self::Link,
    ];

    /// Its name in menus and tooltips.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.words().0
    }

    /// The key that takes it in hand.
    #[must_use]
    pub fn shortcut(self) -> char {
        self.words().1
    }

    /// One line for the status bar: what the pointer does with it.
    #[must_use]
    pub fn hint(self) -> &'static str {
        self.words().2
    }

    /// Whether it paints tiles.
    #[must_use]
    pub fn is_for_tiles(self) -> bool {
        !matches!(self, Self::Select | Self::Entity | Self::Waypoint | Self::Link)
    }

    fn words(self) -> (&'static str, char, &'static str) {
        match self {
            Self::Select => (
                "Select",
                'S',
                "Click to select, Shift adds; drag to move, Alt off the grid; drag from nothing for a frame",
            ),
            Self::Pencil => ("Pencil", 'B', "Drag to paint; Shift for a straight line; right-drag takes a brush"),
            Self::Line => ("Line", 'L', "Drag to paint a line; Shift keeps to eight directions"),
            Self::Rectangle => ("Rectangle", 'R', "Drag to fill a rectangle; Shift for a square, Ctrl for the outline"),
            Self::Ellipse => ("Ellipse", 'O', "Drag to fill an ellipse; Shift for a circle, Ctrl for the outline"),
            Self::Bucket => ("Bucket", 'G', "Click to fill an area of equal tiles"),
            Self::SameTile => ("Replace tile", 'H', "Click to replace this tile everywhere on the layer"),
            Self::Terrain => ("Terrain", 'T', "Drag to paint ground that finds its own edges; Ctrl takes it away"),
            Self::Stamp => {
                ("Stamp", 'C', "Click to place the whole brush, drag for a pattern; right-drag takes a brush")
            }
            Self::Eraser => ("Eraser", 'E', "Drag to erase; Shift for a straight line"),
            Self::Eyedropper => ("Eyedropper", 'I', "Click a tile or drag over some to take them as brush"),
            Self::Entity => ("Entity", 'N', "Click to place; drag to put it exactly, Alt off the grid"),
            Self::Waypoint => {
                ("Waypoint", 'W', "Click to add and link on; drag moves, onto another links; Ctrl-click breaks a link")
            }
            Self::Link => ("Link", 'K', "Drag from waypoint to waypoint, Shift for one way; click a link to break it"),
        }
    }
}
