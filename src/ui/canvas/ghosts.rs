//! Ghosts: where everything would be, had nothing been changed after going back, drawn beside what there is.

use egui::{Painter, Pos2, Stroke, pos2};

use super::{
    camera::OnScreen as _,
    lines,
    looks::of_running,
    overlay,
    paint::{self, SpriteAt, Viewport},
};
use crate::{
    editor::Preview,
    model::LayerLook,
    sim::{DifferenceKind, EntityView},
    ui::Cx,
};

/// How much of a ghost is seen.
const OPACITY: f32 = 0.6;
/// Nearer to where it is than this, in pixels, a ghost is hidden behind it.
const NEAR_PX: f32 = 0.5;

/// The ghosts of a layer's entities that are elsewhere or gone, each with a line to where its entity is.
pub fn ghosts_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    preview: &Preview,
    (index, on): (usize, &LayerLook),
) {
    let Some(ghost) = preview.session.ghost() else { return };
    let viewport = &viewport.for_layer(on);
    let visible = viewport.camera.visible(viewport.view).expand(64.0);
    let world = preview.session.world();
    let point = |entity: &EntityView<'_>| pos2(entity.pos.x, entity.pos.y);
    let [lo, hi] = [visible.min, visible.max].map(|at| glam::vec2(at.x, at.y));
    let moment = preview.drawn_moment();
    for entity in ghost.drawn_within(index, [lo, hi], moment) {
        let now = world.by_id(entity.id).and_then(|key| world.entity(key)).filter(|now| now.alive);
        let now = now.map(|now| now.drawn_at(moment));
        if now.as_ref().is_some_and(|now| now.pos.distance(entity.pos) < NEAR_PX) {
            continue;
        }
        let (at, look) = (point(&entity), of_running(&entity));
        let place = SpriteAt { at, angle: entity.angle, opacity: OPACITY, tint: on.tint };
        match &look.sprite {
            Some(sprite) => paint::sprite_ui(cx, painter, viewport, sprite, place),
            None => paint::sign_ui(cx, painter, viewport, at, Some(&**entity.resolved)),
        }
        let color = cx.theme.inherited;
        let outline = overlay::box_rect(viewport, at, look.half, look.center);
        let corners = [outline.left_top(), outline.right_top(), outline.right_bottom(), outline.left_bottom()];
        let around: Vec<Pos2> = corners.into_iter().chain([corners[0]]).collect();
        lines::dashes_ui(cx.theme, painter, around, Stroke::new(1.5, color), [4.0, 3.0]);
        if let Some(now) = now {
            let line = vec![viewport.screen(at), viewport.screen(point(&now))];
            lines::dashes_ui(cx.theme, painter, line, Stroke::new(1.0, color), [2.0, 4.0]);
        }
    }
}

/// A difference in words.
#[must_use]
pub fn difference_text(kind: &DifferenceKind) -> String {
    let state = |path: &str| if path.is_empty() { "the root".to_owned() } else { path.to_owned() };
    match kind {
        DifferenceKind::Added => "only now".to_owned(),
        DifferenceKind::Missing => "only in the ghost".to_owned(),
        DifferenceKind::State(machine, now, then) => format!("{machine} in {}, ghost in {}", state(now), state(then)),
        DifferenceKind::Life(now, then) => format!("life {now:.0}, ghost {then:.0}"),
        DifferenceKind::Moved(by) => format!("{:.1} px from the ghost ({:+.1}, {:+.1})", by.length(), by.x, by.y),
        DifferenceKind::Turned(by) => format!("turned by {:.0}° from the ghost", by.to_degrees()),
    }
}
