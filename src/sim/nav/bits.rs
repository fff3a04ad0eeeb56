//! The closed cells of a map as bitsets, by rows and again by columns: 64 cells are tested in one step.
//!
//! Invariant: a border of closed cells surrounds the level and fills the last word of each line, so every scan ends.
//! Rows and columns hold the same cells. A *line* is a row or a column; a *place* is an index along a line, counting
//! the border. Lines are stored in pages that copies share: a change copies the pages it touches. The search that uses
//! them is `jump`.
//!
//! Source: Harabor, Grastien, "Improving jump point search" (block-based scanning), with the rule for corners that may
//! not be cut: a straight run must stop where a wall beside it ends.

use std::{ops::Range, sync::Arc};

/// Number of lines per page. With fewer, copying the table of pages would cost more than copying a page.
const LINES: usize = 16;
/// Bitsets per line: closed cells; stops of scans toward higher indices (closed cells, and cells beside the end of a
/// wall); stops of scans toward lower indices. The stops are kept for the inner lines.
const CLOSED: usize = 0;
const STOPS_UP: usize = 1;
const STOPS_DOWN: usize = 2;
const PARTS: usize = 3;

/// The closed cells of a line.
#[derive(Clone, Copy)]
pub(super) struct Line<'a>(&'a [u64]);

impl Line<'_> {
    #[inline]
    pub(super) fn is_closed(self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 != 0
    }
}

/// Bitsets of all rows, or of all columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    pages: Vec<Arc<[u64]>>,
    count: usize,
    /// Words per bitset of a line.
    n_words: usize,
}

impl Lines {
    /// From the bitsets of all lines, in which a set bit is a closed cell.
    fn new(closed: &[u64], n_words: usize) -> Self {
        let n_lines = closed.len() / n_words;
        let line = |line: usize| &closed[line * n_words..][..n_words];
        let pages = (0..n_lines).step_by(LINES).map(|first| {
            let lines = first..(first + LINES).min(n_lines);
            let mut page = vec![u64::MAX; lines.len() * PARTS * n_words];
            for (at, parts) in lines.zip(page.chunks_exact_mut(PARTS * n_words)) {
                parts[..n_words].copy_from_slice(line(at));
                if at == 0 || at + 1 == n_lines {
                    continue;
                }
                for word in 0..n_words {
                    let [up, down] = stops([line(at - 1), line(at), line(at + 1)], word);
                    parts[STOPS_UP * n_words + word] = up;
                    parts[STOPS_DOWN * n_words + word] = down;
                }
            }
            Arc::from(page)
        });
        Self { pages: pages.collect(), count: n_lines, n_words }
    }

    fn bytes(&self) -> usize {
        let unshared = self.pages.iter().filter(|page| Arc::strong_count(page) == 1);
        unshared.map(|page| size_of_val(&**page)).sum()
    }

    /// All bitsets of a line, one after the other.
    #[inline]
    fn parts(&self, line: usize) -> &[u64] {
        &self.pages[line / LINES][line % LINES * PARTS * self.n_words..][..PARTS * self.n_words]
    }

    #[inline]
    fn part(&self, line: usize, part: usize) -> &[u64] {
        &self.parts(line)[part * self.n_words..][..self.n_words]
    }

    /// A row or column, borrowed for several queries.
    #[inline]
    pub(super) fn line(&self, line: usize) -> Line<'_> {
        Line(self.part(line, CLOSED))
    }

    #[inline]
    pub(super) fn is_closed(&self, line: usize, at: usize) -> bool {
        self.line(line).is_closed(at)
    }

    /// Which of 32 cells of a line are open, the first in the lowest bit; none beyond the lines. The group counts 32
    /// cells each.
    pub(super) fn open_32(&self, line: usize, group: usize) -> u32 {
        let word = if line < self.count { self.part(line, CLOSED).get(group / 2).copied() } else { None };
        #[expect(clippy::cast_possible_truncation, reason = "the half that is asked for")]
        let closed = (word.unwrap_or(u64::MAX) >> (group % 2 * 32)) as u32;
        !closed
    }

    fn put(&mut self, line: usize, part: usize, word: usize, bits: u64) {
        Arc::make_mut(&mut self.pages[line / LINES])[(line % LINES * PARTS + part) * self.n_words + word] = bits;
    }

    fn set(&mut self, line: usize, at: usize, is_closed: bool) {
        let word = self.part(line, CLOSED)[at / 64];
        let bit = 1 << (at % 64);
        self.put(line, CLOSED, at / 64, if is_closed { word | bit } else { word & !bit });
    }

    /// Recompute the stops around these lines and places, which have changed.
    fn refresh(&mut self, lines: &Range<usize>, places: &Range<usize>) {
        let words = places.start.saturating_sub(1) / 64..(places.end / 64 + 1).min(self.n_words);
        for line in lines.start.saturating_sub(1).max(1)..(lines.end + 1).min(self.count - 1) {
            for word in words.clone() {
                let [up, down] = stops([line - 1, line, line + 1].map(|line| self.part(line, CLOSED)), word);
                for (part, stops) in [(STOPS_UP, up), (STOPS_DOWN, down)] {
                    // Pages that stay as they are stay shared.
                    if self.part(line, part)[word] != stops {
                        self.put(line, part, word, stops);
                    }
                }
            }
        }
    }

    /// End of a scan in an inner line from `at` upward or downward: the first place beyond it that is closed or beside
    /// the end of a wall; and whether that is closed.
    #[inline]
    pub(super) fn run(&self, line: usize, at: usize, is_upward: bool) -> (usize, bool) {
        let parts = self.parts(line);
        let part = |part: usize| &parts[part * self.n_words..][..self.n_words];
        let stop = if is_upward { next(part(STOPS_UP), at) } else { previous(part(STOPS_DOWN), at) };
        // The border stops every scan before its line ends.
        let stop = stop.unwrap_or(at);
        (stop, Line(part(CLOSED)).is_closed(stop))
    }
}

