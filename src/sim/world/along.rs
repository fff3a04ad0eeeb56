//! Orders that keep to the links of a waypoint layer: a route from node to node, and `GoTo` or `Chase` with a layer.
//!
//! Invariant: seen from above, and in the air, a path leads straight from waypoint to waypoint. A walker seen from the
//! side goes over ledges from each waypoint of the path to the next. Where a path leads along links is `sim::nav`'s.

use glam::Vec2;

use crate::{
    model::Name,
    sim::{EntityKey, nav::Ground},
};

use super::{
    World,
    legs::Legs,
    order::{Order, PathSearch},
};

/// The links that an order keeps to, and how far it got with them.
#[derive(Clone, Debug)]
pub(super) struct Along {
    /// The waypoint layer.
    pub(super) layer: Name,
    /// The node of a route that it left.
    pub(super) left: Option<Vec2>,
    /// The latest search along the links, and whether an answer to it is due.
    pub(super) searched: Option<PathSearch>,
    pub(super) is_due: bool,
    /// Of a walker seen from the side: the waypoints that are still ahead, then the goal.
    pub(super) ahead: Vec<Vec2>,
}

impl Along {
    pub(super) fn new(layer: Name) -> Self {
        Self { layer, left: None, searched: None, is_due: false, ahead: Vec::new() }
    }

    /// It is at a node of its route; the next stretch is another.
    pub(super) fn leave(&mut self, node: Option<Vec2>) {
        *self = Self { left: node, ..Self::new(self.layer.clone()) };
    }
}

impl World {
    /// From where, and along which links, an entity looks for a path to the goal of its order; nothing where it goes
    /// there by itself: without a layer, to the first node of a route, or where a route's layer has no links.
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

    /// Where a walker seen from the side goes next on its way to a goal: there, or to a waypoint where its order keeps
    /// to links. Nothing while it looks for them.
    pub(super) fn next_waypoint(&mut self, key: EntityKey, pos: Vec2, goal: Vec2) -> Option<Vec2> {
        let Some((from, on)) = self.links_from(key, pos) else { return Some(goal) };
        self.find_path(key, from, goal, on, true);
        let on_ground = self.physics.on_ground(key);
        let movement = &mut self.entities.get_mut(key)?.movement;
        let ahead = &mut movement.along.as_mut()?.ahead;
        if let [next, _, ..] = ahead[..]
            && on_ground
            && self.constants.is_there(next - pos)
        {
            ahead.remove(0);
            movement.path.clear();
            movement.legs = Legs::default();
            movement.searched_path = None;
            movement.gets_on();
        }
        // The goal itself may have moved.
        let ahead = &movement.along.as_ref()?.ahead;
        if ahead.len() == 1 { Some(goal) } else { ahead.first().copied() }
    }
}
