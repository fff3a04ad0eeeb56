//! What selections of cells cost, and moving and turning the tiles on them, against doing it cell by cell.
#![allow(clippy::unwrap_used, reason = "a bench that cannot go on should say where")]

use divan::{Bencher, black_box};
use levelwright::model::{Cell, CellSet, CellTransform, Tile, Tiles};

fn main() {
    divan::main();
}

/// Sides of square levels, in cells.
const SIDES: [i32; 2] = [512, 2048];

fn all(side: i32) -> CellSet {
    CellSet::rectangle([0, 0], [side - 1, side - 1])
}

/// A full level in which each chunk shows some dozens of tiles.
fn tiles(side: i32) -> Tiles {
    let mut tiles = Tiles::default();
    let tile = |[x, y]: Cell| Tile::id_only((x * 7 + y * 13).unsigned_abs() % 40);
    tiles.paint(all(side).iter().map(|cell| (cell, tile(cell))));
    tiles
}

/// Everything selected, a part taken out, and what is left moved.
#[divan::bench(args = [512, 4096, 16_384])]
fn select(bencher: Bencher<'_, '_>, side: i32) {
    let part = CellSet::rectangle([5, 5], [100, 70]);
    bencher.bench(|| all(black_box(side)).difference(&part).moved([1, 1]).intersection(&all(side)));
}

#[divan::bench(args = SIDES)]
fn baseline_move_cell_by_cell(bencher: Bencher<'_, '_>, side: i32) {
    let (tiles, all) = (tiles(side), all(side));
    bencher.bench(|| {
        let mut after = tiles.clone();
        after.paint(all.iter().map(|cell| (cell, Tile::EMPTY)));
        after.paint(all.iter().map(|cell| (CellTransform::moved([1, 1]).cell(cell), tiles.get(cell))));
        after
    });
}

fn moved(bencher: Bencher<'_, '_>, side: i32, to: CellTransform) {
    let (tiles, all) = (tiles(side), all(side));
    bencher.bench(|| {
        let mut after = tiles.clone();
        after.fill(&all, Tile::EMPTY);
        after.put_over(&tiles.within(&all).transformed(&to, true).within(&all));
        after
    });
}

#[divan::bench(args = SIDES)]
fn move_by_a_cell(bencher: Bencher<'_, '_>, side: i32) {
    moved(bencher, side, CellTransform::moved([1, 1]));
}

#[divan::bench(args = SIDES)]
fn mirror(bencher: Bencher<'_, '_>, side: i32) {
    moved(bencher, side, CellTransform { is_mirrored: [true, false], ..CellTransform::moved([side, 0]) });
}
