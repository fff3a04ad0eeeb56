//! The cheapest path over ledges. A node is a place where a walker lands; between nodes it walks.
//!
//! Invariant: the same floor, walker and ends give the same path. How much of the graph was known before affects only
//! the effort.
//!
//! Source: A* over a graph that is built during the search; Hart, Nilsson, Raphael (1968).

use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap, HashMap},
    sync::Arc,
};

use glam::Vec2;

use crate::{model::Cell, sim::limits};

use super::{
    super::{NEAR_ENOUGH, NoPath, NoPathReason, PathRequest, Stats},
    AirTarget, Floor, How, Leg, SAME_FLOOR_PX, Walker,
    graph::{Ledges, Link},
};

/// Columns beside a goal in which a ledge is searched, in cells.
const BESIDE: [i32; 5] = [0, -1, 1, -2, 2];

/// How far from the end of a ledge a path may end, in pixels.
const END_PX: f32 = 3.0;

/// The result of a search over ledges, or of a part of one.
#[derive(Clone, Debug)]
pub(in crate::sim::nav) enum LedgePath {
    Running,
    NoPath(NoPath),
    /// The goal by its index in the request.
    Found {
        legs: Vec<Leg>,
        cost: f64,
        goal: usize,
    },
}

#[derive(Clone, Debug)]
struct Node {
    g: f64,
    /// Position of the walker's origin, in pixels.
    at: Vec2,
    from: Option<(Cell, Link)>,
    /// Order in which it was closed, from 1; 0 while it is open.
    closed: u32,
}

impl Node {
    fn is_closed(&self) -> bool {
        self.closed > 0
    }
}

#[derive(Clone, Debug)]
struct Goal {
    /// Its index in the request.
    index: usize,
    cell: Cell,
    at: Vec2,
}

/// A search over ledges.
#[derive(Clone, Debug, Default)]
pub(in crate::sim::nav) struct LedgeSearch {
    nodes: HashMap<Cell, Node>,
    /// Open list: estimate of the whole path; order of opening; the place, or the number of a goal and the node from
    /// which it is reached.
    open: BinaryHeap<Reverse<(u64, u32, Place)>>,
    n_opened: u32,
    goals: Vec<Goal>,
    best: Vec<f64>,
    weight: f64,
    scale: f64,
    /// Drops and jumps that are left out, and the start of the first of them that would have been used.
    avoid: Arc<[[Vec2; 2]]>,
    left_out: Option<Vec2>,
    failed: Option<NoPath>,
    /// The y of the walker's origin at the highest place of the ledges that were looked at, in pixels.
    pub(in crate::sim::nav) highest: Option<f32>,
    pub(in crate::sim::nav) stats: Stats,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Node(Cell),
    Goal(usize, Cell),
}

impl LedgeSearch {
    pub(in crate::sim::nav) fn start(&mut self, ledges: &mut Arc<Ledges>, floor: &Floor, request: &PathRequest) {
        let PathRequest { from, to, weight, avoid, goals_move, .. } = request;
        *self = Self {
            weight: limits::path_weight(*weight),
            scale: 1.0,
            avoid: avoid.as_slice().into(),
            ..Self::default()
        };
        let from = *from;
        let (start, from) = match start_at(ledges, floor, from) {
            Ok(start) => start,
            Err(reason) => {
                self.failed = Some(NoPath { reason, at: from });
                return;
            }
        };
        let mut failed = None;
        for (index, to) in to.iter().enumerate() {
            let places = if request.near_px > 0.0 && floor.is_in_body(*to) {
                beside_body(ledges, floor, *to, request)
            } else {
                let is_demanded = request.snap_cells == 0 && request.near_px > 0.0 && !goals_move;
                goal(ledges, floor, *to, *goals_move).and_then(|place| {
                    let far = (place.1.x - to.x).abs();
                    if !is_demanded || far <= request.near_px / NEAR_ENOUGH {
                        return Ok(vec![place]);
                    }
                    let has_room = ledges.walker().has_room_below(floor, *to);
                    if !has_room && far <= request.near_px {
                        return Ok(vec![place]);
                    }
                    Err(if has_room { NoPathReason::Unconnected } else { NoPathReason::TooNarrow })
                })
            };
            match places {
                Ok(places) => self.goals.extend(places.into_iter().map(|(cell, at)| Goal { index, cell, at })),
                Err(reason) => failed = failed.or(Some(NoPath { reason, at: *to })),
            }
        }
        if self.goals.is_empty() {
            self.failed = failed;
            return;
        }
        self.best = vec![f64::INFINITY; self.goals.len()];
        self.scale = f64::from(ledges.least_cost(floor));
        self.nodes.insert(start, Node { g: 0.0, at: from, from: None, closed: 0 });
        self.push(0.0, from.x, Place::Node(start));
    }

