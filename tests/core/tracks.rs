//! Tracks as pure functions of a time: how values go from key to key, and where in a track a time is.

use levelwright::{
    model::Value,
    sim::{
        behavior::vocabulary::RouteMode,
        components::tracks_of,
        tracks::{Driven, Ease, Key, Kind, Track, eased, hermite, place, times_passed},
    },
    tools::timeline::{KeyAt, played_key},
};

fn track(kind: Kind, keys: &[(f64, Value, Ease)]) -> Track {
    let keys: Vec<Key> =
        keys.iter().map(|(at, value, ease)| Key { at: *at, value: value.clone(), ease: *ease, slope: None }).collect();
    Track {
        name: "t".into(),
        drives: Driven::Rotation,
        kind,
        secs: keys.last().map_or(1.0, |key| key.at),
        keys,
        mode: RouteMode::Once,
        added: false,
        autostart: true,
        start_on: "".into(),
        reverse_on: "".into(),
        stop_on: "".into(),
        send_at_end: "".into(),
        marks: Vec::new(),
    }
}

/// A track of numbers.
fn numbers(keys: &[(f64, f64, Ease)]) -> Track {
    let keys: Vec<_> = keys.iter().map(|(at, x, ease)| (*at, Value::Float(*x), *ease)).collect();
    track(Kind::Number, &keys)
}

#[test]
fn each_ease_begins_and_ends_at_its_keys_and_is_where_it_should_be_between() {
    // Halfway in time, and after a quarter of it.
    for (ease, quarter, half) in [
        (Ease::Step, 0.0, 0.0),
        (Ease::Linear, 0.25, 0.5),
        (Ease::EaseIn, 1.0 / 64.0, 0.125),
        (Ease::EaseOut, 1.0 - 27.0 / 64.0, 0.875),
        (Ease::EaseInOut, 1.0 / 16.0, 0.5),
    ] {
        assert!((eased(ease, 0.25) - quarter).abs() < 1e-12, "{ease:?}");
        assert!((eased(ease, 0.5) - half).abs() < 1e-12, "{ease:?}");
        assert_eq!((eased(ease, 0.0), eased(ease, 1.0)), (0.0, 1.0), "{ease:?}");
        // Never back, and the other way around is the other ease.
        let shares: Vec<f64> = (0..=64).map(|i| eased(ease, f64::from(i) / 64.0)).collect();
        assert!(shares.windows(2).all(|pair| pair[0] <= pair[1]), "{ease:?}");
        let track = numbers(&[(0.5, 10.0, ease), (1.5, 30.0, Ease::Linear)]);
        for (secs, value) in [(0.0, 10.0), (0.5, 10.0), (1.0, 10.0 + 20.0 * half), (1.5, 30.0), (9.0, 30.0)] {
            assert_eq!(track.value_at(secs), Some(Value::Float(value)), "{ease:?} at {secs} s");
        }
        assert_eq!(Ease::parse(ease.word()), Some(ease));
    }
    assert_eq!(Ease::parse("Bounce"), None);
}

#[test]
fn a_value_at_a_key_is_exactly_that_of_the_key() {
    let mut seed = 7;
    let mut random = || {
        seed = levelwright::model::mix(seed);
        f64::from(u32::try_from(seed >> 40).unwrap()) / 1e3
    };
    for ease in Ease::ALL {
        let mut at = 0.0;
        let keys: Vec<(f64, f64, Ease)> = std::iter::repeat_with(|| {
            at += 0.001 + random();
            (at, random() - 8e3, ease)
        })
        .take(50)
        .collect();
        let track = numbers(&keys);
        for (at, value, _) in &keys {
            assert_eq!(track.value_at(*at), Some(Value::Float(*value)), "{ease:?} at {at}");
        }
    }
}

#[test]
fn a_hermite_curve_goes_through_its_points_with_its_slopes() {
    let (p, m, q, n) = (3.0, 12.0, -5.0, 4.0);
    let at = |t: f64| hermite((p, m), (q, n), t);
    assert_eq!((at(0.0), at(1.0)), (p, q));
    let slope = |t: f64| (at(t + 1e-6) - at(t - 1e-6)) / 2e-6;
    assert!((slope(0.0) - m).abs() < 1e-4 && (slope(1.0) - n).abs() < 1e-4);
    // A straight line stays one.
    assert!((hermite((0.0, 10.0), (10.0, 10.0), 0.3) - 3.0).abs() < 1e-12);
}

#[test]
fn hermite_keys_join_without_a_corner_at_uneven_times_and_with_slopes_of_their_own() {
    let ease = Ease::Hermite;
    let mut track =
        numbers(&[(0.0, 0.0, ease), (0.3, 40.0, ease), (1.9, -20.0, ease), (2.0, 10.0, ease), (4.0, 10.0, ease)]);
    track.keys[3].slope = Some([-7.0, 0.0, 0.0, 0.0]);
    let at = |secs: f64| track.lanes_at(secs).unwrap()[0];
    for (i, key) in track.keys.iter().enumerate().skip(1).take(3) {
        let (before, after) = ((at(key.at) - at(key.at - 1e-7)) / 1e-7, (at(key.at + 1e-7) - at(key.at)) / 1e-7);
        assert!((before - after).abs() < 1e-2, "at {}: {before} and {after}", key.at);
        assert!((before - track.slope_at(i)[0]).abs() < 1e-2);
    }
    assert_eq!(track.slope_at(1)[0], -20.0 / 1.9);
    assert_eq!((track.slope_at(0)[0], track.slope_at(3)[0], track.slope_at(4)[0]), (0.0, -7.0, 0.0));
}

