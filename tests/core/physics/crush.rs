//! What moves into a body that has no room: it gets one message, is not pushed through anything, and a platform may wait.

use levelwright::sim::physics::Crushed;

use super::*;
use crate::cases::one_in;

/// A room of five by five cells between walls of one cell.
const ROOM: [&str; 7] = ["#######", "#     #", "#     #", "#     #", "#     #", "#     #", "#######"];

/// The four ways a plate as wide as the room can go.
const WAYS: [Vec2; 4] = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y];

fn plate(way: Vec2, stops: bool) -> BodySpec {
    let size = if way.x == 0.0 { [76.0, 20.0] } else { [20.0, 76.0] };
    BodySpec { kind: BodyKind::Kinematic, stops, ..BodySpec::fixed(Shape::Box(size)) }
}

fn flyer() -> BodySpec {
    BodySpec {
        flyer: Some(FlyerSpec { speed: 90.0, acceleration: 240.0, arrive_radius: 24.0 }),
        ..BodySpec::dynamic(Shape::Box([12.0, 16.0]))
    }
}

/// Who can be crushed, and the view it is in.
fn victims() -> [(&'static str, LevelView, BodySpec); 5] {
    let round = BodySpec { walker: Some(feet()), ..BodySpec::dynamic(Shape::Capsule { radius: 6.0, height: 16.0 }) };
    [
        ("walker", LevelView::Platformer, walker()),
        ("round walker", LevelView::Platformer, round),
        ("walker from above", LevelView::TopDown, walker()),
        ("flyer", LevelView::Platformer, flyer()),
        ("crate", LevelView::Platformer, BodySpec { lock_rotation: true, ..crate_of(14.0) }),
    ]
}

/// Move a body by this much every tick, as a platform does: from where it is.
fn push(stage: &mut Stage, key: EntityKey, by: Vec2) -> Vec<Crushed> {
    stage.physics.set_next_pose(key, stage.pos(key) + by, 0.0);
    stage.physics.step();
    stage.physics.take_crushed()
}

/// How far a body is out of the room, in pixels.
fn beyond(stage: &Stage, key: EntityKey) -> f32 {
    let around = stage.physics.bounds(key).unwrap();
    let (out_lo, out_hi) = (Vec2::splat(16.0) - around.lo, around.hi - Vec2::splat(96.0));
    out_lo.max(out_hi).max_element()
}

fn room(view: LevelView) -> Stage {
    Stage::with(&ROOM, PhysicsConfig { view, ..platformer() })
}

#[test]
fn a_plate_crushes_against_each_wall_and_pushes_through_none() {
    for (who, view, spec) in victims() {
        // A loose body is a little in whatever presses on it.
        let most = if spec.is_dynamic() { 4.0 } else { 0.05 };
        for way in WAYS {
            for speed in [0.6, 2.5, 12.0, 1000.0 * DT] {
                let mut stage = room(view);
                let hero = stage.add(&spec, 56.0, 86.0);
                stage.steps(20);
                let plate = stage.add(&plate(way, false), 56.0 - way.x * 50.0, 56.0 - way.y * 50.0);
                let mut crushed = Vec::new();
                for tick in 0..(100.0 / speed) as u32 + 2 {
                    crushed.extend(push(&mut stage, plate, way * speed));
                    let out = beyond(&stage, hero);
                    assert!(out < most, "{who} {way} {speed}: {out} px in the wall after {tick} ticks");
                }
                assert_eq!(crushed, [Crushed { key: hero, by: plate }], "{who} {way} {speed}");
                // Once it is free it can be crushed again.
                stage.physics.set_pose(plate, Vec2::new(-200.0, -200.0), 0.0);
                stage.steps(60);
                assert!(beyond(&stage, hero) < 0.3, "{who} {way} {speed}: {}", beyond(&stage, hero));
                stage.physics.set_pose(plate, Vec2::splat(56.0) - way * 50.0, 0.0);
                let again = (0..(100.0 / speed) as u32 + 2).flat_map(|_| push(&mut stage, plate, way * speed)).count();
                assert_eq!(again, 1, "{who} {way} {speed}");
            }
        }
    }
}

#[test]
fn a_plate_that_stops_waits_and_goes_on_when_there_is_room() {
    for (who, view, spec) in victims() {
        for way in WAYS {
            let mut stage = room(view);
            let hero = stage.add(&spec, 56.0, 86.0);
            stage.steps(20);
            let plate = stage.add(&plate(way, true), 56.0 - way.x * 50.0, 56.0 - way.y * 50.0);
            let mut last = Vec2::ZERO;
            for tick in 0..240 {
                let crushed = push(&mut stage, plate, way * 0.6);
                assert!(crushed.is_empty(), "{who} {way}: {crushed:?}");
                // By no more than the plate goes in a tick.
                assert!(beyond(&stage, hero) < 0.8, "{who} {way}: {}", beyond(&stage, hero));
                if tick == 180 {
                    last = stage.pos(plate);
                }
            }
            assert!(stage.pos(plate).distance(last) < 0.1, "{who} {way}: it stands still");
            assert!((stage.pos(plate) - Vec2::splat(56.0)).dot(way) < 22.0, "{who} {way}");
            stage.physics.despawn(hero);
            (0..30).for_each(|_| drop(push(&mut stage, plate, way * 0.6)));
            assert!((stage.pos(plate) - last).dot(way) > 15.0, "{who} {way}: it goes on");
        }
    }
}

#[test]
fn nothing_goes_through_tiles_however_fast_a_platform_is() {
    let victims = [("walker", walker()), ("locked crate", BodySpec { lock_rotation: true, ..crate_of(16.0) })];
    for (who, spec) in victims.into_iter().chain([("crate", crate_of(16.0))]) {
        for way in [Vec2::Y, Vec2::NEG_Y, Vec2::X] {
            for (speed, stops) in (3..=10).map(|n| n as f32 * 100.0).flat_map(|speed| [(speed, false), (speed, true)]) {
                let mut stage = Stage::new(&[
                    "##############",
                    "#            #",
                    "#            #",
                    "#            #",
                    "#            #",
                    "#            #",
                    "#            #",
                    "##############",
                ]);
                let from = if way == Vec2::Y { Vec2::new(112.0, 24.0) } else { Vec2::new(72.0, 104.0) };
                let at = if way == Vec2::NEG_Y { Vec2::new(72.0, 88.0) } else { Vec2::new(112.0, 104.0) };
                let hero = stage.add(&spec, at.x, at.y);
                let plate = BodySpec { kind: BodyKind::Kinematic, stops, ..BodySpec::fixed(Shape::Box([48.0, 15.0])) };
                let plate = stage.add(&plate, from.x, from.y);
                stage.steps(20);
                let mut crushed = Vec::new();
                for _ in 0..(130.0 / (speed * DT)) as usize {
                    crushed.extend(push(&mut stage, plate, way * speed * DT));
                    let around = stage.physics.bounds(hero).unwrap();
                    let out = (Vec2::splat(16.0) - around.lo).max(around.hi - Vec2::new(208.0, 112.0)).max_element();
                    // A loose body is pressed in for a few parts of a tick until it counts as crushed, less than half
                    // of it.
                    let most = if spec.is_dynamic() { 8.0 } else { 0.05 };
                    assert!(out < most, "{who} {way} at {speed} px/s, stops {stops}: {out} px in the wall");
                }
                assert_eq!(crushed.len(), usize::from(!stops), "{who} {way} at {speed} px/s, stops {stops}");
            }
        }
    }
}

#[test]
fn a_crate_on_planks_is_crushed_and_does_not_fall_through_them() {
    for stops in [false, true] {
        for speed in [20.0, 60.0, 300.0] {
            let mut stage = Stage::new(&["", "", "", "", "", "--------"]);
            let crate_ = stage.add(&crate_of(16.0), 64.0, 72.0);
            let plate = stage.add(&plate(Vec2::Y, stops), 64.0, 30.0);
            stage.steps(20);
            let count = (60.0 / (speed * DT)) as usize;
            let crushed = (0..count).flat_map(|_| push(&mut stage, plate, Vec2::new(0.0, speed * DT))).count();
            stage.steps(30);
            let y = stage.pos(crate_).y;
            assert!(near(y, 72.0, 3.5), "at {speed} px/s, stops {stops}: {y}");
            assert_eq!(crushed, usize::from(!stops), "at {speed} px/s, stops {stops}");
        }
    }
}

#[test]
fn two_plates_crush_and_one_alone_only_pushes() {
    for way in [Vec2::X, Vec2::Y] {
        let mut stage = room(LevelView::TopDown);
        let hero = stage.add(&walker(), 56.0, 56.0);
        let one = stage.add(&plate(way, false), 56.0 - way.x * 40.0, 56.0 - way.y * 40.0);
        let two = stage.add(&plate(way, false), 56.0 + way.x * 40.0, 56.0 + way.y * 40.0);
        let mut crushed = Vec::new();
        for _ in 0..60 {
            stage.physics.set_next_pose(two, stage.pos(two) - way * 0.5, 0.0);
            crushed.extend(push(&mut stage, one, way * 0.5));
        }
        assert!(matches!(crushed[..], [Crushed { key, by }] if key == hero && (by == one || by == two)), "{crushed:?}");
        // Away again: it is free, where it was.
        stage.physics.set_pose(one, Vec2::splat(-200.0), 0.0);
        stage.physics.set_pose(two, Vec2::splat(-300.0), 0.0);
        stage.steps(2);
        assert!(stage.pos(hero).distance(Vec2::splat(56.0)) < 12.0, "{}", stage.pos(hero));
    }
}

#[test]
fn a_walker_is_put_aside_where_an_edge_comes_down_on_it_a_little() {
    let mut stage = room(LevelView::Platformer);
    let hero = stage.add(&walker(), 40.0, 87.0);
    stage.steps(20);
    // Its right edge is 2 px over the walker's left one.
    let block = stage.add(&plate(Vec2::X, false), 26.0, 20.0);
    let crushed: Vec<_> = (0..60).flat_map(|_| push(&mut stage, block, Vec2::new(0.0, 1.0))).collect();
    assert!(crushed.is_empty(), "{crushed:?}");
    assert!(near(stage.pos(hero).x, 42.0, 0.2) && stage.physics.on_ground(hero), "{}", stage.pos(hero));
}

#[test]
fn a_door_that_closes_on_a_walker_puts_it_out_or_crushes_it() {
    // Room beside the door: out of it.
    let door = BodySpec::fixed(Shape::Box([16.0, 80.0]));
    let mut stage = room(LevelView::Platformer);
    let hero = stage.add(&walker(), 50.0, 87.0);
    stage.steps(20);
    stage.add(&door, 56.0, 56.0);
    stage.steps(2);
    assert!(stage.physics.take_crushed().is_empty());
    assert!(near(stage.pos(hero).x, 42.0, 0.1), "{}", stage.pos(hero));
    // None: a corridor as narrow as the door.
    let mut stage = Stage::new(&["###", "# #", "# #", "###"]);
    let hero = stage.add(&walker(), 24.0, 39.0);
    stage.steps(20);
    let door = stage.add(&BodySpec::fixed(Shape::Box([16.0, 32.0])), 24.0, 32.0);
    stage.steps(3);
    assert_eq!(stage.physics.take_crushed(), [Crushed { key: hero, by: door }]);
    let at = stage.pos(hero);
    assert!(near(at.x, 24.0, 2.1) && at.y > 23.9 && at.y < 40.1, "{at}");
}

#[test]
fn a_platform_with_someone_on_it_goes_up_to_the_ceiling_and_no_farther_if_it_stops() {
    for stops in [false, true] {
        let mut stage = room(LevelView::Platformer);
        let lift = stage.add(&plate(Vec2::NEG_Y, stops), 56.0, 86.0);
        let hero = stage.add(&walker(), 56.0, 67.0);
        stage.steps(10);
        assert!(stage.physics.on_ground(hero));
        let mut crushed = Vec::new();
        let mut heights = Vec::new();
        for _ in 0..80 {
            crushed.extend(push(&mut stage, lift, Vec2::new(0.0, -0.7)));
            heights.push(stage.pos(hero).y);
            assert!(beyond(&stage, hero) < 0.05);
        }
        assert_eq!(crushed.len(), usize::from(!stops));
        if stops {
            assert!(near(stage.pos(lift).y, 42.0, 0.8) && stage.physics.on_ground(hero), "{}", stage.pos(lift));
            assert!(heights[66..].iter().all(|y| *y == heights[66]), "it does not tremble: {heights:?}");
        }
    }
}

#[test]
fn a_crate_pressed_by_a_platform_pushes_a_walker_and_crushes_it() {
    let mut stage = Stage::new(&["", "", "", "#             #", "###############"]);
    let ram =
        stage.add(&BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([16.0, 30.0])) }, 40.0, 48.0);
    let crate_ = stage.add(&BodySpec { mass: 20.0, ..crate_of(16.0) }, 57.0, 56.0);
    let hero = stage.add(&walker(), 120.0, 56.0);
    stage.steps(20);
    let mut crushed = Vec::new();
    for _ in 0..340 {
        crushed.extend(push(&mut stage, ram, Vec2::new(0.5, 0.0)).into_iter().map(|crushed| crushed.key));
        let at = stage.pos(hero);
        assert!(at.x < 224.0 - 5.95 && at.y < 56.05, "{at}");
        if crushed.contains(&hero) {
            break;
        }
    }
    assert!(crushed.contains(&hero), "{crushed:?} at {} and {}", stage.pos(hero), stage.pos(crate_));
    assert!(stage.pos(hero).x > 200.0, "it was pushed to the wall: {}", stage.pos(hero));
}

