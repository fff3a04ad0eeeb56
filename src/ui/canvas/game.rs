//! A level as the game shows it: its layers and what stands on them, and nothing of the editor.

use egui::{Color32, Painter, Pos2, Stroke, pos2};

use super::{
    camera::{OnScreen as _, pos},
    looks::of_running,
    paint::{self, SpriteAt, Viewport},
};
use crate::{
    editor::Preview,
    model::{DocPath, Layer, LayerContent, LayerLook, Level},
    sim::Appearance,
    ui::{CanvasCx, Cx},
};

/// How far outside of what is seen the origin of something that is seen may be, in pixels of the level.
const BESIDE: f32 = 256.0;

/// Paint what a viewport shows of a level: as it runs, or as it begins.
pub fn game_ui(
    cx: &CanvasCx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
    preview: Option<&Preview>,
) {
    let painter = painter.with_clip_rect(painter.clip_rect().intersect(viewport.view));
    painter.rect_filled(viewport.view, 0.0, cx.theme.canvas);
    // A bounded level ends at its edge, however far its far layers reach.
    let level_rect = viewport.rect(paint::level_rect(level));
    let painter =
        if level.size.is_some() { painter.with_clip_rect(painter.clip_rect().intersect(level_rect)) } else { painter };
    let ground = level.background_rgba().map(|[r, g, b, a]| Color32::from_rgba_unmultiplied(r, g, b, a));
    painter.rect_filled(viewport.view, 0.0, cx.theme.level_ground);
    painter.rect_filled(viewport.view, 0.0, ground.unwrap_or(Color32::TRANSPARENT));
    let secs = preview.map_or(0.0, |preview| preview.session.world().time_secs());
    for (i, (layer, look)) in level.looks().into_iter().enumerate().filter(|(_, (_, look))| look.visible) {
        match (&layer.content, preview) {
            (LayerContent::Tiles(_), _) => paint::tiles_ui(cx, &painter, viewport, (doc, level), (i, &look), secs),
            (LayerContent::Image(image), _) => paint::image_ui(cx, &painter, viewport, &look, image),
            (LayerContent::Entities(_), Some(preview)) => running_ui(cx, &painter, viewport, preview, (i, &look)),
            (LayerContent::Entities(_), None) => placed_ui(cx, &painter, viewport, (doc, level), (i, layer, &look)),
            (LayerContent::Values(_) | LayerContent::Waypoints(_) | LayerContent::Group(_), _) => {}
        }
    }
}

fn running_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    preview: &Preview,
    (index, on): (usize, &LayerLook),
) {
    let viewport = &viewport.for_layer(on);
    let seen = viewport.camera.visible(viewport.view).expand(BESIDE);
    let [lo, hi] = [seen.min, seen.max].map(|at| glam::vec2(at.x, at.y));
    let mut shown: Vec<_> = preview.session.world().entities_within(index, [lo, hi]).collect();
    shown.sort_by_key(|entity| entity.sprite.as_ref().map_or(0, |sprite| sprite.z));
    for entity in shown {
        let place = place(on, pos2(entity.pos.x, entity.pos.y), entity.angle);
        thing_ui(cx, painter, viewport, entity.sprite.as_ref(), &|| of_running(&entity).outline, place);
    }
}

fn placed_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
    (index, layer, on): (usize, &Layer, &LayerLook),
) {
    let viewport = &viewport.for_layer(on);
    let in_sight = viewport.entities_in_sight(layer, BESIDE);
    let mut shown: Vec<_> =
        in_sight.map(|(id, it)| (it, cx.looks.get(cx.resolution, (doc, level), index, id, it))).collect();
    shown.sort_by_key(|(_, look)| look.z);
    for (it, look) in shown {
        #[expect(clippy::cast_possible_truncation, reason = "an angle on the screen")]
        let place = place(on, pos(it.at), it.rotation.to_radians() as f32);
        thing_ui(cx, painter, viewport, look.sprite.as_ref(), &|| look.outline.clone(), place);
    }
}

fn place(on: &LayerLook, at: Pos2, angle: f32) -> SpriteAt {
    #[expect(clippy::cast_possible_truncation, reason = "0 to 1")]
    let opacity = on.opacity.clamp(0.0, 1.0) as f32;
    SpriteAt { at, angle, opacity, tint: on.tint }
}

/// Its picture; its shape, where it has no picture yet; nothing where it has neither.
fn thing_ui(
    cx: &Cx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    sprite: Option<&Appearance>,
    outline: &dyn Fn() -> Vec<[f64; 2]>,
    place: SpriteAt,
) {
    if let Some(sprite) = sprite {
        return paint::sprite_ui(cx, painter, viewport, sprite, place);
    }
    let outline = outline();
    if outline.len() >= 3 {
        let color = cx.theme.text_weak.gamma_multiply(place.opacity);
        let fill = color.gamma_multiply(0.4);
        paint::outline_ui(painter, viewport, &outline, place, Stroke::new(1.0, color), fill);
    }
}
