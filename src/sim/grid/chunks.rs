//! The chunks of a grid by their coordinates, shared by copies of the grid: copying, and changing one chunk, is cheap
//! however many there are.
//!
//! Invariant: after [`Chunks::frame`] all of them are in the table, or all in the tree if they are spread too widely.

use std::{collections::BTreeMap, sync::Arc};

use super::GridChunk;
use crate::{model::Cell, sim::paged::Paged};

/// The most chunks that a table is made for; those spread more widely are kept in a tree.
const MAX_TABLE: i64 = 1 << 20;

/// Chunks by their coordinates.
#[derive(Clone, Debug, Default)]
pub(super) struct Chunks {
    /// The first chunk of the table, and its columns and rows.
    lo: Cell,
    size: Cell,
    /// Column by column, the order of chunks everywhere.
    table: Paged<Option<Arc<GridChunk>>, 5>,
    /// The chunks outside the table.
    others: BTreeMap<Cell, Arc<GridChunk>>,
}

impl Chunks {
    #[inline]
    fn slot(&self, at: Cell) -> Option<usize> {
        let [x, y] = [at[0].wrapping_sub(self.lo[0]), at[1].wrapping_sub(self.lo[1])];
        let inside = (0..self.size[0]).contains(&x) && (0..self.size[1]).contains(&y);
        usize::try_from(i64::from(x) * i64::from(self.size[1]) + i64::from(y)).ok().filter(|_| inside)
    }

    #[inline]
    pub(super) fn get(&self, at: Cell) -> Option<&Arc<GridChunk>> {
        match self.slot(at) {
            Some(i) => self.table[i].as_ref(),
            None if self.others.is_empty() => None,
            None => self.others.get(&at),
        }
    }

    /// Set or remove a chunk. Returns whether that may change the bounds of the chunks: then [`Self::frame`] has to be
    /// called.
    pub(super) fn set(&mut self, at: Cell, chunk: Option<Arc<GridChunk>>) -> bool {
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
    pub(super) fn iter(&self) -> impl Iterator<Item = (Cell, &Arc<GridChunk>)> {
        let [w, h] = self.size;
        let places = (0..w).flat_map(move |x| (0..h).map(move |y| [self.lo[0] + x, self.lo[1] + y]));
        let in_table = places.enumerate().filter_map(|(i, at)| Some((at, self.table.get(i)?.as_ref()?)));
        in_table.chain(self.others.iter().map(|(at, chunk)| (*at, chunk)))
    }

    /// Find the bounds of the chunks, the first and the last, and make the table for them.
    pub(super) fn frame(&mut self) -> Option<(Cell, Cell)> {
        let all: BTreeMap<Cell, Arc<GridChunk>> = self.iter().map(|(at, chunk)| (at, Arc::clone(chunk))).collect();
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
