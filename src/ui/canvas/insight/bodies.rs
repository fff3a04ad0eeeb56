//! Contacts, velocities, forces, sleeping bodies and the broad phase.

use egui::{Align2, Color32, FontId, Mesh, Rect, Shape, Stroke, pos2, vec2};

use super::{Labels, Scene};
use crate::{
    editor::Overlay,
    ui::{Theme, canvas::lines, theme::SMALL},
};

/// Where a body would be after this time is the end of its arrow, in seconds.
const AHEAD_SECS: f32 = 0.25;
/// An arrow of this length stands for the weight of a body, in points.
const WEIGHT: f32 = 28.0;
/// The longest arrow, in points.
const LONGEST: f32 = 120.0;
/// More contacts than these get no numbers.
const MOST_NUMBERS: usize = 48;

/// Bounding boxes, the squares in use, and pairs that are near.
pub(super) fn broad_phase_ui(scene: &Scene<'_>) {
    if !scene.has(Overlay::BroadPhase) {
        return;
    }
    let (theme, view) = (scene.theme(), scene.viewport.view);
    let broad = scene.world.physics().broad_phase();
    let mut mesh = Mesh::default();
    for ([x, y], n) in &broad.cells {
        #[expect(clippy::cast_precision_loss, reason = "squares of a level, and bodies in one")]
        let (corner, strength) = (pos2(*x as f32, *y as f32), (*n as f32 * 0.06).min(0.3));
        let square =
            Rect::from_min_size((corner.to_vec2() * broad.cell_px).to_pos2(), vec2(broad.cell_px, broad.cell_px));
        let rect = scene.viewport.rect(square).shrink(0.5).intersect(view);
        if rect.is_positive() {
            mesh.add_colored_rect(rect, theme.accent.gamma_multiply(strength));
        }
    }
    scene.painter.add(mesh);
    let stroke = Stroke::new(1.0, theme.collider.gamma_multiply(0.8));
    for (key, [lo, hi]) in &broad.boxes {
        let Some(viewport) = scene.of(*key) else { continue };
        let rect = viewport.rect(Rect::from_min_max(pos2(lo.x, lo.y), pos2(hi.x, hi.y)));
        if rect.intersects(view) {
            scene.painter.rect_stroke(rect, 0.0, stroke, egui::StrokeKind::Middle);
        }
    }
    for [a, b] in &broad.pairs {
        if let (Some(a), Some(b)) = (scene.spot(*a), scene.spot(*b)) {
            lines::line_ui(theme, scene.painter, [a, b], Stroke::new(1.0, theme.waypoint));
        }
    }
}

/// Bodies that sleep: their outlines, and a letter.
pub(super) fn sleeping_ui(scene: &Scene<'_>) {
    if !scene.has(Overlay::Sleeping) {
        return;
    }
    let (theme, physics) = (scene.theme(), scene.world.physics());
    for (key, at) in scene.world.places() {
        let Some(at) = scene.seen(key, at).filter(|_| physics.is_sleeping(key)) else { continue };
        let is_moved = physics.spec(key).is_some_and(crate::sim::physics::BodySpec::is_dynamic);
        let Some(viewport) = scene.of(key).filter(|_| is_moved) else { continue };
        for outline in physics.outlines(key) {
            let points = outline.iter().map(|p| viewport.screen(pos2(p.x, p.y))).collect();
            let fill = theme.hint.gamma_multiply(0.25);
            scene.painter.add(Shape::convex_polygon(points, fill, Stroke::new(1.0, theme.hint)));
        }
        let font = FontId::proportional(SMALL + 2.0);
        scene.painter.text(at + vec2(1.0, 1.0), Align2::CENTER_CENTER, "z", font.clone(), theme.halo);
        scene.painter.text(at, Align2::CENTER_CENTER, "z", font, theme.hint);
    }
}

