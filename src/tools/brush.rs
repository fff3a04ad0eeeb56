//! Tools that paint tiles: strokes, shapes, fills, and taking a brush from the level.
//!
//! Invariant: what is painted depends on the events, the stamp and the project before the gesture only; random tiles
//! are drawn by cell, so going over a cell again paints the same.
//! Which cells a shape has is `shapes`, which an area has `fill`, which tiles fit each other `terrain`.

use std::{borrow::Cow, sync::Arc};

use super::{
    Area, Button, Cursor, Ghost, Picked, PointerEvent, PointerPhase, ShapeStyle, ToolCx, ToolKind, ToolOut, area,
    draw::Draw,
    fill::{MAX_CELLS, Seen, flood, same_tiles, too_many},
    options::{Alike, Matching},
    shapes::{ellipse_row, line, rectangle, size_note, sorted, squared, straightened},
    terrain::TerrainStroke,
};
use crate::{
    edit::{Edit, Phase, Stamp},
    model::{Cell, CellSet, Cells, DocPath, Layer, Name, Tile, counted},
};

/// More cells than this are filled with one tile when the pointer is released, and not before.
const MAX_LIVE: usize = 1 << 20;

/// The same where cells next to each other get other tiles, each by itself.
pub(super) const MAX_LIVE_SINGLE: usize = 1 << 16;

/// A ghost shows at most this many cells.
const MAX_GHOST: usize = 4096;

/// What tile tools keep from one gesture to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct Kept {
    last: LastCell,
    area: area::Kept,
}

/// Where the last stroke ended, in which level and layer: a straight line starts there.
type LastCell = Option<(DocPath, Name, Cell)>;

/// What a tile tool is in the middle of.
#[derive(Clone, Debug)]
pub(super) enum Brushing {
    /// A freehand stroke; with Shift a straight one from `start`.
    Stroke { start: Cell, last: Cell, anchor: Cell, cells: CellSet },
    /// A line, rectangle or ellipse from a corner.
    Shape { from: Cell },
    /// An area, chosen by the press.
    Fill { cells: Arc<CellSet>, anchor: Cell },
    /// Terrain along a stroke.
    Terrain { last: Cell, stroke: TerrainStroke, is_erasing: bool },
    /// A brush being taken, from a corner.
    Capture { from: Cell, from_px: [f64; 2] },
}

/// Cells beyond this are no level's, and a line to them would never end.
pub(super) const FAR: i32 = 1 << 20;

/// The hint where the pointer is beside the selected cells.
pub(super) const NOT_SELECTED: &str = "Only selected cells are painted: Deselect (Ctrl+Shift+A) to paint everywhere";

/// Answer a pointer event with the tool `kind`, which is in the middle of `brushing`.
pub(super) fn pointer(
    (kind, kept): (ToolKind, &mut Kept),
    cx: &ToolCx<'_>,
    event: &PointerEvent,
    brushing: Option<Brushing>,
) -> (Option<Brushing>, ToolOut) {
    let event = PointerEvent { cell: event.cell.map(|x| x.clamp(-FAR, FAR)), ..*event };
    let takes = kind == ToolKind::Eyedropper || event.button == Button::Secondary;
    if let Some(Brushing::Capture { from, from_px }) = brushing {
        return capture(cx, &event, (from, from_px));
    }
    if takes && event.phase == PointerPhase::Press {
        return capture(cx, &event, (event.cell, event.pos_px));
    }
    if kind == ToolKind::Eyedropper {
        let ghost = Ghost { cells: vec![event.cell], ..Ghost::default() };
        return (None, ToolOut { ghost, cursor: Cursor::Crosshair, ..ToolOut::default() });
    }
    let found = cx.cell_layer().and_then(|(layer, tiles)| {
        if kind.paints_brush() {
            cx.check_brush(layer, tiles)?;
        }
        Ok((layer, tiles))
    });
    let (layer, tiles) = match found {
        Ok(found) => found,
        Err(why) => {
            return (
                None,
                ToolOut { phase: ToolOut::ended(brushing.is_some(), Phase::Cancel), ..ToolOut::refused(why) },
            );
        }
    };
    let random = (cx.is_random && kind != ToolKind::Eraser).then(|| random_tiles(cx, tiles));
    let brush = Brush { cx, layer, tiles, kind, random };
    match (event.phase, brushing) {
        (PointerPhase::Press, _) => brush.press(&kept.last, &event),
        (PointerPhase::Drag | PointerPhase::Release, Some(brushing)) => brush.drag(&mut kept.last, &event, brushing),
        _ => (None, brush.hover(kept, &event)),
    }
}

