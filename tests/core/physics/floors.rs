//! Level floors of all kinds are one floor to those who walk on them, and one that only holds from above holds as any
//! other.

use super::*;
use crate::cases::{Case, seeds};

/// Kinds of tiles with a level top: whole cells, ledges, slopes with their tips below, belts and the top of a ladder.
const KINDS: [char; 11] = ['#', '-', 'v', 'T', 't', 'w', 'i', 'L', 'c', 'C', 'E'];

#[test]
fn who_is_put_exactly_on_a_ledge_stands_as_high_as_on_a_whole_tile() {
    for row in ["----####", "EEEE####", "wwww####", "####----"] {
        for y in [24.0, 24.0 - 1.0 / 128.0, 24.0 - 1.0 / 64.0, 24.0 - 1.0 / 32.0] {
            let mut stage = Stage::new(&["", "", row]);
            let key = stage.add(&walker(), 40.0, y);
            stage.steps(1);
            let stands = stage.pos(key).y;
            assert!((24.0 - 0.04..24.0 - 0.01).contains(&stands), "{row} from {y}: {stands}");
            stage.walk(key, right(), 0.6);
            assert!(stage.pos(key).x > 80.0, "{row} from {y}: caught at {:?}", stage.pose(key));
        }
    }
}

#[test]
fn a_walker_crosses_level_floors_of_every_kind_at_its_pace() {
    for seed in seeds(75) {
        let _case = Case::new(seed);
        let mut state = seed.wrapping_mul(0x9e37_79b9);
        let mut random = |n: u64| {
            state = levelwright::model::mix(state);
            state % n
        };
        let mut row: Vec<char> = (0..60).map(|_| KINDS[random(11) as usize]).collect();
        // A gap with a platform in it that is wider by a cell on both sides, and moves by less than that.
        let gap = 20 + random(20) as usize;
        row[gap..gap + 3].fill(' ');
        let row: String = row.into_iter().collect();
        let mut stage = Stage::new(&["", "", "", "", &row]);
        let size = [4.0 + random(24) as f64, 4.0 + random(28) as f64];
        let shape = match random(3) {
            0 => Shape::Box(size),
            1 => Shape::Capsule { radius: size[0] / 2.0, height: size[0] + size[1] },
            _ => Shape::Circle(size[0] / 2.0),
        };
        let speed = 20.0 + random(280) as f32;
        let spec = WalkerSpec { speed, acceleration: speed * 10.0, ..feet() };
        let spec = BodySpec { walker: Some(spec), ..BodySpec::dynamic(shape) };
        let height = 64.0 - spec.collider.as_ref().unwrap().parts[0].convex.aabb().hi.y;
        let mut flush = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([80.0, 8.0])) };
        flush.collider.as_mut().unwrap().one_way = random(2) == 0;
        let middle = gap as f32 * 16.0 + 24.0;
        let flush = stage.add(&flush, middle, 68.0);
        let (dir, from) = if random(2) == 0 { (1.0, 40.0) } else { (-1.0, 920.0) };
        // Exactly on the floor, or where it comes to rest.
        let key = stage.add(&spec, from, height - [0.0, 1.0 / 32.0][random(2) as usize]);
        let sway = random(14) as f32;
        for tick in 0_u16..900 {
            let before = stage.pos(key);
            let place = |tick: u16| middle + sway * (f32::from(tick) * 0.05).sin();
            stage.physics.set_next_pose(flush, Vec2::new(place(tick), 68.0), 0.0);
            stage.physics.walk(key, WalkInput { dir: Vec2::new(dir, 0.0), ..WalkInput::default() });
            stage.physics.step();
            let Pose { pos, vel, .. } = stage.pose(key);
            let why = || format!("in tick {tick} at {pos} with {vel}, toward {dir} on {row}: {spec:?}");
            if !(24.0..936.0).contains(&pos.x) {
                break;
            }
            assert!(pos.y < height && pos.y > height - 0.05, "sinks or hops: {}", why());
            assert!(stage.physics.on_ground(key), "leaves the ground: {}", why());
            // Once it has its speed, all but what carries it against its way.
            let carried = [-60.0, 0.0, 60.0].map(|belt| dir * belt).map(|belt| (speed + belt) * DT);
            let (way, swayed) = ((pos.x - before.x) * dir, (place(tick) - place(tick.saturating_sub(1))).abs());
            let fits = carried.iter().any(|each| near(way, *each, 0.02 + swayed));
            assert!(fits || tick < 20, "gets {way} px on: {}", why());
        }
    }
}

