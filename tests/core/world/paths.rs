//! Finding the way in a running level: doors that are too narrow or closed, crowds, and the order of the file.

use levelwright::{
    model::Value,
    sim::{
        Input, TraceKind, World,
        nav::{Agent, Ground, NoPathReason},
        probe::Question,
        world::StillCause,
    },
};

use super::run;
use crate::preview::{actors, map, state};

/// A level seen from above, `#` for stone.
fn from_above(rows: &[&str], defs: &str, machines: &str, entities: &str) -> World {
    map("TopDown", rows, defs, machines, &actors(entities))
}

/// How many messages `Blocked` an entity got since they were last counted, and why it is blocked now.
fn blocked(world: &mut World, id: &str) -> (usize, Option<NoPathReason>) {
    let is_blocked = |kind: &TraceKind| matches!(kind, TraceKind::Message { name, .. } if &**name == "Blocked");
    let n = world.drain_events().iter().filter(|event| &*event.entity == id && is_blocked(&event.kind)).count();
    let key = world.by_id(id).unwrap();
    let now = world.paths().find(|path| path.key == key).and_then(|path| path.no_path);
    (n, now.map(|why| why.reason))
}

/// A wall with a door of 16 px and, lower, one of 48 px.
const DOORS: [&str; 12] = [
    "####################",
    "#.........#........#",
    "#..................#",
    "#.........#........#",
    "#.........#........#",
    "#.........#........#",
    "#.........#........#",
    "#..................#",
    "#..................#",
    "#..................#",
    "#.........#........#",
    "####################",
];

const GO: &str = r#"{ "go": (initial: "Go", states: {
    "Go": (enter: [GoTo(at: Some((248.0, 40.0)))], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
    "There": (), "Stuck": (transitions: [(on: "Arrived", to: "There")]),
}) }"#;

fn walker(radius: f32) -> String {
    format!(
        "{{ \"w\": (set: (Brain: (machines: [\"go\"]), Walker: (speed: 100.0), Body: (),
            Collider: (shape: Circle({radius}), layer: [Actor], mask: [World]), Agent: (radius: {radius}))),
            \"door\": (set: (Body: (kind: Static), Collider: (shape: Box((12.0, 48.0)), layer: [World]))) }}"
    )
}

#[test]
fn who_has_nothing_to_go_to_is_told_once() {
    let machines = |order: &str| {
        format!(
            r#"{{ "go": (initial: "Go", states: {{ "Go": (enter: [{order}]) }}),
                "die": (initial: "Live", states: {{ "Live": (transitions: [(after: 0.5, to: "Gone")]), "Gone": (enter: [Despawn]) }}) }}"#
        )
    };
    let defs = |walker: &str| {
        format!(
            r#"{{ "w": (set: (Brain: (machines: ["go"]), {walker}, Body: (), Collider: (shape: Circle(6.0)), Agent: (radius: 6.0))),
                "prey": (set: (Brain: (machines: ["die"]), Body: (kind: Static), Collider: (shape: Circle(4.0), sensor: true))) }}"#
        )
    };
    let entities = r#""w": (def: "w", at: (40.0, 40.0)), "prey": (def: "prey", at: (120.0, 150.0))"#;
    for (view, walker) in [("TopDown", "Walker: ()"), ("TopDown", "Flyer: ()"), ("Platformer", "Walker: ()")] {
        for order in [
            "GoTo()",
            "GoTo(any: [])",
            "GoTo(target: \"self\")",
            "GoTo(target: \"nosuch\")",
            "GoTo(at: Some((90.0, 40.0)), layer: \"nosuch\")",
            "FollowRoute(layer: \"nosuch\")",
            "Chase(target: \"nosuch\")",
            "Chase(target: \"prey\")",
        ] {
            let mut world = map(view, &DOORS, &defs(walker), &machines(order), &actors(entities));
            (0..120).for_each(|_| world.step(&Input::NONE));
            assert_eq!(blocked(&mut world, "w"), (1, Some(NoPathReason::NoTarget)), "{view}, {walker}, {order}");
        }
    }
}

