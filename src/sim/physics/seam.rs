//! Seams: where the surface of a static or kinematic body, or of a loose one at rest, continues flush that of another or
//! of tiles, loose bodies pass as on one surface. Which loose bodies are such ground is in `loose_ground`.
//!
//! The solver sees each pair of colliders alone. A box that slides over a seam overlaps the next body's side by less
//! than its top, so it would be stopped by that side, and a ball would meet the corner before it is above it. Invariant:
//! the normal of a contact at the end of a face turns no farther than the face of the neighbor that continues it.
//! Seams of tiles among themselves are in `ends` and `surface`.
//!
//! Source: the rule is that of ghost vertices in the chain shapes of `Box2D`; here the neighbor is looked up at each
//! contact, because bodies move.

use std::sync::OnceLock;

use glam::Vec2;
use rapier2d::{parry::query::Ray, prelude::*};

use super::{
    convex::{Convex, outward},
    loose_ground::LooseGround,
    outline::Segment,
    pieces::{FirmGround, Pieces},
    solver::{IS_ONE_WAY, TILE_GROUPS},
    tiles::TileMap,
};

/// Faces continue each other across a step of no more than this, and for bodies of every shape across such a gap, in
/// pixels.
pub(super) const SLOP: f32 = 0.25;

/// A box passes wider gaps, too: up to this share of the length of its bottom. Its weight is over one of the two faces
/// then, so it does not dip into them.
const GAP_SHARE: f32 = 0.45;

/// A round body passes gaps into which it would dip by no more than this, in pixels.
const MOST_DIP: f32 = 0.1;

/// How far beyond the end of a face the next one is looked for, in pixels; then as far as the widest gap that the body
/// passes.
const GAPS: [f32; 8] = [0.6, 1.2, 2.4, 4.0, 5.6, 8.0, 11.2, 16.0];

/// Two faces lie level if their heights differ by no more than this, in pixels, and the cosine of the angle between
/// their normals is at least `STRAIGHT`: a flat body that comes down on both meets them in the same step.
const FLUSH: f32 = 0.02;
const STRAIGHT: f32 = 0.9999;

/// How far above and below the end of a face its neighbor is looked for, in pixels.
const REACH: f32 = 1.0;

/// Faces continue each other if the cosine of the angle between their normals is greater than this.
const LEAST_COSINE: f32 = 0.55;

/// Corners whose heights above a face differ by less than this, as a share of their distance, lie level on it.
const LEVEL: f32 = 0.1;

/// A normal that leans by less than this, as a sine, beyond the end of a face is the normal of the face.
const LEAST_TURN: f32 = 1e-3;

/// A corner of ground: the two faces that meet there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    at: Vec2,
    faces: [Face; 2],
}

#[derive(Clone, Copy, Debug)]
struct Face {
    /// Unit normal out of the ground.
    normal: Vec2,
    /// Length in pixels; `None` for an edge of tiles that has contacts of its own.
    length: Option<f32>,
}

impl Corner {
    /// The corner of a static or kinematic body, or of one resting loose, that is nearest to a point; `None` for a
    /// round body.
    pub(super) fn of_body(collider: &Collider, near: Vec2) -> Option<Self> {
        let (pose, shape) = (collider.position(), collider.shape());
        let near = pose.inverse_transform_point(near);
        let (at, faces) = if let Some(cuboid) = shape.as_cuboid() {
            let (half, side) = (cuboid.half_extents, Vec2::ONE.copysign(near));
            let faces = [(Vec2::new(side.x, 0.0), 2.0 * half.y), (Vec2::new(0.0, side.y), 2.0 * half.x)];
            (half * side, faces)
        } else {
            let points = shape.as_convex_polygon()?.points();
            let n = points.len();
            let distance = |i: usize| near.distance_squared(points[i]);
            let i = (0..n).min_by(|i, j| distance(*i).total_cmp(&distance(*j)))?;
            let face = |i: usize| {
                let (a, b) = (points[i], points[(i + 1) % n]);
                (outward(a, b), a.distance(b))
            };
            (points[i], [face((i + n - 1) % n), face(i)])
        };
        let faces = faces.map(|(normal, length)| Face { normal: pose.rotation * normal, length: Some(length) });
        Some(Self { at: pose.transform_point(at), faces })
    }