/// The first set bit after a place.
#[inline]
fn next(words: &[u64], at: usize) -> Option<usize> {
    let start = at + 1;
    let mut mask = u64::MAX << (start % 64);
    for (i, word) in words.iter().enumerate().skip(start / 64) {
        let found = word & mask;
        if found != 0 {
            return Some(i * 64 + found.trailing_zeros() as usize);
        }
        mask = u64::MAX;
    }
    None
}

/// The last set bit before a place.
#[inline]
fn previous(words: &[u64], at: usize) -> Option<usize> {
    let mut mask = !(u64::MAX << (at % 64));
    for (i, word) in words.iter().enumerate().take(at / 64 + 1).rev() {
        let found = word & mask;
        if found != 0 {
            return Some(i * 64 + 63 - found.leading_zeros() as usize);
        }
        mask = u64::MAX;
    }
    None
}

/// The stops of upward and downward scans in one word of a line, from the closed cells of the previous line, the line
/// itself and the next line.
fn stops([before, here, after]: [&[u64]; 3], word: usize) -> [u64; 2] {
    let (mut up, mut down) = (here[word], here[word]);
    for beside in [before, after] {
        let wall = beside[word];
        // The border is closed, so the bits before the first word and after the last do not matter.
        let last = word.checked_sub(1).map_or(0, |word| beside[word] >> 63);
        let next = beside.get(word + 1).map_or(0, |next| next << 63);
        up |= !wall & (wall << 1 | last);
        down |= !wall & (wall >> 1 | next);
    }
    [up, down]
}

/// The closed cells of a map, by rows and by columns; coordinates count the border.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    pub(super) rows: Lines,
    pub(super) columns: Lines,
}

impl Bits {
    /// From the cells of a map with its border, row by row; 0 is closed.
    pub(super) fn new(cells: &[u16], width: usize) -> Self {
        let height = cells.len() / width;
        let [of_row, of_column] = [width, height].map(|length| length.div_ceil(64));
        let mut rows = vec![u64::MAX; of_row * height];
        for (words, row) in rows.chunks_exact_mut(of_row).zip(cells.chunks_exact(width)) {
            for (word, cells) in words.iter_mut().zip(row.chunks(64)) {
                *word = !cells.iter().rev().fold(0, |open, cell| open << 1 | u64::from(*cell != 0));
            }
        }
        let mut columns = vec![u64::MAX; of_column * width];
        for y in 0..of_column {
            for x in 0..of_row {
                let word = |i: usize| rows.get((y * 64 + i) * of_row + x).copied().unwrap_or(u64::MAX);
                let turned = transposed(std::array::from_fn(word));
                for (column, bits) in (x * 64..width).zip(turned) {
                    columns[column * of_column + y] = bits;
                }
            }
        }
        Self { rows: Lines::new(&rows, of_row), columns: Lines::new(&columns, of_column) }
    }

    /// Memory that no copy shares, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.rows.bytes() + self.columns.bytes()
    }

    /// Close or open a cell; the stops are to be refreshed later.
    pub(super) fn set(&mut self, x: usize, y: usize, is_closed: bool) {
        self.rows.set(y, x, is_closed);
        self.columns.set(x, y, is_closed);
    }

    /// Recompute the stops around the cells that were set within these columns and rows.
    pub(super) fn refresh(&mut self, xs: &Range<usize>, ys: &Range<usize>) {
        self.rows.refresh(ys, xs);
        self.columns.refresh(xs, ys);
    }
}

/// 64 words of 64 bits, transposed: rows and columns exchanged.
///
/// Source: Warren, "Hacker's Delight" 7-3 (by halves of halves).
fn transposed(mut bits: [u64; 64]) -> [u64; 64] {
    let mut side = 32;
    let mut mask = u64::MAX >> 32;
    while side > 0 {
        for i in (0..64).filter(|i| i & side == 0) {
            let swapped = (bits[i] >> side ^ bits[i + side]) & mask;
            bits[i + side] ^= swapped;
            bits[i] ^= swapped << side;
        }
        side /= 2;
        mask ^= mask << side;
    }
    bits
}
