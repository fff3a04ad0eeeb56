//! The values of the built-in tuning pages that the preview uses.
//!
//! Invariant: a constant without a value, or with one of another type, has the value of the built-in page; there are no
//! other defaults.

use std::collections::BTreeMap;

use glam::{DVec2, Vec2};

use crate::{
    defs::Resolution,
    model::{Builtin, Name, Value, ValueSet},
    sim::{
        camera::{CameraConstants, LookAhead, Shake},
        components::FromValue,
        nav::{NEAR_ENOUGH, SAME_FLOOR_PX},
        physics::SolverConfig,
    },
};

/// Constants of the built-in tuning pages, see `schemas/tuning/`.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    pub(super) gravity: f32,
    pub(super) pixels_per_meter: f32,
    pub(super) top_down_damping: f32,
    pub(super) contact_speed: f32,
    pub(super) crush_depth: f32,
    pub(super) solver: SolverConfig,
    pub(super) expansions_per_tick: f32,
    pub(super) turn_penalty: f32,
    pub(super) path_weight: f32,
    pub(super) stuck_secs: f32,
    pub(super) pass_secs: f32,
    /// `Navigation.jump_tries`, at least 1.
    pub(super) jump_tries: u32,
    pub(super) arrive_distance: f32,
    pub(super) jump_ahead: f32,
    pub(super) up_jumps: bool,
    /// `Simulation.max_ticks_per_frame`
    pub max_ticks_per_frame: f64,
    /// The page `Camera`.
    pub camera: CameraConstants,
    pub(super) sound_volume: f64,
}

/// Distance within which a place counts as reached, in pixels: `Steering.arrive_distance`.
#[must_use]
pub fn arrive_px(resolution: &Resolution) -> f32 {
    constant(resolution, "Steering.arrive_distance")
}

/// Distance within which a place without room for the agent counts as reached, in pixels.
#[must_use]
pub fn reach_px(resolution: &Resolution) -> f32 {
    NEAR_ENOUGH * arrive_px(resolution)
}

/// Settings of path searches while a level is played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathTuning {
    /// `Navigation.weight`, at least 1.
    pub weight: f64,
    /// `Navigation.turn_penalty`, in plain steps.
    pub turn_penalty: f64,
}

impl PathTuning {
    fn new(weight: f32, turn_penalty: f32) -> Self {
        Self { weight: f64::from(weight).max(1.0), turn_penalty: f64::from(turn_penalty).max(0.0) }
    }

    /// The settings of a project.
    #[must_use]
    pub fn of(resolution: &Resolution) -> Self {
        Self::new(constant(resolution, "Navigation.weight"), constant(resolution, "Navigation.turn_penalty"))
    }
}

impl Constants {
    pub(super) fn path_tuning(&self) -> PathTuning {
        PathTuning::new(self.path_weight, self.turn_penalty)
    }

    /// Whether a walker seen from the side is at a place, given by its offset in pixels: on the same floor, or beside a
    /// body whose feet are `feet_px` below its origin.
    pub(super) fn is_there(&self, to: Vec2, feet_px: f32) -> bool {
        let is_level = to.y.abs() <= SAME_FLOOR_PX || (0.0..=feet_px + 1.0).contains(&to.y);
        to.x.abs() <= self.arrive_distance && is_level
    }

