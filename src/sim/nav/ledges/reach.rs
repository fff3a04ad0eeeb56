//! Reachability over ledges: the ledges of a level that a walker reaches, and the drops and jumps between them.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use glam::Vec2;

use super::{
    AirTarget, Floor, How, Leg, Walker,
    flight::{self, Start},
    graph::{Ledge, Ledges, Link},
    search,
};
use crate::{model::Name, sim::physics::convex::Aabb};

/// In levels with more cells, only the reachable ledges are found.
const MOST_CELLS: i64 = 1 << 20;
/// The most ledges that are traversed.
const MOST_LEDGES: usize = 1 << 14;
/// The same limit for queries made every frame.
const MOST_LOOKED_AT: usize = 256;
/// Distance of a walker from the box of a carrier below which it is carried from the start, in pixels.
const BEGINS_ON_PX: f32 = 4.0;
/// The most cells in which ledges around moving bodies are searched.
const MOST_CELLS_AROUND: usize = 1 << 20;
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

/// The ledges that a walker reaches from some, breadth first; `each` is called for every ledge with its links.
fn reached(
    ledges: &mut Arc<Ledges>,
    floor: &Floor,
    starts: &BTreeSet<u32>,
    Bounds { wanted, most, effort: budget }: Bounds<'_>,
    mut each: impl FnMut(&Ledge, &[Link]),
) -> Reached {
    let (mut reached, mut open): (_, VecDeque<u32>) = (starts.clone(), starts.iter().copied().collect());
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

/// The ledge from which a walker reaches a place, by a jump at most.
fn goal_ledge(ledges: &mut Arc<Ledges>, floor: &Floor, to: Vec2) -> Option<u32> {
    let grid = floor.grid();
    // At ladders and in water a place needs no jump.
    let is_held = grid.cell(grid.cell_at(to)).is_entered();
    let (cell, _) = search::goal(ledges, floor, to, is_held).ok()?;
    ledges.ledge_of(floor, cell).map(|(id, _)| id)
}

/// Whether a walker can reach each of some places, or can reach it by a jump nearby; may be true too often in a level
/// with very many ledges.
pub(in crate::sim::nav) fn reaches(ledges: &mut Arc<Ledges>, floor: &Floor, from: Vec2, to: &[Vec2]) -> Vec<bool> {
    let goals: Vec<Option<u32>> = to.iter().map(|to| goal_ledge(ledges, floor, *to)).collect();
    let wanted = goals.iter().flatten().copied().collect();
    let start = ledge_below(ledges, floor, from).into_iter().collect();
    let reached = reached(ledges, floor, &start, Bounds::new(Some(&wanted), MOST_LEDGES), |_, _| {});
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
    let reached = reached(ledges, floor, &BTreeSet::from([from]), bounds, |_, _| {});
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

/// An entity that may carry a walker: a solid body that moves by itself, or a zone that lifts the walker.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Carrier {
    /// The id of its entity.
    pub id: Name,
    /// The box that it passes through, in pixels.
    pub area: Aabb,
    /// The y, where it is lowest, at or above which a walker's feet stand on it, in pixels: a box's top; of other shapes
    /// their bottom, as a bound.
    pub lowest_top: f32,
    /// About its greatest speed along each axis, px/s.
    pub speed: Vec2,
    /// Whether it is a body that a track, a route or its velocity moves.
    pub is_driven: bool,
}

/// The reach of a walker that may be carried.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Riding {
    /// Whether it may reach each of the places asked for.
    pub reached: Vec<bool>,
    /// Of each, the id of the entity that has to carry it there; `None` if it may fall there, or is not known.
    pub by: Vec<Option<Name>>,
    /// Whether anything may carry it.
    pub is_any: bool,
}

/// The reach of a walker from an entity that carries it, and onto that entity.
struct CarrierReach<'a> {
    carrier: &'a Carrier,
    walker: &'a Walker,
}

