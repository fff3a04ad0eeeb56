//! Tiles, static and kinematic bodies that lie flush are one ground for loose bodies, and their real corners are not.

use levelwright::sim::physics::PartSpec;

use super::*;
use crate::cases::{Case, seeds};

/// Collision layer that is not the one of tiles.
const OTHER_LAYER: u32 = 2;

/// What a floor is made of, by pieces of whole cells.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Piece {
    Tiles,
    Static,
    /// A static body with sides that lean inward.
    Tapered,
    /// A static body that has turned by a right angle, as a door that has fallen.
    Turned,
    /// A static body of two boxes side by side.
    Parts,
    Kinematic,
    /// A static body that is solid only from above.
    OneWay,
}

const ALL: [Piece; 7] =
    [Piece::Tiles, Piece::Static, Piece::Tapered, Piece::Turned, Piece::Parts, Piece::Kinematic, Piece::OneWay];

/// Random numbers below a bound.
fn random(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9);
    move |n| {
        state = levelwright::model::mix(state);
        state % n
    }
}

fn kinematic(spec: BodySpec) -> BodySpec {
    BodySpec { kind: BodyKind::Kinematic, ..spec }
}

/// The spec of a piece of floor 16 px deep, about its middle; and its angle.
fn piece(kind: Piece, width: f32, friction: f32) -> (BodySpec, f32) {
    let (half, size) = (f64::from(width) / 2.0, [f64::from(width), 16.0]);
    let spec = match kind {
        Piece::Tapered => {
            let points = vec![[-half, -8.0], [half, -8.0], [half - 4.0, 8.0], [4.0 - half, 8.0]];
            BodySpec::fixed(Shape::Polygon(points))
        }
        Piece::Turned => BodySpec::fixed(Shape::Box([size[1], size[0]])),
        Piece::Parts => {
            let mut spec = BodySpec::fixed(Shape::Box([half, 16.0]));
            let part = |x: f64| PartSpec::new(Shape::Box([half, 16.0]), [x, 0.0]);
            spec.collider.as_mut().unwrap().parts = vec![part(-half / 2.0), part(half / 2.0)];
            spec
        }
        Piece::Kinematic => kinematic(BodySpec::fixed(Shape::Box(size))),
        Piece::OneWay => {
            let mut spec = BodySpec::fixed(Shape::Box(size));
            spec.collider.as_mut().unwrap().one_way = true;
            spec
        }
        Piece::Static | Piece::Tiles => BodySpec::fixed(Shape::Box(size)),
    };
    let angle = if kind == Piece::Turned { std::f32::consts::FRAC_PI_2 } else { 0.0 };
    (surface(spec, friction, 0.0), angle)
}

/// A floor of 60 cells whose top is at 64 px, of pieces that are 1 to 6 cells wide; `kinds` are those of the bodies.
fn floor(seed: u64, kinds: &[Piece], friction: f32) -> (Stage, String, impl FnMut(u64) -> u64) {
    let mut random = random(seed);
    let (mut row, mut bodies, mut text) = (String::new(), Vec::new(), String::new());
    while row.len() < 60 {
        let n = (1 + random(6) as usize).min(60 - row.len());
        let kind = kinds[random(kinds.len() as u64) as usize];
        let (from, width) = (row.len() as f32 * 16.0, n as f32 * 16.0);
        row.push_str(&if kind == Piece::Tiles { "#" } else { " " }.repeat(n));
        text.push_str(&format!("{kind:?} {n}, "));
        if kind != Piece::Tiles {
            bodies.push((kind, from + width / 2.0, width));
        }
    }
    let mut stage = Stage::new(&["", "", "", "", row.as_str()]);
    for (kind, x, width) in bodies {
        let (spec, angle) = piece(kind, width, friction);
        let key = stage.add(&spec, x, 72.0);
        stage.physics.set_pose(key, Vec2::new(x, 72.0), angle);
    }
    (stage, text, random)
}

/// Bodies that slide or roll, and their friction.
fn loose() -> [(&'static str, BodySpec, f32); 5] {
    let upright = BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 16.0 });
    [
        ("box", BodySpec { lock_rotation: true, ..crate_of(12.0) }, 0.0),
        ("crate", crate_of(12.0), 0.0),
        ("ball", ball(6.0), 0.6),
        ("capsule", BodySpec { lock_rotation: true, ..upright }, 0.0),
        ("plank", BodySpec::dynamic(Shape::Box([40.0, 12.0])), 0.0),
    ]
}

