//! Finding the way when a level is seen from the side: over ledges, by drops and jumps.

use std::{collections::BTreeMap, fmt::Write};

use glam::Vec2;
use levelwright::{
    defs::Resolution,
    model::{DocPath, Project, Value, mix},
    sim::{
        Input, Options, PathTuning, TraceKind, World,
        nav::{Agent, Ground, How, LedgeMap, NoPathReason, PathRequest, Walker},
        probe::{Question, Traveler, probe},
    },
};

use super::project;
use crate::preview::state;

const TILES: &str = r#"(tile_size: (16, 16), image: "t.png", tiles: {
    1: (at: (0, 0), shape: Full), 2: (at: (1, 0), shape: Polygon([(0.0, 0.0), (16.0, 0.0), (16.0, 5.0), (0.0, 5.0)]), one_way: true),
    3: (at: (2, 0), shape: Polygon([(0.0, 16.0), (16.0, 0.0), (16.0, 16.0)])),
    4: (at: (3, 0), shape: Polygon([(0.0, 0.0), (16.0, 16.0), (0.0, 16.0)])),
    5: (at: (4, 0), shape: Polygon([(0.0, 8.0), (16.0, 8.0), (16.0, 16.0), (0.0, 16.0)])),
    6: (at: (5, 0), shape: Polygon([(0.0, 16.0), (16.0, 8.0), (16.0, 16.0)])),
    7: (at: (6, 0), shape: Polygon([(0.0, 8.0), (16.0, 0.0), (16.0, 16.0), (0.0, 16.0)])),
    8: (at: (7, 0), shape: Polygon([(0.0, 0.0), (16.0, 0.0), (16.0, 8.0), (0.0, 8.0)])),
})"#;

/// A level seen from the side: `#` full, `=` solid from above, `/` and `\` slopes, `_` and `^` the lower and upper half,
/// `l` and `u` the lower and upper half of a gentle slope up; `w` the walker, `g` its goal, `h` a heavy body that hangs
/// there, which is no part of the floor.
pub(super) fn level(rows: &[&str], walker: &str) -> World {
    let (project, resolution) = game(rows, walker);
    let world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    assert!(world.findings().is_empty(), "{:?}", world.findings());
    world
}

/// The project of such a level.
fn game(rows: &[&str], walker: &str) -> (Project, Resolution) {
    game_with(rows, walker, "Box((12.0, 14.0)), offset: (0.0, 1.0)")
}

/// The same with a walker of another shape.
pub(super) fn game_with(rows: &[&str], walker: &str, shape: &str) -> (Project, Resolution) {
    game_at(64, rows, walker, shape)
}

/// The same at so many ticks a second.
fn game_at(hz: u32, rows: &[&str], walker: &str, shape: &str) -> (Project, Resolution) {
    let (mut start, mut goal) = ((0.0, 0.0), (0.0, 0.0));
    let mut chunks: BTreeMap<(usize, usize), Vec<Vec<char>>> = BTreeMap::new();
    let mut hung = String::new();
    for (y, row) in rows.iter().enumerate() {
        for (x, c) in row.chars().enumerate() {
            let at = (x as f64 * 16.0 + 8.0, y as f64 * 16.0 + 8.0);
            match c {
                'w' => start = at,
                'g' => goal = at,
                'h' => write!(hung, ", \"h{x}_{y}\": (def: \"hung\", at: ({}, {}))", at.0, at.1).unwrap(),
                _ => {}
            }
            let chunk = chunks.entry((x / 32, y / 32)).or_insert_with(|| vec![vec!['.'; 32]; 32]);
            chunk[y % 32][x % 32] = c;
        }
    }
    let mut text = String::new();
    for ((x, y), rows) in &chunks {
        let cell = |c: &char| match c {
            '#' => "1",
            '=' => "2",
            '/' => "3",
            '\\' => "4",
            '_' => "5",
            'l' => "6",
            'u' => "7",
            '^' => "8",
            _ => ".",
        };
        let rows: Vec<String> =
            rows.iter().map(|row| format!("\"{}\"", row.iter().map(cell).collect::<Vec<_>>().join(" "))).collect();
        write!(text, "({x}, {y}): [{}], ", rows.join(", ")).unwrap();
    }
    let level = format!(
        "(size: ({}, {}), tile_size: (16, 16), view: Some(Platformer), layers: [
            Tiles(name: \"ground\", tileset: \"t\", chunks: {{ {text} }}),
            Entities(name: \"actors\", entities: {{ \"w\": (def: \"w\", at: ({}, {})){hung} }}),
        ])",
        rows[0].chars().count(),
        rows.len(),
        start.0,
        start.1
    );
    let defs = format!(
        "{{ \"w\": (set: (Brain: (machines: [\"go\"]), Walker: ({walker}), Body: (),
            Collider: (shape: {shape}, layer: [Actor], mask: [World]), Agent: (radius: 6.0))),
            \"hung\": (set: (Body: (mass: 1e6, gravity_scale: 0.0, lock_rotation: true), Collider: (shape: Box((14.0, 128.0)), layer: [World]))),
            \"door\": (set: (Body: (kind: Static), Collider: (shape: Box((12.0, 48.0)), layer: [World]))) }}"
    );
    let machine = format!(
        r#"{{ "go": (initial: "Go", states: {{
            "Go": (enter: [GoTo(at: Some(({}, {})))], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
            "There": (), "Stuck": (transitions: [(on: "Arrived", to: "There")]),
        }}) }}"#,
        goal.0, goal.1
    );
    let timestep = format!("(page: \"Simulation\", values: {{ \"timestep_hz\": (value: {hz}.0) }})");
    let files = [
        ("entities/e.ron", defs.as_str()),
        ("tuning/simulation.ron", &timestep),
        ("machines/m.ron", &machine),
        ("levels/l.ron", &level),
        ("tilesets/t.ron", TILES),
    ];
    project(&files)
}

