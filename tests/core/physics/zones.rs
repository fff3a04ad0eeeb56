//! Zones: wind, water, gravity, their shares, falloff and order; and belts, which carry loose bodies.

use levelwright::sim::physics::{Falloff, SwimSpec, ZoneSpec};

use super::*;

pub(super) fn zone(shape: Shape, spec: ZoneSpec) -> BodySpec {
    BodySpec { zone: Some(spec), ..sensor(BodySpec::fixed(shape)) }
}

fn nothing() -> ZoneSpec {
    ZoneSpec {
        acceleration: Vec2::ZERO,
        pull: 0.0,
        replaces: false,
        density: 0.0,
        drag: 0.0,
        falloff: Falloff::None,
        order: 0,
    }
}

pub(super) fn wind(x: f32, y: f32) -> ZoneSpec {
    ZoneSpec { acceleration: Vec2::new(x, y), ..nothing() }
}

/// A box of 200 by 100 pixels with its middle at (200, 100).
fn air(stage: &mut Stage, spec: ZoneSpec) -> EntityKey {
    stage.add(&zone(Shape::Box([200.0, 100.0]), spec), 200.0, 100.0)
}

fn floating(spec: BodySpec) -> BodySpec {
    BodySpec { gravity_scale: 0.0, ..spec }
}

#[test]
fn wind_adds_to_the_velocity_of_what_is_within_by_its_share() {
    let mut stage = Stage::new(&[]);
    air(&mut stage, wind(64.0, -128.0));
    let inside = stage.add(&floating(crate_of(10.0)), 200.0, 100.0);
    let half = stage.add(&floating(crate_of(10.0)), 150.0, 150.0);
    let outside = stage.add(&floating(crate_of(10.0)), 150.0, 156.0);
    let mask = |layer: u32, mask: u32| {
        let mut spec = floating(ball(5.0));
        let collider = spec.collider.as_mut().unwrap();
        (collider.layer, collider.mask) = (layer, mask);
        spec
    };
    let other = stage.add(&mask(2, 0), 250.0, 100.0);
    stage.steps(1);
    assert_eq!(stage.pose(inside).vel, Vec2::new(1.0, -2.0));
    assert!(stage.pose(half).vel.abs_diff_eq(Vec2::new(0.5, -1.0), 1e-4), "{}", stage.pose(half).vel);
    assert_eq!(stage.pose(outside).vel, Vec2::ZERO);
    assert_eq!(stage.pose(other).vel, Vec2::ZERO, "its mask has no layer of the zone");
    stage.steps(15);
    assert!(stage.pose(inside).vel.abs_diff_eq(Vec2::new(16.0, -32.0), 1e-3));
}

#[test]
fn what_leaves_a_zone_is_as_it_was() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "", "", "", "################"]);
    let spec = ZoneSpec { replaces: true, drag: 2.0, ..nothing() };
    let key = air(&mut stage, spec);
    let ball = stage.add(&ball(5.0), 200.0, 100.0);
    let box_ = stage.add(&crate_of(10.0), 150.0, 139.0);
    stage.steps(64);
    assert_eq!(stage.pose(ball).vel, Vec2::ZERO, "no gravity");
    stage.physics.despawn(key);
    stage.steps(16);
    assert!(near(stage.pose(ball).vel.y, 900.0 * 16.0 / 64.0, 0.01), "{}", stage.pose(ball).vel);
    stage.steps(120);
    assert!(near(stage.pos(box_).y, 139.0, 0.2) && stage.physics.is_sleeping(box_), "it rests: {}", stage.pos(box_));
}

#[test]
fn strength_falls_off_from_the_origin_to_the_farthest_point() {
    let at = |falloff: Falloff, x: f32| {
        let mut stage = Stage::top_down(&[]);
        stage.add(&zone(Shape::Circle(100.0), ZoneSpec { falloff, pull: 640.0, ..nothing() }), 0.0, 0.0);
        let body = stage.add(&ball(4.0), x, 0.0);
        stage.steps(1);
        // Before the floor's friction.
        -stage.pose(body).vel.x * (1.0 + 6.0 / 64.0)
    };
    for (falloff, x, expected) in [
        (Falloff::None, 50.0, 10.0),
        (Falloff::None, 90.0, 10.0),
        (Falloff::Linear, 50.0, 5.0),
        (Falloff::Linear, 75.0, 2.5),
        (Falloff::Square, 50.0, 2.5),
        (Falloff::Square, -75.0, -0.625),
    ] {
        let found = at(falloff, x);
        assert!(near(found, expected, 0.06 * expected.abs()), "{falloff:?} at {x}: {found}");
    }
}

