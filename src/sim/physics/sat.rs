//! The separating axis test with every candidate axis and both projections, for the collision inspector.
//!
//! Invariant: axes have unit length, and the translation is never longer than the smallest overlap. The simulation
//! itself does not use this, but the solver's narrow phase and `convex`.
//!
//! Source: Dunn, on the separating axis theorem; CS1971, lecture 5.

use glam::Vec2;

use super::convex::{Convex, distance, edges, outward};

/// Overlaps smaller than this are touching, in pixels.
const TOUCH: f32 = 1e-4;

/// Unit axes whose directions differ by a smaller sine are parallel.
const PARALLEL: f32 = 1e-4;

/// Origin of a candidate axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisOf {
    /// The normal of this edge of the first shape.
    EdgeOfA(usize),
    /// The normal of this edge of the second shape.
    EdgeOfB(usize),
    /// From the second core's nearest point to the first's; a candidate if one of the shapes is round.
    Nearest,
}

/// One axis with the projections of both shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct AxisTest {
    /// Unit direction.
    pub axis: Vec2,
    /// Origin of the axis.
    pub of: AxisOf,
    /// Projection of the first shape: least and greatest coordinate along the axis, in pixels.
    pub a: [f32; 2],
    /// Projection of the second shape, in pixels.
    pub b: [f32; 2],
    /// The shortest translation along the axis, in either direction, that separates the shapes, in pixels; below zero
    /// when they are apart.
    pub overlap: f32,
}

/// The result of the separating axis test of two shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// Every candidate axis.
    pub axes: Vec<AxisTest>,
    /// The index of the axis with the smallest overlap.
    pub best: usize,
    /// Whether they share a point; touching counts.
    pub touches: bool,
    /// Minimum translation vector of the first shape, in pixels; `None` while they are apart, zero when they touch.
    pub mtv: Option<Vec2>,
}

impl Explanation {
    /// The candidates without those parallel to an earlier one, which have the same result; each with its index among
    /// all, and whether its overlap is the smallest.
    pub fn numbered(&self) -> impl Iterator<Item = (usize, bool, &AxisTest)> {
        let is_parallel = |a: &AxisTest, b: &AxisTest| a.axis.perp_dot(b.axis).abs() < PARALLEL;
        let all = self.axes.iter().enumerate();
        let new = all.filter(move |(i, test)| !self.axes[..*i].iter().any(|earlier| is_parallel(earlier, test)));
        new.map(move |(i, test)| (i, is_parallel(test, &self.axes[self.best]), test))
    }
}

/// Test two shapes in world coordinates against every candidate axis: the normals of both shapes' edges and, when one
/// is round, the axis between the nearest points of their cores.
#[must_use]
pub fn explain(a: &Convex, b: &Convex) -> Explanation {
    let mut axes = Vec::new();
    let mut try_axis = |axis: Vec2, of: AxisOf| {
        if axis == Vec2::ZERO {
            return;
        }
        let (pa, pb) = (project(a, axis), project(b, axis));
        axes.push(AxisTest { axis, of, a: pa, b: pb, overlap: (pa[1] - pb[0]).min(pb[1] - pa[0]) });
    };
    for (i, (from, to)) in edges(&a.points).enumerate() {
        try_axis(outward(from, to), AxisOf::EdgeOfA(i));
    }
    for (i, (from, to)) in edges(&b.points).enumerate() {
        try_axis(outward(from, to), AxisOf::EdgeOfB(i));
    }
    if a.radius > 0.0 || b.radius > 0.0 {
        try_axis(nearest_axis(&a.points, &b.points), AxisOf::Nearest);
    }
    let best = (0..axes.len()).reduce(|i, j| if axes[j].overlap < axes[i].overlap { j } else { i }).unwrap_or(0);
    let smallest = axes.get(best).map_or(f32::NEG_INFINITY, |test| test.overlap);
    let touches = smallest >= -TOUCH;
    let mtv = axes.get(best).filter(|_| touches).map(|test| {
        let forward = test.b[1] - test.a[0] <= test.a[1] - test.b[0];
        if smallest <= TOUCH { Vec2::ZERO } else { test.axis * if forward { smallest } else { -smallest } }
    });
    Explanation { axes, best, touches, mtv }
}

/// Projection of a shape on a unit axis: least and greatest coordinate, in pixels.
#[must_use]
pub fn project(shape: &Convex, axis: Vec2) -> [f32; 2] {
    let reach = |[lo, hi]: [f32; 2], p: &Vec2| [lo.min(p.dot(axis)), hi.max(p.dot(axis))];
    let [lo, hi] = shape.points.iter().fold([f32::INFINITY, f32::NEG_INFINITY], reach);
    [lo - shape.radius, hi + shape.radius]
}