/// Let a body slide or roll to the right; it must not catch, turn or hop more than on tiles. The ground moves at
/// `ground` px/s.
fn goes_on(stage: &mut Stage, (name, spec, friction): &(&str, BodySpec, f32), speed: f32, ground: f32, why: &str) {
    let is_ball = *friction > 0.0;
    let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..surface(spec.clone(), *friction, 0.0) };
    let height = 64.0 - spec.collider.as_ref().unwrap().parts[0].convex.aabb().hi.y;
    let body = stage.add(&spec, 40.0, height);
    for tick in 0_u16..320 {
        let before = stage.pose(body);
        stage.steps(1);
        let Pose { pos, angle, vel, .. } = stage.pose(body);
        let why = || format!("{name} of {speed} px/s in tick {tick} at {pos}, {vel} on {why}");
        if !(20.0..930.0).contains(&(pos.x - ground * DT * f32::from(tick))) {
            return;
        }
        assert!(near(pos.y, height, 0.35), "hops: {}", why());
        assert!(near(vel.y, 0.0, 15.0), "shakes: {}", why());
        let least = if is_ball { 0.6 * speed } else { speed - 0.5 };
        let most = if is_ball { 20.0 } else { 1.0 };
        assert!(vel.x > least && near(vel.x, before.vel.x, most), "catches: {}", why());
        assert!(is_ball || angle.abs() < 0.03, "turns by {angle}: {}", why());
    }
}

#[test]
fn nothing_catches_turns_or_hops_where_tiles_and_bodies_lie_flush() {
    use Piece::{Kinematic, OneWay, Parts, Static, Tiles, Turned};
    let pairs: [&[Piece]; 8] = [
        &[Tiles, Static],
        &[Static],
        &[Kinematic],
        &[Tiles, Kinematic],
        &[Static, Kinematic],
        &[Tiles, Parts, Turned],
        &[Tiles, OneWay, Static],
        &ALL,
    ];
    for seed in seeds(100) {
        let _case = Case::new(seed);
        let mut body = loose()[(seed % 5) as usize].clone();
        body.1.bullet = seed % 3 == 0;
        let (mut stage, text, mut random) = floor(seed, pairs[(seed / 5 % 8) as usize], 0.6);
        goes_on(&mut stage, &body, 30.0 + random(371) as f32, 0.0, &text);
    }
}

#[test]
fn boxes_with_friction_stop_without_turning_or_hopping_where_tiles_and_bodies_lie_flush() {
    for seed in seeds(50) {
        let _case = Case::new(seed);
        let (mut stage, text, mut random) = floor(seed, &ALL, 0.6);
        let speed = 30.0 + random(371) as f32;
        // Put down first.
        let body = stage.add(&crate_of(14.0), 40.5, 57.0);
        stage.steps(32);
        stage.physics.set_velocity(body, Vec2::new(speed, 0.0));
        for tick in 0..200 {
            let before = stage.pose(body).vel.x;
            stage.steps(1);
            let Pose { pos, angle, vel, .. } = stage.pose(body);
            let why = || format!("at {speed} px/s in tick {tick} at {pos}, {vel} on {text}");
            assert!(angle.abs().to_degrees() < 3.0, "turns by {}: {}", angle.to_degrees(), why());
            assert!(near(pos.y, 57.0, 0.3), "hops: {}", why());
            assert!(vel.x > -5.0 && vel.x < before + 5.0, "is thrown: {}", why());
        }
    }
}

#[test]
fn kinematic_bodies_that_move_together_are_one_ground() {
    for seed in seeds(25) {
        let _case = Case::new(seed);
        let (name, spec, _) = &loose()[(seed % 5) as usize];
        let mut random = random(seed);
        let mut stage = Stage::new(&[]);
        let speed = random(121) as f32 - 60.0;
        let mut from = 0.0;
        while from < 960.0 {
            let width = 16.0 * (1 + random(6)) as f32;
            let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..piece(Piece::Kinematic, width, 0.6).0 };
            stage.add(&spec, from + width / 2.0, 72.0);
            from += width;
        }
        let own = speed.max(0.0) + 30.0 + random(300) as f32;
        goes_on(&mut stage, &(name, spec.clone(), 0.0), own, speed, &format!("ground of {speed} px/s"));
    }
}

