//! A tileset's pictures as a graphics card reads them: one after the other, each at its own size and at every half of
//! it, down to a single pixel. A tile's picture is found by its slot, so tiles never bleed into each other, however
//! small they are drawn.
//!
//! Invariant: slot 0 is the picture of a tile that has none; the others are the tileset's tiles in its order.

use std::collections::HashMap;

use super::{
    Image,
    pyramid::multiplied,
    tiles::{MAX_TILE_PX, MISSING, shown_tile},
};
use crate::model::{Tile, Tileset};

/// Ids below this find their slot in a table.
const N_DENSE: u32 = 1 << 16;

/// The pictures at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mip {
    /// Width and height of a tile, in pixels.
    pub cell_px: [u32; 2],
    /// Where the first one starts in [`TileAtlas::pixels`].
    pub start: u32,
}

/// What the pictures of an atlas are made of, without the sheet: equal for two versions of a tileset that look the
/// same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AtlasKey {
    tile_px: [u32; 2],
    /// Ids with the left and top of their pictures in the sheet.
    tiles: Vec<(u32, [u32; 2])>,
}

/// The pictures of a tileset.
#[derive(Clone, Debug, Default)]
pub struct TileAtlas {
    key: AtlasKey,
    dense: Vec<u32>,
    sparse: HashMap<u32, u32>,
    mips: Vec<Mip>,
    pixels: Vec<[u8; 4]>,
}

impl AtlasKey {
    /// The key of a tileset.
    #[must_use]
    pub fn of(tileset: &Tileset) -> Self {
        let tile_px = tileset.tile_size.map(|side| side.clamp(1, MAX_TILE_PX));
        Self { tile_px, tiles: tileset.tiles.iter().map(|(id, tile)| (*id, tileset.source_px(tile))).collect() }
    }
}

impl TileAtlas {
    /// The pictures of a tileset in its sheet.
    #[must_use]
    pub fn new(tileset: &Tileset, sheet: &Image) -> Self {
        let key = AtlasKey::of(tileset);
        let slots = || key.tiles.iter().map(|(id, _)| *id).zip(1_u32..);
        let n_dense = key.tiles.iter().map(|(id, _)| id + 1).filter(|n| *n <= N_DENSE).max().unwrap_or(0);
        let mut dense = vec![0; n_dense as usize];
        let mut sparse = HashMap::new();
        for (id, slot) in slots() {
            match dense.get_mut(id as usize) {
                Some(known) => *known = slot,
                None => drop(sparse.insert(id, slot)),
            }
        }
        let (mut mips, mut pixels) = (Vec::new(), Vec::new());
        let [tw, th] = key.tile_px;
        for level in 0.. {
            let cell_px = [(tw >> level).max(1), (th >> level).max(1)];
            mips.push(Mip { cell_px, start: u32::try_from(pixels.len()).unwrap_or(u32::MAX) });
            let corners = std::iter::once(None).chain(key.tiles.iter().map(|(_, corner)| Some(*corner)));
            for corner in corners {
                put(&mut pixels, sheet, corner, key.tile_px, cell_px);
            }
            if cell_px == [1, 1] {
                break;
            }
        }
        Self { key, dense, sparse, mips, pixels }
    }

    /// What it was made of.
    #[must_use]
    pub fn key(&self) -> &AtlasKey {
        &self.key
    }

    /// The sizes of its pictures, largest first; the last is one pixel a tile.
    #[must_use]
    pub fn mips(&self) -> &[Mip] {
        &self.mips
    }

    /// All pixels, with alpha multiplied in: for each size, for each slot, row by row.
    #[must_use]
    pub fn pixels(&self) -> &[[u8; 4]] {
        &self.pixels
    }

    /// A cell as a page holds it: 0 where nothing is, else the tile's slot as the id of a [`Tile`] with the same flips.
    #[must_use]
    pub fn texel(&self, tile: Tile) -> u32 {
        tile.id().map_or(0, |id| tile.with_id(self.slot(id)).bits())
    }

    /// The mean color of a tile, with alpha multiplied in; nothing where no tile is.
    #[must_use]
    pub fn mean(&self, tile: Tile) -> [u8; 4] {
        let mean = || self.pixels.get((self.mips.last()?.start + self.slot(tile.id()?)) as usize).copied();
        mean().unwrap_or_default()
    }