/// The solver would shoot a light crate out of the gap.
#[test]
fn what_a_platform_presses_out_of_a_gap_is_not_shot_away() {
    for mass in [1.0, 8.0, 100.0] {
        for aside in [1.0, 3.0, 5.0] {
            let mut stage = Stage::new(&["################", "", "", "", "", "", "", "################"]);
            let plate = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([32.0, 16.0])) };
            let plate = stage.add(&plate, 120.0, 100.0);
            let crate_ = stage.add(&BodySpec { mass, ..crate_of(15.0) }, 120.0, 84.5);
            let hero = stage.add(&BodySpec { mass: 40.0, ..walker() }, 120.0 + aside, 69.0);
            let mut fastest = 0.0_f32;
            for _ in 0..120 {
                push(&mut stage, plate, Vec2::new(0.0, -40.0 / 64.0));
                fastest = fastest.max(stage.pose(crate_).vel.length());
            }
            assert!(fastest < 400.0, "{mass} kg, {aside} px aside: {fastest} px/s, hero at {}", stage.pos(hero));
        }
    }
}

/// Rows of bodies of several kinds.
fn rows() -> Vec<Vec<BodySpec>> {
    let hero = || walker();
    let crate_ = || BodySpec { mass: 20.0, ..crate_of(15.0) };
    let ball = || BodySpec { mass: 15.0, ..BodySpec::dynamic(Shape::Circle(7.5)) };
    vec![
        vec![hero(), crate_()],
        vec![crate_(), hero()],
        vec![hero(), hero(), crate_()],
        vec![crate_(), crate_(), crate_()],
        vec![crate_(), crate_(), hero()],
        vec![ball(), hero(), crate_()],
        vec![crate_(), hero(), ball()],
    ]
}

