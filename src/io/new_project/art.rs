//! The pictures of new projects, drawn here: letters for pixels, outlines by rule, tiles by a little noise.

use image::{ImageFormat, Rgba, RgbaImage};

use crate::model::mix;

const SIDE: u32 = 16;

/// Colors by letter.
fn color(letter: u8) -> Option<Rgba<u8>> {
    let [r, g, b]: [u8; 3] = match letter {
        b's' => [0xf2, 0xc3, 0x9a],
        b'h' => [0x7a, 0x4a, 0x2b],
        b'r' => [0xc8, 0x4b, 0x3f],
        b'R' => [0x96, 0x33, 0x36],
        b'b' => [0x3d, 0x5a, 0x8c],
        b'k' => [0x2a, 0x24, 0x33],
        b'w' => [0xf4, 0xf1, 0xe4],
        b'W' => [0xc9, 0xd0, 0xe0],
        b'g' => [0x7c, 0xc0, 0x4a],
        b'G' => [0x4f, 0x94, 0x3c],
        b'y' => [0xf6, 0xd2, 0x4d],
        b'Y' => [0xd6, 0x97, 0x2c],
        b'l' => [0xff, 0xf1, 0xb0],
        b'p' => [0xe0, 0x7a, 0xa8],
        _ => return None,
    };
    Some(Rgba([r, g, b, 255]))
}

const OUTLINE: Rgba<u8> = Rgba([0x2a, 0x24, 0x33, 255]);

/// One 16×16 frame per picture, side by side, with a dark outline around each figure.
fn sheet(frames: &[&[&str]]) -> RgbaImage {
    let mut out = RgbaImage::new(SIDE * u32::try_from(frames.len()).unwrap_or(1), SIDE);
    for (frame, left) in frames.iter().zip((0..).step_by(SIDE as usize)) {
        // Pictures stand on the bottom line, in the middle.
        let height = u32::try_from(frame.len()).unwrap_or(SIDE).min(SIDE);
        let mut cells = [[None; SIDE as usize]; SIDE as usize];
        for (row, cells) in frame.iter().zip(cells.iter_mut().skip((SIDE - height) as usize)) {
            let indent = (SIDE as usize).saturating_sub(row.len()) / 2;
            for (letter, cell) in row.bytes().zip(cells.iter_mut().skip(indent)) {
                *cell = color(letter);
            }
        }
        let filled = |x: i32, y: i32| {
            let at = usize::try_from(y).ok().zip(usize::try_from(x).ok());
            at.is_some_and(|(y, x)| cells.get(y).and_then(|row| row.get(x)).is_some_and(Option::is_some))
        };
        for (y, row) in (0_i32..).zip(&cells) {
            for (x, cell) in (0_i32..).zip(row) {
                let is_edge = filled(x - 1, y) || filled(x + 1, y) || filled(x, y - 1) || filled(x, y + 1);
                if let Some(pixel) = cell.or_else(|| is_edge.then_some(OUTLINE)) {
                    out.put_pixel(left + x.unsigned_abs(), y.unsigned_abs(), pixel);
                }
            }
        }
    }
    out
}

const HEAD: [&str; 7] = ["hhhhhh", "hhhhhhhh", "hhssssss", "hsssksks", "hssssssss", "ssspss", "ssss"];