    fn push(&mut self, g: f64, x: f32, place: Place) {
        let h = match place {
            Place::Goal(..) => 0.0,
            Place::Node(_) => {
                let far = self.goals.iter().map(|goal| f64::from((goal.at.x - x).abs()));
                far.fold(f64::INFINITY, f64::min) * self.scale
            }
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let estimate = ((g + h * self.weight) * 1024.0) as u64;
        self.n_opened = self.n_opened.saturating_add(1);
        self.open.push(Reverse((estimate, self.n_opened, place)));
        self.stats.max_open = self.stats.max_open.max(u32::try_from(self.open.len()).unwrap_or(u32::MAX));
    }

    /// Continue until the search ends or has spent its budget. Returns the effort as well.
    pub(in crate::sim::nav) fn run(
        &mut self,
        ledges: &mut Arc<Ledges>,
        floor: &Floor,
        budget: u32,
    ) -> (LedgePath, u32) {
        let mut spent = 1;
        if let Some(failed) = self.failed {
            return (LedgePath::NoPath(failed), spent);
        }
        while spent < budget {
            let Some(Reverse((_, _, place))) = self.open.pop() else {
                let goal = self.goals.first().map_or(Vec2::ZERO, |goal| goal.at);
                let missed = self.left_out.map(|at| NoPath { reason: NoPathReason::Missed, at });
                let why = missed.unwrap_or(NoPath { reason: NoPathReason::Unconnected, at: goal });
                return (LedgePath::NoPath(why), spent);
            };
            let cell = match place {
                Place::Goal(goal, last) => return (self.path(ledges, floor, (goal, last)), spent),
                Place::Node(cell) => cell,
            };
            let Some(node) = self.nodes.get_mut(&cell).filter(|node| !node.is_closed()) else { continue };
            self.stats.expanded += 1;
            node.closed = self.stats.expanded;
            let (g, x) = (node.g, node.at.x);
            let Some((id, _)) = ledges.ledge_of(floor, cell) else { continue };
            let (links, effort) = ledges.links_of(floor, id);
            spent = spent.saturating_add(effort);
            let Some(ledge) = ledges.ledge(id).cloned() else { continue };
            let top = ledge.top - ledges.walker().hi.y;
            self.highest = Some(self.highest.map_or(top, |highest| highest.min(top)));
            for goal in 0..self.goals.len() {
                let Goal { cell: to, at, .. } = self.goals[goal];
                if ledges.ledge_of(floor, to).is_some_and(|(other, _)| other == id) {
                    let g = g + f64::from(ledge.walk_cost(x, at.x));
                    if g < self.best[goal] {
                        self.best[goal] = g;
                        self.push(g, at.x, Place::Goal(goal, cell));
                    }
                }
            }
            for link in links.iter() {
                if self.avoid.contains(&[link.from, link.to]) {
                    self.left_out = self.left_out.or(Some(link.from));
                    continue;
                }
                let g = g + f64::from(ledge.walk_cost(x, link.from.x) + link.cost);
                // A closed node that is improved is opened again: with a weight above 1 the first way to it need not be
                // the cheapest.
                if self.nodes.get(&link.to_cell).is_some_and(|known| known.g <= g) {
                    continue;
                }
                let node = Node { g, at: link.to, from: Some((cell, link.clone())), closed: 0 };
                self.nodes.insert(link.to_cell, node);
                self.push(g, link.to.x, Place::Node(link.to_cell));
            }
        }
        (LedgePath::Running, spent)
    }

    /// Whether it had a start and a goal on ledges.
    pub(in crate::sim::nav) fn has_ends(&self) -> bool {
        self.failed.is_none()
    }

    /// The ledges that it has reached.
    pub(in crate::sim::nav) fn reached(&self, ledges: &mut Arc<Ledges>, floor: &Floor) -> BTreeSet<u32> {
        // In order: a ledge that is not known any more gets the next number.
        let cells: BTreeSet<Cell> = self.nodes.keys().copied().collect();
        cells.into_iter().filter_map(|cell| ledges.ledge_of(floor, cell).map(|(id, _)| id)).collect()
    }

    /// Memory, in bytes.
    pub(in crate::sim::nav) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<(Cell, Node)>() + self.open.len() * size_of::<Reverse<(u64, u32, Place)>>()
    }

