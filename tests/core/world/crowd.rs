//! Agents that go around each other.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use glam::Vec2;
use levelwright::{
    model::Value,
    sim::{EntityKey, Input, World},
};

use crate::preview::{actors, map, n_blocked, state};

/// Agents on a circle, each on its way to the opposite place.
fn circle(n: u32, avoid_secs: f32, view: &str, mover: &str) -> World {
    let (mut defs, mut machines, mut entities) = (String::new(), String::new(), String::new());
    for i in 0..n {
        let at = |turn: f32| Vec2::new(160.0, 96.0) + Vec2::from_angle(turn) * 70.0;
        let turn = i as f32 / n as f32 * std::f32::consts::TAU;
        let (from, to) = (at(turn), at(turn + std::f32::consts::PI));
        write!(
            defs,
            "\"a{i}\": (set: (Brain: (machines: [\"m{i}\"]), {mover}: (speed: 60.0), Body: (),
                Collider: (shape: Circle(5.0), layer: [Actor], mask: [World]), Agent: (radius: 5.0, avoid_secs: {avoid_secs:.1}))),"
        )
        .unwrap();
        write!(
            machines,
            "\"m{i}\": (initial: \"Go\", states: {{ \"Go\": (enter: [GoTo(at: Some(({:.1}, {:.1})))],
                transitions: [(on: \"Arrived\", to: \"There\")]), \"There\": () }}),",
            to.x, to.y
        )
        .unwrap();
        write!(entities, "\"e{i}\": (def: \"a{i}\", at: ({:.1}, {:.1})),", from.x, from.y).unwrap();
    }
    map(view, &[], &format!("{{ {defs} }}"), &format!("{{ {machines} }}"), &actors(&entities))
}

/// The least distance between two of them until all have arrived, and when that is, in seconds.
fn run(world: &mut World, n: u32) -> (f32, f32) {
    let mut least = f32::INFINITY;
    for tick in 0..20 * 60 {
        world.step(&Input::NONE);
        let at: Vec<Vec2> = (0..n).map(|i| world.entity(world.by_id(&format!("e{i}")).unwrap()).unwrap().pos).collect();
        for (i, a) in at.iter().enumerate() {
            least = at[..i].iter().map(|b| a.distance(*b)).fold(least, f32::min);
        }
        if (0..n).all(|i| state(world, &format!("e{i}")) == "There") {
            return (least, tick as f32 / 60.0);
        }
    }
    panic!("they block each other");
}

#[test]
fn a_crowd_that_meets_in_the_middle_passes_without_touching() {
    for (n, view, mover) in [(2, "TopDown", "Walker"), (8, "TopDown", "Walker"), (14, "Platformer", "Flyer")] {
        let (through, straight_secs) = run(&mut circle(n, 0.0, view, mover), n);
        assert!(through < 4.0, "{n}: they went through each other");
        let (least, secs) = run(&mut circle(n, 0.8, view, mover), n);
        assert!(least > 9.0, "{n} {mover}: {least} px between middles, of bodies of 10");
        assert!(secs < 3.0 * straight_secs, "{n} {mover}: {secs} s instead of {straight_secs}");
    }
}

