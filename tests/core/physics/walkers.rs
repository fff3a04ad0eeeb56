//! Walkers and flyers, and the platforms that carry them.

use levelwright::sim::physics::{DashSpec, PartSpec};

use super::*;
use crate::cases::one_in;

// ---- walkers

#[test]
fn a_jump_is_as_high_as_its_speed_says_at_any_tick_length() {
    for hz in [30.0, 64.0, 144.0, 240.0] {
        let config = PhysicsConfig { dt_secs: 1.0 / hz, ..platformer() };
        let mut stage = Stage::with(&["", "", "", "", "", "######"], config);
        let hero = stage.add(&walker(), 40.0, 72.0);
        stage.steps(4);
        assert!(stage.physics.on_ground(hero));
        let from = stage.pos(hero).y;
        let (_, poses) = stage.walk(hero, jump(), 1.0);
        let top = poses.iter().map(|pose| pose.pos.y).fold(f32::INFINITY, f32::min);
        let expected = 300.0 * 300.0 / (2.0 * 900.0);
        assert!(near(from - top, expected, expected * 0.01), "{hz} Hz: {}", from - top);
        assert!(stage.physics.on_ground(hero) && near(stage.pos(hero).y, from, 0.1));
    }
}

#[test]
fn walking_reaches_its_speed_and_stops_again() {
    for hz in [32.0, 64.0, 200.0] {
        let config = PhysicsConfig { dt_secs: 1.0 / hz, ..platformer() };
        let rows = flat(40);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let mut stage = Stage::with(&rows, config);
        let hero = stage.add(&walker(), 40.0, 119.0);
        stage.steps(8);
        let (_, poses) = stage.walk(hero, right(), 2.0);
        let last = poses.last().unwrap();
        // A tenth of a second to get there, at half the speed.
        assert!(near(last.pos.x, 40.0 + 80.0 * 1.95, 1.0), "{hz} Hz: {}", last.pos.x);
        assert!(near(last.vel.x, 80.0, 0.01) && near(last.pos.y, 120.0, 0.1), "{last:?}");
        let (_, poses) = stage.walk(hero, WalkInput::default(), 0.5);
        assert_eq!(poses.last().unwrap().vel, Vec2::ZERO);
    }
}

#[test]
fn walkers_go_up_and_down_slopes_without_leaving_the_ground() {
    let rows = [
        "                            ",
        "                            ",
        "      /##\\                  ",
        "     /####\\      <>#########",
        "############################",
    ];
    for shape in [Shape::Box([12.0, 16.0]), Shape::Capsule { radius: 6.0, height: 18.0 }, Shape::Circle(8.0)] {
        let mut stage = Stage::new(&rows);
        let spec = BodySpec { walker: Some(feet()), ..BodySpec::dynamic(shape.clone()) };
        let hero = stage.add(&spec, 20.0, 50.0);
        stage.steps(32);
        let mut highest = f32::INFINITY;
        for i in 0..64 * 5 {
            stage.physics.walk(hero, right());
            stage.physics.step();
            let Pose { pos, vel, .. } = stage.pose(hero);
            assert!(stage.physics.on_ground(hero), "{shape:?} left the ground at {pos} with {vel}");
            assert!(i < 10 || near(vel.length(), 80.0, 1.0), "{shape:?} slowed at {pos} to {vel}");
            highest = highest.min(pos.y);
        }
        assert!(highest < 28.0, "{shape:?} got over the hill: {highest}");
        assert!(stage.pos(hero).x > 300.0, "{shape:?}: {:?}", stage.pos(hero));
    }
}

#[test]
fn steep_slopes_and_walls_stop_walkers_low_steps_do_not() {
    let steep = BodySpec { walker: Some(WalkerSpec { max_slope_rad: 30_f32.to_radians(), ..feet() }), ..walker() };
    let mut stage = Stage::new(&["", "", "       /###", "###########"]);
    let hero = stage.add(&steep, 40.0, 39.0);
    stage.steps(8);
    stage.walk(hero, right(), 2.0);
    assert!(near(stage.pos(hero).x, 112.0 - 6.0, 0.5) && near(stage.pos(hero).y, 40.0, 0.2), "{:?}", stage.pos(hero));

    let mut stage = Stage::new(&["            #", "     =======#", "#############"]);
    let stepper = BodySpec { walker: Some(WalkerSpec { step_height: 9.0, ..feet() }), ..walker() };
    let hero = stage.add(&stepper, 40.0, 23.0);
    stage.steps(8);
    let (_, poses) = stage.walk(hero, right(), 3.0);
    assert!(near(stage.pos(hero).x, 192.0 - 6.0, 0.5) && near(stage.pos(hero).y, 16.0, 0.2), "{:?}", stage.pos(hero));
    assert!(poses[12..90].iter().all(|pose| pose.vel.x > 79.0), "a step does not slow it");

    // Round feet would land on the corner of the step and slide off it.
    let mut stage = Stage::new(&["            #", "     =======#", "#############"]);
    let round = BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 16.0 });
    let stepper = BodySpec { walker: Some(WalkerSpec { step_height: 9.0, ..feet() }), ..round };
    let hero = stage.add(&stepper, 40.0, 23.0);
    stage.steps(8);
    stage.walk(hero, right(), 3.0);
    assert!(near(stage.pos(hero).x, 192.0 - 5.0, 0.5) && near(stage.pos(hero).y, 16.0, 0.2), "{:?}", stage.pos(hero));

    let mut stage = Stage::new(&["", "     =======#", "#############"]);
    let hero = stage.add(&walker(), 40.0, 23.0);
    stage.steps(8);
    let (contacts, poses) = stage.walk(hero, right(), 2.0);
    assert!(near(stage.pos(hero).x, 74.0, 0.5), "8 px are a wall to 4: {:?}", stage.pos(hero));
    assert_eq!(poses.last().unwrap().vel, Vec2::ZERO);
    let bumps: Vec<_> = contacts.iter().filter(|c| c.began && c.normal.x < -0.9).collect();
    assert_eq!(bumps.len(), 1, "{contacts:?}");
    assert!(
        near(bumps[0].speed, 80.0, 1.0) && bumps[0].b == Other::Tile { cell: [5, 1], name: "=".into() },
        "{bumps:?}"
    );
}

