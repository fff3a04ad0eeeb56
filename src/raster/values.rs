//! How values look: each as a tile of one pixel in its color, half transparent. So they are drawn by what draws tiles.

use super::Image;
use crate::model::{TileDef, Tileset, ValueLayer, parse_color, reflect::Reflect as _};

/// How much of a value's color covers what is below.
const OPACITY: f64 = 0.5;

/// Pixels in a row of the sheet.
const COLUMNS: u32 = 256;

/// The named values of a layer as tiles of the same numbers, and the sheet they are on. A value without a name is shown
/// as an unknown tile is.
#[must_use]
pub fn value_tiles(layer: &ValueLayer) -> (Tileset, Image) {
    let n = u32::try_from(layer.names.len()).unwrap_or(u32::MAX).max(1);
    let mut sheet = Image::solid(n.min(COLUMNS), n.div_ceil(COLUMNS), [0; 4]);
    let mut tileset = Tileset { tile_size: [1, 1], ..Tileset::default() };
    for ((id, value), i) in layer.names.iter().zip(0..) {
        let at = [i % COLUMNS, i / COLUMNS];
        let [r, g, b, a] = parse_color(&value.color).unwrap_or([255; 4]);
        if let Some(pixel) = sheet.run_mut(at[0], at[1], 1) {
            pixel.copy_from_slice(&[r, g, b, super::image::to_byte(f64::from(a) * OPACITY)]);
        }
        tileset.tiles.insert(*id, TileDef { at, name: value.name.clone(), ..TileDef::blank() });
    }
    (tileset, sheet)
}
