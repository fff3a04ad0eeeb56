//! Connected components of open cells: per square of cells, joined across the sides of squares.
//!
//! Invariant: two open cells have the same root exactly when there is a path between them; a component along no side of
//! its square has no root, and is connected with no other. A diagonal step needs an open cell beside it, so components
//! are those of orthogonal steps whatever the rule for corners. A changed cell costs a rebuild of the squares around it;
//! squares are joined again at the next query, unless their sides are unchanged.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use super::{bits::Bits, map::position};

/// The side of a square, in cells.
const SIDE: usize = 32;
/// The most components of a square: each needs a cell of its own with none beside it.
const MOST: usize = SIDE * SIDE / 2;

/// The components of a map's cells.
#[derive(Clone, Debug)]
pub(super) struct Components {
    /// Rows of squares; shared by copies until they change.
    squares: Vec<Arc<[Arc<Square>]>>,
    stride: usize,
    joined: OnceLock<Arc<Joined>>,
}

/// The components within a square, numbered from 1: first those along its sides, in the order of `sides`, so that a
/// change within the square mostly leaves their numbers as they are.
#[derive(Debug)]
struct Square {
    /// The component of each cell, row by row; 0 for closed cells.
    labels: [u16; SIDE * SIDE],
    /// The components along the first and the last column, and the first and the last row.
    sides: [[u16; SIDE]; 4],
    /// The number of components along its sides.
    n_joined: usize,
}

/// Union-find over the components along the sides of all squares.
#[derive(Debug)]
struct Joined {
    /// By square: the number of its first component along a side.
    first: Vec<usize>,
    /// By component along a side: the root of its connected set.
    roots: Vec<usize>,
}

impl Components {
    /// From the cells of a map with a closed border.
    pub(super) fn new(bits: &Bits, stride: usize, n_rows: usize) -> Self {
        let row = |y: usize| (0..stride.div_ceil(SIDE)).map(|x| Arc::new(Square::new(bits, [x, y]))).collect();
        Self { squares: (0..n_rows.div_ceil(SIDE)).map(row).collect(), stride, joined: OnceLock::new() }
    }

    /// Memory that no copy shares, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let rows = self.squares.iter().filter(|row| Arc::strong_count(row) == 1);
        let unshared = rows.flat_map(|row| row.iter()).filter(|square| Arc::strong_count(square) == 1);
        let joined = self.joined.get().filter(|joined| Arc::strong_count(joined) == 1);
        unshared.count() * size_of::<Square>()
            + joined.map_or(0, |joined| size_of_val(&*joined.first) + size_of_val(&*joined.roots))
    }

    /// Whether there is a path between two open cells, given by their indices in the map's array.
    pub(super) fn is_connected(&self, a: usize, b: usize) -> bool {
        let ends = [a, b].map(|place| {
            let [x, y] = position(place, self.stride).map(|c| usize::try_from(c).unwrap_or(0));
            let square = self.squares.get(y / SIDE)?.get(x / SIDE)?;
            let label = usize::from(square.labels[y % SIDE * SIDE + x % SIDE]).checked_sub(1)?;
            Some((y / SIDE * self.stride.div_ceil(SIDE) + x / SIDE, label, label < square.n_joined))
        });
        let [Some(a), Some(b)] = ends else { return false };
        let is_joined = |(.., is_along_side): (usize, usize, bool)| is_along_side;
        if a == b || !(is_joined(a) && is_joined(b)) {
            return a == b;
        }
        let Joined { first, roots } = &**self.joined.get_or_init(|| Arc::new(self.join()));
        let [a, b] = [a, b].map(|(square, label, _)| roots[first[square] + label]);
        a == b
    }

    /// Update after cells were opened or closed within these columns and rows, which count the border.
    pub(super) fn update(&mut self, bits: &Bits, xs: &Range<usize>, ys: &Range<usize>) {
        let squares = |range: &Range<usize>| range.start / SIDE..range.end.div_ceil(SIDE);
        for y in squares(ys) {
            let Some(row) = self.squares.get_mut(y) else { return };
            let row = Arc::make_mut(row);
            for x in squares(xs) {
                let Some(square) = row.get_mut(x) else { break };
                let new = Square::new(bits, [x, y]);
                if !new.is_joined_as(square) {
                    self.joined = OnceLock::new();
                }
                *square = Arc::new(new);
            }
        }
    }

    /// Join the components of squares across their sides.
    ///
    /// Source: union-find; Tarjan, "Efficiency of a good but not linear set union algorithm" (1975).
    fn join(&self) -> Joined {
        let mut n = 0;
        let mut first = Vec::new();
        for square in self.squares.iter().flat_map(|row| row.iter()) {
            first.push(n);
            n += square.n_joined;
        }
        let mut roots: Vec<usize> = (0..n).collect();
        let n_columns = self.stride.div_ceil(SIDE);
        for (y, row) in self.squares.iter().enumerate() {
            for (x, square) in row.iter().enumerate() {
                let here = y * n_columns + x;
                if let Some(right) = row.get(x + 1) {
                    join(&mut roots, [first[here], first[here + 1]], [&square.sides[1], &right.sides[0]]);
                }
                if let Some(below) = self.squares.get(y + 1).and_then(|row| row.get(x)) {
                    join(&mut roots, [first[here], first[here + n_columns]], [&square.sides[3], &below.sides[2]]);
                }
            }
        }
        // A root is smaller than its members, so one ascending pass finds all roots.
        for i in 0..n {
            roots[i] = roots[roots[i]];
        }
        Joined { first, roots }
    }
}

