//! The read-only context of a tool.

use std::sync::Arc;

use super::{Floating, HeldStamp, ProbeEnds, ToolOptions};
use crate::{
    edit::{Stamp, TilesOf},
    explain::CanvasField,
    model::{
        Cell, CellGrid, CellSet, Cells, DocPath, Instance, Layer, LayerLook, Level, Link, Name, Project, PxBox, Tileset,
    },
};

/// The upright box around an entity before it is turned, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Half width and half height.
    pub half: [f64; 2],
    /// Its center, from the entity's origin.
    pub center: [f64; 2],
}

impl Default for Extent {
    fn default() -> Self {
        Self { half: [8.0, 8.0], center: [0.0, 0.0] }
    }
}

/// Everything a tool reads.
#[derive(Clone, Copy)]
pub struct ToolCx<'a> {
    /// The project; while a gesture is open, as it was before the gesture.
    pub project: &'a Project,
    /// The level worked on.
    pub doc: &'a DocPath,
    /// Index of the layer worked on.
    pub layer: Option<usize>,
    /// Its cells, which the cells of events, selections and ghosts are.
    pub grid: CellGrid,
    /// Ids of the selected entities and waypoints.
    pub selection: &'a [Name],
    /// The selected cells: where there are some, brushes paint no others.
    pub cells: &'a CellSet,
    /// Whether what is done with the selected cells is done on all layers that can be worked on.
    pub is_over_all_layers: bool,
    /// Selected tiles that were moved and may be moved on.
    pub floating: &'a [Floating],
    /// What brushes paint.
    pub stamp: &'a Stamp,
    /// What that is of, where it is known: it is not painted on layers that hold other tiles.
    pub stamp_of: Option<&'a TilesOf>,
    /// What the stamp tool paints in place of the stamp, when there are any.
    pub stamps: &'a [HeldStamp],
    /// Whether brushes take a random tile of the stamp for each cell, by the tiles' weights.
    pub is_random: bool,
    /// Number of the terrain among those of the layer's tileset.
    pub terrain: usize,
    /// The options of tile tools.
    pub options: ToolOptions,
    /// What the entity tool places.
    pub def: Option<&'a Name>,
    /// Where the definition that it places is written, where that is known.
    pub def_doc: Option<&'a DocPath>,
    /// The grid that things keep to, in pixels; `None` for none.
    pub snap_px: Option<[f64; 2]>,
    /// How many pixels of the level a point of the screen is: handles are as large at every zoom.
    pub px_per_point: f64,
    /// The part of the level that is seen: left top and right bottom, in pixels.
    pub visible_px: [[f64; 2]; 2],
    /// The entities of a layer whose boxes are in an area, or near it: their numbers, in the layer's order.
    pub near: &'a dyn Fn(&Layer, PxBox) -> Vec<usize>,
    /// How large an entity is.
    pub extent: &'a dyn Fn(&Instance) -> Extent,
    /// Whether a layer is shown: what is hidden is neither hit nor worked on.
    pub shows: &'a dyn Fn(&Layer) -> bool,
    /// The fields of the entity selected alone that are shown on the canvas; none where it is not one.
    pub fields: &'a [CanvasField],
    /// Start and goal of the path that is looked for in the level, in pixels.
    pub probe: Option<ProbeEnds>,
    /// The links of the waypoints of the layer worked on, also those that are made automatically.
    pub links: &'a [Link],
    /// A number for fresh ids: another for each gesture, the same within one.
    pub seed: u64,
}

impl<'a> ToolCx<'a> {
    /// How far a handle reaches, in points of the screen.
    const REACH_POINTS: f64 = 8.0;

