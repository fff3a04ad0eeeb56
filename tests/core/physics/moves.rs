//! What walkers do beside walking and jumping: corners, walls, dashes, ladders, water, belts, and the speed of what
//! carried them.

use levelwright::sim::physics::{DashSpec, SwimSpec, WallSpec};

use super::*;

const HZ: [f32; 4] = [30.0, 60.0, 64.0, 120.0];

fn stage(hz: f32, rows: &[&str]) -> Stage {
    Stage::with(rows, PhysicsConfig { dt_secs: 1.0 / hz, ..platformer() })
}

fn hero(stage: &mut Stage, spec: WalkerSpec, at: [f32; 2]) -> EntityKey {
    let key = stage.add(&BodySpec { walker: Some(spec), ..walker() }, at[0], at[1]);
    stage.steps(4);
    key
}

fn ticks(stage: &mut Stage, key: EntityKey, input: WalkInput, secs: f32) -> Vec<Pose> {
    stage.walk(key, input, secs).1
}

fn top(poses: &[Pose]) -> f32 {
    poses.iter().map(|pose| pose.pos.y).fold(f32::INFINITY, f32::min)
}

#[test]
fn a_head_that_meets_a_corner_is_put_aside_by_so_many_pixels() {
    // A block above, its right side at x = 64; the walker is 12 wide. How far its left side is under the block, and
    // whether it gets past.
    let rows = ["", "####", "", "", "", "", "", "########"];
    for (under, correction, passes) in
        [(2.0, 3.0, true), (3.5, 4.0, true), (5.0, 4.0, false), (2.0, 0.0, false), (0.5, 1.0, true)]
    {
        for hz in HZ {
            let mut stage = stage(hz, &rows);
            let spec = WalkerSpec { corner_correction: correction, ..feet() };
            let key = hero(&mut stage, spec, [64.0 + 6.0 - under, 104.0]);
            let jump = WalkInput { jump: Some(450.0), ..WalkInput::default() };
            let highest = top(&ticks(&mut stage, key, jump, 0.5));
            // Its head stays below the block, whose lower side is at y = 32, or goes on for 112 px.
            assert_eq!(highest < 30.0, passes, "{hz} Hz, {under} px under, {correction} px allowed: {highest}");
            let moved = stage.pos(key).x - (70.0 - under);
            assert!(if passes { moved >= under - 0.1 && moved <= under + 0.6 } else { moved == 0.0 }, "{moved}");
        }
    }
}

#[test]
fn a_round_head_beside_the_corner_of_a_lip_loses_no_height() {
    // A wall that ends 16 px above the floor; the walker is 18 px high and stops with its head a little under it.
    let mut rows = vec!["          #          "; 10];
    rows.extend(["                     ", "#####################"]);
    for (way, hz) in [-1.0, 1.0].into_iter().flat_map(|way| HZ.map(|hz| (way, hz))) {
        for correction in [0.0, 4.0, 8.0] {
            let mut stage = stage(hz, &rows);
            let spec = WalkerSpec { corner_correction: correction, ..feet() };
            let round = BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 18.0 });
            let key = stage.add(&BodySpec { walker: Some(spec), ..round }, 168.0 - way * 40.0, 166.9);
            stage.steps(4);
            let push = WalkInput { dir: Vec2::X * way, ..WalkInput::default() };
            ticks(&mut stage, key, push, 1.0);
            let from = stage.pos(key);
            let case = format!("{hz} Hz, {correction} px allowed, {way}");
            let beside = (168.0 - from.x) * way - 8.0;
            assert!(beside > 3.0 && beside < 4.9 && stage.physics.on_ground(key), "{case}: it stops at {from}");
            let poses = ticks(&mut stage, key, WalkInput { jump: Some(300.0), ..push }, 0.5);
            assert!(near(from.y - top(&poses), 50.0, 0.3), "{case}: {}", from.y - top(&poses));
            assert!(poses.iter().all(|pose| (pose.pos.x - from.x).abs() < 1.5), "{case}: it stays at the wall");
        }
    }
}

