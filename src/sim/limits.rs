//! Limits of the preview: the greatest values that it computes with and the most work in a tick, each with its reason.
//! Values beyond are limited and reported; a tick that needs more work is cut short and pauses the preview.
//!
//! Invariant: limits count values and work, never time, so every machine behaves the same. The ranges of the built-in
//! schema are within these, so `check` marks values that the preview would limit. `tests/core/limits.rs` compares both,
//! and requires a row here, or a reason to have none, for each number that the built-in schema declares.

use glam::Vec2;

use crate::model::{Value, nearest_within};

/// The greatest distance from the origin along each axis, in pixels. Beyond it neighboring `f32` values are more than a
/// quarter of a pixel apart, and contacts, which need fractions of a pixel, mean nothing.
pub const MAX_POS_PX: f32 = 4_194_304.0;
/// The greatest speed along each axis, px/s. At 64 Hz that is 1024 px a tick; the solids within one tick's reach are
/// gathered for each mover, so the cost of a tick grows with the square of the speed.
pub const MAX_SPEED_PX_S: f32 = 65_536.0;
/// The greatest spin, rad/s: thousands of turns a second, while one turn a tick already looks like none.
pub const MAX_SPIN_RAD_S: f32 = 100_000.0;
/// The greatest acceleration, px/s²: from rest to the greatest speed within a tick at 64 Hz.
pub const MAX_ACCELERATION_PX_S2: f32 = 4_194_304.0;
/// The greatest side of a shape and the greatest offset of one, in pixels; as large as a large level.
const MAX_SIZE_PX: f64 = 65_536.0;
/// The least side of a shape, in pixels: its area, squared, is still a normal `f32`.
const MIN_SIZE_PX: f64 = 1e-3;
/// The longest delay, in seconds: eleven days.
pub const MAX_DELAY_SECS: f64 = 1e6;
/// The greatest number that is only added and compared, such as hit points. Whole numbers are exact up to it.
pub const MAX_COUNT: f64 = 1e15;

/// The most shapes of a collider. Each is a collider in the solver, and a pair of bodies compares each with each.
pub const MAX_PARTS: usize = 32;

/// The most entities in a world. Each costs a few kilobytes and some microseconds a tick.
pub const MAX_ENTITIES: usize = 50_000;
/// The most messages delivered, and entities spawned, in one tick.
pub const MAX_DELIVERIES: usize = 10_000;
/// The most messages that wait for delivery.
pub const MAX_MAIL: usize = 250_000;
/// The most machines one entity runs or has in its queue.
pub const MAX_MACHINES: usize = 256;
/// The most elementary steps of machines in a tick: candidates examined, cells crossed by lines of sight, responses.
/// Each takes tens of nanoseconds, so the worst tick takes about a second.
pub const MAX_WORK: u64 = 50_000_000;
/// The most pairs of bodies near each other in a tick. Each costs the solver some hundred bytes and up to a
/// microsecond.
pub const MAX_PAIRS: usize = 500_000;
/// The most solids that all walkers and flyers together examine in a tick.
pub const MAX_NEAR: usize = 2_000_000;

/// The most automatic links of a waypoint layer that the preview and the command line compute with. If more pairs of
/// nodes would have to be tested, the longest are left out.
pub const MAX_LINKS: usize = 250_000;
/// The most links of a waypoint layer that are drawn; more could not be distinguished.
pub const MAX_DRAWN_LINKS: usize = 20_000;

/// The greatest weight of the estimate in a search for a path; beyond it searches are hardly quicker.
pub const MAX_PATH_WEIGHT: f64 = 10.0;
/// The most goals of one order, of which the nearest is taken.
pub const MAX_GOALS: usize = 64;

/// Work in [`MAX_WORK`] of one response of a machine, besides the candidates it examines.
pub const RESPONSE_WORK: u64 = 20;

