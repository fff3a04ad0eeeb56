//! How wide agents are: blocks of cells, shapes along the way, bodies that stand there, and why there is no path.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec2;
use levelwright::{
    model::{Layer, LayerContent, Level, Link, LinkBy, Node, Tile, TileDef, TileShape, WaypointGraph},
    sim::{
        EntityKey,
        grid::{GridChange, SolidGrid},
        nav::{Agent, Answer, Floor, GridMap, GridQuery, GridSearcher, Ground, Navigator, NoPathReason, PathRequest},
        physics::convex::Convex,
        random::Stream,
    },
};
use proptest::prelude::*;

use crate::cases::cases;
use crate::grid::{MUD, STONE, level_of, tiles, tileset};

const SLOPE: u32 = 3;
/// Solid in its lower half.
const HALF: u32 = 6;
/// Solid in its upper half.
const UPPER_HALF: u32 = 7;

fn agent(radius: f32) -> Agent {
    Agent { radius, ..Agent::point("walk") }
}

fn level(rows: &[&str]) -> Level {
    let mut level = level_of(vec![tiles(rows)]);
    level.size = Some([rows[0].len() as u32, rows.len() as u32]);
    level
}

fn solid(level: &Level) -> Arc<SolidGrid> {
    let set = tileset();
    Arc::new(SolidGrid::new(level, |_| Some(&set)))
}

fn navigator(rows: &[&str]) -> Navigator {
    let level = level(rows);
    Navigator::new(&level, solid(&level))
}

fn key(n: u64) -> EntityKey {
    slotmap::KeyData::from_ffi(1 << 32 | n).into()
}

/// From the middle of one cell to that of another.
fn ask(navigator: &mut Navigator, radius: f32, from: [u8; 2], to: [u8; 2]) -> Answer {
    let middle = |[x, y]: [u8; 2]| Vec2::new(f32::from(x), f32::from(y)) * 16.0 + 8.0;
    let request = PathRequest { is_smooth: false, ..PathRequest::new(middle(from), middle(to), agent(radius)) };
    navigator.find_now(&request)
}

/// A narrow door in the middle and a wide one below.
const DOORS: [&str; 9] = [
    ".....#.....",
    ".....#.....",
    "...........",
    ".....#.....",
    ".....#.....",
    "...........",
    "...........",
    "...........",
    ".....#.....",
];

#[test]
fn a_wide_agent_takes_the_wide_door() {
    let mut navigator = navigator(&DOORS);
    let lowest = |answer: &Answer| answer.points.iter().map(|p| p.y).fold(0.0, f32::max);
    let narrow = ask(&mut navigator, 8.0, [1, 2], [9, 2]);
    assert!(narrow.found && lowest(&narrow) == 40.0, "as wide as the door: {narrow:?}");
    let wide = ask(&mut navigator, 14.0, [1, 2], [9, 2]);
    assert!(wide.found && lowest(&wide) >= 96.0, "{wide:?}");
    let floor = navigator.floor();
    assert!(wide.points.windows(2).all(|pair| floor.is_clear(pair[0], pair[1], 14.0)), "{wide:?}");
    // 48 px are three cells.
    assert!(ask(&mut navigator, 24.0, [1, 6], [9, 6]).found);
    let too_wide = ask(&mut navigator, 25.0, [1, 6], [9, 6]);
    let why = too_wide.no_path.unwrap();
    assert_eq!(why.reason, NoPathReason::TooNarrow);
}

