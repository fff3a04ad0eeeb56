//! Ways over the grid and along waypoints: the worked examples, optimal against a plain Dijkstra, links.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec2;
use levelwright::{
    model::{Cell, Layer, LayerContent, Level, Link, LinkBy, Node, Tile, WaypointGraph},
    sim::{
        grid::{GridChange, SolidGrid},
        limits,
        nav::{
            Agent, Floor, GridMap, GridQuery, GridSearcher, Ground, Navigator, Neighbors, PathRequest, Progress,
            catmull_rom, cost_of, drawn_links, links, shortcut, smooth, suggest_lattice, suggest_nodes,
            suggest_on_platforms,
        },
        random::Stream,
    },
};
use proptest::prelude::*;

use crate::cases::cases;
use crate::grid::{MUD, STONE, grid_of, level_of, tiles, tileset};

const SQRT_2: f64 = std::f64::consts::SQRT_2;

pub(crate) fn walk() -> Agent {
    Agent::point("walk")
}

fn floor_of(grid: SolidGrid) -> Floor {
    Floor::from(Arc::new(grid))
}

fn map_of(rows: &[&str]) -> GridMap {
    GridMap::new(&floor_of(grid_of(rows)), &walk()).unwrap()
}

/// The cost of the cheapest way by Dijkstra without any of the searcher's tricks.
fn reference(map: &GridMap, query: &GridQuery, size: Cell, corner_cutting: bool) -> Option<f64> {
    let mut best: BTreeMap<Cell, f64> = [(query.from, 0.0)].into();
    let mut todo = vec![query.from];
    map.cost(query.from)?;
    while let Some([x, y]) = todo.pop() {
        let here = best[&[x, y]];
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let is_diagonal = dx != 0 && dy != 0;
            let sides = [map.is_open([x + dx, y]), map.is_open([x, y + dy])];
            let free = !is_diagonal
                || query.neighbors == Neighbors::Eight
                    && if corner_cutting { sides[0] || sides[1] } else { sides[0] && sides[1] };
            let next = [x + dx, y + dy];
            let Some(cost) = map.cost(next).filter(|_| free && (dx, dy) != (0, 0)) else { continue };
            let cost = here + cost * if is_diagonal { SQRT_2 } else { 1.0 };
            if best.get(&next).is_none_or(|known| cost < known - 1e-12) {
                best.insert(next, cost);
                todo.push(next);
            }
        }
    }
    assert!(best.keys().all(|[x, y]| (0..size[0]).contains(x) && (0..size[1]).contains(y)));
    query.to.iter().filter_map(|to| best.get(to)).copied().min_by(f64::total_cmp)
}

fn assert_steps(map: &GridMap, cells: &[Cell], corner_cutting: bool) {
    for pair in cells.windows(2) {
        let [dx, dy] = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
        assert!(dx.abs().max(dy.abs()) == 1 && map.is_open(pair[1]), "{pair:?}");
        let sides = [map.is_open([pair[0][0] + dx, pair[0][1]]), map.is_open([pair[0][0], pair[0][1] + dy])];
        assert!(sides[0] && sides[1] || corner_cutting && (sides[0] || sides[1]), "a corner is cut: {pair:?}");
    }
}

#[test]
fn worked_examples() {
    let open = map_of(&["....", "....", "....", "....", "....", "...."]);
    let path = GridSearcher::default().find(&open, &GridQuery::new([0, 0], [3, 5])).unwrap();
    assert!((path.cost - (2.0 + 3.0 * SQRT_2)).abs() < 1e-9, "octile: {}", path.cost);
    assert_eq!(catmull_rom(0.25), [-0.070_312_5, 0.867_187_5, 0.226_562_5, -0.023_437_5]);
}

