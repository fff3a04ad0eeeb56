//! Response of a smoothing to an impulse, a step, a ramp and a sine, and measures of these curves. Drawn beside the
//! sliders of its constants.
//!
//! Invariant: curves are computed by the functions that the preview runs (`motion`, `steering`), tick by tick from rest
//! at zero, so they show the preview and not a textbook formula. The constants of a smoothing are declared as data in
//! `model`. Every number here is finite; a curve has at most [`MAX_TICKS`] ticks.

use std::f64::consts::TAU;

use glam::{DVec2, Vec2};

use super::{
    motion::{Curve, decay, move_toward, smooth_damp},
    steering::{pace, toward},
};
use crate::model::{Call, SMOOTHERS, SmootherSpec, Value, advice, after};

/// The most ticks of a curve.
pub const MAX_TICKS: usize = 6000;

/// The default size of the step.
const SIZE: f64 = 100.0;

/// A smoothing with its constants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smoother {
    /// See [`smooth_damp`].
    SmoothDamp {
        /// Smoothing time: about how long it takes, in seconds.
        smooth_secs: f64,
        /// The greatest speed, in units per second.
        max_speed: f64,
    },
    /// See [`decay`].
    Decay {
        /// The share that decays per second while it is small, 1/s.
        rate: f64,
    },
    /// Damping of a body's velocity by the solver: after a tick `1 / (1 + rate·dt)` of the difference is left.
    Damping {
        /// The rate of the equivalent decay, in 1/s.
        rate: f64,
    },
    /// See [`toward`]: a velocity that approaches a wanted one.
    Accelerate {
        /// Units per second squared.
        acceleration: f64,
        /// Factor on the acceleration while the velocity decreases, as for walkers.
        braking: f64,
    },
    /// See [`move_toward`].
    MoveToward {
        /// Units per second.
        speed: f64,
    },
    /// A flyer that moves along a line: [`toward`] a wanted velocity that is reduced by [`pace`].
    Arrive {
        /// The greatest speed, px/s.
        speed: f64,
        /// Acceleration, px/s².
        acceleration: f64,
        /// Distance within which it slows down, in pixels.
        slow_radius: f64,
        /// Distance within which it has arrived, in pixels.
        near: f64,
    },
    /// Every change of the target is followed along a curve.
    Ease {
        /// Duration of each, in seconds.
        secs: f64,
        /// The curve.
        curve: Curve,
    },
}

/// A test signal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Signal {
    /// The target is displaced for one tick.
    Impulse,
    /// The target jumps and stays there.
    Step,
    /// The target moves by the size of a step per second.
    Ramp,
    /// The target oscillates.
    Sine {
        /// Frequency, in Hz.
        hz: f64,
    },
}

/// Measures of the response curves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Metrics {
    /// Rise time: from 10 % to 90 % of a step, in seconds; `None` if 90 % is not reached.
    pub rise_secs: Option<f64>,
    /// Overshoot of a step, as a share of the step.
    pub overshoot: f64,
    /// Settling time: until the curve stays within 2 % of a step, in seconds; `None` if it does not settle.
    pub settle_secs: Option<f64>,
    /// Lag behind a ramp, in seconds; `None` if it keeps growing.
    pub lag_secs: Option<f64>,
    /// Gain of a sine: amplitude of the response as a share of the signal's.
    pub gain: f64,
    /// Phase lag of a sine, 0° to 360°.
    pub phase_lag_deg: f64,
}

/// A smoothing as declared in data, with the size and unit of its step.
#[derive(Clone, Debug, PartialEq)]
pub struct ResponseSpec {
    /// The smoothing with its constants.
    pub smoother: Smoother,
    /// Size of the step, above zero, in units.
    pub size: f64,
    /// Unit of the values.
    pub unit: String,
}