/// Run until it arrives or gives up; returns its state, and how many jumps it made.
pub(super) fn go(world: &mut World, secs: u32) -> (String, u32) {
    let mut n_jumps = 0;
    let mut was_up = false;
    for _ in 0..secs * 64 {
        world.step(&Input::NONE);
        let vel = world.entity(world.by_id("w").unwrap()).unwrap().vel;
        let is_up = vel.y < -100.0;
        n_jumps += u32::from(is_up && !was_up);
        was_up = is_up;
        if state(world, "w") != "Go" {
            break;
        }
    }
    (state(world, "w"), n_jumps)
}

pub(super) fn at(world: &World) -> (f32, f32) {
    let pos = world.entity(world.by_id("w").unwrap()).unwrap().pos;
    (pos.x, pos.y)
}

/// 50 px high and 53 px far on the level, as the built-in gravity is 900 px/s².
pub(super) const SQUIRE: &str = "speed: 80.0, jump_speed: 300.0";

#[test]
fn a_ledge_with_stairs_behind_is_climbed_by_the_stairs() {
    let rows = [
        "..............................",
        "..............................",
        ".......................g......",
        "....................######....",
        "..............................",
        "............................##",
        "..............................",
        "........................###...",
        "..............................",
        "...................###........",
        ".w............................",
        "##############################",
    ];
    let mut world = level(&rows, SQUIRE);
    assert_eq!(go(&mut world, 20).0, "There", "at {:?}", at(&world));
}

#[test]
fn a_drop_is_only_taken_where_it_lands_whenever_the_feet_leave_the_edge() {
    // Falling off late it would just come down on the lower ledge; it falls earlier, and is slowed down on the corner.
    let rows = |gap: usize| {
        let row = |left: &str, right: &str| format!("{left}{}{right}..", ".".repeat(gap));
        let mut rows =
            vec![row("..w........", "........"), row("###########", "........"), row("...........", "........")];
        rows.push(row("...........", "......g."));
        rows.push(row("...........", "########"));
        rows.extend(vec![row("...........", "........"); 12]);
        rows.push("#".repeat(21 + gap));
        rows
    };
    let capsule = "Capsule(radius: 5.0, height: 14.0)";
    for (gap, walker) in [(2, SQUIRE), (2, "speed: 200.0, jump_speed: 0.0"), (3, "speed: 200.0, jump_speed: 0.0")] {
        let rows = rows(gap);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let (project, resolution) = game_with(&rows, walker, capsule);
        let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
        let (end, _) = go(&mut world, 10);
        // Where a drop is promised it is kept, and where none is possible it stays on its ledge.
        let stays = at(&world).1 < 20.0;
        assert!(end == "There" || (end == "Stuck" && stays), "{gap} {walker}: {end} at {:?}", at(&world));
    }
}

/// Where it ends, of a level with a walker of this shape; it has kept to its first ledge where it is stuck.
pub(super) fn arrives_or_has_no_path(rows: &[String], walker: &str, shape: &str) -> bool {
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (project, resolution) = game_with(&rows, walker, shape);
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    let from = at(&world).1;
    let (end, n_jumps) = go(&mut world, 10);
    let stays = n_jumps == 0 && (at(&world).1 - from).abs() < 8.0;
    assert!(end == "There" || (end == "Stuck" && stays), "{walker} {shape}: {end} at {:?}\n{rows:#?}", at(&world));
    end == "There"
}

pub(super) const ROUND: [&str; 3] =
    ["Circle(6.0), offset: (0.0, 2.0)", "Capsule(radius: 5.0, height: 14.0)", "Capsule(radius: 7.0, height: 22.0)"];