#[test]
fn a_table_of_ways() {
    let rows = &[
        "........", //
        ".####...", //
        ".#..#.~.", //
        ".#..#.~.", //
        ".####.~.", //
        "......~.",
    ];
    let map = map_of(rows);
    let cases = [
        ("there already", [0, 0], [0, 0], Some(0.0)),
        ("straight", [0, 0], [7, 0], Some(7.0)),
        ("a diagonal", [5, 0], [7, 2], Some(2.0 * SQRT_2)),
        ("around a corner without cutting it", [0, 4], [1, 5], Some(2.0)),
        ("around the mud", [5, 3], [7, 3], Some(2.0 + 2.0 * SQRT_2)),
        ("walled in", [0, 0], [2, 2], None),
        ("into a wall", [0, 0], [1, 1], None),
        ("out of a wall", [1, 1], [0, 0], None),
        ("outside", [0, 0], [8, 0], None),
    ];
    for (name, from, to, cost) in cases {
        let mut searcher = GridSearcher::default();
        let found = searcher.find(&map, &GridQuery::new(from, to));
        match (found, cost) {
            (None, None) => assert_eq!(searcher.stats().expanded, 0, "{name}: refused without a search"),
            (Some(path), Some(cost)) => {
                assert!((path.cost - cost).abs() < 1e-9, "{name}: {} instead of {cost}", path.cost);
                assert_eq!((path.cells[0], path.cells[path.cells.len() - 1]), (from, to), "{name}");
                assert_steps(&map, &path.cells, false);
            }
            (found, _) => panic!("{name}: {found:?}"),
        }
    }
}

#[test]
fn already_there_is_one_node_and_no_path_is_none() {
    let map = map_of(&["..#."]);
    let mut searcher = GridSearcher::default();
    assert_eq!(searcher.find(&map, &GridQuery::new([1, 0], [1, 0])).unwrap().cells, [[1, 0]]);
    assert!(searcher.find(&map, &GridQuery::new([1, 0], [3, 0])).is_none());
}

#[test]
fn of_several_goals_the_cheapest_is_reached() {
    let map = map_of(&["....~~..", ".#######", "........"]);
    let mut searcher = GridSearcher::default();
    let query = GridQuery { to: vec![[6, 0], [5, 2], [1, 1]], ..GridQuery::new([3, 0], [0, 0]) };
    let path = searcher.find(&map, &query).unwrap();
    assert_eq!((path.cells.last(), path.cost), (Some(&[6, 0]), 9.0));
    let query = GridQuery { to: vec![[6, 0], [1, 2]], ..GridQuery::new([1, 0], [0, 0]) };
    let path = searcher.find(&map, &query).unwrap();
    assert_eq!((path.cells.last(), path.cost), (Some(&[1, 2]), 4.0));
}

#[test]
fn a_search_stops_at_its_budget_and_goes_on() {
    let map = map_of(&["....#....", ".##.#.##.", ".#..#..#.", ".#.###.#.", ".#.....#.", "........."]);
    let query = GridQuery::new([3, 0], [5, 0]);
    let mut whole = GridSearcher::default();
    let path = whole.find(&map, &query);
    let mut slow = GridSearcher::default();
    slow.start(&map, &query);
    let mut ticks = 0;
    let found = loop {
        ticks += 1;
        // A copy in the middle goes on alike.
        slow = slow.clone();
        match slow.run(&map, 3) {
            Progress::Running => assert!(slow.stats().expanded <= 3 * ticks),
            Progress::Found(path) => break Some(path),
            Progress::NoPath => break None,
        }
    };
    assert!(ticks > 3 && found.is_some());
    assert_eq!((found, slow.stats()), (path, whole.stats()));
}

#[test]
fn a_weight_trades_length_for_effort_within_its_bound() {
    let rows: Vec<String> = (0..40).map(|y| if y % 3 == 1 { ".##".repeat(13) + "." } else { ".".repeat(40) }).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let map = map_of(&rows);
    let mut searcher = GridSearcher::default();
    let mut ask = |weight| {
        let path = searcher.find(&map, &GridQuery { weight, ..GridQuery::new([0, 2], [39, 30]) }).unwrap();
        (path.cost, searcher.stats().expanded)
    };
    let (best, more) = ask(1.0);
    let (good, less) = ask(2.0);
    assert!(less < more, "{less} and {more} expansions");
    assert!(good >= best && good <= 2.0 * best);
}

