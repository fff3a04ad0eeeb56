//! Where a walker gets to from a place: the ledges of a level, and the drops and jumps between them.

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

/// Of a level with more cells, only the ledges that are reached are looked for.
const MOST_CELLS: i64 = 1 << 20;
/// The most ledges that are followed from the place.
const MOST_LEDGES: usize = 1 << 14;
/// The most of them where it is asked in every frame how near a walker gets to a place.
const MOST_LOOKED_AT: usize = 256;

/// The ledges of a level for one walker. Lines are of its feet, in pixels.
#[derive(Clone, Debug, Default)]
pub struct LedgeMap {
    /// The ledges that it gets to.
    pub reached: Vec<Vec<Vec2>>,
    /// The other ones.
    pub others: Vec<Vec<Vec2>>,
    /// The drops and jumps from ledges that it gets to.
    pub jumps: Vec<Leg>,
    /// False where the level is too large to look for all of them.
    pub is_whole: bool,
}

/// The ledges that a walker gets to from a place, nearest first in drops and jumps, and whether these are all.
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
        // Most are near, and each ledge's jumps take their time.
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

/// Whether a walker gets from a place to each of others, or by a jump near it; may be true too often in a level of very
/// many ledges.
pub(in crate::sim::nav) fn reaches(ledges: &mut Arc<Ledges>, floor: &Floor, from: Vec2, to: &[Vec2]) -> Vec<bool> {
    let grid = floor.grid();
    let ledge_at = |to: &Vec2| {
        // Where there is something to hold on to or to swim in, no jump leads there, and none has to.
        let is_held = grid.cell(grid.cell_at(*to)).is_entered();
        let (cell, _) = search::goal(ledges, floor, *to, is_held).ok()?;
        ledges.ledge_of(floor, cell).map(|(id, _)| id)
    };
    let goals: Vec<Option<u32>> = to.iter().map(ledge_at).collect();
    let wanted = goals.iter().flatten().copied().collect();
    let (reached, is_whole) = reached(ledges, floor, from, (Some(&wanted), MOST_LEDGES), |_, _| {});
    goals.into_iter().map(|goal| goal.is_some_and(|id| !is_whole || reached.contains(&id))).collect()
}

/// Whether a walker that leaves the ground at a place with a velocity comes down where it can go on to a goal; may be
/// true too often in a level of many ledges.
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

/// Where a walker gets nearest to any of some places from another: where its feet are then, in pixels.
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

/// The line of its feet, without the points on a straight line between others.
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
