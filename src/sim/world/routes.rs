//! Routes follow their waypoint layer when that is edited.
//!
//! Invariant: an entity on a route continues to the node that it was heading for, at the node's new place; if the node
//! was deleted, to the next remaining node of the route. Edits of other layers do not affect the route. Routes are found
//! in `movement`, and followed in `movement`, `walking` and `carriers`.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    model::{Name, WaypointGraph},
    sim::{EntityKey, behavior::vocabulary::RouteMode},
};

use super::{
    World,
    carriers::route_of,
    order::{Order, Route},
    rules::Rules,
};

/// A route after an edit of its layer.
enum Reread {
    Same,
    Other(Route),
    /// Its layer is gone, or has no such nodes any more.
    Gone,
}

impl World {
    /// Update the routes of an entity, that of its order and that of a platform, if their layers were edited.
    pub(super) fn migrate_routes(&mut self, key: EntityKey, old: &Rules) {
        let Some(entity) = self.entities.get(key).filter(|_| !Arc::ptr_eq(&old.level, &self.rules.level)) else {
            return;
        };
        let (pos, movement) = (entity.pose.pos, &entity.movement);
        let of_order = match &movement.order {
            Order::Route { route, mode, forward } => self.reread(route, (*mode, *forward), pos, old),
            _ => Reread::Same,
        };
        let ride = entity.components.platform.as_ref().zip(movement.platform.as_ref());
        let of_platform = ride.map_or(Reread::Same, |(platform, ride)| {
            // Whether its field means a layer, or a layer and a tag, depends on the layers that there are.
            let is_meant = route_of(platform, &self.rules.level) == (&*ride.route.layer, &*ride.route.tag);
            if is_meant { self.reread(&ride.route, (platform.mode, ride.forward), pos, old) } else { Reread::Gone }
        });
        let Some(entity) = self.entities.get_mut(key) else { return };
        let movement = &mut entity.movement;
        // Without its layer, which may have another name by now, an order keeps the places that it has.
        if let (Reread::Other(new), Order::Route { route, .. }) = (of_order, &mut movement.order) {
            if let Some(along) = &mut movement.along {
                // It left a node of the route, which may be elsewhere now, or gone.
                let left = along.left.and_then(|left| route.points.iter().position(|point| *point == left));
                along.left = left.and_then(|left| new.point_of(route.nodes.get(left)?));
            }
            movement.has_reached &= new.point() == route.point();
            *route = new;
        }
        match (of_platform, &mut movement.platform) {
            (Reread::Other(new), Some(ride)) => ride.route = new,
            // What is missing is reported when it begins anew.
            (Reread::Gone, _) => self.forget_platform(key),
            _ => {}
        }
    }

    fn reread(&self, route: &Route, (mode, forward): (RouteMode, bool), pos: Vec2, old: &Rules) -> Reread {
        let (was, is) = (old.waypoints(&route.layer), self.rules.waypoints(&route.layer));
        let Some(is) = is else { return if was.is_some() { Reread::Gone } else { Reread::Same } };
        // Maps are equal in any order, but routes lead through nodes as written.
        let is_same = |was: &WaypointGraph| was == is && was.nodes.keys().eq(is.nodes.keys());
        if was.is_some_and(|was| std::ptr::eq(was, is) || is_same(was)) {
            return Reread::Same;
        }
        // From the node that it is heading for, or else from the first that is left of those after it.
        let tag = &*route.tag;
        let place = |name: &Name| {
            let node = is.nodes.get(name).filter(|node| node.is_meant(tag))?;
            #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
            let [x, y] = node.at.map(|x| x as f32);
            Some(Vec2::new(x, y))
        };
        let from = route.ahead(mode, forward).find_map(place).unwrap_or(pos);
        self.route(&route.layer, tag, from).map_or(Reread::Gone, Reread::Other)
    }
}

impl Route {
    /// Where one of its nodes is, in pixels.
    fn point_of(&self, node: &Name) -> Option<Vec2> {
        let at = self.nodes.iter().position(|name| name == node)?;
        self.points.get(at).copied()
    }

    /// Its nodes from the next one on, in the order in which they are passed; then the others, of which those that were
    /// passed last come first where it does not begin again.
    fn ahead(&self, mode: RouteMode, forward: bool) -> impl Iterator<Item = &Name> {
        let (before, after) = self.nodes.split_at(self.at.min(self.nodes.len()));
        let (next, rest) = after.split_at(after.len().min(1));
        let order: Vec<&Name> = match mode {
            RouteMode::Loop => after.iter().chain(before).collect(),
            RouteMode::PingPong if !forward => next.iter().chain(before.iter().rev()).chain(rest).collect(),
            RouteMode::PingPong | RouteMode::Once => after.iter().chain(before.iter().rev()).collect(),
        };
        order.into_iter()
    }
}