#[test]
fn straight_ways_are_preferred_where_turning_costs() {
    let map = map_of(&["~.~.~.~.~", ".~.~.~.~.", "~.~.~.~.~"]);
    let turns = |penalty| {
        let query = GridQuery { turn_penalty: penalty, ..GridQuery::new([0, 1], [8, 1]) };
        let path = GridSearcher::default().find(&map, &query).unwrap();
        let steps: Vec<_> = path.cells.windows(2).map(|p| [p[1][0] - p[0][0], p[1][1] - p[0][1]]).collect();
        steps.windows(2).filter(|pair| pair[0] != pair[1]).count()
    };
    assert!(turns(5.0) < turns(0.0), "{} and {}", turns(5.0), turns(0.0));
}

#[test]
fn corners_are_cut_only_where_the_level_says_so() {
    let mut level = level_of(vec![tiles(&["..", ".#"])]);
    level.size = Some([3, 3]);
    let set = tileset();
    let cost = |level: &Level| {
        let map = GridMap::new(&floor_of(SolidGrid::new(level, |_| Some(&set))), &walk()).unwrap();
        GridSearcher::default().find(&map, &GridQuery::new([1, 0], [2, 1])).unwrap().cost
    };
    assert_eq!(cost(&level), 2.0);
    level.corner_cutting = true;
    assert!((cost(&level) - SQRT_2).abs() < 1e-12);
}

#[test]
fn shortcuts_keep_clear_of_walls_and_mud() {
    let rows = &["........", ".....#..", "..~~....", "..~~....", "........"];
    let (floor, map) = (floor_of(grid_of(rows)), map_of(rows));
    let path = GridSearcher::default().find(&map, &GridQuery::new([0, 0], [7, 2])).unwrap();
    let points = shortcut(&floor, &map, &path, 0.0);
    assert!(points.len() < path.cells.len());
    assert!(points.windows(2).all(|p| floor.is_clear(p[0], p[1], 0.0)));
    let around = GridSearcher::default().find(&map, &GridQuery::new([1, 2], [4, 3])).unwrap();
    let points = shortcut(&floor, &map, &around, 0.0);
    assert!(points.len() > 2, "straight through the mud costs more: {points:?}");
}

#[test]
fn curves_fall_back_to_straight_at_walls() {
    let points = [Vec2::new(0.0, 0.0), Vec2::new(32.0, 0.0), Vec2::new(32.0, 32.0)];
    let free = smooth(&points, |_, _| true);
    assert_eq!(free.len(), 9, "{free:?}");
    assert_eq!((free[0], free[4], free[8]), (points[0], points[1], points[2]));
    // At a quarter of the first segment, by the worked weights with the end doubled.
    let quarter = points[0] * (-0.070_312_5 + 0.867_187_5) + points[1] * 0.226_562_5 + points[2] * -0.023_437_5;
    assert!(free[1].distance(quarter) < 1e-5);
    // Nothing may pass above the first segment, where the curve overshoots.
    let walled = smooth(&points, |a, b| a.y >= 0.0 && b.y >= 0.0);
    assert_eq!(walled[..2], points[..2]);
    // Through a door: two long ways with a short one between, where the curve would swing out by 28 px.
    let door = [(0.0, 0.0), (250.0, 240.0), (266.0, 240.0), (516.0, 30.0)].map(|(x, y)| Vec2::new(x, y));
    let length = |points: &[Vec2]| points.windows(2).map(|it| it[0].distance(it[1])).sum::<f32>();
    let through = smooth(&door, |_, _| true);
    assert!(length(&through) < 1.01 * length(&door) && through.iter().all(|at| at.y < 241.0), "{through:?}");
    let line = [0.0, 10.0, 20.0, 30.0].map(|x| Vec2::new(x, 5.0));
    assert_eq!(smooth(&line, |_, _| true), [line[0], line[3]], "points on a line are pruned");
}

pub(crate) fn graph(nodes: &[(f64, f64)], links: &[(usize, usize, LinkBy)]) -> WaypointGraph {
    let name = |i: usize| format!("n{i}").into();
    let mut graph = WaypointGraph::default();
    for (i, at) in nodes.iter().enumerate() {
        graph.nodes.insert(name(i), Node { at: [at.0, at.1], ..Node::default() });
    }
    for (from, to, by) in links {
        graph.links.push(Link { from: name(*from), to: name(*to), cost: None, one_way: false, by: *by });
    }
    graph
}

