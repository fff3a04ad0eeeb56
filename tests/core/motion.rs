//! Smooth values, chance, steering, flocks, fuzzy control and clips: the worked examples and what must always hold.

use glam::Vec2;
use levelwright::sim::{
    clip::{Clip, ClipEvent, ClipPlayer},
    flock::{Bird, FlockRules, fly},
    fuzzy::{FuzzySet, and, conclude, not, or, ramp},
    motion::{Curve, angle_between, decay, lerp_angle, move_toward, move_toward_vec, smooth_damp, smooth_damp_vec},
    random::Stream,
    steering::{arrive, evade, flee, pursue, seek, toward, wander},
};
use proptest::prelude::*;

use crate::cases::cases;

#[test]
fn smooth_damp_as_worked() {
    let (mut x, mut v) = (0.0, 0.0);
    let mut seen = vec![x];
    for _ in 0..50 {
        x = smooth_damp(x, 10.0, &mut v, 0.3, f64::INFINITY, 0.02);
        seen.push(x);
    }
    assert!((seen[1] - 0.079_570_919).abs() < 1e-9, "{}", seen[1]);
    assert!((seen[50] - 9.901_543_067).abs() < 1e-9, "{}", seen[50]);
    assert!(seen.windows(2).all(|pair| pair[0] < pair[1]) && seen[50] < 10.0);
}

#[test]
fn smooth_damp_lands_instead_of_passing() {
    // Below its target and fast: it would pass, so it lands with no velocity left.
    for sign in [1.0, -1.0] {
        let mut v = 1000.0 * sign;
        assert_eq!(smooth_damp(0.0, 1.0 * sign, &mut v, 0.3, f64::INFINITY, 0.02), 1.0 * sign);
        assert_eq!(v, 0.0);
    }
    let mut v = Vec2::new(3000.0, 0.0);
    let target = Vec2::new(10.0, 10.0);
    assert_eq!(smooth_damp_vec(Vec2::ZERO, target, &mut v, 0.3, f64::INFINITY, 0.02), target);
    assert_eq!(v, Vec2::ZERO);
    // Near the target but moving across, not past it: distance alone would be fooled.
    let mut v = Vec2::new(0.0, -50.0);
    let out = smooth_damp_vec(Vec2::ZERO, Vec2::new(1.0, 0.0), &mut v, 0.3, f64::INFINITY, 0.02);
    assert!(out.y < 0.0 && v.y < 0.0);
}

#[test]
fn a_speed_limit_holds_for_the_whole_vector() {
    let mut v = Vec2::ZERO;
    let mut at = Vec2::ZERO;
    for _ in 0..200 {
        let next = smooth_damp_vec(at, Vec2::new(3000.0, 4000.0), &mut v, 0.3, 100.0, 0.01);
        assert!(next.distance(at) <= 100.0 * 0.01 * 1.01);
        at = next;
    }
    assert!((at.y / at.x - 4.0 / 3.0).abs() < 1e-3);
}

#[test]
fn steps_decay_and_angles() {
    let steps = [(0.0, 10.0, 3.0, 3.0), (0.0, -10.0, 3.0, -3.0), (9.0, 10.0, 3.0, 10.0), (5.0, 5.0, 0.0, 5.0)];
    for (from, to, step, reached) in steps {
        assert_eq!(move_toward(from, to, step), reached, "{from} to {to}");
    }
    assert_eq!(move_toward_vec(Vec2::ZERO, Vec2::new(3.0, 4.0), 2.5), Vec2::new(1.5, 2.0));
    // Two halves of a tick are a whole one.
    let half = decay(decay(0.0, 8.0, 3.0, 0.05), 8.0, 3.0, 0.05);
    assert!((half - decay(0.0, 8.0, 3.0, 0.1)).abs() < 1e-12);
    let deg = f64::to_radians;
    for (from, to, way) in [(350.0, 10.0, 20.0), (10.0, 350.0, -20.0), (0.0, 180.0, 180.0), (-90.0, 630.0, 0.0)] {
        assert!((angle_between(deg(from), deg(to)) - deg(way)).abs() < 1e-9, "{from}° to {to}°");
    }
    assert!((lerp_angle(deg(350.0), deg(10.0), 0.75) - deg(365.0)).abs() < 1e-9);
}

