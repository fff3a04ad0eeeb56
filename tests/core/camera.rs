//! The game's cameras: how a rig follows, what it never does, which cameras a world has, and how they are looked
//! through over time.

use glam::{DVec2, dvec2};
use levelwright::{
    model::{DocPath, Fields, Value, ValueSet},
    sim::{
        Options, World,
        camera::{
            CameraConstants, CameraNow, CameraSet, CameraSpec, CameraTarget, LookAhead, Rail, Rig, Shake, Zoom,
            placed_cameras, shaken_by, within,
        },
    },
};
use proptest::prelude::*;

use crate::{
    cases::cases,
    world::{project, run},
};

const TICK: f64 = 1.0 / 64.0;
const PICTURE: DVec2 = dvec2(320.0, 180.0);

/// Follows at once in a level without bounds.
fn spec() -> CameraSpec {
    CameraSpec {
        smooth_secs: 0.3,
        max_speed: 1e6,
        dead_zone: DVec2::ZERO,
        look_ahead: LookAhead::default(),
        bounds: None,
        zoom: Zoom { slow: 1.0, fast: 1.0, speeds: [0.0; 2], smooth_secs: 0.1 },
        rail: None,
    }
}

fn still(x: f64, y: f64) -> CameraTarget {
    CameraTarget { pos: dvec2(x, y), vel: DVec2::ZERO }
}

fn at(rig: &Rig) -> (f64, f64) {
    (rig.center().x, rig.center().y)
}

/// Follow a target that stays, for some seconds.
fn settle(rig: &mut Rig, spec: &CameraSpec, target: CameraTarget, secs: f64) {
    let mut left = secs;
    while left > 0.0 {
        rig.advance(spec, Some(target), PICTURE, TICK);
        left -= TICK;
    }
}

#[test]
fn it_comes_to_its_target_and_never_passes_it() {
    let spec = spec();
    let mut rig = Rig::at_rest(&spec, still(0.0, 0.0), PICTURE);
    let mut last = 0.0;
    for _ in 0..200 {
        rig.advance(&spec, Some(still(100.0, 0.0)), PICTURE, TICK);
        let (x, y) = at(&rig);
        assert!(x >= last && x <= 100.0 && y == 0.0, "{x} after {last}");
        last = x;
    }
    assert!(100.0 - last < 0.01, "{last}");
    // As the worked example: 9.9 of 10 after a second at 0.3 s.
    let mut rig = Rig::at_rest(&spec, still(0.0, 0.0), PICTURE);
    rig.advance(&spec, Some(still(0.0, 0.0)), PICTURE, TICK);
    settle(&mut rig, &spec, still(10.0, 0.0), 1.0);
    assert!((at(&rig).0 - 9.9).abs() < 0.05, "{:?}", at(&rig));
}

#[test]
fn inside_of_the_dead_zone_the_target_moves_alone() {
    let spec = CameraSpec { dead_zone: dvec2(40.0, 20.0), ..spec() };
    let mut rig = Rig::at_rest(&spec, still(100.0, 100.0), PICTURE);
    for (x, y) in [(119.0, 100.0), (81.0, 109.5), (100.0, 90.5), (120.0, 110.0)] {
        settle(&mut rig, &spec, still(x, y), 0.5);
        assert_eq!(at(&rig), (100.0, 100.0), "while the target is at {x}, {y}");
    }
    // Beyond its edge it takes the zone along, by what it is beyond, and on that axis alone.
    settle(&mut rig, &spec, still(150.0, 105.0), 4.0);
    assert!((at(&rig).0 - 130.0).abs() < 0.01 && at(&rig).1 == 100.0, "{:?}", at(&rig));
    settle(&mut rig, &spec, still(112.0, 105.0), 1.0);
    assert!((at(&rig).0 - 130.0).abs() < 0.01, "back inside: {:?}", at(&rig));
    settle(&mut rig, &spec, still(100.0, 105.0), 4.0);
    assert!((at(&rig).0 - 120.0).abs() < 0.01, "{:?}", at(&rig));
}

