//! Requests for paths: their turns and budgets, and what becomes of them when the level is edited.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use glam::Vec2;
use levelwright::{
    model::{Layer, LayerContent, LinkBy, Tile, WaypointGraph},
    sim::{
        EntityKey,
        grid::{GridChange, SolidGrid},
        nav::{
            Answer, Ground, LedgeNetwork, Navigator, NoPathReason, PathRequest, Walker, ledge_network, links,
            suggest_on_platforms,
        },
        physics::convex::Convex,
        random::Stream,
    },
};

use crate::grid::{STONE, grid_of, level_of, tiles, tileset};
use crate::nav::{graph, walk};
use crate::walker::plain_walker;

fn key(n: u64) -> EntityKey {
    slotmap::KeyData::from_ffi(1 << 32 | n).into()
}

#[test]
fn requests_are_served_fairly_within_the_budget() {
    let rows: Vec<String> = (0..40)
        .map(|y| {
            if y % 4 == 2 {
                format!("{}.", "#".repeat(39))
            } else if y % 4 == 0 && y > 0 {
                format!(".{}", "#".repeat(39))
            } else {
                ".".repeat(40)
            }
        })
        .collect();
    // One cell of mud: uneven terrain takes more work.
    let rows: Vec<String> = rows
        .into_iter()
        .enumerate()
        .map(|(y, row)| if y == 0 { row.replace(&".".repeat(40), &(".".repeat(39) + "~")) } else { row })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let grid = Arc::new(grid_of(&rows));
    let level = level_of(vec![]);
    let mut navigator = Navigator::new(&level, grid.clone());
    let far = |from: f32| PathRequest::new(Vec2::new(from, 8.0), Vec2::new(8.0, 600.0), walk());
    let near = PathRequest::new(Vec2::new(8.0, 8.0), Vec2::new(200.0, 8.0), walk());
    navigator.request(key(1), far(8.0));
    navigator.request(key(2), far(24.0));
    navigator.request(key(3), near.clone());
    let first: Vec<_> = navigator.tick(200).into_iter().map(|(key, _)| key).collect();
    assert_eq!(first, [key(3)], "the short one does not wait for the long ones");
    let mut twin = navigator.clone();
    let finish = |navigator: &mut Navigator| -> Vec<(EntityKey, Answer)> {
        (0..100).flat_map(|_| navigator.tick(200)).collect()
    };
    let rest = finish(&mut navigator);
    assert_eq!(rest.iter().map(|(key, _)| *key).collect::<BTreeSet<_>>(), [key(1), key(2)].into());
    assert!(rest.iter().all(|(_, answer)| answer.found && answer.stats.expanded > 200));
    assert_eq!(rest, finish(&mut twin), "a copy goes on alike");
    assert!(!navigator.is_waiting(key(1)));
    // One that replaces a request whose search is under way has its turn, and there is one answer.
    navigator.request(key(1), far(8.0));
    assert!(navigator.tick(200).is_empty());
    navigator.request(key(1), near.clone());
    let answers = finish(&mut navigator);
    assert_eq!(answers.iter().map(|(key, _)| *key).collect::<Vec<_>>(), [key(1)]);
    assert_eq!(answers[0].1.points.last(), Some(&Vec2::new(200.0, 8.0)));
    // One that comes again after it was canceled waits behind the others.
    for n in 1..9 {
        navigator.request(key(n), far(8.0));
    }
    navigator.cancel(key(5));
    navigator.request(key(5), near.clone());
    assert!(navigator.tick(200).is_empty(), "four searches at a time");
    (1..9).for_each(|n| navigator.cancel(key(n)));
    assert!((1..9).all(|n| !navigator.is_waiting(key(n))) && finish(&mut navigator).is_empty());
    // A new wish replaces the old one; a forgotten one is not answered.
    navigator.request(key(4), far(8.0));
    navigator.request(key(4), near);
    navigator.request(key(5), far(8.0));
    navigator.cancel(key(5));
    let answers = navigator.tick(4000);
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].1.points.last(), Some(&Vec2::new(200.0, 8.0)));
}