    /// The convex end of an edge of tiles that is nearest to a point, if the edge has one.
    pub(super) fn of_edge(edge: &Segment, origin: Vec2, near: Vec2) -> Option<Self> {
        let ends =
            [edge.a, edge.b].into_iter().zip(edge.ends).filter_map(|(end, how)| Some((end + origin, how.round?)));
        let (at, round) =
            ends.min_by(|(a, _), (b, _)| near.distance_squared(*a).total_cmp(&near.distance_squared(*b)))?;
        let own = Face { normal: edge.normal(), length: Some(edge.a.distance(edge.b)) };
        Some(Self { at, faces: [own, Face { normal: round, length: None }] })
    }
}

/// The corners of a collider without its rounding, clockwise on the screen, and the radius of the rounding, in pixels.
pub(super) fn core(collider: &Collider) -> (Vec<Vec2>, f32) {
    let (pose, shape) = (collider.position(), collider.shape());
    let placed = |points: &[Vec2]| points.iter().map(|point| pose.transform_point(*point)).collect();
    if let Some(cuboid) = shape.as_cuboid() {
        return (placed(&Convex::rect(-cuboid.half_extents, cuboid.half_extents).points), 0.0);
    }
    if let Some(ball) = shape.as_ball() {
        return (placed(&[Vec2::ZERO]), ball.radius);
    }
    if let Some(capsule) = shape.as_capsule() {
        return (placed(&[capsule.segment.a, capsule.segment.b]), capsule.radius);
    }
    (shape.as_convex_polygon().map_or_else(Vec::new, |polygon| placed(polygon.points())), 0.0)
}

/// A loose collider at a corner of ground.
pub(super) struct Meeting<'a> {
    pub(super) colliders: &'a ColliderSet,
    /// All bodies, where the loose collider slides: loose ones at rest continue the ground.
    pub(super) bodies: Option<&'a RigidBodySet>,
    /// The collider of the ground.
    pub(super) ground: ColliderHandle,
    /// Which one of the pair that is: 0 or 1.
    pub(super) side: usize,
    pub(super) loose: &'a Collider,
    /// Velocity of the loose collider relative to the ground, in px/s.
    pub(super) vel: Vec2,
}

impl Meeting<'_> {
    /// How wide a gap in ground of this normal may be for the loose collider to pass it, in pixels.
    fn widest_gap(&self, up: Vec2) -> f32 {
        match self.bottom(up) {
            Some([a, b]) => GAP_SHARE * a.distance(b),
            // A ball of radius r dips by g²/8r into a gap of width g.
            None => (8.0 * core(self.loose).1 * MOST_DIP).sqrt(),
        }
    }

    /// The ends of the face with which the loose collider meets ground of this normal; `None` for a round one.
    pub(super) fn bottom(&self, out: Vec2) -> Option<[Vec2; 2]> {
        let (points, radius) = core(self.loose);
        lowest(&points, out).filter(|_| radius <= 0.0)
    }
}

/// A face, the direction in which it ends, and the normal of the surface that continues it.
#[derive(Clone, Copy, Debug)]
struct Bend {
    face: Face,
    along: Vec2,
    next: Vec2,
}

/// Looks up what continues a face, in the state of one step.
pub(super) struct Seams<'a> {
    tiles: &'a TileMap,
    ground: &'a FirmGround,
    /// The same by place; made when they are first needed.
    pieces: OnceLock<Pieces>,
    /// Those of loose bodies at rest.
    loose: &'a LooseGround,
}

impl<'a> Seams<'a> {
    pub(super) fn new(tiles: &'a TileMap, ground: &'a FirmGround, loose: &'a LooseGround) -> Self {
        Self { tiles, ground, pieces: OnceLock::new(), loose }
    }

    fn pieces(&self, meeting: &Meeting<'_>) -> &Pieces {
        self.pieces.get_or_init(|| Pieces::new(self.ground.among(meeting.colliders)))
    }