#[test]
fn what_cannot_move_by_itself_says_so() {
    let machines = r#"{ "go": (enter: [GoTo(at: Some((140.0, 40.0)))]) }"#;
    let (open, closed) = ("#..........#", "############");
    let rows = [closed, open, open, open, closed];
    let walker = "Walker: (), Body: (), Collider: (shape: Circle(6.0)), Agent: ()";
    let track = r#"Tracks: (tracks: { "t": (drives: Position, mode: Loop, keys: [(at: 0.0, value: (40.0, 40.0)), (at: 1.0, value: (40.0, 40.2))]) })"#;
    let cases = [
        ("TopDown", walker.replace("Walker: ()", "Walker: (speed: 0.0)"), StillCause::NoSpeed),
        ("TopDown", walker.replace("Walker: ()", "Flyer: (speed: 0.0)"), StillCause::NoSpeed),
        ("Platformer", walker.replace("Walker: ()", "Walker: (speed: 0.0)"), StillCause::NoSpeed),
        ("Platformer", walker.replace("Walker: ()", "Walker: (acceleration: 0.0)"), StillCause::NoAcceleration),
        ("TopDown", walker.replace("Walker: ()", "Flyer: (acceleration: 0.0)"), StillCause::NoAcceleration),
        ("TopDown", walker.replace("Walker: (), ", ""), StillCause::NoMover),
        ("TopDown", "Agent: ()".to_owned(), StillCause::NoBody),
        ("TopDown", format!("{walker}, {track}"), StillCause::TrackHolds),
    ];
    for (view, components, cause) in cases {
        let defs = format!(r#"{{ "w": (set: (Brain: (machines: ["go"]), {components})) }}"#);
        let mut world = map(view, &rows, &defs, machines, &actors("\"w\": (def: \"w\", at: (40.0, 40.0))"));
        (0..300).for_each(|_| world.step(&Input::NONE));
        assert_eq!(blocked(&mut world, "w"), (1, Some(NoPathReason::CannotMove)), "{view}, {components}");
        let why = world.why_still(world.by_id("w").unwrap()).unwrap();
        assert_eq!(why.cause, cause, "{view}, {components}: {}", why.sentence);
    }
    // Not where it is at its goal, or a track takes it there; and it goes on once it can move.
    let statue = r#"{ "w": (set: (Brain: (machines: ["go"]), Body: (), Collider: (shape: Circle(6.0)))) }"#;
    let mut world = map("TopDown", &rows, statue, machines, &actors(r#""w": (def: "w", at: (140.0, 40.0))"#));
    (0..300).for_each(|_| world.step(&Input::NONE));
    assert_eq!(blocked(&mut world, "w"), (0, None));
    let slow = r#"{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 0.0), Body: (), Collider: (shape: Circle(6.0)))) }"#;
    let mut world = map("TopDown", &rows, slow, machines, &actors(r#""w": (def: "w", at: (40.0, 40.0))"#));
    (0..300).for_each(|_| world.step(&Input::NONE));
    assert_eq!(blocked(&mut world, "w"), (1, Some(NoPathReason::CannotMove)));
    assert!(world.set_field(world.by_id("w").unwrap(), "Walker.speed", Value::Float(80.0)));
    (0..300).for_each(|_| world.step(&Input::NONE));
    assert_eq!(blocked(&mut world, "w"), (0, None));
    let at = world.entity(world.by_id("w").unwrap()).unwrap().pos;
    assert!((at.x - 140.0).abs() < 9.0, "{at}");
}

#[test]
fn a_walker_that_a_track_turns_jumps_and_arrives() {
    let (open, closed) = ("............", "############");
    let rows = [open, open, open, open, "......######", "......######", closed];
    let defs = r#"{ "w": (set: (Brain: (machines: ["go"]), Walker: (), Body: (), Collider: (shape: Capsule(radius: 5.0, height: 14.0)), Agent: (),
        Tracks: (tracks: { "t": (drives: Rotation, mode: PingPong, keys: [(at: 0.0, value: -1.0), (at: 0.5, value: 1.0)]) }))) }"#;
    let entities = r#""w": (def: "w", at: (30.0, 88.0))"#;
    let mut world = map("Platformer", &rows, defs, &GO.replace("248.0, 40.0", "160.0, 56.0"), &actors(entities));
    run(&mut world, 60 * 8);
    assert_eq!(state(&world, "w"), "There", "at {:?}", world.entity(world.by_id("w").unwrap()).unwrap().pos);
}

#[test]
fn a_wide_walker_goes_around_by_the_wide_door() {
    let mut world = from_above(&DOORS, &walker(14.0), GO, "\"w\": (def: \"w\", at: (40.0, 40.0))");
    run(&mut world, 60 * 8);
    assert_eq!(state(&world, "w"), "There", "at {:?}", world.entity(world.by_id("w").unwrap()).unwrap().pos);
}

#[test]
fn of_several_goals_it_goes_to_the_one_that_is_nearest_along_its_path() {
    let mut rows = DOORS;
    rows[2] = rows[1];
    let defs = walker(4.0).replace("\"door\"", "\"prize\": (), \"door\"");
    // Behind the wall is nearer as the crow flies.
    let both = "\"w\": (def: \"w\", at: (140.0, 24.0)), \"p\": (def: \"prize\", at: (200.0, 24.0))";
    let reached = |rows: &[&str], goals: &str, entities: &str| {
        let machines = GO.replace("at: Some((248.0, 40.0))", goals);
        let mut world = from_above(rows, &defs, &machines, entities);
        run(&mut world, 60 * 6);
        assert_eq!(state(&world, "w"), "There");
        world.entity(world.by_id("w").unwrap()).unwrap().pos.x.round()
    };
    let near = |x: f32, goal: f32| assert!((x - goal).abs() < 8.0, "{x} is not {goal}");
    near(reached(&rows, "any: [(200.0, 24.0), (24.0, 24.0)]", both), 24.0);
    near(reached(&rows, "target: \"prize\", at: Some((24.0, 24.0))", both), 24.0);
    near(reached(&rows, "any: [(200.0, 24.0), (24.0, 24.0)]", &both.replace("140.0", "180.0")), 200.0);
    let two = format!("{both}, \"q\": (def: \"prize\", at: (40.0, 150.0))");
    near(reached(&rows, "target: \"prize\"", &two), 40.0);
    // A goal that nothing leads to does not matter.
    let wall = rows[1];
    rows[7..10].fill(wall);
    near(reached(&rows, "any: [(200.0, 24.0), (24.0, 24.0)]", both), 24.0);
}

#[test]
fn where_every_door_is_too_narrow_it_says_so() {
    let mut rows = DOORS;
    rows[7..10].fill("#.........#........#");
    let mut world = from_above(&rows, &walker(14.0), GO, "\"w\": (def: \"w\", at: (40.0, 40.0))");
    (0..60).for_each(|_| world.step(&Input::NONE));
    assert_eq!(blocked(&mut world, "w"), (1, Some(NoPathReason::TooNarrow)));
    assert_eq!(state(&world, "w"), "Stuck");
}

/// A narrow passage on the way that has a wide one beside it is none of the reasons.
#[test]
fn the_door_that_keeps_it_from_its_goal_is_named_and_no_other() {
    for thick in 1..4 {
        let wall = |x: usize| (4..4 + thick).contains(&x) || (12..12 + thick).contains(&x);
        let rows: Vec<String> = (0..12_usize)
            .map(|y| {
                let is_open = |x: usize| y == 5 || x < 10 && (8..11).contains(&y);
                let is_solid = |x: usize| y % 11 == 0 || x.is_multiple_of(19) || wall(x) && !is_open(x);
                (0..20).map(|x| if is_solid(x) { '#' } else { '.' }).collect()
            })
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let machines = GO.replace("(248.0, 40.0)", "(280.0, 88.0)");
        let mut world = from_above(&rows, &walker(14.0), &machines, "\"w\": (def: \"w\", at: (40.0, 88.0))");
        (0..60).for_each(|_| world.step(&Input::NONE));
        assert_eq!(blocked(&mut world, "w"), (1, Some(NoPathReason::TooNarrow)), "{thick}");
        let at = world.paths().next().and_then(|path| path.no_path).unwrap().at;
        assert!((at.x - (12.0 + thick as f32 / 2.0) * 16.0).abs() < 24.0, "{thick} thick: {at}");
    }
}

#[test]
fn a_closed_door_is_a_wall_until_it_opens() {
    let mut rows = DOORS;
    rows[2] = "#.........#........#";
    let door = "\"w\": (def: \"w\", at: (40.0, 40.0)), \"d\": (def: \"door\", at: (168.0, 136.0))";
    let mut world = from_above(&rows, &walker(6.0), GO, door);
    (0..120).for_each(|_| world.step(&Input::NONE));
    assert_eq!(blocked(&mut world, "w"), (1, Some(NoPathReason::Unconnected)));
    let door = world.by_id("d").unwrap();
    assert!(world.set_field(door, "Collider.sensor", Value::Bool(true)));
    run(&mut world, 60 * 6);
    assert_eq!(state(&world, "w"), "There");
    // One that closes in front of it does not leave it standing there in silence.
    let mut world = from_above(
        &rows,
        &walker(6.0),
        GO,
        "\"w\": (def: \"w\", at: (40.0, 40.0)), \"d\": (def: \"door\", at: (168.0, 136.0), set: (Collider: (sensor: true)))",
    );
    (0..40).for_each(|_| world.step(&Input::NONE));
    assert_eq!(state(&world, "w"), "Go");
    let door = world.by_id("d").unwrap();
    assert!(world.set_field(door, "Collider.sensor", Value::Bool(false)));
    (0..30).for_each(|_| world.step(&Input::NONE));
    assert_eq!(state(&world, "w"), "Stuck");
}

#[test]
fn one_that_is_held_up_by_others_reports_it() {
    let mut rows = DOORS;
    rows[7..10].fill("#.........#........#");
    // A crate that does not move stands in the door, and is no wall for the search.
    let defs = walker(6.0).replace("\"door\"", "\"crate\": (set: (Body: (kind: Dynamic, mass: 1e6, lock_rotation: true, damping: 1000.0), Collider: (shape: Box((14.0, 14.0)), layer: [World]))), \"door\"");
    let mut world = from_above(
        &rows,
        &defs,
        GO,
        "\"w\": (def: \"w\", at: (40.0, 40.0)), \"c\": (def: \"crate\", at: (168.0, 40.0))",
    );
    (0..60 * 6).for_each(|_| world.step(&Input::NONE));
    assert_eq!(blocked(&mut world, "w"), (1, Some(NoPathReason::Crowded)), "once, however long it lasts");
    let body = world.by_id("c").unwrap();
    assert!(world.set_field(body, "Collider.sensor", Value::Bool(true)));
    run(&mut world, 60 * 4);
    assert_eq!(state(&world, "w"), "There", "it goes on as soon as it can");
}

#[test]
fn what_stands_in_a_door_is_gone_around_where_there_is_another() {
    let crate_of = |mass: &str| {
        format!(
            "\"block\": (set: (Body: (mass: {mass}), Collider: (shape: Box((14.0, 14.0)), layer: [World]))), \"door\""
        )
    };
    let guard = "\"block\": (set: (Walker: (), Body: (), Collider: (shape: Circle(7.0), layer: [World], mask: [World]))), \"door\"";
    for block in [crate_of("500.0"), crate_of("1e6"), guard.to_owned()] {
        let defs = walker(6.0).replace("\"door\"", &block);
        let entities = "\"w\": (def: \"w\", at: (40.0, 40.0)), \"c\": (def: \"block\", at: (168.0, 40.0))";
        let mut world = from_above(&DOORS, &defs, GO, entities);
        (0..64 * 10).for_each(|_| world.step(&Input::NONE));
        assert_eq!(blocked(&mut world, "w"), (0, None), "{block}");
        assert_eq!(state(&world, "w"), "There", "{block}");
    }
}

#[test]
fn a_goal_within_a_wall_is_reported_from_as_near_as_one_gets() {
    let go = GO.replace("(248.0, 40.0)", "(163.0, 88.0)");
    let mut world = from_above(&DOORS, &walker(6.0), &go, "\"w\": (def: \"w\", at: (40.0, 40.0))");
    (0..60 * 6).for_each(|_| world.step(&Input::NONE));
    assert_eq!(blocked(&mut world, "w"), (1, Some(NoPathReason::Wall)));
}

#[test]
fn a_goal_too_near_to_a_wall_is_reached_as_near_as_one_gets() {
    // 10 px from the wall, where an agent of 14 px cannot stand.
    let go = GO.replace("(248.0, 40.0)", "(26.0, 104.0)");
    let mut world = from_above(&DOORS, &walker(14.0), &go, "\"w\": (def: \"w\", at: (100.0, 40.0))");
    run(&mut world, 60 * 4);
    assert_eq!(state(&world, "w"), "There");
}

/// What a path search without a run says of a goal: nothing where it finds a path.
fn probed(world: &World, radius: f32, to: (f32, f32)) -> Option<NoPathReason> {
    let question = Question {
        ends: [(152.0, 88.0), to].map(Into::into),
        agent: Agent { radius, ..Agent::point("walk") },
        on: Ground::Grid,
        weight: 1.0,
        near_px: 12.0,
        walker: None,
    };
    world.navigator().clone().find_now(&question.request()).no_path.map(|why| why.reason)
}

#[test]
fn goals_beside_walls_are_reached_as_near_as_there_is_room_and_alike_on_all_sides() {
    let mut room = ["#..................#"; 12];
    (room[0], room[11]) = ("####################", "####################");
    // Of a goal 8 px from a wall, and of one 1 px from it.
    for (radius, off, is_reached) in [
        (6.0, 8.0, true),
        (9.0, 8.0, true),
        (11.0, 8.0, true),
        (15.0, 8.0, true),
        (30.0, 8.0, false),
        (12.0, 1.0, true),
        (15.0, 1.0, false),
    ] {
        let (left, right, top, bottom) = (16.0 + off, 304.0 - off, 16.0 + off, 176.0 - off);
        for goal in [(left, 88.0), (right, 88.0), (152.0, top), (152.0, bottom)] {
            let go = GO.replace("(248.0, 40.0)", &format!("({:?}, {:?})", goal.0, goal.1));
            let mut world = from_above(&room, &walker(radius), &go, "\"w\": (def: \"w\", at: (152.0, 88.0))");
            assert_eq!(
                probed(&world, radius, goal),
                (!is_reached).then_some(NoPathReason::TooNarrow),
                "{radius}, {goal:?}"
            );
            (0..64 * 6).for_each(|_| world.step(&Input::NONE));
            let (n, why) = blocked(&mut world, "w");
            let expected = if is_reached { ("There", 0, None) } else { ("Stuck", 1, Some(NoPathReason::TooNarrow)) };
            let pos = world.entity(world.by_id("w").unwrap()).unwrap().pos;
            assert_eq!((state(&world, "w").as_str(), n, why), expected, "{radius}, {goal:?}: at {pos}");
        }
    }
}

#[test]
fn who_chases_one_beside_a_wall_catches_it() {
    let mut room = ["#..................#"; 12];
    (room[0], room[11]) = ("####################", "####################");
    for x in [22.0, 298.0] {
        let defs = walker(11.0).replace(
            "\"door\"",
            "\"prey\": (set: (Body: (kind: Static), Collider: (shape: Circle(5.0), layer: [Item]))), \"door\"",
        );
        let chase = GO.replace("GoTo(at: Some((248.0, 40.0)))", "Chase(target: \"prey\")");
        let entities = format!("\"w\": (def: \"w\", at: (152.0, 88.0)), \"p\": (def: \"prey\", at: ({x:?}, 88.0))");
        let mut world = from_above(&room, &defs, &chase, &entities);
        (0..64 * 5).for_each(|_| world.step(&Input::NONE));
        assert_eq!((state(&world, "w").as_str(), blocked(&mut world, "w")), ("There", (0, None)), "{x}");
    }
}

#[test]
fn a_kinematic_body_that_nothing_moves_is_a_closed_door() {
    let defs = walker(6.0).replace("kind: Static", "kind: Kinematic");
    // The narrow door is closed: it goes around by the wide one, or nowhere where there is none.
    let entities = "\"w\": (def: \"w\", at: (40.0, 40.0)), \"d\": (def: \"door\", at: (168.0, 40.0))";
    let mut world = from_above(&DOORS, &defs, GO, entities);
    run(&mut world, 60 * 8);
    assert_eq!((state(&world, "w").as_str(), blocked(&mut world, "w")), ("There", (0, None)));
    let mut rows = DOORS;
    rows[7..10].fill("#.........#........#");
    let mut world = from_above(&rows, &defs, GO, entities);
    (0..60).for_each(|_| world.step(&Input::NONE));
    assert_eq!(blocked(&mut world, "w"), (1, Some(NoPathReason::Unconnected)));
    // As soon as it moves it is none.
    let door = world.by_id("d").unwrap();
    assert!(world.set_field(door, "Body.velocity", "(0.0, -40.0)".parse().unwrap()));
    run(&mut world, 60 * 6);
    assert_eq!(state(&world, "w"), "There");
}

#[test]
fn whoever_goes_over_the_edge_gets_a_message_once() {
    let defs = r#"{ "ball": (set: (Brain: (machines: ["count"]), Body: (kind: Kinematic, velocity: (120.0, 0.0)), Collider: (shape: Circle(4.0), sensor: true))) }"#;
    let machines = r#"{ "count": (initial: "In", states: {
        "In": (transitions: [(on: "LeftLevel", to: "Out")]),
        "Out": (transitions: [(on: "LeftLevel", to: "Again")]), "Again": (),
    }) }"#;
    let ball = |x: f32| format!("\"b\": (def: \"ball\", at: ({x}, 20.0))");
    let mut world = from_above(&["...................."; 12], defs, machines, &ball(300.0));
    run(&mut world, 2);
    assert_eq!(state(&world, "b"), "In");
    run(&mut world, 60);
    assert_eq!(state(&world, "b"), "Out", "at {:?}", world.entity(world.by_id("b").unwrap()).unwrap().pos);
    let mut world = from_above(&["...................."; 12], defs, machines, &ball(400.0));
    run(&mut world, 60);
    assert_eq!(state(&world, "b"), "In", "it was placed outside");
    // The trace has it of those without machines, too.
    let mut world =
        from_above(&["...................."; 12], &defs.replace("[\"count\"]", "[]"), machines, &ball(300.0));
    (0..120).for_each(|_| world.step(&Input::NONE));
    let is_it = |kind: &TraceKind| matches!(kind, TraceKind::Message { name, .. } if &**name == "LeftLevel");
    assert_eq!(world.drain_events().iter().filter(|event| is_it(&event.kind)).count(), 1);
}

