//! Lines that can be seen on any art: each is drawn over a wider one of the opposite brightness.

use egui::{CornerRadius, Mesh, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2};

use super::paint::Viewport;
use crate::{
    model::{Cell, CellGrid},
    tools::Area,
    ui::{Theme, canvas::ghost::cells_rect},
};

/// How much wider the line below is, in points: half of it shows on each side.
const HALO: f32 = 2.0;

/// An area with a longer border than this is drawn without one, in lines.
const MAX_BORDER: usize = 8192;

fn halo(theme: &Theme, stroke: Stroke) -> Stroke {
    Stroke::new(stroke.width + HALO, theme.halo)
}

/// How far a point is from a straight line between two others.
pub(super) fn distance(at: Pos2, [a, b]: [Pos2; 2]) -> f32 {
    let along = b - a;
    let share = ((at - a).dot(along) / along.length_sq().max(1e-6)).clamp(0.0, 1.0);
    (a + along * share - at).length()
}

/// A frame.
pub(super) fn frame_ui(theme: &Theme, painter: &Painter, rect: Rect, corner: u8, stroke: Stroke) {
    let corner = CornerRadius::same(corner);
    painter.rect_stroke(rect, corner, halo(theme, stroke), StrokeKind::Middle);
    painter.rect_stroke(rect, corner, stroke, StrokeKind::Middle);
}

/// A straight line.
pub(super) fn line_ui(theme: &Theme, painter: &Painter, ends: [Pos2; 2], stroke: Stroke) {
    painter.line_segment(ends, halo(theme, stroke));
    painter.line_segment(ends, stroke);
}

/// Lines from each point to the next, and back to the first where they are an outline.
pub(super) fn path_ui(theme: &Theme, painter: &Painter, points: Vec<Pos2>, is_closed: bool, stroke: Stroke) {
    let line =
        |points, stroke| if is_closed { Shape::closed_line(points, stroke) } else { Shape::line(points, stroke) };
    painter.add(line(points.clone(), halo(theme, stroke)));
    painter.add(line(points, stroke));
}

/// Dashes from each point to the next, over an unbroken line of the opposite brightness.
pub(super) fn dashes_ui(theme: &Theme, painter: &Painter, points: Vec<Pos2>, stroke: Stroke, [dash, gap]: [f32; 2]) {
    let dashes = Shape::dashed_line(&points, stroke, dash, gap);
    painter.add(Shape::line(points, halo(theme, stroke)));
    painter.extend(dashes);
}

/// A circle around a point.
pub(super) fn circle_ui(theme: &Theme, painter: &Painter, center: Pos2, radius: f32, stroke: Stroke) {
    painter.circle_stroke(center, radius, halo(theme, stroke));
    painter.circle_stroke(center, radius, stroke);
}

/// An area of cells with its border. One mesh, for there may be thousands of rows.
pub(super) fn area_ui(theme: &Theme, painter: &Painter, viewport: &Viewport, grid: CellGrid, area: &Area) {
    let mut mesh = Mesh::default();
    let mut add = |rect: Rect, color| {
        let shown = rect.intersect(viewport.view);
        if shown.is_positive() {
            mesh.add_colored_rect(shown, color);
        }
    };
    let fill = theme.accent.gamma_multiply(0.25);
    let (lo, hi) = viewport.cells(grid);
    for (y, first, last) in area.cells.rows(lo, hi) {
        add(viewport.rect(cells_rect(grid, [[first, y], [last, y]])), fill);
    }
    let border: Vec<[Cell; 2]> = area.cells.outline(lo, hi).take(MAX_BORDER + 1).collect();
    if border.len() <= MAX_BORDER {
        let corner = |cell: Cell| viewport.screen(cells_rect(grid, [cell, cell]).min);
        let stroke = Stroke::new(1.0, theme.accent);
        for line in [halo(theme, stroke), stroke] {
            for [a, b] in &border {
                let rect = Rect::from_two_pos(corner(*a), corner(*b));
                add(rect.expand2(Vec2::splat(line.width / 2.0)), line.color);
            }
        }
    }
    painter.add(mesh);
}
