//! The target of a camera.

use glam::DVec2;

use crate::model::LayerLook;

/// The target of a camera: its position (px of the level) and velocity (px/s).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CameraTarget {
    /// Position of its origin, px.
    pub pos: DVec2,
    /// Velocity, px/s.
    pub vel: DVec2,
}

impl CameraTarget {
    /// A target on a layer, converted to the coordinates of the level.
    pub(in crate::sim) fn on_layer(look: Option<&LayerLook>, pos: DVec2, vel: DVec2) -> Self {
        let at = on_level(look, pos);
        Self { pos: at, vel: on_level(look, pos + vel) - at }
    }
}

/// The point of the level at which the view has to be centered to show a point of a layer in its middle.
pub(super) fn on_level(look: Option<&LayerLook>, at: DVec2) -> DVec2 {
    look.map_or(at, |look| look.center_on(at.to_array()).into())
}
