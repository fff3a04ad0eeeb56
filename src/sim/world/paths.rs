//! The paths that orders request from the navigator, and their answers.
//!
//! Invariant: an entity has one request at a time, and keeps its path until the answer comes. When a path is needed, and
//! how it is walked, is decided in `movement` and `walking`.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::LevelView,
    sim::{
        EntityKey,
        nav::{self, Answer, Ground, NEAR_ENOUGH, NoPath, NoPathReason, PathRequest, Walker},
    },
};

use super::{
    World,
    constants::PathTuning,
    legs::{Legs, Tries},
    movement::body_offset,
    order::{Failure, Order, PathSearch},
};

/// The walker of a request: over ledges, or along waypoints over ledges from each to the next.
fn walker_of<'a>(on: &'a Ground, for_waypoints: &'a Option<Arc<Walker>>) -> Option<&'a Walker> {
    match on {
        Ground::Ledges(walker) => Some(walker),
        _ => for_waypoints.as_deref(),
    }
}

impl World {
    /// Request a path to the goal on this ground, unless there is one or a request for one; `for_waypoints` for a
    /// walker that goes over ledges from waypoint to waypoint.
    pub(super) fn find_path(&mut self, key: EntityKey, from: Vec2, goal: Vec2, on: Ground, for_waypoints: bool) {
        let Some(entity) = self.entities.get(key) else { return };
        let (movement, agent) = (&entity.movement, &entity.components.agent);
        let latest = match &movement.along {
            Some(along) if for_waypoints => &along.searched,
            _ => &movement.searched_path,
        };
        let repath_ticks = self.ticks(agent.repath_secs).max(1);
        let revision = self.navigator.revision();
        let is_other = |search: &PathSearch| search.revision != revision || search.goal.distance(goal) > 4.0;
        let wants = latest.as_ref().is_none_or(|search| {
            self.tick >= search.tick + repath_ticks && (is_other(search) || movement.no_path.is_some())
        });
        if !wants || self.navigator.is_waiting(key) {
            return;
        }
        let target = self.solid_target(key);
        let to = match &movement.order {
            // Over ledges it goes to the next waypoint.
            Order::GoTo { goals, .. } if movement.along.is_none() || matches!(on, Ground::Waypoints(_)) => {
                goals.iter().map(|goal| self.foot_of(key, &on, goal.at, goal.target)).collect()
            }
            _ => vec![self.foot_of(key, &on, goal, target)],
        };
        let agent =
            nav::Agent { offset: body_offset(entity), over_ledges: for_waypoints, ..entity.components.nav_agent() };
        let PathTuning { weight, turn_penalty } = self.constants.path_tuning();
        let near_px = NEAR_ENOUGH * self.constants.arrive_distance;
        let around = movement.around.clone();
        let walker = self.physics.spec(key).filter(|_| for_waypoints);
        let walker = walker.and_then(|spec| self.walker(spec, &entity.components)).map(Arc::new);
        // What it failed at with other speeds, it may be able to do now.
        let before = latest.as_ref().and_then(|search| walker_of(&search.request.on, &search.request.walker));
        let is_another = before.is_some_and(|before| walker_of(&on, &walker).is_some_and(|now| now != before));
        let avoid = if is_another { Vec::new() } else { movement.tries.avoided(self.tick, self.tries()) };
        let goals_move = matches!(movement.order, Order::Chase(_));
        let mut request = PathRequest {
            to,
            on,
            weight,
            turn_penalty,
            near_px,
            avoid,
            goals_move,
            touches: target.is_some(),
            around,
            walker,
            ..PathRequest::new(from, goal, agent)
        };
        let mut goals: Vec<usize> = (0..request.to.len()).collect();
        if let Order::GoTo { goals: all, .. } = &movement.order
            && request.on == Ground::Grid
            && goals.len() > 1
        {
            // Those without room are left out, unless none has; one that it is to touch needs none.
            let is_solid: Vec<bool> = all.iter().map(|goal| self.solid_at(key, goal).is_some()).collect();
            let (navigator, to) = (&mut self.navigator, std::mem::take(&mut request.to));
            let with_room = goals.iter().filter(|i| is_solid[**i] || navigator.has_room_at(&request, to[**i]));
            let with_room: Vec<usize> = with_room.copied().collect();
            request.to = to;
            if !with_room.is_empty() {
                request.to = with_room.iter().map(|i| request.to[*i]).collect();
                goals = with_room;
            }
        }
        // A search that failed, or did not lead around an obstacle, gives the same result as long as nothing has
        // changed.
        let is_vain = |search: &PathSearch| {
            let same_place = PathRequest { from: search.request.from, ..request.clone() };
            search.request.from.distance(from) < 1.0 && same_place == *search.request && !is_other(search)
        };
        let may_be_vain = movement.waits_for_path() || !request.around.is_empty() && !movement.path.is_empty();
        if may_be_vain && latest.as_ref().is_some_and(is_vain) {
            return;
        }
        let is_along = matches!(request.on, Ground::Waypoints(_));
        self.navigator.request(key, request.clone());
        let (request, failure) = (Arc::new(request), Failure::default());
        let search = PathSearch { tick: self.tick, goal, revision, request, goals, failure };
        if let Some(entity) = self.entities.get_mut(key) {
            let movement = &mut entity.movement;
            if is_another {
                movement.tries = Tries::default();
                movement.along.iter_mut().for_each(|along| along.missed_jump = None);
            }
            match &mut movement.along {
                Some(along) if for_waypoints => (along.is_due, along.searched) = (is_along, Some(search)),
                along => {
                    movement.searched_path = Some(search);
                    along.iter_mut().for_each(|along| along.is_due = is_along);
                }
            }
        }
    }

