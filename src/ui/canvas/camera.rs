//! One camera for every canvas: where the world is on the screen.

use egui::{Pos2, Rect, Vec2, pos2, vec2};

use crate::editor::Camera;

/// Zoom for one notch of a wheel that reports parts of notches.
const NOTCH: f32 = 1.25;

/// Where a camera puts the world on a canvas; `view` is the canvas on the screen.
pub trait OnScreen {
    /// The camera that shows a rectangle of the world whole, with a margin.
    #[must_use]
    fn fitting(world: Rect, view: Rect) -> Self;

    /// Where a point of the world is on the screen.
    #[must_use]
    fn screen_from_world(&self, view: Rect, world: Pos2) -> Pos2;

    /// Which point of the world is at a point of the screen.
    #[must_use]
    fn world_from_screen(&self, view: Rect, screen: Pos2) -> Pos2;

    /// The part of the world that is shown.
    #[must_use]
    fn visible(&self, view: Rect) -> Rect;

    /// Closer or farther, with the point under the pointer kept in place.
    #[must_use]
    fn zoomed(&self, view: Rect, pointer: Pos2, factor: f32) -> Self;

    /// The same by the notches of a wheel: a size each for whole ones, and in between for parts of one.
    #[must_use]
    fn notched(&self, view: Rect, pointer: Pos2, notches: f32) -> Self;

    /// Moved by so much of the screen.
    #[must_use]
    fn panned(&self, by: Vec2) -> Self;

    /// The same, moved no farther than needed to show a point of the world well inside.
    #[must_use]
    fn showing(&self, world: Pos2, view: Rect) -> Self;

    /// The same, moved so that it shows nothing beyond a rectangle of the world where it can.
    #[must_use]
    fn within(&self, world: Rect, view: Rect) -> Self;
}

impl OnScreen for Camera {
    fn fitting(world: Rect, view: Rect) -> Self {
        let room = (view.size() - vec2(32.0, 32.0)).max(vec2(16.0, 16.0));
        let size = world.size().max(vec2(1.0, 1.0));
        let scale = (room.x / size.x).min(room.y / size.y);
        Self { center: stored(world.center()), scale: 1.0 }.scaled(scale)
    }

    fn screen_from_world(&self, view: Rect, world: Pos2) -> Pos2 {
        view.center() + (world - center_of(self)) * self.scale
    }

    fn world_from_screen(&self, view: Rect, screen: Pos2) -> Pos2 {
        center_of(self) + (screen - view.center()) / self.scale
    }

    fn visible(&self, view: Rect) -> Rect {
        Rect::from_min_max(self.world_from_screen(view, view.min), self.world_from_screen(view, view.max))
    }

    fn zoomed(&self, view: Rect, pointer: Pos2, factor: f32) -> Self {
        about(self, view, pointer, self.scaled(self.scale * factor))
    }

    #[expect(clippy::cast_possible_truncation, reason = "`as` saturates, and a wheel turns by a few notches")]
    fn notched(&self, view: Rect, pointer: Pos2, notches: f32) -> Self {
        // Wheels that turn smoothly report parts of a notch.
        let is_whole = (notches - notches.round()).abs() < 0.01;
        let to =
            if is_whole { self.stepped(notches.round() as i32) } else { self.scaled(self.scale * NOTCH.powf(notches)) };
        about(self, view, pointer, to)
    }

    fn panned(&self, by: Vec2) -> Self {
        let center = center_of(self) - by / self.scale;
        if center.is_finite() { Self { center: stored(center), ..*self } } else { *self }
    }

    fn showing(&self, world: Pos2, view: Rect) -> Self {
        let room = view.shrink2((view.size() / 4.0).min(vec2(48.0, 48.0)));
        let at = self.screen_from_world(view, world);
        let missing = at - room.clamp(at);
        if missing == Vec2::ZERO { *self } else { self.panned(-missing) }
    }

    fn within(&self, world: Rect, view: Rect) -> Self {
        let half = view.size() / self.scale / 2.0;
        let keep = |at: f32, lo: f32, hi: f32, half: f32| {
            if hi - lo <= 2.0 * half { f32::midpoint(lo, hi) } else { at.clamp(lo + half, hi - half) }
        };
        let x = keep(self.center.x, world.left(), world.right(), half.x);
        let y = keep(self.center.y, world.top(), world.bottom(), half.y);
        Self { center: glam::vec2(x, y), ..*self }
    }
}

/// `to` with the point of the world under the pointer where `from` has it.
fn about(from: &Camera, view: Rect, pointer: Pos2, to: Camera) -> Camera {
    let fixed = from.world_from_screen(view, pointer);
    let center = fixed - (pointer - view.center()) / to.scale;
    Camera { center: stored(center), ..to }
}

/// A camera's center as a screen type's point.
#[must_use]
pub fn center_of(camera: &Camera) -> Pos2 {
    pos2(camera.center.x, camera.center.y)
}

fn stored(center: Pos2) -> glam::Vec2 {
    glam::vec2(center.x, center.y)
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
        let mut camera = Camera { center: glam::vec2(123.0, -45.0), scale: 0.7 };
        let pointer = pos2(77.0, 250.0);
        let before = camera.world_from_screen(view, pointer);
        for factor in [1.25, 3.0, 0.1, 2.0] {
            camera = camera.zoomed(view, pointer, factor);
            assert!((camera.world_from_screen(view, pointer) - before).length() < 1e-2);
            assert!((camera.screen_from_world(view, before) - pointer).length() < 1e-2);
        }
        for notches in [1.0, -3.0, 0.3] {
            camera = camera.notched(view, pointer, notches);
            assert!((camera.world_from_screen(view, pointer) - before).length() < 1e-2);
        }
    }

    #[test]
    fn a_point_outside_comes_into_view_and_one_inside_moves_nothing() {
        let view = Rect::from_min_size(Pos2::ZERO, vec2(600.0, 400.0));
        let camera = Camera { center: glam::Vec2::ZERO, scale: 2.0 };
        assert_eq!(camera.showing(pos2(10.0, -20.0), view), camera);
        for at in [pos2(1000.0, 0.0), pos2(-151.0, 90.0), pos2(0.0, -5000.0)] {
            let shown = camera.showing(at, view);
            let room = view.shrink(47.5);
            assert!(room.contains(shown.screen_from_world(view, at)), "{at:?}");
            assert_eq!(shown.scale, camera.scale);
        }
    }

    #[test]
    fn the_largest_level_can_be_shown_whole() {
        let view = Rect::from_min_size(Pos2::ZERO, vec2(600.0, 400.0));
        let level = Rect::from_min_size(Pos2::ZERO, vec2(16_384.0 * 16.0, 16_384.0 * 16.0));
        let camera = Camera::fitting(level, view).even();
        assert!(camera.visible(view).contains_rect(level), "{camera:?}");
    }
}