#[test]
fn nodes_link_where_the_way_is_wide_enough() {
    let grid = grid_of(&["......", "..#...", "......"]);
    let nodes = [(8.0, 24.0), (88.0, 24.0), (8.0, 8.0), (88.0, 8.0)];
    let pairs = |graph: &WaypointGraph| -> Vec<_> {
        links(graph, &grid).iter().map(|link| (link.from, link.to, link.by)).collect()
    };
    let auto = |a, b| (a, b, LinkBy::Auto);
    let mut way = graph(&nodes, &[]);
    assert_eq!(pairs(&way), [auto(0, 2), auto(1, 3), auto(2, 3)]);
    way.radius = 9.0;
    assert_eq!(pairs(&way), [auto(0, 2), auto(1, 3)], "too wide to pass above the stone");
    way.max_length = Some(10.0);
    assert_eq!(pairs(&way), []);
    let mut kept = graph(&nodes, &[(0, 1, LinkBy::Hand), (3, 2, LinkBy::Broken), (9, 1, LinkBy::Hand)]);
    assert_eq!(pairs(&kept), [(0, 1, LinkBy::Hand), auto(0, 2), auto(1, 3)], "people's links stay, broken ones too");
    kept.auto_link = false;
    assert_eq!(pairs(&kept), [(0, 1, LinkBy::Hand)]);
}

#[test]
fn nodes_in_one_place_make_no_more_links_than_the_limit() {
    let grid = grid_of(&["......", "..#...", "......"]);
    for spread in [0.0, 1e-6] {
        for reach in [None, Some(16.0)] {
            let nodes: Vec<_> = (0..10_000).map(|i| (8.0 + f64::from(i) * spread, 8.0)).collect();
            let mut way = graph(&nodes, &[]);
            way.max_length = reach;
            let (n_links, n_drawn) = (links(&way, &grid).len(), drawn_links(&way, &grid).len());
            assert!((1..=limits::MAX_LINKS).contains(&n_links), "{n_links}");
            assert!((1..=limits::MAX_DRAWN_LINKS).contains(&n_drawn), "{n_drawn}");
        }
    }
}

#[test]
fn the_way_along_waypoints() {
    let grid = grid_of(&["......", "..#...", "......"]);
    let mut way = graph(&[(8.0, 24.0), (88.0, 24.0), (8.0, 8.0), (88.0, 8.0)], &[]);
    let places: Vec<Vec2> = way.nodes.values().map(|node| Vec2::new(node.at[0] as f32, node.at[1] as f32)).collect();
    let find = |way: &WaypointGraph, to: &[Vec2]| {
        let layer = Layer::new("way".into(), LayerContent::Waypoints(way.clone()));
        let level = Level { layers: vec![Arc::new(layer)], ..level_of(Vec::new()) };
        let request = PathRequest {
            to: to.to_vec(),
            on: Ground::Waypoints("way".into()),
            ..PathRequest::new(places[0], places[0], walk())
        };
        let answer = Navigator::new(&level, Arc::new(grid.clone())).find_now(&request);
        let nodes = answer.points.iter().filter_map(|at| places.iter().position(|place| place == at));
        (nodes.collect::<Vec<_>>(), answer.found.then_some(answer.cost), answer.goal)
    };
    let end = [Vec2::new(88.0, 30.0)];
    assert_eq!(find(&way, &end), (vec![0, 2, 3, 1], Some(16.0 + 80.0 + 16.0 + 6.0), 0));
    assert_eq!(
        find(&way, &[end[0], Vec2::new(88.0, 2.0)]),
        (vec![0, 2, 3], Some(16.0 + 80.0 + 6.0), 1),
        "the nearer goal"
    );
    assert_eq!(find(&way, &[end[0], Vec2::new(12.0, 24.0)]), (vec![0], Some(4.0), 1), "beside it, without a node");
    way.links.push(Link { cost: Some(50.0), one_way: true, ..graph(&[], &[(0, 1, LinkBy::Hand)]).links[0].clone() });
    assert_eq!(find(&way, &end).1, Some(56.0), "a cheap link by hand");
    way.links[0].from = "n1".into();
    way.links[0].to = "n0".into();
    assert_eq!(find(&way, &end).0, [0, 2, 3, 1], "not against a one-way link");
    way.links.push(graph(&[], &[(2, 3, LinkBy::Broken)]).links[0].clone());
    assert_eq!(find(&way, &end).1, None);
}

