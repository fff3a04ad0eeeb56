//! Tools that paint tiles: strokes, shapes, fills, and taking a brush from the level.
//!
//! Invariant: what is painted depends on the events, the stamp and the project before the gesture only; random tiles are
//! drawn by cell, so going over a cell again paints the same.
//! Which cells a shape has is `shapes`, which an area has `fill`, which tiles fit each other `terrain`.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use super::{
    Button, Cursor, Ghost, Picked, PointerEvent, PointerPhase, ToolCx, ToolKind, ToolOut,
    fill::{MAX_CELLS, flood, same_tiles},
    shapes::{in_ellipse, line, line_within, rectangle, sorted, squared, straightened},
    terrain::terrain_cells,
};
use crate::{
    edit::{Edit, Phase, Stamp},
    model::{Cell, DocPath, Layer, Tile, TileLayer, counted, mix},
};

/// A ghost shows at most this many cells.
const MAX_GHOST: usize = 4096;

/// Where the last stroke ended: a straight line starts there.
pub(super) type LastCell = Option<(DocPath, Cell)>;

/// What a tile tool is in the middle of.
#[derive(Clone, Debug)]
pub(super) enum Brushing {
    /// A freehand stroke; with Shift a straight one from `start`.
    Stroke { start: Cell, last: Cell, anchor: Cell, painted: BTreeMap<Cell, Tile> },
    /// A line, rectangle or ellipse from a corner.
    Shape { from: Cell },
    /// An area, chosen by the press.
    Fill { cells: Vec<Cell>, anchor: Cell },
    /// Terrain along a stroke.
    Terrain { last: Cell, cells: BTreeSet<Cell>, is_erasing: bool },
    /// A brush being taken, from a corner.
    Capture { from: Cell },
}

/// Cells beyond this are no level's, and a line to them would never end.
const FAR: i32 = 1 << 20;

/// Answer a pointer event with the tool `kind`, which is in the middle of `brushing`.
pub(super) fn pointer(
    (kind, last): (ToolKind, &mut LastCell),
    cx: &ToolCx<'_>,
    event: &PointerEvent,
    brushing: Option<Brushing>,
) -> (Option<Brushing>, ToolOut) {
    let event = PointerEvent { cell: event.cell.map(|x| x.clamp(-FAR, FAR)), ..*event };
    let takes = kind == ToolKind::Eyedropper || event.button == Button::Secondary;
    if let Some(Brushing::Capture { from }) = brushing {
        return capture(cx, &event, from);
    }
    if takes && event.phase == PointerPhase::Press {
        return capture(cx, &event, event.cell);
    }
    if kind == ToolKind::Eyedropper {
        let ghost = Ghost { cells: vec![event.cell], ..Ghost::default() };
        return (None, ToolOut { ghost, cursor: Cursor::Crosshair, ..ToolOut::default() });
    }
    let (layer, tiles) = match cx.tile_layer() {
        Ok(found) => found,
        Err(why) => {
            return (
                None,
                ToolOut { phase: ToolOut::ended(brushing.is_some(), Phase::Cancel), ..ToolOut::refused(why) },
            );
        }
    };
    let brush = Brush { cx, layer, tiles, kind };
    match (event.phase, brushing) {
        (PointerPhase::Press, _) => brush.press(last, &event),
        (PointerPhase::Drag | PointerPhase::Release, Some(brushing)) => brush.drag(last, &event, brushing),
        _ => (None, brush.hover(last, &event)),
    }
}

/// Take a brush from the level.
fn capture(cx: &ToolCx<'_>, event: &PointerEvent, from: Cell) -> (Option<Brushing>, ToolOut) {
    let (lo, hi) = sorted(from, event.cell);
    let note = size_note(lo, hi);
    let ghost = Ghost { cell_rect: Some([lo, hi]), note: Some(note), ..Ghost::default() };
    let out = ToolOut { ghost, cursor: Cursor::Crosshair, ..ToolOut::default() };
    if event.phase != PointerPhase::Release {
        return (Some(Brushing::Capture { from }), out);
    }
    // Of the layer worked on; where nothing is there, of the frontmost that shows something.
    let layers = cx.level().map(|level| level.layers.as_slice()).unwrap_or_default();
    let shown = layers.iter().rev().map(|layer| &**layer).filter(|layer| (cx.shows)(layer));
    let found = cx.layer().into_iter().chain(shown).find_map(|layer| {
        let stamp = Stamp::from_tiles(&layer.tiles()?.tiles, lo, hi);
        (!stamp.is_empty()).then(|| Picked { stamp, layer: layer.name.clone() })
    });
    let out = match found {
        Some(picked) => ToolOut { picked: Some(picked), ..out },
        None => ToolOut { hint: "There are no tiles here to take".into(), ..ToolOut::default() },
    };
    (None, out)
}