#[test]
fn no_path_says_why_and_where() {
    let mut shut = navigator(&["..#..#.", "..#....", "..#..#.", "..#..#."]);
    let reason = |answer: Answer| answer.no_path.map(|why| (why.reason, why.at.as_ivec2().to_array()));
    assert_eq!(reason(ask(&mut shut, 4.0, [0, 0], [4, 0])), Some((NoPathReason::Unconnected, [72, 8])));
    assert_eq!(reason(ask(&mut shut, 4.0, [3, 0], [99, 0])), Some((NoPathReason::Outside, [1592, 8])));
    assert_eq!(reason(ask(&mut shut, 4.0, [3, 0], [6, 1])), None);
    // The door is one cell high; what is wider does not get past its near side.
    let (reason, at) = reason(ask(&mut shut, 12.0, [3, 1], [6, 1])).unwrap();
    assert_eq!(reason, NoPathReason::TooNarrow);
    assert!((70..=104).contains(&at[0]) && (8..=40).contains(&at[1]), "{at:?}");
    let mut deep = navigator(&["......", ".####.", ".####.", ".####.", ".####.", "......"]);
    let inside = ask(&mut deep, 4.0, [0, 0], [2, 2]).no_path.unwrap();
    assert_eq!(inside.reason, NoPathReason::Wall, "an open cell is within one of the goal at most: {inside:?}");
}

/// A navigator of a level in which `_` is solid in its lower half, and `^` in its upper half.
fn with_halves(rows: &[&str]) -> Navigator {
    let mut set = tileset();
    let mut layer = tiles(rows);
    for (id, letter, top) in [(HALF, '_', 8.0), (UPPER_HALF, '^', 0.0)] {
        let side = vec![[0.0, top], [16.0, top], [16.0, top + 8.0], [0.0, top + 8.0]];
        let half = TileDef { name: "half".into(), shape: TileShape::Polygon(side), ..TileDef::default() };
        set.tiles.insert(id, half);
        for (y, row) in (0..).zip(rows) {
            let of_it = (0..).zip(row.chars()).filter(|(_, c)| *c == letter);
            of_it.for_each(|(x, _)| _ = layer.set([x, y], Tile::id_only(id)));
        }
    }
    let mut level = level_of(vec![layer]);
    level.size = Some([rows[0].len() as u32, rows.len() as u32]);
    Navigator::new(&level, Arc::new(SolidGrid::new(&level, |_| Some(&set))))
}

#[test]
fn a_gap_that_no_path_over_cells_leads_through_is_too_narrow() {
    // 8 px are left above the half tile in the door, whose middle is solid.
    let mut door = with_halves(&[".....#.....", "....._.....", ".....#....."]);
    for radius in [5.0, 6.0, 10.0] {
        for [from, to] in [[[1, 1], [9, 1]], [[9, 1], [1, 1]]] {
            let why = ask(&mut door, radius, from, to).no_path.unwrap();
            assert_eq!(
                (why.reason, why.at),
                (NoPathReason::TooNarrow, Vec2::new(88.0, 20.0)),
                "{radius} from {from:?}"
            );
            assert!(door.floor().is_clear(why.at, why.at, 3.9), "in the middle of the gap");
        }
    }
    // In parts, with the same answer.
    let middle = |x: f32| Vec2::new(x * 16.0 + 8.0, 24.0);
    let request = PathRequest::new(middle(1.0), middle(9.0), agent(6.0));
    let at_once = door.find_now(&request);
    door.request(key(1), request);
    let ticks = (1..1000).find_map(|n| door.tick(20).pop().map(|(_, answer)| (n, answer)));
    let (n, answer) = ticks.unwrap();
    assert!(n > 2 && answer == at_once, "{n} ticks: {answer:?}");
    // Halves that close the level from side to side are a wall.
    let mut wall = with_halves(&["......", "______", "......"]);
    for goal in [[4, 2], [2, 2], [4, 2]] {
        let why = ask(&mut wall, 6.0, [1, 0], goal).no_path.unwrap();
        let goal = Vec2::new(f32::from(goal[0]), f32::from(goal[1])) * 16.0 + 8.0;
        assert_eq!((why.reason, why.at), (NoPathReason::Unconnected, goal));
    }
}

