//! Broad phase of movers and queries: a spatial hash of bounding boxes, so that not all pairs are compared.
//!
//! Invariant: a function of the entries it was made from; results are in ascending key order without duplicates. It is
//! rebuilt at the first query after something has moved. The solver has a broad phase of its own.
//!
//! Source: Teschner et al., "Optimized spatial hashing for collision detection of deformable objects" (2003).

use crate::{
    model::Cell,
    sim::{EntityKey, grid::floor},
};

use super::{body::Body, convex::Aabb, spec::CollisionGroups};

/// Side of a square of the hash grid, in pixels.
pub(super) const SIDE: f32 = 64.0;
/// A box over more squares than this is kept in a list that every query scans.
const MANY: i64 = 64;
/// Bodies of a class have a table of their own if there are at least so many; the others share one.
const LEAST_OF_CLASS: usize = 64;
/// The most kinds that are counted.
const MAX_KINDS: usize = 16;
/// How many overlapping boxes count as much work as one pair.
const OVERLAPS_PER_PAIR: usize = 20;

/// Bounding boxes by place, and by class of body.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    tables: Vec<Table>,
}

/// A body in the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) key: EntityKey,
    pub(super) class: BodyClass,
    pub(super) aabb: Aabb,
}

/// What queries select bodies by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BodyClass {
    pub(super) groups: CollisionGroups,
    pub(super) is_loose: bool,
}

/// The boxes of bodies of one class, or of several.
#[derive(Clone, Debug, Default)]
struct Table {
    /// `None` for bodies of several classes.
    class: Option<BodyClass>,
    boxes: Vec<Entry>,
    /// Start of each bucket in `members`, then the end of the last. Squares with the same hash share a bucket.
    starts: Vec<u32>,
    /// Indices into `boxes`.
    members: Vec<u32>,
    /// Indices of the boxes that are too large for the grid.
    large: Vec<u32>,
}

impl Entry {
    /// A body with a shape, by a box around where it is or will be.
    pub(super) fn new(key: EntityKey, body: &Body, aabb: Aabb) -> Option<Self> {
        let groups = body.spec.collider.as_ref()?.groups();
        Some(Self { key, class: BodyClass { groups, is_loose: body.is_loose() }, aabb })
    }
}

impl Index {
    /// An index of these boxes.
    #[must_use]
    pub(super) fn new(boxes: impl IntoIterator<Item = Entry>) -> Self {
        let boxes: Vec<Entry> = boxes.into_iter().collect();
        let (classes, _) = count(boxes.iter().map(|entry| entry.class));
        let own = classes.into_iter().filter(|(_, n)| *n >= LEAST_OF_CLASS).map(|(class, _)| Some(class));
        let table = |class| Table { class, ..Table::default() };
        let mut tables: Vec<Table> = own.chain([None]).map(table).collect();
        for entry in boxes {
            let is_its = |table: &&mut Table| table.class.is_none_or(|class| class == entry.class);
            tables.iter_mut().find(is_its).into_iter().for_each(|table| table.boxes.push(entry));
        }
        tables.iter_mut().for_each(Table::fill);
        Self { tables }
    }

    /// The keys whose boxes share a point with this one, ascending, into `out`.
    pub(super) fn near(&self, aabb: Aabb, out: &mut Vec<EntityKey>) {
        self.near_of(aabb, |_| true, out);
    }

    /// The same, leaving out the bodies that these collision groups cannot touch.
    pub(super) fn near_touching(&self, aabb: Aabb, groups: CollisionGroups, out: &mut Vec<EntityKey>) {
        self.near_of(aabb, |class| class.groups.can_touch(groups), out);
    }

    /// Those of [`Self::near_touching`] that are loose.
    pub(super) fn loose_near_touching(&self, aabb: Aabb, groups: CollisionGroups, out: &mut Vec<EntityKey>) {
        self.near_of(aabb, |class| class.is_loose && class.groups.can_touch(groups), out);
    }

    fn near_of(&self, aabb: Aabb, counts: impl Fn(BodyClass) -> bool, out: &mut Vec<EntityKey>) {
        out.clear();
        for table in self.tables.iter().filter(|table| table.class.is_none_or(&counts)) {
            table.near(aabb, |entry| {
                if entry.aabb.meets(aabb) && counts(entry.class) {
                    out.push(entry.key);
                }
            });
        }
        out.sort_unstable();
        out.dedup();
    }
}

