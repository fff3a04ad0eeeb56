//! Convex shapes and queries about them: distance, time of impact, ray casts.
//!
//! Every shape is a convex core (a point, a segment, or a polygon with corners clockwise on the screen) with a rounding
//! radius. Queries about two shapes use their Minkowski difference, so each is about a point and a rounded polygon.
//! Invariant: corners are finite and wound so that [`outward`] points out of the shape. The list of all candidate axes,
//! for display, is in `sat`.

use glam::Vec2;
use rapier2d::math::Rotation;

use crate::model::Shape;

/// A convex core with a rounding radius, in pixels.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Convex {
    /// Corners in pixels, clockwise on the screen; one for a circle, two for a capsule.
    pub points: Vec<Vec2>,
    /// Rounding radius in pixels; 0 for a plain polygon.
    pub radius: f32,
}

/// An upright box in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Aabb {
    /// Left top corner.
    pub lo: Vec2,
    /// Right bottom corner.
    pub hi: Vec2,
}

impl Aabb {
    /// The box grown on all sides.
    #[must_use]
    pub fn grown(self, by: f32) -> Self {
        Self { lo: self.lo - by, hi: self.hi + by }
    }

    /// The box swept along a motion.
    #[must_use]
    pub fn swept(self, motion: Vec2) -> Self {
        Self { lo: self.lo.min(self.lo + motion), hi: self.hi.max(self.hi + motion) }
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// Whether the boxes share a point.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.lo.cmple(other.hi).all() && other.lo.cmple(self.hi).all()
    }
}

impl Convex {
    /// A collider's shape about its entity's origin.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // pixels
    pub fn new(shape: &Shape, offset: Vec2) -> Self {
        let (mut points, radius) = match shape {
            Shape::Box([w, h]) => {
                let half = Vec2::new(*w as f32, *h as f32) / 2.0;
                (vec![-half, Vec2::new(half.x, -half.y), half, Vec2::new(-half.x, half.y)], 0.0)
            }
            Shape::Circle(radius) => (vec![Vec2::ZERO], *radius as f32),
            Shape::Capsule { radius, height } => {
                let half = (height / 2.0 - radius) as f32;
                let ends =
                    if half > 1e-3 { vec![Vec2::new(0.0, -half), Vec2::new(0.0, half)] } else { vec![Vec2::ZERO] };
                (ends, *radius as f32)
            }
            Shape::Polygon(corners) => {
                let mut points: Vec<_> = corners.iter().map(|[x, y]| Vec2::new(*x as f32, *y as f32)).collect();
                if area(&points) < 0.0 {
                    points.reverse();
                }
                (points, 0.0)
            }
        };
        points.iter_mut().for_each(|point| *point += offset);
        Self { points, radius }
    }

    /// An upright rectangle.
    #[must_use]
    pub fn rect(lo: Vec2, hi: Vec2) -> Self {
        Self { points: vec![lo, Vec2::new(hi.x, lo.y), hi, Vec2::new(lo.x, hi.y)], radius: 0.0 }
    }

    /// The shape turned by an angle in radians, then moved.
    #[must_use]
    pub fn placed(&self, pos: Vec2, angle: f32) -> Self {
        Self { points: self.placed_points(pos, angle).collect(), radius: self.radius }
    }

    fn placed_points(&self, pos: Vec2, angle: f32) -> impl Iterator<Item = Vec2> {
        // The solver's own sine, which is the same on every machine.
        let turn = (angle != 0.0).then(|| Rotation::new(angle));
        self.points.iter().map(move |point| turn.map_or(*point, |turn| turn * *point) + pos)
    }

    /// The upright box around the shape.
    #[must_use]
    pub fn aabb(&self) -> Aabb {
        around(self.points.iter().copied()).grown(self.radius)
    }

    /// The upright box around the shape turned by an angle in radians, then moved.
    #[must_use]
    pub fn placed_aabb(&self, pos: Vec2, angle: f32) -> Aabb {
        around(self.placed_points(pos, angle)).grown(self.radius)
    }

    /// The shape's outline for drawing: its corners, or points along its arcs.
    #[must_use]
    pub fn outline(&self) -> Vec<Vec2> {
        if self.radius <= 0.0 {
            return self.points.clone();
        }
        const ARC: usize = 24;
        let n = self.points.len();
        let mut outline = Vec::with_capacity(ARC + n);
        #[allow(clippy::cast_precision_loss)] // a small count
        let direction = |i: usize| Vec2::from_angle(std::f32::consts::TAU * i as f32 / ARC as f32);
        for i in 0..ARC {
            let at = |i: usize| {
                let dir = direction(i);
                self.points.iter().copied().reduce(|a, b| if b.dot(dir) > a.dot(dir) + 1e-4 { b } else { a })
            };
            let (Some(here), Some(next)) = (at(i), at(i + 1)) else { break };
            outline.push(here + direction(i) * self.radius);
            if here != next {
                outline.push(next + direction(i) * self.radius);
            }
        }
        outline
    }

