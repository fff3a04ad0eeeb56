//! The path probe over the level: the cells by what they are colored by, what a search examined, the paths that it
//! found, both ends.
//!
//! Invariant: what of it is in sight is made once, until something else was found or is in sight; cells that would be
//! tiny are sampled.

use std::sync::Arc;

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, lerp, pos2, vec2};
use glam::Vec2;

use super::{camera::pos, lines, overlay, paint::Viewport};
use crate::{
    editor::{Camera, ProbeAnswer},
    model::{Cell, CellSet, DocPath, Level},
    sim::nav::{CellField, Colored, How, LedgeMap},
    ui::{CanvasCx, Cx, Theme, canvas::ghost::cells_rect},
};

/// Cells are drawn at least as large as this, in points: of smaller ones some stand for all.
const LEAST_CELL: f32 = 4.0;
/// Colors from the least to the greatest number.
const N_BANDS: f32 = 24.0;
/// Of handles, in points.
const HANDLE: f32 = 6.0;

/// What was made for what is in sight.
struct Made {
    answer: Arc<ProbeAnswer>,
    view: Rect,
    camera: Camera,
    is_dark: bool,
    shapes: Vec<Shape>,
}

/// Draw it.
pub fn probe_ui(cx: &CanvasCx<'_>, painter: &Painter, viewport: &Viewport, (doc, level): (&DocPath, &Level)) {
    let Some(ends) = cx.tool.ghost.probe.or_else(|| cx.view.probe.ends.get(doc).copied()) else { return };
    if let Some(answer) = cx.derived.probes().answer(doc) {
        let is_current = |made: &Made| {
            Arc::ptr_eq(&made.answer, answer)
                && (made.view, made.camera, made.is_dark) == (viewport.view, viewport.camera, cx.theme.is_dark)
        };
        let made = cx.derived.memos().get_current("path probe", is_current, |_| {
            let shapes = shapes(cx.theme, viewport, level, answer);
            let (answer, view, camera) = (Arc::clone(answer), viewport.view, viewport.camera);
            Made { answer, view, camera, is_dark: cx.theme.is_dark, shapes }
        });
        painter.extend(made.shapes.iter().cloned());
        let no_path = answer.found.as_ref().ok().and_then(|found| found.searched.no_path);
        if let Some(no_path) = no_path {
            let from = pos(answer.ends[0]);
            overlay::blocked_ui(cx, painter, viewport, from, no_path);
            let stopped = viewport.screen(pos2(no_path.at.x, no_path.at.y));
            let at = if viewport.view.contains(stopped) { stopped } else { viewport.screen(from) };
            let bottom = at - vec2(0.0, HANDLE + 4.0);
            let is_at_start = pos2(no_path.at.x, no_path.at.y).distance(from) <= 1.0;
            let text = no_path.reason.text_of(is_at_start);
            overlay::label_ui(cx, painter, bottom, text, cx.theme.error);
        }
        if answer.radius * viewport.camera.scale > HANDLE {
            let stroke = Stroke::new(1.0, cx.theme.good);
            let radius = answer.radius * viewport.camera.scale;
            lines::circle_ui(cx.theme, painter, viewport.screen(pos(ends[0])), radius, stroke);
        }
    }
    ends_ui(cx, painter, viewport, ends.map(pos));
}

/// Both ends, with their names.
fn ends_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, ends: [Pos2; 2]) {
    for ((at, name), color) in ends.into_iter().zip(["Start", "Goal"]).zip([cx.theme.good, cx.theme.accent]) {
        let at = viewport.screen(at);
        if !viewport.view.expand(40.0).contains(at) {
            continue;
        }
        painter.circle_filled(at, HANDLE, cx.theme.panel);
        lines::circle_ui(cx.theme, painter, at, HANDLE, Stroke::new(2.0, color));
        painter.circle_filled(at, HANDLE - 3.5, color);
        overlay::label_ui(cx, painter, at + vec2(0.0, HANDLE + 19.0), name, cx.theme.text);
    }
}

/// The colors of paths: as searched, with weight 1, and as followed.
#[must_use]
pub fn path_colors(theme: &Theme) -> [Color32; 3] {
    [theme.inherited, theme.good, theme.accent]
}

/// The colors of cells that were examined: those still open, and those closed.
#[must_use]
pub fn cell_colors(theme: &Theme) -> [Color32; 2] {
    [theme.waypoint.gamma_multiply(0.45), theme.path.gamma_multiply(0.3)]
}