#[test]
fn the_order_in_the_file_does_not_change_the_run() {
    let defs = r#"{
        "ball": (set: (Body: (kind: Dynamic), Collider: (shape: Circle(6.0), restitution: 0.5))),
        "goblin": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0), Body: (), Collider: (shape: Circle(5.0)), Agent: (radius: 5.0))),
    }"#;
    let mut placed: Vec<String> = (0..24)
        .map(|i| {
            let def = if i % 3 == 0 { "goblin" } else { "ball" };
            format!("\"e{i}\": (def: \"{def}\", at: ({}.0, {}.0))", 30 + i * 5, 30 + (i * 37) % 120)
        })
        .collect();
    let hash = |placed: &[String]| {
        let mut world = from_above(&DOORS, defs, GO, &placed.join(", "));
        let mut poses = Vec::new();
        (0..200).for_each(|_| world.step(&Input::NONE));
        for entity in world.entities() {
            poses.push((entity.id.clone(), entity.pos.x.to_bits(), entity.pos.y.to_bits()));
        }
        (world.hash(), poses)
    };
    let written = hash(&placed);
    placed.reverse();
    assert_eq!(hash(&placed), written);
    placed.rotate_left(7);
    placed.swap(0, 11);
    assert_eq!(hash(&placed), written);
}

