//! Colliders of several parts: concave bodies, and sensors beside what is solid.

use levelwright::sim::physics::{PartSpec, ZoneSpec};

use super::*;

fn part(shape: Shape, x: f64, y: f64) -> PartSpec {
    PartSpec::new(shape, [x, y])
}

/// The same body with further parts.
fn with(mut spec: BodySpec, parts: Vec<PartSpec>) -> BodySpec {
    spec.collider.as_mut().unwrap().parts.extend(parts);
    spec
}

/// A bottom of 40 by 8 pixels with a wall of 8 by 24 on either end of it.
fn basket(spec: BodySpec) -> BodySpec {
    let wall = |x| part(Shape::Box([8.0, 24.0]), x, -16.0);
    let bottom = Some(ColliderSpec::new(Shape::Box([40.0, 8.0]), [0.0; 2]));
    with(BodySpec { collider: bottom, ..spec }, vec![wall(-16.0), wall(16.0)])
}

#[test]
fn a_concave_body_holds_what_falls_into_it_and_is_as_heavy_as_it_says() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "##########"]);
    let held = stage.add(&basket(crate_of(1.0)), 80.0, 92.0);
    let inside = stage.add(&ball(6.0), 82.0, 60.0);
    let hero = stage.add(&walker(), 96.0, 50.0);
    stage.steps(192);
    assert!(near(stage.pos(held).y, 92.0, 0.3) && stage.pose(held).angle.abs() < 0.02, "{:?}", stage.pose(held));
    assert!(near(stage.pos(inside).y, 82.0, 0.3), "on its bottom: {}", stage.pos(inside));
    assert!(near(stage.pos(hero).y, 56.0, 0.3) && stage.physics.on_ground(hero), "on a wall: {}", stage.pos(hero));
    assert_eq!(stage.physics.outlines(held).len(), 3);

    // The worked example of two bodies, the heavier one of three parts.
    let mut stage = Stage::top_down(&[]);
    let still = PhysicsConfig { top_down_damping: 0.0, ..stage.physics.config().clone() };
    stage.physics.set_config(still);
    let mut heavy = BodySpec { mass: 3.0, lock_rotation: true, ..basket(crate_of(1.0)) };
    let collider = heavy.collider.as_mut().unwrap();
    (collider.friction, collider.restitution) = (0.0, 1.0);
    let light = stage.add(&BodySpec { velocity: Vec2::new(4.0, 0.0), ..surface(ball(4.0), 0.0, 0.25) }, 74.0, 80.0);
    let heavy = stage.add(&heavy, 100.0, 100.0);
    stage.steps(64);
    let after = [stage.pose(light).vel.x, stage.pose(heavy).vel.x];
    assert!(near(after[0], -0.5, 0.02) && near(after[1], 1.5, 0.02), "{after:?}");
}

#[test]
fn walkers_are_as_wide_as_all_their_parts_and_meet_each_part_of_others() {
    let rows = ["", "", "", "", "", "", "#################"];
    let mut stage = Stage::new(&rows);
    stage.add(&basket(BodySpec { kind: BodyKind::Static, ..crate_of(1.0) }), 100.0, 92.0);
    // From within the walls keep it.
    let hero = stage.add(&walker(), 100.0, 79.0);
    for dir in [Vec2::X, Vec2::NEG_X] {
        stage.walk(hero, WalkInput { dir, ..WalkInput::default() }, 1.0);
        assert!(near(stage.pos(hero).x - 100.0, dir.x * 6.0, 0.1), "{}", stage.pos(hero));
    }
    // A bar before it is stopped where it alone would not be, and a sensor is not.
    for (is_sensor, expected) in [(false, 80.0 - 26.0), (true, 80.0 - 6.0)] {
        let bar = PartSpec { sensor: is_sensor, ..part(Shape::Box([20.0, 4.0]), 16.0, -4.0) };
        let mut stage = Stage::new(&rows);
        stage.add(&BodySpec::fixed(Shape::Box([8.0, 60.0])), 84.0, 66.0);
        let hero = stage.add(&with(walker(), vec![bar]), 30.0, 87.0);
        stage.walk(hero, right(), 1.5);
        assert!(near(stage.pos(hero).x, expected, 0.1), "{is_sensor}: {}", stage.pos(hero));
    }
}

