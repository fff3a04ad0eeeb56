//! Orders that follow the links of a waypoint layer: a route from node to node, and `GoTo` or `Chase` with a layer.
//!
//! Invariant: seen from above, and in the air, a path leads straight from waypoint to waypoint. A walker seen from the
//! side goes over ledges from each waypoint of the path to the next. Paths along links are found by `sim::nav`. A link
//! made by hand that leads through a wall may be a portal, so an agent tries it; stopped there, it looks for a path
//! without that link.

use glam::Vec2;

use crate::{
    model::Name,
    sim::{
        EntityKey,
        nav::{Ground, NEAR_ENOUGH, NoPath},
    },
};

use super::{
    World,
    legs::Legs,
    order::{Order, PathSearch},
};

/// The links that an order follows, and its progress along them.
#[derive(Clone, Debug)]
pub(super) struct Along {
    /// The waypoint layer's name.
    pub(super) layer: Name,
    /// The last node of the route, which the entity has left, in pixels.
    pub(super) left: Option<Vec2>,
    /// The latest search along the links, and whether its answer is due.
    pub(super) searched: Option<PathSearch>,
    pub(super) is_due: bool,
    /// For a walker seen from the side: the waypoints ahead, then the goal, in pixels.
    pub(super) ahead: Vec<Vec2>,
    /// Why no ledges lead along a link through ground that it leaves out, and the highest place that it reached there.
    pub(super) missed_jump: Option<(NoPath, Option<f32>)>,
}

impl Along {
    pub(super) fn new(layer: Name) -> Self {
        Self { layer, left: None, searched: None, is_due: false, ahead: Vec::new(), missed_jump: None }
    }

    /// Begin the next stretch of a route, at one of its nodes.
    pub(super) fn leave(&mut self, node: Option<Vec2>) {
        *self = Self { left: node, ..Self::new(self.layer.clone()) };
    }
}

impl World {
    /// The start of the path to the goal of an entity's order, and the links to follow. `None` if it goes there without
    /// links: without a layer, to the first node of a route, or if a route's layer has no links.
    pub(super) fn links_from(&self, key: EntityKey, pos: Vec2) -> Option<(Vec2, Ground)> {
        let movement = &self.entities.get(key)?.movement;
        let along = movement.along.as_ref()?;
        let on = Ground::Waypoints(along.layer.clone());
        if !matches!(movement.order, Order::Route { .. }) {
            return Some((pos, on));
        }
        let built = self.navigator.waypoints(&along.layer)?;
        (!built.links().is_empty()).then_some((along.left?, on))
    }

    /// Let an agent that is on a link made by hand through a wall look for a path without that link. Returns whether it is
    /// on one that is not left out yet.
    pub(super) fn leave_out_link(&mut self, key: EntityKey) -> bool {
        let (tick, tries) = (self.tick, self.tries());
        let near_px = NEAR_ENOUGH * self.constants.arrive_distance;
        let Some(entity) = self.entities.get_mut(key) else { return false };
        let movement = &mut entity.movement;
        let link = movement.along.as_ref().and_then(|along| {
            let built = self.navigator.waypoints(&along.layer)?;
            let next = *movement.path.get(movement.path_at)?;
            let last = movement.path_at.checked_sub(1).and_then(|last| movement.path.get(last)).copied();
            let ends = [last.unwrap_or(entity.pose.pos), next];
            built.walled_link(self.navigator.floor().grid(), ends, near_px)
        });
        let Some(link) = link.filter(|link| !movement.tries.avoided(tick, tries).contains(link)) else { return false };
        movement.tries.leave_out(link, tick);
        movement.searched_path = None;
        true
    }

    /// The same for a walker that goes over ledges from waypoint to waypoint: no ledges lead to the next one.
    pub(super) fn leave_out_next_link(&mut self, key: EntityKey) -> bool {
        let (tick, tries) = (self.tick, self.tries());
        let near_px = NEAR_ENOUGH * self.constants.arrive_distance + self.feet_px(key);
        let jump_px = self.jump_px(key);
        let Some(entity) = self.entities.get_mut(key) else { return false };
        let movement = &mut entity.movement;
        let Some(along) = &mut movement.along else { return false };
        let built = self.navigator.waypoints(&along.layer).zip(along.ahead.first());
        let link = built.and_then(|(built, next)| {
            built.walled_link(self.navigator.floor().grid(), [entity.pose.pos, *next], near_px)
        });
        let Some(link) = link.filter(|link| !movement.tries.avoided(tick, tries).contains(link)) else { return false };
        movement.tries.leave_out(link, tick);
        let ends = [entity.pose.pos, along.ahead[0]];
        let why = movement.searched.as_deref().and_then(|answer| self.navigator.missed_jump(answer, ends, jump_px));
        along.missed_jump = along.missed_jump.or(why);
        (along.searched, movement.searched_path) = (None, None);
        along.ahead.clear();
        true
    }

    /// The next target of a walker seen from the side: its goal, or a waypoint if its order follows links. `None` while
    /// the path along the links is searched.
    pub(super) fn next_waypoint(&mut self, key: EntityKey, pos: Vec2, goal: Vec2) -> Option<Vec2> {
        let Some((from, on)) = self.links_from(key, pos) else { return Some(goal) };
        self.find_path(key, from, goal, on, true);
        let (on_ground, feet_px) = (self.physics.on_ground(key), self.feet_px(key));
        let movement = &mut self.entities.get_mut(key)?.movement;
        let ahead = &mut movement.along.as_mut()?.ahead;
        if let [next, _, ..] = ahead[..]
            && on_ground
            && self.constants.is_there(next - pos, feet_px)
        {
            ahead.remove(0);
            movement.path.clear();
            movement.legs = Legs::default();
            movement.searched_path = None;
            movement.mark_progress();
        }
        // The goal itself may have moved.
        let ahead = &movement.along.as_ref()?.ahead;
        if ahead.len() == 1 { Some(goal) } else { ahead.first().copied() }
    }
}