impl Smoother {
    /// A smoothing as a `response` declares it; `read` returns the number of a constant or field by the name used
    /// there.
    ///
    /// # Errors
    /// If a word is unknown, or an argument is missing, superfluous, or names no number; the text is for people.
    pub fn of(response: &Call, read: &dyn Fn(&str) -> Option<f64>) -> Result<ResponseSpec, String> {
        let Some(spec) = SmootherSpec::of(&response.name) else {
            let words = SMOOTHERS.iter().map(|spec| spec.name);
            let near = after(advice(&response.name, "there are", words));
            return Err(format!("there is no smoothing `{}`{near}", response.name));
        };
        if let Some(odd) = response.args.keys().find(|name| !spec.args().any(|arg| arg == &***name)) {
            let near = after(advice(odd, "it has", spec.args()));
            return Err(format!("`{}` has no `{odd}`{near}", spec.name));
        }
        let optional = |name: &str, default: f64| match response.args.get(name) {
            None => Ok(default),
            Some(Value::Str(from)) => {
                read(from).filter(|x| x.is_finite()).ok_or_else(|| format!("there is no number `{from}`"))
            }
            Some(value) => {
                value.as_f64().filter(|x| x.is_finite()).ok_or_else(|| format!("`{name}` is a number or names one"))
            }
        };
        let number = |name: &str| {
            let is_given = response.args.contains_key(name);
            if is_given { optional(name, 0.0) } else { Err(format!("`{}` needs `{name}`", spec.name)) }
        };
        let smoother = match spec.name {
            "SmoothDamp" => Self::SmoothDamp {
                smooth_secs: number("smooth_time")?,
                max_speed: optional("max_speed", f64::INFINITY)?,
            },
            "Decay" => Self::Decay { rate: number("rate")? },
            "Damping" => Self::Damping { rate: number("rate")? },
            "Accelerate" => {
                Self::Accelerate { acceleration: number("acceleration")?, braking: optional("braking", 1.0)? }
            }
            "MoveToward" => Self::MoveToward { speed: number("speed")? },
            "Arrive" => Self::Arrive {
                speed: number("speed")?,
                acceleration: number("acceleration")?,
                slow_radius: optional("slow_radius", 0.0)?,
                near: optional("near", 0.0)?,
            },
            _ => Self::Ease { secs: number("secs")?, curve: curve(response.args.get("curve"))? },
        };
        let size = optional("size", SIZE)?.abs();
        let unit = response.args.get("unit").and_then(Value::as_str).unwrap_or_default().to_owned();
        Ok(ResponseSpec { smoother, size: if size > 0.0 { size } else { SIZE }, unit })
    }

    /// Approximate duration of a step of this size, in seconds: the interesting part of a curve.
    #[must_use]
    pub fn time_scale(&self, size: f64) -> f64 {
        let over = |a: f64, b: f64| if b > 0.0 { a / b } else { 1.0 };
        let secs = match *self {
            Self::SmoothDamp { smooth_secs, max_speed } => smooth_secs + over(size, max_speed),
            Self::Decay { rate } | Self::Damping { rate } => over(1.0, rate),
            Self::Accelerate { acceleration, .. } => over(size, acceleration),
            Self::MoveToward { speed } => over(size, speed),
            Self::Arrive { speed, acceleration, slow_radius, .. } => {
                over(size, speed) + over(speed, acceleration) + over(slow_radius, speed)
            }
            Self::Ease { secs, .. } => secs,
        };
        if secs.is_finite() { secs.clamp(1e-3, 60.0) } else { 1.0 }
    }
}

fn curve(given: Option<&Value>) -> Result<Curve, String> {
    Ok(match given.and_then(Value::as_str) {
        None if given.is_none() => Curve::SCurve,
        Some("Linear") => Curve::Linear,
        Some("EaseIn") => Curve::EaseIn,
        Some("EaseOut") => Curve::EaseOut,
        Some("EaseInOut") => Curve::EaseInOut,
        Some("SCurve") => Curve::SCurve,
        _ => return Err("`curve` is one of Linear, EaseIn, EaseOut, EaseInOut and SCurve".into()),
    })
}

impl Signal {
    /// The target `tick` ticks after the start; the first tick is 1.
    #[must_use]
    pub fn at(self, tick: usize, size: f64, dt_secs: f64) -> f64 {
        let secs = tick as f64 * dt_secs;
        match self {
            Self::Impulse if tick == 1 => size,
            Self::Impulse => 0.0,
            Self::Step => size,
            Self::Ramp => size * secs,
            Self::Sine { hz } => size * (TAU * hz * secs).sin(),
        }
    }
}