#[test]
fn one_that_waits_in_vain_does_not_search_again_and_again() {
    let mut rows = DOORS;
    rows[7..10].fill("#.........#........#");
    let mut world = from_above(&rows, &walker(14.0), GO, "\"w\": (def: \"w\", at: (40.0, 40.0))");
    run(&mut world, 60);
    let answer = |world: &World| world.paths().next().unwrap().searched.map(std::ptr::from_ref);
    let first = answer(&world);
    assert!(first.is_some());
    run(&mut world, 60 * 3);
    assert_eq!(answer(&world), first, "the same answer, as long as nothing changes");
    let key = world.by_id("w").unwrap();
    assert!(world.set_field(key, "Agent.radius", Value::Float(6.0)));
    assert!(world.set_field(key, "Collider.shape", "Circle(6.0)".parse().unwrap()));
    run(&mut world, 60 * 6);
    assert_eq!(state(&world, "w"), "There", "narrower now, it asks again");
}

#[test]
fn a_body_wider_than_its_agent_does_not_try_doors_that_are_too_narrow_for_it() {
    let body = |shape: &str| walker(6.0).replace("shape: Circle(6)", &format!("shape: {shape}"));
    let mut world = from_above(&DOORS, &body("Box((24.0, 24.0))"), GO, "\"w\": (def: \"w\", at: (40.0, 40.0))");
    run(&mut world, 60 * 8);
    assert_eq!(state(&world, "w"), "There", "it goes around by the wide door");
    // Narrow in one direction, it may get through; where it does not, that is said.
    let mut world = from_above(&DOORS, &body("Box((12.0, 40.0))"), GO, "\"w\": (def: \"w\", at: (40.0, 40.0))");
    run(&mut world, 60 * 6);
    assert_eq!(world.paths().next().and_then(|path| path.no_path).map(|why| why.reason), Some(NoPathReason::TooNarrow));
    // What goes through walls is as wide as it says.
    let ghost = body("Box((24.0, 24.0))").replace("mask: [World]", "mask: []");
    let mut world = from_above(&DOORS, &ghost, GO, "\"w\": (def: \"w\", at: (40.0, 40.0))");
    let lowest = |world: &mut World| {
        (0..60 * 5).fold(0.0_f32, |lowest, _| {
            world.step(&Input::NONE);
            lowest.max(world.entity(world.by_id("w").unwrap()).unwrap().pos.y)
        })
    };
    assert!(lowest(&mut world) < 60.0 && state(&world, "w") == "There", "straight on");
}