    /// The mean of its corners.
    #[must_use]
    pub(super) fn center(&self) -> Vec2 {
        self.points.iter().sum::<Vec2>() / self.points.len().max(1) as f32
    }

    /// Whether a point is within it.
    #[must_use]
    pub fn holds(&self, place: Vec2) -> bool {
        distance(&self.points, place).0 <= self.radius
    }

    /// Ray cast: the share of the motion, 0 to 1, after which a ray from `from` along `motion` enters the shape, and
    /// the unit normal of the surface there. A ray that starts inside hits nothing.
    #[must_use]
    pub fn ray(&self, from: Vec2, motion: Vec2) -> Option<(f32, Vec2)> {
        if self.holds(from) {
            return None;
        }
        cast(&self.points, self.radius, from, motion)
    }
}

/// The upright box around points; at the origin for none.
pub fn around(points: impl IntoIterator<Item = Vec2>) -> Aabb {
    points.into_iter().map(|point| Aabb { lo: point, hi: point }).reduce(Aabb::union).unwrap_or_default()
}

/// The enclosed area: above zero for corners clockwise on the screen (y down).
#[must_use]
pub fn area(points: &[Vec2]) -> f32 {
    // From one of the corners, so that places far from the origin keep their digits.
    let first = points.first().copied().unwrap_or_default();
    edges(points).map(|(a, b)| (a - first).perp_dot(b - first)).sum::<f32>() / 2.0
}

/// Each corner with the next; the last with the first.
pub fn edges(points: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    let n = points.len();
    (0..n).map(move |i| (points[i], points[if i + 1 == n { 0 } else { i + 1 }]))
}

/// The unit normal out of a clockwise outline's edge; zero for an edge without length.
#[must_use]
pub fn outward(a: Vec2, b: Vec2) -> Vec2 {
    let edge = b - a;
    Vec2::new(edge.y, -edge.x).normalize_or_zero()
}

/// The Minkowski difference `b - a`: the outline of all differences of a point of the core `b` and one of the core `a`,
/// into `out`.
///
/// Both are walked from their lowest corner, and the edge that turns less is taken; parallel edges join.
///
/// Source: de Berg et al., "Computational Geometry", 13.3 (Minkowski sums of convex polygons).
pub fn difference(b: &[Vec2], a: &[Vec2], out: &mut Vec<Vec2>) {
    out.clear();
    if b.is_empty() || a.is_empty() {
        return;
    }
    let below = |p: Vec2, q: Vec2| p.y < q.y || (p.y == q.y && p.x < q.x);
    let start_b = (0..b.len()).reduce(|i, j| if below(b[j], b[i]) { j } else { i }).unwrap_or(0);
    let start_a = (0..a.len()).reduce(|i, j| if below(-a[j], -a[i]) { j } else { i }).unwrap_or(0);
    let (n_b, n_a) = (if b.len() > 1 { b.len() } else { 0 }, if a.len() > 1 { a.len() } else { 0 });
    // The index is below twice the number of corners, so one subtraction does; `%` would take longer than all the rest.
    let cyclic = |points: &[Vec2], i: usize| points[if i < points.len() { i } else { i - points.len() }];
    let at_b = |i: usize| cyclic(b, start_b + i);
    let at_a = |i: usize| -cyclic(a, start_a + i);
    let (mut i, mut j) = (0, 0);
    while i < n_b || j < n_a {
        out.push(at_b(i) + at_a(j));
        let turn = match (i < n_b, j < n_a) {
            (true, false) => 1.0,
            (false, _) => -1.0,
            (true, true) => {
                let (e, f) = (at_b(i + 1) - at_b(i), at_a(j + 1) - at_a(j));
                let cross = e.perp_dot(f);
                if cross.abs() > 1e-6 * e.length() * f.length() { cross } else { 0.0 }
            }
        };
        i += usize::from(turn >= 0.0);
        j += usize::from(turn <= 0.0);
    }
    if out.is_empty() {
        out.push(at_b(0) + at_a(0));
    }
}

/// A core with the normals of its edges, for several queries.
#[derive(Clone, Copy, Debug)]
pub(super) struct Core<'a> {
    pub(super) points: &'a [Vec2],
    /// Outward unit normal of the edge that begins at each corner.
    pub(super) normals: &'a [Vec2],
}

