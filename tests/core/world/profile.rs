//! What ticks spend their time on, measured by a clock that a test hands in: the same world as without, the systems in
//! what they are in,
//! and every definition.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use levelwright::sim::{
    Batch, Input, Options, Session, World,
    insight::{
        Watch,
        profile::{Clock, Profile, Profiler, Share, Span, System},
    },
    scenario::Runner,
};

use super::{sample, world};

/// A clock that says a microsecond more each time.
fn clock() -> Clock {
    let readings = AtomicU64::new(0);
    Arc::new(move || Duration::from_micros(readings.fetch_add(1, Ordering::Relaxed)))
}

fn level(name: &str) -> World {
    let (project, resolution) = sample();
    World::compile(&project, &resolution, name, Options::default()).unwrap()
}

/// The stages within the solver are by rapier's own timers, which no test hands in.
const OF_SOLVER: [System; 4] = [System::BroadPhase, System::NarrowPhase, System::Islands, System::Constraints];

#[test]
fn a_measured_world_is_the_same_as_one_that_is_not() {
    for name in ["courtyard", "range", "dungeon"] {
        let (mut plain, mut measured) = (level(name), level(name));
        let mut profilers = [false, true].map(|is_detailed| Profiler::new(clock(), is_detailed));
        let mut snapshot = None;
        for tick in 0..96 {
            plain.step(&Input::NONE);
            let profile = measured.step_measured(&Input::NONE, &mut profilers[usize::from(tick % 3 > 0)]);
            assert_eq!((profile.tick, profile.is_detailed()), (tick, tick % 3 > 0), "{name}");
            assert_eq!(plain.hash(), measured.hash(), "{name} at {tick}");
            if tick == 40 {
                snapshot = Some(measured.snapshot());
            }
        }
        assert_eq!(plain.drain_events(), measured.drain_events(), "{name}");
        measured.restore(&snapshot.unwrap());
        for _ in 41..96 {
            measured.step_measured(&Input::NONE, &mut profilers[1]);
        }
        assert_eq!(plain.hash(), measured.hash(), "{name} from the middle");
    }
}

/// The systems with how deep they are, their calls in the last tick and their time in microseconds.
fn shown(profile: &Profile) -> Vec<String> {
    let rows = profile.systems(Span::Recent).into_iter().filter(|row| !OF_SOLVER.contains(&row.system));
    let line = |row: levelwright::sim::insight::profile::SystemRow| {
        format!("{}{} {} {}", "  ".repeat(row.depth), row.system.name(), row.calls, row.total_ns / 1e3)
    };
    rows.map(line).collect()
}

#[test]
fn systems_are_measured_in_what_they_are_in() {
    let world = world(
        r#"{
            "w": (set: (Brain: (machines: ["m"]), Walker: (speed: 60.0), Body: (), Collider: (shape: Box((10.0, 16.0))))),
            "ball": (set: (Body: (mass: 2.0), Collider: (shape: Circle(5.0)))),
        }"#,
        r#"{ "m": (enter: [FollowRoute(layer: "patrol", mode: PingPong)], update: [Send(message: "Hello")], on: { "Hello": [] }) }"#,
        r#""w1": (def: "w", at: (60.0, 150.0)), "w2": (def: "w", at: (120.0, 150.0)), "b1": (def: "ball", at: (300.0, 20.0))"#,
    );
    let mut runner = Runner::new(world, 0.25, None, None);
    assert!(runner.profile().is_none());
    runner.measure(clock());
    runner.run(&mut |_| true);
    let profile = runner.profile().unwrap();
    // The clock is read where a sample begins and where it ends, so each of them takes a microsecond, and one more for
    // each reading
    // within.
    let expected = [
        "Tick 1 55",
        "  Messages 3 7",
        "    Machines 2 2",
        "  Updates 1 5",
        "    Machines 2 2",
        "  Movement 1 7",
        "    Path searches 0 0",
        "    Crowd 1 1",
        "    Steering 2 2",
        "  Physics 1 23",
        "    Index of bodies 1 1",
        "    Zones 1 1",
        "    Walkers and flyers 3 3",
        "    Forces 1 1",
        "    Pair budget 1 1",
        "    Solver 1 1",
        "    Touching pairs 1 1",
        "    Crushing 1 1",
        "    Joints 1 1",
        "  Joints 1 1",
        "  Contact messages 1 1",
        "  Animation 1 1",
    ];
    assert_eq!(shown(profile), expected, "{:#?}", shown(profile));
    let rows = profile.systems(Span::Whole);
    assert!(OF_SOLVER.iter().all(|part| rows.iter().any(|row| row.system == *part && row.depth == 3)));
    let (tick, own): (f64, f64) = (rows[0].total_ns, rows.iter().map(|row| row.own_ns).sum());
    assert!((tick - own).abs() < 1.0, "{tick} {own}");
}

