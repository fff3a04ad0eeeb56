//! The cheapest path along waypoints: A* over nodes, from the link that the agent is on, else from the node nearest to
//! the start, to the node nearest to any of several goals.
//!
//! Invariant: the same graph, floor and request give the same path. Each call works within a budget, in which tests of
//! lines of sight count as expansions. Which links are wide enough for an agent is stored by `answers`.
//!
//! Source: Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost paths" (1968).

use std::{cmp::Reverse, collections::BinaryHeap};

use glam::Vec2;

use crate::sim::limits;

use super::{
    Floor, NEAR_ENOUGH, NoPath, NoPathReason, PathRequest, Stats, Waypoints,
    no_path::narrow_place_on_line,
    waypoints::{Room, share_along},
};

/// Number of nodes sorted by distance that counts as one expansion.
const NODES_PER_EXPANSION: usize = 64;

/// The result of a search along waypoints, or of a part of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum WaypointPath {
    Running,
    /// There is no path; [`WaypointSearch::for_reason`] finds out why.
    Failed,
    NoPath(NoPath),
    /// The goal by its index in the request; the points in pixels, from the start by the nodes to the goal; the cost in
    /// pixels.
    Found {
        goal: usize,
        points: Vec<Vec2>,
        cost: f64,
    },
}

#[derive(Clone, Copy, Debug)]
struct Node {
    g: f64,
    /// The previous node; itself where the path begins.
    came: usize,
    /// Its number in the order of closing.
    closed: Option<u32>,
}

/// The nodes around an end of the path whose line of sight has not been tested, nearest first, and the room that it
/// needs.
#[derive(Clone, Debug)]
struct Near {
    nodes: BinaryHeap<Reverse<(u32, usize)>>,
    /// Whether none is visible, and those are tested to or from which ledges lead.
    by_ledges: bool,
    room: Room,
    /// The floor without the body that is the goal, if that is to be touched.
    opened: Option<Floor>,
}

/// A search that found no path.
#[derive(Clone, Debug, Default)]
struct Failed {
    ends: Vec<Option<usize>>,
    /// Its closed nodes, in order.
    closed: Vec<usize>,
}

/// A search along waypoints.
#[derive(Clone, Debug, Default)]
pub(super) struct WaypointSearch {
    near: Option<Near>,
    /// The nearest visible node of the start, then of each goal, as far as searched.
    ends: Vec<Option<usize>>,
    /// Nodes in which the path may begin, with the place on a link by which it leads there, in pixels.
    entries: Vec<(usize, Vec2)>,
    /// The nodes of the search, by index of the waypoint, then of the goal.
    nodes: Vec<Option<Node>>,
    open: BinaryHeap<Reverse<(u64, usize)>>,
    n_open: u32,
    /// The failed search, if this one ignores widths and broken links to find what is in the way.
    failed: Option<Failed>,
    pub(super) stats: Stats,
}

/// The graph that is searched, its floor, and the room that the agent needs.
pub(super) type On<'a> = (&'a Waypoints, &'a Floor, Room);

/// A part of a path that an agent may be able to use.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    /// A link by its index, from one of its nodes.
    Link { link: usize, from: usize },
    /// Between an end of the path and a node that is not visible from there, in this direction; over ledges.
    End { ends: [Vec2; 2], is_goal: bool },
}

/// Whether the agent can use a part of the path, and the effort of finding out.
type IsPassable<'a> = dyn FnMut(Part) -> (bool, u32) + 'a;

impl WaypointSearch {
    /// A search for what was in the way of another one.
    pub(super) fn for_reason(failed: Self) -> Self {
        let closed = failed.closed();
        Self { stats: failed.stats, failed: Some(Failed { ends: failed.ends, closed }), ..Self::default() }
    }

    /// The closed nodes, in order.
    fn closed(&self) -> Vec<usize> {
        let numbered = self.nodes.iter().enumerate().filter_map(|(place, node)| Some((node.as_ref()?.closed?, place)));
        let mut closed: Vec<(u32, usize)> = numbered.collect();
        closed.sort_unstable();
        closed.into_iter().map(|(_, place)| place).collect()
    }

    /// The open and the closed nodes, in order of closing, in pixels.
    pub(super) fn shape(&self, graph: &Waypoints) -> (Vec<Vec2>, Vec<Vec2>) {
        let places = |nodes: &mut dyn Iterator<Item = usize>| -> Vec<Vec2> {
            nodes.filter_map(|place| graph.points.get(place)).copied().collect()
        };
        if let Some(failed) = &self.failed {
            return (Vec::new(), places(&mut failed.closed.iter().copied()));
        }
        let is_open = |place: &usize| self.nodes[*place].is_some_and(|node| node.closed.is_none());
        (places(&mut (0..self.nodes.len()).filter(is_open)), places(&mut self.closed().into_iter()))
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + self.open.len() * size_of::<(u64, usize)>()
    }

