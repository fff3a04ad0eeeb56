//! All cameras of a world over time, and what each shows now.
//!
//! Invariant: the world's time moves them, however it passes: if it goes back, or jumps far ahead, they are at rest on
//! their targets at once.

use std::collections::BTreeMap;

use glam::DVec2;

use super::{CameraNow, CameraSpec, CameraTarget, Rig, shaken_by};
use crate::model::Name;

/// A longer step of time than this, in seconds, is a jump.
const JUMP_SECS: f64 = 2.0;

/// The view of a camera.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraView {
    /// The id of its entity; empty for the one defined by the constants alone.
    pub id: Name,
    /// The point of the level in the middle of its view, shake included, in pixels.
    pub center: DVec2,
    /// Width and height of the visible part of the level, in pixels.
    pub size: DVec2,
    /// Zoom: pixels of the picture per pixel of the level.
    pub zoom: f64,
    /// Left, top, width and height of its part of the picture, as shares 0 to 1.
    pub viewport: [f64; 4],
    /// Whether it follows a target that exists.
    pub has_target: bool,
    /// The middle of its dead zone, in pixels of the level.
    pub anchor: DVec2,
    /// The point that it follows: its target with the look-ahead, in pixels of the level.
    pub focus: DVec2,
    /// Width and height of its dead zone, in pixels of the level.
    pub dead_zone: DVec2,
    /// Left top and right bottom of the greatest area that it shows, in pixels of the level.
    pub bounds: Option<[DVec2; 2]>,
}

impl CameraView {
    /// Whether it is one of the level's own, not the one defined by the constants alone.
    #[must_use]
    pub fn is_placed(&self) -> bool {
        !self.id.is_empty()
    }
}

/// Cameras that follow a world.
#[derive(Clone, Debug, Default)]
pub struct CameraSet {
    rigs: BTreeMap<Name, Known>,
    /// The time of the world that they show, in seconds.
    secs: f64,
    views: Vec<CameraView>,
}

#[derive(Clone, Debug)]
struct Known {
    rig: Rig,
    spec: CameraSpec,
    picture: DVec2,
}

/// Whether a step of the world's time, in seconds, is a jump to another moment.
#[must_use]
pub fn is_jump(passed_secs: f64) -> bool {
    !(0.0..=JUMP_SECS).contains(&passed_secs)
}

impl CameraSet {
    /// Move the cameras to a moment, given their state then, the size of the game's picture in pixels, and the time of
    /// the world in seconds.
    pub fn follow(&mut self, cameras: &[CameraNow], picture: DVec2, secs: f64) {
        let passed = secs - self.secs;
        let is_jump = is_jump(passed);
        self.secs = secs;
        let mut before = std::mem::take(&mut self.rigs);
        self.views.clear();
        for camera in cameras {
            let [_, _, width, height] = camera.viewport;
            let part = picture * DVec2::new(width, height);
            let spec = &camera.spec;
            let at_rest = |target: Option<CameraTarget>| {
                let target = target.unwrap_or(CameraTarget { pos: camera.home, vel: DVec2::ZERO });
                Rig::at_rest(spec, target, part)
            };
            let rig = match before.remove(&camera.id) {
                Some(_) if is_jump && camera.target.is_some() => at_rest(camera.target),
                Some(mut known) => {
                    if passed > 0.0 && !is_jump {
                        known.rig.advance(spec, camera.target, part, passed);
                    } else if known.spec != *spec || known.picture != part {
                        known.rig.adjust(spec, part);
                    }
                    known.rig
                }
                None => at_rest(camera.target),
            };
            self.views.push(view(camera, &rig, part, secs));
            self.rigs.insert(camera.id.clone(), Known { rig, spec: spec.clone(), picture: part });
        }
    }

    /// Whether any of them is the level's own, or follows a target that exists.
    #[must_use]
    pub fn is_any_there(&self) -> bool {
        self.views.iter().any(|view| view.is_placed() || view.has_target)
    }

    /// The view of each camera, in drawing order.
    #[must_use]
    pub fn views(&self) -> &[CameraView] {
        &self.views
    }
}

fn view(camera: &CameraNow, rig: &Rig, part: DVec2, secs: f64) -> CameraView {
    let shake = camera.shaken_at.map(|at| shaken_by(camera.shake, &camera.id, secs - at, secs));
    CameraView {
        id: camera.id.clone(),
        center: rig.center() + shake.unwrap_or_default(),
        size: part / rig.zoom(),
        zoom: rig.zoom(),
        viewport: camera.viewport,
        has_target: camera.target.is_some(),
        anchor: rig.anchor(),
        focus: rig.focus(),
        dead_zone: camera.spec.dead_zone,
        bounds: camera.spec.bounds,
    }
}
