//! The handles of a shape, and the shape that dragging one gives. No canvas is known here: places are in
//! pixels from the entity's origin, y down.
//!
//! Invariant: what comes out of a drag is a shape that files may hold; a drag that would break it (a corner through an
//! edge, a size below half a pixel) changes nothing, so the hand meets a stop.

use crate::model::{Shape, check_convex};

/// The smallest width, height or diameter, in pixels.
const LEAST: f64 = 1.0;

/// The dragged handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// The whole: it is moved.
    Center,
    /// A corner of a box: left or right, top or bottom.
    Corner {
        /// The right one.
        right: bool,
        /// The bottom one.
        bottom: bool,
    },
    /// A point on a circle, or on the side of a capsule: the radius.
    Radius {
        /// The right one.
        right: bool,
    },
    /// The end of a capsule: its height.
    End {
        /// The bottom one.
        bottom: bool,
    },
    /// A corner of a polygon, by number.
    Point(usize),
}

impl Grip {
    /// Its name.
    #[must_use]
    pub fn label(self) -> String {
        let side = |is_far, near: &str, far: &str| if is_far { far.to_owned() } else { near.to_owned() };
        match self {
            Self::Center => "center".to_owned(),
            Self::Corner { right, bottom } => {
                format!("{} {} corner", side(bottom, "top", "bottom"), side(right, "left", "right"))
            }
            Self::Radius { right } => format!("{} side", side(right, "left", "right")),
            Self::End { bottom } => format!("{} end", side(bottom, "top", "bottom")),
            Self::Point(i) => format!("corner {i}"),
        }
    }
}

/// A shape where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The shape.
    pub shape: Shape,
    /// Where its own origin is.
    pub offset: [f64; 2],
}

/// The grips of a shape and where they are, the center last.
#[must_use]
pub fn grips(placed: &Placed) -> Vec<(Grip, [f64; 2])> {
    let [ox, oy] = placed.offset;
    let at = |x: f64, y: f64| [ox + x, oy + y];
    let mut out = match &placed.shape {
        Shape::Box([w, h]) => [(false, false), (true, false), (true, true), (false, true)]
            .map(|(right, bottom)| {
                let x = if right { w / 2.0 } else { -w / 2.0 };
                (Grip::Corner { right, bottom }, at(x, if bottom { h / 2.0 } else { -h / 2.0 }))
            })
            .to_vec(),
        Shape::Circle(r) => {
            vec![(Grip::Radius { right: false }, at(-r, 0.0)), (Grip::Radius { right: true }, at(*r, 0.0))]
        }
        Shape::Capsule { radius, height } => vec![
            (Grip::End { bottom: false }, at(0.0, -height / 2.0)),
            (Grip::End { bottom: true }, at(0.0, height / 2.0)),
            (Grip::Radius { right: false }, at(-radius, 0.0)),
            (Grip::Radius { right: true }, at(*radius, 0.0)),
        ],
        Shape::Polygon(points) => points.iter().enumerate().map(|(i, [x, y])| (Grip::Point(i), at(*x, *y))).collect(),
    };
    let ([_, _], [cx, cy]) = placed.shape.bounds();
    out.push((Grip::Center, at(cx, cy)));
    out
}

/// A shape after one of its grips was pulled to a place. With `around_center` the far side moves as much the other way;
/// else it stays where it is and the offset follows.
#[must_use]
pub fn pulled(placed: &Placed, grip: Grip, to: [f64; 2], around_center: bool) -> Placed {
    let [ox, oy] = placed.offset;
    let [x, y] = [to[0] - ox, to[1] - oy];
    let stays = || placed.clone();
    match (&placed.shape, grip) {
        (shape, Grip::Center) => {
            let (_, [cx, cy]) = shape.bounds();
            Placed { shape: shape.clone(), offset: [tidy(to[0] - cx), tidy(to[1] - cy)] }
        }
        (Shape::Box([w, h]), Grip::Corner { right, bottom }) => {
            let (w, ox) = side(*w, ox, x, right, around_center);
            let (h, oy) = side(*h, oy, y, bottom, around_center);
            Placed { shape: Shape::Box([w, h]), offset: [ox, oy] }
        }
        (Shape::Circle(r), Grip::Radius { .. }) => {
            Placed { shape: Shape::Circle(tidy(x.hypot(y).max(least(*r)))), offset: placed.offset }
        }
        (Shape::Capsule { radius, height }, Grip::Radius { .. }) => {
            let radius = tidy(x.abs().max(least(*radius))).min(height / 2.0);
            Placed { shape: Shape::Capsule { radius, height: *height }, offset: placed.offset }
        }
        (Shape::Capsule { radius, height }, Grip::End { bottom }) => {
            let (height, oy) = side_at_least(*height, oy, y, bottom, around_center, 2.0 * radius);
            Placed { shape: Shape::Capsule { radius: *radius, height }, offset: [ox, oy] }
        }
        (Shape::Polygon(points), Grip::Point(i)) if i < points.len() => {
            let mut points = points.clone();
            points[i] = [tidy(x), tidy(y)];
            if check_convex(&points).is_err() {
                return stays();
            }
            Placed { shape: Shape::Polygon(points), offset: placed.offset }
        }
        _ => stays(),
    }
}

