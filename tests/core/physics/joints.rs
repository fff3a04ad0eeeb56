//! Joints: what each kind leaves free, limits, motors, breaking, and that bodies may change or go.

use levelwright::sim::physics::{Broken, JointKind, JointSpec, Link, Motor};

use super::*;

fn spec(kind: JointKind) -> JointSpec {
    JointSpec { kind, frequency_hz: 3.0, damping_ratio: 0.3, ..JointSpec::default() }
}

/// Hold a body, that stands upright where it is, to another one or to the world.
fn hold(stage: &mut Stage, key: EntityKey, other: Option<EntityKey>, spec: JointSpec) {
    let at = |stage: &Stage, key| (stage.pos(key), stage.pose(key).angle);
    let other_at = other.map(|other| at(stage, other)).unwrap_or_default();
    let link = Link { spec, other, own_at: at(stage, key), other_at };
    stage.physics.set_joint(key, Some(link));
}

fn lamp() -> BodySpec {
    BodySpec { gravity_scale: 1.0, ..crate_of(8.0) }
}

#[test]
fn a_lamp_swings_about_its_hook_and_keeps_its_distance() {
    // Revolute about a hook 40 px to the left of it: a pendulum that is let go.
    let mut stage = Stage::new(&[]);
    let key = stage.add(&lamp(), 140.0, 100.0);
    hold(&mut stage, key, None, JointSpec { anchors: vec![Vec2::new(-40.0, 0.0)], ..spec(JointKind::Revolute) });
    let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
    for _ in 0..64 * 4 {
        stage.steps(1);
        let from = stage.pos(key) - Vec2::new(100.0, 100.0);
        assert!(near(from.length(), 40.0, 0.2), "{from}");
        (least, most) = (least.min(stage.pos(key).x), most.max(stage.pos(key).x));
    }
    assert!(least < 64.0 && most > 136.0, "it swings through, hardly losing height: {least} to {most}");
}

#[test]
fn each_kind_leaves_its_own_free() {
    let held = |spec: JointSpec, from: Vec2| {
        let mut stage = Stage::new(&[]);
        let key = stage.add(&BodySpec { damping: 2.0, spin_damping: 2.0, ..lamp() }, from.x, from.y);
        hold(&mut stage, key, None, spec);
        stage.steps(64 * 6);
        stage.pose(key)
    };
    let from = Vec2::new(100.0, 100.0);
    let up = |far: f32| vec![Vec2::ZERO, Vec2::new(0.0, -far)];
    let weld = held(spec(JointKind::Weld), from);
    assert!(weld.pos.distance(from) < 0.05 && weld.angle.abs() < 1e-3, "{weld:?}");
    // A rope of 60 px hung at a point 30 px above lets it down by 30.
    let rope = held(JointSpec { anchors: up(30.0), length: 60.0, ..spec(JointKind::Rope) }, from);
    assert!(near(rope.pos.y, 130.0, 0.3) && near(rope.pos.x, 100.0, 0.1), "{rope:?}");
    // A rod of its own length keeps it, also from below, where it topples to hang.
    let rod = held(JointSpec { anchors: up(30.0), ..spec(JointKind::Distance) }, from);
    assert!(near(rod.pos.y, 100.0, 0.1), "{rod:?}");
    // A spring sinks by g / (2πf)².
    let spring = held(JointSpec { anchors: up(30.0), damping_ratio: 1.0, ..spec(JointKind::Spring) }, from);
    let sinks = 900.0 / (std::f32::consts::TAU * 3.0).powi(2);
    assert!(near(spring.pos.y, 100.0 + sinks, 0.3), "{spring:?}, not {sinks}");
    // A slide along an axis, between limits: down by 25 px and no farther, never aside.
    let slide =
        JointSpec { axis_rad: 90_f32.to_radians(), limits: Some(Vec2::new(-5.0, 25.0)), ..spec(JointKind::Prismatic) };
    let slide = held(slide, from);
    assert!(near(slide.pos.y, 125.0, 0.2) && near(slide.pos.x, 100.0, 0.05) && slide.angle.abs() < 1e-3, "{slide:?}");
    // A turn between limits.
    let limits = Some(Vec2::new(-0.5, 0.4));
    let flap = held(JointSpec { anchors: vec![Vec2::new(-20.0, 0.0)], limits, ..spec(JointKind::Revolute) }, from);
    assert!(near(flap.angle, 0.4, 0.02), "{flap:?}");
}

