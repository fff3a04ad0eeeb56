//! A set of cells: which of a level are selected, filled, or seen.
//!
//! Invariant: no region is empty and what is stored of a block is neither none nor all of it, so sets of equal cells
//! are equal. Regions and blocks that are in as a whole are not stored cell by cell: what a set costs goes with the
//! blocks of 32×32 cells that are in it in part.

use std::{collections::BTreeMap, sync::Arc};

use serde::{Deserialize, Serialize};

use super::{CHUNK, Cell, CellTransform, REGION, chunk_of, region_of};

/// 32 rows of 32 cells, a bit each; the lowest is the leftmost.
pub(super) type Rows = [u32; 32];

/// The rows of a block that is in as a whole.
pub(super) const ALL: Rows = [u32::MAX; 32];

/// Blocks in a region.
const BLOCKS: usize = (REGION * REGION) as usize;

/// A set of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Listed", into = "Listed")]
pub struct CellSet {
    regions: BTreeMap<Cell, Region>,
}

/// The cells of a region of 16×16 blocks.
#[derive(Clone, Debug)]
enum Region {
    All,
    /// By column then row.
    Blocks(Arc<[Block; BLOCKS]>),
}

/// The cells of a block of 32×32.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Block {
    #[default]
    None,
    All,
    Part(Arc<Rows>),
}

/// Cells that are in, as [`CellSet::parts`] has them.
pub(super) enum Part<'a> {
    /// All cells of a region.
    Region(Cell),
    /// Those of a block.
    Block(Cell, &'a Rows),
}

/// How a set is written by serde: regions that are in as a whole, and blocks of others.
#[derive(Serialize, Deserialize)]
struct Listed {
    regions: Vec<Cell>,
    blocks: Vec<(Cell, Rows)>,
}

impl From<Listed> for CellSet {
    fn from(listed: Listed) -> Self {
        let mut set = Self { regions: listed.regions.into_iter().map(|at| (at, Region::All)).collect() };
        listed.blocks.iter().for_each(|(at, rows)| set.insert_block(*at, rows));
        set
    }
}

impl From<CellSet> for Listed {
    fn from(set: CellSet) -> Self {
        let mut listed = Self { regions: Vec::new(), blocks: Vec::new() };
        for part in set.parts() {
            match part {
                Part::Region(at) => listed.regions.push(at),
                Part::Block(at, rows) => listed.blocks.push((at, *rows)),
            }
        }
        listed
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

impl PartialEq for Region {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Blocks(a), Self::Blocks(b)) => a == b,
            (Self::All, Self::All) => true,
            // Cells that are put in one after the other may fill a region.
            _ => (0..BLOCKS).all(|i| self.block(i) == other.block(i)),
        }
    }
}

impl Eq for Region {}

impl Region {
    /// One of such blocks, by their numbers; `None` where all are empty.
    fn of(block: impl FnMut(usize) -> Block) -> Option<Self> {
        let blocks = std::array::from_fn(block);
        if blocks.iter().all(|block| *block == Block::None) {
            None
        } else if blocks.iter().all(|block| *block == Block::All) {
            Some(Self::All)
        } else {
            Some(Self::Blocks(Arc::new(blocks)))
        }
    }

    fn block(&self, number: usize) -> &Block {
        match self {
            Self::All => &Block::All,
            Self::Blocks(blocks) => blocks.get(number).unwrap_or(&Block::None),
        }
    }

    /// The cells of two regions joined row by row.
    fn joined(a: Option<&Self>, b: Option<&Self>, op: fn(u32, u32) -> u32) -> Option<Self> {
        let all_or_none = |region: Option<&Self>| match region {
            None => Some(0),
            Some(Self::All) => Some(u32::MAX),
            Some(Self::Blocks(_)) => None,
        };
        let all = |row: u32| (row != 0).then_some(Self::All);
        match (all_or_none(a), all_or_none(b)) {
            (Some(a), Some(b)) => all(op(a, b)),
            (Some(a), None) if op(a, 0) == op(a, u32::MAX) => all(op(a, 0)),
            (Some(a), None) if op(a, 0) == 0 => b.cloned(),
            (None, Some(b)) if op(0, b) == op(u32::MAX, b) => all(op(0, b)),
            (None, Some(b)) if op(0, b) == 0 => a.cloned(),
            _ => {
                let block = |region: Option<&Self>, i| region.map_or(Block::None, |region| region.block(i).clone());
                Self::of(|i| Block::joined(&block(a, i), &block(b, i), op))
            }
        }
    }
}

