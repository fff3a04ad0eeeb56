//! Moving the view of a canvas: wheel and pinch zoom at the pointer, touchpad and middle drag pan, Space-drag pans.

use egui::{Event, Key, MouseWheelUnit, PointerButton, Rect, Response, Ui, vec2};

use super::camera::OnScreen as _;
use crate::editor::Camera;

/// The camera after this frame's input over the canvas; `space_pans` is off while Space means something else.
#[must_use]
pub fn navigated(ui: &Ui, response: &Response, view: Rect, camera: Camera, space_pans: bool) -> Camera {
    let mut camera = camera;
    let space = space_pans && ui.input(|input| input.key_down(Key::Space)) && !ui.ctx().text_edit_focused();
    if response.dragged_by(PointerButton::Middle) || (space && response.dragged_by(PointerButton::Primary)) {
        camera = camera.panned(response.drag_delta());
    }
    let Some(pointer) = response.hover_pos() else { return camera };
    let zoom = ui.input(egui::InputState::zoom_delta);
    if (zoom - 1.0).abs() > f32::EPSILON {
        return camera.zoomed(view, pointer, zoom);
    }
    ui.input(|input| {
        for event in &input.events {
            let Event::MouseWheel { unit, delta, modifiers, .. } = event else { continue };
            if modifiers.command {
                continue;
            }
            camera = match unit {
                // A touchpad scrolls in points: pan. A wheel scrolls in notches: zoom.
                MouseWheelUnit::Point => camera.panned(*delta),
                _ if modifiers.shift => camera.panned(vec2(delta.y, delta.x) * 48.0),
                _ => camera.notched(view, pointer, delta.y),
            };
        }
    });
    camera
}

/// Whether a primary drag over the canvas moves the view rather than working a tool.
#[must_use]
pub fn is_panning(ui: &Ui, space_pans: bool) -> bool {
    let middle = ui.input(|input| input.pointer.middle_down());
    middle || (space_pans && ui.input(|input| input.key_down(Key::Space)) && !ui.ctx().text_edit_focused())
}