#[test]
fn platforms_that_rise_catch_whoever_falls_on_them() {
    for one_way in [true, false] {
        for rise in [16.0, 60.0, 200.0] {
            for start in 0_u8..16 {
                let mut stage = Stage::new(&[]);
                let lift = stage.add(&platform(one_way), 40.0, 200.0);
                let key = stage.add(&walker(), 40.0, 120.0 + f32::from(start) / 4.0);
                for tick in 1_u8..40 {
                    let y = 200.0 - rise * DT * f32::from(tick);
                    stage.physics.set_next_pose(lift, Vec2::new(40.0, y), 0.0);
                    stage.steps(1);
                }
                let (feet, top) = (stage.pos(key).y + 8.0, stage.pos(lift).y - 4.0);
                assert!(
                    stage.physics.on_ground(key) && near(feet, top, 0.05),
                    "{rise} px/s from {start}: {feet} {top}"
                );
            }
        }
    }
}

#[test]
fn who_jumps_up_through_a_ledge_is_not_thrown_by_it() {
    for start in 0_u8..16 {
        let jumps = |row: &str| {
            let mut stage = Stage::new(&["", "", "", "", row, "", "######"]);
            let key = stage.add(&walker(), 40.0, 88.0 - 1.0 / 32.0);
            stage.walk(key, WalkInput::default(), DT);
            let jump = WalkInput { jump: Some(290.0 + f32::from(start)), ..WalkInput::default() };
            let (_, poses) = stage.walk(key, jump, 0.33);
            poses.iter().map(|pose| pose.pos.y).fold(f32::INFINITY, f32::min)
        };
        assert_eq!(jumps("------"), jumps(""));
    }
}

/// A walker of some shape that steps up at most 9 px, with a speed in px/s.
fn stepper(shape: &Shape, speed: f32) -> BodySpec {
    let feet = WalkerSpec { speed, acceleration: 1400.0, step_height: 9.0, ..feet() };
    BodySpec { walker: Some(feet), ..BodySpec::dynamic(shape.clone()) }
}

/// Shapes with round feet, and one without; with their heights.
fn shapes() -> Vec<(Shape, f32)> {
    let capsules = [(5.0, 18.0), (7.0, 20.0), (8.0, 24.0), (10.0, 22.0)];
    let capsules = capsules.map(|(radius, height)| (Shape::Capsule { radius, height }, height as f32));
    let balls = [5.0, 6.0, 8.0, 12.0].map(|radius| (Shape::Circle(radius), 2.0 * radius as f32));
    capsules.into_iter().chain(balls).chain([(Shape::Box([10.0, 18.0]), 18.0)]).collect()
}

#[test]
fn feet_of_every_shape_step_up_onto_ledges() {
    for (shape, height) in shapes() {
        for rise in [1.0, 2.0, 4.0, 6.0, 8.0] {
            // A slow one comes to the ledge in small steps, wherever it begins.
            for (speed, x) in [(40.0, 20.0), (110.0, 20.0), (110.0, 23.7), (220.0, 20.0), (220.0, 23.7)] {
                for row in ["     ------------", "     ww----------", "     --##--------"] {
                    // The ground before the ledge, whose top is at 32.
                    let mut stage = Stage::new(&["", "", row]);
                    stage.add(&BodySpec::fixed(Shape::Box([160.0, 32.0])), 0.0, 32.0 + rise + 16.0);
                    let key = stage.add(&stepper(&shape, speed), x, 32.0 + rise - height / 2.0);
                    stage.steps(2);
                    stage.walk(key, right(), 140.0 / speed);
                    let feet = stage.pos(key).y + height / 2.0;
                    assert!(
                        near(feet, 32.0, 0.1) && stage.pos(key).x > 100.0 && stage.physics.on_ground(key),
                        "{shape:?}, {rise} px, {speed} px/s from {x}, {row}: feet at {feet}, {:?}",
                        stage.pose(key)
                    );
                }
            }
        }
    }
}