impl CarrierReach<'_> {
    /// The top of what the walker's feet reach from it, in pixels.
    fn top(&self) -> f32 {
        let Self { carrier: Carrier { area, speed, .. }, walker } = self;
        area.lo.y - walker.jump_height_from(*speed) - walker.rise()
    }

    /// How far to each side the walker reaches at a height, in pixels.
    fn aside(&self, y: f32) -> f32 {
        let Self { carrier: Carrier { area, speed, .. }, walker } = self;
        let length = walker.jump_length_from(*speed, (y - area.lo.y).max(0.0)).unwrap_or(0.0);
        walker.hi.x - walker.lo.x + length
    }

    /// Whether the walker may jump or fall from it to where its feet are at a place.
    fn reaches(&self, feet: Vec2) -> bool {
        let (Aabb { lo, hi }, aside) = (self.carrier.area, self.aside(feet.y));
        feet.y >= self.top() && feet.x >= lo.x - aside && feet.x <= hi.x + aside
    }

    /// Whether the walker may jump or fall onto it from where its feet are at a place.
    fn is_reached(&self, feet: Vec2) -> bool {
        let Self { carrier: Carrier { area: Aabb { lo, hi }, lowest_top, .. }, walker } = self;
        let length = walker.jump_length((lowest_top - feet.y).max(0.0)).unwrap_or(0.0);
        let aside = walker.hi.x - walker.lo.x + length;
        let is_beside = feet.x >= lo.x - aside && feet.x <= hi.x + aside;
        is_beside && feet.y <= lowest_top + walker.jump_height() + walker.rise()
    }

    /// Whether the walker may get from this body onto another.
    fn leads_to(&self, other: &Self) -> bool {
        let (area, Carrier { area: Aabb { lo, hi }, lowest_top, .. }) = (self.carrier.area, other.carrier);
        let aside = self.aside(*lowest_top);
        *lowest_top >= self.top() && hi.x >= area.lo.x - aside && lo.x <= area.hi.x + aside
    }
}

/// Which of some places a walker may reach that also rides moving bodies: from each that it may get onto, it reaches
/// what its jumps and falls from anywhere in the body's box lead to, and so on from there. May be true too often.
pub(in crate::sim::nav) fn reaches_riding(
    ledges: &mut Arc<Ledges>,
    floor: &Floor,
    from: Vec2,
    carriers: &[Carrier],
    to: &[Vec2],
) -> Riding {
    let walker = ledges.walker.clone();
    let feet = |pos: Vec2| pos + Vec2::new(0.0, walker.hi.y);
    let rides: Vec<_> = carriers.iter().map(|carrier| CarrierReach { carrier, walker: &walker }).collect();
    let begins_on =
        |ride: &CarrierReach<'_>| ride.carrier.area.grown(BEGINS_ON_PX).meets(Aabb { lo: feet(from), hi: feet(from) });
    let begins_on_any = rides.iter().any(begins_on);
    let mut ridden: Vec<bool> = rides.iter().map(|ride| ride.is_reached(feet(from))).collect();
    let mut seeds: BTreeSet<u32> = ledge_below(ledges, floor, from).into_iter().collect();
    let (mut is_whole, mut n_cells) = (true, 0);
    if ledges.stand_at(floor, from).is_none() {
        // Falling, it may come down beside the place below it.
        let area = Aabb { lo: feet(from), hi: feet(from) };
        let start = Carrier { id: Name::default(), area, lowest_top: area.hi.y, speed: Vec2::ZERO, is_driven: false };
        let fall = CarrierReach { carrier: &start, walker: &walker };
        is_whole &= ledges_from(ledges, floor, &fall, &mut seeds, &mut n_cells);
    }
    let goals: Vec<_> = to.iter().map(|place| goal_ledge(ledges, floor, *place)).collect();
    let mut found_by: Vec<Option<Option<usize>>> = vec![None; to.len()];
    let (mut searched, mut last) = (vec![false; rides.len()], None);
    loop {
        let found = reached(ledges, floor, &seeds, Bounds::new(None, MOST_LEDGES), |ledge, _| {
            let stands = || ledge.stands().iter().map(|stand| Vec2::new(stand.x, stand.feet));
            for (ridden, ride) in ridden.iter_mut().zip(&rides).filter(|(ridden, _)| !**ridden) {
                *ridden = stands().any(|feet| ride.is_reached(feet));
            }
        });
        is_whole &= found.is_whole;
        seeds = found.ledges;
        for ((found_by, goal), place) in found_by.iter_mut().zip(&goals).zip(to).filter(|((it, _), _)| it.is_none()) {
            let is_there = last.is_some_and(|i: usize| rides[i].reaches(feet(*place)));
            *found_by = (is_there || goal.is_some_and(|id| seeds.contains(&id))).then_some(last);
        }
        let Some(i) = (0..rides.len()).find(|i| ridden[*i] && !searched[*i]).filter(|_| is_whole) else { break };
        // What lies within the room of another that is as fast leads no farther.
        let is_within = |of: &Carrier, other: &Carrier| {
            other.area.union(of.area) == other.area && of.speed.cmple(other.speed).all()
        };
        let is_known = (0..rides.len()).any(|j| searched[j] && is_within(&carriers[i], &carriers[j]));
        (searched[i], last) = (true, Some(i));
        for (ridden, other) in ridden.iter_mut().zip(&rides) {
            *ridden |= rides[i].leads_to(other);
        }
        if !is_known {
            is_whole &= ledges_from(ledges, floor, &rides[i], &mut seeds, &mut n_cells);
        }
    }
    let id_of = |i: usize| carriers[i].id.clone();
    let by = found_by.iter().map(|it| it.flatten().filter(|_| is_whole && !begins_on_any).map(id_of)).collect();
    let reached = found_by.iter().map(|it| !is_whole || it.is_some()).collect();
    Riding { reached, by, is_any: !carriers.is_empty() && (!is_whole || ridden.contains(&true)) }
}

