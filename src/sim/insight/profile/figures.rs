//! Statistics of a quantity measured each tick: recent, and since measuring began.

/// Rate at which past values fade, 1/s.
const FADE: f64 = 0.8;

/// The ticks that statistics cover.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Span {
    /// The last tick, and past ones with fading weight.
    #[default]
    Recent,
    /// All ticks since measuring began.
    Whole,
}

/// Average, minimum and maximum of a measured quantity, in its own unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// The last value.
    pub last: f64,
    /// The average, with past values fading.
    pub avg: f64,
    /// The minimum, fading toward the present.
    pub min: f64,
    /// The maximum, fading toward the present.
    pub max: f64,
    /// The sum of all values.
    pub sum: f64,
    /// The minimum of all values.
    pub whole_min: f64,
    /// The maximum of all values.
    pub whole_max: f64,
    /// The number of values.
    pub n: u64,
}

/// The share of past values that is forgotten over a time in seconds: `min(1, 0.8·dt)`.
#[must_use]
pub(super) fn fading(dt_secs: f64) -> f64 {
    (FADE * dt_secs).clamp(0.0, 1.0)
}

/// The half-life of past values, in seconds.
pub(super) const HALF_LIFE_SECS: f64 = std::f64::consts::LN_2 / FADE;

impl Figures {
    /// Statistics of `n` values of zero.
    pub(super) fn after(n: u64) -> Self {
        Self { n, ..Self::default() }
    }

    /// Add a value measured over a time in seconds. A new extreme counts at once; otherwise extremes fade toward the
    /// value, as the average does.
    pub fn add(&mut self, new: f64, dt_secs: f64) {
        if self.n == 0 {
            *self = Self { last: new, avg: new, min: new, max: new, sum: new, whole_min: new, whole_max: new, n: 1 };
            return;
        }
        let toward = |old: f64| old + fading(dt_secs) * (new - old);
        self.last = new;
        self.avg = toward(self.avg);
        self.min = new.min(toward(self.min));
        self.max = new.max(toward(self.max));
        self.sum += new;
        self.whole_min = self.whole_min.min(new);
        self.whole_max = self.whole_max.max(new);
        self.n += 1;
    }

    /// The value of the last tick, or the sum of all.
    #[must_use]
    pub fn total(&self, span: Span) -> f64 {
        match span {
            Span::Recent => self.last,
            Span::Whole => self.sum,
        }
    }

    /// Average, minimum and maximum per tick.
    #[must_use]
    pub fn spread(&self, span: Span) -> [f64; 3] {
        #[expect(clippy::cast_precision_loss, reason = "a count of ticks")]
        let n = self.n.max(1) as f64;
        match span {
            Span::Recent => [self.avg, self.min, self.max],
            Span::Whole => [self.sum / n, self.whole_min, self.whole_max],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_fade_toward_the_present_and_a_new_extreme_counts_at_once() {
        let mut figures = Figures::default();
        figures.add(4.0, 0.5);
        assert_eq!(figures.spread(Span::Recent), [4.0, 4.0, 4.0]);
        // r = 0.8 · 0.5 = 0.4
        figures.add(9.0, 0.5);
        assert_eq!((figures.avg, figures.min, figures.max), (4.0 + 0.4 * 5.0, 4.0 + 0.4 * 5.0, 9.0));
        figures.add(1.0, 0.5);
        assert_eq!((figures.avg, figures.min, figures.max), (6.0 + 0.4 * (1.0 - 6.0), 1.0, 9.0 + 0.4 * (1.0 - 9.0)));
        assert_eq!(figures.spread(Span::Whole), [14.0 / 3.0, 1.0, 9.0]);
        assert_eq!((figures.total(Span::Recent), figures.total(Span::Whole)), (1.0, 14.0));
        // However long the tick took, the figures do not overshoot.
        figures.add(2.0, 60.0);
        assert_eq!(figures.spread(Span::Recent), [2.0, 2.0, 2.0]);
    }

    #[test]
    fn what_is_new_was_nothing_before() {
        let mut figures = Figures::after(3);
        figures.add(8.0, 1.0 / 64.0);
        assert_eq!(figures.spread(Span::Whole), [2.0, 0.0, 8.0]);
        assert_eq!((figures.min, figures.max), (0.8 / 64.0 * 8.0, 8.0));
    }
}
