//! Cameras at a moment: what each does, with its fields and the constants of the page `Camera` applied, and what it
//! follows.
//!
//! Invariant: without a placed camera there is one that the constants alone make, so there is always at least one.

use glam::DVec2;

use super::{CameraSpec, CameraTarget, LookAhead, Rail, Shake, Zoom, target::on_level};
use crate::{
    model::{LayerLook, Name},
    sim::components::CameraFields,
};

/// The most cameras that are shown; those drawn first count.
const MOST: usize = 16;

/// The constants of the page `Camera`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CameraConstants {
    /// `follow`: without a placed camera, the entity with `CameraTarget` is followed.
    pub follows: bool,
    /// `width` and `height` of the game's picture, in pixels.
    pub picture: DVec2,
    /// `smooth_time`, in seconds.
    pub smooth_secs: f64,
    /// `max_speed`, in pixels a second.
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
    /// The id of its entity; empty for the one that the constants alone make.
    pub id: Name,
    /// What it does.
    pub spec: CameraSpec,
    /// What it follows, if that is there.
    pub target: Option<CameraTarget>,
    /// Where it stands by itself.
    pub home: DVec2,
    /// How it is shaken.
    pub shake: Shake,
    /// When it was shaken last, in seconds of the world.
    pub shaken_at: Option<f64>,
    /// Left, top, width and height of its part of the picture, as shares of that.
    pub viewport: [f64; 4],
    /// Those of greater order are drawn later.
    pub order: i64,
}

/// A camera where it is in a level.
pub(in crate::sim) struct Seat<'a> {
    pub(in crate::sim) id: &'a Name,
    pub(in crate::sim) fields: &'a CameraFields,
    /// Where the level places it on its layer and how it is rotated there, in degrees: its area and rail go from there.
    pub(in crate::sim) placed: ([f64; 2], f64),
    /// How its layer is drawn.
    pub(in crate::sim) look: Option<LayerLook>,
    /// Where it is.
    pub(in crate::sim) at: CameraTarget,
    pub(in crate::sim) target: Option<CameraTarget>,
    pub(in crate::sim) shaken_at: Option<f64>,
}

/// What all cameras of a level have around them.
pub(in crate::sim) struct Surroundings<'a> {
    pub(in crate::sim) constants: &'a CameraConstants,
    /// The level's left, top, right and bottom, where it has bounds.
    pub(in crate::sim) bounds: Option<[f64; 4]>,
    /// The first entity with `CameraTarget`.
    pub(in crate::sim) first: Option<CameraTarget>,
}

/// The cameras of a level, those that are drawn first first.
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

/// The camera that the constants alone make.
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
    // Its points go from where it is placed, on its layer.
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

/// What a camera follows, of those that are there: the one of the id that its field has; without, itself if it is a
/// `CameraTarget`, else the first that is.
pub(in crate::sim) fn target_of<K>(
    field: &str,
    itself: Option<K>,
    by_id: impl Fn(&str) -> Option<K>,
    first: impl Fn() -> Option<K>,
) -> Option<K> {
    if field.is_empty() { itself.or_else(first) } else { by_id(field) }
}