#[test]
fn a_changed_level_is_followed() {
    let set = tileset();
    let lookup = |_: &str| Some(&set);
    let mut level = level_of(vec![tiles(&["...", "###", "..."])]);
    level.size = Some([3, 3]);
    let way = graph(&[(40.0, 8.0), (40.0, 40.0)], &[]);
    level.layers.push(Arc::new(Layer::new("patrol".into(), LayerContent::Waypoints(way))));
    let mut grid = SolidGrid::new(&level, lookup);
    let mut navigator = Navigator::new(&level, Arc::new(grid.clone()));
    let ask = PathRequest::new(Vec2::new(8.0, 8.0), Vec2::new(8.0, 40.0), walk());
    assert!(!navigator.find_now(&ask).found);
    let n_links = |navigator: &Navigator| navigator.waypoints("patrol").unwrap().links().len();
    assert_eq!(n_links(&navigator), 0, "a wall stands between");
    let LayerContent::Tiles(layer) = &mut Arc::make_mut(&mut level.layers[0]).content else { panic!() };
    layer.tiles.set([2, 1], Tile::EMPTY);
    let change = grid.update(&level, lookup);
    assert_eq!(change, GridChange::Chunks(vec![[0, 0]]));
    navigator.update(&level, Arc::new(grid.clone()), &change);
    assert_eq!(n_links(&navigator), 1);
    let linked = navigator.waypoints("patrol").unwrap().clone();
    navigator.update(&level, Arc::new(grid), &GridChange::Nothing);
    assert!(Arc::ptr_eq(&linked, navigator.waypoints("patrol").unwrap()), "nothing changed, nothing is linked anew");
    let answer = navigator.find_now(&ask);
    assert!(answer.found && answer.cost == 6.0, "{answer:?}");
}

#[test]
fn searches_along_waypoints_take_their_turns() {
    let n = 400;
    let nodes: Vec<(f64, f64)> = (0..n).map(|i| (8.0 + f64::from(i) * 10.0, 8.0)).collect();
    let links: Vec<_> = (1..n as usize).map(|i| (i - 1, i, LinkBy::Hand)).collect();
    let way = WaypointGraph { auto_link: false, ..graph(&nodes, &links) };
    let layer = Layer::new("way".into(), LayerContent::Waypoints(way));
    let mut level = level_of(vec![tiles(&["."])]);
    level.size = Some([300, 2]);
    level.layers.push(Arc::new(layer));
    let set = tileset();
    let mut navigator = Navigator::new(&level, Arc::new(SolidGrid::new(&level, |_| Some(&set))));
    let ends = [Vec2::new(10.0, 8.0), Vec2::new(3990.0, 8.0)];
    let request = PathRequest { on: Ground::Waypoints("way".into()), ..PathRequest::new(ends[0], ends[1], walk()) };
    let now = navigator.clone().find_now(&request);
    assert!(now.found);
    navigator.request(key(1), request);
    let mut answers = Vec::new();
    let n_ticks = (1..1000).find(|_| {
        answers.extend(navigator.tick(20));
        !answers.is_empty()
    });
    // Each node and each line of sight counts.
    assert!(n_ticks.is_some_and(|n| n > 30), "{n_ticks:?}");
    assert_eq!(answers[0].1, now);
}

