//! Ground of all kinds of tiles is one ground: nothing catches, turns or hops where they meet. And stacks, which rest.

use std::collections::BTreeMap;

use levelwright::sim::physics::PartSpec;

use super::*;
use crate::cases::{Case, one_in, seeds};

/// Kinds of tiles with a level top, as letters; the last two are belts, which carry what has friction.
const KINDS: [char; 11] = ['#', '-', 'v', 'T', 't', 'w', 'i', 'L', 'E', 'c', 'C'];

/// A level floor of so many random kinds, and more random numbers.
fn floor(seed: u64, n_kinds: u64) -> (String, impl FnMut() -> u64) {
    let mut state = seed.wrapping_mul(0x9e37_79b9);
    let mut next = move || {
        state = levelwright::model::mix(state);
        state
    };
    // Across a border of chunks.
    let row = (0..60).map(|_| KINDS[(next() % n_kinds) as usize]).collect();
    (row, next)
}

#[test]
fn nothing_catches_turns_or_hops_on_floors_of_all_kinds_of_tiles() {
    let upright = BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 16.0 });
    let bodies = [
        ("box", BodySpec { lock_rotation: true, ..crate_of(12.0) }, 0.0),
        ("crate", crate_of(12.0), 0.0),
        ("ball", ball(6.0), 0.6),
        ("capsule", BodySpec { lock_rotation: true, ..upright }, 0.0),
    ];
    for seed in seeds(1000) {
        let _case = Case::new(seed);
        let (name, spec, friction) = &bodies[(seed % 4) as usize];
        let (row, mut random) = floor(seed, if *friction > 0.0 { 9 } else { 11 });
        let mut stage = Stage::new(&["", "", "", "", row.as_str()]);
        let speed = 30.0 + (random() % 371) as f32;
        let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..surface(spec.clone(), *friction, 0.0) };
        let height = 64.0 - spec.collider.as_ref().unwrap().parts[0].convex.aabb().hi.y;
        let body = stage.add(&spec, 40.0, height);
        for tick in 0..320 {
            let before = stage.pose(body);
            stage.steps(1);
            let Pose { pos, angle, vel, .. } = stage.pose(body);
            let why = || format!("{name} of {speed} px/s in tick {tick} at {pos}, {vel} on {row}");
            if pos.x > 940.0 {
                break;
            }
            assert!(near(pos.y, height, 0.35), "hops: {}", why());
            assert!(near(vel.y, 0.0, 15.0), "shakes: {}", why());
            // A ball slides until it rolls.
            let least = if *name == "ball" { 0.6 * speed } else { speed - 0.5 };
            let most = if *name == "ball" { 20.0 } else { 1.0 };
            assert!(vel.x > least && near(vel.x, before.vel.x, most), "catches: {}", why());
            // In the first tick it touches nothing yet.
            let moved = pos.x - before.pos.x;
            assert!(tick == 0 || near(moved, vel.x * DT, most * 0.35), "loses way, {moved} px: {}", why());
            assert!(*name == "ball" || angle.abs() < 0.02, "turns: {}", why());
        }
        assert!(stage.pos(body).x > 40.0 + 0.6 * speed * 4.9 || stage.pos(body).x > 940.0, "{name} stopped: {row}");
    }
}

#[test]
fn fast_boxes_lose_no_way_at_seams_of_tiles() {
    // Borders of chunks alone, then a seam at every tile.
    for row in ["#".repeat(120), "#-".repeat(60), "#i".repeat(60), "-".repeat(120)] {
        for size in [8.0, 12.0, 15.0, 24.0] {
            for speed in [150.0, 200.0, 250.0, 300.0, 400.0] {
                let mut stage = Stage::new(&["", "", "", "", &row]);
                let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..surface(crate_of(size), 0.0, 0.0) };
                let body = stage.add(&spec, 40.0, 64.0 - size as f32 / 2.0);
                stage.steps(1);
                for tick in 1..240 {
                    let before = stage.pos(body).x;
                    stage.steps(1);
                    let (moved, at) = (stage.pos(body).x - before, stage.pos(body));
                    assert!(near(moved, speed * DT, 0.05), "{size} px, {speed} px/s, tick {tick} at {at}: {moved} px");
                }
            }
        }
    }
}

#[test]
fn a_plain_floor_of_two_chunks_turns_nobody() {
    let mut rows = vec![String::new(); 61];
    rows[60] = "#".repeat(64);
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let polygon = [[-4.0, 7.0], [4.0, 7.0], [8.0, 0.0], [4.0, -7.0], [-4.0, -7.0], [-8.0, 0.0]];
    let shapes = [(Shape::Box([30.0, 8.0]), 4.0), (Shape::Polygon(polygon.to_vec()), 7.0)];
    // The first was stopped where its end left the edge of the right chunk: the contact had the normal of the floor's end.
    let places = [592.298_06, 591.7, 594.43, 597.16, 589.91, 596.02];
    let floor = Stage::with(&rows, PhysicsConfig { dt_secs: 1.0 / 120.0, ..platformer() });
    for ((shape, above), x) in shapes.iter().flat_map(|shape| places.map(|x| (shape, x))) {
        for speed in [-200.0, -300.0, -400.0] {
            let mut stage = floor.clone();
            let spec = surface(BodySpec::dynamic(shape.clone()), 0.05, 0.0);
            let loose = BodySpec { velocity: Vec2::new(speed, 0.0), mass: 8.0, ..spec };
            let body = stage.add(&loose, x, 960.0 - above);
            for _ in 0..144 {
                stage.physics.step();
                let angle = stage.pose(body).angle.to_degrees();
                assert!(angle.abs() < 0.5, "{shape:?} from {x} at {speed} px/s: {angle} at {}", stage.pos(body));
            }
        }
    }
}

