//! A rail: a polyline on which a camera moves. Lengths along it are in pixels from its first point.
//!
//! Invariant: every length along a rail is a point on it; points that are not finite are not part of it.

use glam::DVec2;

/// A polyline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rail {
    points: Vec<DVec2>,
    /// Length along the rail of each point, in pixels.
    lengths: Vec<f64>,
}

impl Rail {
    /// A rail through points; `None` if fewer than two of them differ.
    #[must_use]
    pub fn new(points: impl IntoIterator<Item = DVec2>) -> Option<Self> {
        let mut points: Vec<DVec2> = points.into_iter().filter(|at| at.is_finite()).collect();
        points.dedup();
        let mut length = 0.0;
        let mut lengths = Vec::with_capacity(points.len());
        let mut last = None;
        for at in &points {
            length += last.map_or(0.0, |last: DVec2| last.distance(*at));
            lengths.push(length);
            last = Some(*at);
        }
        (points.len() > 1 && length.is_finite()).then_some(Self { points, lengths })
    }

    /// Length along the rail of its point nearest to another one, in pixels.
    #[must_use]
    pub fn nearest(&self, to: DVec2) -> f64 {
        let on_line = |(ends, start): (&[DVec2], &f64)| {
            let [a, b] = [ends[0], ends[1]];
            let line = b - a;
            let share = ((to - a).dot(line) / line.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
            (to.distance_squared(a + line * share), start + line.length() * share)
        };
        let all = self.points.windows(2).zip(&self.lengths).map(on_line);
        all.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, along)| along)
    }

    /// The point at a length along the rail; beyond the rail its ends.
    #[must_use]
    pub fn at(&self, along: f64) -> DVec2 {
        let i = self.lengths.partition_point(|length| *length <= along).clamp(1, self.points.len() - 1);
        let [a, b] = [self.points[i - 1], self.points[i]];
        let line = self.lengths[i] - self.lengths[i - 1];
        a.lerp(b, ((along - self.lengths[i - 1]) / line.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0))
    }
}