/// Number of ticks in a time.
fn n_ticks(dt_secs: f64, secs: f64) -> usize {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    let n = (secs / dt_secs).ceil().clamp(1.0, MAX_TICKS as f64) as usize;
    n
}

fn sound_dt(dt_secs: f64) -> f64 {
    if dt_secs.is_finite() && dt_secs > 0.0 { dt_secs } else { 1.0 / 64.0 }
}

/// The target, as a pair of seconds and value for each tick.
#[must_use]
pub fn input(signal: Signal, size: f64, dt_secs: f64, secs: f64) -> Vec<[f64; 2]> {
    let dt = sound_dt(dt_secs);
    (1..=n_ticks(dt, secs)).map(|tick| [tick as f64 * dt, signal.at(tick, size, dt)]).collect()
}

/// The response to a signal, as pairs of seconds and value, from rest at zero.
#[must_use]
pub fn response(smoother: &Smoother, signal: Signal, size: f64, dt_secs: f64, secs: f64) -> Vec<[f64; 2]> {
    let dt = sound_dt(dt_secs);
    let mut running = Running::new(*smoother);
    let mut out = vec![[0.0, 0.0]];
    out.extend((1..=n_ticks(dt, secs)).map(|tick| {
        let value = running.step(signal.at(tick, size, dt), dt);
        [tick as f64 * dt, if value.is_finite() { value } else { 0.0 }]
    }));
    out
}

/// The measures of the responses to a step of `size`, a ramp, and a sine of `hz`.
#[must_use]
pub fn measure(smoother: &Smoother, size: f64, hz: f64, dt_secs: f64) -> Metrics {
    let dt = sound_dt(dt_secs);
    let secs = (smoother.time_scale(size) * 10.0).max(dt * 64.0);
    let step = response(smoother, Signal::Step, size, dt, secs);
    let rise = crossing(&step, 0.1 * size).zip(crossing(&step, 0.9 * size));
    let top = step.iter().map(|point| point[1]).fold(0.0, f64::max);
    let ramp = response(smoother, Signal::Ramp, size, dt, secs);
    let (gain, phase_lag_deg) = swing(smoother, size, hz, dt, secs);
    Metrics {
        rise_secs: rise.map(|(from, to)| to - from),
        overshoot: (top / size - 1.0).max(0.0),
        settle_secs: settled(&step, size),
        lag_secs: behind(&ramp, size),
        gain,
        phase_lag_deg,
    }
}

/// The time in seconds at which a curve first reaches a level, linear between ticks.
fn crossing(curve: &[[f64; 2]], level: f64) -> Option<f64> {
    curve.windows(2).find(|pair| pair[1][1] >= level).map(|pair| between(pair[0], pair[1], level))
}

fn between(a: [f64; 2], b: [f64; 2], level: f64) -> f64 {
    let rise = b[1] - a[1];
    if rise == 0.0 { b[0] } else { a[0] + (b[0] - a[0]) * ((level - a[1]) / rise).clamp(0.0, 1.0) }
}

/// The time in seconds from which a curve stays within 2 % of a step.
fn settled(curve: &[[f64; 2]], size: f64) -> Option<f64> {
    let Some(last) = curve.iter().rposition(|point| (point[1] - size).abs() > 0.02 * size) else { return Some(0.0) };
    let (out, inside) = (curve.get(last)?, curve.get(last + 1)?);
    let edge = if out[1] < size { 0.98 * size } else { 1.02 * size };
    Some(between(*out, *inside, edge))
}

/// The final lag of a curve behind a ramp in seconds, unless it still grows.
fn behind(curve: &[[f64; 2]], slope: f64) -> Option<f64> {
    let lag = |point: &[f64; 2]| point[0] - point[1] / slope;
    let (last, before) = (curve.last()?, curve.get(curve.len() * 3 / 4)?);
    let (last, before) = (lag(last), lag(before));
    (last - before <= 0.01 * last.abs().max(1e-3)).then_some(last.max(0.0))
}