#[test]
fn boxes_that_land_on_seams_of_tiles_neither_turn_nor_hop() {
    let floors = ["#", "###-", "##-", "#-", "###c", "#C", "###i", "#t"];
    let floors = floors.map(|kinds| (kinds, Stage::new(&["", "", "", "", kinds.repeat(60 / kinds.len()).as_str()])));
    for (size, friction) in [(8.0, 0.0), (15.0, 0.0), (12.0, 0.3), (15.0, 0.3), (8.0, 0.7), (12.0, 0.7)] {
        for (drop, speed) in
            [2.0, 10.0, 30.0].into_iter().flat_map(|drop| [60.0, 100.0, 200.0, 400.0].map(|v| (drop, v)))
        {
            let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..surface(crate_of(size), friction, 0.0) };
            let places = (0_u16..5).map(|i| 30.0 + 13.7 * f32::from(i));
            let all = floors.iter().flat_map(|floor| places.clone().map(move |x| (floor, x)));
            for ((kinds, floor), x) in one_in(3, all) {
                let mut stage = floor.clone();
                let at_rest = 64.0 - size as f32 / 2.0;
                let body = stage.add(&spec, x, at_rest - drop);
                let (mut turned, mut hop, mut has_landed) = (0.0_f32, 0.0_f32, false);
                for _ in 0..64 {
                    stage.steps(1);
                    let pose = stage.pose(body);
                    turned = turned.max(pose.angle.to_degrees().abs());
                    has_landed |= pose.pos.y > at_rest - 0.1;
                    hop = hop.max(if has_landed { at_rest - pose.pos.y } else { 0.0 });
                }
                let what = format!("{size} px, friction {friction}, {speed} px/s, from {x} by {drop} on {kinds}");
                assert!(has_landed && turned < 2.0 && hop < 0.2, "turns by {turned}, hops by {hop}: {what}");
            }
        }
    }
}

#[test]
fn boxes_that_slide_over_a_row_of_loose_crates_neither_catch_nor_turn() {
    for (mass, friction) in [(8.0, 0.0), (40.0, 0.0), (8.0, 0.3), (40.0, 0.3)] {
        for speed in [60.0, 100.0, 150.0, 200.0, 300.0, 400.0] {
            let mut stage = Stage::new(&["", "", "", "", "", "", &"#".repeat(16)]);
            let crates = BodySpec { mass, ..surface(crate_of(16.0), 0.5, 0.0) };
            let row: Vec<_> = (0..10).map(|i| stage.add(&crates, 40.0 + 16.0 * i as f32, 88.0)).collect();
            stage.steps(32);
            let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..surface(crate_of(16.0), friction, 0.0) };
            let body = stage.add(&spec, 44.0, 72.0);
            let why = |pose: Pose| format!("{speed} px/s, friction {friction}, on {mass} kg: {pose:?}");
            let mut ticks = 0;
            while ticks < 90 && stage.pos(body).x < 180.0 {
                stage.steps(1);
                ticks += 1;
                let pose = stage.pose(body);
                assert!(pose.angle.abs() < 2.0_f32.to_radians() && near(pose.pos.y, 72.0, 0.5), "{}", why(pose));
            }
            // What friction stops slides as far as it does on one crate.
            let slowing = (friction * 0.5_f32).sqrt() * 980.0;
            let secs = (ticks as f32 * DT).min(speed / slowing);
            let way = (speed - slowing * secs / 2.0) * secs;
            let pose = stage.pose(body);
            assert!(pose.pos.x - 44.0 > 0.9 * way - 2.0, "{way} px: {}", why(pose));
            let at = |i: usize| Vec2::new(40.0 + 16.0 * i as f32, 88.0);
            assert!((0..10).all(|i| stage.pos(row[i]).distance(at(i)) < 1.0), "the row moves: {}", why(pose));
        }
    }
}

/// Crates put down at the middles of cells are a pixel apart, and a lift has some clearance.
#[test]
fn boxes_slide_over_gaps_that_they_are_much_wider_than() {
    let loose = BodySpec { mass: 40.0, ..surface(crate_of(16.0), 0.5, 0.0) };
    let fixed = surface(BodySpec::fixed(Shape::Box([16.0, 16.0])), 0.0, 0.0);
    let bases =
        [("loose", loose), ("static", fixed.clone()), ("kinematic", BodySpec { kind: BodyKind::Kinematic, ..fixed })];
    for (name, base) in bases {
        for (gap, size) in [(0.4, 12.0), (1.0, 12.0), (1.0, 15.0), (2.0, 14.0), (3.0, 16.0)] {
            for (speed, friction) in [(60.0, 0.0), (100.0, 0.0), (200.0, 0.0), (200.0, 0.3), (400.0, 0.0)] {
                let mut stage = Stage::new(&["", "", "", "", "", "", &"#".repeat(16)]);
                (0..10).for_each(|i| _ = stage.add(&base, 40.0 + (16.0 + gap) * i as f32, 88.0));
                stage.steps(32);
                let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..surface(crate_of(size), friction, 0.0) };
                let at_rest = 80.0 - size as f32 / 2.0;
                let body = stage.add(&spec, 44.0, at_rest);
                let mut ticks = 0;
                while ticks < 90 && stage.pos(body).x < 180.0 {
                    let before = stage.pose(body).vel.x;
                    stage.steps(1);
                    ticks += 1;
                    let pose = stage.pose(body);
                    let why =
                        || format!("{name}, {gap} px, box of {size} px, {speed} px/s, friction {friction}: {pose:?}");
                    assert!(pose.vel.x > before - 20.0, "from {before} px/s: {}", why());
                    assert!(pose.angle.abs() < 3.0_f32.to_radians() && near(pose.pos.y, at_rest, 0.5), "{}", why());
                }
                assert!(
                    friction > 0.0 || stage.pos(body).x > 44.0 + 0.8 * speed * ticks as f32 * DT,
                    "{name}, {gap} px, {speed}"
                );
            }
        }
    }
}