impl Square {
    /// One pass over the rows, run by run.
    ///
    /// Source: Hoshen, Kopelman, "Percolation and cluster distribution" (one pass over a raster, with union-find).
    fn new(bits: &Bits, [column, row]: [usize; 2]) -> Self {
        let mut labels = [0; SIDE * SIDE];
        let mut parent = [0_usize; MOST + 1];
        let (mut n, mut above) = (0, 0);
        for y in 0..SIDE {
            let open = bits.rows.open_32(row * SIDE + y, column);
            let mut rest = open;
            while rest != 0 {
                let run = first_run(rest);
                rest &= !run;
                let mut label = 0;
                let mut met = run & above;
                while met != 0 {
                    let at = met.trailing_zeros() as usize;
                    met &= !first_run(met);
                    let other = root(&mut parent, usize::from(labels[(y - 1) * SIDE + at]));
                    let (low, high) = if label == 0 { (other, other) } else { (other.min(label), other.max(label)) };
                    parent[high] = low;
                    label = low;
                }
                if label == 0 {
                    n += 1;
                    parent[n] = n;
                    label = n;
                }
                let at = y * SIDE + run.trailing_zeros() as usize;
                labels[at..][..run.count_ones() as usize].fill(u16::try_from(label).unwrap_or(0));
            }
            above = open;
        }
        let mut n_labels = 0;
        // By root; 0 has number 0.
        let mut number = [0_u16; MOST + 1];
        let mut numbered = |label: u16| {
            let root = root(&mut parent, usize::from(label));
            if root != 0 && number[root] == 0 {
                n_labels += 1;
                number[root] = n_labels;
            }
            number[root]
        };
        let along_side = |side: usize, i: usize| match side {
            0 => i * SIDE,
            1 => i * SIDE + SIDE - 1,
            2 => i,
            _ => SIDE * SIDE - SIDE + i,
        };
        let sides = [0, 1, 2, 3].map(|side| std::array::from_fn(|i| numbered(labels[along_side(side, i)])));
        let n_joined = sides.iter().flatten().copied().max().map_or(0, usize::from);
        let numbers: [u16; MOST + 1] =
            std::array::from_fn(|label| if label <= n { numbered(u16::try_from(label).unwrap_or(0)) } else { 0 });
        labels.iter_mut().for_each(|label| *label = numbers[usize::from(*label)]);
        Self { labels, sides, n_joined }
    }

    /// Whether the components along its sides equal another's, so that the joined components stay valid.
    fn is_joined_as(&self, other: &Self) -> bool {
        self.sides == other.sides
    }
}

/// The lowest run of set bits.
fn first_run(bits: u32) -> u32 {
    let start = bits.trailing_zeros();
    let n = (bits >> start).trailing_ones();
    (u32::MAX >> (32 - n)) << start
}

/// Join components on both sides of a line between two squares; `first` has the numbers of the squares' first
/// components.
fn join(roots: &mut [usize], first: [usize; 2], labels: [&[u16; SIDE]; 2]) {
    let mut latest = (0, 0);
    for pair in labels[0].iter().copied().zip(*labels[1]) {
        if pair.0 != 0 && pair.1 != 0 && pair != latest {
            let [a, b] = [(first[0], pair.0), (first[1], pair.1)].map(|(first, label)| first + usize::from(label) - 1);
            let (a, b) = (root(roots, a), root(roots, b));
            roots[a.max(b)] = a.min(b);
            latest = pair;
        }
    }
}

/// The one that stands for all those connected with one, found by following from each to its parent.
pub(super) fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_joined_again_only_after_changes_along_their_sides() {
        const WIDTH: usize = 96;
        let index = |[x, y]: [usize; 2]| y * WIDTH + x;
        let is_inner = |i: &usize| (1..WIDTH - 1).contains(&(i % WIDTH)) && (1..WIDTH - 1).contains(&(i / WIDTH));
        let mut cells: Vec<u16> = (0..WIDTH * WIDTH).map(|i| u16::from(is_inner(&i))).collect();
        let mut components = Components::new(&Bits::new(&cells, WIDTH), WIDTH, WIDTH);
        let ends = [index([5, 5]), index([90, 90])];
        assert!(components.is_connected(ends[0], ends[1]));
        let mut close = |components: &mut Components, at: [usize; 2]| {
            cells[index(at)] = 0;
            components.update(&Bits::new(&cells, WIDTH), &(at[0]..at[0] + 1), &(at[1]..at[1] + 1));
        };
        // Around a single cell, which becomes a component of its own, along no side of its square.
        for at in [[40, 39], [39, 40], [41, 40], [40, 41]] {
            close(&mut components, at);
            assert!(components.joined.get().is_some(), "{at:?}");
        }
        assert!(!components.is_connected(ends[0], index([40, 40])));
        assert!(components.is_connected(ends[0], ends[1]));
        close(&mut components, [32, 50]);
        assert!(components.joined.get().is_none());
        // Across the level.
        (1..WIDTH - 1).for_each(|y| close(&mut components, [70, y]));
        assert!(!components.is_connected(ends[0], ends[1]));
        assert!(components.is_connected(ends[0], index([69, 90])));
    }
}
