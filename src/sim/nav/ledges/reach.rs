//! Reachability over ledges: the ledges of a level that a walker reaches, and the drops and jumps between them.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use glam::Vec2;

use super::{
    Floor, How, Leg,
    flight::{self, Start},
    graph::{Ledge, Ledges, Link},
    search,
};

/// In levels with more cells, only the reachable ledges are found.
const MOST_CELLS: i64 = 1 << 20;
/// The most ledges that are traversed.
const MOST_LEDGES: usize = 1 << 14;
/// The same limit for queries made every frame.
const MOST_LOOKED_AT: usize = 256;

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

/// The ledges that a walker reaches from a place, breadth first, and whether these are all.
fn reached(
    ledges: &mut Arc<Ledges>,
    floor: &Floor,
    from: Vec2,
    (wanted, most): (Option<&BTreeSet<u32>>, usize),
    mut each: impl FnMut(&Ledge, &[Link]),
) -> (BTreeSet<u32>, bool) {
    let start = search::start_at(ledges, floor, from).ok();
    let start = start.and_then(|(cell, _)| ledges.ledge_of(floor, cell)).map(|(id, _)| id);
    let (mut reached, mut open): (BTreeSet<u32>, VecDeque<u32>) =
        (start.into_iter().collect(), start.into_iter().collect());
    let mut is_whole = true;
    while let Some(id) = open.pop_front() {
        // Most wanted ledges are near, and each ledge's links take time.
        if wanted.is_some_and(|wanted| wanted.is_subset(&reached)) {
            break;
        }
        let (links, _) = ledges.links_of(floor, id);
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
    (reached, is_whole)
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
    let (reached, is_whole) = reached(ledges, floor, from, (Some(&wanted), MOST_LEDGES), |_, _| {});
    goals.into_iter().map(|goal| goal.is_some_and(|id| !is_whole || reached.contains(&id))).collect()
}

/// Whether a walker that leaves the ground with a position and velocity lands where it can continue to a goal; may be
/// true too often in a level with many ledges.
pub(in crate::sim::nav) fn leads_on(
    ledges: &mut Arc<Ledges>,
    floor: &Floor,
    (pos, vel): (Vec2, Vec2),
    goal: Vec2,
) -> bool {
    let start = Start { pos, vel, target_x: goal.x, cut_px: 0.0 };
    let Some(landing) = flight::fly(floor, ledges.walker(), start) else { return false };
    let to = search::goal(ledges, floor, goal, true).ok();
    let Some((to, _)) = to.and_then(|(cell, _)| ledges.ledge_of(floor, cell)) else { return false };
    let wanted = BTreeSet::from([to]);
    let (reached, is_whole) = reached(ledges, floor, landing.pos, (Some(&wanted), MOST_LOOKED_AT), |_, _| {});
    !is_whole || reached.contains(&to)
}

/// The reachable place that is nearest to any of some goals: position of the walker's feet, in pixels.
pub(in crate::sim::nav) fn nearest(ledges: &mut Arc<Ledges>, floor: &Floor, from: Vec2, to: &[Vec2]) -> Option<Vec2> {
    let mut best: Option<(f32, Vec2)> = None;
    let _ = reached(ledges, floor, from, (None, MOST_LOOKED_AT), |ledge, _| {
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
        let (reached, is_whole) = reached(ledges, floor, from, (None, MOST_LEDGES), |ledge, links| {
            map.reached.push(line(ledge));
            map.jumps.extend(links.iter().filter(|link| link.how != How::Walk).map(Link::leg));
        });
        map.is_whole = is_whole;
        let (lo, hi) = floor.grid().bounds();
        let sides = [0, 1].map(|i| i64::from(hi[i]) - i64::from(lo[i]));
        if sides[0].saturating_mul(sides[1]) > MOST_CELLS {
            map.is_whole = false;
            return map;
        }
        let mut others = BTreeSet::new();
        for cell in (lo[1]..hi[1]).flat_map(|row| (lo[0]..hi[0]).map(move |column| [column, row])) {
            let ledge = ledges.ledge_of(floor, cell);
            others.extend(ledge.map(|(id, _)| id).filter(|id| !reached.contains(id)));
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
