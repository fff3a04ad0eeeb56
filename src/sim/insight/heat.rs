//! Traffic: how long agents stood in each cell of a level of late, or passed it.
//!
//! Invariant: a cell holds seconds of which half are forgotten in [`HALF_LIFE_SECS`]; cells that are as good as forgotten are dropped.

use std::collections::BTreeMap;

use crate::model::Cell;

/// The time in which half of what was counted is forgotten, in seconds of the world.
const HALF_LIFE_SECS: f64 = 10.0;
/// Less than this is forgotten, in seconds.
const LEAST_SECS: f64 = 0.01;
/// With more cells than these, those that are forgotten are dropped.
const MANY: usize = 4096;

/// Seconds of traffic by cell.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heat {
    /// The seconds, as of a time.
    cells: BTreeMap<Cell, (f64, f64)>,
    /// With so many cells, look for those that are forgotten.
    tidy_at: usize,
}

impl Heat {
    /// An agent was in a cell for a while, up to a time, both in seconds.
    pub fn add(&mut self, cell: Cell, secs: f64, now: f64) {
        let (held, then) = self.cells.entry(cell).or_insert((0.0, now));
        (*held, *then) = (left(*held, now - *then) + secs, now);
        if self.cells.len() > self.tidy_at.max(MANY) {
            self.cells.retain(|_, (held, then)| left(*held, now - *then) >= LEAST_SECS);
            self.tidy_at = self.cells.len() * 2;
        }
    }

    /// The cells with traffic that is not forgotten at a time, with their seconds, in order of columns.
    pub fn cells(&self, now: f64) -> impl Iterator<Item = (Cell, f64)> {
        let left = move |(cell, (held, then)): (&Cell, &(f64, f64))| (*cell, left(*held, now - *then));
        self.cells.iter().map(left).filter(|(_, secs)| *secs >= LEAST_SECS)
    }

    /// Forget all.
    pub fn clear(&mut self) {
        self.cells.clear();
    }
}

/// What is left after a while.
fn left(held: f64, secs: f64) -> f64 {
    held * 0.5_f64.powf(secs.max(0.0) / HALF_LIFE_SECS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_is_forgotten_in_ten_seconds_and_what_is_next_to_nothing_is_dropped() {
        let mut heat = Heat::default();
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
