//! A picture of a part of the world, and what can be drawn on it: pictures, placed and turned, and smooth lines.
//! Positions are in world pixels; line widths are in the picture's own, so overlays stay fine at any scale. What to
//! draw is decided in [`super::Scene`].

use std::ops::Range;

use super::{Image, ImageError, image::to_byte, tinted};
use crate::{model::Blend, sim::Appearance};

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Straight alpha.
    pub color: [u8; 4],
    /// In pixels of the picture.
    pub width: f64,
}

/// How a picture is put into the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    /// Where its pivot goes, in world pixels.
    pub(super) at: [f64; 2],
    /// The pixel of it that goes there.
    pub(super) pivot: [f64; 2],
    /// World pixels for one of its own.
    pub(super) stretch: [f64; 2],
    /// Clockwise, in radians.
    pub(super) angle_rad: f64,
    /// Mirrored left to right about its pivot.
    pub(super) flip_h: bool,
    /// Multiplied with its pixels.
    pub(super) tint: [u8; 4],
    /// 0 to 1.
    pub(super) opacity: f64,
    /// How it is put over what is there.
    pub(super) blend: Blend,
    /// Whether it is repeated in its own x and y; one that is, is not turned.
    pub(super) repeat: [bool; 2],
}

impl Placement {
    pub(super) fn at(at: [f64; 2]) -> Self {
        Self {
            at,
            pivot: [0.0; 2],
            stretch: [1.0; 2],
            angle_rad: 0.0,
            flip_h: false,
            tint: [255; 4],
            opacity: 1.0,
            blend: Blend::Normal,
            repeat: [false; 2],
        }
    }
}

/// A picture of a rectangle of the world.
#[derive(Clone, Debug)]
pub struct Canvas {
    image: Image,
    origin: [f64; 2],
    scale: f64,
}

