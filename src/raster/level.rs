//! A level as the canvas shows it before anything moves: its layers back to front, then the overlays asked for. Layers
//! keep their offset and opacity; parallax counts as 1, for a whole level has no camera, unless it is looked at through
//! one.

use std::{collections::BTreeMap, sync::Arc};

use super::{Canvas, Image, ImageError, Lod, Stroke, chunk_pixels, draw::Placement, frame_rect, value_tiles};
use crate::{
    defs::{Resolution, Resolved},
    model::{
        Blend, CHUNK, DocPath, Instance, LayerContent, Level, LinkBy, Name, Project, Shape, Tile, TileShape, Tiles,
        Tileset,
    },
    sim::{Appearance, components::parts_of, physics::PartSpec},
};

/// Why a level cannot be drawn.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    /// The picture would be empty or too large.
    #[error("{0}; choose another --scale")]
    Size(#[from] ImageError),
}

/// What is to be seen, ready to draw.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The world's rectangle: left, top, right, bottom, in pixels.
    pub area: [f64; 4],
    /// Behind all layers.
    pub background: Option<[u8; 4]>,
    /// Width and height of a cell of the level, in pixels.
    pub cell_px: [f64; 2],
    /// Back to front.
    pub layers: Vec<SceneLayer>,
    /// Lines between cells.
    pub grid: bool,
    /// Value layers, which no game draws.
    pub values: bool,
    /// What is solid of tiles and entities.
    pub colliders: bool,
    /// Waypoints, as places.
    pub nodes: Vec<[f64; 2]>,
    /// Links between waypoints: two places and the link's origin.
    pub links: Vec<([f64; 2], [f64; 2], LinkBy)>,
    /// Paths, as points.
    pub paths: Vec<Vec<[f64; 2]>>,
}

/// One layer of a scene.
#[derive(Clone, Debug)]
pub struct SceneLayer {
    /// 0 to 1.
    pub opacity: f64,
    /// Multiplied with its colors.
    pub tint: [u8; 4],
    /// How its colors are put over those behind it.
    pub blend: Blend,
    /// Shift in pixels.
    pub offset: [f64; 2],
    /// How much it moves with a camera.
    pub parallax: [f64; 2],
    /// Width and height of a cell of its tiles, in pixels.
    pub cell_px: [f64; 2],
    /// Tiles, with their tileset and its sheet.
    pub tiles: Option<(Tiles, Arc<Tileset>, Arc<Image>)>,
    /// Whether the tiles are values.
    pub is_values: bool,
    /// A picture whose left top is at the offset, and whether it is repeated in x and y.
    pub image: Option<(Arc<Image>, [bool; 2])>,
    /// Whether the tiles are solid where their shapes say so.
    pub collide: bool,
    /// Entities, in any order.
    pub placed: Vec<Placed>,
}

impl SceneLayer {
    /// A picture of the layer, which is as pale and tinted as it and put over others as it is.
    fn placement(&self, at: [f64; 2]) -> Placement {
        Placement { opacity: self.opacity, tint: self.tint, blend: self.blend, ..Placement::at(at) }
    }
}

/// An entity at a place.
#[derive(Clone, Debug, Default)]
pub struct Placed {
    /// Its origin, in pixels.
    pub at: [f64; 2],
    /// Clockwise.
    pub angle_rad: f64,
    /// What it shows, with its sheet.
    pub look: Option<(Appearance, Arc<Image>)>,
    /// The corners of each part of its collider, around its origin, not turned.
    pub outlines: Vec<Vec<[f64; 2]>>,
    /// It has neither a picture nor a collider: the outline only marks its place.
    pub is_mark: bool,
}