#[test]
fn the_body_of_an_agent_has_room_where_it_is_and_not_at_its_origin() {
    let mut rows = ["#.......#..........#"; 12];
    (rows[0], rows[4], rows[11]) = ("####################", "#..................#", "####################");
    let go = "GoTo(at: Some((280.0, 72.0)))";
    let machine = format!(
        r#"{{ "go": (initial: "Go", states: {{
            "Go": (enter: [{go}], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]), "There": (), "Stuck": () }}) }}"#
    );
    for mover in ["Walker: (speed: 80.0)", "Flyer: (speed: 80.0)"] {
        for (shape, offset, angle) in [
            ("Circle(5.0)", (0.0, 10.0), 0.0),
            ("Circle(5.0)", (0.0, -8.0), 0.0),
            ("Circle(7.0)", (9.0, 14.0), 0.0),
            ("Box((10.0, 6.0))", (0.0, 7.0), 0.0),
            ("Circle(5.0)", (10.0, 0.0), 90.0),
        ] {
            let defs = format!(
                r#"{{ "w": (set: (Brain: (machines: ["go"]), {mover}, Body: (lock_rotation: true), Agent: (),
                    Collider: (shape: {shape}, offset: {offset:?}, friction: 0.0))) }}"#
            );
            let entities = actors(&format!(r#""w": (def: "w", at: (60.0, 72.0), rotation: {angle:?})"#));
            let mut world = map("TopDown", &rows, &defs, &machine, &entities);
            (0..64 * 8).for_each(|_| world.step(&Input::NONE));
            assert_eq!(state(&world, "w"), "There", "{mover}, {shape} at {offset:?}");
        }
    }
}

