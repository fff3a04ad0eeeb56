//! Data of ledges by their numbers and by their places, in parts that copies share: worlds copy their ledges when one
//! of them has to add to them.
//!
//! Invariant: the contents are those of a plain map; a change copies only the part that holds it.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    model::{CHUNK, Cell, chunk_of},
    sim::nav::floor::CellBox,
};

/// Number of consecutive numbers in a group.
const GROUP: u32 = 64;
/// Number of cells in a chunk.
const CELLS: usize = (CHUNK * CHUNK) as usize;

/// Values by consecutive numbers.
#[derive(Clone, Debug)]
pub(super) struct Numbered<V> {
    groups: BTreeMap<u32, Arc<BTreeMap<u32, V>>>,
}

impl<V> Default for Numbered<V> {
    fn default() -> Self {
        Self { groups: BTreeMap::new() }
    }
}

impl<V: Clone> Numbered<V> {
    pub(super) fn get(&self, id: u32) -> Option<&V> {
        self.groups.get(&(id / GROUP))?.get(&id)
    }

    pub(super) fn insert(&mut self, id: u32, value: V) {
        Arc::make_mut(self.groups.entry(id / GROUP).or_default()).insert(id, value);
    }

    pub(super) fn remove(&mut self, id: u32) {
        if self.get(id).is_none() {
            return;
        }
        let Some(group) = self.groups.get_mut(&(id / GROUP)) else { return };
        let of_group = Arc::make_mut(group);
        of_group.remove(&id);
        if of_group.is_empty() {
            self.groups.remove(&(id / GROUP));
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &V)> {
        self.groups.values().flat_map(|group| group.iter()).map(|(id, value)| (*id, value))
    }

    /// The values that no copy shares.
    pub(super) fn unshared(&self) -> impl Iterator<Item = &V> {
        self.groups.values().filter(|group| Arc::strong_count(group) == 1).flat_map(|group| group.values())
    }
}

/// The ledge of each known place.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    /// By chunk: for each cell the ledge's number plus one, or 0.
    chunks: BTreeMap<Cell, Arc<[u32; CELLS]>>,
    n_places: usize,
}

impl Places {
    pub(super) fn len(&self) -> usize {
        self.n_places
    }

    pub(super) fn get(&self, cell: Cell) -> Option<u32> {
        let (chunk, i) = chunk_of(cell);
        self.chunks.get(&chunk)?[i].checked_sub(1)
    }

    /// Set the ledge of a place, or that it has none.
    pub(super) fn set(&mut self, cell: Cell, id: Option<u32>) {
        let (chunk, i) = chunk_of(cell);
        let chunk = Arc::make_mut(self.chunks.entry(chunk).or_insert_with(|| Arc::new([0; CELLS])));
        self.n_places += usize::from(id.is_some());
        self.n_places -= usize::from(chunk[i] > 0);
        chunk[i] = id.map_or(0, |id| id + 1);
    }

    /// The ledges of the places in a rectangle of cells; may contain duplicates.
    pub(super) fn within(&self, [xs, ys]: CellBox) -> impl Iterator<Item = u32> {
        let side = |at: i32| at * CHUNK..at.saturating_add(1).saturating_mul(CHUNK);
        let columns = xs.start.div_euclid(CHUNK)..=xs.end.div_euclid(CHUNK);
        let near = self.chunks.range([*columns.start(), i32::MIN]..=[*columns.end(), i32::MAX]);
        near.flat_map(move |([x, y], chunk)| {
            let (in_x, in_y) = (side(*x), side(*y));
            let rows = in_y.start.max(ys.start)..in_y.end.min(ys.end);
            let columns = in_x.start.max(xs.start)..in_x.end.min(xs.end);
            let cells = rows.flat_map(move |y| columns.clone().map(move |x| [x, y]));
            cells.filter_map(|cell| chunk[chunk_of(cell).1].checked_sub(1))
        })
    }

    /// Memory that no copy shares, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.chunks.values().filter(|chunk| Arc::strong_count(chunk) == 1).count() * size_of::<[u32; CELLS]>()
    }
}