/// Let a ball roll from one place to another, or for so many ticks: it stays at its height, but for so many pixels, and
/// keeps this share of its speed.
fn roll(
    stage: &mut Stage,
    (radius, speed): (f64, f32),
    (from, to, n_ticks): (f32, f32, usize),
    (hop, share): (f32, f32),
    case: &str,
) {
    let rolls = BodySpec { velocity: Vec2::new(speed, 0.0), spin: speed / radius as f32, ..ball(radius) };
    let height = 64.0 - radius as f32;
    let body = stage.add(&rolls, from, height);
    let mut ticks = 0;
    while ticks < n_ticks && stage.pos(body).x < to {
        stage.steps(1);
        ticks += 1;
        let pose = stage.pose(body);
        let why = || format!("{case}, radius {radius}, {speed} px/s, tick {ticks}: {pose:?}");
        assert!(near(pose.pos.y, height, hop) && pose.vel.x > share * speed, "{}", why());
    }
}

#[test]
fn round_bodies_roll_over_narrow_gaps_at_their_pace() {
    let planks = |stage: &mut Stage, gap: f32| {
        let plank = surface(BodySpec::fixed(Shape::Box([32.0, 6.0])), 0.5, 0.0);
        (0..28).for_each(|i| _ = stage.add(&plank, 16.0 + (32.0 + gap) * i as f32, 67.0));
    };
    for (row, gap) in [("N", 0.0), ("n", 0.0), ("#n", 0.0), ("b", 0.0), ("B", 0.0), (" ", 0.3), (" ", 1.0), (" ", 2.0)]
    {
        let mut floor = Stage::new(&["", "", "", "", row.repeat(60 / row.len()).as_str()]);
        if gap > 0.0 {
            planks(&mut floor, gap);
        }
        for (radius, speed) in [5.5, 7.5, 12.0].into_iter().flat_map(|r| [60.0, 100.0, 150.0, 250.0].map(|v| (r, v))) {
            let case = format!("{row:?} {gap} px");
            roll(&mut floor.clone(), (radius, speed), (40.0, 880.0, 320), (0.4, 0.85), &case);
        }
    }
}

#[test]
fn a_ball_dips_into_a_gap_that_is_not_narrow() {
    let mut stage = Stage::new(&["", "", "", "", "", "#".repeat(60).as_str()]);
    let plank = surface(BodySpec::fixed(Shape::Box([64.0, 6.0])), 0.5, 0.0);
    [64.0, 134.0].into_iter().for_each(|x| _ = stage.add(&plank, x, 67.0));
    let rolls = BodySpec { velocity: Vec2::new(40.0, 0.0), spin: 40.0 / 6.0, ..ball(6.0) };
    let body = stage.add(&rolls, 60.0, 58.0);
    let lowest = (0..96).map(|_| (stage.steps(1), stage.pos(body).y).1).fold(0.0_f32, f32::max);
    assert!(lowest > 58.3, "{lowest}");
}

#[test]
fn balls_roll_over_rows_of_loose_crates() {
    for (gap, mass, radius) in [(0.0, 8.0, 7.5), (0.0, 40.0, 5.0), (0.0, 8.0, 12.0), (1.0, 8.0, 7.5), (1.0, 40.0, 12.0)]
    {
        for speed in [60.0, 100.0, 150.0, 200.0] {
            let floor = "#".repeat(14);
            let row = format!("{floor}{}{floor}", " ".repeat(16));
            let mut stage = Stage::new(&["", "", "", "", row.as_str(), "#".repeat(44).as_str()]);
            let crates = BodySpec { mass, ..surface(crate_of(16.0), 0.5, 0.0) };
            let n = (256.0 / (16.0 + gap)) as usize;
            (0..n).for_each(|i| _ = stage.add(&crates, 232.0 + (16.0 + gap) * i as f32, 72.0));
            stage.steps(32);
            let end = 232.0 + (16.0 + gap) * (n - 1) as f32;
            roll(&mut stage, (radius, speed), (150.0, end, 400), (0.7, 0.75), &format!("{gap} px, {mass} kg"));
        }
    }
}