#[test]
fn a_search_over_a_layer_that_is_edited_meanwhile_begins_anew() {
    let place = |i: usize| (8.0 + 10.0 * i as f64, 8.0);
    let layer = |n: usize, bent: usize| {
        let nodes: Vec<(f64, f64)> = (0..n).map(|i| if i == bent { (place(i).0, 28.0) } else { place(i) }).collect();
        let links: Vec<_> = (1..n).map(|i| (i - 1, i, LinkBy::Hand)).collect();
        let way = WaypointGraph { auto_link: false, ..graph(&nodes, &links) };
        Arc::new(Layer::new("way".into(), LayerContent::Waypoints(way)))
    };
    let mut level = level_of(vec![tiles(&["."])]);
    level.size = Some([300, 2]);
    level.layers.push(layer(400, 7));
    let set = tileset();
    let grid = Arc::new(SolidGrid::new(&level, |_| Some(&set)));
    let ends = [Vec2::new(10.0, 8.0), Vec2::new(3990.0, 8.0)];
    let request = PathRequest { on: Ground::Waypoints("way".into()), ..PathRequest::new(ends[0], ends[1], walk()) };
    for (n, bent) in [(200, 7), (800, 7), (400, 9), (0, 0)] {
        let mut navigator = Navigator::new(&level, grid.clone());
        navigator.request(key(1), request.clone());
        let mut answers: Vec<_> = (0..60).flat_map(|_| navigator.tick(10)).collect();
        assert!(answers.is_empty(), "it is under way");
        let before = navigator.revision();
        let mut edited = level.clone();
        edited.layers.truncate(1);
        edited.layers.push(layer(n, bent));
        navigator.update(&edited, grid.clone(), &GridChange::Nothing);
        assert!(navigator.revision() > before, "paths may have opened");
        answers.extend((0..1000).flat_map(|_| navigator.tick(10)));
        let now = Navigator::new(&edited, grid.clone()).find_now(&request);
        assert_eq!(answers, [(key(1), now)], "{n} nodes");
        // An edit that changes no node and no link interrupts nothing.
        let before = navigator.revision();
        let LayerContent::Waypoints(way) = &mut Arc::make_mut(&mut edited.layers[1]).content else { panic!() };
        way.nodes.values_mut().for_each(|node| node.tags.push("red".into()));
        navigator.update(&edited, grid.clone(), &GridChange::Nothing);
        assert_eq!(navigator.revision(), before);
    }
}

#[test]
fn an_edit_links_anew_what_it_is_between() {
    let set = tileset();
    let lookup = |_: &str| Some(&set);
    let mut random = Stream::new(5, "edits");
    let mut level = level_of(vec![tiles(&["#"])]);
    level.size = Some([40, 40]);
    let place = |random: &mut Stream| (random.range(0.0, 640.0), random.range(0.0, 300.0));
    let nodes: Vec<(f64, f64)> = (0..30).map(|_| place(&mut random)).collect();
    let mut way = graph(&nodes, &[(0, 1, LinkBy::Broken), (2, 3, LinkBy::Hand)]);
    way.radius = 4.0;
    level.layers.push(Arc::new(Layer::new("way".into(), LayerContent::Waypoints(way.clone()))));
    let mut grid = SolidGrid::new(&level, lookup);
    let mut navigator = Navigator::new(&level, Arc::new(grid.clone()));
    let mut n_kept = 0;
    for i in 0..60 {
        let cell = [random.below(40) as i32, random.below(40) as i32];
        let LayerContent::Tiles(layer) = &mut Arc::make_mut(&mut level.layers[0]).content else { panic!() };
        layer.tiles.set(cell, if i % 3 == 2 { Tile::EMPTY } else { Tile::id_only(STONE) });
        let change = grid.update(&level, lookup);
        let before = navigator.waypoints("way").unwrap().clone();
        navigator.update(&level, Arc::new(grid.clone()), &change);
        let after = navigator.waypoints("way").unwrap();
        assert_eq!(after.links(), links(&way, &grid), "after an edit at {cell:?}");
        let is_below = cell[1] > 20;
        assert!(!is_below || Arc::ptr_eq(&before, after), "no link is near {cell:?}");
        n_kept += usize::from(Arc::ptr_eq(&before, after));
    }
    assert!(n_kept > 20 && n_kept < 60, "{n_kept}");
}

