//! Why an entity stands still, over the canvas: it, its path, its goal, and the place where it is stopped.

use egui::{Rect, Shape, Stroke, pos2, vec2};

use super::{Labels, Scene};
use crate::ui::canvas::{ghost::cells_rect, lines};

/// Mark them.
pub(super) fn why_ui(scene: &Scene<'_>, labels: &mut Labels) {
    let Some(key) = scene.cx.view.insight.why.as_ref().and_then(|id| scene.world.by_id(id)) else { return };
    let (Some(why), Some(viewport)) = (scene.world.why_still(key), scene.of(key)) else { return };
    let (theme, painter) = (scene.theme(), scene.painter);
    let screen = |at: glam::Vec2| viewport.screen(pos2(at.x, at.y));
    let Some((_, from)) = scene.world.spot(key) else { return };
    let from = screen(from);
    lines::circle_ui(theme, painter, from, 12.0, Stroke::new(2.0, theme.accent));
    if !why.path.is_empty() {
        let points = std::iter::once(from).chain(why.path.iter().map(|at| screen(*at))).collect();
        lines::path_ui(theme, painter, points, false, Stroke::new(2.0, theme.accent));
    }
    if let Some(goal) = why.goal.map(screen) {
        if why.path.is_empty() {
            let from = why.reached.map_or(from, screen);
            painter.extend(Shape::dashed_line(&[from, goal], Stroke::new(1.0, theme.accent), 6.0, 6.0));
        }
        lines::circle_ui(theme, painter, goal, 6.0, Stroke::new(2.0, theme.accent));
        labels.label_ui(theme, painter, goal - vec2(0.0, 10.0), "goal", theme.text);
    }
    if let Some(at) = why.reached.filter(|_| why.by.is_none()) {
        lines::circle_ui(theme, painter, screen(at), 6.0, Stroke::new(2.0, theme.error));
        labels.label_ui(theme, painter, screen(at) + vec2(0.0, 20.0), "it gets this far", theme.error);
        return;
    }
    let level = scene.cx.project.level(&scene.preview.level);
    if let Some((cell, level)) = why.cell.zip(level) {
        let rect = viewport.rect(cells_rect(level.grid(), [cell, cell]));
        painter.rect_filled(rect, 0.0, theme.error.gamma_multiply(0.35));
        lines::frame_ui(theme, painter, rect, 0, Stroke::new(2.0, theme.error));
    }
    if let (Some(at), true) = (why.at.map(screen), why.cell.is_some()) {
        for arm in [vec2(6.0, 6.0), vec2(6.0, -6.0)] {
            lines::line_ui(theme, painter, [at - arm, at + arm], Stroke::new(2.0, theme.error));
        }
        if let (Some(needs), Some(has)) = (why.needs_px, why.has_px) {
            let half = needs / 2.0 * viewport.camera.scale;
            lines::circle_ui(theme, painter, at, half, Stroke::new(1.0, theme.error));
            let text = format!("needs {needs:.0} px, has {has:.0} px");
            labels.label_ui(
                theme,
                painter,
                Rect::from_center_size(at, vec2(0.0, 2.0 * half)).center_top(),
                &text,
                theme.error,
            );
        }
    }
}
