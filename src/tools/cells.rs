//! Tools that select cells, and what is done with the tiles of selected cells.
//!
//! Invariant: selecting changes no tile. What moves or is painted keeps to layers that can be worked on; empty cells of
//! what moves leave what is under them.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Cursor, Floating, Ghost, Modifiers, PointerEvent, PointerPhase, ToolCx, ToolKind, ToolOut,
    brush::{FAR, filled, random_tiles},
    fill::{MAX_CELLS, MAX_SELECTED, Seen, flood, same_tiles, too_many},
    options::Alike,
    shapes::{line, size_note, sorted},
};
use crate::{
    edit::{Edit, Phase, Stamp, StampPart},
    model::{Cell, CellSet, CellTransform, Cells, Document, Layer, Name, Tile, Tiles, counted},
};

/// While more cells than this are moved, only their outline moves with the pointer, and the tiles follow when it is
/// released.
const MAX_LIVE: usize = 16_384;

/// Tiles in more chunks than this are not moved or turned at once: as many as 4096 × 4096 cells have.
const MAX_MOVED: usize = 1 << 14;

/// Tiles are not moved farther than this, in columns and rows: no level reaches as far.
const MAX_WAY: u32 = 1 << 22;

/// What happens to the cells that are selected already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    Replace,
    Add,
    Subtract,
    Intersect,
}

impl Join {
    fn of(modifiers: Modifiers) -> Self {
        match (modifiers.shift, modifiers.ctrl) {
            (false, false) => Self::Replace,
            (true, false) => Self::Add,
            (false, true) => Self::Subtract,
            (true, true) => Self::Intersect,
        }
    }

    fn joined(self, old: &CellSet, new: CellSet) -> CellSet {
        match self {
            Self::Replace => new,
            Self::Add => old.union(&new),
            Self::Subtract => old.difference(&new),
            Self::Intersect => old.intersection(&new),
        }
    }
}

/// What a tool that selects cells is in the middle of.
#[derive(Clone, Debug)]
pub(super) enum Marking {
    /// A rectangle from a corner.
    Rectangle { from: Cell, join: Join },
    /// A line drawn around cells: where it has been, in pixels and cells.
    Lasso { points: Vec<[f64; 2]>, touched: CellSet, last: Cell, join: Join },
    /// The selected tiles are dragged, or copies of them.
    Move { from: Cell, is_copy: bool },
}

/// Answer a pointer event with a tool that selects cells.
pub(super) fn pointer(
    kind: ToolKind,
    cx: &ToolCx<'_>,
    event: &PointerEvent,
    marking: Option<Marking>,
) -> (Option<Marking>, ToolOut) {
    let cell = event.cell.map(|x| x.clamp(-FAR, FAR));
    let far = cx.grid.corner_px([FAR; 2]);
    // What is drawn around cells is where these are, on a layer that is shifted.
    let offset = cx.level().map_or([0.0; 2], |level| level.cells_offset(cx.layer, cx.center_px()));
    let pos_px = [0, 1].map(|i| (event.pos_px[i] - offset[i]).clamp(-far[i], far[i]));
    let event = &PointerEvent { pos_px, cell, ..*event };
    let crosshair = ToolOut { cursor: Cursor::Crosshair, ..ToolOut::default() };
    match (event.phase, marking) {
        (PointerPhase::Press, _) => press(kind, cx, event),
        // Letting go of the selection where it was picked up is a click of a tool that finds cells.
        (PointerPhase::Release, Some(Marking::Move { from, .. })) if from == cell && finds_cells(kind) => {
            (None, ToolOut { phase: Phase::Cancel, ..found(kind, cx, cell, Join::Replace) })
        }
        (PointerPhase::Drag | PointerPhase::Release, Some(marking)) => drag(cx, event, marking),
        _ if cx.cells.contains(cell) && is_plain(event.modifiers) => {
            (None, ToolOut { cursor: Cursor::Move, ..ToolOut::default() })
        }
        _ => {
            let ghost = Ghost { cell_rect: cx.has_cell(cell).then_some([cell, cell]), ..Ghost::default() };
            (None, ToolOut { ghost, ..crosshair })
        }
    }
}

/// Whether a click of a tool finds the cells that it selects.
fn finds_cells(kind: ToolKind) -> bool {
    matches!(kind, ToolKind::Wand | ToolKind::SelectSame)
}

/// Whether a press inside the selection drags it.
fn is_plain(modifiers: Modifiers) -> bool {
    !modifiers.shift && !modifiers.ctrl
}

