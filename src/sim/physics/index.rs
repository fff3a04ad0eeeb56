//! Which entities are near: a uniform grid over their bounding boxes, so that not all pairs are compared.
//!
//! Invariant: a function of the entries it was made from; results come in ascending key order, each once. It is made
//! anew on a query after something has moved. The solver has a broad phase of its own.

use crate::{model::Cell, sim::EntityKey};

use super::convex::Aabb;

/// Side of a square of the grid, in pixels.
pub(super) const SIDE: f32 = 64.0;
/// A box over more squares than this is compared in every query instead.
const MANY: i64 = 64;

/// Boxes by place.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    boxes: Vec<(EntityKey, Aabb)>,
    /// (square, index into `boxes`), ascending.
    squares: Vec<(u64, u32)>,
    /// Indices of boxes too large for squares.
    large: Vec<u32>,
}

impl Index {
    /// An index of these boxes.
    #[must_use]
    pub(super) fn new(boxes: Vec<(EntityKey, Aabb)>) -> Self {
        let mut index = Self { boxes, ..Self::default() };
        for (i, (_, aabb)) in index.boxes.iter().enumerate() {
            let i = u32::try_from(i).unwrap_or(u32::MAX);
            let (lo, hi) = squares(*aabb);
            if (hi[0] - lo[0] + 1) * (hi[1] - lo[1] + 1) > MANY {
                index.large.push(i);
                continue;
            }
            for y in lo[1]..=hi[1] {
                for x in lo[0]..=hi[0] {
                    index.squares.push((place(x, y), i));
                }
            }
        }
        index.squares.sort_unstable();
        index
    }

    /// The keys whose boxes share a point with this one, ascending, into `out`.
    pub(super) fn near(&self, aabb: Aabb, out: &mut Vec<EntityKey>) {
        out.clear();
        let (lo, hi) = squares(aabb);
        let mut take = |i: u32| {
            if let Some((key, other)) = self.boxes.get(i as usize)
                && other.meets(aabb)
            {
                out.push(*key);
            }
        };
        if (hi[0] - lo[0] + 1) * (hi[1] - lo[1] + 1) > i64::try_from(self.squares.len()).unwrap_or(i64::MAX) {
            (0..self.boxes.len()).for_each(|i| take(u32::try_from(i).unwrap_or(u32::MAX)));
        } else {
            for y in lo[1]..=hi[1] {
                let (first, last) = (place(lo[0], y), place(hi[0], y));
                let start = self.squares.partition_point(|(square, _)| *square < first);
                let row = self.squares[start..].iter().take_while(|(square, _)| *square <= last);
                row.for_each(|(_, i)| take(*i));
            }
            self.large.iter().for_each(|i| take(*i));
        }
        out.sort_unstable();
        out.dedup();
    }
}

/// The squares that boxes reach into, with how many do, row by row; boxes over very many squares are left out, as the index leaves
/// them out.
pub(super) fn occupied<T>(boxes: &[(T, Aabb)]) -> Vec<(Cell, usize)> {
    let mut all: Vec<[i64; 2]> = Vec::new();
    for (_, aabb) in boxes {
        let (lo, hi) = squares(*aabb);
        if (hi[0] - lo[0] + 1) * (hi[1] - lo[1] + 1) <= MANY {
            all.extend((lo[1]..=hi[1]).flat_map(|y| (lo[0]..=hi[0]).map(move |x| [y, x])));
        }
    }
    all.sort_unstable();
    let number = |x: i64| i32::try_from(x).unwrap_or(0);
    all.chunk_by(|a, b| a == b).map(|same| ([number(same[0][1]), number(same[0][0])], same.len())).collect()
}

/// Whether more pairs of these boxes overlap than a number, of those that `can_pair`, or many times more of all. Boxes are
/// swept along the axis they are spread over most; where even that leaves too many to compare, they count as overlapping.
pub(super) fn has_more_pairs<T>(mut boxes: Vec<(T, Aabb)>, most: usize, can_pair: impl Fn(&T, &T) -> bool) -> bool {
    let around = boxes.iter().map(|(_, aabb)| *aabb).reduce(Aabb::union).unwrap_or_default();
    let size = around.hi - around.lo;
    let axis = usize::from(size.y > size.x);
    boxes.sort_by(|(_, a), (_, b)| a.lo[axis].total_cmp(&b.lo[axis]));
    let (mut n_pairs, mut n_overlaps, mut n_compared) = (0, 0, 0);
    for (i, (of_a, a)) in boxes.iter().enumerate() {
        for (of_b, b) in boxes[i + 1..].iter().take_while(|(_, b)| b.lo[axis] <= a.hi[axis]) {
            n_compared += 1;
            if a.meets(*b) {
                n_overlaps += 1;
                n_pairs += usize::from(can_pair(of_a, of_b));
            }
            if n_pairs > most || n_overlaps / 20 > most || n_compared / 100 > most {
                return true;
            }
        }
    }
    false
}

/// The first and last square a box reaches into.
fn squares(aabb: Aabb) -> ([i64; 2], [i64; 2]) {
    #[allow(clippy::cast_possible_truncation)] // clamped
    let square = |px: f32| i64::from((px / SIDE).floor().clamp(-1e9, 1e9) as i32);
    ([square(aabb.lo.x), square(aabb.lo.y)], [square(aabb.hi.x), square(aabb.hi.y)])
}

/// Squares of a row follow each other.
fn place(x: i64, y: i64) -> u64 {
    let biased = |v: i64| u64::try_from(v + (1 << 31)).unwrap_or(0);
    biased(y) << 32 | biased(x)
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use slotmap::SlotMap;

    use super::*;

    #[test]
    fn finds_what_overlaps_and_nothing_else() {
        let mut keys: SlotMap<EntityKey, ()> = SlotMap::with_key();
        let mut boxes = Vec::new();
        for i in 0_u8..100 {
            let lo = Vec2::new(f32::from(i % 10) * 50.0 - 200.0, f32::from(i / 10) * 50.0 - 200.0);
            let size = if i == 55 { 2000.0 } else { 20.0 };
            boxes.push((keys.insert(()), Aabb { lo, hi: lo + size }));
        }
        let index = Index::new(boxes.clone());
        let mut found = Vec::new();
        for (_, aabb) in &boxes {
            index.near(*aabb, &mut found);
            let all: Vec<_> = boxes.iter().filter(|(_, b)| b.meets(*aabb)).map(|(key, _)| *key).collect();
            assert_eq!(found, all);
        }
    }
}
