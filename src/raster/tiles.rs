//! Tiles to pixels, a chunk at a time. One cell is as large as a tile of the sheet; stretching it to the level's cells
//! is done where the chunk is drawn. Parallax, offset and opacity belong to the layer and are applied there too.

use std::collections::BTreeMap;

use super::Image;
use crate::model::{Chunk, Tile, TileDef, Tileset};

/// How finely a chunk is drawn: the smaller, the further the canvas is zoomed out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Lod {
    /// Every pixel of the sheet.
    #[default]
    Full,
    /// A pixel for four by four.
    Quarter,
    /// A pixel for sixteen by sixteen.
    Sixteenth,
}

impl Lod {
    /// Pixels of the sheet, along one side, for one of the result.
    #[must_use]
    pub(super) fn divisor(self) -> u32 {
        match self {
            Self::Full => 1,
            Self::Quarter => 4,
            Self::Sixteenth => 16,
        }
    }

    /// The coarsest that still has a pixel for each of the screen's when sheet pixels are `scale` screen pixels large.
    #[must_use]
    pub(super) fn for_scale(scale: f64) -> Self {
        match scale {
            s if s <= 1.0 / 16.0 => Self::Sixteenth,
            s if s <= 1.0 / 4.0 => Self::Quarter,
            _ => Self::Full,
        }
    }

    /// Width and height of a cell in pixels; at least one.
    #[must_use]
    pub(super) fn cell_px(self, tileset: &Tileset) -> [u32; 2] {
        tileset.tile_size.map(|side| (side.min(MAX_TILE_PX) / self.divisor()).max(1))
    }
}

/// Tiles larger than this are cut off rather than fill the memory.
pub(super) const MAX_TILE_PX: u32 = 512;

/// Drawn where a tile has no picture, so that it is seen.
pub(super) const MISSING: [u8; 4] = [255, 0, 220, 255];

/// The tile whose picture is shown at a time: the tile itself, or a frame of its animation.
///
/// `secs` counts from when animations began; they all begin together, so equal tiles move as one.
pub(super) fn shown_tile(tileset: &Tileset, id: u32, secs: f64) -> u32 {
    let Some(tile) = tileset.tiles.get(&id) else { return id };
    let total: f64 = tile.frames.iter().map(|frame| frame.secs.max(0.0)).sum();
    if total <= 0.0 || !secs.is_finite() {
        return tile.frames.first().map_or(id, |frame| frame.tile);
    }
    let mut rest = secs.rem_euclid(total);
    for frame in &tile.frames {
        rest -= frame.secs.max(0.0);
        if rest < 0.0 {
            return frame.tile;
        }
    }
    tile.frames.last().map_or(id, |frame| frame.tile)
}

/// The picture of a chunk: 32 × 32 cells of [`Lod::cell_px`], straight alpha, nothing where no tile is.
///
/// A tile the tileset does not know, or whose place is outside the sheet, is drawn in a striking color.
#[must_use]
pub(super) fn chunk_pixels(chunk: &Chunk, tileset: &Tileset, sheet: &Image, lod: Lod, secs: f64) -> Image {
    let [cw, ch] = lod.cell_px(tileset);
    let mut out = Image::solid(cw * 32, ch * 32, [0; 4]);
    let mut known: BTreeMap<u32, Picture> = BTreeMap::new();
    for (row, tiles) in (0..).zip(chunk.rows()) {
        for (column, tile) in (0..).zip(tiles) {
            let Some(id) = tile.id() else { continue };
            let picture = known.entry(id).or_insert_with(|| picture(tileset, sheet, id, lod, secs));
            put(&mut out, [column * cw, row * ch], tile, [cw, ch], picture, sheet);
        }
    }
    out
}

