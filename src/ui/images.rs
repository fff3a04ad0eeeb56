//! The project's pictures on the graphics card, uploaded once each.
//!
//! Invariant: a texture belongs to one decoded image by identity; a reloaded image is another and gets its own.

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use egui::{ColorImage, Context, TextureFilter, TextureHandle, TextureOptions, TextureWrapMode};

use super::Theme;
use crate::{editor::Images, raster::Image};

/// Whole images on the graphics card.
#[derive(Default)]
pub struct Textures {
    uploaded: RefCell<BTreeMap<String, (Arc<Image>, TextureHandle)>>,
    /// The checkerboard of a theme, dark or light.
    checkerboard: RefCell<Option<(bool, TextureHandle)>>,
}

impl Textures {
    /// The texture of an image, uploaded when first asked for.
    pub fn get(&self, ctx: &Context, images: &Images, path: &str) -> Option<TextureHandle> {
        Some(self.of_image(ctx, path, images.get(path)?))
    }

    /// The texture of an image that may be none of the project's; `name` is its own. A larger one than the graphics card takes is
    /// drawn with fewer pixels.
    pub fn of_image(&self, ctx: &Context, name: &str, image: &Arc<Image>) -> TextureHandle {
        let mut uploaded = self.uploaded.borrow_mut();
        if let Some((known, texture)) = uploaded.get(name)
            && Arc::ptr_eq(known, image)
        {
            return texture.clone();
        }
        let most = u32::try_from(ctx.input(|input| input.max_texture_side)).unwrap_or(u32::MAX).max(1);
        let texture = ctx.load_texture(name, pixels(image, most), TextureOptions::NEAREST);
        uploaded.insert(name.to_owned(), (image.clone(), texture.clone()));
        texture
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

/// The pixels of an image, every second, third, … one where it is wider or higher than `most`.
fn pixels(image: &Image, most: u32) -> ColorImage {
    let [width, height] = image.size();
    let step = width.max(height).div_ceil(most).max(1);
    let size = [width, height].map(|side| side.div_ceil(step) as usize);
    if step == 1 {
        return ColorImage::from_rgba_unmultiplied(size, image.rgba());
    }
    let places =
        (0..height).step_by(step as usize).flat_map(|y| (0..width).step_by(step as usize).map(move |x| (x, y)));
    let bytes: Vec<u8> = places.flat_map(|(x, y)| image.pixel(x, y)).collect();
    ColorImage::from_rgba_unmultiplied(size, &bytes)
}
