//! Why an entity stands still: each cause, with the place where it is.

use std::collections::BTreeSet;

use levelwright::{
    model::Value,
    sim::{
        Input, TraceKind, World,
        nav::NoPathReason,
        world::{StillCause, Wants, WhyStill},
    },
};

use super::{run, world};
use crate::preview::{actors, map, state};

fn why(world: &World, id: &str) -> WhyStill {
    world.why_still(world.by_id(id).unwrap()).unwrap()
}

const OPEN: [&str; 6] =
    ["############", "#..........#", "#..........#", "#..........#", "#..........#", "############"];

/// A walker seen from above with a machine of one state, and others.
fn from_above(rows: &[&str], components: &str, enter: &str, others: &str, entities: &str) -> World {
    let defs = format!(
        r#"{{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0), Body: (), Collider: (shape: Circle(5.0), layer: [Actor]),
            Agent: (radius: 5.0), {components})), {others} }}"#
    );
    let machines = format!(
        r#"{{ "go": (initial: "Go", states: {{ "Go": (enter: [{enter}], transitions: [(on: "Bell", to: "Rest"), (after: 90.0, to: "Rest")]), "Rest": (enter: [Stop]) }}) }}"#
    );
    let entities = format!(r#""w": (def: "w", at: (40.0, 40.0)), {entities}"#);
    map("TopDown", rows, &defs, &machines, &actors(&entities))
}

#[test]
fn before_the_first_tick_nothing_has_moved_and_then_it_moves() {
    let mut world = from_above(&OPEN, "", "GoTo(at: Some((160.0, 40.0)))", "", "");
    assert_eq!(why(&world, "w").cause, StillCause::NotBegun);
    run(&mut world, 20);
    let moving = why(&world, "w");
    assert_eq!((&moving.cause, moving.arrives, &moving.wants), (&StillCause::Moves, None, &Wants::Place));
    assert!(!moving.path.is_empty());
    run(&mut world, 300);
    let there = why(&world, "w");
    assert_eq!((&there.cause, there.arrives), (&StillCause::Arrived, Some(true)), "{}", there.sentence);
}

#[test]
fn without_an_order_its_states_and_what_leads_out_of_them_are_named() {
    let mut world = from_above(&OPEN, "", "", "", "");
    run(&mut world, 4);
    let idle = why(&world, "w");
    assert_eq!((&idle.cause, &idle.wants, idle.goal), (&StillCause::NoOrder, &Wants::Nothing, None));
    assert_eq!(idle.states, [("go".into(), "Go".into())]);
    assert_eq!(idle.exits, ["Rest 90 s after it was entered", "Rest on Bell"]);
    assert_eq!(idle.sentence, "w has no order to go anywhere: none of its active states (Go) gives a movement order");
    world.send("w", "Bell", &levelwright::model::Fields::new(), 0.0);
    run(&mut world, 2);
    let stopped = why(&world, "w");
    assert_eq!((&stopped.cause, &stopped.wants), (&StillCause::Ordered, &Wants::ToStand));
    assert_eq!(stopped.sentence, "w has the order to stand: its machine waits in its state (Rest)");
}

#[test]
fn a_passage_that_is_too_narrow_is_named_with_both_widths_and_its_cell() {
    let rows = ["############", "#....#.....#", "#..........#", "#....#.....#", "#....#.....#", "############"];
    let wide = "Agent: (radius: 12.0)";
    let defs_of = |radius: &str| {
        let mut world = from_above(&rows, "", "GoTo(at: Some((160.0, 40.0)))", "", "");
        let key = world.by_id("w").unwrap();
        assert!(world.set_field(key, "Agent.radius", Value::Float(radius.parse().unwrap())), "{wide}");
        run(&mut world, 200);
        why(&world, "w")
    };
    let narrow = defs_of("12.0");
    assert_eq!(narrow.cause, StillCause::NoPath(NoPathReason::TooNarrow), "{}", narrow.sentence);
    assert_eq!((narrow.arrives, narrow.cell, narrow.needs_px), (Some(false), Some([5, 2]), Some(24.0)));
    assert!((narrow.has_px.unwrap() - 16.0).abs() < 0.1, "{:?}", narrow.has_px);
    assert_eq!(
        narrow.sentence,
        "w goes to the place at 160, 40 and does not get there: a passage is too narrow for it at cell 5, 2: it needs 24 px, and there are 16 px"
    );
    assert_eq!(defs_of("5.0").cause, StillCause::Arrived);
}

