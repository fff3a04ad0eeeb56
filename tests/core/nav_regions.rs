//! Paths over levels that are too large for a map of all cells, against the cheapest ones.

use std::sync::Arc;

use glam::Vec2;
use levelwright::{
    model::{Cell, Tile, Tiles},
    sim::{
        EntityKey,
        grid::{GridChange, SolidGrid},
        nav::{
            Agent, Floor, GridMap, GridQuery, GridSearcher, Navigator, NoPathReason, PathRequest, cost_of, is_walkable,
        },
        random::Stream,
    },
};

use crate::grid::{MUD, STONE, level_of, tileset};

/// Cells to a side of the part that is built on; around it is a wall.
const SIDE: i32 = 200;
/// Of the level: beyond the size that has one map.
const LARGE: u32 = 4200;

struct Ground {
    tiles: Tiles,
    seed: u64,
}

impl Ground {
    /// Walls with gaps, rooms and mud, more of them as `crowded` rises to 1.
    fn random(seed: u64, crowded: f64) -> Self {
        let mut stream = Stream::new(seed, "ground");
        let mut tiles = Tiles::default();
        let at = |stream: &mut Stream| stream.range(0.0, f64::from(SIDE)) as i32;
        for _ in 0..(crowded * 60.0) as u32 {
            let ([x, y], id) = ([at(&mut stream), at(&mut stream)], if stream.unit() < 0.8 { STONE } else { MUD });
            let long = stream.range(5.0, 70.0) as i32;
            let wide = if id == MUD { 12 } else { 1 };
            let [w, h] = if stream.unit() < 0.5 { [long, wide] } else { [wide, long] };
            for cell in (y..y + h).flat_map(|y| (x..x + w).map(move |x| [x, y])) {
                tiles.set(cell, Tile::id_only(id));
            }
        }
        for _ in 0..(crowded * 0.2 * f64::from(SIDE * SIDE)) as u32 {
            tiles.set([at(&mut stream), at(&mut stream)], Tile::id_only(STONE));
        }
        for i in -1..=SIDE {
            for cell in [[i, 0], [i, SIDE], [0, i], [SIDE, i]] {
                tiles.set(cell, Tile::id_only(STONE));
            }
        }
        Self { tiles, seed }
    }

    fn grid(&self, side: u32) -> (levelwright::model::Level, SolidGrid) {
        let mut level = level_of(vec![self.tiles.clone()]);
        level.size = Some([side, side]);
        let set = tileset();
        let grid = SolidGrid::new(&level, |_| Some(&set));
        (level, grid)
    }

    /// Pairs of places.
    fn pairs(&self, n: u64) -> Vec<[Cell; 2]> {
        let mut stream = Stream::new(self.seed, "pairs");
        let mut place = || [(); 2].map(|()| stream.range(1.0, f64::from(SIDE)) as i32);
        (0..n).map(|_| [place(), place()]).collect()
    }
}

fn middle([x, y]: Cell) -> Vec2 {
    (Vec2::new(x as f32, y as f32) + 0.5) * 16.0
}

fn ask([from, to]: [Cell; 2], agent: &Agent, is_smooth: bool) -> PathRequest {
    PathRequest { is_smooth, snap_cells: 0, ..PathRequest::new(middle(from), middle(to), agent.clone()) }
}

#[test]
fn paths_by_regions_are_found_where_there_are_any_and_cost_little_more() {
    let (mut sum, mut n, mut worst) = (0.0, 0, 1.0_f64);
    for seed in 0..7_u64 {
        let ground = Ground::random(seed, seed as f64 / 6.0);
        let (level, large) = ground.grid(LARGE);
        let mut navigator = Navigator::new(&level, Arc::new(large));
        let (_, small) = ground.grid(SIDE as u32 + 1);
        let floor = Floor::from(Arc::new(small));
        for agent in [Agent::point("walk"), Agent { radius: 15.0, ..Agent::point("walk") }] {
            let map = GridMap::new(&floor, &agent).unwrap();
            for ends in ground.pairs(8) {
                // A wide agent's block is the one that its middle is nearest to.
                let query = GridQuery::new(map.cell_at(middle(ends[0])), map.cell_at(middle(ends[1])));
                let best = GridSearcher::default().find(&map, &query);
                let found = navigator.find_now(&ask(ends, &agent, false));
                assert_eq!(found.found, best.is_some(), "{seed} {ends:?} {:?}", found.no_path);
                let Some(best) = best.filter(|best| best.cost > 0.0) else { continue };
                let cells: Vec<Cell> = found.points.iter().map(|at| map.cell_at(*at)).collect();
                assert!(cells.windows(2).all(|it| (0..2).all(|i| (it[0][i] - it[1][i]).abs() <= 1)));
                assert!((cost_of(&map, &cells) - found.cost).abs() < 1e-6);
                let share = found.cost / best.cost;
                assert!((1.0 - 1e-9..1.1).contains(&share), "{seed} {ends:?}: {share}");
                (sum, n, worst) = (sum + share, n + 1, worst.max(share));
                let smooth = navigator.find_now(&ask(ends, &agent, true)).points;
                assert!(smooth.len() <= found.points.len());
                assert!(smooth.windows(2).all(|it| is_walkable(&floor, &map, it[0], it[1], agent.radius)), "{ends:?}");
            }
        }
    }
    let mean = sum / f64::from(n);
    assert!(n > 60 && mean < 1.02, "{n} paths cost {mean} of the cheapest, at most {worst}");
}