#[test]
fn boxes_slide_over_bevels_and_wide_gaps_between_tiles() {
    for row in ["#####b", "b", "B", "n", "r", "#####m", "m"] {
        let floor = Stage::new(&["", "", "", "", row.repeat(60 / row.len()).as_str()]);
        for (size, friction) in [(12.0, 0.0), (15.0, 0.0), (15.0, 0.2), (32.0, 0.0), (32.0, 0.2)] {
            if row.ends_with('m') && size < 15.0 {
                continue;
            }
            for speed in [30.0, 60.0, 100.0, 200.0, 400.0] {
                let mut stage = floor.clone();
                let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..surface(crate_of(size), friction, 0.0) };
                let height = 64.0 - size as f32 / 2.0;
                let body = stage.add(&spec, 45.0, height);
                for tick in 0..160 {
                    let before = stage.pose(body).vel.x;
                    stage.steps(1);
                    let pose = stage.pose(body);
                    let why =
                        || format!("{row}, box of {size} px, friction {friction}, {speed} px/s, tick {tick}: {pose:?}");
                    if pose.pos.x > 900.0 {
                        break;
                    }
                    assert!(pose.vel.x > before - 20.0, "from {before} px/s: {}", why());
                    assert!(pose.angle.abs() < 3.0_f32.to_radians() && near(pose.pos.y, height, 0.5), "{}", why());
                    assert!(friction > 0.0 || pose.vel.x > 0.9 * speed, "{}", why());
                }
            }
        }
    }
}

#[test]
fn boxes_slide_between_floors_and_loose_crates_flush_with_them_both_ways() {
    let ends = [320.0, 368.0];
    for is_tiles in [true, false] {
        let floor = if is_tiles { "#" } else { " " }.repeat(20);
        let mut flush = Stage::new(&["", "", "", "", "", &format!("{floor}   {floor}"), &"#".repeat(43)]);
        let part = BodySpec::fixed(Shape::Box([320.0, 16.0]));
        [160.0, 528.0].into_iter().filter(|_| !is_tiles).for_each(|x| _ = flush.add(&part, x, 88.0));
        let crates = surface(crate_of(16.0), 0.5, 0.0);
        (0..3).for_each(|i| _ = flush.add(&crates, 328.0 + 16.0 * i as f32, 88.0));
        flush.steps(32);
        for (size, friction) in [(12.0, 0.0), (12.0, 0.3), (14.0, 0.1), (16.0, 0.0), (16.0, 0.7)] {
            for (edge, way) in ends.into_iter().flat_map(|edge| [(edge, 1.0), (edge, -1.0)]) {
                for speed in [60.0, 100.0, 150.0, 250.0, 400.0] {
                    let mut stage = flush.clone();
                    let (half, start) = (size as f32 / 2.0, edge - way * (size as f32 / 2.0 + 2.0));
                    let vel = Vec2::new(speed * way, 0.0);
                    let spec = BodySpec { velocity: vel, ..surface(crate_of(size), friction, 0.0) };
                    let body = stage.add(&spec, start, 80.0 - half);
                    // Where it stops on the seam it also rests there.
                    for tick in 0..48 {
                        stage.steps(1);
                        let Pose { pos, angle, vel, .. } = stage.pose(body);
                        let why = || {
                            format!(
                                "{size} px, friction {friction}, {speed} px/s by {way} at {edge}: tick {tick}, {pos}, {vel}"
                            )
                        };
                        if (pos.x - edge) * way > 30.0 {
                            break;
                        }
                        let turned = angle.to_degrees().abs();
                        assert!(turned < 3.0 && near(pos.y, 80.0 - half, 0.4), "turns by {turned} or hops: {}", why());
                    }
                    let slowing = (friction * 0.5_f32).sqrt() * 980.0;
                    let most = (speed * speed / 2.0 / slowing).min(half + 32.0);
                    let moved = (stage.pos(body).x - start) * way;
                    assert!(
                        moved > 0.85 * most - 2.0,
                        "{size} px, {friction}, {speed} px/s by {way} at {edge}: {moved} of {most} px"
                    );
                }
            }
        }
    }
}

#[test]
fn boxes_slide_over_loose_crates_the_same_from_a_snapshot_and_as_another_body() {
    let spec = BodySpec { velocity: Vec2::new(150.0, 0.0), ..surface(crate_of(12.0), 0.0, 0.0) };
    let heavy = BodySpec { mass: 24.0, ..spec.clone() };
    // Its colliders are made anew.
    let mut sensing = spec.clone();
    let sensor = ColliderSpec::new(Shape::Circle(20.0), [0.0; 2]).parts[0].clone();
    sensing.collider.as_mut().unwrap().parts.push(PartSpec { sensor: true, ..sensor });
    for other in [None, Some(heavy), Some(sensing)] {
        let mut stage = Stage::new(&["", "", "", "", "", "", &"#".repeat(16)]);
        (0..10).for_each(|i| _ = stage.add(&surface(crate_of(16.0), 0.5, 0.0), 40.0 + 16.0 * i as f32, 88.0));
        stage.steps(32);
        let body = stage.add(&spec, 44.0, 74.0);
        let mut copies = Vec::new();
        for tick in 0..56 {
            if tick % 14 == 0 {
                copies.push(stage.physics.clone());
            }
            if let Some(other) = other.as_ref().filter(|_| tick == 20) {
                stage.physics.respec(body, other).unwrap();
                copies.iter_mut().for_each(|copy| copy.respec(body, other).unwrap());
            }
            stage.steps(1);
            for copy in &mut copies {
                copy.step();
                assert_eq!(copy.hash(), stage.physics.hash(), "in tick {tick}");
            }
        }
        let pose = stage.pose(body);
        assert!(near(pose.vel.x, 150.0, 1.0) && near(pose.pos.y, 74.0, 0.3) && pose.angle.abs() < 0.02, "{pose:?}");
    }
}