fn shapes(theme: &Theme, viewport: &Viewport, level: &Level, answer: &ProbeAnswer) -> Vec<Shape> {
    let mut mesh = Mesh::default();
    if let Some((colored, field)) = &answer.field {
        let start = level.grid().cell_at(answer.ends[0]);
        let color = |value| color_of(theme, *colored, value, field, (field.at(start), answer.radius));
        field_mesh(&mut mesh, viewport, level, field, color);
    }
    // Colors of one kind at a time: those of the cells say more.
    if answer.field.is_none() && answer.ledges.is_none() {
        for (cells, color) in answer.examined.iter().zip(cell_colors(theme)) {
            cells_mesh(&mut mesh, viewport, level, cells, color);
        }
    }
    let mut shapes = vec![Shape::Mesh(Arc::new(mesh))];
    if let Some(ledges) = &answer.ledges {
        ledge_shapes(&mut shapes, theme, viewport, ledges);
    }
    let Ok(found) = &answer.found else { return shapes };
    let [searched, cheapest, smooth] = path_colors(theme);
    let mut path = |points: &[Vec2], stroke: Stroke, is_dashed: bool| {
        for piece in pieces(viewport, points) {
            if is_dashed {
                shapes.extend(Shape::dashed_line(&piece, stroke, 5.0, 4.0));
            } else {
                shapes.push(Shape::line(piece.clone(), Stroke::new(stroke.width + 2.0, theme.halo)));
                shapes.push(Shape::line(piece, stroke));
            }
        }
    };
    path(&found.searched.points, Stroke::new(1.5, searched), false);
    path(&found.smooth, Stroke::new(2.0, smooth), false);
    if let Some(answer) = &found.cheapest {
        path(&answer.points, Stroke::new(2.0, cheapest), true);
    }
    let corners = found.shortcut.iter().map(|at| viewport.screen(pos2(at.x, at.y)));
    shapes.extend(corners.filter(|at| viewport.view.contains(*at)).map(|at| Shape::circle_filled(at, 3.0, smooth)));
    shapes
}

/// The colors of ledges: those that are reached, and the others.
#[must_use]
pub fn ledge_colors(theme: &Theme) -> [Color32; 2] {
    [theme.good, theme.error]
}

/// The colors of jumps, and of drops.
#[must_use]
pub fn jump_colors(theme: &Theme) -> [Color32; 2] {
    [theme.waypoint, theme.text_weak]
}

/// The drops and jumps from ledge to ledge, then the ledges.
pub(super) fn ledge_shapes(shapes: &mut Vec<Shape>, theme: &Theme, viewport: &Viewport, ledges: &LedgeMap) {
    let [up, down] = jump_colors(theme);
    for leg in &ledges.jumps {
        let color = if matches!(leg.how, How::Jump { .. }) { up } else { down };
        for piece in pieces(viewport, &leg.arc) {
            // From where it is to where it leads, in one direction.
            if let [.., before, end] = piece.as_slice()
                && (*end - *before).length() > 0.5
            {
                let to = (*end - *before).normalized() * 5.0;
                let side = to.rot90() * 0.5;
                let head = vec![*end, *end - to + side, *end - to - side];
                shapes.push(Shape::convex_polygon(head, color, Stroke::NONE));
            }
            shapes.push(Shape::line(piece, Stroke::new(1.0, color.gamma_multiply(0.7))));
        }
    }
    for (lines, color) in [&ledges.others, &ledges.reached].into_iter().zip(ledge_colors(theme).into_iter().rev()) {
        for line in lines {
            // Narrow ones are a dot.
            if let [at] = line.as_slice() {
                let at = viewport.screen(pos2(at.x, at.y));
                shapes.extend(viewport.view.contains(at).then(|| Shape::circle_filled(at, 2.5, color)));
            }
            shapes.extend(pieces(viewport, line).into_iter().map(|piece| Shape::line(piece, Stroke::new(3.0, color))));
        }
    }
}

/// The parts of a line that are in sight, on the screen.
fn pieces(viewport: &Viewport, points: &[Vec2]) -> Vec<Vec<Pos2>> {
    let mut pieces: Vec<Vec<Pos2>> = Vec::new();
    let (view, mut is_open) = (viewport.view.expand(4.0), false);
    for pair in points.windows(2) {
        let [a, b] = [pair[0], pair[1]].map(|at| viewport.screen(pos2(at.x, at.y)));
        let is_seen = view.intersects(Rect::from_two_pos(a, b));
        match pieces.last_mut().filter(|_| is_open && is_seen) {
            Some(piece) => piece.push(b),
            None if is_seen => pieces.push(vec![a, b]),
            None => {}
        }
        is_open = is_seen;
    }
    pieces
}