#[test]
fn a_weight_bounds_what_a_path_by_regions_costs() {
    for seed in 0..4_u64 {
        let ground = Ground::random(seed, 0.3 + seed as f64 / 6.0);
        let (level, large) = ground.grid(LARGE);
        let mut navigator = Navigator::new(&level, Arc::new(large));
        for ends in ground.pairs(6) {
            let request = ask(ends, &Agent::point("walk"), false);
            let cheapest = navigator.find_now(&request);
            for weight in [1.5, 3.0, 10.0] {
                let found = navigator.find_now(&PathRequest { weight, ..request.clone() });
                assert_eq!(found.found, cheapest.found, "{seed} {ends:?}");
                assert!(found.cost <= weight * cheapest.cost + 1e-6, "{seed} {ends:?}: {weight}");
            }
        }
    }
}

#[test]
fn what_changes_is_looked_at_anew_and_nothing_else() {
    let mut ground = Ground::random(5, 0.5);
    let (mut level, mut grid) = ground.grid(LARGE);
    let mut navigator = Navigator::new(&level, Arc::new(grid.clone()));
    let set = tileset();
    let agent = Agent::point("walk");
    let pairs = ground.pairs(6);
    let mut stream = Stream::new(1, "edits");
    for round in 0..12 {
        // Walls that grow and vanish, also across the borders of regions.
        let at = [(); 2].map(|()| stream.range(2.0, f64::from(SIDE - 20)) as i32);
        let tile = if round % 3 == 2 { Tile::EMPTY } else { Tile::id_only(STONE) };
        for i in 0..18 {
            ground.tiles.set(if round % 2 == 0 { [at[0] + i, at[1]] } else { [at[0], at[1] + i] }, tile);
        }
        (level, _) = ground.grid(LARGE);
        let change = grid.update(&level, |_| Some(&set));
        navigator.update(&level, Arc::new(grid.clone()), &change);
        let mut fresh = Navigator::new(&level, Arc::new(grid.clone()));
        for ends in &pairs {
            let request = ask(*ends, &agent, true);
            let (a, b) = (navigator.find_now(&request), fresh.find_now(&request));
            assert_eq!((a.found, a.cost, a.points), (b.found, b.cost, b.points), "{round} {ends:?}");
        }
    }
    // Nothing changed, nothing is looked at anew.
    let request = ask(pairs[0], &agent, true);
    let known = navigator.find_now(&request).stats;
    navigator.update(&level, Arc::new(grid), &GridChange::Nothing);
    assert_eq!(navigator.find_now(&request).stats, known);
}

#[test]
fn searches_by_regions_go_on_from_tick_to_tick_with_the_same_answer() {
    let ground = Ground::random(3, 0.4);
    let (level, grid) = ground.grid(LARGE);
    let mut navigator = Navigator::new(&level, Arc::new(grid));
    let agent = Agent::point("walk");
    let asked: Vec<PathRequest> = ground.pairs(5).into_iter().map(|ends| ask(ends, &agent, true)).collect();
    let at_once: Vec<_> = asked.iter().map(|request| navigator.clone().find_now(request)).collect();
    let key = |n: usize| EntityKey::from(slotmap::KeyData::from_ffi(n as u64 + 1));
    for (i, request) in asked.iter().enumerate() {
        navigator.request(key(i), request.clone());
    }
    let mut n_ticks = 0;
    let mut answers = Vec::new();
    while answers.len() < asked.len() {
        answers.extend(navigator.tick(500));
        n_ticks += 1;
        assert!(n_ticks < 10_000);
    }
    assert!(n_ticks > 10);
    answers.sort_by_key(|(asker, _)| *asker);
    for ((_, answer), now) in answers.iter().zip(&at_once) {
        assert_eq!((answer.found, &answer.points), (now.found, &now.points));
    }
    let closed = navigator.find_now(&ask([[0, 0], [20, 20]], &agent, true));
    assert_eq!(closed.no_path.map(|why| why.reason), Some(NoPathReason::Wall));
    let beyond = navigator.find_now(&ask([[20, 20], [900, 900]], &agent, true));
    assert_eq!(beyond.no_path.map(|why| why.reason), Some(NoPathReason::Unconnected), "a wall is all around");
    // A wall with a gap of one cell, across the part that is built on.
    let mut tiles = Tiles::default();
    for i in 0..=SIDE {
        for cell in [[i, 0], [i, SIDE], [0, i], [SIDE, i], [100, i]] {
            tiles.set(cell, if cell == [100, 60] { Tile::EMPTY } else { Tile::id_only(STONE) });
        }
    }
    let (level, grid) = Ground { tiles, seed: 1 }.grid(LARGE);
    let mut navigator = Navigator::new(&level, Arc::new(grid));
    let wide = Agent { radius: 14.0, ..agent };
    let narrow = navigator.find_now(&ask([[20, 20], [150, 150]], &wide, true)).no_path.unwrap();
    assert_eq!(narrow.reason, NoPathReason::TooNarrow);
    assert!(narrow.at.distance(middle([100, 60])) < 40.0, "{narrow:?}");
}
