//! Bodies that no one steers: falling, bouncing, sliding, rolling, resting.

use super::*;

// ---- worked examples

#[test]
fn free_fall_is_symplectic() {
    let config = PhysicsConfig { gravity_px_s2: 10.0, dt_secs: 0.1, ..platformer() };
    for pixels_per_meter in [1.0, 16.0, 100.0] {
        let mut stage = Stage::with(&[], PhysicsConfig { pixels_per_meter, ..config.clone() });
        let falling = stage.add(&ball(4.0), 0.0, 0.0);
        stage.steps(10);
        assert!(near(stage.pos(falling).y, 5.5, 1e-4), "{:?}", stage.pos(falling));
        assert!(near(stage.pose(falling).vel.y, 10.0, 1e-4));
    }
}

#[test]
fn two_masses_share_their_impulse() {
    let config = PhysicsConfig { gravity_px_s2: 0.0, ..platformer() };
    for shape in [Shape::Circle(8.0), Shape::Box([16.0, 16.0])] {
        let mut stage = Stage::with(&[], config.clone());
        let body = |mass: f32, restitution: f32| {
            surface(BodySpec { mass, ..BodySpec::dynamic(shape.clone()) }, 0.0, restitution)
        };
        let a = stage.add(&BodySpec { velocity: Vec2::new(4.0, 0.0), ..body(1.0, 0.25) }, 0.0, 0.0);
        let b = stage.add(&body(3.0, 1.0), 18.0, 0.0);
        stage.steps(192);
        let (va, vb) = (stage.pose(a).vel.x, stage.pose(b).vel.x);
        assert!(near(va, -0.5, 0.01) && near(vb, 1.5, 0.01), "{shape:?}: {va} {vb}");
    }
}

#[test]
fn a_static_partner_has_infinite_mass_and_parting_bodies_are_left_alone() {
    let config = PhysicsConfig { gravity_px_s2: 0.0, ..platformer() };
    let mut stage = Stage::with(&[], config);
    let wall = surface(BodySpec::fixed(Shape::Box([16.0, 64.0])), 0.0, 1.0);
    let wall = stage.add(&wall, 30.0, 0.0);
    let moving = BodySpec { velocity: Vec2::new(60.0, 0.0), ..surface(ball(8.0), 0.0, 0.25) };
    let a = stage.add(&moving, 0.0, 0.0);
    let parting = BodySpec { velocity: Vec2::new(0.0, -60.0), ..surface(ball(8.0), 0.0, 1.0) };
    let b = stage.add(&parting, 30.0, -40.0);
    let contacts = stage.steps(64);
    assert!(near(stage.pose(a).vel.x, -30.0, 0.3), "{:?}", stage.pose(a));
    assert!(near(stage.pose(b).vel.y, -60.0, 0.01));
    assert_eq!(stage.pos(wall), Vec2::new(30.0, 0.0));
    let begins: Vec<_> = contacts.iter().filter(|contact| contact.began).collect();
    assert_eq!(begins.len(), 1, "{contacts:?}");
    let contact = begins[0];
    assert_eq!((contact.a, &contact.b), (wall, &Other::Entity(a)));
    assert!(near(contact.speed, 60.0, 0.1) && contact.normal.abs_diff_eq(Vec2::X, 1e-3), "{contact:?}");
}

#[test]
fn a_box_slides_over_seams_without_catching() {
    let rows = flat(100);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    for spec in [crate_of(16.0), crate_of(12.0), BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 16.0 })] {
        let mut stage = Stage::new(&rows);
        let half = spec.collider.as_ref().unwrap().parts[0].convex.aabb().hi.y;
        let spec = BodySpec { velocity: Vec2::new(300.0, 0.0), ..surface(spec, 0.0, 0.0) };
        let slider = stage.add(&spec, 40.0, 128.0 - half);
        for _ in 0..(1000.0 / 300.0 / DT) as usize {
            stage.physics.step();
            let Pose { pos, vel, .. } = stage.pose(slider);
            assert!(near(pos.y, 128.0 - half, 0.5), "{pos}");
            assert!(near(vel.x, 300.0, 1.0), "{vel} at {pos}");
        }
        assert!(stage.pos(slider).x > 1030.0);
    }
}

