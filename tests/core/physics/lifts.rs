//! Lifts below a ceiling: what they lift stops with them, and who stands on it is not crushed.

use super::*;
use crate::cases::one_in;

/// A lift in a shaft of 192 px, with a stack of bodies on it, the last of them `aside` px from its middle.
fn lift(stack: &[(&BodySpec, f32)], aside: f32, stops: bool) -> (Stage, EntityKey, Vec<EntityKey>) {
    let (full, shaft) = ("#".repeat(20), format!("#{:18}#", ""));
    let rows: Vec<&str> = (0..14).map(|i| if i % 13 == 0 { full.as_str() } else { &shaft }).collect();
    let mut stage = Stage::new(&rows);
    let plate = BodySpec { kind: BodyKind::Kinematic, stops, ..BodySpec::fixed(Shape::Box([64.0, 8.0])) };
    let plate = stage.add(&plate, 160.0, 190.0);
    let mut top = 186.0;
    let mut keys = Vec::new();
    for (i, (spec, height)) in stack.iter().enumerate() {
        let x = 160.0 + if i + 1 == stack.len() { aside } else { 0.0 };
        keys.push(stage.add(spec, x, top - height / 2.0 - 0.01));
        top -= height;
    }
    stage.steps(20);
    (stage, plate, keys)
}

/// The solver takes a crate on a lift for a loose body: it would fly on, into who stands on it.
#[test]
fn a_lift_that_stops_spares_who_stands_on_crates_on_it() {
    let crate_ = BodySpec { mass: 8.0, ..crate_of(15.0) };
    let round = BodySpec { walker: Some(feet()), ..BodySpec::dynamic(Shape::Capsule { radius: 5.0, height: 18.0 }) };
    let walkers = [(BodySpec { mass: 40.0, ..walker() }, 16.0), (BodySpec { mass: 40.0, ..round }, 18.0)];
    for (n_crates, (who, height)) in (1..=2).flat_map(|n| walkers.iter().map(move |who| (n, who))) {
        let all = [20.0, 60.0, 80.0, 120.0, 160.0, 240.0];
        let all = all.into_iter().flat_map(|speed| [0.0, 3.0, -6.0].map(|aside| (speed, aside)));
        for (speed, aside) in one_in(2, all) {
            let case = format!("{n_crates} crates, {height} px high, {aside} px aside, {speed} px/s");
            let mut stack = vec![(&crate_, 15.0); n_crates];
            stack.push((who, *height));
            let (mut stage, plate, keys) = lift(&stack, aside, true);
            for tick in 0..(160.0 / speed * 64.0) as usize + 30 {
                stage.physics.set_next_pose(plate, stage.pos(plate) - Vec2::new(0.0, speed / 64.0), 0.0);
                stage.physics.step();
                assert!(stage.physics.take_crushed().is_empty(), "{case}, tick {tick}");
                let bounds = [&[plate], &keys[..]].concat().into_iter().map(|key| stage.physics.bounds(key).unwrap());
                let bounds: Vec<_> = bounds.collect();
                let depth = bounds.windows(2).map(|it| it[1].hi.y - it[0].lo.y).fold(0.0, f32::max);
                assert!(depth < 1.0, "{case}, tick {tick}: {depth} px deep");
            }
            let room = stage.physics.bounds(keys[n_crates]).unwrap().lo.y - 16.0;
            assert!(stage.physics.waits(plate) && room < speed / 64.0 + 0.5, "{case}: {room} px left");
        }
    }
}

/// The place of a track that eases in and out, as a share of its length.
fn eased(t: f32) -> f32 {
    let left = 1.0 - t;
    if t < 0.5 { 4.0 * t * t * t } else { 1.0 - 4.0 * left * left * left }
}

/// Easing in and out, it is up to three times as fast as on average, and brakes so hard that what it lifts flies on. A walker stands on each
/// stack; one may be below a crate, too.
#[test]
fn a_lift_on_an_eased_track_spares_who_stands_on_crates_on_it() {
    let hero = (&BodySpec { mass: 40.0, ..walker() }, 16.0);
    let crate_ = (&BodySpec { mass: 8.0, ..crate_of(15.0) }, 15.0);
    for stack in [vec![crate_, hero], vec![crate_, crate_, hero], vec![hero, crate_, hero]] {
        for (speed, far) in [(200.0, 158.0), (260.0, 170.0)] {
            for curve in [eased, |t: f32| t * t * t] {
                let (mut stage, plate, _) = lift(&stack, 0.0, true);
                let secs = far / speed;
                let (mut at_tick, from) = (0, stage.pos(plate));
                for tick in 0..(secs * 64.0) as usize + 40 {
                    // As a track waits.
                    at_tick += usize::from(at_tick == 0 || !stage.physics.waits(plate));
                    let gone = far * curve((at_tick as f32 / 64.0 / secs).min(1.0));
                    stage.physics.set_next_pose(plate, from - Vec2::new(0.0, gone), 0.0);
                    stage.physics.step();
                    let crushed = stage.physics.take_crushed();
                    let case = format!("{} bodies, {speed} px/s, {far} px, tick {tick}", stack.len());
                    assert!(crushed.is_empty(), "{case}: {crushed:?}");
                }
                let rise = from.y - stage.pos(plate).y;
                assert!(rise > 30.0, "{} bodies, {speed} px/s: it rises by {rise} px", stack.len());
            }
        }
    }
}
