//! What the built-in conditions and actions do in a running world, and how things find their way in it.

use levelwright::{
    model::{Fields, Value},
    sim::{Input, Options, Session, TraceKind, World},
};

use crate::world::{FLOOR, migrated, project, run, world};

/// The number of `Blocked` messages since the events were last taken.
pub(crate) fn n_blocked(world: &mut World) -> usize {
    let is_blocked = |kind: &TraceKind| matches!(kind, TraceKind::Message { name, .. } if &**name == "Blocked");
    world.drain_events().iter().filter(|event| is_blocked(&event.kind)).count()
}

/// The world of a level of rows of tiles, `#` for stone, seen from above or from the side.
pub(crate) fn map(view: &str, rows: &[&str], defs: &str, machines: &str, layers: &str) -> World {
    let rows: Vec<String> = rows
        .iter()
        .map(|row| {
            let cells: Vec<&str> = row.chars().map(|c| if c == '#' { "1" } else { "." }).collect();
            format!("\"{}\"", cells.join(" "))
        })
        .collect();
    let level = format!(
        "(size: (20, 12), tile_size: (16, 16), view: Some({view}), layers: [
            Tiles(name: \"ground\", tileset: \"t\", chunks: {{ (0, 0): [{}] }}), {layers}
        ])",
        rows.join(", ")
    );
    let files =
        [("entities/e.ron", defs), ("machines/m.ron", machines), ("levels/l.ron", &level), ("tilesets/t.ron", FLOOR)];
    let (project, resolution) = project(&files);
    let world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    assert!(world.findings().is_empty(), "{:?}", world.findings());
    world
}

pub(crate) fn actors(entities: &str) -> String {
    format!("Entities(name: \"actors\", entities: {{ {entities} }}),")
}

/// The state of an entity's first machine.
pub(crate) fn state(world: &World, id: &str) -> String {
    world.entity(world.by_id(id).unwrap()).unwrap().machines[0].state.to_owned()
}

fn pos(world: &World, id: &str) -> (f32, f32) {
    let at = world.entity(world.by_id(id).unwrap()).unwrap().pos;
    (at.x, at.y)
}

/// Whether a condition holds for `me` in a world with other things around.
fn holds(condition: &str, me: &str, others: &str) -> bool {
    let defs = r#"{
        "me": (set: (Brain: (machines: ["ask"]), Health: (max: 10.0), Tags: (tags: ["me", "red"]), Sight: (cone: 90.0))),
        "player": (set: (Tags: (tags: ["good", "red"]))),
        "squire": (inherits: ["player"], set: (Shield: ())),
    }"#;
    let schema = r#"(components: { "Shield": (fields: { "armor": (type: Float, default: 2.0) }) })"#;
    let machine = format!(
        r#"{{ "ask": (initial: "No", states: {{ "No": (transitions: [(when: {condition}, to: "Yes")]), "Yes": () }}) }}"#
    );
    // A wall from (160, 0) to (176, 96).
    let rows = format!("(0, 0): [{}]", ["\"10*. 1\""; 6].join(", "));
    let level = format!(
        "(size: (20, 12), tile_size: (16, 16), layers: [Tiles(name: \"g\", tileset: \"t\", chunks: {{ {rows} }}), {}])",
        actors(&format!("\"me\": ({me}), {others}"))
    );
    let files = [
        ("entities/e.ron", defs),
        ("machines/m.ron", &*machine),
        ("levels/l.ron", &level),
        ("tilesets/t.ron", FLOOR),
        ("schemas/s.ron", schema),
    ];
    let (project, resolution) = project(&files);
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    assert!(world.findings().is_empty(), "{condition}: {:?}", world.findings());
    run(&mut world, 2);
    state(&world, "me") == "Yes"
}