const ENTITY: Stroke = Stroke { color: [255, 196, 84, 255], width: 1.5 };
const COLLIDER: Stroke = Stroke { color: [92, 220, 132, 255], width: 1.25 };
const GRID: Stroke = Stroke { color: [255, 255, 255, 28], width: 1.0 };
const CHUNK_LINE: Stroke = Stroke { color: [255, 255, 255, 70], width: 1.0 };
const HAND_LINK: Stroke = Stroke { color: [255, 209, 102, 255], width: 2.0 };
const AUTO_LINK: Stroke = Stroke { color: [110, 190, 255, 200], width: 1.25 };
const BROKEN_LINK: Stroke = Stroke { color: [255, 92, 92, 220], width: 1.25 };
const PATH: Stroke = Stroke { color: [255, 255, 255, 235], width: 2.0 };

/// Grid lines nearer than this many pixels hide the picture and are left out.
const MIN_GRID_PX: f64 = 4.0;

impl Scene {
    /// What a level's file shows: visible layers, entities as `resolved` says, clips and animated tiles at `secs`.
    ///
    /// `images` gives a sheet by its path in the project; a layer whose tileset or sheet is missing is left out, an
    /// entity without a picture is drawn as the outline of its collider.
    pub fn of_level(
        project: &Project,
        resolution: &Resolution,
        level: &Level,
        resolved: &dyn Fn(&Name, &Instance) -> Option<Arc<Resolved>>,
        images: &dyn Fn(&str) -> Option<Arc<Image>>,
        secs: f64,
    ) -> Self {
        let tileset = |name: &str| {
            let doc: &DocPath = resolution.tilesets.get(name)?;
            let tileset = project.tileset(doc)?;
            let sheet = images(doc.beside(&tileset.image)?.as_str())?;
            Some((Arc::new(tileset.clone()), sheet))
        };
        let mut scene = Self {
            area: level.bounds_px(),
            background: level.background_rgba(),
            cell_px: level.grid().px.map(f64::from),
            ..Self::default()
        };
        for (layer, look) in level.looks().into_iter().filter(|(_, look)| look.visible) {
            let mut drawn = SceneLayer {
                opacity: look.opacity,
                tint: look.tint,
                blend: layer.blend(),
                offset: look.offset,
                parallax: look.parallax,
                cell_px: level.grid_of(layer).px.map(f64::from),
                tiles: None,
                is_values: false,
                image: None,
                collide: false,
                placed: Vec::new(),
            };
            match &layer.content {
                LayerContent::Tiles(content) => {
                    drawn.collide = content.collide;
                    drawn.tiles = tileset(&content.tileset).map(|(set, sheet)| (content.tiles.clone(), set, sheet));
                }
                LayerContent::Entities(entities) => {
                    drawn.placed = entities
                        .iter()
                        .map(|(id, instance)| {
                            let resolved = resolved(id, instance);
                            let resolved = resolved.as_deref();
                            let look = resolved.and_then(|resolved| Appearance::of(resolution, resolved, secs));
                            let parts = resolved.map_or_else(Vec::new, |resolved| parts_of(resolution, resolved));
                            Placed::new(instance.at, instance.rotation.to_radians(), look, &parts, images)
                        })
                        .collect();
                }
                LayerContent::Image(content) => {
                    drawn.image = images(&content.image).map(|image| (image, content.repeat.axes()));
                }
                LayerContent::Values(content) => {
                    let (tileset, sheet) = value_tiles(content);
                    drawn.is_values = true;
                    drawn.tiles = Some((content.values.clone(), Arc::new(tileset), Arc::new(sheet)));
                }
                LayerContent::Waypoints(_) | LayerContent::Group(_) => {}
            }
            scene.layers.push(drawn);
        }
        if level.size.is_none() {
            scene.include_placed(level);
        }
        scene
    }

    /// Look at it through a camera: with a point in the middle, so much of it in width and height, in pixels. What only
    /// marks the place of an entity is not seen.
    pub fn look_through(&mut self, center: [f64; 2], size: [f64; 2]) {
        let [lo, hi] = [-0.5, 0.5].map(|share| [0, 1].map(|i| center[i] + share * size[i]));
        self.area = [lo[0], lo[1], hi[0], hi[1]];
        for layer in &mut self.layers {
            layer.offset = [0, 1].map(|i| layer.offset[i] + center[i] * (1.0 - layer.parallax[i]));
            layer.placed.retain(|it| !it.is_mark);
        }
    }

