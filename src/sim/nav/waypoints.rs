//! Waypoint graphs at run time: links between nodes. Suggested positions for nodes are in `suggest`, paths along links in
//! `waypoint_search`.
//!
//! Invariant: links made here are symmetric in visibility; hand-made and hand-broken links always override automatic
//! ones. Nodes and links as data are `model::WaypointGraph`; nothing here is written back to it.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use glam::Vec2;

use crate::{
    model::{Link, LinkBy, Name, WaypointGraph},
    sim::{grid::SolidGrid, limits},
};

use super::{Floor, components::root, floor::CellBox, linked_with};

/// Length of the pieces of a link for each of which the room above is looked for, in pixels.
const PIECE_PX: f32 = 4.0;
/// Distance between the heights above a piece at which room is looked for, in pixels.
const RISE_PX: f32 = 1.0;

/// A link that can be used.
#[derive(Clone, Debug, PartialEq)]
pub struct BuiltLink {
    /// Index of the first node, in written order.
    pub from: usize,
    /// Index of the second node, in written order.
    pub to: usize,
    /// Cost in pixels.
    pub cost: f64,
    /// Whether it leads only from `from` to `to`.
    pub one_way: bool,
    /// Whether it was made by hand or automatically.
    pub by: LinkBy,
}

/// Call `each` for every link of a waypoint layer, with node names and cost, without building a list; for export. Ends
/// early if `each` returns false.
pub fn each_link_by_name(graph: &WaypointGraph, grid: &SolidGrid, each: &mut dyn FnMut(Link) -> bool) {
    let id = |index: usize| graph.nodes.get_index(index).map(|(id, _)| id.clone());
    let mut is_clear = sees(graph, grid);
    each_link(graph, &mut is_clear, (f32::INFINITY, usize::MAX), &mut |link| {
        let BuiltLink { from, to, cost, one_way, by } = link;
        let (Some(from), Some(to)) = (id(from), id(to)) else { return true };
        each(Link { from, to, cost: Some(cost), one_way, by })
    });
}

/// The same as a list, for drawing: all links made by hand, and at most [`limits::MAX_DRAWN_LINKS`] automatic ones,
/// shorter ones first.
#[must_use]
pub fn drawn_links(graph: &WaypointGraph, grid: &SolidGrid) -> Vec<Link> {
    let points = points_of(graph);
    let most = limits::MAX_DRAWN_LINKS;
    let reach = bounded_reach(&points, reach_of(graph), most);
    let id = |index: usize| graph.nodes.get_index(index).map(|(id, _)| id.clone());
    let mut named = Vec::new();
    each_link(graph, &mut sees(graph, grid), (reach, most), &mut |BuiltLink { from, to, cost, one_way, by }| {
        if let (Some(from), Some(to)) = (id(from), id(to)) {
            named.push(Link { from, to, cost: Some(cost), one_way, by });
        }
        true
    });
    named
}

/// A waypoint graph with all its links.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Waypoints {
    names: Vec<Name>,
    pub(super) points: Vec<Vec2>,
    links: Vec<BuiltLink>,
    /// Links of each node: node, cost in pixels, index of the link.
    pub(super) out: Vec<Vec<(usize, f64, usize)>>,
    /// Factor on estimates that keeps them admissible where a link costs less than its length.
    pub(super) scale: f64,
    /// Radius to keep free of walls, in pixels.
    pub(super) radius: f32,
}

/// The links of a graph on a grid: those made by hand, then automatic ones between nodes with a clear straight line
/// between them. If more than [`limits::MAX_LINKS`] pairs of nodes would have to be tested, longer ones are left out.
///
/// A hand-made link keeps its pair from being linked automatically, as does a hand-broken one. Automatic links found in
/// the file are replaced if the graph links automatically, and kept as they are if not. Links that name a missing node,
/// or the same node twice, are left out.
#[must_use]
pub fn links(graph: &WaypointGraph, grid: &SolidGrid) -> Vec<BuiltLink> {
    links_by(graph, &mut sees(graph, grid))
}