/// Stand, and two steps.
pub(super) fn player() -> RgbaImage {
    let figure = |legs: [&'static str; 3]| -> Vec<&'static str> {
        let body = ["rrrrrr", "srrrrrrs", "sRrrrrRs", "RRRRRR"];
        HEAD.into_iter().chain(body).chain(legs).chain([""]).take(15).collect()
    };
    let (stand, left, right) = (
        figure(["bbbbbb", "bb  bb", "kk  kk"]),
        figure(["bbbbbb", "bbb  bb", "kk    kk"]),
        figure(["bbbbbb", "bbbbb", "kkkk"]),
    );
    sheet(&[&stand, &left, &right])
}

/// Tall and flat.
pub(super) fn slime() -> RgbaImage {
    sheet(&[
        &["gggg", "gwwgggg", "gwgggggg", "ggkggkgggg", "ggkggkgggg", "gggggggggg", "GgggggggGG", "GGGGGGGGGG", ""],
        &["ggggg", "gwwgggggg", "ggkggkgggggg", "gggggggggggg", "GggggggggGGG", "GGGGGGGGGGGG", ""],
    ])
}

/// Two ways to hang in the air.
pub(super) fn ghost() -> RgbaImage {
    let top = ["wwww", "wwwwwwww", "wwwwwwwwww", "wwkwwkwwww", "wwkwwkwwww", "wwwwwwwwWW", "wwwkwwwwWW", "wwwwwwwwWW"];
    let frame = |hem: [&'static str; 2], below: usize| -> Vec<&'static str> {
        top.into_iter().chain(["wwwwwwwWWW"]).chain(hem).chain(std::iter::repeat_n("", below)).collect()
    };
    let (a, b) = (frame(["ww ww WW W", "w   w   W "], 1), frame(["w www WWWW", "   w  W   "], 2));
    sheet(&[&a, &b])
}

/// Wide, narrower, edge on.
pub(super) fn coin() -> RgbaImage {
    sheet(&[
        &["yyyy", "ylllyY", "ylyyyyYY", "ylyYYyYY", "ylyYYyYY", "yyyyyyYY", "yyyyYY", "YYYY", "", "", ""],
        &["yy", "ylyY", "ylyY", "ylYY", "ylYY", "yyyY", "yyYY", "YY", "", "", ""],
        &["y", "l", "l", "y", "y", "y", "Y", "Y", "", "", ""],
    ])
}

/// A tile: a color for each pixel, from its place and a number that looks random.
type Tile = fn(u32, u32, u64) -> Option<[u8; 3]>;

fn tiles(list: &[Tile]) -> RgbaImage {
    let mut out = RgbaImage::new(SIDE * u32::try_from(list.len()).unwrap_or(1), SIDE);
    for (nr, tile) in (0_u32..).zip(list) {
        for (x, y) in (0..SIDE).flat_map(|x| (0..SIDE).map(move |y| (x, y))) {
            let noise = mix(u64::from(nr) << 16 | u64::from(x) << 8 | u64::from(y));
            if let Some([r, g, b]) = tile(x, y, noise) {
                out.put_pixel(nr * SIDE + x, y, Rgba([r, g, b, 255]));
            }
        }
    }
    out
}

fn earth(_: u32, _: u32, noise: u64) -> Option<[u8; 3]> {
    Some(match noise % 16 {
        0 => [0x5f, 0x40, 0x33],
        1 | 2 => [0x8b, 0x61, 0x47],
        _ => [0x78, 0x51, 0x3d],
    })
}

/// Earth below a surface that is `depth` pixels away, under grass.
fn turf(x: u32, depth: u32, noise: u64) -> Option<[u8; 3]> {
    let blade = [4, 5, 4, 3, 4, 6, 5, 4][(x % 8) as usize];
    match depth {
        0 => Some([0x9f, 0xd8, 0x5c]),
        d if d < blade => Some(if noise.is_multiple_of(5) { [0x5c, 0xa2, 0x41] } else { [0x6f, 0xb8, 0x48] }),
        d if d == blade => Some([0x4f, 0x38, 0x33]),
        _ => earth(x, depth, noise),
    }
}

fn brick(x: u32, y: u32, noise: u64) -> Option<[u8; 3]> {
    let shift = if y < 8 { 0 } else { 8 };
    Some(if y % 8 == 7 || (x + shift) % 16 == 15 {
        [0x47, 0x43, 0x52]
    } else if y.is_multiple_of(8) || (x + shift).is_multiple_of(16) {
        [0x9a, 0x95, 0xa3]
    } else if noise.is_multiple_of(9) {
        [0x74, 0x6f, 0x80]
    } else {
        [0x82, 0x7d, 0x8e]
    })
}

/// Blossom, bush: what is not there is transparent.
fn flower(x: u32, y: u32, _: u64) -> Option<[u8; 3]> {
    let (dx, dy) = (x.abs_diff(8), y.abs_diff(7));
    match (dx, dy) {
        (0, 0) => Some([0xf6, 0xd2, 0x4d]),
        (0 | 1, 1) | (1, 0) => Some([0xe0, 0x7a, 0xa8]),
        (0, _) if y > 8 => Some([0x4f, 0x94, 0x3c]),
        (1..=2, _) if (12..14).contains(&y) => Some([0x6f, 0xb8, 0x48]),
        _ => None,
    }
}

fn bush(x: u32, y: u32, noise: u64) -> Option<[u8; 3]> {
    let inside = |cx: u32, cy: u32, r: u32| x.abs_diff(cx).pow(2) + y.abs_diff(cy).pow(2) <= r * r;
    let is_in = |grow: u32| inside(5, 11, 4 + grow) || inside(10, 10, 5 + grow);
    if !is_in(0) {
        return is_in(1).then_some([0x2a, 0x3a, 0x33]);
    }
    Some(if y < 8 && noise.is_multiple_of(2) || noise.is_multiple_of(7) {
        [0x7c, 0xc0, 0x4a]
    } else {
        [0x4f, 0x94, 0x3c]
    })
}

fn plank(x: u32, y: u32, noise: u64) -> Option<[u8; 3]> {
    match y {
        0 => Some([0xc9, 0x97, 0x5f]),
        1..=3 => Some(if noise.is_multiple_of(6) || x % 8 == 7 { [0x7d, 0x54, 0x35] } else { [0xa8, 0x77, 0x48] }),
        4 => Some([0x4f, 0x38, 0x33]),
        _ => None,
    }
}

/// The tiles of the platformer, in the order of their ids.
pub(super) fn ground() -> RgbaImage {
    tiles(&[
        |x, y, noise| turf(x, y, noise),
        earth,
        |x, y, noise| y.checked_sub(15 - x).and_then(|depth| turf(x, depth, noise)),
        |x, y, noise| y.checked_sub(x).and_then(|depth| turf(x, depth, noise)),
        plank,
        brick,
        flower,
        bush,
    ])
}

fn grass(_: u32, _: u32, noise: u64) -> Option<[u8; 3]> {
    Some(match noise % 24 {
        0 | 1 => [0x66, 0xac, 0x45],
        2 => [0x86, 0xc8, 0x55],
        _ => [0x74, 0xba, 0x4c],
    })
}

fn daisies(x: u32, y: u32, noise: u64) -> Option<[u8; 3]> {
    for (cx, cy) in [(4_u32, 5_u32), (11, 10), (12, 3)] {
        match x.abs_diff(cx) + y.abs_diff(cy) {
            0 => return Some([0xf6, 0xd2, 0x4d]),
            1 => return Some([0xf4, 0xf1, 0xe4]),
            _ => {}
        }
    }
    grass(x, y, noise)
}

fn path(_: u32, _: u32, noise: u64) -> Option<[u8; 3]> {
    Some(match noise % 14 {
        0 => [0xb8, 0x9a, 0x66],
        1 => [0xe2, 0xcb, 0x98],
        _ => [0xd2, 0xb8, 0x82],
    })
}

fn mud(x: u32, y: u32, noise: u64) -> Option<[u8; 3]> {
    Some(if (x / 3 + y / 2).is_multiple_of(5) || noise.is_multiple_of(13) {
        [0x6a, 0x4b, 0x38]
    } else {
        [0x7d, 0x5b, 0x43]
    })
}

fn wall_top(x: u32, y: u32, noise: u64) -> Option<[u8; 3]> {
    Some(if x == 0 || y == 0 {
        [0xb4, 0xb0, 0xbd]
    } else if x == 15 || y == 15 || noise.is_multiple_of(11) {
        [0x8d, 0x88, 0x98]
    } else {
        [0x9f, 0x9a, 0xa9]
    })
}

fn water(x: u32, y: u32, _: u64) -> Option<[u8; 3]> {
    Some(match (x + y * 3) % 16 {
        0..=2 if y % 4 == 1 => [0x8f, 0xcf, 0xe8],
        _ if y % 8 < 4 => [0x4a, 0x90, 0xc4],
        _ => [0x43, 0x85, 0xba],
    })
}

fn planks(x: u32, y: u32, noise: u64) -> Option<[u8; 3]> {
    Some(if y % 4 == 3 || (x + y / 4 * 5) % 16 == 15 {
        [0x7d, 0x54, 0x35]
    } else if noise.is_multiple_of(10) {
        [0xb8, 0x86, 0x55]
    } else {
        [0xa8, 0x77, 0x48]
    })
}

/// The tiles of the view from above, in the order of their ids.
pub(super) fn meadow() -> RgbaImage {
    tiles(&[grass, daisies, path, mud, wall_top, brick, water, planks])
}

/// One block.
pub(super) fn blocks() -> RgbaImage {
    tiles(&[wall_top])
}

/// The bytes of a PNG file.
pub(super) fn png(image: &RgbaImage) -> Vec<u8> {
    let mut out = std::io::Cursor::new(Vec::new());
    // Writing to memory does not fail; a picture that did would be found missing by the checks.
    let _ = image.write_to(&mut out, ImageFormat::Png);
    out.into_inner()
}
