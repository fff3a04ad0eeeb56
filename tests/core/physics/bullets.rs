//! Fast bodies stop at whatever is thin, and layers and masks decide who meets whom.

use super::*;

const FAST: f32 = 4000.0;

fn bullet(shape: Shape) -> BodySpec {
    BodySpec { bullet: true, gravity_scale: 0.0, mass: 0.1, ..BodySpec::dynamic(shape) }
}

fn shots() -> [Shape; 3] {
    [Shape::Circle(2.0), Shape::Box([6.0, 3.0]), Shape::Capsule { radius: 1.5, height: 6.0 }]
}

/// Whether something shot at 4 000 px/s is still on the near side of a plane after a while.
fn is_stopped(stage: &mut Stage, shape: &Shape, from: Vec2, way: Vec2, plane: Vec2) -> bool {
    let key = stage.add(&BodySpec { velocity: way * FAST, ..bullet(shape.clone()) }, from.x, from.y);
    let stopped = (0..24).all(|_| {
        stage.steps(1);
        (stage.pos(key) - plane).dot(way) < 0.5
    });
    stage.physics.despawn(key);
    stopped
}

#[test]
fn bullets_go_through_nothing_thin() {
    let rows = ["", "", "      #", "      #", "", "------------", "", "", "============"];
    for shape in shots() {
        for fraction in 0..9_u8 {
            let f = f32::from(fraction) * 7.0;
            let mut stage = Stage::new(&rows);
            // A wall one tile thick, from both sides.
            let wall = Vec2::new(96.0, 40.0);
            assert!(is_stopped(&mut stage, &shape, Vec2::new(20.0 + f, 48.0), Vec2::X, wall), "{shape:?} wall {f}");
            let wall = Vec2::new(112.0, 40.0);
            assert!(
                is_stopped(&mut stage, &shape, Vec2::new(200.0 - f, 48.0), Vec2::NEG_X, wall),
                "{shape:?} wall {f}"
            );
            // A floor solid only from above: from above it stops, from below it lets pass.
            let ledge = Vec2::new(40.0, 80.0);
            assert!(is_stopped(&mut stage, &shape, Vec2::new(40.0, 4.0 + f), Vec2::Y, ledge), "{shape:?} ledge {f}");
            let ledge = Vec2::new(40.0, 80.0);
            let passes = !is_stopped(&mut stage, &shape, Vec2::new(40.0, 122.0 - f / 3.0), Vec2::NEG_Y, ledge);
            assert!(passes, "{shape:?} through the ledge from below {f}");
            // Bodies: static, kinematic and loose ones two pixels thick.
            let plate =
                |kind| BodySpec { kind, gravity_scale: 0.0, mass: 50.0, ..BodySpec::fixed(Shape::Box([2.0, 40.0])) };
            for kind in [BodyKind::Static, BodyKind::Kinematic, BodyKind::Dynamic] {
                let mut stage = Stage::new(&[]);
                stage.add(&plate(kind), 100.0, 50.0);
                // A loose one gives way a little.
                let plane = Vec2::new(if kind == BodyKind::Dynamic { 106.0 } else { 100.0 }, 50.0);
                assert!(is_stopped(&mut stage, &shape, Vec2::new(f, 50.0), Vec2::X, plane), "{shape:?} {kind:?} {f}");
            }
            // A walker.
            let mut stage = Stage::new(&["", "", "", "", "##########"]);
            stage.add(&walker(), 100.0, 55.0);
            stage.steps(4);
            let plane = Vec2::new(100.0, 50.0);
            assert!(is_stopped(&mut stage, &shape, Vec2::new(f, 56.0), Vec2::X, plane), "{shape:?} walker {f}");
        }
    }
}

/// Let so many ticks pass: in none of them is a body below the middle of a platform.
fn stays_above(stage: &mut Stage, body: EntityKey, platform: EntityKey, n_ticks: u32, what: &str) {
    for tick in 0..n_ticks {
        stage.steps(1);
        let (at, on) = (stage.pose(body), stage.pos(platform));
        assert!(at.pos.y < on.y, "{what}, tick {tick}: {at:?}, the platform at {on}");
    }
}

#[test]
fn loose_bodies_fall_through_no_kinematic_body() {
    let shapes = [
        Shape::Box([12.0, 12.0]),
        Shape::Box([4.0, 4.0]),
        Shape::Circle(3.0),
        Shape::Capsule { radius: 3.0, height: 12.0 },
        Shape::Polygon(vec![[-5.0, 4.0], [0.0, -4.0], [5.0, 4.0]]),
    ];
    // Thickness in px, whether it is one-way, and how far it moves up in a second.
    for (thick, one_way, up) in [(2.0, false, 0.0), (6.0, false, 0.0), (6.0, true, 0.0), (4.0, false, 60.0)] {
        for (i, shape) in (0_u8..).zip(&shapes) {
            for speed in [0.0, 200.0, 700.0, 3000.0] {
                let mut stage = Stage::new(&[]);
                let mut platform = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([80.0, thick])) };
                platform.velocity = Vec2::new(0.0, -up);
                platform.collider.as_mut().unwrap().one_way = one_way;
                let platform = stage.add(&platform, 100.0, 400.0);
                let spec = BodySpec { velocity: Vec2::new(0.0, speed), ..BodySpec::dynamic(shape.clone()) };
                let body = stage.add(&surface(spec, 0.5, 0.0), 100.0, 100.3 + f32::from(i));
                stays_above(&mut stage, body, platform, 96, &format!("{shape:?} at {speed} px/s, {thick} px"));
            }
        }
    }
}