/// [`links`] with `is_clear` as the test of whether a pair of nodes sees each other; it is called with pairs in
/// ascending order.
fn links_by(graph: &WaypointGraph, is_clear: &mut dyn FnMut([usize; 2], [Vec2; 2]) -> bool) -> Vec<BuiltLink> {
    let mut links = Vec::new();
    let most = limits::MAX_LINKS;
    let reach = bounded_reach(&points_of(graph), reach_of(graph), most);
    each_link(graph, is_clear, (reach, most), &mut |link| {
        links.push(link);
        true
    });
    links
}

/// Whether a straight line as wide as the graph's radius demands is clear.
fn sees(graph: &WaypointGraph, grid: &SolidGrid) -> impl FnMut([usize; 2], [Vec2; 2]) -> bool {
    #[allow(clippy::cast_possible_truncation)] // pixels
    let radius = graph.radius as f32;
    move |_, [from, to]| grid.is_clear(from, to, radius)
}

/// The greatest length of automatic links of a layer in the preview, in pixels, if that is less than the layer allows.
#[must_use]
pub fn shortened_reach(graph: &WaypointGraph) -> Option<f32> {
    let reach = reach_of(graph);
    let bounded = bounded_reach(&points_of(graph), reach, limits::MAX_LINKS);
    (graph.auto_link && bounded < reach).then_some(bounded)
}

fn reach_of(graph: &WaypointGraph) -> f32 {
    #[allow(clippy::cast_possible_truncation)] // pixels
    graph.max_length.map_or(f32::INFINITY, |length| length as f32)
}

/// The longest reach, at most `reach`, within which there are at most `most` pairs, by binary search. Nodes in one
/// place can form more pairs at any reach: then it is almost zero.
fn bounded_reach(points: &[Vec2], reach: f32, most: usize) -> f32 {
    let n = points.len();
    if n * n.saturating_sub(1) / 2 <= most {
        return reach;
    }
    let has_more = |reach: f32| {
        let mut n_pairs = 0;
        !each_near_pair(points, reach, &mut |_, _| {
            n_pairs += 1;
            n_pairs <= most
        })
    };
    if reach.is_finite() && !has_more(reach) {
        return reach;
    }
    let (lo, hi) = points.iter().fold((points[0], points[0]), |(lo, hi), p| (lo.min(*p), hi.max(*p)));
    let (mut fits, mut exceeds) = (0.0, lo.distance(hi).min(reach).max(1.0));
    for _ in 0..24 {
        let middle = f32::midpoint(fits, exceeds);
        if has_more(middle) { exceeds = middle } else { fits = middle }
    }
    fits
}

/// Call `each` for every link of a graph in the order of [`links`]. Automatic ones are at most `reach` long, and among
/// the first `most` pairs of nodes within it. Ends early, and returns false, if `each` does.
fn each_link(
    graph: &WaypointGraph,
    is_clear: &mut dyn FnMut([usize; 2], [Vec2; 2]) -> bool,
    (reach, most): (f32, usize),
    each: &mut dyn FnMut(BuiltLink) -> bool,
) -> bool {
    let points = points_of(graph);
    let mut decided = BTreeSet::new();
    for link in &graph.links {
        let ends = graph.nodes.get_index_of(&*link.from).zip(graph.nodes.get_index_of(&*link.to));
        let Some((from, to)) = ends.filter(|(from, to)| from != to) else { continue };
        if link.by == LinkBy::Auto && graph.auto_link {
            continue;
        }
        decided.insert((from.min(to), from.max(to)));
        if link.by != LinkBy::Broken {
            let cost = link.cost.filter(|cost| cost.is_finite() && *cost >= 0.0);
            let cost = cost.unwrap_or_else(|| f64::from(points[from].distance(points[to])));
            if !each(BuiltLink { from, to, cost, one_way: link.one_way, by: link.by }) {
                return false;
            }
        }
    }
    if !graph.auto_link {
        return true;
    }
    let mut n_pairs = 0;
    each_near_pair(&points, reach.min(reach_of(graph)), &mut |from, to| {
        n_pairs += 1;
        if n_pairs > most {
            return false;
        }
        if decided.contains(&(from, to)) || !is_clear([from, to], [points[from], points[to]]) {
            return true;
        }
        let cost = f64::from(points[from].distance(points[to]));
        each(BuiltLink { from, to, cost, one_way: false, by: LinkBy::Auto })
    })
}