#[test]
fn goals_within_closed_doors_have_one_answer() {
    let open = ["...................."; 12];
    let mut floor = open;
    floor[11] = "####################";
    for (view, rows, y) in [("TopDown", &open, 152.0), ("Platformer", &floor, 168.0)] {
        for (door, goal, arrives) in [(12.0, 200.0, false), (48.0, 200.0, false), (48.0, 178.0, true)] {
            let defs = format!(
                r#"{{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 100.0), Body: (lock_rotation: true),
                    Collider: (shape: Circle(7.0), layer: [Actor], mask: [World]), Agent: (radius: 7.0))),
                    "door": (set: (Body: (kind: Static), Collider: (shape: Box(({door:?}, 48.0)), layer: [World]))) }}"#
            );
            let go = format!("GoTo(at: Some(({goal:?}, {y:?})))");
            let machine = GO.replace("GoTo(at: Some((248.0, 40.0)))", &go);
            let entities = format!(r#""w": (def: "w", at: (60.0, {y:?})), "d": (def: "door", at: (200.0, 152.0))"#);
            let mut world = map(view, rows, &defs, &machine, &actors(&entities));
            let walker = world.agent_of(world.by_id("w").unwrap()).unwrap();
            let question = Question {
                ends: [(60.0, y), (goal, y)].map(Into::into),
                agent: walker.0,
                on: walker.1.map_or(Ground::Grid, Ground::Ledges),
                weight: 1.0,
                near_px: 12.0,
                walker: None,
            };
            world.step(&Input::NONE);
            let answer = world.navigator().clone().find_now(&question.request());
            assert_eq!(answer.found, arrives, "{view} {door} {goal}: {:?}", answer.no_path);
            assert_eq!(answer.no_path.map(|why| why.reason), (!arrives).then_some(NoPathReason::Wall));
            run(&mut world, 60 * 6);
            assert_eq!(state(&world, "w"), if arrives { "There" } else { "Stuck" }, "{view} {door} {goal}");
            let why = blocked(&mut world, "w").1;
            assert_eq!(why, (!arrives).then_some(NoPathReason::Wall), "{view} {door} {goal}");
        }
    }
}

