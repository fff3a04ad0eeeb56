//! Shake: noise that is added to a view for a moment.
//!
//! Invariant: a shake is a function of the camera's id, the time of the world and how long ago it began, so the same
//! moment always looks the same, also when it is gone back to; it is within its amplitude, and zero when it is over.

use glam::DVec2;

use crate::sim::{motion::Curve, random::Stream};

/// How a camera is shaken.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shake {
    /// Amplitude: the farthest it moves along either axis, in pixels.
    pub px: f64,
    /// How long it takes to end.
    pub secs: f64,
    /// How often it changes direction, about.
    pub frequency_hz: f64,
}

/// How far the view of the camera of an id is moved at a time of the world, `age_secs` after the shake began, in
/// pixels.
#[must_use]
pub fn shaken_by(shake: Shake, id: &str, age_secs: f64, time_secs: f64) -> DVec2 {
    if !(age_secs >= 0.0 && age_secs < shake.secs && shake.px > 0.0) {
        return DVec2::ZERO;
    }
    let left = 1.0 - age_secs / shake.secs;
    let at = time_secs * shake.frequency_hz;
    if !at.is_finite() {
        return DVec2::ZERO;
    }
    let along = |axis: u64| noise(&Stream::new(axis, id), at.max(0.0));
    DVec2::new(along(0), along(1)) * shake.px * left * left
}

/// A smooth curve through a random number between −1 and 1 at each whole number.
fn noise(stream: &Stream, at: f64) -> f64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "whole and not below zero; `as` saturates"
    )]
    let n = at.floor() as u64;
    let [from, to] = [n, n.saturating_add(1)].map(|n| stream.unit_at(n) * 2.0 - 1.0);
    from + (to - from) * Curve::SCurve.at(at.fract())
}
