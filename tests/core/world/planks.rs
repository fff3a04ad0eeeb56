//! Bodies that are solid only from above are ground for walkers on their way, as tiles of that kind are.

use super::*;
use crate::preview::state;

/// A walker of this radius that goes to a place above the floor of a level, with these planks.
fn game([x, y]: [f32; 2], (start_x, start_y, radius): (f32, f32, f32), planks: &str) -> (Project, Resolution) {
    let defs = format!(
        r#"{{
            "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 90.0, jump_speed: 300.0), Body: (), Agent: (radius: 6.0),
                Collider: (shape: Circle({radius:?}), layer: [Actor], mask: [World]))),
            "plank": (set: (Body: (kind: Static), Collider: (shape: Box((64.0, 5.0)), layer: [World], one_way: true))),
            "long": (inherits: ["plank"], set: (Collider: (shape: Box((320.0, 5.0))))),
            "short": (inherits: ["plank"], set: (Collider: (shape: Box((16.0, 4.0))))),
        }}"#
    );
    let machine = format!(
        r#"{{ "go": (initial: "Go", states: {{
            "Go": (enter: [GoTo(at: Some(({x:?}, {y:?})))], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
            "There": (), "Stuck": (),
        }}) }}"#
    );
    let floor = format!("{}\"32*1\"", "\"\", ".repeat(12));
    let level = format!(
        "(size: (32, 13), tile_size: (16, 16), view: Some(Platformer), layers: [
            Tiles(name: \"ground\", tileset: \"t\", chunks: {{ (0, 0): [{floor}] }}),
            Entities(name: \"actors\", entities: {{ \"w\": (def: \"w\", at: ({start_x:?}, {start_y:?})), {planks} }}),
        ])"
    );
    project(&[
        ("entities/e.ron", &*defs),
        ("machines/m.ron", &machine),
        ("levels/l.ron", &level),
        ("tilesets/t.ron", FLOOR),
    ])
}

fn compiled((project, resolution): &(Project, Resolution)) -> World {
    World::compile(project, resolution, "l", Options::default()).unwrap()
}

/// Run for so many seconds at most; returns the state of the walker.
fn go(world: &mut World, secs: u32) -> String {
    let n_ticks = (0..secs * 64).take_while(|_| {
        world.step(&Input::NONE);
        state(world, "w") == "Go"
    });
    n_ticks.for_each(drop);
    state(world, "w")
}

fn at(world: &World) -> glam::Vec2 {
    world.entity(world.by_id("w").unwrap()).unwrap().pos
}

/// One above the other, each higher than the last by less than a jump; the floor is at 192.
const PLANKS: &str = r#""a": (def: "plank", at: (250.0, 154.0)), "b": (def: "plank", at: (262.0, 114.0)), "c": (def: "plank", at: (340.0, 80.0))"#;

#[test]
fn one_way_bodies_are_jumped_onto_from_below_and_dropped_through() {
    let mut world = compiled(&game([350.0, 70.0], (60.0, 184.0, 7.0), PLANKS));
    assert_eq!(go(&mut world, 15), "There", "at {}", at(&world));
    // From the middle of a long plank to the floor right below.
    let long = r#""b": (def: "long", at: (262.0, 114.0))"#;
    let mut world = compiled(&game([262.0, 184.0], (262.0, 104.0, 7.0), long));
    for _ in 0..4 * 64 {
        world.step(&Input::NONE);
        assert!((at(&world).x - 262.0).abs() < 28.0, "it walks away instead of dropping through: {}", at(&world));
    }
    assert_eq!(go(&mut world, 1), "There", "at {}", at(&world));
}

#[test]
fn paths_follow_edits_of_one_way_bodies() {
    let goes = |planks: &str| game([262.0, 104.0], (60.0, 184.0, 7.0), planks);
    let (without, with) = (goes(r#""b": (def: "plank", at: (262.0, 114.0))"#), goes(PLANKS));
    for (before, after, then) in [(&without, &with, "There"), (&with, &without, "Stuck")] {
        let mut world = compiled(before);
        run(&mut world, 1);
        let mut world = migrated(&world, &after.0, &after.1);
        assert_eq!(go(&mut world, 10), then, "at {}", at(&world));
    }
}

#[test]
fn no_run_up_leads_over_the_end_of_a_plank_within_a_cell() {
    // From 137 to 153, above the left end of the first plank: its column begins at 128.
    let planks = r#""a": (def: "plank", at: (190.0, 172.0)), "b": (def: "short", at: (145.0, 140.0)), "c": (def: "plank", at: (183.0, 98.5))"#;
    let mut world = compiled(&game([183.0, 91.5], (40.0, 187.5, 4.0), planks));
    assert_eq!(go(&mut world, 8), "There", "at {}", at(&world));
}