#[test]
fn round_feet_that_roll_over_a_corner_land_where_the_path_says() {
    let (mut n_there, mut n_stuck) = (0, 0);
    for (gap, down) in (1..=5).flat_map(|gap| (1..=4).map(move |down| (gap, down))) {
        let gap = ".".repeat(gap);
        let row = |left: &str, right: &str| format!("{left}{gap}{right}..");
        let mut rows = vec![row("...........", "........"), row("..w........", "........")];
        rows.push(row("###########", if down == 1 { "......g." } else { "........" }));
        (1..down).for_each(|i| rows.push(row("###########", if i + 1 == down { "......g." } else { "........" })));
        rows.extend([row("###########", "########"), row("...........", "........"), row("...........", "........")]);
        for walker in ["speed: 150.0, jump_speed: 0.0, acceleration: 500.0", "speed: 90.0, jump_speed: 0.0"] {
            for shape in ROUND {
                let is_there = arrives_or_has_no_path(&rows, walker, shape);
                (n_there, n_stuck) = (n_there + u32::from(is_there), n_stuck + u32::from(!is_there));
            }
        }
    }
    assert!(n_there > 20 && n_stuck > 20, "{n_there} arrived, {n_stuck} had no path");
}

#[test]
fn slow_walkers_roll_over_a_corner_at_any_number_of_ticks() {
    let rows =
        ["..................", "........w.........", "###########.......", "..............g...", "##################"];
    for hz in [64, 512] {
        for speed in ["16.0", "30.0"] {
            for shape in ROUND {
                let (project, resolution) = game_at(hz, &rows, &format!("speed: {speed}, jump_speed: 0.0"), shape);
                let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
                let (end, _) = go(&mut world, 15 * hz / 64);
                assert_eq!(end, "There", "{hz} Hz, {speed}, {shape}: at {:?}", at(&world));
            }
        }
    }
}

#[test]
fn round_bodies_that_are_promised_a_high_jump_make_it() {
    // Three tiles up, where walkers jump about as high, past an overhang at each distance.
    let (mut n_there, mut n_stuck) = (0, 0);
    for overhang in 0..4 {
        let plank = "=".repeat(overhang);
        let rows = [
            "....................".to_owned(),
            "....................".to_owned(),
            ".............g......".to_owned(),
            "............####....".to_owned(),
            format!("............{plank:.<8}"),
            "............####....".to_owned(),
            "..w.....#########...".to_owned(),
            "#################...".to_owned(),
        ];
        for jump in ["295.0", "300.0", "305.0", "320.0"] {
            let walker = format!("speed: 80.0, jump_speed: {jump}");
            for shape in ROUND {
                let is_there = arrives_or_has_no_path(&rows, &walker, shape);
                (n_there, n_stuck) = (n_there + u32::from(is_there), n_stuck + u32::from(!is_there));
            }
        }
    }
    assert!(n_there > 10 && n_stuck > 0, "{n_there} arrived, {n_stuck} had no path");
}

#[test]
fn a_pit_is_jumped_where_it_can_be_and_walked_around_where_it_cannot() {
    // Three tiles are jumped.
    let rows = [
        "..............................",
        "..............................",
        ".w.......................g....",
        "##########...#################",
        "#########.....################",
        "#########.....################",
    ];
    let mut world = level(&rows, SQUIRE);
    assert_eq!(go(&mut world, 12), ("There".into(), 1), "at {:?}", at(&world));
    // Six are too many, and nothing else leads there.
    let rows = [
        "..............................",
        "..............................",
        ".w.......................g....",
        "##########......##############",
        "##########......##############",
        "##########......##############",
    ];
    let mut world = level(&rows, SQUIRE);
    assert_eq!(go(&mut world, 12), ("Stuck".into(), 0), "at {:?}", at(&world));
    assert!(at(&world).0 < 40.0, "it has not walked into the pit");
    // A platform in between, out of sight below.
    let rows = [
        "..............................",
        "..............................",
        ".w.......................g....",
        "##########......##############",
        "##########......##############",
        "##########..##..##############",
    ];
    let mut world = level(&rows, SQUIRE);
    assert_eq!(go(&mut world, 12).0, "There", "at {:?}", at(&world));
}

#[test]
fn pits_are_jumped_from_their_very_edge_and_every_promise_is_kept() {
    for (gap, least) in [(2, 48), (3, 72)] {
        let row = |left: &str, fill: &str, right: &str| format!("{left}{}{right}", fill.repeat(gap));
        let mut rows = vec![row("..........", ".", "............"); 4];
        rows.push(row("..w.......", ".", "........g..."));
        rows.extend(vec![row("##########", ".", "############"); 4]);
        for shape in ROUND {
            for speed in (40..100).step_by(2) {
                let is_there = arrives_or_has_no_path(&rows, &format!("speed: {speed}.0, jump_speed: 300.0"), shape);
                let is_sure = speed >= least && shape == ROUND[1];
                assert!(is_there || !is_sure, "{gap} tiles at {speed} px/s, {shape}");
            }
        }
    }
}

