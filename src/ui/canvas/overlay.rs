//! What is drawn over a level: grid, solid outlines, waypoints with their links, selection, labels of running entities.

use std::collections::HashSet;

use egui::{Align2, Color32, CornerRadius, FontId, Mesh, Painter, Pos2, Rect, Shape, Stroke, Vec2, pos2, vec2};

use super::{
    camera::{OnScreen as _, pos},
    labels::{Labels, Shared},
    lines,
    paint::{Viewport, level_rect},
};
use crate::{
    editor::{Geometry, LayerSeen},
    model::{CellGrid, DocPath, Layer, Level, Link, LinkBy, Name, WaypointGraph},
    sim::{EntityView, nav::NoPath},
    tools::ToolKind,
    ui::{Cx, theme::SMALL},
};

/// Half the size of a handle, in points.
const HANDLE: f32 = 4.5;

/// From an agent to the label that says why it is blocked, in points.
const BLOCKED_ABOVE: Vec2 = vec2(0.0, 10.0);

/// Cells smaller than this on the screen get no grid, in points.
const MIN_GRID: f32 = 6.0;

/// The grid of a layer's cells, with every chunk's edge a little stronger. Each line is a light one beside a dark one,
/// a pixel of the screen wide each, so that one of both shows on any art.
pub fn grid_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, level: &Level, grid: CellGrid) {
    let cell = vec2(grid.px[0] as f32, grid.px[1] as f32);
    if cell.min_elem() * viewport.camera.scale < MIN_GRID {
        return;
    }
    let bounds = level_rect(level);
    let shown = viewport.camera.visible(viewport.view).intersect(bounds);
    if !shown.is_positive() {
        return;
    }
    let pixel = 1.0 / painter.ctx().pixels_per_point();
    let on_screen = viewport.rect(shown);
    // One mesh: hundreds of lines cost more as strokes than all that is in them.
    let mut mesh = Mesh::default();
    let mut lines = |i: f32, at: f32, line: &dyn Fn(f32) -> Rect| {
        let strength = if i.rem_euclid(32.0) == 0.0 { 2.0 } else { 1.0 };
        let edge = (at / pixel).round() * pixel;
        let [light, dark] = cx.theme.grid.map(|color| color.gamma_multiply(strength));
        mesh.add_colored_rect(line(edge), light);
        mesh.add_colored_rect(line(edge - pixel), dark);
    };
    let mut i = (shown.left() / cell.x).floor();
    while i * cell.x <= shown.right() {
        let x = viewport.screen(pos2(i * cell.x, 0.0)).x;
        lines(i, x, &|x| Rect::from_x_y_ranges(x..=x + pixel, on_screen.y_range()));
        i += 1.0;
    }
    let mut i = (shown.top() / cell.y).floor();
    while i * cell.y <= shown.bottom() {
        let y = viewport.screen(pos2(0.0, i * cell.y)).y;
        lines(i, y, &|y| Rect::from_x_y_ranges(on_screen.x_range(), y..=y + pixel));
        i += 1.0;
    }
    painter.add(mesh);
}

/// What of the tiles is solid; one-way pieces are dashed by their fill alone.
pub fn solid_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, geometry: &Geometry) {
    let cell = vec2(geometry.grid.tile_size().x, geometry.grid.tile_size().y);
    if cell.min_elem() * viewport.camera.scale < 3.0 {
        return;
    }
    let visible = viewport.camera.visible(viewport.view);
    let fill = cx.theme.collider.gamma_multiply(0.18);
    let stroke = Stroke::new(1.0, cx.theme.collider.gamma_multiply(0.8));
    let grid = &geometry.grid;
    let (lo, hi) = (grid.cell_at(glam_of(visible.min)), grid.cell_at(glam_of(visible.max)));
    let (first, last) = grid.bounds();
    for y in lo[1].max(first[1])..=hi[1].min(last[1]) {
        for x in lo[0].max(first[0])..=hi[0].min(last[0]) {
            let kind = grid.cell([x, y]);
            if !kind.is_solid() {
                continue;
            }
            let corner = pos2(x as f32 * cell.x, y as f32 * cell.y);
            if kind.full {
                let rect = viewport.rect(Rect::from_min_size(corner, cell));
                painter.rect_filled(rect, 0.0, fill);
                // Only where solid meets open, so that merged ground reads as one.
                for (dx, dy, a, b) in [
                    (0, -1, rect.left_top(), rect.right_top()),
                    (0, 1, rect.left_bottom(), rect.right_bottom()),
                    (-1, 0, rect.left_top(), rect.left_bottom()),
                    (1, 0, rect.right_top(), rect.right_bottom()),
                ] {
                    if !grid.cell([x + dx, y + dy]).full {
                        painter.line_segment([a, b], stroke);
                    }
                }
            }
            for piece in &kind.pieces {
                let points = piece.points.iter().map(|p| viewport.screen(corner + vec2(p.x, p.y))).collect();
                let fill = if piece.one_way { Color32::TRANSPARENT } else { fill };
                painter.add(Shape::convex_polygon(points, fill, stroke));
            }
        }
    }
}

