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
        let image = images.get(path)?;
        let mut uploaded = self.uploaded.borrow_mut();
        if let Some((known, texture)) = uploaded.get(path)
            && Arc::ptr_eq(known, image)
        {
            return Some(texture.clone());
        }
        let size = [image.width() as usize, image.height() as usize];
        let pixels = ColorImage::from_rgba_unmultiplied(size, image.rgba());
        let texture = ctx.load_texture(path, pixels, TextureOptions::NEAREST);
        uploaded.insert(path.to_owned(), (image.clone(), texture.clone()));
        Some(texture)
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