/// The smallest radius a pull makes of one; what files say smaller stays until it is pulled larger.
fn least(radius: f64) -> f64 {
    radius.min(LEAST / 2.0)
}

/// A length and its center after one end was pulled to `to` (from the center).
fn side(length: f64, center: f64, to: f64, is_far: bool, around_center: bool) -> (f64, f64) {
    side_at_least(length, center, to, is_far, around_center, LEAST)
}

fn side_at_least(length: f64, center: f64, to: f64, is_far: bool, around_center: bool, least: f64) -> (f64, f64) {
    let sign = if is_far { 1.0 } else { -1.0 };
    if around_center {
        return (tidy((2.0 * to * sign).max(least)), center);
    }
    let after = (to * sign + length / 2.0).max(least);
    (tidy(after), tidy(center + sign * (after - length) / 2.0))
}

/// The edge of a polygon nearest to a place, no further than `within` from it, and the place on it: where a corner can
/// be added. None for other shapes.
#[must_use]
pub fn edge_near(placed: &Placed, at: [f64; 2], within: f64) -> Option<(usize, [f64; 2])> {
    let Shape::Polygon(points) = &placed.shape else { return None };
    let p = [at[0] - placed.offset[0], at[1] - placed.offset[1]];
    let (distance, i, [x, y]) = nearest_edge(points, points.len(), p)?;
    (distance <= within).then(|| (i, [x + placed.offset[0], y + placed.offset[1]]))
}

