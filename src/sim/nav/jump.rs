//! Jump point search, A* where every open cell costs the same: straight runs are scanned 64 cells at a time, and only
//! places where a cheapest path may have to turn are nodes.
//!
//! Invariant: paths cost the same as those of `grid_path`, for eight neighbors and closed corners. Other rules and
//! uneven terrain are left to `grid_path`.
//!
//! Source: Harabor, Grastien, "Online graph pruning for pathfinding on grid maps" and "Improving jump point search":
//! jump points, blocks of bits, and no nodes at the turns from diagonal to straight.

use std::{cmp::Reverse, collections::BinaryHeap};

use super::{
    map::GridMap,
    nodes::{Node, Nodes},
    stats::Stats,
};

/// Cost of a straight step; with that of a diagonal one, a convergent of √2: the error is below 10⁻⁸ of a step, and 38
/// bits have room for 19 million steps.
const STEP: u64 = 13_860;
const DIAGONAL: u64 = 19_601;
/// Number of bits of a place (an index into the map's array); maps are no larger.
const PLACE_BITS: u32 = 26;
const PLACE: u64 = (1 << PLACE_BITS) - 1;

/// Direction in which a node was reached: 0 to 3 are east, south, west and north; this value marks the start node.
const NOWHERE: u8 = 4;

/// The parent of a node, 26 bits, and the direction in which the node was reached, 3 bits.
fn link(parent: usize, direction: u8) -> u32 {
    #[expect(clippy::cast_possible_truncation, reason = "places have 26 bits")]
    let parent = parent as u32;
    parent | u32::from(direction) << PLACE_BITS
}

fn parent(node: Node) -> usize {
    (node.link() & ((1 << PLACE_BITS) - 1)) as usize
}

fn direction(node: Node) -> u8 {
    (node.link() >> PLACE_BITS & 7) as u8
}

/// A search over jump points.
#[derive(Clone, Debug, Default)]
pub(super) struct JumpSearch {
    pub(super) nodes: Nodes,
    /// Open list: estimate of the whole path, then the place.
    open: BinaryHeap<Reverse<u64>>,
    n_open: u32,
    max_open: u32,
    start: usize,
    /// Columns and rows of the goals, counting the border.
    goals: Vec<[usize; 2]>,
    weight: u64,
}

/// The state of a search.
pub(super) enum Jumped {
    Running,
    NoPath,
    /// The places of the turns, from the start to a goal.
    Found(Vec<usize>),
}

impl JumpSearch {
    pub(super) fn start(&mut self, map: &GridMap, start: usize, goals: &[(usize, [i32; 2])], weight_1024: u64) {
        self.nodes.begin(map.n_cells());
        self.open.clear();
        (self.n_open, self.max_open) = (0, 0);
        self.start = start;
        self.weight = weight_1024;
        self.goals.clear();
        self.goals.extend(goals.iter().map(|(place, _)| [place % map.stride, place / map.stride]));
        let [x, y] = [start % map.stride, start / map.stride];
        self.reach(map.stride, [x, y], 0, start, NOWHERE);
    }

    /// Continue until the search ends or `budget` more nodes are expanded. If `order` is given, closed places are added
    /// to it.
    pub(super) fn run(
        &mut self,
        map: &GridMap,
        budget: u32,
        stats: &mut Stats,
        mut order: Option<&mut Vec<u32>>,
    ) -> Jumped {
        let mut spent = 0;
        while spent < budget {
            let Some(Reverse(key)) = self.open.pop() else { return Jumped::NoPath };
            let place = usize::try_from(key & PLACE).unwrap_or(0);
            let node = self.nodes.at(place);
            if node.is_closed() {
                continue;
            }
            self.n_open -= 1;
            let [x, y] = [place % map.stride, place / map.stride];
            if self.goals.contains(&[x, y]) {
                return Jumped::Found(self.turns(place));
            }
            self.nodes.close(place);
            if let Some(order) = &mut order {
                order.push(u32::try_from(place).unwrap_or(u32::MAX));
            }
            spent += 1;
            stats.expanded += 1;
            self.expand(map, place, [x, y], node);
            stats.max_open = self.max_open;
        }
        Jumped::Running
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.bytes() + self.open.len() * size_of::<u64>()
    }

    fn turns(&self, goal: usize) -> Vec<usize> {
        let mut turns = vec![goal];
        let mut place = goal;
        while place != self.start {
            place = parent(self.nodes.at(place));
            turns.push(place);
        }
        turns.reverse();
        turns
    }