#[test]
fn what_is_below_a_ledge_still_stops_what_comes_from_there() {
    for (row, side) in [("---#", 48.0), ("---t", 48.0), ("---w#", 64.0)] {
        let mut stage = Stage::with(&["", "", row], PhysicsConfig { gravity_px_s2: 0.0, ..platformer() });
        // Its upper part is in the ledge, which holds nothing from below.
        let low =
            BodySpec { velocity: Vec2::new(120.0, 0.0), lock_rotation: true, ..surface(crate_of(12.0), 0.0, 0.0) };
        let low = stage.add(&low, 10.0, 36.0);
        stage.steps(64);
        assert!(near(stage.pos(low).x, side - 6.0, 0.3), "{row}: {:?}", stage.pose(low));
    }
}

#[test]
fn boxes_with_friction_stop_without_turning_or_hopping() {
    let plain = ["#", "-", "=", "t"].map(|kind| (kind.repeat(60), 0.5, 0.1, 0.5));
    // Ice beside ground with friction, where a box comes down on both, turns it a little.
    let random = seeds(75).map(|seed| (floor(seed, 9).0, 3.0, 0.3, 5.0));
    for (row, most_degrees, most_px, most_speed) in plain.into_iter().chain(random) {
        let top = if row.starts_with('=') { 72.0 } else { 64.0 };
        let floor = Stage::new(&["", "", "", "", &row]);
        for speed in [30.0, 60.0, 120.0, 400.0] {
            let mut stage = floor.clone();
            let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..crate_of(14.0) };
            let body = stage.add(&spec, 40.5, top - 7.0);
            for tick in 0..200 {
                let before = stage.pose(body).vel.x;
                stage.steps(1);
                let Pose { pos, angle, vel, .. } = stage.pose(body);
                let why = || format!("at {speed} px/s in tick {tick} at {pos}, {vel} on {row}");
                if pos.x > 930.0 {
                    break;
                }
                assert!(angle.abs().to_degrees() < most_degrees, "turns by {}: {}", angle.to_degrees(), why());
                assert!(near(pos.y, top - 7.0, most_px), "hops: {}", why());
                assert!(vel.x > -most_speed && vel.x < before + most_speed, "is thrown: {}", why());
            }
        }
    }
}

#[test]
fn a_ball_rolls_calmly_on_a_plain_floor() {
    let row = "#".repeat(100);
    for speed in [30.0, 60.0, 100.0, 200.0, 400.0] {
        let mut stage = Stage::new(&["", "", "", "", &row]);
        let body = stage.add(&BodySpec { velocity: Vec2::new(speed, 0.0), ..ball(6.0) }, 40.0, 58.0);
        for _ in 0..192 {
            stage.steps(1);
            let Pose { pos, vel, .. } = stage.pose(body);
            assert!(near(vel.y, 0.0, 4.0) && near(pos.y, 58.0, 0.3), "{speed}: {pos} {vel}");
        }
    }
}

#[test]
fn stacks_keep_their_height_and_staggered_ones_stand() {
    for (n, shift, hz) in [(20, 0.0, 64_u16), (30, 0.0, 64), (20, 3.0, 64), (30, 0.0, 20), (30, 0.0, 40)] {
        let row = "#".repeat(30);
        let config = PhysicsConfig { dt_secs: 1.0 / f32::from(hz), ..platformer() };
        let mut stage = Stage::with(&["", "", "", "", "", "", "", "", &row], config);
        let place = |i: u16| Vec2::new(200.0 + f32::from(i % 2) * shift, 120.5 - 15.0 * f32::from(i));
        let pile: Vec<_> = (0..n).map(|i| stage.add(&crate_of(15.0), place(i).x, place(i).y)).collect();
        stage.steps(usize::from(hz) * 15);
        for (i, key) in (0..n).zip(&pile) {
            let off = stage.pos(*key) - place(i);
            let case = format!("{n} by {shift} at {hz} Hz: crate {i}");
            assert!(off.y.abs() <= 0.5 && off.x.abs() <= 1.0, "{case} is off by {off}");
            assert!(stage.physics.is_sleeping(*key), "{case}");
        }
    }
}

#[test]
fn pyramids_with_gaps_between_their_crates_come_to_rest() {
    for gap in [0.5, 2.0, 5.0] {
        let row = "#".repeat(40);
        let mut stage = Stage::new(&["", "", "", "", "", "", "", "", &row]);
        let place = |row: u16, i: u16| {
            let x = 60.0 + (15.0 + gap) * (f32::from(i) + f32::from(row) / 2.0);
            Vec2::new(x, 120.5 - 15.0 * f32::from(row))
        };
        let places: Vec<Vec2> = (0..20).flat_map(|row| (0..20 - row).map(move |i| place(row, i))).collect();
        let all: Vec<_> = places.iter().map(|at| stage.add(&crate_of(15.0), at.x, at.y)).collect();
        stage.steps(64 * 8);
        for (at, key) in places.iter().zip(&all) {
            let off = stage.pos(*key) - *at;
            assert!(off.abs().max_element() <= 0.5, "gap {gap}: the crate at {at} is off by {off}");
            assert!(stage.physics.is_sleeping(*key), "gap {gap}: the crate at {at} moves");
        }
    }
}

