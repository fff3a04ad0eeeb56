//! The stamp tool with stamps of several layers in hand: a click places one, a drag whole ones side by side; of
//! several, each place draws one by weight.
//!
//! Invariant: what is painted depends on the places and the stamps only: what shows at the pointer is what a click
//! paints.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    Cursor, Ghost, PointerEvent, PointerPhase, ToolCx, ToolOut,
    brush::{FAR, MAX_LIVE_SINGLE, NOT_SELECTED},
    draw::Draw,
    shapes::{line, size_note},
};
use crate::{
    edit::{Edit, LayeredStamp, Phase, StampPart},
    model::{Cell, CellSet, DocPath, Layer, Name, Tile, counted},
};

/// A preview shows at most this many tiles.
const MAX_GHOST: usize = 16_384;

/// A stamp to paint with.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldStamp {
    /// Its file; `None` for one that was copied.
    pub doc: Option<DocPath>,
    /// How often it is drawn, against the others in hand.
    pub weight: f64,
    /// What it paints.
    pub stamp: Arc<LayeredStamp>,
}

/// A drag: where it began and is, and the left tops of the places it came by.
#[derive(Clone, Debug)]
pub(super) struct Stamping {
    anchor: Cell,
    last: Cell,
    places: BTreeSet<Cell>,
}

/// Answer a pointer event.
pub(super) fn pointer(
    cx: &ToolCx<'_>,
    event: &PointerEvent,
    stamping: Option<Stamping>,
) -> (Option<Stamping>, ToolOut) {
    let cell = event.cell.map(|x| x.clamp(-FAR, FAR));
    if let Err(why) = check(cx) {
        let phase = ToolOut::ended(stamping.is_some(), Phase::Cancel);
        return (None, ToolOut { phase, ..ToolOut::refused(why) });
    }
    let place = place_at(cx, cell);
    let mut stamping = match (event.phase, stamping) {
        (PointerPhase::Press, _) => Stamping { anchor: place, last: cell, places: BTreeSet::new() },
        (PointerPhase::Drag | PointerPhase::Release, Some(stamping)) => stamping,
        _ => {
            let mut ghost = ghost_at(cx, place);
            ghost.layers = preview(cx, place);
            let hint = if cx.has_cell(cell) && !cx.is_paintable(cell) { NOT_SELECTED } else { "" };
            return (None, ToolOut { ghost, cursor: Cursor::Crosshair, hint: hint.into(), ..ToolOut::default() });
        }
    };
    let size = slot(cx);
    let within = cx.grid.size.map(|level| {
        let margin = size[0].max(size[1]);
        let last = level.map(|side| i32::try_from(side).unwrap_or(i32::MAX - FAR) - 1 + margin);
        ([-margin; 2], last)
    });
    for on in line(stamping.last, cell, within) {
        let lo = place_at(cx, on);
        // Whole copies side by side, not over each other.
        let whole = |i: usize| stamping.anchor[i] + (lo[i] - stamping.anchor[i]).div_euclid(size[i]) * size[i];
        stamping.places.insert([whole(0), whole(1)]);
    }
    stamping.last = cell;
    let is_over = event.phase == PointerPhase::Release;
    let n_tiles = n_tiles_at(cx, place).saturating_mul(stamping.places.len());
    let out = ToolOut {
        edits: if is_over || n_tiles <= MAX_LIVE_SINGLE { edits(cx, &stamping.places) } else { Vec::new() },
        label: Some(label(cx, stamping.places.len())),
        phase: ToolOut::ended(is_over, Phase::Commit),
        ghost: ghost_at(cx, place),
        cursor: Cursor::Crosshair,
        ..ToolOut::default()
    };
    ((!is_over).then_some(stamping), out)
}

/// Columns and rows of a place: as many as the largest stamp has.
fn slot(cx: &ToolCx<'_>) -> [i32; 2] {
    let sizes = cx.stamps.iter().map(|held| held.stamp.size());
    sizes.fold([1, 1], |most, size| [0, 1].map(|i: usize| most[i].max(size[i].cast_signed())))
}

/// The left top of the place that has a cell in its middle.
fn place_at(cx: &ToolCx<'_>, cell: Cell) -> Cell {
    let size = slot(cx);
    [0, 1].map(|i| cell[i] - (size[i] - 1) / 2)
}

/// The stamp that is painted on a place, and its left top there.
fn stamp_at<'a>(cx: &ToolCx<'a>, place: Cell) -> Option<(&'a LayeredStamp, Cell)> {
    let stamp = Draw::new(cx.stamps.iter().enumerate().map(|(i, held)| (i, held.weight))).at(place)?;
    let stamp = &cx.stamps.get(stamp)?.stamp;
    Some((stamp, stamp.within(place, slot(cx).map(i32::cast_unsigned))))
}

/// The layer of a name, when a stamp can be painted on it.
fn layer_of<'a>(cx: &ToolCx<'a>, name: &Name, tileset: Option<&Name>) -> Result<&'a Layer, String> {
    let found = cx.level().and_then(|level| level.layer(name)).map(|(_, layer)| &**layer);
    let (layer, own) = found.and_then(|layer| Some((layer, layer.cells()?.tileset))).ok_or_else(|| {
        format!("This level has no tile layer “{name}”, on which the stamp paints: add one, or rename one")
    })?;
    if tileset != own {
        let [own, of] = [own, tileset]
            .map(|tileset| tileset.map_or_else(|| "values".to_owned(), |tileset| format!("tiles of {tileset}")));
        return Err(format!("“{name}” has {own}, the stamp has {of}"));
    }
    cx.check_usable(layer)?;
    cx.check_grid(layer)
        .map_err(|why| format!("{why}: the stamp is for layers with the same cells, work on one of them"))?;
    Ok(layer)
}

