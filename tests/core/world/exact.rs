//! Agents that are exactly as wide as a door: where clearance lets them through, they get through.

use levelwright::sim::{Input, World, nav::NoPathReason};

use crate::preview::{actors, map, state};

/// A wall across the level with a door from row 5 on.
fn door(n_rows: usize) -> Vec<String> {
    let row = |y: usize| match y {
        0 | 11 => "#".repeat(20),
        y if (5..5 + n_rows).contains(&y) => format!("#{}#", ".".repeat(18)),
        _ => format!("#{}##{}#", ".".repeat(8), ".".repeat(8)),
    };
    (0..12).map(row).collect()
}

/// An agent that goes from the left to the right.
fn world(n_rows: usize, mover: &str, shape: &str, radius: f32, at: (f32, f32)) -> World {
    let rows = door(n_rows);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let defs = format!(
        r#"{{ "w": (set: (Brain: (machines: ["go"]), {mover}, Body: (gravity_scale: 0.0),
            Collider: (shape: {shape}, layer: [Actor], mask: [World]), Agent: (radius: {radius:?}))) }}"#
    );
    let middle = (5.0 + n_rows as f32 / 2.0) * 16.0;
    let machine = format!(
        r#"{{ "go": (initial: "Go", states: {{
            "Go": (enter: [GoTo(at: Some((256.0, {middle:?})))], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
            "There": (), "Stuck": (),
        }}) }}"#
    );
    map("TopDown", &rows, &defs, &machine, &actors(&format!("\"w\": (def: \"w\", at: ({:?}, {:?}))", at.0, at.1)))
}

#[test]
fn what_is_exactly_as_wide_as_a_door_gets_through() {
    let walker = "Walker: (speed: 100.0)";
    let flyer = "Flyer: (speed: 100.0)";
    for n_rows in [1_u8, 2, 3] {
        let size = f32::from(n_rows) * 16.0;
        let radius = size / 2.0;
        let (circle, square) = (format!("Circle({radius:?})"), format!("Box(({size:?}, {size:?}))"));
        for (mover, shape) in [(walker, &circle), (walker, &square), (flyer, &circle)] {
            // From straight ahead of the door, and from above and below it.
            for y in [88.0, 40.0, 150.0] {
                for by in [0.0, 0.1, -0.03] {
                    let mut world = world(n_rows.into(), mover, shape, radius, (40.0, y + by));
                    let key = world.by_id("w").unwrap();
                    (0..64 * 8).for_each(|_| world.step(&Input::NONE));
                    let why = world.why_still(key).unwrap().sentence;
                    let pos = world.entity(key).unwrap().pos;
                    assert_eq!(state(&world, "w"), "There", "{mover} {shape} from {y} + {by}: at {pos}: {why}");
                }
            }
            // A little wider, and clearance and the run agree as well.
            let radius = radius + 0.2;
            let shape = if shape.starts_with('C') {
                format!("Circle({radius:?})")
            } else {
                format!("Box(({:?}, {:?}))", 2.0 * radius, 2.0 * radius)
            };
            let mut world = world(n_rows.into(), mover, &shape, radius, (40.0, 88.0));
            (0..64 * 4).for_each(|_| world.step(&Input::NONE));
            let why = world.paths().next().and_then(|path| path.no_path).map(|why| why.reason);
            assert_eq!((state(&world, "w").as_str(), why), ("Stuck", Some(NoPathReason::TooNarrow)), "{mover} {shape}");
        }
    }
}

#[test]
fn a_walker_with_round_feet_exactly_as_wide_as_a_hole_falls_through() {
    let floor = "#########.##########";
    let rows = ["", "", "", "", "", "", floor, "", "", "", "", "####################"];
    for (shape, end) in [
        ("Circle(8.0)", "There"),
        ("Capsule(radius: 8.0, height: 22.0)", "There"),
        ("Circle(7.9)", "There"),
        ("Circle(8.2)", "Stuck"),
        ("Box((16.0, 16.0))", "Stuck"),
    ] {
        for (speed, x) in [55.0, 80.0, 110.0].into_iter().flat_map(|v| [40.0, 41.3, 230.0].map(|x| (v, x))) {
            let defs = format!(
                r#"{{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: {speed:?}, jump_speed: 300.0), Body: (),
                    Collider: (shape: {shape}, layer: [Actor], mask: [World]), Agent: (radius: 8.0))) }}"#
            );
            let machine = r#"{ "go": (initial: "Go", states: {
                "Go": (enter: [GoTo(at: Some((152.0, 168.0)))], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
                "There": (), "Stuck": (),
            }) }"#;
            let actors = actors(&format!("\"w\": (def: \"w\", at: ({x:?}, 84.0))"));
            let mut world = map("Platformer", &rows, &defs, machine, &actors);
            let key = world.by_id("w").unwrap();
            (0..64 * 8).for_each(|_| world.step(&Input::NONE));
            let (pos, why) = (world.entity(key).unwrap().pos, world.why_still(key).unwrap().sentence);
            assert_eq!(state(&world, "w"), end, "{shape} at {speed} px/s from {x}: at {pos}: {why}");
        }
    }
}

#[test]
fn a_walker_exactly_as_high_as_a_passage_gets_through() {
    let passage = |left: &'static str| ["", "", "", "", "", "", "", "......######", left, "", "####################"];
    for (rows, shape, end) in [
        (passage("......######"), "Box((16.0, 16.0))", "There"),
        (passage("......######"), "Box((12.0, 16.0))", "There"),
        (passage("......######"), "Box((12.0, 16.3))", "Stuck"),
    ] {
        for x in [40.0, 40.3, 61.7] {
            let defs = format!(
                r#"{{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0, jump_speed: 0.0), Body: (),
                    Collider: (shape: {shape}, layer: [Actor], mask: [World]))) }}"#
            );
            let machine = r#"{ "go": (initial: "Go", states: {
                "Go": (enter: [GoTo(at: Some((256.0, 150.0)))], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
                "There": (), "Stuck": (),
            }) }"#;
            let mut world =
                map("Platformer", &rows, &defs, machine, &actors(&format!("\"w\": (def: \"w\", at: ({x:?}, 150.0))")));
            let key = world.by_id("w").unwrap();
            (0..64 * 6).for_each(|_| world.step(&Input::NONE));
            let (pos, why) = (world.entity(key).unwrap().pos, world.why_still(key).unwrap().sentence);
            assert_eq!(state(&world, "w"), end, "{shape} from {x}: at {pos}: {why}");
        }
    }
}
