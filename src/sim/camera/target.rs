//! What a camera follows.

use glam::DVec2;

use crate::model::LayerLook;

/// What a camera follows: where it is and how fast it goes, in pixels of the level and pixels a second.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CameraTarget {
    /// Its origin.
    pub pos: DVec2,
    /// Its velocity.
    pub vel: DVec2,
}

impl CameraTarget {
    /// Something on a layer, as it is in the level.
    pub(in crate::sim) fn on_layer(look: Option<&LayerLook>, pos: DVec2, vel: DVec2) -> Self {
        let at = on_level(look, pos);
        Self { pos: at, vel: on_level(look, pos + vel) - at }
    }
}

/// The point of the level that has a point of a layer in the middle of the view.
pub(super) fn on_level(look: Option<&LayerLook>, at: DVec2) -> DVec2 {
    look.map_or(at, |look| look.center_on(at.to_array()).into())
}