/// Add the ledges that a walker may reach from an entity that carries it; false if there are too many cells to search.
fn ledges_from(
    ledges: &mut Arc<Ledges>,
    floor: &Floor,
    ride: &CarrierReach<'_>,
    found: &mut BTreeSet<u32>,
    n_cells: &mut usize,
) -> bool {
    let (grid, Aabb { lo, hi }) = (floor.grid(), ride.carrier.area);
    let (first, last) = grid.bounds();
    for row in grid.cell_at(Vec2::new(lo.x, ride.top()))[1].max(first[1])..last[1] {
        let aside = ride.aside(grid.center([0, row]).y);
        let [left, right] = [lo.x - aside, hi.x + aside].map(|x| grid.cell_at(Vec2::new(x, 0.0))[0]);
        let columns = left.max(first[0])..right.saturating_add(1).min(last[0]);
        *n_cells += columns.len();
        if *n_cells > MOST_CELLS_AROUND {
            return false;
        }
        for column in columns {
            let Some((id, place)) = ledges.ledge_of(floor, [column, row]) else { continue };
            let stand = ledges.ledge(id).and_then(|ledge| ledge.stands().get(place));
            if stand.is_some_and(|stand| ride.reaches(Vec2::new(stand.x, stand.feet))) {
                found.insert(id);
            }
        }
    }
    true
}

/// The reachable place that is nearest to any of some goals: position of the walker's feet, in pixels.
pub(in crate::sim::nav) fn nearest(ledges: &mut Arc<Ledges>, floor: &Floor, from: Vec2, to: &[Vec2]) -> Option<Vec2> {
    let mut best: Option<(f32, Vec2)> = None;
    let start = ledge_below(ledges, floor, from).into_iter().collect();
    let _ = reached(ledges, floor, &start, Bounds::new(None, MOST_LOOKED_AT), |ledge, _| {
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
        let start = ledge_below(ledges, floor, from).into_iter().collect();
        let reached = reached(ledges, floor, &start, Bounds::new(None, MOST_LEDGES), |ledge, links| {
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
