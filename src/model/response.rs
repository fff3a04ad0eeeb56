//! How a tuning page or a component declares its smoothing: `response: SmoothDamp(smooth_time: "smooth_time")`. The
//! words and their arguments are listed here, for those who check and complete them; what each does is `sim::response`.
//!
//! An argument is a number, or in quotes what to read it from: a constant of the same page or a field of the same
//! component, or any constant as `"Page.name"`.

use super::{Call, Name, Value};

/// A smoothing that can be plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SmootherSpec {
    /// Its word in files.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// What it cannot do without.
    pub required: &'static [&'static str],
    /// What may be left out.
    pub optional: &'static [&'static str],
}

/// Arguments that every smoothing takes: how large the step is that it is tried with, and in what unit it is shown.
const COMMON_ARGS: [&str; 2] = ["size", "unit"];

/// Every smoothing that can be plotted.
pub const SMOOTHERS: [SmootherSpec; 7] = [
    SmootherSpec {
        name: "SmoothDamp",
        doc: "A critically damped spring toward a moving target, as the camera's.",
        required: &["smooth_time"],
        optional: &["max_speed"],
    },
    SmootherSpec {
        name: "Decay",
        doc: "Nearer by the same share in the same time.",
        required: &["rate"],
        optional: &[],
    },
    SmootherSpec {
        name: "Damping",
        doc: "As Decay, computed tick by tick as the physics solver does.",
        required: &["rate"],
        optional: &[],
    },
    SmootherSpec {
        name: "Accelerate",
        doc: "A velocity that follows the desired one no faster than the acceleration allows.",
        required: &["acceleration"],
        optional: &["braking"],
    },
    SmootherSpec {
        name: "MoveToward",
        doc: "A value that moves at a limited speed.",
        required: &["speed"],
        optional: &[],
    },
    SmootherSpec {
        name: "Arrive",
        doc: "A flyer moving to a place: it accelerates, and slows down near its goal.",
        required: &["speed", "acceleration"],
        optional: &["slow_radius", "near"],
    },
    SmootherSpec {
        name: "Ease",
        doc: "Every change takes a while, along a curve.",
        required: &["secs"],
        optional: &["curve"],
    },
];

impl SmootherSpec {
    /// The smoothing of that word.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Self> {
        SMOOTHERS.iter().find(|spec| spec.name == name)
    }

    /// Every argument it takes.
    pub fn args(&self) -> impl Iterator<Item = &'static str> {
        self.required.iter().chain(self.optional).copied().chain(COMMON_ARGS)
    }
}

/// What a response reads: the constants and fields its arguments name, in written order.
pub fn read_by(response: &Call) -> impl Iterator<Item = &str> {
    reads(response).map(|(_, name)| name)
}

/// What a response reads, by its arguments.
pub fn reads(response: &Call) -> impl Iterator<Item = (&Name, &str)> {
    let args = response.args.iter().filter(|(name, _)| !matches!(&***name, "unit" | "curve"));
    args.filter_map(|(arg, value)| if let Value::Str(name) = value { Some((arg, name.as_str())) } else { None })
}