#[test]
fn a_head_that_is_pressed_against_a_wall_is_put_aside_by_a_lip_above_too() {
    let mut rows = vec!["##########         "; 12];
    rows.push("###################");
    let shapes = [Shape::Capsule { radius: 5.0, height: 18.0 }, Shape::Box([10.0, 18.0])];
    for (hz, shape) in HZ.into_iter().flat_map(|hz| shapes.iter().map(move |shape| (hz, shape))) {
        let rise = |lip: f32| {
            let mut stage = stage(hz, &rows);
            let block = BodySpec { kind: BodyKind::Static, ..BodySpec::dynamic(Shape::Box([16.0, 16.0])) };
            stage.add(&block, 152.0 + lip, 144.0);
            let spec = WalkerSpec { corner_correction: 4.0, ..feet() };
            let key = stage.add(&BodySpec { walker: Some(spec), ..BodySpec::dynamic(shape.clone()) }, 165.1, 182.9);
            stage.steps(4);
            let push = WalkInput { dir: Vec2::NEG_X, ..WalkInput::default() };
            ticks(&mut stage, key, push, 0.2);
            let from = stage.pos(key).y;
            from - top(&ticks(&mut stage, key, WalkInput { jump: Some(300.0), ..push }, 0.5))
        };
        let free = rise(0.0);
        assert!(free > 45.0, "{free}");
        for lip in [0.5, 1.0, 2.0, 3.0, 3.9] {
            let rise = rise(lip);
            assert!(near(rise, free, 0.5), "{hz} Hz, {shape:?}, {lip} px: {rise} of {free}");
        }
        let bonk = rise(7.0);
        assert!(bonk < 30.0, "{hz} Hz, {shape:?}: {bonk}");
    }
}

#[test]
fn jumps_in_the_air_are_counted_until_it_stands() {
    let mut stage = stage(64.0, &["", "", "", "", "", "", "", "", "", "", "", "", "########"]);
    let key = hero(&mut stage, WalkerSpec { air_jumps: 1, ..feet() }, [40.0, 184.0]);
    for _ in 0..2 {
        let from = stage.pos(key).y;
        let first = top(&ticks(&mut stage, key, jump(), 1.0 / 3.0));
        let second = top(&ticks(&mut stage, key, jump(), 1.0 / 3.0));
        let third = top(&ticks(&mut stage, key, jump(), 0.1));
        assert!(
            near(from - first, 50.0, 1.0) && near(from - second, 100.0, 2.0) && third >= second,
            "{first} {second}"
        );
        assert!(!stage.physics.has_jumped(key));
        ticks(&mut stage, key, WalkInput::default(), 1.0);
        assert!(stage.physics.on_ground(key));
    }
}

#[test]
fn walls_are_slid_down_and_jumped_off() {
    let rows: Vec<String> = (0..30).map(|y| if y < 28 { "#    #" } else { "######" }.to_owned()).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let wall = WallSpec { slide_speed: 50.0, jump: Vec2::new(120.0, 280.0), grace_secs: 0.1, lock_secs: 0.1 };
    for hz in HZ {
        let mut stage = stage(hz, &rows);
        let key = hero(&mut stage, WalkerSpec { wall: Some(wall.clone()), ..feet() }, [72.0, 60.0]);
        let push = WalkInput { dir: Vec2::X, ..WalkInput::default() };
        ticks(&mut stage, key, push, 0.6);
        assert!(near(stage.pose(key).vel.y, 50.0, 0.1), "{hz} Hz: it slides: {:?}", stage.pose(key));
        // Off to the left, though it wants to the right: 0.1 s of it, with the speed that the wall's jump has.
        let from = stage.pos(key);
        let poses = ticks(&mut stage, key, WalkInput { jump: Some(300.0), ..push }, 0.1);
        let away = from.x - poses.last().unwrap().pos.x;
        assert!(away > 9.0 && away < 12.5, "{hz} Hz: {away}");
        let poses = ticks(&mut stage, key, push, 0.3);
        assert!(near(from.y - top(&poses), 280.0 * 280.0 / 1800.0, 2.0), "{hz} Hz: {}", from.y - top(&poses));
        // With the keys let go in the air it does not slide; far from walls there is no jump.
        ticks(&mut stage, key, WalkInput { dir: -Vec2::X, ..push }, 0.1);
        let fast = ticks(&mut stage, key, WalkInput::default(), 0.25).last().unwrap().vel.y;
        assert!(fast > 100.0, "{hz} Hz: {fast}");
    }
    // Without the component there is neither.
    let mut plain = stage(64.0, &rows);
    let key = hero(&mut plain, feet(), [72.0, 60.0]);
    ticks(&mut plain, key, right(), 0.4);
    assert!(plain.pose(key).vel.y > 300.0);
    plain.walk(key, WalkInput { jump: Some(300.0), ..right() }, 0.02);
    assert!(plain.pose(key).vel.y > 300.0);
}