/// A ram of 16 px that pushes a row of bodies to the right, perhaps against a wall at 240 px, and returns. Checks that
/// nobody leaves the level or is thrown. Returns its x after 200 ticks, the width of the row, both in pixels, and who was
/// crushed.
fn ram(row: &[BodySpec], stops: bool, has_wall: bool) -> (f32, f32, Vec<Crushed>) {
    let (open, wall) = (" ".repeat(40), format!("{:15}#", ""));
    let floor = "#".repeat(40);
    let mut stage = Stage::new(&["", "", "", if has_wall { &wall } else { &open }, &floor]);
    let head = BodySpec { kind: BodyKind::Kinematic, stops, ..BodySpec::fixed(Shape::Box([16.0, 24.0])) };
    let head = stage.add(&head, 40.0, 51.5);
    let keys: Vec<_> = (0_u8..).zip(row).map(|(i, spec)| stage.add(spec, 80.0 + 20.0 * f32::from(i), 56.5)).collect();
    stage.steps(20);
    let (mut crushed, mut end) = (Vec::new(), 0.0);
    for tick in 0..400 {
        let before: Vec<_> = keys.iter().map(|key| stage.pos(*key)).collect();
        crushed.extend(push(&mut stage, head, Vec2::new(if tick < 200 { 0.9 } else { -0.9 }, 0.0)));
        for (i, (key, before)) in keys.iter().zip(before).enumerate() {
            let (at, bounds) = (stage.pos(*key), stage.physics.bounds(*key).unwrap());
            // A crushed walker is put back out of the crate that it was pressed into.
            assert!(at.distance(before) < 3.5, "{i}, tick {tick}: {before} to {at}");
            assert!(!has_wall || bounds.hi.x < 243.0 && bounds.hi.y < 65.5, "{i}, tick {tick}: {bounds:?}");
        }
        if tick == 199 {
            end = stage.pos(head).x;
        }
    }
    let width = |key: &EntityKey| stage.physics.bounds(*key).map_or(0.0, |bounds| bounds.hi.x - bounds.lo.x);
    (end, keys.iter().map(width).sum(), crushed)
}

