//! The further searches after one that found no path, which find out why: for a narrower agent that no belt moves,
//! without bodies, and for gaps beside partly solid tiles.
//!
//! Invariant: a diagnosis continues within budgets like any search, and changes only the reason of the answer. The places
//! on the paths that these searches find are measured in `no_path`.

use std::sync::Arc;

use glam::Vec2;

use super::{
    Agent, Answer, Ground, Navigator, NoPath, NoPathReason, PathRequest,
    answers::{Outcome, START_EFFORT, Search},
    gaps::{GapPath, GapSearch},
    ledges::LedgeSearch,
    requests::{grid_query, unshared_bytes},
};

/// The most sets of places that are remembered to be closed off, the latest first.
const MOST_CLOSED_OFF: usize = 4;

/// A search that found no path.
#[derive(Clone, Debug)]
pub(super) struct Failed {
    /// The answer, with the reason as far as known.
    pub(super) answer: Answer,
    /// A search over ledges between two ends that have room for the walker: it knows how far the walker gets.
    pub(super) over_ledges: Option<Arc<LedgeSearch>>,
}

impl Failed {
    /// The answer with this reason.
    fn because(self, reason: NoPathReason, at: Vec2) -> Answer {
        Answer { no_path: Some(NoPath { reason, at }), ..self.answer }
    }

    /// Memory that no other world shares, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.over_ledges.as_ref().map_or(0, |search| unshared_bytes(search, LedgeSearch::bytes))
    }
}

impl Navigator {
    /// Both ends are open: search again for an agent that covers a cell less, which gets through the widest of several
    /// doors, and then for a point agent. Levels that are too large for a map are searched for a point agent alone.
    pub(super) fn begin_diagnosis(&mut self, request: &PathRequest, answer: Answer) -> Outcome {
        let side = self.floor.grid().tile_size();
        let radius = self.map(&request.agent).map_or(0.0, |_| request.agent.narrower_radius(side));
        let failed = Failed { answer, over_ledges: None };
        self.begin_narrower(request, of_radius(request, radius), failed)
    }

    fn begin_narrower(&mut self, request: &PathRequest, narrower: PathRequest, failed: Failed) -> Outcome {
        let outcome = self.begin(&narrower);
        self.or_narrow_place(request, narrower, outcome, failed)
    }

    /// The outcome of a search for a narrower agent: if that has a path, the passage that is too narrow is on it.
    pub(super) fn or_narrow_place(
        &mut self,
        request: &PathRequest,
        narrower: PathRequest,
        (outcome, effort): Outcome,
        failed: Failed,
    ) -> Outcome {
        let found = match outcome {
            Ok(answer) => Some(answer.points).filter(|_| answer.found),
            Err(search) => return (Err(Search::Narrower(Box::new((narrower, search)), Box::new(failed))), effort),
        };
        let goal = request.to.first().copied().unwrap_or(request.from);
        let (explained, more) = match (found, &request.on, &narrower.on) {
            (Some(way), Ground::Ledges(walker), Ground::Ledges(smaller)) => {
                if let Some(at) = self.belt_against(walker, &way) {
                    return (Ok(failed.because(NoPathReason::HeldBack, at)), effort);
                }
                let reached = failed.over_ledges.as_deref();
                let (at, more) =
                    reached.map_or((None, 0), |reached| self.narrow_place_over_ledges(walker, smaller, reached, &way));
                let answer = match at {
                    Some(at) => failed.because(NoPathReason::TooNarrow, at),
                    None => failed.answer,
                };
                (Ok(answer), more)
            }
            (Some(way), ..) => {
                let at = self.narrow_place(request, &way).unwrap_or(goal);
                (Ok(failed.because(NoPathReason::TooNarrow, at)), 0)
            }
            (None, Ground::Grid, _) if narrower.agent.radius > 0.0 => {
                self.begin_narrower(request, of_radius(request, 0.0), failed)
            }
            (None, Ground::Grid, _) => {
                let answer = failed.because(NoPathReason::Unconnected, goal);
                self.begin_without_bodies(request, Failed { answer, over_ledges: None })
            }
            (None, ..) => (Ok(failed.answer), 0),
        };
        (explained, effort.saturating_add(more))
    }

    /// No path exists: search again without bodies, to find the closed door.
    pub(super) fn begin_without_bodies(&mut self, request: &PathRequest, failed: Failed) -> Outcome {
        if !self.explains {
            return (Ok(failed.answer), 0);
        }
        if !self.floor.has_bodies() {
            return self.begin_in_detail(request, failed);
        }
        let (mut other, effort) = self.opened(request);
        let (begun, more) = other.begin(&of_radius(request, 0.0));
        self.or_blocking_body(request, other, (begun, effort.saturating_add(more)), failed)
    }

