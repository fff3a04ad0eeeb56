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
    /// Smallest and largest scale.
    const SCALES: [f32; 2] = [1.0 / 64.0, 32.0];

    /// The same center at another scale, kept within bounds.
    #[must_use]
    pub fn scaled(&self, scale: f32) -> Self {
        let [lo, hi] = Self::SCALES;
        let scale = if scale.is_finite() { scale.clamp(lo, hi) } else { self.scale };
        Self { scale, ..*self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_makes_the_scale_leave_its_bounds() {
        for scale in [0.0, f32::NAN, f32::INFINITY, 1e-30, 1e30, -3.0] {
            let scale = Camera::default().scaled(scale).scale;
            assert!((Camera::SCALES[0]..=Camera::SCALES[1]).contains(&scale));
        }
    }
}