#[test]
fn a_ram_that_stops_waits_whatever_row_of_bodies_it_pushes_against_a_wall() {
    for (i, row) in rows().iter().enumerate() {
        let (end, width, crushed) = ram(row, true, true);
        let room = 240.0 - width - (end + 8.0);
        assert!((-9.0..1.0).contains(&room), "row {i}: {room} px left for it, at {end}");
        assert!(crushed.is_empty(), "row {i}: {crushed:?}");
    }
}

/// Not even walkers are pushed into each other.
#[test]
fn a_ram_that_stops_leaves_room_at_any_speed() {
    let mut rows = rows();
    let crate_ = BodySpec { mass: 20.0, ..crate_of(15.0) };
    rows.extend([vec![walker(), walker()], vec![walker(), walker(), crate_, walker()]]);
    for (i, row) in rows.iter().enumerate() {
        for speed in [15.0, 60.0, 120.0, 200.0] {
            let mut stage = Stage::new(&["", "", "", &format!("{:15}#", ""), &"#".repeat(16)]);
            let head = BodySpec { kind: BodyKind::Kinematic, stops: true, ..BodySpec::fixed(Shape::Box([16.0, 24.0])) };
            let head = stage.add(&head, 40.0, 51.5);
            let keys: Vec<_> =
                (0_u8..).zip(row).map(|(n, spec)| stage.add(spec, 80.0 + 20.0 * f32::from(n), 56.5)).collect();
            stage.steps(20);
            for tick in 0..(200.0 / speed * 64.0) as usize {
                let crushed = push(&mut stage, head, Vec2::new(speed / 64.0, 0.0));
                let farthest = keys.iter().map(|key| stage.physics.bounds(*key).unwrap().hi.x).fold(0.0, f32::max);
                assert!(crushed.is_empty() && farthest < 242.5, "row {i}, {speed} px/s, tick {tick}: {farthest}");
            }
            let bounds: Vec<_> = keys.iter().map(|key| stage.physics.bounds(*key).unwrap()).collect();
            let width = bounds.iter().map(|bounds| bounds.hi.x - bounds.lo.x).sum::<f32>();
            let room = 240.0 - width - (stage.pos(head).x + 8.0);
            assert!((-5.0..4.0).contains(&room) && stage.physics.waits(head), "row {i}, {speed} px/s: {room} px");
            if row.iter().all(|spec| spec.walker.is_some()) {
                assert!(bounds[0].hi.x < bounds[1].lo.x + 0.2, "row {i}, {speed} px/s: {bounds:?}");
            }
        }
    }
}

