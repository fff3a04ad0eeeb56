//! Tracks of running entities: what they drive, what starts and turns them, who is carried and stopped, and edits
//! meanwhile.

use super::*;
use levelwright::sim::EntityKey;

fn place_of(world: &World, id: &str) -> [f32; 2] {
    world.entity(world.by_id(id).unwrap()).unwrap().pos.into()
}

fn number(world: &World, id: &str, field: &str) -> f64 {
    world.field(world.by_id(id).unwrap(), field).unwrap().as_f64().unwrap()
}

/// A world of one entity, `x`, with these tracks beside its components.
fn with_tracks(tracks: &str, components: &str) -> World {
    let defs = format!(r#"{{ "t": (set: (Tracks: (tracks: {{ {tracks} }}), {components})) }}"#);
    world(&defs, LOGGING, r#""x": (def: "t", at: (100.0, 60.0))"#)
}

/// Logs the messages of tracks.
const LOGGING: &str = r#"{ "log": (on: { "Dead": [Log(text: "end")], "Healed": [Log(text: "mark")], "Arrived": [Log(text: "start")] }) }"#;

/// What was logged in so many ticks.
fn logged(world: &mut World, ticks: u64) -> String {
    let text = |event: TraceEvent| if let TraceKind::Log { text } = event.kind { Some(text) } else { None };
    run(world, ticks).into_iter().filter_map(text).collect::<Vec<_>>().join(" ")
}

fn send(world: &mut World, message: &str) {
    assert_eq!(world.send("x", message, &Fields::new(), 0.0), 1);
}

#[test]
fn a_field_follows_its_keys_from_the_first_moment_on() {
    let mut world = with_tracks(
        r##""a": (field: "Walker.speed", keys: [(value: 20.0), (at: 1.0, value: 84.0)]),
           "b": (field: "Sprite.tint", keys: [(value: "#000000"), (at: 0.5, value: "#ffffff")], mode: Loop),
           "c": (field: "Walker.jump_speed", keys: [(value: -10.0), (at: 1.0, value: 10.0)], mode: PingPong, added: true),
           "d": (field: "Collider.sensor", keys: [(value: false), (at: 0.25, value: true)])"##,
        "Walker: (jump_speed: 100.0), Collider: (), Body: (), Sprite: ()",
    );
    assert_eq!((number(&world, "x", "Walker.speed"), number(&world, "x", "Walker.jump_speed")), (20.0, 90.0));
    let key = world.by_id("x").unwrap();
    for tick in 1..=160_u32 {
        run(&mut world, 1);
        let secs = f64::from(tick) / 64.0;
        assert_eq!(number(&world, "x", "Walker.speed"), 20.0 + 64.0 * secs.min(1.0), "{tick}");
        let folded = if secs % 2.0 > 1.0 { 2.0 - secs % 2.0 } else { secs % 2.0 };
        assert_eq!(number(&world, "x", "Walker.jump_speed"), 90.0 + 20.0 * folded, "{tick}");
        assert_eq!(world.field(key, "Collider.sensor"), Some(Value::Bool(tick >= 16)), "{tick}");
        let level = format!("{:02x}", (255.0 * (secs % 0.5) * 2.0).round() as u8);
        assert_eq!(world.field(key, "Sprite.tint"), Some(Value::str(format!("#{level}{level}{level}"))), "{tick}");
    }
    // Once it has ended, others may change the field.
    assert!(world.set_field(key, "Walker.speed", Value::Float(5.0)));
    run(&mut world, 1);
    assert_eq!(number(&world, "x", "Walker.speed"), 5.0);
    assert_eq!(world.tracks(key).map(|(name, at, plays)| (&**name, at, plays)).next(), Some(("a", 1.0, false)));
}

#[test]
fn a_platform_that_a_track_moves_carries_who_stands_on_it() {
    let defs = r#"{
        "lift": (set: (
            Collider: (shape: Box((64.0, 8.0)), friction: 1.0, layer: [World]),
            Tracks: (tracks: { "way": (drives: Position, added: true, keys: [(at: 1.0, value: (0.0, 0.0)), (at: 2.0, value: (48.0, -16.0))]) }),
        )),
        "w": (set: (Walker: (), Body: (), Collider: (shape: Box((10.0, 16.0))))),
    }"#;
    let mut world = world(defs, "{}", r#""l": (def: "lift", at: (100.0, 120.0)), "w": (def: "w", at: (90.0, 106.0))"#);
    run(&mut world, 64);
    let (lift, walker) = (place_of(&world, "l"), place_of(&world, "w"));
    assert_eq!(lift, [100.0, 120.0]);
    run(&mut world, 32);
    assert_eq!(place_of(&world, "l"), [124.0, 112.0]);
    assert_eq!(world.entity(world.by_id("l").unwrap()).unwrap().vel.to_array(), [48.0, -16.0]);
    run(&mut world, 32);
    assert_eq!(place_of(&world, "l"), [148.0, 104.0]);
    let moved = [0, 1].map(|i| place_of(&world, "w")[i] - walker[i]);
    assert!((moved[0] - 48.0).abs() < 0.5 && (moved[1] + 16.0).abs() < 0.5, "{moved:?}");
    run(&mut world, 1);
    assert_eq!(world.entity(world.by_id("l").unwrap()).unwrap().vel.to_array(), [0.0, 0.0], "it rests");
}

/// A door that goes up by 40 px in a second.
const DOOR: &str = r#""door": (drives: Position, added: true, autostart: false, keys: [(value: (0.0, 0.0)), (at: 1.0, value: (0.0, -40.0))],
    start_on: "Open", reverse_on: "Close", stop_on: "Hold", send_at_end: "Dead", marks: [(at: 0.5, send: "Healed"), (at: 0.0, send: "Arrived")])"#;

#[test]
fn messages_open_close_and_hold_a_door() {
    let mut world = with_tracks(DOOR, r#"Collider: (shape: Box((8.0, 40.0))), Brain: (machines: ["log"])"#);
    let y = |world: &World| 60.0 - place_of(world, "x")[1];
    send(&mut world, "Close");
    assert_eq!(logged(&mut world, 10), "", "it was never opened");
    send(&mut world, "Open");
    run(&mut world, 16);
    assert_eq!(y(&world), 10.0);
    send(&mut world, "Open");
    assert_eq!(logged(&mut world, 16), "mark", "opening again changes nothing");
    assert_eq!(y(&world), 20.0);
    send(&mut world, "Hold");
    run(&mut world, 16);
    assert_eq!(y(&world), 20.0);
    send(&mut world, "Close");
    assert_eq!(logged(&mut world, 16), "", "the mark was passed on the way there");
    assert_eq!(y(&world), 10.0);
    send(&mut world, "Open");
    assert_eq!(logged(&mut world, 47), "mark");
    assert_eq!(logged(&mut world, 10), "end");
    assert_eq!(y(&world), 40.0);
    send(&mut world, "Open");
    assert_eq!(logged(&mut world, 10), "", "it is open");
    assert_eq!(y(&world), 40.0);
    send(&mut world, "Close");
    assert_eq!(logged(&mut world, 70), "mark start end");
    assert_eq!(y(&world), 0.0);
}

#[test]
fn one_that_nothing_takes_back_starts_over_from_where_it_is() {
    let track = r#""step": (drives: Position, added: true, autostart: false, keys: [(value: (0.0, 0.0)), (at: 0.5, value: (8.0, 0.0))], start_on: "Go")"#;
    let mut world = with_tracks(track, "Collider: ()");
    for n in 1..=3_u8 {
        send(&mut world, "Go");
        run(&mut world, 40);
        assert_eq!(place_of(&world, "x"), [100.0 + 8.0 * f32::from(n), 60.0]);
    }
}

#[test]
fn a_track_without_keys_is_a_clock() {
    let track = r#""clock": (secs: 0.25, mode: Loop, send_at_end: "Dead", marks: [(at: 0.125, send: "Healed")])"#;
    let mut world = with_tracks(track, r#"Brain: (machines: ["log"])"#);
    assert_eq!(logged(&mut world, 48), "mark end mark end mark end");
}

#[test]
fn a_closed_door_stands_in_the_way_and_a_moving_one_pushes() {
    let defs = format!(
        r#"{{
            "door": (set: (Collider: (shape: Box((8.0, 40.0)), layer: [World]), Tracks: (tracks: {{ {DOOR},
                "press": (drives: Position, added: true, autostart: false, start_on: "Press", keys: [(value: (0.0, 0.0)), (at: 1.0, value: (-64.0, 0.0))]) }}))),
            "w": (set: (Player: (), Walker: (), Body: (), Collider: (shape: Box((10.0, 16.0))))),
        }}"#
    );
    let placed = r#""x": (def: "door", at: (140.0, 140.0)), "w": (def: "w", at: (100.0, 151.0))"#;
    let mut world = world(&defs, "{}", placed);
    let walk = |world: &mut World, ticks: u64| (0..ticks).for_each(|_| world.step(&Input::NONE.with(Input::RIGHT)));
    walk(&mut world, 64);
    let x = place_of(&world, "w")[0];
    assert!((130.0..131.5).contains(&x), "it is stopped at {x}");
    assert!(
        world.physics().still().contains_key(&(world.by_id("x").unwrap(), 0)),
        "those who look for a path know of it"
    );
    send(&mut world, "Press");
    run(&mut world, 1);
    assert!(world.physics().still().is_empty(), "not while it moves");
    run(&mut world, 63);
    let x = place_of(&world, "w")[0];
    assert!((x - 67.0).abs() < 2.0, "it was pushed to {x}");
    assert_eq!(world.physics().still().len(), 1);
    send(&mut world, "Open");
    walk(&mut world, 128);
    assert!(place_of(&world, "w")[0] > 110.0, "it goes through");
}

#[test]
fn a_track_waits_with_a_platform_that_stops_and_goes_on_from_there() {
    // Held for shorter than the track has left, and for longer.
    for held in [40, 400] {
        let defs = r#"{
            "ram": (set: (Body: (kind: Kinematic), Collider: (shape: Box((16.0, 24.0)), layer: [World]), Platform: (crush: Stop),
                Brain: (machines: ["log"]), Tracks: (tracks: { "way": (drives: Position, added: true, send_at_end: "Dead",
                    keys: [(value: (0.0, 0.0)), (at: 2.0, value: (128.0, 0.0))]) }))),
            "crate": (set: (Body: (mass: 10.0), Collider: (shape: Box((12.0, 12.0))))),
            "post": (set: (Collider: (shape: Box((8.0, 24.0)), layer: [World]), Brain: (machines: ["gone"]))),
        }"#;
        let machines = r#"{ "log": (on: { "Dead": [Log(text: "end")] }), "gone": (on: { "Open": [Despawn()] }) }"#;
        let placed = r#""x": (def: "ram", at: (60.0, 147.5)), "c": (def: "crate", at: (100.0, 153.9)), "post": (def: "post", at: (130.0, 147.5))"#;
        let mut world = world(defs, machines, placed);
        let texts = logged(&mut world, 60 + held);
        let before = place_of(&world, "x")[0];
        assert!((100.0..110.0).contains(&before) && texts.is_empty(), "it waits at {before}: {texts:?}");
        assert_eq!(world.send("post", "Open", &Fields::new(), 0.0), 1);
        let mut at = before;
        let mut texts = Vec::new();
        for tick in 0..140 {
            texts.extend(Some(logged(&mut world, 1)).filter(|text| !text.is_empty()));
            let now = place_of(&world, "x")[0];
            assert!((-1e-3..1.01).contains(&(now - at)), "held {held}, tick {tick}: from {at} to {now}");
            at = now;
        }
        assert_eq!((at, texts), (188.0, vec!["end".to_owned()]), "held {held}");
    }
}