    /// Turn contacts that lean beyond the end of a face which a neighbor continues: they become those with the face.
    /// `margin` is how deep a body may be in a surface that it meets at a speed in px/s.
    pub(super) fn smooth(
        &self,
        rigid: &mut ModifiableManifold<'_>,
        corner: Corner,
        meeting: &Meeting<'_>,
        margin: impl Fn(f32) -> f32,
    ) {
        let sign = if meeting.side == 0 { 1.0 } else { -1.0 };
        let Some(Bend { face, along, next }) = self.passed(corner, *rigid.normal * sign, meeting) else { return };
        let (points, radius) = core(meeting.loose);
        let height = |normal: Vec2| points.iter().map(|p| (*p - corner.at).dot(normal)).fold(f32::INFINITY, f32::min);
        let is_over_next = next.dot(along) > LEAST_TURN && height(next) > height(face.normal);
        let normal = if is_over_next { next } else { face.normal };
        let Some(template) = rigid.solver_contacts.first().copied() else { return };
        if height(normal) - radius < -margin(-meeting.vel.dot(normal)) {
            return;
        }
        *rigid.normal = normal * sign;
        rigid.solver_contacts.clear();
        let (Some(length), Some(bottom)) = (face.length, lowest(&points, normal)) else { return };
        let range = [if is_over_next { 0.0 } else { -length }, 0.0];
        let [a, b] = clipped(bottom, |p| (p - corner.at).dot(along), range);
        let dist = |p: Vec2| (p - corner.at).dot(normal) - radius;
        // Level faces rest on two points, if the solver has a place for the impulse of each.
        let n_places = rigid.manifold.points.len();
        let is_level = (dist(a) - dist(b)).abs() < LEVEL * a.distance(b);
        let found = if is_level && n_places > 1 {
            [Some(a), Some(b)]
        } else if is_level {
            [Some(a.midpoint(b)), None]
        } else {
            [Some(if dist(b) < dist(a) { b } else { a }), None]
        };
        for (i, point) in (0..).zip(found.into_iter().flatten()) {
            let on_loose = point - normal * radius;
            let on_ground = on_loose - normal * dist(point);
            let [anchor1, anchor2] = if meeting.side == 0 { [on_ground, on_loose] } else { [on_loose, on_ground] };
            // The lower bits are the index of its place.
            let id = template.contact_id[0] >> 31 << 31 | if n_places > 1 { i } else { 0 };
            let dist = dist(point);
            rigid.solver_contacts.push(SolverContact { anchor1, anchor2, dist, contact_id: [id], ..template });
        }
    }

    /// The face of a corner that a neighbor continues, if a normal out of the ground leans beyond the face's end; where
    /// the surface turns down there, beyond the normal of the neighbor.
    fn passed(&self, corner: Corner, out: Vec2, meeting: &Meeting<'_>) -> Option<Bend> {
        let [a, b] = corner.faces;
        let center = || -> Vec2 { meeting.loose.compute_aabb().center() };
        [(a, b), (b, a)].into_iter().find_map(|(face, other)| {
            let along = face.normal.perp();
            let along = if along.dot(other.normal) < 0.0 { -along } else { along };
            if out.dot(along) < LEAST_TURN {
                return None;
            }
            let next = self.beyond(corner.at, face.normal, along, meeting)?;
            let from_corner = center() - corner.at;
            let is_over = |normal: Vec2| from_corner.dot(normal) > 0.0;
            let turns_down = next.dot(along) > 0.0;
            // A body whose center is below the surface has not come over it: it meets the other face.
            let is_above =
                if turns_down { is_over(face.normal) || is_over(next) } else { is_over(face.normal) && is_over(next) };
            let last = if turns_down { next } else { face.normal };
            let leans_beyond = last.perp_dot(out) * face.normal.perp_dot(along) > LEAST_TURN;
            (is_above && leans_beyond).then_some(Bend { face, along, next })
        })
    }

    /// The normal of the surface that continues a face beyond its end, if there is one that holds the loose collider.
    fn beyond(&self, end: Vec2, face: Vec2, along: Vec2, meeting: &Meeting<'_>) -> Option<Vec2> {
        // Seen along a face, what turns away at a right angle is not seen: from between the two normals it is.
        let between = |a: Vec2, b: Vec2| (a + b).normalize_or_zero();
        self.behind(end, face, along, meeting)
            .or_else(|| self.behind(end, between(face, along), between(along, -face), meeting))
    }