#[test]
fn a_narrow_passage_is_named_in_its_middle_whatever_side_the_path_keeps_to() {
    // 24 px above or below a half tile; 16 px between two, not in line with the cells.
    let rows = |door: [&str; 4]| door.map(|cell| format!(".....{cell}....."));
    for (door, middle, width) in
        [(["#", ".", "_", "#"], 28.0, 24.0), (["#", "^", ".", "#"], 36.0, 24.0), (["#", "^", "_", "#"], 32.0, 16.0)]
    {
        let rows = rows(door);
        let mut navigator = with_halves(&rows.each_ref().map(String::as_str));
        for radius in [10.0, 14.0] {
            for [from, to] in [[[1, 1], [9, 1]], [[9, 2], [1, 2]]] {
                let why = ask(&mut navigator, radius, from, to).no_path.unwrap();
                assert_eq!(why.reason, NoPathReason::TooNarrow, "{door:?}");
                assert!((80.0..=96.0).contains(&why.at.x) && (why.at.y - middle).abs() < 0.1, "{door:?}: {why:?}");
                let floor = navigator.floor();
                let fits = |width: f32| floor.is_clear(why.at, why.at, width / 2.0);
                assert!(fits(width - 0.1) && !fits(width + 0.1), "{door:?}: {why:?}");
            }
        }
    }
}