#[test]
fn it_looks_ahead_of_what_moves_no_farther_than_its_limit() {
    let look_ahead = LookAhead { secs: 0.5, smooth_secs: 0.2, max_px: 60.0 };
    let spec = CameraSpec { look_ahead, smooth_secs: 0.05, ..spec() };
    let ahead = |speed: f64| {
        let mut rig = Rig::at_rest(&spec, still(0.0, 0.0), PICTURE);
        let (mut x, mut secs) = (0.0, 0.0);
        while secs < 3.0 {
            (x, secs) = (x + speed * TICK, secs + TICK);
            let target = CameraTarget { pos: dvec2(x, 0.0), vel: dvec2(speed, 0.0) };
            rig.advance(&spec, Some(target), PICTURE, TICK);
        }
        rig.focus().x - x
    };
    assert!((ahead(80.0) - 40.0).abs() < 0.1, "half a second at 80 px/s: {}", ahead(80.0));
    assert!((ahead(-80.0) + 40.0).abs() < 0.1);
    assert!((ahead(900.0) - 60.0).abs() < 0.1, "no farther than the limit: {}", ahead(900.0));
    let mut rig = Rig::at_rest(&spec, CameraTarget { pos: DVec2::ZERO, vel: dvec2(80.0, 0.0) }, PICTURE);
    assert_eq!(at(&rig), (40.0, 0.0), "at rest it looks ahead already");
    rig.advance(&spec, Some(still(0.0, 0.0)), PICTURE, TICK);
    let x = at(&rig).0;
    assert!(x > 30.0 && x < 40.0, "and turns back smoothly: {x}");
}

#[test]
fn it_shows_nothing_beyond_its_bounds_and_a_small_level_in_the_middle() {
    let bounds = [dvec2(0.0, 0.0), dvec2(1000.0, 400.0)];
    let within_level = CameraSpec { bounds: Some(bounds), ..spec() };
    let mut rig = Rig::at_rest(&within_level, still(20.0, 390.0), PICTURE);
    assert_eq!(at(&rig), (160.0, 310.0));
    settle(&mut rig, &within_level, still(990.0, 10.0), 5.0);
    assert!((at(&rig).0 - 840.0).abs() < 0.01 && (at(&rig).1 - 90.0).abs() < 0.01, "{:?}", at(&rig));
    // Twice as near it sees half as much.
    let near = CameraSpec { zoom: Zoom { slow: 2.0, fast: 2.0, ..spec().zoom }, ..within_level.clone() };
    settle(&mut rig, &near, still(990.0, 10.0), 5.0);
    assert!((at(&rig).0 - 920.0).abs() < 0.1 && (at(&rig).1 - 45.0).abs() < 0.1, "{:?}", at(&rig));
    let small = CameraSpec { bounds: Some([dvec2(0.0, 0.0), dvec2(200.0, 400.0)]), ..spec() };
    assert_eq!(at(&Rig::at_rest(&small, still(10.0, 10.0), PICTURE)), (100.0, 90.0), "narrower than the view");
    let nan = dvec2(f64::NAN, 0.0);
    assert_eq!(within([nan, nan], PICTURE, dvec2(5.0, 6.0)), dvec2(5.0, 6.0), "no bounds at all");
}

#[test]
fn on_a_rail_it_is_at_the_point_nearest_to_its_target() {
    let rail = Rail::new([dvec2(0.0, 0.0), dvec2(100.0, 0.0), dvec2(100.0, 200.0)]).unwrap();
    let spec = CameraSpec { rail: Some(rail.clone()), ..spec() };
    let mut rig = Rig::at_rest(&spec, still(40.0, 500.0), PICTURE);
    assert_eq!(at(&rig), (100.0, 200.0), "the end is nearest");
    for _ in 0..400 {
        rig.advance(&spec, Some(still(30.0, -50.0)), PICTURE, TICK);
        let center = rig.center();
        assert!(center.distance(rail.at(rail.nearest(center))) < 1e-9, "{center} is off the rail");
    }
    assert!(rig.center().distance(dvec2(30.0, 0.0)) < 0.01, "{:?}", at(&rig));
    assert_eq!((rail.at(-9.0), rail.at(150.0), rail.at(1e9)), (DVec2::ZERO, dvec2(100.0, 50.0), dvec2(100.0, 200.0)));
    assert_eq!(Rail::new([dvec2(3.0, 3.0), dvec2(3.0, 3.0), dvec2(f64::NAN, 0.0)]), None, "it leads nowhere");
    // It comes to a rail that it did not have before from where it is.
    let mut rig = Rig::at_rest(&self::spec(), still(60.0, 40.0), PICTURE);
    rig.advance(&spec, Some(still(60.0, 40.0)), PICTURE, TICK);
    assert!((rig.center().y, (rig.center().x - 60.0).abs() < 1.0) == (0.0, true), "{:?}", at(&rig));
}