#[test]
fn a_wall_jump_keeps_its_speed_for_as_long_as_it_is_locked() {
    let row = format!("{}#", " ".repeat(40));
    let rows: Vec<&str> = vec![row.as_str(); 40];
    for (speed, hz) in [120.0, 250.0, 400.0].into_iter().flat_map(|speed| HZ.map(|hz| (speed, hz))) {
        for dir in [Vec2::NEG_X, Vec2::ZERO, Vec2::X] {
            let wall = WallSpec { slide_speed: 50.0, jump: Vec2::new(speed, 280.0), grace_secs: 0.1, lock_secs: 0.1 };
            let mut stage = stage(hz, &rows);
            let key = hero(&mut stage, WalkerSpec { wall: Some(wall), ..feet() }, [632.0, 60.0]);
            ticks(&mut stage, key, right(), 0.3);
            let input = WalkInput { dir, ..WalkInput::default() };
            let locked = ticks(&mut stage, key, WalkInput { jump: Some(300.0), ..input }, 0.1);
            let case = format!("{speed} px/s, {hz} Hz, {dir}");
            assert!(locked.iter().all(|pose| near(pose.vel.x, -speed, 1e-3)), "{case}: {locked:?}");
            // Then it brakes and turns as ever, by 480 px/s².
            let after = ticks(&mut stage, key, input, 0.2).last().unwrap().vel.x;
            let expected = if dir == Vec2::NEG_X { (96.0 - speed).min(-80.0) } else { 96.0 - speed };
            let expected = if dir == Vec2::ZERO { expected.min(0.0) } else { expected };
            assert!(near(after, expected, 2.1 * 480.0 / hz), "{case}: {after}, not {expected}");
        }
    }
}

fn dash() -> DashSpec {
    DashSpec { speed: 240.0, secs: 0.15, cooldown_secs: 0.2, in_air: 1, keep: 0.5, eight_ways: true }
}

#[test]
fn a_dash_is_as_long_as_its_speed_and_time_say() {
    for hz in HZ {
        for (dir, start) in [(Vec2::X, 120.0), (Vec2::X, 40.0), (Vec2::new(1.0, -1.0), 120.0), (Vec2::NEG_Y, 100.0)] {
            let mut stage = stage(hz, &["", "", "", "", "", "", "", "", "", "####################"]);
            let key = stage.add(
                &BodySpec { walker: Some(WalkerSpec { dash: Some(dash()), ..feet() }), ..walker() },
                40.0,
                start,
            );
            stage.physics.walk(key, WalkInput::default());
            stage.physics.step();
            let from = stage.pos(key);
            let input = WalkInput { dash: Some(dir), ..WalkInput::default() };
            let n = (0.15 * hz).ceil() as usize;
            for i in 0..n {
                stage.physics.walk(key, if i == 0 { input } else { WalkInput::default() });
                stage.physics.step();
            }
            let gone = (stage.pos(key) - from).dot(dir.normalize());
            // The rest of the last tick is at half the speed.
            let rest = (n as f32 / hz - 0.15) * 120.0;
            assert!(near(gone, 36.0 + rest, 0.2), "{hz} Hz, {dir}: {gone}, not {}", 36.0 + rest);
            assert!(near(stage.pose(key).vel.length(), 120.0, 0.5), "{hz} Hz, {dir}: {:?}", stage.pose(key));
        }
    }
}