#[test]
fn a_body_floats_as_deep_as_it_is_heavy() {
    // A crate of 16 px is a square meter.
    for (mass, depth) in [(0.5, 4.0), (1.0, 8.0), (1.5, 12.0)] {
        let mut stage = Stage::new(&[]);
        let water = ZoneSpec { density: 2.0, drag: 3.0, ..nothing() };
        air(&mut stage, water);
        let key = stage.add(&BodySpec { mass, ..crate_of(16.0) }, 200.0, 30.0);
        stage.steps(64 * 20);
        let found = stage.pos(key).y + 8.0 - 50.0;
        assert!(near(found, depth, 0.6), "{mass} kg: {found} px deep");
        assert!(stage.pose(key).vel.length() < 2.0, "it came to rest: {}", stage.pose(key).vel);
    }
    let mut stage = Stage::new(&["", "", "", "", "", "", "", "", "", "##########################"]);
    air(&mut stage, ZoneSpec { density: 2.0, drag: 3.0, ..nothing() });
    let stone = stage.add(&BodySpec { mass: 3.0, ..crate_of(16.0) }, 200.0, 30.0);
    stage.steps(64 * 4);
    assert!(near(stage.pos(stone).y, 136.0, 0.3), "what is heavier sinks: {}", stage.pos(stone));
}

#[test]
fn a_raft_that_is_put_in_askew_comes_to_lie_flat() {
    let mut stage = Stage::new(&[]);
    air(&mut stage, ZoneSpec { density: 2.0, drag: 3.0, ..nothing() });
    let raft = BodySpec { mass: 2.0, ..BodySpec::dynamic(Shape::Box([48.0, 12.0])) };
    let key = stage.add(&raft, 200.0, 50.0);
    stage.physics.set_pose(key, Vec2::new(200.0, 50.0), 0.6);
    stage.steps(64 * 20);
    let angle = stage.pose(key).angle;
    assert!(angle.abs() < 0.05, "{angle}");
}

#[test]
fn water_does_not_turn_what_is_wholly_in_it() {
    let mut stage = Stage::new(&[]);
    stage.add(&zone(Shape::Box([400.0, 400.0]), ZoneSpec { density: 2.0, ..nothing() }), 200.0, 200.0);
    let wedge = Shape::Polygon(vec![[-8.0, 8.0], [16.0, -8.0], [16.0, 8.0]]);
    let wedge = stage.add(&BodySpec { mass: 3.0, ..BodySpec::dynamic(wedge) }, 200.0, 200.0);
    stage.steps(32);
    let Pose { spin, angle, .. } = stage.pose(wedge);
    assert!(near(spin, 0.0, 1e-3) && near(angle, 0.0, 1e-3), "{angle} rad, {spin} rad/s");
}

#[test]
fn a_zone_can_have_a_gravity_of_its_own() {
    // Up, to the ceiling.
    let mut stage =
        Stage::new(&["##########################", "", "", "", "", "", "", "", "", "##########################"]);
    let up = ZoneSpec { replaces: true, ..wind(0.0, -900.0) };
    stage.add(&zone(Shape::Box([200.0, 300.0]), up), 200.0, 100.0);
    let key = stage.add(&crate_of(16.0), 200.0, 130.0);
    stage.steps(64 * 3);
    assert!(near(stage.pos(key).y, 24.0, 0.3), "{}", stage.pos(key));
    // Sideways against a wall, where it comes to rest.
    let mut stage =
        Stage::new(&["", "", "", "               ##", "               ##", "               ##", "               ##"]);
    air(&mut stage, ZoneSpec { replaces: true, ..wind(900.0, 0.0) });
    let key = stage.add(&crate_of(16.0), 150.0, 80.0);
    stage.steps(64 * 3);
    assert!(near(stage.pos(key).x, 232.0, 0.3) && near(stage.pos(key).y, 80.0, 1.0), "{}", stage.pos(key));
    assert!(stage.physics.is_sleeping(key), "it rests");
    // Around a planet.
    let mut stage = Stage::new(&[]);
    let pull = ZoneSpec { replaces: true, pull: 400.0, ..nothing() };
    stage.add(&zone(Shape::Circle(200.0), pull), 0.0, 0.0);
    stage.add(&BodySpec::fixed(Shape::Circle(40.0)), 0.0, 0.0);
    let places = [Vec2::new(90.0, 0.0), Vec2::new(-60.0, -70.0), Vec2::new(0.0, 100.0)];
    let moons = places.map(|at| stage.add(&BodySpec { spin_damping: 2.0, ..ball(6.0) }, at.x, at.y));
    stage.steps(64 * 4);
    for (moon, from) in moons.into_iter().zip(places) {
        let at = stage.pos(moon);
        assert!(near(at.length(), 46.0, 0.5), "{at}");
        assert!(at.normalize().dot(from.normalize()) > 0.9, "it fell straight down: {from} {at}");
    }
}