#[test]
fn a_goal_on_the_top_of_the_ground_is_one_to_stand_on() {
    let mut rows = ["...................."; 12];
    (rows[8], rows[11]) = ("...........####.....", "####################");
    for (height, goal) in [(18.0, (120.0, 176.0)), (60.0, (120.0, 176.0)), (18.0, (208.0, 128.0))] {
        let defs = format!(
            r#"{{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 100.0, jump_speed: 340.0), Body: (lock_rotation: true),
                Collider: (shape: Box((10.0, {height:?})), friction: 0.0, mask: [World]), Agent: ())) }}"#
        );
        let machine = GO.replace("(248.0, 40.0)", &format!("{goal:?}"));
        let entities = actors(&format!(r#""w": (def: "w", at: (60.0, {:?}))"#, 176.0 - height / 2.0));
        let mut world = map("Platformer", &rows, &defs, &machine, &entities);
        run(&mut world, 60 * 6);
        assert_eq!(state(&world, "w"), "There", "{height} px high, to {goal:?}");
    }
}

#[test]
fn a_goal_without_room_is_left_out_where_there_is_another() {
    let defs = walker(4.0).replace("\"door\"", "\"prize\": (), \"door\"");
    let reached = |goals: &str, entities: &str| {
        let machines = GO.replace("at: Some((248.0, 40.0))", goals);
        let mut world = from_above(&DOORS, &defs, &machines, entities);
        run(&mut world, 60 * 8);
        let (n, why) = blocked(&mut world, "w");
        assert_eq!((state(&world, "w").as_str(), n, why), ("There", 0, None), "{goals}");
        world.entity(world.by_id("w").unwrap()).unwrap().pos
    };
    let w = "\"w\": (def: \"w\", at: (120.0, 88.0))";
    let free = glam::Vec2::new(24.0, 152.0);
    // The nearer one is inside the wall.
    let at = reached("any: [(168.0, 88.0), (24.0, 152.0)]", w);
    assert!(at.distance(free) < 8.0, "{at}");
    // The nearer one is inside a box.
    let boxed = format!(
        "{w}, \"d\": (def: \"door\", at: (72.0, 72.0), set: (Collider: (shape: Box((48.0, 48.0))))), \
         \"p\": (def: \"prize\", at: (72.0, 72.0)), \"q\": (def: \"prize\", at: (24.0, 152.0))"
    );
    let at = reached("target: \"prize\"", &boxed);
    assert!(at.distance(free) < 8.0, "{at}");
}