    /// Make the area of an unbounded level that of its tiles and of what is drawn for its entities, in whole cells.
    fn include_placed(&mut self, level: &Level) {
        let drawn = self.layers.iter().flat_map(|layer| layer.placed.iter().flat_map(|it| it.drawn(layer.offset)));
        let has_tiles =
            level.all_layers().into_iter().any(|layer| layer.cells().is_some_and(|it| it.tiles.bounds().is_some()));
        let tiles = has_tiles.then_some(self.area);
        let area = drawn
            .map(|[x, y]| [x, y, x, y])
            .chain(tiles)
            .reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]);
        let Some(area) = area else { return };
        let [w, h] = self.cell_px.map(|side| side.max(1.0));
        self.area =
            [(area[0] / w).floor() * w, (area[1] / h).floor() * h, (area[2] / w).ceil() * w, (area[3] / h).ceil() * h];
    }

    /// The scene as a picture, `scale` pixels for one of the world, over a ground that shows where nothing is.
    ///
    /// # Errors
    /// When the picture would be empty or too large.
    pub fn render(&self, scale: f64, ground: [u8; 4], secs: f64) -> Result<Image, SceneError> {
        let mut behind = Image::solid(1, 1, ground);
        behind.blend(0, 0, self.background.unwrap_or_default(), 1.0, Blend::Normal);
        let mut canvas = Canvas::new(self.area, scale, behind.pixel(0, 0))?;
        // Values are an overlay: over all that is drawn of the level.
        let values = self.layers.iter().filter(|layer| self.values && layer.is_values);
        for layer in self.layers.iter().filter(|layer| !layer.is_values).chain(values) {
            if let Some((tiles, tileset, sheet)) = &layer.tiles {
                draw_tiles(&mut canvas, layer, tiles, tileset, sheet, secs);
            }
            if let Some((image, repeat)) = &layer.image {
                let placement = Placement { repeat: *repeat, ..layer.placement(layer.offset) };
                canvas.picture(image, [0, 0, image.width(), image.height()], &placement);
            }
            draw_entities(&mut canvas, layer);
        }
        if self.grid {
            self.draw_grid(&mut canvas);
        }
        if self.colliders {
            self.draw_colliders(&mut canvas);
        }
        for (from, to, by) in &self.links {
            let stroke = match by {
                LinkBy::Hand => HAND_LINK,
                LinkBy::Auto => AUTO_LINK,
                LinkBy::Broken => BROKEN_LINK,
            };
            canvas.line(*from, *to, stroke);
        }
        for node in &self.nodes {
            canvas.dot(*node, 4.5, [20, 24, 32, 255]);
            canvas.dot(*node, 3.0, HAND_LINK.color);
        }
        for path in &self.paths {
            canvas.polyline(path, PATH);
            for point in path {
                canvas.dot(*point, 2.5, PATH.color);
            }
        }
        Ok(canvas.into_image())
    }

    fn draw_grid(&self, canvas: &mut Canvas) {
        let [x0, y0, x1, y1] = self.area;
        let [cw, ch] = self.cell_px;
        let mut lines = |from: f64, to: f64, cell: f64, line: &mut dyn FnMut(&mut Canvas, f64, Stroke)| {
            if !(cell > 0.0 && (to - from).is_finite()) {
                return;
            }
            let every = if cell * canvas.scale() >= MIN_GRID_PX { 1 } else { CHUNK };
            let (mut at, end) = ((from / cell).ceil(), (to / cell).floor());
            while at <= end {
                let is_chunk = at.rem_euclid(f64::from(CHUNK)) == 0.0;
                if is_chunk || every == 1 {
                    line(canvas, at * cell, if is_chunk { CHUNK_LINE } else { GRID });
                }
                at += 1.0;
            }
        };
        lines(x0, x1, cw, &mut |canvas, x, stroke| canvas.line([x, y0], [x, y1], stroke));
        lines(y0, y1, ch, &mut |canvas, y, stroke| canvas.line([x0, y], [x1, y], stroke));
    }

    fn draw_colliders(&self, canvas: &mut Canvas) {
        let fill = [COLLIDER.color[0], COLLIDER.color[1], COLLIDER.color[2], 40];
        for layer in &self.layers {
            if let (true, Some((tiles, tileset, _))) = (layer.collide, &layer.tiles) {
                let mut shapes: BTreeMap<Tile, Option<Vec<[f64; 2]>>> = BTreeMap::new();
                for ([x, y], tile) in tiles.iter() {
                    let shape = shapes.entry(tile).or_insert_with(|| tile_outline(tileset, tile, layer.cell_px));
                    let Some(points) = shape else { continue };
                    let corner = [f64::from(x) * layer.cell_px[0], f64::from(y) * layer.cell_px[1]];
                    let points: Vec<[f64; 2]> =
                        points.iter().map(|p| std::array::from_fn(|i| p[i] + corner[i] + layer.offset[i])).collect();
                    canvas.polygon(&points, fill, COLLIDER);
                }
            }
            for placed in &layer.placed {
                placed.outlines_in_world(layer.offset).for_each(|outline| canvas.polygon(&outline, fill, COLLIDER));
            }
        }
    }
}

