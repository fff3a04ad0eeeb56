//! Copying a layer of a level with all that is on it.
//!
//! Invariant: ids stay unique in the level. What is on the copy has fresh ones, and what pointed from one thing of the layer to
//! another points from copy to copy.

use std::sync::Arc;

use super::{Edit, Refusal, copy_things, free_name, paste_things};
use crate::model::{DocPath, Layer, LayerContent, Level, Name, WaypointGraph};

/// The edits that copy a layer, to stand in front of it, and the copy's name. `seed` makes the ids.
///
/// # Errors
/// There is no such layer.
pub fn copy_layer((doc, level): (&DocPath, &Level), layer: &str, seed: u64) -> Result<(Vec<Edit>, Name), Refusal> {
    let (at, layer) = level.layer(layer).ok_or_else(|| Refusal::new(format!("there is no layer `{layer}`")))?;
    let name = free_name(&layer.name, |name| level.layer(name).is_some());
    let (content, ids): (LayerContent, Vec<Name>) = match &layer.content {
        LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) => {
            (layer.content.clone(), Vec::new())
        }
        LayerContent::Entities(all) => {
            (LayerContent::Entities(indexmap::IndexMap::new()), all.keys().cloned().collect())
        }
        LayerContent::Waypoints(graph) => {
            let empty = WaypointGraph { nodes: indexmap::IndexMap::new(), links: Vec::new(), ..graph.clone() };
            (LayerContent::Waypoints(empty), graph.nodes.keys().cloned().collect())
        }
    };
    let copy = Layer { name: name.clone(), locked: false, content, ..(**layer).clone() };
    let mut edits = vec![Edit::insert_at(doc, Level::layer_at(at + 1), &copy)];
    if let Some(things) = copy_things(level, &ids) {
        let mut with_copy = level.clone();
        with_copy.layers.insert(at + 1, Arc::new(copy));
        let (pasted, _) = paste_things((doc, &with_copy), Some(&name), &things, [0.0, 0.0], seed)?;
        edits.extend(pasted);
    }
    if layer.locked {
        edits.push(Edit::set_at(doc, Level::layer_at(&*name).key("locked"), &true));
    }
    Ok((edits, name))
}
