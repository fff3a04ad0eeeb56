//! Straightens and smooths paths: string pulling by line of sight, and Catmull-Rom curves that never cut a wall.
//!
//! Invariant: every piece of a smoothed path is clear; where there is no better one, the path stays as searched. Costs
//! are those of the searched path and are not computed again.

use glam::{DVec2, Vec2};

use super::{
    Floor, GridPath,
    map::{GridMap, bend},
};

/// Number of samples per segment of a curve.
const SAMPLES: u8 = 4;
/// A segment's curve is at most this much longer than the straight line: where long ones meet a short one, as in a door,
/// the curve would swing out.
const LONGEST: f32 = 1.1;
/// A point this near to the line through its neighbors is collinear with them, in pixels.
const COLLINEAR: f32 = 0.01;

/// The points of a path over the grid: the centers of its cells.
#[must_use]
pub fn centers(map: &GridMap, path: &GridPath) -> Vec<Vec2> {
    path.cells.iter().map(|cell| map.center(*cell)).collect()
}

/// Number of cells of tested lines that counts as one expansion.
const CELLS_PER_EXPANSION: usize = 8;

fn effort_of(n_cells: usize) -> u32 {
    u32::try_from(1 + n_cells / CELLS_PER_EXPANSION).unwrap_or(u32::MAX)
}

/// String pulling, in parts: leaves out the cells that a straight line can pass at no greater cost.
#[derive(Clone, Debug)]
pub(super) struct Shortcut {
    points: Vec<Vec2>,
    /// The cost of the path up to each point, in plain steps.
    cost_to: Vec<f64>,
    kept: Vec<Vec2>,
    /// The point from which the next line begins.
    from: usize,
}

impl Shortcut {
    pub(super) fn new(map: &GridMap, path: &GridPath) -> Self {
        let mut cost_to = vec![0.0; path.cells.len()];
        for i in 1..path.cells.len() {
            cost_to[i] = cost_to[i - 1] + super::cost_of(map, &path.cells[i - 1..=i]);
        }
        Self { points: centers(map, path), cost_to, kept: Vec::new(), from: 0 }
    }

    /// Continue for an agent of this radius, in pixels, until the end or until the budget is spent. Returns the effort, in
    /// expansions.
    pub(super) fn run(&mut self, floor: &Floor, map: &GridMap, radius: f32, budget: u32) -> u32 {
        let mut spent = 0_u32;
        while !self.is_done() && spent < budget {
            self.kept.push(self.points[self.from]);
            let (to, n_cells) = self.farthest(floor, map, radius);
            self.from = to;
            spent = spent.saturating_add(effort_of(n_cells));
        }
        spent
    }

    /// The effort of what follows for the whole path, as smoothing, in expansions.
    pub(super) fn effort_beyond(&self) -> u32 {
        effort_of(self.points.len())
    }

    pub(super) fn is_done(&self) -> bool {
        self.from >= self.points.len()
    }

    /// The points that are kept.
    pub(super) fn into_points(self) -> Vec<Vec2> {
        self.kept
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.points) + size_of_val(&*self.cost_to) + size_of_val(&*self.kept)
    }

    /// A far point that is visible from the next one, at least the one after it: looked for in steps that double while
    /// lines are clear, and then halve. Returns the number of cells of all lines, too.
    ///
    /// Source: Bentley, Yao, "An almost optimal algorithm for unbounded searching".
    fn farthest(&self, floor: &Floor, map: &GridMap, radius: f32) -> (usize, usize) {
        let (from, mut n_cells) = (self.from, 0);
        let mut is_visible = |to: usize| {
            n_cells += to - from;
            let (start, end) = (self.points[from], self.points[to]);
            let most = self.cost_to[to] - self.cost_to[from] + 1e-3;
            line_cost(map, start, end).is_some_and(|cost| cost <= most) && floor.is_clear(start, end, radius)
        };
        let (mut to, mut step, mut grows) = (from + 1, 1, true);
        while step > 0 {
            let is_farther = to + step < self.points.len() && is_visible(to + step);
            if is_farther {
                to += step;
            }
            grows &= is_farther;
            step = if grows { step * 2 } else { step / 2 };
        }
        (to, n_cells)
    }
}

/// String pulling of a whole path, for an agent of this radius in pixels.
#[must_use]
pub fn shortcut(floor: &Floor, map: &GridMap, path: &GridPath, radius: f32) -> Vec<Vec2> {
    let mut shortcut = Shortcut::new(map, path);
    shortcut.run(floor, map, radius, u32::MAX);
    shortcut.into_points()
}

/// Lead diagonal steps around the corners that they cut, for an agent of this radius in pixels: on the straight line it
/// would catch on the corner.
pub(super) fn around_corners(floor: &Floor, points: &[Vec2], radius: f32) -> Vec<Vec2> {
    let mut around: Vec<Vec2> = points.first().copied().into_iter().collect();
    for pair in points.windows(2) {
        let is_held = !floor.is_clear(pair[0], pair[1], radius);
        around.extend(bend(floor, [pair[0], pair[1]], radius).filter(|_| is_held));
        around.push(pair[1]);
    }
    around
}