#[test]
fn a_rod_pushes_as_it_pulls() {
    let mut stage = Stage::new(&[]);
    let one = stage.add(&BodySpec { gravity_scale: 0.0, ..ball(4.0) }, 100.0, 100.0);
    let two = stage.add(&BodySpec { gravity_scale: 0.0, ..ball(4.0) }, 140.0, 100.0);
    let anchors = vec![Vec2::ZERO, Vec2::new(40.0, 0.0)];
    hold(&mut stage, one, Some(two), JointSpec { anchors, ..spec(JointKind::Distance) });
    for vel in [300.0, -500.0] {
        stage.physics.set_velocity(one, Vec2::new(vel, 40.0));
        for _ in 0..64 {
            stage.steps(1);
            let distance = stage.pos(one).distance(stage.pos(two));
            assert!(near(distance, 40.0, 1.0), "{distance}");
        }
    }
    assert!(stage.pos(two).distance(Vec2::new(140.0, 100.0)) > 40.0, "it goes along: {:?}", stage.pose(two));
}

#[test]
fn motors_turn_and_slide_at_a_speed_or_to_a_place_with_what_force_they_have() {
    let run = |spec: JointSpec, secs: usize| {
        let mut stage = Stage::new(&[]);
        let key = stage.add(&BodySpec { gravity_scale: 0.0, ..crate_of(16.0) }, 100.0, 100.0);
        hold(&mut stage, key, None, spec);
        stage.steps(64 * secs);
        stage.pose(key)
    };
    let motor = |kind, motor, target| JointSpec { motor, motor_target: target, ..spec(kind) };
    let mill = run(motor(JointKind::Revolute, Motor::Speed, 2.0), 1);
    assert!(near(mill.spin, 2.0, 0.01) && near(mill.angle, 2.0, 0.05), "{mill:?}");
    let gate = run(motor(JointKind::Revolute, Motor::Position, -0.7), 3);
    assert!(near(gate.angle, -0.7, 0.02), "{gate:?}");
    let saw = run(motor(JointKind::Prismatic, Motor::Speed, 30.0), 1);
    assert!(near(saw.pos.x, 130.0, 0.6), "{saw:?}");
    let lift = run(motor(JointKind::Prismatic, Motor::Position, -50.0), 3);
    assert!(near(lift.pos.x, 50.0, 0.5), "{lift:?}");
    // 10 kg·px/s² move 1 kg by 10 px/s².
    let weak = run(JointSpec { motor_force: 10.0, ..motor(JointKind::Prismatic, Motor::Speed, 500.0) }, 1);
    assert!(near(weak.vel.x, 10.0, 0.5), "{weak:?}");
}

#[test]
fn a_joint_breaks_above_its_force_and_not_below() {
    for (kind, mass, force, breaks) in [
        (JointKind::Rope, 1.0, 1200.0, false),
        (JointKind::Rope, 2.0, 1200.0, true),
        (JointKind::Weld, 1.0, 1200.0, false),
        (JointKind::Weld, 2.0, 1200.0, true),
        (JointKind::Distance, 1.0, 1200.0, false),
        (JointKind::Distance, 2.0, 1200.0, true),
    ] {
        let mut stage = Stage::new(&[]);
        let key = stage.add(&BodySpec { mass, ..crate_of(8.0) }, 100.0, 100.0);
        let anchors = vec![Vec2::ZERO, Vec2::new(0.0, -30.0)];
        let anchors = if kind == JointKind::Weld { Vec::new() } else { anchors };
        hold(&mut stage, key, None, JointSpec { anchors, break_force: force, ..spec(kind) });
        stage.steps(64);
        let told = stage.physics.take_broken();
        assert_eq!(told.len(), usize::from(breaks), "{kind:?} {mass} kg");
        if breaks {
            assert_eq!(told, [Broken { key, other: None }]);
            assert!(stage.pos(key).y > 200.0 && stage.physics.joint(key).is_none(), "it falls: {}", stage.pos(key));
        } else {
            assert!(near(stage.pos(key).y, 100.0, 0.3), "{kind:?}: {}", stage.pos(key));
        }
    }
}