fn glam_of(p: Pos2) -> glam::Vec2 {
    glam::Vec2::new(p.x, p.y)
}

/// A waypoint layer: links first, nodes over them, both where they are in sight.
pub(in crate::ui) fn waypoints_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    (doc, layer): (&DocPath, &Layer),
    graph: &WaypointGraph,
    selected: &HashSet<&Name>,
    is_active: bool,
) {
    let view = viewport.view.expand(10.0);
    let color = if is_active { cx.theme.waypoint } else { cx.theme.waypoint.gamma_multiply(0.45) };
    let at = |id: &Name| graph.nodes.get(id).map(|node| viewport.screen(pos(node.at)));
    let in_sight = |link: &Link| {
        let (a, b) = (at(&link.from)?, at(&link.to)?);
        view.intersects(Rect::from_two_pos(a, b)).then_some((a, b))
    };
    let computed = cx.derived.geometry(doc).and_then(|g| g.links.get(&layer.name));
    let (mut costs, mut middles) = (Vec::new(), Vec::new());
    if cx.view.overlays.links {
        for link in computed.into_iter().flatten() {
            let Some((a, b)) = in_sight(link) else { continue };
            match link.by {
                // What is not worked on stays in the back.
                LinkBy::Hand if is_active => lines::line_ui(cx.theme, painter, [a, b], Stroke::new(2.0, color)),
                LinkBy::Hand => {
                    painter.line_segment([a, b], Stroke::new(2.0, color));
                }
                _ => {
                    painter.line_segment([a, b], Stroke::new(1.0, color.gamma_multiply(0.55)));
                }
            }
            if link.one_way {
                arrow_ui(painter, a, b, color);
            }
            if is_active && viewport.view.contains(a + (b - a) * 0.5) {
                costs.extend(cost_of(graph, link, selected).map(|cost| (a + (b - a) * 0.5, cost)));
                if link.by == LinkBy::Hand && cx.view.tool == ToolKind::Waypoint {
                    middles.push(a + (b - a) * 0.5);
                }
            }
        }
        for link in graph.links.iter().filter(|link| link.by == LinkBy::Broken) {
            let Some((a, b)) = in_sight(link) else { continue };
            let stroke = Stroke::new(1.0, cx.theme.error.gamma_multiply(0.8));
            painter.extend(Shape::dashed_line(&[a, b], stroke, 4.0, 5.0));
            let mid = a + (b - a) * 0.5;
            painter.line_segment([mid + vec2(-4.0, -4.0), mid + vec2(4.0, 4.0)], stroke);
            painter.line_segment([mid + vec2(4.0, -4.0), mid + vec2(-4.0, 4.0)], stroke);
        }
    }
    // A waypoint can be put there, between the two.
    for at in middles {
        painter.circle_filled(at, 3.0, cx.theme.panel);
        lines::circle_ui(cx.theme, painter, at, 3.0, Stroke::new(1.0, color));
    }
    for (at, cost) in costs.into_iter().filter(|_| viewport.camera.scale >= 0.5) {
        label_ui(cx, painter, at - vec2(0.0, 6.0), &cost, cx.theme.text);
    }
    let radius = (5.0 * viewport.camera.scale).clamp(3.5, 7.0);
    for (id, node) in &graph.nodes {
        let c = viewport.screen(pos(node.at));
        if !view.contains(c) {
            continue;
        }
        let is_selected = selected.contains(id);
        painter.circle_filled(c, radius, cx.theme.panel);
        let stroke = Stroke::new(2.0, if is_selected { cx.theme.accent } else { color });
        if is_active || is_selected {
            lines::circle_ui(cx.theme, painter, c, radius, stroke);
        } else {
            painter.circle_stroke(c, radius, stroke);
        }
        if is_selected {
            painter.circle_filled(c, radius - 2.5, cx.theme.accent);
        }
        if is_active && !node.tags.is_empty() && viewport.camera.scale > 1.0 {
            label_ui(cx, painter, c + vec2(0.0, -radius - 3.0), &node.tags.join(", "), cx.theme.text);
        }
    }
}