#[test]
fn a_heap_of_balls_overlaps_by_a_fraction_of_a_pixel() {
    let mut rows = vec![format!("#{}#", " ".repeat(20)); 40];
    rows.push("#".repeat(22));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mut stage = Stage::new(&rows);
    let place =
        |i: u16| (30.0 + f32::from(i % 22) * 13.0 + f32::from(i / 22 % 2) * 3.0, 620.0 - f32::from(i / 22) * 13.0);
    let heap: Vec<_> = (0..500).map(|i| stage.add(&ball(6.0), place(i).0, place(i).1)).collect();
    stage.steps(64 * 5);
    for (i, a) in heap.iter().enumerate() {
        let at = stage.pos(*a);
        assert!(at.y < 634.3 && at.x > 21.7 && at.x < 330.3, "{at}");
        for b in &heap[..i] {
            assert!(at.distance(stage.pos(*b)) > 11.7, "{at} {}", stage.pos(*b));
        }
    }
}

#[test]
fn slow_drift_without_gravity_goes_on_also_of_bodies_that_touch() {
    let mut stage = Stage::with(&[], PhysicsConfig { gravity_px_s2: 0.0, ..platformer() });
    let drifting = BodySpec { velocity: Vec2::new(0.05, 0.0), ..crate_of(10.0) };
    let keys: Vec<_> = [0.0, 10.0, 40.0].map(|x| stage.add(&drifting, x, 0.0)).into();
    stage.steps(64 * 20);
    for (key, x) in keys.iter().zip([0.0, 10.0, 40.0]) {
        assert!(near(stage.pos(*key).x - x, 1.0, 0.1), "{:?}", stage.pose(*key));
    }
}

#[test]
fn balls_that_fall_overlap_little_while_they_land() {
    let rows = vec![format!("#{}#", " ".repeat(20)); 60];
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let floor = "#".repeat(22);
    let tiles = [rows.clone(), vec![&*floor]].concat();
    // A heap, and two columns, on tiles and on a body.
    for (n, in_a_row, is_body) in [(400, 20_u16, false), (60, 2, false), (60, 2, true)] {
        let mut stage = Stage::new(if is_body { &rows } else { &tiles });
        if is_body {
            stage.add(&BodySpec::fixed(Shape::Box([400.0, 16.0])), 176.0, 968.0);
        }
        let place = |i: u16| {
            let (column, row) = (f32::from(i % in_a_row), i / in_a_row);
            Vec2::new(30.0 + column * 15.0 + f32::from(row % 2) * 3.0, 600.0 - f32::from(row) * 14.0)
        };
        let heap: Vec<_> = (0..n).map(|i| stage.add(&ball(6.0), place(i).x, place(i).y)).collect();
        let mut deepest = 0.0_f32;
        for _ in 0..32 {
            stage.steps(4);
            let at: Vec<Vec2> = heap.iter().map(|key| stage.pos(*key)).collect();
            for (i, a) in at.iter().enumerate() {
                deepest = at[..i].iter().map(|b| 12.0 - a.distance(*b)).fold(deepest, f32::max);
            }
        }
        assert!(deepest < 1.5, "{n}, {is_body}: {deepest}");
    }
}

#[test]
fn drift_is_as_exact_far_from_the_origin() {
    for (hz, far, vel) in [
        (64_u16, 30_000.0, Vec2::new(0.05, 0.0)),
        (64, 60_000.0, Vec2::new(0.5, -3.0)),
        (10, 33_000.0, Vec2::new(1.5, 0.0)),
        (240, 30_000.0, Vec2::new(2.0, -0.5)),
        (240, 60_000.0, Vec2::new(5.0, 0.1)),
    ] {
        let config = PhysicsConfig { dt_secs: 1.0 / f32::from(hz), gravity_px_s2: 0.0, ..platformer() };
        let mut stage = Stage::with(&[], config);
        // The last turns about a center of mass beside its origin: five times.
        let beside = Some(ColliderSpec::new(Shape::Box([10.0, 10.0]), [6.0, 3.0]));
        let turning = BodySpec { collider: beside, spin: std::f32::consts::FRAC_PI_2, ..crate_of(10.0) };
        let kinematic = BodySpec { kind: BodyKind::Kinematic, ..crate_of(10.0) };
        let specs = [crate_of(10.0), BodySpec { spin: 1.0, ..crate_of(10.0) }, kinematic, turning];
        let bodies = [0, 1, 2, 3].map(|i: u8| {
            let at = Vec2::new(far + 100.0 * f32::from(i), far);
            (stage.add(&BodySpec { velocity: vel, ..specs[usize::from(i)].clone() }, at.x, at.y), at)
        });
        stage.steps(usize::from(hz) * 20);
        for (key, at) in bodies {
            let off = stage.pos(key) - at - vel * 20.0;
            assert!(off.abs().max_element() < 0.02, "{hz} Hz, {vel} at {at}: off by {off}");
        }
        // What adds up for a body stays behind when it is put elsewhere.
        let kinematic = bodies[2].0;
        stage.physics.respec(kinematic, &specs[2]).unwrap();
        stage.physics.set_pose(kinematic, Vec2::new(100.0, 100.0), 0.0);
        let before = stage.pose(kinematic);
        stage.physics.set_velocity(kinematic, Vec2::ZERO);
        stage.steps(1);
        assert_eq!(stage.pos(kinematic), before.pos);
    }
}

