//! When a walker has arrived: where it stands, and can stay.

use levelwright::{
    model::Fields,
    sim::{Input, World},
};

use crate::preview::{actors, map, state};

/// `Steering.arrive_distance` of the built-in page.
const NEAR_PX: f32 = 8.0;

/// Flat ground whose top is at 160 px.
const FLAT: [&str; 11] = ["", "", "", "", "", "", "", "", "", "", "####################"];

/// A walker at a place with an order; it jumps when it is healed.
fn walker(fields: &str, order: &str, at: (f32, f32), layers: &str) -> World {
    let defs = format!(
        r#"{{ "w": (set: (Brain: (machines: ["go"]), Walker: ({fields}), Body: (), Collider: (shape: Box((12.0, 16.0))))),
            "mark": (set: (Tags: (tags: ["mark"]))) }}"#
    );
    let machine = format!(
        r#"{{ "go": (initial: "Go", on: {{ "Healed": [Jump] }}, states: {{
            "Go": (enter: [{order}], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]), "There": (), "Stuck": (),
        }}) }}"#
    );
    let entities = format!(r#""w": (def: "w", at: ({:?}, {:?})), "m": (def: "mark", at: (220.0, 151.0))"#, at.0, at.1);
    map("Platformer", &FLAT, &defs, &machine, &format!("{}{layers}", actors(&entities)))
}

fn pose(world: &World) -> (f32, f32, f32) {
    let view = world.entity(world.by_id("w").unwrap()).unwrap();
    (view.pos.x, view.pos.y, view.vel.x)
}

/// Run until it has arrived; it jumps at a place where one is given. Returns whether it stood then, and how far from a
/// goal it was at most from then on.
fn arrive(world: &mut World, goal_x: f32, jump_at_x: Option<f32>) -> (bool, f32) {
    let key = world.by_id("w").unwrap();
    let mut jump_at_x = jump_at_x;
    for _ in 0..64 * 12 {
        if jump_at_x.is_some_and(|x| pose(world).0 >= x) {
            world.send("w", "Healed", &Fields::new(), 0.0);
            jump_at_x = None;
        }
        world.step(&Input::NONE);
        if state(world, "w") == "There" {
            let stood = world.physics().on_ground(key);
            let far = (0..128).map(|_| {
                world.step(&Input::NONE);
                (pose(world).0 - goal_x).abs()
            });
            return (stood, far.fold(0.0, f32::max));
        }
    }
    panic!("it does not arrive: {} at {:?}", state(world, "w"), pose(world));
}

#[test]
fn a_walker_has_arrived_where_it_stands_and_can_stop() {
    let route = r#"Waypoints(name: "way", nodes: { "a": (at: (60.0, 151.0)), "b": (at: (220.0, 151.0)) },
        links: [(from: "a", to: "b", cost: None, one_way: false, by: Hand)]),"#;
    let fast = "speed: 300.0, jump_speed: 300.0, acceleration: 900.0";
    let slow_to_brake = "speed: 300.0, jump_speed: 300.0, acceleration: 500.0, braking: 0.5";
    let squire = "speed: 80.0, jump_speed: 300.0";
    let go = "GoTo(at: Some((220.0, 151.0)))";
    let once = r#"FollowRoute(layer: "way", mode: Once)"#;
    for (case, fields, order, at, jump_at_x) in [
        ("it is there at once", squire, go, (220.0, 151.0), None),
        ("it walks there", squire, go, (40.0, 151.0), None),
        ("it falls past the place, without a path", squire, go, (220.0, 60.0), None),
        ("it falls past the place, drifting", squire, go, (200.0, 60.0), None),
        ("it jumps across while it walks there", squire, go, (40.0, 151.0), Some(195.0)),
        ("it jumps across fast", fast, go, (40.0, 151.0), Some(150.0)),
        ("it runs fast", fast, go, (40.0, 151.0), None),
        ("it is slow to brake", slow_to_brake, go, (20.0, 151.0), None),
        ("it comes from the right", fast, go, (310.0, 151.0), None),
        ("it ends a route", fast, once, (40.0, 151.0), None),
        ("it ends a route, slow to brake", slow_to_brake, once, (40.0, 151.0), None),
    ] {
        let mut world = walker(fields, order, at, route);
        let (stood, far) = arrive(&mut world, 220.0, jump_at_x);
        assert!(stood, "{case}: it has arrived in the air");
        assert!(far <= NEAR_PX, "{case}: it goes on {far} px beyond");
    }
}