    /// For each slot, the slot of the picture that is shown at a time: its own, or that of a frame of its animation.
    #[must_use]
    pub fn shown(&self, tileset: &Tileset, secs: f64) -> Vec<u32> {
        let shown = |id: u32| self.slot(shown_tile(tileset, id, secs));
        std::iter::once(0).chain(self.key.tiles.iter().map(|(id, _)| shown(*id))).collect()
    }

    fn slot(&self, id: u32) -> u32 {
        self.dense.get(id as usize).or_else(|| self.sparse.get(&id)).copied().unwrap_or(0)
    }
}

/// Add the picture of a tile at one size.
fn put(pixels: &mut Vec<[u8; 4]>, sheet: &Image, corner: Option<[u32; 2]>, [tw, th]: [u32; 2], [cw, ch]: [u32; 2]) {
    let inside = corner.filter(|[x, y]| {
        x.checked_add(tw).is_some_and(|right| right <= sheet.width())
            && y.checked_add(th).is_some_and(|bottom| bottom <= sheet.height())
    });
    let Some([x, y]) = inside else {
        pixels.resize(pixels.len() + (cw * ch) as usize, MISSING);
        return;
    };
    for v in 0..ch {
        if [cw, ch] == [tw, th] {
            let row = sheet.run(x, y + v, tw).unwrap_or_default();
            pixels.extend(row.as_chunks::<4>().0.iter().map(|pixel| multiplied(*pixel)));
            continue;
        }
        let (top, bottom) = (v * th / ch, ((v + 1) * th / ch).max(v * th / ch + 1));
        for u in 0..cw {
            let (left, right) = (u * tw / cw, ((u + 1) * tw / cw).max(u * tw / cw + 1));
            pixels.push(multiplied(sheet.average(x + left, y + top, right - left, bottom - top)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{TileDef, TileFrame};

    /// Two tiles of 2×2 beside each other, gray and half transparent white, and one outside the sheet.
    fn tileset() -> (Tileset, Image) {
        let mut sheet = Image::solid(4, 2, [128, 128, 128, 255]);
        for (x, y) in [(2, 0), (3, 0), (2, 1), (3, 1)] {
            sheet.run_mut(x, y, 1).unwrap().copy_from_slice(&[255, 255, 255, 128]);
        }
        let mut tileset = Tileset { tile_size: [2, 2], ..Tileset::default() };
        for (id, at) in [(7, [0, 0]), (100_000, [1, 0]), (3, [9, 9])] {
            tileset.tiles.insert(id, TileDef { at, ..TileDef::default() });
        }
        (tileset, sheet)
    }

    #[test]
    fn every_tile_has_a_slot_and_its_pictures_at_every_size() {
        let (tileset, sheet) = tileset();
        let atlas = TileAtlas::new(&tileset, &sheet);
        let texels = [Tile::EMPTY, Tile::id_only(7), Tile::new(100_000, true, false, true), Tile::id_only(55)];
        let slots = [0, Tile::id_only(1).bits(), Tile::new(2, true, false, true).bits(), Tile::id_only(0).bits()];
        assert_eq!(texels.map(|tile| atlas.texel(tile)), slots);
        assert_eq!(atlas.mips(), [Mip { cell_px: [2, 2], start: 0 }, Mip { cell_px: [1, 1], start: 16 }]);
        assert_eq!(atlas.pixels().len(), 20);
        assert_eq!(atlas.pixels()[4], [128, 128, 128, 255]);
        assert_eq!(atlas.pixels()[8], [128, 128, 128, 128], "alpha is multiplied in");
        assert_eq!(atlas.pixels()[12..16], [MISSING; 4], "a tile outside the sheet");
        assert_eq!(atlas.mean(Tile::id_only(7)), [128, 128, 128, 255]);
        assert_eq!((atlas.mean(Tile::EMPTY), atlas.mean(Tile::id_only(55))), ([0; 4], MISSING));
    }

    #[test]
    fn animated_tiles_show_the_slot_of_their_frame() {
        let (mut tileset, sheet) = tileset();
        let frames = vec![TileFrame { tile: 7, secs: 0.5 }, TileFrame { tile: 100_000, secs: 0.5 }];
        tileset.tiles.insert(8, TileDef { frames, ..TileDef::default() });
        let atlas = TileAtlas::new(&tileset, &sheet);
        assert_eq!(atlas.shown(&tileset, 0.0), [0, 1, 2, 3, 1]);
        assert_eq!(atlas.shown(&tileset, 0.6), [0, 1, 2, 3, 2]);
    }
}