/// Refuse stamps that cannot be painted whole in this level.
fn check(cx: &ToolCx<'_>) -> Result<(), String> {
    let mut parts = cx.stamps.iter().flat_map(|held| held.stamp.parts());
    parts.try_for_each(|part| layer_of(cx, &part.layer, part.tileset.as_ref()).map(drop))
}

/// What is shown at a place: the frame of the stamp that is painted there, and its size.
fn ghost_at(cx: &ToolCx<'_>, place: Cell) -> Ghost {
    let Some((stamp, lo)) = stamp_at(cx, place) else { return Ghost::default() };
    let hi = [0, 1].map(|i: usize| lo[i] + stamp.size()[i].cast_signed() - 1);
    Ghost { cell_rect: Some([lo, hi]), note: Some(size_note(lo, hi)), ..Ghost::default() }
}

/// The tiles that a click at a place paints, by layer, from the back; none of very many.
fn preview(cx: &ToolCx<'_>, place: Cell) -> Vec<(Name, Vec<(Cell, Tile)>)> {
    // As many at most, however few are painted: they are not worked out only to be thrown away.
    if n_tiles_at(cx, place) > MAX_GHOST {
        return Vec::new();
    }
    let painted = painted(cx, place);
    let of = |layer: &Layer| {
        let cells = painted.get(&layer.name)?;
        Some((layer.name.clone(), cells.iter().map(|(cell, tile)| (*cell, *tile)).collect()))
    };
    cx.layers().into_iter().filter_map(of).collect()
}

/// How many tiles the stamp of a place has at most, of all layers.
fn n_tiles_at(cx: &ToolCx<'_>, place: Cell) -> usize {
    let cells = |stamp: &LayeredStamp| stamp.size().map(|side| side as usize).iter().product::<usize>();
    stamp_at(cx, place).map_or(0, |(stamp, _)| cells(stamp) * stamp.parts().len())
}

/// The tiles that the stamp on a place paints, by layer.
fn painted(cx: &ToolCx<'_>, place: Cell) -> BTreeMap<Name, BTreeMap<Cell, Tile>> {
    let mut out: BTreeMap<Name, BTreeMap<Cell, Tile>> = BTreeMap::new();
    if let Some((stamp, lo)) = stamp_at(cx, place) {
        for part in stamp.parts() {
            let at = |[x, y]: Cell| [lo[0].saturating_add(x), lo[1].saturating_add(y)];
            let tiles = part.tiles.iter().map(|(cell, tile)| (at(cell), tile));
            let tiles = tiles.filter(|(cell, tile)| !tile.is_empty() && cx.is_paintable(*cell));
            out.entry(part.layer.clone()).or_default().extend(tiles);
        }
    }
    out
}

/// The edits that paint stamps on places. A single stamp in hand repeats from place to place, so each of its layers is
/// filled at once.
fn edits(cx: &ToolCx<'_>, places: &BTreeSet<Cell>) -> Vec<Edit> {
    let drawn = places.iter().filter_map(|place| stamp_at(cx, *place));
    let drawn: Vec<(&LayeredStamp, Vec<Cell>)> = match cx.stamps {
        [held] => vec![(&held.stamp, drawn.map(|(_, lo)| lo).collect())],
        _ => drawn.map(|(stamp, lo)| (stamp, vec![lo])).collect(),
    };
    drawn.into_iter().flat_map(|(stamp, los)| edits_of(cx, stamp, &los)).collect()
}

/// The edits that paint a stamp with its left top on these cells, all of them whole copies apart.
fn edits_of(cx: &ToolCx<'_>, stamp: &LayeredStamp, los: &[Cell]) -> Vec<Edit> {
    let Some(&anchor) = los.first() else { return Vec::new() };
    let mut area = CellSet::default();
    let [w, h] = stamp.size().map(|side| side.cast_signed() - 1);
    for [x, y] in los {
        (0..=h).for_each(|row| area.insert_row(y.saturating_add(row), *x, x.saturating_add(w)));
    }
    let area = cx.grid.clip(&area);
    let cells = Arc::new(if cx.cells.is_empty() { area } else { area.intersection(cx.cells) });
    // One without tiles would erase.
    let parts = stamp.parts().iter().filter(|part| !cells.is_empty() && !part.tiles.is_empty());
    let edit = |part: &StampPart| {
        let (doc, layer, stamp) = (cx.doc.clone(), part.layer.clone(), part.tiles.clone());
        Edit::FillTiles { doc, layer, cells: cells.clone(), stamp, anchor }
    };
    parts.map(edit).collect()
}

fn label(cx: &ToolCx<'_>, n_places: usize) -> String {
    match cx.stamps {
        [HeldStamp { doc: Some(doc), .. }] if n_places == 1 => format!("Paint stamp {}", doc.stem()),
        [HeldStamp { doc: None, stamp, .. }] if n_places == 1 => {
            let [w, h] = stamp.size();
            format!("Paste {w} × {h} tiles of {}", counted(stamp.parts().len(), "layer"))
        }
        _ => format!("Paint {}", counted(n_places, "stamp")),
    }
}
