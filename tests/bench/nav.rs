//! What finding the way costs: on a 512² cave map beside the `pathfinding` crate's A*, after an edit on a 1024² one
//! beside making the map anew, and linking 500 waypoints.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    clippy::wildcard_imports,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::type_complexity,
    clippy::field_reassign_with_default,
    reason = "tests and benches make up small numbers and short texts"
)]
#![allow(clippy::unwrap_used, missing_docs, reason = "a bench that cannot go on should say where")]

use std::{hint::black_box, sync::Arc};

use divan::Bencher;
use glam::Vec2;
use levelwright::{
    model::{
        Cell, Layer, LayerContent, Level, Node, Tile, TileDef, TileLayer, TileShape, Tiles, Tileset, WaypointGraph,
    },
    sim::{
        grid::{GridChange, SolidGrid},
        nav::{Agent, Floor, GridMap, GridQuery, GridSearcher, Navigator, PathRequest, links},
        random::Stream,
    },
};

fn main() {
    divan::main();
}

const STONE: u32 = 1;
const MUD: u32 = 2;

/// Caves, by a few rounds of every cell doing as most around it do.
fn caves(side: i32, mud: bool) -> Level {
    let mut chance = Stream::new(7, "caves");
    let at = |x: i32, y: i32| usize::try_from(y * side + x).unwrap();
    let mut walls: Vec<bool> = (0..side * side).map(|_| chance.chance(0.44)).collect();
    for _ in 0..5 {
        let around = |x: i32, y: i32| {
            let near = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
            near.filter(|&(x, y)| x < 0 || y < 0 || x >= side || y >= side || walls[at(x, y)]).count()
        };
        walls = (0..side * side).map(|i| around(i % side, i / side) >= 5).collect();
    }
    let mut tiles = Tiles::default();
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        let is_muddy = mud && (x / 9 + y / 7) % 5 == 0;
        if walls[at(x, y)] || is_muddy {
            tiles.set([x, y], Tile::id_only(if walls[at(x, y)] { STONE } else { MUD }));
        }
    }
    let content = LayerContent::Tiles(TileLayer::new("caves".into(), tiles));
    let size = u32::try_from(side).unwrap();
    Level { size: Some([size, size]), layers: vec![Arc::new(Layer::new("ground".into(), content))], ..Level::default() }
}

fn tileset() -> Tileset {
    let mut set = Tileset { tile_size: [16, 16], ..Tileset::default() };
    set.tiles.insert(STONE, TileDef { shape: TileShape::Full, ..TileDef::default() });
    set.tiles.insert(MUD, TileDef { cost: [("walk".into(), 3.0)].into(), ..TileDef::default() });
    set
}

fn grid(level: &Level) -> SolidGrid {
    let set = tileset();
    SolidGrid::new(level, |_| Some(&set))
}

/// Pairs of cells with a way between them.
fn pairs(map: &GridMap, side: i32, n: usize) -> Vec<(Cell, Cell)> {
    let mut chance = Stream::new(3, "pairs");
    let mut searcher = GridSearcher::default();
    let side = u64::try_from(side).unwrap();
    let mut cell = || [chance.below(side), chance.below(side)].map(|c| i32::try_from(c).unwrap());
    let ends = std::iter::from_fn(|| Some((cell(), cell())));
    ends.filter(|(a, b)| searcher.find(map, &GridQuery::new(*a, *b)).is_some()).take(n).collect()
}

fn floor(grid: SolidGrid) -> Floor {
    Floor::from(Arc::new(grid))
}

/// One query on a 512² map of even terrain: jump points.
#[divan::bench]
fn even_512(bencher: Bencher<'_, '_>) {
    queries(bencher, false);
}

/// One query on a 512² map with mud: A*.
#[divan::bench]
fn muddy_512(bencher: Bencher<'_, '_>) {
    queries(bencher, true);
}

fn queries(bencher: Bencher<'_, '_>, mud: bool) {
    let map = GridMap::new(&floor(grid(&caves(512, mud))), &Agent::point("walk")).unwrap();
    let pairs = pairs(&map, 512, 100);
    let mut searcher = GridSearcher::default();
    let mut next = pairs.iter().cycle();
    bencher.counter(divan::counter::ItemsCount::new(1_usize)).bench_local(|| {
        let (a, b) = next.next().unwrap();
        black_box(searcher.find(black_box(&map), &GridQuery::new(black_box(*a), black_box(*b))))
    });
}

/// The baseline of both: the same queries by `pathfinding::astar`, with the same estimate.
#[divan::bench(args = [false, true])]
fn baseline_512(bencher: Bencher<'_, '_>, mud: bool) {
    const STRAIGHT: u64 = 470_832;
    const DIAGONAL: u64 = 665_857;
    let map = GridMap::new(&floor(grid(&caves(512, mud))), &Agent::point("walk")).unwrap();
    let pairs = pairs(&map, 512, 100);
    let costs: Vec<u64> = (0..512 * 512).map(|i| map.cost([i % 512, i / 512]).map_or(0, |cost| cost as u64)).collect();
    let mut next = pairs.iter().cycle();
    bencher.counter(divan::counter::ItemsCount::new(1_usize)).bench_local(|| {
        let (from, to) = black_box(*next.next().unwrap());
        let costs = black_box(&costs);
        let cost = |x: i32, y: i32| {
            let inside = (0..512).contains(&x) && (0..512).contains(&y);
            if inside { costs[usize::try_from(y * 512 + x).unwrap()] } else { 0 }
        };
        let successors = |&[x, y]: &Cell| {
            let mut found = Vec::with_capacity(8);
            for [dx, dy] in [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]] {
                let (into, is_diagonal) = (cost(x + dx, y + dy), dx != 0 && dy != 0);
                if into > 0 && (!is_diagonal || cost(x + dx, y) > 0 && cost(x, y + dy) > 0) {
                    found.push(([x + dx, y + dy], into * if is_diagonal { DIAGONAL } else { STRAIGHT }));
                }
            }
            found
        };
        let estimate = |&[x, y]: &Cell| {
            let (dx, dy) = (u64::from(x.abs_diff(to[0])), u64::from(y.abs_diff(to[1])));
            dx.min(dy) * DIAGONAL + (dx.max(dy) - dx.min(dy)) * STRAIGHT
        };
        black_box(pathfinding::prelude::astar(&from, successors, estimate, |at| *at == to))
    });
}

