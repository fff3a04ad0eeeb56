//! Tiles in chunks and regions, compared with a plain map; chunks of few and of many kinds of tiles.

use std::{collections::BTreeMap, sync::Arc};

use levelwright::model::{CHUNK, Cell, Chunk, Tile, Tiles, chunk_of, region_of};
use proptest::prelude::*;

use crate::cases::cases;

/// Chunks along one side of a region.
const REGION: i32 = 16;

/// Cells near the corners of chunks and regions, and of the grid.
fn cell() -> impl Strategy<Value = Cell> {
    let axis = || {
        prop_oneof![
            -3..3_i32,
            (CHUNK - 2)..(CHUNK + 2),
            (CHUNK * REGION - 2)..(CHUNK * REGION + 2),
            (-CHUNK * REGION - 2)..(-CHUNK * REGION + 2),
        ]
    };
    [axis(), axis()]
}

fn tile() -> impl Strategy<Value = Tile> {
    prop_oneof![
        2 => Just(Tile::EMPTY),
        3 => (0..4_u32, any::<[bool; 3]>()).prop_map(|(id, [h, v, d])| Tile::new(id, h, v, d)),
        1 => Just(Tile::id_only(Tile::MAX_ID)),
    ]
}

fn strokes() -> impl Strategy<Value = Vec<Vec<(Cell, Tile)>>> {
    let stroke = proptest::collection::vec((cell(), tile()), 0..20);
    proptest::collection::vec(stroke, 0..6)
}

fn painted(strokes: &[Vec<(Cell, Tile)>]) -> (Tiles, BTreeMap<Cell, Tile>) {
    let (mut tiles, mut plain) = (Tiles::default(), BTreeMap::new());
    for stroke in strokes {
        tiles.paint(stroke.iter().copied());
        plain.extend(stroke.iter().copied());
    }
    plain.retain(|_, tile| !tile.is_empty());
    (tiles, plain)
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn tiles_are_what_was_painted(strokes in strokes(), probe in cell()) {
        let (tiles, plain) = painted(&strokes);
        prop_assert_eq!(tiles.iter().collect::<BTreeMap<_, _>>(), plain.clone());
        prop_assert_eq!(tiles.get(probe), plain.get(&probe).copied().unwrap_or_default());
        let mut by_cell = Tiles::default();
        for (cell, tile) in plain.iter().rev() {
            prop_assert!(by_cell.set(*cell, *tile));
            prop_assert!(!by_cell.set(*cell, *tile));
        }
        prop_assert_eq!(&by_cell, &tiles, "equal tiles are equal however they were painted");
        let bounds = plain.keys().map(|cell| (*cell, *cell)).reduce(|(a, b), (c, d)| {
            ([a[0].min(c[0]), a[1].min(c[1])], [b[0].max(d[0]), b[1].max(d[1])])
        });
        prop_assert_eq!(tiles.used_bounds(), bounds);
        let whole = bounds.map(|(lo, hi)| {
            let last = chunk_of(hi).0.map(|c| c * CHUNK + CHUNK - 1);
            (chunk_of(lo).0.map(|c| c * CHUNK), last)
        });
        prop_assert_eq!(tiles.bounds(), whole);
    }

    #[test]
    fn chunks_are_in_order_and_none_is_empty(strokes in strokes(), a in cell(), b in cell()) {
        let (tiles, plain) = painted(&strokes);
        let keys: Vec<Cell> = tiles.chunks().map(|(at, _)| at).collect();
        prop_assert!(keys.is_sorted());
        prop_assert_eq!(keys.len(), tiles.n_chunks());
        prop_assert!(tiles.chunks().all(|(_, chunk)| !chunk.is_empty()));
        let (lo, hi) = (chunk_of([a[0].min(b[0]), a[1].min(b[1])]).0, chunk_of([a[0].max(b[0]), a[1].max(b[1])]).0);
        let between: Vec<Cell> = tiles.chunks_between(lo, hi).map(|(at, _)| at).collect();
        let is_in = |at: &Cell| (0..2).all(|i| (lo[i]..=hi[i]).contains(&at[i]));
        prop_assert_eq!(between, keys.into_iter().filter(is_in).collect::<Vec<_>>());
        let regions: std::collections::BTreeSet<Cell> = plain.keys().map(|cell| region_of(chunk_of(*cell).0)).collect();
        prop_assert_eq!(tiles.regions().collect::<std::collections::BTreeSet<_>>(), regions.clone());
        let mut joined = Tiles::default();
        for at in regions {
            joined.share_region(at, &tiles.region(at));
            prop_assert!(joined.shares_region(&tiles, at));
        }
        prop_assert_eq!(joined, tiles);
    }

    #[test]
    fn what_a_stroke_leaves_alone_stays_shared(before in strokes(), stroke in strokes()) {
        let (old, _) = painted(&before);
        let mut new = old.clone();
        stroke.iter().for_each(|cells| new.paint(cells.iter().copied()));
        let other: BTreeMap<Cell, _> = new.unshared(&old).map(|(at, a, b)| (at, (a.cloned(), b.cloned()))).collect();
        let places = old.chunks().chain(new.chunks()).map(|(at, _)| at);
        for at in places {
            let (a, b) = (new.chunk(at), old.chunk(at));
            let is_shared = a.zip(b).is_some_and(|(a, b)| Arc::ptr_eq(a, b));
            prop_assert_eq!(other.get(&at).cloned(), (!is_shared).then(|| (a.cloned(), b.cloned())));
            let is_touched = stroke.iter().flatten().any(|(cell, _)| chunk_of(*cell).0 == at);
            prop_assert!(is_touched || is_shared);
        }
    }

    #[test]
    fn what_is_moved_is_where_each_tile_would_be(strokes in strokes(), by in cell(), a in cell(), b in cell()) {
        let (tiles, plain) = painted(&strokes);
        let rect = ([0, 1].map(|i: usize| a[i].min(b[i])), [0, 1].map(|i: usize| a[i].max(b[i])));
        let is_in = |cell: &Cell| (0..2).all(|i| (rect.0[i]..=rect.1[i]).contains(&cell[i]));
        prop_assert_eq!(tiles.n_outside(rect), plain.keys().filter(|cell| !is_in(cell)).count());
        let moved = plain.iter().map(|([x, y], tile)| ([x + by[0], y + by[1]], *tile)).filter(|(cell, _)| is_in(cell));
        let mut expected = Tiles::default();
        expected.paint(moved);
        prop_assert_eq!(tiles.moved(by, rect), expected);
        let everywhere = ([i32::MIN; 2], [i32::MAX; 2]);
        prop_assert_eq!(tiles.n_outside(everywhere), 0);
        let by_chunks = by.map(|by| by * CHUNK);
        let moved = tiles.moved(by_chunks, everywhere);
        for (at, chunk) in tiles.chunks() {
            let there = moved.chunk([at[0] + by[0], at[1] + by[1]]);
            prop_assert!(there.is_some_and(|it| Arc::ptr_eq(it, chunk)), "chunks on chunks are shared");
        }
    }

    #[test]
    fn tiles_over_others_are_as_painted_one_by_one(back in strokes(), front in strokes()) {
        let ((mut tiles, below), (front, above)) = (painted(&back), painted(&front));
        let mut expected = tiles.clone();
        expected.paint(above.iter().map(|(cell, tile)| (*cell, *tile)));
        let is_covered = |(cell, tile): &(&Cell, &Tile)| above.get(*cell).is_some_and(|over| over != *tile);
        prop_assert_eq!(tiles.put_over(&front), below.iter().filter(is_covered).count());
        prop_assert_eq!(&tiles, &expected);
        let was = tiles.clone();
        prop_assert_eq!(tiles.put_over(&front), 0);
        prop_assert!(tiles.unshared(&was).next().is_none(), "nothing is copied that stays as it is");
        let shared = front.chunks().filter(|(at, _)| !below.keys().any(|cell| chunk_of(*cell).0 == *at));
        prop_assert!(shared.into_iter().all(|(at, it)| tiles.chunk(at).is_some_and(|there| Arc::ptr_eq(there, it))));
    }

    /// From one tile in a chunk to more than there are indices for.
    #[test]
    fn a_chunk_holds_any_number_of_tiles(cells in proptest::collection::vec((0..1024_usize, 0..700_u32), 0..1500)) {
        let (mut chunk, mut plain) = (Chunk::default(), [Tile::EMPTY; 1024]);
        for (at, id) in cells {
            let tile = if id == 0 { Tile::EMPTY } else { Tile::id_only(id) };
            chunk.set(at, tile);
            plain[at] = tile;
        }
        prop_assert_eq!(chunk.to_tiles(), plain);
        prop_assert_eq!(chunk.tiles().collect::<Vec<_>>(), plain);
        prop_assert_eq!(chunk.rows().flatten().collect::<Vec<_>>(), plain);
        prop_assert_eq!(&Chunk::from(&plain), &chunk);
        prop_assert!(plain.iter().all(|tile| chunk.kinds().any(|kind| kind == *tile)));
        let mut counts = BTreeMap::new();
        chunk.counts().into_iter().for_each(|(tile, n)| *counts.entry(tile).or_default() += n);
        let mut expected: BTreeMap<Tile, u64> = BTreeMap::new();
        plain.iter().for_each(|tile| *expected.entry(*tile).or_default() += 1);
        prop_assert_eq!(counts, expected);
        prop_assert_eq!(chunk.is_empty(), plain.iter().all(|tile| tile.is_empty()));
        let text = serde_json::to_string(&chunk).unwrap();
        prop_assert_eq!(serde_json::from_str::<Chunk>(&text).unwrap(), chunk);
    }
}

