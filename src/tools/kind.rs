//! The kinds of tools, with their names and keys.

use serde::{Deserialize, Serialize};

/// A tool.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ToolKind {
    /// Select, move.
    #[default]
    Select,
    /// Select a rectangle of cells, move what is on them.
    SelectCells,
    /// Select the cells that a line is drawn around.
    Lasso,
    /// Select an area of equal tiles.
    Wand,
    /// Select a tile everywhere.
    SelectSame,
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
    /// Repeat entities and waypoints along a line.
    Repeat,
    /// Add, move and chain waypoints.
    Waypoint,
    /// Link waypoints, and break links.
    Link,
    /// Look for a path from one place to another.
    Probe,
}

/// How a tool is called and reached.
#[derive(Clone, Copy, Debug)]
pub struct ToolSpec {
    /// In menus and on its button.
    pub name: &'static str,
    /// The letter that chooses it.
    pub key: char,
    /// One sentence for its tooltip.
    pub tip: &'static str,
    /// One line for the status bar: what the pointer does with it.
    pub hint: &'static str,
}

impl ToolKind {
    /// Every tool, in the order of the toolbar.
    pub const ALL: [Self; 20] = [
        Self::Select,
        Self::SelectCells,
        Self::Lasso,
        Self::Wand,
        Self::SelectSame,
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
        Self::Repeat,
        Self::Waypoint,
        Self::Link,
        Self::Probe,
    ];

    /// Whether what it paints or places is chosen in the Palette.
    #[must_use]
    pub fn is_of_palette(self) -> bool {
        self.paints_brush() || matches!(self, Self::Terrain | Self::Entity)
    }

    /// Whether it paints the brush: what is chosen in the palette.
    #[must_use]
    pub fn paints_brush(self) -> bool {
        match self {
            Self::Pencil
            | Self::Line
            | Self::Rectangle
            | Self::Ellipse
            | Self::Bucket
            | Self::SameTile
            | Self::Stamp => true,
            Self::Select
            | Self::SelectCells
            | Self::Lasso
            | Self::Wand
            | Self::SelectSame
            | Self::Terrain
            | Self::Eraser
            | Self::Eyedropper
            | Self::Entity
            | Self::Repeat
            | Self::Waypoint
            | Self::Link
            | Self::Probe => false,
        }
    }

    /// Whether it works on tiles alone.
    #[must_use]
    pub fn is_for_tiles(self) -> bool {
        !matches!(self, Self::Select | Self::Entity | Self::Repeat | Self::Waypoint | Self::Link | Self::Probe)
    }

    /// Whether it puts things or ends of a path into the level, which Esc ends.
    #[must_use]
    pub fn places_things(self) -> bool {
        matches!(self, Self::Entity | Self::Repeat | Self::Waypoint | Self::Link | Self::Probe)
    }

    /// Whether it selects cells.
    #[must_use]
    pub fn selects_cells(self) -> bool {
        matches!(self, Self::SelectCells | Self::Lasso | Self::Wand | Self::SelectSame)
    }

    /// Whether the right button opens a menu. With the other tools it takes a brush from the level.
    #[must_use]
    pub fn opens_menu(self) -> bool {
        match self {
            Self::Select
            | Self::SelectCells
            | Self::Lasso
            | Self::Wand
            | Self::SelectSame
            | Self::Entity
            | Self::Repeat
            | Self::Waypoint
            | Self::Link
            | Self::Probe => true,
            Self::Pencil
            | Self::Line
            | Self::Rectangle
            | Self::Ellipse
            | Self::Bucket
            | Self::SameTile
            | Self::Terrain
            | Self::Stamp
            | Self::Eraser
            | Self::Eyedropper => false,
        }
    }

    /// Whether it goes over the cells with a brush that has a size.
    #[must_use]
    pub fn has_tip(self) -> bool {
        matches!(self, Self::Pencil | Self::Terrain | Self::Eraser)
    }

    /// Whether what it paints can be an outline.
    #[must_use]
    pub fn has_outline(self) -> bool {
        matches!(self, Self::Rectangle | Self::Ellipse)
    }

    /// Whether it looks for cells of the same tile.
    #[must_use]
    pub fn finds_tiles(self) -> bool {
        matches!(self, Self::Bucket | Self::SameTile | Self::Wand | Self::SelectSame)
    }

