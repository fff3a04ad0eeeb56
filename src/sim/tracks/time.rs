//! Time of a track while it plays forward or backward, once, in a loop or back and forth.
//!
//! A track's time is counted along an unrolled line, as if it played for ever: [`place`] folds it into the track.
//!
//! Invariant: the time is stored as that of the start or last reversal, and whole ticks since, so that it is as exact
//! after an hour as in the first second.

use crate::sim::behavior::vocabulary::RouteMode;

/// The progress of a track.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    /// Time of the start or last reversal, in seconds.
    pub from: f64,
    /// Number of ticks since.
    pub ticks: u64,
    /// Whether it plays backward.
    pub is_backward: bool,
    /// Whether it plays.
    pub plays: bool,
}

impl Clock {
    /// A clock that plays from a time in seconds.
    #[must_use]
    pub fn playing(from: f64, is_backward: bool) -> Self {
        Self { from, ticks: 0, is_backward, plays: true }
    }

    /// Its time on the unrolled line, in seconds, at this number of ticks per second.
    #[must_use]
    pub fn secs(&self, hz: f64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "2^53 ticks are more than anyone waits")]
        let passed = self.ticks as f64 / hz;
        if self.is_backward { self.from - passed } else { self.from + passed }
    }
}

/// The time within a track of a length that corresponds to a time of its unrolled line, both in seconds.
#[must_use]
pub fn place(mode: RouteMode, length: f64, secs: f64) -> f64 {
    match mode {
        RouteMode::Once => secs.clamp(0.0, length),
        RouteMode::Loop => secs.rem_euclid(length),
        RouteMode::PingPong => {
            let there = secs.rem_euclid(2.0 * length);
            if there > length { 2.0 * length - there } else { there }
        }
    }
}

/// The most times that one mark is passed in a tick.
const MOST_ROUNDS: f64 = 256.0;

/// The passes of a time of a track on the way from one time of the unrolled line (excluded) to another (included):
/// their times on the unrolled line in seconds, in order.
#[must_use]
pub fn times_passed(mode: RouteMode, length: f64, at: f64, from: f64, to: f64) -> Vec<f64> {
    let is_passed = |secs: f64| if from < to { from < secs && secs <= to } else { to <= secs && secs < from };
    let period = match mode {
        RouteMode::Once => return if is_passed(at) { vec![at] } else { Vec::new() },
        RouteMode::Loop => length,
        RouteMode::PingPong => 2.0 * length,
    };
    let back = (mode == RouteMode::PingPong && at > 0.0 && at < length).then_some(period - at);
    let (low, high) = (from.min(to), from.max(to));
    let first = ((low - period) / period).floor();
    let n_rounds = ((high - low) / period + 3.0).min(MOST_ROUNDS);
    let mut out = Vec::new();
    let mut round = 0.0;
    while round < n_rounds {
        let start = (first + round) * period;
        out.extend([Some(at), back].into_iter().flatten().map(|at| start + at).filter(|secs| is_passed(*secs)));
        round += 1.0;
    }
    out.sort_by(|a, b| if from < to { a.total_cmp(b) } else { b.total_cmp(a) });
    out
}