#[test]
fn a_door_that_closes_a_wider_way_than_the_narrow_one_is_named() {
    let rows = [
        "############",
        "#..........#",
        "#..........#",
        "#....#.....#",
        "#..........#",
        "#....#.....#",
        "############",
    ];
    let door = r#""door": (set: (Body: (kind: Static), Collider: (shape: Box((8.0, 32.0)), layer: [World]))),"#;
    // Another stands on the way behind it, closes none, and comes first by its id.
    let shut = r#""a": (def: "door", at: (124.0, 40.0)), "d": (def: "door", at: (88.0, 32.0))"#;
    for (entities, wider) in [(shut, Some(("d".into(), [5, 2]))), ("", None)] {
        let mut world = from_above(&rows, "", "GoTo(at: Some((160.0, 40.0)))", door, entities);
        let key = world.by_id("w").unwrap();
        assert!(world.set_field(key, "Agent.radius", Value::Float(12.0)));
        run(&mut world, 200);
        let it = why(&world, "w");
        assert_eq!(it.wider, wider, "{}", it.sentence);
        if wider.is_some() {
            assert_eq!((&it.cause, it.cell), (&StillCause::NoPath(NoPathReason::TooNarrow), Some([5, 4])));
            let end = "it needs 24 px, and there are 16 px; d closes a wider way at cell 5, 2";
            assert!(it.sentence.ends_with(end), "{}", it.sentence);
        }
    }
}

#[test]
fn a_goal_that_another_occupies_where_it_has_room_is_crowded() {
    // A dead end around a corner, with one at the goal and one before it.
    let rows = ["############", "#.......####", "#######.####", "############"];
    let rest = r#""rest": (set: (Walker: (), Body: (), Collider: (shape: Circle(7.0), layer: [Actor]), Agent: (radius: 7.0))),"#;
    let entities = r#""r": (def: "rest", at: (120.0, 40.0)), "s": (def: "rest", at: (120.0, 24.0))"#;
    let mut world = from_above(&rows, "", "GoTo(at: Some((120.0, 40.0)))", rest, entities);
    let key = world.by_id("w").unwrap();
    for (field, value) in [("Agent.radius", "7.0"), ("Agent.avoid_secs", "0.6"), ("Collider.shape", "Circle(7.0)")] {
        assert!(world.set_field(key, field, value.parse().unwrap()));
    }
    assert!(world.move_to(key, glam::Vec2::new(40.0, 24.0), 0.0));
    for secs in 1..20 {
        run(&mut world, 64);
        let it = why(&world, "w");
        let is_blocked = matches!(it.cause, StillCause::NoPath(_));
        assert!(!is_blocked || it.cause == StillCause::NoPath(NoPathReason::Crowded), "{secs} s: {}", it.sentence);
    }
    let it = why(&world, "w");
    assert_eq!(it.cause, StillCause::NoPath(NoPathReason::Crowded), "{}", it.sentence);
}