/// The unit axis from the nearest point of `b` to that of `a`; upward when they coincide.
fn nearest_axis(a: &[Vec2], b: &[Vec2]) -> Vec2 {
    let best = |core: &[Vec2], points: &[Vec2], sign: f32| {
        points
            .iter()
            .map(|p| distance(core, *p))
            .reduce(|x, y| if y.0 < x.0 { y } else { x })
            .map_or((f32::INFINITY, Vec2::NEG_Y), |(dist, away)| (dist, away * sign))
    };
    let (from_b, from_a) = (best(b, a, 1.0), best(a, b, -1.0));
    if from_b.0 <= from_a.0 { from_b.1 } else { from_a.1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f32, y: f32, size: f32) -> Convex {
        Convex::rect(Vec2::new(x, y), Vec2::new(x + size, y + size))
    }

    fn circle(x: f32, y: f32, radius: f32) -> Convex {
        Convex { points: vec![Vec2::new(x, y)], radius }
    }

    #[test]
    fn the_smallest_overlap_moves_a_off_b() {
        let seen = explain(&square(12.0, 3.0, 16.0), &square(0.0, 0.0, 16.0));
        assert_eq!(seen.mtv, Some(Vec2::new(4.0, 0.0)));
        let back = explain(&square(0.0, 0.0, 16.0), &square(12.0, 3.0, 16.0));
        assert_eq!(back.mtv, Some(Vec2::new(-4.0, 0.0)), "from B to A");
        assert_eq!(seen.axes.len(), 8);
        let distinct: Vec<_> = seen.numbered().map(|(_, is_best, test)| (is_best, test.overlap)).collect();
        assert_eq!(distinct, [(false, 13.0), (true, 4.0)]);
        assert!(seen.axes.iter().all(|test| (test.axis.length() - 1.0).abs() < 1e-6));
        let vertical = &seen.axes[0];
        assert_eq!((vertical.axis, vertical.overlap), (Vec2::NEG_Y, 13.0));
    }

    #[test]
    fn touching_is_a_contact_without_a_push() {
        let seen = explain(&square(16.0, 5.0, 16.0), &square(0.0, 0.0, 16.0));
        assert!(seen.touches);
        assert_eq!(seen.mtv, Some(Vec2::ZERO));
        let apart = explain(&square(17.0, 5.0, 16.0), &square(0.0, 0.0, 16.0));
        assert!(!apart.touches && apart.mtv.is_none());
        assert_eq!(apart.axes[apart.best].overlap, -1.0);
    }

    #[test]
    fn a_box_inside_another_leaves_by_the_nearest_side() {
        let seen = explain(&square(2.0, 6.0, 4.0), &square(0.0, 0.0, 16.0));
        assert_eq!(seen.mtv, Some(Vec2::new(-6.0, 0.0)));
    }

    #[test]
    fn a_circle_asks_the_nearest_corner() {
        let seen = explain(&circle(20.0, 20.0, 5.5), &square(0.0, 0.0, 16.0));
        assert!(!seen.touches, "the boxes around them overlap, they do not");
        assert_eq!(seen.axes[seen.best].of, AxisOf::Nearest);
        let inside = explain(&circle(19.0, 20.0, 6.0), &square(0.0, 0.0, 16.0));
        assert!(inside.mtv.is_some_and(|mtv| mtv.abs_diff_eq(Vec2::new(0.6, 0.8), 1e-4)), "{:?}", inside.mtv);
        let pair = explain(&circle(0.0, 3.0, 2.0), &circle(0.0, 0.0, 2.0));
        assert_eq!((pair.axes.len(), pair.mtv), (1, Some(Vec2::new(0.0, 1.0))));
        let same = explain(&circle(0.0, 0.0, 2.0), &circle(0.0, 0.0, 2.0));
        assert_eq!(same.mtv, Some(Vec2::new(0.0, -4.0)), "concentric ones leave upward");
    }

    #[test]
    fn a_diamond_is_pushed_along_its_own_normal() {
        let diamond = Convex {
            points: vec![Vec2::new(8.0, -15.0), Vec2::new(16.0, -7.0), Vec2::new(8.0, 1.0), Vec2::new(0.0, -7.0)],
            radius: 0.0,
        };
        let seen = explain(&diamond, &square(0.0, 0.0, 16.0));
        assert_eq!(seen.mtv, Some(Vec2::new(0.0, -1.0)));
    }
}