/// A door that closes on a crate before a post, and opens again when it is told to.
#[test]
fn a_track_that_waits_is_reversed_at_once() {
    let defs = r#"{
        "door": (set: (Body: (kind: Kinematic), Collider: (shape: Box((16.0, 24.0)), layer: [World]), Platform: (crush: Stop),
            Tracks: (tracks: {
                "open": (drives: Position, added: true, autostart: false, start_on: "Up", keys: [(value: (0.0, 0.0)), (at: 1.0, value: (-32.0, 0.0))]),
                "close": (drives: Position, added: true, reverse_on: "Open", keys: [(value: (0.0, 0.0)), (at: 2.0, value: (128.0, 0.0))]),
            }))),
        "crate": (set: (Body: (mass: 10.0), Collider: (shape: Box((12.0, 12.0))))),
        "post": (set: (Collider: (shape: Box((8.0, 24.0)), layer: [World]))),
    }"#;
    let placed = r#""x": (def: "door", at: (60.0, 147.5)), "c": (def: "crate", at: (100.0, 153.9)), "post": (def: "post", at: (130.0, 147.5))"#;
    let mut world = world(defs, "{}", placed);
    run(&mut world, 200);
    let waits_at = place_of(&world, "x")[0];
    assert!((100.0..110.0).contains(&waits_at), "{waits_at}");
    send(&mut world, "Open");
    run(&mut world, 20);
    let now = place_of(&world, "x")[0];
    assert!((waits_at - now - 20.0).abs() < 2.0, "it goes back: from {waits_at} to {now}");
    run(&mut world, 80);
    assert_eq!(place_of(&world, "x")[0], 60.0);
}