#[test]
fn dashes_wait_for_each_other_and_for_the_ground() {
    let mut stage = stage(60.0, &["", "", "", "", "", "", "", "", "", "", "", "", "", "", "####################"]);
    let key = hero(&mut stage, WalkerSpec { dash: Some(dash()), ..feet() }, [40.0, 20.0]);
    let begins = |stage: &mut Stage| {
        stage.physics.walk(key, WalkInput { dash: Some(Vec2::X), ..WalkInput::default() });
        stage.physics.step();
        near(stage.pose(key).vel.x, 240.0, 0.1)
    };
    assert!(begins(&mut stage));
    ticks(&mut stage, key, WalkInput::default(), 0.4);
    assert!(!stage.physics.on_ground(key) && !begins(&mut stage), "one in the air");
    ticks(&mut stage, key, WalkInput::default(), 1.0);
    assert!(stage.physics.on_ground(key) && begins(&mut stage));
    ticks(&mut stage, key, WalkInput::default(), 0.25);
    assert!(!begins(&mut stage), "before 0.35 s are over");
    ticks(&mut stage, key, WalkInput::default(), 0.15);
    assert!(begins(&mut stage));
    // A ledge missed by 3 px is got onto, one missed by 6 px is not.
    for (below, lands) in [(3.0, true), (6.0, false)] {
        let mut stage = super::moves::stage(60.0, &["", "", "", "", "     #####", "     #####"]);
        let spec = WalkerSpec { dash: Some(dash()), corner_correction: 4.0, step_height: 0.0, ..feet() };
        let key = stage.add(&BodySpec { walker: Some(spec), ..walker() }, 60.0, 64.0 - 8.0 + below);
        let input = WalkInput { dash: Some(Vec2::X), dir: Vec2::X, ..WalkInput::default() };
        ticks(&mut stage, key, input, 0.3);
        assert_eq!(stage.physics.on_ground(key) && stage.pos(key).x > 82.0, lands, "{below}: {:?}", stage.pose(key));
    }
}

#[test]
fn ladders_are_climbed_up_down_and_stood_upon() {
    let rows = ["", "", "   H###", "   H   ", "   H   ", "   H   ", "#######"];
    for hz in HZ {
        let mut stage = stage(hz, &rows);
        let key = hero(&mut stage, WalkerSpec { climb_speed: Some(60.0), ..feet() }, [56.0, 88.0]);
        let go = |climb: f32, x: f32| WalkInput { climb, dir: Vec2::new(x, 0.0), ..WalkInput::default() };
        ticks(&mut stage, key, go(-1.0, 0.0), 0.5);
        assert!(near(stage.pos(key).y, 58.0, 1.5), "{hz} Hz: {:?}", stage.pos(key));
        let held = ticks(&mut stage, key, go(0.0, 0.0), 0.5);
        assert!(held.iter().all(|pose| pose.vel == Vec2::ZERO), "it holds on");
        // Not higher than the top; from there to the floor beside it.
        ticks(&mut stage, key, go(-1.0, 0.0), 2.0);
        assert!(near(stage.pos(key).y, 24.0, 0.5), "{hz} Hz: at the top: {:?}", stage.pos(key));
        ticks(&mut stage, key, go(0.0, 1.0), 0.4);
        assert!(stage.physics.on_ground(key) && near(stage.pos(key).y, 24.0, 0.2), "{hz} Hz: {:?}", stage.pos(key));
        // Back, and down to the ground, which it does not fall to.
        for _ in 0..100 {
            if stage.pos(key).x > 63.0 {
                ticks(&mut stage, key, go(0.0, -1.0), 1.0 / hz);
            }
        }
        assert!(near(stage.pos(key).y, 24.0, 0.2), "{hz} Hz: {:?}", stage.pos(key));
        let down = ticks(&mut stage, key, go(1.0, 0.0), 2.0);
        assert!(down.iter().all(|pose| pose.vel.y <= 60.1), "{hz} Hz");
        assert!(near(stage.pos(key).x, 56.0, 0.1), "in the middle");
        assert!(stage.physics.on_ground(key) && near(stage.pos(key).y, 88.0, 0.2), "{hz} Hz: {:?}", stage.pos(key));
        // A jump lets go, also while Up is held.
        ticks(&mut stage, key, go(-1.0, 0.0), 0.3);
        let jump = WalkInput { jump: Some(200.0), ..go(-1.0, 0.0) };
        assert!(ticks(&mut stage, key, jump, 2.0 / hz).last().unwrap().vel.y < -100.0, "{hz} Hz");
    }
    // Nobody else notices the ladder.
    let mut stage = stage(64.0, &rows);
    let key = hero(&mut stage, feet(), [56.0, 40.0]);
    let poses = ticks(&mut stage, key, WalkInput { climb: -1.0, ..WalkInput::default() }, 0.2);
    assert!(poses.last().unwrap().vel.y > 100.0);
}

