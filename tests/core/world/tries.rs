//! Walkers seen from the side whose jumps fail, for reasons that no search knows: they try a few times, go another way,
//! or report it.

use glam::Vec2;
use levelwright::{
    model::Value,
    sim::{Input, Options, TraceKind, World, nav::NoPathReason},
};

use super::ledges::{SQUIRE, at, game_with, go, level};
use crate::preview::state;

/// A walker whose goal is behind a pit, with a heavy body in the way of the jump over it.
const PIT: [&str; 12] = [
    "................................",
    "................................",
    "................................",
    "................................",
    "................................",
    ".w..........h.............g.....",
    "#########....###################",
    "#########....###################",
    "#########..=.###################",
    "#########....###################",
    "#########....###################",
    "################################",
];

/// After a first pit that is jumped without trouble; whoever falls into the second climbs out at the far left.
const TWO_PITS: [&str; 12] = [
    "................................",
    "................................",
    "................................",
    "................................",
    "................................",
    "....w...............h.....g.....",
    "#==######...######...###########",
    "#..######...######...###########",
    "#==######...######...###########",
    "#..######...######...###########",
    "#....................###########",
    "################################",
];

/// A way around the second pit, above the last rows of [`TWO_PITS`].
const WAY_AROUND: [&str; 9] = [
    "................................",
    "................................",
    "................................",
    "................................",
    "..................======........",
    "................................",
    "................==..............",
    "................................",
    "..............===...............",
];

/// The same with the way around, which takes longer.
fn around() -> Vec<&'static str> {
    WAY_AROUND.iter().chain(&TWO_PITS[5..]).copied().collect()
}

/// A drop that a body below turns aside; stairs lead back up.
const DROP: [&str; 14] = [
    "................................",
    "................................",
    "................................",
    "................................",
    "................................",
    "...w............................",
    "==#########.h...................",
    "..#########.....................",
    "==#########...................g.",
    "..#########..###################",
    "==#########..###################",
    ".............###################",
    ".............###################",
    "################################",
];

fn why(world: &World) -> (Option<NoPathReason>, String) {
    let reason = world.paths().next().and_then(|path| path.no_path).map(|why| why.reason);
    (reason, world.why_still(world.by_id("w").unwrap()).unwrap().sentence)
}

#[test]
fn a_jump_that_fails_again_and_again_is_given_up() {
    for (rows, end, words) in [
        (&PIT[..], "Stuck", "from cell 11, 7 to cell 14, 5"),
        (&TWO_PITS, "Stuck", "from cell 17, 5 to cell 21, 5"),
        (&around(), "There", ""),
        (&DROP, "Stuck", "from cell 10, 5 to cell 14, 8"),
    ] {
        let mut world = level(rows, SQUIRE);
        let (found, n_jumps) = go(&mut world, 60);
        let (reason, sentence) = why(&world);
        assert_eq!(found, end, "at {:?} after {n_jumps} jumps: {sentence}", at(&world));
        if end == "Stuck" {
            assert_eq!(reason, Some(NoPathReason::Missed), "{sentence}");
            assert!(sentence.contains(words), "{sentence}");
        }
    }
}

#[test]
fn how_often_a_jump_is_tried_is_tuned() {
    for tries in [1, 2, 4] {
        let mut world = level(&TWO_PITS, SQUIRE);
        world.set_tunable("Navigation.jump_tries", Value::Int(tries));
        let (end, _) = go(&mut world, 60);
        // It passes by the far left after each of them.
        let mut n = 0;
        let mut again = level(&TWO_PITS, SQUIRE);
        again.set_tunable("Navigation.jump_tries", Value::Int(tries));
        let mut was_low = false;
        while again.tick() < world.tick() {
            again.step(&Input::NONE);
            let is_low = at(&again).1 > 110.0 && at(&again).0 > 280.0;
            n += i64::from(is_low && !was_low);
            was_low = is_low;
        }
        assert_eq!((end.as_str(), n), ("Stuck", tries));
    }
}

#[test]
fn a_place_that_is_missed_from_several_take_offs_is_soon_given_up() {
    // The body in the way of all jumps hangs above the pit, from which planks lead back up.
    let rows = [
        "................................",
        "................................",
        ".....==.==......................",
        "..........==.==.................",
        "................................",
        "............h...................",
        "................................",
        "...w.................g..........",
        "#########==...##################",
        "#########.....##################",
        "#########==...##################",
        "#########.....##################",
        "#########==...##################",
        "################################",
    ];
    let (project, resolution) = game_with(&rows, "speed: 90.0", "Circle(4.0)");
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    let (end, n_jumps) = go(&mut world, 9);
    assert_eq!((end.as_str(), why(&world).0), ("Stuck", Some(NoPathReason::Missed)), "after {n_jumps} jumps");
}

#[test]
fn a_walker_that_gave_up_tries_again_after_a_while() {
    let mut world = level(&TWO_PITS, SQUIRE);
    assert_eq!(go(&mut world, 60).0, "Stuck");
    let body = world.by_id("h20_5").unwrap();
    assert!(world.set_field(body, "Collider.sensor", Value::Bool(true)));
    (0..64 * 45).for_each(|_| world.step(&Input::NONE));
    assert_eq!(state(&world, "w"), "There", "at {:?}", at(&world));
}

