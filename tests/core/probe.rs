//! Questions about paths on a level that does not run: who can be asked for, what the cells are colored by.

use std::{collections::BTreeMap, sync::Arc};

use glam::Vec2;
use levelwright::{
    defs::resolve,
    model::{EntityDef, Fields, Ops, Tile, Value},
    sim::{
        EntityKey, PathTuning,
        grid::SolidGrid,
        nav::{Agent, CellField, Colored, Ground, Navigator, PathRequest},
        physics::convex::Convex,
        probe::{Question, Traveler, field, length_of, probe},
        random::Stream,
    },
};
use proptest::prelude::*;

use crate::{
    build::{entities, project},
    cases::cases,
    grid::{MUD, STONE, level_of, tiles, tileset},
};

const SLOPE: u32 = 3;
/// Paths are looked for in the game as the probe does.
const PLAIN: PathTuning = PathTuning { weight: 1.0, turn_penalty: 0.0 };

fn middle([x, y]: [i32; 2]) -> Vec2 {
    Vec2::new(x as f32, y as f32) * 16.0 + 8.0
}

fn question(radius: f32, ends: [[i32; 2]; 2]) -> Question {
    let agent = Agent { radius, ..Agent::point("walk") };
    Question { ends: ends.map(middle), agent, on: Ground::Grid, weight: 1.0, near_px: 0.0, walker: None }
}

/// A level of 12 × 12 cells with walls, slopes, mud and bodies here and there.
fn scattered(seed: u64) -> Navigator {
    let mut chance = Stream::new(seed, "probe");
    let mut layer = tiles(&[]);
    for [x, y] in (0..12).flat_map(|y| (0..12).map(move |x| [x, y])) {
        if chance.chance(0.25) {
            layer.set([x, y], Tile::id_only([STONE, STONE, SLOPE, MUD][chance.below(4) as usize]));
        }
    }
    let mut level = level_of(vec![layer]);
    level.size = Some([12, 12]);
    let set = tileset();
    let mut navigator = Navigator::new(&level, Arc::new(SolidGrid::new(&level, |_| Some(&set))));
    let key = |n: u64| -> EntityKey { slotmap::KeyData::from_ffi(1 << 32 | n).into() };
    let at = Vec2::new(chance.below(190) as f32, chance.below(190) as f32);
    navigator.set_bodies(BTreeMap::from([((key(1), 0), Convex::rect(at, at + Vec2::new(10.0, 20.0)))]));
    navigator
}

fn cells() -> impl Iterator<Item = [i32; 2]> {
    (0..12).flat_map(|y| (0..12).map(move |x| [x, y]))
}

proptest! {
    #![proptest_config(cases(24))]

    /// The colors say what the search says: reached where it finds a path, for what that costs, in one area exactly
    /// then.
    #[test]
    fn colors_agree_with_the_search(seed in any::<u64>(), half in 0..3_u32, from in (0..12_i32, 0..12_i32)) {
        let mut navigator = scattered(seed);
        // One cell wide, or three: a block with a cell in the middle.
        let radius = [0.0, 6.0, 20.0][half as usize];
        let start = [from.0, from.1];
        let ask = |navigator: &mut Navigator, colored| field(navigator, &question(radius, [start, start]), colored);
        let (costs, areas) = (ask(&mut navigator, Colored::Cost).unwrap(), ask(&mut navigator, Colored::Areas).unwrap());
        let open = navigator.map(&question(radius, [start, start]).agent).unwrap();
        let is_open = |cell: [i32; 2]| open.is_open(open.cell_at(middle(cell)));
        for cell in cells() {
            let answer = navigator.find_now(&question(radius, [start, cell]).request());
            prop_assert_eq!(costs.at(cell).is_some(), answer.found, "{:?}", cell);
            if let Some(cost) = costs.at(cell) {
                prop_assert!((f64::from(cost) - answer.cost).abs() < 1e-3 * (1.0 + answer.cost), "{} {}", cost, answer.cost);
            }
            prop_assert_eq!(areas.at(cell).is_some(), is_open(cell));
            if is_open(start) && is_open(cell) {
                prop_assert_eq!(areas.at(start) == areas.at(cell), answer.found, "{:?}", cell);
            }
        }
        prop_assert_eq!(areas.areas.iter().sum::<usize>(), areas.n_cells);
        prop_assert!(areas.areas.is_sorted_by(|a, b| a >= b));
    }

    /// An agent as wide as the clearance fits in the middle of a cell or at one of its corners, and no wider one.
    #[test]
    fn clearance_is_how_wide_an_agent_fits(seed in any::<u64>()) {
        let mut navigator = scattered(seed);
        let start = question(0.0, [[0, 0], [0, 0]]);
        let wide = field(&mut navigator, &start, Colored::Clearance).unwrap();
        let map = navigator.map(&start.agent).unwrap();
        let floor = navigator.floor();
        for cell in cells() {
            prop_assert_eq!(wide.at(cell).is_some(), map.is_open(cell), "{:?}", cell);
            let Some(width) = wide.at(cell) else { continue };
            let radius = width / 2.0;
            let corners = [[-8.0, -8.0], [8.0, -8.0], [-8.0, 8.0], [8.0, 8.0]].map(|by| middle(cell) + Vec2::from(by));
            let fits = |radius: f32| {
                let is_inside = |at: Vec2| at.min(192.0 - at).min_element() >= radius;
                [middle(cell)].into_iter().chain(corners).any(|at| is_inside(at) && floor.is_clear(at, at, radius))
            };
            prop_assert!(fits((radius - 0.01).max(0.0)) && !fits(radius * 1.02 + 0.2), "{:?} {}", cell, width);
        }
    }
}