#[test]
fn what_a_sensor_meets_and_what_the_solid_beside_it_meets_are_two_contacts() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "#################"]);
    let area = PartSpec { sensor: true, ..part(Shape::Box([60.0, 16.0]), 0.0, 0.0) };
    let guard = stage.add(&with(surface(BodySpec::fixed(Shape::Box([12.0, 16.0])), 0.0, 0.8), vec![area]), 120.0, 88.0);
    let cargo =
        stage.add(&BodySpec { velocity: Vec2::new(90.0, 0.0), ..surface(crate_of(10.0), 0.0, 0.8) }, 40.0, 90.0);
    let hero = stage.add(&walker(), 230.0, 87.0);
    let of = |contacts: &[Contact], other: EntityKey| -> Vec<(bool, bool)> {
        let with = |contact: &&Contact| contact.a == guard && contact.b == Other::Entity(other);
        contacts.iter().filter(with).map(|contact| (contact.sensor, contact.began)).collect()
    };
    let all = [(true, true), (false, true), (false, false), (true, false)];
    let contacts = stage.steps(128);
    assert_eq!(of(&contacts, cargo), all, "{}", stage.pos(cargo));
    let (mut contacts, _) = stage.walk(hero, WalkInput { dir: Vec2::NEG_X, ..WalkInput::default() }, 1.5);
    assert_eq!(stage.physics.touching(guard).iter().filter(|it| it.b == Other::Entity(hero)).count(), 2);
    contacts.extend(stage.walk(hero, right(), 1.0).0);
    assert_eq!(of(&contacts, hero), all);
}

#[test]
fn rays_zones_and_those_who_look_for_what_stands_still_know_each_part() {
    let mut stage = Stage::new(&[]);
    let area = PartSpec { sensor: true, ..part(Shape::Circle(100.0), 0.0, 0.0) };
    let still = with(basket(BodySpec { kind: BodyKind::Static, ..crate_of(1.0) }), vec![area]);
    let still = stage.add(&still, 100.0, 100.0);
    let hit = |from: [f32; 2], to: [f32; 2]| {
        let hit = stage.physics.ray(from.into(), to.into(), &[]);
        hit.map(|hit| (hit.point.x, hit.point.y))
    };
    assert_eq!(hit([20.0, 84.0], [180.0, 84.0]), Some((80.0, 84.0)), "a wall");
    assert_eq!(hit([100.0, 20.0], [100.0, 180.0]), Some((100.0, 96.0)), "between the walls, the bottom");
    assert_eq!(hit([20.0, 40.0], [180.0, 40.0]), None, "only the sensor");
    assert_eq!(hit([84.0, 84.0], [180.0, 84.0]), None, "from within one part, the others are not hit");
    let parts: Vec<usize> = stage.physics.still().keys().map(|(key, part)| (*key == still, *part).1).collect();
    assert_eq!(parts, [0, 1, 2]);
    assert_eq!(stage.physics.overlapping_circle(Vec2::new(20.0, 20.0), 5.0), [], "in the corner of its box");
    assert_eq!(stage.physics.overlapping_circle(Vec2::new(100.0, 10.0), 5.0), [still], "in the sensor");

    let wind = ZoneSpec {
        acceleration: Vec2::new(64.0, 0.0),
        pull: 0.0,
        replaces: false,
        density: 0.0,
        drag: 0.0,
        falloff: levelwright::sim::physics::Falloff::None,
        order: 0,
    };
    let mut stage = Stage::new(&[]);
    let zone = BodySpec { zone: Some(wind), ..sensor(BodySpec::fixed(Shape::Box([20.0, 20.0]))) };
    let far = PartSpec { sensor: true, ..part(Shape::Box([20.0, 20.0]), 100.0, 0.0) };
    stage.add(&with(zone, vec![far]), 50.0, 50.0);
    let loose = BodySpec { gravity_scale: 0.0, ..crate_of(10.0) };
    let [first, second, between, half] = [50.0, 150.0, 100.0, 140.0].map(|x| stage.add(&loose, x, 50.0));
    stage.steps(1);
    let felt = [first, second, between, half].map(|key| stage.pose(key).vel.x);
    assert!(near(felt[0], 1.0, 1e-4) && near(felt[1], 1.0, 1e-4), "{felt:?}");
    assert!(felt[2] == 0.0 && near(felt[3], 0.5, 1e-4), "{felt:?}");
}