#[test]
fn nothing_catches_on_ground_of_smaller_and_larger_tiles() {
    for (px, top) in [([8, 8], 15), ([4, 4], 31), ([12, 12], 10), ([32, 32], 4), ([24, 8], 15)] {
        let floor = "#".repeat(1600 / px[0] as usize);
        let rows: Vec<&str> = (0..top + 3).map(|y| if y < top { "" } else { floor.as_str() }).collect();
        let ground = (px[1] * top) as f32;
        let mut stage = Stage::of_cells(Some(px), &rows, platformer());
        let spec = BodySpec { velocity: Vec2::new(300.0, 0.0), ..surface(crate_of(12.0), 0.0, 0.0) };
        let slider = stage.add(&spec, 40.0, ground - 6.0);
        let hero = stage.add(&walker(), 600.0, ground - 9.0);
        stage.steps(4);
        let before = stage.pos(hero);
        for _ in 0..(500.0 / 300.0 / DT) as usize {
            stage.physics.walk(hero, right());
            stage.physics.step();
            let Pose { pos, vel, .. } = stage.pose(slider);
            assert!(near(pos.y, ground - 6.0, 0.5) && near(vel.x, 300.0, 1.0), "{px:?}: {vel} at {pos}");
            assert!(near(stage.pos(hero).y, before.y, 0.6), "{px:?}: {before} {}", stage.pos(hero));
        }
        assert!(stage.pos(hero).x > before.x + 110.0, "{px:?}");
    }
}

#[test]
fn a_ball_rolls_down_a_slope_onto_the_flat() {
    let mut stage = Stage::new(&[
        "\\",
        "#\\",
        "##\\                                        #",
        "###########################################",
    ]);
    let roller = stage.add(&surface(ball(6.0), 0.6, 0.0), 12.0, -4.0);
    let mut fastest = 0.0_f32;
    stage.steps(24);
    for _ in 0..66 {
        stage.physics.step();
        let Pose { pos, vel, .. } = stage.pose(roller);
        assert!(vel.x > fastest - 5.0, "it caught at {pos}: {vel} after {fastest}");
        fastest = fastest.max(vel.x);
    }
    assert!(fastest > 120.0 && stage.pos(roller).x > 60.0, "{fastest} {:?}", stage.pos(roller));
}

#[test]
fn friction_is_each_tiles_own() {
    let rows = ["", "", "############################", "iiiiiiiiiiiiiiiiiiiiiiiiiiii"];
    let slide = |rows: &[&str], y: f32| {
        let mut stage = Stage::new(rows);
        let slider = stage.add(&BodySpec { velocity: Vec2::new(100.0, 0.0), ..crate_of(16.0) }, 20.0, y);
        stage.steps(96);
        stage.pose(slider).vel.x
    };
    assert!(slide(&rows[..3], 24.0) < 1.0, "stone stops it");
    assert!(slide(&["", "", rows[3]], 24.0) > 95.0, "ice does not");
}

#[test]
fn ledges_let_bodies_through_from_below_and_hold_them_from_above() {
    let mut stage = Stage::new(&["", "", "", "", "------", "", "", "", "######"]);
    let thrown = BodySpec { velocity: Vec2::new(0.0, -420.0), ..crate_of(10.0) };
    let thrown = stage.add(&thrown, 40.0, 120.0);
    let mut highest = f32::INFINITY;
    for _ in 0..128 {
        stage.physics.step();
        highest = highest.min(stage.pos(thrown).y);
    }
    assert!(highest < 40.0, "{highest}");
    assert!(near(stage.pos(thrown).y, 59.0, 1.0), "{:?}", stage.pos(thrown));
}

#[test]
fn what_flies_up_through_ledges_is_not_held_back_by_them() {
    let mut shelf = BodySpec::fixed(Shape::Box([96.0, 4.0]));
    shelf.collider.as_mut().unwrap().one_way = true;
    let flown = |rows: &[&str], shelves: &[f32], shape: &Shape, speed: f32, spin: f32| {
        let mut stage = Stage::new(rows);
        for y in shelves {
            stage.add(&shelf, 48.0, *y);
        }
        let spec = BodySpec { velocity: Vec2::new(0.0, -speed), spin, ..BodySpec::dynamic(shape.clone()) };
        let key = stage.add(&spec, 40.0, 250.0);
        stage.steps(14);
        stage.pose(key)
    };
    let with = ["", "", "", "", "------", "", "------", "", "", "------", "", "", "------"];
    for shape in [Shape::Circle(5.0), Shape::Box([10.0, 10.0]), Shape::Box([6.0, 14.0])] {
        for (i, speed) in (0_u8..).zip([300.0, 600.0, 900.0, 1400.0, 2000.0]) {
            let spin = f32::from(i) * 3.0;
            let free = flown(&[], &[], &shape, speed, spin);
            assert_eq!(flown(&with, &[], &shape, speed, spin), free, "tiles: {shape:?} at {speed} px/s");
            let shelves = [66.0, 98.0, 146.0, 194.0];
            assert_eq!(flown(&[], &shelves, &shape, speed, spin), free, "bodies: {shape:?} at {speed} px/s");
        }
    }
}

