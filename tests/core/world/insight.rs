//! What is seen of a running world to understand it: forces, sight, and what a session keeps of its ticks.

use glam::Vec2;
use levelwright::sim::{
    Input, Session, World,
    insight::{Freeze, Watch},
};

use super::{run, world};
use crate::preview::{actors, map};

fn session_until(mut session: Session, mut is_done: impl FnMut(&Session) -> bool) -> (Session, Vec<String>) {
    let mut messages = Vec::new();
    for _ in 0..400 {
        session.request_step(&Input::NONE);
        let ran = session.begin().and_then(levelwright::sim::Batch::run).unwrap();
        let (news, is_cut_short) = session.take(ran);
        messages.extend(news);
        if is_cut_short || is_done(&session) {
            return (session, messages);
        }
    }
    panic!("it does not happen in 400 ticks: {messages:?}");
}

#[test]
fn the_parts_of_a_force_add_up_to_mass_times_acceleration() {
    let mut world = world(
        r#"{
            "falling": (set: (Body: (mass: 2.0), Collider: (shape: Box((10.0, 10.0))))),
            "resting": (set: (Body: (mass: 3.0, lock_rotation: true), Collider: (shape: Box((10.0, 10.0))))),
            "post": (set: (Body: (kind: Static), Collider: (shape: Box((10.0, 10.0))))),
        }"#,
        "{}",
        r#""f": (def: "falling", at: (100.0, 20.0)), "r": (def: "resting", at: (200.0, 155.0)), "p": (def: "post", at: (300.0, 155.0))"#,
    );
    run(&mut world, 8);
    let force = |world: &World, id: &str| {
        let key = world.by_id(id).unwrap();
        world.forces().find(|force| force.key == key)
    };
    let falling = force(&world, "f").unwrap();
    assert_eq!(falling.gravity, Vec2::new(0.0, 2.0 * 900.0));
    assert!(falling.whole.abs_diff_eq(falling.gravity, 2.0), "it falls freely: {falling:?}");
    assert!(falling.rest.length() < 2.0 && falling.zones == Vec2::ZERO);
    let resting = force(&world, "r").unwrap();
    assert_eq!(resting.gravity, Vec2::new(0.0, 3.0 * 900.0));
    assert!(resting.whole.length() < 30.0 && resting.rest.abs_diff_eq(-resting.gravity, 30.0), "{resting:?}");
    assert_eq!(force(&world, "p"), None, "nothing acts on what is static");
    for force in world.forces() {
        assert!((force.gravity + force.zones + force.rest).abs_diff_eq(force.whole, 1e-2));
    }
}

#[test]
fn a_body_that_comes_with_a_velocity_was_not_pushed_to_it() {
    let mut world = world(
        r#"{ "shot": (set: (Body: (mass: 1.0, velocity: (300.0, 0.0), gravity_scale: 0.0), Collider: (shape: Circle(3.0)))) }"#,
        "{}",
        r#""s": (def: "shot", at: (60.0, 60.0))"#,
    );
    run(&mut world, 1);
    assert_eq!(world.forces().count(), 0, "{:?}", world.forces().collect::<Vec<_>>());
}

#[test]
fn a_gaze_has_the_range_that_the_active_state_asks_for_and_those_it_sees() {
    let rows = ["", "", "", "....#", "", ""];
    let mut world = map(
        "TopDown",
        &rows,
        r#"{ "guard": (set: (Brain: (machines: ["watch"]), Sight: (cone: 90.0))), "prey": (set: (Tags: (tags: ["prey"]))), "stone": () }"#,
        r#"{ "watch": (initial: "Calm", states: {
            "Calm": (transitions: [(when: All([CanSee(target: "tag:prey", range: 100.0), Within(target: "tag:prey", range: 1.0)]), to: "Alert")]),
            "Alert": (transitions: [(when: Not(CanSee(target: "tag:prey", range: 160.0)), to: "Calm")]),
        }) }"#,
        &actors(
            r#""g": (def: "guard", at: (20.0, 20.0)), "near": (def: "prey", at: (80.0, 30.0)), "behind": (def: "prey", at: (95.0, 60.0)),
               "far": (def: "prey", at: (140.0, 20.0)), "aside": (def: "prey", at: (20.0, 80.0)), "s": (def: "stone", at: (60.0, 20.0))"#,
        ),
    );
    run(&mut world, 2);
    let gazes: Vec<_> = world.gazes().collect();
    assert_eq!(gazes.len(), 1, "others ask for nothing");
    assert_eq!((gazes[0].range_px, gazes[0].is_looking), (100.0, true));
    let seen: Vec<_> = gazes[0].sees.iter().map(|key| world.entity(*key).unwrap().id.to_string()).collect();
    assert_eq!(seen, ["near"], "not what is behind a wall, too far, outside the cone, or not looked for");
}

