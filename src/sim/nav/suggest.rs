//! Suggested positions of waypoints: at corners, on surfaces to stand on, and evenly over all open places. Also the links
//! that connect places which short ones leave apart.
//!
//! Invariant: an agent of the radius fits at each position, and each is within the level; positions are sorted by row.

use std::ops::RangeInclusive;

use glam::Vec2;

use crate::{model::Cell, sim::grid::SolidGrid};

use super::{components::root, waypoints::each_near_pair};

/// A link between two suggested nodes, given by their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuggestedLink {
    /// The start and end.
    pub ends: [usize; 2],
    /// Whether it only leads from the start to the end.
    pub one_way: bool,
}

/// The most lines between waypoints that are tested for links.
const MOST_LINES: usize = 20_000;

/// Suggested nodes nearer to each other than this, in pixels, become one.
pub(super) const CLOSE_PX: f32 = 8.0;

/// Suggested positions of nodes: one agent radius outside every convex corner of the walls, where such an agent fits.
///
/// The walls are wholly solid cells; the radius is in pixels.
#[must_use]
pub fn suggest_nodes(grid: &SolidGrid, radius: f32) -> Vec<Vec2> {
    let radius = radius.max(0.0);
    let size = grid.tile_size();
    let is_wall = |x: i32, y: i32| grid.cell([x, y]).full;
    let mut nodes = Vec::new();
    for at in grid.chunks() {
        for ([x, y], kind) in grid.chunk_cells(at) {
            if !kind.full {
                continue;
            }
            for [dx, dy] in [[-1, -1], [1, -1], [-1, 1], [1, 1]] {
                if is_wall(x + dx, y) || is_wall(x, y + dy) || is_wall(x + dx, y + dy) {
                    continue;
                }
                #[allow(clippy::cast_precision_loss)] // ±1
                let outward = Vec2::new(dx as f32, dy as f32);
                let corner = grid.center([x, y]) + outward * size / 2.0;
                // Slightly farther, so that the agent does not touch the wall: in whole pixels, if there is room.
                let near = corner + outward * (radius + 0.01);
                let whole = (near * outward).ceil() * outward;
                let is_free = |node: &Vec2| grid.contains(grid.cell_at(*node)) && grid.is_clear(*node, *node, radius);
                nodes.extend([whole, near].into_iter().find(is_free));
            }
        }
    }
    let by_row = |a: &Vec2, b: &Vec2| a.y.total_cmp(&b.y).then(a.x.total_cmp(&b.x));
    nodes.sort_by(by_row);
    nodes.dedup();
    // In a narrow door two corners have their nodes almost in one place: one between them.
    let mut apart: Vec<Vec2> = Vec::new();
    for node in nodes {
        let is_near = |it: &Vec2| it.distance(node) < CLOSE_PX && grid.is_clear(*it, node, radius);
        // They are sorted by row; a mean is at most `CLOSE_PX` out of order.
        match apart.iter_mut().rev().take_while(|it| node.y - it.y < 2.0 * CLOSE_PX).find(|it| is_near(it)) {
            Some(it) => *it = it.midpoint(node),
            None => apart.push(node),
        }
    }
    apart.sort_by(by_row);
    apart
}

