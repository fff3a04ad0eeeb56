//! Sets of cells, compared with plain sets.

use std::collections::BTreeSet;

use levelwright::model::{CHUNK, Cell, CellSet, CellTransform, Tile, Tiles};
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

fn transform() -> impl Strategy<Value = CellTransform> {
    (any::<bool>(), any::<[bool; 2]>(), [-70..70_i32, -70..70_i32])
        .prop_map(|(is_transposed, is_mirrored, by)| CellTransform { is_transposed, is_mirrored, by })
}

fn tiles(cells: &BTreeSet<Cell>) -> Tiles {
    let mut out = Tiles::default();
    let flips = |at: i32| (at & 1 != 0, at & 2 != 0, at & 4 != 0);
    cells.iter().for_each(|[x, y]| {
        let (h, v, d) = flips(x ^ y);
        out.set([*x, *y], Tile::new(x.abs_diff(*y), h, v, d));
    });
    out
}

proptest! {
    #![proptest_config(cases(64))]

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

    #[test]
    fn a_rectangle_of_many_blocks_is_as_any_set(
        a in [-1200..1200_i32, -1200..1200_i32], b in [-1200..1200_i32, -1200..1200_i32], by in [-1200..1200_i32, -1200..1200_i32],
        holes in cells(),
    ) {
        let (whole, holes) = (CellSet::rectangle(a, b), set(&holes));
        let area = |i: usize| a[i].abs_diff(b[i]) as usize + 1;
        prop_assert_eq!(whole.len(), area(0) * area(1));
        let moved = |at: Cell| [at[0] + by[0], at[1] + by[1]];
        prop_assert_eq!(whole.moved(by), CellSet::rectangle(moved(a), moved(b)));
        let cut = whole.difference(&holes);
        prop_assert_eq!(cut.len(), whole.len() - whole.intersection(&holes).len());
        prop_assert_eq!(&cut.union(&holes.intersection(&whole)), &whole);
        prop_assert_eq!(cut.moved(by).moved([-by[0], -by[1]]), cut.clone());
        prop_assert_eq!(whole.intersection(&CellSet::rectangle(moved(a), moved(b))).union(&whole), whole.clone());
        let text = ron::to_string(&cut).unwrap();
        prop_assert_eq!(ron::from_str::<CellSet>(&text).unwrap(), cut);
        let mut by_rows = CellSet::default();
        let (lo, hi) = whole.bounds().unwrap();
        (lo[1]..=hi[1]).for_each(|y| by_rows.insert_row(y, lo[0], hi[0]));
        prop_assert_eq!(by_rows, whole);
    }

    #[test]
    fn cells_and_tiles_are_turned_and_moved_together(a in cells(), to in transform(), next in transform(), chunks in [-2..2_i32, -2..2_i32]) {
        let there = |to: &CellTransform| a.iter().map(|cell| to.cell(*cell)).collect::<BTreeSet<Cell>>();
        prop_assert_eq!(plain(&set(&a).transformed(&to)), there(&to));
        let before = tiles(&a);
        let after = before.transformed(&to, true);
        prop_assert_eq!(after.iter().count(), a.len());
        for cell in &a {
            prop_assert_eq!(after.get(to.cell(*cell)), to.tile(before.get(*cell)));
        }
        prop_assert_eq!(before.transformed(&to, false).get(to.cell([0, 0])), before.get([0, 0]));
        let both = to.then(&next);
        prop_assert_eq!(after.transformed(&next, true), before.transformed(&both, true));
        for cell in &a {
            prop_assert_eq!(both.cell(*cell), next.cell(to.cell(*cell)));
        }
        // By whole chunks, nothing is copied.
        let shared = before.transformed(&CellTransform::moved(chunks.map(|x| x * CHUNK)), true);
        for (at, chunk) in before.chunks() {
            let there = [at[0] + chunks[0], at[1] + chunks[1]];
            prop_assert!(std::sync::Arc::ptr_eq(shared.chunk(there).unwrap(), chunk));
        }
    }

    #[test]
    fn tiles_are_taken_and_laid_over_others_by_cells(a in cells(), b in cells(), within in cells()) {
        let (back, front) = (tiles(&a), tiles(&b));
        let taken = front.within(&set(&within));
        let kept = front.iter().filter(|(cell, _)| within.contains(cell));
        prop_assert_eq!(taken.iter().collect::<BTreeSet<_>>(), kept.collect::<BTreeSet<_>>());
        let mut both = back.clone();
        both.put_over(&taken);
        let mut plain = back;
        plain.paint(taken.iter());
        prop_assert_eq!(both, plain);
    }
}

#[test]
fn a_level_of_any_size_is_selected_for_next_to_nothing() {
    let all = CellSet::rectangle([0, 0], [16_383, 16_383]);
    assert_eq!(all.len(), 16_384 * 16_384);
    let rest = all.difference(&CellSet::rectangle([40, 40], [60, 60]));
    assert_eq!(rest.len(), all.len() - 21 * 21);
    // What is in it as a whole is not listed cell by cell, or block by block.
    assert!(ron::to_string(&all).unwrap().len() < 20_000);
    assert!(ron::to_string(&rest).unwrap().len() < 300_000);
    let mut tiles = Tiles::default();
    tiles.fill(&all, Tile::id_only(3));
    assert_eq!((tiles.n_chunks(), tiles.get([16_383, 0])), (512 * 512, Tile::id_only(3)));
    let first = tiles.chunk([0, 0]).unwrap();
    assert!(tiles.chunks().all(|(_, chunk)| std::sync::Arc::ptr_eq(chunk, first)), "equal chunks are one");
    tiles.fill(&rest, Tile::EMPTY);
    assert_eq!(tiles.iter().count(), 21 * 21);
    let sides = all.outline([0, 0], [16_383, 16_383]).count();
    assert_eq!(sides, 4 * 512, "a piece for each block at the edge");
}
