//! The settings of the physical world.

use crate::model::LevelView;

/// The settings of the physical world.
#[derive(Clone, Debug, PartialEq)]
pub struct PhysicsConfig {
    /// Whether the level is seen from the side, with gravity, or from above, without.
    pub view: LevelView,
    /// Gravity, downward, px/s².
    pub gravity_px_s2: f32,
    /// Scale of the solver's tolerances, px/m.
    pub pixels_per_meter: f32,
    /// Length of a tick, in seconds.
    pub dt_secs: f32,
    /// Damping of loose bodies by the floor in levels seen from above, 1/s.
    pub top_down_damping: f32,
    /// The least impact speed at which a contact of solid bodies is reported, px/s.
    pub contact_speed: f32,
    /// Depth in pixels beyond which a body without room to get out is crushed by the body that pushes it.
    pub crush_depth: f32,
    /// Settings of the contact solver.
    pub solver: SolverConfig,
}

/// Settings of the contact solver; the built-in page `Solver` documents each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolverConfig {
    /// Solver iterations per tick; proportionally more in ticks longer than 1/60 s.
    pub iterations: f32,
    /// Number of pairs of near bodies above which there are fewer iterations.
    pub exact_pairs: f32,
    /// Natural frequency of a contact, in Hz.
    pub stiffness_hz: f32,
    /// Damping ratio of a contact, without a unit.
    pub damping: f32,
    /// The greatest speed at which the solver pushes overlapping bodies apart, px/s.
    pub push_out_speed: f32,
    /// Speed below which a body in contact may fall asleep, px/s.
    pub sleep_speed: f32,
    /// How long a body is that slow before it falls asleep, in seconds.
    pub sleep_secs: f32,
}
