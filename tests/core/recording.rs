//! Going back in what was played: any tick is found again, another future begins with a change, and a recording is a
//! scenario.

use std::path::Path;

use levelwright::{
    defs::resolve,
    io,
    model::{CueKind, DocPath, Document, Scenario, TuneCue, Value, mix},
    sim::{
        DifferenceKind, Input, Options, Session, World,
        recorded_scenario::{RecordedScenario, recorded_scenario},
        scenario::Runner,
    },
};

use crate::{
    cases::{Case, seeds},
    preview::{actors, map},
    world::{FLOOR, builtin, project},
};

fn sample_world(level: &str) -> World {
    let project = io::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data")).project;
    let resolution = resolve(&project, &builtin(), None);
    World::compile(&project, &resolution, level, Options::default()).unwrap()
}

/// A scenario as its file has it.
fn read(text: &str) -> Scenario {
    let path = DocPath::new("scenarios/played.ron").unwrap();
    let (document, findings) = io::load_one(&path, text);
    assert!(findings.is_empty(), "{findings:?}\n{text}");
    let Some(Document::Scenario(scenario)) = document else { panic!("{text}") };
    scenario
}

/// Compute all there is to compute.
fn settle(session: &mut Session) {
    while let Some(batch) = session.begin() {
        session.take(batch.run().unwrap());
    }
}

/// Play so many ticks with these keys.
fn play(session: &mut Session, n: u32, held: &Input) {
    for _ in 0..n {
        session.pass(session.world().timestep_secs(), held);
        settle(session);
    }
}

fn seek(session: &mut Session, tick: u64) {
    session.seek(tick);
    settle(session);
    assert_eq!(session.world().tick(), tick);
}

/// Set a constant as the tuning page does.
fn tune(session: &mut Session, name: &str, value: f64) {
    let (name, value) = (name.to_owned(), Value::Float(value));
    let cue = CueKind::Tune(TuneCue { name: name.clone(), value: value.clone() });
    session.change_by(Some(vec![cue]), move |world| {
        world.set_tunable(&name, value.clone());
        None
    });
    settle(session);
}

fn keys(seed: u64, i: u64) -> Input {
    let mut input = Input::NONE;
    for (bit, (_, key)) in Input::KEYS.into_iter().enumerate() {
        input.set(0, key, (mix(seed ^ (i / 24)) >> bit).is_multiple_of(4));
    }
    input
}

