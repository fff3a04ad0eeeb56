//! Reachability over ledges: the ledges of a level that a walker reaches, and the drops and jumps between them.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use glam::Vec2;

use super::{
    AirTarget, Floor, How, Leg,
    flight::{self, Start},
    graph::{Ledge, Ledges, Link},
    search,
};
use crate::sim::physics::convex::Aabb;

/// In levels with more cells, only the reachable ledges are found.
const MOST_CELLS: i64 = 1 << 20;
/// The most ledges that are traversed.
const MOST_LEDGES: usize = 1 << 14;
/// The same limit for queries made every frame.
const MOST_LOOKED_AT: usize = 256;
/// The drop that is assumed for how far sideways a jump onto a moving body may lead, in pixels.
const FAR_DOWN_PX: f32 = 256.0;
/// The most answers of [`leads_on`] that are kept.
const MOST_ANSWERS: usize = 512;

/// The ledges of a level for one walker, as lines of its feet in pixels.
#[derive(Clone, Debug, Default)]
pub struct LedgeMap {
    /// The ledges that it can reach.
    pub reached: Vec<Vec<Vec2>>,
    /// The ledges that it cannot reach.
    pub others: Vec<Vec<Vec2>>,
    /// The drops and jumps from the ledges that it can reach.
    pub jumps: Vec<Leg>,
    /// Whether all ledges were found; false if the level is too large.
    pub is_whole: bool,
}

/// The ledges that a walker reaches from one, and the effort of finding them.
struct Reached {
    ledges: BTreeSet<u32>,
    /// Whether these are all.
    is_whole: bool,
    /// Whether it ended within its effort.
    is_done: bool,
    effort: u32,
}

/// Bounds of the traversal: it stops when all `wanted` ledges are reached, or at a number of ledges or an effort.
struct Bounds<'a> {
    wanted: Option<&'a BTreeSet<u32>>,
    most: usize,
    effort: u32,
}

impl<'a> Bounds<'a> {
    /// Without a bound of the effort.
    fn new(wanted: Option<&'a BTreeSet<u32>>, most: usize) -> Self {
        Self { wanted, most, effort: u32::MAX }
    }
}

/// The ledge that a walker at a place stands on, or that is below it.
fn ledge_below(ledges: &mut Arc<Ledges>, floor: &Floor, from: Vec2) -> Option<u32> {
    let (cell, _) = search::start_at(ledges, floor, from).ok()?;
    ledges.ledge_of(floor, cell).map(|(id, _)| id)
}

/// The ledges that a walker reaches from one, breadth first; `each` is called for every ledge with its links.
fn reached(
    ledges: &mut Arc<Ledges>,
    floor: &Floor,
    start: Option<u32>,
    Bounds { wanted, most, effort: budget }: Bounds<'_>,
    mut each: impl FnMut(&Ledge, &[Link]),
) -> Reached {
    let (mut reached, mut open): (BTreeSet<u32>, VecDeque<u32>) =
        (start.into_iter().collect(), start.into_iter().collect());
    let (mut is_whole, mut is_done, mut effort) = (true, true, 0_u32);
    while let Some(id) = open.pop_front() {
        // Most wanted ledges are near, and each ledge's links take time.
        if wanted.is_some_and(|wanted| wanted.is_subset(&reached)) {
            break;
        }
        if effort >= budget {
            is_done = false;
            break;
        }
        let (links, more) = ledges.links_of(floor, id);
        effort = effort.saturating_add(more);
        if let Some(ledge) = ledges.ledge(id) {
            each(ledge, &links);
        }
        for link in links.iter() {
            let Some((to, _)) = ledges.ledge_of(floor, link.to_cell) else { continue };
            if reached.len() >= most {
                is_whole = false;
            } else if reached.insert(to) {
                open.push_back(to);
            }
        }
    }
    Reached { ledges: reached, is_whole, is_done, effort }
}

/// Whether a walker can reach each of some places, or can reach it by a jump nearby; may be true too often in a level
/// with very many ledges.
pub(in crate::sim::nav) fn reaches(ledges: &mut Arc<Ledges>, floor: &Floor, from: Vec2, to: &[Vec2]) -> Vec<bool> {
    let grid = floor.grid();
    let ledge_at = |to: &Vec2| {
        // At ladders and in water a place needs no jump.
        let is_held = grid.cell(grid.cell_at(*to)).is_entered();
        let (cell, _) = search::goal(ledges, floor, *to, is_held).ok()?;
        ledges.ledge_of(floor, cell).map(|(id, _)| id)
    };
    let goals: Vec<Option<u32>> = to.iter().map(ledge_at).collect();
    let wanted = goals.iter().flatten().copied().collect();
    let start = ledge_below(ledges, floor, from);
    let reached = reached(ledges, floor, start, Bounds::new(Some(&wanted), MOST_LEDGES), |_, _| {});
    goals.into_iter().map(|goal| goal.is_some_and(|id| !reached.is_whole || reached.ledges.contains(&id))).collect()
}

