//! What the tool in hand is about to do, drawn over the level: tiles and things half there, frames, links, sizes.

use std::sync::Arc;

use egui::{Color32, CornerRadius, CursorIcon, Mesh, Painter, Rect, Stroke, pos2, vec2};

use super::{
    camera::pos,
    lines,
    looks::of_resolved,
    overlay::{box_rect, label_ui},
    paint::{SpriteAt, Viewport, sign_ui, sprite_ui},
};
use crate::{
    editor::Selection,
    model::{Cell, CellGrid, Document, Layer, LayerLook, Level, Tile, ValueName, parse_color},
    raster::tile_uv,
    sim::components::posed_by_tracks,
    tools::Cursor,
    ui::{CanvasCx, Cx, panels::palette::image_of},
};

/// Draw it.
pub fn ghost_ui(cx: &CanvasCx<'_>, painter: &Painter, viewport: &Viewport, level: &Level) {
    if cx.preview.is_some_and(|preview| preview.is_playing) {
        return;
    }
    scrub_ui(cx, painter, viewport, level);
    let ghost = &cx.tool.ghost;
    let grid = level.grid_at(cx.active_layer());
    let on_cells = viewport.for_cells_of(level, cx.active_layer());
    if let Some(layer) = cx.active_layer().and_then(|i| level.nth_layer(i)).filter(|_| !ghost.tiles.is_empty()) {
        tiles_ui(cx, painter, viewport, level, layer, &ghost.tiles);
    }
    for (name, tiles) in &ghost.layers {
        if let Some((_, layer)) = level.layer(name) {
            tiles_ui(cx, painter, viewport, level, layer, tiles);
        }
    }
    let thin = Stroke::new(1.0, cx.theme.accent);
    if let Some(area) = &ghost.area {
        lines::area_ui(cx.theme, painter, &on_cells, grid, area);
    }
    for cell in &ghost.cells {
        let rect = on_cells.rect(cells_rect(grid, [*cell, *cell]));
        painter.rect_filled(rect, CornerRadius::ZERO, cx.theme.accent.gamma_multiply(0.18));
        lines::frame_ui(cx.theme, painter, rect, 0, thin);
    }
    if let Some(cells) = ghost.cell_rect {
        let rect = on_cells.rect(cells_rect(grid, cells));
        lines::frame_ui(cx.theme, painter, rect, 0, Stroke::new(1.5, cx.theme.accent));
    }
    if let Some([a, b]) = ghost.frame_px {
        let rect = Rect::from_two_pos(viewport.screen(pos(a)), viewport.screen(pos(b)));
        painter.rect_filled(rect, CornerRadius::ZERO, cx.theme.accent.gamma_multiply(0.12));
        lines::frame_ui(cx.theme, painter, rect, 0, thin);
    }
    if let Some((def, at)) = &ghost.entity {
        let place = SpriteAt { at: pos(*at), angle: 0.0, opacity: 0.65, tint: [255; 4] };
        let look = cx.resolution.defs.get(def).map(|def| cx.looks.of_def(cx.resolution, def));
        match look.as_ref().and_then(|look| look.sprite.as_ref()) {
            Some(sprite) => sprite_ui(cx, painter, viewport, sprite, place),
            None => {
                let resolved = look.as_ref().and_then(|look| look.resolved.as_deref());
                sign_ui(cx, painter, viewport, place.at, resolved);
            }
        }
        if let Some(look) = &look {
            lines::frame_ui(cx.theme, painter, box_rect(viewport, place.at, look.half, look.center), 2, thin);
        }
    }
    for ends in &ghost.guides {
        lines::line_ui(cx.theme, painter, ends.map(|end| viewport.screen(pos(end))), thin);
    }
    if let Some([a, b]) = ghost.link {
        let ends = [viewport.screen(pos(a)), viewport.screen(pos(b))];
        lines::line_ui(cx.theme, painter, ends, Stroke::new(2.0, cx.theme.waypoint));
    }
    if let Some(node) = ghost.node {
        let c = viewport.screen(pos(node));
        painter.circle_filled(c, 5.0, cx.theme.waypoint.gamma_multiply(0.35));
        lines::circle_ui(cx.theme, painter, c, 5.0, Stroke::new(1.5, cx.theme.waypoint));
    }
    if let Some(id) = &ghost.hovered
        && let Some(rect) = thing_rect(cx, viewport, level, id)
    {
        lines::frame_ui(cx.theme, painter, rect.expand(1.0), 2, thin);
    }
    if let (Some(note), Some(pointer)) = (&ghost.note, &cx.view.pointer) {
        let at = viewport.screen(pos(pointer.pos)) + vec2(28.0, 30.0);
        label_ui(cx, painter, at, note, cx.theme.text_strong);
    }
}