#[test]
fn feet_of_every_shape_drop_through_ledges_standing_and_walking() {
    for (shape, height) in shapes() {
        for row in ["  ------------  ", "  wwwwwwwwwwww  ", "  w-w-w-w-w-w-  ", "##------------##"] {
            for (dir, x) in
                [0.0, 1.0, -1.0].into_iter().flat_map(|dir| [39.0, 96.0, 104.0, 107.3, 126.0].map(|x| (dir, x)))
            {
                // At the end of the ledge it would walk off it.
                for hold in [DT, 0.2].into_iter().filter(|_| x > 50.0 || dir == 0.0) {
                    let mut stage = Stage::new(&["", "", row, "", "", "", "", "################"]);
                    let key = stage.add(&stepper(&shape, 80.0), x, 32.0 - height / 2.0);
                    stage.steps(2);
                    stage.walk(key, WalkInput { dir: Vec2::X * dir, ..WalkInput::default() }, 0.1);
                    stage.walk(key, WalkInput { dir: Vec2::X * dir, drop: true, ..WalkInput::default() }, hold);
                    stage.walk(key, WalkInput { dir: Vec2::X * dir, ..WalkInput::default() }, 0.6);
                    let feet = stage.pos(key).y + height / 2.0;
                    let what = format!("{shape:?}, {row}, {dir} from {x}: feet at {feet}");
                    assert!(near(feet, 112.0, 0.1) && stage.physics.on_ground(key), "{what}");
                }
            }
        }
    }
}

#[test]
fn who_falls_on_the_joint_of_two_ledges_stands_on_it() {
    for (shape, height) in shapes() {
        for (row, x) in
            ["--------", "w-w-w-w-", "####----"].into_iter().flat_map(|row| [60.0, 64.0, 64.01, 66.5].map(|x| (row, x)))
        {
            for speed in [0.0, 100.0, 700.0] {
                let mut stage = Stage::new(&["", "", "", row]);
                let spec = BodySpec { velocity: Vec2::new(0.0, speed), ..stepper(&shape, 80.0) };
                let key = stage.add(&spec, x, 40.0 - height / 2.0);
                stage.steps(20);
                let feet = stage.pos(key).y + height / 2.0;
                assert!(near(feet, 48.0, 0.1) && stage.physics.on_ground(key), "{shape:?}, {row}, {x}: {feet}");
            }
        }
    }
}

#[test]
fn who_falls_through_a_hole_exactly_as_wide_lands_on_a_ledge_in_it() {
    for (fall, speed) in (0_u8..24).flat_map(|i| [200.0, 700.0, 1000.0].map(|speed| (f32::from(i) + 8.0, speed))) {
        let hole = "####.####";
        let mut stage = Stage::new(&["", "", "", "", "", "", hole, "####-####", hole, hole]);
        let feet = BodySpec { walker: Some(feet()), ..BodySpec::dynamic(Shape::Circle(8.0)) };
        let spec = BodySpec { velocity: Vec2::new(0.0, speed), ..feet };
        let body = stage.add(&spec, 72.0, 88.0 - fall);
        stage.steps(64);
        let at = stage.pos(body);
        assert!(near(at.y, 104.0, 0.1), "from {fall} px, {speed} px/s: {at}");
    }
}