#[test]
fn a_session_keeps_trails_traffic_and_energy_only_while_they_are_watched() {
    let world = world(
        r#"{
            "w": (set: (Brain: (machines: ["m"]), Walker: (speed: 60.0), Body: (), Collider: (shape: Box((10.0, 16.0))))),
            "ball": (set: (Body: (mass: 2.0), Collider: (shape: Circle(5.0)))),
        }"#,
        r#"{ "m": (enter: [FollowRoute(layer: "patrol", mode: PingPong)]) }"#,
        r#""w1": (def: "w", at: (60.0, 150.0)), "b1": (def: "ball", at: (300.0, 20.0))"#,
    );
    let mut session = Session::new(world);
    let at = |session: &Session, tick| session.world().tick() >= tick;
    (session, _) = session_until(session, |session| at(session, 8));
    assert_eq!(session.observed().trails().count(), 0);
    session.watch = Watch { trails: true, heat: true, energy: Some(Vec::new()), ..Watch::default() };
    (session, _) = session_until(session, |session| at(session, 24));
    let observed = session.observed();
    let ball = session.world().by_id("b1").unwrap();
    let (_, trail) = observed.trails().find(|(key, _)| *key == ball).unwrap();
    assert_eq!(trail.len(), 16, "a point a tick while it falls");
    assert!(trail.iter().zip(trail.iter().skip(1)).all(|(a, b)| a.0 < b.0 && a.1.y < b.1.y));
    let secs: f64 = observed.heat.cells(session.world().time_secs()).map(|(_, secs)| secs).sum();
    assert!((secs - 16.0 / 64.0).abs() < 0.01, "of the walker alone: {secs}");
    let energies: Vec<_> = observed.energy().map(|(_, energy)| *energy).collect();
    assert_eq!(energies.len(), 16);
    let total = |i: usize| energies[i].kinetic + energies[i].potential;
    assert!((total(0) - total(15)).abs() < 0.03 * total(0), "{} becomes {}", total(0), total(15));
    assert!(energies[15].kinetic > 2.0 * energies[0].kinetic && energies[15].momentum.y > 0.0);
    session.watch = Watch::default();
    (session, _) = session_until(session, |session| at(session, 26));
    assert_eq!((session.observed().trails().count(), session.observed().energy().len()), (0, 0));
    assert_eq!(session.observed().heat.cells(session.world().time_secs()).count(), 0);
}

#[test]
fn a_session_pauses_in_the_tick_in_which_a_pair_begins_to_touch() {
    let stage = || {
        world(
            r#"{ "ball": (set: (Body: (mass: 1.0), Collider: (shape: Circle(5.0), restitution: 0.0))), "post": (set: (Body: (kind: Static), Collider: (shape: Box((20.0, 20.0))))) }"#,
            "{}",
            r#""a": (def: "ball", at: (100.0, 40.0)), "b": (def: "post", at: (100.0, 120.0)), "c": (def: "ball", at: (200.0, 140.0))"#,
        )
    };
    let touches = |session: &Session, id: &str| {
        let world = session.world();
        !world.physics().touching(world.by_id(id).unwrap()).is_empty()
    };
    let frozen = |a: &str, b: Option<&str>| {
        let mut session = Session::new(stage());
        session.watch.freeze = Some(Freeze { a: a.into(), b: b.map(Into::into) });
        session_until(session, |_| false)
    };
    let (session, messages) = frozen("a", Some("b"));
    assert!(touches(&session, "a"));
    let tick = session.world().tick() - 1;
    assert_eq!(messages, [format!("Paused: a and b began to touch in tick {tick}")]);
    // The same run without the trap touches in that tick and not before.
    let mut plain = stage();
    run(&mut plain, tick);
    let key = plain.by_id("a").unwrap();
    assert!(plain.physics().touching(key).is_empty());
    run(&mut plain, 1);
    assert!(!plain.physics().touching(key).is_empty());
    assert_eq!(plain.hash(), session.world().hash(), "to watch changes nothing");
    // It goes on from there, and does not stop again while they touch.
    let (_, messages) = session_until(session, |session| session.world().tick() > tick + 20);
    assert!(messages.is_empty(), "{messages:?}");
    let (_, messages) = frozen("c", None);
    assert!(messages[0].starts_with("Paused: c and the ground began to touch in tick "), "{messages:?}");
}
