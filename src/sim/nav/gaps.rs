//! Gaps beside partly solid tiles, through which no path over cells leads.
//!
//! A path over cells leads from middle to middle, so a cell whose middle is solid is closed to every agent, however
//! wide the gap beside it is. No agent is sent through such a gap: it only tells a passage that is too narrow from a
//! wall.
//!
//! Invariant: the same floor and ends give the same answer; what is remembered of other searches affects only the
//! effort. Cells that hold no partly solid tile and no body are one place each, the others a square of places.

use std::collections::{VecDeque, hash_map::Entry};

use foldhash::{HashMap, HashSet};
use glam::Vec2;

use crate::model::Cell;

use super::{Floor, floor::LEAST_RADIUS, map::DIRECTIONS};

/// Columns and rows of places in a cell that is not wholly open: a gap wider than this part of a cell is found.
const PER_CELL: i64 = 4;
/// The most places that a search reaches, which bounds its memory; one that needs more is given up.
const MOST_PLACES: usize = 1 << 16;
/// Number of steps tested that counts as one expansion.
const STEPS_PER_EXPANSION: u32 = 4;

/// A place, in parts of cells: the first place of a cell is its left top corner.
type Place = [i64; 2];

/// The result of a search, or of a part of one.
#[derive(Clone, Debug)]
pub(super) enum GapPath {
    Running,
    GivenUp,
    /// The places that no gap leads out of.
    NoPath(ClosedOff),
    /// The way of a point from the start to a goal, in pixels.
    Found(Vec<Vec2>),
}

/// Places that no gap leads out of, for agents of a kind.
#[derive(Clone, Debug)]
pub(super) struct ClosedOff {
    agent: Option<usize>,
    places: HashSet<Place>,
}

impl ClosedOff {
    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
    }
}

/// A search from both ends at once, breadth first.
#[derive(Clone, Debug)]
pub(super) struct GapSearch {
    /// Index of the agent kind's costs.
    agent: Option<usize>,
    from: Place,
    to: Vec<Place>,
    /// From the start, and from the goals: the places reached, each with the one before it, which of an end is itself.
    reached: [HashMap<Place, Place>; 2],
    /// Of these, the ones from which no step has been tested.
    open: [VecDeque<Place>; 2],
}

impl GapSearch {
    /// A search for the agent kind of this index, from the middle of a cell to that of any of several.
    pub(super) fn new(agent: Option<usize>, from: Cell, to: impl Iterator<Item = Cell>) -> Self {
        let (from, to) = (middle_of(from), to.map(middle_of).collect::<Vec<Place>>());
        let reached = [vec![from], to.clone()].map(|ends| ends.into_iter().map(|end| (end, end)).collect());
        let open = [VecDeque::from([from]), to.iter().copied().collect()];
        Self { agent, from, to, reached, open }
    }

    /// Whether its start is known to be closed off from all its goals.
    pub(super) fn is_known_closed(&self, off: &ClosedOff) -> bool {
        let is_inside = |place: &Place| off.places.contains(place);
        let is_from = is_inside(&self.from);
        off.agent == self.agent && self.to.iter().all(|to| is_inside(to) != is_from)
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let reached = self.reached.iter().map(|reached| reached.capacity() * size_of::<(Place, Place)>());
        reached.chain(self.open.iter().map(|open| open.len() * size_of::<Place>())).sum()
    }

    /// Continue until the search ends or has spent its budget. Returns the effort as well.
    pub(super) fn run(&mut self, floor: &Floor, budget: u32) -> (GapPath, u32) {
        let mut spent = 1_u32;
        while spent < budget {
            // From the end that has reached less: one that is walled in is soon done.
            let side = usize::from(self.reached[1].len() < self.reached[0].len());
            let Some(place) = self.open[side].pop_front() else {
                let places = self.reached[side].keys().copied().collect();
                return (GapPath::NoPath(ClosedOff { agent: self.agent, places }), spent);
            };
            if self.reached.iter().map(HashMap::len).sum::<usize>() > MOST_PLACES {
                return (GapPath::GivenUp, spent);
            }
            let mut found = Vec::new();
            let n_tested = each_step(floor, self.agent, place, |next| found.push(next));
            spent = spent.saturating_add(1 + n_tested / STEPS_PER_EXPANSION);
            for next in found {
                let Entry::Vacant(entry) = self.reached[side].entry(next) else { continue };
                entry.insert(place);
                if self.reached[1 - side].contains_key(&next) {
                    return (GapPath::Found(points(floor, &self.way_by(next))), spent);
                }
                self.open[side].push_back(next);
            }
        }
        (GapPath::Running, spent)
    }