#[test]
fn of_zones_that_overlap_a_greater_order_comes_later() {
    let fall = |specs: &[(ZoneSpec, i64)]| {
        let mut stage = Stage::new(&[]);
        for (spec, order) in specs {
            air(&mut stage, ZoneSpec { order: *order, ..spec.clone() });
        }
        let key = stage.add(&crate_of(10.0), 200.0, 100.0);
        stage.steps(1);
        stage.pose(key).vel * 64.0
    };
    let (left, up) = (wind(-300.0, 0.0), ZoneSpec { replaces: true, ..wind(0.0, -200.0) });
    let cases = [
        (vec![(left.clone(), 0)], [-300.0, 900.0]),
        (vec![(left.clone(), 0), (left.clone(), 0)], [-600.0, 900.0]),
        (vec![(up.clone(), 0)], [0.0, -200.0]),
        (vec![(left.clone(), 0), (up.clone(), 1)], [0.0, -200.0]),
        (vec![(left.clone(), 1), (up.clone(), 0)], [-300.0, -200.0]),
        (vec![(ZoneSpec { replaces: true, ..nothing() }, 2), (up, 1), (left, 0)], [0.0, 0.0]),
    ];
    for (zones, expected) in cases {
        let found = fall(&zones);
        assert!(found.abs_diff_eq(Vec2::from(expected), 0.05), "{zones:?}: {found}");
    }
}

#[test]
fn who_falls_by_a_greater_gravity_is_lifted_by_more_than_its_plain_weight() {
    let rows = ["", "", "", "", "", "", "", "", "", "##########################"];
    let spec = WalkerSpec { fall_gravity: 1.35, apex_speed: 70.0, apex_gravity: 0.5, ..feet() };
    for (up, released) in [(-850.0, false), (-850.0, true), (-950.0, false), (-950.0, true), (-1150.0, true)] {
        let mut stage = Stage::new(&rows);
        let hero = stage.add(&BodySpec { walker: Some(spec.clone()), ..walker() }, 200.0, 135.0);
        stage.steps(8);
        assert!(stage.physics.on_ground(hero));
        air(&mut stage, wind(0.0, up));
        stage.walk(hero, WalkInput { released, ..WalkInput::default() }, 0.5);
        let (rise, expected) = (136.0 - stage.pos(hero).y, (-up - 900.0).max(0.0) / 8.0);
        assert!(near(rise, expected, 0.1 * expected + 0.1), "{up}, {released}: {rise}, not {expected}");
        assert_eq!(stage.physics.on_ground(hero), expected == 0.0, "{up}, {released}");
    }
}