/// Positions on surfaces to stand on, one agent radius above them: at both ends of each run of cells, and between these
/// so that successive ones are at most `every` cells apart. The radius is in pixels.
#[must_use]
pub fn suggest_on_platforms(grid: &SolidGrid, radius: f32, every: u32) -> Vec<Vec2> {
    let (radius, size) = (radius.max(0.0), grid.tile_size());
    let holds = |cell: Cell| {
        let kind = grid.cell(cell);
        kind.full || kind.pieces.iter().any(|piece| piece.one_way)
    };
    let is_ground = |[x, y]: Cell| holds([x, y]) && !grid.cell([x, y - 1]).is_solid() && grid.contains([x, y - 1]);
    let place = |x: f32, y: i32| {
        let top = grid.center([0, y]).y - size.y / 2.0;
        // Slightly higher, so that the agent does not touch the ground, and at whole pixels.
        Vec2::new(x.round(), (top - radius - 0.01).floor())
    };
    let mut places = Vec::new();
    for [first, y] in surface(grid, &is_ground) {
        let n = (0..i32::MAX).take_while(|n| is_ground([first + n, y])).count();
        let n = i32::try_from(n).unwrap_or(i32::MAX);
        let ends = [first, first + n - 1].map(|x| grid.center([x, y]).x);
        let n_between = u32::try_from(n - 1).unwrap_or(0).div_ceil(every.max(1)).max(1);
        for i in 0..=n_between {
            #[expect(clippy::cast_precision_loss, reason = "a share of the way")]
            let share = i as f32 / n_between as f32;
            let at = place(ends[0] + (ends[1] - ends[0]) * share, y);
            if places.last() != Some(&at) && grid.is_clear(at, at, radius) {
                places.push(at);
            }
        }
    }
    places
}

/// The first cells of runs of ground, from left to right.
fn surface(grid: &SolidGrid, is_ground: &impl Fn(Cell) -> bool) -> Vec<Cell> {
    let cells = grid.chunks().flat_map(|at| grid.chunk_cells(at).map(|(cell, _)| cell));
    let mut first: Vec<Cell> = cells.filter(|[x, y]| is_ground([*x, *y]) && !is_ground([x - 1, *y])).collect();
    first.sort_by_key(|[x, y]| (*y, *x));
    first
}

/// Positions in the middle of every `every` columns and rows of the level's tiles where an agent of the radius, in
/// pixels, fits. At most `most` of them.
#[must_use]
pub fn suggest_lattice(grid: &SolidGrid, radius: f32, every: u32, most: usize) -> Vec<Vec2> {
    let (lo, hi) = grid.bounds();
    let step = usize::try_from(every.max(1)).unwrap_or(usize::MAX);
    // Equally far from both sides, as nearly as possible.
    let along = |i: usize| {
        let n = usize::try_from(i64::from(hi[i]) - i64::from(lo[i])).unwrap_or(0);
        let rest = i32::try_from(n.saturating_sub(1) % step / 2).unwrap_or(0);
        (lo[i].saturating_add(rest)..hi[i]).step_by(step)
    };
    let cells = along(1).flat_map(|y| along(0).map(move |x| [x, y]));
    let places = cells.map(|cell| grid.center(cell)).filter(|at| grid.is_clear(*at, *at, radius.max(0.01)));
    places.take(most).collect()
}

/// The fewest and shortest links, each longer than the start of `lengths` and at most as long as its end (pixels), that
/// connect places where links up to the start do not. A link is a straight way on which an agent of the radius fits. Of
/// very many lines only the shorter ones are tested.
///
/// Source: Kruskal, On the shortest spanning subtree of a graph, 1956.
#[must_use]
pub fn joining_links(
    places: &[Vec2],
    grid: &SolidGrid,
    radius: f32,
    lengths: RangeInclusive<f32>,
) -> Vec<SuggestedLink> {
    let mut pairs = Vec::new();
    each_near_pair(places, *lengths.end(), &mut |a, b| {
        pairs.push((places[a].distance(places[b]), [a, b]));
        true
    });
    pairs.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let mut parent: Vec<usize> = (0..places.len()).collect();
    let (mut long, mut n_lines) = (Vec::new(), 0);
    for (length, [a, b]) in pairs {
        let (from, to) = (root(&mut parent, a), root(&mut parent, b));
        if from == to {
            continue;
        }
        n_lines += 1;
        if n_lines > MOST_LINES {
            break;
        }
        if grid.is_clear(places[a], places[b], radius) {
            parent[from] = to;
            if length > *lengths.start() {
                long.push(SuggestedLink { ends: [a, b], one_way: false });
            }
        }
    }
    long
}