/// Take a brush from the level.
fn capture(cx: &ToolCx<'_>, event: &PointerEvent, (from, from_px): (Cell, [f64; 2])) -> (Option<Brushing>, ToolOut) {
    let (lo, hi) = sorted(from, event.cell);
    let note = size_note(lo, hi);
    let ghost = Ghost { cell_rect: Some([lo, hi]), note: Some(note), ..Ghost::default() };
    let out = ToolOut { ghost, cursor: Cursor::Crosshair, ..ToolOut::default() };
    if event.phase != PointerPhase::Release {
        return (Some(Brushing::Capture { from, from_px }), out);
    }
    let n = [0, 1].map(|i: usize| u64::from(hi[i].abs_diff(lo[i])) + 1).iter().product::<u64>();
    if n > u64::from(Stamp::MAX_TILES) {
        return (None, ToolOut::refused(format!("A brush has at most {} tiles; this would be {n}", Stamp::MAX_TILES)));
    }
    // Of what is seen: of the layer worked on, or where nothing is there, of the frontmost that shows something.
    let mut numbers = cx.layer.into_iter().chain((0..cx.layers().len()).rev());
    let found = numbers.find_map(|number| {
        let level = cx.level()?;
        let layer = level.nth_layer(number).filter(|layer| (cx.shows)(layer))?;
        // A layer whose cells are elsewhere is asked for those that the pointer was over.
        let (lo, hi) = if cx.layer == Some(number) {
            (lo, hi)
        } else {
            let under = |px| level.cell_under(Some(number), px, cx.center_px()).map(|x| x.clamp(-FAR, FAR));
            sorted(under(from_px), under(event.pos_px))
        };
        let stamp = Stamp::from_tiles(layer.cells()?.tiles, lo, hi);
        (!stamp.is_empty()).then(|| Picked { stamp, layer: layer.name.clone() })
    });
    let out = match found {
        Some(picked) => ToolOut { picked: Some(picked), ..out },
        None => ToolOut { hint: "There are no tiles here to take".into(), ..ToolOut::default() },
    };
    (None, out)
}

/// The inputs of painting.
struct Brush<'a> {
    cx: &'a ToolCx<'a>,
    layer: &'a Layer,
    tiles: Cells<'a>,
    kind: ToolKind,
    /// What is painted on each cell, where that is drawn.
    random: Option<Draw<Tile>>,
}

