//! One camera over time: where the middle of its view is, and how large it shows things.
//!
//! Invariant: the view never reaches beyond its bounds, unless these are smaller than it: then it is in their middle.
//! Whatever is handed in, the center and the zoom stay finite.

use glam::DVec2;

use super::{CameraTarget, Rail};
use crate::sim::{
    limits,
    motion::{smooth_damp, smooth_damp_point},
};

/// The longest step that is computed at once, in seconds. Longer ones are cut, so that slow frames move a camera as
/// fast ones do.
const STEP_SECS: f64 = 1.0 / 120.0;
/// The most steps that are computed for one call.
const MAX_STEPS: f64 = 240.0;
/// No time that a camera computes with is longer, in seconds.
const LONGEST_SECS: f64 = 1e3;
/// The smallest and the largest zoom.
const ZOOMS: [f64; 2] = [1.0 / 64.0, 64.0];

/// What a camera does, with every default applied. Lengths are in pixels of the level.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraSpec {
    /// About the time it takes to arrive.
    pub smooth_secs: f64,
    /// How fast it follows at most, in pixels a second.
    pub max_speed: f64,
    /// Width and height of the part in the middle of the view in which the target moves without it.
    pub dead_zone: DVec2,
    /// How it looks ahead of the target.
    pub look_ahead: LookAhead,
    /// Left top and right bottom of what it shows at most.
    pub bounds: Option<[DVec2; 2]>,
    /// How large it shows things.
    pub zoom: Zoom,
    /// What it moves on.
    pub rail: Option<Rail>,
}

/// How a camera looks ahead of its target.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookAhead {
    /// It looks where the target would be after so long.
    pub secs: f64,
    /// About the time it takes until it does.
    pub smooth_secs: f64,
    /// How far ahead at most, in pixels.
    pub max_px: f64,
}

/// How large a camera shows things: pixels of the picture for one of the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Zoom {
    /// While the target is slow.
    pub slow: f64,
    /// While it is fast.
    pub fast: f64,
    /// The speeds between which it goes from the one to the other, in pixels a second. Where the second is not greater,
    /// it stays `slow`.
    pub speeds: [f64; 2],
    /// About the time it takes.
    pub smooth_secs: f64,
}

impl Zoom {
    /// The zoom for a speed, in pixels a second.
    fn at(&self, speed: f64) -> f64 {
        let [from, to] = self.speeds;
        let share = if to > from { ((speed - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
        // As much nearer for each part of the way: by its logarithm.
        let [slow, fast] = [self.slow, self.fast].map(|zoom| usable(zoom).ln());
        (slow + (fast - slow) * share).exp()
    }
}

/// The nearest zoom there can be.
fn usable(zoom: f64) -> f64 {
    let [least, most] = ZOOMS;
    if zoom.is_finite() { zoom.clamp(least, most) } else { 1.0 }
}

impl CameraSpec {
    /// Where the view looks ahead of a target, from it.
    fn ahead(&self, target: &CameraTarget) -> DVec2 {
        let usable = |x: f64, most: f64| if x.is_nan() { 0.0 } else { x.clamp(0.0, most) };
        let most = usable(self.look_ahead.max_px, f64::from(limits::MAX_POS_PX));
        (target.vel * usable(self.look_ahead.secs, LONGEST_SECS)).clamp_length_max(most)
    }

    /// Half the dead zone.
    fn half_zone(&self) -> DVec2 {
        let half = self.dead_zone / 2.0;
        let most = DVec2::splat(f64::from(limits::MAX_POS_PX));
        if half.is_finite() { half.clamp(DVec2::ZERO, most) } else { DVec2::ZERO }
    }
}

/// A camera that follows.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    center: DVec2,
    vel: DVec2,
    /// The middle of the dead zone: where the center goes.
    anchor: DVec2,
    ahead: DVec2,
    ahead_vel: DVec2,
    /// The logarithm of the zoom.
    zoom_ln: f64,
    zoom_vel: f64,
    /// How far along its rail it is, and how fast it goes there.
    along: Option<(f64, f64)>,
    last: CameraTarget,
}

impl Rig {
    /// A camera at rest on its target. `picture` is the size of what it is shown in, in pixels.
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

    /// Follow a target for a time in seconds; none that is there any more leaves the camera where it was going.
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
            // Between two frames the target moves evenly.
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
        // Inside of the dead zone the target moves alone; at its edge it takes the zone along.
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
        // What is stopped by the bounds has no speed left along that axis.
        self.vel = DVec2::select(center.cmpeq(self.center), self.vel, DVec2::ZERO);
        self.center = center;
    }

    /// Time stands still: what was changed of the zoom and the bounds counts at once, and the target may be elsewhere.
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

    /// The middle of its dead zone: where the center goes.
    #[must_use]
    pub fn anchor(&self) -> DVec2 {
        self.anchor
    }

    /// The point it follows: ahead of its target, where it looks ahead.
    #[must_use]
    pub fn focus(&self) -> DVec2 {
        self.last.pos + self.ahead
    }

    /// Pixels of the picture for one of the level.
    #[must_use]
    pub fn zoom(&self) -> f64 {
        self.zoom_ln.exp()
    }

    fn bounded(&self, spec: &CameraSpec, center: DVec2, picture: DVec2) -> DVec2 {
        spec.bounds.map_or(center, |bounds| within(bounds, picture / self.zoom() / 2.0, center))
    }
}

/// The nearest center of a view of half a size that shows nothing beyond bounds; their middle along an axis on which
/// they are smaller than it.
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
    /// It, where it is finite; else another. Never farther away or faster than anything in a world.
    fn or(self, other: Self) -> Self {
        let most = DVec2::splat(f64::from(limits::MAX_POS_PX));
        let fastest = DVec2::splat(f64::from(limits::MAX_SPEED_PX_S));
        let pos = if self.pos.is_finite() { self.pos } else { other.pos };
        let vel = if self.vel.is_finite() { self.vel } else { other.vel };
        Self { pos: pos.clamp(-most, most), vel: vel.clamp(-fastest, fastest) }
    }
}