fn press(kind: ToolKind, cx: &ToolCx<'_>, event: &PointerEvent) -> (Option<Marking>, ToolOut) {
    let cell = event.cell;
    let join = Join::of(event.modifiers);
    let marking = match kind {
        _ if cx.cells.contains(cell) && is_plain(event.modifiers) => {
            let is_copy = event.modifiers.alt;
            match picked_up(cx, is_copy).and_then(|it| if is_live(cx) { Ok(()) } else { lifted(&it).map(drop) }) {
                Ok(()) => Marking::Move { from: cell, is_copy },
                // What cannot be moved can still be selected.
                Err(_) if finds_cells(kind) => return (None, found(kind, cx, cell, join)),
                Err(why) => return (None, ToolOut::refused(why)),
            }
        }
        _ if finds_cells(kind) => return (None, found(kind, cx, cell, join)),
        ToolKind::Lasso => {
            Marking::Lasso { points: vec![event.pos_px], touched: [cell].into_iter().collect(), last: cell, join }
        }
        _ => Marking::Rectangle { from: cell, join },
    };
    drag(cx, &PointerEvent { phase: PointerPhase::Drag, ..*event }, marking)
}

fn drag(cx: &ToolCx<'_>, event: &PointerEvent, mut marking: Marking) -> (Option<Marking>, ToolOut) {
    let cell = event.cell;
    let is_over = event.phase == PointerPhase::Release;
    let out = match &mut marking {
        Marking::Rectangle { from, join } => {
            let (lo, hi) = sorted(*from, cell);
            // A click beside the selection lets go of it.
            let is_click = is_over && *from == cell && *join == Join::Replace;
            let found = if is_click { Ok(CellSet::default()) } else { rectangle_of(cx, lo, hi) };
            let mut out = found.map_or_else(ToolOut::refused, |found| selected(cx, *join, found));
            out.ghost.cell_rect = Some([lo, hi]);
            out.ghost.note = Some(size_note(lo, hi));
            out
        }
        Marking::Lasso { points, touched, last, join } => {
            if points.last() != Some(&event.pos_px) {
                points.push(event.pos_px);
                let within = cx.cells_within([-FAR; 2], [FAR; 2]);
                touched.extend(line(*last, cell, within).filter(|_| within.is_some()));
                *last = cell;
            }
            match enclosed(cx, points) {
                Ok(inside) => {
                    let found = inside.union(touched);
                    let n = found.len();
                    let mut out = selected(cx, *join, found);
                    out.ghost.note = Some(counted(n, "cell"));
                    out
                }
                Err(why) => ToolOut::refused(why),
            }
        }
        Marking::Move { from, is_copy } => {
            let by = [cell[0].saturating_sub(from[0]), cell[1].saturating_sub(from[1])];
            match moved(cx, by, *is_copy, is_over || is_live(cx)) {
                Ok(out) => out,
                Err(why) => {
                    let out = ToolOut { phase: ToolOut::ended(is_over, Phase::Cancel), ..ToolOut::refused(why) };
                    return (if is_over { None } else { Some(marking) }, out);
                }
            }
        }
    };
    let cursor = if out.cursor == Cursor::Forbidden { Cursor::Forbidden } else { Cursor::Crosshair };
    let out = ToolOut { phase: ToolOut::ended(is_over, Phase::Commit), cursor, ..out };
    if is_over {
        return (None, out);
    }
    // Until the pointer is released the selection is only shown.
    let ghost = Ghost { selection: out.cells.clone(), ..out.ghost };
    (Some(marking), ToolOut { cells: None, ghost, ..out })
}

/// A new selection of cells.
fn selected(cx: &ToolCx<'_>, join: Join, found: CellSet) -> ToolOut {
    let cells = join.joined(cx.cells, found);
    let n = cells.len();
    if n > MAX_SELECTED {
        return ToolOut::refused(too_many(MAX_SELECTED, Some(n as u64)));
    }
    ToolOut { cells: Some(Arc::new(cells)), phase: Phase::Commit, cursor: Cursor::Crosshair, ..ToolOut::default() }
}

/// The selection that a click of a tool that finds cells gives.
fn found(kind: ToolKind, cx: &ToolCx<'_>, cell: Cell, join: Join) -> ToolOut {
    area(kind, cx, cell).map_or_else(ToolOut::refused, |found| selected(cx, join, found))
}