/// A walker seen from the side.
pub(crate) fn jumper() -> Walker {
    let (lo, hi) = (Vec2::new(-6.0, -8.0), Vec2::new(6.0, 8.0));
    let spec = plain_walker(0.9);
    let (gravity_px_s2, dt_secs, kind) = (900.0, 1.0 / 64.0, "walk".into());
    Walker { spec, lo, hi, foot_radius: 6.0, outline: None, gravity_px_s2, dt_secs, kind, ignores_belts: false }
}

#[test]
fn the_links_of_ledges_count_for_the_flights_that_are_tried() {
    let mut navigator = Navigator::new(&level_of(vec![]), steps(120, None));
    let ends = [Vec2::new(24.0, 616.0), Vec2::new(1900.0, 40.0)];
    let on = Ground::Ledges(Arc::new(jumper()));
    navigator.request(key(1), PathRequest { on, ..PathRequest::new(ends[0], ends[1], walk()) });
    let mut answers = Vec::new();
    let n_ticks = (1..1000).find(|_| {
        answers.extend(navigator.tick(4000));
        !answers.is_empty()
    });
    assert!(answers[0].1.found, "{:?}", answers[0].1.no_path);
    // A link takes hundreds of ticks of flights to find, and an expansion is as much as some of these.
    let n_expanded = answers[0].1.stats.expanded;
    assert!(n_ticks.is_some_and(|n| n * 4000 > 300 * n_expanded), "{n_ticks:?} for {n_expanded} ledges");
}

/// Steps of three cells that lead up to the right; with a wall all the way up in a column, if one is given.
fn steps(width: usize, wall: Option<usize>) -> Arc<SolidGrid> {
    let cell = |x: usize, y: usize| if Some(x) == wall || y.is_multiple_of(3) && (x + y) % 8 < 3 { '#' } else { '.' };
    let rows: Vec<String> = (0..40).map(|y| (0..width).map(|x| cell(x, y)).collect()).collect();
    Arc::new(grid_of(&rows.iter().map(String::as_str).collect::<Vec<_>>()))
}

/// What follows a search is in its budget, too.
#[test]
fn long_paths_are_straightened_over_several_ticks() {
    let wall = |y: usize| if y % 8 == 3 { format!("{}.", "#".repeat(59)) } else { format!(".{}", "#".repeat(59)) };
    let rows: Vec<String> = (0..400).map(|y| if y % 4 == 3 { wall(y) } else { ".".repeat(60) }).collect();
    let grid = Arc::new(grid_of(&rows.iter().map(String::as_str).collect::<Vec<_>>()));
    let mut navigator = Navigator::new(&level_of(vec![]), grid);
    let request = PathRequest::new(Vec2::splat(8.0), Vec2::new(8.0, 6380.0), walk());
    let now = navigator.find_now(&request);
    assert!(now.points.len() > 200, "{:?}", now.points);
    let ticks_of = |navigator: &mut Navigator, budget: u32, is_smooth: bool| {
        navigator.request(key(1), PathRequest { is_smooth, ..request.clone() });
        let n_ticks = (1..10_000_u32).find_map(|n| {
            let answer = navigator.tick(budget).pop()?.1;
            assert!(!is_smooth || answer.points == now.points);
            Some(n)
        });
        n_ticks.unwrap()
    };
    let [rough, smooth] = [false, true].map(|is_smooth| ticks_of(&mut navigator, 1000, is_smooth));
    assert!(smooth > rough + 2, "{smooth} ticks, {rough} without");
    assert_eq!(ticks_of(&mut navigator, 100_000, true), 1);
}

