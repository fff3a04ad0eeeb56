//! The jump-link graph that walkers search when a level is seen from the side: ledges, and the links between them.
//!
//! It grows as searches need it. Invariant: the data of a ledge depends on the floor and the walker alone, not on
//! earlier requests; the cells that its links were made from are stored with it, so that a change there discards it.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

use glam::Vec2;

use crate::model::Cell;

use super::{
    super::floor::CellBox,
    AirTarget, Floor, How, Leg,
    known::{Numbered, Places},
    stand::{MIN_FOOTING, Stand},
    walker::Walker,
};

/// Three points whose two directions span less than this area are collinear, in px².
const STRAIGHT_PX2: f32 = 0.01;
/// Ledges are split at multiples of this many columns, so that building one is bounded work.
const MAX_COLUMNS: i32 = 128;

/// Adjacent places that a walker can walk along.
#[derive(Clone, Debug)]
pub(super) struct Ledge {
    /// The places, by ascending column.
    stands: Vec<Stand>,
    /// Cost of walking from the first place to each, in pixels of walking.
    costs: Vec<f32>,
    /// The y of its highest place, in pixels.
    pub(super) top: f32,
}

/// A link: a way from one ledge to another.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) how: How,
    /// Start: position of the walker's origin, in pixels.
    pub(super) from: Vec2,
    /// End: position of the walker's origin, in pixels.
    pub(super) to: Vec2,
    pub(super) air_target: AirTarget,
    pub(super) to_cell: Cell,
    /// Cost in pixels of walking.
    pub(super) cost: f32,
    /// Positions of the origin along the link, in pixels.
    pub(super) arc: Arc<[Vec2]>,
}

