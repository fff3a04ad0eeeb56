//! The outline of solid cells: exposed edges, joined where they are collinear.
//!
//! Invariant: an edge between two solid parts is not in the outline, so nothing can catch on it; every edge runs
//! clockwise around its solid, on the screen.

use glam::Vec2;

use crate::{
    model::Cell,
    sim::grid::{CellKind, Piece, floor},
};

use super::convex::{edges, outward};

/// How the surface continues at an end of an edge.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct End {
    /// The normal of the next edge around a convex corner.
    pub(super) round: Option<Vec2>,
    /// A wider corner of the outside at the same point: a body that comes from there touches its edges, not this one.
    pub(super) other: Option<Corner>,
}

/// The outside between two edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    pub(super) normals: [Vec2; 2],
    pub(super) convex: bool,
}

impl Corner {
    /// Whether the corner contains a point, relative to where its edges meet.
    #[must_use]
    pub(super) fn holds(&self, offset: Vec2) -> bool {
        let [a, b] = self.normals.map(|normal| normal.dot(offset) > 0.0);
        if self.convex { a || b } else { a && b }
    }

    /// How fast a velocity goes into the ground behind the corner, px/s.
    #[must_use]
    pub(super) fn closing(&self, vel: Vec2) -> f32 {
        self.normals.into_iter().map(|normal| -vel.dot(normal)).fold(0.0, f32::max)
    }
}

/// The properties of an edge that its tile sets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Material {
    /// Friction, if the tile declares one.
    pub(super) friction: Option<f32>,
    /// Velocity of the surface along the edge, clockwise around the ground, px/s.
    pub(super) conveyor: f32,
}

impl From<&CellKind> for Material {
    fn from(kind: &CellKind) -> Self {
        Self { friction: kind.friction, conveyor: kind.conveyor }
    }
}

/// An exposed edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    /// The start, in pixels.
    pub(super) a: Vec2,
    /// The end, in pixels; the outside is to the left, going from `a` on a screen.
    pub(super) b: Vec2,
    pub(super) material: Material,
    /// How the surface continues before and after it.
    pub(super) ends: [End; 2],
}

impl Segment {
    fn new(a: Vec2, b: Vec2, material: Material) -> Self {
        Self { a, b, material, ends: [End::default(); 2] }
    }

    /// Unit normal toward the outside.
    #[must_use]
    pub(super) fn normal(&self) -> Vec2 {
        outward(self.a, self.b)
    }

    /// Whether a point lies on it, other than at its ends.
    #[must_use]
    pub(super) fn passes(&self, p: Vec2) -> bool {
        let way = self.b - self.a;
        let length = way.length();
        let along = (p - self.a).dot(way) / length;
        along > SAME && along < length - SAME && (p - self.a).perp_dot(way).abs() < SAME * length
    }
}

/// Points closer than this are equal, in pixels.
pub(super) const SAME: f32 = 1.0 / 64.0;

/// The sides of a cell, as offsets to the neighbors.
const SIDES: [Cell; 4] = [[0, -1], [1, 0], [0, 1], [-1, 0]];

