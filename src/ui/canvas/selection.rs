//! The outline of selected cells.

use std::sync::Arc;

use egui::{Color32, Painter, Shape, Stroke};

use super::{camera::pos, paint::Viewport};
use crate::{
    model::{Cell, CellGrid, CellSet},
    ui::Cx,
};

/// Length of a dash, and of the gap after it, in points.
const DASH: f32 = 4.0;

/// How far dashes move in a second, in points.
const SPEED: f64 = 8.0;

/// How often moving dashes are drawn, in seconds.
pub const STEP_SECS: f32 = 0.125;

/// With more pieces than this the outline is not dashed.
const MAX_DASHED: usize = 1_000;

/// More pieces than this are not drawn.
const MAX_PIECES: usize = 20_000;

/// The outline of cells as it was found for a part of the level.
struct Outline {
    cells: Arc<CellSet>,
    seen: (Cell, Cell),
    pieces: Vec<[Cell; 2]>,
}

/// Draw the outline of cells as dashes that move on with time, visible on any ground.
pub fn cells_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    (grid, cells): (CellGrid, &Arc<CellSet>),
    time: f64,
) {
    let seen = viewport.cells(grid);
    // Dashes move many times a second; what they move along mostly stays.
    let outline = cx.derived.memos().get_current(
        "selection outline",
        |it: &Outline| Arc::ptr_eq(&it.cells, cells) && it.seen == seen,
        |_| {
            let pieces = cells.outline(seen.0, seen.1).take(MAX_PIECES).collect();
            Outline { cells: Arc::clone(cells), seen, pieces }
        },
    );
    let corner = |cell: Cell| viewport.screen(pos(grid.corner_px(cell)));
    let pieces = || outline.pieces.iter().map(|piece| piece.map(corner));
    let is_dashed = outline.pieces.len() <= MAX_DASHED;
    #[expect(clippy::cast_possible_truncation, reason = "less than the length of two dashes")]
    let moved = (time * SPEED).rem_euclid(f64::from(2.0 * DASH)) as f32;
    let (light, dark) = (Stroke::new(1.5, Color32::WHITE), Stroke::new(1.5, Color32::BLACK));
    for [a, b] in pieces() {
        painter.line_segment([a, b], if is_dashed { dark } else { light });
        if is_dashed {
            // Dashes of one piece go on in the next: where they are depends on the place alone.
            let offset = (moved - a.x - a.y).rem_euclid(2.0 * DASH);
            let start = if offset > DASH { offset - 2.0 * DASH } else { offset };
            painter.extend(dashes(a, b, start, light));
        }
    }
}

/// Dashes from `start` points after `a` (before it when negative), cut to the line.
fn dashes(a: egui::Pos2, b: egui::Pos2, start: f32, stroke: Stroke) -> impl Iterator<Item = Shape> {
    let length = (b - a).length();
    let along = if length > 0.0 { (b - a) / length } else { egui::Vec2::ZERO };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a screen has few dashes")]
    let n = ((length - start) / (2.0 * DASH)).ceil().clamp(0.0, 4096.0) as usize;
    (0..n).filter_map(move |i| {
        let from = start + 2.0 * DASH * i as f32;
        let (from, to) = (from.max(0.0), (from + DASH).min(length));
        (from < to).then(|| Shape::line_segment([a + along * from, a + along * to], stroke))
    })
}