    /// The normal of the surface near a corner of the ground, seen from above the corner along `-up`, a little way
    /// `along` beside it. Across a gap or a bevel it is that of a level face, if there is one.
    fn behind(&self, end: Vec2, up: Vec2, along: Vec2, meeting: &Meeting<'_>) -> Option<Vec2> {
        let is_tile = meeting.colliders.get(meeting.ground).is_some_and(|ground| ground.parent().is_none());
        let flush = |gap: f32, with_tiles: bool| {
            let from = end + along * gap + up * REACH;
            let (share, normal) = self.first_below(from, up, meeting, with_tiles)?;
            let hit = from - up * (2.0 * REACH * share);
            (normal.dot(up) > LEAST_COSINE && (end - hit).dot(normal).abs() <= SLOP).then_some(normal)
        };
        let near = flush(SLOP, !is_tile);
        let is_level = |normal: Vec2| normal.dot(up) > STRAIGHT;
        if near.is_some_and(is_level) {
            return near;
        }
        let widest = meeting.widest_gap(up);
        let mut across = None;
        for gap in GAPS.into_iter().take_while(|gap| *gap < widest).chain([widest]) {
            match flush(gap, true) {
                Some(normal) if is_level(normal) => return Some(normal),
                found => across = across.or(found),
            }
        }
        near.or(across)
    }

    /// Whether ground other than that of the meeting is level with a point of it, there.
    pub(super) fn is_level_at(&self, point: Vec2, up: Vec2, meeting: &Meeting<'_>) -> bool {
        let from = point + up * REACH;
        self.first_below(from, up, meeting, true).is_some_and(|(share, normal)| {
            let depth = 2.0 * REACH * share - REACH;
            normal.dot(up) > STRAIGHT && depth.abs() <= FLUSH
        })
    }

    /// The share of `2 * REACH` to the first surface below a point, and its normal; that of tiles if asked for.
    fn first_below(&self, from: Vec2, up: Vec2, meeting: &Meeting<'_>, with_tiles: bool) -> Option<(f32, Vec2)> {
        let pieces = self.pieces(meeting);
        let (motion, end) = (up * (-2.0 * REACH), from - up * REACH);
        let mut first: Option<(f32, Vec2)> = None;
        let mut take = |hit: Option<(f32, Vec2)>| {
            if let Some(hit) = hit.filter(|hit| first.is_none_or(|first| hit.0 < first.0)) {
                first = Some(hit);
            }
        };
        let groups = meeting.loose.collision_groups();
        if with_tiles && groups.test(TILE_GROUPS) {
            take(self.tiles.ray(from, motion).map(|hit| (hit.share, hit.normal)));
        }
        let [lo, hi] = [end - 2.0 * REACH, end + 2.0 * REACH];
        let loose = meeting.bodies.map(|bodies| self.loose.near([lo, hi], meeting.colliders, bodies));
        for piece in pieces.near(lo, hi).chain(loose.into_iter().flatten()) {
            if piece.handle == meeting.ground {
                continue;
            }
            let Some(other) = meeting.colliders.get(piece.handle) else { continue };
            if groups.test(other.collision_groups()) {
                let hit = other.shape().cast_ray_and_get_normal(other.position(), &Ray::new(from, motion), 1.0, true);
                let holds = |normal: Vec2| other.user_data & IS_ONE_WAY == 0 || normal.y < -0.5;
                take(hit.map(|hit| (hit.time_of_impact, hit.normal)).filter(|(_, normal)| holds(*normal)));
            }
        }
        first
    }
}

/// The corner of a convex outline that is the lowest along a normal, and the lower one of those beside it.
fn lowest(points: &[Vec2], normal: Vec2) -> Option<[Vec2; 2]> {
    let n = points.len();
    let lower = |i: usize, j: usize| if points[j].dot(normal) < points[i].dot(normal) { j } else { i };
    let first = (0..n).reduce(lower)?;
    let second = lower((first + 1) % n, (first + n - 1) % n);
    Some([points[first], points[second]])
}

/// The stretch of a line within a range of a measure along it; its nearest end, twice, if it is wholly outside.
fn clipped([a, b]: [Vec2; 2], measure: impl Fn(Vec2) -> f32, [least, most]: [f32; 2]) -> [Vec2; 2] {
    let (from, to) = (measure(a), measure(b));
    [from, to].map(|x| {
        let share = (x.clamp(least, most) - from) / (to - from);
        if share.is_finite() { a.lerp(b, share.clamp(0.0, 1.0)) } else { a }
    })
}
