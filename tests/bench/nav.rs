//! What finding the way costs: on a 512² cave map beside the `pathfinding` crate's A*, after an edit on a 1024² one
//! beside making the map anew, and what following the edit costs by itself, and linking 500 waypoints.

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
        nav::{Agent, Floor, GridMap, GridQuery, GridSearcher, Ground, Navigator, PathRequest, Walker, links},
        physics::convex::Convex,
        random::Stream,
    },
};

#[path = "../corpora/walker.rs"]
mod walker;

use walker::plain_walker;

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

/// Edits of one tile on a level of caves, all over it: the level after each, and the cell. Every other one takes the
/// one before it back.
struct Edits {
    all: Vec<(Level, Cell)>,
    next: usize,
}

impl Edits {
    fn new(level: &Level, side: i32) -> Self {
        let mut chance = Stream::new(11, "edits");
        let n = u64::try_from(side).unwrap();
        let edit = |_| {
            let cell = [chance.below(n), chance.below(n)].map(|c| i32::try_from(c).unwrap());
            let mut edited = level.clone();
            if let LayerContent::Tiles(layer) = &mut Arc::make_mut(&mut edited.layers[0]).content {
                let is_open = layer.tiles.get(cell).is_empty();
                layer.tiles.set(cell, if is_open { Tile::id_only(STONE) } else { Tile::EMPTY });
            }
            [(edited, cell), (level.clone(), cell)]
        };
        Self { all: (0..50).flat_map(edit).collect(), next: 0 }
    }

    fn next(&mut self) -> usize {
        self.next = (self.next + 1) % self.all.len();
        (self.next + self.all.len() - 1) % self.all.len()
    }
}

/// A map follows a changed tile; alone, or shared, as by a snapshot of the world, so that it has to be another one.
#[divan::bench(args = [false, true], sample_count = 100, sample_size = 10)]
fn map_update_1024(bencher: Bencher<'_, '_>, is_shared: bool) {
    let (level, set) = (caves(1024, false), tileset());
    let first = grid(&level);
    let mut map = Arc::new(GridMap::new(&floor(first.clone()), &Agent::point("walk")).unwrap());
    assert!(!pairs(&map, 1024, 1).is_empty(), "what is connected is known");
    let mut edits = Edits::new(&level, 1024);
    let floors: Vec<Floor> = edits
        .all
        .iter()
        .map(|(edited, _)| {
            let mut grid = first.clone();
            grid.update(edited, |_| Some(&set));
            floor(grid)
        })
        .collect();
    let mut kept = None;
    bencher.bench_local(|| {
        kept = is_shared.then(|| Arc::clone(&map));
        let i = edits.next();
        let [x, y] = edits.all[i].1;
        Arc::make_mut(&mut map).update(black_box(&floors[i]), &[[x..x + 1, y..y + 1]]);
    });
}

/// The grid follows a changed tile, in a copy, as worlds share it.
#[divan::bench(sample_count = 100, sample_size = 10)]
fn grid_update_1024(bencher: Bencher<'_, '_>) {
    let (level, set) = (caves(1024, false), tileset());
    let mut edits = Edits::new(&level, 1024);
    let mut shared = Arc::new(grid(&level));
    bencher.bench_local(|| {
        let mut grid = SolidGrid::clone(&shared);
        let i = edits.next();
        assert_ne!(grid.update(&edits.all[i].0, |_| Some(&set)), GridChange::Nothing);
        shared = Arc::new(grid);
    });
}

/// All of it: the grid, then a navigator with one map follow a changed tile, while another world has both.
#[divan::bench(sample_count = 100, sample_size = 10)]
fn navigator_update_1024(bencher: Bencher<'_, '_>) {
    let (level, set) = (caves(1024, false), tileset());
    let mut edits = Edits::new(&level, 1024);
    let mut grid = Arc::new(grid(&level));
    let mut navigator = Navigator::new(&level, Arc::clone(&grid));
    let map = navigator.map(&Agent::point("walk")).unwrap();
    assert!(!pairs(&map, 1024, 1).is_empty(), "what is connected is known");
    drop(map);
    let mut kept = None;
    bencher.bench_local(|| {
        kept = Some(navigator.clone());
        let i = edits.next();
        let level = &edits.all[i].0;
        let mut new = SolidGrid::clone(&grid);
        let change = new.update(level, |_| Some(&set));
        grid = Arc::new(new);
        navigator.update(level, Arc::clone(&grid), &change);
    });
}

/// One way after the other on a 1024² level, a hundred in all.
#[divan::bench(sample_count = 100, sample_size = 1)]
fn query_1024(bencher: Bencher<'_, '_>) {
    edited_query(bencher, false);
}