#[test]
fn pairs_colors_and_whole_numbers_go_from_key_to_key_and_anything_else_changes_at_them() {
    let values = |kind, from: Value, to: Value| {
        let track = track(kind, &[(0.0, from, Ease::Linear), (2.0, to, Ease::Linear)]);
        [0.0, 0.5, 1.99, 2.0].map(|secs| track.value_at(secs).unwrap().to_string())
    };
    let pairs = values(Kind::Pair, Value::vec2(0.0, 8.0), Value::vec2(4.0, 0.0));
    assert_eq!([&pairs[0], &pairs[1], &pairs[3]], ["(0.0, 8.0)", "(1.0, 6.0)", "(4.0, 0.0)"]);
    let colors = values(Kind::Color, Value::str("#000000"), Value::str("#ff8000"));
    assert_eq!(colors, ["\"#000000\"", "\"#402000\"", "\"#fe7f00\"", "\"#ff8000\""]);
    assert_eq!(values(Kind::Whole, Value::Int(0), Value::Int(10)), ["0", "3", "10", "10"]);
    assert_eq!(values(Kind::Other, Value::Bool(false), Value::Bool(true)), ["false", "false", "false", "true"]);
    assert_eq!(track(Kind::Other, &[]).value_at(1.0), None);
}

#[test]
fn a_time_is_folded_into_the_track() {
    for (mode, cases) in [
        (RouteMode::Once, [(-1.0, 0.0), (0.5, 0.5), (2.0, 2.0), (3.0, 2.0), (9.5, 2.0)]),
        (RouteMode::Loop, [(-0.5, 1.5), (0.5, 0.5), (2.0, 0.0), (3.0, 1.0), (9.5, 1.5)]),
        (RouteMode::PingPong, [(-0.5, 0.5), (0.5, 0.5), (2.0, 2.0), (3.0, 1.0), (9.5, 1.5)]),
    ] {
        for (secs, at) in cases {
            assert_eq!(place(mode, 2.0, secs), at, "{mode:?} {secs}");
        }
    }
}

#[test]
fn times_are_passed_once_each_time_around_in_order() {
    let passed = |mode, at, from, to| times_passed(mode, 2.0, at, from, to);
    assert_eq!(passed(RouteMode::Once, 1.0, 0.0, 9.0), [1.0]);
    assert_eq!(passed(RouteMode::Once, 1.0, 1.0, 9.0), [0.0; 0]);
    assert_eq!(passed(RouteMode::Once, 1.0, 0.0, 1.0), [1.0]);
    assert_eq!(passed(RouteMode::Once, 0.0, 1.0, -1.0), [0.0]);
    assert_eq!(passed(RouteMode::Loop, 0.5, 0.0, 5.0), [0.5, 2.5, 4.5]);
    assert_eq!(passed(RouteMode::Loop, 0.0, 0.0, 4.0), [2.0, 4.0]);
    assert_eq!(passed(RouteMode::Loop, 0.5, 1.0, -4.0), [0.5, -1.5, -3.5]);
    assert_eq!(passed(RouteMode::PingPong, 0.5, 0.0, 8.0), [0.5, 3.5, 4.5, 7.5]);
    assert_eq!(passed(RouteMode::PingPong, 2.0, 0.0, 8.0), [2.0, 6.0]);
    assert_eq!(passed(RouteMode::PingPong, 0.0, 4.5, 3.5), [4.0]);
    // In small steps the same as in a large one, wherever they are cut.
    for mode in [RouteMode::Once, RouteMode::Loop, RouteMode::PingPong] {
        for at in [0.0, 0.25, 1.0, 2.0] {
            for back in [1.0, -1.0] {
                let step = |i: u32| back * f64::from(i) / 64.0;
                let small: Vec<f64> = (0..700).flat_map(|i| passed(mode, at, step(i), step(i + 1))).collect();
                assert_eq!(small, passed(mode, at, 0.0, step(700)), "{mode:?} {at} {back}");
            }
        }
    }
    // However short a track is, its messages are counted.
    assert!(times_passed(RouteMode::Loop, 1e-9, 0.0, 0.0, 1.0).len() <= 256);
}

#[test]
fn a_key_of_the_time_line_is_found_among_those_that_are_played() {
    // Out of order, one that is none, and two at one time.
    let defs = r#"{ "x": (set: (Tracks: (tracks: { "way": (drives: Position, keys: [
        (at: 2.0, value: (20.0, 0.0)), (at: 1.0, value: "nowhere"), (at: 0.5, value: (5.0, 0.0)), (at: 3.0, value: (30.0, 0.0)),
        (at: 3.0, value: (31.0, 0.0)), (at: 0.0, value: (0.0, 0.0)),
    ]) }))) }"#;
    let resolution = crate::world::project(&[("entities/e.ron", defs)]).1;
    let resolved = &resolution.defs["x"];
    let track = &tracks_of(&resolution, resolved)[0];
    let tracks = resolved.get("Tracks", "tracks").unwrap();
    let played = |key: usize| played_key(track, tracks, &KeyAt { track: "way".into(), key });
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(played), [Some(2), None, Some(1), Some(3), Some(3), Some(0), None]);
    let value = |key: usize| track.keys[played(key).unwrap()].value.clone();
    assert_eq!((value(0), value(4)), (Value::vec2(20.0, 0.0), Value::vec2(31.0, 0.0)));
}
