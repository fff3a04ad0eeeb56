//! Whether a new document continues one that is gone, under the same name or another. That is assumed only where both
//! share content that an author made: a wrong guess would put the comments of one into the other.

use std::{collections::HashSet, sync::Arc};

use crate::{
    io::codec::same,
    model::{Document, LayerContent, Name, Schema},
};

/// Whether two documents are equal, or have half of the content of the larger one in common.
pub(super) fn is_related(old: &Document, new: &Document) -> bool {
    if same(old, new) {
        return true;
    }
    match (old, new) {
        (Document::Entities(a), Document::Entities(b)) => is_half(a.defs.keys(), b.defs.keys()),
        (Document::Machines(a), Document::Machines(b)) => is_half(a.machines.keys(), b.machines.keys()),
        (Document::Tuning(a), Document::Tuning(b)) => a.page == b.page || is_half(a.values.keys(), b.values.keys()),
        (Document::Schema(a), Document::Schema(b)) => is_half(declared(a), declared(b)),
        (Document::Level(a), Document::Level(b)) => {
            // Names of layers are the same in many levels; what is in them is not.
            let ids = |level| all_ids(level);
            let is_layer = |layer| b.all_layers().into_iter().any(|other| Arc::ptr_eq(other, layer));
            is_half(ids(a).iter(), ids(b).iter()) || a.all_layers().into_iter().any(is_layer)
        }
        (Document::Tileset(a), Document::Tileset(b)) => {
            let tiles = a.tiles.iter().filter(|(id, tile)| b.tiles.get(*id) == Some(tile)).count();
            a.image == b.image && 2 * tiles >= a.tiles.len().max(b.tiles.len())
        }
        (Document::Scenario(a), Document::Scenario(b)) => {
            let cues = a.script.iter().filter(|cue| b.script.contains(cue)).count();
            let expected = a.expect.iter().filter(|it| b.expect.contains(it)).count();
            let most = (a.script.len() + a.expect.len()).max(b.script.len() + b.expect.len());
            a.level == b.level && cues + expected > 0 && 2 * (cues + expected) >= most
        }
        (Document::Stamp(a), Document::Stamp(b)) => {
            let shared = a.layers.iter().filter(|layer| b.layers.contains(layer)).count();
            shared > 0 && 2 * shared >= a.layers.len().max(b.layers.len())
        }
        _ => false,
    }
}

fn is_half<'n>(old: impl Iterator<Item = &'n Name>, new: impl Iterator<Item = &'n Name>) -> bool {
    let old: HashSet<&Name> = old.collect();
    let new: HashSet<&Name> = new.collect();
    let n = old.intersection(&new).count();
    n > 0 && 2 * n >= old.len().max(new.len())
}

fn declared(schema: &Schema) -> impl Iterator<Item = &Name> {
    let Schema { enums, components, messages, conditions, actions, level_fields, layer_fields, tile_fields } = schema;
    let custom = [level_fields, layer_fields, tile_fields].into_iter().flat_map(|specs| specs.keys());
    let calls = conditions.keys().chain(actions.keys());
    enums.keys().chain(components.keys()).chain(messages.keys()).chain(calls).chain(custom)
}

fn all_ids(level: &crate::model::Level) -> Vec<Name> {
    let ids = level.all_layers().into_iter().flat_map(|layer| match &layer.content {
        LayerContent::Entities(entities) => entities.keys().cloned().collect::<Vec<_>>(),
        LayerContent::Waypoints(graph) => graph.nodes.keys().cloned().collect(),
        LayerContent::Tiles(_) | LayerContent::Image(_) | LayerContent::Values(_) | LayerContent::Group(_) => {
            Vec::new()
        }
    });
    ids.collect()
}
