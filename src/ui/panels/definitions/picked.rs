//! Which cells are picked: areas of rows and columns, the last of them the one that keys move and extend.
//!
//! Invariant: an area remembers where it began, so extending it back and forth always turns around the same cell.

use std::{collections::BTreeSet, ops::Range};

/// A row and a column of the table as it is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub row: usize,
    pub col: usize,
}

/// The cells between two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Area {
    /// Where it began.
    pub anchor: Place,
    /// Where it is now.
    pub head: Place,
}

impl Area {
    pub(super) fn rows(&self) -> Range<usize> {
        let (a, b) = (self.anchor.row, self.head.row);
        a.min(b)..a.max(b) + 1
    }

    pub(super) fn cols(&self) -> Range<usize> {
        let (a, b) = (self.anchor.col, self.head.col);
        a.min(b)..a.max(b) + 1
    }

    fn has(&self, place: Place) -> bool {
        self.rows().contains(&place.row) && self.cols().contains(&place.col)
    }
}

/// The picked cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Picked {
    areas: Vec<Area>,
}

impl Picked {
    /// One area.
    pub(super) fn area(anchor: Place, head: Place) -> Self {
        Self { areas: vec![Area { anchor, head }] }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }

    /// The area that keys move.
    pub(super) fn last(&self) -> Option<Area> {
        self.areas.last().copied()
    }

    /// The cell that is typed into.
    pub(super) fn head(&self) -> Option<Place> {
        self.areas.last().map(|area| area.head)
    }

    pub(super) fn has(&self, place: Place) -> bool {
        self.areas.iter().any(|area| area.has(place))
    }

    /// Only this cell.
    pub(super) fn set(&mut self, place: Place) {
        *self = Self::area(place, place);
    }

    /// This cell besides the others.
    pub(super) fn add(&mut self, place: Place) {
        self.areas.push(Area { anchor: place, head: place });
    }

    /// Let the last area reach to a cell.
    pub(super) fn extend(&mut self, place: Place) {
        match self.areas.last_mut() {
            Some(area) => area.head = place,
            None => self.add(place),
        }
    }

    /// How many cells; those in two areas count once only when there is one area.
    pub(super) fn len(&self) -> usize {
        match self.areas.as_slice() {
            [one] => one.rows().len() * one.cols().len(),
            _ => self.places().len(),
        }
    }

    /// Every picked cell once, row by row.
    pub(super) fn places(&self) -> Vec<Place> {
        let all = |area: &Area| {
            let cols = area.cols();
            area.rows().flat_map(move |row| cols.clone().map(move |col| Place { row, col })).collect::<Vec<_>>()
        };
        match self.areas.as_slice() {
            [one] => all(one),
            many => many.iter().flat_map(all).collect::<BTreeSet<_>>().into_iter().collect(),
        }
    }

    /// The rows of the picked cells.
    pub(super) fn rows(&self) -> BTreeSet<usize> {
        self.areas.iter().flat_map(Area::rows).collect()
    }

    /// The same cells where rows stand elsewhere now; areas whose ends are gone are gone.
    pub(super) fn moved(&self, n_cols: usize, row: impl Fn(usize) -> Option<usize>) -> Self {
        let place = |at: Place| (at.col < n_cols).then(|| Some(Place { row: row(at.row)?, col: at.col })).flatten();
        let areas =
            self.areas.iter().filter_map(|area| Some(Area { anchor: place(area.anchor)?, head: place(area.head)? }));
        Self { areas: areas.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(row: usize, col: usize) -> Place {
        Place { row, col }
    }

    #[test]
    fn areas_turn_around_where_they_began() {
        let mut picked = Picked::default();
        picked.set(at(5, 2));
        picked.extend(at(7, 3));
        assert_eq!(picked.len(), 6);
        picked.extend(at(4, 0));
        assert_eq!(picked.last().map(|area| (area.rows(), area.cols())), Some((4..6, 0..3)));
        assert!(picked.has(at(5, 2)) && !picked.has(at(6, 2)));
    }

    #[test]
    fn a_cell_in_two_areas_is_one_cell() {
        let mut picked = Picked::area(at(0, 0), at(2, 0));
        picked.add(at(1, 0));
        picked.extend(at(1, 1));
        assert_eq!(picked.places(), [at(0, 0), at(1, 0), at(1, 1), at(2, 0)]);
        assert_eq!(picked.len(), 4);
        assert_eq!(picked.rows(), [0, 1, 2].into());
    }

    #[test]
    fn cells_follow_their_rows() {
        let picked = Picked::area(at(1, 0), at(2, 1));
        let moved = picked.moved(2, |row| [None, Some(9), Some(4)][row]);
        assert_eq!(moved.last(), Some(Area { anchor: at(9, 0), head: at(4, 1) }));
        assert!(picked.moved(1, Some).is_empty(), "the column is gone");
    }
}
