//! The project's pictures on the graphics card, uploaded once each.
//!
//! Invariant: a texture belongs to one decoded image by identity; a reloaded image is another and gets its own.

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use egui::{
    Color32, ColorImage, Context, Painter, Rect, TextureFilter, TextureHandle, TextureOptions, TextureWrapMode, pos2,
    vec2,
};

use super::Theme;
use crate::{editor::Images, raster::Image};

/// Images on the graphics card.
#[derive(Default)]
pub struct Textures {
    uploaded: RefCell<BTreeMap<String, Uploaded>>,
    /// The checkerboard of a theme, dark or light.
    checkerboard: RefCell<Option<(bool, TextureHandle)>>,
}

/// Left, top, width and height of a part of an image, in pixels.
type Part = [u32; 4];

struct Uploaded {
    image: Arc<Image>,
    parts: BTreeMap<Part, TextureHandle>,
}

impl Textures {
    /// A texture that has a part of an image, uploaded when first asked for, and where it is there. `name` is the
    /// image's own. Of an image that is larger than the graphics card takes the part has a texture of its own; one that
    /// is still larger is drawn with fewer pixels.
    pub fn part(&self, ctx: &Context, name: &str, image: &Arc<Image>, part: Part) -> (TextureHandle, Rect) {
        let [width, height] = image.size();
        let most = most(ctx);
        let kept = if width.max(height) <= most { [0, 0, width, height] } else { part };
        let mut uploaded = self.uploaded.borrow_mut();
        let known = uploaded
            .entry(name.to_owned())
            .and_modify(|known| {
                if !Arc::ptr_eq(&known.image, image) {
                    *known = Uploaded { image: image.clone(), parts: BTreeMap::new() };
                }
            })
            .or_insert_with(|| Uploaded { image: image.clone(), parts: BTreeMap::new() });
        let load = || ctx.load_texture(name, pixels(image, kept, most), TextureOptions::NEAREST);
        let texture = known.parts.entry(kept).or_insert_with(load).clone();
        let at = |i: usize, px: u32| (px - kept[i]) as f32 / kept[i + 2].max(1) as f32;
        let corner = |x: u32, y: u32| pos2(at(0, x), at(1, y));
        let [x, y, w, h] = part;
        (texture, Rect::from_min_max(corner(x, y), corner(x.saturating_add(w), y.saturating_add(h))))
    }

    /// The texture of a whole image.
    pub fn of_image(&self, ctx: &Context, name: &str, image: &Arc<Image>) -> TextureHandle {
        let [width, height] = image.size();
        self.part(ctx, name, image, [0, 0, width, height]).0
    }

    /// The texture of a whole image of the project.
    pub fn get(&self, ctx: &Context, images: &Images, path: &str) -> Option<TextureHandle> {
        Some(self.of_image(ctx, path, images.get(path)?))
    }

    /// Paint a part of an image of the project. Returns whether it is there.
    pub fn paint(
        &self,
        painter: &Painter,
        (images, path): (&Images, &str),
        part: Part,
        (rect, tint): (Rect, Color32),
    ) -> bool {
        let Some(image) = images.get(path) else { return false };
        let (texture, uv) = self.part(painter.ctx(), path, image, part);
        painter.image(texture.id(), rect, uv, tint);
        true
    }

    /// Paint what is in sight of a whole image, with all of its pixels.
    pub fn paint_whole(&self, painter: &Painter, name: &str, image: &Arc<Image>, rect: Rect) {
        let [width, height] = image.size();
        let most = most(painter.ctx());
        let scale = rect.size() / vec2(width as f32, height as f32);
        let blocks = |side: u32| (0..side.div_ceil(most)).map(move |i| (i * most, most.min(side - i * most)));
        for (y, h) in blocks(height) {
            for (x, w) in blocks(width) {
                let corner = rect.min + vec2(x as f32, y as f32) * scale;
                let at = Rect::from_min_size(corner, vec2(w as f32, h as f32) * scale);
                if at.intersects(painter.clip_rect()) {
                    let (texture, uv) = self.part(painter.ctx(), name, image, [x, y, w, h]);
                    painter.image(texture.id(), at, uv, Color32::WHITE);
                }
            }
        }
    }

    /// Two by two squares, repeated on and on.
    pub fn checkerboard(&self, ctx: &Context, theme: &Theme) -> TextureHandle {
        let mut kept = self.checkerboard.borrow_mut();
        if let Some((is_dark, texture)) = &*kept
            && *is_dark == theme.is_dark
        {
            return texture.clone();
        }
        let [a, b] = theme.checkerboard;
        let options = TextureOptions {
            magnification: TextureFilter::Nearest,
            minification: TextureFilter::Nearest,
            wrap_mode: TextureWrapMode::Repeat,
            mipmap_mode: None,
        };
        let texture = ctx.load_texture("checkerboard", ColorImage::new([2, 2], vec![a, b, b, a]), options);
        *kept = Some((theme.is_dark, texture.clone()));
        texture
    }
}

/// The longest side that a texture may have, in pixels.
fn most(ctx: &Context) -> u32 {
    u32::try_from(ctx.input(|input| input.max_texture_side)).unwrap_or(u32::MAX).max(1)
}

/// The pixels of a part of an image, every second, third, … one where it is wider or higher than `most`.
fn pixels(image: &Image, [left, top, width, height]: Part, most: u32) -> ColorImage {
    let step = width.max(height).div_ceil(most).max(1);
    let size = [width, height].map(|side| side.div_ceil(step) as usize);
    if step == 1 && image.size() == [width, height] {
        return ColorImage::from_rgba_unmultiplied(size, image.rgba());
    }
    let along = |from: u32, side: u32| (from..from.saturating_add(side)).step_by(step as usize);
    let places = along(top, height).flat_map(|y| along(left, width).map(move |x| (x, y)));
    let bytes: Vec<u8> = places.flat_map(|(x, y)| image.pixel(x, y)).collect();
    ColorImage::from_rgba_unmultiplied(size, &bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_an_image_larger_than_a_texture_has_all_of_its_pixels() {
        let ctx = Context::default();
        let most = most(&ctx);
        let textures = Textures::default();
        let large = Arc::new(Image::filled(3 * most, 4, [1, 2, 3, 255]).unwrap());
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        let (texture, uv) = textures.part(&ctx, "large", &large, [2 * most + 1, 1, 16, 3]);
        assert_eq!((texture.size(), uv), ([16, 3], whole));
        let (again, _) = textures.part(&ctx, "large", &large, [2 * most + 1, 1, 16, 3]);
        assert_eq!(again.id(), texture.id(), "it is uploaded once");
        let small = Arc::new(Image::filled(8, 4, [1, 2, 3, 255]).unwrap());
        let (texture, uv) = textures.part(&ctx, "small", &small, [2, 1, 4, 2]);
        assert_eq!((texture.size(), uv), ([8, 4], Rect::from_min_max(pos2(0.25, 0.25), pos2(0.75, 0.75))));
        assert_eq!(textures.of_image(&ctx, "small", &small).id(), texture.id());
        let other = Arc::new(Image::filled(8, 4, [9, 9, 9, 255]).unwrap());
        assert_ne!(textures.of_image(&ctx, "small", &other).id(), texture.id(), "another image of its name");
    }
}
