//! Walkers seen from the side whose way over ledges is closed by what lies or rests there: they go another way, over it
//! or onto it, or say what is in the way.

use levelwright::{
    model::Value,
    sim::{Input, World, nav::NoPathReason},
};

use crate::preview::{actors, map, n_blocked, state};

/// A corridor two tiles high, with a way over its ceiling.
const CORRIDOR: [&str; 11] =
    ["", "", "", "", "", "", "", ".......#######......", "", ".....#..............", "####################"];

/// The same without another way.
fn closed() -> Vec<&'static str> {
    let mut rows = CORRIDOR.to_vec();
    rows[..7].fill(".......#######......");
    rows
}

/// A walker at the left that goes to the right, and something in its way.
fn world(rows: &[&str], block: &str) -> World {
    let defs = format!(
        r#"{{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0, jump_speed: 300.0), Body: (),
                Collider: (shape: Box((12.0, 14.0)), layer: [Actor], mask: [World, Prop]), Agent: (radius: 6.0))),
            "block": (set: ({block})) }}"#
    );
    let machine = r#"{ "go": (initial: "Go", states: {
        "Go": (enter: [GoTo(at: Some((296.0, 152.0)))], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
        "There": (), "Stuck": (transitions: [(on: "Arrived", to: "There")]),
    }) }"#;
    let entities = r#""w": (def: "w", at: (24.0, 152.0)), "c": (def: "block", at: (168.0, 144.0))"#;
    map("Platformer", rows, &defs, machine, &actors(entities))
}

fn crate_of(size: &str, mass: &str) -> String {
    format!("Body: (mass: {mass}, lock_rotation: true), Collider: (shape: Box({size}), layer: [World])")
}

/// A post that walkers of this layer cannot pass, and others could.
fn fixed(kind: &str) -> String {
    format!("Body: (kind: {kind}), Collider: (shape: Box((14.0, 28.0)), layer: [Prop], mask: [Actor])")
}

fn guard() -> String {
    "Walker: (), Body: (), Collider: (shape: Box((28.0, 28.0)), layer: [World], mask: [World, Actor])".to_owned()
}

fn go(world: &mut World, secs: u32) -> String {
    for _ in 0..64 * secs {
        world.step(&Input::NONE);
        if state(world, "w") != "Go" {
            break;
        }
    }
    state(world, "w")
}

#[test]
fn what_lies_in_a_corridor_is_gone_around_or_over() {
    let open = ["", "", "", "", "", "", "", "", "", "", "####################"];
    for (rows, block) in [
        // It has no room above.
        (&CORRIDOR[..], crate_of("(28.0, 30.0)", "1e6")),
        (&CORRIDOR, crate_of("(28.0, 28.0)", "5000.0")),
        (&CORRIDOR, guard()),
        // It is jumped over, or walked over on top.
        (&open, crate_of("(14.0, 14.0)", "1e6")),
        (&open, crate_of("(14.0, 44.0)", "1e6")),
        (&open, crate_of("(90.0, 30.0)", "1e6")),
        (&open, guard()),
        // Paths see only what stops all that tiles stop: it plans anew where it is stopped.
        (&CORRIDOR, fixed("Static")),
        (&open, fixed("Static")),
        (&open, fixed("Kinematic")),
    ] {
        let mut world = world(rows, &block);
        let end = go(&mut world, 20);
        let why = world.why_still(world.by_id("w").unwrap()).unwrap();
        let pos = world.entity(world.by_id("w").unwrap()).unwrap().pos;
        assert_eq!(end, "There", "{block}: at {pos}: {}", why.sentence);
        assert_eq!(n_blocked(&mut world), 0, "{block}");
    }
}

#[test]
fn what_closes_the_only_way_is_named() {
    let crowded = |block: String| (block, NoPathReason::Crowded);
    let walls = ["Static", "Kinematic"].map(|kind| (fixed(kind), NoPathReason::Wall));
    for (block, because) in [crate_of("(28.0, 30.0)", "1e6"), guard()].map(crowded).into_iter().chain(walls) {
        let mut world = world(&closed(), &block);
        assert_eq!(go(&mut world, 20), "Stuck", "{block}");
        let why = world.why_still(world.by_id("w").unwrap()).unwrap();
        let reason = world.paths().next().and_then(|path| path.no_path).map(|why| why.reason);
        assert_eq!((reason, why.by.as_deref()), (Some(because), Some("c")), "{}", why.sentence);
        let its = world.entity(world.by_id("c").unwrap()).unwrap().pos;
        // Of a wall the place where it is met.
        let far = why.at.unwrap().distance(its);
        assert!(if because == NoPathReason::Wall { far < 12.0 } else { far == 0.0 }, "{far} px from it");
        (0..64 * 5).for_each(|_| world.step(&Input::NONE));
        assert_eq!(n_blocked(&mut world), 1, "once, however long it lasts");
        // It goes on as soon as it can.
        assert!(world.set_field(world.by_id("c").unwrap(), "Collider.sensor", Value::Bool(true)));
        (0..64 * 8).for_each(|_| world.step(&Input::NONE));
        assert_eq!(state(&world, "w"), "There", "{block}");
    }
}