/// Ranges of the fields that the preview computes with, as `Component.field`.
const FIELDS: &[(&str, &str, f64, f64)] = &[
    ("Body", "mass", 1e-6, 1e9),
    ("Body", "gravity_scale", -1e3, 1e3),
    ("Body", "damping", 0.0, 1e5),
    ("Body", "spin_damping", 0.0, 1e5),
    ("Body", "velocity", -SPEED, SPEED),
    ("Body", "spin", -SPIN_DEG_S, SPIN_DEG_S),
    ("Collider", "shape", MIN_SIZE_PX, MAX_SIZE_PX),
    ("Collider", "offset", -MAX_SIZE_PX, MAX_SIZE_PX),
    ("Collider", "friction", 0.0, 1e3),
    ("Collider", "restitution", 0.0, 1.0),
    ("Walker", "speed", -SPEED, SPEED),
    ("Walker", "acceleration", -ACCELERATION, ACCELERATION),
    ("Walker", "braking", 0.0, 1e3),
    ("Walker", "turning", 0.0, 1e3),
    ("Walker", "air_control", 0.0, 1e3),
    ("Walker", "jump_speed", -SPEED, SPEED),
    ("Walker", "jump_cut", 0.0, 1.0),
    ("Walker", "jump_buffer_secs", 0.0, MAX_DELAY_SECS),
    ("Walker", "fall_gravity", 0.0, 1e3),
    ("Walker", "max_fall_speed", 1e-3, SPEED),
    ("Walker", "apex_speed", 0.0, SPEED),
    ("Walker", "apex_gravity", 1e-3, 1e3),
    ("Walker", "max_slope", 0.0, 89.9),
    ("Walker", "step_height", 0.0, 4096.0),
    ("Walker", "coyote_secs", 0.0, MAX_DELAY_SECS),
    ("Walker", "air_jumps", 0.0, 1e6),
    ("Walker", "corner_correction", 0.0, 64.0),
    ("Walker", "momentum", 0.0, 1e3),
    ("Walker", "momentum_secs", 0.0, MAX_DELAY_SECS),
    ("WallJump", "slide_speed", 0.0, SPEED),
    ("WallJump", "jump", 0.0, SPEED),
    ("WallJump", "grace_secs", 0.0, MAX_DELAY_SECS),
    ("WallJump", "lock_secs", 0.0, MAX_DELAY_SECS),
    ("Dash", "speed", 0.0, SPEED),
    ("Dash", "secs", 0.0, MAX_DELAY_SECS),
    ("Dash", "cooldown_secs", 0.0, MAX_DELAY_SECS),
    ("Dash", "in_air", 0.0, 1e6),
    ("Dash", "keep", 0.0, 1.0),
    ("Climb", "speed", 0.0, SPEED),
    ("Swim", "speed", 0.0, SPEED),
    ("Swim", "acceleration", 0.0, ACCELERATION),
    ("Swim", "sink_speed", -SPEED, SPEED),
    ("Swim", "jump_speed", 0.0, SPEED),
    ("Flyer", "speed", -SPEED, SPEED),
    ("Flyer", "acceleration", -ACCELERATION, ACCELERATION),
    ("Flyer", "arrive_radius", 0.0, MAX_SIZE_PX),
    ("Flock", "perception", 0.0, MAX_SIZE_PX),
    ("Flock", "separation", 0.0, MAX_SIZE_PX),
    ("Flock", "separation_weight", -1e3, 1e3),
    ("Flock", "alignment_weight", -1e3, 1e3),
    ("Flock", "cohesion_weight", -1e3, 1e3),
    ("Flock", "flee_weight", -1e3, 1e3),
    ("Agent", "radius", 0.0, 1024.0),
    ("Agent", "repath_secs", 0.0, MAX_DELAY_SECS),
    ("Agent", "avoid_secs", 0.0, 60.0),
    ("Sight", "cone", 0.0, 360.0),
    ("Sight", "offset", -MAX_SIZE_PX, MAX_SIZE_PX),
    ("Health", "max", -MAX_COUNT, MAX_COUNT),
    ("Brain", "reaction_secs", 0.0, MAX_DELAY_SECS),
    ("Platform", "speed", -SPEED, SPEED),
    ("Platform", "wait_secs", 0.0, MAX_DELAY_SECS),
    ("Platform", "ease_secs", 0.0, MAX_DELAY_SECS),
    ("Zone", "acceleration", -ACCELERATION, ACCELERATION),
    ("Zone", "pull", -ACCELERATION, ACCELERATION),
    ("Zone", "density", 0.0, 1e6),
    ("Zone", "drag", 0.0, 1e5),
    ("Zone", "order", -1e6, 1e6),
    ("Joint", "anchors", -MAX_SIZE_PX, MAX_SIZE_PX),
    ("Joint", "axis", -360.0, 360.0),
    ("Joint", "limits", -1e6, 1e6),
    ("Joint", "length", 0.0, MAX_SIZE_PX),
    ("Joint", "motor_target", -1e6, 1e6),
    ("Joint", "motor_force", 0.0, 1e12),
    ("Joint", "frequency", 0.01, 60.0),
    ("Joint", "damping_ratio", 0.0, 100.0),
    ("Joint", "break_force", 0.0, 1e12),
    ("Breakable", "impulse", 0.0, 1e15),
    ("Breakable", "scatter", 0.0, SPEED),
    ("Camera", "smooth_time", 1e-3, 1e3),
    ("Camera", "max_speed", 0.0, 1e6),
    ("Camera", "dead_zone", 0.0, MAX_SIZE_PX),
    ("Camera", "look_ahead", 0.0, 60.0),
    ("Camera", "look_ahead_max", 0.0, MAX_SIZE_PX),
    ("Camera", "area", -MAX_SIZE_PX, MAX_SIZE_PX),
    ("Camera", "rail", -MAX_SIZE_PX, MAX_SIZE_PX),
    ("Camera", "zoom", 0.015_625, 64.0),
    ("Camera", "zoom_fast", 0.015_625, 64.0),
    ("Camera", "zoom_speeds", 0.0, SPEED),
    ("Camera", "shake_px", 0.0, 4096.0),
    ("Camera", "shake_secs", 0.0, 60.0),
    ("Camera", "viewport", 0.0, 1.0),
    ("Camera", "viewport_size", 0.0, 1.0),
    ("Camera", "order", -1e6, 1e6),
    ("Sprite", "frame_size", 0.0, MAX_SIZE_PX),
    ("Sprite", "pivot", -MAX_SIZE_PX, MAX_SIZE_PX),
    ("Sprite", "z", -1e9, 1e9),
];