#[test]
fn walkers_between_a_ram_that_waits_and_a_crate_at_a_wall_stand_still() {
    for (x, speed) in [(100.0, 120.0), (100.0, 200.0), (96.0, 200.0), (92.0, 200.0)] {
        let mut stage = Stage::new(&["", "", "", &format!("{:23}#", ""), &"#".repeat(24)]);
        let head = BodySpec { kind: BodyKind::Kinematic, stops: true, ..BodySpec::fixed(Shape::Box([16.0, 48.0])) };
        let head = stage.add(&head, 40.0, 39.5);
        let crate_ = BodySpec { mass: 8.0, ..crate_of(15.0) };
        let row = [(walker(), x), (walker(), x + 22.0), (crate_, x + 44.0)];
        let keys = row.map(|(spec, x)| stage.add(&spec, x, 54.5));
        stage.steps(20);
        let arrives_at_tick = (320.0 / speed * 64.0) as usize;
        let mut last = keys.map(|key| stage.pos(key));
        for tick in 0..arrives_at_tick + 200 {
            push(&mut stage, head, Vec2::new(speed / 64.0, 0.0));
            let now = keys.map(|key| stage.pos(key));
            let is_still = last.iter().zip(now).all(|(last, now)| last.distance(now) < 0.05);
            let why = || format!("from {x}, {speed} px/s, tick {tick}: {last:?} {now:?}");
            assert!(is_still || tick < arrives_at_tick + 100, "{}", why());
            assert!(now[0].x < now[1].x && now[1].x < now[2].x && now[2].x < 368.0 - 5.0, "{}", why());
            last = now;
        }
        assert!(stage.physics.waits(head), "from {x}, {speed} px/s");
    }
}

