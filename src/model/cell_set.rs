//! A set of cells: which of a level are selected, filled, or seen.
//!
//! Invariant: no row block is empty, so two sets with the same cells are equal. What a set costs goes with the blocks of 32×32 cells
//! that it touches.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{CHUNK, Cell, chunk_of};

/// 32 rows of 32 cells, a bit each; the lowest is the leftmost.
type Rows = [u32; 32];

/// A set of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<(Cell, Rows)>", into = "Vec<(Cell, Rows)>")]
pub struct CellSet {
    blocks: BTreeMap<Cell, Rows>,
}

impl From<Vec<(Cell, Rows)>> for CellSet {
    fn from(blocks: Vec<(Cell, Rows)>) -> Self {
        let mut set = Self::default();
        blocks.iter().for_each(|(at, rows)| set.insert_block(*at, rows));
        set
    }
}

impl From<CellSet> for Vec<(Cell, Rows)> {
    fn from(set: CellSet) -> Self {
        set.blocks.into_iter().collect()
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::default();
        set.extend(cells);
        set
    }
}

impl Extend<Cell> for CellSet {
    fn extend<I: IntoIterator<Item = Cell>>(&mut self, cells: I) {
        for cell in cells {
            self.insert(cell);
        }
    }
}

impl CellSet {
    /// A rectangle of cells by two opposite corners, both included.
    #[must_use]
    pub fn rectangle(a: Cell, b: Cell) -> Self {
        let (lo, hi) = ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]);
        let (from, to) = (chunk_of(lo).0, chunk_of(hi).0);
        let mut blocks = BTreeMap::new();
        for x in from[0]..=to[0] {
            let row = bits_between(x * CHUNK, lo[0], hi[0]);
            for y in from[1]..=to[1] {
                let rows = bits_between(y * CHUNK, lo[1], hi[1]);
                blocks.insert([x, y], std::array::from_fn(|i| if rows & (1 << i) == 0 { 0 } else { row }));
            }
        }
        Self { blocks }
    }

    /// Whether a cell is in it.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        let (block, row, bit) = place(cell);
        self.blocks.get(&block).is_some_and(|rows| rows[row] & bit != 0)
    }

    /// Put a cell in.
    pub fn insert(&mut self, cell: Cell) {
        let (block, row, bit) = place(cell);
        self.blocks.entry(block).or_default()[row] |= bit;
    }

    /// Put cells side by side in: those of a row from the first to the last column.
    pub fn insert_row(&mut self, y: i32, first: i32, last: i32) {
        let ([from, block_y], at) = chunk_of([first, y]);
        for block_x in from..=last.div_euclid(CHUNK) {
            let bits = bits_between(block_x * CHUNK, first, last);
            self.blocks.entry([block_x, block_y]).or_default()[at / 32] |= bits;
        }
    }

    /// Put cells of a block of 32×32 in: its rows from the top, a bit a cell, the lowest the leftmost.
    pub fn insert_block(&mut self, at: Cell, rows: &[u32; 32]) {
        if rows.iter().any(|row| *row != 0) {
            self.blocks.entry(at).or_default().iter_mut().zip(rows).for_each(|(mine, row)| *mine |= row);
        }
    }

    /// The cells of a block, as [`CellSet::insert_block`] takes them.
    #[must_use]
    pub fn block(&self, at: Cell) -> [u32; 32] {
        self.blocks.get(&at).copied().unwrap_or_default()
    }

    /// The blocks that have cells, by column then row.
    pub fn blocks(&self) -> impl Iterator<Item = (Cell, &[u32; 32])> {
        self.blocks.iter().map(|(at, rows)| (*at, rows))
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// How many cells are in it.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.values().flatten().map(|row| row.count_ones() as usize).sum()
    }

    /// Every cell: block by block, in a block row by row.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.blocks.iter().flat_map(|(block, rows)| {
            (0..CHUNK).zip(rows).flat_map(move |(y, row)| {
                let cell = move |x: i32| [block[0] * CHUNK + x, block[1] * CHUNK + y];
                (0..CHUNK).filter(move |x| row & (1 << x) != 0).map(cell)
            })
        })
    }

    /// The smallest and largest column and row, included; `None` when it is empty.
    #[must_use]
    pub fn bounds(&self) -> Option<(Cell, Cell)> {
        self.blocks.iter().fold(None, |bounds: Option<(Cell, Cell)>, (block, rows)| {
            let columns = rows.iter().fold(0, |all, row| all | row);
            let first = rows.iter().position(|row| *row != 0).map_or(0, index);
            let last = rows.iter().rposition(|row| *row != 0).map_or(0, index);
            let (x, y) = (block[0] * CHUNK, block[1] * CHUNK);
            let lo = [x + index(columns.trailing_zeros() as usize), y + first];
            let hi = [x + CHUNK - 1 - index(columns.leading_zeros() as usize), y + last];
            let (a, b) = bounds.unwrap_or((lo, hi));
            Some(([a[0].min(lo[0]), a[1].min(lo[1])], [b[0].max(hi[0]), b[1].max(hi[1])]))
        })
    }

    /// The cells of either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let mut out = self.clone();
        for (block, rows) in &other.blocks {
            let mine = out.blocks.entry(*block).or_default();
            mine.iter_mut().zip(rows).for_each(|(mine, row)| *mine |= row);
        }
        out
    }

    /// The cells of this one that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.kept(|block, i, row| row & !other.blocks.get(&block).map_or(0, |rows| rows[i]))
    }

    /// The cells of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.kept(|block, i, row| row & other.blocks.get(&block).map_or(0, |rows| rows[i]))
    }

    fn kept(&self, keep: impl Fn(Cell, usize, u32) -> u32) -> Self {
        let blocks = self.blocks.iter().filter_map(|(block, rows)| {
            let rows: Rows = std::array::from_fn(|i| keep(*block, i, rows[i]));
            rows.iter().any(|row| *row != 0).then_some((*block, rows))
        });
        Self { blocks: blocks.collect() }
    }

    /// All cells moved by columns and rows.
    #[must_use]
    pub fn moved(&self, by: Cell) -> Self {
        self.iter().map(|[x, y]| [x.saturating_add(by[0]), y.saturating_add(by[1])]).collect()
    }

    /// Cells side by side, by row, first and last column, as far as they are in blocks that touch the cells between two corners (both
    /// included); as long as they can be within a block.
    pub fn rows(&self, lo: Cell, hi: Cell) -> impl Iterator<Item = (i32, i32, i32)> + '_ {
        self.blocks_between(lo, hi).flat_map(|(block, rows)| {
            let [x, y] = block.map(|at| at * CHUNK);
            let mut out = Vec::new();
            for (row, at) in rows.iter().zip(y..) {
                runs(*row, |from, to| out.push((at, x + from, x + to - 1)));
            }
            out
        })
    }

    fn blocks_between(&self, lo: Cell, hi: Cell) -> impl Iterator<Item = (&Cell, &Rows)> {
        let (first, last) = (chunk_of(lo).0, chunk_of(hi).0);
        let columns = self.blocks.range([first[0], i32::MIN]..=[last[0].max(first[0]), i32::MAX]);
        columns.filter(move |(block, _)| (first[1]..=last[1]).contains(&block[1]))
    }

    /// Pieces of the line around it, as far as they touch the cells between two corners (both included): from corner to corner of
    /// the grid, where the corner (x, y) is the left top of the cell (x, y). Pieces go right or down, and are as long as they can be
    /// within a block.
    pub fn outline(&self, lo: Cell, hi: Cell) -> impl Iterator<Item = [Cell; 2]> + '_ {
        self.blocks_between(lo, hi).flat_map(|(block, rows)| {
            let [x, y] = block.map(|at| at * CHUNK);
            let near = |dx: i32, dy: i32| self.blocks.get(&[block[0] + dx, block[1] + dy]);
            let mut out = Vec::new();
            let columns = transposed(rows);
            let (left, right) = (near(-1, 0).map(transposed), near(1, 0).map(transposed));
            for i in 0..32 {
                let at = index(i);
                let above = if i == 0 { near(0, -1).map_or(0, |rows| rows[31]) } else { rows[i - 1] };
                let below = if i == 31 { near(0, 1).map_or(0, |rows| rows[0]) } else { rows[i + 1] };
                runs(rows[i] & !above, |from, to| out.push([[x + from, y + at], [x + to, y + at]]));
                runs(rows[i] & !below, |from, to| out.push([[x + from, y + at + 1], [x + to, y + at + 1]]));
                let before = if i == 0 { left.map_or(0, |columns| columns[31]) } else { columns[i - 1] };
                let after = if i == 31 { right.map_or(0, |columns| columns[0]) } else { columns[i + 1] };
                runs(columns[i] & !before, |from, to| out.push([[x + at, y + from], [x + at, y + to]]));
                runs(columns[i] & !after, |from, to| out.push([[x + at + 1, y + from], [x + at + 1, y + to]]));
            }
            out
        })
    }
}