#[test]
fn a_crowd_before_a_door_soon_has_answers() {
    // Six on either side of a door that is wide enough for one, on their way to the same place on the other side.
    let rows: Vec<String> = (0..11)
        .map(|y| match y {
            0 | 10 => "#".repeat(20),
            4 | 5 => format!("#{}#", ".".repeat(18)),
            _ => format!("#{}#{}#", ".".repeat(9), ".".repeat(8)),
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (mut defs, mut machines, mut entities) = (String::new(), String::new(), String::new());
    for (name, x) in [("west", 40.0), ("east", 280.0)] {
        write!(
            defs,
            "\"{name}\": (set: (Brain: (machines: [\"{name}\"]), Walker: (speed: 90.0), Body: (mass: 40.0, lock_rotation: true),
                Collider: (shape: Circle(14.0), friction: 0.0, layer: [Actor], mask: [World, Prop, Sensor, Actor]),
                Agent: (radius: 14.0, avoid_secs: 0.6))),"
        )
        .unwrap();
        write!(
            machines,
            "\"{name}\": (initial: \"Go\", states: {{ \"Go\": (enter: [GoTo(at: Some(({x:?}, 88.0)))],
                transitions: [(on: \"Arrived\", to: \"There\"), (on: \"Blocked\", to: \"Stuck\")]), \"There\": (), \"Stuck\": () }}),"
        )
        .unwrap();
    }
    for i in 0..6_u8 {
        let (dx, y) = (32.0 * f32::from(i % 3), 48.0 + 40.0 * f32::from(i / 3));
        write!(entities, "\"l{i}\": (def: \"east\", at: ({:?}, {y:?})),", 40.0 + dx).unwrap();
        write!(entities, "\"r{i}\": (def: \"west\", at: ({:?}, {y:?})),", 280.0 - dx).unwrap();
    }
    let mut world = map("TopDown", &rows, &format!("{{ {defs} }}"), &format!("{{ {machines} }}"), &actors(&entities));
    (0..25 * 64).for_each(|_| world.step(&Input::NONE));
    let ids = (0..6).flat_map(|i| [format!("l{i}"), format!("r{i}")]);
    let going: Vec<String> = ids.filter(|id| state(&world, id) == "Go").collect();
    assert_eq!(going, [""; 0], "after 25 s neither `Arrived` nor `Blocked`");
}

/// They do not stop each other, so those that have arrived need not be gone around.
#[test]
fn agents_that_go_around_each_other_arrive_at_one_place_together() {
    let arrival_secs = |avoid_secs: f32| {
        let defs = format!(
            "{{ \"goes\": (set: (Brain: (machines: [\"m\"]), Walker: (speed: 90.0), Body: (lock_rotation: true),
                Collider: (shape: Circle(6.0), friction: 0.0, layer: [Actor], mask: [World]),
                Agent: (radius: 6.0, avoid_secs: {avoid_secs:?}))) }}"
        );
        let machines = "{ \"m\": (initial: \"Go\", states: { \"Go\": (enter: [GoTo(at: Some((280.0, 88.0)))],
            transitions: [(on: \"Arrived\", to: \"There\")]), \"There\": () }) }";
        let mut entities = String::new();
        for i in 0..12_u8 {
            let (x, y) = (40.0 + 20.0 * f32::from(i % 4), 48.0 + 24.0 * f32::from(i / 4));
            write!(entities, "\"e{i}\": (def: \"goes\", at: ({x:?}, {y:?})),").unwrap();
        }
        let mut world = map("TopDown", &[], &defs, machines, &actors(&entities));
        for tick in 0..20 * 64 {
            world.step(&Input::NONE);
            if (0..12).all(|i| state(&world, &format!("e{i}")) == "There") {
                return tick as f32 / 64.0;
            }
        }
        f32::INFINITY
    };
    let (straight, around) = (arrival_secs(0.0), arrival_secs(0.6));
    assert!(straight < 4.0 && around < straight + 1.5, "{straight} s, and {around} s around each other");
}