#[test]
fn a_slow_ram_crushes_a_walker_behind_a_crate_at_a_wall() {
    let crate_ = BodySpec { mass: 20.0, ..crate_of(15.0) };
    for row in [[crate_.clone(), walker()], [walker(), crate_]] {
        for speed in [5.0, 10.0, 20.0] {
            let mut stage = Stage::new(&["", "", "", &format!("{:8}#", ""), &"#".repeat(9)]);
            let head = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([16.0, 24.0])) };
            let head = stage.add(&head, 70.0, 51.5);
            let keys = [(&row[0], 90.0), (&row[1], 108.0)].map(|(spec, x)| stage.add(spec, x, 56.5));
            stage.steps(20);
            let mut crushed = Vec::new();
            for _ in 0..(50.0 / speed * 64.0) as usize {
                crushed.extend(push(&mut stage, head, Vec2::new(speed / 64.0, 0.0)).iter().map(|it| it.key));
                for key in keys {
                    let far = stage.physics.bounds(key).unwrap().hi.x;
                    assert!(far < 128.0 + 3.5, "{speed} px/s: {far}");
                }
            }
            assert!(keys.iter().any(|key| crushed.contains(key)), "{speed} px/s: {crushed:?}");
        }
    }
}

#[test]
fn a_ram_goes_over_what_it_crushes_and_shoots_none_of_it_away() {
    for (i, row) in rows().iter().enumerate() {
        let (end, _, crushed) = ram(row, false, true);
        assert!(near(end, 220.0, 0.1) && !crushed.is_empty(), "row {i}: {end}");
    }
}

