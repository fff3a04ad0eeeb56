//! The same level with other bodies, for searches around some and for what closes a way: what is known of its floor is
//! taken over as far as one request needs it.
//!
//! Invariant: what is known of the other floor is what would be found out there anew. Copies are whole, so the ticks
//! that follow have the less to spend on searches.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    Agent, Floor, Ground, Navigator, PathRequest,
    floor::{BodyPart, CellBox},
    ledges::Ledges,
    requests::AgentKey,
};
use crate::sim::physics::convex::Convex;

/// As many cells of a map, places of ledges and bytes of regions are copied in the time in which a search expands a
/// node.
const CELLS: usize = 64;
const PLACES: usize = 4;
const BYTES: usize = 512;

impl Navigator {
    /// The level with other bodies, to answer one request.
    pub(super) fn with_bodies(&mut self, bodies: BTreeMap<BodyPart, Convex>, request: &PathRequest) -> Self {
        let mut floor = self.floor.clone();
        let n_bodies = bodies.len().max(self.floor.bodies().len());
        let changed = floor.set_bodies(bodies);
        let mut other = self.on_floor(floor);
        let learned = other.learn(self, request, AgentKey::of(&request.agent), &changed);
        self.owed = self.owed.saturating_add(effort(n_bodies)).saturating_add(learned);
        other
    }

    /// The level without bodies, to find what closes the way of a request without width. It is kept: bodies that come
    /// and go change nothing there.
    pub(super) fn opened(&mut self, request: &PathRequest) -> Self {
        let known = self.open.take().map(Arc::unwrap_or_clone);
        let mut other = known.unwrap_or_else(|| self.on_floor(Floor::from(Arc::clone(self.floor.grid()))));
        other.keeps_shapes = self.keeps_shapes;
        let bodies: Vec<CellBox> = self.floor.body_cells().collect();
        let learned = other.learn(self, request, AgentKey::of(&Agent::point(&request.agent.kind)), &bodies);
        self.owed = self.owed.saturating_add(learned);
        other
    }

    /// Take over what another knows and this does not, of the same level but for what differs in some cells. Returns
    /// the effort.
    fn learn(&mut self, from: &Self, request: &PathRequest, agent: AgentKey, changed: &[CellBox]) -> u32 {
        match &request.on {
            Ground::Waypoints(_) => 0,
            Ground::Ledges(walker) => {
                let is_of = |known: &&Arc<Ledges>| known.walker() == &**walker;
                let known = from.ledges.iter().find(is_of).filter(|_| !self.ledges.iter().any(|it| is_of(&it)));
                let Some(mut ledges) = known.cloned() else { return 0 };
                ledges.forget(&self.floor, changed);
                let n_places = ledges.n_places();
                self.ledges.push(ledges);
                effort(n_places / PLACES)
            }
            Ground::Grid => {
                let map = from.maps.get(&agent).filter(|_| !self.maps.contains_key(&agent)).cloned().flatten();
                let regions = from.regions.get(&agent).filter(|_| !self.regions.contains_key(&agent)).cloned();
                let mut n = 0;
                if let Some(mut map) = map {
                    Arc::make_mut(&mut map).update(&self.floor, changed);
                    n += map.n_cells() / CELLS;
                    self.maps.insert(agent.clone(), Some(map));
                }
                if let Some(mut regions) = regions {
                    Arc::make_mut(&mut regions).forget(&self.floor, changed);
                    n += regions.bytes() / BYTES;
                    self.regions.insert(agent, regions);
                }
                effort(n)
            }
        }
    }
}

fn effort(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
