//! Sight, messages, and what searches for paths examined.

use egui::{Mesh, Pos2, Rect, Shape, Stroke, pos2, vec2};

use super::{Labels, Scene, ground::ramp};
use crate::{
    editor::Overlay,
    sim::insight::message_arrows,
    ui::canvas::{camera::OnScreen as _, lines},
};

/// Parts of the arc of a whole circle.
const ARC: f32 = 48.0;

/// Where entities look, and whom they see.
pub(super) fn sight_ui(scene: &Scene<'_>) {
    if !scene.has(Overlay::Sight) {
        return;
    }
    let theme = scene.theme();
    for gaze in scene.world.gazes() {
        let Some(viewport) = scene.of(gaze.key) else { continue };
        let (eye, radius) = (viewport.screen(pos2(gaze.eye.x, gaze.eye.y)), gaze.range_px * viewport.camera.scale);
        if !scene.viewport.view.expand(radius).contains(eye) {
            continue;
        }
        let color = if gaze.is_looking { theme.waypoint } else { theme.text_weak };
        let is_whole = gaze.cone_rad >= std::f32::consts::TAU - 1e-3;
        let (middle, half) = (gaze.facing.to_angle(), gaze.cone_rad.min(std::f32::consts::TAU) / 2.0);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 48")]
        let n = (ARC * half / std::f32::consts::PI).ceil().max(2.0) as u16;
        let at = |i: u16| {
            let angle = middle - half + 2.0 * half * f32::from(i) / f32::from(n);
            eye + vec2(angle.cos(), angle.sin()) * radius
        };
        let rim: Vec<Pos2> = (0..=n).map(at).collect();
        let mut mesh = Mesh::default();
        mesh.colored_vertex(eye, color.gamma_multiply(if gaze.is_looking { 0.2 } else { 0.06 }));
        for point in &rim {
            mesh.colored_vertex(*point, color.gamma_multiply(0.04));
        }
        (0..u32::from(n)).for_each(|i| mesh.add_triangle(0, i + 1, i + 2));
        scene.painter.add(mesh);
        let outline = if is_whole { rim } else { [vec![eye], rim, vec![eye]].concat() };
        scene.painter.add(Shape::line(outline, Stroke::new(1.0, color.gamma_multiply(0.6))));
        for other in gaze.sees.iter().filter_map(|other| scene.spot(*other)) {
            lines::line_ui(theme, scene.painter, [eye, other], Stroke::new(1.5, theme.error));
            lines::circle_ui(theme, scene.painter, other, 5.0, Stroke::new(1.5, theme.error));
        }
    }
}

/// Messages of the last half second, from senders to receivers.
pub(super) fn messages_ui(scene: &Scene<'_>, labels: &mut Labels) {
    if !scene.has(Overlay::Messages) {
        return;
    }
    let theme = scene.theme();
    let log = scene.preview.session.log().map(|(_, event)| event);
    for arrow in message_arrows(log, scene.world.time_secs()) {
        let ends = [&arrow.from, &arrow.to].map(|id| scene.world.by_id(id).and_then(|key| scene.spot(key)));
        let [Some(from), Some(to)] = ends else { continue };
        let color = if arrow.is_handled { theme.accent } else { theme.text_weak };
        // Those that go both ways lie beside each other.
        let aside = (to - from).normalized().rot90() * 4.0;
        let (from, to) = (from + aside, to + aside);
        scene.arrow(from, to - from, Stroke::new(1.5, color.gamma_multiply(1.0 - 0.6 * arrow.age)));
        let names: Vec<&str> = arrow.names.iter().take(3).map(|name| &**name).collect();
        labels.label_ui(theme, scene.painter, from + (to - from) * 0.5, &names.join(", "), theme.text);
    }
}

/// The cells that the last searches examined, in the order in which they did, and those that they had still open.
pub(super) fn searches_ui(scene: &Scene<'_>) {
    let is_on = scene.has(Overlay::Searches);
    // Of the selected ones they show with the paths, too.
    if !(is_on || scene.cx.view.overlays.paths && scene.has_selection) {
        return;
    }
    for path in scene.world.paths() {
        let is_shown = if is_on { scene.is_meant(path.key) } else { scene.is_selected(path.key) };
        let (Some(searched), Some(viewport)) = (path.searched.filter(|_| is_shown), scene.of(path.key)) else {
            continue;
        };
        let size = scene.world.grid().tile_size() * 0.42;
        let half = vec2(size.x, size.y);
        let visible = viewport.camera.visible(viewport.view).expand(half.x.max(half.y));
        let mut mesh = Mesh::default();
        #[expect(clippy::cast_precision_loss, reason = "a color")]
        let n = (searched.closed.len().saturating_sub(1)).max(1) as f32;
        for (i, at) in searched.closed.iter().enumerate() {
            let at = pos2(at.x, at.y);
            if visible.contains(at) {
                #[expect(clippy::cast_precision_loss, reason = "a color")]
                let color = ramp(scene.theme(), i as f32 / n).gamma_multiply(0.45);
                mesh.add_colored_rect(viewport.rect(Rect::from_center_size(at, half * 2.0)), color);
            }
        }
        scene.painter.add(mesh);
        let stroke = Stroke::new(1.0, scene.theme().text_weak);
        for at in searched.open.iter().map(|at| pos2(at.x, at.y)).filter(|at| visible.contains(*at)) {
            let rect = viewport.rect(Rect::from_center_size(at, half * 2.0));
            scene.painter.rect_stroke(rect, 0.0, stroke, egui::StrokeKind::Inside);
        }
    }
}