/// The cells that a click of the magic wand or of *Select same tile* finds: by the tile in front, where all layers are
/// worked on.
fn area(kind: ToolKind, cx: &ToolCx<'_>, cell: Cell) -> Result<CellSet, String> {
    let layers = if cx.is_over_all_layers {
        let shown = cx.layers().into_iter().rev().filter(|layer| (cx.shows)(layer) && cx.check_grid(layer).is_ok());
        shown.filter_map(Layer::cells).collect()
    } else {
        vec![layer_of_cells(cx)?]
    };
    let front = layers.iter().find(|layer| !layer.tiles.get(cell).is_empty());
    let tile = front.map_or(Tile::EMPTY, |layer| layer.tiles.get(cell));
    let alike = Alike::of(cx.options.matching, front.and_then(|layer| cx.tileset(*layer)), tile);
    // A tile of another tileset is another one.
    let may_have = |layer: &Cells<'_>| front.is_some_and(|front| front.tileset == layer.tileset);
    let layers = layers.iter().map(|layer| (layer.tiles, may_have(layer).then_some(&alike)));
    let seen = Seen::all(layers.collect(), alike.is_empty());
    match kind {
        ToolKind::Wand => flood(cx.grid.size, &seen, cell),
        _ => same_tiles(cx.grid.size, &seen),
    }
}

/// The cells of the layer worked on; it may be locked or hidden, since selecting changes nothing.
fn layer_of_cells<'a>(cx: &ToolCx<'a>) -> Result<Cells<'a>, String> {
    let layer = cx.layer().ok_or("Choose a tile layer first")?;
    layer.cells().ok_or_else(|| format!("“{}” holds no tiles: choose a tile layer first", layer.name))
}

/// The cells whose middle a line drawn around them encloses.
///
/// Source: Foley et al., "Computer Graphics: Principles and Practice" (1990), §3.6: a row is inside between its odd and
/// even crossings.
fn enclosed(cx: &ToolCx<'_>, points: &[[f64; 2]]) -> Result<CellSet, String> {
    let Some((first, last)) = cx.cells_within([-FAR; 2], [FAR; 2]) else {
        return Ok(CellSet::default());
    };
    let side = cx.grid.px.map(f64::from);
    let rows = [f64::from(first[1]) - 1.0, f64::from(last[1])];
    let last_row = |y: f64| (y / side[1] - 0.5).floor().clamp(rows[0], rows[1]);
    let mut crossings: BTreeMap<i32, Vec<f64>> = BTreeMap::new();
    for (a, b) in points.iter().zip(points.iter().cycle().skip(1)) {
        let (a, b) = if a[1] <= b[1] { (a, b) } else { (b, a) };
        // Rows whose middle lies after `a` and not after `b`.
        let mut row = last_row(a[1]) + 1.0;
        while row <= last_row(b[1]) {
            let y = (row + 0.5) * side[1];
            let x = a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]);
            #[expect(clippy::cast_possible_truncation, reason = "`as` saturates; no level reaches that far")]
            crossings.entry(row as i32).or_default().push(x);
            row += 1.0;
        }
    }
    let mut out = CellSet::default();
    let mut n_cells = 0;
    for (y, mut xs) in crossings {
        xs.sort_by(f64::total_cmp);
        for pair in xs.chunks_exact(2) {
            #[expect(clippy::cast_possible_truncation, reason = "`as` saturates; no level reaches that far")]
            let column = |x: f64| (x / side[0] - 0.5).floor() as i32;
            let (from, to) = ((column(pair[0]) + 1).max(first[0]), column(pair[1]).min(last[0]));
            n_cells += usize::try_from(i64::from(to) - i64::from(from) + 1).unwrap_or(0);
            if n_cells > MAX_CELLS {
                return Err(too_many(MAX_CELLS, None));
            }
            if from <= to {
                out.insert_row(y, from, to);
            }
        }
    }
    Ok(out)
}

/// The tile layers that the selection is about: the one worked on, or all that can be worked on.
fn layers<'a>(cx: &ToolCx<'a>) -> Result<Vec<(&'a Layer, &'a Tiles)>, String> {
    if !cx.is_over_all_layers {
        let (layer, cells) = cx.cell_layer()?;
        return Ok(vec![(layer, cells.tiles)]);
    }
    let open = cx.layers().into_iter().filter(|layer| cx.check_usable(layer).is_ok());
    let found: Vec<_> = open.filter_map(|layer| Some((layer, layer.cells()?.tiles))).collect();
    check_grids(cx, found.iter().map(|(layer, _)| *layer))?;
    if found.is_empty() { Err("No tile layer is shown and unlocked".to_owned()) } else { Ok(found) }
}