#[test]
fn whoever_chases_has_arrived_as_soon_as_it_catches() {
    // It need not be able to stop there: what it chases runs on as a rule.
    let fast = "speed: 300.0, jump_speed: 300.0, acceleration: 300.0";
    let mut world = walker(fast, r#"Chase(target: "tag:mark")"#, (20.0, 151.0), "");
    let key = world.by_id("w").unwrap();
    let n_ticks = (0..640).find(|_| {
        world.step(&Input::NONE);
        state(&world, "w") == "There"
    });
    assert!(n_ticks.is_some() && world.physics().on_ground(key) && (pose(&world).0 - 220.0).abs() <= NEAR_PX);
}

#[test]
fn what_floats_or_hangs_arrives_without_ground() {
    let fields = "speed: 80.0, jump_speed: 300.0";
    let mut world = walker(fields, "GoTo(at: Some((220.0, 60.0)))", (40.0, 60.0), "");
    let key = world.by_id("w").unwrap();
    assert!(world.set_field(key, "Body.gravity_scale", levelwright::model::Value::Float(0.0)));
    (0..64 * 6).for_each(|_| world.step(&Input::NONE));
    assert_eq!(state(&world, "w"), "There", "without weight, at {:?}", pose(&world));
}

#[test]
fn seen_from_above_it_stops_where_its_order_ends() {
    let route = r#"Waypoints(name: "way", nodes: { "a": (at: (60.0, 100.0)), "b": (at: (220.0, 100.0)) },
        links: [(from: "a", to: "b", cost: None, one_way: false, by: Hand)]),"#;
    let go = "GoTo(at: Some((220.0, 100.0)))";
    let once = r#"FollowRoute(layer: "way", mode: Once)"#;
    for mover in [
        "Walker: (speed: 160.0, acceleration: 400.0)",
        "Walker: (speed: 240.0, acceleration: 400.0)",
        "Walker: (speed: 300.0, acceleration: 300.0)",
        "Walker: (speed: 300.0, acceleration: 500.0, braking: 0.5)",
        "Flyer: (speed: 300.0, acceleration: 300.0)",
    ] {
        for (order, y) in [(go, 100.0), (once, 100.0), (go, 60.0)] {
            let defs = format!(
                r#"{{ "w": (set: (Brain: (machines: ["go"]), {mover}, Body: (), Collider: (shape: Circle(6.0)), Agent: (radius: 6.0))) }}"#
            );
            let machine = format!(
                r#"{{ "go": (initial: "Go", states: {{ "Go": (enter: [{order}], transitions: [(on: "Arrived", to: "There")]), "There": () }}) }}"#
            );
            let entities = actors(&format!(r#""w": (def: "w", at: (40.0, {y:?}))"#));
            let mut world = map("TopDown", &[""; 12], &defs, &machine, &format!("{entities}{route}"));
            let far = |world: &World| {
                let pos = world.entity(world.by_id("w").unwrap()).unwrap().pos;
                pos.distance(glam::Vec2::new(220.0, 100.0))
            };
            let arrives = (0..64 * 8).any(|_| {
                world.step(&Input::NONE);
                state(&world, "w") == "There"
            });
            assert!(arrives, "{mover}, {order}: {} px away", far(&world));
            let most = (0..128).map(|_| {
                world.step(&Input::NONE);
                far(&world)
            });
            let most = most.fold(0.0, f32::max);
            assert!(most <= NEAR_PX, "{mover}, {order}: it goes on {most} px beyond");
        }
    }
}

#[test]
fn one_that_falls_more_slowly_jumps_over_walls_that_are_higher() {
    let rows = ["", "", "", "", "", "", "", "", "", "............#", "####################"];
    let flees = |gravity_scale: f32, jump_speed: f32| {
        let defs = format!(
            r#"{{ "w": (set: (Brain: (machines: ["flees"]), Walker: (speed: 100.0, jump_speed: {jump_speed:.1}, step_height: 14.0),
                Body: (gravity_scale: {gravity_scale:.1}), Collider: (shape: Box((10.0, 16.0))))), "cat": () }}"#
        );
        let machines = r#"{ "flees": (enter: [Flee(target: "cat")]) }"#;
        let entities = actors(r#""w": (def: "w", at: (120.0, 152.0)), "c": (def: "cat", at: (60.0, 152.0))"#);
        let mut world = map("Platformer", &rows, &defs, machines, &entities);
        (0..300).for_each(|_| world.step(&Input::NONE));
        pose(&world).0
    };
    // It jumps 12 px high, and with half the gravity 25.
    assert!(flees(1.0, 150.0) < 192.0, "{}", flees(1.0, 150.0));
    assert!(flees(0.5, 150.0) > 224.0, "{}", flees(0.5, 150.0));
    // With twice the gravity 12, although it would be 25 with the plain one: it does not hop at the wall for ever.
    assert!(flees(2.0, 212.0) < 192.0);
}