#[test]
fn curves_clamp() {
    for curve in [Curve::Linear, Curve::EaseIn, Curve::EaseOut, Curve::EaseInOut, Curve::SCurve] {
        assert_eq!([curve.at(-1.0), curve.at(0.0), curve.at(1.0), curve.at(7.0)], [0.0, 0.0, 1.0, 1.0], "{curve:?}");
        assert!((0..100).all(|i| curve.at(f64::from(i) / 100.0) < curve.at(f64::from(i + 1) / 100.0)), "{curve:?}");
    }
    assert_eq!(Curve::SCurve.at(0.25), 0.103_515_625);
}

#[test]
fn streams_do_not_shift_each_other() {
    let draws = |name| -> Vec<u64> {
        let mut stream = Stream::new(7, name);
        (0..100).map(|_| stream.bits()).collect()
    };
    let alone = draws("goblin");
    let (mut a, mut b) = (Stream::new(7, "goblin"), Stream::new(7, "bat"));
    let mixed: Vec<u64> = (0..100)
        .map(|_| {
            b.unit();
            b.chance(0.5);
            a.bits()
        })
        .collect();
    assert_eq!(mixed, alone);
    assert_ne!(draws("bat"), alone);
    assert_ne!(Stream::new(8, "goblin").bits(), alone[0]);
    assert_eq!((a.n_draws(), b.n_draws()), (100, 200));
}

#[test]
fn chance_is_even() {
    let mut stream = Stream::new(1, "dice");
    let mut faces = [0_i32; 6];
    for _ in 0..60_000 {
        faces[stream.below(6) as usize] += 1;
    }
    assert!(faces.iter().all(|n| (n - 10_000).abs() < 400), "{faces:?}");
    let hits = (0..10_000).filter(|_| stream.chance(0.25)).count();
    assert!((2350..2650).contains(&hits), "{hits}");
    assert!((0..10_000).map(|_| stream.range(-2.0, 3.0)).all(|x| (-2.0..3.0).contains(&x)));
    assert_eq!((stream.range(5.0, 5.0), stream.below(0)), (5.0, 0));
    assert!(!stream.chance(0.0) && stream.chance(1.0));
}

#[test]
fn steering_wishes() {
    let (here, there) = (Vec2::ZERO, Vec2::new(100.0, 0.0));
    assert_eq!(seek(here, there, 50.0), Vec2::new(50.0, 0.0));
    assert_eq!(seek(here, here, 50.0), Vec2::ZERO);
    assert_eq!(flee(here, there, 50.0), Vec2::new(-50.0, 0.0));
    assert_eq!(arrive(here, there, 50.0, 24.0), Vec2::new(50.0, 0.0));
    assert_eq!(arrive(here, Vec2::new(12.0, 0.0), 50.0, 24.0), Vec2::new(25.0, 0.0));
    // Two seconds away, so it aims where the target will be by then, unless it looks less far ahead.
    let crossing = Vec2::new(0.0, 50.0);
    assert_eq!(pursue(here, there, crossing, 50.0, 9.0).normalize(), Vec2::new(1.0, 1.0).normalize());
    assert_eq!(pursue(here, there, crossing, 50.0, 0.0), seek(here, there, 50.0));
    assert_eq!(evade(here, there, crossing, 50.0, 9.0), -pursue(here, there, crossing, 50.0, 9.0));
    assert_eq!(toward(here, there, 30.0, 0.5), Vec2::new(15.0, 0.0));
    let mut chance = Stream::new(1, "bat");
    let mut heading = 1.0_f32;
    let before = heading;
    let wish = wander(&mut heading, 2.0, 50.0, 0.1, &mut chance);
    assert!((wish.length() - 50.0).abs() < 1e-3 && (heading - before).abs() <= 0.2);
}