/// Ranges of the constants that the preview computes with, as `Page.name`.
const TUNABLES: &[(&str, f64, f64)] = &[
    ("Physics.gravity", -1e5, 1e5),
    ("Physics.pixels_per_meter", 0.01, 1e5),
    ("Physics.top_down_damping", 0.0, 1e5),
    ("Physics.contact_speed", 0.0, SPEED),
    ("Physics.crush_depth", 0.0, 4096.0),
    ("Solver.iterations", 4.0, 64.0),
    ("Solver.exact_pairs", 0.0, 1e5),
    ("Solver.contact_stiffness", 1.0, 1e3),
    ("Solver.contact_damping", 1.0, 200.0),
    ("Solver.push_out_speed", 0.0, 1e4),
    ("Solver.sleep_speed", 0.0, 100.0),
    ("Solver.sleep_secs", 0.0, 60.0),
    ("Simulation.timestep_hz", 10.0, 1000.0),
    ("Simulation.max_ticks_per_frame", 1.0, 240.0),
    ("Navigation.expansions_per_tick", 10.0, 1e6),
    ("Navigation.stuck_secs", 0.1, MAX_DELAY_SECS),
    ("Navigation.pass_secs", 0.0, MAX_DELAY_SECS),
    ("Navigation.jump_tries", 1.0, 1e6),
    ("Navigation.turn_penalty", 0.0, 1e3),
    ("Navigation.weight", 1.0, MAX_PATH_WEIGHT),
    ("Steering.arrive_distance", 1e-3, MAX_SIZE_PX),
    ("Steering.jump_ahead", 0.0, 4096.0),
    ("Camera.smooth_time", 1e-3, 1e3),
    ("Camera.max_speed", 0.0, 1e6),
    ("Camera.width", 1.0, 16_384.0),
    ("Camera.height", 1.0, 16_384.0),
    ("Camera.dead_zone_width", 0.0, MAX_SIZE_PX),
    ("Camera.dead_zone_height", 0.0, MAX_SIZE_PX),
    ("Camera.look_ahead", 0.0, 60.0),
    ("Camera.look_ahead_smoothing", 0.0, 60.0),
    ("Camera.look_ahead_max", 0.0, MAX_SIZE_PX),
    ("Camera.zoom", 0.015_625, 64.0),
    ("Camera.zoom_smoothing", 0.0, 60.0),
    ("Camera.shake_px", 0.0, 4096.0),
    ("Camera.shake_secs", 0.0, 60.0),
    ("Camera.shake_frequency", 0.0, 1e3),
    ("Sound.volume", 0.0, 10.0),
];

