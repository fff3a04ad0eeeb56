//! Pictures of tile chunks on the graphics card, made when first seen.
//!
//! Invariant: a picture belongs to exactly one chunk, tileset and sheet by identity, one level of detail and one moment of
//! its animations; what is not shown for a while is let go.

use std::{cell::RefCell, collections::HashMap, sync::Arc};

use egui::{ColorImage, Context, TextureHandle, TextureId, TextureOptions};

use crate::{
    model::{Chunk, Document, Tileset},
    raster::{Image, Lod, animation_stamp, chunk_pixels},
};

/// Frames a picture is kept after it was last shown.
const KEEP_FRAMES: u64 = 240;
/// Pictures made in one frame; the rest wait for the next, so that no frame takes long.
const MAX_BAKES: u32 = 6;

/// Identity of all inputs of a picture. Addresses are compared, never followed; `Picture` keeps them alive.
type Key = (usize, usize, usize, Lod);

struct Picture {
    _alive: (Arc<Chunk>, Arc<Document>, Arc<Image>),
    stamp: u64,
    texture: TextureHandle,
    shown: u64,
}

/// The cache.
#[derive(Default)]
pub struct Chunks {
    pictures: RefCell<HashMap<Key, Picture>>,
    baked: RefCell<(u64, u32)>,
}

/// The inputs of a chunk's picture.
pub struct Recipe<'a> {
    /// The tiles.
    pub chunk: &'a Arc<Chunk>,
    /// The document of the tileset, for its identity.
    pub doc: &'a Arc<Document>,
    /// The tileset in it.
    pub tileset: &'a Tileset,
    /// Its image.
    pub sheet: &'a Arc<Image>,
    /// How fine.
    pub lod: Lod,
    /// Time of the animations.
    pub secs: f64,
}

impl Chunks {
    /// The chunk's picture; an older one, or none, while too many others are being made.
    pub fn texture(&self, ctx: &Context, recipe: &Recipe<'_>) -> Option<TextureId> {
        let frame = ctx.cumulative_frame_nr();
        let key = (
            Arc::as_ptr(recipe.chunk) as usize,
            Arc::as_ptr(recipe.doc) as usize,
            Arc::as_ptr(recipe.sheet) as usize,
            recipe.lod,
        );
        // Far out nothing is seen to move.
        let secs = if recipe.lod == Lod::Full { recipe.secs } else { 0.0 };
        let stamp = animation_stamp(recipe.chunk, recipe.tileset, secs);
        let mut pictures = self.pictures.borrow_mut();
        let known = pictures.get_mut(&key);
        if let Some(picture) = known {
            picture.shown = frame;
            if picture.stamp == stamp || !self.may_bake(frame) {
                return Some(picture.texture.id());
            }
            picture.texture.set(bake(recipe, secs), options(recipe.lod));
            picture.stamp = stamp;
            return Some(picture.texture.id());
        }
        if !self.may_bake(frame) {
            ctx.request_repaint();
            return None;
        }
        let texture = ctx.load_texture("chunk", bake(recipe, secs), options(recipe.lod));
        let id = texture.id();
        let alive = (recipe.chunk.clone(), recipe.doc.clone(), recipe.sheet.clone());
        pictures.insert(key, Picture { _alive: alive, stamp, texture, shown: frame });
        Some(id)
    }

    /// Let go of what has not been shown for a while. Call once a frame.
    pub fn sweep(&self, ctx: &Context) {
        let frame = ctx.cumulative_frame_nr();
        if frame.is_multiple_of(60) {
            self.pictures.borrow_mut().retain(|_, picture| picture.shown + KEEP_FRAMES > frame);
        }
    }

    fn may_bake(&self, frame: u64) -> bool {
        let mut baked = self.baked.borrow_mut();
        if baked.0 != frame {
            *baked = (frame, 0);
        }
        baked.1 += 1;
        baked.1 <= MAX_BAKES
    }
}

fn bake(recipe: &Recipe<'_>, secs: f64) -> ColorImage {
    let image = chunk_pixels(recipe.chunk, recipe.tileset, recipe.sheet, recipe.lod, secs);
    let size = [image.width() as usize, image.height() as usize];
    ColorImage::from_rgba_unmultiplied(size, image.rgba())
}

fn options(lod: Lod) -> TextureOptions {
    if lod == Lod::Full { TextureOptions::NEAREST } else { TextureOptions::LINEAR }
}