/// The cells from `first` to `last` of a row of the block that begins at `start`, as bits.
fn bits_between(start: i32, first: i32, last: i32) -> u32 {
    let (from, to) = ((first - start).max(0), (last - start).min(CHUNK - 1));
    (u32::MAX << from) & (u32::MAX >> (CHUNK - 1 - to))
}

/// The block of a cell, the row in it and the cell's bit.
fn place(cell: Cell) -> (Cell, usize, u32) {
    let (block, at) = chunk_of(cell);
    (block, at / 32, 1 << (at % 32))
}

/// An index within a block as a coordinate.
fn index(at: usize) -> i32 {
    i32::try_from(at).unwrap_or(CHUNK)
}

/// Columns for rows.
fn transposed(rows: &Rows) -> Rows {
    std::array::from_fn(|x| rows.iter().rev().fold(0, |column, row| column << 1 | (row >> x & 1)))
}

/// The runs of ones in a row, from the first to the one after the last.
fn runs(mut row: u32, mut found: impl FnMut(i32, i32)) {
    let mut at = 0;
    while row != 0 {
        let skipped = row.trailing_zeros();
        row >>= skipped;
        let length = row.trailing_ones();
        row = row.checked_shr(length).unwrap_or(0);
        found(at + skipped.cast_signed(), at + (skipped + length).cast_signed());
        at += (skipped + length).cast_signed();
    }
}