/// A chest that is solid to who goes to it.
const CHEST: &str = r#""chest": (set: (Body: (kind: Static), Collider: (shape: Box((16.0, 16.0)), layer: [World])))"#;

#[test]
fn a_solid_thing_behind_walls_is_no_goal_and_one_in_the_open_is() {
    let defs = format!(
        r#"{{ {CHEST}, "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0), Body: (), Collider: (shape: Circle(5.0)), Agent: (radius: 5.0))) }}"#
    );
    let machine = r#"{ "go": (initial: "Go", states: {
        "Go": (enter: [GoTo(target: "def:chest")], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
        "There": (), "Stuck": (),
    }) }"#;
    let shut = [
        "....................",
        "........###.........",
        "........#.#.........",
        "........###.........",
        "....................",
    ];
    let thick = [
        "......#####.........",
        "......#####.........",
        "......##.##.........",
        "......#####.........",
        "......#####.........",
    ];
    for rows in [shut, thick] {
        let sealed = r#""w": (def: "w", at: (40.0, 40.0)), "a": (def: "chest", at: ("#;
        let x = if rows == shut { 152.0 } else { 136.0 };
        let sealed = format!("{sealed}{x:?}, 40.0))");
        let mut world = from_above(&rows, &defs, machine, &sealed);
        run(&mut world, 30);
        assert_eq!(state(&world, "w"), "Stuck", "{rows:?}: at once");
        let both = format!("{sealed}, \"b\": (def: \"chest\", at: (290.0, 40.0))");
        let mut world = from_above(&rows, &defs, machine, &both);
        run(&mut world, 64 * 6);
        assert_eq!(state(&world, "w"), "There", "{rows:?}: to the other one");
    }
}

#[test]
fn a_solid_thing_beside_a_waypoint_is_reached_along_its_layer() {
    let defs = format!(
        r#"{{ {CHEST}, "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0), Body: (), Collider: (shape: Circle(5.0)), Agent: (radius: 5.0))) }}"#
    );
    let machine = r#"{ "go": (initial: "Go", states: {
        "Go": (enter: [GoTo(target: "def:chest", layer: "way")], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Stuck")]),
        "There": (), "Stuck": (),
    }) }"#;
    let entities = actors(r#""w": (def: "w", at: (40.0, 40.0)), "a": (def: "chest", at: (200.0, 40.0))"#);
    let way = r#"Waypoints(name: "way", nodes: { "n": (at: (60.0, 40.0)), "m": (at: (160.0, 40.0)) }, links: [(from: "n", to: "m")])"#;
    let rows = ["...................."; 5];
    let mut world = map("TopDown", &rows, &defs, machine, &format!("{entities}{way}"));
    run(&mut world, 64 * 6);
    assert_eq!(state(&world, "w"), "There");
}

#[test]
fn who_is_sent_somewhere_and_cannot_go_is_a_problem() {
    let machine = r#"{ "go": (enter: [GoTo(at: Some((200.0, 40.0)))]), "stay": (enter: [Stop]) }"#;
    for (brain, walker, n) in [("go", "", 1), ("go", "Walker: (),", 0), ("go", "Flyer: (),", 0), ("stay", "", 0)] {
        let defs = format!(
            r#"{{ "w": (set: (Brain: (machines: ["{brain}"]), {walker} Body: (), Collider: (shape: Circle(5.0)))) }}"#
        );
        let mut world =
            from_above(&["...................."; 5], &defs, machine, r#""w": (def: "w", at: (40.0, 40.0))"#);
        let events = run(&mut world, 30);
        let problems = events.iter().filter(|event| matches!(event.kind, TraceKind::Problem { .. }));
        assert_eq!(problems.count(), n, "{brain} {walker}");
    }
}
