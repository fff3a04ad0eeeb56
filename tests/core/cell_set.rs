//! Sets of cells, compared with plain sets.

use std::collections::BTreeSet;

use levelwright::model::{Cell, CellSet, Tile, Tiles};
use proptest::prelude::*;

use crate::cases::cases;

fn cells() -> impl Strategy<Value = BTreeSet<Cell>> {
    proptest::collection::btree_set([-40..40_i32, -40..40_i32], 0..60)
}

fn set(cells: &BTreeSet<Cell>) -> CellSet {
    cells.iter().copied().collect()
}

fn plain(set: &CellSet) -> BTreeSet<Cell> {
    set.iter().collect()
}

/// The line around cells, a piece for each side of a cell: each where exactly one of its two cells is in.
fn sides(cells: &BTreeSet<Cell>) -> BTreeSet<[Cell; 2]> {
    let mut out = BTreeSet::new();
    for &[x, y] in cells {
        for (beside, side) in [
            ([x, y - 1], [[x, y], [x + 1, y]]),
            ([x, y + 1], [[x, y + 1], [x + 1, y + 1]]),
            ([x - 1, y], [[x, y], [x, y + 1]]),
            ([x + 1, y], [[x + 1, y], [x + 1, y + 1]]),
        ] {
            if !cells.contains(&beside) {
                out.insert(side);
            }
        }
    }
    out
}

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn it_is_a_set(a in cells(), b in cells(), by in [-70..70_i32, -70..70_i32]) {
        let (x, y) = (set(&a), set(&b));
        prop_assert_eq!(plain(&x), a.clone());
        prop_assert_eq!(x.len(), a.len());
        prop_assert_eq!(plain(&x.union(&y)), &a | &b);
        prop_assert_eq!(plain(&x.difference(&y)), &a - &b);
        prop_assert_eq!(plain(&x.intersection(&y)), &a & &b);
        prop_assert!(x.difference(&x).is_empty());
        prop_assert_eq!(plain(&x.moved(by)), a.iter().map(|c| [c[0] + by[0], c[1] + by[1]]).collect());
        let bounds = a.iter().fold(None, |bounds: Option<(Cell, Cell)>, &c| {
            let (lo, hi) = bounds.unwrap_or((c, c));
            Some(([lo[0].min(c[0]), lo[1].min(c[1])], [hi[0].max(c[0]), hi[1].max(c[1])]))
        });
        prop_assert_eq!(x.bounds(), bounds);
    }

    #[test]
    fn tiles_have_the_bounds_of_their_cells(a in cells()) {
        let mut tiles = Tiles::default();
        a.iter().for_each(|cell| _ = tiles.set(*cell, Tile::id_only(1)));
        prop_assert_eq!(tiles.used_bounds(), set(&a).bounds());
    }

    #[test]
    fn a_rectangle_has_its_cells(a in [-70..70_i32, -70..70_i32], b in [-70..70_i32, -70..70_i32]) {
        let (lo, hi) = ([a[0].min(b[0]), a[1].min(b[1])], [a[0].max(b[0]), a[1].max(b[1])]);
        let mut by_rows = CellSet::default();
        (lo[1]..=hi[1]).for_each(|y| by_rows.insert_row(y, lo[0], hi[0]));
        prop_assert_eq!(&CellSet::rectangle(a, b), &by_rows);
        let rows = by_rows.rows([-96, -96], [96, 96]).flat_map(|(y, first, last)| (first..=last).map(move |x| [x, y]));
        prop_assert_eq!(rows.collect::<CellSet>(), by_rows);
        let expected: CellSet = (lo[1]..=hi[1]).flat_map(|y| (lo[0]..=hi[0]).map(move |x| [x, y])).collect();
        prop_assert_eq!(CellSet::rectangle(a, b), expected);
    }

    #[test]
    fn the_outline_has_each_side_once(a in cells()) {
        let mut found = BTreeSet::new();
        for [from, to] in set(&a).outline([-80, -80], [80, 80]) {
            prop_assert!(from < to && (from[0] == to[0] || from[1] == to[1]));
            let along = usize::from(from[0] == to[0]);
            for at in from[along]..to[along] {
                let side = |at: i32| if along == 1 { [from[0], at] } else { [at, from[1]] };
                prop_assert!(found.insert([side(at), side(at + 1)]), "twice: {:?}", side(at));
            }
        }
        prop_assert_eq!(found, sides(&a));
    }
}
