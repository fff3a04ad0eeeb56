//! The component `Camera`, as it is declared: what it leaves open is the page `Camera`'s.

use glam::Vec2;

use super::Reader;
use crate::{
    defs::{Resolution, Resolved},
    model::Name,
};

/// The fields of the component; none of those that the constants give a value.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::sim) struct CameraFields {
    /// An id, or empty.
    pub(in crate::sim) target: Name,
    pub(in crate::sim) smooth_secs: Option<f64>,
    pub(in crate::sim) max_speed: Option<f64>,
    pub(in crate::sim) dead_zone: Option<[f64; 2]>,
    pub(in crate::sim) look_ahead: Option<f64>,
    pub(in crate::sim) look_ahead_max: Option<f64>,
    pub(in crate::sim) bounded: bool,
    /// From the entity, before it is rotated.
    pub(in crate::sim) area: Vec<Vec2>,
    /// The same.
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

/// The camera of an entity; none where it has none.
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