fn draw_tiles(canvas: &mut Canvas, layer: &SceneLayer, tiles: &Tiles, tileset: &Tileset, sheet: &Image, secs: f64) {
    let [cw, ch] = layer.cell_px;
    let side = tileset.tile_size.map(|px| f64::from(px.max(1)));
    let lod = Lod::for_scale(canvas.scale() * (cw / side[0]).min(ch / side[1]));
    let drawn = lod.cell_px(tileset).map(f64::from);
    let shown = canvas.area();
    for ([cx, cy], chunk) in tiles.chunks() {
        let at = [
            f64::from(cx) * f64::from(CHUNK) * cw + layer.offset[0],
            f64::from(cy) * f64::from(CHUNK) * ch + layer.offset[1],
        ];
        let far = [at[0] + f64::from(CHUNK) * cw, at[1] + f64::from(CHUNK) * ch];
        if at[0] >= shown[2] || at[1] >= shown[3] || far[0] <= shown[0] || far[1] <= shown[1] {
            continue;
        }
        let pixels = chunk_pixels(chunk, tileset, sheet, lod, secs);
        let placement = Placement { stretch: [cw / drawn[0], ch / drawn[1]], ..layer.placement(at) };
        canvas.picture(&pixels, [0, 0, pixels.width(), pixels.height()], &placement);
    }
}

fn draw_entities(canvas: &mut Canvas, layer: &SceneLayer) {
    let mut order: Vec<&Placed> = layer.placed.iter().collect();
    order.sort_by_key(|placed| placed.look.as_ref().map_or(0, |(look, _)| look.z));
    for placed in order {
        let at = [placed.at[0] + layer.offset[0], placed.at[1] + layer.offset[1]];
        let drawn = placed.look.as_ref().is_some_and(|(look, sheet)| {
            canvas.sprite(sheet, look, (at, placed.angle_rad), (layer.opacity, layer.tint))
        });
        if !drawn {
            let fill = [ENTITY.color[0], ENTITY.color[1], ENTITY.color[2], 60];
            placed.outlines_in_world(layer.offset).for_each(|outline| canvas.polygon(&outline, fill, ENTITY));
            canvas.dot(at, 2.0, ENTITY.color);
        }
    }
}

impl Placed {
    /// An entity with what it shows, and the parts of its collider; one that has neither is drawn as a diamond.
    #[must_use]
    pub fn new(
        at: [f64; 2],
        angle_rad: f64,
        look: Option<Appearance>,
        parts: &[PartSpec],
        images: &dyn Fn(&str) -> Option<Arc<Image>>,
    ) -> Self {
        let look = look.and_then(|look| images(&look.image).map(|sheet| (look, sheet)));
        let is_mark = look.is_none() && parts.is_empty();
        let mut outlines: Vec<_> = parts.iter().map(|part| outlines(&part.shape, part.offset)).collect();
        if outlines.is_empty() {
            outlines.push(diamond());
        }
        Self { at, angle_rad, look, outlines, is_mark }
    }

