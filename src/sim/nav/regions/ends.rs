//! The cells in which a path begins and ends.

use glam::Vec2;

use crate::model::Cell;

use super::super::{
    Agent, Floor, GridMap, NoPath, NoPathReason, PathRequest,
    requests::{MAX_SNAP, grid_query},
};

/// The cells in which a path begins and may end, each of these with its index in the request: open cells near the
/// requested positions.
///
/// # Errors
///
/// If the start or all goals are closed; the reason why there is no path.
pub(in crate::sim::nav) fn ends_of(
    floor: &Floor,
    agent: &Agent,
    request: &PathRequest,
) -> Result<(Cell, Vec<(usize, Cell)>), NoPath> {
    let from = end(floor, agent, request, request.from, None)?;
    let (mut goals, mut why) = (Vec::new(), None);
    for (i, to) in request.to.iter().enumerate() {
        match end(floor, agent, request, *to, Some(*to)) {
            Ok(cell) => goals.push((i, cell)),
            Err(no_path) => why = why.or(Some(no_path)),
        }
    }
    match why {
        Some(why) if goals.is_empty() => Err(why),
        _ => Ok((from, goals)),
    }
}

fn end(floor: &Floor, agent: &Agent, request: &PathRequest, at: Vec2, to: Option<Vec2>) -> Result<Cell, NoPath> {
    let cell = floor.grid().cell_at(at);
    let no = |reason| NoPath { reason, at };
    if !floor.grid().contains(cell) {
        return Err(no(NoPathReason::Outside));
    }
    // The surrounding cells decide.
    let reach = 2 * MAX_SNAP + floor.cells_around(at);
    let around = cell.map(|c| c.saturating_sub(reach)..c.saturating_add(reach));
    let request = PathRequest { from: at, to: to.into_iter().collect(), ..request.clone() };
    let open = |agent: &Agent| {
        let map = GridMap::window(floor, agent, &around)?;
        let query = grid_query(floor, &map, &request);
        Some(query.to.first().copied().unwrap_or(query.from)).filter(|cell| map.is_open(*cell))
    };
    let closed = || match open(&Agent::point(&agent.kind)) {
        Some(_) => no(NoPathReason::TooNarrow),
        None => no(NoPathReason::Wall),
    };
    open(agent).ok_or_else(closed)
}
