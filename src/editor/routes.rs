//! The routes of what is selected in a level, to be shown: of an entity those that it follows, of a waypoint the one
//! through it. And who suggested waypoints are linked for.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use glam::Vec2;

use super::Derivation;
use crate::{
    defs::Resolved,
    explain::{RouteUse, destinations_of},
    model::{DocPath, Instance, Layer, Level, Link, Name},
    sim::{
        nav::{Walker, linked_with, route_nodes},
        walker_in,
    },
};

/// A route in a level.
#[derive(Clone, Debug, PartialEq)]
pub struct RouteShown {
    /// The entity that follows it; none where a waypoint is selected and none is known to.
    pub who: Option<Name>,
    /// The layer of its waypoints.
    pub layer: Name,
    /// What comes after the last one: `Loop`, `PingPong` or `Once`; empty where it is not set.
    pub mode: Name,
    /// Its waypoints in turn, in pixels.
    pub points: Vec<[f64; 2]>,
}

/// The routes of some things of a level.
#[must_use]
pub fn routes_shown(derived: &Derivation, doc: &DocPath, ids: &[Name]) -> Vec<RouteShown> {
    let Some(level) = derived.project().level(doc) else { return Vec::new() };
    let mut shown: Vec<RouteShown> = Vec::new();
    for id in ids {
        if let Some((layer, instance)) = level.entity(id) {
            let routes = followed(derived, (doc, level), (layer, id, instance));
            shown.extend(
                routes.into_iter().filter_map(|route| route_from(derived, (doc, level), &route, instance.at, id)),
            );
        } else {
            // Arrows of a route that no entity follows would hide the links of many selected waypoints, as after these
            // were suggested.
            let through = route_through(derived, (doc, level), id);
            shown.extend(through.filter(|route| route.who.is_some() || ids.len() == 1));
        }
    }
    shown.dedup_by(|a, b| a.points == b.points);
    shown
}

/// The walker by whose jumps waypoints of a level seen from the side are linked, with its definition: of those placed
/// there the first that follows routes, else one that is no player, else a player.
#[must_use]
pub fn linking_walker(derived: &Derivation, doc: &DocPath) -> Option<(Name, Arc<Walker>)> {
    let (project, resolution) = (derived.project(), derived.resolution());
    let level = project.level(doc)?;
    let mut seen: HashSet<&Name> = HashSet::new();
    let defs = level.entities().map(|(_, _, instance)| &instance.def).filter(|def| seen.insert(*def));
    let walkers = defs.filter_map(|def| {
        let resolved = resolution.defs.get(def)?;
        let walker = walker_in(project, resolution, level, resolved)?;
        let is_idle = destinations_of(project, resolution, resolved).routes.is_empty();
        Some(((is_idle, resolved.has("Player")), (def.clone(), walker)))
    });
    walkers.min_by_key(|(rank, _)| *rank).map(|(_, found)| found)
}

/// The routes that a placed entity follows.
fn followed(
    derived: &Derivation,
    (doc, level): (&DocPath, &Level),
    (layer, id, instance): (usize, &Name, &Instance),
) -> Vec<RouteUse> {
    let resolution = derived.resolution();
    let of = |resolved: &Resolved| {
        let routes = destinations_of(derived.project(), resolution, resolved).routes.into_iter();
        routes.map(|route| route.in_level(level)).collect()
    };
    if instance.ops.is_empty() {
        resolution.defs.get(&instance.def).map(|def| of(def)).unwrap_or_default()
    } else {
        of(&resolution.instance(doc, &level.layer_at(layer), id, instance).0)
    }
}

/// A route as whoever stands at a place begins it.
fn route_from(
    derived: &Derivation,
    (doc, level): (&DocPath, &Level),
    route: &RouteUse,
    at: [f64; 2],
    who: &Name,
) -> Option<RouteShown> {
    let graph = level.layer(&route.layer)?.1.waypoints()?;
    let links = derived.geometry(doc).and_then(|geometry| geometry.links.get(&route.layer));
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a level")]
    let from = Vec2::new(at[0] as f32, at[1] as f32);
    let ends = |link: &Link| graph.nodes.get_index_of(&link.from).zip(graph.nodes.get_index_of(&link.to));
    let ends = || links.into_iter().flatten().filter_map(ends);
    let together = |start| linked_with(graph.nodes.len(), ends(), start);
    let (nodes, _) = route_nodes(graph, &route.tag, from, together)?;
    let points = nodes.iter().filter_map(|i| Some(graph.nodes.get_index(*i)?.1.at)).collect();
    Some(RouteShown { who: Some(who.clone()), layer: route.layer.clone(), mode: route.mode.clone(), points })
}

/// The route through a waypoint: that of the first entity that passes it, else all that is linked with it.
fn route_through(derived: &Derivation, (doc, level): (&DocPath, &Level), node: &Name) -> Option<RouteShown> {
    let holds = |layer: &Layer| layer.waypoints().is_some_and(|graph| graph.nodes.contains_key(node));
    let layer = level.all_layers().into_iter().find(|layer| holds(layer))?;
    let at = layer.waypoints()?.nodes.get(node)?.at;
    // Most entities are of few definitions, and few of these follow anything.
    let mut idle: HashSet<&Name> = HashSet::new();
    let mut known: HashMap<&Name, Vec<RouteUse>> = HashMap::new();
    for (number, id, instance) in level.entities() {
        if instance.ops.is_empty() && idle.contains(&instance.def) {
            continue;
        }
        let own;
        let routes = if instance.ops.is_empty() {
            known.entry(&instance.def).or_insert_with(|| followed(derived, (doc, level), (number, id, instance)))
        } else {
            own = followed(derived, (doc, level), (number, id, instance));
            &own
        };
        if routes.is_empty() && instance.ops.is_empty() {
            idle.insert(&instance.def);
        }
        let here = routes.iter().filter(|route| route.layer == layer.name);
        let mut shown = here.filter_map(|route| route_from(derived, (doc, level), route, instance.at, id));
        if let Some(found) = shown.find(|route| route.points.contains(&at)) {
            return Some(found);
        }
    }
    let route = RouteUse { layer: layer.name.clone(), tag: "".into(), mode: "".into(), is_own: false };
    let whole = route_from(derived, (doc, level), &route, at, node)?;
    (whole.points.len() > 1).then_some(RouteShown { who: None, ..whole })
}
