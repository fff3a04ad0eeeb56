//! Openings in walls above the ground, seen from the side: jumps into them, and doors that hang in them.

use levelwright::sim::nav::NoPathReason;

use super::{
    ledges::{ROUND, arrives_or_has_no_path},
    run,
};
use crate::preview::{actors, map, state};

/// A wall with an opening: its rows from the top, and the width of the wall.
fn wall(opening: &[(usize, char)], width: usize) -> Vec<String> {
    let cell = |x: usize, y: usize| match (x, y) {
        _ if y == 0 || y == 9 || x == 0 || x == 29 => '#',
        (3, 8) => 'w',
        (25, 8) => 'g',
        _ if (14..14 + width).contains(&x) => opening.iter().find(|(row, _)| *row == y).map_or('#', |(_, c)| *c),
        _ => '.',
    };
    (0..10).map(|y| (0..30).map(|x| cell(x, y)).collect()).collect()
}

/// Openings 16, 24 and 32 px high, each 16, 32 and 48 px above the ground, in walls of two widths.
fn openings() -> impl Iterator<Item = Vec<String>> {
    let heights = |row: usize| [vec![(row, '.')], vec![(row, '.'), (row - 1, '^')], vec![(row, '.'), (row - 1, '.')]];
    (5..8).flat_map(heights).flat_map(|opening| [1, 3].map(|width| wall(&opening, width)))
}

#[test]
fn jumps_into_openings_succeed_wherever_there_is_a_path() {
    let (mut n_there, mut n_stuck) = (0, 0);
    for rows in openings() {
        for shape in ["Circle(4.0)", "Circle(6.0)", "Circle(10.0)", ROUND[1]] {
            for walker in ["speed: 90.0", "speed: 90.0, corner_correction: 4.0"] {
                let is_there = arrives_or_has_no_path(&rows, walker, shape);
                (n_there, n_stuck) = (n_there + u32::from(is_there), n_stuck + u32::from(!is_there));
            }
        }
    }
    assert!(n_there > 50 && n_stuck > 10, "{n_there} arrived, {n_stuck} had no path");
}

#[test]
fn a_low_jump_leads_into_an_opening_that_a_full_one_rises_past() {
    // 24 px high and 16 px above the ground; a full jump is 50 px high.
    let rows = wall(&[(7, '.'), (6, '^')], 1);
    let walker = "speed: 110.0, acceleration: 1400.0, jump_speed: 340.0, air_control: 0.75, corner_correction: 4.0";
    let shape = "Capsule(radius: 5.0, height: 18.0)";
    assert!(arrives_or_has_no_path(&rows, &format!("{walker}, jump_cut: 0.45"), shape));
    // Every link that a walker with low jumps has is one that it can follow.
    for rows in openings() {
        arrives_or_has_no_path(&rows, &format!("{walker}, jump_cut: 0.45"), shape);
    }
}

#[test]
fn a_door_that_leaves_too_little_room_over_the_ground_is_named() {
    let rows = [
        "....................",
        "....................",
        "....................",
        ".........##.........",
        ".........##.........",
        ".........##.........",
        ".........##.........",
        ".........##.........",
        "....................",
        "....................",
        "####################",
        "####################",
    ];
    let defs = r#"{
        "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0, jump_speed: 200.0), Body: (), Agent: (radius: 6.0),
            Collider: (shape: Circle(6.0), layer: [Actor], mask: [World]))),
        "door": (set: (Body: (kind: Static), Collider: (shape: Box((12.0, 24.0)), layer: [World]))),
    }"#;
    let machine = r#"{ "go": (initial: "Go", states: {
        "Go": (enter: [GoTo(at: Some((280.0, 152.0)))], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
        "There": (), "Stuck": (transitions: [(on: "Arrived", to: "There")]),
    }) }"#;
    // Of 32 px it leaves 8, and 16.
    for (y, is_open) in [(140, false), (132, true)] {
        let placed = format!(r#""w": (def: "w", at: (40.0, 152.0)), "d": (def: "door", at: (160.0, {y}.0))"#);
        let mut world = map("Platformer", &rows, defs, machine, &actors(&placed));
        run(&mut world, 64 * 6);
        assert_eq!(state(&world, "w"), if is_open { "There" } else { "Stuck" }, "{y}");
        if !is_open {
            let why = world.why_still(world.by_id("w").unwrap()).unwrap();
            let reason = world.paths().find_map(|path| path.no_path).map(|why| why.reason);
            assert_eq!(reason, Some(NoPathReason::Unconnected));
            assert!(why.sentence.contains("; d closes the way at cell "), "{}", why.sentence);
        }
    }
}

#[test]
fn no_path_leads_onto_an_edge_that_a_round_foot_glides_off() {
    // A sill 8 px high: a walker that jumps against the wall above falls past its edge without speed.
    for shape in ["Circle(7.0)", "Circle(8.0)", "Circle(10.0)"] {
        let rows = wall(&[(7, '.'), (8, '_')], 1);
        arrives_or_has_no_path(&rows, "speed: 80.0", shape);
    }
}