#[test]
fn failed_tries_are_part_of_a_snapshot() {
    let mut world = level(&around(), SQUIRE);
    (0..700).for_each(|_| world.step(&Input::NONE));
    let snapshot = world.snapshot();
    (0..1400).for_each(|_| world.step(&Input::NONE));
    assert_eq!(state(&world, "w"), "There");
    let mut again = level(&around(), SQUIRE);
    again.restore(&snapshot);
    (0..1400).for_each(|_| again.step(&Input::NONE));
    assert_eq!(world.hash(), again.hash());
}

#[test]
fn whoever_falls_out_of_the_level_reports_it_once() {
    let mut world = level(&PIT, SQUIRE);
    (0..8).for_each(|_| world.step(&Input::NONE));
    let key = world.by_id("w").unwrap();
    assert!(world.move_to(key, Vec2::new(200.0, 400.0), 0.0));
    (0..200).for_each(|_| world.step(&Input::NONE));
    assert_eq!(why(&world).0, Some(NoPathReason::Outside));
    let is_blocked = |kind: &TraceKind| matches!(kind, TraceKind::Message { name, .. } if &**name == "Blocked");
    assert_eq!(world.drain_events().iter().filter(|event| is_blocked(&event.kind)).count(), 1);
}

/// A ledge with planks at its left that lead up to it.
const LEDGE: [&str; 9] = [
    "................................",
    "................................",
    "....w....................g......",
    "..##########################....",
    "==..............................",
    "................................",
    "==..............................",
    "................................",
    "################################",
];

#[test]
fn whoever_is_pushed_off_the_ground_goes_on_from_where_it_falls() {
    for (n_pushes, end) in [(1, "There"), (2, "There"), (9, "Stuck")] {
        let mut world = level(&LEDGE, SQUIRE);
        let key = world.by_id("w").unwrap();
        let mut n = 0;
        for _ in 0..64 * 60 {
            world.step(&Input::NONE);
            let (x, y) = at(&world);
            if n < n_pushes && x > 200.0 && y < 48.0 && world.physics().on_ground(key) {
                n += 1;
                assert!(world.move_to(key, Vec2::new(x, 80.0), 0.0));
            }
            if state(&world, "w") != "Go" {
                break;
            }
        }
        let (reason, sentence) = why(&world);
        assert_eq!(state(&world, "w"), end, "at {:?} after {n} pushes: {sentence}", at(&world));
        let events = world.drain_events();
        let is_blocked = |kind: &TraceKind| matches!(kind, TraceKind::Message { name, .. } if &**name == "Blocked");
        assert_eq!(events.iter().any(|event| is_blocked(&event.kind)), end == "Stuck", "{sentence}");
        // It has tried no jump in vain.
        assert_ne!(reason, Some(NoPathReason::Missed), "{sentence}");
        assert_eq!(n, n_pushes.min(3), "it gives up after as many as it tries a jump");
    }
}

#[test]
fn hops_at_one_place_are_reported_after_three_as_crowded_only_where_a_body_is() {
    for (body, expected) in [('.', NoPathReason::Wall), ('h', NoPathReason::Crowded)] {
        let mut rows = vec![".".repeat(32); 13];
        rows[2] = "....w....................g......".to_owned();
        rows[3] = "..##########################....".to_owned();
        (4..13).step_by(2).for_each(|row| rows[row].replace_range(..2, "=="));
        rows[8].replace_range(13..14, &body.to_string());
        rows.push("#".repeat(32));
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut world = level(&rows, SQUIRE);
        let key = world.by_id("w").unwrap();
        let (mut n, mut found) = (0, None);
        for _ in 0..64 * 90 {
            world.step(&Input::NONE);
            let (x, y) = at(&world);
            if x > 200.0 && y < 48.0 && world.physics().on_ground(key) {
                n += 1;
                // Just above the lower floor, and beside the body where there is one.
                assert!(world.move_to(key, Vec2::new(201.0, 190.0), 0.0));
            }
            found = world.paths().next().and_then(|path| path.no_path).map(|why| why.reason);
            if found.is_some() {
                break;
            }
        }
        assert_eq!((n, found), (3, Some(expected)), "at {:?}", at(&world));
    }
}

#[test]
fn who_is_blocked_below_its_goal_hops_no_more() {
    // On a body that is no part of the floor, far below the goal.
    let rows = [
        ".....g....",
        "..........",
        "..........",
        "..........",
        "..........",
        ".....w....",
        "..........",
        "..........",
        "..........",
        ".....h....",
        "..........",
        "..........",
        "..........",
        "..........",
        "##########",
    ];
    let mut world = level(&rows, SQUIRE);
    let (end, n_jumps) = go(&mut world, 12);
    assert!(end == "Stuck" && n_jumps > 0, "{end} after {n_jumps} jumps at {:?}", at(&world));
    (0..32).for_each(|_| world.step(&Input::NONE));
    let from = at(&world).1;
    for _ in 0..64 * 4 {
        world.step(&Input::NONE);
        assert!((at(&world).1 - from).abs() < 2.0, "it hops: {:?}", at(&world));
    }
}