#[test]
fn a_platform_that_moves_flush_with_the_floor_stops_nothing() {
    for seed in seeds(50) {
        let _case = Case::new(seed);
        let (name, spec, _) = &loose()[(seed % 5) as usize];
        let mut random = random(seed);
        let mut row = "#".repeat(60);
        let gap = 10 + random(30) as usize;
        row.replace_range(gap..gap + 3, "   ");
        let mut stage = Stage::new(&["", "", "", "", row.as_str()]);
        // Wider than the gap by a cell on both sides, and moving by less than that.
        let (platform, _) = piece(Piece::Kinematic, 80.0, 0.6);
        let middle = gap as f32 * 16.0 + 24.0;
        let key = stage.add(&platform, middle, 72.0);
        let speed = 30.0 + random(371) as f32;
        let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..surface(spec.clone(), 0.0, 0.0) };
        let height = 64.0 - spec.collider.as_ref().unwrap().parts[0].convex.aabb().hi.y;
        let body = stage.add(&spec, 40.0, height);
        let sway = random(14) as f32;
        for tick in 0_u16..320 {
            let x = middle + sway * (f32::from(tick) * 0.05).sin();
            stage.physics.set_next_pose(key, Vec2::new(x, 72.0), 0.0);
            stage.steps(1);
            let Pose { pos, angle, vel, .. } = stage.pose(body);
            let why = || format!("{name} of {speed} px/s in tick {tick} at {pos}, {vel}; the gap at {gap}");
            if pos.x > 930.0 {
                break;
            }
            assert!(near(pos.y, height, 0.35) && near(vel.y, 0.0, 15.0), "hops: {}", why());
            assert!(near(vel.x, speed, 0.5), "catches: {}", why());
            assert!(angle.abs() < 0.02, "turns by {angle}: {}", why());
        }
    }
}

#[test]
fn slopes_of_tiles_and_bodies_are_one_slope() {
    // Down to the right by 45 degrees; the cells of some steps are bodies of the same shape.
    let down = std::f32::consts::FRAC_1_SQRT_2;
    let (along, out) = (Vec2::new(down, down), Vec2::new(down, -down));
    let names = ["box", "ball"];
    for seed in seeds(60) {
        let _case = Case::new(seed);
        let mut random = random(seed);
        let is_body: Vec<bool> = (0..30).map(|_| random(2) == 0).collect();
        // Below a body is nothing: there a tile's corner would lie on the slope.
        let cell = |i: usize, x: usize| match () {
            () if is_body[x] && i - x < 2 => ' ',
            () if i == x => '\\',
            () => '#',
        };
        let rows: Vec<String> = (0..30).map(|i| (0..=i).map(|x| cell(i, x)).collect()).collect();
        let mut stage = Stage::new(&rows.iter().map(String::as_str).collect::<Vec<_>>());
        for i in (0..30_u8).filter(|i| is_body[usize::from(*i)]) {
            let wedge = BodySpec::fixed(Shape::Polygon(vec![[-8.0, -8.0], [8.0, 8.0], [-8.0, 8.0]]));
            let wedge = if random(2) == 0 { kinematic(wedge) } else { wedge };
            let at = 16.0 * f32::from(i) + 8.0;
            stage.add(&surface(wedge, 0.0, 0.0), at, at);
        }
        let which = random(2) as usize;
        let spec = [BodySpec { lock_rotation: true, ..crate_of(12.0) }, ball(6.0)][which].clone();
        let start = along * (40.0 + random(30) as f32) + out * 6.0;
        let speed = random(200) as f32;
        let body = stage.add(&surface(spec, 0.0, 0.0), start.x, start.y);
        stage.physics.set_pose(body, start, std::f32::consts::FRAC_PI_4);
        stage.physics.set_velocity(body, along * speed);
        for tick in 0_u16..200 {
            let before = stage.pose(body).vel.dot(along);
            stage.steps(1);
            let Pose { pos, angle, vel, .. } = stage.pose(body);
            let why = || format!("{} of {speed} px/s in tick {tick} at {pos}, {vel} on {is_body:?}", names[which]);
            if pos.dot(along) > 620.0 {
                break;
            }
            assert!(near(pos.dot(out), 6.0, 0.35) && near(vel.dot(out), 0.0, 15.0), "hops: {}", why());
            assert!(near(vel.dot(along) - before, 900.0 * down * DT, 1.0), "catches: {}", why());
            assert!(which == 1 || near(angle, std::f32::consts::FRAC_PI_4, 0.02), "turns by {angle}: {}", why());
        }
    }
}

