//! Curves between boxes at fixed positions: the straightest of several that runs through no other box.

use egui::{Pos2, Rect, pos2, vec2};

use super::graph::{Graph, HEADER, StateBox, point};

/// Between parallel arrows, in pixels.
const SPREAD: f32 = 34.0;
/// How far arrows bend aside, in parallel arrows, from the straightest.
const BENDS: [f32; 11] = [0.0, 1.0, -1.0, 2.0, -2.0, 3.5, -3.5, 5.5, -5.5, 8.0, -8.0];

impl Graph {
    /// A curve from one state to another, past the boxes where there is room.
    #[must_use]
    pub fn straight(&self, from: &str, to: &str) -> Option<[Pos2; 4]> {
        let (from, to) = (self.find(from)?, self.find(to)?);
        if from == to {
            let rect = self.boxes[to].rect;
            return Some(self_loop(rect, 0, rect.top() - 44.0));
        }
        Some(between(&self.boxes, (from, to), (2, 1)))
    }
}

/// The curve from a box to another one: of `n` between the two, the `nth`.
pub(super) fn between(boxes: &[StateBox], (from, to): (usize, usize), (n, nth): (usize, usize)) -> [Pos2; 4] {
    let (a, b) = (boxes[from].rect, boxes[to].rect);
    if a.contains_rect(b) || b.contains_rect(a) {
        let (outer, inner, outward) = if a.contains_rect(b) { (a, b, false) } else { (b, a, true) };
        let shift = nth as f32 * 22.0;
        let at_inner = pos2(inner.center().x + shift, inner.top());
        let at_outer = pos2(inner.center().x + shift, outer.top() + HEADER - 4.0);
        let ends = if outward { [at_inner, at_outer] } else { [at_outer, at_inner] };
        let third = (ends[1] - ends[0]) / 3.0;
        return [ends[0], ends[0] + third, ends[1] - third, ends[1]];
    }
    // One normal for both directions, so that there and back do not lie on each other.
    let (lo, hi) = if from < to { (a, b) } else { (b, a) };
    let along = (hi.center() - lo.center()).normalized();
    let normal = vec2(-along.y, along.x);
    let own = nth as f32 - (n as f32 - 1.0) / 2.0;
    let bent = |more: f32| {
        let bend = (own + more) * SPREAD;
        let middle = a.center() + (b.center() - a.center()) * 0.5 + normal * bend * 2.0;
        let (start, end) = (border(a, middle), border(b, middle));
        let c = middle + (middle - (start + (end - start) * 0.5)) * 0.35;
        [start, start + (c - start) * 0.66, end + (c - end) * 0.66, end]
    };
    // Boxes around one of the ends are passed in any case, and those inside an end are its own.
    let is_passed = |it: &&StateBox| {
        let is_own = |end: Rect| it.rect.contains_rect(end) || end.contains_rect(it.rect);
        !is_own(a) && !is_own(b)
    };
    let passed: Vec<Rect> = boxes.iter().filter(is_passed).map(|it| it.rect.expand(2.0)).collect();
    let hits = |curve: &[Pos2; 4]| {
        let along = (1..24).map(|i| point(curve, i as f32 / 24.0));
        along.filter(|at| passed.iter().any(|rect| rect.contains(*at))).count()
    };
    let mut best = bent(0.0);
    let mut fewest = hits(&best);
    for more in BENDS.iter().skip(1) {
        if fewest == 0 {
            break;
        }
        let curve = bent(*more);
        let n = hits(&curve);
        if n < fewest {
            (best, fewest) = (curve, n);
        }
    }
    best
}

/// Where the way from a box's center to a point leaves the box.
fn border(rect: Rect, toward: Pos2) -> Pos2 {
    let c = rect.center();
    let d = toward - c;
    if d.length() < 1e-3 {
        return rect.right_center();
    }
    let half = rect.size() / 2.0;
    let scale = (half.x / d.x.abs().max(1e-6)).min(half.y / d.y.abs().max(1e-6));
    c + d * scale
}

/// From a box to itself: a loop above its right, up to a height, wider than the loops inside it.
pub(super) fn self_loop(rect: Rect, nth: usize, top: f32) -> [Pos2; 4] {
    let wide = 10.0 + 4.0 * nth.min(4) as f32;
    let x = rect.right() - 30.0;
    // A cubic reaches three quarters of the way to its control points.
    let up = (rect.top() - top) / 0.75;
    let y = rect.top();
    [pos2(x - wide, y), pos2(x - wide - 8.0, y - up), pos2(x + wide + 8.0, y - up), pos2(x + wide, y)]
}

/// A transition of the root: it comes from outside, whatever state is active.
pub(super) fn from_above(rect: Rect, nth: usize, top: f32) -> [Pos2; 4] {
    let x = rect.left() + 16.0 + nth.min(6) as f32 * 12.0;
    let (start, end) = (pos2(x, top), pos2(x, rect.top()));
    let third = (end - start) / 3.0;
    [start, start + third, end - third, end]
}