#[test]
fn digging_a_tile_away_drops_what_rests_on_it() {
    let mut stage = Stage::new(&["", "", "###", "", "", "###"]);
    let resting = stage.add(&crate_of(12.0), 24.0, 26.0);
    stage.steps(256);
    assert!(near(stage.pos(resting).y, 26.0, 0.5));
    (0..3).for_each(|x| stage.set_tile([x, 2], Tile::EMPTY));
    stage.steps(128);
    assert!(near(stage.pos(resting).y, 74.0, 0.5), "{:?}", stage.pos(resting));
}

#[test]
fn a_crate_comes_to_rest_and_a_pile_stays() {
    let mut stage = Stage::new(&["", "", "", "", "", "", "", "##########"]);
    let pile: Vec<_> = (0..6_u8).map(|i| stage.add(&crate_of(14.0), 80.0, 105.0 - f32::from(i) * 14.5)).collect();
    stage.steps(320);
    let before: Vec<_> = pile.iter().map(|key| stage.pos(*key)).collect();
    assert!(pile.iter().all(|key| stage.physics.is_sleeping(*key)));
    stage.steps(320);
    for (key, before) in pile.iter().zip(before) {
        assert!(stage.pos(*key).distance(before) < 0.1 && near(before.x, 80.0, 0.5), "{before}");
    }
}

#[test]
fn fast_bodies_do_not_tunnel_and_buried_ones_stay_put() {
    for (speed, bullet) in [(600.0, false), (1500.0, false), (4000.0, true)] {
        let mut stage = Stage::with(&["#                  #"], PhysicsConfig { gravity_px_s2: 0.0, ..platformer() });
        let shot = BodySpec { velocity: Vec2::new(speed, 0.0), bullet, ..surface(ball(2.0), 0.0, 0.0) };
        let shot = stage.add(&shot, 40.0, 8.0);
        let contacts = stage.steps(64);
        assert!(stage.pos(shot).x < 304.0, "{speed}: {:?}", stage.pos(shot));
        let hits: Vec<_> = contacts.iter().filter(|contact| contact.began).collect();
        assert!(hits.len() == 1 && near(hits[0].speed, speed, speed * 0.02), "{speed}: {hits:?}");
        assert_eq!(hits[0].b, Other::Tile { cell: [19, 0], name: "#".into() });
    }
    // Too far from the surface to be moved out.
    let mut stage = Stage::new(&["########################"; 14]);
    let buried = stage.add(&crate_of(8.0), 190.0, 112.0);
    stage.steps(64);
    assert_eq!(stage.pos(buried), Vec2::new(190.0, 112.0));
}

#[test]
fn another_gravity_wakes_what_rests() {
    let mut stage = Stage::new(&["", "", "", "######"]);
    let resting = stage.add(&crate_of(12.0), 50.0, 42.0);
    stage.steps(128);
    assert!(stage.physics.is_sleeping(resting), "{:?}", stage.pose(resting));
    let with = |gravity_px_s2| PhysicsConfig { gravity_px_s2, ..platformer() };
    stage.physics.set_config(with(-900.0));
    stage.steps(16);
    assert!(stage.pos(resting).y < 35.0, "it falls up: {}", stage.pos(resting));
    // What came to rest in the air falls again.
    stage.physics.set_config(with(0.0));
    stage.physics.set_velocity(resting, Vec2::ZERO);
    let there = stage.pos(resting).y;
    stage.steps(128);
    assert!(stage.physics.is_sleeping(resting) && near(stage.pos(resting).y, there, 0.1));
    stage.physics.set_config(with(900.0));
    stage.steps(16);
    assert!(stage.pos(resting).y > there + 5.0, "it falls: {}", stage.pos(resting));
    // Any other constant leaves it alone.
    stage.steps(256);
    stage.physics.set_config(PhysicsConfig { crush_depth: 4.0, ..platformer() });
    assert!(stage.physics.is_sleeping(resting));
}

#[test]
fn what_is_in_the_air_falls_however_soon_bodies_rest() {
    let solver = SolverConfig { sleep_secs: 0.0, ..platformer().solver };
    let rows = flat(20);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut stage = Stage::with(&rows, PhysicsConfig { solver, ..platformer() });
    let key = stage.add(&crate_of(8.0), 100.0, 40.0);
    stage.steps(64);
    assert!(stage.pos(key).y > 100.0, "{}", stage.pos(key));
}

#[test]
fn bodies_are_as_fast_as_the_limit_allows() {
    let mut stage = Stage::with(&[], PhysicsConfig { gravity_px_s2: 0.0, ..platformer() });
    for speed in [20_000.0, 60_000.0] {
        let key = stage.add(&BodySpec { velocity: Vec2::new(speed, 0.0), ..crate_of(10.0) }, 0.0, speed);
        stage.steps(64);
        assert!(near(stage.pos(key).x, speed, 1.0), "{}", stage.pos(key));
    }
}
