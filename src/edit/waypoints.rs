//! Edits of waypoint layers: nodes, and what people state about links.
//!
//! Invariant: a link joins two different nodes of its layer, and at most one statement stands about going from one to
//! another.

use super::{
    Refusal,
    level::check_link,
    reach::{layer_mut, level_at, open_layer},
};
use crate::model::{DocPath, LayerContent, Link, Name, Project, WaypointGraph};

/// The graph of a layer that may be edited, with the layer's index.
fn graph_at<'a>(project: &'a Project, path: &DocPath, layer: &str) -> Result<(usize, &'a WaypointGraph), Refusal> {
    let (at, layer) = open_layer(level_at(project, path)?, layer)?;
    let graph = layer.waypoints();
    graph.map(|graph| (at, graph)).ok_or_else(|| Refusal::new(format!("layer `{}` holds no waypoints", layer.name)))
}

fn graph_mut<'a>(project: &'a mut Project, path: &DocPath, layer: usize) -> Result<&'a mut WaypointGraph, Refusal> {
    match &mut layer_mut(project, path, layer)?.content {
        LayerContent::Waypoints(graph) => Ok(graph),
        _ => Err(Refusal::new("this layer holds no waypoints")),
    }
}

pub(super) fn set_link(
    project: &mut Project,
    path: &DocPath,
    layer: &str,
    (from, to): (&Name, &Name),
    link: Option<&Link>,
) -> Result<(), Refusal> {
    let (at, graph) = graph_at(project, path, layer)?;
    // Two one-way links may lead there and back at different costs: one leaves the other alone.
    let leads_back = |old: &Link| link.is_some_and(|new| new.one_way && old.one_way && old.from == new.to);
    let is_replaced = |old: &Link| old.joins(from, to) && !leads_back(old);
    let found: Vec<usize> = (0..graph.links.len()).filter(|i| is_replaced(&graph.links[*i])).collect();
    match (found.as_slice(), link) {
        ([], None) => return Ok(()),
        ([one], Some(link)) if graph.links[*one] == *link => return Ok(()),
        (_, Some(link)) => {
            if !link.joins(from, to) {
                return Err(Refusal::new("the link is between two other waypoints"));
            }
            check_link(link, |id| graph.nodes.contains_key(id))?;
        }
        (_, None) => {}
    }
    let links = &mut graph_mut(project, path, at)?.links;
    for i in found.iter().rev() {
        links.remove(*i);
    }
    if let Some(link) = link {
        let place = found.first().copied().unwrap_or(links.len());
        links.insert(place, link.clone());
    }
    Ok(())
}
