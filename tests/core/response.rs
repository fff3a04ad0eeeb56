//! What smoothing does to signals, against the worked example and against closed forms.

use levelwright::{
    model::{Call, Name, Value},
    sim::{
        motion::Curve,
        response::{MAX_TICKS, Metrics, Signal, Smoother, input, measure, response},
    },
};
use proptest::prelude::*;

use crate::cases::cases;

const DT: f64 = 1.0 / 64.0;

fn near(a: f64, b: f64, by: f64) -> bool {
    (a - b).abs() <= by
}

fn metrics(smoother: Smoother) -> Metrics {
    measure(&smoother, 100.0, 1.0, DT)
}

#[test]
fn a_step_through_smooth_damp_as_worked() {
    let spring = Smoother::SmoothDamp { smooth_secs: 0.3, max_speed: f64::INFINITY };
    let curve = response(&spring, Signal::Step, 10.0, 0.02, 1.0);
    assert_eq!(curve.len(), 51);
    assert_eq!(curve[0], [0.0, 0.0]);
    assert!(near(curve[1][1], 0.079_570_919, 1e-9), "{:?}", curve[1]);
    assert!(near(curve[50][1], 9.901_543_067, 1e-9), "{:?}", curve[50]);
    assert!(near(curve[50][0], 1.0, 1e-12));
}

#[test]
fn a_critically_damped_spring_by_its_closed_form() {
    // H(s) = ω²/(s + ω)² with ω = 2/st. Rise and settle solve 1 − (1 + ωt)·e^(−ωt) = 0.1, 0.9, 0.98; the ramp is 2/ω
    // late; a sine keeps 1/(1 + (Ω/ω)²) and comes 2·atan(Ω/ω) late.
    let (st, dt) = (0.3, 1e-3);
    let w = 2.0 / st;
    let m = measure(&Smoother::SmoothDamp { smooth_secs: st, max_speed: f64::INFINITY }, 10.0, 1.0, dt);
    assert!(near(m.rise_secs.unwrap(), (3.889_72 - 0.531_812) / w, 0.01), "{m:?}");
    assert!(near(m.settle_secs.unwrap(), 5.833_92 / w, 0.02), "{m:?}");
    assert!(near(m.lag_secs.unwrap(), 2.0 / w, 0.005), "{m:?}");
    let ratio = std::f64::consts::TAU / w;
    assert!(near(m.gain, 1.0 / (1.0 + ratio * ratio), 0.01), "{m:?}");
    assert!(near(m.phase_lag_deg, 2.0 * ratio.atan().to_degrees(), 1.0), "{m:?}");
    assert_eq!(m.overshoot, 0.0, "critically damped");
}

#[test]
fn decay_by_its_closed_form() {
    let rate = 5.0;
    let share = 1.0 - (-rate * DT).exp();
    let step = response(&Smoother::Decay { rate }, Signal::Step, 100.0, DT, 1.0);
    for [t, y] in step {
        assert!(near(y, 100.0 * (1.0 - (-rate * t).exp()), 1e-9), "at {t}");
    }
    // An impulse is a step, and a step back a tick later.
    let impulse = response(&Smoother::Decay { rate }, Signal::Impulse, 100.0, DT, 1.0);
    for (k, [_, y]) in impulse.iter().enumerate().skip(1) {
        assert!(near(*y, 100.0 * share * (1.0 - share).powi(i32::try_from(k).unwrap() - 1), 1e-9));
    }
    let m = metrics(Smoother::Decay { rate });
    assert!(near(m.rise_secs.unwrap(), 9.0_f64.ln() / rate, 2e-3), "{m:?}");
    assert!(near(m.settle_secs.unwrap(), 50.0_f64.ln() / rate, 2e-3), "{m:?}");
    // A tick at a time: e = slope·dt·(1 − share)/share, and H(z) = share / (1 − (1 − share)·z⁻¹).
    assert!(near(m.lag_secs.unwrap(), DT * (1.0 - share) / share, 1e-4), "{m:?}");
    let (sin, cos) = (std::f64::consts::TAU * DT).sin_cos();
    let (re, im) = (1.0 - (1.0 - share) * cos, (1.0 - share) * sin);
    assert!(near(m.gain, share / re.hypot(im), 1e-4), "{m:?}");
    assert!(near(m.phase_lag_deg, im.atan2(re).to_degrees(), 0.05), "{m:?}");
}