#[test]
fn a_low_plank_is_a_step_if_it_is_too_heavy_to_be_pushed_aside() {
    for (mass, steps) in [(2.0, false), (20.0, false), (40.0, true), (400.0, true)] {
        let mut stage = Stage::new(&["", "", "####################"]);
        let plank = stage.add(&BodySpec { mass, ..BodySpec::dynamic(Shape::Box([60.0, 3.0])) }, 100.0, 30.5);
        let hero = stage.add(&BodySpec { mass: 40.0, ..walker() }, 40.0, 24.0);
        stage.steps(20);
        let (_, poses) = stage.walk(hero, right(), 1.5);
        let highest = poses.iter().map(|pose| 24.0 - pose.pos.y).fold(0.0, f32::max);
        let pushed = stage.pos(plank).x - 100.0;
        assert!(if steps { near(highest, 3.0, 0.2) } else { highest < 0.5 }, "{mass} kg: {highest} px high");
        assert!(if steps { pushed.abs() < 5.0 } else { pushed > 20.0 }, "{mass} kg: pushed by {pushed} px");
    }
}

#[test]
fn a_ceiling_stops_a_jump() {
    let mut stage = Stage::new(&["####", "", "", "####"]);
    let hero = stage.add(&walker(), 30.0, 39.0);
    stage.steps(8);
    let (_, poses) = stage.walk(hero, jump(), 0.5);
    let top = poses.iter().position(|pose| pose.pos.y < 24.1).unwrap();
    assert!(poses[top + 1..].iter().all(|pose| pose.vel.y >= 0.0), "it falls at once: {:?}", &poses[top..top + 4]);
    assert!(poses.iter().all(|pose| pose.pos.y >= 24.0));
}

#[test]
fn coyotes_may_jump_until_the_last_tick_of_that_time_after_the_edge() {
    let try_after = |n_ticks: u8| {
        let mut stage = Stage::new(&["", "", "", "####"]);
        let hero = stage.add(&walker(), 50.0, 39.0);
        stage.steps(8);
        while stage.physics.on_ground(hero) {
            stage.walk(hero, right(), DT);
        }
        stage.walk(hero, right(), f32::from(n_ticks) * DT);
        stage.walk(hero, jump(), DT);
        stage.pose(hero).vel.y < 0.0
    };
    let last = (feet().coyote_secs / DT) as u8;
    assert!(last > 3 && try_after(last) && !try_after(last + 1));
}

#[test]
fn ledges_are_jumped_through_and_dropped_through() {
    let mut stage = Stage::new(&["", "", "", "------", "", "", "######"]);
    let hero = stage.add(&walker(), 40.0, 87.0);
    stage.steps(8);
    stage.walk(hero, WalkInput { jump: Some(360.0), ..WalkInput::default() }, 1.2);
    assert!(near(stage.pos(hero).y, 40.0, 0.2), "on the ledge: {:?}", stage.pos(hero));
    stage.walk(hero, WalkInput { drop: true, ..WalkInput::default() }, DT);
    stage.walk(hero, WalkInput::default(), 1.0);
    assert!(near(stage.pos(hero).y, 88.0, 0.2), "on the floor: {:?}", stage.pos(hero));
    stage.walk(hero, WalkInput { drop: true, ..WalkInput::default() }, 1.0);
    assert!(near(stage.pos(hero).y, 88.0, 0.2), "nothing drops through stone");
    // Sideways a ledge is air.
    let mut stage = Stage::new(&["    ----", "########"]);
    let hero = stage.add(&walker(), 20.0, 7.0);
    stage.steps(8);
    stage.walk(hero, right(), 0.8);
    assert!(stage.pos(hero).x > 75.0, "{:?}", stage.pos(hero));
}

#[test]
fn platforms_carry_walkers_and_crates() {
    for one_way in [false, true] {
        let mut stage = Stage::new(&[]);
        let lift = stage.add(&platform(one_way), 100.0, 100.0);
        let hero = stage.add(&walker(), 90.0, 87.0);
        let cargo = stage.add(&crate_of(10.0), 112.0, 91.0);
        stage.steps(32);
        assert!(stage.physics.on_ground(hero));
        let mut at = Vec2::new(100.0, 100.0);
        for i in 0..256 {
            let vel = match i / 64 {
                0 => Vec2::new(60.0, 0.0),
                1 => Vec2::new(0.0, -60.0),
                2 => Vec2::new(0.0, 90.0),
                _ => Vec2::new(-40.0, -40.0),
            };
            at += vel * DT;
            stage.physics.set_next_pose(lift, at, 0.0);
            stage.physics.step();
            assert!(stage.physics.on_ground(hero), "tick {i}: {:?} on {at}", stage.pose(hero));
            let offset = stage.pos(hero) - at;
            assert!(near(offset.x, -10.0, 0.2) && near(offset.y, -12.0, 0.2), "tick {i}, one way {one_way}: {offset}");
            assert!((stage.pose(hero).vel - vel).length() < 1.0, "{:?} {vel}", stage.pose(hero).vel);
        }
        assert!(
            near(stage.pos(cargo).y, at.y - 9.0, 1.5) && near(stage.pos(cargo).x, at.x + 12.0, 8.0),
            "{} {at}",
            stage.pos(cargo)
        );
        // Who jumps off takes the platform's speed along.
        stage.physics.set_next_pose(lift, at + Vec2::new(2.0, 0.0), 0.0);
        stage.walk(hero, jump(), DT);
        assert!(near(stage.pose(hero).vel.x, 128.0, 60.0), "{:?}", stage.pose(hero));
    }
}