/// A player on a floor.
fn played() -> Session {
    let defs = r#"{ "p": (set: (Player: (), Walker: (speed: 100.0), Body: (), Collider: (shape: Circle(5.0)))) }"#;
    Session::new(map("TopDown", &[], defs, "{}", &actors(r#""p": (def: "p", at: (40.0, 40.0))"#)))
}

#[test]
fn every_tick_is_found_again_bit_for_bit_in_any_order() {
    for seed in seeds(2) {
        let _case = Case::new(seed);
        let mut session = Session::new(sample_world("courtyard"));
        let mut hashes = vec![session.world().hash()];
        for i in 0..400 {
            if i == 120 {
                tune(&mut session, "Physics.gravity", 500.0);
                hashes[120] = session.world().hash();
            }
            play(&mut session, 1, &keys(seed, i));
            hashes.push(session.world().hash());
        }
        assert_eq!(session.range(), [0, 400]);
        for i in 0..40 {
            let tick = mix(seed ^ i) % 401;
            seek(&mut session, tick);
            assert_eq!(session.world().hash(), hashes[tick as usize], "tick {tick}");
        }
        // Played from there without a key, the keys are repeated and nothing is another future.
        seek(&mut session, 60);
        play(&mut session, 340, &Input::NONE);
        assert_eq!(session.world().hash(), hashes[400]);
        assert_eq!((session.range(), session.ghost().is_some()), ([0, 400], false));
        assert_eq!(session.repeats_until(), None);
    }
}

#[test]
fn another_key_begins_another_future_and_the_earlier_one_goes_on_as_a_ghost() {
    let mut session = played();
    let right = Input::NONE.with(Input::RIGHT);
    let mut hashes = Vec::new();
    for _ in 0..100 {
        play(&mut session, 1, &right);
        hashes.push(session.world().hash());
    }
    seek(&mut session, 50);
    assert_eq!(session.repeats_until(), Some(100));
    play(&mut session, 10, &Input::NONE);
    assert!(session.ghost().is_none(), "so far everything comes again");
    play(&mut session, 10, &Input::NONE.with(Input::DOWN));
    assert_eq!((session.range(), session.repeats_until()), ([0, 70], None));
    let ghost = session.ghost().expect("the earlier future");
    assert_eq!((ghost.tick(), ghost.hash()), (70, hashes[69]));
    let found = session.world().differences(ghost);
    let [difference] = found.as_slice() else { panic!("{found:?}") };
    assert!(matches!(difference.kind, DifferenceKind::Moved(by) if by.x < -5.0 && by.y > 5.0), "{difference:?}");
    // The ghost can be gone back with, and runs on beyond its own end with the keys of now.
    seek(&mut session, 20);
    assert_eq!(session.ghost().map(World::hash), Some(hashes[19]));
    assert_eq!(session.world().hash(), hashes[19]);
    seek(&mut session, 70);
    play(&mut session, 60, &Input::NONE);
    assert_eq!(session.ghost().map(World::tick), Some(130));
    session.drop_ghost();
    assert!(session.ghost().is_none());
}

#[test]
fn a_change_in_the_past_keeps_the_keys_and_can_be_undone_by_going_before_it() {
    let mut session = played();
    play(&mut session, 60, &Input::NONE.with(Input::RIGHT));
    let before = session.world().hash();
    seek(&mut session, 30);
    session.change(|world| {
        let key = world.by_id("p").unwrap();
        world.set_field(key, "Walker.speed", Value::Float(50.0));
        None
    });
    settle(&mut session);
    assert_eq!(session.range(), [0, 30], "what came after is not so any more");
    play(&mut session, 30, &Input::NONE);
    assert_eq!(session.ghost().map(World::hash), Some(before));
    let x = |world: &World| world.entities().next().unwrap().pos.x;
    let (now, then) = (x(session.world()), x(session.ghost().unwrap()));
    assert!(now > 90.0 && now < then - 10.0, "{now} px at half the speed, {then} px before");
    // Gone back and changed again, the future that was left last is the ghost.
    let slow = session.world().hash();
    seek(&mut session, 10);
    tune(&mut session, "Simulation.max_ticks_per_frame", 9.0);
    play(&mut session, 50, &Input::NONE);
    assert_eq!(session.ghost().map(World::hash), Some(slow));
    let [far, ghost] = [x(session.world()), x(session.ghost().unwrap())];
    assert!((far - then).abs() < 1e-3 && ghost == now, "without the slower speed it goes as far: {far}, {ghost}");
}

#[test]
fn another_future_lets_go_of_what_the_hand_held() {
    let mut session = played();
    let act = |session: &mut Session, holds: bool| {
        session.change(move |world| {
            let key = world.by_id("p").unwrap();
            if holds {
                world.hold(key, glam::Vec2::new(100.0, 60.0), 0.0);
            } else {
                world.let_go();
            }
            None
        });
        settle(session);
    };
    play(&mut session, 10, &Input::NONE);
    act(&mut session, true);
    play(&mut session, 20, &Input::NONE);
    act(&mut session, false);
    play(&mut session, 10, &Input::NONE);
    for change in [false, true] {
        seek(&mut session, 20 + u64::from(change));
        assert!(session.world().hand().key().is_some(), "in the middle of it");
        if change {
            tune(&mut session, "Physics.gravity", 500.0);
        } else {
            session.branch();
        }
        play(&mut session, 5, &Input::NONE.with(Input::RIGHT));
        assert!(session.world().hand().key().is_none());
        let x = session.world().entities().next().unwrap().pos.x;
        assert!(x > 100.5, "it walks: {x}");
        // That is recorded, too.
        let (tick, hash) = (session.world().tick(), session.world().hash());
        seek(&mut session, 0);
        seek(&mut session, tick);
        assert_eq!(session.world().hash(), hash);
        if !change {
            seek(&mut session, 10);
            act(&mut session, true);
            play(&mut session, 20, &Input::NONE);
            act(&mut session, false);
            play(&mut session, 10, &Input::NONE);
        }
    }
}

#[test]
fn without_ghosts_the_earlier_future_is_dropped() {
    let mut session = played();
    session.makes_ghosts = false;
    play(&mut session, 40, &Input::NONE.with(Input::RIGHT));
    seek(&mut session, 20);
    session.branch();
    assert_eq!((session.range(), session.ghost().is_none()), ([0, 20], true));
    assert_eq!(session.repeats_until(), Some(40), "its keys are repeated all the same");
}

#[test]
fn events_are_logged_once_and_only_up_to_the_moment_shown() {
    let mut session = Session::new(sample_world("courtyard"));
    let log = |session: &Session| session.log().map(|(n, event)| (n, event.clone())).collect::<Vec<_>>();
    play(&mut session, 200, &Input::NONE.with(Input::RIGHT));
    let all = log(&session);
    assert!(all.len() > 10, "{}", all.len());
    seek(&mut session, 40);
    let early = log(&session);
    assert!(early.len() < all.len() && early == all[..early.len()]);
    play(&mut session, 160, &Input::NONE);
    assert_eq!(log(&session), all);
    seek(&mut session, 40);
    play(&mut session, 160, &Input::NONE.with(Input::LEFT));
    assert_eq!(log(&session)[..early.len()], all[..early.len()]);
    assert!(log(&session).iter().all(|(_, event)| event.tick < 200));
}

#[test]
fn a_recording_of_any_length_keeps_few_worlds_and_goes_back_in_few_ticks() {
    let mut session = played();
    play(&mut session, 64 * 120, &Input::NONE);
    assert_eq!(session.range(), [0, 64 * 120]);
    let one = session.world().bytes();
    let n = session.recording_bytes() / one;
    assert!((100..400).contains(&n), "{n} worlds of {one} bytes");
}

#[test]
fn what_was_played_is_a_scenario_that_ends_in_the_same_world() {
    for (seed, level) in seeds(3).zip(["courtyard", "training", "dungeon"]) {
        let _case = Case::new(seed);
        let mut session = Session::new(sample_world(level));
        for i in 0..300 {
            if i == 90 {
                tune(&mut session, "Physics.gravity", 700.0);
            }
            play(&mut session, 1, &keys(seed, i));
        }
        // A future that was dropped is not in it.
        seek(&mut session, 200);
        play(&mut session, 70, &Input::NONE.with(Input::LEFT));
        let player = session.world().entities().find(|it| it.resolved.has("Player")).unwrap().id.clone();
        let RecordedScenario { scenario, n_left_out } = recorded_scenario(&session, &[player]);
        assert_eq!(n_left_out, 0);
        let text = io::text_of(&Document::Scenario(scenario), None);
        let scenario = read(&text);
        let Scenario { secs, seed, .. } = &scenario;
        let options = Options { seed: seed.map(i64::cast_unsigned) };
        let project = io::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_data")).project;
        let resolution = resolve(&project, &builtin(), None);
        let world = World::compile(&project, &resolution, level, options).unwrap();
        let mut runner = Runner::new(world, *secs, Some(&scenario), None);
        runner.run(&mut |_| true);
        assert_eq!(runner.world().tick(), 270);
        assert_eq!(runner.world().hash(), session.world().hash(), "{level}\n{text}");
        assert!(runner.outcomes().iter().all(|outcome| outcome.passed), "{:?}", runner.outcomes());
        assert_eq!(runner.problems(), &[] as &[String]);
    }
}

/// Do what a cue does, as the window does.
fn by_hand(session: &mut Session, text: &str) {
    let cue = read(&format!("(level: \"mill\", secs: 1.0, script: [(at: 0.0, {text})])")).script.remove(0).what;
    session.change_by(Some(vec![cue.clone()]), move |world| {
        world.perform(&cue).err().map(|missing| format!("{missing:?}"))
    });
}

#[test]
fn what_is_done_by_hand_is_in_the_scenario() {
    let mut session = Session::new(sample_world("mill"));
    let placed: Vec<String> = session.world().entities().map(|entity| entity.id.to_string()).collect();
    let dynamic: Vec<&String> = placed
        .iter()
        .filter(|id| {
            let key = session.world().by_id(id).unwrap();
            session.world().physics().spec(key).is_some_and(levelwright::sim::physics::BodySpec::is_dynamic)
        })
        .collect();
    let [first, second, third, ..] = dynamic.as_slice() else { panic!("{dynamic:?}") };
    let right = Input::NONE.with(Input::RIGHT);
    by_hand(&mut session, &format!("move: \"{first}\", place: (120.3, 40.7), rotation: 33.3"));
    play(&mut session, 20, &right);
    by_hand(&mut session, &format!("pull: \"{second}\", grip: (1.5, -2.5), toward: (100.1, 30.0)"));
    play(&mut session, 30, &right);
    by_hand(&mut session, "let_go: true");
    by_hand(&mut session, &format!("move: \"{third}\", place: (80.0, 33.0), held: true"));
    play(&mut session, 30, &Input::NONE);
    by_hand(&mut session, "let_go: true");
    by_hand(&mut session, &format!("remove: \"{third}\""));
    play(&mut session, 40, &Input::NONE);
    let RecordedScenario { scenario, n_left_out } = recorded_scenario(&session, &[]);
    assert_eq!(n_left_out, 0);
    let scenario = read(&io::text_of(&Document::Scenario(scenario), None));
    let mut runner = Runner::new(sample_world("mill"), scenario.secs, Some(&scenario), None);
    runner.run(&mut |_| true);
    assert_eq!(runner.problems(), &[] as &[String]);
    assert_eq!(runner.world().hash(), session.world().hash());
}

#[test]
fn a_drag_while_nothing_plays_is_one_cue() {
    let mut session = Session::new(sample_world("mill"));
    play(&mut session, 5, &Input::NONE);
    let physics = session.world().physics();
    let is_dynamic = |key| physics.spec(key).is_some_and(levelwright::sim::physics::BodySpec::is_dynamic);
    let id = session.world().entities().find(|entity| is_dynamic(entity.key)).unwrap().id.to_string();
    for x in 0..40 {
        by_hand(&mut session, &format!("move: \"{id}\", place: ({x}.5, 40.0), held: true"));
    }
    assert_eq!(session.script().1.len(), 1);
    by_hand(&mut session, "let_go: true");
    by_hand(&mut session, &format!("move: \"{id}\", place: (20.0, 30.0), held: true"));
    assert_eq!(session.script().1.len(), 3, "what was let go of is taken anew");
    play(&mut session, 30, &Input::NONE);
    let RecordedScenario { scenario, .. } = recorded_scenario(&session, &[]);
    let mut runner = Runner::new(sample_world("mill"), scenario.secs, Some(&scenario), None);
    runner.run(&mut |_| true);
    assert_eq!(runner.world().hash(), session.world().hash());
}

#[test]
fn changes_that_no_scenario_can_hold_are_counted() {
    let mut session = played();
    play(&mut session, 5, &Input::NONE);
    session.change(|_| None);
    play(&mut session, 5, &Input::NONE);
    assert_eq!(recorded_scenario(&session, &[]).n_left_out, 1);
}

#[test]
fn the_size_of_a_world_is_about_what_a_copy_of_it_takes() {
    for level in ["courtyard", "mill", "dungeon", "training"] {
        let mut world = sample_world(level);
        for i in 0..300 {
            world.step(&keys(1, i));
        }
        drop(world.drain_events());
        let mut copy = None;
        let info = allocation_counter::measure(|| copy = Some(Box::new(world.clone())));
        drop(copy);
        let ratio = world.bytes() as f64 / info.bytes_current as f64;
        println!("{level}: {} bytes estimated, {} allocated", world.bytes(), info.bytes_current);
        assert!((0.5..2.5).contains(&ratio), "{level}: {} estimated, {} allocated", world.bytes(), info.bytes_current);
    }
}

#[test]
fn what_was_changed_often_at_one_moment_is_not_made_again_from_there() {
    let mut session = played();
    play(&mut session, 20, &Input::NONE);
    let made = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    for _ in 0..100 {
        let made = made.clone();
        session.migrate(move |_| {
            made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            None
        });
        settle(&mut session);
    }
    play(&mut session, 10, &Input::NONE);
    let before = made.load(std::sync::atomic::Ordering::Relaxed);
    assert_eq!(before, 100);
    seek(&mut session, 25);
    let again = made.load(std::sync::atomic::Ordering::Relaxed) - before;
    assert!(again < 10, "{again} of 100 changes are made again");
    let hash = session.world().hash();
    seek(&mut session, 5);
    seek(&mut session, 25);
    assert_eq!(session.world().hash(), hash);
}

#[test]
fn a_loop_ends_on_time_at_any_speed() {
    let mut session = played();
    session.speed = 8.0;
    session.end = Some(20);
    for _ in 0..6 {
        session.pass(1.0 / 60.0, &Input::NONE);
        settle(&mut session);
        assert!(session.tick() <= 20);
    }
    assert_eq!((session.tick(), session.lost_secs()), (20, 0.0));
}

#[test]
fn the_tick_that_is_sought_counts_while_it_is_computed() {
    let mut session = played();
    play(&mut session, 40, &Input::NONE);
    session.seek(30);
    let batch = session.begin().unwrap();
    assert_eq!((session.tick(), session.world().tick(), session.is_seeking()), (30, 40, true));
    session.seek(session.tick() - 1);
    session.take(batch.run().unwrap());
    settle(&mut session);
    assert_eq!((session.world().tick(), session.is_seeking()), (29, false));
}

#[test]
fn events_of_changes_are_logged_once() {
    let mut session = played();
    play(&mut session, 10, &Input::NONE);
    let player = session.world().by_id("p").unwrap();
    session.change(move |world| {
        world.despawn(player);
        None
    });
    let logged = |session: &Session| session.log().filter(|(_, event)| event.tick == 10).count();
    let n = logged(&session);
    assert!(n > 0);
    seek(&mut session, 5);
    seek(&mut session, 10);
    assert_eq!(logged(&session), n);
    play(&mut session, 3, &Input::NONE);
    seek(&mut session, 5);
    play(&mut session, 8, &Input::NONE);
    assert_eq!(logged(&session), n);
}

#[test]
fn worlds_that_are_kept_have_what_their_searches_did_and_no_memory_for_the_rest_of_the_map() {
    // Walls across, open at one end in turn: a search goes through all of it.
    const CHUNKS: usize = 12;
    const SIDE: usize = CHUNKS * 32;
    let row = |column: usize, y: usize| match (y % 8, column) {
        (3, 0) => "\"1 . 30*1\"",
        (7, column) if column + 1 == CHUNKS => "\"30*1 . 1\"",
        (3 | 7, _) => "\"32*1\"",
        _ => "\"\"",
    };
    let chunk = |at: usize| {
        let rows: Vec<&str> = (0..32).map(|y| row(at % CHUNKS, y)).collect();
        format!("({}, {}): [{}]", at % CHUNKS, at / CHUNKS, rows.join(", "))
    };
    let chunks: Vec<String> = (0..CHUNKS * CHUNKS).map(chunk).collect();
    let defs = r#"{ "w": (set: (Brain: (machines: ["go"]), Walker: (speed: 50.0), Body: (), Collider: (shape: Circle(5.0)))) }"#;
    let machines = r#"{ "go": (enter: [GoTo(at: Some((6100.0, 6100.0)))]) }"#;
    let placed: Vec<String> = (0..4).map(|i| format!("\"w{i}\": (def: \"w\", at: ({}, 20.0))", 40 + i * 40)).collect();
    let level = format!(
        "(size: ({SIDE}, {SIDE}), tile_size: (16, 16), view: Some(TopDown), layers: [
            Tiles(name: \"ground\", tileset: \"t\", chunks: {{ {} }}), {}
        ])",
        chunks.join(", "),
        actors(&placed.join(", "))
    );
    let files =
        [("entities/e.ron", defs), ("machines/m.ron", machines), ("levels/l.ron", &level), ("tilesets/t.ron", FLOOR)];
    let (project, resolution) = project(&files);
    let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    world.set_tunable("Navigation.expansions_per_tick", Value::Float(1000.0));
    world.set_tunable("Navigation.turn_penalty", Value::Float(0.5));
    let mut session = Session::new(world);
    play(&mut session, 8, &Input::NONE);
    let (size_early, early) = (session.world().bytes(), session.world().hash());
    play(&mut session, 32, &Input::NONE);
    let world = session.world();
    assert!(world.paths().all(|path| path.points.is_empty()), "they are still searching");
    let gained = world.bytes() - size_early;
    assert!(gained > 32 * 1000, "what searches did is counted: {gained}");
    assert!(gained < 16 * SIDE * SIDE, "but not all of the map for each: {gained}");
    let info = allocation_counter::measure(|| drop(world.clone()));
    assert!(info.bytes_max < (4 * SIDE * SIDE) as u64, "a copy shares them: {}", info.bytes_max);
    // They go on as if the world had not been copied.
    let mut copy = world.clone();
    play(&mut session, 100, &Input::NONE);
    (0..100).for_each(|_| copy.step(&Input::NONE));
    assert_eq!(copy.hash(), session.world().hash());
    seek(&mut session, 8);
    assert_eq!(session.world().hash(), early);
}