/// Gain and phase lag of a sine in the steady state, by a least-squares fit of sine and cosine.
fn swing(smoother: &Smoother, size: f64, hz: f64, dt: f64, secs: f64) -> (f64, f64) {
    let hz = if hz.is_finite() && hz > 0.0 { hz } else { 1.0 };
    let curve = response(smoother, Signal::Sine { hz }, size, dt, secs + 4.0 / hz);
    let end = curve.last().map_or(0.0, |point| point[0]);
    // Sums of sin·sin, sin·cos, cos·cos, and of both with the curve, over the last whole periods.
    let swings = (end * hz / 2.0).floor().max(1.0);
    let from = end - swings / hz + dt * 0.5;
    let mut sums = [0.0; 5];
    for [t, y] in curve.iter().filter(|point| point[0] > from) {
        let (sin, cos) = (TAU * hz * t).sin_cos();
        for (sum, x) in sums.iter_mut().zip([sin * sin, sin * cos, cos * cos, sin * y, cos * y]) {
            *sum += x;
        }
    }
    let [ss, sc, cc, sy, cy] = sums;
    let det = ss * cc - sc * sc;
    if det.abs() < 1e-9 {
        return (0.0, 0.0);
    }
    let fit = DVec2::new((sy * cc - cy * sc) / det, (cy * ss - sy * sc) / det);
    let gain = fit.length() / size;
    let lag = if gain > 1e-6 { (-fit.y.atan2(fit.x)).to_degrees().rem_euclid(360.0) } else { 0.0 };
    (gain, if lag > 359.9 { 0.0 } else { lag })
}

/// A smoothing during a run.
struct Running {
    smoother: Smoother,
    at: f64,
    vel: f64,
    target: f64,
    /// Changes under way: their start in seconds, and their size.
    changes: Vec<(f64, f64)>,
    /// The sum of the completed changes.
    done: f64,
}

impl Running {
    fn new(smoother: Smoother) -> Self {
        Self { smoother, at: 0.0, vel: 0.0, target: 0.0, changes: Vec::new(), done: 0.0 }
    }

    #[expect(clippy::cast_possible_truncation, reason = "the preview moves things in single precision")]
    fn step(&mut self, target: f64, dt: f64) -> f64 {
        match self.smoother {
            Smoother::SmoothDamp { smooth_secs, max_speed } => {
                self.at = smooth_damp(self.at, target, &mut self.vel, smooth_secs, max_speed, dt);
            }
            Smoother::Decay { rate } => self.at = decay(self.at, target, rate, dt),
            Smoother::Damping { rate } => self.at = target + (self.at - target) / (1.0 + rate.max(0.0) * dt),
            Smoother::Accelerate { acceleration, braking } => {
                let desired = Vec2::new(target as f32, 0.0);
                let most = acceleration * if target.abs() < self.at.abs() { braking } else { 1.0 };
                self.at = f64::from(toward(Vec2::new(self.at as f32, 0.0), desired, most as f32, dt as f32).x);
            }
            Smoother::MoveToward { speed } => self.at = move_toward(self.at, target, speed * dt),
            Smoother::Arrive { speed, acceleration, slow_radius, near } => {
                let delta = target - self.at;
                let share =
                    if delta.abs() <= near { 0.0 } else { pace(delta.abs() as f32, slow_radius.max(near) as f32) };
                let desired = Vec2::new(delta.signum() as f32 * share * speed as f32, 0.0);
                let vel = toward(Vec2::new(self.vel as f32, 0.0), desired, acceleration as f32, dt as f32);
                self.vel = f64::from(vel.x);
                self.at += self.vel * dt;
            }
            Smoother::Ease { secs, curve } => {
                if target != self.target {
                    self.changes.push((0.0, target - self.target));
                }
                self.at = self.done;
                for (age, by) in &mut self.changes {
                    *age += dt;
                    self.at += *by * if secs > 0.0 { curve.at(*age / secs) } else { 1.0 };
                }
                let is_done = |(age, _): &(f64, f64)| *age >= secs;
                self.done += self.changes.iter().filter(|it| is_done(it)).map(|(_, by)| by).sum::<f64>();
                self.changes.retain(|it| !is_done(it));
            }
        }
        self.target = target;
        self.at
    }
}