#[test]
fn agents_with_one_goal_arrive_or_report_that_it_is_taken() {
    let rows: Vec<String> = (0..20).map(|_| ".".repeat(30)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    for (mover, mask, speed) in [("Walker", "[World, Actor]", 80.0), ("Flyer", "[World, Actor]", 45.0)] {
        let defs = format!(
            r#"{{ "w": (set: (Brain: (machines: ["go"]), {mover}: (speed: {speed:?}), Body: (lock_rotation: true, gravity_scale: 0.0),
                Collider: (shape: Circle(7.0), friction: 0.0, layer: [Actor], mask: {mask}), Agent: (radius: 7.0, avoid_secs: 0.0))) }}"#
        );
        let machine = r#"{ "go": (initial: "Go", states: {
            "Go": (enter: [GoTo(at: Some((300.0, 200.0)))], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
            "There": (), "Stuck": () }) }"#;
        let entities = actors(r#""a": (def: "w", at: (60.0, 100.0)), "b": (def: "w", at: (100.0, 200.0))"#);
        let mut world = map("TopDown", &rows, &defs, machine, &entities);
        let mut states = Vec::new();
        for _ in 0..64 * 30 {
            world.step(&Input::NONE);
            states = ["a", "b"].map(|id| state(&world, id)).to_vec();
            if !states.iter().any(|state| state == "Go") {
                break;
            }
        }
        assert!(states.iter().any(|state| state == "There"), "{mover}: {states:?}");
        assert!(!states.iter().any(|state| state == "Go"), "{mover}: {states:?}");
    }
}

/// A mover and a target that stop each other: the target's shape, place and further components, and the machines of
/// both. The mover is `w` and begins at 60 px.
fn pair(view: &str, mover: &str, order: &str, target: (&str, (f32, f32), &str), rows: &[&str]) -> World {
    let (shape, at, more) = target;
    let defs = format!(
        r#"{{ "w": (set: (Brain: (machines: ["go"]), {mover}, Body: (lock_rotation: true),
                Collider: (shape: Circle(7.0), friction: 0.0), Agent: (radius: 7.0))),
            "t": (set: (Collider: (shape: {shape}), {more})) }}"#
    );
    let machines = format!(
        r#"{{ "go": (initial: "Go", states: {{
                "Go": (enter: [{order}], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
                "There": (transitions: [(on: "Arrived", to: "Again")]), "Again": (), "Stuck": () }}),
            "leave": (enter: [GoTo(at: Some((300.0, {:?})))]) }}"#,
        at.1
    );
    let y = if view == "TopDown" { at.1 } else { 153.0 };
    let entities = format!(r#""w": (def: "w", at: (60.0, {y:?})), "t": (def: "t", at: ({:?}, {:?}))"#, at.0, at.1);
    map(view, rows, &defs, &machines, &actors(&entities))
}

#[test]
fn whoever_touches_its_target_has_arrived() {
    let open = ["...................."; 12];
    let pedestal = [&FLAT[..8], &["............#", "............#", "####################"]].concat();
    let high = [&FLAT[..7], &["............#", "............#", "............#", "####################"]].concat();
    let walker = "Walker: (speed: 80.0, jump_speed: 300.0)";
    let still = "Body: (kind: Static)";
    let stands = "Body: (lock_rotation: true), Walker: (speed: 40.0)";
    for order in [r#"Chase(target: "t")"#, r#"GoTo(target: "t")"#] {
        for (case, view, mover, target, rows) in [
            ("an agent, from above", "TopDown", walker, ("Circle(9.0)", (200.0, 90.0), stands), &open[..]),
            ("a flyer", "TopDown", "Flyer: (speed: 80.0)", ("Circle(9.0)", (200.0, 90.0), stands), &open),
            ("a large body, from above", "TopDown", walker, ("Box((70.0, 70.0))", (200.0, 90.0), still), &open),
            ("an agent", "Platformer", walker, ("Circle(9.0)", (200.0, 151.0), stands), &FLAT),
            ("a wide agent", "Platformer", walker, ("Box((40.0, 24.0))", (200.0, 148.0), stands), &FLAT),
            ("a tall body", "Platformer", walker, ("Box((40.0, 150.0))", (200.0, 85.0), still), &FLAT),
            (
                "one that fills its pedestal",
                "Platformer",
                walker,
                ("Box((16.0, 16.0))", (200.0, 120.0), still),
                &pedestal,
            ),
            ("one on a high pedestal", "Platformer", walker, ("Circle(7.0)", (200.0, 105.0), stands), &high),
        ] {
            let mut world = pair(view, mover, order, target, rows);
            let arrives = (0..64 * 8).any(|_| {
                world.step(&Input::NONE);
                state(&world, "w") != "Go"
            });
            assert!(
                arrives && state(&world, "w") == "There",
                "{order}, {case}: {} at {:?}",
                state(&world, "w"),
                pose(&world)
            );
            (0..64 * 4).for_each(|_| world.step(&Input::NONE));
            assert_eq!(state(&world, "w"), "There", "{order}, {case}: it arrives once");
        }
    }
}

