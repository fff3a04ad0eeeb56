//! Painting a level: ground, layers of tiles, sprites of entities. What tools and overlays draw on top is `overlay`.

use std::sync::Arc;

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use super::{
    camera::{OnScreen as _, pos},
    chunks::Recipe,
};
use crate::{
    editor::Camera,
    model::{CHUNK, Document, Layer, Level, TileLayer},
    raster::{Lod, frame_rect},
    sim::Appearance,
    ui::{CanvasCx, Cx},
};

/// Where on the screen a level is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Viewport {
    /// The canvas.
    pub view: Rect,
    /// What of the level it shows.
    pub camera: Camera,
}

impl Viewport {
    /// A point of the level on the screen.
    #[must_use]
    pub fn screen(&self, world: Pos2) -> Pos2 {
        self.camera.screen_from_world(self.view, world)
    }

    /// A rectangle of the level on the screen.
    #[must_use]
    pub fn rect(&self, world: Rect) -> Rect {
        Rect::from_min_max(self.screen(world.min), self.screen(world.max))
    }

    /// A point of the screen in the level.
    #[must_use]
    pub fn world(&self, screen: Pos2) -> Pos2 {
        self.camera.world_from_screen(self.view, screen)
    }

    /// The same seen by a layer that moves with the camera by another share and is shifted.
    #[must_use]
    pub fn for_layer(&self, layer: &Layer) -> Self {
        let parallax = glam::vec2(f32_of(layer.parallax[0]), f32_of(layer.parallax[1]));
        let offset = glam::vec2(f32_of(layer.offset[0]), f32_of(layer.offset[1]));
        let center = self.camera.center * parallax - offset;
        Self { camera: Camera { center, ..self.camera }, ..*self }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the screen draws in single precision")]
fn f32_of(x: f64) -> f32 {
    x as f32
}

/// The level's rectangle in its own pixels.
#[must_use]
pub fn level_rect(level: &Level) -> Rect {
    let [x0, y0, x1, y1] = level.bounds_px();
    Rect::from_min_max(pos([x0, y0]), pos([x1, y1]))
}

/// Paint the ground and the level's edge.
pub fn ground_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, level: &Level) {
    painter.rect_filled(viewport.view, 0.0, cx.theme.canvas);
    let rect = viewport.rect(level_rect(level));
    checkerboard_ui(cx, painter, rect, viewport.view);
    let edge = Stroke::new(1.0, cx.theme.line);
    painter.rect_stroke(rect, 0.0, edge, egui::StrokeKind::Outside);
}

/// The side of a square of the checkerboard, in points.
const SQUARE: f32 = 8.0;

/// Squares where a level has nothing, to tell it from art of one color. They start at its left top and have a size of their own.
fn checkerboard_ui(cx: &Cx<'_>, painter: &Painter, level: Rect, view: Rect) {
    let shown = level.intersect(view);
    if !shown.is_positive() {
        return;
    }
    let texture = cx.textures.checkerboard(painter.ctx(), cx.theme);
    let period = 2.0 * SQUARE;
    // Not the distance itself, which is too large for exact numbers in a level seen from nearby.
    let start = (shown.min - level.min).to_pos2();
    let uv = pos2(start.x.rem_euclid(period) / period, start.y.rem_euclid(period) / period);
    painter.image(texture.id(), shown, Rect::from_min_size(uv, shown.size() / period), Color32::WHITE);
}

/// Paint the visible chunks of a tile layer; `secs` moves its animations.
pub fn tiles_ui(
    cx: &CanvasCx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    level: &Level,
    layer: &Layer,
    tiles: &TileLayer,
    secs: f64,
) {
    let found = cx.resolution.tilesets.get(&tiles.tileset).and_then(|path| Some((path, cx.project.doc(path)?)));
    let Some((path, doc)) = found else { return };
    let Document::Tileset(tileset) = &**doc else { return };
    let image =
        if path.folder().is_empty() { tileset.image.clone() } else { format!("{}/{}", path.folder(), tileset.image) };
    let Some(sheet) = cx.derived.images().get(&image) else { return };
    let viewport = viewport.for_layer(layer);
    let cell = vec2(f32_of(f64::from(level.tile_size[0])), f32_of(f64::from(level.tile_size[1])));
    let chunk = cell * f32_of(f64::from(CHUNK));
    let visible = viewport.camera.visible(viewport.view);
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates, and chunks far outside do not exist")]
    let span = |lo: f32, hi: f32, size: f32| ((lo / size).floor() as i32)..=((hi / size).floor() as i32);
    let (columns, rows) =
        (span(visible.left(), visible.right(), chunk.x), span(visible.top(), visible.bottom(), chunk.y));
    let pixels_per_point = painter.ctx().pixels_per_point();
    let lod = Lod::for_scale(
        f64::from(viewport.camera.scale * pixels_per_point * cell.x) / f64::from(tileset.tile_size[0].max(1)),
    );
    let tint = Color32::WHITE.gamma_multiply(f32_of(layer.opacity.clamp(0.0, 1.0)));
    let draw = |at: [i32; 2], chunk_tiles: &Arc<crate::model::Chunk>| {
        let recipe = Recipe { chunk: chunk_tiles, doc, tileset, sheet, lod, secs };
        let Some(texture) = cx.chunks.texture(painter.ctx(), &recipe) else { return };
        let [x, y] = at.map(|i| f32_of(f64::from(i)));
        let world = Rect::from_min_size(pos2(x * chunk.x, y * chunk.y), chunk);
        let rect = snapped(viewport.rect(world), pixels_per_point);
        let uv = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(texture, rect, uv, tint);
    };
    let n_visible = (columns.end() - columns.start() + 1).saturating_mul(rows.end() - rows.start() + 1);
    if n_visible > 4096 {
        // So far out that looking chunks up by place would cost more than going through those there are.
        for (at, chunk) in tiles.tiles.chunks().filter(|(at, _)| columns.contains(&at[0]) && rows.contains(&at[1])) {
            draw(at, chunk);
        }
        return;
    }
    for y in rows {
        for x in columns.clone() {
            if let Some(chunk) = tiles.tiles.chunk([x, y]) {
                draw([x, y], chunk);
            }
        }
    }
}

/// A rectangle on whole pixels of the screen, so that neighboring chunks share their edge without a seam.
fn snapped(rect: Rect, pixels_per_point: f32) -> Rect {
    let snap = |x: f32| (x * pixels_per_point).round() / pixels_per_point;
    Rect::from_min_max(pos2(snap(rect.min.x), snap(rect.min.y)), pos2(snap(rect.max.x), snap(rect.max.y)))
}

/// Where and how a sprite is drawn.
#[derive(Clone, Copy, Debug)]
pub struct SpriteAt {
    /// The entity's origin in the level.
    pub at: Pos2,
    /// Clockwise, in radians.
    pub angle: f32,
    /// Of the layer, 0 to 1.
    pub opacity: f32,
}

/// Paint one sprite. Nothing happens when its image is missing.
pub fn sprite_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, look: &Appearance, place: SpriteAt) {
    let Some(sheet) = cx.derived.images().get(&*look.image) else { return };
    let Some([x, y, w, h]) = frame_rect(sheet, look.frame_size, look.frame) else { return };
    let Some(texture) = cx.textures.get(painter.ctx(), cx.derived.images(), &look.image) else { return };
    let [sw, sh] = [sheet.width(), sheet.height()].map(|side| f32_of(f64::from(side)));
    let [x, y, w, h] = [x, y, w, h].map(|side| f32_of(f64::from(side)));
    let pivot = pos(look.pivot).to_vec2();
    let corners = [vec2(0.0, 0.0), vec2(w, 0.0), vec2(w, h), vec2(0.0, h)];
    let (sin, cos) = place.angle.sin_cos();
    let [r, g, b, a] = look.tint;
    let tint = Color32::from_rgba_unmultiplied(r, g, b, a).gamma_multiply(place.opacity);
    let mut mesh = Mesh::with_texture(texture.id());
    for corner in corners {
        let mut local = corner - pivot;
        if look.flip_h {
            local.x = -local.x;
        }
        let turned = vec2(local.x * cos - local.y * sin, local.x * sin + local.y * cos);
        mesh.vertices.push(egui::epaint::Vertex {
            pos: viewport.screen(place.at + turned),
            uv: pos2((x + corner.x) / sw, (y + corner.y) / sh),
            color: tint,
        });
    }
    mesh.indices = vec![0, 1, 2, 0, 2, 3];
    painter.add(Shape::mesh(mesh));
}

/// Paint an outline given around an origin.
pub fn outline_ui(
    painter: &Painter,
    viewport: &Viewport,
    outline: &[[f64; 2]],
    place: SpriteAt,
    stroke: Stroke,
    fill: Color32,
) {
    let (sin, cos) = place.angle.sin_cos();
    let points = outline.iter().map(|point| {
        let local = pos(*point).to_vec2();
        viewport.screen(place.at + vec2(local.x * cos - local.y * sin, local.x * sin + local.y * cos))
    });
    painter.add(Shape::convex_polygon(points.collect(), fill, stroke));
}

/// A diamond with a name, for an entity without a picture.
pub fn placeholder_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, at: Pos2, is_known: bool) {
    let color = if is_known { cx.theme.text_weak } else { cx.theme.error };
    let c = viewport.screen(at);
    let r = (6.0 * viewport.camera.scale).clamp(4.0, 10.0);
    let points = vec![c + vec2(0.0, -r), c + vec2(r, 0.0), c + vec2(0.0, r), c + vec2(-r, 0.0)];
    painter.add(Shape::convex_polygon(points, cx.theme.panel.gamma_multiply(0.7), Stroke::new(1.5, color)));
}