impl Canvas {
    /// A picture of the world's rectangle `left, top, right, bottom`, `scale` pixels for one of the world.
    ///
    /// # Errors
    /// When the picture would be empty or too large.
    pub fn new(area: [f64; 4], scale: f64, background: [u8; 4]) -> Result<Self, ImageError> {
        let side = |from: f64, to: f64| ((to - from) * scale - 1e-6).ceil();
        let (width, height) = (side(area[0], area[2]), side(area[1], area[3]));
        let whole = |x: f64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to what it holds")]
            let whole = x.clamp(0.0, 4.0e9) as u64;
            whole
        };
        let (w, h) = (whole(width), whole(height));
        let too_large = || ImageError::Size { width: w, height: h };
        let image = Image::filled(
            u32::try_from(w).map_err(|_| too_large())?,
            u32::try_from(h).map_err(|_| too_large())?,
            background,
        )?;
        Ok(Self { image, origin: [area[0], area[1]], scale })
    }

    /// The finished picture.
    #[must_use]
    pub fn into_image(self) -> Image {
        self.image
    }

    /// Pixels of the picture for one of the world.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// The rectangle of the world shown: left, top, right, bottom.
    #[must_use]
    pub fn area(&self) -> [f64; 4] {
        let [x, y] = self.origin;
        let side = |n: u32| f64::from(n) / self.scale;
        [x, y, x + side(self.image.width()), y + side(self.image.height())]
    }

    fn to_picture(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [(x - self.origin[0]) * self.scale, (y - self.origin[1]) * self.scale]
    }

    /// Draw a sprite's frame with its pivot at `at`, turned clockwise by `angle_rad`; its colors are multiplied with a
    /// tint.
    pub fn sprite(
        &mut self,
        sheet: &Image,
        look: &Appearance,
        (at, angle_rad): ([f64; 2], f64),
        (opacity, tint): (f64, [u8; 4]),
    ) -> bool {
        let Some(frame) = super::frame_rect(sheet, look.frame_size, look.frame) else { return false };
        let placement = Placement {
            pivot: look.pivot,
            angle_rad,
            flip_h: look.flip_h,
            tint: tinted(look.tint, tint),
            opacity,
            ..Placement::at(at)
        };
        self.picture(sheet, frame, &placement);
        true
    }

    /// Draw a part of a picture: left, top, width, height. Enlarged, its pixels stay square; reduced, they are
    /// averaged.
    pub(super) fn picture(&mut self, from: &Image, part: [u32; 4], to: &Placement) {
        let [left, top, width, height] = part;
        let size = [f64::from(width), f64::from(height)];
        let stretch = to.stretch.map(|k| k * self.scale);
        let at = self.to_picture(to.at);
        if !at.iter().chain(&stretch).all(|x| x.is_finite()) || stretch[0] <= 0.0 || stretch[1] <= 0.0 {
            return;
        }
        let (sin, cos) = to.angle_rad.sin_cos();
        let mirror = if to.flip_h { -1.0 } else { 1.0 };
        let forth = |u: f64, v: f64| {
            let (x, y) = (mirror * (u - to.pivot[0]) * stretch[0], (v - to.pivot[1]) * stretch[1]);
            [at[0] + cos * x - sin * y, at[1] + sin * x + cos * y]
        };
        let back = |x: f64, y: f64| {
            let (x, y) = (x - at[0], y - at[1]);
            [to.pivot[0] + mirror * (cos * x + sin * y) / stretch[0], to.pivot[1] + (cos * y - sin * x) / stretch[1]]
        };
        let corners = [forth(0.0, 0.0), forth(size[0], 0.0), forth(0.0, size[1]), forth(size[0], size[1])];
        let (mut columns, mut rows) = self.pixels_around(&corners, 1.0);
        if to.repeat[0] {
            columns = 0..self.image.width();
        }
        if to.repeat[1] {
            rows = 0..self.image.height();
        }
        // Source pixels along one side of a pixel of ours.
        let n_samples = stretch.map(|k| (1.0 / k).ceil().clamp(1.0, 8.0));
        let whole = (n_samples[0] * n_samples[1] - 1.0).abs() < 0.5;
        let wrapped = |x: f64, i: usize| {
            // What is a little less than nothing may be rounded to the whole.
            if to.repeat[i] { Some(x.rem_euclid(size[i])).filter(|x| *x < size[i]).unwrap_or(0.0) } else { x }
        };
        let place = |u: f64, v: f64| {
            let (u, v) = (wrapped(u, 0), wrapped(v, 1));
            let inside = u >= 0.0 && v >= 0.0 && u < size[0] && v < size[1];
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the picture")]
            inside.then(|| [left + u as u32, top + v as u32])
        };
        if whole && to.angle_rad == 0.0 {
            // Upright, every row of ours is a row of the source: most of what is drawn, so worth a way of its own.
            let sources: Vec<Option<u32>> = columns
                .clone()
                .map(|x| place(back(f64::from(x) + 0.5, at[1])[0], 0.0).map(|[u, _]| (u - left) * 4))
                .collect();
            for y in rows {
                let Some([_, v]) = place(0.0, back(at[0], f64::from(y) + 0.5)[1]) else { continue };
                let Some(run) = from.run(left, v, width) else { continue };
                for (x, u) in columns.clone().zip(&sources) {
                    let Some(px) = u.and_then(|u| run.get(u as usize..u as usize + 4)) else { continue };
                    if px[3] > 0 {
                        self.image.blend(x, y, tinted([px[0], px[1], px[2], px[3]], to.tint), to.opacity, to.blend);
                    }
                }
            }
            return;
        }
        for y in rows {
            for x in columns.clone() {
                let (cx, cy) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let color = if whole {
                    let [u, v] = back(cx, cy);
                    place(u, v).map_or([0; 4], |[u, v]| from.pixel(u, v))
                } else {
                    let mut mean = Mean::default();
                    let (mut j, [nu, nv]) = (0.5, n_samples);
                    while j < nv {
                        let mut i = 0.5;
                        while i < nu {
                            let [u, v] = back(f64::from(x) + i / nu, f64::from(y) + j / nv);
                            mean.add(place(u, v).map_or([0; 4], |[u, v]| from.pixel(u, v)));
                            i += 1.0;
                        }
                        j += 1.0;
                    }
                    mean.color()
                };
                if color[3] > 0 {
                    self.image.blend(x, y, tinted(color, to.tint), to.opacity, to.blend);
                }
            }
        }
    }

    /// Draw a straight line with smooth edges and round ends.
    pub fn line(&mut self, from: [f64; 2], to: [f64; 2], stroke: Stroke) {
        let (a, b) = (self.to_picture(from), self.to_picture(to));
        if !a.iter().chain(&b).all(|x| x.is_finite()) {
            return;
        }
        let reach = stroke.width / 2.0 + 0.5;
        let (_, rows) = self.pixels_around(&[a, b], reach);
        let d = [b[0] - a[0], b[1] - a[1]];
        let length_squared = d[0] * d[0] + d[1] * d[1];
        for y in rows {
            let cy = f64::from(y) + 0.5;
            // Only the part of the line that is near this row can color it.
            let x_at = |y: f64| a[0] + d[0] * ((y - a[1]) / d[1]).clamp(0.0, 1.0);
            let ends = if d[1].abs() < 1e-9 { [a[0], b[0]] } else { [x_at(cy - reach), x_at(cy + reach)] };
            let (columns, _) = self.pixels_around(&[[ends[0], cy], [ends[1], cy]], reach);
            for x in columns {
                let p = [f64::from(x) + 0.5 - a[0], cy - a[1]];
                let t = if length_squared > 0.0 {
                    ((p[0] * d[0] + p[1] * d[1]) / length_squared).clamp(0.0, 1.0)
                } else {
                    0.0
                };
                let coverage = (reach - (p[0] - t * d[0]).hypot(p[1] - t * d[1])).clamp(0.0, 1.0);
                if coverage > 0.0 {
                    self.image.blend(x, y, stroke.color, coverage, Blend::Normal);
                }
            }
        }
    }

    /// Draw lines from point to point.
    pub fn polyline(&mut self, points: &[[f64; 2]], stroke: Stroke) {
        for pair in points.windows(2) {
            self.line(pair[0], pair[1], stroke);
        }
    }

    /// Draw the outline of a polygon, and fill it with a color that may be clear.
    pub fn polygon(&mut self, points: &[[f64; 2]], fill: [u8; 4], stroke: Stroke) {
        if fill[3] > 0 {
            self.fill(points, fill);
        }
        self.polyline(points, stroke);
        if let ([first, _, ..], Some(last)) = (points, points.last()) {
            self.line(*last, *first, stroke);
        }
    }

    /// Draw a filled circle; the radius is in pixels of the picture.
    pub fn dot(&mut self, at: [f64; 2], radius: f64, color: [u8; 4]) {
        self.line(at, at, Stroke { color, width: radius * 2.0 });
    }

    fn fill(&mut self, points: &[[f64; 2]], color: [u8; 4]) {
        let points: Vec<[f64; 2]> = points.iter().map(|p| self.to_picture(*p)).collect();
        if !points.iter().flatten().all(|x| x.is_finite()) {
            return;
        }
        let (columns, rows) = self.pixels_around(&points, 0.0);
        for y in rows {
            for x in columns.clone() {
                let (cx, cy) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let mut inside = false;
                for (a, b) in points.iter().zip(points.iter().cycle().skip(1)) {
                    let crosses = (a[1] > cy) != (b[1] > cy);
                    if crosses && cx < a[0] + (cy - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) {
                        inside = !inside;
                    }
                }
                if inside {
                    self.image.blend(x, y, color, 1.0, Blend::Normal);
                }
            }
        }
    }

    /// The columns and rows that can hold something within `reach` of these points, cut to the picture.
    fn pixels_around(&self, points: &[[f64; 2]], reach: f64) -> (Range<u32>, Range<u32>) {
        let along = |axis: usize, side: u32| {
            let (lo, hi) = points
                .iter()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), p| (lo.min(p[axis]), hi.max(p[axis])));
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the picture")]
            let cut = |x: f64| x.clamp(0.0, f64::from(side)) as u32;
            cut((lo - reach).floor())..cut((hi + reach).ceil())
        };
        (along(0, self.image.width()), along(1, self.image.height()))
    }
}