    /// Continue until the search ends or has spent its budget. Returns the total effort too.
    pub(super) fn run(
        &mut self,
        on: On<'_>,
        request: &PathRequest,
        is_passable: &mut IsPassable<'_>,
        budget: u32,
    ) -> (WaypointPath, u32) {
        let mut spent = 1_u32;
        while spent < budget && self.ends.len() <= request.to.len() {
            spent = spent.saturating_add(self.look_for_end(on, request, is_passable));
        }
        while spent < budget {
            let Some(Reverse((_, place))) = self.open.pop() else {
                let path = if self.failed.is_some() {
                    self.reason(on, request, is_passable, &[])
                } else {
                    WaypointPath::Failed
                };
                return (path, spent);
            };
            let Some(node) = self.nodes[place].as_mut().filter(|node| node.closed.is_none()) else { continue };
            self.n_open -= 1;
            node.closed = Some(self.stats.expanded);
            let g = node.g;
            if place >= on.0.points.len() {
                return (self.path_to(on, request, is_passable, place), spent);
            }
            self.stats.expanded += 1;
            spent += 1;
            for (goal, to) in request.to.iter().enumerate() {
                if self.ends[goal + 1] == Some(place) {
                    let cost = g + f64::from(on.0.points[place].distance(*to));
                    self.reach(on, request, on.0.points.len() + goal, cost, place);
                }
            }
            for &(next, cost, link) in &on.0.out[place] {
                let is_better = self.nodes[next].is_none_or(|known| g + cost < known.g);
                if !is_better {
                    continue;
                }
                let (is_open, effort) = if self.failed.is_some() {
                    (true, 0)
                } else if is_left_out(on.0, request, [place, next]) {
                    (false, 0)
                } else {
                    is_passable(Part::Link { link, from: place })
                };
                spent = spent.saturating_add(effort);
                if is_open {
                    self.reach(on, request, next, g + cost, place);
                }
            }
        }
        (WaypointPath::Running, spent)
    }

    /// Test whether the next node is visible from the start, or from a goal. From an end too near to a wall, the
    /// nearest node that is visible at all is taken; where none is, and bodies are in the way, the nearest that ledges lead
    /// to. Returns the effort.
    fn look_for_end(
        &mut self,
        (graph, floor, room): On<'_>,
        request: &PathRequest,
        is_passable: &mut IsPassable<'_>,
    ) -> u32 {
        let goal = self.ends.len().checked_sub(1);
        let at = goal.and_then(|goal| request.to.get(goal)).copied().unwrap_or(request.from);
        // A search for the reason has the nodes of the one that failed.
        let known = self.failed.as_ref().and_then(|failed| *failed.ends.get(self.ends.len())?);
        let mut effort = 1;
        let by_distance = |effort: &mut u32| {
            *effort += u32::try_from(graph.points.len() / NODES_PER_EXPANSION).unwrap_or(u32::MAX / 4);
            // Distances, which are not below zero, sort by their bits.
            let nodes = graph.points.iter().enumerate();
            nodes.map(|(i, p)| Reverse((p.distance_squared(at).to_bits(), i))).collect()
        };
        let near = self.near.get_or_insert_with(|| {
            let opened = goal.and_then(|_| opened_at(floor, request, at));
            let floor = opened.as_ref().unwrap_or(floor);
            let is_wide = self.failed.is_none() && room.is_clear(floor, at, at, &mut effort);
            let nodes = if known.is_some() { BinaryHeap::new() } else { by_distance(&mut effort) };
            Near { nodes, by_ledges: false, room: if is_wide { room } else { Room::POINT }, opened }
        });
        let next = known.or_else(|| near.nodes.pop().map(|Reverse((_, node))| node));
        if next.is_none() && !near.by_ledges && request.walker.is_some() && self.failed.is_none() {
            (near.by_ledges, near.nodes) = (true, by_distance(&mut effort));
            return effort;
        }
        let floor_there = near.opened.as_ref().unwrap_or(floor);
        let is_clear = |node: usize| {
            let place = graph.points[node];
            if near.by_ledges {
                let is_goal = goal.is_some();
                let ends = if is_goal { [place, at] } else { [at, place] };
                let (leads, more) = is_passable(Part::End { ends, is_goal });
                effort = effort.saturating_add(more);
                return leads;
            }
            near.room.is_clear(floor_there, at, place, &mut effort)
        };
        if known.is_some() || next.is_none_or(is_clear) {
            self.near = None;
            self.ends.push(next);
            if self.ends.len() > request.to.len() {
                effort = effort.saturating_add(self.begin((graph, floor, room), request, is_passable));
            }
        }
        effort
    }

