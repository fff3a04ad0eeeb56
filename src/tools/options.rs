//! The options of tools: how many cells a brush covers, whether shapes are filled, which tiles an area is made of.

use std::collections::BTreeSet;

use super::{shapes::ellipse_row, terrain::tiles_of_terrain};
use crate::model::{Tile, Tileset};

/// The options of tools. Each counts for the tools that have a use for it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToolOptions {
    /// How much the pencil, the eraser and the terrain tool cover at once.
    pub tip: BrushTip,
    /// Whether rectangles and ellipses are filled.
    pub shapes: ShapeStyle,
    /// Which tiles the bucket and *Replace tile* take for the same.
    pub matching: Matching,
    /// Whether entities and waypoints line up with others in sight when they are dragged or placed.
    pub guides: bool,
    /// How what is repeated is spread along a line.
    pub repeat: Repeat,
}

/// How copies are spread along a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repeat {
    /// How many there are, evenly up to the end of the line, where they have no spacing of their own.
    pub n_copies: u32,
    /// How far they are apart, in pixels, as many as fit; 0 for a number of them.
    pub spacing_px: f64,
}

impl Default for Repeat {
    fn default() -> Self {
        Self { n_copies: 4, spacing_px: 0.0 }
    }
}

impl Default for ToolOptions {
    fn default() -> Self {
        let (tip, shapes, matching) = (BrushTip::default(), ShapeStyle::default(), Matching::default());
        Self { tip, shapes, matching, guides: true, repeat: Repeat::default() }
    }
}

/// The size and the shape of a brush.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BrushTip {
    size: u32,
    /// What it covers.
    pub shape: TipShape,
}

/// What a brush covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TipShape {
    /// A square of cells.
    #[default]
    Square,
    /// A disk of cells, from three or four on.
    Round,
}

/// Whether a shape is filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShapeStyle {
    /// Every cell of it.
    #[default]
    Filled,
    /// The cells at its border.
    Outlined,
}

/// Which tiles count as the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Matching {
    /// Those with the same picture, mirrored and turned alike.
    #[default]
    Tile,
    /// Those of the same terrain; without one, as `Tile`.
    Terrain,
}

impl Default for BrushTip {
    fn default() -> Self {
        Self { size: 1, shape: TipShape::default() }
    }
}

impl BrushTip {
    /// The largest size.
    pub const MAX: u32 = 16;

    /// A brush of several tiles covers no more columns or rows than this by its size.
    const MAX_SIDE: u32 = 64;

    /// How many copies of the brush lie side by side, in each direction; of a brush of one tile, how many cells.
    #[must_use]
    pub fn size(self) -> u32 {
        self.size
    }

    /// Make it larger by so much, or smaller when negative; from 1 to [`BrushTip::MAX`].
    pub fn resize(&mut self, by: i32) {
        self.size = self.size.saturating_add_signed(by).clamp(1, Self::MAX);
    }

    /// The columns and rows covered with a brush of so many.
    #[must_use]
    pub(super) fn sides(self, brush: [u32; 2]) -> [u32; 2] {
        let largest = brush[0].max(brush[1]).max(1);
        brush.map(|side| side * self.size.min((Self::MAX_SIDE / largest).max(1)))
    }

    /// The cells covered where the left top of so many columns and rows is at the origin: by row, first and last
    /// column.
    #[must_use]
    pub(super) fn rows(self, sides: [u32; 2]) -> Vec<(i32, i32, i32)> {
        let [w, h] = sides.map(u32::cast_signed);
        // A brush that is not made larger is painted whole, however round.
        if self.shape == TipShape::Square || self.size == 1 {
            return (0..h).map(|y| (y, 0, w - 1)).collect();
        }
        let row = ellipse_row([0, 0], [w - 1, h - 1], false);
        (0..h).flat_map(|y| row(y).into_iter().map(move |(first, last)| (y, first, last))).collect()
    }
}

impl ShapeStyle {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Filled => Self::Outlined,
            Self::Outlined => Self::Filled,
        }
    }

    /// Change to the other one.
    pub fn switch(&mut self) {
        *self = self.other();
    }
}

impl TipShape {
    /// Change to the other one.
    pub fn switch(&mut self) {
        *self = match self {
            Self::Square => Self::Round,
            Self::Round => Self::Square,
        };
    }
}

impl Matching {
    /// Change to the other one.
    pub fn switch(&mut self) {
        *self = match self {
            Self::Tile => Self::Terrain,
            Self::Terrain => Self::Tile,
        };
    }
}

/// The tiles that count as the same as one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Alike {
    Tile(Tile),
    /// By id: every tile of a terrain.
    Terrain(BTreeSet<u32>),
}

impl Alike {
    /// Those that count as the same as `tile`.
    #[must_use]
    pub(super) fn of(matching: Matching, tileset: Option<&Tileset>, tile: Tile) -> Self {
        let ids = match matching {
            Matching::Terrain => tile.id().and_then(|id| tiles_of_terrain(tileset?, id)),
            Matching::Tile => None,
        };
        ids.map_or(Self::Tile(tile), Self::Terrain)
    }

    /// Whether a tile is one of them.
    #[must_use]
    pub(super) fn has(&self, tile: Tile) -> bool {
        match self {
            Self::Tile(it) => *it == tile,
            Self::Terrain(ids) => tile.id().is_some_and(|id| ids.contains(&id)),
        }
    }

    /// Whether it is the empty tile.
    #[must_use]
    pub(super) fn is_empty(&self) -> bool {
        matches!(self, Self::Tile(tile) if tile.is_empty())
    }
}
