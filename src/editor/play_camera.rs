//! Who moves the view of the Level pane while its level plays: the game's camera, one that follows an entity, or the
//! user's hand.
//!
//! Invariant: it passes time of the world, so the view stands still while that is paused, and the hand that moves it
//! then moves it alone.

use glam::DVec2;

use super::Camera;
use crate::{
    model::Name,
    sim::{
        World,
        camera::{
            CameraConstants, CameraNow, CameraSet, CameraSpec, CameraTarget, CameraView, LookAhead, Rig, Zoom, is_jump,
        },
    },
};

/// Who moves the view of the Level pane while its level plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CameraMode {
    /// The game's camera: the view is the game's.
    #[default]
    Game,
    /// One that follows an entity.
    Follow,
    /// The hand alone.
    Free,
}

/// The view of the Level pane while its level plays.
#[derive(Clone, Debug)]
pub struct PlayCamera {
    mode: CameraMode,
    /// The entity that [`CameraMode::Follow`] follows.
    followed: Option<Name>,
    rig: Option<Rig>,
    /// The time of the world that it shows.
    secs: f64,
    /// Another mode was chosen since it moved last.
    is_chosen: bool,
}

impl PlayCamera {
    /// That of a level that begins to play: the game's, where that follows something or is placed.
    #[must_use]
    pub fn new(game: &CameraSet) -> Self {
        let mode = if game.is_any_there() { CameraMode::Game } else { CameraMode::Free };
        Self { mode, followed: None, rig: None, secs: 0.0, is_chosen: false }
    }

    /// Who moves the view.
    #[must_use]
    pub fn mode(&self) -> CameraMode {
        self.mode
    }

    /// The entity that is followed.
    #[must_use]
    pub fn followed(&self) -> Option<&Name> {
        self.followed.as_ref().filter(|_| self.mode == CameraMode::Follow)
    }

    /// The game's camera that the view is to be as; none where the user chooses how large things are.
    #[must_use]
    pub fn game_view<'a>(&self, game: &'a CameraSet) -> Option<&'a CameraView> {
        game.views().first().filter(|view| self.mode == CameraMode::Game && view.is_placed())
    }

    /// Have another one move the view; `followed` is the entity that [`CameraMode::Follow`] follows.
    pub(super) fn choose(&mut self, mode: CameraMode, followed: Option<Name>) {
        *self = Self { mode, followed, rig: None, secs: self.secs, is_chosen: true };
    }

    /// Follow the world, as it is drawn at a moment of its last tick, to a time in seconds of it. What is chosen while
    /// it is paused is looked at right away.
    pub(super) fn follow(
        &mut self,
        (world, moment): (&World, f32),
        (now, game): (&[CameraNow], &CameraSet),
        (secs, is_playing): (f64, bool),
        camera: &mut Camera,
    ) {
        let passed = secs - std::mem::replace(&mut self.secs, secs);
        let is_at_once = std::mem::take(&mut self.is_chosen) && !is_playing;
        if let Some(view) = self.game_view(game) {
            camera.center = view.center.as_vec2();
            return;
        }
        let (spec, target) = match (self.mode, now.first()) {
            (CameraMode::Game, Some(game)) => (CameraSpec { bounds: None, ..game.spec.clone() }, game.target),
            (CameraMode::Follow, _) => {
                let key = self.followed.as_ref().and_then(|id| world.by_id(id));
                (plain(&world.constants().camera), key.and_then(|key| world.seen_by_camera(key, moment)))
            }
            _ => return self.rig = None,
        };
        let at_rest = |target| Rig::at_rest(&spec, target, DVec2::ONE);
        match (&mut self.rig, target) {
            (_, Some(target)) if is_at_once => self.rig = Some(at_rest(target)),
            (None, _) => {
                // From where the view is.
                let here = CameraTarget { pos: camera.center.as_dvec2(), vel: DVec2::ZERO };
                self.rig = Some(at_rest(here));
                return;
            }
            (Some(_), _) if passed == 0.0 => return,
            (Some(rig), Some(target)) if is_jump(passed) => *rig = at_rest(target),
            (Some(rig), target) => rig.advance(&spec, target, DVec2::ONE, passed),
        }
        if let Some(rig) = &self.rig {
            camera.center = rig.center().as_vec2();
        }
    }
}

/// A camera that follows as the constants say, and does nothing else.
fn plain(constants: &CameraConstants) -> CameraSpec {
    CameraSpec {
        smooth_secs: constants.smooth_secs,
        max_speed: constants.max_speed,
        dead_zone: DVec2::ZERO,
        look_ahead: LookAhead::default(),
        bounds: None,
        zoom: Zoom { slow: 1.0, fast: 1.0, speeds: [0.0; 2], smooth_secs: 0.0 },
        rail: None,
    }
}