impl Table {
    /// Counting sort of the boxes into buckets.
    fn fill(&mut self) {
        let n_buckets = self.boxes.len().next_power_of_two() * 2;
        self.starts = vec![0; n_buckets + 1];
        for (i, entry) in (0..).zip(&self.boxes) {
            match small(entry.aabb) {
                Some(squares) => squares.for_each(|square| self.starts[bucket(square, n_buckets)] += 1),
                None => self.large.push(i),
            }
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
        self.members = vec![0; end as usize];
        for (i, entry) in (0..).zip(&self.boxes) {
            for square in small(entry.aabb).into_iter().flatten() {
                let start = &mut self.starts[bucket(square, n_buckets)];
                *start -= 1;
                self.members[*start as usize] = i;
            }
        }
    }

    /// Call `take` for each box that may share a point with this one, for some more than once.
    fn near(&self, aabb: Aabb, mut take: impl FnMut(&Entry)) {
        let (lo, hi) = squares(aabb);
        let n_boxes = i64::try_from(self.boxes.len()).unwrap_or(i64::MAX);
        if n_squares(lo, hi) > n_boxes {
            return self.boxes.iter().for_each(take);
        }
        let n_buckets = self.starts.len() - 1;
        for square in all(lo, hi) {
            let at = bucket(square, n_buckets);
            let members = &self.members[self.starts[at] as usize..self.starts[at + 1] as usize];
            members.iter().for_each(|i| take(&self.boxes[*i as usize]));
        }
        self.large.iter().for_each(|i| take(&self.boxes[*i as usize]));
    }
}

/// The squares that boxes overlap, each with the number of boxes, row by row; boxes that are too large for the grid are
/// left out, as in the index.
pub(super) fn occupied<T>(boxes: &[(T, Aabb)]) -> Vec<(Cell, usize)> {
    // Row and column in one number, which is sorted several times as fast as two.
    const COLUMNS: i64 = 1 << 32;
    let mut all: Vec<i64> = Vec::new();
    for (_, aabb) in boxes {
        all.extend(small(*aabb).into_iter().flatten().map(|[x, y]| y * COLUMNS + x + COLUMNS / 2));
    }
    all.sort_unstable();
    let number = |x: i64| i32::try_from(x).unwrap_or(0);
    let square = |at: i64| [number(at.rem_euclid(COLUMNS) - COLUMNS / 2), number(at.div_euclid(COLUMNS))];
    all.chunk_by(|a, b| a == b).map(|same| (square(same[0]), same.len())).collect()
}

/// How many there are of each of the first [`MAX_KINDS`] kinds, and whether there are more kinds.
fn count<T: PartialEq>(all: impl Iterator<Item = T>) -> (Vec<(T, usize)>, bool) {
    let (mut kinds, mut has_more) = (Vec::<(T, usize)>::new(), false);
    for one in all {
        match kinds.iter().position(|(kind, _)| *kind == one) {
            Some(at) => kinds[at].1 += 1,
            None if kinds.len() < MAX_KINDS => kinds.push((one, 1)),
            None => has_more = true,
        }
    }
    (kinds, has_more)
}

/// Whether bodies with these filters can form at most `most` pairs wherever they are, and are so few that all their
/// boxes may overlap.
pub(super) fn has_few_pairs<T: PartialEq>(
    filters: impl Iterator<Item = T>,
    most: usize,
    can_pair: impl Fn(&T, &T) -> bool,
) -> bool {
    let (kinds, has_more) = count(filters);
    if has_more {
        return false;
    }
    let n: usize = kinds.iter().map(|(_, n)| n).sum();
    let of_kind = |i: usize| {
        let (kind, n) = &kinds[i];
        let others = kinds[i + 1..].iter().filter(|(other, _)| can_pair(kind, other));
        let same = if can_pair(kind, kind) { n * (n - 1) / 2 } else { 0 };
        same + others.map(|(_, m)| n * m).sum::<usize>()
    };
    n * n / 2 <= most * OVERLAPS_PER_PAIR && (0..kinds.len()).map(of_kind).sum::<usize>() <= most
}

/// Whether more than `most` pairs of these boxes overlap, counting those that `can_pair`, or many times more counting
/// all. Where even the sweep leaves too many to compare, they count as overlapping.
///
/// Source: sweep and prune along the axis of greatest spread; Ericson, "Real-Time Collision Detection", 7.5.
pub(super) fn has_more_pairs<T>(mut boxes: Vec<(T, Aabb)>, most: usize, can_pair: impl Fn(&T, &T) -> bool) -> bool {
    // Boxes that share a point share a square of the grid, unless one of them is too large for it.
    let n_large = boxes.iter().filter(|(_, aabb)| small(*aabb).is_none()).count();
    let n_sharing: usize = occupied(&boxes).into_iter().map(|(_, n)| n * (n - 1) / 2).sum();
    if n_sharing + n_large * boxes.len() <= most {
        return false;
    }
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
            if n_pairs > most || n_overlaps / OVERLAPS_PER_PAIR > most || n_compared / 100 > most {
                return true;
            }
        }
    }
    false
}

