//! Interpolation of a value from one key to the next.

use crate::sim::motion::Curve;

/// Interpolation from one key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ease {
    /// Constant, with a jump at the next key.
    Step,
    /// Linear.
    #[default]
    Linear,
    /// Slow at the start.
    EaseIn,
    /// Slow at the end.
    EaseOut,
    /// Slow at the start and the end.
    EaseInOut,
    /// A cubic Hermite curve with a slope at each key.
    Hermite,
}

impl Ease {
    /// All, in the order of the menu.
    pub const ALL: [Self; 6] = [Self::Step, Self::Linear, Self::EaseIn, Self::EaseOut, Self::EaseInOut, Self::Hermite];

    /// Its name in the enum `KeyEase`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Step => "Step",
            Self::Linear => "Linear",
            Self::EaseIn => "EaseIn",
            Self::EaseOut => "EaseOut",
            Self::EaseInOut => "EaseInOut",
            Self::Hermite => "Hermite",
        }
    }

    /// Read a name of the enum `KeyEase`.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|ease| ease.word() == word)
    }
}

/// The progress to the next key, 0 to 1, after the share `t` of the time, 0 to 1. [`Ease::Hermite`] is [`hermite`];
/// here it is linear. The others are the [`Curve`]s of their names, as response plots show them.
#[must_use]
pub fn eased(ease: Ease, t: f64) -> f64 {
    match ease {
        Ease::Step => f64::from(u8::from(t >= 1.0)),
        Ease::Linear | Ease::Hermite => t,
        Ease::EaseIn => Curve::EaseIn.at(t),
        Ease::EaseOut => Curve::EaseOut.at(t),
        Ease::EaseInOut => Curve::EaseInOut.at(t),
    }
}

/// A cubic from one point to another, with slopes given as the change over the whole span, at the share `t` of the
/// span.
///
/// Source: the Hermite basis, as in Foley et al., *Computer Graphics*, 2nd edition, section 11.2.1.
#[must_use]
pub fn hermite((p, m): (f64, f64), (q, n): (f64, f64), t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    p * (2.0 * t3 - 3.0 * t2 + 1.0) + m * (t3 - 2.0 * t2 + t) + q * (3.0 * t2 - 2.0 * t3) + n * (t3 - t2)
}