const RULES: FlockRules = FlockRules {
    perception: 80.0,
    separation: 18.0,
    separation_weight: 1.0,
    alignment_weight: 0.6,
    cohesion_weight: 0.5,
    flee_weight: 1.2,
    max_speed: 80.0,
    max_change: 240.0,
};

fn bird(x: f32, y: f32, vx: f32, vy: f32) -> Bird {
    Bird { pos: Vec2::new(x, y), vel: Vec2::new(vx, vy) }
}

#[test]
fn rules_of_a_flock() {
    let me = bird(0.0, 0.0, 40.0, 0.0);
    let change = |others: &[Bird], enemies: &[Vec2]| fly(me, others, enemies, &RULES, 0.1) - me.vel;
    assert!(change(&[], &[]).x > 0.0 && change(&[], &[]).y == 0.0, "alone it cruises, faster the same way");
    assert_eq!(change(&[bird(500.0, 0.0, 0.0, 0.0)], &[]), change(&[], &[]), "out of sight");
    let apart = FlockRules { alignment_weight: 0.0, cohesion_weight: 0.0, ..RULES };
    assert!((fly(me, &[bird(0.0, 6.0, 40.0, 0.0)], &[], &apart, 0.1) - me.vel).y < 0.0, "too near");
    assert!((fly(me, &[bird(0.0, 60.0, 40.0, 0.0)], &[], &apart, 0.1) - me.vel).y > 0.0, "too far");
    assert!(change(&[bird(18.0, 0.0, 40.0, 40.0)], &[]).y > 0.0, "turns as the others do");
    assert!(change(&[], &[Vec2::new(0.0, 30.0)]).y < 0.0, "flees");
}

#[test]
fn fuzzy_control() {
    assert_eq!([1.0, 2.0, 3.0, 4.0, 5.0].map(|x| ramp(x, 2.0, 4.0)), [0.0, 0.0, 0.5, 1.0, 1.0]);
    assert_eq!([1.9, 2.0].map(|x| ramp(x, 2.0, 2.0)), [0.0, 1.0], "a step");
    let set = |a, b, c, d| FuzzySet::new(a, b, c, d).unwrap();
    let near = set(0.0, 0.0, 10.0, 20.0);
    assert_eq!([-1.0, 0.0, 10.0, 15.0, 20.0].map(|x| near.degree(x)), [0.0, 1.0, 1.0, 0.5, 0.0]);
    assert_eq!((and(0.3, 0.6), or(0.3, 0.6), not(0.25)), (0.3, 0.6, 0.75));
    assert!(FuzzySet::new(1.0, 0.0, 2.0, 3.0).is_none() && FuzzySet::new(0.0, 0.0, 0.0, f64::NAN).is_none());
    let sets = [set(0.0, 1.0, 1.0, 2.0), set(4.0, 5.0, 5.0, 6.0)];
    let close = |out: Option<f64>, x: f64| out.is_some_and(|out| (out - x).abs() < 1e-9);
    assert!(close(conclude(&sets, &[(0, 1.0), (1, 1.0)]), 3.0));
    // Cut at one half: areas ¾ and 1, so (1·¾ + 5·1) / 1¾.
    assert!(close(conclude(&sets, &[(0, 0.5), (1, 1.0)]), 5.75 / 1.75));
    assert!(close(conclude(&sets, &[(0, 0.2), (0, 0.5), (0, 0.1), (1, 1.0)]), 5.75 / 1.75), "the largest counts");
    // The union of two that overlap: triangles on 0..2 and 1..3 make area 1¾ about 1½.
    assert!(close(conclude(&[set(0.0, 1.0, 1.0, 2.0), set(1.0, 2.0, 2.0, 3.0)], &[(0, 1.0), (1, 1.0)]), 1.5));
    // Not symmetric: a box 0..1 of height 1 and a box 0..3 of height ½: (1·½ + ½·2·2) / 2.
    assert!(close(conclude(&[set(0.0, 0.0, 1.0, 1.0), set(0.0, 0.0, 3.0, 3.0)], &[(0, 1.0), (1, 0.5)]), 1.25));
    assert_eq!(conclude(&sets, &[(0, 0.0)]), None);
    assert_eq!(conclude(&sets, &[]), None);
    assert_eq!(conclude(&[set(1.0, 1.0, 1.0, 1.0)], &[(0, 1.0)]), None, "a set without area");
    assert_eq!(conclude(&sets, &[(9, 1.0), (0, f64::NAN)]), None);
}