#[test]
fn a_fast_ram_that_slows_over_crates_that_it_has_crushed_shoots_none_of_them_away() {
    let (wall, floor) = (format!("{:13}#", ""), "#".repeat(60));
    let mut wrong = Vec::new();
    for (speed, slows) in
        [50.0, 60.0, 100.0, 200.0, 300.0, 400.0].into_iter().flat_map(|speed| [(speed, false), (speed, true)])
    {
        for n in 1..=4_u8 {
            let mut stage = Stage::new(&["", "", &wall, &wall, &wall, &floor]);
            let head = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([12.0, 40.0])) };
            let head = stage.add(&head, 60.0, 59.5);
            let loose = surface(BodySpec { mass: 8.0, ..crate_of(15.0) }, 0.6, 0.0);
            let keys: Vec<_> = (0..n).map(|i| stage.add(&loose, 90.0 + 18.0 * f32::from(i), 72.49)).collect();
            stage.steps(20);
            let (mut fastest, mut highest, mut deepest) = (0.0_f32, 80.0_f32, 0.0_f32);
            for _ in 0..192 {
                let way = (198.0 - stage.pos(head).x).max(0.0);
                let speed = if slows { f32::min(speed, way * 8.0) } else { speed };
                push(&mut stage, head, Vec2::new((speed / 64.0).min(way), 0.0));
                for key in &keys {
                    let (pose, bounds) = (stage.pose(*key), stage.physics.bounds(*key).unwrap());
                    fastest = fastest.max(pose.vel.y.abs()).max(-pose.vel.x);
                    highest = highest.min(bounds.lo.y);
                    deepest = deepest.max(bounds.hi.x - 208.0);
                }
            }
            if fastest > 200.0 || highest < 56.0 || deepest > 2.2 {
                wrong.push(format!(
                    "{speed} px/s, slows {slows}, {n}: {fastest} px/s, up to {highest}, {deepest} px in"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_ram_pushes_rows_of_bodies_in_the_open() {
    for (i, row) in rows().iter().enumerate() {
        for stops in [false, true] {
            let (end, _, crushed) = ram(row, stops, false);
            assert!(near(end, 220.0, 8.0), "row {i}, {stops}: {end}");
            assert!(crushed.is_empty(), "row {i}, {stops}: {crushed:?}");
        }
    }
}

/// Movers give way to what a platform drives against them, in rows of any order: it neither sinks into the first of them
/// for good nor squeezes a loose body out upward.
#[test]
fn a_ram_drives_loose_bodies_and_walkers_ahead_at_any_speed() {
    let motions = [40.0, 120.0, 200.0, 300.0].map(|it| [(it, false), (it, true)]).concat();
    let rows = ["cw", "cr", "bw", "br", "wcw", "rcr", "bcr", "wcwcw", "cwcw", "brbrbrb"];
    let all = rows.into_iter().flat_map(|row| motions.iter().map(move |motion| (row, *motion)));
    for (row, (speed, stops)) in one_in(3, all) {
        let case = format!("{row}, {speed} px/s, stops: {stops}");
        let mut stage = Stage::new(&["", "", "", "", &"#".repeat(80)]);
        let head = BodySpec { kind: BodyKind::Kinematic, stops, ..BodySpec::fixed(Shape::Box([16.0, 24.0])) };
        let head = stage.add(&head, 40.0, 51.5);
        let row = (0_u8..).zip(row.chars());
        let keys: Vec<_> = row.map(|(i, it)| stage.add(&in_row(it), 80.0 + 16.5 * f32::from(i), 55.0)).collect();
        stage.steps(20);
        let mut depth = 0.0;
        for tick in 0..(500.0 / speed * 64.0) as usize {
            let crushed = push(&mut stage, head, Vec2::new(speed / 64.0, 0.0));
            assert!(crushed.is_empty(), "{case}, tick {tick}: {crushed:?}");
            let front = stage.physics.bounds(head).unwrap().hi.x;
            let bounds: Vec<_> = keys.iter().map(|key| stage.physics.bounds(*key).unwrap()).collect();
            let rise = bounds.iter().map(|bounds| 64.0 - bounds.hi.y).fold(0.0, f32::max);
            depth = bounds.iter().map(|bounds| front - bounds.lo.x).fold(0.0, f32::max);
            assert!(rise < 3.0 && depth < 5.0, "{case}, tick {tick}: {rise} px high, {depth} px deep");
        }
        assert!(depth < 0.5 && near(stage.pos(head).x, 540.0, 10.0), "{case}: {depth} px deep");
        assert!(keys.is_sorted_by(|a, b| stage.pos(*a).x < stage.pos(*b).x), "{case}: out of order");
    }
}

#[test]
fn a_one_way_platform_goes_through_what_is_beside_or_below_it() {
    let ball = BodySpec { mass: 20.0, ..BodySpec::dynamic(Shape::Circle(8.0)) };
    for (i, victim) in [walker(), BodySpec { mass: 20.0, ..crate_of(15.0) }, ball].iter().enumerate() {
        for (from, way) in [(Vec2::new(40.0, 52.0), Vec2::X), (Vec2::new(120.0, 20.0), Vec2::Y)] {
            for (stops, px) in [(false, 1.0), (true, 1.0), (false, 4.0), (true, 4.0)] {
                let mut stage = Stage::new(&["", "", "", "", "################"]);
                let mut plate = BodySpec::fixed(Shape::Box([48.0, 8.0]));
                (plate.kind, plate.stops) = (BodyKind::Kinematic, stops);
                plate.collider.as_mut().unwrap().one_way = true;
                let plate = stage.add(&plate, from.x, from.y);
                let victim = stage.add(victim, 120.0, 55.0);
                stage.steps(20);
                let n = if way == Vec2::X { 160 } else { 40 };
                let crushed: Vec<_> = (0..n / px as usize).flat_map(|_| push(&mut stage, plate, way * px)).collect();
                assert!(crushed.is_empty(), "{i}, {way}, {stops}: {crushed:?}");
                let gone = (stage.pos(plate) - from).dot(way);
                assert!(near(gone, n as f32, 0.1), "{i}, {way}, {stops}, {px}: {gone} px");
                assert!(near(stage.pos(victim).x, 120.0, 0.5), "{i}, {way}, {stops}: {}", stage.pos(victim));
            }
        }
    }
}

#[test]
fn crushing_runs_the_same_from_a_snapshot() {
    let mut stage = room(LevelView::Platformer);
    let keys = [stage.add(&walker(), 40.0, 86.0), stage.add(&crate_of(14.0), 70.0, 86.0)];
    let plate = stage.add(&plate(Vec2::Y, false), 56.0, 20.0);
    let run = |physics: &mut Physics, n: usize| -> Vec<u64> {
        let tick = |_| {
            let at = physics.pose(plate).unwrap().pos;
            physics.set_next_pose(plate, at + Vec2::new(0.0, 0.7), 0.0);
            physics.step();
            physics.hash()
        };
        (0..n).map(tick).collect()
    };
    run(&mut stage.physics, 70);
    for _ in 0..4 {
        let mut copy = stage.physics.clone();
        assert_eq!(run(&mut stage.physics, 12), run(&mut copy, 12));
    }
    assert_eq!(stage.physics.take_crushed().iter().map(|crushed| crushed.key).collect::<Vec<_>>(), keys);
}

#[test]
fn of_what_rains_into_a_pit_no_center_gets_into_the_ground() {
    let rows: Vec<String> =
        (0..20).map(|_| format!("####{}####", " ".repeat(10))).chain((0..3).map(|_| "#".repeat(18))).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let polygon = |points: &[[f64; 2]]| BodySpec::dynamic(Shape::Polygon(points.to_vec()));
    let shapes = [
        crate_of(4.0),
        crate_of(12.0),
        ball(6.0),
        BodySpec::dynamic(Shape::Box([40.0, 6.0])),
        BodySpec::dynamic(Shape::Box([24.0, 10.0])),
        polygon(&[[-8.0, 6.0], [8.0, 6.0], [0.0, -8.0]]),
        polygon(&[[-8.0, -4.0], [0.0, -8.0], [8.0, -4.0], [8.0, 4.0], [0.0, 8.0], [-8.0, 4.0]]),
    ];
    for seed in 0..6 {
        let mut random = levelwright::sim::random::Stream::new(seed, "rain");
        let mut within = |lo: f64, hi: f64| random.range(lo, hi) as f32;
        let mut stage = Stage::new(&rows);
        let rain: Vec<_> = (0..70)
            .map(|i| {
                let velocity = Vec2::new(within(-300.0, 300.0), within(0.0, 600.0));
                let spec = BodySpec { velocity, mass: 4.0, ..shapes[i % shapes.len()].clone() };
                stage.add(&spec, within(90.0, 198.0), within(-400.0, 260.0))
            })
            .collect();
        for tick in 0..192 {
            stage.steps(1);
            for key in &rain {
                let at = stage.pos(*key);
                // The origin of a triangle is not quite its center.
                let is_in_pit = (62.0..226.0).contains(&at.x) && at.y < 322.0;
                let is_in_ground = (0.0..288.0).contains(&at.x) && (0.0..368.0).contains(&at.y) && !is_in_pit;
                assert!(!is_in_ground, "seed {seed}, tick {tick}: {:?}", stage.pose(*key));
            }
        }
    }
}

#[test]
fn a_crate_that_a_fast_piston_throws_meets_a_walker_that_stands_apart() {
    let mut stage = Stage::new(&["", "", "", "", "####################"]);
    let cargo = stage.add(&crate_of(14.0), 112.0, 57.0);
    let hero = stage.add(&walker(), 145.0, 55.0);
    let piston = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([16.0, 12.0])) };
    let piston = stage.add(&piston, 96.0, 56.0);
    stage.steps(64);
    // By 36 px in one tick, 20 px of which are free.
    stage.physics.set_next_pose(piston, Vec2::new(132.0, 56.0), 0.0);
    stage.steps(1);
    let depth = stage.pos(cargo).x + 7.0 - (stage.pos(hero).x - 6.0);
    assert!(depth < 8.0 && stage.pos(cargo).x > 132.0, "{depth} px deep, crate at {}", stage.pos(cargo));
}
