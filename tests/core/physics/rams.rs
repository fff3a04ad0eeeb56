//! Fast rams and the rows of bodies that they push toward a wall.

use super::*;

/// How deep each body of a row is in the next one, in pixels; below zero where they are apart.
fn depths(stage: &Stage, row: &[EntityKey]) -> Vec<f32> {
    let bounds: Vec<_> = row.iter().map(|key| stage.physics.bounds(*key).unwrap()).collect();
    bounds.windows(2).map(|it| it[0].hi.x - it[1].lo.x).collect()
}

/// In a tick such a ram goes as far as a walker is wide.
#[test]
fn a_fast_ram_that_stops_keeps_walkers_in_their_order_and_apart() {
    let (hero, crate_) = (BodySpec { mass: 40.0, ..walker() }, BodySpec { mass: 20.0, ..crate_of(15.0) });
    let rows =
        [vec![&hero, &hero], vec![&hero, &hero, &crate_], vec![&hero, &crate_, &hero], vec![&crate_, &hero, &hero]];
    for (i, row) in rows.iter().enumerate() {
        for speed in [200.0, 600.0, 800.0] {
            let wall = format!("#{:14}#", "");
            let mut stage = Stage::new(&[&wall, &wall, &wall, &wall, &"#".repeat(16)]);
            let head = BodySpec { kind: BodyKind::Kinematic, stops: true, ..BodySpec::fixed(Shape::Box([16.0, 44.0])) };
            let head = stage.add(&head, 40.0, 41.5);
            let row = row.iter().zip([80.0, 100.0, 120.0]);
            let keys: Vec<_> = row.map(|(spec, x)| stage.add(spec, x, 56.0)).collect();
            stage.steps(20);
            for tick in 0..(180.0 / speed * 64.0) as usize + 30 {
                stage.physics.set_next_pose(head, stage.pos(head) + Vec2::new(speed / 64.0, 0.0), 0.0);
                stage.physics.step();
                let case = format!("row {i}, {speed} px/s, tick {tick}");
                assert!(stage.physics.take_crushed().is_empty(), "{case}");
                let is_sorted = keys.is_sorted_by(|a, b| stage.pos(*a).x < stage.pos(*b).x);
                assert!(is_sorted, "{case}: out of order");
                assert!(keys.iter().all(|key| stage.pose(*key).vel.x < 1.2 * speed), "{case}: thrown");
            }
            let depth = depths(&stage, &[&[head], &keys[..]].concat()).into_iter().fold(0.0, f32::max);
            let case = format!("row {i}, {speed} px/s");
            assert!(stage.physics.waits(head) && depth < 1.0, "{case}: {depth} px deep");
        }
    }
}

/// In a tick it goes farther than the gaps between them are wide: none of those it meets on its way are in contact yet.
#[test]
fn a_fast_ram_pushes_rows_in_the_open_and_goes_through_none() {
    let rows = [
        ("bcrrw", 500.0, 16.5),
        ("wwrbw", 650.0, 18.0),
        ("rhrr", 650.0, 20.0),
        // The crate flies ahead of the ram, into the walker.
        ("bcr", 800.0, 18.0),
        ("bhr", 800.0, 28.0),
        // The first two go where the ball is before it is pushed.
        ("wrbr", 800.0, 24.0),
    ];
    for (row, speed, gap) in rows {
        for stops in [false, true] {
            let mut stage = Stage::new(&["", "", "", "", "", "", "", "", &"#".repeat(60)]);
            let head = BodySpec { kind: BodyKind::Kinematic, stops, ..BodySpec::fixed(Shape::Box([16.0, 40.0])) };
            let head = stage.add(&head, 40.0, 107.5);
            let row_of = (0_u8..).zip(row.chars());
            let keys: Vec<_> = row_of.map(|(i, it)| stage.add(&in_row(it), 80.0 + gap * f32::from(i), 118.5)).collect();
            stage.steps(20);
            for tick in 0..(600.0 / speed * 64.0) as usize {
                stage.physics.set_next_pose(head, stage.pos(head) + Vec2::new(speed / 64.0, 0.0), 0.0);
                stage.physics.step();
                let crushed = stage.physics.take_crushed();
                let case = format!("{row}, {speed} px/s, stops {stops}, tick {tick}");
                assert!(crushed.is_empty(), "{case}: {crushed:?}");
                let front = stage.pos(head).x + 8.0;
                let last =
                    keys.iter().map(|key| stage.physics.bounds(*key).unwrap().lo.x).fold(f32::INFINITY, f32::min);
                assert!(last > front - 5.0, "{case}: {last} behind {front}");
            }
            let x = stage.pos(head).x;
            assert!(x > if stops { 400.0 } else { 600.0 }, "{row}, {speed} px/s, stops {stops}: it gets to {x}");
        }
    }
}

/// In either order of their keys: who is pushed moves after what pushes it.
#[test]
fn rows_of_walkers_ahead_of_a_platform_keep_together_and_apart() {
    let eased = |t: f32| if t < 0.5 { 2.0 * t * t } else { 1.0 - 2.0 * (1.0 - t) * (1.0 - t) };
    let linear = |t: f32| t;
    let ways: [(&str, fn(f32) -> f32); 2] = [("eased", eased), ("linear", linear)];
    for (n, speed, gap) in
        [(3, 60.0, 12.0), (6, 60.0, 12.0), (8, 30.0, 14.0), (6, 160.0, 12.5), (8, 200.0, 12.03), (8, 500.0, 12.2)]
    {
        for ((name, way), is_reversed) in ways.into_iter().flat_map(|way| [(way, false), (way, true)]) {
            let mut stage = Stage::new(&["", "", "", "", "", "", "", "", &"#".repeat(60)]);
            let head = BodySpec { kind: BodyKind::Kinematic, ..BodySpec::fixed(Shape::Box([12.0, 40.0])) };
            let head = stage.add(&head, 40.0, 107.5);
            let place = |i: u8| 54.0 + gap * f32::from(if is_reversed { n - 1 - i } else { i });
            let mut keys: Vec<_> = (0..n).map(|i| stage.add(&walker(), place(i), 119.5)).collect();
            if is_reversed {
                keys.reverse();
            }
            let all = [&[head], &keys[..]].concat();
            stage.steps(20);
            let n_ticks = (300.0 / speed * 64.0) as usize;
            let case = format!("{n} walkers, {name}, {speed} px/s, {gap} px apart, reversed: {is_reversed}");
            let (mut deepest, mut last) = (0.0_f32, (0.0_f32, 0.0_f32));
            for tick in 1..=n_ticks + 10 {
                let done = way((tick as f32 / n_ticks as f32).min(1.0));
                stage.physics.set_next_pose(head, Vec2::new(40.0 + 300.0 * done, 107.5), 0.0);
                stage.physics.step();
                assert!(stage.physics.take_crushed().is_empty(), "{case}, tick {tick}");
                let depths = depths(&stage, &all).into_iter();
                last = depths.fold((0.0, 0.0), |(most, least), depth| (f32::max(most, depth), f32::min(least, depth)));
                deepest = deepest.max(last.0);
            }
            assert!(
                deepest < 1.5 && last.0 < 0.1 && last.1 > -1.5,
                "{case}: {deepest} px deep, {last:?} px in the end"
            );
        }
    }
}
