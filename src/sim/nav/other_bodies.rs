//! The same level with other bodies, for searches around some and for what closes a way: what is known of its floor is
//! taken over as far as one request needs it.
//!
//! Invariant: what is known of the other floor is what would be found out there anew. It is shared with the first but
//! for what differs, so that the effort is that of the cells that bodies cover.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use super::{
    Agent, Floor, Ground, Navigator, PathRequest,
    floor::{BodyPart, CellBox},
    ledges::Ledges,
    requests::AgentKey,
};
use crate::sim::physics::convex::Convex;

/// As many cells of a map are read again, and as many gates and ways of regions copied, in the time in which a search
/// expands a node.
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

    /// The level without bodies, to find what closes the way of a request without width; and the effort. It is kept:
    /// bodies that come and go change nothing there.
    pub(super) fn opened(&mut self, request: &PathRequest) -> (Self, u32) {
        let known = self.open.take().map(Arc::unwrap_or_clone);
        let mut other = known.unwrap_or_else(|| self.on_floor(Floor::from(Arc::clone(self.floor.grid()))));
        other.keeps_shapes = self.keeps_shapes;
        let bodies: Vec<CellBox> = self.floor.body_cells().collect();
        let learned = other.learn(self, request, AgentKey::of(&Agent::point(&request.agent.kind)), &bodies);
        (other, learned)
    }

    /// Take over what another knows and this does not, of the same level but for what differs in some cells. Returns
    /// the effort.
    fn learn(&mut self, from: &Self, request: &PathRequest, agent: AgentKey, changed: &[CellBox]) -> u32 {
        let side = |range: &Range<i32>| i64::from(range.end) - i64::from(range.start);
        let n_cells = changed.iter().map(|[xs, ys]| side(xs).saturating_mul(side(ys)));
        let of_cells = effort(n_cells.fold(0, i64::saturating_add) / CELLS);
        match &request.on {
            Ground::Waypoints(_) => 0,
            Ground::Ledges(walker) => {
                let is_of = |known: &&Arc<Ledges>| known.walker() == &**walker;
                let known = from.ledges.iter().find(is_of).filter(|_| !self.ledges.iter().any(|it| is_of(&it)));
                let Some(mut ledges) = known.cloned() else { return 0 };
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