#[test]
fn who_stands_on_a_crate_on_a_lift_moves_with_it() {
    for (speed, way) in [60.0_f32, 120.0, 240.0].into_iter().flat_map(|speed| [-1.0, 1.0].map(|way| (speed, way))) {
        for n in [1_u8, 2] {
            let mut stage = Stage::new(&[]);
            let lift = stage.add(&platform(false), 100.0, 600.0);
            let cargo = BodySpec { mass: 8.0, ..crate_of(14.0) };
            let crates: Vec<_> = (0..n).map(|i| stage.add(&cargo, 100.0, 589.0 - 14.0 * f32::from(i))).collect();
            let on = *crates.last().unwrap();
            let hero = stage.add(&BodySpec { mass: 40.0, ..walker() }, 100.0, 587.9 - 14.0 * f32::from(n));
            stage.steps(64);
            let apart = stage.pos(on).y - stage.pos(hero).y;
            // Up at once, down no faster than crates fall.
            let (mut at, mut now) = (600.0, if way < 0.0 { speed } else { 0.0 });
            for tick in 0..128 {
                now = speed.min(now + 256.0 * DT);
                at += way * now * DT;
                stage.physics.set_next_pose(lift, Vec2::new(100.0, at), 0.0);
                stage.steps(1);
                let off = stage.pos(on).y - stage.pos(hero).y - apart;
                let case = format!("{n} crates, {} px/s, tick {tick}", way * speed);
                assert!(tick < 4 || near(off, 0.0, 0.3), "{case}: {off}");
                assert!(stage.physics.on_ground(hero), "{case}");
            }
            assert!(near(stage.pose(hero).vel.y, way * speed, 5.0), "{:?}", stage.pose(hero).vel);
        }
    }
}

/// A long platform that goes to and fro at 40 px/s, 400 px each way, with who is on it. What it is told after each
/// tick: the tick and where the platform is.
fn ride(stage: &mut Stage, n_ticks: u32, mut after: impl FnMut(&Stage, u32, Vec2)) {
    let mut spec = platform(true);
    spec.collider = BodySpec::fixed(Shape::Box([96.0, 8.0])).collider;
    let pf = stage.add(&spec, 200.0, 100.0);
    let (mut at, mut speed) = (200.0, 0.0_f32);
    let mut forward = true;
    for tick in 0..n_ticks {
        let left: f32 = if forward { 600.0 - at } else { at - 200.0 };
        speed = (speed + 100.0 * DT).min(40.0).min((2.0 * 100.0 * left).sqrt().max(100.0 * DT));
        let step = (speed * DT).min(left);
        at += if forward { step } else { -step };
        if left - step < 1e-3 {
            (forward, speed) = (!forward, 0.0);
        }
        stage.physics.set_next_pose(pf, Vec2::new(at, 100.0), 0.0);
        stage.physics.step();
        after(stage, tick, Vec2::new(at, 100.0));
    }
}

#[test]
fn who_stands_on_a_platform_is_not_pushed_off_by_what_rolls_there() {
    for mass in [8.0, 0.1] {
        let mut stage = Stage::new(&[]);
        let hero = stage.add(&BodySpec { mass: 40.0, ..walker() }, 210.0, 87.9);
        let loose = stage.add(&surface(BodySpec { mass, ..ball(7.0) }, 0.7, 0.0), 235.0, 88.9);
        let mut nearest = f32::INFINITY;
        ride(&mut stage, 64 * 30, |stage, tick, at| {
            let offset = stage.pos(hero) - at;
            assert!(near(offset.x, 10.0, 1.0), "{mass} kg, tick {tick}: {offset}");
            nearest = nearest.min((stage.pos(loose) - stage.pos(hero)).x);
        });
        assert!(near(nearest, 13.0, 0.5), "it leans on the walker and does not go through: {nearest}");
    }
}

#[test]
fn what_is_heavy_or_held_stops_who_is_carried() {
    // A heavy crate that floats in the way; a ball with a wall behind it.
    for (mass, is_heavy) in [(1e6, true), (0.1, false)] {
        let mut stage = Stage::new(&[]);
        let hero = stage.add(&BodySpec { mass: 40.0, ..walker() }, 210.0, 87.9);
        let body = if is_heavy { crate_of(14.0) } else { ball(7.0) };
        let loose = stage.add(&BodySpec { mass, gravity_scale: 0.0, ..body }, 300.0, 88.0);
        if !is_heavy {
            stage.add(&BodySpec::fixed(Shape::Box([8.0, 12.0])), 311.5, 88.0);
        }
        ride(&mut stage, 64 * 3, |stage, tick, _| {
            let apart = (stage.pos(loose) - stage.pos(hero)).x;
            assert!(apart > 11.5 && near(stage.pos(loose).x, 300.0, 2.0), "{mass} kg, tick {tick}: {apart}");
        });
        assert!(near((stage.pos(loose) - stage.pos(hero)).x, 13.0, 1.5), "it was met");
    }
}