/// Refuse to work on layers at once whose cells differ: what is selected of one is in the middle of a cell of another.
fn check_grids<'a>(cx: &ToolCx<'_>, mut layers: impl Iterator<Item = &'a Layer>) -> Result<(), String> {
    let all = layers.try_for_each(|layer| cx.check_grid(layer));
    all.map_err(|why| format!("{why}: lock or hide it, or work on one layer"))
}

/// The edit that gives a layer other tiles.
fn set_tiles(cx: &ToolCx<'_>, layer: &Layer, tiles: &Tiles) -> Option<Edit> {
    let at = cx.level()?.layer_at(&*layer.name).key("chunks");
    (layer.cells()?.tiles != tiles).then(|| Edit::set_at(cx.doc, at, tiles))
}

/// Whether selected tiles are moved while they are dragged, and not only their outline.
fn is_live(cx: &ToolCx<'_>) -> bool {
    cx.cells.len() <= MAX_LIVE
}

/// The selected tiles, to be put elsewhere. Those that float since they were moved before come from where they were
/// then, so that what they lie on comes back.
fn picked_up(cx: &ToolCx<'_>, is_copy: bool) -> Result<Floating, String> {
    let names: Vec<Name> = layers(cx)?.iter().map(|(layer, _)| layer.name.clone()).collect();
    let known = cx.floating.iter().rev().find(|it| !is_copy && it.is_here(cx, &names)).cloned();
    known.or_else(|| Floating::new(cx, is_copy, names)).ok_or_else(|| NO_TILES.to_owned())
}

/// The tiles that float, by layer, and all that the layer had.
fn lifted(floating: &Floating) -> Result<Vec<(&Layer, Cells<'_>, Tiles)>, String> {
    let Document::Level(base) = &*floating.base else { return Err(NO_TILES.to_owned()) };
    let layers = floating.layers.iter().filter_map(|name| base.layer(name));
    let lifted = layers.filter_map(|(_, layer)| {
        let cells = layer.cells()?;
        Some((&**layer, cells, cells.tiles.within(&floating.cells)))
    });
    let lifted: Vec<_> = lifted.collect();
    match lifted.iter().map(|(.., tiles)| tiles.n_chunks()).sum::<usize>() {
        0 => Err(NO_TILES.to_owned()),
        n if n > MAX_MOVED => {
            Err("These are too many tiles to be moved at once: select at most 4096 × 4096 cells".to_owned())
        }
        _ => Ok(lifted),
    }
}

/// Selected tiles moved or turned from where they are; the edits of it only when they are wanted.
fn put_down(cx: &ToolCx<'_>, floating: Floating, step: &CellTransform, has_edits: bool) -> Result<ToolOut, String> {
    let to = floating.to.then(step);
    if to.by.iter().any(|by| by.unsigned_abs() > MAX_WAY) {
        return Err("This is too far away".to_owned());
    }
    let all = floating.cells.transformed(&to);
    let cells = cx.grid.clip(&all);
    if cells.is_empty() {
        return Err("This would move all of them out of the level".to_owned());
    }
    let mut edits = Vec::new();
    if has_edits {
        for (layer, before, tiles) in lifted(&floating)? {
            let mut after = before.tiles.clone();
            if !floating.is_copy {
                after.fill(&floating.cells, Tile::EMPTY);
            }
            // Values have no flips.
            after.put_over(&tiles.transformed(&to, before.tileset.is_some()).within(&cells));
            let now = cx.level().and_then(|level| level.layer(&layer.name));
            edits.extend(now.and_then(|(_, layer)| set_tiles(cx, layer, &after)));
        }
    }
    let hint = match all.len() - cells.len() {
        0 => "".into(),
        n => format!("{} outside the level: tiles there are lost once they are let go", counted(n, "cell")).into(),
    };
    let floating = Some(floating.moved_to(to));
    Ok(ToolOut { edits, cells: Some(Arc::new(cells)), floating, hint, phase: Phase::Commit, ..ToolOut::default() })
}

