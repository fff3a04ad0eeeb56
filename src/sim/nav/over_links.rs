//! Paths along waypoints of walkers seen from the side, which go over ledges from each waypoint to the next.
//!
//! Invariant: the answer is the same as when the level is played: there is a path only if every part of it has one over
//! ledges, and links made by hand through walls that have none are left out, as in `sim::world`.

use std::sync::Arc;

use glam::Vec2;

use super::{
    Answer, Ground, Navigator, NoPath, NoPathReason, PathRequest, Walker,
    ledges::{LedgePath, LedgeSearch},
    no_path::narrow_place_on_line,
    waypoints::Room,
};

/// The most links through walls that are left out for one path.
const MOST_LEFT_OUT: usize = 64;
/// The most links without room on their straight line whose answers are kept.
const MOST_OVER_LEDGES: usize = 256;
/// The width of an agent is rounded up by no more than this, in pixels.
const ROUNDED_PX: f32 = 0.25;
/// The most effort, in expansions, of finding out whether ledges lead along a link. Beyond it the link is closed.
const MOST_EFFORT: u32 = 1 << 14;

/// A link without room for a walker on its straight line, from one of its ends.
#[derive(Clone, Debug)]
pub(super) struct OverLedges {
    walker: Arc<Walker>,
    room: Room,
    /// In pixels.
    ends: [Vec2; 2],
    /// Whether ledges lead from the first to the second.
    leads: bool,
}

impl Navigator {
    /// Answer a request along waypoints at once for a walker that goes over ledges.
    pub(super) fn find_over_links(&mut self, request: &PathRequest, walker: &Arc<Walker>) -> Answer {
        let mut request = request.clone();
        let mut missed_jump = None;
        loop {
            let answer = self.find_whole(&request);
            if let Some((no_path, highest)) = missed_jump.filter(|_| answer.is_walled()) {
                return Answer { no_path: Some(no_path), highest, ..answer };
            }
            let mut parts = answer.points.windows(2).map(|ends| [ends[0], ends[1]]);
            let failed = parts.find_map(|ends| {
                let by_ledges = self.find_now(&over_ledges(&request, walker, ends));
                (!by_ledges.found).then_some((ends, by_ledges))
            });
            let Some((ends, by_ledges)) = failed else { return answer };
            match self.walled_link(&request.on, ends, request.near_px + walker.hi.y) {
                Some(link) if !request.avoid.contains(&link) && request.avoid.len() < MOST_LEFT_OUT => {
                    request.avoid.push(link);
                    missed_jump = missed_jump.or(self.missed_jump(&by_ledges, ends, walker.jump_height()));
                }
                _ => {
                    let Answer { no_path, highest, .. } = by_ledges;
                    return Answer { found: false, no_path, highest, goal: 0, cost: 0.0, points: Vec::new(), ..answer };
                }
            }
        }
    }

    /// Whether ledges lead from one end of a link to the other, as [`Self::leads_past_bodies`] says. Returns the effort,
    /// too.
    pub(super) fn leads_over_ledges(&mut self, request: &PathRequest, room: Room, ends: [Vec2; 2]) -> (bool, u32) {
        let Some(walker) = request.walker.as_ref() else { return (false, 0) };
        let is_it = |it: &&OverLedges| it.ends == ends && it.room == room && it.walker == *walker;
        if let Some(known) = self.links_over_ledges.iter().find(is_it) {
            return (known.leads, 0);
        }
        let (leads, effort) = self.leads_past_bodies(request, room, (ends, false));
        if effort > 0 {
            if self.links_over_ledges.len() >= MOST_OVER_LEDGES {
                self.links_over_ledges.clear();
            }
            self.links_over_ledges.push(OverLedges { walker: Arc::clone(walker), room, ends, leads });
        }
        (leads, effort)
    }

    /// Whether ledges lead from one place to another, or so near to it that the body there is touched, where on the
    /// straight line are only bodies, one of which may be a ledge or low enough to be jumped over, or too little height for
    /// a disc as wide as the walker, but not for the walker. Returns the effort, too.
    pub(super) fn leads_past_bodies(
        &mut self,
        request: &PathRequest,
        room: Room,
        (ends, touches): ([Vec2; 2], bool),
    ) -> (bool, u32) {
        let Some(walker) = request.walker.as_ref() else { return (false, 0) };
        let half = (walker.hi - walker.lo) / 2.0;
        // Where its agent is wider than its body, that counts in each direction.
        let low = if room.radius <= half.x + ROUNDED_PX { room.radius.min(half.y) } else { room.radius };
        let low = Room { radius: low, ..room };
        if low == room && !self.floor.has_bodies() {
            return (false, 0);
        }
        let mut effort = 1;
        if !low.is_clear(&self.floor.opened(), ends[0], ends[1], &mut effort) {
            return (false, effort);
        }
        let part = PathRequest { goals_move: false, touches, ..over_ledges(request, walker, ends) };
        let (mut search, mut ledges) = (LedgeSearch::default(), self.take_ledges(walker));
        search.start(&mut ledges, &self.floor, &part);
        let (path, more) = search.run(&mut ledges, &self.floor, MOST_EFFORT);
        self.ledges.push(ledges);
        (matches!(path, LedgePath::Found { .. }), effort.saturating_add(more))
    }

    /// Why there is no path over ledges along a link through ground, and the highest place that was reached, if that is for
    /// a jump: the link's end is too high for the walker, or only ground that is no higher than the link's ends is on its
    /// straight line, such as the edge of a ledge, not a wall.
    pub(in crate::sim) fn missed_jump(
        &self,
        answer: &Answer,
        ends: [Vec2; 2],
        jump_px: f32,
    ) -> Option<(NoPath, Option<f32>)> {
        let no_path = answer.no_path.filter(|why| !answer.found && why.reason == NoPathReason::Unconnected)?;
        let is_jump = answer.too_high(ends, jump_px).is_some() || self.has_only_ground_between(ends);
        is_jump.then_some((no_path, answer.highest))
    }

    /// Whether what is solid on the straight line between two places does not rise above both.
    fn has_only_ground_between(&self, ends: [Vec2; 2]) -> bool {
        let grid = self.floor().grid();
        let Some(place) = narrow_place_on_line(self.floor(), Room::POINT, ends) else { return true };
        let [column, row] = grid.cell_at(place);
        let (first, _) = grid.bounds();
        let top = (first[1]..=row).rev().find(|row| !grid.cell([column, *row]).is_solid());
        let edge = |open: i32| grid.center([column, open]).y + grid.tile_size().y / 2.0;
        top.is_some_and(|open| edge(open) >= ends[0].y.min(ends[1].y))
    }

    /// The link made by hand through a wall from one place, or within so many pixels of it, to the other.
    fn walled_link(&self, on: &Ground, ends: [Vec2; 2], near_px: f32) -> Option<[Vec2; 2]> {
        let Ground::Waypoints(layer) = on else { return None };
        self.waypoints(layer)?.walled_link(self.floor().grid(), ends, near_px)
    }
}

/// The request for a part of a path along waypoints, as it is made when the level is played.
fn over_ledges(request: &PathRequest, walker: &Arc<Walker>, [from, to]: [Vec2; 2]) -> PathRequest {
    let on = Ground::Ledges(Arc::clone(walker));
    let PathRequest { near_px, weight, goals_move, touches, .. } = *request;
    PathRequest { on, weight, near_px, goals_move, touches, ..PathRequest::new(from, to, request.agent.clone()) }
}