#[test]
fn a_vain_search_for_gaps_is_remembered_until_the_floor_changes() {
    // Halves close the level from side to side; each search for a gap has to look at one side of them.
    let rows: Vec<String> = (0..41).map(|y| if y == 20 { "_" } else { "." }.repeat(40)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut navigator = with_halves(&rows);
    let request = |goal: [u8; 2]| {
        let [from, to] = [[1, 1], goal].map(|[x, y]: [u8; 2]| Vec2::new(f32::from(x), f32::from(y)) * 16.0 + 8.0);
        PathRequest::new(from, to, agent(6.0))
    };
    let n_ticks = |navigator: &mut Navigator, goal: [u8; 2]| {
        navigator.request(key(1), request(goal));
        let answered = (1..1000).find_map(|n| navigator.tick(100).pop().map(|(_, answer)| (n, answer)));
        let (n, answer) = answered.unwrap();
        assert_eq!(answer, with_halves(&rows).find_now(&request(goal)), "{goal:?}");
        n
    };
    assert!(n_ticks(&mut navigator, [35, 35]) > 10);
    assert!(n_ticks(&mut navigator, [20, 30]) < 3, "from the same side, to another place on the other");
    let crate_ = Convex::rect(Vec2::new(160.0, 160.0), Vec2::new(170.0, 170.0));
    navigator.set_bodies([((key(1), 0), crate_)].into());
    navigator.set_bodies(BTreeMap::new());
    assert!(n_ticks(&mut navigator, [35, 35]) > 10, "as gaps may have opened");
}

#[test]
fn of_two_doors_that_are_too_narrow_the_wider_one_is_named() {
    // An agent three cells wide: a door of one cell is on the straight way, one of two cells farther away.
    let mut rows = ["......#......"; 12];
    (rows[3], rows[8], rows[9]) = (".............", ".............", ".............");
    let mut navigator = navigator(&rows);
    for [from, to] in [[[2, 3], [10, 3]], [[10, 3], [2, 3]]] {
        let why = ask(&mut navigator, 20.0, from, to).no_path.unwrap();
        assert_eq!(why.reason, NoPathReason::TooNarrow);
        assert!((96.0..112.0).contains(&why.at.x) && (128.0..160.0).contains(&why.at.y), "{why:?} from {from:?}");
    }
}

#[test]
fn of_two_doors_on_the_way_the_first_is_named() {
    // Both stand ajar, and the second leaves less room; between them the agent fits in.
    let mut navigator = navigator(&["###########", "...........", "###########"]);
    let door = |x: f32, y: f32| Convex::rect(Vec2::new(x, 16.0), Vec2::new(x + 4.0, y));
    navigator.set_bodies([((key(1), 0), door(48.0, 21.0)), ((key(2), 0), door(80.0, 23.0))].into());
    for (ends, x) in [([[0, 1], [10, 1]], 50.0), ([[10, 1], [0, 1]], 82.0)] {
        let why = ask(&mut navigator, 6.0, ends[0], ends[1]).no_path.unwrap();
        assert_eq!(why.reason, NoPathReason::TooNarrow);
        assert!((why.at.x - x).abs() < 10.0, "{why:?} from {ends:?}");
    }
}

#[test]
fn finding_out_why_there_is_no_path_takes_its_turns() {
    // A comb: what is narrow has to go all the way through it, and the last gap is too narrow for what is wide.
    let rows: Vec<String> = (0..120)
        .map(|y| match (y % 6, y) {
            (0, 114) => format!(".{}", "#".repeat(59)),
            (0, y) if y > 0 => {
                if y % 12 == 0 {
                    format!("...{}", "#".repeat(57))
                } else {
                    format!("{}...", "#".repeat(57))
                }
            }
            _ => ".".repeat(60),
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut navigator = navigator(&rows);
    let request = |radius| PathRequest {
        turn_penalty: 0.1,
        ..PathRequest::new(Vec2::new(24.0, 24.0), Vec2::new(500.0, 1880.0), agent(radius))
    };
    let thin = navigator.find_now(&request(0.0));
    assert!(thin.found && thin.stats.expanded > 3000, "{}", thin.stats.expanded);
    navigator.request(key(1), request(14.0));
    let budget = 100;
    let n_ticks = (1..1000).find(|_| !navigator.tick(budget).is_empty());
    assert!(n_ticks.is_some_and(|n| n > 30), "as much work as looking for the path: {n_ticks:?}");
    let why = navigator.find_now(&request(14.0)).no_path.unwrap();
    assert_eq!(why.reason, NoPathReason::TooNarrow);
    assert!((1790.0..1870.0).contains(&why.at.y), "at the last gap: {why:?}");
}

#[test]
fn what_is_solid_in_part_counts_by_its_shape() {
    // A slope fills the lower right half of the only cell of the passage.
    let rows = ["..#..", "../..", "..#.."];
    let mut slope = navigator(&rows);
    assert!(!ask(&mut slope, 6.0, [0, 1], [4, 1]).found);
    assert!(!ask(&mut slope, 0.0, [0, 1], [4, 1]).found, "nor through the middle of a slope without any width");
    // A cell from which the way on is closed by a slope beside it is open all the same.
    let beside = ["....", "./..", "...."];
    let mut free = navigator(&beside);
    assert!(ask(&mut free, 6.0, [0, 0], [3, 0]).found);
    assert!(ask(&mut free, 8.0, [0, 0], [0, 2]).found);
}

#[test]
fn a_goal_that_closes_the_way_is_reached_on_the_side_from_which_an_agent_comes() {
    // A chest in the middle of a corridor that it closes for who is wide.
    let mut navigator = navigator(&["............"; 3]);
    let (lo, hi) = (Vec2::new(96.0, 16.0), Vec2::new(112.0, 32.0));
    navigator.set_bodies([((key(1), 0), Convex::rect(lo, hi))].into());
    for (from, beside) in [([1, 1], 0.0..96.0), ([10, 1], 112.0..192.0)] {
        let answer = ask(&mut navigator, 14.0, from, [6, 1]);
        let end = answer.points.last().map(|at| at.x);
        assert!(answer.found && end.is_some_and(|x| beside.contains(&x)), "{from:?}: {end:?} {:?}", answer.no_path);
    }
}

#[test]
fn bodies_that_stand_there_close_the_way_until_they_are_gone() {
    let mut navigator = navigator(&["..#..", ".....", "..#.."]);
    let door = |x: f32| Convex::rect(Vec2::new(x, 16.0), Vec2::new(x + 12.0, 32.0));
    assert!(ask(&mut navigator, 6.0, [0, 1], [4, 1]).found);
    navigator.set_bodies([((key(1), 0), door(34.0))].into());
    let shut = ask(&mut navigator, 6.0, [0, 1], [4, 1]);
    assert!(!shut.found && shut.no_path.unwrap().reason == NoPathReason::Unconnected, "{shut:?}");
    let revision = navigator.revision();
    navigator.set_bodies([((key(1), 0), door(34.0))].into());
    assert_eq!(navigator.revision(), revision, "nothing changed");
    navigator.set_bodies(BTreeMap::new());
    assert!(navigator.revision() > revision && ask(&mut navigator, 6.0, [0, 1], [4, 1]).found);
}

#[test]
fn what_closes_a_way_is_found_again_as_bodies_and_tiles_change() {
    let rows = [".....#.....", "...........", ".....#.....", "...........", ".....#....."];
    let mut level = level(&rows);
    let mut navigator = Navigator::new(&level, solid(&level));
    let doors = |x: f32| -> BTreeMap<_, _> {
        let door = |n: u64, y: f32| ((key(n), 0), Convex::rect(Vec2::new(x, y), Vec2::new(x + 8.0, y + 16.0)));
        [door(1, 16.0), door(2, 48.0)].into()
    };
    let place = |navigator: &mut Navigator| ask(navigator, 6.0, [0, 1], [10, 1]).no_path.unwrap().at;
    for x in [82.0, 84.0, 86.0, 82.0] {
        navigator.set_bodies(doors(x));
        let at = place(&mut navigator);
        assert!((at.x - x).abs() <= 2.0 && at.y == 24.0, "{at} for a door at {x}");
    }
    // The nearer one is walled up, then both.
    for (cells, y) in [(vec![[5, 1]], 56.0), (vec![[5, 1], [5, 3]], 24.0)] {
        let mut layer = tiles(&rows);
        cells.iter().for_each(|cell| _ = layer.set(*cell, Tile::id_only(STONE)));
        level.layers = level_of(vec![layer]).layers;
        navigator.update(&level, solid(&level), &GridChange::All);
        let at = place(&mut navigator);
        assert_eq!(at.y, y, "{at}: the other door, then the goal, which no door keeps it from");
    }
}

#[test]
fn looking_for_what_closes_a_way_takes_no_copy_of_a_map() {
    // 10 000 cells, of which a door covers one or two.
    let row = |i: usize| if i == 50 { ".".repeat(100) } else { format!("{}#{}", ".".repeat(50), ".".repeat(49)) };
    let rows: Vec<String> = (0..100).map(row).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut navigator = navigator(&rows);
    let at = |x: f32| Convex::rect(Vec2::new(x, 800.0), Vec2::new(x + 8.0, 816.0));
    let request = |to: f32| PathRequest::new(Vec2::new(24.0, 808.0), Vec2::new(to, 808.0), agent(4.0));
    // How long a short way has to wait after one that a door closes.
    let mut n_ticks = |x: f32| {
        navigator.set_bodies([((key(1), 0), at(x))].into());
        navigator.request(key(1), request(1500.0));
        let closed = (0..100).find(|_| !navigator.tick(40).is_empty()).unwrap();
        navigator.request(key(2), request(80.0));
        closed + (0..100).find(|_| !navigator.tick(40).is_empty()).unwrap()
    };
    let first = n_ticks(802.0);
    let next = [804.0, 806.0].map(&mut n_ticks);
    assert!(first <= 3 && next.into_iter().all(|n| n <= first), "{first}, then {next:?}");
}

#[test]
fn a_goal_within_a_body_is_reached_beside_it_and_nothing_snaps_through_a_door() {
    let mut navigator =
        navigator(&["..........", "..........", "..........", "..........", "..........", ".........."]);
    let house = Convex::rect(Vec2::new(80.0, 0.0), Vec2::new(160.0, 80.0));
    navigator.set_bodies([((key(1), 0), house)].into());
    let answer = ask(&mut navigator, 4.0, [0, 1], [7, 2]);
    assert!(answer.found && answer.points.last().is_some_and(|end| end.x < 80.0 || end.y > 80.0), "{answer:?}");
    // An agent that stands below a door in the middle of its cell begins below it.
    let door = Convex::rect(Vec2::new(0.0, 38.0), Vec2::new(160.0, 42.0));
    navigator.set_bodies([((key(1), 0), door)].into());
    let request = PathRequest::new(Vec2::new(24.0, 46.0), Vec2::new(120.0, 88.0), agent(2.0));
    assert!(navigator.find_now(&request).found, "{:?}", navigator.find_now(&request));
}

/// A navigator of a level whose corners may be cut; `half` of its cells are solid in their left top half.
fn cutting(rows: &[&str], half: &[[i32; 2]]) -> Navigator {
    let mut layer = tiles(rows);
    for cell in half {
        layer.set(*cell, Tile::id_only(SLOPE));
    }
    let mut level = level_of(vec![layer]);
    (level.size, level.corner_cutting) = (Some([rows[0].len() as u32, rows.len() as u32]), true);
    Navigator::new(&level, solid(&level))
}

#[test]
fn who_cuts_a_corner_goes_around_it() {
    let rows = ["......", "..#...", "..##..", "......"];
    for radius in [0.0, 3.0, 7.5] {
        let mut navigator = cutting(&rows, &[]);
        let middle = |x: f32, y: f32| Vec2::new(x, y) * 16.0 + 8.0;
        let request = PathRequest::new(middle(1.0, 2.0), middle(3.0, 1.0), agent(radius));
        let answer = navigator.find_now(&request);
        assert!(answer.found, "{radius}");
        for pair in answer.points.windows(2) {
            assert!(navigator.floor().is_clear(pair[0], pair[1], radius), "{radius}: {:?}", answer.points);
        }
    }
}

fn graph(nodes: &[[f64; 2]], links: &[(usize, usize)]) -> WaypointGraph {
    let name = |i: usize| format!("n{i}").into();
    let nodes = nodes.iter().enumerate().map(|(i, at)| (name(i), Node { at: *at, ..Node::default() }));
    let link = |(from, to): &(usize, usize)| Link {
        from: name(*from),
        to: name(*to),
        cost: None,
        one_way: false,
        by: LinkBy::Hand,
    };
    WaypointGraph {
        nodes: nodes.collect(),
        links: links.iter().map(link).collect(),
        auto_link: false,
        ..WaypointGraph::default()
    }
}

#[test]
fn links_are_for_those_who_fit_through() {
    // By the narrow door from n0 to n1, by the wide one over n2 and n3; n1 to n4 goes through the wall on purpose.
    let mut level = level(&DOORS);
    let nodes = [[24.0, 40.0], [152.0, 40.0], [24.0, 104.0], [152.0, 104.0], [24.0, 8.0]];
    let way = graph(&nodes, &[(0, 1), (0, 2), (2, 3), (3, 1), (4, 1)]);
    level.layers.push(Arc::new(Layer::new("patrol".into(), LayerContent::Waypoints(way))));
    let mut navigator = Navigator::new(&level, solid(&level));
    let go = |navigator: &mut Navigator, radius: f32, from: [f64; 2]| {
        let [from, to] = [from, nodes[1]].map(|[x, y]| Vec2::new(x as f32, y as f32));
        let on = Ground::Waypoints("patrol".into());
        navigator.find_now(&PathRequest { on, ..PathRequest::new(from, to, agent(radius)) })
    };
    assert_eq!(go(&mut navigator, 6.0, nodes[0]).points.len(), 2);
    let wide = go(&mut navigator, 14.0, nodes[0]);
    assert_eq!(wide.points.len(), 4, "{wide:?}");
    let far_too_wide = go(&mut navigator, 25.0, nodes[2]).no_path;
    assert_eq!(far_too_wide.map(|why| why.reason), Some(NoPathReason::TooNarrow));
    assert!(go(&mut navigator, 6.0, nodes[4]).found, "a link through a wall is meant so");
    // A door closes the narrow one.
    let door = Convex::rect(Vec2::new(82.0, 32.0), Vec2::new(94.0, 48.0));
    navigator.set_bodies([((key(1), 0), door)].into());
    assert_eq!(go(&mut navigator, 6.0, nodes[0]).points.len(), 4);
}

#[test]
fn what_is_too_narrow_along_links_is_named_where_it_is() {
    // A wall with a door of one cell.
    let mut level =
        level(&["......#.....", "......#.....", "......#.....", "............", "......#.....", "......#....."]);
    let (west, far_west, east) = ([72.0, 56.0], [24.0, 56.0], [168.0, 56.0]);
    let ways = [("near", graph(&[far_west, west], &[(0, 1)])), ("through", graph(&[far_west, east], &[(0, 1)]))];
    for (name, way) in ways {
        level.layers.push(Arc::new(Layer::new(name.into(), LayerContent::Waypoints(way))));
    }
    let mut navigator = Navigator::new(&level, solid(&level));
    let go = |navigator: &mut Navigator, on: &str, ends: [[f64; 2]; 2]| {
        let [from, to] = ends.map(|[x, y]| Vec2::new(x as f32, y as f32));
        let on = Ground::Waypoints(on.into());
        navigator.find_now(&PathRequest { on, ..PathRequest::new(from, to, agent(12.0)) }).no_path.unwrap()
    };
    // No node is visible from the goal, or the start, by one so wide; or a link leads through the door.
    for (on, ends) in [("near", [far_west, east]), ("near", [east, far_west]), ("through", [far_west, east])] {
        let why = go(&mut navigator, on, ends);
        assert_eq!(why.reason, NoPathReason::TooNarrow, "{on} {ends:?}");
        assert!((96.0..=112.0).contains(&why.at.x) && (why.at.y - 56.0).abs() < 0.1, "{on} {ends:?}: {why:?}");
    }
    // A closed door on a link is named where it stands.
    let door = Convex::rect(Vec2::new(130.0, 20.0), Vec2::new(138.0, 90.0));
    navigator.set_bodies([((key(1), 0), door)].into());
    let ends = [far_west, east].map(|[x, y]| Vec2::new(x as f32, y as f32));
    let request = PathRequest::new(ends[0], ends[1], agent(4.0));
    let why = navigator.find_now(&PathRequest { on: Ground::Waypoints("through".into()), ..request }).no_path.unwrap();
    assert_eq!(why.reason, NoPathReason::Wall);
    assert!((129.0..=139.0).contains(&why.at.x), "{why:?}");
}

proptest! {
    #![proptest_config(cases(60))]

    /// Every step of a found path is one that a body of that size can slide along, and where a search with full
    /// knowledge of every step finds a path, so does this one, as cheap.
    #[test]
    fn paths_are_as_wide_as_who_walks_them(
        seed in any::<u64>(), share in 0..40_u32, radius in 0..30_u32, ends in proptest::array::uniform4(0..20_i32),
        with_bodies in any::<bool>(),
    ) {
        let mut chance = Stream::new(seed, "walls");
        let mut layer = tiles(&[]);
        for [x, y] in (0..20).flat_map(|y| (0..20).map(move |x| [x, y])) {
            if chance.chance(f64::from(share) / 100.0) {
                layer.set([x, y], Tile::id_only([STONE, SLOPE, STONE, MUD][chance.below(4) as usize]));
            }
        }
        let mut level = level_of(vec![layer]);
        level.size = Some([20, 20]);
        let mut navigator = Navigator::new(&level, solid(&level));
        if with_bodies {
            let bodies = (0..6).map(|n| {
                let at = Vec2::new(chance.below(320) as f32, chance.below(320) as f32);
                ((key(n + 1), 0), Convex::rect(at, at + Vec2::new(12.0, 30.0)))
            });
            navigator.set_bodies(bodies.collect());
        }
        let radius = radius as f32 / 2.0;
        let map = navigator.map(&agent(radius)).unwrap();
        let [ax, ay, bx, by] = ends;
        let query = GridQuery::new([ax, ay], [bx, by]);
        let floor = navigator.floor();
        let body = radius.max(0.01);
        let fits = |cell: [i32; 2], next: [i32; 2]| floor.is_clear(map.center(cell), map.center(next), body);
        let found = GridSearcher::default().find(&map, &query);
        // Dijkstra that asks for each step whether the body fits.
        let mut best: BTreeMap<[i32; 2], f64> = BTreeMap::new();
        let mut todo = std::collections::VecDeque::new();
        if map.is_open(query.from) {
            best.insert(query.from, 0.0);
            todo.push_back(query.from);
        }
        while let Some([x, y]) = todo.pop_front() {
            let here = best[&[x, y]];
            for [dx, dy] in [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]] {
                let next = [x + dx, y + dy];
                let free = dx == 0 || dy == 0 || (map.is_open([x + dx, y]) && map.is_open([x, y + dy]));
                let Some(cost) = map.cost(next).filter(|_| free && fits([x, y], next)) else { continue };
                let cost = here + cost * if dx != 0 && dy != 0 { std::f64::consts::SQRT_2 } else { 1.0 };
                if best.get(&next).is_none_or(|known| cost < known - 1e-12) {
                    best.insert(next, cost);
                    todo.push_back(next);
                }
            }
        }
        prop_assert_eq!(found.is_some(), best.contains_key(&query.to[0]));
        if let Some(path) = found {
            prop_assert!((path.cost - best[&query.to[0]]).abs() < 1e-6);
            prop_assert!(path.cells.windows(2).all(|pair| fits(pair[0], pair[1])), "{:?}", path.cells);
        }
    }

    /// Tiles and bodies come and go: the map that follows is the map made anew.
    #[test]
    fn clearance_follows_edits(
        edits in proptest::collection::vec((0..40_i32, 0..40_i32, 0..3_u32), 1..60), seed in any::<u64>(), radius in 0..40_u32,
    ) {
        let set = tileset();
        let mut chance = Stream::new(seed, "walls");
        let mut layer = tiles(&[]);
        for [x, y] in (0..40).flat_map(|y| (0..40).map(move |x| [x, y])) {
            if chance.chance(0.1) {
                layer.set([x, y], Tile::id_only([STONE, SLOPE][chance.below(2) as usize]));
            }
        }
        let mut level = level_of(vec![layer]);
        level.size = Some([40, 40]);
        let mut grid = SolidGrid::new(&level, |_| Some(&set));
        let mut navigator = Navigator::new(&level, Arc::new(grid.clone()));
        let agent = agent(radius as f32 / 2.0);
        prop_assert!(navigator.map(&agent).is_some());
        let mut bodies = BTreeMap::new();
        for (n, (x, y, what)) in edits.into_iter().enumerate() {
            if what == 2 {
                let at = Vec2::new(x as f32 * 16.0, y as f32 * 16.0);
                bodies.insert((key(n as u64 % 7 + 1), 0), Convex::rect(at, at + 20.0));
                navigator.set_bodies(bodies.clone());
                continue;
            }
            let LayerContent::Tiles(layer) = &mut Arc::make_mut(&mut level.layers[0]).content else { panic!() };
            layer.tiles.set([x, y], if what == 0 { Tile::EMPTY } else { Tile::id_only(SLOPE) });
            let change = grid.update(&level, |_| Some(&set));
            if change != GridChange::Nothing {
                navigator.update(&level, Arc::new(grid.clone()), &change);
            }
        }
        let followed = navigator.map(&agent).unwrap();
        let mut anew = Navigator::new(&level, solid(&level));
        anew.set_bodies(bodies);
        let anew = anew.map(&agent).unwrap();
        for _ in 0..20 {
            let [ax, ay, bx, by] = [40, 40, 40, 40].map(|n| chance.below(n) as i32);
            let query = GridQuery::new([ax, ay], [bx, by]);
            let [a, b] = [&followed, &anew].map(|map| GridSearcher::default().find(map, &query).map(|path| path.cells));
            prop_assert_eq!(a, b, "{:?}", query);
        }
    }
}

#[test]
fn a_floor_without_bodies_is_its_tiles() {
    let level = level(&DOORS);
    let floor = Floor::from(solid(&level));
    assert!(!floor.is_clear(Vec2::new(8.0, 8.0), Vec2::new(168.0, 8.0), 2.0));
    assert!(GridMap::new(&floor, &agent(200.0)).is_some_and(|map| !map.is_open([0, 0])), "wider than the level");
}
