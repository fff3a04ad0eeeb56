//! The grid of tiles in a picture: guessed, counted, and the cells that show something.

use image::{ImageEncoder as _, Rgba, RgbaImage};
use levelwright::raster::{Image, SheetGrid};

/// A picture with a checkered tile in every cell of a grid, and this color everywhere else.
pub(crate) fn sheet(grid: SheetGrid, cells: [u32; 2], between: [u8; 4]) -> RgbaImage {
    let side = |i: usize| 2 * grid.margin + cells[i] * (grid.tile_size[i] + grid.spacing) - grid.spacing;
    let mut picture = RgbaImage::from_pixel(side(0), side(1), Rgba(between));
    for cell in (0..cells[1]).flat_map(|y| (0..cells[0]).map(move |x| [x, y])) {
        let [left, top] = grid.corner(cell);
        for (x, y) in (0..grid.tile_size[1]).flat_map(|y| (0..grid.tile_size[0]).map(move |x| (x, y))) {
            let shade = if (x + y) % 2 == 0 { 40 } else { 200 };
            picture.put_pixel(left + x, top + y, Rgba([shade, 80, 120, 255]));
        }
    }
    picture
}

/// As the program reads it.
pub(crate) fn png(picture: &RgbaImage) -> Vec<u8> {
    let mut bytes = Vec::new();
    image::codecs::png::PngEncoder::new(&mut bytes)
        .write_image(picture, picture.width(), picture.height(), image::ExtendedColorType::Rgba8)
        .unwrap();
    bytes
}

fn read(picture: &RgbaImage) -> Image {
    Image::from_png(&png(picture)).unwrap()
}

const CLEAR: [u8; 4] = [0; 4];
const PINK: [u8; 4] = [255, 0, 255, 255];

#[test]
fn a_plain_sheet_is_of_the_usual_size_where_that_divides_it_else_of_a_common_one() {
    let guess = |size: [u32; 2], usual: [u32; 2]| {
        let picture = sheet(SheetGrid::plain(size), [1, 1], CLEAR);
        let grid = SheetGrid::guess(&read(&picture), usual);
        assert_eq!((grid.margin, grid.spacing), (0, 0), "{size:?}");
        grid.tile_size
    };
    assert_eq!(guess([128, 64], [16, 16]), [16, 16]);
    assert_eq!(guess([128, 64], [32, 32]), [32, 32]);
    assert_eq!(guess([120, 48], [16, 16]), [24, 24]);
    assert_eq!(guess([96, 120], [16, 20]), [16, 20], "tiles need not be square");
    assert_eq!(guess([40, 8], [16, 16]), [8, 8]);
    // Nothing divides it: the usual size, as far as it fits.
    assert_eq!(guess([100, 37], [16, 16]), [16, 16]);
    assert_eq!(guess([5, 3], [16, 16]), [5, 3]);
    assert_eq!(guess([1, 1], [16, 16]), [1, 1]);
}

#[test]
fn margin_and_spacing_follow_from_lines_of_one_color() {
    for between in [CLEAR, PINK] {
        for (tile_size, margin, spacing) in
            [([16, 16], 0, 1), ([16, 16], 1, 1), ([16, 16], 2, 2), ([32, 32], 0, 2), ([8, 8], 1, 1), ([16, 24], 2, 1)]
        {
            let grid = SheetGrid { tile_size, margin, spacing };
            let usual = if tile_size == [16, 24] { tile_size } else { [16, 16] };
            let picture = read(&sheet(grid, [5, 3], between));
            assert_eq!(SheetGrid::guess(&picture, usual), grid, "{between:?}");
            assert_eq!((grid.cells(picture.size()), grid.rest(picture.size())), ([5, 3], [0, 0]));
        }
    }
    // 16 columns with a gap after each: 272 is 17 times 16, too.
    let grid = SheetGrid { tile_size: [16, 16], margin: 0, spacing: 1 };
    let mut picture = RgbaImage::from_pixel(272, 272, Rgba(CLEAR));
    image::imageops::replace(&mut picture, &sheet(grid, [16, 16], CLEAR), 0, 0);
    assert_eq!(SheetGrid::guess(&read(&picture), [16, 16]), grid);
}

#[test]
fn a_margin_alone_counts_where_nothing_else_fits() {
    let grid = SheetGrid { tile_size: [16, 16], margin: 1, spacing: 0 };
    assert_eq!(SheetGrid::guess(&read(&sheet(grid, [4, 4], CLEAR)), [16, 16]), grid);
    // One color alone says nothing about tiles.
    let empty = RgbaImage::from_pixel(33, 33, Rgba(CLEAR));
    assert_eq!(SheetGrid::guess(&read(&empty), [16, 16]), SheetGrid::plain([16, 16]));
}

#[test]
fn only_whole_tiles_inside_the_picture_count_and_only_those_that_show_something() {
    let grid = SheetGrid { tile_size: [16, 16], margin: 2, spacing: 1 };
    assert_eq!(grid.cells([2 + 16 + 1 + 15, 18]), [1, 1]);
    assert_eq!(grid.cells([2 + 16 + 1 + 16, 17]), [2, 0]);
    assert_eq!(grid.rest([2 + 16 + 1 + 15, 18]), [14, 0]);
    assert_eq!(SheetGrid::plain([0, 16]).cells([64, 64]), [0, 4]);
    assert_eq!(SheetGrid { tile_size: [u32::MAX; 2], margin: u32::MAX, spacing: u32::MAX }.cells([64, 64]), [0, 0]);
    let mut picture = sheet(SheetGrid::plain([8, 8]), [3, 2], CLEAR);
    for (x, y) in (0..8).flat_map(|y| (8..16).map(move |x| (x, y))) {
        picture.put_pixel(x, y, Rgba([9, 9, 9, 0]));
    }
    let shown = SheetGrid::plain([8, 8]).shown(&read(&picture));
    assert_eq!(shown, [[0, 0], [2, 0], [0, 1], [1, 1], [2, 1]]);
}