/// The selected tiles moved by columns and rows, or copied there.
fn moved(cx: &ToolCx<'_>, by: Cell, is_copy: bool, has_edits: bool) -> Result<ToolOut, String> {
    let out = if by == [0, 0] {
        ToolOut { cells: Some(Arc::new(cx.cells.clone())), phase: Phase::Commit, ..ToolOut::default() }
    } else {
        put_down(cx, picked_up(cx, is_copy)?, &CellTransform::moved(by), has_edits)?
    };
    let note = Some(format!("{:+}, {:+}", by[0], by[1]));
    let verb = if is_copy { "Copy" } else { "Move" };
    let label = Some(format!("{verb} {}", counted(cx.cells.len(), "cell")));
    Ok(ToolOut { label, ghost: Ghost { note, ..Ghost::default() }, ..out })
}

/// How the tiles of selected cells are turned or mirrored, within the rectangle around them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Left to right.
    FlipH,
    /// Top to bottom.
    FlipV,
    /// A quarter clockwise, about the middle as far as whole cells allow.
    Rotate,
}

/// The edits that mirror or turn the selected tiles, and the cells they are on then.
///
/// # Errors
/// Nothing is selected, or the layer cannot be worked on.
pub fn turn_cells(cx: &ToolCx<'_>, turn: Turn) -> Result<ToolOut, String> {
    let (lo, hi) = cx.cells.bounds().ok_or(NOTHING)?;
    let [w, h] = [hi[0] - lo[0], hi[1] - lo[1]];
    let size = cx.grid.size;
    let is_too_large = |size: [u32; 2]| h.unsigned_abs() >= size[0] || w.unsigned_abs() >= size[1];
    if turn == Turn::Rotate && size.is_some_and(is_too_large) {
        return Err("The level has no room for these tiles turned".to_owned());
    }
    // Where the left top goes: rounded toward zero, so that a turn there and one back end where they began; inside the
    // level.
    let last = size.map(|size| size.map(|side| side.cast_signed() - 1));
    let turned_lo: Cell = std::array::from_fn(|i| {
        let at = lo[i] + [w - h, h - w][i] / 2;
        last.map_or(at, |last| at.min(last[i] - [h, w][i]).max(0))
    });
    let mirrored = |is_mirrored, by| CellTransform { is_mirrored, by, ..CellTransform::default() };
    let step = match turn {
        Turn::FlipH => mirrored([true, false], [lo[0] + hi[0] + 1, 0]),
        Turn::FlipV => mirrored([false, true], [0, lo[1] + hi[1] + 1]),
        Turn::Rotate => {
            let by = [turned_lo[0] + h + lo[1] + 1, turned_lo[1] - lo[0]];
            CellTransform { is_transposed: true, ..mirrored([true, false], by) }
        }
    };
    let verb = if turn == Turn::Rotate { "Rotate" } else { "Flip" };
    let label = Some(format!("{verb} {}", counted(cx.cells.len(), "cell")));
    Ok(ToolOut { label, ..put_down(cx, picked_up(cx, false)?, &step, true)? })
}

/// How far an arrow key moves the selected tiles: a cell, or ten when `is_far`.
#[must_use]
pub fn nudge_of(direction: [i8; 2], is_far: bool) -> Cell {
    direction.map(|it| i32::from(it) * if is_far { 10 } else { 1 })
}

/// The edits that move the selected tiles by columns and rows.
///
/// # Errors
/// There are none, or the layer cannot be worked on.
pub fn move_cells(cx: &ToolCx<'_>, by: Cell) -> Result<ToolOut, String> {
    moved(cx, by, false, true)
}

/// The edits that erase the selected tiles.
///
/// # Errors
/// The layer cannot be worked on.
pub fn erase_cells(cx: &ToolCx<'_>) -> Result<ToolOut, String> {
    let mut edits = Vec::new();
    for (layer, tiles) in layers(cx)? {
        if tiles.within(cx.cells).n_chunks() > 0 {
            let (doc, layer, cells) = (cx.doc.clone(), layer.name.clone(), Arc::new(cx.cells.clone()));
            edits.push(Edit::FillTiles { doc, layer, cells, stamp: Stamp::default(), anchor: [0, 0] });
        }
    }
    if edits.is_empty() {
        return Err(NO_TILES.to_owned());
    }
    let label = Some(format!("Erase {}", counted(cx.cells.len(), "cell")));
    Ok(ToolOut { edits, label, phase: Phase::Commit, ..ToolOut::default() })
}