/// The first and last square that a box overlaps.
fn squares(aabb: Aabb) -> ([i64; 2], [i64; 2]) {
    let square = |px: f32| i64::from(floor((px / SIDE).clamp(-1e9, 1e9)));
    ([square(aabb.lo.x), square(aabb.lo.y)], [square(aabb.hi.x), square(aabb.hi.y)])
}

fn n_squares(lo: [i64; 2], hi: [i64; 2]) -> i64 {
    (hi[0] - lo[0] + 1) * (hi[1] - lo[1] + 1)
}

/// All squares of a rectangle of squares, row by row.
fn all(lo: [i64; 2], hi: [i64; 2]) -> impl Iterator<Item = [i64; 2]> {
    (lo[1]..=hi[1]).flat_map(move |y| (lo[0]..=hi[0]).map(move |x| [x, y]))
}

/// The squares that a box overlaps; `None` for one that is too large for the grid.
fn small(aabb: Aabb) -> Option<impl Iterator<Item = [i64; 2]>> {
    let (lo, hi) = squares(aabb);
    (n_squares(lo, hi) <= MANY).then(|| all(lo, hi))
}

/// The bucket of a square; `n_buckets` is a power of two.
fn bucket([x, y]: [i64; 2], n_buckets: usize) -> usize {
    // The primes of Teschner et al.
    let hash = x.wrapping_mul(73_856_093) ^ y.wrapping_mul(19_349_663);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the low bits are wanted")]
    let hash = hash as usize;
    hash & (n_buckets - 1)
}

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use slotmap::SlotMap;

    use super::*;

    #[test]
    fn squares_are_counted_row_by_row_on_both_sides_of_zero() {
        let square = |x: f32, y: f32| Aabb {
            lo: Vec2::new(x + 0.25, y + 0.25) * SIDE,
            hi: Vec2::new(x + 0.75, y + 0.75) * SIDE,
        };
        let far = 9e8;
        let boxes = [(1.0, -1.0), (-far, 2.0), (far, 2.0), (-1.0, -1.0), (1.0, -1.0), (0.0, -far)];
        let boxes = boxes.map(|(x, y)| ((), square(x, y)));
        let found = occupied(&boxes);
        let far = |at: i32| at.unsigned_abs().abs_diff(900_000_000) < 64;
        assert_eq!(found.iter().map(|(_, n)| *n).collect::<Vec<_>>(), [1, 1, 2, 1, 1]);
        assert_eq!((found[1].0, found[2].0), ([-1, -1], [1, -1]));
        assert!(found[0].0[0] == 0 && far(found[0].0[1]) && found[0].0[1] < 0, "{found:?}");
        assert!(far(found[3].0[0]) && found[3].0[0] < 0 && found[3].0[1] == 2, "{found:?}");
        assert!(far(found[4].0[0]) && found[4].0[0] > 0 && found[4].0[1] == 2, "{found:?}");
    }

    #[test]
    fn finds_what_overlaps_and_nothing_else() {
        let mut keys: SlotMap<EntityKey, ()> = SlotMap::with_key();
        let mut boxes = Vec::new();
        for i in 0_u8..100 {
            let lo = Vec2::new(f32::from(i % 10) * 50.0 - 200.0, f32::from(i / 10) * 50.0 - 200.0);
            let size = if i == 55 { 2000.0 } else { 20.0 };
            // More classes than are counted, and one that has a table of its own.
            let own = CollisionGroups { layer: 1 << (i % 24), mask: !(1 << (i % 5)) };
            let groups = if i % 4 == 3 { own } else { CollisionGroups { layer: 1, mask: 6 } };
            let class = BodyClass { groups, is_loose: i % 8 == 7 };
            boxes.push(Entry { key: keys.insert(()), class, aabb: Aabb { lo, hi: lo + size } });
        }
        let index = Index::new(boxes.clone());
        assert_eq!(index.tables.len(), 2);
        let mut found = Vec::new();
        for Entry { class, aabb, .. } in &boxes {
            let all = |counts: &dyn Fn(&BodyClass) -> bool| -> Vec<EntityKey> {
                let near = boxes.iter().filter(|other| other.aabb.meets(*aabb) && counts(&other.class));
                near.map(|other| other.key).collect()
            };
            index.near(*aabb, &mut found);
            assert_eq!(found, all(&|_| true));
            let touches = |other: &BodyClass| other.groups.can_touch(class.groups);
            index.near_touching(*aabb, class.groups, &mut found);
            assert_eq!(found, all(&touches));
            index.loose_near_touching(*aabb, class.groups, &mut found);
            assert_eq!(found, all(&|other| touches(other) && other.is_loose));
        }
    }
}