impl Core<'_> {
    /// See [`distance`].
    pub(super) fn distance(self, p: Vec2) -> (f32, Vec2) {
        distance_by(self.points, |i| self.normals[i], p)
    }

    /// See [`cast`].
    pub(super) fn cast(self, radius: f32, from: Vec2, motion: Vec2) -> Option<(f32, Vec2)> {
        cast_by(self.points, |i| self.normals[i], radius, (from, motion))
    }
}

/// The outward unit normal of the edge that begins at a corner.
pub(super) fn normal(core: &[Vec2], i: usize) -> Vec2 {
    outward(core[i], core[if i + 1 == core.len() { 0 } else { i + 1 }])
}

/// Distance in pixels of a point from a core (below zero inside), and the unit direction away from it.
#[must_use]
pub fn distance(core: &[Vec2], p: Vec2) -> (f32, Vec2) {
    distance_by(core, |i| normal(core, i), p)
}

fn distance_by(core: &[Vec2], normal: impl Fn(usize) -> Vec2, p: Vec2) -> (f32, Vec2) {
    const UP: Vec2 = Vec2::NEG_Y;
    if let [only] = core {
        let away = p - *only;
        return (away.length(), away.try_normalize().unwrap_or(UP));
    }
    if core.len() > 2 {
        // Inside, or outside beyond exactly one edge's span: the edge that is passed most decides.
        let mut best = (f32::NEG_INFINITY, UP);
        for (i, a) in core.iter().enumerate() {
            let n = normal(i);
            let dist = n.dot(p - *a);
            if n != Vec2::ZERO && dist > best.0 {
                best = (dist, n);
            }
        }
        if best.0 <= 0.0 {
            return best;
        }
    }
    let mut best = (f32::INFINITY, UP);
    for (i, (a, b)) in edges(core).enumerate() {
        let edge = b - a;
        let share = ((p - a).dot(edge) / edge.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0);
        let away = p - (a + edge * share);
        let dist = away.length();
        if dist < best.0 {
            let face = normal(i);
            let away = if share > 0.0 && share < 1.0 && away.dot(face) > 0.0 { face } else { away / dist };
            best = (dist, if dist > 1e-9 { away } else { face });
        }
    }
    best
}

/// A motion that goes no deeper than this into a surface slides along it, in pixels: the rounding error of positions.
pub const ROUNDING: f32 = 1e-3;

/// Shape cast of a circle: the share of the motion, 0 to 1, after which a point moving from `from` along `motion` comes
/// within `radius` of a core, and the normal there. A point that is already within it is stopped at once if it moves
/// further in.
///
/// Source: Ericson, "Real-Time Collision Detection", 5.5 (dynamic intersection tests).
#[must_use]
pub fn cast(core: &[Vec2], radius: f32, from: Vec2, motion: Vec2) -> Option<(f32, Vec2)> {
    cast_by(core, |i| normal(core, i), radius, (from, motion))
}