    fn path(&self, ledges: &mut Arc<Ledges>, floor: &Floor, (goal, last): (usize, Cell)) -> LedgePath {
        let mut links = Vec::new();
        let mut at = last;
        while let Some((before, link)) = self.nodes.get(&at).and_then(|node| node.from.as_ref()) {
            links.push((*before, link));
            at = *before;
        }
        let mut corners = |cell: Cell, a: Vec2, b: Vec2| {
            let (id, _) = ledges.ledge_of(floor, cell)?;
            Some(ledges.ledge(id)?.corners(ledges.walker(), a.x, b.x))
        };
        let mut here = self.nodes.get(&at).map_or(Vec2::ZERO, |node| node.at);
        let (mut from, mut legs, mut way) = (here, Vec::new(), Vec::new());
        for (cell, link) in links.into_iter().rev() {
            way.extend(corners(cell, here, link.from).unwrap_or_default());
            here = link.to;
            if link.how == How::Walk {
                way.extend([link.from, link.to]);
            } else {
                legs.push(Leg { way: std::mem::take(&mut way), ..link.leg() });
                from = link.to;
            }
        }
        let to = self.goals[goal].at;
        way.extend(corners(last, here, to).unwrap_or_default());
        let arc = std::iter::once(from).chain(way).chain([to]).collect();
        legs.push(Leg { how: How::Walk, way: Vec::new(), from, to, air_target: AirTarget::at(to.x), arc });
        LedgePath::Found { legs, cost: self.best[goal], goal: self.goals[goal].index }
    }

    /// The open and the closed nodes in pixels; the closed ones in order of closing.
    pub(in crate::sim::nav) fn shape(&self) -> (Vec<Vec2>, Vec<Vec2>) {
        let mut nodes: Vec<(&Cell, &Node)> = self.nodes.iter().collect();
        nodes.sort_by_key(|(cell, _)| **cell);
        let (mut closed, open): (Vec<_>, Vec<_>) = nodes.into_iter().partition(|(_, node)| node.is_closed());
        closed.sort_by_key(|(_, node)| node.closed);
        let places = |nodes: Vec<(&Cell, &Node)>| nodes.into_iter().map(|(_, node)| node.at).collect();
        (places(open), places(closed))
    }
}

/// The start of a walker: where it stands, else on the ground below.
pub(super) fn start_at(ledges: &mut Arc<Ledges>, floor: &Floor, from: Vec2) -> Result<(Cell, Vec2), NoPathReason> {
    match ledges.stand_at(floor, from) {
        Some(cell) => Ok((cell, from)),
        None => below(ledges, floor, from),
    }
}

/// The place where a walker is at a goal: on the ground below it, or beside that. Unless the goal moves, it has to be
/// on that floor, or within a vertical jump.
pub(super) fn goal(
    ledges: &mut Arc<Ledges>,
    floor: &Floor,
    to: Vec2,
    moves: bool,
) -> Result<(Cell, Vec2), NoPathReason> {
    let (cell, at) = below(ledges, floor, to)?;
    let walker = ledges.walker();
    let up = at.y - SAME_FLOOR_PX - to.y;
    let is_clear = || floor.is_box_clear(at + walker.lo - Vec2::new(0.0, up.max(0.0)), at + walker.hi);
    // On a belt that carries it off, it cannot reach anything above.
    let is_reached = !walker.is_carried_off(walker.belt(floor, at)) && walker.jumps_as_high(up) && is_clear();
    if is_reached || moves { Ok((cell, at)) } else { Err(NoPathReason::Unconnected) }
}

/// The places where a walker stands beside the body at a position, on each side the nearest of each ledge: those from
/// which the position is near enough, else all, unless the request demands that.
fn beside_body(
    ledges: &mut Arc<Ledges>,
    floor: &Floor,
    to: Vec2,
    request: &PathRequest,
) -> Result<Vec<(Cell, Vec2)>, NoPathReason> {
    let far = floor.cells_around(to);
    let mut beside: Vec<(Cell, Vec2)> = Vec::new();
    for side in [-1, 1] {
        // A low body has places on top, and the ground beside it.
        let mut known = Vec::new();
        for column in (0..=far).map(|n| n * side) {
            let Ok((ledge, place)) = below_column(ledges, floor, to, column) else { continue };
            // In a column that the body covers in part there is one place at most, on either side of it.
            let is_on_side = if side < 0 { place.1.x <= to.x } else { place.1.x >= to.x };
            if is_on_side && !known.contains(&ledge) {
                known.push(ledge);
                beside.push(place);
            }
        }
    }
    let is_near =
        |(_, at): &&(Cell, Vec2)| (at.x - to.x).abs() <= request.near_px && (at.y - to.y).abs() <= SAME_FLOOR_PX;
    let near: Vec<(Cell, Vec2)> = beside.iter().filter(is_near).copied().collect();
    match (request.touches, near.is_empty()) {
        (false, false) => Ok(near),
        (false, true) if request.snap_cells == 0 => Err(NoPathReason::Wall),
        _ if beside.is_empty() => Err(NoPathReason::Wall),
        (true, _) => touching(ledges.walker(), floor, to, beside),
        _ => Ok(beside),
    }
}

