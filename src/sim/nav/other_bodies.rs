//! Variants of the floor with bodies added or removed, for searches around obstacles and for finding what blocks a
//! path. Maps, regions and ledges are copied and updated as far as one request needs them.
//!
//! Invariant: the copied data is what would be computed from the other floor. Unchanged parts are shared with the
//! original, so the effort is that of the cells that bodies cover.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use glam::Vec2;

use super::{
    Agent, Ground, Navigator, PathRequest,
    floor::{BodyPart, CellBox},
    ledges::Ledges,
    requests::{AgentKey, grid_query},
};
use crate::sim::{EntityKey, physics::convex::Convex};

/// Number of map cells that can be updated, and of gates and ways of regions or links of ledges that can be copied, in the
/// time of one node expansion.
const CELLS: i64 = 4;
const ENTRIES: usize = 16;

impl Navigator {
    /// The level with other bodies, to answer one request; and the effort.
    pub(super) fn with_bodies(&self, bodies: BTreeMap<BodyPart, Convex>, request: &PathRequest) -> (Self, u32) {
        let mut floor = self.floor.clone();
        let n_bodies = bodies.len().max(self.floor.bodies().len());
        let changed = floor.set_bodies(bodies);
        let mut other = self.on_floor(floor);
        let learned = other.learn(self, request, AgentKey::of(&request.agent), &changed);
        (other, effort(n_bodies).saturating_add(learned))
    }

    /// The level without bodies, to find the body that blocks the path of a point agent; and the effort. The level is
    /// kept: closed doors that are added or removed do not change it.
    pub(super) fn opened(&mut self, request: &PathRequest) -> (Self, u32) {
        let mut other = self.take_open();
        let bodies: Vec<CellBox> = self.floor.body_cells().collect();
        let learned = other.learn(self, request, AgentKey::of(&Agent::point(&request.agent.kind)), &bodies);
        (other, learned)
    }

    /// The level without bodies as far as it is known, taken out to search on it.
    pub(super) fn take_open(&mut self) -> Self {
        let known = self.open.take().map(Arc::unwrap_or_clone);
        let mut other = known.unwrap_or_else(|| self.on_floor(self.floor.opened()));
        other.keeps_shapes = self.keeps_shapes;
        other
    }

    /// The body that closes a way over cells on which the agent of a request would fit, and its middle in pixels: the first
    /// beyond what the agent reaches. `None` if there is no such way without bodies either.
    pub(crate) fn closes_way(&self, request: &PathRequest) -> Option<(EntityKey, Vec2)> {
        if request.on != Ground::Grid || !self.floor.has_bodies() {
            return None;
        }
        let request = PathRequest { is_smooth: false, around: Arc::default(), ..request.clone() };
        let (mut other, _) = self.with_bodies(BTreeMap::new(), &request);
        let (offset, radius) = (request.offset(), request.agent.radius);
        let way = other.find_now(&request).points;
        let map = self.maps.get(&AgentKey::of(&request.agent)).and_then(Option::as_ref);
        let last = map.and_then(|map| {
            let from = grid_query(&self.floor, map, &request).from;
            way.iter().rposition(|at| map.is_reached(from, *at))
        });
        way[last.unwrap_or(0)..]
            .windows(2)
            .find_map(|pair| self.floor.body_on(pair[0] + offset, pair[1] + offset, radius))
    }

    /// Copy what another navigator knows and this one does not, of the same level with differences in some cells.
    /// Returns the effort.
    fn learn(&mut self, from: &Self, request: &PathRequest, agent: AgentKey, changed: &[CellBox]) -> u32 {
        let side = |range: &Range<i32>| i64::from(range.end) - i64::from(range.start);
        let n_cells = changed.iter().map(|[xs, ys]| side(xs).saturating_mul(side(ys)));
        let of_cells = effort(n_cells.fold(0, i64::saturating_add) / CELLS);
        match &request.on {
            Ground::Waypoints(_) => 0,
            Ground::Ledges(walker) => {
                let is_of = |known: &Arc<Ledges>| known.walker() == &**walker;
                let Some(known) = from.ledges.iter().find(|it| is_of(it)) else { return 0 };
                if let Some(own) = self.ledges.iter_mut().find(|it| is_of(it)) {
                    return effort(own.learn(known, &self.floor, changed) / ENTRIES);
                }
                let mut ledges = Arc::clone(known);
                ledges.forget(&self.floor, changed);
                self.ledges.push(ledges);
                of_cells
            }
            Ground::Grid => {
                let map = from.maps.get(&agent).filter(|_| !self.maps.contains_key(&agent)).cloned().flatten();
                let regions = from.regions.get(&agent).filter(|_| !self.regions.contains_key(&agent)).cloned();
                let mut n = 0;
                if let Some(mut map) = map {
                    Arc::make_mut(&mut map).update(&self.floor, changed);
                    n += of_cells;
                    self.maps.insert(agent.clone(), Some(map));
                }
                if let Some(mut regions) = regions {
                    n += effort(regions.n_known() / ENTRIES);
                    Arc::make_mut(&mut regions).forget(&self.floor, changed);
                    self.regions.insert(agent, regions);
                }
                n
            }
        }
    }
}

fn effort<T: TryInto<u32>>(n: T) -> u32 {
    n.try_into().unwrap_or(u32::MAX)
}