impl Block {
    fn of(rows: &Rows) -> Self {
        match rows {
            [0, ..] if *rows == Rows::default() => Self::None,
            &ALL => Self::All,
            _ => Self::Part(Arc::new(*rows)),
        }
    }

    fn rows(&self) -> &Rows {
        match self {
            Self::None => &[0; 32],
            Self::All => &ALL,
            Self::Part(rows) => rows,
        }
    }

    fn joined(a: &Self, b: &Self, op: fn(u32, u32) -> u32) -> Self {
        match (a, b) {
            (Self::Part(_), _) | (_, Self::Part(_)) => {
                let (a, b) = (a.rows(), b.rows());
                Self::of(&std::array::from_fn(|i| op(a[i], b[i])))
            }
            _ if op(a.rows()[0], b.rows()[0]) == 0 => Self::None,
            _ => Self::All,
        }
    }

    /// Put cells of one row in.
    fn insert(&mut self, row: usize, bits: u32) {
        match self {
            Self::All => {}
            Self::None => {
                let mut rows = Rows::default();
                rows[row] = bits;
                *self = Self::Part(Arc::new(rows));
            }
            Self::Part(rows) => {
                let rows = Arc::make_mut(rows);
                rows[row] |= bits;
                if rows[row] == u32::MAX && *rows == ALL {
                    *self = Self::All;
                }
            }
        }
    }

    /// The rows turned or mirrored in place.
    fn turned(&self, to: &CellTransform) -> Self {
        let Self::Part(rows) = self else { return self.clone() };
        let mut rows = if to.is_transposed { transposed(rows) } else { **rows };
        if to.is_mirrored[0] {
            rows = rows.map(u32::reverse_bits);
        }
        if to.is_mirrored[1] {
            rows.reverse();
        }
        Self::Part(Arc::new(rows))
    }
}