/// How fast bodies move, and where to.
pub(super) fn velocities_ui(scene: &Scene<'_>, labels: &mut Labels) {
    if !scene.has(Overlay::Velocities) {
        return;
    }
    let (theme, scale) = (scene.theme(), scene.viewport.camera.scale);
    for entity in scene.world.entities().filter(|entity| entity.alive && entity.vel.length() >= 1.0) {
        let Some(at) = scene.seen(entity.key, entity.pos) else { continue };
        let by = entity.vel * AHEAD_SECS * scale;
        let by = by.clamp_length_max(LONGEST * 2.0);
        scene.arrow(at, vec2(by.x, by.y), Stroke::new(1.5, theme.path));
        if scene.is_selected(entity.key) {
            let text = format!("{:.0} px/s", entity.vel.length());
            labels.label_ui(theme, scene.painter, at + vec2(by.x, by.y) - vec2(0.0, 6.0), &text, theme.text);
        }
    }
}

/// The colors of forces: the whole, gravity, zones, the rest.
#[must_use]
pub(super) fn force_colors(theme: &Theme) -> [Color32; 4] {
    [theme.text_strong, theme.inherited, theme.instance, theme.waypoint]
}

/// What acted on bodies in the last tick. An arrow as long as that of its weight stands for as great a force.
pub(super) fn forces_ui(scene: &Scene<'_>) {
    if !scene.has(Overlay::Forces) {
        return;
    }
    let (theme, physics) = (scene.theme(), scene.world.physics());
    // Where nothing falls, as seen from above, an acceleration as on the ground of a platformer.
    let gravity = physics.config().gravity_px_s2.abs().max(100.0);
    for force in scene.world.forces() {
        let Some(at) = scene.seen(force.key, force.at) else { continue };
        let mass = physics.spec(force.key).map_or(1.0, |spec| spec.mass);
        let [whole, pull, zones, rest] = force_colors(theme);
        let parts = [(force.gravity, pull), (force.zones, zones), (force.rest, rest), (force.whole, whole)];
        for (i, (part, color)) in parts.into_iter().enumerate() {
            let length = (part / (mass * gravity) * WEIGHT).clamp_length_max(LONGEST);
            // Side by side, or one would hide another.
            #[expect(clippy::cast_precision_loss, reason = "one of four")]
            let aside = vec2(i as f32 * 3.0 - 4.5, 0.0);
            scene.arrow(at + aside, vec2(length.x, length.y), Stroke::new(2.0, color));
        }
    }
}

/// Where bodies touch: points, normals as long as impulses are great, depths; with numbers where there are few, or for
/// the selected.
pub(super) fn contacts_ui(scene: &Scene<'_>, labels: &mut Labels) {
    if !scene.has(Overlay::Contacts) {
        return;
    }
    let theme = scene.theme();
    let all: Vec<_> = scene
        .world
        .physics()
        .contact_views()
        .into_iter()
        .filter_map(|contact| Some((scene.seen(contact.a, contact.point)?, contact)))
        .collect();
    let has_numbers = all.len() <= MOST_NUMBERS && scene.viewport.camera.scale >= 1.0;
    for (at, contact) in &all {
        let normal = contact.normal;
        let (depth, impulse) = (contact.depth.unwrap_or_default(), contact.impulse.unwrap_or_default());
        let normal = vec2(normal.x, normal.y);
        let length = 12.0 + 6.0 * (1.0 + impulse.max(0.0)).ln();
        scene.arrow(*at, normal * length.min(LONGEST), Stroke::new(1.5, theme.warning));
        let deep = (depth * scene.viewport.camera.scale).clamp(0.0, LONGEST);
        if deep >= 0.5 {
            lines::line_ui(theme, scene.painter, [*at, *at - normal * deep], Stroke::new(2.5, theme.error));
        }
        scene.painter.circle_filled(*at, 3.0, theme.panel);
        scene.painter.circle_filled(*at, 2.0, theme.warning);
    }
    for (at, contact) in &all {
        let is_chosen = scene.is_selected(contact.a) || contact.b.is_some_and(|b| scene.is_selected(b));
        if is_chosen || (has_numbers && !scene.has_selection) {
            let Some(depth) = contact.depth else { continue };
            let impulse = contact.impulse.filter(|impulse| *impulse > 0.0);
            let impulse = impulse.map(|impulse| format!(", {impulse:.1} kg·px/s")).unwrap_or_default();
            let text = format!("{:.2} px{impulse}", depth.max(0.0));
            labels.label_ui(theme, scene.painter, *at - vec2(0.0, 8.0), &text, theme.text);
        }
    }
}