    /// The place that a path to a goal leads to: over ledges, the foot of the solid target there, which may be much taller
    /// than the agent.
    fn foot_of(&self, key: EntityKey, on: &Ground, goal: Vec2, target: Option<EntityKey>) -> Vec2 {
        const ABOVE_PX: f32 = 1.0;
        let target =
            target.filter(|target| matches!(on, Ground::Ledges(_)) && self.physics.stop_each_other(key, *target));
        let around = target.and_then(|target| self.physics.solid_bounds(target));
        around.map_or(goal, |around| Vec2::new(goal.x, goal.y.max(around.hi.y - ABOVE_PX)))
    }

    /// Follow the path of an answer, or report that there is none.
    pub(super) fn take_answer(&mut self, key: EntityKey, mut answer: Answer) {
        let near = self.constants.arrive_distance;
        let over_ledges = self.rules.view == LevelView::Platformer;
        let Some(entity) = self.entities.get_mut(key) else { return };
        let pos = entity.pose.pos;
        // Past links through ground that it leaves out there is no way: a jump along one keeps it from its goal.
        if let Some(along) = &mut entity.movement.along {
            match along.missed_jump {
                _ if answer.found => along.missed_jump = None,
                Some((no_path, highest)) if answer.is_walled() => {
                    (answer.no_path, answer.highest) = (Some(no_path), highest);
                }
                _ => {}
            }
        }
        let over_ledges = over_ledges && entity.components.walker.is_some();
        let movement = &mut entity.movement;
        let is_along = movement.along.as_mut().is_some_and(|along| std::mem::take(&mut along.is_due));
        let search = match &mut movement.along {
            Some(along) if over_ledges => along.searched.as_mut().filter(|_| is_along),
            _ => movement.searched_path.as_mut(),
        };
        if let (Order::GoTo { goals, at }, Some(search)) = (&mut movement.order, search)
            && let Some(index) = search.goals.get(answer.goal).copied().filter(|_| answer.found)
            && let Some(found) = goals.get(index)
        {
            (*at, search.goal) = (index, found.at);
        }
        if let Some(along) = movement.along.as_mut().filter(|_| is_along && over_ledges) {
            along.ahead = answer.points.get(1..).unwrap_or_default().to_vec();
            if answer.found {
                movement.searched_path = None;
                if movement.waits_for_path() {
                    (movement.no_path, movement.searched) = (None, None);
                }
                return;
            }
            if movement.legs.is_flying {
                along.searched = None;
                return;
            }
        }
        if movement.legs.is_flying {
            // It has left the start of the path.
            movement.searched_path = None;
            return;
        }
        let is_from_node = is_along && movement.along.as_ref().is_some_and(|along| along.left.is_some());
        let mut goes_to = None;
        let nowhere = NoPath { reason: NoPathReason::Unconnected, at: entity.pose.pos };
        let no_path = (!answer.found).then(|| answer.no_path.unwrap_or(nowhere));
        if answer.found {
            // An agent that was stuck on its path may be stuck on the new one: its reason stays until it makes
            // progress.
            if movement.waits_for_path() {
                movement.no_path = None;
            }
            goes_to = movement.path.get(movement.path_at).copied();
            movement.path.clone_from(&answer.points);
            movement.legs.begin(&answer.legs);
        } else {
            movement.legs = Legs::default();
            movement.path.clear();
        }
        // The first point is its position at the request, or the node of a route that it left, to which it returns if
        // the path leads on by another link.
        let is_back =
            |from: &Vec2| is_from_node && pos.distance(*from) > near && movement.path.get(1) != goes_to.as_ref();
        let skips = movement.path.len() > 1 && !movement.path.first().is_some_and(is_back);
        movement.path_at = usize::from(skips);
        movement.searched = Some(Arc::new(answer));
        let is_on_link = over_ledges && !is_along;
        if let Some(no_path) = no_path.filter(|_| !(is_on_link && self.leave_out_next_link(key))) {
            self.report_no_path(key, no_path);
        }
    }
}