#[test]
fn searches_for_what_blocks_several_paths_find_the_links_of_ledges_once() {
    let grid = steps(52, Some(26));
    let on = Ground::Ledges(Arc::new(jumper()));
    let navigator = |has_body: bool| {
        let mut navigator = Navigator::new(&level_of(vec![]), grid.clone());
        let body = Convex::rect(Vec2::new(256.0, 300.0), Vec2::new(272.0, 316.0));
        navigator.set_bodies(BTreeMap::from_iter(has_body.then_some(((key(99), 0), body))));
        navigator
    };
    let n_ticks = |navigator: &mut Navigator, ways: &[[f32; 2]]| {
        for (i, [from, to]) in (1..).zip(ways) {
            let request = PathRequest::new(Vec2::new(*from, 616.0), Vec2::new(*to, 40.0), walk());
            navigator.request(key(i), PathRequest { on: on.clone(), ..request });
        }
        let mut n_answers = 0;
        let is_unconnected =
            |answer: &Answer| answer.no_path.is_some_and(|why| why.reason == NoPathReason::Unconnected);
        let n_ticks = (1..1000_u32).find(|_| {
            let answers = navigator.tick(400);
            assert!(answers.iter().all(|(_, answer)| is_unconnected(answer)));
            n_answers += answers.len();
            n_answers == ways.len()
        });
        n_ticks.unwrap()
    };
    let to_right = |n: u8| -> Vec<[f32; 2]> { (0..n).map(|i| [24.0 + f32::from(i), 688.0]).collect() };
    let one = n_ticks(&mut navigator(true), &to_right(1));
    let four = n_ticks(&mut navigator(true), &to_right(4));
    assert!(one > 10 && four < one + one / 4, "{one} and {four}");
    // The way back begins where no search has been yet: what it finds holds without the body, too.
    let back = [[712.0, 100.0]];
    let [alone, after] = [false, true].map(|has_body| {
        let mut navigator = navigator(has_body);
        _ = n_ticks(&mut navigator, &to_right(1));
        n_ticks(&mut navigator, &back)
    });
    assert!(alone > 10 && after < alone + alone / 4, "{alone} and {after}");
}

#[test]
fn answers_do_not_depend_on_what_is_known_without_bodies() {
    let mut n_failed = 0;
    for seed in 0..3 {
        let mut chance = Stream::new(seed, "platforms");
        let mut rows = platforms(&mut chance, 50, 24, 8);
        rows[23].fill('#');
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        let grid = Arc::new(grid_of(&rows.iter().map(String::as_str).collect::<Vec<_>>()));
        let mut place = || Vec2::new(chance.range(8.0, 780.0) as f32, chance.range(8.0, 370.0) as f32);
        let bodies: BTreeMap<_, _> = (0..6).map(|n| place_body(place(), n)).collect();
        let made = || {
            let mut navigator = Navigator::new(&level_of(vec![]), grid.clone());
            navigator.set_bodies(bodies.clone());
            navigator
        };
        let mut shared = made();
        for _ in 0..12 {
            let request = PathRequest::new(place(), place(), walk());
            let request = PathRequest { on: Ground::Ledges(Arc::new(jumper())), ..request };
            let (known, fresh) = (shared.find_now(&request), made().find_now(&request));
            let of = |answer: &Answer| (answer.found, answer.cost, answer.points.clone(), answer.no_path);
            assert_eq!(of(&known), of(&fresh), "{seed}: {request:?}");
            n_failed += usize::from(!known.found);
        }
    }
    assert!(n_failed > 6, "{n_failed}");
}

/// A crate, or a door from the ceiling to the floor.
fn place_body(at: Vec2, n: u64) -> ((EntityKey, usize), Convex) {
    let body = Convex::rect(at, at + Vec2::new(16.0, 32.0));
    let door = Convex::rect(Vec2::new(at.x, 0.0), Vec2::new(at.x + 8.0, 384.0));
    ((key(100 + n), 0), if n.is_multiple_of(3) { door } else { body })
}

/// Air, 24 rows high, with `n` platforms of at most `longest` cells.
fn platforms(chance: &mut Stream, width: usize, n: u32, longest: u64) -> Vec<Vec<char>> {
    let mut rows = vec![vec!['.'; width]; 24];
    for _ in 0..n {
        let (x, y, n) = (chance.below(width as u64 - 4), 2 + chance.below(20), 1 + chance.below(longest));
        (x..(x + n).min(width as u64)).for_each(|x| rows[y as usize][x as usize] = '#');
    }
    rows
}