/// Whether a straight line from the first of three points to the last costs no more than the way by the point between,
/// for an agent of this radius in pixels.
pub(super) fn is_shorter(floor: &Floor, map: &GridMap, [from, by, to]: [Vec2; 3], radius: f32) -> bool {
    let line = |a, b| line_cost(map, a, b);
    let costs = line(from, to).zip(line(from, by).zip(line(by, to)));
    costs.is_some_and(|(straight, (a, b))| straight <= a + b + 1e-3) && floor.is_clear(from, to, radius)
}

/// Whether an agent of this radius (px) can move straight from one point to another, over open cells only.
#[must_use]
pub fn is_walkable(floor: &Floor, map: &GridMap, from: Vec2, to: Vec2, radius: f32) -> bool {
    line_cost(map, from, to).is_some() && floor.is_clear(from, to, radius)
}

/// The cost of a straight line, in plain steps; `None` if it touches a closed cell or cuts a closed corner.
fn line_cost(map: &GridMap, from: Vec2, to: Vec2) -> Option<f64> {
    let (a, b) = (map.in_blocks(from), map.in_blocks(to));
    let d = b - a;
    let length = d.length();
    #[allow(clippy::cast_possible_truncation)] // cells of a level
    let index = |p: DVec2| [p.x.floor() as i32, p.y.floor() as i32];
    let (mut cell, last) = (index(a), index(b));
    let step = [d.x, d.y].map(|d| if d > 0.0 { 1 } else { -1 });
    let border = |cell: [i32; 2], i: usize| {
        let (from, along) = ([a.x, a.y][i], [d.x, d.y][i]);
        if along == 0.0 { f64::INFINITY } else { (f64::from(cell[i] + i32::from(along > 0.0)) - from) / along }
    };
    let (mut t, mut cost) = (0.0, 0.0);
    let mut here = map.cost(cell);
    loop {
        let next = [border(cell, 0), border(cell, 1)];
        let leave = next[0].min(next[1]).min(1.0);
        cost += here? * (leave - t) * length;
        if cell == last || leave >= 1.0 {
            return Some(cost);
        }
        t = leave;
        // Lines between centers hit corners exactly, up to rounding.
        if (next[0] - next[1]).abs() * length < 1e-9 {
            let beside = [map.is_open([cell[0] + step[0], cell[1]]), map.is_open([cell[0], cell[1] + step[1]])];
            let free = if map.corner_cutting { beside[0] || beside[1] } else { beside[0] && beside[1] };
            if !free {
                return None;
            }
            cell = [cell[0] + step[0], cell[1] + step[1]];
        } else {
            let i = usize::from(next[1] < next[0]);
            cell[i] += step[i];
        }
        here = map.cost(cell);
    }
}

/// The weights of four points at the parameter `t`, 0 to 1, between the middle two.
///
/// Source: Catmull, Rom, "A class of local interpolating splines", with tension ½ (GPG 3.4).
#[must_use]
pub fn catmull_rom(t: f64) -> [f64; 4] {
    let (t2, t3) = (t * t, t * t * t);
    [
        (-t3 + 2.0 * t2 - t) / 2.0,
        f64::midpoint(3.0 * t3 - 5.0 * t2, 2.0),
        (-3.0 * t3 + 4.0 * t2 + t) / 2.0,
        (t3 - t2) / 2.0,
    ]
}

/// A Catmull-Rom curve through the points of a path. A segment whose curve is not clear everywhere, tested by
/// `is_clear` from point to point, or swings out far, stays straight.
#[must_use]
pub fn smooth(points: &[Vec2], is_clear: impl Fn(Vec2, Vec2) -> bool) -> Vec<Vec2> {
    let points = prune(points);
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let at = |i: usize| -> Vec2 { i.checked_sub(1).map_or(*first, |i| points.get(i).copied().unwrap_or(*last)) };
    let mut curve = vec![*first];
    // Indices with the doubled ends: segment i lies between points i and i + 1.
    for i in 1..points.len() {
        let around = [at(i - 1), at(i), at(i + 1), at(i + 2)];
        let samples = (1..=SAMPLES).map(|n| {
            let weights = catmull_rom(f64::from(n) / f64::from(SAMPLES));
            let sum: DVec2 = around.iter().zip(weights).map(|(p, w)| p.as_dvec2() * w).sum();
            if n == SAMPLES { around[2] } else { sum.as_vec2() }
        });
        let samples: Vec<Vec2> = samples.collect();
        let pieces = || [around[1]].into_iter().chain(samples.iter().copied()).zip(&samples);
        let length: f32 = pieces().map(|(a, b)| a.distance(*b)).sum();
        let is_short = length <= LONGEST * around[1].distance(around[2]);
        let fits = is_short && pieces().all(|(a, b)| is_clear(a, *b));
        if fits { curve.extend(samples) } else { curve.push(around[2]) }
    }
    prune(&curve)
}

/// The points without those collinear with their neighbors.
fn prune(points: &[Vec2]) -> Vec<Vec2> {
    let mut kept: Vec<Vec2> = Vec::with_capacity(points.len());
    for p in points {
        if let [.., a, b] = kept.as_slice() {
            let (d, e) = (*p - *a, *b - *a);
            let off = d.perp_dot(e).abs() / d.length().max(f32::MIN_POSITIVE);
            if off < COLLINEAR && e.dot(d) >= 0.0 && e.length_squared() <= d.length_squared() {
                kept.pop();
            }
        }
        if kept.last() != Some(p) {
            kept.push(*p);
        }
    }
    kept
}