#[test]
fn walkers_are_lifted_blown_and_swim() {
    let rows = ["", "", "", "", "", "", "", "", "", "##########################"];
    // Off the ground by more than their weight, to where falloff holds them.
    let mut stage = Stage::new(&rows);
    let fan = ZoneSpec { falloff: Falloff::Linear, drag: 3.0, ..wind(0.0, -2000.0) };
    let mut spec = zone(Shape::Box([40.0, 128.0]), fan);
    spec.collider = Some(ColliderSpec::new(Shape::Box([40.0, 128.0]), [0.0, -64.0]));
    stage.add(&sensor(spec), 100.0, 144.0);
    let hero = stage.add(&walker(), 100.0, 135.0);
    stage.steps(64 * 6);
    let y = stage.pos(hero).y;
    // Where 1 - d / 130 is 900 / 2000.
    assert!(near(y, 144.0 - 71.0, 6.0), "{y}");
    // A weaker one leaves it on its feet, and a side wind takes it along.
    let mut stage = Stage::new(&rows);
    air(&mut stage, wind(0.0, -500.0));
    let hero = stage.add(&walker(), 150.0, 135.0);
    stage.steps(30);
    assert!(stage.physics.on_ground(hero));
    let mut stage = Stage::new(&rows);
    air(&mut stage, wind(1200.0, 0.0));
    let hero = stage.add(&walker(), 150.0, 135.0);
    stage.steps(60);
    assert!(stage.pos(hero).x > 160.0 && stage.physics.on_ground(hero), "{}", stage.pos(hero));
    // In water that a zone makes, who swims swims.
    let mut stage = Stage::new(&rows);
    air(&mut stage, ZoneSpec { density: 2.0, ..nothing() });
    let swim = SwimSpec { speed: 70.0, acceleration: 400.0, sink_speed: 20.0, jump_speed: 220.0 };
    let mut fish = walker();
    fish.walker.as_mut().unwrap().swim = Some(swim);
    let hero = stage.add(&fish, 150.0, 80.0);
    stage.steps(30);
    assert!(near(stage.pose(hero).vel.y, 20.0, 1.0), "{}", stage.pose(hero).vel);
    assert!(stage.physics.clip_of_motion(hero) == Some("swim") && stage.physics.can_go_up(hero));
    // It rises to the surface and stays there while it swims up, and leaps out by a stroke.
    let up = WalkInput { climb: -1.0, ..WalkInput::default() };
    let (_, poses) = stage.walk(hero, up, 3.0);
    let surfaced = &poses[poses.len() - 64..];
    assert!(surfaced.iter().all(|pose| near(pose.pos.y, 50.0, 0.5)), "{:?}", surfaced.last());
    let (_, poses) = stage.walk(hero, WalkInput { jump: Some(300.0), ..up }, 0.5);
    assert!(poses.iter().any(|pose| pose.pos.y < 40.0), "{:?}", poses.last());
    // A current carries it along, slower where the water brakes more; it swims against a weak one.
    let drifted = |drag: f32, dir: Vec2| {
        let mut stage = Stage::new(&rows);
        air(&mut stage, ZoneSpec { density: 2.0, drag, ..wind(120.0, 0.0) });
        let hero = stage.add(&fish, 150.0, 80.0);
        stage.walk(hero, WalkInput { dir, ..WalkInput::default() }, 0.5);
        stage.pose(hero).vel.x
    };
    // 400 / 70 of what it has is braked each second.
    assert!(near(drifted(0.0, Vec2::ZERO), 120.0 / (400.0 / 70.0), 0.1), "{}", drifted(0.0, Vec2::ZERO));
    assert!(near(drifted(4.0, Vec2::ZERO), 120.0 / (400.0 / 70.0 + 4.0), 0.1), "{}", drifted(4.0, Vec2::ZERO));
    assert!(drifted(0.0, Vec2::NEG_X) < -45.0, "{}", drifted(0.0, Vec2::NEG_X));
    // Flyers are blown, too.
    let mut stage = Stage::new(&rows);
    air(&mut stage, wind(0.0, -1000.0));
    let flyer = FlyerSpec { speed: 90.0, acceleration: 240.0, arrive_radius: 24.0 };
    let bird = stage.add(&BodySpec { flyer: Some(flyer), ..ball(4.0) }, 200.0, 100.0);
    stage.steps(10);
    assert!(stage.pos(bird).y < 96.0, "{}", stage.pos(bird));
}

#[test]
fn a_zone_that_comes_wakes_what_sleeps() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "", "", "", "##########################"]);
    let key = stage.add(&crate_of(16.0), 200.0, 135.9);
    stage.steps(64 * 2);
    assert!(stage.physics.is_sleeping(key));
    let fan = air(&mut stage, wind(0.0, -1500.0));
    stage.steps(32);
    assert!(stage.pos(key).y < 130.0, "{}", stage.pos(key));
    stage.physics.despawn(fan);
    stage.steps(64 * 2);
    assert!(near(stage.pos(key).y, 136.0, 0.2), "{}", stage.pos(key));
}