#[test]
fn a_jump_into_a_pit_is_promised_only_with_a_pixel_to_spare() {
    let air = ["#............................#"; 6];
    let pit = ["##############.###############"; 2];
    let rows = [&air[..], &["#........w...................#"], &pit, &["##############g###############"]].concat();
    let rows: Vec<String> = rows.into_iter().chain(["##############################"]).map(str::to_owned).collect();
    for tenths in (120..=160).step_by(5) {
        let width = f64::from(tenths) / 10.0;
        for speed in [40, 60, 90] {
            let shape = format!("Box(({width:.1}, 20.0))");
            let is_there = arrives_or_has_no_path(&rows, &format!("speed: {speed}.0, jump_speed: 300.0"), &shape);
            assert!(is_there || width > 14.0, "{width} px at {speed} px/s");
        }
    }
}

#[test]
fn narrow_pits_and_holes_are_left_straight_up() {
    let air = ["#..................#"; 7];
    let (side, hole, ground) = ("#............g.....#", "#########.##########", "####################");
    let pit = [&air[..], &[side, "#########w##########", ground]].concat();
    let room = ["#..................#", "#..................#", "#...w..............#", ground];
    let thin = [&air[..], &[side, hole], &room].concat();
    let thick = [&air[..], &[side, hole, hole], &room].concat();
    let low = [&[ground, "#..................#", side, hole][..], &room].concat();
    let walkers = ["Box((10.0, 18.0))", "Box((13.0, 18.0))", "Box((15.0, 18.0))"];
    let walkers =
        walkers.into_iter().chain(["Capsule(radius: 6.0, height: 22.0)", "Capsule(radius: 7.5, height: 22.0)"]);
    let widest = ["Box((15.5, 18.0))", "Box((16.0, 18.0))", "Box((17.0, 18.0))", "Capsule(radius: 8.0, height: 22.0)"];
    let mut wrong = Vec::new();
    for (shape, has_room) in walkers.map(|it| (it, true)).chain(widest.map(|it| (it, false))) {
        for (name, rows) in [("pit", &pit), ("thin", &thin), ("thick", &thick), ("low", &low)] {
            let rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
            for speed in [40, 80, 120] {
                let is_there = arrives_or_has_no_path(&rows, &format!("speed: {speed}.0, jump_speed: 480.0"), shape);
                if has_room && !is_there {
                    wrong.push(format!("{name}: {shape} at {speed} px/s"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn holes_of_two_cells_and_bodies_beside_their_origin_are_no_other_for_jumps_straight_up() {
    let air = ["#..................#"; 7];
    let (side, ground) = ("#............g.....#", "####################");
    let room = ["#..................#", "#..................#", "#...w..............#", ground];
    let two = [&air[..], &[side, "#########..#########"], &room].concat();
    let one = [&air[..], &[side, "#########.##########"], &room].concat();
    for (rows, shape) in [
        (&two, "Box((28.0, 18.0))"),
        (&two, "Box((30.0, 18.0))"),
        (&two, "Capsule(radius: 14.0, height: 30.0)"),
        (&one, "Box((13.0, 18.0)), offset: (4.0, 0.0)"),
        (&one, "Box((13.0, 18.0)), offset: (-3.0, 0.0)"),
    ] {
        let rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
        for speed in [40, 80, 120] {
            let is_there = arrives_or_has_no_path(&rows, &format!("speed: {speed}.0, jump_speed: 480.0"), shape);
            assert!(is_there, "{shape} at {speed} px/s");
        }
    }
}

#[test]
fn gaps_narrower_than_the_body_are_walked_over() {
    for (gap, shape, fits) in [
        (".", "Box((24.0, 24.0))", true),
        (".", "Box((20.0, 24.0))", true),
        (".", "Box((38.0, 30.0))", true),
        ("..", "Box((38.0, 30.0))", true),
        (".", "Capsule(radius: 12.0, height: 30.0)", true),
        (".", "Capsule(radius: 15.0, height: 30.0)", true),
        (".", "Capsule(radius: 9.0, height: 31.0)", false),
        (".", "Box((16.0, 31.0))", false),
        (".", "Box((12.0, 31.0))", false),
        ("..", "Box((30.0, 31.0))", false),
    ] {
        // No room to jump.
        let row = |side: &str, middle: &str| format!("{side}{middle}{side}");
        let roof = row("##########", &"#".repeat(gap.len()));
        let room = row("..........", gap);
        let way = format!(".w........{gap}........g.");
        let floor = row("##########", gap);
        let low = row("##########", &"#".repeat(gap.len()));
        let rows = vec![roof, room.clone(), way, floor.clone(), floor.clone(), floor, room.clone(), room, low];
        for speed in [40, 80, 120] {
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let (project, resolution) = game_with(&rows, &format!("speed: {speed}.0, jump_speed: 300.0"), shape);
            let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
            let end = go(&mut world, 12);
            assert_eq!(end.0 == "There", fits, "{gap} {shape} at {speed} px/s: {end:?} at {:?}", at(&world));
        }
    }
}

#[test]
fn a_fast_walker_takes_off_straight_up_at_few_ticks_a_second() {
    let air = ["#..................#"; 7];
    let (side, hole, ground) = ("#............g.....#", "#########.##########", "####################");
    let room = ["#..................#", "#..................#", "#..w...............#", ground];
    let rows = [&air[..], &[side, hole], &room].concat();
    for (hz, speed) in [(20, 80), (20, 200), (30, 200), (64, 400)] {
        let walker = format!("speed: {speed}.0, jump_speed: 480.0");
        let (project, resolution) = game_at(hz, &rows, &walker, "Box((12.0, 18.0))");
        let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
        assert_eq!(go(&mut world, 8).0, "There", "{speed} px/s at {hz} Hz: at {:?}", at(&world));
    }
}

#[test]
fn slopes_and_half_tiles_are_walked_and_one_way_tiles_jumped_through() {
    let rows = [
        "..............................",
        "....................g.........",
        "..................=====.......",
        "..............................",
        "..................=====.......",
        "......../##\\..................",
        ".w..../####\\\\._...............",
        "##############################",
    ];
    let mut world = level(&rows, SQUIRE);
    assert_eq!(go(&mut world, 20).0, "There", "at {:?}", at(&world));
    // And down again.
    let rows = [
        "..............................",
        "....................w.........",
        "..................=====.......",
        "..............................",
        "..................=====.......",
        "..............................",
        ".......................g......",
        "##############################",
    ];
    let mut world = level(&rows, SQUIRE);
    assert_eq!(go(&mut world, 20), ("There".into(), 0), "at {:?}", at(&world));
}

#[test]
fn rows_of_teeth_are_crossed_or_both_path_and_walker_say_that_they_cannot_be() {
    let capsules = ["Capsule(radius: 4.0, height: 14.0)", "Capsule(radius: 5.0, height: 16.0)", "Box((10.0, 16.0))"];
    let mut n_there = 0;
    for (tooth, n, is_sunk, rightward) in
        ['\\', '/', 'l', 'u', '_'].into_iter().flat_map(|tooth| [1, 6].map(|n| (tooth, n))).flat_map(|(tooth, n)| {
            [(false, true), (false, false), (true, true), (true, false)].map(|(a, b)| (tooth, n, a, b))
        })
    {
        let teeth = tooth.to_string().repeat(n);
        let row = |of: &str| {
            let rest = 24 - n;
            format!("{}{}{}", of.repeat(8), teeth, of.repeat(rest - 8))
        };
        let (w, g) = if rightward { (2, 22) } else { (22, 2) };
        let stand = |row: &str| -> String {
            let at = |i: usize, c: char| {
                if i == w {
                    'w'
                } else if i == g {
                    'g'
                } else {
                    c
                }
            };
            row.chars().enumerate().map(|(i, c)| at(i, c)).collect()
        };
        let empty = ".".repeat(24);
        let (above, floor) = if is_sunk { (stand(&empty), row("#")) } else { (stand(&row(".")), "#".repeat(24)) };
        let ground = "#".repeat(24);
        let rows = [&empty, &empty, &empty, &empty, &above, &floor, &ground].map(String::as_str);
        for (walker, shape) in ["speed: 80.0, jump_speed: 280.0", "speed: 80.0, jump_speed: 0.0"]
            .into_iter()
            .flat_map(|walker| capsules.map(|shape| (walker, shape)))
        {
            let case = format!("{rows:#?} {walker} {shape}");
            let (project, resolution) = game_with(&rows, walker, shape);
            let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
            (0..16).for_each(|_| world.step(&Input::NONE));
            let found = world.paths().next().is_some_and(|path| path.no_path.is_none());
            let (end, _) = go(&mut world, 20);
            let why = world.paths().next().and_then(|path| path.no_path).map(|why| why.reason);
            assert_eq!(end, if found { "There" } else { "Stuck" }, "{case} {why:?} at {:?}", at(&world));
            assert!(found || walker.ends_with(" 0.0"), "{case}: {why:?}");
            n_there += u32::from(found);
        }
    }
    assert!(n_there > 120, "{n_there}");
}

#[test]
fn a_wall_that_is_too_high_is_reported() {
    let rows = [
        "............#.................",
        "............#.................",
        "............#.................",
        "............#.................",
        ".w..........#............g....",
        "##############################",
    ];
    let mut world = level(&rows, SQUIRE);
    assert_eq!(go(&mut world, 6), ("Stuck".into(), 0), "at {:?}", at(&world));
    let key = world.by_id("w").unwrap();
    let why = world.paths().find(|path| path.key == key).and_then(|path| path.no_path).unwrap();
    assert_eq!(why.reason, NoPathReason::Unconnected);
}

#[test]
fn passages_that_are_too_narrow_or_too_low_for_a_walker_are_named() {
    let hole = [
        "....................",
        ".w..................",
        "##########.#########",
        "....................",
        "..................g.",
        "####################",
    ];
    let tunnel = [
        "......######........",
        "......######........",
        "......######........",
        ".w....######......g.",
        "....................",
        "####################",
    ];
    // Between two places of a slow path that are drawn, the line cuts the corner of the hole.
    let shaft = [
        "....................",
        ".........w..........",
        "##########.#########",
        "##########.#########",
        "##########.#########",
        "....................",
        "..................g.",
        "####################",
    ];
    for (rows, speed, shape, [xs, ys]) in [
        (&hole[..], 80, "Box((20.0, 14.0)), offset: (0.0, 1.0)", [160.0..176.0, 32.0..48.0]),
        (&tunnel[..], 80, "Box((12.0, 30.0)), offset: (0.0, 9.0)", [96.0..192.0, 64.0..80.0]),
        (&shaft[..], 8, "Box((17.0, 14.0)), offset: (0.0, 1.0)", [160.0..176.0, 32.0..80.0]),
    ] {
        let (project, resolution) = game_with(rows, &format!("speed: {speed}.0, jump_speed: 0.0"), shape);
        let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
        assert_eq!(go(&mut world, 6), ("Stuck".into(), 0), "{shape}: at {:?}", at(&world));
        let why = world.paths().find_map(|path| path.no_path).unwrap();
        assert_eq!(why.reason, NoPathReason::TooNarrow, "{shape}: {why:?}");
        assert!(xs.contains(&why.at.x) && ys.contains(&why.at.y), "{shape}: {why:?}");
    }
}

#[test]
fn a_hole_that_is_large_enough_and_too_high_is_not_too_narrow() {
    // 32 px of room, 48 px above the ground, for who is 20 px high and jumps 50 px.
    let rows = [
        "##############################",
        "#.............#..............#",
        "#.............#..............#",
        "#.............#..............#",
        "#............................#",
        "#............................#",
        "#.............#..............#",
        "#.............#..............#",
        "#..w..........#..........g...#",
        "##############################",
    ];
    let (project, resolution) = game_with(&rows, "speed: 90.0, jump_speed: 300.0", "Circle(10.0)");
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    if go(&mut world, 6).0 != "There" {
        let why = world.paths().find_map(|path| path.no_path).map(|why| why.reason);
        assert_eq!(why, Some(NoPathReason::Unconnected), "at {:?}", at(&world));
    }
}

#[test]
fn a_constant_that_changes_opens_a_way() {
    let rows = [
        "..............................",
        "..............................",
        "..............................",
        "................#.............",
        "................#.............",
        ".w..............#........g....",
        "##############################",
    ];
    let mut world = level(&rows, "speed: 80.0, jump_speed: 200.0");
    assert_eq!(go(&mut world, 4).0, "Stuck");
    let key = world.by_id("w").unwrap();
    assert!(world.set_field(key, "Walker.jump_speed", Value::Float(330.0)));
    for _ in 0..64 * 8 {
        world.step(&Input::NONE);
    }
    assert_eq!(state(&world, "w"), "There", "at {:?}", at(&world));
    let jumps = world.drain_events();
    assert!(jumps.iter().any(|event| matches!(&event.kind, TraceKind::Message { name, .. } if &**name == "Arrived")));
}

/// A level of random platforms, slopes and steps with a walker and a goal on the ground.
fn random_level(seed: u64) -> Vec<String> {
    let mut seed = mix(seed);
    let mut random = |n: u64| {
        seed = mix(seed);
        usize::try_from(seed % n).unwrap()
    };
    const W: usize = 40;
    const H: usize = 20;
    let mut cells = vec![vec!['.'; W]; H];
    // The ground, with pits and steps.
    let mut top = H - 3;
    let mut x = 0;
    while x < W {
        let width = 2 + random(6);
        if random(5) == 0 {
            x += 1 + random(4);
            continue;
        }
        top = (top + random(3)).saturating_sub(1).clamp(H - 7, H - 2);
        for x in x..(x + width).min(W) {
            for row in cells.iter_mut().skip(top) {
                row[x] = '#';
            }
        }
        if random(3) == 0 && x + 1 < W {
            cells[top - 1][x] = if random(2) == 0 { '_' } else { '/' };
        }
        x += width;
    }
    for _ in 0..6 + random(8) {
        let (x, y, width) = (random(W as u64 - 4), 3 + random(H as u64 - 9), 2 + random(6));
        let kind = ['#', '=', '#', '_'][random(4)];
        for cell in cells[y][x..(x + width).min(W)].iter_mut().filter(|cell| **cell == '.') {
            *cell = kind;
        }
        if random(4) == 0 && x + width < W && cells[y][x + width] == '.' {
            cells[y][x + width] = '\\';
        }
    }
    let is_floor = |cells: &[Vec<char>], x: usize, y: usize| {
        cells[y][x] == '.' && "#=".contains(cells[y + 1][x]) && cells[y - 1][x] == '.'
    };
    for c in ['w', 'g'] {
        loop {
            let (x, y) = (1 + random(W as u64 - 2), 2 + random(H as u64 - 4));
            if is_floor(&cells, x, y) {
                cells[y][x] = c;
                break;
            }
        }
    }
    cells.into_iter().map(|row| row.into_iter().collect()).collect()
}

#[test]
fn walkers_get_where_paths_lead() {
    let walkers = [
        "speed: 80.0, jump_speed: 300.0",
        "speed: 150.0, jump_speed: 320.0, acceleration: 500.0",
        "speed: 55.0, jump_speed: 280.0, air_control: 0.3",
    ];
    let (mut n_there, mut n_stuck) = (0, 0);
    for seed in 0..60 {
        let rows = random_level(seed);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut world = level(&rows, walkers[usize::try_from(seed % 3).unwrap()]);
        let (end, n_jumps) = go(&mut world, 60);
        let key = world.by_id("w").unwrap();
        let why = world.paths().find(|path| path.key == key).and_then(|path| path.no_path).map(|why| why.reason);
        match (end.as_str(), why) {
            ("There", _) => n_there += 1,
            // It has not tried in vain: nothing leads there, or nothing that it fits through, but a smaller one does.
            ("Stuck", Some(NoPathReason::Unconnected)) if n_jumps == 0 => n_stuck += 1,
            ("Stuck", Some(NoPathReason::TooNarrow)) if n_jumps == 0 => {
                let of = walkers[usize::try_from(seed % 3).unwrap()];
                let (project, resolution) = game_with(&rows, of, "Box((4.0, 4.0)), offset: (0.0, 6.0)");
                let mut smaller = World::compile(&project, &resolution, "l", Options::default()).unwrap();
                assert_eq!(go(&mut smaller, 60).0, "There", "level {seed}\n{}", rows.join("\n"));
                n_stuck += 1;
            }
            _ => panic!("level {seed}: {end} for {why:?} at {:?}\n{}", at(&world), rows.join("\n")),
        }
    }
    assert!(n_there > 30 && n_stuck > 10, "{n_there} arrived, {n_stuck} had no path");
}

#[test]
fn jumps_while_running_up_a_slope_land_where_paths_say() {
    let walkers = [SQUIRE, "speed: 150.0, jump_speed: 320.0, acceleration: 500.0", "speed: 220.0, jump_speed: 280.0"];
    let mut n_there = 0;
    for (walker, left, top) in
        walkers.into_iter().flat_map(|walker| (10..15).flat_map(move |x| (3..8).map(move |y| (walker, x, y))))
    {
        let cell = |x: usize, y: usize| match (x, y) {
            (2, 11) => 'w',
            _ if x == left + 1 && y + 1 == top => 'g',
            _ if y == top && (left..left + 3).contains(&x) || y >= 12 => '#',
            _ if (6..10).contains(&x) && x + y == 17 => '/',
            _ if (6..10).contains(&x) && x + y > 17 => '#',
            _ => '.',
        };
        let rows: Vec<String> = (0..14).map(|y| (0..24).map(|x| cell(x, y)).collect()).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut world = level(&rows, walker);
        let (end, n_jumps) = go(&mut world, 20);
        assert!(end == "There" || n_jumps == 0, "{walker}, {left} {top}: {n_jumps} jumps, {end} at {:?}", at(&world));
        n_there += u32::from(end == "There");
    }
    assert!(n_there > 15, "{n_there} arrived");
}

#[test]
fn the_path_probe_shows_which_ledges_a_walker_gets_to() {
    let rows = [
        "......................",
        "..............####....",
        "......................",
        "......................",
        ".....==...............",
        "......................",
        "..w.....g.............",
        "######################",
    ];
    let (project, resolution) = game(&rows, SQUIRE);
    let level = project.level(&DocPath::new("levels/l.ron").unwrap()).unwrap();
    let who = Traveler::named(&project, &resolution, "w").unwrap();
    assert!(who.is_walker);
    let mut paths = who.paths((&project, &resolution), ("l", level), || unreachable!()).unwrap();
    let Ground::Ledges(walker) = paths.ground() else { panic!() };
    // Asked in the air, it begins on the ground below.
    let ask = |x: f32, y: f32| Question {
        ends: [Vec2::new(24.0, 40.0), Vec2::new(x, y)],
        agent: who.agent.clone(),
        on: Ground::Ledges(walker.clone()),
        weight: 1.0,
        near_px: 0.0,
        walker: None,
    };
    let tuning = PathTuning::of(&resolution);
    let up = probe(&mut paths.navigator, &ask(96.0, 56.0), tuning).searched;
    let how: Vec<&str> = up.legs.iter().map(|leg| leg.how.name()).collect();
    assert_eq!((up.found, how.as_slice()), (true, &["jump", "walk"][..]));
    let too_high = probe(&mut paths.navigator, &ask(240.0, 8.0), tuning).searched.no_path.map(|why| why.reason);
    assert_eq!(too_high, Some(NoPathReason::Unconnected));
    let from = |navigator: &mut levelwright::sim::nav::Navigator, x: f32, y: f32| -> LedgeMap {
        navigator.ledge_map(&walker, Vec2::new(x, y))
    };
    let tops = |lines: &[Vec<Vec2>]| -> Vec<f32> { lines.iter().map(|line| line[0].y).collect() };
    let map = from(&mut paths.navigator, 24.0, 100.0);
    assert_eq!((tops(&map.reached), tops(&map.others)), (vec![112.0, 64.0], vec![16.0]));
    assert!(map.is_whole && map.jumps.iter().any(|leg| matches!(leg.how, How::Jump { .. })));
    let above = from(&mut paths.navigator, 240.0, 8.0);
    assert_eq!((tops(&above.reached)[0], above.others.len()), (16.0, 0), "all are below it");
    // Where nobody walks, paths go over cells.
    let kind = Traveler::named(&project, &resolution, "walk").unwrap();
    let grid = paths.navigator.floor().grid().clone();
    let paths = kind.paths((&project, &resolution), ("l", level), || grid).unwrap();
    assert_eq!(paths.ground(), Ground::Grid);
}

#[test]
fn ledges_of_many_walkers_are_known_as_long_as_there_is_room() {
    let rows = ["......................", "..w.......####....g...", "######################"];
    let (project, resolution) = game(&rows, SQUIRE);
    let level = project.level(&DocPath::new("levels/l.ron").unwrap()).unwrap();
    let who = Traveler::named(&project, &resolution, "w").unwrap();
    let paths = who.paths((&project, &resolution), ("l", level), || unreachable!()).unwrap();
    let (walker, mut navigator) = (paths.walker.clone().unwrap(), paths.navigator);
    let mut n_ticks = |speed: u32| {
        let mut walker = Walker::clone(&walker);
        walker.spec.speed = 60.0 + speed as f32;
        let on = Ground::Ledges(walker.into());
        let (from, to) = (Vec2::new(40.0, 24.0), Vec2::new(296.0, 24.0));
        let key = slotmap::KeyData::from_ffi(1 << 32 | 1).into();
        navigator.request(key, PathRequest { on, ..PathRequest::new(from, to, Agent::point("walk")) });
        (1..1000).find(|_| !navigator.tick(20).is_empty()).unwrap()
    };
    let first: Vec<usize> = (0..40).map(&mut n_ticks).collect();
    let again: Vec<usize> = (0..40).map(&mut n_ticks).collect();
    assert!(first.iter().all(|n| *n >= 4), "the ledges have to be found: {first:?}");
    assert!(again.iter().all(|n| *n < 4), "they are known: {again:?}");
}

#[test]
fn ledges_of_small_tiles_follow_edits_at_the_far_side_of_a_body() {
    let level = |has_ceiling: bool| {
        let row = |y: i32| if y == 30 || has_ceiling && y == 20 { "\"32*1\"" } else { "\"\"" };
        let rows: Vec<&str> = (0..32).map(row).collect();
        format!(
            "(size: (32, 32), tile_size: (2, 2), view: Some(Platformer), layers: [
                Tiles(name: \"ground\", tileset: \"t\", chunks: {{ (0, 0): [{}] }}),
            ])",
            rows.join(", ")
        )
    };
    let tiles = r#"(tile_size: (2, 2), image: "t.png", tiles: { 1: (at: (0, 0), shape: Full) })"#;
    let walker =
        r#"{ "w": (set: (Walker: (step_height: 1.0), Body: (), Collider: (shape: Box((8.0, 20.0))), Agent: ())) }"#;
    let made = |has_ceiling: bool| {
        let text = level(has_ceiling);
        project(&[("entities/e.ron", walker), ("levels/l.ron", &text), ("tilesets/t.ron", tiles)])
    };
    let (before, resolution) = made(false);
    let at = DocPath::new("levels/l.ron").unwrap();
    let who = Traveler::named(&before, &resolution, "w").unwrap();
    let paths = who.paths((&before, &resolution), ("l", before.level(&at).unwrap()), || unreachable!()).unwrap();
    let (walker, mut navigator) = (paths.walker.clone().unwrap(), paths.navigator);
    // Feet at 60 px, so the head is at 40: in row 20.
    let stands =
        |navigator: &mut levelwright::sim::nav::Navigator| navigator.is_on_ledge(&walker, Vec2::new(31.0, 50.0));
    assert!(stands(&mut navigator));
    let (after, _) = made(true);
    let (after, set) = (after.level(&at).unwrap(), after.tileset(&DocPath::new("tilesets/t.ron").unwrap()));
    let mut grid = (**navigator.floor().grid()).clone();
    let change = grid.update(after, |_| set);
    assert!(matches!(change, levelwright::sim::grid::GridChange::Chunks(_)));
    navigator.update(after, std::sync::Arc::new(grid), &change);
    assert!(!stands(&mut navigator), "there is a ceiling at its head");
}
