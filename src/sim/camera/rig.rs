//! One camera over time: the middle of its view, and its zoom.
//!
//! Invariant: the view never reaches beyond its bounds, unless these are smaller than the view: then it is in their
//! middle. The center and the zoom stay finite for any input.

use glam::DVec2;

use super::{CameraTarget, Rail};
use crate::sim::{
    limits,
    motion::{smooth_damp, smooth_damp_point},
};

/// The longest step computed at once, in seconds. Longer ones are divided, so that the frame rate does not affect the
/// motion.
const STEP_SECS: f64 = 1.0 / 120.0;
/// The most steps computed per call.
const MAX_STEPS: f64 = 240.0;
/// The longest time that a camera computes with, in seconds.
const LONGEST_SECS: f64 = 1e3;
/// The smallest and the largest zoom.
const ZOOMS: [f64; 2] = [1.0 / 64.0, 64.0];

/// The settings of a camera, with every default applied. Lengths are in pixels of the level.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraSpec {
    /// Smoothing time: about the time that it takes to arrive, in seconds.
    pub smooth_secs: f64,
    /// The greatest speed, px/s.
    pub max_speed: f64,
    /// Width and height of the dead zone in the middle of the view, in which the target moves without the view.
    pub dead_zone: DVec2,
    /// Settings of the look-ahead.
    pub look_ahead: LookAhead,
    /// Left top and right bottom of the greatest area that it shows.
    pub bounds: Option<[DVec2; 2]>,
    /// Settings of the zoom.
    pub zoom: Zoom,
    /// The rail that it moves on.
    pub rail: Option<Rail>,
}

/// Look-ahead: how far a camera looks ahead of its target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookAhead {
    /// Time for which the target's motion is extrapolated, in seconds.
    pub secs: f64,
    /// Smoothing time of the look-ahead, in seconds.
    pub smooth_secs: f64,
    /// The greatest distance ahead, in pixels.
    pub max_px: f64,
}

/// Zoom: pixels of the picture per pixel of the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// Zoom while the target is slow.
    pub slow: f64,
    /// Zoom while the target is fast.
    pub fast: f64,
    /// The speeds between which the zoom changes from one to the other, px/s. If the second is not greater, the zoom
    /// stays `slow`.
    pub speeds: [f64; 2],
    /// Smoothing time of the zoom, in seconds.
    pub smooth_secs: f64,
}