#[test]
fn the_zoom_follows_the_speed() {
    let zoom = Zoom { slow: 2.0, fast: 0.5, speeds: [100.0, 300.0], smooth_secs: 0.2 };
    let spec = CameraSpec { zoom, ..spec() };
    let zoom_at = |speed: f64| {
        let target = CameraTarget { pos: DVec2::ZERO, vel: dvec2(0.0, speed) };
        let mut rig = Rig::at_rest(&spec, still(0.0, 0.0), PICTURE);
        assert_eq!(rig.zoom(), 2.0);
        settle(&mut rig, &spec, target, 3.0);
        (rig.zoom() * 1000.0).round() / 1000.0
    };
    // Each part of the range is as many times as far out as any other.
    assert_eq!([0.0, 100.0, 200.0, 300.0, 900.0].map(zoom_at), [2.0, 2.0, 1.0, 0.5, 0.5]);
    let backwards = CameraSpec { zoom: Zoom { speeds: [300.0, 100.0], ..zoom }, ..spec.clone() };
    let mut rig = Rig::at_rest(&backwards, still(0.0, 0.0), PICTURE);
    settle(&mut rig, &backwards, CameraTarget { pos: DVec2::ZERO, vel: dvec2(400.0, 0.0) }, 3.0);
    assert_eq!(rig.zoom(), 2.0, "a range that is none changes nothing");
}

#[test]
fn how_time_is_cut_makes_next_to_no_difference() {
    let spec = CameraSpec {
        dead_zone: dvec2(32.0, 24.0),
        look_ahead: LookAhead { secs: 0.3, smooth_secs: 0.3, max_px: 80.0 },
        bounds: Some([dvec2(-500.0, -500.0), dvec2(900.0, 900.0)]),
        zoom: Zoom { slow: 1.0, fast: 0.7, speeds: [50.0, 200.0], smooth_secs: 0.4 },
        ..spec()
    };
    let vel = dvec2(150.0, -40.0);
    let ran = |steps: &[f64]| {
        let mut rig = Rig::at_rest(&spec, still(0.0, 0.0), PICTURE);
        let mut secs = 0.0;
        for step in steps.iter().cycle() {
            if secs > 1.999 {
                break;
            }
            secs += step;
            rig.advance(&spec, Some(CameraTarget { pos: vel * secs, vel }), PICTURE, *step);
        }
        rig
    };
    let fine = ran(&[0.001]);
    for steps in [&[TICK][..], &[0.1], &[0.25], &[0.016, 0.034], &[1.0]] {
        let rig = ran(steps);
        let far = rig.center().distance(fine.center());
        assert!(far < 1.5 && (rig.zoom() - fine.zoom()).abs() < 0.01, "{far} px with steps of {steps:?}");
    }
}

#[test]
fn without_a_target_it_goes_where_it_was_going() {
    let spec = spec();
    let mut rig = Rig::at_rest(&spec, still(0.0, 0.0), PICTURE);
    settle(&mut rig, &spec, CameraTarget { pos: dvec2(80.0, 0.0), vel: dvec2(500.0, 0.0) }, 0.1);
    for _ in 0..400 {
        rig.advance(&spec, None, PICTURE, TICK);
    }
    assert!((at(&rig).0 - 80.0).abs() < 0.01, "{:?}", at(&rig));
    let before = rig.clone();
    for dt in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        rig.advance(&spec, Some(still(0.0, 0.0)), PICTURE, dt);
        assert_eq!(rig, before, "{dt} s is no time");
    }
}