#[test]
fn what_touches_elsewhere_makes_no_difference_to_a_body() {
    // Only the crates of a stack, and what they touch, are solved in more iterations.
    let slid = |n_stacked: u16| {
        let mut stage = Stage::with(&["", "", "", &"#".repeat(40)], platformer());
        let spin = BodySpec { velocity: Vec2::new(90.0, 0.0), spin: 4.0, ..crate_of(12.0) };
        let alone = stage.add(&spin, 40.0, 20.0);
        for i in 0..n_stacked {
            stage.add(&crate_of(12.0), 560.0, 41.0 - 12.0 * f32::from(i));
        }
        stage.steps(128);
        stage.pose(alone)
    };
    assert_eq!(slid(0), slid(3));
}

#[test]
fn each_setting_of_the_solver_tells() {
    let sunk = |change: fn(&mut SolverConfig)| {
        let mut config = platformer();
        change(&mut config.solver);
        let row = "#".repeat(8);
        let mut stage = Stage::with(&["", "", "", "", &row], config);
        let pile: Vec<_> = (0..10_u16).map(|i| stage.add(&crate_of(12.0), 64.0, 58.0 - 11.0 * f32::from(i))).collect();
        stage.steps(40);
        (stage.pos(pile[9]).y, pile.iter().filter(|key| stage.physics.is_sleeping(**key)).count(), stage.physics.hash())
    };
    let plain = sunk(|_| ());
    assert_eq!(plain, sunk(|_| ()));
    let changes: [fn(&mut SolverConfig); 5] = [
        |solver| solver.iterations = 4.0,
        |solver| solver.exact_pairs = 5.0,
        |solver| solver.stiffness_hz = 20.0,
        |solver| solver.damping = 5.0,
        |solver| solver.push_out_speed = 5.0,
    ];
    for (i, change) in changes.into_iter().enumerate() {
        assert!(sunk(change).2 != plain.2, "{i}");
    }
    // Fewer pairs than that change nothing.
    assert_eq!(sunk(|solver| solver.exact_pairs = 50.0), plain);
    let rests = |speed: f32, secs: f32| {
        let mut config = platformer();
        (config.solver.sleep_speed, config.solver.sleep_secs) = (speed, secs);
        let mut stage = Stage::with(&["", "", "####"], config);
        let body = stage.add(&crate_of(12.0), 32.0, 26.0);
        (0..256).find(|_| {
            stage.steps(1);
            stage.physics.is_sleeping(body)
        })
    };
    let soon = rests(0.16, 0.5).unwrap();
    assert!(rests(0.16, 2.0).unwrap() > soon + 64 && rests(0.0, 0.5).is_none_or(|tick| tick >= soon));
}