    /// Begin when the ends are known. If both have the same node or one has none, a clear straight line is taken.
    /// Otherwise the links decide even if the straight line is clear: one-way and broken links are respected. Returns the
    /// effort.
    fn begin(&mut self, on: On<'_>, request: &PathRequest, is_passable: &mut IsPassable<'_>) -> u32 {
        let (graph, floor, room) = on;
        let room = Room { radius: room.radius.max(graph.radius), ..room };
        self.nodes = vec![None; graph.points.len() + request.to.len()];
        let first = self.ends[0];
        for (goal, to) in request.to.iter().enumerate() {
            let last = self.ends[goal + 1];
            let is_beside = first.is_none() || last.is_none() || first == last;
            let is_clear = || {
                let opened = opened_at(floor, request, *to);
                room.is_clear(opened.as_ref().unwrap_or(floor), request.from, *to, &mut 0)
            };
            if self.failed.is_none() && (*to == request.from || is_beside && is_clear()) {
                let place = graph.points.len() + goal;
                self.reach(on, request, place, f64::from(request.from.distance(*to)), place);
            }
        }
        let (starts, effort) = self.starts(on, request, is_passable);
        for (node, cost, by) in starts {
            if self.nodes[node].is_none_or(|known| cost < known.g) {
                self.entries.retain(|(other, _)| *other != node);
                self.entries.extend(by.map(|by| (node, by)));
            }
            self.reach(on, request, node, cost, node);
        }
        effort
    }

    /// The nodes in which the path may begin, each with the cost of the way to it, and the place on the link by which it
    /// leads if the straight line is not clear: the ends of the links that the agent is on, so that it does not turn back
    /// where a path is searched anew; the nearest visible node if it is there or on no link. Returns the effort, too.
    fn starts(
        &self,
        (graph, floor, room): On<'_>,
        request: &PathRequest,
        is_passable: &mut IsPassable<'_>,
    ) -> (Vec<(usize, f64, Option<Vec2>)>, u32) {
        let at = request.from;
        let Some(first) = self.ends[0] else { return (Vec::new(), 0) };
        let far = at.distance(graph.points[first]);
        let nearest = vec![(first, f64::from(far), None)];
        // A search for the reason begins before the link that may be closed.
        if self.failed.is_some() || far <= request.near_px / NEAR_ENOUGH {
            return (nearest, 0);
        }
        let mut effort = u32::try_from(graph.links().len() / NODES_PER_EXPANSION).unwrap_or(u32::MAX - 1);
        let room = if room.is_clear(floor, at, at, &mut effort) { room } else { Room::POINT };
        let mut starts = Vec::new();
        for (i, link) in graph.links().iter().enumerate() {
            let ends = [link.from, link.to].map(|node| graph.points[node]);
            // No range contains the share of a link without length.
            let share = share_along(ends, at);
            let beside = ends[0] + (ends[1] - ends[0]) * share;
            let off = at.distance(beside);
            if !(0.0..=1.0).contains(&share) || off > request.near_px {
                continue;
            }
            let cost = |share: f32| f64::from(off) + link.cost * f64::from(share);
            let ways = [([link.from, link.to], 1.0 - share), ([link.to, link.from], share)];
            let ways = ways.into_iter().take(if link.one_way { 1 } else { 2 });
            let mut ways: Vec<_> = ways.filter(|(ends, _)| !is_left_out(graph, request, *ends)).collect();
            ways.retain(|([from, _], _)| {
                let (is_open, more) = is_passable(Part::Link { link: i, from: *from });
                effort = effort.saturating_add(more);
                is_open
            });
            if ways.is_empty() || !room.is_clear(floor, at, beside, &mut effort) {
                continue;
            }
            for ([_, end], share) in ways {
                let is_straight = room.is_clear(floor, at, graph.points[end], &mut effort);
                starts.push((end, cost(share), (!is_straight).then_some(beside)));
            }
        }
        (if starts.is_empty() { nearest } else { starts }, effort)
    }

    fn reach(&mut self, (graph, ..): On<'_>, request: &PathRequest, place: usize, g: f64, came: usize) {
        let known = self.nodes[place];
        if known.is_some_and(|known| g >= known.g) {
            return;
        }
        let rest = |at: Vec2| {
            let rest = |(to, last): (&Vec2, &Option<usize>)| {
                let last = graph.points[(*last)?];
                Some(f64::from(at.distance(last)) * graph.scale + f64::from(last.distance(*to)))
            };
            request.to.iter().zip(&self.ends[1..]).filter_map(rest).fold(f64::INFINITY, f64::min)
        };
        let h = graph.points.get(place).map_or(0.0, |at| rest(*at) * limits::path_weight(request.weight));
        self.n_open += u32::from(known.is_none_or(|known| known.closed.is_some()));
        self.stats.max_open = self.stats.max_open.max(self.n_open);
        self.nodes[place] = Some(Node { g, came, closed: None });
        // Finite numbers that are not below zero sort by their bits.
        self.open.push(Reverse(((g + h).max(0.0).to_bits(), place)));
    }