/// A bridge of planks between two posts; the posts, then the planks.
fn bridge(stage: &mut Stage) -> ([EntityKey; 2], Vec<EntityKey>) {
    let post = BodySpec::fixed(Shape::Box([8.0, 8.0]));
    let (left, right) = (stage.add(&post, 92.0, 100.0), stage.add(&post, 228.0, 100.0));
    let plank = BodySpec::dynamic(Shape::Box([14.0, 4.0]));
    let planks: Vec<_> = (0..8_u8).map(|i| stage.add(&plank, 104.0 + f32::from(i) * 16.0, 100.0)).collect();
    let at_left = |x: f32| JointSpec { anchors: vec![Vec2::new(x, 0.0)], ..spec(JointKind::Revolute) };
    let mut before = left;
    for plank in &planks {
        hold(stage, *plank, Some(before), at_left(-8.0));
        before = *plank;
    }
    hold(stage, right, Some(before), at_left(-4.0));
    ([left, right], planks)
}

/// The acceleration of a light plank follows from the weight on it, and the weight that it bears from its acceleration:
/// taken one after the other, the two alternate for ever.
#[test]
fn a_heavy_walker_comes_to_rest_on_a_bridge_of_light_planks() {
    for mass in [4.0, 10.0, 40.0] {
        for x in [140.0, 156.0, 163.0] {
            let mut stage = Stage::new(&[]);
            bridge(&mut stage);
            let hero = stage.add(&BodySpec { mass, ..walker() }, x, 85.0);
            stage.steps(20 * 64);
            let (mut lo, mut hi) = (f32::INFINITY, f32::NEG_INFINITY);
            for _ in 0..3 * 64 {
                stage.steps(1);
                (lo, hi) = (lo.min(stage.pos(hero).y), hi.max(stage.pos(hero).y));
            }
            assert!(hi - lo < 1.0 && hi < 130.0, "{mass} kg at {x}: from {lo} to {hi}");
        }
    }
}

/// A bridge of planks of this mass (kg), each 16 px long, hung between two shores that are `slack` times shorter apart.
/// Returns the planks.
fn plank_bridge(stage: &mut Stage, n: u8, mass: f32, slack: f32) -> Vec<EntityKey> {
    let (from, length) = (Vec2::new(64.0, 64.0), 16.0 * f32::from(n));
    let span = length / slack;
    // The two halves hang down in straight lines.
    let depth = (length * length - span * span).max(0.0).sqrt() / 2.0;
    let point = |k: u8| {
        let share = f32::from(k) / f32::from(n);
        from + Vec2::new(span * share, depth * (1.0 - (2.0 * share - 1.0).abs()))
    };
    let friction = ColliderSpec { friction: 0.8, ..BodySpec::fixed(Shape::Box([16.0, 4.0])).collider.unwrap() };
    let plank = BodySpec { mass, collider: Some(friction), ..BodySpec::dynamic(Shape::Box([16.0, 4.0])) };
    let mut planks: Vec<EntityKey> = Vec::new();
    let mut before = None;
    for k in 0..n {
        let (a, b) = (point(k), point(k + 1));
        let (middle, way) = (a.midpoint(b), b - a);
        let angle = way.y.atan2(way.x);
        let key = stage.add(&plank, middle.x, middle.y);
        stage.physics.set_pose(key, middle, angle);
        let spec = JointSpec { anchors: vec![Vec2::new(-8.0, 0.0)], ..JointSpec::default() };
        let other = before.map(|(key, _, _)| key);
        let other_at = before.map_or((Vec2::ZERO, 0.0), |(_, at, angle)| (at, angle));
        stage.physics.set_joint(key, Some(Link { spec, other, own_at: (middle, angle), other_at }));
        before = Some((key, middle, angle));
        planks.push(key);
    }
    let (last, at, angle) = before.unwrap();
    let end = stage.add(&BodySpec::fixed(Shape::Box([2.0, 2.0])), point(n).x, point(n).y + 40.0);
    let spec = JointSpec { anchors: vec![Vec2::new(0.0, -40.0)], ..JointSpec::default() };
    let own_at = (stage.pos(end), 0.0);
    stage.physics.set_joint(end, Some(Link { spec, other: Some(last), own_at, other_at: (at, angle) }));
    planks
}