/// The walker is 12 px wide, the ladder from x 48 to 64.
#[test]
fn a_ladder_is_held_by_whoever_is_in_front_of_some_of_it() {
    let rows = ["", "", "   H   ", "   H   ", "   H   ", "   H   ", "#######"];
    for (x, holds) in [(40.0, false), (43.5, false), (44.5, true), (48.0, true), (67.5, true), (68.5, false)] {
        let mut stage = stage(64.0, &rows);
        let key = hero(&mut stage, WalkerSpec { climb_speed: Some(60.0), ..feet() }, [x, 88.0]);
        stage.steps(10);
        assert_eq!(stage.physics.can_go_up(key), holds, "{x}");
        ticks(&mut stage, key, WalkInput { climb: -1.0, ..WalkInput::default() }, 2.0);
        let at = if holds { Vec2::new(56.0, 24.0) } else { Vec2::new(x, 88.0) };
        assert!(stage.pos(key).distance(at) < 0.5, "{x}: {:?}", stage.pos(key));
    }
    // The nearer of two, and one that is narrower than the walker.
    for (rows, x, width) in [
        (["", "", "  H H  ", "  H H  ", "#######"], 58.5, 24.0),
        (["", "", "   H   ", "   H   ", "#######"], 56.0, 70.0),
    ] {
        let mut stage = stage(64.0, &rows);
        let walker = WalkerSpec { climb_speed: Some(60.0), ..feet() };
        let shape = Shape::Box([width, 16.0]);
        let key = stage.add(&BodySpec { walker: Some(walker), ..BodySpec::dynamic(shape) }, x, 56.0);
        stage.steps(10);
        ticks(&mut stage, key, WalkInput { climb: -1.0, ..WalkInput::default() }, 0.3);
        let middle = if width > 60.0 { 56.0 } else { 72.0 };
        assert!(near(stage.pos(key).x, middle, 0.5) && stage.pos(key).y < 50.0, "{width}: {:?}", stage.pose(key));
    }
}

#[test]
fn a_ladder_with_a_ledge_on_top_carries_and_lets_through() {
    let mut stage = stage(64.0, &["", "", "   E   ", "   H   ", "   H   ", "   H   ", "#######"]);
    let key = hero(&mut stage, WalkerSpec { climb_speed: Some(60.0), ..feet() }, [56.0, 20.0]);
    ticks(&mut stage, key, WalkInput::default(), 0.3);
    assert!(stage.physics.on_ground(key) && near(stage.pos(key).y, 24.0, 0.1));
    let down = WalkInput { climb: 1.0, drop: true, ..WalkInput::default() };
    let poses = ticks(&mut stage, key, down, 1.5);
    assert!(poses.iter().all(|pose| pose.vel.y <= 60.1) && near(stage.pos(key).y, 88.0, 0.2), "{:?}", stage.pose(key));
    let up = WalkInput { climb: -1.0, ..WalkInput::default() };
    ticks(&mut stage, key, up, 1.5);
    assert!(near(stage.pos(key).y, 24.0, 0.2), "{:?}", stage.pose(key));
    ticks(&mut stage, key, WalkInput::default(), 0.1);
    assert!(stage.physics.on_ground(key));
}

