//! A picture at its own size and at every half of it, down to a single pixel, with alpha multiplied in: what is drawn
//! of a picture that is shown smaller than it is.

use super::Image;

/// A picture in all its sizes.
#[derive(Clone, Debug)]
pub struct Pyramid {
    levels: Vec<Level>,
}

#[derive(Clone, Debug)]
struct Level {
    size: [u32; 2],
    pixels: Vec<[u8; 4]>,
}

impl Pyramid {
    /// Of a picture.
    #[must_use]
    pub fn of(image: &Image) -> Self {
        let size = image.size();
        let rows = (0..size[1]).filter_map(|y| image.run(0, y, size[0]));
        let pixels = rows.flat_map(|row| row.as_chunks::<4>().0.iter().copied().map(multiplied)).collect();
        let mut levels = vec![Level { size, pixels }];
        while let Some(smaller) = levels.last().filter(|last| last.size.iter().any(|side| *side > 1)).map(Level::halved)
        {
            levels.push(smaller);
        }
        Self { levels }
    }

    /// Width and height of the picture itself.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.levels.first().map_or([1, 1], |level| level.size)
    }

    /// The picture made smaller by a power of two, or by the last one there is: its size, and its pixels row by row.
    #[must_use]
    pub fn level(&self, power: u32) -> ([u32; 2], &[[u8; 4]]) {
        let last = self.levels.len().saturating_sub(1);
        self.levels.get(last.min(power as usize)).map_or(([1, 1], &[[0; 4]]), |level| (level.size, &level.pixels))
    }
}

impl Level {
    /// Half of it, each pixel the mean of those that it is for.
    fn halved(&self) -> Self {
        let [w, h] = self.size.map(|side| side as usize);
        let [half_w, half_h] = [w, h].map(|side| side.div_ceil(2));
        let mut pixels = Vec::with_capacity(half_w * half_h);
        for y in 0..half_h {
            let row = |y: usize| self.pixels.get(y * w..(y + 1) * w).unwrap_or_default();
            // The last row or column of an odd number of them counts twice, which leaves the mean as it is.
            let (top, bottom) = (row(2 * y), row((2 * y + 1).min(h - 1)));
            for (top, bottom) in top.chunks(2).zip(bottom.chunks(2)) {
                let four = [top.first(), top.last(), bottom.first(), bottom.last()];
                let four = four.map(|pixel| pixel.copied().unwrap_or_default());
                let mean = |i: usize| {
                    let sum: u16 = four.iter().map(|pixel| u16::from(pixel[i])).sum();
                    u8::try_from((sum + 2) / 4).unwrap_or(u8::MAX)
                };
                pixels.push([mean(0), mean(1), mean(2), mean(3)]);
            }
        }
        Self { size: self.size.map(|side| side.div_ceil(2)), pixels }
    }
}

/// A color with its alpha multiplied in.
pub(super) fn multiplied([r, g, b, a]: [u8; 4]) -> [u8; 4] {
    let by = |c: u8| u8::try_from((u32::from(c) * u32::from(a) + 127) / 255).unwrap_or(u8::MAX);
    [by(r), by(g), by(b), a]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_is_the_mean_of_the_one_before() {
        let mut image = Image::solid(3, 2, [200, 100, 0, 255]);
        image.run_mut(0, 0, 1).unwrap().copy_from_slice(&[255, 255, 255, 0]);
        let pyramid = Pyramid::of(&image);
        assert_eq!(pyramid.size(), [3, 2]);
        let (size, pixels) = pyramid.level(0);
        assert_eq!((size, pixels[0], pixels[1]), ([3, 2], [0; 4], [200, 100, 0, 255]), "alpha is multiplied in");
        let (size, pixels) = pyramid.level(1);
        assert_eq!((size, pixels), ([2, 1], &[[150, 75, 0, 191], [200, 100, 0, 255]][..]));
        assert_eq!(pyramid.level(2), ([1, 1], &[[175, 88, 0, 223]][..]));
        assert_eq!(pyramid.level(9), pyramid.level(2), "there is no smaller one");
    }
}