fn points_of(graph: &WaypointGraph) -> Vec<Vec2> {
    #[allow(clippy::cast_possible_truncation)] // pixels
    let points = graph.nodes.values().map(|node| Vec2::new(node.at[0] as f32, node.at[1] as f32));
    points.map(limits::place).collect()
}

/// Call `each` for every pair of points at most `reach` apart, the lower index first, ascending. Ends early, and
/// returns false, if `each` does.
pub(super) fn each_near_pair(points: &[Vec2], reach: f32, each: &mut dyn FnMut(usize, usize) -> bool) -> bool {
    let n = points.len();
    if !reach.is_finite() {
        return (0..n).all(|a| (a + 1..n).all(|b| each(a, b)));
    }
    let near = |a: usize, b: usize| points[a].distance_squared(points[b]) <= reach * reach;
    // Buckets as wide as the reach: partners are in the same one or beside it, and most points there are partners.
    let side = f64::from(reach.max(1e-6));
    #[allow(clippy::cast_possible_truncation)] // saturates
    let bucket = |p: Vec2| [p.x, p.y].map(|px| (f64::from(px) / side).floor() as i64);
    let mut buckets: BTreeMap<[i64; 2], Vec<usize>> = BTreeMap::new();
    for (i, p) in points.iter().enumerate() {
        buckets.entry(bucket(*p)).or_default().push(i);
    }
    let mut partners = Vec::new();
    for (a, p) in points.iter().enumerate() {
        let [x, y] = bucket(*p);
        partners.clear();
        for dx in -1..=1 {
            let (lo, hi) = ([x.saturating_add(dx), y.saturating_sub(1)], [x.saturating_add(dx), y.saturating_add(1)]);
            let others = buckets.range(lo..=hi).flat_map(|(_, inside)| inside);
            partners.extend(others.filter(|b| a < **b && near(a, **b)).copied());
        }
        partners.sort_unstable();
        partners.dedup();
        if !partners.iter().all(|b| each(a, *b)) {
            return false;
        }
    }
    true
}

impl Waypoints {
    /// A graph with its links on a grid.
    #[must_use]
    pub fn new(graph: &WaypointGraph, grid: &SolidGrid) -> Self {
        Self::of(graph, links(graph, grid))
    }

    /// The same graph on a grid that changed in these cells only; `None` if its links are unchanged.
    pub(super) fn relinked(&self, graph: &WaypointGraph, grid: &SolidGrid, changed: &[CellBox]) -> Option<Self> {
        let corner = |at: [i32; 2]| Vec2::new(at[0] as f32, at[1] as f32) * grid.tile_size();
        let wide = Vec2::splat(self.radius.max(0.0) + 1.0);
        let around = |[xs, ys]: &CellBox| (corner([xs.start, ys.start]) - wide, corner([xs.end, ys.end]) + wide);
        let changed: Vec<(Vec2, Vec2)> = changed.iter().map(around).collect();
        let is_near = |a: Vec2, b: Vec2| {
            let (lo, hi) = (a.min(b), a.max(b));
            changed.iter().any(|(from, to)| lo.cmple(*to).all() && hi.cmpge(*from).all())
        };
        let mut known = self.links.iter().filter(|link| link.by == LinkBy::Auto).peekable();
        let links = links_by(graph, &mut |[from, to], ends| {
            let was_clear = known.next_if(|link| (link.from, link.to) == (from, to)).is_some();
            if is_near(ends[0], ends[1]) { grid.is_clear(ends[0], ends[1], self.radius) } else { was_clear }
        });
        (links != self.links).then(|| Self::of(graph, links))
    }