impl Zoom {
    /// The zoom for a speed in px/s.
    fn at(&self, speed: f64) -> f64 {
        let [from, to] = self.speeds;
        let share = if to > from { ((speed - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
        // Equal factors for equal steps in speed: by the logarithm of the zoom.
        let [slow, fast] = [self.slow, self.fast].map(|zoom| usable(zoom).ln());
        (slow + (fast - slow) * share).exp()
    }
}

/// The nearest valid zoom.
fn usable(zoom: f64) -> f64 {
    let [least, most] = ZOOMS;
    if zoom.is_finite() { zoom.clamp(least, most) } else { 1.0 }
}

impl CameraSpec {
    /// The offset of the look-ahead from a target, in pixels.
    fn ahead(&self, target: &CameraTarget) -> DVec2 {
        let usable = |x: f64, most: f64| if x.is_nan() { 0.0 } else { x.clamp(0.0, most) };
        let most = usable(self.look_ahead.max_px, f64::from(limits::MAX_POS_PX));
        (target.vel * usable(self.look_ahead.secs, LONGEST_SECS)).clamp_length_max(most)
    }

    /// Half the size of the dead zone, in pixels.
    fn half_zone(&self) -> DVec2 {
        let half = self.dead_zone / 2.0;
        let most = DVec2::splat(f64::from(limits::MAX_POS_PX));
        if half.is_finite() { half.clamp(DVec2::ZERO, most) } else { DVec2::ZERO }
    }
}

/// A camera that follows a target.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    center: DVec2,
    vel: DVec2,
    /// The middle of the dead zone, toward which the center moves, in pixels.
    anchor: DVec2,
    ahead: DVec2,
    ahead_vel: DVec2,
    /// The logarithm of the zoom.
    zoom_ln: f64,
    zoom_vel: f64,
    /// Position along its rail (px) and speed along it (px/s).
    along: Option<(f64, f64)>,
    last: CameraTarget,
}

impl Rig {
    /// A camera at rest on its target. `picture` is the size of its picture, in pixels.
    #[must_use]
    pub fn at_rest(spec: &CameraSpec, target: CameraTarget, picture: DVec2) -> Self {
        let last = target.or(CameraTarget::default());
        let ahead = spec.ahead(&last);
        let zoom = spec.zoom.at(last.vel.length());
        let mut rig = Self {
            center: last.pos,
            vel: DVec2::ZERO,
            anchor: last.pos + ahead,
            ahead,
            ahead_vel: DVec2::ZERO,
            zoom_ln: zoom.ln(),
            zoom_vel: 0.0,
            along: None,
            last,
        };
        rig.anchor = rig.bounded(spec, rig.anchor, picture);
        rig.center = rig.anchor;
        if let Some(rail) = &spec.rail {
            let along = rail.nearest(rig.anchor);
            rig.along = Some((along, 0.0));
            rig.center = rig.bounded(spec, rail.at(along), picture);
        }
        rig
    }

    /// Follow a target for a time in seconds; if it no longer exists, the camera continues to where it was moving.
    pub fn advance(&mut self, spec: &CameraSpec, target: Option<CameraTarget>, picture: DVec2, dt_secs: f64) {
        if !(dt_secs.is_finite() && dt_secs > 0.0) {
            return;
        }
        let from = self.last;
        let to = target.map_or(CameraTarget { vel: DVec2::ZERO, ..from }, |target| target.or(from));
        let secs = dt_secs.min(LONGEST_SECS);
        let n = (secs / STEP_SECS).ceil().clamp(1.0, MAX_STEPS);
        let step = secs / n;
        let mut i = 0.0;
        while i < n {
            i += 1.0;
            // Between two frames the target is assumed to move at constant velocity.
            let now = CameraTarget { pos: from.pos.lerp(to.pos, i / n), vel: to.vel };
            self.step(spec, &now, picture, step);
        }
        self.last = to;
    }

    fn step(&mut self, spec: &CameraSpec, target: &CameraTarget, picture: DVec2, dt: f64) {
        let zoom = spec.zoom.at(target.vel.length()).ln();
        self.zoom_ln = smooth_damp(self.zoom_ln, zoom, &mut self.zoom_vel, spec.zoom.smooth_secs, f64::MAX, dt);
        let ahead = spec.ahead(target);
        let secs = spec.look_ahead.smooth_secs;
        self.ahead = smooth_damp_point(self.ahead, ahead, &mut self.ahead_vel, secs, f64::MAX, dt);
        let (focus, half) = (target.pos + self.ahead, spec.half_zone());
        // Inside the dead zone the target moves alone; at its edge it moves the zone.
        self.anchor = self.bounded(spec, self.anchor.clamp(focus - half, focus + half), picture);
        let (smooth, max_speed) = (spec.smooth_secs, spec.max_speed);
        match &spec.rail {
            Some(rail) => {
                let goal = rail.nearest(self.anchor);
                let (mut along, mut vel) = self.along.unwrap_or_else(|| (rail.nearest(self.center), 0.0));
                along = smooth_damp(along, goal, &mut vel, smooth, max_speed, dt);
                self.along = Some((along, vel));
                self.center = rail.at(along);
                self.vel = DVec2::ZERO;
            }
            None => {
                self.along = None;
                self.center = smooth_damp_point(self.center, self.anchor, &mut self.vel, smooth, max_speed, dt);
            }
        }
        let center = self.bounded(spec, self.center, picture);
        // A motion stopped by the bounds has no speed left along that axis.
        self.vel = DVec2::select(center.cmpeq(self.center), self.vel, DVec2::ZERO);
        self.center = center;
    }

    /// Apply changes of zoom and bounds at once while time stands still, when the target may also be at another place.
    pub fn adjust(&mut self, spec: &CameraSpec, picture: DVec2) {
        self.zoom_ln = spec.zoom.at(self.last.vel.length()).ln();
        self.zoom_vel = 0.0;
        self.center = self.bounded(spec, self.center, picture);
    }

    /// The middle of its view, in pixels of the level.
    #[must_use]
    pub fn center(&self) -> DVec2 {
        self.center
    }

    /// The middle of its dead zone, toward which the center moves, in pixels of the level.
    #[must_use]
    pub fn anchor(&self) -> DVec2 {
        self.anchor
    }

    /// The point that it follows: its target with the look-ahead, in pixels of the level.
    #[must_use]
    pub fn focus(&self) -> DVec2 {
        self.last.pos + self.ahead
    }

    /// Zoom: pixels of the picture per pixel of the level.
    #[must_use]
    pub fn zoom(&self) -> f64 {
        self.zoom_ln.exp()
    }

    fn bounded(&self, spec: &CameraSpec, center: DVec2, picture: DVec2) -> DVec2 {
        spec.bounds.map_or(center, |bounds| within(bounds, picture / self.zoom() / 2.0, center))
    }
}

/// The nearest center of a view of this half size that shows nothing beyond the bounds; their middle along an axis on
/// which they are smaller than the view.
#[must_use]
pub fn within([lo, hi]: [DVec2; 2], half: DVec2, center: DVec2) -> DVec2 {
    if !(lo.is_finite() && hi.is_finite()) {
        return center;
    }
    let keep = |at: f64, lo: f64, hi: f64, half: f64| {
        if hi - lo <= 2.0 * half { f64::midpoint(lo, hi) } else { at.max(lo + half).min(hi - half) }
    };
    DVec2::new(keep(center.x, lo.x, hi.x, half.x), keep(center.y, lo.y, hi.y, half.y))
}

impl CameraTarget {
    /// The value if it is finite, else the other. Limited to the positions and speeds possible in a world.
    fn or(self, other: Self) -> Self {
        let most = DVec2::splat(f64::from(limits::MAX_POS_PX));
        let fastest = DVec2::splat(f64::from(limits::MAX_SPEED_PX_S));
        let pos = if self.pos.is_finite() { self.pos } else { other.pos };
        let vel = if self.vel.is_finite() { self.vel } else { other.vel };
        Self { pos: pos.clamp(-most, most), vel: vel.clamp(-fastest, fastest) }
    }
}