/// What is selected alone, as its tracks have it at the time line's playhead.
fn scrub_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, level: &Level) {
    let (Some(secs), Selection::Things { doc, ids }) = (cx.view.scrub, cx.selection) else { return };
    let ([id], true) = (ids.as_slice(), cx.view.level.as_ref() == Some(doc) && cx.preview.is_none()) else { return };
    let Some((layer, _)) = level.entity(id) else { return };
    let Some((id, instance)) = level.nth_layer(layer).and_then(|it| it.entities()?.get_key_value(id)) else {
        return;
    };
    let look = cx.looks.get(cx.resolution, (doc, level), layer, id, instance);
    let Some(resolved) = look.resolved.as_deref().filter(|resolved| resolved.has("Tracks")) else { return };
    let posed = posed_by_tracks(cx.resolution, resolved, (instance.at, instance.rotation), secs);
    let (_, seen) = level.looks().swap_remove(layer);
    let viewport = viewport.for_layer(&seen);
    let look = of_resolved(cx.resolution, Some(Arc::new(posed.resolved)));
    #[expect(clippy::cast_possible_truncation, reason = "an angle")]
    let angle = posed.rotation.to_radians() as f32;
    let place = SpriteAt { at: pos(posed.pos), angle, opacity: 0.75, tint: [255; 4] };
    match &look.sprite {
        Some(sprite) => sprite_ui(cx, painter, &viewport, sprite, place),
        None => sign_ui(cx, painter, &viewport, place.at, look.resolved.as_deref()),
    }
    let frame = box_rect(&viewport, place.at, look.half, look.center);
    lines::frame_ui(cx.theme, painter, frame, 2, Stroke::new(1.0, cx.theme.accent));
}

/// How the pointer looks over the level.
#[must_use]
pub fn cursor_icon(cx: &CanvasCx<'_>) -> CursorIcon {
    match cx.tool.cursor {
        Cursor::Arrow => CursorIcon::Default,
        Cursor::Crosshair => CursorIcon::Crosshair,
        Cursor::Move => CursorIcon::Move,
        Cursor::Copy => CursorIcon::Copy,
        Cursor::Hand => CursorIcon::PointingHand,
        Cursor::Forbidden => CursorIcon::NotAllowed,
    }
}

/// Where cells are in the level, by two opposite corners of them, both included.
pub(super) fn cells_rect(grid: CellGrid, [a, b]: [Cell; 2]) -> Rect {
    let lo = [a[0].min(b[0]), a[1].min(b[1])];
    let hi = [a[0].max(b[0]), a[1].max(b[1])];
    let [left, top, right, bottom] = grid.rect_px(lo, hi);
    Rect::from_min_max(pos([left, top]), pos([right, bottom]))
}

/// Tiles half there, of one texture in one mesh; what has no picture, as values and what is erased, as plain colors.
fn tiles_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, level: &Level, layer: &Layer, tiles: &[(Cell, Tile)]) {
    let (viewport, grid) = (viewport.for_layer(&level.look_of(layer)), level.grid_of(layer));
    let found = layer.tiles().and_then(|it| image_of(cx, &it.tileset));
    let sheet = found.as_ref().and_then(|(image, doc)| {
        let Document::Tileset(tileset) = &**doc else { return None };
        let sheet = cx.derived.images().get(image)?;
        Some((tileset, sheet, cx.textures.get(painter.ctx(), cx.derived.images(), image)?))
    });
    let mut pictures = sheet.as_ref().map(|(.., texture)| Mesh::with_texture(texture.id())).unwrap_or_default();
    let mut plain = Mesh::default();
    for (cell, tile) in tiles {
        let rect = viewport.rect(cells_rect(grid, [*cell, *cell]));
        if !rect.intersects(viewport.view) {
            continue;
        }
        let corners = sheet.as_ref().and_then(|(tileset, sheet, _)| tile_uv(*tile, tileset, sheet));
        let Some(corners) = corners else {
            let value = layer.values().and_then(|values| values.names.get(&tile.id()?));
            plain.add_colored_rect(rect, value.map_or(cx.theme.error.gamma_multiply(0.25), value_color));
            continue;
        };
        let at = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()];
        let first = u32::try_from(pictures.vertices.len()).unwrap_or(0);
        for (pos, [u, v]) in at.into_iter().zip(corners) {
            let color = Color32::WHITE.gamma_multiply(0.8);
            pictures.vertices.push(egui::epaint::Vertex { pos, uv: pos2(u, v), color });
        }
        pictures.indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
    }
    painter.add(plain);
    painter.add(pictures);
}

fn value_color(value: &ValueName) -> Color32 {
    let [r, g, b, a] = parse_color(&value.color).unwrap_or([255; 4]);
    Color32::from_rgba_unmultiplied(r, g, b, a).gamma_multiply(0.6)
}

fn thing_rect(cx: &Cx<'_>, viewport: &Viewport, level: &Level, id: &str) -> Option<Rect> {
    let doc = cx.view.level.as_ref()?;
    if let Some((layer, instance)) = level.entity(id) {
        let (id, _) = level.nth_layer(layer)?.entities()?.get_key_value(id)?;
        let look = cx.looks.get(cx.resolution, (doc, level), layer, id, instance);
        let viewport = viewport.for_layer(&level.looks().get(layer)?.1);
        return Some(box_rect(&viewport, pos(instance.at), look.half, look.center));
    }
    let node = |(layer, look): (&Arc<Layer>, LayerLook)| Some((layer.waypoints()?.nodes.get(id)?.at, look));
    let (at, look) = level.looks().into_iter().find_map(node)?;
    Some(Rect::from_center_size(viewport.for_layer(&look).screen(pos(at)), vec2(16.0, 16.0)))
}
