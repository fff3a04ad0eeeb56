//! Waypoints of walkers, moved to where these have room, and the links between them: along ledges, and by drops and
//! jumps.
//!
//! Invariant: for each link there is a path over ledges from its start to its end. Links that others replace at little
//! more cost are left out.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet, BinaryHeap},
    sync::Arc,
};

use glam::Vec2;

use super::{
    super::suggest::{CLOSE_PX, SuggestedLink},
    Floor, Walker,
    graph::Ledges,
    search,
};
use crate::sim::grid::SolidGrid;

/// A link is left out if others lead from its start to its end at no more than this many times its cost.
const STRETCH: f32 = 1.5;
/// The most links that are compared.
const MOST_CANDIDATES: usize = 1 << 16;

/// A way from one place to another, at a cost in pixels of walking.
struct Way {
    ends: [usize; 2],
    cost: f32,
}

/// The places on each ledge, by horizontal position in pixels.
type OnLedges = BTreeMap<u32, Vec<(f32, usize)>>;

/// A walker on a ledge: where it is, in pixels, and the place that it has left, if any.
#[derive(Clone, Copy)]
struct OnWay {
    ledge: u32,
    x: f32,
    left: Option<usize>,
}

/// Waypoints of a walker seen from the side, and the links between them.
#[derive(Clone, Debug)]
pub struct LedgeNetwork {
    /// The waypoints, in pixels.
    pub places: Vec<Vec2>,
    /// The links, by indices of places.
    pub links: Vec<SuggestedLink>,
}

/// Waypoints, in pixels, and links by which a walker gets from one to the next over the ledges of a level's tiles. A
/// place stands for the ground below it: one without ground stays where it is, without links; one without room for the
/// walker moves aside, and is left out near another. `None` if there are too many ways to compare.
///
/// Source: the greedy spanner of Althöfer, Das, Dobkin, Joseph and Soares, On sparse spanners of weighted graphs, 1993.
#[must_use]
pub fn ledge_network(grid: &Arc<SolidGrid>, walker: &Walker, suggested: &[Vec2]) -> Option<LedgeNetwork> {
    let floor = Floor::from(Arc::clone(grid));
    let mut ledges = Arc::new(Ledges::new(walker.clone()));
    let (mut on, mut places) = (OnLedges::new(), Vec::new());
    let below = |place: Vec2| {
        let (cell, at) = search::below(&mut ledges, &floor, place).ok()?;
        ledges.ledge_of(&floor, cell).map(|(id, _)| (id, at.x))
    };
    let mut standing: Vec<(Vec2, Option<(u32, f32)>)> =
        suggested.iter().copied().zip(suggested.iter().copied().map(below)).collect();
    // Those that stay first.
    standing.sort_by_key(|(place, found)| found.is_some_and(|(_, x)| x != place.x));
    for (place, found) in standing {
        let Some((id, x)) = found else {
            places.push(place);
            continue;
        };
        let here = on.entry(id).or_default();
        if x == place.x || here.iter().all(|(known, _)| (known - x).abs() >= CLOSE_PX) {
            here.push((x, places.len()));
            places.push(Vec2::new(x, place.y));
        }
    }
    on.values_mut().for_each(|places| places.sort_by(|a, b| a.0.total_cmp(&b.0)));
    let mut ways: Vec<Way> = Vec::new();
    for (id, here) in &on {
        let Some(ledge) = ledges.ledge(*id) else { continue };
        for pair in here.windows(2) {
            let cost = ledge.walk_cost(pair[0].0, pair[1].0);
            let ends = [pair[0].1, pair[1].1];
            ways.extend([ends, [ends[1], ends[0]]].map(|ends| Way { ends, cost }));
        }
        leaving(&mut ledges, &floor, &on, *id, &mut ways);
        if ways.len() > MOST_CANDIDATES {
            return None;
        }
    }
    let links = sparse(ways, places.len());
    Some(LedgeNetwork { places, links })
}