#[test]
fn nothing_goes_through_platforms_that_come_toward_it() {
    let flat = Shape::Box([20.0, 3.0]);
    // Shape, its speed, thickness and speed of the platform.
    let cases = [
        (&flat, 400.0, 4.0, 400.0),
        (&flat, 1500.0, 6.0, 400.0),
        (&Shape::Circle(2.0), 3000.0, 16.0, 400.0),
        (&Shape::Box([4.0, 4.0]), 1500.0, 6.0, 150.0),
    ];
    for (shape, speed, thick, toward) in cases {
        for i in 0..50_u8 {
            let mut stage = Stage::with(&[], PhysicsConfig { gravity_px_s2: 0.0, ..platformer() });
            let bar = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([200.0, thick])) };
            let bar = stage.add(&BodySpec { velocity: Vec2::new(0.0, -toward), ..bar }, 100.0, 500.0);
            let spec = BodySpec { velocity: Vec2::new(0.0, speed), ..BodySpec::dynamic(shape.clone()) };
            let body = stage.add(&BodySpec { bullet: i % 2 == 0, ..spec }, 100.0, 400.0 + 0.9 * f32::from(i));
            stays_above(&mut stage, body, bar, 30, &format!("{shape:?} {i} at {speed} px/s, {thick} px"));
        }
    }
}

#[test]
fn nothing_goes_through_a_bar_that_turns_fast() {
    for (spin, reach) in [(4.0, 60.0), (8.7, 60.0), (8.7, 110.0), (8.7, 170.0)] {
        for i in 0..40_u8 {
            let mut stage = Stage::with(&[], PhysicsConfig { gravity_px_s2: 0.0, ..platformer() });
            let bar = BodySpec { kind: BodyKind::Kinematic, spin, ..BodySpec::fixed(Shape::Box([400.0, 4.0])) };
            let bar = stage.add(&surface(bar, 0.0, 0.0), 300.0, 300.0);
            let spec = BodySpec { bullet: i % 2 == 0, ..crate_of(6.0) };
            let body = stage.add(&surface(spec, 0.0, 0.0), 300.0 + reach, 320.0 + f32::from(i));
            let mut was_met = false;
            for tick in 0..24 {
                stage.steps(1);
                let (at, turned) = (stage.pos(body) - Vec2::splat(300.0), stage.pose(bar).angle);
                was_met |= stage.pose(body).vel != Vec2::ZERO;
                if at.length() > 195.0 || turned > 2.0 {
                    break;
                }
                let side = Vec2::from_angle(turned).perp_dot(at);
                assert!(side > 0.0, "{spin} rad/s, {reach} px, {i}, tick {tick}: {side}");
            }
            assert!(was_met, "{spin} rad/s, {reach} px, {i}");
        }
    }
}

#[test]
fn bullets_are_stopped_by_crates_that_move_beside_kinematic_bodies() {
    for shape in shots() {
        for fraction in 0..9_u8 {
            let mut stage = Stage::with(&[], PhysicsConfig { gravity_px_s2: 0.0, ..platformer() });
            let door = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([8.0, 200.0])) };
            stage.add(&door, 112.0, 50.0);
            let crate_spec = BodySpec { velocity: Vec2::new(120.0, 0.0), mass: 50.0, ..crate_of(12.0) };
            let target = stage.add(&crate_spec, 101.0, 48.0);
            let from = Vec2::new(7.0 * f32::from(fraction), 50.0);
            let key = stage.add(&BodySpec { velocity: Vec2::X * FAST, ..bullet(shape.clone()) }, from.x, from.y);
            for _ in 0..4 {
                stage.steps(1);
                let (at, of) = (stage.pos(key), stage.pos(target));
                assert!(at.x < of.x, "{shape:?} {fraction}: {at} through the crate at {of}");
            }
        }
    }
}

