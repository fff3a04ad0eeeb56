//! The component `Camera`, as declared: missing fields are filled in from the page `Camera`.

use glam::Vec2;

use super::Reader;
use crate::{
    defs::{Resolution, Resolved},
    model::Name,
};

/// The fields of the component, without the values that the constants supply.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::sim) struct CameraFields {
    /// Id of the target, or empty.
    pub(in crate::sim) target: Name,
    pub(in crate::sim) smooth_secs: Option<f64>,
    pub(in crate::sim) max_speed: Option<f64>,
    pub(in crate::sim) dead_zone: Option<[f64; 2]>,
    pub(in crate::sim) look_ahead: Option<f64>,
    pub(in crate::sim) look_ahead_max: Option<f64>,
    pub(in crate::sim) bounded: bool,
    /// Corners of the area, in pixels relative to the entity, unrotated.
    pub(in crate::sim) area: Vec<Vec2>,
    /// Points of the rail, in pixels relative to the entity, unrotated.
    pub(in crate::sim) rail: Vec<Vec2>,
    pub(in crate::sim) zoom: Option<f64>,
    pub(in crate::sim) zoom_fast: Option<f64>,
    pub(in crate::sim) zoom_speeds: [f64; 2],
    pub(in crate::sim) shake_on: Vec<Name>,
    pub(in crate::sim) shake_px: Option<f64>,
    pub(in crate::sim) shake_secs: Option<f64>,
    pub(in crate::sim) viewport: [f64; 2],
    pub(in crate::sim) viewport_size: [f64; 2],
    pub(in crate::sim) order: i64,
}

/// The camera of an entity; `None` if it has none.
pub(in crate::sim) fn camera_fields(resolution: &Resolution, resolved: &Resolved) -> Option<CameraFields> {
    resolved.has("Camera").then(|| read(&Reader::new(resolution, Some(resolved), "Camera")))
}

pub(super) fn read(it: &Reader<'_>) -> CameraFields {
    CameraFields {
        target: it.get("target"),
        smooth_secs: it.get("smooth_time"),
        max_speed: it.get("max_speed"),
        dead_zone: it.get("dead_zone"),
        look_ahead: it.get("look_ahead"),
        look_ahead_max: it.get("look_ahead_max"),
        bounded: it.get("bounded"),
        area: it.get("area"),
        rail: it.get("rail"),
        zoom: it.get("zoom"),
        zoom_fast: it.get("zoom_fast"),
        zoom_speeds: it.get("zoom_speeds"),
        shake_on: it.get("shake_on"),
        shake_px: it.get("shake_px"),
        shake_secs: it.get("shake_secs"),
        viewport: it.get("viewport"),
        viewport_size: it.get("viewport_size"),
        order: it.get("order"),
    }
}