    fn path_to(
        &self,
        on: On<'_>,
        request: &PathRequest,
        is_passable: &mut IsPassable<'_>,
        place: usize,
    ) -> WaypointPath {
        let (mut chain, mut at) = (Vec::new(), place);
        while let Some(node) = self.nodes[at].filter(|node| node.came != at) {
            at = node.came;
            chain.push(at);
        }
        chain.reverse();
        if self.failed.is_some() {
            return self.reason(on, request, is_passable, &chain);
        }
        let goal = place - on.0.points.len();
        let ends = [request.from, request.to[goal]];
        let nodes = chain.iter().map(|node| on.0.points[*node]);
        let entry = self.entries.iter().find(|(node, _)| chain.first() == Some(node)).map(|(_, by)| *by);
        let mut points: Vec<Vec2> = std::iter::once(ends[0]).chain(entry).chain(nodes).chain([ends[1]]).collect();
        points.dedup();
        WaypointPath::Found { goal, points, cost: self.nodes[place].map_or(0.0, |node| node.g) }
    }

    /// The reason why there is no path, if these nodes would be one for a point agent.
    fn reason(
        &self,
        (graph, floor, room): On<'_>,
        request: &PathRequest,
        is_passable: &mut IsPassable<'_>,
        chain: &[usize],
    ) -> WaypointPath {
        let goal = request.to.first().copied().unwrap_or(request.from);
        let failed = self.failed.as_ref().map(|failed| failed.ends.as_slice()).unwrap_or_default();
        let missed = |i: usize| failed.get(i).is_some_and(Option::is_none);
        let are_missed = (1..failed.len()).all(missed);
        let narrow = |ends: [Vec2; 2]| narrow_place_on_line(floor, room, ends);
        for (i, at, is_missed) in [(0, request.from, missed(0)), (1, goal, are_missed)] {
            if !is_missed {
                continue;
            }
            // Of the nodes that are visible, but not by one so wide, the nearest.
            let node = self.ends.get(i).copied().flatten().map(|node| graph.points[node]);
            // What hides the nearest of all.
            let hidden = || {
                let far = |node: &&Vec2| node.distance_squared(at);
                let nearest = graph.points.iter().min_by(|a, b| far(a).total_cmp(&far(b)));
                let place = nearest.and_then(|node| narrow_place_on_line(floor, Room::POINT, [at, *node]));
                NoPath { reason: NoPathReason::Wall, at: place.unwrap_or(at) }
            };
            let why = node.map_or_else(hidden, |node| {
                let ends = if i == 0 { [at, node] } else { [node, at] };
                NoPath { reason: NoPathReason::TooNarrow, at: narrow(ends).unwrap_or(at) }
            });
            return WaypointPath::NoPath(why);
        }
        let closed = chain.windows(2).find_map(|pair| {
            let link = graph.link_between(pair[0], pair[1])?;
            let is_left_out = is_left_out(graph, request, [pair[0], pair[1]]);
            if !is_left_out && is_passable(Part::Link { link, from: pair[0] }).0 {
                return None;
            }
            let ends = [graph.points[pair[0]], graph.points[pair[1]]];
            let is_narrow = !is_left_out && graph.is_passable(floor, link, Room::POINT, &mut 0);
            let (reason, place) = if is_narrow {
                (NoPathReason::TooNarrow, narrow(ends))
            } else {
                (NoPathReason::Wall, narrow_place_on_line(floor, Room::POINT, ends))
            };
            Some(NoPath { reason, at: place.unwrap_or(ends[0].midpoint(ends[1])) })
        });
        WaypointPath::NoPath(closed.unwrap_or(NoPath { reason: NoPathReason::Unconnected, at: goal }))
    }
}

/// Whether a request leaves out the link from one node to another.
fn is_left_out(graph: &Waypoints, request: &PathRequest, ends: [usize; 2]) -> bool {
    !request.avoid.is_empty() && request.avoid.contains(&ends.map(|node| graph.points[node]))
}

/// The floor without the bodies at a goal that is to be touched; `None` if there are none.
fn opened_at(floor: &Floor, request: &PathRequest, goal: Vec2) -> Option<Floor> {
    (request.touches && floor.is_in_body(goal)).then(|| floor.without_bodies_at(goal))
}