/// Those of the ways that others do not replace, as links.
fn sparse(mut ways: Vec<Way>, n_places: usize) -> Vec<SuggestedLink> {
    ways.sort_by(|a, b| a.cost.total_cmp(&b.cost).then(a.ends.cmp(&b.ends)));
    let mut costs: BTreeMap<[usize; 2], f32> = BTreeMap::new();
    for way in &ways {
        costs.entry(way.ends).or_insert(way.cost);
    }
    let mut kept: Vec<Vec<(usize, f32)>> = vec![Vec::new(); n_places];
    let mut links: BTreeSet<[usize; 2]> = BTreeSet::new();
    for Way { ends: [from, to], cost } in ways {
        if from == to || links.contains(&[from, to]) || leads_within(&kept, [from, to], STRETCH * cost) {
            continue;
        }
        // With the way back, if there is one: one link in both directions is clearer than two elsewhere.
        let back = costs.get(&[to, from]).map(|cost| ([to, from], *cost));
        for ([from, to], cost) in [([from, to], cost)].into_iter().chain(back) {
            if links.insert([from, to]) {
                kept[from].push((to, cost));
            }
        }
    }
    let is_first = |[from, to]: &[usize; 2]| from < to || !links.contains(&[*to, *from]);
    let of = |ends: &[usize; 2]| SuggestedLink { ends: *ends, one_way: !links.contains(&[ends[1], ends[0]]) };
    links.iter().filter(|ends| is_first(ends)).map(of).collect()
}

/// Add the ways from the places of a ledge to those of others, by its drops and jumps and over ledges without places, as
/// long as there are not too many.
fn leaving(ledges: &mut Arc<Ledges>, floor: &Floor, on: &OnLedges, start: u32, ways: &mut Vec<Way>) {
    let nearest = |id: u32, x: f32| -> Option<(f32, usize)> {
        let near = on.get(&id)?.iter().min_by(|a, b| (a.0 - x).abs().total_cmp(&(b.0 - x).abs()));
        near.copied()
    };
    // By cost, the least first; equal ones in the order in which they are found.
    let mut found = vec![OnWay { ledge: start, x: 0.0, left: None }];
    let mut open = BinaryHeap::from([Reverse((order_of(0.0), 0))]);
    let mut seen: BTreeSet<(u32, Option<usize>)> = BTreeSet::new();
    while let Some(Reverse((order, i))) = open.pop().filter(|_| ways.len() <= MOST_CANDIDATES) {
        let (OnWay { ledge: id, x, left }, so_far) = (found[i], f32::from_bits(order));
        let Some(ledge) = ledges.ledge(id).cloned().filter(|_| seen.insert((id, left))) else { continue };
        let (links, _) = ledges.links_of(floor, id);
        for link in links.iter() {
            let Some((to, _)) = ledges.ledge_of(floor, link.to_cell) else { continue };
            let from = left.map_or_else(|| nearest(id, link.from.x), |left| Some((x, left)));
            let Some((from_x, left)) = from else { continue };
            let cost = so_far + ledge.walk_cost(from_x, link.from.x) + link.cost;
            match nearest(to, link.to.x).zip(ledges.ledge(to)) {
                Some(((to_x, place), ledge)) => {
                    ways.push(Way { ends: [left, place], cost: cost + ledge.walk_cost(link.to.x, to_x) });
                }
                None => {
                    open.push(Reverse((order_of(cost), found.len())));
                    found.push(OnWay { ledge: to, x: link.to.x, left: Some(left) });
                }
            }
        }
    }
}

/// A cost, which is not negative, as a number of the same order.
fn order_of(cost: f32) -> u32 {
    cost.max(0.0).to_bits()
}

/// Whether links lead from one place to another at no more than a cost.
fn leads_within(links: &[Vec<(usize, f32)>], [from, to]: [usize; 2], most: f32) -> bool {
    let mut open = BinaryHeap::from([Reverse((order_of(0.0), from))]);
    let mut costs: BTreeMap<usize, f32> = BTreeMap::from([(from, 0.0)]);
    while let Some(Reverse((order, at))) = open.pop() {
        let cost = f32::from_bits(order);
        if at == to {
            return true;
        }
        if costs.get(&at).is_some_and(|best| *best < cost) {
            continue;
        }
        for (next, more) in &links[at] {
            let sum = cost + more;
            if sum <= most && costs.get(next).is_none_or(|best| sum < *best) {
                costs.insert(*next, sum);
                open.push(Reverse((order_of(sum), *next)));
            }
        }
    }
    false
}
