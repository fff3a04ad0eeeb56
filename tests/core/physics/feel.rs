//! What a walker feels like: its numbers, one by one, in ticks of different lengths.

use super::*;

const HZ: [f32; 4] = [30.0, 60.0, 64.0, 120.0];

/// A stage of a wide floor, a walker of this spec standing on it, in ticks of this length.
fn on_floor(hz: f32, spec: WalkerSpec) -> (Stage, EntityKey) {
    let rows: Vec<String> = (0..24).map(|y| if y < 22 { String::new() } else { "#".repeat(80) }).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut stage = Stage::with(&rows, PhysicsConfig { dt_secs: 1.0 / hz, ..platformer() });
    let hero = stage.add(&BodySpec { walker: Some(spec), ..walker() }, 200.0, 22.0 * 16.0 - 8.0);
    stage.steps(4);
    assert!(stage.physics.on_ground(hero));
    (stage, hero)
}

/// A jump whose key is held so long: how high it goes, and how long it takes to land.
fn jumped(hz: f32, spec: &WalkerSpec, held_secs: f32) -> (f32, f32) {
    let (mut stage, hero) = on_floor(hz, spec.clone());
    let from = stage.pos(hero).y;
    let (mut top, mut tick) = (from, 0.0_f32);
    loop {
        let released = tick / hz >= held_secs;
        let jump = (tick == 0.0).then_some(spec.jump_speed);
        stage.physics.walk(hero, WalkInput { jump, released, ..WalkInput::default() });
        stage.physics.step();
        assert_eq!(stage.physics.has_jumped(hero), tick == 0.0);
        tick += 1.0;
        top = top.min(stage.pos(hero).y);
        if stage.physics.on_ground(hero) {
            return (from - top, tick / hz);
        }
        assert!(tick / hz < 5.0, "it does not land");
    }
}

#[test]
fn gravity_by_rule_gives_the_same_jump_at_any_tick_length() {
    // Speed, fall factor, apex speed and factor, fastest fall; height and time by hand.
    let g = 900.0_f32;
    let cases = [
        (feet(), 50.0, 300.0 / g + (2.0 * 50.0 / g).sqrt()),
        (WalkerSpec { fall_gravity: 1.6, ..feet() }, 50.0, 300.0 / g + (2.0 * 50.0 / (g * 1.6)).sqrt()),
        // Up to 60 px/s at full, then half: 48 + 4 px; 240/900 + 60/450 s.
        (WalkerSpec { apex_speed: 60.0, apex_gravity: 0.5, ..feet() }, 52.0, 2.0 * (240.0 / g + 60.0 / (g * 0.5))),
        // Falls 5 px to 100 px/s... 100²/1800 = 5.56 px, the rest at that speed.
        (
            WalkerSpec { max_fall_speed: 100.0, ..feet() },
            50.0,
            300.0 / g + 100.0 / g + (50.0 - 100.0 * 100.0 / (2.0 * g)) / 100.0,
        ),
    ];
    for (spec, height, secs) in cases {
        let fall = spec.fall(g, true);
        assert!(near(fall.height(300.0), height, 1e-3), "{} {height}", fall.height(300.0));
        for hz in HZ {
            let (top, time) = jumped(hz, &spec, 9.0);
            // The highest tick is up to half a tick from the top.
            assert!(near(top, height, g / 2.0 * (0.5 / hz) * (0.5 / hz) + 0.1), "{hz} Hz, {spec:?}: {top} {height}");
            assert!(near(time, secs, 1.5 / hz), "{hz} Hz, {spec:?}: {time} {secs}");
        }
    }
}