#[test]
fn a_track_that_plays_wins_over_other_movers() {
    let defs = r#"{
        "tram": (set: (Platform: (route: "patrol", speed: 64.0, mode: Loop, wait_secs: 0.0), Collider: (),
            Tracks: (tracks: { "way": (drives: Position, autostart: false, start_on: "Go", keys: [(value: (40.0, 100.0)), (at: 1.0, value: (40.0, 40.0))]) }))),
        "w": (set: (Walker: (speed: 64.0), Body: (), Collider: (shape: Box((10.0, 16.0))), Player: (),
            Tracks: (tracks: { "way": (drives: Position, autostart: false, added: true, start_on: "Go", keys: [(value: (0.0, 0.0)), (at: 0.5, value: (0.0, -32.0))]) }))),
    }"#;
    let placed = r#""x": (def: "tram", at: (40.0, 150.0)), "w": (def: "w", at: (250.0, 151.0))"#;
    let mut world = world(defs, "{}", placed);
    run(&mut world, 32);
    assert!(place_of(&world, "x")[0] > 60.0, "it is on its route");
    send(&mut world, "Go");
    run(&mut world, 32);
    assert_eq!(place_of(&world, "x"), [40.0, 70.0]);
    run(&mut world, 32);
    assert_eq!(place_of(&world, "x"), [40.0, 40.0]);
    run(&mut world, 32);
    let [x, y] = place_of(&world, "x");
    assert!((x - 40.0).hypot(y - 40.0) > 20.0, "it goes on with its route: {x}, {y}");
    world.send("w", "Go", &Fields::new(), 0.0);
    let before = place_of(&world, "w");
    (0..32).for_each(|_| world.step(&Input::NONE.with(Input::RIGHT)));
    let after = place_of(&world, "w");
    assert_eq!((after[0], before[1] - after[1]), (before[0], 32.0), "keys do not move it meanwhile");
    run(&mut world, 64);
    assert!(place_of(&world, "w")[1] > after[1] + 20.0, "then it falls");
}

