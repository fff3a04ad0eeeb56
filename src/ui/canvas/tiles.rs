//! Painting tile and image layers: which pages or which part of a layer are seen, and where. How the graphics card
//! draws them is `tiles_gpu`.

use std::sync::Arc;

use eframe::{egui_wgpu::Callback, wgpu::TextureFormat};
use egui::{Painter, Rect, Vec2};

use super::{paint::Viewport, tiles_gpu::TileGpu};
use crate::{
    model::{Blend, Cell, DocPath, Document, LayerLook, Tiles, Tileset},
    raster::{Mip, PageKind, Pyramid, TileAtlas},
};

/// The most pages of a layer that are drawn at once: more than the largest screens show.
pub const MAX_PAGES: usize = 768;

/// A tile layer as it is seen, for the graphics card to draw.
pub struct TilesPaint {
    /// What it is drawn on.
    pub format: TextureFormat,
    /// The level's path and document.
    pub level: (DocPath, Arc<Document>),
    /// Which of its layers.
    pub layer: usize,
    /// The document of the tileset.
    pub tileset: Arc<Document>,
    /// Its pictures.
    pub atlas: Arc<TileAtlas>,
    /// Time of the animations.
    pub secs: f64,
    /// Multiplied with every color: tint and opacity, alpha multiplied in.
    pub tint: [f32; 4],
    /// How its colors are put over those behind it.
    pub blend: Blend,
    /// Where it is seen.
    pub place: Place,
    /// For asking for another frame while something is missing.
    pub ctx: egui::Context,
}

/// An image layer as it is seen, for the graphics card to draw.
pub struct PicturePaint {
    /// What it is drawn on.
    pub format: TextureFormat,
    /// The picture.
    pub pyramid: Arc<Pyramid>,
    /// Whether it is repeated in x, and in y.
    pub repeat: [bool; 2],
    /// Multiplied with every color: tint and opacity, alpha multiplied in.
    pub tint: [f32; 4],
    /// How its colors are put over those behind it.
    pub blend: Blend,
    /// Where it is seen; the picture is the cell.
    pub place: Place,
    /// For knowing the frame it is drawn in.
    pub ctx: egui::Context,
}

impl PicturePaint {
    /// Left, top, right and bottom of what is covered, and the left top of a picture near it; `None` where none of it
    /// is seen.
    #[must_use]
    pub fn covered(&self) -> Option<([f32; 4], [f32; 2])> {
        let (place, [left, top, right, bottom]) = (&self.place, self.place.seen);
        let seen = [[left, right], [top, bottom]];
        let along = |i: usize| {
            let (origin, side) = (place.origin[i], place.cell[i]);
            if self.repeat[i] {
                // The one at the edge of what is seen: single precision is fine there, however far the first is.
                (seen[i], origin + ((seen[i][0] - origin) / side).floor() * side)
            } else {
                ([origin.max(seen[i][0]), (origin + side).min(seen[i][1])], origin)
            }
        };
        let ([x0, x1], x) = along(0);
        let ([y0, y1], y) = along(1);
        #[expect(clippy::cast_possible_truncation, reason = "the screen draws in single precision")]
        (x0 < x1 && y0 < y1).then(|| ([x0, y0, x1, y1].map(|at| at as f32), [x as f32, y as f32]))
    }

    /// By what power of two the picture is made smaller, and along how many places of a pixel it is looked up.
    #[must_use]
    pub fn mip(&self) -> (u32, u32) {
        let ratio = f64::from(self.pyramid.size()[0]) / self.place.cell[0];
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number; `as` saturates")]
        let level = ratio.log2().floor().clamp(0.0, 15.0) as u32;
        (level, if ratio > 1.0 { 2 } else { 1 })
    }

    /// Draw it.
    pub fn paint(self, painter: &Painter) {
        let clip = painter.clip_rect();
        if clip.is_positive() {
            painter.add(Callback::new_paint_callback(clip, TileGpu::picture(self)));
        }
    }
}

/// Where a layer is on the screen, in its pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Left top of cell 0, 0.
    pub origin: [f64; 2],
    /// Width and height of a cell.
    pub cell: [f64; 2],
    /// Left, top, right and bottom of what is seen.
    pub seen: [f64; 4],
}