/// The same ways, and before each a tile changes: of the grid, and of a map that is not shared.
#[divan::bench(sample_count = 100, sample_size = 1)]
fn edit_then_query_1024(bencher: Bencher<'_, '_>) {
    edited_query(bencher, true);
}

fn edited_query(bencher: Bencher<'_, '_>, is_edited: bool) {
    let (level, set) = (caves(1024, false), tileset());
    let mut grid = grid(&level);
    let mut map = GridMap::new(&floor(grid.clone()), &Agent::point("walk")).unwrap();
    let pairs: Vec<_> = pairs(&map, 1024, 100);
    let mut edits = Edits::new(&level, 1024);
    let mut searcher = GridSearcher::default();
    let mut next = pairs.iter().cycle();
    bencher.bench_local(|| {
        let (a, b) = *next.next().unwrap();
        if is_edited {
            let i = edits.next();
            let (level, [x, y]) = &edits.all[i];
            grid.update(level, |_| Some(&set));
            map.update(&floor(grid.clone()), &[[*x..*x + 1, *y..*y + 1]]);
        }
        black_box(searcher.find(black_box(&map), &GridQuery::new(black_box(a), black_box(b))))
    });
}

/// The baseline: the grid and the map of a 1024² level made anew.
#[divan::bench(sample_count = 10)]
fn rebuild_1024(bencher: Bencher<'_, '_>) {
    let level = caves(1024, false);
    bencher.bench_local(|| black_box(GridMap::new(&floor(grid(black_box(&level))), &Agent::point("walk"))));
}

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

/// A walker seen from the side in caves of 512², of which nothing is known: twenty ticks at the built-in budget.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn ledges_20_ticks_512(bencher: Bencher<'_, '_>) {
    let level = caves(512, false);
    let mut navigator = Navigator::new(&level, Arc::new(grid(&level)));
    let spec = plain_walker(0.9);
    let (lo, hi) = (Vec2::new(-6.0, -8.0), Vec2::new(6.0, 8.0));
    let walker = Walker {
        spec,
        lo,
        hi,
        foot_radius: 6.0,
        outline: Some(Convex { points: vec![Vec2::new(0.0, -2.0), Vec2::new(0.0, 2.0)], radius: 6.0 }),
        gravity_px_s2: 900.0,
        dt_secs: 1.0 / 64.0,
        kind: "walk".into(),
        ignores_belts: false,
    };
    let mut places = (0..512 * 512).map(|i| Vec2::new((i % 512) as f32, (i / 512) as f32) * 16.0 + 8.0);
    let from = places.find(|at| at.x > 2000.0 && at.y > 2000.0 && navigator.is_on_ledge(&walker, *at)).unwrap();
    let to = places.filter(|at| at.x > 6000.0 && at.y > 6000.0).find(|at| navigator.is_on_ledge(&walker, *at)).unwrap();
    let on = Ground::Ledges(Arc::new(walker));
    let request = PathRequest { on, ..PathRequest::new(from, to, Agent::point("walk")) };
    let mut navigator = Navigator::new(&level, Arc::new(grid(&level)));
    let key = slotmap::KeyData::from_ffi(1 << 32 | 1).into();
    navigator.request(key, request);
    bencher.with_inputs(|| navigator.clone()).bench_values(|mut navigator| {
        (0..20).for_each(|_| _ = black_box(navigator.tick(BUDGET)));
        assert!(navigator.is_waiting(key), "there is more to do");
    });
}

/// Its baseline: five ticks of a search over cells with mud.
#[divan::bench(sample_count = 20, sample_size = 1)]
fn cells_5_ticks_512(bencher: Bencher<'_, '_>) {
    let level = caves(512, true);
    let mut navigator = Navigator::new(&level, Arc::new(grid(&level)));
    let map = navigator.map(&Agent::point("walk")).unwrap();
    let (a, b) = pairs(&map, 512, 200).into_iter().max_by_key(|(a, b)| a[0].abs_diff(b[0])).unwrap();
    let request = PathRequest::new(map.center(a), map.center(b), Agent::point("walk"));
    let key = slotmap::KeyData::from_ffi(1 << 32 | 1).into();
    navigator.request(key, request);
    bencher.with_inputs(|| navigator.clone()).bench_values(|mut navigator| {
        (0..5).for_each(|_| _ = black_box(navigator.tick(BUDGET)));
        assert!(navigator.is_waiting(key), "there is more to do");
    });
}

/// The budget of a tick where a game sets no other.
const BUDGET: u32 = 4000;

/// Again.
#[divan::bench(sample_count = 10)]
fn path_across_4096(bencher: Bencher<'_, '_>) {
    let (mut navigator, request) = wide_4096();
    assert!(navigator.find_now(&request).found);
    bencher.bench_local(|| black_box(navigator.find_now(black_box(&request))));
}

/// Automatic links of 500 nodes spread over a 512² cave map, without a limit and with one of 20 cells.
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