/// One tile as a picture of its own, for palettes and cursors.
#[must_use]
pub fn tile_pixels(tile: Tile, tileset: &Tileset, sheet: &Image, secs: f64) -> Image {
    let size = Lod::Full.cell_px(tileset);
    let mut out = Image::solid(size[0], size[1], [0; 4]);
    if let Some(id) = tile.id() {
        put(&mut out, [0, 0], tile, size, &picture(tileset, sheet, id, Lod::Full, secs), sheet);
    }
    out
}

/// Where a tile's picture is in its sheet, as shares of the sheet's size, for the corners of the cell it is drawn in:
/// left top, right top, right bottom, left bottom. `None` for no tile, one the tileset does not know, or one outside
/// the sheet.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "shares of a picture need no more")]
pub fn tile_uv(tile: Tile, tileset: &Tileset, sheet: &Image) -> Option<[[f32; 2]; 4]> {
    let [x, y] = tileset.source_px(tileset.tiles.get(&tile.id()?)?).map(f64::from);
    let [tw, th] = tileset.tile_size.map(f64::from);
    let (w, h) = (f64::from(sheet.width()), f64::from(sheet.height()));
    if x + tw > w || y + th > h {
        return None;
    }
    let corner = |[cx, cy]: [f64; 2]| {
        let cx = if tile.flip_h() { 1.0 - cx } else { cx };
        let cy = if tile.flip_v() { 1.0 - cy } else { cy };
        let (cx, cy) = if tile.flip_d() { (cy, cx) } else { (cx, cy) };
        [((x + cx * tw) / w) as f32, ((y + cy * th) / h) as f32]
    };
    Some([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(corner))
}

/// Where a tile's pixels come from.
enum Picture {
    /// The sheet itself, from this corner.
    Sheet([u32; 2]),
    /// Reduced or made up.
    Own(Image),
}

fn picture(tileset: &Tileset, sheet: &Image, id: u32, lod: Lod, secs: f64) -> Picture {
    let [cw, ch] = lod.cell_px(tileset);
    let def: Option<&TileDef> = tileset.tiles.get(&shown_tile(tileset, id, secs));
    let corner = def.map(|def| tileset.source_px(def)).filter(|[x, y]| {
        let [tw, th] = tileset.tile_size;
        x.checked_add(tw).is_some_and(|right| right <= sheet.width())
            && y.checked_add(th).is_some_and(|bottom| bottom <= sheet.height())
    });
    let Some([x, y]) = corner else { return Picture::Own(Image::solid(cw, ch, MISSING)) };
    if lod == Lod::Full {
        return Picture::Sheet([x, y]);
    }
    let step = lod.divisor();
    let mut own = Image::solid(cw, ch, [0; 4]);
    for v in 0..ch {
        for u in 0..cw {
            // A tile smaller than the step is averaged whole.
            let (w, h) = (step.min(tileset.tile_size[0]), step.min(tileset.tile_size[1]));
            let color = sheet.average(x + u * step, y + v * step, w, h);
            if let Some(to) = own.run_mut(u, v, 1) {
                to.copy_from_slice(&color);
            }
        }
    }
    Picture::Own(own)
}

fn put(out: &mut Image, [x0, y0]: [u32; 2], tile: Tile, [cw, ch]: [u32; 2], picture: &Picture, sheet: &Image) {
    let (source, [sx, sy]) = match picture {
        Picture::Sheet(corner) => (sheet, *corner),
        Picture::Own(own) => (own, [0, 0]),
    };
    for v in 0..ch {
        let Some(to) = out.run_mut(x0, y0 + v, cw) else { return };
        if !tile.flip_d() {
            let row = if tile.flip_v() { ch - 1 - v } else { v };
            let Some(from) = source.run(sx, sy + row, cw) else { return };
            if tile.flip_h() {
                for (to, from) in to.chunks_exact_mut(4).zip(from.chunks_exact(4).rev()) {
                    to.copy_from_slice(from);
                }
            } else {
                to.copy_from_slice(from);
            }
            continue;
        }
        for (u, to) in (0..cw).zip(to.chunks_exact_mut(4)) {
            let [su, sv] = unflip(tile, [u, v], [cw, ch]);
            to.copy_from_slice(&source.pixel(sx + su, sy + sv));
        }
    }
}

/// The place in a tile's picture that is seen at a place of a cell. A picture that is not square is cut to its square
/// by a diagonal flip.
fn unflip(tile: Tile, [u, v]: [u32; 2], [w, h]: [u32; 2]) -> [u32; 2] {
    let u = if tile.flip_h() { w - 1 - u } else { u };
    let v = if tile.flip_v() { h - 1 - v } else { v };
    if tile.flip_d() { [v.min(w - 1), u.min(h - 1)] } else { [u, v] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Blend, TileFrame};

    /// Two tiles of 2×2 beside each other: `abcd` row by row, then gray.
    fn sheet() -> (Tileset, Image) {
        let mut sheet = Image::solid(4, 2, [128, 128, 128, 255]);
        for (x, y, red) in [(0, 0, 10), (1, 0, 20), (0, 1, 30), (1, 1, 40)] {
            sheet.blend(x, y, [red, 0, 0, 255], 1.0, Blend::Normal);
        }
        let mut tileset = Tileset { tile_size: [2, 2], ..Tileset::default() };
        tileset.tiles.insert(1, TileDef { at: [0, 0], ..TileDef::default() });
        tileset.tiles.insert(2, TileDef { at: [1, 0], ..TileDef::default() });
        (tileset, sheet)
    }

    fn reds(tile: Tile) -> [u8; 4] {
        let (tileset, sheet) = sheet();
        let out = tile_pixels(tile, &tileset, &sheet, 0.0);
        [out.pixel(0, 0)[0], out.pixel(1, 0)[0], out.pixel(0, 1)[0], out.pixel(1, 1)[0]]
    }

    #[test]
    fn flips_are_diagonal_first_then_horizontal_then_vertical() {
        let tile = |h, v, d| reds(Tile::new(1, h, v, d));
        assert_eq!(tile(false, false, false), [10, 20, 30, 40]);
        assert_eq!(tile(true, false, false), [20, 10, 40, 30]);
        assert_eq!(tile(false, true, false), [30, 40, 10, 20]);
        assert_eq!(tile(false, false, true), [10, 30, 20, 40], "x and y exchanged");
        assert_eq!(tile(true, false, true), [30, 10, 40, 20], "a quarter turn clockwise");
        assert_eq!(tile(true, true, false), [40, 30, 20, 10]);
    }

    #[test]
    fn a_chunk_holds_its_tiles_in_place_at_every_detail() {
        let (tileset, sheet) = sheet();
        let mut chunk = Chunk::default();
        chunk.set(33, Tile::id_only(1));
        chunk.set(2, Tile::id_only(9));
        let full = chunk_pixels(&chunk, &tileset, &sheet, Lod::Full, 0.0);
        assert_eq!((full.width(), full.height()), (64, 64));
        assert_eq!(full.pixel(3, 3), [40, 0, 0, 255]);
        assert_eq!(full.pixel(4, 0), MISSING, "an undeclared tile is visible");
        assert_eq!(full.pixel(0, 0), [0; 4]);
        let far = chunk_pixels(&chunk, &tileset, &sheet, Lod::Sixteenth, 0.0);
        assert_eq!((far.width(), far.height()), (32, 32));
        assert_eq!(far.pixel(1, 1), [25, 0, 0, 255]);
    }

    #[test]
    fn animations_loop() {
        let (mut tileset, _) = sheet();
        let frames = vec![TileFrame { tile: 1, secs: 0.2 }, TileFrame { tile: 2, secs: 0.3 }];
        tileset.tiles.insert(3, TileDef { frames, ..TileDef::default() });
        let at = |secs| shown_tile(&tileset, 3, secs);
        assert_eq!([at(0.0), at(0.19), at(0.21), at(0.49), at(0.51), at(-0.1)], [1, 1, 2, 2, 1, 2]);
    }
}