impl Brush<'_> {
    fn press(&self, last: &LastCell, event: &PointerEvent) -> (Option<Brushing>, ToolOut) {
        let cell = event.cell;
        let brushing = match self.kind {
            ToolKind::Line | ToolKind::Rectangle | ToolKind::Ellipse => Brushing::Shape { from: cell },
            ToolKind::Bucket | ToolKind::SameTile => {
                let size = self.cx.grid.size;
                let alike = self.alike(cell);
                let seen = Seen::one(self.tiles.tiles, &alike);
                let found = match self.kind {
                    ToolKind::Bucket => flood(size, &seen, cell),
                    _ => same_tiles(size, &seen),
                };
                match found {
                    Ok(cells) => Brushing::Fill { cells: Arc::new(self.to_paint(&cells)), anchor: cell },
                    Err(why) => return (None, ToolOut::refused(why)),
                }
            }
            ToolKind::Terrain => {
                let is_erasing = event.modifiers.ctrl;
                let start = self.straight_start(last, event).unwrap_or(cell);
                Brushing::Terrain { last: start, stroke: TerrainStroke::default(), is_erasing }
            }
            _ => {
                let start = self.straight_start(last, event).unwrap_or(cell);
                let anchor = self.origin(cell);
                let cells = self.stroke(anchor, [start, cell]);
                Brushing::Stroke { start, last: cell, anchor, cells }
            }
        };
        if self.kind.paints_brush() && self.cx.stamp.is_empty() {
            return (None, ToolOut::refused("Choose a tile in the Palette first"));
        }
        // A press alone paints already.
        self.drag(&mut last.clone(), &PointerEvent { phase: PointerPhase::Drag, ..*event }, brushing)
    }

    /// Where a straight line to the pointer starts: the end of the last stroke, with Shift.
    fn straight_start(&self, last: &LastCell, event: &PointerEvent) -> Option<Cell> {
        let (doc, layer, cell) = last.as_ref().filter(|_| event.modifiers.shift)?;
        (doc == self.cx.doc && *layer == self.layer.name).then_some(*cell)
    }

    fn drag(&self, last: &mut LastCell, event: &PointerEvent, mut brushing: Brushing) -> (Option<Brushing>, ToolOut) {
        let cell = event.cell;
        let is_over = event.phase == PointerPhase::Release;
        let mut out =
            ToolOut { phase: ToolOut::ended(is_over, Phase::Commit), cursor: Cursor::Crosshair, ..ToolOut::default() };
        match &mut brushing {
            Brushing::Stroke { start, last, anchor, cells } => {
                if event.modifiers.shift && self.kind != ToolKind::Stamp {
                    *cells = self.stroke(*anchor, [*start, cell]);
                    out.ghost.note = Some(size_note(*start, cell));
                } else if *last != cell {
                    *cells = cells.union(&self.stroke(*anchor, [*last, cell]));
                }
                *last = cell;
                let painted = Arc::new(self.to_paint(cells));
                if is_over || self.is_live(painted.len()) {
                    out.edits = self.fill(&painted, *anchor);
                }
                let verb = if self.kind == ToolKind::Eraser { "Erase" } else { "Paint" };
                out.label = Some(format!("{verb} {}", counted(painted.len(), self.noun())));
                self.outline_tip(&mut out.ghost, cell);
            }
            Brushing::Terrain { last, stroke, is_erasing } => {
                let cells = self.to_paint(&self.cx.grid.clip(&self.cells_along(cell, [*last, cell])));
                *last = cell;
                if let Err(why) = stroke.add(self.cx, self.tiles, &cells, *is_erasing) {
                    return (None, ToolOut { phase: Phase::Cancel, ..ToolOut::refused(why) });
                }
                out.edits = self.paint(stroke.tiles());
                let verb = if *is_erasing { "Erase" } else { "Paint" };
                out.label = Some(format!("{verb} terrain on {}", counted(stroke.n_cells(), "cell")));
                self.outline_tip(&mut out.ghost, cell);
            }
            Brushing::Shape { from } => {
                let to = self.shape_end(*from, event);
                let (lo, hi) = sorted(*from, to);
                out.ghost.cell_rect = Some([lo, hi]);
                out.ghost.note = Some(size_note(lo, hi));
                let style = self.cx.options.shapes;
                match self.shape(*from, to, if event.modifiers.ctrl { style.other() } else { style }) {
                    Ok(cells) => {
                        let anchor = self.origin(*from);
                        if is_over || self.is_live(cells.len()) {
                            out.edits = self.fill(&Arc::new(self.to_paint(&cells)), anchor);
                        }
                    }
                    Err(why) => {
                        let out = ToolOut {
                            phase: ToolOut::ended(is_over, Phase::Cancel),
                            ghost: out.ghost,
                            ..ToolOut::refused(why)
                        };
                        return (if is_over { None } else { Some(brushing) }, out);
                    }
                }
            }
            Brushing::Fill { cells, anchor } => {
                if is_over || self.is_live(cells.len()) {
                    out.edits = self.fill(cells, *anchor);
                }
                let verb = if self.kind == ToolKind::Bucket { "Fill" } else { "Replace" };
                out.label = Some(format!("{verb} {}", counted(cells.len(), self.noun())));
            }
            Brushing::Capture { .. } => {}
        }
        if !is_over {
            return (Some(brushing), out);
        }
        if !matches!(brushing, Brushing::Fill { .. }) {
            *last = Some((self.cx.doc.clone(), self.layer.name.clone(), cell));
        }
        (None, out)
    }

    /// The cells of an area that are painted: those that are selected, where some are.
    fn to_paint(&self, area: &CellSet) -> CellSet {
        if self.cx.cells.is_empty() { area.clone() } else { area.intersection(self.cx.cells) }
    }

    /// Whether the cell shows the one tile that its area would be filled with, and so do all alike.
    fn is_filled(&self, cell: Cell) -> bool {
        let is_one_tile = self.random.is_none() && self.cx.stamp.size() == [1, 1];
        let is_exact = self.cx.options.matching == Matching::Tile;
        is_one_tile && is_exact && self.tiles.tiles.get(cell) == self.tile_at(cell, cell)
    }

    /// What it paints on: values lie on cells.
    fn noun(&self) -> &'static str {
        let has_tiles = self.cx.layer().is_none_or(|layer| layer.tiles().is_some());
        if has_tiles { "tile" } else { "cell" }
    }

    /// Whether so many cells are painted while the pointer is still held.
    fn is_live(&self, n_cells: usize) -> bool {
        let is_one_tile = self.random.is_none() && (self.kind == ToolKind::Eraser || self.cx.stamp.size() == [1, 1]);
        n_cells <= if is_one_tile { MAX_LIVE } else { MAX_LIVE_SINGLE }
    }

    fn hover(&self, kept: &mut Kept, event: &PointerEvent) -> ToolOut {
        let cell = event.cell;
        let mut ghost = Ghost::default();
        match self.kind {
            ToolKind::Bucket | ToolKind::SameTile if self.cx.has_cell(cell) => {
                let size = self.cx.grid.size;
                let Some(layer) = self.cx.shared_layer() else { return ToolOut::default() };
                if self.is_filled(cell) {
                    return ToolOut { hint: "These cells show this tile already".into(), ..ToolOut::default() };
                }
                match kept.area.at((self.kind, self.alike(cell)), layer, size, cell) {
                    Ok(area) => {
                        let area = if self.cx.cells.is_empty() {
                            area
                        } else {
                            Arc::new(Area { cells: self.to_paint(&area.cells), ..*area })
                        };
                        let n = counted(area.cells.len(), "cell");
                        ghost.note = Some(if area.is_whole { n } else { "a large area".to_owned() });
                        ghost.tiles = self.tiles_on(cell, &area.cells).collect();
                        ghost.area = Some(area);
                    }
                    Err(why) => return ToolOut::refused(why),
                }
            }
            ToolKind::Bucket | ToolKind::SameTile => {}
            ToolKind::Line | ToolKind::Rectangle | ToolKind::Ellipse => {
                ghost.tiles = vec![(cell, self.tile_at(self.origin(cell), cell))];
                ghost.cells = vec![cell];
            }
            _ => {
                let start = self.straight_start(&kept.last, event);
                match start {
                    Some(start) => {
                        let cells = self.cells_of_steps(cell, [start, cell], MAX_GHOST);
                        ghost.area = Some(Arc::new(Area { cells, is_whole: true }));
                        ghost.note = Some(size_note(start, cell));
                    }
                    None => self.outline_tip(&mut ghost, cell),
                }
                let anchor = self.origin(cell);
                let way = || self.cells_of_steps(anchor, [start.unwrap_or(cell), cell], MAX_GHOST);
                if self.kind == ToolKind::Terrain {
                    let mut stroke = TerrainStroke::default();
                    let cells = self.to_paint(&self.cx.grid.clip(&way()));
                    let cells: CellSet = cells.iter().take(MAX_GHOST).collect();
                    // A press reports what is missing.
                    if stroke.add(self.cx, self.tiles, &cells, event.modifiers.ctrl).is_ok() {
                        ghost.tiles = stroke.tiles().filter(|(cell, _)| self.cx.is_paintable(*cell)).collect();
                    }
                } else if self.kind.paints_brush() {
                    let cells = self.cx.grid.clip(&self.to_paint(&way()));
                    ghost.tiles = self.tiles_on(anchor, &cells).take(MAX_GHOST).collect();
                }
            }
        }
        let hint: Cow<'static, str> = match (self.cx.has_cell(cell), self.cx.is_paintable(cell)) {
            (false, _) => "This is outside the level".into(),
            (true, false) => NOT_SELECTED.into(),
            (true, true) => "".into(),
        };
        ToolOut { ghost, cursor: Cursor::Crosshair, hint, ..ToolOut::default() }
    }

    /// The tiles that count as the same as the one on a cell.
    fn alike(&self, cell: Cell) -> Alike {
        Alike::of(self.cx.options.matching, self.cx.tileset(self.tiles), self.tiles.tiles.get(cell))
    }

    /// The left top cell of the brush when the pointer is in its middle.
    fn origin(&self, cell: Cell) -> Cell {
        let [w, h] = self.sides().map(|side| (side.cast_signed() - 1) / 2);
        [cell[0] - w, cell[1] - h]
    }

    /// Columns and rows painted at once.
    fn sides(&self) -> [u32; 2] {
        let is_stamp = matches!(self.kind, ToolKind::Pencil | ToolKind::Stamp);
        let brush = if is_stamp && !self.cx.is_random { self.cx.stamp.size() } else { [1, 1] };
        if self.kind.has_tip() { self.cx.options.tip.sides(brush) } else { brush }
    }

    /// The cells painted at once, from the left top one: by row, first and last column.
    fn tip_rows(&self) -> Vec<(i32, i32, i32)> {
        let [w, h] = self.sides();
        if self.kind.has_tip() {
            self.cx.options.tip.rows([w, h])
        } else {
            (0..h.cast_signed()).map(|y| (y, 0, w.cast_signed() - 1)).collect()
        }
    }

    /// Show the cells painted at once.
    fn outline_tip(&self, ghost: &mut Ghost, cell: Cell) {
        let cells = self.cells_along(self.origin(cell), [cell, cell]);
        match cells.bounds() {
            Some((lo, hi)) if cells == CellSet::rectangle(lo, hi) => ghost.cell_rect = Some([lo, hi]),
            _ => ghost.area = Some(Arc::new(Area { cells, is_whole: true })),
        }
    }

    /// What the brush paints on a cell, with the stamp's left top on `anchor`.
    fn tile_at(&self, anchor: Cell, cell: Cell) -> Tile {
        match &self.random {
            _ if self.kind == ToolKind::Eraser => Tile::EMPTY,
            Some(random) => random.at(cell).unwrap_or_default(),
            None => self.cx.stamp.get([0, 1].map(|i| cell[i].wrapping_sub(anchor[i]))),
        }
    }

    /// What it paints on some; empty tiles leave what is there.
    fn tiles_on(&self, anchor: Cell, cells: &CellSet) -> impl Iterator<Item = (Cell, Tile)> {
        cells.iter().map(move |cell| (cell, self.tile_at(anchor, cell))).filter(|(_, tile)| !tile.is_empty())
    }

    /// The cells that the brush paints along a straight way.
    fn stroke(&self, anchor: Cell, way: [Cell; 2]) -> CellSet {
        let cells = self.cx.grid.clip(&self.cells_along(anchor, way));
        let has_holes = self.kind != ToolKind::Eraser && self.cx.stamp.iter().any(|(_, tile)| tile.is_empty());
        if has_holes && self.random.is_none() {
            return cells.iter().filter(|cell| !self.tile_at(anchor, *cell).is_empty()).collect();
        }
        cells
    }

    fn shape_end(&self, from: Cell, event: &PointerEvent) -> Cell {
        match (self.kind, event.modifiers.shift) {
            (_, false) => event.cell,
            (ToolKind::Line, true) => straightened(from, event.cell),
            (_, true) => squared(from, event.cell),
        }
    }

    /// The cells of the tool's shape, as far as the level has them.
    fn shape(&self, from: Cell, to: Cell, style: ShapeStyle) -> Result<CellSet, String> {
        let (within, is_outline) = (self.within(0), style == ShapeStyle::Outlined);
        if self.kind == ToolKind::Line {
            return Ok(line(from, to, within).collect());
        }
        let (lo, hi) = sorted(from, to);
        let (first, last) =
            within.map_or((lo, hi), |(a, b)| ([0, 1].map(|i| lo[i].max(a[i])), [0, 1].map(|i| hi[i].min(b[i]))));
        if first[0] > last[0] || first[1] > last[1] {
            return Ok(CellSet::default());
        }
        let side = |i: usize| u64::from(last[i].abs_diff(first[i])) + 1;
        let n = side(0) * side(1);
        if n > MAX_CELLS as u64 {
            return Err(too_many(MAX_CELLS, Some(n)));
        }
        Ok(match (self.kind, is_outline) {
            (ToolKind::Ellipse, _) => {
                let row = ellipse_row(from, to, is_outline);
                let mut cells = CellSet::default();
                for y in first[1]..=last[1] {
                    row(y).into_iter().for_each(|(a, b)| cells.insert_row(y, a.max(first[0]), b.min(last[0])));
                }
                cells
            }
            (_, true) => {
                let is_edge = |cell: &Cell| (0..2).any(|i| cell[i] == lo[i] || cell[i] == hi[i]);
                rectangle(first, last, true).filter(is_edge).collect()
            }
            _ => CellSet::rectangle(first, last),
        })
    }

    /// The level's cells and so many around it; `None` for an unbounded level.
    fn within(&self, margin: i32) -> Option<(Cell, Cell)> {
        let size = self.cx.grid.size?;
        let last = size.map(|side| i32::try_from(side).unwrap_or(i32::MAX - FAR) - 1 + margin);
        Some(([-margin; 2], last))
    }

    /// A straight way that the brush goes along, as far as it can touch the level.
    fn cells_between(&self, from: Cell, to: Cell) -> impl Iterator<Item = Cell> + use<> {
        let margin = self.sides().into_iter().max().unwrap_or(1).cast_signed();
        line(from, to, self.within(2 * margin))
    }

    /// What the brush covers along a straight way. Copies of a stamp lie as `anchor` says, the left top of one.
    fn cells_along(&self, anchor: Cell, way: [Cell; 2]) -> CellSet {
        self.cells_of_steps(anchor, way, usize::MAX)
    }

    /// The same of so many steps of the way at most.
    fn cells_of_steps(&self, anchor: Cell, [from, to]: [Cell; 2], most: usize) -> CellSet {
        let ([w, h], tip) = (self.sides().map(u32::cast_signed), self.tip_rows());
        let at = |cell: Cell| {
            let lo = self.origin(cell);
            // Whole copies side by side, not over each other.
            let whole = |i: usize, side: i32| anchor[i] + (lo[i] - anchor[i]).div_euclid(side) * side;
            if self.kind == ToolKind::Stamp { [whole(0, w), whole(1, h)] } else { lo }
        };
        let mut out = CellSet::default();
        let mut last = None;
        for [x, y] in self.cells_between(from, to).take(most).map(at) {
            // Many steps lead to the same copy of a stamp.
            if last.replace([x, y]) == Some([x, y]) {
                continue;
            }
            tip.iter().for_each(|(row, first, last)| out.insert_row(y + row, x + first, x + last));
        }
        out
    }

    /// The edit that fills cells with the brush, whose left top is on `anchor`.
    fn fill(&self, cells: &Arc<CellSet>, anchor: Cell) -> Vec<Edit> {
        if self.random.is_some() {
            return self.paint(self.tiles_on(anchor, cells));
        }
        let erased = Stamp::default();
        let stamp = if self.kind == ToolKind::Eraser { &erased } else { self.cx.stamp };
        // An empty stamp erases, which an empty brush does not.
        let is_nothing = self.kind != ToolKind::Eraser && stamp.is_empty();
        filled(self.cx, self.layer, cells.clone(), (stamp, anchor)).filter(|_| !is_nothing).into_iter().collect()
    }

    /// The edit that puts tiles on the layer; empty ones leave what is there, but for the terrain's.
    fn paint(&self, cells: impl Iterator<Item = (Cell, Tile)>) -> Vec<Edit> {
        let erases = self.kind == ToolKind::Terrain;
        let is_painted = |(cell, tile): &(Cell, Tile)| (erases || !tile.is_empty()) && self.cx.is_paintable(*cell);
        let cells: Vec<(Cell, Tile)> = cells.filter(is_painted).collect();
        if cells.is_empty() {
            return Vec::new();
        }
        vec![Edit::PaintTiles { doc: self.cx.doc.clone(), layer: self.layer.name.clone(), cells }]
    }
}

/// The edit that fills cells with a stamp, where there are any; it erases with one that is empty.
pub(super) fn filled(
    cx: &ToolCx<'_>,
    layer: &Layer,
    cells: Arc<CellSet>,
    (stamp, anchor): (&Stamp, Cell),
) -> Option<Edit> {
    let (doc, layer, stamp) = (cx.doc.clone(), layer.name.clone(), stamp.clone());
    (!cells.is_empty()).then_some(Edit::FillTiles { doc, layer, cells, stamp, anchor })
}

/// The brush's tiles, one of which is drawn for a cell by weight.
pub(super) fn random_tiles(cx: &ToolCx<'_>, layer: Cells<'_>) -> Draw<Tile> {
    let tileset = cx.tileset(layer);
    let weight = |tile: Tile| tile.id().and_then(|id| tileset?.tiles.get(&id)).map_or(1.0, |def| def.weight);
    let tiles = cx.stamp.iter().map(|(_, tile)| tile).filter(|tile| !tile.is_empty());
    Draw::new(tiles.map(|tile| (tile, weight(tile))))
}