impl Place {
    /// The place of a layer in a viewport, parallax and offset applied.
    #[must_use]
    pub fn of(viewport: &Viewport, look: &LayerLook, cell: [u32; 2], clip: Rect, pixels_per_point: f32) -> Self {
        let viewport = viewport.for_layer(look);
        let pixels = f64::from(pixels_per_point);
        let scale = f64::from(viewport.camera.scale) * pixels;
        let middle = viewport.view.center().to_vec2();
        let center = viewport.camera.center;
        let origin = |middle: f32, center: f32| f64::from(middle) * pixels - f64::from(center) * scale;
        let [w, h] = cell.map(f64::from);
        let seen = [clip.left(), clip.top(), clip.right(), clip.bottom()].map(|at| f64::from(at) * pixels);
        // Tiles are as sharp as their pictures when these begin on a pixel of the screen.
        let origin = [origin(middle.x, center.x), origin(middle.y, center.y)].map(f64::round);
        Self { origin, cell: [w * scale, h * scale], seen }
    }

    /// The kind of pages to draw.
    #[must_use]
    pub fn kind(&self) -> PageKind {
        PageKind::for_cell_px(self.cell[0].min(self.cell[1]))
    }

    /// The columns and rows of pages that are seen, first and last.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates, and pages far outside do not exist")]
    pub fn pages(&self, kind: PageKind) -> [Cell; 2] {
        let [left, top, right, bottom] = self.seen;
        let page = |at: f64, axis: usize| {
            ((at - self.origin[axis]) / self.cell[axis] / kind.page_cells() as f64).floor() as i32
        };
        [[page(left, 0), page(top, 1)], [page(right, 0), page(bottom, 1)]]
    }

    /// Left, top, right and bottom of a page. Neighbors have the very same numbers at the edge they share.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "the screen draws in single precision")]
    pub fn page_rect(&self, kind: PageKind, at: Cell) -> [f32; 4] {
        let edge = |at: i32, axis: usize| {
            (self.origin[axis] + f64::from(at) * kind.page_cells() as f64 * self.cell[axis]) as f32
        };
        [edge(at[0], 0), edge(at[1], 1), edge(at[0].saturating_add(1), 0), edge(at[1].saturating_add(1), 1)]
    }

    /// The size of pictures to draw tiles with, and along how many places of a pixel they are looked up.
    #[must_use]
    pub fn mip(&self, atlas: &TileAtlas) -> (Mip, u32) {
        let mips = atlas.mips();
        let width = mips.first().map_or(1, |mip| mip.cell_px[0]);
        let ratio = f64::from(width) / self.cell[0];
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number; `as` saturates")]
        let level = ratio.log2().floor().max(0.0) as usize;
        let mip = mips.get(level.min(mips.len() - 1)).copied().unwrap_or(Mip { cell_px: [1, 1], start: 0 });
        (mip, if ratio > 1.0 { 2 } else { 1 })
    }
}

impl TilesPaint {
    /// The layer's cells, if it has some.
    #[must_use]
    pub fn tiles(&self) -> Option<&Tiles> {
        let Document::Level(level) = &*self.level.1 else { return None };
        Some(level.nth_layer(self.layer)?.cells()?.tiles)
    }

    /// The tileset.
    #[must_use]
    pub fn tileset(&self) -> Option<&Tileset> {
        if let Document::Tileset(tileset) = &*self.tileset { Some(tileset) } else { None }
    }

    /// Draw it.
    pub fn paint(self, painter: &Painter) {
        let clip = painter.clip_rect();
        if clip.size().min_elem() > 0.0 && clip.size() != Vec2::ZERO {
            painter.add(Callback::new_paint_callback(clip, TileGpu::callback(self)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(cell: f64, origin: f64) -> Place {
        Place { origin: [origin; 2], cell: [cell; 2], seen: [0.0, 0.0, 1000.0, 700.0] }
    }

    #[test]
    fn as_many_pages_are_drawn_as_the_screen_shows_however_far_out() {
        for power in -9..=6 {
            let place = place(2.0_f64.powi(power), -100.0);
            let [[x0, y0], [x1, y1]] = place.pages(place.kind());
            let n_pages = (x1 - x0 + 1) * (y1 - y0 + 1);
            assert!((1..=54).contains(&n_pages), "{n_pages} pages at 2^{power} pixels a cell");
        }
    }

    #[test]
    fn pages_share_their_edges_to_the_last_bit() {
        let place = Place { cell: [16.37, 9.13], ..place(1.0, -123.0) };
        let kind = place.kind();
        let [left, right] = [[3, 2], [4, 2]].map(|at| place.page_rect(kind, at));
        assert_eq!(left[2].to_bits(), right[0].to_bits());
    }
}