#[test]
fn nothing_stops_where_a_flat_floor_goes_over_into_a_slope_down() {
    use Piece::{Kinematic, Static, Tiles};
    // Steps of one cell, down to the left: the upper floor, the slope and the lower floor are of any kind.
    let slopes: [(&str, f32); 2] = [("/", 16.0), ("<>", 32.0)];
    let mut loose = loose().to_vec();
    let hexagon = vec![[6.0, 0.0], [3.0, 5.2], [-3.0, 5.2], [-6.0, 0.0], [-3.0, -5.2], [3.0, -5.2]];
    let hexagon = BodySpec { lock_rotation: true, ..BodySpec::dynamic(Shape::Polygon(hexagon)) };
    loose.push(("hexagon", hexagon, 0.0));
    loose.push(("locked plank", BodySpec { lock_rotation: true, ..loose[4].1.clone() }, 0.0));
    for seed in seeds(300) {
        let _case = Case::new(seed);
        let mut random = random(seed);
        let mut kind = || [Tiles, Static, Kinematic][random(3) as usize];
        let (upper, slope, lower) = (kind(), kind(), kind());
        let (tile, width) = slopes[random(2) as usize];
        let tiles = |kind: Piece, text: &str| if kind == Tiles { text.into() } else { " ".repeat(text.len()) };
        let below = tiles(lower, &"#".repeat(20)) + &"#".repeat(20);
        let row = " ".repeat(20) + &tiles(slope, tile) + &tiles(upper, &"#".repeat(10));
        let mut stage = Stage::new(&["", "", "", "", &row, &below]);
        let edge = 320.0 + width;
        if upper != Tiles {
            stage.add(&piece(upper, 160.0, 0.0).0, edge + 80.0, 72.0);
        }
        if lower != Tiles {
            stage.add(&piece(lower, 320.0, 0.0).0, 160.0, 88.0);
        }
        if slope != Tiles {
            let half = f64::from(width) / 2.0;
            let wedge = BodySpec::fixed(Shape::Polygon(vec![[-half, 8.0], [half, -8.0], [half, 8.0]]));
            let wedge = if slope == Kinematic { kinematic(wedge) } else { wedge };
            stage.add(&surface(wedge, 0.0, 0.0), 320.0 + width / 2.0, 72.0);
        }
        let (name, spec, _) = &loose[random(loose.len() as u64) as usize];
        let speed = 30.0 + random(371) as f32;
        let spec = BodySpec { velocity: Vec2::new(-speed, 0.0), ..surface(spec.clone(), 0.0, 0.0) };
        let around = spec.collider.as_ref().unwrap().parts[0].convex.aabb();
        let body = stage.add(&spec, edge + 40.0 + random(160) as f32 / 10.0, 63.98 - around.hi.y);
        for tick in 0_u16..200 {
            stage.steps(1);
            let Pose { pos, vel, angle, .. } = stage.pose(body);
            let why =
                || format!("{name} of {speed} px/s in tick {tick} at {pos}, {vel}: {upper:?}, {slope:?}, {lower:?}");
            if pos.x < 320.0 + around.hi.x {
                break;
            }
            assert!(-vel.x > 0.99 * speed, "catches: {}", why());
            assert!(pos.x < edge || angle.abs() < 0.03, "turns by {angle}: {}", why());
        }
    }
}