#[test]
fn boxes_as_wide_as_a_hole_beside_a_wall_fall_into_it() {
    for (cells, width) in [(1, 16.0), (2, 32.0)] {
        for (way, speed) in [-1.0, 1.0].into_iter().flat_map(|way| [8.0, 80.0, 110.0, 400.0].map(|speed| (way, speed)))
        {
            // The hole is from x 160 on if it goes to the right, else to there.
            let (floor, hole) = ("#".repeat(10), ".".repeat(cells));
            let after = "#".repeat(10 - cells);
            let [wall, with_hole] = if way > 0.0 {
                [format!("{}{after}", ".".repeat(10 + cells)), format!("{floor}{hole}{after}")]
            } else {
                [after.clone(), format!("{after}{hole}{floor}")]
            };
            let rows = ["", "", &wall, &wall, &wall, &with_hole, &with_hole, &with_hole, "", &"#".repeat(20)];
            let mut stage = Stage::new(&rows);
            let spec = WalkerSpec { speed, ..feet() };
            let body = BodySpec { walker: Some(spec), ..BodySpec::dynamic(Shape::Box([width, 16.0])) };
            let body = stage.add(&body, 160.0 - way * 40.0, 72.0);
            stage.walk(body, WalkInput { dir: Vec2::X * way, ..WalkInput::default() }, 80.0 / speed + 2.0);
            let at = stage.pos(body);
            assert!(at.y > 130.0, "{width} px, {way}, {speed} px/s: {at}");
        }
    }
}

/// A box that falls at this speed, in px/s, with its left side so far over the end of ground at x 128, in pixels; and a
/// body below that end. Returns the lowest place of its feet within a second, in pixels below the end.
fn falls_beside(over: f32, speed: f32, ground: Option<BodySpec>, hz: u32, below: Option<f32>) -> f32 {
    let tiles = "#".repeat(8);
    let mut config = platformer();
    config.dt_secs = 1.0 / hz as f32;
    let mut stage = Stage::with(&["", "", "", if ground.is_none() { &*tiles } else { "" }, "", "", "", ""], config);
    if let Some(ground) = ground {
        let _ = stage.add(&ground, 104.0, 56.0);
    }
    if let Some(below) = below {
        let _ = stage.add(&BodySpec::fixed(Shape::Box([64.0, 16.0])), 160.0, 56.0 + below);
    }
    let spec = BodySpec { walker: Some(feet()), ..BodySpec::dynamic(Shape::Box([12.0, 18.0])) };
    let body = stage.add(&BodySpec { velocity: Vec2::new(0.0, speed), ..spec }, 134.0 - over, 20.0);
    let mut lowest = 0.0_f32;
    for _ in 0..hz {
        stage.steps(1);
        lowest = lowest.max(stage.pos(body).y + 9.0 - 48.0);
    }
    lowest
}

#[test]
fn a_box_beside_the_end_of_a_ledge_falls_to_what_is_next_below() {
    let fixed = BodySpec::fixed(Shape::Box([48.0, 16.0]));
    let moved = BodySpec { kind: BodyKind::Kinematic, ..fixed.clone() };
    for ground in [None, Some(fixed), Some(moved)] {
        for (speed, hz) in [0.0, 100.0, 300.0, 500.0].into_iter().flat_map(|speed| [20, 64].map(|hz| (speed, hz))) {
            let case = format!("{speed} px/s, {hz} Hz, {:?}", ground.as_ref().map(|it| it.kind));
            let past = falls_beside(0.02, speed, ground.clone(), hz, None);
            assert!(past > 40.0, "{case}: hangs at {past}");
            for below in [3.0, 10.0] {
                let lowest = falls_beside(0.02, speed, ground.clone(), hz, Some(below));
                assert!(near(lowest, below, 0.1), "{case}: {below} px below, {lowest}");
            }
            let on = falls_beside(0.2, speed, ground.clone(), hz, None);
            assert!(on < 0.1, "{case}: does not stand, {on}");
        }
    }
}

#[test]
fn a_box_over_an_edge_by_no_more_than_its_skin_falls() {
    for (width, aside) in [(15.0, 0.48), (15.0, -0.48), (12.0, 1.985), (15.9, 0.03), (16.0, 0.0)] {
        let rows = ["", "", "", &*format!("{}{:1}{}", "#".repeat(8), "", "#".repeat(7)), &"#".repeat(16)];
        let mut stage = Stage::new(&rows);
        let spec = surface(BodySpec { walker: Some(feet()), ..BodySpec::dynamic(Shape::Box([width, 18.0])) }, 0.0, 0.0);
        let body = stage.add(&spec, 136.0 + aside, 38.97);
        stage.steps(32);
        assert!(stage.pos(body).y > 50.0, "{width} px, {aside} px aside: {:?}", stage.pose(body));
    }
}