#[test]
fn a_weight_bounds_what_a_path_over_ledges_costs() {
    let mut n_found = 0;
    for seed in 0..12 {
        let mut chance = Stream::new(seed, "platforms");
        let mut rows = platforms(&mut chance, 70, 60, 7);
        rows[23].fill('#');
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut navigator = Navigator::new(&level_of(vec![]), Arc::new(grid_of(&rows)));
        let on = Ground::Ledges(Arc::new(jumper()));
        for _ in 0..4 {
            let [from, to] =
                [(); 2].map(|()| Vec2::new(chance.range(8.0, 1100.0) as f32, chance.range(8.0, 350.0) as f32));
            let request = PathRequest { on: on.clone(), goals_move: true, ..PathRequest::new(from, to, walk()) };
            let cheapest = navigator.find_now(&request);
            for weight in [1.5, 3.0, 10.0, 1e9] {
                let found = navigator.find_now(&PathRequest { weight, ..request.clone() });
                assert_eq!(found.found, cheapest.found, "{seed}: {from} to {to}");
                let most = weight.min(10.0) * cheapest.cost + 1e-3;
                assert!(found.cost <= most, "{seed}: {} by weight {weight}, not {}", found.cost, cheapest.cost);
            }
            n_found += usize::from(cheapest.found && cheapest.legs.len() > 2);
        }
    }
    assert!(n_found > 8, "{n_found}");
}

#[test]
fn links_over_ledges_lead_where_the_walker_gets_and_nowhere_else() {
    let (mut n_one_way, mut n_apart) = (0, 0);
    for seed in 0..12 {
        let mut chance = Stream::new(seed, "platforms");
        let mut rows = platforms(&mut chance, 60, 20, 12);
        (0..chance.below(60)).for_each(|x| rows[23][x as usize] = '#');
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let grid = Arc::new(grid_of(&rows));
        let suggested = suggest_on_platforms(&grid, 6.0, 5);
        let LedgeNetwork { places, links } = ledge_network(&grid, &jumper(), &suggested).unwrap();
        assert_eq!(places, suggested, "there is room for it everywhere");
        let mut navigator = Navigator::new(&level_of(vec![]), grid);
        let on = Ground::Ledges(Arc::new(jumper()));
        let mut to: Vec<Vec<usize>> = vec![Vec::new(); places.len()];
        for link in &links {
            let both = [link.ends, [link.ends[1], link.ends[0]]];
            for [a, b] in both.into_iter().take(if link.one_way { 1 } else { 2 }) {
                to[a].push(b);
                let request = PathRequest { on: on.clone(), ..PathRequest::new(places[a], places[b], walk()) };
                let found = navigator.find_now(&request);
                assert!(found.found, "{seed}: {} to {}: {:?}", places[a], places[b], found.no_path);
            }
            n_one_way += usize::from(link.one_way);
        }
        for a in 0..places.len() {
            let mut linked = BTreeSet::from([a]);
            let mut open = vec![a];
            while let Some(at) = open.pop() {
                open.extend(to[at].iter().copied().filter(|next| linked.insert(*next)));
            }
            let reached = navigator.reaches_over_ledges(&jumper(), places[a], &places);
            for b in 0..places.len() {
                assert_eq!(linked.contains(&b), reached[b], "{seed}: {} to {}", places[a], places[b]);
                n_apart += usize::from(!reached[b]);
            }
        }
        assert!(links.len() <= 3 * places.len(), "{seed}: {} links for {}", links.len(), places.len());
    }
    assert!(n_one_way > 10 && n_apart > 10, "{n_one_way} {n_apart}");
}

