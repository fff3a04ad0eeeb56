//! Copying a layer of a level with all that is on it, or a group with all that is in it.
//!
//! Invariant: names and ids stay unique in the level. What is on the copy has fresh ids, and what pointed from one
//! thing of what is copied to another points from copy to copy.

use std::sync::Arc;

use super::{
    Edit, Fragment, Refusal, apply_all,
    clipboard::{Copies, FreshIds, pasted},
    copy_things, free_name,
    reach::level_at,
};
use crate::model::{DocPath, GroupLayer, Layer, LayerContent, Level, Name, Project, WaypointGraph};

/// The edits that copy a layer, to stand in front of it, and the copy's name.
fn copy_layer((doc, level): (&DocPath, &Level), layer: &str, seed: u64) -> Result<(Vec<Edit>, Name), Refusal> {
    let (number, layer) = level.layer(layer).ok_or_else(|| Refusal::new(format!("there is no layer `{layer}`")))?;
    let mut copied = Vec::new();
    let copy = bare_copy(level, layer, &mut copied);
    let name = copy.name.clone();
    let place = level.in_front_of(Some(number));
    let mut edits = vec![Edit::insert_at(doc, place.clone(), &copy)];
    let mut with_copy = level.clone();
    if let Some(list) = super::layer_groups::list_at(&mut with_copy, &place) {
        list.push(Arc::new(copy));
    }
    let ids: Vec<Name> = copied.iter().flat_map(|(layer, _)| ids_on(layer)).collect();
    if let Some(Fragment::Things { entities, nodes, .. }) = copy_things(level, &ids) {
        let there = entities.iter().map(|(id, _)| id).chain(nodes.iter().map(|(id, _)| id));
        let (fresh, _) = FreshIds::new(level).make(there, seed);
        let copies = [Copies { by: [0.0, 0.0], fresh }];
        for (layer, name) in &copied {
            if let Some(things) = copy_things(level, &ids_on(layer)) {
                edits.extend(pasted((doc, &with_copy), Some(name), &things, &copies)?);
            }
        }
    }
    let locked = copied.iter().filter(|(layer, _)| layer.locked);
    edits.extend(locked.map(|(_, name)| Edit::set_at(doc, with_copy.layer_at(&**name).key("locked"), &true)));
    Ok((edits, name))
}

/// The edits that copy layers, each to stand in front of its own, and the names of the copies, back to front. `seed`
/// makes the ids.
///
/// # Errors
/// There is no such layer, or a copy cannot be put there.
pub fn copy_layers(
    project: &Project,
    doc: &DocPath,
    layers: &[Name],
    seed: u64,
) -> Result<(Vec<Edit>, Vec<Name>), Refusal> {
    let (mut edits, mut names) = (Vec::new(), Vec::new());
    let mut tried = project.clone();
    let all = level_at(project, doc)?;
    for layer in all.outermost(layers).into_iter().filter_map(|number| all.nth_layer(number)) {
        let (more, name) = copy_layer((doc, level_at(&tried, doc)?), &layer.name, seed)?;
        apply_all(&mut tried, &more)?;
        edits.extend(more);
        names.push(name);
    }
    Ok((edits, names))
}

/// A layer under a free name, unlocked, without what has ids, and so all that is in it. `copied` gets what was copied,
/// with the name of its copy.
fn bare_copy(level: &Level, layer: &Layer, copied: &mut Vec<(Layer, Name)>) -> Layer {
    let is_taken = |name: &str| level.layer(name).is_some() || copied.iter().any(|(_, it)| **it == *name);
    let name = free_name(&layer.name, is_taken);
    copied.push((layer.clone(), name.clone()));
    let content = match &layer.content {
        LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) => layer.content.clone(),
        LayerContent::Entities(_) => LayerContent::Entities(indexmap::IndexMap::new()),
        LayerContent::Waypoints(graph) => {
            let empty = WaypointGraph { nodes: indexmap::IndexMap::new(), links: Vec::new(), ..graph.clone() };
            LayerContent::Waypoints(empty)
        }
        LayerContent::Group(group) => {
            let layers = group.layers.iter().map(|layer| Arc::new(bare_copy(level, layer, copied)));
            LayerContent::Group(GroupLayer { layers: layers.collect() })
        }
    };
    Layer { name, locked: false, content, ..layer.clone() }
}

/// The ids of what is on a layer.
fn ids_on(layer: &Layer) -> Vec<Name> {
    let entities = layer.entities().into_iter().flat_map(|all| all.keys());
    let nodes = layer.waypoints().into_iter().flat_map(|graph| graph.nodes.keys());
    entities.chain(nodes).cloned().collect()
}