#[test]
fn a_shake_is_within_its_amplitude_ends_and_is_the_same_for_the_same_moment() {
    let shake = Shake { px: 6.0, secs: 0.5, frequency_hz: 18.0 };
    let (mut most, mut turns, mut last) = (0.0_f64, 0, 0.0);
    for i in 0..500 {
        let age = f64::from(i) * 0.001;
        let by = shaken_by(shake, "cam", age, 3.0 + age);
        let left = 1.0 - age / 0.5;
        assert!(by.abs().max_element() <= 6.0 * left * left + 1e-12, "{by} at {age}");
        assert_eq!(by, shaken_by(shake, "cam", age, 3.0 + age));
        most = most.max(by.length());
        turns += i32::from((by.x - last) * left < 0.0 && by.x.abs() > 0.01);
        last = by.x;
    }
    assert!(most > 2.0, "it is to be seen: {most}");
    assert!(turns > 50, "and goes back and forth: {turns}");
    assert_ne!(shaken_by(shake, "cam", 0.1, 3.0), shaken_by(shake, "other", 0.1, 3.0), "each shakes by itself");
    for age in [0.5, 0.6, 1e9, -0.1, f64::NAN] {
        assert_eq!(shaken_by(shake, "cam", age, 3.0), DVec2::ZERO, "{age} s after it began");
    }
    for odd in [Shake { secs: 0.0, ..shake }, Shake { px: -1.0, ..shake }, Shake { frequency_hz: f64::NAN, ..shake }] {
        assert_eq!(shaken_by(odd, "cam", 0.0, 3.0), DVec2::ZERO, "{odd:?}");
    }
}

/// Any number at all, more often one that a game has.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![6 => -2000.0..2000.0_f64, 1 => any::<f64>(), 1 => Just(0.0), 1 => Just(f64::NAN), 1 => Just(1e300)]
}

fn point() -> impl Strategy<Value = DVec2> {
    (number(), number()).prop_map(|(x, y)| dvec2(x, y))
}

fn specs() -> impl Strategy<Value = CameraSpec> {
    let look_ahead = (number(), number(), number());
    let zoom = (number(), number(), number(), number(), number());
    let rail = proptest::collection::vec(point(), 0..5);
    let bounds = proptest::option::of((-900.0..900.0_f64, -900.0..900.0_f64, 0.0..2000.0_f64, 0.0..2000.0_f64));
    ((number(), number(), point()), look_ahead, zoom, rail, bounds).prop_map(
        |((smooth_secs, max_speed, dead_zone), ahead, zoom, rail, bounds)| CameraSpec {
            smooth_secs,
            max_speed,
            dead_zone,
            look_ahead: LookAhead { secs: ahead.0, smooth_secs: ahead.1, max_px: ahead.2 },
            bounds: bounds.map(|(x, y, w, h)| [dvec2(x, y), dvec2(x + w, y + h)]),
            zoom: Zoom { slow: zoom.0, fast: zoom.1, speeds: [zoom.2, zoom.3], smooth_secs: zoom.4 },
            rail: Rail::new(rail),
        },
    )
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn whatever_it_is_given_it_stays_finite_and_inside_of_its_bounds(
        spec in specs(),
        targets in proptest::collection::vec((point(), point(), number()), 1..12),
    ) {
        let first = CameraTarget { pos: targets[0].0, vel: targets[0].1 };
        let mut rig = Rig::at_rest(&spec, first, PICTURE);
        for (pos, vel, dt) in targets {
            rig.advance(&spec, Some(CameraTarget { pos, vel }), PICTURE, dt.abs() * 0.01);
            let center = rig.center();
            prop_assert!(center.is_finite() && rig.zoom().is_finite() && rig.zoom() > 0.0, "{rig:?}");
            if let Some([lo, hi]) = spec.bounds {
                let half = PICTURE / rig.zoom() / 2.0;
                for i in 0..2 {
                    let is_inside = center[i] - half[i] >= lo[i] - 1e-6 && center[i] + half[i] <= hi[i] + 1e-6;
                    let is_centered = (center[i] - f64::midpoint(lo[i], hi[i])).abs() < 1e-6;
                    prop_assert!(is_inside || (hi[i] - lo[i] <= 2.0 * half[i] && is_centered), "{center} in {lo} {hi}");
                }
            }
        }
    }

    #[test]
    fn it_holds_still_while_its_target_is_inside_of_the_dead_zone(
        [w, h] in [1.0..200.0_f64, 1.0..200.0_f64], [x, y] in [-500.0..500.0_f64, -500.0..500.0_f64],
        moves in proptest::collection::vec([-0.5..0.5_f64, -0.5..0.5_f64], 1..20),
    ) {
        let spec = CameraSpec { dead_zone: dvec2(w, h), ..spec() };
        let mut rig = Rig::at_rest(&spec, still(x, y), PICTURE);
        for [dx, dy] in moves {
            rig.advance(&spec, Some(still(x + dx * w * 0.999, y + dy * h * 0.999)), PICTURE, 0.05);
            prop_assert_eq!(at(&rig), (x, y));
        }
    }
}