    /// The places from the start to a goal, by one that is reached from both.
    fn way_by(&self, met: Place) -> Vec<Place> {
        let back = |side: usize| {
            let before = move |at: &Place| self.reached[side].get(at).copied().filter(|before| before != at);
            std::iter::successors(Some(met), before)
        };
        let mut way: Vec<Place> = back(0).collect();
        way.reverse();
        way.extend(back(1).skip(1));
        way
    }
}

/// Call `each` for every place that a point gets to from another in one step. Returns the number of steps tested.
fn each_step(floor: &Floor, agent: Option<usize>, from: Place, mut each: impl FnMut(Place)) -> u32 {
    let cell = cell_of(from);
    let is_whole = has_no_shapes(floor, cell);
    let n_starts = if is_whole { PER_CELL } else { 1 };
    let corner = cell.map(|c| i64::from(c) * PER_CELL);
    let mut n_tested = 0;
    for [dx, dy] in DIRECTIONS.into_iter().take(4) {
        let step = [dx, dy].map(i64::from);
        // In a cell that is wholly open it gets to each place along the side.
        let along = |i: i64| [0, 1].map(|k: usize| if step[k] == 0 { i } else { (PER_CELL - 1) * step[k].max(0) });
        for i in 0..n_starts {
            let [x, y] = along(i);
            let start = if is_whole { [corner[0] + x, corner[1] + y] } else { from };
            let next = [start[0] + step[0], start[1] + step[1]];
            let beside = cell_of(next);
            let is_next_whole = beside != cell && has_no_shapes(floor, beside);
            if beside != cell && !is_entered(floor, agent, beside) {
                break;
            }
            // Between two such cells there is nothing to test.
            if !(is_whole && is_next_whole) {
                n_tested += 1;
                if !floor.is_clear(px(floor, start), px(floor, next), LEAST_RADIUS) {
                    continue;
                }
            }
            each(if is_next_whole { middle_of(beside) } else { next });
            if is_next_whole {
                break;
            }
        }
    }
    n_tested
}

/// Whether an agent of a kind may be in a cell at all.
fn is_entered(floor: &Floor, agent: Option<usize>, cell: Cell) -> bool {
    floor.grid().contains(cell) && floor.grid().cell(cell).cost(agent).is_some()
}

/// Whether no shape is in a cell: one that may be entered is wholly open then.
fn has_no_shapes(floor: &Floor, [x, y]: Cell) -> bool {
    !floor.has_shapes(&[x..x.saturating_add(1), y..y.saturating_add(1)])
}

fn middle_of(cell: Cell) -> Place {
    cell.map(|c| i64::from(c) * PER_CELL + PER_CELL / 2)
}

fn cell_of(place: Place) -> Cell {
    place.map(|at| i32::try_from(at.div_euclid(PER_CELL)).unwrap_or(i32::MAX))
}

/// A place in pixels.
fn px(floor: &Floor, place: Place) -> Vec2 {
    Vec2::from(place.map(|at| at as f32)) / PER_CELL as f32 * floor.grid().tile_size()
}

/// The way by these places, in pixels, also by where it crosses the sides of cells that are wholly open.
fn points(floor: &Floor, way: &[Place]) -> Vec<Vec2> {
    let size = floor.grid().tile_size();
    let toward = |from: Place, to: Place| {
        let cell = cell_of(from);
        let corner = floor.grid().center(cell) - size / 2.0;
        if has_no_shapes(floor, cell) { px(floor, to).clamp(corner, corner + size) } else { px(floor, from) }
    };
    let mut points: Vec<Vec2> = Vec::new();
    for pair in way.windows(2) {
        points.extend([px(floor, pair[0]), toward(pair[0], pair[1]), toward(pair[1], pair[0])]);
    }
    points.extend(way.last().map(|last| px(floor, *last)));
    points.dedup();
    points
}