/// Cells that were examined, row by row.
fn cells_mesh(mesh: &mut Mesh, viewport: &Viewport, level: &Level, cells: &CellSet, color: Color32) {
    let grid = level.grid();
    let (lo, hi) = viewport.cells(grid);
    for (y, first, last) in cells.rows(lo, hi) {
        let rect = viewport.rect(cells_rect(grid, [[first, y], [last, y]])).intersect(viewport.view);
        if rect.is_positive() {
            mesh.add_colored_rect(rect, color);
        }
    }
}

/// The cells in sight by how wide an agent fits there, for one of a radius.
pub(super) fn clearance_mesh(
    mesh: &mut Mesh,
    viewport: &Viewport,
    level: &Level,
    (theme, field, radius): (&Theme, &CellField, f32),
) {
    let color = |value: f32| color_of(theme, Colored::Clearance, value, field, (None, radius));
    field_mesh(mesh, viewport, level, field, color);
}

/// The cells in sight by their numbers; neighbors of one color together.
fn field_mesh(mesh: &mut Mesh, viewport: &Viewport, level: &Level, field: &CellField, color: impl Fn(f32) -> Color32) {
    let grid = level.grid();
    let (lo, hi) = viewport.cells(grid);
    let (lo, hi) = match grid.size {
        Some(size) => {
            let last = size.map(|side| i32::try_from(side).unwrap_or(i32::MAX).saturating_sub(1));
            (lo.map(|x| x.max(0)), [hi[0].min(last[0]), hi[1].min(last[1])])
        }
        None => (lo, hi),
    };
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "pixels of a cell, and a few of them"
    )]
    let step =
        grid.px.map(|side| (LEAST_CELL / (side as f32 * viewport.camera.scale)).ceil().clamp(1.0, 4096.0) as i32);
    // Which cells stand for others does not change as the level moves.
    let first = [0, 1].map(|i| lo[i].div_euclid(step[i]).saturating_mul(step[i]));
    let mut add = |[x, y]: Cell, end: i32, color: Color32| {
        let rect = viewport.rect(cells_rect(grid, [[x, y], [end - 1, y + step[1] - 1]]));
        mesh.add_colored_rect(rect.intersect(viewport.view), color);
    };
    let mut y = first[1];
    while y <= hi[1] {
        let mut run: Option<(i32, Color32)> = None;
        let mut x = first[0];
        while x <= hi[0] {
            let here = field.at([x, y]).map(&color);
            if let Some((begin, color)) = run.filter(|(_, color)| here != Some(*color)) {
                add([begin, y], x, color);
                run = None;
            }
            run = run.or(here.map(|color| (x, color)));
            x = x.saturating_add(step[0]);
        }
        if let Some((begin, color)) = run {
            add([begin, y], x, color);
        }
        y = y.saturating_add(step[1]);
    }
}

/// The color of a number: `start` is the one where the path starts.
fn color_of(
    theme: &Theme,
    colored: Colored,
    value: f32,
    field: &CellField,
    (start, radius): (Option<f32>, f32),
) -> Color32 {
    let band = |share: f32| (share.clamp(0.0, 1.0) * N_BANDS).floor() / N_BANDS;
    let color = match colored {
        Colored::Cost => {
            let share = band(value / field.most.max(1e-6));
            if share < 0.5 {
                between(theme.good, theme.waypoint, share * 2.0)
            } else {
                between(theme.waypoint, theme.error, share * 2.0 - 1.0)
            }
        }
        // What is connected with the start has a color of its own.
        Colored::Areas if start == Some(value) => theme.good,
        Colored::Areas => {
            let others = [theme.error, theme.waypoint, theme.inherited, theme.path, theme.instance];
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number of an area")]
            let number = value as usize;
            others[number % others.len()]
        }
        Colored::Clearance if value + 1e-3 < 2.0 * radius => theme.error,
        Colored::Clearance => {
            let room = (field.most - 2.0 * radius).max(1e-6);
            between(theme.waypoint, theme.good, band((value - 2.0 * radius) / room))
        }
    };
    color.gamma_multiply(0.4)
}

fn between(a: Color32, b: Color32, share: f32) -> Color32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between two bytes")]
    let mix = |a: u8, b: u8| lerp(f32::from(a)..=f32::from(b), share).round() as u8;
    Color32::from_rgb(mix(a.r(), b.r()), mix(a.g(), b.g()), mix(a.b(), b.b()))
}