#[test]
fn who_jumps_on_a_bridge_of_planks_is_neither_thrown_nor_falls_through() {
    for (n, mass) in [(10, 8.0), (16, 4.0), (8, 20.0), (10, 4.0), (12, 1.5)] {
        for slack in [1.0, 1.015, 1.064] {
            for above in [12.0, 60.0] {
                let mut stage = Stage::new(&[]);
                let planks = plank_bridge(&mut stage, n, mass, slack);
                let middle = stage.pos(planks[usize::from(n) / 2]);
                let hero = stage.add(&BodySpec { mass: 40.0, ..walker() }, middle.x + 3.0, middle.y - above);
                let (mut fastest, mut highest) = (0.0_f32, f32::INFINITY);
                for tick in 0..64 * 9 {
                    let jump = (tick > 128 && tick % 64 == 0).then_some(300.0);
                    stage.physics.walk(hero, WalkInput { jump, ..WalkInput::default() });
                    stage.steps(1);
                    fastest = planks.iter().map(|key| stage.pose(*key).vel.length()).fold(fastest, f32::max);
                    highest = if tick > 100 { highest.min(stage.pos(hero).y) } else { highest };
                }
                let what = format!("{n} planks of {mass} kg, {slack}, from {above} px");
                let lowest = planks.iter().map(|key| stage.pos(*key).y).fold(0.0, f32::max);
                assert!(stage.pos(hero).y < lowest, "{what}: it fell through, to {}", stage.pos(hero));
                // No faster than twice its jump. The lightest planks get 320 to 476 px/s, by where the walker lands to a
                // hundredth of a pixel.
                assert!(fastest < 600.0, "{what}: planks at {fastest} px/s");
                assert!(highest > middle.y - 120.0, "{what}: thrown {} px up", middle.y - highest);
            }
        }
    }
}

/// The first plank is an edge to who comes from the ground, and so is each that the weight on the one before tilts.
#[test]
fn walkers_step_onto_planks_that_hinges_hold_and_from_one_to_the_next() {
    let round = BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 16.0 });
    for (who, body) in [("box", walker()), ("round", BodySpec { walker: Some(feet()), ..round })] {
        for (up, mass) in [0.0, 1.0, 3.5, 10.0].into_iter().flat_map(|up| [(up, 2.0), (up, 10.0)]) {
            let case = format!("{who}, {up} px up, {mass} kg");
            let mut stage = Stage::new(&["", "", "", &format!("{}{:12}{}", "#".repeat(8), "", "#".repeat(12))]);
            let plank = BodySpec { mass, ..BodySpec::dynamic(Shape::Box([18.0, 5.0])) };
            let end = BodySpec::fixed(Shape::Box([18.0, 5.0]));
            let mut before = None;
            for i in 0..=10_u8 {
                let body = if i < 10 { &plank } else { &end };
                let key = stage.add(body, 137.5 + 19.0 * f32::from(i), 50.5 - up);
                let hinge = JointSpec { anchors: vec![Vec2::new(-9.5, 0.0)], ..spec(JointKind::Revolute) };
                hold(&mut stage, key, before, hinge);
                before = Some(key);
            }
            let hero = stage.add(&BodySpec { mass: 40.0, ..body.clone() }, 80.0, 40.0);
            stage.walk(hero, right(), 6.0);
            // A step is 4 px high at most.
            let crosses = up < 4.0;
            assert_eq!(stage.pos(hero).x > 340.0, crosses, "{case}: {}", stage.pos(hero));
        }
    }
}