    /// The corners of what is drawn of it: its frame, or its outline where it has none.
    fn drawn(&self, offset: [f64; 2]) -> Vec<[f64; 2]> {
        let frame = self.look.as_ref().filter(|(look, sheet)| frame_rect(sheet, look.frame_size, look.frame).is_some());
        let Some((look, _)) = frame else { return self.outlines_in_world(offset).flatten().collect() };
        let [left, top] = look.pivot.map(|x| -x);
        let [right, bottom] = [0, 1].map(|i| f64::from(look.frame_size[i]) - look.pivot[i]);
        self.in_world(&[[left, top], [right, top], [right, bottom], [left, bottom]], offset)
    }

    fn outlines_in_world(&self, offset: [f64; 2]) -> impl Iterator<Item = Vec<[f64; 2]>> {
        self.outlines.iter().map(move |outline| self.in_world(outline, offset))
    }

    /// Points around its origin, turned and placed as it is.
    fn in_world(&self, points: &[[f64; 2]], offset: [f64; 2]) -> Vec<[f64; 2]> {
        let (sin, cos) = self.angle_rad.sin_cos();
        let place = |[x, y]: &[f64; 2]| {
            [self.at[0] + offset[0] + cos * x - sin * y, self.at[1] + offset[1] + sin * x + cos * y]
        };
        points.iter().map(place).collect()
    }
}

fn diamond() -> Vec<[f64; 2]> {
    vec![[0.0, -8.0], [8.0, 0.0], [0.0, 8.0], [-8.0, 0.0]]
}

/// The corners of a shape at an offset; round ones get enough to look round.
#[must_use]
pub fn outlines(shape: &Shape, offset: [f64; 2]) -> Vec<[f64; 2]> {
    let arc = |center_y: f64, radius: f64, from: i32, to: i32| {
        (from..=to).map(move |i| {
            let angle = f64::from(i) * std::f64::consts::TAU / 32.0;
            [radius * angle.cos(), center_y + radius * angle.sin()]
        })
    };
    let mut corners = match shape {
        Shape::Box([w, h]) => {
            let (x, y) = (w / 2.0, h / 2.0);
            vec![[-x, -y], [x, -y], [x, y], [-x, y]]
        }
        Shape::Circle(radius) => arc(0.0, *radius, 0, 31).collect(),
        Shape::Capsule { radius, height } => {
            let middle = (height / 2.0 - radius).max(0.0);
            arc(middle, *radius, 0, 16).chain(arc(-middle, *radius, 16, 32)).collect()
        }
        Shape::Polygon(points) => points.clone(),
    };
    corners.iter_mut().for_each(|[x, y]| (*x, *y) = (*x + offset[0], *y + offset[1]));
    corners
}

/// The corners of a tile's solid part in its cell, flips applied, stretched from the tileset's tile to the cell.
fn tile_outline(tileset: &Tileset, tile: Tile, cell_px: [f64; 2]) -> Option<Vec<[f64; 2]>> {
    let size = tileset.tile_size.map(|px| f64::from(px.max(1)));
    let points = match &tileset.tiles.get(&tile.id()?)?.shape {
        TileShape::None => return None,
        TileShape::Full => vec![[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]],
        TileShape::Polygon(points) => points.clone(),
    };
    let flip = |[x, y]: [f64; 2]| {
        let [x, y] = if tile.flip_d() { [y, x] } else { [x, y] };
        let x = if tile.flip_h() { size[0] - x } else { x };
        let y = if tile.flip_v() { size[1] - y } else { y };
        [x / size[0] * cell_px[0], y / size[1] * cell_px[1]]
    };
    Some(points.into_iter().map(flip).collect())
}