impl Link {
    /// The link as a leg of a path.
    pub(super) fn leg(&self) -> Leg {
        Leg {
            how: self.how,
            way: Vec::new(),
            from: self.from,
            to: self.to,
            air_target: self.air_target,
            arc: self.arc.to_vec(),
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Links {
    pub(super) links: Arc<[Link]>,
    /// The cells that the links depend on.
    pub(super) area: CellBox,
}

/// The known ledges of a floor for one walker.
#[derive(Clone, Debug)]
pub(in crate::sim::nav) struct Ledges {
    pub(super) walker: Walker,
    pub(super) known: Numbered<Arc<Ledge>>,
    pub(super) links: Numbered<Links>,
    /// Whether a walker gets from one ledge to another, as far as that is known.
    pub(super) leads_on: BTreeMap<(u32, u32), bool>,
    of: Places,
    next_id: u32,
}

impl Ledge {
    pub(super) fn stands(&self) -> &[Stand] {
        &self.stands
    }

    pub(super) fn first(&self) -> &Stand {
        &self.stands[0]
    }

    pub(super) fn last(&self) -> &Stand {
        &self.stands[self.stands.len() - 1]
    }

    /// The place in a column, and its index.
    pub(super) fn at(&self, column: i32) -> Option<(usize, &Stand)> {
        let i = usize::try_from(column - self.first().cell[0]).ok()?;
        self.stands.get(i).map(|stand| (i, stand))
    }

    pub(super) fn columns(&self) -> Range<i32> {
        self.first().cell[0]..self.last().cell[0] + 1
    }

    /// The cost of walking between two horizontal positions in pixels, in pixels of walking.
    pub(super) fn walk_cost(&self, a: f32, b: f32) -> f32 {
        let cost_to = |x: f32| {
            let next = self.stands.partition_point(|stand| stand.x <= x);
            let i = next.saturating_sub(1);
            let Some(stand) = self.stands.get(i) else { return 0.0 };
            self.costs[i] + (x - stand.x) * stand.cost
        };
        (cost_to(b) - cost_to(a)).abs()
    }

    /// The places between two horizontal positions in pixels at which the ground changes direction, from the first to
    /// the second.
    pub(super) fn corners(&self, walker: &Walker, a: f32, b: f32) -> Vec<Vec2> {
        let place = |stand: &Stand| walker.origin(stand.x, stand.feet);
        let is_corner = |[before, at, after]: &[Stand; 3]| {
            let [before, at, after] = [before, at, after].map(place);
            (at - before).perp_dot(after - at).abs() > STRAIGHT_PX2
        };
        let between = self.stands.array_windows::<3>().filter(|[_, at, _]| at.x > a.min(b) && at.x < a.max(b));
        let mut corners: Vec<Vec2> = between.filter(|three| is_corner(three)).map(|[_, at, _]| place(at)).collect();
        if b < a {
            corners.reverse();
        }
        corners
    }

    /// The nearest horizontal position at which a walker can stand on the ledge, in pixels.
    pub(super) fn clamp(&self, x: f32) -> f32 {
        x.clamp(self.first().x, self.last().x)
    }
}

impl Ledges {
    pub(in crate::sim::nav) fn new(walker: Walker) -> Self {
        let (known, links, of) = (Numbered::default(), Numbered::default(), Places::default());
        Self { walker, known, links, leads_on: BTreeMap::new(), of, next_id: 0 }
    }

    /// The number of known places.
    pub(in crate::sim::nav) fn n_places(&self) -> usize {
        self.of.len()
    }

    /// Memory that no copy shares, in bytes.
    pub(in crate::sim::nav) fn bytes(&self) -> usize {
        let link = |link: &Link| size_of::<Link>() + size_of_val(&*link.arc);
        let links = self.links.unshared().flat_map(|of| of.links.iter()).map(link);
        let ledges = self.known.unshared().map(|ledge| ledge.stands.len() * (size_of::<Stand>() + size_of::<f32>()));
        self.of.bytes() + links.sum::<usize>() + ledges.sum::<usize>()
    }

    pub(in crate::sim::nav) fn walker(&self) -> &Walker {
        &self.walker
    }

    /// The cell of the place on which a walker with its origin at `pos` stands.
    pub(in crate::sim::nav) fn stand_at(self: &mut Arc<Self>, floor: &Floor, pos: Vec2) -> Option<Cell> {
        let feet = pos.y + self.walker.hi.y;
        // A walker may stand on an edge with a single pixel, though no path leads to such a place.
        let cell = self.walker.cell_of(floor, pos.x, feet, MIN_FOOTING);
        let cell = cell.or_else(|| self.walker.cell_of(floor, pos.x, feet, 0.0))?;
        self.ledge_of(floor, cell).map(|_| cell)
    }

    /// The walker's origin in the middle of the place on which it stands with its origin at `pos`, in pixels.
    pub(in crate::sim::nav) fn middle_at(self: &mut Arc<Self>, floor: &Floor, pos: Vec2) -> Option<Vec2> {
        let cell = self.stand_at(floor, pos)?;
        let (id, i) = self.ledge_of(floor, cell)?;
        let stand = self.ledge(id)?.stands().get(i)?;
        Some(self.walker.origin(stand.x, stand.feet))
    }

    /// [`Self::ledge_at`] for ledges that worlds share: copied only if the ledge is not known yet.
    pub(in crate::sim::nav) fn ledge_of(self: &mut Arc<Self>, floor: &Floor, cell: Cell) -> Option<(u32, usize)> {
        if let Some(known) = self.place(cell) {
            return Some(known);
        }
        self.walker.stand(floor, cell, floor.grid().agent(&self.walker.kind))?;
        Arc::make_mut(self).ledge_at(floor, cell)
    }

    /// Lower bound on the cost of walking a pixel, at most 1.
    pub(super) fn least_cost(&self, floor: &Floor) -> f32 {
        floor.grid().least_cost(floor.grid().agent(&self.walker.kind))
    }

    /// Discard the data that depends on these cells.
    pub(in crate::sim::nav) fn forget(self: &mut Arc<Self>, floor: &Floor, changed: &[CellBox]) {
        let (gone, lost) = self.dependent_on(floor, changed);
        if gone.is_empty() && lost.is_empty() {
            return;
        }
        let this = Arc::make_mut(self);
        this.leads_on.clear();
        lost.into_iter().for_each(|id| this.links.remove(id));
        for id in gone {
            if let Some(ledge) = this.known.get(id).cloned() {
                ledge.stands.iter().for_each(|stand| this.of.set(stand.cell, None));
                this.known.remove(id);
            }
        }
    }

    /// Take over the links that are known on another floor, which differs in these cells, and are the same here. Returns
    /// the number of links and ledges that were looked at.
    pub(in crate::sim::nav) fn learn(self: &mut Arc<Self>, from: &Self, floor: &Floor, changed: &[CellBox]) -> usize {
        let mut n = 0;
        let new = from.links.iter().filter_map(|(id, links)| {
            n += 1;
            let cell = from.known.get(id)?.first().cell;
            let is_known = self.of.get(cell).is_some_and(|own| self.links.get(own).is_some());
            (!is_known).then(|| (id, cell, links.clone()))
        });
        let new: Vec<(u32, Cell, Links)> = new.collect();
        if new.is_empty() {
            return n;
        }
        let (_, other) = from.dependent_on(floor, changed);
        for (_, cell, links) in new.into_iter().filter(|(id, ..)| !other.contains(id)) {
            n += 1;
            if let Some((id, _)) = Arc::make_mut(self).ledge_at(floor, cell) {
                Arc::make_mut(self).links.insert(id, links);
            }
        }
        n
    }

    /// The ledges that depend on these cells, and those whose links do.
    fn dependent_on(&self, floor: &Floor, changed: &[CellBox]) -> (BTreeSet<u32>, BTreeSet<u32>) {
        let meets = |a: &CellBox, b: &CellBox| (0..2).all(|i| a[i].start < b[i].end && b[i].start < a[i].end);
        let reach = self.cells_of_body(floor);
        let own: BTreeSet<u32> = changed.iter().flat_map(|cells| self.of.within(reached_by(cells, reach))).collect();
        let is_near = |links: &Links| changed.iter().any(|cells| meets(cells, &links.area));
        let of_links = self.links.iter().filter(|(id, links)| own.contains(id) || is_near(links));
        let of_links = of_links.map(|(id, _)| id).collect();
        (own, of_links)
    }

    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    fn cells_of_body(&self, floor: &Floor) -> Cell {
        let size = (self.walker.hi - self.walker.lo + self.walker.rise()) / floor.grid().tile_size();
        [size.x, size.y].map(|cells| cells.ceil().min(4096.0) as i32)
    }

    /// The ledge of the place in a cell, and the place's index in it.
    pub(super) fn ledge_at(&mut self, floor: &Floor, cell: Cell) -> Option<(u32, usize)> {
        if let Some(known) = self.place(cell) {
            return Some(known);
        }
        let agent = floor.grid().agent(&self.walker.kind);
        let start = self.walker.stand(floor, cell, agent)?;
        let mut stands = std::collections::VecDeque::from([start]);
        for side in [-1, 1] {
            let mut at = start;
            while let Some(next) = self.beside(floor, &at, side, agent) {
                let is_seam = next.cell[0].max(at.cell[0]).rem_euclid(MAX_COLUMNS) == 0;
                // From a belt that carries the walker off, no way leads back.
                if is_seam || self.walker.is_carried_off(at.belt) || self.walker.is_carried_off(next.belt) {
                    break;
                }
                if side < 0 {
                    stands.push_front(next);
                } else {
                    stands.push_back(next);
                }
                at = next;
            }
        }
        let stands = Vec::from(stands);
        let mut costs = Vec::with_capacity(stands.len());
        let mut sum = 0.0;
        for (i, stand) in stands.iter().enumerate() {
            if let Some(before) = i.checked_sub(1).and_then(|i| stands.get(i)) {
                sum += (stand.x - before.x).abs() * before.cost;
            }
            costs.push(sum);
        }
        let id = self.next_id;
        self.next_id += 1;
        stands.iter().for_each(|stand| self.of.set(stand.cell, Some(id)));
        let top = stands.iter().map(|stand| stand.feet).fold(f32::INFINITY, f32::min);
        self.known.insert(id, Arc::new(Ledge { stands, costs, top }));
        self.place(cell)
    }

    /// The known ledge of a place, and the place's index in it.
    fn place(&self, cell: Cell) -> Option<(u32, usize)> {
        let id = self.of.get(cell)?;
        Some((id, self.known.get(id)?.at(cell[0])?.0))
    }

    /// The known ledge of a place.
    pub(super) fn known_at(&self, cell: Cell) -> Option<u32> {
        self.of.get(cell)
    }

    /// The place in the next column to a side that the walker walks to: the one of least difference in height, if the
    /// same holds on the way back.
    pub(super) fn beside(&self, floor: &Floor, from: &Stand, side: i32, agent: Option<usize>) -> Option<Stand> {
        let next = self.nearest_beside(floor, from, side, agent)?;
        self.nearest_beside(floor, &next, -side, agent).filter(|back| back.cell == from.cell).map(|_| next)
    }

    fn nearest_beside(&self, floor: &Floor, from: &Stand, side: i32, agent: Option<usize>) -> Option<Stand> {
        let size = floor.grid().tile_size();
        let rise = self.walker.spec.rise_within(size.x);
        #[expect(clippy::cast_possible_truncation, reason = "a few cells")]
        let rows = (rise / size.y).ceil() as i32;
        let [x, y] = from.cell;
        let stands = (y - rows..=y + rows).filter_map(|row| self.walker.stand(floor, [x + side, row], agent));
        let walked = stands.filter(|to| self.walker.walks(floor, from, to));
        walked.min_by(|a, b| (a.feet - from.feet).abs().total_cmp(&(b.feet - from.feet).abs()))
    }

    pub(super) fn ledge(&self, id: u32) -> Option<&Arc<Ledge>> {
        self.known.get(id)
    }
}

/// The cells in which a change may affect places and the walking between them, for a body of `size` cells.
fn reached_by(changed: &CellBox, size: Cell) -> CellBox {
    [0, 1].map(|i| changed[i].start.saturating_sub(size[i] + 1)..changed[i].end.saturating_add(size[i] + 1))
}