impl CellSet {
    /// A rectangle of cells by two opposite corners, both included.
    #[must_use]
    pub fn rectangle(a: Cell, b: Cell) -> Self {
        let (lo, hi) = ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]);
        let (first, last) = (chunk_of(lo).0, chunk_of(hi).0);
        let block = |at: Cell| {
            let is_between = |i: usize| (first[i] + 1..last[i]).contains(&at[i]);
            if is_between(0) && is_between(1) {
                return Block::All;
            }
            let [columns, rows] = [0, 1].map(|i| bits_between(at[i].saturating_mul(CHUNK), lo[i], hi[i]));
            Block::of(&std::array::from_fn(|i| if rows & (1 << i) == 0 { 0 } else { columns }))
        };
        let regions = between(region_of(first), region_of(last)).filter_map(|at| {
            let corners = [at.map(|x| x * REGION), at.map(|x| x * REGION + REGION - 1)];
            let is_all = (0..2).all(|i| corners.iter().all(|at| (first[i] + 1..last[i]).contains(&at[i])));
            let region = if is_all { Some(Region::All) } else { Region::of(|i| block(block_at(at, i))) };
            Some((at, region?))
        });
        Self { regions: regions.collect() }
    }

    fn get(&self, block: Cell) -> &Block {
        self.regions.get(&region_of(block)).map_or(&Block::None, |region| region.block(number_of(block)))
    }

    /// A block to put cells into; `None` when all are in.
    fn slot(&mut self, block: Cell) -> Option<&mut Block> {
        let none = || Region::Blocks(Arc::new(std::array::from_fn(|_| Block::None)));
        match self.regions.entry(region_of(block)).or_insert_with(none) {
            Region::All => None,
            Region::Blocks(blocks) => Arc::make_mut(blocks).get_mut(number_of(block)),
        }
    }

    /// Whether a cell is in it.
    #[must_use]
    pub fn contains(&self, cell: Cell) -> bool {
        let (block, row, bit) = place(cell);
        self.get(block).rows()[row] & bit != 0
    }

    /// Put a cell in.
    pub fn insert(&mut self, cell: Cell) {
        let (block, row, bit) = place(cell);
        if let Some(block) = self.slot(block) {
            block.insert(row, bit);
        }
    }

    /// Put cells side by side in: those of a row from the first to the last column.
    pub fn insert_row(&mut self, y: i32, first: i32, last: i32) {
        let ([from, block_y], at) = chunk_of([first, y]);
        for block_x in from..=last.div_euclid(CHUNK) {
            let bits = bits_between(block_x * CHUNK, first, last);
            if bits == 0 {
                continue;
            }
            if let Some(block) = self.slot([block_x, block_y]) {
                block.insert(at / 32, bits);
            }
        }
    }

    /// Put cells of a block of 32×32 in: its rows from the top, a bit a cell, the lowest the leftmost.
    pub fn insert_block(&mut self, at: Cell, rows: &[u32; 32]) {
        if *rows == Rows::default() {
            return;
        }
        if let Some(block) = self.slot(at) {
            *block = Block::joined(block, &Block::of(rows), |a, b| a | b);
        }
    }

    /// The cells of a block, as [`CellSet::insert_block`] takes them.
    #[must_use]
    pub fn block(&self, at: Cell) -> [u32; 32] {
        *self.get(at).rows()
    }

    /// The cells, by regions that are in as a whole and blocks of others.
    pub(super) fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.regions.iter().flat_map(move |(at, region)| {
            let (whole, blocks) = match region {
                Region::All => (Some(Part::Region(*at)), &[][..]),
                Region::Blocks(blocks) => (None, &blocks[..]),
            };
            let blocks = blocks.iter().enumerate().filter(|(_, block)| **block != Block::None);
            whole.into_iter().chain(blocks.map(move |(i, block)| Part::Block(block_at(*at, i), block.rows())))
        })
    }

    /// The blocks that have cells, with their rows as [`CellSet::insert_block`] takes them.
    pub fn blocks(&self) -> impl Iterator<Item = (Cell, &[u32; 32])> {
        self.regions.iter().flat_map(|(at, region)| {
            let blocks = (0..BLOCKS).map(move |i| (block_at(*at, i), region.block(i)));
            blocks.filter(|(_, block)| **block != Block::None).map(|(at, block)| (at, block.rows()))
        })
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty()
    }

    /// How many cells are in it.
    #[must_use]
    pub fn len(&self) -> usize {
        let parts = self.parts().map(|part| match part {
            Part::Region(_) => BLOCKS * 1024,
            Part::Block(_, rows) if *rows == ALL => 1024,
            Part::Block(_, rows) => rows.iter().map(|row| row.count_ones() as usize).sum(),
        });
        parts.sum()
    }

    /// Every cell: block by block, in a block row by row.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        self.blocks().flat_map(|(block, rows)| {
            (0..CHUNK).zip(rows).flat_map(move |(y, row)| {
                let cell = move |x: i32| [block[0] * CHUNK + x, block[1] * CHUNK + y];
                (0..CHUNK).filter(move |x| row & (1 << x) != 0).map(cell)
            })
        })
    }

    /// The smallest and largest column and row, included; `None` when it is empty.
    #[must_use]
    pub fn bounds(&self) -> Option<(Cell, Cell)> {
        let bounds = self.parts().map(|part| match part {
            Part::Region(at) => (at.map(|x| x * REGION * CHUNK), at.map(|x| (x * REGION + REGION) * CHUNK - 1)),
            Part::Block(at, rows) => {
                let columns = rows.iter().fold(0, |all, row| all | row);
                let first = rows.iter().position(|row| *row != 0).map_or(0, index);
                let last = rows.iter().rposition(|row| *row != 0).map_or(0, index);
                let [x, y] = at.map(|at| at * CHUNK);
                let right = x + CHUNK - 1 - index(columns.leading_zeros() as usize);
                ([x + index(columns.trailing_zeros() as usize), y + first], [right, y + last])
            }
        });
        bounds.reduce(|(a, b), (lo, hi)| ([0, 1].map(|i| a[i].min(lo[i])), [0, 1].map(|i| b[i].max(hi[i]))))
    }

    /// The cells of either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.joined(other, |a, b| a | b)
    }

    /// The cells of this one that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.joined(other, |a, b| a & !b)
    }

    /// The cells of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.joined(other, |a, b| a & b)
    }

    fn joined(&self, other: &Self, op: fn(u32, u32) -> u32) -> Self {
        let only_there = other.regions.keys().filter(|at| !self.regions.contains_key(*at));
        let regions = self
            .regions
            .keys()
            .chain(only_there)
            .filter_map(|at| Some((*at, Region::joined(self.regions.get(at), other.regions.get(at), op)?)));
        Self { regions: regions.collect() }
    }

    /// All cells moved by columns and rows.
    #[must_use]
    pub fn moved(&self, by: Cell) -> Self {
        // Where the cells of a region go, and where those of a block of another one come from.
        let side = REGION * CHUNK;
        let (first, rest) = (by.map(|x| x.div_euclid(side)), by.map(|x| x.rem_euclid(side)));
        let goes_to = |[x, y]: Cell| {
            let last = [0, 1].map(|i| first[i] + i32::from(rest[i] != 0));
            between([x + first[0], y + first[1]], [x + last[0], y + last[1]])
        };
        let comes_from = |[x, y]: Cell| {
            let lo = [0, 1].map(|i| -first[i] - i32::from(rest[i] != 0));
            between([x + lo[0], y + lo[1]], [x - first[0], y - first[1]])
        };
        let mut regions = BTreeMap::new();
        for to in self.regions.keys().flat_map(|at| goes_to(*at)) {
            if regions.contains_key(&to) {
                continue;
            }
            let is_all = comes_from(to).all(|at| matches!(self.regions.get(&at), Some(Region::All)));
            let region =
                if is_all { Some(Region::All) } else { Region::of(|i| self.block_before(block_at(to, i), by)) };
            regions.extend(region.map(|region| (to, region)));
        }
        Self { regions }
    }

    /// The cells that come to lie in a block when all are moved by columns and rows.
    fn block_before(&self, at: Cell, by: Cell) -> Block {
        let ([x, y], offset) = chunk_of([0, 1].map(|i| at[i] * CHUNK - by[i]));
        let (right, down) = (offset % 32, offset / 32);
        let near = [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]].map(|at| self.get(at));
        if near.iter().all(|block| **block == Block::None) || near.iter().all(|block| **block == Block::All) {
            return near[0].clone();
        }
        let [a, b, c, d] = near.map(Block::rows);
        Block::of(&std::array::from_fn(|i| {
            let (left, next) =
                if down + i < 32 { (a[down + i], b[down + i]) } else { (c[down + i - 32], d[down + i - 32]) };
            if right == 0 { left } else { left >> right | next << (32 - right) }
        }))
    }

    /// All cells turned, mirrored and moved.
    #[must_use]
    pub fn transformed(&self, to: &CellTransform) -> Self {
        let turn = CellTransform { by: [0, 0], ..*to };
        if turn == CellTransform::default() {
            return self.moved(to.by);
        }
        let turned = |(at, region): (&Cell, &Region)| {
            let region = match region {
                Region::All => Region::All,
                Region::Blocks(blocks) => {
                    let mut out: [Block; BLOCKS] = std::array::from_fn(|_| Block::None);
                    for (i, block) in blocks.iter().enumerate() {
                        out[number_of(turn.cell(block_at([0, 0], i)))] = block.turned(&turn);
                    }
                    Region::Blocks(Arc::new(out))
                }
            };
            (turn.cell(*at), region)
        };
        Self { regions: self.regions.iter().map(turned).collect() }.moved(to.by)
    }

    /// Cells side by side, by row, first and last column, as far as they are in blocks that touch the cells between two
    /// corners (both included); as long as they can be within a block.
    pub fn rows(&self, lo: Cell, hi: Cell) -> impl Iterator<Item = (i32, i32, i32)> + '_ {
        self.blocks_between((lo, hi), |_| true).flat_map(|(block, rows)| {
            let [x, y] = block.map(|at| at * CHUNK);
            let mut out = Vec::new();
            for (row, at) in rows.rows().iter().zip(y..) {
                runs(*row, |from, to| out.push((at, x + from, x + to - 1)));
            }
            out
        })
    }

    /// The blocks that have cells and touch those between two corners, as far as a filter of regions lets them pass.
    fn blocks_between(
        &self,
        (lo, hi): (Cell, Cell),
        is_wanted: impl Fn(Cell) -> bool,
    ) -> impl Iterator<Item = (Cell, &Block)> {
        let (first, last) = (chunk_of(lo).0, chunk_of(hi).0);
        let (from, to) = (region_of(first), region_of(last));
        let columns = self.regions.range([from[0], i32::MIN]..=[to[0].max(from[0]), i32::MAX]);
        let regions = columns.filter(move |(at, _)| (from[1]..=to[1]).contains(&at[1]) && is_wanted(**at));
        regions.flat_map(move |(at, region)| {
            let blocks = (0..BLOCKS).map(move |i| (block_at(*at, i), region.block(i)));
            let is_seen = move |at: Cell| (0..2).all(|i| (first[i]..=last[i]).contains(&at[i]));
            blocks.filter(move |(at, block)| **block != Block::None && is_seen(*at))
        })
    }

    /// Pieces of the line around it, as far as they touch the cells between two corners (both included): from corner to
    /// corner of the grid, where the corner (x, y) is the left top of the cell (x, y). Pieces go right or down, and are
    /// as long as they can be within a block.
    pub fn outline(&self, lo: Cell, hi: Cell) -> impl Iterator<Item = [Cell; 2]> + '_ {
        // The line is nowhere near what is in as a whole, with all around it.
        let with_beside = |[x, y]: Cell| [[x, y], [x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]];
        let is_all = |at: &Cell| matches!(self.regions.get(at), Some(Region::All));
        let is_wanted = move |at: Cell| !with_beside(at).iter().all(is_all);
        let is_inner = move |at: Cell| with_beside(at).iter().all(|at| self.get(*at) == &Block::All);
        let blocks = self.blocks_between((lo, hi), is_wanted).filter(move |(at, _)| !is_inner(*at));
        blocks.flat_map(|(block, rows)| {
            let [x, y] = block.map(|at| at * CHUNK);
            let near = |dx: i32, dy: i32| self.get([block[0] + dx, block[1] + dy]).rows();
            let mut out = Vec::new();
            let (rows, above_block, below_block) = (rows.rows(), near(0, -1), near(0, 1));
            let (columns, left, right) = (transposed(rows), transposed(near(-1, 0)), transposed(near(1, 0)));
            for i in 0..32 {
                let at = index(i);
                let above = if i == 0 { above_block[31] } else { rows[i - 1] };
                let below = if i == 31 { below_block[0] } else { rows[i + 1] };
                runs(rows[i] & !above, |from, to| out.push([[x + from, y + at], [x + to, y + at]]));
                runs(rows[i] & !below, |from, to| out.push([[x + from, y + at + 1], [x + to, y + at + 1]]));
                let before = if i == 0 { left[31] } else { columns[i - 1] };
                let after = if i == 31 { right[0] } else { columns[i + 1] };
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
    if from > to { 0 } else { (u32::MAX << from) & (u32::MAX >> (CHUNK - 1 - to)) }
}

/// The coordinates between two corners, both included.
fn between(lo: Cell, hi: Cell) -> impl Iterator<Item = Cell> {
    (lo[0]..=hi[0]).flat_map(move |x| (lo[1]..=hi[1]).map(move |y| [x, y]))
}

/// The number of a block in its region.
fn number_of(block: Cell) -> usize {
    let [x, y] = block.map(|at| at.rem_euclid(REGION));
    usize::try_from(x * REGION + y).unwrap_or(0)
}

/// The block of a number in a region.
fn block_at(region: Cell, number: usize) -> Cell {
    let number = index(number);
    [region[0] * REGION + number / REGION, region[1] * REGION + number % REGION]
}

/// The block of a cell, the row in it and the cell's bit.
fn place(cell: Cell) -> (Cell, usize, u32) {
    let (block, at) = chunk_of(cell);
    (block, at / 32, 1 << (at % 32))
}

/// An index within a block as a coordinate.
fn index(at: usize) -> i32 {
    i32::try_from(at).unwrap_or(0)
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