#[test]
fn platforms_push_who_stands_in_their_way() {
    let mut stage = Stage::new(&["", "", "", "############"]);
    let wall = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([8.0, 24.0])) };
    let wall = BodySpec { velocity: Vec2::new(40.0, 0.0), ..wall };
    stage.add(&wall, 20.0, 35.0);
    let hero = stage.add(&walker(), 40.0, 39.0);
    stage.steps(64);
    assert!(near(stage.pos(hero).x, 70.0, 1.0), "{:?}", stage.pos(hero));
}

#[test]
fn walkers_push_crates_and_are_slowed_by_them() {
    let mut stage = Stage::new(&["", "", "", "##############################"]);
    let hero = stage.add(&BodySpec { mass: 10.0, ..walker() }, 40.0, 39.0);
    let light = stage.add(&surface(BodySpec { mass: 2.0, ..crate_of(14.0) }, 0.3, 0.0), 80.0, 40.0);
    let heavy = stage.add(&BodySpec { mass: 5000.0, ..crate_of(14.0) }, 300.0, 40.0);
    stage.steps(16);
    stage.walk(hero, right(), 1.5);
    assert!(stage.pos(light).x > 100.0, "{:?}", stage.pos(light));
    assert!(stage.pos(hero).x < stage.pos(light).x - 12.5, "not inside it");
    stage.walk(hero, right(), 4.0);
    assert!(near(stage.pos(heavy).x, 300.0, 1.0), "{:?}", stage.pos(heavy));
    assert!(stage.pos(hero).x < 282.0, "{:?}", stage.pos(hero));
}