#[test]
fn a_bridge_sags_carries_a_walker_and_falls_when_a_post_goes() {
    let mut stage = Stage::new(&[]);
    let (posts, planks) = bridge(&mut stage);
    stage.steps(64 * 3);
    let sag = planks.iter().map(|key| stage.pos(*key).y).fold(0.0, f32::max);
    assert!(sag > 100.0 && sag < 130.0, "{sag}");
    let hero = stage.add(&walker(), 165.0, sag - 14.0);
    stage.steps(64);
    assert!(stage.physics.on_ground(hero) && stage.pos(hero).y < 140.0, "{}", stage.pos(hero));
    let lines = |stage: &Stage| -> Vec<[Vec2; 2]> {
        posts.iter().chain(&planks).filter_map(|key| stage.physics.joint_line(*key)).collect()
    };
    let ends = lines(&stage);
    assert!(ends.len() == 9 && ends.iter().all(|[a, b]| a.distance(*b) < 0.5), "{ends:?}");
    // A plank becomes another body: it hangs where it hung.
    let heavy = BodySpec { mass: 1.5, ..BodySpec::dynamic(Shape::Box([14.0, 5.0])) };
    stage.physics.respec(planks[4], &heavy).unwrap();
    stage.steps(64);
    assert!(stage.pos(planks[4]).y < 140.0 && lines(&stage).len() == 9);
    stage.physics.despawn(hero);
    stage.physics.despawn(posts[1]);
    let swing = (0..64 * 3).map(|_| {
        stage.steps(1);
        stage.pos(planks[7]).y
    });
    let lowest = swing.fold(0.0, f32::max);
    assert_eq!(lines(&stage).len(), 8);
    assert!(lowest > 200.0 && lowest < 240.0, "it hangs from the other: {lowest}");
    stage.physics.despawn(planks[0]);
    stage.steps(64);
    assert!(stage.pos(planks[2]).y > 300.0 && lines(&stage).len() == 6);
}

#[test]
fn joints_run_the_same_from_a_snapshot() {
    let mut stage = Stage::new(&[]);
    let (_, planks) = bridge(&mut stage);
    let mill = stage.add(&crate_of(30.0), 165.0, 60.0);
    let motor =
        JointSpec { motor: Motor::Speed, motor_target: 3.0, break_force: 40_000.0, ..spec(JointKind::Revolute) };
    hold(&mut stage, mill, None, motor);
    let run = |physics: &mut Physics| -> Vec<u64> {
        let tick = |i: u32| {
            physics.add_impulse(planks[i as usize % 8], Vec2::new(0.0, -60.0));
            physics.step();
            physics.hash()
        };
        (0..50).map(tick).collect()
    };
    for _ in 0..5 {
        let mut copy = stage.physics.clone();
        assert_eq!(run(&mut stage.physics), run(&mut copy));
    }
}

