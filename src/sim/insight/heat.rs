//! A heat map: recent amounts per cell of a level, of traffic or of time spent in ticks.
//!
//! Invariant: amounts decay with a half-life; cells whose amount is almost zero are dropped.

use std::collections::BTreeMap;

use crate::model::Cell;

/// Half-life of traffic, in seconds of the world.
const TRAFFIC_HALF_LIFE_SECS: f64 = 10.0;
/// Least traffic that is kept, in seconds.
const LEAST_TRAFFIC_SECS: f64 = 0.01;
/// Number of cells above which cells with too small an amount are dropped.
const MANY: usize = 4096;

/// Amounts by cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Heat {
    half_life_secs: f64,
    least: f64,
    /// Amount, and the time in seconds to which it refers.
    cells: BTreeMap<Cell, (f64, f64)>,
    /// Number of cells at which small amounts are dropped next.
    tidy_at: usize,
}

impl Heat {
    /// An empty map. Amounts have a half-life in seconds of the world; those below `least` are dropped.
    #[must_use]
    pub fn new(half_life_secs: f64, least: f64) -> Self {
        Self { half_life_secs, least, cells: BTreeMap::new(), tidy_at: 0 }
    }

    /// A map of the seconds that agents stood in each cell.
    #[must_use]
    pub fn of_traffic() -> Self {
        Self::new(TRAFFIC_HALF_LIFE_SECS, LEAST_TRAFFIC_SECS)
    }

    /// Add an amount to a cell at a time in seconds.
    pub fn add(&mut self, cell: Cell, amount: f64, now: f64) {
        let (half_life, least) = (self.half_life_secs, self.least);
        let (held, then) = self.cells.entry(cell).or_insert((0.0, now));
        (*held, *then) = (left(*held, now - *then, half_life) + amount, now);
        if self.cells.len() > self.tidy_at.max(MANY) {
            self.cells.retain(|_, (held, then)| left(*held, now - *then, half_life) >= least);
            self.tidy_at = self.cells.len() * 2;
        }
    }

    /// The cells with amounts that are not dropped at a time in seconds, by column, then row.
    pub fn cells(&self, now: f64) -> impl Iterator<Item = (Cell, f64)> {
        let (half_life, least) = (self.half_life_secs, self.least);
        let left = move |(cell, (held, then)): (&Cell, &(f64, f64))| (*cell, left(*held, now - *then, half_life));
        self.cells.iter().map(left).filter(move |(_, amount)| *amount >= least)
    }

    /// Remove all amounts.
    pub fn clear(&mut self) {
        self.cells.clear();
    }
}

/// The part of an amount that is left after `secs`.
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