/// The world of a level of 40 × 20 cells with these definitions and entities.
fn world_of(defs: &str, entities: &str) -> World {
    let (project, resolution) = files(defs, entities, "");
    let world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
    assert!(world.findings().is_empty(), "{:?}", world.findings());
    world
}

fn files(defs: &str, entities: &str, look: &str) -> (levelwright::model::Project, levelwright::defs::Resolution) {
    let level = format!(
        "(size: (40, 20), tile_size: (16, 16), layers: [
            Entities(name: \"back\", entities: {{}}),
            Entities(name: \"actors\", {look} entities: {{ {entities} }}),
        ])"
    );
    project(&[("entities/e.ron", defs), ("levels/l.ron", &level)])
}

const DEFS: &str = r#"{
    "hero": (set: (CameraTarget: (), Body: (gravity_scale: 0.0, velocity: (64.0, 0.0)), Collider: ())),
    "cam": (set: (Camera: ())),
    "crate": (),
    "own": (set: (Camera: (), CameraTarget: ())),
}"#;

fn ids(cameras: &[CameraNow]) -> Vec<&str> {
    cameras.iter().map(|camera| &*camera.id).collect()
}

fn target(camera: &CameraNow) -> Option<(f64, f64)> {
    camera.target.map(|target| (target.pos.x, target.pos.y))
}