#[test]
fn time_is_charged_to_definitions_and_to_the_cells_that_their_entities_are_in() {
    let world = world(
        r#"{
            "talker": (set: (Brain: (machines: ["m"]))),
            "goner": (set: (Brain: (machines: ["end"]))),
            "ball": (set: (Body: (mass: 2.0), Collider: (shape: Circle(5.0)))),
            "post": (set: (Body: (kind: Static), Collider: (shape: Circle(5.0)))),
        }"#,
        r#"{ "m": (update: [Log(text: "hm")]), "end": (initial: "A", states: { "A": (transitions: [(after: 0.1, do: [Despawn(target: "self")], to: "A")]) }) }"#,
        r#""t1": (def: "talker", at: (24.0, 24.0)), "t2": (def: "talker", at: (25.0, 25.0)), "g": (def: "goner", at: (200.0, 24.0)),
           "b": (def: "ball", at: (300.0, 20.0)), "p": (def: "post", at: (340.0, 20.0))"#,
    );
    let mut world = world;
    let mut profiler = Profiler::new(clock(), true);
    let mut last = 0;
    for tick in 0..16 {
        let profile = world.step_measured(&Input::NONE, &mut profiler);
        let charged: u64 = profile.kinds.iter().map(|kind| kind.by.iter().sum::<u64>()).sum();
        let by_cell: u64 = profile.cells.iter().map(|(_, ns)| ns).sum();
        assert_eq!(charged, by_cell, "each is somewhere");
        assert!(charged <= profile.total_ns());
        let of = |def: &str| profile.kinds.iter().find(|kind| *kind.def == *def).map(|kind| (kind.n, kind.by));
        if tick > 0 {
            assert_eq!(of("talker"), Some((2, [2000, 0, 0, 0])), "a microsecond each");
            assert_eq!(profile.cells.first(), Some(&([1, 1], 2000)));
            assert_eq!(of("post"), Some((1, [0; 4])));
        }
        let (n, by) = of("ball").unwrap();
        let solver = profile.systems.iter().find(|it| it.system == System::Solver).unwrap();
        assert_eq!((n, by[Share::Solver as usize]), (1, solver.total_ns), "no other body is moved by forces");
        if of("goner").is_some_and(|(n, by)| n == 0 && by[Share::Behavior as usize] > 0) {
            last = tick;
            assert!(profile.cells.iter().any(|(cell, _)| *cell == [12, 1]), "where it was: {:?}", profile.cells);
        }
    }
    assert!(last > 0, "what an entity did in the tick in which it went is charged to its definition");
}

fn play(session: &mut Session, n: u64) {
    for _ in 0..n {
        session.request_step(&Input::NONE);
        let ran = session.begin().and_then(Batch::run).unwrap();
        session.take(ran);
    }
}

#[test]
fn a_session_measures_by_the_clock_it_is_given_and_in_detail_while_that_is_watched() {
    let mut session = Session::new(level("courtyard"));
    play(&mut session, 2);
    assert_eq!(session.observed().profile, Profile::default(), "there is no clock");
    session.clock = Some(clock());
    play(&mut session, 3);
    let profile = &session.observed().profile;
    assert_eq!((profile.tick().n, profile.n_detailed(), profile.tick().last), (3, 0, 1000.0));
    session.watch = Watch { profile: true, ..Watch::default() };
    play(&mut session, 4);
    let profile = &session.observed().profile;
    assert_eq!((profile.tick().n, profile.n_detailed()), (7, 4));
    assert!(profile.kinds(Span::Whole).iter().any(|row| row.def.as_deref() == Some("goblin")));
    let seconds = session.world().time_secs();
    assert!(profile.cells(seconds).count() > 0);
    let latest = |session: &Session| session.observed().profile.ticks().next_back().unwrap().tick;
    assert_eq!(latest(&session), 8);
    session.seek(4);
    let ran = session.begin().and_then(Batch::run).unwrap();
    session.take(ran);
    assert_eq!(session.observed().profile.tick().n, 7, "going back is not what playing costs");
    play(&mut session, 1);
    assert_eq!((latest(&session), session.observed().profile.tick().n), (4, 8), "what comes again is measured again");
    session.clear_profile();
    assert_eq!(session.observed().profile, Profile::default());
}