/// What going along a link costs, where that is not its length or a waypoint at its end is selected.
fn cost_of(graph: &WaypointGraph, link: &Link, selected: &HashSet<&Name>) -> Option<String> {
    let cost = link.cost?;
    let ends = [&link.from, &link.to].map(|id| graph.nodes.get(id).map(|node| node.at));
    let [Some(a), Some(b)] = ends else { return None };
    let is_length = (cost - (a[0] - b[0]).hypot(a[1] - b[1])).abs() < 0.5;
    let is_shown =
        !is_length || (selected.len() == 1 && [&link.from, &link.to].into_iter().any(|id| selected.contains(id)));
    is_shown.then(|| format!("{cost:.0}"))
}

fn arrow_ui(painter: &Painter, a: Pos2, b: Pos2, color: Color32) {
    let along = (b - a).normalized();
    let tip = a + (b - a) * 0.55;
    let side = along.rot90() * 5.0;
    let points = vec![tip + along * 5.0, tip - along * 5.0 + side, tip - along * 5.0 - side];
    painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
}

/// A box around something selected, at least a few points large.
pub fn selected_ui(cx: &Cx<'_>, painter: &Painter, rect: Rect) {
    let rect = if rect.width() < 6.0 || rect.height() < 6.0 { rect.expand(3.0) } else { rect.expand(1.5) };
    lines::frame_ui(cx.theme, painter, rect, 2, Stroke::new(1.5, cx.theme.accent));
}

/// The pointer that keys move: the frame of its cell.
pub fn key_pointer_ui(cx: &Cx<'_>, painter: &Painter, cell: Rect) {
    // From far away it is larger than its cell, to be seen.
    let rect = cell.expand((12.0 - cell.width().min(cell.height())).max(0.0) / 2.0);
    lines::frame_ui(cx.theme, painter, rect, 0, Stroke::new(2.0, cx.theme.accent));
}

/// The same around something that is rotated by an angle, in radians.
pub fn selected_turned_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    (place, angle): (Pos2, f32),
    (half, center): ([f64; 2], [f64; 2]),
) {
    let [x, y] = center;
    let [w, h] = half;
    let corners = [[x - w, y - h], [x + w, y - h], [x + w, y + h], [x - w, y + h], [x - w, y - h]];
    let turn = egui::emath::Rot2::from_angle(angle);
    let on_screen = corners.map(|corner| viewport.screen(place + turn * pos(corner).to_vec2()));
    for ends in on_screen.windows(2) {
        lines::line_ui(cx.theme, painter, [ends[0], ends[1]], Stroke::new(1.5, cx.theme.accent));
    }
}

/// The handle to rotate something, at the end of an arm.
pub fn rotate_handle_ui(cx: &Cx<'_>, painter: &Painter, ends: [Pos2; 2]) {
    let stroke = Stroke::new(1.5, cx.theme.accent);
    lines::line_ui(cx.theme, painter, ends, stroke);
    painter.circle_filled(ends[1], HANDLE, cx.theme.panel);
    lines::circle_ui(cx.theme, painter, ends[1], HANDLE, stroke);
}

/// A line of text on a ground of its own, its bottom center at a point; beside it where it would be cut off there.
pub fn label_ui(cx: &Cx<'_>, painter: &Painter, bottom: Pos2, text: &str, color: Color32) -> Rect {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(SMALL), color);
    let rect = Align2::CENTER_BOTTOM.anchor_size(bottom, galley.size() + vec2(8.0, 2.0));
    let view = painter.clip_rect();
    let inward = |low: f32, high: f32, least: f32, most: f32| (least - low).max(0.0) - (high - most).max(0.0);
    let rect = if view.contains(bottom) && rect.width() < view.width() {
        let [x, y] = [
            inward(rect.left(), rect.right(), view.left(), view.right()),
            inward(rect.top(), rect.bottom(), view.top(), view.bottom()),
        ];
        rect.translate(vec2(x, y))
    } else {
        rect
    };
    painter.rect_filled(rect, CornerRadius::same(3), cx.theme.panel.gamma_multiply(0.88));
    painter.galley(rect.min + vec2(4.0, 1.0), galley, color);
    rect
}