#[test]
fn water_is_swum_in() {
    let mut rows = vec![""; 4];
    rows.extend(["#~~~~~~~~~#"; 10]);
    rows.push("###########");
    let swim = SwimSpec { speed: 70.0, acceleration: 400.0, sink_speed: 20.0, jump_speed: 220.0 };
    for hz in HZ {
        let mut stage = stage(hz, &rows);
        let key = hero(&mut stage, WalkerSpec { swim: Some(swim.clone()), ..feet() }, [80.0, 100.0]);
        let sinks = ticks(&mut stage, key, WalkInput::default(), 0.5);
        assert!(near(sinks.last().unwrap().vel.y, 20.0, 0.1), "{hz} Hz: {:?}", sinks.last());
        let up = ticks(&mut stage, key, WalkInput { climb: -1.0, ..right() }, 0.3);
        assert!(up.last().unwrap().vel.distance(Vec2::new(70.0, -70.0)) < 1.0, "{hz} Hz: {:?}", up.last());
        let stroke = ticks(&mut stage, key, jump(), 2.0 / hz);
        assert!(stroke[0].vel.y == -220.0 && stage.pose(key).vel.y > -220.0);
        // Up to the surface, where it stays; a stroke from there leaves the water.
        ticks(&mut stage, key, WalkInput { climb: -1.0, ..WalkInput::default() }, 2.0);
        let floats = ticks(&mut stage, key, WalkInput { climb: -1.0, ..WalkInput::default() }, 1.0);
        assert!(floats.iter().all(|pose| near(pose.pos.y, 64.1, 0.1) && pose.vel == Vec2::ZERO), "{hz} Hz: {floats:?}");
        let leap = ticks(&mut stage, key, jump(), 0.3);
        assert!(near(64.0 - top(&leap), 220.0 * 220.0 / 1800.0, 0.5), "{hz} Hz: {}", top(&leap));
        // Down to the ground, where it stands.
        ticks(&mut stage, key, WalkInput { climb: 1.0, ..WalkInput::default() }, 3.0);
        assert!(stage.physics.on_ground(key) && near(stage.pos(key).y, 216.0, 0.2), "{hz} Hz: {:?}", stage.pos(key));
    }
    let mut stage = stage(64.0, &rows);
    let key = hero(&mut stage, feet(), [80.0, 100.0]);
    assert!(ticks(&mut stage, key, WalkInput::default(), 0.3).last().unwrap().vel.y > 200.0, "not without Swim");
}

#[test]
fn belts_carry_and_let_go_with_their_speed() {
    for hz in HZ {
        let mut stage = stage(hz, &["", "", "", "", "", "ccccccccccCCCCCCCCCC"]);
        let key = hero(&mut stage, feet(), [40.0, 72.0]);
        let from = stage.pos(key).x;
        ticks(&mut stage, key, WalkInput::default(), 1.0);
        assert!(near(stage.pos(key).x - from, 60.0, 2.5), "{hz} Hz: {}", stage.pos(key).x - from);
        assert!(near(stage.pose(key).vel.x, 60.0, 0.1));
        // On the other belt it is carried back; walking, it has both speeds.
        let key = hero(&mut stage, feet(), [300.0, 72.0]);
        let poses = ticks(&mut stage, key, right(), 0.3);
        assert!(near(poses.last().unwrap().vel.x, 20.0, 0.1), "{hz} Hz: {:?}", poses.last());
        let off = ticks(&mut stage, key, jump(), 1.0 / hz);
        assert!(off[0].vel.x < 20.0);
    }
}

#[test]
fn a_belt_presses_who_it_carries_against_bodies_that_go_along_or_hold() {
    // Feet that hold take a light crate along; a heavy one, or a wall, stops who stands on the belt.
    for (mass, pushes) in [(Some(0.2), true), (Some(1e6), false), (None, false)] {
        let rows = ["", "", "", "", if mass.is_some() { "" } else { "             #" }, "ccccccccccccc#######"];
        let mut stage = stage(64.0, &rows);
        let hero = hero(&mut stage, feet(), [140.0, 72.0]);
        let cargo = mass.map(|mass| stage.add(&BodySpec { mass, ..crate_of(12.0) }, 214.0, 74.0));
        let from = cargo.map(|cargo| stage.pos(cargo).x);
        let poses = ticks(&mut stage, hero, WalkInput::default(), 1.5);
        let moved = cargo.map_or(0.0, |cargo| stage.pos(cargo).x) - from.unwrap_or(0.0);
        assert_eq!(moved > 5.0, pushes, "{mass:?}: {moved}");
        assert!(pushes || moved.abs() < 0.5, "{mass:?}: {moved}");
        let last = poses.last().unwrap().pos;
        let side = cargo.map_or(208.0, |cargo| stage.pos(cargo).x - 6.0);
        assert!(last.x + 6.0 <= side + 0.1 && last.x > 190.0, "{mass:?}: {last} beside {side}");
        assert!(poses.iter().all(|pose| near(pose.pos.y, last.y, 0.1)), "{mass:?}: it stays on the belt");
    }
}

