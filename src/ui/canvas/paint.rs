//! Painting a level: ground, layers of tiles, sprites of entities. What tools and overlays draw on top is `overlay`.

use std::sync::Arc;

use egui::{Color32, Mesh, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use egui_material_icons::icons;
use indexmap::IndexMap;

use super::{
    camera::{OnScreen as _, pos},
    tiles::{PicturePaint, Place, TilesPaint},
};
use crate::{
    defs::Resolved,
    editor::{Action, ArtOf, Camera},
    model::{
        Cell, CellGrid, DocPath, Document, ImageLayer, LayerContent, LayerLook, Level, Name, ValueLayer, ValueName,
    },
    raster::{Image, TileAtlas, frame_rect, tinted, value_tiles},
    sim::Appearance,
    ui::{CanvasCx, Cx, widgets::icon_font},
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

    /// The cells shown: the left top and the right bottom one.
    #[must_use]
    pub fn cells(&self, grid: CellGrid) -> (Cell, Cell) {
        let shown = self.camera.visible(self.view);
        let cell = |at: Pos2| grid.cell_at([f64::from(at.x), f64::from(at.y)]);
        (cell(shown.min), cell(shown.max))
    }

    /// The point of the level in its middle, in pixels.
    #[must_use]
    pub fn center(&self) -> [f64; 2] {
        [self.camera.center.x, self.camera.center.y].map(f64::from)
    }

    /// The same for what is on a layer: moved by its offset and as its parallax says.
    #[must_use]
    pub fn for_layer(&self, look: &LayerLook) -> Self {
        self.shifted(look.seen_from(self.center()).offset)
    }

    /// The same for the cells that tools work on.
    #[must_use]
    pub fn for_cells_of(&self, level: &Level, layer: Option<usize>) -> Self {
        self.shifted(level.cells_offset(layer, self.center()))
    }

    /// The same for what is shifted by so many pixels.
    fn shifted(&self, by: [f64; 2]) -> Self {
        let by = glam::vec2(f32_of(by[0]), f32_of(by[1]));
        Self { camera: Camera { center: self.camera.center - by, ..self.camera }, ..*self }
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
    painter.rect_filled(rect.intersect(viewport.view), 0.0, cx.theme.level_ground);
    if let Some([r, g, b, a]) = level.background_rgba() {
        // One without bounds has it wherever it is looked at.
        let shown = if level.size.is_some() { rect.intersect(viewport.view) } else { viewport.view };
        painter.rect_filled(shown, 0.0, Color32::from_rgba_unmultiplied(r, g, b, a));
    }
    let edge = Stroke::new(1.0, cx.theme.line);
    painter.rect_stroke(rect, 0.0, edge, egui::StrokeKind::Outside);
}

/// Make what is outside a bounded level pale.
pub fn outside_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, level: &Level) {
    if level.size.is_none() {
        return;
    }
    let (view, inside) = (viewport.view, viewport.rect(level_rect(level)));
    let [top, bottom] = [inside.top(), inside.bottom()].map(|y| y.clamp(view.top(), view.bottom()));
    let [left, right] = [inside.left(), inside.right()].map(|x| x.clamp(view.left(), view.right()));
    let strips = [
        Rect::from_min_max(view.min, pos2(view.right(), top)),
        Rect::from_min_max(pos2(view.left(), bottom), view.max),
        Rect::from_min_max(pos2(view.left(), top), pos2(left, bottom)),
        Rect::from_min_max(pos2(right, top), pos2(view.right(), bottom)),
    ];
    for strip in strips.into_iter().filter(Rect::is_positive) {
        painter.rect_filled(strip, 0.0, cx.theme.canvas.gamma_multiply(0.6));
    }
}

/// Paint what is seen of a layer of tiles or values, as pale as the painter is; `secs` moves its animations.
pub fn tiles_ui(
    cx: &CanvasCx<'_>,
    painter: &Painter,
    viewport: &Viewport,
    (doc, level): (&DocPath, &Level),
    (index, look): (usize, &LayerLook),
    secs: f64,
) {
    let Some(format) = cx.target else { return };
    let (Some(document), Some(layer)) = (cx.project.doc(doc), level.nth_layer(index)) else { return };
    let found = match &layer.content {
        LayerContent::Tiles(tiles) => look_of(cx, &tiles.tileset),
        LayerContent::Values(values) => Some(look_of_values(cx, doc, &layer.name, values)),
        _ => None,
    };
    let Some((tileset, atlas)) = found else { return };
    let ctx = painter.ctx();
    let paint = TilesPaint {
        format,
        level: (doc.clone(), document.clone()),
        layer: index,
        tileset,
        atlas,
        secs,
        tint: premultiplied(look.tint, f32_of(look.opacity.clamp(0.0, 1.0)) * painter.opacity()),
        blend: layer.blend(),
        place: Place::of(viewport, look, level.grid_of(layer).px, painter.clip_rect(), ctx.pixels_per_point()),
        ctx: ctx.clone(),
    };
    paint.paint(painter);
}

/// A tileset's document and its pictures, which are asked for when they are not there or not as they would be now.
/// Where the file of its picture is missing, every tile is marked as one that is.
fn look_of(cx: &Cx<'_>, tileset: &Name) -> Option<(Arc<Document>, Arc<TileAtlas>)> {
    let path = cx.resolution.tilesets.get(tileset)?;
    let document = cx.project.doc(path)?;
    let Document::Tileset(tileset) = &**document else { return None };
    let Some(sheet) = path.beside(&tileset.image).and_then(|image| cx.derived.images().get(image.as_str())) else {
        return look_without_picture(cx, path, document);
    };
    let (atlas, is_current) = cx.derived.art().atlas(path, document, sheet);
    if !is_current {
        prepare(cx, ArtOf::Tileset(path.clone()));
    }
    Some((document.clone(), atlas?.clone()))
}

/// The look of a tileset whose picture has nothing where its tiles would be.
fn look_without_picture(
    cx: &Cx<'_>,
    path: &DocPath,
    document: &Arc<Document>,
) -> Option<(Arc<Document>, Arc<TileAtlas>)> {
    struct Look(Arc<Document>, Option<Arc<TileAtlas>>);
    let Document::Tileset(tileset) = &**document else { return None };
    let atlas = || Image::filled(1, 1, [0; 4]).ok().map(|nothing| Arc::new(TileAtlas::new(tileset, &nothing)));
    let look = cx.derived.memos().get_current(
        ("tileset without a picture", path.as_str()),
        |it: &Look| Arc::ptr_eq(&it.0, document),
        |_| Look(Arc::clone(document), atlas()),
    );
    Some((Arc::clone(&look.0), look.1.clone()?))
}

/// Have art made, once: asking again in each frame would keep the window drawing.
fn prepare(cx: &Cx<'_>, of: ArtOf) {
    if !cx.derived.art().is_running(&of) {
        cx.send(Action::PrepareArt(of));
    }
}

/// The same of values: made of their names and colors, and the same as long as these are.
fn look_of_values(cx: &Cx<'_>, doc: &DocPath, layer: &Name, values: &ValueLayer) -> (Arc<Document>, Arc<TileAtlas>) {
    struct Look(IndexMap<u32, ValueName>, Arc<Document>, Arc<TileAtlas>);
    let key = ("look of values", doc.as_str(), layer);
    let look = cx.derived.memos().get_current(
        key,
        |it: &Look| it.0 == values.names,
        |_| {
            let (tileset, sheet) = value_tiles(values);
            let atlas = TileAtlas::new(&tileset, &sheet);
            Look(values.names.clone(), Arc::new(Document::Tileset(tileset)), Arc::new(atlas))
        },
    );
    (look.1.clone(), look.2.clone())
}

/// Paint what is seen of an image layer, as pale as the painter is. Nothing happens when its image is missing.
pub fn image_ui(cx: &CanvasCx<'_>, painter: &Painter, viewport: &Viewport, look: &LayerLook, content: &ImageLayer) {
    let Some(format) = cx.target else { return };
    let Some(image) = cx.derived.images().get(&*content.image) else { return };
    let (pyramid, is_current) = cx.derived.art().pyramid(&content.image, image);
    if !is_current {
        prepare(cx, ArtOf::Picture(content.image.clone()));
    }
    let Some(pyramid) = pyramid else { return };
    let ctx = painter.ctx();
    let paint = PicturePaint {
        format,
        pyramid: pyramid.clone(),
        repeat: content.repeat.axes(),
        tint: premultiplied(look.tint, f32_of(look.opacity.clamp(0.0, 1.0)) * painter.opacity()),
        blend: content.blend,
        place: Place::of(viewport, look, pyramid.size(), painter.clip_rect(), ctx.pixels_per_point()),
        ctx: ctx.clone(),
    };
    paint.paint(painter);
}

/// A color with its alpha and an opacity multiplied in.
fn premultiplied([r, g, b, a]: [u8; 4], opacity: f32) -> [f32; 4] {
    let alpha = f32::from(a) / 255.0 * opacity;
    let [r, g, b] = [r, g, b].map(|x| f32::from(x) / 255.0 * alpha);
    [r, g, b, alpha]
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
    /// Of the layer.
    pub tint: [u8; 4],
}

/// Paint one sprite. Nothing happens when its image is missing.
pub fn sprite_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, look: &Appearance, place: SpriteAt) {
    let Some(sheet) = cx.derived.images().get(&*look.image) else { return };
    let Some([x, y, w, h]) = frame_rect(sheet, look.frame_size, look.frame) else { return };
    let (texture, uv) = cx.textures.part(painter.ctx(), &look.image, sheet, [x, y, w, h]);
    let [w, h] = [w, h].map(|side| f32_of(f64::from(side)));
    let pivot = pos(look.pivot).to_vec2();
    let corners = [vec2(0.0, 0.0), vec2(w, 0.0), vec2(w, h), vec2(0.0, h)];
    let (sin, cos) = place.angle.sin_cos();
    let [r, g, b, a] = tinted(look.tint, place.tint);
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
            uv: uv.min + corner / vec2(w, h) * uv.size(),
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

/// What stands for an entity without a picture: the sign of a camera, else a diamond. `resolved` is none where its
/// definition cannot be resolved.
pub fn sign_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, at: Pos2, resolved: Option<&Resolved>) {
    if !resolved.is_some_and(|resolved| resolved.has("Camera")) {
        return placeholder_ui(cx, painter, viewport, at, resolved.is_some());
    }
    let center = viewport.screen(at);
    let sign = Rect::from_center_size(center, vec2(18.0, 18.0));
    painter.rect(sign, 4.0, cx.theme.panel, Stroke::new(1.0, cx.theme.accent), egui::StrokeKind::Inside);
    let icon = icons::ICON_VIDEOCAM.codepoint;
    painter.text(center, egui::Align2::CENTER_CENTER, icon, icon_font(14.0), cx.theme.text_strong);
}

/// A diamond, for an entity without a picture.
fn placeholder_ui(cx: &Cx<'_>, painter: &Painter, viewport: &Viewport, at: Pos2, is_known: bool) {
    let color = if is_known { cx.theme.text_weak } else { cx.theme.error };
    let c = viewport.screen(at);
    let r = (6.0 * viewport.camera.scale).clamp(4.0, 10.0);
    let points = vec![c + vec2(0.0, -r), c + vec2(r, 0.0), c + vec2(0.0, r), c + vec2(-r, 0.0)];
    painter.add(Shape::convex_polygon(points, cx.theme.panel.gamma_multiply(0.7), Stroke::new(1.5, color)));
}