#[test]
fn a_chunk_of_few_tiles_is_small() {
    let bytes = |n_kinds: usize| {
        let tiles = std::array::from_fn(|i| Tile::id_only(u32::try_from(i % n_kinds).unwrap()));
        Chunk::from(&tiles).n_bytes()
    };
    assert!(bytes(15) < 800, "{}", bytes(15));
    assert!(bytes(200) < 2500, "{}", bytes(200));
    assert!(bytes(300) < 4300, "{}", bytes(300));
    let mut chunk = Chunk::default();
    for id in 0..10_000 {
        chunk.set(0, Tile::id_only(id));
    }
    assert!(chunk.n_bytes() < 2500, "tiles that are gone take no place");
}

#[test]
fn a_chunk_is_mapped_as_its_tiles_are_read() {
    for n_kinds in [1, 3, 15, 40, 255, 400] {
        let tile = |i: usize| {
            if i.is_multiple_of(7) { Tile::EMPTY } else { Tile::id_only(u32::try_from(i % n_kinds).unwrap() + 1) }
        };
        let mut chunk = Chunk::from(&std::array::from_fn(tile));
        // Some are shown no more.
        (0..200).for_each(|i| chunk.set(i * 3, Tile::id_only(7)));
        let mut asked = Vec::new();
        let mapped = chunk.map(|tile| {
            asked.push(tile);
            tile.bits()
        });
        assert!(mapped.into_iter().eq(chunk.tiles().map(Tile::bits)), "{n_kinds}");
        assert!(asked.iter().all(|tile| chunk.tiles().any(|it| it == *tile)), "{n_kinds}: only what is shown");
        assert_eq!(chunk.n_tiles(), chunk.tiles().filter(|tile| !tile.is_empty()).count(), "{n_kinds}");
    }
}