#[test]
fn nothing_is_held_back_beside_one_way_bodies_or_over_seams_of_kinematic_ones() {
    for kind in [BodyKind::Static, BodyKind::Kinematic] {
        for speed in [100.0, 500.0, 1000.0, 2000.0] {
            let way = speed * DT;
            let moves = |stage: &mut Stage, key, why: &str| {
                for tick in 0..(400.0 / way) as u32 {
                    let before = stage.pos(key).x;
                    stage.steps(1);
                    let moved = stage.pos(key).x - before;
                    assert!(near(moved, way, 0.05 * way), "{kind:?} {why} at {speed} px/s, tick {tick}: {moved} px");
                }
            };
            // Through the side of one-way bodies.
            for height in [98.0, 104.0, 110.0] {
                let mut stage = Stage::with(&[], PhysicsConfig { gravity_px_s2: 0.0, ..platformer() });
                let mut plank = BodySpec { kind, ..BodySpec::fixed(Shape::Box([40.0, 6.0])) };
                plank.collider.as_mut().unwrap().one_way = true;
                stage.add(&plank, 200.0, 103.0);
                stage.add(&plank, 300.0, 103.0);
                let spec = BodySpec { velocity: Vec2::new(speed, 0.0), lock_rotation: true, ..crate_of(12.0) };
                let key = stage.add(&surface(spec, 0.0, 0.0), 50.0, height);
                moves(&mut stage, key, &format!("aside at {height}"));
            }
            if kind == BodyKind::Static {
                continue;
            }
            let mut stage = Stage::new(&[]);
            for i in 0..10_u8 {
                let slab = BodySpec { kind, ..BodySpec::fixed(Shape::Box([64.0, 16.0])) };
                stage.add(&surface(slab, 0.0, 0.0), 64.0 * f32::from(i), 108.0);
            }
            let spec = BodySpec { lock_rotation: true, ..crate_of(12.0) };
            let key = stage.add(&surface(spec, 0.0, 0.0), 40.0, 94.0);
            stage.steps(8);
            stage.physics.set_velocity(key, Vec2::new(speed, 0.0));
            moves(&mut stage, key, "over seams");
        }
    }
}

#[test]
fn a_body_whose_spec_changes_as_it_falls_is_still_stopped() {
    let mut stage = Stage::new(&[]);
    let plate = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([80.0, 2.0])) };
    stage.add(&plate, 100.0, 800.0);
    let body = stage.add(&BodySpec { velocity: Vec2::new(0.0, 1500.0), ..crate_of(6.0) }, 100.0, 700.0);
    for i in 0..64_u8 {
        stage.physics.respec(body, &BodySpec { mass: 1.0 + f32::from(i), ..crate_of(6.0) }).unwrap();
        stage.steps(1);
        assert!(stage.pos(body).y < 800.0, "{i}: {:?}", stage.pose(body));
    }
}

#[test]
fn layers_and_masks_decide_who_meets_whom() {
    let with = |mut spec: BodySpec, layer: u32, mask: u32| {
        let collider = spec.collider.as_mut().unwrap();
        (collider.layer, collider.mask) = (layer, mask);
        spec
    };
    let still = BodySpec::fixed(Shape::Box([16.0, 40.0]));
    let flyer = BodySpec {
        flyer: Some(FlyerSpec { speed: 90.0, acceleration: 2000.0, arrive_radius: 24.0 }),
        ..BodySpec::dynamic(Shape::Box([12.0, 16.0]))
    };
    let movers = [
        ("loose", BodySpec { gravity_scale: 0.0, ..crate_of(12.0) }),
        ("walker", BodySpec { gravity_scale: 0.0, ..walker() }),
        ("flyer", flyer),
    ];
    let targets = [
        ("static", still.clone()),
        ("kinematic", BodySpec { kind: BodyKind::Kinematic, ..still.clone() }),
        ("loose", BodySpec { kind: BodyKind::Dynamic, gravity_scale: 0.0, mass: 1e6, ..still.clone() }),
        ("sensor", sensor(still)),
    ];
    // On layers of two bits, all there are.
    for bits in 0..256_u32 {
        let [a, b, c, d] = [0, 2, 4, 6].map(|at| bits >> at & 3);
        let meets = a & d != 0 && c & b != 0;
        for (mover, spec) in &movers {
            for (target, wall) in &targets {
                let mut stage = Stage::new(&[]);
                // Beyond the first layer, which tiles are on.
                let wall = stage.add(&with(wall.clone(), c << 1, d << 1), 130.0, 50.0);
                let key = stage.add(&with(spec.clone(), a << 1, b << 1), 100.0, 50.0);
                stage.physics.set_velocity(key, Vec2::new(80.0, 0.0));
                let mut told = Vec::new();
                // It meets the wall after 13.
                for _ in 0..24 {
                    stage.physics.walk(key, right());
                    stage.physics.fly(key, Vec2::new(80.0, 0.0));
                    told.extend(stage.physics.step());
                }
                let which = format!("{mover} and {target}: {a:02b}/{b:02b} and {c:02b}/{d:02b}");
                let is_stopped = stage.pos(key).x < 120.0;
                assert_eq!(is_stopped, meets && *target != "sensor", "{which}: {}", stage.pos(key));
                let pair = |contact: &Contact| {
                    let b = if let Other::Entity(b) = contact.b { Some(b) } else { None };
                    contact.began
                        && [Some(contact.a), b].contains(&Some(key))
                        && [Some(contact.a), b].contains(&Some(wall))
                };
                assert_eq!(told.iter().any(pair), meets, "{which}");
            }
        }
    }
}