#[test]
fn boxes_without_friction_slide_over_rows_of_touching_bodies_that_come_after_them() {
    let mut wrong = Vec::new();
    for side in [15.0, 16.0, 20.0, 24.0, 32.0_f32] {
        for (size, locked) in [8.0, 12.0, 15.0, 20.0_f64].into_iter().flat_map(|size| [(size, true), (size, false)]) {
            for speed in [40.0, 100.0, 150.0, 200.0, 250.0, 400.0] {
                let mut stage = Stage::new(&[]);
                let spec = surface(crate_of(size), 0.0, 0.0);
                let spec = BodySpec { velocity: Vec2::new(speed, 0.0), lock_rotation: locked, ..spec };
                let body = stage.add(&spec, 60.0, 100.0 - size as f32 / 2.0);
                let row = BodySpec::fixed(Shape::Box([f64::from(side); 2]));
                (0..60).for_each(|i| _ = stage.add(&row, side * (i as f32 + 0.5), 100.0 + side / 2.0));
                let n = (500.0 / speed * 64.0) as usize;
                stage.steps(n);
                let (pose, way) = (stage.pose(body), speed * n as f32 / 64.0);
                if !near(pose.pos.x - 60.0, way, 0.01 * way) || pose.angle.abs() > 0.03 {
                    wrong.push(format!("{side} px, {size} px, locked: {locked}, {speed} px/s: {pose:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of 240:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn boxes_pass_gaps_between_tiles_at_speed_beside_many_others_in_motion() {
    let mut stage = Stage::new(&["", "", "", "", &"n".repeat(60), "", "", &"#".repeat(60)]);
    let spec = BodySpec { lock_rotation: true, ..surface(crate_of(15.0), 0.0, 0.0) };
    let body = stage.add(&BodySpec { velocity: Vec2::new(300.0, 0.0), ..spec.clone() }, 60.0, 56.5);
    let slow = BodySpec { velocity: Vec2::new(5.0, 0.0), ..surface(crate_of(3.0), 0.0, 0.0) };
    (0..300_u16).for_each(|i| _ = stage.add(&slow, 10.0 + 3.1 * f32::from(i), 110.5));
    stage.steps(128);
    assert!(near(stage.pos(body).x, 660.0, 6.0), "{:?}", stage.pose(body));
}

#[test]
fn boxes_slide_over_rows_of_loose_crates_beside_many_others_that_slide() {
    let mut stage = Stage::new(&["", "", "", "", "", "", &"#".repeat(60), "", "", &"#".repeat(60)]);
    let crates = BodySpec { mass: 30.0, ..surface(crate_of(15.0), 0.6, 0.0) };
    (0..50_u16).for_each(|i| _ = stage.add(&crates, 24.0 + 15.02 * f32::from(i), 88.5));
    let smooth = BodySpec { lock_rotation: true, ..surface(crate_of(15.0), 0.0, 0.0) };
    let body = stage.add(&BodySpec { velocity: Vec2::new(100.0, 0.0), ..smooth.clone() }, 40.0, 73.49);
    let passing = BodySpec { velocity: Vec2::new(50.0, 0.0), ..surface(crate_of(2.0), 0.0, 0.0) };
    (0..400_u16).for_each(|i| _ = stage.add(&passing, 10.0 + 2.1 * f32::from(i), 143.0));
    for tick in 1..=320 {
        stage.steps(1);
        let pose = stage.pose(body);
        assert!(pose.vel.x > 95.0, "tick {tick}: {pose:?}");
    }
    // From the first tick of its motion on, with a seam right before it.
    for (i, x) in [38.6, 38.8, 38.9, 39.0, 39.02].into_iter().enumerate() {
        let fast = BodySpec { velocity: Vec2::new(if i % 2 == 0 { 300.0 } else { 0.0 }, 0.0), ..smooth.clone() };
        let body = stage.add(&fast, x, 73.49);
        stage.physics.set_velocity(body, Vec2::new(300.0, 0.0));
        stage.steps(3);
        assert!(stage.pose(body).vel.x > 290.0, "from {x}: {:?}", stage.pose(body));
        stage.physics.despawn(body);
    }
}

#[test]
fn crates_that_land_on_a_row_of_crates_neither_tip_nor_rock() {
    let mut n_rocking = BTreeMap::new();
    let speeds = [30.0, 60.0, 80.0, 100.0, 120.0];
    let landings = speeds.into_iter().flat_map(|v| [90.0, 95.0, 98.0, 102.0].map(|x| (v, x)));
    // Awake, and asleep.
    for (n_steps, (speed, x)) in [8, 64].into_iter().flat_map(|n| landings.clone().map(move |landing| (n, landing))) {
        let mut stage = Stage::new(&["", "", "", "", "", "", "", &"#".repeat(30)]);
        let loose = surface(crate_of(16.0), 0.5, 0.0);
        let row: Vec<_> = (0..24_u8).map(|i| stage.add(&loose, 48.0 + 16.0 * f32::from(i), 104.0)).collect();
        stage.steps(n_steps);
        assert_eq!(stage.physics.is_sleeping(row[9]), n_steps == 64);
        let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..surface(crate_of(15.0), 0.5, 0.0) };
        let body = stage.add(&spec, x, 96.0 - 7.5 - 20.0);
        let mut turned = 0.0_f32;
        for _ in 0..128 {
            stage.steps(1);
            turned = turned.max(stage.pose(body).angle.to_degrees().abs());
        }
        let pose = stage.pose(body);
        assert!(turned < 20.0 && near(pose.pos.y, 88.5, 0.3), "{speed} px/s from {x}: turns by {turned}°, {pose:?}");
        *n_rocking.entry(n_steps).or_insert(0) += u32::from(turned > 3.0);
    }
    assert!(n_rocking.values().all(|n| *n <= 1), "{n_rocking:?} rock");
}

#[test]
fn what_lands_on_a_row_asleep_presses_it_no_deeper_than_one_awake() {
    for speed in [100.0, 300.0] {
        let [awake, asleep] = [8, 64].map(|n_steps| {
            let mut stage = Stage::new(&["", "", "", "", "", "", "", &"#".repeat(30)]);
            let loose = surface(crate_of(16.0), 0.5, 0.0);
            let row: Vec<_> = (0..9_u8).map(|i| stage.add(&loose, 96.0 + 16.0 * f32::from(i), 104.0)).collect();
            stage.steps(n_steps);
            let spec = BodySpec { velocity: Vec2::new(0.0, speed), ..loose };
            let _ = stage.add(&spec, 164.0, 96.0 - 8.0 - 20.0);
            let sinks = (0..64).map(|_| {
                stage.steps(1);
                row.iter().map(|key| stage.pos(*key).y - 104.0).fold(0.0, f32::max)
            });
            sinks.fold(0.0, f32::max)
        });
        assert!(asleep < awake + 0.1, "{speed} px/s: {asleep} px, awake {awake} px");
    }
}

#[test]
fn what_does_not_land_leaves_a_row_asleep() {
    // A sensor that flies by within reach, and a box of a layer that the row does not touch.
    let passing = surface(crate_of(8.0), 0.5, 0.0);
    let mut sensor = passing.clone();
    let mut other = passing.clone();
    sensor.collider.as_mut().unwrap().parts[0].sensor = true;
    let collider = other.collider.as_mut().unwrap();
    (collider.layer, collider.mask) = (4, 1);
    for (spec, wakes) in [(passing, true), (sensor, false), (other, false)] {
        let mut stage = Stage::new(&["", "", "", "", "", "", "", &"#".repeat(30)]);
        let mut loose = surface(crate_of(16.0), 0.5, 0.0);
        let collider = loose.collider.as_mut().unwrap();
        (collider.layer, collider.mask) = (2, 3);
        let row: Vec<_> = (0..12_u8).map(|i| stage.add(&loose, 96.0 + 16.0 * f32::from(i), 104.0)).collect();
        stage.steps(64);
        assert!(stage.physics.is_sleeping(row[4]));
        let _ = stage.add(&BodySpec { velocity: Vec2::new(400.0, 0.0), ..spec }, 60.0, 82.0);
        stage.steps(10);
        assert_eq!(row.iter().any(|key| !stage.physics.is_sleeping(*key)), wakes);
    }
}