#[test]
fn nodes_are_suggested_outside_convex_corners() {
    let rows = [".......", ".......", "..##...", "..#....", ".......", "......."];
    let nodes = |rows: &[&str]| suggest_nodes(&grid_of(rows), 4.0).iter().map(|p| [p.x, p.y]).collect::<Vec<_>>();
    let corners = [[27.0, 27.0], [69.0, 27.0], [69.0, 53.0], [27.0, 69.0], [53.0, 69.0]];
    assert_eq!(nodes(&rows), corners, "five convex corners, not the inner one, in whole pixels");
    assert!(suggest_nodes(&grid_of(&["###", "#.#", "###"]), 4.0).is_empty());
    // A door between two walls, as wide as the agents or a little wider: one on each side of a wall of one cell.
    let door = [".......", "...#...", ".......", "...#...", "......."];
    let in_door = |radius: f32| {
        let nodes = suggest_nodes(&grid_of(&door), radius);
        nodes.into_iter().filter(|p| (32.0..48.0).contains(&p.y)).collect::<Vec<_>>()
    };
    assert_eq!(in_door(7.0).len(), 2, "{:?}", in_door(7.0));
    assert!(in_door(7.0).iter().all(|at| at.y == 40.0), "{:?}", in_door(7.0));
    assert_eq!(in_door(4.0).len(), 2, "6 px apart");
    assert_eq!(in_door(1.0).len(), 4, "12 px apart, one at each corner");
}

#[test]
fn nodes_are_suggested_on_what_can_be_stood_on() {
    let rows = ["............", "....--......", "............", "############"];
    let grid = grid_of(&rows);
    let at = |every: u32| -> Vec<(i32, i32)> {
        suggest_on_platforms(&grid, 4.0, every).iter().map(|p| (p.x as i32, p.y as i32)).collect()
    };
    let ledge = [(72, 11), (88, 11)];
    assert_eq!(at(20), [ledge[0], ledge[1], (8, 43), (184, 43)], "both ends of each, one-way ones too");
    assert_eq!(at(6), [ledge[0], ledge[1], (8, 43), (96, 43), (184, 43)], "and between them where these are far apart");
    let one = grid_of(&["...", "...", ".#."]);
    assert_eq!(suggest_on_platforms(&one, 4.0, 8).len(), 1, "of one cell both ends are one place");
    assert!(suggest_on_platforms(&grid_of(&["###", "###"]), 4.0, 8).is_empty(), "nobody stands above the level");
    assert!(suggest_on_platforms(&grid_of(&["#.#", "###"]), 12.0, 8).is_empty(), "too narrow");
}

#[test]
fn a_lattice_keeps_off_walls_and_ends_where_it_is_told() {
    let grid = grid_of(&["......", "......", "..##..", "......", "......"]);
    let at: Vec<(i32, i32)> =
        suggest_lattice(&grid, 4.0, 2, 100).iter().map(|p| ((p.x / 16.0) as i32, (p.y / 16.0) as i32)).collect();
    assert_eq!(at, [(0, 0), (2, 0), (4, 0), (0, 2), (4, 2), (0, 4), (2, 4), (4, 4)]);
    assert_eq!(suggest_lattice(&grid, 4.0, 2, 3).len(), 3);
    assert!(suggest_lattice(&grid, 100.0, 2, 3).iter().all(|at| grid.is_clear(*at, *at, 100.0)));
}