    /// The level.
    #[must_use]
    pub fn level(&self) -> Option<&'a Level> {
        self.project.level(self.doc)
    }

    /// The layer worked on.
    #[must_use]
    pub fn layer(&self) -> Option<&'a Layer> {
        self.shared_layer().map(|layer| &**layer)
    }

    /// The same by its pointer, to know it again while it does not change.
    #[must_use]
    pub fn shared_layer(&self) -> Option<&'a Arc<Layer>> {
        self.level()?.nth_layer(self.layer?)
    }

    /// The entities of a layer in an area of it, or near it, back to front.
    pub(super) fn entities_near(
        &self,
        layer: &'a Layer,
        area: PxBox,
    ) -> impl DoubleEndedIterator<Item = (&'a Name, &'a Arc<Instance>)> {
        (self.near)(layer, area).into_iter().filter_map(|at| layer.entities()?.get_index(at))
    }

    /// Every layer of the level, back to front.
    #[must_use]
    pub fn layers(&self) -> Vec<&'a Layer> {
        self.level().map(|level| level.all_layers().into_iter().map(|layer| &**layer).collect()).unwrap_or_default()
    }

    /// The point of the level in the middle of what is seen, in pixels.
    #[must_use]
    pub fn center_px(&self) -> [f64; 2] {
        let [lo, hi] = self.visible_px;
        [0, 1].map(|i| f64::midpoint(lo[i], hi[i]))
    }

    /// Every layer of the level, back to front, with where it is drawn and whether it is locked, with the groups around
    /// it.
    #[must_use]
    pub fn looks(&self) -> Vec<(&'a Layer, LayerLook)> {
        let looks = self.level().map(|level| level.looks_from(self.center_px())).unwrap_or_default();
        looks.into_iter().map(|(layer, look)| (&**layer, look)).collect()
    }

    /// The same of one layer.
    #[must_use]
    pub fn look(&self, layer: &Layer) -> LayerLook {
        let look = self.level().map_or_else(|| LayerLook::of(layer), |level| level.look_of(layer));
        look.seen_from(self.center_px())
    }

    /// The layer worked on, when tiles or values can be painted on it.
    ///
    /// # Errors
    /// Says what to do about it.
    pub fn cell_layer(&self) -> Result<(&'a Layer, Cells<'a>), String> {
        let layer = self.layer().ok_or("Choose a layer to paint on")?;
        let cells =
            layer.cells().ok_or_else(|| format!("“{}” holds no tiles: choose a tile layer first", layer.name))?;
        self.check_usable(layer)?;
        Ok((layer, cells))
    }

    /// The layer worked on if `is_kind`, else the nearest one that is and can be worked on; of two as near, the one in
    /// front.
    ///
    /// # Errors
    /// Says what to do about it; `what` is what the layer should hold.
    pub fn layer_for(&self, what: &str, is_kind: impl Fn(&Layer) -> bool) -> Result<&'a Layer, String> {
        if let Some(layer) = self.layer().filter(|layer| is_kind(layer)) {
            self.check_usable(layer)?;
            return Ok(layer);
        }
        let all = self.layers().into_iter().enumerate().rev();
        let usable = all.filter(|(_, layer)| is_kind(layer) && self.check_usable(layer).is_ok());
        let nearest = usable.min_by_key(|(at, _)| at.abs_diff(self.layer.unwrap_or(0))).map(|(_, layer)| layer);
        nearest.ok_or_else(|| format!("Add a layer for {what}, or unlock one"))
    }

    /// The tileset of a layer's tiles.
    #[must_use]
    pub fn tileset(&self, layer: Cells<'_>) -> Option<&'a Tileset> {
        self.project.tileset_named(layer.tileset?)
    }

    /// Refuse a layer whose cells are others than those of the layer worked on, which the selected cells are.
    ///
    /// # Errors
    /// Says what to do about it.
    pub(super) fn check_grid(&self, layer: &Layer) -> Result<(), String> {
        let (own, grid) = (self.level().map_or(self.grid, |level| level.grid_of(layer)), self.grid);
        if own == grid {
            return Ok(());
        }
        let [own, here] = [own, grid].map(CellGrid::px_text);
        Err(format!("“{}” has cells of {own}, and the layer worked on of {here}", layer.name))
    }

    /// Refuse to paint what brushes paint on a layer that holds other tiles.
    ///
    /// # Errors
    /// Says what to do about it.
    pub(super) fn check_brush(&self, layer: &Layer, cells: Cells<'_>) -> Result<(), String> {
        let here = TilesOf::cells(cells);
        match self.stamp_of.filter(|of| **of != here) {
            Some(of) => {
                let name = &layer.name;
                Err(format!(
                    "The brush has {of}, and “{name}” has {here}: choose another layer, or tiles in the Palette"
                ))
            }
            None => Ok(()),
        }
    }

    /// Whether the layer worked on has a cell.
    #[must_use]
    pub fn has_cell(&self, cell: Cell) -> bool {
        self.grid.has_cell(cell)
    }

    /// Whether brushes paint on a cell: the level has it, and it is selected where some are.
    #[must_use]
    pub fn is_paintable(&self, cell: Cell) -> bool {
        self.has_cell(cell) && (self.cells.is_empty() || self.cells.contains(cell))
    }

    /// What the level has of a rectangle of cells (left top and right bottom, both included); `None` for nothing.
    #[must_use]
    pub fn cells_within(&self, lo: Cell, hi: Cell) -> Option<(Cell, Cell)> {
        self.level()?;
        let (first, last) = self.grid.corners();
        let (lo, hi) = ([0, 1].map(|i| lo[i].max(first[i])), [0, 1].map(|i| hi[i].min(last[i])));
        (lo[0] <= hi[0] && lo[1] <= hi[1]).then_some((lo, hi))
    }

    /// The nearest place on the grid, or the place itself when there is none or `is_free`.
    #[must_use]
    pub fn snapped(&self, at: [f64; 2], is_free: bool) -> [f64; 2] {
        match self.snap_px {
            Some(grid) if !is_free => {
                let snap = |i: usize| if grid[i] > 0.0 { (at[i] / grid[i]).round() * grid[i] } else { at[i] };
                [snap(0), snap(1)]
            }
            // Positions are written in files, where fifteen digits of a pointer position are hard to read.
            _ => at.map(|x| (x * 8.0).round() / 8.0),
        }
    }

    /// How far things at some places may go, of a way along both axes, to stay in a bounded level; what is outside
    /// already may come nearer.
    #[must_use]
    pub(super) fn kept_inside(&self, places: &[[f64; 2]], by: [f64; 2]) -> [f64; 2] {
        let Some(level) = self.level().filter(|level| level.size.is_some()) else { return by };
        let [left, top, right, bottom] = level.bounds_px();
        let (lo, hi) = ([left, top], [right, bottom]);
        [0, 1].map(|i| {
            let first = places.iter().map(|at| at[i]).fold(f64::INFINITY, f64::min);
            let last = places.iter().map(|at| at[i]).fold(f64::NEG_INFINITY, f64::max);
            // Without places the whole way is free.
            by[i].min((hi[i] - last).max(0.0)).max((lo[i] - first).min(0.0))
        })
    }

    /// Whether a place of a layer is in the level; all are where it has no bounds.
    #[must_use]
    pub(super) fn is_inside(&self, at: [f64; 2]) -> bool {
        self.level().is_none_or(|level| {
            let [left, top, right, bottom] = level.bounds_px();
            level.size.is_none() || (left..=right).contains(&at[0]) && (top..=bottom).contains(&at[1])
        })
    }

    /// How far a handle reaches, in pixels of the level.
    #[must_use]
    pub fn reach_px(&self) -> f64 {
        Self::REACH_POINTS * self.px_per_point
    }

    /// Refuse a layer that is hidden or locked.
    pub(super) fn check_usable(&self, layer: &Layer) -> Result<(), String> {
        if let Some(locked) = self.level().and_then(|level| level.lock_of(layer)) {
            return Err(format!("“{}” is locked: unlock it to work on it", locked.name));
        }
        if !(self.shows)(layer) {
            return Err(format!("“{}” is hidden: show it to work on it", layer.name));
        }
        Ok(())
    }
}