#[test]
fn who_waits_before_a_door_that_a_track_holds_shut_is_told_of_the_door() {
    let rows: Vec<String> = (0..11)
        .map(|y| match y {
            0 | 10 => "#".repeat(20),
            4..=6 => format!("#{}#", ".".repeat(18)),
            _ => format!("#{}#{}#", ".".repeat(9), ".".repeat(8)),
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let defs = r#"{
        "goes": (set: (Brain: (machines: ["m"]), Walker: (speed: 90.0), Body: (mass: 40.0, lock_rotation: true),
            Collider: (shape: Circle(7.0), friction: 0.0, layer: [Actor], mask: [World, Prop, Sensor, Actor]),
            Agent: (radius: 7.0, avoid_secs: 0.6))),
        "door": (set: (Body: (kind: Kinematic), Collider: (shape: Box((12.0, 48.0)), layer: [World]),
            Tracks: (tracks: { "opens": (drives: Position, added: true,
                keys: [(at: 60.0, value: (0.0, 0.0)), (at: 61.0, value: (0.0, -48.0))]) }))),
    }"#;
    let machines = r#"{ "m": (enter: [GoTo(at: Some((280.0, 88.0)))]) }"#;
    let mut entities = r#""door": (def: "door", at: (168.0, 88.0)),"#.to_owned();
    for i in 0..6_u8 {
        let (x, y) = (40.0 + 24.0 * f32::from(i % 3), 60.0 + 40.0 * f32::from(i / 3));
        write!(entities, "\"e{i}\": (def: \"goes\", at: ({x:?}, {y:?})),").unwrap();
    }
    let mut world = map("TopDown", &rows, defs, machines, &actors(&entities));
    let mut reasons: BTreeMap<EntityKey, BTreeSet<&str>> = BTreeMap::new();
    for _ in 0..9 * 64 {
        world.step(&Input::NONE);
        for path in world.paths() {
            reasons.entry(path.key).or_default().extend(path.no_path.map(|why| why.reason.name()));
        }
    }
    assert_eq!(reasons.values().collect::<Vec<_>>(), vec![&BTreeSet::from(["Wall"]); 6]);
    let why = world.why_still(world.by_id("e0").unwrap()).unwrap();
    assert!(why.sentence.contains("(door)"), "{}", why.sentence);
}

/// An agent on its way past one who stands in it, with many others to the upper left who are too far away to matter.
#[test]
fn the_nearest_of_a_dense_crowd_are_avoided() {
    let least = |n_far: u32| {
        let agent = "Walker: (speed: 60.0), Body: (), Collider: (shape: Circle(5.0), layer: [Actor], mask: [World]), Agent: (radius: 5.0, avoid_secs: 0.8)";
        let defs = format!(r#"{{ "idle": (set: ({agent})), "goes": (set: ({agent}, Brain: (machines: ["m"]))) }}"#);
        let mut entities =
            r#""e": (def: "goes", at: (150.0, 150.0)), "in": (def: "idle", at: (200.0, 150.0)),"#.to_owned();
        for i in 0..n_far {
            write!(entities, "\"f{i}\": (def: \"idle\", at: (110.0, 50.0)),").unwrap();
        }
        let machines = r#"{ "m": (enter: [GoTo(at: Some((260.0, 150.0)))]) }"#;
        let mut world = map("TopDown", &[], &defs, machines, &actors(&entities));
        let at = |world: &World, id: &str| world.entity(world.by_id(id).unwrap()).unwrap().pos;
        let mut least = f32::INFINITY;
        for _ in 0..180 {
            world.step(&Input::NONE);
            least = least.min(at(&world, "e").distance(at(&world, "in")));
        }
        assert!(at(&world, "e").x > 240.0, "{n_far}: {:?}", at(&world, "e"));
        least
    };
    assert!(least(0) > 9.0);
    assert!(least(300) > 9.0, "it went through the one in its way: {}", least(300));
}

const GO: &str = r#"transitions: [(on: "Arrived", to: "There")]), "There": () })"#;

/// The first of these ticks in which all of these have arrived.
fn all_there(world: &mut World, ids: &[&str], n_ticks: u32) -> Option<u32> {
    (0..n_ticks).find(|_| {
        world.step(&Input::NONE);
        ids.iter().all(|id| state(world, id) == "There")
    })
}

#[test]
fn a_row_of_resting_agents_is_gone_around() {
    for (mask, avoid_secs) in [("World", 0.6), ("World, Actor", 0.6), ("World, Actor", 0.0)] {
        for n_resting in [1, 2, 3, 5, 9, 12] {
            let agent = format!(
                "Walker: (speed: 60.0), Body: (), Collider: (shape: Circle(5.0), layer: [Actor], mask: [{mask}]),
                    Agent: (radius: 6.0, avoid_secs: {avoid_secs:.1})"
            );
            let defs = format!(r#"{{ "idle": (set: ({agent})), "goes": (set: ({agent}, Brain: (machines: ["m"]))) }}"#);
            let mut entities = r#""e": (def: "goes", at: (100.0, 100.0)),"#.to_owned();
            for i in 0..n_resting {
                let y = 100.0 + (i as f32 - (n_resting - 1) as f32 / 2.0) * 12.0;
                write!(entities, "\"r{i}\": (def: \"idle\", at: (180.0, {y:.1})),").unwrap();
            }
            let machines = format!(
                r#"{{ "m": (initial: "Go", states: {{ "Go": (enter: [GoTo(at: Some((260.0, 100.0)))], {GO} }}"#
            );
            let mut world = map("TopDown", &[], &defs, &machines, &actors(&entities));
            let came = all_there(&mut world, &["e"], 64 * 12);
            assert!(came.is_some(), "{n_resting} resting, mask {mask}, {avoid_secs} s");
            assert_eq!(n_blocked(&mut world), 0, "{n_resting} resting, mask {mask}, {avoid_secs} s");
        }
    }
}

#[test]
fn of_two_that_hold_each_other_up_one_goes_around_the_other() {
    let defs = r#"{ "actor": (abstract: true, set: (Walker: (speed: 60.0), Body: (), Agent: (radius: 6.0),
            Collider: (shape: Circle(6.0), layer: [Actor], mask: [World, Actor]))),
        "a": (inherits: ["actor"], set: (Brain: (machines: ["right"]))),
        "b": (inherits: ["actor"], set: (Brain: (machines: ["left"]))),
        "crate": (set: (Body: (mass: 500.0), Collider: (shape: Box((12.0, 12.0)), layer: [World]))) }"#;
    let machines = format!(
        r#"{{ "right": (initial: "Go", states: {{ "Go": (enter: [GoTo(at: Some((260.0, 100.0)))], {GO},
            "left": (initial: "Go", states: {{ "Go": (enter: [GoTo(at: Some((60.0, 100.0)))], {GO} }}"#
    );
    // They meet in the middle, or one of them has been held up by a crate for a while.
    for (from, by) in [(260.0, ""), (250.0, ""), (222.0, ""), (260.0, r#""c": (def: "crate", at: (200.0, 100.0)),"#)] {
        let entities = format!(r#""a": (def: "a", at: (60.0, 100.0)), "b": (def: "b", at: ({from:.1}, 100.0)), {by}"#);
        let mut world = map("TopDown", &[], defs, &machines, &actors(&entities));
        assert!(all_there(&mut world, &["a", "b"], 64 * 16).is_some(), "{from} {by}");
    }
}

/// One on its way back is not held up for good by what was nearest before: a detour that is much longer than the rest of
/// the way there.
#[test]
fn a_long_way_around_is_no_lack_of_progress() {
    let rows = [
        "....................",
        "####################",
        "....................",
        "####################",
        "....................",
        "....................",
    ];
    let mut rows: Vec<String> = rows.iter().map(|row| (*row).to_owned()).collect();
    // Two corridors, joined at both ends.
    rows[3].replace_range(0..1, ".");
    rows[3].replace_range(19..20, ".");
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let agent = "Walker: (speed: 60.0), Body: (), Collider: (shape: Circle(5.0), layer: [Actor], mask: [World, Actor]),
        Agent: (radius: 6.0, avoid_secs: 0.6)";
    let defs = format!(r#"{{ "idle": (set: ({agent})), "goes": (set: ({agent}, Brain: (machines: ["m"]))) }}"#);
    let machines =
        format!(r#"{{ "m": (initial: "Go", states: {{ "Go": (enter: [GoTo(at: Some((312.0, 40.0)))], {GO} }}"#);
    let entities = r#""e": (def: "goes", at: (24.0, 40.0)), "r": (def: "idle", at: (280.0, 40.0)),"#;
    let mut world = map("TopDown", &rows, &defs, &machines, &actors(entities));
    assert!(
        all_there(&mut world, &["e"], 64 * 30).is_some(),
        "{}",
        world.entity(world.by_id("e").unwrap()).unwrap().pos
    );
    assert_eq!(n_blocked(&mut world), 0);
}

#[test]
fn who_would_not_be_stopped_goes_straight_through_where_there_is_no_way_around() {
    let rows = ["####################", "....................", "####################"];
    let actor = "Walker: (speed: 60.0), Body: (), Collider: (shape: Circle(6.0), layer: [Actor], mask: [World]),
        Agent: (radius: 6.0, avoid_secs: 0.6)";
    let defs = format!(
        r#"{{ "idle": (set: ({actor})), "a": (set: ({actor}, Brain: (machines: ["right"]))),
            "b": (set: ({actor}, Brain: (machines: ["left"]))) }}"#
    );
    let machines = format!(
        r#"{{ "right": (initial: "Go", states: {{ "Go": (enter: [GoTo(at: Some((290.0, 24.0)))], {GO},
            "left": (initial: "Go", states: {{ "Go": (enter: [GoTo(at: Some((30.0, 24.0)))], {GO} }}"#
    );
    for (ids, others) in [
        (vec!["a"], r#""r": (def: "idle", at: (160.0, 24.0)),"#),
        (vec!["a", "b"], r#""b": (def: "b", at: (290.0, 24.0)),"#),
    ] {
        let entities = format!(r#""a": (def: "a", at: (30.0, 24.0)), {others}"#);
        let mut world = map("TopDown", &rows, &defs, &machines, &actors(&entities));
        assert!(all_there(&mut world, &ids, 64 * 16).is_some(), "{others}");
    }
}

const SOLID: &str =
    "Walker: (speed: 60.0), Body: (), Collider: (shape: Circle(5.0), layer: [Actor], mask: [World, Actor])";

/// Agents of both sides of a wall with a door one tile wide, each on its way to the other side.
fn both_ways(n_each: usize, avoid_secs: f32) -> (World, Vec<String>) {
    let row = |door: bool| format!("..........{}.........", if door { '.' } else { '#' });
    let rows: Vec<String> = (0..12).map(|y| row(y == 6)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let (mut machines, mut entities, mut ids) = (String::new(), String::new(), Vec::new());
    let defs = format!(r#"{{ "solid": (set: ({SOLID}, Agent: (radius: 6.0, avoid_secs: {avoid_secs:.1}))) }}"#);
    for i in 0..2 * n_each {
        let (from, to) = if i % 2 == 0 { (20.0, 300.0) } else { (300.0, 20.0) };
        let y = 20.0 + (i / 2) as f32 * 24.0;
        write!(
            machines,
            r#""m{i}": (initial: "Go", states: {{ "Go": (enter: [GoTo(at: Some(({to:.1}, {y:.1})))], {GO},"#
        )
        .unwrap();
        write!(entities, r#""e{i}": (def: "solid", at: ({from:.1}, {y:.1}), append: (Brain: (machines: ["m{i}"]))),"#)
            .unwrap();
        ids.push(format!("e{i}"));
    }
    (map("TopDown", &rows, &defs, &format!("{{ {machines} }}"), &actors(&entities)), ids)
}

#[test]
fn solid_agents_that_hold_each_other_up_in_a_door_go_through_each_other() {
    for avoid_secs in [0.0, 0.6] {
        for n_each in [1, 3, 6] {
            let (mut world, ids) = both_ways(n_each, avoid_secs);
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            assert!(all_there(&mut world, &ids, 64 * 40).is_some(), "{n_each} each, {avoid_secs} s");
        }
    }
}

#[test]
fn with_no_time_for_it_solid_agents_never_overlap() {
    let (mut world, ids) = both_ways(3, 0.0);
    world.set_tunable("Navigation.pass_secs", Value::Float(0.0));
    for _ in 0..64 * 20 {
        world.step(&Input::NONE);
        let at = |id: &String| world.entity(world.by_id(id).unwrap()).unwrap().pos;
        for (i, a) in ids.iter().enumerate() {
            assert!(ids[..i].iter().all(|b| at(a).distance(at(b)) > 9.5), "{a}");
        }
    }
    let reasons = reasons(&world);
    assert!(!reasons.is_empty() && reasons.iter().all(|reason| *reason == "Crowded"), "{reasons:?}");
}

/// Why those that do not get to their goals do not.
fn reasons(world: &World) -> Vec<&'static str> {
    world.paths().filter_map(|path| Some(path.no_path?.reason.name())).collect()
}

#[test]
fn one_at_rest_stays_solid() {
    let rows = ["####################", "....................", "####################"];
    let defs = format!(
        r#"{{ "idle": (set: ({SOLID}, Agent: (radius: 6.0))), "goes": (set: ({SOLID}, Agent: (radius: 6.0), Brain: (machines: ["m"]))) }}"#
    );
    let machines =
        format!(r#"{{ "m": (initial: "Go", states: {{ "Go": (enter: [GoTo(at: Some((290.0, 24.0)))], {GO} }}"#);
    let entities = r#""a": (def: "goes", at: (30.0, 24.0)), "r": (def: "idle", at: (160.0, 24.0)),"#;
    let mut world = map("TopDown", &rows, &defs, &machines, &actors(entities));
    assert_eq!(all_there(&mut world, &["a"], 64 * 30), None);
    assert_eq!(n_blocked(&mut world), 1, "once, however long it lasts");
    assert_eq!(reasons(&world), ["Crowded"]);
}

/// A queue behind one at rest stays a queue: together they would push it away.
#[test]
fn those_behind_one_at_rest_queue_up() {
    let row = "#".repeat(20);
    for view in ["TopDown", "Platformer"] {
        let agent = format!("{SOLID}, Agent: (radius: 6.0)");
        let defs = format!(r#"{{ "idle": (set: ({agent})), "goes": (set: ({agent}, Brain: (machines: ["m"]))) }}"#);
        let machines =
            format!(r#"{{ "m": (initial: "Go", states: {{ "Go": (enter: [GoTo(at: Some((290.0, 26.0)))], {GO} }}"#);
        let mut entities = r#""r": (def: "idle", at: (200.0, 26.0)),"#.to_owned();
        for i in 0..6 {
            write!(entities, "\"e{i}\": (def: \"goes\", at: ({:.1}, 26.0)),", 20.0 + 16.0 * i as f32).unwrap();
        }
        let mut world = map(view, &[&row, "", &row], &defs, &machines, &actors(&entities));
        for _ in 0..64 * 30 {
            world.step(&Input::NONE);
        }
        let at = |id: &str| world.entity(world.by_id(id).unwrap()).unwrap().pos;
        assert!((at("r").x - 200.0).abs() < 0.1, "{view}: {}", at("r"));
        let at: Vec<Vec2> = (0..6).map(|i| at(&format!("e{i}"))).collect();
        let are_apart = |pair: &[Vec2]| pair[0].distance(pair[1]) > 9.5;
        assert!(at.windows(2).all(are_apart) && at.iter().all(|at| at.x < 192.0), "{view}: {at:?}");
        assert_eq!(n_blocked(&mut world), 6, "{view}");
    }
}

/// Those that have caught their target rest beside it, and others stop there.
#[test]
fn chasers_around_a_target_come_to_rest_without_overlap() {
    let chases = format!("{SOLID}, Agent: (radius: 6.0), Brain: (machines: [\"m\"])");
    let defs = format!(r#"{{ "target": (set: ({SOLID}, Agent: (radius: 6.0))), "chases": (set: ({chases})) }}"#);
    let machines = r#"{ "m": (initial: "Go", states: { "Go": (enter: [Chase(target: "t")]) }) }"#;
    let mut entities = r#""t": (def: "target", at: (200.0, 100.0)),"#.to_owned();
    for i in 0..10 {
        write!(entities, "\"e{i}\": (def: \"chases\", at: (30.0, {:.1})),", 20.0 + 16.0 * i as f32).unwrap();
    }
    let mut world = map("TopDown", &[], &defs, machines, &actors(&entities));
    for _ in 0..64 * 30 {
        world.step(&Input::NONE);
    }
    let at: Vec<Vec2> = (0..10).map(|i| world.entity(world.by_id(&format!("e{i}")).unwrap()).unwrap().pos).collect();
    for _ in 0..64 * 10 {
        world.step(&Input::NONE);
        for (i, was) in at.iter().enumerate() {
            let now = world.entity(world.by_id(&format!("e{i}")).unwrap()).unwrap().pos;
            assert!(at[..i].iter().all(|other| other.distance(*was) > 9.0), "{was} is in another");
            assert!(now.distance(Vec2::new(200.0, 100.0)) < 60.0, "{now}");
        }
    }
}

#[test]
fn those_who_find_their_goal_occupied_report_it_once_and_rest_until_it_is_free() {
    let agent = format!("{SOLID}, Agent: (radius: 6.0, avoid_secs: 0.6)");
    let defs = format!(
        r#"{{ "first": (set: ({agent}, Brain: (machines: ["stays"]))), "goes": (set: ({agent}, Brain: (machines: ["m"]))) }}"#
    );
    let machines = format!(
        r#"{{ "m": (initial: "Go", states: {{ "Go": (enter: [GoTo(at: Some((200.0, 100.0)))], {GO},
            "stays": (initial: "Rest", states: {{ "Rest": (transitions: [(after: 60.0, to: "Leave")]),
                "Leave": (enter: [GoTo(at: Some((300.0, 20.0)))]) }}) }}"#
    );
    let mut entities = r#""first": (def: "first", at: (200.0, 100.0)),"#.to_owned();
    for i in 0..5 {
        write!(entities, "\"e{i}\": (def: \"goes\", at: (30.0, {:.1})),", 60.0 + 20.0 * i as f32).unwrap();
    }
    let ids = ["e0", "e1", "e2", "e3", "e4"];
    let mut world = map("TopDown", &[], &defs, &machines, &actors(&entities));
    assert_eq!(all_there(&mut world, &ids[..1], 64 * 40), None);
    let (mut speeds, n) = (0.0, 64 * 19);
    for _ in 0..n {
        world.step(&Input::NONE);
        speeds += ids.iter().map(|id| world.entity(world.by_id(id).unwrap()).unwrap().vel.length()).sum::<f32>();
    }
    assert_eq!(n_blocked(&mut world), 5, "once each");
    assert_eq!(reasons(&world), ["Crowded"; 5]);
    let mean = speeds / (n as f32 * ids.len() as f32);
    assert!(mean < 6.0, "they try again now and then, on average at {mean} px/s");
    for _ in 0..64 * 10 {
        world.step(&Input::NONE);
    }
    assert_eq!(ids.iter().filter(|id| state(&world, id) == "There").count(), 1);
}

#[test]
fn agents_that_begin_in_each_other_part_from_the_first_tick_on() {
    let defs = format!(r#"{{ "idle": (set: ({SOLID}, Agent: (radius: 6.0))) }}"#);
    let entities = r#""a": (def: "idle", at: (100.0, 100.0)), "b": (def: "idle", at: (104.0, 100.0)),"#;
    let mut world = map("TopDown", &[], &defs, "{}", &actors(entities));
    world.step(&Input::NONE);
    let [a, b] = ["a", "b"].map(|id| world.entity(world.by_id(id).unwrap()).unwrap().pos);
    assert!(a.distance(b) > 4.2, "{a} {b}");
}

/// Solid agents sent to places beside each other along a wall, nearer to it than their bodies are wide.
#[test]
fn who_comes_no_nearer_to_a_place_beside_walls_and_others_stands_still() {
    let n = 14;
    let wall = "#".repeat(20);
    let open = format!("#{}#", " ".repeat(18));
    let rows: Vec<&str> = (0..12).map(|y| if y == 0 || y == 11 { wall.as_str() } else { open.as_str() }).collect();
    let (mut defs, mut machines, mut entities) = (String::new(), String::new(), String::new());
    for i in 0..n {
        write!(
            defs,
            "\"a{i}\": (set: (Brain: (machines: [\"m{i}\"]), Walker: (speed: 60.0), Body: (), Agent: (radius: 5.0),
                Collider: (shape: Circle(5.0), layer: [Actor], mask: [World, Actor]))),"
        )
        .unwrap();
        write!(machines, "\"m{i}\": (enter: [GoTo(at: Some((303.0, {}.0)))]),", 20 + 10 * i).unwrap();
        write!(entities, "\"e{i}\": (def: \"a{i}\", at: ({}.0, {}.0)),", 40 + 14 * (i % 4), 40 + 14 * (i / 4)).unwrap();
    }
    let mut world = map("TopDown", &rows, &format!("{{ {defs} }}"), &format!("{{ {machines} }}"), &actors(&entities));
    let places = |world: &World| -> Vec<Vec2> {
        (0..n).map(|i| world.entity(world.by_id(&format!("e{i}")).unwrap()).unwrap().pos).collect()
    };
    let mut ways = vec![0.0_f32; n];
    let mut before = places(&world);
    for tick in 0..64 * 90 {
        world.step(&Input::NONE);
        let now = places(&world);
        for ((way, was), is) in ways.iter_mut().zip(&before).zip(&now) {
            *way += if tick < 64 * 60 { 0.0 } else { was.distance(*is) };
        }
        before = now;
    }
    assert!(before.iter().filter(|at| at.x > 270.0).count() > 10, "they went there: {before:?}");
    assert!(n_blocked(&mut world) > 0);
    let farthest = ways.iter().copied().fold(0.0, f32::max);
    assert!(farthest < 60.0, "in half a minute: {ways:?}");
}
