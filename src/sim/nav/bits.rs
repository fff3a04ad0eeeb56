//! Which cells are closed, one bit each, by rows and again by columns: 64 cells are looked at in one step.
//!
//! Invariant: a border of closed cells surrounds the level and fills the last word of each line, so every scan ends.
//! Rows and columns hold the same cells; the search that reads them is `jump`.
//!
//! Source: Harabor, Grastien, "Improving jump point search" (block-based scanning), with the rule for corners that may
//! not be cut: a straight run must stop where a wall beside it ends.

use std::ops::Range;

/// Lines of bits; a set bit is a closed cell.
#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    closed: Vec<u64>,
    /// Where a run going up stops: closed cells, and those beside the end of a wall. Kept for the inner lines.
    stops_up: Vec<u64>,
    /// The same for a run going down.
    stops_down: Vec<u64>,
    words_per_line: usize,
}

impl Lines {
    /// Lines whose inner cells are open, border and rest closed. The stops are not yet worked out.
    fn new(n_lines: usize, length: usize) -> Self {
        let words_per_line = length.div_ceil(64);
        let mut closed = vec![u64::MAX; words_per_line * n_lines];
        for line in closed.chunks_exact_mut(words_per_line).skip(1).take(n_lines.saturating_sub(2)) {
            for (i, word) in line.iter_mut().enumerate() {
                let first = if i == 0 { u64::MAX << 1 } else { u64::MAX };
                // The last inner cell is at length - 2.
                let n_left = (length - 1).saturating_sub(i * 64);
                let last = if n_left >= 64 { u64::MAX } else { (1 << n_left) - 1 };
                *word = !(first & last);
            }
        }
        let stops = vec![u64::MAX; closed.len()];
        Self { closed, stops_up: stops.clone(), stops_down: stops, words_per_line }
    }

    #[inline]
    pub(super) fn is_closed(&self, line: usize, at: usize) -> bool {
        self.closed[line * self.words_per_line + at / 64] >> (at % 64) & 1 != 0
    }

    fn set(&mut self, line: usize, at: usize, is_closed: bool) {
        let word = &mut self.closed[line * self.words_per_line + at / 64];
        let bit = 1 << (at % 64);
        *word = if is_closed { *word | bit } else { *word & !bit };
    }

    /// Work out the stops around these lines and places, which have changed.
    fn refresh(&mut self, lines: &Range<usize>, places: &Range<usize>) {
        let n = self.words_per_line;
        let n_lines = self.closed.len() / n;
        let words = places.start.saturating_sub(1) / 64..(places.end / 64 + 1).min(n);
        for line in lines.start.saturating_sub(1).max(1)..(lines.end + 1).min(n_lines - 1) {
            for word in words.clone() {
                let here = line * n + word;
                let (mut up, mut down) = (self.closed[here], self.closed[here]);
                for beside in [here - n, here + n] {
                    let wall = self.closed[beside];
                    // The border is closed, so what lies before the first word and after the last does not matter.
                    let before = if word == 0 { 0 } else { self.closed[beside - 1] >> 63 };
                    let after = if word + 1 == n { 0 } else { self.closed[beside + 1] << 63 };
                    up |= !wall & (wall << 1 | before);
                    down |= !wall & (wall >> 1 | after);
                }
                self.stops_up[here] = up;
                self.stops_down[here] = down;
            }
        }
    }

    /// The first place after `at`, in an inner line, that is closed or beside the end of a wall, going up.
    #[inline]
    pub(super) fn next(&self, line: usize, at: usize) -> usize {
        let start = at + 1;
        let words = &self.stops_up[line * self.words_per_line..][..self.words_per_line];
        let mut mask = u64::MAX << (start % 64);
        for (i, word) in words.iter().enumerate().skip(start / 64) {
            let stop = word & mask;
            if stop != 0 {
                return i * 64 + stop.trailing_zeros() as usize;
            }
            mask = u64::MAX;
        }
        // The border stops every run before this.
        at
    }

    /// The same going down, before `at`.
    #[inline]
    pub(super) fn previous(&self, line: usize, at: usize) -> usize {
        let words = &self.stops_down[line * self.words_per_line..][..self.words_per_line];
        let mut mask = !(u64::MAX << (at % 64));
        for (i, word) in words.iter().enumerate().take(at / 64 + 1).rev() {
            let stop = word & mask;
            if stop != 0 {
                return i * 64 + 63 - stop.leading_zeros() as usize;
            }
            mask = u64::MAX;
        }
        at
    }
}

/// The closed cells of a map, by rows and by columns; places count the border.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    pub(super) rows: Lines,
    pub(super) columns: Lines,
}

impl Bits {
    /// How much memory they take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let lines = |lines: &Lines| 3 * size_of_val(&*lines.closed);
        lines(&self.rows) + lines(&self.columns)
    }

    /// All open but the border; width and height count it. To be refreshed before it is read.
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { rows: Lines::new(height, width), columns: Lines::new(width, height) }
    }

    /// Close or open a cell, to be refreshed later.
    pub(super) fn set(&mut self, x: usize, y: usize, is_closed: bool) {
        self.rows.set(y, x, is_closed);
        self.columns.set(x, y, is_closed);
    }

    /// Follow the cells that were set within these columns and rows.
    pub(super) fn refresh(&mut self, xs: &Range<usize>, ys: &Range<usize>) {
        self.rows.refresh(ys, xs);
        self.columns.refresh(xs, ys);
    }
}