    /// Scan the directions in which a cheapest path may continue from a node.
    fn expand(&mut self, map: &GridMap, place: usize, at: [usize; 2], node: Node) {
        let [x, y] = at;
        let is_closed = |x: usize, y: usize| map.bits.rows.is_closed(y, x);
        let direction = direction(node);
        if direction == NOWHERE {
            for direction in 0..4 {
                self.straight(map, place, at, node.g, direction);
            }
            for [dx, dy] in [[1, 1], [-1, 1], [-1, -1], [1, -1]] {
                self.diagonal(map, place, at, node.g, [dx, dy]);
            }
            return;
        }
        self.straight(map, place, at, node.g, direction);
        // Sideways where a wall has just ended.
        let forward = if direction < 2 { 1 } else { -1 };
        for side in [1, -1] {
            let (behind, beside) = if direction & 1 == 0 {
                ([by(x, -forward), by(y, side)], [x, by(y, side)])
            } else {
                ([by(x, side), by(y, -forward)], [by(x, side), y])
            };
            if is_closed(behind[0], behind[1]) && !is_closed(beside[0], beside[1]) {
                let (turn, diagonal) = if direction & 1 == 0 {
                    (if side > 0 { 1 } else { 3 }, [forward, side])
                } else {
                    (if side > 0 { 0 } else { 2 }, [side, forward])
                };
                self.straight(map, place, at, node.g, turn);
                self.diagonal(map, place, at, node.g, diagonal);
            }
        }
    }

    /// Scan straight to the next jump point, or to a goal before it.
    #[inline]
    fn straight(&mut self, map: &GridMap, from: usize, [x, y]: [usize; 2], g: u64, direction: u8) {
        let is_upward = direction < 2;
        let along = usize::from(direction & 1);
        let (lines, line, at) = if along == 0 { (&map.bits.rows, y, x) } else { (&map.bits.columns, x, y) };
        let (mut to, is_closed) = lines.run(line, at, is_upward);
        let mut is_node = false;
        for goal in &self.goals {
            // Of several goals on the run, the nearest.
            let place = goal[along];
            let is_ahead = if is_upward { place > at && place <= to } else { place < at && place >= to };
            if goal[1 - along] == line && is_ahead {
                (to, is_node) = (place, true);
            }
        }
        if is_node || !is_closed {
            let cell = if along == 0 { [to, line] } else { [line, to] };
            self.reach(map.stride, cell, g + STEP * to.abs_diff(at) as u64, from, direction);
        }
    }

    /// Scan diagonally as far as corners allow, and straight from each cell on the diagonal.
    fn diagonal(&mut self, map: &GridMap, from: usize, [mut x, mut y]: [usize; 2], mut g: u64, [dx, dy]: [i32; 2]) {
        let across = if dx > 0 { 0 } else { 2 };
        let along = if dy > 0 { 1 } else { 3 };
        let mut row = map.bits.rows.line(y);
        loop {
            let (next_x, next_y) = (by(x, dx), by(y, dy));
            if row.is_closed(next_x) {
                return;
            }
            row = map.bits.rows.line(next_y);
            if row.is_closed(x) || row.is_closed(next_x) {
                return;
            }
            (x, y, g) = (next_x, next_y, g + DIAGONAL);
            if self.goals.contains(&[x, y]) {
                self.reach(map.stride, [x, y], g, from, across);
                return;
            }
            self.straight(map, from, [x, y], g, across);
            self.straight(map, from, [x, y], g, along);
        }
    }

    fn reach(&mut self, stride: usize, [x, y]: [usize; 2], g: u64, from: usize, direction: u8) {
        let place = y * stride + x;
        let Some(was_open) = self.nodes.reach(place, g, link(from, direction)) else { return };
        let estimate = |[gx, gy]: &[usize; 2]| {
            let (dx, dy) = (gx.abs_diff(x) as u64, gy.abs_diff(y) as u64);
            let less = dx.min(dy);
            less * DIAGONAL + (dx.max(dy) - less) * STEP
        };
        let h = self.goals.iter().map(estimate).min().unwrap_or(0);
        let f = g + ((h * self.weight) >> 10);
        self.open.push(Reverse(f << PLACE_BITS | place as u64));
        if !was_open {
            self.n_open += 1;
            self.max_open = self.max_open.max(self.n_open);
        }
    }
}

fn by(at: usize, d: i32) -> usize {
    if d > 0 { at + 1 } else { at.wrapping_sub(1) }
}
