//! One camera for every canvas: where the world is on the screen.
//!
//! Invariant: the scale is finite and within its bounds, so a point always has exactly one place.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

/// What of the world is in the middle of a canvas, and how large.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// World point at the canvas's center, in pixels of the world.
    pub center: Pos2,
    /// Points on the screen per pixel of the world.
    pub scale: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self { center: Pos2::ZERO, scale: 1.0 }
    }
}

impl Camera {
    /// Smallest and largest scale.
    const SCALES: [f32; 2] = [1.0 / 64.0, 32.0];

    /// The camera that shows a rectangle of the world whole, with a margin.
    #[must_use]
    pub fn fitting(world: Rect, view: Rect) -> Self {
        let room = (view.size() - vec2(32.0, 32.0)).max(vec2(16.0, 16.0));
        let size = world.size().max(vec2(1.0, 1.0));
        let scale = (room.x / size.x).min(room.y / size.y);
        Self { center: world.center(), scale: 1.0 }.scaled(scale)
    }

    /// Where a point of the world is on the screen.
    #[must_use]
    pub fn screen_from_world(&self, view: Rect, world: Pos2) -> Pos2 {
        view.center() + (world - self.center) * self.scale
    }

    /// Which point of the world is at a point of the screen.
    #[must_use]
    pub fn world_from_screen(&self, view: Rect, screen: Pos2) -> Pos2 {
        self.center + (screen - view.center()) / self.scale
    }

    /// The part of the world that is shown.
    #[must_use]
    pub fn visible(&self, view: Rect) -> Rect {
        Rect::from_min_max(self.world_from_screen(view, view.min), self.world_from_screen(view, view.max))
    }

    /// Closer or farther, with the point under the pointer kept in place.
    #[must_use]
    pub fn zoomed(&self, view: Rect, pointer: Pos2, factor: f32) -> Self {
        let fixed = self.world_from_screen(view, pointer);
        let zoomed = self.scaled(self.scale * factor);
        let center = fixed - (pointer - view.center()) / zoomed.scale;
        Self { center, ..zoomed }
    }

    /// Moved by so much of the screen.
    #[must_use]
    pub fn panned(&self, by: Vec2) -> Self {
        let center = self.center - by / self.scale;
        if center.is_finite() { Self { center, ..*self } } else { *self }
    }

    /// The same, moved so that it shows nothing beyond a rectangle of the world where it can.
    #[must_use]
    pub fn within(&self, world: Rect, view: Rect) -> Self {
        let half = view.size() / self.scale / 2.0;
        let keep = |at: f32, lo: f32, hi: f32, half: f32| {
            if hi - lo <= 2.0 * half { f32::midpoint(lo, hi) } else { at.clamp(lo + half, hi - half) }
        };
        let x = keep(self.center.x, world.left(), world.right(), half.x);
        let y = keep(self.center.y, world.top(), world.bottom(), half.y);
        Self { center: pos2(x, y), ..*self }
    }

    /// The same center at another scale, kept within bounds.
    #[must_use]
    pub fn scaled(&self, scale: f32) -> Self {
        let [lo, hi] = Self::SCALES;
        let scale = if scale.is_finite() { scale.clamp(lo, hi) } else { self.scale };
        Self { scale, ..*self }
    }
}

/// A model point as a screen type's point.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "the screen draws in single precision")]
pub fn pos([x, y]: [f64; 2]) -> Pos2 {
    pos2(x as f32, y as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_point_under_the_pointer() {
        let view = Rect::from_min_max(pos2(10.0, 20.0), pos2(410.0, 320.0));
        let mut camera = Camera { center: pos2(123.0, -45.0), scale: 0.7 };
        let pointer = pos2(77.0, 250.0);
        let before = camera.world_from_screen(view, pointer);
        for factor in [1.25, 3.0, 0.1, 2.0] {
            camera = camera.zoomed(view, pointer, factor);
            assert!((camera.world_from_screen(view, pointer) - before).length() < 1e-2);
            assert!((camera.screen_from_world(view, before) - pointer).length() < 1e-2);
        }
    }

    #[test]
    fn nothing_makes_the_scale_leave_its_bounds() {
        for scale in [0.0, f32::NAN, f32::INFINITY, 1e-30, 1e30, -3.0] {
            let scale = Camera::default().scaled(scale).scale;
            assert!((Camera::SCALES[0]..=Camera::SCALES[1]).contains(&scale));
        }
    }
}