/// The nearest to a place of so many edges between corners, from the first and around: how far it is, its number, and
/// the place on it.
pub(super) fn nearest_edge(points: &[[f64; 2]], n_edges: usize, at: [f64; 2]) -> Option<(f64, usize, [f64; 2])> {
    let on_edge = |i: usize| {
        let (a, b) = (points[i], points[(i + 1) % points.len()]);
        let [ex, ey] = [b[0] - a[0], b[1] - a[1]];
        let along = ((at[0] - a[0]) * ex + (at[1] - a[1]) * ey) / (ex * ex + ey * ey).max(1e-12);
        let along = along.clamp(0.0, 1.0);
        let near = [a[0] + along * ex, a[1] + along * ey];
        ((at[0] - near[0]).hypot(at[1] - near[1]), i, near)
    };
    (0..n_edges).map(on_edge).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// A polygon with a corner more on edge `edge`, and the new corner's number. None where it would not be convex, or two
/// corners would coincide.
#[must_use]
pub fn with_corner(placed: &Placed, edge: usize, at: [f64; 2]) -> Option<(Placed, Grip)> {
    let Shape::Polygon(points) = &placed.shape else { return None };
    let mut points = points.clone();
    let corner = (edge + 1).min(points.len());
    points.insert(corner, [tidy(at[0] - placed.offset[0]), tidy(at[1] - placed.offset[1])]);
    check_convex(&points)
        .is_ok()
        .then_some((Placed { shape: Shape::Polygon(points), offset: placed.offset }, Grip::Point(corner)))
}

/// A polygon without one of its corners. None where too few would be left.
#[must_use]
pub fn without_corner(placed: &Placed, corner: usize) -> Option<Placed> {
    let Shape::Polygon(points) = &placed.shape else { return None };
    let mut points = points.clone();
    if corner >= points.len() {
        return None;
    }
    points.remove(corner);
    check_convex(&points).is_ok().then_some(Placed { shape: Shape::Polygon(points), offset: placed.offset })
}

/// The nearest place of whole pixels.
#[must_use]
pub fn snapped(at: [f64; 2]) -> [f64; 2] {
    at.map(f64::round)
}

/// To a hundredth of a pixel: what a hand can mean.
pub(super) fn tidy(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(shape: Shape, offset: [f64; 2]) -> Placed {
        Placed { shape, offset }
    }

    #[test]
    fn a_pull_moves_what_is_held_and_leaves_the_rest() {
        let boxed = |w, h, x, y| placed(Shape::Box([w, h]), [x, y]);
        let start = boxed(16.0, 10.0, 0.0, 2.0);
        let corner = Grip::Corner { right: true, bottom: true };
        assert_eq!(pulled(&start, corner, [10.0, 9.0], false), boxed(18.0, 12.0, 1.0, 3.0), "the far corner stays");
        assert_eq!(pulled(&start, corner, [10.0, 9.0], true), boxed(20.0, 14.0, 0.0, 2.0), "both sides move");
        let other = Grip::Corner { right: false, bottom: false };
        assert_eq!(pulled(&start, other, [-6.0, -3.0], false), boxed(14.0, 10.0, 1.0, 2.0));
        assert_eq!(pulled(&start, corner, [-40.0, 7.0], false), boxed(1.0, 10.0, -7.5, 2.0), "never inside out");
        assert_eq!(pulled(&start, Grip::Center, [3.0, 4.0], false), boxed(16.0, 10.0, 3.0, 4.0));

        let circle = placed(Shape::Circle(5.0), [1.0, 0.0]);
        let radius = Grip::Radius { right: true };
        assert_eq!(pulled(&circle, radius, [4.0, 4.0], false), placed(Shape::Circle(5.0), [1.0, 0.0]));
        assert_eq!(pulled(&circle, radius, [9.0, 0.0], false), placed(Shape::Circle(8.0), [1.0, 0.0]));

        let capsule = |radius, height, y| placed(Shape::Capsule { radius, height }, [0.0, y]);
        let start = capsule(5.0, 14.0, 0.0);
        assert_eq!(pulled(&start, Grip::End { bottom: true }, [0.0, 11.0], false), capsule(5.0, 18.0, 2.0));
        assert_eq!(
            pulled(&start, Grip::End { bottom: true }, [0.0, -30.0], false),
            capsule(5.0, 10.0, -2.0),
            "no flatter"
        );
        assert_eq!(pulled(&start, radius, [30.0, 0.0], false), capsule(7.0, 14.0, 0.0), "no wider than high");
    }

    #[test]
    fn corners_are_added_moved_and_taken_away() {
        let square = placed(Shape::Polygon(vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]]), [5.0, 5.0]);
        let (edge, at) = edge_near(&square, [11.0, 4.0], 2.0).unwrap_or_default();
        assert_eq!((edge, at), (0, [11.0, 5.0]));
        assert_eq!(edge_near(&square, [10.0, 10.0], 2.0), None, "the middle is near no edge");
        let Some((more, grip)) = with_corner(&square, edge, at) else { panic!("a corner on an edge") };
        assert_eq!(grip, Grip::Point(1));
        let out = pulled(&more, grip, [11.0, 1.0], false);
        assert_eq!(grips(&out)[1], (Grip::Point(1), [11.0, 1.0]));
        assert_eq!(pulled(&more, grip, [11.0, 9.0], false), more, "a dent is refused");
        assert_eq!(without_corner(&more, 1), Some(square.clone()));
        let triangle = without_corner(&square, 0);
        assert!(triangle.as_ref().is_some_and(|it| without_corner(it, 0).is_none()), "three is the least");
    }

    #[test]
    fn every_pull_ends_in_a_shape_that_can_be_written() {
        let shapes = [
            Shape::Box([16.0, 4.0]),
            Shape::Circle(3.0),
            Shape::Capsule { radius: 2.0, height: 9.0 },
            Shape::Capsule { radius: 0.2, height: 0.5 },
            Shape::Polygon(vec![[0.0, -6.0], [6.0, 6.0], [-6.0, 6.0]]),
        ];
        for shape in shapes {
            let start = placed(shape, [1.0, -2.0]);
            for (grip, at) in grips(&start) {
                assert_eq!(pulled(&start, grip, at, false), start, "held and not pulled: {grip:?}");
                for n in 0..400 {
                    let to = [f64::from(n % 20) * 3.7 - 35.0, f64::from(n / 20) * 3.3 - 33.0];
                    for around_center in [false, true] {
                        let after = pulled(&start, grip, to, around_center);
                        let read = Shape::from_value(&after.shape.to_value());
                        assert_eq!(read.as_ref(), Ok(&after.shape), "{grip:?} to {to:?}");
                    }
                }
            }
        }
    }
}