/// Add the exposed edges of a cell; `kind` returns the kind of this cell and of its neighbors.
pub(super) fn of_cell<'a>(
    cell: Cell,
    size: Vec2,
    kind: &impl Fn(Cell) -> &'a CellKind,
    solid: &mut Vec<Segment>,
    ledges: &mut Vec<Segment>,
) {
    let here = kind(cell);
    #[allow(clippy::cast_precision_loss)] // within a chunk
    let origin = Vec2::new(cell[0] as f32, cell[1] as f32) * size;
    let rect = [Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)];
    let mut add = |points: &[Vec2], others: &[Piece]| {
        for (a, b) in edges(points) {
            let side = side_of(a, b, size);
            let next = side.map(|side| kind([cell[0] + SIDES[side][0], cell[1] + SIDES[side][1]]));
            if next.is_some_and(|next| next.full) {
                continue;
            }
            if next.is_none_or(|next| next.pieces.is_empty()) && others.is_empty() {
                push(solid, a + origin, b + origin, here.into());
                continue;
            }
            let mut exposed = vec![[0.0, 1.0]];
            if let (Some(side), Some(next)) = (side, next) {
                #[allow(clippy::cast_precision_loss)] // -1, 0 or 1
                let shift = Vec2::new(SIDES[side][0] as f32, SIDES[side][1] as f32) * size;
                for covered in covers(next, (side + 2) % 4, size, &rect) {
                    let along = covered.map(|p| (p + shift - a).dot(b - a) / (b - a).length_squared());
                    exposed = without(&exposed, [along[0].min(along[1]), along[0].max(along[1])]);
                }
            }
            let touching =
                others.iter().filter(|_| side.is_none()).filter(|other| !other.one_way && other.points != points);
            for (c, d) in touching.flat_map(|other| edges(&other.points)) {
                let along = [d, c].map(|p| (p - a).dot(b - a) / (b - a).length_squared());
                let is_on = |p: Vec2| (p - a).perp_dot(b - a).abs() < SAME * (b - a).length();
                if along[0] < along[1] && is_on(c) && is_on(d) {
                    exposed = without(&exposed, along);
                }
            }
            for other in others.iter().filter(|other| !other.one_way && other.points != points) {
                if let Some(hidden) = within(&other.points, a, b) {
                    exposed = without(&exposed, hidden);
                }
            }
            for [from, to] in exposed {
                let (a, b) = (a.lerp(b, from), a.lerp(b, to));
                push(solid, a + origin, b + origin, here.into());
            }
        }
    };
    if here.full {
        add(&rect, &[]);
        return;
    }
    for piece in &here.pieces {
        if !piece.one_way {
            add(&piece.points, if here.pieces.len() > 1 { &here.pieces } else { &[] });
            continue;
        }
        for (a, b) in edges(&piece.points) {
            if outward(a, b).y < -0.1 {
                push(ledges, a + origin, b + origin, here.into());
            }
        }
    }
}

/// Add an edge, unless its ends are the same point.
fn push(edges: &mut Vec<Segment>, a: Vec2, b: Vec2, material: Material) {
    if spot(a) != spot(b) {
        edges.push(Segment::new(a, b, material));
    }
}

/// The side of the cell that an edge lies on, if any.
fn side_of(a: Vec2, b: Vec2, size: Vec2) -> Option<usize> {
    let on = |x: f32, y: f32| x.abs() < SAME && y.abs() < SAME;
    if on(a.y, b.y) {
        Some(0)
    } else if on(a.x - size.x, b.x - size.x) {
        Some(1)
    } else if on(a.y - size.y, b.y - size.y) {
        Some(2)
    } else if on(a.x, b.x) {
        Some(3)
    } else {
        None
    }
}

/// The stretches of a cell's side that its solid covers, each by its end points in pixels.
fn covers(kind: &CellKind, side: usize, size: Vec2, rect: &[Vec2]) -> Vec<[Vec2; 2]> {
    let solid = kind.pieces.iter().filter(|piece| !piece.one_way).map(|piece| &*piece.points);
    let all = solid.chain(kind.full.then_some(rect)).flat_map(edges);
    all.filter(|(a, b)| side_of(*a, *b, size) == Some(side)).map(|(a, b)| [a, b]).collect()
}

/// The stretch of an edge that lies inside a convex part, as shares of the edge.
///
/// Source: Cyrus, Beck, "Generalized two- and three-dimensional clipping".
fn within(points: &[Vec2], a: Vec2, b: Vec2) -> Option<[f32; 2]> {
    let (mut from, mut to) = (0.0_f32, 1.0_f32);
    for (c, d) in edges(points) {
        let out = outward(c, d);
        let (start, gain) = ((a - c).dot(out) + SAME, (b - a).dot(out));
        if gain.abs() < 1e-6 {
            if start > 0.0 {
                return None;
            }
        } else if gain > 0.0 {
            to = to.min(-start / gain);
        } else {
            from = from.max(-start / gain);
        }
    }
    // No tiny edge remains where it enters or leaves.
    let margin = 2.0 * SAME / (b - a).length();
    (to > from).then_some([from - margin, to + margin])
}

/// The stretches without another one.
fn without(stretches: &[[f32; 2]], [from, to]: [f32; 2]) -> Vec<[f32; 2]> {
    let parts = |[a, b]: [f32; 2]| [[a, b.min(from)], [a.max(to), b]];
    stretches.iter().flat_map(|s| parts(*s)).filter(|[a, b]| b - a > 1e-4).collect()
}

