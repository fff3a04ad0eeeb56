//! How much there was of something in each cell of a level of late: of traffic, or of time that ticks took.
//!
//! Invariant: of what a cell holds half is forgotten in a time; cells that are as good as forgotten are dropped.

use std::collections::BTreeMap;

use crate::model::Cell;

/// The time in which half of traffic is forgotten, in seconds of the world.
const TRAFFIC_HALF_LIFE_SECS: f64 = 10.0;
/// Less traffic than this is forgotten, in seconds.
const LEAST_TRAFFIC_SECS: f64 = 0.01;
/// With more cells than these, those that are forgotten are dropped.
const MANY: usize = 4096;

/// Amounts by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    half_life_secs: f64,
    least: f64,
    /// The amount, as of a time in seconds.
    cells: BTreeMap<Cell, (f64, f64)>,
    /// With so many cells, look for those that are forgotten.
    tidy_at: usize,
}

impl Heat {
    /// Nothing yet. Half of an amount is forgotten in a time in seconds of the world, and less than the least at once.
    #[must_use]
    pub fn new(half_life_secs: f64, least: f64) -> Self {
        Self { half_life_secs, least, cells: BTreeMap::new(), tidy_at: 0 }
    }

    /// For seconds that agents stood in a cell.
    #[must_use]
    pub fn of_traffic() -> Self {
        Self::new(TRAFFIC_HALF_LIFE_SECS, LEAST_TRAFFIC_SECS)
    }

    /// There was so much in a cell up to a time in seconds.
    pub fn add(&mut self, cell: Cell, amount: f64, now: f64) {
        let (half_life, least) = (self.half_life_secs, self.least);
        let (held, then) = self.cells.entry(cell).or_insert((0.0, now));
        (*held, *then) = (left(*held, now - *then, half_life) + amount, now);
        if self.cells.len() > self.tidy_at.max(MANY) {
            self.cells.retain(|_, (held, then)| left(*held, now - *then, half_life) >= least);
            self.tidy_at = self.cells.len() * 2;
        }
    }

    /// The cells of which something is not forgotten at a time in seconds, with their amounts, in order of columns.
    pub fn cells(&self, now: f64) -> impl Iterator<Item = (Cell, f64)> {
        let (half_life, least) = (self.half_life_secs, self.least);
        let left = move |(cell, (held, then)): (&Cell, &(f64, f64))| (*cell, left(*held, now - *then, half_life));
        self.cells.iter().map(left).filter(move |(_, amount)| *amount >= least)
    }

    /// Forget all.
    pub fn clear(&mut self) {
        self.cells.clear();
    }
}

/// What is left after a while.
fn left(held: f64, secs: f64, half_life_secs: f64) -> f64 {
    held * 0.5_f64.powf(secs.max(0.0) / half_life_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_is_forgotten_in_ten_seconds_and_what_is_next_to_nothing_is_dropped() {
        let mut heat = Heat::of_traffic();
        heat.add([3, 4], 2.0, 1.0);
        heat.add([3, 4], 1.0, 11.0);
        let at = |heat: &Heat, now| heat.cells(now).collect::<Vec<_>>();
        assert_eq!(at(&heat, 11.0), [([3, 4], 2.0)]);
        assert_eq!(at(&heat, 21.0), [([3, 4], 1.0)]);
        assert!(at(&heat, 200.0).is_empty());
        for x in 0..5000 {
            heat.add([x, 0], 0.02, 1000.0);
        }
        assert!(!heat.cells.contains_key(&[3, 4]), "it was dropped when there were many");
        assert_eq!(heat.cells.len(), 5000);
    }
}
