//! The picture of a stamp: its layers over each other, as small as is asked for.

use std::collections::HashMap;

use super::{Image, tile_pixels};
use crate::model::{Blend, Tile, Tiles, Tileset};

/// A layer of a stamp with what its tiles look like.
#[derive(Clone, Copy)]
pub struct StampSheet<'a> {
    /// The tiles, from the left top.
    pub tiles: &'a Tiles,
    /// Their tileset.
    pub tileset: &'a Tileset,
    /// Its picture.
    pub sheet: &'a Image,
}

/// The picture of layers of so many columns and rows, no side of it longer than `most` pixels. Where that makes it
/// smaller, pixels are left out.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "no side is longer than `most`")]
pub fn stamp_picture(layers: &[StampSheet<'_>], size: [u32; 2], most: u32) -> Image {
    let sides = layers.iter().map(|layer| layer.tileset.tile_size);
    let cell = sides.fold([1, 1], |a, b| [0, 1].map(|i: usize| a[i].max(b[i])));
    let whole = [0, 1].map(|i| f64::from(size[i].max(1)) * f64::from(cell[i]));
    let scale = (f64::from(most.max(1)) / whole[0].max(whole[1])).min(1.0);
    let out_size = whole.map(|side| (side * scale).round().max(1.0) as u32);
    let mut out = Image::solid(out_size[0], out_size[1], [0; 4]);
    for layer in layers {
        let mut known: HashMap<Tile, Image> = HashMap::new();
        for (x, y) in (0..out_size[1]).flat_map(|y| (0..out_size[0]).map(move |x| (x, y))) {
            let at = [0, 1].map(|i| (f64::from([x, y][i]) + 0.5) / scale / f64::from(cell[i]));
            let tile = layer.tiles.get(at.map(|at| at.floor() as i32));
            if tile.is_empty() {
                continue;
            }
            let picture = known.entry(tile).or_insert_with(|| tile_pixels(tile, layer.tileset, layer.sheet, 0.0));
            let inside = [0, 1].map(|i| (at[i].fract() * f64::from(picture.size()[i])) as u32);
            out.blend(x, y, picture.pixel(inside[0], inside[1]), 1.0, Blend::Normal);
        }
    }
    out
}