#[test]
fn nothing_stops_at_a_crest_of_tiles_and_bodies() {
    use Piece::{Kinematic, Static, Tiles};
    // Up to the right and down again.
    for (up, down, half) in [("<>", "", 16.0), ("/", "\\", 8.0), ("/", "", 8.0)] {
        for kind in [Tiles, Static, Kinematic] {
            if down.is_empty() && kind == Tiles {
                continue;
            }
            let down = if kind == Tiles { down } else { "" };
            let row = " ".repeat(10) + up + down;
            let mut stage = Stage::new(&["", "", "", "", &row, &"#".repeat(60)]);
            let crest = 160.0 + 16.0 * up.len() as f32;
            if kind != Tiles {
                let h = f64::from(half);
                let wedge = BodySpec::fixed(Shape::Polygon(vec![[-h, -8.0], [h, 8.0], [-h, 8.0]]));
                let wedge = if kind == Kinematic { kinematic(wedge) } else { wedge };
                stage.add(&surface(wedge, 0.0, 0.0), crest + half, 72.0);
            }
            for (i, speed) in (0_u8..).zip([200.0, 250.0, 300.0, 350.0, 400.0]) {
                for (name, spec, _) in loose().iter().filter(|(name, ..)| matches!(*name, "box" | "capsule")) {
                    let slope = Vec2::new(half, -8.0).normalize() * speed;
                    let spec = surface(BodySpec { velocity: slope, ..spec.clone() }, 0.0, 0.0);
                    // On the slope, not far below the crest.
                    let around = spec.collider.as_ref().unwrap().parts[0].convex.aabb();
                    let corner =
                        Vec2::new(crest - 6.0 - 0.5 * f32::from(i), 64.0 + (6.0 + 0.5 * f32::from(i)) * 8.0 / half);
                    let body = stage.add(&spec, corner.x - around.hi.x, corner.y - around.hi.y - 0.02);
                    for tick in 0..16_u8 {
                        stage.steps(1);
                        let Pose { pos, vel, .. } = stage.pose(body);
                        let why = || format!("{name} of {speed} px/s, tick {tick}, {kind:?} after {up}: {pos} {vel}");
                        // Gravity slows it on the way up, by at most half of it.
                        let slowed = 450.0 * DT * f32::from(tick + 1);
                        assert!(vel.x > slope.x - slowed - 5.0, "{}", why());
                    }
                    stage.physics.despawn(body);
                }
            }
        }
    }
}

#[test]
fn a_polygon_that_touches_a_body_exactly_is_pushed_straight_up() {
    let hexagon = vec![[6.0, 0.0], [3.0, 5.2], [-3.0, 5.2], [-6.0, 0.0], [-3.0, -5.2], [3.0, -5.2]];
    let hexagon = surface(BodySpec::dynamic(Shape::Polygon(hexagon)), 0.0, 0.0);
    let hexagon = BodySpec { velocity: Vec2::new(-79.0, 0.0), lock_rotation: true, ..hexagon };
    let ground = surface(BodySpec::fixed(Shape::Box([160.0, 16.0])), 0.0, 0.0);
    for i in 0..400_u16 {
        let mut stage = Stage::new(&[]);
        stage.add(&ground, 416.0, 72.0);
        let body = stage.add(&hexagon, 360.0 + 0.25 * f32::from(i), 64.0 - 5.2);
        stage.steps(4);
        let pose = stage.pose(body);
        assert!(near(pose.vel.x, -79.0, 0.1) && near(pose.pos.y, 58.8, 0.1), "{i}: {pose:?}");
    }
}

#[test]
fn a_ball_that_falls_on_a_seam_bounces_straight_up() {
    use Piece::{Kinematic, Static, Tiles};
    for [left, right] in [[Tiles, Static], [Static, Static], [Kinematic, Kinematic], [Kinematic, Tiles]] {
        for off in [-0.4, -0.1, 0.0, 0.05, 0.3] {
            let row = [left, right].map(|kind| if kind == Tiles { "####" } else { "    " }).concat();
            let mut stage = Stage::new(&["", "", "", "", &row]);
            for (kind, x) in [(left, 32.0), (right, 96.0)] {
                if kind != Tiles {
                    stage.add(&surface(piece(kind, 64.0, 0.6).0, 0.6, 1.0), x, 72.0);
                }
            }
            let body = stage.add(&surface(ball(6.0), 0.6, 0.8), 64.0 + off, 20.0);
            for _ in 0..200 {
                stage.steps(1);
                let Pose { pos, vel, .. } = stage.pose(body);
                assert!(near(pos.x, 64.0 + off, 0.2) && pos.y < 64.0, "{left:?} {right:?} {off}: {pos} {vel}");
            }
        }
    }
}