#[test]
fn a_path_is_shown_as_searched_and_as_followed_with_weight_1_beside_it() {
    let mut level = level_of(vec![tiles(&["........", ".####...", "....#...", "...##...", "........"])]);
    level.size = Some([8, 5]);
    let set = tileset();
    let mut navigator = Navigator::new(&level, Arc::new(SolidGrid::new(&level, |_| Some(&set))));
    let asked = Question { weight: 3.0, ..question(6.0, [[2, 2], [7, 2]]) };
    let found = probe(&mut navigator, &asked, PLAIN);
    assert_eq!(found.searched.points, navigator.find_now(&asked.request()).points, "the command line's answer");
    let cheapest = found.cheapest.unwrap();
    assert!(found.searched.found && cheapest.found && cheapest.cost <= found.searched.cost);
    assert!(!found.searched.closed.is_empty() && cheapest.closed.is_empty(), "what one of both examined is shown");
    assert!(found.shortcut.len() < found.searched.points.len(), "{:?}", found.shortcut);
    assert!(found.shortcut.iter().all(|at| found.searched.points.contains(at)));
    let ends = |points: &[Vec2]| [points[0], points[points.len() - 1]];
    assert_eq!(ends(&found.smooth), ends(&found.searched.points));
    assert!(length_of(&[]).is_sign_positive(), "shown as -0 px");
    assert!(length_of(&found.shortcut) <= length_of(&found.searched.points) + 1e-3);
    assert!(!navigator.keeps_shapes, "as it was");
    let plain = probe(&mut navigator, &question(6.0, [[2, 2], [7, 2]]), PLAIN);
    assert!(plain.cheapest.is_none() && (plain.searched.cost - cheapest.cost).abs() < 1e-9);
    // As followed is as the game is tuned, whatever the probe's weight.
    let tuned = PathTuning { weight: 1.0, turn_penalty: 4.0 };
    let game = PathRequest { turn_penalty: 4.0, is_smooth: true, weight: 1.0, ..asked.request() };
    let followed = probe(&mut navigator, &asked, tuned);
    assert_eq!(followed.smooth, navigator.find_now(&game).points);
    assert_eq!(followed.searched.points, found.searched.points);
    let none = probe(&mut navigator, &question(6.0, [[2, 2], [3, 1]]), PLAIN);
    assert!(!none.searched.found && none.smooth.is_empty() && none.searched.no_path.is_some());
}

#[test]
fn a_level_without_cells_has_no_colors_and_its_edge_bounds_what_fits() {
    let mut level = level_of(vec![tiles(&["..."])]);
    level.size = Some([3, 1]);
    let set = tileset();
    let mut navigator = Navigator::new(&level, Arc::new(SolidGrid::new(&level, |_| Some(&set))));
    let wide = field(&mut navigator, &question(0.0, [[0, 0], [0, 0]]), Colored::Clearance).unwrap();
    assert_eq!(wide.at([1, 0]), Some(16.0));
    assert_eq!((wide.at([3, 0]), wide.at([0, -1]), wide.at([i32::MAX, i32::MIN])), (None, None, None));
    assert!(
        field(&mut navigator, &question(40.0, [[0, 0], [0, 0]]), Colored::Areas).is_none(),
        "no block of cells fits"
    );
    let outside: Option<CellField> = field(&mut navigator, &question(0.0, [[-5, 0], [0, 0]]), Colored::Cost);
    assert_eq!(outside.unwrap().n_cells, 0);
}

#[test]
fn travelers_are_definitions_that_walk_fly_or_have_an_agent_and_kinds_that_are_known() {
    let agent = |kind: &str, radius: f64| EntityDef {
        ops: Ops {
            set: [(
                "Agent".into(),
                Fields::from_iter([("kind".into(), Value::from(kind)), ("radius".into(), Value::from(radius))]),
            )]
            .into_iter()
            .collect(),
            ..Ops::default()
        },
        ..EntityDef::default()
    };
    let abstract_one = EntityDef { is_abstract: true, ..agent("walk", 3.0) };
    let walks = [("Walker".into(), Fields::default()), ("Collider".into(), Fields::default())];
    let squire = EntityDef { ops: Ops { set: walks.into_iter().collect(), ..Ops::default() }, ..EntityDef::default() };
    let all =
        [("rat", agent("crawl", 3.0)), ("coin", EntityDef::default()), ("beast", abstract_one), ("squire", squire)];
    let defs = entities(all);
    let project = project([("entities/all.ron", defs)]);
    let resolution = resolve(&project, &crate::check::builtin(), None);
    let all = Traveler::all(&project, &resolution);
    let names: Vec<(&str, bool)> = all.iter().map(|it| (&*it.name, it.is_definition)).collect();
    assert_eq!(names, [("rat", true), ("squire", true), ("crawl", false), ("walk", false)]);
    let rat = Traveler::named(&project, &resolution, "rat").unwrap();
    assert_eq!(rat.agent, Agent { radius: 3.0, ..Agent::point("crawl") });
    let squire = Traveler::named(&project, &resolution, "squire").unwrap();
    assert_eq!((&*squire.agent.kind, squire.is_walker), ("walk", true));
    assert!(squire.agent.radius >= 6.0, "as wide as agents are without the component: {}", squire.agent.radius);
    assert!(Traveler::named(&project, &resolution, "beast").is_some(), "asked for by name");
    assert!(Traveler::named(&project, &resolution, "coin").is_none());
}