/// A point rounded so that neighbors agree on it.
pub(super) type Spot = (i32, i32);

pub(super) fn spot(p: Vec2) -> Spot {
    let near = |x: f32| floor(x / SAME + 0.5);
    (near(p.x), near(p.y))
}

/// The index of an edge, by the spot of one of its ends.
pub(super) type At = (Spot, usize);

/// The edges, sorted by the spot of one of their ends.
pub(super) fn by_spot(segments: &[Segment], end: impl Fn(&Segment) -> Vec2) -> Vec<At> {
    let mut all: Vec<At> = segments.iter().enumerate().map(|(i, s)| (spot(end(s)), i)).collect();
    all.sort_unstable();
    all
}

/// The sorted edges whose end is at a spot.
pub(super) fn at(sorted: &[At], spot: Spot) -> &[At] {
    let from = sorted.partition_point(|(other, _)| *other < spot);
    let n = sorted.get(from..).map_or(0, |rest| rest.iter().take_while(|(other, _)| *other == spot).count());
    sorted.get(from..from + n).unwrap_or_default()
}

/// The edges, collinear ones of equal material joined.
#[must_use]
pub(super) fn joined(segments: Vec<Segment>) -> Vec<Segment> {
    let (starts, ends) = (by_spot(&segments, |s| s.a), by_spot(&segments, |s| s.b));
    let in_line = |i: usize, j: usize| {
        let (s, t) = (&segments[i], &segments[j]);
        let (u, v) = ((s.b - s.a).normalize_or_zero(), (t.b - t.a).normalize_or_zero());
        i != j && u.dot(v) > 0.0 && u.perp_dot(v).abs() < 1e-3 && s.material == t.material
    };
    let is_first = |i: usize| !at(&ends, spot(segments[i].a)).iter().any(|(_, j)| in_line(*j, i));
    let mut is_joined = vec![false; segments.len()];
    let mut done = Vec::new();
    // Those of a curve so gentle that it is in line all around have no first one.
    let (begin, others): (Vec<usize>, Vec<usize>) = (0..segments.len()).partition(|i| is_first(*i));
    for first in begin.into_iter().chain(others) {
        if is_joined[first] {
            continue;
        }
        is_joined[first] = true;
        let mut last = first;
        let next = |last: usize, is_joined: &[bool]| {
            let mut all = at(&starts, spot(segments[last].b)).iter().map(|(_, j)| *j);
            all.find(|j| !is_joined[*j] && in_line(last, *j) && in_line(first, *j))
        };
        while let Some(j) = next(last, &is_joined) {
            is_joined[j] = true;
            last = j;
        }
        let (first, last) = (segments[first], segments[last]);
        done.push(Segment { b: last.b, ends: [first.ends[0], last.ends[1]], ..first });
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outlined(cells: &[(Cell, CellKind)]) -> Vec<Segment> {
        let empty = CellKind::default();
        let kind = |at: Cell| cells.iter().find(|(cell, _)| *cell == at).map_or(&empty, |(_, kind)| kind);
        let (mut solid, mut ledges) = (Vec::new(), Vec::new());
        for (cell, _) in cells {
            of_cell(*cell, Vec2::splat(16.0), &kind, &mut solid, &mut ledges);
        }
        joined(solid)
    }

    fn full() -> CellKind {
        let mut kind = CellKind::default();
        kind.full = true;
        kind
    }

    fn part(points: &[(f32, f32)]) -> CellKind {
        let mut kind = CellKind::default();
        kind.pieces.push(Piece { points: points.iter().map(|p| Vec2::from(*p)).collect(), one_way: false });
        kind
    }

    #[test]
    fn a_row_of_cells_has_four_edges() {
        let outline = outlined(&[([0, 0], full()), ([1, 0], full()), ([2, 0], full())]);
        assert_eq!(outline.len(), 4, "{outline:?}");
        let top = outline.iter().find(|s| s.a.y == 0.0 && s.b.y == 0.0).copied();
        assert!(top.is_some_and(|s| s.a.x == 0.0 && s.b.x == 48.0), "clockwise: {top:?}");
    }

    #[test]
    fn a_slope_joins_the_flat_it_leads_to() {
        let slope = part(&[(0.0, 16.0), (16.0, 0.0), (16.0, 16.0)]);
        let outline = outlined(&[([0, 0], slope), ([1, 0], full()), ([0, 1], full()), ([1, 1], full())]);
        // The slope, the flat top, the right wall, the bottom, the left wall.
        assert_eq!(outline.len(), 5, "{outline:?}");
    }

    #[test]
    fn corners_closer_than_points_are_told_apart_leave_the_surface_whole() {
        let half = [(16.0, 8.0), (16.0, 16.0), (0.0, 16.0)];
        let close = |corners: &[(f32, f32)]| part(&[corners, &half].concat());
        let alone = outlined(&[([0, 0], close(&[(0.0, 8.0), (0.004, 8.0), (0.007, 8.0)]))]);
        let top =
            |outline: &[Segment]| outline.iter().filter(|s| s.a.y == 8.0 && s.b.y == 8.0).copied().collect::<Vec<_>>();
        assert!(matches!(top(&alone)[..], [s] if s.a.x < 0.01 && s.b.x == 16.0), "{alone:?}");
        let beside = part(&[(0.0, 8.0), (16.0, 8.0), (16.0, 16.0), (0.0, 16.0)]);
        let both = outlined(&[([-1, 0], beside), ([0, 0], close(&[(0.0, 8.0), (0.004, 8.0), (0.007, 8.0)]))]);
        assert!(matches!(top(&both)[..], [s] if s.a.x == -16.0 && s.b.x == 16.0), "{both:?}");
    }

    #[test]
    fn a_circle_of_very_many_corners_keeps_its_shape() {
        let corner = |i: u16| {
            let (sin, cos) = (f32::from(i) / 4000.0 * std::f32::consts::TAU).sin_cos();
            (500.0 + 400.0 * cos, 500.0 + 400.0 * sin)
        };
        let mut solid = Vec::new();
        let points: Vec<(f32, f32)> = (0..4000).map(corner).collect();
        let kind = part(&points);
        of_cell([0, 0], Vec2::splat(1000.0), &|_| &kind, &mut solid, &mut Vec::new());
        let outline = joined(solid);
        assert!(outline.len() > 100, "{}", outline.len());
        let length: f32 = outline.iter().map(|s| s.a.distance(s.b)).sum();
        assert!((length - 800.0 * std::f32::consts::PI).abs() < 1.0, "{length}");
    }

    #[test]
    fn half_tiles_cover_half_of_a_side() {
        let half = part(&[(0.0, 8.0), (16.0, 8.0), (16.0, 16.0), (0.0, 16.0)]);
        let outline = outlined(&[([0, 0], half), ([1, 0], full())]);
        let wall = outline.iter().find(|s| s.a.x == 16.0 && s.b.x == 16.0).copied();
        assert!(wall.is_some_and(|s| s.a.y == 8.0 && s.b.y == 0.0), "only its upper half is exposed: {outline:?}");
    }

    #[test]
    fn what_lies_inside_another_part_of_the_cell_is_no_edge() {
        let mut kind = part(&[(0.0, 0.0), (12.0, 0.0), (12.0, 16.0), (0.0, 16.0)]);
        kind.pieces.extend(part(&[(6.0, 0.0), (16.0, 6.0), (6.0, 16.0)]).pieces);
        let outline = outlined(&[([0, 0], kind)]);
        assert!(!outline.iter().any(|s| s.a.x == 6.0 && s.b.x == 6.0), "{outline:?}");
    }

    #[test]
    fn parts_of_a_cell_that_touch_have_no_edge_between_them() {
        let mut steps = part(&[(0.0, 8.0), (16.0, 8.0), (16.0, 16.0), (0.0, 16.0)]);
        steps.pieces.extend(part(&[(8.0, 0.0), (16.0, 0.0), (16.0, 8.0), (8.0, 8.0)]).pieces);
        let outline = outlined(&[([0, 0], steps)]);
        // Left, lower top, riser, upper top, right, bottom.
        assert_eq!(outline.len(), 6, "{outline:?}");
        assert!(outline.iter().all(|s| s.a.distance(s.b) > 7.0), "{outline:?}");
        let inner = outline.iter().find(|s| s.a.y == 8.0 && s.b.y == 8.0).copied();
        assert!(inner.is_some_and(|s| (s.a.x, s.b.x) == (0.0, 8.0)), "{inner:?}");
    }
}
