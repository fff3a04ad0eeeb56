//! Which places an agent can get to at all, without searching for a path to each.

use glam::Vec2;

use super::{Agent, Navigator, PathRequest, requests::grid_query};

impl Navigator {
    /// Whether an agent can reach each of some places over the grid, as paths are searched in the preview: from the
    /// nearest open cell to the nearest open one. Where partly solid tiles or bodies block steps, it may be true too
    /// often. `None` for a level that is too large.
    pub fn reaches(&mut self, agent: &Agent, from: Vec2, to: &[Vec2]) -> Option<Vec<bool>> {
        let map = self.map(agent)?;
        let to = to.to_vec();
        let query = grid_query(self.floor(), &map, &PathRequest { to, ..PathRequest::new(from, from, agent.clone()) });
        let open = |cell| map.index(cell).filter(|place| map.cells[*place] != 0);
        let start = open(query.from);
        let is_reached = |cell| start.zip(open(cell)).is_some_and(|(start, end)| map.is_connected(start, end));
        Some(query.to.into_iter().map(is_reached).collect())
    }
}
