//! Figures of something that is measured each tick: lately, and since measuring began.

/// How fast what is past fades, a second.
const FADE: f64 = 0.8;

/// Of which ticks figures are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Span {
    /// The last one, and what fades toward it.
    #[default]
    Recent,
    /// All since measuring began.
    Whole,
}

/// Average, least and most of what was measured, in the unit that it was measured in.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// The last one.
    pub last: f64,
    /// The average, with what is past fading.
    pub avg: f64,
    /// The least, fading toward the present.
    pub min: f64,
    /// The most, fading toward the present.
    pub max: f64,
    /// All of it.
    pub sum: f64,
    /// The least of all.
    pub whole_min: f64,
    /// The most of all.
    pub whole_max: f64,
    /// How many were measured.
    pub n: u64,
}

/// How much of what is past is forgotten over a time, in seconds: `min(1, 0.8·dt)`.
#[must_use]
pub(super) fn fading(dt_secs: f64) -> f64 {
    (FADE * dt_secs).clamp(0.0, 1.0)
}

/// The time in which half of what is past is forgotten, in seconds.
pub(super) const HALF_LIFE_SECS: f64 = std::f64::consts::LN_2 / FADE;

impl Figures {
    /// Figures of what was nothing for so many ticks.
    pub(super) fn after(n: u64) -> Self {
        Self { n, ..Self::default() }
    }

    /// One more was measured, over a time in seconds. A new extreme counts at once; else extremes fade toward it, as
    /// the average does.
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

    /// What there was of it: in the last tick, or in all.
    #[must_use]
    pub fn total(&self, span: Span) -> f64 {
        match span {
            Span::Recent => self.last,
            Span::Whole => self.sum,
        }
    }

    /// Average, least and most of a tick.
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
        // However long it took, nothing is passed by.
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