fn random_rows() -> impl Strategy<Value = Vec<String>> {
    let letters = proptest::sample::select(vec!['.', '.', '.', '.', '#', '#', '~', '=']);
    (2..14_usize, 2..14_usize).prop_flat_map(move |(w, h)| {
        proptest::collection::vec(proptest::collection::vec(letters.clone(), w), h)
            .prop_map(|rows| rows.into_iter().map(String::from_iter).collect())
    })
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn ways_are_as_cheap_as_can_be(
        rows in random_rows(), ends in proptest::collection::vec((0..13_i32, 0..13_i32), 2..5),
        four in any::<bool>(), corner_cutting in any::<bool>(), plain in any::<bool>(),
    ) {
        let rows: Vec<String> =
            rows.into_iter().map(|row| if plain { row.replace(['~', '='], ".") } else { row }).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let (w, h) = (rows[0].len() as i32, rows.len() as i32);
        let mut level = level_of(vec![tiles(&rows)]);
        level.size = Some([w as u32, h as u32]);
        level.corner_cutting = corner_cutting;
        let set = tileset();
        let map = GridMap::new(&floor_of(SolidGrid::new(&level, |_| Some(&set))), &walk()).unwrap();
        let mut ends = ends.iter().map(|(x, y)| [x % w, y % h]);
        let from = ends.next().unwrap();
        let neighbors = if four { Neighbors::Four } else { Neighbors::Eight };
        let query = GridQuery { to: ends.collect(), neighbors, ..GridQuery::new(from, from) };
        let mut searcher = GridSearcher::default();
        let best = reference(&map, &query, [w, h], corner_cutting);
        let found = searcher.find(&map, &query);
        prop_assert_eq!(found.is_some(), best.is_some());
        if let (Some(path), Some(best)) = (found, best) {
            prop_assert!((path.cost - best).abs() < 1e-6, "{} instead of {}", path.cost, best);
            prop_assert!((cost_of(&map, &path.cells) - path.cost).abs() < 1e-9);
            prop_assert!(query.to.contains(path.cells.last().unwrap()));
            assert_steps(&map, &path.cells, corner_cutting);
            prop_assert!(!four || path.cells.windows(2).all(|p| p[0][0] == p[1][0] || p[0][1] == p[1][1]));
            let again = searcher.find(&map, &query).unwrap();
            prop_assert_eq!(again, path, "memory of one search shows in the next");
        }
    }

    #[test]
    fn links_are_the_same_both_ways(
        rows in random_rows(), nodes in proptest::collection::vec((0..200_u32, 0..200_u32), 2..12), radius in 0..12_u32,
        reach in proptest::option::of(1..150_u32),
    ) {
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let grid = grid_of(&rows);
        let mut nodes: Vec<_> = nodes.into_iter().map(|(x, y)| (f64::from(x), f64::from(y))).collect();
        let make = |nodes: &[(f64, f64)]| {
            let mut graph = graph(nodes, &[]);
            (graph.radius, graph.max_length) = (radius.into(), reach.map(f64::from));
            let n = nodes.len();
            let mut ends: Vec<_> =
                links(&graph, &grid).iter().map(|l| (l.from.min(l.to), l.from.max(l.to), l.cost.to_bits())).collect();
            ends.sort_unstable();
            (n, ends)
        };
        let (n, there) = make(&nodes);
        nodes.reverse();
        let (_, back) = make(&nodes);
        let mut turned: Vec<_> = back.into_iter().map(|(a, b, cost)| (n - 1 - b, n - 1 - a, cost)).collect();
        turned.sort_unstable();
        prop_assert_eq!(there, turned);
    }
}