    fn of(graph: &WaypointGraph, links: Vec<BuiltLink>) -> Self {
        let points = points_of(graph);
        let mut out = vec![Vec::new(); points.len()];
        let mut scale = 1.0_f64;
        for (i, link) in links.iter().enumerate() {
            out[link.from].push((link.to, link.cost, i));
            if !link.one_way {
                out[link.to].push((link.from, link.cost, i));
            }
            let length = f64::from(points[link.from].distance(points[link.to]));
            if length > 0.0 {
                scale = scale.min(link.cost / length);
            }
        }
        #[allow(clippy::cast_possible_truncation)] // pixels
        let radius = graph.radius as f32;
        Self { names: graph.nodes.keys().cloned().collect(), points, links, out, scale, radius }
    }

    /// Ids of the nodes, in written order.
    #[must_use]
    pub fn names(&self) -> &[Name] {
        &self.names
    }

    /// The positions of the nodes, in pixels.
    #[must_use]
    pub fn points(&self) -> &[Vec2] {
        &self.points
    }

    /// The links, as made by [`links`].
    #[must_use]
    pub fn links(&self) -> &[BuiltLink] {
        &self.links
    }

    /// Which nodes are connected with one by links in either direction; all of them if there are no links.
    #[must_use]
    pub fn together(&self, start: usize) -> Vec<bool> {
        linked_with(self.points.len(), self.links.iter().map(|link| (link.from, link.to)), start)
    }

    /// The nodes that links connect in either direction, by their indices: the largest group first.
    #[must_use]
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut parent: Vec<usize> = (0..self.points.len()).collect();
        for link in &self.links {
            let (a, b) = (root(&mut parent, link.from), root(&mut parent, link.to));
            parent[a.max(b)] = a.min(b);
        }
        let mut groups = vec![Vec::new(); parent.len()];
        (0..parent.len()).for_each(|node| groups[root(&mut parent, node)].push(node));
        groups.retain(|group| !group.is_empty());
        groups.sort_by_key(|group| Reverse(group.len()));
        groups
    }

    /// The index of a link from one node to another.
    pub(super) fn link_between(&self, from: usize, to: usize) -> Option<usize> {
        self.out.get(from)?.iter().find(|(next, ..)| *next == to).map(|(.., link)| *link)
    }

    /// The positions of a link's nodes, in pixels, beginning with one of them.
    pub(super) fn ends_from(&self, link: usize, from: usize) -> [Vec2; 2] {
        let ends =
            self.links.get(link).map_or([from; 2], |link| [from, if link.from == from { link.to } else { link.from }]);
        ends.map(|node| self.points[node])
    }

    /// Whether an agent that needs this room can use a link now. A link made by hand through a wall is meant to be used:
    /// a ladder, a portal, a jump. Adds the number of lines tested to the effort.
    pub(super) fn is_passable(&self, floor: &Floor, link: usize, room: Room, effort: &mut u32) -> bool {
        let Some(link) = self.links.get(link) else { return false };
        let (from, to) = (self.points[link.from], self.points[link.to]);
        room.is_clear(floor, from, to, effort) || self.is_walled(link, floor.grid())
    }

    /// Whether a link was made by hand and leads through a wall.
    fn is_walled(&self, link: &BuiltLink, grid: &SolidGrid) -> bool {
        link.by == LinkBy::Hand && !grid.sight_clear(self.points[link.from], self.points[link.to])
    }

    /// The links made by hand that lead through a wall, by the indices of their nodes.
    pub fn walled_links(&self, grid: &SolidGrid) -> impl Iterator<Item = [usize; 2]> {
        self.links.iter().filter(move |link| self.is_walled(link, grid)).map(|link| [link.from, link.to])
    }

    /// Start and end of the link made by hand through a wall that leads from `at` to the node at `to`, in pixels: `at` is
    /// its other node, or a place on it, within `near_px`.
    pub(in crate::sim) fn walled_link(&self, grid: &SolidGrid, [at, to]: [Vec2; 2], near_px: f32) -> Option<[Vec2; 2]> {
        let ends = self.links.iter().flat_map(|link| {
            let ends = [link.from, link.to].map(|node| self.points[node]);
            let ways = [ends, [ends[1], ends[0]]].into_iter().take(if link.one_way { 1 } else { 2 });
            ways.map(move |ends| (link, ends))
        });
        let off = |ends: [Vec2; 2]| at.distance(ends[0].lerp(ends[1], share_along(ends, at).clamp(0.0, 1.0)));
        // The nearness first: whether a link leads through a wall takes longer to find out.
        let on = ends.filter(|(link, ends)| ends[1] == to && off(*ends) <= near_px && self.is_walled(link, grid));
        on.map(|(_, ends)| ends).min_by(|a, b| off(*a).total_cmp(&off(*b)))
    }
}