fn size_note(lo: Cell, hi: Cell) -> String {
    format!("{} × {}", hi[0].abs_diff(lo[0]).saturating_add(1), hi[1].abs_diff(lo[1]).saturating_add(1))
}

/// The inputs of painting.
struct Brush<'a> {
    cx: &'a ToolCx<'a>,
    layer: &'a Layer,
    tiles: &'a TileLayer,
    kind: ToolKind,
}

impl Brush<'_> {
    fn press(&self, last: &LastCell, event: &PointerEvent) -> (Option<Brushing>, ToolOut) {
        let cell = event.cell;
        let brushing = match self.kind {
            ToolKind::Line | ToolKind::Rectangle | ToolKind::Ellipse => Brushing::Shape { from: cell },
            ToolKind::Bucket | ToolKind::SameTile => {
                let size = self.cx.level().and_then(|level| level.size);
                let found = match self.kind {
                    ToolKind::Bucket => flood(size, &self.tiles.tiles, cell),
                    _ => same_tiles(size, &self.tiles.tiles, self.tiles.tiles.get(cell)),
                };
                match found {
                    Ok(cells) => Brushing::Fill { cells, anchor: cell },
                    Err(why) => return (None, ToolOut::refused(why)),
                }
            }
            ToolKind::Terrain => {
                let is_erasing = event.modifiers.ctrl;
                let start = self.straight_start(last, event).unwrap_or(cell);
                Brushing::Terrain { last: start, cells: [start].into(), is_erasing }
            }
            _ => {
                let start = self.straight_start(last, event).unwrap_or(cell);
                let mut painted = BTreeMap::new();
                let anchor = self.origin(cell);
                self.stroke(&mut painted, anchor, self.cells_between(start, cell));
                Brushing::Stroke { start, last: cell, anchor, painted }
            }
        };
        if self.kind.paints_brush() && self.cx.stamp.is_empty() {
            return (None, ToolOut::refused("Choose a tile in the palette first"));
        }
        // A press alone paints already.
        self.drag(&mut last.clone(), &PointerEvent { phase: PointerPhase::Drag, ..*event }, brushing)
    }

    /// Where a straight line to the pointer starts: the end of the last stroke, with Shift.
    fn straight_start(&self, last: &LastCell, event: &PointerEvent) -> Option<Cell> {
        let (doc, cell) = last.as_ref().filter(|_| event.modifiers.shift)?;
        (doc == self.cx.doc).then_some(*cell)
    }

    fn drag(&self, last: &mut LastCell, event: &PointerEvent, mut brushing: Brushing) -> (Option<Brushing>, ToolOut) {
        let cell = event.cell;
        let is_over = event.phase == PointerPhase::Release;
        let mut out =
            ToolOut { phase: ToolOut::ended(is_over, Phase::Commit), cursor: Cursor::Crosshair, ..ToolOut::default() };
        match &mut brushing {
            Brushing::Stroke { start, last, anchor, painted } => {
                if event.modifiers.shift && self.kind != ToolKind::Stamp {
                    painted.clear();
                    self.stroke(painted, *anchor, self.cells_between(*start, cell));
                } else if *last != cell {
                    self.stroke(painted, *anchor, self.cells_between(*last, cell));
                }
                *last = cell;
                out.edits = self.paint(painted.iter().map(|(cell, tile)| (*cell, *tile)));
                out.ghost.cell_rect = Some(self.footprint(cell));
            }
            Brushing::Terrain { last, cells, is_erasing } => {
                cells.extend(self.cells_between(*last, cell).filter(|cell| self.cx.has_cell(*cell)));
                *last = cell;
                match terrain_cells(self.cx, self.tiles, cells, *is_erasing) {
                    Ok(painted) => out.edits = self.paint(painted.into_iter()),
                    Err(why) => return (None, ToolOut { phase: Phase::Cancel, ..ToolOut::refused(why) }),
                }
                let n = cells.len();
                let verb = if *is_erasing { "Erase" } else { "Paint" };
                out.label = Some(format!("{verb} terrain on {}", counted(n, "cell")));
                out.ghost.cells = vec![cell];
            }
            Brushing::Shape { from } => {
                let to = self.shape_end(*from, event);
                let (lo, hi) = sorted(*from, to);
                out.ghost.cell_rect = Some([lo, hi]);
                out.ghost.note = Some(size_note(lo, hi));
                match self.shape(*from, to, event.modifiers.ctrl) {
                    Ok(cells) => {
                        let anchor = self.origin(*from);
                        out.edits = self.paint(cells.into_iter().map(|cell| (cell, self.tile_at(anchor, cell))));
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
                out.edits = self.paint(cells.iter().map(|cell| (*cell, self.tile_at(*anchor, *cell))));
                let verb = if self.kind == ToolKind::Bucket { "Fill" } else { "Replace" };
                let n = cells.len();
                out.label = Some(format!("{verb} {}", counted(n, "tile")));
            }
            Brushing::Capture { .. } => {}
        }
        if !is_over {
            return (Some(brushing), out);
        }
        if !matches!(brushing, Brushing::Fill { .. }) {
            *last = Some((self.cx.doc.clone(), cell));
        }
        (None, out)
    }

    fn hover(&self, last: &LastCell, event: &PointerEvent) -> ToolOut {
        let cell = event.cell;
        let mut ghost = Ghost::default();
        match self.kind {
            ToolKind::Bucket | ToolKind::SameTile | ToolKind::Terrain | ToolKind::Eraser => {
                ghost.cells = vec![cell];
            }
            ToolKind::Line | ToolKind::Rectangle | ToolKind::Ellipse => {
                ghost.tiles = vec![(cell, self.tile_at(self.origin(cell), cell))];
                ghost.cells = vec![cell];
            }
            _ => {
                let [lo, hi] = self.footprint(cell);
                ghost.cell_rect = Some([lo, hi]);
                let anchor = self.origin(cell);
                let cells = rectangle(lo, hi, false).take(MAX_GHOST).filter(|cell| self.cx.has_cell(*cell));
                ghost.tiles =
                    cells.map(|cell| (cell, self.tile_at(anchor, cell))).filter(|(_, it)| !it.is_empty()).collect();
            }
        }
        if let Some(start) = self.straight_start(last, event)
            && matches!(self.kind, ToolKind::Pencil | ToolKind::Eraser | ToolKind::Terrain)
        {
            ghost.cells = line(start, cell).take(MAX_GHOST).collect();
        }
        let hint: Cow<'static, str> =
            if self.cx.has_cell(cell) { "".into() } else { "This is outside the level".into() };
        ToolOut { ghost, cursor: Cursor::Crosshair, hint, ..ToolOut::default() }
    }

    /// The left top cell of the stamp when the pointer is in its middle.
    fn origin(&self, cell: Cell) -> Cell {
        let [w, h] = self.brush_size().map(|side| (side.cast_signed() - 1) / 2);
        [cell[0] - w, cell[1] - h]
    }

    /// Columns and rows painted at once.
    fn brush_size(&self) -> [u32; 2] {
        let is_stamp = matches!(self.kind, ToolKind::Pencil | ToolKind::Stamp);
        if is_stamp && !self.cx.is_random { self.cx.stamp.size() } else { [1, 1] }
    }

    /// The cells painted at once, by two corners.
    fn footprint(&self, cell: Cell) -> [Cell; 2] {
        let lo = self.origin(cell);
        let [w, h] = self.brush_size().map(u32::cast_signed);
        [lo, [lo[0] + w - 1, lo[1] + h - 1]]
    }

    /// What the brush paints on a cell, with the stamp's left top on `anchor`.
    fn tile_at(&self, anchor: Cell, cell: Cell) -> Tile {
        if self.kind == ToolKind::Eraser {
            return Tile::EMPTY;
        }
        if self.cx.is_random {
            return self.random_tile(cell);
        }
        self.cx.stamp.get([cell[0].wrapping_sub(anchor[0]), cell[1].wrapping_sub(anchor[1])])
    }

    /// One of the stamp's tiles, drawn by weight; always the same for a cell.
    fn random_tile(&self, [x, y]: Cell) -> Tile {
        let tileset = self.cx.tileset(self.tiles);
        let weight = |tile: Tile| {
            let def = tile.id().and_then(|id| tileset?.tiles.get(&id));
            def.map_or(1.0, |def| def.weight.max(0.0))
        };
        let tiles: Vec<(Tile, f64)> =
            self.cx.stamp.iter().filter(|(_, tile)| !tile.is_empty()).map(|(_, tile)| (tile, weight(tile))).collect();
        let total: f64 = tiles.iter().map(|(_, weight)| weight).sum();
        let bits = mix(u64::from(x.cast_unsigned()) << 32 | u64::from(y.cast_unsigned()));
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
        let mut draw = (bits >> 11) as f64 / (1_u64 << 53) as f64 * total;
        for (tile, weight) in &tiles {
            draw -= weight;
            if draw < 0.0 {
                return *tile;
            }
        }
        // All weights zero: none is preferred.
        let at = usize::try_from(bits % tiles.len().max(1) as u64).unwrap_or(0);
        tiles.get(at).map(|(tile, _)| *tile).unwrap_or_default()
    }

    /// Paint the brush at every cell of a way.
    fn stroke(&self, painted: &mut BTreeMap<Cell, Tile>, anchor: Cell, cells_between: impl Iterator<Item = Cell>) {
        let [w, h] = self.brush_size().map(u32::cast_signed);
        for cell in cells_between {
            let mut lo = self.origin(cell);
            if self.kind == ToolKind::Stamp {
                // Whole copies side by side, not over each other.
                let whole = |i: usize, side: i32| anchor[i] + (lo[i] - anchor[i]).div_euclid(side) * side;
                lo = [whole(0, w), whole(1, h)];
            }
            for cell in rectangle(lo, [lo[0] + w - 1, lo[1] + h - 1], false) {
                let tile = self.tile_at(anchor, cell);
                if self.cx.has_cell(cell) && (self.kind == ToolKind::Eraser || !tile.is_empty()) {
                    painted.insert(cell, tile);
                }
            }
        }
    }

    fn shape_end(&self, from: Cell, event: &PointerEvent) -> Cell {
        match (self.kind, event.modifiers.shift) {
            (_, false) => event.cell,
            (ToolKind::Line, true) => straightened(from, event.cell),
            (_, true) => squared(from, event.cell),
        }
    }

    /// The cells of the tool's shape, as far as the level has them.
    fn shape(&self, from: Cell, to: Cell, is_outline: bool) -> Result<Vec<Cell>, &'static str> {
        let within = self.within(0);
        if self.kind == ToolKind::Line {
            return Ok(line_within(from, to, within).collect());
        }
        let (lo, hi) = sorted(from, to);
        let (first, last) =
            within.map_or((lo, hi), |(a, b)| ([0, 1].map(|i| lo[i].max(a[i])), [0, 1].map(|i| hi[i].min(b[i]))));
        if first[0] > last[0] || first[1] > last[1] {
            return Ok(Vec::new());
        }
        let side = |i: usize| u64::from(last[i].abs_diff(first[i])) + 1;
        if side(0) * side(1) > MAX_CELLS as u64 {
            return Err("This is too large to paint at once");
        }
        let cells = rectangle(first, last, false);
        Ok(match self.kind {
            ToolKind::Ellipse => {
                let is_in = in_ellipse(from, to, is_outline);
                cells.filter(|cell| is_in(*cell)).collect()
            }
            _ if is_outline => cells.filter(|cell| (0..2).any(|i| cell[i] == lo[i] || cell[i] == hi[i])).collect(),
            _ => cells.collect(),
        })
    }

    /// The level's cells and so many around it; `None` for an unbounded level.
    fn within(&self, margin: i32) -> Option<(Cell, Cell)> {
        let size = self.cx.level()?.size?;
        let last = size.map(|side| i32::try_from(side).unwrap_or(i32::MAX - FAR) - 1 + margin);
        Some(([-margin; 2], last))
    }

    /// A straight way that the brush goes along, as far as it can touch the level.
    fn cells_between(&self, from: Cell, to: Cell) -> impl Iterator<Item = Cell> + use<> {
        let margin = self.brush_size().into_iter().max().unwrap_or(1).cast_signed();
        line_within(from, to, self.within(2 * margin))
    }

    /// The edit that puts tiles on the layer; empty ones leave what is there unless they erase.
    fn paint(&self, cells: impl Iterator<Item = (Cell, Tile)>) -> Vec<Edit> {
        let is_erasing = matches!(self.kind, ToolKind::Eraser | ToolKind::Terrain);
        let cells: Vec<(Cell, Tile)> = cells.filter(|(_, tile)| is_erasing || !tile.is_empty()).collect();
        if cells.is_empty() {
            return Vec::new();
        }
        vec![Edit::PaintTiles { doc: self.cx.doc.clone(), layer: self.layer.name.clone(), cells }]
    }
}