    /// Name, key, tooltip and hint; its icon is the window's.
    #[must_use]
    pub fn spec(self) -> ToolSpec {
        let (name, key, tip, hint) = match self {
            Self::Select => (
                "Select",
                'S',
                "Select, move and duplicate entities and waypoints",
                "Click to select, Shift adds; drag to move, Ctrl to duplicate, Alt to snap to nothing; drag on empty ground for an area",
            ),
            Self::SelectCells => (
                "Select tiles",
                'M',
                "Select a rectangle of tiles, and move them",
                "Drag to select; Shift adds, Ctrl subtracts, both intersect; drag the selection to move it, Alt to copy it",
            ),
            Self::Lasso => (
                "Lasso",
                'J',
                "Select the tiles that a line is drawn around",
                "Draw around tiles to select them; Shift adds, Ctrl subtracts, both intersect; drag the selection to move it",
            ),
            Self::Wand => (
                "Magic wand",
                'U',
                "Select an area of equal tiles",
                "Click to select an area of equal tiles; Shift adds, Ctrl subtracts, both intersect; drag it to move it",
            ),
            Self::SelectSame => (
                "Select same tile",
                'A',
                "Select a tile everywhere on the layer",
                "Click to select this tile everywhere on the layer; Shift adds, Ctrl subtracts, both intersect; drag to move",
            ),
            Self::Pencil => (
                "Pencil",
                'B',
                "Paint tiles",
                "Drag to paint; Shift for a straight line from where the last stroke ended; right-drag takes a brush",
            ),
            Self::Line => {
                ("Line", 'L', "Paint a straight line of tiles", "Drag to paint a line; Shift keeps to eight directions")
            }
            Self::Rectangle => (
                "Rectangle",
                'R',
                "Draw a rectangle of tiles, filled or only its outline",
                "Drag to draw a rectangle; Shift for a square; Ctrl for the outline, or to fill it where outlines are on",
            ),
            Self::Ellipse => (
                "Ellipse",
                'O',
                "Draw an ellipse of tiles, filled or only its outline",
                "Drag to draw an ellipse; Shift for a circle; Ctrl for the outline, or to fill it where outlines are on",
            ),
            Self::Bucket => ("Bucket", 'G', "Fill an area of equal tiles", "Click to fill an area of equal tiles"),
            Self::SameTile => (
                "Replace tile",
                'H',
                "Replace a tile everywhere on the layer",
                "Click to replace this tile everywhere on the layer",
            ),
            Self::Terrain => (
                "Terrain",
                'T',
                "Paint ground that chooses its own edges",
                "Drag to paint ground that finds its own edges; Ctrl takes it away",
            ),
            Self::Stamp => (
                "Stamp",
                'C',
                "Place whole copies of the brush",
                "Click to place the whole brush, drag for a pattern; right-drag takes a brush",
            ),
            Self::Eraser => (
                "Eraser",
                'E',
                "Erase tiles",
                "Drag to erase; Shift for a straight line from where the last stroke ended",
            ),
            Self::Eyedropper => (
                "Eyedropper",
                'I',
                "Take the tile under the pointer",
                "Click a tile or drag over some to take them as brush",
            ),
            Self::Entity => (
                "Entity",
                'N',
                "Place an entity",
                "Click to place; drag to put it exactly, Alt to snap to nothing; Esc for the Select tool",
            ),
            Self::Repeat => (
                "Repeat",
                'P',
                "Repeat entities and waypoints along a line",
                "Drag from an entity or waypoint to where its last copy goes; Shift for one direction, Alt to snap to nothing",
            ),
            Self::Waypoint => (
                "Waypoint",
                'W',
                "Place, move and chain waypoints",
                "Click to add and link on; drag moves, onto another links; drag a link's middle inserts; Ctrl-click breaks a link",
            ),
            Self::Link => (
                "Link",
                'K',
                "Link waypoints, and break links",
                "Drag from waypoint to waypoint, Shift for one direction; click a link to break it, Shift-click to turn it",
            ),
            Self::Probe => (
                "Path probe",
                'D',
                "Look for a path from one place to another, and see what is found",
                "Drag from start to goal; drag either end on; a click puts the goal there",
            ),
        };
        ToolSpec { name, key, tip, hint }
    }
}