#[test]
fn a_jump_of_a_value_pushes_nobody_and_has_no_speed() {
    let mut world = with_tracks(
        r#""a": (drives: Position, mode: Loop, keys: [(value: (100.0, 60.0), ease: Step), (at: 0.25, value: (200.0, 60.0)), (at: 0.5, value: (210.0, 60.0))]),
           "b": (drives: Rotation, keys: [(value: 0.0), (at: 1.0, value: 90.0)])"#,
        "Collider: ()",
    );
    for tick in 1..=64 {
        run(&mut world, 1);
        let view = world.entity(world.by_id("x").unwrap()).unwrap();
        assert!(view.vel.length() < 100.0, "{tick}: {}", view.vel);
        let expected =
            if tick % 32 < 16 { 100.0 } else { 200.0 + f32::from(u8::try_from(tick % 32 - 16).unwrap()) * 10.0 / 16.0 };
        assert_eq!(view.pos.x, expected, "{tick}");
    }
    let angle = world.entity(world.by_id("x").unwrap()).unwrap().angle;
    assert!((angle.to_degrees() - 90.0).abs() < 1e-3, "{angle}");
}

#[test]
fn a_run_with_tracks_can_be_repeated_from_a_snapshot() {
    let make = || {
        let mut world = with_tracks(DOOR, r#"Collider: (), Brain: (machines: ["log"])"#);
        send(&mut world, "Open");
        run(&mut world, 20);
        world
    };
    let (mut a, mut b) = (make(), make());
    let snapshot = a.snapshot();
    let held = {
        let mut world = make();
        send(&mut world, "Hold");
        run(&mut world, 1);
        world.hash()
    };
    run(&mut a, 1);
    run(&mut b, 1);
    assert_eq!(a.hash(), b.hash());
    assert!(held != a.hash());
    run(&mut a, 50);
    b.restore(&snapshot);
    run(&mut b, 51);
    assert_eq!(a.hash(), b.hash());
}

/// The world of `with_tracks` after so many ticks, going on with other tracks, placed elsewhere.
fn edited(before: &str, ticks: u64, after: &str, at: &str) -> World {
    let files = |tracks: &str, at: &str| {
        let tracks = if tracks.is_empty() { String::new() } else { format!("Tracks: (tracks: {{ {tracks} }}), ") };
        let defs = format!(
            r#"{{ "t": (set: ({tracks}Collider: (), Walker: (speed: 50.0))) , "p": (set: ({tracks}Collider: ())) }}"#
        );
        project(&[
            ("entities/e.ron", &*defs),
            ("machines/m.ron", "{}"),
            ("levels/l.ron", &level(&format!(r#""x": (def: "t", at: (30.0, 60.0)), "p": (def: "p", at: ({at}))"#))),
            ("tilesets/t.ron", FLOOR),
        ])
    };
    let (project, resolution) = files(before, "100.0, 60.0");
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    run(&mut world, ticks);
    let (project, resolution) = files(after, at);
    migrated(&world, &project, &resolution)
}

#[test]
fn edits_of_tracks_count_at_once_and_what_is_gone_is_undone() {
    let speed = |to: f64| format!(r#""s": (field: "Walker.speed", keys: [(value: 10.0), (at: 1.0, value: {to:?})]), "#);
    let way = |to: f64| {
        format!(r#""w": (drives: Position, added: true, keys: [(value: (0.0, 0.0)), (at: 1.0, value: ({to:?}, 0.0))])"#)
    };
    let (before, after) = (speed(20.0), speed(30.0));
    let place = |world: &World| place_of(world, "p")[0];
    // Keys of one that plays, and of one that has ended.
    let world = edited(&before, 32, &after, "100.0, 60.0");
    assert_eq!(number(&world, "x", "Walker.speed"), 20.0);
    let world = edited(&before, 90, &after, "100.0, 60.0");
    assert_eq!(number(&world, "x", "Walker.speed"), 30.0);
    let mut world = edited(&way(64.0), 32, &way(32.0), "100.0, 60.0");
    assert_eq!(place(&world), 116.0);
    run(&mut world, 16);
    assert_eq!(place(&world), 124.0);
    // Its place in the level.
    let mut world = edited(&way(64.0), 32, &way(64.0), "200.0, 60.0");
    assert_eq!(place(&world), 232.0);
    run(&mut world, 32);
    assert_eq!(place(&world), 264.0);
    // A track that is new, and tracks that are gone, alone and with the component.
    let mut world = edited(&before, 32, &format!("{before}{}", way(64.0)), "100.0, 60.0");
    run(&mut world, 32);
    assert_eq!(place(&world), 132.0);
    for rest in ["", &*before] {
        let mut world = edited(&format!("{before}{}", way(64.0)), 32, rest, "100.0, 60.0");
        assert_eq!(place(&world), 100.0, "{rest:?}");
        let expected = if rest.is_empty() { 50.0 } else { 15.0 };
        assert_eq!(number(&world, "x", "Walker.speed"), expected, "{rest:?}");
        run(&mut world, 64);
        assert_eq!(place(&world), 100.0, "{rest:?}");
    }
}

#[test]
fn a_track_that_would_replace_itself_or_drive_what_is_not_there_does_nothing() {
    let odd = r#""a": (field: "Tracks.tracks", keys: [(value: {})]), "b": (field: "Walker.speed", keys: [(value: 3.0)]),
        "c": (field: "Nothing.at_all", keys: [(value: 1.0)]), "d": (field: "Collider.offset", keys: [(value: 1.0), (at: -5.0, value: (1.0, 2.0))])"#;
    let mut world = with_tracks(odd, "Collider: ()");
    run(&mut world, 10);
    let key: EntityKey = world.by_id("x").unwrap();
    assert_eq!(world.field(key, "Walker.speed"), None);
    assert_eq!(world.field(key, "Collider.offset"), Some(Value::vec2(1.0, 2.0)));
}
