//! Connected components of open cells: within squares of cells, and joined over their sides.
//!
//! Invariant: two open cells have one root exactly when there is a path between them. A diagonal step needs an open
//! cell beside it, so components are those of orthogonal steps whatever the rule for corners. A changed cell costs the
//! square around it; the squares are joined anew when that is needed next, unless their sides are as they were.

use std::{
    ops::Range,
    sync::{Arc, OnceLock},
};

use super::{bits::Bits, map::position};

/// The side of a square, in cells.
const SIDE: usize = 32;
/// More components than this no square has, for each takes a cell of its own and has none beside it.
const MOST: usize = SIDE * SIDE / 2;

/// The components of a map's cells.
#[derive(Clone, Debug)]
pub(super) struct Components {
    /// By rows; shared by copies until they change.
    squares: Vec<Arc<[Arc<Square>]>>,
    stride: usize,
    joined: OnceLock<Arc<Joined>>,
}

/// The components within a square, numbered from 1 in the order of their first cells.
#[derive(Debug)]
struct Square {
    /// Of each cell, row by row; 0 for closed ones.
    labels: [u16; SIDE * SIDE],
    /// Of the first and the last column.
    sides: [[u16; SIDE]; 2],
    n_labels: usize,
}

/// What the components of squares are part of.
#[derive(Debug)]
struct Joined {
    /// By square, the number of its first component.
    first: Vec<usize>,
    /// By component, one that stands for all that are connected with it.
    roots: Vec<usize>,
}

impl Components {
    /// Of the cells of a map with a closed border.
    pub(super) fn new(bits: &Bits, stride: usize, n_rows: usize) -> Self {
        let row = |y: usize| (0..stride.div_ceil(SIDE)).map(|x| Arc::new(Square::new(bits, [x, y]))).collect();
        Self { squares: (0..n_rows.div_ceil(SIDE)).map(row).collect(), stride, joined: OnceLock::new() }
    }

    /// How much memory it takes that no copy shares, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let rows = self.squares.iter().filter(|row| Arc::strong_count(row) == 1);
        let own = rows.flat_map(|row| row.iter()).filter(|square| Arc::strong_count(square) == 1);
        let joined = self.joined.get().filter(|joined| Arc::strong_count(joined) == 1);
        own.count() * size_of::<Square>()
            + joined.map_or(0, |joined| size_of_val(&*joined.first) + size_of_val(&*joined.roots))
    }

    /// Whether there is a path between two open cells.
    pub(super) fn is_connected(&self, a: usize, b: usize) -> bool {
        let ends = [a, b].map(|place| {
            let [x, y] = position(place, self.stride).map(|c| usize::try_from(c).unwrap_or(0));
            let square = self.squares.get(y / SIDE)?.get(x / SIDE)?;
            let label = usize::from(square.labels[y % SIDE * SIDE + x % SIDE]);
            label.checked_sub(1).map(|label| (y / SIDE * self.stride.div_ceil(SIDE) + x / SIDE, label))
        });
        let [Some(a), Some(b)] = ends else { return false };
        let joined = || self.joined.get_or_init(|| Arc::new(self.join()));
        let root = |(square, label): (usize, usize)| {
            let Joined { first, roots } = &**joined();
            roots[first[square] + label]
        };
        a == b || root(a) == root(b)
    }

    /// Follow cells that were opened or closed within these columns and rows of places.
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

    /// Join the components of squares over their sides.
    fn join(&self) -> Joined {
        let mut n = 0;
        let mut first = Vec::new();
        for square in self.squares.iter().flat_map(|row| row.iter()) {
            first.push(n);
            n += square.n_labels;
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
                    let rows = [&square.labels[SIDE * SIDE - SIDE..], &below.labels[..SIDE]];
                    join(&mut roots, [first[here], first[here + n_columns]], rows);
                }
            }
        }
        // Roots are smaller than what they stand for, so one pass upward finds all of them.
        for i in 0..n {
            roots[i] = roots[roots[i]];
        }
        Joined { first, roots }
    }
}

impl Square {
    /// Row after row, run by run.
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
        let mut number = [0; MOST + 1];
        for label in 1..=n {
            let root = root(&mut parent, label);
            if root == label {
                n_labels += 1;
                number[label] = u16::try_from(n_labels).unwrap_or(0);
            }
            number[label] = number[root];
        }
        labels.iter_mut().for_each(|label| *label = number[usize::from(*label)]);
        let sides = [0, SIDE - 1].map(|x| std::array::from_fn(|y| labels[y * SIDE + x]));
        Self { labels, sides, n_labels }
    }

    /// Whether its sides and the number of its components are those of another, so that what was joined is so still.
    fn is_joined_as(&self, other: &Self) -> bool {
        let rows = |square: &Self| [0, SIDE * SIDE - SIDE].map(|at| square.labels[at..][..SIDE].to_owned());
        self.n_labels == other.n_labels && self.sides == other.sides && rows(self) == rows(other)
    }
}

/// The bits up to the first gap.
fn first_run(bits: u32) -> u32 {
    let start = bits.trailing_zeros();
    let n = (bits >> start).trailing_ones();
    (u32::MAX >> (32 - n)) << start
}

/// Join what lies on both sides of a line between two squares, whose components are numbered from these on.
fn join(roots: &mut [usize], first: [usize; 2], labels: [&[u16]; 2]) {
    let mut latest = (0, 0);
    for pair in labels[0].iter().copied().zip(labels[1].iter().copied()) {
        if pair.0 != 0 && pair.1 != 0 && pair != latest {
            let [a, b] = [(first[0], pair.0), (first[1], pair.1)].map(|(first, label)| first + usize::from(label) - 1);
            let (a, b) = (root(roots, a), root(roots, b));
            roots[a.max(b)] = a.min(b);
            latest = pair;
        }
    }
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}