    pub(super) fn of(tuning: &BTreeMap<Name, Value>, builtin: &Builtin) -> Self {
        let constants = Values { tuning, builtin };
        Self {
            gravity: constants.get("Physics.gravity"),
            pixels_per_meter: constants.get("Physics.pixels_per_meter"),
            top_down_damping: constants.get("Physics.top_down_damping"),
            contact_speed: constants.get("Physics.contact_speed"),
            crush_depth: constants.get("Physics.crush_depth"),
            solver: SolverConfig {
                iterations: constants.get("Solver.iterations"),
                exact_pairs: constants.get("Solver.exact_pairs"),
                stiffness_hz: constants.get("Solver.contact_stiffness"),
                damping: constants.get("Solver.contact_damping"),
                push_out_speed: constants.get("Solver.push_out_speed"),
                sleep_speed: constants.get("Solver.sleep_speed"),
                sleep_secs: constants.get("Solver.sleep_secs"),
            },
            expansions_per_tick: constants.get("Navigation.expansions_per_tick"),
            turn_penalty: constants.get("Navigation.turn_penalty"),
            path_weight: constants.get("Navigation.weight"),
            stuck_secs: constants.get("Navigation.stuck_secs"),
            pass_secs: constants.get("Navigation.pass_secs"),
            jump_tries: whole(constants.get("Navigation.jump_tries")),
            arrive_distance: constants.get("Steering.arrive_distance"),
            jump_ahead: constants.get("Steering.jump_ahead"),
            up_jumps: constants.get("Controls.up_jumps"),
            max_ticks_per_frame: constants.get("Simulation.max_ticks_per_frame"),
            camera: camera(&|name| tuning.get(name), builtin),
            sound_volume: constants.get("Sound.volume"),
        }
    }
}

impl CameraConstants {
    /// The constants of a project, with values that are tried out overriding those in its files.
    #[must_use]
    pub fn of(resolution: &Resolution, tried: &ValueSet) -> Self {
        let own = |path: &str| tried.get(path).or_else(|| Some(&resolution.tunable(path)?.value));
        camera(&own, resolution.builtin())
    }
}

fn camera<'a>(own: &dyn Fn(&str) -> Option<&'a Value>, builtin: &Builtin) -> CameraConstants {
    let get = |name: &str| read::<f64>(own(name), builtin, name);
    CameraConstants {
        follows: read(own("Camera.follow"), builtin, "Camera.follow"),
        picture: DVec2::new(get("Camera.width"), get("Camera.height")).clamp(DVec2::ONE, DVec2::splat(MAX_PICTURE)),
        smooth_secs: get("Camera.smooth_time"),
        max_speed: get("Camera.max_speed"),
        dead_zone: DVec2::new(get("Camera.dead_zone_width"), get("Camera.dead_zone_height")),
        look_ahead: LookAhead {
            secs: get("Camera.look_ahead"),
            smooth_secs: get("Camera.look_ahead_smoothing"),
            max_px: get("Camera.look_ahead_max"),
        },
        zoom: get("Camera.zoom"),
        zoom_smooth_secs: get("Camera.zoom_smoothing"),
        shake: Shake {
            px: get("Camera.shake_px"),
            secs: get("Camera.shake_secs"),
            frequency_hz: get("Camera.shake_frequency"),
        },
    }
}

/// A small whole number.
fn whole(x: f32) -> u32 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let whole = x.clamp(1.0, 1e6) as u32;
    whole
}

/// The greatest side of the game's picture, in pixels.
const MAX_PICTURE: f64 = 16_384.0;

/// The values of a project's constants, by `Page.name`; without one, that of the built-in page.
struct Values<'a> {
    tuning: &'a BTreeMap<Name, Value>,
    builtin: &'a Builtin,
}

impl Values<'_> {
    fn get<T: FromValue>(&self, path: &str) -> T {
        read(self.tuning.get(path), self.builtin, path)
    }
}

/// Ticks per second, which the world reads once.
pub(super) fn hz_of(resolution: &Resolution) -> f64 {
    constant::<f64>(resolution, "Simulation.timestep_hz").clamp(10.0, 1000.0)
}

/// A constant of a project that the world reads once.
pub(super) fn constant<T: FromValue>(resolution: &Resolution, path: &str) -> T {
    read(resolution.tunable(path).map(|tunable| &tunable.value), resolution.builtin(), path)
}

fn read<T: FromValue>(own: Option<&Value>, builtin: &Builtin, path: &str) -> T {
    let default = || T::from_value(&builtin.tunable(path)?.value);
    own.and_then(T::from_value).or_else(default).unwrap_or_default()
}