#[test]
fn damping_is_the_solvers() {
    let curve = response(&Smoother::Damping { rate: 6.0 }, Signal::Step, 1.0, 0.1, 1.0);
    for (k, [_, y]) in curve.iter().enumerate() {
        assert!(near(*y, 1.0 - 1.6_f64.powi(-i32::try_from(k).unwrap()), 1e-12));
    }
}

#[test]
fn limits_of_speed_and_acceleration() {
    let m = metrics(Smoother::MoveToward { speed: 200.0 });
    assert!(near(m.rise_secs.unwrap(), 0.8 * 100.0 / 200.0, 1e-9), "{m:?}");
    assert!(near(m.settle_secs.unwrap(), 0.49, 1e-9), "{m:?}");
    assert!(near(m.lag_secs.unwrap(), 0.0, 1e-9), "it is as fast as the ramp: {m:?}");
    let slow = metrics(Smoother::MoveToward { speed: 50.0 });
    assert_eq!(slow.lag_secs, None, "the ramp runs away from it");
    let m = metrics(Smoother::Accelerate { acceleration: 800.0, braking: 1.0 });
    assert!(near(m.rise_secs.unwrap(), 0.1, 1e-6), "{m:?}");
    // A sine steeper than the limit loses height.
    let steep = metrics(Smoother::Accelerate { acceleration: 200.0, braking: 1.0 });
    assert!(steep.gain < 0.6 && steep.gain > 0.3, "{steep:?}");
}

#[test]
fn an_arrival_comes_to_its_goal_and_stays_there() {
    let flyer = Smoother::Arrive { speed: 80.0, acceleration: 240.0, slow_radius: 24.0, near: 6.0 };
    let curve = response(&flyer, Signal::Step, 100.0, DT, 6.0);
    let speed = curve.windows(2).map(|p| (p[1][1] - p[0][1]) / DT).fold(0.0, f64::max);
    assert!(near(speed, 80.0, 0.1), "no faster than it can: {speed}");
    let end = curve.last().unwrap()[1];
    assert!((end - 100.0).abs() <= 6.0, "{end}");
    assert_eq!(curve[curve.len() - 2][1], end, "it rests");
    let eager =
        measure(&Smoother::Arrive { speed: 80.0, acceleration: 60.0, slow_radius: 0.0, near: 0.0 }, 100.0, 1.0, DT);
    assert!(eager.overshoot > 0.1, "it cannot brake in time: {eager:?}");
}

#[test]
fn easing_a_step_follows_the_curve_and_a_ramp_is_late_by_its_mean() {
    for (curve, mean) in [
        (Curve::Linear, 1.0 / 2.0),
        (Curve::EaseIn, 3.0 / 4.0),
        (Curve::EaseOut, 1.0 / 4.0),
        (Curve::EaseInOut, 1.0 / 2.0),
        (Curve::SCurve, 1.0 / 2.0),
    ] {
        let ease = Smoother::Ease { secs: 0.5, curve };
        for (tick, [_, y]) in (0_u32..).zip(response(&ease, Signal::Step, 100.0, DT, 1.0)).skip(1) {
            assert!(near(y, 100.0 * curve.at(f64::from(tick) * DT / 0.5), 1e-9), "{curve:?}");
        }
        let m = measure(&ease, 100.0, 1.0, DT);
        // The target of a tick is where it moved to in it, so half a tick is gained.
        assert!(near(m.lag_secs.unwrap(), mean * 0.5 - DT / 2.0, 1e-3), "{curve:?}: {m:?}");
        assert_eq!(m.overshoot, 0.0);
    }
}

fn call(name: &str, args: &[(&str, Value)]) -> Call {
    Call { name: name.into(), args: args.iter().map(|(n, v)| (Name::from(*n), v.clone())).collect() }
}

#[test]
fn a_response_is_read_from_constants() {
    let read = |name: &str| match name {
        "smooth_time" => Some(0.25),
        "Camera.max_speed" => Some(500.0),
        _ => None,
    };
    let said = call(
        "SmoothDamp",
        &[
            ("smooth_time", "smooth_time".into()),
            ("max_speed", "Camera.max_speed".into()),
            ("size", 40.0.into()),
            ("unit", "px".into()),
        ],
    );
    let tried = Smoother::of(&said, &read).unwrap();
    assert_eq!(tried.smoother, Smoother::SmoothDamp { smooth_secs: 0.25, max_speed: 500.0 });
    assert_eq!((tried.size, tried.unit.as_str()), (40.0, "px"));
    for (said, complaint) in [
        (call("SmothDamp", &[]), "there is no smoothing `SmothDamp`; did you mean `SmoothDamp`?"),
        (call("Decay", &[]), "`Decay` needs `rate`"),
        (call("Decay", &[("rte", 1.0.into())]), "`Decay` has no `rte`; did you mean `rate`?"),
        (call("Decay", &[("rate", "gone".into())]), "there is no number `gone`"),
        (call("Decay", &[("rate", true.into())]), "`rate` is a number or names one"),
        (
            call("Ease", &[("secs", 1.0.into()), ("curve", "Bouncy".into())]),
            "`curve` is one of Linear, EaseIn, EaseOut, EaseInOut and SCurve",
        ),
    ] {
        assert_eq!(Smoother::of(&said, &read).unwrap_err(), complaint);
    }
}

