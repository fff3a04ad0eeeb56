//! The project's pictures on the graphics card, uploaded once each.
//!
//! Invariant: a texture belongs to one decoded image by identity; a reloaded image is another and gets its own.

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use crate::{editor::Images, raster::Image};

/// Whole images on the graphics card.
#[derive(Default)]
pub struct Textures {
    uploaded: RefCell<BTreeMap<String, (Arc<Image>, TextureHandle)>>,
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
}
