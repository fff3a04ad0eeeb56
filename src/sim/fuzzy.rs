//! Fuzzy control: degrees of membership instead of yes and no, rules over them, one number as the output.
//!
//! Invariant: degrees are within 0 and 1. The inputs, and the use of the output, are in `behavior`.
//!
//! Source: `McCuskey`, "Fuzzy logic for video games" (GPG 3.8); Mamdani's inference, with and = min, or = max, not = 1
//! − x.

/// A fuzzy set, as a trapezoid: its degree rises from `a` to `b`, is 1 until `c`, and falls to `d`. `a ≤ b ≤ c ≤ d`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FuzzySet {
    a: f64,
    b: f64,
    c: f64,
    d: f64,
}

impl FuzzySet {
    /// A trapezoid; a triangle where `b` is `c`. `None` unless the corners are finite and in order.
    #[must_use]
    pub fn new(a: f64, b: f64, c: f64, d: f64) -> Option<Self> {
        let is_fine = [a, b, c, d].iter().all(|x| x.is_finite()) && a <= b && b <= c && c <= d;
        is_fine.then_some(Self { a, b, c, d })
    }

    /// The degree of membership of `x`, 0 to 1.
    #[must_use]
    pub fn degree(&self, x: f64) -> f64 {
        if x < self.a || x > self.d {
            0.0
        } else if x < self.b {
            (x - self.a) / (self.b - self.a)
        } else if x <= self.c {
            1.0
        } else {
            (self.d - x) / (self.d - self.c)
        }
    }

    /// Corners of the set cut off at a height above zero: its start, the start and end of the level part, its end.
    fn clipped(&self, height: f64) -> [f64; 4] {
        [self.a, self.a + (self.b - self.a) * height, self.d - (self.d - self.c) * height, self.d]
    }
}

/// The position of `x` on a ramp from 0 at `low` to 1 at `high`; a ramp without width is a step.
#[must_use]
pub fn ramp(x: f64, low: f64, high: f64) -> f64 {
    if high > low { ((x - low) / (high - low)).clamp(0.0, 1.0) } else { f64::from(x >= high) }
}

/// Fuzzy and: the smaller degree.
#[must_use]
pub fn and(a: f64, b: f64) -> f64 {
    a.min(b).clamp(0.0, 1.0)
}

/// Fuzzy or: the larger degree.
#[must_use]
pub fn or(a: f64, b: f64) -> f64 {
    a.max(b).clamp(0.0, 1.0)
}

/// Fuzzy not: one minus the degree.
#[must_use]
pub fn not(a: f64) -> f64 {
    (1.0 - a).clamp(0.0, 1.0)
}

/// The output of rules, given for each the set of its consequent (an index into `sets`) and its degree. Of rules with
/// the same consequent the greatest degree counts; the sets are cut off at their degrees, and the output is the center
/// of mass of their union. `None` if that has no area: no action.
#[must_use]
pub fn conclude(sets: &[FuzzySet], rules: &[(usize, f64)]) -> Option<f64> {
    let mut heights = vec![0.0_f64; sets.len()];
    for (set, degree) in rules {
        if let Some(height) = heights.get_mut(*set).filter(|_| degree.is_finite()) {
            *height = height.max(degree.clamp(0.0, 1.0));
        }
    }
    let active: Vec<(&FuzzySet, f64)> = sets.iter().zip(heights).filter(|(_, height)| *height > 0.0).collect();
    let mut corners: Vec<f64> = active.iter().flat_map(|(set, height)| set.clipped(*height)).collect();
    corners.sort_by(f64::total_cmp);
    corners.dedup();
    let (mut area, mut moment) = (0.0, 0.0);
    for ends in corners.windows(2) {
        let (x0, x1) = (ends[0], ends[1]);
        // Between corners every set is linear. At a corner a set may jump, so the line is taken from inside the
        // interval.
        let at = |t: f64| x0 + (x1 - x0) * t;
        let line = |(set, height): &(&FuzzySet, f64)| {
            let (p, q) = (set.degree(at(0.25)).min(*height), set.degree(at(0.75)).min(*height));
            (p - (q - p) / 2.0, q + (q - p) / 2.0)
        };
        let lines: Vec<(f64, f64)> = active.iter().map(line).collect();
        // The union has a bend where two lines cross.
        let mut bends = vec![0.0, 1.0];
        for (i, a) in lines.iter().enumerate() {
            for b in &lines[i + 1..] {
                let (d0, d1) = (a.0 - b.0, a.1 - b.1);
                if d0 * d1 < 0.0 {
                    bends.push(d0 / (d0 - d1));
                }
            }
        }
        bends.sort_by(f64::total_cmp);
        let top = |t: f64| lines.iter().map(|(p, q)| p + (q - p) * t).fold(0.0, f64::max);
        for piece in bends.windows(2) {
            let (l, r) = (at(piece[0]), at(piece[1]));
            let (y0, y1) = (top(piece[0]), top(piece[1]));
            area += (r - l) * (y0 + y1) / 2.0;
            moment += (r - l) * (y0 * (2.0 * l + r) + y1 * (l + 2.0 * r)) / 6.0;
        }
    }
    (area > 1e-12).then(|| moment / area)
}