#[test]
fn what_the_built_in_vocabulary_plots_can_be_plotted() {
    let n_pages =
        levelwright::io::builtin_tuning().into_iter().flat_map(|page| page.values.into_values()).filter(|it| {
            let Some(said) = &it.response else { return false };
            Smoother::of(said, &|_| Some(1.0)).unwrap();
            true
        });
    assert!(n_pages.count() >= 2);
    let schema = levelwright::io::builtin_schema();
    for (name, spec) in &schema.components {
        let Some(said) = &spec.response else { continue };
        let read = |from: &str| {
            spec.fields.get(from).and_then(|f| f.default_value().as_f64()).or(from.contains('.').then_some(6.0))
        };
        assert!(Smoother::of(said, &read).is_ok(), "{name}: {:?}", Smoother::of(said, &read));
    }
    assert!(schema.components.values().filter(|spec| spec.response.is_some()).count() >= 3);
}

fn any_smoother() -> impl Strategy<Value = Smoother> {
    let x = || prop_oneof![Just(0.0), 1e-6..1e5_f64, -10.0..0.0_f64];
    prop_oneof![
        (x(), x()).prop_map(|(smooth_secs, max_speed)| Smoother::SmoothDamp { smooth_secs, max_speed }),
        x().prop_map(|rate| Smoother::Decay { rate }),
        x().prop_map(|rate| Smoother::Damping { rate }),
        x().prop_map(|acceleration| Smoother::Accelerate { acceleration, braking: 2.0 }),
        x().prop_map(|speed| Smoother::MoveToward { speed }),
        (x(), x(), x(), x()).prop_map(|(speed, acceleration, slow_radius, near)| {
            Smoother::Arrive { speed, acceleration, slow_radius, near }
        }),
        x().prop_map(|secs| Smoother::Ease { secs: secs.min(5.0), curve: Curve::SCurve }),
    ]
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn whatever_the_constants_every_number_is_finite(
        smoother in any_smoother(), size in 1e-3..1e4_f64, hz in 0.0..40.0_f64, dt in 1e-3..0.1_f64,
    ) {
        let m = measure(&smoother, size, hz, dt);
        for x in [m.overshoot, m.gain, m.phase_lag_deg].into_iter().chain(m.rise_secs).chain(m.settle_secs).chain(m.lag_secs) {
            prop_assert!(x.is_finite() && x >= 0.0, "{:?}", m);
        }
        for signal in [Signal::Impulse, Signal::Step, Signal::Ramp, Signal::Sine { hz }] {
            let curve = response(&smoother, signal, size, dt, 1e9);
            prop_assert!(curve.len() <= MAX_TICKS + 1);
            prop_assert!(curve.iter().flatten().all(|x| x.is_finite()));
            prop_assert_eq!(input(signal, size, dt, 1.0).len() + 1, response(&smoother, signal, size, dt, 1.0).len());
        }
    }
}

#[test]
fn a_walker_brakes_at_a_rate_of_its_own() {
    // A tick of the signal is not enough to see it; the falling half of a slow swing is.
    let curve = |braking: f64| {
        let smoother = Smoother::Accelerate { acceleration: 300.0, braking };
        response(&smoother, Signal::Sine { hz: 1.0 }, 100.0, 1.0 / 64.0, 0.75)
    };
    let (plain, brakes) = (curve(1.0), curve(3.0));
    let at = |curve: &[[f64; 2]], secs: f64| curve.iter().find(|point| point[0] >= secs).unwrap()[1];
    assert_eq!(at(&plain, 0.2), at(&brakes, 0.2), "up at the same rate");
    // Down it follows the sine, 58.8 at 0.4 s; the other one is limited to 300 a second and behind.
    assert!((at(&brakes, 0.45) - 100.0 * (std::f64::consts::TAU * 0.453).sin()).abs() < 3.0, "{}", at(&brakes, 0.45));
    assert!(at(&plain, 0.45) > at(&brakes, 0.45) + 10.0);
}