/// A mean color in which each sample counts by its alpha.
#[derive(Default)]
struct Mean {
    sum: [f64; 3],
    alpha: f64,
    n: f64,
}

impl Mean {
    fn add(&mut self, color: [u8; 4]) {
        let alpha = f64::from(color[3]);
        for (sum, channel) in self.sum.iter_mut().zip(color) {
            *sum += f64::from(channel) * alpha;
        }
        self.alpha += alpha;
        self.n += 1.0;
    }

    fn color(&self) -> [u8; 4] {
        if self.alpha <= 0.0 {
            return [0; 4];
        }
        let [r, g, b] = self.sum.map(|sum| to_byte(sum / self.alpha));
        [r, g, b, to_byte(self.alpha / self.n)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_blended_as_their_mode_says() {
        let over = |under: [u8; 4], color: [u8; 4], opacity: f64, blend: Blend| {
            let mut image = Image::solid(1, 1, under);
            image.blend(0, 0, color, opacity, blend);
            image.pixel(0, 0)
        };
        let (under, color) = ([200, 100, 0, 255], [100, 254, 51, 255]);
        for (blend, opaque, half) in [
            (Blend::Normal, [100, 254, 51, 255], [150, 177, 26, 255]),
            (Blend::Add, [255, 255, 51, 255], [250, 227, 26, 255]),
            (Blend::Multiply, [78, 100, 0, 255], [139, 100, 0, 255]),
            (Blend::Screen, [222, 254, 51, 255], [211, 177, 26, 255]),
        ] {
            assert_eq!(over(under, color, 1.0, blend), opaque, "{blend:?}");
            assert_eq!(over(under, color, 0.5, blend), half, "{blend:?}, half transparent");
            assert_eq!(over([9, 9, 9, 0], color, 1.0, blend), color, "{blend:?} over nothing");
        }
    }

    const RED: Stroke = Stroke { color: [255, 0, 0, 255], width: 1.0 };

    #[test]
    fn lines_color_the_pixels_they_cross_and_no_others() {
        let mut canvas = Canvas::new([0.0, 0.0, 8.0, 8.0], 1.0, [0; 4]).unwrap();
        canvas.line([1.0, 2.5], [6.0, 2.5], RED);
        let alpha = |x, y| canvas.image.pixel(x, y)[3];
        assert_eq!([alpha(1, 2), alpha(3, 2), alpha(5, 2)], [255; 3]);
        assert_eq!([alpha(3, 1), alpha(3, 3), alpha(7, 2)], [0; 3]);
        assert!((100..200).contains(&alpha(0, 2)), "its end is round");
    }

    #[test]
    fn nothing_drawn_outside_or_without_a_place_panics() {
        let mut canvas = Canvas::new([0.0, 0.0, 8.0, 8.0], 2.0, [9, 9, 9, 255]).unwrap();
        let before = canvas.image.clone();
        for far in [1e9, -1e18, 1e300, f64::NAN, f64::INFINITY] {
            canvas.line([far, far], [far + 1.0, far], RED);
            canvas.polygon(&[[far, 1.0], [far, 2.0], [far, 3.0]], RED.color, RED);
            canvas.picture(&before, [0, 0, 16, 16], &Placement::at([far, far]));
        }
        canvas.polygon(&[], RED.color, RED);
        canvas.polygon(&[[100.0, 100.0]], RED.color, RED);
        assert!(canvas.image == before);
        assert!(Canvas::new([0.0, 0.0, 1e9, 1.0], 1.0, [0; 4]).is_err());
        assert!(Canvas::new([0.0, 0.0, 0.0, 1.0], 1.0, [0; 4]).is_err());
        assert!(Canvas::new([0.0, 0.0, 1.0, 1.0], f64::NAN, [0; 4]).is_err());
    }

    #[test]
    fn pictures_turn_stretch_and_shrink() {
        let mut quad = Image::solid(2, 2, [0, 0, 0, 255]);
        quad.blend(0, 0, [255, 0, 0, 255], 1.0, Blend::Normal);
        let red = |canvas: &Canvas, x, y| canvas.image.pixel(x, y)[0];
        let mut canvas = Canvas::new([0.0, 0.0, 4.0, 4.0], 1.0, [0; 4]).unwrap();
        let middle = Placement { pivot: [1.0, 1.0], ..Placement::at([2.0, 2.0]) };
        canvas.picture(&quad, [0, 0, 2, 2], &middle);
        assert_eq!([red(&canvas, 1, 1), red(&canvas, 2, 1), red(&canvas, 1, 2)], [255, 0, 0]);
        canvas.picture(&quad, [0, 0, 2, 2], &Placement { angle_rad: std::f64::consts::FRAC_PI_2, ..middle });
        assert_eq!([red(&canvas, 1, 1), red(&canvas, 2, 1), red(&canvas, 1, 2)], [0, 255, 0], "clockwise");
        canvas.picture(&quad, [0, 0, 2, 2], &Placement { flip_h: true, ..middle });
        assert_eq!([red(&canvas, 1, 1), red(&canvas, 2, 1)], [0, 255]);
        let mut far = Canvas::new([0.0, 0.0, 2.0, 2.0], 0.5, [0; 4]).unwrap();
        far.picture(&quad, [0, 0, 2, 2], &Placement::at([0.0, 0.0]));
        assert_eq!(far.image.pixel(0, 0), [64, 0, 0, 255]);
    }
}