#[test]
fn zones_run_the_same_from_a_snapshot() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "", "", "", "##########################"]);
    air(&mut stage, ZoneSpec { density: 2.0, drag: 1.0, ..nothing() });
    air(&mut stage, ZoneSpec { order: 1, replaces: true, falloff: Falloff::Square, pull: 500.0, ..nothing() });
    for i in 0..12_u8 {
        let spec = if i % 2 == 0 { crate_of(12.0) } else { ball(5.0) };
        stage.add(&spec, 120.0 + f32::from(i) * 13.0, 60.0 + f32::from(i % 5) * 9.0);
    }
    let run = |physics: &mut Physics| -> Vec<u64> {
        let tick = |_| {
            physics.step();
            physics.hash()
        };
        (0..60).map(tick).collect()
    };
    for _ in 0..4 {
        let mut copy = stage.physics.clone();
        assert_eq!(run(&mut stage.physics), run(&mut copy));
    }
}

#[test]
fn belts_carry_loose_bodies() {
    for (belt, way) in [('c', 1.0), ('C', -1.0)] {
        let floor = format!("{}{}{}", "#".repeat(12), belt.to_string().repeat(12), "#".repeat(12));
        let mut stage = Stage::new(&["", "", "", "", &floor]);
        let box_ = stage.add(&crate_of(12.0), 288.0, 57.0);
        let ball = stage.add(&surface(ball(6.0), 0.6, 0.0), 288.0 - way * 40.0, 57.0);
        stage.steps(64);
        assert!(near(stage.pose(box_).vel.x, 60.0 * way, 1.0), "{belt}: {}", stage.pose(box_).vel);
        assert!(stage.pose(ball).vel.x * way > 10.0, "{belt}: {}", stage.pose(ball).vel);
        stage.steps(64 * 3);
        let beside = if way > 0.0 { stage.pos(box_).x > 378.0 } else { stage.pos(box_).x < 198.0 };
        assert!(
            beside && stage.pose(box_).vel.x.abs() < 0.5,
            "{belt}: it stops beside the belt: {:?}",
            stage.pose(box_)
        );
    }
}

#[test]
fn no_zone_is_strong_enough_to_blow_a_flyer_through_a_wall() {
    let rows = ["          ##", "          ##", "          ##", "          ##", "          ##"];
    let flyer = BodySpec {
        flyer: Some(FlyerSpec { speed: 90.0, acceleration: 240.0, arrive_radius: 24.0 }),
        ..BodySpec::dynamic(Shape::Circle(5.0))
    };
    for spec in [flyer, walker()] {
        for strength in [2e4, 2e5, 2e6] {
            let mut stage = Stage::top_down(&rows);
            stage.add(&zone(Shape::Box([2000.0, 2000.0]), wind(strength, 0.0)), 100.0, 40.0);
            let key = stage.add(&spec, 60.0, 40.0);
            for tick in 0..32 {
                stage.steps(1);
                assert!(stage.pos(key).x < 160.0, "{strength} px/s², tick {tick}: {:?}", stage.pose(key));
            }
        }
    }
}

#[test]
fn a_loaded_raft_comes_to_rest() {
    for (width, mass, load) in [(96.0, 20.0, 8.0), (160.0, 30.0, 40.0), (64.0, 20.0, 100.0)] {
        let mut stage = Stage::new(&[]);
        air(&mut stage, ZoneSpec { density: if load > 50.0 { 200.0 } else { 16.0 }, drag: 3.0, ..nothing() });
        let raft = BodySpec { mass, ..BodySpec::dynamic(Shape::Box([width, 12.0])) };
        let raft = stage.add(&raft, 200.0, 50.0);
        stage.add(&BodySpec { mass: load, ..crate_of(15.0) }, 200.0, 36.5);
        stage.steps(64 * 30);
        let (mut lo, mut hi) = (f32::INFINITY, f32::NEG_INFINITY);
        for _ in 0..64 * 4 {
            stage.steps(1);
            (lo, hi) = (lo.min(stage.pos(raft).y), hi.max(stage.pos(raft).y));
        }
        assert!(hi - lo < 1.0, "{width} px, {mass} kg under {load} kg: it bobs by {} px", hi - lo);
    }
}