#[test]
fn what_the_neighbor_lets_through_is_stopped_by_the_corner() {
    // The floor on the left is there for others only: the block is a wall.
    let mut stage = Stage::new(&["", "", "", "", "", "", "", "########"]);
    let mut ghost = piece(Piece::Static, 64.0, 0.0).0;
    ghost.collider.as_mut().unwrap().layer = OTHER_LAYER;
    stage.add(&ghost, 32.0, 104.0);
    stage.add(&piece(Piece::Static, 64.0, 0.0).0, 96.0, 104.0);
    let mut spec = BodySpec { velocity: Vec2::new(60.0, 0.0), ..surface(crate_of(12.0), 0.0, 0.0) };
    spec.collider.as_mut().unwrap().mask = !OTHER_LAYER;
    let body = stage.add(&spec, 20.0, 105.9);
    stage.steps(64);
    assert!(near(stage.pos(body).x, 58.0, 0.3), "{:?}", stage.pose(body));
}

#[test]
fn real_corners_still_stop_what_meets_them() {
    use Piece::{Kinematic, Static, Tiles};
    for kind in [Static, Kinematic] {
        for ground in [Tiles, Static, Kinematic] {
            for (name, spec, _) in loose().iter().filter(|(name, ..)| matches!(*name, "box" | "plank")) {
                // In a tick they move by less than the height of the step.
                for speed in [30.0, 120.0, 200.0] {
                    let row = if ground == Tiles { "########" } else { "" };
                    let mut stage = Stage::new(&["", "", "", "", row]);
                    if ground != Tiles {
                        stage.add(&piece(ground, 128.0, 0.0).0, 64.0, 72.0);
                    }
                    // A step of four pixels; its side continues the end of the floor below.
                    stage.add(&piece(kind, 64.0, 0.0).0, 160.0, 68.0);
                    let spec = BodySpec { velocity: Vec2::new(speed, 0.0), lock_rotation: true, ..spec.clone() };
                    let spec = surface(spec, 0.0, 0.0);
                    let body = stage.add(&spec, 40.0, 58.0);
                    stage.steps(256);
                    let pose = stage.pose(body);
                    let side = 128.0 - spec.collider.as_ref().unwrap().parts[0].convex.aabb().hi.x;
                    assert!(
                        near(pose.pos.x, side, 0.3) && near(pose.pos.y, 58.0, 0.3),
                        "{name} {speed} {ground:?}: {pose:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_box_falls_into_a_gap_that_it_fits() {
    use Piece::{Kinematic, Static};
    for kind in [Static, Kinematic] {
        for speed in [0.0, 20.0] {
            let mut stage = Stage::new(&["", "", "", "", "", "", "", "", "", "", "##########"]);
            let gap = if speed > 0.0 { 20.0 } else { 12.1 };
            stage.add(&piece(kind, 64.0, 0.0).0, 32.0, 72.0);
            stage.add(&piece(kind, 64.0, 0.0).0, 96.0 + gap, 72.0);
            let spec = BodySpec { velocity: Vec2::new(speed, 0.0), lock_rotation: true, ..crate_of(12.0) };
            let body = stage.add(&surface(spec, 0.0, 0.0), if speed > 0.0 { 40.0 } else { 64.0 + gap / 2.0 }, 58.0);
            stage.steps(256);
            let pose = stage.pose(body);
            assert!(near(pose.pos.y, 154.0, 0.3), "{kind:?} {speed}: {pose:?}");
        }
    }
}

#[test]
fn a_closed_door_on_a_flush_floor_still_stops_things() {
    for (name, spec, _) in &loose() {
        for speed in [60.0, 400.0] {
            let mut stage = Stage::new(&["", "", "", "", "####"]);
            stage.add(&piece(Piece::Static, 64.0, 0.0).0, 96.0, 72.0);
            // In front of a wall flush with its side, above a floor flush with its foot.
            stage.add(&kinematic(surface(BodySpec::fixed(Shape::Box([8.0, 32.0])), 0.0, 0.0)), 132.0, 48.0);
            stage.add(&piece(Piece::Static, 64.0, 0.0).0, 160.0, 72.0);
            stage.add(&piece(Piece::Static, 64.0, 0.0).0, 160.0, 24.0);
            let spec = BodySpec { velocity: Vec2::new(speed, 0.0), ..surface(spec.clone(), 0.0, 0.0) };
            let around = spec.collider.as_ref().unwrap().parts[0].convex.aabb();
            let body = stage.add(&spec, 30.0, 64.0 - around.hi.y);
            stage.steps(256);
            let pose = stage.pose(body);
            assert!(pose.pos.x + around.hi.x < 129.0, "{name} of {speed}: {pose:?}");
        }
    }
}