/// The edits that fill the selected cells with the brush, which repeats from the left top of the rectangle around them.
///
/// # Errors
/// Nothing is selected, the brush is empty, or the layer cannot be worked on.
pub fn fill_cells(cx: &ToolCx<'_>) -> Result<ToolOut, String> {
    let (lo, _) = cx.cells.bounds().ok_or(NOTHING)?;
    if cx.stamp.is_empty() {
        return Err("Choose a tile in the Palette first".to_owned());
    }
    let (layer, tiles) = cx.cell_layer()?;
    cx.check_brush(layer, tiles)?;
    let n_cells = cx.cells.len();
    if n_cells > MAX_CELLS && (cx.is_random || cx.stamp.size() != [1, 1]) {
        return Err(format!("{}, with a brush of several tiles", too_many(MAX_CELLS, Some(n_cells as u64))));
    }
    let edit = if cx.is_random {
        let random = random_tiles(cx, tiles);
        let mut after = tiles.tiles.clone();
        after.paint(cx.cells.iter().filter_map(|cell| Some((cell, random.at(cell)?))));
        set_tiles(cx, layer, &after)
    } else {
        filled(cx, layer, Arc::new(cx.cells.clone()), (cx.stamp, lo))
    };
    let label = Some(format!("Fill {}", counted(cx.cells.len(), "cell")));
    Ok(ToolOut { edits: edit.into_iter().collect(), label, phase: Phase::Commit, ..ToolOut::default() })
}

const NOTHING: &str = "Select cells first";
const NO_TILES: &str = "There are no tiles in the selected cells";

/// All cells of the level; of an unbounded one, those around its tiles on the layer worked on.
///
/// # Errors
/// There are too many, or none.
pub fn all_cells(cx: &ToolCx<'_>) -> Result<CellSet, String> {
    let tiles = layer_of_cells(cx)?.tiles;
    let (lo, hi) = match cx.grid.size {
        Some(size) => ([0, 0], size.map(|side| i32::try_from(side).unwrap_or(i32::MAX).saturating_sub(1))),
        None => tiles.used_bounds().ok_or("There are no tiles on this layer")?,
    };
    rectangle_of(cx, lo, hi)
}

/// What the level has of a rectangle of cells.
fn rectangle_of(cx: &ToolCx<'_>, lo: Cell, hi: Cell) -> Result<CellSet, String> {
    let Some((lo, hi)) = cx.cells_within(lo, hi) else { return Ok(CellSet::default()) };
    let side = |i: usize| u64::from(hi[i].abs_diff(lo[i])) + 1;
    let n = side(0).saturating_mul(side(1));
    if n > MAX_SELECTED as u64 { Err(too_many(MAX_SELECTED, Some(n))) } else { Ok(CellSet::rectangle(lo, hi)) }
}

/// The cells of the level that are not selected.
///
/// # Errors
/// There are too many.
pub fn other_cells(cx: &ToolCx<'_>) -> Result<CellSet, String> {
    Ok(all_cells(cx)?.difference(cx.cells))
}

/// The tiles of the selected cells to copy, by layer, each as large as the rectangle around the cells; empty where a
/// cell is not selected.
///
/// # Errors
/// Nothing is selected, there are no tiles in it, or it is too large.
pub fn copied_cells(cx: &ToolCx<'_>) -> Result<Vec<StampPart>, String> {
    let (lo, hi) = cx.cells.bounds().ok_or(NOTHING)?;
    let layers: Vec<&Layer> = if cx.is_over_all_layers {
        // What could not be pasted where it comes from is left out.
        let open = cx.layers().into_iter().filter(|layer| cx.check_usable(layer).is_ok());
        open.filter(|layer| layer.cells().is_some()).collect()
    } else {
        cx.layer().into_iter().collect()
    };
    check_grids(cx, layers.iter().copied())?;
    let side = |i: usize| u64::from(hi[i].abs_diff(lo[i])) + 1;
    let n = side(0).saturating_mul(side(1)).saturating_mul(layers.len() as u64);
    if n > u64::from(Stamp::MAX_TILES) {
        return Err(format!("At most {} tiles can be copied at once; these would be {n}", Stamp::MAX_TILES));
    }
    let copied = layers.into_iter().filter_map(|layer| {
        let cells = layer.cells()?;
        let stamp = Stamp::from_tiles(&cells.tiles.within(cx.cells), lo, hi);
        (!stamp.is_empty()).then(|| StampPart {
            layer: layer.name.clone(),
            tileset: cells.tileset.cloned(),
            tiles: stamp,
        })
    });
    let copied: Vec<_> = copied.collect();
    if copied.is_empty() { Err(NO_TILES.to_owned()) } else { Ok(copied) }
}