/// A tile changes on a 1024² level, and a way is asked for.
#[divan::bench]
fn edit_then_query_1024(bencher: Bencher<'_, '_>) {
    let (mut level, set) = (caves(1024, false), tileset());
    let mut grid = grid(&level);
    let mut map = GridMap::new(&floor(grid.clone()), &Agent::point("walk")).unwrap();
    let pairs: Vec<_> = pairs(&map, 1024, 100);
    let mut searcher = GridSearcher::default();
    let mut next = pairs.iter().cycle();
    let mut is_wall = false;
    bencher.bench_local(|| {
        let (a, b) = *next.next().unwrap();
        is_wall = !is_wall;
        let layer = Arc::make_mut(&mut level.layers[0]);
        if let LayerContent::Tiles(layer) = &mut layer.content {
            layer.tiles.set([512, 512], if is_wall { Tile::id_only(STONE) } else { Tile::EMPTY });
        }
        if let GridChange::Chunks(_) = grid.update(&level, |_| Some(&set)) {
            map.update(&floor(grid.clone()), &[[512..513, 512..513]]);
        }
        black_box(searcher.find(black_box(&map), &GridQuery::new(black_box(a), black_box(b))))
    });
}

/// The same query without the edit.
#[divan::bench]
fn query_1024(bencher: Bencher<'_, '_>) {
    let map = GridMap::new(&floor(grid(&caves(1024, false))), &Agent::point("walk")).unwrap();
    let pairs: Vec<_> = pairs(&map, 1024, 100);
    let mut searcher = GridSearcher::default();
    let mut next = pairs.iter().cycle();
    bencher.bench_local(|| {
        let (a, b) = *next.next().unwrap();
        black_box(searcher.find(black_box(&map), &GridQuery::new(black_box(a), black_box(b))))
    });
}

/// The baseline: the grid and the map of a 1024² level made anew.
#[divan::bench(sample_count = 10)]
fn rebuild_1024(bencher: Bencher<'_, '_>) {
    let level = caves(1024, false);
    bencher.bench_local(|| black_box(GridMap::new(&floor(grid(black_box(&level))), &Agent::point("walk"))));
}

/// Automatic links of 500 nodes spread over a 512² cave map, without a limit and with one of 20 cells.
/// Caves of 512 cells side by side, too many for one map: from one corner to the opposite one.
fn wide_4096() -> (Navigator, PathRequest) {
    let LayerContent::Tiles(one) = &caves(512, false).layers[0].content else { unreachable!() };
    let mut tiles = Tiles::default();
    for (cell, tile) in one.tiles.iter() {
        for [dx, dy] in (0..64).map(|i| [i % 8 * 512, i / 8 * 512]) {
            tiles.set([cell[0] + dx, cell[1] + dy], tile);
        }
    }
    let content = LayerContent::Tiles(TileLayer::new("caves".into(), tiles));
    let layers = vec![Arc::new(Layer::new("ground".into(), content))];
    let level = Level { size: Some([4096, 4096]), layers, ..Level::default() };
    let navigator = Navigator::new(&level, Arc::new(grid(&level)));
    let [from, to] = [40.0, 65_000.0].map(Vec2::splat);
    (navigator, PathRequest { snap_cells: 16, ..PathRequest::new(from, to, Agent::point("walk")) })
}

/// Nothing is known of the level yet.
#[divan::bench(sample_count = 5)]
fn first_path_across_4096(bencher: Bencher<'_, '_>) {
    let (navigator, request) = wide_4096();
    bencher.with_inputs(|| navigator.clone()).bench_values(|mut navigator| {
        let answer = navigator.find_now(black_box(&request));
        assert!(answer.found);
        black_box(answer)
    });
}

/// Again.
#[divan::bench(sample_count = 10)]
fn path_across_4096(bencher: Bencher<'_, '_>) {
    let (mut navigator, request) = wide_4096();
    assert!(navigator.find_now(&request).found);
    bencher.bench_local(|| black_box(navigator.find_now(black_box(&request))));
}

#[divan::bench(args = [0, 320], sample_count = 10)]
fn link_500(bencher: Bencher<'_, '_>, max_length: u32) {
    let grid = grid(&caves(512, false));
    let mut chance = Stream::new(5, "nodes");
    let mut graph = WaypointGraph::default();
    while graph.nodes.len() < 500 {
        let at = [chance.range(0.0, 8192.0), chance.range(0.0, 8192.0)];
        let cell = [(at[0] / 16.0) as i32, (at[1] / 16.0) as i32];
        if !grid.cell(cell).full {
            graph.nodes.insert(format!("n{}", graph.nodes.len()).into(), Node { at, tags: Vec::new() });
        }
    }
    graph.max_length = (max_length > 0).then_some(f64::from(max_length));
    bencher.bench_local(|| black_box(links(black_box(&graph), black_box(&grid))));
}