#[test]
fn a_body_wider_than_its_agent_needs_the_width_of_the_body() {
    let rows = ["############", "#....#.....#", "#....#.....#", "#....#.....#", "#..........#", "############"];
    let mut world = from_above(&rows, "", "GoTo(at: Some((160.0, 72.0)))", "", "");
    let key = world.by_id("w").unwrap();
    for (field, value) in [("Agent.radius", "4.0"), ("Collider.shape", "Box((8.0, 24.0))")] {
        assert!(world.set_field(key, field, value.parse().unwrap()));
    }
    run(&mut world, 300);
    let held = why(&world, "w");
    assert_eq!(
        (&held.cause, held.needs_px),
        (&StillCause::NoPath(NoPathReason::TooNarrow), Some(24.0)),
        "{}",
        held.sentence
    );
    assert!(held.has_px.is_some_and(|has| has < 24.0), "{}", held.sentence);
}

#[test]
fn a_goal_in_a_wall_beyond_walls_or_outside_is_not_reached() {
    let rows = ["############", "#....#.....#", "#....#.....#", "#....#.....#", "#....#.....#", "############"];
    let blocked = |goal: &str, others: &str, entities: &str| {
        let mut world = from_above(&rows, "", &format!("GoTo(at: Some({goal}))"), others, entities);
        run(&mut world, 200);
        why(&world, "w")
    };
    let beyond = blocked("(160.0, 40.0)", "", "");
    assert_eq!((&beyond.cause, beyond.arrives), (&StillCause::NoPath(NoPathReason::Unconnected), Some(false)));
    assert!(beyond.cell.is_some());
    let outside = blocked("(900.0, 40.0)", "", "");
    assert_eq!(outside.cause, StillCause::NoPath(NoPathReason::Outside), "{}", outside.sentence);
    assert!(outside.sentence.contains("its goal is outside the level"), "{}", outside.sentence);
    let inside = blocked("(8.0, 8.0)", "", "");
    assert_eq!(inside.cause, StillCause::NoPath(NoPathReason::Wall), "{}", inside.sentence);
    assert_eq!((inside.cell, inside.by.as_deref()), (Some([0, 0]), Some("stone")));
}

