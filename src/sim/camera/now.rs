//! Cameras at a moment: the settings of each, with its fields and the constants of the page `Camera` applied, and its
//! target.
//!
//! Invariant: without a placed camera there is one defined by the constants alone, so there is always at least one.

use glam::DVec2;

use super::{CameraSpec, CameraTarget, LookAhead, Rail, Shake, Zoom, target::on_level};
use crate::{
    model::{LayerLook, Name},
    sim::components::CameraFields,
};

/// The most cameras that are shown; the first in drawing order are kept.
const MOST: usize = 16;

/// The constants of the page `Camera`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraConstants {
    /// `follow`: whether, without a placed camera, the entity with `CameraTarget` is followed.
    pub follows: bool,
    /// `width` and `height` of the game's picture, in pixels.
    pub picture: DVec2,
    /// `smooth_time`, in seconds.
    pub smooth_secs: f64,
    /// `max_speed`, px/s.
    pub max_speed: f64,
    /// `dead_zone_width` and `dead_zone_height`, in pixels.
    pub dead_zone: DVec2,
    /// `look_ahead`, `look_ahead_smoothing` and `look_ahead_max`.
    pub look_ahead: LookAhead,
    /// `zoom`.
    pub zoom: f64,
    /// `zoom_smoothing`, in seconds.
    pub zoom_smooth_secs: f64,
    /// `shake_px`, `shake_secs` and `shake_frequency`.
    pub shake: Shake,
}

/// A camera at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraNow {
    /// The id of its entity; empty for the one defined by the constants alone.
    pub id: Name,
    /// Its settings.
    pub spec: CameraSpec,
    /// Its target, if that exists.
    pub target: Option<CameraTarget>,
    /// Its own position, in pixels.
    pub home: DVec2,
    /// The settings of its shake.
    pub shake: Shake,
    /// When it was last shaken, in seconds of the world.
    pub shaken_at: Option<f64>,
    /// Left, top, width and height of its part of the picture, as shares 0 to 1.
    pub viewport: [f64; 4],
    /// Drawing order: cameras of greater order are drawn later.
    pub order: i64,
}

/// A camera and its place in a level.
pub(in crate::sim) struct Seat<'a> {
    pub(in crate::sim) id: &'a Name,
    pub(in crate::sim) fields: &'a CameraFields,
    /// Its place in the level on its layer (px) and its rotation (degrees), from which its area and rail are measured.
    pub(in crate::sim) placed: ([f64; 2], f64),
    /// How its layer is drawn.
    pub(in crate::sim) look: Option<LayerLook>,
    /// Its present position and velocity.
    pub(in crate::sim) at: CameraTarget,
    pub(in crate::sim) target: Option<CameraTarget>,
    pub(in crate::sim) shaken_at: Option<f64>,
}

/// The data of a level that all its cameras use.
pub(in crate::sim) struct Surroundings<'a> {
    pub(in crate::sim) constants: &'a CameraConstants,
    /// The level's left, top, right and bottom in pixels, if it has bounds.
    pub(in crate::sim) bounds: Option<[f64; 4]>,
    /// The first entity with `CameraTarget`.
    pub(in crate::sim) first: Option<CameraTarget>,
}

/// The cameras of a level, in drawing order.
pub(in crate::sim) fn cameras_of<'a>(
    seats: impl Iterator<Item = Seat<'a>>,
    around: &Surroundings<'_>,
) -> Vec<CameraNow> {
    let mut all: Vec<CameraNow> = seats.map(|seat| seated(&seat, around)).collect();
    all.sort_by(|a, b| (a.order, &a.id).cmp(&(b.order, &b.id)));
    all.truncate(MOST);
    if all.is_empty() {
        all.push(constant(around));
    }
    all
}

/// The camera defined by the constants alone.
fn constant(around: &Surroundings<'_>) -> CameraNow {
    let it = around.constants;
    let bounds = around.bounds.map(corners);
    CameraNow {
        id: Name::default(),
        spec: CameraSpec {
            smooth_secs: it.smooth_secs,
            max_speed: it.max_speed,
            dead_zone: it.dead_zone,
            look_ahead: it.look_ahead,
            bounds,
            zoom: Zoom { slow: it.zoom, fast: it.zoom, speeds: [0.0; 2], smooth_secs: it.zoom_smooth_secs },
            rail: None,
        },
        target: around.first.filter(|_| it.follows),
        home: bounds.map_or(DVec2::ZERO, |[lo, hi]| lo.midpoint(hi)),
        shake: it.shake,
        shaken_at: None,
        viewport: [0.0, 0.0, 1.0, 1.0],
        order: 0,
    }
}

fn seated(seat: &Seat<'_>, around: &Surroundings<'_>) -> CameraNow {
    let (it, page) = (seat.fields, around.constants);
    let (origin, degrees) = seat.placed;
    let (sin, cos) = degrees.to_radians().sin_cos();
    // Its points are relative to its place, on its layer.
    let in_level = |at: &glam::Vec2| {
        let [x, y] = [f64::from(at.x), f64::from(at.y)];
        on_level(seat.look.as_ref(), DVec2::new(origin[0] + cos * x - sin * y, origin[1] + sin * x + cos * y))
    };
    let area = it.area.iter().map(in_level).map(|at| [at, at]).reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
    let zoom = it.zoom.unwrap_or(page.zoom);
    let [x, y] = it.viewport.map(|share| share.clamp(0.0, 1.0));
    let [width, height] = it.viewport_size;
    CameraNow {
        id: seat.id.clone(),
        spec: CameraSpec {
            smooth_secs: it.smooth_secs.unwrap_or(page.smooth_secs),
            max_speed: it.max_speed.unwrap_or(page.max_speed),
            dead_zone: it.dead_zone.map_or(page.dead_zone, Into::into),
            look_ahead: LookAhead {
                secs: it.look_ahead.unwrap_or(page.look_ahead.secs),
                max_px: it.look_ahead_max.unwrap_or(page.look_ahead.max_px),
                ..page.look_ahead
            },
            bounds: if it.bounded { area.or(around.bounds.map(corners)) } else { None },
            zoom: Zoom {
                slow: zoom,
                fast: it.zoom_fast.unwrap_or(zoom),
                speeds: it.zoom_speeds,
                smooth_secs: page.zoom_smooth_secs,
            },
            rail: Rail::new(it.rail.iter().map(in_level)),
        },
        target: seat.target,
        home: seat.at.pos,
        shake: Shake {
            px: it.shake_px.unwrap_or(page.shake.px),
            secs: it.shake_secs.unwrap_or(page.shake.secs),
            ..page.shake
        },
        shaken_at: seat.shaken_at,
        viewport: [x, y, width.clamp(0.0, 1.0 - x), height.clamp(0.0, 1.0 - y)],
        order: it.order,
    }
}

fn corners([left, top, right, bottom]: [f64; 4]) -> [DVec2; 2] {
    [DVec2::new(left, top), DVec2::new(right, bottom)]
}

/// The target of a camera, of the entities that exist: the one with the id in its field; without an id, its own entity
/// if that is a `CameraTarget`, else the first that is.
pub(in crate::sim) fn target_of<K>(
    field: &str,
    itself: Option<K>,
    by_id: impl Fn(&str) -> Option<K>,
    first: impl Fn() -> Option<K>,
) -> Option<K> {
    if field.is_empty() { itself.or_else(first) } else { by_id(field) }
}
