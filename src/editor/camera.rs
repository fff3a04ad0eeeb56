//! One camera for every canvas: what of the world is shown. Where that is on the screen is `ui::canvas::camera`.
//!
//! Invariant: the scale is finite and within its bounds, so a point always has exactly one place.

use glam::Vec2;

/// What of the world is in the middle of a canvas, and how large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// World point at the canvas's center, in pixels of the world.
    pub center: Vec2,
    /// Points on the screen per pixel of the world.
    pub scale: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self { center: Vec2::ZERO, scale: 1.0 }
    }
}

impl Camera {
    /// Smallest and largest scale. A level of 16 384 cells of 16 pixels fits into 256 points at the smallest.
    const SCALES: [f32; 2] = [1.0 / 1024.0, 32.0];

    /// The same center at another scale, kept within bounds.
    #[must_use]
    pub fn scaled(&self, scale: f32) -> Self {
        let [lo, hi] = Self::SCALES;
        let scale = if scale.is_finite() { scale.clamp(lo, hi) } else { self.scale };
        Self { scale, ..*self }
    }
}

impl Camera {
    /// The largest scale that is not larger and at which pixels are of even size: a whole number from 4 on, halves from
    /// 1 on. Below its own size a picture is averaged, and any scale will do.
    #[must_use]
    pub fn even(&self) -> Self {
        let scale = match self.scale {
            scale if scale >= 4.0 => scale.floor(),
            scale if scale >= 1.0 => (scale * 2.0).floor() / 2.0,
            scale => scale,
        };
        self.scaled(scale)
    }

    /// So many sizes closer, or farther when negative. From 1 to 4 they are half a size apart, for pixels are of even
    /// size then; beyond 4, and below 1 where pictures are averaged, there are three to each doubling: 4, 5, 6, 8, and
    /// ½, ⅝, ¾.
    #[must_use]
    pub fn stepped(&self, n_sizes: i32) -> Self {
        let sizes_from = |octave: f32| {
            let shares: &[f32] = match octave {
                1.0 => &[1.0, 1.5],
                2.0 => &[1.0, 1.25, 1.5, 1.75],
                _ => &[1.0, 1.25, 1.5],
            };
            shares.iter().map(move |share| share * octave)
        };
        let (mut camera, is_closer) = (*self, n_sizes > 0);
        // There are about fifty sizes.
        for _ in 0..n_sizes.unsigned_abs().min(64) {
            // A scale within a thousandth of a size counts as it, for scales are multiplied by what touchpads report.
            let reached = camera.scale * if is_closer { 1.001 } else { 0.999 };
            let octave = reached.log2().floor().exp2();
            let sizes = [octave / 2.0, octave, octave * 2.0].into_iter().flat_map(sizes_from);
            let next = if is_closer {
                sizes.filter(|size| *size > reached).reduce(f32::min)
            } else {
                sizes.filter(|size| *size < reached).reduce(f32::max)
            };
            camera = camera.scaled(next.unwrap_or(camera.scale));
        }
        camera
    }

    /// The scale for people: `150%`.
    #[must_use]
    pub fn percent(&self) -> String {
        let percent = self.scale * 100.0;
        if percent >= 9.95 { format!("{percent:.0}%") } else { format!("{percent:.1}%") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(scale: f32) -> Camera {
        Camera { scale, ..Camera::default() }
    }

    #[test]
    fn a_level_is_fitted_at_a_scale_that_keeps_pixels_even() {
        for (scale, even) in
            [(1.0, 1.0), (1.49, 1.0), (1.5, 1.5), (2.7, 2.5), (3.99, 3.5), (4.0, 4.0), (5.9, 5.0), (0.93, 0.93)]
        {
            assert_eq!(at(scale).even().scale, even, "{scale}");
        }
    }

    #[test]
    fn steps_pass_through_whole_sizes_from_wherever_they_begin() {
        for start in [0.4, 0.93, 1.0, 1.07, 1.7, 0.000_98] {
            let mut camera = at(start);
            let mut passed = Vec::new();
            for _ in 0..60 {
                let next = camera.stepped(1);
                assert!(next.scale > camera.scale || next.scale == Camera::SCALES[1], "{start}: {}", camera.scale);
                assert!(next.scale / camera.scale < 1.51, "{start}: {}", camera.scale);
                camera = next;
                passed.push(camera.scale);
            }
            for whole in [2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 32.0] {
                assert!(passed.contains(&whole), "{start} passes {whole}: {passed:?}");
            }
            passed.clear();
            for _ in 0..60 {
                camera = camera.stepped(-1);
                passed.push(camera.scale);
            }
            for whole in [4.0, 3.0, 2.0, 1.0, 0.5, 0.25, 1.0 / 1024.0] {
                assert!(passed.contains(&whole), "down from {start}: {passed:?}");
            }
        }
        assert_eq!([1, 2, 3, 4, 5, 6, 7].map(|n| at(1.0).stepped(n).scale), [1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0]);
        assert_eq!(at(2.0).stepped(-2), at(1.0));
        assert_eq!(at(1.999).stepped(1), at(2.5), "what looks like a size is one");
    }

    #[test]
    fn the_scale_is_told_in_percent() {
        let shown = [1.0, 1.25, 0.333, 0.05, 1.0 / 1024.0].map(|scale| at(scale).percent());
        assert_eq!(shown, ["100%", "125%", "33%", "5.0%", "0.1%"]);
    }

    #[test]
    fn nothing_makes_the_scale_leave_its_bounds() {
        for scale in [0.0, f32::NAN, f32::INFINITY, 1e-30, 1e30, -3.0] {
            let scale = Camera::default().scaled(scale).scale;
            assert!((Camera::SCALES[0]..=Camera::SCALES[1]).contains(&scale));
        }
    }
}
