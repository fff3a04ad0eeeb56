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
}