#[test]
fn the_speed_of_a_platform_is_kept_in_the_air_for_a_moment_after_it_stopped() {
    for (momentum, secs, waits, kept) in
        [(0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 80.0), (1.0, 0.2, 0.1, 80.0), (1.0, 0.2, 0.4, 0.0)]
    {
        let mut stage = stage(60.0, &[]);
        let lift = stage.add(&platform(true), 100.0, 200.0);
        let key = stage.add(
            &BodySpec { walker: Some(WalkerSpec { momentum, momentum_secs: secs, ..feet() }), ..walker() },
            100.0,
            187.5,
        );
        let mut x = 100.0;
        let mut run = |stage: &mut Stage, secs: f32, speed: f32, input: WalkInput| {
            for i in 0..(secs * 60.0).round() as usize {
                x += speed / 60.0;
                stage.physics.set_next_pose(lift, Vec2::new(x, 200.0), 0.0);
                stage.physics.walk(key, if i == 0 { input } else { WalkInput { jump: None, ..input } });
                stage.physics.step();
            }
        };
        run(&mut stage, 1.0, 80.0, WalkInput::default());
        assert!(stage.physics.on_ground(key));
        run(&mut stage, waits, 0.0, WalkInput::default());
        run(&mut stage, 0.4, if waits > 0.0 { 0.0 } else { 80.0 }, jump());
        assert!(near(stage.pose(key).vel.x, kept, 1.0), "{momentum} {secs} {waits}: {:?}", stage.pose(key));
        // Against it, it brakes as always.
        run(&mut stage, 0.2, 0.0, WalkInput { dir: Vec2::NEG_X, ..WalkInput::default() });
        assert!(stage.pose(key).vel.x <= 80.0 - 0.2 * 800.0 * 0.6 + 10.0);
    }
}

#[test]
fn a_jump_in_the_tick_of_a_dash_leaves_the_dash_for_later() {
    let mut stage = stage(64.0, &["", "", "", "", "", "", "", "", "", "", "", "", &"#".repeat(40)]);
    let key = hero(&mut stage, WalkerSpec { dash: Some(dash()), ..feet() }, [40.0, 184.0]);
    let both = WalkInput { jump: Some(300.0), dash: Some(Vec2::X), ..WalkInput::default() };
    let jumped = ticks(&mut stage, key, both, DT);
    assert!(jumped[0].vel.y < -200.0 && jumped[0].vel.x == 0.0, "{jumped:?}");
    let from = stage.pos(key).x;
    let alone = WalkInput { dash: Some(Vec2::X), ..WalkInput::default() };
    let dashed = ticks(&mut stage, key, alone, DT);
    assert_eq!(dashed[0].vel, Vec2::new(240.0, 0.0), "it can still be made, once in the air");
    ticks(&mut stage, key, WalkInput::default(), 9.0 * DT);
    assert!(stage.pos(key).x - from >= 0.15 * 240.0, "{}", stage.pos(key).x - from);
}

#[test]
fn the_own_motion_of_a_walker_makes_its_jump_no_higher() {
    // Running up and down slopes: a jump is as fast as one from standing.
    let cell = |x: usize, y: usize| match x + y {
        30 if y < 22 => '/',
        sum if sum > 30 || y >= 22 => '#',
        _ => ' ',
    };
    let slope: Vec<String> = (0..24).map(|y| (0..30).map(|x| cell(x, y)).collect()).collect();
    let slope: Vec<&str> = slope.iter().map(String::as_str).collect();
    for (hz, dir) in HZ.into_iter().flat_map(|hz| [1.0, -1.0].map(|dir| (hz, dir))) {
        let mut stage = stage(hz, &slope);
        let key = hero(&mut stage, WalkerSpec { speed: 110.0, ..feet() }, [256.0, 209.0]);
        ticks(&mut stage, key, WalkInput::default(), 0.6);
        let run = WalkInput { dir: Vec2::X * dir, ..WalkInput::default() };
        ticks(&mut stage, key, run, 0.3);
        assert!(stage.physics.on_ground(key) && stage.pose(key).vel.y * dir < -50.0, "{:?}", stage.pose(key));
        let start = stage.pos(key).y;
        let poses = ticks(&mut stage, key, WalkInput { jump: Some(300.0), ..run }, 0.3);
        assert!(near(poses[0].vel.y, 900.0 / hz - 300.0, 0.1), "{hz} Hz, {dir}: {:?}", poses[0]);
        let rises: Vec<Pose> = poses.iter().take_while(|pose| pose.vel.y < 0.0).copied().collect();
        assert!(start - top(&rises) <= 50.1, "{hz} Hz, {dir}: {}", start - top(&rises));
    }
    // Dashes upward: with a jump right after, within the time in which one is still possible, or later.
    for (hz, wait) in HZ.into_iter().flat_map(|hz| [1.0, 2.0, 4.0].map(|wait| (hz, wait))) {
        let mut stage = stage(hz, &["", "", "", "", "", "", "", "", "", "", "", "", "", "", "########"]);
        let spec = WalkerSpec { dash: Some(DashSpec { speed: 400.0, ..dash() }), ..feet() };
        let key = hero(&mut stage, spec, [40.0, 216.0]);
        let dashed = ticks(&mut stage, key, WalkInput { dash: Some(Vec2::NEG_Y), ..WalkInput::default() }, wait / hz);
        assert_eq!(dashed[0].vel, Vec2::new(0.0, -400.0));
        let before = stage.pose(key);
        let jumped = ticks(&mut stage, key, jump(), 0.4);
        if wait / hz < 0.07 {
            assert!(near(jumped[0].vel.y, 900.0 / hz - 300.0, 0.1), "{hz} Hz after {wait}: {:?}", jumped[0]);
            assert!(near(before.pos.y - top(&jumped), 50.0, 1.0), "{hz} Hz: {}", before.pos.y - top(&jumped));
        }
        assert!(jumped.iter().all(|pose| pose.vel.y >= -400.0));
    }
}