/// Of the places beside a body those from which a walker gets to touch it on the level, else by a jump. The ground below
/// the ledge on which the body is, and a lower step before it, are none.
fn touching(
    walker: &Walker,
    floor: &Floor,
    to: Vec2,
    mut beside: Vec<(Cell, Vec2)>,
) -> Result<Vec<(Cell, Vec2)>, NoPathReason> {
    let Some(body) = floor.bounds_at(to) else { return Ok(beside) };
    let width = floor.grid().tile_size().x;
    // How far it is to a side of the body, and how far it is below the body; below zero where they overlap.
    let gap = |at: Vec2| {
        let (lo, hi) = (at + walker.lo, at + walker.hi);
        Vec2::new((body.lo.x - hi.x).max(lo.x - body.hi.x), lo.y - body.hi.y)
    };
    let is_near = |at: Vec2, up: f32| gap(at).x < width && gap(at).y < up;
    let is_level = |(_, at): &(Cell, Vec2)| is_near(*at, 0.0);
    if beside.iter().any(is_level) {
        beside.retain(is_level);
    } else {
        beside.retain(|(_, at)| is_near(*at, f32::INFINITY) && walker.jumps_as_high(gap(*at).y.max(0.0)));
    }
    if beside.is_empty() { Err(NoPathReason::Unconnected) } else { Ok(beside) }
}

/// The place where a walker stands on the ground below a position, or beside that.
pub(super) fn below(ledges: &mut Arc<Ledges>, floor: &Floor, to: Vec2) -> Result<(Cell, Vec2), NoPathReason> {
    let grid = floor.grid();
    let cell = grid.cell_at(to);
    // A place on the top of the ground is one where feet stand.
    let is_on_top = to.y - super::ground::corner(grid.tile_size(), cell).y <= super::ground::TOUCH_PX;
    let cell = if is_on_top && grid.cell(cell).full { [cell[0], cell[1].saturating_sub(1)] } else { cell };
    if !grid.contains(cell) {
        return Err(NoPathReason::Outside);
    }
    if grid.cell(cell).full {
        return Err(NoPathReason::Wall);
    }
    let mut reason = NoPathReason::Unconnected;
    for column in BESIDE {
        match below_column(ledges, floor, to, column) {
            Ok((_, place)) => return Ok(place),
            Err(NoPathReason::TooNarrow) => reason = NoPathReason::TooNarrow,
            Err(_) => {}
        }
    }
    Err(reason)
}

/// The place where a walker stands on the ground in a column, in cells from that of a position, no higher than this;
/// and the ledge that it is on.
fn below_column(
    ledges: &mut Arc<Ledges>,
    floor: &Floor,
    to: Vec2,
    column: i32,
) -> Result<(u32, (Cell, Vec2)), NoPathReason> {
    let grid = floor.grid();
    let size = grid.tile_size();
    #[expect(clippy::cast_precision_loss, reason = "a few cells")]
    let x = to.x + column as f32 * size.x;
    if column != 0 && !grid.sight_clear(to, Vec2::new(x, to.y)) {
        return Err(NoPathReason::Wall);
    }
    let top = floor.top_below(Vec2::new(x, to.y)).ok_or(NoPathReason::Unconnected)?;
    let at = grid.cell_at(Vec2::new(x, top.y - super::ground::TOUCH_PX * 2.0));
    let (id, i) = ledges.ledge_of(floor, at).ok_or(NoPathReason::TooNarrow)?;
    let ledge = ledges.ledge(id).ok_or(NoPathReason::Unconnected)?;
    let stand = ledge.stands().get(i).copied().ok_or(NoPathReason::Unconnected)?;
    // As near to the position as there is room, on ground that goes on level.
    let left = super::ground::corner(size, at).x;
    let is_level = (top.y - stand.feet).abs() < super::ground::TOUCH_PX;
    let is_end = is_level && !(ledge.first().x..=ledge.last().x).contains(&x);
    let x = if is_end { x.clamp(left + END_PX, left + size.x.max(2.0 * END_PX) - END_PX) } else { ledge.clamp(x) };
    let walker = ledges.walker();
    let has_room = column == 0 && walker.has_room(floor, x, stand.feet);
    if has_room && walker.slides_to(floor, (x, stand.feet), at) == Some(false) {
        return Err(NoPathReason::Wall);
    }
    let x = if has_room { x } else { stand.x };
    Ok((id, (at, ledges.walker().origin(x, stand.feet))))
}