fn cast_by(
    core: &[Vec2],
    normal: impl Fn(usize) -> Vec2,
    radius: f32,
    (from, motion): (Vec2, Vec2),
) -> Option<(f32, Vec2)> {
    let (dist, away) = distance_by(core, &normal, from);
    if dist <= radius {
        let approach = motion.dot(away);
        if approach >= -1e-5 * motion.length() {
            return None;
        }
        let nearest = (-approach * dist / motion.length_squared()).clamp(0.0, 1.0);
        let is_deep = |share: f32| distance_by(core, &normal, from + motion * share).0 < radius - ROUNDING;
        return (is_deep(nearest) || is_deep(1.0)).then_some((0.0, away));
    }
    if dist - radius > motion.length() {
        return None;
    }
    let mut best: Option<(f32, Vec2)> = None;
    let mut take = |t: f32, n: Vec2| {
        if (0.0..=1.0).contains(&t) && best.is_none_or(|(first, _)| t < first) {
            best = Some((t, n));
        }
    };
    for (i, (a, b)) in edges(core).enumerate() {
        let n = normal(i);
        let approach = motion.dot(n);
        if approach < 0.0 {
            // The distance above was rounded in another way: what is within rounding of the surface and goes deeper stops
            // there, or it would fall through.
            let above = n.dot(from - a) - radius;
            let is_at = (-ROUNDING..0.0).contains(&above) && above + approach < -ROUNDING;
            let t = if is_at { 0.0 } else { -above / approach };
            let along = (from + motion * t - a).dot(b - a);
            if along >= 0.0 && along <= (b - a).length_squared() {
                take(t, n);
            }
        }
        if radius > 0.0 {
            let off = from - a;
            let (speed2, towards) = (motion.length_squared(), off.dot(motion));
            let under = towards * towards - speed2 * (off.length_squared() - radius * radius);
            if towards < 0.0 && under > 2.0 * ROUNDING * radius * speed2 {
                let t = (-towards - under.sqrt()) / speed2;
                take(t, (off + motion * t).normalize_or_zero());
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(half: f32) -> Vec<Vec2> {
        Convex::rect(Vec2::splat(-half), Vec2::splat(half)).points
    }

    #[test]
    fn the_difference_of_two_boxes_is_their_sum_of_sizes() {
        let mut out = Vec::new();
        difference(&square(8.0), &square(4.0), &mut out);
        assert_eq!(out.len(), 4, "{out:?}");
        assert_eq!(area(&out), 24.0 * 24.0);
        difference(&square(8.0), &[Vec2::new(0.0, -3.0), Vec2::new(0.0, 3.0)], &mut out);
        assert_eq!((out.len(), area(&out)), (4, 16.0 * 22.0));
        difference(&[Vec2::X], &[Vec2::Y], &mut out);
        assert_eq!(out, [Vec2::new(1.0, -1.0)]);
        difference(&[Vec2::ZERO, Vec2::X], &[Vec2::ZERO, Vec2::Y], &mut out);
        assert_eq!((out.len(), area(&out)), (4, 1.0));
    }

    #[test]
    fn distances_are_signed_and_point_away() {
        let core = square(8.0);
        assert_eq!(distance(&core, Vec2::new(10.0, 0.0)), (2.0, Vec2::X));
        assert_eq!(distance(&core, Vec2::new(0.0, -7.0)), (-1.0, Vec2::NEG_Y));
        let (dist, n) = distance(&core, Vec2::new(11.0, 12.0));
        assert!((dist - 5.0).abs() < 1e-5 && n.abs_diff_eq(Vec2::new(0.6, 0.8), 1e-5));
        assert_eq!(distance(&[Vec2::ZERO, Vec2::new(0.0, 4.0)], Vec2::new(-3.0, 2.0)), (3.0, Vec2::NEG_X));
    }

    #[test]
    fn nothing_falls_through_a_tilted_side_by_rounding() {
        for turn in 0..2000_u16 {
            let angle = f32::from(turn) * 7e-4 - 0.7;
            let plank =
                Convex::rect(Vec2::new(-60.0, -2.5), Vec2::new(60.0, 2.5)).placed(Vec2::new(240.0, 305.0), angle);
            let mut core = Vec::new();
            difference(&plank.points, &[Vec2::new(0.0, -4.0), Vec2::new(0.0, 4.0)], &mut core);
            let (radius, up) = (5.0 + 1.0 / 32.0, Vec2::from_angle(angle).rotate(Vec2::NEG_Y));
            for along in [-40.0, -13.7, 0.3, 21.9, 50.1] {
                // On the upper side of the sum of both.
                let side =
                    Vec2::new(240.0, 305.0) + Vec2::from_angle(angle).rotate(Vec2::X) * along + Vec2::new(0.0, -4.0);
                let at = side + up * (2.5 + radius);
                for off in [-3e-5, -1e-5, 0.0, 1e-5, 3e-5] {
                    let stop = cast(&core, radius, at + up * off, Vec2::new(0.0, 8.6));
                    assert!(stop.is_some_and(|(share, _)| share < 1e-4), "{angle} {along} {off}: {stop:?}");
                }
            }
        }
    }

    #[test]
    fn casts_stop_at_the_rounded_outline() {
        let core = square(8.0);
        assert_eq!(cast(&core, 1.0, Vec2::new(0.0, -20.0), Vec2::new(0.0, 20.0)), Some((0.55, Vec2::NEG_Y)));
        assert_eq!(cast(&core, 1.0, Vec2::new(0.0, -20.0), Vec2::new(0.0, 10.0)), None);
        assert_eq!(cast(&core, 1.0, Vec2::new(0.0, -9.0), Vec2::new(5.0, 0.0)), None, "gliding along is free");
        assert_eq!(cast(&core, 1.0, Vec2::new(0.0, -8.5), Vec2::new(0.0, 1.0)), Some((0.0, Vec2::NEG_Y)));
        let (t, n) = cast(&[Vec2::ZERO], 5.0, Vec2::new(-10.0, 3.0), Vec2::new(10.0, 0.0)).unwrap_or_default();
        assert!((t - 0.6).abs() < 1e-5 && n.abs_diff_eq(Vec2::new(-0.8, 0.6), 1e-5));
    }
}
