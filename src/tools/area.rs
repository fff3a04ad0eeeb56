//! Areas of cells about to change, shown before a click: what the bucket or *Replace tile* would fill, where a brush
//! goes.
//!
//! Invariant: finding what would be filled looks at a bounded number of cells, whatever the level's size. Of an area
//! that is larger, the part around the pointer is shown.

use std::sync::Arc;

use super::{
    ToolKind,
    fill::{Fill, NO_END, Seen, flood_in, same_tiles_in},
    options::Alike,
};
use crate::model::{Cell, CellSet, Layer, Tiles};

/// An area of more cells is not shown whole. Finding this many costs a millisecond or two.
const MAX_SHOWN: usize = 12_000;

/// Of a larger area so many columns and rows to each side of the pointer are shown: with a cell of 16 pixels at its own
/// size they cover a large screen.
const AROUND: [i32; 2] = [64, 44];

/// An area of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// The cells.
    pub cells: CellSet,
    /// Whether these are all of them.
    pub is_whole: bool,
}

/// The area shown last. It is found again only for another layer, tool or size, or a cell that it does not settle.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept(Option<Found>);

#[derive(Clone, Debug)]
struct Found {
    kind: ToolKind,
    layer: Arc<Layer>,
    size: Option<[u32; 2]>,
    alike: Alike,
    cell: Cell,
    area: Result<Arc<Area>, &'static str>,
}

impl Kept {
    /// The area of such tiles that a click with the tool `kind` on a cell would change, or why it cannot.
    pub(super) fn at(
        &mut self,
        (kind, alike): (ToolKind, Alike),
        layer: &Arc<Layer>,
        size: Option<[u32; 2]>,
        cell: Cell,
    ) -> Result<Arc<Area>, &'static str> {
        let is_same = |found: &&Found| {
            found.kind == kind && Arc::ptr_eq(&found.layer, layer) && found.size == size && found.alike == alike
        };
        let known = self.0.as_ref().filter(is_same).map(|found| (found.cell, &found.area));
        let shown = known.and_then(|(at, area)| Some((at, area.as_ref().ok()?)));
        // Beside a cell of a large area is the same large area.
        let is_large = shown.is_some_and(|(_, area)| !area.is_whole && area.cells.contains(cell));
        match known {
            Some((at, area)) if at == cell => return area.clone(),
            _ => {}
        }
        if let Some((_, area)) = shown.filter(|(_, area)| area.is_whole && area.cells.contains(cell)) {
            return Ok(area.clone());
        }
        let area = match layer.cells() {
            Some(cells) => find((kind, &alike), size, cells.tiles, cell, is_large).map(Arc::new),
            None => Err("Choose a tile layer to paint on"),
        };
        self.0 = Some(Found { kind, layer: layer.clone(), size, alike, cell, area: area.clone() });
        area
    }
}

/// The area that a click would change, or the part of it around the cell; that at once where the area is known to be
/// large.
fn find(
    (kind, alike): (ToolKind, &Alike),
    size: Option<[u32; 2]>,
    tiles: &Tiles,
    cell: Cell,
    is_large: bool,
) -> Result<Area, &'static str> {
    let seen = Seen::one(tiles, alike);
    let look = |lo: Cell, hi: Cell, has_end: bool| {
        let within = Fill { lo, hi, has_end, most: MAX_SHOWN };
        match kind {
            ToolKind::Bucket => flood_in(&within, &seen, cell),
            _ => same_tiles_in(&within, &seen),
        }
    };
    let (first, last) = seen.frame(size).ok_or(NO_END)?;
    let whole = if is_large { None } else { look(first, last, size.is_some())? };
    if let Some(cells) = whole {
        return Ok(Area { cells, is_whole: true });
    }
    let lo = [0, 1].map(|i| first[i].max(cell[i].saturating_sub(AROUND[i])));
    let hi = [0, 1].map(|i| last[i].min(cell[i].saturating_add(AROUND[i])));
    Ok(Area { cells: look(lo, hi, true)?.unwrap_or_default(), is_whole: false })
}