#[test]
fn a_chase_goes_on_where_the_target_leaves() {
    let rows = ["...................."; 12];
    let leaves = r#"Brain: (machines: ["leave"]), Body: (lock_rotation: true), Walker: (speed: 40.0)"#;
    for (view, y, rows) in [("TopDown", 90.0, &rows[..]), ("Platformer", 153.0, &FLAT)] {
        let walker = "Walker: (speed: 80.0, jump_speed: 300.0)";
        let mut world = pair(view, walker, r#"Chase(target: "t")"#, ("Circle(7.0)", (100.0, y), leaves), rows);
        (0..64 * 9).for_each(|_| world.step(&Input::NONE));
        let at = |id| world.entity(world.by_id(id).unwrap()).unwrap().pos;
        assert!(at("t").x > 290.0, "{view}: {}", at("t"));
        assert!(at("w").distance(at("t")) < 16.0, "{view}: {} {}", at("w"), at("t"));
        assert_ne!(state(&world, "w"), "Stuck", "{view}");
    }
}

#[test]
fn solid_targets_of_any_size_are_reached_from_both_sides() {
    for (shape, half) in
        [("Box((24.0, 8.0))", 4.0), ("Box((4.0, 80.0))", 40.0), ("Circle(5.0)", 5.0), ("Box((10.0, 30.0))", 15.0)]
    {
        for (kind, jump, order) in [
            ("Static", 0.0, r#"GoTo(target: "t")"#),
            ("Kinematic", 0.0, r#"Chase(target: "t")"#),
            ("Static", 300.0, r#"GoTo(target: "t")"#),
        ] {
            for x in [120.0, 121.0, 125.5, 128.0, 131.0, 134.0].into_iter().flat_map(|x| [x, x + 80.0]) {
                // The mover begins at 60 px, and at 260 px where the target is mirrored.
                let mover = format!("Walker: (speed: 60.0, jump_speed: {jump:?})");
                let more = format!("Body: (kind: {kind})");
                let mut world = pair("Platformer", &mover, order, (shape, (x, 160.0 - half), &more), &FLAT);
                if x > 160.0 {
                    world.move_to(world.by_id("w").unwrap(), glam::Vec2::new(290.0, 153.0), 0.0);
                }
                let arrives = (0..64 * 8).any(|_| {
                    world.step(&Input::NONE);
                    state(&world, "w") != "Go"
                });
                let case = format!("{order}, {kind} {shape} at {x}, jump {jump}");
                assert!(
                    arrives && state(&world, "w") == "There",
                    "{case}: {} at {:?}",
                    state(&world, "w"),
                    pose(&world)
                );
            }
        }
    }
}

#[test]
fn a_solid_target_at_the_end_of_a_ledge_is_reached_on_the_ledge_or_not_at_all() {
    let ledge = |step: &'static str| [&FLAT[..6], &["....############", "", step, "", "####################"]].concat();
    let (with_step, without) = (ledge(".................###"), ledge(""));
    let low = [&FLAT[..8], &["....############", "....#####", "####################"]].concat();
    let walker = "Walker: (speed: 80.0, jump_speed: 300.0)";
    for order in [r#"Chase(target: "t")"#, r#"GoTo(target: "t")"#] {
        for (case, at, rows, end) in [
            ("by a step far off", (88.0, 88.0), &with_step, "There"),
            ("out of reach", (88.0, 88.0), &without, "Stuck"),
            ("a jump away", (88.0, 120.0), &low, "There"),
            ("a jump away, with a free cell", (104.0, 120.0), &low, "There"),
        ] {
            let target = ("Box((16.0, 16.0)), layer: [World]", at, "Body: (kind: Static)");
            let mut world = pair("Platformer", walker, order, target, rows);
            let begin = pose(&world).0;
            (0..64 * 10).find(|_| {
                world.step(&Input::NONE);
                state(&world, "w") != "Go"
            });
            assert_eq!(state(&world, "w"), end, "{order}, {case}: at {:?}", pose(&world));
            assert!(end == "There" || (pose(&world).0 - begin).abs() < 8.0, "{order}, {case}: it stays");
        }
    }
}