#[test]
fn a_seesaw_tilts_to_the_side_of_who_stands_on_it() {
    for (aside, turns) in [(-20.0, -1.0), (20.0, 1.0), (0.0, 0.0)] {
        let rows = flat(30);
        let mut stage = Stage::new(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let plank = BodySpec { mass: 20.0, ..BodySpec::dynamic(Shape::Box([64.0, 6.0])) };
        let plank = stage.add(&plank, 200.0, 96.0);
        let pivot = JointSpec { limits: Some(Vec2::new(-0.3, 0.3)), ..JointSpec::default() };
        let (own_at, other_at) = ((Vec2::new(200.0, 96.0), 0.0), (Vec2::ZERO, 0.0));
        stage.physics.set_joint(plank, Some(Link { spec: pivot, other: None, own_at, other_at }));
        let walker = BodySpec { mass: 40.0, walker: Some(feet()), ..BodySpec::dynamic(Shape::Box([8.0, 16.0])) };
        let key = stage.add(&walker, 200.0 + aside, 60.0);
        let lands = (0..40).find(|_| {
            stage.steps(1);
            stage.physics.on_ground(key) || stage.pose(plank).spin != 0.0
        });
        assert!(lands.is_some());
        let spin = stage.pose(plank).spin;
        assert!(spin * turns > if turns == 0.0 { -0.1 } else { 4.0 }, "{aside}: the landing turns it by {spin}");
        stage.steps(20);
        let (angle, vel) = (stage.pose(plank).angle, stage.pose(key).vel);
        assert!(if turns == 0.0 { angle.abs() < 0.05 } else { angle * turns > 0.2 }, "{aside}: {angle}");
        assert!(stage.physics.on_ground(key) && vel.length() < 200.0, "{aside}: {vel}");
    }
}

#[test]
fn a_platform_that_lifts_a_walker_against_a_ceiling_is_held_there() {
    let mut rows = vec![" ".repeat(30); 8];
    rows[2] = "#".repeat(30);
    let mut stage = Stage::new(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let lift = BodySpec { mass: 20.0, gravity_scale: 0.0, ..BodySpec::dynamic(Shape::Box([48.0, 6.0])) };
    let lift = stage.add(&lift, 200.0, 110.0);
    let spec = JointSpec {
        axis_rad: -std::f32::consts::FRAC_PI_2,
        motor: Motor::Speed,
        motor_target: 40.0,
        motor_force: 40_000.0,
        ..spec(JointKind::Prismatic)
    };
    hold(&mut stage, lift, None, spec);
    let walker = BodySpec { mass: 10.0, walker: Some(feet()), ..BodySpec::dynamic(Shape::Box([8.0, 16.0])) };
    let key = stage.add(&walker, 200.0, 98.0);
    stage.steps(64 * 3);
    let (walker, platform) = (stage.pos(key), stage.pos(lift));
    assert!(walker.y < 58.0, "it was lifted: {walker}");
    assert!(platform.y - walker.y > 10.0, "it went through who stands on it: {platform} {walker}");
}

/// The solver moves what bears it after the walker has moved.
#[test]
fn a_walker_on_a_slab_that_a_motor_moves_stays_on_it() {
    let down = std::f32::consts::FRAC_PI_2;
    let slab =
        BodySpec { gravity_scale: 0.0, mass: 30.0, lock_rotation: true, ..BodySpec::dynamic(Shape::Box([60.0, 6.0])) };
    for px_s in [60.0, -60.0, 200.0] {
        let mut stage = Stage::new(&[]);
        let at = stage.add(&slab, 200.0, 300.0);
        let rail = JointSpec {
            axis_rad: down,
            motor: Motor::Speed,
            motor_target: px_s,
            limits: Some(Vec2::new(-150.0, 150.0)),
            ..spec(JointKind::Prismatic)
        };
        hold(&mut stage, at, None, rail);
        let key = stage.add(&BodySpec { mass: 40.0, ..walker() }, 200.0, 300.0 - 3.0 - 8.0 - 0.02);
        let gap = |stage: &Stage| stage.pos(at).y - 3.0 - 8.0 - stage.pos(key).y;
        // It starts at once, which no walker follows, and travels for 45 px at least.
        stage.steps(4);
        for tick in 0..40 {
            stage.steps(1);
            assert!(gap(&stage).abs() < 0.1, "{px_s} px/s, tick {tick}: {} px above it", gap(&stage));
        }
        stage.steps(64 * 3);
        assert!(gap(&stage).abs() < 0.1, "{px_s} px/s, at the end: {} px above it", gap(&stage));
        assert!((stage.pos(at).y - 300.0).abs() > 140.0, "it arrived");
    }
}

#[test]
fn a_walker_on_a_slab_that_falls_stays_on_it() {
    let mut stage = Stage::new(&[]);
    let slab = BodySpec { mass: 30.0, lock_rotation: true, ..BodySpec::dynamic(Shape::Box([60.0, 6.0])) };
    let at = stage.add(&slab, 200.0, 300.0);
    let key = stage.add(&BodySpec { mass: 40.0, ..walker() }, 200.0, 300.0 - 3.0 - 8.0 - 0.02);
    // As it begins to fall, the walker is late by a tick.
    stage.steps(4);
    for tick in 4..64 {
        stage.steps(1);
        let gap = stage.pos(at).y - 3.0 - 8.0 - stage.pos(key).y;
        assert!(gap.abs() < 0.5, "tick {tick}: {gap} px above it");
    }
}

#[test]
fn what_is_joined_drifts_as_exactly_far_from_the_origin() {
    for (far, speed) in [(2000.0, 0.1), (60_000.0, 3.0)] {
        let mut stage = Stage::with(&[], PhysicsConfig { gravity_px_s2: 0.0, ..platformer() });
        let drifting = BodySpec { velocity: Vec2::new(speed, 0.0), ..crate_of(12.0) };
        let keys = [0.0, 20.0].map(|x| stage.add(&drifting, far + x, 0.0));
        let apart = JointSpec { anchors: vec![Vec2::ZERO, Vec2::ZERO], ..spec(JointKind::Distance) };
        hold(&mut stage, keys[0], Some(keys[1]), apart);
        stage.steps(64 * 20);
        let moved = stage.pos(keys[0]).x - far;
        assert!(near(moved, speed * 20.0, 0.02), "{far}: {moved}");
        assert!(near(stage.pos(keys[1]).x - stage.pos(keys[0]).x, 20.0, 0.05));
    }
}