#[test]
fn a_planner_that_adds_up_ticks_is_where_the_mover_is() {
    let spec = WalkerSpec {
        fall_gravity: 1.5,
        max_fall_speed: 260.0,
        apex_speed: 50.0,
        apex_gravity: 0.5,
        braking: 2.0,
        turning: 3.0,
        ..feet()
    };
    for hz in HZ {
        let dt = 1.0 / hz;
        let (mut stage, hero) = on_floor(hz, spec.clone());
        let (mut at, mut vel) = (stage.pos(hero), Vec2::new(0.0, -300.0));
        let fall = spec.fall(900.0, true);
        for tick in 0_u8..40 {
            let dir = [1.0, 1.0, -1.0, 0.0][usize::from(tick / 8) % 4];
            let jump = (tick == 0).then_some(300.0);
            stage.physics.walk(hero, WalkInput { dir: Vec2::X * dir, jump, ..WalkInput::default() });
            stage.physics.step();
            if tick > 2 && stage.physics.on_ground(hero) {
                break;
            }
            let run = vel.x + spec.speed_up(vel.x, dir * spec.speed, false, dt);
            let (down, way) = fall.tick(vel.y, dt);
            at += Vec2::new(f32::midpoint(vel.x, run) * dt, way);
            vel = Vec2::new(run, down);
            assert!(stage.pos(hero).distance(at) < 0.05, "{hz} Hz, tick {tick}: {} {at}", stage.pos(hero));
            assert!(stage.pose(hero).vel.distance(vel) < 0.01);
        }
        let secs = fall.rise_secs(300.0);
        let mut rising = 0.0;
        let (mut speed, mut up) = (-300.0, 0.0);
        while speed < -1e-3 {
            let (next, way) = fall.tick(speed, dt);
            (speed, up, rising) = (next, up - way, rising + dt);
        }
        assert!(near(rising, secs, dt) && near(up, fall.height(300.0), 0.5), "{hz} Hz: {rising} {secs}, {up}");
    }
}

#[test]
fn a_jump_whose_key_is_let_go_is_cut() {
    let spec = WalkerSpec { jump_cut: 0.4, apex_speed: 60.0, apex_gravity: 0.5, ..feet() };
    // How long held, the height: what was covered at full speed, then 0.4 of the speed left, without the time near the
    // top.
    for (held, height) in [(0.1_f32, None), (0.2, None), (9.0, Some(52.0))] {
        let height = height.unwrap_or_else(|| {
            let (rise, left) = (300.0 * held - 450.0 * held * held, (300.0 - 900.0 * held) * 0.4);
            rise + left * left / 1800.0
        });
        for hz in [30.0, 60.0, 120.0] {
            let (top, _) = jumped(hz, &spec, held);
            assert!(near(top, height, 1.0), "{hz} Hz, held for {held} s: {top}, not {height}");
        }
    }
    // Without the field every jump is a full one.
    assert!(near(jumped(64.0, &feet(), 0.05).0, 50.0, 0.1));
    // What throws it up beside the jump is not cut.
    let (mut stage, hero) = on_floor(64.0, spec);
    stage.physics.set_velocity(hero, Vec2::new(0.0, -300.0));
    let (_, poses) = stage.walk(hero, WalkInput { released: true, ..WalkInput::default() }, 0.33);
    assert!(near(200.0, poses.last().unwrap().pos.x, 0.1) && near(344.0 - poses.last().unwrap().pos.y, 50.0, 0.5));
}

#[test]
fn braking_and_turning_are_of_their_own() {
    let spec = WalkerSpec { acceleration: 800.0, braking: 2.0, turning: 4.0, ..feet() };
    for hz in HZ {
        let (mut stage, hero) = on_floor(hz, spec.clone());
        let until = |stage: &mut Stage, dir: f32, speed: f32| {
            for tick in 1..100_u8 {
                stage.physics.walk(hero, WalkInput { dir: Vec2::X * dir, ..WalkInput::default() });
                stage.physics.step();
                if near(stage.pose(hero).vel.x, speed, 0.01) {
                    return f32::from(tick) / hz;
                }
            }
            panic!("never {speed}")
        };
        let within = 1.01 / hz;
        assert!(near(until(&mut stage, 1.0, 80.0), 0.1, within), "{hz} Hz");
        assert!(near(until(&mut stage, 0.0, 0.0), 0.05, within), "{hz} Hz");
        assert!(near(until(&mut stage, 1.0, 80.0), 0.1, within), "{hz} Hz");
        // 0.025 s to rest, 0.1 s up to speed.
        assert!(near(until(&mut stage, -1.0, -80.0), 0.125, within), "{hz} Hz");
    }
}