#[test]
fn a_jump_has_the_speed_of_the_platform_besides_its_own() {
    // At once, and a moment after it walked off its edge.
    for (rise, wait) in [(80.0, 0.0), (-80.0, 0.0), (80.0, 0.05)] {
        let mut stage = stage(60.0, &[]);
        let lift = stage.add(&platform(true), 100.0, 200.0);
        let key = stage.add(&walker(), 118.0, 187.5);
        let mut y = 200.0;
        let mut run = |stage: &mut Stage, input: WalkInput| {
            y -= rise / 60.0;
            stage.physics.set_next_pose(lift, Vec2::new(100.0, y), 0.0);
            stage.physics.walk(key, input);
            stage.physics.step();
        };
        for _ in 0..20 {
            run(&mut stage, WalkInput::default());
        }
        assert!(stage.physics.on_ground(key));
        if wait > 0.0 {
            while stage.physics.on_ground(key) {
                run(&mut stage, right());
            }
            run(&mut stage, right());
        }
        let given = stage.pose(key).vel.y.min(0.0);
        assert_eq!(given < 0.0, rise > 0.0);
        run(&mut stage, jump());
        assert!(
            near(stage.pose(key).vel.y, given - 300.0 + 900.0 / 60.0, 0.1),
            "{rise}, {wait}: {:?}",
            stage.pose(key)
        );
    }
}

#[test]
fn who_is_as_wide_as_the_gap_jumps_past_corners_above_that_only_its_skin_meets() {
    // Blocks from x = 64 on, and to the left of x = 48, two cells above the ground; a walker 16 wide between.
    for row in ["###", "    ####", "### ####"] {
        for shape in [Shape::Circle(8.0), Shape::Box([16.0, 16.0]), Shape::Capsule { radius: 8.0, height: 20.0 }] {
            for (hz, off) in HZ.into_iter().flat_map(|hz| [-1.0, -0.5, 0.0, 0.5, 1.0].map(|off| (hz, off / 32.0))) {
                let mut stage = stage(hz, &["", "", "", row, "", "", "", "########"]);
                let height = if let Shape::Capsule { .. } = shape { 20.0 } else { 16.0 };
                let spec = BodySpec { walker: Some(feet()), ..BodySpec::dynamic(shape.clone()) };
                let key = stage.add(&spec, 56.0 + off, 112.0 - height / 2.0);
                stage.steps(4);
                let from = stage.pos(key).y;
                let poses = ticks(&mut stage, key, WalkInput { jump: Some(400.0), ..WalkInput::default() }, 0.5);
                let rise = from - top(&poses);
                assert!(near(rise, 400.0 * 400.0 / 1800.0, 2.0), "{shape:?}, {row:?}, {hz} Hz, {off}: {rise}");
                assert!(poses.iter().all(|pose| near(pose.pos.x, 56.0, 0.1)), "{shape:?}, {row:?}, {hz} Hz, {off}");
            }
        }
    }
}