/// The share of a line, from its first end on, beside which a place lies; NaN for a line without length.
pub(super) fn share_along([from, to]: [Vec2; 2], at: Vec2) -> f32 {
    let way = to - from;
    (at - from).dot(way) / way.length_squared()
}

/// The room that an agent needs along links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Room {
    /// Radius to keep clear, in pixels.
    pub(super) radius: f32,
    /// From the agent's origin to the middle of its body, in pixels.
    pub(super) offset: Vec2,
    /// Whether the agent goes over ledges: then the room may be above the line, since the ground below holds it up.
    pub(super) over_ledges: bool,
}

impl Room {
    /// The room of a point agent.
    pub(super) const POINT: Self = Self { radius: 0.0, offset: Vec2::ZERO, over_ledges: false };

    /// Where the middle of the body may be at a place, in pixels: over ledges also above it.
    pub(super) fn places_above(self, at: Vec2) -> impl Iterator<Item = Vec2> {
        let most = if self.over_ledges { 2.0 * self.radius } else { 0.0 };
        let rises = std::iter::successors(Some(0.0), move |rise| (*rise < most).then_some(rise + RISE_PX));
        rises.map(move |rise| at + self.offset - Vec2::new(0.0, rise))
    }

    /// Whether there is this room along a straight line, in pixels. Adds the number of lines tested to the effort.
    pub(super) fn is_clear(self, floor: &Floor, from: Vec2, to: Vec2, effort: &mut u32) -> bool {
        let Self { radius, offset, over_ledges } = self;
        let mut is_clear = |from: Vec2, to: Vec2, rise: f32| {
            *effort = effort.saturating_add(1);
            let up = offset - Vec2::new(0.0, rise);
            floor.is_clear(from + up, to + up, radius)
        };
        if is_clear(from, to, 0.0) {
            return true;
        }
        if !over_ledges {
            return false;
        }
        let n_pieces = (from.distance(to) / PIECE_PX).ceil().max(1.0);
        let ends = |i: f32| [i, i + 1.0].map(|i| from.lerp(to, (i / n_pieces).min(1.0)));
        let mut pieces = std::iter::successors(Some(0.0), |i| (i + 1.0 < n_pieces).then_some(i + 1.0)).map(ends);
        // A line at its feet, and a little below, is still one along which it walks.
        let most = 2.0 * radius;
        // The ground is mostly as far below a piece as below the one before it.
        let mut last = 0.0;
        pieces.all(|[from, to]| {
            let rises = std::iter::successors(Some(0.0), |rise| (*rise <= most).then_some(rise + RISE_PX));
            let found = std::iter::once(last).chain(rises).find(|rise| is_clear(from, to, *rise));
            last = found.unwrap_or(last);
            found.is_some()
        })
    }
}