/// Whether a walker that leaves the ground with a position and velocity lands where it can continue to a goal; may be
/// true too often in a level with many ledges. `None` if the budget is too small: the links found so far are kept. Also
/// returns the effort.
pub(in crate::sim::nav) fn leads_on(
    ledges: &mut Arc<Ledges>,
    floor: &Floor,
    (pos, vel): (Vec2, Vec2),
    goal: Vec2,
    budget: u32,
) -> (Option<bool>, u32) {
    let start = Start { pos, vel, target: AirTarget::at(goal.x), cut_px: 0.0 };
    let Some(landing) = flight::fly(floor, ledges.walker(), start, &mut 0) else { return (Some(false), 0) };
    let to = search::goal(ledges, floor, goal, true).ok().and_then(|(cell, _)| ledges.ledge_of(floor, cell));
    let ends = ledge_below(ledges, floor, landing.pos).zip(to.map(|(to, _)| to));
    let Some((from, to)) = ends else { return (Some(false), 0) };
    if let Some(known) = ledges.leads_on.get(&(from, to)) {
        return (Some(*known), 0);
    }
    let wanted = BTreeSet::from([to]);
    let bounds = Bounds { wanted: Some(&wanted), most: MOST_LOOKED_AT, effort: budget };
    let reached = reached(ledges, floor, Some(from), bounds, |_, _| {});
    if !reached.is_done {
        return (None, reached.effort);
    }
    let leads_on = !reached.is_whole || reached.ledges.contains(&to);
    let known = &mut Arc::make_mut(ledges).leads_on;
    if known.len() >= MOST_ANSWERS {
        known.clear();
    }
    known.insert((from, to), leads_on);
    (Some(leads_on), reached.effort)
}

/// Whether a walker gets so near to one of some bodies that it may jump or fall onto it, each given by the box that it
/// passes through, in pixels; may be true too often.
pub(in crate::sim::nav) fn may_ride(ledges: &mut Arc<Ledges>, floor: &Floor, from: Vec2, passed: &[Aabb]) -> bool {
    if passed.is_empty() {
        return false;
    }
    let walker = &ledges.walker;
    let across = walker.hi.x - walker.lo.x + walker.jump_length(FAR_DOWN_PX).unwrap_or(0.0);
    let reach = Vec2::new(across, walker.jump_height() + walker.rise());
    // It may fall onto it from any height.
    let is_near = |feet: Vec2| {
        let may_reach = |Aabb { lo, hi }: &Aabb| feet.x >= lo.x - reach.x && feet.cmple(*hi + reach).all();
        passed.iter().any(may_reach)
    };
    let mut is_any_near = is_near(from + Vec2::new(0.0, walker.hi.y));
    let start = ledge_below(ledges, floor, from);
    let reached = reached(ledges, floor, start, Bounds::new(None, MOST_LEDGES), |ledge, _| {
        is_any_near = is_any_near || ledge.stands().iter().any(|stand| is_near(Vec2::new(stand.x, stand.feet)));
    });
    is_any_near || !reached.is_whole
}

/// The reachable place that is nearest to any of some goals: position of the walker's feet, in pixels.
pub(in crate::sim::nav) fn nearest(ledges: &mut Arc<Ledges>, floor: &Floor, from: Vec2, to: &[Vec2]) -> Option<Vec2> {
    let mut best: Option<(f32, Vec2)> = None;
    let start = ledge_below(ledges, floor, from);
    let _ = reached(ledges, floor, start, Bounds::new(None, MOST_LOOKED_AT), |ledge, _| {
        for feet in ledge.stands().iter().map(|stand| Vec2::new(stand.x, stand.feet)) {
            let apart = to.iter().map(|to| to.distance_squared(feet)).fold(f32::INFINITY, f32::min);
            if best.is_none_or(|(least, _)| apart < least) {
                best = Some((apart, feet));
            }
        }
    });
    best.map(|(_, feet)| feet)
}

impl LedgeMap {
    pub(in crate::sim::nav) fn new(ledges: &mut Arc<Ledges>, floor: &Floor, from: Vec2) -> Self {
        let mut map = Self { is_whole: true, ..Self::default() };
        let start = ledge_below(ledges, floor, from);
        let reached = reached(ledges, floor, start, Bounds::new(None, MOST_LEDGES), |ledge, links| {
            map.reached.push(line(ledge));
            map.jumps.extend(links.iter().filter(|link| link.how != How::Walk).map(Link::leg));
        });
        map.is_whole = reached.is_whole;
        let (lo, hi) = floor.grid().bounds();
        let sides = [0, 1].map(|i| i64::from(hi[i]) - i64::from(lo[i]));
        if sides[0].saturating_mul(sides[1]) > MOST_CELLS {
            map.is_whole = false;
            return map;
        }
        let mut others = BTreeSet::new();
        for cell in (lo[1]..hi[1]).flat_map(|row| (lo[0]..hi[0]).map(move |column| [column, row])) {
            let ledge = ledges.ledge_of(floor, cell);
            others.extend(ledge.map(|(id, _)| id).filter(|id| !reached.ledges.contains(id)));
        }
        map.others = others.into_iter().filter_map(|id| ledges.ledge(id).map(|ledge| line(ledge))).collect();
        map
    }
}

/// The line of the walker's feet, without points that are collinear with their neighbors.
fn line(ledge: &Ledge) -> Vec<Vec2> {
    let mut line: Vec<Vec2> = Vec::new();
    for stand in ledge.stands() {
        let next = Vec2::new(stand.x, stand.feet);
        if let [.., a, b] = line.as_slice()
            && (*b - *a).perp_dot(next - *b).abs() < 1e-2
        {
            line.pop();
        }
        line.push(next);
    }
    line
}
