//! A walker of middling speed that can do nothing special, for tests and benches.

#![allow(unreachable_pub, missing_docs, reason = "it is a part of tests and benches")]

use levelwright::sim::physics::WalkerSpec;

/// It walks on slopes of up to this angle.
pub fn plain_walker(max_slope_rad: f32) -> WalkerSpec {
    WalkerSpec {
        speed: 80.0,
        acceleration: 800.0,
        braking: 1.0,
        turning: 1.0,
        air_control: 0.6,
        jump_speed: 300.0,
        jump_cut: 1.0,
        jump_buffer_secs: 0.1,
        fall_gravity: 1.0,
        max_fall_speed: 65536.0,
        apex_speed: 0.0,
        apex_gravity: 1.0,
        max_slope_rad,
        step_height: 4.0,
        coyote_secs: 0.08,
        air_jumps: 0,
        corner_correction: 0.0,
        momentum: 0.0,
        momentum_secs: 0.0,
        wall: None,
        dash: None,
        climb_speed: None,
        swim: None,
    }
}