#[test]
fn conditions_ask_about_the_world() {
    let me = r#"def: "me", at: (100.0, 50.0)"#;
    let turned = r#"def: "me", at: (100.0, 50.0), rotation: 180.0"#;
    let at = |x: f32, y: f32| format!("\"p\": (def: \"squire\", at: ({x:?}, {y:?}))");
    let seen = r#"CanSee(target: "player", range: 60.0)"#;
    for (condition, me, others, expected) in [
        (seen, me, at(150.0, 50.0), true),
        (seen, me, at(161.0, 120.0), false),
        (seen, me, at(50.0, 50.0), false),
        (seen, turned, at(50.0, 50.0), true),
        // Half of the 90° cone, just within and just without.
        (seen, me, at(130.0, 79.0), true),
        (seen, me, at(130.0, 81.0), false),
        (r#"CanSee(target: "player", range: 200.0)"#, me, at(190.0, 50.0), false),
        (r#"Within(target: "player", range: 200.0)"#, me, at(190.0, 50.0), true),
        (r#"Within(target: "player", range: 89.9)"#, me, at(190.0, 50.0), false),
        // A bare name: an id, else a definition with those that inherit it, else a tag.
        (r#"Within(target: "p", range: 99.0)"#, me, at(190.0, 50.0), true),
        (r#"Within(target: "good", range: 99.0)"#, me, at(190.0, 50.0), true),
        (r#"Within(target: "def:squire", range: 99.0)"#, me, at(190.0, 50.0), true),
        (r#"Within(target: "def:me", range: 999.0)"#, me, at(190.0, 50.0), false),
        (r#"Within(target: "tag:red", range: 50.0)"#, me, at(190.0, 50.0), false),
        (r#"Within(target: "self", range: 0.0)"#, me, at(190.0, 50.0), true),
        (r#"Within(target: "nobody", range: 999.0)"#, me, at(190.0, 50.0), false),
        (r#"Tagged(tag: "red")"#, me, at(0.0, 0.0), true),
        (r#"Tagged(tag: "good")"#, me, at(0.0, 0.0), false),
        (r#"Tagged(tag: "good", target: "player")"#, me, at(0.0, 0.0), true),
        (r#"HasComponent(component: "Shield", target: "player")"#, me, at(0.0, 0.0), true),
        (r#"HasComponent(component: "Shield")"#, me, at(0.0, 0.0), false),
        ("LifeBelow(percent: 100.0)", me, at(0.0, 0.0), false),
        (r#"FieldBelow(field: "Health.life", value: 10.1)"#, me, at(0.0, 0.0), true),
        (r#"FieldAbove(field: "Physics.gravity", value: 800.0)"#, me, at(0.0, 0.0), true),
        (r#"FuzzyAbove(field: "Health.life", low: 0.0, high: 20.0, level: 0.5)"#, me, at(0.0, 0.0), false),
        (r#"FuzzyAbove(field: "Health.life", low: 0.0, high: 20.0, level: 0.49)"#, me, at(0.0, 0.0), true),
        ("Chance(percent: 100.0)", me, at(0.0, 0.0), true),
        ("Chance(percent: 0.0)", me, at(0.0, 0.0), false),
        (r#"InState(state: "No")"#, me, at(0.0, 0.0), true),
        ("All([Chance(percent: 100.0), Not(OnGround)])", me, at(0.0, 0.0), true),
        ("Any([NoPath, ReachedGoal, Touching()])", me, at(0.0, 0.0), false),
    ] {
        assert_eq!(holds(condition, me, &others), expected, "{condition} of {me} with {others}");
    }
}

const ROOMS: [&str; 12] = [
    "####################",
    "#.........#........#",
    "#.........#........#",
    "#.........#........#",
    "#.........#........#",
    "#.........#...####.#",
    "#.........#...#..#.#",
    "#.........#...####.#",
    "#..................#",
    "#.........#........#",
    "#.........#........#",
    "####################",
];

#[test]
fn from_above_a_walker_finds_its_way_around_walls() {
    let defs = r#"{
        "w": (set: (Brain: (machines: ["m"]), Walker: (speed: 100.0), Body: (), Collider: (shape: Circle(5.0)), Agent: (radius: 5.0))),
    }"#;
    let machine = |at: &str| {
        format!(
            r#"{{ "m": (initial: "Go", states: {{
                "Go": (enter: [GoTo(at: Some({at}))], transitions: [(on: "Arrived", to: "There"), (on: "Blocked", to: "Lost")]),
                "There": (), "Lost": (transitions: [(when: NoPath, to: "Sure")]), "Sure": (),
            }}) }}"#
        )
    };
    let actors = actors(r#""w1": (def: "w", at: (40.0, 40.0))"#);
    let mut open = map("TopDown", &ROOMS, defs, &machine("(280.0, 40.0)"), &actors);
    run(&mut open, 30);
    let path = open.paths().next().unwrap();
    assert!(path.points.iter().any(|p| p.y > 128.0), "through the door: {:?}", path.points);
    run(&mut open, 64 * 6);
    assert_eq!(state(&open, "w1"), "There");
    let (x, y) = pos(&open, "w1");
    assert!((x - 280.0).hypot(y - 40.0) < 8.0, "at ({x}, {y})");

    let mut shut = map("TopDown", &ROOMS, defs, &machine("(250.0, 104.0)"), &actors);
    run(&mut shut, 30);
    assert_eq!(state(&shut, "w1"), "Sure", "walled in all around");
}

#[test]
fn from_above_one_chases_and_the_other_flees() {
    let defs = r#"{
        "cat": (set: (Brain: (machines: ["cat"]), Walker: (speed: 90.0), Body: (), Collider: (shape: Circle(4.0)))),
        "mouse": (set: (Brain: (machines: ["mouse"]), Walker: (speed: 60.0), Body: (), Collider: (shape: Circle(4.0)))),
    }"#;
    let machines = r#"{
        "cat": (initial: "Hunt", states: {
            "Hunt": (enter: [Chase(target: "mouse")], transitions: [(when: Touching(target: "mouse"), to: "Caught")]), "Caught": (),
        }),
        "mouse": (enter: [Flee(target: "cat")]),
    }"#;
    let actors = actors(r#""c": (def: "cat", at: (40.0, 40.0)), "m": (def: "mouse", at: (80.0, 60.0))"#);
    let mut world = map("TopDown", &ROOMS, defs, machines, &actors);
    let start = pos(&world, "m");
    run(&mut world, 32);
    let now = pos(&world, "m");
    assert!((now.0 - start.0).hypot(now.1 - start.1) > 20.0, "it runs: {start:?} to {now:?}");
    run(&mut world, 64 * 20);
    assert_eq!(state(&world, "c"), "Caught");
}

#[test]
fn a_platform_goes_its_route_waits_and_carries() {
    let rows = ["", "", "", "", "", "", "", "", "", "", "", "####################"];
    let defs = r#"{
        "lift": (set: (Platform: (route: "way", speed: 40.0, wait_secs: 0.5), Body: (kind: Kinematic),
            Collider: (shape: Box((48.0, 8.0)), layer: [World]))),
        "w": (set: (Walker: (), Body: (), Collider: (shape: Box((10.0, 16.0))))),
    }"#;
    let layers = actors(r#""lift": (def: "lift", at: (80.0, 150.0)), "w": (def: "w", at: (80.0, 137.0))"#)
        + r#"Waypoints(name: "way", nodes: { "a": (at: (80.0, 150.0)), "b": (at: (160.0, 150.0)) },
            links: [(from: "a", to: "b", cost: None, one_way: false, by: Hand)]),"#;
    let mut world = map("Platformer", &rows, defs, "{}", &layers);
    let mut xs = Vec::new();
    for _ in 0..64 * 6 {
        world.step(&Input::NONE);
        xs.push(pos(&world, "lift").0);
        let apart = pos(&world, "w").0 - xs[xs.len() - 1];
        assert!(apart.abs() < 1.0, "carried, at tick {}: {apart}", xs.len());
    }
    let far = xs.iter().fold(0.0_f32, |far, x| far.max(*x));
    assert!((far - 160.0).abs() < 0.5);
    let waited = xs.iter().filter(|x| (**x - 160.0).abs() < 0.01).count();
    assert!((30..=35).contains(&waited), "half a second at the end: {waited} ticks");
    assert!(xs[xs.len() - 1] < 150.0, "and back");
}

#[test]
fn a_vector_turned_toward_someone_keeps_up_up() {
    let machines = r#"{ "m": (on: {
        "Shoot": [Spawn(def: "shot", velocity: (100.0, -20.0), toward: "target")],
        "Push": [Impulse(by: (-50.0, -30.0), toward: "self", target: "target")],
    }) }"#;
    let defs = r#"{
        "gun": (set: (Brain: (machines: ["m"]))),
        "target": (set: (Body: (mass: 1.0, gravity_scale: 0.0), Collider: (shape: Circle(2.0), mask: []))),
        "shot": (set: (Body: (gravity_scale: 0.0), Collider: (shape: Circle(2.0), mask: []))),
    }"#;
    for side in [1.0, -1.0] {
        let x = 150.0 + 60.0 * side;
        let entities = format!("\"g\": (def: \"gun\", at: (150.0, 60.0)), \"t\": (def: \"target\", at: ({x:?}, 60.0))");
        let mut world = world(defs, machines, &entities);
        run(&mut world, 1);
        world.send("g", "Shoot", &Fields::new(), 0.0);
        world.send("g", "Push", &Fields::new(), 0.0);
        run(&mut world, 1);
        let vel = |id: &str| world.entity(world.by_id(id).unwrap()).unwrap().vel;
        let (shot, pushed) = (vel("shot#1"), vel("t"));
        #[expect(clippy::cast_possible_truncation, reason = "1 or -1")]
        let side = side as f32;
        assert!((shot.x - 100.0 * side).abs() < 0.1 && (shot.y + 20.0).abs() < 0.1, "{shot}");
        assert!((pushed.x - 50.0 * side).abs() < 0.1 && (pushed.y + 30.0).abs() < 0.1, "{pushed}");
    }
}

#[test]
fn the_motion_chooses_the_clip_unless_a_machine_plays_another() {
    let clips = r#"{ "idle": (frames: [0]), "run": (frames: [1]), "jump": (frames: [2]),
        "wave": (frames: [3, 4], secs: 0.25, repeat: false) }"#;
    let defs = format!(
        r#"{{ "p": (set: (Player: (), Walker: (), Body: (), Collider: (shape: Box((10.0, 16.0))), Brain: (machines: ["m"]),
            Sprite: (image: "p.png", clips: {clips}))) }}"#
    );
    let machines = r#"{ "m": (on: { "Wave": [PlayClip(clip: "wave")], "ClipEnded": [Log(text: "waved")] }) }"#;
    let mut world = world(&defs, machines, r#""p": (def: "p", at: (100.0, 151.0))"#);
    let frame = |world: &World| {
        let sprite = world.entity(world.by_id("p").unwrap()).unwrap().sprite.unwrap();
        (sprite.frame, sprite.flip_h)
    };
    let keys = |world: &mut World, keys: u32, ticks: u64| {
        (0..ticks).for_each(|_| world.step(&Input::NONE.with(keys)));
        world.drain_events()
    };
    keys(&mut world, 0, 10);
    assert_eq!(frame(&world), (0, false));
    keys(&mut world, Input::LEFT, 20);
    assert_eq!(frame(&world), (1, true), "it runs, to the left");
    keys(&mut world, Input::JUMP, 6);
    assert_eq!(frame(&world).0, 2);
    keys(&mut world, 0, 64);
    world.send("p", "Wave", &Fields::new(), 0.0);
    keys(&mut world, Input::LEFT, 10);
    assert_eq!(frame(&world).0, 3, "the clip of a machine stays");
    let events = keys(&mut world, Input::LEFT, 30);
    let waved = events.iter().filter(|e| matches!(&e.kind, TraceKind::Log { text } if text == "waved")).count();
    assert_eq!((frame(&world).0, waved), (1, 1), "it ended once, and the motion has it again");
}

#[test]
fn a_constant_turned_while_it_runs_counts_at_once_and_outlives_a_reload() {
    let files = |speed: &str| {
        project(&[
            ("entities/e.ron", &*format!(r#"{{ "c": (set: (Body: (mass: {speed}), Collider: ())) }}"#)),
            (
                "levels/l.ron",
                r#"(tile_size: (16, 16), layers: [Entities(name: "a", entities: { "c": (def: "c", at: (0.0, 0.0)) })])"#,
            ),
        ])
    };
    let (before, resolution) = files("1.0");
    let mut world = World::compile(&before, &resolution, "l", Options::default()).unwrap();
    run(&mut world, 8);
    let vel = |world: &World| world.entity(world.by_id("c").unwrap()).unwrap().vel.y;
    let falling = vel(&world);
    assert!(world.set_tunable("Physics.gravity", Value::Float(0.0)));
    assert!(!world.set_tunable("Physics.gravitas", Value::Float(0.0)));
    run(&mut world, 8);
    assert!((vel(&world) - falling).abs() < 1e-3, "{falling} then {}", vel(&world));
    let (after, resolution) = files("2.0");
    let world = migrated(&world, &after, &resolution);
    assert_eq!(world.tunable("Physics.gravity"), Some(&Value::Float(0.0)));
}

/// Where the player is drawn in each frame, while batches take so many frames, and the moment in ticks.
fn drawn(session: &mut Session, frame_secs: f64, n: usize) -> Vec<f64> {
    let mut running = None;
    let mut frames = Vec::new();
    for _ in 0..n {
        running.take().into_iter().for_each(|batch: levelwright::sim::Batch| drop(session.take(batch.run().unwrap())));
        session.pass(frame_secs, &Input::NONE.with(Input::RIGHT));
        running = session.begin();
        let world = session.world();
        let player = world.entity(world.by_id("p").unwrap()).unwrap();
        frames.push(f64::from(player.drawn_at(session.drawn_moment()).pos.x));
    }
    frames
}

#[test]
fn what_moves_evenly_is_drawn_evenly_at_any_rate_of_frames() {
    for hz in [30.0, 50.0, 60.0, 90.0, 144.0] {
        let mut session = Session::new(played_world());
        let frames = drawn(&mut session, 1.0 / hz, (hz * 1.5) as usize);
        // It runs at 100 px/s by then.
        for pair in frames[frames.len() / 2..].windows(2) {
            let step = pair[1] - pair[0];
            assert!((step - 100.0 / hz).abs() < 0.02, "{hz} frames a second: {step} px in a frame");
        }
    }
}

#[test]
fn what_is_shown_at_rest_is_not_drawn_earlier_when_time_goes_on() {
    let mut session = Session::new(played_world());
    drawn(&mut session, 1.0 / 60.0, 40);
    session.cancel_batch();
    let world = session.world();
    let shown = f64::from(world.entity(world.by_id("p").unwrap()).unwrap().pos.x);
    let frames = drawn(&mut session, 1.0 / 60.0, 20);
    assert!(frames[0] >= shown && frames.is_sorted() && frames[19] > shown, "{shown} then {frames:?}");
}

#[test]
fn what_is_put_elsewhere_at_once_is_not_drawn_on_the_way() {
    let mut session = Session::new(played_world());
    drawn(&mut session, 1.0 / 60.0, 20);
    session.cancel_batch();
    let key = session.world().by_id("p").unwrap();
    session.change(move |world| {
        world.move_to(key, glam::Vec2::new(200.0, 40.0), 0.0);
        None
    });
    let frames = drawn(&mut session, 1.0 / 60.0, 20);
    assert!(frames.iter().all(|x| *x >= 200.0), "{frames:?}");
}

/// A world with a player.
fn played_world() -> World {
    let defs = r#"{ "p": (set: (Player: (), Walker: (speed: 100.0), Body: (), Collider: (shape: Circle(5.0)))) }"#;
    map("TopDown", &[], defs, "{}", &actors(r#""p": (def: "p", at: (40.0, 40.0))"#))
}

fn played() -> Session {
    Session::new(played_world())
}

#[test]
fn while_ticks_are_away_the_world_is_shown_as_it_was_and_changes_wait_in_order() {
    let mut session = played();
    session.pass(3.0 / 64.0, &Input::NONE);
    let batch = session.begin().unwrap();
    // The batch is away until it is run.
    assert_eq!(session.world().tick(), 0);
    assert!(session.is_busy());
    session.pass(1.0, &Input::NONE);
    assert!(session.begin().is_none(), "one at a time");
    for gravity in [1.0, 2.0] {
        let said = session.change(move |world| {
            world.set_tunable("Physics.gravity", Value::Float(gravity));
            Some(format!("{gravity} at {}", world.tick()))
        });
        assert_eq!(said, Vec::<String>::new(), "it waits");
    }
    assert_eq!(session.world().tunable("Physics.gravity"), Some(&Value::Float(900.0)));
    let (said, is_cut_short) = session.take(batch.run().unwrap());
    assert_eq!((said, is_cut_short), (vec!["1 at 3".to_owned(), "2 at 3".to_owned()], false));
    assert_eq!(session.world().tunable("Physics.gravity"), Some(&Value::Float(2.0)));
    assert_eq!(session.world().tick(), 3);
    assert!(session.lost_secs() == 0.0);
    assert!(session.begin().is_some(), "what passed meanwhile is due");
    assert!(session.lost_secs() > 0.5, "but no more than a frame's worth of it");
}

#[test]
fn a_batch_can_be_canceled() {
    let mut session = played();
    session.pass(1.0 / 64.0, &Input::NONE);
    let (first, ran) = (session.begin().unwrap(), session.world().clone());
    session.change(|world| Some(format!("at {}", world.tick())));
    assert_eq!(session.cancel_batch(), ["at 0"], "it goes on from what is shown, changed");
    assert!(first.run().is_none());
    assert_eq!(session.world().hash(), ran.hash());
    // Run already, and given up before it is taken back.
    session.pass(1.0 / 64.0, &Input::NONE);
    let late = session.begin().unwrap().run().unwrap();
    session.cancel_batch();
    assert_eq!(session.take(late), (Vec::new(), false));
    assert_eq!(session.world().tick(), 0);
    session.request_step(&Input::NONE);
    let step = session.begin().unwrap();
    session.take(step.run().unwrap());
    assert_eq!(session.world().tick(), 1);
    // The session is gone: so are its ticks.
    session.pass(1.0 / 64.0, &Input::NONE);
    let batch = session.begin().unwrap();
    drop(session);
    assert!(batch.run().is_none());
}

#[test]
fn keys_stay_held_from_step_to_step() {
    let mut session = played();
    let mut world = played_world();
    for held in
        [Input::NONE.with(Input::RIGHT), Input::NONE.with(Input::RIGHT), Input::NONE, Input::NONE.with(Input::UP)]
    {
        session.request_step(&held);
        let step = session.begin().unwrap();
        session.take(step.run().unwrap());
        world.step(&held);
    }
    assert_eq!(session.world().hash(), world.hash());
    assert!(session.world().entities().next().unwrap().pos.x > 40.0);
}

#[test]
fn every_requested_step_is_run() {
    let mut session = played();
    session.request_step(&Input::NONE);
    let first = session.begin().unwrap();
    session.request_step(&Input::NONE);
    session.request_step(&Input::NONE);
    assert!(session.begin().is_none(), "one batch at a time");
    session.take(first.run().unwrap());
    for _ in 0..2 {
        let next = session.begin().unwrap();
        session.take(next.run().unwrap());
    }
    assert_eq!(session.world().tick(), 3);
    assert!(session.begin().is_none() && !session.is_busy());
}

#[test]
fn only_the_last_queued_migration_is_made_and_only_by_a_batch() {
    let mut session = played();
    let migrate = |session: &mut Session, name: &'static str| {
        session.migrate(move |world| Some(format!("{name} at {}", world.tick())));
    };
    session.pass(1.0 / 64.0, &Input::NONE);
    let slow = session.begin().unwrap();
    ["first", "second", "third"].into_iter().for_each(|name| migrate(&mut session, name));
    assert_eq!(session.change(|_| Some("after it".to_owned())), Vec::<String>::new());
    assert_eq!(session.take(slow.run().unwrap()), (Vec::new(), false), "the thread that shows the world makes none");
    // Canceled while it runs, the batch that makes it is made up for; no time passes.
    let canceled = session.begin().unwrap();
    assert_eq!(session.cancel_batch(), Vec::<String>::new());
    assert!(canceled.run().is_none());
    let batch = session.begin().unwrap();
    assert_eq!(session.take(batch.run().unwrap()), (vec!["third at 1".to_owned(), "after it".to_owned()], false));
    assert_eq!(session.world().tick(), 1);
    assert!(!session.is_busy());
}

#[test]
fn keys_pressed_before_a_pause_are_not_replayed_after_it() {
    let mut session = played();
    session.pass(1.0 / 64.0, &Input::NONE);
    drop(session.begin().unwrap());
    for held in [Input::NONE.with(Input::RIGHT), Input::NONE, Input::NONE.with(Input::DOWN), Input::NONE] {
        session.pass(1.0 / 64.0, &held);
    }
    session.cancel_batch();
    for _ in 0..8 {
        session.pass(1.0 / 64.0, &Input::NONE);
        let batch = session.begin().unwrap();
        session.take(batch.run().unwrap());
    }
    assert_eq!(session.world().tick(), 8, "nor is the time that passed before");
    let at = session.world().entities().next().unwrap().pos;
    assert_eq!((at.x, at.y), (40.0, 40.0));
}

#[test]
fn keys_pressed_during_slow_ticks_are_not_lost_and_what_is_seen_is_what_simulate_computes() {
    let mut session = played();
    session.pass(1.0 / 64.0, &Input::NONE);
    let slow = session.begin().unwrap();
    // Pressed, let go, pressed and let go again in the frames that the tick takes.
    for held in [Input::NONE.with(Input::RIGHT), Input::NONE, Input::NONE.with(Input::DOWN), Input::NONE] {
        session.pass(1.0 / 64.0, &held);
    }
    session.take(slow.run().unwrap());
    let batch = session.begin().unwrap();
    session.take(batch.run().unwrap());
    let mut world = played_world();
    for held in [Input::NONE, Input::NONE.with(Input::RIGHT), Input::NONE, Input::NONE.with(Input::DOWN), Input::NONE] {
        world.step(&held);
    }
    assert_eq!(session.world().hash(), world.hash());
    let at = session.world().entities().next().unwrap().pos;
    assert!(at.x > 40.0 && at.y > 40.0, "{at}");
}
