//! Repeatable random numbers: each entity and each subsystem has a stream of its own.
//!
//! Invariant: draw number `n` of a stream is a function of the stream's key and `n`, so drawing from one stream affects
//! no other. Every method that advances the position draws exactly once.
//!
//! Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", for the mixing; the position hash and
//! generator of GPG 2.0 collide and may repeat after four draws.

use serde::{Deserialize, Serialize};

use crate::model::mix;

/// A position in a stream of random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream {
    key: u64,
    n: u64,
}

impl Stream {
    /// The start of the stream called `name` in a run with this seed.
    #[must_use]
    pub fn new(seed: u64, name: &str) -> Self {
        let key = name.bytes().fold(mix(seed), |key, byte| mix(key ^ u64::from(byte)));
        // Distinguishes a name from longer ones that begin with it.
        Self { key: mix(key ^ mix(name.len() as u64)), n: 0 }
    }

    /// Draw number `n` of the stream of a key.
    #[must_use]
    pub fn draw(key: u64, n: u64) -> u64 {
        mix(key ^ mix(n))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        let bits = Self::draw(self.key, self.n);
        self.n += 1;
        bits
    }

    /// A random number from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        unit_of(self.bits())
    }

    /// Draw number `n` as a number from 0 up to, not including, 1. The position stays.
    #[must_use]
    pub fn unit_at(&self, n: u64) -> f64 {
        unit_of(Self::draw(self.key, n))
    }

    /// A random number from `low` up to, not including, `high`; `low` if the range is empty.
    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        let unit = self.unit();
        if low < high { (low + (high - low) * unit).min(high.next_down()) } else { low }
    }

    /// A random whole number from 0 up to, not including, `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: u64) -> u64 {
        // The high half of the product; its bias is n in 2^64.
        u64::try_from((u128::from(self.bits()) * u128::from(n)) >> 64).unwrap_or(0)
    }

    /// Whether an event of this probability, 0 to 1, happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// The number of draws so far.
    #[must_use]
    pub fn n_draws(&self) -> u64 {
        self.n
    }
}

fn unit_of(bits: u64) -> f64 {
    #[allow(clippy::cast_precision_loss)] // 53 bits fit
    let bits = (bits >> 11) as f64;
    bits / (1_u64 << 53) as f64
}
