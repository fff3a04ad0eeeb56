//! The settings of the physical world.

use crate::model::LevelView;

/// How the world behaves.
#[derive(Clone, Debug, PartialEq)]
pub struct PhysicsConfig {
    /// From the side, with gravity, or from above, without.
    pub view: LevelView,
    /// Downward, px/s².
    pub gravity_px_s2: f32,
    /// Scale for the solver's tolerances.
    pub pixels_per_meter: f32,
    /// Length of a tick.
    pub dt_secs: f32,
    /// Floor friction on loose bodies seen from above, 1/s.
    pub top_down_damping: f32,
    /// Gentler touches of solid bodies are not reported, px/s.
    pub contact_speed: f32,
    /// What is deeper than this in what pushes it, without room to get out, is crushed, in pixels.
    pub crush_depth: f32,
    /// How exactly contacts are solved.
    pub solver: SolverConfig,
}

/// How contacts are solved; the built-in page `Solver` says what each number does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolverConfig {
    /// Parts of a tick.
    pub iterations: f32,
    /// With more pairs of bodies near each other, there are fewer iterations.
    pub exact_pairs: f32,
    /// Natural frequency of a contact.
    pub stiffness_hz: f32,
    /// Damping ratio of a contact.
    pub damping: f32,
    /// px/s
    pub push_out_speed: f32,
    /// Of a body in contact, px/s.
    pub sleep_speed: f32,
    /// How long it is that slow.
    pub sleep_secs: f32,
}