#[test]
fn without_a_placed_camera_the_constants_make_one() {
    let mut world = world_of(DEFS, r#""h": (def: "hero", at: (40.0, 24.0)), "t": (def: "crate", at: (9.0, 9.0))"#);
    let cameras = world.cameras(1.0);
    assert_eq!((ids(&cameras), target(&cameras[0])), (vec![""], None), "Camera.follow is off");
    assert_eq!(
        (cameras[0].home, !cameras[0].id.is_empty()),
        (dvec2(320.0, 160.0), false),
        "it is in the level's middle"
    );
    assert!(world.set_tunable("Camera.follow", Value::Bool(true)));
    assert!(world.set_tunable("Camera.smooth_time", Value::Float(0.7)));
    let cameras = world.cameras(1.0);
    assert_eq!((target(&cameras[0]), cameras[0].spec.smooth_secs), (Some((40.0, 24.0)), 0.7));
    assert_eq!(cameras[0].spec.bounds, Some([DVec2::ZERO, dvec2(640.0, 320.0)]));
    assert_eq!(cameras[0].viewport, [0.0, 0.0, 1.0, 1.0]);
    run(&mut world, 64);
    let moved = world.cameras(1.0)[0].target.unwrap();
    assert!((moved.pos.x - 104.0).abs() < 0.5 && (moved.vel.x - 64.0).abs() < 0.5, "{moved:?}");
    world.despawn(world.by_id("h").unwrap());
    assert_eq!(target(&world.cameras(1.0)[0]), None, "it is gone");
}

#[test]
fn whom_a_camera_follows() {
    let of = |entities: &str, id: &str| {
        let world = world_of(DEFS, entities);
        let camera = world.cameras(1.0).into_iter().find(|camera| *camera.id == *id).unwrap();
        (target(&camera), (camera.home.x, camera.home.y))
    };
    let others = r#""h": (def: "hero", at: (40.0, 24.0)), "i": (def: "hero", at: (90.0, 24.0)), "t": (def: "crate", at: (9.0, 8.0))"#;
    let with = |camera: &str| format!("{others}, {camera}");
    let first = with(r#""c": (def: "cam", at: (1.0, 2.0))"#);
    assert_eq!(of(&first, "c"), (Some((40.0, 24.0)), (1.0, 2.0)), "the first CameraTarget");
    let named = with(r#""c": (def: "cam", at: (1.0, 2.0), set: (Camera: (target: "t")))"#);
    assert_eq!(of(&named, "c").0, Some((9.0, 8.0)));
    let itself = with(r#""c": (def: "cam", at: (1.0, 2.0), set: (Camera: (target: "c")))"#);
    assert_eq!(of(&itself, "c").0, Some((1.0, 2.0)));
    let own = with(r#""z": (def: "own", at: (1.0, 2.0))"#);
    assert_eq!(of(&own, "z").0, Some((1.0, 2.0)), "itself, where it is a CameraTarget");
    let unknown = with(r#""c": (def: "cam", at: (1.0, 2.0), set: (Camera: (target: "unknown")))"#);
    assert_eq!(of(&unknown, "c").0, None);
    assert_eq!(of(r#""c": (def: "cam", at: (1.0, 2.0))"#, "c"), (None, (1.0, 2.0)), "it stays where it is");
}

#[test]
fn what_a_camera_leaves_open_is_the_constants_and_counts_at_once() {
    let all = r#""c": (def: "cam", at: (1.0, 2.0), set: (Camera: (
        smooth_time: 0.1, max_speed: 50.0, dead_zone: (8.0, 6.0), look_ahead: 0.4, look_ahead_max: 30.0, zoom: 2.0, zoom_fast: 0.5,
        zoom_speeds: (10.0, 90.0), shake_px: 3.0, shake_secs: 1.5, viewport: (0.5, 0.25), viewport_size: (0.5, 1.0), order: 3))),
        "d": (def: "cam", at: (1.0, 2.0)), "e": (def: "cam", at: (1.0, 2.0), set: (Camera: (bounded: false, order: -1)))"#;
    let mut world = world_of(DEFS, all);
    for (name, value) in [
        ("smooth_time", 0.7),
        ("max_speed", 70.0),
        ("dead_zone_width", 17.0),
        ("dead_zone_height", 27.0),
        ("look_ahead", 0.25),
        ("look_ahead_max", 77.0),
        ("look_ahead_smoothing", 0.9),
        ("zoom", 3.0),
        ("zoom_smoothing", 0.8),
        ("shake_px", 4.0),
        ("shake_secs", 0.9),
        ("shake_frequency", 7.0),
    ] {
        assert!(world.set_tunable(&format!("Camera.{name}"), Value::Float(value)), "{name}");
    }
    let cameras = world.cameras(1.0);
    assert_eq!(ids(&cameras), ["e", "d", "c"], "by order, then by id");
    let (own, open) = (&cameras[2], &cameras[1]);
    let of = |it: &CameraSpec| (it.smooth_secs, it.max_speed, it.dead_zone, it.look_ahead, it.zoom);
    let ahead = |secs: f64, max_px: f64| LookAhead { secs, smooth_secs: 0.9, max_px };
    let zoom = |slow: f64, fast: f64, speeds: [f64; 2]| Zoom { slow, fast, speeds, smooth_secs: 0.8 };
    assert_eq!(of(&own.spec), (0.1, 50.0, dvec2(8.0, 6.0), ahead(0.4, 30.0), zoom(2.0, 0.5, [10.0, 90.0])));
    assert_eq!(of(&open.spec), (0.7, 70.0, dvec2(17.0, 27.0), ahead(0.25, 77.0), zoom(3.0, 3.0, [0.0; 2])));
    let shake = |px: f64, secs: f64| Shake { px, secs, frequency_hz: 7.0 };
    assert_eq!((own.shake, open.shake), (shake(3.0, 1.5), shake(4.0, 0.9)));
    assert_eq!((own.viewport, open.viewport), ([0.5, 0.25, 0.5, 0.75], [0.0, 0.0, 1.0, 1.0]), "inside of the picture");
    assert_eq!(open.spec.bounds, Some([DVec2::ZERO, dvec2(640.0, 320.0)]));
    assert_eq!(cameras[0].spec.bounds, None);
    assert_eq!(CameraConstants::default().picture, DVec2::ZERO);
    assert_eq!(world.constants().camera.picture, dvec2(480.0, 270.0));
}

#[test]
fn areas_and_rails_go_from_where_the_level_places_the_camera() {
    let entities = r#""c": (def: "cam", at: (100.0, 50.0), rotation: 90.0, set: (Camera: (
        area: [(0.0, 0.0), (80.0, 0.0), (80.0, -40.0)], rail: [(0.0, 0.0), (30.0, 0.0)]))),
        "d": (def: "cam", at: (0.0, 0.0), set: (Camera: (rail: [(5.0, 5.0)])))"#;
    let cameras = world_of(DEFS, entities).cameras(1.0);
    let [lo, hi] = cameras[0].spec.bounds.unwrap();
    assert!(lo.distance(dvec2(100.0, 50.0)) < 1e-4 && hi.distance(dvec2(140.0, 130.0)) < 1e-4, "{lo} {hi}");
    let rail = cameras[0].spec.rail.clone().unwrap();
    assert!(rail.at(0.0).distance(dvec2(100.0, 50.0)) < 1e-4 && rail.at(99.0).distance(dvec2(100.0, 80.0)) < 1e-4);
    assert_eq!(cameras[1].spec.rail, None, "one point is no rail");
}

#[test]
fn a_level_at_rest_has_the_cameras_of_its_world() {
    let entities = r#""h": (def: "hero", at: (40.0, 24.0)), "o": (def: "own", at: (60.0, 70.0)),
        "c": (def: "cam", at: (1.0, 2.0), rotation: 30.0, set: (Camera: (
            area: [(0.0, 0.0), (80.0, 40.0)], rail: [(0.0, 0.0), (30.0, 0.0)], viewport: (0.5, 0.0), viewport_size: (0.5, 1.0), zoom: 0.5))),
        "d": (def: "crate", at: (5.0, 5.0), set: (Camera: (target: "e"))), "e": (def: "crate", at: (7.0, 5.0))"#;
    for (entities, look) in [
        (entities, ""),
        (entities, "parallax: (0.5, 2.0), offset: (10.0, -4.0),"),
        (r#""h": (def: "hero", at: (40.0, 24.0))"#, ""),
        ("", ""),
    ] {
        let (project, resolution) = files(DEFS, entities, look);
        let mut world = World::compile(&project, &resolution, "l", Options::default()).unwrap();
        assert!(world.set_tunable("Camera.follow", Value::Bool(true)));
        let doc = DocPath::new("levels/l.ron").unwrap();
        let tried = ValueSet::from([("Camera.follow".into(), Value::Bool(true))]);
        let constants = CameraConstants::of(&resolution, &tried);
        assert_eq!(constants, world.constants().camera);
        let mut placed = placed_cameras(&resolution, (&doc, project.level(&doc).unwrap()), &constants);
        let mut running = world.cameras(1.0);
        // Who stands still in a level may be about to move.
        for camera in placed.iter_mut().chain(&mut running) {
            camera.target = camera.target.map(|it| CameraTarget { vel: DVec2::ZERO, ..it });
        }
        assert_eq!(placed, running, "{look} {entities}");
    }
}

#[test]
fn it_is_shaken_by_messages_to_itself_or_its_target() {
    let entities = r#""h": (def: "hero", at: (40.0, 24.0)), "t": (def: "crate", at: (9.0, 9.0)),
        "c": (def: "cam", at: (1.0, 2.0), set: (Camera: (shake_on: ["Damaged", "Healed"])))"#;
    let mut world = world_of(DEFS, entities);
    let send = |world: &mut World, to: &str, message: &str| {
        assert_eq!(world.send(to, message, &Fields::new(), 0.0), 1);
        run(world, 1);
    };
    let shaken = |world: &World| world.cameras(1.0)[0].shaken_at.map(|at| at * 64.0);
    send(&mut world, "t", "Damaged");
    send(&mut world, "h", "Dead");
    assert_eq!(shaken(&world), None, "neither the receiver nor the message is one of its own");
    send(&mut world, "h", "Damaged");
    assert_eq!(shaken(&world), Some(2.0));
    run(&mut world, 10);
    send(&mut world, "c", "Healed");
    assert_eq!(shaken(&world), Some(13.0), "the last counts");
    let mut set = CameraSet::default();
    let picture = world.constants().camera.picture;
    set.follow(&world.cameras(1.0), picture, world.time_secs());
    let (center, rest) = (set.views()[0].center, world.cameras(1.0)[0].target.unwrap().pos);
    assert!(center != within([DVec2::ZERO, dvec2(640.0, 320.0)], picture / 2.0, rest), "it shakes");
    run(&mut world, 64);
    let mut set = CameraSet::default();
    set.follow(&world.cameras(1.0), picture, world.time_secs());
    let rest = world.cameras(1.0)[0].target.unwrap().pos;
    assert_eq!(set.views()[0].center, within([DVec2::ZERO, dvec2(640.0, 320.0)], picture / 2.0, rest), "and ends");
}

#[test]
fn what_hits_a_target_without_machines_shakes_it() {
    let defs = DEFS.replace(r#""crate": (),"#, r#""crate": (set: (Body: (kind: Static), Collider: ())),"#);
    let entities = r#""h": (def: "hero", at: (40.0, 24.0)), "t": (def: "crate", at: (80.0, 24.0)),
        "c": (def: "cam", at: (1.0, 2.0), set: (Camera: (shake_on: ["Contact"])))"#;
    let mut world = world_of(&defs, entities);
    assert_eq!(world.cameras(1.0)[0].shaken_at, None);
    run(&mut world, 64);
    assert!(world.cameras(1.0)[0].shaken_at.is_some_and(|at| at > 0.0));
}

#[test]
fn cameras_follow_the_time_of_the_world_and_jump_with_it() {
    let entities =
        r#""h": (def: "hero", at: (320.0, 160.0)), "c": (def: "cam", at: (1.0, 2.0), set: (Camera: (bounded: false)))"#;
    let mut world = world_of(DEFS, entities);
    let start = world.snapshot();
    let mut set = CameraSet::default();
    let follow = |set: &mut CameraSet, world: &World| {
        set.follow(&world.cameras(1.0), world.constants().camera.picture, world.time_secs());
        set.views()[0].clone()
    };
    let first = follow(&mut set, &world);
    assert_eq!((first.center, first.size, first.zoom), (dvec2(320.0, 160.0), dvec2(480.0, 270.0), 1.0));
    for _ in 0..32 {
        world.step(&levelwright::sim::Input::NONE);
        follow(&mut set, &world);
    }
    let behind = follow(&mut set, &world);
    let hero = world.cameras(1.0)[0].target.unwrap().pos.x;
    assert!(behind.center.x > 325.0 && behind.center.x < hero - 5.0, "{} behind {hero}", behind.center.x);
    assert_eq!(follow(&mut set, &world), behind, "while time stands still, so does it");
    // What is changed of the zoom is seen all the same.
    assert!(world.set_tunable("Camera.zoom", Value::Float(2.0)));
    let near = follow(&mut set, &world);
    assert_eq!((near.center, near.size, near.has_target), (behind.center, dvec2(240.0, 135.0), true));
    world.restore(&start);
    assert_eq!(follow(&mut set, &world), first, "gone back, it is at rest on its target at once");
    run(&mut world, 64 * 3);
    let far = follow(&mut set, &world);
    assert!((far.center.x - world.cameras(1.0)[0].target.unwrap().pos.x).abs() < 1e-9, "so it is far ahead");
    world.despawn(world.by_id("c").unwrap());
    assert_eq!(&*follow(&mut set, &world).id, "", "a camera that is gone gives way to the one of the constants");
    assert_eq!(set.views().len(), 1);
}