/// The text, states (where these are to show) and life of a running entity, above it or near it where there is room.
pub fn entity_label_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    entity: &EntityView<'_>,
    (top, shows_states): (Pos2, bool),
    labels: &mut Labels,
) {
    let mut bottom = viewport.screen(top) - vec2(0.0, 4.0);
    if viewport.camera.scale >= 0.75 {
        if shows_states {
            let states: Vec<&str> =
                entity.machines.iter().filter(|m| m.runs && !m.state.is_empty()).map(|m| m.state).collect();
            if !states.is_empty()
                && let Some(rect) = labels.label_ui(cx.theme, painter, bottom, &states.join(" · "), cx.theme.text)
            {
                bottom.y = bottom.y.min(rect.top() - 2.0);
            }
        }
        let size = vec2(24.0, 3.0);
        if let Some((now, max)) = entity.life.filter(|(now, max)| now < max && *max > 0.0)
            && let Some(bar) = labels.place(bottom - vec2(0.0, 1.0), size)
        {
            painter.rect_filled(bar, 1.0, cx.theme.well);
            let share = (now / max).clamp(0.0, 1.0) as f32;
            painter.rect_filled(Rect::from_min_size(bar.min, vec2(size.x * share, size.y)), 1.0, cx.theme.good);
            bottom.y = bottom.y.min(bar.top() - 2.0);
        }
    }
    if let Some(text) = entity.saying {
        labels.label_ui(cx.theme, painter, bottom, text, cx.theme.text_strong);
    }
}

/// A path as its agent follows it.
pub fn path_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, points: impl Iterator<Item = Pos2>) {
    let points: Vec<Pos2> = points.map(|p| viewport.screen(p)).collect();
    if let Some(goal) = points.last() {
        painter.circle_stroke(*goal, 4.0, Stroke::new(1.5, cx.theme.path));
    }
    painter.add(Shape::line(points, Stroke::new(1.5, cx.theme.path.gamma_multiply(0.8))));
}

/// Where an entity at a place that does not get to its goal is stopped: a cross.
pub fn blocked_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, at: Pos2, no_path: NoPath) {
    stop_ui(painter, viewport, [at, pos2(no_path.at.x, no_path.at.y)], cx.theme.error);
}

/// A dashed line from a place of the level to a cross at another one.
fn stop_ui(painter: &Painter, viewport: &Viewport, ends: [Pos2; 2], color: Color32) {
    let [from, to] = ends.map(|end| viewport.screen(end));
    let stroke = Stroke::new(2.0, color);
    painter.extend(Shape::dashed_line(&[from, to], Stroke::new(1.0, color), 4.0, 4.0));
    for arm in [vec2(5.0, 5.0), vec2(5.0, -5.0)] {
        painter.line_segment([to - arm, to + arm], stroke);
    }
}

/// Where the problems of the selected entity are, or of the one whose problem was gone to, if they are elsewhere in the
/// level.
pub fn problem_places_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
    shown: &[LayerSeen<'_>],
) {
    let gone_to = cx.view.stopped.as_ref().filter(|(of, _)| of == doc).map(|(_, id)| id);
    let id = match cx.selection.ids_in(doc) {
        [id] => Some(id),
        _ => gone_to,
    };
    let Some(id) = id else { return };
    let Some((layer, entity)) = level.entity(id) else { return };
    let Some(on) = shown.iter().find(|it| it.number == layer) else { return };
    let viewport = viewport.for_layer(&on.look);
    let mut labels = Labels::new(viewport.view);
    for (finding, place) in cx.derived.problems_elsewhere(doc, &level.entity_at(layer, id)) {
        let (place, color) = (pos(place.map(f64::from)), cx.theme.severity(finding.severity));
        stop_ui(painter, &viewport, [pos(entity.at), place], color);
        labels.label_ui(cx.theme, painter, viewport.screen(place) - BLOCKED_ABOVE, &finding.rule, color);
    }
}

/// Labels above entities at these places with the reasons why they do not get to their goals.
pub fn why_blocked_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    blocked: impl Iterator<Item = (Pos2, &'static str)>,
    labels: &mut Labels,
) {
    for shared in Shared::of(blocked) {
        let Shared { at, text, n } = shared;
        let text = if n > 1 { format!("{text} ({n} agents)") } else { text.to_owned() };
        labels.label_ui(cx.theme, painter, at - BLOCKED_ABOVE, &text, cx.theme.error);
    }
}

/// Rectangles of half sizes around a center, on the screen.
#[must_use]
pub fn box_rect(viewport: &Viewport, at: Pos2, half: [f64; 2], center: [f64; 2]) -> Rect {
    let center = at + pos(center).to_vec2();
    let half: Vec2 = pos(half).to_vec2();
    viewport.rect(Rect::from_center_size(center, half * 2.0))
}
