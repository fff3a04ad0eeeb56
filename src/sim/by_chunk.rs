//! What is known of each chunk of a level, by its coordinates, shared by copies: copying, and changing one chunk, is
//! cheap however many there are, except where their bounds change.
//!
//! Invariant: after [`ByChunk::frame`] all of them are in the table, or all in the tree if they are spread too widely.

use std::{collections::BTreeMap, sync::Arc};

use super::paged::Paged;
use crate::model::Cell;

/// The most chunks that a table is made for; those spread more widely are kept in a tree.
const MAX_TABLE: i64 = 1 << 20;

/// Chunks by their coordinates.
#[derive(Clone, Debug)]
pub(super) struct ByChunk<T> {
    /// The first chunk of the table, and its columns and rows.
    lo: Cell,
    size: Cell,
    /// Column by column, the order of chunks everywhere.
    table: Paged<Option<Arc<T>>, 5>,
    /// The chunks outside the table.
    others: BTreeMap<Cell, Arc<T>>,
}

impl<T> Default for ByChunk<T> {
    fn default() -> Self {
        Self { lo: [0, 0], size: [0, 0], table: Paged::default(), others: BTreeMap::new() }
    }
}

impl<T> FromIterator<(Cell, Arc<T>)> for ByChunk<T> {
    fn from_iter<I: IntoIterator<Item = (Cell, Arc<T>)>>(chunks: I) -> Self {
        let mut all = Self { others: chunks.into_iter().collect(), ..Self::default() };
        _ = all.frame();
        all
    }
}

impl<T> ByChunk<T> {
    /// Whether there is no chunk, if framed.
    pub(super) fn is_empty(&self) -> bool {
        self.table.is_empty() && self.others.is_empty()
    }

    #[inline]
    fn slot(&self, at: Cell) -> Option<usize> {
        let [x, y] = [at[0].wrapping_sub(self.lo[0]), at[1].wrapping_sub(self.lo[1])];
        let inside = (0..self.size[0]).contains(&x) && (0..self.size[1]).contains(&y);
        usize::try_from(i64::from(x) * i64::from(self.size[1]) + i64::from(y)).ok().filter(|_| inside)
    }

    #[inline]
    pub(super) fn get(&self, at: Cell) -> Option<&Arc<T>> {
        match self.slot(at) {
            Some(i) => self.table[i].as_ref(),
            None if self.others.is_empty() => None,
            None => self.others.get(&at),
        }
    }

    /// Set or remove a chunk. Returns whether that may change the bounds of the chunks: then [`Self::frame`] has to be
    /// called.
    pub(super) fn set(&mut self, at: Cell, chunk: Option<Arc<T>>) -> bool {
        let is_other = self.get(at).is_some() != chunk.is_some();
        let Some(i) = self.slot(at) else {
            match chunk {
                Some(chunk) => _ = self.others.insert(at, chunk),
                None => _ = self.others.remove(&at),
            }
            return is_other;
        };
        self.table.set(i, chunk);
        let is_at_border = (0..2).any(|i| at[i] == self.lo[i] || at[i] == self.lo[i] + self.size[i] - 1);
        is_other && is_at_border
    }

    /// All chunks, by column, then row.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Cell, &Arc<T>)> {
        let [w, h] = self.size;
        let places = (0..w).flat_map(move |x| (0..h).map(move |y| [self.lo[0] + x, self.lo[1] + y]));
        let in_table = places.enumerate().filter_map(|(i, at)| Some((at, self.table.get(i)?.as_ref()?)));
        in_table.chain(self.others.iter().map(|(at, chunk)| (*at, chunk)))
    }

    /// The chunks from `first` to `last`, both included, by row, then column.
    pub(super) fn within(&self, first: Cell, last: Cell) -> impl Iterator<Item = (Cell, &Arc<T>)> {
        let of_table = [0, 1].map(|i| {
            let end = self.lo[i].saturating_add(self.size[i] - 1);
            first[i].max(self.lo[i])..=last[i].min(end)
        });
        let [columns, rows] = of_table;
        let places = rows.flat_map(move |y| columns.clone().map(move |x| [x, y]));
        let in_table = places.filter_map(|at| Some((at, self.table.get(self.slot(at)?)?.as_ref()?)));
        let mut others: Vec<(Cell, &Arc<T>)> = Vec::new();
        if !self.others.is_empty() && first[0] <= last[0] && first[1] <= last[1] {
            let columns = self.others.range(first..=last);
            others.extend(columns.filter(|([_, y], _)| (first[1]..=last[1]).contains(y)).map(|(at, it)| (*at, it)));
            others.sort_unstable_by_key(|([x, y], _)| [*y, *x]);
        }
        in_table.chain(others)
    }

    /// Find the bounds of the chunks, the first and the last, and make the table for them.
    pub(super) fn frame(&mut self) -> Option<(Cell, Cell)> {
        let all: BTreeMap<Cell, Arc<T>> = self.iter().map(|(at, chunk)| (at, Arc::clone(chunk))).collect();
        let around = all.keys().fold(None, |around: Option<(Cell, Cell)>, &[x, y]| {
            let (lo, hi) = around.unwrap_or(([x, y], [x, y]));
            Some(([lo[0].min(x), lo[1].min(y)], [hi[0].max(x), hi[1].max(y)]))
        });
        *self = Self::default();
        let (lo, hi) = around?;
        let size = [0, 1].map(|i| hi[i] - lo[i] + 1);
        let n = i64::from(size[0]) * i64::from(size[1]);
        if n > MAX_TABLE {
            self.others = all;
            return around;
        }
        (self.lo, self.size) = (lo, size);
        let mut slots = vec![None; usize::try_from(n).unwrap_or(0)];
        for (at, chunk) in all {
            if let Some(slot) = self.slot(at).and_then(|i| slots.get_mut(i)) {
                *slot = Some(chunk);
            }
        }
        self.table = Paged::from(slots);
        around
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_in_a_box_come_by_row_in_a_table_and_in_a_tree() {
        for far in [3, 1 << 24] {
            let places = [[0, 0], [2, 0], [1, 1], [-2, 1], [0, -1], [far, far]];
            let all: ByChunk<Cell> = places.into_iter().map(|at| (at, Arc::new(at))).collect();
            assert_eq!(all.others.is_empty(), far == 3);
            let found: Vec<(Cell, Cell)> = all.within([0, -1], [far - 1, 1]).map(|(at, of)| (at, **of)).collect();
            assert_eq!(found, [[0, -1], [0, 0], [2, 0], [1, 1]].map(|at| (at, at)));
            assert_eq!(all.within([i32::MIN; 2], [i32::MAX; 2]).count(), places.len());
            assert_eq!(all.within([3, 0], [2, 5]).count(), 0);
        }
    }
}
