//! Ends of ground edges: how the surface continues beyond each end of an edge, whatever kinds of tiles and chunks meet
//! there.
//!
//! Around a point, the outside is divided into one or several corners, each between an edge that arrives and one that
//! leaves. There are two where a ledge leads onto solid ground (the edge of the ground below the ledge is in no
//! corner), or where triangles touch at their tips. Invariant: which edges are ledges makes no difference here.

use std::collections::BTreeMap;

use glam::Vec2;

use crate::{model::Cell, sim::grid::floor};

use super::outline::{At, Corner, End, SAME, Segment, Spot, at, by_spot, spot};

/// Edges whose turn (see `turn`) is smaller count as straight.
const STRAIGHT: f32 = 1e-5;

/// Cut edges where the end of another edge lies on them, so that edges meet only at ends.
pub(super) fn cut(cells: &mut BTreeMap<Cell, Vec<(bool, Segment)>>, size: Vec2) {
    let mut points: BTreeMap<Spot, Vec2> = BTreeMap::new();
    #[allow(clippy::cast_precision_loss)] // within a chunk
    let on_line = |x: f32, side: f32| (x - floor(x / side + 0.5) as f32 * side).abs() < SAME;
    for (_, segment) in cells.values().flatten() {
        // An edge lies within one cell, so it passes through no corner of a cell.
        let inner = [segment.a, segment.b].into_iter().filter(|p| !(on_line(p.x, size.x) && on_line(p.y, size.y)));
        points.extend(inner.map(|p| (spot(p), p)));
    }
    for point in points.into_values() {
        let cell = |shift: f32| ((point + shift) / size).to_array().map(floor);
        let (lo, hi) = (cell(-SAME), cell(SAME));
        for at in (lo[1]..=hi[1]).flat_map(|y| (lo[0]..=hi[0]).map(move |x| [x, y])) {
            let Some(edges) = cells.get_mut(&at) else { continue };
            let mut i = 0;
            while let Some((ledge, segment)) = edges.get(i).copied() {
                if segment.passes(point) {
                    edges[i].1.b = point;
                    edges.push((ledge, Segment { a: point, ..segment }));
                }
                i += 1;
            }
        }
    }
}

/// Set how the surface continues at the ends of the first `n` edges; the others are their neighbors.
pub(super) fn connect(segments: &mut [Segment], n: usize) {
    let (starts, ends) = (by_spot(segments, |s| s.a), by_spot(segments, |s| s.b));
    let found: Vec<[End; 2]> = segments
        .iter()
        .take(n)
        .enumerate()
        .map(|(i, segment)| {
            let meeting = |p: Vec2| (at(&ends, spot(p)), at(&starts, spot(p)));
            [end_of(segments, i, meeting(segment.a), false), end_of(segments, i, meeting(segment.b), true)]
        })
        .collect();
    for (segment, ends) in segments.iter_mut().zip(found) {
        segment.ends = ends;
    }
}

/// How the surface continues where an edge arrives at a point (`comes`) or leaves it, given the edges that do.
fn end_of(segments: &[Segment], own: usize, (coming, going): (&[At], &[At]), comes: bool) -> End {
    let mut end = End::default();
    let mut widest = f32::INFINITY;
    for (_, i) in coming {
        let Some((o, turn)) = most(going, |o| turn(&segments[*i], &segments[o])) else { continue };
        if most(coming, |other| turn_of(segments, other, o)).is_none_or(|(first, _)| first != *i) {
            continue;
        }
        let is_convex = turn < -STRAIGHT;
        let normals = [segments[*i].normal(), segments[o].normal()];
        let is_own = own == if comes { *i } else { o };
        if is_own {
            end.round = is_convex.then_some(normals[usize::from(comes)]);
        }
        if turn < widest || (is_own && turn <= widest) {
            widest = turn;
            end.other = (!is_own).then_some(Corner { normals, convex: is_convex });
        }
    }
    end
}

fn turn_of(segments: &[Segment], i: usize, o: usize) -> f32 {
    turn(&segments[i], &segments[o])
}

/// The edge with the greatest turn toward the outside; the first of equal ones.
fn most(edges: &[At], turn: impl Fn(usize) -> f32) -> Option<(usize, f32)> {
    let all = edges.iter().map(|(_, i)| (*i, turn(*i)));
    all.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// How far the surface turns toward its outside from one edge to the next, as a measure that grows with the angle: -2
/// is straight back, 0 straight on, 2 the most.
fn turn(from: &Segment, to: &Segment) -> f32 {
    let (u, v) = ((from.b - from.a).normalize_or_zero(), (to.b - to.a).normalize_or_zero());
    let (out, ahead) = (-u.perp_dot(v), u.dot(v));
    match out {
        _ if ahead < -0.9999 => -2.0,
        out if out >= 0.0 => 1.0 - ahead,
        _ => ahead - 1.0,
    }
}