#[test]
fn clips_play() {
    use ClipEvent::{Complete, Pause, Play, Start, Stop};
    let clip = |repeats| Clip::new(vec![(4, 0.25), (5, 0.25), (6, 0.5)], repeats).unwrap();
    let mut once = ClipPlayer::new(clip(false));
    assert_eq!((once.step(1.0), once.frame()), (None, 4), "not before it plays");
    assert_eq!(once.play(), [Start, Play]);
    assert_eq!((once.step(0.25), once.frame()), (None, 4), "no time left is not below zero");
    assert_eq!((once.step(0.125), once.frame()), (None, 5));
    assert_eq!((once.pause(), once.pause(), once.step(9.0)), (Some(Pause), None, None));
    assert_eq!((once.play(), once.frame()), (vec![Play], 5));
    assert_eq!((once.step(99.0), once.frame()), (Some(Complete), 6), "several frames in one step");
    assert_eq!((once.step(99.0), once.is_complete()), (None, true), "completes once");
    assert_eq!((once.play(), once.frame()), (vec![Start, Play], 4));
    assert_eq!((once.stop(), once.stop(), once.frame()), (Some(Stop), None, 4));
    let mut round = ClipPlayer::new(clip(true));
    round.play();
    assert_eq!((round.step(1.125), round.frame()), (None, 4));
    assert_eq!((round.step(1e9 + 0.25), round.frame()), (None, 5));
    assert!(Clip::new(Vec::new(), true).is_none());
    let mut hasty = ClipPlayer::new(Clip::new(vec![(1, 0.0), (2, -1.0)], true).unwrap());
    hasty.play();
    assert_eq!(hasty.step(1e6), None, "frames without time do not hang it");
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn smooth_damp_never_passes(from in -1e3..1e3_f64, to in -1e3..1e3_f64, secs in 0.0..2.0_f64, dt in 0.001..0.1_f64) {
        let (mut x, mut v) = (from, 0.0);
        for _ in 0..200 {
            let next = smooth_damp(x, to, &mut v, secs, f64::INFINITY, dt);
            prop_assert!((to - next).abs() <= (to - x).abs() + 1e-9);
            prop_assert!((to - next) * (to - from) >= 0.0, "passed");
            x = next;
        }
    }

    #[test]
    fn a_flock_does_not_care_who_is_first(
        others in proptest::collection::vec((-90..90_i32, -90..90_i32, -80..80_i32, -80..80_i32), 0..12), turn in 0..12_usize,
    ) {
        let at = |n: i32| n as f32 * 1.37;
        let mut birds: Vec<Bird> = others.iter().map(|(x, y, u, v)| bird(at(*x), at(*y), at(*u), at(*v))).collect();
        let enemies: Vec<Vec2> = birds.iter().take(2).map(|b| b.pos * 0.7).collect();
        let me = bird(1.0, 2.0, 30.0, -10.0);
        let vel = fly(me, &birds, &enemies, &RULES, 0.016);
        prop_assert!(vel.length() <= RULES.max_speed * 1.0001);
        prop_assert!((vel - me.vel).length() <= RULES.max_change * 0.016 * 1.0001);
        let n = birds.len().max(1);
        birds.rotate_left(turn % n);
        birds.reverse();
        let enemies: Vec<Vec2> = enemies.into_iter().rev().collect();
        prop_assert_eq!(fly(me, &birds, &enemies, &RULES, 0.016), vel);
    }
}
