//! Shake: noise added to a view for a short time.
//!
//! Invariant: a shake is a function of the camera's id, the time of the world and the time since its start, so the same
//! moment always looks the same, also after going back; it is within its amplitude, and zero when it is over.

use glam::DVec2;

use crate::sim::{motion::Curve, random::Stream};

/// Settings of a camera's shake.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shake {
    /// Amplitude: the farthest it moves along either axis, in pixels.
    pub px: f64,
    /// Duration, in seconds.
    pub secs: f64,
    /// Approximate frequency of changes of direction, in Hz.
    pub frequency_hz: f64,
}

/// The offset of the view of a camera with this id at a time of the world, `age_secs` after the shake began, in pixels.
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