#[test]
fn where_links_or_jumps_end_is_as_far_as_it_gets() {
    let machine = |enter: &str| format!(r#"{{ "go": (initial: "Go", states: {{ "Go": (enter: [{enter}]) }}) }}"#);
    let defs = |gravity: &str| {
        format!(
            r#"{{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0, jump_speed: 120.0), Body: ({gravity}),
                Collider: (shape: Box((10.0, 12.0)), layer: [Actor]), Agent: (radius: 5.0))) }}"#
        )
    };
    // Of a, b and c the last is not linked.
    let nodes = r#""a": (at: (40.0, 40.0)), "b": (at: (72.0, 40.0)), "c": (at: (160.0, 40.0))"#;
    let way =
        format!(r#"Waypoints(name: "way", auto_link: false, nodes: {{ {nodes} }}, links: [(from: "a", to: "b")]),"#);
    let enter = machine(r#"GoTo(at: Some((160.0, 40.0)), layer: "way")"#);
    let w = actors(r#""w": (def: "w", at: (40.0, 40.0))"#);
    let mut world = map("TopDown", &OPEN, &defs(""), &enter, &format!("{w}{way}"));
    run(&mut world, 200);
    let unlinked = why(&world, "w");
    assert_eq!(unlinked.reached, Some(glam::Vec2::new(72.0, 40.0)), "{}", unlinked.sentence);
    assert!(
        unlinked.sentence.ends_with("no links of the layer “way” lead there; the nearest cell it can reach is 4, 2"),
        "{}",
        unlinked.sentence
    );
    // The same seen from the side, on a floor.
    let mut world = map("Platformer", &["", "", "", "############"], &defs(""), &enter, &format!("{w}{way}"));
    run(&mut world, 200);
    let unlinked = why(&world, "w").sentence;
    assert!(unlinked.contains("no links of the layer “way” lead there"), "{unlinked}");
    // A pit that is too wide and too deep.
    let pit = ["............", "............", "............", "####....####", "####....####", "####....####"];
    let enter = machine("GoTo(at: Some((170.0, 42.0)))");
    let w = actors(r#""w": (def: "w", at: (20.0, 42.0))"#);
    let mut world = map("Platformer", &pit, &defs(""), &enter, &w);
    run(&mut world, 200);
    let pit = why(&world, "w");
    assert!(
        pit.sentence
            .contains("no walk, drop or jump that it can do leads there; the nearest cell it can reach is 3, 2"),
        "{}",
        pit.sentence
    );
}

#[test]
fn orders_about_nobody_lead_nowhere() {
    let mut world = from_above(&OPEN, "", "Chase(target: \"tag:prey\")", "", "");
    run(&mut world, 4);
    let nobody = why(&world, "w");
    assert_eq!(nobody.cause, StillCause::NoTarget("nothing in the level matches its target (tag:prey)".to_owned()));
    assert_eq!(nobody.wants, Wants::Chase("tag:prey".into()));
}

#[test]
fn an_order_without_a_goal_says_so() {
    for (order, sentence) in [
        ("GoTo()", "its order names no goal"),
        ("GoTo(any: [])", "its order names no goal"),
        ("GoTo(target: \"self\")", "its order names itself as its goal"),
        ("GoTo(target: \"nosuch\")", "nothing in the level matches its target (nosuch)"),
        ("GoTo(at: Some((160.0, 40.0)), layer: \"nosuch\")", "there is no waypoint layer `nosuch`"),
        ("FollowRoute(layer: \"nosuch\")", "there is no waypoint layer `nosuch`"),
    ] {
        let mut world = from_above(&OPEN, "", order, "", "");
        (0..8).for_each(|_| world.step(&Input::NONE));
        let lost = why(&world, "w");
        assert_eq!(lost.cause.name(), "NoTarget", "{order}");
        assert_eq!(lost.sentence, format!("w has the order to go to a place: {sentence}"));
    }
}

#[test]
fn a_route_of_no_place_has_none_and_one_of_a_single_place_ends_there() {
    let world = |nodes: &str, mode: &str| {
        let defs = r#"{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0), Body: (), Collider: (shape: Circle(5.0)))) }"#;
        let machines = format!(
            r#"{{ "go": (initial: "Go", states: {{ "Go": (enter: [FollowRoute(layer: "way", mode: {mode})], transitions: [(on: "Arrived", to: "There")]), "There": () }}) }}"#
        );
        let w = actors(r#""w": (def: "w", at: (40.0, 40.0))"#);
        let way = format!(r#"Waypoints(name: "way", nodes: {{ {nodes} }}),"#);
        let mut world = map("TopDown", &OPEN, defs, &machines, &format!("{w}{way}"));
        run(&mut world, 200);
        (why(&world, "w"), state(&world, "w"))
    };
    for mode in ["Loop", "PingPong", "Once"] {
        let (empty, at) = world("", mode);
        assert_eq!((empty.cause.name(), at.as_str()), ("NoTarget", "Go"), "{mode}: {}", empty.sentence);
        let (single, at) = world(r#""a": (at: (100.0, 40.0))"#, mode);
        assert_eq!((single.cause, at.as_str()), (StillCause::Arrived, "There"), "{mode}: {}", single.sentence);
    }
}

#[test]
fn speed_life_machines_and_keys_keep_walkers_where_they_are() {
    let go = "GoTo(at: Some((160.0, 40.0)))";
    let mut world = from_above(&OPEN, "Health: (max: 5.0)", go, "", "");
    let key = world.by_id("w").unwrap();
    world.set_field(key, "Walker.speed", Value::Float(0.0));
    run(&mut world, 4);
    assert_eq!(why(&world, "w").cause, StillCause::NoSpeed);
    let damage = [("amount".into(), Value::Float(9.0))].into();
    world.send("w", "Damaged", &damage, 0.0);
    run(&mut world, 4);
    assert_eq!(why(&world, "w").cause, StillCause::Dead);
    let others = r#""idle": (set: (Walker: (), Body: (), Collider: (shape: Circle(5.0)))),
        "p": (set: (Player: (), Walker: (), Body: (), Collider: (shape: Circle(5.0)))),"#;
    let entities = r#""i": (def: "idle", at: (80.0, 40.0)), "p": (def: "p", at: (120.0, 60.0))"#;
    let mut world = from_above(&OPEN, "", "", others, entities);
    run(&mut world, 4);
    assert_eq!(why(&world, "i").cause, StillCause::NoMachine);
    assert_eq!((why(&world, "p").cause, why(&world, "p").wants), (StillCause::NoKeys, Wants::Keys));
    world.possess(world.by_id("i"));
    run(&mut world, 1);
    assert_eq!(why(&world, "p").cause, StillCause::KeysElsewhere("i".into()));
    assert_eq!(why(&world, "i").cause, StillCause::NoKeys, "the keys drive it now");
}

#[test]
fn what_a_player_drives_follows_its_keys_and_not_its_order() {
    let rows = ["############", "#....#.....#", "#....#.....#", "#....#.....#", "#....#.....#", "############"];
    let mut world = from_above(&rows, "", "GoTo(at: Some((160.0, 40.0)))", "", "");
    run(&mut world, 200);
    assert_eq!(why(&world, "w").cause, StillCause::NoPath(NoPathReason::Unconnected));
    world.possess(world.by_id("w"));
    (0..10).for_each(|_| world.step(&Input::NONE.with(Input::LEFT)));
    let driven = why(&world, "w");
    assert_eq!((&driven.cause, &driven.wants, driven.goal), (&StillCause::Moves, &Wants::Keys, None));
    // Without a key its order goes on.
    run(&mut world, 60);
    let ordered = why(&world, "w");
    assert_eq!((ordered.cause, ordered.wants), (StillCause::NoPath(NoPathReason::Unconnected), Wants::Place));
}

#[test]
fn what_is_too_deep_in_the_ground_says_so() {
    let defs = r#"{ "crate": (set: (Body: (), Collider: (shape: Box((10.0, 10.0))))), "w": (set: (Body: (), Walker: (), Collider: ())) }"#;
    let placed = r#""c": (def: "crate", at: (150.0, 96.0)), "w": (def: "w", at: (180.0, 96.0))"#;
    let mut world = map("Platformer", &["####################"; 12], defs, "{}", &actors(placed));
    run(&mut world, 10);
    for id in ["c", "w"] {
        assert_eq!(why(&world, id).cause, StillCause::Buried, "{id}");
    }
}

#[test]
fn bodies_say_that_they_are_static_asleep_resting_or_none() {
    let mut world = world(
        r#"{
            "crate": (set: (Body: (), Collider: (shape: Box((10.0, 10.0))))),
            "post": (set: (Body: (kind: Static), Collider: (shape: Box((10.0, 10.0))))),
            "slab": (set: (Body: (kind: Kinematic), Collider: (shape: Box((10.0, 10.0))))),
            "mark": (),
            "lift": (set: (Body: (kind: Kinematic), Collider: (shape: Box((10.0, 10.0))), Platform: (route: "patrol", mode: PingPong, speed: 100.0, wait: 3.0))),
        }"#,
        "{}",
        r#""c": (def: "crate", at: (250.0, 154.0)), "p": (def: "post", at: (140.0, 155.0)), "s": (def: "slab", at: (180.0, 100.0)),
           "m": (def: "mark", at: (20.0, 20.0)), "l": (def: "lift", at: (40.0, 150.0))"#,
    );
    run(&mut world, 10);
    let resting = why(&world, "c");
    assert!(matches!(&resting.cause, StillCause::Rests(on) if on.len() <= 2), "{:?}", resting.cause);
    assert!(resting.sentence.starts_with("c has no order to go anywhere: only forces move it"), "{}", resting.sentence);
    assert_eq!(why(&world, "p").cause, StillCause::Static);
    assert_eq!(why(&world, "s").cause, StillCause::Kinematic);
    assert_eq!(why(&world, "m").cause, StillCause::NoBody);
    run(&mut world, 300);
    assert_eq!(why(&world, "c").cause, StillCause::Asleep);
    let mut causes = Vec::new();
    for _ in 0..600 {
        run(&mut world, 1);
        let cause = why(&world, "l").cause;
        causes.extend((causes.last() != Some(&cause.name())).then(|| cause.name()));
    }
    assert!(causes.contains(&"Waits") && causes.contains(&"Moves"), "{causes:?}");
    world.despawn(world.by_id("c").unwrap());
    assert!(world.by_id("c").is_none());
}

#[test]
fn a_walker_below_a_ledge_is_told_how_high_it_would_have_to_jump() {
    let rows = ["", "", "......######", "", "", "", "", "", "", "####################"];
    let mut world = map(
        "Platformer",
        &rows,
        r#"{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0, jump_speed: 200.0), Body: (), Collider: (shape: Box((10.0, 16.0))))) }"#,
        r#"{ "go": (enter: [GoTo(at: Some((150.0, 24.0)))]) }"#,
        &actors(r#""w": (def: "w", at: (40.0, 136.0))"#),
    );
    run(&mut world, 300);
    let below = why(&world, "w");
    assert_eq!(below.cause, StillCause::NoPath(NoPathReason::Unconnected), "{}", below.sentence);
    assert!(
        below
            .sentence
            .contains("its goal is 112 px above the highest place that it gets to, and its jump height is 22 px"),
        "{}",
        below.sentence
    );
    // A body that falls half as fast jumps twice as high.
    assert!(world.set_field(world.by_id("w").unwrap(), "Body.gravity_scale", Value::Float(0.5)));
    run(&mut world, 300);
    let below = why(&world, "w");
    assert!(below.sentence.contains("its jump height is 44 px"), "{}", below.sentence);
}

#[test]
fn a_closed_door_and_a_half_closed_one_are_named() {
    let rows = ["############", "#....#.....#", "#..........#", "#....#.....#", "#....#.....#", "############"];
    let door = r#""door": (set: (Body: (kind: Static), Collider: (shape: Box((6.0, 16.0)), layer: [World]))), "half": (set: (Body: (kind: Static), Collider: (shape: Box((6.0, 12.0)), layer: [World]))),"#;
    let held = |entity: &str| {
        let mut world = from_above(&rows, "", "GoTo(at: Some((160.0, 40.0)))", door, entity);
        run(&mut world, 100);
        why(&world, "w")
    };
    let closed = held(r#""d": (def: "door", at: (88.0, 40.0))"#);
    assert_eq!(closed.cause, StillCause::NoPath(NoPathReason::Unconnected), "{}", closed.sentence);
    assert_eq!((closed.by.as_deref(), closed.cell), (Some("d"), Some([5, 2])), "{}", closed.sentence);
    assert!(closed.sentence.ends_with("leads there; d closes the way at cell 5, 2"), "{}", closed.sentence);
    let half = held(r#""d": (def: "half", at: (88.0, 32.0))"#);
    assert_eq!(half.cell, Some([5, 2]), "{}", half.sentence);
}

#[test]
fn a_door_that_closes_a_way_over_ledges_is_named() {
    let rows = ["", "", "", "", "", "", "", "......########", "", "", "####################"];
    let mut world = map(
        "Platformer",
        &rows,
        r#"{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0, jump_speed: 0.0), Body: (), Collider: (shape: Box((10.0, 16.0))))),
            "door": (set: (Body: (kind: Static), Collider: (shape: Box((6.0, 32.0)), layer: [World]))) }"#,
        r#"{ "go": (enter: [GoTo(at: Some((250.0, 150.0)))]) }"#,
        &actors(r#""w": (def: "w", at: (40.0, 150.0)), "d": (def: "door", at: (150.0, 144.0))"#),
    );
    run(&mut world, 100);
    let closed = why(&world, "w");
    assert_eq!((closed.by.as_deref(), closed.cell), (Some("d"), Some([9, 9])), "{}", closed.sentence);
}

#[test]
fn the_trace_says_why_an_agent_is_blocked() {
    let rows = ["############", "#....#.....#", "#....#.....#", "#....#.....#", "############"];
    let mut world = from_above(&rows, "", "GoTo(at: Some((136.0, 40.0)))", "", "");
    let events = run(&mut world, 64);
    let reason = |kind: TraceKind| match kind {
        TraceKind::Message { name, reason, .. } if &*name == "Blocked" => reason,
        _ => None,
    };
    let reasons: Vec<_> = events.into_iter().filter_map(|event| reason(event.kind)).collect();
    assert!(matches!(&reasons[..], [reason] if &**reason == "Unconnected"), "{reasons:?}");
}

#[test]
fn wind_that_holds_an_agent_is_named() {
    let wind = r#""wind": (set: (Body: (kind: Static), Collider: (shape: Box((32.0, 64.0)), sensor: true), Zone: (acceleration: (-3000.0, 0.0)))),"#;
    let above =
        from_above(&OPEN, "", "GoTo(at: Some((160.0, 40.0)))", wind, r#""gale": (def: "wind", at: (110.0, 48.0))"#);
    let floor = "############";
    let side = map(
        "Platformer",
        &["#..........#", "#..........#", "#..........#", floor, floor, floor],
        &format!(
            r#"{{ {wind} "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 80.0), Body: (),
                Collider: (shape: Box((10.0, 16.0))), Agent: ())) }}"#
        ),
        r#"{ "go": (enter: [GoTo(at: Some((160.0, 40.0)))]) }"#,
        &actors(r#""w": (def: "w", at: (40.0, 40.0)), "gale": (def: "wind", at: (110.0, 32.0))"#),
    );
    let defs = format!(
        r#"{{ {} "w": (set: (Brain: (machines: ["go"]), Flyer: (speed: 80.0), Body: (), Collider: (shape: Circle(5.0)), Agent: ())) }}"#,
        wind.replace("acceleration: (-3000.0, 0.0)", "drag: 60.0")
    );
    let drag = map(
        "TopDown",
        &OPEN,
        &defs,
        r#"{ "go": (enter: [GoTo(at: Some((160.0, 40.0)))]) }"#,
        &actors(r#""w": (def: "w", at: (40.0, 40.0)), "gale": (def: "wind", at: (110.0, 48.0))"#),
    );
    let is_held = |mut world: World| {
        run(&mut world, 400);
        let held = why(&world, "w");
        assert_eq!(held.cause, StillCause::NoPath(NoPathReason::HeldBack), "{}", held.sentence);
        assert_eq!(held.by.as_deref(), Some("gale"));
        assert!(held.sentence.contains("gale holds it back at cell "), "{}", held.sentence);
    };
    is_held(above);
    is_held(side);
    is_held(drag);
}

#[test]
fn zones_that_keep_an_agent_in_the_air_or_come_and_go_are_named() {
    let (floor, open) = ("####################", "#..................#");
    let rows = [floor, open, open, open, open, open, floor];
    let side = r#""w": (set: (Brain: (machines: ["go"]), Walker: (), Body: (), Collider: (shape: Box((10.0, 14.0))), Agent: ()))"#;
    let flyer =
        r#""w": (set: (Brain: (machines: ["go"]), Flyer: (), Body: (), Collider: (shape: Circle(5.0)), Agent: ()))"#;
    let gusts = r#"Zone: (acceleration: (-3000.0, 0.0)), Tracks: (tracks: { "gusts": (field: "Zone.acceleration", mode: Loop, keys: [
        (at: 0.0, value: (-3000.0, 0.0), ease: Step), (at: 4.0, value: (0.0, 0.0), ease: Step), (at: 5.0, value: (0.0, 0.0), ease: Step)]) })"#;
    let cases = [
        ("Platformer", side, "Zone: (pull: 1500.0)"),
        ("Platformer", side, "Zone: (acceleration: (-600.0, -1000.0))"),
        ("Platformer", side, gusts),
        ("TopDown", flyer, gusts),
    ];
    for (view, walker, zone) in cases {
        let zone = format!(
            r#""zone": (set: (Body: (kind: Static), Collider: (shape: Box((140.0, 112.0)), sensor: true), {zone}))"#
        );
        let mut world = map(
            view,
            &rows,
            &format!("{{ {zone}, {walker} }}"),
            r#"{ "go": (enter: [GoTo(at: Some((290.0, 89.0)))]) }"#,
            &actors(r#""w": (def: "w", at: (40.0, 89.0)), "gale": (def: "zone", at: (160.0, 50.0))"#),
        );
        let events = run(&mut world, 60 * 30);
        let reason = |kind: TraceKind| match kind {
            TraceKind::Message { name, reason, .. } if &*name == "Blocked" => reason,
            _ => None,
        };
        let reasons: BTreeSet<String> =
            events.into_iter().filter_map(|event| reason(event.kind)).map(|reason| reason.to_string()).collect();
        assert_eq!(reasons, BTreeSet::from(["HeldBack".to_owned()]), "{view}, {zone}");
    }
}

#[test]
fn wind_toward_the_goal_is_not_what_stops_an_agent() {
    let (wall, open) = ("############", "#..........#");
    let others = r#""wind": (set: (Body: (kind: Static), Collider: (shape: Box((192.0, 48.0)), sensor: true, mask: [Actor]), Zone: (acceleration: (3000.0, 0.0)))),
        "crate": (set: (Body: (mass: 5000.0, damping: 1000.0), Collider: (shape: Box((12.0, 47.0)), layer: [Prop]))),"#;
    let placed = r#""gale": (def: "wind", at: (96.0, 40.0)), "c": (def: "crate", at: (110.0, 40.0))"#;
    let mut world = from_above(&[wall, open, open, open, wall], "", "GoTo(at: Some((160.0, 40.0)))", others, placed);
    run(&mut world, 400);
    let stopped = why(&world, "w");
    assert_eq!(stopped.cause, StillCause::NoPath(NoPathReason::Crowded), "{}", stopped.sentence);
    assert_eq!(stopped.by.as_deref(), Some("c"), "{}", stopped.sentence);
}

#[test]
fn a_breeze_holds_nobody_back() {
    let rows = ["############", "#....#.....#", "#....#.....#", "#....#.....#", "#..........#", "############"];
    let zone = |acceleration: f32| {
        format!(
            r#""breeze": (set: (Body: (kind: Static), Collider: (shape: Box((192.0, 96.0)), sensor: true), Zone: (acceleration: ({acceleration:?}, 0.0)))),"#
        )
    };
    // Too wide for the passage; and free to go.
    for (wide, acceleration, cause) in [
        (true, -40.0, StillCause::NoPath(NoPathReason::TooNarrow)),
        (false, -40.0, StillCause::Arrived),
        (false, 60.0, StillCause::Arrived),
    ] {
        let placed = r#""b": (def: "breeze", at: (96.0, 48.0))"#;
        let mut world = from_above(&rows, "", "GoTo(at: Some((160.0, 72.0)))", &zone(acceleration), placed);
        let key = world.by_id("w").unwrap();
        for (field, value) in [("Agent.radius", "4.0"), ("Collider.shape", "Box((8.0, 24.0))")] {
            assert!(!wide || world.set_field(key, field, value.parse().unwrap()));
        }
        run(&mut world, 400);
        let it = why(&world, "w");
        assert_eq!(it.cause, cause, "{acceleration}: {}", it.sentence);
    }
}
