//! Sounds as events: which messages play them, how loud and at which pitch, and that they change nothing else. And
//! those of a session: only what is played for the first time is heard.

use levelwright::{
    editor::{Camera, Heard},
    model::{Fields, Value},
    sim::{Input, Session, TraceEvent, TraceKind, World},
};

use super::{run, world};

/// The sounds among events: whose, which, how loud and at which pitch.
fn sounds(events: &[TraceEvent]) -> Vec<(String, String, f64, f64)> {
    let all = events.iter().filter_map(|event| match &event.kind {
        TraceKind::Sound { sound, volume, pitch, .. } => {
            Some((event.entity.to_string(), sound.to_string(), *volume, *pitch))
        }
        _ => None,
    });
    all.collect()
}

/// Two vases without machines, one of them with sounds.
fn vases(of_sound: &str) -> World {
    let sounds = format!(
        r#"Sounds: (sounds: {{
            "hit": (on: "Damaged", sound: "hit.wav", volume: 0.5 {of_sound}), "end": (on: "Dead", sound: "end.ogg", pitch: 2.0),
        }})"#
    );
    let defs =
        format!(r#"{{ "vase": (set: (Health: (max: 10.0), {sounds})), "still": (set: (Health: (max: 10.0))) }}"#);
    world(&defs, "{}", r#""v": (def: "vase", at: (40.0, 30.0)), "s": (def: "still", at: (80.0, 30.0))"#)
}

fn hit(world: &mut World, amount: f64) -> Vec<TraceEvent> {
    let payload: Fields = [("amount".into(), Value::Float(amount))].into_iter().collect();
    world.send("v", "Damaged", &payload, 0.0);
    world.send("s", "Damaged", &payload, 0.0);
    run(world, 2)
}

fn of(entity: &str, sound: &str, volume: f64, pitch: f64) -> (String, String, f64, f64) {
    (entity.into(), sound.into(), volume, pitch)
}

#[test]
fn messages_play_sounds_where_the_entity_is() {
    let mut world = vases("");
    assert_eq!(sounds(&run(&mut world, 3)), []);
    let events = hit(&mut world, 4.0);
    assert_eq!(sounds(&events), [of("v", "hit.wav", 0.5, 1.0)]);
    let place = events.iter().find_map(|event| match event.kind {
        TraceKind::Sound { x, y, .. } => Some([x, y]),
        _ => None,
    });
    assert_eq!(place, Some([40.0, 30.0]));
    assert_eq!(sounds(&hit(&mut world, 8.0)), [of("v", "hit.wav", 0.5, 1.0), of("v", "end.ogg", 1.0, 2.0)]);
    // The constant is in it, and where nothing would be heard there is nothing.
    assert!(world.set_tunable("Sound.volume", Value::Float(0.5)));
    assert_eq!(sounds(&hit(&mut world, 0.0)), [of("v", "hit.wav", 0.25, 1.0)]);
    assert!(world.set_tunable("Sound.volume", Value::Float(0.0)));
    assert_eq!(sounds(&hit(&mut world, 0.0)), []);
}

#[test]
fn machines_play_sounds_within_limits() {
    let action = |args: &str| {
        let machine = format!(r#"{{ "m": (on: {{ "Go": [PlaySound(sound: "{args})] }}) }}"#);
        let mut world =
            world(r#"{ "x": (set: (Brain: (machines: ["m"]))) }"#, &machine, r#""x": (def: "x", at: (9.0, 9.0))"#);
        run(&mut world, 1);
        world.send("x", "Go", &Fields::new(), 0.0);
        let events = run(&mut world, 2);
        let by: Vec<_> = events.iter().filter(|it| matches!(it.kind, TraceKind::Sound { .. })).collect();
        assert!(by.iter().all(|event| event.machine.as_deref() == Some("m")), "{by:?}");
        sounds(&events)
    };
    assert_eq!(action(r#"bell.wav", volume: 0.75"#), [of("x", "bell.wav", 0.75, 1.0)]);
    assert_eq!(action(r#"bell.wav", volume: 1e300, pitch: -1e300"#), [of("x", "bell.wav", 10.0, 0.05)]);
    assert_eq!(action(r#"""#), [], "no sound is chosen");
}

#[test]
fn pitches_differ_repeatably_and_draw_from_nothing_else() {
    let play = |of_sound: &str| {
        let mut world = vases(of_sound);
        let pitches: Vec<f64> = (0..20).flat_map(|_| sounds(&hit(&mut world, 0.0))).map(|(.., pitch)| pitch).collect();
        (pitches, world.hash())
    };
    let (plain, hash) = play("");
    let (pitches, hash_of_jittered) = play(", pitch: 2.0, jitter: 0.1");
    assert_eq!(plain, [1.0; 20]);
    assert_eq!(hash, hash_of_jittered, "nothing else of the world differs");
    assert_eq!(play(", pitch: 2.0, jitter: 0.1").0, pitches);
    assert!(pitches.iter().all(|pitch| (1.8..2.2).contains(pitch)), "{pitches:?}");
    let [low, high] = [f64::min, f64::max].map(|of| pitches.iter().copied().reduce(of).unwrap());
    assert!(high - low > 0.2, "{pitches:?}");
}

/// A session in which something ticks once in ten ticks.
fn ticking() -> Session {
    let machine = r#"{ "m": (initial: "A", states: {
        "A": (enter: [PlaySound(sound: "tick.wav")], transitions: [(after: 0.15, to: "B")]), "B": (transitions: [(after: 0.01, to: "A")]),
    }) }"#;
    let defs = r#"{ "x": (set: (Brain: (machines: ["m"]), Player: ())) }"#;
    Session::new(world(defs, machine, r#""x": (def: "x", at: (9.0, 9.0))"#))
}

fn settle(session: &mut Session) {
    while let Some(batch) = session.begin() {
        session.take(batch.run().unwrap());
    }
}

fn play(session: &mut Session, n: u32, held: &Input) -> Vec<u64> {
    for _ in 0..n {
        session.pass(session.world().timestep_secs(), held);
        settle(session);
    }
    session.take_sounds().iter().map(|event| event.tick).collect()
}

#[test]
fn a_session_hands_over_only_what_is_played_for_the_first_time() {
    let mut session = ticking();
    let first = play(&mut session, 60, &Input::NONE);
    assert!(first.len() > 4, "{first:?}");
    assert_eq!(play(&mut session, 0, &Input::NONE), [0; 0], "each is taken once");
    session.seek(10);
    settle(&mut session);
    assert_eq!(session.take_sounds(), [], "what is sought is not heard");
    assert_eq!(play(&mut session, 30, &Input::NONE), [0; 0], "what was played is not heard again");
    assert_eq!(session.world().tick(), 40);
    // Another key begins another future, with a ghost beside it that is not heard.
    let branched = play(&mut session, 20, &Input::NONE.with(Input::RIGHT));
    let expected: Vec<u64> = first.iter().copied().filter(|tick| *tick >= 40).collect();
    assert!(session.ghost().is_some() && !expected.is_empty());
    assert_eq!(branched, expected);
}

#[test]
fn sounds_are_heard_from_their_side_and_fade_with_distance() {
    let at = |x: f64, y: f64| {
        let kind = TraceKind::Sound { sound: "a.wav".into(), volume: 0.5, pitch: 1.5, x, y };
        TraceEvent { t: 0.0, tick: 0, entity: "e".into(), machine: None, kind }
    };
    let camera = Camera { center: glam::vec2(100.0, 50.0), scale: 2.0 };
    let heard = |x, y| Heard::by(&camera, &at(x, y));
    let middle = heard(100.0, 50.0).unwrap();
    assert_eq!((&*middle.sound, middle.sides, middle.pitch), ("a.wav", [0.5, 0.5], 1.5));
    let [left, right] = [heard(-100.0, 50.0).unwrap().sides, heard(300.0, 50.0).unwrap().sides];
    assert_eq!((left[0], right[1]), (0.5, 0.5), "as loud on its own side");
    assert!(left[1] < 0.5 && right[0] == left[1], "{left:?} {right:?}");
    // Twice as near by the zoom: of what is farther than the window, less is heard, and at last nothing.
    let below: Vec<f32> = [200.0, 700.0, 1500.0].map(|y| heard(100.0, y).unwrap().sides[0]).into();
    assert!(below[0] == 0.5 && below[0] > below[1] && below[1] > below[2], "{below:?}");
    assert_eq!(heard(1e6, 50.0), None);
    let wide = Camera { scale: 0.2, ..camera };
    assert_eq!(Heard::by(&wide, &at(100.0, 1500.0)).unwrap().sides, [0.5, 0.5]);
    let other = TraceEvent { kind: TraceKind::Despawn {}, ..at(0.0, 0.0) };
    assert_eq!(Heard::by(&camera, &other), None);
}