    /// The outcome of a search without bodies.
    pub(super) fn or_blocking_body(
        &mut self,
        request: &PathRequest,
        other: Self,
        (outcome, effort): Outcome,
        failed: Failed,
    ) -> Outcome {
        // Kept between the parts of a search: others search on it as well, and need what it has found out.
        self.open = Some(Arc::new(other));
        let open = match outcome {
            Ok(open) => open,
            Err(search) => return (Err(Search::WithoutBodies(Box::new(search), Box::new(failed))), effort),
        };
        if !open.found {
            let (explained, more) = self.begin_in_detail(request, failed);
            return (explained, effort.saturating_add(more));
        }
        let closed = match &request.on {
            Ground::Ledges(walker) => self.closed_place_over_ledges(walker, &open.points),
            _ => self.closed_place(&open.points),
        };
        let no_path = failed.answer.no_path.map(|why| NoPath { at: closed.unwrap_or(why.at), ..why });
        (Ok(Answer { no_path, ..failed.answer }), effort)
    }

    /// No body closes the way either: search for passages that are too small over ledges, and for those that paths over
    /// cells miss.
    fn begin_in_detail(&mut self, request: &PathRequest, failed: Failed) -> Outcome {
        let Ground::Ledges(walker) = &request.on else { return self.begin_through_gaps(request, failed) };
        let unhindered = walker.unhindered(&self.floor).filter(|_| failed.over_ledges.is_some());
        let Some(unhindered) = unhindered else { return (Ok(failed.answer), 0) };
        // At the edge of a ledge the smaller one would have nothing to stand on.
        let mut ledges = self.take_ledges(walker);
        let from = ledges.middle_at(&self.floor, request.from).unwrap_or(request.from);
        self.ledges.push(ledges);
        let on = Ground::Ledges(Arc::new(unhindered));
        self.begin_narrower(request, PathRequest { from, on, around: Arc::default(), ..request.clone() }, failed)
    }

    fn begin_through_gaps(&mut self, request: &PathRequest, failed: Failed) -> Outcome {
        // Levels that are too large for a map are also too large for such a search.
        let has_parts = self.floor.grid().may_have_parts();
        let map = if has_parts { self.map(&Agent::point(&request.agent.kind)) } else { None };
        let Some(map) = map else { return (Ok(failed.answer), 0) };
        let query = grid_query(&self.floor, &map, request);
        let agent = self.floor.grid().agent(&request.agent.kind);
        let goals = query.to.into_iter().filter(|cell| map.is_open(*cell));
        let search = map.is_open(query.from).then(|| GapSearch::new(agent, query.from, goals));
        let is_vain = |search: &GapSearch| self.closed_off.iter().any(|off| search.is_known_closed(off));
        match search.filter(|search| !self.has_too_many_gaps && !is_vain(search)) {
            Some(search) => (Err(Search::Gaps(Arc::new(search), Box::new(failed))), START_EFFORT),
            None => (Ok(failed.answer), START_EFFORT),
        }
    }

    pub(super) fn go_on_through_gaps(
        &mut self,
        request: &PathRequest,
        search: Arc<GapSearch>,
        failed: Failed,
        budget: u32,
    ) -> Outcome {
        let mut search = Arc::unwrap_or_clone(search);
        let (path, effort) = search.run(&self.floor, budget);
        let answer = match path {
            GapPath::Running => return (Err(Search::Gaps(Arc::new(search), Box::new(failed))), effort),
            GapPath::GivenUp => {
                self.has_too_many_gaps = true;
                failed.answer
            }
            GapPath::NoPath(off) => {
                self.closed_off.truncate(MOST_CLOSED_OFF - 1);
                self.closed_off.insert(0, Arc::new(off));
                failed.answer
            }
            GapPath::Found(way) => {
                let goal = request.to.first().copied().unwrap_or(request.from);
                let at = self.narrow_place(request, &way).unwrap_or(goal);
                failed.because(NoPathReason::TooNarrow, at)
            }
        };
        (Ok(answer), effort)
    }
}

/// The same request for an agent of this radius (px), cell by cell.
pub(super) fn of_radius(request: &PathRequest, radius: f32) -> PathRequest {
    let agent = Agent { radius, ..Agent::point(&request.agent.kind) };
    PathRequest { agent, is_smooth: false, around: Arc::default(), ..request.clone() }
}