#[test]
fn box_walkers_walk_and_dash_over_rows_of_loose_crates() {
    let dash = DashSpec { speed: 600.0, secs: 0.15, cooldown_secs: 1.0, in_air: 1, keep: 0.5, eight_ways: false };
    let mut wrong = Vec::new();
    for (size, gap) in [12.0, 15.0, 16.0, 20.0_f32].into_iter().flat_map(|size| [(size, 0.0), (size, 0.02)]) {
        for (speed, dashes) in [(60.0, false), (80.0, false), (110.0, false), (80.0, true)] {
            let mut stage = Stage::new(&["", "", "", "", "", "", "", "", &"#".repeat(60)]);
            let crates = surface(BodySpec { mass: 30.0, ..crate_of(f64::from(size)) }, 0.6, 0.0);
            let place = |i: u16| Vec2::new(24.0 + (size + gap) * f32::from(i), 128.0 - size / 2.0);
            let row: Vec<_> = (0..36).map(|i| stage.add(&crates, place(i).x, place(i).y)).collect();
            let spec = WalkerSpec { speed, dash: Some(dash.clone()), ..feet() };
            let body = BodySpec { mass: 40.0, walker: Some(spec), ..BodySpec::dynamic(Shape::Box([10.0, 18.0])) };
            let feet_y = 128.0 - size - 9.0;
            let hero = stage.add(&body, 60.0, feet_y - 0.03);
            stage.steps(64);
            let (mut fastest, mut highest) = (0.0_f32, feet_y);
            for tick in 0..192 {
                let dash = (dashes && tick == 20).then_some(Vec2::X);
                stage.physics.walk(hero, WalkInput { dash, ..right() });
                stage.physics.step();
                fastest = fastest.max(if dashes { 0.0 } else { stage.pose(hero).vel.x });
                highest = highest.min(stage.pos(hero).y);
            }
            let moved = (0..36).map(|i| stage.pos(row[usize::from(i)]).distance(place(i))).fold(0.0, f32::max);
            let way = stage.pos(hero).x - 60.0;
            if fastest > 1.05 * speed || highest < feet_y - 1.0 || moved > 1.0 || way < 2.7 * speed {
                wrong.push(format!(
                    "{size} + {gap} px, {speed} px/s, dash {dashes}: {way} px at up to {fastest} px/s, up to \
                    {highest}, the row by {moved} px"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_walker_cannot_move_a_cart_from_within() {
    let mut cart =
        surface(BodySpec { mass: 8.0, lock_rotation: true, ..BodySpec::dynamic(Shape::Box([86.0, 6.0])) }, 0.6, 0.0);
    let collider = cart.collider.as_mut().unwrap();
    for side in [-40.0, 40.0] {
        let wall = BodySpec::dynamic(Shape::Box([6.0, 24.0])).collider.unwrap().parts[0].clone();
        let convex = wall.convex.placed(Vec2::new(side, -12.0), 0.0);
        collider.parts.push(PartSpec { convex, ..wall });
    }
    for shape in [Shape::Box([10.0, 18.0]), Shape::Capsule { radius: 5.0, height: 18.0 }] {
        let mut stage = Stage::new(&["", "", "", "", "", "", &"#".repeat(60)]);
        let cart = stage.add(&cart, 200.0, 93.0);
        let hero = stage.add(&BodySpec { mass: 40.0, walker: Some(feet()), ..BodySpec::dynamic(shape) }, 200.0, 80.9);
        stage.steps(32);
        stage.walk(hero, right(), 3.0);
        assert!(near(stage.pos(cart).x, 200.0, 2.0), "{:?}", stage.pose(cart));
    }
    // A plank on ice, and a crate on it: what it pushes apart by one it pushes back by the other.
    let mut stage = Stage::new(&["", "", "", "", "", "", &"#".repeat(60)]);
    let plank = BodySpec { mass: 20.0, ..BodySpec::dynamic(Shape::Box([120.0, 6.0])) };
    let plank = stage.add(&surface(plank, 0.0, 0.0), 300.0, 93.0);
    let load = stage.add(&surface(BodySpec { mass: 40.0, ..crate_of(16.0) }, 0.6, 0.0), 330.0, 82.0);
    let hero = stage.add(&BodySpec { mass: 40.0, ..walker() }, 300.0, 81.9);
    stage.steps(32);
    stage.walk(hero, right(), 2.0);
    let fastest = [plank, load, hero].map(|key| stage.pose(key).vel.x.abs());
    assert!(fastest.iter().all(|speed| *speed < 100.0), "{fastest:?}");
}

#[test]
fn seen_from_above_all_eight_ways_are_as_fast() {
    let mut stage = Stage::top_down(&["#########", "#       #", "#       #", "#       #", "#       #", "#########"]);
    let hero = stage.add(&walker(), 40.0, 40.0);
    let (_, poses) = stage.walk(hero, WalkInput { dir: Vec2::ONE, ..WalkInput::default() }, 0.4);
    assert!(near(poses.last().unwrap().vel.length(), 80.0, 0.1), "{:?}", poses.last());
    // Into the wall at the bottom: it slides to the corner.
    let (contacts, poses) = stage.walk(hero, WalkInput { dir: Vec2::ONE, ..WalkInput::default() }, 3.0);
    let last = poses.last().unwrap();
    assert!(near(last.pos.x, 122.0, 0.2) && near(last.pos.y, 72.0, 0.2), "{last:?}");
    assert_eq!(contacts.iter().filter(|contact| contact.began).count(), 2, "{contacts:?}");
    let loose = stage.add(&BodySpec { velocity: Vec2::new(30.0, 0.0), ..ball(4.0) }, 40.0, 40.0);
    stage.steps(128);
    assert!(stage.pose(loose).vel.length() < 0.01, "the floor brakes it");
}

#[test]
fn one_way_ground_stops_no_flyer() {
    let spec = BodySpec {
        flyer: Some(FlyerSpec { speed: 90.0, acceleration: 240.0, arrive_radius: 24.0 }),
        ..BodySpec::dynamic(Shape::Circle(5.0))
    };
    let mut stage = Stage::new(&["", "", "", "--------"]);
    stage.add(&platform(true), 64.0, 90.0);
    let key = stage.add(&spec, 64.0, 20.0);
    for (way, n_ticks) in [(1.0, 160), (-1.0, 240)] {
        for _ in 0..n_ticks {
            stage.physics.fly(key, Vec2::new(0.0, 80.0 * way));
            stage.physics.step();
        }
        let y = stage.pos(key).y;
        assert!(if way > 0.0 { y > 140.0 } else { y < 30.0 }, "it gets to {y}");
    }
}

#[test]
fn flyers_gain_speed_evenly_and_slide_on_walls() {
    let mut stage = Stage::new(&["############", "", "", "", "", "", "############"]);
    let wings = FlyerSpec { speed: 100.0, acceleration: 200.0, arrive_radius: 24.0 };
    let bat = BodySpec { flyer: Some(wings), ..BodySpec::dynamic(Shape::Circle(5.0)) };
    let bat = stage.add(&bat, 20.0, 50.0);
    stage.physics.fly(bat, Vec2::new(60.0, -80.0));
    stage.steps(16);
    assert!(near(stage.pose(bat).vel.length(), 50.0, 0.5));
    stage.steps(80);
    let Pose { pos, vel, .. } = stage.pose(bat);
    assert!(near(pos.y, 21.0, 0.1) && near(vel.x, 60.0, 0.1) && near(vel.y, 0.0, 0.1), "{pos} {vel}");
}

#[test]
fn a_walker_on_a_falling_crate_falls_with_it_and_no_faster() {
    for mass in [1.0, 5.0, 40.0] {
        let mut stage = Stage::new(&[]);
        let below = stage.add(&BodySpec { mass, ..crate_of(14.0) }, 100.0, 100.0);
        let key = stage.add(&BodySpec { mass: 40.0, ..walker() }, 100.0, 84.9);
        for tick in 1..=128 {
            stage.steps(1);
            let free = 900.0 * DT * f32::from(tick as u8);
            for vel in [below, key].map(|key| stage.pose(key).vel.y) {
                assert!(vel <= free + 20.0, "{mass} kg, tick {tick}: {vel} px/s after {free}");
            }
        }
    }
}

#[test]
fn a_walker_that_lands_on_a_ball_is_not_thrown() {
    for (mass, offset, height) in [(1.0, 2.0, 40.0), (5.0, 6.0, 40.0), (40.0, 4.0, 40.0), (400.0, 6.0, 200.0)] {
        let rows = flat(200);
        let mut stage = Stage::new(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        let ball = stage.add(&BodySpec { mass, ..ball(7.0) }, 1600.0, 121.0);
        let round = Shape::Capsule { radius: 5.0, height: 14.0 };
        let spec = BodySpec { mass: 40.0, walker: Some(feet()), ..BodySpec::dynamic(round) };
        let key = stage.add(&spec, 1600.0 + offset, 105.0 - height);
        for tick in 0..256 {
            stage.steps(1);
            let (of_walker, of_ball) = (stage.pose(key).vel, stage.pose(ball).vel);
            let is_calm = of_walker.x.abs() < 200.0 && of_ball.x.abs() < 600.0 && of_walker.y > -100.0;
            assert!(is_calm, "{mass} kg, {offset} px aside, tick {tick}: {of_walker}, the ball {of_ball}");
        }
    }
}

#[test]
fn walkers_that_overlap_are_pushed_apart_slowly_and_through_no_wall() {
    let views = [Stage::new as fn(&[&str]) -> Stage, Stage::top_down];
    let flyer = BodySpec {
        flyer: Some(FlyerSpec { speed: 90.0, acceleration: 240.0, arrive_radius: 24.0 }),
        ..BodySpec::dynamic(Shape::Circle(7.0))
    };
    let ball = BodySpec { walker: Some(feet()), ..BodySpec::dynamic(Shape::Circle(7.0)) };
    for ((seen, make), spec) in
        views.into_iter().enumerate().flat_map(|view| [&ball, &flyer, &walker()].map(|s| (view, s.clone())))
    {
        for (size, n) in [(4, 2), (4, 5), (4, 14), (10, 5), (10, 9)] {
            let (wall, open) = ("#".repeat(size + 2), format!("#{}#", " ".repeat(size)));
            let mut rows = vec![open.as_str(); size + 2];
            (rows[0], rows[size + 1]) = (&wall, &wall);
            let mut stage = make(&rows);
            let middle = 16.0 + size as f32 * 8.0;
            let keys: Vec<EntityKey> = (0..n).map(|_| stage.add(&spec, middle, middle)).collect();
            let half = if spec.flyer.is_some() || spec == ball { 7.0 } else { 6.0 };
            for tick in 0..192 {
                let before: Vec<Pose> = keys.iter().map(|key| stage.pose(*key)).collect();
                stage.steps(1);
                for (key, was) in keys.iter().zip(before) {
                    let now = stage.pose(*key);
                    let most = now.vel.length().max(was.vel.length()) * DT + 2.5;
                    let what = format!("view {seen}, {n} in {size}, tick {tick}: {was:?} {now:?}");
                    assert!(now.pos.distance(was.pos) <= most, "{what}");
                    let (lo, hi) = (16.0 + half - 0.01, 16.0 + size as f32 * 16.0 - half + 0.01);
                    assert!(now.pos.cmpge(Vec2::splat(lo)).all() && now.pos.cmple(Vec2::splat(hi)).all(), "{what}");
                }
            }
            let apart =
                |i: usize| keys[..i].iter().all(|key| stage.pos(*key).distance(stage.pos(keys[i])) > 2.0 * half - 0.5);
            assert!(size == 4 && n > 2 || (0..n).all(apart), "view {seen}: {n} in {size} are apart at last");
        }
    }
}

// ---- ground put around them

/// A floor of `thick` cells, with a block of ground of so many columns and rows on it.
fn with_block(config: PhysicsConfig, (columns, rows): (usize, usize), thick: usize) -> Stage {
    const WIDTH: usize = 36;
    let mut cells = vec![vec!['.'; WIDTH]; 14];
    cells.extend(vec![vec!['#'; WIDTH]; thick]);
    (14 - rows..14).for_each(|row| cells[row][10..10 + columns].fill('#'));
    let text: Vec<String> = cells.iter().map(|row| row.iter().collect()).collect();
    Stage::with(&text.iter().map(String::as_str).collect::<Vec<_>>(), config)
}

/// A walker at rest on a floor without a block.
fn on_floor(shape: Shape, floor: &Stage, x: f32) -> (Stage, EntityKey) {
    let mut stage = floor.clone();
    let hero = stage.add(&BodySpec { walker: Some(feet()), ..BodySpec::dynamic(shape) }, x, 200.0);
    stage.steps(60);
    (stage, hero)
}

/// Put the ground of another stage around a walker: how far it moves.
fn bury(stage: &mut Stage, hero: EntityKey, ground: &SolidGrid) -> Vec2 {
    let before = stage.pos(hero);
    stage.physics.set_grid(ground);
    stage.steps(90);
    stage.pos(hero) - before
}

#[test]
fn walkers_that_ground_is_put_around_leave_it_by_the_shortest_way() {
    let shapes = [Shape::Capsule { radius: 5.0, height: 18.0 }, Shape::Box([12.0, 16.0]), Shape::Circle(6.0)];
    let blocks = [(1, 1), (3, 2), (4, 4), (1, 3), (6, 1)];
    for thick in [1, 3] {
        let floor = with_block(platformer(), (0, 0), thick);
        let grids = blocks.map(|block| with_block(platformer(), block, thick).grid);
        let all = shapes.iter().flat_map(|shape| (152_u8..216).step_by(3).map(move |x| (shape, f32::from(x))));
        for (shape, x) in one_in(3, all) {
            // It comes to rest once for all blocks.
            let (rests, hero) = on_floor(shape.clone(), &floor, x);
            for (block, grid) in blocks.iter().zip(&grids) {
                let mut stage = rests.clone();
                let moved = bury(&mut stage, hero, grid);
                let case = format!("{shape:?} at {x} in {block:?} on {thick}: {moved}");
                assert!(moved.y < 0.1 && moved.length() < 70.0 && stage.physics.on_ground(hero), "{case}");
                assert!(!stage.physics.is_buried(hero), "{case}");
            }
        }
    }
}

#[test]
fn walkers_without_a_way_out_of_the_ground_are_held_and_free_again_without_it() {
    let shape = Shape::Box([12.0, 16.0]);
    for view in [LevelView::Platformer, LevelView::TopDown] {
        let config = PhysicsConfig { view, ..platformer() };
        let (mut stage, hero) = on_floor(shape.clone(), &with_block(config.clone(), (0, 0), 14), 272.0);
        let moved = bury(&mut stage, hero, &with_block(config.clone(), (14, 14), 14).grid);
        assert_eq!((moved, stage.pose(hero).vel), (Vec2::ZERO, Vec2::ZERO), "{view:?}");
        assert!(stage.physics.is_buried(hero));
        stage.walk(hero, right(), 0.5);
        assert_eq!(stage.pose(hero).vel, Vec2::ZERO, "{view:?}");
        stage.physics.set_grid(&Stage::with(&["", "", "#"], config).grid);
        let (_, poses) = stage.walk(hero, right(), 0.5);
        assert!(poses[31].vel.x > 10.0, "{view:?}: {:?}", poses[31]);
    }
}

#[test]
fn nothing_is_put_out_of_the_level_through_its_border() {
    let open = "#..................#";
    let rows = |block: &'static str| {
        let mut rows = vec!["####################"];
        rows.extend([block; 9]);
        rows.push("####################");
        rows
    };
    for spec in [walker(), crate_of(12.0), ball(6.0)] {
        let mut stage = Stage::new(&rows(open));
        let body = stage.add(&spec, 24.0, 150.0);
        stage.steps(60);
        stage.physics.set_grid(&Stage::new(&rows("####...............#")).grid);
        stage.steps(60);
        assert!(near(stage.pos(body).x, 70.0, 1.0), "{}: {}", spec.is_mover(), stage.pos(body));
    }
}

#[test]
fn loose_bodies_leave_ground_that_is_put_around_them_or_that_they_are_put_into() {
    let floor = ["", "", "", "", "", "", "", "", "############", "############"];
    let mut brick = floor;
    brick[7] = ".....#";
    for (spec, half) in [(crate_of(14.0), 7.0), (ball(6.0), 6.0)] {
        let mut stage = Stage::new(&floor);
        let body = stage.add(&spec, 88.0, 120.0);
        stage.steps(60);
        stage.physics.set_grid(&Stage::new(&brick).grid);
        stage.steps(60);
        let at = stage.pos(body);
        let is_out = at.y < 112.0 - half + 0.6 || (at.x - 88.0).abs() > 8.0 + half - 0.6;
        assert!(is_out && at.y < 128.0 - half + 0.6, "painted over: {at}");
        for (x, y) in [(60.0, 134.0), (60.0, 140.0), (130.0, 131.0)] {
            let body = stage.add(&spec, x, y);
            stage.steps(90);
            let at = stage.pos(body);
            assert!(at.y < 128.0 - half + 0.6, "put into the floor at {x}, {y}: {at}");
            stage.physics.despawn(body);
        }
    }
}

#[test]
fn stacked_crates_that_ground_is_put_around_come_out_beside_each_other() {
    let floor = ["", "", "", "", "", "", "", "", "############", "############"];
    let mut stage = Stage::new(&floor);
    let crates = [120.0, 105.0].map(|y| stage.add(&crate_of(14.0), 88.0, y));
    stage.steps(60);
    let mut brick = floor;
    (brick[6], brick[7]) = (".....#", ".....#");
    stage.physics.set_grid(&Stage::new(&brick).grid);
    for _ in 0..90 {
        stage.steps(1);
        assert!(crates.iter().all(|key| stage.pose(*key).vel.length() < 200.0), "{crates:?}");
    }
    let [a, b] = crates.map(|key| stage.pos(key));
    assert!(a.distance(b) > 13.0 && a.y.max(b.y) < 122.0, "{a} {b}");
    assert!(!crates.iter().any(|key| stage.physics.is_buried(*key)));
}

#[test]
fn a_loose_body_that_starts_at_once_slips_away_under_a_walker() {
    for (speed, most) in [(600.0, 60.0), (30.0, 31.0)] {
        let mut stage = Stage::new(&["", "", "", "", "", "", "", "################"]);
        let plank = stage.add(
            &surface(BodySpec { mass: 200.0, ..BodySpec::dynamic(Shape::Box([80.0, 12.0])) }, 0.0, 0.0),
            80.0,
            106.0,
        );
        let hero = stage.add(&walker(), 80.0, 90.0);
        stage.steps(40);
        assert!(stage.physics.on_ground(hero));
        stage.physics.set_velocity(plank, Vec2::new(speed, 0.0));
        stage.steps(1);
        let vel = stage.pose(hero).vel.x;
        assert!(vel > most * 0.3 && vel <= most, "{speed}: {vel}");
    }
}

#[test]
fn a_round_walker_that_sinks_between_two_corners_stands_there_and_gets_out() {
    let round = BodySpec { walker: Some(feet()), ..BodySpec::dynamic(Shape::Circle(7.0)) };
    for gap in [11.6, 12.0, 13.0, 13.8] {
        let stage = || {
            let mut stage = Stage::new(&[]);
            for side in [-1.0, 1.0] {
                stage.add(&BodySpec::fixed(Shape::Box([40.0, 30.0])), 100.0 + side * (gap / 2.0 + 20.0), 115.0);
            }
            let hero = stage.add(&round, 100.2, 80.0);
            stage.steps(60);
            (stage, hero)
        };
        let (mut still, hero) = stage();
        let at = still.pos(hero);
        assert!(near(at.x, 100.0, 0.1) && at.y > 93.5, "{gap}: it sinks in, to {at}");
        for tick in 0..40 {
            still.steps(1);
            assert!(still.physics.on_ground(hero) && still.pos(hero).distance(at) < 0.05, "{gap}, tick {tick}");
        }
        let (_, poses) = still.walk(hero, jump(), 0.3);
        assert!(poses.iter().any(|pose| pose.pos.y < at.y - 40.0), "{gap}: it jumps out");
        let (mut walks, hero) = stage();
        // Over corners that are no higher than a step.
        let (_, poses) = walks.walk(hero, right(), 1.0);
        let is_low = at.y - 93.0 < feet().step_height;
        assert!(!is_low || poses.last().unwrap().pos.x > 110.0, "{gap}: {:?}", poses.last());
    }
}

#[test]
fn a_crate_that_leans_in_a_shaft_throws_nobody_who_walks_over_it() {
    let (open, hole, floor) = (" ".repeat(30), format!("{} {}", "#".repeat(5), "#".repeat(24)), "#".repeat(30));
    let rows: Vec<&str> = [[&*open; 9].as_slice(), &[&*hole; 3], &[&*floor; 2]].concat();
    let squire = BodySpec {
        mass: 40.0,
        gravity_scale: 1.3,
        walker: Some(WalkerSpec { speed: 110.0, acceleration: 1400.0, step_height: 9.0, ..feet() }),
        ..BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 18.0 })
    };
    let boxed = BodySpec { collider: BodySpec::dynamic(Shape::Box([10.0, 18.0])).collider, ..squire.clone() };
    let all = [-3.0, 0.0, 3.0].into_iter().flat_map(|aside| {
        [0.0, 10.0, 20.0, 40.0].into_iter().flat_map(move |turn| [-2.0, 0.0, 1.0].map(|offset| (turn, offset, aside)))
    });
    for (turn, offset, aside) in one_in(2, all) {
        for (way, squire) in [(Vec2::X, &squire), (Vec2::NEG_X, &squire), (Vec2::X, &boxed)] {
            let mut stage = Stage::new(&rows);
            let spec = BodySpec { mass: 8.0, ..BodySpec::dynamic(Shape::Box([15.0, 15.0])) };
            let crate_key = stage.add(&spec, 88.0 + offset, 134.0);
            stage.physics.set_pose(crate_key, Vec2::new(88.0 + offset, 134.0), f32::to_radians(turn));
            let key = stage.add(squire, 88.0 + aside, 100.0);
            for tick in 0..300 {
                if (120..180).contains(&tick) {
                    stage.physics.walk(key, WalkInput { dir: way, ..WalkInput::default() });
                }
                stage.steps(1);
                let [of_walker, of_crate] = [key, crate_key].map(|key| stage.pose(key).vel);
                // It slides off a tilted side, and the crate falls into the shaft.
                let is_calm = of_walker.x.abs() < 250.0 && of_walker.y > -200.0 && of_crate.y > -150.0;
                assert!(
                    tick < 20 || is_calm,
                    "{turn}°, {offset} px, {aside} px aside, {way}, tick {tick}: {of_walker}, the crate {of_crate}"
                );
            }
        }
    }
}

#[test]
fn wide_feet_on_the_edge_of_a_crate_do_not_tip_it_over() {
    let rows = flat(30);
    let mut stage = Stage::new(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let crate_key = stage.add(&BodySpec { mass: 8.0, ..BodySpec::dynamic(Shape::Box([16.0, 16.0])) }, 200.0, 120.0);
    let walker = BodySpec { mass: 40.0, walker: Some(feet()), ..BodySpec::dynamic(Shape::Box([12.0, 16.0])) };
    // Two of its twelve pixels are over the crate.
    let key = stage.add(&walker, 212.0, 103.0);
    stage.steps(64);
    let (angle, pos) = (stage.pose(crate_key).angle, stage.pos(key));
    assert!(angle.abs() < 0.05 && near(pos.y, 104.0, 0.5), "{angle} {pos}");
}

/// A walker of 40 kg at rest on a stack of crates, beside its middle; the keys of the crates, the lowest first.
fn on_stack(n: usize, mass: f32, aside: f32) -> (Stage, EntityKey, Vec<EntityKey>) {
    let rows = flat(40);
    let mut stage = Stage::new(&rows.iter().map(String::as_str).collect::<Vec<_>>());
    let spec = BodySpec { mass, collider: crate_of(15.0).collider, ..crate_of(15.0) };
    let crates: Vec<EntityKey> = (0..n).map(|i| stage.add(&spec, 240.0, 120.5 - 15.0 * i as f32)).collect();
    let round = Shape::Capsule { radius: 5.0, height: 18.0 };
    let walker = BodySpec { mass: 40.0, walker: Some(feet()), ..BodySpec::dynamic(round) };
    let key = stage.add(&walker, 240.0 + aside, 118.9 - 15.0 * n as f32);
    stage.steps(128);
    (stage, key, crates)
}

#[test]
fn a_stack_stands_still_under_a_walker_however_light_it_is() {
    for (n, mass, aside) in [(2, 8.0, 5.0), (3, 8.0, 2.0), (5, 8.0, 5.0), (3, 2.0, 5.0), (5, 3.0, 5.0), (2, 2.0, 0.0)] {
        let (mut stage, key, crates) = on_stack(n, mass, aside);
        let from = stage.pos(key);
        assert!(near(from.y, 119.0 - 15.0 * n as f32, 1.5), "{n} of {mass} kg, {aside} px aside: {from}");
        for _ in 0..256 {
            stage.steps(1);
            let fastest = crates.iter().map(|key| stage.pose(*key).vel.length()).fold(0.0, f32::max);
            assert!(fastest < 3.0, "{n} of {mass} kg, {aside} px aside: {fastest} px/s");
        }
        assert!(
            stage.pos(key).distance(from) < 0.5,
            "{n} of {mass} kg, {aside} px aside: {from} to {}",
            stage.pos(key)
        );
    }
}

#[test]
fn a_crate_that_is_struck_from_below_lifts_who_stands_on_it_by_its_share() {
    for n in [1, 2] {
        let (mut stage, key, crates) = on_stack(n, 8.0, 0.0);
        let from = stage.pos(key);
        // Alone it would rise by 425 px.
        stage.physics.add_impulse(crates[n - 1], Vec2::new(0.0, -7000.0));
        let mut highest = from.y;
        for _ in 0..128 {
            stage.steps(1);
            highest = highest.min(stage.pos(key).y);
        }
        // Together they have a sixth of its speed.
        assert!(from.y - highest < 20.0 && stage.physics.on_ground(key), "{n}: by {} px", from.y - highest);
    }
}