proptest! {
    #![proptest_config(cases(40))]

    /// Runs longer than a word of bits, and the search that walks cell by cell as the judge: an unreachable cell of
    /// mud makes terrain uneven.
    #[test]
    fn jumping_finds_ways_as_cheap_as_walking(
        seed in any::<u64>(), walls in 0..400_u64, size in (60..140_i32, 1..140_i32), ends in proptest::collection::vec(any::<u64>(), 2..5),
    ) {
        let (w, h) = size;
        let mut chance = Stream::new(seed, "walls");
        let mut layer = tiles(&[]);
        for y in 0..h {
            for x in 0..w {
                if chance.below(1000) < walls {
                    layer.set([x, y], Tile::id_only(STONE));
                }
            }
        }
        (0..h).for_each(|y| { layer.set([w, y], Tile::id_only(STONE)); });
        let mut walked = layer.clone();
        walked.set([w + 1, 0], Tile::id_only(MUD));
        let set = tileset();
        let map = |layer| {
            let mut level = level_of(vec![layer]);
            level.size = Some([w as u32 + 2, h as u32]);
            GridMap::new(&floor_of(SolidGrid::new(&level, |_| Some(&set))), &walk()).unwrap()
        };
        let (jumped, walked) = (map(layer), map(walked));
        prop_assert!(jumped.is_uniform() && !walked.is_uniform());
        let mut ends = ends.iter().map(|n| [(n % w as u64) as i32, (n / 1000 % h as u64) as i32]);
        let from = ends.next().unwrap();
        let query = GridQuery { to: ends.collect(), ..GridQuery::new(from, from) };
        let mut searchers = [GridSearcher::default(), GridSearcher::default()];
        let jump = searchers[0].find(&jumped, &query);
        let walk = searchers[1].find(&walked, &query);
        prop_assert_eq!(jump.is_some(), walk.is_some());
        if let (Some(jump), Some(walk)) = (jump, walk) {
            prop_assert!((jump.cost - walk.cost).abs() < 1e-6, "{} instead of {}", jump.cost, walk.cost);
            assert_steps(&jumped, &jump.cells, false);
            prop_assert!(searchers[0].stats().expanded <= searchers[1].stats().expanded.max(1) * 2);
        }
    }

    /// Edit after edit, what follows them is what is built anew; and so is a copy that was kept on the way.
    #[test]
    fn maps_follow_edits(
        edits in proptest::collection::vec((0..75_i32, 0..40_i32, any::<bool>()), 1..200),
        seed in any::<u64>(), muddy in 0..75_i32, share in 10..50_u32,
    ) {
        let set = tileset();
        let mut chance = Stream::new(seed, "walls");
        let mut layer = tiles(&[]);
        for [x, y] in (0..40).flat_map(|y| (0..75).map(move |x| [x, y])) {
            if chance.chance(f64::from(share) / 100.0) {
                layer.set([x, y], Tile::id_only(STONE));
            }
        }
        let mut level = level_of(vec![layer]);
        level.size = Some([75, 40]);
        let mut grid = SolidGrid::new(&level, |_| Some(&set));
        let mut map = GridMap::new(&floor_of(grid.clone()), &walk()).unwrap();
        // What hangs together is known from here on, and followed.
        let corners = [[0, 0], [74, 0], [74, 39], [0, 39]];
        let _ = corners.map(|cell| GridSearcher::default().find(&map, &GridQuery::new(cell, [37, 20])));
        // Mud comes and goes again, so that terrain is uneven for a while and even in the end.
        let muddy = [(muddy, 7, MUD), (muddy, 7, STONE)].map(|(x, y, id)| ([x, y], Tile::id_only(id)));
        let edits = edits.iter().map(|(x, y, wall)| ([*x, *y], if *wall { Tile::id_only(STONE) } else { Tile::EMPTY }));
        let n_half = edits.len() / 2 + 1;
        let mut kept = None;
        for (i, (cell, tile)) in muddy.into_iter().chain(edits).enumerate() {
            if i == n_half {
                kept = Some((map.clone(), level.clone()));
            }
            let LayerContent::Tiles(layer) = &mut Arc::make_mut(&mut level.layers[0]).content else { panic!() };
            layer.tiles.set(cell, tile);
            if grid.update(&level, |_| Some(&set)) != GridChange::Nothing {
                map.update(&floor_of(grid.clone()), &[[cell[0]..cell[0] + 1, cell[1]..cell[1] + 1]]);
            }
        }
        prop_assert!(map.is_uniform());
        for (map, level) in kept.into_iter().chain([(map, level)]) {
            let fresh = GridMap::new(&floor_of(SolidGrid::new(&level, |_| Some(&set))), &walk()).unwrap();
            prop_assert_eq!(map.is_uniform(), fresh.is_uniform());
            for _ in 0..40 {
                let [ax, ay, bx, by] = [75, 40, 75, 40].map(|n| chance.below(n) as i32);
                let query = GridQuery::new([ax, ay], [bx, by]);
                let (mut followed, mut anew) = (GridSearcher::default(), GridSearcher::default());
                let (a, b) = (followed.find(&map, &query), anew.find(&fresh, &query));
                prop_assert_eq!(a, b, "{:?}", query);
                prop_assert_eq!(followed.stats(), anew.stats(), "as much work, so none where there is no way");
            }
        }
    }
}