const SPEED: f64 = MAX_SPEED_PX_S as f64;
const ACCELERATION: f64 = MAX_ACCELERATION_PX_S2 as f64;
const SPIN_DEG_S: f64 = 1e6;

/// The range of a field, as `Component.field`; `None` if the preview does not compute with it.
#[must_use]
pub fn of_field(component: &str, field: &str) -> Option<(f64, f64)> {
    FIELDS.iter().find(|(c, f, ..)| *c == component && *f == field).map(|(.., min, max)| (*min, *max))
}

/// The range of a constant, as `Page.name`.
#[must_use]
pub fn of_tunable(path: &str) -> Option<(f64, f64)> {
    TUNABLES.iter().find(|(known, ..)| *known == path).map(|(_, min, max)| (*min, *max))
}

/// Every limited field and constant with its range, by its full name.
pub fn ranges() -> impl Iterator<Item = (String, f64, f64)> {
    let fields = FIELDS.iter().map(|(component, field, min, max)| (format!("{component}.{field}"), *min, *max));
    fields.chain(TUNABLES.iter().map(|(path, min, max)| ((*path).to_owned(), *min, *max)))
}

/// The limited fields of a component.
pub(super) fn of_component(component: &str) -> impl Iterator<Item = (&'static str, (f64, f64))> {
    let of_it = FIELDS.iter().filter(move |(known, ..)| *known == component);
    of_it.map(|(_, field, min, max)| (*field, (*min, *max)))
}

/// The nearest value within a range, if this one is outside: for a number, a pair of numbers, the sizes of a shape, or
/// an option that contains one of these.
#[must_use]
pub fn limited(value: &Value, (min, max): (f64, f64)) -> Option<Value> {
    nearest_within(value, Some(min), Some(max))
}

/// The nearest position that the preview can compute with, px.
#[must_use]
pub fn place(pos: Vec2) -> Vec2 {
    finite(pos).clamp(Vec2::splat(-MAX_POS_PX), Vec2::splat(MAX_POS_PX))
}

/// The nearest velocity that the preview can compute with: at most [`MAX_SPEED_PX_S`] along either axis.
#[must_use]
pub fn velocity(vel: Vec2) -> Vec2 {
    finite(vel).clamp(Vec2::splat(-MAX_SPEED_PX_S), Vec2::splat(MAX_SPEED_PX_S))
}

/// The nearest impulse that the preview can compute with: the greatest speed of the heaviest body.
#[must_use]
pub fn impulse(impulse: Vec2) -> Vec2 {
    const MAX: f32 = MAX_SPEED_PX_S * 1e9;
    finite(impulse).clamp(Vec2::splat(-MAX), Vec2::splat(MAX))
}

/// The nearest weight of a search for a path: 1 to [`MAX_PATH_WEIGHT`].
#[must_use]
pub fn path_weight(weight: f64) -> f64 {
    if weight.is_nan() { 1.0 } else { weight.clamp(1.0, MAX_PATH_WEIGHT) }
}

/// Zero instead of NaN and infinities.
fn finite(v: Vec2) -> Vec2 {
    Vec2::new(if v.x.is_nan() { 0.0 } else { v.x }, if v.y.is_nan() { 0.0 } else { v.y })
}