#[test]
fn suggested_waypoints_are_where_a_wide_walker_has_room() {
    let grid = Arc::new(grid_of(&["#..........#", "#..........#", "#......#...#", "#......#...#", "############"]));
    let suggested = suggest_on_platforms(&grid, 6.0, 8);
    for (width, xs) in [(12.0, [24.0, 104.0, 136.0, 168.0]), (28.0, [30.0, 98.0, 142.0, 162.0])] {
        let (lo, hi) = (Vec2::new(-width / 2.0, -8.0), Vec2::new(width / 2.0, 8.0));
        let walker = Walker { lo, hi, foot_radius: 0.0, ..jumper() };
        let LedgeNetwork { places, links } = ledge_network(&grid, &walker, &suggested).unwrap();
        let on_ground = places.iter().filter(|place| place.y > 48.0).map(|place| place.x);
        let is_there = |(x, wanted): (f32, f32)| (x - wanted).abs() <= if width > 16.0 { 2.0 } else { 0.0 };
        assert!(on_ground.clone().count() == 4 && on_ground.zip(xs).all(is_there), "{width} px: {places:?}");
        assert!(links.iter().any(|link| link.ends.iter().all(|i| places[*i].y > 48.0)));
    }
    // One that moves is left out where another is already, on either side.
    for rows in [["#..", "#..", "###"], ["..#", "..#", "###"]] {
        let grid = Arc::new(grid_of(&rows));
        let suggested = suggest_on_platforms(&grid, 6.0, 8);
        let walker = Walker { lo: Vec2::new(-22.0, -8.0), hi: Vec2::new(22.0, 8.0), foot_radius: 0.0, ..jumper() };
        let LedgeNetwork { places, .. } = ledge_network(&grid, &walker, &suggested).unwrap();
        let is_apart = |[a, b]: [Vec2; 2]| a.distance(b) >= 8.0;
        assert!(places.windows(2).all(|it| is_apart([it[0], it[1]])), "{rows:?}: {places:?}");
    }
    // In a niche both ends become one.
    let grid = Arc::new(grid_of(&["#..#", "#..#", "####"]));
    let suggested = suggest_on_platforms(&grid, 6.0, 8);
    let walker = Walker { lo: Vec2::new(-15.0, -8.0), hi: Vec2::new(15.0, 8.0), foot_radius: 0.0, ..jumper() };
    let niche = ledge_network(&grid, &walker, &suggested).unwrap().places;
    assert_eq!((suggested.len(), niche.len()), (2, 1), "{niche:?}");
}

#[test]
fn a_short_search_behind_many_long_ones_does_not_wait_for_them() {
    let row = |y: usize| match y % 4 {
        2 => "#".repeat(79) + ".",
        0 if y > 0 => ".".to_owned() + &"#".repeat(79),
        _ => ".".repeat(80),
    };
    let rows: Vec<String> = (0..80).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut navigator = Navigator::new(&level_of(vec![]), Arc::new(grid_of(&rows)));
    let from = Vec2::new(8.0, 8.0);
    for n in 1..61 {
        navigator.request(key(n), PathRequest::new(from, Vec2::new(8.0, 79.0 * 16.0 + 8.0), walk()));
    }
    navigator.request(key(61), PathRequest::new(from, Vec2::new(40.0, 8.0), walk()));
    let mut twin = navigator.clone();
    let mut answers = Vec::new();
    let n_ticks = (1..100).find(|_| {
        answers.extend(navigator.tick(400));
        answers.iter().any(|(it, _)| *it == key(61))
    });
    assert!(n_ticks.is_some_and(|n| n <= 25), "{n_ticks:?}");
    (0..5000).for_each(|_| answers.extend(navigator.tick(400)));
    let keys: BTreeSet<EntityKey> = answers.iter().map(|(key, _)| *key).collect();
    assert_eq!((answers.len(), keys.len()), (61, 61), "one answer each");
    assert!(answers.iter().all(|(_, answer)| answer.found));
    let again: Vec<_> = (0..5100).flat_map(|_| twin.tick(400)).collect();
    assert_eq!(answers, again, "a copy goes on alike");
}
